//! Asking a solver about many formulas in few processes.
//!
//! Before each formula stands a mark that the solver is told to `echo`, and an output is cut at
//! the marks, so that a reply that is missing or one too many cannot be taken for the reply to
//! another formula. A process that ends early costs one formula: that one is asked alone, and a
//! new process goes on behind it. As outputs may lose their end when a process dies, the next
//! process gets half as many formulas, until one comes to its end again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luthier_records::{Answer, Class, Ending, Said, Text, Verdict};
use luthier_runner::answer;
use luthier_runner::process::Outcome;

use crate::question::{Piece, Question};
use crate::style::{
    Manner, Style, forgives_needless_requests, is_spoilt_by_unknown, keeps_declarations,
};
use crate::target::{Asking, Target};

/// The words of a mark, before its number.
const MARK: &str = "luthier formula ";

/// What a solver said about a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The hunt ended before it was asked.
    NotAsked,
    /// Its dialect has no words for the formula.
    Inexpressible,
    /// A verdict, without any error before it.
    Said { verdict: Verdict, model: Option<Text>, core: Option<Vec<Text>>, alone: bool },
    /// It reports an error.
    Unsupported,
    /// Its process came to a bad end, asked about this formula alone.
    Crashed(String),
    /// It came to no answer within the limits, asked about this formula alone.
    Slow,
    /// The set-up or the machine failed.
    Fault(String),
}

/// Where and how long solvers may run.
#[derive(Clone, Copy)]
pub(crate) struct Bench<'a> {
    pub folder: &'a Path,
    /// CPU time for a formula that is asked alone.
    pub timeout: Duration,
    /// The time after which a solver is to give up a formula of a batch.
    pub query_limit: Duration,
    /// The hunt is to end.
    pub stop: &'a AtomicBool,
}

/// What came of a batch.
pub(crate) struct Asked {
    /// One for each question.
    pub replies: Vec<Reply>,
    /// The CPU time of the solver.
    pub cpu: Duration,
    pub processes: u64,
}

/// How long a process with many formulas may take: so many limits of one formula, and some time for
/// each that is no matter. A process that is ended by it goes on in another one.
const PROCESS_LIMIT: u32 = 10;
const EASY: Duration = Duration::from_millis(5);
/// The same where every formula begins anew, which is slow in old releases.
const EASY_BUT_ANEW: Duration = Duration::from_millis(20);

/// Asks a solver about all questions.
pub(crate) fn ask(
    target: &Target,
    questions: &mut [Question],
    manner: Manner,
    bench: &Bench<'_>,
) -> Asked {
    let mut replies = vec![Reply::NotAsked; questions.len()];
    // Formulas of one logic share a process. Those of which a core is asked have their own, and so
    // have those with scopes or definitions of their own: behind a `(reset)`, which they need, cvc5
    // does not forget declarations at a `(reset-assertions)`.
    let mut groups: BTreeMap<(Share, String), Vec<Item>> = BTreeMap::new();
    let forgiving = forgives_needless_requests(target.dialect);
    for (index, question) in questions.iter().enumerate() {
        let core = manner.cores.is_some() && question.planted_core().is_some();
        let Some(piece) = question.piece(target.dialect, core) else {
            replies[index] = Reply::Inexpressible;
            continue;
        };
        let is_planted_unsat = question.planted_core().is_some();
        let request = match () {
            () if core => Request::Core,
            () if question.is_planted_sat() => Request::Model,
            () if forgiving && !is_planted_unsat => Request::Model,
            () => Request::Nothing,
        };
        let share = match () {
            () if core => Share::Cores,
            () if piece.is_involved => Share::Involved,
            () => Share::Plain,
        };
        let key = (share, piece.logic.clone());
        groups.entry(key).or_default().push(Item { index, piece, request });
    }
    let style = manner.style;
    let (cpu, processes) = (Duration::ZERO, 0);
    let mut session = Session { target, style, cores: false, bench, cpu, processes };
    let mut again: Vec<(Style, Vec<Item>)> = Vec::new();
    for ((share, _), items) in groups {
        session.cores = share == Share::Cores;
        session.style = match (share, manner.style) {
            (Share::Cores, style) => manner.cores.unwrap_or(style),
            (Share::Involved, Style::ResetAssertions) => Style::Reset,
            (_, style) => style,
        };
        session.ask_all(&items, questions, &mut replies);
        // A model of an answer that nobody knew is asked for when it is known that there is one.
        let open = items.into_iter().filter(|item| {
            let said_sat = matches!(
                replies[item.index],
                Reply::Said { verdict: Verdict::Sat, model: None, .. }
            );
            said_sat && item.request == Request::Nothing
        });
        let open: Vec<Item> = open.map(|item| Item { request: Request::Model, ..item }).collect();
        if !open.is_empty() {
            again.push((session.style, open));
        }
    }
    for (style, items) in &again {
        (session.cores, session.style) = (false, *style);
        let mut second = vec![Reply::NotAsked; questions.len()];
        session.ask_all(items, questions, &mut second);
        for item in items {
            // What it said first stays said; a model may come in addition.
            if let Reply::Said { verdict: Verdict::Sat, model, .. } = &mut second[item.index]
                && let Reply::Said { model: first, .. } = &mut replies[item.index]
            {
                *first = model.take();
            }
        }
    }
    Asked { replies, cpu: session.cpu, processes: session.processes }
}

