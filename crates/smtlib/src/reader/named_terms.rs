//! References to `:named` terms: a name refers to the term without the `:named` annotations inside it,
//! which would otherwise be declared twice.

use luthier_terms::{BuildError, Op, Sort, Term, TermId};
use rustc_hash::FxHashMap;

use super::Reader;

impl Reader<'_, '_> {
    /// The same term without names inside: where its own name is used, they must not be given
    /// again.
    pub(super) fn without_names(&mut self, root: TermId) -> Result<TermId, BuildError> {
        let mut plain: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((term, expanded)) = stack.pop() {
            if plain.contains_key(&term) {
                continue;
            }
            if !expanded {
                stack.push((term, true));
                stack.extend(self.pool.children(term).iter().map(|&child| (child, false)));
                continue;
            }
            let children: Vec<TermId> =
                self.pool.children(term).iter().map(|child| plain[child]).collect();
            let built = match self.pool.term(term) {
                Term::String(_) | Term::Integer(_) | Term::Variable(_) => term,
                Term::Named(..) => children[0],
                Term::Op(Op::ConstArray, _) => match self.pool.sort(term) {
                    Sort::Array(index, _) => self.pool.constant_array(index, children[0])?,
                    _ => term,
                },
                Term::Op(op, _) => self.pool.op(op, &children)?,
                Term::Apply(function, _) => self.pool.apply(function, &children)?,
                Term::Quantifier(view) => {
                    let quantifier = view.quantifier;
                    let (variables, rest) = children.split_at(view.variables.len());
                    let lengths: Vec<usize> = view.patterns().map(<[TermId]>::len).collect();
                    let mut terms = rest[1..].iter().copied();
                    let patterns: Vec<Vec<TermId>> = lengths
                        .iter()
                        .map(|&length| terms.by_ref().take(length).collect())
                        .collect();
                    self.pool.quantify(quantifier, variables, rest[0], &patterns)?
                }
            };
            plain.insert(term, built);
        }
        Ok(plain[&root])
    }
}
