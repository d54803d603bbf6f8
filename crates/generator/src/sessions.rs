//! Sessions: scripts of three to ten queries over one assertion stack, from a formula with a planted answer.
//!
//! The assertions of the formula are asserted, guarded by Boolean constants, pushed and popped in a random
//! order, and queried with `check-sat` and `check-sat-assuming`. The planted answer covers every query:
//!
//! * A witness of all assertions is one of every subset, also with assumptions that are true under it.
//! * A query whose assertions include a planted core is unsatisfiable. If that core is the only minimal
//!   one, a query that lacks a part of it, without further assumptions, is satisfiable: an unsatisfiable
//!   set has a minimal unsatisfiable subset, and there is no other.
//! * An assertion guarded by a constant, `(=> b F)`, counts if and only if `b` is assumed: otherwise
//!   `b` can be false.
//!
//! Every other query is open; a hunt still compares it with the others, because adding assertions
//! never turns `unsat` into `sat`. The answer to each query is an annotation before it, so that the text
//! of a session has its whole ground truth. The referee accepts every witness here before it is written.
//! Limits: formulas without scopes and definitions; a formula for which no session is found has none.

mod stack;

use luthier_semantics::{Evaluator, Limits, Model, Value};
use luthier_smtlib::annotations::{self, Annotation};
use luthier_smtlib::{
    Assertion, AttributeValue, Command, CommandKind, Dialect, PrintOptions, Script, SimpleCommand,
    print_script,
};
use luthier_terms::{Op, PostOrder, Sort, Term, TermId, TermPool};

use crate::variants::{read, values_of, witness_of_text};
use crate::{Dice, Expected, Formula};
use stack::{Guard, Stack};

/// The steps of the referee for one witness.
const CHECK_STEPS: u64 = 500_000;
/// Boolean subterms that serve as assumptions.
const MOST_ATOMS: usize = 6;
/// Steps of a session; most are no queries.
const STEPS: usize = 60;

/// A session over the assertions of a formula; the text has several queries, each with its answer.
/// `None` if the formula has scopes, definitions or nothing to ask about.
pub fn session(formula: &Formula, mut dice: Dice) -> Option<Formula> {
    let mut pool = TermPool::new();
    let script = read(&mut pool, &formula.text)?;
    let base = Base::of(&mut pool, &script, formula)?;
    let commands = Builder::new(&mut pool, &base, &mut dice).commands()?;
    let printed =
        print_script(&pool, &Script { commands }, &PrintOptions::new(Dialect::Smt26)).ok()?;
    Some(Formula {
        name: format!("{}-session", formula.name),
        derivation: format!("a session over the assertions of: {}", formula.derivation),
        text: String::from_utf8(printed.bytes).ok()?,
        ..formula.clone()
    })
}

/// What a session is made of.
struct Base {
    header: Vec<Command>,
    declarations: Vec<Command>,
    assertions: Vec<TermId>,
    answer: Answer,
    /// Closed Boolean subterms.
    atoms: Vec<TermId>,
}

/// What is planted for all assertions together.
enum Answer {
    Witness(Model),
    /// The places of the only minimal core among the assertions.
    Core(Vec<usize>),
    /// All assertions together are unsatisfiable; nothing is known of a part.
    Unsat,
    Open,
}

impl Base {
    fn of(pool: &mut TermPool, script: &Script, formula: &Formula) -> Option<Self> {
        let (mut header, mut declarations, mut assertions) = (Vec::new(), Vec::new(), Vec::new());
        for command in &script.commands {
            match &command.kind {
                CommandKind::SetLogic(_) => header.push(command.clone()),
                // An annotation about spelling would have to hold for every query; it is rare.
                CommandKind::SetInfo(attribute) => match Annotation::of(pool, attribute) {
                    Some(Annotation::Expected | Annotation::Core | Annotation::Witness) | None => {}
                    Some(_) => return None,
                },
                CommandKind::Declare { .. } => declarations.push(command.clone()),
                CommandKind::Assert(assertion) => assertions.push(*assertion),
                CommandKind::CheckSat => {}
                _ => return None,
            }
        }
        if declarations.is_empty() || assertions.is_empty() {
            return None;
        }
        let answer = match &formula.expected {
            Expected::Sat(values) => {
                let values = values.iter().map(|(name, sort, value)| (&**name, *sort, &**value));
                let text = annotations::witness_text(values);
                Answer::Witness(witness_of_text(pool, script, text.as_bytes())?)
            }
            Expected::Unsat(names) if names.is_empty() => Answer::Unsat,
            Expected::Unsat(names) => {
                let name = |one: &Assertion| one.name.map(|name| pool.symbols().display(name));
                let place = |wanted: &String| {
                    assertions.iter().position(|one| name(one).as_deref() == Some(wanted))
                };
                Answer::Core(names.iter().map(place).collect::<Option<_>>()?)
            }
            Expected::Open => Answer::Open,
        };
        let assertions: Vec<TermId> = assertions.iter().map(|one| one.term).collect();
        let atoms = atoms(pool, &assertions)?;
        Some(Self { header, declarations, assertions, answer, atoms })
    }
}

