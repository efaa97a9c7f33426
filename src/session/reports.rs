//! What reports say of stored findings and campaigns, and the files that they become.

use std::path::Path;

use crate::dates::exact_words;
use crate::shipped_with;
use taproof_phone::Apps;
use taproof_results::report::{
    CampaignFacts, ExportKind, ProgressSink, ReportError, ReportFacts, TicketPicture, export_finding,
    finding_pictures,
};
use taproof_results::store::{StoreError, StoredCampaign, StoredFinding, StoredPlan, replace_file};

/// What reports say of the plan of a campaign that began at this time, in seconds since 1970.
pub fn report_facts(apps: &Apps, stored: &StoredPlan, began: Option<i64>) -> ReportFacts {
    let plan = &stored.plan;
    let specs = stored.spec_facts(&shipped_with(apps, &plan.app));
    let facts = ReportFacts::of(plan, apps.label(&plan.app), specs, stored.spec_version());
    ReportFacts { date: began.map(exact_words).unwrap_or_default(), ..facts }
}

/// What reports say of a finding.
pub fn finding_facts(apps: &Apps, stored: &StoredFinding) -> ReportFacts {
    report_facts(apps, &stored.plan, stored.campaign.began)
}

/// What reports say of a campaign.
pub fn campaign_facts(apps: &Apps, stored: StoredCampaign) -> CampaignFacts {
    CampaignFacts {
        run: report_facts(apps, &stored.plan, stored.began),
        outcome: stored.outcome,
        corrections: stored.corrections,
        suspicions: false,
        crashes_as_failures: false,
    }
}

/// The files of an exported finding: the one that was asked for, and the pictures that lie beside it.
///
/// # Errors
///
/// As [`export_finding`].
pub fn finding_files<'a>(
    stored: &StoredFinding,
    facts: &ReportFacts,
    kind: ExportKind,
    hear: &'a mut ProgressSink<'a>,
) -> Result<(Vec<u8>, Vec<TicketPicture>), ReportError> {
    let file = export_finding(&stored.finding, facts, kind, hear)?;
    let pictures = match kind {
        ExportKind::Markdown => finding_pictures(&stored.finding, facts),
        _ => Vec::new(),
    };
    Ok((file, pictures))
}

/// Writes pictures into the folder that this file is in.
///
/// # Errors
///
/// Fails if they cannot be written.
pub fn write_beside(file: &Path, pictures: &[TicketPicture]) -> Result<(), StoreError> {
    pictures.iter().try_for_each(|picture| replace_file(&file.with_file_name(&picture.name), &picture.png))
}
