//! Values of a small formula under all assignments of a small domain, for a witness.
//!
//! Each subterm has a table with its value for every assignment of *its own* constants; the table of
//! a term is made from those of its arguments. Values are numbered, and an operator on values is
//! looked up in a memo that lives as long as the search: the domains are small, so almost every
//! application was seen before. An application that was not is evaluated by the referee on a ground
//! term; there is no second semantics here.
//!
//! That no assignment satisfies a formula means nothing for the formula itself: its answer stays
//! unknown. If assertions restrict every constant to the values that were tried, it is unsatisfiable
//! ([`super::Settings::bounded`]).

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_terms::{FunctionId, Op, SmtString, Sort, TermId, TermPool};
use rustc_hash::FxHashMap;

use super::signature::{CONSTANTS, Kind, Meaning, SYMBOLS, TEXTS, symbol};
use crate::Dice;

/// The strings that constants take, the most useful ones first.
const WORDS: [&[u32]; 14] = [
    &[],
    &[0x61],
    &[0x30],
    &[0x61, 0x61],
    &[0x62],
    &[0x61, 0x62],
    &[0x31],
    &[0x62, 0x61],
    &[0x30, 0x31],
    &[0x2FFFF],
    &[0],
    &[0x61, 0x61, 0x61],
    &[0x5C],
    &[0x2D, 0x31],
];

/// The numbers that constants take.
const NUMBERS: [i64; 9] = [0, 1, -1, 2, 3, 0x61, 0x30, 0x2FFFF, 0x30000];

/// How many of them, by the number of string constants and, for numbers, of integers: at most some hundred
/// assignments altogether.
const WORD_COUNTS: [usize; 4] = [1, 14, 10, 6];
const NUMBER_COUNTS: [[usize; 3]; 4] = [[1, 9, 9], [1, 9, 5], [1, 5, 3], [1, 3, 2]];

/// Values are kept until there are so many, then forgotten.
const MOST_VALUES: usize = 1 << 18;

const MOST_TERMS: usize = 1 << 21;

/// More values than the tables of one formula can add.
const ROOM_FOR_ONE: usize = 1 << 16;

/// Steps of the referee for one application.
const STEPS: u64 = 20_000;

/// The number of a value. The first two are the truth values.
type ValueId = u32;
const FALSE: ValueId = 0;
const TRUE: ValueId = 1;
/// The referee did not decide it within its limits.
const UNDECIDED: ValueId = 2;

/// The values that each constant takes, by code, as positions in [`WORDS`] or [`NUMBERS`]; empty where it
/// does not occur.
pub(crate) type Domains = [Vec<usize>; CONSTANTS as usize];

/// What the values of some domains say about a formula.
pub(crate) enum Answer {
    /// These values satisfy it, and the referee accepts them on the whole formula.
    Witness(Assignment),
    /// Under every assignment some assertion is false.
    NoWitness,
    /// The referee did not decide some value within its limits.
    Undecided,
}

/// A value of each constant, by code; `None` where it does not occur.
pub(crate) type Assignment = [Option<Value>; CONSTANTS as usize];

/// Searches witnesses; keeps what it learned about applications.
pub(crate) struct WitnessSearch {
    pool: TermPool,
    model: Model,
    /// A ground term of each value.
    values: Vec<TermId>,
    numbers: FxHashMap<TermId, ValueId>,
    memo: FxHashMap<u64, ValueId>,
    domain_words: Vec<ValueId>,
    domain_numbers: Vec<ValueId>,
    literals: Vec<ValueId>,
    tables: Vec<ValueId>,
    constants: Vec<FunctionId>,
}

/// The table of a subterm.
#[derive(Clone, Copy, Debug, Default)]
struct Table {
    start: usize,
    /// The constants that occur, as bits.
    constants: u8,
}

const ROOM: &str = "a pool has room for four thousand million terms";

impl WitnessSearch {
    /// A search that knows nothing yet.
    pub fn new() -> Self {
        let mut search = Self {
            pool: TermPool::new(),
            model: Model::new(),
            values: Vec::new(),
            numbers: FxHashMap::default(),
            memo: FxHashMap::default(),
            domain_words: Vec::new(),
            domain_numbers: Vec::new(),
            literals: Vec::new(),
            tables: Vec::new(),
            constants: Vec::new(),
        };
        search.forget();
        search
    }

