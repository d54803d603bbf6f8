//! Equalities that hold for all strings or integers (NC1–NC8) or for one constant (C1–C40), under a
//! condition: Table 3 of the paper.

use super::Variable;

/// One of the equalities.
#[derive(Clone, Copy, Debug)]
pub struct Equality {
    /// Its name in the paper, `NC1` or `C17` for example.
    pub id: &'static str,
    /// What the term is equal to: the variable `x`, or a constant (`-1` for `(- 1)`).
    pub value: &'static str,
    /// `String`, `Int` or `Bool`: the sort of the value.
    pub sort: &'static str,
    /// The term.
    pub term: &'static str,
    /// The condition of the equality; `None` if it always holds.
    pub condition: Option<&'static str>,
    /// The variables that occur besides `x`.
    pub others: &'static [Variable],
}

impl Equality {
    /// Whether the equality is about a variable, NC1–NC8, and not about a constant.
    pub fn is_about_a_variable(&self) -> bool {
        self.value == "x"
    }
}

const W: Variable = Variable { name: "str_1", sort: "String" };
const V: Variable = Variable { name: "str_2", sort: "String" };
const M: Variable = Variable { name: "int_1", sort: "Int" };
const N: Variable = Variable { name: "int_2", sort: "Int" };

const fn row(
    id: &'static str,
    value: &'static str,
    sort: &'static str,
    term: &'static str,
    condition: Option<&'static str>,
    others: &'static [Variable],
) -> Equality {
    Equality { id, value, sort, term, condition, others }
}

const fn digit(id: &'static str, value: &'static str, condition: &'static str) -> Equality {
    row(id, value, "String", "(str.from_int int_1)", Some(condition), &[M])
}

const fn number(id: &'static str, value: &'static str, condition: &'static str) -> Equality {
    row(id, value, "Int", "(str.to_int str_1)", Some(condition), &[W])
}

/// C19: some character is no digit. The position is existential in the paper and free here.
const NO_DIGIT: &str = r#"(and (>= int_1 0) (< int_1 (str.len str_1))
    (not (= (str.at str_1 int_1) "0")) (not (= (str.at str_1 int_1) "1"))
    (not (= (str.at str_1 int_1) "2")) (not (= (str.at str_1 int_1) "3"))
    (not (= (str.at str_1 int_1) "4")) (not (= (str.at str_1 int_1) "5"))
    (not (= (str.at str_1 int_1) "6")) (not (= (str.at str_1 int_1) "7"))
    (not (= (str.at str_1 int_1) "8")) (not (= (str.at str_1 int_1) "9")))"#;

/// The equalities, in the order of the paper. C31 is printed there as one about 9, which C30 is;
/// it is the one about 10.
#[rustfmt::skip]
pub static EQUALITIES: [Equality; 48] = [
    row("NC1", "x", "String", "(str.at x 0)", Some("(= (str.len x) 1)"), &[]),
    row("NC2", "x", "String", r#"(str.++ x "")"#, None, &[]),
    row("NC3", "x", "String", r#"(str.++ "" x)"#, None, &[]),
    row("NC4", "x", "String", "(str.replace x x x)", None, &[]),
    row("NC5", "x", "String", "(str.replace x str_1 str_2)",
        Some("(= (str.contains x str_1) false)"), &[W, V]),
    row("NC6", "x", "String", "(str.replace x str_1 str_2)",
        Some("(= (str.indexof x str_1 0) -1)"), &[W, V]),
    row("NC7", "x", "String", "(str.substr x 0 (str.len x))", None, &[]),
    row("NC8", "x", "Int", r#"(str.indexof str_1 "" x)"#,
        Some("(and (>= x 0) (<= x (str.len str_1)))"), &[W]),
    row("C1", r#""""#, "String", "(str.at str_1 int_1)",
        Some("(or (< int_1 0) (>= int_1 (str.len str_1)))"), &[W, M]),
    row("C2", r#""""#, "String", r#"(str.++ "" "")"#, None, &[]),
    row("C3", r#""""#, "String", "(str.from_int int_1)", Some("(< int_1 0)"), &[M]),
    row("C4", r#""""#, "String", r#"(str.replace "" "" "")"#, None, &[]),
    row("C5", r#""""#, "String", "(str.substr str_1 int_1 int_2)",
        Some("(or (< int_1 0) (>= int_1 (str.len str_1)) (<= int_2 0))"), &[W, M, N]),
    digit("C6", r#""0""#, "(= int_1 0)"),
    digit("C7", r#""1""#, "(= int_1 1)"),
    digit("C8", r#""2""#, "(= int_1 2)"),
    digit("C9", r#""3""#, "(= int_1 3)"),
    digit("C10", r#""4""#, "(= int_1 4)"),
    digit("C11", r#""5""#, "(= int_1 5)"),
    digit("C12", r#""6""#, "(= int_1 6)"),
    digit("C13", r#""7""#, "(= int_1 7)"),
    digit("C14", r#""8""#, "(= int_1 8)"),
    digit("C15", r#""9""#, "(= int_1 9)"),
    row("C16", "-1", "Int", "(str.indexof str_1 str_2 int_1)",
        Some("(or (< int_1 0) (> int_1 (str.len str_1)))"), &[W, V, M]),
    row("C17", "-1", "Int", "(str.indexof str_1 str_2 int_1)",
        Some("(= (str.contains str_1 str_2) false)"), &[W, V, M]),
    number("C18", "-1", r#"(= str_1 "")"#),
    row("C19", "-1", "Int", "(str.to_int str_1)", Some(NO_DIGIT), &[W, M]),
    row("C20", "0", "Int", "(str.len str_1)", Some(r#"(= str_1 "")"#), &[W]),
    number("C21", "0", r#"(= str_1 "0")"#),
    number("C22", "1", r#"(= str_1 "1")"#),
    number("C23", "2", r#"(= str_1 "2")"#),
    number("C24", "3", r#"(= str_1 "3")"#),
    number("C25", "4", r#"(= str_1 "4")"#),
    number("C26", "5", r#"(= str_1 "5")"#),
    number("C27", "6", r#"(= str_1 "6")"#),
    number("C28", "7", r#"(= str_1 "7")"#),
    number("C29", "8", r#"(= str_1 "8")"#),
    number("C30", "9", r#"(= str_1 "9")"#),
    number("C31", "10", r#"(= str_1 "10")"#),
    row("C32", "true", "Bool", "(str.contains str_1 str_1)", None, &[W]),
    row("C33", "true", "Bool", "(= str_1 str_1)", None, &[W]),
    row("C34", "true", "Bool", r#"(str.prefixof "" str_1)"#, None, &[W]),
    row("C35", "true", "Bool", "(str.prefixof str_1 str_1)", None, &[W]),
    row("C36", "true", "Bool", "(str.suffixof str_1 str_1)", None, &[W]),
    row("C37", "false", "Bool", "(str.contains str_1 str_2)",
        Some("(= (str.indexof str_1 str_2 0) -1)"), &[W, V]),
    row("C38", "false", "Bool", "(= str_1 str_2)",
        Some("(not (= (str.len str_1) (str.len str_2)))"), &[W, V]),
    row("C39", "false", "Bool", "(str.prefixof str_1 str_2)",
        Some("(= (str.contains str_2 str_1) false)"), &[W, V]),
    row("C40", "false", "Bool", "(str.suffixof str_1 str_2)",
        Some("(= (str.contains str_2 str_1) false)"), &[W, V]),
];
