//! Steps from an unsatisfiable set of clauses to another one.
//!
//! A clause may become another formula that is true in the same models; a term may get a name, if
//! a further clause says what the name stands for; a clause may be split into cases.

use luthier_semantics::Value;
use luthier_terms::{BasicSort, Op, Sort, Term, TermId};

use super::book::{Book, Rule};
use super::occurrences::Occurrences;
use super::refutation::{Clause, Refutation};

/// Formulas that only make others larger are not larger than this.
const SMALL: usize = 14;

impl Refutation {
    /// One random step. It may come to nothing.
    pub fn step(&mut self) {
        match self.dice().below(16) {
            0..=4 => self.rewrite_clause(),
            5..=8 => self.name_term(),
            9 | 10 => self.name_literal(),
            11 | 12 => self.wrap_clause(),
            13 => self.split_into_cases(),
            14 => self.add_truth(),
            _ => self.add_fact(),
        };
    }

    /// A clause becomes an equal one by an equation somewhere within it.
    fn rewrite_clause(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let (term, how) = self.rewritten(self.core[number].term)?;
        self.change(number, term, how)
    }

    /// A term within a clause gets a name, which a new clause defines, perhaps by an equal term.
    fn name_term(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let clause = self.core[number].term;
        let places = Occurrences::new(&self.generator.pool, clause, 200);
        let place = self.some_place(&places, |refutation, term| {
            let pool = &refutation.generator.pool;
            let nullary = pool.children(term).is_empty();
            !nullary && pool.sort(term) != Sort::RegLan && term != clause
        })?;
        let old = places.term(place);
        let mut definition = old;
        let mut how = String::new();
        if self.dice().percent(50)
            && let Some((other, by)) = self.rewritten(old)
            && self.size(other) <= self.settings.size
        {
            (definition, how) = (other, format!(", where {by}"));
        }
        let constant = self.define(definition)?;
        let mut term = places.replaced(&mut self.generator.pool, place, constant);
        if self.dice().percent(50) {
            term = self.replaced_everywhere(term, old, constant);
        }
        let text = format!("{} stands for {}{how}", self.text(constant), self.text(old));
        self.change(number, term, text)
    }

    /// A literal gets a name, which a new clause defines by a term that has its value.
    fn name_literal(&mut self) -> Option<()> {
        let number = self.some_clause()?;
        let places = Occurrences::new(&self.generator.pool, self.core[number].term, 200);
        let place = self.some_place(&places, |refutation, term| {
            match refutation.generator.pool.term(term) {
                Term::String(_) | Term::Integer(_) | Term::Op(Op::True | Op::False, _) => true,
                Term::Op(Op::Neg, _) => refutation.generator.pool.as_integer(term).is_some(),
                _ => false,
            }
        })?;
        let old = places.term(place);
        let value = self.generator.value_of(old)?;
        let written = self.written(&value)?;
        let written = self.with_named_literal(written);
        let constant = self.define(written)?;
        let term = places.replaced(&mut self.generator.pool, place, constant);
        let text = format!("{} stands for {}", self.text(constant), self.text(old));
        self.change(number, term, text)
    }

