//! Instances and runs of a site: the bodies of their pages in compressed data files.
//!
//! A data file has some instances, by number, each with all its runs, so that texts that repeat themselves
//! are close to each other. `data/instances.json` says which file begins with which number. One page,
//! `instance.html`, shows the part that is named after its `#`.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use luthier_report::Results;
use serde::Serialize;

use super::address::INSTANCE;
use super::folder::Folder;
use super::pages::Crawler;
use super::rewrite::{Rewriter, unescaped};
use super::{Addresses, Asker, Export, SiteError, SiteProgress, compressed};
use crate::pages::{Context, viewer};

/// How many instances are made at a time.
const AT_ONCE: usize = 50;
/// A data file of more bytes than this gets no further instance.
const MOST_BYTES: usize = 2_000_000;

/// What the script shows.
#[derive(Debug, Default, Serialize)]
struct View {
    /// The title of the page.
    title: String,
    /// The way to the page, as HTML.
    path: String,
    /// Its content, as HTML.
    main: String,
    /// Texts that can be saved, as far as the page does not show them to the letter.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    texts: BTreeMap<&'static str, Saved>,
}

/// A text that is saved to the byte.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Saved {
    /// It is UTF-8.
    Text(String),
    /// The page shows it, but for its end.
    Shown {
        /// What is missing.
        end: &'static str,
    },
    /// It is not: hexadecimal digits.
    Bytes {
        /// The digits.
        hex: String,
    },
}

/// Some instances with their runs: by view, as it stands after the `#`.
type Views = BTreeMap<String, View>;

