//! The decision of one cube: alignments, splits, and at each leaf arithmetic over sets of lengths
//! and candidate models.
//!
//! A leaf is refuted if no lengths of words of its languages satisfy the constraints on lengths; the
//! sets must be exact for that. Otherwise words of the chosen lengths are a candidate, which the
//! referee evaluates on the problem as it was given: a literal may have been omitted, and numbers
//! and words are chosen independently. Strings with a numeric value get its digits if possible. A
//! leaf whose candidates fail is open, so the cube is not refuted.
//!
//! If a leaf leaves one word for each constant of an assertion, the referee evaluates that assertion;
//! if it is false, the leaf is refuted, whatever operators the assertion has.

use std::rc::Rc;

use luthier_semantics::{Evaluator, Model, Value};
use luthier_terms::{FunctionId, Op, PostOrder, SmtString, Sort, Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Literals;
use super::alignment::{Aligned, Alignments, ReplacementResult};
use super::cube::{Translator, letters};
use super::reduce::Reduced;
use super::splits::{Membership, Splits, Target};
use crate::arithmetic::{Answer, ArithmeticSolver, Id, Value as Number, model_of};
use crate::automata::{Dfa, Language, LanguageStore, Regexes, Replacement, varied_word_of_length};
use crate::length_abstraction::LengthAbstraction;
use crate::nielsen::Symbol;
use crate::{Budget, Limit, Problem, UnknownReason, words};

/// Candidates with different letters for one leaf.
const VARIANTS: u32 = 4;

/// The languages of variables, and the memberships of longer words.
type System = (Vec<Language>, Vec<Membership>);

/// Decides cubes of a problem.
pub struct Leaves<'a> {
    problem: &'a Problem,
    reduced: &'a Reduced,
    numbers: &'a FxHashMap<TermId, u32>,
    /// The arithmetic of the problem.
    pub abstraction: LengthAbstraction,
    regexes: Regexes,
    store: LanguageStore,
    /// The string constants of the problem, with their numbers.
    functions: Vec<(FunctionId, u32)>,
    /// All constants of the problem.
    declared: FxHashSet<FunctionId>,
    /// Assertions without other constants than strings, with the numbers of these.
    determined: Vec<(TermId, Vec<u32>)>,
    /// Variables whose length occurs in the problem.
    measured: Vec<bool>,
    /// Variables whose numeric value or code occurs in the problem.
    numerals: Vec<(u32, Op, Id)>,
    /// The lengths of variables, those of cubes included.
    lengths: Vec<Id>,
    /// The results of replacements with constant arguments, once they are translated.
    results: Option<Vec<ReplacementResult>>,
    /// The arithmetic solver; without one, constraints on lengths are ignored.
    pub solver: Option<Box<dyn ArithmeticSolver>>,
    /// Whether some case was neither refuted nor gave a model.
    pub is_incomplete: bool,
    /// Candidates that the referee rejected for the present cube.
    rejected: usize,
}

/// The values that arithmetic chose at a leaf: lengths by variable, numeric values, and a model of
/// the constants that are not strings.
#[derive(Default)]
struct Chosen {
    lengths: FxHashMap<u32, usize>,
    numerals: Vec<Number>,
    scalars: Model,
}

