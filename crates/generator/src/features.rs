//! Random formulas aimed at a feature of the theory: an operator or a small group of them,
//! memberships of concatenations, uninterpreted functions, arrays.
//!
//! The answers are unknown ([`Expected::Open`](crate::Expected)): several facts over the same
//! constants, most of them true under one hidden model, some of them false under it. Every formula
//! uses its feature: a sketch without it is discarded and made again. A feature, a seed and a number
//! determine a formula.

use luthier_semantics::{ArrayValue, Interpretation, Value};
use luthier_terms::{BasicSort, FunctionId, Op, PostOrder, Sort, Term, TermId, TermPool, Variable};

use crate::facts::assertion;
use crate::random::Generator;
use crate::{Category, Dice, Draft, Formula, PlantedAnswer, Sketch, unplanted};

/// How often a formula without its feature is made again.
const ATTEMPTS: usize = 200;

/// Why building a term cannot fail.
const ROOM: &str = "a pool has room for four thousand million terms";

/// A feature of the theory that a formula is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Memberships of concatenations.
    ConcatenatedMembership,
    /// `str.replace_re`.
    ReplaceRe,
    /// `str.replace_re_all`.
    ReplaceReAll,
    /// `str.replace_all`.
    ReplaceAll,
    /// `str.<` and `str.<=`.
    Order,
    /// Conversions between strings, integers and code points.
    Conversions,
    /// Functions with arguments.
    Functions,
    /// Arrays from and to strings and integers.
    Arrays,
}

impl Feature {
    /// All features.
    pub const ALL: [Self; 8] = [
        Self::ConcatenatedMembership,
        Self::ReplaceRe,
        Self::ReplaceReAll,
        Self::ReplaceAll,
        Self::Order,
        Self::Conversions,
        Self::Functions,
        Self::Arrays,
    ];

    /// Its name, for the command line and for files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ConcatenatedMembership => "in-re-concat",
            Self::ReplaceRe => "replace-re",
            Self::ReplaceReAll => "replace-re-all",
            Self::ReplaceAll => "replace-all",
            Self::Order => "order",
            Self::Conversions => "conversions",
            Self::Functions => "functions",
            Self::Arrays => "arrays",
        }
    }

    /// The feature of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|feature| feature.name() == name)
    }

    /// The operators of which one must occur.
    const fn operators(self) -> &'static [Op] {
        match self {
            Self::ConcatenatedMembership => &[Op::StrInRe],
            Self::ReplaceRe => &[Op::StrReplaceRe],
            Self::ReplaceReAll => &[Op::StrReplaceReAll],
            Self::ReplaceAll => &[Op::StrReplaceAll],
            Self::Order => &[Op::StrLt, Op::StrLe],
            Self::Conversions => {
                &[Op::StrToInt, Op::StrFromInt, Op::StrToCode, Op::StrFromCode, Op::StrIsDigit]
            }
            Self::Functions => &[],
            Self::Arrays => &[Op::Select],
        }
    }

    /// The formula with this number.
    ///
    /// # Panics
    ///
    /// If no attempt gives a formula about the feature, which does not happen in practice: each one
    /// succeeds with a probability of more than a quarter.
    pub fn formula(self, seed: u64, number: u64) -> Formula {
        let salt = self as u64 + 1;
        for attempt in 0..ATTEMPTS as u64 {
            let dice = Dice::new(seed, (number * ATTEMPTS as u64 + attempt) * 16 + salt);
            let Some(sketch) = self.sketch(dice) else { continue };
            if !self.is_used(&sketch.draft) {
                continue;
            }
            if let Some(formula) = sketch.into_formula(format!("{}-{number}", self.name())) {
                return formula;
            }
        }
        unreachable!("no formula about {} in {ATTEMPTS} attempts", self.name())
    }

    fn sketch(self, mut dice: Dice) -> Option<Sketch> {
        match self {
            Self::ConcatenatedMembership | Self::Functions | Self::Arrays => {
                let mut generator = Generator::for_formula(dice);
                generator.declare_constants();
                Some(self.system(generator))
            }
            _ => {
                let about = dice.pick(self.operators());
                unplanted::sketch(dice, about)
            }
        }
    }

    /// Facts about terms with the feature, among others.
    fn system(self, mut generator: Generator) -> Sketch {
        let mut symbols = match self {
            Self::Functions => functions(&mut generator),
            Self::Arrays => arrays(&mut generator),
            _ => Vec::new(),
        };
        let count = generator.dice.pick(&[1, 2, 2, 3, 3, 4]);
        let position = generator.dice.below(count);
        let mut assertions = Vec::new();
        for index in 0..count {
            let is_aimed = index == position || generator.dice.percent(60);
            let truth = generator.dice.percent(70);
            let fact = match self {
                _ if !is_aimed => None,
                Self::ConcatenatedMembership => membership(&mut generator),
                _ => fact_about_symbols(&mut generator, &mut symbols),
            };
            let fact = fact.map(|fact| match generator.value_of(fact) {
                Some(Value::Bool(value)) if value != truth => generator.op(Op::Not, &[fact]),
                _ => fact,
            });
            let term = match fact {
                Some(fact) if generator.dice.percent(25) => {
                    let about = generator.some_operator();
                    let other = generator.formula(!truth, 0, about);
                    generator.op(Op::Or, &[fact, other])
                }
                Some(fact) => fact,
                None => {
                    let about = generator.some_operator();
                    generator.formula(truth, 0, about)
                }
            };
            assertions.push(assertion(term, false));
        }
        let mut draft = Draft::new(generator.pool, generator.model);
        draft.assertions = assertions;
        Sketch {
            draft,
            planted: PlantedAnswer::Unknown,
            category: Category::Random,
            operation: self.name(),
            derivation: "random facts over the same constants; nothing is known about them".into(),
        }
    }

    /// Whether some assertion is about the feature.
    fn is_used(self, draft: &Draft) -> bool {
        let pool = &draft.pool;
        let roots = draft.assertions.iter().map(|assertion| assertion.term);
        PostOrder::new(pool, roots).any(|term| match pool.term(term) {
            Term::Op(Op::StrInRe, &[text, _]) if self == Self::ConcatenatedMembership => {
                is_open_concatenation(pool, text)
            }
            Term::Op(op, _) => {
                self != Self::ConcatenatedMembership && self.operators().contains(&op)
            }
            Term::Apply(_, arguments) => self == Self::Functions && !arguments.is_empty(),
            _ => false,
        })
    }
}

