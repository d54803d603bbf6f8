//! Renders tables as text: aligned columns, within a width.
//!
//! A table that is too wide loses nothing that matters. First the columns without information (all
//! cells empty or zero) that may be hidden are hidden; then cells of the key columns are cut; and
//! if that does not suffice, the rest is printed as several tables below each other, each beginning
//! with the key columns. A note below the table says what was done.

use crate::width::{character_width, text_width};

/// A table of any content.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows. Cells that are missing are empty; cells beyond the columns are not shown.
    pub rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What stands above it.
    pub title: String,
    /// Where its cells stand.
    pub alignment: Alignment,
    /// It identifies the row, and is repeated when a table is split. Key columns must come
    /// first.
    pub key: bool,
    /// It may be hidden if the table is too wide and all its cells are empty or zero.
    pub may_hide: bool,
}

/// Where cells stand in their column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// At the left, for words.
    Left,
    /// At the right, for numbers.
    Right,
}

impl Column {
    /// A column of words that identifies the row.
    pub fn key(title: impl Into<String>) -> Self {
        Column { title: title.into(), alignment: Alignment::Left, key: true, may_hide: false }
    }

    /// A column of words.
    pub fn words(title: impl Into<String>) -> Self {
        Column { title: title.into(), alignment: Alignment::Left, key: false, may_hide: false }
    }

    /// A column of numbers.
    pub fn numbers(title: impl Into<String>) -> Self {
        Column { title: title.into(), alignment: Alignment::Right, key: false, may_hide: false }
    }

    /// The same column, hidden if the table is too wide and all its cells are empty or zero.
    pub fn hidden_if_empty(self) -> Self {
        Column { may_hide: true, ..self }
    }
}

impl Table {
    /// A table without rows.
    pub fn new(columns: Vec<Column>) -> Self {
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn cell(&self, row: usize, column: usize) -> &str {
        self.rows.get(row).and_then(|row| row.get(column)).map_or("", String::as_str)
    }

    fn is_zero_or_missing(&self, column: usize) -> bool {
        (0..self.rows.len()).all(|row| is_nothing(self.cell(row, column)))
    }
}

/// Between two columns.
const GAP: usize = 2;
/// Key cells are not cut below this width, whatever the terminal.
const SHORTEST_KEY: usize = 12;

/// The table as lines of text, each with its line break. With a width, no line is longer than it
/// unless a single column with its key is. Control characters in cells are shown as `\u{…}`.
pub fn render_table(table: &Table, width: Option<usize>) -> String {
    let mut table = printable(table);
    let mut shown: Vec<usize> = (0..table.columns.len()).collect();
    let mut widths = natural_widths(&table);
    let mut hidden = Vec::new();
    let mut cut = false;
    if let Some(width) = width {
        if total_width(&shown, &widths) > width {
            let hide = |column: &usize| {
                table.columns[*column].may_hide && table.is_zero_or_missing(*column)
            };
            hidden = shown.iter().copied().filter(hide).collect();
            shown.retain(|column| !hidden.contains(column));
        }
        if total_width(&shown, &widths) > width {
            cut = cut_keys(&mut table, &shown, &mut widths, width);
        }
    }
    let blocks = split(&table, &shown, &widths, width);
    let mut text = String::new();
    for (position, block) in blocks.iter().enumerate() {
        if position > 0 {
            text.push('\n');
        }
        write_block(&mut text, &table, block, &widths);
    }
    if !hidden.is_empty() {
        let titles: Vec<&str> =
            hidden.iter().map(|&column| table.columns[column].title.as_str()).collect();
        let note = format!("not shown, since empty or 0 in every row: {}", titles.join(", "));
        push_wrapped(&mut text, &note, width);
    }
    if cut {
        push_wrapped(&mut text, "some names are cut to fit", width);
    }
    if blocks.len() > 1 {
        let note = format!("split into {} parts to fit", blocks.len());
        push_wrapped(&mut text, &note, width);
    }
    text
}

/// The same table without characters that would move the cursor.
fn printable(table: &Table) -> Table {
    let clean = |text: &str| {
        let mut shown = String::with_capacity(text.len());
        for character in text.chars() {
            if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') {
                shown.extend(character.escape_unicode());
            } else {
                shown.push(character);
            }
        }
        shown
    };
    let columns =
        table.columns.iter().map(|column| Column { title: clean(&column.title), ..column.clone() });
    let rows = table.rows.iter().map(|row| row.iter().map(|cell| clean(cell)).collect());
    Table { columns: columns.collect(), rows: rows.collect() }
}

fn natural_widths(table: &Table) -> Vec<usize> {
    let width = |column: usize| {
        let cells = (0..table.rows.len()).map(|row| text_width(table.cell(row, column)));
        cells.max().unwrap_or(0).max(text_width(&table.columns[column].title))
    };
    (0..table.columns.len()).map(width).collect()
}

fn total_width(columns: &[usize], widths: &[usize]) -> usize {
    let sum: usize = columns.iter().map(|&column| widths[column]).sum();
    sum + GAP * columns.len().saturating_sub(1)
}

