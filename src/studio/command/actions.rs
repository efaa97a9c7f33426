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
use crate::replay::{HistoryCommand, ReplayCommand, ReplayState, Speed};
use crate::shell::{Sheet, WindowCommand};
use crate::specs::{DocumentCommand, SPECIFICATION};
use crate::state::{Place, RecordView, StudioState, Theme};
use taproof_core::model::{Event, Key, Layout, WidgetIdx};

const WINDOW: &[ActionInfo] = &[
    ActionInfo {
        id: "palette",
        label: "Find a command",
        keys: "Ctrl+K, Ctrl+Shift+P",
        group: Group::Window,
        order: |_| Ok(WindowCommand::Show(Some(Sheet::Palette)).into()),
    },
    ActionInfo {
        id: "shortcuts",
        label: "Show the shortcuts",
        keys: "F1",
        group: Group::Window,
        order: |_| Ok(WindowCommand::Show(Some(Sheet::Shortcuts)).into()),
    },
    ActionInfo {
        id: "go-record",
        label: "Go to Record",
        keys: "Ctrl+1",
        group: Group::Window,
        order: |_| Ok(Command::Go(Place::Record)),
    },
    ActionInfo {
        id: "go-fuzz",
        label: "Go to Fuzz",
        keys: "Ctrl+2",
        group: Group::Window,
        order: |_| Ok(Command::Go(Place::Fuzz)),
    },
    ActionInfo {
        id: "go-replay",
        label: "Go to Replay",
        keys: "Ctrl+3",
        group: Group::Window,
        order: |_| Ok(Command::Go(Place::Replay)),
    },
    ActionInfo {
        id: "colours",
        label: "Change between light and dark colours",
        keys: "Ctrl+D",
        group: Group::Window,
        order: |state| Ok(WindowCommand::Theme(state.settings.theme.next(state.window.dark)).into()),
    },
    ActionInfo {
        id: "colours-system",
        label: "Use the colours of the desktop",
        keys: "",
        group: Group::Window,
        order: |_| Ok(WindowCommand::Theme(Theme::System).into()),
    },
    ActionInfo {
        id: "larger",
        label: "Make everything larger",
        keys: "Ctrl+Plus, Ctrl+Equals",
        group: Group::Window,
        order: |state| scaled(state.settings.larger(), "This is the largest size."),
    },
    ActionInfo {
        id: "smaller",
        label: "Make everything smaller",
        keys: "Ctrl+Minus",
        group: Group::Window,
        order: |state| scaled(state.settings.smaller(), "This is the smallest size."),
    },
    ActionInfo {
        id: "size",
        label: "Go back to the usual size",
        keys: "Ctrl+0",
        group: Group::Window,
        order: |_| Ok(WindowCommand::Scale(100).into()),
    },
    ActionInfo {
        id: "motion",
        label: "Switch motion on or off",
        keys: "",
        group: Group::Window,
        order: |state| Ok(WindowCommand::ReduceMotion(!state.settings.reduce_motion).into()),
    },
    ActionInfo {
        id: "spec-open",
        label: "Open a specification",
        keys: "Ctrl+O",
        group: Group::Window,
        order: |_| Ok(Command::Document(DocumentCommand::AskOpen)),
    },
    ActionInfo {
        id: "spec-new",
        label: "Make a new specification",
        keys: "Ctrl+N",
        group: Group::Window,
        order: |_| Ok(Command::Document(DocumentCommand::New)),
    },
    ActionInfo {
        id: "spec-show",
        label: "Go to the specification",
        keys: "",
        group: Group::Window,
        order: |_| Ok(Command::GoRecord(RecordView::Specification)),
    },
    ActionInfo {
        id: "export-cancel",
        label: "Cancel the export",
        keys: "",
        group: Group::Window,
        order: |state| {
            let export = state.exports.first().ok_or("Nothing is being exported.")?;
            Ok(Command::CancelExport(export.id))
        },
    },
    ActionInfo {
        id: "first-steps",
        label: "Show the first steps again",
        keys: "",
        group: Group::Window,
        order: |_| Ok(WindowCommand::FirstSteps(true).into()),
    },
];

