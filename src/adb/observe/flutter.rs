//! Screens that Flutter draws without telling accessibility what is on them.

use std::collections::BTreeMap;

use crate::connection::Connection;
use taproof_screen::{Layout, Text, is_opaque};

/// The views that Flutter draws into, as `dumpsys activity top` lists them; what a layout calls them is their parent's class.
const VIEWS: [&str; 2] = ["io.flutter.embedding.android.Flutter", "io.flutter.view.Flutter"];
/// How often an activity is looked at: its views may be there only after a while.
const LOOKS: u32 = 3;

/// How often the views of each activity were looked at.
#[derive(Debug, Default)]
pub(super) struct FlutterScreens(BTreeMap<Text, u32>);

impl FlutterScreens {
    /// What is to be said of a screen, once for each activity.
    pub fn problem(&mut self, connection: &Connection, layout: &Layout) -> Option<String> {
        if layout.activity().is_empty() || !is_opaque(layout, layout.package()) {
            return None;
        }
        let looks = self.0.entry(layout.activity().clone()).or_default();
        if *looks >= LOOKS {
            return None;
        }
        *looks += 1;
        let views = connection.shell("dumpsys activity top").ok()?;
        if !draws(&views, layout.activity()) {
            return None;
        }
        *looks = LOOKS;
        Some(format!(
            "Flutter does not tell accessibility what it shows on {}. It does from its start with \
             SemanticsBinding.instance.ensureSemantics() in main(), or while an accessibility service is on",
            layout.activity()
        ))
    }
}

/// Whether Flutter draws this activity.
fn draws(views: &str, activity: &str) -> bool {
    let of_activity = views.split("\n  ACTIVITY ").filter(|part| part.starts_with(activity));
    of_activity.flat_map(str::lines).any(|line| VIEWS.iter().any(|view| line.trim_start().starts_with(view)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flutter_is_known_by_its_views() {
        let top = "TASK org.ex id=3\n  ACTIVITY org.ex/.Main 2a pid=7\n    View Hierarchy:\n      DecorView@1[Main]\n        \
            android.widget.FrameLayout{41d0 V.E...... ........ 0,0-9,9}\n          \
            io.flutter.embedding.android.FlutterView{41d1 VFE...... .F...... 0,0-9,9 #1}\n";
        assert!(draws(top, "org.ex/.Main"));
        assert!(!draws(top, "org.ex/.Other"), "of another activity");
        assert!(!draws(&top.replace("io.flutter", "org.flutter"), "org.ex/.Main"));
    }
}
