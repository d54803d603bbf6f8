//! Imports databases of ZaligVinder (Kulczynski et al., 2021).
//!
//! They record less than ours, and some of it is unreliable. Missing data is not invented: it is left
//! out or stated in the notes of every run.
//! * A verdict is what ZaligVinder recorded. It searched the output for a word, and it recorded crashes
//!   and errors as unknown.
//! * Times are milliseconds of wall time. There is no CPU time; the wall time stands in its place.
//! * Exit codes, standard error, versions, options and memory limits were not recorded. A run that
//!   did not time out has the ending `unrecorded`.
//! * The expected answer of an instance may come from a majority vote, so its set is not trusted.

mod database;
mod records;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use luthier_records::{Campaign, Digest, Instance, ModelFinding, Verdict, WallTime};

use crate::codec::{EndingColumns, Name, Sha, micros};
use crate::write::Replace;
use crate::{CampaignId, ConfigurationId, InstanceId, NewRun, Store, StoreError, TrackId};
use database::{BadResult, ListedInstance, TrackNames, ZaligvinderDatabase, ZaligvinderResult};
pub use database::{BadRow, find_formula};
use records::{configuration, lost_instance, run, verdict};

/// The set of instances that are in no track, or in one that names no set.
const SET_WITHOUT_NAME: &str = "ZaligVinder";

/// Options of an import: what a ZaligVinder database does not record.
pub struct ZaligvinderImport<'a> {
    /// The circumstances of the import.
    pub campaign: &'a Campaign,
    /// The timeout that the solvers had.
    pub timeout: WallTime,
    /// Where to look for the files of the instances: for relative paths, and for absolute paths
    /// of another machine, of which the last parts are tried.
    pub folder: &'a Path,
    /// Reads an instance whose file was found: its digest, its dialect and its queries.
    pub read: &'a mut dyn FnMut(&[u8]) -> Instance,
    /// Judges the model of a `sat` on an instance whose file was found; `None` if there is none.
    pub check: &'a mut dyn FnMut(&ImportedModel<'_>) -> Option<ModelFinding>,
}

/// A model to be judged.
#[derive(Clone, Copy, Debug)]
pub struct ImportedModel<'a> {
    /// The instance.
    pub instance: &'a Instance,
    /// Its text.
    pub text: &'a [u8],
    /// What the solver printed.
    pub output: &'a [u8],
    /// What was recorded as its model; may be empty.
    pub model: &'a [u8],
}

/// The counts of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Solvers with at least one result.
    pub configurations: usize,
    /// Instances, those without a file included.
    pub instances: usize,
    /// Instances whose file was not found. They are known by set, track and name.
    pub instances_without_file: usize,
    /// Results that became runs.
    pub runs_added: usize,
    /// Results that were here already.
    pub runs_already_there: usize,
    /// Results left out, because their row is bad.
    pub results_left_out: usize,
    /// Models that were judged.
    pub models_checked: usize,
    /// The bad rows of all tables.
    pub bad_rows: Vec<BadRow>,
}

impl Store {
    /// Whether a file is a database of ZaligVinder that can be read. Nothing is imported.
    pub fn recognise_zaligvinder(path: impl AsRef<Path>) -> Result<(), StoreError> {
        ZaligvinderDatabase::open(path.as_ref()).map(|_| ())
    }

    /// Imports the results of a ZaligVinder database, in one transaction.
    ///
    /// A result is one run, and counts at the places of its own instance only, though files with
    /// the same bytes are one instance here. A result that is here already is not added again: it
    /// belongs to the same places, and class, time and output are the same. So a second import of
    /// the same database adds nothing, and one of a database that has grown adds what is new. Rows
    /// that make no sense are reported and left out.
    pub fn import_zaligvinder(
        &mut self,
        path: impl AsRef<Path>,
        options: ZaligvinderImport<'_>,
    ) -> Result<ImportReport, StoreError> {
        let database = ZaligvinderDatabase::open(path.as_ref())?;
        self.batch(|store| {
            let campaign = store.add_campaign(options.campaign)?;
            // Earlier versions counted every result at every place of its instance.
            store.execute(
                "DELETE FROM run WHERE campaign_id = ?1
                     AND NOT EXISTS (SELECT 1 FROM run_place WHERE run_place.run_id = run.id)",
                [campaign.0],
            )?;
            let mut import = Import {
                store,
                campaign,
                options,
                configurations: HashMap::new(),
                instances: HashMap::new(),
                known: HashMap::new(),
                report: ImportReport::default(),
            };
            import.instances(&database)?;
            database.visit_results(|result| match result {
                Ok(result) => import.add(result),
                Err(bad) => {
                    import.report_bad_result(bad);
                    Ok(())
                }
            })?;
            Ok(import.report)
        })
    }
}