    /// Begins anew, with the values of domains and literals.
    fn forget(&mut self) {
        self.pool = TermPool::new();
        self.values.clear();
        self.numbers.clear();
        self.memo.clear();
        self.constants = (0..CONSTANTS)
            .map(|code| {
                let sort = if code < TEXTS { Sort::String } else { Sort::Int };
                let symbols = self.pool.symbols_mut();
                let name = symbols.intern(symbol(code).head.as_bytes()).expect(ROOM);
                self.pool.declare(name, Vec::new(), sort).expect(ROOM)
            })
            .collect();
        for truth in [false, true] {
            let term = self.pool.bool(truth).expect(ROOM);
            self.value(term);
        }
        let none = self.pool.op(Op::ReNone, &[]).expect(ROOM);
        self.values.push(none);
        self.domain_words = WORDS.iter().map(|word| self.word(word)).collect();
        self.domain_numbers = NUMBERS.iter().map(|&number| self.number(number)).collect();
        self.literals = SYMBOLS
            .iter()
            .map(|symbol| match symbol.meaning {
                Meaning::Text(codes) => self.word(codes),
                Meaning::Number(number) => self.number(number),
                _ => UNDECIDED,
            })
            .collect();
    }

    fn word(&mut self, codes: &[u32]) -> ValueId {
        let text = SmtString::from_codes(codes.to_vec()).expect("characters of the theory");
        let term = self.pool.string(text).expect(ROOM);
        self.value(term)
    }

    fn number(&mut self, number: i64) -> ValueId {
        let term = self.pool.integer(number).expect(ROOM);
        self.value(term)
    }

    /// The number of the value of a ground term that stands for itself.
    fn value(&mut self, term: TermId) -> ValueId {
        *self.numbers.entry(term).or_insert_with(|| {
            self.values.push(term);
            (self.values.len() - 1) as ValueId
        })
    }

    /// Tries all values of the domains.
    pub fn answer(&mut self, codes: &[u8], domains: &Domains) -> Answer {
        if self.values.len() > MOST_VALUES - ROOM_FOR_ONE || self.pool.len() > MOST_TERMS {
            self.forget();
        }
        self.tables.clear();
        let occurring = occurring(codes);
        let mut radix = [1_usize; CONSTANTS as usize];
        for (radix, domain) in radix.iter_mut().zip(domains) {
            *radix = domain.len().max(1);
        }
        // Arguments stand on the stack with the first one on top.
        let mut stack: Vec<Table> = Vec::with_capacity(codes.len());
        for &code in codes.iter().rev() {
            let count = symbol(code).arguments.len();
            let start = stack.len() - count;
            let table = self.table(code, &stack[start..], &radix, domains);
            stack.truncate(start);
            stack.push(table);
        }
        let (mut found, mut undecided) = (None, false);
        odometer(occurring, &radix, &stack, |places, digits| {
            let truths =
                stack.iter().zip(places).map(|(table, place)| self.tables[table.start + place]);
            let (mut is_false, mut is_undecided) = (false, false);
            for truth in truths {
                is_false |= truth == FALSE;
                is_undecided |= truth == UNDECIDED;
            }
            undecided |= is_undecided && !is_false;
            let is_model = !is_false && !is_undecided;
            if is_model {
                found = Some(*digits);
            }
            is_model
        });
        let Some(digits) = found else {
            return if undecided { Answer::Undecided } else { Answer::NoWitness };
        };
        let mut assignment = Assignment::default();
        for code in 0..CONSTANTS {
            if occurring & 1 << code != 0 {
                let place = domains[usize::from(code)][digits[usize::from(code)]];
                assignment[usize::from(code)] = Some(value_at(code, place));
            }
        }
        match self.is_accepted(codes, &assignment) {
            true => Answer::Witness(assignment),
            false => Answer::Undecided,
        }
    }

