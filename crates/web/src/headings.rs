//! Headings of tables: what a column is called and what it means, and the box that a table stands in.
//!
//! A meaning is shown twice: as the title of the heading, for those who point at it, and in a folded
//! list below the table, for screen readers, keyboards and phones, which show no titles.

use maud::{Markup, html};

/// A heading and its meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    /// The words above the column.
    pub name: &'static str,
    /// What is in the column, in a sentence or two.
    pub meaning: &'static str,
    /// Whether it has numbers, which stand at the right.
    pub is_number: bool,
}

impl Heading {
    /// A column of words.
    pub const fn text(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, is_number: false }
    }

    /// A column of numbers.
    pub const fn number(name: &'static str, meaning: &'static str) -> Self {
        Self { name, meaning, is_number: true }
    }
}

/// The cells of the head.
pub(crate) fn head(headings: &[Heading]) -> Markup {
    html! {
        @for heading in headings {
            th.n[heading.is_number] scope="col" title=(heading.meaning) { (heading.name) }
        }
    }
}

/// What the headings mean, folded.
pub(crate) fn help(headings: &[Heading]) -> Markup {
    html! {
        details.help {
            summary { "What the columns mean" }
            dl.facts {
                @for heading in headings { dt { (heading.name) } dd { (heading.meaning) } }
            }
        }
    }
}

/// Classes of the style sheet for tables that need at most so many rem.
const ROOMS: [(usize, &str); 4] =
    [(40, "room-40"), (60, "room-60"), (80, "room-80"), (100, "room-100")];

/// The class of a box around a table that needs about this width, in rem, before words are broken.
/// Where a window is wider the table needs no box that scrolls, and its headings stay at the top of
/// the page; otherwise they stay at the top of the box. Wider tables always have one.
pub(crate) fn room(width: usize) -> &'static str {
    ROOMS.iter().find(|(room, _)| width <= *room).map_or("room-all", |(_, class)| class)
}

/// How wide a column is, in sixteenths of a rem, whose longest word or figure has so many letters.
pub(crate) fn width(letters: usize) -> usize {
    // Letters of tables are about half a rem wide, and a cell has some padding.
    letters * 9 + 20
}

/// How wide a column of numbers with this heading is, in sixteenths of a rem, whose longest figure
/// has so many letters.
pub(crate) fn number_width(heading: &str, figure: usize) -> usize {
    let words = heading.split_whitespace().map(|word| word.chars().count());
    width(words.max().unwrap_or_default().max(figure))
}

#[cfg(test)]
mod tests {
    use super::{number_width, room};

    #[test]
    fn a_column_is_as_wide_as_its_longest_word_or_figure() {
        assert_eq!(number_width("PAR2 mean, s", 3), number_width("mean,", 1));
        assert!(number_width("solved", 9) > number_width("solved", 3));
    }

    #[test]
    fn a_table_gets_the_smallest_room_that_is_enough() {
        assert_eq!(room(12), "room-40");
        assert_eq!(room(40), "room-40");
        assert_eq!(room(41), "room-60");
        assert_eq!(room(101), "room-all");
    }
}
