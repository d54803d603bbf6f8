//! The enumeration against a naive one: nothing twice, nothing missing, every position resumes.

use std::collections::BTreeSet;

use super::signature::{CONSTANTS, Kind, SYMBOLS, TEXTS, symbol};
use super::*;

/// All terms of a kind and size, arguments in any order.
fn terms(kind: Kind, size: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for (code, symbol) in SYMBOLS.iter().enumerate() {
        if !kind.admits(symbol.kind) || usize::from(symbol.size) > size {
            continue;
        }
        // Beginnings of the term with the size that is left.
        let mut parts = vec![(vec![code as u8], size - usize::from(symbol.size))];
        for &argument in symbol.arguments {
            let mut longer = Vec::new();
            for (part, left) in parts {
                for size in 1..=left {
                    for term in terms(argument, size) {
                        longer.push(([&part[..], &term].concat(), left - size));
                    }
                }
            }
            parts = longer;
        }
        found.extend(parts.into_iter().filter(|(_, left)| *left == 0).map(|(term, _)| term));
    }
    found
}

/// All formulas of a size: up to three literals or a clause and a literal, in any order.
fn naive_formulas(size: usize) -> Vec<Vec<u8>> {
    let shapes: [&[Kind]; 6] = [
        &[Kind::Literal],
        &[Kind::Literal, Kind::Literal],
        &[Kind::Literal, Kind::Literal, Kind::Literal],
        &[Kind::Clause],
        &[Kind::Literal, Kind::Clause],
        &[Kind::Clause, Kind::Literal],
    ];
    let mut found = Vec::new();
    for shape in shapes {
        let mut parts = vec![(Vec::new(), size)];
        for &kind in shape {
            let mut longer = Vec::new();
            for (part, left) in parts {
                for size in 1..=left {
                    for term in terms(kind, size) {
                        longer.push(([&part[..], &term].concat(), left - size));
                    }
                }
            }
            parts = longer;
        }
        found.extend(parts.into_iter().filter(|(_, left)| *left == 0).map(|(term, _)| term));
    }
    found
}

/// A name of the class of a formula: the least text over all renamings, with sorted arguments and
/// assertions.
fn class(codes: &[u8]) -> String {
    let mut names = Vec::new();
    for texts in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for integers in [[0, 1], [1, 0]] {
            let rename = |code: u8| match code {
                0..TEXTS => texts[usize::from(code)],
                TEXTS..CONSTANTS => TEXTS + integers[usize::from(code - TEXTS)],
                code => code,
            };
            let mut stack: Vec<String> = Vec::new();
            for &code in codes.iter().rev() {
                let symbol = symbol(code);
                let mut arguments: Vec<String> =
                    symbol.arguments.iter().map(|_| stack.pop().unwrap()).collect();
                if symbol.commutative {
                    arguments.sort();
                }
                stack.push(format!("{}({})", rename(code), arguments.join(" ")));
            }
            stack.sort();
            names.push(stack.join(";"));
        }
    }
    names.into_iter().min().unwrap()
}

#[test]
fn every_class_of_the_smallest_sizes_comes_exactly_once() {
    let space = Space::new();
    let mut canonical = Canonical::default();
    let mut all = 0;
    for size in 1..=6 {
        let naive: BTreeSet<String> =
            naive_formulas(size).iter().map(|codes| class(codes)).collect();
        let mut found = Vec::new();
        let mut codes = Vec::new();
        for index in 0..space.total(size) {
            space.formula(size, index, &mut codes);
            if canonical.is_representative(&codes) {
                found.push(class(&codes));
            }
        }
        let distinct: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(distinct.len(), found.len(), "size {size}: no class comes twice");
        assert_eq!(distinct, naive, "size {size}: no class is missing");
        all += found.len();
    }
    assert!(all > 1_000, "{all} classes");
}

#[test]
fn the_order_visits_every_index_of_the_first_sizes_once() {
    let space = Space::new();
    let small: Vec<usize> = (1..=5).filter(|size| space.total(*size) > 0).collect();
    for seed in [0, 1] {
        let mut order = Order::new(&space, seed);
        let mut seen = BTreeSet::new();
        let mut left: u64 = small.iter().map(|size| space.total(*size)).sum();
        while left > 0 {
            let (size, index) = order.next().unwrap();
            assert!(index < space.total(size));
            assert!(seen.insert((size, index)), "size {size}, index {index} comes twice");
            left -= u64::from(small.contains(&size));
        }
    }
}

#[test]
fn skipping_positions_is_the_same_as_visiting_them() {
    let space = Space::new();
    for seed in [0, 9] {
        let mut visiting = Order::new(&space, seed);
        let stops = [0, 1, 2, 3, 7, 64, 100, 1_000, 1_001, 33_333, 250_000];
        let mut position = 0;
        for stop in stops {
            while position < stop {
                visiting.next().unwrap();
                position += 1;
            }
            let mut skipping = Order::new(&space, seed);
            skipping.skip(stop / 3);
            skipping.skip(stop - stop / 3);
            assert_eq!(skipping.position(), stop);
            let next = |order: &Order| {
                let mut order = order.clone();
                (0..50).map(|_| order.next().unwrap()).collect::<Vec<_>>()
            };
            assert_eq!(next(&skipping), next(&visiting), "seed {seed}, position {stop}");
        }
    }
}

#[test]
fn every_symbol_occurs_early() {
    let codes: BTreeSet<u8> =
        Enumeration::new(0, 0).take(10_000).flat_map(|one| one.codes).collect();
    let missing: Vec<&str> = (0..SYMBOLS.len())
        .filter(|code| !codes.contains(&(*code as u8)))
        .map(|code| SYMBOLS[code].head)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
