//! Hunts with a simulated solver, a shell script whose replies depend on words in the assertions.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use luthier_ask::{ConfigurationSpec, Solver};
use luthier_generator::{Case, Category, Expected, Formula};
use luthier_hunt::{CaseTruth, Event, Finding, Settings, Summary, hunt};
use luthier_records::FindingKind;
use luthier_runner::releases::{Cache, Catalogue, Releases};

/// Answers by the last word that an assertion has, and forgets it at a reset or a pop. In models
/// `x` is the word itself, which is right if it is asserted to be.
const SOLVER: &str = r#"#!/bin/sh
for file; do :; done
[ "$file" = --version ] && echo "Z3 version VERSION" && exit
answer=sat; model='(define-fun x () String "good")'; core='(a b)'
while read -r line; do
    case "$line" in
        '(reset'*|'(pop'*) answer=sat; model='(define-fun x () String "good")'; core='(a b)'; values= ;;
        *assert*bad-value*) model='(define-fun x () String "a")'
            values='((x "a") ((str.++ x "bad-value") "nonsense"))' ;;
        *assert*fine-value*) model=; values='((x "a") ((str.++ x "fine-value") "afine-value"))' ;;
        *assert*half-value*) model=; values='((x "b") ((str.++ x "half-value") "bhalf-value"))' ;;
        *assert*odd-value*) model='(define-fun x () String "a")'; values='((x "a"))' ;;
        *assert*wrong-unsat*) answer=unsat ;;
        *assert*wrong-sat*) answer=sat; model='(define-fun x () String "wrong-sat")' ;;
        *assert*bad-model*) model='(define-fun x () String "nonsense")' ;;
        *assert*half-model*) model='' ;;
        *assert*bad-core*) answer=unsat; core='(a)' ;;
        *assert*odd-core*) answer=unsat; core='(a b other)' ;;
        *assert*fine-core*) answer=unsat ;;
        *assert*flip*) answer=unsat ;;
        *assert*flop*) answer=sat; model='' ;;
        *assert*crash*) kill -SEGV $$ ;;
        *assert*hang*) while :; do :; done ;;
        *assert*refuse*) echo '(error "refused")'; exit 1 ;;
        *assert*skip*) echo '(error "line 3 column 4: skipped")' ;;
        *assert*quit*) exit 0 ;;
        *assert*dunno*) answer=unknown ;;
        *assert*nested*) [ "$pushed" = yes ] && answer=unsat ;;
        '(push'*) pushed=yes ;;
        *assert*second*) [ "$asked" = yes ] && answer=unsat ;;
        '(check-sat'*) echo "$answer"; asked=yes ;;
        '(get-model)') [ $answer = sat ] && echo "($model)" ;;
        '(get-value'*) [ $answer = sat ] && echo "$values" ;;
        '(get-unsat-core)') [ $answer = unsat ] && echo "$core" ;;
        '(echo '*) text=${line#(echo \"}; echo "${text%\")}" ;;
    esac
done < "$file"
"#;

/// A solver of a version, which decides about its dialect and so about how it is asked.
fn target(folder: &Path, version: &str) -> Solver {
    let program = folder.join(format!("solver-{version}"));
    fs::write(&program, SOLVER.replace("VERSION", version)).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let releases = Releases {
        catalogue: Catalogue::built_in().unwrap(),
        cache: Cache::at(folder.join("cache")),
        luthier: "luthier".into(),
    };
    let spec = ConfigurationSpec::parse(&format!("z3={}", program.display())).unwrap();
    Solver::find(&spec, None, &releases).unwrap()
}

fn formula(name: &str, expected: Expected, body: &str) -> Formula {
    Formula {
        name: name.to_owned(),
        category: Category::Planted,
        operation: "str.len",
        expected,
        derivation: "by hand".to_owned(),
        text: format!("(set-logic QF_SLIA)\n{body}(check-sat)\n"),
    }
}

/// `x` is the word: satisfiable.
fn planted_sat(word: &str) -> Formula {
    let body = format!("(declare-const x String)\n(assert (= x \"{word}\"))\n");
    let witness = vec![("x".to_owned(), "String", format!("\"{word}\""))];
    formula(word, Expected::Sat(witness), &body)
}

/// `x` is the word and is not: unsatisfiable.
fn planted_unsat(word: &str) -> Formula {
    let body = format!(
        "(declare-const x String)\n(assert (! (= x \"{word}\") :named a))\n\
         (assert (! (not (= x \"{word}\")) :named b))\n"
    );
    formula(word, Expected::Unsat(vec!["a".to_owned(), "b".to_owned()]), &body)
}

fn open(word: &str) -> Formula {
    Formula { expected: Expected::Open, ..planted_sat(word) }
}

fn cases(formulas: Vec<Vec<Formula>>) -> Vec<Case> {
    let numbered = formulas.into_iter().enumerate();
    numbered.map(|(number, formulas)| Case { number: number as u64, formulas }).collect()
}

fn settings() -> Settings {
    Settings {
        jobs: 1,
        timeout: Duration::from_millis(400),
        query_limit: Duration::from_millis(100),
        ..Settings::default()
    }
}

fn run(targets: &[Solver], cases: Vec<Case>, settings: &Settings) -> (Summary, Vec<Finding>) {
    let mut found = Vec::new();
    let summary = hunt(targets, cases.into_iter(), settings, &|| false, &mut |event| match event {
        Event::Finding(finding) => found.push(finding.clone()),
        Event::Fault { message, .. } => panic!("{message}"),
        Event::Progress(_) | Event::Unconfirmed(_) => {}
    });
    (summary.unwrap(), found)
}

fn names(found: &[Finding]) -> Vec<(FindingKind, &str)> {
    let mut names: Vec<_> = found.iter().map(|one| (one.class, one.formula.as_str())).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_class_is_found_and_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    // The first reads between scopes, the second between resets of the assertions.
    for version in ["4.8.5", "5.4.0"] {
        let target = target(folder.path(), version);
        let ground = "(assert (= \"dunno\" \"dunno\"))\n";
        let formulas = vec![
            vec![planted_sat("good")],
            vec![planted_sat("crash")],
            vec![planted_sat("wrong-unsat")],
            vec![planted_sat("skip")],
            vec![planted_unsat("wrong-sat")],
            vec![planted_sat("bad-model")],
            vec![planted_sat("half-model")],
            vec![planted_sat("refuse")],
            vec![planted_sat("hang")],
            vec![planted_sat("quit")],
            vec![planted_unsat("fine-core")],
            vec![formula("dunno", Expected::Sat(Vec::new()), ground)],
            vec![planted_sat("dunno x")],
            vec![hard("flip"), hard("flop")],
            vec![open("wrong-unsat"), open("good")],
            vec![planted_sat("crash last")],
        ];
        let (summary, found) = run(&[target], cases(formulas), &settings());
        use FindingKind::*;
        assert_eq!(
            names(&found),
            [
                (WrongUnsat, "wrong-unsat"),
                (WrongUnsat, "wrong-unsat"),
                (WrongSat, "wrong-sat"),
                (InvalidModel, "bad-model"),
                (Contradiction, "flip"),
                (Crash, "crash"),
                (Crash, "crash last"),
                (Crash, "quit"),
                (Incomplete, "dunno"),
                (Slow, "hang"),
            ],
            "{version}"
        );
        assert!(summary.has_solver_error());
        let tally = &summary.solvers[0];
        assert_eq!((summary.formulas, tally.asked), (18, 18), "{tally:?}");
        assert_eq!((tally.unsupported, tally.unknown), (2, 2), "{tally:?}");
        assert_eq!((tally.unconfirmed(), tally.similar, tally.faults), (0, 0, 0), "{tally:?}");
    }
}

#[test]
fn a_finding_has_its_ground_truth_its_reason_and_its_reproduction() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let solver = target.name.clone();
    let formulas = vec![vec![open("wrong-unsat"), open("good")], vec![planted_sat("bad-model")]];
    let (_, found) = run(&[target], cases(formulas), &settings());
    let by_model = found.iter().find(|one| one.class == FindingKind::WrongUnsat).unwrap();
    let CaseTruth::Model { solver: finder, formula, model } = &by_model.truth else {
        panic!("{by_model:?}")
    };
    assert_eq!((finder, formula.as_str()), (&solver, "good"));
    assert!(model.contains("\"good\""), "{model}");
    let invalid = found.iter().find(|one| one.class == FindingKind::InvalidModel).unwrap();
    assert_eq!(invalid.truth.answer(), "sat");
    assert_eq!(invalid.reasons[0], "assertion 1 is false:");
    assert!(invalid.reasons.iter().any(|line| line.contains("nonsense")), "{invalid:?}");
    assert!(invalid.said.starts_with("sat, model ("), "{invalid:?}");
    let copy = String::from_utf8(invalid.copy.clone()).unwrap();
    assert!(copy.contains("(get-model)") && copy.contains("produce-models"), "{copy}");
    assert!(invalid.command.last().unwrap().contains("{file}"), "{invalid:?}");
}

