//! cvc5 as a library: a replacement for its executable.
//!
//! The packages of cvc5 on the Python index have no executable, but the libraries, which export a
//! C interface since 1.2.0. `luthier cvc5-shell` loads them and behaves as the executable does:
//! it parses options and a script and prints the replies of cvc5. Releases from 1.0.9 to 1.1.2 have
//! only a Python module with a parser; for these it executes the user's Python in its place.
//!
//! The C interface of releases before 1.4 ends the process when a call fails, so `cvc5-shell` is a
//! process of its own, which is run under limits like any other solver.

mod api;
mod arguments;
mod binding;
mod libraries;
mod shell;

pub use arguments::{ArgumentError, Arguments};
pub use binding::Binding;
pub use libraries::{Libraries, LibrariesError};
pub use shell::run;