/// Closed Boolean subterms other than the assertions themselves. `None` if there are named subterms, which
/// must not occur twice.
fn atoms(pool: &TermPool, roots: &[TermId]) -> Option<Vec<TermId>> {
    let mut open: std::collections::BTreeSet<TermId> = std::collections::BTreeSet::new();
    let mut atoms = Vec::new();
    for term in PostOrder::new(pool, roots.iter().copied()) {
        match pool.term(term) {
            Term::Named(..) => return None,
            Term::Variable(_) | Term::Quantifier(_) => {
                open.insert(term);
                continue;
            }
            _ if pool.children(term).iter().any(|child| open.contains(child)) => {
                open.insert(term);
                continue;
            }
            Term::Op(Op::Not, _) => continue,
            _ => {}
        }
        let is_atom = pool.sort(term) == Sort::Bool && !pool.children(term).is_empty();
        if is_atom && !roots.contains(&term) && atoms.len() < MOST_ATOMS {
            atoms.push(term);
        }
    }
    Some(atoms)
}

/// An assumption, and what it is under the witness.
#[derive(Clone, Copy)]
struct Assumption {
    term: TermId,
    /// `None` if there is no witness, or the referee does not decide it.
    holds: Option<bool>,
    /// The guard that it assumes, and whether to be true.
    guard: Option<(usize, bool)>,
}

/// Writes the commands of one session.
struct Builder<'a> {
    pool: &'a mut TermPool,
    base: &'a Base,
    dice: &'a mut Dice,
    /// Names for cores, and requests for them.
    cores: bool,
    /// Assumptions are also atoms, not only Boolean constants.
    atoms: bool,
    names: usize,
    commands: Vec<Command>,
    queries: usize,
}

impl<'a> Builder<'a> {
    fn new(pool: &'a mut TermPool, base: &'a Base, dice: &'a mut Dice) -> Self {
        let is_unsat = matches!(base.answer, Answer::Core(_) | Answer::Unsat);
        let cores = is_unsat && dice.percent(50);
        let atoms = !base.atoms.is_empty() && dice.percent(60);
        let commands = base.header.clone();
        Self { pool, base, dice, cores, atoms, names: 0, commands, queries: 0 }
    }

    fn commands(mut self) -> Option<Vec<Command>> {
        if self.cores {
            let keyword = self.pool.symbols_mut().intern(b":produce-unsat-assumptions").ok()?;
            let value = AttributeValue::Other(b"true".to_vec());
            let option = luthier_smtlib::Attribute { keyword, value };
            self.commands.insert(0, command(CommandKind::SetOption(option)));
        }
        self.commands.extend(self.base.declarations.iter().cloned());
        let mut stack = Stack::new(self.base.assertions.len());
        let wanted = 3 + self.dice.below(6);
        for _ in 0..STEPS {
            if self.queries == wanted {
                break;
            }
            match self.dice.below(10) {
                0 | 1 if stack.depth() < 3 => {
                    stack.push();
                    self.add(CommandKind::Push(1));
                }
                2 if stack.depth() > 0 => {
                    let count = 1 + self.dice.below(stack.depth());
                    stack.pop(count);
                    self.add(CommandKind::Pop(u32::try_from(count).ok()?));
                }
                0..=5 => self.assert_one(&mut stack)?,
                _ if stack.is_empty() => self.assert_one(&mut stack)?,
                _ => self.query(&stack)?,
            }
        }
        (self.queries >= 3).then_some(self.commands)
    }

    fn add(&mut self, kind: CommandKind) {
        self.commands.push(command(kind));
    }

