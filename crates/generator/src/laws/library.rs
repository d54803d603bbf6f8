//! The library of laws: read once from the files of the folder `laws`, indexed by operator and, for
//! equations, by the operator at the root of a side, so that they serve as rewrite rules in both
//! directions.

use std::sync::LazyLock;

use luthier_smtlib::{
    CommandKind, Dialect, Mode, PrintOptions, ReadOptions, print_term, read_script,
};
use luthier_terms::{BasicSort, Definition, Op, Term, TermPool};

use super::pattern::Pattern;
use crate::Dice;

/// The files, with their names.
const FILES: [(&str, &str); 13] = [
    ("concat_length", include_str!("../../laws/concat_length.smt2")),
    ("substr_at", include_str!("../../laws/substr_at.smt2")),
    ("contains_indexof", include_str!("../../laws/contains_indexof.smt2")),
    ("prefix_suffix", include_str!("../../laws/prefix_suffix.smt2")),
    ("replace", include_str!("../../laws/replace.smt2")),
    ("replace_all_re", include_str!("../../laws/replace_all_re.smt2")),
    ("conversions", include_str!("../../laws/conversions.smt2")),
    ("codes", include_str!("../../laws/codes.smt2")),
    ("order", include_str!("../../laws/order.smt2")),
    ("regex", include_str!("../../laws/regex.smt2")),
    ("regex_loops", include_str!("../../laws/regex_loops.smt2")),
    ("core", include_str!("../../laws/core.smt2")),
    ("ints", include_str!("../../laws/ints.smt2")),
];

static LIBRARY: LazyLock<LawLibrary> = LazyLock::new(LawLibrary::read);

/// The files of laws: name and text in SMT-LIB, one definition of a function to `Bool` for each law, with a
/// comment above it that says why it holds.
pub fn files() -> &'static [(&'static str, &'static str)] {
    &FILES
}

/// All laws, in the order of the files.
pub fn laws() -> &'static [Law] {
    &LIBRARY.laws
}

/// A formula that is true for all values of its parameters.
#[derive(Clone, Debug)]
pub struct Law {
    /// Its name.
    pub name: String,
    /// Why it holds.
    pub reason: String,
    /// The formula in SMT-LIB.
    pub statement: String,
    /// The names and sorts of its parameters.
    pub parameters: Vec<(String, BasicSort)>,
    /// The formula.
    pub(super) whole: Pattern,
    /// Its form.
    pub(super) form: Form,
}

/// The form of a law.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// `l = r`.
    Equation(Pattern, Pattern),
    /// `premise ⇒ conclusion`.
    Implication(Pattern, Pattern),
    /// Any other formula.
    Fact,
}

/// An equation as a rewrite rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// The law.
    pub law: &'static Law,
    /// The side that is matched.
    pub from: &'static Pattern,
    /// The side that replaces it.
    pub to: &'static Pattern,
}

/// All laws, indexed.
pub(super) struct LawLibrary {
    laws: Vec<Law>,
    /// The indices of the laws in which an operator occurs, by operator.
    about: Vec<Vec<usize>>,
    /// Laws as rewrite rules, and whether from right to left, by the operator at the root.
    by_root: Vec<Vec<(usize, bool)>>,
    /// The same for sides without an operator at the root.
    without_root: Vec<(usize, bool)>,
}

