//! The command line: its commands, the options that all of them share, and the help.

use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use luthier_ask::dialect_named;
use luthier_judge::limits_within;
use luthier_records::Bytes;
use luthier_records::{parse_bytes, parse_duration};
use luthier_semantics::Limits;
use luthier_smtlib::Dialect;

use crate::commands::{
    bench, bisect, cancel, check, cluster, compare, completions, conformance, cvc5_shell, demo,
    eval, export, fmt, generate, hunt, import, issue, lint, man, merge, parse, reduce, report, run,
    serve, show, slurm_task, solve, solvers, summary,
};

const EXAMPLES: &str = "\
Examples:
  luthier demo                                run a small suite on three solver releases
  luthier run --bench FOLDER --solver z3@5.4.0 --solver cvc5@1.4.2 --timeout 10s --install";

const EXIT_CODES: &str = "\
Exit codes:
   0  success; no wrong answer was found
   1  usage error, or a file cannot be opened or written
   2  a wrong answer: verdict, model, core, or fact of the theory
   3  incomplete: an input was rejected, a run is missing, or a result is undecided
   4  of `compare`: something was lost or slower
  70  an internal error of Luthier; please report it

Results go to standard output, messages to standard error. With --json each command prints one
JSON object on one line; its field `version` changes when the meaning of a field does. Colours
never carry information alone; NO_COLOR turns them off.";

/// A workbench for string solvers: run them, check every answer, find wrong ones
#[derive(Debug, Parser)]
#[command(
    name = "luthier",
    version,
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub struct CommandLine {
    /// What all commands share.
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What all commands share.
#[derive(Clone, Copy, Debug, Args)]
pub struct Common {
    /// Print one JSON object instead of text
    #[arg(long, global = true, display_order = 900)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, display_order = 901, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What to do. The help of each command stands in its file, with its arguments.
#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::Arguments),
    Run(Box<run::Arguments>),
    Cancel(cancel::Arguments),
    Summary(summary::Arguments),
    Report(Box<report::Arguments>),
    Export(export::Arguments),
    Show(show::Arguments),
    Serve(serve::Arguments),
    Compare(compare::Arguments),
    Merge(merge::Arguments),
    Import(import::Arguments),
    Bench(bench::Arguments),
    Generate(generate::Arguments),
    Hunt(hunt::Arguments),
    Reduce(reduce::Arguments),
    Cluster(cluster::Arguments),
    Bisect(bisect::Arguments),
    Issue(issue::Arguments),
    Solve(solve::Arguments),
    Solvers(solvers::Arguments),
    Conformance(conformance::Arguments),
    Check(check::Arguments),
    Eval(eval::Arguments),
    Parse(parse::Arguments),
    Lint(lint::Arguments),
    Fmt(fmt::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
    #[command(name = "cvc5-shell", hide = true)]
    Cvc5Shell(cvc5_shell::Arguments),
    #[command(name = "slurm-task", hide = true)]
    SlurmTask(slurm_task::Arguments),
}

/// The dialect of a script that is read.
#[derive(Clone, Copy, Debug, Args)]
pub struct ScriptDialect {
    /// Read scripts in this dialect, such as 2.6 or z3-4.8.8, instead of detecting it
    #[arg(long, value_name = "DIALECT", value_parser = dialect_named)]
    pub dialect: Option<Dialect>,
}

/// The model that a solver printed.
#[derive(Clone, Debug, Args)]
pub struct ModelSource {
    /// The output of the solver: its replies to get-model or get-value (`-`: standard input)
    #[arg(long, value_name = "MODEL")]
    pub model: std::path::PathBuf,
    /// The dialect of literals in the model, or the release that printed it: cvc5, z3-4.8.8
    #[arg(long, value_name = "DIALECT", value_parser = dialect_named)]
    pub model_dialect: Option<Dialect>,
}

/// How much reading and judging a model may cost.
#[derive(Clone, Copy, Debug, Args)]
pub struct JudgingLimits {
    /// Limit on CPU time
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    pub timeout: Duration,
    /// Limit on the memory for values
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = parse_bytes)]
    pub memory: Bytes,
}

impl JudgingLimits {
    /// The limits of the referee.
    pub fn limits(self) -> Limits {
        limits_within(self.timeout, self.memory.0)
    }
}

#[cfg(test)]
mod tests {
    use super::CommandLine;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn the_short_help_fits_on_one_screen() {
        let mut command = CommandLine::command();
        let help = command.render_help().to_string();
        assert!(help.lines().count() <= 46, "{help}");
        for subcommand in command.get_subcommands_mut() {
            let help = subcommand.render_help().to_string();
            assert!(help.lines().count() <= 40, "{help}");
            assert!(help.contains("Examples:"), "{help}");
        }
    }
}
