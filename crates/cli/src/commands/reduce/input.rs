//! What is reduced: a file, or the instance of a stored run with what other runs show about it.

use std::collections::BTreeMap;

use luthier_runner::answer;
use luthier_smtlib::Script;
use luthier_store::{RunId, Store};
use luthier_terms::TermPool;
use luthier_triage::{Truth, accepted_model};

use super::Arguments;
use crate::commands::show::text_of;
use crate::commands::triage::{parse_formula, read_formula};
use crate::error::CliError;

/// A formula and what is known about its failure.
pub struct Formula {
    pub name: String,
    pub pool: TermPool,
    pub script: Script,
    /// The specification of the solver.
    pub solver: Option<String>,
    pub truth: Truth,
}

/// Finds the formula that the command line names.
pub fn find(arguments: &Arguments) -> Result<Formula, CliError> {
    if let Some(run) = arguments.run {
        let store = Store::open_read_only(&arguments.input)?;
        let found = of_run(&store, run)?;
        let solver = arguments.solver.clone().or(found.solver);
        return Ok(Formula { solver, ..found });
    }
    let (pool, script) = read_formula(&arguments.input, arguments.dialect)?;
    let name = arguments.input.display().to_string();
    Ok(Formula { name, pool, script, solver: arguments.solver.clone(), truth: Truth::Open })
}

/// The formula of a stored run, with a model of it if any run on its instance printed one.
pub fn of_run(store: &Store, number: i64) -> Result<Formula, CliError> {
    let missing = |what: &str| CliError::usage(format!("{}: {what}", store.path().display()));
    let run = store.run(RunId(number))?.ok_or_else(|| {
        missing(&format!("there is no run {number}"))
            .with_hint("luthier summary prints the number of each failing run")
    })?;
    let found = store.instance(run.instance)?.ok_or_else(|| missing("the instance is lost"))?;
    let name = found.places.first().map_or_else(String::new, |place| place.text());
    let text = text_of(store, &found.instance)?;
    let (mut pool, script) = parse_formula(&name, &text, found.instance.dialect.parse().ok())?;
    let configurations: BTreeMap<_, _> = store.configurations()?.into_iter().collect();
    let configuration = configurations.get(&run.configuration);
    let solver = configuration.map(|one| one.name.clone());
    // A model that any run on the instance printed may show that it is satisfiable.
    let mut truth = Truth::Open;
    for other in &found.runs {
        let dialect = configurations.get(&other.configuration).map(|one| one.dialect.parse());
        let Some(Ok(dialect)) = dialect else { continue };
        let stdout = store.outputs(other.id)?.unwrap_or_default().stdout.bytes;
        let said = answer::read(&stdout);
        let Some(model) = said.answers.last().and_then(|answer| answer.model.as_ref()) else {
            continue;
        };
        if let Some(model) = accepted_model(&mut pool, &script, model, dialect) {
            truth = Truth::Sat(model);
            break;
        }
    }
    Ok(Formula { name, pool, script, solver, truth })
}
