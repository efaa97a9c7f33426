//! The table of relations, a row each with the papers that describe it.

use super::relation::{COMMON, Effect, Relation, Way};
use super::{Aspect, Difference, RowChange, ways};
use taproof_screen::{Event, SystemEvent};

const THOR: &str = "Thor (ISSTA 2015)";
const SETDROID: &str = "SetDroid (ISSTA 2021)";

/// What happens once and is over by itself.
macro_rules! happens {
    ($what:ident) => {
        Way::Fixed(&[Event::System(SystemEvent::$what)])
    };
}

/// What happens a first time and is taken back by the second.
macro_rules! there_and_back {
    ($what:ident) => {
        Way::Fixed(&[Event::System(SystemEvent::$what), Event::System(SystemEvent::$what)])
    };
}

/// All relations, in the order of lists. A checkpoint names them by their place: new ones come last.
pub static RELATIONS: &[Relation] = &[
    Relation {
        name: "rotation",
        title: "Turning the phone and back",
        by_hand: "turn the phone on its side and back",
        source: "Quantum (Zaeem, Prasad, Khurshid; ICST 2014), Thor (Adamsen, Mezzetti, M\u{f8}ller; ISSTA 2015)",
        needs: "a screen that rotates",
        effect: Effect::Recreates,
        way: Way::Fixed(&[Event::Rotate, Event::Rotate]),
        ..COMMON
    },
    // Turned once, the page may look different, but what was entered is there.
    Relation {
        name: "landscape",
        title: "Turning the phone",
        by_hand: "turn the phone and leave it so",
        source: "DLD (Riganelli, Mottadelli, Rota, Micucci, Mariani; ISSTA 2020)",
        needs: "a screen that rotates",
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: Way::Fixed(&[Event::Rotate]),
        // Another layout may show other texts and rows.
        keeps: |difference, _| match difference.aspect {
            Aspect::Typed | Aspect::Checked | Aspect::Selected => difference.widget.is_some(),
            aspect => aspect == Aspect::Page,
        },
        ..COMMON
    },
    Relation {
        name: "background",
        title: "Leaving the app and coming back",
        by_hand: "press Home and open the app again from the recent apps",
        source: "Quantum (ICST 2014), Thor (ISSTA 2015)",
        way: happens!(Background),
        ..COMMON
    },
    // The system ends the process of an app in the background, and restores its activities from their saved state.
    Relation {
        name: "process-death",
        title: "Coming back after the process was ended in the background",
        by_hand: "press Home, run `adb shell am kill PACKAGE`, and open the app again from the recent apps",
        source: "DLD (ISSTA 2020), KREfinder (Shan, Azim, Neamtiu; OOPSLA 2016)",
        needs: "am kill",
        effect: Effect::Recreates,
        parts: &["background", "rotation"],
        way: happens!(ProcessDeath),
        keeps: saved_by_android,
        ..COMMON
    },
    // The process goes on.
    Relation {
        name: "activity-death",
        title: "Coming back after the activity was destroyed in the background",
        by_hand: "switch on \u{201c}Don\u{2019}t keep activities\u{201d} in the developer options, press Home, and open the app again from the recent apps",
        source: "DLD (ISSTA 2020), Thor (ISSTA 2015)",
        needs: "a phone whose activities can be destroyed: the bundled one, none through adb",
        effect: Effect::Recreates,
        parts: &["background", "rotation"],
        way: happens!(ActivityDeath),
        ..COMMON
    },
    // At the same size, unlike a rotation.
    Relation {
        name: "dark-mode",
        title: "Switching dark mode and back",
        by_hand: "switch dark mode in the system\u{2019}s settings and back, with the app open",
        source: "SetDroid (Sun, Su, Liu, Li, Wang, Pu, Su; ISSTA 2021)",
        needs: "Android 10",
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: there_and_back!(DarkMode),
        ..COMMON
    },
    Relation {
        name: "font-scale",
        title: "Changing the size of texts and back",
        by_hand: "change the font size in the system\u{2019}s settings and back, with the app open",
        source: SETDROID,
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: there_and_back!(FontScale),
        ..COMMON
    },
    Relation {
        name: "split-screen",
        title: "Splitting the screen and back",
        by_hand: "show another app beside this one on a split screen, and close it again",
        source: SETDROID,
        needs: "a phone whose screen can be split: the bundled one, none through adb",
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: there_and_back!(SplitScreen),
        ..COMMON
    },
    // The bundled phone has three languages.
    Relation {
        name: "language",
        title: "Changing the language and back",
        by_hand: "change the language in the system\u{2019}s settings and back, with the app open",
        source: SETDROID,
        needs: "a phone whose language can be changed: the bundled one, none through adb",
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: Way::Fixed(&[
            Event::System(SystemEvent::Locale),
            Event::System(SystemEvent::Locale),
            Event::System(SystemEvent::Locale),
        ]),
        ..COMMON
    },
    // The lock screen comes in front of the app.
    Relation {
        name: "screen-off",
        title: "Switching the screen off and on",
        by_hand: "press the power button, press it again, and unlock the phone",
        source: "Quantum (ICST 2014), Thor (ISSTA 2015)",
        needs: "the agent, and a lock screen without a PIN, a pattern or a password",
        way: happens!(ScreenOff),
        ..COMMON
    },
    Relation {
        name: "network",
        title: "Losing the network and getting it back",
        by_hand: "switch Wi-Fi and mobile data off and on again",
        source: "Thor (ISSTA 2015), SetDroid (ISSTA 2021)",
        needs: "a device that adb does not reach through the network",
        effect: Effect::CutsOff,
        way: Way::Fixed(&[Event::System(SystemEvent::NetworkOff), Event::System(SystemEvent::NetworkOn)]),
        ..COMMON
    },
    Relation {
        name: "call",
        title: "Declining a phone call",
        by_hand: "let somebody call, and decline",
        source: THOR,
        needs: "a phone that can be called: the bundled one",
        way: Way::Dismissed(SystemEvent::IncomingCall),
        ..COMMON
    },
    Relation {
        name: "low-battery",
        title: "Dismissing the warning of a low battery",
        by_hand: "let the battery run low, and dismiss the warning",
        source: THOR,
        needs: "a phone that shows the warning in front of apps: the bundled one",
        parts: &["notifications"],
        way: Way::Dismissed(SystemEvent::LowBattery),
        ..COMMON
    },
    Relation {
        name: "cancel",
        title: "Opening something and going back",
        by_hand: "open it, and press Back without having done anything there",
        way: Way::Found(ways::CANCEL),
        // Titles and counts may follow what was looked at.
        keeps: |difference, _| difference.aspect != Aspect::Text,
        ..COMMON
    },
    Relation {
        name: "again",
        title: "Going back and opening the page again",
        by_hand: "press Back, and open the page again as before",
        opens_again: true,
        way: Way::Found(ways::AGAIN),
        // An introduction is shown once.
        keeps: |difference, among| difference.aspect != Aspect::Page && opened_anew(difference, among),
        ..COMMON
    },
    // Starting the app again after it was ended: what it stores is there.
    Relation {
        name: "restart",
        title: "Starting the app again",
        by_hand: "force the app to stop in the system\u{2019}s settings, and open it again",
        way: Way::Fixed(&[Event::Relaunch]),
        // What was chosen on the page may be gone, such as a filter, and with it other rows are shown.
        keeps: |difference, among| {
            let is_data = |one: &_| matches!(one, Aspect::Rows | Aspect::View);
            difference.rows == RowChange::Gone && among.iter().all(|other| is_data(&other.aspect))
        },
        ..COMMON
    },
    Relation {
        name: "scroll",
        title: "Scrolling away and back",
        by_hand: "scroll away and back",
        way: Way::Found(ways::SCROLL),
        keeps: data_and_input,
        ..COMMON
    },
    Relation {
        name: "select",
        title: "Selecting a row and leaving the selection",
        by_hand: "press a row long, and press Back",
        way: Way::Found(ways::SELECT),
        keeps: data_and_input,
        ..COMMON
    },
    Relation {
        name: "toggle",
        title: "Switching something and back",
        by_hand: "tap it, and tap it again",
        source: SETDROID,
        way: Way::Found(ways::TOGGLE),
        // What was changed last may come first.
        keeps: |difference, _| {
            !matches!(difference.aspect, Aspect::Page) && difference.rows != RowChange::Order
        },
        ..COMMON
    },
    Relation {
        name: "clear",
        title: "Writing into a field and clearing it again",
        by_hand: "type something into the empty field, and delete it again",
        way: Way::Found(ways::CLEAR),
        // A message below the field, or the field that it was.
        keeps: |difference, _| matches!(difference.aspect, Aspect::Rows | Aspect::Checked | Aspect::Typed),
        ..COMMON
    },
    Relation {
        name: "choice",
        title: "Choosing again what is chosen",
        by_hand: "open the menu, and tap what is chosen already",
        source: THOR,
        way: Way::Found(ways::CHOICE),
        keeps: |difference, _| difference.aspect != Aspect::Page,
        ..COMMON
    },
    Relation {
        name: "undo",
        title: "Undoing an action",
        by_hand: "do it, and tap Undo",
        takes_back: true,
        way: Way::Found(ways::UNDO),
        keeps: data_and_fields,
        ..COMMON
    },
    Relation {
        name: "display-size",
        title: "Changing the display size and back",
        by_hand: "change the display size in the system\u{2019}s settings and back, with the app open",
        source: SETDROID,
        effect: Effect::Recreates,
        parts: &["rotation"],
        way: there_and_back!(DisplaySize),
        ..COMMON
    },
    Relation {
        name: "notifications",
        title: "Looking at the notifications",
        by_hand: "pull the notifications down, and close them by Back",
        needs: "Android 7",
        way: Way::Dismissed(SystemEvent::Notifications),
        ..COMMON
    },
    Relation {
        name: "airplane-mode",
        title: "Switching airplane mode on and off",
        by_hand: "switch airplane mode on and off again",
        source: SETDROID,
        needs: "Android 11, and a device that adb does not reach through the network",
        effect: Effect::CutsOff,
        parts: &["network"],
        way: there_and_back!(AirplaneMode),
        ..COMMON
    },
    Relation {
        name: "hour-format",
        title: "Changing the hours of the clock and back",
        by_hand: "switch \u{201c}Use 24-hour format\u{201d} in the system\u{2019}s settings and back, with the app open",
        source: SETDROID,
        effect: Effect::Told,
        way: there_and_back!(HourFormat),
        ..COMMON
    },
    Relation {
        name: "time-zone",
        title: "Changing the time zone and back",
        by_hand: "choose another time zone in the system\u{2019}s settings, and the first one again, with the app open",
        source: SETDROID,
        needs: "Android 8",
        effect: Effect::Told,
        way: there_and_back!(TimeZone),
        ..COMMON
    },
    Relation {
        name: "location",
        title: "Switching location off and on",
        by_hand: "switch location off and on again",
        source: SETDROID,
        effect: Effect::Told,
        way: there_and_back!(Location),
        ..COMMON
    },
    Relation {
        name: "do-not-disturb",
        title: "Switching do not disturb on and off",
        by_hand: "switch do not disturb on and off again",
        source: SETDROID,
        needs: "Android 10",
        effect: Effect::Told,
        way: there_and_back!(DoNotDisturb),
        ..COMMON
    },
    Relation {
        name: "low-storage",
        title: "Running low on storage and having room again",
        by_hand: "fill the storage until the system warns, and delete that again; or run `adb shell cmd devicestoragemonitor force-low -f` and `reset -f`",
        source: THOR,
        needs: "Android 8",
        effect: Effect::Told,
        way: there_and_back!(LowStorage),
        ..COMMON
    },
    Relation {
        name: "filter",
        title: "Choosing another filter or tab and the first again",
        by_hand: "tap another filter or tab, and the first one again",
        needs: "a page with filters or tabs that says which of them is chosen",
        way: Way::Found(ways::FILTER),
        keeps: |difference, among| data_and_input(difference, among) && opened_anew(difference, among),
        ..COMMON
    },
    Relation {
        name: "select-all",
        title: "Selecting all rows and leaving the selection",
        by_hand: "press a row long, tap what selects all, and press Back",
        needs: "a selection that offers to select all",
        parts: &["select"],
        way: Way::Found(ways::SELECT_ALL),
        keeps: data_and_input,
        ..COMMON
    },
    Relation {
        name: "redo",
        title: "Undoing an action and doing it again",
        by_hand: "tap Undo, and do again what was undone",
        needs: "a screen that offers Undo",
        way: Way::Found(ways::REDO),
        // Rows may follow how often and when something was done.
        keeps: |difference, _| {
            matches!(difference.aspect, Aspect::Typed | Aspect::Checked) && difference.widget.is_some()
        },
        ..COMMON
    },
    Relation {
        name: "another-way",
        title: "Opening the same from a search or another list",
        by_hand: "press Back, and open the same row in the results of a search or in another list that has it",
        needs: "a row that two pages list, with a text of its own",
        way: Way::Found(ways::ANOTHER_WAY),
        // A title may tell the way.
        keeps: |difference, among| data_and_input(difference, among) && opened_anew(difference, among),
        ..COMMON
    },
    // The system ends the process of an app that loses a permission. On older phones, what an app asks for on its return
    // is still in front of it after the permission was granted in the settings.
    Relation {
        name: "permission",
        title: "Taking the app\u{2019}s permissions away and granting them",
        by_hand: "press Home, take the app\u{2019}s permissions away in the system\u{2019}s settings, and open the app again from the recent apps; grant them in the same way",
        source: "SetDroid (ISSTA 2021), Thor (ISSTA 2015)",
        needs: "Android 6, and an app with granted permissions",
        parts: &["process-death", "background", "rotation"],
        way: Way::Fixed(&[
            Event::System(SystemEvent::RevokePermission),
            Event::System(SystemEvent::GrantPermission),
        ]),
        keeps: saved_by_android,
        ..COMMON
    },
];

