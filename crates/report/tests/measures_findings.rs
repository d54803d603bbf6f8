//! Features and findings, computed by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{check_close, cpu, results};
use luthier_records::Verdict;
use luthier_report::View;
use luthier_report::measures::{FindingKind, by_answer, features, findings};

#[test]
fn features_are_as_computed_by_hand() {
    let results = results(
        "| a | b
         s/1 sat   re.+,str.len | sat 1           | sat 2
         s/2 sat   str.len      | unsat 1         | timeout
         s/3 unsat str.len      | unknown         | framework-error
         s/4 unsat -            | unsat 3         |
         s/5 unsat ?            | unsat 1         | unsat 1",
    );
    let table = features(&View::all(&results));
    assert_eq!((table.known, table.unknown), (4, 1));
    let names: Vec<_> = table
        .rows
        .iter()
        .map(|row| (results.features[row.feature].as_str(), row.entries))
        .collect();
    assert_eq!(names, [("re.+", 1), ("str.len", 3)]);
    let [plus, length] = table.rows.as_slice() else { panic!("two features") };
    let a = &length.cells[0];
    assert_eq!((a.instances, a.solved, a.wrong, a.timeout, a.unknown), (3, 1, 1, 0, 1));
    // 1 + 20 + 20.
    assert_eq!(a.par2, cpu(41.0));
    check_close(a.par2_mean().unwrap(), 41.0 / 3.0);
    // a solved 2 of the 4 entries of known features: (1 / 3) / (2 / 4).
    check_close(a.lift(&table.overall[0]).unwrap(), 2.0 / 3.0);
    check_close(plus.cells[0].lift(&table.overall[0]).unwrap(), 2.0);
    let b = &length.cells[1];
    assert_eq!((b.instances, b.solved, b.timeout), (2, 1, 1));
    // (1 / 2) / (1 / 2).
    check_close(b.lift(&table.overall[1]).unwrap(), 1.0);
    assert_eq!(table.by_use()[0].entries, 3);
}

#[test]
fn a_solver_that_solved_nothing_has_no_lift() {
    let results = results("| a\n s/1 sat str.len | timeout");
    let table = features(&View::all(&results));
    assert_eq!(table.rows[0].cells[0].lift(&table.overall[0]), None);
    let nobody = features(&View::all(&results).with_solvers(Vec::new()));
    assert_eq!((nobody.rows[0].entries, nobody.rows[0].cells.len()), (1, 0));
}

const FINDINGS: &str = "
    | a | b
    s/1 sat   -                                  | unsat 1, sat 1, unsat 2 | crash, crash
    s/2 sat   -                                  | sat 1 invalid           | sat 1 valid doubted
    s/3 unsat -                                  | unsat 1 invalid-core    | unsat 1 disputed-core
    t/3 unsat -                                  | unsat 1                 | sat 1
    s/4 -     - conflict=solvers                 | sat 1 disputed          | unsat 1 disputed
    s/5 -     - conflict=status-against-agreement | sat 1 disputed         | sat 1
    s/6 sat   - conflict=status-against-model    | sat 1                   |
    s/7 -     - conflict=planted-against-model   |                         |
    s/8 sat   - conflict=planted-against-status  | timeout wrong           | framework-error
    s/9 -     - conflict=label-against-agreement | unknown                 | sat 1 disputed
    t/1 sat   - conflict=label-against-model conflict=planted-against-label | sat 1 |
    t/2 -     - conflict=labels                  | unknown                 |
";

