//! Rules for everything that people write: white space, unfinished notes, and nothing that holds
//! on one machine or in one network only.

use super::repository::TextFile;
use super::{Finding, Repository, Rule};

// The texts below are written in two halves, so that this file does not find itself.

/// Words that mark a place as unfinished.
const NOTES: [&str; 2] = [concat!("FIX", "ME"), concat!("XX", "X")];

/// Folders in which people and build machines keep their files.
const MACHINE_FOLDERS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];

/// Hosts from which packages are downloaded: which one is used is for the machine to say.
const PACKAGE_HOSTS: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("files.python", "hosted.org"),
    concat!("deb.deb", "ian.org"),
    concat!("archive.ubu", "ntu.com"),
    concat!("registry.npm", "js.org"),
];

/// Checks all text files.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    for file in repository.texts() {
        check_end(file, findings);
        for (number, line) in file.text.split('\n').enumerate() {
            check_line(&file.path, number + 1, line, findings);
        }
    }
}

fn check_end(file: &TextFile, findings: &mut Vec<Finding>) {
    let mut report = |line, problem: &str, remedy: &str| {
        findings.push(Finding::new(Rule::Whitespace, &file.path, line, problem, remedy));
    };
    let last = file.text.lines().count();
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        report(last, "does not end with a newline", "add one");
    }
    if file.text.ends_with("\n\n") {
        report(last, "ends with an empty line", "remove it");
    }
}

fn check_line(path: &str, number: usize, line: &str, findings: &mut Vec<Finding>) {
    let mut report = |rule, problem: String, remedy: &str| {
        findings.push(Finding::new(rule, path, number, problem, remedy));
    };
    let visible = line.strip_suffix('\r').unwrap_or(line);
    if visible.len() < line.len() {
        let problem = "ends with a carriage return".to_owned();
        report(Rule::Whitespace, problem, "save the file with line feeds only");
    }
    if visible.trim_end().len() < visible.len() {
        let problem = "ends with white space".to_owned();
        report(Rule::Whitespace, problem, "remove it");
    }
    for note in NOTES {
        if contains_word(line, note) {
            let problem = format!("contains `{note}`");
            report(Rule::Unfinished, problem, "do it, or say plainly what is missing");
        }
    }
    for folder in MACHINE_FOLDERS {
        if contains_absolute(line, folder) {
            let problem = format!("names a folder of one machine, `{folder}`");
            report(Rule::MachinePath, problem, "use a relative path or a made-up one");
        }
    }
    for host in PACKAGE_HOSTS {
        if line.contains(host) {
            let problem = format!("names the package host {host}");
            report(Rule::PackageHost, problem, "leave the choice of the host to the machine");
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn contains_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

/// Whether the folder stands at the beginning of a path, and not somewhere inside one.
fn contains_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        !before.is_some_and(|character| is_word(character) || "-.~}>)*".contains(character))
    })
}

#[cfg(test)]
mod tests {
    use super::{MACHINE_FOLDERS, NOTES, PACKAGE_HOSTS, check};
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
    fn clean_text_passes() {
        assert!(found("a.md", "One line.\n\nAnother one.\n").is_empty());
        assert!(found("a.md", "").is_empty());
    }

    #[test]
    fn faults_of_white_space_are_found() {
        check_one(&found("a.md", "text"), "a.md:1: does not end with a newline");
        check_one(&found("a.md", "text\n\n"), "ends with an empty line");
        check_one(&found("a.md", "a\nb \n"), "a.md:2: ends with white space");
        check_one(&found("a.toml", "a\r\n"), "a.toml:1: ends with a carriage return");
    }

    #[test]
    fn data_may_have_any_white_space() {
        assert!(found("conformance/a.smt2", "text \r\n\n\n ").is_empty());
    }

    #[test]
    fn unfinished_notes_are_found_as_words_only() {
        for note in NOTES {
            check_one(&found("a.rs", &format!("// {note}: later\n")), "a.rs:1: contains");
            assert!(found("a.rs", &format!("// {note}X and a{note}\n")).is_empty());
        }
    }

    #[test]
    fn folders_of_one_machine_are_found() {
        for folder in MACHINE_FOLDERS {
            check_one(&found("a.md", &format!("`{folder}me/x`\n")), "folder of one machine");
            assert!(found("a.md", &format!("in target{folder}x and ~{folder}x\n")).is_empty());
        }
    }

    #[test]
    fn package_hosts_are_found() {
        for host in PACKAGE_HOSTS {
            check_one(&found("a.md", &format!("see https://{host}/x\n")), "package host");
        }
        assert!(found("a.md", "see https://example.org/crates\n").is_empty());
    }
}
