//! What is left of a suspicion that was not reproduced alone: everything that is needed to examine it.
//!
//! A reply in a batch contradicted an oracle, and the same formula in a fresh process does not show it
//! again. Either the solver went wrong in the state that other formulas left behind, or time played a
//! part, or we attributed output to the wrong formula. So the input of each process that was asked about the
//! formula is kept byte by byte with its output, and given to the solver once more: the same output again
//! means that the fault is in the state, and that the kept input shows it to anybody.
//!
//! Limits: a reply from a process with this formula alone, after its batch process had ended, has no
//! transcript. Suspicions of slowness and incompleteness, which depend on time limits, are only counted.

use luthier_ask::{Reply, ScriptRunner as _, Solver, Transcript};
use luthier_records::{FindingKind, Verdict};

use crate::CaseTruth;
use crate::batch::HuntEnvironment;
use crate::reproduce::said_sat;

/// A suspicion that was not confirmed.
#[derive(Clone, Debug)]
pub struct Unconfirmed {
    /// What it looked like.
    pub class: FindingKind,
    /// The name of the solver.
    pub solver: String,
    /// The number of the case.
    pub number: u64,
    /// The name of the formula.
    pub formula: String,
    /// The operator that the formula is about.
    pub operation: &'static str,
    /// The ground truth.
    pub truth: CaseTruth,
    /// What the solver said.
    pub said: String,
    /// The formula or the session in SMT-LIB 2.7.
    pub text: String,
    /// The processes that were asked about it.
    pub processes: Vec<AskedProcess>,
}

/// A process that was asked about a formula among others.
#[derive(Clone, Debug)]
pub struct AskedProcess {
    /// The solver that it ran.
    pub solver: String,
    /// Its command line; `{file}` stands for the script.
    pub command: Vec<String>,
    /// What it was given and what it printed.
    pub transcript: Transcript,
    /// What another process printed for the same input.
    pub again: Vec<u8>,
}

impl AskedProcess {
    /// Runs the process of a transcript once more.
    fn of(solver: &Solver, transcript: &Transcript, environment: &HuntEnvironment<'_>) -> Self {
        let Transcript { script, mode, cpu_limit, .. } = transcript;
        let outcome = environment.runner(solver).run(script.clone(), *mode, *cpu_limit);
        Self {
            solver: solver.name.clone(),
            command: solver.command_line("{file}", *mode),
            transcript: transcript.clone(),
            again: outcome.stdout.bytes,
        }
    }

    /// Whether the same input gave the same output.
    pub fn is_same_again(&self) -> bool {
        self.again == self.transcript.output
    }
}

/// Whether a suspicion of this class leaves a trace.
pub(crate) fn is_kept(class: FindingKind) -> bool {
    !matches!(class, FindingKind::Slow | FindingKind::Incomplete)
}

/// The processes among transcripts that were asked about some of these formulas.
pub(crate) fn processes(
    solver: &Solver,
    transcripts: &[(Vec<usize>, Transcript)],
    formulas: &[usize],
    environment: &HuntEnvironment<'_>,
) -> Vec<AskedProcess> {
    let asked = transcripts
        .iter()
        .filter(|(places, _)| places.iter().any(|place| formulas.contains(place)));
    asked.map(|(_, transcript)| AskedProcess::of(solver, transcript, environment)).collect()
}

/// What a reply says, in words.
pub(crate) fn said(reply: &Reply) -> String {
    match reply.verdict() {
        Some(Verdict::Sat) => said_sat(reply.model()),
        Some(verdict) => verdict.to_string(),
        None => format!("{}: {}", reply.class, reply.detail),
    }
}