    /// Asserts one of the assertions that are not on the stack, sometimes under a guard.
    fn assert_one(&mut self, stack: &mut Stack) -> Option<()> {
        let missing = stack.missing();
        if missing.is_empty() {
            return Some(());
        }
        let place = self.dice.pick(&missing);
        let mut term = self.base.assertions[place];
        let mut guard = None;
        if self.dice.percent(30) {
            let name = format!("luthier_guard_{}", stack.guards().len());
            let name = self.pool.symbols_mut().intern(name.as_bytes()).ok()?;
            let function = self.pool.declare(name, Vec::new(), Sort::Bool).ok()?;
            // Declared where it is first used; a `pop` takes it back, and its number is not used again.
            self.add(CommandKind::Declare { function, constant: true });
            let constant = self.pool.apply(function, &[]).ok()?;
            term = self.pool.op(Op::Implies, &[constant, term]).ok()?;
            guard = Some(Guard { function, constant });
        }
        let name = if self.cores {
            let name = format!("luthier_name_{}", self.names);
            self.names += 1;
            Some(self.pool.symbols_mut().intern(name.as_bytes()).ok()?)
        } else {
            None
        };
        stack.assert(place, guard);
        self.add(CommandKind::Assert(Assertion { term, name, uses_let: false }));
        Some(())
    }

    /// A query with its answer before it and requests after it.
    fn query(&mut self, stack: &Stack) -> Option<()> {
        let assumptions = self.assumptions(stack);
        let known = self.answer(stack, &assumptions)?;
        if let Some((verdict, witness)) = &known {
            let value = AttributeValue::Other(verdict.as_bytes().to_vec());
            let annotation = Annotation::Expected.command(self.pool, value).ok()?;
            self.add(annotation);
            if let Some(model) = witness {
                let declared = Script { commands: self.commands.clone() }.declared(self.pool);
                let values = values_of(self.pool, &declared, model)?;
                // A witness without a value for a function would be incomplete.
                (values.len() == declared.len()).then_some(())?;
                let values = values.iter().map(|(name, sort, value)| (&**name, *sort, &**value));
                let text = annotations::witness_text(values);
                let value = AttributeValue::String(text.into());
                let annotation = Annotation::Witness.command(self.pool, value).ok()?;
                self.add(annotation);
            }
        }
        let has_assumptions = !assumptions.is_empty();
        self.add(match has_assumptions {
            true => CommandKind::CheckSatAssuming(assumptions.iter().map(|one| one.term).collect()),
            false => CommandKind::CheckSat,
        });
        self.queries += 1;
        match known.as_ref().map(|(verdict, _)| *verdict) {
            Some("sat") => {
                if self.dice.percent(60) {
                    self.add(CommandKind::Simple(SimpleCommand::GetModel));
                }
                let constants = Script { commands: self.commands.clone() }.declared(self.pool);
                let mut terms = Vec::new();
                for function in constants {
                    terms.push(self.pool.apply(function, &[]).ok()?);
                }
                terms.extend(self.base.atoms.iter().take(3));
                self.add(CommandKind::GetValue(terms));
            }
            Some("unsat") if self.cores && !has_assumptions => {
                self.add(CommandKind::Simple(SimpleCommand::GetUnsatCore));
            }
            Some("unsat") if self.cores && assumptions.iter().all(|one| one.guard.is_some()) => {
                self.add(CommandKind::Simple(SimpleCommand::GetUnsatAssumptions));
            }
            _ => {}
        }
        Some(())
    }

    /// Some guards on the stack, mostly assumed to be true, and some atoms.
    fn assumptions(&mut self, stack: &Stack) -> Vec<Assumption> {
        let mut assumptions = Vec::new();
        for (place, guard) in stack.guarded() {
            if self.dice.percent(30) {
                continue;
            }
            let positive = self.dice.percent(85);
            let constant = guard.constant;
            let Some(term) = (match positive {
                true => Some(constant),
                false => self.pool.op(Op::Not, &[constant]).ok(),
            }) else {
                continue;
            };
            assumptions.push(Assumption {
                term,
                holds: Some(true),
                guard: Some((place, positive)),
            });
        }
        if self.atoms && self.dice.percent(50) {
            for _ in 0..=self.dice.below(2) {
                let atom = self.dice.pick(&self.base.atoms);
                let value = self.value_under_witness(atom);
                // Mostly as the witness has it.
                let positive = match value {
                    Some(value) if self.dice.percent(80) => value,
                    _ => self.dice.percent(50),
                };
                let term = match positive {
                    true => Some(atom),
                    false => self.pool.op(Op::Not, &[atom]).ok(),
                };
                let holds = value.map(|value| value == positive);
                if let Some(term) = term
                    && !assumptions.iter().any(|one: &Assumption| one.term == term)
                {
                    assumptions.push(Assumption { term, holds, guard: None });
                }
            }
        }
        assumptions
    }

    fn value_under_witness(&self, term: TermId) -> Option<bool> {
        let Answer::Witness(model) = &self.base.answer else { return None };
        evaluator(self.pool, model).evaluate(term).as_bool()
    }

