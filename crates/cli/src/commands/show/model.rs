//! A model as a solver printed it, in short lines: `x = "ab"` for each definition without arguments,
//! the text of anything else.
//!
//! The text is only cut into items here, by the lexical rules of SMT-LIB; what it means is the
//! business of the referee.

use luthier_smtlib::lexer::{Lexer, Quotes, Token, TokenKind};

use crate::text::shorten;

/// A model beyond this is not cut into items.
const MAX_BYTES: usize = 1_000_000;

/// At most `most` lines, and how many items there are beyond.
pub fn short_lines(model: &[u8], most: usize) -> (Vec<String>, usize) {
    if model.len() > MAX_BYTES {
        return (vec![format!("{} bytes", model.len())], 0);
    }
    let items = items(model);
    let lines = items.iter().take(most).map(|item| shorten(&line(model, item)).into_owned());
    (lines.collect(), items.len().saturating_sub(most))
}

/// The expressions inside the outermost parentheses, as tokens; without such, all that there are.
fn items(model: &[u8]) -> Vec<Vec<Token>> {
    let mut lexer = Lexer::new(model, Quotes::Doubled);
    let mut items: Vec<Vec<Token>> = Vec::new();
    let mut depth = 0_usize;
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End => return items,
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (token.kind, depth) {
            // The outermost parentheses, and the word `model` that Z3 and CVC4 used to print.
            (TokenKind::Open, 1) | (TokenKind::Close, 0) => {}
            (TokenKind::Symbol, 1) if lexer.text(token.span) == b"model" => {}
            (TokenKind::Open, 2) => items.push(vec![token]),
            (_, 0 | 1) if token.kind != TokenKind::Close => items.push(vec![token]),
            _ => {
                if let Some(item) = items.last_mut() {
                    item.push(token);
                }
            }
        }
    }
}

fn line(model: &[u8], item: &[Token]) -> String {
    let text = |tokens: &[Token]| {
        let mut line = String::new();
        for (position, token) in tokens.iter().enumerate() {
            let is_tight = token.kind == TokenKind::Close
                || position
                    .checked_sub(1)
                    .is_none_or(|before| tokens[before].kind == TokenKind::Open);
            if !is_tight {
                line.push(' ');
            }
            line.push_str(&String::from_utf8_lossy(&model[token.span.range()]));
        }
        line
    };
    let kinds = |position: usize| item.get(position).map(|token| token.kind);
    let is_word = |position: usize, word: &[u8]| {
        item.get(position).is_some_and(|token| model[token.span.range()] == *word)
    };
    // (define-fun NAME () SORT VALUE…) with a sort of one word.
    let is_constant = is_word(1, b"define-fun")
        && kinds(3) == Some(TokenKind::Open)
        && kinds(4) == Some(TokenKind::Close)
        && kinds(5) == Some(TokenKind::Symbol)
        && item.len() > 7;
    match is_constant {
        true => format!("{} = {}", text(&item[2..3]), text(&item[6..item.len() - 1])),
        false => text(item),
    }
}

#[cfg(test)]
mod tests {
    use super::short_lines;

    fn lines(model: &str) -> Vec<String> {
        short_lines(model.as_bytes(), 9).0
    }

    #[test]
    fn definitions_of_constants_are_equations() {
        let model =
            "(\n  (define-fun x () String\n    \"a ) \"\"b\")\n(define-fun |n m| () Int (- 1)))";
        assert_eq!(lines(model), [r#"x = "a ) ""b""#, "|n m| = (- 1)"]);
        assert_eq!(lines("(model (define-fun x () String \"\"))"), [r#"x = """#]);
    }

    #[test]
    fn anything_else_is_shown_as_it_is() {
        assert_eq!(lines("((x \"a\") ((str.len x) 1))"), ["(x \"a\")", "((str.len x) 1)"]);
        let function = "((define-fun f ((a Int)) Int (+ a 1)))";
        assert_eq!(lines(function), ["(define-fun f ((a Int)) Int (+ a 1))"]);
        assert_eq!(lines(""), Vec::<String>::new());
        assert_eq!(lines("))) x (("), ["x", "("]);
        assert_eq!(lines("()"), Vec::<String>::new());
    }

    #[test]
    fn items_beyond_the_first_are_counted() {
        let (shown, more) = short_lines(b"((x 1) (y 2) (z 3))", 2);
        assert_eq!((shown.len(), more), (2, 1));
    }
}
