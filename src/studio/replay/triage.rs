//! What a person says of bugs, by keys and menus alike.

use super::HistoryCommand;
use crate::command::{ActionInfo, Command, Group, Order};
use crate::state::{FindingKey, StudioState};
use taproof_campaign::{Bug, BugState, JudgedBug};
use taproof_results::store::ListedBug;

/// The actions on chosen bugs, as rows of the table of actions.
pub const TRIAGE: &[ActionInfo] = &[
    Group::REPLAY.action("bug-new", "Bugs: new", "1", |state| judge(state, BugState::New)),
    Group::REPLAY.action("bug-true", "Bugs: true", "2", |state| judge(state, BugState::True)),
    Group::REPLAY.action("bug-known", "Bugs: known", "3", |state| judge(state, BugState::Known)),
    Group::REPLAY.action("bug-none", "Bugs: not a bug", "4", |state| judge(state, BugState::NotABug)),
    Group::REPLAY.action("bug-fixed", "Bugs: fixed", "5", |state| judge(state, BugState::Fixed)),
    Group::REPLAY.action("bug-take-back", "Take back what was said of bugs", "Ctrl+Z", |state| {
        let said = state.history.can_take_back();
        said.then_some(Command::History(HistoryCommand::TakeBack)).ok_or("Nothing was said in this window.")
    }),
    Group::REPLAY.action("bug-copy", "Copy bugs as Markdown", "C", |state| {
        let shown = chosen(state)?.into_iter().filter_map(|bug| bug.shown).collect();
        Ok(Command::History(HistoryCommand::Copy(shown)))
    }),
    Group::REPLAY.action("bug-issue", "New issue about the bug", "I", |state| {
        let shown = chosen(state)?.into_iter().find_map(|bug| bug.shown).ok_or("Choose a bug first.")?;
        Ok(Command::History(HistoryCommand::NewIssue(shown)))
    }),
    Group::REPLAY.action("bug-next", "Next bug", "ArrowDown", |_| choose_next(1)),
    Group::REPLAY.action("bug-previous", "Previous bug", "ArrowUp", |_| choose_next(-1)),
    Group::REPLAY.action("bug-open", "Open the chosen bug", "Enter", |state| {
        let key = state.history.last_chosen().ok_or("Choose a bug first.")?;
        Ok(Command::History(HistoryCommand::Open(key.clone())))
    }),
];

/// A bug of which something is said.
pub struct Triaged {
    /// Package name of its app.
    pub app: String,
    /// What is said of it now.
    pub said: JudgedBug,
    /// The finding to look at; `None` if it is not in the workspace yet.
    pub shown: Option<FindingKey>,
}

impl Triaged {
    /// A bug of the list.
    pub fn listed(state: &StudioState, bug: &ListedBug) -> Triaged {
        let shown = state.history.shown_of(bug).map(|row| row.key.clone());
        Triaged { app: bug.app.clone(), said: bug.judged(bug.state, &bug.note, now(state)), shown }
    }

    /// A bug on a card of the campaign in this row of the workspace.
    pub fn card(state: &StudioState, app: &str, card: &Bug, row: Option<i64>) -> Triaged {
        let shown = row.map(|campaign| FindingKey { campaign, name: card.shown.id.clone() });
        Triaged { app: app.to_owned(), said: card.judged(card.state, &card.note, now(state)), shown }
    }

    fn with(&self, state: BugState) -> (String, JudgedBug) {
        (self.app.clone(), JudgedBug { state, ..self.said.clone() })
    }
}

fn now(state: &StudioState) -> i64 {
    state.window.today.timestamp()
}

/// What a person says of bugs: that this is to become of them.
pub fn judged(bugs: &[Triaged], state: BugState) -> Command {
    Command::History(HistoryCommand::Judge(bugs.iter().map(|bug| bug.with(state)).collect()))
}

/// The chosen bugs, or the one that is open.
fn chosen(state: &StudioState) -> Result<Vec<Triaged>, &'static str> {
    let open = state.replay.as_ref().map(|replay| &replay.source.key);
    let bugs = state.history.chosen(open).into_iter();
    let bugs: Vec<Triaged> = bugs.map(|bug| Triaged::listed(state, bug)).collect();
    if bugs.is_empty() { Err("Choose a bug first.") } else { Ok(bugs) }
}

/// Says that this is to become of them.
fn judge(state: &StudioState, said: BugState) -> Order {
    chosen(state).map(|bugs| judged(&bugs, said))
}

fn choose_next(lines: isize) -> Order {
    Ok(Command::History(HistoryCommand::ChooseNext(lines)))
}

/// The action that gives chosen bugs a state.
pub fn key_of(state: BugState) -> &'static str {
    match state {
        BugState::New => "bug-new",
        BugState::True => "bug-true",
        BugState::Known => "bug-known",
        BugState::NotABug => "bug-none",
        BugState::Fixed => "bug-fixed",
    }
}
