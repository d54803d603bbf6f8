//! The unsatisfiable formulas of the suite `icse20`: counts by category, strict reading,
//! annotations, and whether the definitions imply the operations on small strings and numbers, by
//! the referee.

mod brute_force;
mod cores;
mod sexp;

use std::collections::{BTreeMap, BTreeSet};

use luthier_generator::icse20::{
    EQUALITIES, EQUIVALENCES, Settings, equivalent_formula, larger_unsat_core,
    redundancy_introduction,
};
use luthier_generator::{Category, Expected, Formula};
use luthier_judge::expectations;
use luthier_records::Verdict;
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_terms::TermPool;
use sexp::{assertion, parse};

/// Operation, larger core (published, corrected), redundancy (published, corrected).
const COUNTS: [(&str, [usize; 2], [usize; 2]); 12] = [
    ("at", [16, 16], [0, 0]),
    ("intToStr", [40, 40], [0, 0]),
    ("replace", [35, 35], [22, 22]),
    ("substr", [28, 28], [21, 21]),
    ("indexOf", [36, 36], [29, 22]),
    ("strToInt", [38, 38], [8, 1]),
    ("contains", [14, 14], [14, 14]),
    ("notContains", [11, 18], [28, 21]),
    ("prefixOf", [14, 14], [7, 7]),
    ("notPrefixOf", [11, 18], [21, 14]),
    ("suffixOf", [14, 14], [7, 7]),
    ("notSuffixOf", [11, 18], [21, 14]),
];

/// Everything, published and corrected, without and with patterns.
fn all() -> Vec<Formula> {
    let mut formulas = Vec::new();
    for patterns in [false, true] {
        formulas.extend(equivalent_formula(&Settings::default(), patterns));
        for corrected in [false, true] {
            formulas.extend(larger_unsat_core(&Settings::default(), patterns, corrected));
            formulas.extend(redundancy_introduction(&Settings::default(), patterns, corrected));
        }
    }
    formulas
}

fn suite(corrected: bool) -> Vec<Formula> {
    let mut formulas = Vec::new();
    for patterns in [false, true] {
        formulas.extend(equivalent_formula(&Settings::default(), patterns));
        formulas.extend(larger_unsat_core(&Settings::default(), patterns, corrected));
        formulas.extend(redundancy_introduction(&Settings::default(), patterns, corrected));
    }
    formulas
}

fn per_operation(formulas: &[Formula]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for formula in formulas {
        *counts.entry(formula.operation).or_default() += 1;
    }
    counts
}

#[test]
fn counts_are_those_of_the_paper_and_of_its_algorithm() {
    for patterns in [false, true] {
        assert_eq!(equivalent_formula(&Settings::default(), patterns).len(), 12);
        for (corrected, totals) in [(false, [268, 178]), (true, [289, 143])] {
            let larger = larger_unsat_core(&Settings::default(), patterns, corrected);
            let redundant = redundancy_introduction(&Settings::default(), patterns, corrected);
            assert_eq!([larger.len(), redundant.len()], totals, "corrected: {corrected}");
            let (larger, redundant) = (per_operation(&larger), per_operation(&redundant));
            for (operation, cores, redundancies) in COUNTS {
                let found = larger.get(operation).copied().unwrap_or(0);
                assert_eq!(found, cores[usize::from(corrected)], "larger core, {operation}");
                let found = redundant.get(operation).copied().unwrap_or(0);
                assert_eq!(found, redundancies[usize::from(corrected)], "redundancy, {operation}");
            }
        }
    }
}

#[test]
fn categories_and_names_tell_formulas_apart() {
    for corrected in [false, true] {
        let formulas = suite(corrected);
        let names: BTreeSet<&str> = formulas.iter().map(|formula| formula.name.as_str()).collect();
        assert_eq!(names.len(), formulas.len());
        for formula in &formulas {
            let (kind, patterns) = match formula.category {
                Category::EquivalentFormula => ("equivalent-", false),
                Category::EquivalentFormulaPatterns => ("equivalent-", true),
                Category::LargerUnsatCore => ("core-", false),
                Category::LargerUnsatCorePatterns => ("core-", true),
                Category::RedundancyIntroduction => ("redundant-", false),
                Category::RedundancyIntroductionPatterns => ("redundant-", true),
                other => panic!("{}: {other}", formula.name),
            };
            assert!(formula.name.starts_with(kind), "{}", formula.name);
            assert_eq!(formula.name.ends_with("-patterns"), patterns, "{}", formula.name);
            let quantified = formula.text.contains("(forall ");
            assert_eq!(formula.text.contains(":pattern"), patterns && quantified);
            assert!(!quantified || formula.text.contains("(set-logic ALL)"), "{}", formula.name);
        }
        let texts = |patterns: bool| {
            let chosen = formulas.iter().filter(|f| f.name.ends_with("-patterns") == patterns);
            (chosen.clone().count(), chosen.map(|f| &f.text).collect::<BTreeSet<_>>().len())
        };
        // Variants without quantifiers are the same text; otherwise no two formulas are.
        for patterns in [false, true] {
            let (count, distinct) = texts(patterns);
            assert_eq!(count, distinct, "patterns: {patterns}");
        }
    }
}

#[test]
fn the_same_formulas_come_in_the_same_order() {
    assert_eq!(all(), all());
}

