//! Events, health and roles as the database keeps them.

use serde::{Deserialize, Serialize};

use taproof_core::model::{
    AppHealth, CrashReport, DeviceDuration, Direction, Event, Gesture, Key, PxPoint, PxSize, Selector,
    StepRole, SystemEvent, Target, Text, XPath,
};

use super::StoreError;

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StoredEvent {
    Widget {
        #[serde(flatten)]
        selector: StoredSelector,
        at: [i32; 2],
        screen: [i32; 2],
        gesture: StoredGesture,
    },
    Type {
        text: String,
    },
    Key {
        key: Key,
    },
    Rotate,
    Wait {
        millis: u64,
    },
    Relaunch,
    System {
        what: SystemEvent,
    },
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct StoredSelector {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    resource_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    class: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    content_desc: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    xpath: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    instance: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredGesture {
    Tap,
    LongPress,
    SetText(String),
    Swipe(Direction),
    Drag([i32; 2]),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum StoredHealth {
    Running,
    Crashed(StoredCrash),
    NotResponding(StoredCrash),
    LeftApp { activity: String },
}

#[derive(Serialize, Deserialize)]
struct StoredCrash {
    package: String,
    exception: String,
    message: String,
    stack: Vec<String>,
    log: String,
}

impl StoredSelector {
    pub(super) fn of(selector: &Selector) -> Self {
        StoredSelector {
            resource_id: selector.resource_id.clone(),
            class: selector.class.clone(),
            text: selector.text.clone(),
            content_desc: selector.content_desc.clone(),
            xpath: selector.xpath.as_ref().map(|xpath| xpath.source().to_owned()),
            instance: selector.instance,
        }
    }

    pub(super) fn selector(self) -> Result<Selector, StoreError> {
        let xpath = self.xpath.as_deref().map(XPath::parse).transpose();
        let xpath = xpath.map_err(|error| StoreError::Damaged { what: error.to_string() })?;
        Ok(Selector {
            resource_id: self.resource_id,
            class: self.class,
            text: self.text,
            content_desc: self.content_desc,
            xpath,
            instance: self.instance,
        })
    }
}

pub(super) fn event_to_json(event: &Event) -> Result<String, StoreError> {
    let stored = match event {
        Event::Widget { target, gesture } => StoredEvent::Widget {
            selector: StoredSelector::of(&target.selector),
            at: [target.at.x, target.at.y],
            screen: [target.screen.width, target.screen.height],
            gesture: match gesture {
                Gesture::Tap => StoredGesture::Tap,
                Gesture::LongPress => StoredGesture::LongPress,
                Gesture::SetText(text) => StoredGesture::SetText(text.clone()),
                Gesture::Swipe(direction) => StoredGesture::Swipe(*direction),
                Gesture::Drag(to) => StoredGesture::Drag([to.x, to.y]),
            },
        },
        Event::Type(text) => StoredEvent::Type { text: text.clone() },
        Event::Key(key) => StoredEvent::Key { key: *key },
        Event::Rotate => StoredEvent::Rotate,
        Event::Wait(span) => StoredEvent::Wait { millis: span.millis() },
        Event::Relaunch => StoredEvent::Relaunch,
        Event::System(what) => StoredEvent::System { what: *what },
    };
    Ok(serde_json::to_string(&stored)?)
}

pub(super) fn event_from_json(text: &str) -> Result<Event, StoreError> {
    let stored: StoredEvent = serde_json::from_str(text)?;
    Ok(match stored {
        StoredEvent::Widget { selector, at, screen, gesture } => Event::Widget {
            target: Target {
                selector: selector.selector()?,
                at: PxPoint { x: at[0], y: at[1] },
                screen: PxSize { width: screen[0], height: screen[1] },
            },
            gesture: match gesture {
                StoredGesture::Tap => Gesture::Tap,
                StoredGesture::LongPress => Gesture::LongPress,
                StoredGesture::SetText(text) => Gesture::SetText(text),
                StoredGesture::Swipe(direction) => Gesture::Swipe(direction),
                StoredGesture::Drag(to) => Gesture::Drag(PxPoint { x: to[0], y: to[1] }),
            },
        },
        StoredEvent::Type { text } => Event::Type(text),
        StoredEvent::Key { key } => Event::Key(key),
        StoredEvent::Rotate => Event::Rotate,
        StoredEvent::Wait { millis } => Event::Wait(DeviceDuration::from_millis(millis)),
        StoredEvent::Relaunch => Event::Relaunch,
        StoredEvent::System { what } => Event::System(what),
    })
}

fn crash_to_stored(report: &CrashReport) -> StoredCrash {
    StoredCrash {
        package: report.package.clone(),
        exception: report.exception.clone(),
        message: report.message.clone(),
        stack: report.stack.clone(),
        log: report.log.clone(),
    }
}

fn crash_from_stored(stored: StoredCrash) -> std::sync::Arc<CrashReport> {
    std::sync::Arc::new(CrashReport {
        package: stored.package,
        exception: stored.exception,
        message: stored.message,
        stack: stored.stack,
        log: stored.log,
    })
}

pub(super) fn health_to_json(health: &AppHealth) -> Result<String, StoreError> {
    let stored = match health {
        AppHealth::Running => StoredHealth::Running,
        AppHealth::Crashed(report) => StoredHealth::Crashed(crash_to_stored(report)),
        AppHealth::NotResponding(report) => StoredHealth::NotResponding(crash_to_stored(report)),
        AppHealth::LeftApp(activity) => StoredHealth::LeftApp { activity: activity.to_string() },
    };
    Ok(serde_json::to_string(&stored)?)
}

pub(super) fn health_from_json(text: &str) -> Result<AppHealth, StoreError> {
    let stored: StoredHealth = serde_json::from_str(text)?;
    Ok(match stored {
        StoredHealth::Running => AppHealth::Running,
        StoredHealth::Crashed(crash) => AppHealth::Crashed(crash_from_stored(crash)),
        StoredHealth::NotResponding(crash) => AppHealth::NotResponding(crash_from_stored(crash)),
        StoredHealth::LeftApp { activity } => AppHealth::LeftApp(Text::from(activity)),
    })
}

const ROLES: [(StepRole, &str); 5] = [
    (StepRole::Explored, "explored"),
    (StepRole::Seed, "seed"),
    (StepRole::Inserted, "inserted"),
    (StepRole::SpecStep, "spec"),
    (StepRole::Appended, "appended"),
];

pub(super) fn role_to_text(role: StepRole) -> &'static str {
    ROLES.iter().find(|(known, _)| *known == role).map_or("explored", |(_, name)| name)
}

pub(super) fn role_from_text(text: &str) -> Result<StepRole, StoreError> {
    let found = ROLES.iter().find(|(_, name)| *name == text).map(|(role, _)| *role);
    found.ok_or_else(|| StoreError::Damaged { what: format!("a step has the role {text:?}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_comes_back_as_it_was() {
        let target = |selector: Selector| Target {
            selector,
            at: PxPoint { x: 3, y: -4 },
            screen: PxSize { width: 1080, height: 1920 },
        };
        let xpath = XPath::parse("//android.widget.TextView[@text=\"a\"]").unwrap();
        let full = Selector {
            resource_id: Some("org.ex:id/row".into()),
            text: Some("'\"<☃".into()),
            xpath: Some(xpath),
            instance: Some(2),
            ..Selector::default()
        };
        let gestures = [
            Gesture::Tap,
            Gesture::LongPress,
            Gesture::SetText("x".into()),
            Gesture::Swipe(Direction::Left),
            Gesture::Drag(PxPoint { x: 1, y: 2 }),
        ];
        let mut events: Vec<Event> = gestures
            .into_iter()
            .map(|gesture| Event::Widget { target: target(full.clone()), gesture })
            .collect();
        events.extend([
            Event::Type("ü".into()),
            Event::Rotate,
            Event::Wait(DeviceDuration(5)),
            Event::Relaunch,
        ]);
        events.extend(Key::ALL.map(Event::Key));
        events.extend(SystemEvent::ALL.map(Event::System));
        for event in events {
            assert_eq!(event_from_json(&event_to_json(&event).unwrap()).unwrap(), event);
        }
        assert!(event_from_json("{\"kind\":\"fly\"}").is_err());
    }
}
