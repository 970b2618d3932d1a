//! Where more overlaps than can be parted at once.
//!
//! Around a segment there is room for a few others. Where many are put into the same place, each of them is parted from a few at a time, and the rest has to wait: otherwise the pairs would grow with the
//! square of the segments. What waits overlaps already, or crowds around something that does; segments that have room around them never wait.

use super::{barrier::Band, closest::closest, scene::Scene, stage::Stage};
use crate::state::Event;

/// A segment that overlaps more others than this is crowded, and is parted from so many at a time.
const OVERLAPS: u32 = 8;
/// So many that come near a crowded segment are kept away from it.
const NEIGHBORS: u32 = 16;

/// Of a segment: how many pairs it is in, how many others it overlaps, and how many pairs of either kind are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Crowding {
    pairs: u32,
    overlaps: u32,
    kept_overlaps: u32,
    kept_neighbors: u32,
}

impl Crowding {
    fn is_crowded(&self) -> bool {
        self.overlaps > OVERLAPS
    }
}

impl Stage {
    /// Leave out pairs of crowded segments.
    pub(super) fn thin_out(&mut self) {
        let Self {
            crowds,
            overlaps,
            scene,
            ..
        } = self;
        crowds.clear();
        crowds.resize(scene.ends.len(), Crowding::default());
        for &(a, b) in &self.near {
            for s in [a, b] {
                crowds[s as usize].pairs += 1;
            }
        }
        // Whoever is in few pairs overlaps few.
        overlaps.clear();
        let mut crowded = false;
        for &(a, b) in &self.near {
            let many = [a, b].into_iter().any(|s| crowds[s as usize].pairs > OVERLAPS);
            let overlap = many && scene.overlap(a, b);
            overlaps.push(overlap);
            for s in [a, b] {
                let crowd = &mut crowds[s as usize];
                crowd.overlaps += u32::from(overlap);
                crowded |= crowd.is_crowded();
            }
        }
        let before = self.near.len();
        if crowded {
            let mut overlaps = overlaps.iter();
            self.near.retain(|&(a, b)| {
                let overlap = overlaps.next().is_some_and(|overlap| *overlap);
                let has_room = |s: u32| {
                    let crowd = &crowds[s as usize];
                    let (kept, most) = if overlap {
                        (crowd.kept_overlaps, OVERLAPS)
                    } else {
                        (crowd.kept_neighbors, NEIGHBORS)
                    };
                    kept < most || !crowd.is_crowded()
                };
                let kept = has_room(a) && has_room(b);
                if kept {
                    for s in [a, b] {
                        let crowd = &mut crowds[s as usize];
                        crowd.kept_overlaps += u32::from(overlap);
                        crowd.kept_neighbors += u32::from(!overlap);
                    }
                }
                kept
            });
        }
        let left_out = before - self.near.len() + usize::from(self.broad.overflowed());
        self.left_out = self.left_out.max(u32::try_from(left_out).unwrap_or(u32::MAX));
    }

    /// Say which groups have crowded segments.
    pub(super) fn mark_crowds(&mut self) {
        if self.left_out == 0 {
            return;
        }
        for rod in 0..self.scene.rods.len() {
            let crowded = self.is_crowded(rod);
            if let Some(group) = self.groups.get_mut(self.group_of[rod] as usize) {
                group.crowded |= crowded;
            }
        }
    }

    /// Whether one of a rod's segments is crowded.
    fn is_crowded(&self, rod: usize) -> bool {
        let segments = self.scene.rods[rod].segments.clone();
        self.crowds[segments].iter().any(Crowding::is_crowded)
    }

    /// The step is over: tell if pairs were left out.
    pub(super) fn tell_crowd(&mut self) {
        let left_out = std::mem::take(&mut self.left_out);
        let told = std::mem::replace(&mut self.crowded, left_out > 0);
        if left_out > 0 && !told {
            let rods = 0..self.scene.rods.len();
            let first = rods.into_iter().find(|&rod| self.is_crowded(rod)).unwrap_or(0);
            if let Some(rod) = self.scene.rods.get(first) {
                let rod = rod.id;
                self.meetings.events.push(Event::Crowded { rod, left_out });
            }
        }
    }
}

impl Scene {
    /// Whether two segments start deeper in each other than barriers let them come.
    fn overlap(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|s| self.ends[s as usize].map(|p| p as usize));
        let [places, others] = [a, b].map(|ends| ends.map(|p| self.start[p]));
        let found = closest(places, others);
        let radius = |ends: [usize; 2], along: f64| {
            let [tail, head] = ends.map(|p| self.radius[p]);
            tail + (head - tail) * along
        };
        let radii = [radius(a, found.first), radius(b, found.second)];
        let band = Band::new(radii[0] + radii[1], radii[0].min(radii[1]));
        found.between.length() <= band.inner
    }
}
