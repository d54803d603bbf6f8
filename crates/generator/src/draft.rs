//! A formula under construction: assertions over constants with values ([`Draft`]), and the planted
//! answer with its derivation ([`Sketch`]).
//!
//! [`Sketch::into_formula`] writes the script. It is also the last check of the satisfiable ones:
//! there is no formula if the referee does not evaluate every assertion to true under the witness,
//! within its limits. Unsatisfiable answers are not checked here; their generators have a proof.

use luthier_semantics::{Evaluator, Interpretation, Limits, Model};
use luthier_smtlib::annotations::{self, Annotation};
use luthier_smtlib::source::Span;
use luthier_smtlib::{
    Assertion, Attribute, AttributeValue, CannotExpress, Command, CommandKind, Dialect,
    PrintOptions, Script, print_script, print_term,
};
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};

use crate::{Category, Expected, Formula};

/// The evaluation steps for checking the witness. Formulas that need more are discarded.
const CHECK_STEPS: u64 = 2_000_000;

/// Why building a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";

/// Assertions over constants. The constants are those of the model, in the order of declaration.
pub struct Draft {
    /// The terms.
    pub pool: TermPool,
    /// A value for each constant: the witness of a satisfiable draft, an example for others.
    pub model: Model,
    /// The assertions, in order.
    pub assertions: Vec<Assertion>,
}

/// The planted answer of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlantedAnswer {
    /// Satisfiable: the model is a witness.
    Witness,
    /// Unsatisfiable, and the assertions with these names are its only minimal core, by a proof of the
    /// generator. Without names, only the answer is known.
    Core(Vec<String>),
    /// Unknown.
    Unknown,
}

/// A draft with its planted answer and derivation, still without a name.
pub struct Sketch {
    /// The assertions.
    pub draft: Draft,
    /// The planted answer.
    pub planted: PlantedAnswer,
    /// How they were generated.
    pub category: Category,
    /// The operation that they exercise.
    pub operation: &'static str,
    /// How they were derived, so that people can check the planted answer.
    pub derivation: String,
}

impl Sketch {
    /// The formula, under a name that is unique within its suite. `None` if the referee does not accept
    /// the witness within its limits.
    pub fn into_formula(mut self, name: String) -> Option<Formula> {
        let expected = match self.planted {
            PlantedAnswer::Witness if !self.draft.holds() => return None,
            PlantedAnswer::Witness => Expected::Sat(self.draft.values()?),
            PlantedAnswer::Core(names) => Expected::Unsat(names),
            PlantedAnswer::Unknown => Expected::Open,
        };
        let text = self.draft.print(&expected).ok()?;
        let Self { category, operation, derivation, .. } = self;
        Some(Formula { name, category, operation, expected, derivation, text })
    }
}

impl Draft {
    /// A draft without assertions.
    pub fn new(pool: TermPool, model: Model) -> Self {
        Self { pool, model, assertions: Vec::new() }
    }

    /// Asserts a term.
    pub fn assert(&mut self, term: TermId) {
        self.assertions.push(Assertion { term, name: None, uses_let: false });
    }

    /// Asserts a term under a name.
    pub fn assert_named(&mut self, name: &str, term: TermId) {
        let name = self.pool.symbols_mut().intern(name.as_bytes()).expect(ROOM);
        self.assertions.push(Assertion { term, name: Some(name), uses_let: false });
    }

