//! Conversion of record types to SQLite values and back.
//!
//! Enumerations are stored by their stable names, because people read these files, too. A value that
//! we never write is a conversion error, which callers report as damage of the database.

use std::time::Duration;

use luthier_records::{
    Bytes, Class, Clock, CoreOutcome, Cores, Digest, Ending, ModelOutcome, Text, Verdict,
};
use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde_json::Value;

/// A closed choice that is stored as its stable name.
pub(crate) trait Named: Copy + 'static {
    const CHOICES: &'static [Self];
    fn stable_name(self) -> &'static str;
}

macro_rules! named {
    ($($type:ident: $choices:expr;)*) => {$(
        impl Named for $type {
            const CHOICES: &'static [Self] = $choices;
            fn stable_name(self) -> &'static str {
                self.name()
            }
        }
    )*};
}

named! {
    Class: &Class::ALL;
    Cores: &Cores::ALL;
    ModelOutcome: &ModelOutcome::ALL;
    CoreOutcome: &CoreOutcome::ALL;
    Verdict: &[Verdict::Sat, Verdict::Unsat, Verdict::Unknown];
}

/// A choice in a column.
pub(crate) struct Name<T>(pub T);

impl<T: Named> ToSql for Name<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.stable_name()))
    }
}

impl<T: Named> FromSql for Name<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let choice = T::CHOICES.iter().find(|choice| choice.stable_name() == name);
        choice.map(|choice| Name(*choice)).ok_or_else(|| unexpected("name", name))
    }
}

/// A digest in a column: its 32 bytes.
pub(crate) struct Sha(pub Digest);

impl ToSql for Sha {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.as_bytes().as_slice()))
    }
}

impl FromSql for Sha {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = value.as_blob()?;
        let array = bytes.try_into().map_err(|_| FromSqlError::InvalidBlobSize {
            expected_size: 32,
            blob_size: bytes.len(),
        })?;
        Ok(Sha(Digest::from_bytes(array)))
    }
}

/// A list of lines in a column: a JSON array.
pub(crate) struct List(pub Vec<String>);

/// A borrowed list of lines on its way into a column.
pub(crate) struct ListRef<'a>(pub &'a [String]);

impl ToSql for ListRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(Value::from(self.0).to_string()))
    }
}

impl FromSql for List {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        serde_json::from_str(text).map(List).map_err(|_| unexpected("list", text))
    }
}

/// Text of a program in a column: text if it is Unicode, bytes otherwise.
pub(crate) struct Printed(pub Text);

/// Borrowed text of a program on its way into a column.
pub(crate) struct TextRef<'a>(pub &'a Text);

impl ToSql for TextRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let bytes = self.0.as_bytes();
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) => ToSqlOutput::from(text),
            Err(_) => ToSqlOutput::from(bytes),
        })
    }
}

impl FromSql for Printed {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_bytes().map(|bytes| Printed(Text::from(bytes)))
    }
}

/// Names of a core in a column: a JSON array of strings; what is not Unicode is `{"hex": "…"}`.
pub(crate) struct CoreNames(pub Vec<Text>);

/// Borrowed names of a core on their way into a column.
pub(crate) struct CoreNamesRef<'a>(pub &'a [Text]);

impl ToSql for CoreNamesRef<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let name = |text: &Text| match std::str::from_utf8(text.as_bytes()) {
            Ok(text) => Value::from(text),
            Err(_) => {
                let hex = text.as_bytes().iter().map(|byte| format!("{byte:02x}"));
                serde_json::json!({ "hex": hex.collect::<String>() })
            }
        };
        let names: Vec<Value> = self.0.iter().map(name).collect();
        Ok(ToSqlOutput::from(Value::from(names).to_string()))
    }
}

impl FromSql for CoreNames {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        let name = |value: &Value| match value {
            Value::String(name) => Some(Text::from(name.as_str())),
            Value::Object(object) => from_hex(object.get("hex")?.as_str()?).map(Text::from),
            _ => None,
        };
        let names = serde_json::from_str::<Vec<Value>>(text).ok();
        let names = names.and_then(|names| names.iter().map(name).collect::<Option<Vec<_>>>());
        names.map(CoreNames).ok_or_else(|| unexpected("list of names", text))
    }
}

