//! Printing of arithmetic formulas in SMT-LIB, incrementally and without repetition.
//!
//! Only `Bool`, `Int` and uninterpreted sorts and functions occur: [`Sort`] has nothing else.
//! Shared subterms are named by `define-fun`, below a quantifier by `let` if they depend on its
//! variables, so that the text is linear in the size of the arena.

use std::fmt::Write as _;

use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arena::{Arena, FnId, Id, Node, Sort};
use crate::UnknownReason;

/// The nesting depth of printed terms beyond which they get a name.
const MAX_NESTING: u32 = 100;

/// The declarations and definitions that one solver has received. They outlive scopes
/// (`:global-declarations`).
#[derive(Default)]
pub(super) struct Printer {
    sorts: FxHashSet<Sort>,
    functions: FxHashSet<FnId>,
    written: Vec<Written>,
}

/// How a term was printed so far.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Written {
    /// Not at all.
    #[default]
    Never,
    /// Within another term.
    Inside,
    /// By a definition.
    Defined,
}

/// The part of a quantified formula that depends on its variables.
struct Scope {
    /// The dependent terms, children before parents.
    locals: Vec<Id>,
    /// Children of dependent terms that do not depend on the variables.
    outer: Vec<Id>,
}

impl Printer {
    /// Writes the declarations and definitions that the formulas need, so that
    /// [`Self::reference`] can write the formulas themselves.
    pub(super) fn define(
        &mut self,
        arena: &Arena,
        roots: &[Id],
        out: &mut String,
    ) -> Result<(), UnknownReason> {
        self.written.resize(arena.len(), Written::Never);
        let mut parents: FxHashMap<Id, u32> = FxHashMap::default();
        let mut scopes: FxHashMap<Id, Scope> = FxHashMap::default();
        let mut order = Vec::new();
        let mut stack = roots.to_vec();
        while let Some(id) = stack.pop() {
            let count = parents.entry(id).or_insert(0);
            *count += 1;
            if *count > 1 || self.written[id.0 as usize] == Written::Defined {
                continue;
            }
            order.push(id);
            match arena.node(id) {
                Node::Apply(function, arguments) => {
                    self.declare(arena, function, out);
                    stack.extend(arguments);
                }
                Node::Forall(variables, body) => {
                    let scope = self.scope(arena, variables, body, out)?;
                    stack.extend(&scope.outer);
                    scopes.insert(id, scope);
                }
                _ => stack.extend(arena.children(id)),
            }
        }
        // Children are older than their parents.
        order.sort_unstable();
        let mut depths: FxHashMap<Id, u32> = FxHashMap::default();
        for id in order {
            let at = id.0 as usize;
            if is_leaf(arena, id) {
                continue;
            }
            let depth = match scopes.get(&id) {
                Some(_) => 0,
                None => {
                    let inner = |child: &Id| depths.get(child).copied().unwrap_or(0);
                    1 + arena.children(id).iter().map(inner).max().unwrap_or(0)
                }
            };
            let shared = parents.get(&id).is_some_and(|&count| count > 1);
            let again = self.written[at] == Written::Inside;
            if !shared && !again && depth < MAX_NESTING && !scopes.contains_key(&id) {
                self.written[at] = Written::Inside;
                depths.insert(id, depth);
                continue;
            }
            let sort = arena.sort_name(arena.sort_of(id));
            let _ = write!(out, "(define-fun d{at} () {sort} ");
            match scopes.get(&id) {
                Some(scope) => self.quantified(arena, id, scope, out),
                None => write(arena, id, |child| self.defined(child), out),
            }
            out.push_str(")\n");
            self.written[at] = Written::Defined;
        }
        Ok(())
    }

    /// Writes a formula whose definitions were written before.
    pub(super) fn reference(&self, arena: &Arena, id: Id, out: &mut String) {
        if self.defined(id).is_some() {
            let _ = write!(out, "d{}", id.0);
        } else {
            write(arena, id, |child| self.defined(child), out);
        }
    }

