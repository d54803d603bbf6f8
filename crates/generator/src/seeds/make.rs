//! The ways in which formulas are made of seeds.

use std::collections::BTreeMap;

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{BasicSort, FunctionId, Op, PostOrder, Shape, Sort, Term, TermId, TermPool};

use super::import::Importer;
use super::search::other_assignment;
use super::{LARGEST, Seed};
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch};

/// Steps of the referee for one value.
const STEPS: u64 = 50_000;

/// A sketch made of one or two seeds. `None` if this attempt gave nothing.
pub(crate) fn sketch(mut dice: Dice, seeds: &[Seed]) -> Option<Sketch> {
    if seeds.is_empty() {
        return None;
    }
    let seed = &seeds[dice.below(seeds.len())];
    let other = &seeds[dice.below(seeds.len())];
    match dice.below(10) {
        _ if seed.is_planted_unsat && dice.percent(60) => unsat(&mut dice, seed, other),
        0..=2 => signed(&mut dice, seed),
        3 | 4 => related(&mut dice, seed),
        5..=7 => fused(&mut dice, seed, other),
        _ => mutated(&mut dice, seed),
    }
}

/// A formula under construction, over copies of terms of seeds.
struct Made {
    draft: Draft,
}

impl Made {
    fn new() -> Self {
        Self { draft: Draft::new(TermPool::new(), Model::new()) }
    }

    /// Copies terms of a seed, with an assignment of its constants.
    fn take(
        &mut self,
        seed: &Seed,
        terms: &[TermId],
        model: &Model,
        suffix: &'static str,
    ) -> Option<(Vec<TermId>, Vec<FunctionId>)> {
        let mut importer = Importer::with_suffix(suffix);
        let pool = &mut self.draft.pool;
        let copies: Option<Vec<TermId>> =
            terms.iter().map(|&term| importer.import(&seed.pool, pool, term)).collect();
        for (old, new) in importer.renamed() {
            if let Some(interpretation) = model.get(old) {
                self.draft.model.insert(new, interpretation.clone());
            }
        }
        Some((copies?, importer.constants()))
    }

    fn value(&self, term: TermId) -> Option<Value> {
        let limits = Limits { steps: STEPS, cpu_time: None, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(&self.draft.pool, &self.draft.model, limits);
        evaluator.evaluate(term).known().cloned()
    }

    /// Asserts the formula or its negation.
    fn assert_truth(&mut self, formula: TermId) -> Option<()> {
        let term = match self.value(formula)? {
            Value::Bool(true) => formula,
            Value::Bool(false) => self.draft.pool.op(Op::Not, &[formula]).ok()?,
            _ => return None,
        };
        self.draft.assert(term);
        Some(())
    }

    fn finish(self, planted: PlantedAnswer, derivation: String) -> Option<Sketch> {
        let Self { draft } = self;
        let mut names: Vec<_> =
            draft.model.iter().map(|(one, _)| draft.pool.function(one).name).collect();
        names.sort_unstable();
        // Constants of two seeds may have the same name and different sorts.
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let first = draft.assertions.first()?.term;
        let operation = operation(&draft.pool, first);
        let category = Category::Seeded;
        Some(Sketch { draft, planted, category, operation, derivation })
    }
}

/// The operator that a formula is about: the first one of strings, from the root on.
fn operation(pool: &TermPool, root: TermId) -> &'static str {
    let parts: Vec<TermId> = PostOrder::new(pool, [root]).collect();
    let operators = parts.iter().rev().filter_map(|&part| match pool.term(part) {
        Term::Op(op, _) => Some(op),
        _ => None,
    });
    let structure = [Op::Eq, Op::Not, Op::And, Op::Or, Op::Le, Op::Lt, Op::Ge, Op::Gt];
    operators.into_iter().find(|op| !structure.contains(op)).map_or("=", Op::name)
}

/// One to four facts of a seed.
fn some_facts(dice: &mut Dice, seed: &Seed) -> Vec<TermId> {
    let count = dice.pick(&[1, 1, 2, 2, 3, 4]);
    (0..count).map(|_| dice.pick(&seed.facts)).collect()
}

/// Subformulas with their signs.
fn signed(dice: &mut Dice, seed: &Seed) -> Option<Sketch> {
    let model = other_assignment(seed, dice);
    let mut made = Made::new();
    let (facts, _) = made.take(seed, &some_facts(dice, seed), &model, "")?;
    for fact in facts {
        made.assert_truth(fact)?;
    }
    made.finish(
        PlantedAnswer::Witness,
        format!("subformulas of {}, negated where they are false under the witness", seed.name),
    )
}

