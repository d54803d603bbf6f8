//! Axioms about concatenations and equations between them: lengths, associativity, alignment,
//! common literal prefixes and suffixes, and Parikh images.
//!
//! Alignment: `x·y = u·v ∧ |x| = |u| → x = u ∧ y = v`. Parikh image: the number of occurrences of a
//! letter, `|x| − |replace_all(x, a, "")|`, is additive and equal on both sides of an equation.
//! Limits: `abstraction.splits`, `abstraction.letters`.

use luthier_terms::{CodePoint, Op, Sort, TermId};

use super::{Axiom, Trigger};
use crate::Limit;
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;

pub(super) const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "concat-length",
        law: "|x1 ++ … ++ xn| = |x1| + … + |xn|",
        level: 9,
        trigger: Trigger::Code(&[Op::StrConcat], concat_length),
    },
    Axiom {
        name: "concat-is-associative",
        law: "x ++ (y ++ z) = x ++ y ++ z, \"a\" ++ \"b\" = \"ab\", x ++ \"\" = x",
        level: 9,
        trigger: Trigger::Code(&[Op::StrConcat], concat_is_associative),
    },
    Axiom {
        name: "concat-with-empty-parts",
        law: "all xj but xi are \"\" implies x1 ++ … ++ xn = xi",
        level: 1,
        trigger: Trigger::Code(&[Op::StrConcat], concat_with_empty_parts),
    },
    Axiom {
        name: "equal-concats-split",
        law: "x ++ y = u ++ v and |x| = |u| implies x = u and y = v",
        level: 0,
        trigger: Trigger::Code(&[Op::Eq], equal_concats_split),
    },
    Axiom {
        name: "equal-literal-ends",
        law: "equal concatenations begin and end with the same letters",
        level: 1,
        trigger: Trigger::Code(&[Op::Eq], equal_literal_ends),
    },
    Axiom {
        name: "letters-are-counted",
        law: "#a(x1 ++ … ++ xn) = #a(x1) + … + #a(xn) with #a(x) = |x| - |replace_all(x, a, \"\")|",
        level: 0,
        trigger: Trigger::Code(&[Op::Eq], letters_are_counted),
    },
];

fn concat_length(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let parts = terms.pool.children(term).to_vec();
    let (length, sum) = (terms.len(term)?, terms.total_length(&parts)?);
    found.push(terms.eq(length, sum)?);
    Ok(())
}

fn concat_is_associative(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let parts = terms.pool.children(term).to_vec();
    let flat = terms.concat(&parts)?;
    if flat != term {
        found.push(terms.eq(term, flat)?);
    }
    Ok(())
}

fn concat_with_empty_parts(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let parts = terms.parts(term);
    if !(2..=8).contains(&parts.len()) {
        return Ok(());
    }
    let empty = terms.text(&[])?;
    for kept in 0..parts.len() {
        let mut others = Vec::new();
        for (at, &part) in parts.iter().enumerate() {
            if at != kept {
                others.push(terms.eq(part, empty)?);
            }
        }
        let premise = terms.op(Op::And, &others)?;
        let same = terms.eq(term, parts[kept])?;
        found.push(terms.implies(premise, same)?);
    }
    Ok(())
}

/// The sides of an equation of strings, as flat parts; `None` if no side is a concatenation.
fn sides(terms: &TermBuilder<'_>, term: TermId) -> Option<[Vec<TermId>; 2]> {
    let &[left, right] = terms.pool.children(term) else { return None };
    if terms.pool.sort(left) != Sort::String {
        return None;
    }
    let sides = [terms.parts(left), terms.parts(right)];
    sides.iter().any(|parts| parts.len() > 1).then_some(sides)
}