    fn declare(&mut self, arena: &Arena, function: FnId, out: &mut String) {
        if !self.functions.insert(function) {
            return;
        }
        let data = arena.function_data(function);
        for &sort in data.parameters.iter().chain([&data.result]) {
            if matches!(sort, Sort::Uninterpreted(_)) && self.sorts.insert(sort) {
                let _ = writeln!(out, "(declare-sort {} 0)", arena.sort_name(sort));
            }
        }
        let _ = write!(out, "(declare-fun {} (", data.name);
        for (position, &sort) in data.parameters.iter().enumerate() {
            let space = if position == 0 { "" } else { " " };
            let _ = write!(out, "{space}{}", arena.sort_name(sort));
        }
        let _ = writeln!(out, ") {})", arena.sort_name(data.result));
    }

    fn scope(
        &mut self,
        arena: &Arena,
        variables: &[Id],
        body: Id,
        out: &mut String,
    ) -> Result<Scope, UnknownReason> {
        let mut below = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![body];
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                below.push(id);
                stack.extend(arena.children(id));
            }
        }
        below.sort_unstable();
        let mut dependent: FxHashSet<Id> = variables.iter().copied().collect();
        let mut locals = Vec::new();
        for &id in &below {
            if arena.children(id).iter().any(|child| dependent.contains(child)) {
                if matches!(arena.node(id), Node::Forall(..)) {
                    let what = "a quantifier that depends on another one".to_owned();
                    return Err(UnknownReason::Unsupported(what));
                }
                if let Node::Apply(function, _) = arena.node(id) {
                    self.declare(arena, function, out);
                }
                dependent.insert(id);
                locals.push(id);
            }
        }
        let mut outer = Vec::new();
        for &id in &locals {
            outer.extend(arena.children(id).iter().filter(|child| !dependent.contains(child)));
        }
        if !dependent.contains(&body) {
            outer.push(body);
        }
        Ok(Scope { locals, outer })
    }

    /// A quantified formula, with a `let` for every dependent term that occurs twice.
    fn quantified(&self, arena: &Arena, id: Id, scope: &Scope, out: &mut String) {
        let Node::Forall(variables, body) = arena.node(id) else { return };
        let mut parents: FxHashMap<Id, u32> = FxHashMap::default();
        for &local in &scope.locals {
            for &child in arena.children(local) {
                *parents.entry(child).or_insert(0) += 1;
            }
        }
        out.push_str("(forall (");
        for &variable in variables {
            if let Node::Apply(function, _) = arena.node(variable) {
                let _ = write!(out, "({} Int)", arena.function_data(function).name);
            }
        }
        out.push_str(") ");
        // A dependent term may also occur outside, where its name means something else.
        let mut named: FxHashMap<Id, bool> =
            scope.locals.iter().map(|&local| (local, false)).collect();
        let mut open = 1;
        let name = |named: &FxHashMap<Id, bool>, child: Id| match named.get(&child) {
            Some(true) => Some('l'),
            Some(false) => None,
            None => self.defined(child),
        };
        for &local in scope.locals.iter().filter(|&&local| local != body) {
            if parents.get(&local).is_some_and(|&count| count > 1) {
                let _ = write!(out, "(let ((l{} ", local.0);
                write(arena, local, |child| name(&named, child), out);
                out.push_str(")) ");
                named.insert(local, true);
                open += 1;
            }
        }
        match name(&named, body) {
            Some(letter) => {
                let _ = write!(out, "{letter}{}", body.0);
            }
            None => write(arena, body, |child| name(&named, child), out),
        }
        out.extend(std::iter::repeat_n(')', open));
    }

    fn defined(&self, id: Id) -> Option<char> {
        (self.written[id.0 as usize] == Written::Defined).then_some('d')
    }
}

