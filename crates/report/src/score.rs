//! The outcome of a run for scoring, and sums of outcomes.
//!
//! # PAR2
//!
//! The penalised average of time, factor 2: a run that answered costs the CPU time that it took;
//! a run that did not, that answered wrongly or that printed an invalid model costs twice its own
//! CPU limit. Framework errors cost nothing and are not scored, but counted. Lower is better. Times are
//! added as whole nanoseconds, so that the sum does not depend on the order of runs.

use std::time::Duration;

use luthier_records::{
    Class, CoreOutcome, CpuTime, Judgement, Measured, ModelOutcome, RunAnswer, WallTime,
};

use crate::Score;

/// One run, as far as it matters for scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredRun {
    /// Its class.
    pub class: Class,
    /// The CPU time that it took.
    pub cpu: CpuTime,
    /// The wall time that it took.
    pub wall: WallTime,
    /// The CPU time that it was given.
    pub cpu_limit: CpuTime,
    /// The worst judgement on any of its answers.
    pub judgement: Judgement,
    /// The worst outcome of any of its models; `None` if it printed none.
    pub model: Option<ModelOutcome>,
    /// The worst outcome of any of its cores; `None` if it printed none.
    pub core: Option<CoreOutcome>,
}

impl ScoredRun {
    /// A run with its answers and the judgements on them, under this limit.
    pub fn new(
        class: Class,
        measured: &Measured,
        answers: &[RunAnswer],
        judgements: &[Judgement],
        cpu_limit: CpuTime,
    ) -> Self {
        let models = answers.iter().filter_map(|answer| answer.model.as_ref());
        let cores = answers.iter().filter_map(|answer| answer.core.as_ref());
        ScoredRun {
            class,
            cpu: measured.cpu,
            wall: measured.wall,
            cpu_limit,
            judgement: worst_judgement(judgements),
            model: models
                .map(|finding| finding.outcome)
                .max_by_key(|&outcome| model_severity(outcome)),
            // Outcomes of cores are ordered from good to bad.
            core: cores.map(|finding| finding.outcome).max(),
        }
    }

    /// Whether some answer is wrong.
    pub fn is_wrong(&self) -> bool {
        matches!(self.judgement, Judgement::Wrong(_))
    }

    /// Whether it answered, and evidence backs every answer.
    pub fn is_right(&self) -> bool {
        self.is_solved() && matches!(self.judgement, Judgement::Right(_))
    }

    /// Whether it answered, and neither an answer is known to be wrong nor a model invalid.
    pub fn is_solved(&self) -> bool {
        self.class.is_decided() && !self.is_refuted()
    }

    /// Whether an answer is wrong or a model invalid.
    pub fn is_refuted(&self) -> bool {
        self.is_wrong() || self.model == Some(ModelOutcome::Invalid)
    }

    /// Whether an answer, a model or a core of it is refuted: it shows a finding by which the solver is
    /// certainly wrong.
    pub fn is_unsound(&self) -> bool {
        self.is_refuted() || self.core == Some(CoreOutcome::Invalid)
    }

    /// Whether it is scored: framework errors are not.
    pub fn is_scored(&self) -> bool {
        self.class != Class::FrameworkError
    }

    /// What it costs in PAR2; nothing if it is not scored.
    pub fn penalised(&self) -> CpuTime {
        if !self.is_scored() {
            CpuTime::default()
        } else if self.is_solved() {
            self.cpu
        } else {
            CpuTime(self.cpu_limit.0.saturating_mul(2))
        }
    }
}

