//! Who touches whom, from step to step: what is told as events, and who keeps whom awake.

use serde::{Deserialize, Serialize};

use super::{
    collider::{ColliderId, Placed},
    stage::Stage,
    touch::{MARK, Touch},
    world::Touched,
};
use crate::state::{Event, RodId};

/// A rod or a shape that a rod meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Neighbor {
    /// Another rod.
    Rod(RodId),
    /// A shape.
    Collider(ColliderId),
}

impl From<Touched> for Neighbor {
    fn from(touched: Touched) -> Self {
        match touched {
            Touched::Rod { rod, .. } => Self::Rod(rod),
            Touched::Collider(collider) => Self::Collider(collider),
        }
    }
}

/// A rod that touches another one or a shape. Of two rods the one with the lesser name comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Meeting {
    pub rod: RodId,
    pub other: Neighbor,
    /// Whether it was told that they overlap.
    pub deep: bool,
}

impl Meeting {
    pub fn pair(&self) -> (RodId, Neighbor) {
        (self.rod, self.other)
    }
}

/// Meetings of a world, and memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    /// At the end of the last step, ascending.
    pub known: Vec<Meeting>,
    /// In this step.
    now: Vec<Meeting>,
    places: Vec<Place>,
    pub events: Vec<Event>,
}

/// A place of a meeting.
#[derive(Clone, Copy, Debug)]
struct Place {
    meeting: Meeting,
    force: f64,
    /// Which touch of which group.
    at: [u32; 2],
}

impl Meetings {
    /// Whether the two were known to meet, before or as one of the first so many of this step, and if so whether too deep.
    fn known(&self, met: usize, pair: &(RodId, Neighbor)) -> Option<bool> {
        [&self.now[..met], &self.known].into_iter().find_map(|list| {
            let at = list.binary_search_by_key(pair, Meeting::pair).ok()?;
            Some(list[at].deep)
        })
    }
}

impl Stage {
    /// Take up who touches whom at the end of a substep of `h` seconds.
    pub fn meet(&mut self, h: f64) {
        let mut meetings = std::mem::take(&mut self.meetings);
        meetings.places.clear();
        for (group, g) in self.groups[..self.count].iter().zip(0u32..) {
            let touching = (group.touches.iter().zip(0u32..))
                .filter(|(touch, _)| touch.force > 0.0)
                .map(|(touch, t)| (touch.key, false, touch.force, t));
            let pairs = group.pairs.iter().filter(|pair| pair.overlaps());
            let spots = group.deep.iter().filter(|deep| deep.overlaps);
            let deep = (pairs.map(|pair| pair.key)).chain(spots.map(|deep| deep.key));
            // The strongest place comes first: those that are only deep have no force.
            let deep = deep.map(|key| (key, true, 0.0, u32::MAX));
            for (key, deep, force, t) in touching.chain(deep) {
                let Some((rod, other)) = self.pair_of(key[0], key[2]) else {
                    continue;
                };
                meetings.places.push(Place {
                    meeting: Meeting { rod, other, deep },
                    force,
                    at: [g, t],
                });
            }
        }
        // Forces are finite and not negative: their bits sort as they do. The last key makes the order the same every time.
        let order = |place: &Place| (place.meeting.pair(), std::cmp::Reverse(place.force.to_bits()), place.at);
        meetings.places.sort_unstable_by_key(order);
        let places = std::mem::take(&mut meetings.places);
        let met = meetings.now.len();
        for same in places.chunk_by(|a, b| a.meeting.pair() == b.meeting.pair()) {
            let first = same[0];
            let Meeting { rod, other, .. } = first.meeting;
            let deep = same.iter().any(|place| place.meeting.deep);
            let known = meetings.known(met, &(rod, other));
            let touch = (self.groups.get(first.at[0] as usize))
                .and_then(|group| group.touches.get(first.at[1] as usize))
                .filter(|_| known.is_none());
            if let Some(touch) = touch {
                let impulse = h * same.iter().map(|place| place.force).sum::<f64>();
                meetings.events.push(self.touched(rod, touch, impulse));
            }
            if deep && known != Some(true) {
                meetings.events.push(Event::Overlapping { rod, other });
            }
            let deep = deep || known == Some(true);
            // What was met before in this step is in the sorted part of the list.
            match meetings.now[..met].binary_search_by_key(&(rod, other), Meeting::pair) {
                Ok(at) => meetings.now[at].deep |= deep,
                Err(_) => meetings.now.push(Meeting { rod, other, deep }),
            }
        }
        meetings.now.sort_unstable_by_key(Meeting::pair);
        meetings.places = places;
        self.meetings = meetings;
    }

