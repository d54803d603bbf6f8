//! Texts that are deep, long, broken or random: the reader must end soon, never panic, and locate the
//! fault. No input may take quadratic time.

use crate::support;

use std::time::Duration;

use luthier_smtlib::source::Locator;
use luthier_smtlib::{
    Code, CommandKind, Dialect, Mode, ParsedScript, PrintOptions, ReadOptions, detect,
    print_script, read_model, read_script,
};
use luthier_terms::TermPool;
use nix::time::{ClockId, clock_gettime};
use support::generate::Generator;
use support::random::Random;

/// Far more processor time than any of these tests takes, and far less than quadratic time would.
const SOON: Duration = Duration::from_secs(30);

/// The processor time of this thread: the clock on the wall tells more about the machine.
fn thread_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap()
}

/// Reads a text in both modes, prints and lays out what was read, and reads that again.
fn exercise(bytes: &[u8]) -> ParsedScript {
    let begin = thread_time();
    let mut pool = TermPool::new();
    let strict = ReadOptions { dialect: None, mode: Mode::Strict };
    read_script(&mut pool, bytes, &strict);
    let reading = read_script(&mut pool, bytes, &ReadOptions::default());
    let locator = Locator::new(bytes);
    for diagnostic in &reading.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end);
        assert!(diagnostic.span.end as usize <= bytes.len());
        diagnostic.render("input", &locator);
    }
    reading.script.queries().for_each(drop);
    reading.script.declared(&pool);
    for width in [None, Some(60)] {
        let options = PrintOptions { dialect: Dialect::Smt27, width };
        if let Ok(printed) = print_script(&pool, &reading.script, &options) {
            let again = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Generous };
            let again = read_script(&mut pool, &printed.bytes, &again);
            let shown = String::from_utf8_lossy(&printed.bytes[..printed.bytes.len().min(2000)]);
            assert!(again.is_accepted(), "{:?}\n{shown}", again.errors().next());
        }
    }
    let taken = thread_time() - begin;
    assert!(taken < SOON, "took {taken:?}");
    reading
}

#[track_caller]
fn check_accepted(text: &str) -> ParsedScript {
    let reading = exercise(text.as_bytes());
    assert!(reading.is_accepted(), "{:#?}", reading.errors().next());
    reading
}

/// `inner` between `times` copies of two texts.
fn nest(open: &str, inner: &str, close: &str, times: usize) -> String {
    [open.repeat(times), inner.to_owned(), close.repeat(times)].concat()
}

/// One text for each number, each after the other.
fn each(times: usize, text: impl Fn(usize) -> String) -> String {
    (0..times).map(text).collect()
}

const DEEP: usize = 100_000;

#[test]
fn deep_terms_are_read_and_printed() {
    let declare = "(declare-const p Bool)(declare-const s String)(declare-fun f (Bool) Bool)";
    for term in [
        nest("(not ", "p", ")", DEEP),
        nest("(f ", "p", ")", DEEP),
        nest("(and p (or p ", "p", "))", DEEP / 2),
        nest("(ite p p ", "p", ")", DEEP),
        nest("(let ((q p)) ", "q", ")", DEEP),
        nest("(let ((p (not p))) ", "p", ")", DEEP),
        nest("(let ((q ", "p", ")) (not q))", DEEP),
        nest("(! ", "p", " :weight 3)", DEEP),
        format!("(= s {})", nest("(str.++ s ", "s", ")", DEEP)),
        format!("(str.in_re s {})", nest("((_ re.^ 2) ", "re.all", ")", DEEP)),
        format!("(= 1 {})", nest("(- ", "1", ")", DEEP)),
    ] {
        check_accepted(&format!("{declare}(assert {term})(check-sat)"));
    }
}

#[test]
fn deep_quantifiers_are_read_and_printed() {
    let deep = 20_000;
    let distinct = |number: usize| format!("(forall ((x{number} Int)) ");
    for term in [
        nest("(forall ((x Int)) ", "(= x 1)", ")", deep),
        nest("(exists ((x Int)) (not ", "true", "))", deep),
        each(deep, distinct) + "(= x0 x1)" + &")".repeat(deep),
        nest("(forall ((x Int)) (! ", "(= x 1)", " :pattern ((+ x 1))))", deep),
        nest("(let ((y 1)) (forall ((x Int)) ", "(= x y)", "))", deep),
        nest("(exists ((x Bool)) (let ((x (not x))) ", "x", "))", deep),
    ] {
        check_accepted(&format!("(assert {term})(check-sat)"));
    }
}

