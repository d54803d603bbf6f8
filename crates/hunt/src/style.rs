//! What stands between two formulas of one process.
//!
//! Measured on small formulas, CPU time for each, with what the first query of a process or of a
//! `(reset)` costs:
//!
//! | release | `(reset)` | `(reset-assertions)` | `push` and `pop` |
//! |---|---|---|---|
//! | Z3 4.5.1 to 4.8.12 | 9 to 19 ms | the same, or a crash | 0.2 ms |
//! | Z3 4.16.0 to 5.4.0 | 3.4 ms | 0.6 ms | 0.1 ms |
//! | CVC4 1.6, 1.8 | 2.5 to 3 ms | ends the process | 1.3 ms |
//! | cvc5 1.0.3 to 1.4.2 | 2.2 to 3.1 ms | 1.3 ms | 0.7 ms |
//!
//! Scopes are another mode of every solver, with other code and other faults. So most batches are
//! asked in the cheapest way in which formulas are as if alone, and every fourth between scopes;
//! with old releases of Z3 it is the other way round.

use luthier_smtlib::Dialect;

/// What stands between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `(reset)`, and options and logic again.
    Reset,
    /// `(reset-assertions)`.
    ResetAssertions,
    /// Each formula stands between `push` and `pop`.
    Scopes,
}

/// How a batch is put to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    /// For formulas of which no core is asked.
    pub style: Style,
    /// For formulas of which a core is asked, if any is.
    pub cores: Option<Style>,
}

/// Every so many batches are asked in the other way.
const OTHER_STYLE: u64 = 4;
/// Every so many batches ask for cores. It has no factor in common with the number above, so that
/// both styles get their share where both can be asked so.
const CORES: u64 = 5;

impl Manner {
    /// By the number of the batch, so that it is the same in every hunt.
    pub fn of(dialect: Dialect, batch: u64) -> Self {
        let other = batch % OTHER_STYLE == OTHER_STYLE - 1;
        let style = match dialect {
            Dialect::Z3Oldest | Dialect::Z3Legacy | Dialect::Z3Transition if !other => {
                Style::Scopes
            }
            Dialect::Z3Oldest | Dialect::Z3Legacy | Dialect::Z3Transition => Style::Reset,
            _ if other => Style::Scopes,
            Dialect::Z3 | Dialect::Cvc5 => Style::ResetAssertions,
            _ => Style::Reset,
        };
        // Z3 keeps the names of assertions over everything else, and they cannot be given again.
        let named = if is_z3(dialect) { Style::Reset } else { style };
        Self { style, cores: (batch % CORES == 2).then_some(named) }
    }
}

/// Z3 keeps declarations over a `(reset-assertions)`, so that they must not be repeated.
pub(crate) fn keeps_declarations(dialect: Dialect) -> bool {
    is_z3(dialect)
}

/// A model may be asked for whatever the answer is: where there is none, Z3 prints an error and
/// goes on. CVC4 and cvc5 end.
pub(crate) fn forgives_needless_requests(dialect: Dialect) -> bool {
    is_z3(dialect)
}

fn is_z3(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Z3Oldest | Dialect::Z3Legacy | Dialect::Z3Transition | Dialect::Z3)
}

/// CVC4 answers `unknown` to queries that it can solve after one that it gave up, so that a new
/// process has to go on.
pub(crate) fn is_spoilt_by_unknown(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Cvc4V16 | Dialect::Cvc4V17 | Dialect::Cvc4V18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_styles_are_asked_and_cores_as_well() {
        for dialect in [Dialect::Z3, Dialect::Z3Legacy, Dialect::Cvc4V16, Dialect::Cvc5] {
            let manners: Vec<Manner> = (0..20).map(|batch| Manner::of(dialect, batch)).collect();
            for scopes in [false, true] {
                let is_so = |style: Style| (style == Style::Scopes) == scopes;
                assert!(manners.iter().any(|one| is_so(one.style)), "{dialect} {scopes}");
                let named = manners.iter().filter_map(|one| one.cores).any(is_so);
                assert_eq!(named, !scopes || !is_z3(dialect), "{dialect} {scopes}");
            }
        }
    }
}
