//! Shapes of terms that rules apply to. `X Y Z` stand for random strings, `I N` for random
//! integers, `P Q` for random formulas, `W` for a literal, `C` for a letter, `K` for a numeral.

use luthier_generator::Dice;
use luthier_generator::random::Generator;
use luthier_smtlib::{CommandKind, ReadOptions, read_script};
use luthier_terms::{BasicSort, Sort, Term, TermId, TermPool};

pub const TEMPLATES: &[&str] = &[
    "(=> P Q P)",
    "(xor P Q P)",
    "(distinct X Y Z)",
    "(< I N 3)",
    "(not (and P (or Q (not P))))",
    "(not (ite P Q (= X Y)))",
    "(and P (and Q P) (not Q))",
    "(and (= I 3) (>= I K) (not (= N 2)) (>= N 1) (< N 5))",
    "(or (= X W) (not (= X W)) (>= I 2) (>= I 5))",
    "(ite P (ite P X Y) (ite P Y Z))",
    "(ite (not P) X (ite Q X Z))",
    "(ite P (= X Y) (not (= X Y)))",
    "(ite P Q P)",
    "(ite (= X W) X Y)",
    "(= (not P) Q)",
    "(= P (not P))",
    "(= (ite P 1 0) 0)",
    "(not (= (ite P 1 0) 0))",
    "(= (ite P W X) W)",
    "(= (ite P X Y) X)",
    "(= (ite P X Y) (ite P Y Z))",
    "(>= (ite P 3 I) K)",
    "(- (+ I N) (* 2 I) (- N) 4)",
    "(* 2 I (* 3 N) I)",
    "(abs (- I N))",
    "((_ divisible 3) (+ I N))",
    "(div I 2 1)",
    "(mod I 1)",
    "(div I (- 1))",
    "(<= (* 2 I) (+ (* 4 N) 3))",
    "(= (* 2 I) (+ (* 4 N) 3))",
    "(= (+ I 1) (+ N 1))",
    "(>= (str.len X) (- 1))",
    "(> (str.len X) 0)",
    "(< (str.indexof X Y 0) (- 1))",
    "(>= (str.indexof X Y 0) 0)",
    "(= (str.indexof X Y 0) (- 2))",
    "(= (+ (str.len X) (str.len Y)) 0)",
    "(= (str.len X) (- 1))",
    "(= (str.++ X \"a\" Y) (str.++ X \"ab\" Y))",
    "(= (str.++ X W Y) (str.++ X Z Y))",
    "(= (str.++ X Y) \"\")",
    "(= X (str.++ X X W))",
    "(= X (str.++ Y X Z))",
    "(= (str.++ (str.substr X 0 1) Y) (str.++ W Z))",
    "(= (str.++ \"a\" X) (str.++ C Y Z))",
    "(= (str.++ (str.from_code 97) X) (str.++ (str.from_code 98) Y))",
    "(= (str.++ X W Y C) \"abab\")",
    "(= (str.++ (str.replace X \"a\" \"b\") Y) (str.++ X Z))",
    "(= (str.++ Y (str.replace X \"a\" \"b\")) (str.++ Z X))",
    "(str.len (str.substr (str.++ X \"abc\") 0 2))",
    "(str.len (str.substr (str.++ X \"abc\") 1 2))",
    "(str.prefixof (str.++ X \"c\" Y) \"aabb\")",
    "(str.suffixof (str.++ X \"c\" Y) \"aabb\")",
    "(= X (str.substr X 0 N))",
    "(= X (str.substr X 1 N))",
    "(= X (str.replace X Y Z))",
    "(= (str.replace X Y Z) \"\")",
    "(= (str.substr X I N) \"\")",
    "(= (str.to_code X) 97)",
    "(= (str.to_code X) (- 1))",
    "(= (str.to_code X) 300000)",
    "(= (str.from_int I) \"7\")",
    "(= (str.from_int I) \"07\")",
    "(= (str.from_int I) \"\")",
    "(= (str.from_int I) (str.++ \"0\" X))",
    "(= (str.++ \"00\" X Y) (str.from_int N))",
    "(= (str.from_code I) \"a\")",
    "(= (str.from_code I) \"ab\")",
    "(str.++ X (str.++ W C) \"\" (str.++ Y Z))",
    "(str.++ (str.substr X 0 2) (str.substr X 2 3))",
    "(str.++ (str.substr X 1 (str.len Y)) (str.substr X (+ 1 (str.len Y)) 2))",
    "(str.len (str.++ X W Y))",
    "(str.len (ite P X W))",
    "(str.len (str.substr (str.++ \"abc\" X) 1 2))",
    "(str.len (str.substr X 0 (+ 1 (str.len X))))",
    "(str.len (str.replace X \"a\" \"b\"))",
    "(str.len (str.replace_all X \"a\" \"b\"))",
    "(str.len (str.replace_all X Y Z))",
    "(str.len (str.from_code I))",
    "(str.at X I)",
    "(str.at (str.at X 0) 1)",
    "(str.substr X (str.len X) N)",
    "(str.substr X I (- 1))",
    "(str.substr X (- (str.len X)) 2)",
    "(str.substr X 0 (+ (str.len X) (str.len Y)))",
    "(str.substr (str.++ X Y) (str.len X) N)",
    "(str.substr (str.++ X Y) (+ 1 (str.len X)) N)",
    "(str.substr (str.++ W X) 1 N)",
    "(str.substr (str.++ X W) 0 (str.len X))",
    "(str.substr (str.++ X \"abc\") I (- (+ (str.len X) 1) I))",
    "(str.substr (str.++ X Y) 0 (+ (str.len X) N))",
    "(str.substr (str.++ X Y) 0 (+ (str.len X) 1))",
    "(str.substr (str.substr X 1 3) 1 1)",
    "(str.substr (str.substr X 1 N) 1 N)",
    "(str.substr (str.substr X 0 3) 1 7)",
    "(str.substr X 1 (str.len X))",
    "(str.substr C I N)",
    "(str.substr (ite P W X) I N)",
    "(str.contains (str.++ X Y Z) Y)",
    "(str.contains (str.++ X W Y) (str.++ C Y))",
    "(str.contains X (str.substr X I N))",
    "(str.contains X (str.++ X Y C))",
    "(str.contains W (str.++ X C Y))",
    "(str.contains (str.substr X 0 N) X)",
    "(str.contains C X)",
    "(str.contains \"ab\" X)",
    "(str.contains \"\" X)",
    "(str.contains (str.++ X Y) C)",
    "(str.contains (str.++ X W Y) \"ab\")",
    "(str.contains (str.++ X \"c\" Y) \"ab\")",
    "(str.contains (str.++ W X) \"ab\")",
    "(str.contains (str.++ \"cb\" X Y \"cac\") \"ab\")",
    "(str.contains (str.replace X Y Z) Z)",
    "(str.contains (str.replace X Y X) X)",
    "(str.contains X (str.replace Y X Y))",
    "(str.contains (str.replace X Y (str.++ Y Z)) Y)",
    "(str.contains (str.replace X Y Z) C)",
    "(str.contains (ite P W X) Y)",
    "(str.contains X (ite P W Y))",
    "(str.contains (str.from_int I) (str.++ X \"a\"))",
    "(str.contains (str.substr W 0 N) C)",
    "(str.indexof X Y (- 1))",
    "(str.indexof X (str.++ X \"a\") I)",
    "(str.indexof X Y (+ 1 (str.len X)))",
    "(str.indexof X \"\" I)",
    "(str.indexof X X I)",
    "(str.indexof (str.++ X Y) X 0)",
    "(str.indexof (str.++ W X) C 0)",
    "(str.indexof (str.++ X Y Z) Y 0)",
    "(str.indexof X (str.++ X Y) 0)",
    "(str.indexof (str.substr X 0 1) X 0)",
    "(str.indexof C X I)",
    "(str.indexof X Y (ite P 0 I))",
    "(str.indexof (ite P W X) Y I)",
    "(str.replace X \"\" Y)",
    "(str.replace X X Y)",
    "(str.replace X Y Y)",
    "(str.replace X (str.++ X Y) Z)",
    "(str.replace X (str.++ Y X \"a\") Z)",
    "(str.replace \"\" X Y)",
    "(str.replace C X Y)",
    "(str.replace (str.++ X Y) X Z)",
    "(str.replace (str.++ X Y Z) Y X)",
    "(str.replace (str.++ \"ba\" X Y \"ba\") \"ab\" Z)",
    "(str.replace (str.++ W X Y C) W Z)",
    "(str.replace (ite P W X) Y Z)",
    "(str.replace X (ite P C Y) Z)",
    "(str.replace W C X)",
    "(str.replace_all W C X)",
    "(str.in_re X (re.* (str.to_re Y)))",
    "(str.replace_all X \"\" Y)",
    "(str.replace_all X X Y)",
    "(str.replace_all X Y Y)",
    "(str.replace_all (str.++ X Y) C Z)",
    "(str.replace_all X (str.++ X \"a\") Z)",
    "(str.replace_re X (str.to_re W) Y)",
    "(str.replace_re X re.none Y)",
    "(str.replace_re_all X (str.to_re W) Y)",
    "(str.prefixof \"\" X)",
    "(str.prefixof X \"\")",
    "(str.suffixof X X)",
    "(str.prefixof (str.++ X Y) (str.++ X Z))",
    "(str.prefixof (str.++ W X) (str.++ C Y))",
    "(str.suffixof (str.++ X W) (str.++ Y C))",
    "(str.suffixof (str.++ Y X) (str.++ Z X))",
    "(str.prefixof (str.++ X \"a\") X)",
    "(str.prefixof X (str.substr X 0 N))",
    "(str.suffixof X (str.substr X I N))",
    "(str.prefixof (str.++ X C Y) W)",
    "(str.prefixof X \"ab\")",
    "(str.prefixof C (str.substr X 0 N))",
    "(str.prefixof W (str.substr X 0 4))",
    "(str.prefixof C (str.++ X Y))",
    "(str.suffixof C (str.++ X Y))",
    "(str.prefixof C (str.from_int I))",
    "(str.suffixof C (str.from_int I))",
    "(str.suffixof X \"ab\")",
    "(str.prefixof (str.substr X 0 N) X)",
    "(str.suffixof (str.substr X 1 (str.len X)) X)",
    "(str.prefixof X (str.substr Y I 1))",
    "(str.suffixof X (str.substr Y I 1))",
    "(str.prefixof (ite P W X) Y)",
    "(str.suffixof X (ite P W Y))",
    "(str.<= X Y)",
    "(str.< X X)",
    "(str.< X \"\")",
    "(str.< \"\" X)",
    "(str.< (str.++ X Y) (str.++ X Z))",
    "(str.< (str.++ W X) (str.++ C Y))",
    "(str.<= X Y Z)",
    "(str.is_digit X)",
    "(str.is_digit (str.at X I))",
    "(str.to_code (str.++ X \"ab\"))",
    "(str.to_code (str.from_code I))",
    "(str.from_code (str.to_code X))",
    "(str.from_code (- (- 3) (str.len X)))",
    "(str.from_code (+ 196608 (str.len X)))",
    "(str.to_int (str.from_int I))",
    "(str.to_int (str.++ X \"a\" Y))",
    "(str.from_int (- (- 1) (str.len X)))",
    "(str.to_int (ite P \"7\" X))",
    "(str.from_int (ite P 7 I))",
    "(str.in_re X (re.+ (str.to_re W)))",
    "(str.in_re X (re.opt (re.++ (str.to_re W) (str.to_re C))))",
    "(str.in_re X (re.diff re.all (str.to_re W) (str.to_re C)))",
    "(str.in_re X ((_ re.^ 2) (str.to_re C)))",
    "(str.in_re X ((_ re.loop 2 1) (str.to_re C)))",
    "(str.in_re X ((_ re.loop 0 0) (str.to_re C)))",
    "(str.in_re X ((_ re.loop 1 1) (re.range \"a\" \"b\")))",
    "(str.in_re X ((_ re.loop 1 3) re.none))",
    "(str.in_re X (re.* (re.* (re.range \"a\" \"b\"))))",
    "(str.in_re X (re.* (re.opt (re.range \"a\" \"b\"))))",
    "(str.in_re X (re.* re.allchar))",
    "(str.in_re X (re.* re.none))",
    "(str.in_re X (re.++ (re.++ re.all re.all) (str.to_re W)))",
    "(str.in_re X (re.++ (str.to_re W) (str.to_re C) (re.* (str.to_re C)) re.none))",
    "(str.in_re X (re.++ (re.* (str.to_re C)) (re.* (str.to_re C)) (str.to_re \"\")))",
    "(str.in_re X (re.union (str.to_re W) (re.union re.none (str.to_re W)) (str.to_re C)))",
    "(str.in_re X (re.inter (re.range \"a\" \"b\") re.all (re.range \"a\" \"b\")))",
    "(str.in_re X (re.inter (re.range \"a\" \"b\") (re.comp (re.range \"a\" \"b\"))))",
    "(str.in_re X (re.comp (re.comp (re.range \"a\" \"b\"))))",
    "(str.in_re X (re.comp re.none))",
    "(str.in_re X (re.comp (re.range C \"b\")))",
    "(str.in_re X (re.range \"a\" \"ab\"))",
    "(str.in_re X (re.range C C))",
    "(str.in_re X (re.range \"\\u{0}\" \"\\u{2ffff}\"))",
    "(str.in_re X re.allchar)",
    "(str.in_re X re.all)",
    "(str.in_re X (str.to_re Y))",
    "(str.in_re X (re.++ (str.to_re Y) re.all))",
    "(str.in_re X (re.++ re.all (str.to_re Y)))",
    "(str.in_re X (re.++ re.all (str.to_re Y) re.all))",
    "(str.in_re W (re.range \"a\" \"b\"))",
    "(str.in_re W (re.union (re.range \"a\" \"b\") (re.* (str.to_re C))))",
    "(str.in_re W (re.inter (re.range \"a\" \"b\") (re.* (str.to_re C))))",
    "(str.in_re (ite P W X) (re.* (str.to_re C)))",
    "(= (str.++ X \"ab\" Y Z) (str.++ Y \"ba\" X W))",
    "(= (str.++ X \"ab\" Y) (str.++ C X Z))",
    "(str.contains (str.++ X X X) (str.++ X X))",
    "(= (str.++ X X X) (str.++ X X))",
    "(= (str.len X) (str.len X))",
    "(str.in_re W (re.++ (re.opt (str.to_re C)) ((_ re.loop 1 2) (re.range \"a\" \"b\"))))",
    "(str.replace_re W (re.union (str.to_re C) (re.* (re.range \"a\" \"b\"))) C)",
    "(str.replace_re_all W (re.++ (re.* (str.to_re C)) (re.range \"a\" \"b\")) C)",
    "(str.in_re X (re.diff (str.to_re W) (str.to_re C)))",
    "(str.in_re X (re.inter (re.range \"a\" \"b\") (str.to_re W)))",
    "(str.in_re X (re.++ re.all (re.* (str.to_re Y)) (re.opt (str.to_re W))))",
    "(str.in_re \"\" (re.++ (str.to_re X) (re.comp (str.to_re Y))))",
    "(str.in_re \"\" ((_ re.loop 1 2) (re.union (str.to_re X) (str.to_re W))))",
    "(str.in_re (str.at X I) (re.++ (re.opt (str.to_re Y)) (str.to_re \"ab\")))",
    "(str.in_re X (re.union (str.to_re W) (re.+ (str.to_re X))))",
    "(str.replace_re X (re.inter (re.range \"a\" \"b\") (str.to_re W)) Y)",
    "(str.replace_re_all X (re.diff (str.to_re W) (str.to_re C)) Y)",
    "(str.replace_re X (re.++ (re.opt (str.to_re Y)) (re.* (str.to_re W))) Z)",
    "(str.replace_re \"\" (re.comp (str.to_re X)) Y)",
    "(str.replace_re_all \"\" (re.comp (str.to_re X)) Y)",
    "(str.replace_re (str.at X I) (re.++ (str.to_re Y) (str.to_re \"ab\")) Z)",
    "(str.replace_re_all X ((_ re.loop 0 0) (str.to_re Y)) Z)",
    "(str.replace_re W (re.++ (str.to_re C) (re.* (re.range \"a\" \"b\"))) X)",
    "(str.replace_re_all W (re.union (str.to_re C) (re.++ (str.to_re \"a\") re.allchar)) X)",
    "(str.in_re W (re.union (re.range \"a\" \"b\") (str.to_re X)))",
    "(str.in_re W (re.inter (re.* (str.to_re C)) (re.* (str.to_re X))))",
];

