//! Steps on literals: shorter strings of simpler characters, smaller integers and bounds.

use luthier_terms::{BigInt, CodePoint, PostOrder, SmtString, Term, TermId, TermPool};

use super::State;
use super::candidate::Candidate;
use crate::query::{replaced, roots};

/// How many positions of a literal are shortened or simplified one by one.
const MAX_POSITIONS: usize = 24;

/// All occurrences of a literal replaced by a simpler one.
pub(super) fn simplify(pool: &mut TermPool, state: &State) -> Vec<Candidate> {
    let literals: Vec<TermId> = PostOrder::new(pool, roots(&state.script))
        .filter(|&term| matches!(pool.term(term), Term::String(_) | Term::Integer(_)))
        .collect();
    let mut candidates = Vec::new();
    for literal in literals {
        let simpler: Vec<TermId> = match pool.term(literal) {
            Term::String(text) => {
                let simpler = simpler_strings(text);
                simpler.into_iter().filter_map(|text| pool.string(text).ok()).collect()
            }
            Term::Integer(number) => {
                let simpler = smaller_integers(number);
                simpler.into_iter().filter_map(|number| pool.integer(number).ok()).collect()
            }
            _ => continue,
        };
        for one in simpler {
            let map = [(literal, one)].into_iter().collect();
            if let Some(script) = replaced(pool, &state.script, &map) {
                candidates.push(Candidate::new(pool, script, false));
            }
        }
    }
    candidates
}

fn simpler_strings(text: &SmtString) -> Vec<SmtString> {
    let mut found: Vec<SmtString> = Vec::new();
    if text.is_empty() {
        return found;
    }
    let half = text.len() / 2;
    found.push(SmtString::empty());
    found.push(text[..half].into());
    found.push(text[half..].into());
    for place in 0..text.len().min(MAX_POSITIONS) {
        let mut shorter = text.to_vec();
        shorter.remove(place);
        found.push(shorter.into());
    }
    for simple in [b'a', b'b', b'0'].map(CodePoint::from_byte) {
        found.push(text.iter().map(|_| simple).collect());
        for place in 0..text.len().min(MAX_POSITIONS) {
            // Equal characters stay equal, then each one by itself.
            let old = text[place];
            found.push(text.iter().map(|&one| if one == old { simple } else { one }).collect());
            let mut simpler = text.to_vec();
            simpler[place] = simple;
            found.push(simpler.into());
        }
    }
    let mut unique: Vec<SmtString> = Vec::new();
    for one in found {
        if one != *text && !unique.contains(&one) {
            unique.push(one);
        }
    }
    unique
}

fn smaller_integers(number: &BigInt) -> Vec<BigInt> {
    let mut found: Vec<BigInt> = Vec::new();
    for one in [BigInt::ZERO, BigInt::from(1), number / 2, number - 1] {
        if one < *number && !found.contains(&one) {
            found.push(one);
        }
    }
    found
}
