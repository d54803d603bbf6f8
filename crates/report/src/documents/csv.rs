//! CSV renderer for one table, by RFC 4180: commas, CR LF, a header, quotation marks doubled.
//!
//! Figures are exact and have no commas; missing values are empty. Texts that begin with a sign
//! that makes spreadsheets compute (`= + - @`, a tab, a carriage return) are not changed, since
//! this is data, but they are quoted; import columns as text in a spreadsheet.

use super::model::{Table, Value};

/// The table with all its columns.
pub fn csv(table: &Table) -> String {
    let mut text = csv_record(table.columns.iter().map(|column| column.name.as_str()));
    for row in &table.rows {
        let cells: Vec<Field> = row.cells.iter().map(field).collect();
        write_fields(&mut text, &cells);
    }
    text
}

/// One record of texts, with its line end.
pub fn csv_record<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let fields: Vec<Field> = texts.into_iter().map(|text| Field::Words(text.to_owned())).collect();
    let mut text = String::new();
    write_fields(&mut text, &fields);
    text
}

enum Field {
    Figure(String),
    Words(String),
}

fn field(value: &Value) -> Field {
    match value {
        Value::Text(text) => Field::Words(text.clone()),
        Value::Missing => Field::Figure(String::new()),
        Value::Number(number) => Field::Figure(number.to_string()),
        Value::Count(count) | Value::Rank { rank: count, .. } => Field::Figure(count.to_string()),
        figure => Field::Figure(figure.exact().map_or_else(String::new, |exact| exact.to_string())),
    }
}

fn write_fields(text: &mut String, fields: &[Field]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        match field {
            Field::Figure(figure) => text.push_str(figure),
            Field::Words(words) if needs_quotes(words) => {
                text.push('"');
                text.push_str(&words.replace('"', "\"\""));
                text.push('"');
            }
            Field::Words(words) => text.push_str(words),
        }
    }
    text.push_str("\r\n");
}

fn needs_quotes(words: &str) -> bool {
    words.contains([',', '"', '\r', '\n'])
        || words.starts_with(['=', '+', '-', '@', '\t', ' '])
        || words.ends_with(' ')
}

#[cfg(test)]
mod tests {
    use super::super::model::{Column, Table, Value};
    use super::{csv, csv_record};

    #[test]
    fn texts_are_quoted_where_they_must_be_and_figures_never() {
        let record = csv_record(["plain", "a,b", "say \"x\"", "=1+1", "", "two\nlines"]);
        assert_eq!(record, "plain,\"a,b\",\"say \"\"x\"\"\",\"=1+1\",,\"two\nlines\"\r\n");
        let mut table = Table::new("t", "", vec![Column::new("a", "A"), Column::new("b", "B")]);
        table.push(0, vec![Value::SumOfSeconds(-1234.5678), Value::Count(54_387)]);
        table.push(0, vec![Value::Share { part: 1, whole: 4 }, Value::Missing]);
        assert_eq!(csv(&table), "a,b\r\n-1234.5678,54387\r\n0.25,\r\n");
    }
}
