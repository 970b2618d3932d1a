//! The built-in scenes, one file each, with parameters so that tests and benches can vary the numbers.
//!
//! Paper 1's scenes take the numbers that its authors run, those of paper 5 what its figures show; the game scenes S1–S4 are those on which rope solvers are
//! compared. Scenes that a recipe can express hold recipes; the others wire a graph and hold its description.

pub mod bridge;
pub mod bridge_ball;
pub mod cantilever;
pub mod contact;
pub mod flipped_frames;
pub mod generalized_alpha;
pub mod groom;
pub mod hair;
pub mod helix_spring;
pub mod knit;
pub mod net;
pub mod random_pose;
pub mod rope;
pub mod show;
pub mod slingshot;
pub mod slinky;
pub mod slinky_curls;
pub mod stairs;
pub mod tree_growth;
pub mod trees;
pub mod twist_loop;
pub mod twisted_cable;

use lariat::prelude::RodError;

use super::scene::Scene;

/// A scene that `lab list` shows.
pub struct Entry {
    /// What `lab run` calls it.
    pub name: &'static str,
    /// Makes it with its standard numbers.
    pub build: fn() -> Result<Scene, RodError>,
}

/// All built-in scenes.
pub const ALL: &[Entry] = &[
    Entry {
        name: "show",
        build: show::show,
    },
    Entry {
        name: "cantilever",
        build: || Ok(cantilever::paper(&Default::default())),
    },
    Entry {
        name: "cantilever_s3",
        build: || Ok(cantilever::own_weight(32)),
    },
    Entry {
        name: "hanging_rope",
        build: || Ok(rope::hanging(&Default::default())),
    },
    Entry {
        name: "loaded_rope",
        build: || Ok(rope::loaded(&Default::default(), 100.0, 0.0)),
    },
    Entry {
        name: "loaded_rope_steel",
        build: || {
            let scene = rope::loaded(&rope::Rope::steel(), 1000.0, 0.0);
            Ok(Scene {
                name: "loaded_rope_steel".to_owned(),
                ..scene
            })
        },
    },
    Entry {
        name: "loaded_rope_tilted",
        build: || Ok(rope::loaded(&Default::default(), 100.0, 5.0)),
    },
    Entry {
        name: "ropes",
        build: || Ok(rope::many([40, 25])),
    },
    Entry {
        name: "pile",
        build: || Ok(contact::pile(50)),
    },
    Entry {
        name: "knot",
        build: || Ok(contact::knot()),
    },
    Entry {
        name: "bar",
        build: || Ok(contact::bar(0.1)),
    },
    Entry {
        name: "bridge_ball",
        build: || Ok(bridge_ball::bridge_ball(&Default::default())),
    },
    Entry {
        name: "stairs",
        build: || Ok(stairs::stairs(&Default::default())),
    },
    Entry {
        name: "plectoneme",
        build: || Ok(contact::plectoneme(8.0)),
    },
    Entry {
        name: "knit",
        build: || Ok(knit::Knit::default().scene()),
    },
    Entry {
        name: "helix_spring",
        build: || Ok(helix_spring::helix_spring(&Default::default())),
    },
    Entry {
        name: "slinky",
        build: || Ok(slinky::slinky(&Default::default())),
    },
    Entry {
        name: "slingshot",
        build: slingshot::slingshot,
    },
    Entry {
        name: "trees",
        build: || trees::trees(&Default::default()),
    },
    Entry {
        name: "bridge",
        build: || bridge::bridge(&Default::default()),
    },
    Entry {
        name: "bridge_storm",
        build: || bridge::bridge(&bridge::Bridge::storm()),
    },
    Entry {
        name: "twisted_cable",
        build: || Ok(twisted_cable::twisted_cable(&Default::default())),
    },
    Entry {
        name: "twist_loop",
        build: || Ok(twist_loop::twist_loop(&Default::default())),
    },
    Entry {
        name: "random_pose",
        build: || Ok(random_pose::random_pose(&Default::default())),
    },
    Entry {
        name: "slinky_curls",
        build: || Ok(slinky_curls::slinky_curls(&Default::default())),
    },
    Entry {
        name: "net",
        build: || net::net(&Default::default()),
    },
    Entry {
        name: "flipped_frames",
        build: || flipped_frames::flipped_frames(&Default::default()),
    },
    Entry {
        name: "groom",
        build: || Ok(groom::groom(&Default::default())),
    },
    Entry {
        name: "hair",
        build: || Ok(hair::hair(&Default::default())),
    },
    Entry {
        name: "alpha_sinus",
        build: || Ok(generalized_alpha::sinus()),
    },
    Entry {
        name: "alpha_helix",
        build: || Ok(generalized_alpha::helix()),
    },
    Entry {
        name: "alpha_torque",
        build: || Ok(generalized_alpha::torque()),
    },
    Entry {
        name: "alpha_spring",
        build: || Ok(generalized_alpha::spring()),
    },
    Entry {
        name: "alpha_buckling",
        build: || Ok(generalized_alpha::buckling()),
    },
    Entry {
        name: "alpha_tress_pulled",
        build: || Ok(generalized_alpha::tress_pulled()),
    },
    Entry {
        name: "alpha_tress",
        build: || Ok(generalized_alpha::tress_weights()),
    },
];

/// A built-in scene by name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}
