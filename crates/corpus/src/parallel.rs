//! Instances through several threads, with results in the order of the input.
//!
//! One thread reads instances and hands them to workers; results wait until everything before them is
//! delivered. What is delivered, and in which order, does not depend on the number of threads. At most
//! [`WAITING`] instances wait for a worker, so memory is bounded by the number of threads and the size of
//! instances, not by the size of a set.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::{CorpusError, Instance, Instances};

/// Instances that wait for a worker. Few: each is in memory as a whole.
const WAITING: usize = 2;

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// The rest is not wanted.
    Stop,
}

/// What the reading thread makes of an instance.
pub enum Prepared<W, T> {
    /// A worker shall do this.
    Work(W),
    /// The result is known already.
    Done(T),
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// How many instances are delivered.
    pub delivered: usize,
    /// See [`Instances::bytes_done`].
    pub bytes_done: u64,
}

/// Reads all instances. `prepare` sees each in the reading thread, in order; `work` is done by `jobs` other
/// threads; `deliver` gets every result, or why an instance could not be read, in the order of the input.
pub fn in_parallel<W: Send, T: Send>(
    found: &mut Instances,
    jobs: usize,
    mut prepare: impl FnMut(Instance) -> Prepared<W, T>,
    work: impl Fn(W) -> T + Sync,
    mut deliver: impl FnMut(Result<T, CorpusError>, Position) -> Flow,
) {
    thread::scope(|scope| {
        let (to_workers, to_do) = mpsc::sync_channel::<(usize, W)>(WAITING);
        let (done, results) = mpsc::channel::<(usize, T)>();
        let to_do = Arc::new(Mutex::new(to_do));
        for _ in 0..jobs.max(1) {
            let (to_do, done, work) = (Arc::clone(&to_do), done.clone(), &work);
            scope.spawn(move || work_until_done(&to_do, &done, work));
        }
        drop((to_do, done));
        let mut queue = Queue { waiting: BTreeMap::new(), next: 0 };
        for index in 0.. {
            match found.next() {
                Some(Ok(instance)) => match prepare(instance) {
                    // The workers end only after this thread does.
                    Prepared::Work(work) => to_workers
                        .send((index, work))
                        .expect("the workers wait as long as the sender lives"),
                    Prepared::Done(result) => {
                        queue.waiting.insert(index, Ok(result));
                    }
                },
                Some(Err(error)) => {
                    queue.waiting.insert(index, Err(error));
                }
                None => break,
            }
            queue.waiting.extend(results.try_iter().map(|(index, result)| (index, Ok(result))));
            if queue.deliver(found.bytes_done(), &mut deliver) == Flow::Stop {
                return;
            }
        }
        drop(to_workers);
        let bytes_done = found.bytes_done();
        for (index, result) in results {
            queue.waiting.insert(index, Ok(result));
            if queue.deliver(bytes_done, &mut deliver) == Flow::Stop {
                return;
            }
        }
        queue.deliver(bytes_done, &mut deliver);
    });
}

/// What is done but must wait for something before it.
struct Queue<T> {
    waiting: BTreeMap<usize, Result<T, CorpusError>>,
    next: usize,
}

impl<T> Queue<T> {
    fn deliver(
        &mut self,
        bytes_done: u64,
        deliver: &mut impl FnMut(Result<T, CorpusError>, Position) -> Flow,
    ) -> Flow {
        while let Some(result) = self.waiting.remove(&self.next) {
            self.next += 1;
            if deliver(result, Position { delivered: self.next, bytes_done }) == Flow::Stop {
                return Flow::Stop;
            }
        }
        Flow::Continue
    }
}

fn work_until_done<W, T>(
    to_do: &Mutex<Receiver<(usize, W)>>,
    done: &mpsc::Sender<(usize, T)>,
    work: &impl Fn(W) -> T,
) {
    loop {
        let next = to_do.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, item)) = next else { return };
        if done.send((index, work(item))).is_err() {
            return;
        }
    }
}
