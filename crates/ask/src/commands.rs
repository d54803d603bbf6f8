//! Commands that print something by themselves, many in few solver processes.
//!
//! `(simplify t)` and the like have a reply that is no verdict, and leave no state behind. So they share
//! a process without separators: one head with options, logic and declarations, and a mark before each
//! command, as between the formulas of a batch. A process that ends early costs one command, which is
//! run again in a process of its own; a new process continues with the commands after it. Each such
//! failure halves the number of commands per process, each complete process doubles it again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use luthier_records::Ending;

use crate::batch::{MARK, Part, mark_line, parts};
use crate::{ProcessMode, ScriptRunner};

/// What a process printed for one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandReply {
    /// Everything that it printed for it, error messages included.
    Printed(Vec<u8>),
    /// Nothing, also in a process of its own: how that process ended.
    Ended(String),
    /// It could not be run because of a fault of ours or of the machine.
    Fault(String),
}

/// The replies to some commands.
#[derive(Clone, Debug, Default)]
pub struct CommandReplies {
    /// One for each command; `None` if it was stopped before.
    pub replies: Vec<Option<CommandReply>>,
    /// The CPU time of all processes.
    pub cpu: Duration,
    /// How many processes there were.
    pub processes: u64,
}

/// The limits of commands.
#[derive(Clone, Copy, Debug)]
pub struct CommandOptions<'a> {
    /// CPU time for a process, whatever the number of its commands.
    pub process_limit: Duration,
    /// CPU time that each command adds.
    pub command_limit: Duration,
    /// CPU time for a command in a process of its own.
    pub alone_limit: Duration,
    /// When it is set, no further process is started.
    pub stop: &'a AtomicBool,
}

/// Runs all commands after a head, which stands in every process after the options of the release.
pub fn ask_commands<R: ScriptRunner>(
    runner: &mut R,
    head: &[u8],
    commands: &[Vec<u8>],
    options: &CommandOptions<'_>,
) -> CommandReplies {
    let mut all = CommandReplies { replies: vec![None; commands.len()], ..Default::default() };
    let (mut done, mut size, mut is_alone) = (0, commands.len(), false);
    while done < commands.len() && !options.stop.load(Ordering::Relaxed) {
        let count = if is_alone { 1 } else { size };
        let together = &commands[done..(done + count).min(commands.len())];
        let each = u32::try_from(together.len()).unwrap_or(u32::MAX);
        let limit = match together.len() {
            1 => options.alone_limit,
            _ => options.process_limit + options.command_limit.saturating_mul(each),
        };
        let (replies, is_lost) = run_together(runner, head, together, limit, &mut all);
        let is_complete = replies.len() == together.len();
        for reply in replies {
            all.replies[done] = Some(reply);
            done += 1;
        }
        if is_lost {
            size = (size / 2).max(1);
        } else if is_complete && !is_alone {
            size = size.saturating_mul(2).min(commands.len());
        }
        is_alone = is_lost;
    }
    all
}

