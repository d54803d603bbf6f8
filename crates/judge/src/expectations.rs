//! What a script states about the verdicts of its own queries.
//!
//! Four attributes of `set-info` count: `:status` (what the file claims), and what a generator
//! planted: `:luthier-expected` (the verdict), `:luthier-core` (the names of the only minimal core)
//! and `:luthier-witness` (a model, as text).
//!
//! Each belongs to the next `check-sat` or `check-sat-assuming` in the text, and to no other.
//! Incremental scripts set the status before every query; a status that is set once in a script of
//! several queries says nothing about the later ones. In a script without any `check-sat` it
//! belongs to the query that is implied at its end. If it is set more than once for a query, the
//! last one counts.
//!
//! A fifth attribute concerns the whole script: `:luthier-semantics` says that it was generated for
//! a semantics of some operator other than the standard's, for example
//! `"replace=empty-pattern-unchanged"`. The referee implements only the standard. In such a script
//! the planted answer is the ground truth as it stands, and models are neither accepted nor
//! refuted.

use luthier_records::{Query, Text, Verdict};
use luthier_smtlib::annotations::{self, Annotation};
use luthier_smtlib::source::Span;
use luthier_smtlib::{Attribute, AttributeValue, CommandKind, Script, SimpleCommand};
use luthier_terms::TermPool;

use crate::query::names_of;

/// The standard's attribute for the expected verdict.
const STATUS: &str = ":status";

/// What a script states about its queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// What is known about each query of [`Script::queries`], in the same order. Names of planted
    /// cores are without bars.
    pub queries: Vec<Query>,
    /// The planted model of each query, if there is one: a text as a solver would print it.
    pub witnesses: Vec<Option<Text>>,
    /// The semantics for which the script was generated, if it is not the standard's.
    pub semantics: Option<Text>,
    /// Annotations that are inconsistent or belong to no query. They are ignored.
    pub problems: Vec<AnnotationProblem>,
}

/// An annotation of an answer that is ignored, or overwrites another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationProblem {
    /// Its position.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// The annotations since the last query, which belong to the next one.
#[derive(Default)]
struct Pending {
    status: Option<(Verdict, Span)>,
    expected: Option<(Verdict, Span)>,
    core: Option<(Vec<Text>, Span)>,
    witness: Option<(Text, Span)>,
}

/// What a script states about each of its queries.
pub fn expectations(pool: &TermPool, script: &Script) -> Expectations {
    let mut problems = Vec::new();
    let mut pending = Pending::default();
    let mut asked: Vec<Pending> = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::SetInfo(attribute) => {
                pending.take(pool, attribute, command.span, &mut problems);
            }
            CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                asked.push(std::mem::take(&mut pending));
            }
            CommandKind::Reset => {
                std::mem::take(&mut pending).report_lost("`(reset)` forgets it", &mut problems);
            }
            CommandKind::Simple(SimpleCommand::Exit) => break,
            _ => {}
        }
    }
    if asked.is_empty() && script.queries().next().is_some() {
        asked.push(std::mem::take(&mut pending));
    }
    pending.report_lost("no query follows it", &mut problems);
    remove_inconsistent(pool, script, &mut asked, &mut problems);
    problems.sort_by_key(|problem| problem.span);
    let semantics = nonstandard_semantics(pool, script);
    let mut expectations = Expectations { semantics, problems, ..Expectations::default() };
    for query in asked {
        expectations.queries.push(Query {
            planted: query.expected.map(|(verdict, _)| verdict),
            planted_core: query.core.map(|(names, _)| names),
            status: query.status.map(|(verdict, _)| verdict),
        });
        expectations.witnesses.push(query.witness.map(|(text, _)| text));
    }
    expectations
}

/// The semantics for which a script was generated, if it is not the standard's: the values of all its
/// `:luthier-semantics`. One that cannot be read still says that it is not the standard's.
pub fn nonstandard_semantics(pool: &TermPool, script: &Script) -> Option<Text> {
    let said = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::SetInfo(attribute)
            if Annotation::of(pool, attribute) == Some(Annotation::Semantics) =>
        {
            Some(semantics(&attribute.value).unwrap_or(b"unknown"))
        }
        _ => None,
    });
    let said: Vec<&[u8]> = said.collect();
    (!said.is_empty()).then(|| Text::from(said.join(&b' ').as_slice()))
}

fn semantics(value: &AttributeValue) -> Option<&[u8]> {
    annotations::text(value).map(<[u8]>::trim_ascii)
}

/// The planted model of one query, counted from 0.
pub fn planted_witness(pool: &TermPool, script: &Script, query: usize) -> Option<Text> {
    expectations(pool, script).witnesses.into_iter().nth(query).flatten()
}

