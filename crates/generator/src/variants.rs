//! Metamorphic variants: other scripts with the same answer.
//!
//! A variant is derived from a script with one query by a transformation that preserves the answer,
//! whatever it is. So a solver that answers `sat` to a script and `unsat` to its variant is wrong
//! about one of them, without any ground truth.
//!
//! All kinds but one preserve models: a model of the old query is one of the new query if the new
//! constants get the values of [`Variant::translate_model`], and what falsifies the old query
//! falsifies the new one for all values of the new constants that its definitions and assumptions
//! allow. [`VariantKind::WitnessAdded`] preserves only the answer `sat`, and one model.
//!
//! Planted annotations are transferred where they are still right: the expected answer always, a
//! witness with the names and values of the new constants, a core as long as it is still the only
//! minimal one. Named assertions stay or become equivalent ones under the same name, so a core is
//! lost only where assertions become assumptions or a needed equation is added.

mod definitions;
mod escapes;
mod frame;
mod functions;
mod ite;
mod languages;
mod legacy;
mod literals;
mod logic;
mod order;
pub(crate) mod planted;
mod renaming;
mod rewrite;
mod scopes;
mod structure;

use std::collections::BTreeMap;
use std::fmt;

use luthier_semantics::{Evaluator, Interpretation, Limits, Model, Value};
use luthier_smtlib::{Dialect, Mode, PrintOptions, ReadOptions, Script, print_script, read_script};
use luthier_terms::{FunctionId, TermId, TermPool};

use crate::{Dice, Expected, Formula};
pub use escapes::{requests_plain_backslashes, with_plain_backslashes};
use frame::Frame;
use functions::Target;
pub use legacy::{OperatorNames, requested_names, with_legacy_names};
pub(crate) use planted::{values_of, witness_of_text};

/// A copy of a script, as printed in the dialect of a solver, with the spelling that the annotations
/// `:luthier-names` and `:luthier-backslashes` of the script request.
pub fn with_requested_spelling(
    pool: &TermPool,
    script: &Script,
    mut copy: Vec<u8>,
    dialect: Dialect,
) -> Vec<u8> {
    if requested_names(pool, script) == OperatorNames::Legacy {
        copy = with_legacy_names(&copy, dialect);
    }
    if requests_plain_backslashes(pool, script) {
        copy = with_plain_backslashes(&copy, dialect);
    }
    copy
}

/// The evaluation steps for the value of a new constant, or for checking a witness.
const VALUE_STEPS: u64 = 2_000_000;

/// A kind of variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VariantKind {
    /// Constants are asserted to have their values in a known witness.
    WitnessAdded,
    /// Assertions are guarded by new Boolean constants, which are assumed: `check-sat-assuming`.
    Assuming,
    /// Assertions are distributed over scopes; before them others are asserted and popped.
    Scopes,
    /// Solvers that read several names for an operator get the old ones: see [`OperatorNames`].
    LegacyNames,
    /// Declarations and assertions come in another order.
    Reordered,
    /// Arguments of operators such as `and`, `+`, `re.union` come in another order.
    Commuted,
    /// Constants have other names, or each other's.
    Renamed,
    /// An operator moves into the branches of an `ite` below it.
    IteLifted,
    /// An assertion becomes an `ite` over a new constant with two equivalent branches.
    IteWrapped,
    /// `(not (not a))` for a, `(- (- n))` for n.
    DoubleNegation,
    /// `and` by `or`, and the other way round.
    DeMorgan,
    /// `=>`, `or`, `xor`, `distinct`, `ite` and equality of Booleans by each other.
    Implications,
    /// Equalities and inequalities from right to left, or as negations of their complements.
    Flipped,
    /// Languages by complements: twice, or by the laws of de Morgan.
    Complemented,
    /// Literals as concatenations and sums.
    LiteralsSplit,
    /// Literals become substrings of longer ones, in which something looks like an escape and is none.
    EscapeLookAlikes,
    /// A subterm becomes a `define-fun`, with or without a parameter.
    Defined,
    /// A subterm becomes a new constant with an equation.
    Abbreviated,
    /// Subterms that occur twice are bound by `let`.
    Lets,
    /// Assertions are joined by `and`.
    Joined,
    /// Conjuncts are asserted one by one.
    Split,
    /// Constants become values of a declared function.
    Applied,
    /// Constants become elements of an array.
    Selected,
}

