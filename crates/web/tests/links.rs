//! Links from figures to what they count, the pages of solvers, and downloads.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use axum::http::StatusCode;

use crate::common::HOSTILE_SOLVER;
use crate::pages::{Site, escaped};

/// The links of a page to the comparison, with the count that each shows.
fn counts(page: &str) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for part in page.split("href=\"/compare?").skip(1) {
        let (address, rest) = part.split_once('"').unwrap();
        let text = rest.split_once('>').unwrap().1.split_once('<').unwrap().0;
        let text = text.replace(',', "").replace("✗\u{a0}", "");
        if let Ok(count) = text.parse() {
            found.push((format!("/compare?{}", address.replace("&amp;", "&")), count));
        }
    }
    found
}

/// How many instances a page of the comparison lists.
fn listed(page: &str) -> u64 {
    let heading = page.split("<h2 id=\"matching\">").nth(1).unwrap();
    let words = heading.split('<').next().unwrap().trim_start_matches("All ");
    words.split(' ').next().unwrap().replace(',', "").parse().unwrap()
}

#[tokio::test]
async fn every_count_leads_to_as_many_instances() {
    let site = Site::new().await;
    let mut followed = std::collections::BTreeSet::new();
    let pages = ["/", "/set/1", "/set/2", "/solver/1", "/solver/2", "/solver/3"];
    for address in pages.into_iter().chain(["/compare", "/compare?set=1&solver=2&solver=1"]) {
        let page = site.page(address).await;
        let links = counts(&page.text);
        assert!(!links.is_empty(), "{address}");
        for (link, count) in links {
            if followed.insert(link.clone()) {
                assert_eq!(listed(&site.page(&link).await.text), count, "{link} on {address}");
            }
        }
    }
    for kind in [
        "track=1",
        "kind=solved",
        "kind=missing",
        "kind=refuted",
        "kind=wrong",
        "kind=crashed",
        "kind=timeout",
    ] {
        assert!(followed.iter().any(|link| link.contains(kind)), "{kind}: {followed:?}");
    }
}

#[tokio::test]
async fn the_overview_is_a_matrix_by_rank_with_charts_and_folded_details() {
    let site = Site::new().await;
    let page = site.page("/").await;
    let matrix = page.text.split("<table class=\"matrix").nth(1).unwrap();
    let matrix = matrix.split("</table>").next().unwrap();
    // cvc5 has the best rank; a solver that is wrong has a sign beside its count.
    let place = |solver: &str| matrix.find(&escaped(solver)).unwrap();
    assert!(place("cvc5@1.4.2") < place("z3@4.8.12"));
    assert!(matrix.contains("all sets") && matrix.contains("not run"));
    assert!(matrix.contains("class=\"wrong\"") && matrix.contains("✗\u{a0}1"));
    page.contains("/api/v1/charts/cactus.svg")
        .contains("/api/v1/charts/distribution.png")
        .contains("What the columns mean")
        .contains("/api/v1/openapi.json")
        .contains("<summary>All scores by set</summary>")
        .contains("<summary>Solvers and limits</summary>");
    for address in ["/api/v1/charts/cactus.svg", "/api/v1/charts/uses.png?most=24"] {
        assert_eq!(site.get(address).await.status, StatusCode::OK, "{address}");
    }
}

#[tokio::test]
async fn a_solver_has_a_page() {
    let site = Site::new().await;
    let numbers: Vec<i64> = site.database.solvers.iter().map(|solver| solver.0).collect();
    let page = site.page(&format!("/solver/{}", numbers[1])).await;
    page.contains("<h1>z3@4.8.12</h1>")
        .contains("kind=wrong-unsat")
        .contains("solver=z3")
        .contains("many &amp; more")
        .contains("-smt2 {file}")
        .contains("10 s");
    let hostile = site.page(&format!("/solver/{}", numbers[2])).await;
    hostile.contains(&format!("<h1>{}</h1>", escaped(HOSTILE_SOLVER))).contains("Invalid models");
    // What its findings lead to is about it.
    let link = hostile.text.split("href=\"/findings?").nth(1).unwrap().split('"').next().unwrap();
    let findings = site.page(&format!("/findings?{}", link.replace("&amp;", "&"))).await;
    findings.contains(&escaped(HOSTILE_SOLVER));
    for (address, status) in
        [("/solver/77", StatusCode::NOT_FOUND), ("/solver/x", StatusCode::BAD_REQUEST)]
    {
        assert_eq!(site.get(address).await.status, status, "{address}");
    }
}

