//! Times and sizes with units, as users write them: `10s`, `500ms`, `2min`, `4GB`, `512MiB`.

use std::time::Duration;

use crate::Bytes;

/// A text that is no time or no size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no {kind}; write a number and a unit, such as {examples}")]
pub struct InvalidQuantity {
    text: String,
    kind: &'static str,
    examples: &'static str,
}

/// Units of time in milliseconds; the first is the one for a bare number.
const TIMES: [(&str, f64); 9] = [
    ("s", 1e3),
    ("", 1e3),
    ("ms", 1.0),
    ("sec", 1e3),
    ("m", 6e4),
    ("min", 6e4),
    ("h", 3.6e6),
    ("us", 1e-3),
    ("d", 8.64e7),
];

/// Units of size in bytes.
const SIZES: [(&str, f64); 12] = [
    ("B", 1.0),
    ("", 1.0),
    ("kB", 1e3),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("M", 1_048_576.0),
    ("G", 1_073_741_824.0),
];

/// Reads a time. A bare number means seconds.
pub fn parse_duration(text: &str) -> Result<Duration, InvalidQuantity> {
    let wrong = || InvalidQuantity {
        text: text.to_owned(),
        kind: "time",
        examples: "10s, 500ms, 2min or 1h",
    };
    let milliseconds = quantity(text, &TIMES).ok_or_else(wrong)?;
    let duration = Duration::try_from_secs_f64(milliseconds / 1e3).map_err(|_| wrong())?;
    if duration.is_zero() { Err(wrong()) } else { Ok(duration) }
}

/// Reads a size. A bare number means bytes; `GB` is 10⁹, `GiB` and `G` are 2³⁰.
pub fn parse_bytes(text: &str) -> Result<Bytes, InvalidQuantity> {
    let wrong = || InvalidQuantity {
        text: text.to_owned(),
        kind: "size",
        examples: "4GB, 512MiB or 100kB",
    };
    let bytes = quantity(text, &SIZES).ok_or_else(wrong)?.round();
    if (1.0..=9e18).contains(&bytes) { Ok(Bytes(bytes as u64)) } else { Err(wrong()) }
}

/// Writes a time so that [`parse_duration`] gives it back.
pub fn show_duration(duration: Duration) -> String {
    let micros = duration.as_micros();
    match micros {
        _ if micros.is_multiple_of(1_000_000) => format!("{}s", micros / 1_000_000),
        _ if micros.is_multiple_of(1000) => format!("{}ms", micros / 1000),
        _ => format!("{micros}us"),
    }
}

/// Writes a size so that [`parse_bytes`] gives it back.
pub fn show_bytes(Bytes(bytes): Bytes) -> String {
    let units = [
        (1 << 30, "GiB"),
        (1_000_000_000, "GB"),
        (1 << 20, "MiB"),
        (1_000_000, "MB"),
        (1024, "KiB"),
        (1000, "kB"),
    ];
    let whole = units.into_iter().find(|(size, _)| bytes != 0 && bytes % size == 0);
    match whole {
        Some((size, unit)) => format!("{}{unit}", bytes / size),
        None => format!("{bytes}B"),
    }
}

fn quantity(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim();
    let known = |(name, _): &&(&str, f64)| *name == unit;
    let factor = units.iter().find(known)?.1;
    Some(number.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written_back() {
        for (text, milliseconds) in
            [("10s", 10_000), ("10", 10_000), ("500ms", 500), ("2min", 120_000), ("1.5 s", 1500)]
        {
            let duration = parse_duration(text).unwrap();
            assert_eq!(duration, Duration::from_millis(milliseconds), "{text}");
            assert_eq!(parse_duration(&show_duration(duration)), Ok(duration));
        }
        for wrong in ["", "s", "10x", "-1s", "1e9s", "0s", "99999999999999999999999d", "1.2.3s"] {
            let error = parse_duration(wrong).unwrap_err().to_string();
            assert!(error.contains("is no time"), "{error}");
        }
    }

    #[test]
    fn sizes_are_read_and_written_back() {
        for (text, bytes) in [
            ("4GB", 4_000_000_000),
            ("4GiB", 4 << 30),
            ("512MiB", 512 << 20),
            ("17", 17),
            ("1.5kB", 1500),
        ] {
            assert_eq!(parse_bytes(text), Ok(Bytes(bytes)), "{text}");
            assert_eq!(parse_bytes(&show_bytes(Bytes(bytes))), Ok(Bytes(bytes)));
        }
        for wrong in ["", "GB", "0", "4 apples", "-4GB", "1e3MB"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
    }
}
