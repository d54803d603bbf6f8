//! Corner cases of string operators, by lengths, offsets and occurrences.

use luthier_semantics::Value;
use luthier_terms::{BigInt, CodePoint, Op, Sign};

use super::corners::OperatorUse;
use super::languages::has_empty_word;

pub(super) fn met(operator_use: &OperatorUse<'_>, met: &mut Vec<&'static str>) {
    use Value::{Bool, Int, RegLan, String};
    let holds = matches!(operator_use.result, Some(Bool(true)));
    match (operator_use.op, operator_use.arguments) {
        (Op::StrConcat, parts) => {
            let empty = parts.iter().filter(|part| is_empty(part)).count();
            met.push(match empty {
                0 => "no empty part",
                count if count == parts.len() => "only empty parts",
                _ => "an empty part",
            });
        }
        (Op::StrLen, [String(text)]) => {
            let text = text.as_slice();
            met.push(["empty", "one character", "longer"][text.len().min(2)]);
            if text.iter().any(|character| character.code() > 0x7F) {
                met.push("beyond ASCII");
            }
        }
        (Op::StrLt | Op::StrLe, texts) => {
            for pair in texts.windows(2) {
                let [String(one), String(other)] = pair else { continue };
                compare(one.as_slice(), other.as_slice(), met);
            }
        }
        (Op::StrAt, [String(text), Int(position)]) => {
            let length = text.as_slice().len();
            if length == 0 {
                met.push("of the empty string");
            }
            met.push(match offset(position, length) {
                Offset::Negative => "negative",
                Offset::Start => "first",
                Offset::Inside if *position == BigInt::from(length - 1) => "last",
                Offset::Inside => "inside",
                Offset::End => "at the end",
                Offset::Beyond => "beyond",
            });
        }
        (Op::StrSubstr, [String(text), Int(position), Int(count)]) => {
            piece(text.as_slice().len(), position, count, met);
        }
        (Op::StrPrefixOf | Op::StrSuffixOf, [String(part), String(whole)])
        | (Op::StrContains, [String(whole), String(part)]) => {
            let (part, whole) = (part.as_slice(), whole.as_slice());
            if part.is_empty() {
                met.push("empty needle");
            }
            met.push(match (part == whole, holds) {
                (true, _) => "same strings",
                (_, true) => "proper part",
                (_, false) if part.len() > whole.len() => "longer needle",
                _ => "no part",
            });
        }
        (Op::StrIndexOf, [String(text), String(needle), Int(start)]) => {
            search(text.as_slice(), needle.as_slice(), start, operator_use.result, met);
        }
        (Op::StrReplace | Op::StrReplaceAll, [String(text), String(pattern), String(by)]) => {
            replace(text.as_slice(), pattern.as_slice(), by.as_slice(), met);
        }
        (Op::StrReplaceRe | Op::StrReplaceReAll, [text, RegLan(language), by]) => {
            if has_empty_word(language) {
                met.push("has the empty word");
            }
            if is_empty(text) {
                met.push("of the empty string");
            }
            let unchanged = operator_use.result == Some(text);
            met.push(if unchanged { "unchanged" } else { "changed" });
            if is_empty(by) {
                met.push("by nothing");
            }
        }
        (Op::StrInRe, [word, _]) => met.push(match (is_empty(word), holds) {
            (false, true) => "word of it",
            (false, false) => "no word of it",
            (true, true) => "empty word of it",
            (true, false) => "empty word that is not",
        }),
        (Op::StrIsDigit | Op::StrToCode | Op::StrToInt, [String(text)]) => {
            let codes: Vec<u32> =
                text.as_slice().iter().map(|character| character.code()).collect();
            digits(operator_use.op, &codes, met);
        }
        (Op::StrFromCode, [Int(code)]) => met.push(match u32::try_from(code) {
            Err(_) if code.sign() == Sign::Minus => "negative",
            Ok(0..=0x7F) => "ASCII",
            Ok(0xD800..=0xDFFF) => "surrogate",
            Ok(0x2FFFF) => "last character",
            Ok(0x80..=0x2FFFE) => "beyond ASCII",
            _ => "beyond the last",
        }),
        (Op::StrFromInt, [Int(number)]) => met.push(match u64::try_from(number) {
            Err(_) if number.sign() == Sign::Minus => "negative",
            Err(_) => "beyond 64 bits",
            Ok(0) => "zero",
            Ok(1..=9) => "one digit",
            Ok(_) => "several digits",
        }),
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::String(text) if text.as_slice().is_empty())
}

