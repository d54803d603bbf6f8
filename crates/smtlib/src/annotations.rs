//! Luthier's `set-info` annotations: a script carries its expected answer, core and witness, and hints
//! for printing copies of it.
//!
//! | keyword | value | says |
//! |---|---|---|
//! | `:luthier-expected` | `sat` or `unsat` | the answer to the next query, by construction |
//! | `:luthier-core` | `"a b \|c d\|"` or `(a b \|c d\|)` | the names of its only minimal core |
//! | `:luthier-witness` | a model, as a string literal | a model of the next query |
//! | `:luthier-semantics` | `"replace=NAME"` | the script was made for another meaning of an operation |
//! | `:luthier-names` | `legacy` | copies for solvers have old names of operators |
//! | `:luthier-backslashes` | `plain` | copies for solvers have backslashes as they are |
//!
//! This module checks the form of a value only; which query it belongs to and whether it is right is
//! for the judge to decide. Solvers ignore annotations that they do not know; Z3 rejects a list as a
//! value, so a core is written as a string literal.

use luthier_terms::{BuildError, TermPool};

use crate::lexer::{Lexer, Quotes, TokenKind};
use crate::{Attribute, AttributeValue, CommandKind, Script};

/// What all our keywords begin with.
const PREFIX: &[u8] = b":luthier-";

/// An annotation of Luthier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Annotation {
    /// The planted answer.
    Expected,
    /// The planted core.
    Core,
    /// The planted model.
    Witness,
    /// Another meaning than the standard's.
    Semantics,
    /// Which names of operators copies have.
    Names,
    /// How copies write backslashes.
    Backslashes,
}

impl Annotation {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Expected,
        Self::Core,
        Self::Witness,
        Self::Semantics,
        Self::Names,
        Self::Backslashes,
    ];

    /// Its keyword, with the colon.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Expected => ":luthier-expected",
            Self::Core => ":luthier-core",
            Self::Witness => ":luthier-witness",
            Self::Semantics => ":luthier-semantics",
            Self::Names => ":luthier-names",
            Self::Backslashes => ":luthier-backslashes",
        }
    }

    /// Which annotation an attribute is; `None` for all others.
    pub fn of(pool: &TermPool, attribute: &Attribute) -> Option<Self> {
        let keyword = pool.symbols().bytes_of(attribute.keyword);
        Self::ALL.into_iter().find(|one| one.keyword().as_bytes() == keyword)
    }

    /// Its value in a script, the last one if it is set more than once.
    pub fn find<'s>(self, pool: &TermPool, script: &'s Script) -> Option<&'s AttributeValue> {
        script.info(pool, self.keyword())
    }

    /// Removes it from a script.
    pub fn remove(self, pool: &TermPool, script: &mut Script) {
        script.commands.retain(|command| {
            !matches!(&command.kind, CommandKind::SetInfo(one) if Self::of(pool, one) == Some(self))
        });
    }

    /// The command that sets it.
    pub fn command(
        self,
        pool: &mut TermPool,
        value: AttributeValue,
    ) -> Result<CommandKind, BuildError> {
        let keyword = pool.symbols_mut().intern(self.keyword().as_bytes())?;
        Ok(CommandKind::SetInfo(Attribute { keyword, value }))
    }

    /// The command that sets it to a word, as text with a line feed: `(set-info :luthier-expected sat)`.
    pub fn word_line(self, word: &str) -> String {
        format!("(set-info {} {word})\n", self.keyword())
    }

    /// The command that sets it to a string literal, as text with a line feed. Quotation marks are
    /// doubled.
    pub fn text_line(self, text: &str) -> String {
        format!("(set-info {} \"{}\")\n", self.keyword(), text.replace('"', "\"\""))
    }
}

/// Whether a keyword begins with `:luthier-`, also one that this version does not know.
pub fn is_ours(keyword: &[u8]) -> bool {
    keyword.starts_with(PREFIX)
}

/// The value of a core: its names, as a string literal.
pub fn core_value(names: &[String]) -> AttributeValue {
    AttributeValue::String(names.join(" ").into())
}

/// A witness as text: a model as solvers print it, of names, sorts and literals.
pub fn witness_text<'v>(values: impl IntoIterator<Item = (&'v str, &'v str, &'v str)>) -> String {
    let lines: Vec<String> = values
        .into_iter()
        .map(|(name, sort, value)| format!("(define-fun {name} () {sort} {value})"))
        .collect();
    format!("({})", lines.join(" "))
}

