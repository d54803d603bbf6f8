//! Batches: many formulas in few solver processes.
//!
//! A batch is one script in which a separator (`(reset)`, `(reset-assertions)`, or `push` and `pop`)
//! stands between two formulas. Before each formula the script has `(echo "luthier formula N")`, and
//! the output is split at these marks, so that a missing or extra reply to one formula cannot be
//! attributed to another.
//!
//! A process that ends early costs one formula: that formula is asked again in a process of its own,
//! and a new process continues with the formulas after it. Since a dying process may lose the end of
//! its output, each such failure halves the number of formulas per process, and each process that
//! replies to all of its formulas doubles it again. The caller may go on with that number in the next
//! batch.
//!
//! With `push` and `pop` between formulas, an error may leave a wrong assertion stack behind: if Z3 4.8.9
//! cancels a `push`, it asserts the formula at the bottom, where it stays after the `pop` and makes later
//! formulas unsatisfiable without a further error. So a new process continues after every error that no
//! request for output explains.
//!
//! Where a solver keeps declarations over a `(reset-assertions)`, a name that is declared again in another
//! way needs a full reset, which costs as much as several queries. So formulas that agree about the names
//! that they share come one after the other.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luthier_records::{Class, Ending, ParsedOutput, Text, Verdict};
use luthier_runner::answer;
use luthier_runner::process::Outcome;
use luthier_runner::releases::{Quirks, Separator};

use crate::solver::ProcessMode;
use crate::{AskedIn, BatchFormula, Reply};

/// The text of a mark, before its number.
pub(crate) const MARK: &str = "luthier formula ";

/// Runs scripts: a solver in an environment, or a simulated solver in tests.
pub trait ScriptRunner {
    /// Where it deviates from the standard.
    fn quirks(&self) -> &Quirks;
    /// Commands before every script, and again after every reset.
    fn preamble(&self, mode: ProcessMode) -> Vec<String>;
    /// Runs a script, within this CPU time.
    fn run(&mut self, script: Vec<u8>, mode: ProcessMode, cpu: Duration) -> Outcome;

    /// Runs a script with one query in a process of its own, after the preamble.
    fn ask_alone(&mut self, script: &[u8], mode: ProcessMode, cpu: Duration) -> (Reply, Duration) {
        let mut text = Vec::with_capacity(script.len() + 256);
        for line in self.preamble(mode) {
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        text.extend_from_slice(script);
        self.ask_verbatim(text, mode, cpu)
    }

    /// Runs a script with one query as it is; it has its preamble already.
    fn ask_verbatim(
        &mut self,
        script: Vec<u8>,
        mode: ProcessMode,
        cpu: Duration,
    ) -> (Reply, Duration) {
        let outcome = self.run(script, mode, cpu);
        let said = answer::read(&self.quirks().replies(&outcome.stdout.bytes));
        (Reply::of_process(said, &outcome), outcome.measured.cpu.0)
    }
}

/// A formula of a batch, and the request after its `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchItem {
    /// The formula.
    pub formula: BatchFormula,
    /// `get-model`, `get-unsat-core` or nothing.
    pub request: Option<answer::Request>,
    /// A `get-value` command on a line of its own, after the request; empty for none.
    pub values: Vec<u8>,
}

/// How a batch is run.
#[derive(Clone, Copy, Debug)]
pub struct BatchOptions<'a> {
    /// What stands between two formulas.
    pub separator: Separator,
    /// The mode of the processes; `incremental` is always set.
    pub mode: ProcessMode,
    /// CPU time for a process, whatever the number of its formulas.
    pub process_limit: Duration,
    /// CPU time that each formula adds.
    pub formula_limit: Duration,
    /// Formulas in the first process at most.
    pub first_size: usize,
    /// When it is set, no further process is started.
    pub stop: &'a AtomicBool,
}

/// What one process was given and what it printed, to examine afterwards.
#[derive(Clone, Debug)]
pub struct Transcript {
    /// Its standard input.
    pub script: Vec<u8>,
    /// Its standard output.
    pub output: Vec<u8>,
    /// How it ended.
    pub ending: Ending,
    /// Its mode, from which the command line follows.
    pub mode: ProcessMode,
    /// Its limit.
    pub cpu_limit: Duration,
}

