//! Every law checked by the referee on all small values and on many random ones.
//!
//! The formulas of `luthier_generator::laws` rest on these laws, so the same procedure must also
//! refute formulas that are close to laws.

use std::collections::BTreeSet;

use luthier_generator::laws::{files, laws};
use luthier_generator::{Dice, random};
use luthier_semantics::{Evaluator, Limits, Model};
use luthier_smtlib::{
    CommandKind, Dialect, Mode, PrintOptions, ReadOptions, print_term, read_script,
};
use luthier_terms::{BasicSort, BigInt, Definition, FunctionId, Op, Sort, Term, TermId, TermPool};

/// At most so many small assignments of a law; the lists of values are cut to that.
const SMALL: usize = 2500;

/// So many random assignments of a law.
const RANDOM: usize = 150;

/// Languages, the most telling ones first.
const LANGUAGES: [&str; 40] = [
    r#"(str.to_re "a")"#,
    r#"(re.* (str.to_re "ab"))"#,
    r#"(re.opt (str.to_re "a"))"#,
    "re.none",
    r#"(re.range "0" "9")"#,
    "re.all",
    r#"(re.comp (str.to_re "a"))"#,
    r#"(str.to_re "")"#,
    "re.allchar",
    r#"(re.++ (re.* (str.to_re "a")) (str.to_re "b"))"#,
    r#"(re.union (str.to_re "a") (str.to_re "ab"))"#,
    r#"(re.+ (re.range "a" "b"))"#,
    r#"(str.to_re "ab")"#,
    r#"((_ re.loop 1 2) (str.to_re "a"))"#,
    r#"(re.++ re.allchar re.all)"#,
    r#"(re.inter (re.* re.allchar) (re.comp (str.to_re "")))"#,
    r#"(re.diff (re.range "a" "c") (str.to_re "b"))"#,
    r#"(re.range "b" "a")"#,
    r#"((_ re.^ 2) re.allchar)"#,
    r#"(re.* (re.++ re.allchar re.allchar))"#,
    r#"(re.++ re.all (str.to_re "a") re.all)"#,
    r#"(re.comp (re.++ re.all (str.to_re "0") re.all))"#,
    r#"(re.union (str.to_re "") (str.to_re "aa"))"#,
    r#"(re.* (re.union (str.to_re "a") (str.to_re "ba")))"#,
    r#"(re.range "\u{0}" "\u{2ffff}")"#,
    r#"(re.range "\u{d800}" "\u{10000}")"#,
    r#"((_ re.loop 0 2) (re.opt (str.to_re "b")))"#,
    r#"(re.* (re.* (str.to_re "a")))"#,
    r#"(re.comp re.allchar)"#,
    r#"(re.comp (re.* (str.to_re "a")))"#,
    r#"(re.diff re.all (re.++ (str.to_re "a") re.all))"#,
    r#"(re.++ (str.to_re "b") (re.opt (str.to_re "a")))"#,
    r#"(re.+ (re.opt (str.to_re "a")))"#,
    r#"((_ re.loop 2 1) (str.to_re "a"))"#,
    r#"((_ re.^ 0) (str.to_re "a"))"#,
    r#"(re.inter (re.+ (str.to_re "a")) (re.* (str.to_re "aa")))"#,
    r#"(re.++ re.all (str.to_re "ab"))"#,
    r#"(str.to_re "\u{2ffff}")"#,
    r#"(re.++ (re.comp re.none) re.allchar)"#,
    r#"(re.inter (str.to_re "a") (str.to_re "b"))"#,
];

/// Laws of a text in a pool, with values to try them on.
struct Trial {
    pool: TermPool,
    functions: Vec<FunctionId>,
    strings: Vec<TermId>,
    numbers: Vec<TermId>,
    truths: Vec<TermId>,
    languages: Vec<TermId>,
}

impl Trial {
    fn new(text: &str) -> Self {
        let mut pool = TermPool::new();
        let functions = read(&mut pool, text);
        let strings = words().iter().map(|word| string(&mut pool, word)).collect();
        let numbers =
            [0, 1, -1, 2, 3, -2, 4, 5].map(|number| integer(&mut pool, number.into())).to_vec();
        let truths = [true, false].map(|truth| pool.bool(truth).unwrap()).to_vec();
        let texts: Vec<String> = LANGUAGES.iter().map(|text| language(text)).collect();
        let languages = texts.iter().map(|text| body(&mut pool, text)).collect();
        Self { pool, functions, strings, numbers, truths, languages }
    }

