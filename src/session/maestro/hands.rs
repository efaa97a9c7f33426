//! What a flow does with the screen: touches, texts, swipes, keys, and waiting for widgets.

use std::sync::Arc;

use super::command::What;
use super::player::{Asserted, Player};
use super::random::made_up;
use super::selector::{Judgement, Swipe, Target};
use super::turn::{Halt, Turn};
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    AppHealth, Direction, Event, Frame, Gesture, Key, Layout, MaestroSelector, PxPoint, PxRect, Selector,
    SystemEvent, TouchTarget, WidgetIdx, event_on, swipe_line,
};

/// The time between two looks at the screen.
const PAUSE: DeviceDuration = DeviceDuration(500);
/// Most events of a recording.
const MAX_EVENTS: usize = 2_000;
/// How far from the middle of the screen a widget is central, as a part of the screen.
const CENTRAL: i32 = 6;

/// A field that was just tapped or emptied, whose text may be typed next: all of that is one step.
pub(super) struct Typing {
    /// The step that begins it.
    from: usize,
    /// How many steps there are then.
    until: usize,
}

impl Player<'_> {
    /// Performs a command on the screen.
    pub fn by_hand(&mut self, turn: &Turn<'_>, what: What<'_>) -> Result<(), Halt> {
        match what {
            What::Touch { on, long } => self.touch(turn, &on, long),
            What::Judge(judgement) => match self.judge(turn, &judgement) {
                // What is only asserted ends nothing, but other commands are tried again until it holds.
                Err(Halt::Failed { why, .. }) if !judgement.waits && self.retries == 0 => {
                    self.played.failed += 1;
                    self.played.notes.push(format!("{why}: this is asserted, and does not hold here"));
                    Ok(())
                }
                judged => judged,
            },
            What::Type(text) => self.type_text(turn, &text),
            What::TypeRandom(kind, length) => {
                let text = made_up(kind, length, &mut self.rng);
                self.type_text(turn, &text)
            }
            What::Erase(count) => self.erase(turn, count),
            What::Copy(selector) => {
                let idx = self.widget(turn, &selector)?;
                let widget = self.now.layout.widget(idx);
                let shown = [&widget.text, &widget.hint, &widget.content_desc];
                let text = shown.into_iter().find(|text| !text.is_empty()).map(|text| text.to_string());
                let none = || turn.failed(&format!("what is {selector} has no text"));
                self.copied(text.ok_or_else(none)?);
                Ok(())
            }
            What::Clip(text) => {
                self.copied(text);
                Ok(())
            }
            What::Paste => match self.clip.clone() {
                Some(text) => self.type_text(turn, &text),
                None => {
                    self.note(turn, "nothing was copied, so nothing is pasted");
                    Ok(())
                }
            },
            What::Press(key) => self.perform(turn, Event::Key(key)),
            What::HideKeyboard => match self.device.keyboard()? {
                Some(_) => self.perform(turn, Event::Key(Key::Back)),
                None => Ok(()),
            },
            What::Swipe(swipe) => self.swipe(turn, &swipe),
            What::ScrollTo { to, direction, millis, centre } => {
                self.scroll_to(turn, &to, direction, millis, centre)
            }
            What::Turn { sideways } => match self.now.layout.rotation().sideways() == sideways {
                true => Ok(()),
                false => self.perform(turn, Event::Rotate),
            },
            What::Airplane(on) => {
                let what = match on {
                    Some(true) => SystemEvent::NetworkOff,
                    Some(false) => SystemEvent::NetworkOn,
                    None => SystemEvent::AirplaneMode,
                };
                self.perform(turn, Event::System(what))
            }
            What::Dark(on) if on == Some(self.dark) => Ok(()),
            What::Dark(_) => {
                self.dark = !self.dark;
                self.perform(turn, Event::System(SystemEvent::DarkMode))
            }
            What::Link(link) => self.perform(turn, Event::OpenLink(link)),
            // The screen is at rest after every event.
            What::Wait(None) => Ok(()),
            What::Wait(Some(millis)) => self.perform(turn, Event::Wait(DeviceDuration(millis))),
            // Those are performed by the player itself.
            _ => Ok(()),
        }
    }

    /// Performs an event. What the device cannot do ends the flow there.
    pub fn perform(&mut self, turn: &Turn<'_>, event: Event) -> Result<(), Halt> {
        if self.played.steps.len() >= MAX_EVENTS {
            return Err(turn.impossible(&format!("it has more than {MAX_EVENTS} events")));
        }
        match self.keep(event) {
            Err(Halt::Device(
                error @ (DeviceError::CannotType { .. }
                | DeviceError::Unsupported { .. }
                | DeviceError::NotStarted { .. }),
            )) => Err(turn.impossible(&error.to_string())),
            Err(other) => Err(other),
            Ok(()) => {
                // The recording of a flow that lets the app fail is wanted most of all.
                if let AppHealth::Crashed(report) | AppHealth::NotResponding(report) = self.now.health.clone()
                {
                    self.note(turn, &format!("the app fails here: {}: {}", report.exception, report.message));
                }
                Ok(())
            }
        }
    }

    /// Performs an event and keeps it with the screen after it.
    pub fn keep(&mut self, event: Event) -> Result<(), Halt> {
        self.device.perform(&event)?;
        self.now = self.device.observe()?;
        self.played.steps.push((event, self.now.clone()));
        Ok(())
    }

    /// Looks at the screen until something holds of it. If it was waited for, the recording waits as well.
    fn wait<T>(&mut self, looks: usize, holds: impl Fn(&Layout) -> Option<T>) -> Result<Option<T>, Halt> {
        let mut found = holds(&self.now.layout);
        let mut waited = 0;
        while found.is_none() && waited < looks as u64 {
            waited += 1;
            self.device.perform(&Event::Wait(PAUSE))?;
            self.now = self.device.observe()?;
            found = holds(&self.now.layout);
        }
        if waited > 0 && found.is_some() {
            self.played.steps.push((Event::Wait(DeviceDuration(waited * PAUSE.0)), self.now.clone()));
        } else if waited > 0 {
            // Nobody knows why it was waited, but the next event finds this screen.
            let last = self.played.steps.last_mut().map_or(&mut self.played.start, |(_, frame)| frame);
            *last = self.now.clone();
        }
        Ok(found)
    }

    /// Waits for a widget; `None` if it does not appear.
    pub fn shown(&mut self, selector: &MaestroSelector, looks: usize) -> Result<Option<WidgetIdx>, Halt> {
        self.wait(looks, |layout| selector.find(layout).first().copied())
    }

    /// Waits until a widget is gone. Returns whether it is.
    pub fn gone(&mut self, selector: &MaestroSelector, looks: usize) -> Result<bool, Halt> {
        let gone = |layout: &Layout| selector.find(layout).is_empty().then_some(());
        self.wait(looks, gone).map(|gone| gone.is_some())
    }

    fn widget(&mut self, turn: &Turn<'_>, selector: &MaestroSelector) -> Result<WidgetIdx, Halt> {
        self.shown(selector, turn.looks)?
            .ok_or_else(|| turn.failed(&format!("nothing on the screen is {selector}")))
    }

    /// Where a command touches.
    fn place(&mut self, turn: &Turn<'_>, on: &Target) -> Result<PxPoint, Halt> {
        let inside = match on.selector.is_empty() {
            true => None,
            false => Some(self.widget(turn, &on.selector)?),
        };
        let layout = &self.now.layout;
        Ok(match (inside, on.point) {
            (Some(idx), Some(point)) => point.within(layout.widget(idx).bounds),
            // Where something covers it, that is touched.
            (Some(idx), None) => layout.touch_point(idx).unwrap_or(layout.widget(idx).bounds.center()),
            (None, point) => point.map_or(PxPoint { x: 0, y: 0 }, |point| point.on(layout.screen())),
        })
    }

    fn touch(&mut self, turn: &Turn<'_>, on: &Target, long: bool) -> Result<(), Halt> {
        let at = self.place(turn, on)?;
        let gesture = if long { Gesture::LongPress } else { Gesture::Tap };
        let before = self.now.layout.clone();
        for time in 0..on.times {
            if time > 0 {
                self.note(turn, "its taps are kept as single ones, with the screen at rest between them");
                if on.delay > PAUSE.0 {
                    self.perform(turn, Event::Wait(DeviceDuration(on.delay)))?;
                }
            }
            self.gesture(turn, at, gesture.clone())?;
        }
        if on.retry && *before == *self.now.layout {
            self.gesture(turn, at, gesture)?;
        }
        let steps = self.played.steps.len();
        let taps_field = before.hit_test(at).is_some_and(|idx| before.widget(idx).is_editable());
        let once = on.times == 1 && !long && taps_field;
        self.typing = once.then(|| Typing { from: steps.saturating_sub(1), until: steps });
        Ok(())
    }

    fn gesture(&mut self, turn: &Turn<'_>, at: PxPoint, gesture: Gesture) -> Result<(), Halt> {
        let target = TouchTarget { selector: Selector::default(), at, screen: self.now.layout.screen() };
        self.perform(turn, Event::Widget { target, gesture })
    }

    /// The field with the focus, and how many letters are in it.
    fn field(&self) -> Option<(WidgetIdx, usize)> {
        let layout = &self.now.layout;
        let (idx, field) = layout.iter().find(|(_, widget)| widget.is_focused_field())?;
        Some((idx, field.text.chars().count()))
    }

    /// Types a text. Into an empty field that was just tapped or emptied, that is one step with the tap.
    fn type_text(&mut self, turn: &Turn<'_>, text: &str) -> Result<(), Halt> {
        let empty = self.field().is_some_and(|(_, letters)| letters == 0);
        let typing = self.typing.take().filter(|typing| empty && typing.until == self.played.steps.len());
        self.perform(turn, Event::Type(text.to_owned()))?;
        let Some(typing) = typing else { return Ok(()) };
        if let Some((Event::Widget { target, .. }, _)) = self.played.steps.get(typing.from) {
            let event = Event::Widget { target: target.clone(), gesture: Gesture::SetText(text.to_owned()) };
            self.played.steps.truncate(typing.from);
            self.played.steps.push((event, self.now.clone()));
        }
        Ok(())
    }

    fn erase(&mut self, turn: &Turn<'_>, count: usize) -> Result<(), Halt> {
        let Some((idx, letters)) = self.field().filter(|(_, letters)| *letters > 0) else { return Ok(()) };
        let from = self.typing.take().filter(|typing| typing.until == self.played.steps.len());
        let from = from.map_or(self.played.steps.len(), |typing| typing.from);
        match event_on(&self.now.layout, idx, Gesture::SetText(String::new())).filter(|_| count >= letters) {
            Some(event) => {
                self.perform(turn, event)?;
                self.typing = Some(Typing { from, until: self.played.steps.len() });
                Ok(())
            }
            None => (0..count.min(letters)).try_for_each(|_| self.perform(turn, Event::Key(Key::Delete))),
        }
    }

    fn swipe(&mut self, turn: &Turn<'_>, swipe: &Swipe) -> Result<(), Halt> {
        let screen = self.now.layout.screen();
        let whole = PxRect::new(0, 0, screen.width, screen.height);
        let part = |of: i32, percent: i32| (i64::from(of) * i64::from(percent) / 100) as i32;
        let (from, to) = match swipe {
            Swipe::Between(from, to) => {
                let (from, to) = (from.on(screen), to.on(screen));
                if let Some(event) = self.swipe_along(from, to) {
                    return self.perform(turn, event);
                }
                (from, to)
            }
            Swipe::Over(direction @ (Direction::Up | Direction::Down)) => {
                if let Some(event) = self.scroll_event(*direction) {
                    return self.perform(turn, event);
                }
                let (start, end) = if *direction == Direction::Up { (50, 10) } else { (20, 90) };
                let point = |percent| PxPoint { x: whole.center().x, y: part(screen.height, percent) };
                (point(start), point(end))
            }
            Swipe::Over(direction) => {
                let (start, end) = if *direction == Direction::Left { (90, 10) } else { (10, 90) };
                let point = |percent| PxPoint { x: part(screen.width, percent), y: whole.center().y };
                (point(start), point(end))
            }
            Swipe::From(target, direction) => {
                let from = self.place(turn, target)?;
                let to = match direction {
                    Direction::Up => PxPoint { y: part(screen.height, 10), ..from },
                    Direction::Down => PxPoint { y: part(screen.height, 90), ..from },
                    Direction::Left => PxPoint { x: part(screen.width, 10), ..from },
                    Direction::Right => PxPoint { x: part(screen.width, 90), ..from },
                };
                (from, to)
            }
        };
        self.gesture(turn, from, Gesture::Drag(to))
    }

    /// The swipe over a widget at the beginning of a line that moves the finger along that line, up to a percent of the
    /// screen: flows that were exported have their swipes as lines.
    fn swipe_along(&self, from: PxPoint, to: PxPoint) -> Option<Event> {
        let layout = &self.now.layout;
        let screen = layout.screen();
        let direction = match (to.x - from.x, to.y - from.y) {
            (0, down) if down < 0 => Direction::Up,
            (0, _) => Direction::Down,
            (across, 0) if across < 0 => Direction::Left,
            (_, 0) => Direction::Right,
            _ => return None,
        };
        let near = |one: PxPoint, other: PxPoint| {
            (one.x - other.x).abs() <= screen.width / 100 + 1
                && (one.y - other.y).abs() <= screen.height / 100 + 1
        };
        let over = |idx: WidgetIdx| {
            let event = event_on(layout, idx, Gesture::Swipe(direction))?;
            let Event::Widget { target, .. } = &event else { return None };
            let line = swipe_line(&event, target.at, direction, layout);
            (near(line.0, from) && near(line.1, to)).then_some(event)
        };
        layout.stack_at(from).into_iter().find_map(over)
    }

    /// A swipe over what can be scrolled in the middle of the screen, or else over the first that can.
    fn scroll_event(&self, direction: Direction) -> Option<Event> {
        let layout = &self.now.layout;
        let screen = layout.screen();
        let middle = PxPoint { x: screen.width / 2, y: screen.height / 2 };
        let scrolls = |idx: &WidgetIdx| layout.widget(*idx).scrollable();
        let here = layout.stack_at(middle).into_iter().find(scrolls);
        let list = here.or_else(|| layout.iter().map(|(idx, _)| idx).find(scrolls))?;
        event_on(layout, list, Gesture::Swipe(direction))
    }

    fn scroll_to(
        &mut self,
        turn: &Turn<'_>,
        to: &MaestroSelector,
        direction: Direction,
        millis: u64,
        centre: bool,
    ) -> Result<(), Halt> {
        let until = self.now.at.0.saturating_add(millis);
        let mut unchanged = 0;
        loop {
            if let Some(idx) = self.shown(to, 1)? {
                return if centre { self.centre(turn, idx, direction) } else { Ok(()) };
            }
            if unchanged > 1 || self.now.at.0 >= until {
                return Err(turn.failed(&format!("nothing that is {to} was scrolled to")));
            }
            let before = self.now.layout.clone();
            match self.scroll_event(direction) {
                Some(event) => self.perform(turn, event)?,
                None => self.swipe(turn, &Swipe::Over(direction))?,
            }
            if *before == *self.now.layout {
                // At the end of the list; perhaps more of it is loaded.
                unchanged += 1;
                self.played.steps.pop();
            } else {
                unchanged = 0;
            }
        }
    }

    /// Drags a widget to the middle of the screen, as far as its list goes.
    fn centre(&mut self, turn: &Turn<'_>, idx: WidgetIdx, direction: Direction) -> Result<(), Halt> {
        let screen = self.now.layout.screen();
        let from = self.now.layout.widget(idx).bounds.center();
        let upright = matches!(direction, Direction::Up | Direction::Down);
        let to = match upright {
            true => PxPoint { y: screen.height / 2, ..from },
            false => PxPoint { x: screen.width / 2, ..from },
        };
        let far = match upright {
            true => (to.y - from.y).abs() > screen.height / CENTRAL,
            false => (to.x - from.x).abs() > screen.width / CENTRAL,
        };
        if !far {
            return Ok(());
        }
        let before = self.now.layout.clone();
        self.gesture(turn, from, Gesture::Drag(to))?;
        if *before == *self.now.layout {
            self.played.steps.pop();
        }
        Ok(())
    }

    /// Waits until something is shown and something else is not, and keeps that this was asserted.
    fn judge(&mut self, turn: &Turn<'_>, judgement: &Judgement) -> Result<(), Halt> {
        let looks = judgement.millis.map_or(turn.looks, |millis| (millis / PAUSE.0) as usize);
        if let Some(selector) = &judgement.shown {
            let Some(idx) = self.shown(selector, looks)? else {
                return Err(turn.failed(&format!("nothing on the screen is {selector}")));
            };
            let widget = Some((Arc::clone(&self.now.layout), idx));
            self.assert(selector, true, widget);
        }
        if let Some(selector) = &judgement.gone {
            if !self.gone(selector, looks)? {
                return Err(turn.failed(&format!("something on the screen is still {selector}")));
            }
            let steps = self.played.steps.iter().rev().map(|(_, frame)| frame);
            let on =
                |frame: &Frame| Some((Arc::clone(&frame.layout), *selector.find(&frame.layout).first()?));
            let widget = steps.chain([&self.played.start]).find_map(on);
            self.assert(selector, false, widget);
        }
        Ok(())
    }

    fn assert(&mut self, selector: &MaestroSelector, shown: bool, widget: Option<(Arc<Layout>, WidgetIdx)>) {
        let text = selector.text.as_ref().and_then(|text| text.plain()).map(str::to_owned);
        let (after, state) = (self.played.steps.len(), selector.states.first().copied());
        self.played.asserted.push(Asserted { after, shown, widget, state, text });
    }
}
