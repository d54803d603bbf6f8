//! All limits on the work and size of engines, in one table.
//!
//! A limit has a name (`nielsen.walks`), a default and a unit. Engines read its value from the
//! [`Limits`] in their budget, so that two queries can run under different limits at the same time,
//! and record there when it is hit. No limit affects soundness: where one is hit, an engine omits
//! something (a lemma, a candidate, an answer), and `unsat` is reported only if nothing that it
//! depends on was omitted.
//!
//! Constants that do not bound work (polling intervals, sizes of representations, formats) stay
//! with the code that uses them.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

macro_rules! limits {
    ($($limit:ident $name:literal = $default:expr, $unit:literal, $bounds:literal;)*) => {
        /// A limit of an engine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the table says what each one bounds")]
        pub enum Limit { $($limit),* }

        impl Limit {
            /// All limits, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$limit),*];
        }

        const TABLE: [LimitRow; Limit::ALL.len()] =
            [$(LimitRow { name: $name, default: $default, unit: $unit, bounds: $bounds }),*];
    };
}

/// A row of the table.
struct LimitRow {
    name: &'static str,
    default: u64,
    unit: &'static str,
    bounds: &'static str,
}

/// The unit of times.
const MILLISECONDS: &str = "ms";

/// Larger values are rejected, so that sums and small multiples of limits do not overflow.
const MAX_LIMIT_VALUE: u64 = 1 << 40;

