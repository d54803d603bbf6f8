//! Non-occurrence lemmas for the length-first engine.
//!
//! A candidate fixes all lengths and offsets. If every letter of `part` is then forced to equal the
//! letter of `whole` at `offset + i`, and the problem says that `part` does not occur there (`≠`,
//! `¬prefixof`, `¬contains`, an offset before the first `indexof`), the reasons for these
//! equalities form a conflict. Its negation is a lemma over lengths and offsets. Positions without
//! a forced letter need no lemma: they get letters of their own in the end, so they equal nothing
//! else.
//!
//! Sound: each reason is a chain of offset equations implied by the problem under the premises of
//! its embeddings; the lemma repeats the chain symbolically and so excludes all lengths and offsets
//! for which it holds. Source: ours. Limits: words longer than `cells.occurrence_letters` are
//! skipped and at most `cells.occurrences` conflicts are collected; the referee rejects what is
//! missed.

use super::candidate::Candidate;
use super::constraints::Constraints;
use super::letter_classes::{EmbeddingStep, LetterClasses};
use crate::arithmetic::Id;
use crate::{Budget, Limit, UnknownReason};

/// A word does not occur in another one at the offsets `from ≤ i < before`.
pub struct NonOccurrence {
    /// The word that does not occur.
    pub part: usize,
    /// The word in which it does not.
    pub whole: usize,
    /// Under which condition.
    pub premise: Id,
    /// The least excluded offset.
    pub from: Id,
    /// The end of the excluded offsets, itself not excluded.
    pub before: Id,
}

/// A conflict: a word occurs at an excluded offset.
#[derive(Debug)]
pub struct ForbiddenOccurrence {
    /// The violated constraint, by its number.
    non_occurrence: usize,
    /// The offset at which it occurs.
    offset: usize,
    /// For each of its letters, the reason why it equals that of `whole`.
    reasons: Vec<EqualityReason>,
}

/// The reason why two positions have the same letter.
#[derive(Debug)]
enum EqualityReason {
    /// They are in one class: the path from `part` to `whole`.
    SameClass(Vec<EmbeddingStep>),
    /// Each is in the class of a literal, and these have the same letter.
    SameLetter([Origin; 2]),
}

/// A position of a literal and the path from there.
#[derive(Debug)]
struct Origin {
    position: usize,
    steps: Vec<EmbeddingStep>,
}

/// Occurrences at excluded offsets that hold whatever letters the free positions get.
pub fn forbidden_occurrences(
    constraints: &Constraints,
    candidate: &Candidate,
    classes: &LetterClasses<'_>,
    budget: &Budget,
) -> Result<Vec<ForbiddenOccurrence>, UnknownReason> {
    let mut found = Vec::new();
    let most = budget.limit(Limit::CellsOccurrences);
    for (number, non_occurrence) in constraints.non_occurrences.iter().enumerate() {
        budget.check()?;
        let Some((from, before)) = candidate.non_occurrences[number] else { continue };
        let (part, whole) =
            (classes.of_word(non_occurrence.part), classes.of_word(non_occurrence.whole));
        let is_long = || budget.limits().exceeds(Limit::CellsOccurrenceLetters, part.len());
        if part.len() > whole.len() || is_long() {
            continue;
        }
        let same = |one: usize, two: usize| {
            one == two
                || classes.letters[one].is_some() && classes.letters[one] == classes.letters[two]
        };
        let occurs =
            |offset: &usize| part.iter().zip(&whole[*offset..]).all(|(&one, &two)| same(one, two));
        let Some(offset) = (from..before.min(whole.len() - part.len() + 1)).find(occurs) else {
            continue;
        };
        let reasons = (0..part.len()).map(|at| {
            let ends = [(non_occurrence.part, at), (non_occurrence.whole, offset + at)];
            if part[at] == whole[offset + at] {
                return EqualityReason::SameClass(classes.path(ends[0], ends[1]));
            }
            EqualityReason::SameLetter(ends.map(|(word, at)| {
                let (position, steps) = classes.origin(word, at);
                Origin { position, steps }
            }))
        });
        found.push(ForbiddenOccurrence {
            non_occurrence: number,
            offset,
            reasons: reasons.collect(),
        });
        if found.len() >= most {
            break;
        }
    }
    Ok(found)
}

/// The lemma that excludes a conflict: not all reasons hold together with the premise and the range
/// of offsets. It holds for all strings.
pub fn lemma(constraints: &mut Constraints, occurrence: &ForbiddenOccurrence) -> Id {
    let NonOccurrence { part, whole, premise, from, before } =
        constraints.non_occurrences[occurrence.non_occurrence];
    let length = constraints.abstraction.arena.int(occurrence.reasons.len());
    let length = constraints.abstraction.arena.eq(constraints.words[part].length, length);
    let mut premises = vec![premise, length];
    // The offset of `part` in `whole`, as the reasons give it.
    let mut begin = None;
    for (at, reason) in occurrence.reasons.iter().enumerate() {
        let at = constraints.abstraction.arena.int(at);
        let position = match reason {
            EqualityReason::SameClass(steps) => follow(constraints, at, steps, &mut premises),
            EqualityReason::SameLetter(origins) => {
                let [here, there] = origins.each_ref().map(|origin| {
                    let start = constraints.abstraction.arena.int(origin.position);
                    follow(constraints, start, &origin.steps, &mut premises)
                });
                premises.push(constraints.abstraction.arena.eq(here, at));
                there
            }
        };
        let arena = &mut constraints.abstraction.arena;
        let position = arena.sub(position, at);
        premises.extend(begin.map(|begin| arena.eq(begin, position)));
        begin.get_or_insert(position);
    }
    let arena = &mut constraints.abstraction.arena;
    // The empty word occurs at every offset up to the length.
    let begin = begin.unwrap_or_else(|| {
        let position = arena.int(occurrence.offset);
        premises.push(arena.le(position, constraints.words[whole].length));
        position
    });
    premises.extend([arena.ge(begin, from), arena.lt(begin, before)]);
    let all = arena.and(&premises);
    arena.not(all)
}

/// The position to which a path leads from `start`; its conditions are added to the premises.
fn follow(
    constraints: &mut Constraints,
    start: Id,
    steps: &[EmbeddingStep],
    premises: &mut Vec<Id>,
) -> Id {
    let Constraints { abstraction, words, embeddings, .. } = constraints;
    let arena = &mut abstraction.arena;
    let mut position = start;
    for &(step, to_whole) in steps {
        let embedding = &embeddings[step];
        premises.extend(embedding.premise);
        if to_whole {
            position = arena.add(&[position, embedding.offset]);
            continue;
        }
        position = arena.sub(position, embedding.offset);
        // A position of the whole is one of the part only within its bounds.
        if !embedding.is_equality {
            let zero = arena.int(0);
            premises.push(arena.ge(position, zero));
            premises.push(arena.lt(position, words[embedding.part].length));
        }
    }
    position
}
