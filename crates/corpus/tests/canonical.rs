//! The canonical form: the same for scripts that differ in names, order and dialect, different for scripts that
//! ask something else.

use luthier_corpus::audit::canonical_form;
use luthier_records::Digest;
use luthier_smtlib::{ReadOptions, read_script};
use luthier_terms::TermPool;
use proptest::prelude::*;

fn form(text: &str) -> Digest {
    let mut pool = TermPool::new();
    let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
    assert!(reading.is_accepted(), "{text}\n{:?}", reading.diagnostics);
    let form = canonical_form(&pool, &reading.script);
    assert!(!form.is_limited);
    form.digest
}

#[track_caller]
fn same(one: &str, other: &str) {
    assert_eq!(form(one), form(other), "{one}\n{other}");
}

#[track_caller]
fn different(one: &str, other: &str) {
    assert_ne!(form(one), form(other), "{one}\n{other}");
}

const XY: &str = "(declare-const x String)(declare-const y String)";

fn script(assertions: &str) -> String {
    format!("{XY}{assertions}(check-sat)")
}

#[test]
fn names_declarations_order_and_annotations_do_not_matter() {
    same(
        &script("(assert (= (str.len x) 1))(assert (str.prefixof x y))"),
        "(set-logic ALL)(set-info :status sat)(declare-fun |a b| () String)(declare-fun unused () Int)\
         (declare-const c String)(assert (! (str.prefixof |a b| c) :named n))\
         (assert (let ((l (str.len |a b|))) (= 1 l)))(assert (= 1 (str.len |a b|)))(check-sat)(get-model)",
    );
    same(
        &script("(assert (or (= x \"a\") (= y \"b\") (= x y)))"),
        &script("(assert (or (= y x) (= \"b\" x) (= y \"a\")))"),
    );
}

#[test]
fn the_dialect_does_not_matter_but_the_meaning_of_a_literal_does() {
    let old = "(set-info :smt-lib-version 2.5)";
    let new = "(set-info :smt-lib-version 2.6)";
    let old_text = format!("{old}{}", script("(assert (str.in.re x (str.to.re \"\\x41\")))"));
    same(&old_text, &format!("{new}{}", script("(assert (str.in_re x (str.to_re \"A\")))")));
    same(&old_text, &format!("{new}{}", script("(assert (str.in_re x (str.to_re \"\\u{41}\")))")));
    // Four characters since the standard.
    different(
        &old_text,
        &format!("{new}{}", script("(assert (str.in_re x (str.to_re \"\\x41\")))")),
    );
}

#[test]
fn what_asks_something_else_has_another_form() {
    let all = [
        "(assert (str.prefixof x y))",
        "(assert (str.suffixof x y))",
        "(assert (str.prefixof x x))",
        "(assert (not (str.prefixof x y)))",
        "(assert (str.prefixof x y))(assert (str.prefixof y x))",
        "(assert (= x \"a\"))",
        "(assert (= x \"b\"))",
        "(assert (= x \"aa\"))",
        "(assert (= (str.len x) 1))",
        "(assert (= (str.len x) 2))",
        "(assert (< (str.len x) 1))",
        "(assert (= (- 2 (str.len x)) 1))",
        "(assert (= (- (str.len x) 2) 1))",
        "(check-sat)(assert (str.prefixof x y))",
        "(assert (forall ((z String)) (str.prefixof x z)))",
        "(assert (exists ((z String)) (str.prefixof x z)))",
        "(assert (forall ((z String)) (str.prefixof z x)))",
    ];
    let forms: std::collections::HashSet<Digest> =
        all.iter().map(|one| form(&script(one))).collect();
    assert_eq!(forms.len(), all.len());
    // Sorts count, too: no assertion tells these apart.
    different("(declare-const a Int)(assert (= a a))", "(declare-const a Bool)(assert (= a a))");
}

#[test]
fn bound_variables_and_definitions_are_renamed_too() {
    same(
        &script("(assert (forall ((a String) (b Int)) (= (str.at a b) x)))"),
        &script("(assert (forall ((x String) (n Int)) (= y (str.at x n))))"),
    );
    same(
        &format!(
            "(define-fun f ((a String)) Bool (str.prefixof a \"b\")){}",
            script("(assert (f x))")
        ),
        &format!(
            "(define-fun g ((c String)) Bool (str.prefixof c \"b\")){}",
            script("(assert (g y))")
        ),
    );
    different(
        &format!(
            "(define-fun f ((a String)) Bool (str.prefixof a \"b\")){}",
            script("(assert (f x))")
        ),
        &format!(
            "(define-fun f ((a String)) Bool (str.prefixof a \"c\")){}",
            script("(assert (f x))")
        ),
    );
}

/// Commuting pairs along the edges of a graph.
fn edges(edges: &[(usize, usize)]) -> String {
    let mut text = String::new();
    for name in 0..6 {
        text.push_str(&format!("(declare-const v{name} String)"));
    }
    for (one, other) in edges {
        text.push_str(&format!("(assert (= (str.++ v{one} v{other}) (str.++ v{other} v{one})))"));
    }
    text + "(check-sat)"
}

/// Colour refinement cannot tell a cycle of six from two triangles; the form can, and it is the same however
/// the vertices of a symmetric graph are numbered.
#[test]
fn symmetry_is_broken_without_identifying_what_differs() {
    let cycle = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)];
    let numbered = [3, 0, 5, 1, 4, 2];
    let renumbered = cycle.map(|(one, other)| (numbered[one], numbered[other]));
    same(&edges(&cycle), &edges(&renumbered));
    let triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
    different(&edges(&cycle), &edges(&triangles));
}

