//! What campaigns have found: their findings, and the bugs that these show, one card for each. The disk thread makes both
//! once findings are written, and the window shows them.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use super::campaigns::CampaignState;
use super::thumbnail::ThumbnailOf;
use crate::effect::Effect;
use crate::replay::ask_history;
use crate::state::{CampaignId, StudioState};
use taproof_campaign::{
    Bug, BugClass, CampaignPlan, CardScreen, Corrections, Finding, bug_title, group, keep_latest, of_class,
};
use taproof_results::report::wrong_on;
use taproof_results::store::bugs_by_finding;

/// What a campaign has found, as far as it is on the disk.
#[derive(Default)]
pub struct Found {
    /// The findings, the oldest first.
    pub findings: Vec<Arc<Finding>>,
    /// The bugs that they show, in the order of [`group`].
    pub bugs: Vec<BugCard>,
}

/// A bug with what its card shows.
#[derive(Clone)]
pub struct BugCard {
    /// The bug.
    pub bug: Bug,
    /// What is wrong on the last screen, in sentences.
    pub wrong: Vec<String>,
    /// The screens that show it.
    pub screens: Vec<(CardScreen, ThumbnailOf)>,
}

impl Deref for BugCard {
    type Target = Bug;

    fn deref(&self) -> &Bug {
        &self.bug
    }
}

impl Borrow<Bug> for BugCard {
    fn borrow(&self) -> &Bug {
        &self.bug
    }
}

impl Found {
    /// Puts the findings of a campaign on cards. `corrections` is what a person has said of findings in its app.
    pub fn of(findings: Vec<Arc<Finding>>, plan: &CampaignPlan, corrections: &Corrections) -> Arc<Found> {
        let bugs = group(&findings, &plan.app, &plan.spec, corrections);
        Arc::new(Found { findings, bugs: bugs.into_iter().map(BugCard::of).collect() })
    }
}

impl BugCard {
    fn of(bug: Bug) -> BugCard {
        let evidence = &bug.shown.minimal;
        let screen = |screen: CardScreen| {
            let layout = Arc::clone(&evidence.trace.frame(screen.frame)?.layout);
            let picture = evidence.screenshots.get(screen.frame).cloned().flatten();
            Some((screen, ThumbnailOf { layout, picture }))
        };
        let screens = bug.screens().into_iter().filter_map(screen).collect();
        BugCard { wrong: wrong_on(&bug), screens, bug }
    }
}

/// The written findings of the campaigns in the window, from which the disk thread makes their cards.
#[derive(Default)]
pub(crate) struct WrittenFindings {
    campaigns: BTreeMap<CampaignId, OfCampaign>,
    /// What a person has said of findings, by app.
    corrections: BTreeMap<String, Corrections>,
}

struct OfCampaign {
    plan: Arc<CampaignPlan>,
    findings: Vec<Arc<Finding>>,
    /// Whether its cards must be made anew.
    changed: bool,
    /// The titles of what has come to count as a bug since they were made.
    news: Vec<String>,
}

impl WrittenFindings {
    /// Takes a campaign whose findings so far are these. Only those that are `wanted` stay beside it.
    pub fn begin(
        &mut self,
        id: CampaignId,
        plan: &Arc<CampaignPlan>,
        findings: Vec<Arc<Finding>>,
        wanted: impl Fn(&CampaignId) -> bool,
    ) -> Arc<Found> {
        self.campaigns.retain(|id, _| wanted(id));
        let of = OfCampaign { plan: Arc::clone(plan), findings, changed: false, news: Vec::new() };
        let found = of.found(&self.corrections);
        self.campaigns.insert(id, of);
        found
    }

    /// Adds a written finding, or replaces the one with the same id. `tells`: whether it is news if it counts as a bug now.
    pub fn take(&mut self, id: CampaignId, finding: Arc<Finding>, tells: bool) {
        let Some(of) = self.campaigns.get_mut(&id) else { return };
        let counted = of.findings.iter().any(|known| known.id == finding.id && known.counts());
        if tells && !counted && finding.counts() {
            of.news.push(bug_title(&finding, &of.plan.app, &of.plan.spec));
        }
        keep_latest(&mut of.findings, finding);
        of.changed = true;
    }

    /// Takes what a person has said of findings, by app.
    pub fn correct(&mut self, corrections: &BTreeMap<String, Corrections>) {
        if self.corrections != *corrections {
            self.corrections.clone_from(corrections);
            self.campaigns.values_mut().for_each(|of| of.changed = true);
        }
    }

    /// What each campaign has found whose findings or corrections have changed since the last call, and the titles of what
    /// has come to count as a bug.
    pub fn changed(&mut self) -> impl Iterator<Item = (CampaignId, Arc<Found>, Vec<String>)> {
        self.campaigns.iter_mut().filter_map(|(id, of)| {
            let changed = std::mem::take(&mut of.changed);
            changed.then(|| (*id, of.found(&self.corrections), std::mem::take(&mut of.news)))
        })
    }
}

