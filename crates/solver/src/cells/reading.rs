//! String terms as rows of cells, and which row lies inside of which.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::apart::Apart;
use crate::arithmetic::Id;
use crate::automata::{Regex, Regexes};
use crate::conditions::Conditions;
use crate::{Budget, Problem};

/// A string: as many cells as it is long, with one letter each.
pub struct Row {
    /// Its length.
    pub length: Id,
    /// Its letters, if it is a literal.
    pub literal: Option<Vec<u32>>,
    /// The constant that it is, if it is one.
    pub constant: Option<FunctionId>,
}

/// The cells of one row are cells of another one.
pub struct Inside {
    /// The row inside.
    pub part: usize,
    /// The row around it.
    pub whole: usize,
    /// Where the part begins in the whole.
    pub offset: Id,
    /// Under which condition.
    pub premise: Option<Id>,
    /// Whether they are equal then.
    pub is_all: bool,
}

/// A row whose word is in a language, or not.
pub struct Membership {
    /// The row.
    pub row: usize,
    /// The language.
    pub regex: Regex,
    /// Whether it is in it.
    pub holds: Id,
}

/// A problem as rows of cells.
pub struct Reading {
    /// What is said about lengths, numbers and truth values. Every formula follows from the
    /// problem, with values of the right kind for constants that it does not have.
    pub conditions: Conditions,
    /// The rows.
    pub rows: Vec<Row>,
    /// Which lies inside of which.
    pub insides: Vec<Inside>,
    /// Which does not.
    pub aparts: Vec<Apart>,
    /// Memberships in languages without constants.
    pub memberships: Vec<Membership>,
    /// The owner of the languages.
    pub regexes: Regexes,
    /// The letters of all literals.
    pub letters: FxHashSet<u32>,
    numbers: FxHashMap<TermId, usize>,
    occurrences: FxHashMap<(usize, usize), First>,
}

/// Whether a row occurs in another one, and where first.
#[derive(Clone, Copy)]
struct First {
    found: Id,
    place: Id,
}

