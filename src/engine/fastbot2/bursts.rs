//! Bursts of events that are not chosen by the model (paper.md, section 8): drawn by weight, anywhere on the screen.

use std::sync::Arc;

use crate::{RoundCtx, Stop};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, Gesture, Key, Layout, PxPoint, StepRole, SystemEvent, WidgetIdx, event_at};
use taproof_spec::{Block, BlockedTouches, is_key_forbidden};

use super::Fastbot2;
use super::choose::unit;
use super::config::Bursts;
use super::rules::{Matches, RulesOnPage};

const NAV_KEYS: [Key; 4] = [Key::DpadUp, Key::DpadDown, Key::DpadLeft, Key::DpadRight];
const MAJOR_NAV_KEYS: [Key; 2] = [Key::Menu, Key::DpadCenter];
const SYSTEM_KEYS: [Key; 5] = [Key::Back, Key::Home, Key::Search, Key::VolumeUp, Key::VolumeDown];
/// Number of events of a burst, at least and at most (the published program's; paper.md, section 8).
const SHORTEST: usize = 5;
const LONGEST: usize = 9;
/// Number of draws of a point before the event is skipped: most of the screen may be blocked.
const TRIES: usize = 10;

impl Fastbot2 {
    /// Occasionally performs a burst of random events. After it the device is in portrait orientation and online.
    pub(super) fn burst(&mut self, ctx: &mut RoundCtx<'_>) -> Result<(), Stop> {
        let (config, by_rules) = (Arc::clone(&self.config), Arc::clone(&self.by_rules));
        let Some(length) = length(&by_rules.bursts, &mut self.chance.bursts) else { return Ok(()) };
        self.break_chain();
        let setting = ctx.target();
        let mut offline = false;
        for _ in 0..length {
            let frame = ctx.frame().clone();
            let (layout, rules) = RulesOnPage::read(&config.rules, &frame.layout, &mut Matches::default());
            let ground = Ground { layout: &layout, app: &setting.app, blocks: ctx.blocks(), rules: &rules };
            if let Some(event) = event(&by_rules.bursts, ground, &mut self.chance.bursts) {
                offline |= event == Event::System(SystemEvent::NetworkOff);
                self.state.other.bursts += 1;
                ctx.perform(event, StepRole::Explored)?;
            }
        }
        if ctx.frame().layout.rotation().sideways() {
            ctx.perform(Event::Rotate, StepRole::Explored)?;
        }
        if offline {
            ctx.perform(Event::System(SystemEvent::NetworkOn), StepRole::Explored)?;
        }
        Ok(())
    }
}

/// Length of the next burst; `None` if there is none now.
fn length(bursts: &Bursts, rng: &mut Rng) -> Option<usize> {
    (unit(rng) < bursts.rate).then(|| rng.between(SHORTEST, LONGEST))
}

/// What the events of a burst are drawn for.
#[derive(Clone, Copy)]
struct Ground<'a> {
    pub layout: &'a Layout,
    /// Package name of the app under test.
    pub app: &'a str,
    pub blocks: &'a [Block],
    pub rules: &'a RulesOnPage<'a>,
}

/// Draws one event; `None` if it cannot or must not be performed on this screen.
fn event(bursts: &Bursts, ground: Ground<'_>, rng: &mut Rng) -> Option<Event> {
    let weights = [
        bursts.rotate,
        bursts.app_switch,
        bursts.nav_keys,
        bursts.major_nav_keys,
        bursts.key_code,
        bursts.system_keys,
        bursts.drag,
        bursts.click,
        bursts.wifi + bursts.airplane,
    ];
    let mut left = unit(rng) * weights.iter().sum::<f64>();
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    })?;
    let one_of = |keys: &[Key], rng: &mut Rng| rng.pick(keys).copied().filter(|key| ground.allows(*key));
    match drawn {
        0 => Some(Event::Rotate),
        1 => Some(Event::Key(Key::Recents)),
        2 => one_of(&NAV_KEYS, rng).map(Event::Key),
        3 => one_of(&MAJOR_NAV_KEYS, rng).map(Event::Key),
        4 => one_of(&Key::ALL, rng).map(Event::Key),
        5 => one_of(&SYSTEM_KEYS, rng).map(Event::Key),
        6 => {
            let (idx, from) = ground.touch(rng)?;
            Some(event_at(ground.layout, idx, from, Gesture::Drag(ground.any_point(rng))))
        }
        7 => {
            let (idx, at) = ground.touch(rng)?;
            // A touch lasts up to a second; half of them are long enough to count as a long press.
            let gesture = if rng.chance(1, 2) { Gesture::LongPress } else { Gesture::Tap };
            Some(event_at(ground.layout, idx, at, gesture))
        }
        _ => Some(Event::System(SystemEvent::NetworkOff)),
    }
}

