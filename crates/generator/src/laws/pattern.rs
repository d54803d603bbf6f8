//! A term over the parameters of a law, independent of any pool: it can be instantiated in a pool
//! and matched against terms of one.

use luthier_terms::{BigInt, Op, PostOrder, SmtString, Sort, Term, TermId, TermPool};

use super::ROOM;

/// A term with parameters, children before parents; the last node is the root.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Parameter(usize, Sort),
    String(SmtString),
    Integer(BigInt),
    Op(Op, Vec<usize>),
}

impl Pattern {
    /// The pattern of a term without binders in which the variables are the parameters.
    pub fn new(pool: &TermPool, root: TermId, variables: &[TermId]) -> Option<Self> {
        let order: Vec<TermId> = PostOrder::new(pool, [root]).collect();
        let position = |term: &TermId| order.iter().position(|other| other == term);
        let mut nodes = Vec::with_capacity(order.len());
        for &term in &order {
            nodes.push(match pool.term(term) {
                Term::String(text) => Node::String(text.clone()),
                Term::Integer(number) => Node::Integer(number.clone()),
                Term::Op(op, children) => {
                    Node::Op(op, children.iter().map(position).collect::<Option<_>>()?)
                }
                Term::Variable(variable) => {
                    let number = variables.iter().position(|&other| other == term)?;
                    Node::Parameter(number, variable.sort)
                }
                _ => return None,
            });
        }
        Some(Self { nodes })
    }

    /// The operator at the root; none if it is a literal or a parameter.
    pub fn head(&self) -> Option<Op> {
        match self.nodes.last() {
            Some(Node::Op(op, _)) => Some(*op),
            _ => None,
        }
    }

    /// The operators that occur.
    pub fn operators(&self) -> impl Iterator<Item = Op> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Op(op, _) => Some(*op),
            _ => None,
        })
    }

    /// The number of distinct subterms.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The term with arguments for the parameters.
    pub fn instance(&self, pool: &mut TermPool, arguments: &[TermId]) -> TermId {
        const SORTED: &str = "a law is well-sorted, and arguments have the sorts of parameters";
        let mut made: Vec<TermId> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            made.push(match node {
                Node::Parameter(number, _) => arguments[*number],
                Node::String(text) => pool.string(text.clone()).expect(ROOM),
                Node::Integer(number) => pool.integer(number.clone()).expect(ROOM),
                Node::Op(op, children) => {
                    let children: Vec<TermId> = children.iter().map(|&child| made[child]).collect();
                    pool.op(*op, &children).expect(SORTED)
                }
            });
        }
        *made.last().expect("a pattern has a root")
    }

    /// Whether the term is an instance; then `arguments` has the arguments of all parameters that occur.
    pub fn matches(&self, pool: &TermPool, term: TermId, arguments: &mut [Option<TermId>]) -> bool {
        let mut pending = vec![(self.nodes.len() - 1, term)];
        while let Some((node, term)) = pending.pop() {
            let fits = match (&self.nodes[node], pool.term(term)) {
                (Node::Parameter(number, sort), _) => {
                    pool.sort(term) == *sort && *arguments[*number].get_or_insert(term) == term
                }
                (Node::String(text), Term::String(other)) => text == other,
                (Node::Integer(number), Term::Integer(other)) => number == other,
                (Node::Op(op, children), Term::Op(other, terms)) => {
                    pending.extend(children.iter().copied().zip(terms.iter().copied()));
                    *op == other && children.len() == terms.len()
                }
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }
}
