//! `cargo xtask slurm`: a campaign on a real Slurm, through failures, against the same campaign here.
//!
//! Installs Debian's Slurm and MUNGE if they are missing and starts a cluster of several nodes on this
//! machine (`cluster`). Then: a campaign is submitted; the process that collects is killed; the jobs are
//! cancelled with `luthier cancel`; the same command is given again; a node fails with everything on
//! it, and a task on another node is killed. The campaign ends nevertheless, and its records must be those of a local run, but for times
//! and hosts: nothing lost, nothing twice, nothing different. Everything is stopped in the end, also
//! after a failure. Needs root, since the daemons of Slurm do.

mod cluster;
mod records;

use std::error::Error;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::Ending;
use super::agree::build_luthier;
use crate::output;
use cluster::{Cluster, kill, wait_until};

#[derive(clap::Args)]
pub struct Arguments {
    /// How many runs
    #[arg(long, default_value_t = 2_000)]
    runs: usize,
    /// How many nodes
    #[arg(long, default_value_t = 4)]
    nodes: usize,
    /// The program; built if it is not given
    #[arg(long)]
    luthier: Option<PathBuf>,
}

/// Answers by what is in the formula: right, wrong, with a model, unknown, an error, a crash, nothing.
const SOLVER: &str = "#!/bin/sh\ninput=$(cat \"$1\")\nsleep 0.02\ncase \"$input\" in\n\
    *'\"0'*) echo sat; echo '((define-fun x () String \"'\"$(echo \"$input\" \
    | sed -n 's/.*(= x \"\\([0-9]*\\)\".*/\\1/p')\"'\"))' ;;\n\
    *'\"1'*) echo unsat ;;\n*'\"2'*) echo unknown ;;\n*'\"3'*) echo '(error \"no\")'; exit 1 ;;\n\
    *'\"4'*) kill -SEGV $$ ;;\n*) echo sat ;;\nesac\n";

/// Of the runs of a task, each may take two seconds.
const TASK_TIME: &str = "40s";

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if !Command::new(root.join("tools").join("install-slurm")).status()?.success() {
        return Err("there is no Slurm to test with; see the lines above".into());
    }
    if fs::metadata("/proc/self")?.uid() != 0 {
        return Err("the daemons of Slurm need root: run this as root".into());
    }
    let luthier = match &arguments.luthier {
        Some(luthier) => luthier.canonicalize()?,
        None => build_luthier()?,
    };
    if arguments.nodes < 3 || arguments.runs < 100 {
        return Err(
            "it takes at least 3 nodes and 100 runs: one node fails, a task is killed".into()
        );
    }
    let folder = tempfile::Builder::new().prefix("luthier-slurm-").tempdir()?;
    let place = Place { folder: folder.path().to_owned(), luthier };
    let experiment = place.prepare(arguments.runs)?;
    let start = Instant::now();
    place.luthier(&["run", &experiment, "--db", "local.db", "--jobs", "2"], None)?.wait_fine()?;
    output::talk(format!("{:.0} s: the local run", start.elapsed().as_secs_f64()));
    let mut cluster = Cluster::start(&folder.path().join("cluster"), arguments.nodes)?;
    let done = through_failures(&place, &experiment, &mut cluster);
    if done.is_err() {
        output::talk(cluster.last_words());
    }
    done?;
    let (here, there) =
        (records::records(&place.path("local.db"))?, records::records(&place.path("there.db"))?);
    let lost = here.keys().filter(|key| !there.contains_key(key)).count();
    let added = there.keys().filter(|key| !here.contains_key(key)).count();
    let differ = here.iter().filter(|(key, run)| there.get(key).is_some_and(|other| other != *run));
    let differ: Vec<_> = differ.collect();
    output::data(format!(
        "{} runs here, {} on the cluster: {lost} lost, {added} added, {} different; {:.0} s",
        here.len(),
        there.len(),
        differ.len(),
        start.elapsed().as_secs_f64()
    ));
    for (key, run) in differ.iter().take(3) {
        output::data(format!("here:  {run}\nthere: {}", there[*key]));
    }
    let same = lost + added + differ.len() == 0 && here.len() == arguments.runs;
    Ok(if same { Ending::Fine } else { Ending::Findings })
}