impl VariantKind {
    /// All kinds.
    pub const ALL: [Self; 23] = [
        Self::WitnessAdded,
        Self::Assuming,
        Self::Scopes,
        Self::LegacyNames,
        Self::Reordered,
        Self::Commuted,
        Self::Renamed,
        Self::IteLifted,
        Self::IteWrapped,
        Self::DoubleNegation,
        Self::DeMorgan,
        Self::Implications,
        Self::Flipped,
        Self::Complemented,
        Self::LiteralsSplit,
        Self::EscapeLookAlikes,
        Self::Defined,
        Self::Abbreviated,
        Self::Lets,
        Self::Joined,
        Self::Split,
        Self::Applied,
        Self::Selected,
    ];

    /// A stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::WitnessAdded => "witness-added",
            Self::Assuming => "assuming",
            Self::Scopes => "scopes",
            Self::LegacyNames => "legacy-names",
            Self::Reordered => "reordered",
            Self::Commuted => "commuted",
            Self::Renamed => "renamed",
            Self::IteLifted => "ite-lifted",
            Self::IteWrapped => "ite-wrapped",
            Self::DoubleNegation => "double-negation",
            Self::DeMorgan => "de-morgan",
            Self::Implications => "implications",
            Self::Flipped => "flipped",
            Self::Complemented => "complemented",
            Self::LiteralsSplit => "literals-split",
            Self::EscapeLookAlikes => "escape-look-alikes",
            Self::Defined => "defined",
            Self::Abbreviated => "abbreviated",
            Self::Lets => "lets",
            Self::Joined => "joined",
            Self::Split => "split",
            Self::Applied => "applied",
            Self::Selected => "selected",
        }
    }

    /// Whether it preserves models, and not only the answer.
    pub fn keeps_models(self) -> bool {
        self != Self::WitnessAdded
    }
}

impl fmt::Display for VariantKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A variant, with the mapping of the constants.
#[derive(Clone, Debug, Default)]
pub struct Variant {
    /// The variant.
    pub script: Script,
    /// Constants and functions with another name, and the new ones.
    pub renamed: BTreeMap<FunctionId, FunctionId>,
    /// Constants that are new, in the order of their declarations.
    pub fresh: Vec<(FunctionId, FreshValue)>,
    /// Functions that are new, with what they are over the constants of the script.
    pub functions: Vec<(FunctionId, Interpretation)>,
    /// A planted core is still the only minimal one.
    keeps_core: bool,
}

/// The value that a new constant must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshValue {
    /// This one.
    Bool(bool),
    /// Any truth value.
    AnyBool,
    /// The value of a term over the constants of the script that the variant was made from.
    Of(TermId),
}

impl Variant {
    /// A variant over the same constants, whose assertions are as before or equivalent ones.
    fn over_same_constants(script: Script) -> Self {
        Self { script, keeps_core: true, ..Self::default() }
    }

