//! Everything about one run, for its own page and for that of its instance.

use luthier_judge::judge_answer;
use luthier_records::{
    Answer, Configuration, GroundTruth, Judgement, ModelOutcome, ParsedOutput, RunAnswer, Text,
};
use luthier_report::figures;
use luthier_store::StoredRun;
use maud::{Markup, PreEscaped, html};

use super::Context;
use crate::evaluation::is_examined;
use crate::highlight::plain;
use crate::medium::Medium;
use crate::parts;
use crate::recheck::{Printed, Trace, recheck};
use crate::text::{cut, shorten, visible, visible_text};

/// A run with everything that is known about it.
#[derive(Debug)]
pub(crate) struct KnownRun<'a> {
    /// The run.
    pub run: &'a StoredRun,
    /// Who was asked.
    pub configuration: &'a Configuration,
    /// The ground truth of each query.
    pub truths: &'a [GroundTruth],
    /// What it said, read again from what it printed; `None` if that is too much for a page.
    pub said: Option<ParsedOutput>,
    /// The formula, if its text is there, and the dialect in which it is read.
    pub formula: Option<&'a [u8]>,
    /// The name of that dialect.
    pub dialect: &'a str,
}

/// How much is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Amount {
    /// Bytes of each text.
    pub text: usize,
    /// Which models are checked again.
    pub traces: Traces,
    /// The command that reproduces the run, which takes some time to find.
    pub command: bool,
}

/// Which models are checked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traces {
    /// None.
    None,
    /// Those that do not prove anything.
    Doubtful,
    /// All.
    All,
}

/// How many names of a core, answers and notes are shown.
const MOST_NAMES: usize = 200;
const MOST_ANSWERS: usize = 50;
const MOST_NOTES: usize = 50;

impl KnownRun<'_> {
    /// The judgement on an answer.
    pub fn judgement(&self, query: usize) -> Judgement {
        judgement(self.run, query, self.truths)
    }

    /// The first query whose model the referee examined; a site shows the values of that one only.
    pub fn examined(&self) -> Option<usize> {
        let outcome = |answer: &RunAnswer| answer.model.as_ref().map(|model| model.outcome);
        self.run.answers.iter().position(|answer| outcome(answer).is_some_and(is_examined))
    }

    /// Answers with models, cores, traces; notes; the command.
    pub fn details(&self, context: &Context, amount: Amount) -> Markup {
        let several = self.run.answers.len() > 1;
        html! {
            @if self.run.answers.is_empty() {
                p { "There is no answer." }
            }
            @for (query, answer) in self.run.answers.iter().enumerate().take(MOST_ANSWERS) {
                div.answer {
                    @if several { h4 { "Query " (query + 1) } }
                    (self.answer(context, query, answer, amount))
                }
            }
            @if self.run.answers.len() > MOST_ANSWERS {
                p.note { "and " (self.run.answers.len() - MOST_ANSWERS) " more answers" }
            }
            @match &self.said {
                Some(said) => (errors(said)),
                None => p.note {
                    "The output is long. " a href={ "/run/" (self.run.id.0) } { "The page of this run" }
                    " has more."
                },
            }
            @if !self.run.conversion.is_empty() {
                h4 { "Changes by the translation to its dialect" }
                ul.notes {
                    @for note in self.run.conversion.iter().take(MOST_NOTES) {
                        li { (visible(&shorten(note, 500))) }
                    }
                }
            }
            @if amount.command {
                h4 { "Reproduce" }
                @let solver_access = &context.app.shared.solver_access;
                @let again = solver_access.reproduce(self.run.id.0, self.configuration);
                (parts::command(&again.command))
                @if let Some(note) = &again.note {
                    p.note { (visible(note)) }
                }
            } @else {
                p.note {
                    a href={ "/run/" (self.run.id.0) } { "The page of this run" }
                    " has the command that reproduces it."
                }
            }
        }
    }

    fn answer(
        &self,
        context: &Context,
        query: usize,
        answer: &RunAnswer,
        amount: Amount,
    ) -> Markup {
        let medium = context.snapshot.medium;
        // The output was read when the run was made and is read again now; if that gave another
        // number of answers, nobody can tell which text belongs to which.
        let said = self.said.as_ref().map_or(&[][..], |said| &said.answers);
        let printed = said.get(query).filter(|_| said.len() == self.run.answers.len());
        html! {
            p.answer-line {
                "Answer " (parts::verdict(answer.verdict)) " " (parts::judgement(self.judgement(query)))
                @if answer.class.name() != answer.verdict.name() {
                    " " span.why { "counted as " (parts::class_word(answer.class)) }
                }
            }
            @if let Some(reason) = &answer.reason_unknown {
                p { "Reason for unknown: " q { (visible(&shorten(&reason.to_string(), 500))) } }
            }
            @if let Some(finding) = &answer.model {
                p {
                    (parts::model(finding.outcome))
                    @if let Some(detail) = &finding.detail { ": " (visible(detail)) }
                    @if is_examined(finding.outcome) && (!medium.is_site() || self.examined() == Some(query)) {
                        " · "
                        a href={
                            "/instance/" (self.run.instance.0) "?run=" (self.run.id.0)
                            "&query=" (query + 1) "#evaluation"
                        } { "Values of subterms" }
                    }
                }
            }
            @for opinion in &answer.opinions {
                p.why {
                    (visible(&opinion.by)) " on this model: " (parts::class_word(opinion.class))
                }
            }
            @if let Some(printed) = printed {
                (self.trace(query, answer, printed, (amount, medium)))
                (self.texts(printed, amount))
            }
            @if let Some(finding) = &answer.core {
                p {
                    (parts::core(finding.outcome)) " of " (finding.size) " assertions"
                    @if let Some(detail) = &finding.detail { ": " (visible(detail)) }
                }
            }
            @if let Some(names) = printed.and_then(|printed| printed.core.as_deref()) {
                (core_names(names))
            }
        }
    }

    fn texts(&self, printed: &Answer, amount: Amount) -> Markup {
        let texts = printed.model.iter().chain(&printed.values);
        html! {
            @for text in texts.take(8) {
                (self.text(text.as_bytes(), amount.text, "The model as it was printed"))
            }
        }
    }

    fn text(&self, bytes: &[u8], most: usize, title: &str) -> Markup {
        let (shown, is_cut) = cut(bytes, most);
        html! {
            details {
                summary { (title) }
                div.code.scroll tabindex="0" role="region" aria-label=(title) {
                    pre { code { (PreEscaped(plain(shown))) } }
                }
                @if is_cut {
                    p.note {
                        "Cut. " a href={ "/run/" (self.run.id.0) "/stdout" } { "The whole output" }
                    }
                }
            }
        }
    }

    fn trace(
        &self,
        query: usize,
        answer: &RunAnswer,
        said: &Answer,
        (amount, medium): (Amount, Medium),
    ) -> Markup {
        let Some(finding) = &answer.model else { return html! {} };
        let is_wanted = match amount.traces {
            Traces::None => false,
            Traces::Doubtful => !finding.outcome.proves_sat(),
            Traces::All => true,
        };
        if !is_wanted {
            return html! {};
        }
        let texts: Vec<&Text> = said.model.iter().chain(&said.values).collect();
        let (Some(formula), false) = (self.formula, texts.is_empty()) else { return html! {} };
        let model: Vec<u8> =
            texts.iter().flat_map(|text| [text.as_bytes(), b"\n"]).flatten().copied().collect();
        let trace = recheck(&Printed {
            formula,
            dialect: self.dialect,
            model: &model,
            model_dialect: &self.configuration.dialect,
            query,
            medium,
        });
        match trace {
            Some(trace) => explained(&trace, finding.outcome),
            None => html! { p.why { "It is too large to be checked again here." } },
        }
    }
}

