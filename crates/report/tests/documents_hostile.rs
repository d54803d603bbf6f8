//! Names that could be taken for markup or commands, in every format; and empty documents.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::results;
use luthier_report::documents::{
    Audience, ChartName, Document, DocumentScope, PaperOptions, SectionName, asciidoc, csv, html,
    json, junit, latex, markdown, paper, tikz,
};
use luthier_report::{Results, View};
use roxmltree::{Document as Xml, ParsingOptions};

/// Markup of all formats, quotation marks, control characters, writing from right to left.
const HOSTILE: &str = "=cmd|' /C calc'!A0<script>alert(\"x\")</script>&amp;\\input{/etc/passwd}%_^~$#{}\
                       ../..//[x](https://y.z)|*b*`c`++++\u{202E}\u{0}\r\n|===\n中\u{1F600}\u{7F}";

fn hostile() -> Results {
    let mut results = results(
        "# place        expected features | a            | b
         set/track/one  sat      str.len  | sat 1 valid  | unsat 2
         set/track/two  unsat    str.at   | crash        | timeout
         set/x/three    -        ?        | unsupported  | sat invalid",
    );
    results.solvers[0].label = HOSTILE.to_owned();
    results.solvers[0].configuration.arguments.push(HOSTILE.to_owned());
    results.sets[0].name = HOSTILE.to_owned();
    results.tracks[0].name = HOSTILE.to_owned();
    results.campaigns[0].campaign.machine.processor = HOSTILE.to_owned();
    for entry in &mut results.entries {
        entry.name = HOSTILE.into();
    }
    results.features[0] = HOSTILE.to_owned();
    results
}

fn document(results: &Results) -> Document {
    let options = PaperOptions {
        title: HOSTILE.to_owned(),
        chosen: vec![(HOSTILE.to_owned(), HOSTILE.to_owned())],
        sections: Vec::new(),
        most_findings: 100,
        charts: true,
        detail: &|_| Some(HOSTILE.to_owned()),
    };
    paper(&View::all(results), &options)
}

/// No character that XML forbids, that turns the direction of writing or moves a cursor.
#[track_caller]
fn check_visible(text: &str) {
    let is_bad = |one: &char| (one.is_control() && *one != '\n') || *one == '\u{202E}';
    assert_eq!(text.chars().find(is_bad), None);
}

#[test]
fn html_shows_hostile_names_as_text() {
    let results = hostile();
    let text = html(&document(&results));
    check_visible(&text);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let xml = Xml::parse_with_options(&text, options).unwrap();
    let mut nodes = xml.descendants();
    assert!(!nodes.any(|node| matches!(node.tag_name().name(), "script" | "b" | "code")));
    let written: Vec<_> = xml
        .descendants()
        .filter_map(|node| node.text())
        .filter(|text| text.contains("<script>alert(\"x\")</script>&amp;\\input"))
        .collect();
    assert!(written.len() > 10, "{written:?}");
    assert!(written[0].contains("\\u{202e}\\u{0}\\r\\n"), "{written:?}");
}

#[test]
fn junit_is_well_formed_and_counts_what_it_has() {
    let results = hostile();
    let text = junit(&View::all(&results), HOSTILE);
    check_visible(&text);
    let xml = Xml::parse(&text).unwrap();
    let suites: Vec<_> =
        xml.root_element().children().filter(|node| node.has_tag_name("testsuite")).collect();
    assert_eq!(suites.len(), 2);
    let counts = |suite: &roxmltree::Node<'_, '_>| {
        ["tests", "failures", "errors", "skipped", "time"]
            .map(|name| suite.attribute(name).unwrap().to_owned())
            .join(" ")
    };
    assert_eq!(counts(&suites[0]), "3 0 1 1 3.000");
    assert_eq!(counts(&suites[1]), "3 2 0 1 13.000");
    for suite in &suites {
        for (attribute, element) in [
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped", "skipped"),
        ] {
            let found = suite.descendants().filter(|node| node.has_tag_name(element)).count();
            assert_eq!(suite.attribute(attribute).unwrap(), found.to_string());
        }
    }
    let failures: Vec<&str> = suites[1]
        .descendants()
        .filter(|node| node.has_tag_name("failure"))
        .map(|node| node.attribute("type").unwrap())
        .collect();
    assert_eq!(failures, ["wrong-unsat", "invalid-model"]);
    let message = suites[1].descendants().find(|node| node.has_tag_name("failure")).unwrap();
    let message = message.attribute("message").unwrap();
    assert!(message.contains("ended as unsat; it is sat (by planted)"), "{message}");
    let case = suites[0].first_element_child().unwrap();
    assert!(case.attribute("classname").unwrap().contains("<script>"));
}