    /// Translates a model of the script into one of the variant. `None` if the referee does not find the
    /// value of a new constant within its limits.
    pub fn translate_model(&self, pool: &TermPool, model: &Model) -> Option<Model> {
        let mut translated = Model::new();
        translated.division_by_zero = model.division_by_zero.clone();
        translated.modulo_by_zero = model.modulo_by_zero.clone();
        for (function, interpretation) in model.iter() {
            let now = self.renamed.get(&function).copied().unwrap_or(function);
            translated.insert(now, interpretation.clone());
        }
        let limits = Limits { steps: VALUE_STEPS, ..Limits::default() };
        let mut evaluator = Evaluator::with_limits(pool, model, limits);
        for &(function, value) in &self.fresh {
            let value = match value {
                FreshValue::Bool(value) => Value::Bool(value),
                FreshValue::AnyBool => Value::Bool(false),
                FreshValue::Of(term) => evaluator.evaluate(term).known()?.clone(),
            };
            translated.insert(function, Interpretation::Value(value));
        }
        for (function, interpretation) in &self.functions {
            translated.insert(*function, interpretation.clone());
        }
        Some(translated)
    }
}

/// A variant of a script; `None` where the kind does not apply: the script has not exactly one query, or
/// nothing that the kind can transform. Only [`VariantKind::WitnessAdded`] needs a witness.
pub fn variant(
    pool: &mut TermPool,
    script: &Script,
    kind: VariantKind,
    dice: &mut Dice,
    witness: Option<&Model>,
) -> Option<Script> {
    make_variant(pool, script, kind, dice, witness).map(|made| made.script)
}

/// As [`variant`], with the mapping of the constants.
pub fn make_variant(
    pool: &mut TermPool,
    script: &Script,
    kind: VariantKind,
    dice: &mut Dice,
    witness: Option<&Model>,
) -> Option<Variant> {
    let frame = Frame::of(pool, script)?;
    let mut made = match kind {
        VariantKind::WitnessAdded => structure::witness_added(pool, &frame, dice, witness?)?,
        VariantKind::Assuming => structure::assuming(pool, &frame, dice)?,
        VariantKind::Scopes => scopes::scopes(pool, &frame, dice)?,
        VariantKind::LegacyNames => legacy::legacy_names(pool, &frame)?,
        VariantKind::Reordered => order::reordered(pool, &frame, dice)?,
        VariantKind::Commuted => order::commuted(pool, &frame, dice)?,
        VariantKind::Renamed => renaming::renamed(pool, &frame, dice)?,
        VariantKind::IteLifted => ite::lifted(pool, &frame, dice)?,
        VariantKind::IteWrapped => ite::wrapped(pool, &frame, dice)?,
        VariantKind::DoubleNegation => logic::double_negation(pool, &frame, dice)?,
        VariantKind::DeMorgan => logic::de_morgan(pool, &frame, dice)?,
        VariantKind::Implications => logic::implications(pool, &frame, dice)?,
        VariantKind::Flipped => logic::flipped(pool, &frame, dice)?,
        VariantKind::Complemented => languages::complemented(pool, &frame, dice)?,
        VariantKind::LiteralsSplit => literals::split(pool, &frame, dice)?,
        VariantKind::EscapeLookAlikes => escapes::look_alikes(pool, &frame, dice)?,
        VariantKind::Defined => definitions::defined(pool, &frame, dice)?,
        VariantKind::Abbreviated => definitions::abbreviated(pool, &frame, dice)?,
        VariantKind::Lets => definitions::lets(pool, &frame)?,
        VariantKind::Joined => structure::joined(pool, &frame, dice)?,
        VariantKind::Split => structure::split(pool, &frame)?,
        VariantKind::Applied => functions::applied(pool, &frame, dice, Target::Function)?,
        VariantKind::Selected => functions::applied(pool, &frame, dice, Target::Array)?,
    };
    planted::transfer_annotations(pool, script, &mut made);
    Some(made)
}