/// The word that a value is, without bars.
pub fn word(value: &AttributeValue) -> Option<&[u8]> {
    match value {
        AttributeValue::Other(word) => Some(without_bars(word)),
        _ => None,
    }
}

/// The text of a string literal, if it is not empty.
pub fn text(value: &AttributeValue) -> Option<&[u8]> {
    match value {
        AttributeValue::String(text) if !text.trim_ascii().is_empty() => Some(text),
        _ => None,
    }
}

/// `(a b |c d|)` or `"a b |c d|"` as names without bars; `None` if it is anything else or a name
/// comes twice.
pub fn names(value: &AttributeValue) -> Option<Vec<&[u8]>> {
    let (text, last) = match value {
        AttributeValue::Other(text) => (text, TokenKind::Close),
        AttributeValue::String(text) => (text, TokenKind::End),
        AttributeValue::None => return None,
    };
    let mut lexer = Lexer::new(text, Quotes::Doubled);
    if last == TokenKind::Close && lexer.next_token().kind != TokenKind::Open {
        return None;
    }
    let mut names: Vec<&[u8]> = Vec::new();
    loop {
        let token = lexer.next_token();
        match token.kind {
            TokenKind::Symbol | TokenKind::QuotedSymbol => {
                names.push(without_bars(lexer.text(token.span)));
            }
            kind if kind == last => break,
            _ => return None,
        }
    }
    let mut sorted = names.clone();
    sorted.sort_unstable();
    let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    (distinct && lexer.next_token().kind == TokenKind::End).then_some(names)
}

/// A symbol without its bars: `|x|` and `x` are the same.
pub fn without_bars(name: &[u8]) -> &[u8] {
    match name {
        [b'|', inner @ .., b'|'] => inner,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use luthier_terms::TermPool;

    use super::{Annotation, core_value, is_ours, names, text, witness_text, word};
    use crate::{AttributeValue, CommandKind, ReadOptions, Script, read_script};

    fn read(text: &str) -> (TermPool, Script) {
        let mut pool = TermPool::new();
        let reading = read_script(&mut pool, text.as_bytes(), &ReadOptions::default());
        assert!(reading.is_accepted(), "{text}");
        (pool, reading.script)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let witness = witness_text([("x", "String", "\"a\"\"b\""), ("y", "Int", "1")]);
        let lines = [
            Annotation::Expected.word_line("sat"),
            Annotation::Core.text_line("a |b c|"),
            Annotation::Witness.text_line(&witness),
        ];
        let (pool, script) = read(&lines.concat());
        let find = |one: Annotation| one.find(&pool, &script).unwrap();
        assert_eq!(word(find(Annotation::Expected)), Some(&b"sat"[..]));
        assert_eq!(names(find(Annotation::Core)).unwrap(), [&b"a"[..], b"b c"]);
        assert_eq!(text(find(Annotation::Witness)), Some(witness.as_bytes()));
        assert!(Annotation::Names.find(&pool, &script).is_none());
    }

    #[test]
    fn all_are_ours_and_known_by_their_keyword() {
        let mut pool = TermPool::new();
        for annotation in Annotation::ALL {
            assert!(is_ours(annotation.keyword().as_bytes()));
            let command = annotation.command(&mut pool, AttributeValue::None).unwrap();
            let CommandKind::SetInfo(attribute) = command else { panic!("an information") };
            assert_eq!(Annotation::of(&pool, &attribute), Some(annotation));
        }
        assert!(!is_ours(b":status"));
    }

    #[test]
    fn an_annotation_is_removed_and_others_stay() {
        let (pool, mut script) = read(
            "(set-info :status sat)(set-info :luthier-core \"a\")(set-info :luthier-core (a))",
        );
        Annotation::Core.remove(&pool, &mut script);
        assert_eq!(script.commands.len(), 1);
        assert!(script.info(&pool, ":status").is_some());
    }

    #[test]
    fn names_are_a_list_or_a_text_of_different_symbols() {
        let list = |text: &[u8]| AttributeValue::Other(text.to_vec());
        assert_eq!(names(&list(b"(a |b|)")).unwrap(), [b"a", b"b"]);
        assert_eq!(names(&core_value(&["a".to_owned(), "b".to_owned()])).unwrap(), [b"a", b"b"]);
        for wrong in [&b"a"[..], b"(a (b))", b"(a a)", b"(a |a|)", b"(a) b", b"(1)"] {
            assert_eq!(names(&list(wrong)), None);
        }
        assert_eq!(names(&AttributeValue::None), None);
        assert_eq!(text(&AttributeValue::String(b"  ".to_vec())), None);
    }
}