limits! {
    // Rewriting.
    RewriteTime "rewrite.time" = 3_000, "ms", "the simplification of the problem";
    RewriteRounds "rewrite.rounds" = 12, "rounds", "passes over all assertions";
    RewriteSteps "rewrite.steps" = 20_000, "steps", "applications of rules for one assertion, besides four for each of its terms";
    RewriteChain "rewrite.chain" = 200, "steps", "replacements of one term by another";
    RewriteContextTerms "rewrite.context_terms" = 300_000, "terms", "problems in which assertions simplify each other (contextual rewriting)";
    RewriteLiteral "rewrite.literal" = 1 << 20, "letters", "literals that are built";
    RewriteParts "rewrite.parts" = 4_096, "parts", "flattening of concatenations, conjunctions and disjunctions";
    RewritePowerParts "rewrite.power_parts" = 64, "parts", "languages in which powers of one word are looked for";
    RewritePower "rewrite.power" = 1_000, "letters", "powers of a word that are written out";
    RewriteDistinct "rewrite.distinct" = 300, "arguments", "`distinct` written as inequalities";
    RewriteEntailDepth "rewrite.entail_depth" = 2, "levels", "side conditions of side conditions in linear entailment";
    RewriteEntailForms "rewrite.entail_forms" = 16, "forms", "linear forms looked at for one entailment";
    RewriteEntailTerms "rewrite.entail_terms" = 8, "terms", "linear forms for which entailment is tried";
    RewriteCaseTerms "rewrite.case_terms" = 48, "terms", "problems that are refuted by case distinction";
    RewriteCases "rewrite.cases" = 40, "cases", "cases of a case distinction";
    RewriteCaseDepth "rewrite.case_depth" = 6, "atoms", "atoms that are decided in one case";
    RewriteContainsDepth "rewrite.contains_depth" = 4, "levels", "operators below `str.contains` that are looked into";
    RewriteFactors "rewrite.factors" = 2, "letters", "literals whose factors are listed for `str.contains`";
    RewriteAffixes "rewrite.affixes" = 2, "letters", "literals whose prefixes or suffixes are listed";
    RewriteProduct "rewrite.product" = 64, "factors", "products that are multiplied out";
    RewriteMatchTerms "rewrite.match_terms" = 400, "terms", "regular expressions that are matched against parts of a word";
    RewriteMatchLetters "rewrite.match_letters" = 4_000, "letters", "letters read while matching";
    RewriteRange "rewrite.range" = 300, "values", "ranges of a quantified integer that are unfolded";
    RewriteConstantTerms "rewrite.constant_terms" = 60, "terms", "regular expressions that are tested for being empty, one word or everything";
    RewriteConstantStates "rewrite.constant_states" = 60, "states", "automata for that test";
    RewriteEquation "rewrite.equation" = 400, "symbols", "word equations that are checked for a letter conflict";

    // Search.
    SearchTime "search.time" = 300, "ms", "the local search";
    SearchChoices "search.choices" = 6, "moves", "moves compared before one is made";
    SearchPatience "search.patience" = 400, "rounds", "rounds without progress before a restart";
    SearchLiteral "search.literal" = 20_000, "letters", "strings that are built";
    SearchTarget "search.target" = 5_000, "letters", "target values of a subterm";
    SearchStates "search.states" = 2_000, "states", "automata of memberships; larger ones are replaced by derivatives";
    SearchDerivatives "search.derivatives" = 300, "derivatives", "derivatives among which a word of a language is looked for";

    // Languages.
    LanguagesTime "languages.time" = 1_500, "ms", "the engine, on all components that it accepts together";
    LanguagesStates "languages.states" = 100_000, "states", "automata of intersections";
    LanguagesLength "languages.length" = 1 << 22, "letters", "strings of a model";

    // The length-first engine.
    CellsTime "cells.time" = 3_000, "ms", "the engine, on one component";
    CellsLength "cells.length" = 1 << 22, "letters", "strings of a model; 60, 1,000 and 20,000 are tried before";
    CellsCells "cells.cells" = 8_000_000, "cells", "letter positions of all strings of a candidate together";
    CellsModels "cells.models" = 12, "models", "candidates that the referee rejects";
    CellsStates "cells.states" = 2_000, "states", "automata of memberships";
    CellsFill "cells.fill" = 4_000_000, "steps", "letters times states when a string is filled from a language";
    CellsConflicts "cells.conflicts" = 24, "conflicts", "letter conflicts collected from one candidate";
    CellsOccurrences "cells.occurrences" = 24, "conflicts", "occurrences at excluded offsets collected from one candidate";
    CellsOccurrenceLetters "cells.occurrence_letters" = 40, "letters", "words that are searched for at excluded offsets";
    CellsOffsets "cells.offsets" = 12, "offsets", "offsets at which two literals may overlap in one lemma";

    // Nielsen transformations.
    NielsenTime "nielsen.time" = 1_500, "ms", "the engine, on one component";
    NielsenGuessTime "nielsen.guess_time" = 2_000, "ms", "the engine without a deadline if conditions are about more than lengths; with one, a fifth of what is left";
    NielsenSystems "nielsen.systems" = 200_000, "systems", "nodes of the graph; walks are tried at a thousandth, a hundredth, a tenth and all of it";
    NielsenSymbols "nielsen.symbols" = 8_000_000, "symbols", "all systems of the graph together";
    NielsenEquation "nielsen.equation" = 2_000, "symbols", "sides of a word equation";
    NielsenWalks "nielsen.walks" = 60, "walks", "walks to the empty system that are tried in one stage";
    NielsenCycles "nielsen.cycles" = 6, "cycles", "cycles through one system";
    NielsenWalkTime "nielsen.walk_time" = 300, "ms", "arithmetic for one walk, or an eighth of what is left if that is more";
    NielsenLength "nielsen.length" = 1 << 19, "letters", "strings of a model that arithmetic may choose";
    NielsenValue "nielsen.value" = 1 << 20, "letters", "values that are built along a walk";

    // Automata and alignments.
    NoodlesTime "noodles.time" = 3_000, "ms", "the engine, on one component";
    NoodlesCubes "noodles.cubes" = 2_000, "cubes", "choices of string literals that satisfy the Boolean structure";
    NoodlesStates "noodles.states" = 2_000, "states", "automata of languages and their products";
    NoodlesAlignments "noodles.alignments" = 5_000, "cases", "cases of the word equations of one cube";
    NoodlesWord "noodles.word" = 400, "symbols", "word equations that are aligned";
    NoodlesSplits "noodles.splits" = 100_000, "cases", "choices of states for the memberships of one alignment";
    NoodlesModels "noodles.models" = 12, "models", "candidates of one cube that the referee rejects";
    NoodlesLength "noodles.length" = 1 << 16, "letters", "strings of a model";

    // Flat words.
    FlatCheckTime "flat.check_time" = 400, "ms", "the first check of arithmetic; half as much again after each that takes too long";
    FlatRungs "flat.rungs" = 24, "rungs", "sizes of a domain, from the ladder of periods and blocks";
    FlatK "flat.k" = 1, "cycles", "cycle count `k` at first, if `flat.l` is set";
    FlatL "flat.l" = 0, "letters", "period `l` at first, as in Algorithm 1 of the paper; 0 for the ladder";
    FlatGrowth "flat.growth" = 1, "steps", "growth of `k` and `l` from one round to the next";
    FlatFlim "flat.flim" = 8, "rounds", "flattening limit `flim`: rounds after the first one, if `flat.l` is set";
    FlatFactors "flat.factors" = 6, "factors", "repeated factors that become variables";
    FlatFactorParts "flat.factor_parts" = 600, "parts", "concatenations in which repeated factors are looked for";
    FlatFactorTime "flat.factor_time" = 10_000, "ms", "the form with factors as variables; half of what is left if that is less";
    FlatLength "flat.length" = 1 << 18, "letters", "words of a domain";
    FlatShort "flat.short" = 32, "letters", "variables whose domain has all words at once, if their length has such a bound";
    FlatSlices "flat.slices" = 20_000, "slices", "slices of one word";
    FlatValue "flat.value" = 1 << 20, "letters", "values of a candidate";
    FlatStates "flat.states" = 400, "states", "automata that are unrolled";
    FlatUnrolled "flat.unrolled" = 250, "letters", "letters that an automaton is unrolled for if the word is not one block";
    FlatDigits "flat.digits" = 80, "digits", "digits of conversions to and from integers";
    FlatFactDigits "flat.fact_digits" = 20, "digits", "numbers whose decimal length is stated";
    FlatPaper "flat.paper" = 200_000, "comparisons", "comparisons of letters of one not-substring in the form `paper`";
    FlatCovering "flat.covering" = 400_000, "letters", "letters compared over all shifts of one not-substring in the form `covering`";

    // Abstraction.
    AbstractionRounds "abstraction.rounds" = 20, "rounds", "refinements";
    AbstractionRewriteTime "abstraction.rewrite_time" = 500, "ms", "rewriting at the start and in each round";
    AbstractionDepth "abstraction.depth" = 3, "levels", "facts about terms of facts";
    AbstractionTerms "abstraction.terms" = 30_000, "terms", "terms that get facts";
    AbstractionInstances "abstraction.instances" = 1_500, "instances", "instances of one axiom about pairs of terms";
    AbstractionLiteral "abstraction.literal" = 10_000, "letters", "literals that are built";
    AbstractionMatchTerms "abstraction.match_terms" = 3_000, "terms", "regular expressions that literals are matched against";
    AbstractionMatchLetters "abstraction.match_letters" = 63, "letters", "literals that are matched";
    AbstractionWords "abstraction.words" = 16, "words", "finite languages that are listed";
    AbstractionParts "abstraction.parts" = 24, "parts", "concatenations with facts about each part";
    AbstractionSplits "abstraction.splits" = 64, "pairs", "alignments of the parts of one equation";
    AbstractionLetters "abstraction.letters" = 6, "letters", "letters that are counted in one equation";
    AbstractionDigits "abstraction.digits" = 18, "digits", "numbers whose decimal length is stated";
    AbstractionEquations "abstraction.equations" = 2_000, "equations", "equations searched for one about the same word";
    AbstractionPartners "abstraction.partners" = 12, "equations", "equations compared with one about the same word";
    AbstractionPairs "abstraction.pairs" = 16, "pairs", "pairs of literals of two concatenations that are equal";
    AbstractionOffsets "abstraction.offsets" = 12, "offsets", "offsets at which two literals may overlap in one fact";
    AbstractionOverlap "abstraction.overlap" = 500, "letters", "literals whose overlaps are computed";
    AbstractionLemmas "abstraction.lemmas" = 150, "lemmas", "lemmas of each kind in one round";
    AbstractionValues "abstraction.values" = 10_000, "terms", "values queried from the arithmetic solver";
    AbstractionRewritten "abstraction.rewritten" = 400, "terms", "terms rewritten under the values of one candidate";
    AbstractionSpelled "abstraction.spelled" = 24, "letters", "strings with a fact for each letter";

    // Used by several engines.
    SharedCongruences "shared.congruences" = 20_000, "pairs", "pairs of applications of one function whose congruence is stated";
    SharedReads "shared.reads" = 20_000, "reads", "applications and reads of arrays";
    SharedInstances "shared.instances" = 60, "instances", "instances of one quantified formula";
    SharedProductBits "shared.product_bits" = 1 << 16, "bits", "products of numerals";
    SharedDigits "shared.digits" = 20_000, "digits", "conversions of literals to and from integers";
    SharedRegexParts "shared.regex_parts" = 4_000_000, "parts", "derivatives of regular expressions, some hundred megabytes";
    SharedLengthWork "shared.length_work" = 40_000_000, "steps", "states times lengths for the lengths of the words of a language";
    SharedLengths "shared.lengths" = 20_000, "lengths", "lengths until those of a language must repeat";
}