/// The relation of an offset to the length of a string.
enum Offset {
    Negative,
    Start,
    Inside,
    /// Directly after the last character; also offset 0 of the empty string.
    End,
    Beyond,
}

fn offset(position: &BigInt, length: usize) -> Offset {
    match usize::try_from(position) {
        Err(_) if position.sign() == Sign::Minus => Offset::Negative,
        Ok(position) if position == length => Offset::End,
        Ok(0) => Offset::Start,
        Ok(position) if position < length => Offset::Inside,
        _ => Offset::Beyond,
    }
}

fn compare(one: &[CodePoint], other: &[CodePoint], met: &mut Vec<&'static str>) {
    met.push(match one.cmp(other) {
        std::cmp::Ordering::Less => "less",
        std::cmp::Ordering::Equal => "equal",
        std::cmp::Ordering::Greater => "greater",
    });
    if one != other && (one.starts_with(other) || other.starts_with(one)) {
        met.push("prefix");
    }
    if one.is_empty() || other.is_empty() {
        met.push("an empty string");
    }
}

fn piece(length: usize, position: &BigInt, count: &BigInt, met: &mut Vec<&'static str>) {
    met.push(match offset(position, length) {
        Offset::Negative => "from a negative",
        Offset::Start => "from the start",
        Offset::Inside => "from inside",
        Offset::End => "from the end",
        Offset::Beyond => "from beyond",
    });
    let end = position + count;
    met.push(match count.sign() {
        Sign::Minus => "negative length",
        Sign::NoSign => "no length",
        Sign::Plus => match end.cmp(&BigInt::from(length)) {
            std::cmp::Ordering::Less => "fitting length",
            std::cmp::Ordering::Equal => "length to the end",
            std::cmp::Ordering::Greater => "too long",
        },
    });
}

fn search(
    text: &[CodePoint],
    needle: &[CodePoint],
    start: &BigInt,
    result: Option<&Value>,
    met: &mut Vec<&'static str>,
) {
    if needle.is_empty() {
        met.push("empty needle");
    }
    match offset(start, text.len()) {
        Offset::Negative => met.push("from a negative"),
        Offset::End => met.push("from the end"),
        Offset::Beyond => met.push("from beyond"),
        Offset::Start | Offset::Inside => {}
    }
    let Some(Value::Int(found)) = result else { return };
    if found == start {
        met.push("found at the start");
    } else if found.sign() != Sign::Minus {
        met.push("found later");
    } else if occurrences(text, needle) == 0 {
        met.push("not found");
    } else if start.sign() == Sign::Plus {
        met.push("only before the start");
    }
}

fn replace(
    text: &[CodePoint],
    pattern: &[CodePoint],
    by: &[CodePoint],
    met: &mut Vec<&'static str>,
) {
    met.push(match occurrences(text, pattern) {
        _ if pattern.is_empty() => "empty pattern",
        0 => "absent",
        _ if text == pattern => "whole string",
        1 => "once",
        _ => "several times",
    });
    if by.is_empty() {
        met.push("by nothing");
    } else if occurrences(by, pattern) > 0 && !pattern.is_empty() {
        met.push("by what contains the pattern");
    }
}

/// The number of offsets at which a pattern occurs.
fn occurrences(text: &[CodePoint], pattern: &[CodePoint]) -> usize {
    match pattern.len() {
        0 => text.len() + 1,
        length => text.windows(length).filter(|window| *window == pattern).count(),
    }
}

fn digits(op: Op, codes: &[u32], met: &mut Vec<&'static str>) {
    let is_digit = |code: &u32| (0x30..=0x39).contains(code);
    met.push(match (op, codes) {
        (_, []) => "empty",
        (Op::StrIsDigit, [code]) if is_digit(code) => "digit",
        (Op::StrIsDigit, [0x2F | 0x3A]) => "next to the digits",
        (Op::StrIsDigit, [_]) => "other character",
        (Op::StrToCode, [0..=0x7F]) => "one ASCII character",
        (Op::StrToCode, [_]) => "one beyond ASCII",
        (Op::StrIsDigit | Op::StrToCode, _) => "longer",
        (_, codes) if !codes.iter().all(is_digit) => "no digit",
        // The largest number of 64 bits has 20 digits.
        (_, codes) if codes.len() > 20 => "beyond 64 bits",
        (_, [0x30, _, ..]) => "leading zero",
        _ => "digits",
    });
}