/// Whether a term is a concatenation with a part that is no literal.
fn is_open_concatenation(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Op(Op::StrConcat, parts) => parts.iter().any(|&part| pool.as_string(part).is_none()),
        _ => false,
    }
}

/// `(str.in_re (str.++ x "ab" y) R)`, where R is made around the value of the concatenation.
fn membership(generator: &mut Generator) -> Option<TermId> {
    let count = generator.dice.pick(&[2, 2, 2, 3, 3, 4]);
    let parts: Vec<TermId> = (0..count)
        .map(|_| {
            let depth = usize::from(generator.dice.percent(10));
            generator.term(BasicSort::String, depth)
        })
        .collect();
    let text = generator.op(Op::StrConcat, &parts);
    let word = generator.text_of(text)?;
    let depth = generator.dice.pick(&[1, 2, 2, 3, 3]);
    let language = match generator.dice.percent(70) {
        true => generator.matching(&word, depth),
        false => generator.avoiding(&word, depth),
    };
    Some(generator.op(Op::StrInRe, &[text, language]))
}

/// A function with its parameters, or an array as a term.
enum Symbol {
    Function { function: FunctionId, parameters: Vec<BasicSort>, result: BasicSort },
    Array { term: TermId, index: BasicSort, element: BasicSort },
}

/// One to three functions. Each has a definition in the hidden model, so that facts about it can be
/// true.
fn functions(generator: &mut Generator) -> Vec<Symbol> {
    use BasicSort::{Bool, Int, String};
    let count = generator.dice.pick(&[1, 1, 2, 2, 3]);
    let mut symbols = Vec::new();
    for name in ["f", "g", "h"].into_iter().take(count) {
        let parameters = generator.dice.pick(&[
            &[String][..],
            &[String],
            &[Int],
            &[String, String],
            &[String, Int],
            &[Int, Int],
        ]);
        let result = generator.dice.pick(&[String, String, Int, Int, Bool]);
        let sorts = parameters.iter().map(|&sort| sort.into()).collect();
        let pool = &mut generator.pool;
        let symbol = pool.symbols_mut().intern(name.as_bytes()).expect(ROOM);
        let function = pool.declare(symbol, sorts, result.into()).expect(ROOM);
        let mut variables = Vec::new();
        for (position, &sort) in parameters.iter().enumerate() {
            let name = format!("argument{position}");
            let name = pool.symbols_mut().intern(name.as_bytes()).expect(ROOM);
            let variable = Variable { name, sort: sort.into(), depth: 0 };
            variables.push(pool.variable(variable).expect(ROOM));
        }
        let body = body(generator, variables[0], parameters[0], result);
        generator.model.insert(function, Interpretation::Function { variables, body });
        symbols.push(Symbol::Function { function, parameters: parameters.to_vec(), result });
    }
    symbols
}

