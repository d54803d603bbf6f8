//! Equivalence classes of letter positions under one candidate of the length-first engine.
//!
//! With all lengths and offsets fixed, every embedding identifies positions: `part[i]` and
//! `whole[offset + i]` are one letter. A breadth-first traversal from each unvisited position,
//! those of literals first, computes the classes; a class that contains a position of a literal has
//! its letter. Two different letters of literals in one class are a conflict, and the path between
//! them is its reason (see `lemma`). The trail of the traversal gives the path between any two
//! positions of a class.
//!
//! Limits: at most `cells.conflicts` conflicts are collected before the traversal stops.

use super::candidate::Candidate;
use super::constraints::Constraints;
use crate::{Budget, Limit, UnknownReason};

/// A step from a position to the same letter in another word: the number of the embedding, and
/// whether from the part to the whole.
pub type EmbeddingStep = (usize, bool);

/// Two different letters of literals in one class, with the path that connects them.
#[derive(Debug)]
pub struct Conflict {
    /// The word of the first literal, and the letter's position in it.
    pub start: (usize, usize),
    /// The path from there.
    pub steps: Vec<EmbeddingStep>,
    /// The word of the second literal, and the letter's position in it.
    pub end: (usize, usize),
}

/// The positions of all words, one word after the other, partitioned into classes.
pub struct LetterClasses<'a> {
    constraints: &'a Constraints,
    candidate: &'a Candidate,
    /// The number of the first position of each word; at the end, the number of positions.
    first: Vec<usize>,
    /// The class of each position.
    classes: Vec<usize>,
    /// When each position was visited, as an index into the trail.
    visits: Vec<usize>,
    /// All positions in the order of the traversal.
    trail: Vec<Visit>,
    /// The letter of each class. The traversal of a class that has one began in a literal.
    pub letters: Vec<Option<u32>>,
    /// The embeddings of each word, as the part or as the whole.
    neighbours: Vec<Vec<EmbeddingStep>>,
}

/// A visited position, and the one before it on the path from the first of its class.
#[derive(Clone, Copy)]
struct Visit {
    word: usize,
    position: usize,
    /// `None` for the first one.
    previous: Option<(usize, EmbeddingStep)>,
}

const UNVISITED: usize = usize::MAX;

impl<'a> LetterClasses<'a> {
    /// Computes the classes, and conflicts between letters of literals; if there is none, each
    /// class has at most one letter.
    pub fn new(
        constraints: &'a Constraints,
        candidate: &'a Candidate,
        budget: &Budget,
    ) -> Result<(Self, Vec<Conflict>), UnknownReason> {
        let mut first = vec![0];
        for &length in &candidate.lengths {
            first.push(first[first.len() - 1] + length);
        }
        let mut neighbours = vec![Vec::new(); constraints.words.len()];
        for (number, embedding) in constraints.embeddings.iter().enumerate() {
            if candidate.offsets[number].is_some() {
                neighbours[embedding.part].push((number, true));
                neighbours[embedding.whole].push((number, false));
            }
        }
        let positions = first[first.len() - 1];
        let mut classes = Self {
            constraints,
            candidate,
            first,
            classes: vec![UNVISITED; positions],
            visits: vec![0; positions],
            trail: Vec::with_capacity(positions),
            letters: Vec::new(),
            neighbours,
        };
        let mut conflicts = Vec::new();
        let most = budget.limit(Limit::CellsConflicts);
        let literals =
            (0..constraints.words.len()).filter(|&word| constraints.words[word].literal.is_some());
        for word in literals.chain(0..constraints.words.len()) {
            for position in 0..candidate.lengths[word] {
                if position % 256 == 0 {
                    budget.check()?;
                }
                if classes.classes[classes.first[word] + position] == UNVISITED {
                    conflicts.extend(classes.close(word, position));
                    // The classes are complete unless there is a conflict.
                    if !conflicts.is_empty() && conflicts.len() >= most {
                        return Ok((classes, conflicts));
                    }
                }
            }
        }
        Ok((classes, conflicts))
    }

    /// The classes of the positions of a word.
    pub fn of_word(&self, word: usize) -> &[usize] {
        &self.classes[self.first[word]..self.first[word + 1]]
    }

    /// The path between two positions of one class.
    pub fn path(&self, from: (usize, usize), to: (usize, usize)) -> Vec<EmbeddingStep> {
        let (_, down) = self.origin(from.0, from.1);
        let (_, up) = self.origin(to.0, to.1);
        let common = down.iter().zip(&up).take_while(|(one, two)| one == two).count();
        let back = down[common..].iter().rev().map(|&(number, to_whole)| (number, !to_whole));
        back.chain(up[common..].iter().copied()).collect()
    }

    /// The position where the traversal of the class began, and the path from there.
    pub fn origin(&self, word: usize, position: usize) -> (usize, Vec<EmbeddingStep>) {
        let mut at = self.trail[self.visits[self.first[word] + position]];
        let mut steps = Vec::new();
        while let Some((before, step)) = at.previous {
            steps.push(step);
            at = self.trail[before];
        }
        steps.reverse();
        (at.position, steps)
    }

    fn letter(&self, word: usize, position: usize) -> Option<u32> {
        self.constraints.words[word].literal.as_ref().map(|text| text[position])
    }

    /// Gives all positions that must have the same letter as this one a new class.
    fn close(&mut self, word: usize, position: usize) -> Option<Conflict> {
        let class = self.letters.len();
        let letter = self.letter(word, position);
        self.letters.push(letter);
        let start = (word, position);
        let mut next = self.trail.len();
        self.visit(class, Visit { word, position, previous: None });
        let mut conflict = None;
        while let Some(&Visit { word, position, .. }) = self.trail.get(next) {
            for index in 0..self.neighbours[word].len() {
                let step = self.neighbours[word][index];
                let Some((there, to)) = self.neighbour(word, position, step) else { continue };
                if self.classes[self.first[there] + to] != UNVISITED {
                    continue;
                }
                let previous = Some((next, step));
                self.visit(class, Visit { word: there, position: to, previous });
                let other = self.letter(there, to);
                if conflict.is_none() && letter.is_some() && other.is_some() && other != letter {
                    let (_, steps) = self.origin(there, to);
                    conflict = Some(Conflict { start, steps, end: (there, to) });
                }
            }
            next += 1;
        }
        conflict
    }

    fn visit(&mut self, class: usize, visit: Visit) {
        let number = self.first[visit.word] + visit.position;
        self.classes[number] = class;
        self.visits[number] = self.trail.len();
        self.trail.push(visit);
    }

    /// The position to which a step leads, if the word has it.
    fn neighbour(
        &self,
        word: usize,
        position: usize,
        (number, to_whole): EmbeddingStep,
    ) -> Option<(usize, usize)> {
        let embedding = &self.constraints.embeddings[number];
        debug_assert_eq!(word, if to_whole { embedding.part } else { embedding.whole });
        let offset = self.candidate.offsets[number]?;
        let (there, offset) = if to_whole {
            (embedding.whole, offset)
        } else {
            (embedding.part, offset.checked_neg()?)
        };
        let to = usize::try_from((position as i64).checked_add(offset)?).ok()?;
        (to < self.candidate.lengths[there]).then_some((there, to))
    }
}