/// Asks a solver about one question in a process of its own.
pub(crate) fn ask_alone(
    target: &Target,
    question: &mut Question,
    cores: bool,
    bench: &Bench<'_>,
) -> (Reply, Duration) {
    let asking = Asking { cores, ..Asking::default() };
    let lines = target.script_lines(asking);
    let Some(copy) = question.alone(target.dialect, cores, &lines) else {
        return (Reply::Inexpressible, Duration::ZERO);
    };
    let outcome = target.run(copy, asking, bench.timeout, bench.folder);
    (reply_alone(&outcome), outcome.measured.cpu.0)
}

/// What a process with one formula says.
pub(crate) fn reply_alone(outcome: &Outcome) -> Reply {
    let said = answer::read(&outcome.stdout.bytes);
    match Class::of(&said, 1, &outcome.ending) {
        Class::Sat | Class::Unsat | Class::Unknown => match said.answers.into_iter().next() {
            Some(answer) => said_reply(answer, true),
            None => Reply::Unsupported,
        },
        // It said something first, which is still said.
        Class::Timeout | Class::Memout => Reply::Slow,
        Class::Unsupported => match said.errors.iter().find(|error| is_internal(error)) {
            Some(error) => Reply::Crashed(one_line(&error.to_string())),
            None => Reply::Unsupported,
        },
        Class::Crash => Reply::Crashed(crash_message(outcome)),
        Class::Malformed => Reply::Crashed("it prints no answer".to_owned()),
        Class::FrameworkError => Reply::Fault(outcome.ending.to_string()),
    }
}

/// Which formulas share a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    Plain,
    Involved,
    Cores,
}

/// A formula on its way to a solver.
struct Item {
    /// The place of the question.
    index: usize,
    piece: Piece,
    request: Request,
}

/// What is asked after the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Nothing,
    Model,
    Core,
}

struct Session<'a> {
    target: &'a Target,
    style: Style,
    cores: bool,
    bench: &'a Bench<'a>,
    cpu: Duration,
    processes: u64,
}

impl Session<'_> {
    /// Asks about items of one logic.
    fn ask_all(&mut self, items: &[Item], questions: &mut [Question], replies: &mut [Reply]) {
        let mut done = 0;
        let mut size = items.len();
        while done < items.len() && !self.bench.stop.load(Ordering::Relaxed) {
            let rest = &items[done..];
            let group = &rest[..size.clamp(1, rest.len())];
            let came = self.ask_group(group, replies);
            done += came.replied;
            match came.trouble {
                None => size = size.saturating_mul(2),
                // It was told what to do with this one, and does not go on behind it.
                Some(Trouble::Ended) => {}
                Some(Trouble::Lost) => {
                    size = (size / 2).max(1);
                    let item = &group[came.replied];
                    let cores = item.request == Request::Core;
                    let question = &mut questions[item.index];
                    let (reply, cpu) = ask_alone(self.target, question, cores, self.bench);
                    self.cpu += cpu;
                    self.processes += 1;
                    replies[item.index] = reply;
                    done += 1;
                }
            }
        }
    }

    /// Puts a group into one process and says how many got a reply.
    fn ask_group(&mut self, group: &[Item], replies: &mut [Reply]) -> Came {
        let asking = Asking {
            cores: self.cores,
            incremental: true,
            query_limit: Some(self.bench.query_limit),
        };
        let lines = self.target.script_lines(asking);
        let script = script(group, self.style, &lines, keeps_declarations(self.target.dialect));
        let easy = if self.style == Style::Reset { EASY_BUT_ANEW } else { EASY };
        let easy = easy.saturating_mul(u32::try_from(group.len()).unwrap_or(u32::MAX));
        let limit = self.bench.query_limit.saturating_mul(PROCESS_LIMIT).saturating_add(easy);
        let outcome = self.target.run(script, asking, limit, self.bench.folder);
        self.cpu += outcome.measured.cpu.0;
        self.processes += 1;
        if outcome.ending.is_our_fault() {
            for item in group {
                replies[item.index] = Reply::Fault(outcome.ending.to_string());
            }
            return Came { replied: group.len(), trouble: None };
        }
        let parts = parts(&outcome.stdout.bytes, group.len());
        for (position, item) in group.iter().enumerate() {
            let lost = Came { replied: position, trouble: Some(Trouble::Lost) };
            let Some(part) = parts.get(position) else { return lost };
            let said = answer::read(part.bytes);
            let is_last = position + 1 == group.len();
            match reply_of(said, part.is_complete, &outcome.ending) {
                Some(reply) => {
                    let spoilt = is_spoilt_by_unknown(self.target.dialect)
                        && matches!(reply, Reply::Said { verdict: Verdict::Unknown, .. });
                    replies[item.index] = reply;
                    if (spoilt || !part.is_complete) && !is_last {
                        return Came { replied: position + 1, trouble: Some(Trouble::Ended) };
                    }
                }
                None => return lost,
            }
        }
        Came { replied: group.len(), trouble: None }
    }
}

