//! Notes of points: tooltip and link, computed only for points that are drawn or listed.

use std::fmt;
use std::sync::Arc;

/// The note of a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// Where it leads. Only relative, `http` and `https` addresses are written.
    pub link: Option<String>,
    /// The text that is shown when the pointer is over it.
    pub tooltip: Option<String>,
}

/// The notes of the points of a group. A note is computed when its point is drawn or listed: of a
/// hundred thousand points only some thousand are drawn, and texts take longer than points.
#[derive(Clone, Default)]
pub struct Notes(Option<Arc<NoteFunction>>);

type NoteFunction = dyn Fn(usize) -> Note + Send + Sync;

impl Notes {
    /// Notes computed on demand by `make`, from the index of a point in its group.
    pub fn lazy(make: impl Fn(usize) -> Note + Send + Sync + 'static) -> Self {
        Notes(Some(Arc::new(make)))
    }

    /// One for each point, in their order.
    pub fn of(notes: Vec<Note>) -> Self {
        Notes::lazy(move |index| notes.get(index).cloned().unwrap_or_default())
    }

    /// The note of a point; empty if the group has no notes.
    pub fn about(&self, index: usize) -> Note {
        self.0.as_ref().map(|make| make(index)).unwrap_or_default()
    }
}

impl fmt::Debug for Notes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Notes(..)" } else { "Notes(none)" })
    }
}

/// The same notes, not only notes that say the same.
impl PartialEq for Notes {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Note, Notes};

    #[test]
    fn a_point_without_a_note_has_an_empty_one() {
        let note = Note { tooltip: Some("a".to_owned()), link: None };
        let notes = Notes::of(vec![note.clone()]);
        assert_eq!(notes.about(0), note);
        assert_eq!(notes.about(1), Note::default());
        assert_eq!(Notes::default().about(0), Note::default());
        assert_eq!(notes, notes.clone());
        assert_ne!(notes, Notes::of(vec![note]));
        assert_ne!(notes, Notes::default());
    }
}