impl Score {
    /// Adds a run.
    pub fn add(&mut self, run: &ScoredRun) {
        self.total += 1;
        *match run.class {
            Class::Sat => &mut self.sat,
            Class::Unsat => &mut self.unsat,
            Class::Unknown => &mut self.unknown,
            Class::Timeout => &mut self.timeout,
            Class::Memout => &mut self.memout,
            Class::Crash => &mut self.crash,
            Class::Unsupported => &mut self.unsupported,
            Class::Malformed => &mut self.malformed,
            Class::FrameworkError => &mut self.framework_error,
        } += 1;
        self.wrong += u64::from(run.is_wrong());
        self.disputed += u64::from(run.judgement == Judgement::Disputed);
        self.right += u64::from(run.is_right());
        match run.model {
            None => {}
            Some(ModelOutcome::Valid) => self.valid_model += 1,
            Some(ModelOutcome::Completed) => self.completed_model += 1,
            Some(ModelOutcome::Incomplete) => self.incomplete_model += 1,
            Some(ModelOutcome::Unsupported | ModelOutcome::Exceeded) => self.unchecked_model += 1,
            Some(ModelOutcome::Invalid) => self.invalid_model += 1,
        }
        match run.core {
            None => {}
            Some(CoreOutcome::Minimal | CoreOutcome::Confirmed) => self.confirmed_core += 1,
            Some(CoreOutcome::Larger) => {
                self.confirmed_core += 1;
                self.larger_core += 1;
            }
            Some(CoreOutcome::Unconfirmed) => self.unconfirmed_core += 1,
            Some(CoreOutcome::Disputed) => self.disputed_core += 1,
            Some(CoreOutcome::Invalid) => self.invalid_core += 1,
        }
        add_cpu(&mut self.par2, run.penalised());
        add_cpu(&mut self.cpu, run.cpu);
        add_wall(&mut self.wall, run.wall);
        if run.class.is_decided() {
            add_cpu(&mut self.cpu_decided, run.cpu);
        }
    }

    /// How many runs PAR2 is about: all but framework errors.
    pub fn scored(&self) -> u64 {
        self.total - self.framework_error
    }

    /// PAR2 as a sum, in seconds.
    pub fn par2_seconds(&self) -> f64 {
        self.par2.as_secs_f64()
    }

    /// PAR2 per scored run, in seconds; `None` if no run is scored.
    pub fn par2_mean(&self) -> Option<f64> {
        (self.scored() > 0).then(|| self.par2.as_secs_f64() / self.scored() as f64)
    }

    /// Runs that answered.
    pub fn decided(&self) -> u64 {
        self.sat + self.unsat
    }
}

/// The run that the virtual best solver would have made on one instance: of the runs of all
/// configurations on it the fastest right one; if none is right, the fastest answer that nothing
/// contradicts; if there is none, the run of the best class. Framework errors are left out if
/// there is anything else. `None` if there are no runs.
pub fn best_of<'a>(runs: impl IntoIterator<Item = &'a ScoredRun>) -> Option<ScoredRun> {
    runs.into_iter().min_by_key(|run| virtual_best_key(run)).copied()
}

/// The sort key of [`best_of`], the best run first.
pub(crate) fn virtual_best_key(run: &ScoredRun) -> impl Ord + use<> {
    let tier = match run.judgement {
        _ if run.is_right() => 0,
        Judgement::Unjudged if run.is_solved() => 1,
        Judgement::Wrong(_) => 4,
        _ if run.model == Some(ModelOutcome::Invalid) => 4,
        _ if run.is_scored() => 2 + u8::from(run.judgement == Judgement::Disputed),
        _ => 5,
    };
    // Between unsolved runs the class decides, between answers only the time.
    let class = if tier <= 1 { Class::Sat } else { run.class };
    (tier, class, run.cpu, run.wall, run.cpu_limit)
}

/// The judgement that counts for a run of several answers: what is worst, and "nothing to judge"
/// only if it is all there is.
fn worst_judgement(judgements: &[Judgement]) -> Judgement {
    let model_severity = |judgement: &Judgement| match judgement {
        Judgement::NoClaim => 0,
        Judgement::Right(_) => 1,
        Judgement::Unjudged => 2,
        Judgement::Disputed => 3,
        Judgement::Wrong(_) => 4,
    };
    // Of equally bad ones that with the weakest evidence, so that the order does not matter.
    let worst =
        judgements.iter().copied().max_by_key(|judgement| (model_severity(judgement), *judgement));
    worst.unwrap_or(Judgement::NoClaim)
}

/// From good to bad. A model that cannot be checked may be better or worse than an incomplete
/// one; it is put after it, because less is known about it.
fn model_severity(outcome: ModelOutcome) -> u8 {
    match outcome {
        ModelOutcome::Valid => 0,
        ModelOutcome::Completed => 1,
        ModelOutcome::Incomplete => 2,
        ModelOutcome::Unsupported => 3,
        ModelOutcome::Exceeded => 4,
        ModelOutcome::Invalid => 5,
    }
}

fn add_cpu(sum: &mut CpuTime, more: CpuTime) {
    sum.0 = saturating(sum.0, more.0);
}

fn add_wall(sum: &mut WallTime, more: WallTime) {
    sum.0 = saturating(sum.0, more.0);
}

/// Sums of absurd times stay at the largest instead of ending the program.
fn saturating(left: Duration, right: Duration) -> Duration {
    left.saturating_add(right)
}
