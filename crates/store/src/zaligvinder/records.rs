//! Converts rows of ZaligVinder to our records: configurations, runs, and instances without a file.

use luthier_records::{
    Bytes, Captured, Class, Clock, Configuration, Cores, CpuTime, Digest, Ending, Instance,
    Measured, ModelFinding, Opinion, Query, Run, RunAnswer, RunLimits, Timestamp, Verdict,
    WallTime,
};

use super::database::{ListedInstance, TrackNames, ZaligvinderResult};

/// The digest of the empty text stands for the unknown program.
pub(super) fn configuration(solver: &str, timeout: WallTime) -> Configuration {
    Configuration {
        name: format!("{solver} (ZaligVinder)"),
        solver: solver.to_owned(),
        family: family(solver),
        version: None,
        program: None,
        program_digest: Digest::of(b""),
        arguments: Vec::new(),
        script_lines: Vec::new(),
        dialect: "unknown".to_owned(),
        seed: None,
        models: true,
        cores: Cores::Never,
        // ZaligVinder had a timeout on the wall and no other limit.
        limits: RunLimits {
            cpu: CpuTime(timeout.0),
            wall: timeout,
            memory: Bytes(u64::MAX),
            output: Bytes(u64::MAX),
        },
        not_asked: vec![
            "imported from ZaligVinder: version, program, options and exit codes are unknown"
                .to_owned(),
        ],
    }
}

/// Its solvers of the two big families have many names; agreement within a family must not count.
fn family(solver: &str) -> String {
    let name = solver.to_lowercase();
    for family in ["cvc", "z3"] {
        if name.starts_with(family) {
            return family.to_owned();
        }
    }
    name
}

/// The run of a result.
pub(super) fn run(result: ZaligvinderResult, model: Option<ModelFinding>) -> Run {
    let verdict = result.satisfiable.map_or(Verdict::Unknown, verdict);
    let class = match verdict {
        _ if result.timed_out => Class::Timeout,
        Verdict::Sat => Class::Sat,
        Verdict::Unsat => Class::Unsat,
        Verdict::Unknown => Class::Unknown,
    };
    let opinions = result.verified.map(|confirmed| Opinion {
        by: "the verifiers of ZaligVinder".to_owned(),
        class: if confirmed { Class::Sat } else { Class::Unsat },
    });
    let answer = RunAnswer {
        verdict,
        class,
        reason_unknown: None,
        model,
        core: None,
        opinions: opinions.into_iter().collect(),
    };
    let silent = result.timed_out && verdict == Verdict::Unknown;
    let mut conversion = vec![
        "imported from ZaligVinder: the verdict is as it was recorded there; exit code and \
         standard error were not recorded; the CPU time is the wall time"
            .to_owned(),
    ];
    if class == Class::Unknown {
        conversion.push("ZaligVinder records crashes and errors as unknown, too".to_owned());
    }
    Run {
        // The caller knows how many there are already.
        repetition: 0,
        started: Timestamp(0),
        ending: if result.timed_out { Ending::TimedOut(Clock::Wall) } else { Ending::Unrecorded },
        class,
        measured: Measured {
            cpu: CpuTime(result.time),
            wall: WallTime(result.time),
            ..Measured::default()
        },
        stdout: Captured { bytes: printed(result.output, &result.model), cut: false },
        stderr: Captured::default(),
        answers: if silent { Vec::new() } else { vec![answer] },
        conversion,
        core: None,
        load: None,
    }
}

/// Usually the model is a part of the output. Where it is not, it is put after it.
fn printed(mut output: Vec<u8>, model: &[u8]) -> Vec<u8> {
    let is_there = model.is_empty() || contains(&output, model);
    if !is_there {
        if output.is_empty() {
            output.extend_from_slice(b"sat");
        }
        if !output.ends_with(b"\n") {
            output.push(b'\n');
        }
        output.extend_from_slice(model);
    }
    output
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// An instance whose file is not there.
pub(super) fn lost_instance(listed: &ListedInstance, (set, track): &TrackNames) -> Instance {
    let ListedInstance { name, file, expected, .. } = listed;
    Instance {
        // Names are used again in other tracks, so the place is part of it.
        digest: Digest::of(format!("ZaligVinder\0{set}\0{track}\0{name}").as_bytes()),
        dialect: "unknown".to_owned(),
        dialect_reason: "imported from ZaligVinder without its file".to_owned(),
        size: Bytes(0),
        queries: vec![Query { status: expected.map(verdict), ..Query::default() }],
        fault: Some(format!("the file {file:?} was not there when results were imported")),
        features: None,
    }
}

pub(super) fn verdict(satisfiable: bool) -> Verdict {
    if satisfiable { Verdict::Sat } else { Verdict::Unsat }
}
