//! An instance as it is read for a campaign: its script, its dialect, and what it says about its
//! own answers.
//!
//! An instance that cannot be read, or that has neither an assertion nor a query, has a fault and
//! is given to no solver. What a solver gets of the others is a copy
//! ([`luthier_ask::script_copy`]).

use luthier_judge::{Expectations, expectations, name_assertions};
use luthier_records::{Bytes, Digest, Instance};
use luthier_smtlib::source::{Locator, Span};
use luthier_smtlib::{
    Command, CommandKind, Dialect, Mode, ReadOptions, Script, SimpleCommand, read_script,
};
use luthier_terms::TermPool;

/// An instance and its parsed script.
pub struct ParsedInstance {
    /// The terms.
    pub pool: TermPool,
    /// The script as it stands in the file.
    pub script: Script,
    /// Its record.
    pub instance: Instance,
    /// It requests a core itself, or has a planted one.
    pub asks_for_core: bool,
    /// Inconsistent annotations about its own answers: position and message.
    pub remarks: Vec<String>,
    /// Its text.
    pub source: Vec<u8>,
}

impl ParsedInstance {
    /// Reads an instance, in a given dialect or in the detected one.
    pub fn read(bytes: &[u8], dialect: Option<Dialect>) -> Self {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect, mode: Mode::Generous };
        let reading = read_script(&mut pool, bytes, &options);
        let at = |span: Span, message: &str| {
            let place = Locator::new(bytes).location(span.start);
            format!("{}:{}: {message}", place.line, place.column)
        };
        let fault = reading.errors().next().map(|error| at(error.span, &error.message));
        let script = reading.script;
        let expected = match &fault {
            Some(_) => Expectations::default(),
            None => expectations(&pool, &script),
        };
        let queries = expected.queries;
        // Without a query there is no answer, which must not be attributed to a solver.
        let asks_nothing = "1:1: it asks nothing: there is no check-sat and no assertion";
        let fault = fault.or_else(|| queries.is_empty().then(|| asks_nothing.to_owned()));
        let remarks =
            expected.problems.iter().map(|problem| at(problem.span, &problem.message)).collect();
        let asks = |command: &Command| {
            matches!(command.kind, CommandKind::Simple(SimpleCommand::GetUnsatCore))
        };
        let asks_for_core = script.commands.iter().any(asks)
            || queries.iter().any(|query| query.planted_core.is_some());
        let instance = Instance {
            digest: Digest::of(bytes),
            dialect: reading.detection.dialect.name().to_owned(),
            dialect_reason: reading.detection.reason.describe(),
            size: Bytes(bytes.len() as u64),
            queries,
            fault,
            features: None,
        };
        Self { pool, script, instance, asks_for_core, remarks, source: bytes.to_vec() }
    }

    /// Gives every assertion a name, so that a core can be requested. Names do not change the meaning.
    pub fn name_assertions(&mut self) {
        // This fails only if the pool is full; then assertions stay without names.
        if let Ok(named) = name_assertions(&mut self.pool, &self.script) {
            self.script = named;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_get_names_for_cores() {
        let text = "(declare-const x String)(assert (= x \"a\"))(assert (! (= x \"b\") :named b))";
        let mut parsed = ParsedInstance::read(text.as_bytes(), None);
        parsed.name_assertions();
        let names = parsed.script.commands.iter().filter_map(|command| match &command.kind {
            CommandKind::Assert(assertion) => assertion.name,
            _ => None,
        });
        let names: Vec<_> = names.map(|name| parsed.pool.symbols().display(name)).collect();
        assert_eq!(names, ["luthier-1", "b"]);
    }

    #[test]
    fn a_script_without_query_and_assertion_has_a_fault() {
        for text in ["", "; nothing", "(set-logic QF_S)(declare-const x String)(exit)(check-sat)"] {
            let fault = ParsedInstance::read(text.as_bytes(), None).instance.fault.unwrap();
            assert!(fault.starts_with("1:1: it asks nothing"), "{text}: {fault}");
        }
        assert_eq!(ParsedInstance::read(b"(check-sat)", None).instance.fault, None);
    }

    #[test]
    fn a_fault_has_its_position() {
        let parsed = ParsedInstance::read(b"(declare-const x String)\n(assert (= x 1))\n", None);
        let fault = parsed.instance.fault.unwrap();
        assert!(fault.starts_with("2:"), "{fault}");
        assert!(parsed.instance.queries.is_empty());
    }
}
