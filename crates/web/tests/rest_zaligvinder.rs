//! The endpoints of ZaligVinder: their shapes, and what was wrong with them there.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::{FORMULA, HOSTILE, HOSTILE_SOLVER};
use crate::rest_support::{Site, encode};
use luthier_report::View;
use luthier_report::measures::{Competitor, standings};
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn solvers_sets_and_tracks_have_their_shapes() {
    let site = Site::new().await;
    assert_eq!(site.json("/solvers").await, json!(["cvc5@1.4.2", "z3@4.8.12", HOSTILE_SOLVER]));
    assert_eq!(site.json("/tracks/ids").await, json!([{"id": 2}, {"id": 1}]));
    assert_eq!(
        site.json("/tracks/groups").await,
        json!([{"id": "many & more"}, {"id": "troubles"}])
    );
    let info = json!({"many & more": [[2, ""]], "troubles": [[1, "first track"]]});
    assert_eq!(site.json("/tracks/info").await, info);
    assert_eq!(site.json("/tracks/info/").await, info, "its own pages ask with a slash at the end");
    let tracks = site.json("/tracks").await;
    assert_eq!(keys(&tracks[1]), ["name", "id", "benchmark", "instances"]);
    assert_eq!(tracks[1]["benchmark"], "troubles");
    assert_eq!(tracks[1]["instances"].as_array().unwrap().len(), 3);
    assert_eq!(tracks[1]["instances"][0], json!({"name": HOSTILE, "id": 1}));
    assert_eq!(tracks[0]["instances"].as_array().unwrap().len(), 250);
}