#[test]
fn cores_are_requested_in_some_batches_and_compared_with_the_planted_one() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    // One case for each batch, and every fifth asks for cores.
    let settings = Settings { batch: 1, most: 100, ..settings() };
    let words = ["bad-core", "odd-core", "fine-core"];
    let formulas = (0..60).map(|number| vec![planted_unsat(words[number / 20])]).collect();
    let (summary, found) = run(&[target], cases(formulas), &settings);
    let lacking = found.iter().filter(|one| one.formula == "bad-core").count();
    assert_eq!((lacking, found.len()), (4, 8), "{:?}", names(&found));
    assert!(found.iter().all(|one| one.class == FindingKind::InvalidCore));
    assert!(found.iter().any(|one| one.reasons[0].contains("it lacks `b`")), "{found:?}");
    assert!(found.iter().any(|one| one.reasons[0].contains("not asserted: `other`")), "{found:?}");
    assert_eq!(summary.solvers[0].unsat, 60);
}

/// `x` with the word behind it: satisfiable, with a subterm to ask about.
fn with_subterm(word: &str) -> Formula {
    let assertion = format!("(assert (= (str.++ x \"{word}\") \"a{word}\"))\n");
    let witness = vec![("x".to_owned(), "String", "\"a\"".to_owned())];
    formula(word, Expected::Sat(witness), &format!("(declare-const x String)\n{assertion}"))
}

