//! Rewrites operators that a dialect lacks, or has with two arguments only, to equivalent terms.

use luthier_terms::{Fold, Op, TermId};

use super::terms::{Item, TermPrinter};
use crate::dialect::names::Rewriting;

impl TermPrinter<'_> {
    /// Writes an operator with many arguments in pairs, where solvers know it with two only
    /// or fold it otherwise.
    pub(super) fn in_pairs(
        &mut self,
        name: &'static str,
        op: Op,
        arguments: &[TermId],
        stack: &mut Vec<Item>,
    ) {
        let mut items = Vec::new();
        if op.fold() == Some(Fold::Chainable) {
            items.push(Item::Text("(and"));
            for pair in arguments.windows(2) {
                items.extend([Item::Text(" ("), Item::Text(name)]);
                for &argument in pair {
                    items.extend([Item::Text(" "), Item::Term(argument)]);
                }
                items.push(Item::Text(")"));
            }
            items.push(Item::Text(")"));
        } else {
            for _ in &arguments[1..] {
                items.extend([Item::Text("("), Item::Text(name), Item::Text(" ")]);
            }
            items.push(Item::Term(arguments[0]));
            for &argument in &arguments[1..] {
                items.extend([Item::Text(" "), Item::Term(argument), Item::Text(")")]);
            }
        }
        stack.extend(items.into_iter().rev());
    }

    /// Writes an operator that the dialect lacks by others that mean the same.
    pub(super) fn rewritten(
        &mut self,
        rewriting: Rewriting,
        indices: &[TermId],
        arguments: &[TermId],
        stack: &mut Vec<Item>,
    ) {
        match rewriting {
            Rewriting::AllStrings => self.text("(re.* re.allchar)"),
            Rewriting::AllCharacters => self.text("(re.range \"\\x00\" \"\\xff\")"),
            Rewriting::IsDigit => {
                self.text("(str.in.re ");
                stack.push(Item::Text(" (re.range \"0\" \"9\"))"));
                stack.push(Item::Term(arguments[0]));
            }
            Rewriting::Divisible => {
                // Nothing but zero is a multiple of zero.
                let zero = self.pool.as_integer(indices[0]) == Some(0.into());
                self.text(if zero { "(= " } else { "(= (mod " });
                stack.push(Item::Text(" 0)"));
                if !zero {
                    stack.push(Item::Text(")"));
                    stack.push(Item::Term(indices[0]));
                    stack.push(Item::Text(" "));
                }
                stack.push(Item::Term(arguments[0]));
            }
            Rewriting::Difference => {
                self.text("(re.inter ");
                stack.push(Item::Text(")"));
                for &removed in arguments[1..].iter().rev() {
                    stack.push(Item::Text(")"));
                    stack.push(Item::Term(removed));
                    stack.push(Item::Text(" (re.complement "));
                }
                stack.push(Item::Term(arguments[0]));
            }
        }
    }
}
