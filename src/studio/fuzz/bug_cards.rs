//! The bugs that a campaign found, one card for each, as the window shows them.

use std::borrow::Borrow;
use std::ops::Deref;
use std::sync::Arc;

use super::thumbnail::ThumbnailOf;
use crate::state::CampaignId;
use taproof_campaign::{Bug, CampaignPlan, CardScreen, Corrections, Finding, group};
use taproof_results::report::wrong_on;

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

/// The findings of a campaign, to be put on cards.
pub struct CardsToMake {
    /// The campaign.
    pub campaign: CampaignId,
    /// Its findings.
    pub findings: Vec<Arc<Finding>>,
    /// Its plan.
    pub plan: Arc<CampaignPlan>,
    /// What a person has said of findings in its app.
    pub corrections: Corrections,
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

impl CardsToMake {
    /// Puts the findings on cards.
    pub fn make(&self) -> Vec<BugCard> {
        let bugs = group(&self.findings, &self.plan.app, &self.plan.spec, &self.corrections);
        bugs.into_iter().map(BugCard::of).collect()
    }
}

impl BugCard {
    /// The card of a bug.
    pub(super) fn of(bug: Bug) -> BugCard {
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
