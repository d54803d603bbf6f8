//! Systems of nested assertions over few shared constants.
//!
//! In most random formulas a rewriter can evaluate a lot, and little search is left. Here most
//! leaves are constants, terms are one or two levels deep, and each formula uses only a few operators,
//! chosen at random, so that it exercises their interaction. Restricting each test to a random
//! subset of the features finds more faults than using all of them in every test: swarm testing
//! (Groce, Zhang, Eide, Chen, Regehr: *Swarm testing*, ISSTA 2012).
//!
//! For the satisfiable ones, random assignments are tried; the one that satisfies most assertions
//! becomes the witness, and the assertions that are false under it are negated.

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{BasicSort, Op, Shape, Sort, TermId, Theory};

use crate::facts::assertion;
use crate::random::{Generator, RARELY_SUPPORTED};
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch};

/// The depths of terms below an atom. Most faults show in small formulas, so half of the systems are flat.
const DEPTHS: [usize; 4] = [1, 1, 2, 2];

/// The number of assignments tried to make all facts true.
const SEARCHES: usize = 40;

/// The depths of languages.
const LANGUAGE_DEPTHS: [usize; 4] = [1, 2, 2, 3];

/// Operators that are likely in every system, because they relate strings and integers, and because
/// solvers decide formulas with them.
const COMMON_OPERATORS: [Op; 12] = [
    Op::Eq,
    Op::Le,
    Op::StrConcat,
    Op::StrLen,
    Op::StrAt,
    Op::StrSubstr,
    Op::StrPrefixOf,
    Op::StrSuffixOf,
    Op::StrContains,
    Op::StrIndexOf,
    Op::StrReplace,
    Op::StrInRe,
];

/// The operators of languages.
const LANGUAGES: [Op; 10] = [
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReDiff,
    Op::ReComp,
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReLoop,
    Op::RePower,
];

/// A satisfiable sketch with the operator among those that it uses.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    let (draft, _) = System::new(dice, about).draft(true)?;
    Some(Sketch {
        draft,
        planted: PlantedAnswer::Witness,
        category: Category::Tangled,
        operation: about.name(),
        derivation: "the values of the witness were chosen first, then facts that are true under \
            them: put the values in and every assertion is true"
            .into(),
    })
}

/// The same, whether it is satisfiable or not.
pub fn sketch_without_answer(dice: Dice, about: Op) -> Option<Sketch> {
    let (draft, operators) = System::new(dice, about).draft(false)?;
    let names: Vec<&str> = operators.iter().map(|op| op.name()).collect();
    Some(Sketch {
        draft,
        planted: PlantedAnswer::Unknown,
        category: Category::Random,
        operation: about.name(),
        derivation: format!("random facts about {}; nothing is known", names.join(", ")),
    })
}

struct System {
    generator: Generator,
    strings: Vec<TermId>,
    integers: Vec<TermId>,
    /// Languages contain constants, too.
    symbolic: bool,
    /// The operators that it uses.
    operators: Vec<Op>,
    depth: usize,
    language_depth: usize,
}

impl System {
    fn new(dice: Dice, about: Op) -> Self {
        let mut generator = Generator::for_formula(dice);
        let count = generator.dice.pick(&[1, 2, 2, 3, 3]);
        let strings = (0..count).map(|_| generator.declare_some(BasicSort::String)).collect();
        let count = generator.dice.pick(&[1, 1, 2]);
        let integers = (0..count)
            .map(|_| {
                let number = Value::Int(generator.dice.between(-1, 4).into());
                let name = generator.unused_name(BasicSort::Int);
                generator.declare(name, number)
            })
            .collect();
        let operators = choose_operators(&mut generator.dice, about);
        let symbolic = generator.dice.percent(50);
        let depth = generator.dice.pick(&DEPTHS);
        let language_depth = generator.dice.pick(&LANGUAGE_DEPTHS);
        Self { generator, strings, integers, symbolic, operators, depth, language_depth }
    }

    fn draft(mut self, planted: bool) -> Option<(Draft, Vec<Op>)> {
        let count = self.generator.dice.pick(&[1, 1, 1, 1, 1, 2, 2, 2, 3, 4]);
        let mut facts = Vec::new();
        for _ in 0..count {
            let depth = self.generator.dice.pick(&[0, 0, 0, 0, 1, 2]);
            facts.push(self.formula(depth)?);
        }
        if planted {
            facts = self.satisfied(&facts);
        }
        let mut assertions = Vec::new();
        for fact in facts {
            let uses_let = self.generator.dice.percent(15);
            assertions.push(assertion(fact, uses_let));
        }
        let mut draft = Draft::new(self.generator.pool, self.generator.model);
        draft.assertions = assertions;
        Some((draft, self.operators))
    }

