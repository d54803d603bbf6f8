//! `luthier bench add`: says where a benchmark set is on this machine, and checks its digest.

use std::path::PathBuf;

use clap::Args;
use luthier_corpus::sets::{Registered, Sets, content_digest};
use luthier_corpus::{Flow, Options, survey};
use serde::Serialize;

use crate::error::{CliError, Ending};
use crate::json::VERSION;
use crate::output::Output;
use crate::progress::Progress;
use crate::text::{clean_name, counted};

const EXAMPLES: &str = "\
Examples:
  luthier bench add kaluza kaluza.tar.zst
  luthier bench add mine benchmarks/";

/// Say where a benchmark set is on this machine
///
/// PATH is a folder or an archive, which is read in place. The digest over all its files, the same for a folder
/// and an archive of it, is compared with that of the description, if NAME is a described set. A name that is
/// not described makes a set of your own. Ends with 0, and with 3 if the digest differs; the set is added then, too.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The name of the set
    #[arg(value_name = "NAME")]
    name: String,
    /// A folder or an archive
    #[arg(value_name = "PATH")]
    path: PathBuf,
}

/// The JSON of `luthier bench add`.
#[derive(Serialize)]
struct Record {
    version: u32,
    name: String,
    path: String,
    files: usize,
    sha256: String,
    /// Whether the digest is the described one; `null` if none is described.
    as_described: Option<bool>,
}

/// Runs the command.
pub fn run(arguments: &Arguments, output: &mut Output) -> Result<Ending, CliError> {
    let mut sets = Sets::of_user()?;
    let path = std::path::absolute(&arguments.path).unwrap_or_else(|_| arguments.path.clone());
    // Before anything is read.
    sets.registry.check(&arguments.name, &path)?;
    let mut progress = Progress::new(|| survey(std::slice::from_ref(&path), &Options::default()));
    let found = content_digest(&path, |files, bytes| {
        progress.update(files, bytes);
        Flow::Continue
    });
    progress.clear();
    let Some(found) = found? else { return Ok(Ending::Incomplete) };
    let described = sets.catalogue.get(&arguments.name);
    let (digest, files) = (found.digest, found.files);
    let as_described = described.and_then(|one| one.digest()).map(|described| described == digest);
    let described_files = described.map(|one| one.files);
    let name = arguments.name.clone();
    sets.registry.add(Registered { name: name.clone(), path: path.clone(), files, digest })?;
    if output.json {
        let path = path.display().to_string();
        let sha256 = digest.to_string();
        output.json_line(&Record { version: VERSION, name, path, files, sha256, as_described })?;
    } else {
        let place = path.display().to_string();
        let count = counted(files, "file");
        output.line(format_args!("{name}: {count} in {}", clean_name(&place)))?;
        match as_described {
            Some(true) => output.line("its contents are those of the description")?,
            Some(false) => output.warn(&format!(
                "its contents are not those of the description, which has {}",
                counted(described_files.unwrap_or(0), "file")
            )),
            None => output.line(format_args!("sha256 {digest}"))?,
        }
    }
    Ok(if as_described == Some(false) { Ending::Incomplete } else { Ending::Fine })
}