#[test]
fn every_text_is_read_in_strict_mode_and_says_what_is_expected() {
    for formula in all() {
        let mut pool = TermPool::new();
        let options = ReadOptions { mode: Mode::Strict, ..ReadOptions::default() };
        let reading = read_script(&mut pool, formula.text.as_bytes(), &options);
        assert!(reading.diagnostics.is_empty(), "{}: {:?}", formula.name, reading.diagnostics);
        let found = expectations(&pool, &reading.script);
        assert!(found.problems.is_empty(), "{}: {:?}", formula.name, found.problems);
        let [query] = found.queries.as_slice() else { panic!("{}: one query", formula.name) };
        assert_eq!(query.planted, Some(Verdict::Unsat));
        let planted: Vec<&[u8]> =
            query.planted_core.iter().flatten().map(|name| name.as_bytes()).collect();
        let Expected::Unsat(core) = &formula.expected else { panic!("{}: unsat", formula.name) };
        let expected: Vec<&[u8]> = core.iter().map(|name| name.as_bytes()).collect();
        assert_eq!(planted, expected, "{}", formula.name);
        let larger = formula.name.starts_with("core-");
        assert_eq!(core.len(), if larger { 3 } else { 2 }, "{}", formula.name);
    }
}

/// The definition of each operation, as it stands in the formula that nothing was added to.
fn definitions(patterns: bool) -> BTreeMap<&'static str, String> {
    equivalent_formula(&Settings::default(), patterns)
        .iter()
        .map(|formula| (formula.operation, assertion(&formula.text, "definition").to_string()))
        .collect()
}

#[test]
fn a_replaced_variable_or_constant_is_replaced_everywhere_and_nothing_else_changes() {
    for patterns in [false, true] {
        let definitions = definitions(patterns);
        let larger = larger_unsat_core(&Settings::default(), patterns, true);
        let redundant = redundancy_introduction(&Settings::default(), patterns, false);
        let mut free = 0;
        for formula in larger.iter().chain(&redundant) {
            let Some(clause) = sexp::find_assertion(&formula.text, "equality") else { continue };
            let definition = assertion(&formula.text, "definition");
            let original = &definitions[formula.operation];
            if formula.name.contains("-trigger-") {
                assert_eq!(&definition.to_string(), original, "{}", formula.name);
                continue;
            }
            free += 1;
            let fresh = clause.atoms().into_iter().find(|atom| atom.ends_with("_fresh")).unwrap();
            let id = formula.name.trim_end_matches("-patterns").rsplit('-').next().unwrap();
            let equality = EQUALITIES.iter().find(|e| e.id.to_lowercase() == id).unwrap();
            let replaced = if equality.is_about_a_variable() {
                parse(fresh.trim_end_matches("_fresh"))
            } else if equality.value == "-1" {
                parse("(- 1)")
            } else {
                parse(equality.value)
            };
            let restored = definition.replaced(&fresh, &replaced);
            assert_eq!(&restored.to_string(), original, "{}", formula.name);
            assert!(!definition.contains(&replaced), "{}: {definition}", formula.name);
            assert!(definition.atoms().contains(&fresh), "{}", formula.name);
        }
        assert_eq!(free, 289 + 22 + 21 + 21 + 14 + 7 + 7);
    }
}

#[test]
fn all_equalities_hold_under_their_conditions() {
    assert_eq!(EQUALITIES.len(), 48);
    for equality in &EQUALITIES {
        let (cases, met) = brute_force::check_equality(equality);
        assert!(met > 0, "{}: none of {cases} cases meets the condition", equality.id);
    }
}

#[test]
fn every_definition_implies_its_operation() {
    for formula in equivalent_formula(&Settings::default(), false)
        .iter()
        .chain(&equivalent_formula(&Settings::default(), true))
    {
        let tried = brute_force::check_definition(formula);
        // Neither side may be constant, or the implication would say nothing.
        assert!(tried.definition_holds > 0, "{}: {tried:?}", formula.name);
        assert!(tried.operation_fails > 0, "{}: {tried:?}", formula.name);
    }
}

#[test]
fn a_definition_with_a_clause_under_its_quantifier_implies_the_operation_too() {
    let bound = redundancy_introduction(&Settings::default(), true, true);
    let mut checked = 0;
    for formula in &bound {
        if sexp::find_assertion(&formula.text, "equality").is_some() {
            continue;
        }
        let tried = brute_force::check_definition(formula);
        assert!(tried.definition_holds > 0, "{}: {tried:?}", formula.name);
        checked += 1;
    }
    // One for E5, one for E6, and all of E8, E10 and E12.
    assert_eq!(checked, 1 + 1 + 21 + 14 + 14);
}

#[test]
fn no_assertion_of_a_planted_core_can_be_left_out() {
    let formulas = [
        equivalent_formula(&Settings::default(), false),
        larger_unsat_core(&Settings::default(), false, true),
        redundancy_introduction(&Settings::default(), false, false),
    ];
    let mut cases = BTreeMap::new();
    for formula in formulas.iter().flatten() {
        let operation = formula.operation;
        let cases = cases.entry(operation).or_insert_with(|| brute_force::cases(operation));
        let needless = cores::needless(formula, cases);
        assert!(needless.is_empty(), "{}: no small model without {needless:?}", formula.name);
    }
}

#[test]
fn tables_name_every_variable_that_occurs() {
    for equivalence in &EQUIVALENCES {
        let left = parse(equivalence.left).atoms();
        let formula = equivalent_formula(&Settings::default(), false)
            .into_iter()
            .find(|formula| formula.operation == equivalence.operation)
            .unwrap();
        let right = assertion(&formula.text, "definition").atoms();
        for variable in equivalence.shared {
            let name = variable.name.to_owned();
            assert!(left.contains(&name) && right.contains(&name), "{}: {name}", equivalence.id);
        }
        for variable in equivalence.existential {
            let name = variable.name.to_owned();
            assert!(!left.contains(&name) && right.contains(&name), "{}: {name}", equivalence.id);
        }
    }
}
