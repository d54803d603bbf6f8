//! The report of `agree`, as Markdown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use luthier_smtlib::{Dialect, PrintOptions, print_term};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool, dag_size};

use super::ask::Reply;
use super::facts::Facts;
use super::reduce::Reduced;

/// The replies of a solver to all facts.
pub struct Results {
    /// In the order of the facts.
    pub replies: Vec<Reply>,
    pub cpu: Duration,
}

/// The growing report.
pub struct Report {
    head: String,
    rows: Vec<String>,
    details: String,
    differences: usize,
    /// For each fact whether a solver agrees.
    confirmed: Vec<bool>,
}

/// Facts without an answer that have the same cause.
struct Cause {
    count: usize,
    /// The size of the smallest term, and the term.
    example: (usize, TermId),
}

impl Report {
    pub fn new(command: &str, facts: &Facts) -> Self {
        let mut head = format!("Made by `{command}`.\n\n");
        head += &format!(
            "{} distinct ground terms with a value ({} more had been made before). ",
            facts.all.len(),
            facts.repeated
        );
        head += &variety(facts);
        if !facts.undecided.is_empty() {
            head += "\n\nWithout a value to the referee, and so not asked:\n";
        }
        for (reason, (count, term)) in &facts.undecided {
            head += &format!("\n* {reason}: {count}, such as `{}`", shown(&facts.pool, *term));
        }
        let confirmed = vec![false; facts.all.len()];
        Self { head, rows: Vec::new(), details: String::new(), differences: 0, confirmed }
    }

    /// Adds the replies of one solver.
    pub fn add(&mut self, facts: &Facts, name: &str, results: &Results, reduced: &[Reduced]) {
        let replies = &results.replies;
        let count = |wanted: &Reply| replies.iter().filter(|reply| *reply == wanted).count();
        let (agrees, differs) = (count(&Reply::Agrees), count(&Reply::Differs));
        let open = replies.len() - agrees - differs;
        self.differences += differs;
        for (confirmed, reply) in self.confirmed.iter_mut().zip(replies) {
            *confirmed |= *reply == Reply::Agrees;
        }
        self.rows.push(format!(
            "| {name} | {agrees} | {differs} | {open} | {:.0} |",
            results.cpu.as_secs_f64()
        ));
        self.details += &format!("\n## {name}\n");
        for one in reduced {
            let (original, left) = (shown(&facts.pool, one.original), one.fact);
            let (term, value) = (shown(&facts.pool, left.term), shown(&facts.pool, left.value));
            self.details += &format!("\n* DIFFERS: `{term}` is `{value}`, found in `{original}`");
        }
        if differs > 0 {
            self.details.push('\n');
        }
        let causes = causes(facts, replies);
        if causes.is_empty() {
            return;
        }
        self.details += "\n| no answer | message | characteristic part | terms | example |\n";
        self.details += "|---|---|---|---:|---|\n";
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|((class, ..), cause)| (*class, usize::MAX - cause.count));
        for ((class, message, part), Cause { count, example: (_, term) }) in causes {
            let example = shown(&facts.pool, term).replace('|', "\\|");
            let message = message.replace('|', "\\|");
            let row = format!("| {class} | {message} | {part} | {count} | `{example}` |");
            writeln!(self.details, "{row}").expect("writing to a string cannot fail");
        }
    }

    pub fn finish(&self) -> String {
        let confirmed = self.confirmed.iter().filter(|confirmed| **confirmed).count();
        [
            &self.head,
            "\n\n| release | agrees | differs | no answer | CPU s |\n|---|---:|---:|---:|---:|\n",
            &self.rows.join("\n"),
            &format!("\n\nAt least one release agrees on {confirmed} terms.\n"),
            self.details.trim_end(),
        ]
        .concat()
    }

    pub fn found_differences(&self) -> bool {
        self.differences > 0
    }
}

/// How much the terms and their values vary.
fn variety(facts: &Facts) -> String {
    let mut values: BTreeMap<Sort, BTreeMap<TermId, usize>> = BTreeMap::new();
    for fact in &facts.all {
        let sort = facts.pool.sort(fact.term);
        *values.entry(sort).or_default().entry(fact.value).or_default() += 1;
    }
    let size: usize = facts.all.iter().map(|fact| dag_size(&facts.pool, fact.term)).sum();
    let mut text = format!("A term has {:.1} parts.", size as f64 / facts.all.len().max(1) as f64);
    for (sort, values) in values {
        let total: usize = values.values().sum();
        let usual = values.iter().max_by_key(|(term, count)| (**count, usize::MAX - term.index()));
        let Some((value, count)) = usual else { continue };
        text += &format!(
            " {sort}: {total} terms, {} values, the most usual `{}` ({:.0} %).",
            values.len(),
            shown(&facts.pool, *value),
            *count as f64 * 100.0 / total as f64
        );
    }
    text
}

