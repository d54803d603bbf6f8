//! Planted annotations of a script (witness, core), read and transferred to its variant.

use std::collections::BTreeMap;

use luthier_semantics::{Evaluator, Interpretation, Limits, Model};
use luthier_smtlib::annotations::Annotation;
use luthier_smtlib::lexer::is_simple_symbol;
use luthier_smtlib::{
    AttributeValue, CommandKind, Dialect, ModelEntry, PrintOptions, Script, print_term, read_model,
};
use luthier_terms::{FunctionId, Sort, Term, TermId, TermPool};

use super::rewrite::rebuild;
use super::{VALUE_STEPS, Variant};

/// The planted witness of a script: values of its constants.
pub(crate) fn witness(pool: &mut TermPool, script: &Script) -> Option<Model> {
    let planted = Annotation::Witness.find(pool, script);
    let Some(AttributeValue::String(text)) = planted else { return None };
    let text = text.clone();
    witness_of_text(pool, script, &text)
}

/// A witness as text: values of the constants of a script.
pub(crate) fn witness_of_text(pool: &mut TermPool, script: &Script, text: &[u8]) -> Option<Model> {
    let reading = read_model(pool, script, text, Dialect::Smt27);
    if reading.errors().next().is_some() {
        return None;
    }
    let mut functions = Model::new();
    for entry in &reading.entries {
        let ModelEntry::Function { function, variables, body } = entry else { continue };
        let body = *body;
        let variables = variables.clone();
        functions.insert(*function, Interpretation::Function { variables, body });
    }
    // Evaluated, since the witness is given as terms.
    let limits = Limits { steps: VALUE_STEPS, ..Limits::default() };
    let empty = Model::new();
    let mut evaluator = Evaluator::with_limits(pool, &empty, limits);
    let mut model = Model::new();
    for (function, interpretation) in functions.iter() {
        match interpretation {
            Interpretation::Function { variables, body } if variables.is_empty() => {
                model.insert_value(function, evaluator.evaluate(*body).known()?.clone());
            }
            _ => {
                model.insert(function, interpretation.clone());
            }
        }
    }
    Some(model)
}

/// Adapts the planted annotations to the variant, and removes those that no longer hold.
pub(super) fn transfer_annotations(pool: &mut TermPool, script: &Script, made: &mut Variant) {
    if !made.keeps_core {
        Annotation::Core.remove(pool, &mut made.script);
    }
    if Annotation::Witness.find(pool, &made.script).is_none() {
        return;
    }
    if made.renamed.is_empty() && made.fresh.is_empty() && made.functions.is_empty() {
        return;
    }
    match translated_witness(pool, script, made) {
        Some(text) => {
            for command in &mut made.script.commands {
                if let CommandKind::SetInfo(attribute) = &mut command.kind
                    && Annotation::of(pool, attribute) == Some(Annotation::Witness)
                {
                    attribute.value = AttributeValue::String(text.clone());
                }
            }
        }
        None => Annotation::Witness.remove(pool, &mut made.script),
    }
}

/// Whether a core is planted in a script.
pub(super) fn has_core(pool: &TermPool, script: &Script) -> bool {
    Annotation::Core.find(pool, script).is_some()
}

/// Name, sort and literal of each constant in the planted witness. `None`: there is no witness.
pub(super) fn values(
    pool: &mut TermPool,
    script: &Script,
) -> Option<Vec<(String, &'static str, String)>> {
    let model = witness(pool, script)?;
    let declared = script.declared(pool);
    values_of(pool, &declared, &model)
}

/// Name, sort and literal of each of these constants that has a value in a model.
pub(crate) fn values_of(
    pool: &mut TermPool,
    declared: &[FunctionId],
    model: &Model,
) -> Option<Vec<(String, &'static str, String)>> {
    let mut values = Vec::new();
    for &function in declared {
        let Some(Interpretation::Value(value)) = model.get(function) else { continue };
        let term = value.to_term(pool).ok()?;
        let literal = print_term(pool, term, &PrintOptions::new(Dialect::Smt27)).ok()?;
        let name = String::from_utf8(quoted(pool, function)).ok()?;
        let sort = match pool.function(function).result {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::String => "String",
            _ => continue,
        };
        values.push((name, sort, String::from_utf8(literal.bytes).ok()?));
    }
    Some(values)
}

/// The witness with the names of the variant and values for its new constants.
fn translated_witness(pool: &mut TermPool, script: &Script, made: &Variant) -> Option<Vec<u8>> {
    let model = witness(pool, script)?;
    let model = made.translate_model(pool, &model)?;
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for function in made.script.declared(pool) {
        // Constants without a value in the witness stay without one.
        let (variables, term) = match model.get(function) {
            None => continue,
            Some(Interpretation::Value(value)) => (Vec::new(), value.to_term(pool).ok()?),
            Some(Interpretation::Function { variables, body }) => {
                (variables.clone(), with_values(pool, *body, &model)?)
            }
            // Witnesses are read from text, which has terms.
            Some(Interpretation::Table(_)) => return None,
        };
        let options = PrintOptions::new(Dialect::Smt27);
        let literal = print_term(pool, term, &options).ok()?;
        let mut parameters: Vec<String> = Vec::new();
        for variable in variables {
            let name = print_term(pool, variable, &options).ok()?;
            let name = String::from_utf8(name.bytes).ok()?;
            parameters.push(format!("({name} {})", pool.sort(variable)));
        }
        let sort = pool.function(function).result.to_string();
        let mut line = b"(define-fun ".to_vec();
        line.extend(quoted(pool, function));
        line.extend(format!(" ({}) {sort} ", parameters.join(" ")).into_bytes());
        line.extend(literal.bytes);
        line.push(b')');
        lines.push(line);
    }
    if lines.is_empty() {
        return None;
    }
    let mut text = vec![b'('];
    text.extend(lines.join(&b' '));
    text.push(b')');
    Some(text)
}

/// The body of a function with the values of constants in their places.
fn with_values(pool: &mut TermPool, body: TermId, model: &Model) -> Option<TermId> {
    rebuild(pool, body, &mut BTreeMap::new(), |pool, _, new| match pool.term(new) {
        Term::Apply(constant, []) => match model.get(constant)? {
            Interpretation::Value(value) => value.to_term(pool).ok(),
            Interpretation::Function { .. } | Interpretation::Table(_) => None,
        },
        _ => Some(new),
    })
}

/// The name of a function as scripts write it.
fn quoted(pool: &TermPool, function: FunctionId) -> Vec<u8> {
    let name = pool.symbols().bytes_of(pool.function(function).name);
    if is_simple_symbol(name) {
        return name.to_vec();
    }
    [b"|", name, b"|"].concat()
}