#[test]
fn deep_names_are_read_and_printed() {
    // Each level names its part.
    let deep = 3_000;
    let open = |number: usize| format!("(! (not (! (or p p) :named a{number}) ) :named b{number})");
    check_accepted(&format!("(declare-const p Bool)(assert (and p {}))", each(deep, open)));
}

#[test]
fn deep_garbage_is_refused() {
    for text in [
        "(".repeat(DEEP),
        ")".repeat(DEEP),
        nest("(", "", ")", DEEP),
        format!("(assert {}", "(".repeat(DEEP)),
        format!("(assert {})", nest("(", "", ")", DEEP)),
        format!("(assert {}", nest("(not ", "", "", DEEP)),
        format!("(assert {}", nest("(let ((x ", "", "", DEEP)),
        format!("(assert {}", nest("(forall ((x Int)) ", "", "", DEEP)),
        format!("(assert {}", nest("(! ", "", "", DEEP)),
        format!("(assert {}", nest("(! true :pattern (", "", "", DEEP)),
        format!("(assert {}", nest("((_ re.^ 2) ", "", "", DEEP)),
        format!("(declare-const x {}", nest("(Array Int ", "", "", DEEP)),
        format!("(declare-const x {})", nest("(Array Int ", "Int", ")", DEEP)),
        format!("(declare-fun f ({}", nest("(", "", "", DEEP)),
        format!("(set-info :source {}", "(".repeat(DEEP)),
        format!("(get-value {}", "(".repeat(DEEP)),
        "(assert\n".repeat(DEEP),
        "(set-info :source (\n".repeat(DEEP / 10),
        "(declare-fun f (\n".repeat(DEEP),
        "(define-fun f ((x Int)) Int (\n".repeat(DEEP),
        "(define-funs-rec ((f ((x Int)) Int)) (\n".repeat(DEEP / 10),
        "|".repeat(DEEP + 1),
        "\"".repeat(DEEP + 1),
    ] {
        let reading = exercise(text.as_bytes());
        assert!(!reading.is_accepted(), "{}", &text[..40]);
        assert!(reading.diagnostics.len() < 500);
    }
}

#[test]
fn attribute_values_nest() {
    let text = format!("(set-info :source {})(check-sat)", nest("(", "a", ")", DEEP));
    assert_eq!(check_accepted(&text).script.commands.len(), 2);
    check_accepted(&format!("(assert (! true :a {}))", nest("(", "b", ")", DEEP)));
}

#[test]
fn nearly_empty_texts_are_scripts() {
    for text in ["", " \r\n\t", "; only a comment", ";\n;\n", "\u{feff}", "\u{feff}(check-sat)"] {
        check_accepted(text);
    }
}

#[test]
fn a_literal_of_a_megabyte_is_read() {
    let long = "a\\u{41}\"\"\\n".repeat(100_000);
    check_accepted(&format!("(assert (= \"{long}\" \"{long}\"))"));
    let symbol = "a b ".repeat(250_000);
    check_accepted(&format!("(declare-const |{symbol}| Int)(assert (= |{symbol}| 1))"));
    let comment = ";".repeat(1_000_000);
    check_accepted(&format!("{comment}\n(check-sat)"));
}

#[test]
fn huge_numerals_are_read_and_printed() {
    let digits = "1234567890".repeat(10_000);
    check_accepted(&format!("(assert (= {digits} {digits}))"));
    check_accepted(&format!("(assert (= re.all ((_ re.^ {digits}) re.all)))"));
    let (text, number) = (format!("(push {digits})"), "9".repeat(1_000_000));
    assert!(!exercise(text.as_bytes()).is_accepted());
    let begin = thread_time();
    let mut pool = TermPool::new();
    let text = format!("(assert (= {number} 1))");
    assert!(read_script(&mut pool, text.as_bytes(), &ReadOptions::default()).is_accepted());
    let taken = thread_time() - begin;
    assert!(taken < SOON, "took {taken:?}");
}

