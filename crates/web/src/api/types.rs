//! Types that several responses share.

use std::time::Duration;

use luthier_records::{Answer, GroundTruth, Judgement, Timestamp};
use luthier_report::figures::exact_seconds;
use luthier_report::measures::Competitor;
use luthier_report::{Entry, Results, RunInfo, documents};
use schemars::JsonSchema;
use serde::Serialize;

/// Something with a number and a name.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Named {
    /// Its number.
    pub number: i64,
    /// Its name.
    pub name: String,
}

/// Where a file stands.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PlaceOf {
    /// The set.
    pub set: Named,
    /// The track; sets without tracks have one with the empty name.
    pub track: Named,
    /// The name of the file.
    pub name: String,
}

/// The ground truth of a query, and what contradicts what.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct GroundTruthRow {
    /// `sat`, `unsat` or `unknown`; null if nothing decides.
    pub expected: Option<&'static str>,
    /// Why: `planted`, `model`, `status` or `agreement`.
    pub evidence: Option<&'static str>,
    /// Contradictions between pieces of evidence or between solvers.
    pub conflicts: Vec<&'static str>,
}

/// A run, in short.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct RunRow {
    /// Its number.
    pub run: i64,
    /// The solver.
    pub solver: Named,
    /// Which repetition it is, from 0.
    pub repetition: u32,
    /// How it ended: `sat`, `unsat`, `unknown`, `timeout`, `memout`, `crash`, `unsupported`,
    /// `malformed` or `framework-error`.
    pub class: &'static str,
    /// The worst judgement on its answers: `right`, `wrong`, `disputed`, `unjudged` or `no-claim`.
    pub judgement: &'static str,
    /// On what evidence it is right or wrong.
    pub evidence: Option<&'static str>,
    /// Whether it answered, and nothing is known against that.
    pub solved: bool,
    /// Whether an answer is wrong or a model invalid.
    pub refuted: bool,
    /// The worst outcome of its models; null if it printed none.
    pub model: Option<&'static str>,
    /// The worst outcome of its cores; null if it printed none.
    pub core: Option<&'static str>,
    /// CPU time, in seconds.
    pub cpu: f64,
    /// Wall time, in seconds.
    pub wall: f64,
    /// The largest memory, in bytes.
    pub memory: u64,
    /// The CPU time that it was given, in seconds.
    pub cpu_limit: Option<f64>,
}

impl PlaceOf {
    /// The place of an entry.
    pub fn of(results: &Results, entry: &Entry) -> Self {
        let track = &results.tracks[entry.track];
        let set = &results.sets[track.set];
        Self {
            set: Named { number: set.number, name: set.name.clone() },
            track: Named { number: track.number, name: track.name.clone() },
            name: entry.name.to_string(),
        }
    }
}

impl GroundTruthRow {
    /// The ground truth of a query.
    pub fn of(truth: &GroundTruth) -> Self {
        Self {
            expected: truth.verdict.map(|(verdict, _)| verdict.name()),
            evidence: truth.verdict.map(|(_, evidence)| evidence.name()),
            conflicts: truth.conflicts.iter().map(|conflict| conflict.name()).collect(),
        }
    }
}

impl RunRow {
    /// A run.
    pub fn of(results: &Results, run: &RunInfo) -> Self {
        let scored = &run.scored;
        Self {
            run: run.number,
            solver: solver(results, run.solver),
            repetition: run.repetition,
            class: scored.class.name(),
            judgement: scored.judgement.name(),
            evidence: evidence(scored.judgement),
            solved: scored.is_solved(),
            refuted: scored.is_refuted(),
            model: scored.model.map(|model| model.name()),
            core: scored.core.map(|core| core.name()),
            cpu: seconds(scored.cpu.0),
            wall: seconds(scored.wall.0),
            memory: run.peak_memory.0,
            cpu_limit: limit(scored.cpu_limit.0),
        }
    }
}

/// A solver by its index.
pub(crate) fn solver(results: &Results, solver: usize) -> Named {
    let info = &results.solvers[solver];
    Named { number: info.number, name: info.label.clone() }
}

/// A set by its index.
pub(crate) fn set(results: &Results, set: usize) -> Named {
    let info = &results.sets[set];
    Named { number: info.number, name: info.name.clone() }
}

/// The solver of a standing; null for the virtual best solver.
pub(crate) fn competitor(results: &Results, who: Competitor) -> Option<Named> {
    match who {
        Competitor::Solver(index) => Some(solver(results, index)),
        Competitor::VirtualBest => None,
    }
}

/// The evidence of a judgement.
pub(crate) fn evidence(judgement: Judgement) -> Option<&'static str> {
    match judgement {
        Judgement::Right(evidence) | Judgement::Wrong(evidence) => Some(evidence.name()),
        Judgement::Disputed | Judgement::Unjudged | Judgement::NoClaim => None,
    }
}

/// A time in seconds, as documents for programs have it.
pub(crate) fn seconds(duration: Duration) -> f64 {
    exact_seconds(duration)
}

/// A limit in seconds; none if there is no limit.
pub(crate) fn limit(duration: Duration) -> Option<f64> {
    (duration < Duration::MAX / 4).then(|| seconds(duration))
}

/// `2026-11-16T08:21:31Z`; none if the time is not known.
pub(crate) fn moment(time: Timestamp) -> Option<String> {
    let text = documents::moment(time)?;
    let (date, hour) = text.split_once(' ')?;
    Some(format!("{date}T{}Z", hour.trim_end_matches(" UTC")))
}

/// The model of an answer as it was printed, with the values that were asked for.
pub(crate) fn model_text(answer: &Answer) -> Option<Vec<u8>> {
    let texts: Vec<&[u8]> =
        answer.model.iter().chain(&answer.values).map(|text| text.as_bytes()).collect();
    (!texts.is_empty()).then(|| texts.join(&b'\n'))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use luthier_records::Timestamp;

    use super::{limit, moment, seconds};

    #[test]
    fn times_have_the_digits_that_were_measured() {
        for (micros, text) in [(12_345_679, "12.345679"), (1, "1e-6"), (100_000, "0.1"), (0, "0.0")]
        {
            let json = serde_json::to_string(&seconds(Duration::from_micros(micros))).unwrap();
            assert_eq!(json, text);
        }
        let long = Duration::from_micros(987_654_321_123_457);
        assert_eq!(serde_json::to_string(&seconds(long)).unwrap(), "987654321.123457");
        assert_eq!(limit(Duration::MAX), None);
        assert_eq!(limit(Duration::from_secs(20)), Some(20.0));
    }

    #[test]
    fn moments_are_those_of_rfc_3339() {
        let text = moment(Timestamp(1_700_000_000_000));
        assert_eq!(text.as_deref(), Some("2023-11-14T22:13:20Z"));
        assert_eq!(moment(Timestamp(0)), None);
    }
}
