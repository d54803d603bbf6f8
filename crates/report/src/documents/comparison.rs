//! A comparison of two sides in words, as a table, as Markdown and as JUnit XML.
//!
//! Figures are those of [`compare`](crate::measures::compare). The page "Run against run", the terminal
//! and the documents show the same table and the same sentences.

mod junit;
mod markdown;

use super::model::{Column, Table, Value, Visibility};
use super::text::counted;
use crate::measures::{ChangeKind, Comparison, Part, Reason, Shift};
use crate::{Results, RunInfo, figures};

pub use junit::comparison_junit;
pub use markdown::comparison_markdown;

/// A comparison with the names of its sides.
#[derive(Clone, Debug)]
pub struct ComparedSides<'a> {
    /// What the side before is called.
    pub before: String,
    /// What the side after is called.
    pub after: String,
    /// What both are compared in.
    pub results: &'a Results,
    /// The comparison.
    pub comparison: Comparison<'a>,
}

/// One row for each set and, if there are several, one for all of them.
pub fn comparison_table(results: &Results, comparison: &Comparison<'_>) -> Table {
    let rare = |name: &str, title: &str| Column::new(name, title).shown(Visibility::IfNotEmpty);
    let columns = vec![
        Column::new("set", "set"),
        Column::new("compared", "compared"),
        Column::new("solved_before", "solved before"),
        Column::new("solved_after", "after"),
        Column::new("new", "new"),
        Column::new("lost", "lost"),
        rare("lost_near_limit", "near the limit"),
        Column::new("became_wrong", "became wrong"),
        rare("no_longer_wrong", "no longer wrong"),
        rare("verdict_changed", "verdict changed"),
        Column::new("slower", "slower"),
        Column::new("faster", "faster"),
        Column::new("time", "CPU time, after/before"),
        Column::new("outcome", "outcome"),
    ];
    let mut table = Table::new("comparison", "What changed, by set", columns);
    for (set, part) in &comparison.sets {
        table.push(0, cells(&results.sets[*set].name, part));
    }
    if comparison.sets.len() != 1 {
        table.push(1, cells("all", &comparison.all));
    }
    table
}

fn cells(name: &str, part: &Part) -> Vec<Value> {
    let count = |kind| Value::Count(part.tally.count(kind));
    vec![
        Value::Text(name.to_owned()),
        Value::Count(part.tally.compared),
        Value::Count(part.tally.before.solved),
        Value::Count(part.tally.after.solved),
        count(ChangeKind::New),
        count(ChangeKind::Lost),
        Value::Count(part.lost_near_limit),
        count(ChangeKind::BecameWrong),
        count(ChangeKind::NoLongerWrong),
        count(ChangeKind::VerdictChanged),
        count(ChangeKind::Slower),
        count(ChangeKind::Faster),
        Value::text(part.times.decisive().map(|shift| shift_text(&shift))),
        Value::Text(part.outcome.words().to_owned()),
    ]
}

/// `1.31 (1.27 to 1.36)`: the median and its interval.
fn shift_text(shift: &Shift) -> String {
    let [median, low, high] = [shift.median, shift.low, shift.high].map(figures::ratio);
    format!("{median} ({low} to {high})")
}

/// What makes it worse, a sentence each; nothing if it is not.
pub fn comparison_reasons(results: &Results, comparison: &Comparison<'_>) -> Vec<String> {
    let all = comparison.all.reasons(&comparison.conditions, &comparison.thresholds);
    let mut sentences: Vec<String> = all.iter().map(|reason| reason_text(reason, None)).collect();
    if comparison.sets.len() > 1 {
        for (set, part) in &comparison.sets {
            let reasons = part.reasons(&comparison.conditions, &comparison.thresholds);
            let times = reasons.iter().filter(|reason| matches!(reason, Reason::Times(_)));
            let name = &*results.sets[*set].name;
            sentences.extend(times.map(|reason| reason_text(reason, Some(name))));
        }
    }
    sentences
}

fn reason_text(reason: &Reason, set: Option<&str>) -> String {
    let instances = |count: u64| counted(count, "instance");
    match reason {
        Reason::BecameWrong(count) => format!("{} became wrong", instances(*count)),
        Reason::VerdictChanged(count) => {
            format!("{}: sat became unsat or vice versa, so one side is wrong", instances(*count))
        }
        Reason::Lost(count) => format!("{} no longer solved", instances(*count)),
        Reason::Slower(count) => format!("{} much slower", instances(*count)),
        Reason::Times(shift) => {
            let whose = set.map_or_else(String::new, |set| format!(" of {set}"));
            format!(
                "the CPU times{whose} are longer: by a factor of {} (median of {} and its 99 % \
                 interval)",
                shift_text(shift),
                instances(shift.entries as u64)
            )
        }
    }
}

/// What a reader must know about the conditions, a sentence each: other limits, a load, other
/// processors, and instances that are not compared.
pub fn comparison_notes(comparison: &Comparison<'_>) -> Vec<String> {
    let conditions = &comparison.conditions;
    let mut notes = Vec::new();
    if let Some((before, after)) = &conditions.limits {
        let limits = |limits: &luthier_records::RunLimits| {
            format!(
                "{} s of CPU time, {} s of wall time, {} MiB",
                limits.cpu.as_secs_f64(),
                limits.wall.0.as_secs_f64(),
                limits.memory.0 >> 20
            )
        };
        notes.push(format!(
            "not comparable as it is: the limits differ ({} before; {} after), which may be why \
             instances are lost or new",
            limits(before),
            limits(after)
        ));
    }
    if conditions.other_processor {
        notes.push("the processors differ, so times are not judged".to_owned());
    } else if conditions.is_under_load() {
        let stretch = |side: Option<f64>| figures::optional(side, figures::ratio);
        notes.push(format!(
            "measured under load (wall time divided by CPU time is {} before, {} after): times \
             count as different only beyond a factor of {}",
            stretch(conditions.stretch_before),
            stretch(conditions.stretch_after),
            figures::ratio(comparison.factor())
        ));
    }
    if conditions.edited > 0 {
        let files = counted(conditions.edited, "file");
        notes.push(format!(
            "{files} changed between both sides, with the same name; they are not compared"
        ));
    }
    for (kind, side) in [(ChangeKind::OnlyBefore, "before"), (ChangeKind::OnlyAfter, "after")] {
        let count = comparison.all.tally.count(kind);
        if count > 0 {
            let instances = counted(count, "instance");
            notes.push(format!("{instances} with a result {side} only; they are not compared"));
        }
    }
    notes
}

/// A run in words: `unsat 0.512 s, wrong`.
pub fn run_text(run: Option<&RunInfo>) -> String {
    let Some(run) = run else { return figures::NOTHING.to_owned() };
    let scored = &run.scored;
    let fault = match (scored.is_wrong(), scored.is_refuted()) {
        (true, _) => ", wrong",
        (false, true) => ", invalid model",
        (false, false) => "",
    };
    format!("{} {} s{fault}", scored.class.name(), figures::time(scored.cpu.0))
}
