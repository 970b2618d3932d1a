//! Sleep where rods touch: what touches sleeps together and wakes together.
//!
//! Rods that touch each other, directly or through others, fall asleep in the same step, once all of them have been slow for long enough. Before a step everything wakes that touches a
//! rod that is awake, or is near a shape that moves: so a rod that meets sleepers finds them fixed for one step and free from the next.

use super::{
    broad::Box3,
    collider::{ColliderId, Placed},
    meet::Neighbor,
    shape::bounds,
    stage::{Stage, root},
    touch::MARK,
};
use crate::{
    math::lanes::LANES,
    state::{
        RodId, RodWorld, SleepSettings,
        block::{Block, position},
    },
};

/// Who keeps whom awake. Memory, by slots of rods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ties {
    parents: Vec<u32>,
    /// By roots.
    stirred: Vec<bool>,
}

impl Ties {
    /// Rods that touch have the same root.
    fn unite(&mut self, slots: usize, meetings: impl Iterator<Item = (RodId, Neighbor)>) {
        self.parents.clear();
        self.parents.extend(0..slots as u32);
        self.stirred.clear();
        self.stirred.resize(slots, false);
        for (rod, other) in meetings {
            if let Neighbor::Rod(other) = other {
                let [a, b] = [rod, other].map(|id| root(&mut self.parents, id.index()));
                self.parents[a.max(b) as usize] = a.min(b);
            }
        }
    }

    fn stir(&mut self, slot: u32) {
        let at = root(&mut self.parents, slot) as usize;
        self.stirred[at] = true;
    }

    fn is_stirred(&mut self, slot: u32) -> bool {
        let at = root(&mut self.parents, slot) as usize;
        self.stirred[at]
    }
}

impl Placed {
    fn moves(&self) -> bool {
        self.from != self.to
    }

    /// A box around all that it sweeps in the next step.
    fn swept(&self) -> Box3 {
        let [start, end] = [&self.from, &self.to].map(|pose| {
            let (low, high) = bounds(&*self.collider.shape.0, pose);
            Box3 { low, high }
        });
        // A corner leaves the straight way between its two places by no more than it goes.
        start
            .union(&end)
            .grown(self.from.angle(&self.to) * self.extent.min(1e6))
    }
}

impl RodWorld {
    /// Wake those that touch something.
    pub(crate) fn wake_touching(&mut self, what: Neighbor) {
        for k in 0..self.contact.meetings.known.len() {
            let (rod, other) = self.contact.meetings.known[k].pair();
            if other == what {
                self.wake_rod(rod);
            }
            if let (Neighbor::Rod(other), true) = (other, Neighbor::Rod(rod) == what) {
                self.wake_rod(other);
            }
        }
    }

    /// Wake sleepers that a shape may touch in the next step.
    pub(crate) fn wake_near(&mut self, id: ColliderId) {
        let Some(placed) = self.contact.colliders.get(id).filter(|placed| placed.here) else {
            return;
        };
        let (swept, layers) = (placed.swept(), placed.collider.layers);
        for (block, active) in self.blocks.iter_mut().zip(&mut self.active) {
            let Some(block) = block else { continue };
            for lane in 0..LANES {
                let sleeper = block.rods[lane].as_ref().filter(|rod| rod.sleep.asleep);
                if sleeper.is_some_and(|rod| rod.layers.touches(layers)) && around(block, lane).overlaps(&swept) {
                    block.wake(lane);
                    *active = true;
                }
            }
        }
    }

    fn wake_rod(&mut self, id: RodId) {
        if let Some(mut rod) = self.rod_mut(id) {
            rod.wake();
        }
    }

    fn has_sleepers(&self) -> bool {
        let rods = self
            .blocks
            .iter()
            .flatten()
            .flat_map(|block| block.rods.iter().flatten());
        rods.into_iter().any(|rod| rod.sleep.asleep)
    }
}