/// A simple term of the sort that depends on a variable.
fn body(generator: &mut Generator, variable: TermId, from: BasicSort, to: BasicSort) -> TermId {
    let word = generator.word();
    let word = generator.string(word);
    let number = generator.number();
    let number = generator.integer(number);
    match (from, to) {
        (BasicSort::String, BasicSort::String) => generator.op(Op::StrConcat, &[variable, word]),
        (BasicSort::String, BasicSort::Int) => generator.op(Op::StrLen, &[variable]),
        (BasicSort::String, _) => generator.op(Op::StrPrefixOf, &[word, variable]),
        (_, BasicSort::String) => generator.op(Op::StrFromInt, &[variable]),
        (_, BasicSort::Int) => generator.op(Op::Add, &[variable, number]),
        _ => generator.op(Op::Le, &[variable, number]),
    }
}

/// One to three arrays of one or two sorts, with values in the hidden model.
fn arrays(generator: &mut Generator) -> Vec<Symbol> {
    use BasicSort::{Bool, Int, String};
    let sorts =
        [(Int, String), (Int, String), (String, Int), (Int, Int), (String, String), (String, Bool)];
    let count = generator.dice.pick(&[1, 1, 2, 2, 3]);
    let mut chosen = generator.dice.pick(&sorts);
    let mut symbols = Vec::new();
    for name in ["a", "b", "c"].into_iter().take(count) {
        if generator.dice.percent(20) {
            chosen = generator.dice.pick(&sorts);
        }
        let (index, element) = chosen;
        let mut value = ArrayValue::constant(index, some_value(generator, element))
            .expect("the element is no array");
        for _ in 0..generator.dice.below(3) {
            let (at, element) = (some_value(generator, index), some_value(generator, element));
            value = value.store(at, element).expect("index and element have their sorts");
        }
        let pool = &mut generator.pool;
        let symbol = pool.symbols_mut().intern(name.as_bytes()).expect(ROOM);
        let sort = Sort::Array(index, element);
        let function = pool.declare(symbol, Vec::new(), sort).expect(ROOM);
        let term = pool.apply(function, &[]).expect("it has no parameters");
        generator.model.insert_value(function, Value::Array(value));
        symbols.push(Symbol::Array { term, index, element });
    }
    symbols
}

/// A value: often that of a constant.
fn some_value(generator: &mut Generator, sort: BasicSort) -> Value {
    let term = generator.term(sort, 0);
    generator.value_of(term).unwrap_or_else(|| Value::default_of(sort.into()))
}

/// A fact about an application or about elements of arrays. Symbols get the arrays that are made on
/// the way.
fn fact_about_symbols(generator: &mut Generator, symbols: &mut Vec<Symbol>) -> Option<TermId> {
    if generator.dice.percent(20)
        && let Some(fact) = equal_arrays(generator, symbols)
    {
        return Some(fact);
    }
    let nesting = generator.dice.below(3);
    let term = use_of_symbol(generator, symbols, None, nesting)?;
    let sort = generator.pool.sort(term).as_basic()?;
    if generator.dice.percent(35)
        && let Some(other) = use_of_symbol(generator, symbols, Some(sort), 1)
    {
        let op = match sort {
            BasicSort::Int => generator.dice.pick(&[Op::Eq, Op::Distinct, Op::Lt, Op::Le]),
            BasicSort::String => {
                generator.dice.pick(&[Op::Eq, Op::Distinct, Op::StrPrefixOf, Op::StrContains])
            }
            _ => generator.dice.pick(&[Op::Eq, Op::Distinct]),
        };
        return Some(generator.op(op, &[term, other]));
    }
    match generator.value_of(term)? {
        Value::Int(number) => generator.fact_about_integer(term, &Value::Int(number)),
        Value::String(text) => {
            let word: Vec<u32> = text.iter().map(|character| character.code()).collect();
            generator.fact_about_string(term, &word)
        }
        _ => Some(term),
    }
}

