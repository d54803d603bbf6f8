//! Satisfiable formulas of shapes that random terms hardly ever have: symbolic ranges of characters,
//! searching in what was replaced, arithmetic over `str.to_int`, nested `ite`, many assertions and
//! constants, long literals, one operator applied again and again, n-ary chains, quantifiers, and
//! functions with parameters.
//!
//! The values of constants are chosen first. Each recipe builds terms; the referee evaluates them, and
//! the formula says what their value is, directly or by another term with the same value. A fact that
//! is false is negated. So every formula is true under the chosen values.
//!
//! A quantified formula is `(forall ((s String)) (or fact body))` with a fact that is true under the
//! witness: whatever the body says about `s`, the formula is true, and the referee decides it
//! without enumerating strings. Its dual, `(not (exists … (and … )))`, likewise.

use luthier_terms::{Op, Quantifier, Sort, TermId, Variable};

use crate::facts::assertion;
use crate::shape::{Recipe, Shape};
use crate::{Category, Dice, Sketch};

/// The names of string constants, where many are needed.
const MANY_NAMES: [&str; 8] = ["x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"];

/// The lengths of long literals.
const LONG: [usize; 6] = [40, 41, 48, 64, 100, 257];

/// A satisfiable sketch of an unusual shape, in which the operator may also occur.
pub fn sketch(dice: Dice, about: Op) -> Option<Sketch> {
    const RECIPES: [(Recipe, &str); 15] = [
        (symbolic_range, "a range of characters between constants"),
        (search_in_replacement, "an offset in a replaced string"),
        (arithmetic_of_digits, "arithmetic over numbers in strings"),
        (nested_choices, "nested choices"),
        (nested_choices, "nested choices"),
        (many_assertions, "many assertions"),
        (many_constants, "many constants"),
        (long_literals, "long literals"),
        (repeated_operator, "one operator again and again"),
        (repeated_operator, "one operator again and again"),
        (repeated_language, "nested languages"),
        (chains, "chains of many arguments"),
        (chains, "chains of many arguments"),
        (quantified, "a quantifier that the witness makes irrelevant"),
        (function, "a function with parameters"),
    ];
    Shape::sketch(dice, &RECIPES, Category::Unusual, about)
}

/// `(str.in_re x (re.range y z))` with single characters, crossed or not, and other lengths.
fn symbolic_range(shape: &mut Shape) -> Option<Op> {
    let (low, high) = (shape.generator.letter(), shape.generator.letter());
    let (low, high) =
        if shape.generator.dice.percent(85) { (low.min(high), low.max(high)) } else { (low, high) };
    let low_word = if shape.generator.dice.percent(10) { vec![low, low] } else { vec![low] };
    let y = shape.declare_word("y", low_word);
    let z = shape.declare_word("z", vec![high]);
    let middle = shape.generator.dice.between(low.min(high).into(), high.max(low).into());
    let letter = u32::try_from(middle).ok()?;
    let count = shape.generator.dice.pick(&[1, 1, 1, 2, 3]);
    let x = shape.declare_word("x", vec![letter; count]);
    let edges = match shape.generator.dice.below(4) {
        0 => [y, shape.generator.string(vec![high])],
        1 => [shape.generator.string(vec![low]), z],
        _ => [y, z],
    };
    let mut language = shape.generator.op(Op::ReRange, &edges);
    if count > 1 || shape.generator.dice.percent(40) {
        let op = shape.generator.dice.pick(&[Op::ReStar, Op::RePlus, Op::ReComp, Op::ReOpt]);
        language = shape.generator.op(op, &[language]);
    }
    let member = shape.generator.op(Op::StrInRe, &[x, language]);
    shape.assert_truth(member)?;
    if shape.generator.dice.percent(50) {
        let length = shape.generator.op(Op::StrLen, &[y]);
        shape.assert_value(length)?;
    }
    Some(Op::ReRange)
}

/// `(str.indexof (str.replace_all x y z) u i)` and its relatives.
fn search_in_replacement(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y", "z"]);
    let i = shape.declare_number("i", -1, 3);
    let replace =
        shape.generator.dice.pick(&[Op::StrReplaceAll, Op::StrReplaceAll, Op::StrReplace]);
    let mut pick = || {
        if shape.generator.dice.percent(70) {
            shape.generator.dice.pick(&words)
        } else {
            shape.literal()
        }
    };
    let arguments = [pick(), pick(), pick()];
    let pattern = pick();
    let replaced = shape.generator.op(replace, &arguments);
    let search = match shape.generator.dice.below(4) {
        0 => shape.generator.op(Op::StrContains, &[replaced, pattern]),
        1 => shape.generator.op(Op::StrSubstr, &[replaced, i, i]),
        _ => shape.generator.op(Op::StrIndexOf, &[replaced, pattern, i]),
    };
    shape.assert_value(search)?;
    Some(replace)
}

