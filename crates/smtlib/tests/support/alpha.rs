//! Equality up to the names of bound variables.

use luthier_smtlib::{CommandKind, Script};
use luthier_terms::{FunctionId, Term, TermId, TermPool};

/// Whether two terms are the same but for the names of bound variables. `bound` pairs the variables
/// in scope, inner ones last.
pub fn same_term(
    pool: &TermPool,
    left: TermId,
    right: TermId,
    bound: &mut Vec<(TermId, TermId)>,
) -> bool {
    if left == right && bound.iter().all(|(a, b)| a == b) {
        return true;
    }
    let all = |left: &[TermId], right: &[TermId], bound: &mut Vec<(TermId, TermId)>| {
        left.len() == right.len()
            && left.iter().zip(right).all(|(&left, &right)| same_term(pool, left, right, bound))
    };
    match (pool.term(left), pool.term(right)) {
        (Term::Op(a, xs), Term::Op(b, ys)) => {
            a == b && pool.sort(left) == pool.sort(right) && all(xs, ys, bound)
        }
        (Term::Apply(f, xs), Term::Apply(g, ys)) => same_head(pool, f, g) && all(xs, ys, bound),
        (Term::Variable(_), Term::Variable(_)) => {
            let pair = bound.iter().rev().find(|&&(a, b)| a == left || b == right);
            match pair {
                Some(&(a, b)) => a == left && b == right,
                None => left == right,
            }
        }
        (Term::Quantifier(a), Term::Quantifier(b)) => {
            let sorts = |variables: &[TermId]| -> Vec<_> {
                variables.iter().map(|&variable| pool.sort(variable)).collect()
            };
            if a.quantifier != b.quantifier || sorts(a.variables) != sorts(b.variables) {
                return false;
            }
            let before = bound.len();
            bound.extend(a.variables.iter().copied().zip(b.variables.iter().copied()));
            let patterns: Vec<_> = a.patterns().zip(b.patterns()).collect();
            let same = same_term(pool, a.body, b.body, bound)
                && a.patterns().count() == b.patterns().count()
                && patterns.iter().all(|(xs, ys)| all(xs, ys, bound));
            bound.truncate(before);
            same
        }
        (Term::Named(a, x), Term::Named(b, y)) => a == b && same_term(pool, x, y, bound),
        _ => left == right,
    }
}

fn same_head(pool: &TermPool, left: FunctionId, right: FunctionId) -> bool {
    let (f, g) = (pool.function(left), pool.function(right));
    (f.name, &f.parameters, f.result) == (g.name, &g.parameters, g.result)
        && f.definition.is_some() == g.definition.is_some()
}

fn same_function(pool: &TermPool, left: FunctionId, right: FunctionId) -> bool {
    if left == right {
        return true;
    }
    let (f, g) = (pool.function(left), pool.function(right));
    let (Some(a), Some(b)) = (&f.definition, &g.definition) else { return false };
    let (Some(x), Some(y)) = (a.body(), b.body()) else { return false };
    let mut bound = a.variables().iter().copied().zip(b.variables().iter().copied()).collect();
    same_head(pool, left, right)
        && a.is_recursive() == b.is_recursive()
        && same_term(pool, x, y, &mut bound)
}

/// Whether two scripts are the same but for the names of bound variables and what
/// `:smt-lib-version` says.
pub fn same_script(pool: &TermPool, left: &Script, right: &Script) -> bool {
    let commands = |script: &Script| -> Vec<CommandKind> {
        let kinds = script.commands.iter().map(|command| command.kind.clone());
        kinds
            .filter(|kind| match kind {
                CommandKind::SetInfo(info) => {
                    pool.symbols().bytes_of(info.keyword) != b":smt-lib-version"
                }
                _ => true,
            })
            .collect()
    };
    let terms = |xs: &[TermId], ys: &[TermId]| {
        xs.len() == ys.len()
            && xs.iter().zip(ys).all(|(&x, &y)| same_term(pool, x, y, &mut Vec::new()))
    };
    let (left, right) = (commands(left), commands(right));
    left.len() == right.len()
        && left.iter().zip(&right).all(|pair| match pair {
            (CommandKind::Assert(a), CommandKind::Assert(b)) => {
                a.name == b.name && terms(&[a.term], &[b.term])
            }
            (CommandKind::Simplify(x), CommandKind::Simplify(y)) => terms(&[*x], &[*y]),
            (CommandKind::GetValue(xs), CommandKind::GetValue(ys))
            | (CommandKind::CheckSatAssuming(xs), CommandKind::CheckSatAssuming(ys)) => {
                terms(xs, ys)
            }
            (
                CommandKind::Define { function: f, constant: a },
                CommandKind::Define { function: g, constant: b },
            ) => a == b && same_function(pool, *f, *g),
            (CommandKind::DefineRecursive(fs), CommandKind::DefineRecursive(gs)) => {
                fs.len() == gs.len() && fs.iter().zip(gs).all(|(&f, &g)| same_function(pool, f, g))
            }
            (a, b) => a == b,
        })
}
