//! Every subterm of a query with its value under a model that the referee examined, computed when it is
//! shown.
//!
//! Of several models the one that explains most comes first ([`Candidate`]): the witness that the script
//! carries, a model that satisfies the query, the invalid model of a wrong `sat`, another invalid model.
//! False assertions come first among the rows, since very many assertions are not all shown.
//!
//! Limits: formulas and models of more than [`MOST_BYTES`] bytes and evaluations beyond [`TIME`] have no
//! table; the reader is told why.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use luthier_judge::{
    CheckOptions, CheckOutcome, build_model, check_model, evaluation_table, expectations,
    formula_name, limits_of_steps, limits_within, model_limits, nonstandard_semantics,
    wrong_value_sentence,
};
use luthier_records::{GroundTruth, Judgement, ModelOutcome};
use luthier_report::Results;
use luthier_smtlib::source::Locator;
use luthier_smtlib::{Dialect, Mode, ReadOptions, Script, read_model_within, read_script};
use luthier_store::{InstanceRuns, RunId, StoredRun};
use luthier_terms::{TermId, TermPool};

use crate::api::model_text;
use crate::medium::Medium;
use crate::pages::judgement;
use crate::solver_access::SolverAccess;

/// How many rows a page shows.
pub(crate) const ROWS_OF_PAGE: usize = 200;
/// How many rows a file or an answer of REST has.
pub(crate) const ROWS_OF_FILE: usize = 1_000;

/// Larger formulas and models are not evaluated here.
const MOST_BYTES: usize = 300_000;
/// What a run printed beyond this is not read.
const MOST_OUTPUT: usize = 1_000_000;
/// Processor time and memory of an evaluation.
const TIME: Duration = Duration::from_secs(1);
/// On a site: about a second.
pub(crate) const STEPS: u64 = 100_000_000;
pub(crate) const MEMORY: u64 = 256 << 20;
/// How many wrong values are named.
const MOST_REMARKS: usize = 5;

/// A model of a query, by where it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The run that printed it; `None` if the script carries it.
    pub run: Option<RunId>,
    /// The query, from 0.
    pub query: usize,
    /// What the referee recorded; `None` for that of the script.
    pub outcome: Option<ModelOutcome>,
    /// Whether the run says `sat` and the ground truth is `unsat`.
    is_wrong: bool,
}

/// Which model is asked for; whatever comes first if nothing is said.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wanted {
    /// That of this run.
    pub run: Option<i64>,
    /// One of this query, from 0.
    pub query: Option<usize>,
    /// What its values are shown on.
    pub medium: Medium,
}

/// What there is to show.
#[derive(Debug)]
pub(crate) enum Evaluation {
    /// The referee examined no model.
    NoModel,
    /// None of the models is what is asked for.
    NotFound,
    /// A model.
    Of {
        /// All models, the one that explains most first.
        candidates: Vec<Candidate>,
        /// The one that is shown.
        chosen: Candidate,
        /// Its values, or why there are none.
        values: Result<Values, String>,
    },
}

/// A table of values.
#[derive(Debug)]
pub(crate) struct Values {
    /// The rows, in the order of evaluation; those of false assertions first.
    pub rows: Vec<Row>,
    /// How many subterms of the shown assertions are left out.
    pub cut: usize,
    /// How many assertions are left out, with their subterms. None of them is false, unless there are
    /// very many false ones.
    pub assertions_cut: usize,
    /// Sentences: values that the solver reports wrongly, values that the model does not define.
    pub remarks: Vec<String>,
}

/// A subterm.
#[derive(Debug)]
pub(crate) struct Row {
    /// The term in SMT-LIB 2.7, cut in the middle if it is long.
    pub term: String,
    /// Its value, or why it has none.
    pub value: String,
    /// If it is an assertion or assumption of the query: which one.
    pub assertion: Option<Assertion>,
}

/// An assertion or an assumption.
#[derive(Debug)]
pub(crate) struct Assertion {
    /// ``assertion 3 `name` ``.
    pub name: String,
    /// Its line in the formula, from 1; `None` for an assumption.
    pub line: Option<usize>,
    /// Whether the model makes it false.
    pub is_false: bool,
}

impl Candidate {
    /// The query of the address that asks for it.
    pub fn address_query(&self) -> String {
        let query = self.query + 1;
        match self.run {
            Some(run) => format!("?run={}&query={query}", run.0),
            None => format!("?query={query}"),
        }
    }

