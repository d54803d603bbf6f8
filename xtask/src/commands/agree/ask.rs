//! Decides the negated facts with a solver: in batches, and in a process of its own where a batch is
//! not conclusive.
//!
//! The separator between facts is the cheapest for the release: between `push` and `pop` Z3
//! 5.4.0 takes ten times as long, since it does not simplify there. From a batch only `unsat` and
//! `unknown` are accepted; everything else is decided again alone.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luthier_ask::{
    AskedIn, BatchFormula, BatchItem, BatchOptions, ProcessMode, RunEnvironment, ScriptRunner,
    Solver, SolverRunner, ask_batch,
};
use luthier_records::Class;
use luthier_runner::process::Limits;
use luthier_smtlib::{PrintOptions, print_term};
use luthier_terms::TermPool;

use super::facts::Fact;

/// The reply of a solver to a fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reply {
    /// The negation of the fact is unsatisfiable.
    Agrees,
    /// The negation of the fact is satisfiable, also in a process of its own.
    Differs,
    /// No answer: the class of the outcome, and the message of the solver.
    Open { class: &'static str, message: String },
}

/// A solver to compare with: `folder` is where it runs, `limit` the CPU time of one process.
pub struct Peer<'a> {
    pub solver: &'a Solver,
    pub folder: &'a Path,
    pub limit: Duration,
}

impl Peer<'_> {
    /// Decides all facts; returns a reply for each and the CPU time that it took.
    pub fn ask(&self, pool: &TermPool, facts: &[Fact]) -> (Vec<Reply>, Duration) {
        let options = PrintOptions::new(self.solver.dialect);
        let mut replies = Vec::new();
        let (mut places, mut items) = (Vec::new(), Vec::new());
        for (place, fact) in facts.iter().enumerate() {
            replies.push(match print_term(pool, fact.negation, &options) {
                Ok(printed) => {
                    places.push(place);
                    let formula = BatchFormula::assertion("ALL", &printed.bytes);
                    items.push(BatchItem { formula, request: None, values: Vec::new() });
                    Reply::Agrees
                }
                Err(error) => Reply::Open { class: "not expressible", message: error.to_string() },
            });
        }
        let limits = Limits::with_cpu(self.limit);
        let environment = RunEnvironment { folder: self.folder, core: None, limits, stop: None };
        let mut runner = SolverRunner { solver: self.solver, environment };
        let batch = BatchOptions {
            separator: self.solver.quirks.separator,
            mode: ProcessMode::default(),
            process_limit: self.limit,
            formula_limit: Duration::ZERO,
            first_size: usize::MAX,
            stop: &AtomicBool::new(false),
        };
        let mut alone = |runner: &mut SolverRunner<'_>, place: usize| {
            let item: &BatchItem = &items[place];
            let script = [b"(set-logic ALL)\n", &item.formula.body[..]].concat();
            runner.ask_alone(&script, ProcessMode::default(), self.limit)
        };
        let many = ask_batch(&mut runner, &items, &batch, &mut alone);
        let mut cpu = many.cpu;
        for (number, reply) in many.replies.into_iter().flatten().enumerate() {
            let is_final = reply.asked_in == AskedIn::OwnProcess
                || matches!(reply.class, Class::Unsat | Class::Unknown);
            let reply = if is_final {
                reply
            } else {
                let (reply, used) = alone(&mut runner, number);
                cpu += used;
                reply
            };
            replies[places[number]] = match reply.class {
                Class::Unsat => Reply::Agrees,
                Class::Sat => Reply::Differs,
                class => {
                    let message = without_position(&reply.detail);
                    Reply::Open { class: class.name(), message }
                }
            };
        }
        (replies, cpu)
    }
}

/// A message on one line, without the position that Z3 puts before it, so that equal causes have
/// equal messages.
fn without_position(message: &str) -> String {
    let text = match message.split_once(": ") {
        Some((position, text)) if position.starts_with("line ") => text,
        _ => message,
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use luthier_runner::releases::{Cache, Catalogue, Releases};
    use luthier_terms::{Op, SmtString};

    use super::super::facts::fact;
    use super::*;

    /// A solver that goes by the words in the assertions.
    const SOLVER: &str = r#"#!/bin/sh
for file; do :; done
[ "$file" = --version ] && echo "Z3 version 5.4.0" && exit
while read -r line; do
    case "$line" in
        *assert*crash*) kill -SEGV $$ ;;
        *assert*refuse*) echo '(error "refused")'; exit 1 ;;
        *assert*skip*) echo '(error "line 3 column 4: skipped")'; answer=sat ;;
        *assert*wrong*) answer=sat ;;
        *assert*hard*) answer=unknown ;;
        *assert*) answer=unsat ;;
        '(check-sat)') echo "$answer" ;;
        '(echo '*) text=${line#(echo \"}; echo "${text%\")}" ;;
    esac
done < "$file"
"#;

    fn open(class: &'static str, message: &str) -> Reply {
        Reply::Open { class, message: message.to_owned() }
    }

    #[test]
    fn a_fact_that_goes_wrong_does_not_hide_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("solver");
        fs::write(&program, SOLVER).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let releases = Releases {
            catalogue: Catalogue::built_in().unwrap(),
            cache: Cache::at(folder.path().join("cache")),
            luthier: "luthier".into(),
        };
        let name = format!("z3={}", program.display()).parse().unwrap();
        let release = releases.resolve(&name).unwrap();
        let solver = Solver::new(release, vec![], vec![], None, &releases.luthier).unwrap();
        let limit = Duration::from_secs(10);
        let peer = Peer { solver: &solver, folder: folder.path(), limit };

        let expected = [
            ("good", Reply::Agrees),
            ("crash", open("crash", "signal 11 (SIGSEGV)")),
            ("fine", Reply::Agrees),
            ("skip", open("unsupported", "skipped")),
            ("wrong", Reply::Differs),
            ("hard", open("unknown", "")),
            ("refuse", open("unsupported", "refused")),
            ("crash again", open("crash", "signal 11 (SIGSEGV)")),
            ("last", Reply::Agrees),
        ];
        let mut pool = TermPool::new();
        let mut facts = Vec::new();
        for (word, _) in &expected {
            let text = pool.string(SmtString::from_text(word).unwrap()).unwrap();
            let term = pool.op(Op::StrLen, &[text]).unwrap();
            facts.push(fact(&mut pool, term).unwrap().unwrap());
        }
        let (replies, _) = peer.ask(&pool, &facts);
        assert_eq!(replies, expected.map(|(_, reply)| reply));
    }

    #[test]
    fn messages_lose_their_position_only() {
        assert_eq!(without_position("line 3 column 4: a: b\n c"), "a: b c");
        assert_eq!(without_position("Parse Error: no"), "Parse Error: no");
    }
}
