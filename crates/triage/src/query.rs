//! Scripts with one failing query, as triage changes them: roots, sizes, declarations, flattening.
//!
//! The failing query is the last one of the script. Everything that a reduction builds is a script over
//! terms of the same pool, so that every candidate is well-sorted; [`with_declarations`] makes it legal by
//! declaring exactly what is used.

use luthier_judge::used_functions;
use luthier_smtlib::{
    Assertion, Command, CommandKind, Dialect, PrintOptions, Script, print_script,
};
use luthier_terms::{
    Definition, FunctionId, PostOrder, Term, TermId, TermPool, inline, substitute_with,
    with_children,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A command without a position.
pub(crate) fn command(kind: CommandKind) -> Command {
    Command { kind, span: Default::default() }
}

/// The terms that a script asserts or assumes, in order, also those that are popped before the query.
pub(crate) fn roots(script: &Script) -> Vec<TermId> {
    let mut roots = Vec::new();
    for command in &script.commands {
        match &command.kind {
            CommandKind::Assert(assertion) => roots.push(assertion.term),
            CommandKind::CheckSatAssuming(terms) => roots.extend(terms),
            _ => {}
        }
    }
    roots
}

/// The formulas of the last query: its assertions and assumptions.
pub fn last_query(script: &Script) -> Vec<TermId> {
    let Some(query) = script.queries().last() else { return Vec::new() };
    let assertions = query.assertions.iter().map(|active| active.assertion.term);
    assertions.chain(query.assumptions.iter().copied()).collect()
}

/// The number of nodes of all terms of a script, counted as trees; saturating.
pub fn nodes(pool: &TermPool, script: &Script) -> u64 {
    let roots = roots(script);
    let mut sizes: FxHashMap<TermId, u64> = FxHashMap::default();
    tree_sizes(pool, &roots, &mut sizes);
    roots.iter().fold(0, |sum, root| sum.saturating_add(sizes[root]))
}

/// The tree size of every subterm of some roots.
pub(crate) fn tree_sizes(pool: &TermPool, roots: &[TermId], sizes: &mut FxHashMap<TermId, u64>) {
    for term in PostOrder::new(pool, roots.iter().copied()) {
        let children = pool.children(term).iter();
        let size = children.fold(1_u64, |sum, child| sum.saturating_add(sizes[child]));
        sizes.insert(term, size);
    }
}

/// The declared constants without parameters that occur in some terms.
pub(crate) fn used_constants(pool: &TermPool, roots: &[TermId]) -> Vec<FunctionId> {
    let mut used = used_functions(pool, roots);
    used.retain(|&function| pool.function(function).parameters.is_empty());
    used
}

/// Whether no bound variable occurs free in a term.
pub(crate) fn is_closed(pool: &TermPool, roots: &[TermId]) -> bool {
    // The free variables of each subterm that has any.
    let mut free: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    for term in PostOrder::new(pool, roots.iter().copied()) {
        let mut own: Vec<TermId> = match pool.term(term) {
            Term::Variable(_) => vec![term],
            _ => {
                let children = pool.children(term).iter();
                children.filter_map(|child| free.get(child)).flatten().copied().collect()
            }
        };
        if let Term::Quantifier(view) = pool.term(term) {
            own.retain(|variable| !view.variables.contains(variable));
        }
        own.sort_unstable();
        own.dedup();
        if !own.is_empty() {
            free.insert(term, own);
        }
    }
    roots.iter().all(|root| !free.contains_key(root))
}

/// The script with the declarations that its terms need and no others. A declaration keeps its place if
/// it has one; what is missing is declared at the top.
pub(crate) fn with_declarations(pool: &TermPool, script: &Script) -> Script {
    let used = used_functions(pool, &roots(script));
    let is_used: FxHashSet<FunctionId> = used.iter().copied().collect();
    let mut declared: FxHashSet<FunctionId> = FxHashSet::default();
    for command in &script.commands {
        if let CommandKind::Declare { function, .. } = &command.kind {
            declared.insert(*function);
        }
    }
    let mut missing: Vec<Command> = Vec::new();
    for &function in used.iter().filter(|function| !declared.contains(function)) {
        missing.push(declaration(pool, function));
    }
    let mut commands = Vec::with_capacity(script.commands.len() + missing.len());
    for one in &script.commands {
        match &one.kind {
            CommandKind::Declare { function, .. } if !is_used.contains(function) => {}
            CommandKind::SetLogic(_) | CommandKind::SetInfo(_) | CommandKind::SetOption(_) => {
                commands.push(one.clone());
            }
            _ => {
                commands.append(&mut missing);
                commands.push(one.clone());
            }
        }
    }
    Script { commands }
}

fn declaration(pool: &TermPool, function: FunctionId) -> Command {
    let constant = pool.function(function).parameters.is_empty();
    command(CommandKind::Declare { function, constant })
}

/// The last query as a script of its own: logic, declarations, assertions, `check-sat`. Definitions are
/// inlined, assumptions become assertions, and names go unless `named`. `None` if a definition is
/// recursive.
pub(crate) fn flattened(pool: &mut TermPool, script: &Script, named: bool) -> Option<Script> {
    let query = script.queries().last()?;
    let mut commands = Vec::new();
    let is_logic = |one: &&Command| matches!(one.kind, CommandKind::SetLogic(_));
    commands.extend(script.commands.iter().rfind(is_logic).cloned());
    let hints = script.commands.iter().filter(|one| requests_spelling(pool, one));
    commands.extend(hints.cloned());
    let assertions = query.assertions.iter().map(|one| (one.assertion.term, one.assertion.name));
    let assumed = query.assumptions.iter().map(|&term| (term, None));
    let all: Vec<_> = assertions.chain(assumed).collect();
    for (term, name) in all {
        let term = without_definitions(pool, term)?;
        let name = name.filter(|_| named);
        let assertion = Assertion { term, name, uses_let: false };
        commands.push(command(CommandKind::Assert(assertion)));
    }
    commands.push(command(CommandKind::CheckSat));
    Some(with_declarations(pool, &Script { commands }))
}

/// Whether a command asks for a spelling of copies, which a failure may depend on.
fn requests_spelling(pool: &TermPool, command: &Command) -> bool {
    use luthier_smtlib::annotations::Annotation;
    matches!(&command.kind, CommandKind::SetInfo(attribute) if matches!(
        Annotation::of(pool, attribute), Some(Annotation::Names | Annotation::Backslashes)
    ))
}

/// The term without defined functions and named subterms. `None` if a definition is recursive.
fn without_definitions(pool: &mut TermPool, root: TermId) -> Option<TermId> {
    let mut term = root;
    // Definitions are not circular, so each round removes the outermost ones.
    while has_definitions(pool, term) {
        term = with_definitions_inlined(pool, term)?;
    }
    Some(term)
}

fn has_definitions(pool: &TermPool, root: TermId) -> bool {
    PostOrder::new(pool, [root]).any(|term| match pool.term(term) {
        Term::Apply(function, _) => pool.function(function).definition.is_some(),
        Term::Named(..) => true,
        _ => false,
    })
}

fn with_definitions_inlined(pool: &mut TermPool, root: TermId) -> Option<TermId> {
    let order: Vec<TermId> = PostOrder::new(pool, [root]).collect();
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in order {
        let children: Vec<TermId> = pool.children(term).iter().map(|child| done[child]).collect();
        let result = match pool.term(term) {
            Term::Apply(function, _) => match pool.function(function).definition.clone() {
                None => pool.apply(function, &children).ok()?,
                Some(Definition::Recursive { .. }) => return None,
                Some(Definition::Plain { variables, body }) => {
                    inline(pool, &variables, body, &children)?
                }
            },
            Term::Named(..) => *children.first()?,
            _ if children == pool.children(term) => term,
            _ => with_children(pool, term, &children)?,
        };
        done.insert(term, result);
    }
    done.get(&root).copied()
}

/// The script with other terms: each subterm that `map` names is replaced, at all its occurrences.
/// `None` if that is not possible or would let a bound variable escape.
pub(crate) fn replaced(
    pool: &mut TermPool,
    script: &Script,
    map: &FxHashMap<TermId, TermId>,
) -> Option<Script> {
    let mut done = map.clone();
    let mut commands = Vec::with_capacity(script.commands.len());
    for one in &script.commands {
        let kind = match &one.kind {
            CommandKind::Assert(assertion) => {
                let term = substitute_with(pool, assertion.term, map, &mut done)?;
                CommandKind::Assert(Assertion { term, ..*assertion })
            }
            CommandKind::CheckSatAssuming(terms) => {
                let terms = terms.iter();
                let terms: Option<Vec<TermId>> =
                    terms.map(|&term| substitute_with(pool, term, map, &mut done)).collect();
                CommandKind::CheckSatAssuming(terms?)
            }
            other => other.clone(),
        };
        commands.push(command(kind));
    }
    let script = Script { commands };
    is_closed(pool, &roots(&script)).then(|| with_declarations(pool, &script))
}

/// The text of a script in SMT-LIB 2.7; `None` if a name cannot be written.
pub(crate) fn text(pool: &TermPool, script: &Script) -> Option<Vec<u8>> {
    print_script(pool, script, &PrintOptions::new(Dialect::Smt27)).ok().map(|one| one.bytes)
}