/// An item of the explicit stack of the printer.
enum Item<'a> {
    Term(Id),
    Number(&'a BigInt),
    Text(&'static str),
}

/// Writes a term. Terms below it that have a name are written as its letter and their number.
fn write(arena: &Arena, root: Id, name: impl Fn(Id) -> Option<char>, out: &mut String) {
    let mut stack = vec![Item::Term(root)];
    while let Some(item) = stack.pop() {
        let id = match item {
            Item::Text(text) => {
                out.push_str(text);
                continue;
            }
            Item::Number(number) => {
                write_number(number, out);
                continue;
            }
            Item::Term(id) => id,
        };
        if id != root
            && let Some(letter) = name(id)
        {
            let _ = write!(out, "{letter}{}", id.0);
            continue;
        }
        let head = match arena.node(id) {
            Node::Bool(value) => {
                out.push_str(if value { "true" } else { "false" });
                continue;
            }
            Node::Int(number) => {
                write_number(number, out);
                continue;
            }
            Node::Apply(function, []) => {
                out.push_str(&arena.function_data(function).name);
                continue;
            }
            Node::Apply(function, _) => arena.function_data(function).name.as_str(),
            Node::Not(_) => "not",
            Node::And(_) => "and",
            Node::Or(_) => "or",
            Node::Ite(..) => "ite",
            Node::Eq(..) => "=",
            Node::Distinct(_) => "distinct",
            Node::Add(_) => "+",
            Node::Scale(..) | Node::Mul(..) => "*",
            Node::Ge(..) => ">=",
            Node::Div(..) => "div",
            Node::Mod(..) => "mod",
            // Quantified formulas always have a name.
            Node::Forall(..) => "forall",
        };
        out.push('(');
        out.push_str(head);
        if let Node::Scale(factor, _) = arena.node(id) {
            out.push(' ');
            write_number(factor, out);
        }
        stack.push(Item::Text(")"));
        if let Node::Div(_, divisor) | Node::Mod(_, divisor) = arena.node(id) {
            stack.push(Item::Number(divisor));
            stack.push(Item::Text(" "));
        }
        for &child in arena.children(id).iter().rev() {
            stack.push(Item::Term(child));
            stack.push(Item::Text(" "));
        }
    }
}

fn write_number(number: &BigInt, out: &mut String) {
    let _ = match number.sign() {
        Sign::Minus => write!(out, "(- {})", number.magnitude()),
        _ => write!(out, "{number}"),
    };
}

/// Whether a term is as short as its name would be.
fn is_leaf(arena: &Arena, id: Id) -> bool {
    matches!(arena.node(id), Node::Bool(_) | Node::Int(_) | Node::Apply(_, []))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(arena: &Arena, printer: &mut Printer, id: Id) -> String {
        let mut text = String::new();
        printer.define(arena, &[id], &mut text).unwrap();
        printer.reference(arena, id, &mut text);
        text
    }

    #[test]
    fn nothing_about_strings_is_ever_written() {
        let mut arena = Arena::new();
        let sort = Sort::Uninterpreted(arena.sort("String"));
        let function = arena.function("str.len RegLan", &[sort], Sort::Int);
        let word = arena.function("str.to_re \"String\"", &[], sort);
        let word = arena.apply(word, &[]);
        let length = arena.apply(function, &[word]);
        let number = arena.fresh_int("(re.* String)");
        let formula = arena.ge(length, number);
        let text = printed(&arena, &mut Printer::default(), formula);
        for forbidden in ["String", "str.", "RegLan", "re.", "Seq", "\""] {
            assert!(!text.contains(forbidden), "{text}");
        }
        assert!(text.contains("(declare-sort string_0 0)"), "{text}");
    }

    #[test]
    fn a_term_is_written_once() {
        let mut arena = Arena::new();
        let (x, y) = (arena.fresh_int("x"), arena.fresh_int("y"));
        let sum = arena.add(&[x, y]);
        let product = arena.mul(sum, sum);
        let zero = arena.int(0);
        let formula = arena.ge(product, zero);
        let mut printer = Printer::default();
        let text = printed(&arena, &mut printer, formula);
        assert_eq!(text.matches("(+ x_0 y_1)").count(), 1, "{text}");
        let other = arena.eq(sum, zero);
        let text = printed(&arena, &mut printer, other);
        assert!(!text.contains("(+ x_0 y_1)") && !text.contains("declare"), "{text}");
    }

    #[test]
    fn dependent_quantifiers_are_refused() {
        let mut arena = Arena::new();
        let (x, y) = (arena.fresh_int("x"), arena.fresh_int("y"));
        let less = arena.lt(x, y);
        let inner = arena.forall_int(&[x], less);
        let outer = arena.forall_int(&[y], inner);
        let refused = Printer::default().define(&arena, &[outer], &mut String::new());
        assert!(matches!(refused, Err(UnknownReason::Unsupported(_))));
        let z = arena.fresh_int("z");
        let (above, below) = (arena.ge(z, y), arena.ge(y, z));
        let body = arena.or(&[above, below, inner]);
        let apart = arena.forall_int(&[z], body);
        let text = printed(&arena, &mut Printer::default(), apart);
        assert_eq!(text.matches("forall").count(), 2, "{text}");
    }
}
