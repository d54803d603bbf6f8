//! Reduction of string functions to word equations, memberships and arithmetic.
//!
//! Every string term other than a constant, a literal or a concatenation becomes a fresh constant
//! with a definition:
//!
//! | term | definition |
//! |---|---|
//! | `v = substr(s, i, n)` | `s = a·v·b`, `\|a\| = i`, `\|v\| = min(n, \|s\| − i)` if `0 ≤ i < \|s\|` and `n > 0`; else `v = ε` |
//! | `v = replace(s, p, r)`, `p = p'·c` a literal | `s = a·p·b`, `v = a·r·b`, `p` not in `a·p'` if `p` is in `s`; else `v = s` |
//! | `k = indexof(s, p, 0)`, `p` a literal | `s = a·p·b`, `\|a\| = k`, `p` not in `a·p'` if `p` is in `s`; else `k = −1` |
//! | `v = from_int(i)` | `v ∈ 0\|[1-9][0-9]*`, `to_int(v) = i` if `i ≥ 0`; else `v = ε` |
//! | `ite` of strings | both cases |
//!
//! `str.replace_all`, `str.replace_re` and `str.replace_re_all` with constant patterns become fresh
//! constants that are listed apart ([`Replaced`]): the splits of memberships use their pre-images.
//! Facts about `str.to_int` and `str.to_code` relate them to digits and to classes of letters.
//!
//! Sound: a model of the problem extends to the fresh constants, and a model of the result that
//! satisfies the problem is checked by the referee. Other functions are fresh constants without a
//! definition (an over-approximation). Source: reductions as in Reynolds and others: Scaling Up
//! DPLL(T) String Solvers Using Context-Dependent Simplification (CAV 2017).

use luthier_terms::{BigInt, CodePoint, Op, PostOrder, SmtString, Sort, Term, TermId, TermPool};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::automata::Regexes;
use crate::rewrite::fresh_constant;
use crate::{Budget, Problem, UnknownReason};

/// Numbers of digits for which `|s| ≤ n → to_int(s) < 10ⁿ` is stated, and the converse for
/// `from_int`.
const DIGITS: [u32; 7] = [1, 2, 3, 4, 6, 9, 18];

/// A reduced problem.
pub struct Reduced {
    /// Assertions over word equations, memberships and arithmetic.
    pub problem: Problem,
    /// Results of replacements, inner ones first. They hold beside the assertions.
    pub replacements: Vec<Replaced>,
}

/// A constant that is the text with matches of a pattern replaced.
pub struct Replaced {
    /// The constant.
    pub value: TermId,
    /// The text.
    pub text: TermId,
    /// The pattern, a language or a string.
    pub pattern: TermId,
    /// What replaces a match.
    pub by: TermId,
    /// Whether all matches are replaced, not only the first.
    pub all: bool,
}

/// Reduces a problem; `None` if the pool is full.
pub fn reduce(problem: &Problem, budget: &Budget) -> Result<Option<Reduced>, UnknownReason> {
    let mut reduction = Reduction {
        pool: (*problem.pool).clone(),
        facts: Vec::new(),
        replacements: Vec::new(),
        reduced: FxHashMap::default(),
        has_lengths: false,
    };
    let terms: Vec<TermId> =
        PostOrder::new(&problem.pool, problem.assertions.iter().copied()).collect();
    let is_length = |&term: &TermId| matches!(problem.pool.term(term), Term::Op(Op::StrLen, _));
    reduction.has_lengths = terms.iter().any(is_length);
    for (count, term) in terms.into_iter().enumerate() {
        if count % 64 == 0 {
            budget.check()?;
        }
        let Some(result) = reduction.reduce(term) else { return Ok(None) };
        reduction.reduced.insert(term, result);
    }
    let assertions = problem.assertions.iter().map(|one| reduction.reduced[one]);
    let assertions = assertions.chain(reduction.facts.iter().copied()).collect();
    let problem = Problem { pool: reduction.pool.into(), assertions };
    Ok(Some(Reduced { problem, replacements: reduction.replacements }))
}

