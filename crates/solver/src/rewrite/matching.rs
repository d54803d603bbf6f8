//! Rules that evaluate memberships and replacements of literals where the language is fixed.
//!
//! A word is read letter by letter; what the rest of it must be is the derivative of the language.

use luthier_terms::{CodePoint, Op, TermId, dag_size};

use super::context::Context;
use super::rule::Rule;
use crate::automata::{Regex, Regexes};
use crate::{Budget, Limit};

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "evaluate-membership",
        law: "(w in R) is a truth value when w is a literal and R is fixed",
        heads: &[Op::StrInRe],
        apply: membership,
    },
    Rule {
        name: "evaluate-replacement",
        law: "replace_re(w, R, v) and replace_re_all(w, R, v) are literals when w and v are and R \
              is fixed",
        heads: &[Op::StrReplaceRe, Op::StrReplaceReAll],
        apply: replacement,
    },
];

/// A language that is read letter by letter.
struct Reader {
    regexes: Regexes,
    language: Regex,
    steps: usize,
    budget: Budget,
}

impl Reader {
    fn new(cx: &Context, language: TermId) -> Option<Self> {
        if cx.exceeds(Limit::RewriteMatchTerms, dag_size(cx.pool, language)) {
            return None;
        }
        let mut regexes = Regexes::new();
        let language = regexes.of_term(cx.pool, language)?;
        Some(Self { regexes, language, steps: 0, budget: cx.budget.clone() })
    }

    /// What must follow a letter; `None` if that was asked too often or takes too long.
    fn step(&mut self, language: Regex, letter: CodePoint) -> Option<Regex> {
        self.steps += 1;
        if self.budget.limits().exceeds(Limit::RewriteMatchLetters, self.steps) {
            return None;
        }
        self.regexes.derivative(language, letter.code(), &self.budget).ok()?
    }

    /// The length of the shortest match at the start of a text, of at least so many letters:
    /// `Some(None)` if there is none.
    fn shortest(&mut self, text: &[CodePoint], least: usize) -> Option<Option<usize>> {
        let mut rest = self.language;
        for (length, &letter) in text.iter().enumerate() {
            if length >= least && self.regexes.accepts_empty(rest) {
                return Some(Some(length));
            }
            if self.regexes.is_none(rest) {
                return Some(None);
            }
            rest = self.step(rest, letter)?;
        }
        let is_match = text.len() >= least && self.regexes.accepts_empty(rest);
        Some(is_match.then_some(text.len()))
    }
}

fn membership(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[word, language] = args else { return None };
    let word = cx.text(word)?;
    let mut reader = Reader::new(cx, language)?;
    let mut rest = reader.language;
    for &letter in word {
        rest = reader.step(rest, letter)?;
    }
    let holds = reader.regexes.accepts_empty(rest);
    cx.bool(holds)
}

fn replacement(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[word, language, by] = args else { return None };
    let (word, by) = (cx.text(word)?, cx.text(by)?);
    let once = super::fold::head(cx, term)? == Op::StrReplaceRe;
    let mut reader = Reader::new(cx, language)?;
    let mut result = Vec::new();
    let mut at = 0;
    while at <= word.len() {
        // All matches that are replaced one after the other have letters.
        let found = reader.shortest(&word[at..], usize::from(!once))?;
        if let Some(length) = found {
            result.extend_from_slice(by);
            at += length;
            if once {
                break;
            }
        } else if let Some(&letter) = word.get(at) {
            result.push(letter);
            at += 1;
        } else {
            break;
        }
        if cx.exceeds(Limit::RewriteLiteral, result.len()) {
            return None;
        }
    }
    result.extend_from_slice(word.get(at..).unwrap_or_default());
    cx.literal(&result)
}
