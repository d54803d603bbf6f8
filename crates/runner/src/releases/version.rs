//! Versions of releases, and ranges of them.
//!
//! Solvers do not follow semantic versioning: there are versions of two to four numbers, and what
//! comes after the numbers (`-modified`, `.post2`) does not say which release it is.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// A version: numbers between dots. Missing numbers at the end are zero.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Version {
    numbers: Vec<u32>,
}

/// A text that is no version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no version; versions are numbers between dots, such as 4.8.9")]
pub struct InvalidVersion(String);

impl Version {
    /// The version at the beginning of a text, such as 1.4.2 in `1.4.2-modified [git …]`.
    pub fn at_start_of(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let mut numbers = Vec::new();
        for part in text[..end].split('.') {
            match part.parse() {
                Ok(number) => numbers.push(number),
                Err(_) => break,
            }
        }
        (!numbers.is_empty()).then_some(Self { numbers })
    }

    fn number(&self, position: usize) -> u32 {
        self.numbers.get(position).copied().unwrap_or(0)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let longest = self.numbers.len().max(other.numbers.len());
        (0..longest)
            .map(|position| self.number(position).cmp(&other.number(position)))
            .find(|ordering| ordering.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, number) in self.numbers.iter().enumerate() {
            let dot = if position == 0 { "" } else { "." };
            write!(f, "{dot}{number}")?;
        }
        Ok(())
    }
}

impl FromStr for Version {
    type Err = InvalidVersion;

    fn from_str(text: &str) -> Result<Self, InvalidVersion> {
        let numbers: Result<Vec<u32>, _> = text.split('.').map(parse_number).collect();
        numbers.map(|numbers| Self { numbers }).map_err(|()| InvalidVersion(text.to_owned()))
    }
}

impl TryFrom<String> for Version {
    type Error = InvalidVersion;

    fn try_from(text: String) -> Result<Self, InvalidVersion> {
        text.parse()
    }
}

/// Only digits: `+4` is a number to the standard library, but no part of a version.
fn parse_number(text: &str) -> Result<u32, ()> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(());
    }
    text.parse().map_err(|_| ())
}

/// A range of versions, such as `>=1.0, <1.4`. The default has all versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct VersionRange {
    bounds: Vec<(Comparison, Version)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Below,
    UpTo,
    From,
    Above,
    Exactly,
}

/// The signs, longer ones first: `<=` begins with `<`.
const SIGNS: [(&str, Comparison); 5] = [
    ("<=", Comparison::UpTo),
    (">=", Comparison::From),
    ("<", Comparison::Below),
    (">", Comparison::Above),
    ("=", Comparison::Exactly),
];

/// A text that is no range of versions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no range of versions; write comparisons with <, <=, >, >= or = and commas between \
     them, such as \">=1.0, <1.4\""
)]
pub struct InvalidVersionRange(String);

impl VersionRange {
    /// Whether a version is in the range. A release of unknown version is taken to be newer
    /// than all others, as programs that people build themselves usually are.
    pub fn contains(&self, version: Option<&Version>) -> bool {
        self.bounds.iter().all(|(comparison, bound)| {
            let ordering = version.map_or(Ordering::Greater, |version| version.cmp(bound));
            match comparison {
                Comparison::Below => ordering.is_lt(),
                Comparison::UpTo => ordering.is_le(),
                Comparison::From => ordering.is_ge(),
                Comparison::Above => ordering.is_gt(),
                Comparison::Exactly => ordering.is_eq(),
            }
        })
    }
}

impl fmt::Display for VersionRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, (comparison, version)) in self.bounds.iter().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            let sign = SIGNS.iter().find(|(_, other)| other == comparison).map_or("", |s| s.0);
            write!(f, "{comma}{sign}{version}")?;
        }
        Ok(())
    }
}

impl FromStr for VersionRange {
    type Err = InvalidVersionRange;

    fn from_str(text: &str) -> Result<Self, InvalidVersionRange> {
        let bounds = text.split(',').map(|part| {
            let part = part.trim();
            let (comparison, rest) = SIGNS
                .iter()
                .find_map(|&(sign, comparison)| Some((comparison, part.strip_prefix(sign)?)))?;
            Some((comparison, rest.trim_start().parse().ok()?))
        });
        let bounds: Option<Vec<_>> = bounds.collect();
        bounds.map(|bounds| Self { bounds }).ok_or_else(|| InvalidVersionRange(text.to_owned()))
    }
}

impl TryFrom<String> for VersionRange {
    type Error = InvalidVersionRange;

    fn try_from(text: String) -> Result<Self, InvalidVersionRange> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn versions_are_compared_by_number_and_missing_numbers_are_zero() {
        for (smaller, larger) in [("4.8.9", "4.8.10"), ("1.4", "1.4.1"), ("4.16.0", "5.0")] {
            assert!(version(smaller) < version(larger), "{smaller} {larger}");
        }
        assert_eq!(version("1.4"), version("1.4.0.0"));
        assert_eq!(version("4.8.9").to_string(), "4.8.9");
    }

    #[test]
    fn what_is_no_version_is_rejected_by_name() {
        for wrong in ["", "4.", ".4", "4.x", "latest", "4.8.9-dev", "+4", "4..8"] {
            let error = wrong.parse::<Version>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{wrong}`")), "{error}");
        }
    }

    #[test]
    fn the_version_at_the_start_of_an_answer_ends_where_the_numbers_end() {
        for (text, expected) in [
            ("4.8.12 - 64 bit", Some("4.8.12")),
            ("1.4.2-modified", Some("1.4.2")),
            ("4.5.1.0.post2", Some("4.5.1.0")),
            ("1.6", Some("1.6")),
            ("modified", None),
        ] {
            let found = Version::at_start_of(text).map(|version| version.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn ranges_have_the_versions_between_their_bounds() {
        let range: VersionRange = ">=1.0, <1.4".parse().unwrap();
        assert_eq!(range.to_string(), ">=1.0, <1.4");
        for (text, inside) in [("0.9", false), ("1.0", true), ("1.3.4", true), ("1.4", false)] {
            assert_eq!(range.contains(Some(&version(text))), inside, "{text}");
        }
        for (range, text, inside) in [
            ("=1.4", "1.4.0", true),
            ("<=1.4", "1.4.1", false),
            (">1.4", "1.4", false),
            (">1.4", "1.5", true),
        ] {
            let range: VersionRange = range.parse().unwrap();
            assert_eq!(range.contains(Some(&version(text))), inside, "{range} {text}");
        }
    }

    #[test]
    fn an_unknown_version_is_newer_than_all_others() {
        for (range, inside) in [("<1.4", false), (">=1.4", true), ("=1.4", false)] {
            assert_eq!(range.parse::<VersionRange>().unwrap().contains(None), inside);
        }
        assert!(VersionRange::default().contains(None));
    }

    #[test]
    fn what_is_no_range_is_rejected() {
        for wrong in ["", "1.4", ">=", ">=1.0,", "~1.4", ">= x"] {
            assert!(wrong.parse::<VersionRange>().is_err(), "{wrong}");
        }
    }
}