struct Reduction {
    pool: TermPool,
    /// The definitions of fresh constants, and facts.
    facts: Vec<TermId>,
    replacements: Vec<Replaced>,
    /// The reduced form of each term.
    reduced: FxHashMap<TermId, TermId>,
    /// Whether lengths occur in the problem.
    has_lengths: bool,
}

impl Reduction {
    /// The reduced form of a term whose children are reduced.
    fn reduce(&mut self, term: TermId) -> Option<TermId> {
        let Term::Op(op, children) = self.pool.term(term) else { return Some(term) };
        let children: Vec<TermId> = children.iter().map(|child| self.reduced[child]).collect();
        let sort = self.pool.sort(term);
        match (op, &children[..]) {
            (Op::StrConcat, _) => self.op(op, &children),
            (Op::StrSubstr, &[text, at, count]) => self.substr(text, at, count),
            (Op::StrAt, &[text, at]) => {
                let one = self.int(1)?;
                self.substr(text, at, one)
            }
            (Op::StrReplace, &[text, needle, by]) => self.replace(text, needle, by),
            (Op::StrFromInt, &[number]) => self.decimal(number),
            (Op::StrFromCode, &[code]) => self.letter(code),
            (Op::Ite, &[condition, then, other]) if sort == Sort::String => {
                let value = self.fresh(Sort::String)?;
                let (then, other) =
                    (self.op(Op::Eq, &[value, then])?, self.op(Op::Eq, &[value, other])?);
                let definition = self.op(Op::Ite, &[condition, then, other])?;
                self.facts.push(definition);
                Some(value)
            }
            (Op::StrReplaceAll | Op::StrReplaceRe | Op::StrReplaceReAll, &[text, pattern, by]) => {
                // The first match of a language with the empty word is empty.
                if op == Op::StrReplaceRe && self.has_empty(pattern) {
                    return self.op(Op::StrConcat, &[by, text]);
                }
                let value = self.fresh(Sort::String)?;
                let all = op != Op::StrReplaceRe;
                if all && self.has_lengths {
                    self.match_facts(value, text, pattern, by)?;
                }
                self.replacements.push(Replaced { value, text, pattern, by, all });
                Some(value)
            }
            _ if sort == Sort::String => self.fresh(Sort::String),
            (Op::StrIndexOf, &[text, needle, from]) => {
                let is_first = self.pool.as_integer(from).is_some_and(|from| from == BigInt::ZERO);
                match self.pool.as_string(needle) {
                    Some(needle_text) if is_first && !needle_text.is_empty() => {
                        self.index(text, needle)
                    }
                    _ => self.op(op, &children),
                }
            }
            (Op::StrToInt, &[text]) => {
                let number = self.op(op, &children)?;
                self.number_facts(text, number)?;
                Some(number)
            }
            (Op::StrToCode, &[text]) => {
                let code = self.op(op, &children)?;
                self.code_facts(text, code)?;
                Some(code)
            }
            (Op::Eq | Op::Ge, &[left, right]) => {
                let atom = self.op(op, &children)?;
                self.comparison_facts(op, atom, left, right)?;
                Some(atom)
            }
            _ => self.op(op, &children),
        }
    }

    fn substr(&mut self, text: TermId, at: TermId, count: TermId) -> Option<TermId> {
        let value = self.fresh(Sort::String)?;
        let (before, behind) = (self.fresh(Sort::String)?, self.fresh(Sort::String)?);
        let (zero, empty) = (self.int(0)?, self.text(&[])?);
        let length = self.op(Op::StrLen, &[text])?;
        let inside = [
            self.op(Op::Ge, &[at, zero])?,
            self.op(Op::Lt, &[at, length])?,
            self.op(Op::Gt, &[count, zero])?,
        ];
        let inside = self.op(Op::And, &inside)?;
        let (end, rest) = (self.op(Op::Add, &[at, count])?, self.op(Op::Sub, &[length, at])?);
        let fits = self.op(Op::Le, &[end, length])?;
        let expected = self.op(Op::Ite, &[fits, count, rest])?;
        let whole = self.op(Op::StrConcat, &[before, value, behind])?;
        let (start, size) = (self.op(Op::StrLen, &[before])?, self.op(Op::StrLen, &[value])?);
        let parts = [
            self.op(Op::Eq, &[text, whole])?,
            self.op(Op::Eq, &[start, at])?,
            self.op(Op::Eq, &[size, expected])?,
        ];
        let (then, other) = (self.op(Op::And, &parts)?, self.op(Op::Eq, &[value, empty])?);
        self.define(inside, then, other)?;
        Some(value)
    }

