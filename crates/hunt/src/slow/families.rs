//! Families of formulas of growing size, for which a solver's time may grow exponentially.
//!
//! Each repeats one construct `n` times: a chain of definitions, a chain of concatenations, a power of a
//! language, nested replacements, a long literal, pairwise different constants. The answers are not
//! planted; only times are compared.

use luthier_generator::{Category, Expected, Formula};

/// The sizes, doubled as long as some solver answers.
const SIZES: [u64; 7] = [4, 8, 16, 32, 64, 128, 256];

/// A formula of a family.
pub(super) struct Member {
    pub family: &'static str,
    pub size: u64,
    pub formula: Formula,
}

/// Name, operator and body of each family.
type Family = (&'static str, &'static str, fn(u64) -> String);

const FAMILIES: [Family; 8] = [
    ("chain", "str.++", chain),
    ("concatenation", "str.++", concatenation),
    ("power", "re.^", power),
    ("intersection", "re.inter", intersection),
    ("nested-replace", "str.replace", nested_replace),
    ("literal", "str.contains", literal),
    ("distinct", "distinct", distinct),
    ("digits", "str.to_int", digits),
];

/// All members, smallest first.
pub(super) fn members() -> impl Iterator<Item = Member> {
    SIZES.into_iter().flat_map(|size| {
        FAMILIES.into_iter().map(move |(family, operation, body)| Member {
            family,
            size,
            formula: Formula {
                name: format!("family-{family}-{size:03}"),
                category: Category::Random,
                operation,
                expected: Expected::Open,
                derivation: format!("the member of size {size} of the family {family}"),
                text: format!("(set-logic QF_SLIA)\n{}(check-sat)\n", body(size)),
            },
        })
    })
}

fn joined(count: u64, text: impl Fn(u64) -> String) -> String {
    (0..count).map(text).collect()
}

/// `x1 = x0 a`, `x2 = x1 a`, …, and a length for the last.
fn chain(n: u64) -> String {
    let constants = joined(n + 1, |i| format!("(declare-const x{i} String)\n"));
    let links = joined(n, |i| format!("(assert (= x{} (str.++ x{i} \"a\" x0)))\n", i + 1));
    format!("{constants}{links}(assert (= (str.len x{n}) {}))\n", 3 * n)
}

/// One equation between two concatenations of `n` constants in opposite orders.
fn concatenation(n: u64) -> String {
    let constants = joined(n, |i| format!("(declare-const x{i} String)\n"));
    let (there, back) =
        (joined(n, |i| format!(" x{i}")), joined(n, |i| format!(" x{}", n - 1 - i)));
    let different = "(assert (not (= x0 x1)))\n(assert (> (str.len x0) 0))\n";
    format!("{constants}(assert (= (str.++{there} \"a\") (str.++ \"a\"{back})))\n{different}")
}

/// A power of an ambiguous language, of words of one length.
fn power(n: u64) -> String {
    let language = "(re.union (str.to_re \"a\") (str.to_re \"ab\") (str.to_re \"ba\"))";
    format!(
        "(declare-const x String)\n(assert (str.in_re x ((_ re.^ {n}) {language})))\n\
         (assert (= (str.len x) {}))\n(assert (not (str.contains x \"aa\")))\n",
        2 * n - 1
    )
}

/// The intersection of languages of words whose lengths are multiples of 1, 2, 3, …
fn intersection(n: u64) -> String {
    let language = |i| format!(" (re.* ((_ re.^ {}) (re.range \"a\" \"c\")))", i % 7 + 1);
    format!(
        "(declare-const x String)\n(assert (str.in_re x (re.inter{})))\n(assert (> (str.len x) 0))\n",
        joined(n, language)
    )
}

/// Replacements in replacements.
fn nested_replace(n: u64) -> String {
    let mut term = "x".to_owned();
    for i in 0..n {
        let (from, to) = if i % 2 == 0 { ("a", "ba") } else { ("b", "a") };
        term = format!("(str.replace {term} \"{from}\" \"{to}\")");
    }
    format!("(declare-const x String)\n(assert (= {term} \"aab\"))\n(assert (> (str.len x) 1))\n")
}

/// A long literal that is cut into three parts.
fn literal(n: u64) -> String {
    let word = "ab".repeat(usize::try_from(n).unwrap_or(0)) + "c";
    format!(
        "(declare-const x String)\n(declare-const y String)\n\
         (assert (= (str.++ x y x) (str.++ \"{word}\" y)))\n(assert (str.contains y \"c\"))\n"
    )
}

/// Different letters of an alphabet of `n`.
fn distinct(n: u64) -> String {
    let constants = joined(n, |i| format!("(declare-const x{i} String)\n"));
    let last = 0x100 + n - 1;
    let range = format!("(re.range \"\\u{{100}}\" \"\\u{{{last:x}}}\")");
    let letters = joined(n, |i| format!("(assert (str.in_re x{i} {range}))\n"));
    format!("{constants}{letters}(assert (distinct{}))\n", joined(n, |i| format!(" x{i}")))
}

/// A number of `n` digits.
fn digits(n: u64) -> String {
    format!(
        "(declare-const x String)\n(assert (= (str.len x) {n}))\n(assert (> (str.to_int x) 7))\n\
         (assert (= (mod (str.to_int x) 9) 4))\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed_formula::ParsedFormula;

    #[test]
    fn every_member_can_be_read_and_members_grow() {
        let mut sizes = std::collections::BTreeMap::new();
        for member in members() {
            let length = member.formula.text.len();
            ParsedFormula::read(member.formula).map_err(|error| panic!("{error}")).ok();
            if let Some(before) = sizes.insert(member.family, length) {
                assert!(length >= before, "{} {}", member.family, member.size);
            }
        }
        assert_eq!(sizes.len(), FAMILIES.len());
    }
}
