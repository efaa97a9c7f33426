//! Which window and which activity have the focus, and whether a keyboard is shown.

use super::OutputError;
use super::component::{Component, package_of_process};
use super::lines::{first_bool, values};
use taproof_core::model::PxRect;

/// The focused window and activity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// The window that receives key events.
    pub window: FocusedWindow,
    /// The foreground activity, which the window need not belong to. `None` if there is none.
    pub activity: Option<Component>,
}

/// The window that receives key events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FocusedWindow {
    /// No window has the focus, as during a switch between two.
    Nothing,
    /// A window of an activity, or a dialog titled with the activity's name.
    Activity(Component),
    /// A window attached to one of an activity: a dialog, a menu, a panel.
    Attached {
        /// The kind of window, such as `AtchDlg` or `SubPanel`.
        kind: String,
        /// The activity that it is attached to.
        to: Component,
    },
    /// A popup such as a menu or a list of suggestions.
    Popup {
        /// The title of the window, as the window manager knows it.
        title: String,
    },
    /// Android's dialog that an app has stopped.
    Crashed {
        /// The package of the app.
        package: String,
    },
    /// Android's dialog that an app is not responding.
    NotResponding {
        /// The package of the app.
        package: String,
    },
    /// The starting window of an app.
    Starting {
        /// The package of the app.
        package: String,
    },
    /// Any other window: the notifications, the lock screen, a window of an app without an activity.
    Other {
        /// The title of the window, as the window manager knows it.
        title: String,
    },
}

/// Parses `mCurrentFocus` and `mFocusedApp` of `dumpsys window`, `dumpsys window windows` or `dumpsys window displays`.
/// With several displays the last value that is not null counts.
///
/// # Errors
///
/// If the answer has neither field.
pub fn window_focus(text: &str) -> Result<Focus, OutputError> {
    let mut windows = values(text, "mCurrentFocus=").peekable();
    let mut apps = values(text, "mFocusedApp=").peekable();
    if windows.peek().is_none() && apps.peek().is_none() {
        let expected = "`mCurrentFocus`; it may be in `dumpsys window displays` or `dumpsys window`";
        return Err(OutputError::missing("dumpsys window", expected, text));
    }
    let window = windows.filter_map(window_title).last().map_or(FocusedWindow::Nothing, focused_window);
    Ok(Focus { window, activity: apps.filter_map(Component::of_record).last() })
}

/// Parses from `dumpsys input_method` whether a soft keyboard is shown.
///
/// # Errors
///
/// If the answer does not contain that.
pub fn keyboard_shown(text: &str) -> Result<bool, OutputError> {
    first_bool(text, "mInputShown=")
        .or_else(|| first_bool(text, "mIsInputViewShown="))
        .ok_or_else(|| OutputError::missing("dumpsys input_method", "field `mInputShown`", text))
}

/// Parses the area in which the keyboard takes touches from `dumpsys window InputMethod`: the bounding box of all parts
/// of `touchable region=SkRegion((0,1563,1080,2154))`. `None` if there is none. A hidden keyboard may still have one.
pub fn keyboard_region(text: &str) -> Option<PxRect> {
    let (_, keyboard) = text.split_once(" InputMethod}")?;
    let (_, region) = keyboard.split_once("touchable region=SkRegion(")?;
    let line = region.lines().next()?;
    let parts = line.split('(').filter_map(|part| {
        let mut sides = part.trim_end_matches([')', ' ']).split(',').map(|side| side.trim().parse().ok());
        Some(PxRect::new(sides.next()??, sides.next()??, sides.next()??, sides.next()??))
    });
    parts
        .reduce(|one, other| {
            let (left, top) = (one.left.min(other.left), one.top.min(other.top));
            PxRect::new(left, top, one.right.max(other.right), one.bottom.max(other.bottom))
        })
        .filter(|region| region.width() > 0 && region.height() > 0)
}

/// The title in `Window{HASH u0 TITLE}`, which may lack the user and may have the window's state after the title.
fn window_title(value: &str) -> Option<&str> {
    let (_, inside) = value.split_once("Window{")?;
    let inside = inside.rsplit_once('}').map_or(inside, |(inside, _)| inside);
    let (_, mut title) = inside.split_once(' ')?;
    if let Some((user, rest)) = title.split_once(' ')
        && user.strip_prefix('u').is_some_and(|id| !id.is_empty() && id.chars().all(|c| c.is_ascii_digit()))
    {
        title = rest;
    }
    for state in [" paused=", " EXITING", ", isShadow:", " type="] {
        title = title.split(state).next().unwrap_or(title);
    }
    let title = title.trim().trim_end_matches('}');
    (!title.is_empty()).then_some(title)
}

