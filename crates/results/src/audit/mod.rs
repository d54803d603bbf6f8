//! The audit of the sets of a database, and audits as documents and JSON.
//!
//! `luthier_corpus::audit` examines contents and counts; it is the same for files of benchmark sets
//! (`luthier bench audit`) and for what a database has ([`DatabaseAudit`]). Each content of a database is examined
//! once ([`ContentExaminer`]), in the dialect in which it was registered, whatever becomes of its runs. What is
//! proven follows from the runs, as in [`proven_answers`](crate::proven_answers).
//!
//! [`audit_tables`], [`audit_document`] and [`audit_record`] are the one place where an audit becomes tables and JSON.

mod database;
mod document;
mod record;

pub use database::{ContentExaminer, DatabaseAudit, ListedFile};
pub use document::{audit_document, audit_tables};
pub use record::{AuditRecord, audit_record, source_name};