impl<'a> Leaves<'a> {
    /// For cubes of a problem and its reduced form.
    pub fn new(
        problem: &'a Problem,
        reduced: &'a Reduced,
        numbers: &'a FxHashMap<TermId, u32>,
        budget: &Budget,
    ) -> Self {
        let (pool, assertions) = (&reduced.problem.pool, &reduced.problem.assertions);
        let mut abstraction = LengthAbstraction::new(pool, numbers, assertions, budget);
        length_facts(&reduced.problem, &mut abstraction);
        let mut measured = vec![false; numbers.len()];
        let mut numerals = Vec::new();
        for term in PostOrder::new(pool, assertions.iter().copied()) {
            match pool.term(term) {
                Term::Op(Op::StrLen, &[text]) => {
                    for part in PostOrder::new(pool, [text]) {
                        if let Some(&number) = numbers.get(&part) {
                            measured[number as usize] = true;
                        }
                    }
                }
                Term::Op(op @ (Op::StrToInt | Op::StrToCode), [text]) => {
                    if let (Some(&number), Some(id)) = (numbers.get(text), abstraction.of(term)) {
                        numerals.push((number, op, id));
                    }
                }
                _ => {}
            }
        }
        let declared: FxHashSet<FunctionId> = problem.declared().into_iter().collect();
        let mut functions: Vec<(FunctionId, u32)> = Vec::new();
        for (&term, &number) in numbers {
            if let Term::Apply(function, _) = pool.term(term)
                && declared.contains(&function)
            {
                functions.push((function, number));
            }
        }
        functions.sort_unstable_by_key(|&(_, number)| number);
        let determined = determined(problem, &functions);
        Self {
            problem,
            reduced,
            numbers,
            lengths: abstraction.lengths.clone(),
            abstraction,
            regexes: Regexes::new(),
            store: LanguageStore::new(budget.limit(Limit::NoodlesStates)),
            functions,
            declared,
            determined,
            measured,
            numerals,
            results: None,
            solver: None,
            is_incomplete: false,
            rejected: 0,
        }
    }

    /// A model of a cube; `None` if there is none, or if [`Self::is_incomplete`].
    pub fn decide(
        &mut self,
        literals: &Literals,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        self.rejected = 0;
        let Some(mut alignments) = self.alignments(literals, budget)? else { return Ok(None) };
        while let Some(aligned) = alignments.next(&self.store, budget)? {
            let Some((languages, memberships)) = self.system(&aligned, budget)? else { continue };
            let keeps = self.kept(&aligned);
            let keep = |variable: u32| keeps[variable as usize];
            let mut splits = Splits::new(memberships.clone(), languages, keep, &self.store);
            let mut refuted = FxHashSet::default();
            while let Some(leaf) = splits.next(&mut self.store, budget)? {
                if self.has_equal_words(&aligned, &leaf)
                    || self.is_false_for_values(&aligned, &leaf, budget)
                {
                    continue;
                }
                let formula = self.formula(&aligned, &leaf, &keeps, budget)?;
                if refuted.contains(&formula) {
                    continue;
                }
                if self.choose(formula, &aligned, literals, budget)?.is_none() {
                    refuted.insert(formula);
                    continue;
                }
                let all = Splits::new(memberships.clone(), (*leaf).clone(), |_| true, &self.store);
                let found = self.models(all, &aligned, &keeps, literals, budget)?;
                if found.is_some() {
                    return Ok(found);
                }
                self.is_incomplete = true;
                if budget.limits().exceeds(Limit::NoodlesModels, self.rejected) {
                    return Ok(None);
                }
            }
            self.is_incomplete |= splits.is_incomplete;
        }
        self.is_incomplete |= alignments.is_incomplete;
        Ok(None)
    }

