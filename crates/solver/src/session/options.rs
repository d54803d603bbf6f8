//! Options of a session: `set-option` and `get-option` (standard 2.7, section 4.1.7).
//!
//! Some options change what the session does: `:print-success`, `:global-declarations`, `:timeout`
//! (milliseconds for each query, as in Z3; `:tlimit-per` of cvc5 means the same), `:random-seed`.
//! Models, values, assignments and cores can always be asked for, so that `:produce-…` need nothing.
//! What the session cannot do, such as proofs, is `unsupported`. Every other option is kept and
//! given back, and changes nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use luthier_smtlib::{Attribute, AttributeValue};

use super::{Reply, Session};

/// Options that have a value without being set.
const DEFAULTS: [(&str, &str); 15] = [
    (":diagnostic-output-channel", "\"stderr\""),
    (":global-declarations", "false"),
    (":interactive-mode", "true"),
    (":print-success", "false"),
    (":produce-assertions", "true"),
    (":produce-assignments", "true"),
    (":produce-models", "true"),
    (":produce-proofs", "false"),
    (":produce-unsat-assumptions", "true"),
    (":produce-unsat-cores", "true"),
    (":random-seed", "1"),
    (":regular-output-channel", "\"stdout\""),
    (":reproducible-resource-limit", "0"),
    (":timeout", "0"),
    (":verbosity", "0"),
];

/// What was set.
#[derive(Default)]
pub(super) struct Options {
    /// Values as SMT-LIB writes them, by keyword.
    set: BTreeMap<String, String>,
    /// Commands without an answer are answered with `success`.
    pub print_success: bool,
    /// Declarations outlive their levels.
    pub global_declarations: bool,
}

impl Session {
    pub(super) fn set_option(&mut self, option: &Attribute) -> Reply {
        let keyword = self.pool.symbols().display(option.keyword).into_owned();
        let text = match &option.value {
            AttributeValue::None => String::new(),
            AttributeValue::String(text) => {
                format!("\"{}\"", String::from_utf8_lossy(text).replace('"', "\"\""))
            }
            AttributeValue::Other(text) => String::from_utf8_lossy(text).into_owned(),
        };
        let wrong = |expected: &str| Reply::Error(format!("{keyword} is {expected}"));
        match keyword.as_str() {
            ":print-success" | ":global-declarations" => {
                let Ok(value) = text.parse::<bool>() else { return wrong("true or false") };
                match keyword.as_str() {
                    ":print-success" => self.options.print_success = value,
                    _ => self.options.global_declarations = value,
                }
            }
            ":timeout" | ":tlimit-per" => {
                let Ok(milliseconds) = text.parse::<u64>() else {
                    return wrong("a number of milliseconds");
                };
                // Z3 means no limit by its largest number of 32 bits.
                let none = milliseconds == 0 || milliseconds == u64::from(u32::MAX);
                self.watch.limit_time((!none).then(|| Duration::from_millis(milliseconds)));
            }
            ":random-seed" | ":seed" => {
                let Ok(seed) = text.parse::<u64>() else { return wrong("a numeral") };
                self.portfolio.seed = seed;
            }
            ":produce-proofs" | ":produce-interpolants" | ":produce-abducts" if text == "true" => {
                return Reply::Unsupported;
            }
            ":regular-output-channel" if text != "\"stdout\"" => return Reply::Unsupported,
            // Clients that listen to one stream ask for this. Replies, errors included, are there.
            ":diagnostic-output-channel" if !["\"stdout\"", "\"stderr\""].contains(&&*text) => {
                return Reply::Unsupported;
            }
            ":reproducible-resource-limit" if text != "0" => return Reply::Unsupported,
            _ => {}
        }
        self.options.set.insert(keyword, text);
        self.done()
    }

    pub(super) fn option(&self, keyword: &str) -> Reply {
        let set = self.options.set.get(keyword).map(String::as_str);
        let default = || DEFAULTS.iter().find(|(name, _)| *name == keyword).map(|(_, text)| *text);
        match set.or_else(default) {
            Some(value) => Reply::line(value),
            None => Reply::Unsupported,
        }
    }

    /// The reply to a command that only changes the state.
    pub(super) fn done(&self) -> Reply {
        if self.options.print_success { Reply::Success } else { Reply::Silent }
    }
}
