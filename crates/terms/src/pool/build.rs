//! Checked constructors of the pool: ranks of operators, sorts of arguments, binding.

use std::hash::Hash;

use num_bigint::BigInt;

use super::table::{Lookup, Node, QuantifierShape, Tag, hash};
use super::{Pattern, Quantifier, Term, TermPool, Variable};
use crate::{
    BasicSort, BuildError, Definition, Function, FunctionId, Op, Shape, SmtString, Sort, SymbolId,
    TermId,
};

impl TermPool {
    /// `true` or `false`.
    pub fn bool(&mut self, value: bool) -> Result<TermId, BuildError> {
        self.op(if value { Op::True } else { Op::False }, &[])
    }

    /// A string literal.
    pub fn string(&mut self, text: SmtString) -> Result<TermId, BuildError> {
        let payload =
            find_or_push(&mut self.strings, &mut self.string_lookup, text, "string literals")?;
        self.intern(Tag::String, Sort::String, payload, &[])
    }

    /// An integer literal.
    pub fn integer(&mut self, number: impl Into<BigInt>) -> Result<TermId, BuildError> {
        let number = number.into();
        let payload =
            find_or_push(&mut self.integers, &mut self.integer_lookup, number, "integer literals")?;
        self.intern(Tag::Integer, Sort::Int, payload, &[])
    }

    /// An operator applied to its children (indices first).
    pub fn op(&mut self, op: Op, children: &[TermId]) -> Result<TermId, BuildError> {
        let sort = self.result_sort(op, children)?;
        self.intern(Tag::Op(op), sort, 0, children)
    }

    /// `((as const (Array index …)) element)`.
    pub fn constant_array(
        &mut self,
        index: BasicSort,
        element: TermId,
    ) -> Result<TermId, BuildError> {
        let sort = self.sort(element);
        let basic = sort.as_basic().ok_or(BuildError::Sort {
            op: Op::ConstArray,
            position: 0,
            expected: Sort::Int,
            found: sort,
        })?;
        self.intern(Tag::Op(Op::ConstArray), Sort::Array(index, basic), 0, &[element])
    }

    /// A function applied to its arguments; a constant has none.
    pub fn apply(
        &mut self,
        function: FunctionId,
        arguments: &[TermId],
    ) -> Result<TermId, BuildError> {
        let Function { parameters, result, .. } = self.function(function);
        if parameters.len() != arguments.len() {
            return Err(BuildError::FunctionArity {
                name: self.function_name(function).into_owned(),
                expected: parameters.len(),
                found: arguments.len(),
            });
        }
        for (position, (&expected, &argument)) in parameters.iter().zip(arguments).enumerate() {
            let found = self.sort(argument);
            if found != expected {
                let name = self.function_name(function).into_owned();
                return Err(BuildError::FunctionSort { name, position, expected, found });
            }
        }
        let result = *result;
        let payload = small(function.index(), "functions")?;
        self.intern(Tag::Apply, result, payload, arguments)
    }

    /// A bound variable.
    pub fn variable(&mut self, variable: Variable) -> Result<TermId, BuildError> {
        let payload =
            find_or_push(&mut self.variables, &mut self.variable_lookup, variable, "variables")?;
        self.intern(Tag::Variable, variable.sort, payload, &[])
    }

    /// A quantified formula.
    pub fn quantify(
        &mut self,
        quantifier: Quantifier,
        variables: &[TermId],
        body: TermId,
        patterns: &[Pattern],
    ) -> Result<TermId, BuildError> {
        self.expect_formula(body)?;
        let all_variables =
            variables.iter().all(|&variable| matches!(self.term(variable), Term::Variable(_)));
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        if variables.is_empty() || !all_variables || !distinct {
            return Err(BuildError::Binding);
        }
        let shape = QuantifierShape {
            quantifier,
            variables: small(variables.len(), "variables")?,
            pattern_lengths: patterns
                .iter()
                .map(|pattern| small(pattern.len(), "terms"))
                .collect::<Result<_, _>>()?,
        };
        let payload =
            find_or_push(&mut self.quantifiers, &mut self.quantifier_lookup, shape, "quantifiers")?;
        let mut children = variables.to_vec();
        children.push(body);
        children.extend(patterns.iter().flatten());
        self.intern(Tag::Quantifier, Sort::Bool, payload, &children)
    }

