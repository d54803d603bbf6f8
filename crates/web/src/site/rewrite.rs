//! Links of a page of the server, written for a site.
//!
//! Pages are our own output: attributes have double quotes, text has no `<`. So tags are found by their
//! brackets, and only their `href`, `src` and `action` change, to relative links by
//! [`Addresses::target`]. A link that leads nowhere on a site becomes plain text; a line of downloads
//! without any is left out, so that nothing looks as if it could be used.

use super::address::{Addresses, Target};

/// Rewrites one page.
#[derive(Debug)]
pub(super) struct Rewriter<'a> {
    addresses: &'a Addresses,
    /// The name of the file that is written.
    file: &'a str,
    /// The path of the page on the server, which links to other parts of a list leave out.
    path: &'a str,
    /// What stands after `#` if the script shows this page.
    view: Option<&'a str>,
    /// The addresses of files that the page links to.
    pub linked: Vec<String>,
}

/// The start tag of an element.
struct Tag<'h> {
    name: &'h str,
    /// The attributes as they stand there: name, and value with its escapes.
    attributes: Vec<(&'h str, Option<&'h str>)>,
    is_closed: bool,
}

impl<'a> Rewriter<'a> {
    /// For a page of the server at `path`, which becomes `file`, or the view `view` of it.
    pub fn new(
        addresses: &'a Addresses,
        file: &'a str,
        path: &'a str,
        view: Option<&'a str>,
    ) -> Self {
        Self { addresses, file, path, view, linked: Vec::new() }
    }

    /// The page with links of the site.
    pub fn rewrite(&mut self, html: &str) -> String {
        self.part(html).0
    }

    /// The part, and how many of its links lead somewhere.
    fn part(&mut self, html: &str) -> (String, usize) {
        let mut written = String::with_capacity(html.len());
        let (mut rest, mut links, mut is_unlinked, mut is_compressed) = (html, 0, false, false);
        while let Some(start) = rest.find('<') {
            written.push_str(&rest[..start]);
            rest = &rest[start..];
            let end = tag_end(rest);
            let (text, after) = rest.split_at(end);
            rest = after;
            if text == "</a>" && std::mem::take(&mut is_unlinked) {
                written.push_str("</span>");
                continue;
            }
            let Some(tag) = Tag::read(text) else {
                if text == "</a>" && std::mem::take(&mut is_compressed) {
                    written.push_str(" (gzip)");
                }
                written.push_str(text);
                continue;
            };
            if let Some(end) = tag.downloads_end(rest) {
                let (inner, after) = rest.split_at(end);
                rest = after;
                let (inner, kept) = self.part(inner);
                links += kept;
                if kept > 0 {
                    written.push_str(text);
                    written.push_str(&inner);
                } else {
                    // Its end tag goes with it.
                    rest = &rest[tag_end(rest)..];
                }
                continue;
            }
            match self.tag(&tag) {
                Some(replaced) => {
                    links += usize::from(tag.name == "a");
                    is_compressed = tag.name == "a" && replaced.contains(".gz\"");
                    written.push_str(&replaced);
                }
                None => {
                    is_unlinked = true;
                    written.push_str(&tag.as_span());
                    if tag.class().is_some_and(|class| class.split(' ').any(|one| one == "sort")) {
                        rest = without_sign(rest, &mut written);
                    }
                }
            }
        }
        written.push_str(rest);
        (written, links)
    }

    /// The tag with its links written for the site; `None` if it is a link that leads nowhere.
    fn tag(&mut self, tag: &Tag<'_>) -> Option<String> {
        let mut text = format!("<{}", tag.name);
        for &(name, value) in &tag.attributes {
            let Some(value) = value else {
                text.push_str(&format!(" {name}"));
                continue;
            };
            let address = unescaped(value);
            let is_link =
                matches!(name, "href" | "src" | "action") && address.starts_with(['/', '?', '#']);
            if !is_link {
                text.push_str(&format!(" {name}=\"{value}\""));
                continue;
            }
            match self.link(&address) {
                Link::To(link) => text.push_str(&format!(" {name}=\"{}\"", escaped(&link))),
                Link::Text(which) => {
                    let view = self.view.unwrap_or_default();
                    text.push_str(&format!(" {name}=\"#{view}\" data-text=\"{which}\""));
                }
                Link::None if tag.name == "a" => return None,
                Link::None => {}
            }
        }
        text.push_str(if tag.is_closed { "/>" } else { ">" });
        Some(text)
    }

