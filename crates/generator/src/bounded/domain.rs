//! Finite domains: an assertion over new constants, with the list of all assignments that satisfy
//! it.
//!
//! Each kind is a small theorem, for example `(str.prefixof x "abc")` has exactly the four prefixes
//! as solutions. The tests check each kind against a larger set of values.

use std::collections::BTreeSet;

use luthier_semantics::{Model, Value};
use luthier_terms::{BasicSort, Op, SmtString, Term, TermId, TermPool};

use crate::random::Generator;

/// Constants, and all solutions of their assertion.
pub struct Domain {
    /// The constants.
    pub constants: Vec<TermId>,
    /// The assertion; `None` for a sort that is finite by itself.
    pub assertion: Option<TermId>,
    /// All values of the constants that satisfy it.
    pub tuples: Vec<Vec<Value>>,
}

/// The kind of assertion that bounds the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DomainKind {
    /// `(or (= x "") (= x "ab"))`
    Listed,
    /// `(str.in_re x (re.union (str.to_re "") (str.to_re "ab")))`
    Union,
    /// `(str.in_re x ((_ re.loop 0 2) (re.range "a" "b")))`
    Loop,
    /// `(and (= (str.len x) 2) (str.in_re x (re.* (re.range "a" "b"))))`
    OfLength,
    /// `(str.in_re x (re.++ (re.opt (str.to_re "a")) (re.opt (str.to_re "b"))))`
    Optional,
    /// `(str.in_re x (re.diff ((_ re.loop 0 2) (re.range "a" "b")) (str.to_re "a")))`
    Difference,
    /// `(str.contains "abab" x)`
    Factors,
    /// `(str.prefixof x "abc")`
    Prefixes,
    /// `(str.suffixof x "abc")`
    Suffixes,
    /// `(str.is_digit x)`
    Digit,
    /// `(<= 97 (str.to_code x) 98)`
    Codes,
    /// `(str.<= x "")`
    Least,
    /// `(= (str.++ x x) "abab")`
    Root,
    /// `(= (str.++ x y) "abc")`
    Splits,
    /// `(= x (ite p "a" "ab"))`
    Chosen,
    /// `(and (<= 8 i 11) (= x (str.from_int i)))`
    Written,
    /// `(and (str.prefixof x "abc") (= i (str.len x)))`
    Measured,
    /// `(and (<= 0 i) (< i 3))`
    Between,
    /// `(or (= i 0) (= i 5))`
    ListedNumbers,
    /// `(and (<= 0 i) (< i (str.len x)) (str.prefixof x "abc"))`
    Position,
    /// `(= (abs i) 2)`
    Absolute,
}

/// All kinds.
pub const DOMAIN_KINDS: [DomainKind; 21] = [
    DomainKind::Listed,
    DomainKind::Union,
    DomainKind::Loop,
    DomainKind::OfLength,
    DomainKind::Optional,
    DomainKind::Difference,
    DomainKind::Factors,
    DomainKind::Prefixes,
    DomainKind::Suffixes,
    DomainKind::Digit,
    DomainKind::Codes,
    DomainKind::Least,
    DomainKind::Root,
    DomainKind::Splits,
    DomainKind::Chosen,
    DomainKind::Written,
    DomainKind::Measured,
    DomainKind::Between,
    DomainKind::ListedNumbers,
    DomainKind::Position,
    DomainKind::Absolute,
];

/// A constant of sort `Bool`, which needs no assertion.
pub(super) fn truth_domain(generator: &mut Generator) -> Domain {
    let constant = generator.declare_some(BasicSort::Bool);
    let tuples = vec![vec![Value::Bool(false)], vec![Value::Bool(true)]];
    Domain { constants: vec![constant], assertion: None, tuples }
}

