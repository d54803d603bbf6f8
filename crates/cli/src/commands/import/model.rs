//! The referee's findings about imported models.
//!
//! ZaligVinder did not record which release printed a model, so its dialect is unknown: the model is
//! read by the standard, and if a literal reads otherwise in older dialects, by those too
//! ([`CheckOptions::dialect`]).

use luthier_campaign::parsed_instance::ParsedInstance;
use luthier_judge::{CheckOptions, check_model, model_finding};
use luthier_records::{Digest, ModelFinding};
use luthier_runner::answer;
use luthier_smtlib::Dialect;
use luthier_smtlib::source::Locator;
use luthier_store::ImportedModel;

/// Checks models, and keeps the last instance: results on one often follow each other.
#[derive(Default)]
pub(super) struct Models {
    last: Option<(Digest, ParsedInstance)>,
}

impl Models {
    /// What the referee finds about the model of a result; `None` if there is no model.
    pub(super) fn check(&mut self, found: &ImportedModel<'_>) -> Option<ModelFinding> {
        let printed;
        let model = if found.model.is_empty() {
            printed = answer::read(found.output).answers.into_iter().next()?.model?;
            printed.as_bytes()
        } else {
            found.model
        };
        let digest = found.instance.digest;
        if self.last.as_ref().is_none_or(|(last, _)| *last != digest) {
            let dialect = found.instance.dialect.parse::<Dialect>().ok();
            self.last = Some((digest, ParsedInstance::read(found.text, dialect)));
        }
        let (_, question) = self.last.as_mut()?;
        let options = CheckOptions { query: Some(1), ..CheckOptions::default() };
        let check = check_model(&mut question.pool, &question.script, model, &options).ok()?;
        let locator = Locator::new(&question.source);
        Some(model_finding(&mut question.pool, &check, Some(&locator)))
    }
}
