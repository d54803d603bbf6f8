//! Exported sites: every link leads somewhere, every figure is that of the server, nothing is lost when an
//! export is repeated or stopped.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use luthier_web::{SiteError, SiteOptions, SiteProgress, SiteSummary, export_site};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Database, HOSTILE_SOLVER, TestSolverAccess};
use crate::pages::Site;

/// A site in a folder of its own.
struct Exported {
    folder: TempDir,
}

impl Exported {
    async fn new(database: &Database) -> Self {
        let folder = TempDir::new().unwrap();
        export(database, &folder.path().join("site")).await.unwrap();
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("site")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// All files with the address at which the server shows the same.
    fn manifest(&self) -> BTreeMap<String, Option<String>> {
        let manifest: Value = serde_json::from_slice(&self.read("luthier-site.json")).unwrap();
        let files = manifest["files"].as_object().unwrap().iter();
        let address = |file: &Value| file["address"].as_str().map(str::to_owned);
        files.map(|(name, file)| (name.clone(), address(file))).collect()
    }

    /// All instances and runs that the script can show.
    fn views(&self) -> BTreeMap<String, Value> {
        let firsts: Vec<i64> = serde_json::from_slice(&self.read("data/instances.json")).unwrap();
        let files = firsts.iter().map(|first| self.read(&format!("data/instances-{first}.gz")));
        let views = files.flat_map(|bytes| {
            let views: BTreeMap<String, Value> = serde_json::from_slice(&unpacked(&bytes)).unwrap();
            views
        });
        views.collect()
    }
}

async fn export(database: &Database, folder: &Path) -> Result<SiteSummary, SiteError> {
    export_until(database, folder, |_| false).await
}

/// Exports until the progress is such that somebody stops it.
async fn export_until(
    database: &Database,
    folder: &Path,
    is_enough: impl Fn(SiteProgress) -> bool + Send + 'static,
) -> Result<SiteSummary, SiteError> {
    let options = SiteOptions {
        database: database.path(),
        folder: folder.to_owned(),
        clusters: Some(database.clusters()),
        catalogue: crate::common::catalogue(),
        jobs: 2,
    };
    // It has a runtime of its own.
    let exporting = tokio::task::spawn_blocking(move || {
        let stop = Arc::new(AtomicBool::new(false));
        let progress = |progress| stop.store(is_enough(progress), Ordering::Relaxed);
        export_site(&options, Arc::new(TestSolverAccess), &stop, progress)
    });
    exporting.await.unwrap()
}

fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut all).unwrap();
    all
}

/// The links of a page.
fn links(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in [" href=\"", " src=\"", " action=\""] {
        let parts = html.split(name).skip(1).map(|part| part.split_once('"').unwrap().0);
        found.extend(parts.map(|link| link.replace("&quot;", "\"").replace("&amp;", "&")));
    }
    found
}

/// The cells of all tables of a page, as they are read.
fn tables(html: &str) -> Vec<Vec<String>> {
    let tables = html.split("<table").skip(1).map(|part| part.split("</table>").next().unwrap());
    let cells = |table: &str| -> Vec<String> {
        let rows = table.replace("</th>", "</td>").replace("<th", "<td");
        let cells = rows.split("<td").skip(1).map(|part| part.split("</td>").next().unwrap());
        cells.map(|cell| words(&format!("<td{cell}"))).collect()
    };
    tables.map(cells).collect()
}

