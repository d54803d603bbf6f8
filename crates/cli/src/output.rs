//! The only module that prints: results to standard output, messages to standard error.
//!
//! A closed pipe on standard output is no error: what is written from then on is
//! dropped, and the command still ends with the exit code that its result has.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use signal_hook::consts::SIGXFSZ;

use crate::args::{Color, Common};
use crate::error::{CliError, Ending};
use crate::text::{clean_line, clean_name, clean_text};

const REPORT: &str = "this is a fault of luthier, not of your input; please report it with the \
                      command line, the input and the lines above";

const FILE_SIZE_HINT: &str = "a file would have grown beyond the limit that your shell or batch \
                              system sets (ulimit -f); raise it, and the same command goes on";

/// The kernel refused to let a file grow.
static FILE_SIZE_LIMIT: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// From now on a file that would grow beyond `RLIMIT_FSIZE` is an error like a full disk. The
/// kernel sends a signal, which ends a process without a handler silently.
pub fn survive_file_size_limits() {
    // Without the handler all is as it was.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::clone(&FILE_SIZE_LIMIT));
}

/// Where a command prints.
pub struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
    /// Nobody reads standard output any more.
    closed: bool,
    /// Lines are for programs and keep every character.
    exact: bool,
    /// Results are wanted as JSON.
    pub json: bool,
    /// Colours for standard output.
    pub paint: Paint,
    /// Colours for standard error.
    pub stderr_paint: Paint,
}

impl Output {
    /// Output as the command line wants it.
    pub fn new(common: Common) -> Self {
        let choice = match common.color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        choice.write_global();
        Self {
            paint: Paint { colors: AutoStream::choice(&io::stdout()) != ColorChoice::Never },
            stderr_paint: Paint { colors: AutoStream::choice(&io::stderr()) != ColorChoice::Never },
            json: common.json,
            exact: common.json,
            stdout: BufWriter::with_capacity(1 << 16, io::stdout().lock()),
            closed: false,
        }
    }

    /// Whether nobody reads standard output any more.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Data as it is.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        if self.closed {
            return Ok(());
        }
        let result = self.stdout.write_all(bytes);
        self.written(result)
    }

    /// Data as it is for a program or a file, and without anything that commands a terminal if one
    /// shows it.
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        if self.json || !io::stdout().is_terminal() {
            return self.bytes(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = clean_line(&text, false).into_owned();
        self.bytes(text.as_bytes())
    }

    /// From now on lines keep every character, unless a terminal shows them: another program
    /// reads them, to which `\u{202e}` is another name.
    pub fn keep_every_character(&mut self) {
        self.exact |= !io::stdout().is_terminal();
    }

    /// A line of results.
    pub fn line(&mut self, line: impl Display) -> Result<(), CliError> {
        self.text(&format!("{line}\n"))
    }

    /// Lines of results.
    pub fn text(&mut self, text: &str) -> Result<(), CliError> {
        if self.exact {
            return self.bytes(text.as_bytes());
        }
        let text = clean_line(text, self.paint.colors).into_owned();
        self.bytes(text.as_bytes())
    }

    /// A result as JSON, on one line.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<(), CliError> {
        match serde_json::to_vec(value) {
            Ok(mut text) => {
                text.push(b'\n');
                self.bytes(&text)
            }
            Err(error) => Err(CliError::Bug { message: format!("no JSON for a result: {error}") }),
        }
    }

    /// Writes what is still in the buffer.
    pub fn flush(&mut self) -> Result<(), CliError> {
        if self.closed {
            return Ok(());
        }
        let result = self.stdout.flush();
        self.written(result)
    }

    /// A message on standard error.
    pub fn message(&self, text: impl Display) {
        let text = format!("{text}\n");
        write_to_stderr(&clean_line(&text, self.stderr_paint.colors));
    }

    /// A warning: the command continues.
    pub fn warn(&self, message: &str) {
        let warning = self.stderr_paint.warning("warning:");
        self.message(format_args!("luthier: {warning} {}", indented(message)));
    }

    /// The error that ended the command, or that of a file that could not be read.
    pub fn report_error(&self, error: &CliError) {
        let paint = self.stderr_paint;
        let word = paint.error("error:");
        self.message(format_args!("luthier: {word} {}", indented(&error.to_string())));
        match error {
            CliError::Expected { hint: Some(hint), .. } => {
                self.message(format_args!("{} {}", paint.bold("hint:"), indented(hint)));
            }
            CliError::Expected { .. } => {}
            CliError::Bug { .. } => self.message(format_args!("{} {REPORT}", paint.bold("hint:"))),
        }
        if FILE_SIZE_LIMIT.load(Ordering::Relaxed) {
            self.message(format_args!("{} {FILE_SIZE_HINT}", paint.bold("hint:")));
        }
    }

    fn written(&mut self, result: io::Result<()>) -> Result<(), CliError> {
        match result {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => {
                // Whatever is still in the buffer cannot be written either.
                self.closed = true;
                Err(CliError::usage(format!("cannot write to standard output: {error}"))
                    .with_hint("is the disk full, or the output closed?"))
            }
        }
    }
}

/// A message whose further lines cannot be taken for messages of their own: a name in it may have
/// a line feed.
fn indented(message: &str) -> String {
    clean_text(message).replace('\n', "\n  ")
}

