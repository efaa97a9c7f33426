//! What Fastbot2 learns of an app and keeps for later runs: to which activities its events have led
//! (fastbot2.md section 3). Events are told apart by what stays the same between runs and versions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Direction, Text};
use crate::determinism::HashBuffer;

/// The version of the way in which keys are made of events. A file of another one is read all the same, as
/// it holds the events themselves.
pub const KEY_SCHEME: u32 = 1;

/// What is done to a widget, or to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ActionKind {
    /// The Back key.
    Back,
    /// A tap.
    Click,
    /// A long press.
    LongClick,
    /// A swipe; the direction is the finger's.
    Scroll(Direction),
}

impl ActionKind {
    /// All of them. The place of a kind is part of the files that hold it.
    pub const ALL: [ActionKind; 7] = [
        ActionKind::Back,
        ActionKind::Click,
        ActionKind::LongClick,
        ActionKind::Scroll(Direction::Down),
        ActionKind::Scroll(Direction::Up),
        ActionKind::Scroll(Direction::Right),
        ActionKind::Scroll(Direction::Left),
    ];

    /// Its place in `ALL`.
    pub fn code(self) -> u8 {
        match self {
            ActionKind::Back => 0,
            ActionKind::Click => 1,
            ActionKind::LongClick => 2,
            ActionKind::Scroll(Direction::Down) => 3,
            ActionKind::Scroll(Direction::Up) => 4,
            ActionKind::Scroll(Direction::Right) => 5,
            ActionKind::Scroll(Direction::Left) => 6,
        }
    }

    /// In a word or two, for lists.
    pub fn word(self) -> &'static str {
        match self {
            ActionKind::Back => "back",
            ActionKind::Click => "click",
            ActionKind::LongClick => "long click",
            ActionKind::Scroll(Direction::Down) => "scroll down",
            ActionKind::Scroll(Direction::Up) => "scroll up",
            ActionKind::Scroll(Direction::Right) => "scroll right",
            ActionKind::Scroll(Direction::Left) => "scroll left",
        }
    }
}

/// A hyper-event: a gesture on the attributes of a widget that stay, wherever it stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HyperEvent {
    /// `package/class` of the activity that offers it.
    pub activity: Text,
    /// The widget's id; empty where it has none, as all below for Back.
    pub resource_id: Text,
    /// The widget's class.
    pub class: Text,
    /// The widget's text where that comes from the app's string resources, else empty.
    pub static_text: Text,
    /// What is done.
    pub kind: ActionKind,
}

impl HyperEvent {
    /// The key under which it is looked up.
    pub fn key(&self) -> u64 {
        let mut keys = EventKeys::of_activity(&self.activity);
        let widget = keys.widget(&self.resource_id, &self.class, &self.static_text);
        EventKeys::event(widget, self.kind)
    }

    /// In a few words, for lists.
    pub fn caption(&self) -> String {
        let short = |text: &str| text.rsplit(['/', '.']).next().unwrap_or(text).to_owned();
        let mut caption = format!("{}: {}", short(&self.activity), self.kind.word());
        if !self.class.is_empty() {
            caption.push_str(&format!(" {}", short(&self.class)));
        }
        if !self.resource_id.is_empty() {
            caption.push_str(&format!(" #{}", short(&self.resource_id)));
        }
        if !self.static_text.is_empty() {
            caption.push_str(&format!(" \u{201c}{}\u{201d}", super::one_line(&self.static_text)));
        }
        caption
    }
}

/// Makes the keys of one activity's events, without building the events (key scheme 1): the widget's key is
/// xxh3-64 over activity, id, class and static text, each after its length; the event's is xxh3-64 over the
/// widget's key and the kind's code.
#[derive(Clone, Debug, Default)]
pub struct EventKeys {
    buffer: HashBuffer,
    activity: u64,
}

impl EventKeys {
    /// For the events of this activity.
    pub fn of_activity(activity: &str) -> Self {
        let mut keys = EventKeys::default();
        keys.enter(activity);
        keys
    }

    /// Goes on with the events of another activity; the memory is used again.
    pub fn enter(&mut self, activity: &str) {
        self.buffer.clear();
        self.buffer.text(activity);
        self.activity = self.buffer.finish();
    }

    /// The key of a widget.
    pub fn widget(&mut self, resource_id: &str, class: &str, static_text: &str) -> u64 {
        self.buffer.clear();
        self.buffer.u64(self.activity);
        for part in [resource_id, class, static_text] {
            self.buffer.text(part);
        }
        self.buffer.finish()
    }

    /// The key of what is done to a widget.
    pub fn event(widget: u64, kind: ActionKind) -> u64 {
        let mut bytes = [kind.code(); 9];
        bytes[..8].copy_from_slice(&widget.to_le_bytes());
        crate::determinism::hash_bytes(&bytes)
    }
}

/// How often each event has led to each activity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReuseModel {
    /// The package of the app that it was learned of.
    pub package: String,
    /// The versions of the app that it was learned of, oldest first.
    pub versions: Vec<String>,
    #[serde(with = "as_list")]
    events: BTreeMap<HyperEvent, BTreeMap<Text, u32>>,
}

/// Models of two apps cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a model of {found:?} cannot be added to one of {expected:?}: give models of one app")]
pub struct OtherApp {
    /// The package of the model that was to grow.
    pub expected: String,
    /// The package of the other.
    pub found: String,
}

impl ReuseModel {
    /// An empty model of an app.
    pub fn of(package: &str) -> Self {
        ReuseModel { package: package.to_owned(), ..ReuseModel::default() }
    }

    /// Counts that the event has led to the activity so many times more.
    pub fn add(&mut self, event: HyperEvent, activity: Text, count: u32) {
        if count > 0 {
            let counted = self.events.entry(event).or_default().entry(activity).or_default();
            *counted = counted.saturating_add(count);
        }
    }

