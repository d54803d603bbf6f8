//! Derivatives of regular expressions and classes of letters.
//!
//! The derivative of `R` by `a` is `{w : a·w ∈ R}`. `∂(RS) = ∂R·S`, plus `∂S` if `ε ∈ R`; it
//! commutes with union, intersection and complement; `∂(R*) = ∂R·R*` (Brzozowski, section 3). Both
//! computations are memoised and iterative.

use super::regex::{LAST_CODE, Node, Regex, Regexes};
use crate::{Budget, UnknownReason};

/// The number of subexpressions between checks of the budget.
const CHECK_INTERVAL: usize = 64;

impl Regexes {
    /// The starts of the classes of letters that the derivative of an expression may distinguish;
    /// the first is 0.
    pub fn classes(
        &mut self,
        root: Regex,
        budget: &Budget,
    ) -> Result<std::rc::Rc<[u32]>, UnknownReason> {
        let mut stack = vec![(root, false)];
        let mut count = 0;
        while let Some((regex, expanded)) = stack.pop() {
            count += 1;
            if count % CHECK_INTERVAL == 0 {
                budget.check()?;
            }
            if self.classes.contains_key(&regex) {
                continue;
            }
            let below = self.heads(regex);
            if !expanded {
                stack.push((regex, true));
                stack.extend(below.into_iter().map(|part| (part, false)));
                continue;
            }
            let mut starts = vec![0];
            if let Node::Letters(intervals) = self.node(regex) {
                for &(low, high) in intervals {
                    starts.push(low);
                    starts.extend((high < LAST_CODE).then_some(high + 1));
                }
            }
            for part in below {
                starts.extend_from_slice(&self.classes[&part]);
            }
            starts.sort_unstable();
            starts.dedup();
            self.classes.insert(regex, starts.into());
        }
        Ok(self.classes[&root].clone())
    }

    /// The subexpressions on which the derivative of an expression depends.
    fn heads(&self, regex: Regex) -> Vec<Regex> {
        match self.node(regex) {
            Node::None | Node::Empty | Node::Letters(_) => Vec::new(),
            Node::Concat(left, right) if self.accepts_empty(*left) => vec![*left, *right],
            Node::Concat(inner, _)
            | Node::Star(inner)
            | Node::Complement(inner)
            | Node::Loop(inner, ..) => vec![*inner],
            Node::Union(parts) | Node::Intersection(parts) => parts.clone(),
        }
    }

    /// The derivative by a letter; `None` if the store is full.
    pub fn derivative(
        &mut self,
        root: Regex,
        letter: u32,
        budget: &Budget,
    ) -> Result<Option<Regex>, UnknownReason> {
        let mut stack = vec![(root, false)];
        let mut count = 0;
        while let Some((regex, expanded)) = stack.pop() {
            count += 1;
            if count % CHECK_INTERVAL == 0 {
                budget.check()?;
                if self.is_full(budget) {
                    return Ok(None);
                }
            }
            if self.derivatives.contains_key(&(regex, letter)) {
                continue;
            }
            if !expanded {
                stack.push((regex, true));
                stack.extend(self.heads(regex).into_iter().map(|part| (part, false)));
                continue;
            }
            let result = self.derive(regex, letter);
            self.derivatives.insert((regex, letter), result);
        }
        Ok((!self.is_full(budget)).then(|| self.derivatives[&(root, letter)]))
    }

    fn derive(&mut self, regex: Regex, letter: u32) -> Regex {
        let of = |this: &Self, part: Regex| this.derivatives[&(part, letter)];
        match self.node(regex).clone() {
            Node::None | Node::Empty => self.none(),
            Node::Letters(intervals) => {
                let inside = intervals.iter().any(|&(low, high)| low <= letter && letter <= high);
                if inside { self.empty() } else { self.none() }
            }
            Node::Concat(left, right) => {
                let first = self.concat(of(self, left), right);
                if self.accepts_empty(left) {
                    let second = of(self, right);
                    self.union([first, second])
                } else {
                    first
                }
            }
            Node::Star(inner) => self.concat(of(self, inner), regex),
            Node::Union(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| of(self, part)).collect();
                self.union(parts)
            }
            Node::Intersection(parts) => {
                let parts: Vec<_> = parts.into_iter().map(|part| of(self, part)).collect();
                self.intersection(parts)
            }
            Node::Complement(inner) => self.complement(of(self, inner)),
            Node::Loop(inner, least, most) => {
                // If the inner language has the empty string, fewer iterations are as good as more.
                let rest = self.repeat(inner, least.saturating_sub(1), most - 1);
                self.concat(of(self, inner), rest)
            }
        }
    }
}
