//! Whether the rows of a block that came from outside are such as a world could have.

use crate::{
    math::lanes::{LANES, Row, VectorRow},
    state::{
        block::Block,
        rows::{ExtraRow, HistoryRow, JointRow, SegmentRow, TwistRow, VertexRow},
    },
};

/// Largest coordinate or speed that a solver leaves a rod with: beyond it the rod is quarantined.
const LARGEST: f32 = 1e37;
/// Orientations are of unit length to the rounding of `f32`, with room for what a solver leaves.
const UNIT: f32 = 1e-3;

/// The first kind of rows that is not sound.
pub(super) fn check(block: &Block) -> Result<(), &'static str> {
    let fields = [
        ("vertices", block.vertices.iter().all(vertex)),
        ("segments", block.segments.iter().all(segment)),
        ("joints", block.joints.iter().all(joint)),
        ("softness", block.softness.iter().flatten().all(finite)),
        ("drag", not_negative(&block.drag)),
        ("torque", block.torque.iter().all(vector)),
        ("extra", block.extra.iter().all(extra)),
        ("history", block.history.iter().all(history)),
        ("history_step", not_negative(&block.history_step)),
        ("spin", block.spin.iter().all(vector)),
        ("alpha_nodes", doubles(&block.alpha_nodes)),
        ("alpha_starts", doubles(&block.alpha_starts)),
        ("twists", block.twists.iter().all(twist)),
    ];
    match fields.iter().find(|(_, sound)| !sound) {
        Some((field, _)) => Err(field),
        None => Ok(()),
    }
}

fn vertex(row: &VertexRow) -> bool {
    let VertexRow {
        position,
        residual,
        velocity,
        mass,
        free,
        falling,
    } = row;
    // What has no mass does not move by itself.
    let carried = (0..LANES).all(|lane| free.0[lane] == 0.0 || mass.0[lane] > 0.0);
    vector(position)
        && vector(residual)
        && vector(velocity)
        && not_negative(mass)
        && flags(free)
        && carried
        && share(falling)
}

fn segment(row: &SegmentRow) -> bool {
    let SegmentRow {
        orientation,
        rest_length,
        axial,
        shear,
        relaxation,
        held,
        strain_limit,
    } = row;
    unit(orientation)
        && rest_length.0.iter().all(|length| length.is_finite() && *length > 0.0)
        && [axial, shear, relaxation].into_iter().all(not_negative)
        && flags(held)
        && strain_limit.0.iter().all(|limit| !limit.is_nan())
}

fn joint(row: &JointRow) -> bool {
    let JointRow {
        rest,
        stiffness,
        relaxation,
    } = row;
    unit(rest) && not_negative(stiffness) && not_negative(relaxation)
}

fn extra(row: &ExtraRow) -> bool {
    let ExtraRow { gradient, hessian } = row;
    vector(gradient) && hessian.iter().all(finite)
}

fn history(row: &HistoryRow) -> bool {
    let HistoryRow { increment, velocity } = row;
    vector(increment) && vector(velocity)
}

/// Numbers whose squares are numbers.
fn doubles<T: bytemuck::Pod>(rows: &[T]) -> bool {
    let values: &[f64] = bytemuck::cast_slice(rows);
    values.iter().all(|value| value.abs() < 1e150)
}

fn twist(row: &TwistRow) -> bool {
    let TwistRow { residual, twist } = row;
    [residual, twist]
        .into_iter()
        .flat_map(|row| row.0)
        .all(|value| value.abs() < LARGEST)
}

fn vector(rows: &VectorRow) -> bool {
    rows.iter().flat_map(|row| row.0).all(|value| value.abs() < LARGEST)
}

fn unit(rows: &[Row; 4]) -> bool {
    (0..LANES).all(|lane| {
        let size: f32 = rows.iter().map(|row| row.0[lane] * row.0[lane]).sum();
        (size - 1.0).abs() < UNIT
    })
}

fn finite(row: &Row) -> bool {
    row.0.iter().all(|value| value.is_finite())
}

fn not_negative(row: &Row) -> bool {
    row.0.iter().all(|value| value.is_finite() && *value >= 0.0)
}

fn share(row: &Row) -> bool {
    row.0.iter().all(|value| (0.0..=1.0).contains(value))
}

fn flags(row: &Row) -> bool {
    row.0.iter().all(|&value| value == 0.0 || value == 1.0)
}
