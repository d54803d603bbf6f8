//! The assertion stack of SMT-LIB (standard, section 4.1.4): the effect of `push` and `pop` on a list.
//!
//! A stack has items, such as assertions or declarations, and levels. An item belongs to the level at
//! which it was added; `(pop n)` removes the last n levels with their items. Items added before the first
//! `push` belong to no level and are removed only by [`AssertionStack::clear`].
//!
//! Levels that begin at the same item are stored as one number, so that `(push 4294967295)` costs nothing.

/// Items in levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssertionStack<T> {
    items: Vec<T>,
    levels: Vec<Levels>,
}

/// Levels that begin at the same item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Levels {
    /// How many items there were before them.
    height: usize,
    /// How many levels, at least one.
    count: u64,
}

impl<T> Default for AssertionStack<T> {
    fn default() -> Self {
        Self { items: Vec::new(), levels: Vec::new() }
    }
}

impl<T> AssertionStack<T> {
    /// A stack without items and levels.
    pub fn new() -> Self {
        Self::default()
    }

    /// All items, in the order in which they were added.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items without their levels.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }

    /// How many levels there are.
    pub fn depth(&self) -> u64 {
        self.levels.iter().map(|levels| levels.count).sum()
    }

    /// Adds an item to the last level.
    pub fn add(&mut self, item: T) {
        self.items.push(item);
    }

    /// Begins levels: `(push count)`.
    pub fn push(&mut self, count: u32) {
        let height = self.items.len();
        match self.levels.last_mut() {
            _ if count == 0 => {}
            Some(last) if last.height == height => last.count += u64::from(count),
            _ => self.levels.push(Levels { height, count: count.into() }),
        }
    }

    /// Ends levels with their items: `(pop count)`. If there are fewer, all of them end.
    pub fn pop(&mut self, count: u32) {
        if let Some(height) = self.end(count.into()) {
            self.items.truncate(height);
        }
    }

    /// Ends levels, and their items stay: `(pop count)` for declarations that are global.
    pub fn pop_levels_only(&mut self, count: u32) {
        self.end(count.into());
    }

    /// Ends all levels with their items. What belongs to no level stays.
    pub fn pop_all(&mut self) {
        if let Some(height) = self.end(u64::MAX) {
            self.items.truncate(height);
        }
    }

    /// Ends all levels, and their items stay.
    pub fn pop_all_levels_only(&mut self) {
        self.levels.clear();
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.items.clear();
        self.levels.clear();
    }

    /// Ends levels; how many items there were before them, if any level ended.
    fn end(&mut self, count: u64) -> Option<usize> {
        let mut left = count;
        let mut height = None;
        while left > 0
            && let Some(last) = self.levels.last_mut()
        {
            height = Some(last.height);
            let ended = left.min(last.count);
            left -= ended;
            last.count -= ended;
            if last.count == 0 {
                self.levels.pop();
            }
        }
        height
    }
}

#[cfg(test)]
mod tests {
    use super::AssertionStack;

    fn stack() -> AssertionStack<char> {
        let mut stack = AssertionStack::new();
        stack.add('a');
        stack.push(1);
        stack.add('b');
        stack.push(2);
        stack.add('c');
        stack
    }

    #[test]
    fn a_pop_ends_levels_with_their_items() {
        let mut stack = stack();
        assert_eq!((stack.items(), stack.depth()), (&['a', 'b', 'c'][..], 3));
        stack.pop(1);
        assert_eq!((stack.items(), stack.depth()), (&['a', 'b'][..], 2));
        stack.pop(1);
        assert_eq!((stack.items(), stack.depth()), (&['a', 'b'][..], 1));
        stack.add('d');
        stack.pop(1);
        assert_eq!((stack.items(), stack.depth()), (&['a'][..], 0));
        assert_eq!(stack.into_items(), ['a']);
    }

    #[test]
    fn a_pop_over_several_levels_ends_all_their_items() {
        let mut stack = stack();
        stack.pop(3);
        assert_eq!((stack.items(), stack.depth()), (&['a'][..], 0));
    }

    #[test]
    fn a_pop_of_nothing_changes_nothing() {
        let mut stack = stack();
        let before = stack.clone();
        stack.pop(0);
        stack.push(0);
        assert_eq!(stack, before);
        // What belongs to no level stays, however much is popped.
        stack.pop(77);
        assert_eq!((stack.items(), stack.depth()), (&['a'][..], 0));
        stack.pop(1);
        assert_eq!(stack.items(), ['a']);
    }

    #[test]
    fn items_can_outlive_their_level() {
        let mut stack = stack();
        stack.pop_levels_only(2);
        assert_eq!((stack.items(), stack.depth()), (&['a', 'b', 'c'][..], 1));
        // They belong to the level below now.
        stack.pop(1);
        assert_eq!(stack.items(), ['a']);
        let mut stack = self::stack();
        stack.pop_all_levels_only();
        assert_eq!((stack.items(), stack.depth()), (&['a', 'b', 'c'][..], 0));
        stack.pop_all();
        assert_eq!(stack.items(), ['a', 'b', 'c']);
    }

    #[test]
    fn all_levels_end_and_all_items_go() {
        let mut stack = stack();
        stack.pop_all();
        assert_eq!((stack.items(), stack.depth()), (&['a'][..], 0));
        stack.clear();
        assert!(stack.items().is_empty());
    }

    #[test]
    fn very_many_levels_cost_nothing() {
        let mut stack = AssertionStack::new();
        for _ in 0..1000 {
            stack.push(u32::MAX);
        }
        stack.add(());
        assert_eq!(stack.depth(), 1000 * u64::from(u32::MAX));
        stack.pop(u32::MAX);
        assert!(stack.items().is_empty());
        assert_eq!(stack.depth(), 999 * u64::from(u32::MAX));
    }
}
