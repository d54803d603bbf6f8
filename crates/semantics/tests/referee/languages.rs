//! Laws of regular languages on random expressions: by membership of random words, against a
//! reading of the definitions, and by the comparison of languages.

use luthier_semantics::{Language, Limits};
use luthier_terms::{BigInt, CodePoint, SmtString};
use proptest::prelude::*;

use crate::support::text;

/// Builds a language and the set of its words of length up to [`MAX_WORD_LENGTH`] over `a` and `b`.
#[derive(Clone, Debug)]
struct Example {
    language: Language,
    /// Bit `n` of the set is the word with number `n`.
    words: Words,
}

/// The maximal length of the words that are enumerated.
const MAX_WORD_LENGTH: u32 = 5;
const COUNT: usize = (1 << (MAX_WORD_LENGTH + 1)) - 1;
type Words = [bool; COUNT];

/// Words by length and then by their letters: "", a, b, aa, ab, …
fn word(number: usize) -> String {
    let marked = number + 1;
    let length = usize::BITS - 1 - marked.leading_zeros();
    (0..length).rev().map(|bit| if marked >> bit & 1 == 0 { 'a' } else { 'b' }).collect()
}

fn number(word: &str) -> usize {
    let marked = word.bytes().fold(1, |number, byte| 2 * number + usize::from(byte == b'b'));
    marked - 1
}

fn words_where(holds: impl Fn(&str) -> bool) -> Words {
    std::array::from_fn(|number| holds(&word(number)))
}

fn concat_words(left: &Words, right: &Words) -> Words {
    words_where(|word| {
        (0..=word.len()).any(|cut| left[number(&word[..cut])] && right[number(&word[cut..])])
    })
}

fn power_words(words: &Words, count: u32) -> Words {
    let empty = words_where(str::is_empty);
    (0..count).fold(empty, |power, _| concat_words(&power, words))
}

fn loop_words(words: &Words, least: u32, most: u32) -> Words {
    let powers: Vec<Words> = (least..=most).map(|count| power_words(words, count)).collect();
    std::array::from_fn(|number| powers.iter().any(|power| power[number]))
}

fn big(number: u32) -> BigInt {
    number.into()
}

fn leaf() -> impl Strategy<Value = Example> {
    let literal = prop::sample::select(vec!["", "a", "b", "ab", "ba", "aab", "bb"]);
    let literal = literal.prop_map(|characters| Example {
        language: Language::literal(text(characters)),
        words: words_where(|word| word == characters),
    });
    let constant = prop_oneof![
        Just(Example { language: Language::none(), words: [false; COUNT] }),
        Just(Example { language: Language::all(), words: [true; COUNT] }),
        Just(Example {
            language: Language::all_characters(),
            words: words_where(|word| word.len() == 1),
        }),
        Just(Example {
            language: Language::range(&text("b"), &text("z")),
            words: words_where(|word| word == "b"),
        }),
        Just(Example { language: Language::range(&text("b"), &text("a")), words: [false; COUNT] }),
    ];
    prop_oneof![2 => literal, 1 => constant]
}

fn example() -> impl Strategy<Value = Example> {
    leaf().prop_recursive(5, 24, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            3 => pair.clone().prop_map(|(left, right)| Example {
                words: concat_words(&left.words, &right.words),
                language: Language::concat(vec![left.language, right.language]),
            }),
            2 => pair.clone().prop_map(|(left, right)| Example {
                words: std::array::from_fn(|n| left.words[n] || right.words[n]),
                language: Language::union(vec![left.language, right.language]),
            }),
            2 => pair.clone().prop_map(|(left, right)| Example {
                words: std::array::from_fn(|n| left.words[n] && right.words[n]),
                language: Language::intersection(vec![left.language, right.language]),
            }),
            1 => pair.prop_map(|(left, right)| Example {
                words: std::array::from_fn(|n| left.words[n] && !right.words[n]),
                language: left.language.difference(&right.language),
            }),
            1 => inner.clone().prop_map(|one| Example {
                words: one.words.map(|inside| !inside),
                language: one.language.complement(),
            }),
            // More than MAX_WORD_LENGTH repetitions add no short words.
            1 => inner.clone().prop_map(|one| Example {
                words: loop_words(&one.words, 0, MAX_WORD_LENGTH),
                language: one.language.star(),
            }),
            1 => inner.clone().prop_map(|one| Example {
                words: loop_words(&one.words, 1, MAX_WORD_LENGTH + 1),
                language: one.language.plus(),
            }),
            1 => inner.clone().prop_map(|one| Example {
                words: loop_words(&one.words, 0, 1),
                language: one.language.option(),
            }),
            2 => (inner.clone(), 0..4u32, 0..4u32).prop_map(|(one, least, most)| Example {
                words: loop_words(&one.words, least, most),
                language: one.language.between(&big(least), &big(most)),
            }),
            1 => (inner, 0..4u32).prop_map(|(one, count)| Example {
                words: power_words(&one.words, count),
                language: one.language.power(&big(count)),
            }),
        ]
    })
}

