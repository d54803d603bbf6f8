//! Random scripts, random models, and the value of a query.

use luthier_generator::Dice;
use luthier_generator::random::{Generator, operators};
use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_smtlib::source::Span;
use luthier_smtlib::{
    Assertion, Attribute, AttributeValue, Command, CommandKind, Dialect, Mode, PrintOptions,
    ReadOptions, Script, print_script, print_term, read_script,
};
use luthier_terms::{BasicSort, BigInt, FunctionId, Op, SmtString, Sort, TermId, TermPool};

/// The evaluation steps for one value.
const STEPS: u64 = 200_000;

/// A script that was read from a text, with a model under which all of its assertions are true.
pub struct Sample {
    pub text: String,
    pub pool: TermPool,
    pub script: Script,
    pub witness: Model,
}

/// The random script with a number. Its witness is planted.
pub fn sample(number: u64) -> Sample {
    let mut generator = Generator::new(Dice::new(77, number));
    for (name, sort) in [
        ("x", Sort::String),
        ("y", Sort::String),
        ("i", Sort::Int),
        ("j", Sort::Int),
        ("b", Sort::Bool),
    ] {
        let value = some_value(sort, &mut generator.dice);
        generator.declare(name, value);
    }
    let operators = operators();
    let mut terms = Vec::new();
    for _ in 0..1 + generator.dice.below(4) {
        let op = generator.dice.pick(&operators);
        let term = match generator.dice.below(3) {
            0 => generator.term(BasicSort::Bool, 4),
            _ => generator.about(op),
        };
        terms.extend(made_true(&mut generator, term));
    }
    if terms.len() > 1 && generator.dice.percent(30) {
        let (one, two) = (terms.remove(0), terms.remove(0));
        terms.push(generator.pool.op(Op::And, &[one, two]).unwrap());
    }
    let (mut pool, model) = (generator.pool, generator.model);
    let mut commands = Vec::new();
    let mut add = |kind| commands.push(Command { kind, span: Span::default() });
    add(CommandKind::SetLogic(pool.symbols_mut().intern(b"QF_SLIA").unwrap()));
    add(information(&mut pool, ":luthier-expected", AttributeValue::Other(b"sat".to_vec())));
    let witness = AttributeValue::String(witness_text(&mut pool, &model));
    add(information(&mut pool, ":luthier-witness", witness));
    for (function, _) in model.iter() {
        add(CommandKind::Declare { function, constant: true });
    }
    let yes = pool.bool(true).unwrap();
    for term in terms.into_iter().chain([yes]) {
        add(CommandKind::Assert(Assertion { term, name: None, uses_let: false }));
    }
    add(CommandKind::CheckSat);
    let text = print(&pool, &Script { commands });
    let (pool, script) = read(&text);
    // The same constants are others in another pool.
    let mut witness = total_model();
    for (function, interpretation) in model.iter() {
        let Interpretation::Value(value) = interpretation else { unreachable!() };
        let declared = script.declared(&pool);
        witness.insert_value(declared[function.index()], value.clone());
    }
    Sample { text, pool, script, witness }
}

/// A formula about the term that is true under the generator's model, if the referee decides it.
fn made_true(generator: &mut Generator, term: TermId) -> Option<TermId> {
    let value = match generator.value_of(term)? {
        Value::Bool(true) => return Some(term),
        Value::Bool(false) => return generator.pool.op(Op::Not, &[term]).ok(),
        value => value.to_term(&mut generator.pool).unwrap(),
    };
    generator.pool.op(Op::Eq, &[term, value]).ok()
}

fn information(pool: &mut TermPool, keyword: &str, value: AttributeValue) -> CommandKind {
    let keyword = pool.symbols_mut().intern(keyword.as_bytes()).unwrap();
    CommandKind::SetInfo(Attribute { keyword, value })
}

fn witness_text(pool: &mut TermPool, model: &Model) -> Vec<u8> {
    let mut text = String::new();
    for (function, interpretation) in model.iter() {
        let Interpretation::Value(value) = interpretation else { unreachable!() };
        let term = value.to_term(pool).unwrap();
        let literal = print_term(pool, term, &PrintOptions::new(Dialect::Smt27)).unwrap();
        let literal = String::from_utf8(literal.bytes).unwrap();
        let (name, sort) = (pool.function_name(function), value.sort());
        text.push_str(&format!("(define-fun {name} () {sort} {literal})"));
    }
    format!("({text})").into_bytes()
}

/// A model without values that says what division by zero is, so that nothing is left open.
pub fn total_model() -> Model {
    let mut model = Model::new();
    let value = |number: i64| Some(Interpretation::Value(Value::Int(number.into())));
    (model.division_by_zero, model.modulo_by_zero) = (value(7), value(-3));
    model
}

/// Random values for constants.
pub fn some_model(pool: &TermPool, constants: &[FunctionId], dice: &mut Dice) -> Model {
    let mut model = total_model();
    for &function in constants {
        model.insert_value(function, some_value(pool.function(function).result, dice));
    }
    model
}

fn some_value(sort: Sort, dice: &mut Dice) -> Value {
    match sort {
        Sort::Bool => Value::Bool(dice.percent(50)),
        Sort::Int => Value::Int(BigInt::from(dice.between(-2, 5))),
        _ => {
            let texts = ["", "a", "b", "ab", "aa", "ba", "0", "01", "7", "aab", "\"", "\u{ff}"];
            Value::String(SmtString::from_text(dice.pick(&texts)).unwrap())
        }
    }
}

/// Whether all assertions and assumptions of the query are true, if the referee decides it.
pub fn value(pool: &TermPool, script: &Script, model: &Model) -> Option<bool> {
    let query = script.queries().next()?;
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let mut evaluator = Evaluator::with_limits(pool, model, limits);
    let mut result = Some(true);
    let asserted = query.assertions.iter().map(|active| active.assertion.term);
    for term in asserted.chain(query.assumptions.iter().copied()) {
        match evaluator.evaluate(term).as_bool() {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

pub fn print(pool: &TermPool, script: &Script) -> String {
    let printed = print_script(pool, script, &PrintOptions::new(Dialect::Smt27)).unwrap();
    String::from_utf8(printed.bytes).unwrap()
}

pub fn read(text: &str) -> (TermPool, Script) {
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
    let reading = read_script(&mut pool, text.as_bytes(), &options);
    assert!(reading.is_accepted(), "{:?}\n{text}", reading.diagnostics);
    (pool, reading.script)
}
