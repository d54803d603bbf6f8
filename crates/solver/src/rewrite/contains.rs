//! Rewrite rules for `str.contains`, and a bounded decision of containment without building
//! formulas.
//!
//! `true` if the needle is a factor of the text as it is written, `false` if it is longer than the
//! text or if a literal text lacks its literals in order; through `substr`, `replace` and `ite` up
//! to `rewrite.contains_depth` levels, and by facts of the context.

use luthier_terms::{CodePoint, Op, TermId};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::Limit;
use crate::words;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "contains-in-decimal",
        law: "contains(from_int(n), u·w·v) = false for a literal w with something else than digits",
        heads: &[Op::StrContains],
        apply: digits,
    },
    Rule {
        name: "contains-decided",
        law: "contains(u·t·v, t) = true; contains(s, t) = false when |t| > |s| always, or when \
              literals of t do not occur in that order in a literal s",
        heads: &[Op::StrContains],
        apply: decided,
    },
    Rule {
        name: "contains-as-long",
        law: "contains(s, t) = (s = t) when |t| ≥ |s| always",
        heads: &[Op::StrContains],
        apply: as_long,
    },
    Rule {
        name: "contains-in-short-literal",
        law: "contains(w, t) = (t is one of the factors of the literal w) for |w| ≤ 2",
        heads: &[Op::StrContains],
        apply: in_short_literal,
    },
    Rule {
        name: "contains-letter",
        law: "contains(u·v, t) = contains(u, t) ∨ contains(v, t) when |t| ≤ 1 always",
        heads: &[Op::StrContains],
        apply: letter,
    },
    Rule {
        name: "contains-literal-apart",
        law: "contains(u·w·v, t) = contains(u, t) ∨ contains(v, t) for literals w and t that cannot \
              overlap",
        heads: &[Op::StrContains],
        apply: literal_apart,
    },
    Rule {
        name: "contains-dead-ends",
        law: "contains(w·v, t) = contains(w'·v, t) where the literal w without w' cannot touch the \
              literal t; likewise at the end",
        heads: &[Op::StrContains],
        apply: dead_ends,
    },
    Rule {
        name: "contains-of-replacement",
        law: "contains(replace(x, y, z), z) = contains(x, y) ∨ contains(x, z)",
        heads: &[Op::StrContains],
        apply: of_replacement,
    },
    Rule {
        name: "contains-piece-of-replacement",
        law: "contains(x, replace(y, x, y)) = contains(x, y)",
        heads: &[Op::StrContains],
        apply: piece_of_replacement,
    },
    Rule {
        name: "contains-replaced-needle",
        law: "contains(replace(x, y, z), y) = contains(x, y) when z contains y",
        heads: &[Op::StrContains],
        apply: replaced_needle,
    },
    Rule {
        name: "contains-ite",
        law: "contains(ite(c, u, v), t) = ite(c, contains(u, t), contains(v, t)), for the haystack \
              or the needle, if u or v is a literal",
        heads: &[Op::StrContains],
        apply: of_ite,
    },
];

