//! `luthier man`: manual pages, made from the same definitions as the help.

use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_mangen::Man;
use serde::Serialize;

use crate::args::CommandLine;
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;
use crate::whole_file::WholeFile;

const EXAMPLES: &str = "\
Examples:
  luthier man run | man -l -
  luthier man --out ~/.local/share/man/man1";

/// Print a manual page, or write all of them
///
/// Without --out it prints the page of one command, or luthier(1), in the format of man. With --out
/// it writes luthier.1 and a page for each command, such as luthier-run.1, into a folder, which is
/// made if it is missing. Ends with 0, or with 1 if a page cannot be written.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The command, such as run or `solvers install`; without one, luthier itself
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,
    /// Write all pages into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The JSON of `luthier man`.
#[derive(Serialize)]
struct Record {
    version: u32,
    /// The page; `null` with `--out`.
    page: Option<String>,
    /// The files that were written.
    files: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let mut luthier = CommandLine::command();
    luthier.build();
    let mut record = Record { version: VERSION, page: None, files: Vec::new() };
    match &arguments.out {
        None => {
            let page = page(named(&luthier, &arguments.command)?)?;
            if output.json {
                record.page = Some(String::from_utf8_lossy(&page).into_owned());
            } else {
                output.data(&page)?;
            }
        }
        Some(folder) => {
            let cannot = |error| CliError::usage(format!("{}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(cannot)?;
            for command in all(&luthier) {
                let path = folder.join(format!("{}.1", name(command)));
                let mut file = WholeFile::create(&path)?;
                file.write(&page(command)?)?;
                file.finish()?;
                record.files.push(path.display().to_string());
            }
            if !output.json {
                let pages = counted(record.files.len(), "page");
                output.message(format_args!("{pages} written to {}", folder.display()));
            }
        }
    }
    if output.json {
        output.json_line(&record)?;
    }
    Ok(Ending::Fine)
}

/// The command with this name; its words go from the outer to the inner command.
fn named<'a>(luthier: &'a clap::Command, words: &[String]) -> Result<&'a clap::Command, CliError> {
    let mut command = luthier;
    for word in words {
        command = command.find_subcommand(word).ok_or_else(|| {
            CliError::usage(format!("there is no command `{}`", words.join(" ")))
                .with_hint("`luthier -h` lists the commands")
        })?;
    }
    Ok(command)
}

/// The command and all commands below it that the help shows.
fn all(luthier: &clap::Command) -> Vec<&clap::Command> {
    let mut found = vec![luthier];
    let mut next = 0;
    while let Some(command) = found.get(next).copied() {
        found.extend(command.get_subcommands().filter(|command| !command.is_hide_set()));
        next += 1;
    }
    found
}

/// `luthier-run` for `luthier run`.
fn name(command: &clap::Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &clap::Command) -> Result<Vec<u8>, CliError> {
    let mut page = Vec::new();
    let written = Man::new(command.clone()).render(&mut page);
    written.map_err(|error| CliError::Bug { message: format!("no manual page: {error}") })?;
    Ok(ascii(&String::from_utf8_lossy(&page)).into_bytes())
}

/// The page without characters that not every troff reads: `…` is `\[u2026]`.
fn ascii(page: &str) -> String {
    let mut written = String::with_capacity(page.len());
    for character in page.chars() {
        match character {
            _ if character.is_ascii() => written.push(character),
            _ => written.push_str(&format!("\\[u{:04X}]", u32::from(character))),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_shown_has_a_page_of_its_own() {
        let mut luthier = CommandLine::command();
        luthier.build();
        let commands = all(&luthier);
        let mut names: Vec<&str> = commands.iter().map(|command| name(command)).collect();
        for expected in ["luthier", "luthier-run", "luthier-solvers-install", "luthier-man"] {
            assert!(names.contains(&expected), "{expected}: {names:?}");
        }
        assert!(!names.contains(&"luthier-cvc5-shell"), "{names:?}");
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
