//! The README shows programs that exist: its doc-tests run, and what it quotes is what the example says.

use std::{fs, path::Path};

#[test]
fn the_bevy_program_is_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("the file is there");
    let example = read("examples/bevy_rope.rs");
    assert!(
        read("README.md").contains(&format!("```rust,ignore\n{example}```")),
        "copy examples/bevy_rope.rs into the README"
    );
}

#[test]
fn the_first_rope_is_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| fs::read_to_string(root.join(name)).expect("the file is there");
    let example = read("examples/bevy/first_rope.rs");
    let (_, program) = example.split_once("\n\n").expect("a head, and a program");
    assert!(
        read("README.md").contains(&format!("```rust,ignore\n{program}```")),
        "copy examples/bevy/first_rope.rs into the README"
    );
}
