//! What is written is read back, and nothing is there twice.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::support::{
    all_instances, campaign, configuration, failed_run, instance, rich_run, run, timeout,
};
use luthier_records::{Class, Digest, Place, Run, Verdict};
use luthier_store::{CampaignId, ConfigurationId, InstanceId, NewRun, RunId, Store, StoreError};
use tempfile::TempDir;

struct Made {
    folder: TempDir,
    store: Store,
    campaign: CampaignId,
    configuration: ConfigurationId,
    instance: InstanceId,
}

const TEXT: &str = "(check-sat)";

fn made() -> Made {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path().join("results.db")).unwrap();
    let campaign = store.add_campaign(&campaign("c1")).unwrap();
    let configuration = store.add_configuration(&configuration("z3")).unwrap();
    let instance = store.add_instance(&instance(TEXT), TEXT.as_bytes()).unwrap();
    Made { folder, store, campaign, configuration, instance }
}

impl Made {
    fn add(&mut self, runs: &[Run]) -> Result<usize, StoreError> {
        let new = |run| NewRun { configuration: self.configuration, instance: self.instance, run };
        let runs: Vec<NewRun<'_>> = runs.iter().map(new).collect();
        self.store.add_runs(self.campaign, &runs)
    }
}

#[test]
fn everything_is_read_back_as_it_was_written() {
    let mut made = made();
    let set = made.store.add_set("kaluza", true).unwrap();
    let track = made.store.add_track(set, "small").unwrap();
    made.store.add_member(track, made.instance, "small/1.smt2").unwrap();
    made.store.add_member(track, made.instance, "big/0.smt2").unwrap();
    let runs = [rich_run(1), run(0, Verdict::Unsat)];
    assert_eq!(made.add(&runs).unwrap(), 2);

    let path = made.store.path().to_owned();
    made.store.close().unwrap();
    let store = Store::open_read_only(&path).unwrap();
    assert_eq!(store.campaigns().unwrap(), [(made.campaign, campaign("c1"))]);
    assert_eq!(store.configurations().unwrap(), [(made.configuration, configuration("z3"))]);
    let sets = store.sets().unwrap();
    assert_eq!((sets.len(), sets[0].name.as_str(), sets[0].trust_status), (1, "kaluza", true));
    let tracks = store.tracks().unwrap();
    assert_eq!((tracks[0].id, tracks[0].set, tracks[0].members), (track, set, 2));

    let all = all_instances(&store);
    assert_eq!(all.len(), 1);
    let found = &all[0];
    assert_eq!(found.instance, instance(TEXT));
    let place = |name: &str| Place {
        set: "kaluza".to_owned(),
        track: "small".to_owned(),
        name: name.to_owned(),
    };
    assert_eq!(found.places, [place("big/0.smt2"), place("small/1.smt2")]);
    // By repetition, not in the order of writing.
    for (stored, written) in found.runs.iter().zip([&runs[1], &runs[0]]) {
        let outputs = store.outputs(stored.id).unwrap().unwrap();
        assert_eq!(stored.clone().into_run(outputs), *written);
        assert_eq!(store.run(stored.id).unwrap().as_ref(), Some(stored));
    }
    assert_eq!(store.instance(made.instance).unwrap().as_ref(), Some(found));
    assert_eq!(store.text(Digest::of(TEXT.as_bytes())).unwrap().unwrap(), TEXT.as_bytes());

    assert_eq!(store.run(RunId(99)).unwrap(), None);
    assert_eq!(store.outputs(RunId(99)).unwrap(), None);
    assert_eq!(store.instance(InstanceId(99)).unwrap(), None);
    assert_eq!(store.text(Digest::of(b"other")).unwrap(), None);
}

