//! Terms from the command line, read as if they stood in the script.

use std::ops::Range;

use luthier_smtlib::source::{Locator, Span};
use luthier_smtlib::{
    CommandKind, Diagnostic, Mode, ParsedScript, ReadOptions, Script, SimpleCommand, read_script,
};
use luthier_terms::{TermId, TermPool};

use crate::error::CliError;
use crate::json::render;
use crate::output::Output;
use crate::text::clean_name;

/// Reads terms over what the script declares: each becomes a `get-value` after the script's last
/// query, and that script is read into the same pool.
pub fn read_terms(
    pool: &mut TermPool,
    bytes: &[u8],
    reading: &ParsedScript,
    terms: &[String],
    output: &Output,
) -> Result<Vec<TermId>, CliError> {
    if terms.is_empty() {
        return Ok(Vec::new());
    }
    let (commands, end) = place_for_terms(&reading.script, bytes.len());
    let mut text = bytes[..end].to_vec();
    let mut places: Vec<Range<usize>> = Vec::new();
    for term in terms {
        text.extend_from_slice(b"\n(get-value (");
        let begin = text.len();
        text.extend_from_slice(term.as_bytes());
        places.push(begin..text.len());
        // A term may end in a comment.
        text.extend_from_slice(b"\n))");
    }
    let options = ReadOptions { dialect: Some(reading.detection.dialect), mode: Mode::Generous };
    let again = read_script(pool, &text, &options);
    reject_errors(again.errors(), terms, &places, output)?;
    let read = again.script.commands.get(commands..).unwrap_or_default();
    let read: Vec<TermId> = read
        .iter()
        .zip(&places)
        .map_while(|(command, place)| match &command.kind {
            CommandKind::GetValue(values) if surrounds(command.span, place) => match values[..] {
                [term] => Some(term),
                _ => None,
            },
            _ => None,
        })
        .collect();
    match terms.get(read.len()) {
        None => Ok(read),
        Some(term) => Err(not_one_term(term)),
    }
}

/// Where terms can be read: how many commands stand before, and where they end. After the last
/// query, whose model is asked about; what is declared there may be popped afterwards.
fn place_for_terms(script: &Script, length: usize) -> (usize, usize) {
    let commands = &script.commands;
    let is_query = |kind: &CommandKind| {
        matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming(_))
    };
    let is_exit = |kind: &CommandKind| matches!(kind, CommandKind::Simple(SimpleCommand::Exit));
    if let Some(last) = commands.iter().rposition(|command| is_query(&command.kind)) {
        return (last + 1, commands[last].span.end as usize);
    }
    match commands.iter().position(|command| is_exit(&command.kind)) {
        Some(exit) => (exit, commands[exit].span.start as usize),
        None => (commands.len(), length),
    }
}

fn reject_errors<'a>(
    errors: impl Iterator<Item = &'a Diagnostic>,
    terms: &[String],
    places: &[Range<usize>],
    output: &Output,
) -> Result<(), CliError> {
    let mut wrong = None;
    for error in errors {
        let start = error.span.start as usize;
        // An error before the first term is none of the script, which was read without any.
        let index = places.partition_point(|place| place.start <= start).saturating_sub(1);
        let (term, place) = (&terms[index], &places[index]);
        let in_term = |offset: u32| {
            let offset = (offset as usize).clamp(place.start, place.end) - place.start;
            u32::try_from(offset).unwrap_or(u32::MAX)
        };
        let span = Span { start: in_term(error.span.start), end: in_term(error.span.end) };
        let error = Diagnostic { span, ..error.clone() };
        let locator = Locator::new(term.as_bytes());
        output.talk(render(&error, "--term", &locator, output.talk_paint));
        wrong.get_or_insert(term);
    }
    match wrong {
        Some(term) => Err(CliError::usage(format!("--term {}: is no term", clean_name(term)))
            .with_hint("it may use what the script declares up to its last check-sat")),
        None => Ok(()),
    }
}

fn surrounds(span: Span, place: &Range<usize>) -> bool {
    span.range().start < place.start && place.end < span.range().end
}

fn not_one_term(term: &str) -> CliError {
    CliError::usage(format!("--term {}: expected exactly one term", clean_name(term)))
        .with_hint("give --term once for each term")
}
