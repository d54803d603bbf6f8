//! Every page, without a browser: what is on it, its status and its headers.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::{Database, FORMULA, HOSTILE_SHOWN, HOSTILE_SOLVER, listen_to};
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use luthier_store::Store;
use luthier_web::router;
use tower::ServiceExt as _;

pub(crate) struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Reply {
    #[track_caller]
    pub fn contains(&self, part: &str) -> &Self {
        assert!(self.text.contains(part), "{part:?} is not in\n{}", self.text);
        self
    }

    #[track_caller]
    pub fn lacks(&self, part: &str) -> &Self {
        assert!(!self.text.contains(part), "{part:?} is in\n{}", self.text);
        self
    }
}

/// Texts as `maud` writes them.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

pub(crate) struct Site {
    router: axum::Router,
    _listening: Option<luthier_web::Listening>,
    pub database: Database,
}

impl Site {
    pub async fn new() -> Self {
        Self::of(Database::new()).await
    }

    /// A server for a database.
    pub async fn of(database: Database) -> Self {
        let listening = database.listen().await;
        Self::with(database, listening)
    }

    /// A server with the clusters beside the database.
    pub async fn with_clusters() -> Self {
        let database = Database::new();
        let folder = database.clusters();
        let listening = listen_to(&database.path(), Some(folder)).await;
        Self::with(database, listening)
    }

    fn with(database: Database, listening: luthier_web::Listening) -> Self {
        Self { router: router(listening.app()), _listening: Some(listening), database }
    }

    /// A server that follows a database.
    pub async fn following(database: Database) -> Self {
        let listening = database.listen().await;
        let router = router(listening.app());
        tokio::spawn(listening.serve(std::future::pending()));
        Self { router, _listening: None, database }
    }

    /// A server that has found what the database does not record, with clusters.
    pub async fn with_everything() -> Self {
        let database = Database::new();
        let listening = listen_to(&database.path(), Some(database.clusters())).await;
        let router = router(listening.app());
        tokio::spawn(listening.serve(std::future::pending()));
        let site = Self { router, _listening: None, database };
        while !site.page("/operators").await.text.contains("253 instances use") {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        // The audit, too, is of the results with all features then.
        while site.page("/audit").await.text.contains("data-unfinished") {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        site
    }

    async fn ask(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 4 << 20).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Reply { status: parts.status, headers: parts.headers, text }
    }

    pub async fn get(&self, address: &str) -> Reply {
        let request = Request::get(address).header("host", "localhost").body(Body::empty());
        self.ask(request.unwrap()).await
    }

    pub async fn bytes(&self, address: &str) -> Vec<u8> {
        let request = Request::get(address).header("host", "localhost").body(Body::empty());
        let response = self.router.clone().oneshot(request.unwrap()).await.unwrap();
        to_bytes(response.into_body(), 4 << 20).await.unwrap().into()
    }

    pub async fn page(&self, address: &str) -> Reply {
        let reply = self.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.text);
        assert_eq!(reply.headers["content-type"], "text/html; charset=utf-8");
        assert!(reply.text.len() < 2_000_000, "{address}: {} bytes", reply.text.len());
        // Whatever a name is, it is never markup.
        reply.lacks("<script>alert").lacks("<img src=x").lacks("\u{202e}").lacks("style=\"");
        reply
    }

    pub fn instance(&self, index: usize) -> i64 {
        self.database.instances[index].0
    }

    pub fn run_of(&self, instance: usize, solver: usize) -> i64 {
        let store = Store::open_read_only(self.database.path()).unwrap();
        let found = store.instance(self.database.instances[instance]).unwrap().unwrap();
        let of_solver =
            |run: &&luthier_store::StoredRun| run.configuration == self.database.solvers[solver];
        found.runs.iter().find(of_solver).unwrap().id.0
    }
}

