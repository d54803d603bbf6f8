//! Planted cores are minimal and the only ones: without any one of its assertions, the rest of the
//! formula has a model. Small models are enough, and they are searched with the fresh variable
//! equal to the old one as long as the equality is asserted, and different from it otherwise.
//!
//! Quantifiers are expanded as in `brute_force`. That is exact here: instances outside of the
//! domain have a false premise, and under a quantifier with a further clause, instances with other
//! values of the old variable say nothing about the fresh one that the chosen instance does not.

use luthier_generator::icse20::{EQUALITIES, EQUIVALENCES, Equality, Variable};
use luthier_generator::{Expected, Formula};

use super::brute_force::{Case, EvaluatedScript, Small, product};
use super::sexp::find_assertion;

/// The assertions of the core without which no small model was found: the core seems to do without
/// them. There should be none.
pub fn needless(formula: &Formula, cases: &[Case]) -> Vec<String> {
    let Expected::Unsat(core) = &formula.expected else { panic!("{}: unsat", formula.name) };
    let change = change(formula);
    let found = |dropped: &String| {
        // The definition first: it fails most often.
        let kept: Vec<_> = ["definition", "operation", "equality"]
            .into_iter()
            .filter(|name| name != dropped)
            .filter_map(|name| find_assertion(&formula.text, name))
            .collect();
        let script = EvaluatedScript::of(&formula.text, &kept);
        let tied = dropped != "equality";
        cases
            .iter()
            .any(|case| change.candidates(case, tied).iter().any(|case| script.satisfies(case)))
    };
    core.iter().filter(|dropped| !found(dropped)).cloned().collect()
}

/// What a formula adds to an operation and its definition.
enum Change {
    Nothing,
    /// A free variable becomes a fresh one.
    Variable(&'static Variable, &'static str),
    /// A constant becomes a fresh variable.
    Constant(&'static Equality),
    /// An equality about the trigger term, with free variables in place of these.
    Trigger(&'static [Variable]),
}

/// What was changed to make a formula, by its name.
fn change(formula: &Formula) -> Change {
    let equivalence = EQUIVALENCES.iter().find(|e| e.operation == formula.operation).unwrap();
    let words: Vec<&str> = formula.name.trim_end_matches("-patterns").split('-').skip(3).collect();
    let equality = |id: &str| EQUALITIES.iter().find(|e| e.id.to_lowercase() == id).unwrap();
    match words.as_slice() {
        [] => Change::Nothing,
        [id] => Change::Constant(equality(id)),
        ["trigger", _] => Change::Trigger(equivalence.quantified.unwrap().bound),
        [name, _] => {
            let free = equivalence.shared.iter().chain(equivalence.existential);
            // A bound variable changes nothing about free ones.
            free.clone()
                .find(|variable| variable.name == *name)
                .map_or(Change::Nothing, |variable| {
                    Change::Variable(variable, format!("{name}_fresh").leak())
                })
        }
        other => panic!("{}: {other:?}", formula.name),
    }
}

impl Change {
    /// Values for all variables of the changed formula, from values for those of the definition.
    fn candidates(&self, case: &Case, tied: bool) -> Vec<Case> {
        match self {
            Self::Nothing => vec![case.clone()],
            Self::Variable(variable, fresh) => {
                // The definition speaks of the fresh variable now.
                let (_, value) = case.iter().find(|(name, _)| *name == variable.name).unwrap();
                let mut rest = case.clone();
                rest.retain(|(name, _)| *name != variable.name);
                rest.push((fresh, value.clone()));
                rest.extend(others_of_variables());
                product(&[rest], variable.name, &values(variable.sort, value, tied))
            }
            Self::Constant(equality) => {
                let mut cases = vec![case.clone()];
                cases[0].extend(others_of_constants(equality));
                let value = match (equality.sort, equality.value) {
                    ("Int", number) => Small::Number(number.parse().unwrap()),
                    ("Bool", truth) => Small::Truth(truth == "true"),
                    (_, text) => Small::Text(text.trim_matches('"').to_owned()),
                };
                product(&cases, "constant_fresh", &values(equality.sort, &value, tied))
            }
            Self::Trigger(bound) => {
                let mut cases = vec![case.clone()];
                cases[0].extend(others_of_variables());
                for variable in *bound {
                    let values = match variable.sort {
                        "String" => ["a", ""].map(|text| Small::Text(text.to_owned())),
                        _ => [0, 1].map(Small::Number),
                    };
                    cases = product(&cases, variable.name, &values);
                }
                cases
            }
        }
    }
}

/// The value itself, or some others.
fn values(sort: &str, value: &Small, tied: bool) -> Vec<Small> {
    if tied {
        return vec![value.clone()];
    }
    let mut all = match sort {
        "String" => ["a", "", "0"].map(|text| Small::Text(text.to_owned())).to_vec(),
        "Int" => (-1..=3).map(Small::Number).collect(),
        _ => [false, true].map(Small::Truth).to_vec(),
    };
    all.retain(|other| other != value);
    all
}

/// NC5, NC6 and NC8 hold with these: a string that is in no other and has all positions.
fn others_of_variables() -> Case {
    vec![("str_1", Small::Text("ccc".to_owned())), ("str_2", Small::Text(String::new()))]
}

/// Values with which the condition of an equality about a constant holds.
fn others_of_constants(equality: &Equality) -> Case {
    let number = equality.id.trim_start_matches('C').parse::<i32>().unwrap();
    let (text, position) = match number {
        // Negative numbers are in no string, and no digits.
        1..=5 => ("", -1),
        6..=15 => ("", number - 6),
        16..=18 | 20 => ("", -1),
        19 => ("c", 0),
        21..=31 => return vec![("str_1", Small::Text((number - 21).to_string()))],
        // Not part of the other string.
        39 | 40 => ("cccc", 0),
        _ => ("", 0),
    };
    vec![
        ("str_1", Small::Text(text.to_owned())),
        ("str_2", Small::Text("ccc".to_owned())),
        ("int_1", Small::Number(position)),
        ("int_2", Small::Number(0)),
    ]
}