/// `(= (+ (* 2 (str.to_int x)) (mod (str.to_int y) 10)) k)`.
fn arithmetic_of_digits(shape: &mut Shape) -> Option<Op> {
    let digits = |shape: &mut Shape| -> Vec<u32> {
        let length = shape.generator.dice.pick(&[0, 1, 1, 2, 2, 3, 6]);
        let letters = [0x30, 0x30, 0x31, 0x32, 0x39, 0x35, 0x61, 0x2D];
        (0..length).map(|_| shape.generator.dice.pick(&letters)).collect()
    };
    let (first, second) = (digits(shape), digits(shape));
    let x = shape.declare_word("x", first);
    let y = shape.declare_word("y", second);
    let i = shape.declare_number("i", -3, 12);
    let mut terms: Vec<TermId> = Vec::new();
    for text in [x, y] {
        let number = shape.generator.op(Op::StrToInt, &[text]);
        let factor = shape.generator.dice.pick(&[2, 3, 10, -1]);
        let factor = shape.number(factor);
        let divisor = shape.generator.dice.pick(&[2, 3, 10]);
        let divisor = shape.number(divisor);
        let part = match shape.generator.dice.below(6) {
            0 => shape.generator.op(Op::Mul, &[factor, number]),
            1 => shape.generator.op(Op::Mod, &[number, divisor]),
            2 => shape.generator.op(Op::Div, &[number, divisor]),
            3 => shape.generator.op(Op::Neg, &[number]),
            _ => number,
        };
        terms.push(part);
    }
    terms.push(i);
    let length = shape.generator.op(Op::StrLen, &[x]);
    terms.push(length);
    let count = shape.generator.dice.pick(&[2, 2, 3, 4]);
    let op = shape.generator.dice.pick(&[Op::Add, Op::Add, Op::Sub]);
    let sum = shape.generator.op(op, &terms[..count]);
    match shape.generator.dice.below(4) {
        0 => {
            let back = shape.generator.op(Op::StrFromInt, &[sum]);
            shape.assert_value(back)?;
        }
        1 => {
            let fact = shape.generator.op(Op::Lt, &[sum, terms[3]]);
            shape.assert_truth(fact)?;
        }
        _ => shape.assert_value(sum)?,
    }
    Some(Op::StrToInt)
}

/// `(ite c1 (ite c2 x y) (ite c3 …))` of strings or integers, with facts about strings as conditions.
fn nested_choices(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y", "z"]);
    let i = shape.declare_number("i", -1, 3);
    let of_strings = shape.generator.dice.percent(70);
    let depth = shape.generator.dice.pick(&[2, 2, 3]);
    // A row of leaves that is halved at every level.
    let mut row: Vec<TermId> = Vec::new();
    for _ in 0..1_usize << depth {
        let leaf = match (of_strings, shape.generator.dice.below(4)) {
            (true, 0) => shape.literal(),
            (true, _) => shape.one_of(&words),
            (false, 0) => i,
            (false, 1) => shape.number(1),
            (false, _) => {
                let text = shape.one_of(&words);
                shape.generator.op(Op::StrLen, &[text])
            }
        };
        row.push(leaf);
    }
    while row.len() > 1 {
        let mut above = Vec::new();
        for pair in row.chunks(2) {
            let &[then, other] = pair else { return None };
            let sides = [shape.one_of(&words), shape.one_of(&words)];
            let op = shape.generator.dice.pick(&[
                Op::Eq,
                Op::StrPrefixOf,
                Op::StrContains,
                Op::StrLt,
                Op::StrSuffixOf,
            ]);
            let condition = shape.generator.op(op, &sides);
            above.push(shape.generator.op(Op::Ite, &[condition, then, other]));
        }
        row = above;
    }
    let choice = row[0];
    let term = match (of_strings, shape.generator.dice.below(3)) {
        (true, 0) => {
            let other = shape.one_of(&words);
            shape.generator.op(Op::StrConcat, &[choice, other])
        }
        (true, 1) => shape.generator.op(Op::StrLen, &[choice]),
        (false, 0) => shape.generator.op(Op::StrAt, &[words[0], choice]),
        _ => choice,
    };
    shape.assert_value(term)?;
    Some(Op::Ite)
}