#[tokio::test]
async fn the_overview_tells_findings_scores_solvers_and_campaigns() {
    let site = Site::new().await;
    let page = site.page("/").await;
    page.contains("<title>results.db · Luthier</title>")
        .contains("kind=wrong-unsat")
        .contains("Wrong answers")
        .contains("Invalid models")
        .contains("Invalid cores")
        .contains("Crashes")
        .contains("virtual best")
        .contains("many &amp; more")
        .contains(&escaped(HOSTILE_SOLVER))
        .contains("10 s")
        .contains("desk")
        .contains("2023-11-14 22:13:20 UTC")
        .contains("&lt;b&gt;.toml")
        .contains("204 runs");
    let findings = page.text.find("id=\"findings\"").unwrap();
    let scores = page.text.find("id=\"scores\"").unwrap();
    assert!(findings < scores, "findings come first");
}

#[tokio::test]
async fn a_set_has_scores_charts_tracks_and_its_instances_in_pages() {
    let site = Site::new().await;
    site.page("/set/1").await.contains("first track").contains(&escaped(HOSTILE_SHOWN));
    let first = site.page("/set/2").await;
    first.contains("250 instances").contains("file-000.smt2").lacks("file-100.smt2");
    first.contains("href=\"?page=2\"").contains("<svg").contains("not run");
    first.lacks("<h2 id=\"tracks\"");
    let second = site.page("/set/2?page=2").await;
    second.contains("file-100.smt2").lacks("file-099.smt2").contains("href=\"?page=3\"");
    site.page("/set/2?page=999999").await.contains("file-249.smt2").contains("page 3 of 3");
    site.page("/track/1").await.contains("href=\"/set/1\"").contains("crash.smt2");
}

#[tokio::test]
async fn an_instance_has_its_formula_its_expectation_and_every_run() {
    let site = Site::new().await;
    let page = site.page(&format!("/instance/{}", site.instance(0))).await;
    page.contains(&escaped(HOSTILE_SHOWN))
        .contains("<b class=\"k\">assert</b>")
        .contains("<b class=\"c\">; two &lt;b&gt;characters&lt;/b&gt;</b>")
        .contains("id=\"L5\"")
        .contains("planted answer")
        .contains("nothing speaks against it")
        .contains("✗ wrong")
        .contains("✓ right")
        .contains("✗ invalid model")
        .contains("assertion 2 is false")
        .contains("exit code 0")
        .contains("1.234")
        .contains("is written &lt;str.to_re&gt;")
        .contains("--copy | cvc5")
        // Checked again: which assertion, where, and why.
        .contains("assertion 2 `begins`")
        .contains("href=\"#L5\"")
        .contains("x = &quot;ba&quot;");
    let crash = site.page(&format!("/instance/{}", site.instance(1))).await;
    crash
        .contains("signal 11 (SIGSEGV)")
        .contains("✗ invalid core")
        .contains("it names &lt;nothing");
    site.page(&format!("/instance/{}", site.instance(2))).await.contains("open: nothing decides");
    let untried = site.page(&format!("/instance/{}", site.instance(240))).await;
    untried.contains("There are no runs on it yet.");
}