impl Context<'_> {
    /// Whether a string contains another one, if the bounded search decides it.
    pub fn contains(&mut self, text: TermId, needle: TermId) -> Option<bool> {
        self.contains_within(text, needle, self.limit(Limit::RewriteContainsDepth))
    }

    fn contains_within(&mut self, text: TermId, needle: TermId, depth: usize) -> Option<bool> {
        if text == needle || self.is_empty(needle) {
            return Some(true);
        }
        if let (Some(text), Some(needle)) = (self.text(text), self.text(needle)) {
            return Some(words::find(text, needle, 0).is_some());
        }
        if self.factor(text, needle) {
            return Some(true);
        }
        if self.facts.is_some() {
            let atom = self.op(Op::StrContains, &[text, needle])?;
            if let Some(value) = self.known(atom) {
                return Some(value);
            }
        }
        if self.literals_out_of_order(text, needle) || self.lacks_as_decimal(text, needle) {
            return Some(false);
        }
        let (long, short) = (self.length(text)?, self.length(needle)?);
        if self.above(&short, &long) {
            return Some(false);
        }
        if depth == 0 {
            return None;
        }
        // A substring of a string without the needle has no needle either.
        if let Some([base, ..]) = self.three(text, Op::StrSubstr)
            && self.contains_within(base, needle, depth - 1) == Some(false)
        {
            return Some(false);
        }
        if let Some([base, part, by]) = self.three(text, Op::StrReplace) {
            // replace(x, y, x) contains x, replaced or not.
            if base == by && self.contains_within(by, needle, depth - 1) == Some(true) {
                return Some(true);
            }
            let letter = self.at_least(&Linear::number(1), &short);
            if letter
                && self.contains_within(base, needle, depth - 1) == Some(false)
                && self.contains_within(by, needle, depth - 1) == Some(false)
            {
                return Some(false);
            }
            // If `y` certainly occurs in `x`, then replace(x, y, z) contains z.
            if self.contains_within(base, part, depth - 1) == Some(true)
                && self.contains_within(by, needle, depth - 1) == Some(true)
            {
                return Some(true);
            }
        }
        if let Some([_, yes, no]) = self.three(text, Op::Ite) {
            let yes = self.contains_within(yes, needle, depth - 1)?;
            return (self.contains_within(no, needle, depth - 1)? == yes).then_some(yes);
        }
        if let Some([_, yes, no]) = self.three(needle, Op::Ite) {
            let yes = self.contains_within(text, yes, depth - 1)?;
            return (self.contains_within(text, no, depth - 1)? == yes).then_some(yes);
        }
        None
    }

    /// Whether the needle, or a string of which it is a substring, is a factor of the text as it is
    /// written.
    fn factor(&self, text: TermId, needle: TermId) -> bool {
        let parts = self.parts(text);
        let mut needle = needle;
        loop {
            if needle == text || factor_of_parts(self, &parts, &self.parts(needle)) {
                return true;
            }
            match self.three(needle, Op::StrSubstr) {
                Some([base, ..]) => needle = base,
                None => return false,
            }
        }
    }

    /// Whether the text has only digits and the needle something else.
    fn lacks_as_decimal(&self, text: TermId, needle: TermId) -> bool {
        let odd = |&part: &TermId| {
            let other = |&character: &CodePoint| words::digit(character).is_none();
            self.text(part).is_some_and(|word| word.iter().any(other))
        };
        self.is_op(text, Op::StrFromInt) && self.parts(needle).iter().any(odd)
    }

    /// Whether the literal parts of the needle do not occur one after the other in a literal text.
    fn literals_out_of_order(&self, text: TermId, needle: TermId) -> bool {
        let Some(text) = self.text(text) else { return false };
        let mut from = 0;
        for part in self.parts(needle) {
            if let Some(word) = self.text(part) {
                match words::find(text, word, from) {
                    Some(at) => from = at + word.len(),
                    None => return true,
                }
            }
        }
        false
    }
}

/// Whether the arguments of a needle are consecutive arguments of a text, where literals at the
/// ends may be parts of longer ones.
fn factor_of_parts(cx: &Context, text: &[TermId], needle: &[TermId]) -> bool {
    let (Some(&first), Some(&last)) = (needle.first(), needle.last()) else { return true };
    let literals = |one, other, holds: fn(&[CodePoint], &[CodePoint]) -> bool| match (
        cx.text(one),
        cx.text(other),
    ) {
        (Some(one), Some(other)) => holds(one, other),
        _ => one == other,
    };
    if needle.len() == 1 {
        let inside = |text: &[CodePoint], word: &[CodePoint]| words::find(text, word, 0).is_some();
        return text.iter().any(|&part| literals(part, first, inside));
    }
    text.windows(needle.len()).any(|window| {
        let inner = 1..needle.len() - 1;
        window[inner.clone()] == needle[inner]
            && literals(window[0], first, |text, word| text.ends_with(word))
            && literals(window[needle.len() - 1], last, |text, word| text.starts_with(word))
    })
}

fn decided(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let value = cx.contains(text, needle)?;
    cx.bool(value)
}

