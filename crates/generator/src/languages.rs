//! Regular expressions built around a given word: languages that contain it, and languages that do
//! not.
//!
//! Each construction is named after the operator at its root, so that a language with a given
//! operator can be requested. Those that contain the word are correct by construction, for example
//! a union with any other language, or a concatenation of languages for the parts of a split. Where
//! membership does not follow from the construction, the referee checks it. Recursion is bounded by
//! the given depth.

use luthier_semantics::Value;
use luthier_terms::{BasicSort, BigInt, Op, TermId};

use crate::random::Generator;

/// The operators whose result is a language.
pub(crate) const LANGUAGES: [Op; 16] = [
    Op::StrToRe,
    Op::ReNone,
    Op::ReAll,
    Op::ReAllChar,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReInter,
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReComp,
    Op::ReDiff,
    Op::ReRange,
    Op::RePower,
    Op::ReLoop,
    Op::Ite,
];

/// The operators used most, with repetitions as weights.
const USUAL: [Op; 20] = [
    Op::StrToRe,
    Op::StrToRe,
    Op::ReAll,
    Op::ReAllChar,
    Op::ReConcat,
    Op::ReConcat,
    Op::ReConcat,
    Op::ReUnion,
    Op::ReUnion,
    Op::ReInter,
    Op::ReStar,
    Op::ReStar,
    Op::RePlus,
    Op::ReOpt,
    Op::ReComp,
    Op::ReComp,
    Op::ReDiff,
    Op::ReRange,
    Op::RePower,
    Op::ReLoop,
];

/// The attempts to find a construction that is possible for the word.
const ATTEMPTS: usize = 4;

impl Generator {
    /// A language that contains the word.
    pub(crate) fn matching(&mut self, word: &[u32], depth: usize) -> TermId {
        if depth > 0 && !self.dice.percent(15) {
            for _ in 0..ATTEMPTS {
                let op = self.dice.pick(&USUAL);
                if let Some(language) = self.matching_with(op, word, depth) {
                    return language;
                }
            }
        }
        self.singleton(word)
    }

    /// A language that does not contain the word.
    pub(crate) fn avoiding(&mut self, word: &[u32], depth: usize) -> TermId {
        if depth > 0 && !self.dice.percent(15) {
            for _ in 0..ATTEMPTS {
                let op = self.dice.pick(&USUAL);
                if let Some(language) = self.avoiding_with(op, word, depth) {
                    return language;
                }
            }
        }
        match self.another_word(word) {
            Some(other) => self.singleton(&other),
            None => self.op(Op::ReNone, &[]),
        }
    }

