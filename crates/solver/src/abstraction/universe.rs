//! The terms for which axioms are instantiated, with their instantiation depth.
//!
//! Terms of the problem have level 0; terms that only occur in instances have higher levels. Each
//! axiom applies up to its level, and no term beyond `abstraction.depth` gets instances, which
//! makes saturation finite.

use luthier_terms::{BuildError, Op, Term, TermId, TermPool};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms with their levels: 0 for those of the problem, 1 for those that occur in facts about them,
/// and so on. Subterms of quantified formulas are not included.
#[derive(Default)]
pub(super) struct Universe {
    terms: Vec<(TermId, u8)>,
    known: FxHashSet<TermId>,
    by_op: FxHashMap<Op, Vec<(TermId, u8)>>,
}

impl Universe {
    /// Adds a formula and all its subterms that are new.
    pub(super) fn add(
        &mut self,
        pool: &mut TermPool,
        root: TermId,
        level: u8,
    ) -> Result<(), BuildError> {
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if !expanded {
                if !self.known.insert(term) {
                    continue;
                }
                stack.push((term, true));
                if !matches!(pool.term(term), Term::Quantifier(_)) {
                    stack.extend(pool.children(term).iter().map(|&child| (child, false)));
                }
                // `str.at` is a substring of length one; axioms are about substrings.
                if let &Term::Op(Op::StrAt, &[text, position]) = &pool.term(term) {
                    let one = pool.integer(1)?;
                    stack.push((pool.op(Op::StrSubstr, &[text, position, one])?, false));
                }
                continue;
            }
            self.terms.push((term, level));
            if let Term::Op(op, _) = pool.term(term) {
                self.by_op.entry(op).or_default().push((term, level));
            }
        }
        Ok(())
    }

    /// The terms from a position on, children before parents.
    pub(super) fn since(&self, position: usize) -> &[(TermId, u8)] {
        &self.terms[position..]
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// The terms with an operator, up to a level.
    pub(super) fn with_op(&self, op: Op, level: u8) -> impl Iterator<Item = TermId> + '_ {
        let terms = self.by_op.get(&op).map_or(&[][..], |terms| terms);
        terms.iter().filter(move |&&(_, at)| at <= level).map(|&(term, _)| term)
    }
}
