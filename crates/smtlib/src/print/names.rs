//! Name resolution for printing: which names occur in a term, and which are ambiguous.
//!
//! In a pool, variables are terms, and two different things may have one name. A bound variable keeps
//! its name unless something else of that name occurs free where it is bound; then it is renamed, so
//! that nothing is captured. Above [`MAX_FREE`] ambiguous names a part counts as mentioning all of
//! them: the price is a needless renaming, never a capture.

use std::rc::Rc;

use luthier_terms::{Op, SymbolId, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

use super::legacy_semantics::may_differ;
use crate::dialect::Dialect;
use crate::dialect::names::{Spelling, is_written_in_pairs, spelling};

/// The names of operators that are symbols of the pool, so that a variable may have them, too.
pub(super) type OperatorNames = FxHashMap<Op, Vec<SymbolId>>;

/// Something that a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Referent {
    Variable(TermId),
    /// A function or an operator: the name means it wherever no variable hides it.
    Function(SymbolId),
}

/// The names that occur in one term.
pub(super) struct Names<'a> {
    pool: &'a TermPool,
    /// The names of operators as the dialect writes them, where a pool has such a symbol.
    operators: Rc<OperatorNames>,
    root: TermId,
    /// What each name stands for; `None` if for several things.
    referents: FxHashMap<SymbolId, Option<Referent>>,
    /// The ambiguous names that occur free in the parts of the term; made when first needed.
    free: Option<FxHashMap<TermId, Free>>,
    /// Fresh names, and how many of each kind.
    made_up: FxHashSet<Vec<u8>>,
    suffixes: FxHashMap<SymbolId, usize>,
}

/// Free ambiguous referents, in order.
#[derive(Clone)]
enum Free {
    Known(Vec<Referent>),
    /// More than are worth counting: everything may be among them.
    Many,
}

/// Beyond this, a part counts as mentioning everything, so that no term costs quadratic time.
const MAX_FREE: usize = 64;

/// The names in the rewritings of operators that a dialect lacks or gives another meaning.
const REWRITING: &[&str] = &[
    "re.none",
    "re.nostr",
    "str.++",
    "-",
    "re.*",
    "re.allchar",
    "re.range",
    "re.loop",
    "re.inter",
    "re.complement",
    "str.in.re",
    "=",
    "and",
    "mod",
];

impl<'a> Names<'a> {
    /// The names in `root`, over which `parameters` may be bound.
    pub fn new(
        pool: &'a TermPool,
        operators: Rc<OperatorNames>,
        root: TermId,
        parameters: &[TermId],
    ) -> Self {
        let mut names = Self {
            pool,
            operators,
            root,
            referents: FxHashMap::default(),
            free: None,
            made_up: FxHashSet::default(),
            suffixes: FxHashMap::default(),
        };
        names.add(parameters);
        for term in post_order(pool, root) {
            names.add(&[term]);
            if let Term::Quantifier(quantifier) = pool.term(term) {
                // Also those that do not occur in the body.
                names.add(quantifier.variables);
            }
        }
        names
    }

    fn add(&mut self, terms: &[TermId]) {
        for &term in terms {
            for (name, referent) in self.mentions(term) {
                let known = self.referents.entry(name).or_insert(Some(referent));
                if *known != Some(referent) {
                    *known = None;
                }
            }
        }
    }

    /// Whether a variable may keep its name over the given parts: nothing else that is called so
    /// occurs free in them.
    pub fn may_keep(&mut self, variable: TermId, name: SymbolId, parts: &[TermId]) -> bool {
        let this = Referent::Variable(variable);
        match self.referents.get(&name) {
            None => return true,
            Some(&Some(only)) if only == this => return true,
            _ => {}
        }
        let mut free = self.free.take().unwrap_or_else(|| self.free_referents());
        let confused = parts.iter().any(|part| match free.entry(*part).or_insert(Free::Many) {
            Free::Many => true,
            Free::Known(referents) => {
                referents.iter().any(|&other| other != this && self.name_of(other) == name)
            }
        });
        self.free = Some(free);
        !confused
    }

    /// A fresh name: nothing in the term has it.
    pub fn make_up(&mut self, name: SymbolId) -> Vec<u8> {
        let plain = self.pool.symbols().bytes_of(name);
        loop {
            let suffix = self.suffixes.entry(name).or_default();
            *suffix += 1;
            let candidate = [plain, format!("!{suffix}").as_bytes()].concat();
            let symbol = self.pool.symbols().find(&candidate);
            let taken = symbol.is_some_and(|symbol| self.referents.contains_key(&symbol));
            if !taken && self.made_up.insert(candidate.clone()) {
                return candidate;
            }
        }
    }

