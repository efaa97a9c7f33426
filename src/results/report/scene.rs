//! What is drawn over the screen of a step: marks on widgets, and the movement of the finger. Shared by pages and
//! animations.

use std::sync::Arc;

use super::{Mark, ReplayFrame, touch_of};
use taproof_campaign::{Bug, CardScreen, Evidence};
use taproof_engine::device::PngBytes;
use taproof_screen::{Event, Gesture, Layout, PxPoint, PxRect, swipe_line};

/// A screen with what is drawn over it.
pub(super) struct Scene<'a> {
    pub layout: &'a Layout,
    /// Index of the frame in the trace.
    pub frame: usize,
    pub picture: Option<&'a Arc<PngBytes>>,
    /// The marks, with the strongest last, so that it is drawn on top.
    pub boxes: Vec<(PxRect, Mark)>,
    pub touch: Option<Touch>,
}

/// The movement of the finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    Point { at: PxPoint, long: bool },
    Line { from: PxPoint, to: PxPoint },
}

/// A screen on the card of a bug, with what is lost or wrong marked.
pub(super) fn card_scene<'a>(
    bug: &'a Bug,
    shown: &CardScreen,
    picture: Option<&'a Arc<PngBytes>>,
) -> Option<Scene<'a>> {
    let layout = &bug.shown.minimal.trace.frame(shown.frame)?.layout;
    let bounds = shown.ringed.iter().filter_map(|widget| Some(layout.get(*widget)?.bounds));
    let boxes = bounds.map(|bounds| (bounds, Mark::Offending)).collect();
    Some(Scene { layout, frame: shown.frame, picture, boxes, touch: None })
}

/// The screen before the step, with a mark on the touched widget.
pub(super) fn scene_before<'a>(frame: &'a ReplayFrame, evidence: &'a Evidence) -> Scene<'a> {
    Scene {
        touch: frame.event.as_ref().and_then(|event| touch(event, &frame.before)),
        ..scene(&frame.before, frame.step, &frame.marks_before, evidence)
    }
}

/// The screen after the step, with marks on what is wrong and what changed.
pub(super) fn scene_after<'a>(frame: &'a ReplayFrame, evidence: &'a Evidence) -> Scene<'a> {
    scene(&frame.after, frame.frame_after, &frame.marks_after, evidence)
}

fn scene<'a>(
    layout: &'a Layout,
    frame: usize,
    marks: &std::collections::BTreeMap<taproof_screen::WidgetIdx, Mark>,
    evidence: &'a Evidence,
) -> Scene<'a> {
    let bounds = |(idx, mark): (&taproof_screen::WidgetIdx, &Mark)| Some((layout.get(*idx)?.bounds, *mark));
    let mut boxes: Vec<(PxRect, Mark)> =
        marks.iter().filter_map(bounds).filter(|(rect, _)| !rect.is_empty()).collect();
    boxes.sort_by_key(|(_, mark)| std::cmp::Reverse(strength(*mark)));
    Scene {
        layout,
        frame,
        picture: evidence.screenshots.get(frame).and_then(Option::as_ref),
        boxes,
        touch: None,
    }
}

/// Rank of a mark; 0 is the strongest.
fn strength(mark: Mark) -> u8 {
    match mark {
        Mark::Offending => 0,
        Mark::Touched => 1,
        Mark::Added => 2,
        Mark::Changed => 3,
    }
}

fn touch(event: &Event, layout: &Layout) -> Option<Touch> {
    let (target, gesture) = touch_of(event)?;
    let at = target.at;
    Some(match gesture {
        Gesture::Tap | Gesture::SetText(_) => Touch::Point { at, long: false },
        Gesture::LongPress => Touch::Point { at, long: true },
        Gesture::Swipe(direction) => {
            let (from, to) = swipe_line(event, at, *direction, layout);
            Touch::Line { from, to }
        }
        Gesture::Drag(to) => Touch::Line { from: at, to: *to },
    })
}