impl OfCampaign {
    fn found(&self, corrections: &BTreeMap<String, Corrections>) -> Arc<Found> {
        let none = Corrections::default();
        Found::of(self.findings.clone(), &self.plan, corrections.get(&self.plan.app).unwrap_or(&none))
    }
}

impl CampaignState {
    /// Takes what it has found by now.
    pub fn take_found(&mut self, found: Arc<Found>) {
        self.runs.iter_mut().for_each(|run| run.findings.clear());
        for finding in &found.findings {
            let by = self.plan.engines.iter().position(|engine| engine.name() == finding.engine);
            if let Some(run) = by.and_then(|place| self.runs.get_mut(place)) {
                *run.findings.entry(finding.origin.oracle).or_default() += 1;
            }
        }
        self.found = found;
    }

    /// The cards of bugs, the worst first.
    pub fn carded(&self) -> &[BugCard] {
        of_class(&self.found.bugs, BugClass::Bug)
    }

    /// How often the origin of a finding was violated, as far as known.
    pub fn count_of(&self, finding: &Finding) -> u64 {
        self.counts.get(&finding.id).copied().unwrap_or(finding.count)
    }
}

/// Shows what a campaign has found. What has come to count as a bug is news.
pub(crate) fn take_found(
    state: &mut StudioState,
    id: CampaignId,
    found: Arc<Found>,
    news: &[String],
) -> Vec<Effect> {
    let Some(campaign) = state.campaigns.get_mut(id) else { return Vec::new() };
    if let Some(row) = campaign.row {
        state.history.take_cards(row, bugs_by_finding(&found.bugs));
    }
    campaign.take_found(found);
    news.iter().for_each(|title| state.notify_found(title));
    ask_history(state).into_iter().collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use taproof_campaign::{Attribution, Confirmation, Correction, DataTimeline, Evidence, Support};
    use taproof_engine::{EngineConfig, Moment, PbfdroidConfig};
    use taproof_screen::{
        AppHealth, DeviceDuration, DeviceInstant, FindingOrigin, Frame, Layout, OracleKind, PxSize, Rotation,
        Trace, Violation,
    };

    /// A crash that came back each time.
    pub(crate) fn finding(id: &str) -> Arc<Finding> {
        let layout = Arc::new(Layout::empty(PxSize { width: 9, height: 9 }, Rotation::PORTRAIT));
        let frame = Frame { layout, health: AppHealth::Running, at: DeviceInstant::default() };
        let evidence = Evidence::without_pictures(Trace::start(frame));
        let origin = FindingOrigin { oracle: OracleKind::Crash, subject: String::new(), checks: Vec::new() };
        let violation = Violation {
            oracle: OracleKind::Crash,
            subject: String::new(),
            dmf: None,
            title: String::new(),
            failures: Vec::new(),
            after_drift: false,
        };
        Arc::new(Finding {
            id: id.to_owned(),
            origin,
            violation,
            title: String::new(),
            engine: "monkey",
            seed: 1,
            first: Moment { event: 1, device_time: DeviceDuration(1) },
            count: 1,
            witness: evidence.clone(),
            minimal: evidence,
            minimal_dmfs: Vec::new(),
            confirmation: Confirmation::Reproduced { hits: 3, tries: 3 },
            support: Support::default(),
            finished: true,
            attribution: Attribution::NONE,
            data: DataTimeline::default(),
            reference: None,
            environment: None,
        })
    }

    /// The findings on cards by campaign, and what is news.
    fn changed(written: &mut WrittenFindings) -> Vec<(u32, Vec<Vec<String>>, usize)> {
        let ids = |card: &BugCard| card.findings.iter().map(|finding| finding.id.clone()).collect();
        let changed = written.changed();
        changed.map(|(id, found, news)| (id.0, found.bugs.iter().map(ids).collect(), news.len())).collect()
    }

    #[test]
    fn cards_are_made_once_for_all_that_was_written_and_said_meanwhile() {
        let plan = CampaignPlan::new("org.ex", EngineConfig::Pbfdroid(PbfdroidConfig::default()), 10);
        let (plan, id, all) = (Arc::new(plan), CampaignId(1), |_: &CampaignId| true);
        let mut written = WrittenFindings::default();
        written.take(id, finding("a"), true);
        assert!(written.begin(id, &plan, vec![finding("a")], all).bugs[0].has("a"), "it goes on");
        assert!(changed(&mut written).is_empty());
        for (one, tells) in [("b", true), ("c", false), ("b", true)] {
            written.take(id, finding(one), tells);
        }
        let together = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(changed(&mut written), [(1, vec![together], 1)], "one title is news");
        assert!(changed(&mut written).is_empty());
        let apart = Corrections(vec![Correction::Apart("b".to_owned())]);
        for news in [1, 0] {
            written.correct(&BTreeMap::from([("org.ex".to_owned(), apart.clone())]));
            assert_eq!(changed(&mut written).len(), news, "what is known is no change");
        }
        written.begin(CampaignId(2), &plan, Vec::new(), |id| id.0 > 1);
        written.take(id, finding("d"), true);
        assert!(changed(&mut written).is_empty(), "it is shown no more");
    }
}
