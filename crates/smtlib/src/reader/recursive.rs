//! `define-fun-rec` and `define-funs-rec`: functions whose bodies may refer to them.
//!
//! Functions of a pool are identified by name, signature and body, and a recursive body refers to the
//! function itself. So a name that is defined again with another body, in a later scope, gets a new
//! *generation*: heads and bodies are read again until a generation is free or has the same body.

use luthier_terms::{FunctionId, SymbolId, Term, TermId, TermPool};

use super::{Binding, Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind};
use crate::script::CommandKind;

/// A function of a `define-fun-rec` whose body is still to be read.
struct RecursiveHead {
    function: FunctionId,
    variables: Vec<(SymbolId, TermId)>,
    token: Token,
    /// The name has been declared by this very head before.
    repeated: bool,
}

enum BodiesOutcome {
    Taken,
    Wrong,
    OtherGeneration,
}

impl Reader<'_, '_> {
    /// `define-fun-rec`, and `define-funs-rec` with its two lists.
    pub(super) fn define_recursive(&mut self, several: bool) -> Step<Option<CommandKind>> {
        let begin = self.lexer.position();
        let mark = self.bindings.mark();
        // Scripts define a name again and again between `push` and `pop`: the newest generation is
        // the likeliest, and older ones need no look.
        let name = self.first_name();
        let newest = name.and_then(|name| self.generations.get(&name).copied()).unwrap_or(0);
        for generation in newest.. {
            self.lexer.seek(begin);
            let Some(heads) = self.recursive_heads(several, generation)? else {
                return Ok(None);
            };
            match self.recursive_bodies(several, &heads)? {
                BodiesOutcome::Taken => {
                    for head in heads.iter().filter(|head| head.repeated) {
                        let name = self.pool.function(head.function).name;
                        self.repeated_declaration(name, head.token.span);
                    }
                    if let Some(name) = name {
                        self.generations.insert(name, generation);
                    }
                    let functions = heads.into_iter().map(|head| head.function).collect();
                    return Ok(Some(CommandKind::DefineRecursive(functions)));
                }
                BodiesOutcome::Wrong => return Ok(None),
                // The name was defined before with another body, in a scope that is gone.
                BodiesOutcome::OtherGeneration => {
                    self.bindings.undo_to(mark);
                    self.term_cache.meaning_changed();
                }
            }
        }
        Ok(None)
    }

    /// The name that comes next, after one or two parentheses if there are any.
    fn first_name(&mut self) -> Option<SymbolId> {
        let mut ahead = self.lexer.clone();
        let mut tokens = std::iter::repeat_with(|| ahead.next_token()).take(3);
        let name = tokens.find(|token| token.kind != TokenKind::Open)?;
        match name.kind {
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                let name = self.name_of(name);
                self.pool.symbols_mut().intern(name).ok()
            }
            _ => None,
        }
    }

    fn recursive_heads(
        &mut self,
        several: bool,
        generation: u32,
    ) -> Step<Option<Vec<RecursiveHead>>> {
        let mut heads = Vec::new();
        let mut wrong = false;
        if several {
            self.expect(TokenKind::Open, "the list of functions")?;
        }
        loop {
            if several {
                let next = self.lexer.next_token();
                match next.kind {
                    TokenKind::Close => break,
                    TokenKind::Open => {}
                    _ => return Err(self.unexpected(next, "`(name (…) sort)` or `)`")),
                }
            }
            let (name, token) = self.expect_symbol("a name")?;
            match self.recursive_head(name, token, generation) {
                Ok(Some(head)) => heads.push(head),
                Ok(None) => {
                    self.poison_name(name);
                    wrong = true;
                }
                Err(skip) => {
                    self.poison_name(name);
                    return Err(skip);
                }
            }
            if !several {
                break;
            }
            self.expect(TokenKind::Close, "`)`")?;
        }
        if wrong {
            return Err(Skip);
        }
        Ok(Some(heads))
    }

    /// `((x S) …) R`, after the name. `None`: something in it was wrong, which was reported.
    fn recursive_head(
        &mut self,
        name: SymbolId,
        token: Token,
        generation: u32,
    ) -> Step<Option<RecursiveHead>> {
        let mark = self.bindings.mark();
        let variables = self.bind_variables()?;
        self.bindings.undo_to(mark);
        let result = self.read_sort()?;
        let variables: Option<Vec<TermId>> = variables.into_iter().collect();
        let (Some(variables), Some(result)) = (variables, result) else {
            return Ok(None);
        };
        let names = self.variable_names(&variables);
        let begin = |pool: &mut TermPool| pool.begin_recursive(name, variables, result, generation);
        let function = self.function(token, begin)?;
        // Whether it is the same function only its body can tell.
        let repeated = self.bindings.get(name) == Binding::Function(function);
        if !repeated && !self.declare_name(name, Binding::Function(function), token.span) {
            return Ok(None);
        }
        Ok(Some(RecursiveHead { function, variables: names, token, repeated }))
    }

    pub(crate) fn variable_names(&self, variables: &[TermId]) -> Vec<(SymbolId, TermId)> {
        let name = |&term: &TermId| match self.pool.term(term) {
            Term::Variable(variable) => (variable.name, term),
            _ => unreachable!("bound variables are variables"),
        };
        variables.iter().map(name).collect()
    }

    fn recursive_bodies(&mut self, several: bool, heads: &[RecursiveHead]) -> Step<BodiesOutcome> {
        if several {
            self.expect(TokenKind::Open, "the list of bodies")?;
        }
        let mut outcome = BodiesOutcome::Taken;
        for head in heads {
            let mark = self.bindings.mark();
            self.bind_again(&head.variables);
            let body = self.read_term_in_scope();
            self.bindings.undo_to(mark);
            let result = self.pool.function(head.function).result;
            match body? {
                Some(body) if self.body_has_sort(body, result, head.token.span) => {
                    match self.pool.finish_recursive(head.function, body) {
                        Ok(true) => {}
                        Ok(false) => outcome = BodiesOutcome::OtherGeneration,
                        Err(error) => {
                            let message = error.to_string();
                            self.collector.error(Code::Sort, head.token.span, message, None);
                            return Ok(BodiesOutcome::Wrong);
                        }
                    }
                }
                _ => return Err(Skip),
            }
        }
        if several {
            self.expect(TokenKind::Close, "`)`, as many bodies as functions")?;
        }
        Ok(outcome)
    }
}
