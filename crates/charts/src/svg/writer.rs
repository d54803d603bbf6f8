//! Builds SVG text. All text from outside is escaped here by [`escape_xml`].

use crate::text::{cut_to_length, escape_xml};

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// The text of an SVG, growing.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    text: String,
    width: u32,
}

impl Writer {
    /// Nothing yet, of a picture of this many pixels.
    pub fn of_width(width: u32) -> Self {
        Self { text: String::new(), width }
    }

    /// The width of the picture.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Trusted markup.
    pub fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// An element with untrusted text.
    pub fn element(&mut self, name: &'static str, content: &str) {
        self.text.push_str(&format!("<{name}>{}</{name}>\n", escape_xml(content)));
    }

    /// A text at its place. `full` is what was cut; it is shown as a tooltip.
    /// `attributes` is markup of ours.
    pub fn text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        attributes: &str,
        shown: &str,
        full: Option<&str>,
    ) {
        if shown.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let space = if attributes.is_empty() { "" } else { " " };
        let shown_is_cut = full.is_some_and(|full| shown.ends_with('…') && full != shown);
        let title = full
            .filter(|_| shown_is_cut)
            .map(|full| format!("<title>{}</title>", escape_xml(&cut_to_length(full, 300))));
        self.text.push_str(&format!(
            "<text x=\"{}\" y=\"{}\"{anchor}{space}{attributes}>{}{}</text>\n",
            number(x),
            number(y),
            title.unwrap_or_default(),
            escape_xml(shown)
        ));
    }

    /// Everything that was written.
    pub fn finish(self) -> String {
        self.text
    }
}

/// A coordinate with one decimal at most; finer than a tenth of a pixel is not visible.
pub(super) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let (sign, tenths) = (if tenths < 0 { "-" } else { "" }, tenths.unsigned_abs());
    match tenths % 10 {
        0 => format!("{sign}{}", tenths / 10),
        rest => format!("{sign}{}.{rest}", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn coordinates_are_short() {
        for (value, text) in [(12.0, "12"), (0.04, "0"), (-0.26, "-0.3"), (7.96, "8"), (-0.01, "0")]
        {
            assert_eq!(number(value), text);
        }
    }
}
