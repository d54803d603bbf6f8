//! The definition of an endpoint, and of a request to it.
//!
//! An [`Endpoint`] has its address, its parameters, the schema of its response and the function
//! that computes it. The router and the OpenAPI document are both generated from the same list, so
//! that they cannot differ.

use luthier_report::Results;
use luthier_store::{Store, StoreError};
use schemars::{Schema, SchemaGenerator};

use super::error::ApiError;
use super::parameters::{Parameter, Values};
use super::reply::Reply;
use crate::snapshot::Snapshot;
use crate::state::App;
use crate::stores::Turn;

/// Which family an endpoint belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Ours, with a version in its addresses.
    Version1,
    /// As ZaligVinder has it. Parameters that are not known are ignored, and an address may end with a
    /// slash, since its own pages ask so.
    Zaligvinder,
}

/// What an answer is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The results in memory.
    Results,
    /// The results in memory, at some cost: the answer is kept until they change.
    Costly,
    /// The results and the database.
    Store,
    /// The audit, which may be of earlier results.
    Audit,
}

/// What an answer looks like.
#[derive(Clone, Copy)]
pub(crate) enum Content {
    /// JSON of this schema.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Plain text, byte for byte.
    Text,
    /// A table.
    Csv,
    /// A picture for the web.
    Svg,
    /// A picture of pixels.
    Png,
    /// JSON of this schema, or a picture if `format` says so.
    JsonOrPicture(fn(&mut SchemaGenerator) -> Schema),
}

/// An address with everything that belongs to it.
pub(crate) struct Endpoint {
    /// The address; names in braces are parameters.
    pub path: &'static str,
    /// A name that is an identifier.
    pub id: &'static str,
    /// What it gives, in a line.
    pub summary: &'static str,
    /// What else there is to say.
    pub description: &'static str,
    /// Its family.
    pub family: Family,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether an answer may be one part of several: it then has headers that say so.
    pub is_paged: bool,
    /// What an answer looks like.
    pub content: Content,
    /// What it is made of.
    pub source: Source,
    /// Makes it.
    pub make: fn(&ApiRequest<'_>) -> Result<Reply, ApiError>,
}

/// A request to an endpoint.
pub(crate) struct ApiRequest<'a> {
    /// What all requests share.
    pub app: &'a App,
    /// The results, the same for the whole answer.
    pub snapshot: &'a Snapshot,
    /// The parameters.
    pub values: &'a Values,
    /// The address without parameters, as it was asked for.
    pub address: &'a str,
    /// The right to read the database.
    pub turn: Option<&'a Turn>,
}

impl Endpoint {
    /// An endpoint without parameters, made of the results in memory.
    pub fn new(
        family: Family,
        path: &'static str,
        id: &'static str,
        summary: &'static str,
        content: Content,
        make: fn(&ApiRequest<'_>) -> Result<Reply, ApiError>,
    ) -> Self {
        Self {
            path,
            id,
            summary,
            description: "",
            family,
            parameters: Vec::new(),
            is_paged: false,
            content,
            source: Source::Results,
            make,
        }
    }

    /// The same with these parameters.
    pub fn with(mut self, parameters: &[Parameter]) -> Self {
        self.parameters.extend_from_slice(parameters);
        self
    }

    /// The same, given in parts.
    pub fn paged(mut self) -> Self {
        self.is_paged = true;
        self
    }

    /// The same, made of something else.
    pub fn from(mut self, source: Source) -> Self {
        self.source = source;
        self
    }

    /// The same with more to say.
    pub fn with_description(mut self, description: &'static str) -> Self {
        self.description = description;
        self
    }
}

impl ApiRequest<'_> {
    /// The results.
    pub fn results(&self) -> &Results {
        &self.snapshot.results
    }

    /// Reads the database.
    pub fn read<T>(
        &self,
        work: impl FnOnce(&Store) -> Result<T, StoreError>,
    ) -> Result<T, ApiError> {
        let turn = self.turn.ok_or_else(ApiError::ending)?;
        self.app.shared.stores.read(turn, work).map_err(ApiError::from)
    }

    /// This address with another offset.
    pub fn at_offset(&self, offset: usize) -> String {
        format!("{}{}", self.address, self.values.query_with("offset", &offset.to_string()))
    }
}

/// The schema of a type, as endpoints have it.
pub(crate) fn schema<T: schemars::JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}
