//! The tester's rules in a test: after each event, what comes in between is dealt with, and what is out of bounds is left.
//!
//! The events of rules stand in the trace with a role of their own. Re-executions leave them out, since the rules act there
//! by themselves.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{RoundCtx, Stop};
use crate::device::AppId;
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Gesture, Key, Layout, StepRole, WidgetIdx, XPath, event_on, touched_widget};
use taproof_spec::{RuleAction, is_key_forbidden};

/// Number of times that the screen is looked at for the widget of a first step, and the time in between.
const LOOKS: usize = 5;
const PAUSE: DeviceDuration = DeviceDuration(1000);

/// What the rules have done in a test.
#[derive(Clone, Debug, Default)]
pub(super) struct RulesInTest {
    /// The rules that fired too often in a row, by their indices.
    stopped: Vec<usize>,
    /// Whether leaving what is out of bounds was given up.
    stays: bool,
}

impl RoundCtx<'_> {
    /// The string resources of the app, from its APK. Empty, and people are told why, if they cannot be had.
    pub fn app_strings(&mut self) -> BTreeSet<String> {
        let app = AppId(self.door.target.app.clone());
        let strings = self.door.device.app_file(&app).and_then(|file| Ok(file.strings()?));
        strings.unwrap_or_else(|why| {
            self.door.watcher.gave_up_rule(&format!(
                "the app's texts are not known, so that buttons which differ in nothing else count as one: {why}"
            ));
            BTreeSet::new()
        })
    }

    /// Says which XPaths of rules were given up. Such rules did nothing.
    pub fn say_given_up<'x>(&mut self, mut xpaths: impl Iterator<Item = &'x XPath>) {
        while let Some(error) = xpaths.find_map(XPath::given_up) {
            self.door.watcher.gave_up_rule(&format!("a rule names nothing: {error}"));
        }
    }

    /// Does what the rules say about the screen that an event with this role led to.
    pub(super) fn follow_rules(&mut self, role: StepRole) -> Result<(), Stop> {
        let rules = &self.door.target.rules;
        self.say_given_up(rules.xpaths());
        if rules.rules.is_empty() && !rules.have_bounds() {
            return Ok(());
        }
        let (mut fired, mut left) = (vec![0; rules.rules.len()], 0);
        loop {
            let layout = self.shown();
            if let Some((number, widget)) = self.firing(&layout) {
                let rule = &rules.rules[number];
                if fired[number] >= rule.at_most {
                    self.in_test.stopped.push(number);
                    let activity = layout.activity();
                    self.door.watcher.gave_up_rule(&format!(
                        "{} fired {} times in a row on {activity} and is left out in the rest of the test",
                        rule.label(number),
                        rule.at_most
                    ));
                    continue;
                }
                fired[number] += 1;
                self.door.stats.rules.fired(number);
                self.run_rule(&rule.actions, &layout, widget)?;
            } else if matches!(role, StepRole::SpecStep | StepRole::Appended)
                || !self.leave(&layout, &mut left)?
            {
                // A function may pass through what is out of bounds, and is judged where it ends.
                return Ok(());
            }
        }
    }

    /// What the screen shows, including what is ignored.
    fn shown(&self) -> Arc<Layout> {
        match &self.unmasked {
            Some((shown, seen)) if Arc::ptr_eq(seen, &self.frame().layout) => Arc::clone(shown),
            Some(_) | None => Arc::clone(&self.frame().layout),
        }
    }

    fn firing(&self, layout: &Layout) -> Option<(usize, WidgetIdx)> {
        let rules = self.door.target.rules.rules.iter().enumerate();
        let mut active = rules.filter(|(number, _)| !self.in_test.stopped.contains(number));
        active.find_map(|(number, rule)| Some((number, rule.fires(layout)?)))
    }

    fn run_rule(&mut self, actions: &[RuleAction], layout: &Layout, widget: WidgetIdx) -> Result<(), Stop> {
        let on = |gesture: Gesture| event_on(layout, widget, gesture);
        for action in actions {
            let event = match action {
                RuleAction::Tap => on(Gesture::Tap),
                RuleAction::LongPress => on(Gesture::LongPress),
                RuleAction::Type(text) => on(Gesture::SetText(text.clone())),
                RuleAction::TapOn(selector) => {
                    let now = self.shown();
                    selector.matches(&now).first().and_then(|idx| event_on(&now, *idx, Gesture::Tap))
                }
                RuleAction::Back => Some(Event::Key(Key::Back)),
                RuleAction::Wait(millis) => Some(Event::Wait(DeviceDuration(*millis))),
                RuleAction::Restart => Some(Event::Relaunch),
                RuleAction::FirstSteps => {
                    self.go_first_steps()?;
                    continue;
                }
            };
            // What is not there cannot be touched; a rule that fires again says so in the end.
            if let Some(event) = event {
                self.act_by_rule(self.typeable(event))?;
            }
        }
        Ok(())
    }

    fn act_by_rule(&mut self, event: Event) -> Result<(), Stop> {
        self.act(event, StepRole::Rule)?;
        self.judge_screen()
    }

    /// Performs the first steps of the app again, as far as their widgets are there.
    fn go_first_steps(&mut self) -> Result<(), Stop> {
        let Some(first) = self.door.target.first_steps.clone() else { return Ok(()) };
        for step in &first.steps {
            for _ in 0..LOOKS {
                let Some(event) = step.event.found_again(&self.shown()) else {
                    self.act_by_rule(Event::Wait(PAUSE))?;
                    continue;
                };
                self.act_by_rule(event)?;
                break;
            }
        }
        Ok(())
    }

    /// Leaves the screen if it is out of bounds: by Back, then by restarting the app. Returns whether it did something.
    fn leave(&mut self, layout: &Layout, left: &mut usize) -> Result<bool, Stop> {
        let target = self.door.target;
        let home = Arc::clone(&self.trace.first().layout);
        let why = target.rules.out_of_bounds(layout, &home, &target.app).filter(|_| !self.in_test.stays);
        let Some(why) = why else { return Ok(false) };
        if target.rules.out_of_bounds(&home, &home, &target.app).is_some() {
            self.stay(&format!("{why} is out of bounds, but tests begin out of bounds"));
            return Ok(false);
        }
        self.door.stats.rules.left(&why);
        let back_blocked = is_key_forbidden(self.blocks(), layout, Key::Back);
        if *left == 0 && back_blocked {
            *left = 1;
        }
        *left += 1;
        match *left {
            1 => self.act_by_rule(Event::Key(Key::Back))?,
            2 => self.act_by_rule(Event::Relaunch)?,
            _ => {
                self.stay(&format!("{why} is out of bounds, but neither Back nor a restart leaves it"));
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Gives up leaving what is out of bounds in this test.
    fn stay(&mut self, why: &str) {
        self.in_test.stays = true;
        self.door.watcher.gave_up_rule(&format!(
            "{why}: the test goes on there. Take it off the lists, or give the app first steps that lead elsewhere"
        ));
    }

    /// The event with one of the tester's texts instead of its own, now and then, if there are some for its field.
    pub fn with_own_text(&self, event: Event, rng: &mut Rng) -> Event {
        let layout = &self.frame().layout;
        let field = touched_widget(&event, layout);
        match event {
            Event::Widget { target, gesture: Gesture::SetText(text) } => {
                let own = field.and_then(|field| self.door.target.rules.text_for(layout, field, rng));
                Event::Widget { target, gesture: Gesture::SetText(own.unwrap_or(text)) }
            }
            other => other,
        }
    }
}
