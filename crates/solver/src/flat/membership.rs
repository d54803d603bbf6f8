//! Membership in a regular language: a run of an automaton over the letters of a word.

use luthier_terms::{CodePoint, TermId};

use super::define::{Said, Wrong};
use super::encode::{Encoder, Part};
use super::word::Word;
use crate::arithmetic::Id;
use crate::automata::{Dfa, Regexes};
use crate::{Limit, UnknownReason};

/// How many letters are looked at, by rung, if the word is not a single block.
const LETTERS: [usize; 5] = [8, 20, 50, 120, 250];

/// The letters over which an automaton runs.
struct Run {
    letters: Vec<Id>,
    /// The length of the word.
    length: Id,
    /// Assumed while the letters are those of the word.
    guards: Vec<Id>,
    /// The word goes on with the same letters again and again after each of this many.
    period: Option<usize>,
}

impl Encoder {
    /// `str.in_re` is true, or it is false.
    pub(super) fn membership(
        &mut self,
        wrong: &Wrong<'_>,
        children: &[TermId],
        claimed: bool,
    ) -> Result<Said, UnknownReason> {
        let term = wrong.term;
        let part = if claimed { Part::Positive } else { Part::Negative };
        if self.open.get(&term).is_none_or(|open| open.said.contains(&part)) {
            return Ok(Said::Nothing);
        }
        let mut regexes = Regexes::new();
        let Some(mut regex) = regexes.of_term(&self.pool, children[1]) else {
            // A language that depends on constants is known for their values only.
            return self.pointwise(wrong);
        };
        if !claimed {
            regex = regexes.complement(regex);
        }
        let budget = &self.reader.budget;
        let states = budget.limit(Limit::FlatStates);
        let Some(automaton) = Dfa::within(&mut regexes, regex, states, budget)? else {
            budget.limits().hit(Limit::FlatStates);
            return Err(UnknownReason::Incomplete(format!(
                "an automaton has more than {states} states"
            )));
        };
        self.once(term, part, |this, value| {
            let condition = if claimed { value } else { this.reader.arena.not(value) };
            if automaton.is_empty() {
                let never = this.reader.arena.not(condition);
                return this.reader.fact(never);
            }
            let word = this.word(children[0]);
            let run = this.run_over(term, &word);
            this.accepts(condition, &automaton, &run);
        })
    }

    /// The letters of a word: those of its block if it is one, otherwise some at its start.
    fn run_over(&mut self, term: TermId, word: &Word) -> Run {
        let length = word.length();
        let zero = self.reader.arena.int(0);
        if let [(_, slice)] = *word.placed()
            && slice.start == zero
            && let base = &self.reader.bases[slice.base]
            && base.length == slice.length
            && let [block] = &base.blocks[..]
        {
            let period = block.letters.len();
            let rounds = if block.repeats { 3 } else { 1 };
            let letters = block.letters.iter().copied().cycle().take(rounds * period).collect();
            let guards = base.domain.into_iter().collect();
            return Run { letters, length, guards, period: block.repeats.then_some(period) };
        }
        let rung = self.rung(term).min(LETTERS.len() - 1);
        let guard = self.assumption(term);
        let count = LETTERS[rung].min(self.reader.budget.limit(Limit::FlatUnrolled));
        let most = self.reader.arena.int(count);
        let short = self.reader.arena.le(length, most);
        self.reader.fact_if(&[guard], short);
        let letters = (0..count)
            .map(|place| {
                let place = self.reader.arena.int(place);
                self.reader.letter_at(word, place)
            })
            .collect();
        Run { letters, length, guards: vec![guard], period: None }
    }

    fn accepts(&mut self, condition: Id, automaton: &Dfa, run: &Run) {
        let mut guards = run.guards.clone();
        guards.push(condition);
        let yes = self.reader.arena.bool(true);
        // Which state the automaton is in after how many letters, where it can be.
        let mut states: Vec<Vec<Option<Id>>> = Vec::with_capacity(run.letters.len() + 1);
        let mut now = vec![None; automaton.states()];
        now[0] = Some(yes);
        for (place, &letter) in run.letters.iter().enumerate() {
            let number = self.reader.arena.int(place);
            let inside = self.reader.arena.gt(run.length, number);
            if self.reader.is_over() {
                return;
            }
            let mut next: Vec<Option<Id>> = vec![None; automaton.states()];
            for (state, here) in now.iter().enumerate() {
                let Some(here) = *here else { continue };
                let mut possible = Vec::new();
                for one in &automaton.moves[state] {
                    let fits = self.in_interval(letter, one.low, one.high);
                    possible.push(fits);
                    let there =
                        *next[one.to].get_or_insert_with(|| self.reader.arena.fresh_bool("q"));
                    self.reader.fact_if(&[here, inside, fits], there);
                }
                let any = self.reader.arena.or(&possible);
                let mut all = guards.clone();
                all.extend([here, inside]);
                self.reader.fact_if(&all, any);
            }
            states.push(std::mem::replace(&mut now, next));
        }
        states.push(now);
        self.ends_well(&guards, automaton, run, &states);
    }

    /// The state at the end of the word accepts.
    fn ends_well(&mut self, guards: &[Id], automaton: &Dfa, run: &Run, states: &[Vec<Option<Id>>]) {
        for (place, here) in states.iter().enumerate() {
            let number = self.reader.arena.int(place);
            let at_end = self.reader.arena.eq(run.length, number);
            self.refuse(guards, &[at_end], automaton, here);
        }
        let Some(period) = run.period else { return };
        // A longer word: after one round the automaton is where it is after two, so it is there
        // after any number of rounds, and the rest is read as in the second one.
        let last = self.reader.arena.int(run.letters.len());
        let long = self.reader.arena.gt(run.length, last);
        for (once, twice) in states[period].iter().zip(&states[2 * period]) {
            let Some(once) = *once else { continue };
            let no = self.reader.arena.bool(false);
            let mut all = guards.to_vec();
            all.extend([long, once]);
            self.reader.fact_if(&all, twice.unwrap_or(no));
        }
        let rest = self.reader.arena.modulo(run.length, period);
        for offset in 0..period {
            let number = self.reader.arena.int(offset);
            let ends_here = self.reader.arena.eq(rest, number);
            self.refuse(guards, &[long, ends_here], automaton, &states[period + offset]);
        }
    }

    /// Under the conditions the automaton is in no state that does not accept.
    fn refuse(&mut self, guards: &[Id], when: &[Id], automaton: &Dfa, here: &[Option<Id>]) {
        let no = self.reader.arena.bool(false);
        for (state, here) in here.iter().enumerate() {
            let Some(here) = *here else { continue };
            if !automaton.accepting[state] {
                let mut all = guards.to_vec();
                all.extend_from_slice(when);
                all.push(here);
                self.reader.fact_if(&all, no);
            }
        }
    }

    fn in_interval(&mut self, letter: Id, low: u32, high: u32) -> Id {
        let letters = self.reader.letters;
        let arena = &mut self.reader.arena;
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
