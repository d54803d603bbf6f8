//! A satisfiable formula under construction, for recipes: constants get values first, then terms
//! are built, the referee evaluates them, and the formula says what their value is. A fact that is
//! false is negated, so every assertion is true under the chosen values.

use luthier_semantics::Value;
use luthier_smtlib::Assertion;
use luthier_terms::{Op, Sort, TermId};

use crate::facts::assertion;
use crate::random::Generator;
use crate::{Category, Dice, Draft, PlantedAnswer, Sketch};

/// Builds the assertions of a shape and says which operator they are about. `None` if the referee does
/// not decide a value within its limits.
pub(crate) type Recipe = fn(&mut Shape) -> Option<Op>;

/// A formula under construction.
pub(crate) struct Shape {
    pub generator: Generator,
    pub assertions: Vec<Assertion>,
}

impl Shape {
    /// A sketch by one of some recipes, sometimes with a fact about another operator.
    pub fn sketch(
        dice: Dice,
        recipes: &[(Recipe, &str)],
        category: Category,
        about: Op,
    ) -> Option<Sketch> {
        let mut generator = Generator::for_formula(dice);
        let (recipe, name) = generator.dice.pick(recipes);
        let mut shape = Self { generator, assertions: Vec::new() };
        let operation = recipe(&mut shape)?;
        if shape.generator.dice.percent(20) {
            let fact = shape.generator.formula(true, 0, about);
            shape.assertions.push(assertion(fact, false));
        }
        let mut draft = Draft::new(shape.generator.pool, shape.generator.model);
        draft.assertions = shape.assertions;
        Some(Sketch {
            draft,
            planted: PlantedAnswer::Witness,
            category,
            operation: operation.name(),
            derivation: format!(
                "{name}: the values of the witness were chosen first; put them in and every \
                 assertion is true"
            ),
        })
    }

    /// A constant with a text of ASCII as its value.
    pub fn declare_text(&mut self, name: &str, text: &str) -> TermId {
        self.declare_word(name, text.bytes().map(u32::from).collect())
    }

    /// A literal of ASCII.
    pub fn text(&mut self, text: &str) -> TermId {
        self.generator.string(text.bytes().map(u32::from).collect())
    }

    pub fn declare_word(&mut self, name: &str, word: Vec<u32>) -> TermId {
        let literal = self.generator.string(word);
        let value =
            self.generator.value_of(literal).unwrap_or_else(|| Value::default_of(Sort::String));
        self.generator.declare(name, value)
    }

    /// String constants with words of the vocabulary.
    pub fn declare_words(&mut self, names: &[&str]) -> Vec<TermId> {
        names
            .iter()
            .map(|name| {
                let word = self.generator.word();
                self.declare_word(name, word)
            })
            .collect()
    }

    pub fn declare_number(&mut self, name: &str, low: i64, high: i64) -> TermId {
        let number = self.generator.dice.between(low, high);
        self.generator.declare(name, Value::Int(number.into()))
    }

    /// Asserts a formula or its negation, whichever is true; nothing if the referee does not decide it.
    pub fn assert_truth(&mut self, formula: TermId) -> Option<()> {
        let term = self.true_literal(formula)?;
        self.assertions.push(assertion(term, false));
        Some(())
    }

    /// The formula or its negation.
    fn true_literal(&mut self, formula: TermId) -> Option<TermId> {
        match self.generator.value_of(formula)? {
            Value::Bool(true) => Some(formula),
            _ => Some(self.generator.op(Op::Not, &[formula])),
        }
    }

    /// Asserts a fact about the value of a term: its value, a bound, a part, or a language.
    pub fn assert_value(&mut self, term: TermId) -> Option<()> {
        let value = self.generator.value_of(term)?;
        let depth = self.generator.dice.pick(&[0, 0, 1, 2]);
        let other = self.generator.express(&value, depth);
        let fact = match (&value, self.generator.dice.below(6)) {
            (Value::Int(_), 0) => self.generator.op(Op::Le, &[term, other]),
            (Value::Int(_), 1) => self.generator.op(Op::Ge, &[term, other]),
            (Value::String(text), 2) if !text.is_empty() => {
                let word: Vec<u32> = text.iter().map(|one| one.code()).collect();
                let language = self.generator.matching(&word, 2);
                self.generator.op(Op::StrInRe, &[term, language])
            }
            (Value::String(_), 3) => self.generator.op(Op::StrPrefixOf, &[other, term]),
            (Value::String(_), 4) => self.generator.op(Op::StrContains, &[term, other]),
            (Value::Bool(_), _) => return self.assert_truth(term),
            _ => self.generator.op(Op::Eq, &[term, other]),
        };
        self.assertions.push(assertion(fact, false));
        Some(())
    }

    pub fn one_of(&mut self, terms: &[TermId]) -> TermId {
        self.generator.dice.pick(terms)
    }

    pub fn number(&mut self, number: i64) -> TermId {
        self.generator.integer(number.into())
    }

    pub fn literal(&mut self) -> TermId {
        let word = self.generator.word();
        self.generator.string(word)
    }
}
