//! The number of terminal columns that a text takes.
//!
//! A small table instead of the full Unicode data: combining marks and invisible characters take
//! no column, East Asian wide characters and emoji take two, everything else takes one. That suffices
//! for names of solvers and benchmark files, and an error only shifts a column.

/// Characters that are drawn onto the one before them, or not at all.
const ZERO: &[(u32, u32)] = &[
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05BD),
    (0x0610, 0x061A),
    (0x064B, 0x065F),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x20D0, 0x20FF),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
    (0xFEFF, 0xFEFF),
    (0xE0100, 0xE01EF),
];

/// Characters that take two columns.
const WIDE: &[(u32, u32)] = &[
    (0x1100, 0x115F),
    (0x2E80, 0x303E),
    (0x3041, 0x33FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xA000, 0xA4CF),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F900, 0x1F9FF),
    (0x20000, 0x3FFFD),
];

/// How many columns a text takes. It must be free of control characters.
pub fn text_width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

/// How many columns a character takes.
pub(crate) fn character_width(character: char) -> usize {
    let code = u32::from(character);
    if code < 0x300 {
        1
    } else if is_in(ZERO, code) {
        0
    } else if is_in(WIDE, code) {
        2
    } else {
        1
    }
}

fn is_in(ranges: &[(u32, u32)], code: u32) -> bool {
    let place = ranges.partition_point(|&(_, last)| last < code);
    ranges.get(place).is_some_and(|&(first, _)| first <= code)
}

#[cfg(test)]
mod tests {
    use super::{WIDE, ZERO, text_width};

    #[test]
    fn marks_take_no_column_and_wide_characters_two() {
        assert_eq!(text_width("z3@5.4.0"), 8);
        assert_eq!(text_width("naïve"), 5);
        assert_eq!(text_width("nai\u{308}ve"), 5);
        assert_eq!(text_width("漢字"), 4);
        assert_eq!(text_width("🎻"), 2);
        assert_eq!(text_width(""), 0);
    }

    #[test]
    fn the_tables_are_sorted_and_apart() {
        for table in [ZERO, WIDE] {
            assert!(table.iter().all(|(first, last)| first <= last));
            assert!(table.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
