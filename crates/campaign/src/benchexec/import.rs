//! Results of BenchExec as runs.
//!
//! What BenchExec does not record is not invented: there is no output, so a model cannot be checked; the
//! digest of the program is unknown. Its category (`correct`, `wrong`) is not taken over: the judgement
//! follows from the evidence here, to which the expected verdict of a task is a label.
//!
//! An instance is found by the path of its input file, under a folder if it is not where it was; one whose
//! file is not found is known by set and name. A result counts at the place of its own task: at the one from
//! which we exported it, if the path of its file says so; else in a set with the name of the benchmark, in
//! a track with the name of the folder.
//!
//! BenchExec records one answer for a task, so results on scripts with several queries are left out.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use luthier_records::{
    Answer, Bytes, Campaign, Captured, Class, Clock, Configuration, Cores, CpuTime, Digest, Ending,
    Instance, Label, Measured, ParsedOutput, Place, Query, Run, RunAnswer, RunLimits, Timestamp,
    Verdict, WallTime,
};
use luthier_store::{
    CampaignId, ConfigurationId, InstanceId, NewRun, Store, StoreError, TrackId, find_formula,
};

use super::results::{ResultFile, ResultRun};
use super::tasks::file_name;
use crate::parsed_instance::ParsedInstance;

/// The counts of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchexecReport {
    /// Instances, those without a file included.
    pub instances: usize,
    /// Instances whose file was not found.
    pub instances_without_file: usize,
    /// Results that became runs.
    pub runs_added: usize,
    /// Results that were here already, because the same file was imported before.
    pub runs_already_there: usize,
    /// Expected verdicts that became labels.
    pub labels: usize,
    /// Results that are left out, and values that are.
    pub left_out: Vec<LeftOut>,
}

/// Something that could not be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The line in the file.
    pub line: u32,
    /// The name of the task.
    pub task: String,
    /// What is wrong.
    pub problem: String,
    /// Whether there is no run for it.
    pub whole_result: bool,
}

/// Imports a result file, in one transaction. The campaign is named after the content of the file, so
/// that a second import adds nothing.
pub fn import_benchexec(
    store: &mut Store,
    file: &ResultFile,
    campaign: &Campaign,
    source: &str,
    folder: &Path,
) -> Result<BenchexecReport, StoreError> {
    let mut report = BenchexecReport::default();
    if store.campaigns()?.iter().any(|(_, known)| known.id == campaign.id) {
        report.runs_already_there = file.runs.len();
        return Ok(report);
    }
    store.batch(|store| {
        let campaign = store.add_campaign(campaign)?;
        let configuration = store.add_configuration(&configuration(file))?;
        let mut next: HashMap<InstanceId, u32> = HashMap::new();
        for (instance, repetition) in store.recorded(configuration)? {
            let next = next.entry(instance).or_default();
            *next = (*next).max(repetition + 1);
        }
        let import = Import { campaign, configuration, set: set_name(file), source, folder };
        let mut tracks = Tracks::of(store)?;
        let mut instances = HashSet::new();
        for result in &file.runs {
            let left_out = |problem: &str, whole_result| LeftOut {
                line: result.line,
                task: result.name.clone(),
                problem: problem.to_owned(),
                whole_result,
            };
            report.left_out.extend(result.problems.iter().map(|one| left_out(one, false)));
            let name = place_name(result);
            if name.is_empty() || result.status.is_empty() {
                let problem = "it has no name, or no status: it was not run";
                report.left_out.push(left_out(problem, true));
                continue;
            }
            let (instance, found) = match import.instance(store, result, &name)? {
                Ok(found) => found,
                Err(queries) => {
                    let problem = format!("its script has {queries} queries, and one answer");
                    report.left_out.push(left_out(&problem, true));
                    continue;
                }
            };
            if instances.insert(instance) {
                report.instances += 1;
                report.instances_without_file += usize::from(!found);
            }
            let place = import.place(store, instance, &name)?;
            let track = tracks.get(store, &place)?;
            let name = place.name;
            import.add(store, result, (instance, track, &name), &mut next)?;
            report.runs_added += 1;
            if let Some(verdict) = result.expected {
                let label = Label { source: import.source.to_owned(), verdict };
                store.add_label(track, instance, &name, &label)?;
                report.labels += 1;
            }
        }
        Ok(report)
    })
}

struct Import<'a> {
    campaign: CampaignId,
    configuration: ConfigurationId,
    set: String,
    source: &'a str,
    folder: &'a Path,
}

