//! Rewrite rules for integers: sums become linear forms, comparisons become `>=` with coprime
//! coefficients.
//!
//! Atoms that arithmetic entailment decides become true or false.

use luthier_terms::{BigInt, Op, Sort, TermId};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::context::Context;
use super::linear::Linear;
use super::rule::Rule;
use crate::Limit;

pub(super) const RULES: &[Rule] = &[
    Rule {
        name: "linear-sum",
        law: "sums, differences, opposites and multiples are c₁·t₁ + … + cₙ·tₙ + c, by age of tᵢ",
        heads: &[Op::Add, Op::Sub, Op::Neg, Op::Mul],
        apply: linear_sum,
    },
    Rule {
        name: "product-order",
        law: "(c·s)·(d·t) = (c·d)·(s·t), factors by age",
        heads: &[Op::Mul],
        apply: product_order,
    },
    Rule {
        name: "absolute-value",
        law: "|m| = ite(m ≥ 0, m, -m)",
        heads: &[Op::Abs],
        apply: absolute_value,
    },
    Rule {
        name: "divisible",
        law: "n divides m = (m mod n = 0) for n > 0; 0 divides m = (m = 0)",
        heads: &[Op::Divisible],
        apply: divisible,
    },
    Rule {
        name: "division-chain",
        law: "div(a, b, c) = div(div(a, b), c)",
        heads: &[Op::Div],
        apply: division_chain,
    },
    Rule {
        name: "division-by-one",
        law: "m div 1 = m; m div -1 = -m; m mod ±1 = 0",
        heads: &[Op::Div, Op::Mod],
        apply: division_by_one,
    },
    Rule {
        name: "comparison",
        law: "a ≤ b = (b - a ≥ 0); a < b = (b - a ≥ 1); a > b = (a - b ≥ 1)",
        heads: &[Op::Le, Op::Lt, Op::Gt],
        apply: comparison,
    },
    Rule {
        name: "at-least-form",
        law: "a ≥ b is (¬) Σ cᵢ·tᵢ ≥ c with coprime cᵢ and c₁ > 0",
        heads: &[Op::Ge],
        apply: at_least_form,
    },
    Rule {
        name: "at-least-entailed",
        law: "f ≥ c is true when f - c is never negative, false when c - 1 - f is never negative",
        heads: &[Op::Ge],
        apply: at_least_entailed,
    },
    Rule {
        name: "at-least-tight",
        law: "t ≥ c is (t = c) when c - t is never negative, t ≠ c - 1 when t - c + 1 is never \
              negative",
        heads: &[Op::Ge],
        apply: at_least_tight,
    },
    Rule {
        name: "ite-compared",
        law: "ite(c, k, b) ≥ n = ite(c, k ≥ n, b ≥ n) for a numeral k",
        heads: &[Op::Ge],
        apply: ite_compared,
    },
    Rule {
        name: "equation-form",
        law: "a = b is Σ cᵢ·tᵢ = c with coprime cᵢ and c₁ > 0 (false if only their common divisor \
              does not divide c), or tᵢ = tⱼ",
        heads: &[Op::Eq],
        apply: equation_form,
    },
    Rule {
        name: "equation-entailed",
        law: "f = c is false when f - c - 1 or c - f - 1 is never negative",
        heads: &[Op::Eq],
        apply: equation_entailed,
    },
];

fn linear_sum(cx: &mut Context, term: TermId, _: &[TermId]) -> Option<TermId> {
    cx.linear(term).build(cx.pool)
}

fn product_order(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let mut number = BigInt::one();
    let mut factors = Vec::new();
    for &arg in args {
        let form = cx.linear(arg);
        match (form.terms.iter().next(), form.terms.len(), form.constant.is_zero()) {
            (Some((&inner, factor)), 1, true) => {
                if number.bits() + factor.bits() > cx.limit(Limit::SharedProductBits) as u64 {
                    return None;
                }
                number *= factor;
                match cx.args(inner, Op::Mul) {
                    Some(inner)
                        if factors.len() + inner.len() > cx.limit(Limit::RewriteProduct) =>
                    {
                        return None;
                    }
                    Some(inner) => factors.extend_from_slice(inner),
                    None => factors.push(inner),
                }
            }
            (None, ..)
                if number.bits() + form.constant.bits()
                    > cx.limit(Limit::SharedProductBits) as u64 =>
            {
                return None;
            }
            (None, ..) => number *= form.constant,
            _ => factors.push(arg),
        }
    }
    factors.sort_unstable();
    let product = match *factors {
        [] => return cx.int(number),
        [only] => only,
        _ => cx.op(Op::Mul, &factors)?,
    };
    Linear::default().plus(&Linear::atom(product), &number).build(cx.pool)
}

fn absolute_value(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let form = cx.linear(*args.first()?);
    let condition = cx.ge(&form, &Linear::default())?;
    let opposite = form.negated().build(cx.pool)?;
    cx.ite(condition, args[0], opposite)
}

