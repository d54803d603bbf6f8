//! The profile of an operator: where a solver evaluates it wrongly, and how many faults that are.
//!
//! The solver is asked about the operator on a grid of small arguments, and on the applications that
//! failures led to. Each probe is right or wrong, and in some corner cases of the operator
//! (`luthier_generator::coverage`). Then
//!
//! * **terms**: conjunctions of at most three corner cases such that every probe in all of them is wrong,
//!   chosen greedily until they cover all wrong probes;
//! * **regions**: terms of one fault. A fault such as "an offset at the end or beyond" needs several terms,
//!   which touch: most of the wrong probes of one have a wrong neighbour in the other. Neighbours differ in one
//!   argument, integers by one, strings by one edit. Wrong probes that no term tells from right ones show that
//!   the corner cases do not describe the fault (a wrong order of characters, say), and are one region.
//!
//! A region is one likely bug. Two bugs in adjacent corner cases of one operator are one region, and one bug
//! in two corner cases that do not touch is two. Operators over regular expressions have no grid: all
//! their wrong applications are one region.

use luthier_generator::coverage::corners;
use luthier_semantics::Value;
use luthier_terms::{BigInt, CodePoint, Op, Shape, SmtString, Sort, TermId, TermPool};

use super::application::{Application, Ground, wrong_facts};
use super::claim::applied;
use crate::trial::Trial;

/// Corner cases in a term at most.
const LONGEST_TERM: usize = 3;
/// Applications of failures that are probed with the grid.
const MOST_SEEDS: usize = 64;

/// Where a solver evaluates an operator wrongly.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The operator.
    pub op: Op,
    /// The likely faults.
    pub regions: Vec<Region>,
    /// How many probes of the grid there were, and how many of them were wrong.
    pub probes: [usize; 2],
}

/// One likely fault: the corner cases that it shows in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Alternatives, each a conjunction; an empty one stands for all arguments.
    pub terms: Vec<Vec<&'static str>>,
    /// How many probes of the grid are in it, and how many of them were wrong.
    pub probes: [usize; 2],
}

impl Region {
    /// All arguments.
    fn everything() -> Self {
        Self { terms: vec![Vec::new()], probes: [0, 0] }
    }

    /// Whether it is about all arguments.
    pub fn is_everything(&self) -> bool {
        self.terms.iter().any(Vec::is_empty)
    }