    /// A term with a name.
    pub fn named(&mut self, name: SymbolId, term: TermId) -> Result<TermId, BuildError> {
        let sort = self.sort(term);
        self.intern(Tag::Named, sort, small(name.index(), "symbols")?, &[term])
    }

    /// Declares a function, or finds the same declaration.
    pub fn declare(
        &mut self,
        name: SymbolId,
        parameters: Vec<Sort>,
        result: Sort,
    ) -> Result<FunctionId, BuildError> {
        self.intern_function(Function { name, parameters, result, definition: None, generation: 0 })
    }

    /// Defines a function that does not occur in its body, or finds the same definition.
    pub fn define(
        &mut self,
        name: SymbolId,
        variables: Vec<TermId>,
        body: TermId,
    ) -> Result<FunctionId, BuildError> {
        self.intern_function(Function {
            name,
            parameters: variables.iter().map(|&variable| self.sort(variable)).collect(),
            result: self.sort(body),
            definition: Some(Definition::Plain { variables, body }),
            generation: 0,
        })
    }

    /// Starts the definition of a function that may occur in its body.
    ///
    /// A script may define the same name again after `pop`: `generation` distinguishes such
    /// functions. [`Self::finish_recursive`] reports whether the generation was the right one.
    pub fn begin_recursive(
        &mut self,
        name: SymbolId,
        variables: Vec<TermId>,
        result: Sort,
        generation: u32,
    ) -> Result<FunctionId, BuildError> {
        // The body is not known yet, so such functions have a separate table.
        let key = hash(&(name, generation, result, &variables));
        let functions = &self.functions;
        let existing = self.recursive_lookup.find(key, |id| {
            let function = &functions[id.index()];
            (function.name, function.generation, function.result) == (name, generation, result)
                && function.definition.as_ref().is_some_and(|other| other.variables() == variables)
        });
        if let Some(&id) = existing {
            return Ok(id);
        }
        let id = FunctionId::from_index(self.functions.len())?;
        let parameters = variables.iter().map(|&variable| self.sort(variable)).collect();
        let definition = Some(Definition::Recursive { variables, body: None });
        self.functions.push(Function { name, parameters, result, definition, generation });
        let functions = &self.functions;
        self.recursive_lookup.insert_unique(key, id, |id| {
            let function = &functions[id.index()];
            let variables = function.definition.iter().flat_map(Definition::variables);
            let variables: Vec<TermId> = variables.copied().collect();
            hash(&(function.name, function.generation, function.result, &variables))
        });
        Ok(id)
    }