    /// A language that contains the word, with the operator at its root or, for operators of one or no
    /// word, near it; `None` if this construction is not possible.
    pub(crate) fn matching_with(&mut self, op: Op, word: &[u32], depth: usize) -> Option<TermId> {
        let below = depth.saturating_sub(1);
        match op {
            Op::StrToRe => Some(self.singleton(word)),
            Op::ReAll if self.dice.percent(30) => Some(self.op(Op::ReAll, &[])),
            Op::ReAll => {
                let all = self.op(Op::ReAll, &[]);
                let cut = self.dice.below(word.len() + 1);
                let parts = if self.dice.percent(50) {
                    [self.matching(&word[..cut], below), all]
                } else {
                    [all, self.matching(&word[cut..], below)]
                };
                Some(self.op(Op::ReConcat, &parts))
            }
            Op::ReAllChar => {
                let any = self.op(Op::ReAllChar, &[]);
                match word {
                    [] => None,
                    [_] => Some(any),
                    [_, rest @ ..] => {
                        let rest = self.matching(rest, below);
                        Some(self.op(Op::ReConcat, &[any, rest]))
                    }
                }
            }
            Op::ReConcat => {
                let mut cuts =
                    [0, self.dice.below(word.len() + 1), self.dice.below(word.len() + 1)];
                cuts.sort_unstable();
                let [_, first, second] = cuts;
                let parts = if self.dice.percent(70) {
                    vec![&word[..first], &word[first..]]
                } else {
                    vec![&word[..first], &word[first..second], &word[second..]]
                };
                let parts: Vec<TermId> =
                    parts.into_iter().map(|part| self.matching(part, below)).collect();
                Some(self.op(Op::ReConcat, &parts))
            }
            Op::ReUnion => {
                let (good, other) =
                    (self.matching(word, below), self.arbitrary_language(word, below));
                Some(self.joined(Op::ReUnion, good, other))
            }
            Op::ReNone => {
                let (good, none) = (self.matching(word, below), self.op(Op::ReNone, &[]));
                Some(self.joined(Op::ReUnion, good, none))
            }
            Op::ReInter => {
                let (one, two) = (self.matching(word, below), self.matching(word, below));
                Some(self.op(Op::ReInter, &[one, two]))
            }
            Op::ReComp => {
                let other = self.avoiding(word, below);
                Some(self.op(Op::ReComp, &[other]))
            }
            Op::ReDiff => {
                let (good, bad) = (self.matching(word, below), self.avoiding(word, below));
                Some(self.op(Op::ReDiff, &[good, bad]))
            }
            Op::ReOpt => {
                let inner = if word.is_empty() {
                    self.arbitrary_language(word, below)
                } else {
                    self.matching(word, below)
                };
                Some(self.op(Op::ReOpt, &[inner]))
            }
            Op::ReStar | Op::RePlus | Op::RePower | Op::ReLoop => self.repeating(op, word, below),
            Op::ReRange => match *word {
                [code] => Some(self.range_around(code)),
                [] => None,
                [first, ref rest @ ..] => {
                    let (range, rest) = (self.range_around(first), self.matching(rest, below));
                    Some(self.op(Op::ReConcat, &[range, rest]))
                }
            },
            Op::Ite => {
                let condition = self.term(BasicSort::Bool, 1);
                let truth = self.value_of(condition)? == Value::Bool(true);
                let (good, other) =
                    (self.matching(word, below), self.arbitrary_language(word, below));
                let branches = if truth { [good, other] } else { [other, good] };
                Some(self.op(Op::Ite, &[condition, branches[0], branches[1]]))
            }
            _ => None,
        }
    }

    /// As [`Generator::matching_with`], but the language does not contain the word.
    pub(crate) fn avoiding_with(&mut self, op: Op, word: &[u32], depth: usize) -> Option<TermId> {
        let below = depth.saturating_sub(1);
        match op {
            Op::StrToRe => {
                let other = self.another_word(word)?;
                Some(self.singleton(&other))
            }
            Op::ReNone if self.dice.percent(30) => Some(self.op(Op::ReNone, &[])),
            Op::ReNone => {
                let (other, none) =
                    (self.arbitrary_language(word, below), self.op(Op::ReNone, &[]));
                Some(self.joined(Op::ReConcat, other, none))
            }
            Op::ReUnion => {
                let (one, two) = (self.avoiding(word, below), self.avoiding(word, below));
                Some(self.op(Op::ReUnion, &[one, two]))
            }
            Op::ReInter => {
                let (bad, other) =
                    (self.avoiding(word, below), self.arbitrary_language(word, below));
                Some(self.joined(Op::ReInter, bad, other))
            }
            Op::ReComp => {
                let good = self.matching(word, below);
                Some(self.op(Op::ReComp, &[good]))
            }
            Op::ReDiff => {
                let (other, good) =
                    (self.arbitrary_language(word, below), self.matching(word, below));
                Some(self.op(Op::ReDiff, &[other, good]))
            }
            // A language built around another word often does not contain this one.
            Op::ReAll
            | Op::ReAllChar
            | Op::ReConcat
            | Op::ReOpt
            | Op::ReStar
            | Op::RePlus
            | Op::ReRange
            | Op::RePower
            | Op::ReLoop => {
                let other = self.another_word(word)?;
                let language = self.matching_with(op, &other, depth)?;
                let word = self.string(word.to_vec());
                let member = self.op(Op::StrInRe, &[word, language]);
                (self.value_of(member)? == Value::Bool(false)).then_some(language)
            }
            _ => None,
        }
    }

