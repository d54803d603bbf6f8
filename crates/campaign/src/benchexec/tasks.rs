//! Task definitions (format 2.0) and benchmark definitions of BenchExec, as texts.
//!
//! An instance is a file `NAME.smt2` and, beside it, a definition `NAME.smt2.yml` with the property
//! `satisfiable` and, where the ground truth is known, the expected verdict. A configuration is a benchmark
//! definition with its limits and options; it takes the tasks of each set from a list.

use luthier_records::{Bytes, Configuration, Verdict};

/// The name of the file of the property.
pub const PROPERTY_FILE: &str = "satisfiable.prp";

/// The property. It is not one of SV-COMP, whose lines begin with `CHECK`, so BenchExec computes no score.
pub const PROPERTY_TEXT: &str = "satisfiable: the conjunction of all assertions has a model\n";

/// The definition of a task: the name of its file in the same folder, the way to the property, and the
/// verdict if it is known.
pub fn task_definition(file: &str, property: &str, expected: Option<Verdict>) -> String {
    let mut text = format!(
        "format_version: '2.0'\n\ninput_files: {}\n\nproperties:\n  - property_file: {}\n",
        yaml(file),
        yaml(property)
    );
    match expected {
        Some(Verdict::Sat) => text.push_str("    expected_verdict: true\n"),
        Some(Verdict::Unsat) => text.push_str("    expected_verdict: false\n"),
        Some(Verdict::Unknown) | None => {}
    }
    text
}

/// The benchmark definition of a configuration. `sets` are names and lists of tasks.
pub fn benchmark_definition(configuration: &Configuration, sets: &[(String, String)]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec \
         benchmark 2.3//EN\"\n    \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n",
    );
    let limits = &configuration.limits;
    let mut attributes = format!(" tool={}", xml(&configuration.solver));
    // BenchExec counts whole seconds.
    let seconds = limits.cpu.0.as_secs() + u64::from(limits.cpu.0.subsec_nanos() > 0);
    if limits.cpu.0 != std::time::Duration::MAX {
        attributes.push_str(&format!(" timelimit=\"{seconds}s\""));
    }
    if limits.memory != Bytes(u64::MAX) {
        attributes.push_str(&format!(" memlimit=\"{} B\"", limits.memory.0));
    }
    text.push_str(&format!("<benchmark{attributes} cpuCores=\"1\">\n"));
    text.push_str(&format!("  <rundefinition name={}>\n", xml(&file_name(&configuration.name))));
    // The tool module adds the file itself.
    for option in configuration.arguments.iter().filter(|option| !option.contains("{file}")) {
        text.push_str(&format!("    <option name={}/>\n", xml(option)));
    }
    text.push_str("  </rundefinition>\n");
    text.push_str(&format!("  <propertyfile>{PROPERTY_FILE}</propertyfile>\n"));
    for (name, list) in sets {
        text.push_str(&format!("  <tasks name={}>\n", xml(name)));
        text.push_str(&format!("    <includesfile>{}</includesfile>\n  </tasks>\n", escaped(list)));
    }
    text.push_str("</benchmark>\n");
    text
}

/// A name without what is special in names of files.
pub fn file_name(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@' | '+' | '=');
    name.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}

/// A single-quoted scalar.
fn yaml(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn xml(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_its_verdict_only_if_it_is_known() {
        let text = task_definition("it's.smt2", "../satisfiable.prp", Some(Verdict::Unsat));
        assert!(text.contains("input_files: 'it''s.smt2'\n"), "{text}");
        assert!(text.ends_with("'../satisfiable.prp'\n    expected_verdict: false\n"), "{text}");
        assert!(!task_definition("a", "b", None).contains("expected"));
    }

    #[test]
    fn names_are_escaped() {
        assert_eq!(xml("a<b & \"c\""), "\"a&lt;b &amp; &quot;c&quot;\"");
        assert_eq!(file_name("z3@5.4.0 smt.x=1/2"), "z3@5.4.0_smt.x=1_2");
    }
}
