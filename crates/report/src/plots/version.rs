//! The natural order of version numbers.

use std::cmp::Ordering;
use std::iter::Peekable;
use std::str::Chars;

/// Which version is older. Numbers in them are compared as numbers: `4.8.9` is older than `4.8.10`.
/// A version is older than the same with more (`4.8`, `4.8.1`), but younger than a release
/// before it (`1.0-rc2`, `1.0`).
pub fn compare_versions(left: &str, right: &str) -> Ordering {
    let (mut left_parts, mut right_parts) = (parts(left), parts(right));
    loop {
        let order = match (left_parts.next(), right_parts.next()) {
            (None, None) => return Ordering::Equal,
            (Some(more), None) => return longer(&more),
            (None, Some(more)) => return longer(&more).reverse(),
            (Some(left), Some(right)) => compare_parts(&left, &right),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// A run of digits, without leading zeros, or of letters. What stands between them only separates.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Number(String),
    Word(String),
}

fn parts(version: &str) -> impl Iterator<Item = Part> {
    let mut rest = version.chars().peekable();
    std::iter::from_fn(move || {
        while rest.next_if(|c| !c.is_alphanumeric()).is_some() {}
        let first = *rest.peek()?;
        if first.is_ascii_digit() {
            let digits = take(&mut rest, |c| c.is_ascii_digit());
            Some(Part::Number(digits.trim_start_matches('0').to_owned()))
        } else {
            let word = take(&mut rest, |c| c.is_alphanumeric() && !c.is_ascii_digit());
            Some(Part::Word(word.to_lowercase()))
        }
    })
}

fn take(rest: &mut Peekable<Chars<'_>>, belongs: impl Fn(char) -> bool) -> String {
    let mut taken = String::new();
    while let Some(c) = rest.next_if(|c| belongs(*c)) {
        taken.push(c);
    }
    taken
}

fn compare_parts(left: &Part, right: &Part) -> Ordering {
    match (left, right) {
        // Numbers may have more digits than any type of integers.
        (Part::Number(left), Part::Number(right)) => {
            left.len().cmp(&right.len()).then_with(|| left.cmp(right))
        }
        (Part::Word(left), Part::Word(right)) => {
            is_before(right).cmp(&is_before(left)).then_with(|| left.cmp(right))
        }
        (Part::Number(_), Part::Word(_)) => Ordering::Greater,
        (Part::Word(_), Part::Number(_)) => Ordering::Less,
    }
}

/// How a version with one more part compares to that without.
fn longer(more: &Part) -> Ordering {
    match more {
        Part::Word(word) if is_before(word) => Ordering::Less,
        _ => Ordering::Greater,
    }
}

/// Whether the word marks a release before the release.
fn is_before(word: &str) -> bool {
    ["alpha", "beta", "a", "b", "rc", "pre", "prerelease", "dev", "nightly"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::compare_versions;

    #[test]
    fn versions_are_in_their_natural_order() {
        let ordered = [
            "1.0-alpha",
            "1.0-rc1",
            "1.0-rc10",
            "1.0",
            "1.0.1",
            "1.0.1p1",
            "4.8.9",
            "4.8.10",
            "4.13",
            "99999999999999999999999999",
        ];
        for (index, older) in ordered.iter().enumerate() {
            assert!(compare_versions(older, older).is_eq());
            for younger in &ordered[index + 1..] {
                assert!(compare_versions(older, younger).is_lt(), "{older} {younger}");
                assert!(compare_versions(younger, older).is_gt(), "{older} {younger}");
            }
        }
        assert!(compare_versions("v1.2", "v1.10").is_lt());
        assert!(compare_versions("", "1").is_lt());
    }
}
