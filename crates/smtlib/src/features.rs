//! Features of a script for statistics: operators, language features (quantifiers, scopes, several
//! queries, …) and sizes.
//!
//! Counted are distinct terms of the shared pool, not occurrences in the text: `(str.len x)` written a
//! thousand times counts once. Definitions are not expanded.

use std::collections::BTreeMap;

use luthier_terms::{Op, Term, TermId, TermPool};

use crate::{CommandKind, Script, SimpleCommand};

/// The features of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// The operators by their names in the standard, each with the number of distinct terms that
    /// apply it. `true` and `false` are not counted.
    pub operators: BTreeMap<&'static str, u64>,
    /// What it uses that is no operator, in order.
    pub flags: Vec<Flag>,
    /// How many assertions it has.
    pub assertions: u64,
    /// How many constants it declares.
    pub constants: u64,
    /// How many distinct terms are in its assertions, assumptions and definitions.
    pub terms: u64,
    /// The longest way from one of these down to a leaf, in terms. Definitions are not expanded.
    pub depth: u64,
    /// The logic that it declares.
    pub logic: Option<String>,
}

macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident $name:literal;)*) => {
        /// Something other than an operator that a script may use.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Flag { $($(#[$doc])* $flag,)* }

        impl Flag {
            /// All of them, in the order of their names.
            pub const ALL: &'static [Self] = &[$(Self::$flag,)*];

            /// A stable name; no operator has it.
            pub fn name(self) -> &'static str {
                match self { $(Self::$flag => $name,)* }
            }
        }
    };
}

flags! {
    /// `check-sat-assuming`
    Assumptions "assumptions";
    /// `define-fun` and `define-const`
    Definitions "definitions";
    /// Assertions with names, as for unsatisfiable cores.
    NamedAssertions "named-assertions";
    /// String literals with characters outside of ASCII.
    NonAsciiLiterals "non-ascii-literals";
    /// Quantifiers with patterns.
    Patterns "patterns";
    /// `push` and `pop`
    PushPop "push-pop";
    /// `forall` and `exists`
    Quantifiers "quantifiers";
    /// `define-fun-rec` and `define-funs-rec`
    RecursiveDefinitions "recursive-definitions";
    /// `reset` and `reset-assertions`
    Reset "reset";
    /// More than one `check-sat`.
    SeveralQueries "several-queries";
    /// Regular expressions with strings in them that are not fixed.
    SymbolicRegexes "symbolic-regexes";
    /// Declared functions with parameters.
    UninterpretedFunctions "uninterpreted-functions";
}

impl Features {
    /// Looks at a script up to its end or `exit`.
    pub fn of(pool: &TermPool, script: &Script) -> Self {
        let mut seen = Seen { features: Self::default(), flags: [false; Flag::ALL.len()] };
        let roots = seen.commands(pool, script);
        seen.terms(pool, &roots);
        let Seen { mut features, flags } = seen;
        features.flags = Flag::ALL.iter().copied().filter(|&flag| flags[flag as usize]).collect();
        features
    }
}

struct Seen {
    features: Features,
    flags: [bool; Flag::ALL.len()],
}

impl Seen {
    fn flag(&mut self, flag: Flag) {
        self.flags[flag as usize] = true;
    }

