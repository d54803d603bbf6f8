//! Asking a solver about many formulas in few processes.
//!
//! Before each formula stands a mark that the solver is told to `echo`, and an output is cut at
//! the marks, so that a reply that is missing or one too many cannot be taken for the reply to
//! another formula. A process that ends early costs one formula: that one is asked alone, and a
//! new process goes on behind it. As outputs may lose their end when a process dies, the next
//! process gets half as many formulas, until one comes to its end again.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luthier_records::{Class, Verdict};
use luthier_runner::answer;
use luthier_runner::process::Outcome;
use luthier_runner::releases::{Quirks, Separator};

use crate::solver::Mode;
use crate::{HowAsked, Piece, Reply};

/// The words of a mark, before its number.
const MARK: &str = "luthier formula ";

/// Somebody who can be asked: a solver on a bench.
pub trait Respondent {
    /// What it does in its own way.
    fn quirks(&self) -> &Quirks;
    /// Lines that stand before every script, and again after every reset.
    fn lines(&self, mode: Mode) -> Vec<String>;
    /// Reads a script, within this CPU time.
    fn run(&mut self, script: Vec<u8>, mode: Mode, cpu: Duration) -> Outcome;

    /// Puts one query to it in a process of its own. The script lacks only the lines at the top.
    fn ask_alone(&mut self, script: &[u8], mode: Mode, cpu: Duration) -> (Reply, Duration) {
        let mut text = Vec::with_capacity(script.len() + 256);
        for line in self.lines(mode) {
            text.extend_from_slice(line.as_bytes());
            text.push(b'\n');
        }
        text.extend_from_slice(script);
        self.ask_as_it_is(text, mode, cpu)
    }

    /// Puts a script with one query to it, as it is.
    fn ask_as_it_is(&mut self, script: Vec<u8>, mode: Mode, cpu: Duration) -> (Reply, Duration) {
        let outcome = self.run(script, mode, cpu);
        let said = answer::read(&self.quirks().replies(&outcome.stdout.bytes));
        (Reply::of_process(said, &outcome), outcome.measured.cpu.0)
    }
}

/// A formula on its way to a solver, and what is asked after its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The formula.
    pub piece: Piece,
    /// `get-model`, `get-unsat-core` or nothing.
    pub request: Option<answer::Request>,
}

/// How many formulas are asked.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// What stands between two formulas.
    pub separator: Separator,
    /// What processes are told; that there are several queries goes without saying.
    pub mode: Mode,
    /// CPU time for a process, whatever the number of its formulas.
    pub process_limit: Duration,
    /// CPU time that each formula adds.
    pub formula_limit: Duration,
    /// No process is started any more.
    pub stop: &'a AtomicBool,
}

/// What came of many formulas.
#[derive(Clone, Debug)]
pub struct Many {
    /// One for each item; `None`: it was stopped before.
    pub replies: Vec<Option<Reply>>,
    /// CPU time, also of formulas that were asked alone.
    pub cpu: Duration,
    /// How many processes there were.
    pub processes: u64,
}

/// Asks about all items. `alone` asks about the item at a place in a process of its own.
pub fn ask_many<R: Respondent>(
    respondent: &mut R,
    items: &[Item],
    batch: &Batch<'_>,
    alone: &mut dyn FnMut(&mut R, usize) -> (Reply, Duration),
) -> Many {
    let mut many = Many { replies: vec![None; items.len()], cpu: Duration::ZERO, processes: 0 };
    let mut by_logic: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        by_logic.entry(&item.piece.logic).or_default().push(place);
    }
    for places in by_logic.values() {
        let (mut done, mut size) = (0, places.len());
        while done < places.len() && !batch.stop.load(Ordering::Relaxed) {
            let group = &places[done..(done + size).min(places.len())];
            let together: Vec<&Item> = group.iter().map(|&place| &items[place]).collect();
            let Together { replies, rest, cpu } = ask_together(respondent, &together, batch);
            many.cpu += cpu;
            many.processes += 1;
            done += replies.len();
            let next = group.get(replies.len());
            for (&place, reply) in group.iter().zip(replies) {
                many.replies[place] = Some(reply);
            }
            match (rest, next) {
                (Rest::Nothing, _) => size = size.saturating_mul(2).min(places.len()),
                (Rest::NextLost, Some(&place)) => {
                    size = (size / 2).max(1);
                    let (reply, cpu) = alone(respondent, place);
                    many.cpu += cpu;
                    many.processes += 1;
                    many.replies[place] = Some(reply);
                    done += 1;
                }
                (Rest::NextLost | Rest::NotReached, _) => {}
            }
        }
    }
    many
}

