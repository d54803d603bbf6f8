//! Corner cases of integer operators, by the signs and sizes of arguments and result.

use luthier_semantics::Value;
use luthier_terms::{BigInt, Op, Sign};

use super::corners::OperatorUse;

pub(super) fn met(operator_use: &OperatorUse<'_>, met: &mut Vec<&'static str>) {
    let numbers: Vec<&BigInt> = operator_use
        .arguments
        .iter()
        .filter_map(|value| if let Value::Int(number) = value { Some(number) } else { None })
        .collect();
    let result = match operator_use.result {
        Some(Value::Int(number)) => Some(number),
        _ => None,
    };
    match (operator_use.op, &numbers[..]) {
        (Op::Neg | Op::Abs, &[number]) => {
            met.push(match number.sign() {
                Sign::Minus => "negative",
                Sign::NoSign => "zero",
                Sign::Plus => "positive",
            });
            if is_big(number) {
                met.push("beyond 64 bits");
            }
        }
        (Op::Sub | Op::Add | Op::Mul, _) => {
            let Some(result) = result else { return };
            met.push(match result.sign() {
                Sign::Minus => "negative result",
                Sign::NoSign => "zero result",
                Sign::Plus => "positive result",
            });
            if is_big(result) {
                met.push("beyond 64 bits");
            }
        }
        (Op::Div | Op::Mod, &[dividend, divisor, ..]) => {
            match divisor.sign() {
                Sign::NoSign => met.push("by zero"),
                sign => {
                    if sign == Sign::Minus {
                        met.push("by a negative");
                    }
                    let exact = (dividend % divisor).sign() == Sign::NoSign;
                    met.push(if exact { "exact" } else { "with remainder" });
                }
            }
            if dividend.sign() == Sign::Minus {
                met.push("of a negative");
            }
        }
        (Op::Divisible, &[_, number]) => {
            match number.sign() {
                Sign::NoSign => met.push("zero"),
                Sign::Minus => met.push("negative"),
                Sign::Plus => {}
            }
            let holds = matches!(operator_use.result, Some(Value::Bool(true)));
            met.push(if holds { "multiple" } else { "no multiple" });
        }
        (Op::Le | Op::Lt | Op::Ge | Op::Gt, numbers) => {
            for pair in numbers.windows(2) {
                let difference = pair[0] - pair[1];
                met.push(match difference.sign() {
                    Sign::NoSign => "equal",
                    Sign::Minus => "less",
                    Sign::Plus => "greater",
                });
                if difference.magnitude() == BigInt::from(1).magnitude() {
                    met.push("next to each other");
                }
            }
            if numbers.iter().any(|number| is_big(number)) {
                met.push("beyond 64 bits");
            }
        }
        _ => {}
    }
}

fn is_big(number: &BigInt) -> bool {
    number.bits() > 63
}
