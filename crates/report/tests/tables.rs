//! Text tables: alignment, hidden columns, cut keys, split tables.

use luthier_report::{Column, Table, render_table, text_width};
use proptest::prelude::*;

fn table(columns: Vec<Column>, rows: &[&[&str]]) -> Table {
    let mut table = Table::new(columns);
    for row in rows {
        table.push(row.iter().map(|&cell| cell.to_owned()).collect());
    }
    table
}

fn solvers() -> Table {
    let columns = vec![
        Column::key("solver"),
        Column::numbers("sat"),
        Column::numbers("crash").hidden_if_empty(),
        Column::numbers("PAR2"),
        Column::words("note"),
    ];
    let rows: [&[&str]; 2] =
        [&["z3@5.4.0", "12", "0", "103.250", "x"], &["naïve 漢", "7", "0", "9.001"]];
    table(columns, &rows)
}

#[track_caller]
fn check(table: &Table, width: Option<usize>, expected: &str) {
    assert_eq!(render_table(table, width), expected);
}

#[test]
fn numbers_stand_at_the_right_and_words_at_the_left() {
    let expected = "\
solver    sat  crash     PAR2  note
────────  ───  ─────  ───────  ────
z3@5.4.0   12      0  103.250  x
naïve 漢    7      0    9.001
";
    check(&solvers(), None, expected);
    check(&solvers(), Some(35), expected);
}

#[test]
fn columns_that_say_nothing_go_first_and_that_is_said() {
    let expected = "\
solver    sat     PAR2  note
────────  ───  ───────  ────
z3@5.4.0   12  103.250  x
naïve 漢    7    9.001
(not shown, since empty or 0 in
every row: crash)
";
    check(&solvers(), Some(34), expected);
}

#[test]
fn a_column_that_says_something_is_never_hidden() {
    let mut table = solvers();
    table.rows[0][2] = "1".to_owned();
    let text = render_table(&table, Some(34));
    assert!(text.contains("crash") && !text.contains("not shown"), "{text}");
    assert!(text.ends_with("(split into 2 parts to fit)\n"), "{text}");
}

#[test]
fn a_table_that_is_still_too_wide_is_split_with_its_key() {
    let expected = "\
solver    sat
────────  ───
z3@5.4.0   12
naïve 漢    7

solver       PAR2
────────  ───────
z3@5.4.0  103.250
naïve 漢    9.001

solver    note
────────  ────
z3@5.4.0  x
naïve 漢
(not shown, since
empty or 0 in
every row: crash)
(split into 3
parts to fit)
";
    check(&solvers(), Some(17), expected);
}

#[test]
fn long_names_are_cut_in_the_middle_if_that_helps() {
    let name = "folder/of/many/levels/file.smt2";
    let long = table(vec![Column::key("file"), Column::numbers("s")], &[&[name, "1.5"]]);
    let text = render_table(&long, Some(27));
    assert!(text.contains("folder/…vels/file.smt2  1.5"), "{text}");
    assert!(text.ends_with("(some names are cut to fit)\n"), "{text}");
    let whole = render_table(&long, Some(36));
    assert!(whole.contains(name) && !whole.contains('('), "{whole}");
}

#[test]
fn control_characters_are_shown_and_do_not_act() {
    let strange = table(vec![Column::words("a\nb")], &[&["x\u{1b}[31m"], &["\t"]]);
    let text = render_table(&strange, None);
    assert!(!text.contains('\u{1b}') && !text.contains('\t'), "{text:?}");
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("x\\u{1b}[31m"), "{text}");
}

#[test]
fn tables_without_rows_or_columns_are_fine() {
    check(&table(vec![Column::key("a")], &[]), Some(80), "a\n─\n");
    check(&table(Vec::new(), &[]), Some(80), "\n\n");
    let ragged = table(vec![Column::key("a")], &[&[], &["1", "beyond"]]);
    check(&ragged, None, "a\n─\n\n1\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_wider_than_asked_and_no_number_is_lost(
        cells in prop::collection::vec(prop::collection::vec("[a-zé漢0-9]{0,9}", 6), 0..5),
        width in 0..90_usize,
    ) {
        let columns = (0..6).map(|index| {
            let title = format!("column{index}");
            if index < 2 { Column::key(title) } else { Column::numbers(title) }
        });
        let mut table = Table::new(columns.collect());
        table.rows = cells;
        let text = render_table(&table, Some(width));
        // Less is not possible for two cut keys, a column of 9 wide characters and the gaps.
        let bound = width.max(12 + 12 + 9 * 2 + 4);
        for line in text.lines() {
            prop_assert!(text_width(line) <= bound, "{}", text);
        }
        for row in &table.rows {
            for cell in row.iter().skip(2) {
                prop_assert!(text.contains(cell.as_str()), "{}", text);
            }
        }
        for line in text.lines() {
            prop_assert_eq!(line.trim_end_matches(' '), line);
        }
    }
}