    /// A clause in a formula that is true exactly if the clause is.
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
                let (lie, why) = self.lie()?;
                (self.op(Op::Or, &pair(clause, lie)), format!("or something false: {why}"))
            }
            3 => {
                let (lie, why) = self.lie()?;
                (self.op(Op::Xor, &pair(clause, lie)), format!("xor something false: {why}"))
            }
            4 => {
                let (truth, why) = self.truth()?;
                (self.op(Op::Eq, &pair(clause, truth)), format!("equal to something true: {why}"))
            }
            5 => {
                let (truth, why) = self.truth()?;
                (self.op(Op::Implies, &[truth, clause]), format!("under a true premise: {why}"))
            }
            6 => {
                let (lie, why) = self.lie()?;
                let implies = self.op(Op::Implies, &[clause, lie]);
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
                let (truth, why) = self.truth()?;
                let other = self.argument(BasicSort::Bool, 1);
                (self.op(Op::Ite, &[truth, clause, other]), format!("in a true case: {why}"))
            }
            10 => {
                let (lie, why) = self.lie()?;
                let other = self.argument(BasicSort::Bool, 1);
                (self.op(Op::Ite, &[lie, other, clause]), format!("not in a false case: {why}"))
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

    /// A clause becomes two: it holds in a case, and in the opposite case.
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
        self.story.push(text);
        Some(())
    }

    /// A redundant assertion: what another law says.
    fn add_truth(&mut self) -> Option<()> {
        let (truth, why) = self.truth()?;
        self.redundant.push(truth);
        self.story.push(format!("redundant: {why}"));
        Some(())
    }

    /// A redundant assertion: what is true of the example values.
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
        self.story.push(format!("redundant: {}", self.text(fact)));
        Some(())
    }

    /// What a small law says of some arguments, and which it is.
    fn truth(&mut self) -> Option<(TermId, String)> {
        let law = Book::get().small_law(self.dice(), SMALL)?;
        let arguments: Vec<TermId> =
            law.parameters.iter().map(|&(_, sort)| self.argument(sort, 1)).collect();
        let truth = law.whole.instance(self.pool(), &arguments);
        Some((truth, format!("{} ({})", self.text(truth), law.name)))
    }

    fn lie(&mut self) -> Option<(TermId, String)> {
        let (truth, why) = self.truth()?;
        Some((self.not(truth), format!("not {why}")))
    }

    fn some_clause(&mut self) -> Option<usize> {
        let count = self.core.len();
        (count > 0).then(|| self.dice().below(count))
    }

    /// Puts another term in place of a clause, unless it is too large.
    fn change(&mut self, number: usize, term: TermId, how: String) -> Option<()> {
        if self.size(term) > self.settings.size {
            return None;
        }
        self.core[number].term = term;
        self.story.push(how);
        Some(())
    }

    /// A place whose term is suitable, if one is found soon.
    fn some_place(
        &mut self,
        places: &Occurrences,
        suits: impl Fn(&Self, TermId) -> bool,
    ) -> Option<usize> {
        let start = self.dice().below(places.len());
        (0..places.len())
            .map(|number| (start + number) % places.len())
            .find(|&place| suits(self, places.term(place)))
    }

    fn replaced_everywhere(&mut self, term: TermId, old: TermId, by: TermId) -> TermId {
        let mut term = term;
        for _ in 0..4 {
            let places = Occurrences::new(&self.generator.pool, term, 200);
            let Some(place) = (0..places.len()).find(|&place| places.term(place) == old) else {
                break;
            };
            term = places.replaced(&mut self.generator.pool, place, by);
        }
        term
    }

    /// An equal term by an equation at a random place, and by which.
    pub fn rewritten(&mut self, term: TermId) -> Option<(TermId, String)> {
        let places = Occurrences::new(&self.generator.pool, term, 200);
        for _ in 0..6 {
            let place = self.dice().below(places.len());
            let old = places.term(place);
            let Some((new, rule)) = self.rewritten_root(old) else { continue };
            let whole = places.replaced(&mut self.generator.pool, place, new);
            if new == old || self.size(whole) > self.settings.size {
                continue;
            }
            let law = format!("{}, {}", rule.law.name, rule.law.statement);
            let text = format!("{} becomes {} ({law})", self.text(old), self.text(new));
            return Some((whole, text));
        }
        None
    }

    /// An equal term by an equation one of whose sides the term is.
    fn rewritten_root(&mut self, term: TermId) -> Option<(TermId, Rule)> {
        let anything = self.dice().percent(15);
        let head = match self.generator.pool.term(term) {
            Term::Op(op, _) if !anything => Some(op),
            _ => None,
        };
        let mut rules = Book::get().rules(head);
        let count = rules.len();
        let start = self.dice().below(count);
        let mut arguments = Vec::new();
        let pool = &self.generator.pool;
        let mut fits = |rule: &Rule| {
            arguments = vec![None; rule.law.parameters.len()];
            rule.from.matches(pool, term, &mut arguments)
        };
        // From a random one to the end, then from the first.
        let rule = match rules.by_ref().skip(start).find(&mut fits) {
            Some(rule) => rule,
            None => Book::get().rules(head).take(start).find(&mut fits)?,
        };
        let arguments: Vec<TermId> = arguments
            .into_iter()
            .zip(&rule.law.parameters)
            .map(|(found, &(_, sort))| found.unwrap_or_else(|| self.argument(sort, 0)))
            .collect();
        Some((rule.to.instance(self.pool(), &arguments), rule))
    }
}
