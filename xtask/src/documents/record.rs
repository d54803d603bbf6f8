//! A record: one measurement as it was made, with everything that is needed to make it again.
//!
//! It is a TOML file in `results/`, whose README explains the fields to people. A record is frozen:
//! a new measurement is a new record. Cells of tables are texts, exactly as documents show them.

use std::fmt::Write as _;

use serde::Deserialize;

/// A measurement.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was measured, in a line.
    #[allow(dead_code, reason = "for readers of the file")]
    title: String,
    /// The day on which the figures came into the repository.
    recorded: toml::value::Date,
    /// The day of the measurement, if it is known.
    measured: Option<toml::value::Date>,
    /// The first commit that has the figures.
    #[allow(dead_code, reason = "for readers of the file")]
    commit: String,
    /// On what it was measured, and what else the machine did.
    machine: String,
    /// Releases of the programs that took part.
    versions: Vec<String>,
    /// The commands that made it, line by line.
    commands: Vec<String>,
    /// Commands that were written down later, from what a document says about the measurement.
    #[serde(default)]
    reconstructed: Vec<String>,
    /// What else matters.
    #[serde(default)]
    #[allow(dead_code, reason = "for readers of the file")]
    notes: String,
    #[serde(default, rename = "table")]
    tables: Vec<Table>,
    #[serde(default, rename = "text")]
    texts: Vec<Text>,
    /// Figures in sentences of documents.
    #[serde(default, rename = "quote")]
    pub quotes: Vec<Quote>,
}

/// Rows of cells under named columns.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    columns: Vec<String>,
    /// One letter a column: `l` for text, `r` for numbers.
    align: String,
    rows: Vec<Vec<String>>,
}

/// What a program printed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    text: String,
}

/// A part of a sentence with figures of this record.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quote {
    /// The document, relative to the root of the repository.
    pub document: String,
    /// The words; how lines are broken does not matter.
    pub text: String,
}

impl Record {
    /// Reads a record and checks what TOML cannot.
    pub fn read(text: &str) -> Result<Self, String> {
        let record: Record = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        record.check()?;
        Ok(record)
    }

    fn check(&self) -> Result<(), String> {
        let has_command = !self.commands.is_empty() || !self.reconstructed.is_empty();
        if !has_command || self.machine.is_empty() {
            return Err("has no command or no machine".to_owned());
        }
        if self.versions.is_empty() {
            return Err("names no program with its version".to_owned());
        }
        let mut names: Vec<&str> = self.parts().collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("has two parts with the name `{}`", twice[0]));
        }
        for Table { name, columns, align, rows } in &self.tables {
            if align.len() != columns.len() || !align.chars().all(|one| matches!(one, 'l' | 'r')) {
                return Err(format!("`align` of the table `{name}` is not one l or r a column"));
            }
            if let Some(row) = rows.iter().find(|row| row.len() != columns.len()) {
                return Err(format!("a row of the table `{name}` has {} cells", row.len()));
            }
        }
        Ok(())
    }

    /// When it was measured, or at least recorded, in words.
    pub fn when(&self) -> String {
        match self.measured {
            Some(day) => format!("measured {day}"),
            None => format!("recorded {}", self.recorded),
        }
    }

    /// The names of all tables and texts.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let tables = self.tables.iter().map(|table| table.name.as_str());
        tables.chain(self.texts.iter().map(|text| text.name.as_str()))
    }

    /// A table or text in Markdown.
    pub fn part(&self, name: &str) -> Option<String> {
        let table = self.tables.iter().find(|table| table.name == name).map(Table::markdown);
        table.or_else(|| {
            let text = self.texts.iter().find(|text| text.name == name)?;
            Some(format!("```\n{}\n```\n", text.text.trim_end_matches('\n')))
        })
    }
}

impl Table {
    fn markdown(&self) -> String {
        let mut text = format!("| {} |\n|", self.columns.join(" | "));
        for letter in self.align.chars() {
            text.push_str(if letter == 'r' { "---:|" } else { "---|" });
        }
        text.push('\n');
        for row in &self.rows {
            // Writing to a string does not fail.
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Record;

    const HEAD: &str = "title = 't'\nrecorded = 2026-11-18\ncommit = 'abc'\nmachine = 'm'\n\
                        versions = ['z3 5.4.0']\ncommands = ['luthier demo']\n";

    #[test]
    fn tables_and_texts_become_markdown() {
        let text = format!(
            "{HEAD}[[table]]\nname = 'a'\ncolumns = ['x', 'y']\nalign = 'lr'\nrows = [['p', '1']]\n\
             [[text]]\nname = 'b'\ntext = '''\nq\n'''\n"
        );
        let record = Record::read(&text).unwrap();
        assert_eq!(record.part("a").unwrap(), "| x | y |\n|---|---:|\n| p | 1 |\n");
        assert_eq!(record.part("b").unwrap(), "```\nq\n```\n");
        assert!(record.part("c").is_none());
        assert_eq!(record.parts().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(record.when(), "recorded 2026-11-18");
        let text = format!("measured = 2026-11-17\n{HEAD}");
        assert_eq!(Record::read(&text).unwrap().when(), "measured 2026-11-17");
    }

    #[test]
    fn what_is_incomplete_or_crooked_is_refused() {
        let table = "[[table]]\nname = 'a'\ncolumns = ['x', 'y']\n";
        for (text, part) in [
            ("title = 't'\n".to_owned(), "missing field"),
            (HEAD.replace("'luthier demo'", ""), "no command"),
            (HEAD.replace("'z3 5.4.0'", ""), "no program"),
            (HEAD.replace("2026-11-18", "'today'"), "date"),
            (format!("{HEAD}speed = 3\n"), "unknown field"),
            (format!("{HEAD}{table}align = 'l'\nrows = []\n"), "`align` of the table `a`"),
            (format!("{HEAD}{table}align = 'lr'\nrows = [['1']]\n"), "has 1 cells"),
            (
                format!("{HEAD}{}", "[[text]]\nname = 'b'\ntext = ''\n".repeat(2)),
                "two parts with the name `b`",
            ),
        ] {
            let error = Record::read(&text).unwrap_err();
            assert!(error.contains(part), "{error:?} should contain {part:?}");
        }
    }
}
