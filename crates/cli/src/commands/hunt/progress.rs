//! The status line of a hunt: share done (by time or number of cases), formulas and queries a second, the
//! share of queries that were decided, time left, findings so far, coverage, and the newest formula.

use std::time::{Duration, Instant};

use luthier_hunt::Summary;
use luthier_records::FindingKind;

use super::cases::Generated;
use crate::status_line::{Status, bar, clock, fit, rate};

/// How far a hunt has come.
pub struct HuntStatus {
    started: Instant,
    time: Option<Duration>,
    count: Option<u64>,
    cases: u64,
    formulas: u64,
    queries: u64,
    decided: u64,
    found: Vec<(FindingKind, u64)>,
    covered: Option<(usize, usize)>,
    newest: Option<String>,
}

impl HuntStatus {
    /// A hunt that begins now, with the bounds that it has.
    pub fn new(time: Option<Duration>, count: Option<u64>) -> Self {
        Self {
            started: Instant::now(),
            time,
            count,
            cases: 0,
            formulas: 0,
            queries: 0,
            decided: 0,
            found: Vec::new(),
            covered: None,
            newest: None,
        }
    }

    /// Takes the counts so far into account.
    pub fn observe(&mut self, summary: &Summary, generated: &Generated) {
        self.cases = summary.cases;
        self.formulas = summary.formulas;
        self.queries = summary.solvers.iter().map(|tally| tally.queries).sum();
        self.decided = summary.solvers.iter().map(luthier_hunt::Tally::decided).sum();
        self.covered = generated.cells();
        self.newest = generated.newest();
        let counts = FindingKind::hunted().map(|kind| (kind, summary.found(kind)));
        self.found = counts.filter(|(_, count)| *count > 0).collect();
    }

    /// The share that is done: of the time or of the cases, whichever ends first.
    fn share(&self, elapsed: Duration) -> Option<f64> {
        let of_time = self.time.map(|time| elapsed.as_secs_f64() / time.as_secs_f64().max(1e-9));
        let of_cases = self.count.map(|count| self.cases as f64 / count.max(1) as f64);
        let largest = of_time.into_iter().chain(of_cases).fold(f64::NEG_INFINITY, f64::max);
        largest.is_finite().then_some(largest.min(1.0))
    }
}

impl Status for HuntStatus {
    fn line(&self, now: Instant, width: usize) -> String {
        let elapsed = now.saturating_duration_since(self.started);
        let mut parts = Vec::new();
        let share = self.share(elapsed);
        parts.extend(share.map(|share| bar(share, width)));
        parts.push(clock(elapsed.as_secs_f64()));
        parts.push(format!("{} formulas", self.formulas));
        parts.push(rate(usize::try_from(self.formulas).unwrap_or(usize::MAX), elapsed));
        if self.queries > 0 {
            let queries = rate(usize::try_from(self.queries).unwrap_or(usize::MAX), elapsed);
            parts.push(format!("{queries} queries"));
            parts.push(format!("{}% decided", self.decided * 100 / self.queries));
        }
        if let Some(share) = share.filter(|share| *share > 0.0) {
            let left = elapsed.as_secs_f64() * (1.0 - share) / share;
            parts.push(format!("{} left", clock(left)));
        }
        parts.extend(self.found.iter().map(|(kind, count)| format!("{kind} {count}")));
        if let Some((covered, total)) = self.covered {
            parts.push(format!("coverage {}%", covered * 100 / total.max(1)));
        }
        // Last, because it is the longest and a narrow terminal cuts the end off.
        parts.extend(self.newest.clone());
        fit(&parts, width)
    }
}

/// How much of the coverage map was reached, as the end of a list.
pub fn describe_coverage((covered, total): (usize, usize)) -> String {
    format!(", {covered} of {total} cells covered")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use luthier_generator::Suite;

    use super::super::cases::{Cases, Selection};
    use super::*;

    #[test]
    fn the_line_has_share_rate_time_left_and_findings() {
        let mut summary = Summary { formulas: 500, cases: 250, ..Summary::default() };
        let mut status = HuntStatus::new(Some(Duration::from_secs(8)), Some(10_000));
        status.observe(&summary, &Generated::default());
        let later = status.started + Duration::from_secs(2);
        assert_eq!(
            status.line(later, 80),
            "[##........]  25%  0:02  500 formulas  250/s  0:06 left"
        );
        let mut tally = luthier_hunt::Tally {
            queries: 800,
            sat: 200,
            unsat: 400,
            ..luthier_hunt::Tally::default()
        };
        tally.found.insert(FindingKind::WrongSat, 3);
        summary.solvers.push(tally);
        let mut endless = HuntStatus { time: None, count: None, ..status };
        let generated = Generated::default();
        let suites = vec![Suite::Tangled];
        let selection = Selection { suites, seed: 0, start: 0, variants: 0, seeds: Arc::default() };
        let name =
            Cases::new(&selection, generated.clone()).next().unwrap().formulas[0].name.clone();
        endless.observe(&summary, &generated);
        let line = endless.line(later, 200);
        let expected =
            "0:02  500 formulas  250/s  400/s queries  75% decided  wrong-sat 3  coverage ";
        assert!(line.starts_with(expected) && line.ends_with(&format!("%  {name}")), "{line}");
    }
}
