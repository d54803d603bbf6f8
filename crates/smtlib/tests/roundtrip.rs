//! Printing and reading back: the same terms, or the same up to the names of bound variables.

use crate::support;

use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::{
    CommandKind, Dialect, Mode, Note, PrintOptions, ReadOptions, Script, print_script, print_term,
    read_script,
};
use luthier_terms::{TermId, TermPool};
use support::alpha::{same_script, same_term};
use support::generate::Generator;
use support::{accept, read};

/// How many random scripts each property is tried on.
const SCRIPTS: u64 = 400;

/// What the printed text is to say.
fn check(pool: &mut TermPool, script: &Script, dialect: Dialect, width: Option<usize>) -> bool {
    let options = PrintOptions { dialect, width };
    let printed = match print_script(pool, script, &options) {
        Ok(printed) => printed,
        Err(_) => return false,
    };
    let text = String::from_utf8_lossy(&printed.bytes).into_owned();
    assert_eq!(print_script(pool, script, &options).unwrap(), printed, "not deterministic");
    let again = accept(pool, &printed.bytes, dialect).script;
    assert_eq!(print_script(pool, script, &options).unwrap(), printed, "depends on the past");
    if printed.notes.iter().any(|note| matches!(note, Note::Rewritten(_))) {
        return true;
    }
    assert!(same_script(pool, script, &again), "{dialect}: another meaning\n{text}");
    if !printed.notes.contains(&Note::RenamedVariable) {
        let kinds = |script: &Script| -> Vec<CommandKind> {
            let kinds = script.commands.iter().map(|command| command.kind.clone());
            kinds.filter(|kind| !matches!(kind, CommandKind::SetInfo(_))).collect()
        };
        assert_eq!(kinds(script), kinds(&again), "{dialect}: other terms\n{text}");
    }
    true
}

fn with_lets(script: &Script, uses_let: bool) -> Script {
    let mut script = script.clone();
    for command in &mut script.commands {
        if let CommandKind::Assert(assertion) = &mut command.kind {
            assertion.uses_let = uses_let;
        }
    }
    script
}

#[test]
fn random_scripts_read_back_the_same_in_every_dialect_and_layout() {
    let mut expressed = 0;
    for seed in 0..SCRIPTS {
        let mut generator = Generator::new(seed);
        generator.unicode = seed % 2 == 0;
        let text = generator.script();
        let mut pool = TermPool::new();
        let script = accept(&mut pool, &text, Dialect::Smt27).script;
        for uses_let in [false, true] {
            let script = with_lets(&script, uses_let);
            for width in [None, Some(20), Some(80)] {
                assert!(check(&mut pool, &script, Dialect::Smt27, width), "seed {seed}");
            }
            for dialect in Dialect::ALL {
                expressed += usize::from(check(&mut pool, &script, dialect, None));
            }
        }
    }
    // Most scripts can be said in most dialects.
    assert!(expressed > SCRIPTS as usize * 8, "{expressed}");
}

#[test]
fn the_strict_reader_accepts_what_is_printed() {
    for seed in 1000..1000 + SCRIPTS {
        let text = Generator::new(seed).script();
        let mut pool = TermPool::new();
        let script = accept(&mut pool, &text, Dialect::Smt27).script;
        for uses_let in [false, true] {
            let script = with_lets(&script, uses_let);
            let options = PrintOptions { dialect: Dialect::Smt27, width: Some(60) };
            let printed = print_script(&pool, &script, &options).unwrap();
            let strict = ReadOptions { dialect: None, mode: Mode::Strict };
            let reading = read_script(&mut pool, &printed.bytes, &strict);
            let errors: Vec<_> = reading.errors().collect();
            let text = String::from_utf8_lossy(&printed.bytes);
            assert!(errors.is_empty(), "seed {seed}: {errors:#?}\n{text}");
            assert_eq!(reading.detection.dialect, Dialect::Smt27, "seed {seed}");
        }
    }
}

#[test]
fn a_printed_script_is_printed_the_same_again() {
    for seed in 2000..2000 + SCRIPTS / 2 {
        let text = Generator::new(seed).script();
        let print = |text: &[u8]| {
            let mut pool = TermPool::new();
            let script = accept(&mut pool, text, Dialect::Smt27).script;
            print_script(&pool, &script, &PrintOptions::new(Dialect::Smt27)).unwrap().bytes
        };
        let once = print(&text);
        let twice = print(&once);
        let thrice = print(&twice);
        assert_eq!(String::from_utf8_lossy(&twice), String::from_utf8_lossy(&thrice), "{seed}");
    }
}

fn assertions(script: &Script) -> Vec<TermId> {
    let terms = script.commands.iter().filter_map(|command| match &command.kind {
        CommandKind::Assert(assertion) => Some(assertion.term),
        _ => None,
    });
    terms.collect()
}

