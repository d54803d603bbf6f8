//! The rewriter oracle: `(simplify t)` must print a term with the value of `t` in every model, and
//! `(apply TACTIC)` goals that are together equivalent to the assertion.
//!
//! A solver that rewrites `(= "-1" (str.from_int i))` to `(= i (- 1))` is wrong in the model where `i`
//! is -1, whatever it answers to queries. No search is involved, so thousands of random terms take a
//! second. The result is parsed in the dialect in which the release prints literals, and the referee
//! evaluates both terms in many models: corner values of every constant, values near the literals of
//! both terms, and random ones.
//!
//! ```text
//! random terms ──ask──▶ printed results ──read──▶ terms ──compare──▶ differences
//!     differences ──shrink──▶ smallest wrong term and model ──▶ confirmed alone ──▶ finding
//! ```
//!
//! Sound: both values are known to the referee; *undecided* (division by zero, limits) says nothing.
//! A result with a name that is not ours, or that the dialect of the release may mean otherwise, is
//! counted as unreadable with the reason. Which command a release has, and what it calls its own
//! functions, is data (`simplify`, `tactics` and `printed-names` in `solvers/*.toml`).
//!
//! * `terms.rs`, `small.rs`: the terms of a batch.
//! * `ask.rs`, `goals.rs`: the terms as commands of a release, its output as terms.
//! * `models.rs`: the models in which two terms are compared.
//! * `shrink.rs`: the smallest term and model that show a difference.
//! * `report.rs`: the finding.
//!
//! Limits: terms of sort `Bool`, `Int` and `String` over constants; no quantifiers, no functions. Tactics
//! that only keep satisfiability are not tested.

mod ask;
mod goals;
mod models;
mod report;
mod shrink;
mod small;
mod tally;
mod terms;

use std::collections::BTreeSet;
use std::ops::Range;

use luthier_ask::Solver;
use luthier_generator::{Case, Dice};
use luthier_records::FindingKind;
use luthier_semantics::Value;
use luthier_terms::{FunctionId, PostOrder, Term, TermId, TermPool};
use rustc_hash::FxHashMap;

use crate::Finding;
use crate::batch::HuntEnvironment;
use ask::{Asker, Simplified};
pub use tally::RewriteTally;
use terms::TermBatch;

/// How many differences of a batch are examined, the smallest; further ones are counted as similar.
const EXAMINED: usize = 8;

/// How a hunt examines rewriters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RewriteSettings {
    /// The seed of the terms.
    pub seed: u64,
    /// The terms that go with each batch of formulas.
    pub terms: usize,
}

impl RewriteSettings {
    /// The numbers of the terms that go with a batch. Cases without formulas, of a hunt for wrong
    /// rewrites only, stand for one term each.
    pub(crate) fn numbers(&self, batch: u64, cases: &[Case]) -> Range<u64> {
        match cases {
            [first, ..] if cases.iter().all(|case| case.formulas.is_empty()) => {
                first.number..first.number + cases.len() as u64
            }
            _ => {
                let count = self.terms as u64;
                batch * count..(batch + 1) * count
            }
        }
    }
}

/// Two terms with different values in a model.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    pub term: TermId,
    /// What it was rewritten to.
    pub result: TermId,
    /// The values of the constants.
    pub model: Vec<(FunctionId, Value)>,
    /// The value of the term and that of the result.
    pub values: [Value; 2],
}

