//! Transformation steps that preserve the unsatisfiability of a set of clauses.
//!
//! A clause may be replaced by an equivalent formula (rewriting by an equation of the library, or a
//! tautological connective around it); a subterm may be replaced by a new constant that a further
//! clause defines; a clause may be split by a case distinction; redundant assertions may be added.
//! Steps that would make an assertion too large are skipped.

use luthier_semantics::Value;
use luthier_terms::{BasicSort, Op, Sort, Term, TermId};

use super::library::{LawLibrary, Rule};
use super::occurrences::Occurrences;
use super::refutation::{Clause, Refutation};

/// The largest size of a law whose instance is used as a true or false formula.
const SMALL: usize = 14;

impl Refutation {
    /// One random step. It may have no effect.
    pub fn step(&mut self) {
        match self.dice().below(16) {
            0..=4 => self.rewrite_clause(),
            5..=8 => self.name_term(),
            9 | 10 => self.name_literal(),
            11 | 12 => self.wrap_clause(),
            13 => self.split_into_cases(),
            14 => self.add_law_instance(),
            _ => self.add_fact(),
        };
    }

    /// Rewrites a clause by an equation at a random position.
    fn rewrite_clause(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let (term, how) = self.rewritten(self.core[number].term)?;
        self.change(number, term, how)
    }

    /// Replaces a subterm of a clause by a new constant, which a new clause defines, perhaps by an equal
    /// term.
    fn name_term(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let clause = self.core[number].term;
        let positions = Occurrences::new(&self.generator.pool, clause, 200);
        let position = self.some_position(&positions, |refutation, term| {
            let pool = &refutation.generator.pool;
            let nullary = pool.children(term).is_empty();
            !nullary && pool.sort(term) != Sort::RegLan && term != clause
        })?;
        let old = positions.term(position);
        let mut definition = old;
        let mut how = String::new();
        if self.dice().percent(50)
            && let Some((other, by)) = self.rewritten(old)
            && self.size(other) <= self.settings.size
        {
            (definition, how) = (other, format!(", where {by}"));
        }
        let constant = self.define(definition)?;
        let mut term = positions.replaced(&mut self.generator.pool, position, constant);
        if self.dice().percent(50) {
            term = self.replaced_everywhere(term, old, constant);
        }
        let text = format!("{} stands for {}{how}", self.text(constant), self.text(old));
        self.change(number, term, text)
    }

    /// Replaces a literal by a new constant, which a new clause defines by a ground term with the same value.
    fn name_literal(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let positions = Occurrences::new(&self.generator.pool, self.core[number].term, 200);
        let position = self.some_position(&positions, |refutation, term| {
            match refutation.generator.pool.term(term) {
                Term::String(_) | Term::Integer(_) | Term::Op(Op::True | Op::False, _) => true,
                Term::Op(Op::Neg, _) => refutation.generator.pool.as_integer(term).is_some(),
                _ => false,
            }
        })?;
        let old = positions.term(position);
        let value = self.generator.value_of(old)?;
        let written = self.ground_term(&value)?;
        let written = self.with_named_literal(written);
        let constant = self.define(written)?;
        let term = positions.replaced(&mut self.generator.pool, position, constant);
        let text = format!("{} stands for {}", self.text(constant), self.text(old));
        self.change(number, term, text)
    }