    fn link(&mut self, address: &str) -> Link {
        if let Some(fragment) = address.strip_prefix('#') {
            let is_line =
                fragment.strip_prefix('L').is_some_and(|number| number.parse::<u32>().is_ok());
            return Link::To(match self.view {
                // The lines of the formula are on the page of the instance.
                Some(view) if is_line => {
                    let instance = view.split('.').next().unwrap_or(view);
                    format!("#{instance}:{fragment}")
                }
                Some(view) => format!("#{view}:{fragment}"),
                None => address.to_owned(),
            });
        }
        let address = match address.strip_prefix('?') {
            Some("") => self.path.to_owned(),
            Some(query) => format!("{}?{query}", self.path),
            None => address.to_owned(),
        };
        match self.addresses.target(&address, self.view) {
            Target::File { name, .. } => {
                let (page, fragment) = match address.split_once('#') {
                    Some((page, fragment)) => (page, format!("#{fragment}")),
                    None => (address.as_str(), String::new()),
                };
                self.linked.push(page.to_owned());
                Link::To(format!("{}{fragment}", relative(self.file, &name)))
            }
            Target::View(page, view) if page == self.file => Link::To(format!("#{view}")),
            Target::View(page, view) => Link::To(format!("{}#{view}", relative(self.file, page))),
            Target::Text(which) => Link::Text(which),
            Target::None => Link::None,
        }
    }
}

enum Link {
    To(String),
    Text(&'static str),
    None,
}

/// The link from one file of a site to another.
pub(super) fn relative(from: &str, to: &str) -> String {
    let depth = from.matches('/').count();
    format!("{}{to}", "../".repeat(depth))
}

impl<'h> Tag<'h> {
    /// Reads a start tag, as `<a class="sort" href="/x">`.
    fn read(text: &'h str) -> Option<Self> {
        let inner = text.strip_prefix('<')?.strip_suffix('>')?;
        let (inner, is_closed) = match inner.strip_suffix('/') {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        if !inner.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        let (name, mut rest) = inner.split_at(inner.find([' ', '\n']).unwrap_or(inner.len()));
        let mut attributes = Vec::new();
        loop {
            rest = rest.trim_start();
            let Some(end) = rest.find(['=', ' ', '\n']) else {
                if !rest.is_empty() {
                    attributes.push((rest, None));
                }
                break;
            };
            let (attribute, after) = rest.split_at(end);
            match after.strip_prefix("=\"") {
                Some(value) => {
                    let (value, after) = value.split_once('"')?;
                    attributes.push((attribute, Some(value)));
                    rest = after;
                }
                None => {
                    attributes.push((attribute, None));
                    rest = after;
                }
            }
        }
        Some(Self { name, attributes, is_closed })
    }

    fn class(&self) -> Option<&'h str> {
        self.attributes.iter().find(|(name, _)| *name == "class").and_then(|(_, value)| *value)
    }

    /// Where the content of a line of downloads ends; `None` if it is something else.
    fn downloads_end(&self, rest: &str) -> Option<usize> {
        let end = match (self.name, self.class()?) {
            ("p", "download") => "</p>",
            ("figcaption", "download") => "</figcaption>",
            _ => return None,
        };
        rest.find(end)
    }

