//! `cargo xtask fuzz`: builds the fuzz targets with coverage instrumentation and runs them.
//!
//! The instrumentation flags are those of libFuzzer; they work on the stable toolchain, so that
//! the targets run wherever the project builds.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use super::Ending;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Run only this target
    #[arg(long)]
    target: Option<String>,
}

const TARGETS: [&str; 7] = ["lexer", "script", "model", "answer", "database", "merge", "import"];

const INSTRUMENTATION: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("fuzz");
    if let Some(target) = &arguments.target
        && !TARGETS.contains(&target.as_str())
    {
        return Err(format!("there is no target `{target}`; there are {TARGETS:?}").into());
    }
    // The flags must not reach build scripts, which are not linked with libFuzzer; naming the
    // platform keeps the two apart.
    let platform = host_platform()?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--locked", "--target", &platform])
        .current_dir(&root)
        .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\u{1f}"))
        .env_remove("RUSTFLAGS")
        .env("CARGO_TARGET_DIR", root.join("target"))
        .status()?;
    if !built.success() {
        return Err("the fuzz targets do not build".into());
    }
    let programs = root.join("target").join(&platform).join("release");
    let mut ending = Ending::Fine;
    for target in TARGETS {
        if arguments.target.as_ref().is_some_and(|wanted| wanted != target) {
            continue;
        }
        output::data(format!("fuzzing {target} for {} s", arguments.seconds));
        if !fuzz(&root, &programs.join(target), target, arguments.seconds)? {
            output::data(format!("{target}: a find, see fuzz/artifacts/{target}"));
            ending = Ending::Findings;
        }
    }
    Ok(ending)
}

/// Whether the target ran to the end of its time.
fn fuzz(root: &Path, program: &Path, target: &str, seconds: u32) -> Result<bool, Box<dyn Error>> {
    let corpus = root.join("corpus").join(target);
    let artifacts = root.join("artifacts").join(target);
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&artifacts)?;
    // What is in the first folder grows; the others are only read.
    let seeds = match target {
        "model" => "model",
        "answer" => "answer",
        "database" | "merge" | "import" => "database",
        _ => "script",
    };
    let read_only = [root.join("seeds").join(seeds), root.join("regressions").join(target)];
    let mut command = Command::new(program);
    command
        .current_dir(root)
        .arg(&corpus)
        .args(read_only.iter().filter(|folder| folder.is_dir()))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-max_len=4096", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1"]);
    let log = artifacts.join("log.txt");
    let talk = std::fs::File::create(&log)?;
    let status = command.stdout(talk.try_clone()?).stderr(talk).status()?;
    let text = String::from_utf8_lossy(&std::fs::read(&log)?).into_owned();
    let told = text.lines().filter(|line| {
        line.starts_with("stat::number_of_executed_units") || line.contains("panicked at")
    });
    told.for_each(output::data);
    if !status.success() {
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(30)..].iter().for_each(output::data);
    }
    Ok(status.success())
}

fn host_platform() -> Result<String, Box<dyn Error>> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not say what it runs on".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_is_listed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/targets");
        let entries = std::fs::read_dir(folder).expect("the targets are part of the repository");
        let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
        let mut names: Vec<String> = paths
            .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
            .collect();
        names.sort();
        let mut listed = TARGETS;
        listed.sort_unstable();
        assert_eq!(names, listed);
    }
}