impl Pending {
    /// Records an attribute if it is an annotation of an answer.
    fn take(
        &mut self,
        pool: &TermPool,
        attribute: &Attribute,
        span: Span,
        problems: &mut Vec<AnnotationProblem>,
    ) {
        let keyword = pool.symbols().bytes_of(attribute.keyword);
        let annotation = Annotation::of(pool, attribute);
        let taken = match annotation {
            None if keyword == STATUS.as_bytes() => verdict(&attribute.value)
                .ok_or("the status must be `sat`, `unsat` or `unknown`")
                .map(|verdict| replace(&mut self.status, verdict, span)),
            Some(Annotation::Expected) => verdict(&attribute.value)
                .filter(|&verdict| verdict != Verdict::Unknown)
                .ok_or("the planted answer must be `sat` or `unsat`")
                .map(|verdict| replace(&mut self.expected, verdict, span)),
            Some(Annotation::Core) => annotations::names(&attribute.value)
                .ok_or("the planted core must be a list of different names")
                .map(|names| {
                    let names = names.into_iter().map(Text::from).collect();
                    replace(&mut self.core, names, span)
                }),
            Some(Annotation::Witness) => annotations::text(&attribute.value)
                .ok_or("the planted model must be a string literal that holds a model")
                .map(|text| replace(&mut self.witness, Text::from(text), span)),
            Some(Annotation::Semantics) => semantics(&attribute.value)
                .ok_or("the meaning must be a string literal such as \"replace=NAME\"")
                .map(|_| false),
            Some(Annotation::Names | Annotation::Backslashes) | None => return,
        };
        let message = match taken {
            Ok(false) => return,
            Ok(true) => {
                let keyword = String::from_utf8_lossy(keyword);
                format!("{keyword} was set to something else for the same query; this one counts")
            }
            Err(message) => message.to_owned(),
        };
        problems.push(AnnotationProblem { span, message });
    }

    /// Reports everything that belongs to no query.
    fn report_lost(self, why: &str, problems: &mut Vec<AnnotationProblem>) {
        let spans = [
            self.status.map(|(_, span)| (STATUS, span)),
            self.expected.map(|(_, span)| (Annotation::Expected.keyword(), span)),
            self.core.map(|(_, span)| (Annotation::Core.keyword(), span)),
            self.witness.map(|(_, span)| (Annotation::Witness.keyword(), span)),
        ];
        for (keyword, span) in spans.into_iter().flatten() {
            problems.push(AnnotationProblem {
                span,
                message: format!("{keyword} counts for nothing: {why}"),
            });
        }
    }
}

/// Removes inconsistent annotations: a planted core needs a planted `unsat` and names of assertions of its
/// query, and a witness must not occur together with a planted `unsat`.
fn remove_inconsistent(
    pool: &TermPool,
    script: &Script,
    asked: &mut [Pending],
    problems: &mut Vec<AnnotationProblem>,
) {
    for pending in asked.iter_mut() {
        let planted = pending.expected.as_ref().map(|(verdict, _)| *verdict);
        if planted != Some(Verdict::Unsat)
            && let Some((_, span)) = pending.core.take()
        {
            let needed = Annotation::Expected.word_line("unsat");
            let message = format!("a planted core needs `{}`", needed.trim_end());
            problems.push(AnnotationProblem { span, message });
        }
        if planted == Some(Verdict::Unsat)
            && let Some((_, span)) = pending.witness.take()
        {
            let message = "there is no model if the planted answer is `unsat`".to_owned();
            problems.push(AnnotationProblem { span, message });
        }
    }
    // Iterating over queries copies their assertions, so this is done only if there is a core to check.
    if asked.iter().all(|pending| pending.core.is_none()) {
        return;
    }
    for (pending, query) in asked.iter_mut().zip(script.queries()) {
        let Some((core, span)) = &pending.core else { continue };
        let known = names_of(pool, &query);
        let is_known = |name: &Text| {
            pool.symbols().find(name.as_bytes()).is_some_and(|symbol| known.contains(&symbol))
        };
        if let Some(foreign) = core.iter().find(|name| !is_known(name)) {
            let message =
                format!("the planted core names `{foreign}`, which no assertion of the query has");
            problems.push(AnnotationProblem { span: *span, message });
            pending.core = None;
        }
    }
}

/// Sets a value; returns whether it replaces a different one.
fn replace<T: PartialEq>(place: &mut Option<(T, Span)>, value: T, span: Span) -> bool {
    let differs = place.as_ref().is_some_and(|(before, _)| *before != value);
    *place = Some((value, span));
    differs
}

fn verdict(value: &AttributeValue) -> Option<Verdict> {
    match annotations::word(value)? {
        b"sat" => Some(Verdict::Sat),
        b"unsat" => Some(Verdict::Unsat),
        b"unknown" => Some(Verdict::Unknown),
        _ => None,
    }
}