/// A domain of the kind over new constants, with about `most` values or fewer.
pub fn domain_of_kind(generator: &mut Generator, kind: DomainKind, most: usize) -> Domain {
    let small = most < 8;
    match kind {
        DomainKind::Listed | DomainKind::Union => listed_words(generator, kind, most),
        DomainKind::Loop | DomainKind::OfLength | DomainKind::Difference => {
            repeated(generator, kind, small)
        }
        DomainKind::Optional => optional(generator, small),
        DomainKind::Factors | DomainKind::Prefixes | DomainKind::Suffixes => {
            pieces(generator, kind, small)
        }
        DomainKind::Digit | DomainKind::Codes | DomainKind::Least | DomainKind::Root => {
            single(generator, kind)
        }
        DomainKind::Splits => splits(generator),
        DomainKind::Chosen => chosen(generator),
        DomainKind::Written => written(generator),
        DomainKind::Measured | DomainKind::Position => measured(generator, kind),
        DomainKind::Between | DomainKind::ListedNumbers | DomainKind::Absolute => {
            numbers(generator, kind)
        }
    }
}

impl Domain {
    /// Gives the constants these values in a model.
    pub fn assign(&self, pool: &TermPool, model: &mut Model, tuple: &[Value]) {
        for (&constant, value) in self.constants.iter().zip(tuple) {
            if let Term::Apply(function, _) = pool.term(constant) {
                model.insert_value(function, value.clone());
            }
        }
    }

    /// One string constant with these words.
    fn of_words(x: TermId, assertion: TermId, words: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let words: BTreeSet<Vec<u32>> = words.into_iter().collect();
        let tuples = words.into_iter().map(|word| vec![string(word)]).collect();
        Self { constants: vec![x], assertion: Some(assertion), tuples }
    }
}

fn string(word: Vec<u32>) -> Value {
    Value::String(SmtString::from_codes(word).unwrap_or_else(SmtString::empty))
}

fn number(number: usize) -> Value {
    Value::Int(number.into())
}

