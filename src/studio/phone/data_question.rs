//! The question before tests clear an app's data on a device: it is asked once for each app on each device, and what was to
//! begin begins after the answer.

use std::sync::Arc;

use super::lending::lend;
use super::{AskedAboutData, DataAnswer};
use crate::command::Command;
use crate::effect::Effect;
use crate::state::StudioState;
use taproof_campaign::DeviceChoice;
use taproof_screen::Initialiser;
use taproof_session::DataQuestion;

/// Tests that are about to begin.
pub(crate) struct TestsToBegin<'t> {
    /// Package name of the app.
    pub app: &'t str,
    /// Where they run.
    pub device: &'t DeviceChoice,
    /// What precedes each.
    pub first: Option<&'t Initialiser>,
    /// Whether they can also begin with the data that the app holds.
    pub can_keep: bool,
}

/// Whether tests may begin now. If somebody must be asked first, opens the question; `then` is executed after the answer.
pub(crate) fn may_begin(state: &mut StudioState, tests: &TestsToBegin<'_>, then: Command) -> bool {
    let TestsToBegin { app, device, first, can_keep } = *tests;
    let allowed = state.campaigns.form.first_of(app).may_clear;
    let Some(question) = DataQuestion::before_tests(app, device, first, &allowed) else { return true };
    let label = state.label_of(app).to_owned();
    state.asked_about_data = Some(AskedAboutData { question, label, can_keep, then: Box::new(then) });
    false
}

/// Makes the phone available for tests of an app that are to begin. What the person reads if they cannot is made of `what`
/// would have been done and `to` what the phone is lent; `then` is executed after the answer where the person must be
/// asked first. Returns what precedes each test.
pub(crate) fn begin_tests(
    state: &mut StudioState,
    (app, device): (&str, &DeviceChoice),
    (what, to): (&str, &str),
    then: Command,
) -> Option<(Option<Arc<Initialiser>>, Vec<Effect>)> {
    let first = state.campaigns.form.initialiser(app).map_err(|problem| {
        let say = format!("Nothing was {what}. What is waited for stands in Fuzz: {problem}");
        state.notify_failure(say);
    });
    let first = first.ok()?;
    let tests = TestsToBegin { app, device, first: first.as_deref(), can_keep: true };
    if !may_begin(state, &tests, then) {
        return None;
    }
    let effects = lend(state, device, to)?;
    Some((first, effects))
}

/// Remembers the answer for this app on these devices, and begins what waits for it.
pub(crate) fn answer(state: &mut StudioState, answer: DataAnswer) -> Vec<Effect> {
    let Some(AskedAboutData { question, then, .. }) = state.asked_about_data.take() else {
        return Vec::new();
    };
    if answer == DataAnswer::Cancel {
        return Vec::new();
    }
    let mut form = state.campaigns.form.clone();
    let mut first = form.first_of(&question.app);
    first.answer(&question.serials, answer == DataAnswer::Clear);
    form.do_first(&question.app, first);
    let then = match *then {
        // It was validated with what preceded each test before the answer.
        Command::StartCampaign(mut order) => {
            order.plan.initialiser = kept(order.plan.initialiser, answer == DataAnswer::Keep);
            Command::StartCampaign(order)
        }
        other => other,
    };
    state.campaigns.edit_form(form);
    vec![Effect::then(then)]
}

/// What precedes each test, with the app's data kept or not.
pub(crate) fn kept(first: Option<Arc<Initialiser>>, keep_data: bool) -> Option<Arc<Initialiser>> {
    let first = Initialiser { keep_data, ..first.as_deref().cloned().unwrap_or_default() };
    (!first.is_empty()).then(|| Arc::new(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::DeviceCommand;

    #[test]
    fn an_app_on_a_device_is_asked_about_once_and_what_waits_begins_then() {
        let mut state = StudioState::default();
        let device = DeviceChoice::Adb(vec!["phone-1".to_owned()]);
        let then = Command::Device(DeviceCommand::Look);
        let begin = |state: &mut StudioState| {
            let first = state.campaigns.form.initialiser("org.ex").unwrap();
            let tests =
                TestsToBegin { app: "org.ex", device: &device, first: first.as_deref(), can_keep: true };
            may_begin(state, &tests, Command::Device(DeviceCommand::Look))
        };
        assert!(!begin(&mut state));
        assert!(answer(&mut state, DataAnswer::Cancel).is_empty());
        assert!(!begin(&mut state), "nothing was allowed");
        let effects = answer(&mut state, DataAnswer::Clear);
        assert!(
            matches!(&effects[..], [Effect::Then(crate::event::Event::Command(command))] if *command == then)
        );
        assert!(begin(&mut state) && state.asked_about_data.is_none(), "it is remembered");
        // Somebody else's phone, and a change of mind.
        let other = DeviceChoice::Adb(vec!["phone-2".to_owned()]);
        let tests = TestsToBegin { app: "org.ex", device: &other, first: None, can_keep: true };
        assert!(!may_begin(&mut state, &tests, then));
        answer(&mut state, DataAnswer::Keep);
        let first = state.campaigns.form.initialiser("org.ex").unwrap().unwrap();
        assert!(first.keep_data && begin(&mut state));
    }
}
