//! `luthier serve`: says where it listens, answers, and ends when it is told to.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};

use crate::common::Bench;
use crate::common::server::Server;

fn bench_with_database() -> Bench {
    let bench = Bench::new();
    luthier_store::Store::open(bench.path("results.db")).unwrap().close().unwrap();
    bench
}

#[test]
fn it_says_where_it_is_answers_and_ends_when_it_is_told_to() {
    for signal in ["-TERM", "-INT"] {
        let bench = bench_with_database();
        let mut server = Server::start(&bench, &["--host", "bench.example"]);
        assert_eq!(server.ready["version"], 2);
        assert_eq!(server.ready["instances"], 0);
        assert_eq!(server.ready["runs"], 0);
        let page = server.get("/", "bench.example");
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        assert!(page.contains("results.db"), "{page}");
        assert!(server.get("/", "other.example").starts_with("HTTP/1.1 421"));
        // A page that follows must not keep it from ending.
        let mut follower = TcpStream::connect(&server.address).unwrap();
        write!(follower, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut line = String::new();
        BufReader::new(&follower).read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        server.signal(signal);
        assert_eq!(server.child.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// More clients that say nothing than there are file descriptors, clients that stop in the middle of
/// their headers, and clients that ask and do not read.
#[test]
fn clients_that_say_nothing_lock_nobody_out() {
    let bench = bench_with_database();
    let server = Server::start_under("ulimit -n 128", &bench, &[]);
    let mut silent = Vec::new();
    for number in 0..150 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let begun: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET / HTTP/1.1\r\nHost: local",
            _ => b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        };
        // The server may have closed it already to make room.
        let _ = stream.write_all(begun);
        silent.push(stream);
    }
    for _ in 0..20 {
        assert!(server.get("/", "localhost").starts_with("HTTP/1.1 200"));
    }
    // Those that came last still have their places.
    let mut last = silent.pop().unwrap();
    let mut line = String::new();
    BufReader::new(&mut last).read_line(&mut line).unwrap();
    assert!(line.starts_with("HTTP/1.1 200"), "{line}");
}

#[test]
fn clusters_are_served_if_a_folder_is_given() {
    let bench = bench_with_database();
    let without = Server::start(&bench, &[]);
    assert!(!without.body("/").contains("/clusters"));
    std::fs::create_dir(bench.path("bugs")).unwrap();
    let document = r#"{"failures": 3, "clusters": [{"class": "crash", "members": 3}]}"#;
    bench.write("bugs/clusters.json", document);
    let server = Server::start(&bench, &["--clusters", "bugs"]);
    assert!(server.body("/").contains("href=\"/clusters\""));
    assert!(server.body("/clusters").contains("3 failures, 1 likely bug: 1 new, 0 known."));
    assert!(server.body("/cluster/1").contains("<h1>Cluster 1</h1>"));
    let missing = bench.run(&["serve", "results.db", "--clusters", "nothing"]).expect(1);
    assert!(missing.stderr.contains("nothing: is no folder"), "{missing:?}");
}

#[test]
fn what_cannot_be_served_is_told_with_a_way_out() {
    let bench = bench_with_database();
    let missing = bench.run(&["serve", "nothing.db"]).expect(1);
    assert!(missing.stderr.contains("nothing.db: no such file"), "{missing:?}");
    bench.write("foreign.db", "this is no database at all, and long enough to be read as one");
    let foreign = bench.run(&["serve", "foreign.db"]).expect(1);
    assert!(foreign.stderr.contains("is not a Luthier database"), "{foreign:?}");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let in_use = bench.run(&["serve", "results.db", "--listen", &address]).expect(1);
    assert!(in_use.stderr.contains("another program listens there"), "{in_use:?}");
    assert!(in_use.stderr.contains("--listen"), "{in_use:?}");
}
