//! The cards as they are drawn: nothing moves under a pointer. Cards keep the places that they were first drawn at, and new
//! ones come in below them; as long as the pointer is on the cards, new ones wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fuzz::{BugCard, BugCards, CampaignState};
use crate::state::CampaignId;
use taproof_core::campaign::Finding;

/// The cards that are drawn.
#[derive(Default)]
pub struct HeldCards {
    campaign: Option<CampaignId>,
    cards: Arc<BugCards>,
    /// The campaign's own cards that these were made of, and whether it ran at that time.
    taken: Option<Arc<BugCards>>,
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
        let cards = &campaign.bugs;
        let known = self.taken.as_ref().is_some_and(|taken| Arc::ptr_eq(taken, cards));
        if known && self.alive == campaign.alive() {
            return 0;
        }
        if hold && !self.asked && !self.is_empty() {
            let unknown = cards.carded().filter(|card| self.rank(card).is_none()).count();
            // A card that was split gives two, of findings that are known.
            return unknown.max(cards.count().saturating_sub(self.cards.count()));
        }
        self.take(campaign);
        0
    }

    /// Draws the cards of a campaign from now on, wherever the pointer is. While it runs, a card keeps what it was first
    /// drawn with, as long as the person does not change it.
    pub fn take(&mut self, campaign: &CampaignState) {
        (self.taken, self.alive) = (Some(Arc::clone(&campaign.bugs)), campaign.alive());
        let keeps = self.alive && !self.asked;
        self.cards = match keeps {
            true => Arc::new(self.kept(&campaign.bugs)),
            false => Arc::clone(&campaign.bugs),
        };
        self.asked = false;
        let cards = Arc::clone(&self.cards);
        let mut known = self.placed(&cards.cards);
        known.extend(self.placed(&cards.more));
        let ids = known.iter().flat_map(|card| &card.findings).map(|finding| finding.id.clone());
        self.order = ids.zip(0..).collect();
    }

    /// These cards, with those that are drawn already as they are drawn.
    fn kept(&self, cards: &BugCards) -> BugCards {
        let kept = |cards: &[BugCard]| cards.iter().map(|card| self.kept_card(card)).collect();
        BugCards { cards: kept(&cards.cards), more: kept(&cards.more), unsure: cards.unsure.clone() }
    }

    fn kept_card(&self, card: &BugCard) -> BugCard {
        let of = |finding: &Arc<Finding>| card.findings.iter().any(|one| one.id == finding.id);
        let same = |drawn: &&BugCard| drawn.findings.first().is_some_and(|first| first.finished && of(first));
        let Some(drawn) = self.cards.carded().find(same) else { return card.clone() };
        let known = |finding: &&Arc<Finding>| drawn.findings.iter().all(|one| one.id != finding.id);
        let mut findings: Vec<_> = drawn.findings.iter().filter(|finding| of(finding)).cloned().collect();
        findings.extend(card.findings.iter().filter(known).cloned());
        BugCard { findings, ..drawn.clone() }
    }

    /// Draws the next change at once, since the person asked for it on a card.
    pub fn expect_change(&mut self) {
        self.asked = true;
    }

    /// Puts the worst first again.
    pub fn sort(&mut self) {
        self.order.clear();
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.cards.count() == 0 && self.cards.unsure.is_empty()
    }

    /// The cards with their places.
    pub fn cards(&self) -> &BugCards {
        &self.cards
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
