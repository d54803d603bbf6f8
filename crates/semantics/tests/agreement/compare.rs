//! Puts the crate under test and the oracle side by side.

use std::panic::{AssertUnwindSafe, catch_unwind};

use luthier_generator::random::Generator;
use luthier_semantics::{Evaluation, Evaluator, Model, Value};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};

use crate::naive::{Datum, Verdict, judge};
use crate::text::show;

/// How the two compare on one term.
pub enum Outcome {
    /// Both give the same value.
    Agree,
    /// The crate is undecided, and must be: the value depends on division by zero.
    Open,
    /// The crate is undecided about a term with a division by zero that may not matter.
    Cautious,
    /// The crate is undecided although there is only one possible value.
    Undecided(String),
    /// The oracle gives up.
    Skipped,
    /// They contradict each other.
    Disagree(String),
}

/// What the crate under test says about a ground term. A panic is an answer, too.
pub fn answer(pool: &TermPool, term: TermId) -> Result<Evaluation, String> {
    answer_of(&mut Evaluator::new(pool, &Model::default()), term)
}

fn answer_of(evaluator: &mut Evaluator<'_>, term: TermId) -> Result<Evaluation, String> {
    catch_unwind(AssertUnwindSafe(|| evaluator.evaluate(term))).map_err(|_| "a panic".to_owned())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::String(value) => format!("{value:?}"),
        Value::RegLan(_) | Value::Array(_) => "a language or an array".to_owned(),
    }
}

/// Whether a value of the crate is this value of the oracle.
fn equal(value: &Value, datum: &Datum) -> bool {
    match (value, datum) {
        (Value::Bool(one), Datum::Bool(two)) => one == two,
        (Value::Int(one), Datum::Int(two)) => one == two,
        (Value::String(one), Datum::Text(two)) => {
            one.iter().map(|character| character.code()).eq(two.iter().copied())
        }
        _ => false,
    }
}

/// Compares the two on a term of another sort than `RegLan`.
pub fn compare(pool: &TermPool, term: TermId) -> Outcome {
    compare_with(&mut Evaluator::new(pool, &Model::default()), pool, term)
}

fn compare_with(evaluator: &mut Evaluator<'_>, pool: &TermPool, term: TermId) -> Outcome {
    let Ok(verdict) = judge(pool, term) else { return Outcome::Skipped };
    let answer = match answer_of(evaluator, term) {
        Ok(answer) => answer,
        Err(panic) => return Outcome::Disagree(format!("{panic} on {}", show(pool, term))),
    };
    let expected = match (&verdict, &answer) {
        (Verdict::Depends, Evaluation::Undecided(_)) => return Outcome::Open,
        (Verdict::PerhapsValue(_), Evaluation::Undecided(_)) => return Outcome::Cautious,
        (Verdict::Value(datum), Evaluation::Undecided(reasons)) => {
            let term = show(pool, term);
            return Outcome::Undecided(format!("{term}\n    is {datum}, but: {reasons:?}"));
        }
        (Verdict::Value(datum) | Verdict::PerhapsValue(datum), Evaluation::Known(value)) => {
            if equal(value, datum) {
                return Outcome::Agree;
            }
            datum.to_string()
        }
        (Verdict::Depends, Evaluation::Known(_)) => "open (division by zero)".to_owned(),
    };
    let Evaluation::Known(value) = &answer else { unreachable!("handled above") };
    let term = show(pool, term);
    Outcome::Disagree(format!("{term}\n    crate:  {}\n    oracle: {expected}", shown(value)))
}

/// The disagreement on the smallest part of the term on which there is one.
fn smallest_disagreement(pool: &TermPool, root: TermId) -> Option<String> {
    PostOrder::new(pool, [root]).filter(|&part| pool.sort(part) != Sort::RegLan).find_map(|part| {
        match compare(pool, part) {
            Outcome::Disagree(text) => Some(text),
            _ => None,
        }
    })
}

