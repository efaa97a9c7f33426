//! What the owner does not do: the screen changes by itself, and a hand touches the device.
//!
//! A device that can be looked at beside its owner is, on a thread of its own. A new picture is shown at once; the
//! layout follows when the screen rests, because on a real phone it takes longer. What a hand does becomes an event
//! like one of the window's.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};

use taproof_core::device::{Device, DeviceError, Observation, PictureSource, ScreenWatcher};
use taproof_core::model::{Event, Gesture, Key, Layout, PxRect, Selector, Target, Widget};
use taproof_core::worker::{self, CancelToken, Worker};

use super::MirrorFact;
use super::owner::{Looked, Owner};
use super::path::{Node, Performed, Standing};

/// So many looks in a row without another picture, and the screen rests.
const RESTS: u32 = 3;
/// A cursor that blinks is looked at less and less often; at last about once in half a minute.
const RESTS_AT_MOST: u32 = 512;
/// A screen that changes all the time is looked at all the same.
const RESTLESS: u32 = 60;

/// What came of one look, and in which round of the owner it was begun.
pub(super) struct Look {
    round: u64,
    seen: Result<Observation, DeviceError>,
}

/// The thread that looks.
pub(super) struct Watcher {
    pub looks: Receiver<Look>,
    /// Odd while the owner does something.
    round: Arc<AtomicU64>,
    rest: Rest,
    /// Where the pictures come from.
    pub source: Option<PictureSource>,
    /// Where the keyboard was at the last look at the layout.
    keyboard: Option<PxRect>,
    /// Ends once nobody takes its looks any more.
    _thread: Worker,
}

/// Whether a screen that changed by itself rests.
#[derive(Default)]
struct Rest {
    /// The layout is older than the picture.
    stale: bool,
    /// Looks since the last other picture, and since the first one that the layout does not show.
    still: u32,
    waited: u32,
    /// How often in a row the layout was the same as before in spite of another picture.
    vain: u32,
}

impl Rest {
    fn changed(&mut self) {
        if !self.stale {
            (self.stale, self.waited) = (true, 0);
        }
        self.still = 0;
    }

    /// One more look; whether it is time for the layout.
    fn due(&mut self) -> bool {
        self.still = self.still.saturating_add(1);
        self.waited = self.waited.saturating_add(1);
        let wanted = RESTS.saturating_mul(1 << self.vain.min(8)).min(RESTS_AT_MOST);
        self.stale && (self.still >= wanted || self.waited >= wanted.max(RESTLESS))
    }

    /// Whether a touch now was meant for another layout than the one that is known. A picture that was taken just before
    /// the touch was told may show what it did already.
    fn in_doubt(&self) -> bool {
        self.stale && self.waited > 2
    }

    fn looked(&mut self, other_layout: bool) {
        let vain = if other_layout { 0 } else { self.vain + 1 };
        *self = Rest { vain, ..Rest::default() };
    }
}

impl Watcher {
    /// Begins to look at a device that can be looked at.
    pub fn begin(device: &mut dyn Device) -> Result<Option<Watcher>, DeviceError> {
        let Some(watcher) = device.screen_watcher()? else { return Ok(None) };
        let (tell, looks) = bounded(1);
        let round = Arc::new(AtomicU64::new(0));
        let seen_round = Arc::clone(&round);
        let work = move || watch(watcher, &seen_round, &tell);
        // Without the thread the mirror shows what it did itself.
        let thread = worker::spawn("watcher", &CancelToken::new(), work, |_| {});
        let Ok(_thread) = thread else { return Ok(None) };
        let (rest, source, keyboard) = (Rest::default(), None, None);
        Ok(Some(Watcher { looks, round, rest, source, keyboard, _thread }))
    }

