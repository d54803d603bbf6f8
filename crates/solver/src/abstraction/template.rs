//! Axioms as text: patterns of terms, and the formula that holds whenever terms match them.
//!
//! A pattern such as `(str.at s i)` is an SMT-LIB term in which a plain name is a hole. The same
//! hole must be the same term wherever it occurs.

use std::str::FromStr;

use luthier_terms::{BigInt, CodePoint, Op, Term, TermId, TermPool};

use super::terms::{Made, Terms};

/// A term with holes, children before parents; the last is the whole.
#[derive(Debug)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, PartialEq)]
enum Piece {
    Hole(String),
    Text(Vec<CodePoint>),
    Number(BigInt),
    Op(Op, Vec<usize>),
}

/// Which term fills which hole.
pub(super) type Filling = Vec<(String, TermId)>;

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        let mut heads: Vec<Option<&str>> = Vec::new();
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let after = &rest[first.len_utf8()..];
            match first {
                '(' => {
                    let end = after.find([' ', '(', ')']).unwrap_or(after.len());
                    heads.push(Some(&after[..end]));
                    open.push(Vec::new());
                    rest = after[end..].trim_start();
                    continue;
                }
                ')' => {
                    let (Some(children), Some(Some(head))) = (open.pop(), heads.pop()) else {
                        return Err(format!("too many closing parentheses in {text}"));
                    };
                    let op = operator(head, children.len())
                        .ok_or_else(|| format!("no operator {head} in {text}"))?;
                    pieces.push(Piece::Op(op, children));
                    rest = after;
                }
                '"' => {
                    let end = after.find('"').ok_or_else(|| format!("open quote in {text}"))?;
                    let letters = after[..end].bytes().map(CodePoint::from_byte).collect();
                    pieces.push(Piece::Text(letters));
                    rest = &after[end + 1..];
                }
                _ => {
                    let end = rest.find([' ', '(', ')']).unwrap_or(rest.len());
                    pieces.push(match rest[..end].parse() {
                        Ok(number) => Piece::Number(number),
                        Err(_) => Piece::Hole(rest[..end].to_owned()),
                    });
                    rest = &rest[end..];
                }
            }
            let at = pieces.len() - 1;
            open.last_mut().ok_or_else(|| format!("nothing is open in {text}"))?.push(at);
            rest = rest.trim_start();
        }
        match &open[..] {
            [roots] if roots.len() == 1 && roots[0] + 1 == pieces.len() => Ok(Self(pieces)),
            _ => Err(format!("not one term: {text}")),
        }
    }
}

fn operator(name: &str, arguments: usize) -> Option<Op> {
    match (name, arguments) {
        ("-", 1) => Some(Op::Neg),
        ("-", _) => Some(Op::Sub),
        _ => Op::TABLE.iter().find(|info| info.name == name).map(|info| info.op),
    }
}

impl Template {
    /// The operator at the root, if there is one.
    pub(super) fn head(&self) -> Option<Op> {
        match self.0.last() {
            Some(Piece::Op(op, _)) => Some(*op),
            _ => None,
        }
    }

    /// The holes with the sorts that their places ask for, in order of first occurrence. Places of
    /// any sort give none.
    #[cfg(test)]
    pub(super) fn holes(&self) -> Vec<(&str, luthier_terms::Sort)> {
        use luthier_terms::Shape;
        let mut holes: Vec<(&str, luthier_terms::Sort)> = Vec::new();
        for piece in &self.0 {
            let Piece::Op(op, children) = piece else { continue };
            for (place, &child) in children.iter().enumerate() {
                let sort = match op.info().shape {
                    Shape::Exact(sorts, _) => sorts[place],
                    Shape::Folded(sort, ..) => sort,
                    _ => continue,
                };
                if let Piece::Hole(name) = &self.0[child]
                    && !holes.iter().any(|(hole, _)| hole == name)
                {
                    holes.push((name, sort));
                }
            }
        }
        holes
    }

    /// Extends the filling such that the pattern is the term; leaves it as it was if it cannot.
    pub(super) fn matches(&self, pool: &TermPool, term: TermId, filling: &mut Filling) -> bool {
        let before = filling.len();
        let mut stack = vec![(term, self.0.len() - 1)];
        while let Some((term, at)) = stack.pop() {
            let fits = match (&self.0[at], pool.term(term)) {
                (Piece::Hole(name), _) => match filling.iter().find(|(hole, _)| hole == name) {
                    Some(&(_, other)) => other == term,
                    None => {
                        filling.push((name.clone(), term));
                        true
                    }
                },
                (Piece::Text(text), Term::String(other)) => text[..] == **other,
                (Piece::Number(number), _) => pool.as_integer(term).as_ref() == Some(number),
                (Piece::Op(op, children), Term::Op(other, terms)) => {
                    stack.extend(terms.iter().copied().zip(children.iter().copied()));
                    *op == other && children.len() == terms.len()
                }
                _ => false,
            };
            if !fits {
                filling.truncate(before);
                return false;
            }
        }
        true
    }

    /// The term with its holes filled; `None` if a hole has no filling.
    pub(super) fn fill(&self, terms: &mut Terms<'_>, filling: &Filling) -> Made<Option<TermId>> {
        let mut made: Vec<TermId> = Vec::with_capacity(self.0.len());
        for piece in &self.0 {
            made.push(match piece {
                Piece::Hole(name) => match filling.iter().find(|(hole, _)| hole == name) {
                    Some(&(_, term)) => term,
                    None => return Ok(None),
                },
                Piece::Text(text) => terms.text(text)?,
                Piece::Number(number) => terms.int(number.clone())?,
                Piece::Op(op, children) => {
                    let children: Vec<TermId> = children.iter().map(|&at| made[at]).collect();
                    terms.op(*op, &children)?
                }
            });
        }
        Ok(made.last().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_terms_and_make_them() {
        let mut pool = TermPool::new();
        let name = pool.symbols_mut().intern(b"x").unwrap();
        let x = pool.declare(name, vec![], luthier_terms::Sort::String).unwrap();
        let x = pool.apply(x, &[]).unwrap();
        let pattern: Template = "(str.replace s s \"\")".parse().unwrap();
        let mut terms = Terms {
            pool: &mut pool,
            budget: &crate::Budget::until_cancelled(crate::Cancel::new()),
        };
        let filling = vec![("s".to_owned(), x)];
        let term = pattern.fill(&mut terms, &filling).unwrap().unwrap();
        let mut found = Filling::new();
        assert!(pattern.matches(&pool, term, &mut found));
        assert_eq!(found, filling);
        let other: Template = "(str.replace s \"\" t)".parse().unwrap();
        let mut found = Filling::new();
        assert!(!other.matches(&pool, term, &mut found));
        assert!(found.is_empty());
        assert_eq!(pattern.holes(), [("s", luthier_terms::Sort::String)]);
    }

    #[test]
    fn bad_text_is_refused() {
        for text in ["", "(and a", "a b", "(no-such a)", "a)", "(str.len \"a)"] {
            assert!(text.parse::<Template>().is_err(), "{text}");
        }
    }
}
