//! Declarations and definitions (`declare-fun`, `define-fun`, `define-sort`, …): they bind names.

use luthier_terms::{BuildError, FunctionId, Sort, SymbolId, TermId, TermPool};

use super::builtins::is_standard;
use super::{Binding, Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind};
use crate::script::CommandKind;
use crate::source::Span;

impl Reader<'_, '_> {
    /// A declaration was wrong, which has been reported: uses of its name need not be.
    pub(super) fn poison_name(&mut self, name: SymbolId) {
        if self.bindings.get(name) == Binding::Free {
            self.bindings.set(name, Binding::Poison);
        }
    }

    pub(super) fn declare(&mut self, constant: bool) -> Step<Option<CommandKind>> {
        let (name, token) = self.expect_symbol("a name")?;
        let declared = self.declare_as(name, token, constant);
        if !matches!(declared, Ok(Some(_))) {
            self.poison_name(name);
        }
        declared
    }

    fn declare_as(
        &mut self,
        name: SymbolId,
        token: Token,
        constant: bool,
    ) -> Step<Option<CommandKind>> {
        let mut parameters = Vec::new();
        if !constant {
            self.expect(TokenKind::Open, "the list of parameter sorts")?;
            loop {
                let next = self.lexer.next_token();
                if next.kind == TokenKind::Close {
                    break;
                }
                parameters.push(self.read_sort_from(next)?);
            }
        }
        let result = self.read_sort()?;
        let parameters: Option<Vec<Sort>> = parameters.into_iter().collect();
        let (Some(parameters), Some(result)) = (parameters, result) else {
            return Ok(None);
        };
        let function = self.function(token, |pool| pool.declare(name, parameters, result))?;
        if !self.declare_name(name, Binding::Function(function), token.span) {
            return Ok(None);
        }
        Ok(Some(CommandKind::Declare { function, constant }))
    }

    pub(super) fn define(&mut self, constant: bool) -> Step<Option<CommandKind>> {
        let (name, token) = self.expect_symbol("a name")?;
        let mark = self.bindings.mark();
        let defined = self.define_as(name, token, constant);
        if defined.is_err() {
            self.bindings.undo_to(mark);
        }
        if !matches!(defined, Ok(Some(_))) {
            self.poison_name(name);
        }
        defined
    }

    fn define_as(
        &mut self,
        name: SymbolId,
        token: Token,
        constant: bool,
    ) -> Step<Option<CommandKind>> {
        let mark = self.bindings.mark();
        let variables = if constant { Vec::new() } else { self.bind_variables()? };
        let result = self.read_sort()?;
        let body = self.read_term_in_scope();
        self.bindings.undo_to(mark);
        let variables: Option<Vec<TermId>> = variables.into_iter().collect();
        let (Some(variables), Some(result), Some(body)) = (variables, result, body?) else {
            return Ok(None);
        };
        if !self.body_has_sort(body, result, token.span) {
            return Ok(None);
        }
        let function = self.function(token, |pool| pool.define(name, variables, body))?;
        if !self.declare_name(name, Binding::Function(function), token.span) {
            return Ok(None);
        }
        Ok(Some(CommandKind::Define { function, constant }))
    }

    pub(super) fn body_has_sort(&mut self, body: TermId, expected: Sort, span: Span) -> bool {
        let found = self.pool.sort(body);
        if found != expected {
            let message = format!("the body is of sort {found}, the function of sort {expected}");
            self.collector.error(Code::Sort, span, message, None);
        }
        found == expected
    }

    pub(super) fn function(
        &mut self,
        token: Token,
        make: impl FnOnce(&mut TermPool) -> Result<FunctionId, BuildError>,
    ) -> Step<FunctionId> {
        make(self.pool).map_err(|error| {
            self.collector.error(Code::PoolFull, token.span, error.to_string(), None);
            Skip
        })
    }

    /// Gives a name a meaning. `false`: it may not have this one; an error was reported.
    pub(super) fn declare_name(&mut self, name: SymbolId, binding: Binding, span: Span) -> bool {
        let shown = self.text_of(span);
        match self.bindings.get(name) {
            Binding::Free | Binding::Poison => {}
            // A name that only some solver knows is free in the standard.
            Binding::Builtin(index) if self.is_strict() && !is_standard(index) => {}
            Binding::Builtin(_) => self.collector.leniency(
                Code::ShadowsOperator,
                name.index() as u64,
                span,
                || format!("`{shown}` is the name of an operator; this hides it"),
                Some("choose another name"),
            ),
            same if same == binding => self.repeated_declaration(name, span),
            _ => {
                let message = format!("`{shown}` is declared already, as something else");
                let hint = "a name may be declared once";
                self.collector.error(Code::Redeclared, span, message, Some(hint));
                return false;
            }
        }
        // A free name has no meaning that could change, unless it looks like a negative number.
        let numeral = self.pool.symbols().bytes_of(name).starts_with(b"-");
        if numeral || self.bindings.get(name) != Binding::Free {
            self.term_cache.meaning_changed();
        }
        self.bindings.set(name, binding);
        true
    }

    pub(super) fn repeated_declaration(&mut self, name: SymbolId, span: Span) {
        let shown = self.text_of(span);
        self.collector.leniency(
            Code::RepeatedDeclaration,
            name.index() as u64,
            span,
            || format!("`{shown}` is declared again, the same"),
            Some("a name may be declared once"),
        );
    }

    pub(super) fn define_sort(&mut self) -> Step<Option<CommandKind>> {
        let (name, token) = self.expect_symbol("a name")?;
        self.expect(TokenKind::Open, "the list of sort parameters")?;
        let parameters = self.lexer.next_token();
        if parameters.kind != TokenKind::Close {
            let message = "sorts with parameters are not supported".to_owned();
            self.collector.error(Code::Unsupported, token.span, message, None);
            return Err(Skip);
        }
        let Some(sort) = self.read_sort()? else {
            return Ok(None);
        };
        let builtin = matches!(
            self.pool.symbols().bytes_of(name),
            b"Bool" | b"Int" | b"String" | b"RegLan" | b"Array" | b"Real"
        );
        match self.bindings.sort(name) {
            None if !builtin => self.bindings.set_sort(name, sort),
            Some(same) if same == sort => self.repeated_declaration(name, token.span),
            _ => {
                let shown = self.text_of(token.span);
                let message = format!("`{shown}` is a sort already, and another one");
                let hint = "a name may be declared once";
                self.collector.error(Code::Redeclared, token.span, message, Some(hint));
                return Ok(None);
            }
        }
        Ok(Some(CommandKind::DefineSort(name, sort)))
    }
}