    /// The owner begins to do something, or ends.
    pub fn turn(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the layout is of an earlier moment than the picture.
    pub fn stale(&self) -> bool {
        self.rest.stale
    }
}

fn watch(mut watcher: Box<dyn ScreenWatcher>, round: &AtomicU64, tell: &Sender<Look>) {
    loop {
        let begun = round.load(Ordering::Relaxed);
        let seen = watcher.look(begun.is_multiple_of(2));
        let ended = seen.is_err();
        // Nobody takes it: the owner has another device.
        if tell.send(Look { round: begun, seen }).is_err() || ended {
            return;
        }
    }
}

impl Owner {
    /// Takes one look of the thread watcher.
    pub(super) fn notice(&mut self, look: Look) {
        let noticed = match look.seen {
            Ok(noticed) => noticed,
            Err(error) => {
                self.go_away(error.to_string());
                return self.publish(Ok(()), 0);
            }
        };
        if !noticed.by_hand.is_empty() || noticed.beyond_words {
            let outcome = self.undisturbed(|owner| owner.by_hand(noticed.by_hand, noticed.beyond_words));
            return self.publish(outcome, 0);
        }
        let mut news = false;
        let Some(watcher) = &mut self.watcher else { return };
        if noticed.source.is_some() && watcher.source != noticed.source {
            watcher.source = noticed.source;
            news = true;
        }
        let current = watcher.round.load(Ordering::Relaxed) == look.round;
        if let (Some(picture), Some(looked)) = (noticed.picture.filter(|_| current), &mut self.looked)
            && looked.picture.as_ref() != Some(&picture)
        {
            looked.picture = Some(picture);
            // The layout follows the finger in any case.
            if !noticed.touching {
                watcher.rest.changed();
            }
            news = true;
        }
        let mut outcome = Ok(());
        if watcher.rest.due() {
            outcome = self.undisturbed(Self::look_anew);
            news = true;
        }
        if news {
            self.publish(outcome, 0);
        }
    }

    /// What the screen shows now is where the way stands.
    pub(super) fn look_anew(&mut self) -> Result<(), String> {
        let before = self.looked.as_ref().map(|looked| Arc::clone(&looked.frame.layout));
        let seen = self.act(|device| device.look_again()).and_then(|()| self.see(None));
        let other = seen.as_ref().is_ok_and(|seen| before.as_deref() != Some(&*seen.frame.layout));
        // A look that failed is no reason to ask at once again.
        if let Some(watcher) = &mut self.watcher {
            watcher.rest.looked(other);
        }
        let seen = seen?;
        if let Some(node) = self.path.nodes.get_mut(self.path.at).filter(|_| other) {
            node.seen = Some(seen);
        }
        Ok(())
    }

    /// Remembers where the keyboard is: what a hand does there is typing.
    pub(super) fn find_keyboard(&mut self) -> Result<(), String> {
        if self.watcher.is_none() {
            return Ok(());
        }
        let focused = |looked: &Looked| looked.frame.layout.widgets().iter().any(Widget::is_focused_field);
        let typing = self.looked.as_ref().is_some_and(focused);
        let keyboard = if typing { self.device()?.keyboard().map_err(super::owner::text)? } else { None };
        if let Some(watcher) = &mut self.watcher {
            watcher.keyboard = keyboard;
        }
        Ok(())
    }

