//! Terms as text and back, as far as the tests need it: a disagreement must be readable, and the
//! facts are easier to check against the standard when they look like SMT-LIB.

use luthier_terms::{BigInt, Op, SmtString, Term, TermId, TermPool};

/// A ground term as SMT-LIB text in ASCII.
pub fn show(pool: &TermPool, term: TermId) -> String {
    match pool.term(term) {
        Term::String(text) => format!("{text:?}"),
        Term::Integer(number) if *number < BigInt::from(0) => format!("(- {})", -number),
        Term::Integer(number) => number.to_string(),
        Term::Op(op, []) => op.name().to_owned(),
        Term::Op(op, children) => {
            let mut parts: Vec<String> = children.iter().map(|&child| show(pool, child)).collect();
            let arguments = parts.split_off(op.info().indices);
            let head = if parts.is_empty() {
                op.name().to_owned()
            } else {
                format!("(_ {} {})", op.name(), parts.join(" "))
            };
            format!("({head} {})", arguments.join(" "))
        }
        other => panic!("{other:?} is not part of a ground term"),
    }
}

/// Reads one ground term. The text comes from the tests, so a mistake in it is a panic.
pub fn read(pool: &mut TermPool, text: &str) -> TermId {
    let tokens = tokens(text);
    let mut position = 0;
    let term = term(pool, &tokens, &mut position);
    assert_eq!(position, tokens.len(), "text after the term: {text}");
    term
}

#[derive(Debug, PartialEq)]
enum Token {
    Open,
    Close,
    Text(Vec<u32>),
    Symbol(String),
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '(' => {
                tokens.push(Token::Open);
                1
            }
            ')' => {
                tokens.push(Token::Close);
                1
            }
            '"' => {
                let (characters, length) = literal(rest);
                tokens.push(Token::Text(characters));
                length
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()\"".contains(c));
                let end = end.unwrap_or(rest.len());
                tokens.push(Token::Symbol(rest[..end].to_owned()));
                end
            }
        };
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The characters of a string literal at the start of the text, and how many bytes it takes. Of
/// the escapes it knows only `\u{...}`, the one that `show` writes.
fn literal(text: &str) -> (Vec<u32>, usize) {
    let mut characters = Vec::new();
    let mut position = 1;
    loop {
        let rest = &text[position..];
        if let Some(after) = rest.strip_prefix("\\u{") {
            let end = after.find('}').expect("a closing brace");
            characters.push(u32::from_str_radix(&after[..end], 16).expect("hexadecimal digits"));
            position += end + 4;
        } else if rest.starts_with("\"\"") {
            characters.push(0x22);
            position += 2;
        } else if rest.starts_with('"') {
            return (characters, position + 1);
        } else {
            let character = rest.chars().next().expect("a closing quotation mark");
            characters.push(character.into());
            position += character.len_utf8();
        }
    }
}

fn term(pool: &mut TermPool, tokens: &[Token], position: &mut usize) -> TermId {
    let token = &tokens[*position];
    *position += 1;
    match token {
        Token::Text(characters) => {
            let text = SmtString::from_codes(characters.iter().copied()).expect("characters");
            pool.string(text).expect("room")
        }
        Token::Symbol(symbol) => match symbol.parse::<BigInt>() {
            Ok(number) => pool.integer(number).expect("room"),
            Err(_) => apply(pool, symbol, &[]),
        },
        Token::Close => panic!("a parenthesis that closes nothing"),
        Token::Open => {
            let mut children = Vec::new();
            let name = match &tokens[*position] {
                Token::Symbol(name) => {
                    *position += 1;
                    name
                }
                // ((_ name index ...) argument ...)
                _ => {
                    assert_eq!(tokens[*position], Token::Open);
                    let [Token::Symbol(underscore), Token::Symbol(name), ..] =
                        &tokens[*position + 1..]
                    else {
                        panic!("an indexed operator is needed")
                    };
                    assert_eq!(underscore, "_");
                    *position += 3;
                    children_until_close(pool, tokens, position, &mut children);
                    name
                }
            };
            children_until_close(pool, tokens, position, &mut children);
            apply(pool, name, &children)
        }
    }
}

fn children_until_close(
    pool: &mut TermPool,
    tokens: &[Token],
    position: &mut usize,
    children: &mut Vec<TermId>,
) {
    while tokens[*position] != Token::Close {
        children.push(term(pool, tokens, position));
    }
    *position += 1;
}

fn apply(pool: &mut TermPool, name: &str, children: &[TermId]) -> TermId {
    let op = match (name, children.len()) {
        ("-", 1) => Op::Neg,
        ("-", _) => Op::Sub,
        _ => Op::TABLE.iter().find(|info| info.name == name).expect(name).op,
    };
    pool.op(op, children).unwrap_or_else(|error| panic!("{name}: {error}"))
}
