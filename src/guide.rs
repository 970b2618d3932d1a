// Pages link to chapters by name. Definitions before the text lead to modules; those in the text lead from file to file, and count where nobody came before them.
#![doc = include_str!("guide_links.md")]
#![doc = ""]
#![doc = include_str!("../docs/guide/README.md")]

macro_rules! chapter {
    ($name:ident, $file:literal, $reference:literal) => {
        #[doc = include_str!("guide_links.md")]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/guide/", $file))]
        #[doc = "\n## In the reference\n"]
        #[doc = $reference]
        pub mod $name {}
    };
}

chapter!(
    first_rope,
    "first_rope.md",
    "[`RodSpec`](crate::rod::RodSpec), [`Shape`](crate::rod::Shape), [`RodWorld`](crate::state::RodWorld), [`RodRef`](crate::state::RodRef), [`Settings`](crate::solver::Settings)."
);
chapter!(
    bodies,
    "bodies.md",
    "[`HostBodies`](crate::coupling::HostBodies), [`BodyState`](crate::coupling::BodyState), [`AttachmentSpec`](crate::coupling::AttachmentSpec), [`RodPoint`](crate::rod::RodPoint), [`hosts`](crate::hosts)."
);
chapter!(
    solvers,
    "solvers.md",
    "[`Solver`](crate::solver::Solver), [`Integrator`](crate::solver::Integrator), [`RodOptions`](crate::state::RodOptions), [`Settings`](crate::solver::Settings)."
);
chapter!(
    materials,
    "materials.md",
    "[`Material`](crate::rod::Material), [`Preset`](crate::rod::Preset), [`Section`](crate::rod::Section), [`Taper`](crate::rod::Taper), [`RestShape`](crate::rod::RestShape), [`Damping`](crate::rod::Damping)."
);
chapter!(
    contact,
    "contact.md",
    "[`Collider`](crate::contact::Collider), [`ContactSettings`](crate::contact::ContactSettings), [`Contact`](crate::contact::Contact), [`CollisionLayers`](crate::state::CollisionLayers), [`Event`](crate::state::Event)."
);
chapter!(
    controls,
    "controls.md",
    "[`RodMut`](crate::state::RodMut), [`RodWorld::cut`](crate::state::RodWorld::cut), [`RodWorld::reel`](crate::state::RodWorld::reel), [`BreakLimit`](crate::rod::BreakLimit), [`Yield`](crate::rod::Yield), [`Wind`](crate::solver::Wind), [`WindField`](crate::solver::WindField)."
);
chapter!(
    speed,
    "speed.md",
    "[`Settings`](crate::solver::Settings), [`SleepSettings`](crate::state::SleepSettings), [`RodDescription`](crate::rod::RodDescription)."
);
chapter!(
    determinism,
    "determinism.md",
    "[`Arithmetic`](crate::math::lanes::Arithmetic), [`Snapshot`](crate::state::Snapshot), [`Recorder`](crate::io::Recorder), [`Replay`](crate::io::Replay), [`Command`](crate::io::Command)."
);
chapter!(
    drawing,
    "drawing.md",
    "[`TubeMesh`](crate::render::TubeMesh), [`TubeLayout`](crate::render::TubeLayout), [`TubeOptions`](crate::render::TubeOptions), [`DebugLines`](crate::render::DebugLines), [`DebugOptions`](crate::render::DebugOptions)."
);
chapter!(
    porting,
    "porting.md",
    "[`AttachmentSpec`](crate::coupling::AttachmentSpec), [`hosts`](crate::hosts), [`RodWorld`](crate::state::RodWorld)."
);
