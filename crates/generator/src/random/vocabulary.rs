//! The letters, words and numbers of one random term, and words sampled from a language.
//!
//! A vocabulary has one to three letters, often boundary characters (of ASCII, of bytes, of
//! surrogates, of the alphabet), and remembers its words, so that words and their factors occur
//! again.

use luthier_terms::{BigInt, Op, Term, TermId};

use super::Generator;
use crate::Dice;

/// Boundary characters: of ASCII, of bytes, of surrogates, of planes and of the alphabet, and those that
/// literals must escape.
const BOUNDARY_CHARACTERS: [u32; 17] = [
    0x61, 0x62, 0x30, 0x31, 0x39, 0x22, 0x5C, 0, 0x0A, 0x7F, 0xFF, 0x100, 0xD800, 0xDFFF, 0xFFFF,
    0x10000, LAST,
];

/// The last character of the theory.
pub(super) const LAST: u32 = 0x2FFFF;

/// Boundary values of `str.from_code` and of digits.
pub(super) const CODES: [i64; 10] =
    [0x2F, 0x30, 0x39, 0x3A, 0x61, 0xFF, 0xD800, 0x2FFFE, 0x2FFFF, 0x30000];

/// The largest length of a sampled word.
const LONGEST_SAMPLE: usize = 24;

/// The largest number of subterms of a language that are visited for one sample.
const SAMPLE_STEPS: usize = 400;

/// Few letters, and words that are repeated.
#[derive(Debug)]
pub(super) struct Vocabulary {
    letters: Vec<u32>,
    words: Vec<Vec<u32>>,
    /// The percentage of letters outside of the vocabulary.
    unusual: usize,
    /// The largest length of words, except repetitions.
    longest: usize,
    /// The percentage of numbers that may be large.
    large: usize,
}

impl Vocabulary {
    pub(super) fn new(dice: &mut Dice) -> Self {
        let letters = match dice.below(4) {
            0 => vec![0x30, 0x31, 0x39],
            1 => vec![0x61, 0x62],
            2 => vec![dice.pick(&BOUNDARY_CHARACTERS)],
            _ => vec![dice.pick(&BOUNDARY_CHARACTERS), dice.pick(&BOUNDARY_CHARACTERS)],
        };
        Self { letters, words: Vec::new(), unusual: 12, longest: 5, large: 100 }
    }

    /// Short words of letters that are mostly `a` and `b`, and mostly small numbers.
    pub(super) fn plain(dice: &mut Dice) -> Self {
        let letters = match dice.below(20) {
            0..=9 => vec![0x61, 0x62],
            10..=12 => vec![0x61],
            13 | 14 => vec![0x30, 0x31],
            15 => vec![0x61, 0x30],
            16 => vec![0x61, 0x62, 0x63],
            17 => vec![0x61, 0x41, 0x31],
            18 => vec![0x61, dice.pick(&BOUNDARY_CHARACTERS)],
            _ => vec![dice.pick(&BOUNDARY_CHARACTERS), dice.pick(&BOUNDARY_CHARACTERS)],
        };
        let unusual = dice.pick(&[0, 0, 0, 3, 10]);
        let longest = dice.pick(&[1, 2, 2, 3, 3, 4, 6]);
        let large = dice.pick(&[0, 0, 10, 30]);
        Self { letters, words: Vec::new(), unusual, longest, large }
    }

    pub(super) fn letter(&self, dice: &mut Dice) -> u32 {
        if dice.percent(100 - self.unusual) {
            dice.pick(&self.letters)
        } else {
            dice.pick(&BOUNDARY_CHARACTERS)
        }
    }

    /// A word, which may be a repeated one or a factor of it.
    pub(super) fn word(&mut self, dice: &mut Dice) -> Vec<u32> {
        let word = match dice.below(10) {
            0 => Vec::new(),
            1..=3 if !self.words.is_empty() => {
                let known = &self.words[dice.below(self.words.len())];
                if dice.percent(50) { slice(dice, known) } else { known.clone() }
            }
            4 => [self.letter(dice), self.letter(dice)].repeat(1 + dice.below(3)),
            _ => (0..1 + dice.below(self.longest)).map(|_| self.letter(dice)).collect(),
        };
        self.words.push(word.clone());
        word
    }

