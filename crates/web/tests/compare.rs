//! Compare, run against run, and operators, without a browser: what is on them, their addresses,
//! and what they refuse.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::time::Duration;

use crate::common::{Database, HOSTILE_SOLVER, answered, instance, sat, timed_out};
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use luthier_records::{CpuTime, Features, ModelOutcome, Run, Verdict};
use luthier_store::Store;
use luthier_web::{Listening, router};
use tower::ServiceExt as _;

/// The database of all tests with more: runs of two releases that differ, and operators.
struct Site {
    router: axum::Router,
    _listening: Listening,
    database: Database,
}

impl Site {
    async fn new() -> Self {
        let mut database = Database::new();
        let mut store = Store::open(database.path()).unwrap();
        // The hostile release is the older one, z3@4.8.12 the newer.
        let changes = [
            (3, sat_in(1000), sat_in(100)),
            (4, sat_in(100), sat_in(3000)),
            (5, timed_out(), sat_in(100)),
            (6, sat_in(100), timed_out()),
            (7, sat_in(100), answered(Verdict::Unsat)),
            (8, sat_in(100), sat_in(110)),
        ];
        for (place, before, after) in &changes {
            database.add(&mut store, 2, *place, before);
            database.add(&mut store, 1, *place, after);
        }
        let set = store.add_set("operators", true).unwrap();
        let track = store.add_track(set, "").unwrap();
        for (name, flags) in [
            ("one.smt2", vec!["str.len", "<b>odd</b>"]),
            ("two.smt2", vec!["str.len"]),
            ("three.smt2", vec!["re.*", "str.len"]),
        ] {
            let text = format!("(check-sat) ; {name}");
            let mut made = instance(&text, Some(Verdict::Sat));
            let flags = flags.into_iter().map(str::to_owned).collect();
            made.features = Some(Features { flags, ..Features::default() });
            let id = store.add_instance(&made, text.as_bytes()).unwrap();
            store.add_member(track, id, name).unwrap();
            database.instances.push(id);
        }
        database.add(&mut store, 0, 253, &sat_in(500));
        database.add(&mut store, 0, 254, &sat_in(500));
        database.add(&mut store, 0, 255, &timed_out());
        store.close().unwrap();
        let listening = database.listen().await;
        Self { router: router(listening.app()), _listening: listening, database }
    }

    async fn get(&self, address: &str) -> (StatusCode, Option<String>, String) {
        let request = Request::get(address).header("host", "localhost").body(Body::empty());
        let response = self.router.clone().oneshot(request.unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, 4 << 20).await.unwrap();
        let location =
            parts.headers.get("location").map(|value| value.to_str().unwrap().to_owned());
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        // Whatever a name is, it is never markup.
        for markup in ["<script>alert", "<img src=x", "\u{202e}", "<b>odd", "style=\""] {
            assert!(!text.contains(markup), "{address} has {markup}");
        }
        assert!(text.len() < 2_000_000, "{address}: {} bytes", text.len());
        (parts.status, location, text)
    }

    /// A page that is at this very address.
    async fn page(&self, address: &str) -> String {
        let (status, location, text) = self.get(address).await;
        assert_eq!(status, StatusCode::OK, "{address} leads to {location:?}: {text}");
        text
    }

    /// Where an address leads to, which is a page.
    async fn canonical(&self, address: &str) -> String {
        let (status, location, text) = self.get(address).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{address}: {text}");
        let location = location.unwrap();
        self.page(&location).await;
        location
    }

    async fn refused(&self, address: &str, expected: StatusCode) -> String {
        let (status, _, text) = self.get(address).await;
        assert_eq!(status, expected, "{address}: {text}");
        text
    }

    fn number(&self, solver: usize) -> i64 {
        self.database.solvers[solver].0
    }
}

fn sat_in(milliseconds: u64) -> Run {
    let mut run = sat("ab", ModelOutcome::Valid, None);
    run.measured.cpu = CpuTime(Duration::from_millis(milliseconds));
    run
}

/// The names of the instances in the table, in order.
fn listed(page: &str) -> Vec<&str> {
    let table = page.split("<table class=\"instances").nth(1).unwrap_or_default();
    let body = table.split("<tbody>").nth(1).unwrap_or_default();
    let mut names = Vec::new();
    for row in body.split("<a href=\"/instance/").skip(1) {
        let text = row.split('>').nth(1).unwrap();
        names.push(text.split('<').next().unwrap().rsplit('/').next().unwrap());
    }
    names
}

