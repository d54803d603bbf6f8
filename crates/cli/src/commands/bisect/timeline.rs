//! The timeline of a bisection: a line of marks and a table on the terminal, and a chart.

use std::path::Path;

use luthier_report::plots::{ReleaseOutcome, release_outcomes};
use luthier_report::{Column, Table, render_table};

use super::{Bisection, Observed};
use crate::commands::report::Picture;
use crate::error::CliError;
use crate::output::{self, Output};
use crate::text::shorten;

/// A bisection to be shown.
pub struct Timeline<'a> {
    bisection: &'a Bisection,
}

impl<'a> Timeline<'a> {
    pub fn new(bisection: &'a Bisection) -> Self {
        Self { bisection }
    }

    /// One mark for each observed release, oldest first: `✗` fails, `✓` is right, `·` cannot tell.
    pub fn strip(&self) -> String {
        let mark = |fails: Option<bool>| match fails {
            Some(true) => '✗',
            Some(false) => '✓',
            None => '·',
        };
        self.bisection.releases.iter().map(|one| mark(one.fails)).collect()
    }

    pub fn print(&self, output: &mut Output) -> Result<(), CliError> {
        let bisection = self.bisection;
        let mut table = Table::new(vec![
            Column::key("release"),
            Column::words("outcome"),
            Column::words("says"),
        ]);
        for one in &bisection.releases {
            let outcome = match one.fails {
                Some(true) => format!("{}  ✗", one.outcome),
                _ => one.outcome.clone(),
            };
            let said = one.said.replace('\n', " ");
            table.push(vec![one.version.clone(), outcome, shorten(&said).into_owned()]);
        }
        output.text(&render_table(&table, output::terminal_width()))?;
        output.line("")?;
        if let [first, .., last] = &bisection.releases[..] {
            let strip = self.strip();
            output.line(format_args!("{} {strip} {}", first.version, last.version))?;
        }
        let class = bisection.class.unwrap_or("a failure");
        match &bisection.first_bad {
            None => output.line(format_args!("no release of {} fails", bisection.solver))?,
            Some(first_bad) => {
                let none = || "none".to_owned();
                let last_good = bisection.last_good.clone().unwrap_or_else(none);
                let again = bisection.first_good_again.clone().unwrap_or_else(none);
                output.line(format_args!(
                    "{class}: last good {last_good}, first bad {first_bad}, first good again {again}"
                ))?;
            }
        }
        if bisection.intervals.len() > 1 {
            let spans: Vec<String> = bisection
                .intervals
                .iter()
                .map(|[first, last]| format!("{first} to {last}"))
                .collect();
            output.line(format_args!("it came and went: {}", spans.join(", ")))?;
        }
        if !bisection.complete {
            output.line("not every release was observed; --all observes them all")?;
        }
        Ok(())
    }

    /// Writes a picture of the timeline.
    pub fn draw(&self, path: &Path) -> Result<(), CliError> {
        let bisection = self.bisection;
        let releases: Vec<ReleaseOutcome> = bisection.releases.iter().map(Into::into).collect();
        let title = format!("{} on {}", bisection.solver, bisection.file);
        let class = bisection.class.unwrap_or("a failure");
        let chart = release_outcomes(title, class, &releases);
        let bytes = Picture::of_path(path)?.bytes(&chart)?;
        std::fs::write(path, bytes)
            .map_err(|error| CliError::usage(format!("{}: {error}", path.display())))
    }
}

impl From<&Observed> for ReleaseOutcome {
    fn from(one: &Observed) -> Self {
        Self { version: one.version.clone(), outcome: one.outcome.clone(), fails: one.fails }
    }
}
