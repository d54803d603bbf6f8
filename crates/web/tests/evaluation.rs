//! The table of subterms with their values under a model: on the page of an instance, as CSV, by REST.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use axum::http::StatusCode;
use luthier_records::{ModelOutcome, Verdict};
use luthier_store::{InstanceId, Store};
use serde_json::{Value, json};

use crate::common::{Database, HOSTILE_SOLVER, instance, sat};
use crate::pages::{Site, escaped};

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The database with one more instance, which has this text.
fn with_instance(text: &str) -> (Database, InstanceId) {
    let mut database = Database::new();
    let mut store = Store::open(database.path()).unwrap();
    let set = store.add_set("witnesses", false).unwrap();
    let track = store.add_track(set, "").unwrap();
    let new = instance(text, Some(Verdict::Sat));
    let id = store.add_instance(&new, text.as_bytes()).unwrap();
    store.add_member(track, id, "witness.smt2").unwrap();
    database.instances.push(id);
    let last = database.instances.len() - 1;
    database.add(&mut store, 1, last, &sat("ba", ModelOutcome::Invalid, None));
    store.close().unwrap();
    (database, id)
}

#[tokio::test]
async fn the_model_that_proves_the_answer_is_shown_first_and_others_by_links() {
    let site = Site::new().await;
    let address = format!("/instance/{}", site.instance(0));
    let page = site.page(&address).await;
    page.contains("<h2 id=\"evaluation\">Values of subterms</h2>")
        .contains("Under the model of cvc5@1.4.2")
        .contains("Every subterm with its value: 4 rows</summary>")
        .contains(&format!("<code>{}</code>", escaped("(str.prefixof \"a\" x)")))
        .contains("assertion 2 `begins`, <a href=\"#L5\">line 5</a>")
        .contains("What the columns mean")
        .lacks("<strong class=\"wrong\">✗ false");
    let invalid = site.run_of(0, 2);
    let link = format!("{address}?run={invalid}&amp;query=1#evaluation");
    page.contains(&format!("href=\"{link}\">the model of {}", escaped(HOSTILE_SOLVER)));

    let page = site.page(&format!("{address}?run={invalid}&query=1")).await;
    page.contains("4 rows, 1 assertion is false</summary>")
        .contains("<details class=\"more\" open>")
        .contains("<strong class=\"wrong\">✗ false</strong>")
        .contains(&format!("href=\"{address}/evaluation.csv?run={invalid}&amp;query=1\""));
    // The subterms of the false assertion come first.
    let place = |term: &str| page.text.find(&format!("<code>{}</code>", escaped(term))).unwrap();
    assert!(place("(str.prefixof \"a\" x)") < place("(= (str.len x) 2)"));
    // The run leads to it, too.
    site.page(&format!("/run/{invalid}")).await.contains(&format!("href=\"{link}\""));
}

#[tokio::test]
async fn where_the_referee_examined_nothing_there_is_no_table() {
    let site = Site::new().await;
    for index in [1, 2, 240] {
        let address = format!("/instance/{}", site.instance(index));
        site.page(&address).await.lacks("Values of subterms");
        assert_eq!(
            site.get(&format!("{address}/evaluation.csv")).await.status,
            StatusCode::NOT_FOUND
        );
    }
    let address = format!("/instance/{}", site.instance(0));
    let without = site.run_of(0, 1);
    for (query, status) in [
        (format!("run={without}"), StatusCode::NOT_FOUND),
        ("run=777777".to_owned(), StatusCode::NOT_FOUND),
        ("query=2".to_owned(), StatusCode::NOT_FOUND),
        ("query=0".to_owned(), StatusCode::BAD_REQUEST),
        ("run=x".to_owned(), StatusCode::BAD_REQUEST),
    ] {
        for path in ["", "/evaluation.csv"] {
            let address = format!("{address}{path}?{query}");
            assert_eq!(site.get(&address).await.status, status, "{address}");
        }
    }
}

