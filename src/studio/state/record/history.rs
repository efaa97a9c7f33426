//! Undo and redo by storing complete earlier states.

/// The states before each change, and the states that were undone.
#[derive(Debug)]
pub struct History<T> {
    before: Vec<T>,
    undone: Vec<T>,
}

/// Maximum number of changes that can be undone. Beyond it the oldest is dropped.
const MAX_CHANGES: usize = 500;

impl<T> Default for History<T> {
    fn default() -> Self {
        History { before: Vec::new(), undone: Vec::new() }
    }
}

impl<T: Clone + PartialEq> History<T> {
    /// Stores the current state; called before a change.
    pub fn note(&mut self, now: &T) {
        self.undone.clear();
        if self.before.len() == MAX_CHANGES {
            self.before.remove(0);
        }
        self.before.push(now.clone());
    }

    /// Returns to the state before the last change. Returns `false` if there is none.
    pub fn undo(&mut self, now: &mut T) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.undone.push(std::mem::replace(now, before));
        true
    }

    /// Repeats the change that was undone last. Returns `false` if there is none.
    pub fn redo(&mut self, now: &mut T) -> bool {
        let Some(after) = self.undone.pop() else { return false };
        self.before.push(std::mem::replace(now, after));
        true
    }

    /// Whether there is a change to undo.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether there is a change to redo.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_after_undo_forgets_what_was_undone() {
        let (mut history, mut now) = (History::default(), 0);
        for next in 1..4 {
            history.note(&now);
            now = next;
        }
        assert!(history.undo(&mut now) && history.undo(&mut now) && now == 1);
        assert!(history.redo(&mut now) && now == 2 && history.can_redo());
        history.note(&now);
        now = 9;
        assert!(!history.redo(&mut now) && history.undo(&mut now) && now == 2);
    }
}
