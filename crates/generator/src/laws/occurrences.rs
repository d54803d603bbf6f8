//! Positions of subterms within a term, and the replacement at one position. A shared subterm has a
//! position for each occurrence.

use luthier_terms::{Term, TermId, TermPool};

use super::SORTED;

/// A position within a term.
#[derive(Clone, Copy, Debug)]
struct Position {
    term: TermId,
    /// The position of the parent and the index of the child; `None` at the root.
    parent: Option<(usize, usize)>,
}

/// All positions of a term, except those below binders and indices, which must stay numerals.
pub(super) struct Occurrences {
    positions: Vec<Position>,
}

impl Occurrences {
    /// The positions, parents first, about `most` at most.
    pub fn new(pool: &TermPool, root: TermId, most: usize) -> Self {
        let mut positions = vec![Position { term: root, parent: None }];
        let mut next = 0;
        while next < positions.len() && positions.len() < most {
            if let Term::Op(op, children) = pool.term(positions[next].term) {
                let children = children.iter().enumerate().skip(op.info().indices);
                positions.extend(
                    children.map(|(number, &term)| Position { term, parent: Some((next, number)) }),
                );
            }
            next += 1;
        }
        Self { positions }
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The subterm at a position.
    pub fn term(&self, position: usize) -> TermId {
        self.positions[position].term
    }

    /// The whole term with another subterm of the same sort at a position.
    pub fn replaced(&self, pool: &mut TermPool, position: usize, by: TermId) -> TermId {
        let (mut position, mut by) = (position, by);
        while let Some((parent, number)) = self.positions[position].parent {
            if let Term::Op(op, children) = pool.term(self.positions[parent].term) {
                let mut children = children.to_vec();
                children[number] = by;
                by = pool.op(op, &children).expect(SORTED);
            }
            position = parent;
        }
        by
    }
}
