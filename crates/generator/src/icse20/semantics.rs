//! Alternative reference semantics of operations (section 2.1 of the paper).
//!
//! A solver that deviates from the standard on purpose can be tested against its own documentation.
//! Each [`Variant`] is a semantics that some documentation gives; where it says nothing, the
//! standard applies. Witnesses of satisfiable formulas are then computed with it, and the file says
//! so in `(set-info :luthier-semantics "replace=empty-pattern-unchanged")`, so that it is not
//! judged by the standard.

use luthier_semantics::strings;
use luthier_terms::{BigInt, CodePoint, Op, SmtString};

use super::operations::{Constant, Operation};

/// A semantics of an operation that is not the standard's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `at`: a negative offset counts from the end, as in JavaScript's `at`.
    AtNegativeOffsetFromEnd,
    /// `int-to-str`: a negative number has a sign and digits, as in Java's `String.valueOf`.
    IntToStrSigned,
    /// `replace`: nothing is replaced if the pattern is empty. The standard puts the replacement
    /// in front; documentation of older solvers does not say.
    ReplaceEmptyPatternUnchanged,
    /// `replace`: every occurrence is replaced, as in Java's `replace`; an empty pattern occurs
    /// before every character and at the end.
    ReplaceEveryOccurrence,
    /// `substr`: a negative offset counts from the end, but not from before the beginning, as in
    /// JavaScript's `substr`.
    SubstrNegativeOffsetFromEnd,
    /// `index-of`: an empty pattern is never found, as in PHP's `strpos` before release 8.
    IndexOfEmptyPatternNotFound,
    /// `index-of`: an offset below 0 counts as 0 and one behind the end as the end, as in Java's
    /// `indexOf`.
    IndexOfOffsetClamped,
    /// `str-to-int`: a sign may stand before the digits, as in Java's `Integer.parseInt`.
    StrToIntSigned,
    /// `str-to-int`: the empty string is 0, as in JavaScript's `Number`.
    StrToIntEmptyZero,
    /// `contains`: no string contains the empty one, as with PHP's `strpos` before release 8.
    ContainsEmptyPatternAbsent,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 10] = [
        Self::AtNegativeOffsetFromEnd,
        Self::IntToStrSigned,
        Self::ReplaceEmptyPatternUnchanged,
        Self::ReplaceEveryOccurrence,
        Self::SubstrNegativeOffsetFromEnd,
        Self::IndexOfEmptyPatternNotFound,
        Self::IndexOfOffsetClamped,
        Self::StrToIntSigned,
        Self::StrToIntEmptyZero,
        Self::ContainsEmptyPatternAbsent,
    ];

    /// The name of the operation in settings, and its own name.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::AtNegativeOffsetFromEnd => ("at", "negative-offset-from-end"),
            Self::IntToStrSigned => ("int-to-str", "signed"),
            Self::ReplaceEmptyPatternUnchanged => ("replace", "empty-pattern-unchanged"),
            Self::ReplaceEveryOccurrence => ("replace", "every-occurrence"),
            Self::SubstrNegativeOffsetFromEnd => ("substr", "negative-offset-from-end"),
            Self::IndexOfEmptyPatternNotFound => ("index-of", "empty-pattern-not-found"),
            Self::IndexOfOffsetClamped => ("index-of", "offset-clamped"),
            Self::StrToIntSigned => ("str-to-int", "signed"),
            Self::StrToIntEmptyZero => ("str-to-int", "empty-zero"),
            Self::ContainsEmptyPatternAbsent => ("contains", "empty-pattern-absent"),
        }
    }

    /// The operator that it redefines.
    pub fn op(self) -> Op {
        match self {
            Self::AtNegativeOffsetFromEnd => Op::StrAt,
            Self::IntToStrSigned => Op::StrFromInt,
            Self::ReplaceEmptyPatternUnchanged | Self::ReplaceEveryOccurrence => Op::StrReplace,
            Self::SubstrNegativeOffsetFromEnd => Op::StrSubstr,
            Self::IndexOfEmptyPatternNotFound | Self::IndexOfOffsetClamped => Op::StrIndexOf,
            Self::StrToIntSigned | Self::StrToIntEmptyZero => Op::StrToInt,
            Self::ContainsEmptyPatternAbsent => Op::StrContains,
        }
    }

    /// The result where it differs from the standard; `None` where it does not.
    fn evaluate(self, arguments: &[&Constant]) -> Option<Constant> {
        use Constant::{Bool, Int, String};
        Some(match (self, arguments) {
            (Self::AtNegativeOffsetFromEnd, [String(s), Int(off)]) if *off < BigInt::ZERO => {
                String(strings::at(s, &(strings::length(s) + off)))
            }
            (Self::IntToStrSigned, [Int(n)]) if *n < BigInt::ZERO => {
                String(SmtString::from_text(&n.to_string())?)
            }
            (Self::ReplaceEmptyPatternUnchanged, [String(s), String(t), String(_)])
                if t.is_empty() =>
            {
                String(s.clone())
            }
            (Self::ReplaceEveryOccurrence, [String(s), String(t), String(u)]) => {
                String(replace_every(s, t, u))
            }
            (Self::SubstrNegativeOffsetFromEnd, [String(s), Int(off), Int(len)])
                if *off < BigInt::ZERO =>
            {
                let start = (strings::length(s) + off).max(BigInt::ZERO);
                String(strings::substr(s, &start, len))
            }
            (Self::IndexOfEmptyPatternNotFound, [String(_), String(t), Int(_)]) if t.is_empty() => {
                Int(BigInt::from(-1))
            }
            (Self::IndexOfOffsetClamped, [String(s), String(t), Int(off)]) => {
                let start = off.clone().clamp(BigInt::ZERO, strings::length(s));
                Int(strings::index_of(s, t, &start))
            }
            (Self::StrToIntSigned, [String(s)]) => Int(signed_to_int(s)?),
            (Self::StrToIntEmptyZero, [String(s)]) if s.is_empty() => Int(BigInt::ZERO),
            (Self::ContainsEmptyPatternAbsent, [String(_), String(t)]) if t.is_empty() => {
                Bool(false)
            }
            _ => return None,
        })
    }
}

