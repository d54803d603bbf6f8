//! A release with its options, as the one who is asked.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{io, thread};

use luthier_records::{Ending, WallTime};
use luthier_runner::process::{self, Command, Limits};
use luthier_runner::releases::{Release, ReleaseError, Request};

use crate::outcome::{Finding, Outcome};
use crate::suite::Suite;
use crate::survey::{Ask, Reply, survey};
use crate::wording::Wording;

/// The file that a release reads.
const SCRIPT: &str = "facts.smt2";
/// Wall time is a safety net only: with many processes beside it, a release gets a small share of
/// a processor.
const WALL_PER_CPU: u32 = 10;
const SMALLEST_WALL: Duration = Duration::from_secs(60);

/// Who is asked, and how.
#[derive(Clone, Debug)]
pub struct Subject {
    release: Release,
    option_sets: Vec<String>,
    wording: Wording,
    luthier: PathBuf,
    limits: Limits,
}

impl Subject {
    /// A release with option sets of its description. `luthier` is the binary that runs releases
    /// that are libraries; `timeout` is CPU time for a fact.
    pub fn new(
        release: Release,
        option_sets: Vec<String>,
        wording: Wording,
        luthier: PathBuf,
        timeout: Duration,
    ) -> Result<Self, ReleaseError> {
        let wall = WallTime(timeout.saturating_mul(WALL_PER_CPU).max(SMALLEST_WALL));
        let limits = Limits { wall, ..Limits::with_cpu(timeout) };
        let subject = Self { release, option_sets, wording, luthier, limits };
        // An option set that it does not have is known now and not in the middle.
        subject.release.invocation(&subject.luthier, "".as_ref(), &subject.request(false))?;
        Ok(subject)
    }

    /// The release.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// The words in which it is asked.
    pub fn wording(&self) -> Wording {
        self.wording
    }

    /// Asks subjects for all facts of a suite, in some threads. There is a list of findings for
    /// each subject, in the order of the facts. `done` is told how many facts are settled, over
    /// all subjects, as often as that changes.
    pub fn examine_all(
        subjects: &[Self],
        suite: &Suite,
        threads: usize,
        done: &(dyn Fn(usize) + Sync),
    ) -> Vec<Vec<Finding>> {
        let files = suite.by_file();
        // A file at a time of one subject after the other: releases that are slow do not all wait
        // for the end.
        let mut tasks: Vec<(usize, usize, Range<usize>)> = Vec::new();
        for (file, range) in files {
            tasks.extend((0..subjects.len()).map(|subject| (subject, file, range.clone())));
        }
        let next = AtomicUsize::new(0);
        let settled = AtomicUsize::new(0);
        let nothing = Finding::plain(Outcome::NotAsked);
        let findings = Mutex::new(vec![vec![nothing; suite.facts.len()]; subjects.len()]);
        let work = || {
            while let Some((subject, file, range)) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
            {
                let found = subjects[*subject].examine(suite, *file, range.clone());
                let count = found.len();
                let mut findings =
                    findings.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                for (position, finding) in range.clone().zip(found) {
                    findings[*subject][position] = finding;
                }
                drop(findings);
                done(settled.fetch_add(count, Ordering::Relaxed) + count);
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(work);
            }
        });
        findings.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Asks for the facts of one file.
    fn examine(&self, suite: &Suite, file: usize, range: Range<usize>) -> Vec<Finding> {
        let folder = match tempfile::tempdir() {
            Ok(folder) => folder,
            Err(error) => {
                let finding = Finding::with_detail(Outcome::NotAsked, error.to_string());
                return vec![finding; range.len()];
            }
        };
        let mut ask = |ask: &Ask| {
            self.ask(ask, folder.path()).unwrap_or_else(|error| Reply {
                stdout: Vec::new(),
                ending: Ending::NotStarted(error.to_string()),
            })
        };
        let logic = &suite.files[file].logic;
        let words: Vec<_> =
            suite.facts[range].iter().map(|fact| self.wording.words(suite, fact)).collect();
        let mut findings: Vec<Finding> = words
            .iter()
            .map(|words| match &words.first {
                Ok(_) => Finding::plain(Outcome::NotAsked),
                Err(error) => Finding::with_detail(Outcome::Inexpressible, error.to_string()),
            })
            .collect();
        let first = words.iter().map(|words| words.first.clone().ok());
        for (position, finding) in survey_some(logic, first, &mut ask) {
            findings[position] = finding;
        }
        let second = words.into_iter().zip(&findings).map(|(words, finding)| {
            words.second.filter(|_| finding.outcome == Outcome::Unsupported)
        });
        let second: Vec<_> = second.collect();
        for (position, finding) in survey_some(logic, second, &mut ask) {
            match finding.outcome {
                Outcome::Right => findings[position].outcome = Outcome::Rewritten,
                Outcome::Wrong => findings[position] = finding,
                _ => {}
            }
        }
        findings
    }

    fn ask(&self, ask: &Ask, folder: &Path) -> Result<Reply, AskError> {
        let request = self.request(ask.incremental);
        // Run in the folder, a release does not put the folder's name, which is different every
        // time, into its messages.
        let invocation = self.release.invocation(&self.luthier, SCRIPT.as_ref(), &request)?;
        let mut text = String::new();
        for line in &invocation.script {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(&ask.script);
        fs::write(folder.join(SCRIPT), text)?;
        let mut command = Command::new(invocation.program).arguments(invocation.arguments);
        command.working_directory = Some(folder.to_owned());
        let outcome = process::run(&command, &self.limits, None);
        Ok(Reply { stdout: outcome.stdout.bytes, ending: outcome.ending })
    }

    fn request(&self, incremental: bool) -> Request {
        Request { incremental, option_sets: self.option_sets.clone(), ..Request::default() }
    }
}

/// Surveys the facts that are there, and gives each finding with the position of its fact.
fn survey_some(
    logic: &str,
    facts: impl IntoIterator<Item = Option<String>>,
    ask: &mut dyn FnMut(&Ask) -> Reply,
) -> Vec<(usize, Finding)> {
    let numbered = facts.into_iter().enumerate();
    let (positions, facts): (Vec<usize>, Vec<String>) =
        numbered.filter_map(|(position, fact)| Some((position, fact?))).unzip();
    positions.into_iter().zip(survey(logic, &facts, ask)).collect()
}

/// Why a script did not get to the release.
#[derive(Debug, thiserror::Error)]
enum AskError {
    #[error(transparent)]
    Release(#[from] ReleaseError),
    #[error(transparent)]
    File(#[from] io::Error),
}
