//! `div` and `mod`, including division by zero, which the model interprets.

use luthier_terms::Op;

use super::Evaluator;
use super::call::DivisionByZeroResult;
use super::compare::is_zero;
use super::frames::{Division, Frame, Kind};
use super::outcome::{Outcome, undecided};
use crate::Reason;
use crate::limits::Exhausted;

impl<'a> Evaluator<'a> {
    /// `div` (left-associative) and `mod`. Division by zero has the interpretation of the model.
    pub(super) fn divide(
        &mut self,
        mut frame: Frame<'a>,
        op: Op,
        mut division: Division,
    ) -> Result<(), Exhausted> {
        let count = frame.children.len();
        // The result of a call is on top of the outcomes of the children.
        if self.outcomes.len() > frame.slot.base + count {
            division.quotient = self.outcomes.pop();
        }
        let mut quotient = match division.quotient {
            Some(quotient) => quotient,
            None => {
                division.divided = 1;
                self.outcomes[frame.slot.base].clone()
            }
        };
        while division.divided < count {
            let divisor = self.outcomes[frame.slot.base + division.divided].clone();
            division.divided += 1;
            if is_zero(&divisor) {
                let (interpretation, reason) = match op {
                    Op::Mod => (&self.model.modulo_by_zero, Reason::ModuloByZero(frame.slot.term)),
                    _ => (&self.model.division_by_zero, Reason::DivisionByZero(frame.slot.term)),
                };
                let unknown = [quotient.clone(), Outcome::because(reason)];
                if let Some(interpretation) = interpretation {
                    let divided = division.divided;
                    // The quotient is a placeholder here; the result of the call replaces it.
                    let waiting = Division { quotient: Some(quotient.clone()), divided };
                    frame.kind = Kind::Division(op, waiting);
                    match self.apply_by_zero(interpretation, frame, quotient)? {
                        DivisionByZeroResult::Called => return Ok(()),
                        DivisionByZeroResult::Known(returned, outcome) => {
                            frame = returned;
                            quotient = outcome;
                        }
                        DivisionByZeroResult::Unusable(returned) => {
                            frame = returned;
                            quotient = undecided(&unknown);
                        }
                    }
                } else {
                    quotient = undecided(&unknown);
                }
                continue;
            }
            quotient = match (&quotient, &divisor) {
                (Outcome::Known(m), Outcome::Known(n)) => {
                    let term = frame.slot.term;
                    let value = self.apply_to_values(op, term, &[], &[&m.value, &n.value]);
                    self.outcome_of(term, value)?
                }
                _ => undecided(&[quotient, divisor]),
            };
        }
        self.finish(frame.slot, quotient);
        Ok(())
    }
}
