//! Settings as a TOML file, read strictly. Every key is optional; the defaults are those of the
//! paper.

use std::fmt;

use luthier_terms::{BigInt, SmtString};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use super::equivalences::{EQUALITIES, EQUIVALENCES};
use super::semantics::{Semantics, Variant};
use super::settings::{Constants, Settings};

/// A file of settings that cannot be used: where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SettingsError {}

/// The file. A misspelt key is an error, since it would give another suite.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct File {
    most: Option<usize>,
    constant_assignment: ConstantsTable,
    term_synthesis: SynthesisTable,
    unsat: UnsatTable,
    semantics: SemanticsTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct ConstantsTable {
    strings: Option<Vec<StringValue>>,
    integers: Option<Vec<Integer>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct SynthesisTable {
    strings: Option<Vec<StringValue>>,
    integers: Option<Vec<Integer>>,
    bound: Option<usize>,
    arguments: Option<Amount>,
    results: Option<Amount>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct UnsatTable {
    equivalences: Option<Vec<EquivalenceId>>,
    equalities: Option<Vec<EqualityId>>,
}

impl Settings {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let before = text.get(..offset).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |position| position + 1);
            SettingsError {
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                message: error.message().trim_end().to_owned(),
            }
        })?;
        let mut settings = Self::default();
        let File { most, constant_assignment, term_synthesis, unsat, semantics } = file;
        let ConstantsTable { strings, integers } = constant_assignment;
        fill(&mut settings.assignment, strings, integers);
        let SynthesisTable { strings, integers, bound, arguments, results } = term_synthesis;
        fill(&mut settings.synthesis, strings, integers);
        set(&mut settings.depth, bound);
        set(&mut settings.arguments_per_operation, arguments.map(|Amount(amount)| amount));
        set(&mut settings.results_per_operation, results.map(|Amount(amount)| amount));
        let ids = unsat.equivalences.map(|ids| ids.into_iter().map(|EquivalenceId(id)| id));
        set(&mut settings.equivalences, ids.map(Iterator::collect));
        let ids = unsat.equalities.map(|ids| ids.into_iter().map(|EqualityId(id)| id));
        set(&mut settings.equalities, ids.map(Iterator::collect));
        set(&mut settings.most, most);
        settings.semantics = semantics.0;
        Ok(settings)
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn fill(
    constants: &mut Constants,
    strings: Option<Vec<StringValue>>,
    integers: Option<Vec<Integer>>,
) {
    let strings = strings.map(|all| all.into_iter().map(|StringValue(string)| string).collect());
    let integers = integers.map(|all| all.into_iter().map(|Integer(integer)| integer).collect());
    set(&mut constants.strings, strings);
    set(&mut constants.integers, integers);
}

/// Reads a string and converts it; an error of the conversion has the position of the string.
struct ParsedString<F>(F);

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for ParsedString<F> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.0)(text).map_err(E::custom)
    }
}

/// A string of the theory.
struct StringValue(SmtString);

impl<'de> Deserialize<'de> for StringValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ParsedString(|text: &str| {
            let string = SmtString::from_text(text).map(Self);
            string
                .ok_or_else(|| "the characters of the theory of strings end at U+2FFFF".to_owned())
        }))
    }
}

/// An integer of any size: a number, or its digits as a string beyond the range of TOML.
struct Integer(BigInt);

impl<'de> Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Integer;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an integer, or its digits as a string")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Integer, E> {
                Ok(Integer(number.into()))
            }

            fn visit_str<E: Error>(self, digits: &str) -> Result<Integer, E> {
                let number = digits.parse().map_err(|_| {
                    E::custom(format!("`{digits}` is not the digits of an integer"))
                })?;
                Ok(Integer(number))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// How many terms are taken: `"one"`, `"all"`, or a number from 1 on.
struct Amount(usize);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Amount;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("\"one\", \"all\" or a number from 1 on")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Amount, E> {
                let amount = usize::try_from(number).ok().filter(|&amount| amount > 0);
                amount.map(Amount).ok_or_else(|| {
                    E::custom(format!("{number} is not \"one\", \"all\" or a number from 1 on"))
                })
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Amount, E> {
                match word {
                    "one" => Ok(Amount(1)),
                    "all" => Ok(Amount(usize::MAX)),
                    _ => Err(E::custom(format!(
                        "`{word}` is not \"one\", \"all\" or a number from 1 on"
                    ))),
                }
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

/// The name of an equivalence.
struct EquivalenceId(&'static str);

impl<'de> Deserialize<'de> for EquivalenceId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ParsedString(|name: &str| {
            let found = EQUIVALENCES.iter().find(|one| one.id == name);
            found
                .map(|one| Self(one.id))
                .ok_or_else(|| format!("there is no equivalence `{name}`; there are E1 to E12"))
        }))
    }
}

/// The name of an equality.
struct EqualityId(&'static str);

impl<'de> Deserialize<'de> for EqualityId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ParsedString(|name: &str| {
            let found = EQUALITIES.iter().find(|one| one.id == name);
            found.map(|one| Self(one.id)).ok_or_else(|| {
                format!("there is no equality `{name}`; there are NC1 to NC8 and C1 to C40")
            })
        }))
    }
}