    fn values(&self, sort: Sort) -> &[TermId] {
        match sort {
            Sort::Bool => &self.truths,
            Sort::Int => &self.numbers,
            Sort::String => &self.strings,
            _ => &self.languages,
        }
    }

    /// Assignments of small values: all of them, from lists that are cut to make that possible.
    fn small(&self, sorts: &[Sort]) -> Vec<Vec<TermId>> {
        let mut counts: Vec<usize> = sorts.iter().map(|&sort| self.values(sort).len()).collect();
        while counts.iter().product::<usize>() > SMALL {
            let largest = counts.iter_mut().max().unwrap();
            *largest -= 1;
        }
        let mut assignments = vec![Vec::new()];
        for (&sort, &count) in sorts.iter().zip(&counts) {
            let values = &self.values(sort)[..count];
            assignments = assignments
                .iter()
                .flat_map(|begun| values.iter().map(|&value| [&begun[..], &[value]].concat()))
                .collect();
        }
        assignments
    }

    /// Assignments of random ground terms: all characters, large numbers, long strings.
    fn random(&mut self, sorts: &[Sort], stream: u64) -> Vec<Vec<TermId>> {
        let mut dice = Dice::new(11, stream);
        let mut assignments = Vec::new();
        for number in 0..RANDOM {
            let pool = std::mem::take(&mut self.pool);
            let mut generator = random::Generator::default();
            generator.pool = pool;
            generator.begin(Dice::new(stream, number as u64));
            let mut assignment = Vec::new();
            for &sort in sorts {
                let term = loop {
                    let depth = dice.below(3);
                    let term = generator.term(sort.as_basic().unwrap(), depth);
                    let language = sort == Sort::RegLan;
                    if language || generator.value_of(term).is_some() {
                        break term;
                    }
                };
                assignment.push(term);
            }
            self.pool = generator.pool;
            if number % 5 == 0 {
                for (value, &sort) in assignment.iter_mut().zip(sorts) {
                    if sort == Sort::String && dice.percent(60) {
                        *value = long_string(&mut self.pool, &mut dice);
                    }
                    if sort == Sort::Int && dice.percent(60) {
                        *value = large_number(&mut self.pool, &mut dice);
                    }
                }
            }
            assignments.push(assignment);
        }
        assignments
    }

    /// An assignment for which the law is not true, as text.
    fn counterexample(&mut self, law: FunctionId, stream: u64) -> Option<String> {
        let sorts = self.pool.function(law).parameters.clone();
        let mut assignments = self.small(&sorts);
        assignments.extend(self.random(&sorts, stream));
        let calls: Vec<TermId> =
            assignments.iter().map(|arguments| self.pool.apply(law, arguments).unwrap()).collect();
        let model = Model::new();
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(&self.pool, &model, limits);
        let wrong = calls.iter().find(|&&call| {
            let evaluation = evaluator.evaluate(call);
            // What is too costly for the referee says nothing.
            evaluation.is_false() || (evaluation.known().is_none() && !self.is_costly(call))
        })?;
        let printed = print_term(&self.pool, *wrong, &PrintOptions::new(Dialect::Smt27)).unwrap();
        Some(String::from_utf8_lossy(&printed.bytes).into_owned())
    }

    /// Whether an index or a length is beyond what is evaluated.
    fn is_costly(&self, term: TermId) -> bool {
        luthier_terms::PostOrder::new(&self.pool, [term]).any(|part| {
            matches!(self.pool.term(part), Term::Op(Op::RePower | Op::ReLoop, children)
                if children.iter().filter_map(|&child| self.pool.as_integer(child)).any(|index| index > 20.into()))
        })
    }
}

fn read(pool: &mut TermPool, text: &str) -> Vec<FunctionId> {
    let options = ReadOptions { mode: Mode::Strict, dialect: Some(Dialect::Smt27) };
    let reading = read_script(pool, text.as_bytes(), &options);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    let functions = reading.script.commands.iter().map(|command| match &command.kind {
        CommandKind::Define { function, .. } => *function,
        other => panic!("{other:?} is no law"),
    });
    functions.collect()
}

/// The definition of a function without parameters that is the language.
fn language(text: &str) -> String {
    format!("(define-fun language () RegLan {text})")
}

fn body(pool: &mut TermPool, text: &str) -> TermId {
    let function = read(pool, text)[0];
    match &pool.function(function).definition {
        Some(Definition::Plain { body, .. }) => *body,
        _ => panic!("{text}"),
    }
}

