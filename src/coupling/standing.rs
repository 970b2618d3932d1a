//! Bodies that shapes stand on: how they go through a step.
//!
//! One that rods can move is among the unknowns of an island: that of the rods tied to it, or one of its own. Where nothing touches the shapes of such a lone body in a whole step, it is left to the
//! host altogether.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::{
    attachment::TieTo,
    host::{BodyId, BodyImpulse, BodyState},
    inertia::inertia,
    island::{Island, Source},
    motion::Motion,
    registry::{Coupling, HostBody},
};
use crate::solver::direct::{bodies::rotation_by, plan::Plan};

/// Differences of velocities below this are rounding, m/s and rad/s.
const ROUNDING: f64 = 1e-9;

/// A body that shapes stand on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    pub body: BodyId,
    /// The island that it is in, and its number there; `None` where rods can't move it.
    pub island: Option<(u32, u32)>,
}

/// A point of a rod that is tied to a body, by the rod's slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub body: BodyId,
    pub rod: u32,
    pub segment: u32,
}

impl Coupling {
    /// Find the islands of the bodies that shapes stand on, and make some for those that have none.
    pub(super) fn seat(&mut self) {
        let mut places: Vec<(usize, u32, u32)> = Vec::new();
        for (island, known) in (0u32..).zip(&self.islands) {
            for (body, source) in (0u32..).zip(&known.sources) {
                if let Source::Host(at) = *source
                    && self.dynamic[at]
                {
                    places.push((at, island, body));
                }
            }
        }
        places.sort_unstable();
        let mut plan = None;
        self.seats.clear();
        for k in 0..self.standing.len() {
            let body = self.standing[k];
            let Ok(at) = self.kept.bodies.binary_search_by_key(&body, |known| known.id) else {
                continue;
            };
            let island = if !self.dynamic[at] {
                None
            } else if let Ok(found) = places.binary_search_by_key(&at, |place| place.0) {
                Some((places[found].1, places[found].2))
            } else {
                let plan = plan.get_or_insert_with(|| Arc::new(Plan::lone_body()));
                self.islands.push(Island::lone(at, plan.clone()));
                Some((self.islands.len() as u32 - 1, 0))
            };
            self.seats.push(Seat { body, island });
        }
        self.held.clear();
        let held = self.kept.slots.iter().filter_map(|slot| {
            let attachment = slot.attachment.as_ref()?;
            match attachment.spec.to {
                TieTo::Body { body, .. } => Some(Held {
                    body,
                    rod: attachment.spec.rod.index(),
                    segment: attachment.segment,
                }),
                TieTo::Point(_) => None,
            }
        });
        self.held.extend(held);
        self.held.sort_unstable();
    }

    /// The bodies that shapes stand on, in the order of their names.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    /// Which segments of which rods are tied to a body.
    pub fn held_by(&self, body: BodyId) -> &[Held] {
        let first = self.held.partition_point(|held| held.body < body);
        let count = self.held[first..].partition_point(|held| held.body == body);
        &self.held[first..first + count]
    }

    /// Where a body is now, and where it would be after `dt` by its velocities: of its own frame. `None` when its host never gave sound numbers.
    pub fn way_of(&self, body: BodyId, dt: f64) -> Option<[(DVec3, DQuat); 2]> {
        let at = self.kept.bodies.binary_search_by_key(&body, |known| known.id).ok()?;
        let known = &self.kept.bodies[at];
        let state = known.state?;
        let orientation = state.orientation.normalize();
        let now = (state.position, orientation);
        if known.refused {
            return Some([now; 2]);
        }
        let [linear, angular] = [state.linear_velocity, state.angular_velocity];
        if linear == DVec3::ZERO && angular == DVec3::ZERO {
            return Some([now; 2]);
        }
        let turned = (rotation_by(angular * dt) * orientation).normalize();
        let center = state.center() + linear * dt;
        Some([now, (center - turned * state.center_of_mass, turned)])
    }
}

impl HostBody {
    /// A lone body that nothing touched: it is the host's alone. What it still had beside what the host knew of it (see [`Motion`]) is given now.
    pub(super) fn leave(&mut self, before: Option<Motion>, started: [DVec3; 2], dt: f32) {
        let (Some(state), Some(_)) = (self.state.filter(|_| self.is_dynamic()), before) else {
            return;
        };
        let seen: BodyState = self.load.bear(&state, dt.into());
        let [linear, angular] = [started[0] - seen.linear_velocity, started[1] - seen.angular_velocity];
        if linear.length() < ROUNDING && angular.length() < ROUNDING {
            return;
        }
        self.impulse = BodyImpulse {
            linear: linear * state.mass().unwrap_or(0.0),
            angular: inertia(state.inverse_inertia).map_or(DVec3::ZERO, |inertia| inertia * angular),
            steady_linear: DVec3::ZERO,
        };
    }
}