#[tokio::test]
async fn a_track_that_is_cut_goes_on_in_the_next_part() {
    let site = Site::new().await;
    let first = site.get("/tracks?limit=249").await;
    assert_eq!(first.header("x-total-count"), "253");
    assert_eq!(first.header("link"), "</tracks?limit=249&offset=249>; rel=\"next\"");
    assert_eq!(first.json().as_array().unwrap().len(), 1);
    let second = site.json("/tracks?limit=249&offset=249").await;
    let counts: Vec<usize> = second
        .as_array()
        .unwrap()
        .iter()
        .map(|track| track["instances"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [1, 3]);
}

#[tokio::test]
async fn instances_have_their_shapes() {
    let site = Site::new().await;
    let instances = site.json("/instances").await;
    assert_eq!(instances.as_array().unwrap().len(), 253);
    assert_eq!(instances[250], json!({"name": HOSTILE, "id": 1, "expected": 1}));
    assert_eq!(instances[252], json!({"name": "open.smt2", "id": 3, "expected": null}));
    let ids = json!([{"id": 1}, {"id": 2}, {"id": 3}]);
    assert_eq!(site.json("/instances/ids/track/1").await, ids);
    assert_eq!(site.json("/instances/ids/group/troubles").await, ids);
    let many = site.json(&format!("/instances/ids/group/{}", encode("many & more"))).await;
    assert_eq!(many.as_array().unwrap().len(), 250);
    assert_eq!(site.get("/instances/1/model.smt").await.bytes, FORMULA.as_bytes());
}

#[tokio::test]
async fn what_solvers_did_on_an_instance_is_told() {
    let site = Site::new().await;
    let hostile = encode(HOSTILE_SOLVER);
    let address = format!("/instances/solvers/1/?solvers=z3%404.8.12&solvers={hostile}");
    let reply = site.json(&address).await;
    let about = &reply["1"];
    let fixed = ["expected", "unique", "error", "name", "unknown", "ambiguous_answer"];
    assert_eq!(keys(about), [&["z3@4.8.12", HOSTILE_SOLVER][..], &fixed].concat());
    assert_eq!(
        (&about["expected"], &about["error"], &about["unknown"]),
        (&json!(1), &json!(1), &json!(1))
    );
    let wrong = json!({
        "timeouted": 0, "result": 0, "time": "1234.00", "error": 1, "unique_answer": 0,
        "programError": 0, "verified": null,
    });
    assert_eq!(about["z3@4.8.12"], wrong);
    assert_eq!(about[HOSTILE_SOLVER]["verified"], 0, "the model is invalid");
    let about = &site.json("/instances/solvers/1").await["1"];
    assert_eq!(about["cvc5@1.4.2"]["unique_answer"], 1);
    let about = &site.json("/instances/solvers/2").await["2"];
    assert_eq!(about["cvc5@1.4.2"]["programError"], 1, "it crashed");
    assert_eq!(about["z3@4.8.12"]["timeouted"], 1);
}

#[tokio::test]
async fn results_have_their_shapes() {
    let site = Site::new().await;
    let all = site.get("/results").await;
    assert_eq!(all.header("x-total-count"), "204");
    let of_track = site.json("/results/1").await;
    assert_eq!(of_track.as_array().unwrap().len(), 7);
    let first = json!({
        "solver": "cvc5@1.4.2", "instanceid": 1,
        "Result": {"timeouted": 0, "result": 1, "time": "1234.00"},
    });
    assert_eq!(of_track[0], first);
    let reference = json!({
        "result": 1,
        "satisfying solvers": ["cvc5@1.4.2", HOSTILE_SOLVER],
        "nsatisfying solvers": ["z3@4.8.12"],
    });
    assert_eq!(site.json("/results/reference/1").await, reference);
    let address = format!("/results/{}/1/", encode(HOSTILE_SOLVER));
    let output = site.get(&format!("{address}output")).await;
    assert_eq!(output.bytes, b"sat\n((define-fun x () String \"ba\"))\n");
    assert_eq!(output.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!(
        site.get(&format!("{address}model")).await.bytes,
        b"((define-fun x () String \"ba\"))"
    );
    assert_eq!(site.get("/results/z3%404.8.12/1/model").await.bytes, b"");
}

#[tokio::test]
async fn every_instance_is_counted_once_and_as_the_measures_do() {
    let site = Site::new().await;
    let results = site.results();
    for (place, view) in [
        ("", View::all(&results)),
        ("/1", View::all(&results).of_set(1)),
        ("/0?bgroup=troubles", View::all(&results).of_set(1)),
    ] {
        let distribution = match place {
            "" => site.json("/chart/distribution/0").await,
            "/1" => site.json("/chart/distribution/1").await,
            _ => site.json("/chart/distribution/troubles").await,
        };
        for standing in standings(&view) {
            let Competitor::Solver(solver) = standing.competitor else { continue };
            let label = &results.solvers[solver].label;
            let summary = site.json(&format!("/summary/{}{place}", encode(label))).await;
            let summary = &summary["Summary"];
            let expected = [
                "solver",
                "timeouted",
                "satisfied",
                "not satisfied",
                "error",
                "Unknown",
                "time",
                "instances",
            ];
            assert_eq!(keys(summary), expected);
            assert_eq!(summary["solver"], label.as_str());
            assert_eq!(summary["satisfied"], standing.solved_sat, "{label}{place}");
            assert_eq!(summary["not satisfied"], standing.solved_unsat, "{label}{place}");
            assert_eq!(summary["error"], standing.refuted, "{label}{place}");
            assert_eq!(summary["instances"], standing.instances, "{label}{place}");
            let counts = ["timeouted", "satisfied", "not satisfied", "error", "Unknown"];
            let sum: u64 = counts.iter().map(|key| summary[key].as_u64().unwrap()).sum();
            assert_eq!(sum, standing.instances, "{label}{place}");
            assert_eq!(distribution[label]["satis"], summary["satisfied"]);
            assert_eq!(distribution[label]["nsatis"], summary["not satisfied"]);
            assert_eq!(distribution[label]["unk"], summary["Unknown"]);
        }
    }
}

#[tokio::test]
async fn ranks_are_by_par2_with_the_limits_of_the_runs() {
    let site = Site::new().await;
    let ranks = site.json("/ranks/1/?bgroup=troubles").await;
    // cvc5 solved one of three in 1.234 s; the others cost twice the limit of 10 s each.
    let cvc5 = json!({"solver": "cvc5@1.4.2", "points": 41_234.0});
    assert_eq!(ranks[0], json!({"solver": HOSTILE_SOLVER, "points": 21_234.0}));
    assert_eq!(ranks[1], cvc5);
    assert_eq!(ranks[2], json!({"solver": "z3@4.8.12", "points": 40_000.0}), "its mean is worse");
}

#[tokio::test]
async fn charts_have_their_shapes_and_pictures() {
    let site = Site::new().await;
    let cactus = site.json("/chart/cactus?track=0&bgroup=many%20%26%20more").await;
    let line = cactus["cvc5@1.4.2"].as_array().unwrap();
    assert_eq!(line.len(), 197);
    assert_eq!(line[1], json!({"x": 1, "instance": 5, "time": 1234.0, "y": 2468.0}));
    let single = site.json("/chart/cactus?single=1&solver=1&limit=2").await;
    assert_eq!(keys(&single), ["cvc5@1.4.2"]);
    assert_eq!(single["cvc5@1.4.2"][1]["y"], 1234.0);
    let keywords = site.json("/chart/keywords").await;
    assert!(keywords.is_object());
    let scattered = site.json("/chart/scattered?solvers=1&solvers=2").await;
    assert_eq!(scattered, json!({"1": [1234.0, 1234.0], "2": [1234.0, 1234.0]}));
    for chart in ["cactus", "distribution/1", "keywords", "scattered"] {
        let png = site.get(&format!("/chart/{chart}?format=png")).await;
        assert!(png.bytes.starts_with(b"\x89PNG"), "{chart}");
        assert_eq!(png.header("content-type"), "image/png", "{chart}");
        let svg = site.get(&format!("/chart/{chart}?format=svg")).await;
        assert_eq!(svg.header("content-type"), "image/svg+xml", "{chart}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said_in_json() {
    let site = Site::new().await;
    for (address, code) in [
        ("/results/99", "unknown-track"),
        ("/results/reference/999", "unknown-instance"),
        ("/results/nobody/1/output", "unknown-solver"),
        ("/results/z3%404.8.12/250/output", "not-recorded"),
        ("/instances/999/model.smt", "unknown-instance"),
        ("/instances/ids/track/99", "unknown-track"),
        ("/instances/ids/group/nothing", "unknown-set"),
        ("/instances/solvers/999", "unknown-instance"),
        ("/instances/solvers/1?solvers=nobody", "unknown-solver"),
        ("/summary/nobody", "unknown-solver"),
        ("/summary/1/99", "unknown-track"),
        ("/ranks/99", "unknown-track"),
        ("/chart/distribution/nothing", "unknown-set"),
        ("/chart/nothing", "unknown-address"),
        ("/instances/..%2F..%2Fetc%2Fpasswd/model.smt", "bad-parameter"),
        ("/ranks/x", "bad-parameter"),
        ("/chart/cactus?format=gif", "bad-parameter"),
    ] {
        let reply = site.get(address).await;
        assert_eq!(reply.code(), code, "{address}");
        let status = if code == "bad-parameter" { 400 } else { 404 };
        assert_eq!(reply.status, status, "{address}");
    }
    let files = site.get("/files//etc/os-release").await;
    assert_eq!(files.status, 404);
    let ignored = site.get("/solvers?whatever=1").await;
    assert_eq!(ignored.status, 200, "clients of it may send more than it knows");
}