    /// `(str.to_re t)` where the value of t is the word.
    fn singleton(&mut self, word: &[u32]) -> TermId {
        let text = if self.writes_ground_languages() {
            self.string(word.to_vec())
        } else {
            self.express_word(word, 1)
        };
        self.op(Op::StrToRe, &[text])
    }

    /// A language that may or may not contain the word.
    fn arbitrary_language(&mut self, word: &[u32], depth: usize) -> TermId {
        match self.dice.below(6) {
            0 | 1 => self.avoiding(word, depth),
            2 => self.matching(word, depth),
            3 | 4 => {
                let other = self.word();
                self.matching(&other, depth)
            }
            _ => self.term(BasicSort::RegLan, depth),
        }
    }

    fn joined(&mut self, op: Op, one: TermId, two: TermId) -> TermId {
        if self.dice.percent(50) { self.op(op, &[one, two]) } else { self.op(op, &[two, one]) }
    }

    /// The word as a repetition of one language.
    fn repeating(&mut self, op: Op, word: &[u32], below: usize) -> Option<TermId> {
        let (count, inner) = if word.is_empty() && self.dice.percent(60) {
            (0, self.arbitrary_language(word, below))
        } else if let Some((root, count)) = self.power_of(word) {
            (count, self.matching(&root, below))
        } else {
            // The factors differ: the language contains all of them.
            let cut = self.dice.below(word.len() + 1);
            let (one, two) =
                (self.matching(&word[..cut], below), self.matching(&word[cut..], below));
            (2, self.joined(Op::ReUnion, one, two))
        };
        match op {
            Op::RePlus if count == 0 => None,
            Op::ReStar | Op::RePlus => Some(self.op(op, &[inner])),
            Op::RePower => {
                let count = self.numeral(count.into());
                Some(self.op(op, &[count, inner]))
            }
            _ => {
                let least = count - self.dice.below(count + 1);
                let most = count + self.dice.pick(&[0, 0, 1, 2]);
                let huge = self.dice.below(1000) == 0;
                let most = if huge { BigInt::from(10).pow(20) } else { most.into() };
                let (least, most) = (self.numeral(least.into()), self.numeral(most));
                Some(self.op(Op::ReLoop, &[least, most, inner]))
            }
        }
    }

    /// A root of the word and its exponent; not always the primitive root.
    fn power_of(&mut self, word: &[u32]) -> Option<(Vec<u32>, usize)> {
        let lengths: Vec<usize> = (1..=word.len())
            .filter(|&length| {
                word.len().is_multiple_of(length)
                    && word.chunks(length).all(|chunk| *chunk == word[..length])
            })
            .collect();
        // Every word is its own first power; then it is often split instead.
        if lengths.is_empty() || (lengths.len() == 1 && self.dice.percent(60)) {
            return None;
        }
        let length = self.dice.pick(&lengths);
        Some((word[..length].to_vec(), word.len() / length))
    }

    fn range_around(&mut self, code: u32) -> TermId {
        const LAST: u32 = 0x2FFFF;
        let widths = [0, 0, 1, 1, 2, 0x20];
        let (low, high) = (self.dice.pick(&widths), self.dice.pick(&widths));
        let (low, high) = (code.saturating_sub(low), (code + high).min(LAST));
        let (low, high) = (self.string(vec![low]), self.string(vec![high]));
        self.op(Op::ReRange, &[low, high])
    }

    /// A different word, often similar.
    fn another_word(&mut self, word: &[u32]) -> Option<Vec<u32>> {
        let mut other = word.to_vec();
        match self.dice.below(5) {
            0 => {
                other.pop();
            }
            1 => {
                let letter = self.letter();
                other.push(letter);
            }
            2 if !word.is_empty() => {
                let (position, letter) = (self.dice.below(word.len()), self.letter());
                other[position] = letter;
            }
            3 => other = [word, word].concat(),
            _ => other = self.word(),
        }
        (other != word).then_some(other)
    }
}