#[track_caller]
fn has(page: &str, part: &str) {
    assert!(page.contains(part), "{part:?} is not in\n{page}");
}

#[tokio::test]
async fn everything_is_compared_unless_somebody_chooses() {
    let site = Site::new().await;
    let page = site.page("/compare").await;
    has(&page, "All 256 instances");
    has(&page, "1–100 of 256");
    has(&page, "page 1 of 3");
    has(&page, "z3@&lt;img src=x onerror=alert(1)&gt;");
    has(&page, "✓ model");
    has(&page, "aria-sort=\"ascending\"");
    has(&page, "<caption>");
    has(&page, "class=\"chart\"");
    has(&page, "<a href=\"/instance/");
    has(&page, "/api/v1/instances?limit=100");
    assert_eq!(listed(&page).len(), 100);
    // Every field of the form has a label around it.
    let form = page.split("<form").nth(1).unwrap().split("</form>").next().unwrap();
    let fields = form.matches("<select").count() + form.matches("<input").count();
    assert_eq!(form.matches("<label").count(), fields);
}

#[tokio::test]
async fn filters_choose_and_totals_are_of_what_matches() {
    let site = Site::new().await;
    let (cvc, z3) = (site.number(0), site.number(1));
    for (query, expected) in [
        ("kind=wrong".to_owned(), 2),
        (format!("kind=wrong&of={z3}"), 2),
        ("kind=invalid-model".to_owned(), 1),
        ("kind=invalid-core".to_owned(), 1),
        ("kind=crashed".to_owned(), 1),
        ("kind=unknown".to_owned(), 1),
        ("kind=timeout".to_owned(), 4),
        (format!("kind=timeout&of={cvc}"), 1),
        ("text=FILE-01".to_owned(), 10),
        ("feature=str.len".to_owned(), 3),
        ("kind=unsolved&feature=re.%2A".to_owned(), 1),
        ("expected=none".to_owned(), 2),
        ("max_size=20".to_owned(), 0),
        ("set=3".to_owned(), 3),
    ] {
        let page = site.page(&format!("/compare?{query}")).await;
        let words = match query.as_str() {
            "set=3" => "All 3 instances".to_owned(),
            _ => format!("<h2 id=\"matching\">{expected} of "),
        };
        has(&page, &words);
        assert_eq!(listed(&page).len(), expected, "{query}");
    }
    let page = site.page(&format!("/compare?solver={cvc}&feature=str.len")).await;
    has(&page, "all 3 that match");
    has(&page, "2</a> solved <span class=\"why\">(66.7 %)</span>");
    // Penalised: (0.5 + 0.5 + 20) / 3.
    has(&page, "PAR2 mean 7.000 s");
    has(&page, "Choose two solvers");
}

#[tokio::test]
async fn headings_sort_and_pages_have_bounds() {
    let site = Site::new().await;
    let z3 = site.number(1);
    let page = site.page("/compare?set=2&page=3").await;
    assert_eq!(listed(&page).len(), 50);
    has(&page, "201–250 of 250");
    has(&page, "href=\"?set=2&amp;page=2\" rel=\"prev\"");
    // One beyond the end is the last.
    let beyond = site.page("/compare?set=2&page=999999").await;
    assert_eq!(listed(&beyond), listed(&page));
    let page = site.page("/compare?set=2&sort=-place").await;
    assert_eq!(listed(&page)[0], "file-249.smt2");
    has(&page, "aria-sort=\"descending\"");
    let page = site.page(&format!("/compare?set=2&solver={z3}&sort=time:{z3}")).await;
    assert_eq!(listed(&page)[..2], ["file-000.smt2", "file-002.smt2"]);
    has(&page, &format!("href=\"/compare?set=2&amp;solver={z3}&amp;sort=-time:{z3}\""));
    let page = site.page(&format!("/compare?set=2&solver={z3}&sort=-time:{z3}")).await;
    assert_eq!(listed(&page)[0], "file-003.smt2");
}