/// How a run ended, in three columns.
pub(crate) struct EndingColumns<'a> {
    pub kind: &'a str,
    pub number: Option<i32>,
    pub detail: Option<&'a str>,
}

impl<'a> EndingColumns<'a> {
    pub(crate) fn of(ending: &'a Ending) -> Self {
        let (kind, number, detail) = match ending {
            Ending::Exited(code) => ("exited", Some(*code), None),
            Ending::Signalled(signal) => ("signalled", Some(*signal), None),
            Ending::TimedOut(Clock::Cpu) => ("timed-out-cpu", None, None),
            Ending::TimedOut(Clock::Wall) => ("timed-out-wall", None, None),
            Ending::OutOfMemory => ("out-of-memory", None, None),
            Ending::OutputLimit => ("output-limit", None, None),
            Ending::Inexpressible(cause) => ("inexpressible", None, Some(cause.as_str())),
            Ending::NotStarted(cause) => ("not-started", None, Some(cause.as_str())),
            Ending::Lost(cause) => ("lost", None, Some(cause.as_str())),
            Ending::Unrecorded => ("unrecorded", None, None),
        };
        Self { kind, number, detail }
    }

    /// The ending, or `None` if the columns do not fit together.
    pub(crate) fn decode(&self) -> Option<Ending> {
        let cause = || self.detail.map(str::to_owned);
        Some(match self.kind {
            "exited" => Ending::Exited(self.number?),
            "signalled" => Ending::Signalled(self.number?),
            "timed-out-cpu" => Ending::TimedOut(Clock::Cpu),
            "timed-out-wall" => Ending::TimedOut(Clock::Wall),
            "out-of-memory" => Ending::OutOfMemory,
            "output-limit" => Ending::OutputLimit,
            "inexpressible" => Ending::Inexpressible(cause()?),
            "not-started" => Ending::NotStarted(cause()?),
            "lost" => Ending::Lost(cause()?),
            "unrecorded" => Ending::Unrecorded,
            _ => return None,
        })
    }
}

/// A limit of time in a column: whole microseconds; `None`, stored as NULL, is no limit.
pub(crate) fn limit_us(limit: Duration) -> Option<Option<i64>> {
    if limit == Duration::MAX { Some(None) } else { micros(limit).map(Some) }
}

/// The limit that [`limit_us`] gave.
pub(crate) fn limit_from_us(limit: Option<u64>) -> Duration {
    limit.map_or(Duration::MAX, Duration::from_micros)
}

/// A limit of memory in a column; `None`, stored as NULL, is no limit.
pub(crate) fn limit_bytes(limit: Bytes) -> Option<Option<i64>> {
    if limit.0 == u64::MAX { Some(None) } else { i64::try_from(limit.0).ok().map(Some) }
}

/// The limit that [`limit_bytes`] gave.
pub(crate) fn limit_from_bytes(limit: Option<u64>) -> Bytes {
    Bytes(limit.unwrap_or(u64::MAX))
}

/// Whole microseconds, if SQLite can keep them.
pub(crate) fn micros(time: Duration) -> Option<i64> {
    i64::try_from(time.as_micros()).ok()
}

/// A number of SQLite that must not be negative.
pub(crate) struct Count(pub u64);

impl FromSql for Count {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        u64::try_from(number).map(Count).map_err(|_| FromSqlError::OutOfRange(number))
    }
}

/// A number of SQLite that counts what is in memory.
pub(crate) struct Index(pub usize);

impl FromSql for Index {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        usize::try_from(number).map(Index).map_err(|_| FromSqlError::OutOfRange(number))
    }
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        [high, low] => u8::try_from(value(*high)? * 16 + value(*low)?).ok(),
        _ => None,
    };
    digits.as_bytes().chunks(2).map(byte).collect()
}

