//! The status line of a reduction: time, nodes, candidates, rate.

use std::time::Instant;

use luthier_triage::Progress;

use crate::status_line::{Status, clock, fit, rate};

/// How far a reduction has come.
pub struct ReduceStatus {
    started: Instant,
    progress: Option<Progress>,
}

impl ReduceStatus {
    /// A reduction that begins now.
    pub fn new() -> Self {
        Self { started: Instant::now(), progress: None }
    }

    /// Takes a step into account.
    pub fn observe(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }
}

impl Status for ReduceStatus {
    fn line(&self, now: Instant, width: usize) -> String {
        let elapsed = now.saturating_duration_since(self.started);
        let mut parts = vec![clock(elapsed.as_secs_f64())];
        match self.progress {
            None => parts.push("confirming the failure and the answer".to_owned()),
            Some(Progress { nodes, candidates }) => {
                parts.push(format!("{nodes} nodes"));
                parts.push(format!("{candidates} candidates"));
                let candidates = usize::try_from(candidates).unwrap_or(usize::MAX);
                parts.push(rate(candidates, elapsed));
            }
        }
        fit(&parts, width)
    }
}
