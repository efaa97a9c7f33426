//! What is known of a finding, as badges.

use egui::Ui;

use crate::parts::controls::{Tone, badge};
use crate::parts::theme::icon;
use taproof_campaign::{BugClass, Confirmation, Finding, FindingState};

/// Draws the facts about a finding as badges.
pub fn badges_ui(finding: &Finding, ui: &mut Ui) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let state = FindingState::of(finding);
    let (icon, tone) = match state.confirmation {
        Confirmation::Reproduced { .. } => (icon::HELD, Tone::Good),
        Confirmation::Flaky { .. } | Confirmation::Untried => (icon::LOOK, Tone::Warn),
    };
    badge(ui, icon, &state.to_string(), tone).on_hover_text(
        "Its shortest steps were done again, each time on a fresh phone, to see whether it comes back",
    );
    if finding.class() == BugClass::Suspicion {
        let settled = finding.settled_by().unwrap_or_default();
        let tip =
            format!("May be no bug. It rests on this: {}. To settle it: {settled}.", finding.rests_on());
        badge(ui, icon::LOOK, "suspicion", Tone::Warn).on_hover_text(tip);
    }
    if !finding.attribution.is_none() {
        badge(ui, icon::BUG, "planted bug", Tone::Bad).on_hover_text(format!(
            "This app has bugs on purpose, which can be switched off. This is {}: {}.",
            finding.attribution.words(),
            finding.attribution.evidence()
        ));
    }
    if finding.violation.after_drift {
        badge(ui, icon::LOOK, "after an earlier violation", Tone::Warn);
    }
}
