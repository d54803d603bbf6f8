//! Reads terms with an explicit stack: an open parenthesis pushes a frame, a closing one builds the
//! term of the topmost frame from the values since it was opened.
//!
//! A subterm with an error is *poisoned*: it was reported, and the terms around it report nothing more.

use luthier_terms::{BasicSort, BuildError, FunctionId, Op, SymbolId, Term, TermId};

use super::applications::arity;
use super::quantifiers::QuantifierFrame;
use super::{Binding, Mode, Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind, is_command};
use crate::source::Span;

/// A term that is being read.
pub(super) struct Frame {
    pub kind: FrameKind,
    /// Where its arguments begin on the stack of values.
    pub first: usize,
    /// The opening parenthesis.
    pub open: u32,
    /// One of its parts has an error, which has been reported; the whole reports nothing more.
    pub poisoned: bool,
}

pub(super) enum FrameKind {
    Builtin(u16, Span),
    Function(FunctionId),
    /// An operator with its indices.
    Indexed(Op, Vec<TermId>),
    /// `(_ re.loop n)`: n times or more.
    AtLeast(TermId),
    ConstArray(BasicSort, BasicSort),
    /// `(as const Array)` in the value of a function, whose sorts say what it means.
    UntypedConstArray,
    /// Something that cannot be applied.
    Nothing,
    /// `(name term)` in the list of a `let`.
    LetBinding(SymbolId, Span),
    /// The body of a `let`, with where its bindings begin in the history.
    LetBody(usize),
    Quantifier(Box<QuantifierFrame>),
    Annotation(Box<Annotation>),
    /// The list of terms of a `:pattern`.
    Pattern,
}

/// The attributes of a term annotated by `!`.
#[derive(Default)]
pub(super) struct Annotation {
    pub name: Option<(SymbolId, Span)>,
    pub patterns: Vec<Vec<TermId>>,
}

/// The stacks of the reader of terms.
#[derive(Default)]
pub(super) struct TermMachine {
    pub frames: Vec<Frame>,
    pub values: Vec<TermId>,
    pub spans: Vec<Span>,
    /// Bindings of the `let`s whose lists are being read.
    pub pending: Vec<(SymbolId, Binding, Span)>,
    pub pending_starts: Vec<usize>,
    pub uses_let: bool,
    /// How many `let`s and binders enclose the place that is read.
    pub local_scopes: usize,
    /// The names that `!` gives to parts of the term; they have a meaning once it is read.
    pub names: Vec<(SymbolId, Binding, Span)>,
    /// The name that `!` gives to the outermost term.
    pub root_name: Option<SymbolId>,
    /// The outermost term was wrong.
    pub root_poisoned: bool,
}

impl TermMachine {
    pub fn clear(&mut self) {
        self.frames.clear();
        self.values.clear();
        self.spans.clear();
        self.pending.clear();
        self.pending_starts.clear();
        self.uses_let = false;
        self.names.clear();
        self.root_name = None;
        self.root_poisoned = false;
    }
}

impl Reader<'_, '_> {
    /// Reads a term. `None`: it was wrong, which has been reported.
    pub(crate) fn read_term(&mut self) -> Step<Option<TermId>> {
        let first = self.lexer.next_token();
        self.read_term_from(first)
    }

