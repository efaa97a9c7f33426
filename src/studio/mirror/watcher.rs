//! Changes that the owner did not cause: the screen changes by itself, or somebody touches the device.
//!
//! A device that supports it is watched by a separate thread. A new picture is shown at once; the layout follows when
//! the screen has settled, because reading it takes longer on a real phone. What a person does on the device itself
//! becomes events like those of the window.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::MirrorFact;
use super::owner::{Looked, Owner};
use super::path::{Node, Performed, ReachedBy};
use taproof_engine::device::{Device, DeviceError, Observation, PictureSource, ScreenWatcher};
use taproof_engine::worker::{self, CancelToken, Worker};
use taproof_screen::{Event, Gesture, Key, Layout, PxRect, Selector, TouchTarget, Widget};

/// Number of consecutive polls without a new picture after which the screen has settled.
const RESTS: u32 = 3;
/// Upper bound of that number. It doubles while the layout stays the same, so that a blinking cursor makes the layout
/// be read only about twice a minute.
const RESTS_AT_MOST: u32 = 512;
/// Number of polls after which the layout is read even if the screen keeps changing.
const RESTLESS: u32 = 60;

/// The result of a poll, with the owner's round in which the poll began.
pub(super) struct Poll {
    round: u64,
    seen: Result<Observation, DeviceError>,
}

/// Handle of the thread that watches the device.
pub(super) struct Watcher {
    pub looks: Receiver<Poll>,
    /// Odd while the owner does something.
    round: Arc<AtomicU64>,
    rest: Rest,
    /// How the pictures are taken, as last reported.
    pub source: Option<PictureSource>,
    /// The keyboard's area when the layout was last read. `None` if it was hidden.
    keyboard: Option<PxRect>,
    /// Ends when the receiver of its polls is dropped.
    _thread: Worker,
}

/// Whether a screen that changed by itself has settled.
#[derive(Default)]
struct Rest {
    /// Whether the layout is older than the picture.
    stale: bool,
    /// Number of polls since the last new picture, and since the first one newer than the layout.
    still: u32,
    waited: u32,
    /// How often in a row the layout was unchanged despite a new picture.
    vain: u32,
}

impl Rest {
    fn changed(&mut self) {
        if !self.stale {
            (self.stale, self.waited) = (true, 0);
        }
        self.still = 0;
    }

    /// Counts a poll. Returns whether the layout must be read now.
    fn due(&mut self) -> bool {
        self.still = self.still.saturating_add(1);
        self.waited = self.waited.saturating_add(1);
        let wanted = RESTS.saturating_mul(1 << self.vain.min(8)).min(RESTS_AT_MOST);
        self.stale && (self.still >= wanted || self.waited >= wanted.max(RESTLESS))
    }

    /// Whether a touch may have been aimed at another layout than the known one. The first picture newer than the
    /// layout is excluded: it may already show the effect of a touch that is reported afterwards.
    fn in_doubt(&self) -> bool {
        self.stale && self.waited > 2
    }

    fn looked(&mut self, other_layout: bool) {
        let vain = if other_layout { 0 } else { self.vain + 1 };
        *self = Rest { vain, ..Rest::default() };
    }
}

impl Watcher {
    /// Starts to watch a device. Returns `None` if the device cannot be watched or the thread cannot be started.
    ///
    /// # Errors
    ///
    /// If the device fails.
    pub fn begin(device: &mut dyn Device) -> Result<Option<Watcher>, DeviceError> {
        let Some(watcher) = device.screen_watcher()? else { return Ok(None) };
        let (tell, looks) = bounded(1);
        let round = Arc::new(AtomicU64::new(0));
        let seen_round = Arc::clone(&round);
        let work = move || watch(watcher, &seen_round, &tell);
        // Without the thread, the mirror shows only the results of its own events.
        let thread = worker::spawn("watcher", &CancelToken::new(), work, |_| {});
        let Ok(_thread) = thread else { return Ok(None) };
        let (rest, source, keyboard) = (Rest::default(), None, None);
        Ok(Some(Watcher { looks, round, rest, source, keyboard, _thread }))
    }

