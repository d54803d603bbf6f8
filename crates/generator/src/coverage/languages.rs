//! Corner cases of operators on languages that can be decided without comparing languages:
//! membership of the empty word, the empty language, indices.

use luthier_semantics::{Language, Limits, Value};
use luthier_terms::{BigInt, CodePoint, Op, Shape, Sort};

use super::corners::OperatorUse;

/// The steps for deciding whether a language contains the empty word.
const STEPS: u64 = 10_000;

/// The index from which on a repetition counts as long.
const BIG: u32 = 20;

/// Whether the result of the operator is a language.
pub(super) fn has(op: Op) -> bool {
    match op.info().shape {
        Shape::Exact(_, result) | Shape::Folded(_, result, _) => result == Sort::RegLan,
        _ => false,
    }
}

pub(super) fn met(operator_use: &OperatorUse<'_>, met: &mut Vec<&'static str>) {
    let languages: Vec<&Language> = operator_use
        .arguments
        .iter()
        .filter_map(|value| if let Value::RegLan(language) = value { Some(language) } else { None })
        .collect();
    match (operator_use.op, operator_use.arguments) {
        (Op::StrToRe, [Value::String(word)]) => met.push(match word.as_slice().len() {
            0 => "empty word",
            1 => "one character",
            _ => "longer word",
        }),
        (Op::ReConcat | Op::ReUnion | Op::ReInter | Op::ReDiff, _) => {
            let with = languages.iter().filter(|language| has_empty_word(language)).count();
            met.push(match with {
                0 => "none has it",
                count if count == languages.len() => "all have the empty word",
                _ => "some have it",
            });
            if languages.iter().any(|language| is_none(language)) {
                met.push("no word at all");
            }
            if operator_use.op != Op::ReConcat
                && languages.windows(2).any(|pair| pair[0] == pair[1])
            {
                met.push("same languages");
            }
        }
        (Op::ReStar | Op::RePlus | Op::ReOpt | Op::ReComp, [Value::RegLan(language)]) => {
            met.push(if has_empty_word(language) { "has the empty word" } else { "has not" });
            if is_none(language) {
                met.push("no word at all");
            }
        }
        (Op::ReRange, [Value::String(first), Value::String(last)]) => {
            range(first.as_slice(), last.as_slice(), met);
        }
        (Op::RePower, [Value::Int(count), Value::RegLan(language)]) => {
            met.push(match count {
                count if *count == BigInt::ZERO => "zero",
                count if *count == BigInt::from(1) => "one",
                count if *count >= BigInt::from(BIG) => "many",
                _ => "more",
            });
            repeated(language, met);
        }
        (Op::ReLoop, [Value::Int(least), Value::Int(most), Value::RegLan(language)]) => {
            if least > most {
                met.push("crossed");
            } else if *most == BigInt::ZERO {
                met.push("zero times");
            } else if least == most {
                met.push("exactly");
            } else {
                met.push(if *least == BigInt::ZERO { "from zero" } else { "from more" });
            }
            if *most >= BigInt::from(BIG) || *least >= BigInt::from(BIG) {
                met.push("many");
            }
            repeated(language, met);
        }
        (Op::ReNone | Op::ReAll | Op::ReAllChar, _) => met.push("used"),
        _ => {}
    }
}

fn repeated(language: &Language, met: &mut Vec<&'static str>) {
    if has_empty_word(language) {
        met.push("has the empty word");
    }
    if is_none(language) {
        met.push("no word at all");
    }
}

fn range(first: &[CodePoint], last: &[CodePoint], met: &mut Vec<&'static str>) {
    let ([first], [last]) = (first, last) else {
        met.push("no single character");
        return;
    };
    met.push(match first.cmp(last) {
        std::cmp::Ordering::Less => "proper",
        std::cmp::Ordering::Equal => "same",
        std::cmp::Ordering::Greater => "crossed",
    });
    if last.code() > 0x7F {
        met.push("beyond ASCII");
    }
}

/// Whether a language contains the empty word; `false` if that is not decided within the limits.
pub(super) fn has_empty_word(language: &Language) -> bool {
    let limits = Limits { regex_steps: STEPS, ..Limits::default() };
    language.contains(&[], &limits) == Some(true)
}

/// Whether it is syntactically the empty language.
fn is_none(language: &Language) -> bool {
    *language == Language::none()
}
