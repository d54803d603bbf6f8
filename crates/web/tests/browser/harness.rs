//! A browser under our control, and a server for it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use luthier_web::{Options, listen};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::common::{Database, TestSolverAccess};

/// How long anything may take. Machines that test are slow and busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on a port of its own.
pub struct Site {
    pub database: Database,
    address: SocketAddr,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Site {
    /// With the database of the tests.
    pub async fn new() -> Self {
        Self::of(Database::new()).await
    }

    /// With another database.
    pub async fn of(database: Database) -> Self {
        let address = "127.0.0.1:0".parse().unwrap();
        let mut site = Self { database, address, running: None };
        site.start_again().await;
        site.settled().await;
        site
    }

    /// Returns when the results have not changed for two seconds: the server computes features that the
    /// database lacks at its first polls, and pages that are open then follow that.
    async fn settled(&self) {
        let address = self.address;
        let reading = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
            stream.write_all(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
            let changes = BufReader::new(stream).lines().map_while(Result::ok);
            changes.filter(|line| line.starts_with("data:")).count()
        });
        assert!(reading.await.unwrap() > 0, "the server sends no version");
    }

    /// The address of a page.
    pub fn address(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Addresses of pages of every kind, with those that say that something is wrong.
    pub fn pages(&self) -> Vec<String> {
        let instance = |index: usize| format!("/instance/{}", self.database.instances[index].0);
        let mut pages: Vec<String> = ["/", "/set/1", "/set/2", "/track/1", "/compare", "/changes"]
            .into_iter()
            .chain(["/compare?kind=wrong", "/operators", "/findings", "/findings?kind=crash"])
            .chain(["/run/1", "/run/2", "/nothing", "/compare?kind=nonsense"])
            .map(str::to_owned)
            .collect();
        pages.extend([instance(0), instance(1)]);
        pages.extend(
            ["/clusters", "/cluster/1", "/cluster/2", "/audit", "/audit?set=1"].map(str::to_owned),
        );
        pages.extend(self.database.solvers.iter().map(|solver| format!("/solver/{}", solver.0)));
        pages
    }

    /// Starts the server; again on the same port if it ran before.
    pub async fn start_again(&mut self) {
        let options = Options {
            database: self.database.path(),
            listen: self.address,
            hosts: Vec::new(),
            clusters: Some(self.database.clusters()),
            catalogue: crate::common::catalogue(),
        };
        let listening = listen(&options, Arc::new(TestSolverAccess)).await.unwrap();
        self.address = listening.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(async move {
            let shutdown = async move {
                let _ = stopped.await;
            };
            listening.serve(shutdown).await.unwrap();
        });
        self.running = Some((stop, serving));
    }

    /// Ends the server, as Ctrl-C does.
    pub async fn stop(&mut self) {
        let (stop, serving) = self.running.take().unwrap();
        stop.send(()).unwrap();
        tokio::time::timeout(PATIENCE, serving).await.unwrap().unwrap();
    }
}

/// Chromium, driven.
pub struct Browser {
    client: Client,
    driver: Child,
    port: u16,
    session: String,
    forgiving: AtomicBool,
    profile: TempDir,
}

impl Browser {
    /// Starts a driver on a free port and a browser with a new profile.
    pub async fn start() -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is here; `cargo xtask browser` installs it");
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "chromedriver does not answer");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let profile = TempDir::new().unwrap();
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let capabilities = json!({
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities.as_object().unwrap().clone())
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .unwrap();
        let session = client.session_id().await.unwrap().unwrap();
        Self { client, driver, port, session, forgiving: AtomicBool::new(false), profile }
    }