/// Facts that relate two terms of a seed.
fn related(dice: &mut Dice, seed: &Seed) -> Option<Sketch> {
    let model = other_assignment(seed, dice);
    let mut made = Made::new();
    let (facts, _) = made.take(seed, &some_facts(dice, seed), &model, "")?;
    let pool = &made.draft.pool;
    let of = |sort: Sort| -> Vec<TermId> {
        PostOrder::new(pool, facts.iter().copied())
            .filter(|&term| pool.sort(term) == sort)
            .collect()
    };
    let (texts, numbers) = (of(Sort::String), of(Sort::Int));
    for _ in 0..dice.pick(&[1, 1, 2]) {
        let (terms, operators): (&[TermId], &[Op]) = match (texts.is_empty(), numbers.is_empty()) {
            (true, true) => return None,
            (false, _) if numbers.is_empty() || dice.percent(70) => (
                &texts,
                &[Op::Eq, Op::StrPrefixOf, Op::StrSuffixOf, Op::StrContains, Op::StrLt, Op::StrLe],
            ),
            _ => (&numbers, &[Op::Eq, Op::Le, Op::Lt]),
        };
        let pair = [dice.pick(terms), dice.pick(terms)];
        let fact = made.draft.pool.op(dice.pick(operators), &pair).ok()?;
        made.assert_truth(fact)?;
    }
    if dice.percent(60) {
        made.assert_truth(facts[0])?;
    }
    made.finish(
        PlantedAnswer::Witness,
        format!("terms of {}, related as they are under the witness", seed.name),
    )
}

/// Facts of two seeds over different constants, related by a new constant.
fn fused(dice: &mut Dice, one: &Seed, other: &Seed) -> Option<Sketch> {
    let mut made = Made::new();
    let models = [other_assignment(one, dice), other_assignment(other, dice)];
    let (mut facts, left) = made.take(one, &some_facts(dice, one), &models[0], "")?;
    let (more, right) = made.take(other, &some_facts(dice, other), &models[1], "_2")?;
    facts.extend(more);
    let sort = if dice.percent(75) { Sort::String } else { Sort::Int };
    let mut pick = |constants: &[FunctionId]| {
        let fits = |one: &FunctionId| made.draft.pool.function(*one).result == sort;
        let fitting: Vec<FunctionId> = constants.iter().copied().filter(fits).collect();
        (!fitting.is_empty()).then(|| dice.pick(&fitting))
    };
    let (x, y) = (pick(&left)?, pick(&right)?);
    let pool = &mut made.draft.pool;
    let (x, y) = (pool.apply(x, &[]).ok()?, pool.apply(y, &[]).ok()?);
    let join = if sort == Sort::String { Op::StrConcat } else { Op::Add };
    let joined = pool.op(join, &[x, y]).ok()?;
    let name = pool.symbols_mut().intern(b"fused").ok()?;
    let z = pool.declare(name, Vec::new(), sort).ok()?;
    let fresh = pool.apply(z, &[]).ok()?;
    let equation = pool.op(Op::Eq, &[fresh, joined]).ok()?;
    let (instead_x, instead_y) = if sort == Sort::String {
        let zero = pool.integer(0).ok()?;
        let (x_length, y_length) =
            (pool.op(Op::StrLen, &[x]).ok()?, pool.op(Op::StrLen, &[y]).ok()?);
        (
            pool.op(Op::StrSubstr, &[fresh, zero, x_length]).ok()?,
            pool.op(Op::StrSubstr, &[fresh, x_length, y_length]).ok()?,
        )
    } else {
        (pool.op(Op::Sub, &[fresh, y]).ok()?, pool.op(Op::Sub, &[fresh, x]).ok()?)
    };
    let value = made.value(joined)?;
    made.draft.model.insert_value(z, value);
    let mut first = true;
    for fact in facts {
        let sides = match dice.below(3) {
            0 => BTreeMap::from([(x, instead_x)]),
            1 => BTreeMap::from([(y, instead_y)]),
            _ => BTreeMap::from([(x, instead_x), (y, instead_y)]),
        };
        // Each fact is replaced in, or not; the first one always.
        let term = if first || dice.percent(70) {
            substituted(&mut made.draft.pool, fact, &sides)?
        } else {
            fact
        };
        first = false;
        made.assert_truth(term)?;
    }
    made.assert_truth(equation)?;
    made.finish(
        PlantedAnswer::Witness,
        format!("{} and {}, fused by the sum of a constant of each", one.name, other.name),
    )
}

