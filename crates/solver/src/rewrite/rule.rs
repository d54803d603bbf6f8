//! Rewrite rules: a named equation of the theory with a function that applies it, and the table of
//! all rules.

use std::sync::LazyLock;

use luthier_terms::{Op, Term, TermId, TermPool};

use super::context::Context;
use super::{
    affixes, arithmetic, boolean, codes, concat, contains, equality, fold, indexof, length,
    matching, order, powers, regex, replace, replace_regex, string_equality, substr, word_equation,
};
use crate::{Budget, Cancel};

/// A rewrite rule: it replaces a term by another one with the same value under every model.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name, for statistics.
    pub name: &'static str,
    /// The equation, with its side condition.
    pub law: &'static str,
    /// The operators at the root of terms that it applies to.
    pub heads: &'static [Op],
    pub(super) apply: fn(&mut Context, TermId, &[TermId]) -> Option<TermId>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.law)
    }
}

impl Rule {
    /// The result of applying the rule at the root of a term, if it applies.
    pub fn apply(&self, pool: &mut TermPool, term: TermId) -> Option<TermId> {
        let Term::Op(op, arguments) = pool.term(term) else { return None };
        if !self.heads.contains(&op) {
            return None;
        }
        let arguments = arguments.to_vec();
        let budget = Budget::until_cancelled(Cancel::new());
        let mut cx = Context::new(pool, None, &budget);
        (self.apply)(&mut cx, term, &arguments).filter(|&result| result != term)
    }
}

/// All rules, in the order in which they are tried.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let groups: [&'static [Rule]; 19] = [
        fold::RULES,
        matching::RULES,
        // Before rules that split such words or their lengths.
        powers::RULES,
        boolean::RULES,
        arithmetic::RULES,
        equality::RULES,
        string_equality::RULES,
        word_equation::RULES,
        concat::RULES,
        length::RULES,
        substr::RULES,
        contains::RULES,
        indexof::RULES,
        replace::RULES,
        replace_regex::RULES,
        affixes::RULES,
        order::RULES,
        codes::RULES,
        regex::RULES,
    ];
    groups.into_iter().flatten().collect()
});

/// The numbers of the rules for each operator.
pub(super) static BY_HEAD: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let mut table = vec![Vec::new(); Op::TABLE.len()];
    for (number, rule) in RULES.iter().enumerate() {
        for &head in rule.heads {
            table[head as usize].push(number);
        }
    }
    table
});
