//! The addresses that a point may link to: relative, `http` and `https`.

/// The address if it is relative or of `http` or `https`. Everything else is dropped: a chart may
/// be made of names from anywhere, and a link must not run a script or leave to another host
/// without saying so.
pub(crate) fn safe(address: &str) -> Option<&str> {
    let is_odd = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if address.is_empty() || address.contains(is_odd) || address.starts_with("//") {
        return None;
    }
    let head = address.split(['/', '?', '#']).next().unwrap_or(address);
    match head.split_once(':') {
        None => Some(address),
        Some((scheme, "")) => {
            let is_web = ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web));
            let goes_on = address[scheme.len() + 1..].starts_with("//");
            (is_web && goes_on).then_some(address)
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::safe;

    #[test]
    fn relative_and_web_addresses_pass() {
        for address in ["/instances/7", "7?x=a:b", "#top", "../a", "http://a/b", "HTTPS://a:1/b"] {
            assert_eq!(safe(address), Some(address));
        }
    }

    #[test]
    fn everything_else_is_dropped() {
        for address in [
            "",
            "javascript:alert(1)",
            "JaVaScRiPt:1",
            " javascript:1",
            "java\nscript:1",
            "data:text/html,x",
            "//other.example/",
            "/\\other.example",
            "http:x",
            "https:/x",
            "file:///etc/passwd",
            "a:b",
        ] {
            assert_eq!(safe(address), None, "{address:?}");
        }
    }
}
