//! Formats figures, so that pages, REST, LaTeX and terminal show the same digits.
//!
//! * Counts have commas between thousands: `54,387`.
//! * Times are seconds. A single time, a mean and a median have three decimals, since a clock gives
//!   nothing useful beyond milliseconds: `1.235`. A sum has two: `1,234.57`.
//! * A share is a percentage with one decimal: `12.3 %`. It is `100.0 %` only for all and `0.0 %`
//!   only for none; values next to them are `99.9 %` and `0.1 %`.
//! * A ratio has two decimals below 100, none above: `1.32`, `1,204`.
//! * A missing figure is a dash: [`NOTHING`].
//!
//! Everything is plain ASCII; renderers of LaTeX and HTML escape it as any other text.

use std::time::Duration;

/// Stands where there is no figure.
pub const NOTHING: &str = "-";

/// A count: `54,387`.
pub fn count(count: u64) -> String {
    grouped(&count.to_string())
}

/// A count with its sign, for differences: `+12`, `-3`, `0`.
pub fn difference(difference: i64) -> String {
    let sign = if difference > 0 { "+" } else { "" };
    format!("{sign}{}", grouped(&difference.to_string()))
}

/// A single time, in seconds: `1.235`.
pub fn time(time: Duration) -> String {
    seconds(time.as_secs_f64())
}

/// A time, a mean or a median of times, in seconds: `1.235`.
pub fn seconds(seconds: f64) -> String {
    decimals(seconds, 3)
}

/// A time for programs, in seconds with microseconds. The quotient of a whole number is the nearest number
/// there is, so it is written with the digits that were measured and no others.
pub fn exact_seconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}

/// A mean of counts: `12.5`.
pub fn mean_count(count: f64) -> String {
    decimals(count, 1)
}

/// A sum of times, in seconds: `1,234.57`.
pub fn sum_seconds(seconds: f64) -> String {
    decimals(seconds, 2)
}

/// A difference of times, in seconds, with its sign: `+0.250`.
pub fn seconds_difference(seconds: f64) -> String {
    let text = decimals(seconds, 3);
    let is_more = seconds > 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit));
    if is_more { format!("+{text}") } else { text }
}

/// How many times as much: `1.32`, `1,204`.
pub fn ratio(ratio: f64) -> String {
    // What would round to 100.00 is already written without decimals.
    if ratio.abs() >= 99.995 { decimals(ratio, 0) } else { decimals(ratio, 2) }
}

/// A part of a whole: `12.3 %`; [`NOTHING`] of an empty whole.
pub fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NOTHING.to_owned();
    }
    // Tenths of a percent, rounded half up, in whole numbers: the same on every machine.
    let tenths = (u128::from(part) * 2000 + u128::from(whole)) / (u128::from(whole) * 2);
    let tenths = match tenths {
        0 if part > 0 => 1,
        1000 if part < whole => 999,
        tenths => tenths,
    };
    format!("{}.{} %", tenths / 10, tenths % 10)
}

/// A figure that may be missing: what `write` makes of it, or [`NOTHING`].
pub fn optional<T>(figure: Option<T>, write: impl FnOnce(T) -> String) -> String {
    figure.map_or_else(|| NOTHING.to_owned(), write)
}

fn decimals(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return NOTHING.to_owned();
    }
    let text = format!("{number:.decimals$}");
    // Nothing is less than nothing: "-0.000" is a rounded zero.
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    let text = if is_zero { text.trim_start_matches('-') } else { &text };
    match text.split_once('.') {
        Some((whole, fraction)) => format!("{}.{fraction}", grouped(whole)),
        None => grouped(text),
    }
}

/// Commas between groups of three digits.
fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let mut text = sign.to_owned();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{
        count, difference, exact_seconds, mean_count, optional, ratio, seconds, seconds_difference,
        share, sum_seconds, time,
    };

    #[test]
    fn counts_have_commas() {
        let counts = [0, 7, 999, 1000, 54_387, 1_000_000];
        let expected = ["0", "7", "999", "1,000", "54,387", "1,000,000"];
        assert_eq!(counts.map(count), expected);
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!([1200, 0, -3, -1200].map(difference), ["+1,200", "0", "-3", "-1,200"]);
        assert!(difference(i64::MIN).starts_with("-9,223,"));
    }

    #[test]
    fn times_have_the_digits_that_mean_something() {
        assert_eq!(time(Duration::from_micros(1_234_600)), "1.235");
        assert_eq!(seconds(12_345.0), "12,345.000");
        assert_eq!(sum_seconds(1234.567), "1,234.57");
        assert_eq!(seconds(-0.0001), "0.000");
        assert_eq!(seconds(f64::NAN), "-");
        assert_eq!(exact_seconds(Duration::from_micros(12_345_679)).to_string(), "12.345679");
        assert_eq!([12.25, 1234.0].map(mean_count), ["12.2", "1,234.0"]);
        assert_eq!([0.25, -0.25, 0.0001].map(seconds_difference), ["+0.250", "-0.250", "0.000"]);
    }

    #[test]
    fn ratios_are_short() {
        let ratios = [1.0, 1.3249, 99.994, 99.996, 1203.7];
        assert_eq!(ratios.map(ratio), ["1.00", "1.32", "99.99", "100", "1,204"]);
    }

    #[test]
    fn a_share_says_all_or_none_only_if_it_is_so() {
        assert_eq!(share(0, 100_000), "0.0 %");
        assert_eq!(share(1, 100_000), "0.1 %");
        assert_eq!(share(99_999, 100_000), "99.9 %");
        assert_eq!(share(100_000, 100_000), "100.0 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(2, 3), "66.7 %");
        assert_eq!(share(0, 0), "-");
        assert_eq!(share(u64::MAX, u64::MAX), "100.0 %");
    }

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!(optional(None, count), "-");
        assert_eq!(optional(Some(1), count), "1");
    }
}
