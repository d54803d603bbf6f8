//! Random well-sorted terms over all operators of Core, Ints and Strings: ground terms, or terms
//! over constants that were declared with a value.
//!
//! Uniformly random terms mostly evaluate to `false`, `-1` or `""`. So a term uses few letters and
//! repeats its own words, and arguments are often chosen to fit the arguments before them: a
//! pattern is a factor of the string it is searched in, a position is near the end, a word is
//! sampled from the language it is matched with (`fitting.rs`, `vocabulary.rs`).
//!
//! Arrays are left out: they are not part of the theory of strings.

mod express;
mod fitting;
mod vocabulary;

use std::collections::BTreeSet;

use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_terms::{
    BasicSort, BigInt, Op, PostOrder, Shape, SmtString, Sort, Term, TermId, TermPool, Theory,
    dag_size,
};

use crate::Dice;
use vocabulary::Vocabulary;

/// The largest depth of a term; generation recurses to this depth.
const DEEPEST: usize = 8;

/// The evaluation steps for the value of an argument that others are fitted to; beyond them they are not
/// fitted.
const HINT_STEPS: u64 = 100_000;

/// The percentage of leaves that are constants, if one of the sort is declared.
const CONSTANTS: usize = 65;

/// The percentage of terms of a formula that are repeated from elsewhere in it.
const REUSED: usize = 6;

/// The largest size of a repeated term.
const LARGEST_REUSED: usize = 8;

/// Why building a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";

/// Operators that many solvers do not support or rarely decide. Formulas contain them rarely unless they are
/// requested, so that solvers decide most formulas.
pub(crate) const RARELY_SUPPORTED: [Op; 8] = [
    Op::StrReplaceRe,
    Op::StrReplaceReAll,
    Op::StrReplaceAll,
    Op::Divisible,
    Op::Mul,
    Op::Div,
    Op::Mod,
    Op::Abs,
];

/// The operators of random terms.
pub fn operators() -> Vec<Op> {
    Op::TABLE.iter().filter(|info| info.theory != Theory::Arrays).map(|info| info.op).collect()
}

/// Generates random terms in a pool of its own.
pub struct Generator {
    /// The pool of all generated terms.
    pub pool: TermPool,
    /// The source of randomness.
    pub dice: Dice,
    /// The values of the declared constants.
    pub model: Model,
    constants: Vec<TermId>,
    vocabulary: Vocabulary,
    style: Style,
    /// Terms of a formula that may be repeated.
    recent: Vec<TermId>,
}

/// The purpose of the terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// Independent terms.
    Terms,
    /// Parts of a formula: mostly about strings, with repeated subterms.
    Formula {
        /// Whether languages are written without constants.
        ground_languages: bool,
    },
}

impl Default for Generator {
    fn default() -> Self {
        Self::new(Dice::new(0, 0))
    }
}

impl Generator {
    /// A generator with an empty pool.
    pub fn new(mut dice: Dice) -> Self {
        let vocabulary = Vocabulary::new(&mut dice);
        let (pool, model) = (TermPool::new(), Model::new());
        let (constants, recent) = (Vec::new(), Vec::new());
        Self { pool, dice, model, constants, vocabulary, style: Style::Terms, recent }
    }

    /// A generator for the parts of a formula: fewer unusual characters and huge numbers, mostly operators
    /// of strings, repeated subterms, and mostly languages without constants.
    pub fn for_formula(mut dice: Dice) -> Self {
        let vocabulary = Vocabulary::plain(&mut dice);
        let style = Style::Formula { ground_languages: dice.percent(75) };
        let (pool, model) = (TermPool::new(), Model::new());
        let (constants, recent) = (Vec::new(), Vec::new());
        Self { pool, dice, model, constants, vocabulary, style, recent }
    }

    /// Declares a constant, which terms contain from now on. Arguments are fitted to each other under its
    /// value, which must not be a language or an array.
    pub fn declare(&mut self, name: &str, value: Value) -> TermId {
        let sort = match &value {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            _ => Sort::String,
        };
        let name = self.pool.symbols_mut().intern(name.as_bytes()).expect(ROOM);
        let function = self.pool.declare(name, Vec::new(), sort).expect(ROOM);
        let constant = self.pool.apply(function, &[]).expect("it has no parameters");
        self.model.insert_value(function, value);
        self.constants.push(constant);
        constant
    }

