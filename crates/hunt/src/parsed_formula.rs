//! A generated formula, read once, and its text for each solver: as a formula of a batch or as a
//! script of its own.
//!
//! A formula is given to a solver only if its dialect expresses the same meaning: texts that an
//! older release would read with 256 characters or with another meaning of operators on empty
//! strings are left out. A variant that requests legacy operator names or plain backslashes gets
//! them in the printed text.

use luthier_ask::{BatchFormula, CannotAsk, CopyOptions, ProcessMode, Quirks, Solver, script_copy};
use luthier_generator::variants::with_requested_spelling;
use luthier_generator::{Expected, Formula};
use luthier_smtlib::{CommandKind, Dialect, Mode as ReadMode, ReadOptions, Script, read_script};
use luthier_terms::{PostOrder, Term, TermPool};

use crate::AskedScript;
use crate::values::ValueRequest;

/// A formula and its parsed script.
pub(crate) struct ParsedFormula {
    pub formula: Formula,
    pub pool: TermPool,
    pub script: Script,
    /// It is ground: no constants, no quantifiers, so that evaluation decides it.
    pub is_ground: bool,
}

impl ParsedFormula {
    /// Reads a formula. One that cannot be read, or has not exactly one query, is a fault of the
    /// generator.
    pub fn read(formula: Formula) -> Result<Self, String> {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: ReadMode::Generous };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        if let Some(error) = reading.errors().next() {
            return Err(format!("{} cannot be read: {}", formula.name, error.message));
        }
        let script = reading.script;
        let queries = script.queries().count();
        if queries != 1 {
            return Err(format!("{} has {queries} queries instead of one", formula.name));
        }
        let is_ground = is_ground(&pool, &script);
        Ok(Self { formula, pool, script, is_ground })
    }

    /// The formula for a batch; `None` if the dialect cannot express it, or its solvers give it another
    /// meaning.
    pub fn batch_formula(&self, solver: &Solver, named: bool) -> Option<BatchFormula> {
        self.batch_formula_in(solver.dialect, &solver.quirks, named)
    }

    fn batch_formula_in(
        &self,
        dialect: Dialect,
        quirks: &Quirks,
        named: bool,
    ) -> Option<BatchFormula> {
        let spelling = |bytes| with_requested_spelling(&self.pool, &self.script, bytes, dialect);
        BatchFormula::of_script(&self.pool, &self.script, named, (dialect, quirks), &spelling)
    }

    /// The request for the values of its constants and subterms; `None` if the solver cannot be asked
    /// for them.
    pub fn value_request(&mut self, solver: &Solver) -> Option<ValueRequest> {
        let query = self.script.queries().last()?;
        let (script, dialect) = (&self.script, solver.dialect);
        let spelling =
            |pool: &TermPool, bytes| with_requested_spelling(pool, script, bytes, dialect);
        ValueRequest::of_query(&mut self.pool, &query, solver, &spelling)
    }

    /// The script for a process of its own, with a request for a model or a core, as in `luthier run`.
    pub fn script_alone(
        &mut self,
        solver: &Solver,
        mode: ProcessMode,
    ) -> Result<Vec<u8>, CannotAsk> {
        let preamble = solver.preamble(mode);
        let options = CopyOptions { models: !mode.cores, cores: mode.cores, preamble: &preamble };
        let (dialect, quirks) = (solver.dialect, &solver.quirks);
        let copy = script_copy(&mut self.pool, &self.script, dialect, quirks, &options)?;
        Ok(with_requested_spelling(&self.pool, &self.script, copy.bytes, dialect))
    }

    /// The script as a solver of a dialect is asked it.
    pub fn asked(&mut self, dialect: Dialect) -> AskedScript<'_> {
        let planted_core = match &self.formula.expected {
            Expected::Unsat(core) if !core.is_empty() => Some(core.as_slice()),
            _ => None,
        };
        AskedScript { pool: &mut self.pool, script: &self.script, planted_core, dialect }
    }

    /// Whether it is planted as satisfiable.
    pub fn is_planted_sat(&self) -> bool {
        matches!(self.formula.expected, Expected::Sat(_))
    }

    /// The only minimal core, if one is planted.
    pub fn planted_core(&self) -> Option<&[String]> {
        match &self.formula.expected {
            Expected::Unsat(core) if !core.is_empty() => Some(core),
            _ => None,
        }
    }
}