/// An import under way.
struct Import<'a, 'o> {
    store: &'a mut Store,
    campaign: CampaignId,
    options: ZaligvinderImport<'o>,
    configurations: HashMap<String, ConfigurationId>,
    /// Our instances by their row numbers.
    instances: HashMap<i64, ImportedInstance>,
    known: HashMap<(ConfigurationId, InstanceId), ExistingRuns>,
    report: ImportReport,
}

/// An imported instance.
struct ImportedInstance {
    id: InstanceId,
    name: String,
    /// Where it stands, in order.
    tracks: Vec<TrackId>,
    /// What is known about it, if its file was found.
    instance: Option<Instance>,
}

/// The runs of a configuration on an instance that are here.
struct ExistingRuns {
    next_repetition: u32,
    /// Those that no result of this import has been found to be.
    unmatched: Vec<Fingerprint>,
}

/// Distinguishes results of one configuration on one instance.
#[derive(PartialEq, Eq)]
struct Fingerprint {
    places: Vec<(i64, String)>,
    ending: String,
    class: String,
    wall_us: Option<i64>,
    output: Option<Digest>,
}

impl Import<'_, '_> {
    fn instances(&mut self, database: &ZaligvinderDatabase) -> Result<(), StoreError> {
        let listed = database.instances(&mut self.report.bad_rows)?;
        let numbers: HashSet<i64> = listed.iter().map(|listed| listed.id).collect();
        let places = database.tracks(&numbers, &mut self.report.bad_rows)?;
        let nowhere = [(SET_WITHOUT_NAME.to_owned(), String::new())];
        let mut known_tracks: HashMap<TrackNames, TrackId> = HashMap::new();
        for listed in listed {
            let places = places.get(&listed.id).map_or(nowhere.as_slice(), Vec::as_slice);
            let (id, instance) = match find_formula(&listed.file, self.options.folder) {
                Some(bytes) => {
                    self.remove_placeholder(&lost_instance(&listed, &places[0]))?;
                    self.instance_with_file(&listed, &bytes)?
                }
                None => {
                    self.report.instances_without_file += 1;
                    let lost = lost_instance(&listed, &places[0]);
                    (self.store.add_instance_without_text(&lost)?, None)
                }
            };
            let mut tracks = Vec::with_capacity(places.len());
            for names in places {
                let track = match known_tracks.get(names) {
                    Some(track) => *track,
                    None => {
                        let set = self.store.add_set(&names.0, false)?;
                        let track = self.store.add_track(set, &names.1)?;
                        known_tracks.insert(names.clone(), track);
                        track
                    }
                };
                self.store.add_member(track, id, &listed.name)?;
                tracks.push(track);
            }
            tracks.sort_unstable();
            tracks.dedup();
            let imported = ImportedInstance { id, name: listed.name, tracks, instance };
            self.instances.insert(listed.id, imported);
            self.report.instances += 1;
        }
        Ok(())
    }