/// The replies of one process to the first commands, and whether the reply to the next one is lost. A
/// process that ends in order after an error has not reached the commands after it.
fn run_together<R: ScriptRunner>(
    runner: &mut R,
    head: &[u8],
    commands: &[Vec<u8>],
    limit: Duration,
    all: &mut CommandReplies,
) -> (Vec<CommandReply>, bool) {
    let mode = ProcessMode::default();
    let mut script = Vec::new();
    for line in runner.preamble(mode) {
        script.extend_from_slice(line.as_bytes());
        script.push(b'\n');
    }
    script.extend_from_slice(head);
    for (number, command) in commands.iter().enumerate() {
        script.extend_from_slice(mark_line(number).as_bytes());
        script.extend_from_slice(command);
        script.push(b'\n');
    }
    script.extend_from_slice(mark_line(commands.len()).as_bytes());
    let outcome = runner.run(script, mode, limit);
    all.cpu += outcome.measured.cpu.0;
    all.processes += 1;
    if outcome.ending.is_our_fault() {
        let fault = CommandReply::Fault(outcome.ending.to_string());
        return (vec![fault; commands.len()], false);
    }
    let output = runner.quirks().replies(&outcome.stdout.bytes);
    let mut replies = Vec::with_capacity(commands.len());
    let mut is_lost = true;
    for part in parts(&output, MARK, commands.len()) {
        // Some solvers end their process after an error, in order.
        let ends_in_order = matches!(outcome.ending, Ending::Exited(_)) && is_error(part);
        if !part.is_complete && !ends_in_order {
            break;
        }
        replies.push(CommandReply::Printed(part.bytes.to_vec()));
        is_lost = part.is_complete;
    }
    if replies.is_empty() && commands.len() == 1 {
        replies.push(CommandReply::Ended(outcome.ending.to_string()));
    }
    let is_lost = is_lost && replies.len() < commands.len();
    (replies, is_lost)
}

fn is_error(part: Part<'_>) -> bool {
    part.bytes.trim_ascii_start().starts_with(b"(error")
}

#[cfg(test)]
mod tests {
    use luthier_records::Measured;
    use luthier_runner::process::{Outcome, Output};
    use luthier_runner::releases::Quirks;

    use super::*;

    /// Prints each line back; some words end it.
    struct Parrot(Quirks);

    impl ScriptRunner for Parrot {
        fn quirks(&self) -> &Quirks {
            &self.0
        }

        fn preamble(&self, _mode: ProcessMode) -> Vec<String> {
            vec!["options".to_owned()]
        }

        fn run(&mut self, script: Vec<u8>, _mode: ProcessMode, _cpu: Duration) -> Outcome {
            let (mut printed, mut ending) = (String::new(), Ending::Exited(0));
            for line in String::from_utf8(script).unwrap().lines() {
                match line {
                    "options" | "head" => {}
                    "crash" => ending = Ending::Signalled(11),
                    "refuse" => {
                        printed.push_str("(error \"refused\")\n");
                        ending = Ending::Exited(1);
                    }
                    _ if line.starts_with("(echo ") => {
                        printed.push_str(line.trim_start_matches("(echo ").trim_end_matches(')'));
                        printed.push('\n');
                    }
                    _ => printed.push_str(&format!("{line}!\n")),
                }
                if ending != Ending::Exited(0) {
                    break;
                }
            }
            let stdout = Output { bytes: printed.into_bytes(), ..Output::default() };
            let (measured, stderr) = (Measured::default(), Output::default());
            Outcome { ending, measured, stdout, stderr }
        }
    }

    #[test]
    fn a_command_that_ends_the_process_hides_no_other() {
        let words = ["a", "crash", "b", "refuse", "c", "d", "crash", "e"];
        let commands: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let second = Duration::from_secs(1);
        let stop = AtomicBool::new(false);
        let options = CommandOptions {
            process_limit: second,
            command_limit: second,
            alone_limit: second,
            stop: &stop,
        };
        let mut parrot = Parrot(Quirks::default());
        let found = ask_commands(&mut parrot, b"head\n", &commands, &options);
        for (word, reply) in words.iter().zip(found.replies) {
            let expected = match *word {
                "crash" => CommandReply::Ended(Ending::Signalled(11).to_string()),
                "refuse" => CommandReply::Printed(b"(error \"refused\")\n".to_vec()),
                _ => CommandReply::Printed(format!("{word}!\n").into_bytes()),
            };
            assert_eq!(reply, Some(expected), "{word}");
        }
        stop.store(true, Ordering::Relaxed);
        let options = CommandOptions { stop: &stop, ..options };
        let stopped = ask_commands(&mut parrot, b"head\n", &commands, &options);
        assert_eq!((stopped.processes, stopped.replies), (0, vec![None; words.len()]));
    }
}