/// Reads assertions, says which of them are true, prints them (with and without `let`), and says
/// that again.
#[track_caller]
fn check_truth(declarations: &str, cases: &[(&str, bool)]) {
    for dialect in Dialect::ALL {
        for &(formula, expected) in cases {
            let mut pool = TermPool::new();
            let text = format!("{declarations}\n(assert {formula})");
            let script = accept(&mut pool, text.as_bytes(), dialect).script;
            let original = assertions(&script)[0];
            assert_eq!(truth(&pool, original), Some(expected), "as read: {formula}");
            for uses_let in [false, true] {
                let script = with_lets(&script, uses_let);
                let printed = print_script(&pool, &script, &PrintOptions::new(dialect)).unwrap();
                let again = accept(&mut pool, &printed.bytes, dialect).script;
                let again = assertions(&again)[0];
                let text = String::from_utf8_lossy(&printed.bytes).into_owned();
                assert_eq!(truth(&pool, again), Some(expected), "{dialect}: {formula}\n{text}");
                assert!(same_term(&pool, original, again, &mut Vec::new()), "{formula}\n{text}");
            }
        }
    }
}

fn truth(pool: &TermPool, term: TermId) -> Option<bool> {
    Evaluator::new(pool, &Model::default()).evaluate(term).as_bool()
}

#[test]
fn let_does_not_capture_variables() {
    check_truth(
        "",
        &[
            // y is the outer x.
            ("(forall ((x Bool)) (let ((y x)) (exists ((x Bool)) (= x (not y)))))", true),
            ("(exists ((x Bool)) (let ((y x)) (forall ((x Bool)) (= x y))))", false),
            // x is hidden by a let before it is bound again.
            (
                "(forall ((x Bool)) (let ((y x)) (let ((x true)) (exists ((x Bool)) (= x (not y))))))",
                true,
            ),
            // The inner x is the outer one again, by a let, when x is bound a third time.
            (
                "(forall ((x Bool)) (let ((y x)) (exists ((x Bool))
                   (let ((z x) (x y)) (forall ((x Bool)) (= (= x z) (= x y)))))))",
                true,
            ),
            (
                "(forall ((x Bool)) (let ((y x)) (exists ((x Bool))
                   (let ((z x) (x y)) (exists ((x Bool)) (and (= x (not z)) (= z (not y))))))))",
                true,
            ),
            // let is parallel.
            ("(let ((x true) (y false)) (let ((x y) (y x)) (and y (not x))))", true),
            // A closed formula from outside is used below a binder of the same name.
            (
                "(let ((p (exists ((x Bool)) (and x (or x (not x)) (= (or x x) (or x x))))))
                   (forall ((x Bool)) (and p (or x (not x)) (= (or x x) x))))",
                true,
            ),
            (
                "(let ((p (forall ((x Bool)) (or (and x x) (and x x)))))
                   (exists ((x Bool)) (and (= p (and x x)) (not (and x x)))))",
                true,
            ),
        ],
    );
}

#[test]
fn variables_do_not_hide_functions_or_operators_of_their_name() {
    let declarations = "(define-fun c () Bool true)\n(define-fun f ((p Bool)) Bool (not p))";
    check_truth(
        declarations,
        &[
            ("(let ((k c)) (forall ((c Bool)) (=> c k)))", true),
            ("(let ((k c)) (exists ((c Bool)) (and (not c) k)))", true),
            ("(let ((k (f true))) (forall ((f Bool)) (=> k f)))", true),
            ("(let ((k (and c true))) (exists ((and Bool)) (= k (not and))))", true),
            ("(forall ((and Bool) (or Bool)) (=> (not and) (=> and or)))", true),
            ("(let ((k (not c))) (exists ((not Bool)) (= k not)))", true),
        ],
    );
    // Parameters of a definition, too.
    check_truth(
        "(define-fun c () Bool true)
         (define-fun d ((y Bool)) Bool (let ((k c)) (let ((c2 y)) (exists ((c Bool)) (and (= c (not k)) c2)))))
         (define-fun e ((x Bool)) Bool (let ((y x)) (let ((x true)) (exists ((x Bool)) (= x (not y))))))",
        &[("(d true)", true), ("(d false)", false), ("(and (e true) (e false))", true)],
    );
}