/// Whether a line on standard error can be overwritten.
pub fn can_show_progress() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How wide the terminal is, if standard output is one.
pub fn terminal_width() -> Option<usize> {
    let stdout = io::stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok());
    size.flatten().map(|size| usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// How wide the terminal is at which standard error is shown.
pub fn progress_width() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|width| *width > 0)
}

/// Shows a line that the next one replaces; an empty one only removes it.
pub fn progress(line: &str) {
    write_to_stderr(&format!("\r\x1b[K{}", clean_name(line)));
}

/// Both streams as they are, for a command that speaks for another program.
pub fn raw() -> (impl io::Write, impl io::Write) {
    (io::stdout(), io::stderr())
}

/// Prints the help, the version, or what is wrong with the command line.
pub fn usage(error: &clap::Error) -> Ending {
    if error.use_stderr() {
        // What is wrong is quoted, and a shell may have put it there: `luthier lint *`.
        let (text, colors) = (error.render(), AutoStream::choice(&io::stderr()));
        let colors = colors != ColorChoice::Never;
        let text = if colors { text.ansi().to_string() } else { text.to_string() };
        write_to_stderr(&clean_line(&text, colors));
        return Ending::Usage;
    }
    // There is nobody left to tell if this fails.
    let _ = error.print();
    Ending::Fine
}

/// The name of threads that answer requests. A panic in one of them is reported and ends only the
/// answer: a server that fails at one page still has all others.
pub const SERVER_THREAD: &str = "luthier-pages";

/// From now on a panic, in any thread but those of a server, ends the program as a fault of its own.
#[allow(clippy::exit, reason = "a program that is wrong must not go on in other threads")]
pub fn report_panics() {
    std::panic::set_hook(Box::new(|information| {
        write_to_stderr(&panic_text(information));
        if std::thread::current().name() != Some(SERVER_THREAD) {
            std::process::exit(i32::from(Ending::Bug.code()));
        }
    }));
}

/// Ends the program as the signal would have ended it, whatever other threads do, and all its
/// arithmetic solvers before.
#[allow(clippy::exit, reason = "a thread that is stuck must not keep the program")]
pub fn end_by_signal(signal: i32) -> ! {
    luthier_solver::arithmetic::end_processes();
    // It returns only if the signal is none that ends a program.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    std::process::exit(128 + signal)
}

fn panic_text(information: &std::panic::PanicHookInfo<'_>) -> String {
    let place = information.location().map_or_else(String::new, |place| format!(" at {place}"));
    let what = information.payload_as_str().unwrap_or("no message");
    let backtrace = std::backtrace::Backtrace::capture();
    let mut text = format!("luthier: bug{place}: {}\n", clean_text(what));
    if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
        text.push_str(&format!("{backtrace}\n"));
    } else {
        text.push_str("note: RUST_BACKTRACE=1 shows a backtrace\n");
    }
    format!("{text}hint: {REPORT}\n")
}

/// There is nobody left to tell if this fails.
fn write_to_stderr(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
    let _ = stderr.flush();
}

/// Puts text in colour, or does not.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    colors: bool,
}

impl Paint {
    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.styled(AnsiColor::Green.on_default().bold(), text)
    }

    /// Bad news.
    pub fn error(self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    /// Doubtful news.
    pub fn warning(self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default().bold(), text)
    }

    /// Headings.
    pub fn bold(self, text: &str) -> String {
        self.styled(Style::new().bold(), text)
    }

    fn styled(self, style: Style, text: &str) -> String {
        if self.colors { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// Panics if it is started again by the test below; otherwise there is nothing to do.
    #[test]
    fn panic_on_request() {
        if std::env::var_os("LUTHIER_TEST_PANIC").is_some() {
            report_panics();
            std::thread::spawn(|| panic!("a test of panics")).join().unwrap();
        }
    }

    /// The same in a thread of a server.
    #[test]
    fn outlive_a_panic_on_request() {
        if std::env::var_os("LUTHIER_TEST_PANIC").is_some() {
            report_panics();
            let server = std::thread::Builder::new().name(SERVER_THREAD.to_owned());
            assert!(server.spawn(|| panic!("a test of panics")).unwrap().join().is_err());
        }
    }

    fn start_again(test: &str) -> std::process::Output {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &format!("output::tests::{test}"), "--nocapture"])
            .env("LUTHIER_TEST_PANIC", "1")
            .output()
            .unwrap()
    }

    #[test]
    fn a_server_reports_a_panic_and_goes_on() {
        let run = start_again("outlive_a_panic_on_request");
        let talk = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{talk}");
        assert!(talk.contains("a test of panics") && talk.contains("please report it"), "{talk}");
    }

    #[test]
    fn a_panic_in_any_thread_is_reported_as_our_fault_and_ends_with_70() {
        let run = start_again("panic_on_request");
        let talk = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(70), "{talk}");
        assert!(talk.contains("a test of panics") && talk.contains("please report it"), "{talk}");
    }

    #[test]
    fn without_colours_text_stays_as_it_is() {
        assert_eq!(Paint { colors: false }.error("text"), "text");
        assert_eq!(Paint { colors: true }.error("text"), "\x1b[1m\x1b[31mtext\x1b[0m");
    }
}
