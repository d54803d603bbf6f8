//! `luthier report --table icse20`: the results of the suite, category by category.

use std::collections::BTreeMap;

use luthier_records::{Configuration, Place};
use luthier_report::documents::{self, Block, Document, DocumentScope, Section, Value};
use luthier_report::{
    ScoredRun, TEST_CATEGORIES, TestCategory, TestColumn, TestCounts, TestResults, render_table,
    test_legend,
};
use luthier_results::{Judge, JudgedInstance};
use luthier_store::{Store, StoreError};
use serde::Serialize;

use super::{Arguments, Format, document};
use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::{self, Output};
use crate::text::{clean_name, counted};

/// The JSON of `luthier report --table icse20`.
#[derive(Serialize)]
struct Record<'a> {
    version: u32,
    table: &'static str,
    rows: Vec<Row<'a>>,
    totals: Vec<Row<'a>>,
    /// Instances that are in no category of the suite.
    other_instances: usize,
}

/// One category, or the sum of several, of one solver.
#[derive(Serialize)]
struct Row<'a> {
    /// `null` where each category is a set of its own.
    set: Option<&'a str>,
    solver: &'a str,
    seed: Option<u64>,
    /// `sat` or `unsat`.
    expected: &'static str,
    /// Whether quantifiers have patterns, `[+p]`.
    patterns: bool,
    /// `null` in sums.
    category: Option<&'static str>,
    tests: u64,
    /// How many tests are in each column, by its letters; `null` where they cannot be.
    #[serde(flatten)]
    columns: BTreeMap<&'static str, Option<u64>>,
    failed: u64,
    unsound: u64,
    /// Of `S`: models that lack values for which default values do not do.
    incomplete_model: u64,
    not_run: u64,
}

/// The results of all solvers, by set and solver.
#[derive(Default)]
struct Results {
    /// The key is the name of the set, nothing where each category is a set of its own, and the
    /// index of the configuration.
    by_solver: BTreeMap<(Option<String>, usize), TestResults>,
    other_instances: usize,
    repeated: bool,
    conflicts: usize,
}

/// Shows the table, or writes it in a format.
pub fn run(
    arguments: &Arguments,
    format: Option<Format>,
    output: &mut Output,
) -> Result<Ending, CliError> {
    let database = &arguments.database;
    let store = Store::open_read_only(database)?;
    let judge = Judge::new(&store, false)?;
    let mut results = Results::default();
    judge.visit(|instance| -> Result<(), StoreError> {
        results.add(&judge, instance);
        Ok(())
    })?;
    if results.by_solver.is_empty() {
        let message = format!("{}: has no run on the suite icse20", database.display());
        return Err(CliError::usage(message).with_hint(
            "`luthier run --suite icse20` makes some; files of `luthier generate --suite icse20` \
             must keep the folders of their categories",
        ));
    }
    match format {
        Some(Format::Json) => {
            let record = serde_json::to_string(&results.record(&judge.configurations))
                .map_err(|error| CliError::Bug { message: format!("no JSON: {error}") })?;
            arguments.write(format!("{record}\n").as_bytes(), output)?;
        }
        Some(format) => {
            let text = results.written(arguments, format, &judge.configurations)?;
            arguments.write(text.as_bytes(), output)?;
        }
        None => results.print(&judge.configurations, output)?,
    }
    results.warn(output);
    Ok(results.ending())
}

/// The category of a test: the folder that it lies in, its track or its set says so.
fn category_of(place: &Place) -> Option<usize> {
    let (folders, _) = place.name.rsplit_once(['/', '!']).unwrap_or(("", &place.name));
    let folders = folders.rsplit(['/', '!']);
    let tracks = place.track.rsplit('/');
    folders.chain(tracks).chain([place.set.as_str()]).find_map(TestCategory::find)
}