fn words(html: &str) -> String {
    let texts = html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    let text: String = texts.collect::<Vec<_>>().join("");
    // Signs of orders that a site does not have.
    let text = text.replace(['↕', '↑', '↓'], "").replace("(gzip)", "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn main_of(html: &str) -> &str {
    let (_, rest) = html.split_once("<main").unwrap();
    rest.split_once("</main>").unwrap().0
}

#[tokio::test]
async fn every_link_of_a_site_leads_to_something_that_is_there() {
    let site = Site::with_everything().await;
    let exported = Exported::new(&site.database).await;
    let files: BTreeSet<String> = exported.manifest().into_keys().collect();
    let views = exported.views();
    let mut pages: Vec<(String, String)> = files
        .iter()
        .filter(|name| name.ends_with(".html"))
        .map(|name| (name.clone(), exported.text(name)))
        .collect();
    assert!(pages.len() > 30, "{}", pages.len());
    for view in views.values() {
        let html = format!("{}{}", view["path"].as_str().unwrap(), view["main"].as_str().unwrap());
        pages.push(("instance.html".to_owned(), html));
    }
    let mut checked = 0;
    for (page, html) in &pages {
        for link in links(html) {
            checked += 1;
            assert!(!link.starts_with('/') && !link.contains('?'), "{link} on {page}");
            let (path, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { page.clone() } else { below(page, path) };
            assert!(files.contains(&target), "{link} on {page} leads to no file: {target}");
            assert!(exported.path().join(&target).is_file(), "{target}");
            if target == "instance.html" && (!path.is_empty() || fragment != "main") {
                let (view, anchor) = fragment.split_once(':').unwrap_or((fragment, ""));
                let found = views.get(view).unwrap_or_else(|| panic!("{link} on {page}"));
                let html = found["main"].as_str().unwrap();
                let id = format!("id=\"{anchor}\"");
                assert!(anchor.is_empty() || html.contains(&id), "{link} on {page}");
            } else if target == "compare.html" && fragment.contains('=') {
                site.page(&format!("/compare?{fragment}")).await;
            } else if !fragment.is_empty() {
                let html = exported.text(&target);
                assert!(html.contains(&format!("id=\"{fragment}\"")), "{link} on {page}");
            }
        }
    }
    assert!(checked > 3_000, "{checked}");
    // Nothing is left of what needs a server.
    for (page, html) in &pages {
        for word in ["REST", "/api/", "data-version", "<form class=\"filter\"", "read at"] {
            assert!(!html.contains(word), "{word} on {page}");
        }
    }
}

/// A link of a page, as the name of a file of the site.
fn below(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        if part == ".." {
            parts.pop().unwrap_or_else(|| panic!("{link} on {page} leads out of the site"));
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[tokio::test]
async fn every_table_and_every_download_is_that_of_the_server() {
    let site = Site::with_everything().await;
    let exported = Exported::new(&site.database).await;
    let (mut compared, mut downloads) = (0, 0);
    for (name, address) in exported.manifest() {
        let Some(address) = address.filter(|address| !address.starts_with("/assets/")) else {
            continue;
        };
        let bytes = exported.read(&name);
        if name.ends_with(".html") {
            let mut server = site.get(&address).await;
            while let Some(location) = server.headers.get("location") {
                server = site.get(location.to_str().unwrap()).await;
            }
            let ours = String::from_utf8(bytes).unwrap();
            let (ours, theirs) = (tables(main_of(&ours)), tables(main_of(&server.text)));
            assert_eq!(ours, theirs, "{name} and {address}");
            compared += ours.len();
        } else if !name.ends_with(".svg") {
            let bytes = if name.ends_with(".gz") { unpacked(&bytes) } else { bytes };
            assert!(bytes == site.bytes(&address).await, "{name} and {address}");
            downloads += 1;
        }
    }
    for (view, shown) in exported.views() {
        let address = match view.split_once('.') {
            Some((_, run)) => format!("/run/{run}"),
            None => format!("/instance/{view}"),
        };
        let server = site.page(&address).await;
        let ours = tables(shown["main"].as_str().unwrap());
        // The page of a run has the values under its model, too.
        let theirs = tables(main_of(&server.text));
        assert_eq!(ours[..theirs.len()], theirs[..], "{view}");
        let title = server.text.split("<title>").nth(1).unwrap().split('<').next().unwrap();
        assert_eq!(
            shown["title"]
                .as_str()
                .unwrap()
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;"),
            title
        );
    }
    assert!(compared > 60 && downloads > 60, "{compared} tables, {downloads} downloads");
}

#[tokio::test]
async fn a_site_has_nothing_of_the_machine_and_hostile_names_are_text() {
    let site = Site::with_everything().await;
    let exported = Exported::new(&site.database).await;
    let folder = site.database.path().parent().unwrap().display().to_string();
    for name in exported.manifest().into_keys() {
        let bytes = exported.read(&name);
        let bytes = if name.ends_with(".gz") { unpacked(&bytes) } else { bytes };
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(&folder) && !text.contains("/elsewhere/"), "{name}");
        if name.ends_with(".html") {
            assert!(text.contains("http-equiv=\"Content-Security-Policy\""), "{name}");
            assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{name}");
        }
    }
    let first = exported.text("index.html");
    assert!(first.contains(&HOSTILE_SOLVER.replace('<', "&lt;").replace('>', "&gt;")));
    for view in exported.views().values() {
        assert!(!view["main"].as_str().unwrap().contains("<script>"));
    }
}

#[tokio::test]
async fn the_same_database_gives_the_same_bytes_and_a_second_export_changes_nothing() {
    let database = Database::new();
    let (one, other) = (Exported::new(&database).await, Exported::new(&database).await);
    assert_eq!(one.manifest(), other.manifest());
    for name in one.manifest().into_keys() {
        assert!(one.read(&name) == other.read(&name), "{name}");
    }
    let again = export(&database, &one.path()).await.unwrap();
    assert_eq!((again.changed, again.removed), (0, 0));
    assert_eq!(again.files, one.manifest().len() + 1);
    let bytes: u64 = one.manifest().keys().map(|name| one.read(name).len() as u64).sum();
    assert_eq!(again.bytes, bytes + one.read("luthier-site.json").len() as u64);
}

#[tokio::test]
async fn an_export_that_is_stopped_is_marked_and_the_next_one_goes_on() {
    let database = Database::new();
    let place = TempDir::new().unwrap();
    let folder = place.path().join("site");
    let is_enough = |progress| matches!(progress, SiteProgress::Pages { done: 5.., .. });
    let stopped = export_until(&database, &folder, is_enough).await;
    assert!(matches!(stopped, Err(SiteError::Stopped)), "{stopped:?}");
    assert!(!folder.join("index.html").exists() && folder.join("luthier-site.unfinished").exists());
    let whole = export(&database, &folder).await.unwrap();
    assert!(whole.changed < whole.files, "what was there is used again: {whole:?}");
    assert!(folder.join("index.html").exists() && !folder.join("luthier-site.unfinished").exists());
}