/// A chain of up to `depth` variants, each derived from the one before; the applied kinds, in order, and the
/// last script. Kinds are chosen at random among those given; those that do not apply are skipped. `None`
/// if none applies.
pub fn variants_of(
    pool: &mut TermPool,
    script: &Script,
    kinds: &[VariantKind],
    depth: usize,
    dice: &mut Dice,
    witness: Option<&Model>,
) -> Option<(Vec<VariantKind>, Script)> {
    /// The attempts for each variant of the chain.
    const TRIES: usize = 4;
    let mut applied = Vec::new();
    let mut last = script.clone();
    let mut witness = witness.cloned();
    for _ in 0..depth {
        for _ in 0..TRIES {
            if kinds.is_empty() {
                return None;
            }
            let kind = dice.pick(kinds);
            let Some(made) = make_variant(pool, &last, kind, dice, witness.as_ref()) else {
                continue;
            };
            witness = witness.and_then(|witness| made.translate_model(pool, &witness));
            applied.push(kind);
            last = made.script;
            break;
        }
    }
    (!applied.is_empty()).then_some((applied, last))
}

/// The variants of a standard script as standard texts, one of each kind that applies. The witness is
/// the planted one. A text that cannot be read has no variants.
pub fn variants_of_text(
    text: &str,
    kinds: &[VariantKind],
    mut dice: Dice,
) -> Vec<(VariantKind, String)> {
    let mut variants = Vec::new();
    let seed = dice.below(usize::MAX) as u64;
    for &kind in kinds {
        // Independent randomness and pool, so that a variant does not depend on the other kinds.
        let mut dice = Dice::new(seed, kind as u64);
        let mut pool = TermPool::new();
        let Some(script) = read(&mut pool, text) else { return variants };
        let witness = planted::witness(&mut pool, &script);
        let made = variant(&mut pool, &script, kind, &mut dice, witness.as_ref());
        if let Some(text) = made.and_then(|script| print(&pool, &script)) {
            variants.push((kind, text));
        }
    }
    variants
}

/// As [`variants_of_text`], but one chain of up to `depth` variants.
pub fn chain_of_text(
    text: &str,
    kinds: &[VariantKind],
    depth: usize,
    mut dice: Dice,
) -> Option<(Vec<VariantKind>, String)> {
    let mut pool = TermPool::new();
    let script = read(&mut pool, text)?;
    let witness = planted::witness(&mut pool, &script);
    let (applied, last) =
        variants_of(&mut pool, &script, kinds, depth, &mut dice, witness.as_ref())?;
    Some((applied, print(&pool, &last)?))
}

/// The variants of a formula as formulas, one of each kind that applies, with their planted answers: values
/// for their own constants, and an empty list of names where the core is lost. A variant without its
/// witness is left out.
pub fn variants_of_formula(
    formula: &Formula,
    kinds: &[VariantKind],
    dice: Dice,
) -> Vec<(VariantKind, Formula)> {
    let mut variants = Vec::new();
    for (kind, text) in variants_of_text(&formula.text, kinds, dice) {
        let mut pool = TermPool::new();
        let Some(script) = read(&mut pool, &text) else { continue };
        let expected = match &formula.expected {
            Expected::Sat(_) => planted::values(&mut pool, &script).map(Expected::Sat),
            Expected::Unsat(core) => {
                let core =
                    if planted::has_core(&pool, &script) { core.clone() } else { Vec::new() };
                Some(Expected::Unsat(core))
            }
            Expected::Open => Some(Expected::Open),
        };
        let Some(expected) = expected else { continue };
        let variant = Formula {
            name: format!("{}-{kind}", formula.name),
            derivation: format!("metamorphic variant ({kind}) of: {}", formula.derivation),
            expected,
            text,
            ..formula.clone()
        };
        variants.push((kind, variant));
    }
    variants
}

pub(crate) fn read(pool: &mut TermPool, text: &str) -> Option<Script> {
    let options = ReadOptions { dialect: Some(Dialect::Smt27), mode: Mode::Generous };
    let reading = read_script(pool, text.as_bytes(), &options);
    reading.is_accepted().then_some(reading.script)
}

fn print(pool: &TermPool, script: &Script) -> Option<String> {
    let printed = print_script(pool, script, &PrintOptions::new(Dialect::Smt26)).ok()?;
    String::from_utf8(printed.bytes).ok()
}
