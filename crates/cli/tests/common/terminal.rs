//! The binary at a terminal: a pseudo-terminal of `script` (util-linux), with a width.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::shop::Shop;

/// What somebody at the terminal saw.
pub struct Seen {
    /// The exit code.
    pub code: i32,
    /// All bytes, as text.
    pub text: String,
    /// When each piece came, since the start, and what it was.
    pub pieces: Vec<(Duration, String)>,
}

impl Seen {
    /// The status lines that were drawn, one after the other.
    pub fn frames(&self) -> Vec<&str> {
        let frames = self.text.split("\r\u{1b}[K").skip(1);
        frames.map(|frame| frame.split(['\r', '\n']).next().unwrap()).collect()
    }
}

/// Runs the binary with the solvers of the shop at a terminal of so many columns.
pub fn at_terminal(shop: &Shop, columns: usize, arguments: &[&str]) -> Seen {
    let program = env!("CARGO_BIN_EXE_luthier");
    let words: Vec<String> = [&[program], arguments]
        .concat()
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
        .collect();
    let line = format!("stty cols {columns} rows 40; exec {}", words.join(" "));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(shop.bench.path("."));
    shop.prepare(&mut command);
    command.env("TERM", "xterm").env("SHELL", "/bin/sh").env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (mut bytes, mut pieces, mut buffer) = (Vec::new(), Vec::new(), [0; 4096]);
    loop {
        let count = stdout.read(&mut buffer).unwrap();
        if count == 0 {
            break;
        }
        bytes.extend(&buffer[..count]);
        pieces.push((begin.elapsed(), String::from_utf8_lossy(&buffer[..count]).into_owned()));
    }
    let code = child.wait().unwrap().code().unwrap();
    Seen { code, text: String::from_utf8(bytes).unwrap(), pieces }
}
