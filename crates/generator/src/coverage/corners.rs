//! The corner cases of all operators, and which of them a use of an operator covers.
//!
//! Corner cases follow the case distinctions of the standard's definitions, for example an empty
//! pattern, an offset that is negative, inside, at the end or beyond, or a division by zero. Their
//! names are stable: they are shown in coverage reports.

use luthier_semantics::Value;
use luthier_terms::{Op, Theory};

use super::{integers, languages, logic, strings};

/// The only corner case below a quantifier: values are not known there.
pub const ANY: &str = "any";

/// The corner case of every operator that takes any number of arguments.
pub(super) const MANY: &str = "three or more arguments";

/// The module that knows the corner cases of an operator.
enum Family {
    Logic,
    Integers,
    Strings,
    Languages,
    /// Arrays are not part of the map.
    Arrays,
}

fn family(op: Op) -> Family {
    match op.info().theory {
        Theory::Core => Family::Logic,
        Theory::Ints => Family::Integers,
        Theory::Strings if languages::has(op) => Family::Languages,
        Theory::Strings => Family::Strings,
        Theory::Arrays => Family::Arrays,
    }
}

/// The corner cases of an operator. One use may cover several. The match has no wildcard: a new operator of
/// the table gets its corner cases here, and `met` must detect them.
pub fn corners(op: Op) -> &'static [&'static str] {
    match op {
        Op::Not => &["of true", "of false"],
        Op::Implies => &["false premise", "true conclusion", "false", MANY],
        Op::And | Op::Or => &["all true", "all false", "mixed", MANY],
        Op::Xor => &["same", "different", MANY],
        Op::Eq | Op::Distinct => &[
            "same truth values",
            "different truth values",
            "same integers",
            "different integers",
            "same strings",
            "different strings",
            "languages",
            MANY,
        ],
        Op::Ite => &["condition true", "condition false", "same branches"],
        Op::True | Op::False => &["used"],

        Op::Neg | Op::Abs => &["negative", "zero", "positive", "beyond 64 bits"],
        Op::Sub | Op::Add | Op::Mul => {
            &["negative result", "zero result", "positive result", "beyond 64 bits", MANY]
        }
        Op::Div => &["by zero", "by a negative", "of a negative", "exact", "with remainder", MANY],
        Op::Mod => &["by zero", "by a negative", "of a negative", "exact", "with remainder"],
        Op::Divisible => &["zero", "negative", "multiple", "no multiple"],
        Op::Le | Op::Lt | Op::Ge | Op::Gt => {
            &["equal", "next to each other", "less", "greater", "beyond 64 bits", MANY]
        }

        Op::StrConcat => &["an empty part", "only empty parts", "no empty part", MANY],
        Op::StrLen => &["empty", "one character", "longer", "beyond ASCII"],
        Op::StrLt | Op::StrLe => &["equal", "less", "greater", "prefix", "an empty string", MANY],
        Op::StrAt => {
            &["negative", "first", "inside", "last", "at the end", "beyond", "of the empty string"]
        }
        Op::StrSubstr => &[
            "from a negative",
            "from the start",
            "from inside",
            "from the end",
            "from beyond",
            "negative length",
            "no length",
            "fitting length",
            "length to the end",
            "too long",
        ],
        Op::StrPrefixOf | Op::StrSuffixOf | Op::StrContains => {
            &["empty needle", "same strings", "proper part", "no part", "longer needle"]
        }
        Op::StrIndexOf => &[
            "empty needle",
            "not found",
            "found at the start",
            "found later",
            "only before the start",
            "from a negative",
            "from the end",
            "from beyond",
        ],
        Op::StrReplace | Op::StrReplaceAll => &[
            "empty pattern",
            "absent",
            "once",
            "several times",
            "whole string",
            "by nothing",
            "by what contains the pattern",
        ],
        Op::StrReplaceRe | Op::StrReplaceReAll => {
            &["has the empty word", "of the empty string", "unchanged", "changed", "by nothing"]
        }
        Op::StrIsDigit => &["empty", "digit", "next to the digits", "other character", "longer"],
        Op::StrToCode => &["empty", "one ASCII character", "one beyond ASCII", "longer"],
        Op::StrFromCode => {
            &["negative", "ASCII", "beyond ASCII", "surrogate", "last character", "beyond the last"]
        }
        Op::StrToInt => &["empty", "digits", "leading zero", "no digit", "beyond 64 bits"],
        Op::StrFromInt => &["negative", "zero", "one digit", "several digits", "beyond 64 bits"],
        Op::StrInRe => {
            &["word of it", "no word of it", "empty word of it", "empty word that is not"]
        }

        Op::StrToRe => &["empty word", "one character", "longer word"],
        Op::ReConcat => {
            &["all have the empty word", "some have it", "none has it", "no word at all", MANY]
        }
        Op::ReUnion | Op::ReInter | Op::ReDiff => &[
            "all have the empty word",
            "some have it",
            "none has it",
            "no word at all",
            "same languages",
            MANY,
        ],
        Op::ReStar | Op::RePlus | Op::ReOpt | Op::ReComp => {
            &["has the empty word", "has not", "no word at all"]
        }
        Op::ReRange => &["proper", "same", "crossed", "no single character", "beyond ASCII"],
        Op::RePower => &["zero", "one", "more", "many", "has the empty word", "no word at all"],
        Op::ReLoop => &[
            "zero times",
            "crossed",
            "from zero",
            "from more",
            "exactly",
            "many",
            "has the empty word",
            "no word at all",
        ],
        Op::ReNone | Op::ReAll | Op::ReAllChar => &["used"],

        Op::Select | Op::Store | Op::ConstArray => &[],
    }
}

/// The corner cases of an application of an operator to values, indices first, with its value if that is
/// known.
pub fn corners_of_use(op: Op, arguments: &[Value], result: Option<&Value>) -> Vec<&'static str> {
    met(&OperatorUse { op, arguments, result })
}

/// One use of an operator: the values of its arguments, indices first, and its own if it is known.
pub(super) struct OperatorUse<'a> {
    pub op: Op,
    pub arguments: &'a [Value],
    pub result: Option<&'a Value>,
}

/// The corner cases that a use covers.
pub(super) fn met(operator_use: &OperatorUse<'_>) -> Vec<&'static str> {
    let mut met = Vec::new();
    if operator_use.op.fold().is_some() && operator_use.arguments.len() > 2 {
        met.push(MANY);
    }
    match family(operator_use.op) {
        Family::Logic => logic::met(operator_use, &mut met),
        Family::Integers => integers::met(operator_use, &mut met),
        Family::Languages => languages::met(operator_use, &mut met),
        Family::Strings => strings::met(operator_use, &mut met),
        Family::Arrays => {}
    }
    met
}
