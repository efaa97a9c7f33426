//! The undo history of the form that starts a campaign.

use std::sync::Arc;

use super::CampaignForm;
use crate::undo::UndoHistory;

/// The changes of the form.
pub(crate) type FormHistory = UndoHistory<FormStep, 200>;

/// A change of the form.
#[derive(Clone, Debug)]
pub(crate) struct FormStep {
    /// The form before it.
    pub before: CampaignForm,
    /// The form after it.
    pub after: CampaignForm,
}

/// The condition for the start of a test of the form's app, as typed.
fn ready(form: &CampaignForm) -> &str {
    form.first.get(&form.target.app).map_or("", |first| &first.ready)
}

impl FormStep {
    /// The text that was changed, as an engine's name (empty for the form itself) and a key. `None` if anything else
    /// was changed.
    pub fn typed(&self) -> Option<(&str, &str)> {
        let (before, after) = (&self.before, &self.after);
        let fields = [
            (("", "events"), before.events != after.events),
            (("", "minutes"), before.minutes != after.minutes),
            (("", "seed"), before.seed != after.seed),
            (("", "confirm"), before.confirm_share != after.confirm_share),
            (("", "ready"), ready(before) != ready(after)),
        ];
        let settings = before.engines.iter().zip(&after.engines).flat_map(|(before, after)| {
            let keys = before.typed.keys().chain(after.typed.keys());
            let changed = keys.filter(|key| before.typed.get(*key) != after.typed.get(*key));
            changed.map(|key| (before.name, key.as_str()))
        });
        let mut changed: Vec<(&str, &str)> = fields
            .into_iter()
            .filter(|(_, changed)| *changed)
            .map(|(field, _)| field)
            .chain(settings)
            .collect();
        changed.dedup();
        let on = |form: &CampaignForm| form.engines.iter().map(|engine| engine.on).collect::<Vec<_>>();
        // The conditions are left out: only that of the shown app can be typed, and it is compared above.
        let first = |form: &CampaignForm| {
            let steps = form.first.iter().map(|(app, first)| (app.clone(), Arc::clone(&first.steps)));
            steps.filter(|(_, steps)| !steps.is_empty()).collect::<Vec<_>>()
        };
        let chosen = |form: &CampaignForm| (form.seed_traces.clone(), form.oracles, form.pictures);
        let rest = (&before.target, before.document, &before.off, on(before), first(before))
            == (&after.target, after.document, &after.off, on(after), first(after))
            && chosen(before) == chosen(after);
        if rest && changed.len() == 1 { changed.pop() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::Campaigns;
    use crate::fuzz::InitialSteps;

    fn edit(campaigns: &mut Campaigns, change: impl FnOnce(&mut CampaignForm)) {
        let mut form = campaigns.form.clone();
        change(&mut form);
        campaigns.edit_form(form);
    }

    #[test]
    fn what_is_typed_in_a_row_is_one_step() {
        let mut campaigns = Campaigns::default();
        campaigns.form.target.app = "org.ex".to_owned();
        let first = campaigns.form.clone();
        for events in ["1", "12", "123"] {
            edit(&mut campaigns, |form| form.events = events.to_owned());
        }
        edit(&mut campaigns, |form| form.engines[1].on = true);
        edit(&mut campaigns, |form| form.engines[1].on = false);
        for typed in ["//*", "//*[@text='a']"] {
            edit(&mut campaigns, |form| {
                let ready = typed.to_owned();
                form.do_first("org.ex", InitialSteps { ready, ..InitialSteps::default() });
            });
        }
        for seeds in ["7", "70"] {
            edit(&mut campaigns, |form| form.engine_mut("genie").unwrap().set("seed_length", seeds.into()));
        }
        let last = campaigns.form.clone();
        let mut steps = 0;
        while campaigns.can_turn_form(true) {
            campaigns.turn_form(true);
            steps += 1;
        }
        assert_eq!((steps, &campaigns.form), (5, &first));
        while campaigns.can_turn_form(false) {
            campaigns.turn_form(false);
        }
        assert_eq!(campaigns.form, last);
        campaigns.turn_form(true);
        edit(&mut campaigns, |form| form.seed = "2".to_owned());
        assert!(!campaigns.can_turn_form(false), "what was undone is gone with the next change");
        campaigns.form.choose_app("org.other");
        assert!(!campaigns.can_turn_form(true), "another place changed it");
    }
}