    /// Restarts with another source of randomness and a new vocabulary. The terms in the pool stay, so that
    /// equal terms have the same id; new terms do not depend on them.
    pub fn begin(&mut self, mut dice: Dice) {
        self.vocabulary = Vocabulary::new(&mut dice);
        self.dice = dice;
        self.recent.clear();
    }

    /// The term with this number: of sort `Bool`, `Int` or `String`, about each operator in turn.
    pub fn numbered(&mut self, seed: u64, number: u64) -> TermId {
        self.begin(Dice::new(seed, number));
        let operators = operators();
        let count = operators.len() as u64;
        self.about(operators[(number % count) as usize])
    }

    /// A term of sort `Bool`, `Int` or `String` with the operator at its root or, if that would be a
    /// language or a constant, directly below it. For an operator of arrays, a term of strings.
    pub fn about(&mut self, op: Op) -> TermId {
        let depth = match op.info().shape {
            Shape::Exact([Sort::Bool, ..], _) | Shape::Folded(Sort::Bool, ..) => 2,
            _ => 1,
        } + self.dice.below(4);
        self.about_within(op, depth)
    }

    /// As [`Generator::about`], nested at most `depth` levels below the operator.
    pub fn about_within(&mut self, op: Op, depth: usize) -> TermId {
        let depth = depth.min(DEEPEST);
        if matches!(op, Op::True | Op::False) {
            // `true` and `false` get a connective around them.
            let (constant, other) = (self.op(op, &[]), self.term(BasicSort::Bool, depth));
            let op = self.dice.pick(&[Op::And, Op::Or, Op::Xor, Op::Implies, Op::Eq]);
            return self.op(op, &[constant, other]);
        }
        let Some(sort) = self.result_sort(op) else { return self.term(BasicSort::String, depth) };
        let term = self.applied(op, sort, depth);
        if sort != BasicSort::RegLan {
            return term;
        }
        let chosen = if self.style == Style::Terms { 4 } else { 2 };
        let word = match self.dice.below(chosen) {
            0 => self.term(BasicSort::String, depth.min(2)),
            _ => {
                let word = self.word_for(term);
                self.perhaps_express(word)
            }
        };
        let ways = if self.style == Style::Terms { 4 } else { 16 };
        match self.dice.below(ways) {
            0 | 1 | 4.. => self.op(Op::StrInRe, &[word, term]),
            choice => {
                let by = self.term(BasicSort::String, 0);
                let op = if choice == 2 { Op::StrReplaceRe } else { Op::StrReplaceReAll };
                self.op(op, &[word, term, by])
            }
        }
    }

    /// A term of the sort, nested at most `depth` levels, and never more than eight.
    pub fn term(&mut self, sort: BasicSort, depth: usize) -> TermId {
        let depth = depth.min(DEEPEST);
        // Boolean leaves are less interesting than others.
        let shallow = if sort == BasicSort::Bool { 8 } else { 25 };
        if depth == 0 || self.dice.percent(shallow) {
            return self.leaf(sort);
        }
        if let Some(term) = self.reused_term(sort) {
            return term;
        }
        // Formulas are mostly about strings; arithmetic relates them.
        let strings = self.style != Style::Terms && self.dice.percent(65);
        let fits = |shape: Shape| match shape {
            Shape::Exact(_, result) | Shape::Folded(_, result, _) => {
                result.as_basic() == Some(sort)
            }
            Shape::Polymorphic(_) => sort == BasicSort::Bool,
            Shape::IfThenElse => true,
            Shape::Select | Shape::Store | Shape::ConstantArray => false,
        };
        let rows: Vec<Op> = Op::TABLE
            .iter()
            .filter(|info| fits(info.shape) && (!strings || info.theory == Theory::Strings))
            .map(|info| info.op)
            .collect();
        let mut op = self.dice.pick(&rows);
        if self.style != Style::Terms && RARELY_SUPPORTED.contains(&op) && self.dice.percent(80) {
            op = self.dice.pick(&rows);
        }
        let term = self.applied(op, sort, depth);
        self.remember(term);
        term
    }

    /// Sometimes a term that occurs elsewhere in the formula.
    fn reused_term(&mut self, sort: BasicSort) -> Option<TermId> {
        if self.recent.is_empty() || !self.dice.percent(REUSED) {
            return None;
        }
        let term = self.dice.pick(&self.recent);
        (self.pool.sort(term).as_basic() == Some(sort)).then_some(term)
    }

