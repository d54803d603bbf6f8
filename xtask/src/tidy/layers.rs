//! Layering: which crate of the workspace may depend on which.
//!
//! The table below is the architecture. Normal and build dependencies must match it exactly.
//! Development dependencies are checked loosely, because a test may use a crate from outside:
//! they may go anywhere but to an edge crate, and never from the referee to the solver, so that
//! not even a test of the referee depends on what it judges.

use super::manifest::{DependencyKind, Manifest};
use super::{Finding, Repository, Rule};

/// What one crate may depend on.
struct Layer {
    /// The folder of the crate, which is also its name without the prefix.
    name: &'static str,
    may_use: May,
}

enum May {
    Use(&'static [&'static str]),
    UseEverything,
}

/// All crates of the architecture, bottom-up, those that are not written yet included.
const LAYERS: &[Layer] = &[
    // logic leg
    Layer { name: "terms", may_use: May::Use(&[]) },
    Layer { name: "smtlib", may_use: May::Use(&["terms"]) },
    Layer { name: "semantics", may_use: May::Use(&["terms"]) },
    Layer { name: "generator", may_use: May::Use(&["terms", "smtlib", "semantics"]) },
    Layer { name: "solver", may_use: May::Use(&["terms", "smtlib", "semantics"]) },
    // experiment leg
    Layer { name: "records", may_use: May::Use(&[]) },
    Layer { name: "runner", may_use: May::Use(&["records"]) },
    Layer { name: "store", may_use: May::Use(&["records"]) },
    Layer { name: "charts", may_use: May::Use(&[]) },
    Layer { name: "report", may_use: May::Use(&["records", "charts"]) },
    // where the legs meet
    Layer { name: "judge", may_use: May::Use(&["terms", "smtlib", "semantics", "records"]) },
    Layer { name: "corpus", may_use: May::Use(&["terms", "smtlib", "records", "judge"]) },
    Layer {
        name: "results",
        may_use: May::Use(&["terms", "smtlib", "records", "store", "report", "judge", "corpus"]),
    },
    // the only crate through which formulas come to solvers
    Layer { name: "ask", may_use: May::Use(&["terms", "smtlib", "records", "runner"]) },
    Layer {
        name: "conformance",
        may_use: May::Use(&["terms", "smtlib", "semantics", "records", "runner", "ask"]),
    },
    Layer {
        name: "campaign",
        may_use: May::Use(&[
            "terms",
            "smtlib",
            "semantics",
            "generator",
            "records",
            "runner",
            "store",
            "corpus",
            "judge",
            "ask",
        ]),
    },
    Layer { name: "slurm", may_use: May::Use(&["records", "runner", "store", "campaign"]) },
    Layer {
        name: "hunt",
        may_use: May::Use(&[
            "terms",
            "smtlib",
            "semantics",
            "records",
            "generator",
            "runner",
            "judge",
            "ask",
        ]),
    },
    Layer {
        name: "triage",
        may_use: May::Use(&[
            "terms",
            "smtlib",
            "semantics",
            "generator",
            "records",
            "runner",
            "corpus",
            "judge",
            "ask",
            "hunt",
        ]),
    },
    // edges
    Layer {
        name: "web",
        may_use: May::Use(&[
            "terms", "smtlib", "records", "store", "charts", "report", "judge", "corpus", "results",
        ]),
    },
    Layer { name: "cli", may_use: May::UseEverything },
    Layer { name: "xtask", may_use: May::UseEverything },
];

/// What must be trusted, and so must not know the solver.
const REFEREE: [&str; 4] = ["terms", "smtlib", "semantics", "judge"];
const EDGES: [&str; 3] = ["web", "cli", "xtask"];

const ROOT_MANIFEST: &str = "Cargo.toml";

/// Checks the root manifest and the manifests of all crates.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    findings.extend_from_slice(repository.found());
    let Some(root) = read_manifest(repository, ROOT_MANIFEST, findings) else { return };
    let members = root.members();
    for path in repository.paths() {
        if let Some(folder) = path.strip_suffix("/Cargo.toml")
            && (folder.starts_with("crates/") || folder == "xtask")
            && !members.iter().any(|member| member == folder)
        {
            let problem = format!("{folder} is not a member of the workspace");
            findings.push(Finding::new(
                Rule::Layers,
                ROOT_MANIFEST,
                0,
                problem,
                "list it in `members`, below the crates it uses",
            ));
        }
    }
    for (position, member) in members.iter().enumerate() {
        let path = format!("{member}/Cargo.toml");
        if let Some(manifest) = read_manifest(repository, &path, findings) {
            check_crate(&path, &manifest, &members[..position], findings);
        }
    }
}