#[test]
fn many_commands_are_read() {
    let many = 100_000;
    let declarations = each(many, |number| format!("(declare-const x{number} Int)\n"));
    let assertions = each(many, |number| format!("(assert (> x{number} (+ x0 {number})))\n"));
    let reading = check_accepted(&format!("{declarations}{assertions}(check-sat)\n"));
    assert_eq!(reading.script.commands.len(), 2 * many + 1);
    let named = each(many, |number| format!("(assert (! (> x {number}) :named n{number}))"));
    check_accepted(&format!("(declare-const x Int){named}"));
    let lets = each(many, |number| format!("(assert (let ((y (+ x {number}))) (= y (* y y))))\n"));
    check_accepted(&format!("(declare-const x Int){lets}"));
}

#[test]
fn a_let_chain_whose_tree_is_exponential_is_printed_with_let() {
    let levels = 20_000;
    let mut text = "(declare-const x0 Int)(assert ".to_owned();
    text += &each(levels, |level| format!("(let ((x{} (+ x{level} x{level}))) ", level + 1));
    text += &format!("(= x{levels} x{levels}){})", ")".repeat(levels));
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted());
    let options = PrintOptions::new(Dialect::Smt27);
    let printed = print_script(&pool, &reading.script, &options).unwrap();
    assert!(printed.bytes.len() < 4 * text.len());
    check_accepted(&text);
    // Also where nothing says that the source had `let`: in a definition, and below quantifiers.
    let chain = |inner: &str| {
        let lets = each(60, |level| format!("(let ((x{} (+ x{level} x{level}))) ", level + 1));
        format!("{lets}{inner}{}", ")".repeat(60))
    };
    check_accepted(&format!("(define-fun f ((x0 Int)) Int {})", chain("x60")));
    check_accepted(&format!(
        "(define-fun f () Bool (forall ((x0 Int)) (exists ((y Int)) {})))",
        chain("(= x60 y)")
    ));
    check_accepted(&format!("(declare-const x0 Int)(get-value ({}))", chain("x60")));
}

#[test]
fn an_error_in_every_command_is_reported_up_to_a_limit() {
    let text = each(10_000, |number| format!("(assert (= x{number} {number}))\n"));
    let reading = exercise(text.as_bytes());
    assert!(reading.diagnostics.len() < 300);
    assert!(reading.diagnostics.iter().any(|one| one.code == Code::TooManyErrors));
    let text = format!("(assert (and {}))", each(100_000, |number| format!("(= 1 \"{number}\")")));
    assert!(exercise(text.as_bytes()).diagnostics.len() < 300);
}

#[test]
fn levels_are_not_pushed_without_end() {
    let text = "(push 1000000)\n".repeat(50);
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.errors().all(|error| error.code == Code::Index));
    assert_eq!(reading.script.commands.len(), 1);
}

/// A script with a little of everything.
const SAMPLE: &str = r#"(set-info :smt-lib-version 2.6) ; comment "quoted" |bar|
(set-logic ALL)
(set-info :source |a
b|)
(declare-const |x y| String)
(declare-fun f (Int String) (Array Int Bool))
(define-fun g ((a Int) (b Bool)) Int (ite b (- a 1) (f2 a)))
(define-fun-rec h ((n Int)) Int (ite (<= n 0) 0 (+ 1 (h (- n 1)))))
(define-funs-rec ((even ((n Int)) Bool) (odd ((n Int)) Bool))
  ((ite (= n 0) true (odd (- n 1))) (ite (= n 0) false (even (- n 1)))))