impl LawLibrary {
    /// The library.
    pub fn get() -> &'static Self {
        &LIBRARY
    }

    fn read() -> Self {
        let laws: Vec<Law> = FILES.iter().flat_map(|(_, text)| read_laws(text)).collect();
        let rows = Op::TABLE.len();
        let (mut about, mut by_root) = (vec![Vec::new(); rows], vec![Vec::new(); rows]);
        let mut without_root = Vec::new();
        for (number, law) in laws.iter().enumerate() {
            for op in law.operators() {
                about[op as usize].push(number);
            }
            let Form::Equation(left, right) = &law.form else { continue };
            for (side, reversed) in [(left, false), (right, true)] {
                match side.head() {
                    Some(op) => by_root[op as usize].push((number, reversed)),
                    None => without_root.push((number, reversed)),
                }
            }
        }
        Self { laws, about, by_root, without_root }
    }

    /// A law in which the operator occurs or, if there is none, any.
    pub fn some_law(&'static self, dice: &mut Dice, op: Op) -> Option<&'static Law> {
        let numbers = &self.about[op as usize];
        let number = match numbers.len() {
            0 => dice.below(self.laws.len()),
            count => numbers[dice.below(count)],
        };
        self.laws.get(number)
    }

    /// A random law of at most this size, if one is found in a few attempts.
    pub fn small_law(&'static self, dice: &mut Dice, size: usize) -> Option<&'static Law> {
        (0..8)
            .filter_map(|_| self.laws.get(dice.below(self.laws.len())))
            .find(|law| law.whole.size() <= size)
    }

    /// The rules for terms with this root; `None` for those whose matched side is a parameter or a literal.
    pub fn rules(&'static self, head: Option<Op>) -> impl ExactSizeIterator<Item = Rule> {
        let numbers = match head {
            Some(op) => &self.by_root[op as usize],
            None => &self.without_root,
        };
        numbers.iter().map(|&(number, reversed)| {
            let law = &self.laws[number];
            match (&law.form, reversed) {
                (Form::Equation(left, right), true) => Rule { law, from: right, to: left },
                (Form::Equation(left, right), false) => Rule { law, from: left, to: right },
                _ => Rule { law, from: &law.whole, to: &law.whole },
            }
        })
    }
}

impl Law {
    /// The operators that occur, each once.
    pub fn operators(&self) -> Vec<Op> {
        let mut operators: Vec<Op> = self.whole.operators().collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }
}

/// The laws of a file. Tests check that none is left out.
fn read_laws(text: &str) -> Vec<Law> {
    let mut pool = TermPool::new();
    let options = ReadOptions { mode: Mode::Strict, dialect: Some(Dialect::Smt27) };
    let reading = read_script(&mut pool, text.as_bytes(), &options);
    let mut laws = Vec::new();
    for command in &reading.script.commands {
        let CommandKind::Define { function, .. } = &command.kind else { continue };
        let name = pool.function_name(*function).into_owned();
        let Some(Definition::Plain { variables, body }) = &pool.function(*function).definition
        else {
            continue;
        };
        let side = |term| Pattern::new(&pool, term, variables);
        let form = match pool.term(*body) {
            Term::Op(Op::Eq, &[left, right]) => side(left).zip(side(right)).map(equation),
            Term::Op(Op::Implies, &[left, right]) => side(left).zip(side(right)).map(implication),
            _ => Some(Form::Fact),
        };
        let parameters: Option<Vec<_>> = variables
            .iter()
            .map(|&variable| match pool.term(variable) {
                Term::Variable(variable) => {
                    let name = pool.symbols().display(variable.name).into_owned();
                    Some((name, variable.sort.as_basic()?))
                }
                _ => None,
            })
            .collect();
        let printed = print_term(&pool, *body, &PrintOptions::new(Dialect::Smt27)).ok();
        let statement = printed.and_then(|printed| String::from_utf8(printed.bytes).ok());
        if let (Some(parameters), Some(whole), Some(form), Some(statement)) =
            (parameters, side(*body), form, statement)
        {
            let reason = reason_of(text, &name).unwrap_or_default();
            laws.push(Law { name, reason, statement, parameters, whole, form });
        }
    }
    laws
}

fn equation((left, right): (Pattern, Pattern)) -> Form {
    Form::Equation(left, right)
}

fn implication((left, right): (Pattern, Pattern)) -> Form {
    Form::Implication(left, right)
}

/// The comment above the definition.
fn reason_of(text: &str, name: &str) -> Option<String> {
    let beginning = format!("(define-fun {name} (");
    let mut before = "";
    for line in text.lines() {
        if line.starts_with(&beginning) {
            return before.strip_prefix("; ").map(str::to_owned);
        }
        before = line;
    }
    None
}