fn read_manifest(
    repository: &Repository,
    path: &str,
    findings: &mut Vec<Finding>,
) -> Option<Manifest> {
    let parsed = match repository.text(path) {
        Some(text) => Manifest::parse(text),
        None => Err("there is no such file".to_owned()),
    };
    parsed
        .map_err(|message| {
            let remedy = "write a manifest that cargo accepts";
            findings.push(Finding::new(Rule::Manifest, path, 0, message, remedy));
        })
        .ok()
}

/// `below` are the members listed before this crate.
fn check_crate(path: &str, manifest: &Manifest, below: &[String], findings: &mut Vec<Finding>) {
    let folder = path.trim_end_matches("/Cargo.toml");
    let name = folder.rsplit('/').next().unwrap_or(folder);
    let mut report = |rule, line, problem: String, remedy: &str| {
        findings.push(Finding::new(rule, path, line, problem, remedy));
    };
    if !manifest.inherits_lints() {
        let problem = "does not take its lints from the workspace".to_owned();
        report(Rule::Manifest, 0, problem, "add `[lints]` with `workspace = true`");
    }
    let expected = package_name(name);
    if manifest.package() != Some(expected.as_str()) {
        let problem = format!("the package in the folder {name} is not called {expected}");
        report(Rule::Manifest, 0, problem, "rename the package or the folder");
    }
    let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
        let problem = format!("{name} has no place in the architecture");
        report(Rule::Layers, 0, problem, "add it to the table in xtask/src/tidy/layers.rs");
        return;
    };
    for dependency in manifest.dependencies() {
        let Some(used) = layer_of_package(&dependency.package) else { continue };
        let line = dependency.line;
        match dependency.kind {
            DependencyKind::Built if !layer.may_use(used) => {
                let problem = format!("{name} must not depend on {used}");
                report(Rule::Layers, line, problem, "turn the dependency round or move the code");
            }
            DependencyKind::Built
                if !below.iter().any(|member| member.rsplit('/').next() == Some(used)) =>
            {
                let problem = format!("{name} is listed above {used}, which it uses");
                let remedy = "list members bottom-up in the root manifest";
                report(Rule::Layers, line, problem, remedy);
            }
            DependencyKind::Development if !layer.tests_may_use(used) => {
                let problem = format!("not even the tests of {name} may depend on {used}");
                report(Rule::Layers, line, problem, "move the test to a crate above both");
            }
            DependencyKind::Built | DependencyKind::Development => {}
        }
    }
}

impl Layer {
    fn may_use(&self, used: &str) -> bool {
        match self.may_use {
            May::Use(names) => names.contains(&used),
            May::UseEverything => used != self.name,
        }
    }

    fn tests_may_use(&self, used: &str) -> bool {
        let referee_leans_on_solver = REFEREE.contains(&self.name) && used == "solver";
        self.may_use(used) || !(referee_leans_on_solver || EDGES.contains(&used))
    }
}

fn package_name(layer: &str) -> String {
    match layer {
        "cli" => "luthier".to_owned(),
        "xtask" => "xtask".to_owned(),
        _ => format!("luthier-{layer}"),
    }
}

/// The layer of a package of the workspace; `None` for packages of others.
fn layer_of_package(package: &str) -> Option<&str> {
    match package {
        "luthier" => Some("cli"),
        "xtask" => Some("xtask"),
        _ => package.strip_prefix("luthier-"),
    }
}

#[cfg(test)]
mod tests {
    use super::{LAYERS, May, check};
    use crate::tidy::Repository;

    /// A repository of crates in the given order; each lists what stands below `[dependencies]`.
    fn found(crates: &[(&str, &str)]) -> Vec<String> {
        let folder = |name: &str| match name {
            "xtask" => "xtask".to_owned(),
            _ => format!("crates/{name}"),
        };
        let members: Vec<String> =
            crates.iter().map(|(name, _)| format!("\"{}\"", folder(name))).collect();
        let root = format!("[workspace]\nmembers = [{}]\n", members.join(", "));
        let mut files = vec![("Cargo.toml".to_owned(), root)];
        for (name, dependencies) in crates {
            let text = format!(
                "[package]\nname = \"{}\"\n[lints]\nworkspace = true\n[dependencies]\n{dependencies}",
                super::package_name(name)
            );
            files.push((format!("{}/Cargo.toml", folder(name)), text));
        }
        found_in(&files)
    }

