//! What pages are made for: the server, or a static site.
//!
//! A page for a site has the same figures as that of the server. It leaves out what needs somebody to answer
//! (REST, following a campaign), and has links in the place of forms. Its addresses are those of the
//! server; [`site`](crate::site) writes them for files.

/// What a page is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Medium {
    /// The server, which answers any address.
    #[default]
    Server,
    /// Files that are there once and for all.
    Site,
}

impl Medium {
    /// Whether it is made for files.
    pub fn is_site(self) -> bool {
        self == Self::Site
    }
}