#[tokio::test]
async fn a_table_as_csv_has_all_rows_that_match() {
    let site = Site::new().await;
    let set = site.page("/set/2").await;
    set.contains("href=\"/compare.csv?set=2\"");
    let csv = site.get("/compare.csv?set=2").await;
    assert_eq!(csv.status, StatusCode::OK);
    assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
    assert!(csv.headers["content-disposition"].to_str().unwrap().starts_with("attachment"));
    // 250 instances, each with one run or none.
    assert_eq!(csv.text.lines().count(), 251);
    csv.contains("file-000.smt2").contains("file-249.smt2");
    let wrong = site.get("/compare.csv?kind=wrong&of=2").await;
    let names = wrong.text.lines().skip(1).filter(|line| line.contains("unsat")).count();
    assert!(names >= 1, "{}", wrong.text);
    let page = site.page("/compare?kind=wrong").await;
    page.contains("href=\"/compare.csv?kind=wrong\"").contains("href=\"/compare.svg?kind=wrong\"");
    assert_eq!(site.get("/compare.csv?kind=nonsense").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn every_table_is_a_file_too() {
    let site = Site::new().await;
    for (page, address, lines) in [
        // All sets and two sets, each with three solvers and the virtual best.
        ("/", "/scores.csv", 13),
        ("/set/1", "/scores.csv?set=1", 5),
        ("/findings?kind=crash", "/findings.csv?kind=crash", 2),
        ("/findings", "/findings.csv", 5),
        ("/changes", "/changes.csv", 3),
        ("/changes", "/changes/totals.csv", 3),
        // One set has instances with results on both sides; a row for all sets would repeat it.
        ("/changes", "/changes/sets.csv", 2),
        ("/", "/solvers.csv", 4),
        ("/", "/campaigns.csv", 2),
        ("/instance/1", "/instance/1/runs.csv", 4),
        ("/instance/1", "/instance/1/evaluation.csv", 5),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.text);
        assert_eq!(reply.headers["content-type"], "text/csv; charset=utf-8", "{address}");
        assert_eq!(reply.text.lines().count(), lines, "{address}: {}", reply.text);
        let columns = |line: &str| line.matches(',').count();
        assert!(columns(reply.text.lines().next().unwrap()) >= 3, "{address}");
        assert!(
            site.page(page)
                .await
                .text
                .contains(&format!("href=\"{}", address.split('?').next().unwrap()))
        );
    }
    // The cactus plot has a point for each of the 198 instances that cvc5 solved.
    let cactus = site.get("/api/v1/charts/cactus.csv").await;
    assert_eq!(cactus.text.lines().filter(|line| line.starts_with("cvc5@1.4.2,")).count(), 198);
    let scores = site.get("/scores.csv").await;
    scores.contains("virtual best").contains("many & more").contains("z3@<img");
    assert_eq!(site.get("/operators.csv").await.status, StatusCode::OK);
    assert_eq!(site.get("/scores.csv?nonsense=1").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn charts_of_pages_are_files_too() {
    let site = Site::new().await;
    for (address, kind) in [
        ("/compare.svg?set=1", "image/svg+xml"),
        ("/compare.png", "image/png"),
        ("/changes.svg", "image/svg+xml"),
        ("/changes.png?set=1", "image/png"),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::OK, "{address}: {}", reply.text);
        assert_eq!(reply.headers["content-type"], kind, "{address}");
    }
    let one = site.get("/compare.svg?solver=1").await;
    assert_eq!(one.status, StatusCode::BAD_REQUEST);
}