    /// Replaces a clause by an equivalent formula with a connective around it.
    fn wrap_clause(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let clause = self.core[number].term;
        let turned = self.dice().percent(50);
        let pair = |one, two| if turned { [two, one] } else { [one, two] };
        let (term, how) = match self.dice().below(12) {
            0 => {
                let inner = self.op(Op::Not, &[clause]);
                (self.op(Op::Not, &[inner]), "a clause is negated twice".into())
            }
            1 | 2 => {
                let (false_formula, why) = self.false_formula()?;
                (
                    self.op(Op::Or, &pair(clause, false_formula)),
                    format!("or something false: {why}"),
                )
            }
            3 => {
                let (false_formula, why) = self.false_formula()?;
                (
                    self.op(Op::Xor, &pair(clause, false_formula)),
                    format!("xor something false: {why}"),
                )
            }
            4 => {
                let (truth, why) = self.law_instance()?;
                (self.op(Op::Eq, &pair(clause, truth)), format!("equal to something true: {why}"))
            }
            5 => {
                let (truth, why) = self.law_instance()?;
                (self.op(Op::Implies, &[truth, clause]), format!("under a true premise: {why}"))
            }
            6 => {
                let (false_formula, why) = self.false_formula()?;
                let implies = self.op(Op::Implies, &[clause, false_formula]);
                (self.op(Op::Not, &[implies]), format!("a clause implies nothing false: {why}"))
            }
            7 | 8 => {
                let condition = self.argument(BasicSort::Bool, 2);
                let other = self.rewritten(clause);
                let why = other.as_ref().map_or_else(String::new, |(_, how)| format!(": {how}"));
                let other = other.map_or(clause, |(term, _)| term);
                let [one, two] = pair(clause, other);
                (self.op(Op::Ite, &[condition, one, two]), format!("in both cases{why}"))
            }
            9 => {
                let (truth, why) = self.law_instance()?;
                let other = self.argument(BasicSort::Bool, 1);
                (self.op(Op::Ite, &[truth, clause, other]), format!("in a true case: {why}"))
            }
            10 => {
                let (false_formula, why) = self.false_formula()?;
                let other = self.argument(BasicSort::Bool, 1);
                (
                    self.op(Op::Ite, &[false_formula, other, clause]),
                    format!("not in a false case: {why}"),
                )
            }
            _ => {
                let other = self.argument(BasicSort::Bool, 1);
                let opposite = self.op(Op::Not, &[other]);
                let one = self.op(Op::Or, &[clause, other]);
                let two = self.op(Op::Or, &[opposite, clause]);
                (self.op(Op::And, &pair(one, two)), "a clause whatever another formula is".into())
            }
        };
        self.change(number, term, how)
    }

    /// Splits a clause `C` into `p ⇒ C` and `¬p ⇒ C`, or with `∨`.
    fn split_into_cases(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let Clause { term, defines: None } = self.core[number] else { return None };
        let case = if self.dice().percent(60) {
            let value = self.dice().percent(50);
            self.constant(Value::Bool(value))
        } else {
            self.argument(BasicSort::Bool, 2)
        };
        let opposite = self.op(Op::Not, &[case]);
        let arrow = self.dice().percent(40);
        let op = if arrow { Op::Implies } else { Op::Or };
        let one = self.op(op, &[case, term]);
        let two = self.op(op, &[opposite, term]);
        if self.size(one) > self.settings.size {
            return None;
        }
        self.core[number].term = one;
        self.add(two);
        let text = format!("a clause is split by {}", self.text(case));
        self.derivation.push(text);
        Some(())
    }

    /// Adds a redundant assertion: an instance of another law.
    fn add_law_instance(&mut self) -> Option<()> {
        let (truth, why) = self.law_instance()?;
        self.redundant.push(truth);
        self.derivation.push(format!("redundant: {why}"));
        Some(())
    }

    /// Adds a redundant assertion that is true under the example values.
    fn add_fact(&mut self) -> Option<()> {
        if self.dice().percent(40) {
            let sort = self.dice().pick(&[BasicSort::String, BasicSort::Int]);
            self.some_constant(sort);
        }
        let term = self.argument(BasicSort::Bool, 2);
        let fact = match self.generator.value_of(term)? {
            Value::Bool(true) => term,
            _ => self.not(term),
        };
        if self.generator.pool.children(term).is_empty() {
            return None;
        }
        self.redundant.push(fact);
        self.derivation.push(format!("redundant: {}", self.text(fact)));
        Some(())
    }

