//! The same figures in every format: what is written is read back, cell by cell.
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::results;
use luthier_report::documents::{
    Audience, Document, DocumentScope, PaperOptions, Table, Value, asciidoc, csv, html, json,
    latex, markdown, paper,
};
use luthier_report::{View, figures};
use roxmltree::{Document as Xml, Node, ParsingOptions};

const TABLE: &str = "
# place             expected  features     | a limit=10         | b limit=20          | c@2 limit=10
one/t/a.smt2        sat       str.len      | sat 1.5 valid      | unsat 2             | sat 0.25
one/t/b.smt2        unsat     str.len,re.+ | timeout            | unsat 3.125         | unsat 9.5
one/u/c.smt2        -         re.+         | unknown 4          | sat 1               | crash 0.5
two/d.smt2          sat       str.at       | sat 0.001 invalid  | sat 0.0004 valid    | -
two/e.smt2          unsat     -            | unsat 2 minimal    | memout 7            | framework-error
two/f.smt2          sat       ?            | sat 1, sat 3       | sat 1234.5          | unsupported
";

fn document(results: &luthier_report::Results, charts: bool) -> Document {
    let options = PaperOptions {
        title: "A title".to_owned(),
        chosen: Vec::new(),
        sections: Vec::new(),
        most_findings: 100,
        charts,
        detail: &|_| Some("more, about \"it\"".to_owned()),
    };
    paper(&View::all(results), &options)
}

/// Every table for people: caption, titles, cells as they are shown.
fn shown(document: &Document) -> Vec<(String, Vec<Vec<String>>)> {
    let tables = document.tables(Audience::People).filter(|table| !table.rows.is_empty());
    tables
        .map(|table| {
            let table = table.for_people();
            let mut rows = vec![table.columns.iter().map(|column| column.title.clone()).collect()];
            rows.extend(
                table.rows.iter().map(|row| row.cells.iter().map(Value::shown).collect::<Vec<_>>()),
            );
            (table.caption, rows)
        })
        .collect()
}

#[track_caller]
fn check(read: &[Vec<Vec<String>>], document: &Document) {
    let expected = shown(document);
    assert_eq!(read.len(), expected.len());
    for (read, (caption, expected)) in read.iter().zip(&expected) {
        assert_eq!(read, expected, "{caption}");
    }
}

#[test]
fn markdown_has_every_figure() {
    let results = results(TABLE);
    let document = document(&results, false);
    let text = markdown(&document);
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix('|')) else {
            is_inside = false;
            continue;
        };
        if !std::mem::replace(&mut is_inside, true) {
            tables.push(Vec::new());
        }
        let rows = tables.last_mut().unwrap();
        let is_rule = cells.chars().all(|one| "-:| ".contains(one)) && rows.len() == 1;
        if !is_rule {
            let cells = cells.split('|').map(|cell| cell.trim().replace('\\', ""));
            rows.push(cells.collect());
        }
    }
    // The rule below the titles is gone; a row of dashes cannot be mistaken for it.
    check(&tables, &document);
}

#[test]
fn html_has_every_figure_and_is_well_formed() {
    let results = results(TABLE);
    let document = document(&results, true);
    let text = html(&document);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let xml = Xml::parse_with_options(&text, options).unwrap();
    let is = |name: &'static str| move |node: &Node<'_, '_>| node.tag_name().name() == name;
    let tables: Vec<Vec<Vec<String>>> = xml
        .descendants()
        .filter(is("table"))
        .map(|table| {
            let rows = table.descendants().filter(is("tr"));
            rows.map(|row| {
                let cells = row.children().filter(Node::is_element);
                cells.map(|cell| cell.text().unwrap_or_default().to_owned()).collect()
            })
            .collect()
        })
        .collect();
    check(&tables, &document);
    for forbidden in ["script", "link", "img", "iframe", "object"] {
        assert!(!xml.descendants().any(|node| node.tag_name().name() == forbidden), "{forbidden}");
    }
    let pictures = xml.descendants().filter(is("svg")).count();
    assert_eq!(pictures, document.pictures().count());
    assert!(pictures >= 4);
    // Nothing is asked from elsewhere: addresses are only those of name spaces and of sections.
    for node in xml.descendants().filter(Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("://") && !value.contains("url(http"), "{value}");
        }
    }
}

#[test]
fn latex_has_every_figure() {
    let results = results(TABLE);
    let document = document(&results, false);
    for whole in [DocumentScope::Fragments, DocumentScope::Standalone] {
        let text = latex(&document, whole);
        let mut tables = Vec::new();
        for part in text.split("\\toprule\n").skip(1) {
            let body = part.split("\\bottomrule").next().unwrap();
            let mut rows = Vec::new();
            for line in body.lines().filter(|line| line.ends_with("\\\\")) {
                let cells = line.trim_end_matches("\\\\").split(" & ");
                rows.push(cells.map(from_latex).collect::<Vec<_>>());
            }
            tables.push(rows);
        }
        check(&tables, &document);
    }
}

