//! Unique labels of configurations, wherever several of one database are shown: tables, charts,
//! pages, documents, REST.
//!
//! A label is the name of the configuration. Names may be equal: an own build and the release that
//! it reports to be, the same release under other limits, merged databases. Such configurations get
//! the shortest distinguishing addition, in parentheses: one of the CPU time limit, the seed, the end
//! of the program's path and the beginning of its SHA-256, or else two of these, or else the
//! beginning of the identity, which is always different.
//!
//! ```text
//! z3@5.4.0 (5.4.0/bin/z3)   z3@5.4.0 (my-build/bin/z3)
//! ```
//!
//! Additions do not depend on the order in which configurations came into the database.

use std::collections::{BTreeMap, BTreeSet};

use luthier_records::Configuration;

/// How many hexadecimal digits of a digest are shown at least.
const DIGITS: usize = 8;

/// One label for each configuration, in their order; no two are equal unless the configurations
/// are.
pub fn labels(configurations: &[&Configuration]) -> Vec<String> {
    let mut labels: Vec<String> = configurations.iter().map(|one| one.name.clone()).collect();
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, one) in configurations.iter().enumerate() {
        by_name.entry(&one.name).or_default().push(index);
    }
    for (name, namesakes) in by_name {
        if namesakes.len() > 1 {
            let group: Vec<&Configuration> =
                namesakes.iter().map(|index| configurations[*index]).collect();
            for (index, addition) in namesakes.iter().zip(additions(&group)) {
                labels[*index] = format!("{name} ({addition})");
            }
        }
    }
    // A given name may look like one with an addition.
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for label in &labels {
        *taken.entry(label.clone()).or_default() += 1;
    }
    for (label, one) in labels.iter_mut().zip(configurations) {
        if taken.get(label).is_some_and(|count| *count > 1) {
            *label = format!("{label} ({})", one.identity());
        }
    }
    labels
}

/// Additions that distinguish configurations of one name.
fn additions(group: &[&Configuration]) -> Vec<String> {
    let kinds: [Vec<String>; 4] = [
        group.iter().map(|one| format!("{} s", one.limits.cpu.as_secs_f64())).collect(),
        group
            .iter()
            .map(|one| one.seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}")))
            .collect(),
        path_ends(group),
        prefixes(group.iter().map(|one| one.program_digest.to_string()).collect(), "sha256 "),
    ];
    let single = kinds.iter().find(|kind| are_distinct(kind)).cloned();
    let pair = || {
        let pairs =
            (0..kinds.len()).flat_map(|one| (one + 1..kinds.len()).map(move |two| (one, two)));
        let joined = |(one, two): (usize, usize)| -> Vec<String> {
            kinds[one].iter().zip(&kinds[two]).map(|(one, two)| format!("{one}, {two}")).collect()
        };
        pairs.map(joined).find(|kind| are_distinct(kind))
    };
    let identities =
        || prefixes(group.iter().map(|one| one.identity().to_string()).collect(), "configuration ");
    single.or_else(pair).unwrap_or_else(identities)
}

fn are_distinct(texts: &[String]) -> bool {
    texts.iter().collect::<BTreeSet<_>>().len() == texts.len()
}

