//! The definition of `str.in_re`: an accepting run of an automaton over the letters of the word.
//!
//! The automaton of the language (of its complement, if the membership is assigned false) is
//! unrolled over the letters. Over a single periodic block it is unrolled for three periods; longer
//! words are restricted to those whose state after one period is also the state after two, and
//! hence after any number. Otherwise the first letters are unrolled under the assumption that the
//! word has no more. A language that depends on constants gets a pointwise lemma.
//!
//! Sound: the restrictions are guarded by the domain or by the assumption on the length. Limits:
//! `flat.states`, `flat.unrolled`.

use luthier_terms::{CodePoint, TermId};

use super::define::{Progress, WrongValue};
use super::encode::{DefinitionPart, Encoder};
use super::word::Word;
use crate::arithmetic::Id;
use crate::automata::{Dfa, Regexes};
use crate::{Limit, UnknownReason};

/// The number of letters that are unrolled, by rung, if the word is not a single block.
const LETTERS: [usize; 5] = [8, 20, 50, 120, 250];

/// The letters over which an automaton runs.
struct Run {
    letters: Vec<Id>,
    /// The length of the word.
    length: Id,
    /// The assumptions under which these are the letters of the word.
    guards: Vec<Id>,
    /// The period of the word, if its block repeats.
    period: Option<usize>,
}

impl Encoder {
    /// Asserts the definition of `str.in_re` for the assigned truth value.
    pub(super) fn membership(
        &mut self,
        wrong: &WrongValue<'_>,
        children: &[TermId],
        assigned: bool,
    ) -> Result<Progress, UnknownReason> {
        let term = wrong.term;
        let part = if assigned { DefinitionPart::Positive } else { DefinitionPart::Negative };
        if self.deferred.get(&term).is_none_or(|deferred| deferred.asserted.contains(&part)) {
            return Ok(Progress::Nothing);
        }
        let mut regexes = Regexes::new();
        let Some(mut regex) = regexes.of_term(&self.pool, children[1]) else {
            // A language that depends on constants is known only for their values under the
            // candidate.
            return self.pointwise(wrong);
        };
        if !assigned {
            regex = regexes.complement(regex);
        }
        let budget = &self.words.budget;
        let states = budget.limit(Limit::FlatStates);
        let Some(automaton) = Dfa::within(&mut regexes, regex, states, budget)? else {
            budget.limits().hit(Limit::FlatStates);
            return Err(UnknownReason::Incomplete(format!(
                "an automaton has more than {states} states"
            )));
        };
        self.assert_once(term, part, |this, value| {
            let condition = if assigned { value } else { this.words.arena.not(value) };
            if automaton.is_empty() {
                let never = this.words.arena.not(condition);
                return this.words.fact(never);
            }
            let word = this.word(children[0]);
            let run = this.run_over(term, &word);
            this.accepts(condition, &automaton, &run);
        })
    }

    /// The letters to unroll: those of the block if the word is a single block, otherwise some at
    /// its start.
    fn run_over(&mut self, term: TermId, word: &Word) -> Run {
        let length = word.length();
        let zero = self.words.arena.int(0);
        if let [(_, slice)] = *word.placed()
            && slice.start == zero
            && let base = &self.words.bases[slice.base]
            && base.length == slice.length
            && let [block] = &base.blocks[..]
        {
            let period = block.letters.len();
            let periods = if block.repeats { 3 } else { 1 };
            let letters = block.letters.iter().copied().cycle().take(periods * period).collect();
            let guards = base.domain.into_iter().collect();
            return Run { letters, length, guards, period: block.repeats.then_some(period) };
        }
        let rung = self.rung(term).min(LETTERS.len() - 1);
        let guard = self.assumption(term);
        let count = LETTERS[rung].min(self.words.budget.limit(Limit::FlatUnrolled));
        let most = self.words.arena.int(count);
        let short = self.words.arena.le(length, most);
        self.words.fact_if(&[guard], short);
        let letters = (0..count)
            .map(|position| {
                let position = self.words.arena.int(position);
                self.words.letter_at(word, position)
            })
            .collect();
        Run { letters, length, guards: vec![guard], period: None }
    }

