//! Variants with declared functions and arrays: constants of one sort become the values of a function, or the
//! elements of an array, at distinct literals.
//!
//! ```text
//! φ(x, y)   ⇒   φ((f 0), (f 7))   or   φ((select a "b"), (select (store a "" "c") "1"))
//! ```
//!
//! Sound: values of x and y are values of f at 0 and 7, and the other way round, since nothing else is said
//! about f; a `store` at another literal does not change an element. A core stays one, because each assertion
//! is satisfied by the translated model if and only if it was by the old one.
//!
//! The constants stay declared, without an occurrence, so that their values stay a part of the witness.
//!
//! Limits: scripts without scopes and definitions, quantifiers without patterns; constants of sorts `Int` and
//! `String`, not more than there are literals. The logic becomes `ALL`.

use std::collections::BTreeMap;

use luthier_semantics::Interpretation;
use luthier_smtlib::{Assertion, CommandKind};
use luthier_terms::{
    BasicSort, FunctionId, Op, PostOrder, SmtString, Sort, SymbolId, Term, TermId, TermPool,
    Variable,
};

use super::frame::{Edits, Frame};
use super::order::shuffle;
use super::rewrite::rebuild;
use super::{FreshValue, Variant};
use crate::Dice;

/// Arguments and indices that are integers.
const INTEGERS: [i64; 6] = [0, 1, -1, 7, 2, 100];

/// Arguments and indices that are strings.
const STRINGS: [&str; 6] = ["", "a", "0", "b", "aa", "-1"];

/// The percentage of elements that are selected from the array after a `store` elsewhere.
const STORED: usize = 25;

/// What the constants become.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Function,
    Array,
}

/// `x ⇒ (f 0)` or `x ⇒ (select a 0)` for all constants of one sort.
pub(super) fn applied(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
    into: Target,
) -> Option<Variant> {
    let assertions = frame.terms();
    if !frame.is_flat || !is_plain(pool, frame, &assertions) {
        return None;
    }
    let sorts = [(Sort::String, BasicSort::String), (Sort::Int, BasicSort::Int)];
    let mut declared: Vec<(BasicSort, Vec<FunctionId>)> = Vec::new();
    for (sort, basic) in sorts {
        let mut constants = frame.constants(pool);
        constants.retain(|&function| pool.function(function).result == sort);
        if (1..INTEGERS.len()).contains(&constants.len()) {
            declared.push((basic, constants));
        }
    }
    if declared.is_empty() {
        return None;
    }
    let (element, constants) = declared.swap_remove(dice.below(declared.len()));
    let index = dice.pick(&[BasicSort::Int, BasicSort::String]);
    let mut literals = literals(pool, index)?;
    shuffle(&mut literals, dice);
    let stem = if into == Target::Function { "f" } else { "a" };
    let name = frame.names().name(pool, stem)?;
    let symbol = match into {
        Target::Function => pool.declare(name, vec![index.into()], element.into()).ok()?,
        Target::Array => pool.declare(name, Vec::new(), Sort::Array(index, element)).ok()?,
    };
    let olds: Vec<TermId> =
        constants.iter().map(|&constant| pool.apply(constant, &[]).ok()).collect::<Option<_>>()?;
    // The last literal belongs to no constant.
    let mut news: BTreeMap<TermId, TermId> = BTreeMap::new();
    let free = *literals.last()?;
    for (&old, &literal) in olds.iter().zip(&literals) {
        let new = match into {
            Target::Function => pool.apply(symbol, &[literal]).ok()?,
            Target::Array => {
                let mut array = pool.apply(symbol, &[]).ok()?;
                if dice.percent(STORED) {
                    let value = dice.pick(&self::literals(pool, element)?);
                    array = pool.op(Op::Store, &[array, free, value]).ok()?;
                }
                pool.op(Op::Select, &[array, literal]).ok()?
            }
        };
        news.insert(old, new);
    }
    let edits = edits(pool, frame, &constants, symbol, &news)?;
    let pairs: Vec<(TermId, TermId)> = literals.into_iter().zip(olds).collect();
    let mut made = Variant::over_same_constants(frame.edited(edits));
    match into {
        Target::Function => made.functions.push((symbol, table(pool, index, &pairs)?)),
        Target::Array => {
            let array = array(pool, index, &pairs)?;
            made.fresh.push((symbol, FreshValue::Of(array)));
        }
    }
    Some(made)
}

