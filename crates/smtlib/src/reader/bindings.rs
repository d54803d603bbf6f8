//! What a name means where it stands.

use luthier_terms::{FunctionId, SymbolId, TermId, TermPool};

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
    history: Vec<(SymbolId, Binding)>,
    /// Lengths of the history at each `push`.
    levels: Vec<usize>,
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
        if self.current.len() <= symbol.index() {
            self.current.resize(symbol.index() + 1, Binding::Free);
        }
        let before = std::mem::replace(&mut self.current[symbol.index()], binding);
        self.history.push((symbol, before));
    }

    /// A place in the history.
    pub(crate) fn mark(&self) -> usize {
        self.history.len()
    }

    /// Goes back to a place in the history.
    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.history.len() > mark {
            if let Some((symbol, before)) = self.history.pop() {
                self.current[symbol.index()] = before;
            }
        }
    }

    pub(crate) fn push(&mut self) {
        self.levels.push(self.history.len());
    }

    /// `false`: nothing was pushed.
    pub(crate) fn pop(&mut self) -> bool {
        match self.levels.pop() {
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
        self.undo_to(0);
    }
}
