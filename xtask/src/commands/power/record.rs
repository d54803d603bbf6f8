//! The table of a measurement, for people and as a record for `results/`.

use std::fmt::Write as _;

use super::Arguments;
use super::clusters::Clusters;
use super::hunts::Hunt;

/// A hunter in a release, over all seeds.
pub struct Row {
    release: String,
    hunter: String,
    clusters: usize,
    unexamined: u64,
    wrong_answers: u64,
    first_wrong: Option<f64>,
    formulas: u64,
    decided: u64,
    terms: u64,
    wrong_rewrites: usize,
    cpu_seconds: f64,
}

impl Row {
    pub fn new(release: &str, hunter: &str, hunts: &[Hunt], clusters: &Clusters) -> Self {
        let mut operators: Vec<&String> =
            hunts.iter().flat_map(|hunt| &hunt.wrong_rewrites).collect();
        operators.sort_unstable();
        operators.dedup();
        let total = |count: fn(&Hunt) -> u64| hunts.iter().map(count).sum();
        Self {
            release: release.to_owned(),
            hunter: hunter.to_owned(),
            clusters: clusters.signatures.len(),
            unexamined: clusters.unexamined,
            wrong_answers: total(|hunt| hunt.wrong_answers),
            first_wrong: hunts.iter().filter_map(|hunt| hunt.first_wrong).reduce(f64::min),
            formulas: total(|hunt| hunt.formulas),
            decided: total(|hunt| hunt.decided),
            terms: total(|hunt| hunt.terms),
            wrong_rewrites: operators.len(),
            cpu_seconds: hunts.iter().map(|hunt| hunt.cpu_seconds).sum(),
        }
    }

    fn cells(&self) -> Vec<String> {
        vec![
            self.release.clone(),
            self.hunter.clone(),
            self.clusters.to_string(),
            self.wrong_answers.to_string(),
            self.first_wrong.map_or_else(|| "none".to_owned(), |time| format!("{time:.1} s")),
            with_separators(self.formulas),
            with_separators(self.decided),
            with_separators(self.terms),
            self.wrong_rewrites.to_string(),
            self.unexamined.to_string(),
            format!("{:.0} s", self.cpu_seconds),
        ]
    }
}

/// The columns of the table of releases, and their alignment.
const COLUMNS: [(&str, char); 11] = [
    ("release", 'l'),
    ("hunter", 'l'),
    ("clusters", 'r'),
    ("wrong answers", 'r'),
    ("first", 'r'),
    ("formulas", 'r'),
    ("decided", 'r'),
    ("terms", 'r'),
    ("operators rewritten wrongly", 'r'),
    ("in no cluster", 'r'),
    ("CPU time", 'r'),
];

/// The columns of the table of hunters.
const TOTALS: [(&str, char); 6] = [
    ("hunter", 'l'),
    ("clusters", 'r'),
    ("releases with a wrong answer", 'r'),
    ("formulas", 'r'),
    ("decided", 'r'),
    ("decided in a CPU second", 'r'),
];

/// A record in the form of `results/README.md`.
pub struct Record {
    title: String,
    day: String,
    machine: String,
    versions: Vec<String>,
    commands: Vec<String>,
    notes: String,
    tables: Vec<Table>,
}

struct Table {
    name: String,
    columns: Vec<String>,
    align: String,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(name: &str, columns: &[(&str, char)], rows: Vec<Vec<String>>) -> Self {
        Self {
            name: name.to_owned(),
            columns: columns.iter().map(|(name, _)| (*name).to_owned()).collect(),
            align: columns.iter().map(|(_, align)| align).collect(),
            rows,
        }
    }
}

/// The record of a measurement.
pub fn record(rows: &[Row], hunters: &[&str], arguments: &Arguments) -> Record {
    let of_hunter = |name: &&str| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.hunter == *name).collect();
        let decided: u64 = own.iter().map(|row| row.decided).sum();
        let cpu: f64 = own.iter().map(|row| row.cpu_seconds).sum();
        vec![
            (*name).to_owned(),
            own.iter().map(|row| row.clusters).sum::<usize>().to_string(),
            own.iter().filter(|row| row.wrong_answers > 0).count().to_string(),
            with_separators(own.iter().map(|row| row.formulas).sum()),
            with_separators(decided),
            format!("{:.0}", decided as f64 / cpu.max(1e-9)),
        ]
    };
    let seeds: Vec<String> = arguments.seeds.iter().map(|seed| format!("--seed {seed}")).collect();
    let releases: Vec<String> =
        arguments.releases.iter().map(|release| format!("--release {release}")).collect();
    let names: Vec<String> = hunters.iter().map(|name| format!("--luthier {name}=PATH")).collect();
    let command = format!(
        "cargo xtask power {} {} {} --cpu {}s --out DIR",
        names.join(" "),
        releases.join(" "),
        seeds.join(" "),
        arguments.cpu.as_secs()
    );
    Record {
        title: "Hunting power: distinct wrong answers in equal CPU time".to_owned(),
        day: today(),
        machine: arguments.machine.clone(),
        versions: arguments.releases.clone(),
        commands: vec![command],
        notes: format!(
            "Arguments of each hunt: {}. Clusters are those of wrong verdicts, models and cores, over \
             all seeds of a release; the first wrong answer is the earliest of all seeds.",
            arguments.arguments.join(" ")
        ),
        tables: vec![
            Table::new("hunters", &TOTALS, hunters.iter().map(of_hunter).collect()),
            Table::new("releases", &COLUMNS, rows.iter().map(Row::cells).collect()),
        ],
    }
}

