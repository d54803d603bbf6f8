//! How often formulas about an operator are decided, so that what a solver cannot decide is asked less.
//!
//! A hunt learns the profile from replies. An operator with share `p` percent is chosen with a
//! weight of `p`, at least [`LEAST`]: a release that learns to decide it must be noticed, and faults
//! are also found where little is decided. An operator that was asked fewer than [`ENOUGH`] times
//! counts as decided.
//!
//! With a profile, formulas depend on replies, and these on time limits; without one, seed and
//! number decide a formula.

use std::collections::BTreeMap;

use luthier_terms::Op;

/// The smallest share that an operator is given, in percent.
const LEAST: usize = 10;

/// The number of formulas after which a share counts.
const ENOUGH: u64 = 30;

/// How many formulas about each operator were asked and decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    by_operator: BTreeMap<&'static str, (u64, u64)>,
}

impl Profile {
    /// A profile from rows: the name of an operator, formulas asked, formulas decided.
    pub fn new(rows: impl IntoIterator<Item = (&'static str, u64, u64)>) -> Self {
        let mut by_operator: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
        for (name, asked, decided) in rows {
            let row = by_operator.entry(name).or_default();
            row.0 += asked;
            row.1 += decided;
        }
        Self { by_operator }
    }

    /// The decided share of formulas about an operator, in percent, as a weight.
    pub fn share(&self, op: Op) -> usize {
        match self.by_operator.get(op.name()) {
            Some(&(asked, decided)) if asked >= ENOUGH => {
                usize::try_from(decided * 100 / asked).unwrap_or(100).clamp(LEAST, 100)
            }
            _ => 100,
        }
    }

    /// The operators that are asked less, with the numbers of asked and decided formulas; the least
    /// decided first.
    pub fn asked_less(&self) -> Vec<(&'static str, u64, u64)> {
        let mut rows: Vec<(&'static str, u64, u64)> = self
            .by_operator
            .iter()
            .map(|(&name, &(asked, decided))| (name, asked, decided))
            .filter(|(_, asked, decided)| *asked >= ENOUGH && decided * 2 < *asked)
            .collect();
        rows.sort_by_key(|(name, asked, decided)| (decided * 1000 / asked, *name));
        rows
    }
}

#[cfg(test)]
mod tests {
    use luthier_terms::Op;

    use super::Profile;

    #[test]
    fn the_share_is_the_weight_once_enough_was_asked() {
        let rows = [("str.len", 40, 30), ("str.at", 10, 0), ("str.++", 100, 1), ("str.++", 100, 1)];
        let profile = Profile::new(rows);
        assert_eq!(profile.share(Op::StrLen), 75);
        assert_eq!(profile.share(Op::StrAt), 100, "too few to tell");
        assert_eq!(profile.share(Op::StrConcat), 10, "never quite zero");
        assert_eq!(profile.share(Op::StrSubstr), 100, "not asked");
        assert_eq!(profile.asked_less(), [("str.++", 200, 2)]);
    }
}