    /// An instance of a small law, and its name.
    fn law_instance(&mut self) -> Option<(TermId, String)> {
        let law = LawLibrary::get().small_law(self.dice(), SMALL)?;
        let arguments: Vec<TermId> =
            law.parameters.iter().map(|&(_, sort)| self.argument(sort, 1)).collect();
        let truth = law.whole.instance(self.pool(), &arguments);
        Some((truth, format!("{} ({})", self.text(truth), law.name)))
    }

    fn false_formula(&mut self) -> Option<(TermId, String)> {
        let (truth, why) = self.law_instance()?;
        Some((self.not(truth), format!("not {why}")))
    }

    fn some_clause(&mut self) -> Option<usize> {
        let count = self.core.len();
        (count > 0).then(|| self.dice().below(count))
    }

    /// Replaces a clause, unless the new term is too large.
    fn change(&mut self, number: usize, term: TermId, how: String) -> Option<()> {
        if self.size(term) > self.settings.size {
            return None;
        }
        self.core[number].term = term;
        self.derivation.push(how);
        Some(())
    }

    /// A random position with a suitable subterm.
    fn some_position(
        &mut self,
        positions: &Occurrences,
        suits: impl Fn(&Self, TermId) -> bool,
    ) -> Option<usize> {
        let start = self.dice().below(positions.len());
        (0..positions.len())
            .map(|number| (start + number) % positions.len())
            .find(|&position| suits(self, positions.term(position)))
    }

    fn replaced_everywhere(&mut self, term: TermId, old: TermId, by: TermId) -> TermId {
        let mut term = term;
        for _ in 0..4 {
            let positions = Occurrences::new(&self.generator.pool, term, 200);
            let Some(position) =
                (0..positions.len()).find(|&position| positions.term(position) == old)
            else {
                break;
            };
            term = positions.replaced(&mut self.generator.pool, position, by);
        }
        term
    }

    /// An equal term by an equation at a random position, and a description.
    pub fn rewritten(&mut self, term: TermId) -> Option<(TermId, String)> {
        let positions = Occurrences::new(&self.generator.pool, term, 200);
        for _ in 0..6 {
            let position = self.dice().below(positions.len());
            let old = positions.term(position);
            let Some((new, rule)) = self.rewritten_root(old) else { continue };
            let whole = positions.replaced(&mut self.generator.pool, position, new);
            if new == old || self.size(whole) > self.settings.size {
                continue;
            }
            let law = format!("{}, {}", rule.law.name, rule.law.statement);
            let text = format!("{} becomes {} ({law})", self.text(old), self.text(new));
            return Some((whole, text));
        }
        None
    }

    /// An equal term by an equation one side of which matches the term.
    fn rewritten_root(&mut self, term: TermId) -> Option<(TermId, Rule)> {
        let anything = self.dice().percent(15);
        let head = match self.generator.pool.term(term) {
            Term::Op(op, _) if !anything => Some(op),
            _ => None,
        };
        let mut rules = LawLibrary::get().rules(head);
        let count = rules.len();
        let start = self.dice().below(count);
        let mut arguments = Vec::new();
        let pool = &self.generator.pool;
        let mut fits = |rule: &Rule| {
            arguments = vec![None; rule.law.parameters.len()];
            rule.from.matches(pool, term, &mut arguments)
        };
        // From a random rule to the end, then from the first.
        let rule = match rules.by_ref().skip(start).find(&mut fits) {
            Some(rule) => rule,
            None => LawLibrary::get().rules(head).take(start).find(&mut fits)?,
        };
        let arguments: Vec<TermId> = arguments
            .into_iter()
            .zip(&rule.law.parameters)
            .map(|(found, &(_, sort))| found.unwrap_or_else(|| self.argument(sort, 0)))
            .collect();
        Some((rule.to.instance(self.pool(), &arguments), rule))
    }
}