impl Record {
    /// As a file of `results/`. Who commits it adds the commit.
    pub fn toml(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "{name} = {value}");
        };
        line("title", &quoted(&self.title));
        line("recorded", &self.day);
        line("measured", &self.day);
        line("commit", &quoted("unknown"));
        line("machine", &quoted(&self.machine));
        line("versions", &list(&self.versions));
        line("commands", &list(&self.commands));
        line("notes", &quoted(&self.notes));
        for table in &self.tables {
            let _ = writeln!(text, "\n[[table]]\nname = {}", quoted(&table.name));
            let _ = writeln!(text, "columns = {}", list(&table.columns));
            let _ = writeln!(text, "align = {}\nrows = [", quoted(&table.align));
            for row in &table.rows {
                let _ = writeln!(text, "    {},", list(row));
            }
            text.push_str("]\n");
        }
        text
    }

    /// The tables, for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            let lines: Vec<&Vec<String>> =
                std::iter::once(&table.columns).chain(&table.rows).collect();
            let width = |place: usize| {
                lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0)
            };
            let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
            for line in lines {
                let cells = line.iter().zip(&widths).zip(table.align.chars());
                let cells: Vec<String> = cells
                    .map(|((cell, width), align)| match align {
                        'r' => format!("{cell:>width$}"),
                        _ => format!("{cell:width$}"),
                    })
                    .collect();
                text.push_str(cells.join("  ").trim_end());
                text.push('\n');
            }
            text.push('\n');
        }
        text.trim_end().to_owned()
    }
}

/// A number as documents write it: 12,345.
fn with_separators(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A text as TOML.
fn quoted(text: &str) -> String {
    match text.contains(['\'', '\n']) {
        true => serde_json::Value::from(text).to_string(),
        false => format!("'{text}'"),
    }
}

/// A list of texts as TOML.
fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// The day, in universal time.
fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let days = since.map_or(0, |time| time.as_secs() / 86_400);
    let (year, month, day) = civil(i64::try_from(days).unwrap_or(0));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The Gregorian date of a number of days since 1970-01-01 (Howard Hinnant: *chrono-compatible low-level
/// date algorithms*, `civil_from_days`).
fn civil(days: i64) -> (u16, u8, u8) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let narrow = |number: i64| u8::try_from(number).unwrap_or(0);
    (u16::try_from(year).unwrap_or(0), narrow(month), narrow(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(20_775), (2026, 11, 18));
    }

    #[test]
    fn numbers_have_separators() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(with_separators(number), text);
        }
    }

    #[test]
    fn a_row_sums_over_seeds_and_counts_each_operator_once() {
        let hunt = |first| Hunt {
            cpu_seconds: 10.0,
            formulas: 100,
            decided: 40,
            wrong_answers: 2,
            first_wrong: first,
            terms: 7,
            wrong_rewrites: vec!["=".to_owned()],
            settings: Vec::new(),
        };
        let clusters = Clusters { signatures: vec!["a".to_owned()], unexamined: 0 };
        let row = Row::new("z3@1.0", "new", &[hunt(None), hunt(Some(3.5))], &clusters);
        let cells = row.cells();
        let expected = ["z3@1.0", "new", "1", "4", "3.5 s", "200", "80", "14", "1", "0", "20 s"];
        assert_eq!(cells, expected);
        assert_eq!(cells.len(), COLUMNS.len());
        let record = Record {
            title: "it's".to_owned(),
            day: "2026-11-18".to_owned(),
            machine: "m".to_owned(),
            versions: vec!["z3@1.0".to_owned()],
            commands: Vec::new(),
            notes: String::new(),
            tables: vec![Table::new("releases", &COLUMNS, vec![cells])],
        };
        let read: toml::Table = record.toml().parse().unwrap();
        assert_eq!(read["title"].as_str(), Some("it's"));
        assert_eq!(read["table"][0]["rows"][0][4].as_str(), Some("3.5 s"));
        assert!(
            record.text().lines().nth(1).unwrap().starts_with("z3@1.0   new "),
            "{}",
            record.text()
        );
    }
}
