//! Line breaking of printed commands. Works on the tokens of the text: a list that does not fit on its
//! line is broken after its head, one argument per line.

use crate::lexer::{Lexer, Quotes, TokenKind};

/// Indentation stops growing here, or deep terms would be mostly white space.
const MAX_INDENT: usize = 60;

/// Lays out commands. Comments are not kept: printed text has none.
pub(super) fn lay_out(text: &[u8], quotes: Quotes, width: usize) -> Vec<u8> {
    let tokens = tokens(text, quotes);
    let ends = matching(&tokens);
    let mut out = Vec::with_capacity(text.len() * 2);
    // For each open list that is broken: its indentation.
    let mut broken: Vec<Option<usize>> = Vec::new();
    let mut column = 0;
    let mut position = 0;
    while position < tokens.len() {
        let token = &tokens[position];
        let depth = broken.len();
        match token.kind {
            TokenKind::Close => {
                broken.pop();
                out.push(b')');
                column += 1;
                if broken.is_empty() {
                    out.push(b'\n');
                    column = 0;
                }
                position += 1;
                continue;
            }
            _ if depth > 0 => {
                let head = position > 0 && tokens[position - 1].kind == TokenKind::Open;
                match broken[depth - 1] {
                    Some(indent) if !head && !keeps_line(&tokens, position) => {
                        out.push(b'\n');
                        out.resize(out.len() + indent, b' ');
                        column = indent;
                    }
                    _ if !head => {
                        out.push(b' ');
                        column += 1;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        let text = &text[token.start..token.end];
        if token.kind == TokenKind::Open {
            let flat = tokens[ends[position]].end - token.start;
            let fits = column + flat <= width;
            let indent = (column + 2).min(MAX_INDENT);
            broken.push((!fits).then_some(indent));
        }
        out.extend_from_slice(text);
        column += text.len();
        position += 1;
    }
    out
}

struct Piece {
    kind: TokenKind,
    start: usize,
    end: usize,
}

fn tokens(text: &[u8], quotes: Quotes) -> Vec<Piece> {
    let mut lexer = Lexer::new(text, quotes);
    let mut pieces = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::End {
            return pieces;
        }
        let range = token.span.range();
        pieces.push(Piece { kind: token.kind, start: range.start, end: range.end });
    }
}

/// For each opening parenthesis, which piece closes it.
fn matching(pieces: &[Piece]) -> Vec<usize> {
    let mut ends = vec![0; pieces.len()];
    let mut open = Vec::new();
    for (position, piece) in pieces.iter().enumerate() {
        match piece.kind {
            TokenKind::Open => open.push(position),
            TokenKind::Close => {
                if let Some(begin) = open.pop() {
                    ends[begin] = position;
                }
            }
            _ => {}
        }
    }
    for begin in open {
        ends[begin] = pieces.len() - 1;
    }
    ends
}

/// An atom right after the head of a list (the name in `(define-fun name …`) stays on its line.
fn keeps_line(pieces: &[Piece], position: usize) -> bool {
    position >= 2
        && pieces[position - 2].kind == TokenKind::Open
        && pieces[position].kind != TokenKind::Open
        && pieces[position - 1].kind != TokenKind::Open
}
