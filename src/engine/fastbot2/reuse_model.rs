//! What Fastbot2 learns about an app for later runs: to which activities its events have led
//! (`engine/fastbot2/paper.md`, section 4). Events are identified by attributes that are stable between runs and
//! versions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use taproof_screen::determinism::HashBuffer;
use taproof_screen::{Text, last_part};
use taproof_spec::ActionKind;

/// A hyper-event: an action on a widget that is identified by its stable attributes, wherever it is on the screen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HyperEvent {
    /// `package/class` of the activity that offers it.
    pub activity: Text,
    /// The widget's resource id; empty if it has none. Empty for Back, like the two attributes below.
    pub resource_id: Text,
    /// Class name of the widget.
    pub class: Text,
    /// The widget's text if it is one of the app's string resources, else empty.
    pub static_text: Text,
    /// What is done to the widget, or Back.
    pub kind: ActionKind,
}

impl HyperEvent {
    /// The event's 64-bit key; see [`EventKeys`].
    pub fn key(&self) -> u64 {
        let mut keys = EventKeys::of_activity(&self.activity);
        let widget = keys.widget(&self.resource_id, &self.class, &self.static_text);
        EventKeys::event(widget, self.kind)
    }

    /// Short description of the event, for lists.
    pub fn caption(&self) -> String {
        let mut caption = format!("{}: {}", last_part(&self.activity), self.kind.word());
        if !self.class.is_empty() {
            caption.push_str(&format!(" {}", last_part(&self.class)));
        }
        if !self.resource_id.is_empty() {
            caption.push_str(&format!(" #{}", last_part(&self.resource_id)));
        }
        if !self.static_text.is_empty() {
            caption.push_str(&format!(" \u{201c}{}\u{201d}", taproof_screen::one_line(&self.static_text)));
        }
        caption
    }
}

/// Computes the keys of one activity's events without building the events. A widget's key is xxh3-64
/// over the activity's hash, the id, the class and the static text, each text after its length. An event's key is
/// xxh3-64 over the widget's key and the kind's code.
#[derive(Clone, Debug, Default)]
pub struct EventKeys {
    buffer: HashBuffer,
    activity: u64,
}

impl EventKeys {
    /// Starts with the events of this activity.
    pub fn of_activity(activity: &str) -> Self {
        let mut keys = EventKeys::default();
        keys.enter(activity);
        keys
    }

    /// Continues with the events of another activity and reuses the memory.
    pub fn enter(&mut self, activity: &str) {
        self.buffer.clear();
        self.buffer.text(activity);
        self.activity = self.buffer.finish();
    }

    /// The key of a widget of the current activity.
    pub fn widget(&mut self, resource_id: &str, class: &str, static_text: &str) -> u64 {
        self.buffer.clear();
        self.buffer.u64(self.activity);
        for part in [resource_id, class, static_text] {
            self.buffer.text(part);
        }
        self.buffer.finish()
    }

    /// The key of an action on the widget with this key.
    pub fn event(widget: u64, kind: ActionKind) -> u64 {
        let mut bytes = [kind.code(); 9];
        bytes[..8].copy_from_slice(&widget.to_le_bytes());
        taproof_screen::determinism::hash_bytes(&bytes)
    }
}

/// A model of an app: how often each event has led to each activity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReuseModel {
    /// Package name of the app.
    pub package: String,
    /// The versions of the app from which the model was learned, in the order in which they were added.
    pub versions: Vec<String>,
    #[serde(with = "as_list")]
    events: BTreeMap<HyperEvent, BTreeMap<Text, u32>>,
}

/// The models to be merged are of two apps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a model of {found:?} cannot be added to one of {expected:?}: give models of one app")]
pub struct OtherApp {
    /// Package name of the model to be extended.
    pub expected: String,
    /// Package name of the model to be added.
    pub found: String,
}

impl ReuseModel {
    /// An empty model of an app.
    pub fn of(package: &str) -> Self {
        ReuseModel { package: package.to_owned(), ..ReuseModel::default() }
    }

    /// Adds `count` transitions from the event to the activity. The sum saturates at `u32::MAX`.
    pub fn add(&mut self, event: HyperEvent, activity: Text, count: u32) {
        if count > 0 {
            let counted = self.events.entry(event).or_default().entry(activity).or_default();
            *counted = counted.saturating_add(count);
        }
    }

