//! Rods tied to bodies of rapier3d.

#[path = "../engines/mod.rs"]
mod engines;

mod engine;

/// Every scene that an adapter has to play, as a test of its own.
macro_rules! plays {
    ($($room:ident: $($scene:ident),+;)+) => {
        $($(
            #[test]
            fn $scene() {
                engines::$room::$scene::<engine::Rapier>();
            }
        )+)+
    };
}

plays! {
    loads: a_load_hangs_still, a_load_swings_as_a_pendulum, great_differences_of_mass_are_stable,
        the_energy_of_a_rope_and_its_load_does_not_grow, a_load_hangs_on_stable_cosserat;
}
