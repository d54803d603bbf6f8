//! The script of a small formula, written without a term pool. It has the same bytes as the printer of
//! `luthier-smtlib` gives for the same assertions (a test compares them).

use luthier_semantics::Value;
use luthier_smtlib::annotations::{Annotation, witness_text};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::TermPool;

use super::signature::{CONSTANTS, TEXTS, symbol};
use super::values::Assignment;
use crate::Expected;

/// Name, sort and literal of each constant that occurs.
pub(crate) fn literals(assignment: &Assignment) -> Option<Vec<(String, &'static str, String)>> {
    let mut values = Vec::new();
    for (code, value) in (0..CONSTANTS).zip(assignment) {
        let Some(value) = value else { continue };
        values.push((symbol(code).head.to_owned(), sort(code), literal(value)?));
    }
    Some(values)
}

fn sort(code: u8) -> &'static str {
    if code < TEXTS { "String" } else { "Int" }
}

fn literal(value: &Value) -> Option<String> {
    // Most values are plain, and a pool for each would take longer than everything else.
    match value {
        Value::String(text) if text.iter().all(|one| matches!(one.code(), 0x30..=0x7A)) => {
            let inner: Option<String> = text.iter().map(|one| char::from_u32(one.code())).collect();
            // The backslash is in this range.
            inner.filter(|inner| !inner.contains('\\')).map(|inner| format!("\"{inner}\""))
        }
        Value::Int(number) if *number >= luthier_terms::BigInt::ZERO => Some(number.to_string()),
        _ => None,
    }
    .or_else(|| {
        let mut pool = TermPool::new();
        let term = value.to_term(&mut pool).ok()?;
        let printed = print_term(&pool, term, &PrintOptions::new(Dialect::Smt27)).ok()?;
        String::from_utf8(printed.bytes).ok()
    })
}

/// The assertion that a constant has one of some values.
pub(crate) fn domain(code: u8, values: impl Iterator<Item = Value>) -> Option<String> {
    let equations: Option<Vec<String>> = values
        .map(|value| Some(format!("(= {} {})", symbol(code).head, literal(&value)?)))
        .collect();
    Some(match &equations?[..] {
        [one] => format!("(assert {one})\n"),
        several => format!("(assert (or {}))\n", several.join(" ")),
    })
}

/// The script, with the planted answer and with further assertions.
pub(crate) fn script(codes: &[u8], expected: &Expected, domains: &str) -> String {
    let mut text = String::with_capacity(512);
    text.push_str("(set-info :smt-lib-version 2.6)\n(set-logic QF_SLIA)\n");
    match expected {
        Expected::Sat(witness) => {
            let values = witness.iter().map(|(name, sort, value)| (&**name, *sort, &**value));
            text.push_str(&Annotation::Expected.word_line("sat"));
            text.push_str(&Annotation::Witness.text_line(&witness_text(values)));
        }
        Expected::Unsat(_) => text.push_str(&Annotation::Expected.word_line("unsat")),
        Expected::Open => {}
    }
    for code in 0..CONSTANTS {
        if codes.contains(&code) {
            text.push_str("(declare-const ");
            text.push_str(symbol(code).head);
            text.push(' ');
            text.push_str(sort(code));
            text.push_str(")\n");
        }
    }
    // How many arguments are missing in each open term.
    let mut open: Vec<(u8, usize)> = Vec::with_capacity(8);
    for &code in codes {
        if open.is_empty() {
            text.push_str("(assert ");
        }
        text.push_str(symbol(code).head);
        open.push((code, symbol(code).arguments.len()));
        // A complete term closes all that it completes.
        while let Some(&(last, 0)) = open.last() {
            text.push_str(symbol(last).tail);
            open.pop();
            match open.last_mut() {
                None => text.push_str(")\n"),
                Some((_, missing)) => {
                    *missing -= 1;
                    if *missing > 0 {
                        text.push(' ');
                    }
                }
            }
        }
    }
    text.push_str(domains);
    text.push_str("(check-sat)\n");
    text
}
