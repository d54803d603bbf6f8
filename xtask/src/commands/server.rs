//! A real `luthier serve` process, and a client that measures the time to the first byte.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The time limit of a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// A server that runs until it is dropped.
pub struct Server {
    child: Child,
    /// The address and the port, `127.0.0.1:1234`.
    pub address: String,
    /// How long it took to read the database.
    pub start: Duration,
}

/// An answer.
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: Vec<u8>,
    /// How long it took until the first byte came.
    pub first_byte: Duration,
}

impl Server {
    /// Starts it on a free port, and waits until it has read the database.
    pub fn start(luthier: &Path, database: &Path) -> Result<Self, Box<dyn Error>> {
        let began = Instant::now();
        let mut child = Command::new(luthier)
            .args(["--json", "serve"])
            .arg(database)
            .args(["--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let record: Value = serde_json::from_str(&line)
            .map_err(|_| format!("`luthier serve` did not start; it printed {line:?}"))?;
        let address = record["address"].as_str().unwrap_or_default();
        let address = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
        Ok(Self { child, address, start: began.elapsed() })
    }

    /// Asks for a path.
    pub fn get(&self, path: &str) -> Result<Answer, Box<dyn Error>> {
        let mut stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(RESPONSE_TIMEOUT))?;
        let host = &self.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let began = Instant::now();
        stream.write_all(request.as_bytes())?;
        let mut reply = vec![0];
        stream.read_exact(&mut reply)?;
        let first_byte = began.elapsed();
        stream.read_to_end(&mut reply)?;
        let end = reply.windows(4).position(|window| window == b"\r\n\r\n");
        let end = end.ok_or_else(|| format!("{path}: the answer has no end of its headers"))?;
        let head = String::from_utf8_lossy(&reply[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| format!("{path}: the answer has no status"))?;
        Ok(Answer { status, body: reply.split_off(end + 4), first_byte })
    }

    /// Asks for JSON, which must be there.
    pub fn json(&self, path: &str) -> Result<Value, Box<dyn Error>> {
        let answer = self.get(path)?;
        if answer.status != 200 {
            return Err(format!("{path}: status {}", answer.status).into());
        }
        Ok(serde_json::from_slice(&answer.body)?)
    }

    /// The CPU time that its threads took so far; none where the system does not tell. On a machine
    /// that does other work this says more than times on the wall.
    pub fn cpu_time(&self) -> Option<Duration> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).ok()?;
        let times = tasks.filter_map(|task| {
            let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Some(Duration::from_nanos(times.sum()))
    }

    /// The largest memory that it had so far, in bytes; none where the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse().ok()?;
        Some(kibibytes << 10)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; an error cannot be reported.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
