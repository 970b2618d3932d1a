//! The way out of a block of voxels.
//!
//! A voxel in the middle of others has no surface of its own, so that the depth of a point is its distance from the nearest empty cell.

use glam::{DVec3, IVec3};
use parry3d::shape::Voxels;

use super::nearest::Nearest;
use super::parts::voxel_core;

/// How many cells to look ahead for an empty one, along the axes; nobody looks for the nearest way out from deeper than that.
const FAR: i32 = 64;
/// Within how many cells empty cells off the axes are looked at too.
const NEAR: f64 = 3.0;

/// The nearest place of the surface, and the number of the voxel that a point is in; `None` for a point in an empty cell.
pub(super) fn from_inside(voxels: &Voxels, point: DVec3) -> Option<(u32, Nearest)> {
    let size = voxels.voxel_size().as_dvec3();
    let cell = point / size;
    // Farther out there are no cells to count.
    if cell.abs().max_element() > 1e9 {
        return None;
    }
    let home = cell.floor().as_ivec3();
    let filled = |key: IVec3| voxels.voxel_state(key).is_some_and(|state| !state.is_empty());
    if !filled(home) {
        return None;
    }
    let number = voxels.linear_index(home)?.flat_id() as u32;
    let mut best: Option<Nearest> = None;
    let mut consider = |key: IVec3| {
        let empty = voxel_core(size, key.to_array()).nearest(point);
        // On the rim of an empty cell the way out is the way into it.
        if best.is_none_or(|b| empty.distance < -b.distance) {
            best = Some(Nearest {
                point: empty.point,
                normal: -empty.normal,
                distance: -empty.distance,
                within_face: false,
            });
        }
        best.map_or(0.0, |b| -b.distance)
    };
    let mut depth = f64::INFINITY;
    for axis in [IVec3::X, IVec3::Y, IVec3::Z] {
        for step in [axis, -axis] {
            if let Some(n) = (1..=FAR).find(|n| !filled(home + step * *n)) {
                depth = consider(home + step * n);
            }
        }
    }
    if depth < NEAR * size.min_element() {
        let low = ((point - depth) / size).floor().as_ivec3();
        let high = ((point + depth) / size).floor().as_ivec3();
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let key = IVec3::new(x, y, z);
                    if !filled(key) {
                        consider(key);
                    }
                }
            }
        }
    }
    let found = best.unwrap_or_else(|| voxel_core(size, home.to_array()).nearest(point));
    Some((number, found))
}