    /// The term may be repeated in the formula.
    fn remember(&mut self, term: TermId) {
        if self.style != Style::Terms && dag_size(&self.pool, term) <= LARGEST_REUSED {
            self.recent.push(term);
        }
    }

    fn leaf(&mut self, sort: BasicSort) -> TermId {
        if let Some(constant) = self.some_constant(sort) {
            return constant;
        }
        match sort {
            BasicSort::Bool => {
                let op = if self.dice.percent(50) { Op::True } else { Op::False };
                self.op(op, &[])
            }
            BasicSort::Int => {
                let number = self.number();
                self.integer(number)
            }
            BasicSort::String => {
                let word = self.word();
                self.string(word)
            }
            BasicSort::RegLan => match self.dice.below(10) {
                0 => self.op(Op::ReNone, &[]),
                1 => self.op(Op::ReAll, &[]),
                2 | 3 => self.op(Op::ReAllChar, &[]),
                4 | 5 => self.applied(Op::ReRange, sort, 0),
                _ => self.applied(Op::StrToRe, sort, 0),
            },
        }
    }

    /// Mostly a declared constant of the sort.
    pub(crate) fn some_constant(&mut self, sort: BasicSort) -> Option<TermId> {
        let fits = |constant: &TermId| self.pool.sort(*constant).as_basic() == Some(sort);
        let fitting: Vec<TermId> = self.constants.iter().copied().filter(fits).collect();
        // Without constants no random number is drawn, so that ground terms stay the same.
        (!fitting.is_empty() && self.dice.percent(CONSTANTS)).then(|| self.dice.pick(&fitting))
    }

    /// The sort of the operator's value, for `ite` any one; `None` for operators of arrays.
    fn result_sort(&mut self, op: Op) -> Option<BasicSort> {
        match op.info().shape {
            Shape::Exact(_, result) | Shape::Folded(_, result, _) => result.as_basic(),
            Shape::Polymorphic(_) => Some(BasicSort::Bool),
            Shape::IfThenElse => Some(self.any_sort()),
            Shape::Select | Shape::Store | Shape::ConstantArray => None,
        }
    }

    fn any_sort(&mut self) -> BasicSort {
        use BasicSort::{Bool, Int, RegLan, String};
        self.dice.pick(&[Bool, Int, Int, String, String, RegLan])
    }

    /// The operator applied to arguments that are nested one level less.
    pub(crate) fn applied(&mut self, op: Op, sort: BasicSort, depth: usize) -> TermId {
        let depth = depth.saturating_sub(1);
        let many = self.dice.pick(&[2, 2, 2, 2, 3, 3, 4]);
        let many = if self.style == Style::Terms { many } else { self.usual_count(op, many) };
        let sorts: Vec<BasicSort> = match op.info().shape {
            Shape::Exact(sorts, _) => sorts.iter().filter_map(|sort| sort.as_basic()).collect(),
            Shape::Folded(sort, ..) => vec![sort.as_basic().unwrap_or(BasicSort::String); many],
            Shape::Polymorphic(_) => vec![self.any_sort(); many],
            _ => vec![BasicSort::Bool, sort, sort],
        };
        let mut arguments: Vec<TermId> = Vec::new();
        // The language is generated first, so that the word can be sampled from it.
        if let [BasicSort::String, BasicSort::RegLan, ..] = sorts[..] {
            let language = self.term(BasicSort::RegLan, depth);
            let chosen = if self.style == Style::Terms { 60 } else { 30 };
            let word = if self.dice.percent(chosen) {
                let word = self.word_for(language);
                self.perhaps_express(word)
            } else {
                self.term(BasicSort::String, depth)
            };
            arguments = vec![word, language];
        }
        for (position, &sort) in sorts.iter().enumerate().skip(arguments.len()) {
            let argument = if position < op.info().indices {
                let index = self.index(op);
                self.numeral(index)
            } else if self.style != Style::Terms && !arguments.is_empty() && is_linear(op) {
                let factor = self.dice.pick(&[1, -1, 2, 2, -2, 3, 10]);
                self.integer(factor.into())
            } else if self.must_be_ground(op) {
                match self.fitting(op, &arguments) {
                    Some(argument) => argument,
                    None => {
                        let word = self.word();
                        self.string(word)
                    }
                }
            } else {
                match self.fitting(op, &arguments) {
                    Some(argument) => self.perhaps_express(argument),
                    None => self.term(sort, depth),
                }
            };
            arguments.push(argument);
        }
        self.op(op, &arguments)
    }

