//! The page of a site that shows instances and runs, which its script reads from data files.

use maud::html;

use super::Context;
use crate::layout::{self, Page, Place};

/// The page without an instance.
pub(crate) fn viewer(context: &Context) -> String {
    let page = Page {
        title: "Instance".to_owned(),
        place: Place::Viewer,
        path: Vec::new(),
        body: html! {
            noscript { p.note { "Instances and runs need JavaScript here: they are parts of data files." } }
            p #view-state role="status" {}
            p { a href="/compare" { "All instances" } }
        },
    };
    layout::text(context, &page)
}
