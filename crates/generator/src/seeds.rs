//! Formulas from real ones: a seed is a script of any benchmark, and new formulas are made of its
//! assertions, subformulas, terms and literals.
//!
//! | way | what is made | answer |
//! |---|---|---|
//! | signed | some subformulas of a seed, each with the sign that is true under one assignment | sat |
//! | related | facts that relate terms of a seed, true under an assignment | sat |
//! | fused | signed subformulas of two seeds, with occurrences of a constant `x` of one replaced by `(str.substr z 0 (str.len x))` where `z` is `x` and a constant of the other, concatenated | sat |
//! | mutated | the assertions of a seed with an operator or subterm exchanged | sat if the witness still holds, else unknown |
//! | unsat | a seed with a *planted* answer `unsat`, in conjunction or disjunction with another seed | unsat |
//!
//! The assignment is the planted witness of the seed, or the best one of a quick local search by the
//! referee (`search.rs`). It need not satisfy the seed: signs make what is asserted true. A label
//! `:status` of a benchmark is not trusted, because a wrong label would become a wrong ground truth.
//! Semantic fusion is due to Winterer, Zhang and Su (*Validating SMT solvers via semantic fusion*,
//! PLDI 2020); here every part is evaluated, so that no satisfiability of the seeds is needed.
//!
//! Limits: subformulas of at most `LARGEST` nodes, without quantifiers, arrays or functions
//! with parameters. A script without any such subformula is [`Unusable`], with the reason.

mod import;
mod make;
mod search;

use std::fmt;

use luthier_semantics::Model;
use luthier_smtlib::annotations::{self, Annotation};
use luthier_smtlib::{Mode, ReadOptions, read_script};
use luthier_terms::{FunctionId, PostOrder, Sort, Term, TermId, TermPool};

use crate::Dice;
use crate::variants::planted::witness;
use import::Importer;
pub(crate) use make::sketch;

/// The largest number of nodes of a subformula, as a tree.
const LARGEST: u64 = 40;

/// The largest number of nodes of a whole seed that is mutated or fused as a whole.
const LARGEST_WHOLE: u64 = 120;

/// The largest number of subformulas of a seed.
const MOST_FACTS: usize = 64;

/// What new formulas are made of.
pub struct Seed {
    /// Its file.
    pub name: String,
    pool: TermPool,
    /// Subformulas without connectives at their root, and small assertions.
    facts: Vec<TermId>,
    /// All assertions, if there are not too many.
    whole: Vec<TermId>,
    constants: Vec<FunctionId>,
    /// The best assignment that is known.
    model: Model,
    /// The whole is unsatisfiable by construction.
    is_planted_unsat: bool,
}

impl fmt::Debug for Seed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.facts.len();
        formatter.debug_struct("Seed").field("name", &self.name).field("facts", &facts).finish()
    }
}

/// Why nothing can be made of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unusable {
    /// It is not SMT-LIB as the reader understands it.
    Unreadable,
    /// There is no query.
    NoQuery,
    /// No subformula is small enough.
    TooLarge,
    /// Every small subformula has quantifiers, arrays or functions with parameters.
    Unsupported,
    /// No subformula has constants.
    Ground,
}

impl fmt::Display for Unusable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unreadable => "cannot be read",
            Self::NoQuery => "no query",
            Self::TooLarge => "no small subformula",
            Self::Unsupported => "only quantifiers, arrays or functions with parameters",
            Self::Ground => "no constants",
        })
    }
}

impl Seed {
    /// Reads a script of any dialect.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Self, Unusable> {
        let mut read = TermPool::new();
        let options = ReadOptions { dialect: None, mode: Mode::Generous };
        let reading = read_script(&mut read, bytes, &options);
        if !reading.is_accepted() {
            return Err(Unusable::Unreadable);
        }
        let script = reading.script;
        let assertions: Vec<TermId> = {
            let query = script.queries().next().ok_or(Unusable::NoQuery)?;
            let asserted = query.assertions.iter().map(|active| active.assertion.term);
            asserted.chain(query.assumptions.iter().copied()).collect()
        };
        let planted = witness(&mut read, &script);
        let expected = Annotation::Expected.find(&read, &script).and_then(annotations::word);
        // With several queries, or another meaning of operators, the answer may be about something else.
        let is_planted_unsat = expected == Some(b"unsat")
            && script.queries().count() == 1
            && Annotation::Semantics.find(&read, &script).is_none();
        let sizes = read.tree_sizes();
        let size = |term: TermId| sizes.get(term.index()).copied().unwrap_or(u64::MAX);
        let mut importer = Importer::new();
        let mut pool = TermPool::new();
        let (mut facts, mut small) = (Vec::new(), false);
        for part in PostOrder::new(&read, assertions.iter().copied()) {
            if read.sort(part) != Sort::Bool || size(part) > LARGEST || is_connective(&read, part) {
                continue;
            }
            small = true;
            if facts.len() < MOST_FACTS {
                facts.extend(importer.import(&read, &mut pool, part));
            }
        }
        let total = assertions.iter().map(|&term| size(term)).fold(0, u64::saturating_add);
        let whole: Option<Vec<TermId>> = (total <= LARGEST_WHOLE)
            .then(|| {
                assertions.iter().map(|&term| importer.import(&read, &mut pool, term)).collect()
            })
            .flatten();
        match (small, facts.is_empty()) {
            (false, _) => return Err(Unusable::TooLarge),
            (true, true) => return Err(Unusable::Unsupported),
            _ => {}
        }
        let constants = importer.constants();
        if constants.is_empty() {
            return Err(Unusable::Ground);
        }
        // A witness over all constants, with the ids of the new pool.
        let mut model = Model::new();
        if let Some(planted) = planted {
            for (old, new) in importer.renamed() {
                if let Some(interpretation) = planted.get(old) {
                    model.insert(new, interpretation.clone());
                }
            }
        }
        let whole = whole.unwrap_or_default();
        let is_planted_unsat = is_planted_unsat && !whole.is_empty();
        let name = name.to_owned();
        let mut seed = Self { name, pool, facts, whole, constants, model, is_planted_unsat };
        if seed.model.len() < seed.constants.len() {
            seed.model = search::assignment(&seed, Dice::new(bytes.len() as u64, 0));
        }
        Ok(seed)
    }
}

/// Whether a formula is a connective over formulas: its parts are of more use than it.
fn is_connective(pool: &TermPool, term: TermId) -> bool {
    use luthier_terms::Op::{And, False, Implies, Not, Or, True, Xor};
    matches!(pool.term(term), Term::Op(True | False | Not | And | Or | Xor | Implies, _))
        || matches!(pool.term(term), Term::Apply(_, []) | Term::Named(..) | Term::Variable(_))
}
