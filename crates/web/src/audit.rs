//! The audit of the database: made in the background when somebody first asks, and kept.
//!
//! Examining a hundred thousand contents takes half a minute of CPU time, so nobody waits for it: pages say how far
//! it is. Contents are examined once; when results are added, only what is proven is computed anew, and the last
//! audit is shown until the next one is there. As much as four times the time that an audit took passes before the next
//! begins, so that a running campaign is not slowed down.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use luthier_corpus::sets::Catalogue;
use luthier_report::documents::Table;
use luthier_results::{ContentExaminer, DatabaseAudit, audit_tables};
use luthier_store::{Store, StoreError};
use tokio::sync::watch;

use crate::snapshot::Snapshot;

/// How much longer than an audit the pause before the next is.
const PAUSE_FACTOR: u32 = 4;
/// After a failure somebody may ask again soon.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(5);

/// Makes audits of one database.
#[derive(Debug)]
pub(crate) struct AuditKeeper {
    database: PathBuf,
    catalogue: Catalogue,
    ending: watch::Receiver<bool>,
    state: Mutex<State>,
    changed: Condvar,
    done: AtomicUsize,
    all: AtomicUsize,
}

#[derive(Debug, Default)]
struct State {
    /// Not here while it is at work.
    examiner: Option<ContentExaminer>,
    is_running: bool,
    latest: Option<Arc<KeptAudit>>,
    /// Why the last attempt failed, and when.
    failure: Option<(String, Instant)>,
    /// How many audits were made.
    count: u64,
}

/// An audit with its tables.
#[derive(Debug)]
pub(crate) struct KeptAudit {
    /// The figures.
    pub audit: DatabaseAudit,
    /// All tables.
    pub tables: Vec<Table>,
    /// How many runs there were.
    pub runs: usize,
    /// The version of the results.
    version: String,
    took: Duration,
    made: Instant,
}

/// What is there when somebody asks.
#[derive(Debug)]
pub(crate) enum AuditState {
    /// An audit.
    Ready {
        /// It.
        audit: Arc<KeptAudit>,
        /// Whether it is of the results that were asked for, not of earlier ones.
        is_current: bool,
    },
    /// It is being made.
    Examining {
        /// How many contents are examined.
        done: usize,
        /// Of how many.
        all: usize,
    },
    /// It cannot be made.
    Failed(String),
}

impl AuditKeeper {
    /// For a database; nothing is read yet. Work ends soon after `ending` turns true.
    pub fn new(database: &Path, catalogue: Catalogue, ending: watch::Receiver<bool>) -> Self {
        Self {
            database: database.to_owned(),
            catalogue,
            ending,
            state: Mutex::default(),
            changed: Condvar::new(),
            done: AtomicUsize::new(0),
            all: AtomicUsize::new(0),
        }
    }

    /// The audit of these results, or what is there instead; waits for so long at most. Begins to make it if it is
    /// not there.
    pub fn ask(self: &Arc<Self>, snapshot: &Arc<Snapshot>, patience: Duration) -> AuditState {
        let mut state = self.state();
        if !state.is_running && state.wants(&snapshot.version) {
            state.is_running = true;
            state.failure = None;
            self.done.store(0, Ordering::Relaxed);
            self.all.store(0, Ordering::Relaxed);
            let (keeper, snapshot) = (Arc::clone(self), Arc::clone(snapshot));
            let jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2);
            let work = move || keeper.run(&snapshot, jobs);
            let started = std::thread::Builder::new().name("audit".to_owned()).spawn(work);
            if let Err(error) = started {
                state.is_running = false;
                return AuditState::Failed(format!("The audit cannot start: {error}"));
            }
        }
        let is_open = |state: &mut State| state.is_running && !state.is_current(&snapshot.version);
        let (state, _) = self
            .changed
            .wait_timeout_while(state, patience, is_open)
            .unwrap_or_else(PoisonError::into_inner);
        match (&state.latest, &state.failure) {
            (_, Some((reason, _))) if !state.is_running => AuditState::Failed(reason.clone()),
            (Some(audit), _) => AuditState::Ready {
                audit: Arc::clone(audit),
                is_current: state.is_current(&snapshot.version),
            },
            (None, _) => AuditState::Examining {
                done: self.done.load(Ordering::Relaxed),
                all: self.all.load(Ordering::Relaxed),
            },
        }
    }

    /// Makes the audit here and now, as a site needs it. Returns whether it was made, and not stopped.
    pub fn make(
        &self,
        snapshot: &Snapshot,
        jobs: usize,
        observe: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<bool, StoreError> {
        let mut examiner = self.state().examiner.take().unwrap_or_default();
        let made = self.audit(&mut examiner, snapshot, jobs, observe);
        let mut state = self.state();
        state.examiner = Some(examiner);
        let Some(audit) = made? else { return Ok(false) };
        state.keep(audit);
        Ok(true)
    }

    /// Forgets what was found out about contents, if no further audit will be made.
    pub fn forget_contents(&self) {
        self.state().examiner = None;
    }

    /// Tells states of the audit from each other.
    pub fn count(&self) -> u64 {
        self.state().count
    }

    /// The work of the thread.
    fn run(&self, snapshot: &Snapshot, jobs: usize) {
        let observe = |done: usize, all: usize| {
            self.done.store(done, Ordering::Relaxed);
            self.all.store(all, Ordering::Relaxed);
            !*self.ending.borrow()
        };
        // A panic has been reported; those who wait must be told.
        let made = catch_unwind(AssertUnwindSafe(|| self.make(snapshot, jobs, observe)));
        let failure = match made {
            Ok(Ok(true)) => None,
            Ok(Ok(false)) => Some("The server is ending.".to_owned()),
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("This is a fault of Luthier; please report it.".to_owned()),
        };
        let mut state = self.state();
        state.is_running = false;
        state.failure = failure.map(|reason| (reason, Instant::now()));
        drop(state);
        self.changed.notify_all();
    }

    fn audit(
        &self,
        examiner: &mut ContentExaminer,
        snapshot: &Snapshot,
        jobs: usize,
        observe: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Option<KeptAudit>, StoreError> {
        let start = Instant::now();
        let results = &snapshot.results;
        if !examiner.examine(&self.database, results, jobs, observe)? {
            return Ok(None);
        }
        let store = Store::open_read_only(&self.database)?;
        let audit = DatabaseAudit::of(results, examiner, &store, &self.catalogue)?;
        let tables = audit_tables(&audit.audit, &self.catalogue, true);
        let version = snapshot.version.clone();
        let (runs, took, made) = (snapshot.runs, start.elapsed(), Instant::now());
        Ok(Some(KeptAudit { audit, tables, runs, version, took, made }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Whether an audit of results of this version is to be made.
    fn wants(&self, version: &str) -> bool {
        if let Some((_, at)) = &self.failure {
            return at.elapsed() >= PAUSE_AFTER_FAILURE;
        }
        let is_rested = |audit: &Arc<KeptAudit>| audit.made.elapsed() >= audit.took * PAUSE_FACTOR;
        !self.is_current(version) && self.latest.as_ref().is_none_or(is_rested)
    }

    fn is_current(&self, version: &str) -> bool {
        self.latest.as_ref().is_some_and(|audit| audit.version == version)
    }

    fn keep(&mut self, audit: KeptAudit) {
        self.latest = Some(Arc::new(audit));
        self.count += 1;
    }
}
