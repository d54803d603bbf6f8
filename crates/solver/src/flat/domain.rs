//! Domains of flat words: the values that a string variable ranges over in one round.
//!
//! A word of a domain is a sequence of blocks. A block repeats its letters `c_0 … c_{p-1}` and is
//! cut off after `L` of them, so its letter at `t` is `c_{t mod p}` for `0 ≤ t < L`. Letters and
//! lengths are integer constants of the arithmetic solver; periods are fixed numbers. A literal is
//! one block of known letters. Sizes grow along a fixed ladder. Source: flat words of Solving
//! Not-Substring Constraint with Flat Abstraction (APLAS 2021), section 5.

use luthier_terms::{CodePoint, Op, PostOrder, SmtString, Term};

use crate::arithmetic::{Arena, Id};
use crate::{Budget, Limit, Problem};

/// How large the domain of one variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of blocks.
    pub blocks: usize,
    /// The number of letters in each.
    pub period: usize,
    /// Whether a block may be longer than its period.
    pub repeats: bool,
}

impl Size {
    const fn new(blocks: usize, period: usize, repeats: bool) -> Self {
        Self { blocks, period, repeats }
    }
}

/// The sizes of domains in the order in which they are tried.
///
/// The period grows before the number of blocks, because the cost is dominated by alignments of
/// blocks. Periods have many divisors: a word with period 8 also has period 24, and there is a rung
/// for every period up to 22. If a language repeats a word of another length, multiples of that
/// come first.
///
/// If `flat.l` is set, it is the sequence of Algorithm 1 of the paper: `k` cycles of period `l`, both
/// greater by `flat.growth` in each round, up to round `flat.flim`. A block may end within its period
/// there, too, so its words include those of the paper with effective periods that divide `l`.
#[derive(Debug)]
pub struct Ladder(Vec<Size>);

/// The usual sizes.
const USUAL: [Size; 19] = [
    Size::new(1, 4, false),
    Size::new(1, 12, false),
    Size::new(1, 12, true),
    Size::new(1, 24, true),
    Size::new(2, 12, true),
    Size::new(1, 60, false),
    Size::new(2, 24, true),
    Size::new(3, 12, true),
    Size::new(1, 60, true),
    Size::new(4, 12, true),
    Size::new(1, 150, false),
    Size::new(6, 24, true),
    // Periods that do not divide 60.
    Size::new(1, 84, true),
    Size::new(1, 72, true),
    Size::new(1, 110, true),
    Size::new(1, 130, true),
    Size::new(1, 96, true),
    Size::new(1, 102, true),
    Size::new(1, 114, true),
];

/// The longest word whose repetition is looked at.
const LONGEST_REPEATED: usize = 60;

impl Ladder {
    /// The sizes for a problem.
    pub fn new(problem: &Problem, budget: &Budget) -> Self {
        let limit = |limit| budget.limit(limit);
        if limit(Limit::FlatL) > 0 {
            let size = |round: usize| {
                let more = round * limit(Limit::FlatGrowth);
                Size::new(limit(Limit::FlatK).max(1) + more, limit(Limit::FlatL) + more, true)
            };
            return Self((0..=limit(Limit::FlatFlim)).map(size).collect());
        }
        let mut sizes = USUAL.to_vec();
        if let Some(length) = repeated_word(problem) {
            // All of them, so that variables on different rungs have a period in common.
            let period = length * 12_usize.div_ceil(length);
            let multiples = [
                Size::new(1, period, false),
                Size::new(1, period, true),
                Size::new(1, 2 * period, true),
                Size::new(2, period, true),
            ];
            sizes.splice(1..2, multiples);
        }
        sizes.truncate(limit(Limit::FlatRungs).max(1));
        Self(sizes)
    }

    /// The number of rungs.
    pub fn rungs(&self) -> usize {
        self.0.len()
    }

    /// The size on a rung for words of at most `bound` letters, and whether the domain contains all
    /// of these: it does if the bound is at most `short` or the period of the rung.
    pub fn within(&self, rung: usize, bound: Option<usize>, short: usize) -> (Size, bool) {
        let size = self.0[rung.min(self.0.len() - 1)];
        match bound {
            Some(bound) if bound <= size.period.max(short) => {
                (Size::new(1, bound.max(1), false), true)
            }
            _ => (size, false),
        }
    }
}

/// The length of the first literal that a language repeats, if it divides no early period.
fn repeated_word(problem: &Problem) -> Option<usize> {
    let pool = &problem.pool;
    PostOrder::new(pool, problem.assertions.iter().copied()).find_map(|term| {
        let Term::Op(Op::ReStar | Op::RePlus | Op::ReLoop, children) = pool.term(term) else {
            return None;
        };
        let Term::Op(Op::StrToRe, &[word]) = pool.term(*children.last()?) else { return None };
        let length = pool.as_string(word)?.len();
        let is_covered = length == 0 || 24_usize.is_multiple_of(length);
        (!is_covered && length <= LONGEST_REPEATED).then_some(length)
    })
}

