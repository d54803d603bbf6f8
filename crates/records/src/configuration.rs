//! A configuration: a solver release with its options, under limits.
//!
//! Its identity is the digest of everything that may change a result: program, arguments, options
//! in the script, dialect, seed, limits, and what is requested. The name and the path of the
//! program are not part of it, so that results of two machines can be merged.

use crate::{Bytes, CpuTime, Digest, WallTime};

/// A release of a solver with options, under limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    /// Its name in tables, `z3@4.8.9+z3str3`. Unique within one experiment.
    pub name: String,
    /// The solver, `z3`.
    pub solver: String,
    /// Its family: solvers with a common history, whose agreement is no evidence.
    pub family: String,
    /// The version of the release, if it is known.
    pub version: Option<String>,
    /// The absolute path of the program that was run, as it was given; `None` if it was not
    /// recorded. Two machines may have the same program in different places, so it is not part of
    /// the identity.
    pub program: Option<String>,
    /// The digest of the program that is run.
    pub program_digest: Digest,
    /// Its command line without the program; `{file}` stands for the instance.
    pub arguments: Vec<String>,
    /// Commands before every instance.
    pub script_lines: Vec<String>,
    /// The name of the dialect that it reads and writes.
    pub dialect: String,
    /// The seed for its decisions.
    pub seed: Option<u64>,
    /// Models are requested.
    pub models: bool,
    /// When unsatisfiable cores are requested.
    pub cores: Cores,
    /// The limits of a run.
    pub limits: RunLimits,
    /// What the experiment requests and this release cannot be asked for.
    pub not_asked: Vec<String>,
}

/// When unsatisfiable cores are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cores {
    /// Never.
    Never,
    /// For instances with a planted core, and for those that request a core themselves.
    #[default]
    WherePlanted,
    /// Always. Assertions without a name get one in the solver's copy.
    Always,
}

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// CPU time of all processes together: the limit that defines a timeout.
    pub cpu: CpuTime,
    /// Wall time, a safety net.
    pub wall: WallTime,
    /// Resident memory of all processes together.
    pub memory: Bytes,
    /// How much of each output is kept.
    pub output: Bytes,
}

impl Cores {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Never, Self::WherePlanted, Self::Always];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::WherePlanted => "where-planted",
            Self::Always => "always",
        }
    }
}

impl Configuration {
    /// The digest of everything that may change a result. Two configurations with the same
    /// identity are the same, on whatever machine the program stands; name and path are not part of it.
    pub fn identity(&self) -> Digest {
        let mut text = String::new();
        let mut add = |field: &str| {
            // With its length, so that different fields never give the same text.
            text.push_str(&format!("{}:{field}", field.len()));
        };
        let Self { solver, version, arguments, script_lines, dialect, seed, limits, .. } = self;
        add(solver);
        add(version.as_deref().unwrap_or(""));
        add(&self.program_digest.to_string());
        add(&arguments.len().to_string());
        arguments.iter().for_each(|argument| add(argument));
        add(&script_lines.len().to_string());
        script_lines.iter().for_each(|line| add(line));
        add(dialect);
        add(&seed.map_or_else(String::new, |seed| seed.to_string()));
        add(if self.models { "models" } else { "" });
        add(self.cores.name());
        add(&limits.cpu.0.as_micros().to_string());
        add(&limits.wall.0.as_micros().to_string());
        add(&limits.memory.0.to_string());
        add(&limits.output.0.to_string());
        Digest::of(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Configuration, Cores, RunLimits};
    use crate::{Bytes, CpuTime, Digest, WallTime};

    fn configuration() -> Configuration {
        Configuration {
            name: "z3@5.4.0".to_owned(),
            solver: "z3".to_owned(),
            family: "z3".to_owned(),
            version: Some("5.4.0".to_owned()),
            program: None,
            program_digest: Digest::of(b"program"),
            arguments: vec!["-smt2".to_owned(), "{file}".to_owned()],
            script_lines: Vec::new(),
            dialect: "z3".to_owned(),
            seed: None,
            models: true,
            cores: Cores::WherePlanted,
            limits: RunLimits {
                cpu: CpuTime(Duration::from_secs(10)),
                wall: WallTime(Duration::from_secs(30)),
                memory: Bytes::mebibytes(4096),
                output: Bytes::mebibytes(16),
            },
            not_asked: Vec::new(),
        }
    }

    #[test]
    fn only_what_may_change_a_result_changes_the_identity() {
        let original = configuration();
        let renamed = Configuration { name: "mine".to_owned(), ..configuration() };
        assert_eq!(original.identity(), renamed.identity());
        let elsewhere = Configuration { program: Some("/opt/z3".to_owned()), ..configuration() };
        assert_eq!(original.identity(), elsewhere.identity());
        let mut others = vec![
            Configuration { seed: Some(0), ..configuration() },
            Configuration { models: false, ..configuration() },
            Configuration { arguments: vec!["-smt2{file}".to_owned()], ..configuration() },
            Configuration { program_digest: Digest::of(b"patched"), ..configuration() },
            Configuration { cores: Cores::Always, ..configuration() },
        ];
        let mut limited = configuration();
        limited.limits.cpu = CpuTime(Duration::from_secs(11));
        others.push(limited);
        let mut identities: Vec<_> = others.iter().map(Configuration::identity).collect();
        identities.push(original.identity());
        identities.sort_unstable();
        identities.dedup();
        assert_eq!(identities.len(), others.len() + 1);
    }
}