    /// The step is over: who did not touch in any of its substeps has parted. Nobody looked at those that sleep: they still touch.
    pub fn part(&mut self) {
        let mut meetings = std::mem::take(&mut self.meetings);
        let met = meetings.now.len();
        for k in 0..meetings.known.len() {
            let known = meetings.known[k];
            if (meetings.now[..met].binary_search_by_key(&known.pair(), Meeting::pair)).is_ok() {
                continue;
            }
            if self.still(known.rod, known.other) {
                meetings.now.push(known);
            } else {
                let Meeting { rod, other, .. } = known;
                meetings.events.push(Event::Parted { rod, other });
            }
        }
        meetings.now.sort_unstable_by_key(Meeting::pair);
        std::mem::swap(&mut meetings.now, &mut meetings.known);
        meetings.now.clear();
        self.meetings = meetings;
    }

    /// Contact is turned on or off: nothing touches, and shapes are where they are meant to be.
    pub fn switch(&mut self, events: &mut Vec<Event>) {
        let parted = |Meeting { rod, other, .. }: Meeting| Event::Parted { rod, other };
        events.extend(self.meetings.known.drain(..).map(parted));
        self.remembered.clear();
        self.count = 0;
        self.colliders.iter_mut().for_each(Placed::settle);
    }

    /// Whether neither of the two can have moved.
    fn still(&self, rod: RodId, other: Neighbor) -> bool {
        let rests = |id: RodId| self.rod_of(id).is_some_and(|at| self.scene.rods[at].rests);
        rests(rod)
            && match other {
                Neighbor::Rod(other) => rests(other),
                Neighbor::Collider(id) => self.colliders.get(id).is_some(),
            }
    }

    /// Where a rod is in the scene.
    pub fn rod_of(&self, id: RodId) -> Option<usize> {
        let at = self.scene.rods.binary_search_by_key(&id.index(), |rod| rod.id.index());
        at.ok().filter(|&at| self.scene.rods[at].id == id)
    }

    /// The name that the rod in a slot had when the scene was made.
    pub fn name_of(&self, slot: u32) -> Option<RodId> {
        let rods = &self.scene.rods;
        let at = rods.binary_search_by_key(&slot, |rod| rod.id.index()).ok()?;
        Some(rods[at].id)
    }

    /// Who meets at a key of these sides. `None` for a rod and itself.
    fn pair_of(&self, first: u32, second: u32) -> Option<(RodId, Neighbor)> {
        let rod = self.name_of(first)?;
        if second & MARK != 0 {
            return Some((rod, Neighbor::Collider(self.colliders.name(second & !MARK))));
        }
        let other = self.name_of(second)?;
        (rod != other).then(|| (rod.min(other), Neighbor::Rod(rod.max(other))))
    }

    fn touched(&self, rod: RodId, touch: &Touch, impulse: f64) -> Event {
        let [first, element, other, part] = touch.key;
        let element = self.segment_at(first, element);
        let swapped = first != rod.index();
        Event::Touched {
            rod,
            segment: if swapped { part } else { element },
            other: if other & MARK != 0 {
                Touched::Collider(self.colliders.name(other & !MARK))
            } else {
                let slot = if swapped { first } else { other };
                Touched::Rod {
                    rod: self.name_of(slot).unwrap_or(rod),
                    segment: if swapped { element } else { part },
                }
            },
            point: touch.place,
            normal: if swapped { -touch.normal } else { touch.normal },
            impulse,
        }
    }

    /// The segment of an element of a key; where a vertex touches, one that ends there.
    pub fn segment_at(&self, slot: u32, element: u32) -> u32 {
        if element & MARK == 0 {
            return element;
        }
        let vertex = element & !MARK;
        let rod = self.name_of(slot).and_then(|id| self.rod_of(id));
        let at = rod.and_then(|rod| {
            let segments = self.scene.rods[rod].description.segments();
            segments.iter().position(|s| s.tail == vertex || s.head == vertex)
        });
        at.unwrap_or(0) as u32
    }
}
