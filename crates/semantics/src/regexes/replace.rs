//! `str.replace_re` and `str.replace_re_all`: the leftmost match, and of those the shortest
//! (SMT-LIB 2.7, theory `Strings`).

use luthier_terms::{CodePoint, SmtString};

use super::matcher::Matcher;
use crate::limits::{Budget, Exhausted};
use crate::strings;

/// A finder of matches: `forward` matches the language, and `starts` matches, from right to left,
/// the words that begin with one of its words.
pub(super) struct Finder<'a> {
    pub(super) forward: &'a mut Matcher,
    pub(super) starts: &'a mut Matcher,
}

impl Finder<'_> {
    /// The leftmost, shortest match becomes `u`; without one, `s`.
    ///
    /// If the empty string is in the language, it is the match, at zero.
    pub(super) fn replace(
        &mut self,
        s: &[CodePoint],
        u: &[CodePoint],
        budget: &mut Budget,
    ) -> Result<SmtString, Exhausted> {
        let starts = self.starts(s, budget)?;
        Ok(match starts.iter().position(|&start| start) {
            Some(start) => {
                let end = self.shortest_from(s, start, budget)?;
                strings::concat(&[&s[..start], u, &s[end..]])
            }
            None => SmtString::from(s),
        })
    }

    /// Every leftmost, shortest match after the previous one becomes `u`. Only for a language
    /// without the empty string.
    pub(super) fn replace_all(
        &mut self,
        s: &[CodePoint],
        u: &[CodePoint],
        longest: usize,
        budget: &mut Budget,
    ) -> Result<SmtString, Exhausted> {
        let starts = self.starts(s, budget)?;
        let mut result = Vec::new();
        let mut position = 0;
        while position < s.len() {
            if starts[position] {
                position = self.shortest_from(s, position, budget)?;
                result.extend_from_slice(u);
                budget.charge(u.len())?;
            } else {
                result.push(s[position]);
                position += 1;
            }
            if result.len() > longest {
                return Err(Exhausted);
            }
        }
        Ok(result.into())
    }

    /// For each position from zero to `|s|`, whether a match starts there: whether the rest of `s`
    /// begins with a word of the language. One pass from right to left decides it for all
    /// positions, where a search from each one would take quadratic time.
    fn starts(&mut self, s: &[CodePoint], budget: &mut Budget) -> Result<Vec<bool>, Exhausted> {
        let mut starts = vec![false; s.len() + 1];
        let mut state = self.starts.start();
        starts[s.len()] = self.starts.accepts(state);
        for (position, &character) in s.iter().enumerate().rev() {
            state = self.starts.next(state, character, budget)?;
            starts[position] = self.starts.accepts(state);
        }
        Ok(starts)
    }

    /// Where the shortest match that starts at `start` ends; there is one.
    fn shortest_from(
        &mut self,
        s: &[CodePoint],
        start: usize,
        budget: &mut Budget,
    ) -> Result<usize, Exhausted> {
        let mut state = self.forward.start();
        let mut end = start;
        while !self.forward.accepts(state) {
            let &character = s.get(end).expect("a match starts here, so one ends");
            state = self.forward.next(state, character, budget)?;
            end += 1;
        }
        Ok(end)
    }
}