fn contains(language: &Language, word: &str) -> bool {
    language.contains(&text(word), &Limits::default()).unwrap()
}

/// Both languages are the same, by comparison and on some words.
fn same(left: &Language, right: &Language) -> Result<(), TestCaseError> {
    for number in 0..COUNT {
        let word = word(number);
        prop_assert_eq!(contains(left, &word), contains(right, &word), "{:?}", word);
    }
    // Random expressions may have more states than the limit allows, but a decision is right.
    let limits = Limits { comparison_steps: 200_000, ..Limits::default() };
    prop_assert_ne!(left.equivalent(right, &limits), Some(false));
    Ok(())
}

/// What the standard says: the leftmost match, and then the shortest.
fn find(language: &Language, s: &str, from: usize, empty: bool) -> Option<(usize, usize)> {
    let ends = |start: usize| (start + usize::from(!empty)..=s.len()).map(move |end| (start, end));
    (from..=s.len()).flat_map(ends).find(|&(start, end)| contains(language, &s[start..end]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn membership_is_what_the_definitions_say(example in example()) {
        for number in 0..COUNT {
            let word = word(number);
            let found = contains(&example.language, &word);
            prop_assert_eq!(found, example.words[number], "{:?}", word);
        }
    }

    #[test]
    fn with_little_memory_answers_are_missing_but_not_wrong(example in example()) {
        let limits = Limits { regex_cells: 150, ..Limits::default() };
        for number in 0..COUNT {
            if let Some(found) = example.language.contains(&text(&word(number)), &limits) {
                prop_assert_eq!(found, example.words[number]);
            }
        }
    }

    #[test]
    fn comparison_agrees_with_membership(left in example(), right in example()) {
        let limits = Limits { comparison_steps: 200_000, ..Limits::default() };
        match left.language.equivalent(&right.language, &limits) {
            Some(true) => prop_assert_eq!(left.words, right.words),
            // A language differs from another one in words that may be long.
            Some(false) => prop_assert!(left.language != right.language),
            None => {}
        }
        if left.words != right.words {
            prop_assert_ne!(left.language.equivalent(&right.language, &limits), Some(true));
        }
    }

    #[test]
    fn replacing_follows_the_definition(example in example(), number in 0..COUNT) {
        use luthier_terms::Op;
        let mut bench = crate::support::Bench::default();
        let word = format!("{}{}", word(number), word(COUNT - 1 - number));
        let (s, u) = (bench.s(&word), bench.s("-"));
        let r = bench.constant("r", example.language.clone());
        let language = &example.language;
        let once = match find(language, &word, 0, true) {
            Some((start, end)) => format!("{}-{}", &word[..start], &word[end..]),
            None => word.clone(),
        };
        let once_term = bench.op(Op::StrReplaceRe, &[s, r, u]);
        prop_assert_eq!(bench.known(once_term), text(&once).into());
        let (mut all, mut rest) = (String::new(), 0);
        while let Some((start, end)) = find(language, &word, rest, false) {
            all += &word[rest..start];
            all += "-";
            rest = end;
        }
        all += &word[rest..];
        let all_term = bench.op(Op::StrReplaceReAll, &[s, r, u]);
        prop_assert_eq!(bench.known(all_term), text(&all).into());
    }

    #[test]
    fn algebra_of_sets(r in example(), s in example(), t in example()) {
        let (r, s, t) = (r.language, s.language, t.language);
        let union = |left: &Language, right: &Language| {
            Language::union(vec![left.clone(), right.clone()])
        };
        let both = |left: &Language, right: &Language| {
            Language::intersection(vec![left.clone(), right.clone()])
        };
        same(&union(&r, &s).complement(), &both(&r.complement(), &s.complement()))?;
        same(&both(&r, &s).complement(), &union(&r.complement(), &s.complement()))?;
        same(&r.complement().complement(), &r)?;
        same(&r.difference(&s), &both(&r, &s.complement()))?;
        same(&both(&r, &union(&s, &t)), &union(&both(&r, &s), &both(&r, &t)))?;
        same(&union(&r, &both(&s, &t)), &both(&union(&r, &s), &union(&r, &t)))?;
        same(&union(&r, &r.complement()), &Language::all())?;
        same(&both(&r, &r.complement()), &Language::none())?;
    }

    #[test]
    fn algebra_of_concatenation(r in example(), s in example(), t in example()) {
        let (r, s, t) = (r.language, s.language, t.language);
        let concat = |left: &Language, right: &Language| {
            Language::concat(vec![left.clone(), right.clone()])
        };
        let union = |left: &Language, right: &Language| {
            Language::union(vec![left.clone(), right.clone()])
        };
        same(&concat(&concat(&r, &s), &t), &concat(&r, &concat(&s, &t)))?;
        same(&concat(&r, &union(&s, &t)), &union(&concat(&r, &s), &concat(&r, &t)))?;
        same(&concat(&union(&r, &s), &t), &union(&concat(&r, &t), &concat(&s, &t)))?;
        same(&concat(&r, &Language::none()), &Language::none())?;
        same(&concat(&r, &Language::literal(SmtString::empty())), &r)?;
    }

    #[test]
    fn algebra_of_repetition(r in example(), least in 0..3u32, more in 0..3u32) {
        let r = r.language;
        let most = least + more;
        let concat = |left: &Language, right: &Language| {
            Language::concat(vec![left.clone(), right.clone()])
        };
        same(&r.star().star(), &r.star())?;
        same(&r.plus(), &concat(&r, &r.star()))?;
        same(&r.star(), &r.plus().option())?;
        same(&r.option().star(), &r.star())?;
        let powers = (least..=most).map(|count| r.power(&big(count))).collect();
        same(&r.between(&big(least), &big(most)), &Language::union(powers))?;
        same(&r.power(&big(least + 1)), &concat(&r, &r.power(&big(least))))?;
        same(
            &r.between(&big(least), &big(most)),
            &concat(&r.power(&big(least)), &r.option().power(&big(more))),
        )?;
    }

    #[test]
    fn ranges_are_unions_and_differences_of_ranges(
        first in 0..0x30000u32,
        middle in 0..0x30000u32,
        last in 0..0x30000u32,
    ) {
        let mut codes = [first, middle, last];
        codes.sort_unstable();
        let limits = Limits::default();
        let one = |code: u32| [CodePoint::new(code).unwrap()];
        let range = |first: u32, last: u32| Language::range(&one(first), &one(last));
        let whole = range(codes[0], codes[2]);
        let halves = Language::union(vec![range(codes[0], codes[1]), range(codes[1], codes[2])]);
        prop_assert_eq!(whole.equivalent(&halves, &limits), Some(true));
        for code in codes {
            prop_assert_eq!(whole.contains(&one(code), &limits), Some(true));
        }
        if codes[0] > 0 {
            prop_assert_eq!(whole.contains(&one(codes[0] - 1), &limits), Some(false));
        }
        let outside = Language::all_characters().difference(&whole);
        prop_assert_eq!(outside.contains(&one(codes[1]), &limits), Some(false));
        let all = Language::union(vec![outside, whole]);
        prop_assert_eq!(all.equivalent(&Language::all_characters(), &limits), Some(true));
    }
}
