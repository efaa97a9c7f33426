//! Which app a screen belongs to: a device tells the activity in front and the active window apart, and the two change one
//! after the other.

use crate::{AppHealth, Frame, Layout, Text, is_of_app};

/// The packages whose windows lie over an app until somebody closes them, with the app's activity in front: the
/// notifications and the system's warnings, and a call.
const OVER_APPS: [&str; 2] = ["com.android.dialer", "com.android.systemui"];

/// What the activity in front and the active window say of an app. Windows in which Android itself asks something on
/// behalf of the app count as part of it, since engines answer them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFront {
    /// Both are the app's.
    App,
    /// Neither is.
    Another,
    /// A window of the system lies over the app.
    Covered,
    /// Only one of them is the app's: one app is going and another one coming.
    Changing,
}

impl Layout {
    /// What is in front, for the app with this package name.
    pub fn in_front(&self, app: &str) -> InFront {
        let is_app = |package: &str| self.counts_as_app() || package.is_empty() || is_of_app(package, app);
        let window = self.window_package();
        match (is_app(self.package()), is_app(window)) {
            (true, true) => InFront::App,
            (false, false) => InFront::Another,
            (true, false) if OVER_APPS.contains(&window) => InFront::Covered,
            (true, false) | (false, true) => InFront::Changing,
        }
    }

    /// Whether a window that is not the app's lies in front of it, so that the screen tells nothing of the app: one of the
    /// system, or one in which it asks something. An app that was left is not covered.
    pub fn is_covered(&self, app: &str) -> bool {
        let window = self.window_package();
        let left = self.in_front(app) == InFront::Another && !self.activity().is_empty();
        !self.counts_as_app() && !window.is_empty() && window != app && !left
    }
}

impl Frame {
    /// The frame of a test of this app: a screen of which not both the activity and the window are the app's is none of
    /// the app.
    #[must_use]
    pub fn of_test(self, app: &str) -> Frame {
        let left = match self.layout.in_front(app) {
            InFront::App => return self,
            _ if self.health != AppHealth::Running => return self,
            InFront::Another => Text::clone(self.layout.activity()),
            InFront::Covered | InFront::Changing => self.layout.window_package().into(),
        };
        Frame { health: AppHealth::LeftApp(left), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{WidgetIdx, frame_of, layout_from};

    #[test]
    fn a_screen_is_the_apps_if_activity_and_window_are() {
        let screen = |activity: &str, window: &str| {
            let layout = layout_from("FrameLayout\n").with_activity(format!("{activity}/.Main").into());
            layout.with_changed(&[WidgetIdx(0)], |root| root.package = window.into())
        };
        let check = |activity: &str, window: &str, expected: InFront, left: Option<&str>| {
            let layout = screen(activity, window);
            assert_eq!(layout.in_front("org.ex"), expected, "{activity} {window}");
            let expected = left.map_or(AppHealth::Running, |left| AppHealth::LeftApp(left.into()));
            assert_eq!(frame_of(layout).of_test("org.ex").health, expected, "{activity} {window}");
        };
        let home = "com.android.launcher3";
        check("org.ex", "org.ex", InFront::App, None);
        check("org.ex", "android", InFront::App, None);
        check("org.ex", home, InFront::Changing, Some(home));
        check(home, "org.ex", InFront::Changing, Some("org.ex"));
        check(home, home, InFront::Another, Some("com.android.launcher3/.Main"));
        check("org.ex", "com.android.systemui", InFront::Covered, Some("com.android.systemui"));
        assert_eq!(screen("org.ex", home).counted_as_app().in_front("org.ex"), InFront::App);
        let covered = |activity: &str, window: &str| screen(activity, window).is_covered("org.ex");
        assert!(covered("org.ex", home) && covered("org.ex", "android") && covered("android", "android"));
        assert!(!covered("org.ex", "org.ex") && !covered(home, home) && !covered(home, "org.ex"));
        assert!(!screen("org.ex", home).counted_as_app().is_covered("org.ex"));
    }
}
