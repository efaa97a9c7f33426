//! A trap: a notice that covers the first list by itself until it is closed, as apps say what is new or ask to be rated.

use super::{Msg, Page};
use crate::app::BlueprintApp;
use crate::schema::Trap;
use taproof_phone::{Env, System, View, dialog, dialog_message};

/// The button that closes the news.
pub(crate) const GOT_IT: &str = "Got it";
/// The button that closes the question for a rating.
pub(crate) const NOT_NOW: &str = "Not now";

/// The visits of the first list at which the app asks to be rated.
const RATED_EVERY: usize = 4;

/// What covers the first list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// At the first visit.
    News,
    /// After some more visits, again and again.
    Rating,
}

impl Notice {
    fn at_visit(visit: usize) -> Option<Notice> {
        match visit {
            1 => Some(Notice::News),
            _ => visit.is_multiple_of(RATED_EVERY).then_some(Notice::Rating),
        }
    }
}

impl BlueprintApp {
    /// The first list is visited.
    pub(crate) fn visit(&mut self) {
        self.memory.visits += 1;
        let has_notices = self.blueprint().traps.contains(&Trap::Notice);
        self.memory.notice = Notice::at_visit(self.memory.visits).filter(|_| has_notices);
    }

    /// Shows the notice that is due, if any, above the first list.
    pub(crate) fn notify(&mut self, sys: &mut System<BlueprintApp>) {
        if let Some(notice) = self.memory.notice.take() {
            sys.open(Page::Notice(notice));
        }
    }

    pub(crate) fn notice_view(&self, notice: Notice, env: &Env<'_>) -> View<Msg> {
        let (title, words, buttons) = match notice {
            Notice::News => (
                "What's new in {app}",
                "Lists are faster, texts are clearer, and several mistakes were mended.",
                vec![(GOT_IT, Msg::Close)],
            ),
            Notice::Rating => (
                "Do you like {app}?",
                "A good rating helps others to find the app.",
                vec![(NOT_NOW, Msg::Close), ("Rate", Msg::Close)],
            ),
        };
        let title = self.say(env.language, title).replace("{app}", self.blueprint().label.0);
        dialog(title, vec![dialog_message(words)], env.accent, buttons)
    }
}