impl Transcript {
    pub(crate) fn new(
        script: Vec<u8>,
        outcome: &Outcome,
        mode: ProcessMode,
        cpu_limit: Duration,
    ) -> Self {
        let (output, ending) = (outcome.stdout.bytes.clone(), outcome.ending.clone());
        Self { script, output, ending, mode, cpu_limit }
    }
}

/// The replies to a batch.
#[derive(Clone, Debug)]
pub struct BatchReplies {
    /// One for each item; `None` if the batch was stopped before.
    pub replies: Vec<Option<Reply>>,
    /// CPU time, that of formulas asked alone included.
    pub cpu: Duration,
    /// How many processes there were.
    pub processes: u64,
    /// How many formulas the next process should get, as the processes of this batch went.
    pub size: usize,
    /// The processes with several formulas, with the indices of the items that they were asked about.
    pub transcripts: Vec<(Vec<usize>, Transcript)>,
}

/// Asks about all items. `alone` asks about the item at an index in a process of its own.
pub fn ask_batch<R: ScriptRunner>(
    runner: &mut R,
    items: &[BatchItem],
    batch: &BatchOptions<'_>,
    alone: &mut dyn FnMut(&mut R, usize) -> (Reply, Duration),
) -> BatchReplies {
    let mut batch_replies = BatchReplies {
        replies: vec![None; items.len()],
        cpu: Duration::ZERO,
        processes: 0,
        size: batch.first_size.max(1),
        transcripts: Vec::new(),
    };
    let mut by_logic: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        by_logic.entry(&item.formula.logic).or_default().push(place);
    }
    let keeps_declarations =
        runner.quirks().keeps_declarations && batch.separator == Separator::ResetAssertions;
    let mut size = batch_replies.size;
    for places in by_logic.into_values() {
        let places = match keeps_declarations {
            true => in_agreement(&places, items),
            false => places,
        };
        let mut done = 0;
        while done < places.len() && !batch.stop.load(Ordering::Relaxed) {
            let group = &places[done..done.saturating_add(size).min(places.len())];
            let together: Vec<&BatchItem> = group.iter().map(|&place| &items[place]).collect();
            let ProcessReplies { replies, unanswered, cpu, transcript } =
                ask_in_one_process(runner, &together, batch);
            batch_replies.transcripts.push((group.to_vec(), transcript));
            batch_replies.cpu += cpu;
            batch_replies.processes += 1;
            done += replies.len();
            let next = group.get(replies.len());
            for (&place, reply) in group.iter().zip(replies) {
                batch_replies.replies[place] = Some(reply);
            }
            match (unanswered, next) {
                // A process that had fewer formulas than it could have says nothing about more.
                (Unanswered::None, _) if group.len() == size => size = size.saturating_mul(2),
                (Unanswered::None, _) => {}
                (Unanswered::ReplyLost, Some(&place)) => {
                    size = (size / 2).max(1);
                    let (reply, cpu) = alone(runner, place);
                    batch_replies.cpu += cpu;
                    batch_replies.processes += 1;
                    batch_replies.replies[place] = Some(reply);
                    done += 1;
                }
                (Unanswered::ReplyLost | Unanswered::NotReached, _) => {}
            }
        }
    }
    batch_replies.size = size;
    batch_replies
}

/// The places of items in an order in which those that declare a name differently are apart: the first
/// run has all that agree with the items before them, the next run the first of the others, and so on.
fn in_agreement(places: &[usize], items: &[BatchItem]) -> Vec<usize> {
    #[derive(Default)]
    struct Run<'a> {
        declared: BTreeMap<&'a [u8], &'a [u8]>,
        places: Vec<usize>,
    }
    let mut runs: Vec<Run<'_>> = Vec::new();
    for &place in places {
        let declarations = &items[place].formula.declarations;
        let agrees = |run: &Run<'_>| {
            let mut known =
                declarations.iter().map(|one| (run.declared.get(&*one.name), &one.line));
            known.all(|(known, line)| known.is_none_or(|known| **known == **line))
        };
        let run = match runs.iter().position(agrees) {
            Some(run) => run,
            None => {
                runs.push(Run::default());
                runs.len() - 1
            }
        };
        runs[run].declared.extend(declarations.iter().map(|one| (&*one.name, &*one.line)));
        runs[run].places.push(place);
    }
    runs.into_iter().flat_map(|run| run.places).collect()
}