    /// A link that leads nowhere, as text.
    fn as_span(&self) -> String {
        let class = self.class().map(|class| {
            let classes: Vec<&str> = class.split(' ').filter(|one| *one != "sort").collect();
            classes.join(" ")
        });
        match class.filter(|class| !class.is_empty()) {
            Some(class) => format!("<span class=\"{class}\">"),
            None => "<span>".to_owned(),
        }
    }
}

/// Where a tag ends: after the first `>` that is not in quotes.
fn tag_end(text: &str) -> usize {
    let mut is_quoted = false;
    for (position, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return position + 1,
            _ => {}
        }
    }
    text.len()
}

/// Leaves out the sign that stands in the heading of a column that can be sorted.
fn without_sign<'h>(rest: &'h str, written: &mut String) -> &'h str {
    const SIGN: &str = "\u{a0}<span class=\"sign\"";
    let Some((before, sign)) = rest.split_once(SIGN) else { return rest };
    let is_near = !before.contains("</a>");
    match sign.split_once("</span>").filter(|_| is_near) {
        Some((_, after)) => {
            written.push_str(before);
            after
        }
        None => rest,
    }
}

pub(super) fn unescaped(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&amp;", "&")
}

pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    crate::text::escape_into(text, &mut html);
    html
}

#[cfg(test)]
mod tests {
    use luthier_report::sample;

    use super::{Addresses, Rewriter};

    fn rewritten(html: &str, file: &str, view: Option<&str>) -> (String, Vec<String>) {
        let results = sample::from_table("| a | b\n s/1 sat - | sat 1 | sat 1").unwrap();
        let addresses = Addresses::new(&results);
        let mut rewriter = Rewriter::new(&addresses, file, "/findings", view);
        (rewriter.rewrite(html), rewriter.linked)
    }

    #[test]
    fn links_are_relative_and_remembered() {
        let html = "<p title=\"a > b\"><a class=\"x\" href=\"/set/1#top\">S</a> <a href=\"?kind=crash&amp;page=2\">2</a></p>";
        let (text, linked) = rewritten(html, "findings/set-1.html", None);
        assert_eq!(
            text,
            "<p title=\"a > b\"><a class=\"x\" href=\"../set/1.html#top\">S</a> \
             <a href=\"../findings/kind-crash_page-2.html\">2</a></p>"
        );
        assert_eq!(linked, ["/set/1", "/findings?kind=crash&page=2"]);
        let (text, _) = rewritten(
            "<link href=\"/assets/style.css\"><svg><a href=\"/instance/7\"><path/></a></svg>",
            "index.html",
            None,
        );
        assert_eq!(
            text,
            "<link href=\"assets/style.css\"><svg><a href=\"instance.html#7\"><path/></a></svg>"
        );
    }

    #[test]
    fn what_leads_nowhere_is_text_and_downloads_without_a_file_are_left_out() {
        let sort = "<th><a class=\"sort\" href=\"/operators?sort=name\">name\u{a0}<span class=\"sign\" aria-hidden=\"true\">↕</span></a></th>";
        assert_eq!(rewritten(sort, "operators.html", None).0, "<th><span>name</span></th>");
        let downloads = "<p class=\"download\">Download: <a href=\"/instance/1/runs.csv\" download>CSV</a></p>\
                         <p class=\"download\">Download: <a href=\"/compare.csv\" download>CSV</a></p>";
        assert_eq!(
            rewritten(downloads, "index.html", None).0,
            "<p class=\"download\">Download: <a href=\"compare.csv.gz\" download>CSV (gzip)</a></p>"
        );
    }

    #[test]
    fn a_view_keeps_its_places_and_its_texts() {
        let html = "<a href=\"#L4\">line</a> <a href=\"/instance/17/input\">text</a> <a href=\"https://x/\">x</a>";
        let (text, linked) = rewritten(html, "instance.html", Some("17"));
        assert_eq!(
            text,
            "<a href=\"#17:L4\">line</a> <a href=\"#17\" data-text=\"input\">text</a> <a href=\"https://x/\">x</a>"
        );
        assert!(linked.is_empty());
        let (text, _) = rewritten("<a href=\"#L4\">line</a>", "instance.html", Some("17.33"));
        assert_eq!(text, "<a href=\"#17:L4\">line</a>");
    }
}
