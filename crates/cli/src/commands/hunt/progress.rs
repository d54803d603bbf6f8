//! The line that says how far a hunt has come.

use std::time::{Duration, Instant};

use luthier_hunt::Summary;
use luthier_records::FindingKind;

use crate::output;

const INTERVAL: Duration = Duration::from_millis(200);

/// The progress of a hunt. Without a terminal it does nothing.
pub struct HuntProgress {
    is_shown: bool,
    last: Option<Instant>,
    visible: bool,
}

impl HuntProgress {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self { is_shown: output::can_show_progress(), last: None, visible: false }
    }

    /// Shows how far it is, if it is time to.
    pub fn update(&mut self, summary: &Summary, covered: Option<(usize, usize)>) {
        if !self.is_shown || self.last.is_some_and(|last| last.elapsed() < INTERVAL) {
            return;
        }
        self.last = Some(Instant::now());
        self.visible = true;
        output::progress(&describe(summary, covered));
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            output::progress("");
        }
    }
}

/// How much of the coverage map was reached, as the end of a list.
pub fn describe_coverage((covered, total): (usize, usize)) -> String {
    format!(", {covered} of {total} cells covered")
}

fn describe(summary: &Summary, covered: Option<(usize, usize)>) -> String {
    let seconds = summary.elapsed.as_secs_f64();
    let speed = summary.formulas as f64 / seconds.max(1e-9);
    let mut line = format!("{seconds:.0} s  {} formulas  {speed:.0}/s", summary.formulas);
    for class in FindingKind::hunted() {
        let count = summary.found(class);
        if count > 0 {
            line.push_str(&format!("  {class} {count}"));
        }
    }
    if let Some((covered, total)) = covered {
        line.push_str(&format!("  coverage {}%", covered * 100 / total.max(1)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_the_speed_and_what_was_found() {
        let mut summary =
            Summary { formulas: 500, elapsed: Duration::from_secs(2), ..Summary::default() };
        assert_eq!(describe(&summary, None), "2 s  500 formulas  250/s");
        let mut tally = luthier_hunt::Tally::default();
        tally.found.insert(FindingKind::WrongSat, 3);
        summary.solvers.push(tally);
        let line = describe(&summary, Some((1, 4)));
        assert_eq!(line, "2 s  500 formulas  250/s  wrong-sat 3  coverage 25%");
    }
}
