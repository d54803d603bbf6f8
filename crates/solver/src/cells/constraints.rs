//! The constraints of the length-first engine: what a problem says about the positions of its
//! string terms.
//!
//! A string term is a word: a symbolic length and as many letter positions. Each operator becomes
//! arithmetic over lengths and offsets, plus two kinds of constraints on letters. An embedding says
//! that a word occurs in another at an offset (`x` in `x·y` at 0, `y` at `|x|`; both sides of an
//! equation at 0; a substring in its text). A non-occurrence says that it does not in a range of
//! offsets (`≠`, `¬prefixof`, `¬contains`, offsets before the first `indexof`). `contains`,
//! `indexof` and `replace` of the same two words share one first occurrence `(found, offset)`.
//!
//! Sound: each formula follows from the problem for suitable values of the fresh constants.
//! Operators that are not listed here (`str.replace_all`, `str.to_int`, `str.<`, …) are not
//! constrained; a candidate that violates one is rejected by the referee.

use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::non_occurrence::NonOccurrence;
use crate::arithmetic::Id;
use crate::automata::{Regex, Regexes};
use crate::length_abstraction::LengthAbstraction;
use crate::{Budget, Problem};

/// A string term: a symbolic length and as many letter positions.
pub struct Word {
    /// Its length.
    pub length: Id,
    /// Its letters, if it is a literal.
    pub literal: Option<Vec<u32>>,
    /// Its constant, if the term is one.
    pub constant: Option<FunctionId>,
}

/// One word occurs in another at an offset: `whole[offset + i] = part[i]` for all positions of
/// `part`.
pub struct Embedding {
    /// The word that occurs.
    pub part: usize,
    /// The word in which it occurs.
    pub whole: usize,
    /// The offset of the first letter of `part` in `whole`.
    pub offset: Id,
    /// The condition under which this holds; always if `None`.
    pub premise: Option<Id>,
    /// Whether the two words are equal, so that positions correspond in both directions.
    pub is_equality: bool,
}

/// A membership of a word in a regular language, positive or negative.
pub struct Membership {
    /// The word.
    pub word: usize,
    /// The language.
    pub regex: Regex,
    /// The truth value of the membership.
    pub holds: Id,
}

/// A problem as arithmetic over lengths and offsets, with constraints on letter positions.
pub struct Constraints {
    /// The arithmetic part. Every formula follows from the problem, for suitable values of the
    /// fresh constants.
    pub abstraction: LengthAbstraction,
    /// The words of all string terms.
    pub words: Vec<Word>,
    /// Which word occurs in which, and at what offset.
    pub embeddings: Vec<Embedding>,
    /// Which word does not occur in which range of offsets.
    pub non_occurrences: Vec<NonOccurrence>,
    /// Memberships in languages without constants.
    pub memberships: Vec<Membership>,
    /// The store of the regular expressions.
    pub regexes: Regexes,
    /// The letters of all literals.
    pub letters: FxHashSet<u32>,
    words_by_term: FxHashMap<TermId, usize>,
    first_occurrences: FxHashMap<(usize, usize), FirstOccurrence>,
}

/// Whether a word occurs in another one, and the offset of the first occurrence.
#[derive(Clone, Copy)]
struct FirstOccurrence {
    found: Id,
    offset: Id,
}

