//! Fits a table to the width of a page: font size, rotated titles, columns with line breaks.
//!
//! Widths are estimated from numbers of characters, since only TeX knows them. Where the estimate
//! is wrong, a table that does not break over pages is scaled down by TeX itself.

use super::super::model::{Table, Value};
use crate::text_width;

/// How a table is set.
pub(super) struct Layout {
    /// The command for the size of the print.
    pub size: &'static str,
    /// The space beside each column.
    pub gap: &'static str,
    /// Titles above figures stand upright.
    pub upright: bool,
    /// The columns.
    pub columns: Vec<ColumnLayout>,
}

/// How a column is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColumnLayout {
    /// At the right, as wide as its cells.
    Figures,
    /// At the left, as wide as its cells.
    Words,
    /// At the left, broken into lines of this width in points.
    Broken(f64),
}

/// A size of print: its command, points per character, points between two columns, and how that is
/// written.
struct FontSize {
    size: &'static str,
    letter: f64,
    gap: f64,
    gap_name: &'static str,
}

const FONT_SIZES: [FontSize; 5] = [
    FontSize { size: "\\small", letter: 4.7, gap: 10.0, gap_name: "5pt" },
    FontSize { size: "\\footnotesize", letter: 4.25, gap: 8.0, gap_name: "4pt" },
    FontSize { size: "\\scriptsize", letter: 3.8, gap: 6.0, gap_name: "3pt" },
    FontSize { size: "\\scriptsize", letter: 3.8, gap: 4.0, gap_name: "2pt" },
    FontSize { size: "\\tiny", letter: 2.9, gap: 4.0, gap_name: "2pt" },
];

/// Words that are shorter are never broken.
const MAX_UNBROKEN: usize = 14;

/// Broken columns are at least so many characters wide.
const MIN_BROKEN_WIDTH: usize = 10;

/// From so many columns on titles stand upright.
const MIN_ROTATED_COLUMNS: usize = 10;

/// The layout of a table on a page with this room, in points.
pub(super) fn layout(table: &Table, room: f64) -> Layout {
    let upright = table.columns.len() >= MIN_ROTATED_COLUMNS;
    let numeric: Vec<bool> =
        (0..table.columns.len()).map(|column| table.is_numeric(column)).collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| {
            let cells = table.rows.iter().map(|row| text_width(&row.cells[column].shown()));
            let title = match upright && numeric[column] {
                true => 2,
                false => text_width(&table.columns[column].title),
            };
            cells.max().unwrap_or(0).max(title)
        })
        .collect();
    let breaks: Vec<bool> = (0..widths.len())
        .map(|column| !numeric[column] && widths[column] > MAX_UNBROKEN && has_words(table, column))
        .collect();
    let fixed = |column: &usize| !breaks[*column];
    let fixed_letters: usize = (0..widths.len()).filter(fixed).map(|column| widths[column]).sum();
    let least: usize = (0..widths.len())
        .filter(|column| breaks[*column])
        .map(|column| {
            widths[column].min(if table.columns[column].wraps {
                3 * MIN_BROKEN_WIDTH
            } else {
                MIN_BROKEN_WIDTH
            })
        })
        .sum();
    let gaps = |print: &FontSize| print.gap * widths.len().saturating_sub(1) as f64;
    let fits =
        |print: &&FontSize| (fixed_letters + least) as f64 * print.letter + gaps(print) <= room;
    let print = FONT_SIZES.iter().find(fits).unwrap_or(&FONT_SIZES[FONT_SIZES.len() - 1]);
    let left = room - gaps(print) - fixed_letters as f64 * print.letter;
    let naturals: Vec<f64> = (0..widths.len())
        .filter(|column| breaks[*column])
        .map(|column| widths[column] as f64 * print.letter)
        .collect();
    let widest = widest(&naturals, left).max(MIN_BROKEN_WIDTH as f64 * print.letter);
    let setting = |column: usize| {
        let natural = widths[column] as f64 * print.letter;
        if numeric[column] {
            ColumnLayout::Figures
        } else if !breaks[column] || natural <= widest {
            ColumnLayout::Words
        } else {
            ColumnLayout::Broken(widest)
        }
    };
    let columns = (0..widths.len()).map(setting).collect();
    Layout { size: print.size, gap: print.gap_name, upright, columns }
}

/// How wide a column may be such that all together have this room: what short ones leave is for
/// the others.
fn widest(naturals: &[f64], room: f64) -> f64 {
    let mut naturals = naturals.to_vec();
    naturals.sort_by(f64::total_cmp);
    let mut left = room;
    for (index, natural) in naturals.iter().enumerate() {
        let share = left / (naturals.len() - index) as f64;
        if *natural > share {
            return share;
        }
        left -= natural;
    }
    f64::INFINITY
}

impl ColumnLayout {
    /// For the argument of `tabular`.
    pub(super) fn specification(self) -> String {
        match self {
            ColumnLayout::Figures => "r".to_owned(),
            ColumnLayout::Words => "l".to_owned(),
            ColumnLayout::Broken(points) => {
                format!(">{{\\raggedright\\arraybackslash}}p{{{points:.0}pt}}")
            }
        }
    }
}

fn has_words(table: &Table, column: usize) -> bool {
    table.rows.iter().any(|row| matches!(row.cells[column], Value::Text(_)))
}

#[cfg(test)]
mod tests {
    use super::super::super::model::{Column, Table, Value};
    use super::{ColumnLayout, layout, widest};

    #[test]
    fn what_short_columns_leave_is_for_the_others() {
        assert_eq!(widest(&[10.0, 100.0, 100.0], 110.0), 50.0);
        assert_eq!(widest(&[10.0, 20.0], 30.0), f64::INFINITY);
    }

    #[test]
    fn narrow_tables_are_set_as_they_are_and_wide_ones_are_made_to_fit() {
        let columns = vec![Column::new("place", "instance").wrapping(), Column::new("n", "n")];
        let mut table = Table::new("t", "", columns);
        table.push(0, vec![Value::Text("short".to_owned()), Value::Count(1)]);
        let narrow = layout(&table, 345.0);
        assert_eq!(narrow.columns, [ColumnLayout::Words, ColumnLayout::Figures]);
        assert_eq!(narrow.size, "\\small");
        table.push(0, vec![Value::Text("long/".repeat(60)), Value::Count(1)]);
        let wide = layout(&table, 345.0);
        assert!(matches!(wide.columns[0], ColumnLayout::Broken(points) if points < 345.0));
    }
}