    fn accepts(&mut self, condition: Id, automaton: &Dfa, run: &Run) {
        let mut guards = run.guards.clone();
        guards.push(condition);
        let yes = self.words.arena.bool(true);
        // For each number of letters, and each state that is reachable then, a constant that the
        // run is in it.
        let mut states: Vec<Vec<Option<Id>>> = Vec::with_capacity(run.letters.len() + 1);
        let mut now = vec![None; automaton.states()];
        now[0] = Some(yes);
        for (position, &letter) in run.letters.iter().enumerate() {
            let number = self.words.arena.int(position);
            let inside = self.words.arena.gt(run.length, number);
            if self.words.is_out_of_budget() {
                return;
            }
            let mut next: Vec<Option<Id>> = vec![None; automaton.states()];
            for (state, here) in now.iter().enumerate() {
                let Some(here) = *here else { continue };
                let mut possible = Vec::new();
                for one in &automaton.transitions[state] {
                    let fits = self.in_interval(letter, one.low, one.high);
                    possible.push(fits);
                    let there =
                        *next[one.to].get_or_insert_with(|| self.words.arena.fresh_bool("q"));
                    self.words.fact_if(&[here, inside, fits], there);
                }
                let any = self.words.arena.or(&possible);
                let mut all = guards.clone();
                all.extend([here, inside]);
                self.words.fact_if(&all, any);
            }
            states.push(std::mem::replace(&mut now, next));
        }
        states.push(now);
        self.ends_accepting(&guards, automaton, run, &states);
    }

    /// Asserts that the state at the end of the word accepts.
    fn ends_accepting(
        &mut self,
        guards: &[Id],
        automaton: &Dfa,
        run: &Run,
        states: &[Vec<Option<Id>>],
    ) {
        for (position, here) in states.iter().enumerate() {
            let number = self.words.arena.int(position);
            let at_end = self.words.arena.eq(run.length, number);
            self.not_rejecting(guards, &[at_end], automaton, here);
        }
        let Some(period) = run.period else { return };
        // A longer word: the state after one period equals that after two, hence after any number
        // of periods, and the rest is read as in the second one.
        let last = self.words.arena.int(run.letters.len());
        let long = self.words.arena.gt(run.length, last);
        for (once, twice) in states[period].iter().zip(&states[2 * period]) {
            let Some(once) = *once else { continue };
            let no = self.words.arena.bool(false);
            let mut all = guards.to_vec();
            all.extend([long, once]);
            self.words.fact_if(&all, twice.unwrap_or(no));
        }
        let rest = self.words.arena.modulo(run.length, period);
        for offset in 0..period {
            let number = self.words.arena.int(offset);
            let ends_here = self.words.arena.eq(rest, number);
            self.not_rejecting(guards, &[long, ends_here], automaton, &states[period + offset]);
        }
    }

    /// Asserts that under the conditions the run is in no rejecting state.
    fn not_rejecting(&mut self, guards: &[Id], when: &[Id], automaton: &Dfa, here: &[Option<Id>]) {
        let no = self.words.arena.bool(false);
        for (state, here) in here.iter().enumerate() {
            let Some(here) = *here else { continue };
            if !automaton.accepting[state] {
                let mut all = guards.to_vec();
                all.extend_from_slice(when);
                all.push(here);
                self.words.fact_if(&all, no);
            }
        }
    }

    fn in_interval(&mut self, letter: Id, low: u32, high: u32) -> Id {
        let letters = self.words.letters;
        let arena = &mut self.words.arena;
        let bound = |arena: &mut _, code| {
            letters.constant(arena, CodePoint::new(code).unwrap_or(CodePoint::MAX))
        };
        if low == high {
            let only = bound(arena, low);
            return arena.eq(letter, only);
        }
        let least = bound(arena, low);
        let above = if low == 0 { arena.bool(true) } else { arena.ge(letter, least) };
        let greatest = bound(arena, high);
        let whole = high == CodePoint::MAX.code();
        let below = if whole { arena.bool(true) } else { arena.le(letter, greatest) };
        arena.and(&[above, below])
    }
}