const PHONE: &[ActionInfo] = &[
    ActionInfo {
        id: "phone-back",
        label: "Press Back",
        keys: "F6",
        group: Group::Phone,
        order: |state| on_phone(state, Command::Perform(Event::Key(Key::Back))),
    },
    ActionInfo {
        id: "phone-home",
        label: "Press Home",
        keys: "F7",
        group: Group::Phone,
        order: |state| on_phone(state, Command::Perform(Event::Key(Key::Home))),
    },
    ActionInfo {
        id: "phone-recents",
        label: "Press Recents",
        keys: "F8",
        group: Group::Phone,
        order: |state| on_phone(state, Command::Perform(Event::Key(Key::Recents))),
    },
    ActionInfo {
        id: "phone-rotate",
        label: "Rotate the phone",
        keys: "F9",
        group: Group::Phone,
        order: |state| on_phone(state, Command::Perform(Event::Rotate)),
    },
    ActionInfo {
        id: "phone-step-back",
        label: "Put the phone back before the last step",
        keys: "Alt+ArrowLeft",
        group: Group::Phone,
        order: |state| on_way(state, -1),
    },
    ActionInfo {
        id: "phone-step-on",
        label: "Put the phone on to the next step",
        keys: "Alt+ArrowRight",
        group: Group::Phone,
        order: |state| on_way(state, 1),
    },
    ActionInfo {
        id: "keep-trace",
        label: "Keep the phone\u{2019}s steps as a trace",
        keys: "",
        group: Group::Phone,
        order: |state| on_phone(state, KeepCommand::Trace.into()),
    },
    ActionInfo {
        id: "keep-test",
        label: "Keep the phone\u{2019}s steps as a regression test",
        keys: "",
        group: Group::Phone,
        order: |state| on_phone(state, KeepCommand::Test.into()),
    },
    ActionInfo {
        id: "trace-open",
        label: "Open a kept trace",
        keys: "",
        group: Group::Phone,
        order: |_| Ok(KeepCommand::Open.into()),
    },
    ActionInfo {
        id: "widget-around",
        label: "Choose the widget around the chosen one",
        keys: "Alt+ArrowUp",
        group: Group::Phone,
        order: |state| near(state, |layout, idx| layout.widget(idx).parent),
    },
    ActionInfo {
        id: "widget-inside",
        label: "Choose the first widget inside the chosen one",
        keys: "Alt+ArrowDown",
        group: Group::Phone,
        order: |state| near(state, |layout, idx| layout.children(idx).next()),
    },
    ActionInfo {
        id: "walk-open",
        label: "Open a recorded session of a phone",
        keys: "Ctrl+Shift+O",
        group: Group::Phone,
        order: |_| Ok(Command::File(FileCommand::Ask(Box::new(FileQuestion::walk())))),
    },
    ActionInfo {
        id: "walk-previous",
        label: "Previous screen of the session",
        keys: "PageUp",
        group: Group::Phone,
        order: |state| in_walk(state, Command::StepWalk(-1)),
    },
    ActionInfo {
        id: "walk-next",
        label: "Next screen of the session",
        keys: "PageDown",
        group: Group::Phone,
        order: |state| in_walk(state, Command::StepWalk(1)),
    },
    ActionInfo {
        id: "phone-live",
        label: "Go back to the live phone",
        keys: "",
        group: Group::Phone,
        order: |state| in_walk(state, Command::LivePhone),
    },
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
    ActionInfo {
        id: "replay-next",
        label: "Next step",
        keys: "ArrowRight",
        group: Group::In(Place::Replay),
        order: |state| replay(state, ReplayCommand::Next),
    },
    ActionInfo {
        id: "replay-previous",
        label: "Previous step",
        keys: "ArrowLeft",
        group: Group::In(Place::Replay),
        order: |state| replay(state, ReplayCommand::Back),
    },
    ActionInfo {
        id: "replay-first",
        label: "First step",
        keys: "Home",
        group: Group::In(Place::Replay),
        order: |state| replay(state, ReplayCommand::First),
    },
    ActionInfo {
        id: "replay-last",
        label: "Last step",
        keys: "End",
        group: Group::In(Place::Replay),
        order: |state| replay(state, ReplayCommand::Last),
    },
    ActionInfo {
        id: "replay-play",
        label: "Play or pause",
        keys: "Space",
        group: Group::In(Place::Replay),
        order: |state| replay(state, ReplayCommand::Play),
    },
    ActionInfo {
        id: "replay-faster",
        label: "Play faster",
        keys: "Plus",
        group: Group::In(Place::Replay),
        order: |state| replay_at(state, Speed::faster),
    },
    ActionInfo {
        id: "replay-slower",
        label: "Play slower",
        keys: "Minus",
        group: Group::In(Place::Replay),
        order: |state| replay_at(state, Speed::slower),
    },
    ActionInfo {
        id: "replay-way",
        label: "Minimised or original trace",
        keys: "W",
        group: Group::In(Place::Replay),
        order: |state| {
            let way = state.replay.as_ref().map(|replay| replay.way.other()).unwrap_or_default();
            replay(state, ReplayCommand::Follow(way))
        },
    },
    ActionInfo {
        id: "replay-take-over",
        label: "Try from here",
        keys: "T",
        group: Group::In(Place::Replay),
        order: |state| {
            let replay = state.replay.as_ref().ok_or("Open a finding first.")?;
            let after = (replay.step + 1).min(replay.steps());
            Ok(Command::TakeOver(TakeOver::At(replay.trace_source(), after)))
        },
    },
    ActionInfo {
        id: "replay-close",
        label: "Close the finding",
        keys: "",
        group: Group::In(Place::Replay),
        order: |state| match (&state.replay, &state.history.opening) {
            (None, None) => Err("No finding is open."),
            _ => Ok(Command::History(HistoryCommand::Close)),
        },
    },
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
    [WINDOW, PHONE, RECORD, SPECIFICATION, FUZZ, REPLAY, EXPORT].into_iter().flatten()
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
