//! The symbol table: what each name refers to at the current position, with an undo history for
//! `let`, binders and `push`/`pop`.
//!
//! A name may be a builtin operator, a function, a term (bound variable, `let`, `:named`) or *poison*,
//! if its declaration was wrong; uses of poison are not reported again.

use luthier_terms::{FunctionId, Sort, SymbolId, TermId, TermPool};
use rustc_hash::FxHashMap;

use super::builtins::BUILTINS;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// None.
    Free,
    /// An entry of [`BUILTINS`].
    Builtin(u16),
    /// A declared or defined function or constant.
    Function(FunctionId),
    /// A bound variable, a `let`, or a named term.
    Term(TermId),
    /// Something that was wrong; an error has been reported already.
    Poison,
}

/// The meaning of every name, with a history to go back in.
#[derive(Default)]
pub(crate) struct Bindings {
    current: Vec<Binding>,
    sorts: FxHashMap<SymbolId, Sort>,
    /// How many binders of a name and sort enclose the place that is read.
    binders: FxHashMap<(SymbolId, Sort), u32>,
    history: Vec<Change>,
    /// Lengths of the history at each `push`.
    levels: Vec<usize>,
    /// `pop` keeps declarations: the option `:global-declarations`.
    pub(crate) global_declarations: bool,
}

/// What a step of the history changed, to go back.
enum Change {
    /// What a name meant before.
    Name(SymbolId, Binding),
    /// What a name meant before it became a bound variable of this sort.
    Variable(SymbolId, Sort, Binding),
    /// What the name of a sort meant before.
    Sort(SymbolId, Option<Sort>),
}

impl Bindings {
    /// The names that mean something at the beginning of a script.
    pub(crate) fn with_builtins(pool: &mut TermPool) -> Self {
        let mut bindings = Self::default();
        for (index, builtin) in BUILTINS.iter().enumerate() {
            // The first hundred names of a pool always fit.
            if let Ok(symbol) = pool.symbols_mut().intern(builtin.name.as_bytes()) {
                bindings.set(symbol, Binding::Builtin(index as u16));
            }
        }
        bindings.history.clear();
        bindings
    }

    #[inline]
    pub(crate) fn get(&self, symbol: SymbolId) -> Binding {
        self.current.get(symbol.index()).copied().unwrap_or(Binding::Free)
    }

    /// Gives a name another meaning until the history is undone.
    pub(crate) fn set(&mut self, symbol: SymbolId, binding: Binding) {
        let before = self.replace(symbol, binding);
        self.history.push(Change::Name(symbol, before));
    }

    /// Lets a name mean a bound variable until the history is undone.
    pub(crate) fn set_variable(&mut self, symbol: SymbolId, sort: Sort, variable: TermId) {
        let before = self.replace(symbol, Binding::Term(variable));
        *self.binders.entry((symbol, sort)).or_default() += 1;
        self.history.push(Change::Variable(symbol, sort, before));
    }

    /// How many binders of a name and sort enclose this place, also those that are hidden here.
    pub(crate) fn binders(&self, symbol: SymbolId, sort: Sort) -> u32 {
        self.binders.get(&(symbol, sort)).copied().unwrap_or(0)
    }

    /// What an abbreviation of a sort stands for.
    pub(crate) fn sort(&self, symbol: SymbolId) -> Option<Sort> {
        self.sorts.get(&symbol).copied()
    }

    /// Abbreviates a sort until the history is undone.
    pub(crate) fn set_sort(&mut self, symbol: SymbolId, sort: Sort) {
        let before = self.sorts.insert(symbol, sort);
        self.history.push(Change::Sort(symbol, before));
    }

    /// A place in the history.
    pub(crate) fn mark(&self) -> usize {
        self.history.len()
    }

    /// Goes back to a place in the history.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.history.len() > mark {
            match self.history.pop() {
                Some(Change::Name(symbol, before)) => self.current[symbol.index()] = before,
                Some(Change::Variable(symbol, sort, before)) => {
                    self.current[symbol.index()] = before;
                    if let Some(count) = self.binders.get_mut(&(symbol, sort)) {
                        *count -= 1;
                    }
                }
                Some(Change::Sort(symbol, Some(before))) => {
                    self.sorts.insert(symbol, before);
                }
                Some(Change::Sort(symbol, None)) => {
                    self.sorts.remove(&symbol);
                }
                None => {}
            }
        }
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(self.history.len());
    }

    /// `false`: nothing was pushed.
    pub(crate) fn pop(&mut self) -> bool {
        match self.levels.pop() {
            Some(_) if self.global_declarations => true,
            Some(mark) => {
                self.undo_to(mark);
                true
            }
            None => false,
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    pub(crate) fn reset(&mut self) {
        self.levels.clear();
        self.global_declarations = false;
        self.undo_to(0);
    }

    fn replace(&mut self, symbol: SymbolId, binding: Binding) -> Binding {
        if self.current.len() <= symbol.index() {
            self.current.resize(symbol.index() + 1, Binding::Free);
        }
        std::mem::replace(&mut self.current[symbol.index()], binding)
    }
}