    fn replace(&mut self, text: TermId, needle: TermId, by: TermId) -> Option<TermId> {
        let value = self.fresh(Sort::String)?;
        if self.pool.as_string(needle).is_none_or(|text| text.is_empty()) {
            return Some(value);
        }
        let (found, parts, (before, behind)) = self.first_occurrence(text, needle)?;
        let replaced = self.op(Op::StrConcat, &[before, by, behind])?;
        let equation = self.op(Op::Eq, &[value, replaced])?;
        let then = self.op(Op::And, &[parts, equation])?;
        let other = self.op(Op::Eq, &[value, text])?;
        self.define(found, then, other)?;
        Some(value)
    }

    fn index(&mut self, text: TermId, needle: TermId) -> Option<TermId> {
        let value = self.fresh(Sort::Int)?;
        let (found, parts, (before, _)) = self.first_occurrence(text, needle)?;
        let length = self.op(Op::StrLen, &[before])?;
        let equation = self.op(Op::Eq, &[value, length])?;
        let none = self.int(-1)?;
        let then = self.op(Op::And, &[parts, equation])?;
        let other = self.op(Op::Eq, &[value, none])?;
        self.define(found, then, other)?;
        Some(value)
    }

    /// That a literal occurs in a text, the split of the text at its first occurrence, and the
    /// words before and behind it.
    fn first_occurrence(
        &mut self,
        text: TermId,
        needle: TermId,
    ) -> Option<(TermId, TermId, (TermId, TermId))> {
        let letters: Vec<CodePoint> = self.pool.as_string(needle)?.iter().copied().collect();
        let (before, behind) = (self.fresh(Sort::String)?, self.fresh(Sort::String)?);
        let found = self.op(Op::StrContains, &[text, needle])?;
        let whole = self.op(Op::StrConcat, &[before, needle, behind])?;
        let equation = self.op(Op::Eq, &[text, whole])?;
        // An earlier occurrence ends before the last letter of this one.
        let start = self.text(&letters[..letters.len() - 1])?;
        let earlier = self.op(Op::StrConcat, &[before, start])?;
        let earlier = self.op(Op::StrContains, &[earlier, needle])?;
        let first = self.op(Op::Not, &[earlier])?;
        Some((found, self.op(Op::And, &[equation, first])?, (before, behind)))
    }

    /// Lengths of the result of a replacement of all matches: `n` matches with `m` letters in all,
    /// each with at least `l`: `|v| = |s| − m + n·|r|`, `n·l ≤ m ≤ |s|`, and `m = n·l` for a literal
    /// pattern. Only for literals `r`, as products are not linear otherwise.
    fn match_facts(
        &mut self,
        value: TermId,
        text: TermId,
        pattern: TermId,
        by: TermId,
    ) -> Option<()> {
        let Some(by) = self.pool.as_string(by).map(|one| one.len()) else { return Some(()) };
        let literal = self.pool.as_string(pattern).map(|one| one.len());
        if literal == Some(0) {
            return Some(());
        }
        let (count, letters) = (self.fresh(Sort::Int)?, self.fresh(Sort::Int)?);
        let (zero, least) = (self.int(0)?, self.int(literal.unwrap_or(1))?);
        let by = self.int(by)?;
        let lengths = [self.op(Op::StrLen, &[value])?, self.op(Op::StrLen, &[text])?];
        let product = self.op(Op::Mul, &[least, count])?;
        let added = self.op(Op::Mul, &[by, count])?;
        let rest = self.op(Op::Sub, &[lengths[1], letters])?;
        let expected = self.op(Op::Add, &[rest, added])?;
        let (none, nothing) =
            (self.op(Op::Eq, &[count, zero])?, self.op(Op::Eq, &[letters, zero])?);
        let relation = if literal.is_some() { Op::Eq } else { Op::Ge };
        let facts = [
            self.op(Op::Ge, &[count, zero])?,
            self.op(relation, &[letters, product])?,
            self.op(Op::Le, &[letters, lengths[1]])?,
            self.op(Op::Eq, &[none, nothing])?,
            self.op(Op::Eq, &[lengths[0], expected])?,
        ];
        self.facts.extend(facts);
        Some(())
    }

