//! Walks through the Nielsen graph from the given system to the empty one, with cycles to iterate.
//!
//! For each node on some path, in the order of the length of the shortest path through it, there is
//! one walk: a shortest path to the node and on to the empty system, and at every node of it up to
//! `nielsen.cycles` short cycles. Incomplete by design: longer paths and nested cycles are not
//! tried.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::graph::{Edge, Graph, Substitution};
use crate::{Budget, UnknownReason};

/// A walk from the given system to the empty one.
pub struct Walk {
    /// The steps in order.
    pub steps: Vec<WalkStep>,
}

/// A step of a walk.
#[derive(Clone)]
pub enum WalkStep {
    /// One substitution.
    Substitute(Substitution),
    /// A cycle of substitutions, iterated any number of times.
    Cycle(Rc<Vec<Substitution>>),
}

/// Enumerates walks in a graph.
pub struct Walks<'a> {
    graph: &'a Graph,
    solved: usize,
    /// The limit on cycles at one system.
    most_cycles: usize,
    /// The predecessor of each system on a shortest path from the first one, and the number of its
    /// edge.
    predecessors: Vec<Option<(usize, usize)>>,
    /// The number of the edge on a shortest path to the empty system.
    successors: Vec<Option<usize>>,
    /// Systems in the order of the length of the shortest walk through them.
    through: Vec<usize>,
    cycles: FxHashMap<usize, Vec<Rc<Vec<Substitution>>>>,
    next: usize,
}

impl<'a> Walks<'a> {
    /// Walks with at most `most_cycles` cycles at each system; `None` if the empty system was not
    /// reached.
    pub fn new(graph: &'a Graph, most_cycles: usize) -> Option<Self> {
        let solved = graph.solved?;
        let count = graph.len();
        let mut from = vec![usize::MAX; count];
        let mut predecessors = vec![None; count];
        from[0] = 0;
        let mut queue = VecDeque::from([0]);
        while let Some(number) = queue.pop_front() {
            for (position, edge) in graph.edges[number].iter().enumerate() {
                if from[edge.to] == usize::MAX {
                    from[edge.to] = from[number] + 1;
                    predecessors[edge.to] = Some((number, position));
                    queue.push_back(edge.to);
                }
            }
        }
        let mut backwards: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
        for (number, edges) in graph.edges.iter().enumerate() {
            for (position, edge) in edges.iter().enumerate() {
                backwards[edge.to].push((number, position));
            }
        }
        let mut to = vec![usize::MAX; count];
        let mut successors = vec![None; count];
        to[solved] = 0;
        queue.push_back(solved);
        while let Some(number) = queue.pop_front() {
            for &(before, position) in &backwards[number] {
                if to[before] == usize::MAX {
                    to[before] = to[number] + 1;
                    successors[before] = Some(position);
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
            predecessors,
            successors,
            through,
            cycles: FxHashMap::default(),
            next: 0,
        })
    }

    /// The next walk, in the order of length.
    pub fn next(&mut self, budget: &Budget) -> Result<Option<Walk>, UnknownReason> {
        let Some(&through) = self.through.get(self.next) else { return Ok(None) };
        self.next += 1;
        let mut places = Vec::new();
        let mut number = through;
        while let Some((before, position)) = self.predecessors[number] {
            places.push((before, position));
            number = before;
        }
        places.reverse();
        number = through;
        while let Some(position) = self.successors[number] {
            places.push((number, position));
            number = self.graph.edges[number][position].to;
        }
        let mut steps = Vec::new();
        for (number, position) in places {
            budget.check()?;
            steps.extend(self.cycles(number).iter().cloned().map(WalkStep::Cycle));
            steps.push(WalkStep::Substitute(
                self.graph.edges[number][position].substitution.clone(),
            ));
        }
        Ok(Some(Walk { steps }))
    }

    /// Shortest cycles from a system back to itself, at most one for each of its edges.
    fn cycles(&mut self, number: usize) -> &[Rc<Vec<Substitution>>] {
        let (graph, solved, most) = (self.graph, self.solved, self.most_cycles);
        self.cycles.entry(number).or_insert_with(|| {
            let edges = graph.edges[number].iter().filter(|edge| edge.to != solved);
            let found = edges.filter_map(|edge| cycle(graph, number, edge));
            found.take(most).map(Rc::new).collect()
        })
    }
}

/// A shortest cycle that begins with an edge.
fn cycle(graph: &Graph, number: usize, first: &Edge) -> Option<Vec<Substitution>> {
    let mut predecessors: FxHashMap<usize, (usize, &Edge)> = FxHashMap::default();
    let mut queue = VecDeque::from([first.to]);
    while let Some(at) = queue.pop_front() {
        if at == number {
            break;
        }
        for edge in &graph.edges[at] {
            if edge.to != first.to && !predecessors.contains_key(&edge.to) {
                predecessors.insert(edge.to, (at, edge));
                queue.push_back(edge.to);
            }
        }
    }
    let mut substitutions = Vec::new();
    let mut at = number;
    while at != first.to {
        let &(before, edge) = predecessors.get(&at)?;
        substitutions.push(edge.substitution.clone());
        at = before;
    }
    substitutions.push(first.substitution.clone());
    substitutions.reverse();
    Some(substitutions)
}
