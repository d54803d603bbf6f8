//! `luthier hunt --from FILES`: reads the files, folders and archives that seeds come from, and counts
//! what is not usable, with the reason.

use std::collections::BTreeMap;
use std::path::PathBuf;

use luthier_corpus::{Options, exists, instances};
use luthier_generator::Dice;
use luthier_generator::seeds::Seed;

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Line;
use crate::text::counted;

/// The largest number of seeds that are kept.
const MOST: usize = 1_000;

/// Reads seeds. Once [`MOST`] are kept, a further file takes the place of one of them with the
/// probability that makes every file as likely as every other (reservoir sampling, by the seed of the
/// hunt); files that are not drawn are not parsed.
pub fn read(files: &[PathBuf], seed: u64, output: &Output) -> Result<Vec<Seed>, CliError> {
    if let Some(missing) = files.iter().find(|path| !exists(path)) {
        let message = format!("{}: no such file or folder", missing.display());
        return Err(CliError::usage(message).with_hint("--from takes files, folders and archives"));
    }
    let mut dice = Dice::new(seed, 0);
    let mut seeds: Vec<Seed> = Vec::new();
    let mut unusable: BTreeMap<String, usize> = BTreeMap::new();
    let (mut found, mut parsed, mut usable) = (0, 0, 0);
    let mut progress = Line::new();
    for instance in instances(files, &Options::default()) {
        found += 1;
        progress.show(|| format!("{}, {usable} usable", counted(found, "file")));
        let place = if seeds.len() < MOST { seeds.len() } else { dice.below(found) };
        if place >= MOST {
            continue;
        }
        parsed += 1;
        let instance = match instance {
            Ok(instance) => instance,
            Err(error) => {
                output.warn(&error.to_string());
                *unusable.entry("not readable as files".to_owned()).or_default() += 1;
                continue;
            }
        };
        match Seed::read(&instance.name, &instance.bytes) {
            Err(reason) => *unusable.entry(reason.to_string()).or_default() += 1,
            Ok(seed) => {
                usable += 1;
                match seeds.get_mut(place) {
                    Some(kept) => *kept = seed,
                    None => seeds.push(seed),
                }
            }
        }
    }
    progress.clear();
    let reasons: Vec<String> =
        unusable.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    let reasons = match &reasons[..] {
        [] => String::new(),
        reasons => format!("; not usable: {}", reasons.join(", ")),
    };
    if seeds.is_empty() {
        let message = format!("nothing can be made of {}{reasons}", counted(found, "file"));
        return Err(CliError::usage(message).with_hint("docs/hunt.md says what seeds are"));
    }
    let drawn = match parsed < found {
        true => format!(", {parsed} of them drawn"),
        false => String::new(),
    };
    let kept = counted(seeds.len(), "seed");
    output.message(format_args!("{kept} from {}{drawn}{reasons}", counted(found, "file")));
    Ok(seeds)
}
