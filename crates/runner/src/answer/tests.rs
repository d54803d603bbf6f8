//! Outputs as solvers print them, and outputs that only look like answers.

use luthier_records::{Answer, Class, Ending, ParsedOutput, Text, Verdict};

use super::{Request, read, read_with_requests};

fn verdicts(output: &str) -> Vec<&'static str> {
    read(output.as_bytes()).answers.iter().map(|answer| answer.verdict.name()).collect()
}

#[track_caller]
fn check(output: &str, expected: &[&str]) {
    assert_eq!(verdicts(output), expected, "{output:?}");
}

/// The only answer of an output.
#[track_caller]
fn only(output: &str) -> Answer {
    let said = read(output.as_bytes());
    assert_eq!(said.answers.len(), 1, "{said:?}");
    said.answers.into_iter().next().unwrap()
}

fn texts(texts: &[Text]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn class(output: &str) -> Class {
    let said = read(output.as_bytes());
    Class::of(&said, said.answers.len(), &Ending::Exited(0))
}

#[test]
fn a_verdict_is_a_word_alone_on_its_line() {
    check("sat\n", &["sat"]);
    check("unsat", &["unsat"]);
    check("  unknown  \r\n", &["unknown"]);
    check("success\nsuccess\nsat\n", &["sat"]);
    check("sat\nunsat\nunknown\n", &["sat", "unsat", "unknown"]);
    check("sat (model)\n", &["sat"]);
    check("unknown ; satisfiability was not decided\n", &["unknown"]);
}

#[test]
fn what_only_looks_like_a_verdict_is_none() {
    check("", &[]);
    check("sat.\n", &[]);
    check("SAT\n", &[]);
    check("satisfiable\n", &[]);
    check("result: sat\n", &[]);
    check("sat was found\n", &[]);
    check("\"sat\"\n", &[]);
    check("|sat|\n", &[]);
    check("(sat)\n", &[]);
    check("(\nsat\n)\n", &[]);
    check("; sat\n", &[]);
    check("x = \"unsat core\"\n", &[]);
    check("sat)\n", &[]);
    check("s\0at\n", &[]);
}

#[test]
fn verdicts_inside_models_are_none() {
    check("sat\n(\n(define-fun x () String \"\nunsat\n\")\n)\n", &["sat"]);
    check("sat\n(\n(define-fun |\nunsat\n| () Int 1)\n)\n", &["sat"]);
    check("sat\n(\n; (\nunsat\n)\nunknown\n", &["sat", "unknown"]);
    check("sat\n(model ; it's (\n)\nunsat\n", &["sat", "unsat"]);
    check("sat\nx -> \"\nunsat\n\"\nunsat\n", &["sat", "unsat"]);
    // Doubled quotes, parentheses in strings.
    check("sat\n((x \"a\"\"(\"))\nunsat\n", &["sat", "unsat"]);
}

#[test]
fn noise_is_counted_and_skipped() {
    let said = read(b"c banner\nWARNING: option (foo\nsat\n!! don't worry :)\n\xff\xfe\x00\n");
    assert_eq!(said.verdicts(), [Verdict::Sat]);
    assert_eq!(said.noise_lines, 4);
    assert!(!said.unfinished);
    // A quote that is never closed was not meant as one.
    check("warning: strange \" character\nsat\n", &["sat"]);
}

#[test]
fn an_output_that_is_cut_off_gives_what_was_complete() {
    let said = read(b"sat\n(\n(define-fun x () String \"a\nunsat\n");
    assert_eq!(said.verdicts(), [Verdict::Sat]);
    assert!(said.unfinished);
    assert_eq!(said.answers[0].model, None);
    check("(model\nunsat\n", &[]);
}

#[test]
fn models_of_all_forms_are_attached_to_their_verdict() {
    let old = "(model \n  (define-fun x () String\n    \"a)\")\n)";
    assert_eq!(only(&format!("sat\n{old}\n")).model, Some(old.into()));
    let new = "(\n(define-fun x () String \"unsat\")\n(declare-fun u () U)\n)";
    assert_eq!(only(&format!("sat\n{new}\n")).model, Some(new.into()));
    assert_eq!(only("sat\n()\n").model, Some("()".into()));
    assert_eq!(only("sat\n(\n)\n").model, Some("(\n)".into()));
    assert_eq!(only("sat\n").model, None);
    let said = read(b"sat\n((define-fun x () Int 1))\nsat\n((define-fun x () Int 2))\n");
    let models: Vec<_> = said.answers.iter().filter_map(|answer| answer.model.clone()).collect();
    assert_eq!(texts(&models), ["((define-fun x () Int 1))", "((define-fun x () Int 2))"]);
}

#[test]
fn bytes_of_a_model_are_kept() {
    let said = read(b"sat\n((define-fun x () String \"\xe9\"))\n");
    let model = said.answers[0].model.as_ref().unwrap();
    assert_eq!(model.as_bytes(), b"((define-fun x () String \"\xe9\"))");
}

#[test]
fn values_cores_and_reasons_are_attached() {
    let answer = only("sat\n((x \"a\") (|y z| (- 5)))\n(((str.len x) 1))\n");
    assert_eq!(texts(&answer.values), ["((x \"a\") (|y z| (- 5)))", "(((str.len x) 1))"]);
    assert_eq!(answer.model, None);
    let answer = only("unsat\n(|a b| c)\n");
    assert_eq!(texts(answer.core.as_deref().unwrap()), ["|a b|", "c"]);
    assert_eq!(only("unsat\n()\n").core, Some(Vec::new()));
    assert_eq!(only("unsat\n").core, None);
    let reason = |output: &str| only(output).reason_unknown.map(|reason| reason.to_string());
    assert_eq!(reason("unknown\n(:reason-unknown incomplete)\n").unwrap(), "incomplete");
    assert_eq!(reason("unknown\n(:reason-unknown \"a \"\"b\"\"\")\n").unwrap(), "a \"b\"");
    assert_eq!(
        reason("unknown\n(:reason-unknown (incomplete (theory strings)))\n").unwrap(),
        "(incomplete (theory strings))"
    );
    assert_eq!(reason("unknown\n(:version \"4.8\")\n"), None);
}

#[test]
fn an_error_before_an_answer_makes_it_unsupported_and_keeps_it() {
    let output =
        "(error \"line 3 column 33: unknown constant str.nonsense (String String) \")\nsat\n";
    let answer = only(output);
    assert_eq!(answer.verdict, Verdict::Sat);
    assert_eq!(answer.errors_before.len(), 1);
    assert_eq!(class(output), Class::Unsupported);
    assert_eq!(class("(error \"nothing follows\")\n"), Class::Unsupported);
    // Among several queries, the one before the error stands.
    let said = read(b"sat\n(error \"unknown constant y\")\nunsat\nsat\n");
    let classes = [0, 1, 2].map(|query| Class::of_query(&said, query, &Ending::Exited(1)));
    assert_eq!(classes, [Class::Sat, Class::Unsupported, Class::Unsupported]);
}

/// Errors before and after each answer.
fn errors_by_answer(output: &str, requests: &[Request]) -> Vec<(Vec<String>, Vec<String>)> {
    let said = read_with_requests(output.as_bytes(), requests);
    let errors = |answer: &Answer| (texts(&answer.errors_before), texts(&answer.errors_after));
    said.answers.iter().map(errors).collect()
}

/// As solvers word it, and as none does.
const REFUSALS: [&str; 9] = [
    "line 16 column 10: model is not available",
    "line 12 column 15: unsat core is not available",
    "Cannot get unsat core unless in unsat mode.",
    "Cannot get an unsat core unless immediately preceded by UNSAT/ENTAILED response.",
    "Cannot get model when produce-models options is off.",
    "Cannot get model unless after a SAT or UNKNOWN response.",
    "get-model: there is no model, the last answer is not sat",
    "unknown constant y",
    "",
];

#[test]
fn an_error_that_answers_a_request_says_nothing_about_later_queries() {
    for message in REFUSALS {
        let refused = vec![message.to_owned()];
        let output = format!("unsat\n(error \"{message}\")\nsat\n((define-fun x () Int 1))\n");
        let errors = errors_by_answer(&output, &[Request::Model]);
        assert_eq!(errors, [(vec![], refused.clone()), (vec![], vec![])], "{message}");
        // Both a model and a core are asked for: one of them is always refused.
        let output = format!(
            "unsat\n(error \"{message}\")\n(a b)\nsat\n((define-fun x () Int 1))\n\
             (error \"{message}\")\nunsat\n(error \"{message}\")\n()\n"
        );
        let errors = errors_by_answer(&output, &[Request::Model, Request::Core]);
        assert!(errors.iter().all(|(before, after)| before.is_empty() && *after == refused));
        let said = read_with_requests(output.as_bytes(), &[Request::Model, Request::Core]);
        let classes = [0, 1, 2].map(|query| Class::of_query(&said, query, &Ending::Exited(1)));
        assert_eq!(classes, [Class::Unsat, Class::Sat, Class::Unsat], "{message}");
    }
}

#[test]
fn an_error_behind_the_replies_to_the_requests_makes_later_answers_unsupported() {
    for message in REFUSALS {
        let tainted = vec![message.to_owned()];
        for first in ["(error \"model is not available\")", "((define-fun x () Int 1))", "()"] {
            let output = format!("sat\n{first}\n(error \"{message}\")\nunsat\n");
            let errors = errors_by_answer(&output, &[Request::Model]);
            assert_eq!(errors[1].0, tainted, "{message}");
        }
        // The core that was printed shows that the request before it got no reply.
        let output = format!("unsat\n(a b)\n(error \"{message}\")\nsat\n");
        let errors = errors_by_answer(&output, &[Request::Model, Request::Core]);
        assert_eq!(errors[1].0, tainted, "{message}");
        // `unsupported` is a reply, too.
        let output = format!("unsat\nunsupported\n(error \"{message}\")\nsat\n");
        assert_eq!(errors_by_answer(&output, &[Request::Core])[1].0, tainted, "{message}");
        // Before the first verdict there is no request, and without one there is none after it.
        let output = format!("(error \"{message}\")\nsat\n(error \"{message}\")\nsat\n");
        let errors = errors_by_answer(&output, &[]);
        assert!(errors.iter().all(|(before, _)| *before == tainted), "{message}");
        let said = read_with_requests(output.as_bytes(), &[Request::Model]);
        assert_eq!(Class::of_query(&said, 1, &Ending::Exited(0)), Class::Unsupported);
    }
    // After the last verdict any error is too late to matter.
    assert_eq!(class("unsat\n(error \"line 9 column 2: invalid command\")\n"), Class::Unsat);
}

#[test]
fn errors_about_options_taint_nothing() {
    let output = "(error \"line 3 column 22: unknown parameter 'strings-exp'\nLegal parameters \
        are:\n  model (bool) (default: true)\n  trace (bool) (default: false)\")\nsat\n";
    let said = read(output.as_bytes());
    assert_eq!(said.option_errors.len(), 1);
    assert!(said.answers[0].errors_before.is_empty());
    assert_eq!(class(output), Class::Sat);
    let other = "(error \"line 3 column 22: bad term: unknown parameter 'x'\")\nsat\n";
    assert_eq!(class(other), Class::Unsupported);
}

#[test]
fn an_error_that_copies_the_script_with_its_quotes_is_read() {
    // As cvc5 prints it; the string in the script holds a parenthesis.
    let output = "(error \"Parse Error: b.smt2:3.34: Symbol 'str.nonsense' not declared\n\n  \
        (assert (= (str.nonsense x \"a(b\") \"c\"))\n                 ^\n\")\n";
    let said = read(output.as_bytes());
    assert_eq!(said.errors.len(), 1, "{said:?}");
    assert!(said.errors[0].to_string().contains("str.nonsense x \"a(b\""));
    assert_eq!(class(output), Class::Unsupported);
    // An odd number of quotes does not swallow what follows.
    let said = read(b"(error \"unexpected \" here\")\nsat\n((x \"a\"))\n");
    assert_eq!(said.verdicts(), [Verdict::Sat]);
    assert_eq!(texts(&said.answers[0].errors_before), ["unexpected \" here"]);
    assert_eq!(said.answers[0].values.len(), 1);
    // A message that is cut off is still one.
    let said = read(b"(error \"Parse Err");
    assert_eq!((texts(&said.errors), said.unfinished), (vec!["Parse Err".to_owned()], true));
    // Not an error, but a value that begins like one.
    assert!(read(b"sat\n((errors 1))\n").answers[0].errors_after.is_empty());
    assert!(read(b"unsat\n(errors_name b)\n").answers[0].core.is_some());
}

#[test]
fn other_words_of_solvers_are_understood() {
    let said = read(b"unsupported\n; ignoring unsupported logic QF_SLIA line: 4\nsat\n");
    assert_eq!((said.unsupported, said.verdicts()), (true, vec![Verdict::Sat]));
    assert_eq!(said.noise_lines, 0);
    assert_eq!(class("timeout\n"), Class::Timeout);
    assert_eq!(class("(error \"out of memory\")\n"), Class::Memout);
}

#[test]
fn deep_and_long_outputs_are_read_in_linear_time() {
    let deep = format!("sat\n({}{})\nunsat\n", "(".repeat(1_000_000), ")".repeat(1_000_000));
    check(&deep, &["sat", "unsat"]);
    let open = "(".repeat(2_000_000);
    assert!(read(open.as_bytes()).unfinished);
    let quotes = "a \" b\n".repeat(300_001);
    assert_eq!(verdicts(&quotes), Vec::<&str>::new());
    for error in ["(error \"e\")\n", "(error e)\n"] {
        let errors = error.repeat(300_000);
        assert_eq!(read(errors.as_bytes()).errors.len(), 300_000);
    }
}

#[test]
fn arbitrary_bytes_do_no_harm() {
    // A simple generator is enough to come to all corners of a small reader.
    let alphabet = b"(()\"\"|; \n\n\tsat unsat error :model)\xff\0";
    let mut state = 12345_u64;
    for _ in 0..20_000 {
        let mut output = Vec::new();
        for _ in 0..40 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            output.push(alphabet[(state >> 33) as usize % alphabet.len()]);
        }
        let said: ParsedOutput = read(&output);
        assert!(said.answers.len() <= output.len());
    }
}
