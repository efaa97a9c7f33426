//! Undo and redo: what a recording was before each change.

/// What was, and what was undone.
#[derive(Debug)]
pub struct History<T> {
    before: Vec<T>,
    undone: Vec<T>,
}

/// Changes that can be undone; the oldest goes first.
const MAX_CHANGES: usize = 500;

impl<T> Default for History<T> {
    fn default() -> Self {
        History { before: Vec::new(), undone: Vec::new() }
    }
}

impl<T: Clone + PartialEq> History<T> {
    /// Something is about to change.
    pub fn note(&mut self, now: &T) {
        self.undone.clear();
        if self.before.len() == MAX_CHANGES {
            self.before.remove(0);
        }
        self.before.push(now.clone());
    }

    /// Goes back to what was before the last change; false if there was none.
    pub fn undo(&mut self, now: &mut T) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.undone.push(std::mem::replace(now, before));
        true
    }

    /// Makes the change that was undone last again; false if there was none.
    pub fn redo(&mut self, now: &mut T) -> bool {
        let Some(after) = self.undone.pop() else { return false };
        self.before.push(std::mem::replace(now, after));
        true
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether there is something to do again.
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
