//! The pages as files, which any web server can hold.
//!
//! Every page is made by the same code as that of the server: its router is asked for an address, and
//! what it answers is written with links of the site. `address.rs` says what becomes of each address,
//! `rewrite.rs` writes the links of a page. Three kinds of files come of it:
//!
//! * **pages** and downloads that have an address without free choice: the export starts at `/` and makes
//!   the file of every link that it meets (`pages.rs`). They can be read without script;
//! * **instances and runs**, of which there may be hundreds of thousands: the bodies of their pages, some
//!   instances to a compressed data file, which one page shows (`instances.rs`). As files of their own they
//!   would be more than twenty times as large, and slow to upload;
//! * **the list of instances**, column by column, in compressed data files that the page *Compare* filters,
//!   sorts and counts (`list.rs`).
//!
//! `assets/site.js` reads the data files. `folder.rs` is what may be written where, and what remains of an
//! export that fails. The same database gives the same bytes: pages of a site have no times of their making,
//! evaluations of models are limited by steps instead of seconds, and nothing depends on threads.
//!
//! Limits: memory is that of the server and some data files; what needs a server (charts of any selection,
//! orders of some tables, values under every model of a script with several queries) is not offered.

mod address;
mod folder;
mod instances;
mod list;
mod pages;
mod rewrite;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use http_body_util::BodyExt as _;
use luthier_corpus::sets::Catalogue;
use luthier_report::Results;
use luthier_results::{FeatureExtractor, LiveResults};
use luthier_store::{Store, StoreError};
use tokio::sync::watch;
use tower::ServiceExt as _;

use self::address::Addresses;
use self::folder::Folder;
use self::pages::Crawler;
use crate::clusters::ClusterFolder;
use crate::guard::Hosts;
use crate::routes::router;
use crate::snapshot::Snapshot;
use crate::solver_access::SolverAccess;
use crate::state::App;
use crate::text::without_folders;

pub(crate) use self::address::{MOST_PAGES, change_pairs};

/// Of how many instances features are found at a time, if the database does not record them.
const TEXTS_AT_ONCE: usize = 2_000;

/// What to export, and where to.
#[derive(Clone, Debug)]
pub struct SiteOptions {
    /// The database.
    pub database: PathBuf,
    /// The folder of the site: a new or empty one, or an earlier export.
    pub folder: PathBuf,
    /// A folder that `luthier cluster --out` made, to be shown too.
    pub clusters: Option<PathBuf>,
    /// What is known about published sets, for the audit.
    pub catalogue: Catalogue,
    /// How many pages are made at the same time, at least 1.
    pub jobs: usize,
}

/// How far an export is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteProgress {
    /// The database is read and judged.
    Reading,
    /// Contents are examined for the audit.
    Examining {
        /// How many are done.
        done: usize,
        /// How many there are.
        all: usize,
    },
    /// Pages and downloads: how many there are, and how many more are known.
    Pages {
        /// Files that are written.
        done: usize,
        /// Files that pages link to so far.
        known: usize,
    },
    /// Instances with their runs.
    Instances {
        /// How many are written.
        done: usize,
        /// How many there are.
        all: usize,
    },
}

/// What was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteSummary {
    /// All files of the site.
    pub files: usize,
    /// Their lengths together.
    pub bytes: u64,
    /// How many of them are new or different from the earlier export.
    pub changed: usize,
    /// How many files of the earlier export were removed.
    pub removed: usize,
    /// Instances that have a page.
    pub instances: usize,
    /// Runs that have a page.
    pub runs: usize,
}

/// A site cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// The database cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder of clusters cannot be read.
    #[error(
        "{}: is no folder that can be read ({cause}); luthier cluster --out makes one",
        path.display()
    )]
    Clusters {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The folder has files that no export wrote.
    #[error(
        "{}: is not empty, and no earlier export; choose a new folder, so that nothing of yours is \
         overwritten",
        path.display()
    )]
    NotOurs {
        /// The folder.
        path: PathBuf,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written ({cause}); the site is not finished", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// A page cannot be made.
    #[error("the page {address} cannot be made: {cause}")]
    Page {
        /// Its address.
        address: String,
        /// What the server would have said.
        cause: String,
    },
    /// The system failed.
    #[error("the export cannot run: {0}")]
    System(std::io::Error),
    /// Somebody stopped it.
    #[error("stopped; the site is not finished, and the same command goes on")]
    Stopped,
}