    /// The number of arguments in a formula: fewer, and mostly two where solvers require that.
    fn usual_count(&mut self, op: Op, many: usize) -> usize {
        match op {
            Op::StrLt | Op::StrLe if self.dice.percent(98) => 2,
            _ if self.dice.percent(50) => 2,
            _ => many.min(3),
        }
    }

    /// Whether the arguments of this operator are literals in this formula.
    fn must_be_ground(&self, op: Op) -> bool {
        matches!(op, Op::StrToRe | Op::ReRange) && self.writes_ground_languages()
    }

    /// Whether languages are written without constants in this formula.
    pub(crate) fn writes_ground_languages(&self) -> bool {
        self.style == (Style::Formula { ground_languages: true })
    }

    /// Whether a constant occurs in the term.
    pub fn mentions_constant(&self, term: TermId) -> bool {
        PostOrder::new(&self.pool, [term])
            .any(|part| matches!(self.pool.term(part), Term::Apply(..)))
    }

    /// Restricts further terms to these constants.
    pub(crate) fn keep_constants(&mut self, kept: &BTreeSet<TermId>) {
        self.constants.retain(|constant| kept.contains(constant));
        self.recent.clear();
    }

    /// The constants that were declared.
    pub fn constants(&self) -> &[TermId] {
        &self.constants
    }

    /// An index: mostly small, sometimes beyond all lengths.
    fn index(&mut self, op: Op) -> BigInt {
        let unusual = if self.style == Style::Terms { 40 } else { 400 };
        match (op, self.dice.below(unusual)) {
            (Op::Divisible, _) => self.dice.pick(&[1, 2, 2, 3, 5, 7, 10]).into(),
            (_, 0) => BigInt::from(10).pow(30),
            (_, 1 | 2) => 50.into(),
            _ => self.dice.pick(&[0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4]).into(),
        }
    }

    /// The value of a term, if the referee finds it within its limits.
    pub fn value_of(&self, term: TermId) -> Option<Value> {
        // Most of these terms are literals and constants, which need no evaluation.
        match self.pool.term(term) {
            Term::String(text) => return Some(Value::String(text.clone())),
            Term::Integer(number) => return Some(Value::Int(number.clone())),
            Term::Apply(function, []) => {
                if let Some(Interpretation::Value(value)) = self.model.get(function) {
                    return Some(value.clone());
                }
            }
            _ => {}
        }
        let limits = Limits { steps: HINT_STEPS, ..Limits::default() };
        Evaluator::with_limits(&self.pool, &self.model, limits).evaluate(term).known().cloned()
    }

    /// The characters of a term of sort `String`, if the referee finds its value within its limits.
    pub(crate) fn text_of(&self, term: TermId) -> Option<Vec<u32>> {
        match self.value_of(term)? {
            Value::String(text) => Some(text.iter().map(|character| character.code()).collect()),
            _ => None,
        }
    }

    /// A number of the vocabulary.
    pub(crate) fn number(&mut self) -> BigInt {
        self.vocabulary.number(&mut self.dice)
    }

    pub(crate) fn word(&mut self) -> Vec<u32> {
        self.vocabulary.word(&mut self.dice)
    }

    pub(crate) fn letter(&mut self) -> u32 {
        self.vocabulary.letter(&mut self.dice)
    }

    /// A number as a literal, or as its opposite with a minus.
    pub(crate) fn integer(&mut self, number: BigInt) -> TermId {
        if number < BigInt::ZERO && self.dice.percent(50) {
            let positive = self.numeral(-number);
            return self.op(Op::Neg, &[positive]);
        }
        self.numeral(number)
    }

    pub(crate) fn numeral(&mut self, number: BigInt) -> TermId {
        self.pool.integer(number).expect(ROOM)
    }

    pub(crate) fn string(&mut self, word: Vec<u32>) -> TermId {
        let text = SmtString::from_codes(word).expect("words have only characters of the theory");
        self.pool.string(text).expect(ROOM)
    }

    pub(crate) fn op(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.pool.op(op, arguments).expect("the arguments have the sorts of the operator's row")
    }
}

/// Whether all arguments but the first are literals in a formula, so that it stays linear.
fn is_linear(op: Op) -> bool {
    matches!(op, Op::Mul | Op::Div | Op::Mod)
}