#[tokio::test]
async fn texts_are_given_as_they_are_and_never_as_pages() {
    let site = Site::new().await;
    let input = site.get(&format!("/instance/{}/input", site.instance(0))).await;
    assert_eq!(input.status, StatusCode::OK);
    assert_eq!(input.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(input.headers["x-content-type-options"], "nosniff");
    assert_eq!(input.text, FORMULA);
    let run = site.run_of(1, 0);
    let stderr = site.get(&format!("/run/{run}/stderr")).await;
    assert_eq!(stderr.headers["content-type"], "text/plain; charset=utf-8");
    stderr.contains("<b>segfault</b>");
    assert_eq!(site.get(&format!("/run/{run}/stdout")).await.text, "");
}

#[tokio::test]
async fn a_run_has_everything_and_what_it_printed() {
    let site = Site::new().await;
    let crash = site.page(&format!("/run/{}", site.run_of(1, 0))).await;
    crash
        .contains("signal 11 (SIGSEGV)")
        .contains("&lt;b&gt;segfault&lt;/b&gt; <i>\\xFF\\u{1b}</i>[31m")
        .contains("There is no answer.")
        .contains("2023-11-14 22:13:21 UTC")
        .contains("desk")
        .contains("20.0 MiB");
    let right = site.page(&format!("/run/{}", site.run_of(0, 0))).await;
    right.contains("✓ valid model").contains("Checked again: all 2 assertions are true.");
    right.contains("(define-fun x () String &quot;ab&quot;)");
}

#[tokio::test]
async fn findings_are_listed_by_kind_set_and_solver() {
    let site = Site::new().await;
    let all = site.page("/findings").await;
    all.contains("Wrong answers: unsat (1)")
        .contains("Crashes (1)")
        .contains("it names &lt;nothing");
    let wrong = site.page("/findings?kind=wrong-verdict").await;
    wrong.contains(&escaped(HOSTILE_SHOWN)).lacks("Crashes (1)");
    let unsat = site.page("/findings?kind=wrong-unsat").await;
    unsat.contains(&escaped(HOSTILE_SHOWN)).lacks("Crashes (1)");
    site.page("/findings?kind=wrong-sat").await.lacks(&escaped(HOSTILE_SHOWN));
    all.lacks("Slow answers").lacks("Contradictions").lacks("Incomplete answers");
    site.page("/findings?set=2").await.contains("No findings: no wrong answer");
    site.page("/findings?solver=cvc5%401.4.2")
        .await
        .contains("Crashes (1)")
        .lacks("Wrong answers: unsat (");
    site.page("/findings?kind=crash&page=77").await.contains("crash.smt2");
    for (address, status) in [
        ("/findings?kind=nonsense", StatusCode::BAD_REQUEST),
        ("/findings?set=x", StatusCode::BAD_REQUEST),
        ("/findings?set=77", StatusCode::NOT_FOUND),
        ("/findings?solver=%3Cscript%3Ealert", StatusCode::NOT_FOUND),
        ("/findings?page=0", StatusCode::BAD_REQUEST),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, status, "{address}");
        reply.lacks("<script>alert");
    }
}

#[tokio::test]
async fn what_is_not_there_is_a_page_with_the_right_status() {
    let site = Site::new().await;
    for (address, status) in [
        ("/nothing", StatusCode::NOT_FOUND),
        ("/set/77", StatusCode::NOT_FOUND),
        ("/set/x", StatusCode::BAD_REQUEST),
        ("/set/-1", StatusCode::BAD_REQUEST),
        ("/track/9223372036854775808", StatusCode::BAD_REQUEST),
        ("/track/77", StatusCode::NOT_FOUND),
        ("/instance/0", StatusCode::NOT_FOUND),
        ("/instance/9223372036854775807", StatusCode::NOT_FOUND),
        ("/instance/1/nothing", StatusCode::NOT_FOUND),
        ("/instance/777777/input", StatusCode::NOT_FOUND),
        ("/run/777777", StatusCode::NOT_FOUND),
        ("/run/777777/stdout", StatusCode::NOT_FOUND),
        ("/set/2?page=0", StatusCode::BAD_REQUEST),
        ("/set/2?page=-1", StatusCode::BAD_REQUEST),
        ("/instance/1?page=x", StatusCode::BAD_REQUEST),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, status, "{address}");
        reply.contains("<main").contains("Go to the overview");
    }
}

#[tokio::test]
async fn no_address_leads_to_the_file_system() {
    let site = Site::new().await;
    for address in [
        "/../etc/os-release",
        "/assets/../../Cargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/os-release",
        "/assets/..%2f..%2fetc%2fos-release",
        "/files//etc/os-release",
        "//etc/os-release",
        "/instance/..%2f..%2fetc%2fpasswd",
        "/instance/1%00/input",
        "/results.db",
    ] {
        let reply = site.get(address).await;
        assert!(reply.status.is_client_error(), "{address}: {}", reply.status);
        reply.lacks("root:").lacks("NAME=").lacks("[package]").lacks("SQLite format");
    }
}