    /// A prefix that no name in the term has.
    pub fn unused_prefix(&self) -> String {
        let symbols = self.pool.symbols();
        let mut prefix = "_let_".to_owned();
        while self.referents.keys().any(|&id| symbols.bytes_of(id).starts_with(prefix.as_bytes())) {
            prefix.push('_');
        }
        prefix
    }

    fn name_of(&self, referent: Referent) -> SymbolId {
        match referent {
            Referent::Function(name) => name,
            Referent::Variable(variable) => match self.pool.term(variable) {
                Term::Variable(variable) => variable.name,
                _ => unreachable!("only variables are made variable referents"),
            },
        }
    }

    /// The names that a term itself mentions, without its parts.
    fn mentions(&self, term: TermId) -> Vec<(SymbolId, Referent)> {
        match self.pool.term(term) {
            Term::Variable(variable) => vec![(variable.name, Referent::Variable(term))],
            Term::Apply(function, _) => {
                let name = self.pool.function(function).name;
                vec![(name, Referent::Function(name))]
            }
            Term::Op(op, _) => {
                let names = self.operators.get(&op).into_iter().flatten();
                names.map(|&name| (name, Referent::Function(name))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The ambiguous names that occur free in each part of the root.
    fn free_referents(&self) -> FxHashMap<TermId, Free> {
        let mut free: FxHashMap<TermId, Free> = FxHashMap::default();
        for term in post_order(self.pool, self.root) {
            let mut all: Vec<Referent> = Vec::new();
            let mut many = false;
            for (name, referent) in self.mentions(term) {
                if self.referents.get(&name) == Some(&None) {
                    all.push(referent);
                }
            }
            for part in parts(self.pool, term) {
                match free.get(part) {
                    Some(Free::Known(referents)) => all.extend(referents),
                    Some(Free::Many) => many = true,
                    None => {}
                }
                if all.len() > 8 * MAX_FREE {
                    all.sort_unstable();
                    all.dedup();
                    many |= all.len() > MAX_FREE;
                }
                if many {
                    break;
                }
            }
            if let Term::Quantifier(quantifier) = self.pool.term(term)
                && !many
            {
                all.retain(|referent| match referent {
                    Referent::Variable(variable) => !quantifier.variables.contains(variable),
                    Referent::Function(_) => true,
                });
            }
            all.sort_unstable();
            all.dedup();
            many |= all.len() > MAX_FREE;
            free.insert(term, if many { Free::Many } else { Free::Known(all) });
        }
        free
    }
}

/// The names that a dialect writes for operators.
pub(super) fn operator_names(pool: &TermPool, dialect: Dialect) -> OperatorNames {
    let mut operators = FxHashMap::default();
    for info in Op::TABLE {
        let mut names: Vec<SymbolId> = Vec::new();
        let rewriting = match spelling(dialect, info.op) {
            Spelling::Name(name) => {
                names.extend(pool.symbols().find(name.as_bytes()));
                &[]
            }
            Spelling::LoopArguments | Spelling::Rewritten(_) => REWRITING,
            Spelling::Missing => &[],
        };
        let otherwise = is_written_in_pairs(dialect, info.op) || may_differ(dialect, info.op);
        let rewriting = if otherwise { REWRITING } else { rewriting };
        names.extend(rewriting.iter().filter_map(|name| pool.symbols().find(name.as_bytes())));
        operators.insert(info.op, names);
    }
    operators
}

/// The children that are printed as terms: indices and lists of bound variables are not.
pub(super) fn parts(pool: &TermPool, term: TermId) -> &[TermId] {
    let children = pool.children(term);
    match pool.term(term) {
        Term::Op(op, _) => &children[op.info().indices..],
        Term::Quantifier(quantifier) => &children[quantifier.variables.len()..],
        _ => children,
    }
}

/// All parts of a term, before what they are parts of. Its cost is that of the term, however large
/// the pool is.
pub(super) fn post_order(pool: &TermPool, root: TermId) -> Vec<TermId> {
    let mut order = Vec::new();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut stack = vec![(root, false)];
    while let Some((term, expanded)) = stack.pop() {
        if expanded {
            order.push(term);
        } else if seen.insert(term) {
            stack.push((term, true));
            stack.extend(parts(pool, term).iter().rev().map(|&part| (part, false)));
        }
    }
    order
}