/// Writes the pages of a database as a site. Ends soon after `stop` turns true, with a site that is marked
/// as unfinished; `progress` is told now and then how far it is.
pub fn export_site(
    options: &SiteOptions,
    solver_access: Arc<dyn SolverAccess>,
    stop: &Arc<AtomicBool>,
    mut progress: impl FnMut(SiteProgress),
) -> Result<SiteSummary, SiteError> {
    let clusters = options.clusters.as_ref().map(|path| {
        ClusterFolder::open(path).map_err(|cause| SiteError::Clusters { path: path.clone(), cause })
    });
    let clusters = clusters.transpose()?;
    // Before anything takes time: a folder that must not be written is told at once.
    folder::check(&options.folder)?;
    progress(SiteProgress::Reading);
    let live = read(options, stop)?;
    let snapshot = Arc::new(Snapshot::of_site(Arc::new(for_others(&live.results()))));
    let mut folder = Folder::open(&options.folder)?;
    let (_sender, snapshots) = watch::channel(Arc::clone(&snapshot));
    let (_ending, ended) = watch::channel(false);
    // The router is asked under a name of this machine; nothing listens.
    let hosts = Hosts::new(([127, 0, 0, 1], 0).into(), &[]);
    let beside = (clusters, options.catalogue.clone());
    let app = App::new(&options.database, snapshots, hosts, solver_access, beside, ended, 2);
    make_audit(&app, &snapshot, options.jobs, stop, &mut progress)?;
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(options.jobs.max(1)).build().map_err(SiteError::System)?;
    let addresses = Arc::new(Addresses::new(&snapshot.results));
    let export = Export {
        asker: Asker { router: router(app.clone()), stop: Arc::clone(stop) },
        app,
        addresses,
        snapshot: Arc::clone(&snapshot),
        jobs: options.jobs.max(1),
    };
    let first_page = runtime.block_on(async {
        let mut crawler = Crawler::default();
        for address in ["/", "/assets/site.js"] {
            crawler.add(&export.addresses, address);
        }
        crawler.run(&export, &mut folder, &mut progress).await?;
        list::write(&export, &mut folder, &mut crawler).await?;
        instances::write(&export, &mut folder, &mut crawler, &mut progress).await?;
        // What only these link to.
        crawler.run(&export, &mut folder, &mut progress).await?;
        crawler.first_page()
    });
    // A page that is under way must not keep the program from ending.
    runtime.shutdown_background();
    let written = folder.finish(&first_page?)?;
    Ok(SiteSummary {
        files: written.files,
        bytes: written.bytes,
        changed: written.changed,
        removed: written.removed,
        instances: instances::numbers(&snapshot.results).len(),
        runs: snapshot.runs,
    })
}

/// Judges the database, and finds features that it does not record.
fn read(options: &SiteOptions, stop: &AtomicBool) -> Result<LiveResults, SiteError> {
    let mut live = LiveResults::open(&options.database)?;
    let store = Store::open_read_only(&options.database)?;
    let mut finder = FeatureExtractor::new();
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(SiteError::Stopped);
        }
        match finder.next(&store, &live.results(), TEXTS_AT_ONCE)? {
            Some(found) => live.add_features(&found),
            None => return Ok(live),
        };
    }
}

