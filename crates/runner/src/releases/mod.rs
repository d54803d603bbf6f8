//! Solver releases: descriptions of solvers, which releases are there, fetching others, and how a
//! release is asked to solve a script.
//!
//! What is known about a solver stands in a TOML file and not in code ([`Description`]). The
//! runner knows no formulas: dialects are names here, and whoever prints scripts reads them.

pub mod cvc5;

mod cache;
mod catalogue;
mod command;
mod configuration;
mod description;
mod digest;
mod error;
mod find;
mod folder;
mod install;
mod name;
mod pip;
mod probe;
mod python;
mod quirks;
mod version;
mod wheel;

pub use cache::{Cache, Manifest};
pub use catalogue::Catalogue;
pub use command::{Capability, Invocation, Request};
pub use configuration::{ConfigurationName, NoConfigurationName};
pub use description::{
    Ask, Cvc5Binding, Description, DialectRule, Install, OptionSet, Placeholder, Rule, Run,
    Template, VersionQuestion,
};
pub use error::ReleaseError;
pub use find::{Origin, Program, Release, Releases, on_search_path};
pub use install::{Installed, Step};
pub use name::{NoReleaseName, ReleaseName, Wanted};
pub use python::Python;
pub use quirks::{QuirkRule, Quirks, Separator};
pub use version::{Version, VersionRange};