/// Five to nine small facts over the same constants.
fn many_assertions(shape: &mut Shape) -> Option<Op> {
    shape.generator.declare_constants();
    let count = shape.generator.dice.pick(&[5, 5, 6, 7, 9]);
    let first = shape.generator.some_operator();
    for number in 0..count {
        let about = if number == 0 { first } else { shape.generator.some_operator() };
        let fact = shape.generator.formula(true, 0, about);
        shape.assertions.push(assertion(fact, false));
    }
    Some(first)
}

/// Four to eight string constants, related by word equations.
fn many_constants(shape: &mut Shape) -> Option<Op> {
    let count = shape.generator.dice.pick(&[4, 4, 5, 6, 8]);
    let words = shape.declare_words(&MANY_NAMES[..count]);
    let half = count / 2;
    let left = shape.generator.op(Op::StrConcat, &words[..half]);
    shape.assert_value(left)?;
    let right = shape.generator.op(Op::StrConcat, &words[half..]);
    match shape.generator.dice.below(4) {
        0 => {
            let equation = shape.generator.op(Op::Eq, &[left, right]);
            shape.assert_truth(equation)?;
        }
        1 => {
            let distinct = shape.generator.op(Op::Distinct, &words);
            shape.assert_truth(distinct)?;
        }
        2 => {
            let sum: Vec<TermId> =
                words.iter().map(|&word| shape.generator.op(Op::StrLen, &[word])).collect();
            let sum = shape.generator.op(Op::Add, &sum);
            shape.assert_value(sum)?;
        }
        _ => {
            let contains = shape.generator.op(Op::StrContains, &[left, right]);
            shape.assert_truth(contains)?;
        }
    }
    Some(Op::StrConcat)
}

/// Literals of 40 and more characters.
fn long_literals(shape: &mut Shape) -> Option<Op> {
    let length = shape.generator.dice.pick(&LONG);
    let period: Vec<u32> = shape.generator.word();
    let period = if period.is_empty() { vec![0x61] } else { period };
    let mut long: Vec<u32> = period.iter().copied().cycle().take(length).collect();
    if shape.generator.dice.percent(60) {
        let place = shape.generator.dice.below(long.len());
        long[place] = shape.generator.letter();
    }
    let start = shape.generator.dice.below(long.len());
    let end = start + shape.generator.dice.below(long.len() - start + 1);
    let x = shape.declare_word("x", long[start..end].to_vec());
    let y = shape.declare_words(&["y"])[0];
    let literal = shape.generator.string(long);
    let place = shape.number(start as i64);
    let operators = [
        Op::StrIndexOf,
        Op::StrSubstr,
        Op::StrReplace,
        Op::StrReplaceAll,
        Op::StrContains,
        Op::StrPrefixOf,
        Op::StrConcat,
        Op::Eq,
    ];
    let op = shape.generator.dice.pick(&operators);
    let length = shape.generator.op(Op::StrLen, &[x]);
    let term = match op {
        Op::StrIndexOf => shape.generator.op(op, &[literal, x, place]),
        Op::StrSubstr => shape.generator.op(op, &[literal, place, length]),
        Op::StrReplace | Op::StrReplaceAll => shape.generator.op(op, &[literal, x, y]),
        Op::StrPrefixOf => shape.generator.op(op, &[x, literal]),
        Op::StrConcat => {
            let whole = shape.generator.op(op, &[x, y, x]);
            shape.generator.op(Op::StrContains, &[literal, whole])
        }
        _ => shape.generator.op(op, &[literal, x]),
    };
    shape.assert_value(term)?;
    if shape.generator.dice.percent(60) {
        shape.assert_value(length)?;
    }
    Some(if op == Op::Eq { Op::StrLen } else { op })
}

