//! Terms without arguments, identifiers with indices, and the remarks on operators whose meaning
//! has changed.

use std::hash::BuildHasher as _;

use luthier_terms::{BigInt, BuildError, Op, SmtString, Sort, SymbolId, Term, TermId};
use rustc_hash::FxBuildHasher;

use super::builtins::{BUILTINS, Kind};
use super::terms::{FrameKind, arity};
use super::{Binding, Reader, Step};
use crate::diagnostic::Code;
use crate::dialect::escapes::{Escapes, decode};
use crate::lexer::{Token, TokenKind};
use crate::source::Span;

impl Reader<'_, '_> {
    pub(super) fn leaf(&mut self, token: Token) -> Step<()> {
        match token.kind {
            TokenKind::Symbol | TokenKind::QuotedSymbol => self.symbol_leaf(token),
            TokenKind::Numeral | TokenKind::String => {
                let text = self.lexer.text(token.span);
                let term = match self.literals.get(text) {
                    Some(&term) => term,
                    None => {
                        let term = match token.kind {
                            TokenKind::Numeral => self.numeral(token)?,
                            _ => self.string_literal(token)?,
                        };
                        self.literals.insert(text, term);
                        term
                    }
                };
                self.value(term, token.span);
                Ok(())
            }
            TokenKind::Keyword => self.annotation_keyword(token),
            // Z3 4.8.9 and 4.8.10 print characters as bit vectors: (seq.unit #x62).
            TokenKind::Hexadecimal if self.model => {
                let digits = &self.lexer.text(token.span)[2..];
                let code = parse_code(digits, 16);
                match code.and_then(|code| SmtString::from_codes([code])) {
                    Some(text) => {
                        let built = self.pool.string(text);
                        let term = self.built(built, token.span)?;
                        self.value(term, token.span);
                        Ok(())
                    }
                    None => Err(self.unexpected(token, "a character")),
                }
            }
            TokenKind::Decimal | TokenKind::Hexadecimal | TokenKind::Binary => {
                let shown = self.text_of(token.span);
                self.collector.error_once(
                    Code::UnsupportedLiteral,
                    token.kind as u64,
                    token.span,
                    || {
                        format!(
                            "`{shown}` is a literal of another theory than strings and integers"
                        )
                    },
                    None,
                );
                self.poison(token.span)
            }
            _ => Err(self.unexpected(token, "a term")),
        }
    }

    fn symbol_leaf(&mut self, token: Token) -> Step<()> {
        let symbol = self.symbol(token)?;
        match self.bindings.get(symbol) {
            Binding::Term(term) => {
                self.value(term, token.span);
                Ok(())
            }
            Binding::Function(function) => {
                let first = self.machine.values.len();
                let built = self.pool.apply(function, &[]);
                let built = self.checked(built, first, token.span);
                self.collapse(first, built, token.span)
            }
            Binding::Builtin(index) => {
                let op = match BUILTINS[index as usize].kind {
                    Kind::Op(op) => op,
                    Kind::Legacy(op @ Op::ReNone, origin) => {
                        self.legacy_name(index, op, origin, token.span);
                        op
                    }
                    _ => {
                        let message = format!(
                            "`{}` is an operator and needs arguments",
                            self.text_of(token.span)
                        );
                        self.collector.error(Code::Arity, token.span, message, None);
                        return self.poison(token.span);
                    }
                };
                self.constant(op, token.span)
            }
            Binding::Poison => self.poison(token.span),
            Binding::Free => {
                if let Some(term) = self.negative_numeral(token)? {
                    self.value(term, token.span);
                    return Ok(());
                }
                self.unknown_symbol(symbol, token.span);
                self.poison(token.span)
            }
        }
    }

    /// A form in which Z3 writes strings; it prints them so in models.
    pub(super) fn z3_form(&mut self, form: &'static str, span: Span) {
        if !self.model {
            self.collector.leniency(
                Code::LegacyName,
                FxBuildHasher.hash_one(form),
                span,
                || format!("`{form}` is Z3's and not the standard's"),
                Some("the standard writes string literals and the sort String"),
            );
        }
    }

    /// An operator without arguments.
    fn constant(&mut self, op: Op, span: Span) -> Step<()> {
        let first = self.machine.values.len();
        if self.dialect.is_legacy() {
            self.warn_meaning(op, first, span);
        }
        let op = match op {
            Op::ReAllChar if self.dialect.allchar_is_all() => Op::ReAll,
            op => op,
        };
        let built = self.pool.op(op, &[]);
        let built = self.checked(built, first, span);
        self.collapse(first, built, span)
    }

    pub(super) fn unknown_symbol(&mut self, symbol: SymbolId, span: Span) {
        if self.collector.repeat(Code::UnknownSymbol, symbol.index() as u64) {
            return;
        }
        let shown = self.text_of(span);
        let hint = self.similar_name(symbol).map(|name| format!("did you mean `{name}`?"));
        self.collector.error_once(
            Code::UnknownSymbol,
            symbol.index() as u64,
            span,
            || format!("`{shown}` is not declared"),
            hint.as_deref(),
        );
    }