    /// The alignments of a cube; `None` if a language is empty.
    fn alignments(
        &mut self,
        literals: &Literals,
        budget: &Budget,
    ) -> Result<Option<Alignments>, UnknownReason> {
        let mut translator = Translator {
            pool: &self.reduced.problem.pool,
            numbers: self.numbers,
            regexes: &mut self.regexes,
        };
        let cube = translator.cube(literals);
        if self.results.is_none() {
            let results = self.replacements(budget)?;
            self.results = Some(results);
        }
        let mut memberships = Vec::with_capacity(cube.memberships.len());
        for (word, regexes) in cube.memberships {
            let regex = self.regexes.intersection(regexes);
            // A language without an automaton is omitted; the referee checks it.
            let language = self.store.of_regex(&mut self.regexes, regex, budget)?;
            let Some(language) = language else {
                budget.limits().hit(Limit::NoodlesStates);
                continue;
            };
            if self.store.automaton(language).is_empty() {
                return Ok(None);
            }
            memberships.push((word, language));
        }
        let empty = self.regexes.empty();
        let not_empty = self.regexes.complement(empty);
        let not_empty = self.store.of_regex(&mut self.regexes, not_empty, budget)?;
        let Some(not_empty) = not_empty else {
            return Err(UnknownReason::Incomplete("no automata are allowed".to_owned()));
        };
        let variables = cube.variables;
        let results = self.results.clone().unwrap_or_default();
        let system = Aligned {
            memberships,
            replaced: Vec::new(),
            disequalities: cube.disequalities,
            results,
            variables,
        };
        Ok(Some(Alignments::new(cube.equations, system, not_empty)))
    }

    /// The replacements with constant arguments, the outermost first. Others are omitted.
    fn replacements(&mut self, budget: &Budget) -> Result<Vec<ReplacementResult>, UnknownReason> {
        let reduced = self.reduced;
        let mut results = Vec::new();
        for one in reduced.replacements.iter().rev() {
            let mut translator = Translator {
                pool: &reduced.problem.pool,
                numbers: self.numbers,
                regexes: &mut self.regexes,
            };
            let words = [one.value, one.text, one.by].map(|term| translator.word(term));
            let [Some(value), Some(text), Some(by)] = words else { continue };
            let Some(by) = letters(&by) else { continue };
            let Some(pattern) = translator.pattern(one.pattern) else { continue };
            let states = budget.limit(Limit::NoodlesStates);
            let Some(pattern) = Dfa::within(&mut self.regexes, pattern, states, budget)? else {
                budget.limits().hit(Limit::NoodlesStates);
                continue;
            };
            let pattern = pattern.minimal(budget)?;
            let replacement = Replacement { pattern, by, all: one.all };
            let replacement = self.store.add_replacement(replacement);
            results.push(ReplacementResult { replacement, value, text });
        }
        Ok(results)
    }

    /// The languages of variables, and the memberships of longer words; `None` if one is empty.
    fn system(
        &mut self,
        aligned: &Aligned,
        budget: &Budget,
    ) -> Result<Option<System>, UnknownReason> {
        let all = self.regexes.all();
        let all = self.store.of_regex(&mut self.regexes, all, budget)?;
        let Some(all) = all else {
            return Err(UnknownReason::Incomplete("no automata are allowed".to_owned()));
        };
        let mut languages = vec![all; aligned.variables as usize];
        let mut memberships = Vec::new();
        for (word, language) in &aligned.memberships {
            let membership =
                || Membership { word: word.clone(), language: Target::Language(*language) };
            match word[..] {
                [Symbol::Variable(variable)] => {
                    let known = &mut languages[variable as usize];
                    match self.store.intersection(*known, *language, budget)? {
                        Some(both) if self.store.automaton(both).is_empty() => return Ok(None),
                        Some(both) => *known = both,
                        None => memberships.push(membership()),
                    }
                }
                // Words of letters were checked by the alignment.
                _ if word.iter().all(|one| matches!(one, Symbol::Letter(_))) => {}
                _ => memberships.push(membership()),
            }
        }
        memberships.sort();
        memberships.dedup();
        for one in &aligned.results {
            let (replacement, value) = (one.replacement, one.value.clone());
            let language = Target::Preimage { replacement, value };
            memberships.push(Membership { word: one.text.clone(), language });
        }
        Ok(Some((languages, memberships)))
    }

