//! Formulas of the sample: some thousand are generated, and each is used several times
//! with another first line, and so with other bytes.

use std::error::Error;
use std::num::NonZeroUsize;
use std::thread;

use luthier_campaign::parsed_instance::ParsedInstance;
use luthier_generator::stream::{Settings, Source};
use luthier_generator::{Dice, Expected, Stream};
use luthier_records::{Bytes, Digest, Instance, Verdict};
use luthier_smtlib::CommandKind;
use luthier_smtlib::annotations::is_ours;

use super::places::{Labels, SamplePlace, SampleSet};

/// How many formulas are generated at most.
const MAX_COUNT: usize = 4_000;

/// The formulas of a sample.
pub struct Formulas {
    satisfiable: Vec<Base>,
    unsatisfiable: Vec<Base>,
}

/// A generated formula, with everything that may be known about it beforehand.
struct Base {
    labelled: [(String, Instance); 3],
    values: Vec<(String, &'static str, String)>,
}

/// An instance of the sample.
pub struct SampleInstance {
    /// What is recorded about it.
    pub instance: Instance,
    /// Its text.
    pub text: String,
    /// The answer.
    pub verdict: Verdict,
    /// Values that satisfy it: name, sort, literal.
    pub values: Vec<(String, &'static str, String)>,
}

impl Formulas {
    /// Generates enough formulas for so many instances.
    pub fn new(seed: u64, instances: usize) -> Result<Self, Box<dyn Error>> {
        let sources = vec![Source::Planted, Source::Tangled, Source::Bounded, Source::Laws];
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let settings = Settings { threads, ..Settings::new(seed, sources) };
        let mut formulas = Formulas { satisfiable: Vec::new(), unsatisfiable: Vec::new() };
        let count = instances.div_ceil(4).clamp(40, MAX_COUNT);
        for case in Stream::new(settings).take(count) {
            for formula in case.formulas {
                let (list, values) = match formula.expected {
                    Expected::Sat(values) => (&mut formulas.satisfiable, values),
                    Expected::Unsat(_) => (&mut formulas.unsatisfiable, Vec::new()),
                    Expected::Open => continue,
                };
                let labelled = [Labels::Planted, Labels::Status, Labels::None]
                    .map(|labels| label(&formula.text, labels));
                list.push(Base { labelled, values });
            }
        }
        if formulas.satisfiable.is_empty() || formulas.unsatisfiable.is_empty() {
            return Err("no formulas of one of the answers were made; take another seed".into());
        }
        Ok(formulas)
    }

    /// The instance at a place.
    pub fn choose(&self, set: &SampleSet, place: &SamplePlace, dice: &mut Dice) -> SampleInstance {
        let is_satisfiable = dice.percent(set.satisfiable);
        let list = if is_satisfiable { &self.satisfiable } else { &self.unsatisfiable };
        let base = &list[dice.below(list.len())];
        let (text, instance) = &base.labelled[set.labels as usize];
        let text = format!("; {}, number {}\n{text}", set.name, place.number);
        SampleInstance {
            instance: Instance {
                digest: Digest::of(text.as_bytes()),
                size: Bytes(text.len() as u64),
                ..instance.clone()
            },
            text,
            verdict: if is_satisfiable { Verdict::Sat } else { Verdict::Unsat },
            values: base.values.clone(),
        }
    }
}

/// The formula with only those labels, and what is recorded about it.
fn label(text: &str, labels: Labels) -> (String, Instance) {
    let question = ParsedInstance::read(text.as_bytes(), None);
    let mut kept = String::with_capacity(text.len());
    let mut position = 0;
    for command in &question.script.commands {
        let CommandKind::SetInfo(attribute) = &command.kind else { continue };
        let is_left_out = match question.pool.symbols().bytes_of(attribute.keyword) {
            b":status" => labels == Labels::None,
            keyword => is_ours(keyword) && labels != Labels::Planted,
        };
        if is_left_out {
            kept.push_str(&text[position..command.span.start as usize]);
            // With the end of its line, so that no empty line stays.
            let rest = &text[command.span.end as usize..];
            position = text.len() - rest.strip_prefix('\n').unwrap_or(rest).len();
        }
    }
    kept.push_str(&text[position..]);
    let question = ParsedInstance::read(kept.as_bytes(), None);
    let features = luthier_judge::features(&question.pool, &question.script);
    (kept, Instance { features: Some(features), ..question.instance })
}
