//! Scenes: what to simulate, written once and used by the `lab` example, the tests and the benches.
//!
//! A [`Scene`] is plain data (rods, actions at times, probes, settings). It comes from a file
//! ([`file`], described in `docs/scenes.md`) or from a generator in [`builtin`]; [`Stage`] puts it into a
//! [`lariat::RodWorld`], and [`runner`] plays it and measures.
//!
//! Users include this module with `#[path = "../examples/scenes/mod.rs"] mod scenes;`.

// Every user of this module takes a part of it; what one leaves another uses.
#![allow(dead_code, unused_imports)]

pub mod bodies;
pub mod builtin;
pub mod check;
pub mod curves;
pub mod file;
pub mod locate;
pub mod names;
pub mod random;
pub mod runner;
pub mod scene;
pub mod script;
pub mod shapes;
pub mod stage;
pub mod timeline;
pub mod topology;
pub mod watch;

pub use check::SceneError;
pub use runner::{Overrides, Run, RunError, run};
pub use scene::{Copies, Layout, Pose, Scene, SceneRod};
pub use script::{Act, Action, Index, Probe, What};
pub use shapes::SceneShape;
pub use stage::Stage;
