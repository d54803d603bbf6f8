//! The cache of repeated terms must never change what is read. The oracle is the same script with
//! other white space everywhere, in which no text repeats.

use crate::support;

use luthier_smtlib::lexer::{Lexer, Quotes, TokenKind};
use luthier_smtlib::{CommandKind, Dialect, Mode, ParsedScript, ReadOptions, Script, read_script};
use luthier_terms::TermPool;
use support::generate::Generator;
use support::random::Random;

/// Texts shorter than this are read without a memory.
const ACTIVE_FROM: usize = 4096;

/// The same tokens with random white space between them.
fn respaced(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut lexer = Lexer::new(text, Quotes::Doubled);
    let mut out = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return out;
        }
        out.extend_from_slice(lexer.text(token.span));
        for _ in 0..1 + random.below(4) {
            out.push(random.pick(b" \n\t"));
        }
    }
}

fn kinds(script: &Script) -> Vec<CommandKind> {
    script.commands.iter().map(|command| command.kind.clone()).collect()
}

fn generous(pool: &mut TermPool, text: &[u8]) -> ParsedScript {
    let options = ReadOptions { dialect: Some(Dialect::Smt26), mode: Mode::Generous };
    read_script(pool, text, &options)
}

/// Reads a text with and without the memory and compares commands and errors.
#[track_caller]
fn check(text: &str, seed: u64) -> ParsedScript {
    let padded = format!("{text}\n;{}\n", "-".repeat(ACTIVE_FROM));
    let mut pool = TermPool::new();
    let with = generous(&mut pool, padded.as_bytes());
    let without = generous(&mut pool, &respaced(text.as_bytes(), &mut Random::new(seed)));
    assert_eq!(kinds(&with.script), kinds(&without.script), "{text}");
    let codes = |reading: &ParsedScript| -> Vec<_> {
        reading.errors().map(|error| (error.code, error.message.clone())).collect()
    };
    assert_eq!(codes(&with), codes(&without), "{text}");
    with
}

/// Reads a text that must be without errors, and says that its first two assertions differ.
#[track_caller]
fn check_differs(text: &str) {
    let reading = check(text, 1);
    let errors: Vec<_> = reading.errors().collect();
    assert!(errors.is_empty(), "{errors:#?}\n{text}");
    let terms: Vec<_> = reading
        .script
        .commands
        .iter()
        .filter_map(|command| match &command.kind {
            CommandKind::Assert(assertion) => Some(assertion.term),
            _ => None,
        })
        .collect();
    assert_ne!(terms[0], terms[1], "{text}");
}

/// A term of more than 24 bytes that fits `x` of any sort.
const ANY: &str = "(not (distinct x (ite (= x x) x x)))";

#[test]
fn a_repeated_term_is_the_same_term() {
    let reading = check(&format!("(declare-const x Int)(assert {ANY})(assert {ANY})"), 1);
    assert!(reading.is_accepted());
}

