//! The audit of a database: its page, its tables, REST, and what is said while it is being made.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::time::Duration;

use axum::http::StatusCode;
use luthier_records::Verdict;
use luthier_store::Store;
use serde_json::{Value, json};

use crate::common::{Database, answered};
use crate::pages::Site;

/// The page when it is made; a busy machine takes its time.
async fn finished(site: &Site, address: &str) -> String {
    loop {
        let page = site.page(address).await.text;
        if !page.contains("data-unfinished") {
            return page;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn json(site: &Site, address: &str) -> Value {
    loop {
        let reply = site.get(address).await;
        if reply.status == StatusCode::OK {
            return serde_json::from_str(&reply.text).unwrap();
        }
        assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE, "{}", reply.text);
        assert_eq!(reply.headers["retry-after"], "1");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_is_audited_and_wrong_annotations_lead_to_their_models() {
    let site = Site::of(Database::annotated()).await;
    let whole = finished(&site, "/audit").await;
    for words in [
        "<a href=\"/audit?set=3\">annotated</a>",
        "<a href=\"/audit?set=2\">many &amp; more</a>",
        "all sets",
        "Wrong annotations (4)",
        "Rejected files (1)",
        "annotated/Unsat/wrong.smt2",
        "lost.smt2: its text is not in the database",
        "str.len (1.00)",
        "<a href=\"/audit/wrong.csv\" download>CSV</a>",
        "<a href=\"/audit.json\" download>JSON</a>",
        "aria-current=\"true\">Audit</a>",
        "Published figures that differ",
    ] {
        assert!(whole.contains(words), "{words} is not in {whole}");
    }
    let page = finished(&site, "/audit?set=3").await;
    let first = site.database.instances[site.database.instances.len() - 5].0;
    // Four claims: the status and the folder, of the file and of its copy.
    let model = format!("href=\"/instance/{first}?run=205&amp;query=1#evaluation\"");
    assert_eq!(page.matches(&model).count(), 4, "{page}");
    assert!(page.contains("<h1>Audit of annotated</h1>") && page.contains("Unsat/copy.smt2"));
    assert!(!page.contains("many &amp; more</a></th>"));
    let evaluation = site.page(&format!("/instance/{first}?run=205&query=1")).await;
    evaluation.contains("id=\"evaluation\"");
}

#[tokio::test(flavor = "multi_thread")]
async fn rest_and_downloads_have_the_figures_of_the_audit() {
    let site = Site::of(Database::annotated()).await;
    let audit = json(&site, "/api/v1/audit").await;
    assert_eq!((audit["runs"].as_u64(), audit["current"].as_bool()), (Some(205), Some(true)));
    let of = |name: &str| {
        let mut sets = audit["sets"].as_array().unwrap().iter();
        sets.find(|set| set["set"]["name"] == name).unwrap()["figures"].clone()
    };
    let annotated = of("annotated");
    for (field, expected) in [
        ("files", json!(5)),
        ("without_text", json!(1)),
        ("tracks", json!(2)),
        ("contents", json!(4)),
        ("duplicates", json!(2)),
        ("forms", json!(3)),
        ("duplicates_up_to_renaming", json!(3)),
        ("rejected", json!(1)),
        ("rejections", json!({ "unknown-symbol": 1 })),
        ("quantifiers", json!(1)),
    ] {
        assert_eq!(annotated[field], expected, "{field} of {annotated}");
    }
    let status = &annotated["status"];
    assert_eq!(
        status,
        &json!({
            "sat": 0, "unsat": 2, "unknown": 0, "folder_sat": 0, "folder_unsat": 2,
            "claimed": 2, "decided": 2, "wrong": 2, "wrong_by_proof": 2,
        })
    );
    // 250 files that differ in a comment only.
    let many = of("many & more");
    assert_eq!((&many["duplicates"], &many["forms"]), (&json!(0), &json!(1)));
    assert_eq!(many["duplicates_up_to_renaming"], 250);
    assert_eq!(many["operators"][0]["average"], 1.0);
    assert_eq!(audit["total"]["files"], 258);
    let wrong = json(&site, "/api/v1/audit/wrong?set=annotated&limit=1").await;
    assert_eq!((&wrong["total"], &wrong["items"][0]["run"]), (&json!(4), &json!(205)));
    assert_eq!(wrong["items"][0]["evidence"], "model");
    assert_eq!(wrong["items"][0]["by"], json!(["cvc5@1.4.2"]));
    assert_eq!(json(&site, "/api/v1/audit/wrong?set=troubles").await["total"], 0);
    let rejected = json(&site, "/api/v1/audit/rejected").await;
    assert_eq!(
        (&rejected["items"][0]["line"], &rejected["items"][0]["column"]),
        (&json!(2), &json!(10))
    );
    // Downloads are the tables and the JSON of the command.
    let whole = json(&site, "/audit.json").await;
    let sets = whole["sets"].as_array().unwrap();
    let annotated = sets.iter().find(|set| set["name"] == "annotated").unwrap();
    assert_eq!(annotated["duplicates"], 2);
    assert_eq!(annotated["status"]["evidence"]["wrong_claims"].as_array().unwrap().len(), 4);
    let csv = site.get("/audit/sets.csv").await.text;
    assert!(csv.contains("\r\nannotated,2,5,1,2,") && csv.starts_with("set,tracks,files"), "{csv}");
    assert_eq!(site.get("/audit/wrong.csv").await.text.lines().count(), 5);
    assert!(site.get("/audit/uses.csv").await.text.contains("annotated,str.prefixof,3,3,0.6"));
    for address in ["/audit/nothing.csv", "/audit/sets", "/audit?set=77", "/api/v1/audit?set=77"] {
        assert_eq!(site.get(address).await.status, StatusCode::NOT_FOUND, "{address}");
    }
    assert_eq!(site.get("/audit?page=0").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_follows_the_database() {
    let site = Site::following(Database::annotated()).await;
    assert!(finished(&site, "/audit").await.contains("Wrong annotations (4)"));
    // A second family agrees with the first one on a file that says otherwise; then a copy of a file comes.
    let mut store = Store::open(site.database.path()).unwrap();
    let last = site.database.instances.len() - 1;
    for solver in [0, 1] {
        site.database.add(&mut store, solver, last, &answered(Verdict::Unsat));
    }
    let set = store.add_set("a new one, which comes first", true).unwrap();
    let track = store.add_track(set, "").unwrap();
    let broken = site.database.instances[last - 1];
    store.add_member(track, broken, "again.smt2").unwrap();
    store.close().unwrap();
    loop {
        let audit = json(&site, "/api/v1/audit").await;
        if audit["runs"] == 207 && audit["current"] == true {
            let names: Vec<&Value> =
                audit["sets"].as_array().unwrap().iter().map(|set| &set["set"]["name"]).collect();
            assert!(names.contains(&&json!("a new one, which comes first")), "{names:?}");
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(json(&site, "/api/v1/audit/rejected").await["total"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_an_error_that_says_so() {
    let site = Site::of(Database::annotated()).await;
    std::fs::remove_file(site.database.path()).unwrap();
    let reply = site.get("/audit").await;
    assert_eq!(reply.status, StatusCode::INTERNAL_SERVER_ERROR, "{}", reply.text);
    assert!(reply.text.contains("results.db"), "{}", reply.text);
}
