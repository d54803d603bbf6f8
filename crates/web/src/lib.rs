//! Pages over a database of results, served on this machine.
//!
//! [`listen`] reads a database, listens, and follows what a campaign adds to it. Every page is
//! made on the server and can be read without script; nothing is fetched from elsewhere. Figures
//! come from `luthier-report`, judgements from `luthier-results`; here they are only shown.
//!
//! * `server.rs` listens and ends, `state.rs` has what requests share, `follow.rs` follows the
//!   database, `snapshot.rs` is what requests look at, `stores.rs` reads single rows;
//! * `routes.rs` is the list of addresses, `guard.rs` what every request must pass;
//! * `layout.rs`, `parts.rs`, `text.rs`, `highlight.rs` and `assets/` are how things look;
//! * `pages/` has one file per page;
//! * `api/` is REST, `zaligvinder/` the part of it that ZaligVinder has.
//!
//! What needs programs on this machine (how a run is asked again, how outputs are read) is given
//! by whoever starts the server, see [`Workshop`].

mod address;
mod api;
mod assets;
mod connections;
mod error;
mod events;
mod follow;
mod guard;
mod headings;
mod highlight;
mod layout;
mod pages;
mod parts;
mod raw;
mod recheck;
mod routes;
mod server;
mod snapshot;
mod state;
mod stores;
mod text;
mod workshop;
mod zaligvinder;

pub use error::ServeError;
pub use routes::router;
pub use server::{Listening, Options, listen, stop_signal};
pub use state::App;
pub use workshop::{Reproduction, Workshop};
