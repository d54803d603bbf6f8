//! The JSON of `luthier conformance`.

use std::collections::BTreeMap;

use luthier_conformance::{Fact, FactOutcome, FactPrinter, FactResult, Tally};
use serde::Serialize;

use super::Results;
use super::solvers::Examinee;
use crate::json::VERSION;

#[derive(Serialize)]
pub struct Record {
    version: u32,
    /// How many facts each release was asked for.
    facts: usize,
    timeout_seconds: f64,
    releases: Vec<ReleaseRecord>,
    /// Releases that were named and could not be examined.
    failed: Vec<FailedRecord>,
}

#[derive(Serialize)]
struct ReleaseRecord {
    /// Solver, version and option sets.
    name: String,
    /// What it was called on the command line.
    given: String,
    option_sets: Vec<String>,
    path: Option<String>,
    sha256: Option<String>,
    dialect: &'static str,
    /// Whether it was asked in the words of the suite, and not in a translation.
    as_written: bool,
    counts: Counts,
    operators: Vec<OperatorRecord>,
    /// All facts that did not come out right.
    findings: Vec<FindingRecord>,
}

#[derive(Serialize)]
struct OperatorRecord {
    operator: &'static str,
    file: &'static str,
    facts: usize,
    counts: Counts,
}

/// How often each outcome came out; those that did not are left out.
type Counts = BTreeMap<&'static str, usize>;

#[derive(Serialize)]
struct FindingRecord {
    fact: String,
    operator: &'static str,
    /// The fact in SMT-LIB 2.7.
    text: String,
    outcome: &'static str,
    detail: String,
    /// For wrong answers only: a script to which the release answers `sat` in place of `unsat`.
    script: Option<String>,
    /// For wrong answers only: the script is read with the options for several queries.
    incremental: Option<bool>,
    /// For wrong answers only: what it says of the fact itself.
    of_fact: Option<&'static str>,
}

#[derive(Serialize)]
struct FailedRecord {
    name: String,
    error: String,
}

impl Record {
    /// The record of results.
    pub fn of(results: &Results<'_>, problems: &[(String, String)]) -> Self {
        let releases = results.examinees.iter().zip(&results.findings);
        let problems = problems.iter();
        Self {
            version: VERSION,
            facts: results.suite.facts.len(),
            timeout_seconds: results.timeout.as_secs_f64(),
            releases: releases.map(|(one, found)| release_record(results, one, found)).collect(),
            failed: problems
                .map(|(name, error)| FailedRecord { name: name.clone(), error: error.clone() })
                .collect(),
        }
    }
}

fn release_record(
    results: &Results<'_>,
    examinee: &Examinee,
    findings: &[FactResult],
) -> ReleaseRecord {
    let suite = results.suite;
    let operators = suite.by_file().into_iter().map(|(file, range)| OperatorRecord {
        operator: suite.files[file].operator,
        file: suite.files[file].path,
        facts: range.len(),
        counts: counts(&findings[range]),
    });
    let facts = suite.facts.iter().zip(findings);
    let release = &examinee.solver.release;
    let wording = FactPrinter { dialect: examinee.solver.dialect };
    ReleaseRecord {
        name: examinee.label.clone(),
        given: examinee.given.clone(),
        option_sets: examinee.solver.option_sets.clone(),
        path: release.program.file().ok().map(|file| file.display().to_string()),
        sha256: release.sha256().ok(),
        dialect: wording.dialect.name(),
        as_written: wording.is_standard(),
        counts: counts(findings),
        operators: operators.collect(),
        findings: facts
            .filter(|(_, finding)| finding.outcome != FactOutcome::Right)
            .map(|(fact, finding)| finding_record(suite.files[fact.file].operator, fact, finding))
            .collect(),
    }
}

fn finding_record(operator: &'static str, fact: &Fact, finding: &FactResult) -> FindingRecord {
    let wrong = finding.wrong.as_ref();
    FindingRecord {
        fact: fact.name.clone(),
        operator,
        text: fact.text.clone(),
        outcome: finding.outcome.name(),
        detail: finding.detail.clone(),
        script: wrong.map(|wrong| wrong.script.clone()),
        incremental: wrong.map(|wrong| wrong.incremental),
        of_fact: wrong.and_then(|wrong| wrong.of_fact).map(|verdict| verdict.name()),
    }
}

fn counts(findings: &[FactResult]) -> Counts {
    let tally = Tally::of(findings);
    let counted =
        FactOutcome::ALL.into_iter().map(|outcome| (outcome.name(), tally.count(outcome)));
    counted.filter(|(_, count)| *count > 0).collect()
}