    /// Whether it satisfies the query.
    pub fn is_witness(&self) -> bool {
        self.outcome.is_none_or(ModelOutcome::proves_sat)
    }

    fn rank(&self) -> u8 {
        match self.outcome {
            None => 0,
            Some(ModelOutcome::Valid) => 1,
            Some(ModelOutcome::Completed) => 2,
            Some(_) if self.is_wrong => 3,
            Some(_) => 4,
        }
    }
}

/// Whether the referee decided about a model, so that it has a table.
pub(crate) fn is_examined(outcome: ModelOutcome) -> bool {
    outcome.proves_sat() || outcome == ModelOutcome::Invalid
}

/// Evaluates a query of an instance under one of its models. `output` reads the standard output of a run.
pub(crate) fn evaluation<E>(
    instance: &InstanceRuns,
    text: Option<&[u8]>,
    results: &Results,
    (wanted, most): (Wanted, usize),
    solver_access: &dyn SolverAccess,
    output: impl FnOnce(RunId) -> Result<Vec<u8>, E>,
) -> Result<Evaluation, E> {
    let entry = results.entries_of(instance.id.0).next();
    let truths = entry.map_or(&[][..], |entry| &results.entries[entry].judged.truths);
    let mut formula = Formula::read(text, &instance.instance.dialect);
    let candidates = candidates(instance, truths, formula.as_ref().ok());
    let Some(first) = candidates.first() else { return Ok(Evaluation::NoModel) };
    let chosen = match wanted {
        Wanted { run: None, query: None, .. } => Some(first),
        Wanted { run, query, .. } => candidates.iter().find(|one| {
            run.is_none_or(|run| one.run == Some(RunId(run)))
                && query.is_none_or(|query| one.query == query)
        }),
    };
    let Some(&chosen) = chosen else { return Ok(Evaluation::NotFound) };
    let shown = (most, wanted.medium);
    let values = match (&mut formula, chosen.run) {
        (Err(reason), _) => Err((*reason).to_owned()),
        (Ok(formula), None) => match formula.witness(chosen.query) {
            Some(witness) => formula.values(&witness, Dialect::Smt27, chosen.query, shown),
            None => Err("The script carries no witness.".to_owned()),
        },
        (Ok(formula), Some(run)) => {
            let run = instance.runs.iter().find(|one| one.id == run);
            let printed = match run {
                Some(run) => printed(run, chosen.query, results, solver_access, output)?,
                None => Err("The run is not there.".to_owned()),
            };
            printed.and_then(|(text, dialect)| formula.values(&text, dialect, chosen.query, shown))
        }
    };
    Ok(Evaluation::Of { candidates, chosen, values })
}

/// All models that have a table, the one that explains most first.
fn candidates(
    instance: &InstanceRuns,
    truths: &[GroundTruth],
    formula: Option<&Formula<'_>>,
) -> Vec<Candidate> {
    let witnesses = formula.map_or(&[][..], |formula| &formula.has_witness);
    let of_script = witnesses
        .iter()
        .enumerate()
        .filter(|(_, has)| **has)
        .map(|(query, _)| Candidate { run: None, query, outcome: None, is_wrong: false });
    let of_run = |run: &StoredRun| {
        let examined = run.answers.iter().enumerate().filter_map(|(query, answer)| {
            let outcome = answer.model.as_ref()?.outcome;
            let is_wrong = matches!(judgement(run, query, truths), Judgement::Wrong(_));
            let run = Some(run.id);
            is_examined(outcome).then_some(Candidate {
                run,
                query,
                outcome: Some(outcome),
                is_wrong,
            })
        });
        examined.collect::<Vec<_>>()
    };
    let mut all: Vec<Candidate> = of_script.chain(instance.runs.iter().flat_map(of_run)).collect();
    all.sort_by_key(|one| (one.rank(), one.query, one.run.map(|run| run.0)));
    all
}

