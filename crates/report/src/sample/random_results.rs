//! Random results of any size, for measurements: as skewed and as incomplete as real ones.

use std::sync::Arc;
use std::time::Duration;

use luthier_records::{
    Bytes, Class, CpuTime, Digest, Evidence, GroundTruth, ModelOutcome, RunAnswer, Verdict,
    WallTime,
};

use super::entries::{answer, following, judge, observations};
use super::{campaign, plain_solver};
use crate::measures::Random;
use crate::{Content, Entry, JudgedContent, Results, RunInfo, ScoredRun, SetInfo, TrackInfo};

const SETS: usize = 20;
const TRACKS_OF_A_SET: usize = 5;
const FEATURES: usize = 120;
const LIMIT: Duration = Duration::from_secs(10);

/// Results of this many entries and solvers, the same for the same seed. Most runs answer quickly, some
/// slowly; one in ten ends at the limit; now and then one is wrong, crashes or has an invalid model.
pub fn random_results(entries: usize, solvers: usize, seed: u64) -> Results {
    let mut random = Random::new(seed);
    let tracks = (0..SETS * TRACKS_OF_A_SET).map(|index| TrackInfo {
        number: following(index),
        set: index / TRACKS_OF_A_SET,
        name: format!("track{:02}", index % TRACKS_OF_A_SET),
        entries: 0..0,
    });
    let sets = (0..SETS).map(|index| SetInfo {
        number: following(index),
        name: format!("set{index:02}"),
        trust_status: true,
        tracks: 0..0,
        entries: 0..0,
    });
    let entry = |index: usize| {
        // One track after the other, as sets are read.
        let track = index * SETS * TRACKS_OF_A_SET / entries;
        let verdict = if random.below(2) == 0 { Verdict::Sat } else { Verdict::Unsat };
        let is_known = random.below(10) > 0;
        let truth = GroundTruth {
            verdict: is_known.then_some((verdict, Evidence::Status)),
            ..GroundTruth::default()
        };
        let runs = (0..solvers).map(|solver| RunInfo {
            number: following(index * solvers + solver),
            campaign: 0,
            solver,
            repetition: 0,
            scored: run(&mut random, verdict, &truth),
            peak_memory: Bytes::mebibytes(32),
        });
        let with_answer = |run: RunInfo| (run, answer(&run.scored, &truth, false));
        let runs: Vec<(RunInfo, Option<RunAnswer>)> = runs.map(with_answer).collect();
        let observations = observations(&runs, &truth);
        let runs = runs.into_iter().map(|(run, _)| run).collect();
        let mut features: Vec<u32> =
            (0..12).filter_map(|_| u32::try_from(random.below(FEATURES)).ok()).collect();
        features.sort_unstable();
        features.dedup();
        let content = Content {
            number: following(index),
            digest: Digest::of(&index.to_le_bytes()),
            size: Bytes(200 + random.below(20_000) as u64),
            dialect: 0,
            is_unreadable: false,
            features: (random.below(100) > 0).then(|| features.into()),
        };
        let (content, truths) = (Arc::new(content), vec![truth]);
        let judged = JudgedContent { content, truths, runs, observations };
        Entry { track, name: format!("{index:06}.smt2").into(), judged: Arc::new(judged) }
    };
    let entries = (0..entries).map(entry).collect();
    let numbers = (1..).take(solvers);
    let mut parts = Results::default();
    parts.campaigns = vec![campaign(0)];
    parts.solvers =
        numbers.map(|number| plain_solver(number, &format!("solver{number}"), LIMIT)).collect();
    parts.sets = sets.collect();
    parts.tracks = tracks.collect();
    parts.dialects = vec!["2.6".to_owned()];
    parts.features = (0..FEATURES).map(|index| format!("feature{index:03}")).collect();
    parts.entries = entries;
    Results::new(parts)
}

fn run(random: &mut Random, verdict: Verdict, truth: &GroundTruth) -> ScoredRun {
    let (right, wrong) = match verdict {
        Verdict::Sat => (Class::Sat, Class::Unsat),
        Verdict::Unsat | Verdict::Unknown => (Class::Unsat, Class::Sat),
    };
    let class = match random.below(1000) {
        0 => wrong,
        1..=3 => Class::Crash,
        4..=5 => Class::Memout,
        6..=8 => Class::Unsupported,
        9 => Class::FrameworkError,
        10..=60 => Class::Unknown,
        61..=160 => Class::Timeout,
        _ => right,
    };
    // Times of solvers are about log-normal: here from a few milliseconds to the limit.
    let time = Duration::from_secs_f64(0.03 * (1.5 * random.normal()).exp()).min(LIMIT);
    let cpu = if class == Class::Timeout { LIMIT } else { time };
    let model = match class {
        Class::Sat if random.below(500) == 0 => Some(ModelOutcome::Invalid),
        Class::Sat => Some(ModelOutcome::Valid),
        _ => None,
    };
    ScoredRun {
        class,
        cpu: CpuTime(cpu),
        wall: WallTime(cpu + cpu / 10),
        cpu_limit: CpuTime(LIMIT),
        judgement: judge(class, truth),
        model,
        core: None,
    }
}
