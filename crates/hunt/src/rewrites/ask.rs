//! Terms as commands of a release, and its output as terms.
//!
//! Many terms share a process: one head with the declarations, then a command for each term
//! ([`luthier_ask::ask_commands`]). A result is read in the dialect of the release, each by itself, so
//! that one which cannot be read hides no other. For releases from before the standard, a result must
//! also mean the same when it is written in their dialect again: some of their operators meant
//! something else, or ranged over 256 characters.

use std::time::Duration;

use luthier_ask::{CommandOptions, CommandReply, ProcessMode, Solver, ask_commands, keeps_meaning};
use luthier_smtlib::lexer::{Lexer, TokenKind};
use luthier_smtlib::{
    Command, CommandKind, Dialect, Mode, PrintOptions, ReadOptions, Script, print_script,
    print_term, read_script,
};
use luthier_terms::{Sort, TermId, TermPool};

use super::goals::goals;
use super::tally::RewriteTally;
use super::terms::constants;
use crate::batch::HuntEnvironment;

/// The CPU time of a process, plus a small amount for each term. Releases take about 50 microseconds
/// for a term; one that takes a thousand times as long is not worth waiting for.
const PROCESS_LIMIT: Duration = Duration::from_millis(300);
const TERM_LIMIT: Duration = Duration::from_micros(300);

/// What a release makes of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Simplified {
    /// This term.
    Term(TermId),
    /// A text that is no term of ours: why.
    Unreadable(String),
    /// An error message.
    Refused,
    /// Nothing, also alone: how the process ended.
    Unanswered(String),
    /// It was not asked: its dialect cannot express the term.
    Inexpressible,
    /// It was not asked: the command is about formulas.
    NoFormula,
    /// A fault of ours or of the machine.
    Fault(String),
    /// The hunt was stopped before.
    Stopped,
}

/// How a release is asked to rewrite a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form<'a> {
    /// This command, with `{term}`, prints a term.
    Simplify(&'a str),
    /// This tactic is applied to the term, a formula, and prints goals, whose disjunction is equivalent.
    Apply(&'a str),
}

/// Asks one release with one form of its command.
pub(super) struct Asker<'a> {
    pub solver: &'a Solver,
    pub form: Form<'a>,
    pub environment: &'a HuntEnvironment<'a>,
}

/// A term as a release gets it: the declarations and the command.
pub(super) struct TermScript {
    pub head: Vec<u8>,
    pub command: Vec<u8>,
}

impl<'a> Asker<'a> {
    /// For a solver that simplifies; the form depends on the number only.
    pub fn new(
        solver: &'a Solver,
        number: u64,
        environment: &'a HuntEnvironment<'a>,
    ) -> Option<Self> {
        let simplify = solver.quirks.simplify.iter().map(|command| Form::Simplify(command));
        let tactics = solver.quirks.tactics.iter().map(|tactic| Form::Apply(tactic));
        let forms: Vec<Form<'_>> = simplify.chain(tactics).collect();
        let first = forms.first()?;
        // Numbers of batches are multiples of their size, which may be even.
        let turn = luthier_generator::Dice::new(0, number).below(2 * forms.len());
        let form = *forms.get(turn).unwrap_or(first);
        Some(Self { solver, form, environment })
    }

    /// The dialect that the release reads and prints.
    pub fn dialect(&self) -> Dialect {
        self.solver.dialect
    }

    /// Simplifies terms of a pool, into which the results are read.
    pub fn simplify(
        &self,
        pool: &mut TermPool,
        terms: &[TermId],
        tally: &mut RewriteTally,
    ) -> Vec<Simplified> {
        let mut simplified = vec![Simplified::Inexpressible; terms.len()];
        let Some(head) = self.head(pool, terms) else { return simplified };
        let (mut places, mut commands) = (Vec::new(), Vec::new());
        for (place, &term) in terms.iter().enumerate() {
            if matches!(self.form, Form::Apply(_)) && pool.sort(term) != Sort::Bool {
                simplified[place] = Simplified::NoFormula;
            } else if let Some(command) = self.command(pool, term) {
                places.push(place);
                commands.push(command);
            }
        }
        let environment = self.environment;
        let options = CommandOptions {
            process_limit: PROCESS_LIMIT,
            command_limit: TERM_LIMIT,
            alone_limit: PROCESS_LIMIT,
            stop: environment.stop,
        };
        let mut runner = environment.runner(self.solver);
        let asked = ask_commands(&mut runner, &head, &commands, &options);
        tally.cpu += asked.cpu;
        tally.processes += asked.processes;
        for (place, reply) in places.into_iter().zip(asked.replies) {
            simplified[place] = match reply {
                Some(CommandReply::Printed(text)) => self.read(pool, terms[place], &text),
                Some(CommandReply::Ended(ending)) => Simplified::Unanswered(ending),
                Some(CommandReply::Fault(message)) => Simplified::Fault(message),
                None => Simplified::Stopped,
            };
        }
        simplified
    }

