//! Shards: the part of an experiment that one machine of several runs.
//!
//! Shard `k/n` has the instances whose digest, read as a number, is `k - 1` modulo `n`. So an
//! instance is in exactly one of the `n` shards, copies of it are in the same one, and it stays
//! there whatever is added to the set, removed from it or renamed: a resumed shard repeats nothing.
//! SHA-256 spreads contents evenly, so shards differ in size by chance only.

use std::fmt;
use std::str::FromStr;

use luthier_records::Digest;

/// One of `count` parts of all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 to `count`.
    number: u32,
    count: u32,
}

impl Shard {
    /// Whether an instance with this content belongs to it.
    pub fn contains(self, digest: &Digest) -> bool {
        let first = digest.as_bytes().first_chunk::<8>();
        let content = u64::from_be_bytes(*first.expect("a digest has 32 bytes"));
        content % u64::from(self.count) == u64::from(self.number - 1)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is no shard; K/N has K from 1 to N, as 3/8, the third of eight");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        let parse = |part: &str| part.parse::<u32>().map_err(|_| wrong());
        let shard = Self { number: parse(number)?, count: parse(count)? };
        if shard.number == 0 || shard.number > shard.count {
            return Err(wrong());
        }
        Ok(shard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_content_is_in_exactly_one_shard_and_shards_are_even() {
        let shards: Vec<Shard> = (1..=8).map(|k| format!("{k}/8").parse().unwrap()).collect();
        let mut sizes = [0; 8];
        for number in 0..8_000 {
            let digest = Digest::of(format!("instance {number}").as_bytes());
            let owners: Vec<usize> = (0..8).filter(|&k| shards[k].contains(&digest)).collect();
            assert_eq!(owners.len(), 1);
            sizes[owners[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (850..1150).contains(size)), "{sizes:?}");
    }

    #[test]
    fn the_shard_of_a_content_never_changes() {
        // Fixed: another choice would repeat runs of shards that are half done.
        let shard: Shard = "3/8".parse().unwrap();
        let mine: Vec<u32> =
            (0..40).filter(|n| shard.contains(&Digest::of(n.to_string().as_bytes()))).collect();
        assert_eq!(mine, [11, 20, 23]);
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        for text in ["", "3", "0/8", "9/8", "1/0", "0/0", "a/8", "3/8/2", "-1/8"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
    }
}