/// Facts without an answer by class, message and characteristic part: among the parts of a term the
/// one that is most frequent with this class and message.
fn causes(
    facts: &Facts,
    replies: &[Reply],
) -> BTreeMap<(&'static str, String, &'static str), Cause> {
    let parts: Vec<BTreeSet<&'static str>> =
        facts.all.iter().map(|fact| characteristic_parts(&facts.pool, fact.term)).collect();
    let mut all: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut with: BTreeMap<(&Reply, &'static str), usize> = BTreeMap::new();
    for (parts, reply) in parts.iter().zip(replies) {
        for &part in parts {
            *all.entry(part).or_default() += 1;
            *with.entry((reply, part)).or_default() += 1;
        }
    }
    let share = |reply, part| {
        let count = |found: Option<&usize>| found.copied().unwrap_or(0);
        count(with.get(&(reply, part))) * 1_000_000 / count(all.get(part)).max(1)
    };
    let mut causes = BTreeMap::new();
    for ((fact, reply), parts) in facts.all.iter().zip(replies).zip(&parts) {
        let Reply::Open { class, message } = reply else { continue };
        let part = parts.iter().copied().max_by_key(|part| share(reply, part)).unwrap_or("none");
        let size = dag_size(&facts.pool, fact.term);
        let cause = causes
            .entry((*class, message.clone(), part))
            .or_insert(Cause { count: 0, example: (size, fact.term) });
        cause.count += 1;
        cause.example = cause.example.min((size, fact.term));
    }
    causes
}

/// What occurs in a term that may give a solver trouble.
fn characteristic_parts(pool: &TermPool, term: TermId) -> BTreeSet<&'static str> {
    let mut parts = BTreeSet::new();
    for part in PostOrder::new(pool, [term]) {
        let Term::Op(op, children) = pool.term(part) else { continue };
        let of_languages = children.last().is_some_and(|&last| pool.sort(last) == Sort::RegLan);
        let is_literal = |child: &TermId| matches!(pool.term(*child), Term::String(_));
        let huge = |index: &TermId| {
            let index = pool.as_integer(*index).map(u32::try_from);
            index.is_some_and(|index| index.is_err())
        };
        parts.insert(match op {
            Op::Eq if of_languages => "= of languages",
            Op::Distinct if of_languages => "distinct of languages",
            Op::Ite if of_languages => "ite of languages",
            Op::StrToRe if !children.iter().all(is_literal) => "str.to_re of a computed string",
            Op::ReRange if !children.iter().all(is_literal) => "re.range of a computed string",
            Op::RePower | Op::ReLoop if children[..op.info().indices].iter().any(huge) => {
                "an index beyond 32 bits"
            }
            Op::Neg => "unary -",
            _ => op.name(),
        });
    }
    parts
}

fn shown(pool: &TermPool, term: TermId) -> String {
    match print_term(pool, term, &PrintOptions::new(Dialect::Smt27)) {
        Ok(printed) => String::from_utf8_lossy(&printed.bytes).into_owned(),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_without_an_answer_are_counted_by_the_part_that_tells_most() {
        let facts = Facts::make(3000, 1).unwrap();
        let refused = |term: TermId| {
            PostOrder::new(&facts.pool, [term])
                .any(|part| matches!(facts.pool.term(part), Term::Op(Op::StrIsDigit, _)))
        };
        let mut replies: Vec<Reply> = Vec::new();
        for fact in &facts.all {
            replies.push(match refused(fact.term) {
                true => Reply::Open { class: "unsupported", message: "no digits".to_owned() },
                false => Reply::Agrees,
            });
        }
        let count = replies.iter().filter(|reply| **reply != Reply::Agrees).count();
        let mut report = Report::new("cargo xtask agree", &facts);
        let results = Results { replies, cpu: Duration::from_secs(7) };
        report.add(&facts, "z3@1.0", &results, &[]);
        let text = report.finish();
        assert!(text.contains("Made by `cargo xtask agree`."), "{text}");
        assert!(text.contains(&format!("| z3@1.0 | {} | 0 | {count} | 7 |", 3000 - count)));
        let row = format!("| unsupported | no digits | str.is_digit | {count} | `");
        assert!(text.contains(&row), "{text}");
        let confirmed = format!("At least one release agrees on {} terms.", 3000 - count);
        assert!(text.contains(&confirmed), "{text}");
        assert!(!report.found_differences());
    }

    #[test]
    fn differences_are_shown_as_facts() {
        let facts = Facts::make(10, 1).unwrap();
        let first = facts.all[0];
        let mut replies = vec![Reply::Agrees; 10];
        replies[0] = Reply::Differs;
        let mut report = Report::new("command", &facts);
        let reduced = [Reduced { original: first.term, fact: first }];
        report.add(&facts, "a", &Results { replies, cpu: Duration::ZERO }, &reduced);
        let text = report.finish();
        let (term, value) = (shown(&facts.pool, first.term), shown(&facts.pool, first.value));
        assert!(text.contains(&format!("* DIFFERS: `{term}` is `{value}`")), "{text}");
        assert!(report.found_differences());
    }
}