/// The script of a batch without marks, for people: it reproduces what occurs only in a batch.
pub fn batch_script(
    items: &[&BatchItem],
    separator: Separator,
    quirks: &Quirks,
    preamble: &[String],
) -> Vec<u8> {
    Writer { separator, quirks, preamble, marks: false }.script(items)
}

/// The replies of one process to several formulas.
#[derive(Clone, Debug)]
pub struct ProcessReplies {
    /// The replies to the first formulas.
    pub replies: Vec<Reply>,
    /// Why the other formulas have no reply.
    pub unanswered: Unanswered,
    /// CPU time.
    pub cpu: Duration,
    /// What it was given and what it printed.
    pub transcript: Transcript,
}

/// Why the formulas after the replies have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// There are none: the process replied to all.
    None,
    /// The process ended in order before the next formula; another process can continue.
    NotReached,
    /// The reply to the next formula is lost or ambiguous, so that it has to be asked alone.
    ReplyLost,
}

/// Asks about formulas of one logic in one process.
pub fn ask_in_one_process<R: ScriptRunner>(
    runner: &mut R,
    items: &[&BatchItem],
    batch: &BatchOptions<'_>,
) -> ProcessReplies {
    let mode = ProcessMode { incremental: true, ..batch.mode };
    let preamble = runner.preamble(mode);
    let quirks = runner.quirks();
    let unknown_spoils = quirks.unknown_spoils;
    let writer = Writer { separator: batch.separator, quirks, preamble: &preamble, marks: true };
    let script = writer.script(items);
    let each = batch.formula_limit.saturating_mul(u32::try_from(items.len()).unwrap_or(u32::MAX));
    let cpu_limit = batch.process_limit.saturating_add(each);
    let outcome = runner.run(script.clone(), mode, cpu_limit);
    let mut replies = Vec::with_capacity(items.len());
    let cpu = outcome.measured.cpu.0;
    let transcript = Transcript::new(script, &outcome, mode, cpu_limit);
    if outcome.ending.is_our_fault() {
        let cause = outcome.ending.to_string();
        let fault = Reply::without_answer(Class::FrameworkError, cause, AskedIn::Batch);
        return ProcessReplies {
            replies: vec![fault; items.len()],
            unanswered: Unanswered::None,
            cpu,
            transcript,
        };
    }
    let output = runner.quirks().replies(&outcome.stdout.bytes);
    let parts = parts(&output, MARK, items.len());
    let mut unanswered = Unanswered::None;
    while replies.len() < items.len() {
        let part = parts.get(replies.len());
        let said = part.map(|part| answer::read(part.bytes));
        let has_wrong_stack = batch.separator == Separator::Scopes
            && said.as_ref().is_some_and(|said| may_leave_levels(said, items[replies.len()]));
        let reply = part
            .zip(said)
            .and_then(|(part, said)| Reply::of_part(said, part.is_complete, &outcome.ending));
        let (Some(part), Some(reply)) = (part, reply) else {
            unanswered = Unanswered::ReplyLost;
            break;
        };
        let state_is_spoilt =
            has_wrong_stack || unknown_spoils && reply.verdict() == Some(Verdict::Unknown);
        replies.push(reply);
        if (state_is_spoilt || !part.is_complete) && replies.len() < items.len() {
            unanswered = Unanswered::NotReached;
            break;
        }
    }
    ProcessReplies { replies, unanswered, cpu, transcript }
}

