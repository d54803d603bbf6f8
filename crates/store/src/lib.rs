//! The result database: one SQLite file, and the only SQL of the repository.
//!
//! A [`Store`] keeps campaigns, configurations, instances with their places, and runs with their
//! answers and outputs. It is written in transactions, so that a campaign that is killed loses at
//! most its last batch, and it can be read while a campaign writes. Rows are identified by natural
//! keys: a configuration by its identity, an instance by its digest and dialect, a run by
//! configuration, instance and repetition. So nothing is stored twice, a campaign can be resumed,
//! and databases of several machines can be merged.
//!
//! Texts (instances, outputs) are stored once per content, compressed.
//!
//! `docs/store.md` describes the tables. The crate stores observations only and interprets nothing:
//! judgements are computed by `luthier-results`.

mod codec;
mod error;
mod features;
mod follow;
mod ids;
mod merge;
mod open;
mod publish;
mod read;
mod runs;
mod schema;
mod store;
mod texts;
mod verify;
mod visit;
mod write;
mod zaligvinder;

pub use error::StoreError;
pub use follow::Watermark;
pub use ids::{CampaignId, ConfigurationId, InstanceId, RunId, SetId, TrackId};
pub use merge::{MergeReport, MergeSource};
pub use read::{Outputs, SetRow, StoredRun, TrackRow};
pub use runs::NewRun;
pub use store::Store;
pub use visit::InstanceRuns;
pub use zaligvinder::{BadRow, ImportReport, ImportedModel, ZaligvinderImport, find_formula};
