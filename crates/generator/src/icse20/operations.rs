//! The 12 operations of the paper (Table 1): names, parameters, and their results on constants.
//!
//! The referee computes the results; this module only maps the names of the paper to operators of
//! the theory. Predicates also have a negative name (`notContains`), under which the paper counts
//! formulas with the result `false`.

use std::fmt;

use luthier_semantics::strings;
use luthier_terms::{BigInt, CodePoint, Op, SmtString, Sort};

use super::Settings;
use super::script::sat_script;
use super::semantics::Semantics;
use crate::{Category, Expected, Formula};

/// The name of the variable for the result of an operation.
pub const RESULT: &str = "res";

/// An operation of the paper.
#[derive(Debug)]
pub struct Operation {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its name in the paper where the result is `false`; only for predicates.
    pub negative: Option<&'static str>,
    /// The operator of SMT-LIB.
    pub op: Op,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// The sort of its result.
    pub result: Sort,
}

/// A parameter of an operation.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in the paper.
    pub name: &'static str,
    /// Its sort.
    pub sort: Sort,
}

/// An argument or a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A string.
    String(SmtString),
}

const S: Parameter = Parameter { name: "s", sort: Sort::String };
const T: Parameter = Parameter { name: "t", sort: Sort::String };
const U: Parameter = Parameter { name: "u", sort: Sort::String };
const N: Parameter = Parameter { name: "n", sort: Sort::Int };
const OFF: Parameter = Parameter { name: "off", sort: Sort::Int };
const LEN: Parameter = Parameter { name: "len", sort: Sort::Int };

/// The operations, in the order of the paper's table 1.
pub static OPERATIONS: [Operation; 12] = [
    function("at", Op::StrAt, &[S, OFF], Sort::String),
    function("concat", Op::StrConcat, &[S, T], Sort::String),
    function("intToStr", Op::StrFromInt, &[N], Sort::String),
    function("replace", Op::StrReplace, &[S, T, U], Sort::String),
    function("substr", Op::StrSubstr, &[S, OFF, LEN], Sort::String),
    function("indexOf", Op::StrIndexOf, &[S, T, OFF], Sort::Int),
    function("length", Op::StrLen, &[S], Sort::Int),
    function("strToInt", Op::StrToInt, &[S], Sort::Int),
    predicate("contains", "notContains", Op::StrContains, &[S, T]),
    predicate("equals", "notEquals", Op::Eq, &[S, T]),
    predicate("prefixOf", "notPrefixOf", Op::StrPrefixOf, &[S, T]),
    predicate("suffixOf", "notSuffixOf", Op::StrSuffixOf, &[S, T]),
];

/// One formula for each operation, with free variables for arguments and result.
pub fn operations(settings: &Settings) -> Vec<Formula> {
    OPERATIONS.iter().map(|operation| free_formula(operation, &settings.semantics)).collect()
}

impl Operation {
    /// The result by the standard, as the referee computes it; `None` if the arguments do not have the sorts
    /// of the parameters.
    pub fn evaluate(&self, arguments: &[&Constant]) -> Option<Constant> {
        use Constant::{Bool, Int, String};
        Some(match (self.op, arguments) {
            (Op::StrAt, [String(s), Int(off)]) => String(strings::at(s, off)),
            (Op::StrConcat, [String(s), String(t)]) => String(strings::concat(&[s, t])),
            (Op::StrFromInt, [Int(n)]) => String(strings::from_int(n)),
            (Op::StrReplace, [String(s), String(t), String(u)]) => {
                String(strings::replace(s, t, u))
            }
            (Op::StrSubstr, [String(s), Int(off), Int(len)]) => {
                String(strings::substr(s, off, len))
            }
            (Op::StrIndexOf, [String(s), String(t), Int(off)]) => Int(strings::index_of(s, t, off)),
            (Op::StrLen, [String(s)]) => Int(strings::length(s)),
            (Op::StrToInt, [String(s)]) => Int(strings::to_int(s)),
            (Op::StrContains, [String(s), String(t)]) => Bool(strings::contains(s, t)),
            (Op::Eq, [String(s), String(t)]) => Bool(s == t),
            (Op::StrPrefixOf, [String(s), String(t)]) => Bool(strings::prefix_of(s, t)),
            (Op::StrSuffixOf, [String(s), String(t)]) => Bool(strings::suffix_of(s, t)),
            _ => return None,
        })
    }

