//! Formulas and outputs as plain text, never interpreted by the browser.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use luthier_store::{InstanceId, RunId};

use crate::address;
use crate::error::PageError;
use crate::pages::{self, Context};
use crate::state::App;
use crate::stores::Turn;

/// Which text of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stream {
    /// The standard output.
    Output,
    /// The standard error.
    Error,
}

/// The formula of an instance.
pub(crate) async fn input(app: App, number: String) -> Response {
    pages::answer_with_store(app, move |context, turn| {
        let number = address::number(&number, "an instance")?;
        let text = context.stores().read(turn, |store| -> Result<_, PageError> {
            let found = store.instance(InstanceId(number))?;
            let found = found.ok_or_else(|| {
                PageError::not_found(format!("There is no instance {number} here."))
            })?;
            Ok(store.text(found.instance.digest)?)
        })?;
        text.map(plain).ok_or_else(|| {
            PageError::not_found("The text of this instance is not in the database.")
        })
    })
    .await
}

/// What a run printed.
pub(crate) async fn output(app: App, number: String, stream: Stream) -> Response {
    pages::answer_with_store(app, move |context, turn| {
        Ok(plain(printed(context, turn, &number, stream)?))
    })
    .await
}

fn printed(
    context: &Context,
    turn: &Turn,
    number: &str,
    stream: Stream,
) -> Result<Vec<u8>, PageError> {
    let number = address::number(number, "a run")?;
    let outputs = context.stores().read(turn, |store| store.outputs(RunId(number)))?;
    let outputs =
        outputs.ok_or_else(|| PageError::not_found(format!("There is no run {number} here.")))?;
    Ok(match stream {
        Stream::Output => outputs.stdout.bytes,
        Stream::Error => outputs.stderr.bytes,
    })
}

/// Bytes that a browser shows as text, whatever is in them.
fn plain(bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "inline"),
    ];
    (headers, bytes).into_response()
}
