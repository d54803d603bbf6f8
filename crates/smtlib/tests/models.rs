//! Models as solvers print them: the texts were printed by the solvers that the tests name.

use crate::support;

use luthier_smtlib::{
    Code, Dialect, ModelEntry, ModelLimits, ParsedModel, PrintOptions, print_term, read_model,
    read_model_within,
};
use luthier_terms::{TermId, TermPool};
use support::accept;

const SCRIPT: &str = r#"
(declare-const s String)
(declare-const i Int)
(declare-const b Bool)
(declare-fun f (Int) Int)
(declare-fun g (Int String) Bool)
(declare-const a (Array Int Int))
(declare-const r RegLan)
(declare-fun k (String) String)
(declare-const t (Array String Bool))
(define-fun d ((x Int)) Int (+ x 1))
(define-fun e () Int 3)
(assert (! (> (str.len (k "b")) 3) :named nm))
"#;

fn show(pool: &TermPool, term: TermId) -> String {
    let printed = print_term(pool, term, &PrintOptions::new(Dialect::Smt27)).unwrap();
    String::from_utf8(printed.bytes).unwrap()
}

/// What a model says, one line for each entry.
fn read(text: &[u8], dialect: Dialect) -> (Vec<String>, ParsedModel) {
    let mut pool = TermPool::new();
    let script = accept(&mut pool, SCRIPT.as_bytes(), Dialect::Smt26).script;
    let reading = read_model(&mut pool, &script, text, dialect);
    let list = |variables: &[TermId]| -> String {
        let shown: Vec<String> = variables.iter().map(|&one| show(&pool, one)).collect();
        if shown.is_empty() { String::new() } else { format!("({})", shown.join(" ")) }
    };
    let lines = reading.entries.iter().map(|entry| match entry {
        ModelEntry::Function { function, variables, body } => {
            let name = pool.function_name(*function).into_owned();
            format!("{name}{} = {}", list(variables), show(&pool, *body))
        }
        ModelEntry::Value { term, value } => {
            format!("value {} = {}", show(&pool, *term), show(&pool, *value))
        }
        ModelEntry::DivisionByZero { variables, body } => {
            format!("div by zero{} = {}", list(variables), show(&pool, *body))
        }
        ModelEntry::ModuloByZero { variables, body } => {
            format!("mod by zero{} = {}", list(variables), show(&pool, *body))
        }
    });
    (lines.collect(), reading)
}

