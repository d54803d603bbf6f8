//! Copies terms of one pool into another: definitions without parameters are expanded, constants get
//! new names if asked for.

use std::collections::BTreeMap;

use luthier_smtlib::lexer::is_simple_symbol;
use luthier_terms::{FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool};

/// Copies terms, and remembers what it copied.
#[derive(Default)]
pub(super) struct Importer {
    /// Appended to the names of constants.
    suffix: &'static str,
    copies: BTreeMap<TermId, Option<TermId>>,
    functions: BTreeMap<FunctionId, FunctionId>,
}

impl Importer {
    /// Names stay as they are.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names get a suffix.
    pub fn with_suffix(suffix: &'static str) -> Self {
        Self { suffix, ..Self::default() }
    }

    /// The copy of a term; `None` if it has something that is not copied: quantifiers, arrays, functions
    /// with parameters, constants of other sorts.
    pub fn import(&mut self, from: &TermPool, to: &mut TermPool, root: TermId) -> Option<TermId> {
        // Bodies of definitions are copied before the terms that use them; they are as old as those.
        let mut roots = vec![root];
        let mut position = 0;
        while position < roots.len() {
            for part in PostOrder::new(from, [roots[position]]) {
                if let Term::Apply(function, []) = from.term(part)
                    && let Some(definition) = &from.function(function).definition
                    && let Some(body) = definition.body()
                    && !roots.contains(&body)
                {
                    roots.push(body);
                }
            }
            position += 1;
        }
        for root in roots.into_iter().rev() {
            for part in PostOrder::new(from, [root]) {
                if !self.copies.contains_key(&part) {
                    let copy = self.copy(from, to, part);
                    self.copies.insert(part, copy);
                }
            }
        }
        self.copies.get(&root).copied().flatten()
    }

    fn copied(&self, term: TermId) -> Option<TermId> {
        self.copies.get(&term).copied().flatten()
    }

    /// The copy of a term whose parts were copied.
    fn copy(&mut self, from: &TermPool, to: &mut TermPool, term: TermId) -> Option<TermId> {
        match from.term(term) {
            Term::String(text) => to.string(text.clone()).ok(),
            Term::Integer(number) => to.integer(number.clone()).ok(),
            Term::Op(Op::Select | Op::Store | Op::ConstArray, _) => None,
            Term::Op(op, children) => {
                let children: Option<Vec<TermId>> =
                    children.iter().map(|child| self.copied(*child)).collect();
                to.op(op, &children?).ok()
            }
            Term::Apply(function, []) => {
                if let Some(definition) = &from.function(function).definition {
                    return self.copied(definition.body()?);
                }
                let function = self.function(from, to, function)?;
                to.apply(function, &[]).ok()
            }
            Term::Named(_, inner) => self.copied(inner),
            _ => None,
        }
    }

    fn function(
        &mut self,
        from: &TermPool,
        to: &mut TermPool,
        id: FunctionId,
    ) -> Option<FunctionId> {
        if let Some(&known) = self.functions.get(&id) {
            return Some(known);
        }
        let sort = from.function(id).result;
        if !matches!(sort, Sort::Bool | Sort::Int | Sort::String) {
            return None;
        }
        // A witness is written without bars.
        let plain = is_simple_symbol(from.symbols().bytes_of(from.function(id).name));
        let name = match plain {
            true => format!("{}{}", from.function_name(id), self.suffix),
            false => format!("c{}{}", self.functions.len(), self.suffix),
        };
        let name = to.symbols_mut().intern(name.as_bytes()).ok()?;
        let new = to.declare(name, Vec::new(), sort).ok()?;
        self.functions.insert(id, new);
        Some(new)
    }

    /// The constants that were copied: old and new.
    pub fn renamed(&self) -> impl Iterator<Item = (FunctionId, FunctionId)> + '_ {
        self.functions.iter().map(|(&old, &new)| (old, new))
    }

    /// The new constants, in the order of the pool.
    pub fn constants(&self) -> Vec<FunctionId> {
        let mut constants: Vec<FunctionId> = self.functions.values().copied().collect();
        constants.sort_unstable();
        constants.dedup();
        constants
    }
}
