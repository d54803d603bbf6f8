//! The suites `unusual` and `idioms`: each shape that they are for occurs. That their witnesses are
//! right is tested with all other sources in `stream.rs`.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use luthier_generator::stream::{Settings, Source, Stream};
use luthier_smtlib::{CommandKind, Dialect, Mode, ReadOptions, read_script};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};

fn texts(source: Source, count: usize) -> Vec<(String, String)> {
    let threads = NonZeroUsize::new(2).unwrap();
    let settings = Settings { threads, ..Settings::new(2, vec![source]) };
    let first = Stream::new(settings).take(count).map(|case| case.formulas[0].clone());
    first.map(|formula| (formula.text, formula.derivation)).collect()
}

#[test]
fn every_unusual_shape_occurs() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (text, _) in texts(Source::Unusual, 600) {
        let mut pool = TermPool::new();
        let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Strict };
        let script = read_script(&mut pool, text.as_bytes(), &options).script;
        let mut note = |shape, holds: bool| *seen.entry(shape).or_default() += usize::from(holds);
        let mut assertions = Vec::new();
        let (mut constants, mut functions) = (0, 0);
        for command in &script.commands {
            match &command.kind {
                CommandKind::Assert(assertion) => assertions.push(assertion.term),
                CommandKind::Declare { function, .. } => {
                    constants += usize::from(pool.function(*function).result == Sort::String);
                }
                CommandKind::Define { .. } => functions += 1,
                _ => {}
            }
        }
        let op_of = |term: TermId| match pool.term(term) {
            Term::Op(op, children) => Some((op, children)),
            _ => None,
        };
        let below = |outer: &[Op], inner: Op| {
            PostOrder::new(&pool, assertions.iter().copied()).any(|term| {
                op_of(term).is_some_and(|(op, children)| {
                    let has = |child: &TermId| op_of(*child).is_some_and(|(op, _)| op == inner);
                    outer.contains(&op) && children.iter().any(has)
                })
            })
        };
        let any = |holds: &dyn Fn(TermId) -> bool| {
            PostOrder::new(&pool, assertions.iter().copied()).any(holds)
        };
        note(
            "symbolic range",
            any(&|term| {
                let is_constant = |child: &TermId| matches!(pool.term(*child), Term::Apply(..));
                op_of(term).is_some_and(|(op, children)| {
                    op == Op::ReRange && children.iter().any(is_constant)
                })
            }),
        );
        note("search in replace_all", below(&[Op::StrIndexOf], Op::StrReplaceAll));
        note("to_int under arithmetic", below(&[Op::Add, Op::Sub, Op::Mul, Op::Mod], Op::StrToInt));
        note("nested ite", below(&[Op::Ite], Op::Ite));
        note("five assertions", assertions.len() >= 5);
        note("four strings", constants >= 4);
        note(
            "long literal",
            any(&|term| pool.as_string(term).is_some_and(|text| text.len() >= 40)),
        );
        note("chain", any(&|term| op_of(term).is_some_and(|(_, children)| children.len() >= 4)));
        note("quantifier", any(&|term| matches!(pool.term(term), Term::Quantifier(_))));
        note("function", functions > 0);
        note(
            "repetition",
            any(&|term| {
                // Four times the same operator on a way down.
                let mut at = term;
                let Some((first, _)) = op_of(term) else { return false };
                (0..3).all(|_| {
                    let next = op_of(at).and_then(|(_, children)| {
                        children
                            .iter()
                            .copied()
                            .find(|child| op_of(*child).is_some_and(|one| one.0 == first))
                    });
                    at = next.unwrap_or(at);
                    next.is_some()
                })
            }),
        );
    }
    assert!(seen.len() == 11 && seen.values().all(|count| *count >= 10), "{seen:?}");
}

#[test]
fn every_idiom_occurs() {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, derivation) in texts(Source::Idioms, 400) {
        let name = derivation.split(':').next().unwrap().to_owned();
        *seen.entry(name).or_default() += 1;
    }
    assert!(seen.len() == 10 && seen.values().all(|count| *count >= 10), "{seen:?}");
}
