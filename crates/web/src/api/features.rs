//! Endpoint of results by operator and other features of the instances.

use luthier_report::measures::{self, FeatureCell};
use schemars::JsonSchema;
use serde::Serialize;

use super::endpoint::{ApiRequest, Content, Endpoint, Family, Source, schema};
use super::error::ApiError;
use super::reply::{LIMIT, OFFSET, Page, Reply, offset};
use super::scope::{self, CAMPAIGN, SET, SOLVERS, TRACK};
use super::types::{Named, seconds, solver};

/// How solvers fare by feature.
#[derive(Debug, Serialize, JsonSchema)]
struct FeaturesDetails {
    /// Files whose features are known.
    known: u64,
    /// Files whose features are not known.
    unknown: u64,
    /// What each solver did on all files of known features.
    overall: Vec<CellRow>,
    /// The features, the most used first.
    features: Page<FeatureDetails>,
}

/// A feature.
#[derive(Debug, Serialize, JsonSchema)]
struct FeatureDetails {
    /// Its name, such as `str.replace`.
    name: String,
    /// How many files use it.
    instances: u64,
    /// What each solver did on them.
    solvers: Vec<CellRow>,
}

/// What a solver did on some files.
#[derive(Debug, Serialize, JsonSchema)]
struct CellRow {
    /// The solver.
    solver: Named,
    /// Files with a scored run.
    instances: u64,
    /// Solved files.
    solved: u64,
    /// Files with a wrong answer or an invalid model.
    refuted: u64,
    /// Files that ended at a time limit.
    timeout: u64,
    /// Files that were answered `unknown`.
    unknown: u64,
    /// The sum of penalised CPU times, in seconds.
    par2: f64,
    /// The share of solved files, from 0 to 1.
    share: Option<f64>,
    /// The share as a multiple of that over all files.
    lift: Option<f64>,
}

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let features = Endpoint::new(
        Family::Version1,
        "/api/v1/features",
        "features",
        "Operators and other features of the instances, and how solvers fare on them",
        Content::Json(schema::<FeaturesDetails>),
        features,
    );
    vec![
        features.with(&[SET, TRACK, SOLVERS, CAMPAIGN, LIMIT, OFFSET]).paged().from(Source::Costly),
    ]
}

fn features(request: &ApiRequest<'_>) -> Result<Reply, ApiError> {
    let view = scope::view(request)?;
    let results = view.results;
    let table = measures::features(&view);
    let cells = |cells: &[FeatureCell]| -> Vec<CellRow> {
        let cells = view.solvers.iter().zip(cells).zip(&table.overall);
        cells
            .map(|((&index, cell), overall)| CellRow {
                solver: solver(results, index),
                instances: cell.instances,
                solved: cell.solved,
                refuted: cell.wrong,
                timeout: cell.timeout,
                unknown: cell.unknown,
                par2: seconds(cell.par2.0),
                share: cell.share(),
                lift: cell.lift(overall),
            })
            .collect()
    };
    let all = table.by_use();
    let rows = all.iter().skip(offset(request)).map(|row| FeatureDetails {
        name: results.features[row.feature].clone(),
        instances: row.entries,
        solvers: cells(&row.cells),
    });
    let page = Page::of(request, all.len(), rows);
    let next = page.next.clone();
    let details = FeaturesDetails {
        known: table.known,
        unknown: table.unknown,
        overall: cells(&table.overall),
        features: page,
    };
    Ok(Reply::json(&details)?.with_part(all.len(), next.as_deref()))
}
