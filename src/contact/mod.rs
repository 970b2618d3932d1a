//! What rods touch: each other, themselves, and shapes.

#[allow(dead_code, unused_imports, reason = "the step does not ask for it yet")]
pub(crate) mod shape;
