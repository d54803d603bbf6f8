//! Prints terms with an explicit stack of pending items, so that deep terms need no recursion.
//!
//! A term with more than [`MAX_TREE`] nodes as a tree, or whose source used `let`, is printed with
//! `let` (`scopes.rs`); all others are printed as trees.

use std::rc::Rc;

use luthier_terms::{
    BigInt, Op, Quantifier, QuantifierView, Sort, SymbolId, Term, TermId, TermPool, decimal,
};
use rustc_hash::FxHashMap;

use super::names::{Names, OperatorNames, operator_names, parts, post_order};
use super::scopes::Sharing;
use super::{CannotExpress, Note};
use crate::dialect::Dialect;
use crate::dialect::escapes::encode;
use crate::dialect::names::{Rewriting, Spelling, is_written_in_pairs, sort_name, spelling};
use crate::lexer::is_simple_symbol;

/// A term with more nodes than this as a tree is printed with `let`.
const MAX_TREE: u64 = 1_000_000;

/// What is still to be written, last first.
pub(super) enum Item {
    Term(TermId),
    /// A term that begins a scope in which shared parts are bound by `let`.
    Scope(TermId),
    Text(&'static str),
    Bytes(Vec<u8>),
    /// Forget the names and variables since the two stacks had these lengths.
    EndScope {
        names: usize,
        variables: usize,
    },
    /// A `let` name that is usable from here on.
    Bind(TermId, Vec<u8>),
}

pub(super) struct TermPrinter<'a> {
    pub(super) pool: &'a TermPool,
    pub(super) dialect: Dialect,
    out: Vec<u8>,
    notes: Vec<Note>,
    /// How many nodes each term of the pool has as a tree; `None` if it is counted when needed.
    tree_sizes: Option<Vec<u64>>,
    /// Some term of the pool has a name inside it, which may be written only once.
    has_named_parts: bool,
    sharing: Option<Sharing<'a>>,
    /// The term (or body of a definition) that is printed.
    root: Option<TermId>,
    /// The parameters of the definition.
    parameters: Vec<TermId>,
    operators: Option<Rc<OperatorNames>>,
    /// The names in it; looked for when a name is bound.
    occurring: Option<Names<'a>>,
    /// What bound variables and shared terms are called here.
    names: FxHashMap<TermId, Vec<u8>>,
    /// What `names` said before, to go back to.
    history: Vec<(TermId, Option<Vec<u8>>)>,
    /// Variables in scope, outer ones first.
    variables: Vec<TermId>,
    /// How often each variable is in scope.
    in_scope: FxHashMap<TermId, u32>,
    /// How many variables of a name and sort are in scope.
    binders: FxHashMap<(SymbolId, Sort), u32>,
    let_prefix: String,
    let_count: usize,
}

impl<'a> TermPrinter<'a> {
    /// A printer for many terms of a pool.
    pub fn for_script(pool: &'a TermPool, dialect: Dialect) -> Self {
        let named = pool.term_ids().any(|term| matches!(pool.term(term), Term::Named(..)));
        Self {
            tree_sizes: Some(pool.tree_sizes()),
            has_named_parts: named,
            ..Self::for_term(pool, dialect)
        }
    }

    /// A printer for one term, whose cost does not depend on how large the pool is.
    pub fn for_term(pool: &'a TermPool, dialect: Dialect) -> Self {
        Self {
            pool,
            dialect,
            out: Vec::new(),
            notes: Vec::new(),
            tree_sizes: None,
            has_named_parts: false,
            sharing: None,
            root: None,
            parameters: Vec::new(),
            operators: None,
            occurring: None,
            names: FxHashMap::default(),
            history: Vec::new(),
            variables: Vec::new(),
            in_scope: FxHashMap::default(),
            binders: FxHashMap::default(),
            let_prefix: String::new(),
            let_count: 0,
        }
    }

    pub fn finish(self) -> (Vec<u8>, Vec<Note>) {
        (self.out, self.notes)
    }

    /// How much has been written.
    pub fn length(&self) -> usize {
        self.out.len()
    }

    /// Takes back what has been written since there was so much.
    pub fn take_from(&mut self, length: usize) -> Vec<u8> {
        self.out.split_off(length)
    }

    pub fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Writes an integer.
    pub(super) fn number(&mut self, number: &BigInt) {
        let text = decimal::write(number);
        match text.strip_prefix('-') {
            Some(digits) => self.text(&format!("(- {digits})")),
            None => self.text(&text),
        }
    }

