//! Which releases show a failure: binary search over an ordered list, or a full scan.
//!
//! Bugs come and go, so a failure need not fill one interval. The search finds the ends of the interval
//! around one failing release; only a scan says that there is no other. A release that cannot tell
//! (unknown, time-out, unsupported) is neither good nor bad: it never is a boundary, and the boundary is
//! moved on to the next release that answers.

/// What a release says about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It shows the failure.
    Bad,
    /// It gives the right answer.
    Good,
    /// It gives no answer, or fails in another way.
    Neither,
}

/// The releases between which a failure came and went, as positions in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boundaries {
    /// The last good release before the first bad one.
    pub last_good: Option<usize>,
    /// The first bad release.
    pub first_bad: Option<usize>,
    /// The first good release after the last bad one.
    pub first_good_again: Option<usize>,
    /// The runs of bad releases, neither good releases nor untried ones between them.
    pub intervals: Vec<(usize, usize)>,
}

/// Asks all releases. `ask` returns `None` to end the search early.
pub fn scan(count: usize, ask: &mut dyn FnMut(usize) -> Option<Mark>) -> Vec<Option<Mark>> {
    let mut marks = vec![None; count];
    for (position, mark) in marks.iter_mut().enumerate() {
        *mark = ask(position);
        if mark.is_none() {
            break;
        }
    }
    marks
}

/// Asks as few releases as it takes to find the interval around a failing one, which is `start` if that is
/// known. Positions are ordered from the oldest release to the newest.
pub fn search(
    count: usize,
    start: Option<usize>,
    ask: &mut dyn FnMut(usize) -> Option<Mark>,
) -> Vec<Option<Mark>> {
    let mut search = Search { marks: vec![None; count], ask, is_over: false };
    let ends = [count.checked_sub(1), (count > 0).then_some(0)];
    let mut order = start.into_iter().chain(ends.into_iter().flatten()).chain(middles(count));
    let bad = order.find(|&position| search.mark(position) == Some(Mark::Bad));
    if let Some(bad) = bad {
        search.boundary(bad, 0);
        if let Some(newest) = count.checked_sub(1) {
            search.boundary(bad, newest);
        }
    }
    search.marks
}

/// The boundaries that some marks show.
pub fn boundaries(marks: &[Option<Mark>]) -> Boundaries {
    let is = |position: &usize, mark: Mark| marks[*position] == Some(mark);
    let bad: Vec<usize> = (0..marks.len()).filter(|one| is(one, Mark::Bad)).collect();
    let (Some(&first), Some(&last)) = (bad.first(), bad.last()) else {
        return Boundaries::default();
    };
    let mut intervals: Vec<(usize, usize)> = Vec::new();
    for position in bad {
        match intervals.last_mut() {
            Some((_, end)) if !(*end..position).any(|one| is(&one, Mark::Good)) => *end = position,
            _ => intervals.push((position, position)),
        }
    }
    Boundaries {
        last_good: (0..first).rev().find(|one| is(one, Mark::Good)),
        first_bad: Some(first),
        first_good_again: (last + 1..marks.len()).find(|one| is(one, Mark::Good)),
        intervals,
    }
}

struct Search<'a> {
    marks: Vec<Option<Mark>>,
    ask: &'a mut dyn FnMut(usize) -> Option<Mark>,
    is_over: bool,
}

impl Search<'_> {
    /// The mark of a release, which is asked at most once.
    fn mark(&mut self, position: usize) -> Option<Mark> {
        if self.is_over {
            return None;
        }
        if self.marks[position].is_none() {
            self.marks[position] = (self.ask)(position);
            self.is_over = self.marks[position].is_none();
        }
        self.marks[position]
    }

    /// Finds the end of the interval of bad releases on the way from a bad one to the end of the list, and
    /// the next good release beyond it.
    fn boundary(&mut self, bad: usize, end: usize) {
        if self.mark(end) == Some(Mark::Bad) {
            return;
        }
        let (mut inside, mut outside) = (bad, end);
        while inside.abs_diff(outside) > 1 {
            let middle = usize::midpoint(inside, outside);
            match self.mark(middle) {
                None => return,
                Some(Mark::Bad) => inside = middle,
                Some(Mark::Good | Mark::Neither) => outside = middle,
            }
        }
        while self.mark(outside) == Some(Mark::Neither) && outside != end {
            outside = if end < outside { outside - 1 } else { outside + 1 };
        }
    }
}

/// All positions, coarse before fine: the middle, the quarters, and so on.
fn middles(count: usize) -> impl Iterator<Item = usize> {
    let mut waiting = std::collections::VecDeque::from([(0, count)]);
    std::iter::from_fn(move || {
        while let Some((start, end)) = waiting.pop_front() {
            if start < end {
                let middle = usize::midpoint(start, end);
                waiting.extend([(start, middle), (middle + 1, end)]);
                return Some(middle);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> Vec<Mark> {
        let mark = |letter| match letter {
            'x' => Mark::Bad,
            '.' => Mark::Good,
            _ => Mark::Neither,
        };
        text.chars().map(mark).collect()
    }

    /// The boundaries by search from a start, and the number of releases asked.
    fn searched(text: &str, start: Option<usize>) -> (Boundaries, usize) {
        let truth = marks(text);
        let mut asked = 0;
        let found = search(truth.len(), start, &mut |position| {
            asked += 1;
            Some(truth[position])
        });
        (boundaries(&found), asked)
    }

    #[test]
    fn a_search_finds_what_a_scan_finds_if_there_is_one_interval() {
        for length in 1..24 {
            for first in 0..length {
                for last in first..length {
                    let text: String = (0..length)
                        .map(|one| if (first..=last).contains(&one) { 'x' } else { '.' })
                        .collect();
                    let truth = marks(&text);
                    let scanned = boundaries(&scan(length, &mut |one| Some(truth[one])));
                    for start in first..=last {
                        let (found, asked) = searched(&text, Some(start));
                        assert_eq!(found.first_bad, scanned.first_bad, "{text} from {start}");
                        assert_eq!(found.last_good, scanned.last_good, "{text} from {start}");
                        assert_eq!(found.first_good_again, scanned.first_good_again, "{text}");
                        assert!(asked <= 14, "{text}: {asked} of {length}");
                    }
                    let (found, _) = searched(&text, None);
                    assert_eq!(found.first_bad, scanned.first_bad, "{text}");
                }
            }
        }
    }

    #[test]
    fn releases_that_cannot_tell_are_no_boundaries() {
        let (found, _) = searched("..??xxx??..", Some(5));
        assert_eq!(found.last_good, Some(1));
        assert_eq!((found.first_bad, found.first_good_again), (Some(4), Some(9)));
        let (found, _) = searched("???xxx", Some(4));
        assert_eq!((found.last_good, found.first_bad), (None, Some(3)));
    }

    #[test]
    fn a_scan_shows_that_a_bug_came_back() {
        let truth = marks(".xx.x?x.");
        let found = boundaries(&scan(truth.len(), &mut |one| Some(truth[one])));
        assert_eq!(found.intervals, [(1, 2), (4, 6)]);
        assert_eq!((found.last_good, found.first_good_again), (Some(0), Some(7)));
    }

    #[test]
    fn a_failure_in_no_release_is_asked_of_all_and_a_stop_ends_the_search() {
        let (found, asked) = searched("....?...", None);
        assert_eq!((found, asked), (Boundaries::default(), 8));
        let mut asked = 0;
        let found = search(9, Some(4), &mut |_| {
            asked += 1;
            (asked < 3).then_some(Mark::Bad)
        });
        assert_eq!(found.iter().flatten().count(), 2);
    }
}
