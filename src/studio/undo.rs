//! Undo and redo. What a step is, and how it is taken back, is up to whoever keeps the history: a changed text, a form
//! before and after, a whole state to be swapped.

/// The steps that can be undone, and those that can be redone. Beyond `MOST` steps the oldest is dropped.
#[derive(Clone, Debug)]
pub struct UndoHistory<S, const MOST: usize = { usize::MAX }> {
    /// The newest last.
    done: Vec<S>,
    /// The one undone last at the end.
    undone: Vec<S>,
    /// Whether the next step may be joined with the last one.
    open: bool,
}

/// What became of a new step beside the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// It is a step of its own.
    Apart,
    /// The last step now includes it.
    Together,
    /// The last step now includes it, and both together change nothing.
    Nothing,
}

impl<S, const MOST: usize> Default for UndoHistory<S, MOST> {
    fn default() -> Self {
        UndoHistory { done: Vec::new(), undone: Vec::new(), open: false }
    }
}

impl<S, const MOST: usize> UndoHistory<S, MOST> {
    /// Adds a step. What was undone before is forgotten.
    pub fn push(&mut self, step: S) {
        self.push_or_join(step, |_, _| Joined::Apart);
    }

    /// Adds a step, or joins it with the last one, which `join` changes for that.
    pub fn push_or_join(&mut self, step: S, join: impl FnOnce(&mut S, &S) -> Joined) {
        self.undone.clear();
        let last = self.done.last_mut().filter(|_| self.open);
        match last.map_or(Joined::Apart, |last| join(last, &step)) {
            Joined::Apart => self.done.push(step),
            Joined::Together => {}
            Joined::Nothing => drop(self.done.pop()),
        }
        if self.done.len() > MOST {
            self.done.remove(0);
        }
        self.open = true;
    }

    /// Prevents the next step from being joined with the last one.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// Forgets what was undone.
    pub fn forget_undone(&mut self) {
        self.undone.clear();
    }

    /// The step that is undone (`back`) or redone next.
    pub fn next(&self, back: bool) -> Option<&S> {
        if back { self.done.last() } else { self.undone.last() }
    }

    /// Moves a step from those that can be undone to those that can be redone (`back`), or the other way, and returns
    /// it.
    pub fn turn(&mut self, back: bool) -> Option<&mut S> {
        let (from, to) =
            if back { (&mut self.done, &mut self.undone) } else { (&mut self.undone, &mut self.done) };
        to.push(from.pop()?);
        to.last_mut()
    }

    /// Adds steps below all others, the newest last.
    pub fn put_below(&mut self, mut older: Vec<S>) {
        older.append(&mut self.done);
        self.done = older;
    }

    /// All steps: those that can be undone, then those that can be redone, each with the newest last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &S> {
        self.done.iter().chain(&self.undone)
    }

    /// As [`UndoHistory::iter`], for a change.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut S> {
        self.done.iter_mut().chain(&mut self.undone)
    }

    /// Drops the steps that can be undone and do not meet the condition.
    pub fn retain_done(&mut self, keep: impl FnMut(&S) -> bool) {
        self.done.retain(keep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A history whose steps are values to be swapped.
    fn turn<const MOST: usize>(history: &mut UndoHistory<u32, MOST>, back: bool, now: &mut u32) -> bool {
        history.turn(back).map(|other| std::mem::swap(other, now)).is_some()
    }

    #[test]
    fn a_change_after_undo_forgets_what_was_undone() {
        let (mut history, mut now) = (UndoHistory::<u32>::default(), 0);
        for next in 1..4 {
            history.push(now);
            now = next;
        }
        assert!(turn(&mut history, true, &mut now) && turn(&mut history, true, &mut now) && now == 1);
        assert!(turn(&mut history, false, &mut now) && now == 2 && history.next(false).is_some());
        history.push(now);
        now = 9;
        assert!(!turn(&mut history, false, &mut now) && turn(&mut history, true, &mut now) && now == 2);
    }

    #[test]
    fn steps_are_joined_until_the_history_is_closed_and_vanish_when_they_cancel_out() {
        let mut history = UndoHistory::<i32>::default();
        let add = |history: &mut UndoHistory<i32>, step| {
            history.push_or_join(step, |last, step| {
                *last += step;
                if *last == 0 { Joined::Nothing } else { Joined::Together }
            });
        };
        let all = |history: &UndoHistory<i32>| history.iter().copied().collect::<Vec<_>>();
        add(&mut history, 1);
        add(&mut history, 2);
        assert_eq!(all(&history), [3]);
        history.close();
        add(&mut history, 4);
        assert_eq!(all(&history), [3, 4]);
        add(&mut history, -4);
        assert_eq!(all(&history), [3]);
    }

    #[test]
    fn beyond_the_most_the_oldest_step_is_dropped() {
        let mut history = UndoHistory::<u32, 2>::default();
        (1..4).for_each(|step| history.push(step));
        assert_eq!(history.iter().copied().collect::<Vec<_>>(), [2, 3]);
        history.put_below(vec![0]);
        assert_eq!(history.iter().next(), Some(&0));
    }
}
