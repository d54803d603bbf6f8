//! The suite `small` from outside: the same on any number of threads, resumed exactly, printed as the
//! printer prints, with witnesses that the judge accepts.

use std::num::NonZeroUsize;

use luthier_generator::small::{Settings, SmallFormulas};
use luthier_generator::{Case, Category, Expected};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, planted_witness};
use luthier_semantics::{Evaluator, Model};
use luthier_smtlib::{Dialect, Mode, PrintOptions, ReadOptions, Script, print_script, read_script};
use luthier_terms::{Op, PostOrder, Term, TermId, TermPool};

fn formulas(seed: u64, start: u64, variants: usize, threads: usize) -> SmallFormulas {
    let threads = NonZeroUsize::new(threads).unwrap();
    SmallFormulas::new(Settings { seed, start, variants, threads, bounded: false })
}

#[test]
fn any_number_of_threads_gives_the_same_cases() {
    let cases = |threads| formulas(3, 0, 1, threads).take(700).collect::<Vec<Case>>();
    assert_eq!(cases(1), cases(4));
    assert_eq!(cases(1), cases(3));
}

#[test]
fn an_enumeration_goes_on_where_it_was_stopped() {
    let whole: Vec<Case> = formulas(0, 0, 0, 2).take(3_000).collect();
    for stopped in [1, 63, 1_000] {
        let next = whole[stopped - 1].number + 1;
        let rest: Vec<Case> = formulas(0, next, 0, 1).take(500).collect();
        assert_eq!(rest, whole[stopped..stopped + 500]);
    }
    assert!(whole.windows(2).all(|pair| pair[0].number < pair[1].number));
}

#[test]
fn other_seeds_give_the_same_sizes_in_another_order() {
    let names = |seed| formulas(seed, 0, 0, 1).take(50).map(|case| case.formulas[0].text.clone());
    assert!(names(0).ne(names(1)));
}

#[test]
fn texts_are_those_of_the_printer_and_witnesses_are_valid() {
    let (mut sat, mut open) = (0, 0);
    for start in [0, 5_000_000] {
        for case in formulas(0, start, 0, 1).take(1_500) {
            let formula = &case.formulas[0];
            assert_eq!(formula.category, Category::Small);
            let mut pool = TermPool::new();
            let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
            let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
            assert_eq!(reading.diagnostics.len(), 0, "{}\n{:?}", formula.text, reading.diagnostics);
            let options = PrintOptions::new(Dialect::Smt26);
            let printed = print_script(&pool, &reading.script, &options).unwrap();
            assert_eq!(String::from_utf8(printed.bytes).unwrap(), formula.text);
            match &formula.expected {
                Expected::Sat(_) => {
                    sat += 1;
                    let witness = planted_witness(&pool, &reading.script, 0).unwrap();
                    let options = CheckOptions::default();
                    let check =
                        check_model(&mut pool, &reading.script, witness.as_bytes(), &options);
                    let outcome = check.unwrap().outcome;
                    assert!(matches!(outcome, CheckOutcome::Valid), "{}", formula.text);
                }
                Expected::Open => open += 1,
                Expected::Unsat(_) => panic!("a guessed answer: {}", formula.text),
            }
        }
    }
    assert!(sat > 1_000 && open > 200, "{sat} satisfiable, {open} open");
}

/// Both answers, the unsatisfiable ones checked by evaluating the whole script under every assignment.
#[test]
fn finite_domains_decide_formulas() {
    let threads = NonZeroUsize::MIN;
    let settings = Settings { seed: 4, start: 3_000, variants: 0, threads, bounded: true };
    let (mut sat, mut unsat) = (0, 0);
    for case in SmallFormulas::new(settings).take(1_200) {
        let formula = &case.formulas[0];
        assert_eq!(formula.category, Category::SmallBounded);
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        assert_eq!(reading.diagnostics.len(), 0, "{}", formula.text);
        match &formula.expected {
            Expected::Sat(_) => {
                sat += 1;
                let witness = planted_witness(&pool, &reading.script, 0).unwrap();
                let check = check_model(
                    &mut pool,
                    &reading.script,
                    witness.as_bytes(),
                    &CheckOptions::default(),
                );
                assert!(matches!(check.unwrap().outcome, CheckOutcome::Valid), "{}", formula.text);
            }
            Expected::Unsat(core) => {
                unsat += 1;
                assert!(core.is_empty());
                assert!(formula.text.contains("(set-info :luthier-expected unsat)"));
                assert!(!has_model_in_domains(&mut pool, &reading.script), "{}", formula.text);
            }
            Expected::Open => {}
        }
    }
    assert!(sat > 400 && unsat > 200, "{sat} satisfiable, {unsat} unsatisfiable");
}

/// Whether some assignment of the values in equations with literals satisfies all assertions.
fn has_model_in_domains(pool: &mut TermPool, script: &Script) -> bool {
    let query = script.queries().next().unwrap();
    let assertions: Vec<TermId> =
        query.assertions.iter().map(|active| active.assertion.term).collect();
    let constants = script.declared(pool);
    let mut models = vec![Model::new()];
    for &constant in &constants {
        let name = pool.apply(constant, &[]).unwrap();
        let mut values = Vec::new();
        for part in PostOrder::new(pool, assertions.iter().copied()) {
            if let Term::Op(Op::Eq, &[left, right]) = pool.term(part)
                && left == name
            {
                let empty = Model::new();
                let value = Evaluator::new(pool, &empty).evaluate(right);
                values.extend(value.known().cloned());
            }
        }
        assert!(!values.is_empty());
        models = models
            .iter()
            .flat_map(|model| {
                values.iter().map(move |value| {
                    let mut model = model.clone();
                    model.insert_value(constant, value.clone());
                    model
                })
            })
            .collect();
    }
    models.iter().any(|model| {
        let mut evaluator = Evaluator::new(pool, model);
        assertions.iter().all(|&assertion| evaluator.evaluate(assertion).is_true())
    })
}