/// How far a process came.
struct Came {
    replied: usize,
    /// Why it did not reply to the next one.
    trouble: Option<Trouble>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trouble {
    /// It ended in order; another one goes on.
    Ended,
    /// Nobody knows what it has to say about the next one.
    Lost,
}

/// What one of many formulas got for an answer; `None` if it has to be asked alone.
fn reply_of(said: Said, is_complete: bool, ending: &Ending) -> Option<Reply> {
    let ended_in_order = matches!(ending, Ending::Exited(0 | 1)) && !said.unfinished;
    if !is_complete && !ended_in_order {
        return None;
    }
    let errors = || said.answers.iter().flat_map(|one| &one.errors_before).chain(&said.errors);
    if errors().any(is_internal) {
        return None;
    }
    if errors().next().is_some() {
        return Some(Reply::Unsupported);
    }
    let mut answers = said.answers.into_iter();
    match (answers.next(), answers.next()) {
        (Some(answer), None) => Some(said_reply(answer, false)),
        _ => None,
    }
}

fn said_reply(answer: Answer, alone: bool) -> Reply {
    Reply::Said { verdict: answer.verdict, model: answer.model, core: answer.core, alone }
}

/// The script for a group of one logic. A mark stands before each formula and at the end.
fn script(group: &[Item], style: Style, lines: &[String], keeps_declarations: bool) -> Vec<u8> {
    let mut script = Vec::new();
    let logic = group.first().map_or("ALL", |item| &item.piece.logic);
    let head = |script: &mut Vec<u8>| {
        for line in lines {
            script.extend_from_slice(line.as_bytes());
            script.push(b'\n');
        }
        script.extend_from_slice(format!("(set-logic {logic})\n").as_bytes());
    };
    head(&mut script);
    // What is kept over a `(reset-assertions)`.
    let keeps = keeps_declarations && style == Style::ResetAssertions;
    let mut declared: BTreeMap<&[u8], &[u8]> = BTreeMap::new();
    for (number, item) in group.iter().enumerate() {
        let piece = &item.piece;
        let conflicts = piece.declarations.iter().any(|declaration| {
            declared.get(&*declaration.name).is_some_and(|line| **line != *declaration.line)
        });
        let reset = match style {
            Style::Reset => true,
            Style::ResetAssertions => conflicts,
            Style::Scopes => false,
        };
        // Behind the mark, so that what is said to these lines is booked on nobody else.
        script.extend_from_slice(format!("(echo \"{MARK}{number}\")\n").as_bytes());
        if number > 0 && reset {
            script.extend_from_slice(b"(reset)\n");
            head(&mut script);
            declared.clear();
        } else if number > 0 && style == Style::ResetAssertions {
            script.extend_from_slice(b"(reset-assertions)\n");
        }
        if style == Style::Scopes {
            script.extend_from_slice(b"(push 1)\n");
        }
        for declaration in &piece.declarations {
            let known = keeps && declared.insert(&declaration.name, &declaration.line).is_some();
            if !known {
                script.extend_from_slice(&declaration.line);
            }
        }
        script.extend_from_slice(&piece.body);
        script.extend_from_slice(match item.request {
            Request::Nothing => b"",
            Request::Model => b"(get-model)\n",
            Request::Core => b"(get-unsat-core)\n",
        });
        if style == Style::Scopes {
            script.extend_from_slice(format!("(pop {})\n", piece.scopes.to_close()).as_bytes());
        }
    }
    script.extend_from_slice(format!("(echo \"{MARK}{}\")\n", group.len()).as_bytes());
    script
}

/// What a solver said about one of many formulas.
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

/// Words with which solvers report faults of their own as if they were errors of the script.
const INTERNAL: [&str; 5] =
    ["internal error", "assertion violation", "unreachable", "unexpected code", "fatal failure"];

fn is_internal(message: &Text) -> bool {
    let message = message.to_string().to_lowercase();
    INTERNAL.iter().any(|word| message.contains(word))
}

fn crash_message(outcome: &Outcome) -> String {
    let talk = String::from_utf8_lossy(&outcome.stderr.bytes);
    let line = talk.lines().map(str::trim).find(|line| !line.is_empty());
    match line {
        Some(line) => format!("{}: {}", outcome.ending, one_line(line)),
        None => outcome.ending.to_string(),
    }
}

/// Not too long, and without control characters.
fn one_line(text: &str) -> String {
    let clean = |character: char| if character.is_control() { ' ' } else { character };
    text.chars().map(clean).take(200).collect()
}
