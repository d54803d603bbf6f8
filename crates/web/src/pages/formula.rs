//! The formula of an instance, in colours.

use maud::{Markup, PreEscaped, html};

use crate::highlight::highlight;
use crate::text::cut;

/// More of a text is not shown in a page.
pub(crate) const MOST_TEXT: usize = 200_000;

/// The section with the formula; `None` if its text is not in the database.
pub(crate) fn formula(instance: i64, text: Option<&[u8]>, dialect: &str) -> Markup {
    let raw = format!("/instance/{instance}/input");
    html! {
        section aria-labelledby="formula" {
            h2 #formula { "Formula" }
            @match text {
                None => p { "The text of this instance is not in the database." },
                Some(text) => {
                    @let (shown, is_cut) = cut(text, MOST_TEXT);
                    @let coloured = highlight(shown, dialect);
                    p.links { a href=(raw) { "As plain text" } }
                    div.code.scroll tabindex="0" role="region" aria-label="Formula" {
                        pre.lines { code { (PreEscaped(coloured.html)) } }
                    }
                    @if is_cut || coloured.cut {
                        p.note {
                            "This is only the beginning. "
                            a href=(raw) { "The whole text" } " has " (text.len()) " bytes."
                        }
                    }
                }
            }
        }
    }
}