impl Reading {
    /// Reads a problem that the engine accepts; `None` if the budget is used up.
    pub fn new(problem: &Problem, budget: &Budget) -> Option<Self> {
        let pool = &problem.pool;
        let mut constants = FxHashMap::default();
        let mut letters = FxHashSet::default();
        for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
            match (pool.term(term), pool.sort(term)) {
                (Term::Apply(_, []), Sort::String) => {
                    constants.insert(term, constants.len() as u32);
                }
                (Term::String(text), _) => letters.extend(text.iter().map(|one| one.code())),
                _ => {}
            }
        }
        let mut reading = Self {
            conditions: Conditions::new(pool, &constants, &problem.assertions, budget),
            rows: Vec::new(),
            insides: Vec::new(),
            aparts: Vec::new(),
            memberships: Vec::new(),
            regexes: Regexes::new(),
            letters,
            numbers: FxHashMap::default(),
            occurrences: FxHashMap::default(),
        };
        for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
            budget.check().ok()?;
            if let Term::Op(op, children) = pool.term(term) {
                reading.operator(pool, term, op, children)?;
            } else if constants.contains_key(&term) {
                reading.row(pool, term)?;
            }
        }
        Some(reading)
    }

    /// Whether an operator relates letters of two strings, so that one row lies inside of another.
    pub fn relates_letters(pool: &TermPool, term: TermId) -> bool {
        let Term::Op(op, children) = pool.term(term) else { return false };
        let is_string = |&term: &TermId| pool.sort(term) == Sort::String;
        match op {
            Op::StrConcat
            | Op::StrSubstr
            | Op::StrAt
            | Op::StrPrefixOf
            | Op::StrSuffixOf
            | Op::StrContains
            | Op::StrIndexOf
            | Op::StrReplace => true,
            Op::Ite => is_string(&term),
            Op::Eq => children.iter().all(is_string),
            _ => false,
        }
    }

    /// The row of a string term.
    fn row(&mut self, pool: &TermPool, term: TermId) -> Option<usize> {
        if let Some(&number) = self.numbers.get(&term) {
            return Some(number);
        }
        let constant = match pool.term(term) {
            Term::Apply(function, []) => Some(function),
            _ => None,
        };
        let literal = pool.as_string(term).map(|text| text.iter().map(|one| one.code()).collect());
        let number = self.add_row(self.conditions.of(term)?);
        self.rows[number].literal = literal;
        self.rows[number].constant = constant;
        self.numbers.insert(term, number);
        Some(number)
    }

    /// A row of a length, which is not negative.
    fn add_row(&mut self, length: Id) -> usize {
        let arena = &mut self.conditions.arena;
        let zero = arena.int(0);
        let natural = arena.ge(length, zero);
        self.conditions.formulas.push(natural);
        self.rows.push(Row { length, literal: None, constant: None });
        self.rows.len() - 1
    }

    /// What an operator says about the cells of its arguments and of its value.
    fn operator(
        &mut self,
        pool: &TermPool,
        term: TermId,
        op: Op,
        children: &[TermId],
    ) -> Option<()> {
        let is_about_strings = |&child: &TermId| pool.sort(child) == Sort::String;
        match (op, children) {
            (Op::StrConcat, parts) => {
                let whole = self.row(pool, term)?;
                let mut offset = self.conditions.arena.int(0);
                for &part in parts {
                    let part = self.row(pool, part)?;
                    self.inside(part, whole, offset, None);
                    offset = self.conditions.arena.add(&[offset, self.rows[part].length]);
                }
            }
            (Op::Ite, &[condition, then, other]) if pool.sort(term) == Sort::String => {
                let whole = self.row(pool, term)?;
                let holds = self.conditions.of(condition)?;
                let fails = self.conditions.arena.not(holds);
                for (part, premise) in [(then, holds), (other, fails)] {
                    let part = self.row(pool, part)?;
                    self.equal(part, whole, premise);
                }
            }
            (Op::StrSubstr, &[text, from, count]) => {
                let (from, count) = (self.conditions.of(from)?, self.conditions.of(count)?);
                self.piece(pool, term, text, from, count)?;
            }
            (Op::StrAt, &[text, from]) => {
                let (from, one) = (self.conditions.of(from)?, self.conditions.arena.int(1));
                self.piece(pool, term, text, from, one)?;
            }
            (Op::Eq, sides) if sides.iter().all(is_about_strings) => {
                let holds = self.conditions.of(term)?;
                for pair in sides.windows(2) {
                    let (left, right) = (self.row(pool, pair[0])?, self.row(pool, pair[1])?);
                    self.equal(left, right, holds);
                }
                if let &[left, right] = sides {
                    let (left, right) = (self.row(pool, left)?, self.row(pool, right)?);
                    self.different(left, right, holds);
                }
            }
            (Op::StrPrefixOf, &[part, whole]) => {
                let start = self.conditions.arena.int(0);
                let (part, whole) = (self.row(pool, part)?, self.row(pool, whole)?);
                self.stands(part, whole, start, self.conditions.of(term)?);
            }
            (Op::StrSuffixOf, &[part, whole]) => {
                let (part, whole) = (self.row(pool, part)?, self.row(pool, whole)?);
                let (short, long) = (self.rows[part].length, self.rows[whole].length);
                let start = self.conditions.arena.sub(long, short);
                self.stands(part, whole, start, self.conditions.of(term)?);
            }
            (Op::StrContains, &[whole, part]) => {
                let (part, whole) = (self.row(pool, part)?, self.row(pool, whole)?);
                let First { found, .. } = self.first(part, whole);
                let holds = self.conditions.of(term)?;
                let same = self.conditions.arena.iff(holds, found);
                self.conditions.formulas.push(same);
            }
            (Op::StrIndexOf, &[whole, part, from]) => {
                let (part, whole) = (self.row(pool, part)?, self.row(pool, whole)?);
                let (place, from) = (self.conditions.of(term)?, self.conditions.of(from)?);
                let arena = &mut self.conditions.arena;
                let (zero, none) = (arena.int(0), arena.int(-1));
                let found = arena.ge(place, zero);
                let (range, natural) = (arena.ge(place, none), arena.ge(from, zero));
                let behind = arena.ge(place, from);
                let behind = arena.and(&[natural, behind]);
                let behind = arena.implies(found, behind);
                let none = arena.not(found);
                let none = arena.and(&[none, natural]);
                self.conditions.formulas.extend([range, behind]);
                self.occurrence(part, whole, place, found);
                if from != zero {
                    let end = self.behind(whole);
                    self.apart(part, whole, found, from, place);
                    self.apart(part, whole, none, from, end);
                } else {
                    let first = self.first(part, whole);
                    let arena = &mut self.conditions.arena;
                    let place = arena.eq(place, first.place);
                    let place = arena.implies(found, place);
                    let found = arena.iff(found, first.found);
                    self.conditions.formulas.extend([found, place]);
                }
            }
            (Op::StrReplace, &[text, old, new]) => {
                let rows = [term, text, old, new].map(|one| self.row(pool, one));
                let [result, text, old, new] = rows;
                self.replacement(result?, text?, old?, new?);
            }
            (Op::StrInRe, &[text, regex]) => {
                let Some(regex) = self.regexes.of_term(pool, regex) else { return Some(()) };
                let (row, holds) = (self.row(pool, text)?, self.conditions.of(term)?);
                self.memberships.push(Membership { row, regex, holds });
            }
            _ if pool.sort(term) == Sort::String => drop(self.row(pool, term)?),
            _ => {}
        }
        Some(())
    }

    /// `str.substr`: its length follows from its arguments.
    fn piece(
        &mut self,
        pool: &TermPool,
        term: TermId,
        text: TermId,
        from: Id,
        count: Id,
    ) -> Option<()> {
        let (part, whole) = (self.row(pool, term)?, self.row(pool, text)?);
        let (short, long) = (self.rows[part].length, self.rows[whole].length);
        let arena = &mut self.conditions.arena;
        let zero = arena.int(0);
        let cases = [arena.ge(from, zero), arena.lt(from, long), arena.gt(count, zero)];
        let inside = arena.and(&cases);
        let rest = arena.sub(long, from);
        let enough = arena.le(count, rest);
        let seen = arena.ite(enough, count, rest);
        let expected = arena.ite(inside, seen, zero);
        let fact = arena.eq(short, expected);
        self.conditions.formulas.push(fact);
        self.inside(part, whole, from, None);
        Some(())
    }

    /// The first occurrence of a row in another one, the same for all operators.
    fn first(&mut self, part: usize, whole: usize) -> First {
        if let Some(&known) = self.occurrences.get(&(part, whole)) {
            return known;
        }
        let arena = &mut self.conditions.arena;
        let first = First { found: arena.fresh_bool("found"), place: arena.fresh_int("place") };
        // Nothing occurs everywhere.
        let zero = arena.int(0);
        let nonempty = arena.gt(self.rows[part].length, zero);
        let occurs = arena.or(&[first.found, nonempty]);
        self.conditions.formulas.push(occurs);
        let absent = arena.not(first.found);
        self.occurrence(part, whole, first.place, first.found);
        let end = self.behind(whole);
        self.apart(part, whole, first.found, zero, first.place);
        self.apart(part, whole, absent, zero, end);
        self.occurrences.insert((part, whole), first);
        first
    }

    /// `str.replace`: what stands before the occurrence and what stands behind it is kept.
    fn replacement(&mut self, result: usize, text: usize, old: usize, new: usize) {
        let [whole, long, short, other] = [result, text, old, new].map(|row| self.rows[row].length);
        let First { found, place } = self.first(old, text);
        let arena = &mut self.conditions.arena;
        let (zero, behind) = (arena.int(0), arena.add(&[place, short]));
        let rest = arena.sub(long, behind);
        let sum = arena.add(&[place, other, rest]);
        let same = arena.eq(whole, sum);
        let replaced = arena.implies(found, same);
        let absent = arena.not(found);
        let (before, after) = (arena.ite(found, place, zero), arena.ite(found, rest, zero));
        let to = arena.add(&[place, other]);
        self.conditions.formulas.push(replaced);
        self.equal(text, result, absent);
        self.occurrence(new, result, place, found);
        let (before, after) = (self.add_row(before), self.add_row(after));
        self.inside(before, text, zero, Some(found));
        self.inside(before, result, zero, Some(found));
        self.inside(after, text, behind, Some(found));
        self.inside(after, result, to, Some(found));
    }

    fn equal(&mut self, left: usize, right: usize, premise: Id) {
        let (one, two) = (self.rows[left].length, self.rows[right].length);
        let arena = &mut self.conditions.arena;
        let (offset, same) = (arena.int(0), arena.eq(one, two));
        let fact = arena.implies(premise, same);
        self.conditions.formulas.push(fact);
        let premise = Some(premise);
        self.insides.push(Inside { part: left, whole: right, offset, premise, is_all: true });
    }

    /// Under a premise, a row stands in another one.
    fn occurrence(&mut self, part: usize, whole: usize, offset: Id, premise: Id) {
        let (short, long) = (self.rows[part].length, self.rows[whole].length);
        let arena = &mut self.conditions.arena;
        let zero = arena.int(0);
        let end = arena.add(&[offset, short]);
        let (after, before) = (arena.ge(offset, zero), arena.le(end, long));
        let fits = arena.and(&[after, before]);
        let fact = arena.implies(premise, fits);
        self.conditions.formulas.push(fact);
        self.inside(part, whole, offset, Some(premise));
    }

    /// A row stands in another one at a place if a formula holds, and only then.
    fn stands(&mut self, part: usize, whole: usize, offset: Id, holds: Id) {
        self.occurrence(part, whole, offset, holds);
        let arena = &mut self.conditions.arena;
        let (fails, one) = (arena.not(holds), arena.int(1));
        let next = arena.add(&[offset, one]);
        self.apart(part, whole, fails, offset, next);
    }

    /// Rows that are equal only if a formula holds.
    fn different(&mut self, left: usize, right: usize, holds: Id) {
        let (short, long) = (self.rows[left].length, self.rows[right].length);
        let arena = &mut self.conditions.arena;
        let (fails, same) = (arena.not(holds), arena.eq(short, long));
        let (premise, zero, one) = (arena.and(&[fails, same]), arena.int(0), arena.int(1));
        self.apart(left, right, premise, zero, one);
    }

    /// The first place behind all places of a row, its end included.
    fn behind(&mut self, row: usize) -> Id {
        let arena = &mut self.conditions.arena;
        let one = arena.int(1);
        arena.add(&[self.rows[row].length, one])
    }

    fn apart(&mut self, part: usize, whole: usize, premise: Id, from: Id, before: Id) {
        self.aparts.push(Apart { part, whole, premise, from, before });
    }

    fn inside(&mut self, part: usize, whole: usize, offset: Id, premise: Option<Id>) {
        self.insides.push(Inside { part, whole, offset, premise, is_all: false });
    }
}
