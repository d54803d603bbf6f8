//! `luthier export --to benchexec` and `luthier import` of result files of BenchExec.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use std::fs;

use crate::common::Bench;
use crate::common::shop::{Shop, TWO, two_with};

/// As BenchExec 3.35 writes it, with what a competition has: timeouts, errors, a wrong answer.
const RESULTS: &str = r#"<?xml version="1.0" ?>
<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.0//EN' 'https://www.sosy-lab.org/benchexec/result-3.0.dtd'>
<result benchmarkname="qf-s" date="2026-11-18 16:00:00 UTC" tool="Z3" toolmodule="benchexec.tools.z3" version="4.8.12" options="-t:9" timelimit="10s" memlimit="4000000000B" generator="BenchExec 3.35" block="qf-s" name="default.qf-s">
  <columns><column title="status"/><column title="cputime"/><column title="walltime"/></columns>
  <systeminfo hostname="node7"><os name="Linux-6.1"/><cpu cores="8" frequency="3000000000Hz" model="Model X"/><ram size="64000000000B"/></systeminfo>
  <run name="sets/a.smt2.yml" files="[sets/a.smt2]" properties="satisfiable" propertyFile="satisfiable.prp" expectedVerdict="true">
    <column title="status" value="false"/><column title="cputime" value="0.5s"/><column title="walltime" value="0.6s"/><column title="memory" value="1000000B"/>
    <column hidden="true" title="category" value="wrong"/><column hidden="true" title="returnvalue" value="0"/>
  </run>
  <run name="sets/b.smt2.yml" files="[sets/b.smt2]" properties="satisfiable" expectedVerdict="true">
    <column title="status" value="TIMEOUT"/><column title="cputime" value="10.1s"/><column title="walltime" value="10.2s"/>
    <column hidden="true" title="exitsignal" value="9"/><column hidden="true" title="terminationreason" value="cputime"/>
  </run>
  <run name="sets/lost.smt2.yml" files="[sets/lost.smt2]" properties="satisfiable">
    <column title="status" value="unknown"/><column title="cputime" value="1s"/><column title="walltime" value="1s"/>
    <column hidden="true" title="returnvalue" value="0"/>
  </run>
  <run name="sets/c.smt2.yml" files="[sets/c.smt2]" properties="satisfiable"><column title="status" value=""/></run>
</result>
"#;

/// Two instances; the first is satisfiable, and says so.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("folder/sets/a.smt2", two_with("status sat"));
    bench.write("folder/sets/b.smt2", TWO);
    bench.write("r.xml", RESULTS);
    bench
}

#[test]
fn results_of_benchexec_are_judged_here() {
    let bench = bench();
    let import = ["import", "r.xml", "--folder", "folder", "--db", "r.db", "--json"];
    let record = bench.run(&import).expect(3).json();
    assert_eq!((&record["tool"], &record["tool_version"]), (&"Z3".into(), &"4.8.12".into()));
    assert_eq!((&record["runs_added"], &record["labels"]), (&3.into(), &2.into()));
    assert_eq!((&record["instances"], &record["instances_without_file"]), (&3.into(), &1.into()));
    assert_eq!(record["left_out"].as_array().unwrap().len(), 1, "{record}");
    assert_eq!(record["left_out"][0]["task"], "sets/c.smt2.yml");
    // `false` on a satisfiable instance is a wrong verdict, whatever the category says.
    let summary = bench.run(&["summary", "r.db", "--json"]).expect(2);
    let rows: serde_json::Value = serde_json::from_str(&summary.stdout).unwrap();
    let row = &rows.as_array().unwrap()[0];
    assert_eq!((&row["wrong"], &row["set"]), (&1.into(), &"qf-s".into()), "{rows}");
    bench.run(&["export", "r.db", "--to", "runs.jsonl"]).expect(0);
    let runs = fs::read_to_string(bench.path("runs.jsonl")).unwrap();
    let runs: Vec<serde_json::Value> =
        runs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| runs.iter().find(|run| run["name"] == name).unwrap();
    let first = of("sets/a.smt2");
    assert_eq!((&first["class"], &first["judgement"]), (&"unsat".into(), &"wrong".into()));
    assert_eq!((&first["cpu_seconds"], &first["wall_seconds"]), (&0.5.into(), &0.6.into()));
    assert_eq!(first["peak_memory_bytes"], 1_000_000);
    assert_eq!((&first["cpu_limit_seconds"], &first["family"]), (&10.0.into(), &"z3".into()));
    assert_eq!(of("sets/b.smt2")["class"], "timeout");
    assert_eq!(of("sets/lost.smt2")["class"], "unknown");
    // A second import adds nothing.
    let again = bench.run(&import).json();
    assert_eq!((&again["runs_added"], &again["runs_already_there"]), (&0.into(), &4.into()));
}

