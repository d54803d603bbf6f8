//! Soundness of the axioms: the referee evaluates random instances of every kind under random
//! models.

mod random;

use std::collections::BTreeSet;

use luthier_generator::random::Generator;
use luthier_semantics::{Evaluator, Value};
use luthier_terms::{BasicSort, Op, PostOrder, SmtString, Sort, Term, TermId, Theory};
use rustc_hash::FxHashMap;

use random::{basic, term_about, word, workshop};

use super::axioms::{self, CompiledAxiom, Trigger};
use super::refine::{self, CandidateModel, letter_decomposition};
use super::template::Bindings;
use super::terms::TermBuilder;
use super::universe::Universe;
use super::{constants, regexes};
use crate::{Budget, Cancel, arithmetic};

/// Instances of one kind of fact, about random terms.
fn instances(axiom: &CompiledAxiom, generator: &mut Generator) -> Vec<TermId> {
    let mut found = Vec::new();
    if let (Some(formula), false) = (&axiom.formula, axiom.patterns.is_empty()) {
        let mut bindings = Bindings::new();
        for pattern in &axiom.patterns {
            for (name, sort) in pattern.variables() {
                if bindings.iter().all(|(variable, _)| variable != name) {
                    let term = generator.term(basic(sort), 2);
                    bindings.push((name.to_owned(), term));
                }
            }
        }
        // Laws tend to fail for equal arguments.
        if generator.dice.percent(15) && bindings.len() > 1 {
            let (one, two) =
                (generator.dice.below(bindings.len()), generator.dice.below(bindings.len()));
            if generator.pool.sort(bindings[one].1) == generator.pool.sort(bindings[two].1) {
                bindings[one].1 = bindings[two].1;
            }
        }
        let mut terms = TermBuilder {
            pool: &mut generator.pool,
            budget: &Budget::until_cancelled(Cancel::new()),
        };
        let Some(term) = axiom.patterns[0].instantiate(&mut terms, &bindings).unwrap() else {
            return found;
        };
        bindings.push(("_".to_owned(), term));
        found.extend(formula.instantiate(&mut terms, &bindings).unwrap());
        return found;
    }
    let term = match &axiom.axiom.trigger {
        Trigger::Code(ops, _) => term_about(generator, ops),
        _ => generator.term(BasicSort::String, 3),
    };
    let mut universe = Universe::default();
    universe.add(&mut generator.pool, term, 0).unwrap();
    let mut terms =
        TermBuilder { pool: &mut generator.pool, budget: &Budget::until_cancelled(Cancel::new()) };
    for &(term, _) in universe.since(0) {
        let op = match terms.pool.term(term) {
            Term::Op(op, _) => Some(op),
            _ => None,
        };
        if axiom.may_match(op) {
            axiom.instances_of_term(&mut terms, &universe, term, &mut found).unwrap();
        }
    }
    found
}

#[test]
fn every_law_can_be_read_and_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    for axiom in axioms::axioms() {
        assert!(names.insert(axiom.name), "{}", axiom.name);
        if let Err(error) = axioms::compile(axiom) {
            panic!("{}: {error}", axiom.name);
        }
    }
    assert!(names.len() > 60);
}

#[test]
fn no_instance_of_any_axiom_is_false() {
    for (number, axiom) in axioms::compiled().iter().enumerate() {
        if axiom.axiom.name.starts_with("store-") || axiom.axiom.name.starts_with("select-") {
            // Random terms have no arrays; these two axioms have a separate test.
            continue;
        }
        let (mut count, mut known) = (0, 0);
        for stream in 0..4000 {
            let mut generator = workshop(number as u64 * 100_000 + stream);
            let found = instances(axiom, &mut generator);
            let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
            for instance in found {
                let evaluation = evaluator.evaluate(instance);
                assert!(
                    !evaluation.is_false(),
                    "{}: stream {stream}: {:?}",
                    axiom.axiom.name,
                    evaluator.explain(instance)
                );
                count += 1;
                known += usize::from(evaluation.is_true());
            }
            if known > 3000 {
                break;
            }
        }
        assert!(known > 100, "{}: {count} instances, {known} known", axiom.axiom.name);
    }
}

