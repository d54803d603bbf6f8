//! cvc5 as a library: a stand-in for its executable.
//!
//! The packages of cvc5 on the Python index have no executable, but the libraries, which export a
//! C interface since 1.2.0. `luthier cvc5-shell` loads them and does what the executable does:
//! it reads options and a script and prints what cvc5 answers. Releases from 1.0.9 to 1.1.2 have
//! only a Python module with a parser; for these it becomes the user's Python.
//!
//! The C interface of releases before 1.4 ends the process when something is wrong with a call,
//! so all this happens in a process of its own, which is run like any other solver.

mod api;
mod arguments;
mod binding;
mod libraries;
mod shell;

pub use arguments::{Arguments, WrongArgument};
pub use binding::Binding;
pub use libraries::{Libraries, NoLibraries};
pub use shell::run;
