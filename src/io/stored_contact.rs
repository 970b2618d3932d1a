//! Contact as it is stored: bits, and no shapes.
//!
//! Shapes belong to the host's level: they may be large, may be of the host's own making, and the level brings them anyway. What is stored of a collider is all the rest.

use glam::{DQuat, DVec3};
use parry3d::shape::SharedShape;
use serde::{Deserialize, Serialize};

use super::SnapshotError;
use crate::{
    contact::{
        Collider, Kept,
        collider::{Colliders, Placed, Slot},
        lead::Behind,
        meet::Meeting,
        shape::Pose,
        touch::Remembered,
    },
    coupling::BodyId,
    state::CollisionLayers,
};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredContact {
    colliders: Vec<StoredSlot>,
    free: Vec<u32>,
    remembered: Vec<StoredTouch>,
    meetings: Vec<Meeting>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredSlot {
    generation: u32,
    collider: Option<StoredCollider>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCollider {
    /// Position and rotation: where it was, and where it goes.
    from: [u64; 7],
    to: [u64; 7],
    friction: u64,
    layers: CollisionLayers,
    /// Rods held it up: where it should have been, and the pace at which it was led.
    #[serde(default)]
    behind: Option<([u64; 7], [u64; 2])>,
    #[serde(default)]
    body: Option<BodyId>,
    #[serde(default)]
    touches_tied: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredTouch {
    key: [u32; 4],
    joules: u64,
    held: [u64; 3],
    force: u64,
    deeper: u64,
    gentle: bool,
}

fn bits_of(position: DVec3, rotation: DQuat) -> [u64; 7] {
    let ([x, y, z], [a, b, c, d]) = (position.to_array(), rotation.to_array());
    [x, y, z, a, b, c, d].map(f64::to_bits)
}

fn pose_of(bits: [u64; 7]) -> Option<Pose> {
    let [x, y, z, a, b, c, d] = bits.map(f64::from_bits);
    let pose = Pose {
        position: DVec3::new(x, y, z),
        rotation: DQuat::from_xyzw(a, b, c, d),
    };
    let sound = pose.position.is_finite() && pose.rotation.is_finite() && pose.rotation.is_normalized();
    sound.then_some(pose)
}

impl From<&Kept> for StoredContact {
    fn from(kept: &Kept) -> Self {
        let Kept {
            colliders,
            shapeless: _, // None has a shape in a file.
            remembered,
            meetings,
        } = kept;
        let collider = |placed: &Placed| StoredCollider {
            from: bits_of(placed.from.position, placed.from.rotation),
            to: bits_of(placed.collider.position, placed.collider.rotation),
            behind: (placed.behind)
                .map(|Behind { aimed, pace }| (bits_of(aimed.position, aimed.rotation), pace.map(f64::to_bits))),
            friction: placed.collider.friction.to_bits(),
            layers: placed.collider.layers,
            body: placed.collider.body,
            touches_tied: placed.collider.touches_tied,
        };
        let slot = |slot: &Slot| StoredSlot {
            generation: slot.generation,
            collider: slot.placed.as_ref().map(collider),
        };
        let touch = |known: &Remembered| StoredTouch {
            key: known.key,
            joules: known.joules.to_bits(),
            held: known.held.to_array().map(f64::to_bits),
            force: known.force.to_bits(),
            deeper: known.deeper.to_bits(),
            gentle: known.gentle,
        };
        Self {
            colliders: colliders.slots.iter().map(slot).collect(),
            free: colliders.free.clone(),
            remembered: remembered.iter().map(touch).collect(),
            meetings: meetings.clone(),
        }
    }
}

impl StoredContact {
    pub fn open(self) -> Result<Kept, SnapshotError> {
        let bad = |element, field, index: usize| SnapshotError::Invalid { field, element, index };
        let mut kept = Kept::default();
        for (index, slot) in self.colliders.into_iter().enumerate() {
            let placed = slot.collider.map(|stored| {
                let from = pose_of(stored.from).ok_or(bad("collider", "from", index))?;
                let to = pose_of(stored.to).ok_or(bad("collider", "to", index))?;
                let friction = f64::from_bits(stored.friction);
                if !(friction >= 0.0 && friction.is_finite()) {
                    return Err(bad("collider", "friction", index));
                }
                let behind = stored.behind.map(|(aimed, pace)| {
                    let pace = pace.map(f64::from_bits);
                    let sound = pace.iter().all(|pace| *pace >= 0.0 && pace.is_finite());
                    let aimed = pose_of(aimed).filter(|_| sound);
                    aimed.map(|aimed| Behind { aimed, pace })
                });
                if behind.is_some_and(|behind| behind.is_none()) {
                    return Err(bad("collider", "behind", index));
                }
                let behind = behind.flatten();
                kept.shapeless.push(index as u32);
                let collider = Collider {
                    // Stands for one that is to come.
                    shape: SharedShape::ball(0.0),
                    position: to.position,
                    rotation: to.rotation,
                    body: stored.body,
                    touches_tied: stored.touches_tied,
                    friction,
                    layers: stored.layers,
                };
                // A body is asked for again: it may be elsewhere. A shape that it left behind is where it was.
                Ok(Placed {
                    from,
                    behind,
                    here: stored.body.is_none() || behind.is_some(),
                    ..Placed::new(collider)
                })
            });
            let (generation, placed) = (slot.generation, placed.transpose()?);
            kept.colliders.slots.push(Slot { generation, placed });
        }
        let Colliders { slots, free } = &mut kept.colliders;
        let is_free = |slot: usize| slots.get(slot).is_some_and(|slot| slot.placed.is_none());
        super::snapshot::each_once(&self.free, is_free).map_err(|index| bad("collider", "free", index))?;
        *free = self.free;
        for (index, touch) in self.remembered.into_iter().enumerate() {
            let known = Remembered {
                joules: f64::from_bits(touch.joules),
                held: DVec3::from_array(touch.held.map(f64::from_bits)),
                force: f64::from_bits(touch.force),
                deeper: f64::from_bits(touch.deeper),
                gentle: touch.gentle,
                ..Remembered::new(touch.key, 0.0)
            };
            let sound = |value: f64| value >= 0.0 && value.is_finite();
            if !(sound(known.joules) && sound(known.force) && sound(known.deeper) && known.held.is_finite()) {
                return Err(bad("touch", "remembered", index));
            }
            if kept.remembered.last().is_some_and(|last| last.key >= known.key) {
                return Err(bad("touch", "key", index));
            }
            kept.remembered.push(known);
        }
        if !self.meetings.is_sorted_by(|a, b| a.pair() < b.pair()) {
            return Err(bad("touch", "meetings", 0));
        }
        kept.meetings = self.meetings;
        Ok(kept)
    }
}