impl Results {
    fn add(&mut self, judge: &Judge<'_>, instance: &JudgedInstance<'_>) {
        for place in &instance.places {
            // A folder may have the name of a category by chance; a planted answer it has not.
            let planted = match instance.instance.queries.as_slice() {
                [query] => query.planted,
                _ => None,
            };
            let category = category_of(place)
                .filter(|&category| planted == Some(TEST_CATEGORIES[category].expected));
            let Some(category) = category else {
                self.other_instances += 1;
                continue;
            };
            self.conflicts += usize::from(instance.truths[0].verdict.is_none());
            let is_set = TestCategory::find(&place.set).is_some();
            let set = (!is_set).then(|| place.set.clone());
            let mut run_of: BTreeMap<usize, ScoredRun> = BTreeMap::new();
            for judged in &instance.runs {
                let run = judged.run;
                let limit = judge.configurations[judged.configuration].limits.cpu;
                let scored = ScoredRun::new(
                    run.class,
                    &run.measured,
                    &run.answers,
                    &judged.judgements,
                    limit,
                );
                // Repetitions come in their order, and the first one counts.
                self.repeated |= run_of.contains_key(&judged.configuration);
                run_of.entry(judged.configuration).or_insert(scored);
            }
            for configuration in 0..judge.configurations.len() {
                let key = (set.clone(), configuration);
                let results = self.by_solver.entry(key).or_default();
                results.add(category, run_of.get(&configuration));
            }
        }
    }

    fn record<'a>(&'a self, configurations: &'a [Configuration]) -> Record<'a> {
        let mut record = Record {
            version: VERSION,
            table: "icse20",
            rows: Vec::new(),
            totals: Vec::new(),
            other_instances: self.other_instances,
        };
        for ((set, configuration), results) in &self.by_solver {
            let configuration = &configurations[*configuration];
            let row = |category: Option<&TestCategory>, expected: &'static str, counts| {
                Row::new(set.as_deref(), configuration, category, expected, counts)
            };
            let rows = results.rows();
            record.rows.extend(
                rows.map(|(category, counts)| row(Some(category), category.expectation(), counts)),
            );
            let totals = results.totals();
            let totals = totals.iter().map(|(expected, counts)| row(None, expected, counts));
            record.totals.extend(totals);
        }
        record
    }

    fn print(&self, configurations: &[Configuration], output: &mut Output) -> Result<(), CliError> {
        let several_sets = self.by_solver.keys().any(|(set, _)| *set != self.first_set());
        for ((set, configuration), results) in &self.by_solver {
            let configuration = &configurations[*configuration];
            let set = match set.as_deref().filter(|_| several_sets) {
                Some(set) => format!(" on {set}"),
                None => String::new(),
            };
            let limit = configuration.limits.cpu.as_secs_f64();
            let seed = configuration.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
            let heading = format!("{}{set} ({limit} s{seed})", configuration.name);
            let heading = output.paint.bold(&clean_name(&heading));
            output.line(heading)?;
            let table = render_table(&results.table(), output::terminal_width());
            output.text(&table)?;
            output.line("")?;
        }
        output.line(test_legend())
    }

    /// The table in a format for documents.
    fn written(
        &self,
        arguments: &Arguments,
        format: Format,
        configurations: &[Configuration],
    ) -> Result<String, CliError> {
        let names = ["set", "solver", "expected", "category", "tests"];
        let names = names.into_iter().chain(TestColumn::ALL.map(TestColumn::letters));
        let columns = names.map(|name| documents::Column::new(name, name)).collect();
        let mut table = documents::Table::new("icse20", "Results by category", columns);
        if self.first_set().is_none() {
            table.columns[0].shown = documents::Visibility::IfNotEmpty;
        }
        table.notes.push(format!("{}.", test_legend()));
        let optional = |count: Option<u64>| count.map_or(Value::Missing, Value::Count);
        for (number, ((set, configuration), results)) in self.by_solver.iter().enumerate() {
            let totals = results.totals();
            let sums = totals.iter().map(|(expected, counts)| (*expected, "all", counts));
            let rows = results
                .rows()
                .map(|(category, counts)| (category.expectation(), category.name, counts));
            for (expected, category, counts) in rows.chain(sums) {
                let mut cells = vec![
                    Value::text(set.clone()),
                    Value::Text(configurations[*configuration].name.clone()),
                    Value::Text(expected.to_owned()),
                    Value::Text(category.to_owned()),
                    Value::Count(counts.tests),
                ];
                cells.extend(TestColumn::ALL.map(|column| optional(counts.count(column))));
                table.push(number, cells);
            }
        }
        document::choose_in(&mut table, arguments)?;
        if format == Format::Csv {
            return Ok(documents::csv(&table));
        }
        let heading = "The suite icse20".to_owned();
        let section = Section { name: "icse20", heading, blocks: vec![Block::Table(table)] };
        let document =
            Document { title: arguments.title(), facts: Vec::new(), sections: vec![section] };
        let whole =
            if arguments.standalone { DocumentScope::Standalone } else { DocumentScope::Fragments };
        Ok(match format {
            Format::Latex => documents::latex(&document, whole),
            Format::Asciidoc => documents::asciidoc(&document),
            Format::Markdown => documents::markdown(&document),
            Format::Html => documents::html(&document),
            Format::Json | Format::Csv | Format::Tikz | Format::Junit => {
                return Err(CliError::usage("the table icse20 has no such format")
                    .with_hint("it has latex, asciidoc, markdown, html, csv and json"));
            }
        })
    }

    fn first_set(&self) -> Option<String> {
        self.by_solver.keys().next().and_then(|(set, _)| set.clone())
    }

    fn warn(&self, output: &Output) {
        if self.other_instances > 0 {
            let others = counted(self.other_instances, "instance");
            output.warn(&format!("{others} of no category of the suite, not in the table"));
        }
        if self.repeated {
            output.warn("runs were repeated; the first of each counts");
        }
        if self.conflicts > 0 {
            let tests = counted(self.conflicts, "test");
            output.warn(&format!(
                "{tests} with a planted answer that a model refutes: see `luthier summary`"
            ));
        }
    }

    fn ending(&self) -> Ending {
        let any = |count: fn(&TestCounts) -> u64| {
            self.by_solver.values().flat_map(|results| &results.counts).any(|one| count(one) > 0)
        };
        if any(|counts| counts.unsound) {
            Ending::WrongAnswer
        } else if any(|counts| counts.not_run) {
            Ending::Incomplete
        } else {
            Ending::Fine
        }
    }
}