/// The campaign on the cluster.
fn through_failures(
    place: &Place,
    experiment: &str,
    cluster: &mut Cluster,
) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let since =
        |what: &str| output::talk(format!("{:.0} s: {what}", start.elapsed().as_secs_f64()));
    let submit = ["run", experiment, "--db", "there.db", "--on", "slurm", "--task-time", TASK_TIME];
    let configuration = cluster.configuration();
    let mut collector = place.luthier(&submit, Some(&configuration))?;
    let results = |round: u32| place.path(&format!("there.db-slurm/round-{round}/results"));
    let published = |round| fs::read_dir(results(round)).map_or(0, Iterator::count);
    wait_until("the first results", || published(1) >= 2)?;
    kill(collector.child.id(), "KILL");
    collector.child.wait()?;
    since("the process that collects was killed");
    place.luthier(&["cancel", "there.db"], Some(&configuration))?.wait_fine()?;
    let left = cluster.ask("squeue", &["--noheader", "--format=%i %T"])?;
    if !left.trim().is_empty() {
        return Err(format!("jobs are left after `luthier cancel`: {left}").into());
    }
    since("`luthier cancel` has ended all jobs");
    let collector = place.luthier(&submit, Some(&configuration))?;
    wait_until("results of what was submitted again", || published(2) >= 2)?;
    wait_until("a task on node n1", || cluster.has_task(1))?;
    cluster.kill_node(1)?;
    since("node n1 failed, with all that ran on it");
    wait_until("a task on node n2", || cluster.kill_task(2))?;
    since("a task on node n2 was killed");
    wait_until("Slurm to see that n1 is gone", || cluster.controller_says("not responding"))?;
    since("Slurm knows that n1 is down");
    cluster.start_node(1)?;
    collector.wait_fine()?;
    since("the campaign has ended");
    if !cluster.controller_says("requeu") {
        return Err("Slurm did not start the task of n1 again".into());
    }
    if place.path("there.db-slurm").exists() {
        return Err("the folder of the campaign is left, though all runs are there".into());
    }
    Ok(())
}

/// The folder of the test.
struct Place {
    folder: PathBuf,
    luthier: PathBuf,
}

/// A command that runs.
struct Started {
    child: Child,
    what: String,
}

impl Place {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes solvers, instances and the experiment.
    fn prepare(&self, runs: usize) -> Result<String, Box<dyn Error>> {
        let solvers = ["one", "two"];
        fs::create_dir_all(self.path("settings/luthier/solvers"))?;
        fs::create_dir_all(self.path("set"))?;
        let mut experiment = String::from("timeout = \"2s\"\nmemory = \"500MB\"\n");
        experiment.push_str("[[set]]\nname = \"set\"\npaths = [\"set\"]\n");
        for name in solvers {
            let program = self.path(name);
            fs::write(&program, SOLVER)?;
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
            let description = format!(
                "name = \"{name}\"\ntitle = \"{name}\"\nfamily = \"{name}\"\nprograms = [\"{name}\"]\n\
                 [run]\narguments = [\"{{file}}\"]\n[[dialects]]\nname = \"2.6\"\n\
                 [[ask.models]]\nscript = [\"(set-option :produce-models true)\"]\n"
            );
            fs::write(self.path(&format!("settings/luthier/solvers/{name}.toml")), description)?;
            experiment.push_str(&format!("[[configuration]]\nsolver = \"{name}\"\n"));
        }
        for number in 0..runs.div_ceil(solvers.len()) {
            // The first digit decides what the solver does.
            let value = format!("{}{number}", number % 6);
            let text = format!(
                "(set-logic QF_S)\n(declare-const x String)\n(assert (= x \"{value}\"))\n(check-sat)\n"
            );
            fs::write(self.path(&format!("set/{number:05}.smt2")), text)?;
        }
        let path = self.path("experiment.toml");
        fs::write(&path, experiment)?;
        Ok(path.display().to_string())
    }

    /// Starts our program.
    fn luthier(
        &self,
        arguments: &[&str],
        configuration: Option<&Path>,
    ) -> Result<Started, Box<dyn Error>> {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(&self.luthier);
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("PATH", format!("{}:{path}", self.folder.display()))
            .env("XDG_CONFIG_HOME", self.path("settings"))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        if let Some(configuration) = configuration {
            command.env("SLURM_CONF", configuration);
        }
        let what = format!("luthier {}", arguments.join(" "));
        Ok(Started { child: command.spawn()?, what })
    }
}

impl Started {
    /// Waits for it. 2 means that answers are wrong, which these solvers give.
    fn wait_fine(mut self) -> Result<(), Box<dyn Error>> {
        let status = self.child.wait()?;
        match status.code() {
            Some(0 | 2) => Ok(()),
            _ => Err(format!("{}: {status}", self.what).into()),
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Nothing happens if it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
