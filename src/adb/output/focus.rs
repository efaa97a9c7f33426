//! Which window and which activity have the focus, and whether a keyboard is shown.

use super::OutputError;
use super::component::Component;
use super::lines::{first_bool, values};
use taproof_screen::PxRect;

/// The focused window and activity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Focus {
    /// The title of the window that receives key events. `None` if no window does, as during a switch between two.
    pub window: Option<String>,
    /// The foreground activity, which the window need not belong to. `None` if there is none.
    pub activity: Option<Component>,
}

impl Focus {
    /// Whether this app is in front. Android 4.4 names the activity that was left while the window of another one, such as the
    /// launcher, has the focus.
    pub fn is_on(&self, app: &str) -> bool {
        let window = self.window.as_deref().and_then(Component::parse);
        let activity = self.activity.as_ref().is_some_and(|activity| activity.package == app);
        activity && window.is_none_or(|window| window.package == app)
    }
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
    let window = windows.filter_map(window_title).last().map(str::to_owned);
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
    for state in ["} ", " paused=", " EXITING", ", isShadow:", " type="] {
        title = title.split(state).next().unwrap_or(title);
    }
    let title = title.trim().trim_end_matches('}');
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn check_window(inside: &str, expected: &str) {
        let focus =
            window_focus(&format!("  mCurrentFocus=Window{{{inside}}}\r\n  mFocusedApp=null\r\n")).unwrap();
        assert_eq!(focus, Focus { window: Some(expected.to_owned()), activity: None }, "{inside}");
    }

    #[test]
    fn the_window_is_known_by_its_title() {
        let main = "com.a/com.a.Main";
        check_window("2785a60 u0 com.a/com.a.Main", main);
        check_window("2785a60 com.a/com.a.Main paused=false", main);
        check_window("2785a60 u10 com.a/com.a.Main EXITING", main);
        check_window("2785a60 u0 com.a/com.a.Main, isShadow:false", main);
        check_window("2785a60 u0 com.a/com.a.Main} vendor={x", main);
        check_window("2785a60 u0 com.a/com.a.Main$1", "com.a/com.a.Main$1");
        check_window("1 u0 AtchDlg:com.a/com.a.Main", "AtchDlg:com.a/com.a.Main");
        check_window("1 u0 Pop-Up Window", "Pop-Up Window");
        check_window("1 u0 NotificationShade", "NotificationShade");
        check_window(
            "1 u0 Application Not Responding: com.a:remote",
            "Application Not Responding: com.a:remote",
        );
    }

    #[test]
    fn the_last_display_with_a_focus_counts() {
        let text = "  mCurrentFocus=Window{1 u0 com.a/com.a.Main}\n  mFocusedApp=ActivityRecord{d72 u0 \
            com.a/.Main t409}\n\
            Display: mDisplayId=2\n  mCurrentFocus=null\n  mFocusedApp=null\n";
        let focus = window_focus(text).unwrap();
        assert_eq!(focus.window.as_deref(), Some("com.a/com.a.Main"));
        assert_eq!(focus.activity.unwrap().to_string(), "com.a/.Main");
        let none = window_focus("mCurrentFocus=null\nmFocusedApp=null\n").unwrap();
        assert_eq!(none, Focus { window: None, activity: None });
        let error = window_focus("WINDOW MANAGER WINDOWS (dumpsys window windows)\n").unwrap_err();
        assert!(error.to_string().contains("dumpsys window displays"), "{error}");
    }

    #[test]
    fn an_app_is_not_in_front_behind_another_ones_window() {
        let on = |window: &str, app: &str| {
            let record = format!("ActivityRecord{{2 u0 {app}/.Main t7}}");
            let text = format!(
                "  mCurrentFocus=Window{{1 u0 {window}}}\n  mFocusedApp=AppWindowToken{{3 {record}}}\n"
            );
            window_focus(&text).unwrap().is_on("com.a")
        };
        assert!(on("com.a/com.a.Main", "com.a") && on("Pop-Up Window", "com.a"));
        assert!(!on("com.home/com.home.Home", "com.a") && !on("com.a/com.a.Main", "com.home"));
    }

    #[test]
    fn the_old_devices_note_list_has_the_focus() {
        let Some(windows) = test_data::text("dumpsys_window_windows.txt") else { return };
        let list = Component::parse("com.example.android.notepad/.NotesList").unwrap();
        let focus = Focus { window: Some(list.full()), activity: Some(list) };
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
