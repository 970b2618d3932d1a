//! spins
