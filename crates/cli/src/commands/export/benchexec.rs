//! `luthier export --to benchexec`: the sets of a database as tasks of BenchExec.
//!
//! ```text
//! OUT/satisfiable.prp           the property
//!     NAME.set                  the tasks of a set, one on each line
//!     sets/NAME/PATH.smt2       an instance as it was registered
//!     sets/NAME/PATH.smt2.yml   its task definition, with the ground truth if it is known
//!     CONFIGURATION.xml         a benchmark definition for each configuration, with its limits and options
//! ```

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use luthier_campaign::benchexec::{
    PROPERTY_FILE, PROPERTY_TEXT, benchmark_definition, file_name, task_definition,
};
use luthier_corpus::{CorpusError, Writer};
use luthier_records::Verdict;
use luthier_results::Judge;
use luthier_store::Store;
use serde::Serialize;

use crate::error::CliError;
use crate::json::VERSION;
use crate::output::Output;
use crate::text::counted;

/// The JSON of `luthier export --to benchexec`.
#[derive(Serialize)]
struct Record {
    version: u32,
    out: String,
    tasks: usize,
    with_expected_verdict: usize,
    without_text: usize,
    several_queries: usize,
    sets: usize,
    configurations: usize,
}

/// Writes all tasks and definitions.
pub fn run(store: &Store, out: &Path, output: &mut Output) -> Result<(), CliError> {
    let failed = |error: CorpusError| CliError::usage(error.to_string());
    let mut writer = Writer::create(out).map_err(failed)?;
    writer.add(PROPERTY_FILE, PROPERTY_TEXT.as_bytes()).map_err(failed)?;
    let judge = Judge::new(store, false)?;
    let mut used = HashSet::new();
    let mut lists: BTreeMap<String, String> = BTreeMap::new();
    let (mut tasks, mut expected, mut without_text, mut several_queries) = (0, 0, 0, 0);
    judge.visit(|judged| -> Result<(), CliError> {
        let Some(text) = store.text(judged.instance.digest)? else {
            without_text += 1;
            return Ok(());
        };
        // A task has one answer.
        let [truth] = judged.truths.as_slice() else {
            several_queries += 1;
            return Ok(());
        };
        // A conflict of evidence is not settled here.
        let decided = truth.verdict.filter(|_| truth.conflicts.is_empty());
        let verdict = decided.map(|(verdict, _)| verdict);
        for place in &judged.places {
            let set = file_name(&place.set);
            let path = free_path(&set, &place.name, &mut used);
            let file = path.rsplit('/').next().unwrap_or(&path);
            let up = "../".repeat(path.matches('/').count());
            let definition = task_definition(file, &format!("{up}{PROPERTY_FILE}"), verdict);
            writer.add(&path, &text).map_err(failed)?;
            writer.add(&format!("{path}.yml"), definition.as_bytes()).map_err(failed)?;
            let list = lists.entry(set).or_default();
            list.push_str(&format!("{}.yml\n", pattern(&path)));
            tasks += 1;
            expected += usize::from(matches!(verdict, Some(Verdict::Sat | Verdict::Unsat)));
        }
        Ok(())
    })?;
    let mut sets = Vec::new();
    for (set, list) in &lists {
        let name = format!("{set}.set");
        writer.add(&name, list.as_bytes()).map_err(failed)?;
        sets.push((set.clone(), name));
    }
    let mut names = HashSet::new();
    for configuration in &judge.configurations {
        let base = file_name(&configuration.name);
        let name = (1..).map(|n| if n == 1 { base.clone() } else { format!("{base}-{n}") });
        let name = name.into_iter().find(|name| names.insert(name.clone())).unwrap_or(base);
        let text = benchmark_definition(configuration, &sets);
        writer.add(&format!("{name}.xml"), text.as_bytes()).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    let record = Record {
        version: VERSION,
        out: out.display().to_string(),
        tasks,
        with_expected_verdict: expected,
        without_text,
        several_queries,
        sets: sets.len(),
        configurations: judge.configurations.len(),
    };
    if output.json {
        return output.json_line(&record);
    }
    output.line(format_args!(
        "{} of {} in {}, {expected} with an expected verdict; {}",
        counted(tasks, "task"),
        counted(record.sets, "set"),
        record.out,
        counted(record.configurations, "benchmark definition"),
    ))?;
    if without_text > 0 {
        let missing = counted(without_text, "instance");
        output.warn(&format!("the text of {missing} is not in the database"));
    }
    if several_queries > 0 {
        let left_out = counted(several_queries, "instance");
        output.warn(&format!(
            "{left_out} without exactly one check-sat left out: a task has one answer"
        ));
    }
    Ok(())
}

/// A path that is not taken, below the folder of the set.
fn free_path(set: &str, name: &str, used: &mut HashSet<String>) -> String {
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    let name = parts.map(|part| part.replace(char::is_control, "_")).collect::<Vec<_>>().join("/");
    let path = format!("sets/{set}/{name}");
    let (stem, ending) = path.rsplit_once('.').unwrap_or((&path, "smt2"));
    let mut number = 1;
    let mut free = path.clone();
    while !used.insert(free.clone()) {
        number += 1;
        free = format!("{stem}-{number}.{ending}");
    }
    free
}

/// A line of a list of tasks is a pattern of names.
fn pattern(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '[' | '*' | '?' => pattern.extend(['[', c, ']']),
            c => pattern.push(c),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_free_and_stay_below_their_set() {
        let mut used = HashSet::new();
        assert_eq!(free_path("s", "../x/./a.smt2", &mut used), "sets/s/x/a.smt2");
        assert_eq!(free_path("s", "x/a.smt2", &mut used), "sets/s/x/a-2.smt2");
        assert_eq!(free_path("t", "x/a.smt2", &mut used), "sets/t/x/a.smt2");
    }

    #[test]
    fn names_with_special_characters_are_no_patterns() {
        assert_eq!(pattern("a[1]*.smt2"), "a[[]1][*].smt2");
    }
}