    /// An operator whose name differs from `symbol` only in case and separators.
    fn similar_name(&self, symbol: SymbolId) -> Option<&'static str> {
        let plain = |name: &[u8]| -> Vec<u8> {
            let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
            letters.map(u8::to_ascii_lowercase).collect()
        };
        let wanted = plain(self.pool.symbols().bytes_of(symbol));
        let standard = Op::TABLE.iter().map(|info| info.name);
        standard.into_iter().find(|name| !wanted.is_empty() && plain(name.as_bytes()) == wanted)
    }

    /// `-5`, which is a symbol to the standard and a number to Z3.
    fn negative_numeral(&mut self, token: Token) -> Step<Option<TermId>> {
        let Some(digits) = self.lexer.text(token.span).strip_prefix(b"-") else {
            return Ok(None);
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Ok(None);
        }
        self.collector.leniency(
            Code::NegativeNumeral,
            0,
            token.span,
            || "a negative number written as one token".to_owned(),
            Some("the standard writes (- 5)"),
        );
        let number = self.integer_of(digits, token.span)?;
        let built = self.pool.op(Op::Neg, &[number]);
        self.built(built, token.span).map(Some)
    }

    fn numeral(&mut self, token: Token) -> Step<TermId> {
        let digits = self.lexer.text(token.span);
        if digits.len() > 1 && digits[0] == b'0' {
            self.collector.leniency(
                Code::LeadingZero,
                0,
                token.span,
                || "a numeral with a zero in front".to_owned(),
                Some("the standard writes numerals without leading zeros"),
            );
        }
        self.integer_of(digits, token.span)
    }

    fn integer_of(&mut self, digits: &[u8], span: Span) -> Step<TermId> {
        let number = BigInt::parse_bytes(digits, 10).unwrap_or_default();
        let built = self.pool.integer(number);
        self.built(built, span)
    }

    pub(super) fn built_integer(&mut self, number: u32, span: Span) -> Step<TermId> {
        let built = self.pool.integer(number);
        self.built(built, span)
    }

    fn string_literal(&mut self, token: Token) -> Step<TermId> {
        let text = self.lexer.text(token.span);
        let decoded =
            decode(&text[1..text.len() - 1], self.dialect.quotes(), self.dialect.escapes());
        let escapes = self.dialect.escapes();
        if decoded.non_ascii {
            self.collector.leniency(
                Code::NonAsciiLiteral,
                0,
                token.span,
                || match escapes {
                    Escapes::Standard => {
                        "a character above 127; it is read as UTF-8 if it is, else byte by byte"
                            .to_owned()
                    }
                    _ => "a character above 127; it is read byte by byte".to_owned(),
                },
                Some("the theory of strings writes such characters as \\u{…}"),
            );
        }
        if decoded.control {
            self.collector.leniency(
                Code::ControlCharacter,
                0,
                token.span,
                || "a control character in a literal".to_owned(),
                Some("the theory of strings writes such characters as \\u{…}"),
            );
        }
        if decoded.legacy {
            self.collector.leniency(
                Code::LegacyEscape,
                0,
                token.span,
                || match escapes {
                    Escapes::Both => "an escape of older dialects, decoded as Z3 4.8.9 does".into(),
                    _ => "an escape of SMT-LIB 2.5 and older, decoded".to_owned(),
                },
                Some("in SMT-LIB 2.6 and later the same text is plain characters"),
            );
        }
        if decoded.disagree {
            self.collector.leniency(
                Code::EscapesDisagree,
                token.span.start as u64,
                token.span,
                || "legacy solvers read this escape differently".to_owned(),
                Some("write the character as \\xHH"),
            );
        }
        let built = self.pool.string(decoded.text);
        self.built(built, token.span)
    }

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
                        Some("the standard wants a positive index"),
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

    pub(super) fn warn_loop_bounds(&mut self, bounds: &[TermId], span: Span) {
        if let [low, high] = *bounds
            && self.dialect.is_legacy()
            && self.pool.as_integer(low) > self.pool.as_integer(high)
        {
            self.collector.warning_once(
                Code::MeaningLoopBounds,
                0,
                span,
                || "a loop whose lower bound is above its upper one is empty".to_owned(),
                Some("older solvers disagreed; the standard's meaning is used"),
            );
        }
    }

    /// Remarks on operators that older solvers may have understood differently.
    pub(super) fn warn_meaning(&mut self, op: Op, first: usize, span: Span) {
        let values = &self.machine.values[first..];
        let is_empty = |position: usize| {
            values
                .get(position)
                .is_some_and(|&term| self.pool.as_string(term).is_some_and(|text| text.is_empty()))
        };
        let (code, message, hint) = match op {
            Op::ReAllChar if self.dialect.allchar_is_all() => return,
            Op::ReAllChar => (
                Code::MeaningAllchar,
                "`re.allchar` is read as one character",
                "it meant all strings in Z3 up to 4.6.0; choose that with --dialect z3-4.6.0",
            ),
            Op::StrReplace if is_empty(1) => (
                Code::MeaningReplaceEmpty,
                "`str.replace` of the empty string puts the new text in front",
                "CVC4 of 2018 changed nothing; the standard's meaning is used",
            ),
            Op::StrIndexOf if is_empty(1) => (
                Code::MeaningIndexofEmpty,
                "`str.indexof` of the empty string is the position, up to the length",
                "older solvers disagreed at the end of the string; the standard's meaning is used",
            ),
            Op::StrToInt if is_empty(0) => (
                Code::MeaningToIntEmpty,
                "`str.to_int` of the empty string is -1",
                "some older tools said 0; the standard's meaning is used",
            ),
            Op::ReDiff if values.len() > 2 => (
                Code::MeaningDiffFold,
                "`re.diff` of three or more languages is folded to the left",
                "older solvers folded to the right; the standard's meaning is used",
            ),
            Op::ReComp | Op::StrToCode | Op::StrFromCode => (
                Code::MeaningAlphabet,
                "the alphabet is that of the standard, 196,608 characters",
                "older solvers had 256 characters",
            ),
            _ => return,
        };
        self.collector.warning_once(code, op as u64, span, || message.to_owned(), Some(hint));
    }
}

fn parse_code(digits: &[u8], radix: u32) -> Option<u32> {
    u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok()
}
