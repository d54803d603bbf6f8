//! Rules for names of files in Markdown: what stands between backquotes and looks like a path of the
//! repository is one.
//!
//! Two forms are checked: paths that begin with a folder of the root (`docs/solve.md`), and names of
//! Rust files (`layers.rs`, `tidy/layers.rs`), which must end the path of some file. Patterns and
//! placeholders (`solvers/*.toml`, `fuzz/artifacts/TARGET/`) are not; neither is the changelog, which
//! speaks of the past, or code blocks, whose commands make files.

use super::links::prose;
use super::{Finding, Repository, Rule};

/// Folders of the root that hold files of the repository.
const FOLDERS: [&str; 11] = [
    ".ci/",
    "conformance/",
    "crates/",
    "docs/",
    "fuzz/regressions/",
    "fuzz/seeds/",
    "results/",
    "solvers/",
    "suites/",
    "tools/",
    "xtask/",
];

/// Checks all Markdown files but the changelog.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    for file in repository.texts().iter().filter(|file| file.path.ends_with(".md")) {
        if file.path == "CHANGELOG.md" {
            continue;
        }
        for (line, text) in prose(&file.text) {
            for name in text.split('`').skip(1).step_by(2).filter(|name| is_plain(name)) {
                if is_missing(repository, name) {
                    let problem = format!("there is no file or folder `{name}`");
                    let remedy = "correct its name";
                    findings.push(Finding::new(Rule::Paths, &file.path, line, problem, remedy));
                }
            }
        }
    }
}

/// Whether a name is no pattern, no placeholder and no command.
fn is_plain(name: &str) -> bool {
    let is_part = |one: char| one.is_ascii_alphanumeric() || "/._-+".contains(one);
    let is_placeholder = |part: &str| {
        let is_upper = |one: char| one.is_ascii_uppercase() || one == '-';
        part.len() > 1 && part.chars().all(is_upper)
    };
    name.chars().all(is_part) && !name.split('/').any(is_placeholder)
}

fn is_missing(repository: &Repository, name: &str) -> bool {
    if FOLDERS.iter().any(|folder| name.starts_with(folder)) {
        return !repository.has(name.trim_end_matches('/'));
    }
    if !name.ends_with(".rs") {
        return false;
    }
    let is_end = |path: &str| path.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
    !repository.paths().iter().any(|path| is_end(path))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::Repository;

    fn found(text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        let files = [("a.md", text), ("docs/b.md", ""), ("crates/c/src/d/e.rs", "")];
        check(&Repository::of(&files), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_and_folders_of_the_repository_pass() {
        let text = "`docs/b.md`, `docs/`, `crates/c`, `e.rs`, `d/e.rs` and `crates/c/src/d/e.rs`\n";
        assert!(found(text).is_empty(), "{:?}", found(text));
    }

    #[test]
    fn patterns_placeholders_and_code_blocks_pass() {
        let text = "`solvers/*.toml`, `luthier run docs/x.toml`, `own.toml`\n\
                    ```\n`docs/none.md`\n```\n";
        assert!(found(text).is_empty(), "{:?}", found(text));
    }

    #[test]
    fn names_of_nothing_are_found_at_their_line() {
        for name in ["docs/none.md", "crates/d", "f.rs", "c/e.rs"] {
            let found = found(&format!("\n`{name}`\n"));
            assert_eq!(found.len(), 1, "{name}: {found:?}");
            assert!(found[0].starts_with(&format!("a.md:2: there is no file or folder `{name}`")));
        }
    }
}
