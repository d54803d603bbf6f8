//! Reads commands, and recovers after errors: after a syntax error the rest of the command is skipped,
//! up to its closing parenthesis or to a line that begins with a command, because the error may be a
//! missing parenthesis.

use luthier_terms::TermId;

use super::{Reader, Skip, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind, is_command};
use crate::script::{Assertion, CommandKind, SimpleCommand};
use crate::source::Span;

/// How many levels may be pushed: each takes memory.
const MAX_LEVELS: u32 = 1_000_000;

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

    pub(super) fn command(&mut self, open: Token) -> Step<()> {
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
            b"simplify" => self.read_term()?.map(CommandKind::Simplify),
            b"push" => self.push()?,
            b"pop" => self.pop()?,
            b"reset" => {
                self.at_end_of_command()?;
                self.bindings.reset();
                self.term_cache.meaning_changed();
                self.quantifier_free_logic = false;
                Some(CommandKind::Reset)
            }
            b"reset-assertions" => {
                self.at_end_of_command()?;
                while self.bindings.pop() {}
                self.term_cache.meaning_changed();
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

    /// Looks whether the command ends here, before it changes what names mean: one that has more
    /// arguments than it may have must change nothing. In a whole text a missing closing parenthesis
    /// before the next command is forgiven, so that one error does not cause others; in a
    /// conversation a command that is not closed is refused like any other.
    fn at_end_of_command(&mut self) -> Step<()> {
        let position = self.lexer.position();
        let is_next_command =
            !self.reads_one_command && self.lexer.next_token().kind == TokenKind::Open && {
                let head = self.lexer.next_token();
                head.kind == TokenKind::Symbol && is_command(self.lexer.text(head.span))
            };
        self.lexer.seek(position);
        if !is_next_command {
            self.end_of_command()?;
            self.lexer.seek(position);
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
        self.at_end_of_command()?;
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
        self.at_end_of_command()?;
        if count as usize > self.bindings.depth() {
            let message =
                format!("{count} levels are popped, but only {} pushed", self.bindings.depth());
            self.collector.error(Code::PopWithoutPush, token.span, message, None);
            return Ok(None);
        }
        for _ in 0..count {
            self.bindings.pop();
        }
        self.term_cache.meaning_changed();
        Ok(Some(CommandKind::Pop(count)))
    }

    fn set_logic(&mut self) -> Step<CommandKind> {
        let (logic, _) = self.expect_symbol("the name of a logic")?;
        self.at_end_of_command()?;
        self.quantifier_free_logic = self.pool.symbols().bytes_of(logic).starts_with(b"QF_");
        Ok(CommandKind::SetLogic(logic))
    }

    fn set_option(&mut self) -> Step<CommandKind> {
        let option = self.attribute()?;
        self.at_end_of_command()?;
        if self.pool.symbols().bytes_of(option.keyword) == b":global-declarations" {
            self.bindings.global_declarations = option.value.is_true();
        }
        Ok(CommandKind::SetOption(option))
    }
}
