//! Rules for Rust files: a header, a length that can be read at one sitting, nothing unfinished.

use super::repository::TextFile;
use super::{Finding, Repository, Rule};

/// Files of 100 to 400 lines are aimed at; this is where a file must be split.
const MAX_LINES: usize = 700;

/// What must not stand in a Rust file, and what to do instead. Written in two halves, so that
/// this file does not find itself.
const UNFINISHED: [(&str, &str); 3] = [
    (concat!("to", "do!("), "write the code or return an error"),
    (concat!("unimple", "mented!("), "write the code or return an error"),
    (concat!("#[ig", "nore"), "make the test fast, take it out, or name the command that runs it"),
];

/// A test may be left to a command of its own, which `.ci/run` calls and the reason names.
const RUN_BY_A_COMMAND: &str = ": cargo xtask ";

/// Checks all Rust files.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    for file in repository.texts().iter().filter(|file| file.path.ends_with(".rs")) {
        check_header(file, findings);
        check_length(file, findings);
        check_unfinished(file, findings);
        check_tabs(file, findings);
        check_is_run(repository, file, findings);
    }
}

/// Where the tests of a crate are modules of one program, a file that is not listed never runs.
fn check_is_run(repository: &Repository, file: &TextFile, findings: &mut Vec<Finding>) {
    let Some((folder, name)) = file.path.rsplit_once('/') else { return };
    let Some(listed) = repository.text(&format!("{folder}/all.rs")) else { return };
    let name = name.trim_end_matches(".rs");
    if folder.ends_with("/tests") && name != "all" && !listed.contains(&format!("mod {name};\n")) {
        let remedy = format!("add `mod {name};` to {folder}/all.rs");
        findings.push(Finding::new(Rule::Unfinished, &file.path, 1, "is never run", &remedy));
    }
}

fn check_header(file: &TextFile, findings: &mut Vec<Finding>) {
    if !file.text.starts_with("//! ") {
        let remedy = "begin it with `//!` and what the file owns";
        findings.push(Finding::new(Rule::Header, &file.path, 1, "has no header", remedy));
    }
}

fn check_length(file: &TextFile, findings: &mut Vec<Finding>) {
    if is_test_file(&file.path) {
        return;
    }
    let lines = lines_without_tests(&file.text);
    if lines > MAX_LINES {
        let problem = format!("has {lines} lines without its tests, more than {MAX_LINES}");
        let remedy = "split it, or, if it is a table, list it in xtask/src/tidy/exceptions.rs";
        findings.push(Finding::new(Rule::Length, &file.path, MAX_LINES + 1, problem, remedy));
    }
}

fn check_unfinished(file: &TextFile, findings: &mut Vec<Finding>) {
    for (number, line) in file.text.lines().enumerate() {
        for (text, remedy) in UNFINISHED {
            if line.contains(text) && !line.contains(RUN_BY_A_COMMAND) {
                let problem = format!("contains `{text}`");
                let (path, line) = (file.path.as_str(), number + 1);
                findings.push(Finding::new(Rule::Unfinished, path, line, problem, remedy));
            }
        }
    }
}

fn check_tabs(file: &TextFile, findings: &mut Vec<Finding>) {
    if let Some(number) = file.text.lines().position(|line| line.contains('\t')) {
        let remedy = "run `cargo fmt`, and write `\\t` in strings";
        let (path, line) = (file.path.as_str(), number + 1);
        findings.push(Finding::new(Rule::Whitespace, path, line, "contains a tab", remedy));
    }
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|component| component == "tests")
}

/// The number of lines before the tests at the end of the file.
fn lines_without_tests(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let begins_tests = |pair: &[&str]| pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ");
    lines.windows(2).position(begins_tests).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::{MAX_LINES, check};
    use crate::tidy::Repository;

    fn found(path: &str, text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        check(&Repository::of(&[(path, text)]), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check_one(found: &[String], part: &str) {
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(part), "{found:?} should contain {part:?}");
    }

    #[test]
    fn a_file_with_header_passes_and_one_without_is_found() {
        assert!(found("src/lib.rs", "//! What it owns.\n\nmod a;\n").is_empty());
        check_one(&found("src/lib.rs", "mod a;\n"), "src/lib.rs:1: has no header");
        check_one(&found("src/lib.rs", "\n//! Too late.\n"), "has no header");
        check_one(&found("src/lib.rs", ""), "has no header");
    }

    #[test]
    fn only_files_above_the_limit_are_too_long() {
        let text = |lines: usize| format!("//! x\n{}", "\n".repeat(lines - 1));
        assert!(found("src/a.rs", &text(MAX_LINES)).is_empty());
        check_one(&found("src/a.rs", &text(MAX_LINES + 1)), "has 701 lines");
    }

    #[test]
    fn tests_may_be_long() {
        let long = format!("//! x\n{}", "\n".repeat(1000));
        assert!(found("crates/a/tests/b.rs", &long).is_empty());
        assert!(found("crates/a/src/tests.rs", &long).is_empty());
        let inside = format!("//! x\n\n#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(1000));
        assert!(found("src/a.rs", &inside).is_empty());
    }

    #[test]
    fn unfinished_code_and_switched_off_tests_are_found() {
        for (first, second) in [("to", "do!()"), ("unimple", "mented!()"), ("#[ig", "nore]")] {
            check_one(&found("src/a.rs", &format!("//! x\n{first}{second}\n")), "src/a.rs:2:");
        }
        assert!(found("src/a.rs", "//! A to-do list that can be ignored.\n").is_empty());
        let elsewhere = concat!("#[ig", "nore = \"needs a browser: cargo xtask browser\"]");
        assert!(found("tests/a.rs", &format!("//! x\n{elsewhere}\n")).is_empty());
    }

    #[test]
    fn a_tab_is_found() {
        check_one(&found("src/a.rs", "//! x\n\tfn\n"), "src/a.rs:2: contains a tab");
    }

    #[test]
    fn a_test_that_the_program_of_its_crate_does_not_list_is_found() {
        let missing = |all: &str| {
            let files = [
                ("crates/a/tests/all.rs", all),
                ("crates/a/tests/one.rs", "//! x\n"),
                ("crates/b/tests/two.rs", "//! A program of its own.\n"),
            ];
            let mut findings = Vec::new();
            check(&Repository::of(&files), &mut findings);
            findings.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert!(missing("//! x\nmod one;\n").is_empty());
        check_one(&missing("//! x\nmod one_more;\n"), "crates/a/tests/one.rs:1: is never run");
    }
}
