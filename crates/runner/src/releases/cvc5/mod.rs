//! cvc5 as a library: a stand-in for its executable.
//!
//! The packages of cvc5 on the Python index have no executable, but the libraries, which export a
//! C interface since 1.2.0. `luthier cvc5-shell` loads them and does what the executable does:
//! it reads options and a script and prints what cvc5 answers.
//!
//! The C interface of releases before 1.4 ends the process when something is wrong with a call,
//! so all this happens in a process of its own, which is run like any other solver.

mod api;
mod arguments;
mod libraries;
mod shell;

pub use arguments::{Arguments, WrongArgument};
pub use libraries::{Libraries, NoLibraries};
pub use shell::run;
