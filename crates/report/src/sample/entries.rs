//! Parses the entries of a sample table, and builds results from them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use luthier_records::{
    Bytes, Class, Conflict, CoreFinding, CoreOutcome, CpuTime, Digest, Evidence, GroundTruth,
    Judgement, ModelFinding, ModelOutcome, Opinion, RunAnswer, Verdict, WallTime,
};

use super::{campaign, seconds, value_of};
use crate::{
    Content, Entry, JudgedContent, Observation, Results, RunInfo, ScoredRun, SetInfo, SolverInfo,
    TrackInfo, observe,
};

/// A line of the table.
pub(super) struct Row {
    set: String,
    track: String,
    name: String,
    features: Option<Vec<String>>,
    size: u64,
    truth: GroundTruth,
    runs: Vec<(RunInfo, Option<RunAnswer>)>,
}

impl Row {
    pub(super) fn parse<'t>(
        first: &'t str,
        cells: impl Iterator<Item = &'t str>,
        solvers: &[SolverInfo],
    ) -> Result<Self, String> {
        let mut words = first.split_whitespace();
        let place = words.next().ok_or("no place; expected set/name")?;
        let mut parts: Vec<&str> = place.split('/').collect();
        let (set, name) = match (parts.len() >= 2, parts.pop()) {
            (true, Some(name)) => (parts.remove(0), name),
            _ => return Err(format!("{place:?} is no place; expected set/name")),
        };
        let planted = |verdict| Some((verdict, Evidence::Planted));
        let verdict = match words.next() {
            Some("sat") => planted(Verdict::Sat),
            Some("unsat") => planted(Verdict::Unsat),
            Some("-") => None,
            other => return Err(format!("{other:?} is no ground truth; expected sat, unsat or -")),
        };
        let features = match words.next() {
            Some("?") => None,
            Some("-") => Some(Vec::new()),
            Some(names) => Some(names.split(',').map(str::to_owned).collect()),
            None => return Err("no features; expected names, - or ?".to_owned()),
        };
        let (mut size, mut conflicts) = (100, Vec::new());
        for word in words {
            if let Some(bytes) = value_of(word, "size") {
                size = bytes.parse().map_err(|_| format!("{bytes:?} is no number of bytes"))?;
            } else if let Some(name) = value_of(word, "conflict") {
                let conflict = Conflict::ALL.into_iter().find(|one| one.name() == name);
                conflicts.push(conflict.ok_or_else(|| format!("{name:?} is no conflict"))?);
            } else {
                return Err(format!("{word:?} after the features; expected size= or conflict="));
            }
        }
        let truth = GroundTruth { verdict, conflicts, vote: None };
        let mut runs = Vec::new();
        for (index, cell) in cells.enumerate() {
            let solver = solvers.get(index).ok_or("more cells than solvers")?;
            let texts = cell.split(',').map(str::trim);
            for (repetition, text) in (0..).zip(texts.filter(|text| !matches!(*text, "" | "-"))) {
                let mut run = parse_run(text, index, solver, &truth)?;
                run.0.repetition = repetition;
                runs.push(run);
            }
        }
        let track = parts.join("/");
        Ok(Self { set: set.to_owned(), track, name: name.to_owned(), features, size, truth, runs })
    }
}

fn parse_run(
    text: &str,
    index: usize,
    solver: &SolverInfo,
    truth: &GroundTruth,
) -> Result<(RunInfo, Option<RunAnswer>), String> {
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or_default();
    let class = Class::ALL
        .into_iter()
        .find(|class| class.name() == word)
        .ok_or_else(|| format!("{word:?} is no class; expected one such as sat or timeout"))?;
    let cpu_limit = solver.configuration.limits.cpu;
    let mut cpu = if class == Class::Timeout { cpu_limit.0 } else { Duration::from_secs(1) };
    let mut wall = None;
    let (mut judgement, mut model, mut core) = (judge(class, truth), None, None);
    let mut number = 0;
    let mut is_doubted = false;
    for word in words {
        match word {
            "right" => judgement = Judgement::Right(Evidence::Planted),
            "wrong" => judgement = Judgement::Wrong(Evidence::Planted),
            "disputed" => judgement = Judgement::Disputed,
            "unjudged" => judgement = Judgement::Unjudged,
            "valid" => model = Some(ModelOutcome::Valid),
            "completed" => model = Some(ModelOutcome::Completed),
            "incomplete" => model = Some(ModelOutcome::Incomplete),
            "unchecked" => model = Some(ModelOutcome::Unsupported),
            "invalid" => model = Some(ModelOutcome::Invalid),
            "doubted" => is_doubted = true,
            "minimal" => core = Some(CoreOutcome::Minimal),
            "larger" => core = Some(CoreOutcome::Larger),
            "confirmed" => core = Some(CoreOutcome::Confirmed),
            "unconfirmed" => core = Some(CoreOutcome::Unconfirmed),
            "disputed-core" => core = Some(CoreOutcome::Disputed),
            "invalid-core" => core = Some(CoreOutcome::Invalid),
            _ => {
                if let Some(time) = value_of(word, "wall") {
                    wall = Some(seconds(time)?);
                } else if let Some(campaign) = word.strip_prefix('@') {
                    number = campaign.parse().map_err(|_| format!("{word:?} is no campaign"))?;
                } else {
                    cpu = seconds(word)?;
                }
            }
        }
    }
    let wall = WallTime(wall.unwrap_or(cpu));
    let scored = ScoredRun { class, cpu: CpuTime(cpu), wall, cpu_limit, judgement, model, core };
    let peak_memory = Bytes::mebibytes(32);
    let run =
        RunInfo { number: 0, campaign: number, solver: index, repetition: 0, scored, peak_memory };
    Ok((run, answer(&scored, truth, is_doubted)))
}

