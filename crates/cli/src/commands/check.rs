//! `luthier check`: does a model satisfy a script?

use std::path::PathBuf;

use clap::Args;
use luthier_judge::{
    CheckOptions, CheckOutcome, FailingAssertion, ModelCheck, WrongValue, check_model,
    failing_name, render_explanation, render_value, wrong_value_sentence,
};
use luthier_smtlib::source::{Location, Locator};
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_terms::TermPool;
use serde::Serialize;

use crate::args::{JudgingLimits, ModelSource, ScriptDialect};
use crate::error::{CliError, Ending};
use crate::input::{forbid_stdin_twice, read_one};
use crate::json::{VERSION, render};
use crate::output::Output;
use crate::text::{clean_name, clean_text, counted, shorten, term_text};

const EXAMPLES: &str = "\
Examples:
  luthier check script.smt2 --model model.txt
  z3 script.smt2 | luthier check script.smt2 --model - --model-dialect z3
  luthier check incremental.smt2 --query 2 --model second-model.txt";

/// How many false assertions are explained to people.
const MAX_FAILING: usize = 10;

/// Check whether a model satisfies a script.
///
/// Every assertion is evaluated under the model, without any solver. Ends with 0 if all are true
/// (valid), with 2 if one is false or the solver gives a term a value it does not have (invalid),
/// and with 3 if the model leaves something open (incomplete), if it cannot be said (unsupported),
/// or if that takes more than --timeout or --memory (exceeded).
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The script (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    model: ModelSource,
    /// The model answers this check-sat of the script, counted from 1 [default: the last one]
    #[arg(long, value_name = "N")]
    query: Option<usize>,
    #[command(flatten)]
    script: ScriptDialect,
    #[command(flatten)]
    limits: JudgingLimits,
}

/// The JSON of `luthier check`.
#[derive(Serialize)]
struct Record {
    version: u32,
    result: &'static str,
    failing: Vec<FailingRecord>,
    wrong_values: Vec<WrongValueRecord>,
    /// Names without a value, and divisions by zero that the model says nothing about.
    missing: Vec<String>,
    /// Whether default values for what is missing satisfy the script; `null`: not known.
    default_completion: Option<bool>,
    /// Why it cannot be said.
    reason: Option<String>,
    /// What is strange about the model although it can be read.
    remarks: Vec<String>,
    /// How many assertions were checked.
    checked: usize,
    model_dialect: Option<&'static str>,
}

#[derive(Serialize)]
struct FailingRecord {
    /// The number of the assertion, from 1; `null` for an assumption of check-sat-assuming.
    assertion: Option<usize>,
    name: Option<String>,
    text: String,
    trace: Vec<String>,
    line: Option<usize>,
    column: Option<usize>,
    /// What people call it.
    #[serde(skip)]
    which: String,
}

#[derive(Serialize)]
struct WrongValueRecord {
    term: String,
    claimed: String,
    actual: String,
    /// All of it in a sentence for people.
    #[serde(skip)]
    sentence: String,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    forbid_stdin_twice(&arguments.file, &arguments.model.model)?;
    let script = read_one(&arguments.file)?;
    let model = read_one(&arguments.model.model)?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: arguments.script.dialect, mode: Mode::Generous };
    let reading = read_script(&mut pool, &script.bytes, &options);
    let locator = Locator::new(&script.bytes);
    if let Some(error) = reading.errors().next() {
        for error in reading.errors() {
            output.talk(render(error, &script.name, &locator, output.talk_paint));
        }
        let place = locator.location(error.span.start);
        let Location { line, column } = place;
        let reason = format!(
            "the script cannot be read: {}:{line}:{column}: {}",
            clean_name(&script.name),
            error.message
        );
        let record = Record { reason: Some(reason), ..Record::new("unsupported") };
        print(&record, &script.name, output)?;
        return Ok(Ending::Incomplete);
    }
    let model_name = clean_name(&model.name);
    let options = CheckOptions {
        model_name: &model_name,
        dialect: arguments.model.model_dialect,
        query: arguments.query,
        limits: arguments.limits.limits(),
    };
    let check =
        check_model(&mut pool, &reading.script, &model.bytes, &options).map_err(|none| {
            let queries = counted(none.queries, "query").replace("querys", "queries");
            CliError::usage(format!("{}: has {queries}, so --query cannot be that", script.name))
                .with_hint("queries are counted from 1, one for each check-sat")
        })?;
    let record = Record::of(&check, &mut pool, &locator);
    for remark in &record.remarks {
        output.warn(&format!("{}: {}", model.name, clean_text(remark)));
    }
    print(&record, &script.name, output)?;
    Ok(match check.outcome {
        CheckOutcome::Valid => Ending::Fine,
        CheckOutcome::Invalid { .. } => Ending::WrongAnswer,
        CheckOutcome::Incomplete { .. }
        | CheckOutcome::Unsupported { .. }
        | CheckOutcome::Exceeded { .. } => Ending::Incomplete,
    })
}