/// Why a limit cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The text is not `NAME=VALUE`.
    #[error("`{0}` is not NAME=VALUE, as in nielsen.walks=100")]
    NoValue(String),
    /// There is no limit of this name.
    #[error("there is no limit `{name}`{}", Near(near))]
    Unknown {
        /// The name.
        name: String,
        /// Limits with similar names.
        near: Vec<&'static str>,
    },
    /// The value is not of the limit's unit.
    #[error("`{value}` is no value of {name}: expected {expected}")]
    WrongUnit {
        /// The limit.
        name: &'static str,
        /// The value.
        value: String,
        /// What its values look like.
        expected: String,
    },
}

/// Names to propose.
struct Near<'a>(&'a [&'static str]);

impl fmt::Display for Near<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            names => write!(f, "; near names are {}", names.join(", ")),
        }
    }
}

impl Limit {
    fn row(self) -> &'static LimitRow {
        &TABLE[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The engine that it limits, or `shared`: the part of its name before the dot.
    pub fn engine(self) -> &'static str {
        let name = self.name();
        name.split_once('.').map_or(name, |(engine, _)| engine)
    }

    /// What it bounds.
    pub fn bounds(self) -> &'static str {
        self.row().bounds
    }

    /// The unit of its values.
    pub fn unit(self) -> &'static str {
        self.row().unit
    }

    /// Whether it limits time.
    pub fn is_time(self) -> bool {
        self.unit() == MILLISECONDS
    }

    /// Its default, as it is set on the command line.
    pub fn default_text(self) -> String {
        self.text(self.row().default)
    }

    fn text(self, value: u64) -> String {
        match self.is_time() {
            true if value.is_multiple_of(1000) && value > 0 => format!("{}s", value / 1000),
            true => format!("{value}ms"),
            false => value.to_string(),
        }
    }

    /// The limit of a name; an error that proposes near ones.
    pub fn named(name: &str) -> Result<Self, LimitError> {
        if let Some(&found) = Self::ALL.iter().find(|limit| limit.name() == name) {
            return Ok(found);
        }
        let mut near: Vec<(usize, &'static str)> = Self::ALL
            .iter()
            .map(|limit| (distance(name, limit), limit.name()))
            .filter(|(distance, _)| *distance <= 3)
            .collect();
        near.sort_unstable();
        let near = near.into_iter().take(5).map(|(_, name)| name).collect();
        Err(LimitError::Unknown { name: name.to_owned(), near })
    }

    /// Parses a value in the limit's unit.
    fn parse(self, text: &str) -> Result<u64, LimitError> {
        let (digits, factor) = match self.is_time() {
            true => match (text.strip_suffix("ms"), text.strip_suffix('s')) {
                (Some(digits), _) => (digits, 1),
                (None, Some(digits)) => (digits, 1000),
                (None, None) => ("", 1),
            },
            false => (text, 1),
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(factor));
        match value.filter(|&value| is_number && value <= MAX_LIMIT_VALUE) {
            Some(value) => Ok(value),
            None => {
                let expected = match self.is_time() {
                    true => "a time such as 300ms or 3s".to_owned(),
                    false => format!("a number of {} up to {MAX_LIMIT_VALUE}", self.unit()),
                };
                Err(LimitError::WrongUnit { name: self.name(), value: text.to_owned(), expected })
            }
        }
    }
}

