//! A cluster that is a folder: `sbatch`, `squeue` and `scancel` as small shell scripts that run tasks on
//! this machine, two at a time, and know what Slurm's own programs know.
//!
//! `queue/JOB_INDEX` holds a state as long as a task has not ended. What tests make fail:
//! `refuse` (sbatch prints it and fails), `array-limit` (sbatch accepts so many arrays at a time),
//! `squeue-fails` (the controller does not answer), `sacct-says` (accounting; without it sacct fails).

use std::path::PathBuf;

use super::shop::Shop;

const SBATCH: &str = r#"#!/bin/sh
folder=FOLDER
[ "$1" = --version ] && { echo slurm-wlm 22.05.8; exit 0; }
[ -f "$folder/refuse" ] && { cat "$folder/refuse" >&2; exit 1; }
if [ -f "$folder/array-limit" ]; then
    arrays=$(ls "$folder/queue" | cut -d_ -f1 | sort -u | wc -l)
    [ "$arrays" -ge "$(cat "$folder/array-limit")" ] && {
        echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1; }
fi
echo "$@" >> "$folder/submitted"
for argument in "$@"; do
    case "$argument" in
        --array=0-*) last=${argument#--array=0-} ;;
        --output=*) logs=$(dirname "${argument#--output=}") ;;
    esac
    script=$first; first=$argument
done
job=$(($(cat "$folder/last-job" 2>/dev/null || echo 0) + 1))
echo $job > "$folder/last-job"
index=0
while [ $index -le $last ]; do
    echo PENDING > "$folder/queue/${job}_$index"
    index=$((index + 1))
done
setsid sh "$folder/node" $job $last "$script" "$first" "$logs" >/dev/null 2>&1 </dev/null &
echo $job
"#;

/// One array, two tasks at a time.
const NODE: &str = r#"folder=FOLDER job=$1 last=$2 script=$3 first=$4 logs=$5
attempt() {
    export SLURM_JOB_ID=$((job * 1000 + $1)) SLURM_ARRAY_TASK_ID=$1 SLURM_RESTART_COUNT=$2
    sh "$script" "$first" >> "$logs/${job}_$1.txt" 2>&1 &
    pid=$!
    echo $pid > "$folder/pids/${job}_$1"
    wait $pid
}
worker() {
    index=$1
    while [ $index -le $last ]; do
        if [ -f "$folder/queue/${job}_$index" ]; then
            echo RUNNING > "$folder/queue/${job}_$index"
            attempt $index 0
            # A node that fails: the task is killed, and started again.
            if [ -f "$folder/requeue/$index" ]; then
                rm "$folder/requeue/$index"
                attempt $index 1
            fi
            rm -f "$folder/queue/${job}_$index" "$folder/pids/${job}_$index"
        fi
        index=$((index + 2))
    done
}
worker 0 &
worker 1 &
wait
"#;

const SQUEUE: &str = r#"#!/bin/sh
folder=FOLDER
[ -f "$folder/squeue-fails" ] && { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
cat "$folder"/queue/* 2>/dev/null
exit 0
"#;

/// Waiting tasks disappear, running ones are told to end.
const SCANCEL: &str = r#"#!/bin/sh
folder=FOLDER
for task in "$folder"/queue/*; do
    name=$(basename "$task")
    if [ "$(cat "$task")" = PENDING ]; then rm -f "$task"; fi
    [ -f "$folder/pids/$name" ] && kill -TERM "$(cat "$folder/pids/$name")" 2>/dev/null
done
exit 0
"#;

const SACCT: &str = r#"#!/bin/sh
[ -f FOLDER/sacct-says ] && { cat FOLDER/sacct-says; exit 0; }
echo 'Slurm accounting storage is disabled' >&2
exit 1
"#;

const SCONTROL: &str = "#!/bin/sh\necho 'MaxArraySize            = 4'\n";

/// The cluster of a shop.
pub struct FakeSlurm {
    folder: PathBuf,
}

impl FakeSlurm {
    pub fn new(shop: &Shop) -> Self {
        for name in ["queue", "pids", "requeue"] {
            shop.bench.write(&format!("cluster/{name}/.keep"), "");
        }
        let folder = shop.bench.path("cluster");
        let text = folder.display().to_string();
        for (name, script) in [
            ("sbatch", SBATCH),
            ("squeue", SQUEUE),
            ("scancel", SCANCEL),
            ("sacct", SACCT),
            ("scontrol", SCONTROL),
        ] {
            shop.executable(name, &script.replace("FOLDER", &text));
        }
        shop.bench.write("cluster/node", NODE.replace("FOLDER", &text));
        Self { folder }
    }

    /// Makes something fail, or be so.
    pub fn set(&self, name: &str, content: &str) {
        std::fs::write(self.folder.join(name), content).unwrap();
    }

    pub fn unset(&self, name: &str) {
        std::fs::remove_file(self.folder.join(name)).unwrap();
    }

    /// The command lines of sbatch.
    pub fn submitted(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.join("submitted")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// The processes of tasks that run.
    pub fn tasks(&self) -> Vec<u32> {
        let files = std::fs::read_dir(self.folder.join("pids")).unwrap().flatten();
        let pids = files.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        pids.filter_map(|pid| pid.trim().parse().ok()).collect()
    }

    /// How many tasks have not ended.
    pub fn queued(&self) -> usize {
        let files = std::fs::read_dir(self.folder.join("queue")).unwrap().flatten();
        files.filter(|entry| entry.file_name() != ".keep").count()
    }
}