    /// The variables whose length is constrained, directly or as a part of a replaced one, and those
    /// of disequalities.
    fn kept(&self, aligned: &Aligned) -> Vec<bool> {
        let mut kept = self.measured.clone();
        kept.resize(aligned.variables as usize, false);
        for (variable, word) in &aligned.replaced {
            if kept[*variable as usize] {
                for symbol in word {
                    if let Symbol::Variable(part) = *symbol {
                        kept[part as usize] = true;
                    }
                }
            }
        }
        let words = aligned.disequalities.iter().flat_map(|(one, other)| [one, other]);
        for symbol in words.flatten() {
            if let Symbol::Variable(part) = *symbol {
                kept[part as usize] = true;
            }
        }
        kept
    }

    /// Whether a disequality is false because the languages of its variables have one word each.
    fn has_equal_words(&self, aligned: &Aligned, languages: &[Language]) -> bool {
        let only = |symbol: &Symbol| match *symbol {
            Symbol::Letter(letter) => Some(vec![letter]),
            Symbol::Variable(one) => self.store.automaton(languages[one as usize]).only_word(),
        };
        let value = |word: &Vec<Symbol>| -> Option<Vec<u32>> {
            let parts: Option<Vec<Vec<u32>>> = word.iter().map(only).collect();
            Some(parts?.concat())
        };
        aligned.disequalities.iter().any(|(one, other)| {
            value(one).is_some_and(|one| value(other).is_some_and(|other| one == other))
        })
    }

    /// Whether the languages have one word for each constant of some assertion, under which it is
    /// false.
    fn is_false_for_values(
        &self,
        aligned: &Aligned,
        languages: &[Language],
        budget: &Budget,
    ) -> bool {
        if self.determined.is_empty() {
            return false;
        }
        let only = |&language: &Language| self.store.automaton(language).only_word();
        let mut values: Vec<Option<Vec<u32>>> = languages.iter().map(only).collect();
        for (variable, word) in aligned.replaced.iter().rev() {
            let part = |symbol: &Symbol| match *symbol {
                Symbol::Letter(letter) => Some(vec![letter]),
                Symbol::Variable(part) => values[part as usize].clone(),
            };
            let parts: Option<Vec<Vec<u32>>> = word.iter().map(part).collect();
            values[*variable as usize] = parts.map(|parts| parts.concat());
        }
        let mut model = Model::new();
        for &(function, number) in &self.functions {
            let value = values[number as usize].as_ref();
            let text = value.and_then(|value| SmtString::from_codes(value.iter().copied()));
            if let Some(text) = text {
                model.insert_value(function, Value::String(text));
            }
        }
        let is_known = |number: &u32| values[*number as usize].is_some();
        let pool = &self.problem.pool;
        let mut evaluator = Evaluator::with_limits(pool, &model, budget.evaluation_limits());
        self.determined.iter().any(|(assertion, numbers)| {
            numbers.iter().all(is_known) && evaluator.evaluate(*assertion).is_false()
        })
    }

    /// The formula that the lengths of kept variables are those of words of their languages.
    fn formula(
        &mut self,
        aligned: &Aligned,
        languages: &[Language],
        keeps: &[bool],
        budget: &Budget,
    ) -> Result<Id, UnknownReason> {
        let arena = &mut self.abstraction.arena;
        while self.lengths.len() < aligned.variables as usize {
            self.lengths.push(arena.fresh_int("len"));
        }
        let mut parts = Vec::new();
        let mut is_replaced = vec![false; aligned.variables as usize];
        for (variable, word) in &aligned.replaced {
            is_replaced[*variable as usize] = true;
            if !keeps[*variable as usize] {
                continue;
            }
            let letters = word.iter().filter(|one| matches!(one, Symbol::Letter(_))).count();
            let mut sum = vec![arena.int(letters)];
            for symbol in word {
                if let Symbol::Variable(part) = *symbol {
                    sum.push(self.lengths[part as usize]);
                }
            }
            let sum = arena.add(&sum);
            parts.push(arena.eq(self.lengths[*variable as usize], sum));
        }
        for (variable, &language) in languages.iter().enumerate() {
            if keeps[variable] && !is_replaced[variable] {
                let set = self.store.lengths(language, budget)?;
                self.is_incomplete |= !set.is_exact();
                parts.push(set.contains(arena, self.lengths[variable]));
            }
        }
        Ok(arena.and(&parts))
    }