/// The distance of a name from that of a limit: 0 for the part after the dot.
fn distance(name: &str, limit: &Limit) -> usize {
    let full = limit.name();
    let last = full.split_once('.').map_or(full, |(_, last)| last);
    if name == last || name == limit.engine() {
        return 0;
    }
    edits(name, full).min(edits(name, last) + 1)
}

/// The number of letters to insert, delete or replace.
fn edits(one: &str, other: &str) -> usize {
    let other = other.as_bytes();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.bytes().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (position, &wanted) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != wanted);
            diagonal = row[position + 1];
            row[position + 1] = replaced.min(diagonal + 1).min(row[position] + 1);
        }
    }
    row[other.len()]
}

/// The values of all limits for one query, and which of them were hit.
pub struct Limits {
    values: [u64; Limit::ALL.len()],
    hits: [AtomicBool; Limit::ALL.len()],
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            values: std::array::from_fn(|at| TABLE[at].default),
            hits: [const { AtomicBool::new(false) }; Limit::ALL.len()],
        }
    }
}

/// The same values; none is hit yet.
impl Clone for Limits {
    fn clone(&self) -> Self {
        Self { values: self.values, ..Self::default() }
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.changed()).finish()
    }
}

impl Limits {
    /// Sets a limit as `NAME=VALUE`.
    pub fn set(&mut self, text: &str) -> Result<(), LimitError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| LimitError::NoValue(text.to_owned()))?;
        let limit = Limit::named(name)?;
        self.values[limit as usize] = limit.parse(value)?;
        Ok(())
    }

    /// The value of a limit on a number.
    pub fn count(&self, limit: Limit) -> usize {
        usize::try_from(self.values[limit as usize]).unwrap_or(usize::MAX)
    }

    /// The value of a limit on time.
    pub fn time(&self, limit: Limit) -> Duration {
        Duration::from_millis(self.values[limit as usize])
    }

    /// Whether an amount exceeds a limit; if so, the limit is recorded as hit.
    pub fn exceeds(&self, limit: Limit, amount: usize) -> bool {
        let is_beyond = amount as u64 > self.values[limit as usize];
        if is_beyond {
            self.hit(limit);
        }
        is_beyond
    }

    /// Records that a limit was hit.
    pub fn hit(&self, limit: Limit) {
        self.hits[limit as usize].store(true, Ordering::Relaxed);
    }

    /// The limits that were recorded as hit.
    pub fn hits(&self) -> Vec<Limit> {
        let is_hit = |limit: &Limit| self.hits[*limit as usize].load(Ordering::Relaxed);
        Limit::ALL.iter().copied().filter(is_hit).collect()
    }

    /// The limits that differ from their defaults, with their values as they are set.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let changed = |&&limit: &&Limit| self.values[limit as usize] != limit.row().default;
        let limits = Limit::ALL.iter().filter(changed);
        limits.map(|&limit| (limit.name(), limit.text(self.values[limit as usize])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_say_the_engine() {
        let engines: Vec<&str> = crate::strategy::ENGINES.iter().map(|entry| entry.name).collect();
        let mut names: Vec<&str> = Limit::ALL.iter().map(|limit| limit.name()).collect();
        for limit in Limit::ALL {
            assert_eq!(Limit::named(limit.name()), Ok(*limit));
            let engine = limit.engine();
            assert!(engine == "shared" || engines.contains(&engine), "{}", limit.name());
            assert_eq!(limit.parse(&limit.default_text()), Ok(limit.row().default));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Limit::ALL.len());
    }

    #[test]
    fn limits_are_set_by_name_in_their_unit() {
        let mut limits = Limits::default();
        assert_eq!(limits.changed().count(), 0);
        for text in ["nielsen.walks=7", "search.time=2s", "flat.check_time=50ms"] {
            assert_eq!(limits.set(text), Ok(()), "{text}");
        }
        assert_eq!(limits.count(Limit::NielsenWalks), 7);
        assert_eq!(limits.time(Limit::SearchTime), Duration::from_secs(2));
        let changed: Vec<_> =
            limits.changed().map(|(name, value)| format!("{name}={value}")).collect();
        assert_eq!(changed, ["search.time=2s", "nielsen.walks=7", "flat.check_time=50ms"]);
    }

    #[test]
    fn what_cannot_be_set_is_said_with_near_names() {
        let mut limits = Limits::default();
        let mut complaint = |text: &str| limits.set(text).unwrap_err().to_string();
        let text = complaint("nielsen.walk=3");
        assert!(
            text.contains("no limit `nielsen.walk`") && text.contains("nielsen.walks"),
            "{text}"
        );
        let text = complaint("walks=3");
        assert!(text.ends_with("near names are nielsen.walks"), "{text}");
        assert_eq!(complaint("no-such-limit-at-all=3"), "there is no limit `no-such-limit-at-all`");
        assert!(complaint("nielsen.walks").contains("is not NAME=VALUE"));
        for text in ["nielsen.walks=3s", "nielsen.walks=-1", "nielsen.walks=", "nielsen.walks=+1"] {
            assert!(complaint(text).contains("expected a number of walks"), "{text}");
        }
        for text in ["search.time=300", "search.time=1h", "search.time=s"] {
            assert!(complaint(text).contains("expected a time such as 300ms or 3s"), "{text}");
        }
        assert!(complaint("nielsen.walks=99999999999999999999999").contains("expected"));
    }

    #[test]
    fn hits_are_noted_and_not_copied() {
        let limits = Limits::default();
        assert!(!limits.exceeds(Limit::NielsenWalks, 60));
        assert!(limits.exceeds(Limit::NielsenWalks, 61));
        assert_eq!(limits.hits(), [Limit::NielsenWalks]);
        assert_eq!(limits.clone().hits(), []);
    }
}
