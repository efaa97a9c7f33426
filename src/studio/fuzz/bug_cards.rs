//! The bugs that a campaign found, one card for each, as the window shows them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::thumbnail::ThumbnailOf;
use crate::state::CampaignId;
use taproof_core::campaign::{CampaignPlan, Card, CardScreen, Cards, Corrections, Finding, Harm};
use taproof_core::spec::Spec;
use taproof_results::report::wrong_on;
use taproof_results::store::BugOf;

/// What is most likely one bug.
#[derive(Clone)]
pub struct BugCard {
    /// The bug in one sentence.
    pub title: String,
    /// How bad it is.
    pub harm: Harm,
    /// The pages on which it shows; empty if that is not known.
    pub pages: Vec<String>,
    /// How a person sees it; `None` if only the steps of the finding tell.
    pub by_hand: Option<&'static str>,
    /// What is wrong on the last screen, in sentences.
    pub wrong: Vec<String>,
    /// The screens that show it.
    pub screens: Vec<(CardScreen, ThumbnailOf)>,
    /// Its findings, the one to look at first.
    pub findings: Vec<Arc<Finding>>,
}

/// The bugs of a campaign.
#[derive(Default)]
pub struct BugCards {
    /// One for each bug, the worst first; at most ten.
    pub cards: Vec<BugCard>,
    /// The others, the worst first.
    pub more: Vec<BugCard>,
    /// What did not come back each time, or was not tried again yet.
    pub unsure: Vec<Arc<Finding>>,
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

impl CardsToMake {
    /// Puts the findings on cards.
    pub fn make(&self) -> BugCards {
        BugCards::of(&self.findings, &self.plan.app, &self.plan.spec, &self.corrections)
    }
}

impl BugCards {
    /// Puts the findings in the app with this package name on cards, as [`Cards::of`] does.
    pub(super) fn of(
        findings: &[Arc<Finding>],
        app: &str,
        spec: &Spec,
        corrections: &Corrections,
    ) -> BugCards {
        let shared = |of_card: &Finding| findings.iter().find(|finding| finding.id == of_card.id).cloned();
        let all = findings.iter().map(|finding| &**finding);
        let Cards { cards, more, unsure } = Cards::of(all, app, spec, corrections);
        let card = |card: &Card<'_>| {
            let shown = card.shown();
            let screen = |screen: CardScreen| {
                let evidence = &shown?.minimal;
                let layout = Arc::clone(&evidence.trace.frame(screen.frame)?.layout);
                let picture = evidence.screenshots.get(screen.frame).cloned().flatten();
                Some((screen, ThumbnailOf { layout, picture }))
            };
            BugCard {
                title: card.title.clone(),
                harm: card.harm,
                pages: card.pages.clone(),
                by_hand: card.relations.first().map(|relation| relation.by_hand),
                wrong: wrong_on(card),
                screens: card.screens().into_iter().filter_map(screen).collect(),
                findings: card.findings.iter().filter_map(|finding| shared(finding)).collect(),
            }
        };
        BugCards {
            cards: cards.iter().map(card).collect(),
            more: more.iter().map(card).collect(),
            unsure: unsure.into_iter().filter_map(|bug| shared(bug.shown)).collect(),
        }
    }

    /// All cards, the worst first.
    pub fn carded(&self) -> impl Iterator<Item = &BugCard> {
        self.cards.iter().chain(&self.more)
    }

    /// Number of cards.
    pub fn count(&self) -> usize {
        self.cards.len() + self.more.len()
    }

    /// The bug of each finding, by the finding's id.
    pub fn by_finding(&self) -> BTreeMap<String, BugOf> {
        let of = |card: &BugCard| {
            let bug = BugOf { shown: card.findings.first()?.id.clone(), title: card.title.clone() };
            Some(
                card.findings
                    .iter()
                    .map(move |finding| (finding.id.clone(), bug.clone()))
                    .collect::<Vec<_>>(),
            )
        };
        self.carded().filter_map(of).flatten().collect()
    }
}
