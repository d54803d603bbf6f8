//! `luthier run --serve`: pages while a campaign runs, and until somebody ends them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::shop::{Shop, TWO};

/// A campaign with a server, ended with the test, whatever happens.
struct Campaign {
    child: Child,
    stderr: BufReader<ChildStderr>,
    address: String,
}

impl Campaign {
    fn start(shop: &Shop) -> Self {
        let mut command = shop.command(&[
            "run",
            "--bench",
            "set",
            "--db",
            "results.db",
            "--solver",
            "gated",
            "--jobs",
            "1",
            "--serve=127.0.0.1:0",
        ]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let line = line_with(&mut stderr, "pages at ");
        let address = line.trim().strip_prefix("pages at http://").unwrap();
        let address = address.trim_end_matches('/').to_owned();
        Self { child, stderr, address }
    }

    fn body(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        let reply = String::from_utf8_lossy(&reply).into_owned();
        assert!(reply.starts_with("HTTP/1.1 200"), "{path}: {reply}");
        reply.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// How many runs the server knows.
    fn runs(&self) -> u64 {
        let standings: Value = serde_json::from_str(&self.body("/api/v1/standings")).unwrap();
        let rows = standings["standings"].as_array().unwrap().iter();
        rows.filter(|row| row["label"] == "gated")
            .map(|row| row["runs"]["total"].as_u64().unwrap())
            .sum()
    }

    fn wait_for_runs(&self, runs: u64) {
        let begin = Instant::now();
        while self.runs() != runs {
            assert!(begin.elapsed() < Duration::from_secs(60), "{} runs", self.runs());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn interrupt(&self) {
        let number = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &number]).status().unwrap().success());
    }
}

impl Drop for Campaign {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads on until a line has this text.
fn line_with(stderr: &mut impl std::io::BufRead, text: &str) -> String {
    let mut read = String::new();
    loop {
        let mut line = String::new();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "no `{text}` in {read}");
        if line.contains(text) {
            return line;
        }
        read.push_str(&line);
    }
}

/// Two instances; the second waits until a file `gate` is there.
fn shop() -> Shop {
    let shop = Shop::with(TWO);
    shop.bench.write("set/b.smt2", TWO.replace('2', "3"));
    let gate = shop.bench.path("gate");
    let script = format!(
        "case $(cat) in *' 3)'*) while [ ! -e '{}' ]; do sleep 0.1; done;; esac; echo sat",
        gate.display()
    );
    shop.solver("gated", &script);
    shop
}

#[test]
fn pages_are_served_while_it_runs_and_until_it_is_interrupted() {
    let shop = shop();
    let mut campaign = Campaign::start(&shop);
    // One run has ended, the other one cannot: the campaign goes on.
    campaign.wait_for_runs(1);
    assert!(campaign.body("/").contains("results.db"));
    assert!(campaign.child.try_wait().unwrap().is_none());
    shop.bench.write("gate", "");
    line_with(&mut campaign.stderr, "the pages stay at http://");
    campaign.wait_for_runs(2);
    let mut stdout = String::new();
    campaign.interrupt();
    assert_eq!(campaign.child.wait().unwrap().code(), Some(0));
    campaign.child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert!(stdout.contains("2 instances, 2 runs"), "{stdout}");
    shop.check_database();
}

#[test]
fn an_interrupt_while_it_runs_ends_campaign_and_server_at_once() {
    let shop = shop();
    let mut campaign = Campaign::start(&shop);
    campaign.wait_for_runs(1);
    let begin = Instant::now();
    campaign.interrupt();
    assert_eq!(campaign.child.wait().unwrap().code(), Some(3), "something is missing");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
    line_with(&mut campaign.stderr, "stopped with 1 run left");
    shop.check_database();
}

#[test]
fn a_port_that_is_taken_is_told_before_anything_is_run() {
    let shop = Shop::with(TWO);
    shop.solver("one", "touch \"$0.asked\"; echo sat");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let serve = format!("--serve={}", taken.local_addr().unwrap());
    let run = shop.run(&["one"], &[&serve]).expect(1);
    assert!(run.stderr.contains("another program listens there"), "{run:?}");
    assert!(!shop.bench.path("bin/one.asked").exists());
    let list = shop.run(&["one"], &["--serve", "--list"]).expect(1);
    assert!(list.stderr.contains("--list"), "{list:?}");
}

#[test]
fn a_campaign_ends_with_the_command_that_shows_its_pages() {
    let shop = Shop::with(TWO);
    shop.solver("one", "echo sat");
    let run = shop.run(&["one"], &["--db", "my results.db"]).expect(0);
    assert!(run.stderr.ends_with("luthier serve 'my results.db'\n"), "{run:?}");
    assert!(!run.stdout.contains("serve"), "{run:?}");
    let json = shop.run(&["one"], &["--json"]).expect(0);
    assert!(!json.stderr.contains("serve"), "{json:?}");
}