fn equal_concats_split(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some([left, right]) = sides(terms, term) else { return Ok(()) };
    let splits = left.len().saturating_sub(1) * right.len().saturating_sub(1);
    if splits > terms.limit(Limit::AbstractionSplits) {
        return Ok(());
    }
    for (at, other) in (1..left.len()).flat_map(|at| (1..right.len()).map(move |to| (at, to))) {
        let lengths = [terms.total_length(&left[..at])?, terms.total_length(&right[..other])?];
        let aligned = terms.op(Op::Eq, &lengths)?;
        let starts = [terms.concat(&left[..at])?, terms.concat(&right[..other])?];
        let ends = [terms.concat(&left[at..])?, terms.concat(&right[other..])?];
        let (starts, ends) = (terms.op(Op::Eq, &starts)?, terms.op(Op::Eq, &ends)?);
        let premise = terms.op(Op::And, &[term, aligned])?;
        let conclusion = terms.op(Op::And, &[starts, ends])?;
        found.push(terms.implies(premise, conclusion)?);
    }
    Ok(())
}

fn equal_literal_ends(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some(sides) = sides(terms, term) else { return Ok(()) };
    for backwards in [false, true] {
        let mut ends: [Vec<CodePoint>; 2] = [Vec::new(), Vec::new()];
        let mut rests: [Vec<TermId>; 2] = [Vec::new(), Vec::new()];
        for (side, parts) in sides.iter().enumerate() {
            let end = if backwards { parts.split_last() } else { parts.split_first() };
            let Some((&end, rest)) = end else { return Ok(()) };
            let Some(text) = terms.pool.as_string(end) else { return Ok(()) };
            ends[side] = text.to_vec();
            rests[side] = rest.to_vec();
            if backwards {
                ends[side].reverse();
            }
        }
        let common = ends[0].iter().zip(&ends[1]).take_while(|(one, two)| one == two).count();
        if common < ends[0].len() && common < ends[1].len() {
            found.push(terms.not(term)?);
            continue;
        }
        let mut rest_terms = Vec::with_capacity(2);
        for (end, rest) in ends.iter_mut().zip(&rests) {
            let mut left_over = end.split_off(common);
            if backwards {
                left_over.reverse();
            }
            let left_over = terms.text(&left_over)?;
            let all: Vec<TermId> = if backwards {
                rest.iter().copied().chain([left_over]).collect()
            } else {
                [left_over].into_iter().chain(rest.iter().copied()).collect()
            };
            rest_terms.push(terms.concat(&all)?);
        }
        let rest = terms.op(Op::Eq, &rest_terms)?;
        found.push(terms.eq(term, rest)?);
    }
    Ok(())
}

fn letters_are_counted(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some(sides) = sides(terms, term) else { return Ok(()) };
    let mut letters: Vec<CodePoint> = Vec::new();
    for &part in sides.iter().flatten() {
        letters.extend(terms.pool.as_string(part).into_iter().flat_map(|text| text.iter()));
    }
    letters.sort_unstable();
    letters.dedup();
    letters.truncate(terms.limit(Limit::AbstractionLetters));
    let empty = terms.text(&[])?;
    let zero = terms.int(0)?;
    let counts = |terms: &mut TermBuilder<'_>, text: TermId| -> BuildResult<Vec<TermId>> {
        let length = terms.len(text)?;
        let mut counts = Vec::with_capacity(letters.len());
        for &letter in &letters {
            let letter = terms.text(&[letter])?;
            let without = terms.op(Op::StrReplaceAll, &[text, letter, empty])?;
            let rest = terms.len(without)?;
            counts.push(terms.op(Op::Sub, &[length, rest])?);
        }
        Ok(counts)
    };
    let mut totals: Vec<Vec<TermId>> = Vec::new();
    for parts in &sides {
        let mut sums: Vec<Vec<TermId>> = vec![Vec::new(); letters.len()];
        for &part in parts {
            let of_part = counts(terms, part)?;
            for (sum, &count) in sums.iter_mut().zip(&of_part) {
                sum.push(count);
                found.push(terms.op(Op::Ge, &[count, zero])?);
            }
            // Other letters may occur as well.
            let sum = terms.op(Op::Add, &of_part)?;
            let length = terms.len(part)?;
            found.push(terms.op(Op::Le, &[sum, length])?);
        }
        totals.push(sums.iter().map(|sum| terms.op(Op::Add, sum)).collect::<BuildResult<_>>()?);
    }
    for (&left, &right) in totals[0].iter().zip(&totals[1]) {
        let same = terms.eq(left, right)?;
        found.push(terms.implies(term, same)?);
    }
    Ok(())
}
