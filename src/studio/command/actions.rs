//! All actions: one table that the palette, the list of shortcuts, the tooltips and the keyboard use. Shortcuts are
//! defined only here.
//!
//! To add an action, add a row to the table of its group. `order` returns the command in the current state, or why the
//! action is unavailable. A plain key (without Ctrl, not a function key) is ignored while a widget has the keyboard
//! focus.

use crate::command::{ActionInfo, Command, FileCommand, FileQuestion, Group, Order};
use crate::fuzz::actions::FUZZ;
use crate::mirror::PathPosition;
use crate::phone::{KeepCommand, TakeOver};
use crate::record::RECORD;
use crate::replay::export::EXPORT;
use crate::replay::triage::TRIAGE;
use crate::replay::{HistoryCommand, ReplayCommand, ReplayState, Speed};
use crate::shell::{Sheet, WindowCommand};
use crate::specs::{DocumentCommand, SPECIFICATION};
use crate::state::{Place, RecordView, StudioState, Theme};
use taproof_screen::{Event, Key, Layout, WidgetIdx};

const WINDOW: &[ActionInfo] =
    &[
        Group::Window.action("palette", "Find a command", "Ctrl+K, Ctrl+Shift+P", |_| {
            Ok(WindowCommand::Show(Some(Sheet::Palette)).into())
        }),
        Group::Window
            .action("help", "Show the help", "F1", |_| Ok(WindowCommand::Show(Some(Sheet::Help)).into())),
        Group::Window.action("go-record", "Go to Record", "Ctrl+1", |_| Ok(Command::Go(Place::Record))),
        Group::Window.action("go-fuzz", "Go to Fuzz", "Ctrl+2", |_| Ok(Command::Go(Place::Fuzz))),
        Group::Window.action("go-replay", "Go to Replay", "Ctrl+3", |_| Ok(Command::Go(Place::Replay))),
        Group::Window.action("colours", "Change between light and dark colours", "Ctrl+D", |state| {
            Ok(WindowCommand::Theme(state.settings.theme.next(state.window.dark)).into())
        }),
        Group::Window.action("colours-system", "Use the colours of the desktop", "", |_| {
            Ok(WindowCommand::Theme(Theme::System).into())
        }),
        Group::Window.action("larger", "Make everything larger", "Ctrl+Plus, Ctrl+Equals", |state| {
            scaled(state.settings.larger(), "This is the largest size.")
        }),
        Group::Window.action("smaller", "Make everything smaller", "Ctrl+Minus", |state| {
            scaled(state.settings.smaller(), "This is the smallest size.")
        }),
        Group::Window
            .action("size", "Go back to the usual size", "Ctrl+0", |_| Ok(WindowCommand::Scale(100).into())),
        Group::Window.action("motion", "Switch motion on or off", "", |state| {
            Ok(WindowCommand::ReduceMotion(!state.settings.reduce_motion).into())
        }),
        Group::Window.action("spec-open", "Open a specification", "Ctrl+O", |_| {
            Ok(Command::Document(DocumentCommand::AskOpen))
        }),
        Group::Window.action("spec-new", "Make a new specification", "Ctrl+N", |_| {
            Ok(Command::Document(DocumentCommand::New))
        }),
        Group::Window.action("spec-show", "Go to the specification", "", |_| {
            Ok(Command::GoRecord(RecordView::Specification))
        }),
        Group::Window.action("export-cancel", "Cancel the export", "", |state| {
            let export = state.exports.first().ok_or("Nothing is being exported.")?;
            Ok(Command::CancelExport(export.id))
        }),
        Group::Window.action("first-steps", "Show the first steps again", "", |_| {
            Ok(WindowCommand::FirstSteps(true).into())
        }),
        Group::Window.action("preferences", "Preferences", "Ctrl+Comma", |_| {
            Ok(WindowCommand::Show(Some(Sheet::Preferences)).into())
        }),
        Group::Window.action("updates", "Look for updates in the browser", "", |_| {
            let page = RELEASES.ok_or("This program was built by hand: look where its sources came from.")?;
            Ok(Command::OpenOutside(page.into()))
        }),
    ];

/// The page of the releases, where a release was built: the browser opens it, and the program itself asks nobody.
const RELEASES: Option<&str> = option_env!("TAPROOF_RELEASES");