    /// Looks at the commands; returns the terms that matter.
    fn commands(&mut self, pool: &TermPool, script: &Script) -> Vec<TermId> {
        let mut roots = Vec::new();
        let mut queries = 0;
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(logic) => {
                    self.features.logic = Some(pool.symbols().display(*logic).into_owned());
                }
                CommandKind::Declare { function, .. } => {
                    if pool.function(*function).parameters.is_empty() {
                        self.features.constants += 1;
                    } else {
                        self.flag(Flag::UninterpretedFunctions);
                    }
                }
                CommandKind::Define { function, .. } => {
                    self.flag(Flag::Definitions);
                    let definition = pool.function(*function).definition.as_ref();
                    roots.extend(definition.and_then(luthier_terms::Definition::body));
                }
                CommandKind::DefineRecursive(functions) => {
                    self.flag(Flag::RecursiveDefinitions);
                    for function in functions {
                        let definition = pool.function(*function).definition.as_ref();
                        roots.extend(definition.and_then(luthier_terms::Definition::body));
                    }
                }
                CommandKind::Assert(assertion) => {
                    self.features.assertions += 1;
                    roots.push(assertion.term);
                    if assertion.name.is_some() {
                        self.flag(Flag::NamedAssertions);
                    }
                }
                CommandKind::CheckSat => queries += 1,
                CommandKind::CheckSatAssuming(assumptions) => {
                    queries += 1;
                    self.flag(Flag::Assumptions);
                    roots.extend(assumptions);
                }
                CommandKind::Push(_) | CommandKind::Pop(_) => self.flag(Flag::PushPop),
                CommandKind::Reset | CommandKind::ResetAssertions => self.flag(Flag::Reset),
                CommandKind::Simple(SimpleCommand::Exit) => break,
                _ => {}
            }
        }
        if queries > 1 {
            self.flag(Flag::SeveralQueries);
        }
        roots
    }

    /// Looks at every term below the roots once. Children are older than their parents, so two
    /// passes over the pool do without a stack.
    fn terms(&mut self, pool: &TermPool, roots: &[TermId]) {
        let Some(newest) = roots.iter().max() else { return };
        let mut is_reached = vec![false; newest.index() + 1];
        for root in roots {
            is_reached[root.index()] = true;
        }
        let ids: Vec<TermId> = pool.term_ids().take(is_reached.len()).collect();
        for &id in ids.iter().rev() {
            if is_reached[id.index()] {
                for child in pool.children(id) {
                    is_reached[child.index()] = true;
                }
            }
        }
        let mut facts = vec![Fact::default(); ids.len()];
        let mut counts = [0; Op::TABLE.len()];
        for id in ids {
            if is_reached[id.index()] {
                facts[id.index()] = self.term(pool, id, &facts, &mut counts);
                self.features.terms += 1;
            }
        }
        let depth = roots.iter().map(|root| facts[root.index()].depth).max();
        self.features.depth = u64::from(depth.unwrap_or(0));
        for info in Op::TABLE {
            let count = counts[info.op as usize];
            if count > 0 && !matches!(info.op, Op::True | Op::False) {
                *self.features.operators.entry(info.name).or_default() += count;
            }
        }
    }

    fn term(&mut self, pool: &TermPool, id: TermId, facts: &[Fact], counts: &mut [u64]) -> Fact {
        let children = pool.children(id);
        let depth = children.iter().map(|child| facts[child.index()].depth).max().unwrap_or(0);
        let mut is_ground = children.iter().all(|child| facts[child.index()].is_ground);
        match pool.term(id) {
            Term::String(text) => {
                if text.as_slice().iter().any(|character| character.code() > 0x7F) {
                    self.flag(Flag::NonAsciiLiterals);
                }
            }
            Term::Integer(_) | Term::Named(..) => {}
            Term::Op(op, _) => {
                counts[op as usize] += 1;
                if !is_ground && takes_strings(op) {
                    self.flag(Flag::SymbolicRegexes);
                }
            }
            Term::Apply(function, _) => {
                let definition = pool.function(function).definition.as_ref();
                let body = definition.and_then(luthier_terms::Definition::body);
                // A definition without parameters is an abbreviation. Of what is defined by
                // recursion the body is younger, and nothing is known yet.
                is_ground = is_ground
                    && children.is_empty()
                    && body.is_some_and(|body| {
                        body < id && facts.get(body.index()).is_some_and(|fact| fact.is_ground)
                    });
            }
            Term::Variable(_) => is_ground = false,
            Term::Quantifier(view) => {
                self.flag(Flag::Quantifiers);
                if view.patterns().next().is_some() {
                    self.flag(Flag::Patterns);
                }
            }
        }
        Fact { depth: depth.saturating_add(1), is_ground }
    }
}

/// What is known about a term.
#[derive(Clone, Copy, Default)]
struct Fact {
    depth: u32,
    /// It has one value, whatever the model.
    is_ground: bool,
}