/// The text of a model and the dialect in which its solver writes.
fn printed<E>(
    run: &StoredRun,
    query: usize,
    results: &Results,
    solver_access: &dyn SolverAccess,
    output: impl FnOnce(RunId) -> Result<Vec<u8>, E>,
) -> Result<Result<(Vec<u8>, Dialect), String>, E> {
    let refused = |reason: &str| Ok(Err(reason.to_owned()));
    let solver = results.solvers.iter().find(|solver| solver.number == run.configuration.0);
    let Some(solver) = solver else { return refused("This run is new; try again soon.") };
    let Ok(dialect) = solver.configuration.dialect.parse::<Dialect>() else {
        return refused("The dialect of the model is not known.");
    };
    let output = output(run.id)?;
    if output.len() > MOST_OUTPUT {
        return refused("The output of the run is too large to be evaluated here.");
    }
    let said = solver_access.read_output(&output).answers;
    // If parsing the output again gives another number of answers, texts cannot be assigned to answers.
    let answer = said.get(query).filter(|_| said.len() == run.answers.len());
    match answer.and_then(model_text) {
        Some(text) => Ok(Ok((text, dialect))),
        None => refused("The model cannot be found in the output of the run."),
    }
}

/// A formula that was read.
struct Formula<'a> {
    bytes: &'a [u8],
    pool: TermPool,
    script: Script,
    /// Whether the script carries a model of each query.
    has_witness: Vec<bool>,
}

impl<'a> Formula<'a> {
    fn read(text: Option<&'a [u8]>, dialect: &str) -> Result<Self, &'static str> {
        let bytes = text.ok_or("The text of this instance is not in the database.")?;
        if bytes.len() > MOST_BYTES {
            return Err("The formula is too large to be evaluated here.");
        }
        let dialect = dialect.parse::<Dialect>().map_err(|_| "Its dialect is not known.")?;
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(dialect), mode: Mode::Generous };
        let reading = read_script(&mut pool, bytes, &options);
        if reading.errors().next().is_some() {
            return Err("The formula cannot be read.");
        }
        let script = reading.script;
        // A witness of another semantics says nothing here.
        let has_witness = match nonstandard_semantics(&pool, &script) {
            Some(_) => Vec::new(),
            None => expectations(&pool, &script).witnesses.iter().map(Option::is_some).collect(),
        };
        Ok(Self { bytes, pool, script, has_witness })
    }

    fn witness(&self, query: usize) -> Option<Vec<u8>> {
        let witness = luthier_judge::planted_witness(&self.pool, &self.script, query)?;
        Some(witness.as_bytes().to_vec())
    }

    /// The values of a query's subterms under a printed model.
    fn values(
        &mut self,
        text: &[u8],
        dialect: Dialect,
        query: usize,
        (most, medium): (usize, Medium),
    ) -> Result<Values, String> {
        if text.len() > MOST_BYTES {
            return Err("The model is too large to be evaluated here.".to_owned());
        }
        let limits = match medium {
            Medium::Server => limits_within(TIME, MEMORY),
            // The same on every machine.
            Medium::Site => limits_of_steps(STEPS, MEMORY),
        };
        let (pool, script) = (&mut self.pool, &self.script);
        let options = CheckOptions {
            dialect: Some(dialect),
            query: Some(query + 1),
            limits,
            ..CheckOptions::default()
        };
        let check = check_model(pool, script, text, &options)
            .map_err(|missing| format!("The script has only {} queries.", missing.queries))?;
        let mut remarks = Vec::new();
        let mut false_terms: HashSet<TermId> = HashSet::new();
        match &check.outcome {
            CheckOutcome::Valid => {}
            CheckOutcome::Invalid { failing, wrong_values } => {
                false_terms.extend(failing.iter().map(|one| one.term));
                for wrong in wrong_values.iter().take(MOST_REMARKS) {
                    remarks.push(wrong_value_sentence(pool, wrong));
                }
            }
            CheckOutcome::Incomplete { default_completion, .. } => remarks.push(
                match default_completion {
                    Some(true) => {
                        "the model does not define every value that the query needs; with default \
                         values every assertion is true"
                    }
                    _ => "the model does not define every value that the query needs",
                }
                .to_owned(),
            ),
            CheckOutcome::Unsupported { reason } | CheckOutcome::Exceeded { reason } => {
                return Err(format!("The model cannot be evaluated here: {reason}"));
            }
        }
        let Some(asked) = script.queries().nth(query) else {
            return Err("The script has no such query.".to_owned());
        };
        let locator = Locator::new(self.bytes);
        let mut named: HashMap<TermId, (String, Option<usize>)> = HashMap::new();
        let mut formulas: Vec<TermId> = Vec::new();
        for active in &asked.assertions {
            let term = active.assertion.term;
            formulas.push(term);
            named.entry(term).or_insert_with(|| {
                let name = formula_name(pool, Some(active.number), active.assertion.name);
                (name, Some(locator.location(active.span.start).line))
            });
        }
        for &term in &asked.assumptions {
            formulas.push(term);
            named.entry(term).or_insert_with(|| (formula_name(pool, None, None), None));
        }
        let mut seen = HashSet::new();
        formulas.retain(|term| seen.insert(*term));
        formulas.sort_by_key(|term| !false_terms.contains(term));
        let shown = formulas.len().min((most / 2).max(1));
        let assertions_cut = formulas.len() - shown;
        formulas.truncate(shown);
        let reading = read_model_within(pool, script, text, dialect, &model_limits(&limits));
        let model = build_model(&reading.entries).model;
        let table = evaluation_table(pool, &formulas, &model, limits, most);
        let rows = table.rows.into_iter().map(|row| {
            let assertion = named.get(&row.term).filter(|_| row.is_formula);
            let assertion = assertion.map(|(name, line)| Assertion {
                name: name.clone(),
                line: *line,
                is_false: false_terms.contains(&row.term),
            });
            Row { term: row.text, value: row.value, assertion }
        });
        Ok(Values { rows: rows.collect(), cut: table.cut, assertions_cut, remarks })
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, Formula, Values};
    use crate::medium::Medium;