    /// Whether an application with these corner cases is in it.
    pub fn includes(&self, corners: &[&'static str]) -> bool {
        self.terms.iter().any(|term| is_met(term, corners))
    }

    /// `empty needle and from the end, or …`.
    pub fn describe(&self) -> String {
        if self.is_everything() {
            return "all arguments".to_owned();
        }
        let terms: Vec<String> = self.terms.iter().map(|term| term.join(" and ")).collect();
        terms.join(", or ")
    }
}

impl Profile {
    /// The region of an application that is answered wrongly.
    pub fn region_of(&self, application: &Application) -> Option<&Region> {
        let corners = application.corners();
        self.regions.iter().find(|region| region.includes(&corners))
    }
}

/// A probe of the grid or an application of a failure.
struct Probe {
    arguments: Vec<Value>,
    corners: Vec<&'static str>,
    is_wrong: bool,
    /// It belongs to the grid.
    of_grid: bool,
}

/// Asks a solver about an operator. `seeds` are applications that it evaluates wrongly.
pub fn profile(op: Op, seeds: &[&Application], trial: &Trial<'_>) -> Profile {
    let mut pool = TermPool::new();
    let grid = grid(&mut pool, op);
    if grid.is_empty() {
        return Profile { op, regions: vec![Region::everything()], probes: [0, 0] };
    }
    let facts: Vec<TermId> = grid.iter().map(|one| one.fact).collect();
    let judged = wrong_facts(&mut pool, &facts, trial);
    let mut probes: Vec<Probe> = Vec::new();
    for (one, judged) in grid.into_iter().zip(judged) {
        let Some(is_wrong) = judged else { continue };
        let corners = one.application.corners();
        let arguments = one.application.arguments;
        probes.push(Probe { arguments, corners, is_wrong, of_grid: true });
    }
    let counts = [probes.len(), probes.iter().filter(|one| one.is_wrong).count()];
    for seed in seeds.iter().take(MOST_SEEDS) {
        let (arguments, corners) = (seed.arguments.clone(), seed.corners());
        probes.push(Probe { arguments, corners, is_wrong: true, of_grid: false });
    }
    Profile { op, regions: regions(op, &probes), probes: counts }
}

/// The likely faults behind the wrong probes.
fn regions(op: Op, probes: &[Probe]) -> Vec<Region> {
    let terms = terms(probes);
    let members = |term: &Vec<&'static str>| -> Vec<&Probe> {
        let wrong = probes.iter().filter(|one| one.is_wrong && one.of_grid);
        wrong.filter(|one| is_met(term, &one.corners)).collect()
    };
    let (exact, inexact): (Vec<_>, Vec<_>) = terms.into_iter().partition(|term| term.is_exact);
    let mut regions: Vec<(Vec<Vec<&'static str>>, Vec<&Probe>)> = Vec::new();
    let inexact: Vec<Vec<&'static str>> = inexact.into_iter().map(|term| term.corners).collect();
    if !inexact.is_empty() {
        let own = inexact.iter().flat_map(&members).collect();
        regions.push((inexact, own));
    }
    for Conjunction { corners: term, .. } in exact {
        let own = members(&term);
        let mut joined = (vec![term], own);
        // A term may join regions that were apart before.
        let mut apart = Vec::new();
        for region in regions {
            if touch(&joined.1, &region.1) {
                joined.0.splice(0..0, region.0);
                joined.1.extend(region.1);
            } else {
                apart.push(region);
            }
        }
        regions = apart;
        regions.push(joined);
    }
    // In the order of the table, so that descriptions do not depend on how often a term is met.
    let place = |corner: &&str| corners(op).iter().position(|one| one == corner);
    let regions = regions.into_iter().map(|(mut terms, _)| {
        terms.sort_by_key(|term| term.iter().map(place).collect::<Vec<_>>());
        let region = Region { terms, probes: [0, 0] };
        let here: Vec<&Probe> =
            probes.iter().filter(|one| one.of_grid && region.includes(&one.corners)).collect();
        let wrong = here.iter().filter(|one| one.is_wrong).count();
        Region { probes: [here.len(), wrong], ..region }
    });
    regions.collect()
}

/// Whether most probes of the smaller set are in the other or next to it.
fn touch(one: &[&Probe], other: &[&Probe]) -> bool {
    let (small, large) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let is_near =
        |probe: &&&Probe| large.iter().any(|near| is_neighbour(&probe.arguments, &near.arguments));
    !small.is_empty() && small.iter().filter(is_near).count() * 2 >= small.len()
}

/// Corner cases that probes are in at the same time.
struct Conjunction {
    corners: Vec<&'static str>,
    /// Every probe in all of them is wrong.
    is_exact: bool,
}

/// Conjunctions of corner cases that all wrong probes and no right ones are in. Probes that cannot be told
/// from right ones are in the conjunction of all their corner cases.
fn terms(probes: &[Probe]) -> Vec<Conjunction> {
    let right: Vec<&Probe> = probes.iter().filter(|one| !one.is_wrong).collect();
    let mut open: Vec<&Probe> = probes.iter().filter(|one| one.is_wrong).collect();
    let mut terms: Vec<Conjunction> = Vec::new();
    while !open.is_empty() {
        let mut candidates: Vec<Vec<&'static str>> = Vec::new();
        for probe in &open {
            for term in conjunctions(&probe.corners) {
                if !candidates.contains(&term) {
                    candidates.push(term);
                }
            }
        }
        candidates.retain(|term| !right.iter().any(|one| is_met(term, &one.corners)));
        let covered =
            |term: &[&'static str]| open.iter().filter(|one| is_met(term, &one.corners)).count();
        // Of equal ones the shortest and first.
        let best = candidates
            .into_iter()
            .rev()
            .max_by_key(|term| (covered(term), std::cmp::Reverse(term.len())));
        let is_exact = best.is_some();
        let corners = best.unwrap_or_else(|| open[0].corners.clone());
        open.retain(|one| !is_met(&corners, &one.corners));
        terms.push(Conjunction { corners, is_exact });
    }
    terms
}

fn is_met(term: &[&'static str], corners: &[&'static str]) -> bool {
    term.iter().all(|corner| corners.contains(corner))
}

/// All sets of at most three corner cases, the empty one first.
fn conjunctions(corners: &[&'static str]) -> Vec<Vec<&'static str>> {
    let mut sets: Vec<Vec<&'static str>> = vec![Vec::new()];
    for &corner in corners {
        let more: Vec<Vec<&'static str>> = sets
            .iter()
            .filter(|set| set.len() < LONGEST_TERM)
            .map(|set| set.iter().copied().chain([corner]).collect())
            .collect();
        sets.extend(more);
    }
    sets
}

/// The same arguments, or one argument differs by one.
fn is_neighbour(one: &[Value], other: &[Value]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut different = one.iter().zip(other).filter(|(one, other)| one != other);
    let near = match different.next() {
        None => true,
        Some((Value::Int(one), Value::Int(other))) => {
            let distance = one - other;
            distance == BigInt::from(1) || distance == BigInt::from(-1)
        }
        Some((Value::String(one), Value::String(other))) => is_one_edit(one, other),
        Some((Value::Bool(_), Value::Bool(_))) => true,
        Some(_) => false,
    };
    near && different.next().is_none()
}

/// Whether one character is inserted, removed or changed.
fn is_one_edit(one: &[CodePoint], other: &[CodePoint]) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let prefix = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    match long.len() - short.len() {
        0 => short.get(prefix + 1..) == long.get(prefix + 1..),
        1 => short[prefix..] == long[prefix + 1..],
        _ => false,
    }
}

/// The applications of the grid; none for operators over regular expressions or arrays.
fn grid(pool: &mut TermPool, op: Op) -> Vec<Ground> {
    let sorts: Vec<Sort> = match op.info().shape {
        Shape::Exact(sorts, _) if op.info().indices == 0 => sorts.to_vec(),
        Shape::Folded(sort, _, _) => vec![sort, sort],
        _ => return Vec::new(),
    };
    let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
    for sort in &sorts {
        let values = values(*sort, sorts.len());
        let longer = tuples.iter().flat_map(|tuple| {
            values.iter().map(move |value| {
                let mut tuple = tuple.clone();
                tuple.push(value.clone());
                tuple
            })
        });
        tuples = longer.collect();
    }
    if sorts.is_empty() {
        return Vec::new();
    }
    tuples.into_iter().filter_map(|tuple| applied(pool, op, tuple)).collect()
}

/// Small values of a sort; more if there are few arguments.
fn values(sort: Sort, arguments: usize) -> Vec<Value> {
    let string = |text: &str| SmtString::from_text(text).map(Value::String);
    let integer = |number: i64| Value::Int(BigInt::from(number));
    match (sort, arguments) {
        (Sort::Bool, _) => vec![Value::Bool(false), Value::Bool(true)],
        (Sort::Int, 1) => {
            let numbers =
                [-2, -1, 0, 1, 2, 9, 10, 11, 47, 48, 57, 58, 97, 127, 128, 196_607, 196_608];
            numbers.into_iter().map(integer).collect()
        }
        (Sort::Int, _) => [-1, 0, 1, 2, 3].into_iter().map(integer).collect(),
        (Sort::String, 1) => {
            let texts = [
                "", "a", "b", "0", "1", "9", "/", ":", "00", "01", "10", "12", "1a", "a1", "ab",
                "007", "\u{e4}", "\u{e4}b",
            ];
            texts.into_iter().filter_map(string).collect()
        }
        (Sort::String, 2) => {
            let texts = ["", "a", "b", "ab", "ba", "aa", "aba", "0"];
            texts.into_iter().filter_map(string).collect()
        }
        (Sort::String, _) => ["", "a", "b", "ab", "aba"].into_iter().filter_map(string).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
mod tests {
    use super::*;

    /// The regions of a solver that is wrong about the applications that `is_wrong` selects.
    fn regions_of(op: Op, is_wrong: impl Fn(&[Value]) -> bool) -> Vec<String> {
        let mut pool = TermPool::new();
        let probe = |one: Ground| {
            let corners = one.application.corners();
            let arguments = one.application.arguments;
            Probe { is_wrong: is_wrong(&arguments), arguments, corners, of_grid: true }
        };
        let probes: Vec<Probe> = grid(&mut pool, op).into_iter().map(probe).collect();
        regions(op, &probes).iter().map(Region::describe).collect()
    }

    fn length(value: &Value) -> BigInt {
        let Value::String(text) = value else { panic!("{value:?}") };
        text.len().into()
    }

    fn integer(value: &Value) -> BigInt {
        let Value::Int(number) = value else { panic!("{value:?}") };
        number.clone()
    }

    #[test]
    fn a_fault_in_two_corner_cases_that_touch_is_one_region() {
        let found = regions_of(Op::StrAt, |one| integer(&one[1]) >= length(&one[0]));
        assert_eq!(found, ["at the end, or beyond"]);
    }

    #[test]
    fn two_faults_of_one_operator_are_two_regions() {
        let is_empty = |value: &Value| length(value) == BigInt::ZERO;
        let found = regions_of(Op::StrIndexOf, |one| {
            let at_end = is_empty(&one[1]) && integer(&one[2]) == length(&one[0]);
            at_end || integer(&one[2]) < BigInt::ZERO
        });
        assert_eq!(found, ["from a negative", "empty needle and from the end"]);
    }

    #[test]
    fn a_fault_that_corner_cases_do_not_describe_is_one_region() {
        let is_digit = |value: &Value| *value == Value::String(SmtString::from_text("0").unwrap());
        let found = regions_of(Op::StrLe, |one| is_digit(&one[0]) != is_digit(&one[1]));
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn an_operator_that_is_always_wrong_has_one_region_for_all_arguments() {
        assert_eq!(regions_of(Op::StrReplaceAll, |_| true), ["all arguments"]);
        assert_eq!(regions_of(Op::StrToInt, |_| false), [""; 0]);
    }

    #[test]
    fn strings_are_neighbours_if_one_character_differs() {
        let edit = |one: &str, other: &str| {
            is_one_edit(&SmtString::from_text(one).unwrap(), &SmtString::from_text(other).unwrap())
        };
        assert!(edit("", "a") && edit("ab", "b") && edit("ab", "aab") && edit("ab", "xb"));
        assert!(!edit("", "ab") && !edit("ab", "ba") && !edit("abc", "b"));
    }
}
