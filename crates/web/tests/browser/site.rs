//! Exported sites in a browser, from a plain file server and under a path.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use luthier_web::{SiteOptions, export_site};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{HOSTILE_SHOWN, TestSolverAccess};
use crate::harness::{Browser, Site};

/// Python's file server for a site below a path.
struct Files {
    _folder: TempDir,
    server: Child,
    port: u16,
}

/// Where the site is on the file server.
const BELOW: &str = "/published/results";

impl Files {
    /// Exports the database of a server.
    async fn of(site: &Site) -> Self {
        let folder = TempDir::new().unwrap();
        let options = SiteOptions {
            database: site.database.path(),
            folder: folder.path().join(&BELOW[1..]),
            clusters: Some(site.database.clusters()),
            catalogue: crate::common::catalogue(),
            jobs: 2,
        };
        let exporting = tokio::task::spawn_blocking(move || {
            let stop = Arc::new(AtomicBool::new(false));
            export_site(&options, Arc::new(TestSolverAccess), &stop, |_| {})
        });
        exporting.await.unwrap().unwrap();
        let (server, port) = serve(folder.path()).await;
        Self { _folder: folder, server, port }
    }

    fn address(&self, page: &str) -> String {
        format!("http://127.0.0.1:{}{BELOW}/{page}", self.port)
    }