impl<'a> Row<'a> {
    fn new(
        set: Option<&'a str>,
        configuration: &'a Configuration,
        category: Option<&TestCategory>,
        expected: &'static str,
        counts: &TestCounts,
    ) -> Self {
        // `unsat [+p]` in sums.
        let (verdict, patterns) = expected.split_once(' ').unwrap_or((expected, ""));
        Self {
            set,
            solver: &configuration.name,
            seed: configuration.seed,
            expected: verdict,
            patterns: !patterns.is_empty(),
            category: category.map(|category| category.name),
            tests: counts.tests,
            columns: TestColumn::ALL
                .into_iter()
                .map(|column| (column.letters(), counts.count(column)))
                .collect(),
            failed: counts.failed,
            unsound: counts.unsound,
            incomplete_model: counts.incomplete_model,
            not_run: counts.not_run,
        }
    }
}

#[cfg(test)]
mod tests {
    use luthier_generator::Category;
    use luthier_records::Place;
    use luthier_report::TEST_CATEGORIES;

    use super::category_of;

    #[test]
    fn the_table_has_the_categories_that_are_generated() {
        let mut shown: Vec<&str> = TEST_CATEGORIES.iter().map(|category| category.name).collect();
        let mut made: Vec<&str> =
            Category::of_icse20().iter().map(|category| category.name()).collect();
        shown.sort_unstable();
        made.sort_unstable();
        assert_eq!(shown, made);
    }

    #[test]
    fn a_test_knows_its_category_by_folder_track_or_set() {
        let category = |set: &str, track: &str, name: &str| {
            let place = Place { set: set.into(), track: track.into(), name: name.into() };
            category_of(&place).map(|category| TEST_CATEGORIES[category].name)
        };
        let operation = Some("operation");
        assert_eq!(category("icse20", "operation", "operation/operation-at.smt2"), operation);
        assert_eq!(category("icse20", "x/operation", "x/operation/operation-at.smt2"), operation);
        assert_eq!(category("operation", "", "operation-at.smt2"), operation);
        assert_eq!(category("files", "operation", "a.smt2"), operation);
        assert_eq!(category("mine", "", "mine.tar!operation/a.smt2"), operation);
        let patterns = Some("larger-unsat-core+patterns");
        assert_eq!(category("x", "larger-unsat-core+patterns", "a.smt2"), patterns);
        assert_eq!(category("demo", "", "operation.smt2"), None);
    }
}