#[test]
fn a_false_law_is_detected() {
    static WRONG: axioms::Axiom = axioms::Axiom {
        name: "wrong",
        // For an empty needle the first occurrence is the start, not zero.
        law: "(=> (= t \"\") (<= _ 0))",
        level: 0,
        trigger: Trigger::Patterns(&["(str.indexof s t n)"]),
    };
    let axiom = axioms::compile(&WRONG).unwrap();
    let is_found_out = (0..2000).any(|stream| {
        let mut generator = workshop(stream);
        let found = instances(&axiom, &mut generator);
        let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
        found.into_iter().any(|instance| evaluator.evaluate(instance).is_false())
    });
    assert!(is_found_out);
}

/// A candidate with the values of the model, except for some wrong ones.
fn candidate_with_wrong_values(generator: &mut Generator, universe: &Universe) -> CandidateModel {
    let mut known: Vec<(TermId, arithmetic::Value)> = Vec::new();
    let mut classes: Vec<SmtString> = Vec::new();
    let mut literals = FxHashMap::default();
    let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
    for &(term, _) in universe.since(0) {
        let value = match evaluator.evaluate(term).known() {
            Some(Value::Bool(value)) => arithmetic::Value::Bool(*value),
            Some(Value::Int(number)) => arithmetic::Value::Int(number.clone()),
            Some(Value::String(text)) => {
                let class = classes.iter().position(|other| other == text).unwrap_or_else(|| {
                    classes.push(text.clone());
                    classes.len() - 1
                });
                let class = u32::try_from(class).unwrap();
                if generator.pool.as_string(term).is_some() {
                    literals.insert(class, term);
                }
                arithmetic::Value::Uninterpreted(class)
            }
            _ => continue,
        };
        known.push((term, value));
    }
    let mut values: FxHashMap<TermId, arithmetic::Value> = known.iter().cloned().collect();
    for (term, value) in &known {
        let (_, other) = &known[generator.dice.below(known.len())];
        let same_sort = std::mem::discriminant(other) == std::mem::discriminant(value);
        if same_sort && generator.pool.as_string(*term).is_none() && generator.dice.percent(40) {
            values.insert(*term, other.clone());
        }
    }
    CandidateModel::from_values(values, literals)
}

#[test]
fn lemmas_from_a_wrong_candidate_are_valid() {
    let (mut evaluations, mut rewritings) = (0, 0);
    for stream in 0..600 {
        let mut generator = workshop(stream);
        let mut universe = Universe::default();
        for _ in 0..3 {
            let formula = generator.term(BasicSort::Bool, 4);
            universe.add(&mut generator.pool, formula, 0).unwrap();
        }
        let candidate = candidate_with_wrong_values(&mut generator, &universe);
        let budget = Budget::until_cancelled(Cancel::new());
        let evaluated = candidate.evaluations(&mut generator.pool, &universe, &budget).unwrap();
        let in_context = candidate.rewritten(&mut generator.pool, &universe, &budget).unwrap();
        let rewritten = refine::rewritten(&mut generator.pool, &universe, &budget).unwrap();
        evaluations += evaluated.len();
        rewritings += in_context.len();
        let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
        for lemma in evaluated.into_iter().chain(in_context).chain(rewritten) {
            let evaluation = evaluator.evaluate(lemma);
            assert!(!evaluation.is_false(), "{stream}: {:?}", evaluator.explain(lemma));
        }
    }
    assert!(evaluations > 500 && rewritings > 500, "{evaluations} and {rewritings} lemmas");
}

#[test]
fn letter_decompositions_are_valid() {
    for stream in 0..500 {
        let mut generator = workshop(stream);
        let text = generator.term(BasicSort::String, 2);
        let length = generator.dice.below(6);
        let lemma = letter_decomposition(
            &mut TermBuilder {
                pool: &mut generator.pool,
                budget: &Budget::until_cancelled(Cancel::new()),
            },
            text,
            length,
        )
        .unwrap();
        let evaluation = Evaluator::new(&generator.pool, &generator.model).evaluate(lemma);
        assert!(!evaluation.is_false(), "{stream}");
    }
}

