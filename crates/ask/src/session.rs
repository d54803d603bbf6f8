//! Sessions: scripts with several queries, many of them in few processes.
//!
//! Sessions are separated by the reset command of the release, each with a mark before it as in a batch,
//! and each query has a mark of its own, so that a reply belongs to one query of one session:
//!
//! ```text
//! (echo "luthier formula 0")  (echo "luthier query 0")  (assert …)  (check-sat)  (get-model)
//!                             (echo "luthier query 1")  (push 1) …  (check-sat)
//! (echo "luthier formula 1")  (reset) …
//! ```
//!
//! A session ends at the first error that the process prints, whatever it is about: what follows may be
//! about another assertion stack (Z3 leaves a wrong one after `(error "push canceled")`), so replies
//! behind an error count for nothing. The reset before the next session takes the error back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use luthier_records::{Answer, Ending, Text};
use luthier_runner::answer;
use luthier_runner::process::Outcome;

use crate::batch::{BatchOptions, MARK, ScriptRunner, Transcript, parts};
use crate::solver::ProcessMode;

/// The mark before a query, before its number.
const QUERY_MARK: &str = "luthier query ";

/// A session as a solver gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionScript {
    /// Options of its own and the logic, each on a line.
    pub head: Vec<u8>,
    /// For each query the commands since the one before, the query and its requests.
    pub queries: Vec<Vec<u8>>,
}

/// The reply to one query of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryReply {
    /// The verdict and what was printed with it.
    pub answer: Answer,
    /// All lists that were printed for the query, in order.
    pub lists: Vec<Text>,
}

/// How a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// All queries have a reply.
    Complete,
    /// The process printed this error; replies behind it are not counted.
    Error(String),
    /// The process ended so, or its output is ambiguous.
    Lost(Ending),
    /// The process could not be run because of the set-up or the machine.
    Fault(String),
}

/// The replies to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionReply {
    /// The replies to the first queries.
    pub queries: Vec<QueryReply>,
    /// Why there are no more.
    pub end: SessionEnd,
}

/// The replies to several sessions.
#[derive(Clone, Debug)]
pub struct SessionReplies {
    /// One for each session; `None` if it was stopped before.
    pub replies: Vec<Option<SessionReply>>,
    /// CPU time.
    pub cpu: Duration,
    /// How many processes there were.
    pub processes: u64,
    /// The processes, with the indices of the sessions that they were asked.
    pub transcripts: Vec<(Vec<usize>, Transcript)>,
}

impl SessionScript {
    /// The text for a process of its own; `preamble` are the options of the solver. Without marks it is
    /// for people.
    pub fn text(&self, preamble: &[String], marks: bool) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(preamble, marks, &mut text);
        text
    }

    fn write(&self, preamble: &[String], marks: bool, text: &mut Vec<u8>) {
        // The first mark stands before the options, so that an error in them ends the session.
        if marks {
            mark(QUERY_MARK, 0, text);
        }
        for line in preamble {
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        text.extend_from_slice(&self.head);
        for (number, query) in self.queries.iter().enumerate() {
            text.extend_from_slice(query);
            if marks {
                mark(QUERY_MARK, number + 1, text);
            }
        }
    }
}

/// Asks about all sessions. A process that ends early costs the session at which it happened.
pub fn ask_sessions<R: ScriptRunner>(
    runner: &mut R,
    sessions: &[&SessionScript],
    batch: &BatchOptions<'_>,
) -> SessionReplies {
    let mut all = SessionReplies {
        replies: vec![None; sessions.len()],
        cpu: Duration::ZERO,
        processes: 0,
        transcripts: Vec::new(),
    };
    let mode = ProcessMode { incremental: true, ..batch.mode };
    let preamble = runner.preamble(mode);
    let mut done = 0;
    while done < sessions.len() && !batch.stop.load(Ordering::Relaxed) {
        let rest = &sessions[done..];
        let mut script = Vec::new();
        for (number, session) in rest.iter().enumerate() {
            mark(MARK, number, &mut script);
            if number > 0 {
                script.extend_from_slice(runner.quirks().reset.as_bytes());
                script.push(b'\n');
            }
            session.write(&preamble, true, &mut script);
        }
        mark(MARK, rest.len(), &mut script);
        let queries: usize = rest.iter().map(|session| session.queries.len()).sum();
        let each = batch.formula_limit.saturating_mul(u32::try_from(queries).unwrap_or(u32::MAX));
        let cpu_limit = batch.process_limit.saturating_add(each);
        let outcome = runner.run(script.clone(), mode, cpu_limit);
        let transcript = Transcript::new(script, &outcome, mode, cpu_limit);
        all.transcripts.push(((done..sessions.len()).collect(), transcript));
        all.cpu += outcome.measured.cpu.0;
        all.processes += 1;
        if outcome.ending.is_our_fault() {
            let fault = SessionEnd::Fault(outcome.ending.to_string());
            for reply in &mut all.replies[done..] {
                *reply = Some(SessionReply { queries: Vec::new(), end: fault.clone() });
            }
            break;
        }
        let output = runner.quirks().replies(&outcome.stdout.bytes);
        let mut answered = 0;
        for (part, session) in parts(&output, MARK, rest.len()).iter().zip(rest) {
            let reply = reply_of_part(part.bytes, session, part.is_complete, &outcome);
            all.replies[done + answered] = Some(reply);
            answered += 1;
        }
        if answered == 0 {
            let end = SessionEnd::Lost(outcome.ending.clone());
            all.replies[done] = Some(SessionReply { queries: Vec::new(), end });
            answered = 1;
        }
        done += answered;
    }
    all
}