    /// Writes a name, quoted if it must be.
    pub fn symbol(&mut self, symbol: SymbolId) -> Result<(), CannotExpress> {
        let quoted = quote(self.pool.symbols().bytes_of(symbol))?;
        self.out.extend_from_slice(&quoted);
        Ok(())
    }

    /// Writes a sort.
    pub fn sort(&mut self, sort: Sort) -> Result<(), CannotExpress> {
        let name = self.sort_name(sort)?;
        self.text(&name);
        Ok(())
    }

    fn sort_name(&self, sort: Sort) -> Result<String, CannotExpress> {
        let dialect = self.dialect;
        sort_name(dialect, sort).ok_or(CannotExpress::Sort { dialect, sort })
    }

    /// Writes a term; with `let` if its source had it or if it would be huge without.
    pub fn print(&mut self, term: TermId, uses_let: bool) -> Result<(), CannotExpress> {
        let share = uses_let || self.is_huge(term) || self.has_named_part(term);
        self.sharing = if share { Sharing::new(self.pool, term) } else { None };
        let mut stack = vec![Item::Term(term)];
        if self.variables.is_empty() {
            // Not the body of a definition, whose names are known from its parameters.
            self.begin(term, &[]);
        }
        if self.sharing.is_some() {
            self.let_prefix =
                self.occurring().map(|names| names.unused_prefix()).unwrap_or_default();
            stack = vec![Item::Scope(term)];
        }
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => self.text(text),
                Item::Bytes(bytes) => self.out.extend_from_slice(&bytes),
                Item::Term(term) => self.term(term, &mut stack)?,
                Item::Scope(root) => self.scope(root, &mut stack),
                Item::Bind(term, name) => self.name(term, name),
                Item::EndScope { names, variables } => {
                    self.forget_variables(variables);
                    while self.history.len() > names {
                        if let Some((term, before)) = self.history.pop() {
                            match before {
                                Some(name) => self.names.insert(term, name),
                                None => self.names.remove(&term),
                            };
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// `(define-fun f (LIST) …` writes its parameters like a quantifier its variables.
    pub fn parameters(&mut self, variables: &[TermId], body: TermId) -> Result<(), CannotExpress> {
        self.begin(body, variables);
        let list = self.bind(variables, &[body])?;
        self.out.extend_from_slice(&list);
        Ok(())
    }

    /// Chooses the same names for the parameters of a definition again, without writing them.
    pub fn rebind_parameters(
        &mut self,
        variables: &[TermId],
        body: TermId,
    ) -> Result<(), CannotExpress> {
        self.begin(body, variables);
        self.bind(variables, &[body]).map(|_list| ())
    }

    /// Ends the scope of the parameters of a definition.
    pub fn end_parameters(&mut self) {
        self.names.clear();
        self.history.clear();
        self.forget_variables(0);
    }

    fn forget_variables(&mut self, length: usize) {
        for variable in self.variables.drain(length..) {
            if let Some(count) = self.in_scope.get_mut(&variable) {
                *count -= 1;
            }
            if let Term::Variable(variable) = self.pool.term(variable)
                && let Some(count) = self.binders.get_mut(&(variable.name, variable.sort))
            {
                *count -= 1;
            }
        }
    }

    /// Whether a term has more than [`MAX_TREE`] nodes as a tree.
    fn is_huge(&self, term: TermId) -> bool {
        if let Some(sizes) = &self.tree_sizes {
            return sizes[term.index()] > MAX_TREE;
        }
        let mut count = 0;
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            count += 1;
            if count > MAX_TREE {
                return true;
            }
            stack.extend(self.pool.children(term));
        }
        false
    }

    /// Whether a part has a name: it would be given twice if the part were written twice.
    pub(super) fn has_named_part(&self, term: TermId) -> bool {
        let is_named = |&part: &TermId| matches!(self.pool.term(part), Term::Named(..));
        self.has_named_parts && post_order(self.pool, term).iter().any(is_named)
    }

    /// Names are chosen for this term from here on.
    fn begin(&mut self, root: TermId, parameters: &[TermId]) {
        self.root = Some(root);
        self.parameters = parameters.to_vec();
        self.occurring = None;
    }

    /// The names in what is printed.
    fn occurring(&mut self) -> Option<&mut Names<'a>> {
        let (pool, dialect, root) = (self.pool, self.dialect, self.root?);
        let operators =
            self.operators.get_or_insert_with(|| Rc::new(operator_names(pool, dialect)));
        let make = || Names::new(pool, Rc::clone(operators), root, &self.parameters);
        Some(self.occurring.get_or_insert_with(make))
    }

    fn name(&mut self, term: TermId, name: Vec<u8>) {
        let before = self.names.insert(term, name);
        self.history.push((term, before));
    }

    /// Binds what is shared in a scope by `let`, one `let` for each level of dependence.
    fn scope(&mut self, root: TermId, stack: &mut Vec<Item>) {
        let names = &self.names;
        let levels = match &self.sharing {
            Some(sharing) => {
                let in_scope =
                    |variable| self.in_scope.get(&variable).is_some_and(|&count| count > 0);
                sharing.levels(root, in_scope, |term| names.contains_key(&term))
            }
            None => Vec::new(),
        };
        let mut items = Vec::new();
        let end = self.history.len();
        for level in &levels {
            items.push(Item::Text("(let ("));
            let mut binds = Vec::new();
            for (position, &term) in level.iter().enumerate() {
                self.let_count += 1;
                let name = format!("{}{}", self.let_prefix, self.let_count).into_bytes();
                items.push(Item::Text(if position == 0 { "(" } else { " (" }));
                items.push(Item::Bytes(name.clone()));
                items.push(Item::Text(" "));
                items.push(Item::Term(term));
                items.push(Item::Text(")"));
                binds.push(Item::Bind(term, name));
            }
            items.push(Item::Text(") "));
            items.extend(binds);
        }
        items.push(Item::Term(root));
        items.extend(levels.iter().map(|_| Item::Text(")")));
        items.push(Item::EndScope { names: end, variables: self.variables.len() });
        stack.extend(items.into_iter().rev());
    }

    fn term(&mut self, term: TermId, stack: &mut Vec<Item>) -> Result<(), CannotExpress> {
        if let Some(name) = self.names.get(&term) {
            self.out.extend_from_slice(name);
            return Ok(());
        }
        match self.pool.term(term) {
            Term::String(text) => {
                let (quotes, escapes) = (self.dialect.quotes(), self.dialect.escapes());
                encode(text, quotes, escapes, &mut self.out).map_err(|character| {
                    CannotExpress::Character { dialect: self.dialect, code: character.code() }
                })?;
            }
            Term::Integer(number) => self.number(number),
            Term::Op(op, children) => return self.op(term, op, children, stack),
            Term::Apply(function, arguments) => {
                let name = self.pool.function(function).name;
                if arguments.is_empty() {
                    return self.symbol(name);
                }
                self.text("(");
                self.symbol(name)?;
                push_arguments(arguments, stack);
            }
            Term::Variable(variable) => return self.symbol(variable.name),
            Term::Quantifier(quantifier) => return self.quantifier(term, quantifier, stack),
            Term::Named(name, inner) => {
                let quoted = quote(self.pool.symbols().bytes_of(name))?;
                self.text("(! ");
                stack.push(Item::Text(")"));
                stack.push(Item::Bytes(quoted));
                stack.push(Item::Text(" :named "));
                stack.push(Item::Term(inner));
            }
        }
        Ok(())
    }

    fn op(
        &mut self,
        term: TermId,
        op: Op,
        children: &[TermId],
        stack: &mut Vec<Item>,
    ) -> Result<(), CannotExpress> {
        if self.dialect.is_legacy()
            && matches!(
                op,
                Op::ReAll
                    | Op::ReAllChar
                    | Op::ReComp
                    | Op::ReDiff
                    | Op::StrFromCode
                    | Op::StrToCode
            )
        {
            self.note(Note::SmallAlphabet(op));
        }
        let (indices, arguments) = children.split_at(op.info().indices);
        if self.print_replacement(op, indices, arguments, stack) {
            return Ok(());
        }
        let spelling = match op {
            // No dialect allows the index 0.
            Op::Divisible if self.pool.as_integer(indices[0]) == Some(0.into()) => {
                Spelling::Rewritten(Rewriting::Divisible)
            }
            op => spelling(self.dialect, op),
        };
        match spelling {
            Spelling::Name(_) if op == Op::ConstArray => {
                let sort = self.pool.sort(term);
                let sort = self.sort_name(sort)?;
                self.text(&format!("((as const {sort})"));
                push_arguments(arguments, stack);
            }
            Spelling::Name(name) if children.is_empty() => self.text(name),
            Spelling::Name(name)
                if arguments.len() > 2 && is_written_in_pairs(self.dialect, op) =>
            {
                self.note(Note::Rewritten(op));
                self.in_pairs(name, op, arguments, stack);
            }
            Spelling::Name(name) if indices.is_empty() => {
                self.text("(");
                self.text(name);
                push_arguments(arguments, stack);
            }
            Spelling::Name(name) => {
                self.text("((_ ");
                self.text(name);
                stack.push(Item::Text(")"));
                for &argument in arguments.iter().rev() {
                    stack.push(Item::Term(argument));
                    stack.push(Item::Text(" "));
                }
                stack.push(Item::Text(")"));
                for &index in indices.iter().rev() {
                    stack.push(Item::Term(index));
                    stack.push(Item::Text(" "));
                }
            }
            Spelling::LoopArguments => {
                if op == Op::RePower {
                    self.note(Note::Rewritten(op));
                }
                self.text("(re.loop");
                let high = indices[indices.len() - 1];
                push_arguments(&[arguments[0], indices[0], high], stack);
            }
            Spelling::Rewritten(rewriting) => {
                self.note(Note::Rewritten(op));
                self.rewritten(rewriting, indices, arguments, stack);
            }
            Spelling::Missing => {
                return Err(CannotExpress::Operator { dialect: self.dialect, op });
            }
        }
        Ok(())
    }

    fn quantifier(
        &mut self,
        term: TermId,
        quantifier: QuantifierView<'_>,
        stack: &mut Vec<Item>,
    ) -> Result<(), CannotExpress> {
        self.text(match quantifier.quantifier {
            Quantifier::Forall => "(forall ",
            Quantifier::Exists => "(exists ",
        });
        let end = Item::EndScope { names: self.history.len(), variables: self.variables.len() };
        let list = self.bind(quantifier.variables, parts(self.pool, term))?;
        self.out.extend_from_slice(&list);
        self.text(" ");
        let body = match &self.sharing {
            Some(sharing) if sharing.concerns(quantifier.variables) => Item::Scope(quantifier.body),
            _ => Item::Term(quantifier.body),
        };
        stack.push(end);
        stack.push(Item::Text(")"));
        let patterns: Vec<&[TermId]> = quantifier.patterns().collect();
        if patterns.is_empty() {
            stack.push(body);
            return Ok(());
        }
        self.text("(! ");
        stack.push(Item::Text(")"));
        for pattern in patterns.iter().rev() {
            stack.push(Item::Text(")"));
            for (position, &term) in pattern.iter().enumerate().rev() {
                stack.push(Item::Term(term));
                stack.push(Item::Text(if position == 0 { " :pattern (" } else { " " }));
            }
        }
        stack.push(body);
        Ok(())
    }

    /// Chooses names for bound variables and gives their list `((x S) …)`. A variable keeps its
    /// name unless something else of that name occurs where it is bound.
    fn bind(&mut self, variables: &[TermId], parts: &[TermId]) -> Result<Vec<u8>, CannotExpress> {
        let mut list = b"(".to_vec();
        for (position, &term) in variables.iter().enumerate() {
            let Term::Variable(variable) = self.pool.term(term) else { continue };
            let mut name = self.pool.symbols().bytes_of(variable.name).to_vec();
            let mut same = self.binders.get(&(variable.name, variable.sort)).copied().unwrap_or(0)
                == variable.depth;
            if let Some(names) = self.occurring()
                && !names.may_keep(term, variable.name, parts)
            {
                name = names.make_up(variable.name);
                same = false;
            }
            if !same {
                self.note(Note::RenamedVariable);
            }
            let quoted = quote(&name)?;
            if position > 0 {
                list.push(b' ');
            }
            list.push(b'(');
            list.extend_from_slice(&quoted);
            list.extend_from_slice(format!(" {})", self.sort_name(variable.sort)?).as_bytes());
            self.name(term, quoted);
        }
        for &term in variables {
            let Term::Variable(variable) = self.pool.term(term) else { continue };
            self.variables.push(term);
            *self.in_scope.entry(term).or_default() += 1;
            *self.binders.entry((variable.name, variable.sort)).or_default() += 1;
        }
        list.push(b')');
        Ok(list)
    }

    pub(super) fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn push_arguments(arguments: &[TermId], stack: &mut Vec<Item>) {
    stack.push(Item::Text(")"));
    for &argument in arguments.iter().rev() {
        stack.push(Item::Term(argument));
        stack.push(Item::Text(" "));
    }
}

/// A name as it is written.
pub(super) fn quote(name: &[u8]) -> Result<Vec<u8>, CannotExpress> {
    if is_simple_symbol(name) {
        return Ok(name.to_vec());
    }
    if name.iter().any(|byte| matches!(byte, b'|' | b'\\')) {
        return Err(CannotExpress::Name(String::from_utf8_lossy(name).into_owned()));
    }
    Ok([b"|", name, b"|"].concat())
}