    /// A hand did this on the device itself.
    fn by_hand(&mut self, events: Vec<Event>, beyond_words: bool) -> Result<(), String> {
        // What the touch was meant for is what the screen showed then.
        let in_doubt =
            events.len() > 1 || self.watcher.as_ref().is_some_and(|watcher| watcher.rest.in_doubt());
        let keyboard = self.watcher.as_ref().and_then(|watcher| watcher.keyboard);
        let mut before = self.seen_here()?;
        self.act(|device| device.look_again())?;
        (self.standing, self.redone) = (Standing::Live, 0);
        let after = self.see(None)?;
        for event in events {
            let event = match &event {
                Event::Widget { target, .. } if keyboard.is_some_and(|area| area.contains(target.at)) => {
                    typed(&before.frame.layout, &after.frame.layout)
                }
                _ => Some(event),
            };
            let Some(event) = event else { continue };
            let place = self.path.place();
            let node = Node { event: Some(event.clone()), expected: None, seen: None, snapshot: None };
            let gone = self.path.branch(node);
            self.forget(gone);
            self.keep(&after)?;
            let performed = Performed {
                place,
                event,
                before: Arc::clone(&before),
                after: Arc::clone(&after),
                again: false,
            };
            self.teller.fact(MirrorFact::Performed(Arc::new(performed)));
            before = Arc::clone(&after);
        }
        if let Some(watcher) = &mut self.watcher {
            watcher.rest.looked(true);
        }
        match (beyond_words, in_doubt) {
            (true, _) => Err("A gesture with several fingers on the phone is not recorded.".to_owned()),
            (false, true) => {
                Err("The phone was touched before its layout was read. Check what the last steps \
                                  touched."
                    .to_owned())
            }
            (false, false) => Ok(()),
        }
    }
}

/// What keys of the phone's keyboard did: the content of a field is another one, or the keyboard's action was done.
fn typed(before: &Layout, after: &Layout) -> Option<Event> {
    let field = before.widgets().iter().find(|widget| widget.is_focused_field())?;
    let same = |other: &&Widget| {
        other.is_focused_field() && other.resource_id == field.resource_id && other.class == field.class
    };
    match after.widgets().iter().find(same) {
        Some(now) if now.text != field.text => {
            let at = field.bounds.center();
            let target = Target { selector: Selector::default(), at, screen: before.screen() };
            Some(Event::Widget { target, gesture: Gesture::SetText(now.text.to_string()) })
        }
        // Shift, or other signs on the keys.
        Some(_) if before == after => None,
        Some(_) | None => Some(Event::Key(Key::ImeAction)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_core::model::{WidgetFlags, WidgetIdx, layout_from};

    #[test]
    fn a_screen_rests_before_its_layout_is_read() {
        let mut rest = Rest::default();
        assert!(!(0..100).any(|_| rest.due()), "nothing changed");
        rest.changed();
        assert_eq!((0..100).position(|_| rest.due()), Some(RESTS as usize - 1));
        // It never rests.
        let mut rest = Rest::default();
        let due = (0..1000).position(|_| {
            rest.changed();
            rest.due()
        });
        assert_eq!(due, Some(RESTLESS as usize - 1));
    }

    #[test]
    fn a_cursor_that_blinks_is_looked_at_less_and_less() {
        let mut rest = Rest::default();
        let mut waits = Vec::new();
        for _ in 0..12 {
            rest.changed();
            waits.push((1..10_000).position(|_| rest.due()).unwrap() + 1);
            rest.looked(false);
        }
        assert_eq!(waits[..4], [3, 6, 12, 24]);
        assert_eq!(waits[11], RESTS_AT_MOST as usize);
        rest.looked(true);
        rest.changed();
        assert_eq!((1..10_000).position(|_| rest.due()).unwrap() + 1, RESTS as usize);
    }

    #[test]
    fn keys_of_the_keyboard_are_what_they_did() {
        let page = |text: &str, found: &str| {
            let layout = layout_from(&format!("EditText#field \"{text}\"\nTextView#found \"{found}\"\n"));
            let fields: Vec<WidgetIdx> =
                layout.iter().filter(|(_, widget)| widget.is_text_field()).map(|(idx, _)| idx).collect();
            layout.with_changed(&fields, |field| field.flags = field.flags.with(WidgetFlags::FOCUSED, true))
        };
        let field = page("a", "");
        let typed_text = match typed(&field, &page("ab", "")) {
            Some(Event::Widget { gesture: Gesture::SetText(text), target }) => {
                assert!(field.touch_target(target.at).is_some());
                text
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(typed_text, "ab");
        assert_eq!(typed(&field, &field), None, "shift");
        assert_eq!(typed(&field, &page("a", "one")), Some(Event::Key(Key::ImeAction)));
        assert_eq!(typed(&field, &layout_from("TextView \"found\"\n")), Some(Event::Key(Key::ImeAction)));
    }
}
