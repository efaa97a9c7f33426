//! What the person chose, as the settings file has it. Values that make no sense are left out: a default is
//! better than no window.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::state::{BuildChoice, Place, RecordView, SCALES, Settings, Theme, WindowPlace};

type Values = Map<String, Value>;

/// Seconds that a change waits for the next one before both are written.
const REST: f64 = 1.0;

/// What was kept, and what is not kept yet.
#[derive(Default)]
pub(super) struct Keeper {
    /// What the file holds, with what we do not know.
    written: Values,
    /// What it should hold, and since when.
    waiting: Option<(Values, f64)>,
}

impl Keeper {
    /// Takes the file's values over into the settings.
    pub(super) fn begin(&mut self, values: Values, settings: &mut Settings) {
        read(&values, settings);
        self.written = written(settings, &values);
    }

    /// What must be written now, if there is something; `None` of a time: the window closes. That the window
    /// or a panel got another size is not written before: looking around leaves no file behind.
    pub(super) fn due(&mut self, settings: &Settings, now: Option<f64>) -> Option<Values> {
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
        self.written.clone_from(&values);
        Some(values)
    }

    /// Whether something waits to be written.
    pub(super) fn waits(&self) -> bool {
        self.waiting.is_some()
    }
}

/// What changes without a choice.
const LAYOUT: [&str; 2] = ["window", "panels"];
const PLACES: [(&str, Place); 3] =
    [("record", Place::Record), ("fuzz", Place::Fuzz), ("replay", Place::Replay)];
const VIEWS: [(&str, RecordView); 2] =
    [("recording", RecordView::Recording), ("specification", RecordView::Specification)];
const THEMES: [(&str, Theme); 3] =
    [("system", Theme::System), ("light", Theme::Light), ("dark", Theme::Dark)];

fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// The values of these settings, over what the file held before.
fn written(settings: &Settings, before: &Values) -> Values {
    let build = match &settings.build {
        BuildChoice::Faulty => json!("faulty"),
        BuildChoice::Sound => json!("sound"),
        BuildChoice::Only(bugs) => json!(bugs),
        // A device may not be there the next time.
        BuildChoice::Device(_) => json!("faulty"),
    };
    let window = settings.window.as_ref().map(|place| {
        let WindowPlace { size: [width, height], at, maximized } = place;
        json!({"width": width, "height": height, "at": at, "maximized": maximized})
    });
    let known = [
        ("place", json!(word_of(&PLACES, &settings.place))),
        ("record_view", json!(word_of(&VIEWS, &settings.record_view))),
        ("theme", json!(word_of(&THEMES, &settings.theme))),
        ("scale", json!(settings.scale)),
        ("reduce_motion", json!(settings.reduce_motion)),
        ("own_dialogs", json!(settings.own_dialogs)),
        ("first_steps", json!(settings.first_steps)),
        ("app", json!(settings.app)),
        ("build", build),
        ("window", json!(window)),
        ("panels", json!(settings.panels)),
        ("recent_folders", json!(settings.recent_folders)),
        ("recent_actions", json!(settings.recent_actions)),
    ];
    let mut values = before.clone();
    values.extend(known.map(|(key, value)| (key.to_owned(), value)));
    values
}