fn focused_window(title: &str) -> FocusedWindow {
    let package = |name: &str| package_of_process(name.trim()).to_owned();
    // Some vendors print more after the component.
    let name = title.split(['}', ' ']).next().unwrap_or(title);
    if let Some(component) = Component::parse(name) {
        return FocusedWindow::Activity(component);
    }
    if let Some(name) = title.strip_prefix("Application Error:") {
        return FocusedWindow::Crashed { package: package(name) };
    }
    if let Some(name) = title.strip_prefix("Application Not Responding:") {
        return FocusedWindow::NotResponding { package: package(name) };
    }
    if let Some(name) = title.strip_prefix("Starting ").or_else(|| title.strip_prefix("Splash Screen ")) {
        return FocusedWindow::Starting { package: package(name) };
    }
    if title.starts_with("PopupWindow:") || title == "Pop-Up Window" {
        return FocusedWindow::Popup { title: title.to_owned() };
    }
    match title.split_once(':').and_then(|(kind, name)| Some((kind, Component::parse(name)?))) {
        Some((kind, to)) => FocusedWindow::Attached { kind: kind.to_owned(), to },
        None => FocusedWindow::Other { title: title.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn component(text: &str) -> Component {
        Component::parse(text).unwrap()
    }

    fn check_window(inside: &str, expected: FocusedWindow) {
        let focus =
            window_focus(&format!("  mCurrentFocus=Window{{{inside}}}\r\n  mFocusedApp=null\r\n")).unwrap();
        assert_eq!(focus, Focus { window: expected, activity: None }, "{inside}");
    }

    #[test]
    fn titles_of_all_kinds_are_told_apart() {
        let main = || FocusedWindow::Activity(component("com.a/.Main"));
        check_window("2785a60 u0 com.a/com.a.Main", main());
        check_window("2785a60 com.a/com.a.Main paused=false", main());
        check_window("2785a60 u10 com.a/com.a.Main EXITING", main());
        check_window("2785a60 u0 com.a/com.a.Main, isShadow:false", main());
        check_window("2785a60 u0 com.a/com.a.Main} vendor={x", main());
        check_window("2785a60 u0 com.a/com.a.Main$1", FocusedWindow::Activity(component("com.a/.Main$1")));
        check_window("1 u0 AtchDlg:com.example.android.notepad/com.example.android.notepad.NotesList", {
            let to = component("com.example.android.notepad/.NotesList");
            FocusedWindow::Attached { kind: "AtchDlg".to_owned(), to }
        });
        check_window("1 u0 PopupWindow:1f2", FocusedWindow::Popup { title: "PopupWindow:1f2".to_owned() });
        check_window("1 u0 Pop-Up Window", FocusedWindow::Popup { title: "Pop-Up Window".to_owned() });
        check_window(
            "1 u0 NotificationShade",
            FocusedWindow::Other { title: "NotificationShade".to_owned() },
        );
        check_window("1 u0 Any } title", FocusedWindow::Other { title: "Any } title".to_owned() });
        check_window("1 u0 Application Error: com.a", FocusedWindow::Crashed { package: "com.a".to_owned() });
        check_window("1 u0 Application Not Responding: com.a:remote", {
            FocusedWindow::NotResponding { package: "com.a".to_owned() }
        });
        check_window("1 u0 Splash Screen com.a", FocusedWindow::Starting { package: "com.a".to_owned() });
        check_window("1 u0 Starting com.a", FocusedWindow::Starting { package: "com.a".to_owned() });
    }

    #[test]
    fn the_last_display_with_a_focus_counts() {
        let text = "  mCurrentFocus=Window{1 u0 com.a/com.a.Main}\n  mFocusedApp=ActivityRecord{d72 u0 \
            com.a/.Main t409}\n\
            Display: mDisplayId=2\n  mCurrentFocus=null\n  mFocusedApp=null\n";
        let focus = window_focus(text).unwrap();
        assert_eq!(focus.window, FocusedWindow::Activity(component("com.a/.Main")));
        assert_eq!(focus.activity.unwrap().to_string(), "com.a/.Main");
        let none = window_focus("mCurrentFocus=null\nmFocusedApp=null\n").unwrap();
        assert_eq!(none, Focus { window: FocusedWindow::Nothing, activity: None });
        let error = window_focus("WINDOW MANAGER WINDOWS (dumpsys window windows)\n").unwrap_err();
        assert!(error.to_string().contains("dumpsys window displays"), "{error}");
    }

    #[test]
    fn the_old_devices_note_list_has_the_focus() {
        let Some(windows) = test_data::text("dumpsys_window_windows.txt") else { return };
        let list = component("com.example.android.notepad/.NotesList");
        let focus = Focus { window: FocusedWindow::Activity(list.clone()), activity: Some(list) };
        assert_eq!(window_focus(&windows), Ok(focus));
        assert_eq!(keyboard_shown(&test_data::text("dumpsys_input_method.txt").unwrap()), Ok(false));
    }

    #[test]
    fn a_keyboard_may_be_shown() {
        let text =
            "  mShowRequested=true mShowExplicitlyRequested=false mShowForced=false mInputShown=true\n";
        assert_eq!(keyboard_shown(text), Ok(true));
        assert_eq!(keyboard_shown("    mIsInputViewShown=true mStatusIcon=0"), Ok(true));
        assert!(keyboard_shown("mInputShown=maybe").is_err());
    }

    #[test]
    fn the_keyboard_says_where_it_takes_touches() {
        let text = "  Window #3 Window{1 u0 NavigationBar0}:\n    touchable region=SkRegion((0,1,2,3))\n  Window #2 Window{2 \
                    u0 InputMethod}:\n    mTouchableInsets=3\n    touchable region=SkRegion((0,1500,1080,1563)(40,1563,1000,2154))\n";
        assert_eq!(keyboard_region(text), Some(PxRect::new(0, 1500, 1080, 2154)));
        assert_eq!(
            keyboard_region("  Window #2 Window{2 u0 InputMethod}:\n    touchable region=SkRegion()\n"),
            None
        );
        assert_eq!(keyboard_region("nothing"), None);
    }
}
