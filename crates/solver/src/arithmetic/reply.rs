//! Parsing of the replies of an arithmetic solver: verdicts, values, cores and errors.

use num_bigint::BigInt;

use super::solver::Value;
use crate::UnknownReason;

/// Collects lines until their parentheses are balanced.
#[derive(Default)]
pub(super) struct ReplyBuffer {
    text: String,
    open: usize,
    quoted: Option<char>,
}

impl ReplyBuffer {
    /// Adds a line; the whole reply if it is complete now.
    pub(super) fn add(&mut self, line: &str) -> Option<String> {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        for character in line.chars() {
            match (self.quoted, character) {
                (Some(quote), _) if quote == character => self.quoted = None,
                (Some(_), _) => {}
                (None, '"' | '|') => self.quoted = Some(character),
                (None, '(') => self.open += 1,
                (None, ')') => self.open = self.open.saturating_sub(1),
                (None, ';') => break,
                (None, _) => {}
            }
        }
        self.text.push_str(line);
        if self.open > 0 || self.quoted.is_some() || self.text.trim().is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        Some(text.trim().to_owned())
    }
}

/// The failure that a reply reports, if it does.
pub(super) fn failure(reply: &str) -> Option<UnknownReason> {
    if reply.starts_with("unsupported") {
        return Some(UnknownReason::Failed(format!("arithmetic solver: {reply}")));
    }
    let message = reply.strip_prefix("(error")?;
    let message = message.trim_end_matches(')').trim();
    let message = message.strip_prefix('"').unwrap_or(message);
    let message = message.strip_suffix('"').unwrap_or(message);
    if message.contains("out of memory") {
        return Some(UnknownReason::Memory);
    }
    Some(UnknownReason::Failed(format!("arithmetic solver: {message}")))
}

/// The value in a reply: `true`, `false`, a numeral, `(- 5)` or `u_0!val!3`.
pub(super) fn value(reply: &str) -> Option<Value> {
    match reply {
        "true" => return Some(Value::Bool(true)),
        "false" => return Some(Value::Bool(false)),
        _ => {}
    }
    if let Some((_, class)) = reply.rsplit_once("!val!") {
        return class.trim_matches(['|', ')']).parse().ok().map(Value::Uninterpreted);
    }
    let (negative, digits) = match reply.strip_prefix("(-") {
        Some(rest) => (true, rest.strip_suffix(')')?.trim()),
        None => (false, reply),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: BigInt = digits.parse().ok()?;
    Some(Value::Int(if negative { -number } else { number }))
}

/// The literals of a list of literals: `a` and `(not a)`.
pub(super) fn literals(reply: &str) -> Option<Vec<String>> {
    let inner = reply.strip_prefix('(')?.strip_suffix(')')?;
    let mut literals = Vec::new();
    let mut negated = false;
    for word in inner.split_ascii_whitespace() {
        if word == "(not" {
            negated = true;
            continue;
        }
        let name = if negated { word.strip_suffix(')')? } else { word };
        if name.contains(['(', ')', '"']) {
            return None;
        }
        literals.push(if negated { format!("(not {name})") } else { name.to_owned() });
        negated = false;
    }
    Some(literals)
}

/// The text in `(:reason-unknown "…")`.
pub(super) fn reason(reply: &str) -> String {
    match reply.split_once('"').and_then(|(_, rest)| rest.rsplit_once('"')) {
        Some((reason, _)) => reason.to_owned(),
        None => reply.trim_matches(['(', ')']).trim_start_matches(":reason-unknown").trim().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_may_take_several_lines() {
        let mut reply = ReplyBuffer::default();
        assert_eq!(reply.add("(error \"a ("), None);
        assert_eq!(reply.add("b\")"), Some("(error \"a (\nb\")".to_owned()));
        assert_eq!(reply.add(""), None);
        assert_eq!(reply.add("sat"), Some("sat".to_owned()));
    }

    #[test]
    fn values_are_read() {
        assert_eq!(value("(- 12)"), Some(Value::Int((-12).into())));
        assert_eq!(value("12"), Some(Value::Int(12.into())));
        assert_eq!(value("u_0!val!7"), Some(Value::Uninterpreted(7)));
        assert_eq!(value("(- (- 1))"), None);
        assert_eq!(value("1.5"), None);
        assert_eq!(value("(+ a 1)"), None);
    }

    #[test]
    fn errors_say_what_the_solver_said() {
        assert_eq!(
            failure("(error \"line 1 column 2: unknown constant x\")"),
            Some(UnknownReason::Failed(
                "arithmetic solver: line 1 column 2: unknown constant x".to_owned()
            ))
        );
        assert_eq!(failure("(error \"out of memory\")"), Some(UnknownReason::Memory));
        assert_eq!(failure("sat"), None);
    }

    #[test]
    fn reasons_and_lists_are_read() {
        assert_eq!(reason("(:reason-unknown \"smt tactic failed\")"), "smt tactic failed");
        assert_eq!(reason("(:reason-unknown timeout)"), "timeout");
        assert_eq!(literals("(a\n (not b))").unwrap(), ["a", "(not b)"]);
        assert_eq!(literals("()").unwrap(), [""; 0]);
        assert_eq!(literals("((+ a 1))"), None);
    }
}
