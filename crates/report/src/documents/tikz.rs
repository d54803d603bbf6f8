//! TikZ renderer: the charts of a document, one after the other.

use luthier_charts::{Chart, PREAMBLE, to_tikz};

use super::latex::DocumentScope;
use super::model::Document;
use super::visible;

/// The charts as pictures for a paper, or as a document with a page for each.
pub fn tikz(document: &Document, whole: DocumentScope) -> String {
    let mut text = String::new();
    if whole == DocumentScope::Standalone {
        text.push_str("\\documentclass[a4paper]{article}\n\\usepackage[margin=1cm]{geometry}\n");
        text.push_str(PREAMBLE);
        text.push_str("\\pagestyle{empty}\n\\begin{document}\n");
    } else {
        text.push_str("% Needs in the preamble:\n");
        PREAMBLE.lines().for_each(|line| text.push_str(&format!("%   {line}\n")));
    }
    for (index, picture) in document.pictures().enumerate() {
        if whole == DocumentScope::Standalone && index > 0 {
            text.push_str("\\newpage\n");
        }
        text.push_str(&format!("\n% {}: {}\n", picture.name, visible(picture.chart.title())));
        text.push_str(&fitting(&picture.chart));
    }
    if whole == DocumentScope::Standalone {
        text.push_str("\\end{document}\n");
    }
    text
}

/// The picture, shrunk if it is too wide for where it stands.
pub(super) fn fitting(chart: &Chart) -> String {
    format!(
        "\\sbox0{{%\n{}}}%\n\
         \\ifdim\\wd0>\\linewidth\\resizebox{{\\linewidth}}{{!}}{{\\usebox0}}\\else\\usebox0\\fi\n",
        to_tikz(chart)
    )
}
