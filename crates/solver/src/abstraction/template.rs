//! Axiom schemes as text: patterns of terms, and the formula that holds for all terms that match
//! them.
//!
//! A pattern such as `(str.at s i)` is an SMT-LIB term in which a plain name is a pattern variable.
//! A variable matches one term, the same at each of its occurrences (syntactic matching, no
//! unification).

use std::str::FromStr;

use luthier_terms::{BigInt, CodePoint, Op, Term, TermId, TermPool};

use super::terms::{BuildResult, TermBuilder};

/// A term with pattern variables, children before parents; the last node is the root.
#[derive(Debug)]
pub(super) struct Template(Vec<Node>);

#[derive(Debug, PartialEq)]
enum Node {
    Variable(String),
    Text(Vec<CodePoint>),
    Number(BigInt),
    Op(Op, Vec<usize>),
}

/// The terms of the pattern variables.
pub(super) type Bindings = Vec<(String, TermId)>;

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut nodes: Vec<Node> = Vec::new();
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
                    nodes.push(Node::Op(op, children));
                    rest = after;
                }
                '"' => {
                    let end = after.find('"').ok_or_else(|| format!("open quote in {text}"))?;
                    let letters = after[..end].bytes().map(CodePoint::from_byte).collect();
                    nodes.push(Node::Text(letters));
                    rest = &after[end + 1..];
                }
                _ => {
                    let end = rest.find([' ', '(', ')']).unwrap_or(rest.len());
                    nodes.push(match rest[..end].parse() {
                        Ok(number) => Node::Number(number),
                        Err(_) => Node::Variable(rest[..end].to_owned()),
                    });
                    rest = &rest[end..];
                }
            }
            let at = nodes.len() - 1;
            open.last_mut().ok_or_else(|| format!("nothing is open in {text}"))?.push(at);
            rest = rest.trim_start();
        }
        match &open[..] {
            [roots] if roots.len() == 1 && roots[0] + 1 == nodes.len() => Ok(Self(nodes)),
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
            Some(Node::Op(op, _)) => Some(*op),
            _ => None,
        }
    }

    /// The pattern variables with the sorts of their positions, in order of first occurrence.
    /// Polymorphic positions are skipped.
    #[cfg(test)]
    pub(super) fn variables(&self) -> Vec<(&str, luthier_terms::Sort)> {
        use luthier_terms::Shape;
        let mut variables: Vec<(&str, luthier_terms::Sort)> = Vec::new();
        for node in &self.0 {
            let Node::Op(op, children) = node else { continue };
            for (position, &child) in children.iter().enumerate() {
                let sort = match op.info().shape {
                    Shape::Exact(sorts, _) => sorts[position],
                    Shape::Folded(sort, ..) => sort,
                    _ => continue,
                };
                if let Node::Variable(name) = &self.0[child]
                    && !variables.iter().any(|(variable, _)| variable == name)
                {
                    variables.push((name, sort));
                }
            }
        }
        variables
    }

    /// Matches the pattern against a term and extends the bindings; leaves them unchanged on
    /// failure.
    pub(super) fn matches(&self, pool: &TermPool, term: TermId, bindings: &mut Bindings) -> bool {
        let before = bindings.len();
        let mut stack = vec![(term, self.0.len() - 1)];
        while let Some((term, at)) = stack.pop() {
            let fits = match (&self.0[at], pool.term(term)) {
                (Node::Variable(name), _) => {
                    match bindings.iter().find(|(variable, _)| variable == name) {
                        Some(&(_, other)) => other == term,
                        None => {
                            bindings.push((name.clone(), term));
                            true
                        }
                    }
                }
                (Node::Text(text), Term::String(other)) => text[..] == **other,
                (Node::Number(number), _) => pool.as_integer(term).as_ref() == Some(number),
                (Node::Op(op, children), Term::Op(other, terms)) => {
                    stack.extend(terms.iter().copied().zip(children.iter().copied()));
                    *op == other && children.len() == terms.len()
                }
                _ => false,
            };
            if !fits {
                bindings.truncate(before);
                return false;
            }
        }
        true
    }

    /// The instance under the bindings; `None` if a variable is unbound.
    pub(super) fn instantiate(
        &self,
        terms: &mut TermBuilder<'_>,
        bindings: &Bindings,
    ) -> BuildResult<Option<TermId>> {
        let mut built: Vec<TermId> = Vec::with_capacity(self.0.len());
        for node in &self.0 {
            built.push(match node {
                Node::Variable(name) => {
                    match bindings.iter().find(|(variable, _)| variable == name) {
                        Some(&(_, term)) => term,
                        None => return Ok(None),
                    }
                }
                Node::Text(text) => terms.text(text)?,
                Node::Number(number) => terms.int(number.clone())?,
                Node::Op(op, children) => {
                    let children: Vec<TermId> = children.iter().map(|&at| built[at]).collect();
                    terms.op(*op, &children)?
                }
            });
        }
        Ok(built.last().copied())
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
        let mut terms = TermBuilder {
            pool: &mut pool,
            budget: &crate::Budget::until_cancelled(crate::Cancel::new()),
        };
        let bindings = vec![("s".to_owned(), x)];
        let term = pattern.instantiate(&mut terms, &bindings).unwrap().unwrap();
        let mut found = Bindings::new();
        assert!(pattern.matches(&pool, term, &mut found));
        assert_eq!(found, bindings);
        let other: Template = "(str.replace s \"\" t)".parse().unwrap();
        let mut found = Bindings::new();
        assert!(!other.matches(&pool, term, &mut found));
        assert!(found.is_empty());
        assert_eq!(pattern.variables(), [("s", luthier_terms::Sort::String)]);
    }

    #[test]
    fn bad_text_is_rejected() {
        for text in ["", "(and a", "a b", "(no-such a)", "a)", "(str.len \"a)"] {
            assert!(text.parse::<Template>().is_err(), "{text}");
        }
    }
}
