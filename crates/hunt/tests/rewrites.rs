//! The rewriter oracle with a simulated solver: a shell script that prints terms back, some of them
//! changed.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use luthier_ask::{ConfigurationSpec, Solver};
use luthier_generator::Case;
use luthier_hunt::{CaseTruth, Event, Finding, RewriteSettings, Settings, Summary, hunt};
use luthier_records::FindingKind;
use luthier_runner::releases::{Cache, Catalogue, Releases};

/// Prints each term back, or as a goal; what it does with some operators is FAULTS.
const SOLVER: &str = r#"#!/bin/sh
for file; do :; done
[ "$file" = --version ] && echo "Z3 version 5.4.0" && exit
rewrite() {
    out=$term
    case "$term" in
        FAULTS
    esac
}
while read -r line; do
    case "$line" in
        '(simplify '*)
            term=${line#(simplify }; term=${term%)}
            case "$term" in *' :'*) term=${term%% :*} ;; esac
            rewrite
            [ -n "$out" ] && printf '%s\n' "$out" ;;
        '(assert '*) term=${line#(assert }; term=${term%)}; rewrite ;;
        '(apply '*)
            case "$out" in
                '(error'*) printf '%s\n' "$out" ;;
                ?*) printf '(goals\n(goal\n%s\n:precision precise :depth 1)\n)\n' "$out" ;;
            esac ;;
        '(check-sat)') echo unknown ;;
        '(echo '*) text=${line#(echo \"}; echo "${text%\")}" ;;
    esac
done < "$file"
"#;

fn solver(folder: &Path, faults: &str) -> Solver {
    let program = folder.join("solver");
    fs::write(&program, SOLVER.replace("FAULTS", faults)).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let releases = Releases {
        catalogue: Catalogue::built_in().unwrap(),
        cache: Cache::at(folder.join("cache")),
        luthier: "luthier".into(),
    };
    let spec = ConfigurationSpec::parse(&format!("z3={}", program.display())).unwrap();
    Solver::find(&spec, None, &releases).unwrap()
}

fn run(faults: &str, terms: u64, jobs: usize) -> (Summary, Vec<Finding>) {
    let folder = tempfile::tempdir().unwrap();
    let solvers = [solver(folder.path(), faults)];
    let rewrites = Some(RewriteSettings { seed: 5, terms: 0 });
    let settings = Settings { jobs, batch: 200, rewrites, ..Settings::default() };
    let cases = (0..terms).map(|number| Case { number, formulas: Vec::new() });
    let mut found = Vec::new();
    let summary = hunt(&solvers, cases, &settings, &|| false, &mut |event| match event {
        Event::Finding(finding) => found.push(finding.clone()),
        Event::Fault { message, .. } => panic!("{message}"),
        Event::Progress(_) | Event::Unconfirmed(_) => {}
    });
    (summary.unwrap(), found)
}

#[test]
fn a_solver_that_changes_nothing_is_right() {
    let (summary, found) = run("'nothing') ;;", 2000, 1);
    let tally = &summary.solvers[0].rewrites;
    assert_eq!(found, []);
    assert!(tally.asked > 1000 && tally.read_back == tally.asked, "{tally:?}");
    assert_eq!((tally.compared, tally.differences), (tally.asked, 0), "{tally:?}");
    assert_eq!(summary.cases, 2000);
}

#[test]
fn a_wrong_rule_is_found_and_shrunk_to_the_rule() {
    // The first and the last character are confused.
    let fault = r#"'(str.prefixof '*) out="(str.suffixof ${term#(str.prefixof }" ;;"#;
    let (summary, found) = run(fault, 1200, 2);
    assert!(summary.solvers[0].rewrites.differences > 0, "{summary:?}");
    assert_eq!(summary.solvers[0].unconfirmed(), 0);
    assert!(!found.is_empty());
    for finding in &found {
        assert_eq!((finding.class, finding.operation), (FindingKind::WrongRewrite, "str.prefixof"));
        let term = finding.reasons[0].strip_prefix("term: ").unwrap();
        assert_eq!(term.matches('(').count(), 1, "{finding:?}");
        assert!(finding.reasons[1].starts_with("rewritten to: (str.suffixof "), "{finding:?}");
        assert_ne!(
            finding.reasons[3].rsplit(' ').next(),
            finding.reasons[4].rsplit(' ').next(),
            "{finding:?}"
        );
        assert!(matches!(finding.truth, CaseTruth::Witness(_)));
        let copy = String::from_utf8(finding.copy.clone()).unwrap();
        let commands = [format!("(simplify {term}"), format!("(assert {term})\n(apply ")];
        assert!(commands.iter().any(|command| copy.contains(command)), "{copy}");
        assert!(finding.text.contains("(check-sat)"), "{finding:?}");
    }
    // The same terms give the same findings, whatever the number of workers.
    let copies = |found: &[Finding]| -> Vec<(String, Vec<u8>)> {
        found.iter().map(|one| (one.text.clone(), one.copy.clone())).collect()
    };
    assert_eq!(copies(&run(fault, 1200, 1).1), copies(&found));
}

#[test]
fn what_cannot_be_read_is_counted_with_its_reason() {
    let faults = r#"*str.replace_all*) out="(mystery $term)" ;;
        *str.to_code*) out='(error "not today")' ;;
        *str.is_digit*) kill -SEGV $$ ;;
        *str.from_code*) out='x)) (get-value (y' ;;
        *str.to_int*) out= ;;"#;
    let (summary, found) = run(faults, 600, 1);
    assert_eq!(found, []);
    let tally = &summary.solvers[0].rewrites;
    let reasons: Vec<&str> = tally.unreadable.keys().map(String::as_str).collect();
    assert!(reasons.iter().any(|one| one.contains("mystery")), "{reasons:?}");
    assert!(reasons.contains(&"nothing is printed"), "{reasons:?}");
    assert!(tally.refused > 0, "{tally:?}");
    assert!(tally.unanswered.keys().any(|one| one.contains("SIGSEGV")), "{tally:?}");
    let unreadable: u64 = tally.unreadable.values().sum();
    let unanswered: u64 = tally.unanswered.values().sum();
    assert_eq!(tally.asked, tally.read_back + unreadable + tally.refused + unanswered);
}

#[test]
fn a_wrong_value_only_where_the_theory_has_none_is_no_difference() {
    // Division by zero has any value: nothing is said about it.
    let fault = r#"'(div '*' 0)'|'(mod '*' 0)') out=17 ;;"#;
    let (summary, found) = run(fault, 600, 1);
    assert_eq!((found, summary.solvers[0].rewrites.differences), (Vec::new(), 0));
}
