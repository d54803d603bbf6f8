//! Operations and their definitions: the equivalences E1–E12 of the paper (Table 2), and the
//! unsatisfiable formulas that follow from them.
//!
//! Each equivalence is `A ⇔ B`: an operation on the left, its definition on the right. A formula of
//! the suite asserts `(not A)` under the name `operation` and `B` under the name `definition`, with
//! the existential variables of `B` free.
//!
//! Three of the definitions are not equivalent to the operation; they only imply it:
//!
//! * E4 has no solution if the substring reaches beyond the end of the string,
//! * E5 has none if the string is not found,
//! * E6 has none if there are leading zeros.
//!
//! `(not A) and B` needs only `B ⇒ A`, so it is unsatisfiable all the same, and both suites use the
//! definitions of the paper: the published figures count their variables and constants. These three
//! must not be used as definitions in the other direction.
//!
//! "Otherwise" in E5 is read as "in neither of the two cases above".
//!
//! Comparisons of two terms without operations are the operation `equals` of the paper, and are
//! written with its result, `(= (= s t) true)`: the constants `true` and `false` count, too.

mod equalities;
mod script;

pub use equalities::{EQUALITIES, Equality};
pub(super) use script::{Clause, Parts, occurs, substitute};

use super::Settings;
use crate::formula::{Category, Formula};

/// One of the equivalences `A ⇔ B`.
#[derive(Clone, Copy, Debug)]
pub struct Equivalence {
    /// Its name in the paper, `E3` for example.
    pub id: &'static str,
    /// The operation, `replace` or `notContains` for example.
    pub operation: &'static str,
    /// `A`: the operation applied to variables, compared with its result.
    pub left: &'static str,
    /// `B`, with [`QUANTIFIER`] where [`Equivalence::quantified`] belongs and `-1` for `(- 1)`.
    pub right: &'static str,
    /// The free variables of `A`, all of which occur in `B`.
    pub shared: &'static [Variable],
    /// The existential variables of `B`, free in the formulas.
    pub existential: &'static [Variable],
    /// The universally quantified part of `B`.
    pub quantified: Option<Quantified>,
}

/// A universally quantified part of a definition.
#[derive(Clone, Copy, Debug)]
pub struct Quantified {
    /// The bound variables.
    pub bound: &'static [Variable],
    /// The premise.
    pub premise: &'static str,
    /// The conclusion.
    pub conclusion: &'static str,
    /// The pattern.
    pub pattern: &'static str,
}

/// A variable of a definition or of an equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// `String` or `Int`.
    pub sort: &'static str,
}

/// Stands for the quantified part in [`Equivalence::right`].
pub const QUANTIFIER: &str = "QUANTIFIER";

const fn string(name: &'static str) -> Variable {
    Variable { name, sort: "String" }
}

const fn int(name: &'static str) -> Variable {
    Variable { name, sort: "Int" }
}

const S: Variable = string("s");
const T: Variable = string("t");
const U: Variable = string("u");
const S1: Variable = string("s1");
const S2: Variable = string("s2");
const S3: Variable = string("s3");
const S4: Variable = string("s4");
const T1: Variable = string("t1");
const T2: Variable = string("t2");
const STRING_RESULT: Variable = string("res");
const INT_RESULT: Variable = int("res");
const OFFSET: Variable = int("off");

