//! `cargo xtask site`: exports a database as a site, measures it, and follows every link of its pages.
//!
//! The first page is what a browser loads for it: the page itself with its style sheet, script and icon.
//! Links of the data files are followed by the tests of `luthier-web`, which also compare figures with those of
//! the server.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

use super::Ending;
use super::agree::build_luthier;
use crate::output;

#[derive(clap::Args)]
pub struct Arguments {
    /// The database, such as `cargo xtask sample-db` makes
    database: PathBuf,
    /// Where to; otherwise a folder that is removed afterwards
    #[arg(long)]
    out: Option<PathBuf>,
    /// The largest site, in bytes
    #[arg(long, default_value_t = 500_000_000)]
    most: u64,
    /// The largest first page, in bytes
    #[arg(long, default_value_t = 300_000)]
    first_page: u64,
}

pub fn run(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let luthier = build_luthier()?;
    let place = tempfile::TempDir::new()?;
    let folder = arguments.out.clone().unwrap_or_else(|| place.path().join("site"));
    let before = cpu_seconds()?;
    let mut command = Command::new(luthier);
    command.args(["--json", "export"]).arg(&arguments.database).arg("--site").arg(&folder);
    let exported = command.stderr(Stdio::inherit()).output()?;
    if !exported.status.success() {
        return Err("the site was not exported; see the lines above".into());
    }
    let record: Value = serde_json::from_slice(&exported.stdout)?;
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss() / 1024;
    let bytes = record["bytes"].as_u64().unwrap_or(u64::MAX);
    output::data(format!(
        "{} instances, {} runs: {} files, {bytes} bytes, {:.1} s, {:.1} s of CPU time, {peak} MiB",
        record["instances"],
        record["runs"],
        record["files"],
        record["seconds"].as_f64().unwrap_or_default(),
        cpu_seconds()? - before,
    ));
    let first_page = ["index.html", "assets/style.css", "assets/script.js", "assets/icon.svg"];
    let mut first = 0;
    for name in first_page {
        first += fs::metadata(folder.join(name))?.len();
    }
    output::data(format!("the first page loads {first} bytes"));
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("luthier-site.json"))?)?;
    let files: HashSet<&str> = manifest["files"]
        .as_object()
        .into_iter()
        .flat_map(|files| files.keys())
        .map(String::as_str)
        .collect();
    let (mut pages, mut links, mut wrong) = (0, 0, 0);
    for name in files.iter().filter(|name| name.ends_with(".html")) {
        pages += 1;
        let html = fs::read_to_string(folder.join(name))?;
        for link in html.split(" href=\"").skip(1).filter_map(|part| part.split('"').next()) {
            links += 1;
            let target = link.split('#').next().unwrap_or_default();
            if !target.is_empty() && !files.contains(below(name, target).as_str()) {
                output::data(format!("{name}: {link} leads nowhere"));
                wrong += 1;
            }
        }
    }
    output::data(format!("{links} links of {pages} pages, {wrong} of which lead nowhere"));
    let is_fine = wrong == 0 && bytes <= arguments.most && first <= arguments.first_page;
    Ok(if is_fine { Ending::Fine } else { Ending::Findings })
}

/// CPU time of all programs that were started and have ended.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    Ok(seconds(usage.user_time()) + seconds(usage.system_time()))
}

/// A link of a page, as the name of a file of the site.
fn below(page: &str, link: &str) -> String {
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<&str> = folder.iter().filter_map(|part| part.to_str()).collect();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