#[test]
fn binders_give_names_another_meaning() {
    let cases = [
        "(declare-const x Int)(assert ANY)(assert (let ((x 5)) ANY))",
        "(declare-const x Int)(assert (let ((x 5)) ANY))(assert ANY)",
        "(declare-const x Int)(assert (let ((x 5)) ANY))(assert (let ((x 6)) ANY))",
        "(declare-const x Int)(assert (or ANY (let ((x 5)) ANY)))(assert (or ANY ANY))",
        "(declare-const x Int)(assert ANY)(assert (forall ((x Int)) ANY))",
        "(declare-const x Int)(assert (forall ((x Int)) ANY))(assert (forall ((x Bool)) ANY))",
        "(declare-const x Int)(assert (exists ((x Int)) (exists ((x Int)) ANY)))
         (assert (exists ((x Int)) (exists ((y Int)) ANY)))",
        "(declare-const x Int)(assert ANY)(define-fun f ((x String)) Bool ANY)(assert (f \"\"))",
        "(define-fun f ((x String)) Bool ANY)(define-fun g ((x Bool)) Bool ANY)
         (assert (f \"\"))(assert (g true))",
        "(declare-const x Int)(define-fun-rec f ((x String)) Bool (ite ANY (f x) ANY))
         (assert (f \"\"))(assert ANY)",
        "(define-funs-rec ((f ((x Int)) Bool) (g ((x Bool)) Bool)) (ANY ANY))
         (assert (f 1))(assert (g true))",
    ];
    for case in cases {
        check_differs(&case.replace("ANY", ANY));
    }
}

#[test]
fn declarations_in_other_scopes_give_names_another_meaning() {
    let cases = [
        "(push 1)(declare-const x Int)(assert ANY)(pop 1)(declare-const x Bool)(assert ANY)",
        "(push 2)(declare-const x Int)(assert ANY)(pop 2)(push 1)(define-const x Int 7)(assert ANY)",
        "(declare-const x Int)(assert ANY)(reset)(declare-const x String)(assert ANY)",
        "(push 1)(declare-const x Int)(assert ANY)(reset-assertions)(declare-const x Bool)(assert ANY)",
        "(push 1)(define-fun-rec f ((n Int)) Int n)(define-const x Int (f 1))(assert ANY)(pop 1)
         (define-fun-rec f ((n Int)) Int (+ n 1))(define-const x Int (f 1))(assert ANY)",
        // The name of an operator is declared: from there on the function is meant.
        "(declare-const y Bool)(assert (and y (or y y y y y y y y)))
         (declare-fun and (Bool Bool) Bool)(assert (and y (or y y y y y y y y)))",
        // The name of a negative number is declared.
        "(declare-const y Int)(assert (= y -5 -5 -5 -5 -5 -5 -5 -5 -5))
         (declare-const -5 Int)(assert (= y -5 -5 -5 -5 -5 -5 -5 -5 -5))",
        // The name of a sort, in a term.
        "(push 1)(define-sort S () Int)(assert (not (forall ((z S)) (= z z z z z))))(pop 1)
         (define-sort S () Bool)(assert (not (forall ((z S)) (= z z z z z))))",
        "(push 1)(define-sort S () Int)(assert (= ((as const (Array S S)) 0) ((as const (Array S S)) 0)))
         (pop 1)(define-sort S () Bool)
         (assert (= ((as const (Array S S)) true) ((as const (Array S S)) true)))",
        // A name given by `:named`.
        "(declare-const y Bool)(push 1)(assert (! (= y true) :named x))(check-sat-assuming (ANY))
         (assert ANY)(pop 1)(assert (! (= y false) :named x))(assert ANY)",
    ];
    for case in cases {
        check_differs(&case.replace("ANY", ANY));
    }
}

#[test]
fn names_given_inside_a_repeated_term_are_given_each_time() {
    let named = "(and (! (= y y) :named n) (or y y y y y))";
    let reading =
        check(&format!("(declare-const y Bool)(assert {named})(assert {named})(assert n)"), 1);
    assert!(reading.is_accepted());
    // After the pop the second occurrence gives the name again.
    let text =
        format!("(declare-const y Bool)(push 1)(assert {named})(pop 1)(assert {named})(assert n)");
    assert!(check(&text, 2).is_accepted());
    let text = format!("(declare-const y Bool)(push 1)(assert {named})(pop 1)(assert n)");
    assert!(!check(&text, 3).is_accepted());
}

#[test]
fn a_wrong_term_is_wrong_each_time_and_right_once_its_name_exists() {
    check(
        "(assert (= x x x x x x x x x x x x))(declare-const x Int)(assert (= x x x x x x x x x x x x))",
        1,
    );
    let reading = check(
        "(declare-const y Int)(assert (and (= y 1 1 1 1 1) (= y \"\")))(assert (and (= y 1 1 1 1 1) (= y \"\")))",
        2,
    );
    assert_eq!(reading.errors().count(), 2);
}

/// Random nests of binders and commands around few texts that repeat.
#[test]
fn random_contexts_of_repeated_text_are_read_right() {
    fn formula(random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return ANY.replace('x', random.pick(&["x", "y"]));
        }
        let inner = |random: &mut Random| formula(random, depth - 1);
        let name = random.pick(&["x", "y"]);
        let (sort, value) = random.pick(&[
            ("Int", "1"),
            ("Bool", "true"),
            ("String", "\"s\""),
            ("RegLan", "re.all"),
        ]);
        match random.below(7) {
            0 => format!("(let (({name} {value})) {})", inner(random)),
            1 => format!("(forall (({name} {sort})) {})", inner(random)),
            2 => format!("(exists (({name} {sort})) (! {} :pattern ({name})))", inner(random)),
            3 => format!("(let ((x y) (y x)) {})", inner(random)),
            _ => format!("(and {} {})", inner(random), inner(random)),
        }
    }
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mut text = "(declare-const y Int)(declare-const x Bool)\n".to_owned();
        let mut depth = 0;
        for number in 0..12 {
            let sort = random.pick(&["Int", "Bool", "String"]);
            match random.below(6) {
                0 => {
                    let body = formula(&mut random, 3);
                    text += &format!("(define-fun f{number} ((x {sort})) Bool {body})\n");
                }
                1 => {
                    text += "(push 1)\n";
                    depth += 1;
                }
                2 if depth > 0 => {
                    text += "(pop 1)\n";
                    depth -= 1;
                }
                3 => {
                    let body = formula(&mut random, 2);
                    text += &format!(
                        "(reset)\n(declare-const x {sort})(declare-const y {sort})(assert {body})\n"
                    );
                    depth = 0;
                }
                _ => text += &format!("(assert {})\n", formula(&mut random, 4)),
            }
        }
        let reading = check(&text, seed);
        assert!(reading.is_accepted(), "{:#?}\n{text}", reading.diagnostics);
    }
}

#[test]
fn random_scripts_twice_over_are_read_right() {
    for seed in 0..60 {
        let script = String::from_utf8_lossy(&Generator::new(seed).script()).into_owned();
        let script = script.replace("(exit)", "");
        check(&format!("{script}\n(reset)\n{script}"), seed);
    }
}