/// The script of a batch without marks, for people: what shows only there is shown with it.
pub fn batch_script(
    items: &[&Item],
    separator: Separator,
    quirks: &Quirks,
    lines: &[String],
) -> Vec<u8> {
    Writer { separator, quirks, lines, marks: false }.script(items)
}

/// What came of one process with several formulas.
#[derive(Clone, Debug)]
pub struct Together {
    /// The replies to the first formulas.
    pub replies: Vec<Reply>,
    /// What became of the others.
    pub rest: Rest,
    /// CPU time.
    pub cpu: Duration,
}

/// What became of the formulas to which a process gave no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It replied to all.
    Nothing,
    /// It ended in order before the next formula; another process can go on.
    NotReached,
    /// Its reply to the next formula is lost, so that it has to be asked alone.
    NextLost,
}

/// Puts formulas of one logic into one process.
pub fn ask_together<R: Respondent>(
    respondent: &mut R,
    items: &[&Item],
    batch: &Batch<'_>,
) -> Together {
    let mode = Mode { incremental: true, ..batch.mode };
    let lines = respondent.lines(mode);
    let quirks = respondent.quirks();
    let unknown_spoils = quirks.unknown_spoils;
    let writer = Writer { separator: batch.separator, quirks, lines: &lines, marks: true };
    let script = writer.script(items);
    let each = batch.formula_limit.saturating_mul(u32::try_from(items.len()).unwrap_or(u32::MAX));
    let outcome = respondent.run(script, mode, batch.process_limit.saturating_add(each));
    let mut replies = Vec::with_capacity(items.len());
    let cpu = outcome.measured.cpu.0;
    if outcome.ending.is_our_fault() {
        let cause = outcome.ending.to_string();
        let fault = Reply::without_answer(Class::FrameworkError, cause, HowAsked::Among);
        return Together { replies: vec![fault; items.len()], rest: Rest::Nothing, cpu };
    }
    let output = respondent.quirks().replies(&outcome.stdout.bytes);
    let parts = parts(&output, items.len());
    let mut rest = Rest::Nothing;
    while replies.len() < items.len() {
        let part = parts.get(replies.len());
        let reply = part.and_then(|part| {
            Reply::of_part(answer::read(part.bytes), part.is_complete, &outcome.ending)
        });
        let (Some(part), Some(reply)) = (part, reply) else {
            rest = Rest::NextLost;
            break;
        };
        let is_spoilt = unknown_spoils && reply.verdict() == Some(Verdict::Unknown);
        replies.push(reply);
        if (is_spoilt || !part.is_complete) && replies.len() < items.len() {
            rest = Rest::NotReached;
            break;
        }
    }
    Together { replies, rest, cpu }
}

/// Writes scripts for formulas of one logic.
struct Writer<'a> {
    separator: Separator,
    quirks: &'a Quirks,
    lines: &'a [String],
    /// A mark stands before each formula and at the end.
    marks: bool,
}

