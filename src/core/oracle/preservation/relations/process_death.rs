//! The system ends the process of an app in the background, and restores its activities from their saved state.

use super::super::relation::{Effect, Relation, Way};
use super::super::{Aspect, Difference};
use crate::model::{Event, SystemEvent};

static WAY: [Event; 1] = [Event::System(SystemEvent::ProcessDeath)];

pub static RELATION: Relation = Relation {
    name: "process-death",
    title: "Coming back after the process was ended in the background",
    by_hand: "press Home, run `adb shell am kill PACKAGE`, and open the app again from the recent apps",
    source: "DLD (ISSTA 2020), KREfinder (Shan, Azim, Neamtiu; OOPSLA 2016)",
    needs: "am kill",
    effect: Effect::Recreates,
    parts: &["background", "rotation"],
    way: Way::Fixed(&WAY),
    keeps: saved_by_android,
};

/// Android saves what was entered and checked; what was selected or switched on and other texts are the app's own affair.
pub(super) fn saved_by_android(difference: &Difference, _among: &[Difference]) -> bool {
    !matches!(difference.aspect, Aspect::Text | Aspect::Selected | Aspect::Switched)
}