    /// Searches values that make all facts true, and gives the constants the best ones. A
    /// fact that stays false is negated. (Choosing the values first would negate almost every equation.)
    fn satisfied(&mut self, facts: &[TermId]) -> Vec<TermId> {
        let mut best = (0, self.generator.model.clone());
        for _ in 0..SEARCHES {
            let model = self.some_model();
            let mut evaluator = Evaluator::new(&self.generator.pool, &model);
            let is_true = |fact: &&TermId| evaluator.evaluate(**fact).is_true();
            let satisfied = facts.iter().filter(is_true).count();
            if satisfied > best.0 {
                best = (satisfied, model);
            }
            if best.0 == facts.len() {
                break;
            }
        }
        self.generator.model = best.1;
        let is_false = |fact| self.generator.value_of(fact) == Some(Value::Bool(false));
        let negated: Vec<bool> = facts.iter().map(|&fact| is_false(fact)).collect();
        facts
            .iter()
            .zip(negated)
            .map(
                |(&fact, negated)| {
                    if negated { self.generator.op(Op::Not, &[fact]) } else { fact }
                },
            )
            .collect()
    }

    /// Short strings, often empty, and small numbers.
    fn some_model(&mut self) -> Model {
        let mut model = self.generator.model.clone();
        let functions: Vec<_> = model.iter().map(|(function, _)| function).collect();
        for function in functions {
            let value = if self.generator.pool.function(function).result == Sort::Int {
                Some(Value::Int(self.generator.dice.between(-1, 4).into()))
            } else {
                let word = self.word();
                self.generator.value_of(word)
            };
            if let Some(value) = value {
                model.insert_value(function, value);
            }
        }
        model
    }

    /// Boolean structure of at most this depth over atoms.
    fn formula(&mut self, depth: usize) -> Option<TermId> {
        if depth == 0 || self.generator.dice.percent(60) {
            let atom = self.term(BasicSort::Bool, self.depth + 1)?;
            let negated = self.generator.dice.percent(30);
            return Some(if negated { self.generator.op(Op::Not, &[atom]) } else { atom });
        }
        let op = self.generator.dice.pick(&[
            Op::Or,
            Op::Or,
            Op::And,
            Op::Ite,
            Op::Xor,
            Op::Implies,
            Op::Eq,
        ]);
        let count = if op == Op::Ite { 3 } else { 2 };
        let parts: Vec<TermId> =
            (0..count).map(|_| self.formula(depth - 1)).collect::<Option<_>>()?;
        Some(self.generator.op(op, &parts))
    }

    /// A term of the sort; an atom for `Bool`.
    fn term(&mut self, sort: BasicSort, depth: usize) -> Option<TermId> {
        if depth == 0 || (sort != BasicSort::Bool && self.generator.dice.percent(30)) {
            return Some(self.leaf(sort));
        }
        let fits = |op: &Op| has_result_sort(*op, sort);
        let choices: Vec<Op> = self.operators.iter().copied().filter(fits).collect();
        if choices.is_empty() {
            return Some(self.leaf(sort));
        }
        let op = self.generator.dice.pick(&choices);
        let mut arguments = Vec::new();
        for (position, argument) in self.arguments(op, sort).into_iter().enumerate() {
            let term = match argument {
                BasicSort::Int if position < op.info().indices => {
                    let index = self.generator.dice.pick(&[1, 2, 2, 3]);
                    self.generator.integer(index.into())
                }
                // Factors and divisors are numbers, so that arithmetic stays linear.
                BasicSort::Int if position > 0 && matches!(op, Op::Mul | Op::Div | Op::Mod) => {
                    let number = self.generator.dice.pick(&[2, 3, 10]);
                    self.generator.integer(number.into())
                }
                BasicSort::RegLan => self.language(self.language_depth),
                argument => self.term(argument, depth - 1)?,
            };
            arguments.push(term);
        }
        Some(self.generator.op(op, &arguments))
    }

    /// The sorts of the operator's arguments.
    fn arguments(&mut self, op: Op, sort: BasicSort) -> Vec<BasicSort> {
        let some =
            |dice: &mut Dice| dice.pick(&[BasicSort::String, BasicSort::String, BasicSort::Int]);
        match op.info().shape {
            Shape::Exact(sorts, _) => sorts.iter().filter_map(|sort| sort.as_basic()).collect(),
            Shape::Folded(sort, ..) => vec![sort.as_basic().unwrap_or(BasicSort::String); 2],
            Shape::Polymorphic(_) => vec![some(&mut self.generator.dice); 2],
            _ => vec![BasicSort::Bool, sort, sort],
        }
    }

