//! The form that chooses what is compared. It works without script.

use luthier_report::Results;
use luthier_report::measures::{Expected, FilterKind, Sorting};
use maud::{Markup, html};

use super::request::{PATH, Request};
use crate::text::visible;

/// The form, filled in.
pub(super) fn form(results: &Results, request: &Request) -> Markup {
    let filter = &request.filter;
    let solvers = &request.solvers;
    html! {
        form.choose method="get" action=(PATH) aria-label="What is compared" {
            (solvers.field(results))
            div.fields {
                label { "Show"
                    select name="kind" {
                        @for kind in FilterKind::ALL {
                            @let value = if kind == FilterKind::All { "" } else { kind.name() };
                            option value=(value) selected[filter.kind == kind] { (kind_words(kind)) }
                        }
                    }
                }
                label { "of"
                    (solvers.one(results, "of", filter.solver, Some("any solver")))
                }
                (request.scope.fields(results))
                label { "Operator or feature"
                    select name="feature" {
                        option value="" { "any" }
                        @for (index, feature) in results.features.iter().enumerate() {
                            option value=(feature) selected[filter.feature == Some(index)] {
                                (visible(feature))
                            }
                        }
                    }
                }
                label { "Expected answer"
                    select name="expected" {
                        option value="" { "any" }
                        @for expected in Expected::ALL {
                            option value=(expected.name()) selected[filter.expected == Some(expected)] {
                                (expected_words(expected))
                            }
                        }
                    }
                }
                label.wide[request.scope.has_tracks(results)] { "Set, track or name contains"
                    input type="search" name="text" maxlength="300" value=[filter.text.as_deref()];
                }
                label { "Size from, bytes"
                    input type="number" name="min_size" min="0" value=[filter.min_size];
                }
                label { "Size to, bytes"
                    input type="number" name="max_size" min="0" value=[filter.max_size];
                }
                @if let Some((x, y)) = request.axes {
                    label { "Across"
                        (solvers.one(results, "x", Some(x), None))
                    }
                    label { "Upwards"
                        (solvers.one(results, "y", Some(y), None))
                    }
                }
            }
            // Sorting is chosen in the table; the form only keeps it.
            @if request.sorting != Sorting::default() {
                input type="hidden" name="sort" value=(request.sorting.name(results));
            }
            p.buttons {
                button.main type="submit" { "Show" }
                a href=(PATH) { "Start again" }
            }
        }
    }
}

/// A kind for people.
pub(super) fn kind_words(kind: FilterKind) -> &'static str {
    match kind {
        FilterKind::All => "all",
        FilterKind::Solved => "solved",
        FilterKind::Refuted => "wrong answers or invalid models",
        FilterKind::Sat => "answered sat",
        FilterKind::Unsat => "answered unsat",
        FilterKind::Malformed => "no answer, or too much output",
        FilterKind::Unique => "solved by one only",
        FilterKind::Wrong => "wrong answers",
        FilterKind::Conflicting => "conflicting answers",
        FilterKind::InvalidModel => "invalid models",
        FilterKind::InvalidCore => "invalid cores",
        FilterKind::IncompleteModel => "incomplete models",
        FilterKind::UncheckedModel => "models that could not be checked",
        FilterKind::Disputed => "disputed answers",
        FilterKind::FrameworkError => "faults of the set-up",
        FilterKind::Crashed => "crashes",
        FilterKind::Unknown => "unknown",
        FilterKind::Timeout => "timeouts",
        FilterKind::Memout => "out of memory",
        FilterKind::Unsupported => "unsupported",
        FilterKind::Unsolved => "not solved",
        FilterKind::Some => "solved by some, not by all",
        FilterKind::Missing => "not run",
    }
}

fn expected_words(expected: Expected) -> &'static str {
    match expected {
        Expected::Sat => "sat",
        Expected::Unsat => "unsat",
        Expected::None => "open",
    }
}
