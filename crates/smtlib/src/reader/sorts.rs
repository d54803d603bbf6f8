//! Reads sorts: `Bool`, `Int`, `String`, `RegLan`, arrays of these, abbreviations by `define-sort`,
//! and Z3's `(RegEx String)` and `(Seq Char)`. Other sorts are reported as unsupported.

use std::hash::BuildHasher as _;

use luthier_terms::{BasicSort, Sort, SymbolId};
use rustc_hash::FxBuildHasher;

use super::{Reader, Step, shorten};
use crate::diagnostic::{Code, Severity};
use crate::lexer::{Token, TokenKind, is_command};
use crate::source::Span;

impl Reader<'_, '_> {
    /// Reads a sort. `None`: it is none of ours; an error was reported.
    pub(crate) fn read_sort(&mut self) -> Step<Option<Sort>> {
        let token = self.lexer.next_token();
        self.read_sort_from(token)
    }

    /// Reads a sort that begins with `token`.
    pub(crate) fn read_sort_from(&mut self, token: Token) -> Step<Option<Sort>> {
        match token.kind {
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                let symbol = self.symbol(token)?;
                Ok(self.simple_sort(symbol, token.span))
            }
            TokenKind::Open => self.compound_sort(token),
            _ => Err(self.unexpected(token, "a sort")),
        }
    }

    fn simple_sort(&mut self, symbol: SymbolId, span: Span) -> Option<Sort> {
        if let Some(sort) = self.bindings.sort(symbol) {
            return Some(sort);
        }
        let name = self.pool.symbols().bytes_of(symbol);
        match name {
            b"Bool" => return Some(Sort::Bool),
            b"Int" => return Some(Sort::Int),
            b"String" => return Some(Sort::String),
            b"RegLan" => return Some(Sort::RegLan),
            _ => {}
        }
        let shown = String::from_utf8_lossy(name).into_owned();
        if matches!(name, b"Real" | b"RoundingMode" | b"Unicode" | b"Char") {
            self.unsupported_sort(&shown, span);
        } else {
            self.collector.once(
                Severity::Error,
                Code::UnknownSort,
                symbol.index() as u64,
                span,
                || format!("there is no sort `{shown}`"),
                Some("the sorts are Bool, Int, String, RegLan and (Array index element)"),
            );
        }
        None
    }

    /// `(Array I E)`, and Z3's `(RegEx String)` and `(Seq Char)`. The parts of a sort are read
    /// flat: no sort of ours nests deeper than one level.
    fn compound_sort(&mut self, open: Token) -> Step<Option<Sort>> {
        let head = self.lexer.next_token();
        let name = match head.kind {
            TokenKind::Symbol => self.name_of(head).to_vec(),
            _ => return Err(self.unexpected(head, "the name of a sort")),
        };
        if is_command(&name) {
            return Err(self.not_closed_before(head));
        }
        if matches!(name.as_slice(), b"Array" | b"RegEx") {
            let mut parts: Vec<Option<BasicSort>> = Vec::new();
            loop {
                let token = self.lexer.next_token();
                match token.kind {
                    TokenKind::Close => break,
                    TokenKind::Symbol | TokenKind::QuotedSymbol => {
                        let symbol = self.symbol(token)?;
                        let sort = self.simple_sort(symbol, token.span);
                        parts.push(sort.and_then(Sort::as_basic));
                    }
                    TokenKind::Open => {
                        let inner = self.skip_rest_of_list(token)?;
                        if name == b"RegEx" && self.lexer.text(inner).starts_with(b"(Seq") {
                            parts.push(Some(BasicSort::String));
                            continue;
                        }
                        let message =
                            format!("`{}` cannot be the part of a sort", self.text_of(inner));
                        let hint = "index and element of an array are Bool, Int, String or RegLan";
                        self.collector.error(Code::UnsupportedSort, inner, message, Some(hint));
                        parts.push(None);
                    }
                    _ => return Err(self.unexpected(token, "a sort")),
                }
            }
            let span = open.span.to(Span { start: 0, end: self.lexer.position() });
            return Ok(match (name.as_slice(), parts.as_slice()) {
                (b"Array", [Some(index), Some(element)]) => Some(Sort::Array(*index, *element)),
                (b"RegEx", [Some(BasicSort::String)]) => {
                    self.collector.leniency(
                        Code::LegacyName,
                        0,
                        span,
                        || "`(RegEx String)` is Z3's name of `RegLan`".to_owned(),
                        None,
                    );
                    Some(Sort::RegLan)
                }
                (_, parts) if parts.contains(&None) => None,
                _ => {
                    let shown = self.text_of(span);
                    self.unsupported_sort(&shown, span);
                    None
                }
            });
        }
        let span = self.skip_rest_of_list(open)?;
        let text = self.text_of(span);
        if name == b"Seq" && self.lexer.text(span).ends_with(b"Char)") {
            self.z3_form("(Seq Char)", span);
            return Ok(Some(Sort::String));
        }
        self.unsupported_sort(&text, span);
        Ok(None)
    }

    fn unsupported_sort(&mut self, shown: &str, span: Span) {
        self.collector.once(
            Severity::Error,
            Code::UnsupportedSort,
            FxBuildHasher.hash_one(shown),
            span,
            || format!("`{shown}` is no sort of strings, integers or basic arrays"),
            Some("supported are Bool, Int, String, RegLan and arrays of these"),
        );
    }

    /// Skips to the parenthesis that closes the list `open` begins.
    pub(crate) fn skip_rest_of_list(&mut self, open: Token) -> Step<Span> {
        let mut depth = 1;
        loop {
            let token = self.lexer.next_token();
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(open.span.to(token.span));
                    }
                }
                TokenKind::End
                | TokenKind::UnterminatedString
                | TokenKind::UnterminatedSymbol
                | TokenKind::Illegal => return Err(self.unexpected(token, "`)`")),
                _ => {}
            }
        }
    }

    /// The text of a span for a message, shortened.
    pub(crate) fn text_of(&self, span: Span) -> String {
        shorten(self.lexer.text(span), 60)
    }
}