const DECLARATIONS: &str = "(declare-const x String)(declare-const y String)(declare-const z String)\
    (declare-const i Int)(declare-const n Int)(declare-const p Bool)";

/// The template with constants for its placeholders.
pub fn fill(template: &str, dice: &mut Dice) -> String {
    let strings = ["x", "x", "y", "y", "z", "\"\"", "\"a\"", "(str.++ x y)", "(str.substr x i n)"];
    let integers = ["i", "n", "(str.len x)", "(- i 1)", "0", "1", "(str.indexof x y i)"];
    let formulas = ["p", "(= x y)", "(str.contains x y)", "(>= i 1)", "(str.prefixof x y)"];
    let words = ["\"a\"", "\"ab\"", "\"ba\"", "\"aab\"", "\"abab\""];
    // One choice for each placeholder, so that equal placeholders are equal terms.
    let mut chosen = std::collections::BTreeMap::new();
    let mut text = String::new();
    let mut inside = false;
    for character in template.chars() {
        if character == '"' {
            inside = !inside;
        }
        let choices: &[&str] = match character {
            'X' | 'Y' | 'Z' if !inside => &strings,
            'I' | 'N' if !inside => &integers,
            'P' | 'Q' if !inside => &formulas,
            'W' if !inside => &words,
            'C' if !inside => &["\"a\"", "\"b\""],
            'K' if !inside => &["0", "1", "3", "4"],
            _ => {
                text.push(character);
                continue;
            }
        };
        text.push_str(chosen.entry(character).or_insert_with(|| dice.pick(choices)));
    }
    text
}

