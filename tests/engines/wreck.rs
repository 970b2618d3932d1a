//! wreck