impl Import<'_> {
    /// The instance of a result, and whether its file was found; the number of its queries if it has not
    /// exactly one.
    fn instance(
        &self,
        store: &mut Store,
        result: &ResultRun,
        name: &str,
    ) -> Result<Result<(InstanceId, bool), usize>, StoreError> {
        // A task of several files is not one script.
        let file = match result.files.as_slice() {
            [] => Some(result.name.as_str()),
            [file] => Some(file.as_str()),
            _ => None,
        };
        if let Some(bytes) = file.and_then(|file| find_formula(file, self.folder)) {
            let instance = ParsedInstance::read(&bytes, None).instance;
            if instance.fault.is_none() && instance.queries.len() != 1 {
                return Ok(Err(instance.queries.len()));
            }
            return Ok(Ok((store.add_instance(&instance, &bytes)?, true)));
        }
        let set = &self.set;
        let instance = Instance {
            digest: Digest::of(format!("BenchExec\0{set}\0{name}").as_bytes()),
            dialect: "unknown".to_owned(),
            dialect_reason: "imported from BenchExec without its file".to_owned(),
            size: Bytes(0),
            queries: vec![Query::default()],
            fault: Some(format!(
                "the file {:?} was not there when results were imported",
                file.unwrap_or(name)
            )),
            features: None,
        };
        Ok(Ok((store.add_instance_without_text(&instance)?, false)))
    }

    /// Where the result counts: at a place of the instance that we exported as `…/SET/NAME`, or at a new one.
    fn place(&self, store: &Store, instance: InstanceId, name: &str) -> Result<Place, StoreError> {
        let known = store.instance(instance)?.map_or_else(Vec::new, |known| known.places);
        let is_exported = |place: &Place| {
            let exported = format!("/{}/{}", file_name(&place.set), place.name);
            format!("/{name}").ends_with(&exported)
        };
        Ok(known.into_iter().find(is_exported).unwrap_or_else(|| Place {
            set: self.set.clone(),
            track: name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned(),
            name: name.to_owned(),
        }))
    }

    fn add(
        &self,
        store: &mut Store,
        result: &ResultRun,
        (instance, track, name): (InstanceId, TrackId, &str),
        next: &mut HashMap<InstanceId, u32>,
    ) -> Result<(), StoreError> {
        store.add_member(track, instance, name)?;
        let next = next.entry(instance).or_default();
        let run = run_of(result, *next);
        *next += 1;
        let new = NewRun { configuration: self.configuration, instance, run: &run };
        store.add_run_at(self.campaign, &new, &[(track, name)])?;
        Ok(())
    }
}

/// The tracks of places. A set that is here stays trusted, or not, as it is.
struct Tracks {
    trusted: HashMap<String, bool>,
    known: HashMap<(String, String), TrackId>,
}

impl Tracks {
    fn of(store: &Store) -> Result<Self, StoreError> {
        let sets = store.sets()?.into_iter();
        let trusted = sets.map(|set| (set.name, set.trust_status)).collect();
        Ok(Self { trusted, known: HashMap::new() })
    }

    fn get(&mut self, store: &mut Store, place: &Place) -> Result<TrackId, StoreError> {
        let key = (place.set.clone(), place.track.clone());
        if let Some(track) = self.known.get(&key) {
            return Ok(*track);
        }
        let trusted = self.trusted.get(&place.set).copied().unwrap_or(true);
        let set = store.add_set(&place.set, trusted)?;
        let track = store.add_track(set, &place.track)?;
        self.known.insert(key, track);
        Ok(track)
    }
}

fn set_name(file: &ResultFile) -> String {
    if file.benchmark.is_empty() { "BenchExec".to_owned() } else { file.benchmark.clone() }
}

/// The input file names the instance; a task definition beside it has another ending.
fn place_name(result: &ResultRun) -> String {
    let name = match result.files.as_slice() {
        [file] => file,
        _ => &result.name,
    };
    let parts = name.split('/').filter(|part| !matches!(*part, "" | "." | ".."));
    parts.collect::<Vec<_>>().join("/")
}

fn configuration(file: &ResultFile) -> Configuration {
    let solver = file.tool.to_lowercase();
    let family = ["cvc", "z3"].into_iter().find(|family| solver.starts_with(family));
    let named = [file.tool.as_str(), &file.version, &file.options, "(BenchExec)"];
    let named: Vec<&str> = named.into_iter().filter(|part| !part.is_empty()).collect();
    Configuration {
        name: named.join(" "),
        family: family.map_or_else(|| solver.clone(), str::to_owned),
        solver,
        version: (!file.version.is_empty()).then(|| file.version.clone()),
        program: None,
        // The digest of the empty text stands for the unknown program.
        program_digest: Digest::of(b""),
        arguments: file.options.split_whitespace().map(str::to_owned).collect(),
        script_lines: Vec::new(),
        dialect: "unknown".to_owned(),
        seed: None,
        models: false,
        cores: Cores::Never,
        limits: RunLimits {
            cpu: CpuTime(file.time_limit.unwrap_or(std::time::Duration::MAX)),
            wall: WallTime(std::time::Duration::MAX),
            memory: file.memory_limit.unwrap_or(Bytes(u64::MAX)),
            output: Bytes(u64::MAX),
        },
        not_asked: vec!["imported from BenchExec: the program is unknown".to_owned()],
    }
}

