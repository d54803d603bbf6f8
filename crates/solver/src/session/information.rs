//! Replies about the session and its last answer: `get-info`, statistics, `get-assignment`,
//! `simplify`.

use std::fmt::Write as _;
use std::sync::Arc;

use luthier_semantics::{Evaluator, Value};
use luthier_smtlib::print_symbol;
use luthier_terms::{PostOrder, Sort, SymbolId, Term, TermId, TermPool};

use super::values::{TextError, no_model, term_text, with_defaults};
use super::{QueryAnswer, Reply, Session};
use crate::UnknownReason;
use crate::rewrite::Rewriter;

impl Session {
    pub(super) fn info(&self, keyword: &str) -> Reply {
        let version = env!("CARGO_PKG_VERSION");
        let answer = self.last.as_ref().map(|last| &last.answer);
        let value = match (keyword, answer) {
            (":name", _) => "\"Luthier\"".to_owned(),
            (":version", _) => format!("\"{version}\""),
            (":authors", _) => "\"the authors of Luthier\"".to_owned(),
            (":error-behavior", _) if self.continues => "continued-execution".to_owned(),
            (":error-behavior", _) => "immediate-exit".to_owned(),
            (":assertion-stack-levels", _) => self.assertions.depth().to_string(),
            (":all-statistics", _) => return Reply::line(&self.statistics()),
            (":reason-unknown", Some(QueryAnswer::Unknown(reason))) => {
                format!("\"{}\"", reason.to_string().replace('"', "\"\""))
            }
            (":reason-unknown", _) => {
                return Reply::Error("the last answer is not unknown".to_owned());
            }
            _ => return Reply::Unsupported,
        };
        Reply::line(&format!("({keyword} {value})"))
    }

    /// Counts of the session and times of the last query, as attributes.
    fn statistics(&self) -> String {
        let asserted = self.assertions.items().len();
        let mut text = format!("(:queries {} :assertions {asserted}", self.queries);
        if let Some(last) = &self.last {
            let _ = write!(text, " :time {:.6}", last.time.as_secs_f64());
            let statistics = &last.statistics;
            let _ = write!(text, " :rule-applications {}", statistics.rule_applications);
            let _ = write!(text, " :assertions-left {}", statistics.assertions_left);
            for (engine, time) in &statistics.engines {
                let _ = write!(text, " :time-{engine} {:.6}", time.as_secs_f64());
            }
        }
        text + ")"
    }

    /// The truth values of all formulas that have a name.
    pub(super) fn assignment(&self) -> Result<Reply, UnknownReason> {
        let Some(model) = self.model() else { return Ok(no_model()) };
        let (pool, declared) = (Arc::clone(&self.pool), self.declared.items().to_vec());
        let assertions = self.assertions.items().to_vec();
        self.render(move |budget| {
            let model = with_defaults(&pool, &model, &declared);
            let mut evaluator = Evaluator::with_limits(&pool, &model, budget.evaluation_limits());
            let named = assertions.iter().filter_map(|one| Some((one.name?, one.term)));
            let inside = named_formulas(&pool, assertions.iter().map(|one| one.term));
            let mut text = b"(".to_vec();
            for (number, (name, term)) in named.chain(inside).enumerate() {
                let evaluation = evaluator.evaluate(term);
                let Some(Value::Bool(value)) = evaluation.known() else {
                    return Err(TextError::Error("the value of a formula is undecided"));
                };
                text.extend_from_slice(if number == 0 { b"(" } else { b" (" });
                text.extend_from_slice(&print_symbol(pool.symbols().bytes_of(name)));
                text.extend_from_slice(format!(" {value})").as_bytes());
            }
            text.extend_from_slice(b")\n");
            Ok(text)
        })
    }

    /// An equal term in normal form: `(simplify t)`, as in Z3.
    pub(super) fn simplified(&self, term: TermId) -> Result<Reply, UnknownReason> {
        let pool = Arc::clone(&self.pool);
        self.render(move |budget| {
            let mut pool = TermPool::clone(&pool);
            let term = Rewriter::new(&mut pool, budget).rewrite(term);
            let mut text = term_text(&pool, term);
            text.push(b'\n');
            Ok(text)
        })
    }
}

/// The formulas below these terms that have a name.
fn named_formulas(pool: &TermPool, terms: impl Iterator<Item = TermId>) -> Vec<(SymbolId, TermId)> {
    let named = PostOrder::new(pool, terms).filter_map(|term| match pool.term(term) {
        Term::Named(name, inner) if pool.sort(inner) == Sort::Bool => Some((name, inner)),
        _ => None,
    });
    named.collect()
}