/// A disagreement when one evaluator is asked about every part, the whole first: what it
/// remembers from one question must not change the answer to the next.
fn disagreement_on_a_part(pool: &TermPool, root: TermId) -> Option<String> {
    let model = Model::default();
    let mut evaluator = Evaluator::new(pool, &model);
    let mut parts: Vec<TermId> = PostOrder::new(pool, [root]).collect();
    parts.reverse();
    parts.into_iter().find_map(|part| {
        if pool.sort(part) == Sort::RegLan {
            return match answer_of(&mut evaluator, part) {
                Ok(Evaluation::Known(Value::RegLan(_)) | Evaluation::Undecided(_)) => None,
                _ => Some(format!("no language: {}", show(pool, part))),
            };
        }
        match compare_with(&mut evaluator, pool, part) {
            Outcome::Disagree(text) => Some(text),
            _ => None,
        }
    })
}

/// Counts over many terms.
#[derive(Default)]
pub struct Tally {
    pub agreed: u64,
    pub open: u64,
    pub cautious: u64,
    pub undecided: u64,
    pub skipped: u64,
    /// In how many terms with an agreed value each operator occurs.
    pub with: Vec<u64>,
    pub examples: Vec<String>,
    pub disagreements: Vec<String>,
}

/// More than these are counted but not kept.
const MOST_EXAMPLES: usize = 10;

/// All parts of one term among so many are compared, too. It is prime, so that every operator has
/// its turn at the root of such a term.
const PARTS_OF_ONE_IN: u64 = 23;

impl Tally {
    /// Compares the terms whose numbers are `first`, `first + step`, ... below `count`.
    pub fn of(seed: u64, first: u64, step: u64, count: u64) -> Self {
        let mut tally = Self { with: vec![0; Op::TABLE.len()], ..Self::default() };
        for number in (first..count).step_by(step as usize) {
            // Each term has its own dice, so its number and the seed are enough to make it again.
            let mut generator = Generator::default();
            let root = generator.numbered(seed, number);
            let name = format!("seed {seed}, term {number}");
            tally.add(&generator.pool, root, &name);
            if number % PARTS_OF_ONE_IN == 0
                && let Some(text) = disagreement_on_a_part(&generator.pool, root)
            {
                tally.disagreements.push(format!("{name}, a part: {text}"));
            }
            if tally.disagreements.len() >= MOST_EXAMPLES {
                break;
            }
        }
        tally
    }

    fn add(&mut self, pool: &TermPool, root: TermId, name: &str) {
        match compare(pool, root) {
            Outcome::Agree => {
                self.agreed += 1;
                let mut occurs = vec![false; Op::TABLE.len()];
                for part in PostOrder::new(pool, [root]) {
                    if let Term::Op(op, _) = pool.term(part) {
                        occurs[op as usize] = true;
                    }
                }
                for (count, occurs) in self.with.iter_mut().zip(occurs) {
                    *count += u64::from(occurs);
                }
            }
            Outcome::Open => self.open += 1,
            Outcome::Cautious => self.cautious += 1,
            Outcome::Skipped => self.skipped += 1,
            Outcome::Undecided(text) => {
                self.undecided += 1;
                if self.examples.len() < MOST_EXAMPLES {
                    self.examples.push(format!("{name}: {text}"));
                }
            }
            Outcome::Disagree(text) => {
                let text = smallest_disagreement(pool, root).unwrap_or(text);
                self.disagreements.push(format!("{name}: {text}"));
            }
        }
    }

    /// The counts of both.
    pub fn join(mut self, other: Self) -> Self {
        self.agreed += other.agreed;
        self.open += other.open;
        self.cautious += other.cautious;
        self.undecided += other.undecided;
        self.skipped += other.skipped;
        self.with.iter_mut().zip(other.with).for_each(|(count, more)| *count += more);
        self.examples.extend(other.examples);
        self.disagreements.extend(other.disagreements);
        self
    }

    /// The number of terms.
    pub fn total(&self) -> u64 {
        self.agreed + self.open + self.cautious + self.undecided + self.skipped
    }
}
