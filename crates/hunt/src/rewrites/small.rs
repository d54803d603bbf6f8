//! Small terms: operators of one or two levels over constants and corner values.
//!
//! Rules of rewriters match small patterns with particular literals, such as `(= "-1" (str.from_int i))`;
//! large random terms seldom have them. Half of the terms with a Boolean value compare an application
//! with a literal.

use luthier_generator::Dice;
use luthier_terms::{BasicSort, BigInt, Op, Shape, SmtString, TermId, TermPool, Theory};

/// The literals. Few and short, so that two of them are often related.
const WORDS: [&str; 14] =
    ["", "", "a", "a", "b", "ab", "aa", "aba", "0", "0", "1", "-1", "-1", "01"];
const NUMBERS: [i64; 12] = [-2, -1, -1, 0, 0, 0, 1, 1, 2, 3, 10, 97];
const INDICES: [i64; 5] = [0, 1, 1, 2, 3];

/// Makes small terms over the constants of a pool.
pub(super) struct SmallTerms<'a> {
    pub pool: &'a mut TermPool,
    pub constants: &'a [TermId],
    pub dice: Dice,
}

impl SmallTerms<'_> {
    /// A term of sort `Bool`, `Int` or `String`.
    pub fn term(&mut self) -> TermId {
        use BasicSort::{Bool, Int, String};
        let depth = 1 + self.dice.below(2);
        if self.dice.percent(40) {
            let sort = self.dice.pick(&[Int, String, String]);
            let (application, literal) = (self.application(sort, depth), self.literal(sort));
            let op = match sort {
                Int => self.dice.pick(&[Op::Eq, Op::Eq, Op::Lt, Op::Le, Op::Ge, Op::Gt]),
                _ => self.dice.pick(&[
                    Op::Eq,
                    Op::Eq,
                    Op::Eq,
                    Op::Eq,
                    Op::Eq,
                    Op::StrContains,
                    Op::StrPrefixOf,
                    Op::StrSuffixOf,
                    Op::StrLt,
                    Op::StrLe,
                ]),
            };
            let mut arguments = [application, literal];
            if self.dice.percent(50) {
                arguments.reverse();
            }
            return self.op(op, &arguments);
        }
        let sort = self.dice.pick(&[Bool, Bool, Int, String]);
        self.application(sort, depth)
    }

    /// An application of a random operator of the sort.
    fn application(&mut self, sort: BasicSort, depth: usize) -> TermId {
        let fits = |shape: Shape| match shape {
            Shape::Exact(arguments, result) => {
                result.as_basic() == Some(sort) && !arguments.is_empty()
            }
            Shape::Folded(_, result, _) => result.as_basic() == Some(sort),
            Shape::Polymorphic(_) => sort == BasicSort::Bool,
            Shape::IfThenElse => true,
            Shape::Select | Shape::Store | Shape::ConstantArray => false,
        };
        let of_strings = self.dice.percent(75);
        let rows: Vec<Op> = Op::TABLE
            .iter()
            .filter(|info| fits(info.shape) && (!of_strings || info.theory == Theory::Strings))
            .map(|info| info.op)
            .collect();
        let op = self.dice.pick(&rows);
        let count = self.dice.pick(&[2, 2, 2, 3]);
        let sorts: Vec<BasicSort> = match op.info().shape {
            Shape::Exact(sorts, _) => sorts.iter().filter_map(|sort| sort.as_basic()).collect(),
            Shape::Folded(sort, ..) => {
                vec![sort.as_basic().unwrap_or(BasicSort::String); count]
            }
            Shape::Polymorphic(_) => {
                use BasicSort::{Bool, Int, RegLan, String};
                vec![self.dice.pick(&[Bool, Int, String, String, String, RegLan]); count]
            }
            _ => vec![BasicSort::Bool, sort, sort],
        };
        let mut arguments = Vec::with_capacity(sorts.len());
        for (position, sort) in sorts.into_iter().enumerate() {
            arguments.push(match position < op.info().indices {
                true => {
                    let index = self.dice.pick(&INDICES);
                    // `divisible` has a positive index.
                    self.integer(if op == Op::Divisible { index + 1 } else { index })
                }
                false => self.argument(sort, depth - 1),
            });
        }
        self.op(op, &arguments)
    }

    fn argument(&mut self, sort: BasicSort, depth: usize) -> TermId {
        if depth > 0 && self.dice.percent(50) {
            return self.application(sort, depth);
        }
        let fits = |constant: &&TermId| self.pool.sort(**constant).as_basic() == Some(sort);
        let fitting: Vec<TermId> = self.constants.iter().filter(fits).copied().collect();
        if !fitting.is_empty() && self.dice.percent(55) {
            return self.dice.pick(&fitting);
        }
        self.literal(sort)
    }

    fn literal(&mut self, sort: BasicSort) -> TermId {
        match sort {
            BasicSort::Bool => {
                let op = self.dice.pick(&[Op::True, Op::False]);
                self.op(op, &[])
            }
            BasicSort::Int => {
                let number = self.dice.pick(&NUMBERS);
                self.integer(number)
            }
            BasicSort::String => {
                let word = self.dice.pick(&WORDS);
                let text = SmtString::from_text(word).expect("letters of the alphabet");
                self.pool.string(text).expect(ROOM)
            }
            BasicSort::RegLan => match self.dice.below(6) {
                0 => self.op(Op::ReNone, &[]),
                1 => self.op(Op::ReAll, &[]),
                2 => self.op(Op::ReAllChar, &[]),
                3 => {
                    let bounds = [self.argument(BasicSort::String, 0), self.literal_letter()];
                    self.op(Op::ReRange, &bounds)
                }
                _ => {
                    let word = self.argument(BasicSort::String, 0);
                    self.op(Op::StrToRe, &[word])
                }
            },
        }
    }

    fn literal_letter(&mut self) -> TermId {
        let letter = self.dice.pick(&["a", "b", "1", "", "ab"]);
        let text = SmtString::from_text(letter).expect("letters of the alphabet");
        self.pool.string(text).expect(ROOM)
    }

    fn integer(&mut self, number: i64) -> TermId {
        if number < 0 {
            let positive = self.pool.integer(BigInt::from(-number)).expect(ROOM);
            return self.op(Op::Neg, &[positive]);
        }
        self.pool.integer(BigInt::from(number)).expect(ROOM)
    }

    fn op(&mut self, op: Op, arguments: &[TermId]) -> TermId {
        self.pool.op(op, arguments).expect("the arguments have the sorts of the operator's row")
    }
}

/// Why building a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";
