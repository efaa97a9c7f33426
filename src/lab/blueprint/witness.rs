//! Witnesses: scripts that show a fault. The same events are performed on the faulty and on the sound build, until the
//! two show something different.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device, DeviceError};
use taproof_screen::determinism::Rng;
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Layout, Selector, SystemEvent, TouchTarget, WidgetFlags, WidgetIdx,
};

use super::Fault;
use super::app::Plan;
use super::schema::Shape;
use crate::act::{Act, constructions};
use taproof_phone::{AppSource, BugSet, Fonts, Phone};

/// How many scripts are tried for a fault.
const SCRIPTS: u64 = 400;
/// How many acts a script has at most.
const LONGEST: usize = 14;

/// A script that shows a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What is done.
    pub acts: Vec<Act>,
    /// The events of it. After the last one, the builds show something different.
    pub events: Vec<Event>,
}

impl Plan {
    /// Looks for a script that shows a fault. `None` if none was found.
    pub(super) fn witness(&'static self, fault: Fault) -> Option<Witness> {
        let pair = Pair { plan: self, fault, data_type: fault.data_type, fonts: Arc::new(Fonts::new()) };
        let root = Rng::from_seed(0).fork(fault.id);
        let run = |acts: Vec<Act>| pair.run(&acts).ok().flatten();
        let constructed = constructions(fault.operator).into_iter().find_map(run);
        let searched = || {
            let random = |script| pair.random_script(&mut root.fork_indexed("script", script));
            (0..SCRIPTS).map(random).find_map(run)
        };
        Some(pair.shortened(constructed.or_else(searched)?))
    }
}

/// The faulty build and the sound one.
#[derive(Clone)]
pub(super) struct Pair {
    pub(super) plan: &'static Plan,
    fault: Fault,
    /// The data type on which acts are performed.
    pub(super) data_type: usize,
    fonts: Arc<Fonts>,
}

/// Both builds while a script is performed.
pub(super) struct Both {
    sound: Phone,
    faulty: Phone,
    pub(super) frame: Frame,
    pub(super) events: Vec<Event>,
    /// Whether the two have shown something different.
    pub(super) differ: bool,
}

impl Both {
    pub(super) fn perform(&mut self, event: Event) -> Result<(), DeviceError> {
        if self.differ {
            return Ok(());
        }
        self.sound.perform(&event)?;
        self.faulty.perform(&event)?;
        self.events.push(event);
        self.look()
    }

    fn look(&mut self) -> Result<(), DeviceError> {
        self.frame = self.sound.observe()?;
        let faulty = self.faulty.observe()?;
        let ended =
            |frame: &Frame| matches!(frame.health, AppHealth::Crashed(_) | AppHealth::NotResponding(_));
        self.differ = ended(&faulty) || shown(&faulty.layout) != shown(&self.frame.layout);
        // Whoever has left the app opens it again.
        if !self.differ && !matches!(self.frame.health, AppHealth::Running) {
            return self.perform(Event::Relaunch);
        }
        Ok(())
    }

    pub(super) fn tap_at(&mut self, widget: WidgetIdx, gesture: Gesture) -> Result<(), DeviceError> {
        let layout = &self.frame.layout;
        let target = TouchTarget {
            selector: Selector::default(),
            at: layout.widget(widget).bounds.center(),
            screen: layout.screen(),
        };
        self.perform(Event::Widget { target, gesture })
    }
}

/// What a person sees of a screen.
fn shown(layout: &Layout) -> Vec<(String, String, bool)> {
    let widgets = layout.widgets().iter();
    widgets
        .map(|it| (it.text.to_string(), it.content_desc.to_string(), it.flags.has(WidgetFlags::CHECKED)))
        .collect()
}

impl Pair {
    /// The same builds, for acts on another data type.
    pub(super) fn of(&self, data_type: usize) -> Pair {
        Pair { data_type, ..self.clone() }
    }

