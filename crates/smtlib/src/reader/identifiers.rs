//! Identifiers with indices or sorts: `(_ char #x41)`, `((_ re.loop 1 3) r)`, `(as re.none RegLan)`.

use luthier_terms::{BuildError, Op, SmtString, Sort, Term, TermId};

use super::applications::arity;
use super::terms::FrameKind;
use super::{Binding, Reader, Step};
use crate::diagnostic::Code;
use crate::lexer::{Token, TokenKind};
use crate::source::Span;

impl Reader<'_, '_> {
    /// `(_ name index …)` as a term, after `(_`.
    pub(super) fn indexed_constant(&mut self, open: Token) -> Step<()> {
        let (_, head) = self.expect_symbol("the name of an indexed identifier")?;
        let name = self.name_of(head).to_vec();
        let first = self.lexer.next_token();
        let code = match (name.as_slice(), first.kind) {
            (b"char", TokenKind::Hexadecimal) => {
                let digits = &self.lexer.text(first.span)[2..];
                (digits.len() <= 5).then(|| parse_code(digits, 16)).flatten()
            }
            // Z3 prints characters by their decimal code.
            (b"Char", TokenKind::Numeral) => {
                self.z3_form("(_ Char n)", open.span.to(first.span));
                parse_code(self.lexer.text(first.span), 10)
            }
            (b"char" | b"Char", _) => None,
            _ => {
                let span = self.skip_rest_of_indexed(open, first)?;
                let message =
                    format!("`{}` is no term of the theories of strings", self.text_of(span));
                self.collector.error(Code::UnknownSymbol, span, message, None);
                return self.poison(span);
            }
        };
        let span = self.skip_rest_of_indexed(open, first)?;
        let text = code.and_then(|code| SmtString::from_codes([code]));
        let Some(text) = text else {
            let message = format!("`{}` is no character", self.text_of(span));
            let hint = "a character is (_ char #xH) with one to five digits, at most #x2FFFF";
            self.collector.error(Code::Index, span, message, Some(hint));
            return self.poison(span);
        };
        let built = self.pool.string(text);
        let term = self.built(built, span)?;
        self.value(term, span);
        Ok(())
    }

    fn skip_rest_of_indexed(&mut self, open: Token, first: Token) -> Step<Span> {
        if first.kind == TokenKind::Close {
            return Ok(open.span.to(first.span));
        }
        self.skip_rest_of_list(open)
    }

    /// `(as name Sort)` as a term, after `(as`.
    pub(super) fn qualified_constant(&mut self, open: Token) -> Step<()> {
        let head = self.lexer.next_token();
        if !matches!(head.kind, TokenKind::Symbol | TokenKind::QuotedSymbol) {
            return Err(self.unexpected(head, "a name"));
        }
        let empty_string = self.name_of(head) == b"seq.empty";
        let sort = self.read_sort()?;
        let close = self.expect(TokenKind::Close, "`)`")?;
        let span = open.span.to(close.span);
        let Some(sort) = sort else {
            return self.poison(span);
        };
        if empty_string && sort == Sort::String {
            self.z3_form("seq.empty", head.span);
            let built = self.pool.string(SmtString::empty());
            let term = self.built(built, span)?;
            self.value(term, span);
            return Ok(());
        }
        let first = self.machine.values.len();
        self.symbol_leaf(head)?;
        match self.machine.values[first..] {
            [term] if self.pool.sort(term) != sort && !self.is_poisoned() => {
                let found = self.pool.sort(term);
                let message = format!("`{}` is of sort {found}, not {sort}", self.text_of(span));
                self.collector.error(Code::Sort, span, message, None);
                self.collapse_to_poison(first, span)
            }
            _ => Ok(()),
        }
    }

    fn is_poisoned(&self) -> bool {
        match self.machine.frames.last() {
            Some(frame) => frame.poisoned,
            None => self.machine.root_poisoned,
        }
    }

    /// `((_ f i …) …` or `((as f S) …`, after the two parentheses.
    pub(super) fn open_compound_head(&mut self, open: Token, inner: Token) -> Step<()> {
        let word = self.lexer.next_token();
        match (word.kind, self.lexer.text(word.span)) {
            (TokenKind::Symbol, b"_") => self.open_indexed(open, inner),
            (TokenKind::Symbol, b"as") => self.open_qualified(open, inner),
            _ => Err(self.unexpected(word, "`_` or `as`")),
        }
    }

