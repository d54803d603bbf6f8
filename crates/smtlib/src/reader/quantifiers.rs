//! Quantifiers with patterns, annotations `(! t :named n)`, and lists of bound variables.
//!
//! A bound variable carries the number of enclosing binders of the same name and sort, so that
//! expanding a `let` below another binder cannot capture it.

use luthier_terms::{Quantifier, Sort, SymbolId, Term, TermId, Variable};
use rustc_hash::FxHashSet;

use super::terms::{Annotation, Frame, FrameKind};
use super::{Binding, Reader, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind};
use crate::source::Span;

/// A quantifier whose body is being read.
pub(super) struct QuantifierFrame {
    quantifier: Quantifier,
    variables: Vec<TermId>,
    patterns: Vec<Vec<TermId>>,
    /// Where its bindings begin in the history.
    mark: usize,
}

impl Reader<'_, '_> {
    pub(super) fn open_quantifier(&mut self, open: Token, head: Token) -> Step<()> {
        let quantifier = match self.name_of(head) {
            b"forall" => Quantifier::Forall,
            _ => Quantifier::Exists,
        };
        if self.quantifier_free_logic {
            self.collector.leniency(
                Code::QuantifierInLogic,
                0,
                head.span,
                || "a quantifier in a logic without quantifiers".to_owned(),
                Some("the logic's name begins with QF_"),
            );
        }
        self.machine.local_scopes += 1;
        let mark = self.bindings.mark();
        let variables = self.bind_variables()?;
        let poisoned = variables.contains(&None);
        let variables: Vec<TermId> = variables.into_iter().flatten().collect();
        let frame = QuantifierFrame { quantifier, variables, patterns: Vec::new(), mark };
        self.push_frame(FrameKind::Quantifier(Box::new(frame)), open);
        if let Some(frame) = self.machine.frames.last_mut() {
            frame.poisoned = poisoned;
        }
        Ok(())
    }

