//! What a person should look at: wrong answers, invalid models and cores, conflicts.

use luthier_records::{
    Belief, Conflict, CoreOutcome, Evidence, Judgement, ModelOutcome, Opinion, RunAnswer, Verdict,
};
use luthier_results::{Judge, JudgedInstance, JudgedRun};
use serde::Serialize;

/// Something that a person should look at.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    pub set: String,
    pub instance: String,
    /// Which `check-sat` of the instance, from 1.
    pub query: usize,
    /// The configuration; `null` for a conflict that is about nobody in particular.
    pub solver: Option<String>,
    /// The number of the run in the database.
    pub run: Option<i64>,
    /// What the solver said.
    pub said: Option<&'static str>,
    /// What is believed, and why.
    pub believed: Option<&'static str>,
    pub evidence: Option<&'static str>,
    /// More about it.
    pub detail: Option<String>,
    #[serde(skip)]
    pub configuration: Option<usize>,
}

/// What a finding is, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Our own evidence contradicts itself.
    PlantedAgainstModel,
    /// A verdict that is known to be wrong.
    WrongVerdict,
    /// A model that does not satisfy the instance.
    InvalidModel,
    /// A core that is satisfiable, or names what is not there.
    InvalidCore,
    /// The label of a file is refuted by a model.
    WrongStatus,
    /// Independent solvers agree against the label of a file.
    DoubtfulStatus,
    /// Solvers contradict each other, and nothing decides.
    Disputed,
    /// A core that another solver calls satisfiable.
    DisputedCore,
    /// A verifying solver disagrees with the referee about a model.
    DifferentOpinion,
}

impl Kind {
    /// All kinds, the worst first.
    pub const ALL: [Self; 9] = [
        Self::PlantedAgainstModel,
        Self::WrongVerdict,
        Self::InvalidModel,
        Self::InvalidCore,
        Self::WrongStatus,
        Self::DoubtfulStatus,
        Self::Disputed,
        Self::DisputedCore,
        Self::DifferentOpinion,
    ];

    /// Whether somebody is certainly wrong.
    pub fn is_wrong(self) -> bool {
        matches!(
            self,
            Self::PlantedAgainstModel | Self::WrongVerdict | Self::InvalidModel | Self::InvalidCore
        )
    }

    /// The heading for people.
    pub fn heading(self) -> &'static str {
        match self {
            Self::PlantedAgainstModel => {
                "PLANTED ANSWERS REFUTED (the generator or Luthier is wrong)"
            }
            Self::WrongVerdict => "WRONG ANSWERS",
            Self::InvalidModel => "INVALID MODELS",
            Self::InvalidCore => "INVALID CORES",
            Self::WrongStatus => "WRONG LABELS (a checked model refutes the status in the file)",
            Self::DoubtfulStatus => {
                "DOUBTFUL LABELS (independent solvers agree against the status in the file)"
            }
            Self::Disputed => "DISPUTED (solvers contradict each other, nothing decides)",
            Self::DisputedCore => "DISPUTED CORES",
            Self::DifferentOpinion => "DIFFERENT OPINIONS (a verifying solver and the referee)",
        }
    }
}

