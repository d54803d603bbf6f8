//! The exact input of a stored run, reconstructed so that a user can repeat it.
//!
//! A configuration is stored with the command line for one query and a model. An instance with
//! several queries, or one of which a core is requested, was run with further options; these follow
//! from the description of the solver, as they did when the run was made. A solver without a
//! description is assumed to need none.

use luthier_ask::{CannotAsk, CopyOptions, ProcessMode, Quirks, ScriptCopy, Solver, script_copy};
use luthier_records::{Configuration, Cores};
use luthier_runner::releases::{Catalogue, Origin, Program, Release};
use luthier_smtlib::Dialect;

use crate::parsed_instance::ParsedInstance;

/// An instance as it was given to a configuration.
pub struct Rerun {
    parsed: ParsedInstance,
    core: bool,
    models: bool,
    /// The arguments; `{file}` stands for the script.
    pub arguments: Vec<String>,
    /// Commands at the top of the script.
    pub preamble: Vec<String>,
    quirks: Quirks,
}

impl Rerun {
    /// The input of a run on an instance with this text, read in this dialect. For a solver that the
    /// catalogue does not know, the stored command line is used unchanged.
    pub fn new(
        text: &[u8],
        dialect: Dialect,
        configuration: &Configuration,
        catalogue: &Catalogue,
    ) -> Self {
        let mut parsed = ParsedInstance::read(text, Some(dialect));
        let core = match configuration.cores {
            Cores::Never => false,
            Cores::WherePlanted => parsed.asks_for_core,
            Cores::Always => true,
        };
        if configuration.cores == Cores::Always {
            parsed.name_assertions();
        }
        let incremental = parsed.instance.queries.len() > 1;
        let (mut arguments, mut preamble) = (Vec::new(), configuration.script_lines.clone());
        let solver = described(configuration, catalogue);
        let usual = ProcessMode { models: configuration.models, ..ProcessMode::default() };
        let mode = ProcessMode { cores: core, incremental, ..usual };
        let invocation = |mode| solver.as_ref()?.invocation("{file}".as_ref(), mode).ok();
        if mode != usual
            && let (Some(usual), Some(more)) = (invocation(usual), invocation(mode))
        {
            let added = more.arguments.iter().filter(|one| !usual.arguments.contains(one));
            arguments.extend(added.map(|one| one.to_string_lossy().into_owned()));
            let missing: Vec<_> =
                more.script.into_iter().filter(|line| !preamble.contains(line)).collect();
            preamble.extend(missing);
        }
        arguments.extend(configuration.arguments.iter().cloned());
        let quirks = solver.map(|solver| solver.quirks).unwrap_or_default();
        Self { parsed, core, models: configuration.models, arguments, preamble, quirks }
    }

    /// Why the instance cannot be read.
    pub fn fault(&self) -> Option<&str> {
        self.parsed.instance.fault.as_deref()
    }

    /// The copy that the solver got.
    pub fn copy(&mut self, dialect: Dialect) -> Result<ScriptCopy, CannotAsk> {
        let options =
            CopyOptions { models: self.models, cores: self.core, preamble: &self.preamble };
        let ParsedInstance { pool, script, .. } = &mut self.parsed;
        script_copy(pool, script, dialect, &self.quirks, &options)
    }
}

/// The solver as its description and version define it; `None` if the catalogue lacks it.
fn described(configuration: &Configuration, catalogue: &Catalogue) -> Option<Solver> {
    let release = Release {
        description: catalogue.get(&configuration.solver).ok()?.clone(),
        version: configuration.version.as_ref().and_then(|version| version.parse().ok()),
        origin: Origin::Path,
        program: Program::Executable(configuration.solver.clone().into()),
    };
    Solver::new(release, Vec::new(), Vec::new(), None, "luthier".as_ref()).ok()
}

#[cfg(test)]
mod tests {
    use luthier_records::{Bytes, CpuTime, Digest, RunLimits, WallTime};

    use super::*;

    fn configuration(cores: Cores) -> Configuration {
        Configuration {
            name: "cvc5".to_owned(),
            solver: "cvc5".to_owned(),
            family: "cvc".to_owned(),
            version: Some("1.4.2".to_owned()),
            program: None,
            program_digest: Digest::of(b""),
            arguments: vec!["--seed=1".to_owned(), "--lang=smt2".to_owned(), "{file}".to_owned()],
            script_lines: vec!["(set-option :produce-models true)".to_owned()],
            dialect: "cvc5".to_owned(),
            seed: Some(1),
            models: true,
            cores,
            limits: RunLimits {
                cpu: CpuTime::default(),
                wall: WallTime::default(),
                memory: Bytes(0),
                output: Bytes(0),
            },
            not_asked: Vec::new(),
        }
    }

    #[track_caller]
    fn check(text: &str, cores: Cores, arguments: &str, contained: &[&str]) {
        let catalogue = Catalogue::built_in().unwrap();
        let dialect = Dialect::Smt27;
        let mut again = Rerun::new(text.as_bytes(), dialect, &configuration(cores), &catalogue);
        assert_eq!(again.arguments.join(" "), arguments);
        let copy = again.copy(Dialect::Cvc5).unwrap();
        let copy = String::from_utf8(copy.bytes).unwrap();
        for part in contained {
            assert_eq!(copy.matches(part).count(), 1, "{part} in {copy}");
        }
    }

    const ONE: &str = "(declare-const x String)(assert (= x \"a\"))(check-sat)";

    #[test]
    fn one_query_is_run_as_recorded() {
        let usual = "--seed=1 --lang=smt2 {file}";
        check(ONE, Cores::WherePlanted, usual, &["(get-model)", ":produce-models"]);
    }

    #[test]
    fn several_queries_and_cores_add_the_options_of_the_description() {
        let several = format!("{ONE}(push 1)(assert (= x \"b\"))(check-sat)");
        let more = "--incremental --seed=1 --lang=smt2 {file}";
        check(&several, Cores::Never, more, &[":produce-models"]);
        let core = ["(get-unsat-core)", ":produce-models", ":produce-unsat-cores", "luthier-1"];
        check(ONE, Cores::Always, "--seed=1 --lang=smt2 {file}", &core);
    }
}
