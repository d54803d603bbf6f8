//! Embedded suites: instances with planted answers that come with the binary, written by hand
//! (`demo`) or generated when they are needed (`icse20`, `full`, …).

use luthier_generator::Suite as GeneratedSuite;

use crate::CampaignError;

/// An embedded suite.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedSuite {
    /// Its name.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    source: Source,
}

/// Where the instances come from.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Names and texts, written by hand.
    Written(&'static [(&'static str, &'static str)]),
    /// Generated on demand.
    Generated(GeneratedSuite),
}

/// One instance of a suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    /// The part of the suite to which it belongs; empty if there are none.
    pub track: &'static str,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

macro_rules! files {
    ($folder:literal: $($name:literal),+ $(,)?) => {
        &[$((
            concat!($name, ".smt2"),
            include_str!(concat!("../../../suites/", $folder, "/", $name, ".smt2")),
        )),+]
    };
}

/// All suites.
pub const SUITES: &[EmbeddedSuite] = &[
    EmbeddedSuite {
        name: "demo",
        summary: "small formulas with planted answers, some of which releases get wrong",
        source: Source::Written(files!("demo":
            "at_nested",
            "conversions",
            "date_format",
            "empty_pattern",
            "host_allowed",
            "indexof_bounds",
            "incremental",
            "overlap",
            "path_traversal",
            "pumping",
            "replace_in_empty",
            "replace_once",
            "sanitiser",
            "token_length",
            "word_equation",
        )),
    },
    generated(GeneratedSuite::Icse20),
    generated(GeneratedSuite::Icse20Corrected),
    generated(GeneratedSuite::Full),
];

/// A suite that is generated on demand.
const fn generated(suite: GeneratedSuite) -> EmbeddedSuite {
    EmbeddedSuite { name: suite.name(), summary: suite.summary(), source: Source::Generated(suite) }
}

impl EmbeddedSuite {
    /// Its instances.
    pub fn files(&self) -> Vec<SuiteFile> {
        match self.source {
            Source::Written(files) => files
                .iter()
                .map(|(name, text)| SuiteFile {
                    track: "",
                    name: (*name).to_owned(),
                    text: (*text).to_owned(),
                })
                .collect(),
            Source::Generated(suite) => suite
                .formulas()
                .into_iter()
                .map(|formula| SuiteFile {
                    track: formula.category.name(),
                    name: format!("{}/{}.smt2", formula.category, formula.name),
                    text: formula.text,
                })
                .collect(),
        }
    }
}

/// The suite of this name.
pub fn find(name: &str) -> Result<&'static EmbeddedSuite, CampaignError> {
    SUITES.iter().find(|suite| suite.name == name).ok_or_else(|| CampaignError::NoSuite {
        name: name.to_owned(),
        known: SUITES.iter().map(|suite| suite.name.to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use luthier_judge::{CheckOptions, CheckOutcome, check_model, planted_witness};
    use luthier_records::Verdict;

    use super::{EmbeddedSuite, SUITES, SuiteFile};
    use crate::parsed_instance::ParsedInstance;

    /// Every instance has a planted answer, and every planted `sat` has a witness that the
    /// referee accepts.
    #[test]
    fn planted_answers_are_there_and_witnesses_are_valid() {
        for SuiteFile { name, text, .. } in SUITES.iter().flat_map(EmbeddedSuite::files) {
            let mut parsed = ParsedInstance::read(text.as_bytes(), None);
            assert_eq!(parsed.instance.fault, None, "{name}");
            assert!(!parsed.instance.queries.is_empty(), "{name}");
            for (number, query) in parsed.instance.queries.iter().enumerate() {
                let planted = query.planted.expect(&name);
                let witness = planted_witness(&parsed.pool, &parsed.script, number);
                assert_eq!(witness.is_some(), planted == Verdict::Sat, "{name}");
                let Some(witness) = witness else { continue };
                let options = CheckOptions { query: Some(number + 1), ..CheckOptions::default() };
                let check =
                    check_model(&mut parsed.pool, &parsed.script, witness.as_bytes(), &options);
                let check = check.unwrap();
                assert!(
                    matches!(check.outcome, CheckOutcome::Valid),
                    "{name}: {:?}",
                    check.outcome
                );
            }
        }
    }
}
