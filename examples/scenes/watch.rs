//! Probes: reads numbers off a world.

use glam::{DVec3, Vec3};
use lariat::prelude::{ColliderId, RodDescription, RodId, RodRef, RodWorld, Touched};

use super::{
    script::{Index, Probe, What},
    shapes::SceneShape,
    stage::{Group, find},
};

/// A probe with its names resolved.
#[derive(Clone, Debug)]
pub struct Watch {
    /// The probe's name.
    pub name: String,
    rods: Vec<RodId>,
    reading: Reading,
}

#[derive(Clone, Copy, Debug)]
enum Reading {
    Position(usize),
    /// The vertices around the point and its share of the way between them.
    Between(usize, usize, f64),
    Velocity(usize),
    Tension(usize),
    Moment(usize),
    Twist(usize),
    Stretch,
    KineticEnergy,
    TotalEnergy,
    /// A shape, and where it is before the first step.
    ShapePosition(ColliderId, DVec3),
    ShapeForce(ColliderId),
}

impl Watch {
    /// Resolves names and indices, which [`super::check`] has seen to exist.
    pub fn new(probe: &Probe, groups: &[Group], shapes: &[SceneShape], colliders: &[ColliderId]) -> Self {
        let shape = |index: Index| {
            let at = index.resolve(shapes.len())? as usize;
            Some((*colliders.get(at)?, shapes.get(at)?.position))
        };
        let mut rods = match &probe.rod {
            Some(name) => find(groups, name),
            None => groups.iter().flat_map(|group| group.ids.iter().copied()).collect(),
        };
        if probe.rod.is_some() {
            rods.truncate(1);
        }
        let description = rods
            .first()
            .and_then(|rod| groups.iter().find(|group| group.ids.contains(rod)))
            .map(|group| &*group.description);
        Self {
            name: probe.name.clone(),
            rods,
            reading: Reading::new(probe.what, description, shape),
        }
    }

    /// The numbers now.
    pub fn read(&self, world: &RodWorld) -> Vec<f64> {
        let mut rods = self.rods.iter().filter_map(|id| world.rod(*id));
        match self.reading {
            Reading::Stretch => vec![rods.map(|rod| rod.stretch()).fold(f64::NEG_INFINITY, f64::max)],
            Reading::KineticEnergy => vec![rods.map(|rod| rod.energy().kinetic).sum()],
            Reading::TotalEnergy => vec![rods.map(|rod| rod.energy().total()).sum()],
            Reading::ShapePosition(id, start) => {
                let place = world.collider_pose(id).map_or(start, |(place, _)| place);
                place.to_array().to_vec()
            }
            Reading::ShapeForce(id) => {
                let pressing = world
                    .contacts()
                    .filter(|contact| contact.other == Touched::Collider(id));
                let force: DVec3 = pressing.map(|c| c.normal * c.force - c.friction).sum();
                force.to_array().to_vec()
            }
            one => rods.next().map_or_else(Vec::new, |rod| one.of_rod(&rod)),
        }
    }
}

impl Reading {
    fn new(
        what: What,
        description: Option<&RodDescription>,
        shape: impl Fn(Index) -> Option<(ColliderId, DVec3)>,
    ) -> Self {
        let index = |index: Index, count: fn(&RodDescription) -> usize| {
            description.and_then(|rod| index.resolve(count(rod))).unwrap_or(0) as usize
        };
        match what {
            What::Position(v) => Self::Position(index(v, |rod| rod.vertices().len())),
            What::PositionAt(s) => description.map_or(Self::Position(0), |rod| arc(rod, s)),
            What::Velocity(v) => Self::Velocity(index(v, |rod| rod.vertices().len())),
            What::Tension(s) => Self::Tension(index(s, |rod| rod.segments().len())),
            What::Moment(j) => Self::Moment(index(j, |rod| rod.joints().len())),
            What::Twist(j) => Self::Twist(index(j, |rod| rod.joints().len())),
            What::Stretch => Self::Stretch,
            What::KineticEnergy => Self::KineticEnergy,
            What::TotalEnergy => Self::TotalEnergy,
            What::ShapePosition(s) => shape(s).map_or(Self::Position(0), |(id, start)| Self::ShapePosition(id, start)),
            What::ShapeForce(s) => shape(s).map_or(Self::Position(0), |(id, _)| Self::ShapeForce(id)),
        }
    }

    fn of_rod(self, rod: &RodRef<'_>) -> Vec<f64> {
        let double = |v: DVec3| v.to_array().to_vec();
        let single = |v: Vec3| v.as_dvec3().to_array().to_vec();
        match self {
            Self::Position(v) => double(rod.position(v)),
            Self::Between(a, b, share) => double(rod.position(a).lerp(rod.position(b), share)),
            Self::Velocity(v) => single(rod.velocity(v)),
            Self::Tension(s) => vec![rod.tension(s)],
            Self::Moment(j) => single(rod.moment(j)),
            Self::Twist(j) => vec![rod.twist(j)],
            Self::Stretch | Self::KineticEnergy | Self::TotalEnergy | Self::ShapePosition(..) | Self::ShapeForce(_) => {
                Vec::new()
            }
        }
    }
}

/// The point at an arc length, following segments in their order.
fn arc(rod: &RodDescription, length: f64) -> Reading {
    let mut passed = 0.0;
    for segment in rod.segments() {
        if passed + segment.rest_length >= length {
            let share = ((length - passed) / segment.rest_length).clamp(0.0, 1.0);
            return Reading::Between(segment.tail as usize, segment.head as usize, share);
        }
        passed += segment.rest_length;
    }
    rod.segments()
        .last()
        .map_or(Reading::Position(0), |segment| Reading::Position(segment.head as usize))
}
