//! Clusters of failures: the list, each cluster with members, smallest formula and releases, and what
//! a folder must not make the server do.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use axum::http::StatusCode;
use luthier_web::{Options, listen};

use crate::common::{Database, FORMULA, HOSTILE_SHOWN, HOSTILE_SOLVER, TestSolverAccess};
use crate::pages::{Site, escaped};

#[tokio::test]
async fn clusters_are_listed_with_their_smallest_formulas() {
    let site = Site::with_clusters().await;
    site.page("/").await.contains("<a href=\"/clusters\">Clusters</a>");
    let page = site.page("/clusters").await;
    page.contains("152 failures, 3 likely bugs: 2 new, 1 known.")
        .contains("<code>hunt-0</code>")
        .contains("href=\"/cluster/1\">Cluster 1</a>")
        .contains("known: issue 4711")
        .contains("<strong>new</strong>")
        .contains("index 0")
        .contains("<code>(= (str.len x) 2)</code>")
        .contains(&escaped(HOSTILE_SHOWN))
        .contains("stopped before it was &lt;examined&gt;")
        .contains("3 slow")
        .contains("What the columns mean")
        .contains("href=\"/clusters.csv\"");
    let csv = site.get("/clusters.csv").await;
    assert_eq!(csv.headers["content-type"], "text/csv; charset=utf-8");
    let second = csv.text.lines().nth(1).unwrap();
    assert!(second.starts_with("1,wrong-unsat,str.at,index 0,150,5,known,issue 4711,"), "{second}");
    // The header and three clusters; nothing in them has a line break.
    assert_eq!(csv.text.lines().count(), 4);
}

#[tokio::test]
async fn a_cluster_has_members_formula_releases_and_downloads() {
    let site = Site::with_clusters().await;
    let page = site.page("/cluster/1").await;
    page.contains("<h1>Cluster 1</h1>")
        .contains("<li><a href=\"/clusters\">Clusters</a></li>")
        .contains("the formula is known to be satisfiable")
        .contains("str.at is evaluated wrongly for index 0")
        .contains("known: issue 4711")
        .contains("; two &lt;b&gt;characters&lt;/b&gt;")
        .contains("href=\"/cluster/1/smallest.smt2\" download")
        .contains("wrong-unsat/000000.smt2")
        .contains("wrong-unsat/000099.smt2")
        .lacks("wrong-unsat/000100.smt2")
        .contains("page 1 of 2")
        // The bisection, not what the cluster itself says about releases.
        .contains(
            "1 of 3 observed releases fail. Last right release: 4.8.4; first failing one: 4.8.5",
        )
        .contains("first right one after it: none. Not every release was observed.")
        .contains("<svg")
        .contains("href=\"/cluster/1/timeline.svg\"");
    site.page("/cluster/1?page=2").await.contains("wrong-unsat/000149.smt2");
    let formula = site.get("/cluster/1/smallest.smt2").await;
    assert_eq!(formula.text, FORMULA);
    assert_eq!(formula.headers["content-type"], "text/plain; charset=utf-8");
    assert_eq!(
        formula.headers["content-disposition"],
        "attachment; filename=\"01-wrong-unsat-str.at.smt2\""
    );
    let members = site.get("/cluster/1/members.csv").await;
    assert_eq!(members.text.lines().count(), 151);
    let timeline = site.get("/cluster/1/timeline.csv").await;
    assert_eq!(
        timeline.text.lines().collect::<Vec<_>>(),
        [
            "solver,release,outcome,fails",
            "z3,4.8.4,sat,false",
            "z3,4.8.5,wrong-unsat,true",
            "z3,4.8.7,timeout,"
        ]
    );
    for (ending, kind) in [("svg", "image/svg+xml"), ("png", "image/png")] {
        let picture = site.get(&format!("/cluster/1/timeline.{ending}")).await;
        assert_eq!(
            (picture.status, &picture.headers["content-type"]),
            (StatusCode::OK, &kind.parse().unwrap())
        );
    }
}

#[tokio::test]
async fn texts_of_the_folder_are_only_text_and_no_name_leads_out_of_it() {
    let site = Site::with_clusters().await;
    // `page` checks that nothing of it is markup.
    let hostile = site.page("/cluster/2").await;
    hostile.contains(&escaped(HOSTILE_SOLVER)).contains("0 of 2 observed releases fail.");
    let formula = site.get("/cluster/2/smallest.smt2").await;
    assert_eq!(formula.headers["content-disposition"], "attachment; filename=\"cluster-2.smt2\"");
    assert_eq!(formula.headers["x-content-type-options"], "nosniff");
    let svg = site.get("/cluster/2/timeline.svg").await;
    svg.lacks("<script").lacks("<img");
    // Its file is said to be the database one folder higher.
    site.page("/cluster/3").await.contains("results.db: there is no such file").lacks("not this");
    let refused = site.get("/cluster/3/smallest.smt2").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
    refused.lacks("SQLite format");
    for (address, status) in [
        ("/cluster/0", StatusCode::NOT_FOUND),
        ("/cluster/4", StatusCode::NOT_FOUND),
        ("/cluster/3/timeline.svg", StatusCode::NOT_FOUND),
        ("/cluster/x", StatusCode::BAD_REQUEST),
        ("/cluster/..%2f..%2fetc%2fpasswd", StatusCode::BAD_REQUEST),
        ("/cluster/1/..%2fclusters.json", StatusCode::NOT_FOUND),
        ("/cluster/1/clusters.json", StatusCode::NOT_FOUND),
        ("/clusters?nonsense=1", StatusCode::BAD_REQUEST),
        ("/clusters?page=0", StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(site.get(address).await.status, status, "{address}");
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_shown_is_said_on_the_page() {
    let site = Site::with_clusters().await;
    let folder = site.database.clusters();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("01-wrong-unsat-str.at.bisect.json", "{\"releases\": 7}");
    site.page("/cluster/1").await.contains("01-wrong-unsat-str.at.bisect.json: invalid type");
    std::fs::remove_file(folder.join("01-wrong-unsat-str.at.bisect.json")).unwrap();
    site.page("/cluster/1").await.contains("1 of 1 observed releases fail.");
    std::fs::remove_file(folder.join("01-wrong-unsat-str.at.smt2")).unwrap();
    site.page("/cluster/1").await.contains("01-wrong-unsat-str.at.smt2: there is no such file");
    write("clusters.json", "{\"clusters\": ");
    let reply = site.get("/clusters").await;
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR);
    reply.contains("clusters.json: EOF while parsing");
    write("clusters.json", "{}");
    site.page("/clusters").await.contains("0 failures, 0 likely bugs");
    std::fs::remove_file(folder.join("clusters.json")).unwrap();
    let reply = site.get("/clusters").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    reply.contains("clusters.json: there is no such file");
}

#[tokio::test]
async fn without_a_folder_there_is_no_link_and_the_page_says_how_to_get_one() {
    let site = Site::new().await;
    site.page("/").await.lacks("/clusters");
    for address in ["/clusters", "/clusters.csv", "/cluster/1", "/cluster/1/smallest.smt2"] {
        let reply = site.get(address).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{address}");
        reply.contains("--clusters FOLDER");
    }
    let database = Database::new();
    let options = Options {
        database: database.path(),
        listen: "127.0.0.1:0".parse().unwrap(),
        hosts: Vec::new(),
        clusters: Some(database.path()),
        catalogue: crate::common::catalogue(),
    };
    let error = listen(&options, std::sync::Arc::new(TestSolverAccess)).await.unwrap_err();
    assert!(error.to_string().contains("is no folder that can be read"), "{error}");
}
