//! Rechecks by other solvers: printed cores are solved again, and models get second opinions.
//!
//! A core is solved by releases with another program, those of other families first; the first that
//! decides settles it. `sat` refutes a core only with a model that the referee accepts, otherwise
//! the core is disputed. A second opinion is the verdict of a verifying solver on the instance with
//! the values of the model added; it is recorded beside the referee's result and does not replace
//! it.

use luthier_judge::{core_script, script_with_model, settle_core};
use luthier_records::{Class, CoreFinding, CoreOutcome, Opinion, Text};

use crate::execute::{WorkerEnvironment, check_model_of, run_solver};
use crate::parsed_instance::ParsedInstance;
use crate::plan::{Plan, RunnableConfiguration};

/// The finding about a core after other releases solved it, unless it was decided before.
pub(crate) fn recheck_core(
    parsed: &mut ParsedInstance,
    runnable: &RunnableConfiguration,
    plan: &Plan,
    query: usize,
    names: &[Text],
    finding: CoreFinding,
    environment: &WorkerEnvironment<'_>,
) -> CoreFinding {
    if finding.outcome != CoreOutcome::Unconfirmed {
        return finding;
    }
    let Ok(script) = core_script(&parsed.pool, &parsed.script, query, names) else {
        return finding;
    };
    let own = &runnable.configuration;
    let mut confirmers: Vec<&RunnableConfiguration> = plan
        .confirmers
        .iter()
        .filter(|other| other.configuration.program_digest != own.program_digest)
        .collect();
    confirmers.sort_by_key(|other| other.configuration.family == own.family);
    let mut finding = finding;
    for other in confirmers {
        let asked = run_solver(&mut parsed.pool, &script, other, other.mode(false, 1), environment);
        let class = Class::of(&asked.said, 1, &asked.outcome.ending);
        let model = asked.said.answers.first().and_then(|answer| answer.model.as_ref());
        let proves_sat = class == Class::Sat
            && model.is_some_and(|model| {
                let mut reduced = ParsedInstance {
                    pool: std::mem::take(&mut parsed.pool),
                    script: script.clone(),
                    instance: parsed.instance.clone(),
                    asks_for_core: false,
                    remarks: Vec::new(),
                    source: Vec::new(),
                };
                let finding = check_model_of(&mut reduced, other, 0, model.as_bytes());
                parsed.pool = reduced.pool;
                finding.outcome.proves_sat()
            });
        finding = settle_core(finding, &other.configuration.name, class, proves_sat);
        if class.is_decided() {
            break;
        }
    }
    finding
}

/// The verdicts of the verifying solvers on the instance with the values of a model.
pub(crate) fn second_opinions(
    parsed: &mut ParsedInstance,
    runnable: &RunnableConfiguration,
    plan: &Plan,
    query: usize,
    model: &Text,
    environment: &WorkerEnvironment<'_>,
) -> Vec<Opinion> {
    let mut opinions = Vec::new();
    if plan.verifiers.is_empty() {
        return opinions;
    }
    let script = script_with_model(
        &mut parsed.pool,
        &parsed.script,
        query,
        model.as_bytes(),
        runnable.solver.dialect,
    );
    for verifier in &plan.verifiers {
        let class = match &script {
            Ok(script) => {
                let asked = run_solver(
                    &mut parsed.pool,
                    script,
                    verifier,
                    verifier.mode(false, 1),
                    environment,
                );
                Class::of(&asked.said, 1, &asked.outcome.ending)
            }
            // The model cannot be expressed in a script.
            Err(_) => Class::Unsupported,
        };
        opinions.push(Opinion { by: verifier.configuration.name.clone(), class });
    }
    opinions
}
