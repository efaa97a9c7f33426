//! What the settings files contain. An invalid value is replaced by the default, since the window must open nevertheless.

use serde_json::{Map, Value};

use crate::state::Settings;

type Values = Map<String, Value>;

/// Seconds that a change waits for further changes before all are written.
const REST: f64 = 1.0;

/// The contents of the settings files and the changes that are not written yet.
#[derive(Default)]
pub(crate) struct SettingsFile {
    /// What the files contain, including values unknown to this version.
    written: Values,
    /// What the files should contain, and since when (seconds of the window's clock).
    waiting: Option<(Values, f64)>,
}

impl SettingsFile {
    /// Applies the files' values to the settings.
    pub(crate) fn begin(&mut self, values: Values, settings: &mut Settings) {
        read(&values, settings);
        self.written = written(settings, &values);
    }

    /// Returns the changed values that must be written now, or `None` if nothing must. `now` is `None` when the window closes.
    /// Sizes of the window and the panels alone are written only then, so that only looking around leaves no file
    /// behind.
    pub(crate) fn due(&mut self, settings: &Settings, now: Option<f64>) -> Option<Values> {
        let values = written(settings, &self.written);
        let chosen = |values: &Values| {
            let mut chosen = values.clone();
            chosen.retain(|key, _| now.is_none() || !LAYOUT.contains(&key.as_str()));
            chosen
        };
        if chosen(&values) == chosen(&self.written) {
            self.waiting = None;
            return None;
        }
        let since = match &self.waiting {
            Some((waiting, since)) if *waiting == values => *since,
            _ => now.unwrap_or_default(),
        };
        if now.is_some_and(|now| now - since < REST) {
            self.waiting = Some((values, since));
            return None;
        }
        self.waiting = None;
        let mut changed = values.clone();
        changed.retain(|name, value| self.written.get(name) != Some(value));
        self.written = values;
        Some(changed)
    }

    /// Whether changes are waiting to be written.
    pub(crate) fn waits(&self) -> bool {
        self.waiting.is_some()
    }
}

/// Values that change without a choice of the person.
const LAYOUT: [&str; 2] = ["window", "panels"];

/// Returns these settings merged over the files' previous values.
fn written(settings: &Settings, before: &Values) -> Values {
    let mut values = before.clone();
    if let Ok(Value::Object(known)) = serde_json::to_value(settings) {
        values.extend(known);
    }
    values
}

/// Applies those of the files' values that are valid by themselves.
pub(crate) fn read(values: &Values, settings: &mut Settings) {
    let mut taken = written(settings, &Values::new());
    for (key, value) in values {
        let before = taken.insert(key.clone(), value.clone());
        match serde_json::from_value::<Settings>(Value::Object(taken.clone())) {
            Ok(read) if read.make_sense() => *settings = read,
            Ok(_) | Err(_) => {
                taken.remove(key);
                taken.extend(before.map(|before| (key.clone(), before)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;
    use taproof_campaign::Target;
    use taproof_engine::device::Build;
    use taproof_spec::SelectorPreference;

    use super::*;
    use crate::state::{Place, RecordView, Theme, WindowPlace};

    /// Settings whose fields all differ from their defaults. A new field causes an error here, so none can be
    /// forgotten.
    fn settings() -> Settings {
        Settings {
            place: Place::Replay,
            record_view: RecordView::Specification,
            theme: Theme::Light,
            scale: 150,
            reduce_motion: true,
            preferred_selector: SelectorPreference::Text,
            issue_link: "https://ex.org/{title}".to_owned(),
            first_steps: false,
            first_steps_done: vec![Place::Fuzz],
            target: Target::bundled("org.taproof.notes", Build::Bugs(vec!["a-bug".to_owned()])),
            campaign: serde_json::from_value(json!({ "target": ["org.ex", "sound"], "events": "7" }))
                .unwrap(),
            window: Some(WindowPlace { width: 900.0, height: 700.0, at: Some([5.0, 0.0]), maximized: true }),
            panels: BTreeMap::from([("phone".to_owned(), 320.0)]),
            recent_folders: vec!["/tmp/x".into()],
            recent_actions: vec!["size".to_owned()],
            fit_devices: vec!["phone-1".to_owned()],
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let values = written(&settings(), &Values::new());
        let mut again = Settings::default();
        read(&values, &mut again);
        assert_eq!(again, settings());
    }

    #[test]
    fn nonsense_is_left_out_and_the_unknown_stays() {
        let text = r#"{"scale": 117, "theme": 3, "place": "moon", "build": {}, "future": [1],
            "window": {"width": 1e9, "height": -3}, "panels": {"phone": "wide", "tree": 300}}"#;
        let values: Values = serde_json::from_str(text).unwrap();
        let mut settings = Settings::default();
        let mut file = SettingsFile::default();
        file.begin(values, &mut settings);
        let panels = BTreeMap::from([("tree".to_owned(), 300.0)]);
        assert_eq!(settings, Settings { panels, ..Settings::default() });
        settings.scale = 200;
        let changed = file.due(&settings, None).unwrap();
        assert_eq!(Value::Object(changed), json!({ "scale": 200 }), "nothing else, so the rest stays");
    }

    #[test]
    fn what_is_the_same_in_every_project_is_a_setting() {
        let values = written(&settings(), &Values::new());
        let unknown: Vec<_> =
            Settings::PREFERENCES.iter().filter(|name| !values.contains_key(**name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn changes_that_follow_each_other_are_written_once() {
        let mut settings = Settings::default();
        let mut file = SettingsFile::default();
        file.begin(Values::new(), &mut settings);
        assert_eq!(file.due(&settings, Some(1.0)), None);
        settings.scale = 125;
        assert_eq!(file.due(&settings, Some(2.0)), None);
        settings.scale = 150;
        assert_eq!(file.due(&settings, Some(2.9)), None);
        assert_eq!(file.due(&settings, Some(3.5)), None);
        assert!(file.waits() && file.due(&settings, Some(4.0)).is_some());
        assert!(!file.waits() && file.due(&settings, None).is_none());
    }
}
