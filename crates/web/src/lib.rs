//! Pages and REST over a database of results, served on this machine.
//!
//! [`listen`] reads a database, listens, and follows what a campaign adds to it. Every page is
//! rendered on the server and can be read without scripts; nothing is fetched from elsewhere. Figures
//! come from `luthier-report`, judgements from `luthier-results`; here they are only rendered.
//!
//! * `server.rs` starts and stops, `state.rs` has what requests share, `follow.rs` polls the
//!   database, `snapshot.rs` is one state of the results, `stores.rs` reads single rows;
//! * `routes.rs` is the list of addresses, `guard.rs` checks every request;
//! * `layout.rs`, `parts.rs`, `text.rs`, `highlight.rs` and `assets/` are the presentation;
//! * `pages/` has one file per page; `recheck.rs` and `evaluation.rs` evaluate stored models for them,
//!   `clusters.rs` reads the folder of `luthier cluster`, `audit.rs` makes the audit of the database;
//! * `api/` is REST, `zaligvinder/` the endpoints of ZaligVinder;
//! * `site/` writes the pages as files ([`export_site`]); `medium.rs` is what differs on them.
//!
//! What needs solvers on this machine (commands that reproduce a run, parsing of outputs) is provided
//! by the caller, see [`SolverAccess`].

mod address;
mod api;
mod assets;
mod audit;
mod clusters;
mod connections;
mod error;
mod evaluation;
mod events;
mod follow;
mod guard;
mod headings;
mod highlight;
mod layout;
mod medium;
mod pages;
mod parts;
mod raw;
mod recheck;
mod routes;
mod server;
mod site;
mod snapshot;
mod solver_access;
mod state;
mod stores;
mod text;
mod zaligvinder;

pub use error::ServeError;
pub use routes::router;
pub use server::{Listening, Options, listen, stop_signal};
pub use site::{SiteError, SiteOptions, SiteProgress, SiteSummary, export_site};
pub use solver_access::{Reproduction, SolverAccess};
pub use state::App;
