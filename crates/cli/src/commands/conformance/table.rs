//! The table: a row for each operator, a column for each release.

use luthier_conformance::{FactOutcome, Tally};

use super::Results;
use crate::output::Paint;
use crate::text::clean_name;

/// Between two columns.
const GAP: &str = "  ";

/// A table of cells, before it is laid out.
struct Table {
    /// Names of operators, and `total`.
    rows: Vec<String>,
    columns: Vec<Column>,
}

struct Column {
    heading: String,
    tallies: Vec<Tally>,
}

/// The table for people. Columns that do not fit side by side stand below each other.
pub fn terminal(results: &Results<'_>, width: Option<usize>, paint: Paint) -> String {
    let table = Table::of(results);
    let mut text = String::new();
    for columns in table.blocks(width.unwrap_or(usize::MAX)) {
        table.lay_out(columns, Some(paint), &mut text);
        text.push('\n');
    }
    text.push_str(&table.legend());
    text
}

/// The table for documents.
pub fn markdown(results: &Results<'_>) -> String {
    let table = Table::of(results);
    let mut text = String::from("| | facts |");
    for column in &table.columns {
        text.push_str(&format!(" {} |", column.heading.replace('|', "\\|")));
    }
    text.push_str("\n|---|---:|");
    text.push_str(&"---:|".repeat(table.columns.len()));
    text.push('\n');
    for (row, name) in table.rows.iter().enumerate() {
        let name = match row + 1 == table.rows.len() {
            true => name.clone(),
            false => format!("`{name}`"),
        };
        let facts = table.columns.first().map_or(0, |column| column.tallies[row].total());
        text.push_str(&format!("| {name} | {facts} |"));
        for column in &table.columns {
            text.push_str(&format!(" {} |", column.tallies[row].cell()));
        }
        text.push('\n');
    }
    format!("{text}\n{}", table.legend())
}

impl Table {
    fn of(results: &Results<'_>) -> Self {
        let files = results.suite.by_file();
        let mut rows: Vec<String> =
            files.iter().map(|(file, _)| results.suite.files[*file].operator.to_owned()).collect();
        rows.push("total".to_owned());
        let examined = results.examinees.iter().zip(&results.findings);
        let columns = examined.map(|(examinee, findings)| {
            let mut tallies: Vec<Tally> =
                files.iter().map(|(_, range)| Tally::of(&findings[range.clone()])).collect();
            tallies.push(Tally::of(findings));
            Column { heading: clean_name(&examinee.label).into_owned(), tallies }
        });
        Self { rows, columns: columns.collect() }
    }

    /// Columns that fit side by side.
    fn blocks(&self, width: usize) -> Vec<&[Column]> {
        let mut blocks = Vec::new();
        let mut start = 0;
        while start < self.columns.len() {
            let mut used = self.name_width() + self.columns[start].width() + GAP.len();
            let mut end = start + 1;
            while let Some(column) = self.columns.get(end)
                && used + column.width() + GAP.len() <= width
            {
                used += column.width() + GAP.len();
                end += 1;
            }
            blocks.push(&self.columns[start..end]);
            start = end;
        }
        blocks
    }

    fn lay_out(&self, columns: &[Column], paint: Option<Paint>, text: &mut String) {
        let name_width = self.name_width();
        let mut heading = " ".repeat(name_width);
        for column in columns {
            heading.push_str(&format!("{GAP}{:>1$}", column.heading, column.width()));
        }
        let heading = heading.trim_end();
        text.push_str(&paint.map_or_else(|| heading.to_owned(), |paint| paint.bold(heading)));
        text.push('\n');
        for (row, name) in self.rows.iter().enumerate() {
            text.push_str(&format!("{name:<name_width$}"));
            for column in columns {
                let tally = &column.tallies[row];
                let cell = format!("{:>1$}", tally.cell(), column.width());
                text.push_str(GAP);
                text.push_str(&match paint {
                    Some(paint) if tally.count(FactOutcome::Wrong) > 0 => paint.error(&cell),
                    _ => cell,
                });
            }
            text.push('\n');
        }
    }

    fn name_width(&self) -> usize {
        self.rows.iter().map(|name| name.chars().count()).max().unwrap_or(0)
    }

    /// Only the signs that stand in the table.
    fn legend(&self) -> String {
        let totals: Vec<&Tally> =
            self.columns.iter().filter_map(|column| column.tallies.last()).collect();
        let seen = |outcome: &FactOutcome| totals.iter().any(|tally| tally.count(*outcome) > 0);
        let signs: Vec<String> = FactOutcome::ALL
            .into_iter()
            .skip(1)
            .rev()
            .filter(seen)
            .map(|outcome| format!("{} {}", outcome.letter(), outcome.summary()))
            .collect();
        match signs.is_empty() {
            true => "A number alone: all facts come out right.\n".to_owned(),
            false => format!(
                "A number alone: all facts come out right. 1/3: one of three does.\n{}.\n",
                signs.join("; ")
            ),
        }
    }
}

impl Column {
    fn width(&self) -> usize {
        let cells = self.tallies.iter().map(|tally| tally.cell().chars().count());
        cells.chain([self.heading.chars().count()]).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use luthier_conformance::FactResult;

    use super::*;

    fn table(headings: &[&str]) -> Table {
        let wrong = [FactResult::plain(FactOutcome::Right), FactResult::plain(FactOutcome::Wrong)];
        let columns = headings.iter().map(|heading| Column {
            heading: (*heading).to_owned(),
            tallies: vec![Tally::of(&wrong[..1]), Tally::of(&wrong)],
        });
        Table { rows: vec!["str.at".into(), "total".into()], columns: columns.collect() }
    }

    #[test]
    fn columns_that_do_not_fit_stand_in_the_next_block() {
        let table = table(&["z3@4.8.5", "z3@4.8.9", "cvc5@1.4.2"]);
        let sizes = |width| table.blocks(width).iter().map(|one| one.len()).collect::<Vec<_>>();
        assert_eq!(sizes(usize::MAX), [3]);
        assert_eq!(sizes(38), [3]);
        assert_eq!(sizes(37), [2, 1]);
        assert_eq!(sizes(1), [1, 1, 1]);
    }

    #[test]
    fn rows_are_aligned_and_the_legend_explains_what_is_there() {
        let table = table(&["z3@4.8.5"]);
        let mut text = String::new();
        table.lay_out(&table.columns, None, &mut text);
        assert_eq!(text, "        z3@4.8.5\nstr.at         1\ntotal     1/2 W1\n");
        assert_eq!(table.legend().lines().last(), Some("W WRONG."));
    }
}