#[test]
fn values_of_constants_and_subterms_are_compared_with_the_referee() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let words = ["bad-value", "fine-value", "half-value", "odd-value"];
    let formulas = words.map(|word| vec![with_subterm(word)]).into();
    let (summary, found) = run(&[target], cases(formulas), &settings());
    use FindingKind::WrongValue;
    assert_eq!(names(&found), [(WrongValue, "bad-value"), (WrongValue, "half-value")]);
    assert_eq!(summary.solvers[0].unconfirmed(), 0);
    let reasons = |name: &str| &found.iter().find(|one| one.formula == name).unwrap().reasons;
    let expected =
        "(str.++ x \"bad-value\") is \"abad-value\", not \"nonsense\" as the solver says";
    assert_eq!(reasons("bad-value"), &[expected]);
    // The model is empty, and the values that complete it do not satisfy the formula.
    assert_eq!(reasons("half-value")[0], "assertion 1 is false:");
    let copy = String::from_utf8_lossy(&found[0].copy).into_owned();
    assert!(copy.contains("(get-value (x (str.++ x "), "{copy}");
}

#[test]
fn values_that_satisfy_an_open_formula_are_its_ground_truth() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let fine = Formula { expected: Expected::Open, ..with_subterm("fine-value") };
    let (_, found) = run(&[target], cases(vec![vec![open("wrong-unsat"), fine]]), &settings());
    assert_eq!(names(&found), [(FindingKind::WrongUnsat, "wrong-unsat")]);
    let CaseTruth::Model { model, .. } = &found[0].truth else { panic!("{found:?}") };
    assert!(model.contains("(x \"a\")"), "{model}");
}