fn from_latex(cell: &str) -> String {
    let cell = cell.trim().replace("$-$", "-").replace("\\allowbreak{}", "");
    let cell = cell.replace("\\rotatebox{90}", "").replace("\\penalty5000{}", "");
    let cell =
        cell.replace("\\textquotedbl{}", "\"").replace("\\{", "\u{1}").replace("\\}", "\u{2}");
    let plain: String = cell.chars().filter(|one| !matches!(one, '\\' | '{' | '}')).collect();
    plain.replace('\u{1}', "{").replace('\u{2}', "}")
}

#[test]
fn asciidoc_has_every_figure() {
    let results = results(TABLE);
    let document = document(&results, false);
    let text = asciidoc(&document);
    let mut tables = Vec::new();
    for part in text.split("\n|===\n").skip(1).step_by(2) {
        let rows = part.split("\n\n").map(|row| {
            let cells = row.lines().map(|line| from_references(line.strip_prefix('|').unwrap()));
            cells.collect::<Vec<_>>()
        });
        tables.push(rows.collect::<Vec<_>>());
    }
    check(&tables, &document);
}

/// Reads `&#42;`.
fn from_references(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut plain = parts.next().unwrap().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(';').unwrap();
        plain.push(char::from_u32(number.parse().unwrap()).unwrap());
        plain.push_str(rest);
    }
    plain
}

#[test]
fn json_and_csv_have_the_exact_figures() {
    let results = results(TABLE);
    let document = document(&results, false);
    let object: serde_json::Value = serde_json::from_str(&json(&document)).unwrap();
    assert_eq!(object["version"], 2);
    for table in document.tables(Audience::Programs) {
        let rows = object["tables"][&table.name].as_array().unwrap();
        assert_eq!(rows.len(), table.rows.len());
        let text = csv(table);
        let records: Vec<Vec<String>> = text.trim_end().split("\r\n").map(split_record).collect();
        assert_eq!(records.len(), table.rows.len() + 1);
        for (index, row) in table.rows.iter().enumerate() {
            for (position, (column, cell)) in table.columns.iter().zip(&row.cells).enumerate() {
                let field = &records[index + 1][position];
                check_exact(cell, &rows[index][&column.name], field, table);
            }
        }
    }
}

#[track_caller]
fn check_exact(cell: &Value, json: &serde_json::Value, field: &str, table: &Table) {
    let name = &table.name;
    match cell {
        Value::Text(text) => {
            assert_eq!((json.as_str(), field), (Some(text.as_str()), text.as_str()))
        }
        cell => {
            // The parser of JSON may be off by the last of 17 digits; the text is exact.
            let difference = json.as_f64().unwrap_or(0.0) - cell.exact().unwrap_or(0.0);
            assert!(difference.abs() < 1e-9, "{name}: {json}");
            assert_eq!(json.is_null(), cell.exact().is_none(), "{name}");
            assert_eq!(field.parse::<f64>().ok(), cell.exact(), "{name}");
            // What people read is the exact figure, rounded.
            if let (Value::Seconds(_), Some(exact)) = (cell, json.as_f64()) {
                assert_eq!(cell.shown(), figures::seconds(exact));
            }
        }
    }
}

fn split_record(line: &str) -> Vec<String> {
    let (mut fields, mut is_quoted) = (vec![String::new()], false);
    let mut rest = line.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                rest.next();
                fields.last_mut().unwrap().push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    fields
}

/// By hand: three solvers over six entries.
#[test]
fn the_standings_are_those_counted_by_hand() {
    let results = results(TABLE);
    let document = document(&results, false);
    let table =
        document.tables(Audience::Programs).find(|table| table.name == "standings").unwrap();
    let figure =
        |row: usize, column: &str| table.rows[row].cells[table.column(column).unwrap()].shown();
    let row = |row: usize| {
        ["solver", "instances", "solved", "unique", "timeout", "wrong", "missing"]
            .map(|column| figure(row, column))
            .join(" ")
    };
    // a: solved a, e, f; d has an invalid model.
    assert_eq!(row(0), "a 6 3 1 1 0 0");
    // b: a is wrong; solved b, c, d, f.
    assert_eq!(row(1), "b 6 4 2 0 1 0");
    assert_eq!(row(2), "c@2 4 2 0 0 0 1");
    assert_eq!(row(3), "virtual best 6 6 3 - 0 0".replace('-', "0"));
    // 1.5 + 20 + 20 + 20 + 2 + 1; the repetition in the middle counts, the faster of two.
    assert_eq!(figure(0, "par2"), "64.50");
    // All runs but the timeout.
    assert_eq!(figure(0, "cpu_seconds"), "21.50");
    assert_eq!(figure(0, "cpu_seconds_without_timeouts"), "11.50");
    assert_eq!(figure(0, "cpu_seconds_decided"), "7.50");
}