    const FORMULA: &str = "(declare-const x String)\n(declare-const n Int)\n\
        (assert (= (str.len x) n))\n(assert (! (str.prefixof \"a\" x) :named begins))\n(check-sat)\n";

    fn values(formula: &str, model: &str, most: usize) -> Result<Values, String> {
        let mut formula = Formula::read(Some(formula.as_bytes()), "2.7").map_err(str::to_owned)?;
        formula.values(model.as_bytes(), Dialect::Smt27, 0, (most, Medium::Server))
    }

    fn rows(values: &Values) -> Vec<String> {
        let row = |row: &super::Row| {
            let which = row.assertion.as_ref().map_or(String::new(), |one| {
                let word = if one.is_false { "false" } else { "not false" };
                format!(", {} in line {:?} is {word}", one.name, one.line)
            });
            format!("{} is {}{which}", row.term, row.value)
        };
        values.rows.iter().map(row).collect()
    }

    #[test]
    fn false_assertions_come_first_with_their_names_and_lines() {
        let model = "((define-fun x () String \"ba\") (define-fun n () Int 2))";
        let values = values(FORMULA, model, 200).unwrap();
        assert_eq!(
            rows(&values),
            [
                "x is \"ba\"",
                "(str.prefixof \"a\" x) is false, assertion 2 `begins` in line Some(4) is false",
                "(str.len x) is 2",
                "n is 2",
                "(= (str.len x) n) is true, assertion 1 in line Some(3) is not false",
            ]
        );
        assert_eq!((values.cut, values.assertions_cut), (0, 0));
    }

    #[test]
    fn rows_are_bounded_and_what_is_left_out_is_counted() {
        let many: String = (0..300).map(|n| format!("(assert (< x {}))", n + 1)).collect();
        let formula = format!("(declare-const x Int)(assert (> x 0)){many}(check-sat)");
        let values = values(&formula, "((define-fun x () Int 0))", 20).unwrap();
        assert!(values.rows.len() <= 20, "{}", values.rows.len());
        assert_eq!(values.assertions_cut, 291);
        let first = values.rows.iter().find_map(|row| row.assertion.as_ref()).unwrap();
        assert!(first.is_false && first.name == "assertion 1", "{first:?}");
    }

    #[test]
    fn missing_values_are_undecided_and_what_cannot_be_evaluated_is_said() {
        let values_of_x = "((define-fun x () String \"a\"))";
        let incomplete = values(FORMULA, values_of_x, 200).unwrap();
        assert!(incomplete.remarks[0].contains("does not define"), "{incomplete:?}");
        assert!(rows(&incomplete).iter().any(|row| row.contains("undecided")), "{incomplete:?}");
        assert!(values("(assert", values_of_x, 200).unwrap_err().contains("cannot be read"));
        assert!(values(FORMULA, "(error \"no model\")", 200).unwrap_err().contains("no model"));
        let large = format!("{FORMULA}; {}", "x".repeat(300_000));
        assert!(values(&large, values_of_x, 200).unwrap_err().contains("too large"));
    }
}
