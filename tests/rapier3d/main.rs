//! Rods tied to bodies and on colliders of rapier3d.

#[path = "../engines/mod.rs"]
mod engines;

mod adapter;
mod colliders;
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
        the_energy_of_a_rope_and_its_load_does_not_grow, a_load_hangs_on_stable_cosserat,
        a_crate_stands_on_the_ground;
    machines: a_tug_of_war_goes_where_the_net_force_says, atwoods_machine_turns_as_its_energy_says, a_guide_whirls_a_ball;
    spins: a_weld_holds_on_a_spinning_body, a_tie_holds_on_a_spinning_body;
    wreck: a_wrecking_ball_fells_a_stack;
    touching: a_rope_drapes_over_a_block, a_ball_rests_on_two_ropes, a_net_catches_a_ball, a_ball_rolls_over_a_rope_bridge,
        a_led_slab_takes_a_rope_along, a_rope_lies_on_a_crate_on_the_ground, a_tied_rope_may_end_inside_its_ball;
    bridge: a_bridge_of_planks_carries_a_crate, a_bridge_of_planks_is_whole_again_after_a_blow;
}