/// Makes the audit, so that pages have it at once.
fn make_audit(
    app: &App,
    snapshot: &Snapshot,
    jobs: usize,
    stop: &AtomicBool,
    progress: &mut impl FnMut(SiteProgress),
) -> Result<(), SiteError> {
    let (sender, receiver) = std::sync::mpsc::sync_channel(1);
    std::thread::scope(|scope| {
        let work = scope.spawn(move || {
            app.shared.audit.make(snapshot, jobs.max(1), |done, all| {
                // Nobody needs every step.
                let _ = sender.try_send((done, all));
                !stop.load(Ordering::Relaxed)
            })
        });
        for (done, all) in receiver {
            progress(SiteProgress::Examining { done, all });
        }
        match work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            Ok(true) => {
                app.shared.audit.forget_contents();
                Ok(())
            }
            Ok(false) => Err(SiteError::Stopped),
            Err(error) => Err(error.into()),
        }
    })
}

/// The results for others to read: without folders of the machines of campaigns.
fn for_others(results: &Results) -> Results {
    // Entries are shared, so that this is cheap.
    let mut results = results.clone();
    for info in &mut results.campaigns {
        for argument in &mut info.campaign.command_line {
            *argument = without_folders(argument);
        }
    }
    for info in &mut results.solvers {
        let configuration = &mut info.configuration;
        configuration.program = None;
        for argument in &mut configuration.arguments {
            *argument = without_folders(argument);
        }
    }
    results
}

/// What all parts of an export share.
#[derive(Debug)]
struct Export {
    asker: Asker,
    app: App,
    addresses: Arc<Addresses>,
    snapshot: Arc<Snapshot>,
    jobs: usize,
}

/// Asks the router, as a browser would ask the server.
#[derive(Clone, Debug)]
struct Asker {
    router: Router,
    stop: Arc<AtomicBool>,
}

/// Redirects beyond these would be a circle.
const MOST_REDIRECTS: usize = 3;

impl Asker {
    /// An error if somebody stopped the export.
    fn go_on(&self) -> Result<(), SiteError> {
        if self.stop.load(Ordering::Relaxed) { Err(SiteError::Stopped) } else { Ok(()) }
    }

    /// The bytes at an address.
    async fn bytes(&self, address: &str) -> Result<Vec<u8>, SiteError> {
        let fault = |cause: String| SiteError::Page { address: address.to_owned(), cause };
        let mut asked = address.to_owned();
        for _ in 0..=MOST_REDIRECTS {
            self.go_on()?;
            let request = Request::builder().uri(&asked).header(header::HOST, "localhost");
            let request = request.body(Body::empty()).map_err(|error| fault(error.to_string()))?;
            let Ok(response) = self.router.clone().oneshot(request).await;
            let status = response.status();
            if status == StatusCode::SEE_OTHER {
                let location = response.headers().get(header::LOCATION);
                let location = location.and_then(|location| location.to_str().ok());
                asked = location.unwrap_or_default().to_owned();
                continue;
            }
            let body = response.into_body().collect().await;
            let body = body.map_err(|error| fault(error.to_string()))?.to_bytes();
            if status != StatusCode::OK {
                let text = String::from_utf8_lossy(&body);
                let main = text.split("<main").nth(1).unwrap_or(&text);
                return Err(fault(format!("{status}: {}", words(main))));
            }
            return Ok(body.into());
        }
        Err(fault("it leads in a circle".to_owned()))
    }

    /// The text at an address.
    async fn text(&self, address: &str) -> Result<String, SiteError> {
        let bytes = self.bytes(address).await?;
        String::from_utf8(bytes).map_err(|_| SiteError::Page {
            address: address.to_owned(),
            cause: "it is not UTF-8".to_owned(),
        })
    }
}

/// The words of a page that says what is wrong.
fn words(html: &str) -> String {
    let texts = html.split('<').filter_map(|part| part.split_once('>'));
    let texts: Vec<&str> =
        texts.map(|(_, text)| text.trim()).filter(|text| !text.is_empty()).collect();
    let mut words = texts.join(" ");
    words.truncate(words.char_indices().nth(300).map_or(words.len(), |(end, _)| end));
    words
}

/// The bytes as a data file.
fn compressed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    use std::io::Write as _;
    // Nothing about the time or the machine is in it.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(LEVEL));
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Higher levels take twice the time for a few per cent.
const LEVEL: u32 = 6;
