//! The cards as they are drawn: nothing moves under a pointer. Cards keep the places that they were first drawn at, and new
//! ones come in below them; as long as the pointer is on the cards, new ones wait.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fuzz::{BugCard, BugCards};
use crate::state::CampaignId;

/// The cards that are drawn.
#[derive(Default)]
pub struct HeldCards {
    campaign: Option<CampaignId>,
    cards: Arc<BugCards>,
    /// The place of each finding in the order in which their cards were first drawn.
    order: BTreeMap<String, usize>,
    /// Whether the person has asked for the next change.
    asked: bool,
}

impl HeldCards {
    /// Draws these cards of a campaign from now on, unless they must wait since the pointer is on others of it. Returns
    /// how many cards wait; a card that is only better known is not counted.
    pub fn follow(&mut self, campaign: CampaignId, cards: &Arc<BugCards>, hold: bool) -> usize {
        if self.campaign != Some(campaign) {
            *self = HeldCards { campaign: Some(campaign), ..HeldCards::default() };
        }
        if Arc::ptr_eq(&self.cards, cards) {
            return 0;
        }
        if hold && !self.asked && !self.is_empty() {
            let unknown = cards.carded().filter(|card| self.rank(card).is_none()).count();
            // A card that was split gives two, of findings that are known.
            return unknown.max(cards.count().saturating_sub(self.cards.count()));
        }
        self.take(cards);
        0
    }

    /// Draws these cards from now on, wherever the pointer is.
    pub fn take(&mut self, cards: &Arc<BugCards>) {
        self.cards = Arc::clone(cards);
        self.asked = false;
        let mut known = self.placed(&cards.cards);
        known.extend(self.placed(&cards.more));
        let ids = known.iter().flat_map(|card| &card.findings).map(|finding| finding.id.clone());
        self.order = ids.zip(0..).collect();
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