/// The semantics of the operations: the standard's, or one variant for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Semantics {
    variants: Vec<Variant>,
}

impl Semantics {
    /// Uses this variant for its operation.
    pub fn choose(&mut self, variant: Variant) {
        self.variants.retain(|other| other.op() != variant.op());
        self.variants.push(variant);
        self.variants.sort_by_key(|variant| variant.names());
    }

    /// The variants, by name.
    pub fn variants(&self) -> &[Variant] {
        &self.variants
    }

    /// The result of an operation; `None` if the arguments do not have the sorts of its parameters.
    pub fn evaluate(&self, operation: &Operation, arguments: &[&Constant]) -> Option<Constant> {
        let variant = self.variants.iter().find(|variant| variant.op() == operation.op);
        variant
            .and_then(|variant| variant.evaluate(arguments))
            .or_else(|| operation.evaluate(arguments))
    }

    /// The annotation for a file with these operators; `None` if only the standard applies.
    pub(super) fn note(&self, uses: impl Fn(&str) -> bool) -> Option<String> {
        let used = self.variants.iter().filter(|variant| uses(variant.op().name()));
        let notes: Vec<String> = used
            .map(|variant| {
                let (operation, name) = variant.names();
                format!("{operation}={name}")
            })
            .collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }

    /// Whether a generated text applies an operator with a variant.
    pub(super) fn concerns(&self, text: &str) -> bool {
        self.variants.iter().any(|variant| text.contains(&format!("({} ", variant.op().name())))
    }
}

fn replace_every(s: &[CodePoint], t: &[CodePoint], u: &[CodePoint]) -> SmtString {
    if !t.is_empty() {
        return strings::replace_all(s, t, u);
    }
    let mut replaced = u.to_vec();
    for &character in s {
        replaced.push(character);
        replaced.extend_from_slice(u);
    }
    SmtString::from(replaced)
}