/// A table from operations to their semantics.
#[derive(Default)]
struct SemanticsTable(Semantics);

/// The name of the standard's semantics.
const STANDARD: &str = "standard";

impl<'de> Deserialize<'de> for SemanticsTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = SemanticsTable;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a table from operations to what they mean")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SemanticsTable, A::Error> {
                let mut table = SemanticsTable::default();
                while let Some(OperationName(operation)) = map.next_key()? {
                    let meaning = map.next_value_seed(SemanticsOf { operation })?;
                    meaning.into_iter().for_each(|variant| table.0.choose(variant));
                }
                Ok(table)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// The name of an operation that has variants.
struct OperationName(&'static str);

impl<'de> Deserialize<'de> for OperationName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ParsedString(|name: &str| {
            let mut names: Vec<&'static str> =
                Variant::ALL.into_iter().map(|variant| variant.names().0).collect();
            names.dedup();
            let found = names.iter().find(|known| **known == name);
            found.map(|known| Self(known)).ok_or_else(|| {
                format!("`{name}` has only one meaning; others have {}", names.join(", "))
            })
        }))
    }
}

/// Reads the semantics of an operation; `None` for the standard's.
struct SemanticsOf {
    operation: &'static str,
}

impl<'de> DeserializeSeed<'de> for SemanticsOf {
    type Value = Option<Variant>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let operation = self.operation;
        deserializer.deserialize_str(ParsedString(|name: &str| {
            if name == STANDARD {
                return Ok(None);
            }
            let of_operation =
                || Variant::ALL.into_iter().filter(|variant| variant.names().0 == operation);
            let found = of_operation().find(|variant| variant.names().1 == name);
            found.map(Some).ok_or_else(|| {
                let names: Vec<&str> = of_operation().map(|variant| variant.names().1).collect();
                let names = names.join(", ");
                format!("{operation} has no meaning `{name}`; there is {STANDARD}, {names}")
            })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::semantics::Variant;
    use super::Settings;

    #[test]
    fn an_empty_file_is_what_the_paper_used() {
        assert_eq!(Settings::parse("").unwrap(), Settings::default());
    }

    #[test]
    fn everything_can_be_said() {
        let settings = Settings::parse(
            "most = 7\n\
             [constant-assignment]\nstrings = [\"\\u00e9\"]\n\
             integers = [-3, \"123456789012345678901234567890\"]\n\
             [term-synthesis]\nstrings = []\nintegers = [5]\nbound = 2\narguments = \"all\"\n\
             results = 3\n\
             [unsat]\nequivalences = [\"E7\", \"E2\"]\nequalities = [\"C31\", \"NC1\"]\n\
             [semantics]\nreplace = \"every-occurrence\"\ncontains = \"standard\"\n",
        )
        .unwrap();
        let digits: Vec<String> =
            settings.assignment.integers.iter().map(ToString::to_string).collect();
        assert_eq!(digits, ["-3", "123456789012345678901234567890"]);
        assert_eq!(settings.assignment.strings[0].len(), 1);
        assert_eq!((settings.most, settings.depth), (7, 2));
        assert_eq!(settings.arguments_per_operation, usize::MAX);
        assert_eq!(settings.results_per_operation, 3);
        assert!(settings.synthesis.strings.is_empty());
        let equivalences: Vec<&str> = settings.equivalences().map(|one| one.id).collect();
        assert_eq!(equivalences, ["E2", "E7"], "in the order of the paper");
        let equalities: Vec<&str> = settings.equalities().map(|one| one.id).collect();
        assert_eq!(equalities, ["NC1", "C31"]);
        assert_eq!(settings.semantics.variants(), [Variant::ReplaceEveryOccurrence]);
    }

    #[test]
    fn errors_have_a_position_and_list_the_alternatives() {
        let rows = [
            ("mots = 7", "1:1: ", "unknown field"),
            ("[unsat]\nequivalences = [\"E1\", \"E13\"]", "2:23: ", "E1 to E12"),
            ("[unsat]\nequalities = [\"NC9\"]", "2:15: ", "NC1 to NC8"),
            ("[semantics]\nreplace = \"nothing\"", "2:11: ", "empty-pattern-unchanged"),
            ("[semantics]\nconcat = \"x\"", "2:1: ", "replace"),
            ("[term-synthesis]\narguments = 0", "2:13: ", "\"all\""),
            ("[term-synthesis]\nbound = -1", "2:9: ", "-1"),
            ("[constant-assignment]\nstrings = [\"\\U00030000\"]", "2:12: ", "U+2FFFF"),
            ("[constant-assignment]\nintegers = [\"x\"]", "2:13: ", "digits"),
        ];
        for (text, place, words) in rows {
            let error = Settings::parse(text).unwrap_err().to_string();
            assert!(error.starts_with(place) && error.contains(words), "{text}: {error}");
        }
    }
}
