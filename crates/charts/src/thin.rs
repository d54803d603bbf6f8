//! Thinning: fewer points for the same picture.
//!
//! A hundred thousand points do not fit on half a million pixels and cannot be distinguished. Points in
//! the same cell of a grid are drawn as one that represents all of them; vertices of lines that are
//! less than half a pixel from the last one are left out. For every point that is left out, one within
//! the same cell is drawn, so that outliers are always visible.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

/// A point on the picture, in pixels.
pub(crate) type Place = (f64, f64);

/// A point that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Representative {
    /// Its index among the points.
    pub index: usize,
    /// For how many points it stands, itself included.
    pub count: usize,
}

/// The points that are drawn if no two may share a cell of this size: of each cell the first, in
/// the order given. Points in different groups never stand for each other.
fn to_grid(places: &[(usize, Place)], points: &[Representative], cell: f64) -> Vec<Representative> {
    let mut kept: Vec<Representative> = Vec::new();
    let mut cells: HashMap<u64, usize, BuildHasherDefault<CellHasher>> = HashMap::default();
    // Groups and pixels are far fewer than there is room for.
    let part = |value: f64| u64::from((value / cell).floor() as i32 as u32 & 0xFF_FFFF);
    for point in points {
        let (group, (x, y)) = places[point.index];
        let key = (group as u64) << 48 | part(x) << 24 | part(y);
        match cells.entry(key) {
            Entry::Occupied(first) => kept[*first.get()].count += point.count,
            Entry::Vacant(free) => {
                free.insert(kept.len());
                kept.push(*point);
            }
        }
    }
    kept
}

/// Cells are not chosen by an adversary, so that a fast hash is safe.
#[derive(Default)]
struct CellHasher(u64);

impl Hasher for CellHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        // Multiplication moves what differs upwards; the map looks at both ends.
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}

/// Of how many points the text is made to guess how long those of all are.
const SAMPLE: usize = 200;

/// The points on the finest grid on which they cost no more than allowed, each with its
/// note. `note` is asked for few points more than are drawn, since texts take time.
pub(crate) fn to_budget<N>(
    places: &[(usize, Place)],
    note: impl Fn(usize) -> N,
    cost: impl Fn(&N) -> usize,
    budget: usize,
) -> Vec<(Representative, N)> {
    let all: Vec<Representative> =
        (0..places.len()).map(|index| Representative { index, count: 1 }).collect();
    // So many points at a quarter of a pixel from each other never fit, so there is no use in trying.
    let mut cell = if places.len() > 20_000 { 2.0 } else { 0.25 };
    let mut kept = to_grid(places, &all, cell);
    loop {
        let is_coarsest = cell > 64.0;
        let estimate_cost = estimate_cost(&kept, |index| cost(&note(index)));
        let mut total = estimate_cost;
        if estimate_cost <= budget || is_coarsest {
            let noted: Vec<(Representative, N)> =
                kept.iter().map(|&kept| (kept, note(kept.index))).collect();
            total = noted.iter().map(|(_, note)| cost(note)).sum();
            if total <= budget || is_coarsest {
                return noted;
            }
        }
        // Far too many need a much coarser grid; the number of cells goes with the square.
        let excess = (total as f64 / budget as f64).sqrt().sqrt();
        cell *= excess.clamp(1.1, 2.0);
        kept = to_grid(places, &kept, cell);
    }
}

/// About what these points cost, from some of them.
fn estimate_cost(kept: &[Representative], cost: impl Fn(usize) -> usize) -> usize {
    let step = kept.len().div_ceil(SAMPLE).max(1);
    let costs: Vec<usize> = kept.iter().step_by(step).map(|kept| cost(kept.index)).collect();
    let sum: usize = costs.iter().sum();
    sum * kept.len() / costs.len().max(1)
}

/// The vertices of a line that are drawn, as indices: at most about `most`. Both ends and the
/// extremes are among them.
pub(crate) fn line(places: &[Place], most: usize) -> Vec<usize> {
    if places.len() <= most {
        return (0..places.len()).collect();
    }
    let mut tolerance = 0.5;
    loop {
        let kept = within(places, tolerance);
        if kept.len() <= most {
            return kept;
        }
        if tolerance > 8.0 {
            return by_runs(places, most);
        }
        tolerance *= 1.5;
    }
}