const PHONE: &[ActionInfo] = &[
    Group::Phone.action("phone-back", "Press Back", "F6", |state| {
        on_phone(state, Command::Perform(Event::Key(Key::Back)))
    }),
    Group::Phone.action("phone-home", "Press Home", "F7", |state| {
        on_phone(state, Command::Perform(Event::Key(Key::Home)))
    }),
    Group::Phone.action("phone-recents", "Press Recents", "F8", |state| {
        on_phone(state, Command::Perform(Event::Key(Key::Recents)))
    }),
    Group::Phone.action("phone-rotate", "Rotate the phone", "F9", |state| {
        on_phone(state, Command::Perform(Event::Rotate))
    }),
    Group::Phone.action(
        "phone-step-back",
        "Put the phone back before the last step",
        "Alt+ArrowLeft",
        |state| on_way(state, -1),
    ),
    Group::Phone.action("phone-step-on", "Put the phone on to the next step", "Alt+ArrowRight", |state| {
        on_way(state, 1)
    }),
    Group::Phone.action("keep-trace", "Keep the phone\u{2019}s steps as a trace", "", |state| {
        on_phone(state, KeepCommand::Trace.into())
    }),
    Group::Phone.action("keep-graph", "Save the transition graph of the phone\u{2019}s steps", "", |state| {
        on_phone(state, KeepCommand::Graph.into())
    }),
    Group::Phone.action("keep-test", "Keep the phone\u{2019}s steps as a regression test", "", |state| {
        on_phone(state, KeepCommand::Test.into())
    }),
    Group::Phone.action("trace-open", "Open a kept trace", "", |_| Ok(KeepCommand::Open.into())),
    Group::Phone.action("widget-around", "Choose the widget around the chosen one", "Alt+ArrowUp", |state| {
        near(state, |layout, idx| layout.widget(idx).parent)
    }),
    Group::Phone.action(
        "widget-inside",
        "Choose the first widget inside the chosen one",
        "Alt+ArrowDown",
        |state| near(state, |layout, idx| layout.children(idx).next()),
    ),
    Group::Phone.action("walk-open", "Open a recorded session of a phone", "Ctrl+Shift+O", |_| {
        Ok(Command::File(FileCommand::Ask(Box::new(FileQuestion::walk()))))
    }),
    Group::Phone.action("flow-open", "Record what a Maestro flow does", "", |_| {
        Ok(Command::File(FileCommand::Ask(Box::new(FileQuestion::flow()))))
    }),
    Group::Phone.action("walk-previous", "Previous screen of the session", "PageUp", |state| {
        in_walk(state, Command::StepWalk(-1))
    }),
    Group::Phone.action("walk-next", "Next screen of the session", "PageDown", |state| {
        in_walk(state, Command::StepWalk(1))
    }),
    Group::Phone
        .action("phone-live", "Go back to the live phone", "", |state| in_walk(state, Command::LivePhone)),
];

/// Moves this many steps along the phone's path, backwards if negative.
fn on_way(state: &StudioState, steps: isize) -> Order {
    let shown = state.mirror.shown.as_ref().ok_or("The phone has not started yet.")?;
    let step = shown.place.step.saturating_add_signed(steps);
    if step > shown.newest().step || step == shown.place.step {
        return Err("The phone\u{2019}s way ends here.");
    }
    Ok(Command::Stand(PathPosition { step, ..shown.place }))
}

/// Selects the widget that `other` returns for the selected one.
fn near(state: &StudioState, other: fn(&Layout, WidgetIdx) -> Option<WidgetIdx>) -> Order {
    let chosen = || {
        let (layout, idx) = (state.mirror.layout()?, state.selected?);
        layout.get(idx).map(|_| (layout, idx))
    };
    let (layout, idx) = chosen().ok_or("No widget is chosen.")?;
    let found = other(layout, idx).ok_or("There is none.")?;
    Ok(Command::Select(Some(found)))
}

const REPLAY: &[ActionInfo] = &[
    Group::REPLAY
        .action("replay-next", "Next step", "ArrowRight", |state| replay(state, ReplayCommand::Next)),
    Group::REPLAY
        .action("replay-previous", "Previous step", "ArrowLeft", |state| replay(state, ReplayCommand::Back)),
    Group::REPLAY.action("replay-first", "First step", "Home", |state| replay(state, ReplayCommand::First)),
    Group::REPLAY.action("replay-last", "Last step", "End", |state| replay(state, ReplayCommand::Last)),
    Group::REPLAY.action("replay-play", "Play or pause", "Space", |state| replay(state, ReplayCommand::Play)),
    Group::REPLAY.action("replay-faster", "Play faster", "Plus", |state| replay_at(state, Speed::faster)),
    Group::REPLAY.action("replay-slower", "Play slower", "Minus", |state| replay_at(state, Speed::slower)),
    Group::REPLAY.action("replay-way", "Minimised or original trace", "W", |state| {
        let way = state.replay.as_ref().map(|replay| replay.way.other()).unwrap_or_default();
        replay(state, ReplayCommand::Follow(way))
    }),
    Group::REPLAY.action("replay-take-over", "Try from here", "T", |state| {
        let replay = state.replay.as_ref().ok_or("Open a finding first.")?;
        let after = (replay.step + 1).min(replay.steps());
        Ok(Command::TakeOver(TakeOver::At(replay.trace_source(), after)))
    }),
    Group::REPLAY.action("replay-close", "Close the finding", "", |state| {
        match (&state.replay, &state.history.opening) {
            (None, None) => Err("No finding is open."),
            _ => Ok(Command::History(HistoryCommand::Close)),
        }
    }),
];