#[tokio::test]
async fn the_witness_of_the_script_comes_before_models_of_solvers() {
    let text = "(set-info :luthier-witness \"((define-fun x () String \"\"a<b\"\"))\")\n\
        (declare-const x String)\n(assert (str.prefixof \"a<\" x))\n(check-sat)\n";
    let (database, id) = with_instance(text);
    let site = Site::of(database).await;
    let page = site.page(&format!("/instance/{}", id.0)).await;
    page.contains("Under the witness that the file carries. ")
        .contains("<td><code>&quot;a&lt;b&quot;</code></td>")
        .contains("Values under another model:")
        .contains("the model of z3@4.8.12");
    let found = site.get(&format!("/api/v1/instances/{}/evaluation", id.0)).await;
    let found = json_of(&found.text);
    assert_eq!(found["model"], json!({"run": null, "query": 1, "outcome": null}));
    assert_eq!(found["models"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_long_table_is_cut_on_the_page_and_says_so() {
    let many: String = (0..400)
        .map(|number| format!("(assert (<= (str.len (str.++ x \"{number}\")) 5))\n"))
        .collect();
    let (database, id) = with_instance(&format!("(declare-const x String)\n{many}(check-sat)\n"));
    let site = Site::of(database).await;
    let page = site.page(&format!("/instance/{}", id.0)).await;
    page.contains("200 rows").contains("Left out here: 101 subterms of these assertions, and 300");
    let rows = |text: &str| text.lines().count() - 1;
    let csv = site.get(&format!("/instance/{}/evaluation.csv", id.0)).await;
    assert_eq!(rows(&csv.text), 1_000);
    let rest = format!("/api/v1/instances/{}/evaluation?limit=10", id.0);
    let found = json_of(&site.get(&rest).await.text);
    assert_eq!(found["rows"].as_array().unwrap().len(), 10);
    assert_eq!(found["assertions_cut"], 395);
}

#[tokio::test]
async fn rest_and_csv_have_the_rows_of_the_page() {
    let site = Site::new().await;
    let (number, invalid) = (site.instance(0), site.run_of(0, 2));
    let address = format!("/api/v1/instances/{number}/evaluation");
    let found = json_of(&site.get(&format!("{address}?run={invalid}")).await.text);
    let model = json!({"run": invalid, "query": 1, "outcome": "invalid"});
    assert_eq!(found["model"], model);
    assert_eq!(found["models"].as_array().unwrap().len(), 2);
    assert_eq!(found["models"][1], model);
    let csv = site.get(&format!("/instance/{number}/evaluation.csv?run={invalid}")).await;
    let lines: Vec<&str> = csv.text.split_terminator("\r\n").collect();
    assert_eq!(lines[0], "subterm,value,assertion,line,false");
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(rows.len(), lines.len() - 1);
    assert_eq!(
        rows[1],
        json!({
            "term": "(str.prefixof \"a\" x)", "value": "false",
            "assertion": "assertion 2 `begins`", "line": 5, "is_false": true
        })
    );
    assert_eq!(lines[2], "\"(str.prefixof \"\"a\"\" x)\",false,assertion 2 `begins`,5,true");
    for (query, status, code) in [
        ("run=777777", 404, "not-recorded"),
        ("query=0", 400, "bad-parameter"),
        ("limit=1001", 400, "bad-parameter"),
        ("runs=1", 400, "unknown-parameter"),
    ] {
        let reply = site.get(&format!("{address}?{query}")).await;
        let error = &json_of(&reply.text)["error"];
        assert_eq!((reply.status.as_u16(), &error["code"]), (status, &json!(code)), "{query}");
    }
    let none = site.get(&format!("/api/v1/instances/{}/evaluation", site.instance(1))).await;
    assert_eq!(json_of(&none.text)["error"]["code"], "not-recorded");
    let unknown = site.get("/api/v1/instances/99999/evaluation").await;
    assert_eq!(json_of(&unknown.text)["error"]["code"], "unknown-instance");
}
