//! Finds fields in the text of a scene file: which field a position lies in, and where a field stands.
//!
//! serde tells where parsing stopped but not in which field, and a check of the parsed value knows the field but not
//! the line. This walks over RON and JSON alike (brackets, keys, strings, comments) and notes the span of every
//! field, so that every error can tell both. It is only called once something is wrong, and forgives broken text.

/// Deeper nesting than any scene has; the walk stops there so that hostile text cannot exhaust the stack.
const DEPTH: usize = 64;

/// A field and where it stands, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// `rods[0].rod.shape.segments`; names of enum variants are left out.
    pub path: String,
    /// Where its key begins (or its value, when it has no key).
    pub start: usize,
    /// Where its value ends.
    pub end: usize,
}

/// All fields of a text, outer before inner.
pub fn fields(text: &str) -> Vec<Field> {
    let mut walk = Walk {
        text,
        bytes: text.as_bytes(),
        at: 0,
        found: Vec::new(),
    };
    walk.value("", DEPTH);
    walk.found
}

/// The innermost field around a byte position, "" when there is none.
pub fn field_at(text: &str, position: usize) -> String {
    // Just behind a field still belongs to it, except at the bracket that closes what is around it.
    let closing = matches!(text.as_bytes().get(position), Some(b')' | b']' | b'}'));
    let after = usize::from(!closing);
    fields(text)
        .into_iter()
        .rfind(|field| (field.start..field.end + after).contains(&position))
        .map_or_else(String::new, |field| field.path)
}

/// Where a field begins. When it is not in the text (a default, or a deep part of a resolved rod), where the nearest
/// field around it does.
pub fn position_of(text: &str, path: &str) -> Option<usize> {
    let fields = fields(text);
    let mut path = path;
    loop {
        if let Some(field) = fields.iter().find(|field| field.path == path) {
            return Some(field.start);
        }
        let cut = path.rfind(['.', '['])?;
        path = &path[..cut];
    }
}

/// Line and column, both from 1, of a byte position; columns count characters.
pub fn line_and_column(text: &str, position: usize) -> (usize, usize) {
    let mut position = position.min(text.len());
    while !text.is_char_boundary(position) {
        position -= 1;
    }
    let before = &text[..position];
    let line = before.matches('\n').count() + 1;
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[line_start..].chars().count() + 1)
}

/// The byte position of a line and a column in characters, both from 1.
pub fn position(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = &text[start.min(text.len())..];
    let offset = rest
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(rest.len(), |(i, _)| i);
    start + offset
}

struct Walk<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    found: Vec<Field>,
}

impl Walk<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips white space and comments.
    fn space(&mut self) {
        while let Some(byte) = self.peek() {
            let rest = &self.bytes[self.at..];
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if rest.starts_with(b"//") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if rest.starts_with(b"/*") {
                let end = self.text[self.at..].find("*/");
                self.at = end.map_or(self.bytes.len(), |i| self.at + i + 2);
            } else {
                break;
            }
        }
    }

    /// A string, a word or a number, without its quotes.
    fn atom(&mut self) -> &str {
        let start = self.at;
        if self.peek() == Some(b'"') {
            self.at += 1;
            while let Some(byte) = self.peek() {
                self.at += if byte == b'\\' { 2 } else { 1 };
                if byte == b'"' {
                    break;
                }
            }
            self.at = self.at.min(self.bytes.len());
            return self.text.get(start..self.at).unwrap_or("").trim_matches('"');
        }
        while let Some(byte) = self.peek() {
            if byte.is_ascii_whitespace() || b"()[]{},:\"".contains(&byte) || self.bytes[self.at..].starts_with(b"//") {
                break;
            }
            self.at += 1;
        }
        self.text.get(start..self.at).unwrap_or("")
    }

    /// A key with its colon, if one is next; otherwise nothing is consumed.
    fn key(&mut self) -> Option<String> {
        let start = self.at;
        let key = self.atom().to_owned();
        self.space();
        if !key.is_empty() && self.peek() == Some(b':') {
            self.at += 1;
            Some(key)
        } else {
            self.at = start;
            None
        }
    }

    fn value(&mut self, path: &str, depth: usize) {
        self.space();
        match self.peek() {
            Some(b'[' | b'{') => self.inside(path, depth, false),
            Some(b'(') => self.inside(path, depth, false),
            Some(_) => {
                let named = !self.atom().is_empty();
                let after = self.at;
                self.space();
                if named && self.peek() == Some(b'(') {
                    self.inside(path, depth, true);
                } else {
                    self.at = after;
                }
            }
            None => {}
        }
    }

    /// The fields between brackets. `named` is true for `Some(x)` and `Position(3)`, whose lone value keeps the path.
    fn inside(&mut self, path: &str, depth: usize, named: bool) {
        if depth == 0 {
            self.at = self.bytes.len();
            return;
        }
        self.at += 1;
        let mut index = 0;
        loop {
            self.space();
            match self.peek() {
                None => return,
                Some(b')' | b']' | b'}') => {
                    self.at += 1;
                    return;
                }
                Some(b',' | b':') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let start = self.at;
            let key = self.key();
            let inner = match &key {
                // In JSON a variant's name is a key: {"Line": {…}}. RON has no such step, so neither has the path.
                Some(key) if key.starts_with(char::is_uppercase) => path.to_owned(),
                Some(key) if path.is_empty() => key.clone(),
                Some(key) => format!("{path}.{key}"),
                None if named && index == 0 => path.to_owned(),
                None => format!("{path}[{index}]"),
            };
            let slot = self.found.len();
            self.found.push(Field {
                path: inner.clone(),
                start,
                end: start,
            });
            self.value(&inner, depth - 1);
            self.found[slot].end = self.at;
            index += 1;
            if self.at == start {
                self.at += 1; // A stray character: broken text must not hold the walk.
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RON: &str = "Scene( // a comment: (\n  name: \"a(b\",\n  rods: [\n    (rod: (shape: Line(segments: 3))),\n    (what: Position(7)),\n  ],\n)";
    const JSON: &str = r#"{ "name": "x", "rods": [ { "rod": { "shape": { "Line": { "segments": 3 } } } } ] }"#;

    #[test]
    fn fields_of_ron_and_json_have_the_same_paths() {
        for text in [RON, JSON] {
            let at = position_of(text, "rods[0].rod.shape.segments").expect("the field is there");
            assert!(text[at..].trim_start_matches('"').starts_with("segments"), "{text}");
            assert_eq!(field_at(text, at), "rods[0].rod.shape.segments");
        }
        assert_eq!(line_and_column(RON, position_of(RON, "rods[0].rod").unwrap()), (4, 6));
        assert_eq!(field_at(RON, RON.find('7').unwrap()), "rods[1].what");
    }

    #[test]
    fn a_field_that_is_absent_is_found_in_the_one_around_it() {
        let at = position_of(RON, "rods[1].rod.material").unwrap();
        assert_eq!(line_and_column(RON, at).0, 5);
    }

    #[test]
    fn broken_text_is_walked_to_its_end() {
        for text in [
            "",
            "(",
            "\"",
            "(a:\"\\",
            "[[[[",
            "(:::",
            "}{",
            "(é: é, \u{1F600}",
            "/*",
            &"[".repeat(100_000),
        ] {
            let _ = fields(text);
        }
    }

    #[test]
    fn positions_and_lines_agree() {
        let text = "ab\ncdé\nf";
        for at in [0, 1, 3, 5, 7, 8] {
            let (line, column) = line_and_column(text, at);
            assert_eq!(position(text, line, column), at);
        }
    }
}
