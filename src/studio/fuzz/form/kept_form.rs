//! The form that starts a campaign as the settings of a workspace keep it, so that it comes back after a restart.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::AppRules;
use super::CampaignForm;
use crate::specs::Documents;
use taproof_campaign::{Oracles, Target};
use taproof_engine::device::Build;

/// What the settings keep of the form. First steps are kept elsewhere; recorded traces as seeds are for one campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptForm {
    /// The app and its build; `None` for what is on the phone. The device may not be there the next time and is left out.
    target: Option<(String, Build)>,
    /// Name of the chosen specification; `None` for the default.
    spec: Option<String>,
    /// Whether it runs without the one that comes with the app.
    alone: bool,
    off: BTreeSet<String>,
    engines: BTreeMap<String, KeptEngine>,
    events: String,
    minutes: String,
    seed: String,
    oracles: Oracles,
    pictures: bool,
    confirm_share: String,
    /// The chosen files of test rules, by app. What was collected is a file of the workspace.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    rule_files: BTreeMap<String, Vec<String>>,
}

/// An engine of the form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct KeptEngine {
    on: bool,
    settings: BTreeMap<String, String>,
}

impl Default for KeptForm {
    fn default() -> Self {
        KeptForm::of(&CampaignForm::default(), &Documents::default(), &Target::default())
    }
}

impl KeptForm {
    /// What is kept of this form while `phone` is on the phone.
    pub fn of(form: &CampaignForm, documents: &Documents, phone: &Target) -> KeptForm {
        let chosen = form.document.and_then(|id| documents.get(id)).map(|document| document.name.clone());
        let engines = form.engines.iter().map(|engine| {
            (engine.name.to_owned(), KeptEngine { on: engine.on, settings: engine.typed.clone() })
        });
        KeptForm {
            target: (form.target != *phone).then(|| (form.target.app.clone(), form.target.build.clone())),
            spec: chosen.or_else(|| form.document_name.clone()),
            alone: form.alone,
            off: form.off.clone(),
            engines: engines.collect(),
            events: form.events.clone(),
            minutes: form.minutes.clone(),
            seed: form.seed.clone(),
            oracles: form.oracles,
            pictures: form.pictures,
            confirm_share: form.confirm_share.clone(),
            rule_files: form
                .rules
                .iter()
                .filter(|(_, rules)| !rules.files.is_empty())
                .map(|(app, rules)| (app.clone(), rules.files.clone()))
                .collect(),
        }
    }

    /// Fills in a form that has the app on the phone. An app that does not `exist` any more is left out, as are engines.
    pub fn fill(&self, form: &mut CampaignForm, exists: impl Fn(&str) -> bool) {
        let there = self.target.as_ref().filter(|(app, _)| exists(app));
        if let Some((app, build)) = there {
            form.target = Target::bundled(app.as_str(), build.clone());
        }
        if there.is_some() || self.target.is_none() {
            form.document_name.clone_from(&self.spec);
            form.alone = self.alone;
            form.off.clone_from(&self.off);
        }
        for engine in &mut form.engines {
            if let Some(kept) = self.engines.get(engine.name) {
                (engine.on, engine.typed) = (kept.on, kept.settings.clone());
                engine.forget_unknown();
            }
        }
        form.events.clone_from(&self.events);
        form.minutes.clone_from(&self.minutes);
        form.seed.clone_from(&self.seed);
        (form.oracles, form.pictures) = (self.oracles, self.pictures);
        form.confirm_share.clone_from(&self.confirm_share);
        for (app, files) in &self.rule_files {
            let rules = form.rules_of(app);
            form.set_rules(app, AppRules { files: files.clone(), ..rules });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_form_is_filled_in_as_it_was_kept() {
        let mut form = CampaignForm {
            target: Target::bundled("org.ex", Build::Sound),
            document_name: Some("mine".to_owned()),
            alone: true,
            off: BTreeSet::from(["add".to_owned()]),
            events: "7".to_owned(),
            minutes: "2".to_owned(),
            seed: "3".to_owned(),
            oracles: Oracles::Own,
            pictures: false,
            confirm_share: "5".to_owned(),
            ..CampaignForm::default()
        };
        form.add_rules_file(Path::new("rules.json"));
        form.engine_mut("genie").unwrap().on = true;
        form.engine_mut("genie").unwrap().set("seed_length", "9".to_owned());
        let text =
            serde_json::to_string(&KeptForm::of(&form, &Documents::default(), &Target::default())).unwrap();
        let kept: KeptForm = serde_json::from_str(&text).unwrap();
        let mut again = CampaignForm::default();
        kept.fill(&mut again, |app| app == "org.ex");
        assert_eq!(again, form);
        let earlier: KeptForm = serde_json::from_str(&text.replace("seed_length", "outside_back")).unwrap();
        earlier.fill(&mut again, |_| true);
        assert!(again.engine_mut("genie").unwrap().typed.is_empty(), "a setting that is no more");

        let mut without = CampaignForm::default();
        kept.fill(&mut without, |_| false);
        assert_eq!((without.target.app.as_str(), without.events.as_str()), ("", "7"));
        let empty: KeptForm = serde_json::from_str("{}").unwrap();
        assert_eq!(empty, KeptForm::default());
    }
}
