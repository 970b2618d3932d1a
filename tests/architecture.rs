//! The map must not rot: every path that ARCHITECTURE.md names exists, and every room of `src/` is on it.

use std::{fs, path::Path};

#[test]
fn paths_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    // Text between backticks that looks like a path: odd pieces of a split at the backtick.
    let paths: Vec<&str> = (text.split('`').skip(1).step_by(2))
        .filter(|name| name.contains('/') && !name.contains(char::is_whitespace))
        .collect();
    assert!(paths.len() > 15, "only {} paths found", paths.len());
    for path in &paths {
        assert!(
            root.join(path).exists(),
            "ARCHITECTURE.md names `{path}`, which does not exist"
        );
    }
    for room in fs::read_dir(root.join("src")).expect("src").flatten() {
        if room.path().is_dir() {
            let name = format!("src/{}/", room.file_name().to_string_lossy());
            assert!(
                paths.contains(&name.as_str()),
                "ARCHITECTURE.md does not mention `{name}`"
            );
        }
    }
}