/// Whether the output for a formula between `push` and `pop` has an error that may be about these two:
/// one before the verdict, or more after it than there were requests for output.
fn may_leave_levels(said: &ParsedOutput, item: &BatchItem) -> bool {
    let requests = usize::from(item.request.is_some()) + usize::from(!item.values.is_empty());
    let is_about_levels = |error: &Text| {
        let error = error.to_string();
        ["cancel", "push", "pop"].iter().any(|word| error.contains(word))
    };
    !said.errors.is_empty()
        || said.answers.iter().any(|answer| {
            !answer.errors_before.is_empty()
                || answer.errors_after.len() > requests
                || answer.errors_after.iter().any(is_about_levels)
        })
}

/// Writes scripts for formulas of one logic.
struct Writer<'a> {
    separator: Separator,
    quirks: &'a Quirks,
    preamble: &'a [String],
    /// Write a mark before each formula and at the end.
    marks: bool,
}

impl Writer<'_> {
    fn script(&self, items: &[&BatchItem]) -> Vec<u8> {
        let mut script = Vec::new();
        let logic = items.first().map_or("ALL", |item| &item.formula.logic);
        self.head(logic, &mut script);
        let resets_assertions = self.separator == Separator::ResetAssertions;
        // What is kept over a `(reset-assertions)`.
        let keeps = self.quirks.keeps_declarations && resets_assertions;
        let mut declared: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
        for (number, item) in items.iter().enumerate() {
            let formula = &item.formula;
            // After the mark, so that errors in these commands are attributed to this formula.
            self.mark(number, &mut script);
            let conflicts = formula
                .declarations
                .iter()
                .any(|one| declared.get(&*one.name).is_some_and(|line| **line != *one.line));
            let resets = self.separator == Separator::Reset || resets_assertions && conflicts;
            if number > 0 && resets {
                script.extend_from_slice(self.quirks.reset.as_bytes());
                script.push(b'\n');
                self.head(logic, &mut script);
                declared.clear();
            } else if number > 0 && resets_assertions {
                script.extend_from_slice(b"(reset-assertions)\n");
            }
            if self.separator == Separator::Scopes {
                script.extend_from_slice(b"(push 1)\n");
            }
            for declaration in &formula.declarations {
                let known =
                    keeps && declared.insert(&declaration.name, &declaration.line).is_some();
                if !known {
                    script.extend_from_slice(&declaration.line);
                }
            }
            script.extend_from_slice(&formula.body);
            script.extend_from_slice(match item.request {
                Some(answer::Request::Model) => b"(get-model)\n",
                Some(answer::Request::Core) => b"(get-unsat-core)\n",
                Some(answer::Request::Value | answer::Request::Other) | None => b"",
            });
            script.extend_from_slice(&item.values);
            if self.separator == Separator::Scopes {
                let count = formula.scopes.to_close();
                script.extend_from_slice(format!("(pop {count})\n").as_bytes());
            }
        }
        self.mark(items.len(), &mut script);
        script
    }

    fn head(&self, logic: &str, script: &mut Vec<u8>) {
        for line in self.preamble {
            script.extend_from_slice(line.as_bytes());
            script.push(b'\n');
        }
        script.extend_from_slice(format!("(set-logic {logic})\n").as_bytes());
    }

    fn mark(&self, number: usize, script: &mut Vec<u8>) {
        if self.marks {
            script.extend_from_slice(mark_line(number).as_bytes());
        }
    }
}

/// The command that prints a mark.
pub(crate) fn mark_line(number: usize) -> String {
    format!("(echo \"{MARK}{number}\")\n")
}

/// The output for one formula of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub bytes: &'a [u8],
    /// The next mark follows it, so that nothing is missing at its end.
    pub is_complete: bool,
}

/// The output after each mark, in order. A mark out of order is ordinary output.
pub(crate) fn parts<'a>(output: &'a [u8], mark: &str, count: usize) -> Vec<Part<'a>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut start = None;
    let mut position = 0;
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let begin = position;
        position += line.len();
        if is_mark(line, mark, parts.len() + usize::from(start.is_some())) {
            if let Some(start) = start {
                parts.push(Part { bytes: &output[start..begin], is_complete: true });
            }
            start = Some(position);
        }
    }
    if let Some(start) = start
        && parts.len() < count
    {
        parts.push(Part { bytes: &output[start..], is_complete: false });
    }
    parts
}

