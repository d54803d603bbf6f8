//! The comparison as files: the table of all instances that match, and the scatter plot.
//!
//! The parameters are those of the page. The table is written a piece at a time while it is sent,
//! so that a database of any size needs little memory.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use luthier_report::plots;

use super::request::Request;
use crate::address::{Parameters, instance_address};
use crate::api;
use crate::error::PageError;
use crate::pages::answer;
use crate::state::App;

/// How many instances are written at a time.
const PIECE: usize = 500;

/// All instances that match, in the order of the page, as CSV with a line for each run.
pub(crate) async fn compare_csv(app: App, query: String) -> Response {
    answer(app, move |context| {
        let snapshot = Arc::clone(&context.snapshot);
        let request = Request::read(&snapshot.results, &Parameters::parse(&query))?;
        let sorted = request.sorting.sort(&request.view(&snapshot.results));
        let pieces: Vec<Vec<usize>> = sorted.chunks(PIECE).map(<[usize]>::to_vec).collect();
        let write = move |piece: Vec<usize>| {
            let (snapshot, request) = (Arc::clone(&snapshot), request.clone());
            async move {
                let work = move || {
                    let results = &snapshot.results;
                    let view = request.all(results);
                    let rows = piece.iter().map(|&entry| &results.entries[entry]);
                    rows.map(|entry| api::csv_of_instance(&view, entry)).collect::<String>()
                };
                // A panic, which has been reported; the download is cut, so that browsers say so.
                tokio::task::spawn_blocking(work).await.map_err(std::io::Error::other)
            }
        };
        let lines = stream::iter([Ok(api::csv_head())]).chain(stream::iter(pieces).then(write));
        let headers = [
            (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
            (header::CONTENT_DISPOSITION, "attachment; filename=\"instances.csv\""),
        ];
        Ok((headers, Body::from_stream(lines)).into_response())
    })
    .await
}

/// The scatter plot as a picture in a format: `svg`, otherwise `png`.
pub(crate) async fn compare_picture(app: App, query: String, format: &'static str) -> Response {
    answer(app, move |context| {
        let results = &context.snapshot.results;
        let request = Request::read(results, &Parameters::parse(&query))?;
        let (x, y) = request.axes.ok_or_else(|| {
            PageError::bad_request("There is no scatter plot of fewer than two solvers.".to_owned())
        })?;
        let chart = plots::scatter(&request.view(results), x, y, Some(instance_address));
        let reply = api::picture(&chart, format);
        let reply = reply.map_err(|_| PageError::failed("The chart could not be drawn."))?;
        Ok(([(header::CONTENT_TYPE, reply.kind)], reply.body).into_response())
    })
    .await
}