impl Constraints {
    /// Translates a problem that the engine accepts; `None` if the budget is used up.
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
        let mut constraints = Self {
            abstraction: LengthAbstraction::new(pool, &constants, &problem.assertions, budget),
            words: Vec::new(),
            embeddings: Vec::new(),
            non_occurrences: Vec::new(),
            memberships: Vec::new(),
            regexes: Regexes::new(),
            letters,
            words_by_term: FxHashMap::default(),
            first_occurrences: FxHashMap::default(),
        };
        for term in PostOrder::new(pool, problem.assertions.iter().copied()) {
            budget.check().ok()?;
            if let Term::Op(op, children) = pool.term(term) {
                constraints.translate_operator(pool, term, op, children)?;
            } else if constants.contains_key(&term) {
                constraints.word_of(pool, term)?;
            }
        }
        Some(constraints)
    }

    /// Whether an operator relates letters of two strings, so that there is an embedding.
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

    /// The word of a string term.
    fn word_of(&mut self, pool: &TermPool, term: TermId) -> Option<usize> {
        if let Some(&number) = self.words_by_term.get(&term) {
            return Some(number);
        }
        let constant = match pool.term(term) {
            Term::Apply(function, []) => Some(function),
            _ => None,
        };
        let literal = pool.as_string(term).map(|text| text.iter().map(|one| one.code()).collect());
        let number = self.add_word(self.abstraction.of(term)?);
        self.words[number].literal = literal;
        self.words[number].constant = constant;
        self.words_by_term.insert(term, number);
        Some(number)
    }

    /// A new word of a length, which is not negative.
    fn add_word(&mut self, length: Id) -> usize {
        let arena = &mut self.abstraction.arena;
        let zero = arena.int(0);
        let natural = arena.ge(length, zero);
        self.abstraction.formulas.push(natural);
        self.words.push(Word { length, literal: None, constant: None });
        self.words.len() - 1
    }

    /// The constraints of one operator on its arguments and its value.
    fn translate_operator(
        &mut self,
        pool: &TermPool,
        term: TermId,
        op: Op,
        children: &[TermId],
    ) -> Option<()> {
        let is_about_strings = |&child: &TermId| pool.sort(child) == Sort::String;
        match (op, children) {
            (Op::StrConcat, parts) => {
                let whole = self.word_of(pool, term)?;
                let mut offset = self.abstraction.arena.int(0);
                for &part in parts {
                    let part = self.word_of(pool, part)?;
                    self.embed(part, whole, offset, None);
                    offset = self.abstraction.arena.add(&[offset, self.words[part].length]);
                }
            }
            (Op::Ite, &[condition, then, other]) if pool.sort(term) == Sort::String => {
                let whole = self.word_of(pool, term)?;
                let holds = self.abstraction.of(condition)?;
                let fails = self.abstraction.arena.not(holds);
                for (part, premise) in [(then, holds), (other, fails)] {
                    let part = self.word_of(pool, part)?;
                    self.equal_if(part, whole, premise);
                }
            }
            (Op::StrSubstr, &[text, from, count]) => {
                let (from, count) = (self.abstraction.of(from)?, self.abstraction.of(count)?);
                self.substring(pool, term, text, from, count)?;
            }
            (Op::StrAt, &[text, from]) => {
                let (from, one) = (self.abstraction.of(from)?, self.abstraction.arena.int(1));
                self.substring(pool, term, text, from, one)?;
            }
            (Op::Eq, sides) if sides.iter().all(is_about_strings) => {
                let holds = self.abstraction.of(term)?;
                for pair in sides.windows(2) {
                    let (left, right) =
                        (self.word_of(pool, pair[0])?, self.word_of(pool, pair[1])?);
                    self.equal_if(left, right, holds);
                }
                if let &[left, right] = sides {
                    let (left, right) = (self.word_of(pool, left)?, self.word_of(pool, right)?);
                    self.unequal_unless(left, right, holds);
                }
            }
            (Op::StrPrefixOf, &[part, whole]) => {
                let start = self.abstraction.arena.int(0);
                let (part, whole) = (self.word_of(pool, part)?, self.word_of(pool, whole)?);
                self.occurs_iff(part, whole, start, self.abstraction.of(term)?);
            }
            (Op::StrSuffixOf, &[part, whole]) => {
                let (part, whole) = (self.word_of(pool, part)?, self.word_of(pool, whole)?);
                let (short, long) = (self.words[part].length, self.words[whole].length);
                let start = self.abstraction.arena.sub(long, short);
                self.occurs_iff(part, whole, start, self.abstraction.of(term)?);
            }
            (Op::StrContains, &[whole, part]) => {
                let (part, whole) = (self.word_of(pool, part)?, self.word_of(pool, whole)?);
                let FirstOccurrence { found, .. } = self.first_occurrence(part, whole);
                let holds = self.abstraction.of(term)?;
                let same = self.abstraction.arena.iff(holds, found);
                self.abstraction.formulas.push(same);
            }
            (Op::StrIndexOf, &[whole, part, from]) => {
                let (part, whole) = (self.word_of(pool, part)?, self.word_of(pool, whole)?);
                let (index, from) = (self.abstraction.of(term)?, self.abstraction.of(from)?);
                let arena = &mut self.abstraction.arena;
                let (zero, none) = (arena.int(0), arena.int(-1));
                let found = arena.ge(index, zero);
                let (range, natural) = (arena.ge(index, none), arena.ge(from, zero));
                let behind = arena.ge(index, from);
                let behind = arena.and(&[natural, behind]);
                let behind = arena.implies(found, behind);
                let none = arena.not(found);
                let none = arena.and(&[none, natural]);
                self.abstraction.formulas.extend([range, behind]);
                self.occurrence(part, whole, index, found);
                if from != zero {
                    let end = self.past_end(whole);
                    self.non_occurrence(part, whole, found, from, index);
                    self.non_occurrence(part, whole, none, from, end);
                } else {
                    let first = self.first_occurrence(part, whole);
                    let arena = &mut self.abstraction.arena;
                    let index = arena.eq(index, first.offset);
                    let index = arena.implies(found, index);
                    let found = arena.iff(found, first.found);
                    self.abstraction.formulas.extend([found, index]);
                }
            }
            (Op::StrReplace, &[text, old, new]) => {
                let words = [term, text, old, new].map(|one| self.word_of(pool, one));
                let [result, text, old, new] = words;
                self.replacement(result?, text?, old?, new?);
            }
            (Op::StrInRe, &[text, regex]) => {
                let Some(regex) = self.regexes.of_term(pool, regex) else { return Some(()) };
                let (word, holds) = (self.word_of(pool, text)?, self.abstraction.of(term)?);
                self.memberships.push(Membership { word, regex, holds });
            }
            _ if pool.sort(term) == Sort::String => drop(self.word_of(pool, term)?),
            _ => {}
        }
        Some(())
    }

    /// `str.substr`: the length is determined by the arguments, and the result occurs in the text
    /// at `from`.
    fn substring(
        &mut self,
        pool: &TermPool,
        term: TermId,
        text: TermId,
        from: Id,
        count: Id,
    ) -> Option<()> {
        let (part, whole) = (self.word_of(pool, term)?, self.word_of(pool, text)?);
        let (short, long) = (self.words[part].length, self.words[whole].length);
        let arena = &mut self.abstraction.arena;
        let zero = arena.int(0);
        let cases = [arena.ge(from, zero), arena.lt(from, long), arena.gt(count, zero)];
        let inside = arena.and(&cases);
        let rest = arena.sub(long, from);
        let enough = arena.le(count, rest);
        let seen = arena.ite(enough, count, rest);
        let expected = arena.ite(inside, seen, zero);
        let fact = arena.eq(short, expected);
        self.abstraction.formulas.push(fact);
        self.embed(part, whole, from, None);
        Some(())
    }

    /// The first occurrence of a word in another one, shared by all operators on these two.
    fn first_occurrence(&mut self, part: usize, whole: usize) -> FirstOccurrence {
        if let Some(&known) = self.first_occurrences.get(&(part, whole)) {
            return known;
        }
        let arena = &mut self.abstraction.arena;
        let first =
            FirstOccurrence { found: arena.fresh_bool("found"), offset: arena.fresh_int("place") };
        // The empty word occurs in every word.
        let zero = arena.int(0);
        let nonempty = arena.gt(self.words[part].length, zero);
        let occurs = arena.or(&[first.found, nonempty]);
        self.abstraction.formulas.push(occurs);
        let absent = arena.not(first.found);
        self.occurrence(part, whole, first.offset, first.found);
        let end = self.past_end(whole);
        self.non_occurrence(part, whole, first.found, zero, first.offset);
        self.non_occurrence(part, whole, absent, zero, end);
        self.first_occurrences.insert((part, whole), first);
        first
    }

    /// `str.replace`: with the first occurrence at `offset`, `result = before·new·after` and `text
    /// = before·old·after`; otherwise `result = text`.
    fn replacement(&mut self, result: usize, text: usize, old: usize, new: usize) {
        let [whole, long, short, other] =
            [result, text, old, new].map(|word| self.words[word].length);
        let FirstOccurrence { found, offset } = self.first_occurrence(old, text);
        let arena = &mut self.abstraction.arena;
        let (zero, behind) = (arena.int(0), arena.add(&[offset, short]));
        let rest = arena.sub(long, behind);
        let sum = arena.add(&[offset, other, rest]);
        let same = arena.eq(whole, sum);
        let replaced = arena.implies(found, same);
        let absent = arena.not(found);
        let (before, after) = (arena.ite(found, offset, zero), arena.ite(found, rest, zero));
        let to = arena.add(&[offset, other]);
        self.abstraction.formulas.push(replaced);
        self.equal_if(text, result, absent);
        self.occurrence(new, result, offset, found);
        let (before, after) = (self.add_word(before), self.add_word(after));
        self.embed(before, text, zero, Some(found));
        self.embed(before, result, zero, Some(found));
        self.embed(after, text, behind, Some(found));
        self.embed(after, result, to, Some(found));
    }

    fn equal_if(&mut self, left: usize, right: usize, premise: Id) {
        let (one, two) = (self.words[left].length, self.words[right].length);
        let arena = &mut self.abstraction.arena;
        let (offset, same) = (arena.int(0), arena.eq(one, two));
        let fact = arena.implies(premise, same);
        self.abstraction.formulas.push(fact);
        let premise = Some(premise);
        self.embeddings.push(Embedding {
            part: left,
            whole: right,
            offset,
            premise,
            is_equality: true,
        });
    }

    /// Under a premise, `part` occurs in `whole` at `offset`.
    fn occurrence(&mut self, part: usize, whole: usize, offset: Id, premise: Id) {
        let (short, long) = (self.words[part].length, self.words[whole].length);
        let arena = &mut self.abstraction.arena;
        let zero = arena.int(0);
        let end = arena.add(&[offset, short]);
        let (after, before) = (arena.ge(offset, zero), arena.le(end, long));
        let fits = arena.and(&[after, before]);
        let fact = arena.implies(premise, fits);
        self.abstraction.formulas.push(fact);
        self.embed(part, whole, offset, Some(premise));
    }

    /// `part` occurs in `whole` at `offset` if and only if `holds`.
    fn occurs_iff(&mut self, part: usize, whole: usize, offset: Id, holds: Id) {
        self.occurrence(part, whole, offset, holds);
        let arena = &mut self.abstraction.arena;
        let (fails, one) = (arena.not(holds), arena.int(1));
        let next = arena.add(&[offset, one]);
        self.non_occurrence(part, whole, fails, offset, next);
    }

    /// Two words are unequal unless `holds`: of equal length, one does not occur in the other at 0.
    fn unequal_unless(&mut self, left: usize, right: usize, holds: Id) {
        let (short, long) = (self.words[left].length, self.words[right].length);
        let arena = &mut self.abstraction.arena;
        let (fails, same) = (arena.not(holds), arena.eq(short, long));
        let (premise, zero, one) = (arena.and(&[fails, same]), arena.int(0), arena.int(1));
        self.non_occurrence(left, right, premise, zero, one);
    }

    /// The first offset at which not even the empty word occurs: the length plus one.
    fn past_end(&mut self, word: usize) -> Id {
        let arena = &mut self.abstraction.arena;
        let one = arena.int(1);
        arena.add(&[self.words[word].length, one])
    }

    fn non_occurrence(&mut self, part: usize, whole: usize, premise: Id, from: Id, before: Id) {
        self.non_occurrences.push(NonOccurrence { part, whole, premise, from, before });
    }

    fn embed(&mut self, part: usize, whole: usize, offset: Id, premise: Option<Id>) {
        self.embeddings.push(Embedding { part, whole, offset, premise, is_equality: false });
    }
}
