//! The foreground: the activity, and the window that receives input.

use std::sync::Arc;

use super::around::is_notification_shade;
use crate::apk::component::Component;
use crate::apk::packages::{PERMISSIONS, SYSTEM_UI};
use crate::served::State;
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::hash_text;
use taproof_screen::{AppHealth, Layout, LayoutBuilder, Text, Widget, WidgetIdx};

/// The foreground activity and window.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    pub layout: Arc<Layout>,
    /// The activity on top of the stack; `None` if the screen names none.
    pub activity: Option<Component>,
    /// The package that drew the window that receives input.
    pub package: String,
    /// The title of that window, as `dumpsys window` prints it.
    pub window: String,
}

/// The hexadecimal identifier of a window, record or token with that name; it is always the same.
pub(crate) fn handle(kind: &str, name: &str) -> String {
    format!("{:x}", (hash_text(&format!("{kind} {name}")) & 0x0fff_ffff) | 0x0100_0000)
}

/// The layout in one window, with only the widgets that are kept.
pub(crate) fn with_only(layout: &Layout, keeps: impl Fn(WidgetIdx, &Widget) -> bool) -> Layout {
    let mut builder = LayoutBuilder::new(Text::clone(layout.activity()), layout.screen(), layout.rotation());
    builder.window(0, Text::from(""), true);
    let mut open = Vec::new();
    for (idx, widget) in layout.iter() {
        while open.last().is_some_and(|end| idx >= *end) {
            open.pop();
            builder.close();
        }
        if keeps(idx, widget) {
            builder.open(widget.clone());
            open.push(layout.end(idx));
        }
    }
    builder.finish()
}

impl State {
    /// The layout as the accessibility services of this version of Android report it.
    pub(crate) fn reported_layout(&mut self) -> Result<Arc<Layout>, DeviceError> {
        let layout = self.layout()?;
        Ok(if self.like.old() { Arc::new(layout.with_hints_as_texts()) } else { layout })
    }

    /// The foreground activity and window at the moment.
    pub(crate) fn front(&mut self) -> Result<Front, DeviceError> {
        let frame = self.device.observe()?;
        let layout = frame.layout;
        let activity = Component::parse(layout.activity());
        let drawn_by = layout.widgets().first().map(|widget| widget.package.to_string());
        let package = drawn_by.or_else(|| activity.as_ref().map(|activity| activity.package.clone()));
        let package = package.unwrap_or_default();
        let speaks_of = |of_health: Option<&str>| match (of_health, &activity) {
            (Some(package), _) => package.to_owned(),
            (None, Some(activity)) => activity.package.clone(),
            (None, None) => String::new(),
        };
        let window = match (package.as_str(), &frame.health) {
            ("android", AppHealth::NotResponding(report)) => {
                format!("Application Not Responding: {}", speaks_of(Some(&report.package)))
            }
            ("android", AppHealth::Crashed(report)) => {
                format!("Application Error: {}", speaks_of(Some(&report.package)))
            }
            ("android", _) => format!("Application Error: {}", speaks_of(None)),
            (PERMISSIONS, _) => {
                format!("{PERMISSIONS}/{PERMISSIONS}.permission.ui.GrantPermissionsActivity")
            }
            (SYSTEM_UI, _) if is_notification_shade(&layout) => "NotificationShade".to_owned(),
            (SYSTEM_UI, _) => "SystemUIDialog".to_owned(),
            ("com.android.dialer", _) => "com.android.dialer/com.android.incallui.InCallActivity".to_owned(),
            (package, _) => match &activity {
                Some(activity) if activity.package == package => activity.full(),
                _ => package.to_owned(),
            },
        };
        Ok(Front { layout, activity, package, window })
    }
}
