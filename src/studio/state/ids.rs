//! How campaigns and findings are named across the places.

/// A campaign of this window, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CampaignId(pub u32);

/// The permanent key of a finding: its campaign's row in the workspace, and its name there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingKey {
    /// The campaign's row in the workspace.
    pub campaign: i64,
    /// The finding's name within the campaign.
    pub name: String,
}