/// The number with its sign; `None` if there is no sign before digits.
fn signed_to_int(s: &[CodePoint]) -> Option<BigInt> {
    let (sign, digits) = s.split_first()?;
    let magnitude = strings::to_int(digits);
    if magnitude < BigInt::ZERO {
        return None;
    }
    match u8::try_from(sign.code()).ok()? {
        b'-' => Some(-magnitude),
        b'+' => Some(magnitude),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use luthier_terms::{BigInt, SmtString};

    use super::super::operations::{Constant, OPERATIONS};
    use super::{Semantics, Variant};

    fn value(variant: Option<Variant>, operation: &str, arguments: &[Constant]) -> String {
        let mut semantics = Semantics::default();
        variant.into_iter().for_each(|variant| semantics.choose(variant));
        let operation = OPERATIONS.iter().find(|one| one.name == operation).unwrap();
        let arguments: Vec<&Constant> = arguments.iter().collect();
        semantics.evaluate(operation, &arguments).unwrap().to_string()
    }

    fn string(text: &str) -> Constant {
        Constant::String(SmtString::from_text(text).unwrap())
    }

    fn int(number: i64) -> Constant {
        Constant::Int(BigInt::from(number))
    }

    /// The variant, the arguments, what the standard says, what the variant says.
    #[test]
    fn variants_differ_from_the_standard_where_they_say_so() {
        use Variant as V;
        let s = string;
        let rows: Vec<(Variant, &str, Vec<Constant>, &str, &str)> = vec![
            (V::AtNegativeOffsetFromEnd, "at", vec![s("abc"), int(-1)], r#""""#, r#""c""#),
            (V::AtNegativeOffsetFromEnd, "at", vec![s("abc"), int(-4)], r#""""#, r#""""#),
            (V::AtNegativeOffsetFromEnd, "at", vec![s("abc"), int(1)], r#""b""#, r#""b""#),
            (V::IntToStrSigned, "intToStr", vec![int(-12)], r#""""#, r#""-12""#),
            (V::IntToStrSigned, "intToStr", vec![int(12)], r#""12""#, r#""12""#),
            (
                V::ReplaceEmptyPatternUnchanged,
                "replace",
                vec![s("a"), s(""), s("b")],
                r#""ba""#,
                r#""a""#,
            ),
            (
                V::ReplaceEveryOccurrence,
                "replace",
                vec![s("aca"), s("a"), s("b")],
                r#""bca""#,
                r#""bcb""#,
            ),
            (
                V::ReplaceEveryOccurrence,
                "replace",
                vec![s("ac"), s(""), s("b")],
                r#""bac""#,
                r#""babcb""#,
            ),
            (
                V::SubstrNegativeOffsetFromEnd,
                "substr",
                vec![s("abc"), int(-2), int(1)],
                r#""""#,
                r#""b""#,
            ),
            (
                V::SubstrNegativeOffsetFromEnd,
                "substr",
                vec![s("abc"), int(-9), int(2)],
                r#""""#,
                r#""ab""#,
            ),
            (V::IndexOfEmptyPatternNotFound, "indexOf", vec![s("a"), s(""), int(0)], "0", "(- 1)"),
            (V::IndexOfOffsetClamped, "indexOf", vec![s("a"), s("a"), int(-1)], "(- 1)", "0"),
            (V::IndexOfOffsetClamped, "indexOf", vec![s("ab"), s(""), int(7)], "(- 1)", "2"),
            (V::IndexOfOffsetClamped, "indexOf", vec![s("ab"), s("a"), int(7)], "(- 1)", "(- 1)"),
            (V::StrToIntSigned, "strToInt", vec![s("-12")], "(- 1)", "(- 12)"),
            (V::StrToIntSigned, "strToInt", vec![s("+7")], "(- 1)", "7"),
            (V::StrToIntSigned, "strToInt", vec![s("-")], "(- 1)", "(- 1)"),
            (V::StrToIntSigned, "strToInt", vec![s("12")], "12", "12"),
            (V::StrToIntEmptyZero, "strToInt", vec![s("")], "(- 1)", "0"),
            (V::ContainsEmptyPatternAbsent, "contains", vec![s("a"), s("")], "true", "false"),
        ];
        for (variant, operation, arguments, standard, other) in &rows {
            assert_eq!(value(None, operation, arguments), *standard, "{variant:?}");
            assert_eq!(value(Some(*variant), operation, arguments), *other, "{variant:?}");
        }
        for variant in Variant::ALL {
            let differs =
                |row: &&(Variant, &str, _, &str, &str)| row.0 == variant && row.3 != row.4;
            assert!(rows.iter().any(|row| differs(&row)), "{variant:?} differs nowhere");
        }
    }

    #[test]
    fn an_operation_has_one_meaning() {
        let mut semantics = Semantics::default();
        semantics.choose(Variant::ReplaceEveryOccurrence);
        semantics.choose(Variant::ReplaceEmptyPatternUnchanged);
        semantics.choose(Variant::AtNegativeOffsetFromEnd);
        let note = semantics.note(|_| true).unwrap();
        assert_eq!(note, "at=negative-offset-from-end replace=empty-pattern-unchanged");
        assert_eq!(semantics.note(|operator| operator == "str.++"), None);
        assert!(semantics.concerns("(= (str.at s i) t)") && !semantics.concerns("(str.len s)"));
    }
}
