//! Tables of four floats and the indices into them: how a coloured graph fills the lanes.

use bytemuck::{Pod, Zeroable};

use super::LANES;

/// A vector or a quaternion of one element. Four floats, so that a lane reads it in one load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Float4(pub [f32; 4]);

/// Eight indices into a table, with the largest kept so that a gather checks its bounds once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Slots {
    index: [u32; LANES],
    largest: u32,
}

impl Slots {
    /// From the index of each lane.
    pub fn new(index: [u32; LANES]) -> Self {
        let largest = index.into_iter().fold(0, u32::max);
        Self { index, largest }
    }

    /// The index of each lane.
    #[inline(always)]
    pub fn index(&self) -> &[u32; LANES] {
        &self.index
    }

    /// The largest of them.
    #[inline(always)]
    pub fn largest(&self) -> usize {
        self.largest as usize
    }
}