/// Exchanges an operator or a subterm.
fn mutated(dice: &mut Dice, seed: &Seed) -> Option<Sketch> {
    let model = other_assignment(seed, dice);
    let mut made = Made::new();
    let terms = if seed.whole.is_empty() || dice.percent(40) {
        some_facts(dice, seed)
    } else {
        seed.whole.clone()
    };
    let (mut terms, _) = made.take(seed, &terms, &model, "")?;
    for _ in 0..dice.pick(&[1, 1, 2]) {
        let pool = &mut made.draft.pool;
        let parts: Vec<TermId> = PostOrder::new(pool, terms.iter().copied()).collect();
        let place = dice.pick(&parts);
        let instead = if dice.percent(60) {
            exchanged_operator(dice, pool, place)
        } else {
            let sort = pool.sort(place);
            let alike: Vec<TermId> = parts
                .iter()
                .copied()
                .filter(|&one| one != place && pool.sort(one) == sort)
                .collect();
            (!alike.is_empty()).then(|| dice.pick(&alike))
        }?;
        let by = BTreeMap::from([(place, instead)]);
        terms = terms
            .iter()
            .map(|&term| substituted(pool, term, &by))
            .collect::<Option<Vec<TermId>>>()?;
    }
    let sizes = made.draft.pool.tree_sizes();
    let size: u64 = terms.iter().map(|term| sizes[term.index()]).fold(0, u64::saturating_add);
    if size > 4 * LARGEST {
        return None;
    }
    let is_model = terms.iter().all(|&term| made.value(term) == Some(Value::Bool(true)));
    for term in terms {
        made.draft.assert(term);
    }
    let (planted, known) = match is_model {
        true => (PlantedAnswer::Witness, "the witness still satisfies it"),
        false => (PlantedAnswer::Unknown, "nothing is known"),
    };
    made.finish(planted, format!("{} with operators or terms exchanged; {known}", seed.name))
}

/// The same arguments under another operator of the same sorts, or in another order.
fn exchanged_operator(dice: &mut Dice, pool: &mut TermPool, term: TermId) -> Option<TermId> {
    let Term::Op(op, children) = pool.term(term) else { return None };
    let mut children = children.to_vec();
    let sorts: Vec<Option<BasicSort>> =
        children.iter().map(|&child| pool.sort(child).as_basic()).collect();
    let result = pool.sort(term);
    if children.len() > 1 && dice.percent(25) {
        let (one, two) = (dice.below(children.len()), dice.below(children.len()));
        if sorts[one] == sorts[two] && one != two && one.min(two) >= op.info().indices {
            children.swap(one, two);
            return pool.op(op, &children).ok();
        }
    }
    let fits = |other: Op| {
        if other == op || other.info().indices != op.info().indices {
            return false;
        }
        match other.info().shape {
            Shape::Exact(wanted, value) => {
                value == result
                    && wanted.len() == sorts.len()
                    && wanted.iter().zip(&sorts).all(|(one, sort)| one.as_basic() == *sort)
            }
            Shape::Folded(wanted, value, _) => {
                value == result
                    && sorts.len() >= 2
                    && sorts.iter().all(|sort| *sort == wanted.as_basic())
            }
            _ => false,
        }
    };
    let nonlinear = |op: &Op| matches!(op, Op::Mul | Op::Div | Op::Mod);
    let choices: Vec<Op> =
        Op::TABLE.iter().map(|info| info.op).filter(|one| fits(*one) && !nonlinear(one)).collect();
    if choices.is_empty() {
        return None;
    }
    pool.op(dice.pick(&choices), &children).ok()
}

/// The conjunction or disjunction of an unsatisfiable seed with another one.
fn unsat(dice: &mut Dice, seed: &Seed, other: &Seed) -> Option<Sketch> {
    let mut made = Made::new();
    let (terms, _) = made.take(seed, &seed.whole, &seed.model, "")?;
    let facts = if other.is_planted_unsat { other.whole.clone() } else { some_facts(dice, other) };
    let (more, _) = made.take(other, &facts, &other.model, "_2")?;
    if other.is_planted_unsat {
        // Both sides are unsatisfiable, so their disjunction is.
        let mut sides = [terms, more].map(|side| match side[..] {
            [one] => Some(one),
            _ => made.draft.pool.op(Op::And, &side).ok(),
        });
        if dice.percent(50) {
            sides.reverse();
        }
        let sides = [sides[0]?, sides[1]?];
        let either = made.draft.pool.op(Op::Or, &sides).ok()?;
        made.draft.assert(either);
    } else {
        let before = dice.percent(50);
        let order = if before { [more, terms] } else { [terms, more] };
        for term in order.into_iter().flatten() {
            made.draft.assert(term);
        }
    }
    made.finish(
        PlantedAnswer::Core(Vec::new()),
        format!("{} is unsatisfiable by construction; joined with {}", seed.name, other.name),
    )
}

/// The term with some subterms replaced; what is put in is not replaced again.
fn substituted(pool: &mut TermPool, root: TermId, by: &BTreeMap<TermId, TermId>) -> Option<TermId> {
    let parts: Vec<TermId> = PostOrder::new(pool, [root]).collect();
    let mut copies: BTreeMap<TermId, TermId> = BTreeMap::new();
    for part in parts {
        let copy = match by.get(&part) {
            Some(&instead) => instead,
            None => match pool.term(part) {
                Term::Op(op, children) => {
                    let children: Vec<TermId> = children
                        .iter()
                        .map(|child| copies.get(child).copied())
                        .collect::<Option<_>>()?;
                    pool.op(op, &children).ok()?
                }
                _ => part,
            },
        };
        copies.insert(part, copy);
    }
    copies.get(&root).copied()
}