/// The ends of the paths of the programs, with as many folders as tell apart those that differ.
fn path_ends(group: &[&Configuration]) -> Vec<String> {
    let parts = |one: &Configuration| -> Vec<String> {
        let path = one.program.as_deref().unwrap_or("unknown path");
        path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let paths: Vec<Vec<String>> = group.iter().map(|one| parts(one)).collect();
    let wanted = paths.iter().collect::<BTreeSet<_>>().len();
    let longest = paths.iter().map(Vec::len).max().unwrap_or(1);
    let ends = |count: usize| -> Vec<String> {
        paths.iter().map(|path| path[path.len().saturating_sub(count)..].join("/")).collect()
    };
    // One folder beside the name says more than the name alone, which is often the same.
    (2..=longest)
        .map(ends)
        .find(|ends| ends.iter().collect::<BTreeSet<_>>().len() == wanted)
        .unwrap_or_else(|| ends(longest))
}

/// The beginnings of digests, as long as it takes to tell apart those that differ.
fn prefixes(digests: Vec<String>, what: &str) -> Vec<String> {
    let wanted = digests.iter().collect::<BTreeSet<_>>().len();
    let longest = digests.iter().map(String::len).max().unwrap_or(0);
    let cut = |length: usize| -> Vec<String> {
        digests.iter().map(|one| format!("{what}{}", &one[..length.min(one.len())])).collect()
    };
    (DIGITS..longest)
        .map(cut)
        .find(|cut| cut.iter().collect::<BTreeSet<_>>().len() == wanted)
        .unwrap_or_else(|| cut(longest))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use luthier_records::{CpuTime, Digest, RunLimits};

    use super::*;
    use crate::sample;

    fn configuration() -> Configuration {
        let results = sample::from_table("| z3\n").unwrap();
        results.solvers[0].configuration.clone()
    }

    fn at(path: &str, content: &str) -> Configuration {
        let program = Some(path.to_owned());
        Configuration { program, program_digest: Digest::of(content.as_bytes()), ..configuration() }
    }

    #[track_caller]
    fn check(configurations: &[Configuration], expected: &[&str]) {
        let given: Vec<&Configuration> = configurations.iter().collect();
        assert_eq!(labels(&given), expected);
        // The order changes nothing.
        let backwards: Vec<&Configuration> = configurations.iter().rev().collect();
        let expected: Vec<&str> = expected.iter().rev().copied().collect();
        assert_eq!(labels(&backwards), expected);
    }

    #[test]
    fn names_that_differ_stay() {
        let other = Configuration { name: "cvc5".to_owned(), ..configuration() };
        check(&[configuration(), other], &["z3", "cvc5"]);
    }

    #[test]
    fn an_own_build_and_a_release_are_told_apart_by_their_paths() {
        let release = at("/data/me/.cache/luthier/solvers/z3/5.4.0/bin/z3", "release");
        let own = at("/data/me/z3/build/z3", "own");
        check(&[release.clone(), own], &["z3 (bin/z3)", "z3 (build/z3)"]);
        let own = at("/data/me/own/bin/z3", "own");
        check(&[release, own], &["z3 (5.4.0/bin/z3)", "z3 (own/bin/z3)"]);
    }

    #[test]
    fn two_builds_in_one_place_are_told_apart_by_their_digests() {
        let [one, other] = ["one", "other"].map(|content| at("/opt/z3", content));
        let shown = |one: &Configuration| {
            format!("z3 (sha256 {})", &one.program_digest.to_string()[..DIGITS])
        };
        check(&[one.clone(), other.clone()], &[&shown(&one), &shown(&other)]);
        // Before paths were recorded there is none.
        let nowhere = |one: &Configuration| Configuration { program: None, ..one.clone() };
        check(&[nowhere(&one), nowhere(&other)], &[&shown(&one), &shown(&other)]);
    }

    #[test]
    fn limits_seeds_and_pairs_are_enough_where_they_differ() {
        let with = |seconds: u64, seed: Option<u64>| Configuration {
            seed,
            limits: RunLimits {
                cpu: CpuTime(Duration::from_secs(seconds)),
                ..configuration().limits
            },
            ..configuration()
        };
        check(&[with(5, None), with(10, None)], &["z3 (5 s)", "z3 (10 s)"]);
        check(&[with(5, None), with(5, Some(2))], &["z3 (no seed)", "z3 (seed 2)"]);
        check(
            &[with(5, Some(1)), with(5, Some(2)), with(10, Some(2))],
            &["z3 (5 s, seed 1)", "z3 (5 s, seed 2)", "z3 (10 s, seed 2)"],
        );
    }

    #[test]
    fn what_nothing_else_tells_apart_has_its_identity_and_names_cannot_be_taken() {
        let other = Configuration { arguments: vec!["-x".to_owned()], ..configuration() };
        let shown = |one: &Configuration| {
            format!("z3 (configuration {})", &one.identity().to_string()[..DIGITS])
        };
        let [one, two] = [shown(&configuration()), shown(&other)];
        check(&[configuration(), other.clone()], &[&one, &two]);
        let thief = Configuration { name: one.clone(), seed: Some(9), ..configuration() };
        let all = [configuration(), other, thief];
        let all: Vec<&Configuration> = all.iter().collect();
        assert!(are_distinct(&labels(&all)), "{:?}", labels(&all));
    }
}