    /// Removes what an import without the file put in its place, with its runs: they come again with
    /// the file, and would count twice.
    fn remove_placeholder(&mut self, lost: &Instance) -> Result<(), StoreError> {
        let of_lost = "(SELECT id FROM instance WHERE digest = ?1 AND dialect = ?2
                            AND text_id IS NULL)";
        for table in ["run", "label", "member", "query"] {
            self.store.execute(
                &format!("DELETE FROM {table} WHERE instance_id = {of_lost}"),
                rusqlite::params![Sha(lost.digest), lost.dialect],
            )?;
        }
        self.store
            .execute(
                "DELETE FROM instance WHERE digest = ?1 AND dialect = ?2 AND text_id IS NULL",
                rusqlite::params![Sha(lost.digest), lost.dialect],
            )
            .map(|_| ())
    }

    /// An instance that is here already stays as it is: what ZaligVinder expected must not take
    /// the place of what the file says.
    fn instance_with_file(
        &mut self,
        listed: &ListedInstance,
        bytes: &[u8],
    ) -> Result<(InstanceId, Option<Instance>), StoreError> {
        let mut instance = (self.options.read)(bytes);
        instance.digest = Digest::of(bytes);
        if let [query] = instance.queries.as_mut_slice()
            && query.status.is_none()
        {
            query.status = listed.expected.map(verdict);
        }
        let prepared = self.store.prepare_digested(instance.digest, bytes)?;
        let text_id = self.store.put_text(&prepared)?;
        let id = self.store.put_instance(&instance, Some(text_id), Replace::No)?;
        Ok((id, Some(instance)))
    }

    fn report_bad_result(&mut self, bad: BadResult) {
        let instance = bad.instance.and_then(|instance| self.instances.get(&instance));
        let BadResult { row, problem, .. } = bad;
        self.report.results_left_out += 1;
        self.report.bad_rows.push(BadRow {
            table: "Result",
            row,
            instance: instance.map(|instance| instance.name.clone()),
            problem: format!("{problem}; it is left out"),
        });
    }

    fn add(&mut self, result: ZaligvinderResult) -> Result<(), StoreError> {
        let Some(imported) = self.instances.get(&result.instance) else {
            let (row, instance) = (result.row, result.instance);
            let problem = format!("there is no instance {instance}");
            self.report_bad_result(BadResult { row, instance: None, problem });
            return Ok(());
        };
        let (instance, name) = (imported.id, imported.name.clone());
        let tracks = imported.tracks.clone();
        let configuration = self.configuration(&result.solver)?;
        let model = self.check(&result)?;
        let mut run = run(result, model);
        let found = Fingerprint {
            places: tracks.iter().map(|track| (track.0, name.clone())).collect(),
            ending: EndingColumns::of(&run.ending).kind.to_owned(),
            class: run.class.name().to_owned(),
            wall_us: micros(run.measured.wall.0),
            output: (!run.stdout.bytes.is_empty()).then(|| Digest::of(&run.stdout.bytes)),
        };
        let key = (configuration, instance);
        if !self.known.contains_key(&key) {
            let known = self.store.known_results(configuration, instance)?;
            self.known.insert(key, known);
        }
        let Some(known) = self.known.get_mut(&key) else { return Ok(()) };
        if let Some(index) = known.unmatched.iter().position(|known| *known == found) {
            known.unmatched.swap_remove(index);
            self.report.runs_already_there += 1;
            return Ok(());
        }
        run.repetition = known.next_repetition;
        known.next_repetition += 1;
        let places: Vec<(TrackId, &str)> =
            found.places.iter().map(|(track, name)| (TrackId(*track), name.as_str())).collect();
        let new = NewRun { configuration, instance, run: &run };
        self.store.add_run_at(self.campaign, &new, &places)?;
        self.report.runs_added += 1;
        Ok(())
    }

    /// The result of checking the model of a `sat`, if there is one.
    fn check(&mut self, result: &ZaligvinderResult) -> Result<Option<ModelFinding>, StoreError> {
        let imported = self.instances.get(&result.instance);
        let Some(instance) = imported.and_then(|imported| imported.instance.as_ref()) else {
            return Ok(None);
        };
        let is_sat = result.satisfiable.map(verdict) == Some(Verdict::Sat);
        if !is_sat || instance.queries.len() != 1 || instance.fault.is_some() {
            return Ok(None);
        }
        let Some(text) = self.store.text(instance.digest)? else { return Ok(None) };
        let ZaligvinderResult { output, model, .. } = result;
        let found = (self.options.check)(&ImportedModel { instance, text: &text, output, model });
        self.report.models_checked += usize::from(found.is_some());
        Ok(found)
    }

    fn configuration(&mut self, solver: &str) -> Result<ConfigurationId, StoreError> {
        if let Some(id) = self.configurations.get(solver) {
            return Ok(*id);
        }
        let described = configuration(solver, self.options.timeout);
        let id = self.store.add_configuration(&described)?;
        self.configurations.insert(solver.to_owned(), id);
        self.report.configurations += 1;
        Ok(id)
    }
}

impl Store {
    /// The runs of a configuration on an instance that belong to places.
    fn known_results(
        &self,
        configuration: ConfigurationId,
        instance: InstanceId,
    ) -> Result<ExistingRuns, StoreError> {
        let rows = self.rows(
            "SELECT run.id, run.repetition, run.ending, run.class, run.wall_us, text.digest
             FROM run LEFT JOIN text ON text.id = run.stdout_text_id
             WHERE run.configuration_id = ?1 AND run.instance_id = ?2 ORDER BY run.repetition",
            [configuration.0, instance.0],
            |row| {
                let fingerprint = Fingerprint {
                    places: Vec::new(),
                    ending: row.get(2)?,
                    class: row.get::<_, Name<luthier_records::Class>>(3)?.0.name().to_owned(),
                    wall_us: row.get(4)?,
                    output: row.get::<_, Option<Sha>>(5)?.map(|sha| sha.0),
                };
                Ok((row.get::<_, i64>(0)?, row.get::<_, u32>(1)?, fingerprint))
            },
        )?;
        let mut known = ExistingRuns { next_repetition: 0, unmatched: Vec::new() };
        for (id, repetition, mut fingerprint) in rows {
            known.next_repetition = repetition.saturating_add(1);
            fingerprint.places = self.rows(
                "SELECT track_id, name FROM run_place WHERE run_id = ?1 ORDER BY track_id, name",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            known.unmatched.push(fingerprint);
        }
        Ok(known)
    }
}