    /// The events in ascending order, each with the activities that it has led to and how often.
    pub fn events(&self) -> impl ExactSizeIterator<Item = (&HyperEvent, &BTreeMap<Text, u32>)> {
        self.events.iter()
    }

    /// Whether the model contains no event.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The activities that events have led to, in ascending order, each once.
    pub fn activities(&self) -> Vec<&Text> {
        let mut activities: Vec<&Text> = self.events.values().flat_map(BTreeMap::keys).collect();
        activities.sort_unstable();
        activities.dedup();
        activities
    }

    /// Total number of transitions, over all events and activities.
    pub fn transitions(&self) -> u64 {
        self.events.values().flat_map(BTreeMap::values).map(|count| u64::from(*count)).sum()
    }

    /// Adds a version of the app unless the model has it already or the name is empty.
    pub fn saw_version(&mut self, version: &str) {
        if !version.is_empty() && !self.versions.iter().any(|known| known == version) {
            self.versions.push(version.to_owned());
        }
    }

    /// Adds the counts and the versions of another model of the same app.
    ///
    /// # Errors
    ///
    /// [`OtherApp`] if the packages differ; nothing is added then.
    pub fn merge(&mut self, other: &ReuseModel) -> Result<(), OtherApp> {
        self.check_app(other)?;
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

    /// Takes over what another model of the same app knows better: of each transition the larger count. Two models that
    /// grew from a common one are joined without counting that one twice, in whatever order. Versions are sorted, since
    /// nothing tells which was seen first.
    ///
    /// # Errors
    ///
    /// [`OtherApp`] if the packages differ; nothing is taken over then.
    pub fn join(&mut self, other: &ReuseModel) -> Result<(), OtherApp> {
        self.check_app(other)?;
        for (event, counts) in &other.events {
            let known = self.events.entry(event.clone()).or_default();
            for (activity, count) in counts {
                let larger = known.entry(Text::clone(activity)).or_default();
                *larger = (*larger).max(*count);
            }
        }
        other.versions.iter().for_each(|version| self.saw_version(version));
        self.versions.sort_unstable();
        Ok(())
    }

    fn check_app(&self, other: &ReuseModel) -> Result<(), OtherApp> {
        match self.package == other.package {
            true => Ok(()),
            false => Err(OtherApp { expected: self.package.clone(), found: other.package.clone() }),
        }
    }

    /// Returns the transitions that were added after `before`, an earlier state of this model, with all versions.
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

    /// Multiplies all counts by `factor` so that what was learned from older versions weighs less. No count drops below
    /// 1.
    pub fn scale(&mut self, factor: f64) {
        for count in self.events.values_mut().flat_map(BTreeMap::values_mut) {
            *count = ((f64::from(*count) * factor) as u32).max(1);
        }
    }
}

/// Serialises the map as a list of pairs, as JSON has no keys but strings.
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
            HyperEvent { static_text: Text::from("Send"), ..event("save", ActionKind::Click) },
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
    fn joining_models_counts_nothing_twice() {
        let mut one = model(&[("a", "org.ex/.A", 7), ("a", "org.ex/.Z", 3)]);
        one.saw_version("1.1");
        let mut two = model(&[("a", "org.ex/.A", 9), ("b", "org.ex/.B", 1)]);
        two.saw_version("1.0");
        let joined = |one: &ReuseModel, two: &ReuseModel| {
            let mut joined = one.clone();
            joined.join(two).unwrap();
            joined
        };
        let both = joined(&one, &two);
        assert_eq!(
            both,
            ReuseModel {
                versions: vec!["1.0".into(), "1.1".into()],
                ..model(&[("a", "org.ex/.A", 9), ("a", "org.ex/.Z", 3), ("b", "org.ex/.B", 1)])
            }
        );
        assert_eq!((joined(&two, &one), joined(&both, &one)), (both.clone(), both));
        assert!(one.join(&ReuseModel::of("org.other")).is_err());
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
        let bytes = rmp_serde::to_vec(&model).unwrap();
        assert_eq!(rmp_serde::from_slice::<ReuseModel>(&bytes).unwrap(), model);
    }
}