fn divisible(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[divisor, number] = args else { return None };
    let zero = cx.int(0)?;
    if cx.number(divisor)?.is_zero() {
        return cx.eq(number, zero);
    }
    let remainder = cx.op(Op::Mod, &[number, divisor])?;
    cx.eq(remainder, zero)
}

fn division_chain(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let [first, second, rest @ ..] = args else { return None };
    if rest.is_empty() {
        return None;
    }
    let mut quotient = cx.op(Op::Div, &[*first, *second])?;
    for &divisor in rest {
        quotient = cx.op(Op::Div, &[quotient, divisor])?;
    }
    Some(quotient)
}

fn division_by_one(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[number, divisor] = args else { return None };
    let divisor = cx.number(divisor)?;
    if !divisor.abs().is_one() {
        return None;
    }
    if cx.is_op(term, Op::Mod) {
        return cx.int(0);
    }
    let form = cx.linear(number);
    Linear::default().plus(&form, &divisor).build(cx.pool)
}

fn comparison(cx: &mut Context, term: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let (left, right) = (cx.linear(left), cx.linear(right));
    let (difference, least) = match super::fold::head(cx, term)? {
        Op::Le => (right.minus(&left), 0),
        Op::Lt => (right.minus(&left), 1),
        Op::Gt => (left.minus(&right), 1),
        _ => return None,
    };
    cx.ge(&difference, &Linear::number(least))
}

/// `f >= 0` as a literal in normal form.
fn literal(cx: &mut Context, form: &Linear) -> Option<TermId> {
    if let Some(number) = form.as_number() {
        let holds = !number.is_negative();
        return cx.bool(holds);
    }
    let divisor = form.divisor();
    let mut left = Linear::default();
    for (&term, factor) in &form.terms {
        left.add_term(term, &(factor / &divisor));
    }
    let least = (-&form.constant).div_ceil(&divisor);
    if left.leads_negative() {
        let atom = cx.ge(&left.negated(), &Linear::number(1 - least))?;
        return cx.not(atom);
    }
    cx.ge(&left, &Linear::number(least))
}

fn at_least_form(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    let form = cx.linear(left).minus(&cx.linear(right));
    literal(cx, &form)
}

/// The form on the left and the number on the right of an atom in normal form.
fn sides(cx: &Context, args: &[TermId]) -> Option<(Linear, BigInt)> {
    let &[left, right] = args else { return None };
    Some((cx.linear(left), cx.number(right)?))
}

fn at_least_entailed(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (form, number) = sides(cx, args)?;
    if cx.never_negative(&form.shifted(-&number)) {
        return cx.bool(true);
    }
    if cx.never_negative(&form.negated().shifted(number - 1)) {
        return cx.bool(false);
    }
    None
}

fn at_least_tight(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let (form, number) = sides(cx, args)?;
    if form.terms.len() != 1 || cx.is_op(args[0], Op::Ite) {
        return None;
    }
    if cx.never_negative(&form.negated().shifted(number.clone())) {
        return cx.eq(args[0], args[1]);
    }
    if cx.never_negative(&form.shifted(1 - &number)) {
        let below = cx.int(number - 1)?;
        let equal = cx.eq(args[0], below)?;
        return cx.not(equal);
    }
    None
}

fn ite_compared(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    cx.number(right)?;
    let [condition, yes, no] = cx.three(left, Op::Ite)?;
    if cx.number(yes).is_none() && cx.number(no).is_none() {
        return None;
    }
    let (yes, no) = (cx.op(Op::Ge, &[yes, right])?, cx.op(Op::Ge, &[no, right])?);
    cx.ite(condition, yes, no)
}

fn equation_form(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if cx.sort(left) != Sort::Int {
        return None;
    }
    let form = cx.linear(left).minus(&cx.linear(right));
    if let Some(number) = form.as_number() {
        let holds = number.is_zero();
        return cx.bool(holds);
    }
    let mut divisor = form.divisor();
    if !form.constant.is_multiple_of(&divisor) {
        return cx.bool(false);
    }
    if form.leads_negative() {
        divisor = -divisor;
    }
    let mut left = Linear::default();
    for (&term, factor) in &form.terms {
        left.add_term(term, &(factor / &divisor));
    }
    let number = -form.constant / divisor;
    if number.is_zero()
        && let [(&one, first), (&other, second)] = *left.terms.iter().collect::<Vec<_>>()
        && first.is_one()
        && (-second).is_one()
    {
        return cx.eq(one, other);
    }
    let (left, right) = (left.build(cx.pool)?, cx.int(number)?);
    cx.eq(left, right)
}

fn equation_entailed(cx: &mut Context, _: TermId, args: &[TermId]) -> Option<TermId> {
    let &[left, right] = args else { return None };
    if cx.sort(left) != Sort::Int {
        return None;
    }
    let form = cx.linear(left).minus(&cx.linear(right));
    if cx.never_negative(&form.shifted(-1)) || cx.never_negative(&form.negated().shifted(-1)) {
        return cx.bool(false);
    }
    None
}