impl Record {
    fn new(result: &'static str) -> Self {
        Self {
            version: VERSION,
            result,
            failing: Vec::new(),
            wrong_values: Vec::new(),
            missing: Vec::new(),
            default_completion: None,
            reason: None,
            remarks: Vec::new(),
            checked: 0,
            model_dialect: None,
        }
    }

    fn of(check: &ModelCheck, pool: &mut TermPool, locator: &Locator<'_>) -> Self {
        let mut record = Self {
            checked: check.checked,
            model_dialect: Some(check.dialect.name()),
            remarks: check.remarks.clone(),
            ..Self::new(check.outcome.name())
        };
        match &check.outcome {
            CheckOutcome::Valid => {}
            CheckOutcome::Invalid { failing, wrong_values } => {
                let failing = failing.iter();
                record.failing = failing.map(|one| failing_record(one, pool, locator)).collect();
                let wrong = wrong_values.iter();
                record.wrong_values = wrong.map(|one| wrong_value_record(one, pool)).collect();
            }
            CheckOutcome::Incomplete { missing, by_zero, default_completion } => {
                let names = missing.iter().map(|&function| pool.function_name(function).into());
                record.missing =
                    names.chain(by_zero.iter().map(|&term| term_text(pool, term))).collect();
                record.default_completion = *default_completion;
            }
            CheckOutcome::Unsupported { reason } | CheckOutcome::Exceeded { reason } => {
                record.reason = Some(reason.trim_end().to_owned());
            }
        }
        record
    }
}

fn failing_record(
    failing: &FailingAssertion,
    pool: &mut TermPool,
    locator: &Locator<'_>,
) -> FailingRecord {
    // The judge knows no place of assumptions.
    let place = failing.number.map(|_| locator.location(failing.span.start));
    FailingRecord {
        assertion: failing.number,
        name: failing.name.map(|name| pool.symbols().display(name).into_owned()),
        text: term_text(pool, failing.term),
        trace: render_explanation(pool, &failing.explanation),
        line: place.map(|place| place.line),
        column: place.map(|place| place.column),
        which: failing_name(pool, failing),
    }
}

fn wrong_value_record(wrong: &WrongValue, pool: &mut TermPool) -> WrongValueRecord {
    WrongValueRecord {
        term: term_text(pool, wrong.term),
        claimed: term_text(pool, wrong.claimed),
        actual: render_value(pool, &wrong.actual),
        sentence: wrong_value_sentence(pool, wrong),
    }
}

fn print(record: &Record, file: &str, output: &mut Output) -> Result<(), CliError> {
    if output.json {
        return output.json_line(record);
    }
    let paint = output.paint;
    match record.result {
        "valid" => {
            let (word, checked) = (paint.good("valid:"), counted(record.checked, "assertion"));
            let are = if record.checked == 1 { "is" } else { "are" };
            output.line(format_args!("{word} {checked} {are} true"))
        }
        "invalid" => print_invalid(record, file, output),
        "incomplete" => {
            let word = paint.warning("incomplete:");
            let missing: Vec<_> = record.missing.iter().map(|name| shorten(name)).collect();
            let missing = missing.join(", ");
            output.line(format_args!("{word} no value for {}", clean_name(&missing)))?;
            output.line(match record.default_completion {
                Some(true) => "  with default values (false, 0, \"\") it satisfies the script",
                Some(false) => {
                    "  with default values (false, 0, \"\") it does not satisfy the script"
                }
                None => "  whether it satisfies the script with default values cannot be said",
            })
        }
        result => {
            let word = paint.warning(&format!("{result}:"));
            let reason = record.reason.as_deref().unwrap_or("no reason is known");
            output.line(format_args!("{word} {}", clean_text(reason)))?;
            if result == "exceeded" {
                output.line("  --timeout and --memory set the limits")?;
            }
            Ok(())
        }
    }
}

fn print_invalid(record: &Record, file: &str, output: &mut Output) -> Result<(), CliError> {
    let word = output.paint.error("invalid:");
    let file = clean_name(file);
    for failing in record.failing.iter().take(MAX_FAILING) {
        let which = clean_name(&failing.which);
        output.line(match (failing.line, failing.column) {
            (Some(line), Some(column)) => {
                format!("{word} {which} at {file}:{line}:{column} is false")
            }
            _ => format!("{word} {which} is false"),
        })?;
        for line in &failing.trace {
            output.line(format_args!("  {}", clean_name(line)))?;
        }
    }
    if let more @ 1.. = record.failing.len().saturating_sub(MAX_FAILING) {
        let more = counted(more, "more assertion");
        output.line(format_args!("{word} {more} false; --json lists all of them"))?;
    }
    for wrong in &record.wrong_values {
        output.line(format_args!("{word} {}", clean_name(&wrong.sentence)))?;
    }
    Ok(())
}
