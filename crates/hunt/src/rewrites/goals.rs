//! The goals that a tactic prints, as one formula.
//!
//! `(goals (goal A B :precision precise :depth 1) (goal C …))` means `(or (and A B) C)`. A goal without
//! formulas is true. Goals that are not precise are approximations, of which nothing is claimed.

use luthier_smtlib::lexer::{Lexer, Quotes, TokenKind};

/// The disjunction of the goals; why the text is none otherwise.
pub(super) fn goals(text: &[u8], quotes: Quotes) -> Result<Vec<u8>, String> {
    let no_goals = || "it is no list of goals".to_owned();
    let mut lexer = Lexer::new(text, quotes);
    let open = |lexer: &mut Lexer<'_>, word: &[u8]| {
        let (first, second) = (lexer.next_token(), lexer.next_token());
        first.kind == TokenKind::Open && lexer.text(second.span) == word
    };
    if !open(&mut lexer, b"goals") {
        return Err(no_goals());
    }
    let mut disjuncts: Vec<Vec<u8>> = Vec::new();
    loop {
        let position = lexer.position();
        if lexer.next_token().kind == TokenKind::Close {
            break;
        }
        lexer.seek(position);
        if !open(&mut lexer, b"goal") {
            return Err(no_goals());
        }
        disjuncts.push(goal(text, &mut lexer)?);
    }
    match lexer.next_token().kind {
        TokenKind::End if !disjuncts.is_empty() => Ok(joined("or", &disjuncts)),
        _ => Err(no_goals()),
    }
}

/// The conjunction of a goal, after `(goal`.
fn goal(text: &[u8], lexer: &mut Lexer<'_>) -> Result<Vec<u8>, String> {
    let mut conjuncts: Vec<Vec<u8>> = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let mut is_precise = false;
    loop {
        let token = lexer.next_token();
        let span = token.span.start as usize..token.span.end as usize;
        match token.kind {
            TokenKind::Open => {
                if depth == 0 {
                    start = span.start;
                }
                depth += 1;
            }
            TokenKind::Close if depth == 0 => break,
            TokenKind::Close => {
                depth -= 1;
                if depth == 0 {
                    conjuncts.push(text[start..span.end].to_vec());
                }
            }
            TokenKind::Keyword if depth == 0 => {
                let value = lexer.next_token();
                if &text[span] == b":precision" {
                    is_precise = lexer.text(value.span) == b"precise";
                }
            }
            TokenKind::End | TokenKind::Illegal => return Err("a goal has no end".to_owned()),
            TokenKind::UnterminatedString | TokenKind::UnterminatedSymbol => {
                return Err("a goal has no end".to_owned());
            }
            _ if depth == 0 => conjuncts.push(text[span].to_vec()),
            _ => {}
        }
    }
    match is_precise {
        true => Ok(joined("and", &conjuncts)),
        false => Err("a goal is not precise".to_owned()),
    }
}

fn joined(operator: &str, formulas: &[Vec<u8>]) -> Vec<u8> {
    match formulas {
        [] => b"true".to_vec(),
        [one] => one.clone(),
        _ => [format!("({operator} ").as_bytes(), &formulas.join(&b' '), b")"].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let found = goals(text.as_bytes(), Quotes::Doubled);
        let found = found.map(|formula| String::from_utf8(formula).unwrap());
        assert_eq!(found.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn goals_are_a_disjunction_of_conjunctions() {
        let end = ":precision precise :depth 1)";
        check(&format!("(goals\n(goal\n  {end}\n)\n"), Ok("true"));
        check(&format!("(goals (goal false {end})"), Ok("false"));
        check(&format!("(goals (goal b (= x \")\") {end})"), Ok("(and b (= x \")\"))"));
        let two = format!("(goals (goal b {end} (goal (not b) (= i 3) {end})");
        check(&two, Ok("(or b (and (not b) (= i 3)))"));
    }

    #[test]
    fn anything_else_is_refused() {
        check("(goals (goal b :precision over :depth 1))", Err("a goal is not precise"));
        check("(goals (goal b :depth 1))", Err("a goal is not precise"));
        check("(goals (goal (= x", Err("a goal has no end"));
        for text in ["", "sat", "(goals)", "(goals x)", "(goals (goal b :precision precise)) x"] {
            check(text, Err("it is no list of goals"));
        }
    }
}
