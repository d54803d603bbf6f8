//! Operator names by dialect: legacy names that the reader accepts, and the spelling that each dialect
//! prints.
//!
//! An operator that a dialect lacks is rewritten to others with the same meaning ([`Rewriting`]) or
//! cannot be expressed ([`Spelling::Missing`]). Which release knows which name was tried on the
//! releases themselves (Z3 4.5.1, 4.8.7, 4.8.9, 4.8.10, 5.4.0; CVC4 1.6 and 1.8).

use luthier_terms::{BasicSort, Op, Sort};

use super::Dialect;

/// A name for an operator from outside the standard.
#[derive(Clone, Copy, Debug)]
pub struct LegacyName {
    /// The name.
    pub name: &'static str,
    /// What it means.
    pub op: Op,
    /// Who reads it.
    pub origin: &'static str,
}

const OLD: &str = "Z3 up to 4.8.8 and CVC4 up to 1.7";
const INTERIM: &str = "an interim draft of the standard";
const Z3: &str = "Z3";

/// Names that mean the same as a standard operator.
pub const LEGACY_NAMES: &[LegacyName] = &[
    legacy("str.to.int", Op::StrToInt, OLD),
    legacy("int.to.str", Op::StrFromInt, OLD),
    legacy("str.in.re", Op::StrInRe, OLD),
    legacy("str.to.re", Op::StrToRe, OLD),
    legacy("re.nostr", Op::ReNone, OLD),
    legacy("str.to-int", Op::StrToInt, INTERIM),
    legacy("str.from-int", Op::StrFromInt, INTERIM),
    legacy("str.in-re", Op::StrInRe, INTERIM),
    legacy("str.to-re", Op::StrToRe, INTERIM),
    legacy("str.replaceall", Op::StrReplaceAll, "CVC4 1.7"),
    legacy("str.code", Op::StrToCode, "CVC4 1.6 and 1.7"),
    legacy("seq.in.re", Op::StrInRe, Z3),
    legacy("seq.to.re", Op::StrToRe, Z3),
    legacy("re.empty", Op::ReNone, Z3),
    legacy("re.complement", Op::ReComp, Z3),
    legacy("seq.++", Op::StrConcat, Z3),
    legacy("seq.len", Op::StrLen, Z3),
    legacy("seq.at", Op::StrAt, Z3),
    legacy("seq.extract", Op::StrSubstr, Z3),
    legacy("seq.contains", Op::StrContains, Z3),
    legacy("seq.prefixof", Op::StrPrefixOf, Z3),
    legacy("seq.suffixof", Op::StrSuffixOf, Z3),
    legacy("seq.indexof", Op::StrIndexOf, Z3),
    legacy("seq.replace", Op::StrReplace, Z3),
    legacy("implies", Op::Implies, Z3),
    legacy("iff", Op::Eq, Z3),
];

const fn legacy(name: &'static str, op: Op, origin: &'static str) -> LegacyName {
    LegacyName { name, op, origin }
}

/// Operators that some solver has and the standard has not, with their origin.
pub const EXTENSIONS: &[(&str, &str)] = &[
    ("str.update", "cvc5"),
    ("str.rev", "CVC4 and cvc5"),
    ("str.to_lower", "cvc5"),
    ("str.to_upper", "cvc5"),
    ("str.tolower", "CVC4"),
    ("str.toupper", "CVC4"),
    ("str.indexof_re", "cvc5"),
    ("str.from_ubv", "Z3"),
    ("str.from_sbv", "Z3"),
    ("str.lastindexof", "Z3-Trau"),
    ("str.last_indexof", "Z3"),
    ("str.replace-all", "Z3-Trau"),
    ("seq.last_indexof", "Z3"),
    ("seq.nth", "Z3 and cvc5"),
    ("seq.rev", "cvc5"),
    ("seq.update", "cvc5"),
    ("seq.map", "Z3"),
    ("seq.mapi", "Z3"),
    ("seq.foldl", "Z3"),
    ("seq.foldli", "Z3"),
    ("re.xor", "Z3"),
    ("re.reverse", "Z3"),
    ("re.derivative", "Z3"),
    ("re.of.pred", "Z3"),
    ("re.from_ecma2020", "OSTRICH and Z3-Noodler"),
    ("re.from_ecma2020_flags", "OSTRICH"),
    ("re.from.ecma2020", "OSTRICH"),
];

/// Names that show that a script was written for the standard theory.
pub const STANDARD_ONLY_NAMES: &[&str] = &[
    "str.in_re",
    "str.to_re",
    "str.to_int",
    "str.from_int",
    "str.to_code",
    "str.from_code",
    "str.is_digit",
    "str.replace_all",
    "str.replace_re",
    "str.replace_re_all",
    "re.none",
    "re.^",
    "re.diff",
];

/// Names that show that a script was written before the standard theory.
pub const LEGACY_STRING_NAMES: &[&str] = &[
    "str.in.re",
    "str.to.re",
    "str.to.int",
    "int.to.str",
    "str.in-re",
    "str.to-re",
    "str.to-int",
    "str.from-int",
    "re.nostr",
    "str.replaceall",
    "str.code",
    "seq.in.re",
    "seq.to.re",
];

/// How a dialect writes an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// By this name; indices by the standard's `(_ name index …)`.
    Name(&'static str),
    /// `(re.loop r low high)`, also for powers.
    LoopArguments,
    /// Not by a name, but by other operators that mean the same.
    Rewritten(Rewriting),
    /// Not at all.
    Missing,
}