fn listed_words(generator: &mut Generator, kind: DomainKind, most: usize) -> Domain {
    let count = 1 + generator.dice.below(most.clamp(1, 5));
    let mut words: Vec<Vec<u32>> = Vec::new();
    for _ in 0..count.max(2) {
        let word = generator.word();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let x = generator.declare_some(BasicSort::String);
    let parts: Vec<TermId> = words
        .iter()
        .map(|word| {
            let literal = generator.string(word.clone());
            match kind {
                DomainKind::Listed => generator.op(Op::Eq, &[x, literal]),
                _ => generator.op(Op::StrToRe, &[literal]),
            }
        })
        .collect();
    let join = if kind == DomainKind::Listed { Op::Or } else { Op::ReUnion };
    let joined = match parts[..] {
        [part] => part,
        _ => generator.op(join, &parts),
    };
    let assertion =
        if kind == DomainKind::Listed { joined } else { generator.op(Op::StrInRe, &[x, joined]) };
    Domain::of_words(x, assertion, words)
}

/// Words over neighbouring letters, by length.
fn repeated(generator: &mut Generator, kind: DomainKind, small: bool) -> Domain {
    let low = generator.letter().min(0x2FFFF - 2);
    let letters = low + generator.dice.pick(if small { &[0, 1] } else { &[0, 1, 1, 1, 2] });
    let letters: Vec<u32> = (low..=letters).collect();
    let longest = if small { 2 } else { generator.dice.pick(&[1, 2, 2, 3]) };
    let least = match kind {
        DomainKind::OfLength => longest,
        _ => generator.dice.below(longest + 1),
    };
    let mut words = words_over(&letters, least, longest);
    let edges = [letters[0], letters[letters.len() - 1]];
    let range = range(generator, edges);
    let x = generator.declare_some(BasicSort::String);
    if kind == DomainKind::OfLength {
        let length = generator.op(Op::StrLen, &[x]);
        let longest = generator.numeral(longest.into());
        let star = generator.op(Op::ReStar, &[range]);
        let parts =
            [generator.op(Op::Eq, &[length, longest]), generator.op(Op::StrInRe, &[x, star])];
        let assertion = generator.op(Op::And, &parts);
        return Domain::of_words(x, assertion, words);
    }
    let bounds = [least, longest].map(|bound| generator.numeral(bound.into()));
    let mut language = generator.op(Op::ReLoop, &[bounds[0], bounds[1], range]);
    if kind == DomainKind::Difference && words.len() > 1 {
        let without = words.remove(generator.dice.below(words.len()));
        let without = generator.string(without);
        let without = generator.op(Op::StrToRe, &[without]);
        language = generator.op(Op::ReDiff, &[language, without]);
    }
    let assertion = generator.op(Op::StrInRe, &[x, language]);
    Domain::of_words(x, assertion, words)
}

fn range(generator: &mut Generator, edges: [u32; 2]) -> TermId {
    let [low, high] = edges.map(|edge| generator.string(vec![edge]));
    generator.op(Op::ReRange, &[low, high])
}

/// All words over the letters with lengths between the two.
fn words_over(letters: &[u32], least: usize, longest: usize) -> Vec<Vec<u32>> {
    let (mut words, mut last) = (Vec::new(), vec![Vec::new()]);
    for length in 0..=longest {
        if length >= least {
            words.extend(last.iter().cloned());
        }
        last = last
            .iter()
            .flat_map(|word| letters.iter().map(move |&letter| [&word[..], &[letter]].concat()))
            .collect();
    }
    words
}

fn optional(generator: &mut Generator, small: bool) -> Domain {
    let count = if small { 2 } else { 3 };
    let parts: Vec<Vec<u32>> = (0..count).map(|_| generator.word()).collect();
    let mut words = vec![Vec::new()];
    for part in &parts {
        let longer: Vec<Vec<u32>> = words.iter().map(|word| [&word[..], part].concat()).collect();
        words.extend(longer);
    }
    let languages: Vec<TermId> = parts
        .into_iter()
        .map(|part| {
            let part = generator.string(part);
            let part = generator.op(Op::StrToRe, &[part]);
            generator.op(Op::ReOpt, &[part])
        })
        .collect();
    let language = generator.op(Op::ReConcat, &languages);
    let x = generator.declare_some(BasicSort::String);
    let assertion = generator.op(Op::StrInRe, &[x, language]);
    Domain::of_words(x, assertion, words)
}

fn pieces(generator: &mut Generator, kind: DomainKind, small: bool) -> Domain {
    let mut whole = generator.word();
    whole.truncate(if small { 2 } else { 4 });
    let length = whole.len();
    let words: Vec<Vec<u32>> = match kind {
        DomainKind::Prefixes => (0..=length).map(|end| whole[..end].to_vec()).collect(),
        DomainKind::Suffixes => (0..=length).map(|start| whole[start..].to_vec()).collect(),
        _ => (0..=length)
            .flat_map(|start| (start..=length).map(move |end| (start, end)))
            .map(|(start, end)| whole[start..end].to_vec())
            .collect(),
    };
    let x = generator.declare_some(BasicSort::String);
    let whole = generator.string(whole);
    let assertion = match kind {
        DomainKind::Prefixes => generator.op(Op::StrPrefixOf, &[x, whole]),
        DomainKind::Suffixes => generator.op(Op::StrSuffixOf, &[x, whole]),
        _ => generator.op(Op::StrContains, &[whole, x]),
    };
    Domain::of_words(x, assertion, words)
}

fn single(generator: &mut Generator, kind: DomainKind) -> Domain {
    let x = generator.declare_some(BasicSort::String);
    match kind {
        DomainKind::Digit => {
            let assertion = generator.op(Op::StrIsDigit, &[x]);
            Domain::of_words(x, assertion, (0x30..0x3A).map(|digit| vec![digit]))
        }
        DomainKind::Codes => {
            let low = generator.letter().min(0x2FFFF - 3);
            let high = low + generator.dice.below(4) as u32;
            let code = generator.op(Op::StrToCode, &[x]);
            let [least, most] = [low, high].map(|bound| generator.numeral(bound.into()));
            let assertion = generator.op(Op::Le, &[least, code, most]);
            Domain::of_words(x, assertion, (low..=high).map(|code| vec![code]))
        }
        DomainKind::Least => {
            let empty = generator.string(Vec::new());
            let assertion = generator.op(Op::StrLe, &[x, empty]);
            Domain::of_words(x, assertion, [Vec::new()])
        }
        _ => {
            let root = generator.word();
            let twice = generator.string([&root[..], &root].concat());
            let concatenation = generator.op(Op::StrConcat, &[x, x]);
            let assertion = generator.op(Op::Eq, &[concatenation, twice]);
            Domain::of_words(x, assertion, [root])
        }
    }
}

fn splits(generator: &mut Generator) -> Domain {
    let mut whole = generator.word();
    whole.truncate(4);
    let cuts = (0..=whole.len()).map(|cut| whole.split_at(cut));
    let tuples = cuts.map(|(one, two)| vec![string(one.to_vec()), string(two.to_vec())]).collect();
    let constants: Vec<TermId> =
        (0..2).map(|_| generator.declare_some(BasicSort::String)).collect();
    let concatenation = generator.op(Op::StrConcat, &constants);
    let whole = generator.string(whole);
    let assertion = generator.op(Op::Eq, &[concatenation, whole]);
    Domain { constants, assertion: Some(assertion), tuples }
}

fn chosen(generator: &mut Generator) -> Domain {
    let words = [generator.word(), generator.word()];
    let (x, p) =
        (generator.declare_some(BasicSort::String), generator.declare_some(BasicSort::Bool));
    let tuples = vec![
        vec![string(words[0].clone()), Value::Bool(true)],
        vec![string(words[1].clone()), Value::Bool(false)],
    ];
    let [one, two] = words.map(|word| generator.string(word));
    let choice = generator.op(Op::Ite, &[p, one, two]);
    let assertion = Some(generator.op(Op::Eq, &[x, choice]));
    Domain { constants: vec![x, p], assertion, tuples }
}

fn written(generator: &mut Generator) -> Domain {
    let low = generator.dice.pick(&[-1, 0, 0, 8, 9, 98]);
    let high = low + generator.dice.between(0, 3);
    let tuples = (low..=high)
        .map(|number| {
            let digits = if number < 0 { String::new() } else { number.to_string() };
            vec![string(digits.bytes().map(u32::from).collect()), Value::Int(number.into())]
        })
        .collect();
    let (x, i) =
        (generator.declare_some(BasicSort::String), generator.declare_some(BasicSort::Int));
    let [low, high] = [low, high].map(|bound| generator.integer(bound.into()));
    let between = generator.op(Op::Le, &[low, i, high]);
    let digits = generator.op(Op::StrFromInt, &[i]);
    let equal = generator.op(Op::Eq, &[x, digits]);
    let assertion = Some(generator.op(Op::And, &[between, equal]));
    Domain { constants: vec![x, i], assertion, tuples }
}

/// A prefix with its length, or with a position in it.
fn measured(generator: &mut Generator, kind: DomainKind) -> Domain {
    let mut whole = generator.word();
    whole.truncate(3);
    if whole.is_empty() {
        whole.push(generator.letter());
    }
    let mut tuples = Vec::new();
    for end in 0..=whole.len() {
        let word = || string(whole[..end].to_vec());
        match kind {
            DomainKind::Measured => tuples.push(vec![word(), number(end)]),
            _ => tuples.extend((0..end).map(|position| vec![word(), number(position)])),
        }
    }
    let (x, i) =
        (generator.declare_some(BasicSort::String), generator.declare_some(BasicSort::Int));
    let whole = generator.string(whole);
    let prefix = generator.op(Op::StrPrefixOf, &[x, whole]);
    let length = generator.op(Op::StrLen, &[x]);
    let parts = if kind == DomainKind::Measured {
        vec![prefix, generator.op(Op::Eq, &[i, length])]
    } else {
        let zero = generator.numeral(0.into());
        let not_negative = generator.op(Op::Le, &[zero, i]);
        vec![not_negative, generator.op(Op::Lt, &[i, length]), prefix]
    };
    let assertion = Some(generator.op(Op::And, &parts));
    Domain { constants: vec![x, i], assertion, tuples }
}

fn numbers(generator: &mut Generator, kind: DomainKind) -> Domain {
    let i = generator.declare_some(BasicSort::Int);
    let low = generator.dice.between(-2, 3);
    let high = low + generator.dice.between(1, 4);
    let (assertion, values) = match kind {
        DomainKind::Between => {
            let [least, beyond] = [low, high].map(|bound| generator.integer(bound.into()));
            let parts = [generator.op(Op::Le, &[least, i]), generator.op(Op::Lt, &[i, beyond])];
            (generator.op(Op::And, &parts), (low..high).collect())
        }
        DomainKind::ListedNumbers => {
            let parts = [low, high].map(|value| {
                let value = generator.integer(value.into());
                generator.op(Op::Eq, &[i, value])
            });
            (generator.op(Op::Or, &parts), vec![low, high])
        }
        _ => {
            let size = low.abs() + 1;
            let (absolute, literal) = (generator.op(Op::Abs, &[i]), generator.numeral(size.into()));
            (generator.op(Op::Eq, &[absolute, literal]), vec![-size, size])
        }
    };
    let tuples = values.into_iter().map(|value: i64| vec![Value::Int(value.into())]).collect();
    Domain { constants: vec![i], assertion: Some(assertion), tuples }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use luthier_semantics::{Evaluator, Model, Value};
    use luthier_terms::Sort;

    use super::{DOMAIN_KINDS, domain_of_kind, string, words_over};
    use crate::Dice;
    use crate::random::Generator;

    /// The values that a constant is tried with: all words up to a length over the letters of the
    /// domain and a few that are not in it, all numbers near those of the domain.
    fn universe(sort: Sort, domain: &super::Domain, constants: usize) -> Vec<Value> {
        let values = || domain.tuples.iter().flatten();
        match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Int => (-10..120).map(|number: i64| Value::Int(number.into())).collect(),
            _ => {
                let mut letters: BTreeSet<u32> = BTreeSet::from([0x30, 0x61]);
                let mut words: BTreeSet<Vec<u32>> = BTreeSet::new();
                for value in values() {
                    let Value::String(text) = value else { continue };
                    let word: Vec<u32> = text.iter().map(|letter| letter.code()).collect();
                    for &letter in &word {
                        letters.extend([
                            letter,
                            letter.saturating_sub(1),
                            (letter + 1).min(0x2FFFF),
                        ]);
                    }
                    words.extend([[&word[..], &word].concat(), [&[0x61], &word[..]].concat()]);
                    words.insert(word);
                }
                let letters: Vec<u32> = letters.into_iter().take(12).collect();
                words.extend(words_over(&letters, 0, if constants > 1 { 2 } else { 3 }));
                words.into_iter().map(string).collect()
            }
        }
    }

    #[test]
    fn every_kind_of_domain_has_all_values_that_make_its_assertion_true_and_no_others() {
        for kind in DOMAIN_KINDS {
            for number in 0..25 {
                let mut generator = Generator::for_formula(Dice::new(number, 3));
                let domain = domain_of_kind(&mut generator, kind, [4, 30][number as usize % 2]);
                let assertion = domain.assertion.unwrap();
                assert!(!domain.tuples.is_empty(), "{kind:?}");
                let mut tuples: Vec<Vec<Value>> = vec![Vec::new()];
                for &constant in &domain.constants {
                    let sort = generator.pool.sort(constant);
                    let values = universe(sort, &domain, domain.constants.len());
                    let extend = |tuple: &Vec<Value>| {
                        let tuple = tuple.clone();
                        values.clone().into_iter().map(move |value| [&tuple[..], &[value]].concat())
                    };
                    tuples = tuples.iter().flat_map(extend).collect();
                }
                let mut found = 0;
                for tuple in &tuples {
                    let mut model = Model::new();
                    domain.assign(&generator.pool, &mut model, tuple);
                    let value = Evaluator::new(&generator.pool, &model).evaluate(assertion);
                    let listed = domain.tuples.contains(tuple);
                    assert_eq!(value.as_bool(), Some(listed), "{kind:?} {number} {tuple:?}");
                    found += usize::from(listed);
                }
                assert_eq!(found, domain.tuples.len(), "{kind:?} {number}: all values were tried");
            }
        }
    }
}
