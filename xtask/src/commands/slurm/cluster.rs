//! A cluster of several nodes on this machine: MUNGE, Slurm's controller, and one `slurmd` for each
//! node, all in a temporary folder and none of them known to the rest of the machine.
//!
//! All are our children. When the cluster is dropped, jobs are cancelled, the daemons are ended, and
//! then every process that has the configuration of this cluster in its environment: what a node that
//! was killed left behind.

use std::error::Error;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::output;

/// A running cluster.
pub struct Cluster {
    folder: PathBuf,
    munge: Child,
    controller: Option<Child>,
    /// By number of the node, from 1.
    nodes: Vec<Option<Child>>,
}

/// How long daemons and jobs may take to do what they are told.
const PATIENCE: Duration = Duration::from_secs(30);

impl Cluster {
    /// Starts a cluster with this many nodes, of one processor each, and waits until they are up.
    pub fn start(folder: &Path, nodes: usize) -> Result<Self, Box<dyn Error>> {
        for name in ["munge", "state", "spool", "log"] {
            fs::create_dir_all(folder.join(name))?;
        }
        fs::set_permissions(folder.join("munge"), fs::Permissions::from_mode(0o700))?;
        let key = folder.join("munge/key");
        let mut random = fs::File::open("/dev/urandom")?;
        let mut bytes = vec![0; 1024];
        std::io::Read::read_exact(&mut random, &mut bytes)?;
        fs::write(&key, bytes)?;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600))?;
        let file = |name: &str| folder.join("munge").join(name).display().to_string();
        let munge = quiet(&mut Command::new("munged"))
            .args(["--foreground", "--force"])
            .arg(format!("--key-file={}", file("key")))
            .arg(format!("--socket={}", file("socket")))
            .arg(format!("--pid-file={}", file("pid")))
            .arg(format!("--log-file={}", file("log")))
            .arg(format!("--seed-file={}", file("seed")))
            .env("PATH", search_path())
            .spawn()?;
        let mut cluster =
            Self { folder: folder.to_owned(), munge, controller: None, nodes: Vec::new() };
        wait_until("MUNGE to listen", || folder.join("munge/socket").exists())?;
        fs::write(cluster.configuration(), configuration(folder, nodes)?)?;
        cluster.controller = Some(cluster.daemon("slurmctld").arg("-c").spawn()?);
        for node in 1..=nodes {
            fs::create_dir_all(folder.join(format!("spool/n{node}")))?;
            cluster.nodes.push(None);
            cluster.start_node(node)?;
        }
        wait_until("the nodes to be idle", || {
            cluster.ask("sinfo", &["--noheader", "--Node", "--format=%T"]).is_ok_and(|states| {
                states.lines().count() == nodes
                    && states.lines().all(|state| state.trim() == "idle")
            })
        })?;
        Ok(cluster)
    }

    /// The file that says to all programs of Slurm which cluster is meant.
    pub fn configuration(&self) -> PathBuf {
        self.folder.join("slurm.conf")
    }

    /// What a program of Slurm prints.
    pub fn ask(&self, program: &str, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
        let output = Command::new(program)
            .args(arguments)
            .env("SLURM_CONF", self.configuration())
            .stdin(Stdio::null())
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program} failed: {}", said.trim()).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Starts a node.
    pub fn start_node(&mut self, node: usize) -> Result<(), Box<dyn Error>> {
        let child = self.daemon("slurmd").arg("-N").arg(format!("n{node}")).spawn()?;
        self.nodes[node - 1] = Some(child);
        Ok(())
    }

    /// A node fails: its daemon and everything that runs on it is killed at once.
    pub fn kill_node(&mut self, node: usize) -> Result<(), Box<dyn Error>> {
        if let Some(mut daemon) = self.nodes[node - 1].take() {
            daemon.kill()?;
            daemon.wait()?;
        }
        // First the daemon of the job, which would report that its task was killed.
        if let Some(step) = self.task(node).and_then(|task| task.parent()) {
            kill(step, "KILL");
        }
        let name = format!("SLURMD_NODENAME=n{node}");
        for process in self.processes() {
            if process.environment.contains(&name) {
                // Solvers end with the supervisor that started them.
                kill(process.id, "KILL");
            }
        }
        Ok(())
    }

    /// Kills a task on this node, and nothing else. Returns whether there was one.
    pub fn kill_task(&self, node: usize) -> bool {
        self.task(node).is_some_and(|task| kill(task.id, "KILL"))
    }

    /// Whether a task runs on this node.
    pub fn has_task(&self, node: usize) -> bool {
        self.task(node).is_some()
    }

    fn task(&self, node: usize) -> Option<Process> {
        let name = format!("SLURMD_NODENAME=n{node}");
        self.processes().into_iter().find(|process| {
            process.command.iter().any(|word| word == "slurm-task")
                && process.environment.contains(&name)
        })
    }

    /// Whether the log of the controller has this, in lower case.
    pub fn controller_says(&self, text: &str) -> bool {
        fs::read_to_string(self.folder.join("log/slurmctld"))
            .is_ok_and(|log| log.to_lowercase().contains(text))
    }

    /// The last lines of all logs.
    pub fn last_words(&self) -> String {
        let logs = fs::read_dir(self.folder.join("log")).into_iter().flatten().flatten();
        let logs = logs.map(|entry| {
            let text = fs::read(entry.path()).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            let lines: Vec<&str> = text.lines().collect();
            let last = lines[lines.len().saturating_sub(6)..].join("\n");
            format!("{}:\n{last}", entry.path().display())
        });
        logs.collect::<Vec<_>>().join("\n")
    }

    fn daemon(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        quiet(&mut command)
            .args(["-D", "-f"])
            .arg(self.configuration())
            .env("SLURM_CONF", self.configuration())
            .env("PATH", search_path());
        command
    }

    /// The processes that have our configuration in their environment, ourselves excepted.
    fn processes(&self) -> Vec<Process> {
        let ours = format!("SLURM_CONF={}", self.configuration().display());
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let processes = ids.filter(|id| *id != std::process::id()).filter_map(Process::read);
        processes.filter(|process| process.environment.contains(&ours)).collect()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // What does not work is done by force below.
        let _ = self.ask("scancel", &["--user=root"]);
        let since = Instant::now();
        while since.elapsed() < PATIENCE / 2
            && self.ask("squeue", &["--noheader"]).is_ok_and(|jobs| !jobs.trim().is_empty())
        {
            thread::sleep(Duration::from_millis(200));
        }
        let nodes = self.nodes.iter_mut().flatten();
        for daemon in nodes.chain(&mut self.controller).chain([&mut self.munge]) {
            end(daemon);
        }
        for process in self.processes() {
            kill(process.id, "KILL");
        }
        output::talk("the cluster is stopped");
    }
}