#[tokio::test]
async fn every_answer_carries_the_policy() {
    let site = Site::new().await;
    for address in ["/", "/nothing", "/assets/style.css", "/assets/script.js", "/instance/1/input"]
    {
        let reply = site.get(address).await;
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert_eq!(reply.headers["referrer-policy"], "no-referrer");
        assert!(reply.headers.contains_key("cache-control"), "{address}");
    }
    let style = site.get("/assets/style.css").await;
    assert_eq!(style.headers["content-type"], "text/css; charset=utf-8");
    style.contains("prefers-color-scheme: dark").contains("@media print").lacks("url(");
    let script = site.get("/assets/script.js").await;
    assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
    script.lacks("http").lacks("innerHTML").lacks("eval(");
    assert!(script.text.lines().count() < 300);
}

#[tokio::test]
async fn only_own_names_are_answered() {
    let site = Site::new().await;
    let ask = |host: Option<&'static str>| {
        let mut request = Request::get("/");
        if let Some(host) = host {
            request = request.header("host", host);
        }
        site.ask(request.body(Body::empty()).unwrap())
    };
    for host in ["localhost:8081", "127.0.0.1", "[::1]:9", "bench.example"] {
        assert_eq!(ask(Some(host)).await.status, StatusCode::OK, "{host}");
    }
    for host in ["evil.example", "localhost.evil.example", ""] {
        let reply = ask(Some(host)).await;
        assert_eq!(reply.status, StatusCode::MISDIRECTED_REQUEST, "{host}");
        reply.contains("--host NAME").lacks("troubles");
    }
    assert_eq!(ask(None).await.status, StatusCode::MISDIRECTED_REQUEST);
    let twice = Request::get("/").header("host", "localhost").header("host", "evil.example");
    let reply = site.ask(twice.body(Body::empty()).unwrap()).await;
    assert_eq!(reply.status, StatusCode::MISDIRECTED_REQUEST);
}

#[tokio::test]
async fn only_reading_is_possible() {
    let site = Site::new().await;
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        for address in ["/", "/nothing", "/events"] {
            let request = Request::builder().method(&method).uri(address);
            let request = request.header("host", "localhost").body(Body::empty()).unwrap();
            let reply = site.ask(request).await;
            assert_eq!(reply.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {address}");
            assert_eq!(reply.headers["allow"], "GET, HEAD");
        }
    }
    let head = Request::head("/").header("host", "localhost").body(Body::empty()).unwrap();
    let reply = site.ask(head).await;
    assert_eq!((reply.status, reply.text.as_str()), (StatusCode::OK, ""));
    let long = format!("/findings?kind={}", "x".repeat(5000));
    assert_eq!(site.get(&long).await.status, StatusCode::URI_TOO_LONG);
}

#[tokio::test]
async fn large_and_odd_texts_stay_small_pages() {
    let database = Database::new();
    let mut store = Store::open(database.path()).unwrap();
    let set = store.add_set("large", false).unwrap();
    let track = store.add_track(set, "").unwrap();
    let texts: [Vec<u8>; 4] = [
        b"\"".repeat(3_000_000),
        b"(a 1)\n".repeat(400_000),
        b"\xff\x00<".repeat(300_000),
        b"\n".repeat(1_000_000),
    ];
    let mut numbers = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let mut instance = crate::common::instance("", None);
        instance.digest = luthier_records::Digest::of(text);
        instance.queries.clear();
        instance.fault = Some("1:1: <odd>".to_owned());
        let id = store.add_instance(&instance, text).unwrap();
        store.add_member(track, id, &format!("{index}.smt2")).unwrap();
        numbers.push(id.0);
    }
    store.close().unwrap();
    let site = Site::of(database).await;
    for number in numbers {
        let page = site.page(&format!("/instance/{number}")).await;
        page.contains("This is only the beginning.").contains("1:1: &lt;odd&gt;");
    }
}
