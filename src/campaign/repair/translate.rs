//! What else names widgets of the old version, such as saved traces and what Fastbot2 has learned, with the names of the
//! new one.

use std::collections::BTreeMap;

use super::RepairReport;
use crate::{ExpectationKind, SavedTrace};
use taproof_engine::fastbot2::{HyperEvent, ReuseModel};
use taproof_screen::{Event, Selector, Text};
use taproof_spec::Spec;
use taproof_spec::repair::{Mend, mended_texts};

/// The names that the new version has in place of old ones.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The packages of the old version and of the new one.
    packages: (String, String),
    names: BTreeMap<String, String>,
    /// The repaired functions.
    spec: Spec,
}

impl Translation {
    /// What a repair has found out, from the package `old` to the package `new`.
    pub fn of(report: &RepairReport, old: &str, new: &str) -> Translation {
        let mends: Vec<Mend> = report.mends().into_iter().map(|it| it.mend).collect();
        Translation {
            packages: (old.to_owned(), new.to_owned()),
            names: mended_texts(&mends).into_iter().collect(),
            spec: report.spec.clone(),
        }
    }

    /// A trace for the new version: its events name the widgets as that does, and its functions are the repaired ones,
    /// with the steps that are new. The prints of the screens stay, since nobody has seen the new ones.
    #[must_use]
    pub fn trace(&self, saved: &SavedTrace) -> SavedTrace {
        let mut new = saved.clone();
        new.app = self.text(&saved.app);
        for step in &mut new.steps {
            if let Event::Widget { target, .. } = &mut step.event {
                target.selector = self.selector(&target.selector);
            }
        }
        for dmf in &mut new.spec.dmfs {
            if let Some(repaired) = self.spec.dmfs.iter().find(|repaired| repaired.name == dmf.name) {
                dmf.clone_from(repaired);
            }
        }
        for expectation in &mut new.expectations {
            if let ExpectationKind::Shown(selector) | ExpectationKind::NotShown(selector) =
                &mut expectation.kind
            {
                *selector = self.selector(selector);
            }
        }
        new
    }

    /// What was learned of the old version, as far as it holds for the new one: where events lead that are called
    /// otherwise now.
    #[must_use]
    pub fn model(&self, model: &ReuseModel) -> ReuseModel {
        let mut new = ReuseModel::of(&self.text(&model.package));
        for (event, led_to) in model.events() {
            let event = HyperEvent {
                activity: self.activity(&event.activity),
                resource_id: self.text(&event.resource_id).into(),
                static_text: self.text(&event.static_text).into(),
                ..event.clone()
            };
            for (activity, count) in led_to {
                new.add(event.clone(), self.activity(activity), *count);
            }
        }
        model.versions.iter().for_each(|version| new.saw_version(version));
        new
    }

    fn selector(&self, selector: &Selector) -> Selector {
        let named = |part: &Option<String>| part.as_deref().map(|name| self.text(name));
        Selector {
            resource_id: named(&selector.resource_id),
            text: named(&selector.text),
            content_desc: named(&selector.content_desc),
            ..selector.clone()
        }
    }

    fn text(&self, text: &str) -> String {
        if text == self.packages.0 {
            return self.packages.1.clone();
        }
        self.names.get(text).map_or(text, String::as_str).to_owned()
    }

    fn activity(&self, activity: &Text) -> Text {
        match activity.split_once('/') {
            Some((package, class)) if package == self.packages.0 => {
                format!("{}/{class}", self.packages.1).into()
            }
            _ => Text::clone(activity),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::ActionKind;

    #[test]
    fn a_model_knows_the_events_by_their_new_names() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let translation = Translation {
            packages: pair("org.ex", "org.exv2"),
            names: BTreeMap::from([pair("org.ex:id/new", "org.ex:id/add")]),
            spec: Spec::default(),
        };
        let event = |activity: &str, id: &str| HyperEvent {
            activity: activity.into(),
            resource_id: id.into(),
            class: "android.widget.ImageButton".into(),
            static_text: "".into(),
            kind: ActionKind::Click,
        };
        let mut model = ReuseModel::of("org.ex");
        model.add(event("org.ex/.Main", "org.ex:id/new"), "org.ex/.Editor".into(), 3);
        let mut expected = ReuseModel::of("org.exv2");
        expected.add(event("org.exv2/.Main", "org.ex:id/add"), "org.exv2/.Editor".into(), 3);
        assert_eq!(translation.model(&model), expected);
    }
}
