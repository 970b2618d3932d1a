//! The guide shows programs that exist: those that plain tests can build are doc-tests of `lariat::guide`; what needs an engine is quoted from an example, which CI builds.

use std::{fs, path::Path};

/// The chapters, with their names.
fn chapters() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide");
    let files = fs::read_dir(folder).expect("the guide").flatten();
    let mut chapters: Vec<(String, String)> = files
        .map(|file| {
            let text = fs::read_to_string(file.path()).expect("a readable chapter");
            (file.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    chapters.sort();
    chapters
}

/// Lines without their indentation, which a quotation may leave out.
fn flat(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// The text without programs.
fn prose(text: &str) -> String {
    text.split("```").step_by(2).collect()
}

/// The last path of an example that a text names.
fn named_example(text: &str) -> Option<&str> {
    text.split('`')
        .rfind(|piece| piece.starts_with("examples/") && piece.ends_with(".rs"))
}

#[test]
fn quotations_are_what_examples_say() {
    let mut quotations = 0;
    for (name, text) in chapters() {
        for (at, _) in text.match_indices("```rust,ignore\n") {
            let body = &text[at + "```rust,ignore\n".len()..];
            let body = &body[..body.find("```").expect("a fence that ends")];
            let example = named_example(&text[..at]).unwrap_or_else(|| panic!("{name} quotes no example: {body}"));
            let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(example)).expect(example);
            assert!(
                flat(&source).contains(flat(body).trim()),
                "{name} quotes {example}, which does not say:\n{body}"
            );
            quotations += 1;
        }
    }
    assert!(quotations > 5, "only {quotations} quotations found");
}

/// A fence of another kind would be a program that nobody compiles.
#[test]
fn every_program_is_compiled_or_quoted() {
    for (name, text) in chapters() {
        let fences = text.lines().map(str::trim).filter_map(|line| line.strip_prefix("```"));
        for kind in fences.step_by(2) {
            assert!(
                ["rust", "rust,ignore", "toml", "sh"].contains(&kind),
                "{name} has a fence ```{kind}"
            );
        }
    }
}

#[test]
fn every_chapter_is_in_the_contents_and_in_the_crate() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path);
    let (contents, module) = (read("docs/guide/README.md"), read("src/guide.rs"));
    let modules = read("src/guide_links.md");
    for (file, text) in chapters().iter().filter(|(file, _)| file != "README.md") {
        let name = file.trim_end_matches(".md");
        assert!(
            contents.contains(&format!("[{name}]: {file}")),
            "{file} is not in the contents"
        );
        assert!(module.contains(&format!("\"{file}\"")), "{file} is not in src/guide.rs");
        // Links go by name, and every name is defined.
        let text = prose(text);
        for link in text.match_indices("][").map(|(at, _)| &text[at + 2..]) {
            let name = &link[..link.find(']').expect("a link that ends")];
            assert!(
                text.contains(&format!("\n[{name}]: {name}.md")),
                "{file} links to `{name}`"
            );
            assert!(
                modules.contains(&format!("[{name}]: crate::guide::{name}")),
                "`{name}` is no module"
            );
        }
    }
}
