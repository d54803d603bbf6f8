//! Enumeration of small cases, evaluated by the referee.
//!
//! The referee does not decide quantifiers over strings and integers, so they are expanded here:
//! `forall` becomes a conjunction of instances. For the definitions of the paper this loses nothing
//! on small strings, since instances outside of the domain have a false premise. With a further
//! clause under the quantifier, only those instances are taken in which the old and the fresh
//! variable are equal. Where the quantifier is a conjunct of its own (E5, E8, E10, E12), fewer
//! instances make a weaker definition; if the weaker one implies the operation, so does the
//! stronger one. In E6 it is part of a condition; there the clause can only remove instances that
//! the fresh variable has anyway, and the chosen ones satisfy it, so the expansion is exact.
//!
//! Existential variables are the parts of a split string: where a definition uses them, they make
//! up the string, and elsewhere their values do not matter. So all splits are all cases.

use std::collections::BTreeMap;

use luthier_generator::Formula;
use luthier_generator::icse20::Equality;
use luthier_semantics::{Evaluator, Model, Value};
use luthier_smtlib::{CommandKind, ReadOptions, read_script};
use luthier_terms::{FunctionId, SmtString, TermId, TermPool};

use super::sexp::{Sexp, assertion, parse};

/// The result of trying all cases of a definition.
#[derive(Debug, Default)]
pub struct Tried {
    pub definition_holds: usize,
    pub operation_fails: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Small {
    Text(String),
    Number(i32),
    Truth(bool),
}

/// Values for variables.
pub type Case = Vec<(&'static str, Small)>;

/// Formulas of a script that are evaluated under many assignments.
pub struct EvaluatedScript {
    pool: TermPool,
    functions: BTreeMap<String, FunctionId>,
    terms: Vec<TermId>,
}

impl EvaluatedScript {
    /// Formulas over the variables of a script.
    pub fn of(script: &str, formulas: &[Sexp]) -> Self {
        let declarations: String = script
            .lines()
            .filter(|line| line.starts_with("(declare-"))
            .map(|line| format!("{line}\n"))
            .collect();
        let formulas: Vec<String> = formulas.iter().map(|term| expand(term).to_string()).collect();
        Self::new(&declarations, &formulas)
    }

    fn new(declarations: &str, formulas: &[String]) -> Self {
        let asserted: String = formulas.iter().map(|term| format!("(assert {term})\n")).collect();
        let text = format!("(set-logic ALL)\n{declarations}{asserted}(check-sat)\n");
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
        assert!(reading.is_accepted(), "{:?}\n{text}", reading.diagnostics);
        let mut functions = BTreeMap::new();
        for command in &reading.script.commands {
            if let CommandKind::Declare { function, .. } = command.kind {
                functions.insert(pool.function_name(function).into_owned(), function);
            }
        }
        let query = reading.script.queries().next().unwrap();
        let terms = query.assertions.iter().map(|active| active.assertion.term).collect();
        Self { pool, functions, terms }
    }

    fn model(&self, case: &Case) -> Model {
        let mut model = Model::default();
        for (name, small) in case {
            let value: Value = match small {
                Small::Text(text) => SmtString::from_text(text).unwrap().into(),
                Small::Number(number) => Value::Int((*number).into()),
                Small::Truth(truth) => (*truth).into(),
            };
            // A case may have more variables than the script.
            if let Some(&function) = self.functions.get(*name) {
                model.insert_value(function, value);
            }
        }
        model
    }

    fn truths(&self, case: &Case) -> Vec<bool> {
        let model = self.model(case);
        let mut evaluator = Evaluator::new(&self.pool, &model);
        self.terms.iter().map(|&term| evaluator.evaluate(term).as_bool().unwrap()).collect()
    }

    /// Whether all formulas hold for sure; the first that does not ends it. A division by zero, for
    /// example, has any value.
    pub fn satisfies(&self, case: &Case) -> bool {
        let model = self.model(case);
        let mut evaluator = Evaluator::new(&self.pool, &model);
        self.terms.iter().all(|&term| evaluator.evaluate(term).is_true())
    }
}

/// Whether the definition implies the operation in all small cases.
pub fn check_definition(formula: &Formula) -> Tried {
    let [operation, definition] =
        ["operation", "definition"].map(|name| assertion(&formula.text, name));
    let script = EvaluatedScript::of(&formula.text, &[operation, definition]);
    let mut tried = Tried::default();
    for case in cases(formula.operation) {
        let truths = script.truths(&case);
        assert!(truths != [true, true], "{} is satisfied by {case:?}", formula.name);
        tried.operation_fails += usize::from(truths[0]);
        tried.definition_holds += usize::from(truths[1]);
    }
    tried
}

/// How many cases were tried, and in how many of them the condition was met. Fails if an equality
/// does not hold where its condition does.
pub fn check_equality(equality: &Equality) -> (usize, usize) {
    let mut variables: Vec<(&'static str, &str)> =
        equality.others.iter().map(|variable| (variable.name, variable.sort)).collect();
    if equality.is_about_a_variable() {
        variables.push(("x", equality.sort));
    }
    let declarations: String =
        variables.iter().map(|(name, sort)| format!("(declare-fun {name} () {sort})\n")).collect();
    let number = parse("(- 1)");
    let written = |text: &str| parse(text).replaced("-1", &number).to_string();
    let condition = equality.condition.map_or_else(|| "true".to_owned(), written);
    let equation = written(&format!("(= {} {})", equality.term, equality.value));
    let script = EvaluatedScript::new(&declarations, &[condition, equation]);
    let mut texts = strings(&['a', '0'], 2);
    texts.extend((1..=10).map(|number| number.to_string()));
    let mut cases: Vec<Case> = vec![Vec::new()];
    for (name, sort) in variables {
        let values: Vec<Small> = match sort {
            "String" => texts.iter().cloned().map(Small::Text).collect(),
            "Int" => (-2..=10).map(Small::Number).collect(),
            _ => [false, true].map(Small::Truth).to_vec(),
        };
        cases = product(&cases, name, &values);
    }
    let mut met = 0;
    for case in &cases {
        let truths = script.truths(case);
        assert!(!truths[0] || truths[1], "{} does not hold for {case:?}", equality.id);
        met += usize::from(truths[0]);
    }
    (cases.len(), met)
}

/// Each `forall` as the conjunction of its instances.
fn expand(term: &Sexp) -> Sexp {
    let Sexp::List(parts) = term else { return term.clone() };
    let [Sexp::Atom(head), Sexp::List(bound), body] = parts.as_slice() else {
        return Sexp::List(parts.iter().map(expand).collect());
    };
    if head != "forall" {
        return Sexp::List(parts.iter().map(expand).collect());
    }
    let body = match body {
        Sexp::List(annotated) if annotated[0] == parse("!") => &annotated[1],
        _ => body,
    };
    let names: Vec<(String, String)> = bound
        .iter()
        .map(|pair| {
            let atoms = pair.atoms();
            (atoms[0].clone(), atoms[1].clone())
        })
        .collect();
    let mut instances = vec![parse("and"), parse("true"), parse("true")];
    instances
        .extend(bindings(&names).iter().map(|binding| parse(&format!("(let ({binding}) {body})"))));
    Sexp::List(instances)
}

/// Values for bound variables, as bindings of a `let`.
fn bindings(names: &[(String, String)]) -> Vec<String> {
    const LENGTH: usize = 2;
    let is_tied = |name: &str| names.iter().any(|(other, _)| *other == format!("{name}_fresh"));
    // Text so far, length of all strings so far.
    let mut all: Vec<(String, usize)> = vec![(String::new(), 0)];
    for (name, sort) in names.iter().filter(|(name, _)| !is_tied(name)) {
        // The old variable has the value of the fresh one.
        let old = name.strip_suffix("_fresh");
        let values: Vec<(String, usize)> = match (name.as_str(), sort.as_str()) {
            // Longer than all others, so that none contains it and all positions are in it.
            ("str_1", _) => vec![(r#""ccc""#.to_owned(), 0)],
            ("str_2", _) => vec![(r#""""#.to_owned(), 0)],
            (_, "String") => strings(&['a', '0'], LENGTH)
                .into_iter()
                .map(|text| (format!("\"{text}\""), text.len()))
                .collect(),
            _ => ["(- 1)", "0", "1", "2", "3"].map(|number| (number.to_owned(), 0)).to_vec(),
        };
        let mut longer = Vec::new();
        for (before, length) in &all {
            for (value, added) in &values {
                if length + added <= LENGTH {
                    let old = old.map_or_else(String::new, |old| format!("({old} {value}) "));
                    longer.push((format!("{before}{old}({name} {value}) "), length + added));
                }
            }
        }
        all = longer;
    }
    all.into_iter().map(|(text, _)| text).collect()
}

/// The small cases of a definition.
pub fn cases(operation: &str) -> Vec<Case> {
    let short = texts(&strings(&['a', '0'], 1));
    let small = texts(&strings(&['a', '0'], 2));
    let positions = numbers(-1..=3);
    let none: Vec<Case> = vec![Vec::new()];
    match operation {
        "at" => {
            let cases = product(&none, "s", &small);
            let cases = product(&cases, "off", &positions);
            product(&cases, "res", &small)
        }
        "intToStr" => {
            let mut results: Vec<String> = (0..=31).map(|number| number.to_string()).collect();
            results.extend(["", "a", "00", "01", "99", "100", "101"].map(str::to_owned));
            let mut arguments = numbers(-2..=31);
            arguments.extend(numbers(99..=101));
            product(&product(&none, "n", &arguments), "res", &texts(&results))
        }
        "replace" => {
            let cases = splits("s", &["s1", "s2", "s3"], 2);
            let cases = product(&cases, "t", &small);
            let cases = product(&cases, "u", &short);
            let cases = product(&cases, "i", &numbers(-1..=2));
            product(&cases, "res", &texts(&strings(&['a', '0'], 3)))
        }
        "substr" => {
            let cases = splits("s", &["s1", "s2", "s3"], 2);
            let cases = product(&cases, "off", &positions);
            let cases = product(&cases, "len", &positions);
            product(&cases, "res", &small)
        }
        "indexOf" => {
            let cases = without(splits("s", &["s1", "s2", "found", "s4"], 3), "found");
            let cases = product(&cases, "t", &small);
            let cases = product(&cases, "off", &numbers(-1..=4));
            product(&cases, "res", &positions)
        }
        "strToInt" => {
            let mut arguments = strings(&['a', '0', '1'], 2);
            arguments.extend((2..=12).map(|number| number.to_string()));
            product(&product(&none, "s", &texts(&arguments)), "res", &numbers(-2..=12))
        }
        "contains" => {
            product(&without(splits("s", &["s1", "found", "s3"], 2), "found"), "t", &small)
        }
        "prefixOf" => product(&without(splits("t", &["found", "t2"], 2), "found"), "s", &small),
        "suffixOf" => product(&without(splits("t", &["t1", "found"], 2), "found"), "s", &small),
        "notContains" | "notPrefixOf" | "notSuffixOf" => {
            product(&product(&none, "s", &small), "t", &small)
        }
        other => panic!("no cases for {other}"),
    }
}

/// All strings of these characters up to a length.
fn strings(alphabet: &[char], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|text| alphabet.iter().map(move |letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

fn texts(strings: &[String]) -> Vec<Small> {
    strings.iter().cloned().map(Small::Text).collect()
}

fn numbers(range: std::ops::RangeInclusive<i32>) -> Vec<Small> {
    range.map(Small::Number).collect()
}

/// Each case with each of the values for one more variable.
pub fn product(cases: &[Case], name: &'static str, values: &[Small]) -> Vec<Case> {
    let extended = |case: &Case, value: &Small| {
        let mut case = case.clone();
        case.push((name, value.clone()));
        case
    };
    cases.iter().flat_map(|case| values.iter().map(move |value| extended(case, value))).collect()
}

/// All small strings with all ways to split them.
fn splits(full_suite: &'static str, parts: &[&'static str], length: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for text in strings(&['a', '0'], length) {
        let mut open: Vec<(Case, usize)> = vec![(vec![(full_suite, Small::Text(text.clone()))], 0)];
        for (index, name) in parts.iter().enumerate() {
            let is_last = index + 1 == parts.len();
            let mut longer = Vec::new();
            for (case, from) in &open {
                let first_end = if is_last { text.len() } else { *from };
                for to in first_end..=text.len() {
                    let mut case = case.clone();
                    case.push((name, Small::Text(text[*from..to].to_owned())));
                    longer.push((case, to));
                }
            }
            open = longer;
        }
        cases.extend(open.into_iter().map(|(case, _)| case));
    }
    cases
}

/// The cases without a variable that was only needed to make them.
fn without(cases: Vec<Case>, name: &str) -> Vec<Case> {
    cases
        .into_iter()
        .map(|case| case.into_iter().filter(|(other, _)| *other != name).collect())
        .collect()
}
