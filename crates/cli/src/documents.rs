//! Every `luthier` command line in a document or record is one that the program accepts.
//!
//! Looked at are lines of code blocks that begin with `luthier` or `$ luthier`, and the `commands`
//! of the records in `results/`. What a shell does with them (pipes, redirections, comments) and
//! explanations behind two blanks are cut off; an ellipsis stands for further arguments.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser as _;

use crate::args::CommandLine;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files with the ending below a folder.
fn files(folder: PathBuf, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The command lines in the code blocks of a Markdown text.
fn in_markdown(text: &str) -> Vec<String> {
    let joined = text.replace("\\\n", " \u{0} ");
    let mut commands = Vec::new();
    let mut is_fenced = false;
    for line in joined.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced || line.starts_with("    ") {
            let line = line.trim_start();
            let line = line.strip_prefix("$ ").unwrap_or(line);
            if line.starts_with("luthier ") {
                commands.push(without_shell(line));
            }
        }
    }
    commands
}

/// The `luthier` commands of a record. Each stands on a line of its own, between quotation marks.
fn in_record(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim().trim_matches([',', '\'']));
    lines.filter(|line| line.starts_with("luthier ")).map(without_shell).collect()
}

/// The command without what the shell or the reader makes of it. A continued line has a NUL where
/// its parts meet, so that its indentation is not taken for an explanation.
fn without_shell(line: &str) -> String {
    let parts = line.split('\u{0}').map(|part| {
        let part = part.trim();
        part.split("  ").next().unwrap_or(part)
    });
    let mut line = parts.collect::<Vec<_>>().join(" ");
    for mark in [" # ", " || ", " && ", " | ", " > ", " < "] {
        if let Some(at) = line.find(mark) {
            line.truncate(at);
        }
    }
    line.trim_end_matches(" &").split(' ').filter(|word| *word != "…").collect::<Vec<_>>().join(" ")
}

#[test]
fn every_command_line_in_the_documents_is_accepted() {
    let mut commands = Vec::new();
    let mut documents = files(root().join("docs"), "md");
    documents.extend(["README.md", "METHODOLOGY.md"].map(|name| root().join(name)));
    for path in documents {
        let found = in_markdown(&fs::read_to_string(&path).unwrap());
        commands.extend(found.into_iter().map(|command| (path.clone(), command)));
    }
    for path in files(root().join("results"), "toml") {
        let found = in_record(&fs::read_to_string(&path).unwrap());
        commands.extend(found.into_iter().map(|command| (path.clone(), command)));
    }
    assert!(commands.len() > 90, "{} commands", commands.len());
    let mut refused = Vec::new();
    for (path, command) in commands {
        let words = shell_words::split(&command).unwrap();
        if let Err(error) = CommandLine::try_parse_from(words) {
            let is_shown = matches!(
                error.kind(),
                clap::error::ErrorKind::DisplayHelp | clap::error::ErrorKind::DisplayVersion
            );
            if !is_shown {
                refused.push(format!("{}: {command}\n{error}", path.display()));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn shells_comments_and_explanations_are_cut_off() {
    let text = "```\n$ luthier solve a --stats | sed 1d > b\nluthier parse x   # all\nluthier serve b || true\n```\n\n    \
                luthier run --bench a … \\\n        --jobs 2\n    luthier serve a      shows it\n";
    let expected = [
        "luthier solve a --stats",
        "luthier parse x",
        "luthier serve b",
        "luthier run --bench a --jobs 2",
        "luthier serve a",
    ];
    assert_eq!(in_markdown(text), expected);
    assert_eq!(in_record("commands = [\n    'luthier serve a',\n]\n"), ["luthier serve a"]);
}
