//! The term pool: hash-consed terms, so that equality is equality of ids, and children have smaller
//! ids than their parents.
//!
//! Construction is checked, so every term is well-sorted. There is no `let`: the parser substitutes
//! the bound term, which costs nothing with sharing. Names in annotations are stored only below the
//! root of an assertion.

mod build;
mod table;

use num_bigint::BigInt;

use crate::{Function, FunctionId, Op, SmtString, Sort, SymbolId, SymbolTable, TermId};
use table::{Node, Tag};

/// A bound variable: of a quantifier or the parameter of a definition.
///
/// Bound variables are terms of their own kind, so they never clash with declared constants.
/// `depth` counts the enclosing binders of the same name and sort, so that an inner variable
/// differs from an outer one and substitution cannot capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its name.
    pub name: SymbolId,
    /// Its sort.
    pub sort: Sort,
    /// How many binders of the same name and sort enclose its own.
    pub depth: u32,
}

/// A quantifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}

/// A pattern (trigger) for the instantiation of a quantifier; it does not affect the meaning.
pub type Pattern = Vec<TermId>;

/// A quantified formula.
#[derive(Clone, Copy, Debug)]
pub struct QuantifierView<'a> {
    /// The quantifier.
    pub quantifier: Quantifier,
    /// The bound variables, as terms.
    pub variables: &'a [TermId],
    /// The body.
    pub body: TermId,
    /// The terms of all patterns, one after the other.
    pattern_terms: &'a [TermId],
    pattern_lengths: &'a [u32],
}

impl<'a> QuantifierView<'a> {
    /// The patterns.
    pub fn patterns(self) -> impl Iterator<Item = &'a [TermId]> {
        let mut rest = self.pattern_terms;
        self.pattern_lengths.iter().map(move |&length| {
            let (pattern, others) = rest.split_at(length as usize);
            rest = others;
            pattern
        })
    }
}

/// A view of a term.
#[derive(Clone, Copy, Debug)]
pub enum Term<'a> {
    /// A string literal.
    String(&'a SmtString),
    /// A numeral. The parser builds negative numbers with [`Op::Neg`]; a term built from a value
    /// may have one here.
    Integer(&'a BigInt),
    /// An operator applied to its children (indices first).
    Op(Op, &'a [TermId]),
    /// A declared or defined function applied to its arguments.
    Apply(FunctionId, &'a [TermId]),
    /// A bound variable.
    Variable(Variable),
    /// A quantified formula.
    Quantifier(QuantifierView<'a>),
    /// A named subterm of an assertion; its value is that of the term.
    Named(SymbolId, TermId),
}

/// The owner of terms, symbols and functions.
#[derive(Clone, Default)]
pub struct TermPool {
    symbols: SymbolTable,
    functions: Vec<Function>,
    function_lookup: table::Lookup<FunctionId>,
    recursive_lookup: table::Lookup<FunctionId>,
    nodes: Vec<Node>,
    children: Vec<TermId>,
    lookup: table::Lookup<TermId>,
    strings: Vec<SmtString>,
    string_lookup: table::Lookup<u32>,
    integers: Vec<BigInt>,
    integer_lookup: table::Lookup<u32>,
    quantifiers: Vec<table::QuantifierShape>,
    quantifier_lookup: table::Lookup<u32>,
    variables: Vec<Variable>,
    variable_lookup: table::Lookup<u32>,
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// The names.
    pub fn symbols(&self) -> &SymbolTable {
        &self.symbols
    }

    /// The names, to intern new ones.
    pub fn symbols_mut(&mut self) -> &mut SymbolTable {
        &mut self.symbols
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The name of a function, for display.
    pub fn function_name(&self, id: FunctionId) -> std::borrow::Cow<'_, str> {
        self.symbols.display(self.function(id).name)
    }

    /// How many distinct terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> Sort {
        self.nodes[id.index()].sort
    }

    /// The view of a term.
    pub fn term(&self, id: TermId) -> Term<'_> {
        let node = &self.nodes[id.index()];
        let payload = node.payload as usize;
        match node.tag {
            Tag::String => Term::String(&self.strings[payload]),
            Tag::Integer => Term::Integer(&self.integers[payload]),
            Tag::Op(op) => Term::Op(op, self.children_of(node)),
            Tag::Apply => Term::Apply(
                FunctionId::from_index(payload).expect("stored ids are valid"),
                self.children_of(node),
            ),
            Tag::Variable => Term::Variable(self.variables[payload]),
            Tag::Quantifier => {
                let shape = &self.quantifiers[payload];
                let children = self.children_of(node);
                let (variables, rest) = children.split_at(shape.variables as usize);
                Term::Quantifier(QuantifierView {
                    quantifier: shape.quantifier,
                    variables,
                    body: rest[0],
                    pattern_terms: &rest[1..],
                    pattern_lengths: &shape.pattern_lengths,
                })
            }
            Tag::Named => Term::Named(
                SymbolId::from_index(payload).expect("stored ids are valid"),
                self.children_of(node)[0],
            ),
        }
    }

    /// The children of any term: arguments (indices first), bound variables, body, patterns.
    pub fn children(&self, id: TermId) -> &[TermId] {
        self.children_of(&self.nodes[id.index()])
    }

    /// All names, in order of creation.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len()).map_while(|index| SymbolId::from_index(index).ok())
    }

    /// All terms, children before parents.
    pub fn term_ids(&self) -> impl Iterator<Item = TermId> + use<> {
        (0..self.nodes.len()).map_while(|index| TermId::from_index(index).ok())
    }

    /// The tree size of each term, saturating, by index.
    pub fn tree_sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            // Children have smaller ids than their parents.
            let children = self.children_of(node).iter();
            sizes.push(children.fold(1, |sum, child| sum.saturating_add(sizes[child.index()])));
        }
        sizes
    }

    /// The string of a string literal.
    pub fn as_string(&self, id: TermId) -> Option<&SmtString> {
        match self.term(id) {
            Term::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number of a numeral or a negated numeral.
    pub fn as_integer(&self, id: TermId) -> Option<BigInt> {
        match self.term(id) {
            Term::Integer(number) => Some(number.clone()),
            Term::Op(Op::Neg, [inner]) => match self.term(*inner) {
                Term::Integer(number) => Some(-number.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn children_of(&self, node: &Node) -> &[TermId] {
        &self.children[node.start as usize..node.start as usize + node.length as usize]
    }
}