/// The numbers of all instances, ascending.
pub(super) fn numbers(results: &Results) -> Vec<i64> {
    let mut numbers: Vec<i64> =
        results.entries.iter().map(|entry| entry.judged.content.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// What is made of one batch of instances.
#[derive(Default)]
struct Made {
    /// The first number of each file, and the file.
    files: Vec<(i64, Vec<u8>)>,
    linked: Vec<String>,
}

/// Writes all instances, the page that shows them, and the first number of each data file.
pub(super) async fn write(
    export: &Export,
    folder: &mut Folder,
    crawler: &mut Crawler,
    progress: &mut impl FnMut(SiteProgress),
) -> Result<(), SiteError> {
    let numbers = numbers(&export.snapshot.results);
    let all = numbers.len();
    let batches: Vec<Vec<i64>> = numbers.chunks(AT_ONCE).map(<[i64]>::to_vec).collect();
    let making = batches.into_iter().map(|batch| {
        let size = batch.len();
        let (asker, addresses) = (export.asker.clone(), Arc::clone(&export.addresses));
        let results = Arc::clone(&export.snapshot.results);
        async move {
            let made =
                tokio::spawn(async move { make(&asker, &addresses, &results, &batch).await });
            let made =
                made.await.map_err(|panic| SiteError::System(std::io::Error::other(panic)))??;
            Ok::<_, SiteError>((size, made))
        }
    });
    let context = Context { snapshot: Arc::clone(&export.snapshot), app: export.app.clone() };
    let mut rewriter = Rewriter::new(&export.addresses, INSTANCE, "/instance", None);
    folder.write(INSTANCE, rewriter.rewrite(&viewer(&context)).as_bytes())?;
    let (mut firsts, mut done) = (Vec::new(), 0);
    let mut made = stream::iter(making).buffered(export.jobs);
    while let Some(made) = made.next().await {
        let (size, made) = made?;
        for (first, bytes) in made.files {
            folder.write(&format!("data/instances-{first}.gz"), &bytes)?;
            firsts.push(first);
        }
        for address in &made.linked {
            crawler.add(&export.addresses, address);
        }
        done += size;
        progress(SiteProgress::Instances { done, all });
    }
    let index = serde_json::to_vec(&firsts).map_err(|error| SiteError::System(error.into()))?;
    folder.write("data/instances.json", &index)
}

async fn make(
    asker: &Asker,
    addresses: &Addresses,
    results: &Results,
    batch: &[i64],
) -> Result<Made, SiteError> {
    let mut made = Made::default();
    let mut linked = std::collections::BTreeSet::new();
    let (mut views, mut bytes, mut first) = (Views::new(), 0, None);
    for &number in batch {
        first.get_or_insert(number);
        let mut add = |name: String, (view, links): (View, Vec<String>)| {
            bytes += view.main.len();
            linked.extend(links);
            views.insert(name, view);
        };
        let name = number.to_string();
        add(name.clone(), view(asker, addresses, &format!("/instance/{number}"), &name).await?);
        let entry = results.entries_of(number).next();
        let runs = entry.map_or(&[][..], |entry| &results.entries[entry].judged.runs);
        for run in runs {
            let name = format!("{number}.{}", run.number);
            let address = format!("/run/{}", run.number);
            add(name.clone(), view(asker, addresses, &address, &name).await?);
        }
        if bytes > MOST_BYTES {
            made.files.extend(file(&mut views, &mut first)?);
            bytes = 0;
        }
    }
    made.files.extend(file(&mut views, &mut first)?);
    made.linked = linked.into_iter().collect();
    Ok(made)
}

/// The views as a file; none if there are none.
fn file(views: &mut Views, first: &mut Option<i64>) -> Result<Option<(i64, Vec<u8>)>, SiteError> {
    let Some(first) = first.take() else { return Ok(None) };
    let json = serde_json::to_vec(&std::mem::take(views))
        .map_err(|error| SiteError::System(std::io::Error::other(error)))?;
    Ok(Some((first, compressed(&json).map_err(SiteError::System)?)))
}

/// The page at an address as a view, and what it links to.
async fn view(
    asker: &Asker,
    addresses: &Addresses,
    address: &str,
    name: &str,
) -> Result<(View, Vec<String>), SiteError> {
    let html = asker.text(address).await?;
    let fault = |what: &str| SiteError::Page {
        address: address.to_owned(),
        cause: format!("the page has no {what}"),
    };
    let title = between(&html, "<title>", "</title>").ok_or_else(|| fault("title"))?;
    let path = between(&html, "<nav class=\"path\" aria-label=\"Way back\">", "</nav>");
    let main = between(&html, "<main id=\"main\" tabindex=\"-1\">", "</main>");
    let mut rewriter = Rewriter::new(addresses, INSTANCE, address, Some(name));
    let mut view = View {
        title: unescaped(title),
        path: rewriter.rewrite(path.ok_or_else(|| fault("way back"))?),
        main: rewriter.rewrite(main.ok_or_else(|| fault("content"))?),
        texts: BTreeMap::new(),
    };
    for (text, section) in [("input", "formula"), ("stdout", "stdout"), ("stderr", "stderr")] {
        if !view.main.contains(&format!("data-text=\"{text}\"")) {
            continue;
        }
        let bytes = asker.bytes(&format!("{address}/{text}")).await?;
        let code = shown(&view.main, section);
        let saved = match code.as_deref().and_then(|shown| bytes.strip_prefix(shown.as_bytes())) {
            Some(b"") => continue,
            // The last line break is not shown.
            Some(b"\n") => Saved::Shown { end: "\n" },
            _ => match String::from_utf8(bytes) {
                Ok(text) => Saved::Text(text),
                Err(other) => Saved::Bytes { hex: hex(other.as_bytes()) },
            },
        };
        view.texts.insert(text, saved);
    }
    Ok((view, rewriter.linked))
}

/// The text of the code in a section, which the script can save from there.
fn shown(main: &str, section: &str) -> Option<String> {
    let start = format!("<section aria-labelledby=\"{section}\">");
    let code = between(main, &start, "</section>").and_then(|section| {
        let (_, code) = section.split_once("<code>")?;
        code.split_once("</code>").map(|(code, _)| code)
    });
    let code = code?;
    let mut text = String::with_capacity(code.len());
    for (place, part) in code.split('<').enumerate() {
        match part.split_once('>') {
            Some((_, after)) if place > 0 => text.push_str(after),
            _ => text.push_str(part),
        }
    }
    Some(unescaped(&text))
}

fn between<'h>(html: &'h str, start: &str, end: &str) -> Option<&'h str> {
    let (_, rest) = html.split_once(start)?;
    rest.split_once(end).map(|(inner, _)| inner)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
