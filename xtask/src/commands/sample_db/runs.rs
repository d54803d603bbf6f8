//! Random runs: outcome, time and output of each solver on an instance.

use std::time::Duration;

use luthier_generator::Dice;
use luthier_records::{
    Bytes, Captured, Class, Clock, Configuration, Cores, CpuTime, Ending, Measured, ModelFinding,
    ModelOutcome, Run, RunAnswer, RunLimits, Text, Timestamp, Verdict, WallTime,
};

use super::formulas::SampleInstance;
use super::program_digest;

/// A solver of the sample, with the frequencies of its outcomes per million runs.
#[derive(Clone, Copy)]
pub struct Solver {
    pub name: &'static str,
    solver: &'static str,
    pub family: &'static str,
    version: &'static str,
    arguments: &'static [&'static str],
    /// A summand of the logarithm of times.
    slowness: f64,
    crashes: usize,
    memouts: usize,
    unsupported: usize,
    unknown: usize,
    wrong: usize,
    invalid_models: usize,
}

pub const SOLVERS: [Solver; 3] = [
    Solver {
        name: "z3@4.8.12",
        solver: "z3",
        family: "z3",
        version: "4.8.12",
        arguments: &["-smt2", "{file}"],
        slowness: 0.0,
        crashes: 300,
        memouts: 6_000,
        unsupported: 4_000,
        unknown: 30_000,
        wrong: 120,
        invalid_models: 400,
    },
    Solver {
        name: "cvc5@1.4.2",
        solver: "cvc5",
        family: "cvc",
        version: "1.4.2",
        arguments: &["--strings-exp", "{file}"],
        slowness: -0.4,
        crashes: 80,
        memouts: 2_000,
        unsupported: 3_000,
        unknown: 20_000,
        wrong: 15,
        invalid_models: 40,
    },
    Solver {
        name: "z3@4.8.9+z3str3",
        solver: "z3",
        family: "z3",
        version: "4.8.9",
        arguments: &["-smt2", "smt.string_solver=z3str3", "{file}"],
        slowness: 0.5,
        crashes: 6_000,
        memouts: 9_000,
        unsupported: 20_000,
        unknown: 70_000,
        wrong: 2_500,
        invalid_models: 5_000,
    },
];

const LIMIT: Duration = Duration::from_secs(20);

/// Logarithms of times in seconds: the mean, how far instances lie apart, how far runs do.
const MEAN: f64 = -1.5;
const SPREAD_OF_INSTANCES: f64 = 2.5;
const SPREAD_OF_RUNS: f64 = 1.6;

/// An instance with its difficulty, for all solvers.
pub struct Trial<'a> {
    made: &'a SampleInstance,
    difficulty: f64,
    started: i64,
}

impl<'a> Trial<'a> {
    pub fn new(made: &'a SampleInstance, hardness: f64, dice: &mut Dice) -> Self {
        let difficulty = MEAN + hardness + SPREAD_OF_INSTANCES * normal(dice);
        Trial { made, difficulty, started: 1_790_000_000_000 + dice.between(0, 300_000_000) }
    }
}

pub fn configuration(solver: &Solver) -> Configuration {
    let strings = |list: &[&str]| list.iter().map(|&text| text.to_owned()).collect();
    Configuration {
        name: solver.name.to_owned(),
        solver: solver.solver.to_owned(),
        family: solver.family.to_owned(),
        version: Some(solver.version.to_owned()),
        program: None,
        program_digest: program_digest(solver.name),
        arguments: strings(solver.arguments),
        script_lines: strings(&["(set-option :produce-models true)"]),
        dialect: if solver.family == "cvc" { "cvc5" } else { "z3-4.8.10" }.to_owned(),
        seed: None,
        models: true,
        cores: Cores::Never,
        limits: RunLimits {
            cpu: CpuTime(LIMIT),
            wall: WallTime(2 * LIMIT),
            memory: Bytes::mebibytes(4_096),
            output: Bytes::mebibytes(16),
        },
        not_asked: Vec::new(),
    }
}

/// The outcome of a run.
enum RunOutcome {
    Answers(Verdict),
    Unknown,
    Timeout,
    Crash,
    Memout,
    Unsupported,
}

