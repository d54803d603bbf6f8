//! The guide "Add a solver" of docs/solvers.md, followed to the letter: its descriptions are taken
//! from the page, and the solver with three quirks is our own one behind a script that has them.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails where something unexpected happens")]

use crate::common::shop::{Shop, TWO};

/// The block of the page that begins with this line.
fn description(first_line: &str) -> String {
    let page = include_str!("../../../docs/solvers.md");
    let mut blocks = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.find(|block| block.starts_with(first_line)).unwrap().to_owned()
}

/// `luthier solve`, which knows `(restart)` instead of `(reset)`, has no `push`, and prints an
/// error before each answer. What it does not know ends it, as in cvc5.
fn quirky() -> String {
    let luthier = env!("CARGO_BIN_EXE_luthier");
    format!(
        r#"for file; do :; done
script=$(cat "$file")
case "$script" in
    *'(push'*|*'(pop'*|*'(reset'*) echo '(error "unknown command")'; exit 1 ;;
esac
printf '%s\n' "$script" | sed -e 's/^(restart)$/(reset)/' \
    -e 's/^(check-sat)$/(echo "LICENCE")\n(check-sat)/' |
    '{luthier}' solve --timeout=300ms --dialect=2.6 /dev/stdin |
    sed -e 's/^"*LICENCE"*$/(error "evaluation licence ends soon")/'"#
    )
}

fn shop_with_quirky(description: &str) -> Shop {
    let shop = Shop::with(TWO);
    shop.bench.write("settings/luthier/solvers/quirky.toml", description);
    shop.program("quirky", &quirky());
    shop
}

#[test]
fn ten_lines_describe_a_solver() {
    let description = description("name = \"mysolver\"");
    assert!(description.lines().count() <= 10, "{description}");
    let shop = Shop::with(TWO);
    shop.bench.write("settings/luthier/solvers/mysolver.toml", description);
    shop.program("mysolver", &format!("exec '{}' solve \"$1\"", env!("CARGO_BIN_EXE_luthier")));
    shop.luthier(&["solvers", "test", "mysolver"]).expect(0);
    shop.run(&["mysolver"], &[]).expect(0);
    assert_eq!(shop.row("mysolver")["sat"], 1);
}

#[test]
fn a_solver_with_three_quirks_is_one_file() {
    let shop = shop_with_quirky(&description("name = \"quirky\""));
    shop.luthier(&["solvers", "test", "quirky"]).expect(0);
    let two = format!("{TWO}(reset)\n{TWO}");
    shop.bench.write("set/reset.smt2", two);
    shop.bench.write("set/scopes.smt2", format!("(push 1)\n{TWO}(pop 1)\n"));
    shop.run(&["quirky"], &[]);
    let row = shop.row("quirky");
    assert_eq!((&row["sat"], &row["valid_model"]), (&2.into(), &2.into()), "{row}");
    assert_eq!(row["unsupported"], 1, "{row}");

    // Many formulas in few processes, each with its own answer.
    let arguments = ["conformance", "--solver", "quirky", "--only", "str.at", "--json"];
    let record = shop.luthier(&arguments).expect(0).json();
    let (facts, right) = (&record["facts"], &record["releases"][0]["counts"]["right"]);
    assert!(facts == right && facts.as_u64().unwrap() > 10, "{record}");

    let arguments = ["hunt", "quirky", "--suite", "planted", "--count", "40", "--jobs", "1"];
    let more = ["--out", "found", "--json", "--timeout", "10s", "--query-timeout", "5s"];
    let record = shop.luthier(&[&arguments[..], &more].concat()).expect(0).json();
    let (formulas, tally) = (record["formulas"].as_u64().unwrap(), &record["solvers"][0]);
    let answered: u64 =
        ["sat", "unsat", "unknown"].iter().map(|one| tally[*one].as_u64().unwrap()).sum();
    // Variants with scopes cannot be put to it.
    let inexpressible = tally["inexpressible"].as_u64().unwrap();
    let asked = formulas - inexpressible;
    assert_eq!((answered, &tally["unsupported"]), (asked, &0.into()), "{record}");
    assert!(inexpressible < formulas / 4, "{record}");
    assert!(tally["processes"].as_u64().unwrap() < formulas / 2, "{record}");
}

#[test]
fn without_its_quirks_the_same_solver_is_of_no_use() {
    let whole = description("name = \"quirky\"");
    let shop = shop_with_quirky(whole.split("[[quirks]]").next().unwrap());
    shop.run(&["quirky"], &[]);
    assert_eq!(shop.row("quirky")["unsupported"], 1);
}
