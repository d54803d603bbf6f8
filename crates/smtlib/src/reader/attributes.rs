//! Attributes of commands (`:keyword value`), and string literals outside terms.

use luthier_terms::SymbolId;

use super::{Reader, Step};
use crate::lexer::{Quotes, Token, TokenKind, quote_string, unquote_string};
use crate::script::{Attribute, AttributeValue};

impl Reader<'_, '_> {
    pub(super) fn keyword(&mut self) -> Step<SymbolId> {
        let token = self.expect(TokenKind::Keyword, "a keyword")?;
        self.symbol(token)
    }

    pub(super) fn attribute(&mut self) -> Step<Attribute> {
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
    pub(super) fn unquoted(&self, token: Token) -> Vec<u8> {
        unquote_string(self.lexer.text(token.span), self.dialect.quotes())
    }
}
