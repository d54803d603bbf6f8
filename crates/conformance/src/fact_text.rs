//! The texts in which a release is asked for a fact.
//!
//! A release that reads the standard is asked in the texts of the suite, character for character:
//! how it reads `\u{41}` or a chain of comparisons is part of what is tested. If it reports an
//! error, it is asked again in the texts that the printer has for its dialect, so that a wrong
//! answer does not hide behind a missing form.
//!
//! A release from before the standard is asked in its dialect at once. What that cannot express
//! is not asked: characters above 255, written or made from their code, and operators that it has
//! not. That leaves no fact to the size of the alphabet: languages are not compared in the suite,
//! and whether a string of such characters is in a language does not depend on which other
//! characters there are.

use luthier_smtlib::dialect::escapes::Escapes;
use luthier_smtlib::{CannotExpress, Dialect, PrintOptions, print_term};
use luthier_terms::{Op, PostOrder, Term};

use crate::suite::{Fact, Suite};

/// How a release is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactPrinter {
    /// Its dialect.
    pub dialect: Dialect,
}

/// A fact in the texts for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactTexts {
    /// How it is asked.
    pub first: Result<String, CannotExpress>,
    /// How it is asked again after an error.
    pub second: Option<String>,
}

impl FactPrinter {
    /// Whether facts are asked as the suite writes them.
    pub fn is_standard(self) -> bool {
        self.dialect.escapes() == Escapes::Standard
    }

    /// A fact in these texts.
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

/// A character above 255 that the fact makes from its code. Releases with 256 characters have no
/// such character, whatever their literals can express.
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
    fn a_release_of_the_standard_is_asked_in_the_words_of_the_suite() {
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
