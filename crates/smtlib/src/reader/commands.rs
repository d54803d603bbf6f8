//! Commands, and going on after an error.

use luthier_terms::{FunctionId, Sort, SymbolId, TermId};

use super::{Binding, Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Quotes, Token, TokenKind};
use crate::script::{Assertion, Attribute, AttributeValue, CommandKind, SimpleCommand};
use crate::source::Span;

/// The names of all commands, also of those that are not supported.
const COMMANDS: &[&[u8]] = &[
    b"assert",
    b"check-sat",
    b"check-sat-assuming",
    b"declare-const",
    b"declare-datatype",
    b"declare-datatypes",
    b"declare-fun",
    b"declare-sort",
    b"declare-sort-parameter",
    b"define-const",
    b"define-fun",
    b"define-fun-rec",
    b"define-funs-rec",
    b"define-sort",
    b"echo",
    b"exit",
    b"get-assertions",
    b"get-assignment",
    b"get-info",
    b"get-model",
    b"get-option",
    b"get-proof",
    b"get-unsat-assumptions",
    b"get-unsat-core",
    b"get-value",
    b"pop",
    b"push",
    b"reset",
    b"reset-assertions",
    b"set-info",
    b"set-logic",
    b"set-option",
];

/// A function of a `define-fun-rec` whose body is still to be read.
struct RecursiveHead {
    function: FunctionId,
    variables: Vec<(SymbolId, TermId)>,
    span: Span,
}

impl Reader<'_, '_> {
    /// Reads the whole text.
    pub(crate) fn read_commands(&mut self) {
        let mut after_exit = false;
        loop {
            let token = self.lexer.next_token();
            if token.kind == TokenKind::End {
                return;
            }
            if std::mem::take(&mut after_exit) {
                let message = "commands after `(exit)` are never run".to_owned();
                self.collector.warning(Code::TextAfterExit, token.span, message, None);
            }
            if self.collector.is_hopeless() {
                let message = "too many errors; the rest of the text was not read".to_owned();
                self.collector.error(Code::TooManyErrors, token.span, message, None);
                return;
            }
            if token.kind != TokenKind::Open {
                let _reported: Skip = self.unexpected(token, "a command `(…)`");
                self.skip_to_open();
                continue;
            }
            let read = self.command(token);
            after_exit = matches!(
                self.script.commands.last().map(|command| &command.kind),
                Some(CommandKind::Simple(SimpleCommand::Exit))
            ) && read.is_ok();
            if read.is_err() {
                self.lexer.seek(token.span.end);
                self.skip_command();
            }
        }
    }

    /// Whether a token is the name of a command.
    pub(super) fn is_command_name(&self, token: Token) -> bool {
        COMMANDS.contains(&self.lexer.text(token.span))
    }

    /// Goes on to the next opening parenthesis.
    fn skip_to_open(&mut self) {
        loop {
            let position = self.lexer.position();
            match self.lexer.next_token().kind {
                TokenKind::Open => {
                    self.lexer.seek(position);
                    return;
                }
                TokenKind::End => return,
                _ => {}
            }
        }
    }