impl Writer<'_> {
    fn script(&self, items: &[&Item]) -> Vec<u8> {
        let mut script = Vec::new();
        let logic = items.first().map_or("ALL", |item| &item.piece.logic);
        self.head(logic, &mut script);
        let resets_assertions = self.separator == Separator::ResetAssertions;
        // What is kept over a `(reset-assertions)`.
        let keeps = self.quirks.keeps_declarations && resets_assertions;
        let mut declared: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
        for (number, item) in items.iter().enumerate() {
            let piece = &item.piece;
            // Behind the mark, so that what is said to these lines is attributed to nobody else.
            self.mark(number, &mut script);
            let conflicts = piece
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
            for declaration in &piece.declarations {
                let known =
                    keeps && declared.insert(&declaration.name, &declaration.line).is_some();
                if !known {
                    script.extend_from_slice(&declaration.line);
                }
            }
            script.extend_from_slice(&piece.body);
            script.extend_from_slice(match item.request {
                Some(answer::Request::Model) => b"(get-model)\n",
                Some(answer::Request::Core) => b"(get-unsat-core)\n",
                Some(answer::Request::Value | answer::Request::Other) | None => b"",
            });
            if self.separator == Separator::Scopes {
                let count = piece.scopes.to_close();
                script.extend_from_slice(format!("(pop {count})\n").as_bytes());
            }
        }
        self.mark(items.len(), &mut script);
        script
    }

    fn head(&self, logic: &str, script: &mut Vec<u8>) {
        for line in self.lines {
            script.extend_from_slice(line.as_bytes());
            script.push(b'\n');
        }
        script.extend_from_slice(format!("(set-logic {logic})\n").as_bytes());
    }

    fn mark(&self, number: usize, script: &mut Vec<u8>) {
        if self.marks {
            script.extend_from_slice(format!("(echo \"{MARK}{number}\")\n").as_bytes());
        }
    }
}

/// What a solver said about one of many formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part<'a> {
    bytes: &'a [u8],
    /// The next mark follows it, so the solver had nothing more to say.
    is_complete: bool,
}

/// The parts of an output that follow its marks, as far as it goes.
fn parts(output: &[u8], count: usize) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut start = None;
    let mut position = 0;
    for line in output.split_inclusive(|byte| *byte == b'\n') {
        let begin = position;
        position += line.len();
        if is_mark(line, parts.len() + usize::from(start.is_some())) {
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
fn is_mark(line: &[u8], number: usize) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\"")).unwrap_or(line);
    line.strip_prefix(MARK.as_bytes()) == Some(number.to_string().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(output: &str, count: usize) -> Vec<(&str, bool)> {
        let text = |part: &Part<'_>| {
            let start = part.bytes.as_ptr() as usize - output.as_ptr() as usize;
            (&output[start..start + part.bytes.len()], part.is_complete)
        };
        parts(output.as_bytes(), count).iter().map(text).collect()
    }

    #[test]
    fn outputs_are_cut_at_their_marks_with_and_without_quotes() {
        let output =
            "noise\nluthier formula 0\nunsat\n\"luthier formula 1\"\nsat\nluthier formula 2\n";
        assert_eq!(texts(output, 2), [("unsat\n", true), ("sat\n", true)]);
    }

    #[test]
    fn what_was_not_reached_has_no_part() {
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

    fn item(assertion: &str) -> Item {
        let declaration = |name: &str| crate::Declaration {
            name: name.into(),
            line: format!("(declare-const {name} String)\n").into(),
        };
        let piece = Piece::assertion("QF_S", assertion.as_bytes());
        let piece = Piece { declarations: vec![declaration("x")], ..piece };
        Item { piece, request: Some(answer::Request::Model) }
    }

    #[track_caller]
    fn check(separator: Separator, quirks: &Quirks, expected: &str) {
        let lines = ["(set-option :a true)".to_owned()];
        let (one, two) = (item("a"), item("b"));
        let writer = Writer { separator, quirks, lines: &lines, marks: true };
        let script = String::from_utf8(writer.script(&[&one, &two])).unwrap();
        let between = script.split("formula 1\")\n").nth(1).unwrap();
        let between = between.split("(assert b)").next().unwrap();
        assert_eq!(between, expected, "{script}");
        assert_eq!(script.matches("(get-model)").count(), 2);
        assert_eq!(script.lines().last(), Some("(echo \"luthier formula 2\")"));
    }

    #[test]
    fn what_stands_between_formulas_follows_the_separator_and_the_quirks() {
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
