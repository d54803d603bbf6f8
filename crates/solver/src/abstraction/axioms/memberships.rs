//! Axioms about membership in regular languages: length bounds, the empty word, letters, digits,
//! and finite languages as disjunctions of equations.
//!
//! They use approximations from the syntax of the expression (`regexes`) and build no automata.

use luthier_terms::{Op, Term, TermId};

use super::{Axiom, Trigger};
use crate::Limit;
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;
use crate::abstraction::{constants, regexes};

pub(super) const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "membership-bounds-the-length",
        law: "x in R implies min(R) <= |x| <= max(R)",
        level: 1,
        trigger: Trigger::Code(&[Op::StrInRe], membership_bounds_the_length),
    },
    Axiom {
        name: "membership-of-the-empty-string",
        law: "x = \"\" implies (x in R exactly if \"\" in R)",
        level: 1,
        trigger: Trigger::Code(&[Op::StrInRe], membership_of_the_empty_string),
    },
    Axiom {
        name: "membership-bounds-the-letters",
        law: "x in R implies not contains(x, w) for a literal w with a letter that R has not",
        level: 1,
        trigger: Trigger::Code(&[Op::StrInRe], membership_bounds_the_letters),
    },
    Axiom {
        name: "membership-of-digits",
        law: "x in R implies x = \"\" or to_int(x) >= 0 if all letters of R are digits; \
              x in [0-9]+ exactly if to_int(x) >= 0",
        level: 1,
        trigger: Trigger::Code(&[Op::StrInRe], membership_of_digits),
    },
    Axiom {
        name: "membership-in-few-words",
        law: "x in {w1, …, wn} exactly if x = w1 or … or x = wn",
        level: 1,
        trigger: Trigger::Code(&[Op::StrInRe], membership_in_few_words),
    },
];

fn membership_bounds_the_length(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text, regex] = terms.pool.children(term) else { return Ok(()) };
    let lengths = regexes::lengths(terms.pool, regex);
    let Some(least) = lengths.least else {
        found.push(terms.not(term)?);
        return Ok(());
    };
    let length = terms.len(text)?;
    let least = terms.int(least)?;
    let long = terms.op(Op::Ge, &[length, least])?;
    found.push(terms.implies(term, long)?);
    if let Some(most) = lengths.most {
        let most = terms.int(most)?;
        let short = terms.op(Op::Le, &[length, most])?;
        found.push(terms.implies(term, short)?);
    }
    Ok(())
}

fn membership_of_the_empty_string(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text, regex] = terms.pool.children(term) else { return Ok(()) };
    if let Some(inside) = constants::is_member(terms.pool, regex, &[], terms.budget) {
        let empty = terms.text(&[])?;
        let nothing = terms.eq(text, empty)?;
        let value = terms.pool.bool(inside)?;
        let same = terms.eq(term, value)?;
        found.push(terms.implies(nothing, same)?);
    }
    Ok(())
}

fn membership_bounds_the_letters(
    terms: &mut TermBuilder<'_>,
    universe: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text, regex] = terms.pool.children(term) else { return Ok(()) };
    let Some(letters) = regexes::letters(terms.pool, regex) else { return Ok(()) };
    let has = |code: u32| letters.iter().any(|&(low, high)| (low..=high).contains(&code));
    for contains in universe.with_op(Op::StrContains, 1) {
        let &[haystack, needle] = terms.pool.children(contains) else { continue };
        let literal = terms.pool.as_string(needle);
        if haystack == text
            && literal.is_some_and(|word| word.iter().any(|letter| !has(letter.code())))
        {
            let refuted = terms.not(contains)?;
            found.push(terms.implies(term, refuted)?);
        }
    }
    Ok(())
}

fn membership_of_digits(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text, regex] = terms.pool.children(term) else { return Ok(()) };
    let Some(letters) = regexes::letters(terms.pool, regex) else { return Ok(()) };
    if letters.iter().any(|&(low, high)| low < 48 || high > 57) {
        return Ok(());
    }
    let (zero, empty) = (terms.int(0)?, terms.text(&[])?);
    let value = terms.op(Op::StrToInt, &[text])?;
    let number = terms.op(Op::Ge, &[value, zero])?;
    let nothing = terms.eq(text, empty)?;
    let either = terms.op(Op::Or, &[number, nothing])?;
    found.push(terms.implies(term, either)?);
    let repeated = match terms.pool.term(regex) {
        Term::Op(op @ (Op::RePlus | Op::ReStar), &[inner]) => Some((op, inner)),
        _ => None,
    };
    if let Some((op, inner)) = repeated
        && matches!(terms.pool.term(inner), Term::Op(Op::ReRange, _))
        && regexes::letters(terms.pool, inner) == Some(vec![(48, 57)])
    {
        found.push(terms.eq(term, if op == Op::RePlus { number } else { either })?);
    }
    Ok(())
}

fn membership_in_few_words(
    terms: &mut TermBuilder<'_>,
    _: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let &[text, regex] = terms.pool.children(term) else { return Ok(()) };
    let Some(words) = regexes::words(terms.pool, regex, terms.limit(Limit::AbstractionWords))
    else {
        return Ok(());
    };
    let mut cases = Vec::with_capacity(words.len());
    for word in words {
        let word = terms.text(&word)?;
        cases.push(terms.eq(text, word)?);
    }
    let some = terms.op(Op::Or, &cases)?;
    found.push(terms.eq(term, some)?);
    Ok(())
}