    /// Skips the rest of a command in which an error was found. A command at the beginning of a
    /// line ends it too, since the error may have been a missing parenthesis.
    fn skip_command(&mut self) {
        let mut depth = 1;
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Open => {
                    let start = token.span.start as usize;
                    let at_line_start = start == 0 || self.lexer.bytes()[start - 1] == b'\n';
                    let head = self.lexer.next_token();
                    if at_line_start && head.kind == TokenKind::Symbol && self.is_command_name(head)
                    {
                        self.lexer.seek(token.span.start);
                        return;
                    }
                    self.lexer.seek(token.span.end);
                    depth += 1;
                }
                TokenKind::Close => {
                    depth -= 1;
                    if depth == 0 {
                        return;
                    }
                }
                TokenKind::End => return,
                _ => {}
            }
        }
    }

    fn command(&mut self, open: Token) -> Step<()> {
        let head = self.lexer.next_token();
        if head.kind != TokenKind::Symbol {
            return Err(self.unexpected(head, "the name of a command"));
        }
        let start = open.span.start;
        let kind = match self.name_of(head) {
            b"assert" => self.assert(start)?,
            b"declare-fun" => self.declare(false)?,
            b"declare-const" => self.declare(true)?,
            b"define-fun" => self.define(false)?,
            b"define-const" => self.define(true)?,
            b"define-fun-rec" => self.define_recursive(false)?,
            b"define-funs-rec" => self.define_recursive(true)?,
            b"define-sort" => self.define_sort()?,
            b"check-sat" => Some(CommandKind::CheckSat),
            b"check-sat-assuming" => self.term_list()?.map(CommandKind::CheckSatAssuming),
            b"get-value" => self.term_list()?.map(CommandKind::GetValue),
            b"push" => Some(self.push()?),
            b"pop" => self.pop()?,
            b"reset" => {
                self.bindings.reset();
                self.repeats.meaning_changed();
                self.sort_names.clear();
                self.quantifier_free_logic = false;
                Some(CommandKind::Reset)
            }
            b"reset-assertions" => {
                while self.bindings.pop() {}
                self.repeats.meaning_changed();
                Some(CommandKind::ResetAssertions)
            }
            b"set-logic" => Some(self.set_logic()?),
            b"set-info" => Some(CommandKind::SetInfo(self.attribute()?)),
            b"set-option" => Some(CommandKind::SetOption(self.attribute()?)),
            b"get-info" => Some(CommandKind::GetInfo(self.keyword()?)),
            b"get-option" => Some(CommandKind::GetOption(self.keyword()?)),
            b"echo" => {
                let token = self.expect(TokenKind::String, "a string literal")?;
                Some(CommandKind::Echo(self.unquoted(token)))
            }
            name => match SimpleCommand::ALL.iter().find(|simple| simple.name().as_bytes() == name)
            {
                Some(&simple) => Some(CommandKind::Simple(simple)),
                None => return Err(self.unknown_command(head)),
            },
        };
        self.expect(TokenKind::Close, "`)`, the end of the command")?;
        if let Some(kind) = kind {
            self.push_command(kind, start);
        }
        Ok(())
    }

    fn unknown_command(&mut self, head: Token) -> Skip {
        let name = self.text_of(head.span);
        if self.is_command_name(head) {
            let message = format!("`{name}` declares what the theories of strings do not have");
            let hint = "supported are constants and functions over Bool, Int, String and RegLan";
            self.collector.error(Code::Unsupported, head.span, message, Some(hint));
        } else {
            let message = format!("`{name}` is no command");
            self.collector.error(Code::UnknownCommand, head.span, message, None);
        }
        Skip
    }

    fn assert(&mut self, start: u32) -> Step<Option<CommandKind>> {
        let Some(term) = self.read_term()? else {
            return Ok(None);
        };
        if let Err(error) = self.pool.expect_formula(term) {
            let span = Span { start, end: self.lexer.position() };
            self.collector.error(Code::NotAFormula, span, error.to_string(), None);
            return Ok(None);
        }
        let name = self.machine.root_name;
        let uses_let = self.machine.uses_let;
        Ok(Some(CommandKind::Assert(Assertion { term, name, uses_let })))
    }

    fn declare(&mut self, constant: bool) -> Step<Option<CommandKind>> {
        let (name, token) = self.expect_symbol("a name")?;
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
            // The sort was reported; uses of the name need not be.
            self.bindings.set(name, Binding::Poison);
            return Ok(None);
        };
        let function = self.function(token, |pool| pool.declare(name, parameters, result))?;
        if !self.declare_name(name, Binding::Function(function), token.span) {
            return Ok(None);
        }
        Ok(Some(CommandKind::Declare { function, constant }))
    }

    fn define(&mut self, constant: bool) -> Step<Option<CommandKind>> {
        let (name, token) = self.expect_symbol("a name")?;
        let mark = self.bindings.mark();
        let variables = if constant { Vec::new() } else { self.bind_variables()? };
        let result = self.read_sort()?;
        let body = self.read_term_in_scope();
        self.bindings.undo_to(mark);
        let variables: Option<Vec<TermId>> = variables.into_iter().collect();
        let (Some(variables), Some(result), Some(body)) = (variables, result, body?) else {
            self.bindings.set(name, Binding::Poison);
            return Ok(None);
        };
        if !self.body_has_sort(body, result, token.span) {
            self.bindings.set(name, Binding::Poison);
            return Ok(None);
        }
        let function = self.function(token, |pool| pool.define(name, variables, body))?;
        if !self.declare_name(name, Binding::Function(function), token.span) {
            return Ok(None);
        }
        Ok(Some(CommandKind::Define { function, constant }))
    }

    fn body_has_sort(&mut self, body: TermId, expected: Sort, span: Span) -> bool {
        let found = self.pool.sort(body);
        if found != expected {
            let message = format!("the body is of sort {found}, the function of sort {expected}");
            self.collector.error(Code::Sort, span, message, None);
        }
        found == expected
    }

    /// `define-fun-rec`, and `define-funs-rec` with its two lists.
    fn define_recursive(&mut self, several: bool) -> Step<Option<CommandKind>> {
        let begin = self.lexer.position();
        let mark = self.bindings.mark();
        for generation in 0.. {
            self.lexer.seek(begin);
            let Some(heads) = self.recursive_heads(several, generation)? else {
                return Ok(None);
            };
            match self.recursive_bodies(several, &heads)? {
                Bodies::Taken => {
                    let functions = heads.into_iter().map(|head| head.function).collect();
                    return Ok(Some(CommandKind::DefineRecursive(functions)));
                }
                Bodies::Wrong => return Ok(None),
                // The name was defined before with another body, in a scope that is gone.
                Bodies::OtherGeneration => {
                    self.bindings.undo_to(mark);
                    self.repeats.meaning_changed();
                }
            }
        }
        Ok(None)
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
            let mark = self.bindings.mark();
            let variables = self.bind_variables()?;
            self.bindings.undo_to(mark);
            let result = self.read_sort()?;
            let variables: Option<Vec<TermId>> = variables.into_iter().collect();
            if let (Some(variables), Some(result)) = (variables, result) {
                let names = self.variable_names(&variables);
                let function = self.function(token, |pool| {
                    pool.begin_recursive(name, variables, result, generation)
                })?;
                wrong |= !self.declare_name(name, Binding::Function(function), token.span);
                heads.push(RecursiveHead { function, variables: names, span: token.span });
            } else {
                self.bindings.set(name, Binding::Poison);
                wrong = true;
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

    pub(crate) fn variable_names(&self, variables: &[TermId]) -> Vec<(SymbolId, TermId)> {
        let name = |&term: &TermId| match self.pool.term(term) {
            luthier_terms::Term::Variable(variable) => (variable.name, term),
            _ => unreachable!("bound variables are variables"),
        };
        variables.iter().map(name).collect()
    }

    fn recursive_bodies(&mut self, several: bool, heads: &[RecursiveHead]) -> Step<Bodies> {
        if several {
            self.expect(TokenKind::Open, "the list of bodies")?;
        }
        let mut outcome = Bodies::Taken;
        for head in heads {
            let mark = self.bindings.mark();
            for &(name, variable) in &head.variables {
                self.bindings.set(name, Binding::Term(variable));
            }
            let body = self.read_term_in_scope();
            self.bindings.undo_to(mark);
            let result = self.pool.function(head.function).result;
            match body? {
                Some(body) if self.body_has_sort(body, result, head.span) => {
                    match self.pool.finish_recursive(head.function, body) {
                        Ok(true) => {}
                        Ok(false) => outcome = Bodies::OtherGeneration,
                        Err(error) => {
                            let message = error.to_string();
                            self.collector.error(Code::Sort, head.span, message, None);
                            return Ok(Bodies::Wrong);
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

    fn function(
        &mut self,
        token: Token,
        make: impl FnOnce(&mut luthier_terms::TermPool) -> Result<FunctionId, luthier_terms::BuildError>,
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
            Binding::Builtin(_) => self.collector.leniency(
                Code::ShadowsOperator,
                name.index() as u64,
                span,
                || format!("`{shown}` is the name of an operator; this hides it"),
                Some("choose another name"),
            ),
            same if same == binding => self.collector.leniency(
                Code::RepeatedDeclaration,
                name.index() as u64,
                span,
                || format!("`{shown}` is declared again, the same"),
                Some("a name may be declared once"),
            ),
            _ => {
                let message = format!("`{shown}` is declared already, as something else");
                let hint = "a name may be declared once";
                self.collector.error(Code::Redeclared, span, message, Some(hint));
                return false;
            }
        }
        if self.bindings.get(name) != Binding::Free {
            self.repeats.meaning_changed();
        }
        self.bindings.set(name, binding);
        true
    }

    fn define_sort(&mut self) -> Step<Option<CommandKind>> {
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
        self.sort_names.insert(name, sort);
        Ok(Some(CommandKind::DefineSort(name, sort)))
    }

    fn term_list(&mut self) -> Step<Option<Vec<TermId>>> {
        self.expect(TokenKind::Open, "a list of terms")?;
        let mut terms = Vec::new();
        let mut complete = true;
        loop {
            let token = self.lexer.next_token();
            if token.kind == TokenKind::Close {
                return Ok(complete.then_some(terms));
            }
            match self.read_term_from(token)? {
                Some(term) => terms.push(term),
                None => complete = false,
            }
        }
    }

    fn level_count(&mut self) -> Step<(u32, Token)> {
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::Numeral => {
                let text = String::from_utf8_lossy(self.lexer.text(token.span)).into_owned();
                match text.parse::<u32>() {
                    Ok(count) if count <= 1_000_000 => Ok((count, token)),
                    _ => {
                        let message = format!("`{text}` levels are more than can be counted");
                        self.collector.error(Code::Index, token.span, message, None);
                        Err(Skip)
                    }
                }
            }
            // `(push)` means `(push 1)` to every solver.
            TokenKind::Close => {
                self.lexer.seek(token.span.start);
                self.collector.leniency(
                    Code::FewArguments,
                    u64::MAX - 3,
                    token.span,
                    || "no number of levels; one is taken".to_owned(),
                    Some("the standard writes (push 1)"),
                );
                Ok((1, token))
            }
            _ => Err(self.unexpected(token, "a number of levels")),
        }
    }

    fn push(&mut self) -> Step<CommandKind> {
        let (count, _) = self.level_count()?;
        for _ in 0..count {
            self.bindings.push();
        }
        Ok(CommandKind::Push(count))
    }

    fn pop(&mut self) -> Step<Option<CommandKind>> {
        let (count, token) = self.level_count()?;
        if count as usize > self.bindings.depth() {
            let message =
                format!("{count} levels are popped, but only {} pushed", self.bindings.depth());
            self.collector.error(Code::PopWithoutPush, token.span, message, None);
            return Ok(None);
        }
        for _ in 0..count {
            self.bindings.pop();
        }
        self.repeats.meaning_changed();
        Ok(Some(CommandKind::Pop(count)))
    }

    fn set_logic(&mut self) -> Step<CommandKind> {
        let (logic, _) = self.expect_symbol("the name of a logic")?;
        self.quantifier_free_logic = self.pool.symbols().bytes_of(logic).starts_with(b"QF_");
        Ok(CommandKind::SetLogic(logic))
    }

    fn keyword(&mut self) -> Step<SymbolId> {
        let token = self.expect(TokenKind::Keyword, "a keyword")?;
        self.symbol(token)
    }

    fn attribute(&mut self) -> Step<Attribute> {
        let keyword = self.keyword()?;
        let position = self.lexer.position();
        let token = self.lexer.next_token();
        let value = match token.kind {
            TokenKind::Close => {
                self.lexer.seek(position);
                AttributeValue::None
            }
            TokenKind::String => AttributeValue::String(self.unquoted(token)),
            TokenKind::Open => {
                let span = self.skip_rest_of_list(token)?;
                AttributeValue::Other(self.lexer.text(span).to_vec())
            }
            TokenKind::Keyword => return Err(self.unexpected(token, "a value")),
            TokenKind::End
            | TokenKind::UnterminatedString
            | TokenKind::UnterminatedSymbol
            | TokenKind::Illegal => return Err(self.unexpected(token, "a value")),
            _ => AttributeValue::Other(self.lexer.text(token.span).to_vec()),
        };
        Ok(Attribute { keyword, value })
    }

    /// The inside of a literal outside terms: only the quotation marks are special in it.
    fn unquoted(&self, token: Token) -> Vec<u8> {
        let text = self.lexer.text(token.span);
        let inner = &text[1..text.len() - 1];
        let mut bytes = Vec::with_capacity(inner.len());
        let mut rest = inner.iter();
        while let Some(&byte) = rest.next() {
            match (self.dialect.quotes(), byte) {
                (Quotes::Doubled, b'"') => {
                    rest.next();
                    bytes.push(b'"');
                }
                (Quotes::Backslash, b'\\') => bytes.extend(rest.next()),
                _ => bytes.push(byte),
            }
        }
        bytes
    }
}

enum Bodies {
    Taken,
    Wrong,
    OtherGeneration,
}
