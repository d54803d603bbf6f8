//! Asking a solver about many facts in one process.
//!
//! Between two facts stands `(reset-assertions)`, so that each is asked as if it were alone.
//! (Between `push` and `pop` Z3 5.4.0 takes ten times as long, since it does not simplify there.)
//! A fact that fails must not hide the others: one that ends the process is asked again alone, and
//! a new process goes on behind it. What a batch says is believed only if it is `unsat` or
//! `unknown` and no error stands before it; everything else is asked again alone.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use luthier_records::{Class, Said, Verdict};
use luthier_runner::answer;
use luthier_runner::process::{self, Command, Limits, Outcome};
use luthier_runner::releases::{Release, Request};
use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::TermPool;

use super::facts::Fact;

/// What a solver thinks of a fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reply {
    /// The negation of the fact is unsatisfiable.
    Agrees,
    /// The negation of the fact is satisfiable, also when it is asked alone.
    Differs,
    /// No answer: what happened, and what the solver said about it.
    Open { class: &'static str, message: String },
}

/// A solver that can be asked.
pub struct Peer<'a> {
    release: &'a Release,
    luthier: &'a Path,
    dialect: Dialect,
    folder: &'a Path,
    limit: Duration,
    arguments: Vec<String>,
}

impl<'a> Peer<'a> {
    /// `folder` is where scripts are written, `limit` the CPU time of one process, `arguments`
    /// are for the solver.
    pub fn new(
        release: &'a Release,
        luthier: &'a Path,
        folder: &'a Path,
        limit: Duration,
        arguments: Vec<String>,
    ) -> Result<Self, Box<dyn Error>> {
        let dialect = release.dialect().parse()?;
        Ok(Self { release, luthier, dialect, folder, limit, arguments })
    }

    /// The name of the release.
    pub fn label(&self) -> String {
        self.release.label()
    }

    /// Asks about all facts; gives a reply for each and the CPU time that it took.
    pub fn ask(&self, pool: &TermPool, facts: &[Fact]) -> (Vec<Reply>, Duration) {
        let mut cpu = Duration::ZERO;
        let mut replies: Vec<Reply> = Vec::new();
        while let Some(rest) = facts.get(replies.len()..).filter(|rest| !rest.is_empty()) {
            let texts: Vec<_> = rest.iter().map(|fact| self.question(pool, fact)).collect();
            // What the dialect cannot say is not asked, and ends the batch.
            let asked: Vec<&[u8]> = texts.iter().map_while(|text| text.as_deref().ok()).collect();
            let said = if asked.is_empty() {
                Said::default()
            } else {
                let (said, outcome) = self.run(&asked);
                cpu += outcome.measured.cpu.0;
                said
            };
            for (answer, text) in said.answers.iter().zip(&asked) {
                let trusted = answer.errors_before.is_empty();
                replies.push(match answer.verdict {
                    Verdict::Unsat if trusted => Reply::Agrees,
                    Verdict::Unknown if trusted => open(Class::Unknown, &said),
                    _ => self.ask_alone(text, &mut cpu),
                });
            }
            // The next one has no answer, if there is a next one.
            match texts.get(said.answers.len().min(asked.len())) {
                Some(Ok(text)) => replies.push(self.ask_alone(text, &mut cpu)),
                Some(Err(reply)) => replies.push(reply.clone()),
                None => {}
            }
        }
        (replies, cpu)
    }

    /// The text of the negated fact, or the reply if the dialect has no words for it.
    fn question(&self, pool: &TermPool, fact: &Fact) -> Result<Vec<u8>, Reply> {
        let options = PrintOptions::new(self.dialect);
        let printed = print_term(pool, fact.negation, &options);
        printed
            .map(|printed| printed.bytes)
            .map_err(|error| Reply::Open { class: "not expressible", message: error.to_string() })
    }

    fn ask_alone(&self, text: &[u8], cpu: &mut Duration) -> Reply {
        let (said, outcome) = self.run(&[text]);
        *cpu += outcome.measured.cpu.0;
        match Class::of_query(&said, 0, &outcome.ending) {
            Class::Unsat => Reply::Agrees,
            Class::Sat => Reply::Differs,
            class => match open(class, &said) {
                Reply::Open { class, message }
                    if message.is_empty() && class != Class::Unknown.name() =>
                {
                    Reply::Open { class, message: outcome.ending.to_string() }
                }
                reply => reply,
            },
        }
    }

    /// Runs the solver on the questions, in their order.
    fn run(&self, questions: &[&[u8]]) -> (Said, Outcome) {
        let file = self.script_file();
        let outcome = self.try_run(questions, &file).unwrap_or_else(|error| Outcome {
            ending: luthier_records::Ending::NotStarted(error.to_string()),
            measured: Default::default(),
            stdout: Default::default(),
            stderr: Default::default(),
        });
        // A script that is not there any more is no harm.
        let _ = std::fs::remove_file(&file);
        (answer::read(&outcome.stdout.bytes), outcome)
    }

    fn try_run(&self, questions: &[&[u8]], file: &Path) -> Result<Outcome, Box<dyn Error>> {
        let request = Request {
            incremental: questions.len() > 1,
            arguments: self.arguments.clone(),
            ..Request::default()
        };
        let invocation = self.release.invocation(self.luthier, file, &request)?;
        let mut script = Vec::new();
        for line in &invocation.script {
            script.extend_from_slice(line.as_bytes());
            script.push(b'\n');
        }
        script.extend_from_slice(b"(set-logic ALL)\n");
        for (number, question) in questions.iter().enumerate() {
            if number > 0 {
                script.extend_from_slice(b"(reset-assertions)\n");
            }
            script.extend_from_slice(b"(assert ");
            script.extend_from_slice(question);
            script.extend_from_slice(b")\n(check-sat)\n");
        }
        std::fs::write(file, script)?;
        let command = Command::new(&invocation.program).arguments(&invocation.arguments);
        Ok(process::run(&command, &Limits::with_cpu(self.limit), None))
    }

    /// A file for each thread.
    fn script_file(&self) -> PathBuf {
        let thread = format!("{:?}", std::thread::current().id());
        let digits: String = thread.chars().filter(char::is_ascii_digit).collect();
        self.folder.join(format!("{digits}.smt2"))
    }
}

/// A reply without an answer, with the first error that was printed.
fn open(class: Class, said: &Said) -> Reply {
    let errors = said.answers.iter().flat_map(|answer| &answer.errors_before);
    let error = match class {
        // Errors about other facts of the batch are no reason.
        Class::Unknown => None,
        _ => errors.chain(&said.errors).next(),
    };
    let message = error.map(|error| without_position(&error.to_string())).unwrap_or_default();
    Reply::Open { class: class.name(), message }
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
        let limit = Duration::from_secs(10);
        let peer = Peer::new(&release, &releases.luthier, folder.path(), limit, vec![]).unwrap();

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
