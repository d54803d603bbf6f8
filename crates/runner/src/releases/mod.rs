//! Solver releases: descriptions of solvers, finding and installing releases, and their invocation.
//!
//! What is known about a solver stands in a TOML file and not in code ([`Description`]). The
//! runner knows no formulas: dialects are names here, resolved by the crate that prints scripts.

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
pub use command::{Capability, Invocation, InvocationOptions};
pub use configuration::{ConfigurationName, InvalidConfigurationName};
pub use description::{
    Ask, Cvc5Binding, Description, DialectRule, Install, OptionSet, Placeholder, Rule, Run,
    Template, VersionQuestion,
};
pub use error::ReleaseError;
pub use find::{Origin, Program, Release, Releases, on_search_path};
pub use install::{InstallStep, Installed};
pub use name::{InvalidReleaseName, ReleaseName, VersionSelector};
pub use python::Python;
pub use quirks::{QuirkRule, Quirks, Separator};
pub use version::{Version, VersionRange};
