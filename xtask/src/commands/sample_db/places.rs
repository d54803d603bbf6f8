//! Sets, tracks and file names of the sample, in the proportions of the published sets.

/// A set of the sample.
pub struct SampleSet {
    /// Its name.
    pub name: &'static str,
    /// How many files the published set has.
    size: usize,
    tracks: &'static [&'static str],
    /// How names of files begin.
    stem: &'static str,
    /// What is known about the answers beforehand.
    pub labels: Labels,
    /// Whether the status in its files is trusted.
    pub is_trusted: bool,
    /// How many out of a hundred files have a copy in the same set.
    pub copies: usize,
    /// How many out of a hundred are satisfiable.
    pub satisfiable: usize,
    /// How hard its instances are: a summand of the logarithm of times.
    pub hardness: f64,
}

/// What is known about an answer beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The answer by construction.
    Planted,
    /// What the file says.
    Status,
    /// Nothing.
    None,
}

/// Where an instance stands.
pub struct SamplePlace {
    /// The index of its set.
    pub set: usize,
    /// Its track.
    pub track: String,
    /// The name of its file.
    pub name: String,
    /// Its number in its set.
    pub number: usize,
}

const fn set(name: &'static str, size: usize, stem: &'static str, hardness: f64) -> SampleSet {
    SampleSet {
        name,
        size,
        tracks: &[""],
        stem,
        labels: Labels::Status,
        is_trusted: false,
        copies: 0,
        satisfiable: 70,
        hardness,
    }
}

const fn with_tracks(set: SampleSet, tracks: &'static [&'static str]) -> SampleSet {
    SampleSet { tracks, ..set }
}

const fn trusted(set: SampleSet) -> SampleSet {
    SampleSet { is_trusted: true, ..set }
}

const fn labelled(set: SampleSet, labels: Labels, satisfiable: usize, copies: usize) -> SampleSet {
    SampleSet { labels, satisfiable, copies, ..set }
}

/// The sets, with the sizes that the published ones have.
pub const SETS: [SampleSet; 19] = [
    with_tracks(
        labelled(set("Leetcode", 2_666, "leetcode", 0.3), Labels::None, 60, 0),
        &["addbinary", "decodeways", "restoreip", "validpalindrome"],
    ),
    with_tracks(
        labelled(set("PyEx", 25_421, "symbolic_execution_path", 1.0), Labels::Status, 80, 1),
        &["pyex_td", "pyex_z3", "pyex_zz"],
    ),
    labelled(set("AppScan", 8, "t", -0.5), Labels::None, 80, 0),
    labelled(set("AutomatArk", 19_979, "instance", -0.6), Labels::Planted, 75, 2),
    labelled(set("BanditFuzz", 357, "fuzzed", 1.6), Labels::None, 60, 0),
    set("Cashew", 394, "constraint", -0.8),
    set("JOACO", 94, "vulnerability", 0.6),
    with_tracks(
        trusted(labelled(set("Kaluza", 47_284, "kaluza_core", -1.2), Labels::Status, 74, 3)),
        &["sat/big", "sat/small", "unsat/big", "unsat/small"],
    ),
    set("Kausler", 120, "trace", 0.2),
    labelled(set("Trau Light", 100, "light", 0.4), Labels::None, 70, 0),
    trusted(set("Norn", 1_027, "norn_benchmark", 0.5)),
    set("Pisa", 12, "pisa", 0.0),
    labelled(set("Sloth", 40, "sloth", 0.9), Labels::Planted, 50, 0),
    set("Stranger", 4, "stranger", 0.0),
    with_tracks(
        labelled(set("StringFuzz", 1_065, "fuzz", 1.2), Labels::Planted, 60, 5),
        &["concats-balanced", "concats-big", "lengths-long", "overlaps-small", "regex-deep"],
    ),
    labelled(
        set("StringFuzz Regex Generated", 4_170, "regex_generated", 0.7),
        Labels::Planted,
        65,
        2,
    ),
    labelled(
        set("StringFuzz Regex Transformed", 10_682, "regex_transformed", 1.1),
        Labels::Planted,
        55,
        4,
    ),
    trusted(with_tracks(
        labelled(set("Woorpje", 809, "word_equation", 1.4), Labels::Status, 70, 0),
        &["track01", "track02", "track03", "track04", "track05"],
    )),
    set("Z3str2", 243, "regression", -0.4),
];

/// The places of so many instances: each set has its share, as in the published sets.
pub fn places(instances: usize) -> Vec<SamplePlace> {
    let all: usize = SETS.iter().map(|set| set.size).sum();
    let mut places = Vec::with_capacity(instances);
    let mut below = 0;
    for (index, set) in SETS.iter().enumerate() {
        let first = below * instances / all;
        below += set.size;
        let count = below * instances / all - first;
        for number in 0..count {
            // Tracks are uneven, too: the first has about half of what is left.
            let mut track = 0;
            while track + 1 < set.tracks.len() && (number >> track) % 2 == 1 {
                track += 1;
            }
            let track = set.tracks[track];
            let folder = if track.is_empty() { "" } else { "/" };
            let name =
                format!("{track}{folder}batch_{:03}/{}_{:05}.smt2", number / 250, set.stem, number);
            places.push(SamplePlace { set: index, track: track.to_owned(), name, number });
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_sizes_are_those_of_the_published_sets_and_names_differ() {
        let places = places(114_475);
        assert_eq!(places.len(), 114_475);
        let names: BTreeSet<_> = places.iter().map(|place| (place.set, &place.name)).collect();
        assert_eq!(names.len(), places.len());
        for (index, set) in SETS.iter().enumerate() {
            assert_eq!(places.iter().filter(|place| place.set == index).count(), set.size);
        }
    }
}