/// The box around a rod, and as far beyond as barriers reach.
fn around(block: &Block, lane: usize) -> Box3 {
    let Some(resident) = &block.rods[lane] else {
        return Box3::EMPTY;
    };
    let vertices = 0..resident.description.vertices().len();
    let places = vertices.map(|vertex| {
        let (row, at) = block.vertex_place(lane, vertex);
        resident.origin + position(&block.vertices[row], at)
    });
    Box3::of(places).grown(1.25 * resident.radius)
}

/// Before a step: wake whoever something acts on.
pub(super) fn rouse(world: &mut RodWorld) {
    if !world.has_sleepers() {
        return;
    }
    for slot in 0..world.contact.colliders.slots.len() as u32 {
        let id = world.contact.colliders.name(slot);
        if world.contact.colliders.get(id).is_some_and(Placed::moves) {
            world.wake_near(id);
        }
    }
    let mut ties = std::mem::take(&mut world.contact.ties);
    let meetings = world.contact.meetings.known.iter().map(|meeting| meeting.pair());
    ties.unite(world.slot_count(), meetings.filter(|pair| world.meets(pair)));
    for resident in world
        .blocks
        .iter()
        .flatten()
        .flat_map(|block| block.rods.iter().flatten())
    {
        if !resident.sleep.asleep && !resident.quarantined {
            ties.stir(resident.index);
        }
    }
    for (block, active) in world.blocks.iter_mut().zip(&mut world.active) {
        let Some(block) = block else { continue };
        for lane in 0..LANES {
            let sleeper = block.rods[lane].as_ref().filter(|rod| rod.sleep.asleep);
            if sleeper.is_some_and(|rod| ties.is_stirred(rod.index)) {
                block.wake(lane);
                *active = true;
            }
        }
    }
    world.contact.ties = ties;
}

impl RodWorld {
    /// Whether the rods of a meeting are still there.
    fn meets(&self, (rod, other): &(RodId, Neighbor)) -> bool {
        self.contains(*rod)
            && match other {
                Neighbor::Rod(other) => self.contains(*other),
                Neighbor::Collider(_) => true,
            }
    }
}

impl Stage {
    /// After a step: those fall asleep that have been slow for long enough, as has all that they touch. `slots` is how many rods may have names.
    pub fn rest(&mut self, blocks: &mut [Option<Block>], active: &[bool], slots: usize, sleep: &SleepSettings) {
        let mut ties = std::mem::take(&mut self.ties);
        let meetings = || self.meetings.known.iter().map(|meeting| meeting.pair());
        let there = |(rod, other): &(RodId, Neighbor)| {
            let gone = |id: &RodId| self.rod_of(*id).is_none();
            !(gone(rod) || matches!(other, Neighbor::Rod(other) if gone(other)))
        };
        ties.unite(slots, meetings().filter(there));
        for (rod, other) in meetings().filter(there) {
            if let Neighbor::Collider(id) = other
                // What a body lies on has to bear it: it does not sleep.
                && (self.colliders.get(id)).is_some_and(|placed| placed.moves() || placed.standing.is_some())
            {
                ties.stir(rod.index());
            }
        }
        for rod in blocks.iter().flatten().flat_map(|block| block.rods.iter().flatten()) {
            if !rod.sleep.asleep && !rod.quarantined && rod.sleep.quiet < sleep.seconds {
                ties.stir(rod.index);
            }
        }
        for block in (blocks.iter_mut().zip(active)).filter_map(|(block, active)| block.as_mut().filter(|_| *active)) {
            for lane in 0..LANES {
                let awake = (block.rods[lane].as_ref()).filter(|rod| !rod.sleep.asleep && !rod.quarantined);
                if awake.is_some_and(|rod| !ties.is_stirred(rod.index)) {
                    block.fall_asleep(lane);
                }
            }
        }
        self.ties = ties;
    }

    /// A shape is gone: the next one in its slot is another one.
    pub fn forget_collider(&mut self, id: ColliderId) {
        let slot = id.index | MARK;
        self.remembered.retain(|known| known.key[2] != slot);
    }

    /// A rod is gone: whoever gets its slot has touched nothing yet.
    pub fn forget_rod(&mut self, slot: u32) {
        self.remembered
            .retain(|known| known.key[0] != slot && known.key[2] != slot);
    }
}
