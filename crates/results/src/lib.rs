//! A database of results, judged, in memory, and kept up to date while the database grows.
//!
//! * [`Judge`] computes ground truth and judgements from the observations of a store, instance by
//!   instance.
//! * [`load`] reads and judges a whole database into [`Results`](luthier_report::Results).
//! * [`load_both`] does so for two databases together, for comparisons.
//! * [`proven_answers`] is what databases prove whatever labels and statuses claim.
//! * [`detail`] and [`label_sources`] look up details of a finding that the results do not keep.
//! * [`LiveResults`] does the same for a file that others write to: a refresh judges only what is new.
//! * [`DatabaseAudit`] is the audit of the sets of a database; [`audit_document`] and [`audit_record`] are tables
//!   and JSON of any audit.
//! * [`FeatureExtractor`] computes the features of instances for which none are recorded.

mod audit;
mod both;
mod builder;
mod details;
mod features;
mod judge;
mod live;
mod load;
mod proven;

pub use audit::{
    AuditRecord, ContentExaminer, DatabaseAudit, ListedFile, audit_document, audit_record,
    audit_tables, source_name,
};
pub use both::{BothResults, load_both};
pub use details::{detail, label_sources, read_detail};
pub use features::{FeatureExtractor, fill_features};
pub use judge::{Judge, JudgedInstance, JudgedRun, labelled_configurations};
pub use live::LiveResults;
pub use load::{load, load_with_vote};
pub use proven::{ProvenInstance, proven_answers};
