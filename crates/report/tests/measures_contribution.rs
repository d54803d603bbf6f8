//! Contributions and leads, computed by hand.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::common::{check_close, cpu, results};
use luthier_report::View;
use luthier_report::measures::{
    CompetitionKind, Contribution, contributions, largest_contributions, leads,
};

#[test]
fn marginal_contributions_are_what_the_virtual_best_loses() {
    let results = results(
        "| a limit=10 | b limit=20 | c limit=10
         s/1 sat - | sat 1           | sat 3   | sat 1
         s/2 sat - | sat 4           | timeout | unsat 1
         s/3 sat - | timeout         | sat 5   |
         s/4 sat - |                 | sat 2   |
         s/5 sat - | timeout         | timeout | timeout
         s/6 sat - | framework-error |         | ",
    );
    let all = contributions(&View::all(&results));
    // 1: a in 1 s. 2: a in 4 s. 3: b in 5 s. 4: b in 2 s. 5: nobody; of equal classes the faster run,
    // that of a, costs 20 s. 6 has no scored run.
    assert_eq!((all.instances, all.solved, all.par2), (5, 4, cpu(32.0)));
    let expected = [
        // Without a: 1 costs 1 s through c. On 2 the best of the others is the timeout of b, since c is
        // wrong: 40 s instead of 4. 5 falls to c, and costs as much.
        Contribution { solver: 0, best_on: 2, solved: 1, par2: 36.0 },
        // Without b: on 3 a pays 20 s instead of 5. On 4 nobody is left: twice 20 s instead of 2.
        Contribution { solver: 1, best_on: 2, solved: 2, par2: 15.0 + 38.0 },
        // c is as fast as a on 1, but comes after it, and then nothing is lost without it.
        Contribution { solver: 2, best_on: 0, solved: 0, par2: 0.0 },
    ];
    assert_eq!(all.solvers, expected);
}

const LEADS: &str = "
    | a                | b                | c
    s/1 sat   - | sat 1 wall=2     | sat 2            | sat 4
    s/2 sat   - | sat 1 wall=3     | sat 5            | timeout
    s/3 sat   - | sat 1            | timeout          | timeout
    t/1 unsat - | timeout          | unsat 3 wall=4   | unsat 4
    t/2 unsat - | timeout          | unsat 2          | unsat 3
    u/1 sat   - | sat 1            | unsat 1          | sat 1
";

#[test]
fn leads_are_those_of_the_winners_of_sets() {
    let results = results(LEADS);
    let (list, whole) = leads(&View::all(&results), CompetitionKind::Parallel);
    let winners: Vec<_> = list.iter().map(|lead| (lead.set, lead.winner, lead.second)).collect();
    // s: a has 3, b 2: 4 / 3. t: b and c have 2: 3 / 3; wall times 4 + 2 and 4 + 3: 8 / 7. u: a and c
    // are equal: 2 / 2 and 2 / 2.
    assert_eq!(winners, [(Some(0), 0, 1), (Some(1), 1, 2), (Some(2), 0, 2)]);
    check_close(list[0].correctness, 4.0 / 3.0);
    // Wall times: a 2 + 3 + 1, b 2 + 5.
    check_close(list[0].time, 8.0 / 7.0);
    check_close(list[1].correctness, 1.0);
    check_close(list[1].time, 8.0 / 7.0);
    assert_eq!(list.iter().map(|lead| lead.is_tie).collect::<Vec<_>>(), [false, false, true]);
    // Over all: a has 4, c 4, b 4 and an error. a: 2 + 3 + 1 + 1 = 7 s, c: 4 + 4 + 3 + 1 = 12 s.
    let whole = whole.unwrap();
    assert_eq!((whole.set, whole.winner, whole.second), (None, 0, 2));
    check_close(whole.correctness, 1.0);
    check_close(whole.time, 13.0 / 8.0);
    let (_, sequential) = leads(&View::all(&results), CompetitionKind::Sequential);
    // CPU times: a 4 s, c 12 s.
    check_close(sequential.unwrap().time, 13.0 / 5.0);
}

#[test]
fn a_single_solver_leads_nobody() {
    let results = results(LEADS);
    let view = View::all(&results).with_solvers(vec![1]);
    assert_eq!(leads(&view, CompetitionKind::Parallel), (Vec::new(), None));
    assert_eq!(largest_contributions(&view, CompetitionKind::Parallel), Vec::new());
}

#[test]
fn the_largest_contribution_is_normalised_by_the_size_of_the_set() {
    let results = results(LEADS);
    let list = largest_contributions(&View::all(&results), CompetitionKind::Sequential);
    // u has two solvers without errors only, so it is left out. s has 3 entries and t 2, each with three
    // solvers: weights 9 / 15 and 6 / 15.
    assert_eq!(list.len(), 6);
    // s: all three solve 3 entries; 3 is solved by a alone.
    assert_eq!((list[0].set, list[0].solver), (0, 0));
    check_close(list[0].correctness, 1.0 / 3.0 * 0.6);
    // CPU: 1 + 1 + 1 with a; without a 2 + 5 + 10 = 17.
    check_close(list[0].cpu, (1.0 - 3.0 / 17.0) * 0.6);
    // Wall: 2 + 3 + 1 with all (on 1 as fast as b, and so nothing is lost there); without a
    // 2 + 5 + 20 = 27: the wall limit is 20 s.
    check_close(list[0].wall, (1.0 - 6.0 / 27.0) * 0.6);
    // t: nobody is alone; b is faster: 3 + 2, without it 4 + 3.
    assert_eq!((list[1].set, list[1].solver), (1, 1));
    check_close(list[1].correctness, 0.0);
    check_close(list[1].cpu, (1.0 - 5.0 / 7.0) * 0.4);
    // The others contribute nothing.
    assert!(list[2..].iter().all(|one| one.correctness == 0.0 && one.cpu == 0.0));
}