/// The answer of a run with these outcomes; none if there was no verdict. The verdict before an abnormal exit
/// follows from the judgement on it, from the model or from the core.
pub(super) fn answer(
    scored: &ScoredRun,
    truth: &GroundTruth,
    is_doubted: bool,
) -> Option<RunAnswer> {
    let expected = truth.verdict.map(|(verdict, _)| verdict);
    let verdict = match (scored.class, scored.judgement) {
        (Class::Sat, _) => Verdict::Sat,
        (Class::Unsat, _) => Verdict::Unsat,
        (Class::Unknown, _) => Verdict::Unknown,
        (_, Judgement::Wrong(_)) if expected == Some(Verdict::Sat) => Verdict::Unsat,
        (_, Judgement::Wrong(_)) => Verdict::Sat,
        (_, Judgement::Right(_)) => expected?,
        _ if scored.model.is_some() => Verdict::Sat,
        _ if scored.core.is_some() => Verdict::Unsat,
        _ => return None,
    };
    let opinion = Opinion {
        by: "verifier".to_owned(),
        class: match scored.model {
            Some(ModelOutcome::Invalid) => Class::Sat,
            _ => Class::Unsat,
        },
    };
    Some(RunAnswer {
        verdict,
        class: scored.class,
        reason_unknown: None,
        model: scored.model.map(|outcome| ModelFinding { outcome, detail: None }),
        core: scored.core.map(|outcome| CoreFinding { outcome, size: 1, detail: None }),
        opinions: is_doubted.then_some(opinion).into_iter().collect(),
    })
}

/// What runs with at most one answer show.
pub(super) fn observations<'a>(
    runs: impl IntoIterator<Item = &'a (RunInfo, Option<RunAnswer>)>,
    truth: &GroundTruth,
) -> Box<[Observation]> {
    let of_run = |(index, (run, answer)): (usize, &'a (RunInfo, Option<RunAnswer>))| {
        let scored = &run.scored;
        let truths = std::slice::from_ref(truth);
        observe(index, scored.class, answer.as_slice(), &[scored.judgement], truths)
    };
    runs.into_iter().enumerate().flat_map(of_run).collect()
}

/// The judgement that follows from the ground truth.
pub(super) fn judge(class: Class, truth: &GroundTruth) -> Judgement {
    let said = match class {
        Class::Sat => Verdict::Sat,
        Class::Unsat => Verdict::Unsat,
        _ => return Judgement::NoClaim,
    };
    match truth.verdict {
        Some((verdict, evidence)) if verdict == said => Judgement::Right(evidence),
        Some((_, evidence)) => Judgement::Wrong(evidence),
        None => Judgement::Unjudged,
    }
}

/// Puts rows together: names become indices.
pub(super) fn assemble(solvers: Vec<SolverInfo>, rows: Vec<Row>) -> Results {
    let mut places: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in &rows {
        places.entry(&row.set).or_default().insert(&row.track);
    }
    let (mut sets, mut tracks, mut track_of) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (set, names) in &places {
        for track in names {
            track_of.insert((*set, *track), tracks.len());
            let number = following(tracks.len());
            let (set, name) = (sets.len(), (*track).to_owned());
            tracks.push(TrackInfo { number, set, name, entries: 0..0 });
        }
        let (number, name) = (following(sets.len()), (*set).to_owned());
        sets.push(SetInfo { number, name, trust_status: true, tracks: 0..0, entries: 0..0 });
    }
    let names: BTreeSet<&str> =
        rows.iter().filter_map(|row| row.features.as_ref()).flatten().map(String::as_str).collect();
    let features: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let (mut entries, mut run_count, mut campaigns) = (Vec::new(), 0, 0);
    for (index, row) in rows.iter().enumerate() {
        let indices = |names: &Vec<String>| -> Arc<[u32]> {
            let found = names.iter().filter_map(|name| names_index(&features, name));
            found.collect::<BTreeSet<u32>>().into_iter().collect()
        };
        let content = Content {
            number: following(index),
            digest: Digest::of(format!("{}/{}/{}", row.set, row.track, row.name).as_bytes()),
            size: Bytes(row.size),
            dialect: 0,
            is_unreadable: row.features.is_none(),
            features: row.features.as_ref().map(indices),
        };
        let observations = observations(&row.runs, &row.truth);
        let mut runs: Vec<RunInfo> = row.runs.iter().map(|(run, _)| *run).collect();
        for run in &mut runs {
            run.number = following(run_count);
            run_count += 1;
            campaigns = campaigns.max(run.campaign + 1);
        }
        let (content, truths) = (Arc::new(content), vec![row.truth.clone()]);
        let judged = Arc::new(JudgedContent { content, truths, runs, observations });
        let track = track_of.get(&(&*row.set, &*row.track)).copied().unwrap_or_default();
        entries.push(Entry { track, name: row.name.as_str().into(), judged });
    }
    let mut parts = Results::default();
    parts.campaigns = (0..campaigns).map(campaign).collect();
    parts.solvers = solvers;
    parts.sets = sets;
    parts.tracks = tracks;
    parts.dialects = vec!["2.6".to_owned()];
    parts.features = features;
    parts.entries = entries;
    Results::new(parts)
}

/// The number after this many.
pub(super) fn following(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX - 1) + 1
}

fn names_index(features: &[String], name: &str) -> Option<u32> {
    let place = features.binary_search_by(|feature| feature.as_str().cmp(name)).ok()?;
    u32::try_from(place).ok()
}
