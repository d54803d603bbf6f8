//! The theory of strings, each function as its definition reads.

use std::rc::Rc;

use luthier_terms::{BigInt, Op};

use crate::naive::{Datum, TooLarge, chain};
use crate::regex::Regex;

/// The largest character.
const LAST_CODE: u32 = 0x2FFFF;

/// The value of an operator of the theory of strings.
pub fn apply(op: Op, arguments: &[Datum]) -> Result<Datum, TooLarge> {
    let text = |position: usize| arguments[position].text();
    let int = |position: usize| {
        let Datum::Int(number) = &arguments[position] else { panic!("an Int is needed") };
        number.clone()
    };
    let language = |position: usize| Rc::clone(arguments[position].language());
    // A left-associative operator on languages.
    let fold = |make: fn(Rc<Regex>, Rc<Regex>) -> Regex| {
        let first = language(0);
        arguments[1..]
            .iter()
            .fold(first, |left, right| Rc::new(make(left, right.language().clone())))
    };
    Ok(match op {
        Op::StrConcat => Datum::Text(arguments.iter().flat_map(Datum::text).copied().collect()),
        Op::StrLen => Datum::Int(length(text(0))),
        Op::StrLt => chain(arguments, |one, two| less(one.text(), two.text())),
        Op::StrLe => {
            chain(arguments, |one, two| one.text() == two.text() || less(one.text(), two.text()))
        }
        Op::StrAt => Datum::Text(substr(text(0), &int(1), &BigInt::from(1))),
        Op::StrSubstr => Datum::Text(substr(text(0), &int(1), &int(2))),
        Op::StrPrefixOf => Datum::Bool(occurs_at(text(1), text(0), 0)),
        Op::StrSuffixOf => {
            Datum::Bool((0..=text(1).len()).any(|start| text(1)[start..] == *text(0)))
        }
        Op::StrContains => {
            Datum::Bool((0..=text(0).len()).any(|position| occurs_at(text(0), text(1), position)))
        }
        Op::StrIndexOf => Datum::Int(index_of(text(0), text(1), &int(2))),
        Op::StrReplace => Datum::Text(replace(text(0), text(1), text(2))),
        Op::StrReplaceAll => Datum::Text(replace_all(text(0), text(1), text(2))),
        Op::StrReplaceRe => Datum::Text(replace_re(text(0), &language(1), text(2))),
        Op::StrReplaceReAll => Datum::Text(replace_re_all(text(0), &language(1), text(2))),
        Op::StrIsDigit => Datum::Bool(text(0).len() == 1 && is_digit(text(0)[0])),
        Op::StrToCode => {
            Datum::Int(if text(0).len() == 1 { text(0)[0].into() } else { BigInt::from(-1) })
        }
        Op::StrFromCode => Datum::Text(from_code(&int(0))),
        Op::StrToInt => Datum::Int(to_int(text(0))),
        Op::StrFromInt => Datum::Text(from_int(int(0))),

        Op::StrToRe => Datum::Language(Rc::new(Regex::Literal(text(0).to_vec()))),
        Op::StrInRe => Datum::Bool(language(1).spans(text(0)).has(0, text(0).len())),
        Op::ReNone => Datum::Language(Rc::new(Regex::None)),
        Op::ReAll => Datum::Language(Rc::new(Regex::All)),
        Op::ReAllChar => Datum::Language(Rc::new(Regex::AllChar)),
        Op::ReConcat => Datum::Language(fold(Regex::Concat)),
        Op::ReUnion => Datum::Language(fold(Regex::Union)),
        Op::ReInter => Datum::Language(fold(Regex::Inter)),
        Op::ReDiff => Datum::Language(fold(Regex::Diff)),
        Op::ReStar => Datum::Language(Rc::new(Regex::Star(language(0)))),
        Op::RePlus => Datum::Language(Rc::new(Regex::Plus(language(0)))),
        Op::ReOpt => Datum::Language(Rc::new(Regex::Opt(language(0)))),
        Op::ReComp => Datum::Language(Rc::new(Regex::Comp(language(0)))),
        Op::ReRange => Datum::Language(Rc::new(Regex::Range(text(0).to_vec(), text(1).to_vec()))),
        Op::RePower => Datum::Language(Rc::new(Regex::Power(int(0), language(1)))),
        Op::ReLoop => Datum::Language(Rc::new(Regex::Loop(int(0), int(1), language(2)))),

        other => panic!("{} is not an operator of the oracle", other.name()),
    })
}

