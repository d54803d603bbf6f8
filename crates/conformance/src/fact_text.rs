//! The text in which a release is asked about a fact.
//!
//! A release that reads the standard gets the text of the suite, character for character: how it
//! reads `\u{41}` or a chain of comparisons is part of the test. If it reports an error, it gets
//! the fact again as the printer writes it for its dialect, so that an unsupported notation does
//! not hide a wrong answer.
//!
//! A release from before the standard gets its dialect at once. Facts that the dialect cannot
//! express are not asked: characters above 255, written or made from their code, and operators that
//! it does not have. The size of the alphabet does not affect the other facts: the suite compares
//! no languages, and whether a string is in a language does not depend on which other characters
//! exist.

use luthier_smtlib::dialect::escapes::Escapes;
use luthier_smtlib::{CannotExpress, Dialect, PrintOptions, print_term};
use luthier_terms::{Op, PostOrder, Term};

use crate::suite::{Fact, Suite};

/// Writes facts for a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactPrinter {
    /// The dialect of the release.
    pub dialect: Dialect,
}

/// The texts of a fact for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactTexts {
    /// The first text.
    pub first: Result<String, CannotExpress>,
    /// The text after an error, if it differs.
    pub second: Option<String>,
}

impl FactPrinter {
    /// Whether the first text is that of the suite.
    pub fn is_standard(self) -> bool {
        self.dialect.escapes() == Escapes::Standard
    }

    /// The texts of a fact.
    pub fn texts(self, suite: &Suite, fact: &Fact) -> FactTexts {
        let printed = print_term(&suite.pool, fact.term, &PrintOptions::new(self.dialect));
        let printed = printed.map(|printed| {
            // Facts are closed, and so all ASCII.
            String::from_utf8_lossy(&printed.bytes).trim_end().to_owned()
        });
        if !self.is_standard() {
            let first = match character_from_code(suite, fact) {
                Some(code) => Err(CannotExpress::Character { dialect: self.dialect, code }),
                None => printed,
            };
            return FactTexts { first, second: None };
        }
        let second = printed.ok().filter(|text| *text != fact.text);
        FactTexts { first: Ok(fact.text.clone()), second }
    }
}

/// A character above 255 that the fact makes with `str.from_code`. Releases with 256 characters do not
/// have it, whatever their literals can express.
fn character_from_code(suite: &Suite, fact: &Fact) -> Option<u32> {
    PostOrder::new(&suite.pool, [fact.term]).find_map(|term| match suite.pool.term(term) {
        Term::Op(Op::StrFromCode, [code]) => {
            let code = u32::try_from(suite.pool.as_integer(*code)?).ok()?;
            (256..=LARGEST_CODE).contains(&code).then_some(code)
        }
        _ => None,
    })
}

/// The largest code of a character in the standard.
const LARGEST_CODE: u32 = 0x2FFFF;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fact: &str, dialect: &str, first: &str, second: Option<&str>) {
        let suite = Suite::embedded().unwrap().only(&[fact.to_owned()]).unwrap();
        let printer = FactPrinter { dialect: dialect.parse().unwrap() };
        let texts = printer.texts(&suite, &suite.facts[0]);
        let said = texts.first.unwrap_or_else(|error| error.to_string());
        assert_eq!((said.as_str(), texts.second.as_deref()), (first, second));
    }

    #[test]
    fn a_release_of_the_standard_gets_the_text_of_the_suite() {
        let written = "(= (str.to_code (_ char #x41)) 65)";
        check("char-007", "cvc5", written, Some("(= (str.to_code \"A\") 65)"));
        check("at-001", "2.7", "(= (str.at \"\" (- 2)) \"\")", None);
    }

    #[test]
    fn an_older_release_is_asked_in_its_dialect_or_not_at_all() {
        check("to-int-001", "z3-4.8.8", "(= (str.to.int \"\") (- 1))", None);
        let beyond = "z3-4.8.10 cannot write the character U+10000";
        check("to-code-090", "z3-4.8.10", beyond, None);
        check("char-008", "z3-4.8.8", "z3-4.8.8 has no operator that means `str.to_code`", None);
    }
}
