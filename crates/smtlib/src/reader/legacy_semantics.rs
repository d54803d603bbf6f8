//! Warnings about operators to which older solvers gave another meaning. The reader always uses the
//! meaning of the standard, except where the dialect `z3-4.6.0` is chosen explicitly.

use luthier_terms::{Op, TermId};

use super::Reader;
use crate::diagnostic::{Code, Severity};
use crate::source::Span;

impl Reader<'_, '_> {
    pub(super) fn warn_loop_bounds(&mut self, bounds: &[TermId], span: Span) {
        if let [low, high] = *bounds
            && self.dialect.is_legacy()
            && self.pool.as_integer(low) > self.pool.as_integer(high)
        {
            self.collector.once(
                Severity::Warning,
                Code::MeaningLoopBounds,
                0,
                span,
                || "a loop whose lower bound is above its upper one is empty".to_owned(),
                Some("older solvers disagreed; the standard's meaning is used"),
            );
        }
    }

    /// Remarks on operators that older solvers may have understood differently.
    pub(super) fn warn_meaning(&mut self, op: Op, first: usize, span: Span) {
        let values = &self.machine.values[first..];
        let is_empty = |position: usize| {
            values
                .get(position)
                .is_some_and(|&term| self.pool.as_string(term).is_some_and(|text| text.is_empty()))
        };
        let (code, message, hint) = match op {
            Op::ReAllChar if self.dialect.allchar_is_all() => return,
            Op::ReAllChar => (
                Code::MeaningAllchar,
                "`re.allchar` is read as one character",
                "it meant all strings in Z3 up to 4.6.0; choose that with --dialect z3-4.6.0",
            ),
            Op::StrReplace if is_empty(1) => (
                Code::MeaningReplaceEmpty,
                "`str.replace` of the empty string puts the new text in front",
                "CVC4 of 2018 changed nothing; the standard's meaning is used",
            ),
            Op::StrIndexOf if is_empty(1) => (
                Code::MeaningIndexofEmpty,
                "`str.indexof` of the empty string is the position, up to the length",
                "older solvers disagreed at the end of the string; the standard's meaning is used",
            ),
            Op::StrToInt if is_empty(0) => (
                Code::MeaningToIntEmpty,
                "`str.to_int` of the empty string is -1",
                "some older tools said 0; the standard's meaning is used",
            ),
            Op::ReDiff if values.len() > 2 => (
                Code::MeaningDiffFold,
                "`re.diff` of three or more languages is folded to the left",
                "older solvers folded to the right; the standard's meaning is used",
            ),
            Op::ReComp | Op::StrToCode | Op::StrFromCode => (
                Code::MeaningAlphabet,
                "the alphabet is that of the standard, 196,608 characters",
                "older solvers had 256 characters",
            ),
            _ => return,
        };
        self.collector.once(
            Severity::Warning,
            code,
            op as u64,
            span,
            || message.to_owned(),
            Some(hint),
        );
    }
}