#[test]
fn a_bounded_search_decides_open_formulas_that_a_solver_calls_unsat() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let (_, found) =
        run(&[target], cases(vec![vec![open("wrong-unsat")], vec![open("good")]]), &settings());
    assert_eq!(names(&found), [(FindingKind::WrongUnsat, "wrong-unsat")]);
    let CaseTruth::Searched(model) = &found[0].truth else { panic!("{found:?}") };
    assert_eq!(model, "((define-fun x () String \"wrong-unsat\"))");
}

/// A formula that has no model, so that the bounded search does not decide it.
fn hard(word: &str) -> Formula {
    let body = format!(
        "(declare-const x String)\n(declare-const y String)\n(assert (= x \"{word}\"))\n\
         (assert (not (= (str.++ x y) (str.++ x y \"\"))))\n"
    );
    formula(word, Expected::Open, &body)
}

#[test]
fn two_solvers_that_disagree_are_a_dispute_and_a_proof_of_our_own_decides_it() {
    let folder = tempfile::tempdir().unwrap();
    let one = target(folder.path(), "5.4.0");
    let other = target(folder.path(), "4.13.4");
    // They answer by their version: the word `differ` is unsat for one of them.
    let program = folder.path().join("solver-5.4.0");
    let text = fs::read_to_string(&program).unwrap();
    fs::write(&program, text.replace("*assert*flip*)", "*assert*flip*|*assert*differ*)")).unwrap();
    let program = folder.path().join("solver-4.13.4");
    let text = fs::read_to_string(&program).unwrap();
    fs::write(&program, text.replace("*assert*flop*)", "*assert*flop*|*assert*differ*)")).unwrap();
    let solvers = [one, other];
    let (summary, found) = run(&solvers, cases(vec![vec![hard("differ")]]), &settings());
    assert_eq!(names(&found), [(FindingKind::Disputed, "differ")]);
    assert_eq!(found[0].solver, solvers[0].name);
    assert!(found[0].reasons.iter().any(|reason| reason.ends_with(" answers sat")), "{found:?}");
    assert!(!summary.has_solver_error(), "nothing is certain");
    // Another solver in the place of ours: its `unsat` is taken for a proof.
    let own = Some(solvers[0].clone());
    let settings = Settings { own, ..settings() };
    let (_, found) = run(&solvers, cases(vec![vec![hard("differ")]]), &settings);
    assert_eq!(names(&found), [(FindingKind::WrongSat, "differ")]);
    assert_eq!(found[0].solver, solvers[1].name);
    assert_eq!(found[0].truth, CaseTruth::Proven(solvers[0].name.clone()));
}

#[test]
fn of_the_option_sets_of_a_release_one_is_asked_in_each_batch() {
    let folder = tempfile::tempdir().unwrap();
    let base = target(folder.path(), "5.4.0");
    let documented = base.with_option_sets(false).unwrap();
    let all = base.with_option_sets(true).unwrap();
    assert!(!documented.is_empty() && documented.len() < all.len());
    assert!(documented.iter().all(|one| !one.has_expert_options()));
    let solvers: Vec<Solver> = std::iter::once(base).chain(all).collect();
    let rotating = vec![(1..solvers.len()).collect()];
    let settings = Settings { rotating, batch: 1, most: 100, ..settings() };
    let count = (solvers.len() - 1) * 2;
    let formulas = (0..count).map(|_| vec![planted_sat("wrong-unsat")]).collect();
    let (summary, found) = run(&solvers, cases(formulas), &settings);
    let asked: Vec<u64> = summary.solvers.iter().map(|tally| tally.asked).collect();
    assert_eq!(asked[0], count as u64);
    assert!(asked[1..].iter().all(|one| *one == 2), "{asked:?}");
    let expert = found.iter().find(|one| one.expert_options).unwrap();
    assert_eq!(expert.solver, format!("{}+{}", solvers[0].name, expert.option_sets[0]));
    assert!(found.iter().any(|one| one.option_sets.is_empty()));
}

