//! Turned once, the page may look different, but what was entered is there.

use super::super::Aspect;
use super::super::relation::{Effect, Relation, Way};
use crate::model::Event;

static WAY: [Event; 1] = [Event::Rotate];

pub static RELATION: Relation = Relation {
    name: "landscape",
    title: "Turning the phone",
    by_hand: "turn the phone and leave it so",
    source: "DLD (Riganelli, Mottadelli, Rota, Micucci, Mariani; ISSTA 2020)",
    needs: "a screen that rotates",
    effect: Effect::Recreates,
    parts: &["rotation"],
    way: Way::Fixed(&WAY),
    // Another layout may show other texts and rows.
    keeps: |difference, _| match difference.aspect {
        Aspect::Typed | Aspect::Checked | Aspect::Selected => difference.widget.is_some(),
        aspect => aspect == Aspect::Page,
    },
};
