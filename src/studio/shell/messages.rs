//! The messages of the status line. Each is shown for some seconds and kept in a list.

use std::time::Duration;

use crate::effect::Effect;
use crate::state::{Message, News, StudioState};

/// How long a message is shown, in seconds. One that asks for something or has buttons is shown longer.
fn seconds_of(message: &Message) -> f64 {
    match message.kind {
        News::Done | News::Found if message.file.is_none() => 10.0,
        News::Done | News::Found | News::Failed => 30.0,
    }
}

/// Hides the message in the status line when its time is over.
pub(super) fn fade(state: &mut StudioState, now: f64) -> Vec<Effect> {
    let problem = state.phone_problem().cloned();
    let log = &mut state.messages;
    if problem != log.problem {
        log.problem.clone_from(&problem);
        problem.into_iter().for_each(|text| log.add(Message::new(News::Failed, text), false));
    }
    log.list.iter_mut().rev().take_while(|it| it.at.is_none()).for_each(|it| it.at = Some(now));
    let Some(message) = &state.message else { return Vec::new() };
    let since = match log.shown {
        // The window's clock may begin anew.
        Some((count, since)) if count == log.count && since <= now => since,
        Some(_) | None => now,
    };
    log.shown = Some((log.count, since));
    let left = seconds_of(message) - (now - since);
    if left > 0.0 {
        return vec![Effect::RepaintAfter(Duration::from_secs_f64(left))];
    }
    state.message = None;
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::KEPT;

    fn texts(state: &StudioState) -> Vec<(&str, usize)> {
        state.messages.newest_first().map(|it| (it.message.text.as_str(), it.times)).collect()
    }

    #[test]
    fn a_message_leaves_the_line_and_stays_in_the_list() {
        let mut state = StudioState::default();
        state.notify("Saved.");
        assert!(matches!(fade(&mut state, 5.0)[..], [Effect::RepaintAfter(_)]));
        fade(&mut state, 14.9);
        assert!(state.message.is_some());
        fade(&mut state, 15.0);
        assert_eq!((&state.message, texts(&state)), (&None, vec![("Saved.", 1)]));
        state.notify("Saved.");
        state.notify_failure("The disk is full.");
        fade(&mut state, 16.0);
        fade(&mut state, 40.0);
        assert!(state.message.is_some(), "a failure is shown longer");
        assert_eq!(texts(&state), [("The disk is full.", 1), ("Saved.", 2)]);
        assert_eq!(state.messages.newest_first().next().unwrap().at, Some(16.0));
    }

    #[test]
    fn the_same_message_again_is_shown_as_long_again() {
        let mut state = StudioState::default();
        state.notify("Saved.");
        fade(&mut state, 0.0);
        state.notify("Saved.");
        fade(&mut state, 9.0);
        fade(&mut state, 18.0);
        assert!(state.message.is_some());
    }

    #[test]
    fn news_of_a_campaign_replace_no_message_that_is_waited_for() {
        let mut state = StudioState::default();
        state.notify_found("a bug");
        state.notify_found("another bug");
        assert_eq!(state.message.as_ref().unwrap().text, "Found: another bug");
        state.notify("Exported to report.html");
        fade(&mut state, 0.0);
        for second in 1..12 {
            state.notify_found("one more bug");
            assert!(second > 9 || state.message.as_ref().unwrap().text.starts_with("Exported"));
            fade(&mut state, f64::from(second));
        }
        assert_eq!(state.message.as_ref().unwrap().text, "Found: one more bug", "its time is over");
        assert!(texts(&state).contains(&("Found: a bug", 1)));
    }

    #[test]
    fn a_problem_of_the_phone_is_in_the_list_once() {
        let mut state = StudioState::default();
        state.mirror.problem = Some("The phone is gone.".to_owned());
        (0..3).for_each(|now| drop(fade(&mut state, f64::from(now))));
        assert_eq!(texts(&state), [("The phone is gone.", 1)]);
        (0..300).for_each(|number| state.notify(format!("Message {number}")));
        assert_eq!(state.messages.newest_first().count(), KEPT);
    }
}