    /// Called when the owner begins or ends doing something.
    pub fn turn(&self) {
        self.round.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the layout is older than the picture.
    pub fn stale(&self) -> bool {
        self.rest.stale
    }
}

fn watch(mut watcher: Box<dyn ScreenWatcher>, round: &AtomicU64, tell: &Sender<Poll>) {
    let mut last = 0;
    loop {
        let begun = round.load(Ordering::Relaxed);
        // A picture from before the owner's last round was discarded. After a look without pictures it is taken anew.
        let pictures = begun.is_multiple_of(2) && begun == last;
        last = begun;
        let seen = watcher.look(pictures);
        let ended = seen.is_err();
        // The receiver is dropped if the owner has another device.
        if tell.send(Poll { round: begun, seen }).is_err() || ended {
            return;
        }
    }
}

impl Owner {
    /// Processes one poll of the watcher's thread.
    pub(super) fn notice(&mut self, look: Poll) {
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
            // A finger on the screen will cause the layout to be read anyway.
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

    /// Reads the layout again and stores the screen at the current position of the path.
    pub(super) fn look_anew(&mut self) -> Result<(), String> {
        let before = self.looked.as_ref().map(|looked| Arc::clone(&looked.frame.layout));
        let seen = self.act(|device| device.look_again()).and_then(|()| self.see(None));
        let other = seen.as_ref().is_ok_and(|seen| before.as_deref() != Some(&*seen.frame.layout));
        // After a failure, too, the next attempt must wait until it is due.
        if let Some(watcher) = &mut self.watcher {
            watcher.rest.looked(other);
        }
        let seen = seen?;
        if let Some(node) = self.path.nodes.get_mut(self.path.at).filter(|_| other) {
            node.seen = Some(seen);
        }
        Ok(())
    }

    /// Stores the keyboard's area: touches there are typing.
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

    /// Adds what a person did on the device itself to the path. `beyond_words`: some of it cannot be expressed as
    /// events.
    fn by_hand(&mut self, events: Vec<Event>, beyond_words: bool) -> Result<(), String> {
        // The touch was aimed at what the screen showed then.
        let in_doubt =
            events.len() > 1 || self.watcher.as_ref().is_some_and(|watcher| watcher.rest.in_doubt());
        let keyboard = self.watcher.as_ref().and_then(|watcher| watcher.keyboard);
        let mut before = self.seen_here()?;
        self.act(|device| device.look_again())?;
        (self.standing, self.redone) = (ReachedBy::Live, 0);
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
            self.publisher.fact(MirrorFact::Performed(Arc::new(performed)));
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

/// Returns the effect of the phone's keyboard as an event: the new text of the field or else the keyboard's action key.
/// `None` if nothing changed.
fn typed(before: &Layout, after: &Layout) -> Option<Event> {
    let field = before.widgets().iter().find(|widget| widget.is_focused_field())?;
    let same = |other: &&Widget| {
        other.is_focused_field() && other.resource_id == field.resource_id && other.class == field.class
    };
    match after.widgets().iter().find(same) {
        Some(now) if now.text != field.text => {
            let at = field.bounds.center();
            let target = TouchTarget { selector: Selector::default(), at, screen: before.screen() };
            Some(Event::Widget { target, gesture: Gesture::SetText(now.text.to_string()) })
        }
        // Shift, or another page of the keyboard.
        Some(_) if before == after => None,
        Some(_) | None => Some(Event::Key(Key::ImeAction)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;
    use taproof_screen::{WidgetFlags, WidgetIdx, layout_from};

    /// Follows the owner's rounds during its looks, and notes which looks were for pictures.
    struct Looks {
        rounds: VecDeque<u64>,
        round: Arc<AtomicU64>,
        asked: Sender<bool>,
    }

    impl ScreenWatcher for Looks {
        fn look(&mut self, pictures: bool) -> Result<Observation, DeviceError> {
            self.asked.send(pictures).unwrap();
            let next = self.rounds.pop_front();
            let next = next.ok_or_else(|| DeviceError::BadPicture { problem: "the end".to_owned() })?;
            self.round.store(next, Ordering::Relaxed);
            Ok(Observation::default())
        }
    }

    #[test]
    fn what_is_seen_while_the_owner_works_is_taken_anew() {
        let round = Arc::new(AtomicU64::new(0));
        let ((asked, were_asked), (tell, polls)) = (bounded(9), bounded(9));
        // The owner works during the second look and is done before it ends, and works for a whole look later.
        let rounds = VecDeque::from([0, 2, 2, 2, 3, 4, 4]);
        watch(Box::new(Looks { rounds, round: Arc::clone(&round), asked }), &round, &tell);
        let asked: Vec<bool> = were_asked.try_iter().collect();
        assert_eq!(asked, [true, true, false, true, true, false, false, true]);
        assert_eq!(polls.try_iter().map(|poll| poll.round).collect::<Vec<_>>(), [0, 0, 2, 2, 2, 3, 4, 4]);
    }

    #[test]
    fn a_screen_rests_before_its_layout_is_read() {
        let mut rest = Rest::default();
        assert!(!(0..100).any(|_| rest.due()), "nothing changed");
        rest.changed();
        assert_eq!((0..100).position(|_| rest.due()), Some(RESTS as usize - 1));
        // A screen that never settles.
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