    /// Whether the referee evaluates every assertion, as a whole, to true.
    fn is_accepted(&mut self, codes: &[u8], assignment: &Assignment) -> bool {
        let mut model = Model::new();
        for (&function, value) in self.constants.iter().zip(assignment) {
            if let Some(value) = value {
                model.insert_value(function, value.clone());
            }
        }
        let Some(assertions) = self.assertions(codes) else { return false };
        let limits = Limits { steps: STEPS, cpu_time: None, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(&self.pool, &model, limits);
        assertions.iter().all(|&assertion| evaluator.evaluate(assertion).is_true())
    }

    /// The assertions as terms of the pool.
    fn assertions(&mut self, codes: &[u8]) -> Option<Vec<TermId>> {
        let mut stack: Vec<TermId> = Vec::with_capacity(codes.len());
        for &code in codes.iter().rev() {
            let term = match symbol(code).meaning {
                Meaning::Constant => {
                    self.pool.apply(self.constants[usize::from(code)], &[]).ok()?
                }
                Meaning::Text(_) | Meaning::Number(_) => {
                    self.values[self.literals[usize::from(code)] as usize]
                }
                Meaning::Apply { op, before, after } => {
                    let mut terms = Vec::with_capacity(4);
                    for &number in before {
                        terms.push(self.pool.integer(number).ok()?);
                    }
                    let start = stack.len() - symbol(code).arguments.len();
                    terms.extend(stack.drain(start..).rev());
                    for &number in after {
                        terms.push(self.pool.integer(number).ok()?);
                    }
                    self.pool.op(op, &terms).ok()?
                }
            };
            stack.push(term);
        }
        stack.reverse();
        Some(stack)
    }

    /// The table of a symbol from those of its arguments, the first one last.
    fn table(
        &mut self,
        code: u8,
        arguments: &[Table],
        radix: &[usize; CONSTANTS as usize],
        domains: &Domains,
    ) -> Table {
        let start = self.tables.len();
        if code < CONSTANTS {
            let domain = match symbol(code).kind {
                Kind::Int => &self.domain_numbers,
                _ => &self.domain_words,
            };
            self.tables.extend(domains[usize::from(code)].iter().map(|&place| domain[place]));
            return Table { start, constants: 1 << code };
        }
        let constants = arguments.iter().fold(0, |bits, table| bits | table.constants);
        if arguments.is_empty() {
            let value = match symbol(code).meaning {
                Meaning::Apply { .. } => self.apply(code, &[]),
                _ => self.literals[usize::from(code)],
            };
            self.tables.push(value);
            return Table { start, constants };
        }
        let mut values = [UNDECIDED; 3];
        let count = arguments.len();
        odometer(constants, radix, arguments, |places, _| {
            for (number, (table, place)) in arguments.iter().zip(places).enumerate() {
                values[count - 1 - number] = self.tables[table.start + place];
            }
            let value = self.apply(code, &values[..count]);
            self.tables.push(value);
            false
        });
        Table { start, constants }
    }

    /// The value of a symbol on values.
    fn apply(&mut self, code: u8, arguments: &[ValueId]) -> ValueId {
        if arguments.contains(&UNDECIDED) {
            return UNDECIDED;
        }
        let Meaning::Apply { op, before, after } = symbol(code).meaning else { return UNDECIDED };
        match (op, arguments) {
            (Op::Not, &[part]) => return part ^ 1,
            (Op::Or, &[one, other]) => return one | other,
            (Op::Xor, &[one, other]) => return one ^ other,
            (Op::Implies, &[one, other]) => return (one ^ 1) | other,
            // Equal values have equal numbers.
            (Op::Eq, &[one, other]) => return ValueId::from(one == other),
            (Op::Ite, &[condition, then, other]) => {
                return if condition == TRUE { then } else { other };
            }
            _ => {}
        }
        let packed = arguments.iter().fold(0_u64, |key, &value| key << 18 | u64::from(value));
        let key = packed << 8 | u64::from(code);
        if let Some(&value) = self.memo.get(&key) {
            return value;
        }
        let mut terms: Vec<TermId> = Vec::with_capacity(4);
        terms.extend(before.iter().map(|&number| self.pool.integer(number).expect(ROOM)));
        terms.extend(arguments.iter().map(|&value| self.values[value as usize]));
        terms.extend(after.iter().map(|&number| self.pool.integer(number).expect(ROOM)));
        let value = match self.pool.op(op, &terms) {
            Err(_) => UNDECIDED,
            Ok(term) if symbol(code).kind == Kind::Language => self.value(term),
            Ok(term) => self.evaluated(term),
        };
        self.memo.insert(key, value);
        value
    }

    fn evaluated(&mut self, term: TermId) -> ValueId {
        let limits = Limits { steps: STEPS, cpu_time: None, ..Limits::default() };
        let evaluation = Evaluator::with_limits(&self.pool, &self.model, limits).evaluate(term);
        let literal = match evaluation.known() {
            Some(Value::Bool(truth)) => {
                return if *truth { TRUE } else { FALSE };
            }
            Some(Value::Int(number)) => self.pool.integer(number.clone()),
            Some(Value::String(text)) => self.pool.string(text.clone()),
            _ => return UNDECIDED,
        };
        match literal {
            Ok(literal) => self.value(literal),
            Err(_) => UNDECIDED,
        }
    }
}

/// The constants of a formula, as bits.
fn occurring(codes: &[u8]) -> u8 {
    let constants = codes.iter().filter(|code| **code < CONSTANTS);
    constants.fold(0, |bits, code| bits | 1 << code)
}

/// The first values for every constant that occurs.
pub(crate) fn first_values(codes: &[u8]) -> Domains {
    let occurring = occurring(codes);
    let texts = (occurring & ((1 << TEXTS) - 1)).count_ones() as usize;
    let numbers = (occurring >> TEXTS).count_ones() as usize;
    let mut domains = Domains::default();
    for code in (0..CONSTANTS).filter(|code| occurring & 1 << code != 0) {
        let count = match symbol(code).kind {
            Kind::Int => NUMBER_COUNTS[texts][numbers],
            _ => WORD_COUNTS[texts],
        };
        domains[usize::from(code)] = (0..count).collect();
    }
    domains
}

/// Two or three values for every constant that occurs, mostly of the more useful ones.
pub(crate) fn some_values(codes: &[u8], dice: &mut Dice) -> Domains {
    let occurring = occurring(codes);
    let mut domains = Domains::default();
    for code in (0..CONSTANTS).filter(|code| occurring & 1 << code != 0) {
        let all = if symbol(code).kind == Kind::Int { NUMBERS.len() } else { WORDS.len() };
        let count = dice.pick(&[2, 2, 3, 3, 4]);
        let mut places: Vec<usize> = (0..count)
            .map(|_| {
                let bound = if dice.percent(70) { 6 } else { all };
                dice.below(bound)
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        domains[usize::from(code)] = places;
    }
    domains
}

/// The value of a constant at a place of its list.
pub(crate) fn value_at(code: u8, place: usize) -> Value {
    if symbol(code).kind == Kind::Int {
        return Value::Int(NUMBERS[place].into());
    }
    let word = SmtString::from_codes(WORDS[place].to_vec());
    Value::String(word.expect("characters of the theory"))
}

/// Visits all assignments of some constants, with the place of each in the tables, until `visit` says
/// that it is enough. The last constant changes fastest, in every table.
fn odometer(
    constants: u8,
    radix: &[usize; CONSTANTS as usize],
    tables: &[Table],
    mut visit: impl FnMut(&[usize], &[usize; CONSTANTS as usize]) -> bool,
) {
    const MOST: usize = 3;
    let tables = &tables[..tables.len().min(MOST)];
    // How far the place in each table moves with each constant.
    let mut strides = [[0_usize; CONSTANTS as usize]; MOST];
    for (table, strides) in tables.iter().zip(&mut strides) {
        let mut stride = 1;
        for code in (0..usize::from(CONSTANTS)).rev() {
            if table.constants & 1 << code != 0 {
                strides[code] = stride;
                stride *= radix[code];
            }
        }
    }
    let mut digits = [0_usize; CONSTANTS as usize];
    let mut places = [0_usize; MOST];
    loop {
        if visit(&places[..tables.len()], &digits) {
            return;
        }
        let mut code = usize::from(CONSTANTS);
        loop {
            if code == 0 {
                return;
            }
            code -= 1;
            if constants & 1 << code == 0 {
                continue;
            }
            digits[code] += 1;
            if digits[code] < radix[code] {
                for (place, strides) in places.iter_mut().zip(&strides) {
                    *place += strides[code];
                }
                break;
            }
            digits[code] = 0;
            for (place, strides) in places.iter_mut().zip(&strides) {
                *place -= strides[code] * (radix[code] - 1);
            }
        }
    }
}