fn unexpected(what: &str, found: &str) -> FromSqlError {
    FromSqlError::Other(format!("{found:?} is no {what} that Luthier writes").into())
}

#[cfg(test)]
mod tests {
    use luthier_records::{Class, Clock, Digest, Ending, Text, Verdict};
    use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
    use rusqlite::{Connection, ToSql};

    use super::*;

    #[track_caller]
    fn there_and_back<T: FromSql>(value: &dyn ToSql) -> T {
        let connection = Connection::open_in_memory().unwrap();
        connection.query_row("SELECT ?1", [value], |row| row.get(0)).unwrap()
    }

    #[test]
    fn every_name_reads_back_and_others_do_not() {
        for class in Class::ALL {
            assert_eq!(there_and_back::<Name<Class>>(&Name(class)).0, class);
        }
        for verdict in Verdict::CHOICES {
            assert_eq!(there_and_back::<Name<Verdict>>(&Name(*verdict)).0, *verdict);
        }
        assert!(Name::<Class>::column_result(ValueRef::Text(b"Sat")).is_err());
        assert!(Name::<Class>::column_result(ValueRef::Null).is_err());
    }

    #[test]
    fn every_ending_reads_back() {
        let cause = || "a cause".to_owned();
        for ending in [
            Ending::Exited(-1),
            Ending::Signalled(11),
            Ending::TimedOut(Clock::Cpu),
            Ending::TimedOut(Clock::Wall),
            Ending::OutOfMemory,
            Ending::OutputLimit,
            Ending::Inexpressible(cause()),
            Ending::NotStarted(cause()),
            Ending::Lost(String::new()),
            Ending::Unrecorded,
        ] {
            assert_eq!(EndingColumns::of(&ending).decode(), Some(ending));
        }
        let half = EndingColumns { kind: "exited", number: None, detail: None };
        assert_eq!(half.decode(), None);
    }

    #[test]
    fn lists_and_names_that_are_no_unicode_read_back() {
        let lines = vec![String::new(), "a \"b\"\n".to_owned(), "\u{0}é".to_owned()];
        assert_eq!(there_and_back::<List>(&ListRef(&lines)).0, lines);
        let names = vec![Text::from("|a b|"), Text::from(b"\xff\x00".as_slice()), Text::default()];
        assert_eq!(there_and_back::<CoreNames>(&CoreNamesRef(&names)).0, names);
        assert!(CoreNames::column_result(ValueRef::Text(br#"[{"hex":"f"}]"#)).is_err());
    }

    #[test]
    fn printed_text_reads_back_byte_for_byte() {
        for bytes in [b"".as_slice(), b"incomplete", b"caf\xe9", b"a\0b"] {
            let text = Text::from(bytes);
            assert_eq!(there_and_back::<Printed>(&TextRef(&text)).0, text);
        }
        let unicode = Text::from("é");
        let stored = TextRef(&unicode);
        assert!(matches!(stored.to_sql(), Ok(ToSqlOutput::Borrowed(ValueRef::Text(_)))));
    }

    #[test]
    fn no_limit_is_null_and_what_does_not_fit_is_refused() {
        assert_eq!(limit_us(Duration::MAX), Some(None));
        assert_eq!(limit_from_us(None), Duration::MAX);
        assert_eq!(limit_us(Duration::from_millis(2)), Some(Some(2000)));
        assert_eq!(limit_us(Duration::from_secs(u64::MAX / 2)), None);
        assert_eq!(limit_bytes(Bytes(u64::MAX)), Some(None));
        assert_eq!(limit_bytes(Bytes(u64::MAX - 1)), None);
        assert_eq!(limit_from_bytes(Some(7)), Bytes(7));
    }

    #[test]
    fn digests_have_32_bytes() {
        let digest = Digest::of(b"x");
        assert_eq!(there_and_back::<Sha>(&Sha(digest)).0, digest);
        assert!(Sha::column_result(ValueRef::Blob(b"short")).is_err());
    }
}