    fn own(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

async fn serve(folder: &Path) -> (Child, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Command::new("python3")
        .args(["-m", "http.server", &port.to_string(), "--bind", "127.0.0.1", "--directory"])
        .arg(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 is here");
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(began.elapsed() < Duration::from_secs(60), "the file server does not answer");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (server, port)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn one_can_walk_through_a_site_on_a_plain_file_server_under_a_path() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    browser.open(&files.address("")).await;
    assert_eq!(browser.text("h1").await, "results.db");
    browser.click("th.set a[href='set/1.html']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'troubles'").await;
    assert!(browser.number("document.querySelector('figure.chart svg').clientHeight").await > 50.0);
    browser.click("table.instances tbody th a").await;
    let title = serde_json::to_string(HOSTILE_SHOWN).unwrap();
    browser.wait_for(&format!("document.querySelector('h1').textContent === {title}")).await;
    assert_eq!(browser.count("pre.lines .line").await, 6);
    assert!(browser.text("main").await.contains("✗ invalid model"));
    assert!(browser.count("table.sortable button.sort").await > 0, "tables can be sorted");
    // The false assertion leads to its line, and the way back to the page before.
    browser.click(".trace a[href$=':L5']").await;
    browser.wait_for("document.querySelector('.line.target').id === 'L5'").await;
    browser.click("#runs ~ .scroll tbody td:last-child a").await;
    browser.wait_for("document.querySelector('h1').textContent.startsWith('Run ')").await;
    assert!(browser.count("section[aria-labelledby=evaluation] tbody tr").await > 0, "values");
    browser.run("history.back();").await;
    browser.wait_for(&format!("document.querySelector('h1').textContent === {title}")).await;
    browser.click("header.top nav a[href='findings.html']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Findings'").await;
    browser.click("nav.choices a[href='findings/set-1.html']").await;
    browser.wait_for("location.pathname.endsWith('/findings/set-1.html')").await;
    // The audit is there at once, with its tables as files.
    browser.click("header.top nav a[href$='audit.html']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Audit'").await;
    assert_eq!(browser.count("main [data-unfinished]").await, 0);
    assert_eq!(browser.count("main a[download][href='audit/sets.csv']").await, 1);
    assert_eq!(browser.count("main a[download][href='audit.json']").await, 1);
    browser.click("section[aria-labelledby=sets] tbody a[href='audit/set-1.html']").await;
    browser.wait_for("document.querySelector('h1').textContent === 'Audit of troubles'").await;
    // An instance that is not there is told.
    browser.open(&files.address("instance.html#99999")).await;
    browser.wait_for("document.getElementById('view-state').textContent.includes('99999')").await;
    browser.finish_with(&[files.own()]).await;
}

/// What the list of instances shows: how many, the totals, every row.
const LIST: &str = "(() => {
    const text = (element) => element.textContent.replace(/\\s+/g, ' ').trim();
    const all = (selector) => Array.from(document.querySelectorAll(selector), text);
    return [text(document.getElementById('matching')), ...all('table.compared thead tr.totals > *'),
        ...all('table.compared thead th'), ...all('table.compared tbody tr > *'), ...all('nav.pager span')];
})()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn the_list_of_a_site_filters_sorts_and_counts_as_the_server_does() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    let kinds = [
        "solved",
        "unique",
        "refuted",
        "wrong",
        "conflicting",
        "invalid-model",
        "invalid-core",
        "disputed",
        "crashed",
        "sat",
        "unsat",
        "unknown",
        "timeout",
        "memout",
        "unsolved",
        "some",
        "missing",
    ];
    let mut queries: Vec<String> = kinds.iter().map(|kind| format!("kind={kind}")).collect();
    queries.extend(kinds.iter().map(|kind| format!("kind={kind}&of=2")));
    queries.extend(
        [
            "",
            "page=2",
            "page=3",
            "set=1",
            "set=2&page=2",
            "track=1",
            "sort=-place",
            "sort=-size",
            "sort=size",
            "sort=-time:1",
            "sort=time:2",
            "sort=-spread",
            "sort=-ratio:1:2",
            "sort=ratio:3:1",
            "solver=2&solver=1",
            "solver=3",
            "expected=sat",
            "expected=unsat",
            "expected=none",
            "text=FILE-01",
            "text=zzz",
            "min_size=200",
            "max_size=190",
            "set=1&kind=missing&of=3&sort=-size",
            "feature=str.prefixof",
            "solver=1&solver=2&kind=unique&of=1&sort=-time:1&page=2",
        ]
        .map(str::to_owned),
    );
    browser.open(&files.address("compare.html")).await;
    for query in &queries {
        let fragment = serde_json::to_string(&format!("#{query}")).unwrap();
        browser.open(&files.address("compare.html#main")).await;
        browser.run(&format!("location.hash = {fragment};")).await;
        let hash = if query.is_empty() { "''".to_owned() } else { fragment };
        if !query.is_empty() {
            browser
                .wait_for(&format!("document.getElementById('list').dataset.shown === {hash}"))
                .await;
        }
        let ours = browser.value(LIST).await;
        browser.open(&site.address(&format!("/compare?{query}"))).await;
        let theirs = browser.value(LIST).await;
        // A site has one page of the list that anybody can read without script.
        let is_first = query.is_empty();
        let strip = |list: &Value| -> Vec<Value> {
            let list = list.as_array().unwrap().clone();
            let is_pager = |one: &Value| {
                one.as_str().is_some_and(|text| text.starts_with("page ") || text.contains("–"))
            };
            list.into_iter().filter(|one| !is_first || !is_pager(one)).collect()
        };
        assert_eq!(strip(&ours), strip(&theirs), "{query}");
    }
    browser.finish_with(&[files.own(), site.address("/")]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn the_form_of_a_site_leads_to_addresses_that_can_be_shared() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    browser.open(&files.address("compare.html")).await;
    browser.wait_for("document.querySelector('#choose form').offsetHeight > 0").await;
    browser
        .run(
            "const form = document.querySelector('#choose form');
            form.elements.kind.value = 'wrong'; form.elements.set.value = '1'; form.requestSubmit();",
        )
        .await;
    browser.wait_for("location.hash === '#set=1&kind=wrong'").await;
    browser.wait_for("document.getElementById('list').dataset.shown === '#set=1&kind=wrong'").await;
    assert_eq!(browser.text("#matching").await, "1 of 3 instances");
    // A selection without a chart says so, and one that has a chart shows it.
    assert!(browser.text("#scatter-note").await.contains("luthier serve"));
    assert_eq!(browser.shown("section.scatter").await, 0);
    browser.open(&files.address("compare.html#set=1")).await;
    browser.wait_for("document.getElementById('list').dataset.shown === '#set=1'").await;
    assert_eq!(
        (browser.text("#scatter-note").await.as_str(), browser.shown("section.scatter").await),
        ("", 1)
    );
    // What is wrong with an address is told.
    browser.open(&files.address("compare.html#set=77")).await;
    browser
        .wait_for("document.getElementById('list-state').textContent.includes('no set 77')")
        .await;
    browser.finish_with(&[files.own()]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn texts_of_a_site_are_saved_to_the_byte() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    // Instead of being saved, texts are kept.
    let keep = "window.saved = null; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return '#'; };";
    let instance = site.database.instances[0].0;
    for (view, path) in [
        (format!("{instance}"), format!("/instance/{instance}/input")),
        (format!("{instance}.1"), "/run/1/stdout".to_owned()),
    ] {
        browser.open(&files.address("compare.html")).await;
        browser.open(&files.address(&format!("instance.html#{view}"))).await;
        browser.wait_for("document.querySelector('a[data-text]')").await;
        browser.run(keep).await;
        browser.click("a[data-text]").await;
        browser.wait_for("window.saved !== null").await;
        let ours = browser.value("window.saved").await;
        browser.open(&site.address("/findings")).await;
        browser.run(&format!("window.raw = null; fetch('{path}').then((one) => one.text()).then((text) => {{ window.raw = text; }});")).await;
        browser.wait_for("window.raw !== null").await;
        assert_eq!(ours, browser.value("window.raw").await, "{path}");
    }
    browser.finish_with(&[files.own(), site.address("/")]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium: cargo xtask browser"]
async fn the_first_pages_of_a_site_are_small_and_can_be_read_without_script() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    browser.open(&files.address("")).await;
    let loaded = "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .map((one) => one.transferSize).reduce((sum, one) => sum + one)";
    assert!(browser.number(loaded).await < 300_000.0);
    browser.without_script().await;
    for page in [
        "",
        "set/2.html",
        "solver/1.html",
        "findings.html",
        "findings/kind-crash.html",
        "compare.html",
    ] {
        browser.open(&files.address(page)).await;
        assert!(browser.shown("main table tbody tr").await > 0, "{page}");
        assert_eq!(browser.shown("main form").await, 0, "{page} has no form that does nothing");
    }
    browser.open(&files.address("instance.html#1")).await;
    assert!(browser.text("main").await.contains("need JavaScript"));
    browser.finish_with(&[files.own()]).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs Chromium and axe-core: cargo xtask browser"]
async fn no_page_of_a_site_has_a_serious_violation_of_accessibility_or_is_wider_than_a_phone() {
    let site = Site::new().await;
    let files = Files::of(&site).await;
    let browser = Browser::start().await;
    browser.bring_axe().await;
    let mut found = Vec::new();
    let pages =
        ["", "set/2.html", "solver/1.html", "findings.html", "operators.html", "changes.html"];
    let views = [
        "compare.html",
        "compare.html#kind=wrong",
        "instance.html#1",
        "instance.html#1.1",
        "clusters.html",
    ];
    for page in pages.into_iter().chain(views) {
        browser.resize(1280, 900).await;
        browser.open("about:blank").await;
        browser.open(&files.address(page)).await;
        browser.wait_for("!document.querySelector('[aria-busy]') && document.querySelector('main').textContent.length > 200").await;
        found
            .extend(browser.violations(json!({})).await.iter().map(|one| format!("{page}: {one}")));
        browser.resize(400, 800).await;
        let wide = "document.documentElement.scrollWidth - innerWidth";
        assert!(browser.number(wide).await <= 0.0, "{page} is wider than a phone");
    }
    assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
    browser.finish_with(&[files.own()]).await;
}
