//! `luthier eval`: the values of assertions and terms under a model.

mod terms;

use std::path::PathBuf;

use clap::Args;
use luthier_judge::{build_model, describe_reason, model_limits, render_value};
use luthier_semantics::{Deadline, Evaluation, Evaluator, Limits, Model};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{
    Code, CommandKind, Diagnostic, Dialect, Mode, ParsedScript, ReadOptions, Script,
    read_model_within, read_script,
};
use luthier_terms::{TermId, TermPool};
use serde::Serialize;

use crate::args::{JudgingLimits, ModelSource, ScriptDialect};
use crate::error::{CliError, Ending};
use crate::input::{forbid_stdin_twice, read_one};
use crate::json::{VERSION, render};
use crate::output::Output;
use crate::text::{clean_name, counted, shorten, term_text};
use terms::read_terms;

const EXAMPLES: &str = "\
Examples:
  luthier eval script.smt2 --model model.txt
  luthier eval script.smt2 --model model.txt --term '(str.len x)' --term '(str.++ x y)'
  z3 script.smt2 | luthier eval script.smt2 --model - --model-dialect z3";

/// Print the values of assertions and terms under a model.
///
/// Every assertion of the script is shown with its number, its value and its text. Terms of
/// --term may use everything that is declared where the last check-sat stands. Ends with 0 if
/// every value is known, and with 3 if not.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The script (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    model: ModelSource,
    /// Also show the value of this term; may be given more than once
    #[arg(long = "term", value_name = "TERM", allow_hyphen_values = true)]
    terms: Vec<String>,
    #[command(flatten)]
    script: ScriptDialect,
    #[command(flatten)]
    limits: JudgingLimits,
}

/// The JSON of `luthier eval`.
#[derive(Serialize)]
struct Record {
    version: u32,
    assertions: Vec<AssertionRecord>,
    terms: Vec<TermRecord>,
    model_dialect: &'static str,
}

#[derive(Serialize)]
struct AssertionRecord {
    number: usize,
    name: Option<String>,
    text: String,
    line: usize,
    #[serde(flatten)]
    value: ValueRecord,
}

#[derive(Serialize)]
struct TermRecord {
    text: String,
    sort: String,
    #[serde(flatten)]
    value: ValueRecord,
}

#[derive(Serialize)]
struct ValueRecord {
    /// A literal of SMT-LIB 2.7 (but `-1`, not `(- 1)`), or `undecided`.
    value: String,
    /// Why it is undecided; empty if it is not.
    reasons: Vec<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    forbid_stdin_twice(&arguments.file, &arguments.model.model)?;
    let file = read_one(&arguments.file)?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: arguments.script.dialect, mode: Mode::Generous };
    let reading = read_script(&mut pool, &file.bytes, &options);
    let locator = Locator::new(&file.bytes);
    reject_errors(&reading, &file.name, &locator, output)?;
    let terms = read_terms(&mut pool, &file.bytes, &reading, &arguments.terms, output)?;
    let limits = arguments.limits.limits();
    let deadline = Deadline::after(limits.cpu_time);
    let (model, dialect) = model(&mut pool, &reading.script, &arguments.model, &limits, output)?;

    let mut record = Record {
        version: VERSION,
        assertions: Vec::new(),
        terms: Vec::new(),
        model_dialect: dialect.name(),
    };
    let assertions = reading.script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some((assertion, command.span)),
        _ => None,
    });
    let assertions: Vec<_> = assertions.collect();
    let wanted =
        assertions.iter().map(|(assertion, _)| assertion.term).chain(terms.iter().copied());
    let (values, exceeded) = evaluate(&mut pool, &model, (limits, deadline), wanted);
    let mut values = values.into_iter();
    for (position, ((assertion, span), value)) in assertions.iter().zip(values.by_ref()).enumerate()
    {
        record.assertions.push(AssertionRecord {
            number: position + 1,
            name: assertion.name.map(|name| pool.symbols().display(name).into_owned()),
            text: term_text(&pool, assertion.term),
            line: locator.location(span.start).line,
            value,
        });
    }
    for ((text, &term), value) in arguments.terms.iter().zip(&terms).zip(values) {
        let sort = pool.sort(term).to_string();
        record.terms.push(TermRecord { text: text.clone(), sort, value });
    }
    if output.json {
        output.json_line(&record)?;
    } else {
        print(&record, output)?;
    }
    if exceeded {
        output.warn("a limit was exceeded; --timeout and --memory set the limits");
    }
    let values = record.assertions.iter().map(|one| &one.value);
    let mut values = values.chain(record.terms.iter().map(|one| &one.value));
    let decided = values.all(|value| value.reasons.is_empty());
    Ok(if decided { Ending::Fine } else { Ending::Incomplete })
}