    /// Whether the referee evaluates all assertions to true under the model.
    pub fn holds(&self) -> bool {
        let limits = Limits { steps: CHECK_STEPS, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(&self.pool, &self.model, limits);
        self.assertions.iter().all(|assertion| evaluator.evaluate(assertion.term).is_true())
    }

    /// Name, sort and literal of each constant.
    fn values(&mut self) -> Option<Vec<(String, &'static str, String)>> {
        let mut values = Vec::new();
        for (function, interpretation) in self.model.iter() {
            let Interpretation::Value(value) = interpretation else { return None };
            let term = value.to_term(&mut self.pool).ok()?;
            let literal = print_term(&self.pool, term, &PrintOptions::new(Dialect::Smt27)).ok()?;
            let literal = String::from_utf8(literal.bytes).ok()?;
            let sort = sort_name(self.pool.function(function).result)?;
            values.push((self.pool.function_name(function).into_owned(), sort, literal));
        }
        Some(values)
    }

    /// The script, with the planted answer as annotations.
    fn print(&mut self, expected: &Expected) -> Result<String, CannotExpress> {
        let mut commands = Vec::new();
        let mut add = |kind| commands.push(Command { kind, span: Span::default() });
        // Some solvers reject version 2.7, which has the same theory of strings as 2.6.
        let version = b"2.6".to_vec();
        add(self.information(":smt-lib-version", AttributeValue::Other(version)));
        let logic = if self.is_in_qf_slia() { "QF_SLIA" } else { "ALL" };
        add(CommandKind::SetLogic(self.pool.symbols_mut().intern(logic.as_bytes()).expect(ROOM)));
        let verdict = match expected {
            Expected::Sat(_) => Some("sat"),
            Expected::Unsat(_) => Some("unsat"),
            Expected::Open => None,
        };
        if let Some(verdict) = verdict {
            let value = AttributeValue::Other(verdict.into());
            add(self.annotation(Annotation::Expected, value));
        }
        match expected {
            Expected::Sat(values) => {
                let values = values.iter().map(|(name, sort, value)| (&**name, *sort, &**value));
                let value = AttributeValue::String(annotations::witness_text(values).into());
                add(self.annotation(Annotation::Witness, value));
            }
            // Without names, the core is not known.
            Expected::Unsat(core) if core.is_empty() => {}
            Expected::Unsat(core) => {
                add(self.annotation(Annotation::Core, annotations::core_value(core)));
            }
            Expected::Open => {}
        }
        let constants: Vec<FunctionId> = self.model.iter().map(|(function, _)| function).collect();
        for function in constants {
            let constant = self.pool.function(function).parameters.is_empty();
            add(CommandKind::Declare { function, constant });
        }
        for function in self.definitions() {
            add(CommandKind::Define { function, constant: false });
        }
        for assertion in &self.assertions {
            add(CommandKind::Assert(*assertion));
        }
        add(CommandKind::CheckSat);
        let script = Script { commands };
        let printed = print_script(&self.pool, &script, &PrintOptions::new(Dialect::Smt26))?;
        Ok(String::from_utf8_lossy(&printed.bytes).into_owned())
    }

    /// The defined functions that assertions apply. No definition of a draft applies another one.
    fn definitions(&self) -> Vec<FunctionId> {
        let roots = self.assertions.iter().map(|assertion| assertion.term);
        let mut found = Vec::new();
        for part in PostOrder::new(&self.pool, roots) {
            if let Term::Apply(function, _) = self.pool.term(part)
                && self.pool.function(function).definition.is_some()
                && !found.contains(&function)
            {
                found.push(function);
            }
        }
        found
    }

    fn annotation(&mut self, annotation: Annotation, value: AttributeValue) -> CommandKind {
        annotation.command(&mut self.pool, value).expect(ROOM)
    }

    fn information(&mut self, keyword: &str, value: AttributeValue) -> CommandKind {
        let keyword = self.pool.symbols_mut().intern(keyword.as_bytes()).expect(ROOM);
        CommandKind::SetInfo(Attribute { keyword, value })
    }

    /// Whether it is quantifier-free and linear, without functions and arrays: at most one factor, and no
    /// divisor, is not a number.
    fn is_in_qf_slia(&self) -> bool {
        let is_number = |term: &TermId| self.pool.as_integer(*term).is_some();
        let is_linear = |part: TermId| match self.pool.term(part) {
            Term::Quantifier(_) | Term::Op(Op::Select | Op::Store, _) => false,
            Term::Apply(function, _) => {
                let function = self.pool.function(function);
                let is_declared = function.definition.is_none() && !function.parameters.is_empty();
                !is_declared && !matches!(function.result, Sort::Array(..))
            }
            Term::Op(Op::Mul, factors) => {
                factors.iter().filter(|factor| !is_number(factor)).count() <= 1
            }
            Term::Op(Op::Div | Op::Mod, [_, divisors @ ..]) => divisors.iter().all(is_number),
            _ => true,
        };
        let roots = self.assertions.iter().map(|assertion| assertion.term);
        PostOrder::new(&self.pool, roots).all(is_linear)
    }
}

/// The name of the sort of a constant.
fn sort_name(sort: Sort) -> Option<&'static str> {
    match sort {
        Sort::Bool => Some("Bool"),
        Sort::Int => Some("Int"),
        Sort::String => Some("String"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use luthier_semantics::Value;
    use luthier_terms::{Op, SmtString};

    use super::{Draft, PlantedAnswer, Sketch};
    use crate::random::Generator;
    use crate::{Category, Dice, Expected, Formula};

    fn formula(number: i64, planted: PlantedAnswer) -> Option<Formula> {
        let sketch = Sketch {
            draft: length(number),
            planted,
            category: Category::Planted,
            operation: "str.len",
            derivation: "by hand".into(),
        };
        sketch.into_formula("n".into())
    }

    /// `(= (str.len x) number)` where x is `a"b`.
    fn length(number: i64) -> Draft {
        let mut generator = Generator::new(Dice::new(0, 0));
        let text = SmtString::from_text("a\"b").unwrap();
        let x = generator.declare("x", Value::String(text.as_slice().into()));
        let mut draft = Draft::new(generator.pool, generator.model);
        let length = draft.pool.op(Op::StrLen, &[x]).unwrap();
        let number = draft.pool.integer(number).unwrap();
        let term = draft.pool.op(Op::Eq, &[length, number]).unwrap();
        draft.assert_named("a", term);
        draft
    }

    #[test]
    fn a_formula_carries_its_witness_or_its_core() {
        let sat = formula(3, PlantedAnswer::Witness).unwrap();
        let text = "(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n\
            (set-info :luthier-expected sat)\n\
            (set-info :luthier-witness \"((define-fun x () String \"\"a\"\"\"\"b\"\"))\")\n\
            (declare-const x String)\n(assert (! (= (str.len x) 3) :named a))\n(check-sat)\n";
        assert_eq!(sat.text, text);
        assert!(matches!(&sat.expected, Expected::Sat(values) if values[0].2 == "\"a\"\"b\""));

        let unsat = formula(-1, PlantedAnswer::Core(vec!["a".into()])).unwrap();
        assert!(unsat.text.contains("(set-info :luthier-expected unsat)"));
        assert!(unsat.text.contains("(set-info :luthier-core \"a\")"));
        assert!(!formula(3, PlantedAnswer::Unknown).unwrap().text.contains("luthier"));
    }

    #[test]
    fn a_witness_that_the_referee_rejects_gives_no_formula() {
        assert_eq!(formula(2, PlantedAnswer::Witness), None);
    }
}
