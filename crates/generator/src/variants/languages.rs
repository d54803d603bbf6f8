//! Variants of languages by complements: double complement, De Morgan's laws, and membership as
//! non-membership in the complement.

use luthier_terms::{Op, Sort, Term, TermId, TermPool};

use super::Variant;
use super::frame::Frame;
use super::rewrite::{not, rewrite_some};
use crate::Dice;

/// `r ⇒ (re.comp (re.comp r))`, De Morgan's laws, and membership as non-membership in the complement.
pub(super) fn complemented(
    pool: &mut TermPool,
    frame: &Frame<'_>,
    dice: &mut Dice,
) -> Option<Variant> {
    let can = |pool: &TermPool, term: TermId| {
        pool.sort(term) == Sort::RegLan || matches!(pool.term(term), Term::Op(Op::StrInRe, _))
    };
    rewrite_some(pool, frame, dice, can, |pool, term, dice| {
        let (op, children) = match pool.term(term) {
            Term::Op(op, children) => (Some(op), children.to_vec()),
            _ => (None, Vec::new()),
        };
        let plainly = dice.percent(30);
        match (op, &children[..]) {
            // (str.in_re s r) ⇒ (not (str.in_re s (re.comp r)))
            (Some(Op::StrInRe), &[word, language]) => {
                let rest = complement(pool, language)?;
                let outside = pool.op(Op::StrInRe, &[word, rest]).ok()?;
                not(pool, outside)
            }
            // (re.union r s) ⇒ (re.comp (re.inter (re.comp r) (re.comp s)))
            (Some(op @ (Op::ReUnion | Op::ReInter)), parts) if !plainly => {
                let other = if op == Op::ReUnion { Op::ReInter } else { Op::ReUnion };
                let rest = complements(pool, parts)?;
                let inner = pool.op(other, &rest).ok()?;
                complement(pool, inner)
            }
            // (re.diff r s t) ⇒ (re.inter r (re.comp s) (re.comp t))
            (Some(Op::ReDiff), [first, others @ ..]) if !plainly => {
                let mut parts = vec![*first];
                parts.extend(complements(pool, others)?);
                pool.op(Op::ReInter, &parts).ok()
            }
            // re.none ⇒ (re.comp re.all)
            (Some(op @ (Op::ReNone | Op::ReAll)), []) if !plainly => {
                let other = if op == Op::ReNone { Op::ReAll } else { Op::ReNone };
                let other = pool.op(other, &[]).ok()?;
                complement(pool, other)
            }
            _ => {
                let once = complement(pool, term)?;
                complement(pool, once)
            }
        }
    })
}

fn complement(pool: &mut TermPool, language: TermId) -> Option<TermId> {
    pool.op(Op::ReComp, &[language]).ok()
}

fn complements(pool: &mut TermPool, languages: &[TermId]) -> Option<Vec<TermId>> {
    languages.iter().map(|&language| complement(pool, language)).collect()
}
