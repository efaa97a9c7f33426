//! The bugs that a campaign found, one card for each, as the window shows them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::thumbnail::ThumbnailOf;
use crate::state::CampaignId;
use taproof_campaign::{
    BugClass, BugKey, CampaignPlan, Card, CardScreen, Cards, Corrections, Finding, Harm, JudgedBug,
    bugs_in_words,
};
use taproof_results::report::wrong_on;
use taproof_results::store::BugOf;
use taproof_spec::Spec;

/// What is most likely one bug.
#[derive(Clone)]
pub struct BugCard {
    /// The bug in one sentence.
    pub title: String,
    /// Whether it is a bug.
    pub class: BugClass,
    /// What its findings are known by.
    pub keys: BTreeSet<BugKey>,
    /// What it rests on, and what would settle it; empty where nothing is needed.
    pub to_settle: Vec<(&'static str, String)>,
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
    /// What came back each time and is not known to be a bug, the worst first.
    pub suspicions: Vec<BugCard>,
    /// What did not come back each time, or was not tried again yet.
    pub unsure: Vec<Arc<Finding>>,
    /// What a person has said to be no bug.
    pub dismissed: Vec<BugCard>,
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

/// What a suspicion rests on, and what would settle it.
fn to_settle(finding: &Finding) -> Vec<(&'static str, String)> {
    let settled = finding.settled_by().map(|what| ("To settle it", what.to_owned()));
    [Some(("Rests on", finding.rests_on())), settled].into_iter().flatten().collect()
}

impl BugCard {
    /// What a person says of it.
    pub fn judged(&self, is_bug: bool) -> JudgedBug {
        JudgedBug { keys: self.keys.clone(), is_bug, title: self.title.clone() }
    }
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
        let Cards { cards, more, suspicions, unsure, dismissed } = Cards::of(all, app, spec, corrections);
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
                class: card.class,
                keys: card.keys(),
                to_settle: shown
                    .filter(|_| card.class == BugClass::Suspicion)
                    .map(to_settle)
                    .unwrap_or_default(),
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
            suspicions: suspicions.iter().map(card).collect(),
            dismissed: dismissed.iter().map(card).collect(),
            unsure: unsure.into_iter().filter_map(|bug| shared(bug.shown)).collect(),
        }
    }

    /// The cards of bugs, the worst first.
    pub fn carded(&self) -> impl Iterator<Item = &BugCard> {
        self.cards.iter().chain(&self.more)
    }

    /// All cards: of bugs, of suspicions, and of what a person dismissed.
    pub fn all_cards(&self) -> impl Iterator<Item = &BugCard> {
        self.carded().chain(&self.suspicions).chain(&self.dismissed)
    }

    /// Number of bugs.
    pub fn count(&self) -> usize {
        self.cards.len() + self.more.len()
    }

    /// The number of bugs and of suspicions, in words.
    pub fn words(&self) -> String {
        bugs_in_words(self.count(), self.suspicions.len())
    }

    /// The bug of each finding, by the finding's id.
    pub fn by_finding(&self) -> BTreeMap<String, BugOf> {
        let of = |card: &BugCard| {
            let shown = card.findings.first()?.id.clone();
            let bug = BugOf { shown, title: card.title.clone(), class: card.class };
            Some(
                card.findings
                    .iter()
                    .map(move |finding| (finding.id.clone(), bug.clone()))
                    .collect::<Vec<_>>(),
            )
        };
        self.all_cards().filter_map(of).flatten().collect()
    }
}