#[test]
fn hidden_parameters_and_made_up_names_keep_apart() {
    // The printer renames x, and x!1 exists already.
    check_truth(
        "(define-fun x () Bool true)\n(define-fun x!1 () Bool false)\n(define-fun _let_1 () Bool false)",
        &[
            ("(let ((k x) (l x!1)) (forall ((x Bool)) (or x k l)))", true),
            ("(let ((k x) (l x!1)) (forall ((x Bool) (x!1 Bool)) (= (and k x) (or l x))))", true),
            (
                "(let ((k (or _let_1 x))) (and k (= k (or k k)) (= (or k k) (or k k)) (not _let_1)))",
                true,
            ),
        ],
    );
}

#[test]
fn sharing_is_not_moved_out_of_a_binder_that_binds_its_variable_again() {
    // Built by hand: forall x. (exists x. (and (not x) (or (not x) p))) with the very same x.
    let mut pool = TermPool::new();
    let text = "(assert (forall ((x Bool)) (and (or (not x) (not x)) (or (not x) x))))
        (assert (let ((p (exists ((x Bool)) (and (not x) (= (not x) (not x))))))
          (forall ((x Bool)) (or p (not x) (and (not x) x)))))";
    let script = accept(&mut pool, text.as_bytes(), Dialect::Smt27).script;
    let script = with_lets(&script, true);
    let printed = print_script(&pool, &script, &PrintOptions::new(Dialect::Smt27)).unwrap();
    let again = accept(&mut pool, &printed.bytes, Dialect::Smt27).script;
    for (left, right) in assertions(&script).into_iter().zip(assertions(&again)) {
        let text = String::from_utf8_lossy(&printed.bytes).into_owned();
        assert!(same_term(&pool, left, right, &mut Vec::new()), "{text}");
        assert_eq!(truth(&pool, left), truth(&pool, right), "{text}");
    }
}

#[test]
fn names_that_exist_keep_their_form() {
    let text = "(declare-const |let| Int)\n(declare-const |a b| Int)\n(declare-const || Int)\n\
        (declare-const |assert| Int)\n(declare-const |x| Int)\n(declare-const |1| Int)\n\
        (assert (= |let| |a b| || |assert| x |1|))\n";
    let mut pool = TermPool::new();
    let script = accept(&mut pool, text.as_bytes(), Dialect::Smt26).script;
    let printed = print_script(&pool, &script, &PrintOptions::new(Dialect::Z3)).unwrap();
    assert_eq!(String::from_utf8(printed.bytes).unwrap(), text.replace("|x|", "x"));
}

#[test]
fn a_name_inside_an_assertion_is_printed_once() {
    let text = "(declare-const p Bool)
        (assert (let ((q (! (or p p) :named a))) (and q q)))
        (define-fun f () Bool (let ((q (! (or p p p) :named b))) (and q q)))
        (get-value ((let ((q (! (or p p p p) :named c))) (and q q))))
        (check-sat-assuming (a c))";
    let mut pool = TermPool::new();
    let script = accept(&mut pool, text.as_bytes(), Dialect::Smt26).script;
    let printed =
        print_script(&pool, &with_lets(&script, false), &PrintOptions::new(Dialect::Smt26));
    let printed = printed.unwrap().bytes;
    let strict = ReadOptions { dialect: Some(Dialect::Smt26), mode: Mode::Strict };
    let again = read_script(&mut pool, &printed, &strict);
    assert!(again.is_accepted(), "{}", String::from_utf8_lossy(&printed));
    assert!(same_script(&pool, &script, &again.script));
}

#[test]
fn a_term_is_printed_alone_as_in_a_script() {
    let mut pool = TermPool::new();
    let text = "(assert (forall ((x Bool)) (let ((y x)) (exists ((x Bool)) (= x y)))))";
    let script = accept(&mut pool, text.as_bytes(), Dialect::Smt26).script;
    let printed = print_term(&pool, assertions(&script)[0], &PrintOptions::new(Dialect::Smt26));
    let expected = "(forall ((x Bool)) (exists ((x!1 Bool)) (= x!1 x)))";
    assert_eq!(String::from_utf8(printed.unwrap().bytes).unwrap(), expected);
}

#[test]
fn printing_does_not_depend_on_what_the_pool_holds_besides() {
    let text = "(declare-const x Int) (assert (let ((y (+ x 1))) (= y (* y y))))";
    let mut small = TermPool::new();
    let script = accept(&mut small, text.as_bytes(), Dialect::Smt26).script;
    let expected = print_script(&small, &script, &PrintOptions::new(Dialect::Smt26)).unwrap();
    let mut large = TermPool::new();
    let other = "(declare-const _let_1 Int) (declare-const _let__2 Int) (declare-const x!1 Int)";
    read(&mut large, other.as_bytes(), Dialect::Smt26);
    let script = accept(&mut large, text.as_bytes(), Dialect::Smt26).script;
    assert_eq!(
        print_script(&large, &script, &PrintOptions::new(Dialect::Smt26)).unwrap(),
        expected
    );
}
