//! Solver releases, solver processes under limits, and parsing of solver output.
//!
//! * [`releases`]: descriptions of solvers (`solvers/*.toml`), finding and installing releases, and
//!   the command line for a script with given options;
//! * [`process`]: runs a program with limits on CPU time, wall time, memory and output, measures its
//!   whole process tree, and leaves no process behind;
//! * [`answer`]: parses standard output into verdicts, models and cores.
//!
//! This crate knows no formulas: scripts are bytes and dialects are names.

pub mod releases;

pub mod answer;
pub mod process;
