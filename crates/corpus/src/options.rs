//! Options of the search for instances: which extensions count, and limits.

/// Four gibibytes: more than any benchmark known, and less than a forged header can claim.
const DEFAULT_MAX_INSTANCE_BYTES: u64 = 4 << 30;

/// The endings in use for SMT-LIB files; the digits are the versions of the standard.
const DEFAULT_ENDINGS: [&str; 6] = ["smt2", "smt25", "smt26", "smt27", "smt20", "smt"];

/// Options of the search for instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which file endings count inside folders and archives, in any case of letters and with or
    /// without the dot. A file that is named explicitly needs none of them.
    pub endings: Vec<String>,
    /// The largest instance that is read, in bytes after decompression.
    pub max_instance_bytes: u64,
    /// How many names of skipped files are kept; beyond that they are only counted, so that a
    /// folder full of other files costs no memory.
    pub skipped_names_kept: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            endings: DEFAULT_ENDINGS.map(str::to_owned).to_vec(),
            max_instance_bytes: DEFAULT_MAX_INSTANCE_BYTES,
            skipped_names_kept: 1000,
        }
    }
}

impl Options {
    /// Whether a file name, in lower case, has one of the endings.
    pub(crate) fn counts(&self, lower_case_name: &str) -> bool {
        let Some((stem, ending)) = lower_case_name.rsplit_once('.') else { return false };
        let wanted = |listed: &String| listed.trim_start_matches('.').eq_ignore_ascii_case(ending);
        !stem.is_empty() && self.endings.iter().any(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn listed_endings_count_with_and_without_dot_in_any_case() {
        let options =
            Options { endings: vec![".SMT2".to_owned(), "txt".to_owned()], ..Options::default() };
        assert!(options.counts("a.smt2"));
        assert!(options.counts("a.b.txt"));
    }

    #[test]
    fn other_endings_and_bare_names_do_not_count() {
        let options = Options::default();
        for name in ["a.smt3", "smt2", ".smt2", "a.smt2~", "a.", ""] {
            assert!(!options.counts(name), "{name}");
        }
    }
}
