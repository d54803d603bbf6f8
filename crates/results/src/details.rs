//! Details of a finding that [`Results`] do not keep: they are read from the database for the few
//! findings that are listed.

use luthier_records::{Evidence, FindingKind, Label};
use luthier_report::measures::Finding;
use luthier_report::{Results, different_opinions};
use luthier_store::{InstanceId, RunId, Store, StoreError, StoredRun};

/// The prefix of the conversion note with the options of a run; the command that reproduces it has
/// them, too.
const ASKED_WITH: &str = "asked with: ";

/// Details of a finding, from the run that shows it: which assertion is false under a model, what is
/// wrong about a core, which solvers disagree with the referee, how the program ended, how the copy that was
/// answered wrongly differs in writing from the instance. `None` if there is nothing to add.
pub fn detail(finding: &Finding, run: &StoredRun) -> Option<String> {
    let answer = || run.answers.get(finding.query);
    match finding.kind {
        FindingKind::InvalidModel => answer()?.model.as_ref()?.detail.clone(),
        FindingKind::InvalidCore | FindingKind::DisputedCore => {
            answer()?.core.as_ref()?.detail.clone()
        }
        FindingKind::DifferentOpinion => {
            let answer = answer()?;
            let outcome = answer.model.as_ref()?.outcome.name();
            let others = different_opinions(answer).map(|(opinion, accepts)| {
                format!("{} {} it", opinion.by, if accepts { "accepts" } else { "rejects" })
            });
            let others: Vec<String> = others.collect();
            Some(format!("the referee says {outcome}; {}", others.join(", ")))
        }
        FindingKind::WrongUnsat | FindingKind::WrongSat => {
            run.conversion.iter().find(|note| !note.starts_with(ASKED_WITH)).cloned()
        }
        FindingKind::Crash => Some(run.ending.to_string()),
        FindingKind::PlantedAgainstModel
        | FindingKind::WrongValue
        | FindingKind::WrongRewrite
        | FindingKind::Contradiction
        | FindingKind::WrongLabel
        | FindingKind::WrongStatus
        | FindingKind::DoubtfulLabel
        | FindingKind::DoubtfulStatus
        | FindingKind::ContradictoryLabels
        | FindingKind::Disputed
        | FindingKind::PlantedAgainstStatus
        | FindingKind::Incomplete
        | FindingKind::Slow => None,
    }
}

/// The [`detail`] of a finding; `None` also if no run shows it.
pub fn read_detail(store: &Store, finding: &Finding) -> Result<Option<String>, StoreError> {
    let Some(number) = finding.run else { return Ok(None) };
    let run = store.run(RunId(number))?;
    Ok(run.and_then(|run| detail(finding, &run)))
}

/// The labels from tables that matter to a finding, as `source: verdict`: those that decide what is
/// expected, and those that are refuted, doubted or contradictory.
pub fn label_sources(
    store: &Store,
    results: &Results,
    finding: &Finding,
) -> Result<Vec<String>, StoreError> {
    let entry = &results.entries[finding.entry];
    let expected = entry.judged.truths.get(finding.query).and_then(|truth| truth.verdict);
    let decides = matches!(expected, Some((_, Evidence::Label)));
    let is_about_labels = matches!(
        finding.kind,
        FindingKind::WrongLabel | FindingKind::DoubtfulLabel | FindingKind::ContradictoryLabels
    );
    if !decides && !is_about_labels {
        return Ok(Vec::new());
    }
    let Some(instance) = store.instance(InstanceId(entry.judged.content.number))? else {
        return Ok(Vec::new());
    };
    let set = &results.sets[results.set_of(entry)].name;
    // A label of one copy of a file holds for all copies.
    let places = instance.places.iter().zip(&instance.labels);
    let labels = places.filter(|(place, _)| place.set == *set).flat_map(|(_, labels)| labels);
    let text = |label: &Label| format!("{}: {}", label.source, label.verdict);
    let mut sources: Vec<String> = labels.map(text).collect();
    sources.sort_unstable();
    sources.dedup();
    Ok(sources)
}