/// How an operator without a name is written by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// `re.all` by the star of all characters.
    AllStrings,
    /// `re.allchar` by a range.
    AllCharacters,
    /// `str.is_digit` by a membership.
    IsDigit,
    /// `divisible` by `mod`.
    Divisible,
    /// `re.diff` by intersections with complements.
    Difference,
}

/// Whether an operator with more than two arguments is written in pairs: solvers of the dialect read
/// it with two only, or fold it to the other side than the standard.
pub fn is_written_in_pairs(dialect: Dialect, op: Op) -> bool {
    use Dialect::{Cvc4V16, Cvc4V17, Cvc4V18, Smt20, Smt25, Z3Transition};
    match op {
        Op::StrLt | Op::StrLe => !dialect.is_standard(),
        Op::Div => matches!(dialect, Cvc4V16 | Cvc4V17),
        // Folded to the right by Z3 4.8.9 and by CVC4 1.8, which also reads 2.5.
        Op::ReDiff => matches!(dialect, Smt20 | Smt25 | Z3Transition | Cvc4V18),
        _ => false,
    }
}

/// How `dialect` writes a sort; `None` if it has no name for it.
pub fn sort_name(dialect: Dialect, sort: Sort) -> Option<String> {
    let mentions_languages = matches!(
        sort,
        Sort::RegLan | Sort::Array(BasicSort::RegLan, _) | Sort::Array(_, BasicSort::RegLan)
    );
    match dialect {
        Dialect::Z3Oldest | Dialect::Z3Legacy if sort == Sort::RegLan => {
            Some("(RegEx String)".to_owned())
        }
        Dialect::Z3Oldest | Dialect::Z3Legacy | Dialect::Cvc4V16 if mentions_languages => None,
        _ => Some(sort.to_string()),
    }
}

/// How `dialect` writes `op`. The match has no wildcard: whether the dialects from before the
/// standard know an operator that is new in the table has to be found out and said here.
pub fn spelling(dialect: Dialect, op: Op) -> Spelling {
    use Dialect::{Cvc4V16, Cvc4V17, Smt20, Smt25, Z3, Z3Legacy, Z3Oldest, Z3Transition};
    use Spelling::{LoopArguments, Missing, Name, Rewritten};
    let standard = Name(op.name());
    let old_names = matches!(dialect, Smt20 | Smt25 | Z3Oldest | Z3Legacy | Cvc4V16 | Cvc4V17);
    // `2.0` and `2.5`, as CVC4 1.8 reads `--lang smt2.5`, have old names, but all operators.
    let all_operators = !old_names || matches!(dialect, Smt20 | Smt25);
    let z3 = matches!(dialect, Z3Oldest | Z3Legacy | Z3Transition | Z3);
    let old = |name: &'static str| if old_names { Name(name) } else { standard };
    let unless_old = |otherwise: Spelling| if all_operators { standard } else { otherwise };
    match op {
        Op::Divisible if z3 => Rewritten(Rewriting::Divisible),
        Op::StrToInt => old("str.to.int"),
        Op::StrFromInt => old("int.to.str"),
        Op::StrInRe => old("str.in.re"),
        Op::StrToRe => old("str.to.re"),
        Op::ReNone => old("re.nostr"),
        Op::StrReplaceAll if !z3 && dialect != Cvc4V16 => old("str.replaceall"),
        Op::StrToCode if !z3 => old("str.code"),
        Op::ReLoop | Op::RePower => unless_old(LoopArguments),
        Op::StrIsDigit => unless_old(Rewritten(Rewriting::IsDigit)),
        Op::ReAll if !z3 => unless_old(Rewritten(Rewriting::AllStrings)),
        Op::ReAllChar if dialect == Z3Oldest => Rewritten(Rewriting::AllCharacters),
        Op::ReComp if z3 => unless_old(Name("re.complement")),
        Op::ReDiff if z3 => unless_old(Rewritten(Rewriting::Difference)),
        Op::StrLt | Op::StrLe if dialect == Z3Oldest => Missing,
        Op::ReComp
        | Op::ReDiff
        | Op::StrReplaceAll
        | Op::StrToCode
        | Op::StrFromCode
        | Op::StrReplaceRe
        | Op::StrReplaceReAll => unless_old(Missing),
        Op::True
        | Op::False
        | Op::Not
        | Op::Implies
        | Op::And
        | Op::Or
        | Op::Xor
        | Op::Eq
        | Op::Distinct
        | Op::Ite
        | Op::Neg
        | Op::Sub
        | Op::Add
        | Op::Mul
        | Op::Div
        | Op::Mod
        | Op::Abs
        | Op::Le
        | Op::Lt
        | Op::Ge
        | Op::Gt
        | Op::Divisible
        | Op::StrConcat
        | Op::StrLen
        | Op::StrLt
        | Op::StrLe
        | Op::StrAt
        | Op::StrSubstr
        | Op::StrPrefixOf
        | Op::StrSuffixOf
        | Op::StrContains
        | Op::StrIndexOf
        | Op::StrReplace
        | Op::ReAll
        | Op::ReAllChar
        | Op::ReConcat
        | Op::ReUnion
        | Op::ReInter
        | Op::ReStar
        | Op::RePlus
        | Op::ReOpt
        | Op::ReRange
        | Op::Select
        | Op::Store
        | Op::ConstArray => standard,
    }
}
