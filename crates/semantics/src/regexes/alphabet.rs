//! Character classes: a partition of the alphabet into intervals that some expressions do not
//! distinguish.

use luthier_terms::CodePoint;

use super::language::{Language, Operator};

/// A partition of all characters into intervals that is fine enough for some languages: each of
/// their sets and literals contains all of a class or nothing of it, so derivatives by two
/// characters of one class are equal.
pub(super) struct Alphabet {
    /// The least code of each class, ascending from zero.
    starts: Vec<u32>,
}

/// A class of an alphabet.
pub(super) type Class = u32;

impl Alphabet {
    pub(super) fn new(languages: &[&Language]) -> Self {
        let mut starts = vec![0];
        for part in languages.iter().flat_map(|language| language.parts()) {
            match &part.node().operator {
                Operator::Characters(set) => {
                    for &(first, last) in set.intervals() {
                        starts.extend([first, last + 1]);
                    }
                }
                Operator::Literal(text) => {
                    for character in text.iter() {
                        starts.extend([character.code(), character.code() + 1]);
                    }
                }
                _ => {}
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts.retain(|&start| start <= CodePoint::MAX.code());
        Self { starts }
    }

    /// The class of a character.
    pub(super) fn class_of(&self, character: CodePoint) -> Class {
        let after = self.starts.partition_point(|&start| start <= character.code());
        // There are at most as many classes as characters.
        (after - 1) as Class
    }

    /// The code of some character of a class.
    pub(super) fn representative(&self, class: Class) -> u32 {
        self.starts[class as usize]
    }

    /// All classes.
    pub(super) fn classes(&self) -> std::ops::Range<Class> {
        0..self.starts.len() as Class
    }
}
