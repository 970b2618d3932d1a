//! The built-in scenes: the paper's sizes and numbers, and that every one of them plays.

use crate::scenes::{
    self, Overrides, Scene,
    builtin::{self, bridge, groom, hair, rope, slinky, trees},
    run,
};

pub fn built_in(name: &str) -> Scene {
    let entry = builtin::find(name).expect(name);
    (entry.build)().expect(name)
}

/// Vertices, segments, joints, pinned vertices and held segments.
fn counts(scene: &Scene) -> [usize; 5] {
    let rods = scenes::check::resolve(scene).expect("a built-in scene is right");
    let mut sum = [0; 5];
    for (rod, entry) in rods.iter().zip(&scene.rods) {
        let copies = entry.copies.as_ref().map_or(1, scenes::check::count);
        let of_rod = [
            rod.vertices().len(),
            rod.segments().len(),
            rod.joints().len(),
            rod.pins().len(),
            rod.held_segments().len(),
        ];
        for (total, count) in sum.iter_mut().zip(of_rod) {
            *total += count * copies;
        }
    }
    sum
}

#[test]
fn built_in_scenes_have_the_sizes_of_the_paper() {
    assert_eq!(counts(&built_in("cantilever")), [11, 10, 9, 1, 1]);
    assert_eq!(counts(&built_in("slingshot")), [44, 46, 47, 6, 1]);
    assert_eq!(counts(&built_in("bridge")), [2208, 2298, 347, 8, 2]);
    assert_eq!(counts(&built_in("slinky")), [2881, 2880, 2879, 2, 2]);
    let [vertices, segments, joints, pins, held] = counts(&built_in("trees"));
    assert_eq!([vertices, segments, pins, held], [9948, 9945, 3, 3]);
    // Our growth branches a little more often than the authors' (12,254).
    assert!((12_200..13_500).contains(&joints), "{joints}");
    assert_eq!(counts(&built_in("ropes"))[..2], [33_000, 32_000]);
    assert_eq!(counts(&built_in("groom"))[..2], [320_000, 310_000]);
}

#[test]
fn the_slinky_and_the_trees_have_the_authors_numbers() {
    let points = slinky::Slinky::default().points();
    let turn: f64 = points[..44]
        .windows(2)
        .map(|p| (p[1] - p[0]).with_z(0.0).length())
        .sum();
    assert!((turn - 1.725).abs() < 1e-9, "{turn}");
    let lengths: Vec<f64> = points.windows(2).map(|p| p[0].distance(p[1])).collect();
    let [low, high] = [f64::min, f64::max].map(|pick| lengths.iter().copied().reduce(pick).unwrap_or(0.0));
    assert!(
        (low - 0.0255).abs() < 5e-4 && (high - 0.0603).abs() < 5e-4,
        "{low} {high}"
    );

    let scene = trees::trees(&trees::Trees {
        count: 1,
        ..Default::default()
    })
    .expect("a tree");
    let tree = scenes::check::resolve(&scene).expect("a tree")[0].clone();
    let stretch: Vec<f64> = tree.segments().iter().map(|s| s.axial * s.rest_length).collect();
    let bend: Vec<f64> = tree.joints().iter().map(|j| 4.0 * j.torsion / j.length).collect();
    for (values, low, high) in [(stretch, 4e3, 1.3e7), (bend, 400.0, 4.2e8)] {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        assert!(
            (least / low - 1.0).abs() < 0.05 && (most / high - 1.0).abs() < 0.1,
            "{least} {most}"
        );
    }
}

#[test]
fn every_built_in_scene_plays() {
    for entry in builtin::ALL {
        let scene = match entry.name {
            // The large ones in small: sizes are tested above.
            "groom" => groom::groom(&groom::Groom {
                strands: 50,
                ..Default::default()
            }),
            "hair" => hair::hair(&hair::Hair {
                strands: 50,
                ..Default::default()
            }),
            "ropes" => rope::many([4, 3]),
            "trees" => trees::trees(&trees::Trees {
                count: 1,
                ..Default::default()
            })
            .expect("a tree"),
            "bridge_storm" => bridge::bridge(&bridge::Bridge {
                break_strain: 1e-6,
                ..Default::default()
            })
            .expect("a bridge"),
            name => built_in(name),
        };
        assert!(!scene.about.is_empty() && scene.about.ends_with('.'), "{}", entry.name);
        let few = Overrides {
            frames: Some(2),
            substeps: Some(scene.substeps.min(8)),
            ..Overrides::default()
        };
        let run = run(&scene, &few, |_| {}).expect(entry.name);
        assert_eq!(run.report.events.quarantined, 0, "{}", entry.name);
        assert!(
            run.report.energy.end.is_finite() && run.report.stretch.max.is_finite(),
            "{}",
            entry.name
        );
        if entry.name == "bridge_storm" {
            assert!(run.report.events.broke > 0, "a bridge of glass breaks");
        } else {
            assert_eq!(run.report.scene, entry.name);
        }
    }
}