/// A process of the machine.
struct Process {
    id: u32,
    command: Vec<String>,
    environment: Vec<String>,
}

impl Process {
    fn read(id: u32) -> Option<Self> {
        let words = |name: &str| {
            let bytes = fs::read(format!("/proc/{id}/{name}")).ok()?;
            let words = bytes.split(|byte| *byte == 0);
            Some(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>())
        };
        Some(Self { id, command: words("cmdline")?, environment: words("environ")? })
    }

    fn parent(&self) -> Option<u32> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.id)).ok()?;
        status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
    }
}

fn end(daemon: &mut Child) {
    kill(daemon.id(), "TERM");
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(5) {
        if !matches!(daemon.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let _ = daemon.kill();
    let _ = daemon.wait();
}

/// Sends a signal to one process.
pub fn kill(process: u32, signal: &str) -> bool {
    let mut command = Command::new("kill");
    let sent = quiet(&mut command).arg(format!("-{signal}")).arg(process.to_string()).status();
    sent.is_ok_and(|status| status.success())
}

/// Waits until something is so.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) -> Result<(), Box<dyn Error>> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE * 4 {
        if is_so() {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Err(format!("waited {} s in vain for {what}", since.elapsed().as_secs()).into())
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

/// Daemons are where the PATH of a user often does not lead.
fn search_path() -> String {
    format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default())
}

/// The configuration. Credentials expire soon, because a job whose node failed is not started again
/// before.
fn configuration(folder: &Path, nodes: usize) -> Result<String, Box<dyn Error>> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")?;
    let host = host.trim().split('.').next().unwrap_or_default();
    let folder = folder.display();
    let ports = free_ports(nodes + 1)?;
    let mut text = format!(
        "ClusterName=luthier\n\
         SlurmctldHost={host}(127.0.0.1)\n\
         SlurmctldPort={}\n\
         AuthType=auth/munge\n\
         AuthInfo=socket={folder}/munge/socket,cred_expire=5\n\
         SlurmUser=root\n\
         SlurmdUser=root\n\
         StateSaveLocation={folder}/state\n\
         SlurmdSpoolDir={folder}/spool/%n\n\
         SlurmctldPidFile={folder}/slurmctld.pid\n\
         SlurmdPidFile={folder}/slurmd.%n.pid\n\
         SlurmctldLogFile={folder}/log/slurmctld\n\
         SlurmdLogFile={folder}/log/slurmd.%n\n\
         ProctrackType=proctrack/linuxproc\n\
         TaskPlugin=task/none\n\
         SelectType=select/cons_tres\n\
         SelectTypeParameters=CR_CPU_Memory\n\
         JobAcctGatherType=jobacct_gather/none\n\
         AccountingStorageType=accounting_storage/none\n\
         MpiDefault=none\n\
         SchedulerParameters=sched_interval=2,batch_sched_delay=0,sched_min_interval=100000\n\
         ReturnToService=2\n\
         SlurmdTimeout=10\n\
         KillWait=5\n\
         MinJobAge=300\n\
         MaxArraySize=101\n\
         SlurmdParameters=config_overrides\n",
        ports[0]
    );
    for (node, port) in (1..=nodes).zip(&ports[1..]) {
        text.push_str(&format!(
            "NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 \
             RealMemory=4000 State=UNKNOWN\n"
        ));
    }
    text.push_str("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n");
    Ok(text)
}

/// Ports that nobody listens on.
fn free_ports(count: usize) -> std::io::Result<Vec<u16>> {
    let listeners: std::io::Result<Vec<_>> =
        (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
    listeners?.iter().map(|listener| Ok(listener.local_addr()?.port())).collect()
}
