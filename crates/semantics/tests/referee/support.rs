//! Short ways to build terms and to look at their values.

use luthier_semantics::{Evaluation, Evaluator, Limits, Model, Reason, Value};
use luthier_terms::{BigInt, FunctionId, Op, SmtString, Sort, TermId, TermPool, Variable};

/// A pool, a model and shorthands.
#[derive(Default)]
pub struct Bench {
    pub pool: TermPool,
    pub model: Model,
}

impl Bench {
    pub fn op(&mut self, op: Op, children: &[TermId]) -> TermId {
        self.pool.op(op, children).unwrap()
    }

    /// A string literal; the text is taken as it is, without escapes.
    pub fn s(&mut self, text: &str) -> TermId {
        self.pool.string(self::text(text)).unwrap()
    }

    pub fn n(&mut self, number: impl Into<BigInt>) -> TermId {
        self.pool.integer(number).unwrap()
    }

    pub fn bool(&mut self, value: bool) -> TermId {
        self.pool.bool(value).unwrap()
    }

    /// The language of one string.
    pub fn re(&mut self, text: &str) -> TermId {
        let text = self.s(text);
        self.op(Op::StrToRe, &[text])
    }

    pub fn declare(&mut self, name: &str, parameters: &[Sort], result: Sort) -> FunctionId {
        let name = self.pool.symbols_mut().intern(name.as_bytes()).unwrap();
        self.pool.declare(name, parameters.to_vec(), result).unwrap()
    }

    /// A declared constant that the model does not know.
    pub fn unknown(&mut self, name: &str, sort: Sort) -> TermId {
        let function = self.declare(name, &[], sort);
        self.pool.apply(function, &[]).unwrap()
    }

    /// A declared constant with a value.
    pub fn constant(&mut self, name: &str, value: impl Into<Value>) -> TermId {
        let value = value.into();
        let function = self.declare(name, &[], value.sort());
        self.model.insert_value(function, value);
        self.pool.apply(function, &[]).unwrap()
    }

    pub fn variable(&mut self, name: &str, sort: Sort) -> TermId {
        let name = self.pool.symbols_mut().intern(name.as_bytes()).unwrap();
        self.pool.variable(Variable { name, sort, depth: 0 }).unwrap()
    }

    pub fn evaluate(&self, term: TermId) -> Evaluation {
        Evaluator::new(&self.pool, &self.model).evaluate(term)
    }

    pub fn evaluate_within(&self, term: TermId, limits: Limits) -> Evaluation {
        Evaluator::with_limits(&self.pool, &self.model, limits).evaluate(term)
    }

    /// The value of an operator applied to terms.
    #[track_caller]
    pub fn value(&mut self, op: Op, children: &[TermId]) -> Value {
        let term = self.op(op, children);
        self.known(term)
    }

    #[track_caller]
    pub fn known(&self, term: TermId) -> Value {
        match self.evaluate(term) {
            Evaluation::Known(value) => value,
            Evaluation::Undecided(reasons) => panic!("undecided: {reasons:?}"),
        }
    }

    #[track_caller]
    pub fn is(&self, term: TermId, value: impl Into<Value>) {
        assert_eq!(self.known(term), value.into());
    }

    #[track_caller]
    pub fn undecided(&self, term: TermId, reasons: &[Reason]) {
        match self.evaluate(term) {
            Evaluation::Known(value) => panic!("known: {value:?}"),
            Evaluation::Undecided(found) => assert_eq!(found.as_slice(), reasons),
        }
    }
}

pub fn text(text: &str) -> SmtString {
    SmtString::from_text(text).unwrap()
}

pub fn int(number: i64) -> Value {
    Value::Int(number.into())
}
