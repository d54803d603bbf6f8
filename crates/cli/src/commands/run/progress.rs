//! The line that says how far a campaign has come.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use luthier_campaign::Event;
use luthier_records::{Class, ModelOutcome};

use crate::output;

const INTERVAL: Duration = Duration::from_millis(100);

/// The progress of a campaign. Without a terminal it does nothing.
pub struct RunProgress {
    is_shown: bool,
    last: Option<Instant>,
    visible: bool,
    classes: BTreeMap<Class, usize>,
    invalid_models: usize,
    /// When the first run began, and how many were there then.
    started: Option<(Instant, usize)>,
}

impl RunProgress {
    /// Nothing has happened yet.
    pub fn new() -> Self {
        Self {
            is_shown: output::can_show_progress(),
            last: None,
            visible: false,
            classes: BTreeMap::new(),
            invalid_models: 0,
            started: None,
        }
    }

    /// Takes an event into account, and shows it if it is time to.
    pub fn update(&mut self, event: &Event<'_>) {
        let line = match event {
            Event::Planned(planned) => {
                self.started = Some((Instant::now(), planned.recorded));
                return;
            }
            Event::Finished { run, done, total, .. } => {
                *self.classes.entry(run.class).or_default() += 1;
                let models = run.answers.iter().filter_map(|answer| answer.model.as_ref());
                let invalid = models.filter(|model| model.outcome == ModelOutcome::Invalid);
                self.invalid_models += invalid.count();
                if !self.is_time() {
                    return;
                }
                self.describe(*done, *total)
            }
            Event::Registering { instances, set } if self.is_time() => {
                format!("reading {set}: {instances} instances")
            }
            _ => return,
        };
        self.visible = true;
        output::progress(&line);
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.visible) {
            output::progress("");
        }
    }

    fn is_time(&mut self) -> bool {
        let due = self.is_shown && self.last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }

    fn describe(&self, done: usize, total: usize) -> String {
        let percent = done * 100 / total.max(1);
        let classes: Vec<String> =
            self.classes.iter().map(|(class, count)| format!("{class} {count}")).collect();
        let mut line = format!("{percent:>3}%  {done} of {total} runs  {}", classes.join("  "));
        if self.invalid_models > 0 {
            line.push_str(&format!("  INVALID MODELS {}", self.invalid_models));
        }
        if let Some((started, before)) = self.started {
            let made = done.saturating_sub(before).max(1);
            let left = total.saturating_sub(done);
            let seconds = started.elapsed().as_secs_f64() / made as f64 * left as f64;
            line.push_str(&format!("  {} left", clock(seconds)));
        }
        line
    }
}

/// Seconds as `m:ss` or `h:mm:ss`.
fn clock(seconds: f64) -> String {
    let seconds = seconds.min(1e9).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{RunProgress, clock};

    #[test]
    fn times_are_shown_as_on_a_clock() {
        assert_eq!(clock(61.2), "1:01");
        assert_eq!(clock(3725.0), "1:02:05");
    }

    #[test]
    fn the_line_counts_and_estimates() {
        let mut progress = RunProgress::new();
        progress.classes.insert(luthier_records::Class::Timeout, 3);
        progress.invalid_models = 1;
        let line = progress.describe(50, 200);
        assert_eq!(line, " 25%  50 of 200 runs  timeout 3  INVALID MODELS 1");
    }
}
