//! A progress line for commands that read many files; [`status_line`](crate::status_line) has the one
//! that moves by itself.

use std::time::{Duration, Instant};

use luthier_corpus::Survey;

use crate::output;
use crate::text;

const INTERVAL: Duration = Duration::from_millis(100);

/// A line that changes. Without a terminal it does nothing.
pub struct Line {
    shown: Option<Shown>,
}

struct Shown {
    last: Instant,
    visible: bool,
}

impl Line {
    /// A line that says nothing yet.
    pub fn new() -> Self {
        let shown =
            output::can_show_progress().then(|| Shown { last: Instant::now(), visible: false });
        Self { shown }
    }

    /// Whether it is shown: standard error is a terminal.
    pub fn is_seen(&self) -> bool {
        self.shown.is_some()
    }

    /// Shows a text, if it is time to.
    pub fn show(&mut self, text: impl FnOnce() -> String) {
        let Some(shown) = &mut self.shown else { return };
        if shown.last.elapsed() < INTERVAL {
            return;
        }
        shown.last = Instant::now();
        shown.visible = true;
        output::progress(&text());
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        if let Some(shown) = &mut self.shown
            && std::mem::take(&mut shown.visible)
        {
            output::progress("");
        }
    }
}

/// The progress of going through instances.
pub struct Progress {
    line: Line,
    survey: Option<Survey>,
}

impl Progress {
    /// `survey` is computed only if the line is shown.
    pub fn new(survey: impl FnOnce() -> Survey) -> Self {
        let line = Line::new();
        let survey = line.is_seen().then(survey);
        Self { line, survey }
    }

    /// Shows how many instances and bytes on disk are done, if it is time to.
    pub fn update(&mut self, instances: usize, bytes_done: u64) {
        let Some(survey) = &self.survey else { return };
        self.line.show(|| describe(survey, instances, bytes_done));
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

fn describe(survey: &Survey, instances: usize, bytes_done: u64) -> String {
    let percent = (bytes_done.min(survey.bytes) * 100).checked_div(survey.bytes).unwrap_or(100);
    // How many scripts an archive holds is unknown before it is read.
    let total = match survey.archives {
        0 => format!(" of {}", survey.files),
        _ => String::new(),
    };
    let (done, all) = (text::bytes(bytes_done), text::bytes(survey.bytes));
    format!("{percent:>3}%  {instances}{total} files  {done} of {all}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_files_is_said_only_if_it_is_known() {
        let files = Survey { files: 8, archives: 0, bytes: 2000 };
        assert_eq!(describe(&files, 3, 500), " 25%  3 of 8 files  500 B of 2.0 kB");
        let archives = Survey { files: 8, archives: 1, bytes: 0 };
        assert_eq!(describe(&archives, 3, 0), "100%  3 files  0 B of 0 B");
    }
}