#[test]
fn findings_are_counted_by_kind_and_solver() {
    let results = results(FINDINGS);
    let found = findings(&View::all(&results), 100);
    let counts: Vec<(&str, u64, u64, u64)> = FindingKind::observed()
        .map(|kind| {
            (kind.name(), found.count(kind), found.count_of(kind, 0), found.count_of(kind, 1))
        })
        .collect();
    let expected = [
        ("planted-against-model", 1, 0, 0),
        // 1, once for both repetitions, and 8, where it was said before the limit.
        ("wrong-unsat", 2, 2, 0),
        ("wrong-sat", 1, 0, 1),
        ("invalid-model", 1, 1, 0),
        ("invalid-core", 1, 1, 0),
        ("wrong-label", 1, 0, 0),
        ("wrong-status", 1, 0, 0),
        ("doubtful-label", 1, 0, 1),
        ("doubtful-status", 1, 1, 0),
        ("contradictory-labels", 1, 0, 0),
        // One entry, two solvers.
        ("disputed", 1, 1, 1),
        ("disputed-core", 1, 0, 1),
        ("different-opinion", 1, 0, 1),
        ("planted-against-status", 1, 0, 0),
        ("crash", 1, 0, 1),
    ];
    assert_eq!(counts, expected);
    let kinds: Vec<FindingKind> = found.list.iter().map(|finding| finding.kind).collect();
    assert!(kinds.is_sorted() && kinds.len() == 16);
    let wrong = found.of_kind(FindingKind::WrongUnsat).next().unwrap();
    // The first of the runs that show it.
    assert_eq!((wrong.entry, wrong.solver, wrong.run), (0, Some(0), Some(1)));
    assert_eq!((wrong.query, wrong.runs, wrong.said), (0, 2, Some(Verdict::Unsat)));
    let dispute = found.of_kind(FindingKind::Disputed).next().unwrap();
    assert_eq!((dispute.solver, dispute.run), (None, None));
    assert_eq!(dispute.sides(&results), [vec![0], vec![1]]);
    assert_eq!(wrong.sides(&results), [const { Vec::<usize>::new() }; 2]);
    for kind in FindingKind::ALL {
        assert_eq!(FindingKind::from_name(kind.name()), Some(kind));
        let is_bad = [
            "planted-against-model",
            "wrong-unsat",
            "wrong-sat",
            "invalid-model",
            "wrong-value",
            "invalid-core",
            "wrong-rewrite",
            "contradiction",
        ];
        assert_eq!(kind.is_wrong(), is_bad.contains(&kind.name()));
    }
}

#[test]
fn a_limit_shortens_the_list_of_each_kind_and_no_count() {
    let results = results(FINDINGS);
    let found = findings(&View::all(&results), 1);
    assert_eq!(found.count(FindingKind::WrongUnsat), 2);
    assert_eq!(found.of_kind(FindingKind::WrongUnsat).count(), 1);
    assert_eq!(found.list.len(), 15);
    assert!(findings(&View::all(&results), 0).list.is_empty());
}

#[test]
fn only_solvers_of_the_view_are_found() {
    let results = results(FINDINGS);
    let found = findings(&View::all(&results).with_solvers(vec![1]), 100);
    assert_eq!(found.count(FindingKind::WrongUnsat), 0);
    assert_eq!(found.count(FindingKind::Crash), 1);
    assert_eq!(found.count(FindingKind::Disputed), 1);
    assert_eq!(found.count(FindingKind::DoubtfulStatus), 0);
}

#[test]
fn what_was_solved_of_each_answer_is_as_computed_by_hand() {
    let results = results(
        "| a | b
         s/1 sat   - | sat 1           | sat 2 invalid
         s/2 sat   - | unsat 1         | timeout
         s/3 unsat - | unknown         | unsat 1
         s/4 sat   - | sat 1           |
         s/5 sat   - | sat 1           | framework-error
         s/6 -     - | sat 1           | sat 1
         t/1 sat   - | sat 3           | sat 1, sat 2, unsat 1",
    );
    let rows = by_answer(&View::all(&results), Verdict::Sat);
    // 4 was not run by both, 5 failed by our fault, 6 has no known answer.
    let counts: Vec<_> = rows.iter().map(|row| (row.set, row.instances)).collect();
    assert_eq!(counts, [(0, 2), (1, 1)]);
    let cells = |row: usize| {
        let cells = rows[row].cells.iter();
        let invalid = FindingKind::InvalidModel;
        cells.map(|one| (one.solved, one.wrong(), one.count(invalid))).collect::<Vec<_>>()
    };
    assert_eq!(cells(0), [(1, 1, 0), (0, 0, 1)], "an invalid model solves nothing");
    // Of several runs a wrong one counts.
    assert_eq!(cells(1), [(1, 0, 0), (0, 1, 0)]);
    assert_eq!(rows[0].cells[0].cpu, cpu(2.0));
    let rows = by_answer(&View::all(&results), Verdict::Unsat);
    assert_eq!((rows.len(), rows[0].cells[0].solved, rows[0].cells[1].solved), (1, 0, 1));
}