/// Some solvers print the text of an `echo` with its quotation marks, some without.
fn is_mark(line: &[u8], mark: &str, number: usize) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    line.strip_prefix(mark.as_bytes()) == Some(number.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(output: &str, count: usize) -> Vec<(&str, bool)> {
        let text = |part: &Part<'_>| {
            let start = part.bytes.as_ptr() as usize - output.as_ptr() as usize;
            (&output[start..start + part.bytes.len()], part.is_complete)
        };
        parts(output.as_bytes(), MARK, count).iter().map(text).collect()
    }

    #[test]
    fn outputs_are_cut_at_their_marks_with_and_without_quotes() {
        let output =
            "noise\nluthier formula 0\nunsat\n\"luthier formula 1\"\nsat\nluthier formula 2\n";
        assert_eq!(texts(output, 2), [("unsat\n", true), ("sat\n", true)]);
    }

    #[test]
    fn formulas_that_were_not_reached_have_no_output() {
        let output = "luthier formula 0\nunsat\nluthier formula 1\n(error \"x\")";
        assert_eq!(texts(output, 3), [("unsat\n", true), ("(error \"x\")", false)]);
        assert_eq!(texts("unsat\nunsat\n", 2), []);
        assert_eq!(texts("", 1), []);
    }

    #[test]
    fn a_mark_out_of_order_is_no_mark() {
        let output = "luthier formula 0\nluthier formula 2\nluthier formula 1\n";
        assert_eq!(texts(output, 2), [("luthier formula 2\n", true), ("", false)]);
    }

    fn item(assertion: &str) -> BatchItem {
        let declaration = |name: &str| crate::Declaration {
            name: name.into(),
            line: format!("(declare-const {name} String)\n").into(),
        };
        let formula = BatchFormula::assertion("QF_S", assertion.as_bytes());
        let formula = BatchFormula { declarations: vec![declaration("x")], ..formula };
        BatchItem { formula, request: Some(answer::Request::Model), values: Vec::new() }
    }

    #[track_caller]
    fn check(separator: Separator, quirks: &Quirks, expected: &str) {
        let preamble = ["(set-option :a true)".to_owned()];
        let (one, two) = (item("a"), item("b"));
        let writer = Writer { separator, quirks, preamble: &preamble, marks: true };
        let script = String::from_utf8(writer.script(&[&one, &two])).unwrap();
        let between = script.split("formula 1\")\n").nth(1).unwrap();
        let between = between.split("(assert b)").next().unwrap();
        assert_eq!(between, expected, "{script}");
        assert_eq!(script.matches("(get-model)").count(), 2);
        assert_eq!(script.lines().last(), Some("(echo \"luthier formula 2\")"));
    }

    /// Answers `sat`, but for the assertion `canceled`, at which its `push` is canceled, and `open`, of which
    /// it has no model.
    struct Canceling(Quirks);

    impl ScriptRunner for Canceling {
        fn quirks(&self) -> &Quirks {
            &self.0
        }

        fn preamble(&self, _mode: ProcessMode) -> Vec<String> {
            Vec::new()
        }

        fn run(&mut self, script: Vec<u8>, _mode: ProcessMode, _cpu: Duration) -> Outcome {
            let (mut printed, mut assertion) = (String::new(), String::new());
            for line in String::from_utf8(script).unwrap().lines() {
                if let Some(mark) = line.strip_prefix("(echo ") {
                    printed.push_str(mark.trim_end_matches(')'));
                    printed.push('\n');
                } else if line.starts_with("(assert") {
                    assertion = line.to_owned();
                    if assertion.contains("canceled") {
                        printed.push_str("(error \"push canceled\")\n");
                    }
                } else if line == "(check-sat)" {
                    printed.push_str("sat\n");
                } else if line == "(get-model)" && assertion.contains("open") {
                    printed.push_str("(error \"model is not available\")\n");
                }
            }
            let mut outcome = crate::not_started(Ending::Exited(0));
            outcome.stdout.bytes = printed.into_bytes();
            outcome
        }
    }

    #[test]
    fn nothing_is_asked_in_a_process_after_an_error_between_push_and_pop() {
        let items = ["a", "open", "b", "canceled", "c"].map(item);
        let second = Duration::from_secs(1);
        let stop = AtomicBool::new(false);
        let asked = |separator| {
            let batch = BatchOptions {
                separator,
                mode: ProcessMode::default(),
                process_limit: second,
                formula_limit: second,
                first_size: usize::MAX,
                stop: &stop,
            };
            let mut alone = |_: &mut Canceling, _| unreachable!("no reply is lost");
            ask_batch(&mut Canceling(Quirks::default()), &items, &batch, &mut alone)
        };
        let scoped = asked(Separator::Scopes);
        assert_eq!(scoped.processes, 2);
        let classes: Vec<Class> = scoped.replies.iter().flatten().map(|one| one.class).collect();
        let expected = [Class::Sat, Class::Sat, Class::Sat, Class::Unsupported, Class::Sat];
        assert_eq!(classes, expected);
        let (places, transcript) = &scoped.transcripts[1];
        assert_eq!(*places, [4]);
        assert!(!String::from_utf8_lossy(&transcript.script).contains("canceled"));
        // A reset takes the error back.
        assert_eq!(asked(Separator::Reset).processes, 1);
    }

    #[test]
    fn formulas_that_declare_a_name_in_the_same_way_come_together() {
        let with = |declared: &[(&str, &str)]| {
            let declaration = |(name, sort): &(&str, &str)| crate::Declaration {
                name: (*name).into(),
                line: format!("(declare-const {name} {sort})\n").into(),
            };
            let declarations = declared.iter().map(declaration).collect();
            let formula = BatchFormula::assertion("QF_S", b"true");
            let formula = BatchFormula { declarations, ..formula };
            BatchItem { formula, request: None, values: Vec::new() }
        };
        let items = [
            with(&[("x", "String")]),
            with(&[("x", "Int")]),
            with(&[("y", "Int")]),
            with(&[("x", "String"), ("y", "String")]),
            with(&[]),
            with(&[("x", "Int"), ("y", "String")]),
        ];
        let order = in_agreement(&[0, 1, 2, 3, 4, 5], &items);
        assert_eq!(order, [0, 2, 4, 1, 5, 3]);
        // So two full resets are left, where the order as it was given needs three.
        let quirks = Quirks { keeps_declarations: true, ..Quirks::default() };
        let resets = |order: &[usize]| {
            let (separator, quirks) = (Separator::ResetAssertions, &quirks);
            let writer = Writer { separator, quirks, preamble: &[], marks: true };
            let items: Vec<&BatchItem> = order.iter().map(|&place| &items[place]).collect();
            String::from_utf8(writer.script(&items)).unwrap().matches("(reset)").count()
        };
        assert_eq!((resets(&[0, 1, 2, 3, 4, 5]), resets(&order)), (3, 2));
    }

    #[test]
    fn the_text_between_formulas_follows_the_separator_and_the_quirks() {
        let usual = Quirks::default();
        let again = "(set-option :a true)\n(set-logic QF_S)\n(declare-const x String)\n";
        check(Separator::Reset, &usual, &format!("(reset)\n{again}"));
        let other = Quirks { reset: "(restart)".to_owned(), ..Quirks::default() };
        check(Separator::Reset, &other, &format!("(restart)\n{again}"));
        let assertions = "(reset-assertions)\n(declare-const x String)\n";
        check(Separator::ResetAssertions, &usual, assertions);
        let keeps = Quirks { keeps_declarations: true, ..Quirks::default() };
        check(Separator::ResetAssertions, &keeps, "(reset-assertions)\n");
        check(Separator::Scopes, &usual, "(push 1)\n(declare-const x String)\n");
    }
}