    fn open_indexed(&mut self, open: Token, inner: Token) -> Step<()> {
        let (_, head) = self.expect_symbol("the name of an indexed operator")?;
        let name = self.name_of(head).to_vec();
        let mut indices = Vec::new();
        let mut numerals_only = true;
        let close = loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Close => break token,
                TokenKind::Numeral => indices.push(self.numeral(token)?),
                TokenKind::Symbol | TokenKind::Hexadecimal | TokenKind::QuotedSymbol => {
                    numerals_only = false;
                }
                _ => return Err(self.unexpected(token, "an index")),
            }
        };
        let span = inner.span.to(close.span);
        let kind = match (name.as_slice(), indices.len()) {
            (b"re.loop", 2) => FrameKind::Indexed(Op::ReLoop, indices),
            (b"re.^", 1) => FrameKind::Indexed(Op::RePower, indices),
            (b"divisible", 1) => {
                if self.pool.as_integer(indices[0]) == Some(0.into()) {
                    self.collector.leniency(
                        Code::Index,
                        0,
                        span,
                        || "only 0 is divisible by 0".to_owned(),
                        Some("the standard requires a positive index"),
                    );
                }
                FrameKind::Indexed(Op::Divisible, indices)
            }
            (b"re.loop", 1) if numerals_only => {
                self.collector.leniency(
                    Code::FewArguments,
                    u64::MAX - 1,
                    span,
                    || "a loop without an upper bound is an extension of Z3".to_owned(),
                    Some("the standard writes (re.++ ((_ re.^ n) r) (re.* r))"),
                );
                FrameKind::AtLeast(indices[0])
            }
            (b"re.loop" | b"re.^" | b"divisible", _) => {
                let message = format!("`{}` has the wrong indices", self.text_of(span));
                let hint = "write (_ re.loop low high), (_ re.^ n) or (_ divisible n)";
                self.collector.error(Code::Index, span, message, Some(hint));
                FrameKind::Nothing
            }
            _ => {
                let message = format!("`{}` is no operator of strings", self.text_of(span));
                self.collector.error(Code::UnknownSymbol, span, message, None);
                FrameKind::Nothing
            }
        };
        self.push_frame(kind, open);
        Ok(())
    }

    fn open_qualified(&mut self, open: Token, inner: Token) -> Step<()> {
        let head = self.lexer.next_token();
        if !matches!(head.kind, TokenKind::Symbol | TokenKind::QuotedSymbol) {
            return Err(self.unexpected(head, "a name"));
        }
        let symbol = self.symbol(head)?;
        if self.is_untyped_array(head) {
            self.push_frame(FrameKind::UntypedConstArray, open);
            return Ok(());
        }
        let sort = self.read_sort()?;
        let close = self.expect(TokenKind::Close, "`)`")?;
        let span = inner.span.to(close.span);
        let kind = match (self.name_of(head), sort, self.bindings.get(symbol)) {
            (b"const", Some(Sort::Array(index, element)), _) => {
                FrameKind::ConstArray(index, element)
            }
            (_, None, _) => FrameKind::Nothing,
            (_, Some(sort), Binding::Function(function))
                if self.pool.function(function).result == sort =>
            {
                FrameKind::Function(function)
            }
            _ => {
                let message = format!("`{}` is no function", self.text_of(span));
                self.collector.error(Code::UnknownSymbol, span, message, None);
                FrameKind::Nothing
            }
        };
        self.push_frame(kind, open);
        Ok(())
    }

    /// Z3 up to 4.8.8 prints the values of functions as arrays with `(as const Array)`.
    fn is_untyped_array(&mut self, head: Token) -> bool {
        if self.function_index.is_none() || self.name_of(head) != b"const" {
            return false;
        }
        let begin = self.lexer.position();
        let words = [self.lexer.next_token(), self.lexer.next_token()];
        let found = words[1].kind == TokenKind::Close && self.lexer.text(words[0].span) == b"Array";
        if !found {
            self.lexer.seek(begin);
        }
        found
    }

    /// `(re.loop r low high)` and `(re.loop r low)`, from before loops were indexed.
    pub(super) fn loop_arguments(
        &mut self,
        first: usize,
        head: Span,
        span: Span,
    ) -> Option<TermId> {
        self.collector.leniency(
            Code::LegacyName,
            u64::MAX - 2,
            head,
            || "a loop with its bounds as arguments".to_owned(),
            Some("the standard writes ((_ re.loop low high) r)"),
        );
        let values = self.machine.values[first..].to_vec();
        let (Some(&body), Some(bounds)) = (values.first(), values.get(1..)) else {
            let built = Err(arity(Op::ReLoop, "a language and its bounds", values.len()));
            return self.checked(built, first, span);
        };
        let literal = |term: TermId| matches!(self.pool.term(term), Term::Integer(_));
        if !bounds.iter().all(|&bound| literal(bound)) {
            let message = "the bounds of a loop must be numerals".to_owned();
            let hint = "the standard has no loop with symbolic or negative bounds";
            self.collector.error(Code::Index, span, message, Some(hint));
            return None;
        }
        self.warn_loop_bounds(bounds, span);
        let built = match *bounds {
            [low, high] => self.pool.op(Op::ReLoop, &[low, high, body]),
            [low] => self.at_least(low, body),
            _ => Err(arity(Op::ReLoop, "a language and its bounds", values.len())),
        };
        self.checked(built, first, span)
    }

    /// `body` repeated `count` times or more.
    pub(super) fn at_least(&mut self, count: TermId, body: TermId) -> Result<TermId, BuildError> {
        let power = self.pool.op(Op::RePower, &[count, body])?;
        let star = self.pool.op(Op::ReStar, &[body])?;
        self.pool.op(Op::ReConcat, &[power, star])
    }
}

pub(super) fn parse_code(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}
