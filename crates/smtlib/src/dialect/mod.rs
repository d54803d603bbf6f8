//! The dialects of string benchmarks, and of the solver releases that read them.
//!
//! A dialect determines how quotation marks and backslashes in literals are read ([`escapes`]), how
//! operators are spelt ([`names`]), and the semantics of a few operators. The choice decides answers,
//! so it is made once per file, with a reason ([`detect`]).

pub mod detect;
pub mod escapes;
pub mod names;

use std::fmt;
use std::str::FromStr;

use crate::lexer::Quotes;
use escapes::Escapes;

/// A way to write scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// SMT-LIB 2.0: `\"` inside literals, C-like escapes, legacy names.
    Smt20,
    /// SMT-LIB 2.5: `""` inside literals, C-like escapes, legacy names.
    Smt25,
    /// SMT-LIB 2.6: the standard theory of strings.
    Smt26,
    /// SMT-LIB 2.7: the standard theory of strings.
    Smt27,
    /// Z3 up to 4.6: as [`Self::Z3Legacy`], but `re.allchar` means all strings.
    Z3Oldest,
    /// Z3 4.7 to 4.8.8: legacy names and escapes.
    Z3Legacy,
    /// Z3 4.8.9 and 4.8.10: all names, both kinds of escapes, characters up to 255.
    Z3Transition,
    /// Z3 from 4.8.11 on: all names, standard escapes.
    Z3,
    /// CVC4 up to 1.6: legacy names and escapes.
    Cvc4V16,
    /// CVC4 1.7.
    Cvc4V17,
    /// CVC4 1.8 (in its default language): standard names and escapes.
    Cvc4V18,
    /// cvc5: standard names and escapes.
    Cvc5,
}

impl Dialect {
    /// All dialects.
    pub const ALL: [Self; 12] = [
        Self::Smt20,
        Self::Smt25,
        Self::Smt26,
        Self::Smt27,
        Self::Z3Oldest,
        Self::Z3Legacy,
        Self::Z3Transition,
        Self::Z3,
        Self::Cvc4V16,
        Self::Cvc4V17,
        Self::Cvc4V18,
        Self::Cvc5,
    ];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smt20 => "2.0",
            Self::Smt25 => "2.5",
            Self::Smt26 => "2.6",
            Self::Smt27 => "2.7",
            Self::Z3Oldest => "z3-4.6.0",
            Self::Z3Legacy => "z3-4.8.8",
            Self::Z3Transition => "z3-4.8.10",
            Self::Z3 => "z3",
            Self::Cvc4V16 => "cvc4-1.6",
            Self::Cvc4V17 => "cvc4-1.7",
            Self::Cvc4V18 => "cvc4-1.8",
            Self::Cvc5 => "cvc5",
        }
    }

    /// How quotation marks stand in its literals.
    pub fn quotes(self) -> Quotes {
        match self {
            Self::Smt20 => Quotes::Backslash,
            _ => Quotes::Doubled,
        }
    }

    /// Which backslash sequences its literals know.
    pub fn escapes(self) -> Escapes {
        match self {
            Self::Smt26 | Self::Smt27 | Self::Z3 | Self::Cvc4V18 | Self::Cvc5 => Escapes::Standard,
            Self::Z3Transition => Escapes::Both,
            Self::Smt20
            | Self::Smt25
            | Self::Z3Oldest
            | Self::Z3Legacy
            | Self::Cvc4V16
            | Self::Cvc4V17 => Escapes::Legacy,
        }
    }

    /// Whether it is from before the standard theory, so that some operators may have meant
    /// something else when the file was written.
    pub fn is_legacy(self) -> bool {
        self.escapes() != Escapes::Standard
    }

    /// Whether it is the standard, with nothing beside it.
    pub fn is_standard(self) -> bool {
        matches!(self, Self::Smt26 | Self::Smt27)
    }

    /// Whether `re.allchar` means all strings in it.
    pub fn allchar_is_all(self) -> bool {
        self == Self::Z3Oldest
    }

    /// The dialect that `(set-info :smt-lib-version …)` declares.
    pub fn of_version(version: &str) -> Option<Self> {
        match version {
            "2.0" => Some(Self::Smt20),
            "2.5" => Some(Self::Smt25),
            "2.6" => Some(Self::Smt26),
            "2.7" => Some(Self::Smt27),
            _ => None,
        }
    }

    /// What `(set-info :smt-lib-version …)` says in a script of this dialect.
    pub fn smt_lib_version(self) -> &'static str {
        match self {
            Self::Smt20 => "2.0",
            Self::Smt27 => "2.7",
            dialect if dialect.is_legacy() => "2.5",
            _ => "2.6",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no dialect; known are {names}", names = Dialect::ALL.map(Dialect::name).join(", "))]
pub struct UnknownDialect(String);

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, UnknownDialect> {
        let known = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dialect_is_read_by_its_name() {
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
        for wrong in ["", "3.0", "z4", "z3-4.8.7"] {
            assert!(wrong.parse::<Dialect>().is_err(), "{wrong}");
        }
    }
}