    /// The script that simplifies one term alone, and its command line.
    pub fn script_alone(&self, pool: &TermPool, term: TermId) -> Option<TermScript> {
        let head = self.head(pool, &[term])?;
        Some(TermScript { head, command: self.command(pool, term)? })
    }

    /// The mode of all processes.
    pub fn mode(&self) -> ProcessMode {
        ProcessMode::default()
    }

    /// The logic, and declarations of the constants of some terms.
    fn head(&self, pool: &TermPool, terms: &[TermId]) -> Option<Vec<u8>> {
        let mut head = b"(set-logic ALL)\n".to_vec();
        head.extend(self.declarations(pool, terms)?);
        Some(head)
    }

    fn declarations(&self, pool: &TermPool, terms: &[TermId]) -> Option<Vec<u8>> {
        let declare = |function| Command {
            kind: CommandKind::Declare { function, constant: false },
            span: Default::default(),
        };
        let declared = constants(pool, terms.iter().copied());
        let script = Script { commands: declared.into_iter().map(declare).collect() };
        let options = PrintOptions::new(self.dialect());
        Some(print_script(pool, &script, &options).ok()?.bytes)
    }

    /// The command for a term; `None` if the dialect cannot express it or means something else.
    fn command(&self, pool: &TermPool, term: TermId) -> Option<Vec<u8>> {
        let printed = print_term(pool, term, &PrintOptions::new(self.dialect())).ok()?;
        if !keeps_meaning(&printed) {
            return None;
        }
        Some(match self.form {
            Form::Simplify(command) => {
                let (before, after) = command.split_once("{term}")?;
                [before.as_bytes(), &printed.bytes, after.as_bytes()].concat()
            }
            Form::Apply(tactic) => {
                let apply = format!(")\n(apply {tactic})\n(pop 1)");
                [b"(push 1)\n(assert ", &printed.bytes[..], apply.as_bytes()].concat()
            }
        })
    }

    /// Reads what the release printed for a term.
    pub fn read(&self, pool: &mut TermPool, term: TermId, printed: &[u8]) -> Simplified {
        let text = printed.trim_ascii();
        if text.starts_with(b"(error") {
            return Simplified::Refused;
        }
        if text.is_empty() {
            return Simplified::Unreadable("nothing is printed".to_owned());
        }
        let text = match self.form {
            Form::Simplify(_) => text.to_vec(),
            Form::Apply(_) => match goals(text, self.dialect().quotes()) {
                Ok(formula) => formula,
                Err(reason) => return Simplified::Unreadable(reason),
            },
        };
        let Some(mut script) = self.declarations(pool, &[term]) else {
            return Simplified::Inexpressible;
        };
        script.extend_from_slice(b"(get-value (");
        script.extend_from_slice(&self.with_our_names(&text));
        script.extend_from_slice(b"\n))\n");
        let dialect = self.dialect();
        let options = ReadOptions { dialect: Some(dialect), mode: Mode::Generous };
        let reading = read_script(pool, &script, &options);
        if let Some(error) = reading.errors().next() {
            return Simplified::Unreadable(error.message.clone());
        }
        let mut commands = reading.script.commands.iter();
        let result = match commands.next_back().map(|command| &command.kind) {
            Some(CommandKind::GetValue(results)) if results.len() == 1 => results[0],
            _ => return Simplified::Unreadable("it is not one term".to_owned()),
        };
        if commands.any(|command| !matches!(command.kind, CommandKind::Declare { .. })) {
            return Simplified::Unreadable("it is not one term".to_owned());
        }
        if pool.sort(result) != pool.sort(term) {
            return Simplified::Unreadable("it has another sort than the term".to_owned());
        }
        if dialect.is_legacy() {
            match print_term(pool, result, &PrintOptions::new(dialect)) {
                Ok(printed) if printed.notes.is_empty() => {}
                Ok(printed) => {
                    let note = printed.notes[0].describe(dialect);
                    return Simplified::Unreadable(format!("it may mean something else: {note}"));
                }
                Err(error) => return Simplified::Unreadable(error.to_string()),
            }
        }
        Simplified::Term(result)
    }

    /// The text with our names for functions of the solver's own.
    fn with_our_names(&self, text: &[u8]) -> Vec<u8> {
        let names = &self.solver.quirks.printed_names;
        if names.is_empty() {
            return text.to_vec();
        }
        let mut lexer = Lexer::new(text, self.dialect().quotes());
        let (mut renamed, mut copied) = (Vec::with_capacity(text.len()), 0);
        loop {
            let token = lexer.next_token();
            let span = token.span.start as usize..token.span.end as usize;
            match token.kind {
                TokenKind::End => break,
                TokenKind::Symbol => {
                    let symbol = std::str::from_utf8(lexer.text(token.span)).unwrap_or_default();
                    if let Some(name) = names.get(symbol) {
                        renamed.extend_from_slice(&text[copied..span.start]);
                        renamed.extend_from_slice(name.as_bytes());
                        copied = span.end;
                    }
                }
                _ => {}
            }
        }
        renamed.extend_from_slice(&text[copied..]);
        renamed
    }
}
