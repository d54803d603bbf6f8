//! Random well-sorted scripts of the standard, as text: all operators, binders that hide names,
//! odd symbols, all kinds of characters.

use luthier_smtlib::lexer::is_simple_symbol;
use luthier_terms::{BasicSort, Op, Shape, Sort};

use super::random::Random;

/// A name in scope and what it is: sorts of parameters, sort of the value.
type Name = (Vec<u8>, Vec<Sort>, Sort);

pub struct Generator {
    pub random: Random,
    out: Vec<u8>,
    /// Names in scope, inner ones last.
    scope: Vec<Name>,
    /// How many binders are open.
    binders: usize,
    /// Names given by `:named` in the command that is written.
    named: Vec<Name>,
    counter: usize,
    /// Whether strings may have characters above 255.
    pub unicode: bool,
}

const NAMES: &[&[u8]] = &[
    b"x",
    b"y",
    b"z",
    b"a b",
    b"let",
    b"assert",
    b"x!1",
    b"x!2",
    b"_let_1",
    b"\xff\xfe\x80",
    "é→".as_bytes(),
    b"",
    b"12",
    b"a\"b;c",
    b"(",
    b"~!@$%^&*_-+=<>.?/",
];
/// Names of operators, which bound variables may hide.
const OPERATOR_NAMES: &[&[u8]] = &[b"and", b"str.len", b"re.union", b"select", b"=", b"not"];

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            out: Vec::new(),
            scope: Vec::new(),
            binders: 0,
            named: Vec::new(),
            counter: 0,
            unicode: true,
        }
    }

    /// A whole script.
    pub fn script(mut self) -> Vec<u8> {
        self.text("(set-info :smt-lib-version 2.7)\n(set-logic ALL)\n");
        let mut levels: Vec<usize> = Vec::new();
        for _ in 0..6 {
            self.declare();
        }
        for _ in 0..4 + self.random.below(12) {
            match self.random.below(14) {
                0 | 1 => self.declare(),
                2 => self.define(),
                3 => self.define_recursive(),
                4 => {
                    self.text("(push 1)");
                    levels.push(self.scope.len());
                }
                5 if !levels.is_empty() => {
                    self.text("(pop 1)");
                    self.scope.truncate(levels.pop().unwrap());
                }
                6 => {
                    self.text("(get-value (");
                    self.any_term(2);
                    self.text("))");
                }
                7 => {
                    self.text("(check-sat-assuming (");
                    match self.visible(|_, parameters, result| {
                        parameters.is_empty() && result == Sort::Bool
                    }) {
                        Some((name, _, _)) => self.symbol(&name),
                        None => self.text("true"),
                    }
                    self.text("))");
                }
                8 => self.text("(echo \"a \"\"b\"\" \\ c\")"),
                9 => self.text("(set-info :notes (a \"b\"\"c\" |d e| 1.5 #xAF))"),
                _ => self.assert(),
            }
            self.text("\n");
            let named = std::mem::take(&mut self.named);
            self.scope.extend(named);
        }
        self.text("(check-sat)\n(get-model)\n(exit)\n");
        self.out
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn symbol(&mut self, name: &[u8]) {
        if is_simple_symbol(name) && !self.random.once_in(20) {
            self.out.extend_from_slice(name);
        } else {
            self.out.extend_from_slice(&[b"|", name, b"|"].concat());
        }
    }

    fn sort(&mut self) -> Sort {
        let basic = BasicSort::ALL;
        match self.random.below(12) {
            0 => Sort::Array(self.random.pick(&basic), self.random.pick(&basic)),
            _ => self.random.pick(&basic).into(),
        }
    }

    /// A name for a global thing that does not exist yet.
    fn fresh(&mut self) -> Vec<u8> {
        let name = self.random.pick(NAMES);
        if self.scope.iter().any(|(other, _, _)| other == name) {
            self.counter += 1;
            return format!("g{}", self.counter).into_bytes();
        }
        name.to_vec()
    }

    /// A visible name that fits.
    fn visible(&mut self, fits: impl Fn(&[u8], &[Sort], Sort) -> bool) -> Option<Name> {
        let mut choices = Vec::new();
        for (position, (name, parameters, result)) in self.scope.iter().enumerate() {
            let hidden = self.scope[position + 1..].iter().any(|(other, _, _)| other == name);
            if !hidden && fits(name, parameters, *result) {
                choices.push(position);
            }
        }
        if choices.is_empty() {
            return None;
        }
        let position = self.random.pick(&choices);
        Some(self.scope[position].clone())
    }

    fn hides_operator(&self, name: &str) -> bool {
        self.scope.iter().any(|(other, _, _)| other == name.as_bytes())
    }

    fn declare(&mut self) {
        let name = self.fresh();
        let result = self.sort();
        let mut parameters = Vec::new();
        if self.random.once_in(3) {
            for _ in 0..self.random.below(3) {
                parameters.push(self.sort());
            }
            self.text("(declare-fun ");
            self.symbol(&name);
            let sorts: Vec<String> = parameters.iter().map(Sort::to_string).collect();
            self.text(&format!(" ({}) {result})", sorts.join(" ")));
        } else {
            self.text("(declare-const ");
            self.symbol(&name);
            self.text(&format!(" {result})"));
        }
        self.scope.push((name, parameters, result));
    }

    /// `((x S) …)`, and puts the variables in scope.
    fn variables(&mut self, count: usize) -> Vec<Sort> {
        self.text("(");
        let mut list: Vec<Name> = Vec::new();
        for _ in 0..count {
            let name = match self.random.below(8) {
                0 => self.random.pick(OPERATOR_NAMES).to_vec(),
                _ => self.random.pick(NAMES).to_vec(),
            };
            if list.iter().any(|(other, _, _)| *other == name) {
                continue;
            }
            let sort = self.sort();
            self.text("(");
            self.symbol(&name);
            self.text(&format!(" {sort})"));
            list.push((name, Vec::new(), sort));
        }
        self.text(")");
        let sorts = list.iter().map(|(_, _, sort)| *sort).collect();
        self.scope.extend(list);
        sorts
    }

    fn define(&mut self) {
        let name = self.fresh();
        let result = self.sort();
        let before = self.scope.len();
        let mut parameters = Vec::new();
        if self.random.once_in(4) {
            self.text("(define-const ");
            self.symbol(&name);
        } else {
            self.text("(define-fun ");
            self.symbol(&name);
            self.text(" ");
            let count = self.random.below(3);
            parameters = self.variables(count);
        }
        self.text(&format!(" {result} "));
        self.binders += 1;
        self.term(result, 3);
        self.binders -= 1;
        self.text(")");
        self.scope.truncate(before);
        self.scope.push((name, parameters, result));
    }

    fn define_recursive(&mut self) {
        let count = 1 + self.random.below(2);
        let several = count > 1;
        let before = self.scope.len();
        let mut functions: Vec<Name> = Vec::new();
        let mut lists: Vec<Vec<Name>> = Vec::new();
        self.text(if several { "(define-funs-rec (" } else { "(define-fun-rec " });
        for _ in 0..count {
            let name = loop {
                let name = self.fresh();
                if !functions.iter().any(|(other, _, _)| *other == name) {
                    break name;
                }
            };
            let result = self.sort();
            self.text(if several { "(" } else { "" });
            self.symbol(&name);
            self.text(" ");
            let parameters = self.variables(2);
            lists.push(self.scope.split_off(before));
            self.text(&format!(" {result}"));
            self.text(if several { ")" } else { " " });
            functions.push((name, parameters, result));
        }
        self.text(if several { ") (" } else { "" });
        self.scope.extend(functions.clone());
        for (list, (_, _, result)) in lists.into_iter().zip(functions) {
            let here = self.scope.len();
            self.scope.extend(list);
            self.binders += 1;
            self.term(result, 3);
            self.binders -= 1;
            self.text(" ");
            self.scope.truncate(here);
        }
        self.text(if several { "))" } else { ")" });
    }

    fn assert(&mut self) {
        self.text("(assert ");
        if self.random.once_in(4) {
            self.text("(! ");
            self.term(Sort::Bool, 4);
            let name = self.name_for(Sort::Bool);
            self.text(" :named ");
            self.symbol(&name);
            self.text(")");
        } else {
            self.term(Sort::Bool, 4);
        }
        self.text(")");
    }

    fn name_for(&mut self, sort: Sort) -> Vec<u8> {
        self.counter += 1;
        let name = format!("named {}", self.counter).into_bytes();
        self.named.push((name.clone(), Vec::new(), sort));
        name
    }

    fn any_term(&mut self, depth: usize) {
        let sort = self.sort();
        self.term(sort, depth);
    }

    /// Writes a term of a sort.
    fn term(&mut self, sort: Sort, depth: usize) {
        if depth == 0 || self.random.once_in(6) {
            return self.leaf(sort);
        }
        match self.random.below(16) {
            0 | 1 => self.let_term(sort, depth),
            2 | 3 if sort == Sort::Bool => self.quantifier(depth),
            4 if self.binders == 0 => {
                self.text("(! ");
                self.term(sort, depth - 1);
                let name = self.name_for(sort);
                self.text(" :named ");
                self.symbol(&name);
                self.text(")");
            }
            5 => {
                let function =
                    self.visible(|_, parameters, result| !parameters.is_empty() && result == sort);
                match function {
                    Some((name, parameters, _)) => {
                        self.text("(");
                        self.symbol(&name);
                        self.arguments(&parameters, depth);
                        self.text(")");
                    }
                    None => self.application(sort, depth),
                }
            }
            _ => self.application(sort, depth),
        }
    }

    fn arguments(&mut self, sorts: &[Sort], depth: usize) {
        for &sort in sorts {
            self.text(" ");
            self.term(sort, depth - 1);
        }
    }

    fn leaf(&mut self, sort: Sort) {
        let constant =
            self.visible(|_, parameters, result| parameters.is_empty() && result == sort);
        if let Some((name, _, _)) = constant
            && !self.random.once_in(3)
        {
            return self.symbol(&name);
        }
        match sort {
            Sort::Bool => {
                let value = self.random.pick(&["true", "false"]);
                self.text(value);
            }
            Sort::Int => {
                let value = self.random.pick(&["0", "1", "42", "123456789012345678901234567890"]);
                self.text(value);
            }
            Sort::String => self.literal(),
            Sort::RegLan => {
                let value = self.random.pick(&["re.none", "re.all", "re.allchar"]);
                self.text(value);
            }
            Sort::Array(_, element) => {
                self.text(&format!("((as const {sort}) "));
                self.leaf(element.into());
                self.text(")");
            }
        }
    }

    fn literal(&mut self) {
        self.text("\"");
        for _ in 0..self.random.below(5) {
            let mut pieces = vec![
                "a", "\"\"", "\\", "\\n", "\\x41", "\\u{5c}", "\\u{0}", "\\u{7f}", "\\u{fF}", " ",
                "u{41}", "\\u0041", "\\u{}", "\\\\",
            ];
            if self.unicode {
                pieces.extend(["\\u{100}", "\\ud800", "\\u{2ffff}", "\\u{30000}", "\\u{110000}"]);
            }
            let piece = self.random.pick(&pieces);
            self.text(piece);
        }
        self.text("\"");
    }

    fn application(&mut self, sort: Sort, depth: usize) {
        for _ in 0..50 {
            let row = self.random.pick(Op::TABLE);
            if row.indices == 0 && self.hides_operator(row.name) {
                continue;
            }
            let some_sort = self.sort();
            let sorts: Vec<Sort> = match row.shape {
                Shape::Exact(sorts, result) if result == sort && !sorts.is_empty() => {
                    sorts[row.indices..].to_vec()
                }
                Shape::Folded(argument, result, _) if result == sort => {
                    vec![argument; 2 + self.random.below(3)]
                }
                Shape::Polymorphic(_) if sort == Sort::Bool => {
                    vec![some_sort; 2 + self.random.below(2)]
                }
                Shape::IfThenElse => vec![Sort::Bool, sort, sort],
                Shape::Select => match sort.as_basic() {
                    Some(element) => {
                        let index = self.random.pick(&BasicSort::ALL);
                        vec![Sort::Array(index, element), index.into()]
                    }
                    None => continue,
                },
                Shape::Store => match sort {
                    Sort::Array(index, element) => vec![sort, index.into(), element.into()],
                    _ => continue,
                },
                Shape::ConstantArray => match sort {
                    Sort::Array(_, element) => {
                        self.text(&format!("((as const {sort})"));
                        self.arguments(&[element.into()], depth);
                        return self.text(")");
                    }
                    _ => continue,
                },
                _ => continue,
            };
            self.text("(");
            match row.indices {
                0 => self.text(row.name),
                1 => {
                    let index = 1 + self.random.below(5);
                    self.text(&format!("(_ {} {index})", row.name));
                }
                _ => {
                    let (low, high) = (self.random.below(4), self.random.below(4));
                    self.text(&format!("(_ {} {low} {high})", row.name));
                }
            }
            self.arguments(&sorts, depth);
            return self.text(")");
        }
        self.leaf(sort);
    }

    fn let_term(&mut self, sort: Sort, depth: usize) {
        self.text("(let (");
        let before = self.scope.len();
        let mut bound: Vec<Name> = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let name = self.random.pick(NAMES).to_vec();
            if bound.iter().any(|(other, _, _)| *other == name) {
                continue;
            }
            let sort = self.sort();
            self.text("(");
            self.symbol(&name);
            self.text(" ");
            self.term(sort, depth - 1);
            self.text(")");
            bound.push((name, Vec::new(), sort));
        }
        self.text(") ");
        self.scope.extend(bound);
        self.term(sort, depth - 1);
        self.scope.truncate(before);
        self.text(")");
    }

    fn quantifier(&mut self, depth: usize) {
        let head = self.random.pick(&["(forall ", "(exists "]);
        self.text(head);
        let before = self.scope.len();
        let count = 1 + self.random.below(2);
        self.variables(count);
        self.binders += 1;
        self.text(" ");
        if self.random.once_in(3) {
            self.text("(! ");
            self.term(Sort::Bool, depth - 1);
            for _ in 0..1 + self.random.below(2) {
                self.text(" :pattern (");
                for _ in 0..1 + self.random.below(2) {
                    self.any_term(1);
                    self.text(" ");
                }
                self.text(")");
            }
            self.text(" :qid q)");
        } else {
            self.term(Sort::Bool, depth - 1);
        }
        self.binders -= 1;
        self.text(")");
        self.scope.truncate(before);
    }
}