    /// The events in their order, each with the activities that it has led to.
    pub fn events(&self) -> impl ExactSizeIterator<Item = (&HyperEvent, &BTreeMap<Text, u32>)> {
        self.events.iter()
    }

    /// Whether nothing was learned yet.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The activities that events have led to, in their order.
    pub fn activities(&self) -> Vec<&Text> {
        let mut activities: Vec<&Text> = self.events.values().flat_map(BTreeMap::keys).collect();
        activities.sort_unstable();
        activities.dedup();
        activities
    }

    /// All transitions counted.
    pub fn transitions(&self) -> u64 {
        self.events.values().flat_map(BTreeMap::values).map(|count| u64::from(*count)).sum()
    }

    /// Takes in that a version of the app was seen; an empty name says nothing.
    pub fn saw_version(&mut self, version: &str) {
        if !version.is_empty() && !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
    }

    /// Adds the counts of another model of the same app.
    pub fn merge(&mut self, other: &ReuseModel) -> Result<(), OtherApp> {
        if self.package != other.package {
            return Err(OtherApp { expected: self.package.clone(), found: other.package.clone() });
        }
        for (event, counts) in &other.events {
            for (activity, count) in counts {
                self.add(event.clone(), Text::clone(activity), *count);
            }
        }
        for version in &other.versions {
            self.saw_version(version);
        }
        Ok(())
    }

    /// What it has more than an earlier state of it.
    #[must_use]
    pub fn since(&self, before: &ReuseModel) -> ReuseModel {
        let mut more = ReuseModel { versions: self.versions.clone(), ..ReuseModel::of(&self.package) };
        for (event, counts) in &self.events {
            let known = |activity: &Text| before.events.get(event)?.get(activity).copied();
            for (activity, count) in counts {
                let count = count.saturating_sub(known(activity).unwrap_or(0));
                more.add(event.clone(), Text::clone(activity), count);
            }
        }
        more
    }

    /// Makes what was learned of older versions weigh less. What was seen once stays seen.
    pub fn scale(&mut self, factor: f64) {
        for count in self.events.values_mut().flat_map(BTreeMap::values_mut) {
            *count = ((f64::from(*count) * factor) as u32).max(1);
        }
    }
}

/// JSON knows no keys but texts.
mod as_list {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{HyperEvent, Text};

    type Events = BTreeMap<HyperEvent, BTreeMap<Text, u32>>;

    pub fn serialize<S: Serializer>(events: &Events, serializer: S) -> Result<S::Ok, S::Error> {
        events.iter().collect::<Vec<_>>().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Events, D::Error> {
        Ok(Vec::<(HyperEvent, BTreeMap<Text, u32>)>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: &str, kind: ActionKind) -> HyperEvent {
        let (activity, class) = (Text::from("org.ex/.Main"), Text::from("android.widget.Button"));
        HyperEvent { activity, resource_id: Text::from(id), class, static_text: Text::from(""), kind }
    }

    fn model(counts: &[(&str, &str, u32)]) -> ReuseModel {
        let mut model = ReuseModel::of("org.ex");
        for (id, activity, count) in counts {
            model.add(event(id, ActionKind::Click), Text::from(*activity), *count);
        }
        model
    }

    #[test]
    fn keys_are_part_of_the_promise() {
        assert_eq!(event("save", ActionKind::Click).key(), event("save", ActionKind::Click).key());
        assert_eq!(event("save", ActionKind::Click).key(), 0x510c_97a0_5d10_f99d);
        let others = [
            event("save", ActionKind::LongClick),
            event("sav", ActionKind::Click),
            HyperEvent { static_text: Text::from("Save"), ..event("save", ActionKind::Click) },
            HyperEvent { activity: Text::from("org.ex/.Other"), ..event("save", ActionKind::Click) },
        ];
        for other in others {
            assert_ne!(event("save", ActionKind::Click).key(), other.key());
        }
        for (code, kind) in ActionKind::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(kind.code()), code);
        }
    }

    #[test]
    fn models_are_merged_by_name_and_age() {
        let mut one = model(&[("a", "org.ex/.A", 7), ("a", "org.ex/.Z", 3)]);
        one.saw_version("1.0");
        let mut two = model(&[("a", "org.ex/.A", 1), ("b", "org.ex/.B", 1)]);
        two.saw_version("1.1");
        one.merge(&two).unwrap();
        assert_eq!(
            one,
            ReuseModel {
                versions: vec!["1.0".into(), "1.1".into()],
                ..model(&[("a", "org.ex/.A", 8), ("a", "org.ex/.Z", 3), ("b", "org.ex/.B", 1)])
            }
        );
        assert_eq!(one.since(&one), ReuseModel { versions: one.versions.clone(), ..model(&[]) });
        let more = one.since(&model(&[("a", "org.ex/.A", 7), ("a", "org.ex/.Z", 3)]));
        assert_eq!((more.transitions(), more.events().len()), (2, 2));
        one.scale(0.5);
        assert_eq!((one.transitions(), one.events().len()), (4 + 1 + 1, 2));
        assert_eq!(one.activities().len(), 3);
        let refused = one.merge(&ReuseModel::of("org.other")).unwrap_err();
        assert!(refused.to_string().contains("\"org.other\" cannot be added to one of \"org.ex\""));
    }

    #[test]
    fn a_plan_can_carry_a_model() {
        let model = model(&[("a", "org.ex/.A", 7)]);
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(serde_json::from_str::<ReuseModel>(&text).unwrap(), model);
        let bytes = postcard::to_stdvec(&model).unwrap();
        assert_eq!(postcard::from_bytes::<ReuseModel>(&bytes).unwrap(), model);
    }
}
