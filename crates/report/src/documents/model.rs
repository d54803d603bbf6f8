//! The document model: sections, paragraphs, tables with typed values, and charts. Renderers turn it
//! into a format; [`Audience`] tells tables for people from tables for programs.

use luthier_charts::Chart;

use crate::figures;

/// A document.
#[derive(Clone, Debug)]
pub struct Document {
    /// What stands above everything.
    pub title: String,
    /// What it is about: names and what they have.
    pub facts: Vec<(String, String)>,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A section of a document.
#[derive(Clone, Debug)]
pub struct Section {
    /// A stable name.
    pub name: &'static str,
    /// What stands above it.
    pub heading: String,
    /// What it has, in order.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Paragraph(String),
    /// A list.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A chart.
    Picture(Picture),
}

/// A chart in a document.
#[derive(Clone, Debug)]
pub struct Picture {
    /// A stable name, such as `cactus`.
    pub name: String,
    /// The chart.
    pub chart: Chart,
}

/// For whom a table is. What people read is often laid out in another way than what programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// In every format.
    All,
    /// Only where people read.
    People,
    /// Only where programs read: CSV and JSON.
    Programs,
}

/// A table.
#[derive(Clone, Debug)]
pub struct Table {
    /// A stable name.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// For whom it is.
    pub audience: Audience,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows; each has one cell per column.
    pub rows: Vec<Row>,
    /// Notes below it.
    pub notes: Vec<String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// A stable name, for choosing it and for data formats.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// When people see it.
    pub shown: Visibility,
    /// Whether its cells may be broken into lines.
    pub wraps: bool,
}

/// When people see a column. Programs see all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Always.
    Always,
    /// If some cell is neither zero nor missing.
    IfNotEmpty,
    /// Only if it is chosen.
    OnRequest,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Rows of a group stand together, with a line between groups; groups are not torn apart by
    /// sorting.
    pub group: usize,
    /// One cell per column.
    pub cells: Vec<Value>,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Words.
    Text(String),
    /// A number that names something.
    Number(i64),
    /// A count.
    Count(u64),
    /// A time, a mean or a median of times, in seconds.
    Seconds(f64),
    /// A sum of times, in seconds.
    SumOfSeconds(f64),
    /// A part of a whole.
    Share {
        /// How many.
        part: u64,
        /// Of how many.
        whole: u64,
    },
    /// How many times as much.
    Ratio(f64),
    /// A number from 0 to 1.
    Fraction(f64),
    /// A place in a ranking.
    Rank {
        /// The place, from 1.
        rank: u64,
        /// Whether it is about all entries; a star stands beside it if not.
        is_comparable: bool,
    },
    /// Nothing is known.
    Missing,
}

impl Value {
    /// How people read it; see [`figures`].
    pub fn shown(&self) -> String {
        match self {
            Value::Text(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Count(count) => figures::count(*count),
            Value::Seconds(seconds) => figures::seconds(*seconds),
            Value::SumOfSeconds(seconds) => figures::sum_seconds(*seconds),
            Value::Share { part, whole } => figures::share(*part, *whole),
            Value::Ratio(ratio) => figures::ratio(*ratio),
            Value::Fraction(fraction) => format!("{fraction:.4}"),
            Value::Rank { rank, is_comparable } => {
                format!("{rank}{}", if *is_comparable { "" } else { "*" })
            }
            Value::Missing => figures::NOTHING.to_owned(),
        }
    }

    /// The exact figure; `None` for words and where nothing is known.
    pub fn exact(&self) -> Option<f64> {
        match self {
            Value::Text(_) | Value::Missing => None,
            Value::Number(number) => Some(*number as f64),
            Value::Count(count) | Value::Rank { rank: count, .. } => Some(*count as f64),
            Value::Seconds(number)
            | Value::SumOfSeconds(number)
            | Value::Ratio(number)
            | Value::Fraction(number) => Some(*number),
            Value::Share { whole: 0, .. } => None,
            Value::Share { part, whole } => Some(*part as f64 / *whole as f64),
        }
    }

    /// Whether it is neither words nor a figure other than zero.
    pub fn is_zero_or_missing(&self) -> bool {
        match self {
            Value::Text(text) => text.is_empty(),
            other => other.exact().is_none_or(|figure| figure == 0.0),
        }
    }

    /// Words, or nothing if there are none.
    pub fn text(text: Option<impl Into<String>>) -> Self {
        text.map_or(Value::Missing, |text| Value::Text(text.into()))
    }
}

impl Column {
    /// A column that people always see.
    pub fn new(name: impl Into<String>, title: impl Into<String>) -> Self {
        Self { name: name.into(), title: title.into(), shown: Visibility::Always, wraps: false }
    }

    /// The same with this visibility.
    pub fn shown(self, shown: Visibility) -> Self {
        Self { shown, ..self }
    }

    /// The same with cells that may be broken into lines.
    pub fn wrapping(self) -> Self {
        Self { wraps: true, ..self }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(name: impl Into<String>, caption: impl Into<String>, columns: Vec<Column>) -> Self {
        Self {
            name: name.into(),
            caption: caption.into(),
            audience: Audience::All,
            columns,
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The same for an audience.
    pub fn for_audience(self, audience: Audience) -> Self {
        Self { audience, ..self }
    }

    /// Adds a row of a group.
    pub fn push(&mut self, group: usize, cells: Vec<Value>) {
        self.rows.push(Row { group, cells });
    }

    /// Whether a column has figures, which stand at the right.
    pub fn is_numeric(&self, column: usize) -> bool {
        let mut cells = self.rows.iter().map(|row| &row.cells[column]);
        let is_text = |cell: &Value| matches!(cell, Value::Text(_));
        !cells.clone().any(is_text) && cells.any(|cell| *cell != Value::Missing)
    }

    /// Whether a line stands above a row: a group begins.
    pub fn begins_group(&self, row: usize) -> bool {
        row > 0 && self.rows[row].group != self.rows[row - 1].group
    }
}

impl Document {
    /// All tables for programs or for people.
    pub fn tables(&self, audience: Audience) -> impl Iterator<Item = &Table> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(move |block| match block {
            Block::Table(table) if table.is_for(audience) => Some(table),
            _ => None,
        })
    }

    /// All charts.
    pub fn pictures(&self) -> impl Iterator<Item = &Picture> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.filter_map(|block| match block {
            Block::Picture(picture) => Some(picture),
            _ => None,
        })
    }
}

impl Table {
    /// Whether it is for these readers.
    pub fn is_for(&self, audience: Audience) -> bool {
        self.audience == Audience::All || self.audience == audience
    }
}