/// The equivalences E1–E12, in the order of the paper.
pub static EQUIVALENCES: [Equivalence; 12] = [
    Equivalence {
        id: "E1",
        operation: "at",
        left: "(= (str.at s off) res)",
        right: "(= res (str.substr s off 1))",
        shared: &[S, OFFSET, STRING_RESULT],
        existential: &[],
        quantified: None,
    },
    Equivalence {
        id: "E2",
        operation: "intToStr",
        left: "(= (str.from_int n) res)",
        right: r#"(and
    (=> (< n 0) (= (= res "") true))
    (=> (= (= n 0) true) (= (= res "0") true))
    (=> (= (= n 1) true) (= (= res "1") true))
    (=> (= (= n 2) true) (= (= res "2") true))
    (=> (= (= n 3) true) (= (= res "3") true))
    (=> (= (= n 4) true) (= (= res "4") true))
    (=> (= (= n 5) true) (= (= res "5") true))
    (=> (= (= n 6) true) (= (= res "6") true))
    (=> (= (= n 7) true) (= (= res "7") true))
    (=> (= (= n 8) true) (= (= res "8") true))
    (=> (= (= n 9) true) (= (= res "9") true))
    (=> (>= n 10) (= res (str.++ (str.from_int (div n 10)) (str.from_int (mod n 10))))))"#,
        shared: &[int("n"), STRING_RESULT],
        existential: &[],
        quantified: None,
    },
    Equivalence {
        id: "E3",
        operation: "replace",
        left: "(= (str.replace s t u) res)",
        right: "(and
    (= i (str.indexof s t 0))
    (ite (>= i 0)
      (and (= s (str.++ s1 s2 s3)) (= (str.len s1) i) (= (= s2 t) true)
        (= res (str.++ s1 u s3)))
      (= (= res s) true)))",
        shared: &[S, T, U, STRING_RESULT],
        existential: &[int("i"), S1, S2, S3],
        quantified: None,
    },
    Equivalence {
        id: "E4",
        operation: "substr",
        left: "(= (str.substr s off len) res)",
        right: r#"(ite (and (>= off 0) (< off (str.len s)) (> len 0))
    (and (= s (str.++ s1 s2 s3)) (= (str.len s1) off) (= (str.len s2) len) (= (= res s2) true))
    (= (= res "") true))"#,
        shared: &[S, OFFSET, int("len"), STRING_RESULT],
        existential: &[S1, S2, S3],
        quantified: None,
    },
    Equivalence {
        id: "E5",
        operation: "indexOf",
        left: "(= (str.indexof s t off) res)",
        right: r#"(ite (and (= (= t "") true) (>= off 0) (<= off (str.len s)))
    (= (= res off) true)
    (ite (and (= (= t "") false) (>= off 0) (<= off (str.len s)))
      (and (= s (str.++ s1 s2 t s4)) (= off (str.len s1)) QUANTIFIER
        (= res (str.len (str.++ s1 s2))))
      (= (= res -1) true)))"#,
        shared: &[S, T, OFFSET, INT_RESULT],
        existential: &[S1, S2, S4],
        quantified: Some(Quantified {
            bound: &[int("i")],
            premise: "(and (>= i 0) (< i (str.len t)))",
            conclusion: "(= (str.contains (str.++ s2 (str.substr t 0 i)) t) false)",
            pattern: "(str.substr t 0 i)",
        }),
    },
    Equivalence {
        id: "E6",
        operation: "strToInt",
        left: "(= (str.to_int s) res)",
        right: r#"(ite (and (= (= s "") false) QUANTIFIER)
    (= s (str.from_int res))
    (= (= res -1) true))"#,
        shared: &[S, INT_RESULT],
        existential: &[],
        quantified: Some(Quantified {
            bound: &[int("j")],
            premise: "(and (>= j 0) (< j (str.len s)))",
            conclusion: r#"(or
        (= (= (str.at s j) "0") true) (= (= (str.at s j) "1") true)
        (= (= (str.at s j) "2") true) (= (= (str.at s j) "3") true)
        (= (= (str.at s j) "4") true) (= (= (str.at s j) "5") true)
        (= (= (str.at s j) "6") true) (= (= (str.at s j) "7") true)
        (= (= (str.at s j) "8") true) (= (= (str.at s j) "9") true))"#,
            pattern: "(str.at s j)",
        }),
    },
    Equivalence {
        id: "E7",
        operation: "contains",
        left: "(= (str.contains s t) true)",
        right: "(= s (str.++ s1 t s3))",
        shared: &[S, T],
        existential: &[S1, S3],
        quantified: None,
    },
    Equivalence {
        id: "E8",
        operation: "notContains",
        left: "(= (str.contains s t) false)",
        right: QUANTIFIER,
        shared: &[S, T],
        existential: &[],
        quantified: Some(Quantified {
            bound: &[S1, S2, S3],
            premise: "(= s (str.++ s1 s2 s3))",
            conclusion: "(= (= s2 t) false)",
            pattern: "(str.++ s1 s2 s3)",
        }),
    },
    Equivalence {
        id: "E9",
        operation: "prefixOf",
        left: "(= (str.prefixof s t) true)",
        right: "(= t (str.++ s t2))",
        shared: &[S, T],
        existential: &[T2],
        quantified: None,
    },
    Equivalence {
        id: "E10",
        operation: "notPrefixOf",
        left: "(= (str.prefixof s t) false)",
        right: QUANTIFIER,
        shared: &[S, T],
        existential: &[],
        quantified: Some(Quantified {
            bound: &[T1, T2],
            premise: "(= t (str.++ t1 t2))",
            conclusion: "(= (= t1 s) false)",
            pattern: "(str.++ t1 t2)",
        }),
    },
    Equivalence {
        id: "E11",
        operation: "suffixOf",
        left: "(= (str.suffixof s t) true)",
        right: "(= t (str.++ t1 s))",
        shared: &[S, T],
        existential: &[T1],
        quantified: None,
    },
    Equivalence {
        id: "E12",
        operation: "notSuffixOf",
        left: "(= (str.suffixof s t) false)",
        right: QUANTIFIER,
        shared: &[S, T],
        existential: &[],
        quantified: Some(Quantified {
            bound: &[T1, T2],
            premise: "(= t (str.++ t1 t2))",
            conclusion: "(= (= t2 s) false)",
            pattern: "(str.++ t1 t2)",
        }),
    },
];

/// The formulas that hold each operation against its definition, 12 if the settings take all. With `patterns`, quantifiers
/// have them; formulas without quantifiers are the same then.
pub fn equivalent_formula(settings: &Settings, patterns: bool) -> Vec<Formula> {
    let category =
        if patterns { Category::EquivalentFormulaPatterns } else { Category::EquivalentFormula };
    settings
        .equivalences()
        .map(|equivalence| {
            let derivation =
                format!("the definition {} of {}", equivalence.id, equivalence.operation);
            Parts::of(equivalence, patterns).formula("equivalent", "", category, derivation)
        })
        .collect()
}
