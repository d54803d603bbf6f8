//! Ways through the graph, with cycles that are gone through any number of times.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::graph::{Edge, Graph, Guess};
use crate::{Budget, UnknownReason};

/// A way from the given system to the empty one.
pub struct Walk {
    /// In order: what happens.
    pub steps: Vec<Step>,
}

/// A part of a walk.
#[derive(Clone)]
pub enum Step {
    /// One guess.
    Guess(Guess),
    /// Guesses that lead back to where they began, any number of times.
    Cycle(Rc<Vec<Guess>>),
}

/// Finds walks in a graph that does not change.
pub struct Walks<'a> {
    graph: &'a Graph,
    solved: usize,
    /// How many cycles are looked at for one system.
    most_cycles: usize,
    /// How systems are reached: from which one and by which of its edges.
    ways_in: Vec<Option<(usize, usize)>>,
    /// Which edge leads towards the empty system.
    ways_out: Vec<Option<usize>>,
    /// Systems by the length of the shortest walk through them.
    through: Vec<usize>,
    cycles: FxHashMap<usize, Vec<Rc<Vec<Guess>>>>,
    next: usize,
}

impl<'a> Walks<'a> {
    /// With at most so many cycles through each system; `None` if the empty one was not reached.
    pub fn new(graph: &'a Graph, most_cycles: usize) -> Option<Self> {
        let solved = graph.solved?;
        let count = graph.len();
        let mut from = vec![usize::MAX; count];
        let mut ways_in = vec![None; count];
        from[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(number) = queue.pop_front() {
            for (place, edge) in graph.edges[number].iter().enumerate() {
                if from[edge.to] == usize::MAX {
                    from[edge.to] = from[number] + 1;
                    ways_in[edge.to] = Some((number, place));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut backwards: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
        for (number, edges) in graph.edges.iter().enumerate() {
            for (place, edge) in edges.iter().enumerate() {
                backwards[edge.to].push((number, place));
            }
        }
        let mut to = vec![usize::MAX; count];
        let mut ways_out = vec![None; count];
        to[solved] = 0;
        queue.push_back(solved);
        while let Some(number) = queue.pop_front() {
            for &(before, place) in &backwards[number] {
                if to[before] == usize::MAX {
                    to[before] = to[number] + 1;
                    ways_out[before] = Some(place);
                    queue.push_back(before);
                }
            }
        }
        let mut through: Vec<usize> =
            (0..count).filter(|&one| from[one] != usize::MAX && to[one] != usize::MAX).collect();
        through.sort_by_key(|&one| (from[one] + to[one], one));
        Some(Self {
            graph,
            solved,
            most_cycles,
            ways_in,
            ways_out,
            through,
            cycles: FxHashMap::default(),
            next: 0,
        })
    }

    /// The next walk; shorter ones come first.
    pub fn next(&mut self, budget: &Budget) -> Result<Option<Walk>, UnknownReason> {
        let Some(&through) = self.through.get(self.next) else { return Ok(None) };
        self.next += 1;
        let mut places = Vec::new();
        let mut number = through;
        while let Some((before, place)) = self.ways_in[number] {
            places.push((before, place));
            number = before;
        }
        places.reverse();
        number = through;
        while let Some(place) = self.ways_out[number] {
            places.push((number, place));
            number = self.graph.edges[number][place].to;
        }
        let mut steps = Vec::new();
        for (number, place) in places {
            budget.check()?;
            steps.extend(self.cycles(number).iter().cloned().map(Step::Cycle));
            steps.push(Step::Guess(self.graph.edges[number][place].guess.clone()));
        }
        Ok(Some(Walk { steps }))
    }

    /// Short cycles from a system back to itself, at most one through each of its edges.
    fn cycles(&mut self, number: usize) -> &[Rc<Vec<Guess>>] {
        let (graph, solved, most) = (self.graph, self.solved, self.most_cycles);
        self.cycles.entry(number).or_insert_with(|| {
            let edges = graph.edges[number].iter().filter(|edge| edge.to != solved);
            let found = edges.filter_map(|edge| cycle(graph, number, edge));
            found.take(most).map(Rc::new).collect()
        })
    }
}

/// A shortest cycle that begins with an edge.
fn cycle(graph: &Graph, number: usize, first: &Edge) -> Option<Vec<Guess>> {
    let mut ways_in: FxHashMap<usize, (usize, &Edge)> = FxHashMap::default();
    let mut queue = VecDeque::from([first.to]);
    while let Some(at) = queue.pop_front() {
        if at == number {
            break;
        }
        for edge in &graph.edges[at] {
            if edge.to != first.to && !ways_in.contains_key(&edge.to) {
                ways_in.insert(edge.to, (at, edge));
                queue.push_back(edge.to);
            }
        }
    }
    let mut guesses = Vec::new();
    let mut at = number;
    while at != first.to {
        let &(before, edge) = ways_in.get(&at)?;
        guesses.push(edge.guess.clone());
        at = before;
    }
    guesses.push(first.guess.clone());
    guesses.reverse();
    Some(guesses)
}
