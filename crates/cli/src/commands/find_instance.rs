//! An instance by number, place, name, end of a path, or SHA-256, for `show` and `export`.
//!
//! A path may end with any number of whole components, and may lack the ending of the file
//! (`track/a` for `set/track/a.smt2`). A whole place or digest is preferred to the end of a path, and
//! that to one without the ending, so that a short name that is also a part of a longer one can be
//! used. Several instances that match equally well are an error that lists them.

use luthier_store::{InstanceId, InstanceRuns, Store, StoreError};

use crate::error::CliError;

/// How many instances an error lists.
const MOST_LISTED: usize = 10;
/// Fewer digits of a digest are too likely to be something else.
const SHORTEST_DIGEST: usize = 8;

/// An instance at one of its places.
type Candidate = (i64, String);

/// The instance that is called so.
pub fn find_instance(store: &Store, wanted: &str) -> Result<InstanceRuns, CliError> {
    if let Ok(number) = wanted.parse::<i64>()
        && let Some(found) = store.instance(InstanceId(number))?
    {
        return Ok(found);
    }
    let mut whole: Vec<Candidate> = Vec::new();
    let mut ends: Vec<Candidate> = Vec::new();
    let mut stems: Vec<Candidate> = Vec::new();
    let mut similar: Vec<Candidate> = Vec::new();
    let is_digest = |digest: &str| wanted.len() >= SHORTEST_DIGEST && digest.starts_with(wanted);
    store.visit_instances(|found| -> Result<(), StoreError> {
        let digest = found.instance.digest.to_string();
        for place in &found.places {
            let shown = place.text();
            let of_set = format!("{}/{}", place.set, place.name);
            let is_whole = *wanted == shown
                || *wanted == of_set
                || *wanted == format!("{}/{}/{}", place.set, place.track, place.name);
            if is_whole || is_digest(&digest) {
                whole.push((found.id.0, shown));
            } else if is_end(wanted, &shown) || is_end(wanted, &of_set) {
                ends.push((found.id.0, shown));
            } else if is_end(wanted, stem(&shown)) || is_end(wanted, stem(&of_set)) {
                stems.push((found.id.0, shown));
            } else if shown.contains(wanted) && similar.len() < MOST_LISTED {
                similar.push((found.id.0, shown));
            }
        }
        Ok(())
    })?;
    let matches = [whole, ends, stems].into_iter().find(|found| !found.is_empty());
    let matches = matches.unwrap_or_default();
    let mut ids: Vec<i64> = matches.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    match ids.as_slice() {
        [id] => store.instance(InstanceId(*id))?.ok_or_else(|| {
            CliError::usage(format!(
                "{}: instance {id} was removed while it was looked for; run the command again",
                store.path().display()
            ))
        }),
        [] if similar.is_empty() => {
            Err(CliError::usage(format!("there is no instance {wanted:?}"))
                .with_hint("its place is SET/TRACK/NAME, as pages and `luthier summary` show it"))
        }
        [] => Err(CliError::usage(format!("there is no instance {wanted:?}"))
            .with_hint(format!("did you mean\n      {}", list(&similar)))),
        _ => Err(CliError::usage(format!("several instances are called {wanted:?}")).with_hint(
            format!("name one by its number with --instance:\n      {}", list(&matches)),
        )),
    }
}

/// Whether a path ends with these components; a member of an archive is a component.
fn is_end(wanted: &str, path: &str) -> bool {
    let rest = path.strip_suffix(wanted);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with(['/', '!']))
}

/// A path without the ending of the file, `.smt2` or whatever it is.
fn stem(path: &str) -> &str {
    let name = path.rfind(['/', '!']).map_or(0, |at| at + 1);
    match path[name..].rfind('.') {
        // A name that begins with a dot has no other ending.
        None | Some(0) => path,
        Some(dot) => &path[..name + dot],
    }
}

fn list(places: &[Candidate]) -> String {
    let shown = places.iter().take(MOST_LISTED).map(|(id, place)| format!("{id}: {place}"));
    let mut lines: Vec<String> = shown.collect();
    if let more @ 1.. = places.len().saturating_sub(MOST_LISTED) {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n      ")
}

#[cfg(test)]
mod tests {
    use super::{is_end, stem};

    #[test]
    fn the_end_of_a_path_begins_at_a_component() {
        assert!(is_end("a.smt2", "set/track/a.smt2"));
        assert!(is_end("track/a.smt2", "set/track/a.smt2"));
        assert!(is_end("a.smt2", "set/all.tar!a.smt2"));
        assert!(!is_end("a.smt2", "set/extra.smt2"));
    }
    #[test]
    fn only_the_last_component_has_an_ending() {
        assert_eq!(stem("set/track/a.b.smt2"), "set/track/a.b");
        assert_eq!(stem("set/v1.2/a"), "set/v1.2/a");
        assert_eq!(stem("set/all.tar!a.smt2"), "set/all.tar!a");
        assert_eq!(stem("set/.hidden"), "set/.hidden");
        assert!(is_end("track/a", stem("set/track/a.smt2")));
        assert!(!is_end("a", stem("set/track/ba.smt2")));
    }
}
