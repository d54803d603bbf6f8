//! Unbounded suites: the same for any number of threads, with right planted answers, guided by
//! coverage.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use luthier_generator::coverage::Coverage;
use luthier_generator::stream::{Settings, Source, Stream};
use luthier_generator::{Case, Category, Expected};
use luthier_judge::{CheckOptions, CheckOutcome, check_model, expectations, planted_witness};
use luthier_records::Verdict;
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_terms::TermPool;

fn stream(seed: u64, variants: usize, threads: usize) -> Stream {
    let threads = NonZeroUsize::new(threads).unwrap();
    Stream::new(Settings { variants, threads, ..Settings::new(seed, Source::ALL.to_vec()) })
}

fn cases(seed: u64, threads: usize, count: usize) -> Vec<Case> {
    stream(seed, 2, threads).take(count).collect()
}

#[test]
fn one_and_eight_threads_give_the_same_cases_and_another_seed_gives_others() {
    let one = cases(7, 1, 300);
    assert_eq!(one, cases(7, 8, 300));
    assert_eq!(one, cases(7, 3, 300));
    assert_ne!(one, cases(8, 1, 300));
}

/// What the texts say about themselves is what the formulas say, and witnesses are accepted.
#[test]
fn the_planted_answers_of_every_case_are_right() {
    let mut names = BTreeSet::new();
    let mut categories = BTreeMap::<Category, usize>::new();
    let mut variants = 0;
    for case in cases(3, 2, 1_000) {
        *categories.entry(case.formulas[0].category).or_default() += 1;
        variants += case.formulas.len() - 1;
        for formula in &case.formulas {
            assert!(names.insert(formula.name.clone()), "{} comes twice", formula.name);
            let mut pool = TermPool::new();
            let options = ReadOptions { dialect: None, mode: Mode::Strict };
            let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
            assert_eq!(reading.diagnostics.len(), 0, "{}\n{:?}", formula.text, reading.diagnostics);
            let said = expectations(&pool, &reading.script);
            assert!(said.problems.is_empty(), "{}\n{:?}", formula.text, said.problems);
            let [query] = &said.queries[..] else { panic!("one query: {}", formula.text) };
            match &formula.expected {
                Expected::Sat(_) => {
                    assert_eq!(query.planted, Some(Verdict::Sat), "{}", formula.text);
                    let witness = planted_witness(&pool, &reading.script, 0).unwrap();
                    let check = check_model(
                        &mut pool,
                        &reading.script,
                        witness.as_bytes(),
                        &CheckOptions::default(),
                    );
                    let outcome = check.unwrap().outcome;
                    assert!(
                        matches!(outcome, CheckOutcome::Valid),
                        "{}\n{outcome:?}",
                        formula.text
                    );
                }
                Expected::Unsat(core) => {
                    assert_eq!(query.planted, Some(Verdict::Unsat), "{}", formula.text);
                    let planted = query.planted_core.as_deref().unwrap_or_default();
                    let planted: Vec<String> = planted.iter().map(ToString::to_string).collect();
                    assert_eq!(&planted, core, "{}", formula.text);
                }
                Expected::Open => assert_eq!(query.planted, None, "{}", formula.text),
            }
        }
    }
    assert!(categories.values().all(|count| *count > 100), "{categories:?}");
    assert_eq!(categories.len(), Source::ALL.len());
    assert!(variants > 400, "{variants} variants");
}

#[test]
fn coverage_grows_while_formulas_are_made() {
    use Source::{Bounded, Laws, Planted, Random, Tangled};
    // Enumerations are not counted.
    let mut stream = Stream::new(Settings::new(1, vec![Planted, Tangled, Bounded, Laws, Random]));
    let mut after = |count: usize| {
        assert_eq!(stream.by_ref().take(count).count(), count);
        stream.coverage().covered()
    };
    let (early, late) = (after(100), after(1_400));
    assert!(early > 300 && early < late, "{early}, then {late}");
    assert!(late * 10 > Coverage::total() * 8, "{late} of {}", Coverage::total());
}
