//! Rewrite rules for `str.prefixof` and `str.suffixof`; most rules cover both.

use std::collections::VecDeque;

use luthier_terms::{CodePoint, Op, TermId};
use num_traits::Zero;

use super::concat::{StripOutcome, strip_back, strip_front};
use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::Limit;

const BOTH: &[Op] = &[Op::StrPrefixOf, Op::StrSuffixOf];

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "affix-trivial",
        law: "prefixof(ε, t) = prefixof(t, t) = true; prefixof(s, ε) = (s = ε); also suffixof",
        heads: BOTH,
        apply: trivial,
    },
    Rule {
        name: "affix-common",
        law: "prefixof(u·s, u·t) = prefixof(s, t), false if literals differ; likewise suffixof",
        heads: BOTH,
        apply: common,
    },
    Rule {
        name: "affix-length",
        law: "prefixof(s, t) = false when |s| > |t| always, (s = t) when |s| ≥ |t| always; also \
              suffixof",
        heads: BOTH,
        apply: length,
    },
    Rule {
        name: "affix-missing",
        law: "prefixof(s, t) = false when ¬contains(t, s) always; also suffixof",
        heads: BOTH,
        apply: missing,
    },
    Rule {
        name: "affix-of-short-literal",
        law: "prefixof(s, w) = (s is one of the prefixes of the literal w) for |w| ≤ 2; also \
              suffixof",
        heads: BOTH,
        apply: of_short_literal,
    },
    Rule {
        name: "affix-piece",
        law: "prefixof(substr(t, 0, n), t) = true; suffixof(substr(t, i, n), t) = true when \
              i ≥ 0 and i + n ≥ |t| always",
        heads: BOTH,
        apply: piece,
    },
    Rule {
        name: "affix-of-piece",
        law: "prefixof(s, substr(t, 0, n)) = prefixof(s, t) when |s| ≤ n always",
        heads: &[Op::StrPrefixOf],
        apply: of_piece,
    },
    Rule {
        name: "affix-letter",
        law: "prefixof(\"a\", u·v) = ite(u = ε, prefixof(\"a\", v), prefixof(\"a\", u)); \
              suffixof(\"a\", v·u) likewise",
        heads: BOTH,
        apply: letter,
    },
    Rule {
        name: "affix-of-letter",
        law: "prefixof(s, t) = suffixof(s, t) = contains(t, s) when |t| ≤ 1 always",
        heads: BOTH,
        apply: of_letter,
    },
    Rule {
        name: "affix-of-ite",
        law: "prefixof(ite(c, u, v), t) = ite(c, prefixof(u, t), prefixof(v, t)), for either \
              argument, if u or v is a literal; also suffixof",
        heads: BOTH,
        apply: of_ite,
    },
];

fn trivial(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    if cx.is_empty(affix) || affix == whole {
        return cx.bool(true);
    }
    if cx.is_empty(whole) { cx.eq(affix, whole) } else { None }
}

fn common(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let (mut affix, mut whole) = (VecDeque::from(cx.parts(affix)), VecDeque::from(cx.parts(whole)));
    let prefix = cx.is_op(term, Op::StrPrefixOf);
    let taken = if prefix {
        strip_front(cx, &mut affix, &mut whole)?
    } else {
        strip_back(cx, &mut affix, &mut whole)?
    };
    match taken {
        StripOutcome::Clash => cx.bool(false),
        StripOutcome::Nothing => None,
        StripOutcome::Stripped => {
            let affix = cx.concat(affix.make_contiguous())?;
            let whole = cx.concat(whole.make_contiguous())?;
            let op = if prefix { Op::StrPrefixOf } else { Op::StrSuffixOf };
            cx.op(op, &[affix, whole])
        }
    }
}

fn length(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let (short, long) = (cx.length(affix)?, cx.length(whole)?);
    if cx.above(&short, &long) {
        return cx.bool(false);
    }
    if cx.at_least(&short, &long) { cx.eq(affix, whole) } else { None }
}

fn missing(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    if cx.contains(whole, affix) == Some(false) { cx.bool(false) } else { None }
}

fn of_short_literal(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let word =
        cx.text(whole).filter(|word| word.len() <= cx.limit(Limit::RewriteAffixes))?.to_vec();
    let prefix = cx.is_op(term, Op::StrPrefixOf);
    let mut equations = Vec::new();
    for length in 0..=word.len() {
        let part: &[CodePoint] =
            if prefix { &word[..length] } else { &word[word.len() - length..] };
        let part = cx.literal(part)?;
        equations.push(cx.eq(affix, part)?);
    }
    cx.or(&equations)
}

fn piece(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let [base, from, count] = cx.three(affix, Op::StrSubstr)?;
    if base != whole {
        return None;
    }
    let (from, count) = (cx.linear(from), cx.linear(count));
    let holds = if cx.is_op(term, Op::StrPrefixOf) {
        from.as_number()?.is_zero()
    } else {
        let (end, length) = (from.plus(&count, &1.into()), cx.length(whole)?);
        cx.never_negative(&from) && cx.at_least(&end, &length)
    };
    if holds { cx.bool(true) } else { None }
}

fn of_piece(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let [base, from, count] = cx.three(whole, Op::StrSubstr)?;
    let (length, count) = (cx.length(affix)?, cx.linear(count));
    if !cx.number(from)?.is_zero() || !cx.at_least(&count, &length) {
        return None;
    }
    cx.op(Op::StrPrefixOf, &[affix, base])
}

fn letter(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    if cx.text(affix)?.len() != 1 {
        return None;
    }
    let op = super::fold::head(cx, term)?;
    let mut rest = cx.args(whole, Op::StrConcat)?.to_vec();
    let first = if op == Op::StrPrefixOf { rest.remove(0) } else { rest.pop()? };
    let rest = cx.concat(&rest)?;
    let nothing = cx.is_empty_string(first)?;
    let (here, there) = (cx.op(op, &[affix, first])?, cx.op(op, &[affix, rest])?);
    cx.ite(nothing, there, here)
}

fn of_letter(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[affix, whole] = args else { return None };
    let length = cx.length(whole)?;
    if !cx.at_least(&Linear::number(1), &length) {
        return None;
    }
    cx.op(Op::StrContains, &[whole, affix])
}

fn of_ite(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let op = super::fold::head(cx, term)?;
    for at in 0..2 {
        let Some([condition, yes, no]) = cx.three(args[at], Op::Ite) else { continue };
        if cx.text(yes).is_none() && cx.text(no).is_none() {
            continue;
        }
        let mut branch = |text: TermId| {
            let mut args = [args[0], args[1]];
            args[at] = text;
            cx.op(op, &args)
        };
        let (yes, no) = (branch(yes)?, branch(no)?);
        return cx.ite(condition, yes, no);
    }
    None
}