/// Of a line that fills the area no tolerance takes enough away. Each run of vertices is drawn by
/// its lowest and its highest one.
fn by_runs(places: &[Place], most: usize) -> Vec<usize> {
    let run = places.len().div_ceil((most / 2).max(1)).max(1);
    let mut kept = vec![0, places.len() - 1];
    for start in (0..places.len()).step_by(run) {
        let end = (start + run).min(places.len());
        let [_, _, low, high] = extremes(&places[start..end]);
        kept.extend([start + low, start + high]);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

fn within(places: &[Place], tolerance: f64) -> Vec<usize> {
    let extremes = extremes(places);
    let mut kept = Vec::new();
    let mut last: Option<Place> = None;
    for (index, &(x, y)) in places.iter().enumerate() {
        let is_far = last.is_none_or(|(last_x, last_y)| {
            (x - last_x).abs() > tolerance || (y - last_y).abs() > tolerance
        });
        if is_far || index + 1 == places.len() || extremes.contains(&index) {
            kept.push(index);
            last = Some((x, y));
        }
    }
    kept
}

/// Where x and y are smallest and largest.
fn extremes(places: &[Place]) -> [usize; 4] {
    let mut found = [0; 4];
    for (index, (x, y)) in places.iter().enumerate() {
        let best = |slot: usize| places[found[slot]];
        let is_better = [x < &best(0).0, x > &best(1).0, y < &best(2).1, y > &best(3).1];
        for (slot, _) in is_better.iter().enumerate().filter(|(_, better)| **better) {
            found[slot] = index;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Representative, line, to_budget, to_grid};

    #[test]
    fn points_of_a_cell_become_one_that_stands_for_all() {
        let places = [(0, (1.0, 1.0)), (0, (1.5, 1.5)), (1, (1.0, 1.0)), (0, (90.0, 1.0))];
        let all: Vec<Representative> =
            (0..4).map(|index| Representative { index, count: 1 }).collect();
        let kept = to_grid(&places, &all, 2.0);
        let counts: Vec<_> = kept.iter().map(|kept| (kept.index, kept.count)).collect();
        assert_eq!(counts, [(0, 2), (2, 1), (3, 1)]);
    }

    #[test]
    fn a_budget_is_kept_and_no_point_is_lost() {
        let places: Vec<_> =
            (0..100_000).map(|n| (0, (f64::from(n % 700), f64::from(n / 700)))).collect();
        let asked = std::cell::Cell::new(0);
        let note = |index: usize| {
            asked.set(asked.get() + 1);
            index
        };
        let kept = to_budget(&places, note, |_| 100, 300_000);
        assert!(kept.len() <= 3000 && kept.len() > 500, "{}", kept.len());
        assert_eq!(kept.iter().map(|(kept, _)| kept.count).sum::<usize>(), places.len());
        assert!(kept.iter().all(|(kept, note)| kept.index == *note));
        assert!(asked.get() < 10_000, "{} texts for {} points", asked.get(), kept.len());
    }

    #[test]
    fn a_few_points_with_long_texts_do_not_exceed_the_budget() {
        let places: Vec<_> =
            (0..30_000).map(|n| (0, (f64::from(n % 300), f64::from(n / 300)))).collect();
        // Whichever points are looked at first, those that are not may be longer.
        let cost = |index: &usize| if index.is_multiple_of(2) { 50 } else { 900 };
        let kept = to_budget(&places, |index| index, cost, 300_000);
        assert!(kept.iter().map(|(_, index)| cost(index)).sum::<usize>() <= 300_000);
    }

    #[test]
    fn lines_keep_ends_and_extremes() {
        let mut places: Vec<_> =
            (0..100_000).map(|n| (f64::from(n) / 200.0, f64::from(n % 7) / 100.0)).collect();
        places[54_321].1 = 300.0;
        let kept = line(&places, 2000);
        assert!(kept.len() <= 2000, "{}", kept.len());
        assert_eq!((kept[0], kept[kept.len() - 1]), (0, 99_999));
        assert!(kept.contains(&54_321));
        assert_eq!(line(&places[..3], 2000), [0, 1, 2]);
        let wild: Vec<_> = (0..100_000u32)
            .map(|n| (f64::from(n % 701), f64::from(n.wrapping_mul(2_654_435_761) % 400)))
            .collect();
        assert!(line(&wild, 2000).len() <= 2002);
    }
}