/// The judgement on an answer of a run.
pub(crate) fn judgement(run: &StoredRun, query: usize, truths: &[GroundTruth]) -> Judgement {
    match (run.answers.get(query), truths.get(query)) {
        (Some(answer), Some(truth)) => judge_answer(truth, answer.verdict, answer.is_claim()),
        _ => Judgement::NoClaim,
    }
}

/// Which assertions are false, and why.
fn explained(trace: &Trace, recorded: ModelOutcome) -> Markup {
    let recorded = match recorded {
        // With default values is said apart.
        ModelOutcome::Completed => "incomplete",
        other => other.name(),
    };
    html! {
        div.trace {
            @if trace.outcome == "valid" {
                p.why { "Checked again: all " (trace.checked) " assertions are true." }
            }
            @if trace.outcome != recorded {
                p.doubt {
                    "Checked again it is " (trace.outcome) "; recorded is " (recorded)
                    ". The run was made with another version of Luthier."
                }
            }
            @for failing in &trace.failing {
                p {
                    strong { (visible(&failing.which)) }
                    @if let Some(line) = failing.line {
                        " in " a href={ "#L" (line) } { "line " (line) }
                    }
                    " is false:"
                }
                div.code.scroll tabindex="0" role="region" aria-label="Why it is false" {
                    pre { code {
                        @for step in &failing.steps { (visible_text(step)) "\n" }
                    } }
                }
            }
            @if trace.more > 0 {
                p.why { "and " (figures::count(trace.more as u64)) " more of " (trace.checked) }
            }
            @if !trace.remarks.is_empty() {
                ul.notes { @for remark in &trace.remarks { li { (visible_text(remark)) } } }
            }
        }
    }
}

/// Messages that belong to no answer or came before one.
fn errors(said: &ParsedOutput) -> Markup {
    let before = said
        .answers
        .iter()
        .flat_map(|answer| answer.errors_before.iter().chain(&answer.errors_after));
    let all: Vec<&Text> = said.errors.iter().chain(before).take(20).collect();
    html! {
        @if !all.is_empty() {
            h4 { "Errors that it reported" }
            ul.notes {
                @for error in all { li { code { (visible(&shorten(&error.to_string(), 400))) } } }
            }
        }
    }
}

fn core_names(names: &[Text]) -> Markup {
    html! {
        details {
            summary { "The core as it was printed" }
            ul.names {
                @for name in names.iter().take(MOST_NAMES) {
                    li { code { (visible(&shorten(&name.to_string(), 200))) } }
                }
                @if names.len() > MOST_NAMES { li { "and " (names.len() - MOST_NAMES) " more" } }
            }
        }
    }
}
