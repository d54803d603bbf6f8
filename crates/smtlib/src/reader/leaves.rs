//! Terms without arguments: symbols, numerals and string literals.

use std::hash::BuildHasher as _;

use luthier_terms::{Op, SmtString, SymbolId, TermId, decimal};
use rustc_hash::FxBuildHasher;

use super::builtins::{BUILTINS, Kind};
use super::identifiers::parse_code;
use super::{Binding, Reader, Skip, Step};
use crate::diagnostic::{Code, Severity};
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
                self.collector.once(
                    Severity::Error,
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

    pub(super) fn symbol_leaf(&mut self, token: Token) -> Step<()> {
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
        self.collector.once(
            Severity::Error,
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

    pub(super) fn numeral(&mut self, token: Token) -> Step<TermId> {
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
        if digits.len() > self.integer_digits {
            let message = format!(
                "an integer of {} digits, where the limit is {}",
                digits.len(),
                self.integer_digits
            );
            self.exceeded.get_or_insert_with(|| message.clone());
            self.collector.error(Code::TooLarge, span, message, None);
            return Err(Skip);
        }
        let number = decimal::read(digits).unwrap_or_default();
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
}
