//! `luthier fmt`: a script in a chosen dialect, laid out.

use std::path::PathBuf;

use clap::Args;
use luthier_ask::dialect_named;
use luthier_corpus::Instance;
use luthier_smtlib::lexer::{Lexer, TokenKind};
use luthier_smtlib::source::Locator;
use luthier_smtlib::{
    Diagnostic, Dialect, Mode, ParsedScript, PrintOptions, Printed, ReadOptions, Severity,
    print_script_with_comments, read_script,
};
use luthier_terms::TermPool;
use serde::Serialize;

use crate::codes::is_about_meaning;
use crate::error::{CliError, Ending};
use crate::input::read_one;
use crate::json::{DiagnosticRecord, VERSION, render};
use crate::output::Output;
use crate::text::{clean_name, counted};

const EXAMPLES: &str = "\
Examples:
  luthier fmt script.smt2                                standard SMT-LIB 2.7
  luthier fmt --dialect z3-4.8.8 script.smt2             as an older solver reads it
  luthier fmt --from cvc4-1.6 --flat - < old.smt2        one command a line
  luthier fmt --check script.smt2                        is it laid out already?";

/// Print a script in a chosen dialect, laid out.
///
/// The text goes to standard output. What changes with the dialect, and what may have meant
/// something else when the script was written, is said on standard error. Comments are not kept.
/// Ends with 3, and prints nothing, if the script has errors, if the dialect has no words for
/// it, or, with --check, if it would be changed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The script (`-`: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The dialect to write: 2.0, 2.5, 2.6, 2.7, or a release such as z3-4.8.8, cvc4-1.6, cvc5
    #[arg(long, value_name = "DIALECT", default_value = "2.7", value_parser = dialect_named)]
    dialect: Dialect,
    /// The dialect of the script; detected if not given
    #[arg(long, value_name = "DIALECT", value_parser = dialect_named)]
    from: Option<Dialect>,
    /// Break lines that are longer than this
    #[arg(long, value_name = "N", default_value_t = 100)]
    width: usize,
    /// Put each command on one line
    #[arg(long, conflicts_with = "width")]
    flat: bool,
    /// Print nothing; say whether the script already looks like this
    #[arg(long)]
    check: bool,
}

/// The JSON of `luthier fmt`.
#[derive(Serialize)]
struct Record {
    version: u32,
    file: String,
    dialect_from: &'static str,
    reason: String,
    dialect_to: &'static str,
    /// `null` if there is none, and always with `--check`.
    text: Option<String>,
    /// Whether the script looked like this before; `null` if there is no text.
    unchanged: Option<bool>,
    notes: Vec<String>,
    warnings: Vec<DiagnosticRecord>,
    errors: Vec<DiagnosticRecord>,
    /// Why the dialect cannot express the script.
    cannot_express: Option<String>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let input = read_one(&arguments.file)?;
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: arguments.from, mode: Mode::Generous };
    let reading = read_script(&mut pool, &input.bytes, &options);
    let locator = Locator::new(&input.bytes);
    let records = |wanted: fn(&Diagnostic) -> bool| -> Vec<DiagnosticRecord> {
        let diagnostics = reading.diagnostics.iter().filter(|diagnostic| wanted(diagnostic));
        diagnostics.map(|diagnostic| DiagnosticRecord::new(diagnostic, &locator)).collect()
    };
    let mut record = Record {
        version: VERSION,
        file: input.name.clone(),
        dialect_from: reading.detection.dialect.name(),
        reason: reading.detection.reason.describe(),
        dialect_to: arguments.dialect.name(),
        text: None,
        unchanged: None,
        notes: Vec::new(),
        warnings: records(is_warning_about_meaning),
        errors: records(is_error),
        cannot_express: None,
    };
    let shown =
        |diagnostic: &Diagnostic| is_error(diagnostic) || is_warning_about_meaning(diagnostic);
    for diagnostic in reading.diagnostics.iter().filter(|diagnostic| shown(diagnostic)) {
        output.talk(render(diagnostic, &input.name, &locator, output.talk_paint));
    }
    let (result, failure) = print(arguments, &pool, &reading, &input);
    if let Some(printed) = &result {
        record.notes = notes(printed, &input.bytes, &reading, arguments.dialect);
        record.unchanged = Some(printed.bytes == input.bytes);
    }
    for note in &record.notes {
        output.talk(format_args!("{}: note: {note}", clean_name(&input.name)));
    }
    if output.json {
        record.cannot_express =
            failure.as_ref().filter(|_| reading.is_accepted()).map(ToString::to_string);
        record.text = result
            .filter(|_| !arguments.check)
            .map(|printed| String::from_utf8_lossy(&printed.bytes).into_owned());
        output.json_line(&record)?;
    } else if let Some(printed) = result.filter(|_| !arguments.check) {
        output.data(&printed.bytes)?;
    }
    match failure {
        Some(error) => Err(error),
        None if arguments.check && record.unchanged != Some(true) => {
            let message = format!("{}: would be laid out differently", input.name);
            Err(CliError::incomplete(message).with_hint("luthier fmt FILE shows how"))
        }
        None => Ok(Ending::Fine),
    }
}

/// The text, or why there is none.
fn print(
    arguments: &Arguments,
    pool: &TermPool,
    reading: &ParsedScript,
    input: &Instance,
) -> (Option<Printed>, Option<CliError>) {
    let Instance { name, bytes } = input;
    let errors = reading.errors().count();
    if errors > 0 {
        let message = format!("{name}: cannot be read: {}", counted(errors, "error"));
        return (None, Some(CliError::incomplete(message)));
    }
    let options = PrintOptions {
        dialect: arguments.dialect,
        width: (!arguments.flat).then_some(arguments.width),
    };
    match print_script_with_comments(pool, &reading.script, &options, bytes) {
        Ok(printed) => (Some(printed), None),
        Err(error) => {
            let error = CliError::incomplete(format!("{name}: {error}"))
                .with_hint("choose another dialect with --dialect");
            (None, Some(error))
        }
    }
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

fn is_warning_about_meaning(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Warning && is_about_meaning(diagnostic.code)
}

/// What somebody who uses the text should know.
fn notes(printed: &Printed, bytes: &[u8], reading: &ParsedScript, dialect: Dialect) -> Vec<String> {
    let mut notes: Vec<String> = printed.notes.iter().map(|note| note.describe(dialect)).collect();
    if has_inner_comments(bytes, reading.detection.dialect) {
        notes.push("comments inside commands are not kept".to_owned());
    }
    if std::str::from_utf8(&printed.bytes).is_err() {
        notes.push("the text is not UTF-8; JSON shows replacement characters".to_owned());
    }
    notes
}

/// Whether there is a semicolon between two tokens of a command.
fn has_inner_comments(bytes: &[u8], dialect: Dialect) -> bool {
    let mut lexer = Lexer::new(bytes, dialect.quotes());
    let mut end = 0;
    let mut depth = 0;
    loop {
        let token = lexer.next_token();
        if depth > 0 && bytes[end..token.span.start as usize].contains(&b';') {
            return true;
        }
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::End => return false,
            _ => {}
        }
        end = token.span.end as usize;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_inside_commands_are_told_from_those_between_them() {
        for (text, expected) in [
            ("(check-sat) ; done", false),
            ("; first\n(check-sat)", false),
            ("(assert ; why\n true)", true),
            ("(echo \"a;b\")", false),
            ("(assert |a;b|)", false),
            ("", false),
        ] {
            assert_eq!(has_inner_comments(text.as_bytes(), Dialect::Smt27), expected, "{text}");
        }
    }
}
