//! Counts of formulas by category and operation.

use std::collections::BTreeMap;

use luthier_generator::{Category, Formula};
use serde::Serialize;

use crate::error::CliError;
use crate::output::Output;

/// Counts of formulas.
#[derive(Default, Serialize)]
pub struct Counts {
    /// All of them.
    pub total: usize,
    /// By category.
    categories: BTreeMap<&'static str, usize>,
    /// By operation.
    operations: BTreeMap<&'static str, usize>,
    /// By category, and by operation in the order in which they came.
    #[serde(skip)]
    listed: BTreeMap<Category, Vec<(&'static str, usize)>>,
}

impl Counts {
    /// Counts a formula.
    pub fn add(&mut self, formula: &Formula) {
        let Formula { category, operation, .. } = formula;
        self.total += 1;
        *self.categories.entry(category.name()).or_default() += 1;
        *self.operations.entry(operation).or_default() += 1;
        let listed = self.listed.entry(*category).or_default();
        match listed.iter_mut().find(|(name, _)| name == operation) {
            Some((_, count)) => *count += 1,
            None => listed.push((operation, 1)),
        }
    }

    /// Prints the counts by category and operation.
    pub fn print(&self, output: &mut Output) -> Result<(), CliError> {
        for (category, operations) in &self.listed {
            let count = self.categories.get(category.name()).copied().unwrap_or_default();
            output.line(format_args!("{count:>6} {category}"))?;
            let operations: Vec<String> =
                operations.iter().map(|(name, count)| format!("{name} {count}")).collect();
            output.line(format_args!("       {}", operations.join(", ")))?;
        }
        Ok(())
    }
}
