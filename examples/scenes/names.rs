//! Names that people type: solvers, and a guess at what they meant.

use lariat::prelude::{Lambda, Solver};

/// All solver variants, in the order in which `lab compare` lists them.
pub fn solvers() -> Vec<Solver> {
    vec![
        Solver::StableCosserat {
            lambda: Lambda::Approximate,
        },
        Solver::StableCosserat { lambda: Lambda::Exact },
    ]
}

/// The names that `--solver` takes.
pub const SOLVERS: &[&str] = &["stable-cosserat"];

/// The names that `--lambda` takes.
pub const LAMBDAS: &[&str] = &["approximate", "exact"];

/// How a solver is called in tables and in JSON.
pub fn solver_name(solver: &Solver) -> String {
    match solver {
        Solver::StableCosserat {
            lambda: Lambda::Approximate,
        } => "stable-cosserat/approximate".to_owned(),
        Solver::StableCosserat { lambda: Lambda::Exact } => "stable-cosserat/exact".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// A solver by name.
pub fn solver(name: &str) -> Option<Solver> {
    match name {
        "stable-cosserat" => Some(Solver::StableCosserat {
            lambda: Lambda::Approximate,
        }),
        _ => None,
    }
}

/// A λ by name.
pub fn lambda(name: &str) -> Option<Lambda> {
    match name {
        "approximate" => Some(Lambda::Approximate),
        "exact" => Some(Lambda::Exact),
        _ => None,
    }
}

/// The candidate nearest to what was typed, if it is near enough to be a slip of the finger.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (typed.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .map(|candidate| (distance(typed, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// "; did you mean `x`?" or nothing.
pub fn did_you_mean<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(typed, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Edits (insert, delete, replace) from one word to another, by the rows of Wagner and Fischer.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognized_and_a_stranger_is_not() {
        assert_eq!(nearest("slinkey", ["slinky", "bridge"]), Some("slinky"));
        assert_eq!(nearest("substep", ["substeps", "steps"]), Some("substeps"));
        assert_eq!(nearest("zebra", ["slinky", "bridge"]), None);
    }

    #[test]
    fn every_solver_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<String> = solvers().iter().map(solver_name).collect();
        assert_eq!(names.len(), solvers().len());
    }
}
