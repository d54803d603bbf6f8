//! Corner cases of connectives, equality and `ite`, by the truth values and values of the
//! arguments.

use luthier_semantics::Value;
use luthier_terms::Op;

use super::corners::OperatorUse;

pub(super) fn met(operator_use: &OperatorUse<'_>, met: &mut Vec<&'static str>) {
    let truths: Vec<bool> = operator_use
        .arguments
        .iter()
        .filter_map(|value| if let Value::Bool(value) = value { Some(*value) } else { None })
        .collect();
    let some = |wanted: bool| truths.contains(&wanted);
    match operator_use.op {
        Op::Not => met.push(if some(true) { "of true" } else { "of false" }),
        Op::Implies => {
            let [premises @ .., conclusion] = &truths[..] else { return };
            let holds = premises.contains(&false);
            if holds {
                met.push("false premise");
            }
            if *conclusion {
                met.push("true conclusion");
            }
            if !holds && !conclusion {
                met.push("false");
            }
        }
        Op::And | Op::Or => met.push(match (some(true), some(false)) {
            (true, true) => "mixed",
            (true, false) => "all true",
            _ => "all false",
        }),
        Op::Xor => met.push(if some(true) && some(false) { "different" } else { "same" }),
        Op::Eq | Op::Distinct => {
            for pair in operator_use.arguments.windows(2) {
                met.push(match (&pair[0], pair[0] == pair[1]) {
                    (Value::Bool(_), true) => "same truth values",
                    (Value::Bool(_), false) => "different truth values",
                    (Value::Int(_), true) => "same integers",
                    (Value::Int(_), false) => "different integers",
                    (Value::String(_), true) => "same strings",
                    (Value::String(_), false) => "different strings",
                    (Value::RegLan(_), _) => "languages",
                    (Value::Array(_), _) => continue,
                });
            }
        }
        Op::Ite => {
            met.push(if some_first(operator_use) { "condition true" } else { "condition false" });
            if operator_use.arguments.get(1) == operator_use.arguments.get(2) {
                met.push("same branches");
            }
        }
        _ => met.push("used"),
    }
}

fn some_first(operator_use: &OperatorUse<'_>) -> bool {
    matches!(operator_use.arguments.first(), Some(Value::Bool(true)))
}
