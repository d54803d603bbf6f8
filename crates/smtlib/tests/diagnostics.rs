//! Every diagnostic, as users see it: `diagnostics/NAME.smt2` is read and the rendered diagnostics are
//! compared with `diagnostics/NAME.expected`. With `BLESS=1` the expectations are written anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use luthier_smtlib::source::Locator;
use luthier_smtlib::{Code, Mode, ParsedScript, ReadOptions, Severity, read_script};
use luthier_terms::TermPool;

/// Codes that no small file can have, or only models.
const WITHOUT_FILE: [Code; 5] = [
    // A text of more than four gigabytes.
    Code::TooLong,
    // More than 2^32 terms.
    Code::PoolFull,
    // Of models, see `models.rs`.
    Code::TooLarge,
    Code::Contradiction,
    Code::RepeatedValue,
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// The names of all files, without their ending.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "smt2"));
    let names = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    names.collect::<BTreeSet<String>>().into_iter().collect()
}

fn read(name: &str, mode: Mode) -> (Vec<u8>, ParsedScript) {
    let bytes = std::fs::read(folder().join(format!("{name}.smt2"))).unwrap();
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, &bytes, &ReadOptions { dialect: None, mode });
    (bytes, reading)
}

/// Everything the generous reader says, and what the strict one says besides.
fn rendered(name: &str) -> String {
    let (bytes, generous) = read(name, Mode::Generous);
    let locator = Locator::new(&bytes);
    let mut text = String::new();
    for diagnostic in &generous.diagnostics {
        text += &diagnostic.render("input", &locator);
    }
    let (_, strict) = read(name, Mode::Strict);
    let known = |code, span| {
        let mut all = generous.diagnostics.iter();
        all.any(|other| other.code == code && other.span == span)
    };
    let mut errors = strict.errors().filter(|error| {
        let first = generous.diagnostics.iter().find(|other| other.span == error.span);
        !known(error.code, error.span)
            || first.is_some_and(|other| other.severity == Severity::Warning)
    });
    if let Some(first) = errors.next() {
        text += "---- errors to the strict reader:";
        for error in std::iter::once(first).chain(errors) {
            let location = locator.location(error.span.start);
            let known = known(error.code, error.span);
            let new = if known { "" } else { " (new)" };
            let code = error.code.name();
            write!(text, "\n{}:{}: {code}{new}", location.line, location.column).unwrap();
        }
        text.push('\n');
    }
    text
}

#[test]
fn every_file_gives_the_expected_diagnostics() {
    let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for name in names() {
        let found = rendered(&name);
        let path = folder().join(format!("{name}.expected"));
        if bless {
            std::fs::write(&path, &found).unwrap();
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&*found) {
            wrong.push(format!("==== {name}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "run with BLESS=1 if this is right:\n{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_file_of_its_name() {
    let names = names();
    for &code in Code::ALL {
        if WITHOUT_FILE.contains(&code) {
            continue;
        }
        assert!(names.iter().any(|name| name == code.name()), "{}.smt2 is missing", code.name());
        let (_, reading) = read(code.name(), Mode::Generous);
        let said = reading.diagnostics.iter().any(|diagnostic| diagnostic.code == code);
        assert!(said, "{}.smt2 does not give its own code", code.name());
    }
}

#[test]
fn the_strict_reader_reports_at_least_the_errors_of_the_generous_one() {
    for name in names() {
        let (_, generous) = read(&name, Mode::Generous);
        let (_, strict) = read(&name, Mode::Strict);
        for error in generous.errors() {
            let mut errors = strict.errors();
            let kept = errors.any(|other| other.code == error.code && other.span == error.span);
            assert!(kept || strict.errors().count() >= 200, "{name}: {error:?}");
        }
        assert!(generous.is_accepted() || !strict.is_accepted(), "{name}");
    }
}

#[test]
fn a_missing_parenthesis_costs_one_error_and_no_command_after_it() {
    let commands = [
        "(set-logic ALL)",
        "(declare-const x Int)",
        "(declare-fun f (Int) Int)",
        "(define-fun g ((a Int)) Int (+ a 1))",
        "(assert (= (f x) (g (f 1))))",
        "(assert (let ((y x)) (= y 2)))",
        "(assert (forall ((z Int)) (! (> z x) :pattern ((f z)))))",
        "(push 1)",
        "(check-sat-assuming (true))",
        "(get-value (x))",
        "(pop 1)",
        "(check-sat)",
    ];
    for broken in 0..commands.len() {
        let whole = commands[broken];
        let mut lines: Vec<&str> = commands.into();
        lines[broken] = &whole[..whole.len() - 1];
        for separator in ["\n", "\n  ", "\r\n\t"] {
            let text = lines.join(separator) + "\n";
            let mut pool = TermPool::new();
            let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
            let errors: Vec<_> = reading.errors().collect();
            assert_eq!(errors.len(), 1, "{text}\n{errors:#?}");
            let location = Locator::new(text.as_bytes()).location(errors[0].span.start);
            assert_eq!(location.line, broken + 2, "{text}\n{errors:#?}");
            // Only the broken command is lost.
            assert_eq!(reading.script.commands.len(), commands.len() - 1, "{text}");
        }
    }
}
