//! Rotating the screen by settings, each of which takes a slow device seconds to write.

use std::sync::{Arc, Mutex, PoisonError};

use crate::input::gestures::rotate;
use crate::restore::{Journal, ROTATION};
use taproof_screen::Rotation;

/// The rotation in which the screen was locked last; `None` if it may turn by itself or that is unknown. Clones share it,
/// as all phones of a device do.
#[derive(Clone, Default)]
pub(crate) struct Turning {
    locked: Arc<Mutex<Option<Rotation>>>,
    journal: Journal,
}

impl Turning {
    /// Starts with the rotation in which the screen is locked.
    pub fn locked_in(rotation: Option<Rotation>, journal: Journal) -> Self {
        Turning { locked: Arc::new(Mutex::new(rotation)), journal }
    }

    /// The lines that note in the journal that the rotation is about to be changed.
    pub fn note(&self) -> String {
        self.journal.note(&ROTATION)
    }

    /// The lines that lock the screen in a rotation. Only settings that differ are written: none if it is locked in this
    /// one and shows it.
    pub fn lines(&self, to: Rotation, shown: Rotation) -> String {
        let before = self.set(Some(to));
        if before == Some(to) && shown == to {
            return String::new();
        }
        format!("{}\n{}", self.note(), rotate(to, before.is_some()))
    }

    /// Forgets the rotation after something else may have changed it, or after writing it failed.
    pub fn forget(&self) {
        self.set(None);
    }

    fn set(&self, rotation: Option<Rotation>) -> Option<Rotation> {
        std::mem::replace(&mut *self.locked.lock().unwrap_or_else(PoisonError::into_inner), rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_written() {
        let (upright, sideways) = (Rotation::PORTRAIT, Rotation::PORTRAIT.turned());
        let writes = |turning: &Turning, to, shown| turning.lines(to, shown).matches("settings put").count();
        let turning = Turning::default();
        assert_eq!(writes(&turning, upright, upright), 2);
        assert_eq!(writes(&turning, upright, upright), 0);
        assert_eq!(writes(&turning, sideways, upright), 1);
        assert_eq!(writes(&turning, sideways, upright), 1, "the app ignored it, or somebody turned it back");
        turning.forget();
        assert_eq!(writes(&turning, sideways, sideways), 2);
        assert_eq!(writes(&Turning::locked_in(Some(upright), Journal::default()), upright, upright), 0);
    }
}