    fn decimal(&mut self, number: TermId) -> Option<TermId> {
        let value = self.fresh(Sort::String)?;
        let (zero, empty) = (self.int(0)?, self.text(&[])?);
        let (digit, other_digit) = (self.range(0x30, 0x39)?, self.range(0x31, 0x39)?);
        let digits = self.op(Op::ReStar, &[digit])?;
        let several = self.op(Op::ReConcat, &[other_digit, digits])?;
        let one_zero = self.range(0x30, 0x30)?;
        let language = self.op(Op::ReUnion, &[one_zero, several])?;
        let parsed = self.op(Op::StrToInt, &[value])?;
        self.number_facts(value, parsed)?;
        let natural = self.op(Op::Ge, &[number, zero])?;
        let parts =
            [self.op(Op::StrInRe, &[value, language])?, self.op(Op::Eq, &[parsed, number])?];
        let (then, other) = (self.op(Op::And, &parts)?, self.op(Op::Eq, &[value, empty])?);
        self.define(natural, then, other)?;
        let length = self.op(Op::StrLen, &[value])?;
        for digits in DIGITS {
            let (bound, count) = (self.int(BigInt::from(10).pow(digits))?, self.int(digits)?);
            let below = self.op(Op::Lt, &[number, bound])?;
            let short = self.op(Op::Le, &[length, count])?;
            let fact = self.op(Op::Eq, &[below, short])?;
            self.facts.push(fact);
        }
        Some(value)
    }

    fn letter(&mut self, code: TermId) -> Option<TermId> {
        let value = self.fresh(Sort::String)?;
        let (zero, empty) = (self.int(0)?, self.text(&[])?);
        let last = self.int(CodePoint::MAX.code())?;
        let inside = [self.op(Op::Ge, &[code, zero])?, self.op(Op::Le, &[code, last])?];
        let inside = self.op(Op::And, &inside)?;
        let parsed = self.op(Op::StrToCode, &[value])?;
        self.code_facts(value, parsed)?;
        let then = self.op(Op::Eq, &[parsed, code])?;
        let other = self.op(Op::Eq, &[value, empty])?;
        self.define(inside, then, other)?;
        Some(value)
    }

    /// `to_int(s) ≥ 0 ⟺ s ∈ [0-9]+`, and bounds by the number of digits.
    fn number_facts(&mut self, text: TermId, number: TermId) -> Option<()> {
        let (zero, none) = (self.int(0)?, self.int(-1)?);
        let digit = self.range(0x30, 0x39)?;
        let digits = self.op(Op::RePlus, &[digit])?;
        let is_number = self.op(Op::StrInRe, &[text, digits])?;
        let natural = self.op(Op::Ge, &[number, zero])?;
        let facts = [self.op(Op::Eq, &[is_number, natural])?, self.op(Op::Ge, &[number, none])?];
        self.facts.extend(facts);
        let length = self.op(Op::StrLen, &[text])?;
        for digits in DIGITS {
            let (bound, count) = (self.int(BigInt::from(10).pow(digits))?, self.int(digits)?);
            let short = self.op(Op::Le, &[length, count])?;
            let below = self.op(Op::Lt, &[number, bound])?;
            let fact = self.op(Op::Implies, &[short, below])?;
            self.facts.push(fact);
        }
        Some(())
    }

