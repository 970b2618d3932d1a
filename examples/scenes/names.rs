//! Names that people type: solvers, and a guess at what they meant.

use lariat::{
    prelude::{Darboux, Lambda, Projection, Solver},
    solver::{Curvature, Integrator, Rho},
};

/// Newton's method on whole rods.
pub const DIRECT: Solver = Solver::Direct {
    integrator: Integrator::Euler,
};
/// The same, of second order in time.
pub const DIRECT_BDF2: Solver = Solver::Direct {
    integrator: Integrator::Bdf2,
};
/// Papers 1 and 2.
pub const STABLE_COSSERAT: Solver = Solver::StableCosserat {
    lambda: Lambda::Approximate,
};
/// The same, with the root itself.
pub const STABLE_COSSERAT_EXACT: Solver = Solver::StableCosserat { lambda: Lambda::Exact };

/// Paper 5, with the compliance of the material.
pub const XPBD: Solver = Solver::XPBD;
/// Paper 5 as it was written: a stiffness an iteration.
pub const PBD: Solver = Solver::Xpbd {
    projection: Projection::Stiffness,
    darboux: Darboux::Plain,
    long_range: false,
};
/// Paper 5 with the Darboux vector of its appendix.
pub const XPBD_MODIFIED: Solver = Solver::Xpbd {
    projection: Projection::Compliance,
    darboux: Darboux::Modified,
    long_range: false,
};
/// Paper 5 with long-range attachments.
pub const XPBD_LONG_RANGE: Solver = Solver::Xpbd {
    projection: Projection::Compliance,
    darboux: Darboux::Plain,
    long_range: true,
};
/// Paper 3, with its default damping.
pub const GENERALIZED_ALPHA: Solver = Solver::GeneralizedAlpha { rho: Rho::radius(0.5) };

/// Discrete elastic rods (paper 4).
pub const ELASTIC: Solver = Solver::Elastic {
    curvature: Curvature::BothFrames,
};
/// The same with bending in the mean of two frames, which paper 4 warns of.
pub const ELASTIC_MEAN_FRAME: Solver = Solver::Elastic {
    curvature: Curvature::MeanFrame,
};

/// The solver variants that are compared, in the order in which `lab compare` lists them.
pub fn solvers() -> Vec<Solver> {
    vec![
        DIRECT,
        DIRECT_BDF2,
        STABLE_COSSERAT,
        STABLE_COSSERAT_EXACT,
        XPBD,
        PBD,
        GENERALIZED_ALPHA,
        ELASTIC,
    ]
}

/// The names that `--solver` takes.
pub const SOLVERS: &[&str] = &[
    "direct",
    "direct/bdf2",
    "stable-cosserat",
    "stable-cosserat/approximate",
    "stable-cosserat/exact",
    "xpbd",
    "xpbd/pbd",
    "xpbd/modified",
    "xpbd/long-range",
    "generalized-alpha",
    "elastic",
    "elastic/mean-frame",
];

/// The names that `--lambda` takes.
pub const LAMBDAS: &[&str] = &["approximate", "exact"];

/// How a solver is called in tables and in JSON.
pub fn solver_name(solver: &Solver) -> String {
    match *solver {
        DIRECT => "direct".to_owned(),
        DIRECT_BDF2 => "direct/bdf2".to_owned(),
        STABLE_COSSERAT => "stable-cosserat/approximate".to_owned(),
        STABLE_COSSERAT_EXACT => "stable-cosserat/exact".to_owned(),
        XPBD => "xpbd".to_owned(),
        PBD => "xpbd/pbd".to_owned(),
        XPBD_MODIFIED => "xpbd/modified".to_owned(),
        XPBD_LONG_RANGE => "xpbd/long-range".to_owned(),
        GENERALIZED_ALPHA => "generalized-alpha".to_owned(),
        Solver::GeneralizedAlpha { rho: Rho::Radius(rho) } => format!("generalized-alpha ({})", rho.get()),
        Solver::GeneralizedAlpha {
            rho: Rho::Weights { alpha, beta, gamma },
        } => format!("generalized-alpha ({}, {}, {})", alpha.get(), beta.get(), gamma.get()),
        ELASTIC => "elastic".to_owned(),
        ELASTIC_MEAN_FRAME => "elastic/mean-frame".to_owned(),
        other => format!("{other:?}").to_lowercase(),
    }
}

/// A solver by name.
pub fn solver(name: &str) -> Option<Solver> {
    match name {
        "direct" => Some(DIRECT),
        "direct/bdf2" => Some(DIRECT_BDF2),
        "stable-cosserat" | "stable-cosserat/approximate" => Some(STABLE_COSSERAT),
        "stable-cosserat/exact" => Some(STABLE_COSSERAT_EXACT),
        "xpbd" => Some(XPBD),
        "xpbd/pbd" => Some(PBD),
        "xpbd/modified" => Some(XPBD_MODIFIED),
        "xpbd/long-range" => Some(XPBD_LONG_RANGE),
        "generalized-alpha" => Some(GENERALIZED_ALPHA),
        "elastic" => Some(ELASTIC),
        "elastic/mean-frame" => Some(ELASTIC_MEAN_FRAME),
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

/// The candidate nearest to what was typed: one that begins so, or one that a slip of the finger would explain.
pub fn nearest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let shortened = |candidate: &&str| {
        let (candidate, typed) = (candidate.to_lowercase(), typed.to_lowercase());
        typed.len() >= 3 && candidate.starts_with(&typed)
    };
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(whole) = candidates.iter().copied().find(|candidate| shortened(candidate)) {
        return Some(whole);
    }
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

/// Edits (insert, delete, replace, swap neighbours) from one word to another: the table of Wagner and Fischer, whole,
/// because words are short.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_lowercase().chars().collect::<Vec<char>>());
    let mut edits = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            edits[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = edits[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                replaced.min(edits[i - 1][j] + 1).min(edits[i][j - 1] + 1)
            };
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits[i][j] = edits[i][j].min(edits[i - 2][j - 2] + 1);
            }
        }
    }
    edits[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognized_and_a_stranger_is_not() {
        assert_eq!(nearest("slinkey", ["slinky", "bridge"]), Some("slinky"));
        assert_eq!(nearest("fats", ["fast", "scalar"]), Some("fast"));
        assert_eq!(nearest("substep", ["substeps", "steps"]), Some("substeps"));
        assert_eq!(nearest("nylon", ["HempRope", "NylonRope"]), Some("NylonRope"));
        assert_eq!(nearest("zebra", ["slinky", "bridge"]), None);
    }

    #[test]
    fn every_solver_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<String> = solvers().iter().map(solver_name).collect();
        assert_eq!(names.len(), solvers().len());
        assert!(solvers().iter().all(|s| solver(&solver_name(s)) == Some(*s)));
        assert!(SOLVERS.iter().all(|name| solver(name).is_some()));
    }
}
