//! Commands, and going on after an error.

use luthier_terms::{BuildError, FunctionId, Sort, SymbolId, Term, TermId, TermPool};

use super::builtins::is_standard;
use super::{Binding, Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Quotes, Token, TokenKind, is_command, quote_string, unquote_string};
use crate::script::{Assertion, Attribute, AttributeValue, CommandKind, SimpleCommand};
use crate::source::Span;

/// How many levels may be pushed: each takes memory.
const MAX_LEVELS: u32 = 1_000_000;

/// A function of a `define-fun-rec` whose body is still to be read.
struct RecursiveHead {
    function: FunctionId,
    variables: Vec<(SymbolId, TermId)>,
    token: Token,
    /// The name has been declared by this very head before.
    repeated: bool,
}

impl Reader<'_, '_> {
    /// Reads the whole text.
    pub(crate) fn read_commands(&mut self) {
        loop {
            let token = self.lexer.next_token();
            if token.kind == TokenKind::End {
                return;
            }
            let last = self.script.commands.last().map(|command| &command.kind);
            if matches!(last, Some(CommandKind::Simple(SimpleCommand::Exit))) {
                let message = "text after `(exit)` is not read".to_owned();
                self.collector.warning(Code::TextAfterExit, token.span, message, None);
                return;
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
            if self.command(token).is_err() {
                self.lexer.seek(token.span.end);
                self.skip_command();
            }
        }
    }

    /// A command begins where the one before goes on: its end is missing.
    pub(super) fn not_closed_before(&mut self, head: Token) -> Skip {
        let message = format!("the command before `{}` is not closed", self.text_of(head.span));
        let hint = "a closing parenthesis is missing before this line";
        self.collector.error(Code::UnterminatedCommand, head.span, message, Some(hint));
        Skip
    }

    /// Whether only white space stands before a place on its line.
    fn begins_line(&self, start: u32) -> bool {
        let before = self.lexer.bytes()[..start as usize].iter().rev();
        let last = before.copied().find(|byte| !matches!(byte, b' ' | b'\t'));
        last.is_none_or(|byte| byte == b'\n')
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
                    let head = self.lexer.next_token();
                    if head.kind == TokenKind::Symbol
                        && is_command(self.lexer.text(head.span))
                        && self.begins_line(token.span.start)
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
            b"assert" => self.assert()?,
            b"declare-fun" => self.declare(false)?,
            b"declare-const" => self.declare(true)?,
            b"define-fun" => self.define(false)?,
            b"define-const" => self.define(true)?,
            b"define-fun-rec" => self.define_recursive(false)?,
            b"define-funs-rec" => self.define_recursive(true)?,
            b"define-sort" => self.define_sort()?,
            b"check-sat" => Some(CommandKind::CheckSat),
            b"check-sat-assuming" => {
                let terms = self.term_list()?;
                self.formulas(terms).map(CommandKind::CheckSatAssuming)
            }
            b"get-value" => {
                let all = |terms: Vec<(TermId, Span)>| terms.into_iter().map(|(term, _)| term);
                self.term_list()?.map(|terms| CommandKind::GetValue(all(terms).collect()))
            }
            b"push" => self.push()?,
            b"pop" => self.pop()?,
            b"reset" => {
                self.bindings.reset();
                self.repeats.meaning_changed();
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
            b"set-option" => Some(self.set_option()?),
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
        self.end_of_command()?;
        if let Some(kind) = kind {
            self.push_command(kind, start);
        }
        Ok(())
    }

    fn end_of_command(&mut self) -> Step<()> {
        let token = self.lexer.next_token();
        if token.kind == TokenKind::Close {
            return Ok(());
        }
        if token.kind == TokenKind::Open {
            let head = self.lexer.next_token();
            if head.kind == TokenKind::Symbol && is_command(self.lexer.text(head.span)) {
                return Err(self.not_closed_before(head));
            }
        }
        Err(self.unexpected(token, "`)`, the end of the command"))
    }

    fn unknown_command(&mut self, head: Token) -> Skip {
        let name = self.text_of(head.span);
        if is_command(self.lexer.text(head.span)) {
            let message = format!("`{name}` declares what the theories of strings do not have");
            let hint = "supported are constants and functions over Bool, Int, String and RegLan";
            self.collector.error(Code::Unsupported, head.span, message, Some(hint));
        } else {
            let message = format!("`{name}` is no command");
            self.collector.error(Code::UnknownCommand, head.span, message, None);
        }
        Skip
    }

    fn assert(&mut self) -> Step<Option<CommandKind>> {
        let first = self.lexer.next_token();
        let Some(term) = self.read_term_from(first)? else {
            return Ok(None);
        };
        let span = Span { start: first.span.start, end: self.lexer.position() };
        if !self.is_formula(term, span) {
            return Ok(None);
        }
        let name = self.machine.root_name;
        let uses_let = self.machine.uses_let;
        Ok(Some(CommandKind::Assert(Assertion { term, name, uses_let })))
    }

    fn is_formula(&mut self, term: TermId, span: Span) -> bool {
        match self.pool.expect_formula(term) {
            Ok(()) => true,
            Err(error) => {
                self.collector.error(Code::NotAFormula, span, error.to_string(), None);
                false
            }
        }
    }

    fn formulas(&mut self, terms: Option<Vec<(TermId, Span)>>) -> Option<Vec<TermId>> {
        let mut formulas = Some(Vec::new());
        for (term, span) in terms? {
            match self.is_formula(term, span) {
                true => formulas.iter_mut().for_each(|formulas| formulas.push(term)),
                false => formulas = None,
            }
        }
        formulas
    }

    /// A declaration was wrong, which has been reported: uses of its name need not be.
    fn poison_name(&mut self, name: SymbolId) {
        if self.bindings.get(name) == Binding::Free {
            self.bindings.set(name, Binding::Poison);
        }
    }

    fn declare(&mut self, constant: bool) -> Step<Option<CommandKind>> {
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

    fn define(&mut self, constant: bool) -> Step<Option<CommandKind>> {
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
                    for head in heads.iter().filter(|head| head.repeated) {
                        let name = self.pool.function(head.function).name;
                        self.repeated_declaration(name, head.token.span);
                    }
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

    fn recursive_bodies(&mut self, several: bool, heads: &[RecursiveHead]) -> Step<Bodies> {
        if several {
            self.expect(TokenKind::Open, "the list of bodies")?;
        }
        let mut outcome = Bodies::Taken;
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
                        Ok(false) => outcome = Bodies::OtherGeneration,
                        Err(error) => {
                            let message = error.to_string();
                            self.collector.error(Code::Sort, head.token.span, message, None);
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
            self.repeats.meaning_changed();
        }
        self.bindings.set(name, binding);
        true
    }

    fn repeated_declaration(&mut self, name: SymbolId, span: Span) {
        let shown = self.text_of(span);
        self.collector.leniency(
            Code::RepeatedDeclaration,
            name.index() as u64,
            span,
            || format!("`{shown}` is declared again, the same"),
            Some("a name may be declared once"),
        );
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

    fn term_list(&mut self) -> Step<Option<Vec<(TermId, Span)>>> {
        self.expect(TokenKind::Open, "a list of terms")?;
        let mut terms = Vec::new();
        let mut complete = true;
        loop {
            let token = self.lexer.next_token();
            if token.kind == TokenKind::Close {
                return Ok(complete.then_some(terms));
            }
            match self.read_term_from(token)? {
                Some(term) => {
                    let span = Span { start: token.span.start, end: self.lexer.position() };
                    terms.push((term, span));
                }
                None => complete = false,
            }
        }
    }

    fn level_count(&mut self) -> Step<(u32, Token)> {
        let token = self.lexer.next_token();
        match token.kind {
            TokenKind::Numeral => {
                let text = String::from_utf8_lossy(self.lexer.text(token.span));
                match text.parse::<u32>() {
                    Ok(count) if count <= MAX_LEVELS => Ok((count, token)),
                    _ => {
                        self.too_many_levels(token);
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

    fn too_many_levels(&mut self, token: Token) {
        let message = format!("more than {MAX_LEVELS} levels cannot be pushed");
        self.collector.error(Code::Index, token.span, message, None);
    }

    fn push(&mut self) -> Step<Option<CommandKind>> {
        let (count, token) = self.level_count()?;
        if self.bindings.depth() + count as usize > MAX_LEVELS as usize {
            self.too_many_levels(token);
            return Ok(None);
        }
        for _ in 0..count {
            self.bindings.push();
        }
        Ok(Some(CommandKind::Push(count)))
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

    fn set_option(&mut self) -> Step<CommandKind> {
        let option = self.attribute()?;
        if self.pool.symbols().bytes_of(option.keyword) == b":global-declarations" {
            self.bindings.global_declarations = option.value.is_true();
        }
        Ok(CommandKind::SetOption(option))
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
            TokenKind::Open => AttributeValue::Other(self.list_text(token)?),
            TokenKind::Keyword => return Err(self.unexpected(token, "a value")),
            TokenKind::End
            | TokenKind::UnterminatedString
            | TokenKind::UnterminatedSymbol
            | TokenKind::Illegal => return Err(self.unexpected(token, "a value")),
            _ => AttributeValue::Other(self.lexer.text(token.span).to_vec()),
        };
        Ok(Attribute { keyword, value })
    }

    /// The text of a list, with its tokens one space apart and its literals in the quotation of
    /// the standard.
    fn list_text(&mut self, open: Token) -> Step<Vec<u8>> {
        let begin = self.lexer.position();
        let end = self.skip_rest_of_list(open)?.end;
        self.lexer.seek(begin);
        let mut text = b"(".to_vec();
        while self.lexer.position() < end {
            let token = self.lexer.next_token();
            if token.kind != TokenKind::Close && text.last() != Some(&b'(') {
                text.push(b' ');
            }
            match token.kind {
                TokenKind::String => {
                    quote_string(&self.unquoted(token), Quotes::Doubled, &mut text)
                }
                _ => text.extend_from_slice(self.lexer.text(token.span)),
            }
        }
        Ok(text)
    }

    /// The inside of a literal outside terms: only the quotation marks are special in it.
    fn unquoted(&self, token: Token) -> Vec<u8> {
        unquote_string(self.lexer.text(token.span), self.dialect.quotes())
    }
}

enum Bodies {
    Taken,
    Wrong,
    OtherGeneration,
}