#[test]
fn what_is_said_twice_must_be_the_same() {
    let errors = |text: &str| -> Vec<String> {
        let (_, reading) = read(text.as_bytes(), Dialect::Smt27);
        reading.errors().map(|error| format!("{}: {}", error.code.name(), error.message)).collect()
    };
    let contradiction = |name: &str, first: &str, second: &str| {
        vec![format!(
            "contradiction: the model gives `{name}` two different values, {first} and {second}"
        )]
    };
    let twice = |first: &str, second: &str| {
        format!("((define-fun s () String {first}) (define-fun s () String {second}))")
    };
    assert_eq!(errors(&twice("\"a\"", "\"b\"")), contradiction("s", "\"a\"", "\"b\""));
    assert_eq!(errors("((s \"a\") (s \"b\"))"), contradiction("s", "\"a\"", "\"b\""));
    assert_eq!(
        errors("((define-fun s () String \"a\"))\n((s \"b\"))"),
        contradiction("s", "\"a\"", "\"b\"")
    );
    assert_eq!(errors("(((str.len s) 1) ((str.len s) 2))"), contradiction("(str.len s)", "1", "2"));
    // Helper functions, functions, and division by zero.
    assert_eq!(
        errors("((define-fun h () Int 1) (define-fun h () Int 2))"),
        contradiction("h", "1", "2")
    );
    assert_eq!(
        errors("((define-fun div0 ((x Int)) Int 1) (define-fun div0 ((x Int)) Int 2))"),
        contradiction("div0", "1", "2")
    );
    // The same twice is only superfluous, however it is written.
    for text in [twice("\"a\"", "\"\\u{61}\""), "((s \"a\") (s \"a\"))".to_owned()] {
        let (entries, reading) = read(text.as_bytes(), Dialect::Smt27);
        assert_eq!(entries, ["s = \"a\""]);
        assert_eq!(reading.errors().count(), 0);
        let warning = reading.diagnostics.iter().find(|one| one.code == Code::RepeatedValue);
        assert_eq!(warning.unwrap().message, "the model gives `s` the value \"a\" twice");
    }
    // Another reply may repeat the value, and write functions and arrays in another way.
    let text = "((define-fun s () String \"a\") (define-fun f ((x Int)) Int 1))
                ((s \"a\") (f (lambda ((y Int)) (ite true 1 y))))";
    let (_, reading) = read(text.as_bytes(), Dialect::Smt27);
    assert_eq!(reading.diagnostics, []);
    // After another verdict comes another model.
    let text = format!("sat\n{}\nsat\n{}", twice("\"a\"", "\"a\""), twice("\"b\"", "\"b\""));
    assert_eq!(errors(&text), Vec::<String>::new());
}

#[test]
fn a_model_with_other_sorts_than_the_script_names_both() {
    for (text, message) in [
        ("((define-fun s () Int 1))", "the model gives `s` the sort Int, the script String"),
        (
            "((define-fun k () String \"\"))",
            "the model gives `k` the sort String, the script (String) String",
        ),
        (
            "((define-fun s ((x Int)) String \"\"))",
            "the model gives `s` the sort (Int) String, the script String",
        ),
    ] {
        let (entries, reading) = read(text.as_bytes(), Dialect::Smt27);
        let messages: Vec<&str> = reading.errors().map(|one| one.message.as_str()).collect();
        assert_eq!((entries, messages), (vec![], vec![message]));
    }
    // A name that the script does not declare is a helper of the solver's own.
    let (entries, reading) = read(b"((define-fun other () Int 1))", Dialect::Smt27);
    assert_eq!((entries, reading.errors().count()), (vec!["other = 1".to_owned()], 0));
}

#[test]
fn a_model_beyond_the_limits_is_not_read() {
    let mut pool = TermPool::new();
    let script = accept(&mut pool, SCRIPT.as_bytes(), Dialect::Smt26).script;
    let limits = ModelLimits { bytes: 100, integer_digits: 10 };
    let mut exceeded = |text: &str| {
        read_model_within(&mut pool, &script, text.as_bytes(), Dialect::Smt27, &limits).exceeded
    };
    assert_eq!(exceeded("((define-fun h () Int 1234567890))"), None);
    let digits = exceeded("((define-fun h () Int 12345678901))").unwrap();
    assert_eq!(digits, "an integer of 11 digits, where the limit is 10");
    let text = exceeded(&" ".repeat(101)).unwrap();
    assert_eq!(text, "a text of 101 bytes, where the limit is 100");
}

#[track_caller]
fn check(text: &str, dialect: Dialect, expected: &[&str]) -> ParsedModel {
    let (lines, reading) = read(text.as_bytes(), dialect);
    let errors: Vec<_> = reading.errors().collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(reading.found);
    assert_eq!(lines, expected);
    reading
}

#[test]
fn z3_4_5_1_prints_a_model_with_arrays_as_functions() {
    let text = "sat\n(model \n  (define-fun i () Int\n    (- 5))\n  (define-fun s () String\n    \"a\"\"b\\\\\\x00\x7f\")
  (define-fun b () Bool
    true)
  (define-fun a () (Array Int Int)
    (_ as-array k!0))
  (define-fun g ((x!0 Int) (x!1 String)) Bool
    (ite (and (= x!0 1) (= x!1 \"x\")) true
    (ite (and (= x!0 2) (= x!1 \"y\")) false
      true)))
  (define-fun k!0 ((x!0 Int)) Int
    (ite (= x!0 2) (- 8)
    (ite (= x!0 1) 7
      (- 8))))
  (define-fun f ((x!0 Int)) Int
    (ite (= x!0 1) 2
    (ite (= x!0 2) 3
      2)))
)
((s \"a\"\"b\\\\\\x00\x7f\")
 (i (- 5))
 (b true)
 ((f 1) 2)
 (a (store ((as const (Array Int Int)) (- 8)) 1 7))
 ((str.len s) 6))";
    let reading = check(
        text,
        Dialect::Z3Oldest,
        &[
            "g(x!0 x!1) = (ite (and (= x!0 1) (= x!1 \"x\")) true (ite (and (= x!0 2) (= x!1 \"y\")) false true))",
            "k!0(x!0) = (ite (= x!0 2) (- 8) (ite (= x!0 1) 7 (- 8)))",
            "f(x!0) = (ite (= x!0 1) 2 (ite (= x!0 2) 3 2))",
            "i = (- 5)",
            r#"s = "a""b\u{5c}\u{0}\u{7f}""#,
            "b = true",
            "a = (store (store ((as const (Array Int Int)) (- 8)) 1 7) 2 (- 8))",
            r#"s = "a""b\u{5c}\u{0}\u{7f}""#,
            "i = (- 5)",
            "b = true",
            "value (f 1) = 2",
            "a = (store ((as const (Array Int Int)) (- 8)) 1 7)",
            "value (str.len s) = 6",
        ],
    );
    assert!(reading.depends_on_escapes);
}

#[test]
fn old_solvers_print_characters_above_127_as_bytes() {
    let (lines, reading) = read(b"(model (define-fun s () String \"\xc8\"))", Dialect::Z3Oldest);
    assert_eq!(lines, [r#"s = "\u{c8}""#]);
    assert_eq!(reading.errors().count(), 0);
    // Two bytes are two characters, even if they are UTF-8.
    let (lines, _) = read(b"(model (define-fun s () String \"\xc3\xa9\"))", Dialect::Z3Oldest);
    assert_eq!(lines, [r#"s = "\u{c3}\u{a9}""#]);
}

#[test]
fn z3_4_8_7_prints_function_values_as_arrays_without_a_sort() {
    let text = r#"sat
(model
  (define-fun t () (Array String Bool)
    (store ((as const (Array String Bool)) true) "r" false))
  (define-fun s () String
    "\xc8")
  (define-fun k ((x!0 String)) String
    (ite (= x!0 "b") "\x00\x00\x00\x00"
    (ite (= x!0 "c") "a"
      "\xc8")))
)
((s "\xc8")
 (k (store (store ((as const Array) "\xc8") "b" "\x00\x00\x00\x00") "c" "a"))
 ((d 1) 2)
 (e 3)
 (nm true)
 ((k "b") "\x00\x00\x00\x00"))
((nm true))
(error "line 19 column 15: unsat core construction is not enabled, use command (set-option :produce-unsat-cores true)")
"#;
    let reading = check(
        text,
        Dialect::Z3Legacy,
        &[
            r#"k(x!0) = (ite (= x!0 "b") "\u{0}\u{0}\u{0}\u{0}" (ite (= x!0 "c") "a" "\u{c8}"))"#,
            r#"t = (store ((as const (Array String Bool)) true) "r" false)"#,
            r#"s = "\u{c8}""#,
            r#"s = "\u{c8}""#,
            r#"k(k) = (select (store (store ((as const (Array String String)) "\u{c8}") "b" "\u{0}\u{0}\u{0}\u{0}") "c" "a") k)"#,
            "value (d 1) = 2",
            "value e = 3",
            "value (> (str.len (k \"b\")) 3) = true",
            r#"value (k "b") = "\u{0}\u{0}\u{0}\u{0}""#,
            "value (> (str.len (k \"b\")) 3) = true",
        ],
    );
    assert_eq!(reading.solver_errors.len(), 1);
    assert!(reading.solver_errors[0].contains("unsat core construction"));
}

#[test]
fn z3_4_8_10_prints_characters_as_bit_vectors_and_division_by_zero() {
    let text = r#"sat
(
  (define-fun s () String
    "a""b\\\x00")
  (define-fun g ((x!0 Int) (x!1 String)) Bool
    (ite (and (= x!0 2) (= x!1 (seq.unit #x79))) false
      true))
  (define-fun div0 ((x!0 Int) (x!1 Int)) Int
    4)
  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int
    3)
)
"#;
    check(
        text,
        Dialect::Z3Transition,
        &[
            "g(x!0 x!1) = (ite (and (= x!0 2) (= x!1 \"y\")) false true)",
            "div by zero(x!0 x!1) = 4",
            "mod by zero(x!0 x!1) = 3",
            r#"s = "a""b\u{5c}\u{0}""#,
        ],
    );
}

#[test]
fn z3_5_4_0_prints_units_of_characters_and_named_formulas() {
    let text = r#"sat
(
  (define-fun t () (Array String Bool)
    (store ((as const (Array String Bool)) true) "r" false))
  (define-fun nm () Bool
    (> (str.len (k "b")) 3))
  (define-fun s () String
    "a""b\\u{0}\u{7f}")
  (define-fun k ((x!0 String)) String
    (ite (= x!0 (seq.unit (_ Char 98))) "ABCD"
    (ite (= x!0 (seq.unit (_ Char 99))) "q"
      "\u{c8}")))
  (define-fun r () RegLan
    (re.* (re.range "a" "c")))
  (define-fun mod0 ((x!0 Int) (x!1 Int)) Int
    3)
)
((k (store (store ((as const (Array String String)) "\u{c8}") "b" "ABCD") "c" "q"))
 (nm true))
"#;
    check(
        text,
        Dialect::Z3,
        &[
            r#"k(x!0) = (ite (= x!0 "b") "ABCD" (ite (= x!0 "c") "q" "\u{c8}"))"#,
            "mod by zero(x!0 x!1) = 3",
            r#"t = (store ((as const (Array String Bool)) true) "r" false)"#,
            r#"s = "a""b\u{5c}\u{0}\u{7f}""#,
            r#"r = (re.* (re.range "a" "c"))"#,
            r#"k(k) = (select (store (store ((as const (Array String String)) "\u{c8}") "b" "ABCD") "c" "q") k)"#,
            "value (> (str.len (k \"b\")) 3) = true",
        ],
    );
}

#[test]
fn cvc4_1_6_prints_legacy_escapes_and_lambdas() {
    let text = r#"sat
(model
(define-fun s () String "a""b\\\x00\x7f")
(define-fun i () Int (- 5))
(define-fun b () Bool true)
(define-fun f ((BOUND_VARIABLE_571 Int)) Int (ite (= BOUND_VARIABLE_571 1) 2 3))
(define-fun g ((BOUND_VARIABLE_588 Int) (BOUND_VARIABLE_589 String)) Bool (ite (= BOUND_VARIABLE_588 1) (= "x" BOUND_VARIABLE_589) false))
(define-fun a () (Array Int Int) (store (store ((as const (Array Int Int)) 0) 1 7) 2 (- 8)))
(define-fun nm () Bool true)
)
sat
((s "\xc8") (k (lambda ((BOUND_VARIABLE_963 String)) (ite (= "c" BOUND_VARIABLE_963) "" "AAAA"))) ((d 1) 2) (nm true) ((k "b") "AAAA"))
(error "Cannot get the current assignment when produce-assignments option is off.")
"#;
    let reading = check(
        text,
        Dialect::Cvc4V16,
        &[
            "f(BOUND_VARIABLE_571) = (ite (= BOUND_VARIABLE_571 1) 2 3)",
            "g(BOUND_VARIABLE_588 BOUND_VARIABLE_589) = (ite (= BOUND_VARIABLE_588 1) (= \"x\" BOUND_VARIABLE_589) false)",
            r#"s = "a""b\u{5c}\u{0}\u{7f}""#,
            "i = (- 5)",
            "b = true",
            "a = (store (store ((as const (Array Int Int)) 0) 1 7) 2 (- 8))",
            r#"s = "\u{c8}""#,
            r#"k(BOUND_VARIABLE_963) = (ite (= "c" BOUND_VARIABLE_963) "" "AAAA")"#,
            "value (d 1) = 2",
            "value (> (str.len (k \"b\")) 3) = true",
            r#"value (k "b") = "AAAA""#,
        ],
    );
    assert_eq!(reading.solver_errors.len(), 1);
}

#[test]
fn cvc5_prints_standard_escapes_and_echoes_terms() {
    let text = r#"sat
(
(define-fun s () String "a""b\u{5c}\u{0}\u{7f}")
(define-fun f ((_arg_1 Int)) Int (ite (= _arg_1 1) 2 3))
(define-fun g ((_arg_1 Int) (_arg_2 String)) Bool (and (= _arg_1 1) (= "x" _arg_2)))
(define-fun r () RegLan (re.* (re.range "a" "c")))
)
((k (lambda ((_arg_1 String)) (ite (= "a" _arg_1) "\u{c8}" "AAAA"))) ((> (str.len (k "b")) 3) true))
((nm true))
(error "Cannot get value of a term that is not first class.")
"#;
    let reading = check(
        text,
        Dialect::Smt26,
        &[
            "f(_arg_1) = (ite (= _arg_1 1) 2 3)",
            "g(_arg_1 _arg_2) = (and (= _arg_1 1) (= \"x\" _arg_2))",
            r#"s = "a""b\u{5c}\u{0}\u{7f}""#,
            r#"r = (re.* (re.range "a" "c"))"#,
            r#"k(_arg_1) = (ite (= "a" _arg_1) "\u{c8}" "AAAA")"#,
            "value (> (str.len (k \"b\")) 3) = true",
            "value (> (str.len (k \"b\")) 3) = true",
        ],
    );
    assert!(!reading.depends_on_escapes);
}

#[test]
fn answers_without_a_model_are_told_apart_from_empty_models() {
    for (text, found) in [
        ("", false),
        ("sat", false),
        ("unsat\n(error \"line 2: model is not available\")", false),
        ("unknown\n(:reason-unknown \"timeout\")", false),
        ("timeout", false),
        ("sat\n()", true),
        ("sat\n(model)", true),
        ("sat\n(\n)\n", true),
        ("success\nsuccess\nsat\n(model\n)", true),
        ("(define-fun s () String \"\")", true),
    ] {
        let (_, reading) = read(text.as_bytes(), Dialect::Z3);
        assert_eq!(reading.found, found, "{text}");
        assert_eq!(reading.errors().count(), 0, "{text}");
    }
}

#[test]
fn a_helper_may_be_used_before_it_is_defined_and_defined_again_otherwise() {
    check(
        "((define-fun f ((x Int)) Int (k!1 x)) (define-fun k!1 ((x Int)) Int (+ x c!0)) (define-fun c!0 () Int 3))
         ((define-fun c!0 () String \"q\") (define-fun s () String c!0))",
        Dialect::Z3,
        &[
            "f(x) = (k!1 x)",
            "k!1(x) = (+ x c!0)",
            "c!0 = 3",
            "c!0 = \"q\"",
            "s = c!0",
        ],
    );
}

#[test]
fn lambdas_and_tables_give_arrays() {
    check(
        "((define-fun a () (Array Int Int) (lambda ((x Int)) (ite (or (= x 1) (= 2 x)) 7 (ite (= x 3) (- 1) 0)))))",
        Dialect::Z3,
        &["a = (store (store (store ((as const (Array Int Int)) 0) 3 (- 1)) 1 7) 2 7)"],
    );
    let (lines, reading) =
        read(b"((define-fun a () (Array Int Int) (lambda ((x Int)) (+ x 1))))", Dialect::Z3);
    assert!(lines.is_empty());
    assert!(reading.errors().all(|error| error.code == Code::Unsupported));
    assert_eq!(reading.errors().count(), 1);
}

#[test]
fn faults_of_a_model_are_located_and_the_rest_is_read() {
    let cases: [(&str, Code, &[&str]); 5] = [
        ("((define-fun s () Int 1) (define-fun i () Int 2))", Code::Sort, &["i = 2"]),
        ("((define-fun s () String 1) (define-fun i () Int 2))", Code::Sort, &["i = 2"]),
        ("((define-fun u () Real 1.5) (define-fun i () Int 2))", Code::UnsupportedSort, &["i = 2"]),
        (
            "((define-fun s () String (oops 1)) (define-fun i () Int 2))",
            Code::UnknownSymbol,
            &["i = 2"],
        ),
        ("((s 5) (i 2))", Code::Sort, &["i = 2"]),
    ];
    for (text, code, expected) in cases {
        let (lines, reading) = read(text.as_bytes(), Dialect::Z3);
        let codes: Vec<Code> = reading.errors().map(|error| error.code).collect();
        assert_eq!(codes, [code], "{text}");
        assert_eq!(lines, expected, "{text}");
    }
}

#[test]
fn a_model_cut_off_anywhere_gives_an_error_or_less() {
    let text = r#"sat
(model
  (define-fun a () (Array Int Int) (_ as-array k!0))
  (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 1) 7 (- 8)))
  (define-fun s () String "a""b\u{41}")
  (define-fun g ((x!0 Int) (x!1 String)) Bool (let ((y (= x!0 1))) (and y y)))
)
((s "a""b\u{41}") ((f 1) (- 2)) (k (lambda ((v String)) v)))
"#;
    let (whole, reading) = read(text.as_bytes(), Dialect::Z3);
    assert_eq!(reading.errors().count(), 0);
    let complete = "sat\n".len();
    for length in 0..text.len() {
        let (lines, reading) = read(&text.as_bytes()[..length], Dialect::Z3);
        assert!(lines.len() <= whole.len());
        let ends = text[..length].trim_end();
        let whole_answers = length <= complete
            || ends.ends_with("\n)")
            || ends.ends_with("v)))")
            || "sat".starts_with(ends);
        assert_eq!(
            reading.errors().count() == 0,
            whole_answers,
            "{ends}\n{:#?}",
            reading.diagnostics
        );
        for error in reading.errors() {
            assert!(error.span.end as usize <= length);
        }
    }
}

#[test]
fn escapes_are_read_in_the_dialect_of_the_solver() {
    let text = br#"((s "\x41\u{42}\n"))"#;
    for (dialect, expected) in [
        (Dialect::Z3Legacy, r#"s = "Au{42}\u{a}""#),
        (Dialect::Z3Transition, r#"s = "AB\u{a}""#),
        (Dialect::Z3, r#"s = "\u{5c}x41B\u{5c}n""#),
        (Dialect::Smt26, r#"s = "\u{5c}x41B\u{5c}n""#),
    ] {
        let (lines, reading) = read(text, dialect);
        assert_eq!(lines, [expected], "{dialect}");
        assert!(reading.depends_on_escapes);
    }
}