    /// A number: mostly small, sometimes the length of a word, a code point, or beyond 64 bits.
    pub(super) fn number(&self, dice: &mut Dice) -> BigInt {
        let kinds = if self.large == 100 || dice.percent(self.large) { 20 } else { 14 };
        match dice.below(kinds) {
            0..=9 => dice.between(-1, 4).into(),
            10..=13 => dice.between(-3, 10).into(),
            14 | 15 => dice.pick(&CODES).into(),
            16 if !self.words.is_empty() => self.words[dice.below(self.words.len())].len().into(),
            16 | 17 => dice.between(10, 1000).into(),
            18 => {
                let power = BigInt::from(2).pow(dice.pick(&[31, 32, 63, 64]));
                let power = power + dice.between(-1, 1);
                if dice.percent(50) { power } else { -power }
            }
            _ => {
                let huge = BigInt::from(10).pow(30) + dice.between(-9, 9);
                if dice.percent(50) { huge } else { -huge }
            }
        }
    }
}

/// A random factor of a word, possibly empty, possibly the whole word.
pub(super) fn slice(dice: &mut Dice, word: &[u32]) -> Vec<u32> {
    let (one, two) = (dice.below(word.len() + 1), dice.below(word.len() + 1));
    word[one.min(two)..one.max(two)].to_vec()
}

impl Generator {
    /// A literal that is likely in the language, or contains a word of it.
    pub(super) fn word_for(&mut self, language: TermId) -> TermId {
        let mut word = Vec::new();
        for _ in 0..self.dice.pick(&[1, 1, 1, 2]) {
            if self.dice.percent(20) {
                word.extend(self.word());
            }
            self.sample(language, &mut word);
        }
        if self.dice.percent(15) {
            word.push(self.letter());
        }
        word.truncate(LONGEST_SAMPLE);
        self.string(word)
    }

    /// Appends a likely word of the language; complements and intersections are not respected.
    fn sample(&mut self, language: TermId, word: &mut Vec<u32>) {
        // The parts still to be appended, the next one last.
        let mut pending = vec![language];
        for _ in 0..SAMPLE_STEPS {
            let Some(part) = pending.pop() else { return };
            if word.len() > LONGEST_SAMPLE {
                return;
            }
            let Term::Op(op, children) = self.pool.term(part) else { continue };
            let children = children.to_vec();
            match (op, &children[..]) {
                (Op::ReAll | Op::ReComp, _) => word.extend(self.word()),
                (Op::ReAllChar, _) => word.push(self.letter()),
                (Op::StrToRe, &[text]) => word.extend(self.text_of(text).unwrap_or_default()),
                (Op::ReRange, &[low, high]) => {
                    let edge = self.dice.pick(&[low, high]);
                    let mut edge = self.text_of(edge).unwrap_or_default();
                    if let ([character], true) = (&mut edge[..], self.dice.percent(30)) {
                        let near = [*character + 1, character.saturating_sub(1)];
                        *character = self.dice.pick(&near).min(LAST);
                    }
                    word.extend(edge);
                }
                (Op::ReConcat, parts) => pending.extend(parts.iter().rev()),
                (Op::ReUnion | Op::ReInter, parts) => pending.push(self.dice.pick(parts)),
                (Op::Ite, &[_, one, two]) => pending.push(self.dice.pick(&[one, two])),
                (Op::ReDiff, &[first, ..]) => pending.push(first),
                (Op::ReStar, &[one]) => self.repeat(one, 0, 3, &mut pending),
                (Op::RePlus, &[one]) => self.repeat(one, 1, 3, &mut pending),
                (Op::ReOpt, &[one]) => self.repeat(one, 0, 1, &mut pending),
                (Op::RePower, &[count, one]) => {
                    let count = self.small(count);
                    self.repeat(one, count, count, &mut pending);
                }
                (Op::ReLoop, &[least, most, one]) => {
                    let (least, most) = (self.small(least), self.small(most));
                    self.repeat(one, least, most, &mut pending);
                }
                // `re.none` has no word.
                _ => {}
            }
        }
    }

    /// An index, bounded by a small number.
    fn small(&self, index: TermId) -> i64 {
        const FEW: i64 = 5;
        let index = self.pool.as_integer(index).and_then(|index| i64::try_from(index).ok());
        index.map_or(FEW, |index| index.min(FEW))
    }

    fn repeat(&mut self, one: TermId, least: i64, most: i64, pending: &mut Vec<TermId>) {
        for _ in 0..self.dice.between(least, most) {
            pending.push(one);
        }
    }
}
