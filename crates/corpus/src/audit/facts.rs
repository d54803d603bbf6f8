//! What one file is: how it was read, which operators it mentions, what it claims about its answers, and its
//! canonical form. Everything follows from the bytes alone, so equal bytes are examined once.

use std::sync::LazyLock;

use luthier_judge::expectations;
use luthier_records::Verdict;
use luthier_smtlib::dialect::names::{EXTENSIONS, LEGACY_NAMES};
use luthier_smtlib::lexer::{Lexer, TokenKind};
use luthier_smtlib::source::{Locator, MAX_SOURCE_BYTES};
use luthier_smtlib::{Code, Dialect, Features, Flag, ReadOptions, read_script};
use luthier_terms::{Op, TermPool, Theory};
use rustc_hash::FxHashMap;

use super::canonical::{CanonicalForm, canonical_form};

/// What one content is.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its length.
    pub bytes: u64,
    /// The dialect in which it is read.
    pub dialect: Dialect,
    /// Why it cannot be read: its first error.
    pub rejection: Option<Rejection>,
    /// The codes of all diagnostics, each once.
    pub codes: Box<[Code]>,
    /// Whether a quantifier occurs.
    pub has_quantifiers: bool,
    /// How often each operator of [`operator_names`] stands in the text, as index and count.
    pub operators: Box<[(u16, u32)]>,
    /// The status that the file claims for each of its queries.
    pub statuses: Box<[Option<Verdict>]>,
    /// Its canonical form; `None` if it cannot be read.
    pub form: Option<CanonicalForm>,
}

/// The first error of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// Its stable code.
    pub code: Code,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Examines a file, read in a dialect or, without one, in that which is detected.
pub fn facts(bytes: &[u8], dialect: Option<Dialect>) -> Facts {
    let mut pool = TermPool::new();
    let options = ReadOptions { dialect, ..ReadOptions::default() };
    let reading = read_script(&mut pool, bytes, &options);
    let mut codes: Vec<Code> = reading.diagnostics.iter().map(|one| one.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rejection = reading.errors().next().map(|error| {
        let place = Locator::new(bytes).location(error.span.start);
        let message = error.message.clone();
        Rejection { code: error.code, line: place.line, column: place.column, message }
    });
    let dialect = reading.detection.dialect;
    let script = reading.script;
    let features = Features::of(&pool, &script);
    let (statuses, form) = match rejection {
        Some(_) => (Box::default(), None),
        None => {
            let queries = expectations(&pool, &script).queries;
            let statuses = queries.iter().map(|query| query.status).collect();
            (statuses, Some(canonical_form(&pool, &script)))
        }
    };
    Facts {
        bytes: bytes.len() as u64,
        dialect,
        rejection,
        codes: codes.into(),
        has_quantifiers: features.flags.contains(&Flag::Quantifiers),
        operators: occurrences(bytes, dialect),
        statuses,
        form,
    }
}

/// The names of the operators that are counted: those of the theory of strings by their standard names, and
/// those that only some solvers have.
pub fn operator_names() -> &'static [&'static str] {
    &OPERATORS.names
}

/// The operator of [`operator_names`] that has this name in any dialect, as an index.
pub fn operator_named(name: &str) -> Option<usize> {
    OPERATORS.index.get(name.as_bytes()).copied().map(usize::from)
}

struct Operators {
    names: Vec<&'static str>,
    /// By every name in any dialect.
    index: FxHashMap<&'static [u8], u16>,
}

static OPERATORS: LazyLock<Operators> = LazyLock::new(|| {
    let mut operators = Operators { names: Vec::new(), index: FxHashMap::default() };
    let strings = Op::TABLE.iter().filter(|info| info.theory == Theory::Strings);
    let extensions = EXTENSIONS.iter().map(|(name, _)| *name);
    for name in strings.map(|info| info.name).chain(extensions) {
        let number = u16::try_from(operators.names.len()).expect("there are some sixty names");
        operators.names.push(name);
        operators.index.insert(name.as_bytes(), number);
    }
    for legacy in LEGACY_NAMES {
        if let Some(&number) = operators.index.get(legacy.op.name().as_bytes()) {
            operators.index.insert(legacy.name.as_bytes(), number);
        }
    }
    operators
});

/// How often each operator stands in the text: symbols outside of literals, comments and quoted symbols. Terms
/// that are shared by `let` stand there once, as in the tables of the ZaligVinder paper.
fn occurrences(bytes: &[u8], dialect: Dialect) -> Box<[(u16, u32)]> {
    if bytes.len() > MAX_SOURCE_BYTES {
        return Box::default();
    }
    let operators = &*OPERATORS;
    let mut counts = vec![0_u32; operators.names.len()];
    let mut lexer = Lexer::new(bytes, dialect.quotes());
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::End => break,
            TokenKind::Symbol => {
                let name = lexer.text(token.span);
                // All of them begin with a theory and a point: `re.`, `str.`, `seq.`, `int.`.
                let has_point = name.get(2) == Some(&b'.') || name.get(3) == Some(&b'.');
                if has_point && let Some(&number) = operators.index.get(name) {
                    let count = &mut counts[usize::from(number)];
                    *count = count.saturating_add(1);
                }
            }
            _ => {}
        }
    }
    let used = (0..).zip(counts).filter(|(_, count)| *count > 0);
    used.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> Vec<(&'static str, u32)> {
        let facts = facts(text.as_bytes(), None);
        facts
            .operators
            .iter()
            .map(|(index, count)| (operator_names()[usize::from(*index)], *count))
            .collect()
    }

    #[test]
    fn operators_are_counted_by_their_standard_names_where_they_stand_as_symbols() {
        let text = "; str.len in a comment\n(declare-const |str.len| String)(declare-const x String)\
                    (assert (= (str.len x) (str.len \"(str.len x)\")))\
                    (assert (str.in.re x (re.* (str.to.re \"a\"))))(check-sat)";
        assert_eq!(uses(text), [("str.len", 2), ("str.to_re", 1), ("str.in_re", 1), ("re.*", 1)]);
    }

    #[test]
    fn a_rejected_file_still_says_which_operators_it_mentions() {
        let text = "(declare-const x String)(assert (str.prefixof x))";
        let facts = facts(text.as_bytes(), None);
        assert!(facts.rejection.is_some() && facts.form.is_none() && facts.statuses.is_empty());
        assert_eq!(uses(text), [("str.prefixof", 1)]);
    }
}
