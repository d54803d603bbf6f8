//! Polls the database while other processes write to it, and publishes new snapshots.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use luthier_results::{FeatureExtractor, LiveResults};
use luthier_store::Store;
use tokio::sync::watch;

use crate::error::ServeError;
use crate::pages;
use crate::snapshot::Snapshot;

/// How often the database is looked at. A look that takes long is followed by a longer pause, so
/// that following never takes more than a fifth of the time.
const PAUSE: Duration = Duration::from_secs(1);
const PAUSE_FACTOR: u32 = 4;
/// Of how many instances features are found between two looks.
const TEXTS_PER_POLL: usize = 2_000;

/// The part of the server that reads everything.
#[derive(Debug)]
pub(crate) struct Follower {
    path: PathBuf,
    live: LiveResults,
    /// Databases that were made before features were recorded lack them.
    features: Option<FeatureExtractor>,
    /// Different for each start of the server.
    start: u128,
    sender: watch::Sender<Arc<Snapshot>>,
}

impl Follower {
    /// Reads the whole database.
    pub fn open(path: &Path) -> Result<Self, ServeError> {
        let live = LiveResults::open(path)?;
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let start = since.map_or(0, |since| since.as_millis());
        let version = format!("{start:x}-{}", live.version());
        let first = Snapshot::new(live.results(), version, None);
        pages::prepare(&first);
        let (sender, _) = watch::channel(Arc::new(first));
        Ok(Self {
            path: path.to_owned(),
            live,
            features: Some(FeatureExtractor::new()),
            start,
            sender,
        })
    }

    /// The newest state, as it comes.
    pub fn snapshots(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.sender.subscribe()
    }

    /// Polls the database, as long as there are receivers.
    pub async fn follow(mut self) {
        let mut pause = PAUSE;
        loop {
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.sender.closed() => return,
            }
            let looked = tokio::task::spawn_blocking(move || {
                let began = Instant::now();
                self.poll();
                (self, began.elapsed())
            });
            // A panic has been reported already; the last state stays.
            let Ok((same, took)) = looked.await else { return };
            self = same;
            pause = PAUSE.max(took * PAUSE_FACTOR);
        }
    }

    fn poll(&mut self) {
        // What fails now, because a merge holds the file or it is being replaced, may work at the
        // next poll; until then the last state is shown.
        let has_changed = matches!(self.live.refresh(), Ok(true));
        if has_changed {
            // New instances may lack features too.
            self.features.get_or_insert_default();
        }
        let has_features = self.find_features();
        if !has_changed && !has_features {
            return;
        }
        let version = format!("{:x}-{}", self.start, self.live.version());
        let before = Arc::clone(&self.sender.borrow());
        let next = Snapshot::new(self.live.results(), version, Some(&before));
        pages::prepare(&next);
        self.sender.send_replace(Arc::new(next));
    }

    /// Computes some features that are not recorded. Returns whether there were any.
    fn find_features(&mut self) -> bool {
        let Some(mut finder) = self.features.take() else { return false };
        let results = self.live.results();
        let found = Store::open_read_only(&self.path)
            .and_then(|store| finder.next(&store, &results, TEXTS_PER_POLL));
        match found {
            Ok(Some(found)) => {
                self.features = Some(finder);
                self.live.add_features(&found);
                !found.is_empty()
            }
            // Nothing is left, or the file cannot be read now; a change brings another try.
            Ok(None) | Err(_) => false,
        }
    }
}