(assert (! (let ((z (str.++ |x y| "a""b\u{41}\n")) (w 3)) (str.in_re z ((_ re.loop 1 3) (re.union re.allchar (str.to_re "q"))))) :named n1))
(assert (forall ((i Int) (s String)) (! (=> (> i 0) (select (f i s) -5)) :pattern ((f i s) (h i)) :pattern ((h 3)))))
(push 1)
(assert (= ((as const (Array Int Bool)) true) (store (f 1 (_ char #x41)) 2 false)))
(check-sat-assuming (n1 (not n1)))
(pop 1)
(get-value (|x y| (str.len |x y|)))
(echo "bye ""now""")
(exit)
"#;

#[test]
fn a_script_cut_off_anywhere_is_refused_or_shorter() {
    for length in 0..SAMPLE.len() {
        let text = &SAMPLE.as_bytes()[..length];
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, text, &ReadOptions::default());
        let locator = Locator::new(text);
        for diagnostic in &reading.diagnostics {
            assert!(diagnostic.span.end as usize <= length);
            assert!(locator.location(diagnostic.span.start).line >= 1);
            diagnostic.render("cut", &locator);
        }
        // Inside a command, the last error says that it is not complete.
        let balanced = SAMPLE[length..].starts_with("\n(") || SAMPLE[length..].starts_with(" ;");
        let last = reading.errors().last().map(|error| error.code);
        if balanced {
            assert!(last.is_none() || last == Some(Code::UnknownSymbol), "{length}: {last:?}");
        }
        if length > 0 && SAMPLE[..length].ends_with(" (") {
            assert!(last.is_some(), "{length}");
        }
    }
}

#[test]
fn binary_noise_is_refused() {
    let mut random = Random::new(7);
    for _ in 0..2_000 {
        let length = random.below(400);
        let noise: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
        exercise(&noise);
        let mut pool = TermPool::new();
        read_model(&mut pool, &luthier_smtlib::Script::default(), &noise, Dialect::Z3);
    }
    // Noise made of tokens.
    let tokens = [
        "(",
        ")",
        "(assert ",
        "let",
        "forall",
        "((x Int))",
        "x",
        "!",
        ":named",
        ":pattern",
        "_",
        "as",
        "const",
        "(Array Int Int)",
        "\"a\"",
        "\"",
        "|",
        "1",
        "-1",
        "and",
        "(define-fun f ",
        "(push 1)",
        "(pop 1)",
        "(reset)",
        "\n",
        ";",
        "(check-sat)",
        "re.loop",
        "(declare-const x Int)",
        "(exit)",
        "define-fun-rec",
        "((",
        "))",
        "seq.unit",
        "(_ char #x4)",
        "Seq",
        "Char",
        "#b1",
        "1.5",
    ];
    for _ in 0..20_000 {
        let count = 1 + random.below(30);
        let text: Vec<&str> = (0..count).map(|_| random.pick(&tokens)).collect();
        let text = text.join(" ");
        exercise(text.as_bytes());
        let mut pool = TermPool::new();
        read_model(&mut pool, &luthier_smtlib::Script::default(), text.as_bytes(), Dialect::Z3);
    }
}

fn mutate(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        if text.is_empty() {
            return;
        }
        let place = random.below(text.len());
        match random.below(5) {
            0 => text[place] ^= 1 << random.below(8),
            1 => {
                text.remove(place);
            }
            2 => text.insert(place, random.pick(b"()\"|\\;:!_# \n\x00\xff09az")),
            3 => {
                // A piece is written twice.
                let end = (place + random.below(60)).min(text.len());
                let piece = text[place..end].to_vec();
                text.splice(place..place, piece);
            }
            _ => {
                // A piece moves.
                let end = (place + random.below(60)).min(text.len());
                let piece: Vec<u8> = text.drain(place..end).collect();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
        }
    }
}

#[test]
fn mutated_scripts_never_panic() {
    let mut random = Random::new(11);
    let mut accepted = 0;
    let samples: Vec<Vec<u8>> = (0..20)
        .map(|seed| Generator::new(seed).script())
        .chain([SAMPLE.as_bytes().to_vec()])
        .collect();
    for _ in 0..20_000 {
        let mut text = random.pick(&samples);
        text.truncate(1500);
        mutate(&mut text, &mut random);
        let mut pool = TermPool::new();
        let dialect = random.pick(&Dialect::ALL);
        let options = ReadOptions { dialect: Some(dialect), mode: Mode::Generous };
        let reading = read_script(&mut pool, &text, &options);
        let locator = Locator::new(&text);
        for diagnostic in &reading.diagnostics {
            diagnostic.render("mutated", &locator);
        }
        detect(&text);
        accepted += usize::from(reading.is_accepted());
        // What could be read can be printed and read again.
        if let Ok(printed) = print_script(&pool, &reading.script, &PrintOptions::new(dialect)) {
            let again = read_script(&mut pool, &printed.bytes, &options);
            let kinds = |reading: &ParsedScript| -> Vec<CommandKind> {
                let kinds = reading.script.commands.iter().map(|command| command.kind.clone());
                kinds.filter(|kind| !matches!(kind, CommandKind::SetInfo(_))).collect()
            };
            if reading.is_accepted() && printed.notes.is_empty() {
                assert_eq!(kinds(&reading), kinds(&again), "{}", String::from_utf8_lossy(&text));
            }
        }
        read_model(&mut pool, &reading.script, &text, dialect);
    }
    assert!(accepted > 100, "{accepted}");
}

/// What a text is made of, and the text of a size.
type Construct = (&'static str, fn(usize) -> String);

/// Texts that grow with a number, each of one construct.
fn constructs() -> Vec<Construct> {
    vec![
        ("nested not", |n| format!("(assert {})", nest("(not ", "true", ")", n))),
        ("the same deep term twice but for its inside", |n| {
            let [x, y] = ["true", "false"].map(|inner| nest("(not ", inner, ")", n));
            format!("(assert {x})\n(assert {y})\n(assert {x})\n")
        }),
        ("deep terms with a long tail", |n| {
            let [x, y] = ["1", "2"].map(|inner| nest("(+ ", inner, " 1234567890)", n));
            format!("(assert (= {x} {y}))\n(assert (= {y} {x}))\n")
        }),
        ("nested let", |n| format!("(assert {})", nest("(let ((x true)) ", "x", ")", n))),
        ("let with distinct names", |n| {
            let lets = each(n, |i| format!("(let ((x{i} true)) "));
            format!("(assert {lets}x0{})", ")".repeat(n))
        }),
        ("let with many bindings", |n| {
            format!("(assert (let ({}) x0))", each(n, |i| format!("(x{i} true)")))
        }),
        ("nested quantifiers of one name", |n| {
            format!("(assert {})", nest("(forall ((x Int)) ", "(= x 1)", ")", n / 5))
        }),
        ("nested quantifiers of distinct names", |n| {
            let n = n / 5;
            let heads = each(n, |i| format!("(forall ((x{i} Int)) "));
            format!("(assert {heads}(= x0 x{}){})", n - 1, ")".repeat(n))
        }),
        ("nested quantifiers with let and sharing", |n| {
            let n = n / 5;
            let heads = each(n, |i| format!("(forall ((x{i} Int)) "));
            format!("(assert {heads}(let ((y (+ x0 1))) (= y y (* y y))){})", ")".repeat(n))
        }),
        ("quantifiers of distinct names after each other", |n| {
            each(n / 2, |i| format!("(assert (forall ((x{i} Int)) (= x{i} 1)))\n"))
        }),
        ("quantifiers in one assertion", |n| {
            format!(
                "(assert (and {}))",
                each(n / 2, |i| format!("(exists ((x{i} Int)) (= x{i} {i}))"))
            )
        }),
        ("a quantifier with many variables", |n| {
            let n = n / 2;
            format!(
                "(assert (forall ({}) (= {})))",
                each(n, |i| format!("(x{i} Int)")),
                each(n, |i| format!(" x{i}"))
            )
        }),
        ("quantifiers of many shapes", |n| {
            each(n / 20, |i| {
                let patterns = each(12, |bit| {
                    if i >> bit & 1 == 1 { " :pattern (x x)" } else { " :pattern (x)" }.to_owned()
                });
                format!("(assert (forall ((x Int)) (! (= x 1){patterns})))\n")
            })
        }),
        ("annotations", |n| format!("(assert {})", nest("(! ", "true", " :a b)", n))),
        ("names inside one assertion", |n| {
            format!("(assert (and {}))", each(n / 4, |i| format!("(! (= {i} 1) :named n{i})")))
        }),
        ("declarations", |n| each(n, |i| format!("(declare-fun x{i} (Int) Int)\n"))),
        ("definitions", |n| {
            each(n / 2, |i| format!("(define-fun x{i} ((y Int)) Int (+ y {i}))\n"))
        }),
        ("recursive definitions", |n| {
            each(n / 2, |i| format!("(define-fun-rec x{i} ((y Int)) Int (x{i} (+ y {i})))\n"))
        }),
        ("recursive definitions of one name", |n| {
            let define = |i| format!("(define-fun-rec f ((n Int)) Int (f (- n {i})))");
            each(n / 4, |i| format!("(push 1){}(assert (= (f 1) 1))(pop 1)\n", define(i)))
        }),
        ("recursive definitions together", |n| {
            let n = n / 4;
            let heads = each(n, |i| format!("(x{i} ((y Int)) Int)"));
            format!("(define-funs-rec ({heads}) ({}))", each(n, |i| format!("(x{i} (+ y {i}))")))
        }),
        ("definitions with many parameters", |n| {
            let n = n / 2;
            format!(
                "(define-fun f ({}) Int (+ {}))",
                each(n, |i| format!("(x{i} Int)")),
                each(n, |i| format!(" x{i}"))
            )
        }),
        ("levels", |n| "(push 1)".repeat(n) + &"(pop 1)".repeat(n)),
        ("levels with declarations", |n| {
            each(n / 4, |i| {
                format!("(push 1)(declare-const x{i} Int)(assert (= x{i} {i}))(pop 1)\n")
            })
        }),
        ("long arguments", |n| format!("(assert (and {}))", "true ".repeat(n))),
        ("a long get-value", |n| format!("(get-value ({}))", each(n, |i| format!("{i} ")))),
        ("unknown symbols", |n| format!("(assert (and {}))", "what ".repeat(n))),
        ("unknown functions", |n| format!("(assert (and {}))", "(what 1) ".repeat(n))),
        ("legacy names", |n| "(assert (str.in.re \"\" (str.to.re \"\")))\n".repeat(n / 4)),
        ("legacy escapes", |n| each(n / 2, |i| format!("(assert (= \"\\x41{i}\" \"\\8{i}\"))\n"))),
        ("redeclared names", |n| {
            format!("(declare-const x Int){}", "(declare-const x Int)".repeat(n))
        }),
        ("sorts", |n| {
            each(n / 2, |i| format!("(define-sort S{i} () Int)(declare-const x{i} S{i})"))
        }),
        ("assertions with let", |n| {
            each(n / 4, |i| format!("(assert (let ((y (+ {i} 1))) (= y (* y y))))\n"))
        }),
        ("renamed variables", |n| {
            format!(
                "(declare-const x Bool)(assert (let ((k x)) (and {})))",
                "(forall ((x Bool)) (or x k)) ".repeat(n / 4)
            )
        }),
        ("captured variables, nested", |n| {
            let n = n / 20;
            let heads = each(n, |i| format!("(forall ((x Bool)) (let ((y{i} x)) "));
            format!("(assert {heads}(and {}){})", each(n, |i| format!("y{i} ")), "))".repeat(n))
        }),
        ("a long literal", |n| format!("(assert (= \"{}\" \"\"))", "\\u{41}\"\"".repeat(n))),
        ("many literals", |n| each(n / 2, |i| format!("(assert (= \"a{i}\" \"\"))"))),
        ("many numerals", |n| each(n / 2, |i| format!("(assert (= {i} 1))"))),
        ("garbage", |n| "(foo bar) baz ) ( ".repeat(n / 4)),
        ("a loop of lets that share", |n| {
            let n = n / 4;
            let lets = each(n, |i| format!("(let ((x{} (+ x{i} x{i}))) ", i + 1));
            format!("(declare-const x0 Int)(assert {lets}(= x{n} 1){})", ")".repeat(n))
        }),
    ]
}

fn seconds(text: &str) -> f64 {
    let mut best = f64::MAX;
    for _ in 0..2 {
        let begin = thread_time();
        exercise(text.as_bytes());
        best = best.min((thread_time() - begin).as_secs_f64());
    }
    best
}

/// Twice the text takes about twice the time. Four times is allowed, and short times are not
/// compared: machines are busy.
#[test]
fn no_construct_takes_quadratic_time() {
    for (name, text) in constructs() {
        let n = 8_000;
        let once = seconds(&text(n));
        let fourfold = seconds(&text(4 * n));
        if std::env::var_os("SHOW_TIMES").is_some() {
            println!("{name}: {once:.3} s, fourfold {fourfold:.3} s, {:.1}", fourfold / once);
        }
        assert!(
            fourfold < 0.3 || fourfold < 9.0 * once,
            "{name}: {once:.3} s for {n}, {fourfold:.3} s for {}",
            4 * n
        );
    }
}
