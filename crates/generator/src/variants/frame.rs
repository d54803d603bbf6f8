//! A script with exactly one query: its active assertions, the position of the query, and the names
//! in use. Variants are expressed as edits of its commands.

use std::collections::{BTreeMap, BTreeSet};

use luthier_smtlib::source::Span;
use luthier_smtlib::{Assertion, Command, CommandKind, Script, SimpleCommand};
use luthier_terms::{FunctionId, PostOrder, Sort, SymbolId, Term, TermId, TermPool};

/// Commands that replace the command with this index, or are added at the end.
pub(super) type Edits = BTreeMap<usize, Vec<CommandKind>>;

/// A script with one query.
pub(super) struct Frame<'a> {
    pub script: &'a Script,
    /// The assertions that are active at the query, with the indices of their commands.
    pub active: Vec<(usize, Assertion)>,
    /// The index of the query; the number of commands if it is implied at the end.
    pub query: usize,
    /// Whether there is no `push`, `pop` or reset.
    pub is_flat: bool,
    /// All names that the script uses.
    used: BTreeSet<Vec<u8>>,
}

impl<'a> Frame<'a> {
    /// `None` if the script has not exactly one query, or has named subterms, which must not occur twice and
    /// so prevent most transformations.
    pub fn of(pool: &TermPool, script: &'a Script) -> Option<Self> {
        let mut active: Vec<(usize, Assertion)> = Vec::new();
        let mut levels: Vec<usize> = Vec::new();
        let mut is_flat = true;
        let mut asked: Option<(usize, Vec<(usize, Assertion)>)> = None;
        for (number, command) in script.commands.iter().enumerate() {
            match &command.kind {
                CommandKind::Assert(assertion) => active.push((number, *assertion)),
                CommandKind::Push(count) => {
                    is_flat = false;
                    levels.extend(std::iter::repeat_n(active.len(), *count as usize));
                }
                CommandKind::Pop(count) => {
                    is_flat = false;
                    for _ in 0..*count {
                        active.truncate(levels.pop().unwrap_or(0));
                    }
                }
                CommandKind::Reset | CommandKind::ResetAssertions => return None,
                CommandKind::CheckSat | CommandKind::CheckSatAssuming(_) => {
                    if asked.is_some() {
                        return None;
                    }
                    asked = Some((number, active.clone()));
                }
                CommandKind::Simple(SimpleCommand::Exit) => break,
                _ => {}
            }
        }
        let (query, active) = asked.unwrap_or((script.commands.len(), active));
        if active.is_empty() {
            return None;
        }
        let used = used_names(pool, script)?;
        Some(Self { script, active, query, is_flat, used })
    }

    /// The assertions that are active at the query.
    pub fn terms(&self) -> Vec<TermId> {
        self.active.iter().map(|(_, assertion)| assertion.term).collect()
    }

    /// The assumptions of the query.
    pub fn assumptions(&self) -> Vec<TermId> {
        match self.script.commands.get(self.query).map(|command| &command.kind) {
            Some(CommandKind::CheckSatAssuming(terms)) => terms.clone(),
            _ => Vec::new(),
        }
    }

    /// The constants without parameters that are declared before the query and still in scope.
    pub fn constants(&self, pool: &TermPool) -> Vec<FunctionId> {
        let before = Script { commands: self.script.commands[..self.query].to_vec() };
        let mut declared = before.declared(pool);
        declared.retain(|&function| pool.function(function).parameters.is_empty());
        declared
    }

    /// The script with some commands replaced.
    pub fn edited(&self, mut edits: Edits) -> Script {
        let made = |kind: CommandKind| Command { kind, span: Span::default() };
        let mut commands = Vec::with_capacity(self.script.commands.len() + edits.len());
        for (number, command) in self.script.commands.iter().enumerate() {
            match edits.remove(&number) {
                Some(others) => commands.extend(others.into_iter().map(made)),
                None => commands.push(made(command.kind.clone())),
            }
        }
        commands.extend(edits.into_values().flatten().map(made));
        Script { commands }
    }

    /// The command with this number, after others; they come last if there is no such command.
    pub fn preceded(&self, number: usize, mut others: Vec<CommandKind>) -> Vec<CommandKind> {
        others.extend(self.script.commands.get(number).map(|command| command.kind.clone()));
        others
    }

    /// A source of names that the script does not use.
    pub fn names(&self) -> FreshNames {
        FreshNames { used: self.used.clone() }
    }
}

/// Finds names that a script does not use.
pub(super) struct FreshNames {
    used: BTreeSet<Vec<u8>>,
}

impl FreshNames {
    /// A new name with this stem.
    pub fn name(&mut self, pool: &mut TermPool, stem: &str) -> Option<SymbolId> {
        let mut name = stem.as_bytes().to_vec();
        let mut number = 0;
        while self.used.contains(&name) {
            number += 1;
            name = format!("{stem}{number}").into_bytes();
        }
        let symbol = pool.symbols_mut().intern(&name).ok();
        self.used.insert(name);
        symbol
    }

    /// A new constant.
    pub fn fresh_constant(
        &mut self,
        pool: &mut TermPool,
        stem: &str,
        sort: Sort,
    ) -> Option<(FunctionId, TermId)> {
        let name = self.name(pool, stem)?;
        let function = pool.declare(name, Vec::new(), sort).ok()?;
        Some((function, pool.apply(function, &[]).ok()?))
    }
}

/// An assertion without a name.
pub(super) fn plain(term: TermId) -> CommandKind {
    CommandKind::Assert(Assertion { term, name: None, uses_let: false })
}

/// All names that a script uses; `None` if it has named subterms.
fn used_names(pool: &TermPool, script: &Script) -> Option<BTreeSet<Vec<u8>>> {
    let mut used = BTreeSet::new();
    let mut roots: Vec<TermId> = Vec::new();
    let mut functions: Vec<FunctionId> = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::Declare { function, .. } | CommandKind::Define { function, .. } => {
                functions.push(*function);
            }
            CommandKind::DefineRecursive(defined) => functions.extend(defined),
            CommandKind::DefineSort(name, _) => {
                used.insert(pool.symbols().bytes_of(*name).to_vec());
            }
            CommandKind::Assert(assertion) => {
                roots.push(assertion.term);
                used.extend(assertion.name.map(|name| pool.symbols().bytes_of(name).to_vec()));
            }
            CommandKind::CheckSatAssuming(terms) | CommandKind::GetValue(terms) => {
                roots.extend(terms);
            }
            CommandKind::Simplify(term) => roots.push(*term),
            _ => {}
        }
    }
    for function in functions {
        let function = pool.function(function);
        used.insert(pool.symbols().bytes_of(function.name).to_vec());
        if let Some(definition) = &function.definition {
            roots.extend(definition.variables());
            roots.extend(definition.body());
        }
    }
    for part in PostOrder::new(pool, roots) {
        match pool.term(part) {
            Term::Variable(variable) => {
                used.insert(pool.symbols().bytes_of(variable.name).to_vec());
            }
            Term::Named(..) => return None,
            _ => {}
        }
    }
    Some(used)
}