#[test]
fn things_are_found_again_by_their_natural_keys() {
    let mut made = made();
    assert_eq!(made.store.add_campaign(&campaign("c1")).unwrap(), made.campaign);
    assert_ne!(made.store.add_campaign(&campaign("c2")).unwrap(), made.campaign);
    let mut renamed = configuration("z3");
    renamed.name = "mine".to_owned();
    assert_eq!(made.store.add_configuration(&renamed).unwrap(), made.configuration);
    renamed.seed = None;
    assert_ne!(made.store.add_configuration(&renamed).unwrap(), made.configuration);
    let again = made.store.add_instance(&instance(TEXT), TEXT.as_bytes()).unwrap();
    assert_eq!(again, made.instance);
    let mut legacy = instance(TEXT);
    legacy.dialect = "legacy".to_owned();
    let legacy = made.store.add_instance(&legacy, TEXT.as_bytes()).unwrap();
    assert_ne!(legacy, made.instance);

    let set = made.store.add_set("a", false).unwrap();
    assert_eq!(made.store.add_set("a", true).unwrap(), set);
    assert!(made.store.sets().unwrap()[0].trust_status);
    let track = made.store.add_track(set, "").unwrap();
    assert_eq!(made.store.add_track(set, "").unwrap(), track);
    for _ in 0..2 {
        made.store.add_member(track, legacy, "x").unwrap();
    }
    assert_eq!(made.store.tracks().unwrap()[0].members, 1);
}

#[test]
fn a_later_reading_of_an_instance_replaces_an_earlier_one() {
    let mut made = made();
    let mut reading = instance(TEXT);
    reading.queries.pop();
    reading.fault = Some("1:2: cannot be read".to_owned());
    reading.dialect_reason = "asked for".to_owned();
    assert_eq!(made.store.add_instance(&reading, TEXT.as_bytes()).unwrap(), made.instance);
    assert_eq!(all_instances(&made.store)[0].instance, reading);
    // Without the text, nothing is known better.
    assert_eq!(made.store.add_instance_without_text(&instance(TEXT)).unwrap(), made.instance);
    assert_eq!(all_instances(&made.store)[0].instance, reading);
}

#[test]
fn a_text_with_another_digest_is_refused() {
    let mut made = made();
    let error = made.store.add_instance(&instance("a"), b"b").unwrap_err();
    assert!(matches!(error, StoreError::WrongDigest { .. }), "{error}");
    assert!(error.to_string().contains("results.db"), "{error}");
}

#[test]
fn a_run_that_is_there_stays_as_it_is_and_is_not_counted() {
    let mut made = made();
    assert_eq!(made.add(&[run(0, Verdict::Sat)]).unwrap(), 1);
    assert_eq!(made.add(&[run(0, Verdict::Unsat), run(1, Verdict::Sat)]).unwrap(), 1);
    // Twice in one call is once, too.
    assert_eq!(made.add(&[run(2, Verdict::Sat), run(2, Verdict::Unsat)]).unwrap(), 1);
    let runs = &all_instances(&made.store)[0].runs;
    let verdicts: Vec<_> = runs.iter().map(|run| run.answers[0].verdict).collect();
    assert_eq!(verdicts, [Verdict::Sat; 3]);
    assert!(runs.iter().all(|run| run.answers.len() == 1));
}

#[test]
fn recorded_runs_are_known_and_can_be_removed_by_class() {
    let mut made = made();
    let runs = [run(0, Verdict::Sat), failed_run(1), timeout(2), rich_run(3)];
    made.add(&runs).unwrap();
    let repetitions = |store: &Store| {
        let mut pairs: Vec<_> = store.recorded(made.configuration).unwrap().into_iter().collect();
        pairs.sort_unstable();
        pairs
    };
    let pair = |repetition| (made.instance, repetition);
    assert_eq!(repetitions(&made.store), [0, 1, 2, 3].map(pair));
    let classes = [Class::FrameworkError, Class::Crash];
    assert_eq!(made.store.remove_runs(made.configuration, &classes).unwrap(), 2);
    assert_eq!(repetitions(&made.store), [0, 2].map(pair));
    // Their answers and opinions went with them.
    made.store.check().unwrap();
    assert!(made.store.recorded(ConfigurationId(99)).unwrap().is_empty());
}

