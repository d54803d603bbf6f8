//! `/api/v1`: paging, filters, errors, caching, and figures that are those of the measures.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::collections::HashSet;

use crate::common::{FORMULA, HOSTILE, HOSTILE_SOLVER};
use crate::rest_support::{Site, encode};
use axum::http::Method;
use luthier_report::measures::{
    ChangeKind, FindingKind, NoiseBand, Side, changes, competition, contributions, findings,
    standings,
};
use luthier_report::{View, plots};
use luthier_store::Store;
use serde_json::{Value, json};

#[tokio::test]
async fn lists_are_given_in_parts_that_lead_to_each_other() {
    let site = Site::new().await;
    let mut address = "/api/v1/instances?limit=100".to_owned();
    let mut places = HashSet::new();
    let mut parts = 0;
    loop {
        let reply = site.get(&address).await;
        let page = reply.json();
        assert_eq!((page["total"].as_u64(), reply.header("x-total-count")), (Some(253), "253"));
        for item in page["items"].as_array().unwrap() {
            assert!(places.insert(item["place"].to_string()), "{item}");
        }
        parts += 1;
        let Some(next) = page["next"].as_str() else { break };
        assert_eq!(reply.header("link"), format!("<{next}>; rel=\"next\""));
        address = next.to_owned();
    }
    assert_eq!((parts, places.len()), (3, 253));
    let beyond = site.json("/api/v1/instances?offset=9223372036854775807").await;
    assert_eq!((&beyond["items"], &beyond["next"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn filters_and_orders_choose_instances() {
    let site = Site::new().await;
    let total = async |query: &str| {
        let page = site.json(&format!("/api/v1/instances?{query}")).await;
        page["total"].as_u64().unwrap()
    };
    assert_eq!(total("set=troubles").await, 3);
    assert_eq!(total("set=1&track=first%20track").await, 3);
    assert_eq!(total("track=troubles/first%20track").await, 3);
    assert_eq!(total("kind=wrong").await, 1);
    assert_eq!(total("kind=crashed&of=1").await, 1);
    assert_eq!(total("kind=crashed&of=2").await, 0);
    assert_eq!(total("expected=sat").await, 251);
    assert_eq!(total("text=FILE-00").await, 10);
    assert_eq!(total("min_size=100000").await, 0);
    assert_eq!(total(&format!("set=troubles&solver={}", encode(HOSTILE_SOLVER))).await, 3);
    let page = site.json("/api/v1/instances?sort=-place&limit=1").await;
    assert_eq!(page["items"][0]["place"]["set"]["name"], "troubles");
    let page = site.json("/api/v1/instances?sort=-time:1&limit=1&solver=1").await;
    assert_eq!(page["items"][0]["runs"][0]["class"], "crash");
}

#[tokio::test]
async fn unknown_names_are_not_found_and_wrong_forms_are_bad_requests() {
    let site = Site::new().await;
    for (address, code) in [
        ("/api/v1/instances/99999", "unknown-instance"),
        ("/api/v1/instances/99999/input", "unknown-instance"),
        ("/api/v1/runs/99999", "unknown-run"),
        ("/api/v1/runs/99999/stdout", "unknown-run"),
        ("/api/v1/standings?set=nothing", "unknown-set"),
        ("/api/v1/standings?track=nothing", "unknown-track"),
        ("/api/v1/standings?solver=nobody", "unknown-solver"),
        ("/api/v1/standings?campaign=nothing", "unknown-campaign"),
        ("/api/v1/instances?feature=nothing", "unknown-feature"),
        ("/api/v1/instances?sort=time:nobody", "unknown-solver"),
        ("/api/v1/charts/timeline.svg?family=nobody", "unknown-family"),
        ("/api/v1/charts/pie.svg", "unknown-address"),
        ("/api/v2", "unknown-address"),
    ] {
        let reply = site.get(address).await;
        assert_eq!((reply.status.as_u16(), reply.code().as_str()), (404, code), "{address}");
    }
    for (address, parameter) in [
        ("/api/v1/instances?limit=0", "limit"),
        ("/api/v1/instances?limit=1001", "limit"),
        ("/api/v1/instances?offset=-1", "offset"),
        ("/api/v1/instances?kind=nothing", "kind"),
        ("/api/v1/instances?sort=speed", "sort"),
        ("/api/v1/instances?set=", "set"),
        ("/api/v1/instances?set=1&set=2", "set"),
        ("/api/v1/instances?sett=1", "sett"),
        ("/api/v1/instances/x", "number"),
        ("/api/v1/runs/-1", "number"),
        ("/api/v1/changes?before=1", "after"),
        ("/api/v1/charts/scatter.png?x=1", "y"),
        ("/api/v1/findings?kind=nothing", "kind"),
    ] {
        let reply = site.get(address).await;
        let error = &reply.json()["error"];
        assert_eq!(
            (reply.status.as_u16(), &error["parameter"]),
            (400, &json!(parameter)),
            "{address}"
        );
        assert!(error["allowed"].is_string(), "{address}: {error}");
    }
}

#[tokio::test]
async fn other_methods_and_hosts_are_refused_in_json() {
    let site = Site::new().await;
    for address in ["/api/v1/standings", "/results", "/api/v1/nothing"] {
        let reply = site.send(Method::POST, address, ("accept", "*/*")).await;
        assert_eq!(
            (reply.status.as_u16(), reply.code().as_str()),
            (405, "bad-method"),
            "{address}"
        );
        assert_eq!(reply.header("allow"), "GET, HEAD");
    }
    let request = axum::http::Request::get("/solvers").header("host", "evil.example");
    let reply = site.ask(request.body(axum::body::Body::empty()).unwrap()).await;
    assert_eq!((reply.status.as_u16(), reply.code().as_str()), (421, "bad-host"));
    let page = site.get("/set/99999").await;
    assert!(page.header("content-type").starts_with("text/html"), "pages stay pages");
    let head = site.send(Method::HEAD, "/api/v1/standings", ("accept", "*/*")).await;
    assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
    assert_eq!(head.header("content-type"), "application/json");
}

#[tokio::test]
async fn an_answer_that_is_known_is_not_sent_again() {
    let site = Site::new().await;
    for address in ["/api/v1/standings", "/api/v1/instances/1", "/chart/cactus?format=png"] {
        let first = site.get(address).await;
        let tag = first.header("etag").to_owned();
        assert_eq!(first.header("cache-control"), "no-cache");
        let again = site.send(Method::GET, address, ("if-none-match", &tag)).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{address}");
        assert_eq!(again.header("etag"), tag);
        let other = site.send(Method::GET, address, ("if-none-match", "\"other\"")).await;
        assert_eq!((other.status.as_u16(), &other.bytes), (200, &first.bytes), "{address}");
    }
    let tags = [site.get("/api/v1/standings").await, site.get("/api/v1/standings?set=1").await];
    assert_ne!(tags[0].header("etag"), tags[1].header("etag"));
}

#[tokio::test]
async fn instances_come_as_a_table_too() {
    let site = Site::new().await;
    let page = site.json("/api/v1/instances?limit=7&offset=1").await;
    let reply = site.get("/api/v1/instances.csv?limit=7&offset=1").await;
    assert_eq!(reply.headers["content-type"], "text/csv; charset=utf-8");
    assert_eq!(reply.headers["x-total-count"], page["total"].to_string());
    assert!(reply.headers["link"].to_str().unwrap().contains("/api/v1/instances.csv?"));
    let text = String::from_utf8(reply.bytes).unwrap();
    let mut lines = text.split_terminator("\r\n");
    assert!(lines.next().unwrap().starts_with("instance,set,track,name,size,"));
    let mut expected = Vec::new();
    for item in page["items"].as_array().unwrap() {
        let runs = item["runs"].as_array().unwrap();
        let number = |run: Option<&Value>| {
            format!(
                "{} {}",
                item["number"],
                run.map_or(String::new(), |run| run["run"].to_string())
            )
        };
        expected.extend(runs.iter().map(|run| number(Some(run))));
        expected.extend(runs.is_empty().then(|| number(None)));
    }
    let found: Vec<String> = lines
        .map(|line| {
            let first = line.split(',').next().unwrap();
            // Names may have commas, so runs are counted from the end.
            format!("{first} {}", line.rsplit(',').nth(7).unwrap())
        })
        .collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn figures_are_those_of_the_measures() {
    let site = Site::new().await;
    let results = site.results();
    let view = View::all(&results);
    let rows = site.json("/api/v1/standings").await;
    for (row, standing) in rows["standings"].as_array().unwrap().iter().zip(standings(&view)) {
        assert_eq!(row["solved"], standing.solved);
        assert_eq!(row["unique"], standing.unique);
        assert_eq!(row["refuted"], standing.refuted);
        assert_eq!(row["missing"], standing.missing);
        assert_eq!(row["rank"], json!(standing.rank));
        assert_eq!(row["par2"].as_f64().unwrap(), standing.par2.as_secs_f64());
        assert_eq!(row["par2_mean"].as_f64(), standing.par2_mean());
        assert_eq!(row["runs"]["total"], standing.score.total);
        assert_eq!(row["runs"]["wrong"], standing.score.wrong);
    }
    let scores = site.json("/api/v1/competition").await;
    let expected = competition(&view);
    assert_eq!(scores["instances"], expected.entries);
    for (rows, table) in scores["tables"].as_array().unwrap().iter().zip(&expected.tables) {
        for (row, score) in rows["scores"].as_array().unwrap().iter().zip(table.by_rank()) {
            assert_eq!(
                (&row["errors"], &row["solved"]),
                (&json!(score.errors), &json!(score.solved))
            );
            assert_eq!(row["solver"]["number"], results.solvers[score.solver].number);
        }
    }
    let rows = site.json("/api/v1/contribution").await;
    for (row, one) in rows["solvers"].as_array().unwrap().iter().zip(contributions(&view).solvers) {
        assert_eq!((&row["solved"], &row["best_on"]), (&json!(one.solved), &json!(one.best_on)));
    }
    let rows = site.json("/api/v1/findings?limit=1000").await;
    let expected = findings(&view, usize::MAX);
    for kind in FindingKind::observed() {
        assert_eq!(rows["counts"][kind.name()], expected.count(kind), "{}", kind.name());
    }
    // Kinds that only a hunt can find are no rows here.
    assert_eq!(rows["counts"].as_object().unwrap().len(), FindingKind::observed().count());
    let wrong = site.json("/api/v1/findings?kind=wrong-verdict").await;
    let kinds = FindingKind::named("wrong-verdict").into_iter();
    assert_eq!(wrong["findings"]["total"], kinds.map(|kind| expected.count(kind)).sum::<u64>());
    assert_eq!(rows["findings"]["total"], expected.list.len());
    let rows = site.json("/api/v1/changes?before=1&after=2&kind=same").await;
    let side = |solver| Side { solver, campaign: None };
    let expected = changes(&view, side(0), side(1), NoiseBand::default());
    for kind in ChangeKind::ALL {
        assert_eq!(rows["counts"][kind.name()], expected.tally.count(kind), "{}", kind.name());
    }
    let cactus = site.json("/api/v1/charts/cactus.json").await;
    let series = plots::cactus(&view, plots::VirtualBest::Shown).series();
    let total: usize = series.iter().map(|series| series.rows.len()).sum();
    assert_eq!(cactus["total"], total);
    let lengths = cactus["series"].as_array().unwrap().iter();
    let lengths: Vec<usize> = lengths.map(|one| one["values"].as_array().unwrap().len()).collect();
    assert_eq!(lengths, series.iter().map(|one| one.rows.len()).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_instance_and_its_runs_are_told_completely() {
    let site = Site::new().await;
    let instance = site.json("/api/v1/instances/1").await;
    assert_eq!(instance["places"][0]["name"], HOSTILE);
    assert_eq!(instance["places"][0]["queries"][0]["expected"], "sat");
    assert_eq!(instance["runs"]["total"], 3);
    let runs = instance["runs"]["items"].as_array().unwrap();
    let judged: Vec<&Value> = runs.iter().map(|run| &run["answers"][0]["judgement"]).collect();
    assert_eq!(judged, ["right", "wrong", "right"]);
    assert_eq!(runs[2]["solver"]["name"], HOSTILE_SOLVER);
    assert_eq!(runs[2]["answers"][0]["model"]["outcome"], "invalid");
    let input = site.get(instance["input"].as_str().unwrap()).await;
    assert_eq!(input.bytes, FORMULA.as_bytes());
    let run = site.json(&format!("/api/v1/runs/{}", runs[2]["number"])).await;
    let trace = &run["answers"][0]["model"]["trace"];
    assert_eq!((&trace["outcome"], &trace["failing"][0]["line"]), (&json!("invalid"), &json!(5)));
    assert!(run["command"].as_str().unwrap().contains("--copy"));
    assert_eq!(run["command_note"], "the program is <another> one now");
    assert_eq!((&run["cpu"], &run["wall"]), (&json!(1.234), &json!(1.3)));
    assert_eq!(run["started"], "2023-11-14T22:13:21Z");
    let stdout = site.get(run["stdout"].as_str().unwrap()).await;
    assert!(stdout.bytes.starts_with(b"sat\n"));
    let page = site.json("/api/v1/instances/1?limit=1&offset=1").await;
    assert_eq!(page["runs"]["items"].as_array().unwrap().len(), 1);
    assert_eq!(page["runs"]["next"], "/api/v1/instances/1?limit=1&offset=2");
}

#[tokio::test]
async fn charts_are_pictures_and_data_in_parts() {
    let site = Site::new().await;
    let svg = site.get("/api/v1/charts/scatter.svg?x=1&y=2").await;
    assert!(svg.bytes.starts_with(b"<?xml"));
    assert!(!String::from_utf8_lossy(&svg.bytes).contains("<script"));
    let png = site.get("/api/v1/charts/timeline.png?measure=par2").await;
    assert!(png.bytes.starts_with(b"\x89PNG"));
    let first = site.json("/api/v1/charts/cactus.json?limit=3&virtual_best=hidden").await;
    assert_eq!(first["series"][0]["values"].as_array().unwrap().len(), 3);
    assert_eq!(first["x"]["scale"], "linear");
    let next = site.json(first["next"].as_str().unwrap()).await;
    assert_eq!(next["offset"], 3);
}

#[tokio::test]
async fn answers_change_with_the_database() {
    let site = Site::new().await;
    let listening = site.database.listen().await;
    let router = luthier_web::router(listening.app());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(listening.serve(async {
        let _ = stopped.await;
    }));
    let ask = async || {
        let request = axum::http::Request::get("/api/v1/standings").header("host", "localhost");
        let request = request.body(axum::body::Body::empty()).unwrap();
        let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
        let tag = response.headers()["etag"].to_str().unwrap().to_owned();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (tag, serde_json::from_slice::<Value>(&bytes).unwrap()["standings"][1]["solved"].as_u64())
    };
    let before = ask().await;
    let mut store = Store::open(site.database.path()).unwrap();
    site.database.add(
        &mut store,
        1,
        5,
        &crate::common::sat("ab", luthier_records::ModelOutcome::Valid, None),
    );
    store.close().unwrap();
    let mut after = ask().await;
    for _ in 0..600 {
        if after.0 != before.0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        after = ask().await;
    }
    assert_ne!(after.0, before.0);
    assert_eq!(after.1.unwrap(), before.1.unwrap() + 1);
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
}
