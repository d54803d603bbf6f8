//! The one operator table: Core, Ints, the complete theory of strings of SMT-LIB 2.7, and the
//! three array operators that published string benchmarks use.
//!
//! An indexed operator carries its indices as leading integer literals among its children, so
//! `((_ re.loop 1 3) r)` is `ReLoop` with the children `1`, `3` and `r`.

use crate::Sort::{self, Bool, Int, RegLan, String};

/// The theory of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theory {
    /// The Core theory.
    Core,
    /// The theory of integers.
    Ints,
    /// The theory of strings.
    Strings,
    /// The theory of arrays.
    Arrays,
}

/// The attribute of a binary operator that extends it to more arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// `(f a b c)` is `(f (f a b) c)`.
    LeftAssoc,
    /// `(f a b c)` is `(f a (f b c))`.
    RightAssoc,
    /// `(f a b c)` is `(and (f a b) (f b c))`.
    Chainable,
    /// `(f a b c)` is `f` of every pair (pairwise).
    Pairwise,
}

/// The rank of an operator: the sorts of its arguments and of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Exactly these sorts.
    Exact(&'static [Sort], Sort),
    /// Two or more of one sort.
    Folded(Sort, Sort, Fold),
    /// Two or more of any one sort, to `Bool`.
    Polymorphic(Fold),
    /// `Bool A A` to `A`.
    IfThenElse,
    /// `(Array I E) I` to `E`.
    Select,
    /// `(Array I E) I E` to the same array sort.
    Store,
    /// `E` to an array sort that is part of the term.
    ConstantArray,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The operator.
    pub op: Op,
    /// Its name in SMT-LIB 2.7.
    pub name: &'static str,
    /// Its theory.
    pub theory: Theory,
    /// The number of its indices.
    pub indices: usize,
    /// Its arguments and value.
    pub shape: Shape,
}

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $name:literal $theory:ident $indices:literal $shape:expr;)*) => {
        /// An operator of a theory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $op,)* }

        impl Op {
            /// The whole table, in the order of the standard's documents.
            pub const TABLE: &'static [OpInfo] = &[$(OpInfo {
                op: Op::$op,
                name: $name,
                theory: Theory::$theory,
                indices: $indices,
                shape: $shape,
            },)*];
        }
    };
}

use Fold::{Chainable, LeftAssoc, Pairwise, RightAssoc};
use Shape::{ConstantArray, Exact, Folded, IfThenElse, Polymorphic, Select, Store};

