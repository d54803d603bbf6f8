//! Selection of columns and sort order of a table, by column names from the command line.

use std::cmp::Ordering;
use std::fmt;

use super::model::{Table, Value, Visibility};

/// An order of the rows of a table: a column, with a minus before it for the largest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The column.
    pub column: String,
    /// The largest first.
    pub descending: bool,
}

/// A column that a table does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownColumn {
    /// The table.
    pub table: String,
    /// What was asked for.
    pub column: String,
    /// What it has.
    pub columns: Vec<String>,
}

impl fmt::Display for UnknownColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, column, columns } = self;
        write!(
            formatter,
            "the table {table} has no column {column:?}; it has {}",
            columns.join(", ")
        )
    }
}

impl std::error::Error for UnknownColumn {}

impl Order {
    /// Reads an order: `par2` or `-solved`.
    pub fn parse(text: &str) -> Self {
        match text.strip_prefix('-') {
            Some(column) => Self { column: normal(column), descending: true },
            None => Self { column: normal(text), descending: false },
        }
    }
}

impl Table {
    /// The place of the column of this name; hyphens do for underscores.
    pub fn column(&self, name: &str) -> Result<usize, UnknownColumn> {
        let name = normal(name);
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| UnknownColumn {
            table: self.name.clone(),
            column: name,
            columns: self.columns.iter().map(|column| column.name.clone()).collect(),
        })
    }

    /// The table with these columns, in this order, all of which people see.
    pub fn with_columns(&self, names: &[String]) -> Result<Table, UnknownColumn> {
        let chosen: Result<Vec<usize>, UnknownColumn> =
            names.iter().map(|name| self.column(name)).collect();
        let mut table = self.keep(&chosen?);
        table.columns.iter_mut().for_each(|column| column.shown = Visibility::Always);
        Ok(table)
    }

    /// The table as people see it: without optional columns, and without columns that are zero
    /// throughout, which a note below it lists.
    pub fn for_people(&self) -> Table {
        let is_empty =
            |column: usize| self.rows.iter().all(|row| row.cells[column].is_zero_or_missing());
        // Missing values are shown by their absence; a zero is a result.
        let is_zero =
            |column: usize| self.rows.iter().all(|row| row.cells[column].exact() == Some(0.0));
        let mut hidden = Vec::new();
        let mut kept = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            match column.shown {
                Visibility::Always => kept.push(index),
                Visibility::IfNotEmpty if is_zero(index) => hidden.push(column.title.as_str()),
                Visibility::IfNotEmpty if is_empty(index) => {}
                Visibility::IfNotEmpty => kept.push(index),
                Visibility::OnRequest => {}
            }
        }
        let mut table = self.keep(&kept);
        if !hidden.is_empty() && !self.rows.is_empty() {
            table.notes.push(format!("Zero throughout: {}.", hidden.join(", ")));
        }
        table
    }

    /// Sorts the rows within their groups. Rows without a figure come last.
    pub fn sort(&mut self, order: &Order) -> Result<(), UnknownColumn> {
        let column = self.column(&order.column)?;
        self.rows.sort_by(|left, right| {
            left.group.cmp(&right.group).then_with(|| {
                let (left, right) = (&left.cells[column], &right.cells[column]);
                compare(left, right, order.descending)
            })
        });
        Ok(())
    }

    fn keep(&self, chosen: &[usize]) -> Table {
        let mut table = self.clone();
        table.columns = chosen.iter().map(|&index| self.columns[index].clone()).collect();
        for (row, old) in table.rows.iter_mut().zip(&self.rows) {
            row.cells = chosen.iter().map(|&index| old.cells[index].clone()).collect();
        }
        table
    }
}

fn compare(left: &Value, right: &Value, descending: bool) -> Ordering {
    let turned = |order: Ordering| if descending { order.reverse() } else { order };
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => turned(left.cmp(right)),
        _ => match (left.exact(), right.exact()) {
            (Some(left), Some(right)) => turned(left.total_cmp(&right)),
            (left, right) => left.is_none().cmp(&right.is_none()),
        },
    }
}

/// Names as they are written in tables.
fn normal(name: &str) -> String {
    name.trim().replace('-', "_")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]
mod tests {
    use super::super::model::{Column, Table, Value, Visibility};
    use super::Order;

    fn table() -> Table {
        let columns = vec![
            Column::new("solver", "solver"),
            Column::new("solved", "solved"),
            Column::new("wrong", "wrong").shown(Visibility::IfNotEmpty),
            Column::new("wall_seconds", "wall").shown(Visibility::OnRequest),
        ];
        let mut table = Table::new("standings", "", columns);
        for (group, name, solved) in [(0, "a", Some(3)), (0, "b", None), (0, "c", Some(7))] {
            let solved = solved.map_or(Value::Missing, Value::Count);
            let name = Value::Text(name.to_owned());
            table.push(group, vec![name, solved, Value::Count(0), Value::Seconds(1.0)]);
        }
        let best = Value::Text("virtual best".to_owned());
        table.push(1, vec![best, Value::Count(9), Value::Count(0), Value::Seconds(1.0)]);
        table
    }

    fn names(table: &Table) -> Vec<String> {
        table.rows.iter().map(|row| row.cells[0].shown()).collect()
    }

    #[test]
    fn rows_are_sorted_within_groups_and_those_without_a_figure_come_last() {
        let mut table = table();
        table.sort(&Order::parse("-solved")).unwrap();
        assert_eq!(names(&table), ["c", "a", "b", "virtual best"]);
        table.sort(&Order::parse("solved")).unwrap();
        assert_eq!(names(&table), ["a", "c", "b", "virtual best"]);
    }

    #[test]
    fn people_do_not_see_what_says_nothing_unless_they_ask() {
        let seen = table().for_people();
        assert_eq!(seen.columns.len(), 2);
        assert_eq!(seen.notes, ["Zero throughout: wrong."]);
        let chosen = ["wall-seconds".to_owned(), "wrong".to_owned()];
        let seen = table().with_columns(&chosen).unwrap().for_people();
        assert_eq!(seen.columns[0].title, "wall");
        assert_eq!(seen.columns.len(), 2);
    }

    #[test]
    fn an_unknown_column_is_told_with_those_that_there_are() {
        let error = table().with_columns(&["sloved".to_owned()]).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("\"sloved\"") && message.contains("solver, solved"), "{message}");
    }
}