#[tokio::test]
async fn addresses_are_short_and_the_same_for_the_same_view() {
    let site = Site::new().await;
    let (cvc, z3, odd) = (site.number(0), site.number(1), site.number(2));
    let from_form = format!(
        "/compare?solver={cvc}&solver={z3}&solver={odd}&set=&kind=&of=&feature=&expected=&min_size=\
         &max_size=&text=&x={cvc}&y={z3}"
    );
    assert_eq!(site.canonical(&from_form).await, "/compare");
    assert_eq!(site.canonical("/compare?kind=all&page=1&sort=place").await, "/compare");
    assert_eq!(
        site.canonical("/compare?text=a+b%2Fc&kind=wrong").await,
        "/compare?kind=wrong&text=a%20b/c"
    );
    // The order of solvers is part of the view; labels become numbers.
    let address = format!("/compare?solver={z3}&solver=cvc5%401.4.2&solver={z3}");
    assert_eq!(site.canonical(&address).await, format!("/compare?solver={z3}&solver={cvc}"));
    // What refers to somebody who is not shown is gone; a track knows its set.
    let address = format!("/compare?solver={z3}&kind=wrong&of={cvc}&sort=time:{cvc}&x={cvc}");
    assert_eq!(site.canonical(&address).await, format!("/compare?solver={z3}&kind=wrong"));
    assert_eq!(site.canonical("/compare?set=1&track=1").await, "/compare?track=1");
    assert_eq!(site.canonical("/compare?set=2&track=1").await, "/compare?set=2");
    assert_eq!(site.canonical("/compare?set=&track=1").await, "/compare");
    let odd_name = HOSTILE_SOLVER.replace(' ', "%20").replace('<', "%3C").replace('>', "%3E");
    assert_eq!(
        site.canonical(&format!("/compare?solver={odd_name}")).await,
        format!("/compare?solver={odd}")
    );
}

#[tokio::test]
async fn bad_parameters_are_refused_and_the_page_says_what_is_allowed() {
    let site = Site::new().await;
    let bad = StatusCode::BAD_REQUEST;
    for (address, part) in [
        ("/compare?kind=odd", "invalid-model"),
        ("/compare?solver=99", "cvc5@1.4.2"),
        ("/compare?of=%3Cscript%3Ealert", "there are the solvers"),
        ("/compare?feature=nonsense", "Operators"),
        ("/compare?expected=maybe", "sat, unsat, none"),
        ("/compare?min_size=-1", "a number of bytes"),
        ("/compare?max_size=99999999999999999999999", "a number of bytes"),
        ("/compare?sort=time", "time:SOLVER"),
        ("/compare?sort=time:99", "time:SOLVER"),
        ("/compare?page=0", "a number from 1"),
        ("/compare?page=x", "a number from 1"),
        ("/compare?set=x", "digits only"),
        ("/compare?sovler=1", "there are: set, track, solver"),
        ("/changes?kind=odd", "became-wrong"),
        ("/changes?sort=odd", "kind, place, ratio"),
        ("/changes?before=99", "there are the solvers"),
        ("/changes?after_campaign=x", "digits only"),
        ("/changes?solver=1", "there are: set, track, before"),
        ("/operators?sort=share", "share:SOLVER"),
        ("/operators?sort=uses:1", "share:SOLVER"),
        ("/operators?sort=share:99", "there are the solvers"),
        ("/operators?feature=str.len", "there are: set"),
    ] {
        let page = site.refused(address, bad).await;
        has(&page, part);
    }
    for address in ["/compare?set=99", "/compare?track=99", "/changes?before_campaign=99"] {
        site.refused(address, StatusCode::NOT_FOUND).await;
    }
}

#[tokio::test]
async fn the_last_two_releases_are_compared_with_each_other() {
    let site = Site::new().await;
    let (z3, odd) = (site.number(1), site.number(2));
    let page = site.page("/changes").await;
    has(&page, &format!("<option value=\"{odd}\" selected>"));
    has(&page, &format!("<option value=\"{z3}\" selected>"));
    let link = |kind: &str| format!("href=\"/changes?before={odd}&amp;after={z3}{kind}\"");
    for (kind, count, name) in [
        ("became-wrong", 1, "file-004.smt2"),
        ("verdict-changed", 1, "passwd\\u{202e}gnp.smt2"),
        ("faster", 1, "file-000.smt2"),
        ("slower", 1, "file-001.smt2"),
        ("new", 1, "file-002.smt2"),
        ("lost", 2, "file-003.smt2"),
        ("same", 1, "file-005.smt2"),
    ] {
        if kind != "same" {
            has(&page, &link(&format!("&amp;kind={kind}")));
        }
        let address = format!("/changes?before={odd}&after={z3}&kind={kind}");
        let page = site.page(&address).await;
        let names = listed(&page);
        assert_eq!(names.len(), count, "{kind}: {names:?}");
        assert!(names.contains(&name), "{kind}: {names:?}");
    }
    has(&page, "more than 1.30 times as long, and more than 50 ms longer");
    has(&page, "On the 8 instances with results on both sides");
    has(&page, "Releases of z3");
    has(&page, "campaign 1, 2023-11-14");
}