#[test]
fn packed_results_are_read_and_other_files_are_refused_with_a_reason() {
    let bench = bench();
    let mut packed = Vec::new();
    let mut encoder = bzip2::read::BzEncoder::new(RESULTS.as_bytes(), bzip2::Compression::fast());
    std::io::Read::read_to_end(&mut encoder, &mut packed).unwrap();
    bench.write("r.xml.bz2", &packed);
    bench.run(&["import", "r.xml.bz2", "--folder", "folder", "--db", "p.db"]).expect(3);
    let check = |content: &[u8], part: &str| {
        bench.write("bad.xml", content);
        let run = bench.run(&["import", "bad.xml", "--db", "bad.db"]).expect(1);
        assert!(run.stderr.contains(part), "{part} in {run:?}");
        assert!(!bench.path("bad.db").exists(), "nothing is made");
    };
    check(b"<html/>", "bad.xml:1: expected the element <result> of BenchExec, found <html>");
    check(b"<result>\n</run>", "bad.xml:2: ");
    check(&packed[..packed.len() / 2], "bad.xml: ");
    check(b"<result a=\"\xff\"/>", "bad.xml: it is not UTF-8");
}

#[test]
fn sets_become_tasks_that_come_back_as_results() {
    let shop = Shop::with(&two_with("status sat"));
    shop.bench.write("set/several.smt2", format!("{TWO}(check-sat)\n"));
    shop.bench.write("set/x/b'[1].smt2", TWO.replace("2)", "3)"));
    shop.solver("good", "echo sat");
    // It answers one of the two queries of `several`.
    shop.run(&["good"], &["--memory", "2GB"]);
    let export = ["export", "results.db", "--to", "benchexec", "--out", "tasks", "--json"];
    let record = shop.luthier(&export).expect(0).json();
    assert_eq!((&record["tasks"], &record["sets"]), (&2.into(), &1.into()));
    assert_eq!(record["with_expected_verdict"], 1);
    assert_eq!(record["several_queries"], 1);
    let read = |name: &str| fs::read_to_string(shop.bench.path(&format!("tasks/{name}"))).unwrap();
    assert_eq!(read("sets/set/a.smt2"), two_with("status sat"));
    let task = read("sets/set/a.smt2.yml");
    for part in ["format_version: '2.0'", "'a.smt2'", "'../../satisfiable.prp'", "verdict: true"] {
        assert!(task.contains(part), "{part} in {task}");
    }
    assert!(!read("sets/set/x/b'[1].smt2.yml").contains("expected_verdict"));
    assert!(read("set.set").contains("sets/set/x/b'[[]1].smt2.yml\n"), "{}", read("set.set"));
    let definition = read("good.xml");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&definition, options).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("timelimit"), Some("60s"));
    assert_eq!(root.attribute("memlimit"), Some("2000000000 B"));
    // Without a place for them nothing is written.
    let none = shop.luthier(&["export", "results.db", "--to", "benchexec"]).expect(1);
    assert!(none.stderr.contains("--to benchexec --out tasks"), "{none:?}");
    // What BenchExec reports about these tasks belongs to the same instances.
    let results = RESULTS.replace("[sets/a.smt2]", "[sets/set/a.smt2]");
    shop.bench.write("r.xml", results);
    shop.luthier(&["import", "r.xml", "--folder", "tasks", "--db", "results.db"]).expect(3);
    let rows = shop.rows();
    let imported = rows.iter().find(|row| {
        row["set"] == "set" && row["solver"].as_str().unwrap().ends_with("(BenchExec)")
    });
    assert_eq!(imported.expect("it counts in the set that was exported")["wrong"], 1, "{rows:?}");
}
