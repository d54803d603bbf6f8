//! Applications of built-in operators: arity, sorts, and the leniencies of the generous reader
//! (`(and x)`, `str.indexof` without a position, legacy names), each with a diagnostic.

use luthier_terms::{BuildError, Op, Shape, TermId};

use super::builtins::{BUILTINS, Kind};
use super::{Reader, Skip, Step};
use crate::diagnostic::{Code, Severity};
use crate::source::Span;

impl Reader<'_, '_> {
    /// Applies a built-in name to the values from `first` on.
    pub(super) fn apply_builtin(
        &mut self,
        index: u16,
        first: usize,
        head: Span,
        span: Span,
    ) -> Step<Option<TermId>> {
        let builtin = &BUILTINS[index as usize];
        let count = self.machine.values.len() - first;
        let op = match builtin.kind {
            Kind::Op(op) => op,
            Kind::Minus if count == 1 => Op::Neg,
            Kind::Minus => Op::Sub,
            Kind::Legacy(op, origin) => {
                self.legacy_name(index, op, origin, head);
                op
            }
            Kind::LoopArguments => {
                let built = self.loop_arguments(first, head, span);
                return Ok(built);
            }
            Kind::IndexedOnly(op) => {
                let message = format!("`{}` needs an index", op.name());
                let hint = format!("write ((_ {} n) …)", op.name());
                self.collector.error(Code::Index, head, message, Some(&hint));
                return Ok(None);
            }
            Kind::SeqUnit => {
                return Ok(match self.machine.values[first..] {
                    [term] if self.pool.as_string(term).is_some_and(|text| text.len() == 1) => {
                        self.z3_form("seq.unit", head);
                        Some(term)
                    }
                    _ => {
                        self.extension(index, "Z3 and cvc5", head);
                        None
                    }
                });
            }
            Kind::Extension(origin) => {
                self.extension(index, origin, head);
                return Ok(None);
            }
        };
        if count < 2
            && let Some(term) = self.too_few(op, first, span)?
        {
            return Ok(Some(term));
        }
        if op == Op::StrIndexOf && count == 2 {
            self.collector.leniency(
                Code::MissingOffset,
                0,
                span,
                || "`str.indexof` without a position starts at 0".to_owned(),
                Some("the standard requires a third argument: (str.indexof s t 0)"),
            );
            let zero = self.built_integer(0, span)?;
            self.value(zero, span);
        }
        if self.dialect.is_legacy() {
            self.warn_meaning(op, first, head);
        }
        let op = match op {
            Op::ReAllChar if self.dialect.allchar_is_all() => Op::ReAll,
            op => op,
        };
        let built = self.pool.op(op, &self.machine.values[first..]);
        Ok(self.checked(built, first, span))
    }

    pub(super) fn constant_in_parentheses(&mut self, span: Span) {
        self.collector.leniency(
            Code::FewArguments,
            u64::MAX,
            span,
            || "a constant in parentheses".to_owned(),
            Some("a constant is written without parentheses"),
        );
    }

    /// `(and x)`, `(str.++ x)` and the like mean `x`; the standard requires two arguments.
    fn too_few(&mut self, op: Op, first: usize, span: Span) -> Step<Option<TermId>> {
        let foldable = matches!(
            op,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Add
                | Op::Mul
                | Op::StrConcat
                | Op::ReConcat
                | Op::ReUnion
                | Op::ReInter
        );
        let term = match self.machine.values[first..] {
            [] if matches!(op.info().shape, Shape::Exact([], _)) => {
                self.constant_in_parentheses(span);
                return Ok(None);
            }
            [term] if foldable => {
                let expected = match op {
                    Op::And | Op::Or | Op::Xor => luthier_terms::Sort::Bool,
                    Op::Add | Op::Mul => luthier_terms::Sort::Int,
                    Op::StrConcat => luthier_terms::Sort::String,
                    _ => luthier_terms::Sort::RegLan,
                };
                if self.pool.sort(term) != expected {
                    return Ok(None);
                }
                term
            }
            [_] if op == Op::Distinct => {
                let built = self.pool.bool(true);
                self.built(built, span)?
            }
            _ => return Ok(None),
        };
        self.collector.leniency(
            Code::FewArguments,
            op as u64,
            span,
            || format!("`{}` of one argument is that argument", op.name()),
            Some("the standard requires two or more arguments"),
        );
        Ok(Some(term))
    }

    /// The term, or `None` after reporting why there is none.
    pub(super) fn checked(
        &mut self,
        built: Result<TermId, BuildError>,
        first: usize,
        span: Span,
    ) -> Option<TermId> {
        let error = match built {
            Ok(term) => return Some(term),
            Err(error) => error,
        };
        let argument = |position: usize| self.machine.spans.get(first + position).copied();
        let (code, span) = match &error {
            BuildError::Arity { .. } | BuildError::FunctionArity { .. } => (Code::Arity, span),
            BuildError::Sort { position, .. } | BuildError::FunctionSort { position, .. } => {
                (Code::Sort, argument(*position).unwrap_or(span))
            }
            BuildError::NotAnArray { .. } => (Code::Sort, argument(0).unwrap_or(span)),
            BuildError::Index { .. } => (Code::Index, span),
            BuildError::NotAFormula { .. } => (Code::NotAFormula, span),
            BuildError::Binding => (Code::UnexpectedToken, span),
            BuildError::PoolFull { .. } => (Code::PoolFull, span),
        };
        self.collector.error(code, span, error.to_string(), None);
        None
    }

    /// A term that can only fail because the pool is full.
    pub(super) fn built(&mut self, built: Result<TermId, BuildError>, span: Span) -> Step<TermId> {
        built.map_err(|error| {
            self.collector.error(Code::PoolFull, span, error.to_string(), None);
            Skip
        })
    }

    pub(super) fn legacy_name(&mut self, index: u16, op: Op, origin: &str, head: Span) {
        // Files use such names thousands of times: only the first time is worth a message.
        if self.collector.repeat(Code::LegacyName, u64::from(index)) {
            return;
        }
        let name = BUILTINS[index as usize].name;
        let hint = format!("the standard name is `{}`", op.name());
        let message = || format!("`{name}` is a name of {origin}");
        self.collector.leniency(Code::LegacyName, u64::from(index), head, message, Some(&hint));
    }

    fn extension(&mut self, index: u16, origin: &str, head: Span) {
        let name = BUILTINS[index as usize].name;
        self.collector.once(
            Severity::Error,
            Code::NonstandardOperator,
            u64::from(index),
            head,
            || format!("`{name}` is an extension of {origin}; the standard does not define it"),
            None,
        );
    }
}

pub(super) fn arity(op: Op, expected: &'static str, found: usize) -> BuildError {
    BuildError::Arity { op, expected, found }
}