#[test]
fn stores_are_read_back_and_other_elements_stay() {
    let laws = ["store-is-read-back", "select-elsewhere"];
    for axiom in axioms::compiled().iter().filter(|axiom| laws.contains(&axiom.axiom.name)) {
        for (index, other) in [(1, 1), (1, 2)] {
            let mut generator = Generator::default();
            let pool = &mut generator.pool;
            let (zero, five) = (pool.integer(0).unwrap(), pool.integer(5).unwrap());
            let (index, other) = (pool.integer(index).unwrap(), pool.integer(other).unwrap());
            let array = pool.constant_array(BasicSort::Int, zero).unwrap();
            let stored = pool.op(Op::Store, &[array, index, five]).unwrap();
            let read = pool.op(Op::Select, &[stored, other]).unwrap();
            let mut found = Vec::new();
            let mut terms = TermBuilder { pool, budget: &Budget::until_cancelled(Cancel::new()) };
            for term in [stored, read] {
                axiom
                    .instances_of_term(&mut terms, &Universe::default(), term, &mut found)
                    .unwrap();
            }
            assert_eq!(found.len(), 1);
            let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
            assert!(evaluator.evaluate(found[0]).is_true());
        }
    }
}

#[test]
fn constants_are_evaluated_as_the_referee_does() {
    let mut generator = Generator::default();
    let mut compared = std::collections::BTreeMap::new();
    for number in 0..40_000 {
        let root = generator.numbered(61, number);
        let order: Vec<TermId> = PostOrder::new(&generator.pool, [root]).collect();
        for term in order {
            let Term::Op(op, arguments) = generator.pool.term(term) else { continue };
            if op.info().theory != Theory::Strings {
                continue;
            }
            let arguments = arguments.to_vec();
            let built = constants::evaluate(
                &mut generator.pool,
                op,
                &arguments,
                &Budget::until_cancelled(Cancel::new()),
            )
            .unwrap();
            let Some(built) = built else { continue };
            let same = generator.pool.op(Op::Eq, &[term, built]).unwrap();
            let mut evaluator = Evaluator::new(&generator.pool, &generator.model);
            assert!(evaluator.evaluate(same).is_true(), "{number}: {op:?}");
            *compared.entry(op).or_insert(0) += 1;
        }
        if generator.pool.len() > 3_000 {
            generator = Generator::default();
        }
    }
    for info in Op::TABLE.iter().filter(|info| info.theory == Theory::Strings) {
        let here = compared.get(&info.op).copied().unwrap_or(0);
        let regular = matches!(info.shape, luthier_terms::Shape::Exact(_, Sort::RegLan))
            || matches!(info.shape, luthier_terms::Shape::Folded(Sort::RegLan, ..))
            || matches!(info.op, Op::StrReplaceRe | Op::StrReplaceReAll);
        assert!(regular || here > 50, "{}: {here} compared", info.name);
    }
}

#[test]
fn lengths_letters_and_words_bound_the_language() {
    let (mut members, mut listed) = (0, 0);
    for stream in 0..3000 {
        let mut generator = workshop(stream);
        let regex = generator.term(BasicSort::RegLan, 4);
        let lengths = regexes::lengths(&generator.pool, regex);
        let letters = regexes::letters(&generator.pool, regex);
        let words = regexes::words(&generator.pool, regex, 16);
        for _ in 0..4 {
            let text = word(&mut generator.dice);
            let literal = generator.pool.string(text.clone()).unwrap();
            let inside = generator.pool.op(Op::StrInRe, &[literal, regex]).unwrap();
            let evaluation = Evaluator::new(&generator.pool, &generator.model).evaluate(inside);
            let Some(is_member) = evaluation.as_bool() else { continue };
            if let Some(words) = &words {
                assert_eq!(words.iter().any(|word| **word == *text), is_member, "{stream}");
                listed += 1;
            }
            if is_member {
                members += 1;
                let length = text.len() as u64;
                assert!(lengths.least.is_some_and(|least| least <= length), "{stream}");
                assert!(lengths.most.is_none_or(|most| most >= length), "{stream}");
                if let Some(letters) = &letters {
                    let has =
                        |code: u32| letters.iter().any(|&(low, high)| (low..=high).contains(&code));
                    assert!(text.iter().all(|letter| has(letter.code())), "{stream}");
                }
            }
        }
    }
    assert!(members > 300 && listed > 300, "{members} members, {listed} of listed languages");
}