pub fn random_run(solver: &Solver, trial: &mut Trial<'_>, dice: &mut Dice) -> Run {
    let logarithm = trial.difficulty + solver.slowness + SPREAD_OF_RUNS * normal(dice);
    // Starting the program takes its time, too.
    let seconds = (logarithm.exp() + 0.004 + dice.below(3_000) as f64 / 1e6).min(1e6);
    let outcome = run_outcome(solver, trial.made.verdict, seconds, dice);
    let cpu = match outcome {
        RunOutcome::Timeout => LIMIT + Duration::from_micros(dice.between(500, 60_000) as u64),
        _ => Duration::from_secs_f64(seconds.min(19.9)),
    };
    trial.started += dice.between(20, 3_000);
    let megabytes = match outcome {
        RunOutcome::Memout => 4_096.0,
        _ => (12.0 + 9.0 * seconds.min(40.0) + 4.0 * normal(dice).abs()).min(4_000.0),
    };
    let mut run = Run {
        repetition: 0,
        started: Timestamp(trial.started),
        ending: Ending::Exited(0),
        class: Class::Unknown,
        measured: Measured {
            cpu: CpuTime(cpu),
            wall: WallTime(cpu + Duration::from_micros(dice.between(300, 9_000) as u64)),
            peak_memory: Bytes((megabytes * 1_048_576.0) as u64),
            left_behind: 0,
        },
        stdout: Captured::default(),
        stderr: Captured::default(),
        answers: Vec::new(),
        conversion: Vec::new(),
        core: Some(dice.below(8) as u32),
        load: Some(dice.between(700, 850) as f64 / 100.0),
    };
    let mut stdout = String::new();
    match outcome {
        RunOutcome::Answers(verdict) => {
            answer(&mut run, &mut stdout, solver, trial.made, verdict, dice)
        }
        RunOutcome::Unknown => {
            let reason = dice.pick(&["incomplete", "(incomplete (theory seq))", "canceled"]);
            stdout = format!("unknown\n(:reason-unknown {reason:?})\n");
            run.answers.push(said(Verdict::Unknown, Class::Unknown, Some(reason)));
        }
        RunOutcome::Timeout => {
            run.class = Class::Timeout;
            run.ending = Ending::TimedOut(Clock::Cpu);
        }
        RunOutcome::Memout => {
            run.class = Class::Memout;
            run.ending = Ending::OutOfMemory;
            run.stderr.bytes = b"(error \"out of memory\")\n".to_vec();
        }
        RunOutcome::Crash => {
            run.class = Class::Crash;
            run.ending = Ending::Signalled(dice.pick(&[6, 11]));
            let line = dice.between(200, 9_000);
            run.stderr.bytes =
                format!("ASSERTION VIOLATION\nFile: theory_str.cpp\nLine: {line}\n").into_bytes();
        }
        RunOutcome::Unsupported => {
            run.class = Class::Unsupported;
            run.ending = Ending::Exited(1);
            let (line, column) = (dice.between(3, 12), dice.between(9, 60));
            let name = dice.pick(&["str.replace_re", "str.from_code", "re.^", "str.is_digit"]);
            stdout = format!("(error \"line {line} column {column}: unknown constant {name}\")\n");
        }
    }
    if run.stderr.bytes.is_empty() && dice.below(1_000) < 8 {
        run.stderr.bytes = b"WARNING: unknown parameter 'smt.str.fast_length_tester'\n".to_vec();
    }
    run.stdout.bytes = stdout.into_bytes();
    run
}

fn run_outcome(solver: &Solver, right: Verdict, seconds: f64, dice: &mut Dice) -> RunOutcome {
    let mut lot = dice.below(1_000_000);
    let chances = [
        (solver.crashes, RunOutcome::Crash),
        (solver.memouts, RunOutcome::Memout),
        (solver.unsupported, RunOutcome::Unsupported),
        (solver.unknown, RunOutcome::Unknown),
    ];
    for (chance, outcome) in chances {
        if lot < chance {
            return outcome;
        }
        lot -= chance;
    }
    if seconds >= LIMIT.as_secs_f64() {
        RunOutcome::Timeout
    } else if dice.below(1_000_000) < solver.wrong {
        RunOutcome::Answers(if right == Verdict::Sat { Verdict::Unsat } else { Verdict::Sat })
    } else {
        RunOutcome::Answers(right)
    }
}

fn answer(
    run: &mut Run,
    stdout: &mut String,
    solver: &Solver,
    made: &SampleInstance,
    verdict: Verdict,
    dice: &mut Dice,
) {
    if verdict != Verdict::Sat {
        run.class = Class::Unsat;
        stdout.push_str("unsat\n");
        run.answers.push(said(verdict, run.class, None));
        return;
    }
    run.class = Class::Sat;
    let is_right = made.verdict == Verdict::Sat;
    let lot = dice.below(1_000_000);
    let outcome = match lot {
        _ if !is_right || lot < solver.invalid_models => ModelOutcome::Invalid,
        _ if lot > 995_000 => ModelOutcome::Unsupported,
        _ if lot > 990_000 => ModelOutcome::Incomplete,
        _ if lot > 975_000 => ModelOutcome::Completed,
        _ => ModelOutcome::Valid,
    };
    let is_invalid = outcome == ModelOutcome::Invalid;
    stdout.push_str("sat\n(\n");
    for (position, (name, sort, value)) in made.values.iter().enumerate() {
        let value = match *sort {
            "String" if is_invalid && position == 0 => "\"\\u{2ffff}\"",
            _ if outcome == ModelOutcome::Completed && position == 0 => continue,
            _ => value,
        };
        stdout.push_str(&format!("  (define-fun {name} () {sort}\n    {value})\n"));
    }
    stdout.push_str(")\n");
    let number = 1 + dice.below(3);
    let detail = match outcome {
        ModelOutcome::Invalid => Some(format!("assertion {number} is false under this model")),
        ModelOutcome::Incomplete => Some("no value for a constant that matters".to_owned()),
        ModelOutcome::Unsupported => Some("division by zero has no fixed value".to_owned()),
        ModelOutcome::Exceeded => Some("judging it took longer than the limit".to_owned()),
        ModelOutcome::Completed | ModelOutcome::Valid => None,
    };
    let mut answer = said(verdict, run.class, None);
    answer.model = Some(ModelFinding { outcome, detail });
    run.answers.push(answer);
}

fn said(verdict: Verdict, class: Class, reason: Option<&str>) -> RunAnswer {
    RunAnswer {
        verdict,
        class,
        reason_unknown: reason.map(Text::from),
        model: None,
        core: None,
        opinions: Vec::new(),
    }
}

/// About normally distributed, with mean 0 and variance 1.
fn normal(dice: &mut Dice) -> f64 {
    let sum: usize = (0..12).map(|_| dice.below(1 << 20)).sum();
    sum as f64 / f64::from(1 << 20) - 6.0
}