    /// Lengths and numbers under a formula; `None` if there are none.
    fn choose(
        &mut self,
        formula: Id,
        aligned: &Aligned,
        literals: &Literals,
        budget: &Budget,
    ) -> Result<Option<Chosen>, UnknownReason> {
        let Some(solver) = &mut self.solver else { return Ok(Some(Chosen::default())) };
        let mut assumptions = Vec::new();
        for &(atom, holds) in literals {
            if let Some(id) = self.abstraction.of(atom) {
                let arena = &mut self.abstraction.arena;
                assumptions.push(if holds { id } else { arena.not(id) });
            }
        }
        let arena = &mut self.abstraction.arena;
        let facts = assumptions.len();
        let most = arena.int(budget.limit(Limit::NoodlesLength));
        let kept = self.lengths[..aligned.variables as usize].iter();
        assumptions.extend(kept.map(|&length| arena.le(length, most)));
        solver.push()?;
        solver.assert(arena, formula)?;
        let answer = solver.check(arena, &assumptions, budget)?;
        let chosen = match answer {
            Answer::Sat => {
                let count = aligned.variables as usize;
                let mut queried = self.lengths[..count].to_vec();
                queried.extend(self.numerals.iter().map(|&(_, _, id)| id));
                let numbers = queried.len();
                queried.extend(self.abstraction.scalars.iter().map(|&(_, id)| id));
                let values = solver.values(arena, &queried)?;
                let length =
                    |(number, value): (usize, &Number)| Some((number as u32, value.as_usize()?));
                Some(Chosen {
                    lengths: values[..count].iter().enumerate().filter_map(length).collect(),
                    numerals: values[count..numbers].to_vec(),
                    scalars: model_of(&self.abstraction.scalars, &values[numbers..]),
                })
            }
            Answer::Unsat(core) => {
                if core.iter().any(|one| assumptions[facts..].contains(one)) {
                    budget.limits().hit(Limit::NoodlesLength);
                    self.is_incomplete = true;
                }
                None
            }
            Answer::Unknown(_) => {
                self.is_incomplete = true;
                None
            }
        };
        solver.pop()?;
        Ok(chosen)
    }