fn scaled(percent: Option<u16>, why_not: &'static str) -> Order {
    percent.map(|percent| WindowCommand::Scale(percent).into()).ok_or(why_not)
}

fn on_phone(state: &StudioState, command: Command) -> Order {
    match &state.mirror.shown {
        None => Err("The phone has not started yet."),
        Some(shown) if shown.walk.is_some() => {
            Err("A recorded session is shown. Go back to the live phone first.")
        }
        Some(_) => Ok(command),
    }
}

fn in_walk(state: &StudioState, command: Command) -> Order {
    if state.mirror.is_walk() { Ok(command) } else { Err("No recorded session is shown.") }
}

fn replay(state: &StudioState, command: ReplayCommand) -> Order {
    let steps = state.replay.as_ref().map(ReplayState::steps).unwrap_or_default();
    if steps == 0 { Err("Open a finding first.") } else { Ok(Command::Replay(command)) }
}

fn replay_at(state: &StudioState, speed: fn(Speed) -> Speed) -> Order {
    let now = state.replay.as_ref().map(|replay| replay.speed).unwrap_or_default();
    replay(state, ReplayCommand::Speed(speed(now)))
}

/// All actions, group by group.
pub fn actions() -> impl Iterator<Item = &'static ActionInfo> {
    [WINDOW, PHONE, RECORD, SPECIFICATION, FUZZ, REPLAY, TRIAGE, EXPORT].into_iter().flatten()
}

/// Returns the action with this id, or `None` if there is none.
pub fn action(id: &str) -> Option<&'static ActionInfo> {
    actions().find(|action| action.id == id)
}

/// Returns the actions that match the typed text, best matches first. Of equal matches the most recently used come
/// first.
pub fn actions_for(typed: &str, recent: &[String]) -> Vec<&'static ActionInfo> {
    let typed = typed.to_lowercase();
    let used = |action: &ActionInfo| recent.iter().position(|id| id == action.id).unwrap_or(usize::MAX);
    let fit = |action: &'static ActionInfo| {
        let name = format!("{} {}", action.label, action.group.word()).to_lowercase();
        Some((typed.split_whitespace().map(|word| fit_of(word, &name)).sum::<Option<u32>>()?, action))
    };
    let mut fitting: Vec<_> = actions().filter_map(fit).collect();
    // The sort is stable, so equal actions stay in the order of the table.
    fitting.sort_by_key(|(cost, action)| (*cost, used(action)));
    fitting.into_iter().map(|(_, action)| action).collect()
}

/// Returns how badly a typed word matches a name: 0 if a word of the name begins with it, 1 if the name contains it,
/// more if its letters are scattered. `None` if letters are missing.
fn fit_of(word: &str, name: &str) -> Option<u32> {
    if name.split_whitespace().any(|part| part.starts_with(word)) {
        return Some(0);
    }
    if name.contains(word) {
        return Some(1);
    }
    let (mut letters, mut gaps, mut inside) = (word.chars().peekable(), 0, false);
    for letter in name.chars() {
        let hit = letters.next_if_eq(&letter).is_some();
        gaps += u32::from(inside && !hit);
        inside = letters.peek().is_some() && (inside || hit);
    }
    letters.peek().is_none().then_some(2 + gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_are_given_once() {
        let mut seen: Vec<(String, Group)> = Vec::new();
        for action in actions() {
            assert_eq!(actions().filter(|other| other.id == action.id).count(), 1, "{}", action.id);
            assert!(action.label.chars().next().is_some_and(char::is_uppercase), "{}", action.label);
            for keys in action.keys.split(", ").filter(|keys| !keys.is_empty()) {
                // Two places may share a key, since only one of them is shown. A key that works everywhere must be
                // unique.
                let clash = seen.iter().find(|(other, group)| {
                    let apart = matches!((group, action.group), (Group::In(a), Group::In(b)) if *a != b);
                    other == keys && !apart
                });
                assert!(clash.is_none(), "{keys} is taken: {}", action.id);
                seen.push((keys.to_owned(), action.group));
            }
        }
    }

    #[test]
    fn what_is_typed_finds_its_action() {
        let first = |typed: &str| actions_for(typed, &[])[0].id;
        assert_eq!(first("rotate"), "phone-rotate");
        assert_eq!(first("prev"), "walk-previous");
        assert_eq!(first("prev step"), "replay-previous");
        assert_eq!(first("lgr"), "larger");
        assert!(actions_for("zzz", &[]).is_empty());
        let all = actions_for("", &["motion".to_owned(), "size".to_owned()]);
        assert_eq!((all[0].id, all[1].id, all.len()), ("motion", "size", actions().count()));
    }

    #[test]
    fn what_cannot_be_done_says_why() {
        let state = StudioState::default();
        let reason = |id: &str| (action(id).unwrap().order)(&state).unwrap_err();
        assert_eq!(reason("replay-next"), "Open a finding first.");
        assert_eq!(reason("walk-next"), "No recorded session is shown.");
        assert!(reason("phone-back").contains("not started"));
    }
}