/// `f(f(f(x)))`, four to twelve times the same operator.
fn repeated_operator(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y"]);
    let i = shape.declare_number("i", -1, 3);
    let operators = [
        Op::StrReplace,
        Op::StrReplaceAll,
        Op::StrConcat,
        Op::StrSubstr,
        Op::StrAt,
        Op::StrFromInt,
        Op::StrFromCode,
        Op::Ite,
        Op::Add,
        Op::Sub,
        Op::Not,
    ];
    let op = shape.generator.dice.pick(&operators);
    let times = shape.generator.dice.pick(&[4, 5, 6, 8, 12]);
    let mut term = match op {
        Op::Add | Op::Sub => i,
        Op::Not => shape.generator.op(Op::StrPrefixOf, &words),
        _ => words[0],
    };
    for _ in 0..times {
        let other =
            if shape.generator.dice.percent(60) { shape.one_of(&words) } else { shape.literal() };
        let number = shape.generator.dice.pick(&[0, 1, 2]);
        let number = if shape.generator.dice.percent(30) { i } else { shape.number(number) };
        term = match op {
            Op::StrReplace | Op::StrReplaceAll => {
                let by = shape.one_of(&words);
                shape.generator.op(op, &[term, other, by])
            }
            Op::StrConcat if shape.generator.dice.percent(50) => {
                shape.generator.op(op, &[other, term])
            }
            Op::StrConcat => shape.generator.op(op, &[term, other]),
            Op::StrSubstr => {
                // Not the length of the term itself, which would double it each time.
                let length = shape.generator.op(Op::StrLen, &[other]);
                shape.generator.op(op, &[term, number, length])
            }
            Op::StrAt => shape.generator.op(op, &[term, number]),
            Op::StrFromInt => {
                let inner = shape.generator.op(Op::StrToInt, &[term]);
                shape.generator.op(op, &[inner])
            }
            Op::StrFromCode => {
                let inner = shape.generator.op(Op::StrToCode, &[term]);
                shape.generator.op(op, &[inner])
            }
            Op::Ite => {
                let word = shape.one_of(&words);
                let condition = shape.generator.op(Op::StrContains, &[word, other]);
                shape.generator.op(op, &[condition, other, term])
            }
            Op::Add | Op::Sub => {
                let length = shape.generator.op(Op::StrLen, &[other]);
                shape.generator.op(op, &[term, length])
            }
            _ => shape.generator.op(op, &[term]),
        };
    }
    shape.assert_value(term)?;
    Some(op)
}

/// Operators of languages nested four to ten levels deep around a word.
fn repeated_language(shape: &mut Shape) -> Option<Op> {
    let x = shape.declare_words(&["x"])[0];
    let word = shape.generator.text_of(x)?;
    let mut language = shape.generator.matching(&word, 1);
    let unary = [Op::ReStar, Op::RePlus, Op::ReOpt, Op::ReComp];
    let operators = [unary[0], unary[1], unary[2], unary[3], Op::ReUnion, Op::ReInter, Op::ReDiff];
    let op = shape.generator.dice.pick(&operators);
    for _ in 0..shape.generator.dice.pick(&[4, 6, 10]) {
        language = if unary.contains(&op) {
            let inner = if shape.generator.dice.percent(70) {
                op
            } else {
                shape.generator.dice.pick(&unary)
            };
            shape.generator.op(inner, &[language])
        } else {
            let letter = shape.generator.letter();
            let text = shape.generator.string(vec![letter]);
            let other = shape.generator.op(Op::StrToRe, &[text]);
            let other = shape.generator.op(Op::ReStar, &[other]);
            shape.generator.op(op, &[language, other])
        };
    }
    let member = shape.generator.op(Op::StrInRe, &[x, language]);
    shape.assert_truth(member)?;
    Some(op)
}

/// Chains of three to six arguments: `(= x y z)`, `(str.++ x "a" y z)`, `(< i j k)`, `(distinct …)`.
fn chains(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y", "z"]);
    let count = shape.generator.dice.pick(&[3, 3, 4, 6]);
    let operators = [
        Op::Eq,
        Op::Distinct,
        Op::StrConcat,
        Op::StrLt,
        Op::StrLe,
        Op::Add,
        Op::Sub,
        Op::Le,
        Op::Lt,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Implies,
        Op::ReUnion,
        Op::ReInter,
        Op::ReConcat,
        Op::ReDiff,
    ];
    let op = shape.generator.dice.pick(&operators);
    let mut arguments = Vec::new();
    for _ in 0..count {
        let text =
            if shape.generator.dice.percent(75) { shape.one_of(&words) } else { shape.literal() };
        arguments.push(match op {
            Op::Add | Op::Sub | Op::Le | Op::Lt => {
                let inner = shape.generator.dice.pick(&[
                    Op::StrLen,
                    Op::StrLen,
                    Op::StrToCode,
                    Op::StrToInt,
                ]);
                shape.generator.op(inner, &[text])
            }
            Op::And | Op::Or | Op::Xor | Op::Implies => {
                let other = shape.one_of(&words);
                let inner = shape.generator.dice.pick(&[Op::Eq, Op::StrPrefixOf, Op::StrContains]);
                shape.generator.op(inner, &[text, other])
            }
            Op::ReUnion | Op::ReInter | Op::ReConcat | Op::ReDiff => {
                let language = shape.generator.op(Op::StrToRe, &[text]);
                match shape.generator.dice.below(3) {
                    0 => shape.generator.op(Op::ReStar, &[language]),
                    1 => shape.generator.op(Op::ReComp, &[language]),
                    _ => language,
                }
            }
            _ => text,
        });
    }
    let chain = shape.generator.op(op, &arguments);
    if shape.generator.pool.sort(chain) == Sort::RegLan {
        let member = shape.generator.op(Op::StrInRe, &[words[0], chain]);
        shape.assert_truth(member)?;
    } else {
        shape.assert_value(chain)?;
    }
    Some(op)
}