operators! {
    /// `true`
    True "true" Core 0 Exact(&[], Bool);
    /// `false`
    False "false" Core 0 Exact(&[], Bool);
    /// Negation.
    Not "not" Core 0 Exact(&[Bool], Bool);
    /// Implication.
    Implies "=>" Core 0 Folded(Bool, Bool, RightAssoc);
    /// Conjunction.
    And "and" Core 0 Folded(Bool, Bool, LeftAssoc);
    /// Disjunction.
    Or "or" Core 0 Folded(Bool, Bool, LeftAssoc);
    /// Exclusive disjunction.
    Xor "xor" Core 0 Folded(Bool, Bool, LeftAssoc);
    /// Equality.
    Eq "=" Core 0 Polymorphic(Chainable);
    /// Pairwise distinctness.
    Distinct "distinct" Core 0 Polymorphic(Pairwise);
    /// If-then-else.
    Ite "ite" Core 0 IfThenElse;

    /// Unary minus.
    Neg "-" Ints 0 Exact(&[Int], Int);
    /// Subtraction.
    Sub "-" Ints 0 Folded(Int, Int, LeftAssoc);
    /// Addition.
    Add "+" Ints 0 Folded(Int, Int, LeftAssoc);
    /// Multiplication.
    Mul "*" Ints 0 Folded(Int, Int, LeftAssoc);
    /// Euclidean division; by zero it is an uninterpreted function.
    Div "div" Ints 0 Folded(Int, Int, LeftAssoc);
    /// The remainder of `div`; by zero it is an uninterpreted function.
    Mod "mod" Ints 0 Exact(&[Int, Int], Int);
    /// Absolute value.
    Abs "abs" Ints 0 Exact(&[Int], Int);
    /// At most.
    Le "<=" Ints 0 Folded(Int, Bool, Chainable);
    /// Less.
    Lt "<" Ints 0 Folded(Int, Bool, Chainable);
    /// At least.
    Ge ">=" Ints 0 Folded(Int, Bool, Chainable);
    /// Greater.
    Gt ">" Ints 0 Folded(Int, Bool, Chainable);
    /// `((_ divisible n) m)`: m is a multiple of n.
    Divisible "divisible" Ints 1 Exact(&[Int, Int], Bool);

    /// Concatenation.
    StrConcat "str.++" Strings 0 Folded(String, String, LeftAssoc);
    /// Length.
    StrLen "str.len" Strings 0 Exact(&[String], Int);
    /// Lexicographic order, strict.
    StrLt "str.<" Strings 0 Folded(String, Bool, Chainable);
    /// Lexicographic order.
    StrLe "str.<=" Strings 0 Folded(String, Bool, Chainable);
    /// The one-character string at a position.
    StrAt "str.at" Strings 0 Exact(&[String, Int], String);
    /// The substring at a position of at most a length.
    StrSubstr "str.substr" Strings 0 Exact(&[String, Int, Int], String);
    /// The first argument is a prefix of the second.
    StrPrefixOf "str.prefixof" Strings 0 Exact(&[String, String], Bool);
    /// The first argument is a suffix of the second.
    StrSuffixOf "str.suffixof" Strings 0 Exact(&[String, String], Bool);
    /// The first argument contains the second.
    StrContains "str.contains" Strings 0 Exact(&[String, String], Bool);
    /// The first occurrence of the second argument in the first, from a position on.
    StrIndexOf "str.indexof" Strings 0 Exact(&[String, String, Int], Int);
    /// Replaces the first occurrence.
    StrReplace "str.replace" Strings 0 Exact(&[String, String, String], String);
    /// Replaces every occurrence.
    StrReplaceAll "str.replace_all" Strings 0 Exact(&[String, String, String], String);
    /// Replaces the leftmost, shortest match.
    StrReplaceRe "str.replace_re" Strings 0 Exact(&[String, RegLan, String], String);
    /// Replaces every leftmost, shortest non-empty match.
    StrReplaceReAll "str.replace_re_all" Strings 0 Exact(&[String, RegLan, String], String);
    /// One ASCII digit.
    StrIsDigit "str.is_digit" Strings 0 Exact(&[String], Bool);
    /// The code of a one-character string.
    StrToCode "str.to_code" Strings 0 Exact(&[String], Int);
    /// The one-character string of a code.
    StrFromCode "str.from_code" Strings 0 Exact(&[Int], String);
    /// The number of a string of decimal digits.
    StrToInt "str.to_int" Strings 0 Exact(&[String], Int);
    /// The decimal digits of a number.
    StrFromInt "str.from_int" Strings 0 Exact(&[Int], String);

    /// The language of one string.
    StrToRe "str.to_re" Strings 0 Exact(&[String], RegLan);
    /// Membership.
    StrInRe "str.in_re" Strings 0 Exact(&[String, RegLan], Bool);
    /// The empty language.
    ReNone "re.none" Strings 0 Exact(&[], RegLan);
    /// All strings.
    ReAll "re.all" Strings 0 Exact(&[], RegLan);
    /// All strings of one character.
    ReAllChar "re.allchar" Strings 0 Exact(&[], RegLan);
    /// Concatenation of languages.
    ReConcat "re.++" Strings 0 Folded(RegLan, RegLan, LeftAssoc);
    /// Union.
    ReUnion "re.union" Strings 0 Folded(RegLan, RegLan, LeftAssoc);
    /// Intersection.
    ReInter "re.inter" Strings 0 Folded(RegLan, RegLan, LeftAssoc);
    /// Zero or more.
    ReStar "re.*" Strings 0 Exact(&[RegLan], RegLan);
    /// One or more.
    RePlus "re.+" Strings 0 Exact(&[RegLan], RegLan);
    /// Zero or one.
    ReOpt "re.opt" Strings 0 Exact(&[RegLan], RegLan);
    /// Complement over the whole alphabet.
    ReComp "re.comp" Strings 0 Exact(&[RegLan], RegLan);
    /// Difference.
    ReDiff "re.diff" Strings 0 Folded(RegLan, RegLan, LeftAssoc);
    /// The characters between two.
    ReRange "re.range" Strings 0 Exact(&[String, String], RegLan);
    /// `((_ re.^ n) r)`: n times.
    RePower "re.^" Strings 1 Exact(&[Int, RegLan], RegLan);
    /// `((_ re.loop i n) r)`: from i to n times.
    ReLoop "re.loop" Strings 2 Exact(&[Int, Int, RegLan], RegLan);

    /// The element at an index.
    Select "select" Arrays 0 Select;
    /// The array with one element changed.
    Store "store" Arrays 0 Store;
    /// `((as const (Array I E)) e)`: the array with one element everywhere.
    ConstArray "const" Arrays 0 ConstantArray;
}

impl Op {
    /// Its row in the table.
    pub fn info(self) -> &'static OpInfo {
        &Self::TABLE[self as usize]
    }

    /// Its name in SMT-LIB 2.7.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Its attribute for more than two arguments, if it may have them.
    pub fn fold(self) -> Option<Fold> {
        match self.info().shape {
            Folded(_, _, fold) | Polymorphic(fold) => Some(fold),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_type() {
        for (index, info) in Op::TABLE.iter().enumerate() {
            assert_eq!(info.op as usize, index, "{}", info.name);
        }
    }

    #[test]
    fn only_minus_has_two_rows() {
        for info in Op::TABLE {
            let rows = Op::TABLE.iter().filter(|other| other.name == info.name).count();
            assert_eq!(rows, if info.name == "-" { 2 } else { 1 }, "{}", info.name);
        }
    }
}
