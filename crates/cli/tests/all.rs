//! All tests of this crate that use it from outside, in one program: linking one takes as long as
//! running most of them. `cargo xtask tidy` checks that every file is listed.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

mod add_a_solver;
mod before;
mod bench;
mod benchexec;
mod check;
mod cluster;
mod common;
mod compare;
mod completions;
mod conformance;
mod damaged;
mod demo;
mod eval;
mod export;
mod figures_agree;
mod fmt;
mod generate;
mod hunt;
mod labels;
mod lint;
mod merge;
mod no_database;
mod parse;
mod report;
mod report_documents;
mod run;
mod run_dialects;
mod run_faults;
mod run_hostile;
mod run_judging;
mod run_limits;
mod run_resume;
mod run_serve;
mod run_slurm;
mod serve;
mod show;
mod solve;
mod solve_interactive;
mod solve_limits;
mod solvers;
mod summary;
mod terminal;
mod triage;
mod usage;