    /// Reads `((x S) …)` and binds the variables. `None` stands for one with a wrong sort.
    pub(crate) fn bind_variables(&mut self) -> Step<Vec<Option<TermId>>> {
        self.expect(TokenKind::Open, "a list of variables `((name sort) …)`")?;
        let mut list: Vec<(SymbolId, Option<(Sort, TermId)>)> = Vec::new();
        let mut names: FxHashSet<SymbolId> = FxHashSet::default();
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Close => break,
                TokenKind::Open => {}
                _ => return Err(self.unexpected(token, "a variable `(name sort)` or `)`")),
            }
            let (name, name_token) = self.expect_symbol("the name of a variable")?;
            let sort = self.read_sort()?;
            self.expect(TokenKind::Close, "`)`")?;
            if !names.insert(name) {
                let message = format!("`{}` is bound twice", self.text_of(name_token.span));
                self.collector.error(Code::Redeclared, name_token.span, message, None);
                continue;
            }
            let variable = match sort {
                Some(sort) => {
                    // An inner variable must differ from an outer one of the same name, or a
                    // `let` that mentions the outer one could be captured.
                    let depth = self.bindings.binders(name, sort);
                    let built = self.pool.variable(Variable { name, sort, depth });
                    Some((sort, self.built(built, name_token.span)?))
                }
                None => None,
            };
            list.push((name, variable));
        }
        for &(name, variable) in &list {
            match variable {
                Some((sort, variable)) => self.bindings.set_variable(name, sort, variable),
                None => self.bindings.set(name, Binding::Poison),
            }
        }
        Ok(list.into_iter().map(|(_, variable)| variable.map(|(_, term)| term)).collect())
    }

    pub(super) fn close_quantifier(
        &mut self,
        frame: QuantifierFrame,
        first: usize,
        poisoned: bool,
        span: Span,
    ) -> Step<()> {
        self.machine.local_scopes -= 1;
        self.bindings.undo_to(frame.mark);
        let [body] = self.machine.values[first..] else {
            return Err(self.not_one_term(first, span));
        };
        if poisoned {
            return self.collapse_to_poison(first, span);
        }
        if frame.variables.is_empty() {
            let message = "a quantifier must bind one or more variables".to_owned();
            self.collector.error(Code::UnexpectedToken, span, message, None);
            return self.collapse_to_poison(first, span);
        }
        let built = self.pool.quantify(frame.quantifier, &frame.variables, body, &frame.patterns);
        let built = self.checked(built, first, span);
        self.collapse(first, built, span)
    }

    /// A keyword: only an annotation may have one, after its term.
    pub(super) fn annotation_keyword(&mut self, token: Token) -> Step<()> {
        let values = self.machine.values.len();
        match self.machine.frames.last() {
            Some(Frame { kind: FrameKind::Annotation(_), first, .. }) if values == first + 1 => {}
            _ => return Err(self.unexpected(token, "a term")),
        }
        match self.lexer.text(token.span) {
            b":named" => {
                let (name, name_token) = self.expect_symbol("a name")?;
                if let Some(annotation) = self.top_annotation() {
                    annotation.name = Some((name, name_token.span));
                }
            }
            b":pattern" => {
                let open = self.expect(TokenKind::Open, "a list of terms")?;
                self.push_frame(FrameKind::Pattern, open);
            }
            _ => self.skip_attribute_value()?,
        }
        Ok(())
    }

    fn top_annotation(&mut self) -> Option<&mut Annotation> {
        match self.machine.frames.last_mut() {
            Some(Frame { kind: FrameKind::Annotation(annotation), .. }) => Some(annotation),
            _ => None,
        }
    }

    /// Skips the value of an attribute, if it has one.
    fn skip_attribute_value(&mut self) -> Step<()> {
        let position = self.lexer.position();
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::Keyword | TokenKind::Close => self.lexer.seek(position),
            TokenKind::Open => {
                self.skip_rest_of_list(token)?;
            }
            TokenKind::End
            | TokenKind::UnterminatedString
            | TokenKind::UnterminatedSymbol
            | TokenKind::Illegal => return Err(self.unexpected(token, "the value of an attribute")),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn close_annotation(
        &mut self,
        annotation: Annotation,
        first: usize,
        poisoned: bool,
        span: Span,
    ) -> Step<()> {
        let [mut term] = self.machine.values[first..] else {
            return Err(self.not_one_term(first, span));
        };
        let root = self.machine.frames.is_empty();
        match self.machine.frames.last_mut() {
            Some(Frame { kind: FrameKind::Quantifier(quantifier), .. }) => {
                quantifier.patterns.extend(annotation.patterns);
            }
            _ => {
                // A pattern anywhere else has no meaning and is dropped.
            }
        }
        if poisoned {
            if let Some((name, name_span)) = annotation.name {
                self.machine.names.push((name, Binding::Poison, name_span));
            }
            return self.collapse_to_poison(first, span);
        }
        if let Some((name, name_span)) = annotation.name {
            if self.machine.local_scopes > 0 && self.has_free_variables(term) {
                let message = "a named term must not mention bound variables".to_owned();
                let hint = "name the whole assertion, or a part that mentions none";
                self.collector.error(Code::Unsupported, name_span, message, Some(hint));
                self.machine.names.push((name, Binding::Poison, name_span));
                return self.collapse_to_poison(first, span);
            }
            self.machine.names.push((name, Binding::Term(term), name_span));
            if root {
                self.machine.root_name = Some(name);
            } else {
                let built = self.pool.named(name, term);
                term = self.built(built, span)?;
            }
        }
        self.collapse(first, Some(term), span)
    }

    /// Whether a variable occurs in a term that no quantifier in the term binds.
    fn has_free_variables(&self, term: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut bound: FxHashSet<TermId> = FxHashSet::default();
        let mut variables = Vec::new();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.pool.term(term) {
                Term::Variable(_) => variables.push(term),
                Term::Quantifier(quantifier) => bound.extend(quantifier.variables),
                _ => {}
            }
            stack.extend(self.pool.children(term));
        }
        variables.iter().any(|variable| !bound.contains(variable))
    }
}