/// `f(t)` or `select(a, t)`, of the wanted sort if there is one.
fn use_of_symbol(
    generator: &mut Generator,
    symbols: &mut Vec<Symbol>,
    wanted: Option<BasicSort>,
    nesting: usize,
) -> Option<TermId> {
    let fitting: Vec<usize> = (0..symbols.len())
        .filter(|&position| match &symbols[position] {
            Symbol::Function { result, .. } => wanted.is_none_or(|sort| sort == *result),
            Symbol::Array { element, .. } => wanted.is_none_or(|sort| sort == *element),
        })
        .collect();
    if fitting.is_empty() {
        return None;
    }
    let position = generator.dice.pick(&fitting);
    match &symbols[position] {
        Symbol::Function { function, parameters, .. } => {
            let (function, parameters) = (*function, parameters.clone());
            let arguments: Vec<TermId> = parameters
                .into_iter()
                .map(|sort| argument(generator, symbols, sort, nesting))
                .collect();
            Some(generator.pool.apply(function, &arguments).expect("the arguments have its sorts"))
        }
        Symbol::Array { .. } => {
            let position = stored(generator, symbols, position, nesting);
            let Symbol::Array { term, index, .. } = symbols[position] else { return None };
            let at = argument(generator, symbols, index, nesting);
            Some(generator.op(Op::Select, &[term, at]))
        }
    }
}

/// An argument or index: mostly a constant or a literal, sometimes another use of a symbol.
fn argument(
    generator: &mut Generator,
    symbols: &mut Vec<Symbol>,
    sort: BasicSort,
    nesting: usize,
) -> TermId {
    if nesting > 0
        && generator.dice.percent(35)
        && let Some(term) = use_of_symbol(generator, symbols, Some(sort), nesting - 1)
    {
        return term;
    }
    let depth = generator.dice.pick(&[0, 0, 0, 1]);
    generator.term(sort, depth)
}

/// The position of the array itself, or of a new one: the array after a store.
fn stored(
    generator: &mut Generator,
    symbols: &mut Vec<Symbol>,
    position: usize,
    nesting: usize,
) -> usize {
    let Symbol::Array { term, index, element } = symbols[position] else { return position };
    if nesting == 0 || !generator.dice.percent(40) {
        return position;
    }
    let at = argument(generator, symbols, index, nesting - 1);
    let value = argument(generator, symbols, element, nesting - 1);
    let term = generator.op(Op::Store, &[term, at, value]);
    symbols.push(Symbol::Array { term, index, element });
    symbols.len() - 1
}

/// Two arrays of one sort are equal or different.
fn equal_arrays(generator: &mut Generator, symbols: &mut Vec<Symbol>) -> Option<TermId> {
    let arrays = (0..symbols.len())
        .filter(|&position| matches!(symbols[position], Symbol::Array { .. }))
        .collect::<Vec<_>>();
    if arrays.is_empty() {
        return None;
    }
    let (one, other) = (generator.dice.pick(&arrays), generator.dice.pick(&arrays));
    let [one, other] = [one, other].map(|position| stored(generator, symbols, position, 2));
    let (Symbol::Array { term: one, .. }, Symbol::Array { term: other, .. }) =
        (&symbols[one], &symbols[other])
    else {
        return None;
    };
    let (one, other) = (*one, *other);
    let same = generator.pool.sort(one) == generator.pool.sort(other);
    (same && one != other).then(|| generator.op(Op::Eq, &[one, other]))
}

#[cfg(test)]
mod tests {
    use luthier_smtlib::{ReadOptions, read_script};
    use luthier_terms::TermPool;

    use super::Feature;

    #[test]
    fn every_formula_reads_back_and_is_determined_by_seed_and_number() {
        for feature in Feature::ALL {
            assert_eq!(Feature::find(feature.name()), Some(feature));
            for number in 0..60 {
                let formula = feature.formula(7, number);
                let mut pool = TermPool::new();
                let bytes = formula.text.as_bytes();
                let reading = read_script(&mut pool, bytes, &ReadOptions::default());
                assert!(reading.is_accepted(), "{}", formula.text);
                assert_eq!(feature.formula(7, number).text, formula.text);
            }
            let texts = [feature.formula(7, 1).text, feature.formula(8, 1).text];
            assert_ne!(texts[0], texts[1], "another seed");
        }
    }
}