    fn found_in(files: &[(String, String)]) -> Vec<String> {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let mut findings = Vec::new();
        check(&Repository::of(&files), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check_one(found: &[String], parts: &[&str]) {
        assert_eq!(found.len(), 1, "{found:?}");
        for part in parts {
            assert!(found[0].contains(part), "{found:?} should contain {part:?}");
        }
    }

    #[test]
    fn allowed_dependencies_in_the_right_order_pass() {
        let found = found(&[
            ("terms", "num-bigint = \"1\"\n"),
            ("smtlib", "luthier-terms.workspace = true\n"),
            ("semantics", "luthier-terms.workspace = true\n"),
            ("corpus", ""),
            ("judge", "luthier-smtlib.workspace = true\nluthier-semantics.workspace = true\n"),
            ("cli", "luthier-judge.workspace = true\nluthier-corpus.workspace = true\n"),
            ("xtask", "luthier-smtlib.workspace = true\n"),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn a_forbidden_dependency_is_found_at_its_line() {
        let crates =
            [("terms", ""), ("solver", ""), ("semantics", "luthier-solver.workspace = true\n")];
        let expected = "crates/semantics/Cargo.toml:6: semantics must not depend on solver";
        check_one(&found(&crates), &[expected]);
    }

    #[test]
    fn build_dependencies_count_and_renaming_does_not_hide() {
        let crates = [
            ("smtlib", ""),
            ("terms", "[build-dependencies]\nx = { package = \"luthier-smtlib\", path = \"\" }\n"),
        ];
        check_one(&found(&crates), &["terms must not depend on smtlib", "Cargo.toml:7:"]);
    }

    #[test]
    fn members_listed_top_down_are_found() {
        let crates = [("smtlib", "luthier-terms.workspace = true\n"), ("terms", "")];
        check_one(&found(&crates), &["smtlib is listed above terms", "bottom-up"]);
    }

    #[test]
    fn tests_may_look_up_but_not_from_the_referee_to_the_solver_nor_to_an_edge() {
        let up = "[dev-dependencies]\nluthier-smtlib.workspace = true\n";
        assert!(found(&[("terms", up), ("smtlib", "")]).is_empty());
        let solver = "[dev-dependencies]\nluthier-solver.workspace = true\n";
        check_one(&found(&[("solver", ""), ("judge", solver)]), &["not even the tests of judge"]);
        let edge = "[dev-dependencies]\nluthier.workspace = true\n";
        check_one(&found(&[("cli", ""), ("corpus", edge)]), &["not even the tests of corpus"]);
    }

    #[test]
    fn an_unknown_crate_has_no_place() {
        check_one(&found(&[("helpers", "")]), &["helpers has no place in the architecture"]);
    }

    #[test]
    fn a_crate_without_inherited_lints_or_with_another_name_is_found() {
        let root = ("Cargo.toml", "[workspace]\nmembers = [\"crates/terms\"]\n");
        let manifest = ("crates/terms/Cargo.toml", "[package]\nname = \"terms\"\n");
        let files = [root, manifest].map(|(path, text)| (path.to_owned(), text.to_owned()));
        let found = found_in(&files);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("lints") && found[1].contains("is not called luthier-terms"));
    }

    #[test]
    fn a_crate_that_is_no_member_and_a_member_that_is_no_crate_are_found() {
        let root = ("Cargo.toml", "[workspace]\nmembers = [\"crates/gone\"]\n");
        let manifest = ("crates/terms/Cargo.toml", "");
        let files = [root, manifest].map(|(path, text)| (path.to_owned(), text.to_owned()));
        let found = found_in(&files);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("crates/terms is not a member"));
        assert!(found[1].contains("crates/gone/Cargo.toml: there is no such file"));
    }

    #[test]
    fn the_table_itself_is_bottom_up() {
        for (position, layer) in LAYERS.iter().enumerate() {
            let May::Use(names) = &layer.may_use else { continue };
            for name in *names {
                assert!(LAYERS[..position].iter().any(|below| below.name == *name), "{name}");
            }
        }
    }
}
