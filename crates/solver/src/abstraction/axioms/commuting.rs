//! Commuting words: `x·y = y·x` holds exactly if x and y are powers of a common word
//! (Lyndon and Schützenberger 1962).
//!
//! So all concatenations of x and y are powers of it, too, and of two such words S and T the shorter
//! one is a prefix, a suffix and a factor of the longer one:
//!
//! `x·y = y·x ∧ |S| ≤ |T| → contains(T, S)`, likewise `prefixof` and `suffixof`; with equal lengths
//! they are equal. Commuting is transitive over words that are not empty:
//! `x·y = y·x ∧ y·z = z·y ∧ y ≠ ε → x·z = z·x`.
//!
//! Sound: `z^m` is a prefix, suffix and factor of `z^n` for m ≤ n, and m ≤ n if and only if its length
//! is at most that of `z^n` or z is empty. Words that commute with the same word other than ε have the
//! same primitive root as it, or are empty.
//!
//! Limits: concatenations are recognised by their parts, so x and y may be sequences of parts, but not
//! parts of a variable.

use luthier_terms::{Op, Sort, Term, TermId};

use super::{Axiom, Trigger};
use crate::abstraction::terms::{BuildResult, TermBuilder};
use crate::abstraction::universe::Universe;

pub(super) const AXIOMS: &[Axiom] = &[
    Axiom {
        name: "commuting-words-are-powers",
        law: "x ++ y = y ++ x implies that of two concatenations of x and y the shorter one is a prefix, a \
              suffix and a part of the other",
        level: 1,
        trigger: Trigger::Code(&[Op::Eq], commuting_words_are_powers),
    },
    Axiom {
        name: "commuting-is-transitive",
        law: "x ++ y = y ++ x and y ++ z = z ++ y and y is not empty implies x ++ z = z ++ x",
        level: 0,
        trigger: Trigger::Code(&[Op::Eq], commuting_is_transitive),
    },
];

/// Terms about other words that are looked at for one equation.
const PARTNERS: usize = 40;

/// The words x and y, as parts, of an equation `x·y = y·x`.
fn commuting(terms: &TermBuilder<'_>, term: TermId) -> Option<[Vec<TermId>; 2]> {
    let Term::Op(Op::Eq, &[left, right]) = terms.pool.term(term) else { return None };
    if terms.pool.sort(left) != Sort::String {
        return None;
    }
    let (left, right) = (terms.parts(left), terms.parts(right));
    if left.len() != right.len() {
        return None;
    }
    let cut = (1..left.len()).find(|&cut| {
        let (first, second) = left.split_at(cut);
        right.starts_with(second) && right.ends_with(first)
    })?;
    let (first, second) = left.split_at(cut);
    (first != second).then(|| [first.to_vec(), second.to_vec()])
}

/// Whether a word is a concatenation of copies of two words.
fn is_made_of(mut parts: &[TermId], words: &[Vec<TermId>; 2]) -> bool {
    while !parts.is_empty() {
        // The words differ, but one may begin with the other: the longer one first.
        let mut by_length = [&words[0], &words[1]];
        by_length.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let Some(word) = by_length.into_iter().find(|word| parts.starts_with(word)) else {
            return false;
        };
        parts = &parts[word.len()..];
    }
    true
}

fn commuting_words_are_powers(
    terms: &mut TermBuilder<'_>,
    universe: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some(words) = commuting(terms, term) else { return Ok(()) };
    let [one, other] = [terms.concat(&words[0])?, terms.concat(&words[1])?];
    let mut pairs = vec![(one, other), (other, one)];
    for (op, whole) in [(Op::StrContains, 0), (Op::StrPrefixOf, 1), (Op::StrSuffixOf, 1)] {
        let candidates: Vec<TermId> = universe.with_op(op, 1).take(PARTNERS).collect();
        for candidate in candidates {
            let &[left, right] = terms.pool.children(candidate) else { continue };
            let (whole, part) = if whole == 0 { (left, right) } else { (right, left) };
            let is_power =
                [whole, part].into_iter().all(|side| is_made_of(&terms.parts(side), &words));
            if is_power && !pairs.contains(&(whole, part)) {
                pairs.push((whole, part));
            }
        }
    }
    for (whole, part) in pairs {
        let (long, short) = (terms.len(whole)?, terms.len(part)?);
        let fits = terms.op(Op::Le, &[short, long])?;
        let premise = terms.op(Op::And, &[term, fits])?;
        let facts = [
            terms.op(Op::StrContains, &[whole, part])?,
            terms.op(Op::StrPrefixOf, &[part, whole])?,
            terms.op(Op::StrSuffixOf, &[part, whole])?,
        ];
        let all = terms.op(Op::And, &facts)?;
        found.push(terms.implies(premise, all)?);
        let same_length = terms.eq(short, long)?;
        let premise = terms.op(Op::And, &[term, same_length])?;
        let equal = terms.eq(whole, part)?;
        found.push(terms.implies(premise, equal)?);
    }
    Ok(())
}

fn commuting_is_transitive(
    terms: &mut TermBuilder<'_>,
    universe: &Universe,
    term: TermId,
    found: &mut Vec<TermId>,
) -> BuildResult<()> {
    let Some(words) = commuting(terms, term) else { return Ok(()) };
    let others: Vec<TermId> = universe.with_op(Op::Eq, 0).take(PARTNERS).collect();
    let empty = terms.text(&[])?;
    // Each pair once.
    for other in others.into_iter().filter(|&other| other < term) {
        let Some(next) = commuting(terms, other) else { continue };
        for (mine, common) in [(0, 1), (1, 0)] {
            for (its, yours) in [(0, 1), (1, 0)] {
                if words[common] != next[its] || words[mine] == next[yours] {
                    continue;
                }
                let common = terms.concat(&words[common])?;
                let (left, right) = (
                    [&words[mine][..], &next[yours]].concat(),
                    [&next[yours][..], &words[mine]].concat(),
                );
                let (left, right) = (terms.concat(&left)?, terms.concat(&right)?);
                let conclusion = terms.eq(left, right)?;
                let nothing = terms.eq(common, empty)?;
                let something = terms.op(Op::Not, &[nothing])?;
                let premise = terms.op(Op::And, &[term, other, something])?;
                found.push(terms.implies(premise, conclusion)?);
            }
        }
    }
    Ok(())
}