    /// A model with words of the languages at a leaf of splits in which each variable has one.
    fn models(
        &mut self,
        mut splits: Splits,
        aligned: &Aligned,
        keeps: &[bool],
        literals: &Literals,
        budget: &Budget,
    ) -> Result<Option<Model>, UnknownReason> {
        while let Some(leaf) = splits.next(&mut self.store, budget)? {
            let formula = self.formula(aligned, &leaf, keeps, budget)?;
            let Some(chosen) = self.choose(formula, aligned, literals, budget)? else { continue };
            for variant in 0..VARIANTS {
                let values = self.values(aligned, &leaf, keeps, &chosen, variant, budget)?;
                let Some(values) = values else { break };
                if let Some(model) = self.checked_model(&chosen.scalars, &values, budget) {
                    return Ok(Some(model));
                }
                self.rejected += 1;
                if budget.limits().exceeds(Limit::NoodlesModels, self.rejected) {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    /// Words of the languages with the chosen lengths, for all variables; `None` if one is too long.
    fn values(
        &mut self,
        aligned: &Aligned,
        languages: &[Language],
        keeps: &[bool],
        chosen: &Chosen,
        variant: u32,
        budget: &Budget,
    ) -> Result<Option<Vec<Vec<u32>>>, UnknownReason> {
        let mut values: Vec<Vec<u32>> = vec![Vec::new(); aligned.variables as usize];
        let replaced: FxHashSet<u32> = aligned.replaced.iter().map(|&(one, _)| one).collect();
        for (variable, &language) in languages.iter().enumerate() {
            let number = variable as u32;
            if replaced.contains(&number) {
                continue;
            }
            let automaton = Rc::clone(self.store.automaton(language));
            let length = match chosen.lengths.get(&number) {
                Some(&length) if keeps[variable] => Some(length),
                _ => self.store.lengths(language, budget)?.nth((variant * number % 3) as usize),
            };
            let Some(length) = length else { return Ok(None) };
            let digits = self.numerals.iter().zip(&chosen.numerals);
            let mut digits = digits.filter(|((of, ..), _)| *of == number);
            let digits = digits.find_map(|(&(_, op, _), value)| written(op, value, length));
            values[variable] = match digits.filter(|word| automaton.accepts(word.iter().copied())) {
                Some(word) => word,
                // Variables with the same language get different words.
                None => {
                    match varied_word_of_length(&automaton, length, variant * (number + 1), budget)?
                    {
                        Some(word) => word,
                        None => return Ok(None),
                    }
                }
            };
        }
        let longest = budget.limit(Limit::NoodlesLength);
        for (variable, word) in aligned.replaced.iter().rev() {
            let mut value = Vec::new();
            for symbol in word {
                match *symbol {
                    Symbol::Letter(letter) => value.push(letter),
                    Symbol::Variable(part) => value.extend_from_slice(&values[part as usize]),
                }
            }
            if value.len() > longest {
                return Ok(None);
            }
            values[*variable as usize] = value;
        }
        Ok(Some(values))
    }

    /// The model with these strings, if the referee accepts it.
    fn checked_model(
        &self,
        scalars: &Model,
        values: &[Vec<u32>],
        budget: &Budget,
    ) -> Option<Model> {
        let pool = &self.problem.pool;
        let mut model = Model::new();
        for &function in &self.declared {
            let value = Value::default_of(pool.function(function).result);
            model.insert_value(function, value);
        }
        for &(function, _) in &self.abstraction.scalars {
            if self.declared.contains(&function)
                && let Some(interpretation) = scalars.get(function)
            {
                model.insert(function, interpretation.clone());
            }
        }
        for &(function, number) in &self.functions {
            let text = SmtString::from_codes(values[number as usize].iter().copied())?;
            model.insert_value(function, Value::String(text));
        }
        let mut evaluator = Evaluator::with_limits(pool, &model, budget.evaluation_limits());
        let mut assertions = self.problem.assertions.iter();
        assertions.all(|&one| evaluator.evaluate(one).is_true()).then_some(model)
    }

    /// Fewer literals of a refuted cube that are contradictory without arithmetic, found by
    /// deletion; all of them if lengths are needed or the time is short.
    pub fn core(&mut self, literals: Literals, budget: &Budget) -> Result<Literals, UnknownReason> {
        let short = budget.left().map_or(budget.clone(), |left| budget.at_most(left / 20));
        let mut core = literals;
        match self.is_refuted(&core, &short) {
            Ok(true) => {}
            Ok(false) | Err(UnknownReason::Timeout) => return Ok(core),
            Err(reason) => return Err(reason),
        }
        let mut size = core.len().div_ceil(2);
        while size > 0 {
            let mut start = 0;
            while start < core.len() {
                let end = (start + size).min(core.len());
                let fewer = [&core[..start], &core[end..]].concat();
                match self.is_refuted(&fewer, &short) {
                    Ok(true) => core = fewer,
                    Ok(false) => start = end,
                    Err(UnknownReason::Timeout) => return Ok(core),
                    Err(reason) => return Err(reason),
                }
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        Ok(core)
    }

    /// Whether a cube has no leaf, whatever the lengths are.
    fn is_refuted(&mut self, literals: &Literals, budget: &Budget) -> Result<bool, UnknownReason> {
        let Some(mut alignments) = self.alignments(literals, budget)? else { return Ok(true) };
        while let Some(aligned) = alignments.next(&self.store, budget)? {
            let Some((languages, memberships)) = self.system(&aligned, budget)? else { continue };
            // Disequalities need the languages of their variables.
            let differs = |variable: u32| {
                let symbol = Symbol::Variable(variable);
                let mut pairs = aligned.disequalities.iter();
                pairs.any(|(one, other)| one.contains(&symbol) || other.contains(&symbol))
            };
            let mut splits = Splits::new(memberships, languages, differs, &self.store);
            while let Some(leaf) = splits.next(&mut self.store, budget)? {
                if !self.has_equal_words(&aligned, &leaf)
                    && !self.is_false_for_values(&aligned, &leaf, budget)
                {
                    return Ok(false);
                }
            }
            if splits.is_incomplete {
                return Ok(false);
            }
        }
        Ok(!alignments.is_incomplete)
    }
}

/// The digits of a number with leading zeros up to a length, or the letter of a code.
fn written(op: Op, value: &Number, length: usize) -> Option<Vec<u32>> {
    let number = value.as_int()?;
    if op == Op::StrToCode {
        return (length == 1).then_some(vec![value.as_usize()? as u32]);
    }
    let digits = words::decimal(number)?;
    let zeros = length.checked_sub(digits.len())?;
    let digits = digits.iter().map(|digit| digit.code());
    Some(std::iter::repeat_n(0x30, zeros).chain(digits).collect())
}

/// The assertions whose only constants are strings with a number, with these numbers. Memberships of
/// one constant are decided by its language.
fn determined(problem: &Problem, functions: &[(FunctionId, u32)]) -> Vec<(TermId, Vec<u32>)> {
    let pool = &problem.pool;
    let numbers: FxHashMap<FunctionId, u32> = functions.iter().copied().collect();
    let mut found = Vec::new();
    for &assertion in &problem.assertions {
        let atom = match pool.term(assertion) {
            Term::Op(Op::Not, &[atom]) => atom,
            _ => assertion,
        };
        let is_simple = matches!(pool.term(atom), Term::Op(Op::StrInRe, &[text, language])
            if matches!(pool.term(text), Term::Apply(..))
                && Regexes::new().of_term(pool, language).is_some());
        if is_simple {
            continue;
        }
        let constant = |term| match pool.term(term) {
            Term::Apply(function, []) => Some(numbers.get(&function).copied()),
            Term::Apply(..) | Term::Quantifier(_) | Term::Variable(_) => Some(None),
            _ => None,
        };
        let constants: Option<Vec<u32>> =
            PostOrder::new(pool, [assertion]).filter_map(constant).collect();
        found.extend(constants.map(|constants| (assertion, constants)));
    }
    found
}

/// Adds that lengths are not negative, and what string atoms imply about lengths.
fn length_facts(reduced: &Problem, abstraction: &mut LengthAbstraction) {
    let zero = abstraction.arena.int(0);
    for &length in &abstraction.lengths {
        let fact = abstraction.arena.ge(length, zero);
        abstraction.formulas.push(fact);
    }
    for term in PostOrder::new(&reduced.pool, reduced.assertions.iter().copied()) {
        let Term::Op(op, &[left, right]) = reduced.pool.term(term) else { continue };
        if reduced.pool.sort(left) != Sort::String || reduced.pool.sort(right) != Sort::String {
            continue;
        }
        let (Some(atom), Some(one), Some(other)) =
            (abstraction.of(term), abstraction.of(left), abstraction.of(right))
        else {
            continue;
        };
        let arena = &mut abstraction.arena;
        let consequence = match op {
            Op::Eq => arena.eq(one, other),
            Op::StrContains => arena.ge(one, other),
            Op::StrPrefixOf | Op::StrSuffixOf => arena.le(one, other),
            _ => continue,
        };
        let fact = arena.implies(atom, consequence);
        abstraction.formulas.push(fact);
    }
}
