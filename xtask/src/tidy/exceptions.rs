//! The only place where a file is excused from a rule.

use super::{Finding, Rule};

/// A file, or a folder if the path ends with a slash, that may break a rule.
pub struct Exception {
    rule: Rule,
    path: &'static str,
    /// Read by people who wonder why.
    #[allow(dead_code, reason = "it is there to be written down")]
    reason: &'static str,
}

/// All exceptions. One that excuses nothing any more is itself a finding.
///
/// Test files need none for their length, see `rust_files`.
pub const EXCEPTIONS: &[Exception] = &[];

/// Takes away the excused findings and adds one for every exception that excuses nothing.
pub fn apply(exceptions: &[Exception], mut findings: Vec<Finding>) -> Vec<Finding> {
    let mut idle = Vec::new();
    for exception in exceptions {
        let before = findings.len();
        findings.retain(|finding| !exception.excuses(finding));
        if findings.len() == before {
            idle.push(Finding::new(
                Rule::Exceptions,
                "xtask/src/tidy/exceptions.rs",
                0,
                format!(
                    "the {:?} exception for {} excuses nothing",
                    exception.rule, exception.path
                ),
                "remove it",
            ));
        }
    }
    findings.extend(idle);
    findings
}

impl Exception {
    fn excuses(&self, finding: &Finding) -> bool {
        let covers = if self.path.ends_with('/') {
            finding.path.starts_with(self.path)
        } else {
            finding.path == self.path
        };
        covers && finding.rule == self.rule
    }
}

#[cfg(test)]
mod tests {
    use super::{Exception, apply};
    use crate::tidy::{Finding, Rule};

    fn exception(rule: Rule, path: &'static str) -> Exception {
        Exception { rule, path, reason: "a test" }
    }

    fn finding(rule: Rule, path: &str) -> Finding {
        Finding::new(rule, path, 1, "problem", "remedy")
    }

    #[test]
    fn an_exception_excuses_its_file_or_folder_from_its_rule() {
        let found = vec![finding(Rule::Length, "a/b.rs"), finding(Rule::Length, "a/c.rs")];
        assert!(apply(&[exception(Rule::Length, "a/")], found.clone()).is_empty());
        assert_eq!(apply(&[exception(Rule::Length, "a/b.rs")], found.clone()), found[1..]);
    }

    #[test]
    fn an_exception_excuses_no_other_rule_and_is_then_idle() {
        let left = apply(&[exception(Rule::Header, "b.rs")], vec![finding(Rule::Length, "b.rs")]);
        assert_eq!(left.len(), 2);
        assert_eq!(left[1].rule, Rule::Exceptions);
    }
}
