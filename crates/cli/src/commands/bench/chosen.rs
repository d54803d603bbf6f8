//! The sets that a command is about: names of known sets, or paths.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use luthier_corpus::audit::{AuditedSet, Examined, examine};
use luthier_corpus::sets::Sets;
use luthier_corpus::{Flow, Options, survey};

use crate::commands::run::set_name;
use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;

/// The sets by name or path; all that are on this machine if none is given. A word without a slash is the name of
/// a set if there is one, otherwise a path.
pub fn chosen(words: &[String], sets: &Sets) -> Result<Vec<AuditedSet>, CliError> {
    if words.is_empty() {
        let present = sets.all_present();
        if present.is_empty() {
            return Err(CliError::usage("no benchmark set is on this machine")
                .with_hint("say where one is with `luthier bench add NAME PATH`, or name a path"));
        }
        let set = |(set, path): (luthier_corpus::sets::KnownSet<'_>, PathBuf)| AuditedSet {
            name: set.name.to_owned(),
            paths: vec![path],
            claims: set.description.map(|one| one.claims()).unwrap_or_default(),
        };
        return Ok(present.into_iter().map(set).collect());
    }
    let mut all = Vec::new();
    for word in words {
        let is_path = word.contains('/') || sets.find(word).is_none() && Path::new(word).exists();
        all.push(if is_path {
            let path = PathBuf::from(word);
            AuditedSet { name: set_name(&path), paths: vec![path], claims: Vec::new() }
        } else {
            let (set, path) = sets.present(word)?;
            let claims = set.description.map(|one| one.claims()).unwrap_or_default();
            AuditedSet { name: word.clone(), paths: vec![path.to_owned()], claims }
        });
    }
    let mut names: Vec<&str> = all.iter().map(|set| set.name.as_str()).collect();
    names.sort_unstable();
    if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(CliError::usage(format!("there are two sets `{}`", twice[0])));
    }
    Ok(all)
}

/// Reads the files of sets, with progress on the terminal.
pub fn read(
    sets: Vec<AuditedSet>,
    jobs: Option<NonZeroUsize>,
    output: &Output,
) -> Result<Examined, CliError> {
    let jobs = jobs.or_else(|| available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let mut current: Option<(String, Progress)> = None;
    let examined = examine(sets, jobs, |set, position| {
        if current.as_ref().is_none_or(|(name, _)| *name != set.name) {
            if let Some((_, mut progress)) = current.take() {
                progress.clear();
            }
            let progress = Progress::new(|| survey(&set.paths, &Options::default()));
            current = Some((set.name.clone(), progress));
        }
        if let Some((_, progress)) = &mut current {
            progress.update(position.delivered, position.bytes_done);
        }
        Flow::Continue
    });
    if let Some((_, mut progress)) = current {
        progress.clear();
    }
    let examined = examined.ok_or_else(|| CliError::usage("the reading was stopped"))?;
    for set in &examined.sets {
        for message in &set.unreadable {
            output.report_error(&CliError::usage(message.as_str()));
        }
    }
    if examined.sets.iter().all(|set| set.members.is_empty()) {
        let unreadable = examined.sets.iter().map(|set| set.unreadable.len()).sum();
        return Err(crate::commands::nothing_to_read(unreadable));
    }
    Ok(examined)
}