#[test]
fn a_batch_is_kept_wholly_or_not_at_all() {
    let mut made = made();
    let error = made.store.batch(|store| -> Result<(), StoreError> {
        store.add_set("gone", true)?;
        store.batch(|store| store.add_set("gone, too", true))?;
        let text = "x".repeat(1000);
        store.add_instance(&instance(&text), text.as_bytes())?;
        store.add_instance(&instance("a"), b"b").map(|_| ())
    });
    assert!(error.is_err());
    assert!(made.store.sets().unwrap().is_empty());
    assert_eq!(all_instances(&made.store).len(), 1);
    // A text of which the transaction was undone is written again.
    let text = "x".repeat(1000);
    made.store.add_instance(&instance(&text), text.as_bytes()).unwrap();
    assert_eq!(made.store.text(Digest::of(text.as_bytes())).unwrap().unwrap(), text.as_bytes());
    made.store.check().unwrap();
}

#[test]
fn texts_of_all_sizes_are_kept_and_equal_ones_once() {
    let mut made = made();
    let sizes = [0, 1, 63, 64, 65, 5000, 3_000_000];
    let mut runs = Vec::new();
    for (repetition, size) in (0..).zip(sizes) {
        let mut run = run(repetition, Verdict::Sat);
        // The first half cannot be compressed, the second can.
        let noise = (0_u32..).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8);
        let bytes: Vec<u8> =
            noise.take(size / 2).chain(std::iter::repeat(b'x')).take(size).collect();
        run.stdout.bytes.clone_from(&bytes);
        run.stderr.bytes = bytes;
        runs.push(run);
    }
    made.add(&runs).unwrap();
    for (stored, run) in all_instances(&made.store)[0].runs.iter().zip(&runs) {
        let outputs = made.store.outputs(stored.id).unwrap().unwrap();
        assert_eq!(outputs.stdout, run.stdout);
        assert_eq!(outputs.stderr, run.stderr);
    }
    let path = made.store.path().to_owned();
    made.store.close().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    // One per size that is not 0, and the instance.
    assert_eq!(count("SELECT count(*) FROM text"), 7);
    assert_eq!(count("SELECT count(*) FROM text WHERE encoding = 'zstd'"), 4);
}

#[test]
fn views_for_people_give_names_and_seconds() {
    let mut made = made();
    let set = made.store.add_set("kaluza", true).unwrap();
    let track = made.store.add_track(set, "small").unwrap();
    made.store.add_member(track, made.instance, "1.smt2").unwrap();
    made.add(&[run(0, Verdict::Sat), rich_run(1)]).unwrap();
    let other = made.store.add_configuration(&configuration("cvc5")).unwrap();
    let no = run(0, Verdict::Unsat);
    let new = NewRun { configuration: other, instance: made.instance, run: &no };
    made.store.add_runs(made.campaign, &[new]).unwrap();
    let path = made.store.path().to_owned();
    made.store.close().unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(
        texts(
            "SELECT concat_ws('|', configuration, \"set\", track, name, class, cpu_seconds,
                 ending, ending_detail, started_utc)
             FROM results WHERE repetition = 1"
        ),
        ["z3|kaluza|small|1.smt2|crash|1.234567|signalled|11|2023-11-14 22:13:20"]
    );
    assert_eq!(
        texts(
            "SELECT concat_ws('|', query, verdict, planted, model) FROM answers
               WHERE repetition = 1 ORDER BY query"
        ),
        ["0|sat|sat|invalid", "1|unknown|unsat"]
    );
    assert_eq!(
        texts("SELECT concat_ws('|', name, query, sat_by, unsat_by) FROM contradictions"),
        ["1.smt2|0|z3|cvc5"]
    );
    drop(made.folder);
}
