//! All small formulas over a small signature, each once up to symmetry, in order of size.
//!
//! Most wrong answers that were ever reported about string solvers show in formulas of one to three
//! atoms and terms of depth one or two. Here they are not drawn at random but enumerated: `space.rs`
//! finds a formula from its index, `order.rs` says in which order, `canonical.rs` leaves out what
//! is the same up to renaming of constants, exchanged arguments of commutative operators and the
//! order of assertions. A position in the order is a number, so that an enumeration goes on
//! where it was stopped ([`Settings::start`]).
//!
//! Ground truth: values of a small domain are tried (`values.rs`). A witness is planted if the
//! referee accepts it on the whole formula; otherwise the answer is unknown, never `unsat`.
//!
//! With [`Settings::bounded`], further assertions leave each constant two to four values of that domain.
//! Then trying them decides the formula: it is planted as `unsat` if some assertion is false under
//! every assignment.
//!
//! Limits: the signature has three strings, two integers and no Boolean constants; arithmetic is
//! linear; sizes end at 18, which is more formulas than can ever be asked.

mod canonical;
mod order;
mod signature;
mod space;
mod text;
mod values;

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread;

use luthier_terms::Op;

use crate::variants::{VariantKind, variants_of_formula};
use crate::{Case, Category, Dice, Expected, Formula};
use canonical::Canonical;
use order::Order;
use space::Space;
use values::{Answer, WitnessSearch, first_values, some_values, value_at};

/// The formulas that are made at once, by all threads.
const ROUND: usize = 256;

/// Options of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Where each size begins. Every seed gives the same formulas in another order.
    pub seed: u64,
    /// The first position.
    pub start: u64,
    /// The largest number of variants of a formula.
    pub variants: usize,
    /// The number of threads, which does not affect the formulas.
    pub threads: NonZeroUsize,
    /// Each constant has finitely many values, so that the answer is known.
    pub bounded: bool,
}

/// An iterator of cases, in order of size. The number of a case is its position.
pub struct SmallFormulas {
    settings: Settings,
    enumeration: Enumeration,
    workers: Vec<WitnessSearch>,
    ready: VecDeque<Case>,
}

/// The representatives in order, still without answers.
struct Enumeration {
    space: Arc<Space>,
    order: Order,
    canonical: Canonical,
}

/// A representative: its position, its size and its codes.
struct Representative {
    position: u64,
    size: usize,
    codes: Vec<u8>,
}

impl Enumeration {
    fn new(seed: u64, start: u64) -> Self {
        static SPACE: OnceLock<Arc<Space>> = OnceLock::new();
        let space = SPACE.get_or_init(|| Arc::new(Space::new())).clone();
        let mut order = Order::new(&space, seed);
        order.skip(start);
        Self { space, order, canonical: Canonical::default() }
    }
}

impl Iterator for Enumeration {
    type Item = Representative;

    fn next(&mut self) -> Option<Representative> {
        let mut codes = Vec::with_capacity(24);
        loop {
            let position = self.order.position();
            let (size, index) = self.order.next()?;
            self.space.formula(size, index, &mut codes);
            if self.canonical.is_representative(&codes) {
                return Some(Representative { position, size, codes });
            }
        }
    }
}

impl SmallFormulas {
    /// The formulas from a position on.
    pub fn new(settings: Settings) -> Self {
        let workers = (0..settings.threads.get()).map(|_| WitnessSearch::new()).collect();
        let enumeration = Enumeration::new(settings.seed, settings.start);
        Self { settings, enumeration, workers, ready: VecDeque::new() }
    }

    /// The number of formulas of a size before symmetry is taken into account; sizes end at 18.
    pub fn positions_of_size(size: usize) -> u64 {
        let space = Enumeration::new(0, 0).space;
        if (1..=space::LARGEST).contains(&size) { space.total(size) } else { 0 }
    }

    fn make_round(&mut self) {
        let found: Vec<Representative> = self.enumeration.by_ref().take(ROUND).collect();
        let settings = self.settings;
        let threads = self.workers.len();
        let finish =
            move |search: &mut WitnessSearch, one: &Representative| case(settings, search, one);
        if threads == 1 {
            let search = &mut self.workers[0];
            self.ready.extend(found.iter().map(|one| finish(search, one)));
            return;
        }
        let share = found.len().div_ceil(threads).max(1);
        let made: Vec<Vec<Case>> = thread::scope(|scope| {
            let workers: Vec<_> = found
                .chunks(share)
                .zip(&mut self.workers)
                .map(|(part, search)| {
                    scope.spawn(move || part.iter().map(|one| finish(search, one)).collect())
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| match worker.join() {
                    Ok(made) => made,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
                .collect()
        });
        self.ready.extend(made.into_iter().flatten());
    }
}

impl Iterator for SmallFormulas {
    type Item = Case;

    fn next(&mut self) -> Option<Case> {
        if self.ready.is_empty() {
            self.make_round();
        }
        self.ready.pop_front()
    }
}

/// The case of a representative: with its witness, if there is one, and its variants.
fn case(settings: Settings, search: &mut WitnessSearch, one: &Representative) -> Case {
    let Representative { position, size, ref codes } = *one;
    let mut dice = Dice::new(settings.seed, position);
    let domains = match settings.bounded {
        true => some_values(codes, &mut dice),
        false => first_values(codes),
    };
    let (mut restrictions, mut are_written) = (String::new(), true);
    if settings.bounded {
        for (code, places) in (0..).zip(&domains).filter(|(_, places)| !places.is_empty()) {
            match text::domain(code, places.iter().map(|&place| value_at(code, place))) {
                Some(line) => restrictions.push_str(&line),
                None => are_written = false,
            }
        }
    }
    let (expected, found) = match search.answer(codes, &domains) {
        Answer::Witness(witness) => match text::literals(&witness) {
            Some(values) => (Expected::Sat(values), "the witness was found among small values"),
            None => (Expected::Open, "the witness cannot be written"),
        },
        Answer::NoWitness if settings.bounded && are_written => {
            (Expected::Unsat(Vec::new()), "each constant has few values, and none satisfy it")
        }
        Answer::NoWitness => (Expected::Open, "small values do not satisfy it"),
        Answer::Undecided => (Expected::Open, "the referee does not decide it within its limits"),
    };
    let category = if settings.bounded { Category::SmallBounded } else { Category::Small };
    let formula = Formula {
        name: format!("{category}-{}-{position:09}", settings.seed),
        category,
        operation: operation(codes).name(),
        text: text::script(codes, &expected, &restrictions),
        expected,
        derivation: format!("a formula of size {size}; {found}"),
    };
    let mut kinds: Vec<VariantKind> = Vec::new();
    for _ in 0..settings.variants {
        let kind = dice.pick(&VariantKind::ALL);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let variants = match kinds[..] {
        [] => Vec::new(),
        _ => variants_of_formula(&formula, &kinds, dice.fork()),
    };
    let mut formulas = vec![formula];
    formulas.extend(variants.into_iter().map(|(_, variant)| variant));
    Case { number: position, formulas }
}

/// The operator that a formula exercises: the first one of a term, or else the first predicate.
fn operation(codes: &[u8]) -> Op {
    use signature::{Kind, operator, symbol};
    let first = |wanted: &[Kind]| {
        let mut fitting = codes.iter().filter(|&&code| wanted.contains(&symbol(code).kind));
        fitting.find_map(|&code| operator(code))
    };
    let of_terms = first(&[Kind::Text, Kind::Int, Kind::Language]);
    of_terms.or_else(|| first(&[Kind::Atom])).unwrap_or(Op::Eq)
}