/// All batches as sessions.
fn in_sessions() -> Settings {
    Settings { sessions: 2, batch: 1, most: 100, ..settings() }
}

#[test]
fn an_error_of_a_session_is_found_and_is_a_plain_script_where_that_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let numbered = |word: &str, number: usize| {
        let formula = planted_sat(&format!("{word}{number}"));
        vec![formula]
    };
    let formulas = (0..40).map(|number| numbered("nested", number)).collect();
    let (summary, found) = run(std::slice::from_ref(&target), cases(formulas), &in_sessions());
    assert!(summary.solvers[0].queries > 60, "{summary:?}");
    let sessions: Vec<&Finding> =
        found.iter().filter(|one| one.formula.ends_with("-session")).collect();
    assert!(!sessions.is_empty(), "{:?} {summary:?}", names(&found));
    for finding in sessions {
        assert_eq!((finding.class, finding.incremental_only), (FindingKind::WrongUnsat, true));
        assert!(finding.text.contains("(push 1)"), "{}", finding.text);
        assert!(finding.said.starts_with("query "), "{}", finding.said);
        // It ends with the query that shows it.
        let last = finding.text.trim_end().lines().last().unwrap();
        assert!(last.starts_with("(check-sat") || last.starts_with("(get-"), "{}", finding.text);
        assert!(!String::from_utf8_lossy(&finding.copy).contains("echo"));
    }
    let formulas = (0..6).map(|number| numbered("wrong-unsat", number)).collect();
    let (_, found) = run(&[target], cases(formulas), &in_sessions());
    let plain: Vec<&Finding> =
        found.iter().filter(|one| one.formula.contains("-session-")).collect();
    assert!(!plain.is_empty(), "{:?}", names(&found));
    for finding in plain {
        assert!(!finding.incremental_only && !finding.text.contains("(push"), "{}", finding.text);
    }
}

#[test]
fn a_session_counts_up_to_its_first_error_and_a_right_one_gives_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    for word in ["good", "skip", "dunno x"] {
        let formulas = (0..12).map(|_| vec![planted_sat(word)]).collect();
        let (summary, found) = run(std::slice::from_ref(&target), cases(formulas), &in_sessions());
        assert_eq!(names(&found), [], "{word}");
        assert_eq!((summary.solvers[0].unconfirmed(), summary.unreadable), (0, 0), "{word}");
    }
}

#[test]
fn an_error_in_incremental_mode_only_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "4.8.5");
    let (_, found) = run(&[target], cases(vec![vec![planted_sat("nested")]]), &settings());
    assert_eq!(names(&found), [(FindingKind::WrongUnsat, "nested")]);
    assert!(found[0].incremental_only);
    assert!(String::from_utf8_lossy(&found[0].copy).contains("(push 1)"));
}

#[test]
fn a_wrong_answer_that_needs_other_formulas_leaves_the_input_that_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let cases = cases(vec![vec![planted_sat("good")], vec![planted_sat("second")]]);
    let mut traces = Vec::new();
    let mut observer = |event: Event<'_>| match event {
        Event::Unconfirmed(trace) => traces.push(trace.clone()),
        Event::Finding(finding) => panic!("{finding:?}"),
        Event::Fault { message, .. } => panic!("{message}"),
        Event::Progress(_) => {}
    };
    let targets = [target];
    let summary = hunt(&targets, cases.into_iter(), &settings(), &|| false, &mut observer);
    let summary = summary.unwrap();
    assert_eq!(summary.solvers[0].unconfirmed.get(&FindingKind::WrongUnsat), Some(&1));
    let [trace] = &traces[..] else { panic!("{traces:?}") };
    assert_eq!((trace.class, trace.formula.as_str()), (FindingKind::WrongUnsat, "second"));
    assert_eq!(trace.said, "unsat");
    let [process] = &trace.processes[..] else { panic!("{trace:?}") };
    let script = String::from_utf8_lossy(&process.transcript.script);
    assert!(script.contains("\"good\"") && script.contains("\"second\""), "{script}");
    assert!(String::from_utf8_lossy(&process.transcript.output).contains("unsat"));
    assert!(process.is_same_again(), "the fault is in the state, so it shows again");
}