/// Reads a term of any sort over the constants.
pub fn read(pool: &mut TermPool, text: &str) -> TermId {
    for sort in ["Bool", "Int", "String"] {
        let script =
            format!("{DECLARATIONS}(define-fun root () {sort} {text})(assert (= root root))");
        let reading = read_script(pool, script.as_bytes(), &ReadOptions::default());
        if !reading.is_accepted() {
            continue;
        }
        for command in &reading.script.commands {
            if let CommandKind::Assert(assertion) = &command.kind {
                let root = pool.children(assertion.term)[0];
                let Term::Apply(function, _) = pool.term(root) else { unreachable!("a constant") };
                return pool.function(function).definition.as_ref().unwrap().body().unwrap();
            }
        }
    }
    panic!("cannot read {text}");
}

/// The term with random terms instead of some constants.
pub fn with_random_parts(generator: &mut Generator, term: TermId) -> TermId {
    let constants = generator.constants().to_vec();
    let mut result = term;
    for constant in constants {
        if !generator.dice.percent(60) {
            continue;
        }
        let sort = match generator.pool.sort(constant) {
            Sort::Bool => BasicSort::Bool,
            Sort::Int => BasicSort::Int,
            _ => BasicSort::String,
        };
        let part = generator.term(sort, 1);
        result = replace(&mut generator.pool, result, constant, part);
    }
    result
}

fn replace(pool: &mut TermPool, root: TermId, old: TermId, new: TermId) -> TermId {
    let order: Vec<TermId> = luthier_terms::PostOrder::new(pool, [root]).collect();
    let mut done = std::collections::BTreeMap::from([(old, new)]);
    for term in order {
        if done.contains_key(&term) {
            continue;
        }
        let children: Vec<TermId> = pool.children(term).iter().map(|child| done[child]).collect();
        let result = match pool.term(term) {
            Term::Op(op, _) => pool.op(op, &children).unwrap(),
            _ => term,
        };
        done.insert(term, result);
    }
    done[&root]
}