#[test]
fn a_hundred_thousand_levels_are_no_trouble() {
    let levels = 100_000;
    let text = |name: &str| {
        format!(
            "(declare-const {name} Bool)(assert {}{name}{})(check-sat)",
            "(not ".repeat(levels),
            ")".repeat(levels)
        )
    };
    same(&text("p"), &text("q"));
}

/// A formula that can be written in several ways.
#[derive(Clone, Debug)]
enum Formula {
    Equal(Word, Word),
    Matches(Word, Vec<u8>),
    Length(Word, u8),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Some(Vec<Formula>),
}

#[derive(Clone, Debug)]
enum Word {
    Constant(u8),
    Literal(u8),
    Concat(Box<Word>, Box<Word>),
}

fn word() -> impl Strategy<Value = Word> {
    let leaf = prop_oneof![(0..5_u8).prop_map(Word::Constant), (0..4_u8).prop_map(Word::Literal)];
    leaf.prop_recursive(2, 6, 2, |inner| {
        (inner.clone(), inner).prop_map(|(one, other)| Word::Concat(Box::new(one), Box::new(other)))
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        (word(), word()).prop_map(|(one, other)| Formula::Equal(one, other)),
        (word(), prop::collection::vec(0..4_u8, 2..4))
            .prop_map(|(one, all)| Formula::Matches(one, all)),
        (word(), 0..9_u8).prop_map(|(one, length)| Formula::Length(one, length)),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let many = prop::collection::vec(inner.clone(), 2..4);
        prop_oneof![
            inner.prop_map(|one| Formula::Not(Box::new(one))),
            many.clone().prop_map(Formula::All),
            many.prop_map(Formula::Some),
        ]
    })
}

/// How a formula is written: a permutation of names, a source of orders, and the dialect.
struct Style {
    names: [usize; 5],
    random: u64,
    is_old: bool,
}

impl Style {
    fn next(&mut self, below: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.random >> 33) as usize % below
    }

    fn shuffled(&mut self, mut texts: Vec<String>) -> String {
        for index in (1..texts.len()).rev() {
            let other = self.next(index + 1);
            texts.swap(index, other);
        }
        texts.join(" ")
    }

    fn literal(&self, number: u8) -> &'static str {
        // A quotation mark, a control character, a letter and nothing.
        let texts = match self.is_old {
            true => ["\"\"\"\"", "\"\\x0a\"", "\"\\x41\"", "\"\""],
            false => ["\"\\u{22}\"", "\"\\u{a}\"", "\"A\"", "\"\""],
        };
        texts[usize::from(number)]
    }

    fn word(&mut self, word: &Word) -> String {
        match word {
            Word::Constant(number) => format!("c{}", self.names[usize::from(*number)]),
            Word::Literal(number) => self.literal(*number).to_owned(),
            Word::Concat(one, other) => format!("(str.++ {} {})", self.word(one), self.word(other)),
        }
    }

    fn formula(&mut self, formula: &Formula) -> String {
        match formula {
            Formula::Equal(one, other) => {
                let sides = vec![self.word(one), self.word(other)];
                format!("(= {})", self.shuffled(sides))
            }
            Formula::Matches(one, all) => {
                let (member, to_re) = match self.is_old {
                    true => ("str.in.re", "str.to.re"),
                    false => ("str.in_re", "str.to_re"),
                };
                let texts =
                    all.iter().map(|one| format!("({to_re} {})", self.literal(*one))).collect();
                format!("({member} {} (re.union {}))", self.word(one), self.shuffled(texts))
            }
            Formula::Length(one, length) => format!("(<= (str.len {}) {length})", self.word(one)),
            Formula::Not(one) => format!("(not {})", self.formula(one)),
            Formula::All(all) | Formula::Some(all) => {
                let texts = all.iter().map(|one| self.formula(one)).collect();
                let name = if matches!(formula, Formula::All(_)) { "and" } else { "or" };
                format!("({name} {})", self.shuffled(texts))
            }
        }
    }

    fn script(&mut self, formulas: &[Formula]) -> String {
        let declarations = (0..5).map(|name| format!("(declare-fun c{name} () String)")).collect();
        let assertions =
            formulas.iter().map(|one| format!("(assert {})", self.formula(one))).collect();
        let version = if self.is_old { "2.5" } else { "2.6" };
        format!(
            "(set-info :smt-lib-version {version}){}{}(check-sat)",
            self.shuffled(declarations),
            self.shuffled(assertions)
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn renaming_reordering_and_dialect_keep_the_form(
        formulas in prop::collection::vec(formula(), 1..5),
        names in Just([0, 1, 2, 3, 4_usize]).prop_shuffle(),
        random in any::<u64>(),
    ) {
        let plain = Style { names: [0, 1, 2, 3, 4], random: 0, is_old: false }.script(&formulas);
        let other = Style { names, random, is_old: random % 2 == 0 }.script(&formulas);
        prop_assert_eq!(form(&plain), form(&other), "{}\n{}", plain, other);
        // One more assertion, with a literal that no formula has, asks something else.
        let more = |text: &str| plain.replace("(check-sat)", &format!("(assert (= c0 \"{text}\"))(check-sat)"));
        prop_assert_ne!(form(&more("one")), form(&plain));
        prop_assert_ne!(form(&more("one")), form(&more("two")));
    }
}
