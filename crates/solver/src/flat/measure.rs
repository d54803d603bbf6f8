//! The cost of encodings by the number of blocks: nodes, bytes, time and memory, for measurements
//! of how they grow.
//!
//! The problems are about two words of `n` variables each. A variable is one block of `p` letters,
//! repeated and cut off after at least one of them. The letters are given, `0` and `1` alternating,
//! such that neighbouring blocks begin with different ones; the unknowns are the lengths of the
//! blocks. See `docs/flat.md` for results.

use std::time::{Duration, Instant};

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;

use super::domain::{Base, LetterEncoding, Size};
use super::not_substring::NotSubstring;
use super::refine::with_sat_core;
use super::word::{Slice, Word};
use super::word_encoder::WordEncoder;
use crate::arithmetic::{Answer, ArithmeticSolver, Backend, Id, Value, Z3};
use crate::{Budget, Limit, UnknownReason};

/// An encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Two words are equal: their blocks are aligned.
    Alignment,
    /// One does not occur in the other, which is longer by at least `n`.
    NotSubstring(NotSubstring),
}

/// What an encoding cost.
#[derive(Clone, Debug)]
pub struct Cost {
    /// How many distinct formulas and terms were asserted.
    pub nodes: usize,
    /// How many bytes the arithmetic solver was sent.
    pub bytes: usize,
    /// How long it took.
    pub time: Duration,
    /// The most memory it had, in bytes.
    pub memory: Option<u64>,
    /// The number of checks.
    pub checks: usize,
    /// The reason why there is no model; `None` if there is one.
    pub failure: Option<UnknownReason>,
}

/// Solves a problem about two words of `blocks` blocks of `period` letters.
pub fn cost(
    backend: &Backend,
    encoding: Encoding,
    blocks: usize,
    period: usize,
    budget: &Budget,
) -> Result<Cost, UnknownReason> {
    let mut words = WordEncoder::new(LetterEncoding::avoiding(|_| false), budget.clone());
    let (left, right) = (word(&mut words, blocks, period), word(&mut words, blocks, period));
    let truth = words.arena.bool(true);
    match encoding {
        Encoding::Alignment => {
            let zero = words.arena.int(0);
            let same = words.arena.eq(left.length(), right.length());
            words.fact(same);
            words.assert_occurrence(truth, &left, &right, zero);
        }
        Encoding::NotSubstring(form) => {
            let least = words.arena.int(blocks);
            let least = words.arena.add(&[left.length(), least]);
            let longer = words.arena.ge(right.length(), least);
            words.fact(longer);
            match form {
                NotSubstring::Paper => words.not_substring_quantified(truth, &left, &right)?,
                NotSubstring::Covering => words.not_substring_covering(truth, &left, &right)?,
                NotSubstring::Lazy => {}
            }
        }
    }
    let Backend::Z3 { program, arguments } = with_sat_core(backend) else {
        return Err(UnknownReason::Failed("only a process can be measured".to_owned()));
    };
    let mut solver = Z3::start(&program, &arguments)?;
    let start = Instant::now();
    let mut asserted = Vec::new();
    let mut checks = 0;
    let failure = loop {
        for fact in std::mem::take(&mut words.facts) {
            solver.assert(&words.arena, fact)?;
            asserted.push(fact);
        }
        checks += 1;
        match solver.check(&words.arena, &[], budget) {
            Ok(Answer::Sat) => {}
            Ok(Answer::Unsat(_)) => break Some(UnknownReason::Incomplete("no model".to_owned())),
            Ok(Answer::Unknown(reason)) => break Some(UnknownReason::Incomplete(reason)),
            Err(reason) => break Some(reason),
        }
        if encoding != Encoding::NotSubstring(NotSubstring::Lazy) {
            break None;
        }
        match first_occurrence(&words, &mut solver, &left, &right) {
            Ok(None) => break None,
            Ok(Some((anchor, offset))) => {
                let offset = words.arena.int(offset);
                let shift = words.arena.add(&[anchor, offset]);
                words.assert_mismatch_at(truth, &left, &right, shift);
            }
            Err(reason) => break Some(reason),
        }
    };
    Ok(Cost {
        nodes: reachable(&words, &asserted),
        bytes: solver.bytes_sent(),
        time: start.elapsed(),
        memory: solver.peak_memory(),
        checks,
        failure,
    })
}

/// A word of variables.
fn word(words: &mut WordEncoder, blocks: usize, period: usize) -> Word {
    let size = Size { blocks: 1, period, repeats: true };
    let mut slices = Vec::with_capacity(blocks);
    for number in 0..blocks {
        let max_letters = words.budget.limit(Limit::FlatLength);
        let WordEncoder { arena, letters, facts, .. } = words;
        let base = Base::variable(arena, *letters, "x", size, max_letters, facts);
        let (start, one) = (arena.int(0), arena.int(1));
        facts.extend(base.domain);
        facts.push(arena.ge(base.length, one));
        for (index, &letter) in base.blocks.iter().flat_map(|block| &block.letters).enumerate() {
            let given = arena.int((number + index) % 2);
            facts.push(arena.eq(letter, given));
        }
        slices.push(Slice { base: words.bases.len(), start, length: base.length });
        words.bases.push(base);
    }
    Word::new(&mut words.arena, slices)
}

/// The first occurrence of the needle in the haystack in the solver's model: the start of a block
/// of the haystack, and the offset from there.
fn first_occurrence(
    words: &WordEncoder,
    solver: &mut Z3,
    needle: &Word,
    hay: &Word,
) -> Result<Option<(Id, BigInt)>, UnknownReason> {
    let mut texts = Vec::new();
    for word in [needle, hay] {
        let mut text: Vec<BigInt> = Vec::new();
        let mut starts = Vec::new();
        for slice in word.slices() {
            let block = &words.bases[slice.base].blocks[0];
            let mut queried = vec![slice.length];
            queried.extend(&block.letters);
            let values = solver.values(&words.arena, &queried)?;
            let mut numbers = values.iter().filter_map(Value::as_int);
            let length = numbers.next().and_then(BigInt::to_usize).unwrap_or(0);
            starts.push(text.len());
            let letters: Vec<BigInt> = numbers.cloned().collect();
            text.extend(letters.into_iter().cycle().take(length));
        }
        texts.push((text, starts));
    }
    let (short, (long, starts)) = (&texts[0].0, &texts[1]);
    let Some(found) = long.windows(short.len()).position(|window| window == &short[..]) else {
        return Ok(None);
    };
    let anchor = starts.iter().rposition(|&start| start <= found).unwrap_or(0);
    let offset = BigInt::from(found - starts[anchor]);
    Ok(Some((hay.placed()[anchor].0, offset)))
}

/// The number of distinct subterms of some formulas.
fn reachable(words: &WordEncoder, formulas: &[Id]) -> usize {
    let mut seen: FxHashSet<Id> = FxHashSet::default();
    let mut stack = formulas.to_vec();
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            stack.extend(words.arena.children(id));
        }
    }
    seen.len()
}