/// Whether the formula is ground. Formulas with declarations, definitions or scopes are not examined.
fn is_ground(pool: &TermPool, script: &Script) -> bool {
    let mut roots = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::Assert(assertion) => roots.push(assertion.term),
            CommandKind::SetLogic(_)
            | CommandKind::SetInfo(_)
            | CommandKind::CheckSat
            | CommandKind::Simple(_)
            | CommandKind::GetValue(_)
            | CommandKind::Simplify(_)
            | CommandKind::GetInfo(_)
            | CommandKind::GetOption(_)
            | CommandKind::Echo(_) => {}
            _ => return false,
        }
    }
    let is_open = |part| matches!(pool.term(part), Term::Quantifier(_) | Term::Named(..));
    !PostOrder::new(pool, roots).any(is_open)
}

#[cfg(test)]
pub(crate) mod tests {
    use luthier_generator::Category;

    use super::*;

    pub(crate) fn formula(name: &str, expected: Expected, text: &str) -> Formula {
        Formula {
            name: name.to_owned(),
            category: Category::Planted,
            operation: "str.len",
            expected,
            derivation: "by hand".to_owned(),
            text: text.to_owned(),
        }
    }

    fn parsed(text: &str) -> ParsedFormula {
        ParsedFormula::read(formula("f", Expected::Open, text)).unwrap()
    }

    #[test]
    fn a_batch_formula_has_its_declarations_apart_and_names_only_for_cores() {
        let text = "(set-info :smt-lib-version 2.7)(set-logic QF_SLIA)(declare-const x String)\
            (assert (! (= (str.to_int x) 1) :named a))(check-sat)(get-model)";
        let parsed = parsed(text);
        let batch_formula =
            parsed.batch_formula_in(Dialect::Z3Legacy, &Quirks::default(), false).unwrap();
        assert_eq!(batch_formula.logic, "QF_SLIA");
        assert_eq!(batch_formula.declarations[0].name, b"x");
        let line = String::from_utf8_lossy(&batch_formula.declarations[0].line).into_owned();
        assert!(line.starts_with("(declare-") && line.ends_with('\n'), "{line}");
        let body = String::from_utf8(batch_formula.body).unwrap();
        assert_eq!(body, "(assert (= (str.to.int x) 1))\n(check-sat)\n");
        let named = parsed.batch_formula_in(Dialect::Smt27, &Quirks::default(), true).unwrap();
        assert!(String::from_utf8(named.body).unwrap().contains(":named a"));
        assert!(!parsed.is_ground && !batch_formula.is_isolated);
    }

    #[test]
    fn scopes_and_definitions_are_kept_together() {
        let text = "(declare-const x String)(push 1)(assert (= x \"a\"))(pop 1)\
            (define-fun y () String x)(push 2)(assert (= y \"b\"))(check-sat)";
        let batch_formula =
            parsed(text).batch_formula_in(Dialect::Cvc5, &Quirks::default(), false).unwrap();
        assert!(batch_formula.is_isolated && batch_formula.declarations.is_empty());
        assert_eq!(batch_formula.scopes.to_close(), 3);
        let body = String::from_utf8(batch_formula.body).unwrap();
        assert!(body.contains("(push 1)") && body.contains("(declare-const x String)"), "{body}");
    }

    #[test]
    fn a_variant_with_legacy_names_is_printed_with_them() {
        let text = "(set-info :luthier-names legacy)(declare-const x String)\
            (assert (= (str.to_int x) 1))(check-sat)";
        let batch_formula =
            parsed(text).batch_formula_in(Dialect::Z3, &Quirks::default(), false).unwrap();
        assert!(String::from_utf8(batch_formula.body).unwrap().contains("(str.to.int x)"));
    }

    #[test]
    fn what_a_dialect_cannot_express_has_no_batch_formula() {
        let text = "(declare-const x String)(assert (= x \"\\u{10000}\"))(check-sat)";
        let parsed = parsed(text);
        assert!(parsed.batch_formula_in(Dialect::Z3Legacy, &Quirks::default(), false).is_none());
        assert!(parsed.batch_formula_in(Dialect::Z3, &Quirks::default(), false).is_some());
    }

    #[test]
    fn only_formulas_without_constants_are_ground() {
        assert!(parsed("(assert (= (str.len \"a\") 1))(check-sat)").is_ground);
        assert!(!parsed("(assert (exists ((x Int)) (= x 1)))(check-sat)").is_ground);
    }

    #[test]
    fn a_formula_that_cannot_be_read_is_a_fault_of_the_generator() {
        let wrong = formula("f", Expected::Open, "(assert (= x 1))(check-sat)");
        assert!(
            ParsedFormula::read(wrong).is_err_and(|message| message.contains("f cannot be read"))
        );
        let twice = formula("f", Expected::Open, "(check-sat)(check-sat)");
        assert!(ParsedFormula::read(twice).is_err_and(|message| message.contains("2 queries")));
    }
}