/// The result of a batch of terms for one solver.
#[derive(Default)]
pub(crate) struct RewriteResult {
    pub tally: RewriteTally,
    /// By operator: a confirmed finding, or `None` for a difference that was not reproduced alone.
    pub suspicions: Vec<(FindingKind, &'static str, Option<Box<Finding>>)>,
    /// Faults of ours or of the machine.
    pub faults: Vec<String>,
}

/// Simplifies the terms with these numbers with every solver that has such a command. `is_enough` says
/// of the index of a solver and an operator that no more findings of this group are wanted.
pub(crate) fn examine(
    solvers: &[Solver],
    numbers: Range<u64>,
    seed: u64,
    environment: &HuntEnvironment<'_>,
    is_asked: &dyn Fn(usize) -> bool,
    is_enough: &dyn Fn(usize, &'static str) -> bool,
) -> Vec<RewriteResult> {
    let mut results: Vec<RewriteResult> = Vec::new();
    if numbers.is_empty() || solvers.iter().all(|solver| solver.quirks.simplify.is_empty()) {
        results.resize_with(solvers.len(), RewriteResult::default);
        return results;
    }
    let mut batch = TermBatch::new(seed, numbers);
    for (index, solver) in solvers.iter().enumerate() {
        let mut result = RewriteResult::default();
        if is_asked(index)
            && let Some(asker) = Asker::new(solver, batch.number(), environment)
        {
            examine_solver(&asker, &mut batch, &mut result, &|operator| is_enough(index, operator));
        }
        results.push(result);
    }
    results
}

fn examine_solver(
    asker: &Asker<'_>,
    batch: &mut TermBatch,
    result: &mut RewriteResult,
    is_enough: &dyn Fn(&'static str) -> bool,
) {
    let numbered: Vec<(u64, TermId)> = batch.terms.clone();
    let terms: Vec<TermId> = numbered.iter().map(|&(_, term)| term).collect();
    let simplified = asker.simplify(&mut batch.pool, &terms, &mut result.tally);
    let mut differences: Vec<(u64, Difference)> = Vec::new();
    for (&(number, term), simplified) in numbered.iter().zip(simplified) {
        result.tally.count(&simplified);
        match simplified {
            Simplified::Term(rewritten) if rewritten != term => {
                let mut dice = Dice::new(batch.seed, number);
                let known = batch.values.clone();
                let pair = (term, rewritten);
                let compared =
                    models::compare(&mut batch.pool, pair, &known, asker.dialect(), &mut dice);
                result.tally.compared += u64::from(compared.is_decided);
                differences.extend(compared.difference.map(|one| (number, one)));
            }
            // The same term has the same value.
            Simplified::Term(_) => result.tally.compared += 1,
            Simplified::Fault(message) => result.faults.push(message),
            _ => {}
        }
    }
    result.tally.differences += differences.len() as u64;
    differences.sort_by_key(|(number, one)| (shrink::size(&batch.pool, one.term), *number));
    let mut shapes: BTreeSet<String> = BTreeSet::new();
    for (place, (number, difference)) in differences.into_iter().enumerate() {
        let pool = &mut batch.pool;
        // The smallest ones come first; many are probably one fault.
        let smallest = match place < EXAMINED {
            true => shrink::shrink(asker, pool, difference.clone(), &mut result.tally),
            false => None,
        };
        let is_new = |one: &Difference| {
            shapes.insert(shape(pool, one.term)) && !is_enough(operator_name(pool, one.term))
        };
        let Some(smallest) = smallest.filter(is_new) else {
            result.tally.similar += 1;
            continue;
        };
        let name = format!("term-{}-{number:07}", batch.seed);
        let confirmed = [smallest, difference]
            .iter()
            .find_map(|one| report::confirm(asker, pool, one, &name, number, &mut result.tally));
        match confirmed {
            Some(findings) => {
                for finding in findings {
                    let (kind, operator) = (finding.class, finding.operation);
                    result.suspicions.push((kind, operator, Some(Box::new(finding))));
                }
            }
            None => {
                let operator = "simplify";
                result.suspicions.push((FindingKind::WrongRewrite, operator, None));
            }
        }
    }
}

/// A term without its literals and the names of its constants: differences of one shape are probably
/// one fault.
fn shape(pool: &TermPool, term: TermId) -> String {
    let mut shapes: FxHashMap<TermId, String> = FxHashMap::default();
    for part in PostOrder::new(pool, [term]) {
        let own = match pool.term(part) {
            Term::Op(op, _) => op.name(),
            Term::Apply(..) => "constant",
            _ => "literal",
        };
        let children = pool.children(part).iter().map(|child| shapes[child].as_str());
        let text: Vec<&str> = std::iter::once(own).chain(children).collect();
        let text = format!("({})", text.join(" "));
        shapes.insert(part, text);
    }
    shapes.remove(&term).unwrap_or_default()
}

/// The operator at the root of a term, which findings are grouped by.
pub(crate) fn operator_name(pool: &TermPool, term: TermId) -> &'static str {
    match pool.term(term) {
        Term::Op(op, _) => op.name(),
        _ => "constant",
    }
}