    /// A language of at most this depth: of literals, or of constants too.
    fn language(&mut self, depth: usize) -> TermId {
        let dice = &mut self.generator.dice;
        if depth == 0 || dice.percent(20) {
            return match dice.below(10) {
                0 => self.generator.op(Op::ReAllChar, &[]),
                1 => self.generator.op(Op::ReAll, &[]),
                2 => {
                    let edges = [0x61, 0x62].map(|edge| self.generator.string(vec![edge]));
                    self.generator.op(Op::ReRange, &edges)
                }
                choice => {
                    let text = if self.symbolic && choice < 8 {
                        self.generator.dice.pick(&self.strings)
                    } else {
                        self.word()
                    };
                    self.generator.op(Op::StrToRe, &[text])
                }
            };
        }
        let op = self.generator.dice.pick(&LANGUAGES);
        let (indices, count): (&[i64], usize) = match op {
            Op::ReLoop => (&[0, 1, 2, 3], 1),
            Op::RePower => (&[0, 2, 3], 1),
            Op::ReConcat | Op::ReUnion | Op::ReInter | Op::ReDiff => (&[], 2),
            _ => (&[], 1),
        };
        let mut arguments = Vec::new();
        for _ in 0..op.info().indices {
            let index = self.generator.dice.pick(indices);
            arguments.push(self.generator.integer(index.into()));
        }
        for _ in 0..count {
            arguments.push(self.language(depth - 1));
        }
        self.generator.op(op, &arguments)
    }

    /// A short literal.
    fn word(&mut self) -> TermId {
        let length = self.generator.dice.pick(&[0, 0, 1, 1, 2, 3]);
        let word = (0..length).map(|_| self.generator.letter()).collect();
        self.generator.string(word)
    }

    fn leaf(&mut self, sort: BasicSort) -> TermId {
        let dice = &mut self.generator.dice;
        match (sort, dice.below(10)) {
            (BasicSort::String, 0..=7) => dice.pick(&self.strings),
            (BasicSort::String, _) => self.word(),
            (BasicSort::Int, 0..=3) => dice.pick(&self.integers),
            (BasicSort::Int, 4..=6) => {
                let text = dice.pick(&self.strings);
                self.generator.op(Op::StrLen, &[text])
            }
            (BasicSort::Int, _) => {
                let number = dice.pick(&[-1, 0, 0, 1, 1, 2, 3, 5]);
                self.generator.integer(number.into())
            }
            (BasicSort::Bool, _) => {
                let one = self.leaf(BasicSort::String);
                let other = self.leaf(BasicSort::String);
                let op = self.generator.dice.pick(&[Op::Eq, Op::StrPrefixOf, Op::StrContains]);
                self.generator.op(op, &[one, other])
            }
            (BasicSort::RegLan, _) => self.language(1),
        }
    }
}

/// Whether the operator can have a result of the sort; `ite` is not used for formulas.
fn has_result_sort(op: Op, sort: BasicSort) -> bool {
    match op.info().shape {
        Shape::Exact(_, result) | Shape::Folded(_, result, _) => result.as_basic() == Some(sort),
        Shape::Polymorphic(_) => sort == BasicSort::Bool,
        Shape::IfThenElse => sort != BasicSort::Bool,
        Shape::Select | Shape::Store | Shape::ConstantArray => false,
    }
}

/// The operators of a system: the given one, most of the common ones, and some others.
fn choose_operators(dice: &mut Dice, about: Op) -> Vec<Op> {
    let is_eligible = |op: Op| {
        let of_strings = op.info().theory == Theory::Strings;
        let holds = matches!(op, Op::Ite | Op::Add | Op::Sub | Op::Le | Op::Lt | Op::Distinct);
        (of_strings || holds) && result(op) != Sort::RegLan
    };
    let mut operators: Vec<Op> = Vec::new();
    // An operator of languages needs memberships; languages use all such operators.
    let about = if result(about) == Sort::RegLan { Op::StrInRe } else { about };
    let is_structure =
        matches!(about, Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies);
    if !is_structure {
        operators.push(about);
    }
    operators.extend(COMMON_OPERATORS.iter().copied().filter(|_| dice.percent(55)));
    let percentage = dice.pick(&[0, 5, 10, 20, 30]);
    for info in Op::TABLE.iter().filter(|info| is_eligible(info.op)) {
        let percentage =
            if RARELY_SUPPORTED.contains(&info.op) { percentage / 5 } else { percentage };
        if dice.percent(percentage) {
            operators.push(info.op);
        }
    }
    // With equality there is always an atom.
    operators.push(Op::Eq);
    operators.sort_unstable();
    operators.dedup();
    operators
}

/// The result sort of the operator; `Bool` where it depends on the arguments.
fn result(op: Op) -> Sort {
    match op.info().shape {
        Shape::Exact(_, result) | Shape::Folded(_, result, _) => result,
        _ => Sort::Bool,
    }
}
