//! Laws of the string operators on random arguments.

use luthier_semantics::strings;
use luthier_terms::{BigInt, CodePoint, SmtString};
use proptest::prelude::*;

/// Few letters make many coincidences; the ends of the alphabet and digits are among them.
fn word() -> impl Strategy<Value = SmtString> {
    let code = prop_oneof![
        4 => 0x61..=0x62u32,
        1 => 0x30..=0x31u32,
        1 => prop::sample::select(vec![0, 0xD800, CodePoint::MAX.code()]),
    ];
    prop::collection::vec(code, 0..12).prop_map(|codes| SmtString::from_codes(codes).unwrap())
}

fn short_word() -> impl Strategy<Value = SmtString> {
    prop::collection::vec(0x61..=0x62u32, 0..4)
        .prop_map(|codes| SmtString::from_codes(codes).unwrap())
}

fn big(number: usize) -> BigInt {
    number.into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn reading_what_was_written_gives_the_number_exactly_if_it_is_not_negative(n in any::<i64>()) {
        let n = BigInt::from(n);
        let back = strings::to_int(&strings::from_int(&n));
        prop_assert_eq!(back == n, n >= BigInt::ZERO || n == BigInt::from(-1));
    }

    #[test]
    fn writing_what_was_read_gives_the_digits_without_leading_zeros(digits in "[0-9]{1,30}") {
        let w = SmtString::from_text(&digits).unwrap();
        let trimmed = match digits.trim_start_matches('0') {
            "" => "0",
            trimmed => trimmed,
        };
        let written = strings::from_int(&strings::to_int(&w));
        prop_assert_eq!(written, SmtString::from_text(trimmed).unwrap());
    }

    #[test]
    fn codes_and_characters_are_the_same(code in -10i64..200_000) {
        let n = BigInt::from(code);
        let back = strings::to_code(&strings::from_code(&n));
        let expected = if (0..=196_607).contains(&code) { n } else { BigInt::from(-1) };
        prop_assert_eq!(back, expected);
    }

    #[test]
    fn searching_agrees_with_trying_every_position(s in word(), t in short_word(), i in -2i64..14) {
        let tried = usize::try_from(i)
            .ok()
            .filter(|&i| i <= s.len())
            .and_then(|i| (i..=s.len()).find(|&n| s[n..].starts_with(&t)));
        let expected = tried.map_or(BigInt::from(-1), BigInt::from);
        prop_assert_eq!(strings::index_of(&s, &t, &i.into()), expected);
    }

    #[test]
    fn contains_is_indexof_from_zero(s in word(), t in short_word()) {
        let found = strings::index_of(&s, &t, &BigInt::ZERO) >= BigInt::ZERO;
        prop_assert_eq!(strings::contains(&s, &t), found);
    }

    #[test]
    fn prefixes_and_suffixes_are_pieces_at_the_ends(s in word(), t in short_word()) {
        let prefix = strings::substr(&s, &BigInt::ZERO, &big(t.len())) == t;
        prop_assert_eq!(strings::prefix_of(&t, &s), prefix);
        let suffix = t.len() <= s.len() && s[s.len() - t.len()..] == t[..];
        prop_assert_eq!(strings::suffix_of(&t, &s), suffix);
        if prefix || suffix {
            prop_assert!(strings::contains(&s, &t));
        }
    }

    #[test]
    fn a_string_is_its_pieces(s in word(), cut in 0usize..12) {
        let head = strings::substr(&s, &BigInt::ZERO, &big(cut));
        let tail = strings::substr(&s, &big(cut), &big(s.len()));
        prop_assert_eq!(strings::concat(&[&head, &tail]), s);
    }

    #[test]
    fn at_is_a_piece_of_one(s in word(), i in -2i64..14) {
        let at = strings::at(&s, &i.into());
        let expected: SmtString =
            usize::try_from(i).ok().and_then(|i| s.get(i).copied()).into_iter().collect();
        prop_assert_eq!(at, expected);
    }

    #[test]
    fn replacing_everything_changes_the_length_by_the_occurrences(
        s in word(),
        t in short_word(),
        u in short_word(),
    ) {
        let replaced = strings::replace_all(&s, &t, &u);
        if t.is_empty() {
            prop_assert_eq!(replaced, s);
            return Ok(());
        }
        // Cut the string at the occurrences, one after the other.
        let (mut pieces, mut rest) = (vec![], s.to_vec());
        while let Some(position) = (0..=rest.len()).find(|&n| rest[n..].starts_with(&t)) {
            pieces.push(rest[..position].to_vec());
            rest = rest[position + t.len()..].to_vec();
        }
        let count = pieces.len();
        pieces.push(rest);
        prop_assert_eq!(replaced.len() + count * t.len(), s.len() + count * u.len());
        prop_assert_eq!(replaced.to_vec(), pieces.join(&u[..]));
    }

    #[test]
    fn replacing_changes_the_first_occurrence(s in word(), t in short_word(), u in short_word()) {
        let replaced = strings::replace(&s, &t, &u);
        let expected = match (0..=s.len()).find(|&n| s[n..].starts_with(&t)) {
            Some(n) => strings::concat(&[&s[..n], &u, &s[n + t.len()..]]),
            None => s,
        };
        prop_assert_eq!(replaced, expected);
    }

    #[test]
    fn the_order_is_total(s in word(), t in word(), u in word()) {
        let less = |left: &SmtString, right: &SmtString| strings::less(left, right);
        let relations = [less(&s, &t), s == t, less(&t, &s)];
        prop_assert_eq!(relations.iter().filter(|&&holds| holds).count(), 1);
        prop_assert_eq!(strings::less_or_equal(&s, &t), less(&s, &t) || s == t);
        if less(&s, &t) && less(&t, &u) {
            prop_assert!(less(&s, &u));
        }
        if !s.is_empty() {
            prop_assert!(less(&t, &strings::concat(&[&t, &s])));
        }
    }
}
