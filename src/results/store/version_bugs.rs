//! What became of the bugs of an app in its next version: which are still there, which are gone, which are new.
//!
//! Bugs of two campaigns are the same if they are known by the same, as in a [`Baseline`](super::Baseline), after what
//! the new version calls otherwise is renamed: conditions are those at the same place of the same function, and ids,
//! descriptions and texts are renamed as from the old specification to the new one.

use std::collections::{BTreeMap, BTreeSet};

use super::StoredCampaign;
use taproof_campaign::{Bug, BugKey};
use taproof_screen::FindingOrigin;
use taproof_spec::repair::{Mend, mended_texts, static_part};
use taproof_spec::{Condition, Dmf, Spec, condition_key};

/// The bugs of two versions of an app, by their titles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionBugs {
    /// The bugs that both versions show: the title in the old one and in the new one.
    pub still: Vec<(String, String)>,
    /// The bugs that only the old version showed.
    pub gone: Vec<String>,
    /// The bugs that only the new version shows.
    pub new: Vec<String>,
}

impl VersionBugs {
    /// Compares the bugs of a campaign on the old version with those of one on the new version. A suspicion is a bug that is
    /// still there if it was one, but none that is gone or new.
    pub fn between(old: &StoredCampaign, new: &StoredCampaign) -> VersionBugs {
        let renamed = Renamed::between(old, new);
        let mut left = new.bugs();
        let mut compared = VersionBugs::default();
        for bug in old.bugs() {
            let origins = bug.findings.iter().map(|finding| renamed.origin(&finding.origin));
            let before: BTreeSet<BugKey> = origins.map(BugKey::of_origin).collect();
            match left.iter().position(|after| !after.keys.is_disjoint(&before)) {
                Some(place) => {
                    let same = left.remove(place);
                    if bug.counts(false) || same.counts(false) {
                        compared.still.push((bug.title.clone(), same.title.clone()));
                    }
                }
                None if bug.counts(false) => compared.gone.push(bug.title.clone()),
                None => {}
            }
        }
        left.retain(|bug: &Bug| bug.counts(false));
        compared.new = left.into_iter().map(|bug| bug.title).collect();
        compared
    }
}

/// What the new version calls otherwise.
struct Renamed {
    /// The keys of conditions by function and old key.
    conditions: BTreeMap<(String, String), String>,
    /// Old and new names, the longest first.
    names: Vec<(String, String)>,
}

impl Renamed {
    fn between(old: &StoredCampaign, new: &StoredCampaign) -> Renamed {
        let (old, new) = (&old.plan.plan, &new.plan.plan);
        let mut names = vec![(old.app.clone(), new.app.clone())];
        names.extend(renamed_names(&old.spec, &new.spec));
        names.retain(|(old, new)| old != new);
        names.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        Renamed { conditions: renamed_conditions(&old.spec, &new.spec), names }
    }

    fn origin(&self, origin: &FindingOrigin) -> FindingOrigin {
        let subject = self.text(&origin.subject);
        let check = |check: &String| {
            let known = self.conditions.get(&(origin.subject.clone(), check.clone()));
            known.cloned().unwrap_or_else(|| self.text(check))
        };
        FindingOrigin { oracle: origin.oracle, subject, checks: origin.checks.iter().map(check).collect() }
    }

    /// A text with the new names. Names within longer words stay.
    fn text(&self, text: &str) -> String {
        let mut renamed = String::new();
        let mut rest = text;
        'next: while let Some(first) = rest.chars().next() {
            let inside = renamed.ends_with(|c: char| c.is_alphanumeric());
            for (old, new) in self.names.iter().filter(|_| !inside) {
                let after = rest.strip_prefix(old.as_str());
                if let Some(after) =
                    after.filter(|it| !it.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                {
                    renamed.push_str(new);
                    rest = after;
                    continue 'next;
                }
            }
            renamed.push(first);
            rest = &rest[first.len_utf8()..];
        }
        renamed
    }
}

/// The functions that two specifications have in common.
fn common<'s>(old: &'s Spec, new: &'s Spec) -> impl Iterator<Item = (&'s Dmf, &'s Dmf)> {
    let named = |dmf: &'s Dmf| Some((dmf, new.dmfs.iter().find(|later| later.name == dmf.name)?));
    old.dmfs.iter().filter_map(named)
}

/// Pairs of old and new names of the widgets that functions of two specifications have in common.
fn renamed_names(old: &Spec, new: &Spec) -> Vec<(String, String)> {
    let mut mends = Vec::new();
    for (before, after) in common(old, new) {
        for widget in &before.widgets {
            let Some(later) = after.widget(&widget.name) else { continue };
            mends.push(Mend::Rename {
                old: static_part(&widget.selector),
                new: static_part(&later.selector),
                only: None,
            });
        }
    }
    mended_texts(&mends)
}

/// The keys of the conditions at the same places of functions of two specifications.
fn renamed_conditions(old: &Spec, new: &Spec) -> BTreeMap<(String, String), String> {
    let mut renamed = BTreeMap::new();
    for (before, after) in common(old, new) {
        let key = |dmf: &Dmf, condition: &Condition| condition_key(condition, &dmf.widgets);
        for (one, other) in before.postconditions.iter().zip(&after.postconditions) {
            renamed.insert((before.name.clone(), key(before, one)), key(after, other));
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_renamed_as_whole_words() {
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        let names = vec![pair("org.ex:id/title", "org.ex:id/heading"), pair("org.ex", "org.exv2")];
        let renamed = Renamed { conditions: BTreeMap::new(), names };
        assert_eq!(renamed.text("in id \"org.ex:id/title\""), "in id \"org.ex:id/heading\"");
        assert_eq!(renamed.text("org.ex/.Main of org.example"), "org.exv2/.Main of org.example");
        assert_eq!(renamed.text("org.ex:id/title_2"), "org.exv2:id/title_2");
    }
}