/// Whether a script only declares and asserts, and its quantifiers have no patterns, which would need the
/// same replacements.
fn is_plain(pool: &TermPool, frame: &Frame<'_>, assertions: &[TermId]) -> bool {
    let is_simple = frame.script.commands.iter().all(|command| {
        let has_terms = matches!(
            command.kind,
            CommandKind::Define { .. }
                | CommandKind::DefineRecursive(_)
                | CommandKind::GetValue(_)
                | CommandKind::Simplify(_)
                | CommandKind::CheckSatAssuming(_)
        );
        !has_terms
    });
    let has_patterns = |part| match pool.term(part) {
        Term::Quantifier(view) => view.patterns().next().is_some(),
        _ => false,
    };
    is_simple && !PostOrder::new(pool, assertions.iter().copied()).any(has_patterns)
}

/// The literals of a sort, in a fixed order.
fn literals(pool: &mut TermPool, sort: BasicSort) -> Option<Vec<TermId>> {
    match sort {
        BasicSort::Int => INTEGERS.iter().map(|&value| integer(pool, value)).collect(),
        BasicSort::String => {
            STRINGS.iter().map(|text| pool.string(SmtString::from_text(text)?).ok()).collect()
        }
        _ => None,
    }
}

/// An integer as a script has it: a numeral, or `(- 1)`.
fn integer(pool: &mut TermPool, value: i64) -> Option<TermId> {
    let numeral = pool.integer(value.unsigned_abs()).ok()?;
    if value < 0 { pool.op(Op::Neg, &[numeral]).ok() } else { Some(numeral) }
}

/// The edits of all commands: the new symbol is declared and stands in the place of the constants.
fn edits(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    constants: &[FunctionId],
    symbol: FunctionId,
    news: &BTreeMap<TermId, TermId>,
) -> Option<Edits> {
    let all: SymbolId = pool.symbols_mut().intern(b"ALL").ok()?;
    let mut memory = BTreeMap::new();
    let mut edits = Edits::new();
    let (mut is_declared, mut changed) = (false, false);
    for (number, command) in frame.script.commands.iter().enumerate() {
        match &command.kind {
            CommandKind::SetLogic(_) => {
                edits.insert(number, vec![CommandKind::SetLogic(all)]);
            }
            // The constants stay declared, so that no other symbol gets their names.
            CommandKind::Declare { function, .. }
                if !is_declared && constants.contains(function) =>
            {
                let declare = CommandKind::Declare { function: symbol, constant: false };
                edits.insert(number, frame.preceded(number, vec![declare]));
                is_declared = true;
            }
            CommandKind::Assert(assertion) => {
                let term = rebuild(pool, assertion.term, &mut memory, |_, old, new| {
                    Some(news.get(&old).copied().unwrap_or(new))
                })?;
                changed |= term != assertion.term;
                edits.insert(number, vec![CommandKind::Assert(Assertion { term, ..*assertion })]);
            }
            _ => {}
        }
    }
    (is_declared && changed).then_some(edits)
}

/// The function that has the value of a constant at each literal, over the old constants.
fn table(
    pool: &mut TermPool,
    index: BasicSort,
    pairs: &[(TermId, TermId)],
) -> Option<Interpretation> {
    let name = pool.symbols_mut().intern(b"argument").ok()?;
    let variable = Variable { name, sort: index.into(), depth: 0 };
    let variable = pool.variable(variable).ok()?;
    let (_, last) = pairs.last()?;
    let mut body = *last;
    for &(literal, old) in pairs {
        let condition = pool.op(Op::Eq, &[variable, literal]).ok()?;
        body = pool.op(Op::Ite, &[condition, old, body]).ok()?;
    }
    Some(Interpretation::Function { variables: vec![variable], body })
}

/// The array that has them as elements.
fn array(pool: &mut TermPool, index: BasicSort, pairs: &[(TermId, TermId)]) -> Option<TermId> {
    let (_, last) = pairs.last()?;
    let mut array = pool.constant_array(index, *last).ok()?;
    for &(literal, old) in pairs {
        array = pool.op(Op::Store, &[array, literal, old]).ok()?;
    }
    Some(array)
}
