//! A status line that a thread redraws several times a second, for commands that run for long.
//!
//! A command changes the state behind the line when something happens; the line moves also when
//! nothing does, because it contains times. Whatever else is printed goes through
//! [`StatusLine::pause`], which takes the line away and holds the lock that the thread needs to draw
//! it again. Without a terminal there is no thread and no line.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use luthier_report::text_width;

use crate::output;
use crate::text::clean_name;

/// How often the line is drawn.
const INTERVAL: Duration = Duration::from_millis(200);
/// The width of a terminal that does not tell it.
const USUAL_WIDTH: usize = 80;

/// What a status line shows.
pub trait Status: Send + 'static {
    /// The line at this moment, in at most `width` columns.
    fn line(&self, now: Instant, width: usize) -> String;
}

/// A line on the terminal, drawn again and again until it is dropped.
pub struct StatusLine<S: Status> {
    drawn: Option<Drawn<S>>,
}

struct Drawn<S: Status> {
    shared: Arc<Shared<S>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared<S> {
    state: Mutex<State<S>>,
    ended: Condvar,
}

struct State<S> {
    status: S,
    is_visible: bool,
    has_ended: bool,
}

impl<S: Status> StatusLine<S> {
    /// Draws a line if standard error is a terminal.
    pub fn new(status: S) -> Self {
        if !output::can_show_progress() {
            return Self { drawn: None };
        }
        let state = State { status, is_visible: false, has_ended: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), ended: Condvar::new() });
        let drawer = Arc::clone(&shared);
        let thread = std::thread::spawn(move || drawer.draw_until_the_end());
        Self { drawn: Some(Drawn { shared, thread: Some(thread) }) }
    }

    /// Changes what the line shows.
    pub fn update(&self, change: impl FnOnce(&mut S)) {
        if let Some(drawn) = &self.drawn {
            change(&mut drawn.shared.lock().status);
        }
    }

    /// Prints something else; the line is not there meanwhile.
    pub fn pause<T>(&self, print: impl FnOnce() -> T) -> T {
        let Some(drawn) = &self.drawn else { return print() };
        let mut state = drawn.shared.lock();
        state.clear();
        print()
    }
}

impl<S: Status> Drop for StatusLine<S> {
    fn drop(&mut self) {
        let Some(Drawn { shared, thread }) = &mut self.drawn else { return };
        shared.lock().has_ended = true;
        shared.ended.notify_all();
        if let Some(thread) = thread.take() {
            // A panic there has been reported, and has ended the program.
            let _ = thread.join();
        }
        shared.lock().clear();
    }
}

impl<S: Status> Shared<S> {
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw_until_the_end(&self) {
        let mut state = self.lock();
        while !state.has_ended {
            let waited = self.ended.wait_timeout(state, INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            if !state.has_ended {
                // In the last column some terminals begin a new line.
                let width = output::progress_width().unwrap_or(USUAL_WIDTH).saturating_sub(1);
                output::progress(&state.status.line(Instant::now(), width));
                state.is_visible = true;
            }
        }
    }
}

impl<S> State<S> {
    fn clear(&mut self) {
        if std::mem::take(&mut self.is_visible) {
            output::progress("");
        }
    }
}

/// How much of something is done: `[#####.....]  50%`; without the bar on a narrow terminal.
pub fn bar(done: f64, width: usize) -> String {
    let done = if done.is_finite() { done.clamp(0.0, 1.0) } else { 0.0 };
    // 100 % only when nothing is left.
    let percent = (done * 100.0).floor() as usize;
    let cells = match width {
        0..60 => return format!("{percent:>3}%"),
        60..90 => 10,
        _ => 20,
    };
    let full = (done * cells as f64).floor() as usize;
    format!("[{}{}] {percent:>3}%", "#".repeat(full), ".".repeat(cells - full))
}

/// Parts with two blanks between them, cut at the width; empty parts are left out.
pub fn fit(parts: &[String], width: usize) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|one| !one.is_empty()).collect();
    let line = clean_name(&parts.join("  ")).into_owned();
    if text_width(&line) <= width {
        return line;
    }
    let mut cut = String::new();
    for character in line.chars() {
        cut.push(character);
        if text_width(&cut) > width {
            cut.pop();
            break;
        }
    }
    cut
}

/// A time as `m:ss` or `h:mm:ss`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.min(1e9).round() as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// How many in a second: `3.2/s`, `250/s`.
pub fn rate(count: usize, elapsed: Duration) -> String {
    let rate = count as f64 / elapsed.as_secs_f64().max(1e-3);
    if rate < 9.95 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_on_a_clock() {
        assert_eq!(clock(61.2), "1:01");
        assert_eq!(clock(3725.0), "1:02:05");
    }

    #[test]
    fn a_bar_is_full_only_at_the_end() {
        assert_eq!(bar(0.5, 80), "[#####.....]  50%");
        assert_eq!(bar(0.999, 80), "[#########.]  99%");
        assert_eq!(bar(1.0, 100), format!("[{}] 100%", "#".repeat(20)));
        assert_eq!(bar(f64::NAN, 40), "  0%");
    }

    #[test]
    fn a_line_is_cut_at_the_width_and_commands_no_terminal() {
        let parts = ["50%".to_owned(), String::new(), "a\u{1b}[2J漢字".to_owned()];
        assert_eq!(fit(&parts, 80), "50%  a\\u{1b}[2J漢字");
        assert_eq!(fit(&parts, 17), "50%  a\\u{1b}[2J漢");
        assert_eq!(fit(&parts, 0), "");
    }

    #[test]
    fn rates_have_a_decimal_only_if_they_are_small() {
        assert_eq!(rate(5, Duration::from_secs(2)), "2.5/s");
        assert_eq!(rate(500, Duration::from_secs(2)), "250/s");
        assert_eq!(rate(0, Duration::ZERO), "0.0/s");
    }
}
