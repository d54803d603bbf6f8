//! Confirmation and report of a wrong rewrite.
//!
//! The term is simplified once more, alone in a fresh process; its result must differ in the same model.
//! The formula of a finding says the same as a satisfiability problem, `(= t v)` for the right value `v`
//! and the values of the constants, with the model as its witness: a solver that rewrites wrongly often
//! answers `unsat` to it. If it does, alone, that is a second finding, a wrong verdict.

use luthier_ask::{CommandOptions, CommandReply, ProcessMode, ScriptRunner, ask_commands};
use luthier_generator::{Category, Draft, Formula, PlantedAnswer, Sketch};
use luthier_records::FindingKind;
use luthier_semantics::{Model, Value};
use luthier_smtlib::{Dialect, PrintOptions, print_symbol, print_term};
use luthier_terms::{FunctionId, Op, TermId, TermPool};

use super::ask::{Asker, Simplified};
use super::models::values;
use super::tally::RewriteTally;
use super::{Difference, operator_name};
use crate::parsed_formula::ParsedFormula;
use crate::reproduce::reproduced;
use crate::{CaseTruth, Finding};

/// The findings behind a difference; `None` if it does not occur again.
pub(super) fn confirm(
    asker: &Asker<'_>,
    pool: &mut TermPool,
    difference: &Difference,
    name: &str,
    number: u64,
    tally: &mut RewriteTally,
) -> Option<Vec<Finding>> {
    let (solver, environment) = (asker.solver, asker.environment);
    let script = asker.script_alone(pool, difference.term)?;
    let options = CommandOptions {
        process_limit: environment.timeout,
        command_limit: environment.timeout,
        alone_limit: environment.timeout,
        stop: environment.stop,
    };
    let mut runner = environment.runner(solver);
    let commands = [script.command.clone()];
    let asked = ask_commands(&mut runner, &script.head, &commands, &options);
    tally.cpu += asked.cpu;
    tally.processes += asked.processes;
    let Some(Some(CommandReply::Printed(printed))) = asked.replies.into_iter().next() else {
        return None;
    };
    let Simplified::Term(result) = asker.read(pool, difference.term, &printed) else { return None };
    let terms = [difference.term, result];
    let [right, wrong] = values(pool, terms, &difference.model).filter(|[one, two]| one != two)?;
    let (right, wrong) = (right.to_term(pool).ok()?, wrong.to_term(pool).ok()?);
    let formula = formula(pool, difference, right, name)?;
    let truth = CaseTruth::planted(&formula);
    let mode = asker.mode();
    let mut copy = Vec::new();
    for line in solver.preamble(mode) {
        copy.extend_from_slice(line.as_bytes());
        copy.push(b'\n');
    }
    copy.extend_from_slice(&script.head);
    copy.extend_from_slice(&script.command);
    copy.push(b'\n');
    let finding = Finding {
        class: FindingKind::WrongRewrite,
        solver: solver.name.clone(),
        number,
        formula: name.to_owned(),
        category: formula.category,
        operation: formula.operation,
        derivation: formula.derivation.clone(),
        truth: truth.clone(),
        said: String::from_utf8_lossy(printed.trim_ascii()).into_owned(),
        reasons: vec![
            format!("term: {}", shown(pool, difference.term)),
            format!("rewritten to: {}", shown(pool, result)),
            format!("model: {}", model_text(pool, &difference.model)),
            format!("value of the term: {}", shown(pool, right)),
            format!("value of the result: {}", shown(pool, wrong)),
        ],
        incremental_only: false,
        query: None,
        text: formula.text.clone(),
        other_text: None,
        copy,
        dialect: solver.dialect.name(),
        command: solver.command_line("{file}", mode),
        option_sets: solver.option_sets.clone(),
        expert_options: solver.has_expert_options(),
    };
    let verdict = wrong_verdict(asker, formula, &finding);
    Some(std::iter::once(finding).chain(verdict).collect())
}

/// The finding that the formula gets a wrong verdict, too.
fn wrong_verdict(asker: &Asker<'_>, formula: Formula, rewrite: &Finding) -> Option<Finding> {
    let (solver, environment) = (asker.solver, asker.environment);
    let mut parsed = ParsedFormula::read(formula).ok()?;
    let mode = ProcessMode { models: true, ..ProcessMode::default() };
    let copy = parsed.script_alone(solver, mode).ok()?;
    let mut runner = environment.runner(solver);
    let (reply, _) = runner.ask_verbatim(copy.clone(), mode, environment.timeout);
    let class = FindingKind::WrongUnsat;
    let confirmed = reproduced(class, &reply, &mut parsed.asked(solver.dialect))?;
    let derivation = format!("{}; the term is rewritten wrongly", rewrite.derivation);
    Some(Finding {
        class,
        said: confirmed.said,
        reasons: confirmed.reasons,
        derivation,
        copy,
        command: solver.command_line("{file}", mode),
        ..rewrite.clone()
    })
}

/// The values of the constants and the value of the term, as a satisfiable formula.
fn formula(pool: &TermPool, difference: &Difference, right: TermId, name: &str) -> Option<Formula> {
    let mut pool = pool.clone();
    let mut model = Model::new();
    let mut assertions = Vec::new();
    for (function, value) in &difference.model {
        let constant = pool.apply(*function, &[]).ok()?;
        let value_term = value.to_term(&mut pool).ok()?;
        assertions.push(pool.op(Op::Eq, &[constant, value_term]).ok()?);
        model.insert_value(*function, value.clone());
    }
    assertions.push(pool.op(Op::Eq, &[difference.term, right]).ok()?);
    let operation = operator_name(&pool, difference.term);
    let mut draft = Draft::new(pool, model);
    assertions.into_iter().for_each(|assertion| draft.assert(assertion));
    let derivation = "a random term and its value in a model".to_owned();
    let (planted, category) = (PlantedAnswer::Witness, Category::Planted);
    Sketch { draft, planted, category, operation, derivation }.into_formula(name.to_owned())
}

fn shown(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => error.to_string(),
    }
}

fn model_text(pool: &mut TermPool, model: &[(FunctionId, Value)]) -> String {
    let mut pairs = Vec::new();
    for (function, value) in model {
        let symbol = pool.function(*function).name;
        let name = print_symbol(pool.symbols().bytes_of(symbol));
        let value = match value.to_term(pool) {
            Ok(value) => shown(pool, value),
            Err(error) => error.to_string(),
        };
        pairs.push(format!("({} {value})", String::from_utf8_lossy(&name)));
    }
    format!("({})", pairs.join(" "))
}