    /// The answer to a query, with a witness where there is one. The outer `None`: a witness that the
    /// referee does not accept, so that there is no session.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn answer(
        &self,
        stack: &Stack,
        assumptions: &[Assumption],
    ) -> Option<Option<(&'static str, Option<Model>)>> {
        let assumed =
            |wanted: usize| assumptions.iter().any(|one| one.guard == Some((wanted, true)));
        let counts =
            |place: usize| stack.is_plain(place) || stack.is_guarded(place) && assumed(place);
        let has_atoms = assumptions.iter().any(|one| one.guard.is_none());
        Some(match &self.base.answer {
            Answer::Witness(model) => {
                if !assumptions.iter().all(|one| one.holds == Some(true)) {
                    return Some(None);
                }
                let mut model = model.clone();
                for (place, guard) in stack.guarded() {
                    let refused = assumptions.iter().any(|one| one.guard == Some((place, false)));
                    model.insert_value(guard.function, Value::Bool(!refused));
                }
                self.accepts(stack, assumptions, &model).then_some(())?;
                Some(("sat", Some(model)))
            }
            Answer::Core(core) if core.iter().all(|&place| counts(place)) => Some(("unsat", None)),
            Answer::Core(_) if !has_atoms => Some(("sat", None)),
            Answer::Unsat if (0..self.base.assertions.len()).all(counts) => Some(("unsat", None)),
            Answer::Core(_) | Answer::Unsat | Answer::Open => None,
        })
    }

    /// Whether the referee evaluates every assertion on the stack and every assumption to true.
    fn accepts(&self, stack: &Stack, assumptions: &[Assumption], model: &Model) -> bool {
        let mut evaluator = evaluator(self.pool, model);
        let asserted = (0..self.base.assertions.len())
            .filter(|&place| stack.is_plain(place) || stack.is_guarded(place));
        // A guarded assertion is true under the witness, so that its implication is.
        let mut terms = asserted.map(|place| self.base.assertions[place]);
        terms.all(|term| evaluator.evaluate(term).is_true())
            && assumptions.iter().all(|one| evaluator.evaluate(one.term).is_true())
    }
}

fn evaluator<'p>(pool: &'p TermPool, model: &'p Model) -> Evaluator<'p> {
    Evaluator::with_limits(pool, model, Limits { steps: CHECK_STEPS, ..Limits::default() })
}

fn command(kind: CommandKind) -> Command {
    Command { kind, span: Default::default() }
}

#[cfg(test)]
mod tests {
    use luthier_smtlib::CommandKind;
    use luthier_terms::{FunctionId, TermPool};

    use super::session;
    use crate::stream::{Settings, Source};
    use crate::variants::read;
    use crate::{Dice, Stream};

    fn sessions(source: Source, count: usize) -> Vec<String> {
        let settings = Settings { variants: 0, ..Settings::new(3, vec![source]) };
        let cases = Stream::new(settings).take(count);
        let sessions =
            cases.filter_map(|case| session(&case.formulas[0], Dice::new(1, case.number)));
        sessions.map(|session| session.text).collect()
    }

    #[test]
    fn sessions_have_three_to_ten_queries_and_all_kinds_of_requests() {
        let mut all = String::new();
        for source in [Source::Planted, Source::Laws, Source::Bounded] {
            for text in sessions(source, 40) {
                let script = read(&mut TermPool::new(), &text).unwrap();
                let queries = script.queries().count();
                assert!((3..=10).contains(&queries), "{text}");
                all.push_str(&text);
            }
        }
        for wanted in [
            "(push 1)",
            "(pop 1)",
            "(check-sat-assuming (",
            "(get-model)",
            "(get-value (",
            "(get-unsat-core)",
            "(get-unsat-assumptions)",
            ":luthier-expected unsat",
            ":luthier-witness",
        ] {
            assert!(all.contains(wanted), "{wanted}");
        }
    }

    #[test]
    fn the_same_formula_and_dice_give_the_same_session() {
        assert_eq!(sessions(Source::Tangled, 10), sessions(Source::Tangled, 10));
    }

    #[test]
    fn no_guard_is_declared_twice_in_one_scope() {
        for text in sessions(Source::Laws, 60) {
            let mut pool = TermPool::new();
            let script = read(&mut pool, &text).unwrap();
            let mut levels: Vec<Vec<FunctionId>> = vec![Vec::new()];
            for command in &script.commands {
                match &command.kind {
                    CommandKind::Declare { function, .. } => {
                        assert!(!levels.iter().flatten().any(|one| one == function), "{text}");
                        levels.last_mut().unwrap().push(*function);
                    }
                    CommandKind::Push(_) => levels.push(Vec::new()),
                    CommandKind::Pop(count) => {
                        levels.truncate(levels.len() - *count as usize);
                    }
                    _ => {}
                }
            }
        }
    }
}
