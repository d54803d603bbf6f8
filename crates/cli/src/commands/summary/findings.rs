//! What a person should look at: wrong answers, invalid models and cores, conflicts.

use luthier_records::{
    Belief, CoreOutcome, Evidence, FindingKind, Judgement, Label, ModelOutcome, Opinion, RunAnswer,
    Verdict,
};
use luthier_report::measures::{of_conflict, of_dispute};
use luthier_results::{Judge, JudgedInstance, JudgedRun};
use serde::{Serialize, Serializer};

/// Something that a person should look at.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// What it is.
    #[serde(serialize_with = "name_of_kind")]
    pub kind: FindingKind,
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
    #[serde(serialize_with = "name_of_evidence")]
    pub evidence: Option<Evidence>,
    /// The tables whose labels are the evidence, or are refuted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub label_sources: Vec<String>,
    /// More about it.
    pub detail: Option<String>,
    /// For a dispute: the configurations that say `sat`, and those that say `unsat`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sat_by: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unsat_by: Vec<String>,
    /// What most families say, if somebody asked for it. That is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vote: Option<&'static str>,
    #[serde(skip)]
    pub configuration: Option<usize>,
}

/// Adds what there is to find about an instance.
pub fn collect(judge: &Judge<'_>, instance: &JudgedInstance<'_>, findings: &mut Vec<Finding>) {
    let place = instance.places[0];
    let blank = |kind: FindingKind, query: usize, belief: &Belief| Finding {
        kind,
        set: place.set.clone(),
        instance: place.name.clone(),
        query: query + 1,
        solver: None,
        run: None,
        said: None,
        believed: belief.verdict.map(|(verdict, _)| verdict.name()),
        evidence: belief.verdict.map(|(_, evidence)| evidence),
        label_sources: sources(instance, kind, belief),
        detail: None,
        sat_by: Vec::new(),
        unsat_by: Vec::new(),
        vote: None,
        configuration: None,
    };
    for (query, belief) in instance.beliefs.iter().enumerate() {
        let of_query = |kind| blank(kind, query, belief);
        let mut kinds: Vec<FindingKind> =
            belief.conflicts.iter().filter_map(|conflict| of_conflict(*conflict)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        findings.extend(kinds.into_iter().map(of_query));
        let mut disputed = Vec::new();
        for run in &instance.runs {
            let Some(answer) = run.run.answers.get(query) else { continue };
            let of_run = |kind: FindingKind, detail: Option<String>| Finding {
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
                    findings.push(of_run(FindingKind::WrongVerdict, note));
                }
                Some(Judgement::Disputed) => disputed.push((run, answer)),
                _ => {}
            }
            of_answer(answer, &of_run, findings);
        }
        if !disputed.is_empty() {
            let kind = of_dispute(belief.conflicts.iter().copied());
            let who = |verdict| who_says(judge, &disputed, verdict);
            let (sat_by, unsat_by) = (who(Verdict::Sat), who(Verdict::Unsat));
            let vote = belief.vote.map(Verdict::name);
            let (sat, unsat) = (sat_by.join(", "), unsat_by.join(", "));
            let detail = Some(format!("sat: {sat}; unsat: {unsat}"));
            findings.push(Finding { detail, sat_by, unsat_by, vote, ..of_query(kind) });
        }
    }
}

fn of_answer(
    answer: &RunAnswer,
    finding: &dyn Fn(FindingKind, Option<String>) -> Finding,
    findings: &mut Vec<Finding>,
) {
    if let Some(model) = &answer.model {
        if model.outcome == ModelOutcome::Invalid {
            findings.push(finding(FindingKind::InvalidModel, model.detail.clone()));
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
                findings.push(finding(FindingKind::DifferentOpinion, Some(detail)));
            }
        }
    }
    if let Some(core) = &answer.core {
        match core.outcome {
            CoreOutcome::Invalid => {
                findings.push(finding(FindingKind::InvalidCore, core.detail.clone()))
            }
            CoreOutcome::Disputed => {
                findings.push(finding(FindingKind::DisputedCore, core.detail.clone()));
            }
            _ => {}
        }
    }
}

/// The configurations whose disputed answer is this verdict, each once.
fn who_says(
    judge: &Judge<'_>,
    disputed: &[(&JudgedRun<'_>, &RunAnswer)],
    verdict: Verdict,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (run, _) in disputed.iter().filter(|(_, answer)| answer.verdict == verdict) {
        let name = &judge.configurations[run.configuration].name;
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// The tables whose labels matter to a finding: those that decide what is believed, and those that
/// are refuted, doubted or contradictory.
fn sources(instance: &JudgedInstance<'_>, kind: FindingKind, belief: &Belief) -> Vec<String> {
    let decides = matches!(belief.verdict, Some((_, Evidence::Label)));
    let is_about_labels = matches!(
        kind,
        FindingKind::WrongLabel | FindingKind::DoubtfulLabel | FindingKind::ContradictoryLabels
    );
    if !decides && !is_about_labels {
        return Vec::new();
    }
    let text = |label: &&Label| format!("{}: {}", label.source, label.verdict);
    let mut sources: Vec<String> = instance.labels.iter().map(text).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

fn name_of_kind<S: Serializer>(kind: &FindingKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn name_of_evidence<S: Serializer>(
    evidence: &Option<Evidence>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    evidence.map(Evidence::name).serialize(serializer)
}
