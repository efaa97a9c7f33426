//! The cards as they are drawn: nothing moves under a pointer. Cards keep the places that they were first drawn at, and new
//! ones come in below them; as long as the pointer is on the cards, new ones wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fuzz::{BugCard, CampaignState, Found};
use crate::state::CampaignId;
use taproof_campaign::{BugClass, FIRST_BUGS, Finding, of_class};

/// The cards that are drawn.
#[derive(Default)]
pub struct HeldCards {
    campaign: Option<CampaignId>,
    cards: Vec<BugCard>,
    /// What the campaign had found when these were made, and whether it ran at that time.
    taken: Arc<Found>,
    alive: bool,
    /// The place of each finding in the order in which their cards were first drawn.
    order: BTreeMap<String, usize>,
    /// Whether the person has asked for the next change.
    asked: bool,
}

impl HeldCards {
    /// Draws the cards of a campaign from now on, unless they must wait since the pointer is on others of it. Returns how
    /// many cards wait; a card that is only better known is not counted.
    pub fn follow(&mut self, campaign: &CampaignState, hold: bool) -> usize {
        if self.campaign != Some(campaign.id) {
            *self = HeldCards { campaign: Some(campaign.id), ..HeldCards::default() };
        }
        if Arc::ptr_eq(&self.taken, &campaign.found) && self.alive == campaign.alive() {
            return 0;
        }
        if hold && !self.asked && !self.cards.is_empty() {
            let unknown = campaign.carded().iter().filter(|card| self.rank(card).is_none()).count();
            // A card that was split gives two, of findings that are known.
            return unknown.max(campaign.carded().len().saturating_sub(self.of(BugClass::Bug).len()));
        }
        self.take(campaign);
        0
    }

    /// Draws the cards of a campaign from now on, wherever the pointer is. While it runs, a card keeps what it was first
    /// drawn with, as long as the person does not change it.
    pub fn take(&mut self, campaign: &CampaignState) {
        (self.taken, self.alive) = (Arc::clone(&campaign.found), campaign.alive());
        let cards = &self.taken.bugs;
        self.cards = match self.alive {
            true => cards.iter().map(|card| self.kept_card(card)).collect(),
            false => cards.clone(),
        };
        self.asked = false;
        let bugs = self.of(BugClass::Bug);
        let (first, more) = bugs.split_at(bugs.len().min(FIRST_BUGS));
        let mut known = self.placed(first);
        known.extend(self.placed(more));
        known.extend(self.placed(self.of(BugClass::Suspicion)));
        let ids = known.iter().flat_map(|card| &card.findings).map(|finding| finding.id.clone());
        self.order = ids.zip(0..).collect();
    }

    /// This card, as it is drawn if it is drawn already.
    fn kept_card(&self, card: &BugCard) -> BugCard {
        let of = |finding: &Arc<Finding>| card.findings.iter().any(|one| one.id == finding.id);
        let same = |drawn: &&BugCard| drawn.shown.finished && of(&drawn.shown);
        let Some(drawn) = self.of(card.class).iter().find(same) else { return card.clone() };
        let known = |finding: &&Arc<Finding>| drawn.findings.iter().all(|one| one.id != finding.id);
        let mut findings: Vec<_> = drawn.findings.iter().filter(|finding| of(finding)).cloned().collect();
        findings.extend(card.findings.iter().filter(known).cloned());
        let mut kept = drawn.clone();
        kept.bug.findings = findings;
        kept
    }

    /// Draws the next change at once, since the person asked for it on a card.
    pub fn expect_change(&mut self) {
        self.asked = true;
    }

    /// The cards of a class.
    pub fn of(&self, class: BugClass) -> &[BugCard] {
        of_class(&self.cards, class)
    }

    /// Cards in the order in which they are drawn.
    pub fn placed<'c>(&self, cards: &'c [BugCard]) -> Vec<&'c BugCard> {
        let mut placed: Vec<&BugCard> = cards.iter().collect();
        placed.sort_by_key(|card| self.rank(card).unwrap_or(usize::MAX));
        placed
    }

    /// The place of the first of its findings that has one.
    fn rank(&self, card: &BugCard) -> Option<usize> {
        card.findings.iter().filter_map(|finding| self.order.get(&finding.id).copied()).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::CampaignPhase;
    use crate::fuzz::found::tests::finding;
    use std::collections::BTreeSet;

    use taproof_campaign::{Bug, BugState, CampaignPlan, EndReason, Harm};
    use taproof_engine::{EngineConfig, PbfdroidConfig};

    fn cards(cards: &[(&str, &[&str])]) -> Arc<Found> {
        let card = |(title, ids): &(&str, &[&str])| BugCard {
            bug: Bug {
                title: (*title).to_owned(),
                class: BugClass::Bug,
                state: BugState::New,
                note: String::new(),
                keys: BTreeSet::new(),
                harm: Harm::Crash,
                pages: Vec::new(),
                relations: Vec::new(),
                lost: None,
                change: None,
                shown: finding(ids[0]),
                findings: ids.iter().map(|id| finding(id)).collect(),
            },
            wrong: Vec::new(),
            screens: Vec::new(),
        };
        Arc::new(Found { bugs: cards.iter().map(card).collect(), ..Found::default() })
    }

    fn drawn(held: &HeldCards) -> Vec<(String, Vec<String>)> {
        let ids = |card: &BugCard| card.findings.iter().map(|finding| finding.id.clone()).collect();
        let placed = held.placed(held.of(BugClass::Bug));
        placed.into_iter().map(|card| (card.title.clone(), ids(card))).collect()
    }

    #[test]
    fn a_card_keeps_what_it_shows_until_the_campaign_has_ended() {
        let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
        let plan = Arc::new(CampaignPlan::new("org.ex", engine, 10));
        let mut campaign = CampaignState::new(CampaignId(1), String::new(), String::new(), plan);
        campaign.runs[0].phase = CampaignPhase::Running;
        let mut held = HeldCards::default();
        campaign.found = cards(&[("first", &["a", "b"])]);
        held.follow(&campaign, false);
        // A better trace comes first now, another is worse than both, and there is another bug.
        campaign.found = cards(&[("other", &["d"]), ("better", &["c", "b", "a"])]);
        assert_eq!(held.follow(&campaign, true), 1, "it waits while the pointer is on the cards");
        held.follow(&campaign, false);
        let words = |title: &str, ids: &[&str]| {
            (title.to_owned(), ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(drawn(&held), [words("first", &["a", "b", "c"]), words("other", &["d"])]);
        campaign.runs[0].phase = CampaignPhase::Ended(EndReason::BudgetSpent);
        held.follow(&campaign, false);
        assert_eq!(drawn(&held), [words("better", &["c", "b", "a"]), words("other", &["d"])]);
    }
}