    /// Sets the body of a recursive function. `false`: it already has another one, so the caller
    /// must parse the body again with the next generation.
    pub fn finish_recursive(
        &mut self,
        function: FunctionId,
        new_body: TermId,
    ) -> Result<bool, BuildError> {
        let found = self.sort(new_body);
        let function = &mut self.functions[function.index()];
        if found != function.result {
            let expected = function.result;
            let name = self.symbols.display(function.name).into_owned();
            return Err(BuildError::FunctionSort { name, position: 0, expected, found });
        }
        match &mut function.definition {
            Some(Definition::Recursive { body: Some(body), .. }) => Ok(*body == new_body),
            Some(Definition::Recursive { body, .. }) => {
                *body = Some(new_body);
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Checks that a term can be asserted.
    pub fn expect_formula(&self, term: TermId) -> Result<(), BuildError> {
        match self.sort(term) {
            Sort::Bool => Ok(()),
            found => Err(BuildError::NotAFormula { found }),
        }
    }

    fn intern_function(&mut self, function: Function) -> Result<FunctionId, BuildError> {
        let hash = hash(&function);
        let functions = &self.functions;
        if let Some(&id) = self.function_lookup.find(hash, |id| functions[id.index()] == function) {
            return Ok(id);
        }
        let id = FunctionId::from_index(self.functions.len())?;
        self.functions.push(function);
        let functions = &self.functions;
        self.function_lookup.insert_unique(hash, id, |id| self::hash(&functions[id.index()]));
        Ok(id)
    }

    fn intern(
        &mut self,
        tag: Tag,
        sort: Sort,
        payload: u32,
        children: &[TermId],
    ) -> Result<TermId, BuildError> {
        let key = hash(&(tag, sort, payload, children));
        let (nodes, all) = (&self.nodes, &self.children);
        let of = |node: &Node| &all[node.start as usize..][..node.length as usize];
        let found = self.lookup.find(key, |id| {
            let node = &nodes[id.index()];
            node.tag == tag && node.payload == payload && node.sort == sort && of(node) == children
        });
        if let Some(&id) = found {
            return Ok(id);
        }
        let id = TermId::from_index(self.nodes.len())?;
        let start = small(self.children.len(), "arguments")?;
        let length = small(children.len(), "arguments")?;
        self.children.extend_from_slice(children);
        self.nodes.push(Node { tag, sort, payload, start, length });
        let (nodes, all) = (&self.nodes, &self.children);
        self.lookup.insert_unique(key, id, |id| {
            let node = &nodes[id.index()];
            let children = &all[node.start as usize..][..node.length as usize];
            hash(&(node.tag, node.sort, node.payload, children))
        });
        Ok(id)
    }

    /// The sort of `op` applied to `children`, or the error.
    fn result_sort(&self, op: Op, children: &[TermId]) -> Result<Sort, BuildError> {
        let info = op.info();
        let arity = |expected| BuildError::Arity { op, expected, found: children.len() };
        let expect = |position: usize, expected: Sort| {
            let found = self.sort(children[position]);
            if found == expected {
                Ok(())
            } else {
                Err(BuildError::Sort { op, position: position - info.indices, expected, found })
            }
        };
        for &index in children.iter().take(info.indices) {
            match self.term(index) {
                Term::Integer(number) if number.sign() != num_bigint::Sign::Minus => {}
                _ => return Err(BuildError::Index { op }),
            }
        }
        match info.shape {
            Shape::Exact(sorts, result) => {
                if children.len() != sorts.len() {
                    let found = children.len().saturating_sub(info.indices);
                    let expected = in_words(sorts.len() - info.indices);
                    return Err(BuildError::Arity { op, expected, found });
                }
                for (position, &sort) in sorts.iter().enumerate().skip(info.indices) {
                    expect(position, sort)?;
                }
                Ok(result)
            }
            Shape::Folded(sort, result, _) => {
                if children.len() < 2 {
                    return Err(arity("two or more arguments"));
                }
                (0..children.len()).try_for_each(|position| expect(position, sort))?;
                Ok(result)
            }
            Shape::Polymorphic(_) => {
                if children.len() < 2 {
                    return Err(arity("two or more arguments"));
                }
                let sort = self.sort(children[0]);
                (1..children.len()).try_for_each(|position| expect(position, sort))?;
                Ok(Sort::Bool)
            }
            Shape::IfThenElse => {
                if children.len() != 3 {
                    return Err(arity("three arguments"));
                }
                expect(0, Sort::Bool)?;
                let sort = self.sort(children[1]);
                expect(2, sort)?;
                Ok(sort)
            }
            Shape::Select | Shape::Store => {
                let store = info.shape == Shape::Store;
                if children.len() != if store { 3 } else { 2 } {
                    return Err(arity(if store { "three arguments" } else { "two arguments" }));
                }
                let array = self.sort(children[0]);
                let Sort::Array(index, element) = array else {
                    return Err(BuildError::NotAnArray { op, found: array });
                };
                expect(1, index.into())?;
                if store {
                    expect(2, element.into())?;
                    return Ok(array);
                }
                Ok(element.into())
            }
            Shape::ConstantArray => Err(arity("the sort of an array; use `constant_array`")),
        }
    }
}

/// The index of a value in its side table, which holds each value once.
fn find_or_push<T: Eq + Hash>(
    values: &mut Vec<T>,
    lookup: &mut Lookup<u32>,
    value: T,
    what: &'static str,
) -> Result<u32, BuildError> {
    let key = hash(&value);
    if let Some(&index) = lookup.find(key, |&index| values[index as usize] == value) {
        return Ok(index);
    }
    let index = small(values.len(), what)?;
    values.push(value);
    lookup.insert_unique(key, index, |&index| hash(&values[index as usize]));
    Ok(index)
}

fn in_words(arguments: usize) -> &'static str {
    match arguments {
        0 => "no argument",
        1 => "one argument",
        2 => "two arguments",
        _ => "three arguments",
    }
}

fn small(number: usize, what: &'static str) -> Result<u32, BuildError> {
    u32::try_from(number).map_err(|_| BuildError::PoolFull { what })
}