impl Ground<'_> {
    fn allows(&self, key: Key) -> bool {
        !is_key_forbidden(self.blocks, self.layout, key)
    }

    fn any_point(&self, rng: &mut Rng) -> PxPoint {
        let screen = self.layout.screen();
        let along = |length: i32, rng: &mut Rng| rng.below(length.max(1) as usize) as i32;
        PxPoint { x: along(screen.width, rng), y: along(screen.height, rng) }
    }

    /// A point that may be touched, and the widget there.
    fn touch(&self, rng: &mut Rng) -> Option<(WidgetIdx, PxPoint)> {
        let touches = BlockedTouches::new(self.blocks, self.layout);
        let free = |point: PxPoint| {
            let idx = touches.touches().hit_test(point)?;
            // A tap and a long press are forbidden by what they hit; a drag that begins there is, too.
            let blocked = self.rules.blocks(idx)
                || self.rules.blocks_point(point)
                || touches.forbid(idx, point, &Gesture::Tap)
                || touches.forbid(idx, point, &Gesture::LongPress);
            (!blocked && self.layout.may_touch(self.layout.widget(idx), self.app)).then_some((idx, point))
        };
        (0..TRIES).find_map(|_| free(self.any_point(rng)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use taproof_screen::{WidgetFlags, layout_from};
    use taproof_spec::{BlockedEvent, UserRules, ViewPattern};

    #[test]
    fn keys_that_press_what_has_the_focus_are_left_out_where_something_must_not_be_pressed() {
        let layout = layout_from("FrameLayout\n  EditText#title\n  Button#save\n");
        let typing = layout.with_changed(&[WidgetIdx(1)], |widget| {
            widget.flags = widget.flags.with(WidgetFlags::FOCUSED, true);
        });
        let blocks = [Block {
            pattern: ViewPattern { attributes: vec![("resource-id".into(), "org.ex:id/save".into())] },
            event: BlockedEvent::Widget,
            reason: String::new(),
            activity: None,
            every_engine: false,
        }];
        let rules = UserRules::default();
        let rules = RulesOnPage::new(&rules);
        let keys = |layout: &Layout, blocks: &[Block]| -> BTreeSet<Key> {
            let ground = Ground { layout, app: "org.ex", blocks, rules: &rules };
            Key::ALL.into_iter().filter(|key| ground.allows(*key)).collect()
        };
        let all: BTreeSet<Key> = Key::ALL.into_iter().collect();
        assert_eq!(keys(&layout, &[]), all);
        let pressing = BTreeSet::from([Key::Enter, Key::DpadCenter]);
        assert_eq!(keys(&layout, &blocks), &all - &pressing);
        // Enter ends the field here.
        assert_eq!(keys(&typing, &blocks), &all - &BTreeSet::from([Key::DpadCenter]));
    }

    #[test]
    fn bursts_have_the_length_and_the_kinds_asked_for() {
        let mut rng = Rng::from_seed(1);
        let always = Bursts { rate: 1.0, ..Bursts::PUBLISHED };
        let lengths: Vec<usize> = (0..200).filter_map(|_| length(&always, &mut rng)).collect();
        assert!(lengths.len() == 200 && lengths.iter().all(|length| (5..=9).contains(length)));
        assert_eq!(length(&Bursts { rate: 0.0, ..Bursts::PUBLISHED }, &mut rng), None);
        let layout = layout_from("FrameLayout\n  Button#a\n");
        let rules = UserRules::default();
        let rules = RulesOnPage::new(&rules);
        let ground = Ground { layout: &layout, app: "org.ex", blocks: &[], rules: &rules };
        let none = Bursts {
            rate: 1.0,
            rotate: 0.0,
            app_switch: 0.0,
            nav_keys: 0.0,
            major_nav_keys: 0.0,
            key_code: 0.0,
            system_keys: 0.0,
            drag: 0.0,
            click: 0.0,
            wifi: 0.0,
            airplane: 0.0,
        };
        assert_eq!(event(&none, ground, &mut rng), None);
        let touches = Bursts { drag: 1.0, click: 1.0, ..none };
        let drawn: Vec<Event> = (0..200).filter_map(|_| event(&touches, ground, &mut rng)).collect();
        assert!(!drawn.is_empty() && drawn.iter().all(|event| matches!(event, Event::Widget { .. })));
    }
}
