//! Two client libraries that talk to `luthier solve` over a pipe: easy-smt and rsmt2.
//!
//! `cargo xtask clients` runs it with the program as its argument. It ends with a panic, and so with
//! a code other than 0, where an answer is another one than it must be.

use std::error::Error;

use easy_smt::{ContextBuilder, Response};
use rsmt2::parse::{IdentParser, ModelParser};
use rsmt2::{SmtConf, SmtRes};

fn main() -> Result<(), Box<dyn Error>> {
    let program = std::env::args().nth(1).ok_or("usage: luthier-clients PROGRAM")?;
    easy_smt_client(&program)?;
    println!("easy-smt: fine");
    rsmt2_client(&program).map_err(|error| error.to_string())?;
    println!("rsmt2: fine");
    Ok(())
}

/// Sends `:print-success` and waits for an answer to every command.
fn easy_smt_client(program: &str) -> std::io::Result<()> {
    let arguments = ["solve", "--lang", "smt2", "--incremental"];
    let mut context = ContextBuilder::new().solver(program).solver_args(arguments).build()?;
    context.set_logic("QF_SLIA")?;
    let string = context.atom("String");
    let x = context.declare_const("x", string)?;
    let literal = context.atom("\"ab\"");
    let length = context.list(vec![context.atom("str.len"), x]);
    let prefix = context.list(vec![context.atom("str.prefixof"), literal, x]);
    context.assert(prefix)?;
    context.assert(context.eq(length, context.numeral(2)))?;
    assert_eq!(context.check()?, Response::Sat);
    let values = context.get_value(vec![x])?;
    assert_eq!(context.display(values[0].1).to_string(), "\"ab\"");
    for round in 0..50 {
        context.push()?;
        context.assert(context.eq(length, context.numeral(round)))?;
        let expected = if round == 2 { Response::Sat } else { Response::Unsat };
        assert_eq!(context.check()?, expected, "round {round}");
        context.pop()?;
    }
    assert_eq!(context.check()?, Response::Sat);
    Ok(())
}

/// Takes names, values and types as they are written.
#[derive(Clone, Copy)]
struct Texts;

impl<'a> IdentParser<String, String, &'a str> for Texts {
    fn parse_ident(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }

    fn parse_type(self, input: &'a str) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

impl<'a> ModelParser<String, String, String, &'a str> for Texts {
    fn parse_value(
        self,
        input: &'a str,
        _: &String,
        _: &[(String, String)],
        _: &String,
    ) -> SmtRes<String> {
        Ok(input.to_owned())
    }
}

/// Passes the flags of Z3 and waits for answers of queries only.
fn rsmt2_client(program: &str) -> SmtRes<()> {
    let mut configuration = SmtConf::z3(program);
    configuration.option("solve");
    configuration.models();
    configuration.unsat_cores();
    let mut solver = configuration.spawn(Texts)?;
    solver.declare_const("x", "String")?;
    solver.declare_const("n", "Int")?;
    solver.assert("(= (str.++ x \"b\") \"ab\")")?;
    solver.assert("(= n (str.len x))")?;
    assert!(solver.check_sat()?);
    let model = solver.get_model()?;
    let value =
        |name: &str| model.iter().find(|entry| entry.0 == name).map(|entry| entry.3.as_str());
    assert_eq!((value("x"), value("n")), (Some("\"a\""), Some("1")));
    for round in 0..50 {
        solver.push(1)?;
        solver.assert(&format!("(= n {round})"))?;
        assert_eq!(solver.check_sat()?, round == 1, "round {round}");
        solver.pop(1)?;
    }
    assert_eq!(solver.check_sat_assuming(["(= x \"c\")"])?, false);
    solver.reset()?;
    assert!(solver.check_sat()?);
    Ok(())
}
