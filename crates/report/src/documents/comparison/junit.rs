//! A comparison as JUnit XML: what counts as worse is a failure.
//!
//! A test suite per set, a test case per instance, and one for the CPU times of the set. Instances with
//! a result on one side only are skipped, and so are times that cannot be judged. A time is that of
//! the run after.

use super::{ComparedSides, reason_text, run_text};
use crate::documents::text::markup;
use crate::measures::{Change, ChangeKind, Reason, TimesVerdict};

#[derive(Default)]
struct Suite {
    tests: u64,
    failures: u64,
    skipped: u64,
    seconds: f64,
    cases: String,
}

/// These comparisons.
pub fn comparison_junit(comparisons: &[ComparedSides<'_>]) -> String {
    let mut suites = String::new();
    let mut all = Suite::default();
    for sides in comparisons {
        let ComparedSides { before, after, results, comparison } = sides;
        let whole = comparison.all.reasons(&comparison.conditions, &comparison.thresholds);
        for (set, part) in &comparison.sets {
            let range = &results.sets[*set].entries;
            let mut suite = Suite::default();
            let here = comparison.changes.list.iter();
            for change in here.filter(|change| range.contains(&change.entry)) {
                suite.add_instance(sides, change, &whole);
            }
            let name = &results.sets[*set].name;
            let reasons = part.reasons(&comparison.conditions, &comparison.thresholds);
            let slower = reasons.iter().find(|reason| matches!(reason, Reason::Times(_)));
            let (words, verdict) = (part.times.verdict.words(), part.times.verdict);
            suite.case(name, "CPU times of all instances", 0.0);
            match (slower, verdict) {
                (Some(reason), _) => suite.failure("slower", &reason_text(reason, Some(name))),
                (None, TimesVerdict::TooFew | TimesVerdict::OtherProcessor) => suite.skip(words),
                (None, _) => suite.pass(),
            }
            let title = format!("{name}: {after} against {before}");
            suites.push_str(&format!(
                "<testsuite name=\"{}\"{}>\n{}</testsuite>\n",
                markup(&title),
                suite.attributes(),
                suite.cases
            ));
            all.tests += suite.tests;
            all.failures += suite.failures;
            all.skipped += suite.skipped;
            all.seconds += suite.seconds;
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"luthier compare\"{}>\n\
         {suites}</testsuites>\n",
        all.attributes()
    )
}

impl Suite {
    fn add_instance(&mut self, sides: &ComparedSides<'_>, change: &Change<'_>, reasons: &[Reason]) {
        let (results, comparison) = (sides.results, &sides.comparison);
        let entry = &results.entries[change.entry];
        let track = &results.tracks[entry.track];
        let set = &results.sets[track.set].name;
        let class = match track.name.as_str() {
            "" => set.clone(),
            track => format!("{set}/{track}"),
        };
        let seconds = change.after.map_or(0.0, |run| run.scored.cpu.as_secs_f64());
        self.case(&class, &entry.name, seconds);
        let message = || {
            format!(
                "{}: {}, then {}",
                change.kind.words(),
                run_text(change.before),
                run_text(change.after)
            )
        };
        let is_reason = |wanted: fn(&Reason) -> bool| reasons.iter().any(wanted);
        let is_failure = match change.kind {
            ChangeKind::BecameWrong | ChangeKind::VerdictChanged => true,
            ChangeKind::Lost => {
                is_reason(|reason| matches!(reason, Reason::Lost(_))) && comparison.counts(change)
            }
            ChangeKind::Slower => comparison.counts(change),
            ChangeKind::OnlyBefore => return self.skip("no result after"),
            ChangeKind::OnlyAfter => return self.skip("no result before"),
            _ => false,
        };
        match is_failure {
            true => self.failure(change.kind.name(), &message()),
            false => self.pass(),
        }
    }

    fn case(&mut self, class: &str, name: &str, seconds: f64) {
        self.tests += 1;
        self.seconds += seconds;
        self.cases.push_str(&format!(
            "<testcase classname=\"{}\" name=\"{}\" time=\"{seconds:.3}\"",
            markup(class),
            markup(name)
        ));
    }

    fn pass(&mut self) {
        self.cases.push_str("/>\n");
    }

    fn skip(&mut self, message: &str) {
        self.skipped += 1;
        let message = markup(message);
        self.cases.push_str(&format!("><skipped message=\"{message}\"/></testcase>\n"));
    }

    fn failure(&mut self, kind: &str, message: &str) {
        self.failures += 1;
        let message = markup(message);
        self.cases.push_str(&format!(
            "><failure type=\"{kind}\" message=\"{message}\">{message}</failure></testcase>\n"
        ));
    }

    fn attributes(&self) -> String {
        let Self { tests, failures, skipped, seconds, .. } = self;
        format!(
            " tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" \
             time=\"{seconds:.3}\""
        )
    }
}
