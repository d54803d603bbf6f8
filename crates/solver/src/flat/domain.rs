//! Where the values of string variables are looked for: flat words.
//!
//! A word of a domain is a sequence of blocks. A block repeats its letters `c_0 … c_{p-1}` and is
//! cut off after `L` of them, so its letter at `t` is `c_{t mod p}` for `0 ≤ t < L`. Letters and
//! lengths are integers for the arithmetic solver to find; periods are fixed numbers. A literal is
//! one block of known letters.

use luthier_terms::{CodePoint, SmtString};

use crate::arithmetic::{Arena, Id};

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

    /// The domains in the order in which they are tried. The period grows before the number of
    /// blocks, because alignments of many blocks are what costs time. Periods have many
    /// divisors: a word that repeats 8 letters also repeats 24.
    const LADDER: [Self; 12] = [
        Self::new(1, 4, false),
        Self::new(1, 12, false),
        Self::new(1, 12, true),
        Self::new(1, 24, true),
        Self::new(2, 12, true),
        Self::new(1, 60, false),
        Self::new(2, 24, true),
        Self::new(3, 12, true),
        Self::new(1, 60, true),
        Self::new(4, 12, true),
        Self::new(1, 150, false),
        Self::new(6, 24, true),
    ];

    /// The size on a rung of the ladder; `None` above the last.
    pub fn on(rung: usize) -> Option<Self> {
        Self::LADDER.get(rung).copied()
    }

    /// The size on a rung for words that have at most `bound` letters, and whether it has all of
    /// them: it does if the bound is not above `short` or the period of the rung.
    pub fn within(rung: usize, bound: Option<usize>, short: usize) -> (Self, bool) {
        let size = Self::on(rung).unwrap_or_else(Self::largest);
        match bound {
            Some(bound) if bound <= size.period.max(short) => {
                (Self::new(1, bound.max(1), false), true)
            }
            _ => (size, false),
        }
    }

    /// The size on the last rung.
    pub fn largest() -> Self {
        Self::LADDER[Self::LADDER.len() - 1]
    }
}

/// A sequence of letters that is repeated and cut off.
#[derive(Clone, Debug)]
pub struct Block {
    /// Its letters, as arithmetic terms.
    pub letters: Vec<Id>,
    /// How long it is.
    pub length: Id,
    /// Where it starts in its base.
    pub start: Id,
    /// Whether it may be longer than it has letters.
    pub repeats: bool,
}

/// What slices are cut from: a variable or a literal.
#[derive(Clone, Debug)]
pub struct Base {
    /// Its blocks, one after the other.
    pub blocks: Vec<Block>,
    /// Its length.
    pub length: Id,
    /// Assumed while its letters mean anything; `None` for a literal, whose letters are known.
    pub domain: Option<Id>,
}

/// Letters as arithmetic terms. The solver likes the number 0, so 0 stands for a character that
/// no literal of the problem has: then values that nothing asks for do not contain literals.
#[derive(Clone, Copy, Debug)]
pub struct Letters {
    zero: u32,
}

impl Letters {
    /// Letters for a problem with these characters in its literals.
    pub fn avoiding(mut is_used: impl FnMut(CodePoint) -> bool) -> Self {
        // Letters are pleasant to read in a model; anything else will do.
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

    /// That a term is a letter.
    pub fn is_letter(self, arena: &mut Arena, term: Id) -> Id {
        let least = arena.int(-i64::from(self.zero));
        let greatest = self.constant(arena, CodePoint::MAX);
        let (above, below) = (arena.ge(term, least), arena.le(term, greatest));
        arena.and(&[above, below])
    }

    /// The character that a value of a letter stands for; the nearest if it is none.
    pub fn character(self, value: i64) -> CodePoint {
        let code = (value + i64::from(self.zero)).clamp(0, i64::from(CodePoint::MAX.code()));
        u32::try_from(code).ok().and_then(CodePoint::new).unwrap_or(CodePoint::MIN)
    }
}

impl Base {
    /// A literal.
    pub fn literal(arena: &mut Arena, letters: Letters, text: &SmtString) -> Self {
        let known = text.iter().map(|&letter| letters.constant(arena, letter)).collect();
        let length = arena.int(text.len());
        let start = arena.int(0);
        let blocks = vec![Block { letters: known, length, start, repeats: false }];
        Self { blocks, length, domain: None }
    }

    /// A variable with a domain of some size and of words up to `longest` letters. What must hold whatever the size is goes to
    /// `facts`; what the size adds is guarded by the domain's literal.
    pub fn variable(
        arena: &mut Arena,
        letters: Letters,
        name: &str,
        size: Size,
        longest: usize,
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
            let most = if size.repeats { longest / size.blocks } else { size.period };
            let most = arena.int(most);
            let short = arena.le(block_length, most);
            facts.push(arena.implies(domain, short));
            if index > 0 && !one {
                // An empty block before one that is not empty is the same word once more.
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