    /// The name under which the paper counts a formula with this result.
    pub fn name_for(&self, result: &Constant) -> &'static str {
        match (result, self.negative) {
            (Constant::Bool(false), Some(negative)) => negative,
            _ => self.name,
        }
    }
}

impl Constant {
    /// Its sort as SMT-LIB writes it.
    pub fn sort_name(&self) -> &'static str {
        match self {
            Self::Bool(_) => "Bool",
            Self::Int(_) => "Int",
            Self::String(_) => "String",
        }
    }
}

/// Writes the value as a term of SMT-LIB 2.6.
impl fmt::Display for Constant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Int(number) if *number < BigInt::ZERO => {
                write!(formatter, "(- {})", number.magnitude())
            }
            Self::Int(number) => write!(formatter, "{number}"),
            Self::String(string) => {
                formatter.write_str("\"")?;
                string.iter().try_for_each(|&character| write_character(character, formatter))?;
                formatter.write_str("\"")
            }
        }
    }
}

/// Writes a character of a literal. A backslash could begin an escape, so it is escaped.
fn write_character(character: CodePoint, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match u8::try_from(character.code()) {
        Ok(b'"') => formatter.write_str("\"\""),
        Ok(byte @ 0x20..=0x7E) if byte != b'\\' => write!(formatter, "{}", char::from(byte)),
        _ => write!(formatter, "\\u{{{:x}}}", character.code()),
    }
}

const fn function(
    name: &'static str,
    op: Op,
    parameters: &'static [Parameter],
    result: Sort,
) -> Operation {
    Operation { name, negative: None, op, parameters, result }
}

const fn predicate(
    name: &'static str,
    negative: &'static str,
    op: Op,
    parameters: &'static [Parameter],
) -> Operation {
    Operation { name, negative: Some(negative), op, parameters, result: Sort::Bool }
}

/// `op(arguments) = res`, all variables. The witness is the result for empty strings and zeros.
fn free_formula(operation: &'static Operation, semantics: &Semantics) -> Formula {
    let arguments: Vec<Constant> = operation
        .parameters
        .iter()
        .map(|parameter| match parameter.sort {
            Sort::Int => Constant::Int(BigInt::ZERO),
            _ => Constant::String(SmtString::empty()),
        })
        .collect();
    let result = semantics
        .evaluate(operation, &arguments.iter().collect::<Vec<_>>())
        .expect("the arguments were made for the parameters");
    let names = operation.parameters.iter().map(|parameter| parameter.name).chain([RESULT]);
    let witness: Vec<(String, &'static str, String)> = names
        .zip(arguments.iter().chain([&result]))
        .map(|(name, value)| (name.to_owned(), value.sort_name(), value.to_string()))
        .collect();

    let mut assertion = format!("(= ({}", operation.op.name());
    for parameter in operation.parameters {
        assertion.push(' ');
        assertion.push_str(parameter.name);
    }
    assertion.push_str(") ");
    assertion.push_str(RESULT);
    assertion.push(')');
    let note = semantics.note(|operator| operator == operation.op.name());
    Formula {
        name: format!("operation-{}", operation.name),
        category: Category::Operation,
        operation: operation.name,
        text: sat_script(&assertion, &witness, note.as_deref()),
        expected: Expected::Sat(witness),
        derivation: format!("{} with free variables", operation.name),
    }
}