/// Cuts long cells of key columns if that makes the table fit, or if even the keys alone with
/// the widest other column do not. Returns whether it did.
fn cut_keys(table: &mut Table, shown: &[usize], widths: &mut [usize], width: usize) -> bool {
    let is_key = |column: &usize| table.columns[*column].key;
    let keys: Vec<usize> = shown.iter().copied().filter(is_key).collect();
    let widest = shown.iter().filter(|column| !is_key(column)).map(|&column| widths[column]).max();
    let needed = total_width(&keys, widths) + widest.map_or(0, |widest| GAP + widest);
    let whole = total_width(shown, widths);
    let shortest: Vec<usize> = keys
        .iter()
        .map(|&key| widths[key].min(SHORTEST_KEY.max(text_width(&table.columns[key].title))))
        .collect();
    let saving: usize =
        keys.iter().zip(&shortest).map(|(&key, &shortest)| widths[key] - shortest).sum();
    // To make everything fit, or at least to make a split table fit.
    let mut excess = if whole - saving <= width {
        whole - width
    } else if needed > width {
        needed - width
    } else {
        return false;
    };
    let mut changed = false;
    while excess > 0 {
        // The widest key gives way first.
        let next = (0..keys.len())
            .filter(|&index| widths[keys[index]] > shortest[index])
            .max_by_key(|&index| (widths[keys[index]], index));
        let Some(index) = next else { break };
        widths[keys[index]] -= 1;
        excess -= 1;
        changed = true;
    }
    if changed {
        for row in &mut table.rows {
            for &key in &keys {
                if let Some(cell) = row.get_mut(key) {
                    *cell = shorten(cell, widths[key]);
                }
            }
        }
    }
    changed
}

/// Cuts the middle, because the end of a path is more specific than its beginning.
fn shorten(text: &str, width: usize) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let room = width.saturating_sub(1);
    let head = fitting(text.chars(), room / 3);
    let tail: Vec<char> = fitting(text.chars().rev(), room - room / 3).chars().collect();
    format!("{head}…{}", tail.iter().rev().collect::<String>())
}

/// The first characters, as many as fit.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> String {
    let mut used = 0;
    let fits = |character: &char| {
        used += character_width(*character);
        used <= width
    };
    characters.take_while(fits).collect()
}

/// The columns of each part of a split table; one part if everything fits.
fn split(
    table: &Table,
    shown: &[usize],
    widths: &[usize],
    width: Option<usize>,
) -> Vec<Vec<usize>> {
    let Some(width) = width.filter(|&width| total_width(shown, widths) > width) else {
        return vec![shown.to_vec()];
    };
    let (keys, others): (Vec<usize>, Vec<usize>) =
        shown.iter().copied().partition(|&column| table.columns[column].key);
    let mut blocks = Vec::new();
    let mut block = keys.clone();
    for column in others {
        block.push(column);
        if block.len() > keys.len() + 1 && total_width(&block, widths) > width {
            block.pop();
            blocks.push(std::mem::replace(&mut block, keys.clone()));
            block.push(column);
        }
    }
    blocks.push(block);
    blocks
}

fn write_block(text: &mut String, table: &Table, columns: &[usize], widths: &[usize]) {
    let titles = columns.iter().map(|&column| table.columns[column].title.as_str());
    write_line(text, table, columns, widths, titles);
    let rules: Vec<String> = columns.iter().map(|&column| "─".repeat(widths[column])).collect();
    write_line(text, table, columns, widths, rules.iter().map(String::as_str));
    for row in 0..table.rows.len() {
        let cells = columns.iter().map(|&column| table.cell(row, column));
        write_line(text, table, columns, widths, cells);
    }
}

fn write_line<'a>(
    text: &mut String,
    table: &Table,
    columns: &[usize],
    widths: &[usize],
    cells: impl Iterator<Item = &'a str>,
) {
    let begin = text.len();
    for (position, (&column, cell)) in columns.iter().zip(cells).enumerate() {
        if position > 0 {
            text.push_str(&" ".repeat(GAP));
        }
        let padding = " ".repeat(widths[column].saturating_sub(text_width(cell)));
        match table.columns[column].alignment {
            Alignment::Left => text.extend([cell, &padding]),
            Alignment::Right => text.extend([padding.as_str(), cell]),
        }
    }
    let end = begin + text[begin..].trim_end_matches(' ').len();
    text.truncate(end);
    text.push('\n');
}

/// A note below a table, in parentheses, broken between words.
fn push_wrapped(text: &mut String, note: &str, width: Option<usize>) {
    let note = format!("({note})");
    let mut used = 0;
    for word in note.split(' ') {
        let length = text_width(word);
        if used > 0 && width.is_some_and(|width| used + 1 + length > width) {
            text.push('\n');
            used = 0;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length;
    }
    text.push('\n');
}

/// Empty, or a zero however it is written: `0`, `0.000`, `-`.
fn is_nothing(cell: &str) -> bool {
    cell.chars().all(|character| matches!(character, '0' | '.' | '-' | '–' | ' '))
}