fn length(text: &[u32]) -> BigInt {
    BigInt::from(text.len())
}

fn less(one: &[u32], two: &[u32]) -> bool {
    match (one, two) {
        (_, []) => false,
        ([], _) => true,
        ([a, one @ ..], [b, two @ ..]) => a < b || (a == b && less(one, two)),
    }
}

/// Whether `piece` stands in `text` at `position`.
fn occurs_at(text: &[u32], piece: &[u32], position: usize) -> bool {
    position + piece.len() <= text.len() && text[position..position + piece.len()] == *piece
}

fn substr(w: &[u32], m: &BigInt, n: &BigInt) -> Vec<u32> {
    let zero = BigInt::from(0);
    if *m < zero || *m >= length(w) || *n <= zero {
        return Vec::new();
    }
    let start = usize::try_from(m).expect("less than a length");
    let rest = length(w) - m;
    let taken = usize::try_from(if *n < rest { n } else { &rest }).expect("at most a length");
    w[start..start + taken].to_vec()
}

fn index_of(s: &[u32], t: &[u32], i: &BigInt) -> BigInt {
    if *i < BigInt::from(0) || *i > length(s) {
        return BigInt::from(-1);
    }
    let first = usize::try_from(i).expect("at most a length");
    for n in first..=s.len() {
        if occurs_at(s, t, n) {
            return BigInt::from(n);
        }
    }
    BigInt::from(-1)
}

fn replace(s: &[u32], t: &[u32], u: &[u32]) -> Vec<u32> {
    for n in 0..=s.len() {
        if occurs_at(s, t, n) {
            return [&s[..n], u, &s[n + t.len()..]].concat();
        }
    }
    s.to_vec()
}

fn replace_all(s: &[u32], t: &[u32], u: &[u32]) -> Vec<u32> {
    if t.is_empty() {
        return s.to_vec();
    }
    let (mut done, mut rest) = (Vec::new(), s);
    'next: loop {
        for n in 0..=rest.len() {
            if occurs_at(rest, t, n) {
                done.extend_from_slice(&rest[..n]);
                done.extend_from_slice(u);
                rest = &rest[n + t.len()..];
                continue 'next;
            }
        }
        done.extend_from_slice(rest);
        return done;
    }
}

/// The leftmost match of at least `shortest` characters, and among those the shortest.
fn first_match(s: &[u32], language: &Regex, shortest: usize) -> Option<(usize, usize)> {
    let spans = language.spans(s);
    for start in 0..=s.len() {
        for end in start + shortest..=s.len() {
            if spans.has(start, end) {
                return Some((start, end));
            }
        }
    }
    None
}

fn replace_re(s: &[u32], language: &Regex, u: &[u32]) -> Vec<u32> {
    match first_match(s, language, 0) {
        Some((start, end)) => [&s[..start], u, &s[end..]].concat(),
        None => s.to_vec(),
    }
}

fn replace_re_all(s: &[u32], language: &Regex, u: &[u32]) -> Vec<u32> {
    let (mut done, mut rest) = (Vec::new(), s);
    // Empty matches do not count, so every turn makes the rest shorter.
    while let Some((start, end)) = first_match(rest, language, 1) {
        done.extend_from_slice(&rest[..start]);
        done.extend_from_slice(u);
        rest = &rest[end..];
    }
    done.extend_from_slice(rest);
    done
}

fn is_digit(character: u32) -> bool {
    (0x30..=0x39).contains(&character)
}

fn from_code(code: &BigInt) -> Vec<u32> {
    if *code < BigInt::from(0) || *code > BigInt::from(LAST_CODE) {
        return Vec::new();
    }
    vec![u32::try_from(code).expect("at most the last character")]
}

fn to_int(s: &[u32]) -> BigInt {
    if s.is_empty() || !s.iter().all(|&character| is_digit(character)) {
        return BigInt::from(-1);
    }
    s.iter().fold(BigInt::from(0), |value, digit| value * 10 + (digit - 0x30))
}

fn from_int(mut number: BigInt) -> Vec<u32> {
    let (zero, ten) = (BigInt::from(0), BigInt::from(10));
    if number < zero {
        return Vec::new();
    }
    let mut digits = Vec::new();
    loop {
        let digit = u32::try_from(&number % &ten).expect("a digit");
        digits.push(0x30 + digit);
        number /= &ten;
        if number == zero {
            digits.reverse();
            return digits;
        }
    }
}
