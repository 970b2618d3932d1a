//! Bodies on ropes over time: pendulums, spins, mass ratios, energy.
