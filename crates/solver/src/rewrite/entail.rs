//! Arithmetic entailment: an incomplete proof search for `f >= 0`, where `f` is a linear form over
//! lengths, positions and codes.
//!
//! `f >= 0` follows from `g >= 0` if `f >= g`: a term with a positive coefficient is replaced by a
//! lower bound, one with a negative coefficient by an upper bound, such as `|substr(s, i, n)| <=
//! |s|` or `indexof(s, t, i) >= -1`; facts `g >= 0` of the context are subtracted. The search is
//! best-first and bounded (`rewrite.entail_forms`, `rewrite.entail_depth`, `rewrite.entail_terms`);
//! failure proves nothing. Source: Reynolds, Nötzli, Barrett, Tinelli: High-Level Abstractions for
//! Simplifying Extended String Constraints in SMT (CAV 2019), arithmetic entailment by over- and
//! under-approximations of terms.

use std::rc::Rc;

use luthier_terms::{BigInt, CodePoint, Op, Term, TermId};
use num_traits::{Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::context::Context;
use super::linear::Linear;
use crate::Limit;

/// Proofs and bounds found so far, for terms of one pool under one set of facts.
#[derive(Default)]
pub(super) struct EntailmentCache {
    proofs: FxHashMap<(Linear, usize), bool>,
    bounds: FxHashMap<(TermId, bool, usize), Rc<[Linear]>>,
    /// How many forms may still be expanded for the current query.
    left: usize,
}

impl Context<'_> {
    /// Whether the form is proved to be at least zero under every model.
    pub fn never_negative(&mut self, form: &Linear) -> bool {
        self.entails_nonnegative(form)
    }

    /// Whether `left >= right` is proved.
    pub fn at_least(&mut self, left: &Linear, right: &Linear) -> bool {
        self.entails_nonnegative(&left.minus(right))
    }

    /// Whether `left > right` is proved.
    pub fn above(&mut self, left: &Linear, right: &Linear) -> bool {
        self.entails_nonnegative(&left.minus(right).shifted(-1))
    }

    fn entails_nonnegative(&mut self, form: &Linear) -> bool {
        self.cache.left = self.limit(Limit::RewriteEntailForms);
        self.prove(form, self.limit(Limit::RewriteEntailDepth))
    }

    fn prove(&mut self, form: &Linear, depth: usize) -> bool {
        if let Some(number) = form.as_number() {
            return !number.is_negative();
        }
        if form.terms.len() > self.limit(Limit::RewriteEntailTerms) {
            return false;
        }
        let key = (form.clone(), depth);
        if let Some(&known) = self.cache.proofs.get(&key) {
            return known;
        }
        let holds = self.search(form, depth);
        self.cache.proofs.insert(key, holds);
        holds
    }

    fn search(&mut self, form: &Linear, depth: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![form.clone()];
        while let Some(form) = take_best(&mut open) {
            if self.is_nonnegative_by_signs(&form) {
                return true;
            }
            if self.cache.left == 0 {
                return false;
            }
            self.cache.left -= 1;
            if !seen.insert(form.clone()) {
                continue;
            }
            // Of the terms with negative coefficients only the newest with a bound is replaced,
            // because its subterms are older.
            let newest = |(_, factor): &(&TermId, &BigInt)| factor.is_negative();
            for (&term, factor) in form.terms.iter().rev().filter(newest) {
                let bounds = self.bounds(term, true, depth);
                push_replaced(&form, term, factor, &bounds, &mut open);
                if !bounds.is_empty() {
                    break;
                }
            }
            for (&term, factor) in form.terms.iter().filter(|(_, factor)| factor.is_positive()) {
                let bounds = self.bounds(term, false, depth);
                push_replaced(&form, term, factor, &bounds, &mut open);
            }
            self.push_differences(&form, &mut open);
        }
        false
    }

    /// Upper bounds, or lower bounds, of a term.
    fn bounds(&mut self, term: TermId, upper: bool, depth: usize) -> Rc<[Linear]> {
        let key = (term, upper, depth);
        if let Some(known) = self.cache.bounds.get(&key) {
            return Rc::clone(known);
        }
        let mut bounds = Vec::new();
        // Building a length can only fail in a full pool; then there are fewer bounds.
        let _ = if upper {
            self.add_upper(term, depth, &mut bounds)
        } else {
            self.add_lower(term, depth, &mut bounds)
        };
        let bounds: Rc<[Linear]> = bounds.into();
        self.cache.bounds.insert(key, Rc::clone(&bounds));
        bounds
    }

    /// Facts `g >= 0` reduce `f >= 0` to `f - g >= 0` (or `f - c·g`) where that removes a term.
    fn push_differences(&self, form: &Linear, open: &mut Vec<Linear>) {
        let Some(facts) = self.facts else { return };
        for (term, factor) in &form.terms {
            for fact in facts.forms(*term).take(6) {
                let Some(other) = fact.terms.get(term) else { continue };
                let quotient = factor / other;
                if quotient.is_positive() && (&quotient * other) == *factor {
                    let rest = form.plus(fact, &-quotient);
                    if rest.terms.len() <= form.terms.len() {
                        open.push(rest);
                    }
                }
            }
        }
    }

    /// Whether all coefficients are positive and the sum of the constant lower bounds of the terms
    /// is not negative.
    fn is_nonnegative_by_signs(&self, form: &Linear) -> bool {
        let mut least = form.constant.clone();
        for (&term, factor) in &form.terms {
            if factor.is_negative() {
                return false;
            }
            match self.least(term) {
                Some(number) => least += number * factor,
                None => return false,
            }
        }
        !least.is_negative()
    }

    /// A constant lower bound of a term from its operator alone.
    fn least(&self, term: TermId) -> Option<BigInt> {
        match self.pool.term(term) {
            Term::Op(Op::StrLen, _) => Some(BigInt::ZERO),
            Term::Op(Op::StrIndexOf | Op::StrToCode | Op::StrToInt, _) => Some((-1).into()),
            Term::Op(Op::Mod, [_, by]) => {
                self.number(*by).filter(|by| !by.is_zero()).map(|_| BigInt::ZERO)
            }
            _ => None,
        }
    }

    /// Whether a side condition `left >= right` holds.
    fn side(&mut self, left: &Linear, right: &Linear, depth: usize) -> bool {
        depth > 0 && self.prove(&left.minus(right), depth - 1)
    }

    fn add_lower(&mut self, term: TermId, depth: usize, bounds: &mut Vec<Linear>) -> Option<()> {
        let zero = Linear::default();
        if let Some([_, yes, no]) = self.three(term, Op::Ite) {
            let (yes, no) = (self.linear(yes), self.linear(no));
            if self.side(&yes, &no, depth) {
                bounds.push(no);
            } else if self.side(&no, &yes, depth) {
                bounds.push(yes);
            }
            return Some(());
        }
        if let Some([code]) =
            self.args(term, Op::StrToCode).and_then(|args| <[_; 1]>::try_from(args).ok())
        {
            let length = self.length(code)?;
            let one = Linear::number(1);
            if self.side(&length, &one, depth) && self.side(&one, &length, depth) {
                bounds.push(zero);
            }
            return Some(());
        }
        let &[text] = self.args(term, Op::StrLen)? else { return None };
        if let Some([base, from, count]) = self.three(text, Op::StrSubstr) {
            let (whole, from, count) = (self.length(base)?, self.linear(from), self.linear(count));
            let rest = whole.minus(&from);
            if self.side(&from, &zero, depth) {
                if self.side(&count, &rest, depth) {
                    bounds.push(rest);
                } else if self.side(&rest, &count, depth) {
                    bounds.push(count);
                }
            }
        } else if let Some([base, needle, by]) = self.three(text, Op::StrReplace) {
            let (base, needle, by) = (self.length(base)?, self.length(needle)?, self.length(by)?);
            if self.side(&by, &needle, depth) {
                bounds.push(base);
            } else {
                bounds.push(base.minus(&needle));
            }
        } else if let Some([base, needle, by]) = self.three(text, Op::StrReplaceAll) {
            let (base, needle, by) = (self.length(base)?, self.length(needle)?, self.length(by)?);
            if self.side(&by, &needle, depth) {
                bounds.push(base);
            }
        } else if let Some(&[number]) = self.args(text, Op::StrFromInt) {
            let number = self.linear(number);
            if self.side(&number, &zero, depth) {
                bounds.push(Linear::number(1));
            }
        } else if let Some([_, yes, no]) = self.three(text, Op::Ite) {
            let (yes, no) = (self.length(yes)?, self.length(no)?);
            if self.side(&yes, &no, depth) {
                bounds.push(no);
            } else if self.side(&no, &yes, depth) {
                bounds.push(yes);
            }
        }
        Some(())
    }

    fn add_upper(&mut self, term: TermId, depth: usize, bounds: &mut Vec<Linear>) -> Option<()> {
        let zero = Linear::default();
        match self.pool.term(term) {
            Term::Op(Op::StrToCode, _) => bounds.push(Linear::number(CodePoint::MAX.code())),
            Term::Op(Op::Mod, [_, by]) => {
                let by = self.number(*by).filter(|by| !by.is_zero())?;
                bounds.push(Linear::number(by.abs() - 1));
            }
            Term::Op(Op::StrIndexOf, &[text, needle, _]) => {
                let (text, needle) = (self.length(text)?, self.length(needle)?);
                if self.side(&text.shifted(1), &needle, depth) {
                    bounds.push(text.minus(&needle));
                } else {
                    bounds.push(text);
                }
            }
            Term::Op(Op::Ite, &[_, yes, no]) => {
                let (yes, no) = (self.linear(yes), self.linear(no));
                if self.side(&yes, &no, depth) {
                    bounds.push(yes);
                } else if self.side(&no, &yes, depth) {
                    bounds.push(no);
                }
            }
            _ => {}
        }
        let &[text] = self.args(term, Op::StrLen)? else { return None };
        if let Some([base, from, count]) = self.three(text, Op::StrSubstr) {
            let (whole, from, count) = (self.length(base)?, self.linear(from), self.linear(count));
            if self.side(&count, &zero, depth) {
                bounds.push(count);
            }
            let rest = whole.minus(&from);
            if self.side(&from, &zero, depth) && self.side(&rest, &zero, depth) {
                bounds.push(rest);
            }
            bounds.push(whole);
        } else if let Some([base, needle, by]) = self.three(text, Op::StrReplace) {
            let (base, needle, by) = (self.length(base)?, self.length(needle)?, self.length(by)?);
            if self.side(&needle, &by, depth) {
                bounds.push(base);
            } else {
                bounds.push(base.plus(&by, &1.into()));
            }
        } else if let Some([base, needle, by]) = self.three(text, Op::StrReplaceAll) {
            let (base, needle, by) = (self.length(base)?, self.length(needle)?, self.length(by)?);
            if self.side(&needle, &by, depth) {
                bounds.push(base);
            }
        } else if self.is_op(text, Op::StrFromCode) {
            bounds.push(Linear::number(1));
        } else if let Some(&[number]) = self.args(text, Op::StrFromInt) {
            let number = self.linear(number);
            if self.side(&number, &zero, depth) {
                bounds.push(number.shifted(1));
            }
        } else if let Some([_, yes, no]) = self.three(text, Op::Ite) {
            let (yes, no) = (self.length(yes)?, self.length(no)?);
            if self.side(&yes, &no, depth) {
                bounds.push(yes);
            } else if self.side(&no, &yes, depth) {
                bounds.push(no);
            }
        }
        Some(())
    }
}

/// Adds the forms with a term replaced by each of its bounds.
fn push_replaced(
    form: &Linear,
    term: TermId,
    factor: &BigInt,
    bounds: &[Linear],
    open: &mut Vec<Linear>,
) {
    for bound in bounds {
        let mut rest = form.clone();
        rest.terms.remove(&term);
        open.push(rest.plus(bound, factor));
    }
}

/// Removes the most promising form: few negative coefficients, then few terms.
fn take_best(open: &mut Vec<Linear>) -> Option<Linear> {
    let effort = |form: &Linear| {
        (form.terms.values().filter(|factor| factor.is_negative()).count(), form.terms.len())
    };
    let best = (0..open.len()).min_by_key(|&index| effort(&open[index]))?;
    Some(open.swap_remove(best))
}