/// Android saves what was entered and checked; what was selected or switched on and other texts are the app's own affair.
fn saved_by_android(difference: &Difference, _among: &[Difference]) -> bool {
    !matches!(difference.aspect, Aspect::Text | Aspect::Selected | Aspect::Switched)
}

/// What is entered, chosen and stored. Other texts, such as titles and counts, and buttons may follow what was done on
/// the way.
fn data_and_input(difference: &Difference, _among: &[Difference]) -> bool {
    !matches!(difference.aspect, Aspect::Text | Aspect::Switched | Aspect::Page)
}

/// As it is on a page that is opened anew: a filter that was on may be off, and then other rows are shown.
fn opened_anew(difference: &Difference, among: &[Difference]) -> bool {
    let switched = || among.iter().any(|other| other.aspect == Aspect::Switched);
    match difference.aspect {
        Aspect::Switched => false,
        Aspect::Rows => difference.rows == RowChange::Gone || !switched(),
        _ => true,
    }
}

/// What was undone may come last, and the action may have closed a search or ended a selection.
fn data_and_fields(difference: &Difference, _among: &[Difference]) -> bool {
    match difference.aspect {
        Aspect::Rows => difference.rows != RowChange::Order,
        Aspect::Typed | Aspect::Checked => difference.widget.is_some(),
        Aspect::Selected | Aspect::Text | Aspect::Switched | Aspect::Page | Aspect::Late | Aspect::View => {
            false
        }
    }
}
