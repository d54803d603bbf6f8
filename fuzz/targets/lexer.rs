//! The lexer gives tokens that cover the text in order, whatever the bytes are.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luthier_smtlib::lexer::{Lexer, Quotes, TokenKind};

fuzz_target!(|bytes: &[u8]| {
    for quotes in [Quotes::Doubled, Quotes::Backslash] {
        let mut lexer = Lexer::new(bytes, quotes);
        let mut end = 0;
        loop {
            let token = lexer.next_token();
            assert!(token.span.start >= end, "tokens come in order");
            assert!(token.span.end as usize <= bytes.len(), "tokens lie in the text");
            if token.kind == TokenKind::End {
                break;
            }
            assert!(token.span.end > token.span.start, "a token takes at least a byte");
            end = token.span.end;
        }
    }
});