#[tokio::test]
async fn changes_are_sorted_by_ratio_and_sides_can_be_swapped() {
    let site = Site::new().await;
    let (z3, odd) = (site.number(1), site.number(2));
    let address = format!("/changes?set=2&before={odd}&after={z3}");
    let page = site.page(&format!("{address}&sort=-ratio")).await;
    // 20 s after 0.1 s: not solved, and wrong; then 3 s after 0.1 s.
    assert_eq!(listed(&page)[..3], ["file-003.smt2", "file-004.smt2", "file-001.smt2"]);
    has(&page, "<td class=\"n\">× 200</td>");
    let page = site.page(&format!("{address}&sort=ratio")).await;
    assert_eq!(listed(&page)[0], "file-002.smt2");
    has(&page, "<td class=\"n\">÷ 200</td>");
    has(&page, &format!("href=\"/changes?set=2&amp;before={z3}&amp;after={odd}"));
    // What a form sends, with everything; the sides stay, so that the address can be shared.
    let form = format!("{address}&before_campaign=&after_campaign=&track=");
    assert_eq!(site.canonical(&form).await, address);
    let page = site.page(&format!("/changes?before={z3}&before_campaign=1&after={z3}")).await;
    has(&page, "campaign 1");
    assert_eq!(listed(&page), Vec::<&str>::new());
}

#[tokio::test]
async fn operators_tell_what_instances_use_and_how_solvers_fare() {
    let site = Site::new().await;
    let cvc = site.number(0);
    let page = site.page("/operators").await;
    has(&page, "3 instances use 3 operators and other features.");
    has(&page, "Of 253 further instances it is not known");
    has(&page, "&lt;b&gt;odd&lt;/b&gt;");
    has(&page, "href=\"/compare?feature=%3Cb%3Eodd%3C/b%3E\"");
    has(&page, "class=\"chart\"");
    let page = site.page(&format!("/operators?set=3&solver={cvc}&sort=lift:{cvc}")).await;
    let rows: Vec<&str> = page.split("<tbody>").nth(1).unwrap().split("<tr>").skip(1).collect();
    assert_eq!(rows.len(), 3);
    // Nothing with re.* is solved; two thirds of all are.
    has(rows[0], "re.*");
    has(rows[0], "▼ 0.00");
    has(rows[0], &format!("href=\"/compare?set=3&amp;solver={cvc}&amp;feature=re.%2A\""));
    has(rows[2], "odd");
    has(rows[2], "1.50");
    has(&page, "aria-sort=\"ascending\"");
    assert_eq!(site.canonical("/operators?sort=-uses&set=&page=1").await, "/operators");
    let page = site.page("/operators?sort=name").await;
    let first = page.find("&lt;b&gt;odd").unwrap();
    assert!(first < page.rfind("re.*").unwrap());
}

#[tokio::test]
async fn sets_and_tracks_lead_here() {
    let site = Site::new().await;
    for (address, query) in [("/set/1", "set=1"), ("/track/1", "track=1")] {
        let page = site.page(address).await;
        for path in ["/compare", "/changes", "/operators"] {
            has(&page, &format!("href=\"{path}?{query}\""));
            site.page(&format!("{path}?{query}")).await;
        }
    }
}

#[tokio::test]
async fn an_empty_database_has_these_pages_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    Store::open(&path).unwrap().close().unwrap();
    let listening = crate::common::listen_to(&path, None).await;
    let router = router(listening.app());
    for address in ["/compare", "/changes", "/operators"] {
        let request = Request::get(address).header("host", "localhost").body(Body::empty());
        let response = router.clone().oneshot(request.unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{address}");
    }
}