    /// `to_code(s) ≥ 0 ⟺ |s| = 1`, and the range of code points.
    fn code_facts(&mut self, text: TermId, code: TermId) -> Option<()> {
        let (zero, one, none) = (self.int(0)?, self.int(1)?, self.int(-1)?);
        let last = self.int(CodePoint::MAX.code())?;
        let length = self.op(Op::StrLen, &[text])?;
        let single = self.op(Op::Eq, &[length, one])?;
        let natural = self.op(Op::Ge, &[code, zero])?;
        let facts = [
            self.op(Op::Eq, &[single, natural])?,
            self.op(Op::Ge, &[code, none])?,
            self.op(Op::Le, &[code, last])?,
        ];
        self.facts.extend(facts);
        Some(())
    }

    /// What a comparison of `to_int(s)` or `to_code(s)` with a numeral says about `s`:
    /// `to_code(s) ≥ c ⟺ s ∈ [c-…]` and `to_int(s) = c ⟹ s ∈ 0*c` for `c ≥ 0`.
    fn comparison_facts(
        &mut self,
        op: Op,
        atom: TermId,
        left: TermId,
        right: TermId,
    ) -> Option<()> {
        let (term, number) = match (self.pool.as_integer(left), self.pool.as_integer(right)) {
            (None, Some(number)) => (left, number),
            (Some(number), None) if op == Op::Eq => (right, number),
            _ => return Some(()),
        };
        if number < BigInt::ZERO {
            return Some(());
        }
        let Term::Op(function, &[text]) = self.pool.term(term) else { return Some(()) };
        match function {
            Op::StrToCode => {
                let code = number.to_u32().filter(|&code| code <= CodePoint::MAX.code());
                let Some(code) = code else { return Some(()) };
                let high = if op == Op::Eq { code } else { CodePoint::MAX.code() };
                let range = self.range(code, high)?;
                let inside = self.op(Op::StrInRe, &[text, range])?;
                let fact = self.op(Op::Eq, &[atom, inside])?;
                self.facts.push(fact);
            }
            Op::StrToInt if op == Op::Eq && number.bits() < 200 => {
                let digits = crate::words::decimal(&number)?;
                let digits = self.text(&digits)?;
                let digits = self.op(Op::StrToRe, &[digits])?;
                let zero = self.range(0x30, 0x30)?;
                let zeros = self.op(Op::ReStar, &[zero])?;
                let language = self.op(Op::ReConcat, &[zeros, digits])?;
                let inside = self.op(Op::StrInRe, &[text, language])?;
                let fact = self.op(Op::Eq, &[atom, inside])?;
                self.facts.push(fact);
            }
            _ => {}
        }
        Some(())
    }

    /// Whether a constant language has the empty word; `false` for others.
    fn has_empty(&self, language: TermId) -> bool {
        let mut regexes = Regexes::new();
        regexes.of_term(&self.pool, language).is_some_and(|regex| regexes.accepts_empty(regex))
    }

    fn define(&mut self, condition: TermId, then: TermId, other: TermId) -> Option<()> {
        let definition = self.op(Op::Ite, &[condition, then, other])?;
        self.facts.push(definition);
        Some(())
    }

    fn op(&mut self, op: Op, children: &[TermId]) -> Option<TermId> {
        self.pool.op(op, children).ok()
    }

    fn int(&mut self, number: impl Into<BigInt>) -> Option<TermId> {
        self.pool.integer(number).ok()
    }

    fn text(&mut self, letters: &[CodePoint]) -> Option<TermId> {
        let codes = letters.iter().map(|one| one.code());
        self.pool.string(SmtString::from_codes(codes)?).ok()
    }

    fn range(&mut self, low: u32, high: u32) -> Option<TermId> {
        let low = self.pool.string(SmtString::from_codes([low])?).ok()?;
        let high = self.pool.string(SmtString::from_codes([high])?).ok()?;
        self.op(Op::ReRange, &[low, high])
    }

    fn fresh(&mut self, sort: Sort) -> Option<TermId> {
        fresh_constant(&mut self.pool, b"reduced", sort)
    }
}
