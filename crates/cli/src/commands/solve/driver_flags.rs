//! Flags of other solvers that drivers pass without asking: accepted, so that `luthier solve` can
//! stand where Z3 or cvc5 is called.
//!
//! Those that say what is the case anyway (read standard input, SMT-LIB 2, several queries, models
//! and cores on request) are dropped. Limits of time and memory are ours by another name. A flag
//! that is not listed here is refused as before: it may want something that we do not do.

use std::ffi::OsString;

/// Flags without a meaning here.
const DROPPED: [&str; 17] = [
    "-in",
    "-smt2",
    "-i",
    "-q",
    "-m",
    "--lang=smt2",
    "--lang=smt2.6",
    "--lang=smtlib2.6",
    "-Lsmt2",
    "--incremental",
    "--interactive",
    "--no-interactive",
    "--quiet",
    "--produce-models",
    "--produce-unsat-cores",
    "--produce-unsat-assumptions",
    "--strings-exp",
];

/// Flags whose value is the next argument.
const DROPPED_WITH_VALUE: [&str; 2] = ["--lang", "-L"];

/// Flags that are a limit of ours: how they begin, what that is called here, and its unit.
const LIMITS: [(&str, &str, &str); 3] = [
    ("-t:", "--timeout=", "ms"),
    ("--tlimit-per=", "--timeout=", "ms"),
    ("-memory:", "--memory=", "MB"),
];

/// The command line in our own flags.
pub fn translated(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let arguments: Vec<OsString> = arguments.collect();
    // Some drivers put their flags before all other arguments.
    let is_flag = |argument: &&OsString| {
        argument.to_str().is_some_and(|argument| DROPPED.contains(&argument))
    };
    if arguments.iter().skip(1).find(|one| !is_flag(one)).is_none_or(|command| command != "solve") {
        return arguments;
    }
    let mut kept = Vec::with_capacity(arguments.len());
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let Some(text) = argument.to_str() else {
            kept.push(argument);
            continue;
        };
        if DROPPED_WITH_VALUE.contains(&text) {
            match rest.next() {
                Some(value) if value.to_str().is_some_and(|value| value.starts_with("smt")) => {}
                // Another language is refused, by the name of its flag.
                value => {
                    kept.push(argument);
                    kept.extend(value);
                }
            }
        } else if let Some(limit) = limit(text) {
            kept.push(limit.into());
        } else if !DROPPED.contains(&text) {
            kept.push(argument);
        }
    }
    kept
}

fn limit(text: &str) -> Option<String> {
    LIMITS.iter().find_map(|(flag, ours, unit)| {
        let number = text.strip_prefix(flag)?;
        Some(format!("{ours}{number}{unit}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let words = text.split(' ').map(OsString::from);
        translated(words).into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn flags_of_drivers_are_dropped_or_translated() {
        assert_eq!(words("luthier solve -in -smt2"), ["luthier", "solve"]);
        assert_eq!(words("luthier -in -smt2 solve"), ["luthier", "solve"]);
        let cvc5 = "luthier solve --lang smt2 --incremental --tlimit-per=500 -";
        assert_eq!(words(cvc5), ["luthier", "solve", "--timeout=500ms", "-"]);
        assert_eq!(
            words("luthier solve -memory:100 a"),
            ["luthier", "solve", "--memory=100MB", "a"]
        );
    }

    #[test]
    fn other_commands_and_other_flags_stay() {
        assert_eq!(words("luthier run -in"), ["luthier", "run", "-in"]);
        assert_eq!(words("luthier solve --lang tptp"), ["luthier", "solve", "--lang", "tptp"]);
        assert_eq!(words("luthier solve --stats"), ["luthier", "solve", "--stats"]);
    }
}