/// All strings over a, 0 and b up to length four, and some with other characters; short ones first.
fn words() -> Vec<Vec<u32>> {
    let mut words: Vec<Vec<u32>> = vec![Vec::new()];
    let mut next = 0;
    while words[next].len() < 4 {
        for letter in [0x61, 0x62, 0x30] {
            let word = [&words[next][..], &[letter]].concat();
            words.push(word);
        }
        next += 1;
    }
    words.extend([vec![0x31, 0x32], vec![0x2FFFF], vec![0xD800, 0x61], vec![0], vec![0x39, 0x39]]);
    words
}

fn string(pool: &mut TermPool, word: &[u32]) -> TermId {
    let text = luthier_terms::SmtString::from_codes(word.iter().copied()).unwrap();
    pool.string(text).unwrap()
}

fn integer(pool: &mut TermPool, number: BigInt) -> TermId {
    luthier_semantics::Value::Int(number).to_term(pool).unwrap()
}

fn long_string(pool: &mut TermPool, dice: &mut Dice) -> TermId {
    let letters = [0x61, 0x62, 0x30, 0x39, 0x1F600, 0xDFFF, 0x2FFFF, 0];
    let few = 1 + dice.below(3);
    let length = dice.pick(&[20, 31, 40]);
    let digits = dice.percent(30);
    let word: Vec<u32> =
        (0..length)
            .map(|_| {
                if digits {
                    0x30 + dice.below(10) as u32
                } else {
                    letters[dice.below(8) % (2 * few)]
                }
            })
            .collect();
    string(pool, &word)
}

fn large_number(pool: &mut TermPool, dice: &mut Dice) -> TermId {
    let bases = [BigInt::from(2).pow(64), BigInt::from(10).pow(30), BigInt::from(196_607)];
    let number = &bases[dice.below(3)] + dice.between(-1, 1);
    integer(pool, if dice.percent(50) { number } else { -number })
}

fn name(pool: &TermPool, law: FunctionId) -> String {
    pool.function_name(law).into_owned()
}

/// The laws of some of the files; several tests, so that they can run at the same time.
fn check(chosen: &[&str]) {
    let mut count = 0;
    for (file, text) in files().iter().filter(|(file, _)| chosen.contains(file)) {
        let mut trial = Trial::new(text);
        for law in trial.functions.clone() {
            let found = trial.counterexample(law, 3);
            assert_eq!(found, None, "{file}: {}", name(&trial.pool, law));
            count += 1;
        }
    }
    assert!(count > 20, "{count} laws");
}

#[test]
fn laws_about_strings_hold() {
    check(&["concat_length", "substr_at", "contains_indexof", "prefix_suffix"]);
}

#[test]
fn laws_about_replacing_hold() {
    check(&["replace", "replace_all_re"]);
}

#[test]
fn laws_about_numbers_codes_and_order_hold() {
    check(&["conversions", "codes", "order", "core", "ints"]);
}

#[test]
fn laws_about_languages_hold() {
    check(&["regex", "regex_loops"]);
}

/// Formulas close to laws, with an exception.
const NEARLY: [&str; 24] = [
    "((s String) (t String)) Bool (= (str.contains s t) (> (str.indexof s t 0) 0))",
    "((s String) (i Int)) Bool (= (str.++ (str.substr s 0 i) (str.substr s i (str.len s))) s)",
    "((s String) (i Int) (n Int)) Bool (=> (<= 0 n) (= (str.len (str.substr s i n)) n))",
    "((s String) (t String)) Bool (= (str.replace s \"\" t) s)",
    "((s String) (t String)) Bool (= (str.replace_all s \"\" t) (str.++ t s))",
    "((s String) (t String) (u String)) Bool (= (str.replace_all s t u) (str.replace s t u))",
    "((s String) (t String)) Bool (= (str.replace_all (str.replace_all s \"a\" \"b\") \"b\" \"a\") s)",
    "((s String)) Bool (= (str.from_int (str.to_int s)) s)",
    "((s String)) Bool (=> (>= (str.to_int s) 0) (= (str.from_int (str.to_int s)) s))",
    "((n Int)) Bool (= (str.to_code (str.from_code n)) n)",
    "((n Int)) Bool (= (str.len (str.from_code n)) (ite (and (<= 0 n) (<= n 65535)) 1 0))",
    "((s String) (t String)) Bool (=> (str.< s t) (< (str.len s) (str.len t)))",
    "((s String) (t String) (u String)) Bool (=> (str.< s t) (str.< (str.++ s u) (str.++ t u)))",
    "((s String) (r RegLan) (t String)) Bool (= (str.replace_re s (re.opt r) t) (str.replace_re s r t))",
    "((s String) (r RegLan) (t String)) Bool (= (str.replace_re_all s (re.opt r) t) (str.replace_re s r t))",
    "((r RegLan)) Bool (= (re.+ (re.opt r)) (re.+ r))",
    "((r RegLan) (q RegLan)) Bool (= (re.++ r q) (re.++ q r))",
    "((r RegLan) (q RegLan) (p RegLan)) Bool (= (re.++ r (re.inter q p)) (re.inter (re.++ r q) (re.++ r p)))",
    "((r RegLan)) Bool (= ((_ re.loop 1 3) r) (re.union r ((_ re.^ 3) r)))",
    "((s String) (t String)) Bool (= (re.range s t) (re.union (str.to_re s) (str.to_re t)))",
    "((s String)) Bool (= (str.is_digit s) (>= (str.to_int s) 0))",
    "((i Int)) Bool (= (div i (- 3)) (div (- i) 3))",
    "((i Int)) Bool (< (mod i 5) 4)",
    "((s String) (t String) (u String)) Bool (=> (and (str.suffixof s u) (str.suffixof t u)) (str.suffixof s t))",
];

