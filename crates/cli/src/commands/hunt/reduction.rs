//! Findings of a hunt made minimal, as they come.
//!
//! A reduction runs while workers go on with the hunt, in one process at a time and within a limit, so that
//! it delays only the next report. What cannot be reduced (slow formulas, disputes, wrong rewrites, which are small already, and contradictions whose answer
//! nobody can establish) is kept as it is, and the line of the finding says so.

use std::time::Duration;

use luthier_ask::Solver;
use luthier_hunt::Finding;
use luthier_records::FindingKind;
use luthier_runner::releases::Releases;
use luthier_smtlib::Dialect;
use luthier_triage::{Input, Keep, Settings, annotated, reduce, stated_truth};

use crate::commands::reduce::comments;
use crate::commands::triage::{ProcessOptions, Workplace, parse_formula};
use crate::error::CliError;

/// The wall-clock time for one reduction.
const TIME: Duration = Duration::from_secs(20);

/// Reduces findings.
pub struct Reduction {
    workplace: Workplace,
}

/// A reduced finding.
pub struct ReducedFinding {
    pub text: String,
    pub nodes: [u64; 2],
}

impl Reduction {
    /// With this CPU time for one formula.
    pub fn new(releases: &Releases, timeout: Duration) -> Result<Self, CliError> {
        let options = ProcessOptions { timeout, jobs: Some(1), install: false };
        Ok(Self { workplace: Workplace::new(releases, &options)? })
    }

    /// The reduced formula of a finding; `None` if it cannot be reduced.
    pub fn reduced(&self, finding: &Finding, solvers: &[Solver]) -> Option<ReducedFinding> {
        let solver = solvers.iter().find(|solver| solver.name == finding.solver)?;
        let kept = [
            FindingKind::Slow,
            FindingKind::PlantedAgainstModel,
            FindingKind::Disputed,
            FindingKind::WrongRewrite,
        ];
        // A reduction asks with check-sat, which answers correctly.
        if kept.contains(&finding.class) || finding.query.is_some() {
            return None;
        }
        let text = finding.text.as_bytes();
        let (mut pool, script) =
            parse_formula(&finding.formula, text, Some(Dialect::Smt27)).ok()?;
        let truth = stated_truth(&mut pool, &script);
        let input = Input { pool, script, truth, keep: Keep::Kind(finding.class) };
        let settings = Settings {
            trial: self.workplace.trial(solver),
            provers: &self.workplace.provers,
            time: Some(TIME),
        };
        let mut reduced = reduce(input, &settings, &mut |_| {}).ok()?;
        let comments = comments(&reduced, &finding.formula, &solver.name);
        let file = annotated(&mut reduced.pool, &reduced.script, &reduced.truth, &comments);
        Some(ReducedFinding { text: file.text, nodes: reduced.nodes })
    }
}