#[test]
fn latex_has_no_command_of_a_name() {
    let results = hostile();
    let document = document(&results);
    for whole in [DocumentScope::Fragments, DocumentScope::Standalone] {
        assert!(latex(&document, whole).contains("U+4E2D"));
        for text in [latex(&document, whole), tikz(&document, whole)] {
            check_visible(&text);
            // Comments may say anything; they end with their line.
            let lines = text.lines().filter(|line| !line.starts_with('%'));
            let text: String = lines.map(|line| format!("{line}\n")).collect();
            assert!(!text.contains("\\input{"), "{text}");
            assert!(!text.contains("中"), "{text}");
            // Whatever opens is closed, unless it is written out.
            let plain = text.replace("\\{", "").replace("\\}", "");
            assert_eq!(plain.matches('{').count(), plain.matches('}').count(), "{plain}");
        }
    }
}

#[test]
fn markdown_and_asciidoc_have_no_markup_of_a_name() {
    let results = hostile();
    let document = document(&results);
    let text = markdown(&document);
    check_visible(&text);
    assert!(!text.contains("<script>") && !text.contains("[x]("), "{text}");
    assert!(!text.contains("https://"), "{text}");
    let mut tables = text.lines().filter(|line| line.starts_with('|'));
    assert!(tables.all(|line| line.ends_with('|')));
    let text = asciidoc(&document);
    // Pictures are SVG with its own escaping, so only what stands outside of them is looked at.
    let outside: String = text.split("++++\n").step_by(2).collect();
    check_visible(&outside);
    assert!(!outside.contains("<script>") && !outside.contains("link:"), "{outside}");
    assert!(!outside.contains("https://") && !outside.contains("*b*"), "{outside}");
    let bars = outside.lines().filter(|line| *line == "|===").count();
    assert_eq!(bars % 2, 0);
}

#[test]
fn csv_and_json_give_names_back_byte_for_byte() {
    let results = hostile();
    let document = document(&results);
    let standings =
        document.tables(Audience::Programs).find(|one| one.name == "standings").unwrap();
    let text = csv(standings);
    let quoted = format!("\"{}\"", HOSTILE.replace('"', "\"\""));
    assert!(text.contains(&quoted), "{text}");
    let object: serde_json::Value = serde_json::from_str(&json(&document)).unwrap();
    assert_eq!(object["tables"]["standings"][0]["solver"], HOSTILE);
    assert_eq!(object["title"], HOSTILE);
}

#[test]
fn documents_about_nothing_are_documents() {
    let results = Results::default();
    let document = document(&results);
    assert_eq!(document.sections.len(), SectionName::ALL.len());
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    assert!(Xml::parse_with_options(&html(&document), options).is_ok());
    assert!(Xml::parse(&junit(&View::all(&results), "nothing")).is_ok());
    for text in
        [latex(&document, DocumentScope::Standalone), markdown(&document), asciidoc(&document)]
    {
        assert!(text.contains("No wrong answers"), "{text}");
    }
    assert!(ChartName::Scatter.of(&View::all(&results)).is_err());
    assert!(ChartName::Timeline.of(&View::all(&results)).is_err());
}

#[test]
fn only_the_sections_that_are_asked_for_are_made() {
    let results = hostile();
    let options = PaperOptions {
        title: String::new(),
        chosen: Vec::new(),
        sections: vec![SectionName::Totals, SectionName::Findings],
        most_findings: 1,
        charts: false,
        detail: &|_| None,
    };
    let document = paper(&View::all(&results), &options);
    let names: Vec<&str> = document.sections.iter().map(|section| section.name).collect();
    assert_eq!(names, ["findings", "totals"]);
    assert_eq!(document.pictures().count(), 0);
}