/// Whether a regular expression is made of strings by this operator.
fn takes_strings(op: Op) -> bool {
    matches!(op, Op::StrToRe | Op::ReRange)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, read_script};

    fn features(text: &str) -> Features {
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
        assert!(reading.is_accepted(), "{:?}", reading.diagnostics);
        Features::of(&pool, &reading.script)
    }

    #[track_caller]
    fn check_flags(text: &str, expected: &[Flag]) {
        assert_eq!(features(text).flags, expected, "{text}");
    }

    #[test]
    fn distinct_terms_are_counted_by_operator() {
        let found = features(
            "(set-logic QF_SLIA)(declare-const x String)(declare-fun y () String)
             (assert (= (str.++ x y) (str.++ y x)))
             (assert (and (= (str.len x) (- 1)) (= (str.len x) (- 3 1)) true))
             (assert (= (str.++ x y) \"a\"))(check-sat)",
        );
        let operators: Vec<_> =
            found.operators.iter().map(|(name, count)| (*name, *count)).collect();
        assert_eq!(operators, [("-", 2), ("=", 4), ("and", 1), ("str.++", 2), ("str.len", 1)]);
        assert_eq!((found.assertions, found.constants, found.depth), (3, 2, 4));
        // x, y, two concatenations, their equality; length, 1, -1, equality, 3, 3 - 1, equality,
        // true, conjunction; "a", equality.
        assert_eq!(found.terms, 16);
        assert_eq!(found.logic.as_deref(), Some("QF_SLIA"));
        assert_eq!(found.flags, []);
    }

    #[test]
    fn what_is_no_operator_is_noticed() {
        use Flag::*;
        check_flags("(check-sat)", &[]);
        check_flags("(check-sat)(check-sat)", &[SeveralQueries]);
        check_flags("(check-sat)(exit)(check-sat)(push 1)", &[]);
        check_flags("(push 1)(pop 1)(check-sat)", &[PushPop]);
        check_flags("(reset-assertions)(check-sat)", &[Reset]);
        check_flags("(declare-fun f (Int) Int)(check-sat)", &[UninterpretedFunctions]);
        check_flags("(define-fun f () Int 1)(check-sat)", &[Definitions]);
        check_flags(
            "(define-fun-rec f ((x Int)) Int (ite (= x 0) 0 (f (- x 1))))(check-sat)",
            &[RecursiveDefinitions],
        );
        check_flags("(assert (! true :named a))(check-sat)", &[NamedAssertions]);
        check_flags("(declare-const p Bool)(check-sat-assuming (p))", &[Assumptions]);
        check_flags("(assert (forall ((x Int)) (= x x)))", &[Quantifiers]);
        check_flags(
            "(declare-fun f (Int) Int)(assert (forall ((x Int)) (! (= (f x) x) :pattern ((f x)))))",
            &[Patterns, Quantifiers, UninterpretedFunctions],
        );
        check_flags("(assert (= \"\\u{e9}\" \"a\"))", &[NonAsciiLiterals]);
    }

    #[test]
    fn a_regex_is_symbolic_if_a_string_in_it_is_not_fixed() {
        let check = |regex: &str, expected: &[Flag]| {
            let text =
                format!("(declare-const x String)(assert (str.in_re x (re.* {regex})))(check-sat)");
            check_flags(&text, expected);
        };
        check("(str.to_re \"a\")", &[]);
        check("(str.to_re (str.++ \"a\" \"b\"))", &[]);
        check("(str.to_re x)", &[Flag::SymbolicRegexes]);
        check("(re.range \"a\" (str.at x 0))", &[Flag::SymbolicRegexes]);
        let abbreviated = |body: &str| {
            format!(
                "(declare-const x String)(define-fun r () RegLan (str.to_re {body}))
                 (assert (str.in_re x (re.* r)))"
            )
        };
        check_flags(&abbreviated("\"a\""), &[Flag::Definitions]);
        check_flags(&abbreviated("x"), &[Flag::Definitions, Flag::SymbolicRegexes]);
    }

    #[test]
    fn names_are_in_order_and_no_operator_has_them() {
        let names: Vec<&str> = Flag::ALL.iter().map(|flag| flag.name()).collect();
        assert!(names.is_sorted());
        assert!(Op::TABLE.iter().all(|info| !names.contains(&info.name)));
    }

    #[test]
    fn a_hundred_thousand_levels_are_no_trouble() {
        let levels = 100_000;
        let text = format!(
            "(declare-const p Bool)(assert {}p{})(check-sat)",
            "(not ".repeat(levels),
            ")".repeat(levels)
        );
        let found = features(&text);
        assert_eq!(found.depth, levels as u64 + 1);
        assert_eq!(found.operators.get("not"), Some(&(levels as u64)));
    }
}
