//! The places of terms within a term, and what it becomes if something else stands at one.

use luthier_terms::{Term, TermId, TermPool};

use super::SORTED;

/// A place within a term.
#[derive(Clone, Copy, Debug)]
struct Place {
    term: TermId,
    /// The place of the parent and the number of the child; none at the root.
    parent: Option<(usize, usize)>,
}

/// All places of a term, but for those below binders and for indices, which must stay numerals.
pub(super) struct Occurrences {
    places: Vec<Place>,
}

impl Occurrences {
    /// The places, parents first. Only the first `most` are looked at.
    pub fn new(pool: &TermPool, root: TermId, most: usize) -> Self {
        let mut places = vec![Place { term: root, parent: None }];
        let mut next = 0;
        while next < places.len() && places.len() < most {
            if let Term::Op(op, children) = pool.term(places[next].term) {
                let children = children.iter().enumerate().skip(op.info().indices);
                places.extend(
                    children.map(|(number, &term)| Place { term, parent: Some((next, number)) }),
                );
            }
            next += 1;
        }
        Self { places }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// What stands at a place.
    pub fn term(&self, place: usize) -> TermId {
        self.places[place].term
    }

    /// The whole term with something else of the same sort at a place.
    pub fn replaced(&self, pool: &mut TermPool, place: usize, by: TermId) -> TermId {
        let (mut place, mut by) = (place, by);
        while let Some((parent, number)) = self.places[place].parent {
            if let Term::Op(op, children) = pool.term(self.places[parent].term) {
                let mut children = children.to_vec();
                children[number] = by;
                by = pool.op(op, &children).expect(SORTED);
            }
            place = parent;
        }
        by
    }
}
