//! What a world does about contact.

use serde::{Deserialize, Serialize};

/// How contact is solved. Everything has a default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ContactSettings {
    /// The most iterations of a substep for rods that touch something. They stop when nothing moves any more.
    pub iterations: u32,
    /// What strands do that meet on a grid: see [`HairCollision::Grid`](crate::state::HairCollision).
    pub hair: HairGrid,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            iterations: 24,
            hair: HairGrid::default(),
        }
    }
}

/// The grid on which strands of [`HairCollision::Grid`](crate::state::HairCollision) meet. Everything has a default.
///
/// Strands give mass, volume and momentum to the nodes of a grid that stands in space. Where hair is denser than `packing` it presses apart, and everywhere it rubs: strands go along with the hair
/// around them, the more the denser it is. Both keep momentum. Friction never adds energy; pressure gives back at most what pressing hair together has cost. No strand is kept from passing
/// another: what is kept is the volume of all.
///
/// Nothing depends on how many segments a strand has, as long as they are shorter than eight cells, and any length of step is stable. A turn of a whole groom is braked a little
/// by friction, since velocities are compared across a cell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HairGrid {
    /// Size of a cell, m. A few strands should go through a cell, and a few cells through the groom: 2 cm suits the strands of a head.
    pub cell: f32,
    /// The share of space that hair fills, by the radii of the strands, from which on it presses: 0.05 is a thick head of hair.
    pub packing: f32,
    /// How many hairs a strand stands for: where a thousand strands lead a hundred thousand hairs, each fills a hundred times its own volume.
    pub hairs: f32,
    /// How hard hair presses where it is too dense: the speed of sound in it, m/s. Under its own weight hair of height `H` is denser by `gH/speed²` at the bottom than it is packed. 0 turns pressure off.
    pub speed: f32,
    /// How fast packed hair takes on the velocity of the hair around it, 1/s; in half as dense hair half as fast. 0 turns friction off.
    pub friction: f32,
}

impl Default for HairGrid {
    fn default() -> Self {
        Self {
            cell: 0.02,
            packing: 0.05,
            hairs: 1.0,
            speed: 5.0,
            friction: 5.0,
        }
    }
}