    /// Reads a term that begins with `token`.
    pub(crate) fn read_term_from(&mut self, mut token: Token) -> Step<Option<TermId>> {
        self.machine.clear();
        self.machine.local_scopes = self.enclosing_scopes;
        let mark = self.bindings.mark();
        loop {
            let step = match token.kind {
                TokenKind::Open => {
                    if self.machine.local_scopes == 0
                        && let Some((term, end)) =
                            self.term_cache.find(self.lexer.bytes(), token.span.start as usize)
                    {
                        self.lexer.seek(end);
                        self.value(term, Span { start: token.span.start, end });
                        Ok(())
                    } else {
                        self.open(token)
                    }
                }
                TokenKind::Close => self.close(token),
                _ => self.leaf(token),
            };
            if step.is_err() {
                self.bindings.undo_to(mark);
                return Err(Skip);
            }
            if self.machine.frames.is_empty() {
                let mut term = self.machine.values.pop();
                // `(let (…) (! t :named n))` names the whole, too.
                while let Some(Term::Named(name, inner)) = term.map(|term| self.pool.term(term)) {
                    self.machine.root_name.get_or_insert(name);
                    term = Some(inner);
                }
                let names = std::mem::take(&mut self.machine.names);
                let several = names.len() > 1;
                for (name, binding, span) in names {
                    let fits = match binding {
                        Binding::Poison if self.bindings.get(name) != Binding::Free => true,
                        Binding::Term(term) if several => {
                            let built = self.without_names(term);
                            let term = self.built(built, span)?;
                            self.declare_name(name, Binding::Term(term), span)
                        }
                        binding => self.declare_name(name, binding, span),
                    };
                    self.machine.root_poisoned |= !fits;
                }
                return Ok(term.filter(|_| !self.machine.root_poisoned));
            }
            token = self.lexer.next_token();
        }
    }

    /// Pushes a finished term on the stack of values.
    #[inline]
    pub(super) fn value(&mut self, term: TermId, span: Span) {
        self.machine.values.push(term);
        self.machine.spans.push(span);
    }

    /// Pushes a placeholder for a term with an error.
    pub(super) fn poison(&mut self, span: Span) -> Step<()> {
        match self.machine.frames.last_mut() {
            Some(frame) => frame.poisoned = true,
            None => self.machine.root_poisoned = true,
        }
        let built = self.pool.bool(true);
        let stand_in = self.built(built, span)?;
        self.value(stand_in, span);
        Ok(())
    }

    pub(super) fn push_frame(&mut self, kind: FrameKind, open: Token) {
        let first = self.machine.values.len();
        self.machine.frames.push(Frame { kind, first, open: open.span.start, poisoned: false });
    }

    fn open(&mut self, open: Token) -> Step<()> {
        let head = self.lexer.next_token();
        match head.kind {
            TokenKind::Symbol => match self.name_of(head) {
                b"let" => self.open_let(open),
                b"forall" | b"exists" => self.open_quantifier(open, head),
                b"!" => {
                    self.push_frame(FrameKind::Annotation(Box::default()), open);
                    Ok(())
                }
                b"_" => self.indexed_constant(open),
                b"as" => self.qualified_constant(open),
                b"match" | b"lambda" | b"par" => {
                    let message =
                        format!("`{}` is outside the theories of strings", self.text_of(head.span));
                    self.collector.error(Code::Unsupported, head.span, message, None);
                    Err(Skip)
                }
                _ => self.open_application(open, head),
            },
            TokenKind::QuotedSymbol => self.open_application(open, head),
            TokenKind::Open => self.open_compound_head(open, head),
            _ => Err(self.unexpected(head, "a function")),
        }
    }

    fn open_application(&mut self, open: Token, head: Token) -> Step<()> {
        let symbol = self.symbol(head)?;
        match self.bindings.get(symbol) {
            Binding::Builtin(index) => self.push_frame(FrameKind::Builtin(index, head.span), open),
            Binding::Function(function) => self.push_frame(FrameKind::Function(function), open),
            Binding::Term(_) => {
                self.not_a_function(head);
                self.push_frame(FrameKind::Nothing, open);
            }
            Binding::Poison => self.push_frame(FrameKind::Nothing, open),
            Binding::Free => {
                if is_command(self.lexer.text(head.span)) {
                    return Err(self.not_closed_before(head));
                }
                self.unknown_symbol(symbol, head.span);
                self.push_frame(FrameKind::Nothing, open);
            }
        }
        Ok(())
    }

