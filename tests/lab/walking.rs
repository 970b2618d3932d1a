//! The slinky walks: end over end, step after step, by itself.

use glam::DVec3;

use crate::scenes::{
    Stage,
    builtin::stairs::{Stairs, stairs},
};

#[test]
fn a_slinky_walks_down_stairs() {
    let numbers = Stairs::default();
    let mut stage = Stage::new(&stairs(&numbers)).expect("a sound scene");
    let id = stage.ids().next().expect("the slinky");
    let points = |stage: &Stage| -> Vec<DVec3> {
        let rod = stage.world.rod(id).expect("the slinky");
        (0..rod.description().vertices().len())
            .map(|v| rod.position(v))
            .collect()
    };
    // Which end is ahead, of those that were so by a coil's radius: a walk goes end over end.
    let (mut ahead, mut turns) = (None, 0);
    for frame in 0..180 {
        stage.advance().expect("a sound step");
        let points = points(&stage);
        let lead = points[points.len() - 1].x - points[0].x;
        if lead.abs() > numbers.coil {
            let last = lead > 0.0;
            turns += u32::from(ahead.is_some_and(|was| was != last));
            ahead = Some(last);
        }
        for point in &points {
            // Of the step below, and of the one behind, whose edge is at the same place: nothing is deeper than a tenth of the wire's radius.
            let step = (point.x / numbers.along + 0.5)
                .floor()
                .clamp(0.0, f64::from(numbers.steps));
            let above = point.y + step * numbers.down;
            let behind = (point.x - (step - 0.5) * numbers.along).max(0.0);
            assert!(
                above > 0.89 * numbers.wire || step > 0.0 && behind < numbers.wire,
                "frame {frame}: {point} is in step {step}"
            );
            assert!(
                point.z.abs() < numbers.half_width(),
                "frame {frame}: {point} leaves the stairs"
            );
        }
    }
    let points = points(&stage);
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let went = (middle.x / numbers.along, -middle.y / numbers.down);
    println!(
        "the slinky went {:.2} steps along, {:.2} down, over {turns} times",
        went.0, went.1
    );
    // The hand made one step; about two seconds are left, and a step takes a little over half a second.
    assert!(went.0 > 3.0 && went.1 > 2.5, "{went:?}");
    assert!(turns >= 2, "end over end {turns} times");
}