fn reject_errors(
    reading: &ParsedScript,
    name: &str,
    locator: &Locator<'_>,
    output: &Output,
) -> Result<(), CliError> {
    for error in reading.errors() {
        output.talk(render(error, name, locator, output.talk_paint));
    }
    match reading.errors().count() {
        0 => Ok(()),
        errors => {
            let message = format!("{name}: cannot be read: {}", counted(errors, "error"));
            Err(CliError::incomplete(message))
        }
    }
}

/// Reads a model and says in which dialect.
fn model(
    pool: &mut TermPool,
    script: &Script,
    source: &ModelSource,
    limits: &Limits,
    output: &Output,
) -> Result<(Model, Dialect), CliError> {
    let input = read_one(&source.model)?;
    let dialect = source.model_dialect.unwrap_or(Dialect::Smt27);
    let reading = read_model_within(pool, script, &input.bytes, dialect, &model_limits(limits));
    let locator = Locator::new(&input.bytes);
    let name = &input.name;
    if let Some(limit) = &reading.exceeded {
        return Err(CliError::incomplete(format!("{name}: the model has {limit}"))
            .with_hint("--memory raises the limit"));
    }
    let repeated = |one: &&Diagnostic| one.code == Code::RepeatedValue;
    for diagnostic in reading.errors().chain(reading.diagnostics.iter().filter(repeated)) {
        output.talk(render(diagnostic, &input.name, &locator, output.talk_paint));
    }
    match reading.errors().count() {
        0 => {}
        errors => {
            let message = format!("{name}: the model cannot be read: {}", counted(errors, "error"));
            return Err(CliError::incomplete(message));
        }
    }
    if !reading.found {
        return Err(CliError::incomplete(match reading.solver_errors.first() {
            Some(error) => format!("{name}: holds no model, only an error of the solver: {error}"),
            None => format!("{name}: holds no model"),
        })
        .with_hint("expected are the answers of a solver to (get-model) or (get-value …)"));
    }
    if reading.depends_on_escapes && source.model_dialect.is_none() {
        output.warn(&format!(
            "{name}: has backslash sequences that older solvers mean differently; they are read \
             by SMT-LIB 2.7, unless --model-dialect says who printed them"
        ));
    }
    Ok((build_model(&reading.entries).model, dialect))
}

/// The values, and whether one of them is undecided because of a limit.
fn evaluate(
    pool: &mut TermPool,
    model: &Model,
    (limits, deadline): (Limits, Deadline),
    terms: impl Iterator<Item = TermId>,
) -> (Vec<ValueRecord>, bool) {
    let values: Vec<Evaluation> = {
        let mut evaluator = Evaluator::until(pool, model, limits, deadline);
        terms.map(|term| evaluator.evaluate(term)).collect()
    };
    let record = |value: &Evaluation| match value {
        Evaluation::Known(value) => {
            ValueRecord { value: render_value(pool, value), reasons: Vec::new() }
        }
        Evaluation::Undecided(reasons) => ValueRecord {
            value: "undecided".to_owned(),
            reasons: reasons.iter().map(|reason| describe_reason(pool, reason)).collect(),
        },
    };
    let reasons = values.iter().filter_map(Evaluation::reasons);
    let exceeded = reasons.flat_map(|reasons| reasons.iter()).any(|reason| reason.is_limit());
    (values.iter().map(record).collect(), exceeded)
}

fn print(record: &Record, output: &mut Output) -> Result<(), CliError> {
    let width = record.assertions.len().to_string().len();
    for AssertionRecord { number, name, text, value, .. } in &record.assertions {
        let name = match name {
            Some(name) => format!("{}: ", clean_name(name)),
            None => String::new(),
        };
        let shown = format!("{:<9}", shorten(&value.value));
        let shown = match value.value.as_str() {
            "true" => output.paint.good(&shown),
            "false" => output.paint.error(&shown),
            _ => output.paint.warning(&shown),
        };
        output.line(format_args!(
            "{number:>width$}  {shown}  {name}{}",
            clean_name(&shorten(text))
        ))?;
        print_reasons(&value.reasons, output)?;
    }
    for TermRecord { text, value, .. } in &record.terms {
        let (text, shown) = (shorten(text), shorten(&value.value));
        output.line(format_args!("{} = {}", clean_name(&text), clean_name(&shown)))?;
        print_reasons(&value.reasons, output)?;
    }
    Ok(())
}

/// How many reasons are shown for one value.
const MAX_REASONS: usize = 5;

fn print_reasons(reasons: &[String], output: &mut Output) -> Result<(), CliError> {
    for reason in reasons.iter().take(MAX_REASONS) {
        output.line(format_args!("     because {}", clean_name(reason)))?;
    }
    match reasons.len().saturating_sub(MAX_REASONS) {
        0 => Ok(()),
        more => output.line(format_args!("     … and {}", counted(more, "more reason"))),
    }
}
