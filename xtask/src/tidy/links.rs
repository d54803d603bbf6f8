//! Rules for Markdown: links to files of the repository are valid, and every document is reachable
//! from the front page.

use super::repository::TextFile;
use super::{Finding, Repository, Rule};

/// The pages from which every document must be linked.
const FRONT_PAGES: [&str; 2] = ["README.md", "docs/README.md"];

/// Checks all Markdown files.
pub fn check(repository: &Repository, findings: &mut Vec<Finding>) {
    let mut linked_from_front = Vec::new();
    for file in repository.texts().iter().filter(|file| file.path.ends_with(".md")) {
        for (line, target) in local_links(file) {
            let Some(path) = resolve(&file.path, &target) else {
                let problem = format!("the link to `{target}` leads out of the repository");
                let remedy = "link to a file of the repository";
                findings.push(Finding::new(Rule::Links, &file.path, line, problem, remedy));
                continue;
            };
            if !repository.has(&path) {
                let problem = format!("the link to `{target}` leads to {path}, which is not there");
                let remedy = "correct the link or add the file";
                findings.push(Finding::new(Rule::Links, &file.path, line, problem, remedy));
            }
            if FRONT_PAGES.contains(&file.path.as_str()) {
                linked_from_front.push(path);
            }
        }
    }
    if FRONT_PAGES.iter().any(|page| repository.has(page)) {
        for path in repository.paths() {
            let is_document = path.starts_with("docs/") && path.ends_with(".md");
            let is_front_page = FRONT_PAGES.contains(&path.as_str());
            if is_document && !is_front_page && !linked_from_front.contains(path) {
                let problem = "is linked neither from README.md nor from docs/README.md";
                findings.push(Finding::new(Rule::Links, path, 0, problem, "link it there"));
            }
        }
    }
}

/// The targets of links to files, with their lines. Code is not looked at.
fn local_links(file: &TextFile) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in file.text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        if mark.is_some() && (fence.is_none() || fence == mark) {
            fence = if fence.is_some() { None } else { mark };
        } else if fence.is_none() {
            let line = without_code(line);
            let inline = line.match_indices("](").map(|(at, mark)| &line[at + mark.len()..]);
            let targets = inline.map(inline_target).chain(definition_target(&line));
            let local = targets.filter(|target| is_local(target));
            links.extend(local.map(|target| (number + 1, target.to_owned())));
        }
    }
    links
}

/// The line without what stands between backquotes.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// The target at the beginning of `TARGET "title") and so on`.
fn inline_target(rest: &str) -> &str {
    let end = rest.find([')', ' ']).unwrap_or(rest.len());
    rest[..end].trim_start_matches('<').trim_end_matches('>')
}

/// The target of a line `[label]: TARGET`.
fn definition_target(line: &str) -> Option<&str> {
    let (label, target) = line.trim_start().strip_prefix('[')?.split_once("]: ")?;
    (!label.contains(['[', ']'])).then(|| inline_target(target.trim_start()))
}

fn is_local(target: &str) -> bool {
    !(target.is_empty()
        || target.starts_with('#')
        || target.contains("://")
        || target.starts_with("mailto:"))
}

/// The path of a target, relative to the root; `None` if it leads above the root.
fn resolve(from: &str, target: &str) -> Option<String> {
    let target = target.split('#').next().unwrap_or(target);
    let mut components: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.split('/').collect(),
    };
    components.pop();
    for component in target.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop()?;
            }
            name => components.push(name),
        }
    }
    Some(components.join("/"))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::Repository;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Vec::new();
        check(&Repository::of(files), &mut findings);
        findings.iter().map(ToString::to_string).collect()
    }

    #[track_caller]
    fn check_one(found: &[String], part: &str) {
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(part), "{found:?} should contain {part:?}");
    }

    #[test]
    fn links_to_files_folders_headings_and_the_web_pass() {
        let text = "[a](docs/a.md#part) [b](docs) [c](docs/) [d](#here) [e](https://example.org)\n\
                    [f](/docs/a.md \"title\") ![g](<docs/a.md>)\n[h]: docs/a.md\n";
        let found = found(&[("README.md", text), ("docs/a.md", "[up](../README.md)\n")]);
        assert!(found.is_empty(), "{found:?}");
    }

    #[test]
    fn links_to_nowhere_are_found_at_their_line() {
        check_one(
            &found(&[("a/b.md", "\n[x](c.md)\n")]),
            "a/b.md:2: the link to `c.md` leads to a/c.md",
        );
        check_one(&found(&[("b.md", "[x]: c.md\n")]), "b.md:1:");
        check_one(&found(&[("b.md", "[x](../c.md)\n")]), "leads out of the repository");
    }

    #[test]
    fn links_in_code_are_not_looked_at() {
        let text = "```\n[x](y.md)\n~~~\n[x](y.md)\n```\n`[x](y.md)` and `a` [b](b.md)\n";
        assert!(found(&[("b.md", text)]).is_empty());
    }

    #[test]
    fn a_document_must_be_linked_from_a_front_page_once_there_is_one() {
        assert!(found(&[("docs/a.md", "")]).is_empty());
        let found_without = found(&[("README.md", "none\n"), ("docs/a.md", "")]);
        check_one(&found_without, "docs/a.md: is linked neither");
        let from_docs = [("docs/README.md", "[a](a.md)\n"), ("docs/a.md", "")];
        assert!(found(&from_docs).is_empty());
    }
}
