//! Axioms about overlaps of literals in equal concatenations.
//!
//! In `x·"ab"·y = u·"b"·v` the offset of the second literal relative to the first, `|u| − |x|`, is
//! either outside of the overlap or one of the offsets at which the literals agree, here 1. The
//! same holds for two concatenations that equal a third term. Limits: `abstraction.overlap`,
//! `abstraction.offsets`, `abstraction.pairs`, `abstraction.partners`.

use luthier_terms::{Op, Sort, TermId};

use super::{Axiom, Trigger};
use crate::Limit;
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;
use crate::words::overlaps;

pub(super) const AXIOMS: &[Axiom] = &[Axiom {
    name: "literals-fit",
    law: "x ++ \"ab\" ++ y = u ++ \"b\" ++ v implies |u| < |x| or |u| > |x| (literals agree where \
          both are); also if both are equal to a third word",
    level: 1,
    trigger: Trigger::Code(&[Op::Eq], literals_fit),
}];

fn literals_fit(
    terms: &mut TermBuilder<'_>,
    universe: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some([left, right]) = sides(terms, term) else { return Ok(()) };
    overlap_facts(terms, term, left, right, found)?;
    // Each pair of equations is considered once, from the later one.
    let earlier = universe.with_op(Op::Eq, 0).take_while(|&other| other != term);
    let mut partners = 0;
    for other in earlier.take(terms.limit(Limit::AbstractionEquations)) {
        let Some(others) = sides(terms, other) else { continue };
        let Some((one, two)) = ends([left, right], others) else { continue };
        let premise = terms.op(Op::And, &[other, term])?;
        overlap_facts(terms, premise, one, two, found)?;
        partners += 1;
        if partners >= terms.limit(Limit::AbstractionPartners) {
            break;
        }
    }
    Ok(())
}

/// The sides of an equation of strings.
fn sides(terms: &TermBuilder<'_>, equation: TermId) -> Option<[TermId; 2]> {
    match terms.pool.children(equation) {
        &[left, right] if terms.pool.sort(left) == Sort::String => Some([left, right]),
        _ => None,
    }
}

/// The sides of two equations that are equal because the other sides are the same term.
fn ends(one: [TermId; 2], two: [TermId; 2]) -> Option<(TermId, TermId)> {
    let sides = [(0, 0), (0, 1), (1, 0), (1, 1)];
    let (of_one, of_two) = sides.into_iter().find(|&(left, right)| one[left] == two[right])?;
    Some((one[1 - of_one], two[1 - of_two]))
}

/// Facts about the literals of two concatenations that are equal under a premise.
fn overlap_facts(
    terms: &mut TermBuilder<'_>,
    premise: TermId,
    left: TermId,
    right: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let (left, right) = (terms.parts(left), terms.parts(right));
    if left.len() + right.len() < 3 {
        return Ok(());
    }
    let max_letters = terms.limit(Limit::AbstractionOverlap);
    let literals = |parts: &[TermId]| -> Vec<usize> {
        let short =
            |part: TermId| terms.pool.as_string(part).is_some_and(|t| t.len() <= max_letters);
        (0..parts.len()).filter(|&at| short(parts[at])).collect()
    };
    let (ours, theirs) = (literals(&left), literals(&right));
    let pairs = ours.iter().flat_map(|&at| theirs.iter().map(move |&other| (at, other)));
    for (at, other) in pairs.take(terms.limit(Limit::AbstractionPairs)) {
        let Some(offsets) = overlap_offsets(terms, left[at], right[other]) else { continue };
        let from = terms.total_length(&left[..at])?;
        let to = terms.total_length(&right[..other])?;
        let shift = terms.op(Op::Sub, &[to, from])?;
        let (ours, theirs) = (terms.len(left[at])?, terms.len(right[other])?);
        let before = terms.op(Op::Neg, &[theirs])?;
        let mut cases =
            vec![terms.op(Op::Le, &[shift, before])?, terms.op(Op::Ge, &[shift, ours])?];
        for offset in offsets {
            let offset = terms.int(offset)?;
            cases.push(terms.eq(shift, offset)?);
        }
        let cases = terms.op(Op::Or, &cases)?;
        found.push(terms.implies(premise, cases)?);
    }
    Ok(())
}

/// The offsets of the second literal relative to the first at which they overlap and agree. `None`
/// if there are too many.
fn overlap_offsets(terms: &TermBuilder<'_>, one: TermId, two: TermId) -> Option<Vec<i64>> {
    let most = terms.limit(Limit::AbstractionOffsets);
    overlaps(terms.pool.as_string(one)?, terms.pool.as_string(two)?, most)
}