#[test]
fn after_enough_of_a_kind_the_others_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let settings = Settings { most: 3, batch: 2, jobs: 2, ..settings() };
    let formulas = (0..20).map(|_| vec![planted_sat("wrong-unsat")]).collect();
    let (summary, found) = run(&[target], cases(formulas), &settings);
    assert_eq!(found.len(), 3);
    assert_eq!((summary.solvers[0].similar, summary.solvers[0].unconfirmed()), (17, 0));
    assert_eq!(summary.found(FindingKind::WrongUnsat), 3);
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let targets = [target(folder.path(), "5.4.0"), target(folder.path(), "4.8.5")];
    let words =
        ["good", "wrong-unsat", "crash", "bad-model", "quit", "refuse", "good", "dunno x", "skip"];
    let make = || {
        let words = words.iter().cycle().take(90).enumerate();
        let formulas = words.map(|(number, word)| {
            let name = format!("{word} {number}");
            vec![Formula { name, ..planted_sat(word) }]
        });
        cases(formulas.collect())
    };
    let told = |jobs| {
        let settings = Settings { jobs, batch: 7, most: 4, ..settings() };
        let (mut summary, found) = run(&targets, make(), &settings);
        summary.elapsed = Duration::ZERO;
        summary.solvers.iter_mut().for_each(|tally| tally.cpu = Duration::ZERO);
        (summary, found)
    };
    let (one, four) = (told(1), told(4));
    assert!(!one.1.is_empty());
    assert_eq!(one, four);
}

#[test]
fn a_hunt_ends_at_its_count_at_its_time_or_when_it_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let targets = [target(folder.path(), "5.4.0")];
    let endless = || (0..).map(|number| Case { number, formulas: vec![planted_sat("good")] });
    let counted = Settings { count: Some(10), batch: 4, ..settings() };
    let summary = hunt(&targets, endless(), &counted, &|| false, &mut |_| {}).unwrap();
    assert_eq!((summary.cases, summary.stopped), (10, false));
    let timed = Settings { time: Some(Duration::from_millis(1)), batch: 4, ..settings() };
    let summary = hunt(&targets, endless(), &timed, &|| false, &mut |_| {}).unwrap();
    assert!(summary.stopped);
    let summary = hunt(&targets, endless(), &settings(), &|| true, &mut |_| {}).unwrap();
    assert!(summary.stopped);
}

#[test]
fn a_model_of_a_formula_planted_as_unsat_is_a_fault_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let target = target(folder.path(), "5.4.0");
    let wrong = Formula { expected: Expected::Unsat(Vec::new()), ..planted_sat("good") };
    let (summary, found) = run(&[target], cases(vec![vec![wrong]]), &settings());
    assert_eq!(names(&found), [(FindingKind::PlantedAgainstModel, "good")]);
    assert!(!summary.has_solver_error());
}

#[test]
fn a_formula_that_cannot_be_read_is_reported_and_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let targets = [target(folder.path(), "5.4.0")];
    let broken = formula("broken", Expected::Open, "(assert (= y 1))\n");
    let mut messages = Vec::new();
    let cases = cases(vec![vec![broken], vec![planted_sat("good")]]);
    let summary = hunt(&targets, cases.into_iter(), &settings(), &|| false, &mut |event| {
        if let Event::Fault { message, .. } = event {
            messages.push(message.to_owned());
        }
    });
    let summary = summary.unwrap();
    assert_eq!((summary.unreadable, summary.formulas, summary.solvers[0].sat), (1, 1, 1));
    assert!(messages[0].contains("broken cannot be read"), "{messages:?}");
}
