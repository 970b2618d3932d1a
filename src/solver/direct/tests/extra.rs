//! The diagonal blocks that further stages fill.

use bytemuck::Zeroable;
use glam::{DVec3, Vec3};

use crate::{prelude::*, state::rows::ExtraRow};

const TIP: usize = 8;

fn hanging() -> (RodWorld, RodId) {
    let rope = RodSpec::new(Shape::line(DVec3::ZERO, -DVec3::Y, TIP as u32))
        .material(Material::rigidity(1e4, 1e4, 0.01, 0.01, 0.5))
        .pin(0)
        .build()
        .expect("a sound rope");
    let mut world = RodWorld::new(Settings {
        threads: Some(1),
        ..Settings::default()
    })
    .expect("sound settings");
    let id = world.insert(rope).expect("a sound rod");
    (world, id)
}

fn tip_after(world: &mut RodWorld, id: RodId, frames: u32) -> DVec3 {
    for _ in 0..frames {
        world.step(1.0 / 60.0).expect("a sound step");
    }
    world.rod(id).expect("the rod is there").position(TIP)
}

/// What is added to the tip.
fn extra(world: &mut RodWorld) -> &mut ExtraRow {
    let block = world.blocks[0].as_mut().expect("the rod's block");
    block.extra.resize(block.vertices.len(), ExtraRow::zeroed());
    &mut block.extra[TIP]
}

#[test]
fn a_gradient_is_a_force() {
    let force = Vec3::new(3.0, 0.0, 1.0);
    let (mut pushed, id) = hanging();
    pushed
        .rod_mut(id)
        .expect("the rod")
        .set_force(TIP, force)
        .expect("a sound force");
    let (mut added, other) = hanging();
    for (row, value) in extra(&mut added).gradient.iter_mut().zip(force.to_array()) {
        row.0[0] = -value;
    }
    // The same equations but for the rounding of the force to an acceleration in single precision.
    let (a, b) = (tip_after(&mut pushed, id, 40), tip_after(&mut added, other, 40));
    assert!(a.x > 0.1 && a.distance(b) < 1e-5, "{a} {b}");
}

#[test]
fn a_hessian_holds() {
    // 1e7 N/m against each increment: the tip creeps by the rope's pull over that stiffness, 5 N / 1e7 N/m a frame.
    let (mut world, id) = hanging();
    for axis in 0..3 {
        extra(&mut world).hessian[axis].0[0] = 1e7;
    }
    let start = world.rod(id).expect("the rod").position(TIP);
    let end = tip_after(&mut world, id, 60);
    assert!(start.distance(end) < 60.0 * 1e-6, "{start} {end}");
    let (mut loose, id) = hanging();
    loose
        .rod_mut(id)
        .expect("the rod")
        .set_force(TIP, Vec3::X)
        .expect("a sound force");
    assert!(tip_after(&mut loose, id, 60).distance(start) > 0.01);
}
