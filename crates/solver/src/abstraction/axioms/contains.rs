//! Axioms about `contains` and the arguments of concatenations.

use luthier_terms::{Op, TermId};

use super::{Axiom, Trigger};
use crate::Limit;
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;

pub(super) const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "contains-in-a-part",
        law: "contains(x1 ++ … ++ xn, y) if contains(xi, y)",
        level: 0,
        trigger: Trigger::Code(&[Op::StrContains], contains_in_a_part),
    },
    Axiom {
        name: "contains-every-part",
        law: "contains(x, y1 ++ … ++ yn) implies contains(x, yi)",
        level: 0,
        trigger: Trigger::Code(&[Op::StrContains], contains_every_part),
    },
    Axiom {
        name: "concat-contains-its-parts",
        law: "contains(x1 ++ … ++ xn, xi)",
        level: 0,
        trigger: Trigger::Code(&[Op::StrConcat], concat_contains_its_parts),
    },
    Axiom {
        name: "letter-is-in-a-part",
        law: "contains(x1 ++ … ++ xn, c) = contains(x1, c) or … or contains(xn, c) for one letter c",
        level: 1,
        trigger: Trigger::Code(&[Op::StrContains], letter_is_in_a_part),
    },
];

fn parts_of(terms: &TermBuilder<'_>, term: TermId) -> Vec<TermId> {
    let parts = terms.parts(term);
    if (2..=terms.limit(Limit::AbstractionParts)).contains(&parts.len()) {
        parts
    } else {
        Vec::new()
    }
}

fn contains_in_a_part(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[haystack, needle] = terms.pool.children(term) else { return Ok(()) };
    for part in parts_of(terms, haystack) {
        let inside = terms.op(Op::StrContains, &[part, needle])?;
        found.push(terms.implies(inside, term)?);
    }
    Ok(())
}

fn contains_every_part(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[haystack, needle] = terms.pool.children(term) else { return Ok(()) };
    for part in parts_of(terms, needle) {
        let inside = terms.op(Op::StrContains, &[haystack, part])?;
        found.push(terms.implies(term, inside)?);
    }
    Ok(())
}

fn concat_contains_its_parts(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    for part in parts_of(terms, term) {
        found.push(terms.op(Op::StrContains, &[term, part])?);
    }
    Ok(())
}

fn letter_is_in_a_part(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[haystack, needle] = terms.pool.children(term) else { return Ok(()) };
    if terms.pool.as_string(needle).is_none_or(|text| text.len() != 1) {
        return Ok(());
    }
    let parts = parts_of(terms, haystack);
    if parts.is_empty() {
        return Ok(());
    }
    let inside = parts
        .iter()
        .map(|&part| terms.op(Op::StrContains, &[part, needle]))
        .collect::<BuildResult<Vec<_>>>()?;
    let some = terms.op(Op::Or, &inside)?;
    found.push(terms.eq(term, some)?);
    Ok(())
}
