//! `luthier serve` as a process of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::Bench;

const SERVE: [&str; 5] = ["serve", "results.db", "--listen", "127.0.0.1:0", "--json"];

/// A server that is ended with the test, whatever happens.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// What it said when it was ready.
    pub ready: Value,
}

impl Server {
    pub fn start(bench: &Bench, arguments: &[&str]) -> Self {
        Self::of(bench.command(&[&SERVE[..], arguments].concat()))
    }

    /// After a command of the shell, such as one that sets a limit.
    pub fn start_under(first: &str, bench: &Bench, arguments: &[&str]) -> Self {
        let program = bench.command(&[]).get_program().to_owned();
        let mut shell = Command::new("/bin/sh");
        shell.current_dir(bench.path(".")).arg("-c").arg(format!("{first}; exec \"$0\" \"$@\""));
        shell.arg(program).args(SERVE).args(arguments);
        Self::of(shell)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        let address = ready["address"].as_str().unwrap().to_owned();
        let address = address.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { child, address, ready }
    }

    pub fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        String::from_utf8_lossy(&reply).into_owned()
    }

    /// What stands after the head of an answer with status 200.
    pub fn body(&self, path: &str) -> String {
        let reply = self.get(path, "localhost");
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        body.to_owned()
    }

    pub fn signal(&self, name: &str) {
        let number = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &number]).status().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