    pub(super) fn not_a_function(&mut self, head: Token) {
        let message = format!("`{}` is not a function", self.text_of(head.span));
        let hint = "a constant or variable is written without parentheses";
        self.collector.error(Code::NotAFunction, head.span, message, Some(hint));
    }

    fn open_let(&mut self, open: Token) -> Step<()> {
        self.machine.uses_let = true;
        self.machine.local_scopes += 1;
        self.expect(TokenKind::Open, "the list of bindings of `let`")?;
        self.machine.pending_starts.push(self.machine.pending.len());
        self.next_let_binding(open.span.start)
    }

    /// After the `(` of a list of bindings, or after a binding.
    fn next_let_binding(&mut self, let_open: u32) -> Step<()> {
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::Open => {
                let (symbol, name) = self.expect_symbol("the name of a binding")?;
                // The frame remembers where its `let` began.
                let open = Token { span: Span { start: let_open, end: let_open }, ..token };
                self.push_frame(FrameKind::LetBinding(symbol, name.span), open);
            }
            TokenKind::Close => {
                let start = self.machine.pending_starts.pop().unwrap_or(0);
                let mark = self.bindings.mark();
                self.check_let_names(start, token.span);
                for (symbol, binding, _) in self.machine.pending.drain(start..) {
                    self.bindings.set(symbol, binding);
                }
                let open = Token { span: Span { start: let_open, end: let_open }, ..token };
                self.push_frame(FrameKind::LetBody(mark), open);
            }
            _ => return Err(self.unexpected(token, "a binding `(name term)` or `)`")),
        }
        Ok(())
    }

    /// The names of a `let` must be one or more, and distinct.
    fn check_let_names(&mut self, start: usize, close: Span) {
        let pending = &self.machine.pending[start..];
        if pending.is_empty() {
            self.collector.leniency(
                Code::FewArguments,
                u64::MAX - 4,
                close,
                || "a `let` that binds nothing".to_owned(),
                Some("the standard requires one or more bindings"),
            );
        }
        if pending.len() < 2 {
            return;
        }
        let mut names: Vec<(SymbolId, Span)> =
            pending.iter().map(|&(symbol, _, span)| (symbol, span)).collect();
        names.sort_unstable();
        for pair in names.windows(2) {
            if let [(first, _), (second, span)] = *pair
                && first == second
            {
                let message = format!("`{}` is bound twice", self.text_of(span));
                self.collector.error(Code::Redeclared, span, message, None);
            }
        }
    }

    fn close(&mut self, close: Token) -> Step<()> {
        let Some(frame) = self.machine.frames.pop() else {
            return Err(self.unexpected(close, "a term"));
        };
        let span = Span { start: frame.open, end: close.span.end };
        let Frame { kind, first, poisoned, .. } = frame;
        match kind {
            FrameKind::Builtin(index, head) => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                let built = self.apply_builtin(index, first, head, span)?;
                if let Some(term) = built
                    && self.machine.local_scopes == 0
                    && self.machine.names.is_empty()
                    && !self.machine.uses_let
                {
                    let (start, end) = (span.start as usize, span.end as usize);
                    self.term_cache.insert(self.lexer.bytes(), start, end, term);
                }
                self.collapse(first, built, span)
            }
            FrameKind::Function(function) => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                if self.machine.values.len() == first
                    && self.pool.function(function).parameters.is_empty()
                {
                    self.constant_in_parentheses(span);
                }
                let built = self.pool.apply(function, &self.machine.values[first..]);
                let built = self.checked(built, first, span);
                self.collapse(first, built, span)
            }
            FrameKind::Indexed(op, mut children) => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                let indices = children.len();
                children.extend_from_slice(&self.machine.values[first..]);
                let built = self.pool.op(op, &children);
                if op == Op::ReLoop {
                    self.warn_loop_bounds(&children[..indices], span);
                }
                let built = self.checked(built, first, span);
                self.collapse(first, built, span)
            }
            FrameKind::AtLeast(count) => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                let built = match self.machine.values[first..] {
                    [body] => self.at_least(count, body),
                    _ => Err(arity(Op::ReLoop, "one argument", self.machine.values.len() - first)),
                };
                let built = self.checked(built, first, span);
                self.collapse(first, built, span)
            }
            FrameKind::ConstArray(index, element) => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                let built = match self.machine.values[first..] {
                    [value] if self.pool.sort(value).as_basic() == Some(element) => {
                        self.pool.constant_array(index, value)
                    }
                    [value] => Err(BuildError::Sort {
                        op: Op::ConstArray,
                        position: 0,
                        expected: element.into(),
                        found: self.pool.sort(value),
                    }),
                    ref values => Err(arity(Op::ConstArray, "one argument", values.len())),
                };
                let built = self.checked(built, first, span);
                self.collapse(first, built, span)
            }
            FrameKind::UntypedConstArray => {
                if poisoned {
                    return self.collapse_to_poison(first, span);
                }
                let built = match (&self.machine.values[first..], self.function_index) {
                    (&[value], Some(index)) => self.pool.constant_array(index, value),
                    (values, _) => Err(arity(Op::ConstArray, "one argument", values.len())),
                };
                let built = self.checked(built, first, span);
                self.collapse(first, built, span)
            }
            FrameKind::Nothing => self.collapse_to_poison(first, span),
            FrameKind::LetBinding(symbol, name) => {
                let binding = match self.machine.values[first..] {
                    [_] if poisoned => Binding::Poison,
                    [term] => Binding::Term(term),
                    _ => return Err(self.not_one_term(first, span)),
                };
                self.truncate(first);
                self.machine.pending.push((symbol, binding, name));
                self.next_let_binding(frame.open)
            }
            FrameKind::LetBody(mark) => {
                self.machine.local_scopes -= 1;
                self.bindings.undo_to(mark);
                self.pass_through(first, poisoned, span)
            }
            FrameKind::Quantifier(quantifier) => {
                self.close_quantifier(*quantifier, first, poisoned, span)
            }
            FrameKind::Annotation(annotation) => {
                self.close_annotation(*annotation, first, poisoned, span)
            }
            FrameKind::Pattern => {
                let pattern = self.machine.values[first..].to_vec();
                self.truncate(first);
                if let Some(Frame { kind: FrameKind::Annotation(annotation), .. }) =
                    self.machine.frames.last_mut()
                    && !poisoned
                    && !pattern.is_empty()
                {
                    annotation.patterns.push(pattern);
                }
                Ok(())
            }
        }
    }

    /// Replaces the values from `first` on by a term, or by a placeholder if there is none.
    pub(super) fn collapse(&mut self, first: usize, term: Option<TermId>, span: Span) -> Step<()> {
        match term {
            Some(term) => {
                self.truncate(first);
                self.value(term, span);
                Ok(())
            }
            None => self.collapse_to_poison(first, span),
        }
    }

    pub(super) fn collapse_to_poison(&mut self, first: usize, span: Span) -> Step<()> {
        self.truncate(first);
        self.poison(span)
    }

    /// Ends a frame that means what its only argument means.
    pub(super) fn pass_through(&mut self, first: usize, poisoned: bool, span: Span) -> Step<()> {
        let [term] = self.machine.values[first..] else {
            return Err(self.not_one_term(first, span));
        };
        self.collapse(first, (!poisoned).then_some(term), span)
    }

    /// A list that must hold one term holds none or several.
    pub(super) fn not_one_term(&mut self, first: usize, span: Span) -> Skip {
        let found = self.machine.values.len() - first;
        let message = format!("one term must stand here, found {found}");
        self.collector.error(Code::UnexpectedToken, span, message, None);
        Skip
    }

    #[inline]
    pub(super) fn truncate(&mut self, first: usize) {
        self.machine.values.truncate(first);
        self.machine.spans.truncate(first);
    }

    pub(super) fn is_strict(&self) -> bool {
        self.collector.mode() == Mode::Strict
    }
}