fn as_long(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let (long, short) = (cx.length(text)?, cx.length(needle)?);
    if cx.at_least(&short, &long) { cx.eq(text, needle) } else { None }
}

fn in_short_literal(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let word = cx.text(text).filter(|word| word.len() <= cx.limit(Limit::RewriteFactors))?.to_vec();
    let mut factors: Vec<&[CodePoint]> = vec![&[]];
    for from in 0..word.len() {
        factors.extend((from + 1..=word.len()).map(|to| &word[from..to]));
    }
    factors.sort_unstable();
    factors.dedup();
    let mut equations = Vec::new();
    for factor in factors {
        let factor = cx.literal(factor)?;
        equations.push(cx.eq(needle, factor)?);
    }
    cx.or(&equations)
}

/// `contains(u, t) ∨ …` for several haystacks.
fn any(cx: &mut Context, texts: &[TermId], needle: TermId) -> Option<TermId> {
    let mut parts = Vec::with_capacity(texts.len());
    for &text in texts {
        parts.push(cx.op(Op::StrContains, &[text, needle])?);
    }
    cx.or(&parts)
}

fn letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let parts = cx.args(text, Op::StrConcat)?.to_vec();
    let length = cx.length(needle)?;
    if !cx.at_least(&Linear::number(1), &length) {
        return None;
    }
    any(cx, &parts, needle)
}

fn literal_apart(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let word = cx.text(needle).filter(|word| !word.is_empty())?;
    let parts = cx.args(text, Op::StrConcat)?;
    let apart = |&part: &TermId| cx.text(part).is_some_and(|part| !words::can_touch(part, word));
    let at = parts.iter().position(apart)?;
    let (before, after) = (parts[..at].to_vec(), parts[at + 1..].to_vec());
    let texts = [cx.concat(&before)?, cx.concat(&after)?];
    any(cx, &texts, needle)
}

fn dead_ends(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let word = cx.text(needle).filter(|word| !word.is_empty())?.to_vec();
    let mut parts = cx.args(text, Op::StrConcat)?.to_vec();
    let last = parts.len() - 1;
    for (at, front) in [(0, true), (last, false)] {
        let Some(literal) = cx.text(parts[at]) else { continue };
        let dead = if front {
            words::dead_prefix(literal, &word)
        } else {
            words::dead_suffix(literal, &word)
        };
        if dead == 0 {
            continue;
        }
        let rest = if front { &literal[dead..] } else { &literal[..literal.len() - dead] }.to_vec();
        parts[at] = cx.literal(&rest)?;
        let text = cx.concat(&parts)?;
        return cx.op(Op::StrContains, &[text, needle]);
    }
    None
}

fn of_replacement(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let [base, part, by] = cx.three(text, Op::StrReplace)?;
    if by != needle {
        return None;
    }
    let (one, other) =
        (cx.op(Op::StrContains, &[base, part])?, cx.op(Op::StrContains, &[base, needle])?);
    cx.or(&[one, other])
}

fn piece_of_replacement(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let [base, part, by] = cx.three(needle, Op::StrReplace)?;
    if part != text || by != base {
        return None;
    }
    cx.op(Op::StrContains, &[text, base])
}

fn replaced_needle(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    let [base, part, by] = cx.three(text, Op::StrReplace)?;
    if part != needle || cx.contains(by, needle) != Some(true) {
        return None;
    }
    // If the needle occurred, the replacement contains it; if not, nothing changed.
    cx.op(Op::StrContains, &[base, needle])
}

fn of_ite(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    for at in 0..2 {
        let Some([condition, yes, no]) = cx.three(args[at], Op::Ite) else { continue };
        if cx.text(yes).is_none() && cx.text(no).is_none() {
            continue;
        }
        let mut branch = |text: TermId| {
            let mut args = [args[0], args[1]];
            args[at] = text;
            cx.op(Op::StrContains, &args)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        return cx.ite(condition, yes, no);
    }
    None
}

fn digits(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[text, needle] = args else { return None };
    if cx.lacks_as_decimal(text, needle) { cx.bool(false) } else { None }
}