/// Asks about one session in a process of its own; `text` is its [`SessionScript::text`] with marks.
pub fn ask_session_alone<R: ScriptRunner>(
    runner: &mut R,
    session: &SessionScript,
    text: Vec<u8>,
    mode: ProcessMode,
    cpu: Duration,
) -> SessionReply {
    let outcome = runner.run(text, mode, cpu);
    if outcome.ending.is_our_fault() {
        let end = SessionEnd::Fault(outcome.ending.to_string());
        return SessionReply { queries: Vec::new(), end };
    }
    let output = runner.quirks().replies(&outcome.stdout.bytes);
    reply_of_part(&output, session, false, &outcome)
}

/// The replies in the output for one session. `is_complete`: another session follows it.
fn reply_of_part(
    output: &[u8],
    session: &SessionScript,
    is_complete: bool,
    outcome: &Outcome,
) -> SessionReply {
    let mut queries = Vec::new();
    let found = parts(output, QUERY_MARK, session.queries.len());
    // The reset before it failed, so that not even the first mark was printed.
    if found.is_empty() && is_complete {
        let said = answer::read(output);
        let error = said.errors.first().map_or("prints no answer".to_owned(), Text::to_string);
        return SessionReply { queries, end: SessionEnd::Error(error) };
    }
    for part in &found {
        let said = answer::read(part.bytes);
        let errors = said.answers.iter().flat_map(|one| &one.errors_before).chain(&said.errors);
        let before = errors.chain(&said.option_errors).next().map(Text::to_string);
        if let Some(error) = before {
            return SessionReply { queries, end: SessionEnd::Error(error) };
        }
        let mut answers = said.answers.into_iter();
        let (Some(answer), None) = (answers.next(), answers.next()) else { break };
        if !part.is_complete {
            // Its end may be cut off; the verdict itself is a whole line.
            break;
        }
        let after = answer.errors_after.first().map(Text::to_string);
        // An error in the place of a requested list is none: nothing was said.
        let lists = answer::lists(part.bytes).into_iter();
        let lists = lists.filter(|list| !list.starts_with(b"(error")).map(Text::from).collect();
        queries.push(QueryReply { answer, lists });
        if let Some(error) = after {
            return SessionReply { queries, end: SessionEnd::Error(error) };
        }
    }
    let end = match queries.len() == session.queries.len() {
        true => SessionEnd::Complete,
        false => SessionEnd::Lost(outcome.ending.clone()),
    };
    SessionReply { queries, end }
}

fn mark(mark: &str, number: usize, script: &mut Vec<u8>) {
    script.extend_from_slice(format!("(echo \"{mark}{number}\")\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use luthier_records::{Ending, Verdict};

    use super::*;
    use crate::not_started;

    fn session() -> SessionScript {
        SessionScript {
            head: b"(set-logic QF_S)\n".to_vec(),
            queries: vec![b"(check-sat)\n".to_vec(), b"(push 1)\n(check-sat)\n".to_vec()],
        }
    }

    fn reply(output: &str, is_complete: bool) -> SessionReply {
        let outcome = not_started(Ending::Exited(0));
        reply_of_part(output.as_bytes(), &session(), is_complete, &outcome)
    }

    fn verdicts(reply: &SessionReply) -> Vec<Verdict> {
        reply.queries.iter().map(|query| query.answer.verdict).collect()
    }

    #[test]
    fn a_script_has_a_mark_before_each_query_and_at_the_end() {
        let text = String::from_utf8(session().text(&["(set-option :a b)".to_owned()], true));
        let expected = "(echo \"luthier query 0\")\n(set-option :a b)\n(set-logic QF_S)\n(check-sat)\n\
            (echo \"luthier query 1\")\n(push 1)\n(check-sat)\n(echo \"luthier query 2\")\n";
        assert_eq!(text.unwrap(), expected);
    }

    #[test]
    fn each_query_has_its_own_reply() {
        let output = "luthier query 0\nsat\n(\n  (define-fun x () String \"\"))\nluthier query 1\n\
            unsat\n(a)\nluthier query 2\n";
        let reply = reply(output, false);
        assert_eq!(verdicts(&reply), [Verdict::Sat, Verdict::Unsat]);
        assert_eq!(reply.end, SessionEnd::Complete);
        assert!(reply.queries[0].answer.model.is_some());
        assert_eq!(reply.queries[1].lists, [Text::from("(a)")]);
    }

    #[test]
    fn a_session_ends_at_the_first_error() {
        let output = "luthier query 0\nsat\nluthier query 1\n(error \"push canceled\")\nsat\n\
            luthier query 2\n";
        let told = reply(output, true);
        assert_eq!(verdicts(&told), [Verdict::Sat]);
        assert_eq!(told.end, SessionEnd::Error("push canceled".to_owned()));
        // An error after the verdict, at a request: the verdict counts, nothing behind it does.
        let output = "luthier query 0\nunsat\n(error \"no model\")\nluthier query 1\nsat\n\
            luthier query 2\n";
        let told = reply(output, true);
        assert_eq!(verdicts(&told), [Verdict::Unsat]);
        assert_eq!(told.end, SessionEnd::Error("no model".to_owned()));
        assert!(told.queries[0].lists.is_empty(), "the error is no list of assumptions");
    }

    #[test]
    fn what_is_cut_off_is_lost() {
        let told = reply("luthier query 0\nsat\nluthier query 1\nuns", false);
        assert_eq!(verdicts(&told), [Verdict::Sat]);
        assert!(matches!(told.end, SessionEnd::Lost(_)));
        assert!(matches!(reply("", false).end, SessionEnd::Lost(_)));
        assert!(matches!(reply("(error \"logic\")", true).end, SessionEnd::Error(_)));
    }
}