/// Adds what there is to find about an instance.
pub fn collect(judge: &Judge<'_>, instance: &JudgedInstance<'_>, findings: &mut Vec<Finding>) {
    let place = instance.places[0];
    let blank = |kind: Kind, query: usize, belief: &Belief| Finding {
        kind,
        set: place.set.clone(),
        instance: place.name.clone(),
        query: query + 1,
        solver: None,
        run: None,
        said: None,
        believed: belief.verdict.map(|(verdict, _)| verdict.name()),
        evidence: belief.verdict.map(|(_, evidence)| evidence.name()),
        detail: None,
        configuration: None,
    };
    for (query, belief) in instance.beliefs.iter().enumerate() {
        let of_query = |kind| blank(kind, query, belief);
        if belief.conflicts.contains(&Conflict::PlantedAgainstModel) {
            findings.push(of_query(Kind::PlantedAgainstModel));
        }
        if belief.conflicts.contains(&Conflict::StatusAgainstModel) {
            findings.push(of_query(Kind::WrongStatus));
        }
        let mut disputed = Vec::new();
        for run in &instance.runs {
            let Some(answer) = run.run.answers.get(query) else { continue };
            let of_run = |kind: Kind, detail: Option<String>| Finding {
                solver: Some(judge.configurations[run.configuration].name.clone()),
                run: Some(run.run.id.0),
                said: Some(answer.verdict.name()),
                detail,
                configuration: Some(run.configuration),
                ..blank(kind, query, belief)
            };
            match run.judgements.get(query) {
                Some(Judgement::Wrong(_)) => {
                    // How it was asked is in the command; how the writing differs is not.
                    let mut notes = run.run.conversion.iter();
                    let note = notes.find(|note| !note.starts_with("asked with: ")).cloned();
                    findings.push(of_run(Kind::WrongVerdict, note));
                }
                Some(Judgement::Disputed) => disputed.push((run, answer)),
                _ => {}
            }
            of_answer(answer, &of_run, findings);
        }
        let doubtful = belief.conflicts.contains(&Conflict::StatusAgainstAgreement);
        if !disputed.is_empty() {
            let kind = if doubtful { Kind::DoubtfulStatus } else { Kind::Disputed };
            let detail = Some(describe_dispute(judge, &disputed, belief));
            findings.push(Finding { detail, ..of_query(kind) });
        }
    }
}

fn of_answer(
    answer: &RunAnswer,
    finding: &dyn Fn(Kind, Option<String>) -> Finding,
    findings: &mut Vec<Finding>,
) {
    if let Some(model) = &answer.model {
        if model.outcome == ModelOutcome::Invalid {
            findings.push(finding(Kind::InvalidModel, model.detail.clone()));
        }
        for Opinion { by, class } in &answer.opinions {
            let accepts = match class {
                luthier_records::Class::Sat => true,
                luthier_records::Class::Unsat => false,
                _ => continue,
            };
            let differs = match model.outcome {
                ModelOutcome::Valid => !accepts,
                ModelOutcome::Invalid => accepts,
                _ => false,
            };
            if differs {
                let word = if accepts { "accepts" } else { "rejects" };
                let detail = format!("the referee says {}; {by} {word} it", model.outcome.name());
                findings.push(finding(Kind::DifferentOpinion, Some(detail)));
            }
        }
    }
    if let Some(core) = &answer.core {
        match core.outcome {
            CoreOutcome::Invalid => findings.push(finding(Kind::InvalidCore, core.detail.clone())),
            CoreOutcome::Disputed => {
                findings.push(finding(Kind::DisputedCore, core.detail.clone()));
            }
            _ => {}
        }
    }
}

fn describe_dispute(
    judge: &Judge<'_>,
    disputed: &[(&JudgedRun<'_>, &RunAnswer)],
    belief: &Belief,
) -> String {
    let who = |verdict: Verdict| {
        let mut names: Vec<&str> = disputed
            .iter()
            .filter(|(_, answer)| answer.verdict == verdict)
            .map(|(run, _)| judge.configurations[run.configuration].name.as_str())
            .collect();
        names.dedup();
        format!("{verdict}: {}", names.join(", "))
    };
    let vote = match belief.vote {
        Some(verdict) => format!(" (most families vote {verdict}, which is no proof)"),
        None => String::new(),
    };
    format!("{}; {}{vote}", who(Verdict::Sat), who(Verdict::Unsat))
}

/// The evidence for a belief, in words.
pub fn evidence_words(evidence: &str) -> &'static str {
    let known = Evidence::ALL.into_iter().find(|one| one.name() == evidence);
    match known {
        Some(Evidence::Planted) => "planted answer",
        Some(Evidence::Model) => "a model that Luthier checked",
        Some(Evidence::Status) => "status of the file",
        Some(Evidence::Agreement) => "agreement of independent solvers",
        None => "unknown evidence",
    }
}