/// The run of a result. The class follows from verdict and ending, as for every run.
fn run_of(result: &ResultRun, repetition: u32) -> Run {
    let word = result.status.split([' ', '(']).next().unwrap_or_default();
    let verdict = match word {
        "true" | "sat" => Some(Verdict::Sat),
        "false" | "unsat" => Some(Verdict::Unsat),
        "unknown" => Some(Verdict::Unknown),
        _ => None,
    };
    let ending = ending_of(result);
    let answer = verdict.map(Answer::bare);
    let mut said =
        ParsedOutput { answers: answer.into_iter().collect(), ..ParsedOutput::default() };
    if said.answers.is_empty() {
        said.errors.push(result.status.as_str().into());
    }
    let class = Class::of(&said, 1, &ending);
    let answers = verdict.map(|verdict| RunAnswer {
        verdict,
        class,
        reason_unknown: None,
        model: None,
        core: None,
        opinions: Vec::new(),
    });
    let mut conversion = vec![format!(
        "imported from BenchExec: status {:?}{}; the output was not recorded",
        result.status,
        match result.category.as_str() {
            "" => String::new(),
            category => format!(", category {category:?}"),
        }
    )];
    if result.cpu.is_none() {
        conversion.push("BenchExec recorded no CPU time; the wall time stands in its place".into());
    }
    let wall = result.wall.unwrap_or_default();
    Run {
        repetition,
        started: Timestamp(0),
        class,
        ending,
        measured: Measured {
            cpu: CpuTime(result.cpu.unwrap_or(wall)),
            wall: WallTime(wall),
            peak_memory: result.memory.unwrap_or(Bytes(0)),
            ..Measured::default()
        },
        stdout: Captured::default(),
        stderr: Captured::default(),
        answers: answers.into_iter().collect(),
        conversion,
        core: None,
        load: None,
    }
}

/// How the tool ended. BenchExec sends SIGKILL itself, so a reason of its own comes before a signal.
fn ending_of(result: &ResultRun) -> Ending {
    let status = result.status.as_str();
    match result.termination.as_str() {
        "walltime" => return Ending::TimedOut(Clock::Wall),
        "cputime" | "cputime-soft" => return Ending::TimedOut(Clock::Cpu),
        "memory" => return Ending::OutOfMemory,
        _ => {}
    }
    if status.starts_with("TIMEOUT") {
        return Ending::TimedOut(Clock::Cpu);
    }
    if status.starts_with("OUT OF MEMORY") || status.starts_with("OUT OF NATIVE MEMORY") {
        return Ending::OutOfMemory;
    }
    match (result.exit_signal, result.exit_code) {
        (Some(signal), _) => Ending::Signalled(signal),
        (None, Some(code)) => Ending::Exited(code),
        (None, None) => Ending::Unrecorded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(result: ResultRun, class: Class, ending: Ending, verdict: Option<Verdict>) {
        let run = run_of(&result, 0);
        assert_eq!((run.class, &run.ending), (class, &ending), "{result:?}");
        assert_eq!(run.answers.first().map(|answer| answer.verdict), verdict);
    }

    fn result(
        status: &str,
        exit_code: Option<i32>,
        exit_signal: Option<i32>,
        why: &str,
    ) -> ResultRun {
        let (status, termination) = (status.to_owned(), why.to_owned());
        ResultRun { status, exit_code, exit_signal, termination, ..ResultRun::default() }
    }

    #[test]
    fn statuses_become_classes_and_endings() {
        let (sat, unsat) = (Some(Verdict::Sat), Some(Verdict::Unsat));
        check(result("true", Some(0), None, ""), Class::Sat, Ending::Exited(0), sat);
        check(result("false", None, None, ""), Class::Unsat, Ending::Unrecorded, unsat);
        check(
            result("unknown", Some(0), None, ""),
            Class::Unknown,
            Ending::Exited(0),
            Some(Verdict::Unknown),
        );
        let killed = result("TIMEOUT", None, Some(9), "cputime");
        check(killed, Class::Timeout, Ending::TimedOut(Clock::Cpu), None);
        // An answer at the last moment is kept, and counts for nothing.
        let late = result("TIMEOUT (true)", None, Some(9), "walltime");
        check(late, Class::Timeout, Ending::TimedOut(Clock::Wall), None);
        let memory = result("OUT OF MEMORY", None, Some(9), "memory");
        check(memory, Class::Memout, Ending::OutOfMemory, None);
        let crash = result("SEGMENTATION FAULT", None, Some(11), "");
        check(crash, Class::Crash, Ending::Signalled(11), None);
        let error = result("ERROR (1)", Some(1), None, "");
        check(error, Class::Unsupported, Ending::Exited(1), None);
    }

    #[test]
    fn places_are_named_after_the_input_file() {
        let mut result = ResultRun { name: "../a/b.yml".to_owned(), ..ResultRun::default() };
        assert_eq!(place_name(&result), "a/b.yml");
        result.files = vec!["../sets/./a/b.smt2".to_owned()];
        assert_eq!(place_name(&result), "sets/a/b.smt2");
    }
}