    /// Goes to an address.
    pub async fn open(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// The text of an element as it is seen.
    pub async fn text(&self, selector: &str) -> String {
        self.patiently(async || self.client.find(Locator::Css(selector)).await?.text().await).await
    }

    /// How many elements there are.
    pub async fn count(&self, selector: &str) -> usize {
        self.client.find_all(Locator::Css(selector)).await.unwrap().len()
    }

    /// How many of them are seen.
    pub async fn shown(&self, selector: &str) -> usize {
        let count = async || {
            let mut shown = 0;
            for element in self.client.find_all(Locator::Css(selector)).await? {
                shown += usize::from(element.is_displayed().await?);
            }
            Ok(shown)
        };
        self.patiently(count).await
    }

    /// Clicks on the first such element.
    pub async fn click(&self, selector: &str) {
        // The head of the page stays at the top and may be over it.
        let name = serde_json::to_string(selector).unwrap();
        let centre = "scrollIntoView({ block: 'center', behavior: 'instant' })";
        let scroll = format!("document.querySelector({name}).{centre};");
        let click = async || {
            self.client.execute(&scroll, Vec::new()).await?;
            self.client.find(Locator::Css(selector)).await?.click().await
        };
        self.patiently(click).await;
    }

    /// Does it again where the page was replaced between finding an element and asking it: open
    /// pages follow what the server learns.
    async fn patiently<T>(&self, ask: impl AsyncFn() -> Result<T, CmdError>) -> T {
        let began = Instant::now();
        loop {
            match ask().await {
                Ok(answer) => return answer,
                Err(error) if error.is_stale_element_reference() && began.elapsed() < PATIENCE => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Presses a key: a letter, or one that has a name.
    pub async fn press(&self, name: &str) {
        let mut letters = name.chars();
        let value = match (name, letters.next(), letters.next()) {
            ("Tab", ..) => char::from(Key::Tab),
            ("Enter", ..) => char::from(Key::Enter),
            ("Escape", ..) => char::from(Key::Escape),
            (_, Some(letter), None) => letter,
            _ => panic!("{name} is no key here"),
        };
        let keys = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        self.client.perform_actions(keys).await.unwrap();
    }

    /// The value of an expression.
    pub async fn value(&self, expression: &str) -> Value {
        self.client.execute(&format!("return {expression};"), Vec::new()).await.unwrap()
    }

    /// The value of an expression that is a number.
    pub async fn number(&self, expression: &str) -> f64 {
        self.value(expression).await.as_f64().unwrap()
    }

    /// Runs statements.
    pub async fn run(&self, statements: &str) {
        self.client.execute(statements, Vec::new()).await.unwrap();
    }

    /// Waits until an expression is true.
    pub async fn wait_for(&self, condition: &str) {
        let began = Instant::now();
        let safely = format!("try {{ return Boolean({condition}); }} catch {{ return false; }}");
        loop {
            // While a page is loading there may be nothing to ask.
            let answer = self.client.execute(&safely, Vec::new()).await;
            if matches!(answer, Ok(Value::Bool(true))) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "it never came to this: {condition}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Gives the window this size.
    pub async fn resize(&self, width: u32, height: u32) {
        let parameters = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", parameters).await;
    }

    /// The colours that the user prefers.
    pub async fn prefer(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// The lines of the file that a link of the page leads to.
    pub async fn downloaded(&self, selector: &str) -> Vec<String> {
        let script = "const [selector, done] = arguments;
            fetch(document.querySelector(selector).href).then((answer) => answer.text()).then(done);";
        let text = self.client.execute_async(script, vec![json!(selector)]).await.unwrap();
        text.as_str().unwrap().lines().map(str::to_owned).collect()
    }

    /// From now on every page has axe-core in it.
    pub async fn bring_axe(&self) {
        let path =
            std::env::var("LUTHIER_AXE").expect("`cargo xtask browser` says where axe-core is");
        let source = std::fs::read_to_string(&path).expect("axe-core is installed");
        let command = "Page.addScriptToEvaluateOnNewDocument";
        self.devtools(command, json!({ "source": source })).await;
    }

    /// What axe-core finds that is serious or worse: the rule, what it is about, and each element.
    pub async fn violations(&self, options: Value) -> Vec<String> {
        let script = "const [options, done] = arguments;
            axe.run(document, options).then(({ violations }) => done(violations
                .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                .flatMap(({ id, impact, help, nodes }) => nodes.map(({ target, failureSummary }) =>
                    `${id} (${impact}, ${help}): ${target.join(' ')}: ${failureSummary}`))),
                (error) => done([String(error)]));";
        let found = self.client.execute_async(script, vec![options]).await.unwrap();
        serde_json::from_value(found).unwrap()
    }

    /// From now on pages run no script.
    pub async fn without_script(&self) {
        self.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
    }

    /// The server was stopped on purpose, so failed connections are no fault.
    pub fn forgive_lost_connections(&self) {
        self.forgiving.store(true, Ordering::Relaxed);
    }

    /// Looks for errors in the console and for requests to others, and ends the browser.
    pub async fn finish(self, site: &Site) {
        self.finish_with(&[site.address("/")]).await;
    }

    /// The same with these addresses as its own.
    pub async fn finish_with(self, own: &[String]) {
        let console = self.logs("browser");
        let forgiving = self.forgiving.load(Ordering::Relaxed);
        let faults: Vec<&Value> = console
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            .filter(|entry| {
                let message = entry["message"].as_str().unwrap_or_default();
                // Pages that say that there is nothing are asked for on purpose.
                let is_refused = message.contains("responded with a status of 40");
                let is_lost = forgiving && message.contains("net::ERR_");
                // Pages of the browser itself, such as an empty tab, are none of our business.
                let is_own = message.starts_with("chrome://");
                !is_refused && !is_lost && !is_own
            })
            .collect();
        assert!(faults.is_empty(), "errors in the console: {faults:#?}");
        let mut requests = 0;
        for entry in self.logs("performance") {
            let message: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let message = &message["message"];
            if message["method"] != "Network.requestWillBeSent" {
                continue;
            }
            let address = message["params"]["request"]["url"].as_str().unwrap();
            requests += 1;
            // Pages of the browser itself, such as an empty tab, are none of our business.
            let goes_out =
                ["http:", "https:", "ws:", "wss:"].iter().any(|way| address.starts_with(way));
            let is_own = own.iter().any(|own| address.starts_with(own));
            assert!(is_own || !goes_out, "a request to another host: {address}");
        }
        assert!(requests > 0, "requests are logged");
        // The rest is done where a test that failed does it, too.
    }

    async fn devtools(&self, command: &str, parameters: Value) {
        let body = json!({ "cmd": command, "params": parameters });
        self.ask_driver(&format!("/session/{}/goog/cdp/execute", self.session), &body);
    }

    fn logs(&self, kind: &str) -> Vec<Value> {
        let path = format!("/session/{}/se/log", self.session);
        let reply = self.ask_driver(&path, &json!({ "type": kind }));
        reply["value"].as_array().unwrap().clone()
    }

    /// Commands that are not part of the standard for drivers.
    fn ask_driver(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        let mut head = String::new();
        // The driver keeps the connection open, so its reply ends where it says.
        while !head.ends_with("\r\n\r\n") {
            let begin = head.len();
            assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
            if let Some((name, value)) = head[begin..].split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let text = String::from_utf8(body).unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{head}{text}");
        serde_json::from_str(&text).unwrap()
    }
}

impl Browser {
    /// Asks the driver to end the browser, and waits until it has.
    fn end_session(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        write!(
            stream,
            "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\r\n",
            self.session, self.port
        )?;
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status).map(|_| ())
    }

    /// The processes that have our profile, which nobody else has.
    fn processes(&self) -> Vec<String> {
        let profile = self.profile.path().display().to_string();
        let has_profile = |process: &str| {
            let line = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&profile)
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let names = all.filter_map(|entry| entry.file_name().into_string().ok());
        names
            .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
            .filter(|name| has_profile(name))
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser does not end with its driver, so it is asked to end first. What is left of a
        // browser that hangs is killed, so that a test that failed leaves nothing behind.
        let _ = self.end_session();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let left = self.processes();
        if !left.is_empty() {
            let _ = Command::new("kill").arg("-KILL").args(&left).stderr(Stdio::null()).status();
        }
    }
}