/// A block: letters that are repeated up to a length.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its letters, as arithmetic terms.
    pub letters: Vec<Id>,
    /// Its length.
    pub length: Id,
    /// Where it starts in its base.
    pub start: Id,
    /// Whether its length may exceed the number of its letters.
    pub repeats: bool,
}

/// What slices are cut from: a variable or a literal.
#[derive(Clone, Debug)]
pub struct Base {
    /// Its blocks, one after the other.
    pub blocks: Vec<Block>,
    /// Its length.
    pub length: Id,
    /// The assumption under which its letters are those of its value; `None` for a literal, whose
    /// letters are known.
    pub domain: Option<Id>,
}

/// The encoding of letters as integers. The arithmetic solver prefers 0, so 0 is a character that
/// no literal of the problem has: then unconstrained values do not contain literals by accident.
#[derive(Clone, Copy, Debug)]
pub struct LetterEncoding {
    zero: u32,
}

impl LetterEncoding {
    /// An encoding in which 0 is a character that is not used.
    pub fn avoiding(mut is_used: impl FnMut(CodePoint) -> bool) -> Self {
        // Letters are the most readable in a model; any other character will do.
        let pleasant = (0x61..=0x7A).chain(0x41..=0x5A).chain(0x21..=0x2FFFF);
        let mut free = pleasant.filter(|&code| CodePoint::new(code).is_some_and(|c| !is_used(c)));
        Self { zero: free.next().unwrap_or(0) }
    }

    /// A known letter.
    pub fn constant(self, arena: &mut Arena, letter: CodePoint) -> Id {
        arena.int(i64::from(letter.code()) - i64::from(self.zero))
    }

    /// The code of a letter.
    pub fn code(self, arena: &mut Arena, letter: Id) -> Id {
        let zero = arena.int(i64::from(self.zero));
        arena.add(&[letter, zero])
    }

    /// The formula that a term is the code of a letter.
    pub fn is_letter(self, arena: &mut Arena, term: Id) -> Id {
        let least = arena.int(-i64::from(self.zero));
        let greatest = self.constant(arena, CodePoint::MAX);
        let (above, below) = (arena.ge(term, least), arena.le(term, greatest));
        arena.and(&[above, below])
    }

    /// The character that a number encodes; the nearest one if it encodes none.
    pub fn character(self, value: i64) -> CodePoint {
        let code = (value + i64::from(self.zero)).clamp(0, i64::from(CodePoint::MAX.code()));
        u32::try_from(code).ok().and_then(CodePoint::new).unwrap_or(CodePoint::MIN)
    }
}

impl Base {
    /// A literal.
    pub fn literal(arena: &mut Arena, letters: LetterEncoding, text: &SmtString) -> Self {
        let known = text.iter().map(|&letter| letters.constant(arena, letter)).collect();
        let length = arena.int(text.len());
        let start = arena.int(0);
        let blocks = vec![Block { letters: known, length, start, repeats: false }];
        Self { blocks, length, domain: None }
    }

    /// A variable with a domain of some size and words of up to `max_letters` letters. Constraints
    /// are added to `facts`; those that depend on the size are guarded by the Boolean constant of
    /// the domain.
    pub fn variable(
        arena: &mut Arena,
        letters: LetterEncoding,
        name: &str,
        size: Size,
        max_letters: usize,
        facts: &mut Vec<Id>,
    ) -> Self {
        let domain = arena.fresh_bool(name);
        let length = arena.fresh_int(name);
        let zero = arena.int(0);
        facts.push(arena.ge(length, zero));
        let mut blocks: Vec<Block> = Vec::with_capacity(size.blocks);
        let mut start = zero;
        for index in 0..size.blocks {
            let known: Vec<Id> = (0..size.period).map(|_| arena.fresh_int("c")).collect();
            for &letter in &known {
                facts.push(letters.is_letter(arena, letter));
            }
            // A single block is as long as its variable.
            let one = size.blocks == 1;
            let block_length = if one { length } else { arena.fresh_int("n") };
            facts.push(arena.ge(block_length, zero));
            let most = if size.repeats { max_letters / size.blocks } else { size.period };
            let most = arena.int(most);
            let short = arena.le(block_length, most);
            facts.push(arena.implies(domain, short));
            if index > 0 && !one {
                // Symmetry breaking: an empty block is not followed by a nonempty one.
                let before = blocks[index - 1].length;
                let (empty, none) = (arena.eq(before, zero), arena.eq(block_length, zero));
                let sorted = arena.implies(empty, none);
                facts.push(arena.implies(domain, sorted));
            }
            let repeats = size.repeats;
            blocks.push(Block { letters: known, length: block_length, start, repeats });
            start = arena.add(&[start, block_length]);
        }
        if size.blocks != 1 {
            let whole = arena.eq(length, start);
            facts.push(arena.implies(domain, whole));
        }
        Self { blocks, length, domain: Some(domain) }
    }
}