pub(super) fn read(values: &Values, settings: &mut Settings) {
    let word = |key: &str| values.get(key).and_then(Value::as_str);
    let flag = |key: &str, now: bool| values.get(key).and_then(Value::as_bool).unwrap_or(now);
    if let Some((_, place)) = PLACES.iter().find(|(name, _)| word("place") == Some(name)) {
        settings.place = *place;
    }
    if let Some((_, view)) = VIEWS.iter().find(|(name, _)| word("record_view") == Some(name)) {
        settings.record_view = *view;
    }
    if let Some((_, theme)) = THEMES.iter().find(|(name, _)| word("theme") == Some(name)) {
        settings.theme = *theme;
    }
    let scale = values.get("scale").and_then(Value::as_u64);
    if let Some(scale) = SCALES.into_iter().find(|known| Some(u64::from(*known)) == scale) {
        settings.scale = scale;
    }
    settings.reduce_motion = flag("reduce_motion", settings.reduce_motion);
    settings.own_dialogs = flag("own_dialogs", settings.own_dialogs);
    settings.first_steps = flag("first_steps", settings.first_steps);
    if let Some(app) = word("app") {
        settings.app = app.to_owned();
    }
    settings.build = match values.get("build") {
        Some(Value::String(word)) if word == "sound" => BuildChoice::Sound,
        Some(Value::Array(_)) => BuildChoice::Only(texts(values.get("build")).collect::<BTreeSet<_>>()),
        _ => BuildChoice::Faulty,
    };
    settings.window = values.get("window").and_then(window_place);
    settings.panels = values.get("panels").map(panels).unwrap_or_default();
    settings.recent_folders = texts(values.get("recent_folders")).map(PathBuf::from).collect();
    settings.recent_actions = texts(values.get("recent_actions")).collect();
}

fn texts(value: Option<&Value>) -> impl Iterator<Item = String> + '_ {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_owned)
}

fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}

/// Where the window stood, if a window can stand there.
fn window_place(value: &Value) -> Option<WindowPlace> {
    let size = [number(value.get("width")?)?, number(value.get("height")?)?];
    let at = || {
        let [x, y] = value.get("at")?.as_array()?.as_slice() else { return None };
        let at = [number(x)?, number(y)?];
        at.iter().all(|place| (0.0..=16_000.0).contains(place)).then_some(at)
    };
    let maximized = value.get("maximized").and_then(Value::as_bool).unwrap_or_default();
    let sane = size.iter().all(|side| (200.0..=16_000.0).contains(side));
    sane.then(|| WindowPlace { size, at: at(), maximized })
}

fn panels(value: &Value) -> BTreeMap<String, f32> {
    let width = |(name, width): (&String, &Value)| {
        Some((name.clone(), number(width).filter(|width| (40.0..=4_000.0).contains(width))?))
    };
    value.as_object().into_iter().flatten().filter_map(width).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every field has another value than the default, and none can be forgotten.
    fn settings() -> Settings {
        Settings {
            place: Place::Replay,
            record_view: RecordView::Specification,
            theme: Theme::Light,
            scale: 150,
            reduce_motion: true,
            own_dialogs: true,
            first_steps: false,
            app: "org.taproof.notes".to_owned(),
            build: BuildChoice::Only(BTreeSet::from(["a-bug".to_owned()])),
            window: Some(WindowPlace { size: [900.0, 700.0], at: Some([5.0, 0.0]), maximized: true }),
            panels: BTreeMap::from([("phone".to_owned(), 320.0)]),
            recent_folders: vec!["/tmp/x".into()],
            recent_actions: vec!["size".to_owned()],
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
        let mut keeper = Keeper::default();
        keeper.begin(values, &mut settings);
        let panels = BTreeMap::from([("tree".to_owned(), 300.0)]);
        assert_eq!(settings, Settings { panels, ..Settings::default() });
        settings.scale = 200;
        let kept = keeper.due(&settings, None).unwrap();
        assert_eq!((&kept["scale"], &kept["future"]), (&json!(200), &json!([1])));
    }

    #[test]
    fn changes_that_follow_each_other_are_written_once() {
        let mut settings = Settings::default();
        let mut keeper = Keeper::default();
        keeper.begin(Values::new(), &mut settings);
        assert_eq!(keeper.due(&settings, Some(1.0)), None);
        settings.scale = 125;
        assert_eq!(keeper.due(&settings, Some(2.0)), None);
        settings.scale = 150;
        assert_eq!(keeper.due(&settings, Some(2.9)), None);
        assert_eq!(keeper.due(&settings, Some(3.5)), None);
        assert!(keeper.waits() && keeper.due(&settings, Some(4.0)).is_some());
        assert!(!keeper.waits() && keeper.due(&settings, None).is_none());
    }
}