/// `(forall ((s String)) (or fact body))`, or `(not (exists ((s String)) (and fact body)))`.
fn quantified(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y"]);
    let universal = shape.generator.dice.percent(60);
    let about = shape.generator.some_operator();
    let fact = shape.generator.formula(universal, 0, about);
    let sort = shape.generator.dice.pick(&[Sort::String, Sort::String, Sort::Int]);
    let name = if sort == Sort::Int { "n" } else { "s" };
    let name = shape.generator.pool.symbols_mut().intern(name.as_bytes()).ok()?;
    let variable = shape.generator.pool.variable(Variable { name, sort, depth: 0 }).ok()?;
    let word = shape.one_of(&words);
    let body = if sort == Sort::Int {
        let length = shape.generator.op(Op::StrLen, &[word]);
        let at = shape.generator.op(Op::StrAt, &[word, variable]);
        match shape.generator.dice.below(3) {
            0 => shape.generator.op(Op::Le, &[length, variable]),
            1 => shape.generator.op(Op::Eq, &[at, words[1]]),
            _ => shape.generator.op(Op::StrIsDigit, &[at]),
        }
    } else {
        let other = shape.one_of(&words);
        let both = shape.generator.op(Op::StrConcat, &[variable, other]);
        match shape.generator.dice.below(4) {
            0 => shape.generator.op(Op::StrContains, &[word, variable]),
            1 => shape.generator.op(Op::Eq, &[word, both]),
            2 => shape.generator.op(Op::StrLt, &[variable, word]),
            _ => shape.generator.op(Op::StrPrefixOf, &[both, word]),
        }
    };
    let (join, quantifier) =
        if universal { (Op::Or, Quantifier::Forall) } else { (Op::And, Quantifier::Exists) };
    let parts = if shape.generator.dice.percent(50) { [fact, body] } else { [body, fact] };
    let matrix = shape.generator.op(join, &parts);
    let formula = shape.generator.pool.quantify(quantifier, &[variable], matrix, &[]).ok()?;
    shape.assert_truth(formula)?;
    Some(about)
}

/// A function with parameters, defined by a term and applied to two different arguments.
fn function(shape: &mut Shape) -> Option<Op> {
    let words = shape.declare_words(&["x", "y"]);
    let i = shape.declare_number("i", -1, 3);
    let parameter = |shape: &mut Shape, name: &str, sort: Sort| {
        let name = shape.generator.pool.symbols_mut().intern(name.as_bytes()).ok()?;
        shape.generator.pool.variable(Variable { name, sort, depth: 0 }).ok()
    };
    let (s, n) = (parameter(shape, "s", Sort::String)?, parameter(shape, "n", Sort::Int)?);
    let literal = shape.literal();
    let operators = [Op::StrAt, Op::StrSubstr, Op::StrIndexOf, Op::StrReplace, Op::Ite];
    let op = shape.generator.dice.pick(&operators);
    let length = shape.generator.op(Op::StrLen, &[s]);
    let body = match op {
        Op::StrAt => shape.generator.op(op, &[s, n]),
        Op::StrSubstr => shape.generator.op(op, &[s, n, length]),
        Op::StrIndexOf => shape.generator.op(op, &[s, literal, n]),
        Op::StrReplace => {
            let at = shape.generator.op(Op::StrAt, &[s, n]);
            shape.generator.op(op, &[s, at, literal])
        }
        _ => {
            let condition = shape.generator.op(Op::Lt, &[n, length]);
            let rest = shape.generator.op(Op::StrConcat, &[s, literal]);
            shape.generator.op(op, &[condition, s, rest])
        }
    };
    let name = shape.generator.pool.symbols_mut().intern(b"f").ok()?;
    let function = shape.generator.pool.define(name, vec![s, n], body).ok()?;
    let once = shape.generator.pool.apply(function, &[words[0], i]).ok()?;
    shape.assert_value(once)?;
    let again = match shape.generator.pool.sort(once) {
        Sort::String => shape.generator.pool.apply(function, &[once, i]).ok()?,
        _ => shape.generator.pool.apply(function, &[words[1], once]).ok()?,
    };
    shape.assert_value(again)?;
    Some(op)
}
