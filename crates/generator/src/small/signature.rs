//! The signature of the suite `small`: symbols in prefix notation, with a size for each.
//!
//! A formula is a sequence of codes, one byte for each symbol. The size of a symbol says how early
//! formulas with it come: constants and the usual operators have 1, plain literals 2, corner
//! literals 3 or 4. Without sizes of their own, literals would be five of six leaves, and a formula
//! without constants is decided by evaluation.
//!
//! Non-terminals keep connectives at the top: an assertion is a literal (an atom or its negation) or
//! a clause of two. Divisors, factors and indices are part of their symbol, so that formulas stay
//! linear and well-sorted.

use luthier_terms::Op;

/// The non-terminals of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A connective over two literals.
    Clause,
    /// An atom or its negation.
    Literal,
    /// A predicate.
    Atom,
    /// A term of sort `Int`.
    Int,
    /// A term of sort `String`.
    Text,
    /// A term of sort `RegLan`.
    Language,
}

impl Kind {
    /// The number of non-terminals.
    pub const COUNT: usize = 6;

    /// Whether a symbol of the other kind stands where this kind is wanted.
    pub fn admits(self, other: Self) -> bool {
        self == other || (self == Self::Literal && other == Self::Atom)
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A constant.
    Constant,
    /// A string literal: its code points.
    Text(&'static [u32]),
    /// A numeral.
    Number(i64),
    /// An operator. `before` and `after` are numerals among its arguments: indices or a factor, and a
    /// divisor.
    Apply { op: Op, before: &'static [i64], after: &'static [i64] },
}

/// One symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// As it is printed: a leaf, or all up to the first argument.
    pub head: &'static str,
    /// What is printed after the last argument.
    pub tail: &'static str,
    pub kind: Kind,
    pub arguments: &'static [Kind],
    pub size: u8,
    /// Its two arguments may be exchanged.
    pub commutative: bool,
    pub meaning: Meaning,
}

use Kind::{Atom, Clause, Int, Language, Literal, Text};

/// The number of constants of each sort; they are the first codes.
pub(crate) const TEXTS: u8 = 3;
pub(crate) const INTEGERS: u8 = 2;
pub(crate) const CONSTANTS: u8 = TEXTS + INTEGERS;

const fn leaf(head: &'static str, kind: Kind, size: u8, meaning: Meaning) -> Symbol {
    Symbol { head, tail: "", kind, arguments: &[], size, commutative: false, meaning }
}

const fn text(head: &'static str, size: u8, codes: &'static [u32]) -> Symbol {
    leaf(head, Text, size, Meaning::Text(codes))
}

const fn number(head: &'static str, size: u8, value: i64) -> Symbol {
    leaf(head, Int, size, Meaning::Number(value))
}

const fn op(
    head: &'static str,
    op: Op,
    arguments: &'static [Kind],
    kind: Kind,
    size: u8,
) -> Symbol {
    let meaning = Meaning::Apply { op, before: &[], after: &[] };
    Symbol { head, tail: ")", kind, arguments, size, commutative: false, meaning }
}

const fn commutative(
    head: &'static str,
    of: Op,
    arguments: &'static [Kind],
    kind: Kind,
    size: u8,
) -> Symbol {
    Symbol { commutative: true, ..op(head, of, arguments, kind, size) }
}

/// An operator with numerals among its arguments.
const fn with_numbers(symbol: Symbol, before: &'static [i64], after: &'static [i64]) -> Symbol {
    let Meaning::Apply { op, .. } = symbol.meaning else { return symbol };
    let tail = if after.is_empty() { ")" } else { " 2)" };
    Symbol { tail, meaning: Meaning::Apply { op, before, after }, ..symbol }
}

/// All symbols; a code is a position in this table.
pub(crate) const SYMBOLS: &[Symbol] = &[
    leaf("x", Text, 1, Meaning::Constant),
    leaf("y", Text, 1, Meaning::Constant),
    leaf("z", Text, 1, Meaning::Constant),
    leaf("i", Int, 1, Meaning::Constant),
    leaf("j", Int, 1, Meaning::Constant),
    // Literals: the empty string, letters, a digit, the edges of the alphabet, and characters that
    // look like an escape or a delimiter.
    text("\"\"", 2, &[]),
    text("\"a\"", 2, &[0x61]),
    text("\"0\"", 3, &[0x30]),
    text("\"aa\"", 3, &[0x61, 0x61]),
    text("\"b\"", 4, &[0x62]),
    text("\"-1\"", 4, &[0x2D, 0x31]),
    text("\"\\u{0}\"", 4, &[0]),
    text("\"\\u{2ffff}\"", 4, &[0x2FFFF]),
    text("\"\\u{5c}\"", 4, &[0x5C]),
    text("\"\"\"\"", 4, &[0x22]),
    text("\"\\u{5c}u{61}\"", 4, &[0x5C, 0x75, 0x7B, 0x36, 0x31, 0x7D]),
    number("0", 2, 0),
    number("1", 2, 1),
    number("(- 1)", 3, -1),
    number("2", 3, 2),
    number("196607", 4, 0x2FFFF),
    number("196608", 4, 0x30000),
    // Predicates.
    commutative("(= ", Op::Eq, &[Text, Text], Atom, 1),
    commutative("(= ", Op::Eq, &[Int, Int], Atom, 1),
    op("(<= ", Op::Le, &[Int, Int], Atom, 1),
    op("(< ", Op::Lt, &[Int, Int], Atom, 2),
    op("(str.prefixof ", Op::StrPrefixOf, &[Text, Text], Atom, 1),
    op("(str.suffixof ", Op::StrSuffixOf, &[Text, Text], Atom, 2),
    op("(str.contains ", Op::StrContains, &[Text, Text], Atom, 1),
    op("(str.< ", Op::StrLt, &[Text, Text], Atom, 2),
    op("(str.<= ", Op::StrLe, &[Text, Text], Atom, 2),
    op("(str.is_digit ", Op::StrIsDigit, &[Text], Atom, 2),
    op("(str.in_re ", Op::StrInRe, &[Text, Language], Atom, 1),
    // Integers.
    op("(str.len ", Op::StrLen, &[Text], Int, 1),
    op("(str.indexof ", Op::StrIndexOf, &[Text, Text, Int], Int, 1),
    op("(str.to_int ", Op::StrToInt, &[Text], Int, 1),
    op("(str.to_code ", Op::StrToCode, &[Text], Int, 1),
    commutative("(+ ", Op::Add, &[Int, Int], Int, 1),
    op("(- ", Op::Sub, &[Int, Int], Int, 2),
    op("(- ", Op::Neg, &[Int], Int, 2),
    op("(abs ", Op::Abs, &[Int], Int, 3),
    with_numbers(op("(* 2 ", Op::Mul, &[Int], Int, 2), &[2], &[]),
    with_numbers(op("(div ", Op::Div, &[Int], Int, 3), &[], &[2]),
    with_numbers(op("(mod ", Op::Mod, &[Int], Int, 3), &[], &[2]),
    op("(ite ", Op::Ite, &[Atom, Int, Int], Int, 1),
    // Strings.
    op("(str.++ ", Op::StrConcat, &[Text, Text], Text, 1),
    op("(str.at ", Op::StrAt, &[Text, Int], Text, 1),
    op("(str.substr ", Op::StrSubstr, &[Text, Int, Int], Text, 1),
    op("(str.replace ", Op::StrReplace, &[Text, Text, Text], Text, 1),
    op("(str.replace_all ", Op::StrReplaceAll, &[Text, Text, Text], Text, 1),
    op("(str.replace_re ", Op::StrReplaceRe, &[Text, Language, Text], Text, 1),
    op("(str.replace_re_all ", Op::StrReplaceReAll, &[Text, Language, Text], Text, 1),
    op("(str.from_int ", Op::StrFromInt, &[Int], Text, 1),
    op("(str.from_code ", Op::StrFromCode, &[Int], Text, 1),
    op("(ite ", Op::Ite, &[Atom, Text, Text], Text, 1),
    // Languages.
    leaf("re.allchar", Language, 1, Meaning::Apply { op: Op::ReAllChar, before: &[], after: &[] }),
    leaf("re.all", Language, 2, Meaning::Apply { op: Op::ReAll, before: &[], after: &[] }),
    leaf("re.none", Language, 2, Meaning::Apply { op: Op::ReNone, before: &[], after: &[] }),
    op("(str.to_re ", Op::StrToRe, &[Text], Language, 1),
    op("(re.range ", Op::ReRange, &[Text, Text], Language, 1),
    op("(re.* ", Op::ReStar, &[Language], Language, 1),
    op("(re.+ ", Op::RePlus, &[Language], Language, 2),
    op("(re.opt ", Op::ReOpt, &[Language], Language, 2),
    op("(re.comp ", Op::ReComp, &[Language], Language, 1),
    op("(re.++ ", Op::ReConcat, &[Language, Language], Language, 1),
    commutative("(re.union ", Op::ReUnion, &[Language, Language], Language, 1),
    commutative("(re.inter ", Op::ReInter, &[Language, Language], Language, 1),
    op("(re.diff ", Op::ReDiff, &[Language, Language], Language, 2),
    with_numbers(op("((_ re.^ 2) ", Op::RePower, &[Language], Language, 2), &[2], &[]),
    with_numbers(op("((_ re.loop 1 2) ", Op::ReLoop, &[Language], Language, 2), &[1, 2], &[]),
    with_numbers(op("((_ re.loop 0 0) ", Op::ReLoop, &[Language], Language, 2), &[0, 0], &[]),
    with_numbers(op("((_ re.loop 2 1) ", Op::ReLoop, &[Language], Language, 2), &[2, 1], &[]),
    // Connectives.
    op("(not ", Op::Not, &[Atom], Literal, 1),
    commutative("(or ", Op::Or, &[Literal, Literal], Clause, 1),
    commutative("(xor ", Op::Xor, &[Atom, Atom], Clause, 1),
    op("(=> ", Op::Implies, &[Atom, Atom], Clause, 1),
];

/// The symbol of a code.
pub(crate) fn symbol(code: u8) -> &'static Symbol {
    &SYMBOLS[usize::from(code)]
}

/// The name of the operator of a code; `None` for leaves.
pub(crate) fn operator(code: u8) -> Option<Op> {
    match symbol(code).meaning {
        Meaning::Apply { op, .. } => Some(op),
        _ => None,
    }
}