    fn phone(&self, bugs: &BugSet) -> Result<Phone, DeviceError> {
        let mut phone = Phone::new(Arc::clone(&self.fonts));
        AppSource::install(self.plan, &mut phone, bugs);
        phone.launch(&AppId(self.plan.manifest.package.to_owned()), AppData::Clear)?;
        Ok(phone)
    }

    /// Performs a script. Returns what was done up to the first difference; `None` if there was none.
    fn run(&self, acts: &[Act]) -> Result<Option<Witness>, DeviceError> {
        let (mut sound, faulty) = (self.phone(&BugSet::none())?, self.phone(&BugSet::of([self.fault.id]))?);
        let frame = sound.observe()?;
        let mut both = Both { sound, faulty, frame, events: Vec::new(), differ: false };
        for (place, act) in acts.iter().enumerate() {
            self.act(&mut both, act)?;
            if both.differ {
                return Ok(Some(Witness { acts: acts[..=place].to_vec(), events: both.events }));
            }
        }
        Ok(None)
    }

    /// Leaves out what is not needed: first acts from the end to the beginning, again and again.
    fn shortened(&self, mut witness: Witness) -> Witness {
        loop {
            let shorter = (0..witness.acts.len()).rev().find_map(|place| {
                let mut acts = witness.acts.clone();
                acts.remove(place);
                self.run(&acts).ok().flatten().filter(|it| it.events.len() <= witness.events.len())
            });
            match shorter {
                Some(shorter) => witness = shorter,
                None => return witness,
            }
        }
    }

    fn random_script(&self, rng: &mut Rng) -> Vec<Act> {
        let acts = self.possible_acts(rng);
        let length = rng.between(2, LONGEST);
        let mut script = vec![Act::Begin];
        for _ in 0..length {
            script.push(acts[rng.below(acts.len())].clone());
        }
        script
    }

    /// The acts that this data type allows, with texts and rows drawn for one script.
    fn possible_acts(&self, rng: &mut Rng) -> Vec<Act> {
        let kind = self.kind();
        let names = [
            "Zebra",
            "zebra",
            "zeb",
            "b#1",
            "aab",
            "An unusually long name with more than forty letters in it",
        ];
        let mut name = || names[rng.below(names.len())].to_owned();
        let mut acts = vec![
            Act::Add(name()),
            Act::Add(name()),
            Act::Rename(0, name()),
            Act::Rename(1, name()),
            Act::Open(0),
            Act::Open(1),
            Act::Open(2),
            Act::Delete(0),
            Act::Delete(1),
            Act::Draft(name()),
            Act::DraftOf(0),
            Act::SaveEmpty,
            Act::LeaveEmpty(0),
            Act::Rotate,
            Act::Back,
            Act::Begin,
            Act::Around(SystemEvent::DarkMode),
            Act::Around(SystemEvent::ProcessDeath),
            Act::Around(SystemEvent::IncomingCall),
        ];
        if kind.search.is_some() {
            acts.extend([Act::Search(name()), Act::Search("e".to_owned()), Act::Query(name()), Act::Begin]);
        }
        if kind.delete.undo {
            acts.extend([Act::Undo, Act::Undo]);
        }
        if kind.delete.trash {
            acts.push(Act::Restore);
        }
        if kind.list.star {
            acts.extend([Act::Star(0), Act::Star(1), Act::Starred]);
        }
        if kind.list.sort {
            acts.extend([Act::Sort, Act::Sort]);
        }
        if kind.second_text().is_some() {
            acts.push(Act::Fill(0, name()));
        }
        if kind.field_of(Shape::Date).is_some() {
            acts.push(Act::MoveDate(0, 28));
        }
        if !self.plan.blueprint.settings.is_empty() {
            acts.extend([Act::Settings, Act::Reset]);
        }
        if kind.owner.is_some() {
            acts.extend([Act::DeleteOwner(0), Act::DeleteOwner(1)]);
        }
        acts
    }
}
