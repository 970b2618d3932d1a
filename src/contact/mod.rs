//! What rods touch: each other, themselves, and shapes.

pub mod broad;