#[test]
fn formulas_close_to_laws_are_refuted() {
    for (number, text) in NEARLY.iter().enumerate() {
        let mut trial = Trial::new(&format!("(define-fun nearly-{number} {text})"));
        let law = trial.functions[0];
        assert!(trial.counterexample(law, 3).is_some(), "{text}");
    }
}

/// An implication whose premise never holds, or whose conclusion always does, says too little.
#[test]
fn premises_of_implications_hold_at_times_and_are_needed() {
    let (mut count, mut idle) = (0, Vec::new());
    for (file, text) in files() {
        let mut trial = Trial::new(text);
        for law in trial.functions.clone() {
            let Some(Definition::Plain { variables, body }) =
                trial.pool.function(law).definition.clone()
            else {
                panic!("{file}: a definition");
            };
            let Term::Op(Op::Implies, &[premise, conclusion]) = trial.pool.term(body) else {
                continue;
            };
            count += 1;
            let opposite = trial.pool.op(Op::Not, &[premise]).unwrap();
            for (part, what) in [(opposite, "never-holds"), (conclusion, "always-holds")] {
                let symbol = trial.pool.symbols_mut().intern(what.as_bytes()).unwrap();
                let part = trial.pool.define(symbol, variables.clone(), part).unwrap();
                let found = trial.counterexample(part, 3);
                if found.is_none() {
                    idle.push(format!("{file}: {}: {what}", name(&trial.pool, law)));
                }
            }
        }
    }
    assert_eq!(idle, Vec::<String>::new());
    assert!(count > 100, "{count} implications");
}

#[test]
fn every_law_of_the_files_is_known_under_a_name_of_its_own_with_a_reason() {
    let mut names = BTreeSet::new();
    for (_, text) in files() {
        let mut pool = TermPool::new();
        for function in read(&mut pool, text) {
            assert!(names.insert(name(&pool, function)), "{}", name(&pool, function));
        }
    }
    let known: BTreeSet<String> = laws().iter().map(|law| law.name.clone()).collect();
    assert_eq!(known, names);
    for law in laws() {
        assert!(law.reason.ends_with('.'), "{}: {}", law.name, law.reason);
        assert!(law.statement.starts_with('('), "{}: {}", law.name, law.statement);
        let sorts = law.parameters.iter().map(|&(_, sort)| sort);
        assert!(sorts.count() <= 6 && law.parameters.iter().all(|(name, _)| name.len() == 1));
    }
    assert!(known.len() > 500, "{} laws", known.len());
}

#[test]
fn every_operator_has_laws_and_those_of_strings_have_several() {
    for op in random::operators() {
        let about = laws().iter().filter(|law| law.operators().contains(&op)).count();
        let strings = op.info().theory == luthier_terms::Theory::Strings;
        let least = if strings { 8 } else { 3 };
        assert!(about >= least, "{}: {about} laws", op.name());
    }
    let languages = |law: &&luthier_generator::laws::Law| {
        law.parameters.iter().any(|&(_, sort)| sort == BasicSort::RegLan)
    };
    assert!(laws().iter().filter(languages).count() > 100);
}
