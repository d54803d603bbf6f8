//! Sections in the style of SMT-COMP: scores, biggest lead, largest contribution.

use super::super::model::{Block, Column, Table, Value};
use super::super::text::counted;
use super::paragraph;
use crate::View;
use crate::measures::{CompetitionKind, competition, largest_contributions, leads};

/// The kinds of score that the rankings over sets are made for.
const KINDS: [CompetitionKind; 2] = [CompetitionKind::Sequential, CompetitionKind::Parallel];

pub(super) fn competition_blocks(view: &View<'_>) -> Vec<Block> {
    let scores = competition(view);
    let mut text = format!(
        "Scores by the rules of SMT-COMP over {}: fewer errors, then more solved, then less time.",
        counted(scores.entries, "instance")
    );
    if scores.removed > 0 {
        let removed = counted(scores.removed, "instance");
        text.push_str(&format!(" Left out, since solvers contradict each other: {removed}."));
    }
    let columns = vec![
        Column::new("score", "score"),
        Column::new("rank", "rank"),
        Column::new("solver", "solver"),
        Column::new("errors", "errors"),
        Column::new("solved", "solved"),
        Column::new("wall_seconds", "wall"),
        Column::new("cpu_seconds", "CPU"),
    ];
    let mut table = Table::new("competition", "Competition scores", columns);
    for (number, kind) in CompetitionKind::ALL.into_iter().enumerate() {
        for score in scores.table(kind).by_rank() {
            let cells = vec![
                Value::Text(kind.name().to_owned()),
                Value::Rank { rank: score.rank as u64, is_comparable: true },
                Value::Text(view.results.solvers[score.solver].label.clone()),
                Value::Count(score.errors),
                Value::Count(score.solved),
                Value::SumOfSeconds(score.wall.as_secs_f64()),
                Value::SumOfSeconds(score.cpu.as_secs_f64()),
            ];
            table.push(number, cells);
        }
    }
    vec![paragraph(text), Block::Table(table)]
}

pub(super) fn lead_blocks(view: &View<'_>) -> Vec<Block> {
    if view.solvers.len() < 2 {
        return vec![paragraph("A lead needs at least two solvers.")];
    }
    let columns = vec![
        Column::new("score", "score"),
        Column::new("set", "set"),
        Column::new("winner", "winner"),
        Column::new("second", "second"),
        Column::new("lead", "lead"),
        Column::new("lead_time", "lead in time"),
        Column::new("tie", "tie"),
    ];
    let mut table = Table::new("leads", "Leads, the biggest first", columns);
    let label = |solver: usize| Value::Text(view.results.solvers[solver].label.clone());
    let mut sentences = Vec::new();
    for (number, kind) in KINDS.into_iter().enumerate() {
        let (by_set, over_all) = leads(view, kind);
        if let Some(lead) = by_set.first()
            && let Some(set) = lead.set
        {
            sentences.push(format!(
                "{}: {} on {}",
                kind.name(),
                view.results.solvers[lead.winner].label,
                view.results.sets[set].name
            ));
        }
        for lead in by_set.iter().chain(&over_all) {
            let set = lead.set.map_or("(all)", |set| &view.results.sets[set].name);
            let cells = vec![
                Value::Text(kind.name().to_owned()),
                Value::Text(set.to_owned()),
                label(lead.winner),
                label(lead.second),
                Value::Ratio(lead.correctness),
                Value::Ratio(lead.time),
                Value::Text(if lead.is_tie { "yes" } else { "no" }.to_owned()),
            ];
            table.push(number, cells);
        }
    }
    let text = "The lead of the winner in a set is (n1 + 1) / (n2 + 1) by what is solved; equal \
                leads are told apart by time in the same way. The biggest lead:";
    vec![paragraph(text), Block::List(sentences), Block::Table(table)]
}

pub(super) fn contribution_blocks(view: &View<'_>) -> Vec<Block> {
    let columns = vec![
        Column::new("set", "set"),
        Column::new("solver", "solver"),
        Column::new("correctness", "correctness"),
        Column::new("cpu", "CPU time"),
        Column::new("wall", "wall time"),
    ];
    let caption = "Contributions to the virtual best, the largest first";
    let mut table = Table::new("contributions", caption, columns);
    for one in largest_contributions(view, CompetitionKind::Sequential) {
        let cells = vec![
            Value::Text(view.results.sets[one.set].name.clone()),
            Value::Text(view.results.solvers[one.solver].label.clone()),
            Value::Fraction(one.correctness),
            Value::Fraction(one.cpu),
            Value::Fraction(one.wall),
        ];
        table.push(0, cells);
    }
    let text = if table.rows.is_empty() {
        "No set has more than two solvers without errors, so there is no ranking by contribution."
    } else {
        "What the virtual best of a set would lose without the solver, by solved instances and by \
         time, weighted by the size of the set. Only solvers without errors in the set count, and \
         only sets that have more than two of them."
    };
    vec![paragraph(text), Block::Table(table)]
}
