//! Results of ZaligVinder, the tool that came before this one.
//!
//! Its databases hold less than ours, and some of it is doubtful. What they do not say is not made
//! up: it is left out or stated in words, here and in the notes of every run.
//! * A verdict is what ZaligVinder booked. It looked for a word anywhere in the output, and it
//!   booked crashes and errors as unknown.
//! * Times are milliseconds on the wall. There is no CPU time; the wall time stands in its place.
//! * Exit codes, standard error, versions, options and memory limits were not recorded.
//! * The expected answer of an instance may come from a vote, so its set is not trusted.

mod records;
mod source;

use std::collections::HashMap;
use std::path::Path;

use luthier_records::{Campaign, Digest, Instance, WallTime};

use crate::write::Replace;
use crate::{CampaignId, ConfigurationId, InstanceId, NewRun, Store, StoreError, TrackId};
use records::{configuration, lost_instance, run, verdict};
use source::{BookedResult, ListedInstance, Source, TrackNames, find_file};

/// The set of instances that are in no track, or in one that names no set.
const SET_WITHOUT_NAME: &str = "ZaligVinder";

/// How many results are turned into runs at once.
const RESULTS_AT_ONCE: usize = 200;

/// What a database of ZaligVinder does not say.
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
}

/// What came of an import.
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
    /// Results left out, because their instance or their solver is not in the database.
    pub results_left_out: usize,
}

impl Store {
    /// Imports the results of a ZaligVinder database, in one transaction. A second import of the
    /// same database adds nothing. Files with the same bytes are one instance, so results on them
    /// become repetitions.
    pub fn import_zaligvinder(
        &mut self,
        path: impl AsRef<Path>,
        mut options: ZaligvinderImport<'_>,
    ) -> Result<ImportReport, StoreError> {
        let path = path.as_ref();
        let source = Source::open(path)?;
        self.batch(|store| {
            let campaign = store.add_campaign(options.campaign)?;
            let mut import = Import {
                store,
                campaign,
                timeout: options.timeout,
                configurations: HashMap::new(),
                instances: HashMap::new(),
                repetitions: HashMap::new(),
                report: ImportReport::default(),
            };
            import.instances(&source, &mut options)?;
            source.visit_results(RESULTS_AT_ONCE, |results| import.add(results))?;
            Ok(import.report)
        })
    }
}

/// An import under way.
struct Import<'a> {
    store: &'a mut Store,
    campaign: CampaignId,
    timeout: WallTime,
    configurations: HashMap<String, ConfigurationId>,
    /// Ours by theirs.
    instances: HashMap<i64, InstanceId>,
    repetitions: HashMap<(ConfigurationId, InstanceId), u32>,
    report: ImportReport,
}

impl Import<'_> {
    fn instances(
        &mut self,
        source: &Source,
        options: &mut ZaligvinderImport<'_>,
    ) -> Result<(), StoreError> {
        let places = source.tracks()?;
        let nowhere = [(SET_WITHOUT_NAME.to_owned(), String::new())];
        let mut tracks: HashMap<TrackNames, TrackId> = HashMap::new();
        for listed in source.instances()? {
            let places = places.get(&listed.id).map_or(nowhere.as_slice(), Vec::as_slice);
            let id = match find_file(&listed.file, options.folder) {
                Some(bytes) => self.instance_with_file(&listed, &bytes, options)?,
                None => {
                    self.report.instances_without_file += 1;
                    self.store.add_instance_without_text(&lost_instance(&listed, &places[0]))?
                }
            };
            for names in places {
                let track = match tracks.get(names) {
                    Some(track) => *track,
                    None => {
                        let set = self.store.add_set(&names.0, false)?;
                        let track = self.store.add_track(set, &names.1)?;
                        tracks.insert(names.clone(), track);
                        track
                    }
                };
                self.store.add_member(track, id, &listed.name)?;
            }
            self.instances.insert(listed.id, id);
            self.report.instances += 1;
        }
        Ok(())
    }

    /// An instance that is here already stays as it is: what ZaligVinder expected must not take
    /// the place of what the file says.
    fn instance_with_file(
        &mut self,
        listed: &ListedInstance,
        bytes: &[u8],
        options: &mut ZaligvinderImport<'_>,
    ) -> Result<InstanceId, StoreError> {
        let mut instance = (options.read)(bytes);
        instance.digest = Digest::of(bytes);
        if let [query] = instance.queries.as_mut_slice()
            && query.status.is_none()
        {
            query.status = listed.expected.map(verdict);
        }
        let prepared = self.store.prepare_digested(instance.digest, bytes)?;
        let text_id = self.store.put_text(&prepared)?;
        self.store.put_instance(&instance, Some(text_id), Replace::No)
    }

    fn add(&mut self, results: Vec<BookedResult>) -> Result<(), StoreError> {
        let mut runs = Vec::with_capacity(results.len());
        for result in results {
            let instance = self.instances.get(&result.instance).copied();
            let (Some(instance), Some(solver)) = (instance, &result.solver) else {
                self.report.results_left_out += 1;
                continue;
            };
            let configuration = self.configuration(solver)?;
            let next = self.repetitions.entry((configuration, instance)).or_default();
            let repetition = *next;
            *next += 1;
            runs.push((configuration, instance, run(result, repetition)));
        }
        let new: Vec<NewRun<'_>> = runs
            .iter()
            .map(|(configuration, instance, run)| NewRun {
                configuration: *configuration,
                instance: *instance,
                run,
            })
            .collect();
        let added = self.store.add_runs(self.campaign, &new)?;
        self.report.runs_added += added;
        self.report.runs_already_there += new.len() - added;
        Ok(())
    }

    fn configuration(&mut self, solver: &str) -> Result<ConfigurationId, StoreError> {
        if let Some(id) = self.configurations.get(solver) {
            return Ok(*id);
        }
        let id = self.store.add_configuration(&configuration(solver, self.timeout))?;
        self.configurations.insert(solver.to_owned(), id);
        self.report.configurations += 1;
        Ok(id)
    }
}
