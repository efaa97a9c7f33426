//! Handles the commands about repairing a specification for a new version of its app, and what the repair reports.

use std::sync::Arc;

use super::handle::{run_document, run_trial};
use super::repair_worker::RepairNews;
use super::{DocumentCommand, DocumentId, RepairCommand, RepairState, TrialCommand, edits_to, order_for};
use crate::background::{BackgroundJob, JobId};
use crate::command::Command;
use crate::effect::Effect;
use crate::phone::begin_tests;
use crate::state::{Place, RecordView, StudioState};
use taproof_campaign::Proposed;
use taproof_spec::Spec;
use taproof_spec::repair::Mend;

/// Executes a command about the repair of a specification.
pub(crate) fn run_repair(state: &mut StudioState, command: RepairCommand) -> Vec<Effect> {
    match command {
        RepairCommand::Start(id) => return start_repair(state, id),
        RepairCommand::Choose(function, lost) => {
            state.repair.chosen = (function, lost);
            state.repair.looked_at = None;
        }
        RepairCommand::Show => {
            state.settings.place = Place::Record;
            state.settings.record_view = RecordView::Specification;
            state.documents.shown = state.repair.document.or(state.documents.shown);
            state.repair.asked_for += 1;
        }
        RepairCommand::Look(proposal) => state.repair.looked_at = Some(proposal),
        RepairCommand::Mend => {
            let Some(mend) = state.repair.mend().cloned() else { return Vec::new() };
            return mend_document(state, vec![mend]);
        }
        RepairCommand::MendAll => {
            let report = state.repair.report.clone();
            let mends = report.map_or_else(Vec::new, |report| report.mends());
            return mend_document(state, mends.into_iter().map(|it| it.mend).collect());
        }
        RepairCommand::Try => return try_mend(state),
        RepairCommand::Cancel => return vec![Effect::Cancel(JobId::Repair)],
        RepairCommand::Close => {
            let asked_for = state.repair.asked_for;
            state.repair = RepairState { asked_for, ..RepairState::default() };
            return vec![Effect::Leave(JobId::Repair)];
        }
    }
    Vec::new()
}

fn start_repair(state: &mut StudioState, id: DocumentId) -> Vec<Effect> {
    let target = state.settings.target.clone();
    let Some(document) = state.documents.get(id) else { return Vec::new() };
    let bundled = state.app(&document.app).is_some_and(|app| app.device.is_none());
    let mut order = order_for(document, &target, bundled);
    let then = Command::Repair(RepairCommand::Start(id));
    let begun = begin_tests(state, (&target.app, &order.plan.device), ("checked", "check"), then);
    let Some((first, mut effects)) = begun else { return Vec::new() };
    order.plan.initialiser = first;
    let order = Arc::new(order);
    state.repair.begin(id, Arc::clone(&order));
    let command = state.campaigns.form.command_before(&target.app);
    effects.push(BackgroundJob::Repair(order, command).into());
    effects
}

/// Applies mends to the document, as edits that can be undone. A shipped one is copied first.
fn mend_document(state: &mut StudioState, mends: Vec<Mend>) -> Vec<Effect> {
    let Some(document) = state.repair.document.and_then(|id| state.documents.get(id)) else {
        return Vec::new();
    };
    let mut spec = Spec::clone(&document.spec);
    let uses: usize = mends.iter().map(|mend| mend.apply(&mut spec)).sum();
    let edits = edits_to(&document.spec, &spec);
    if edits.is_empty() {
        state.notify("That was mended already");
        return Vec::new();
    }
    let (mut id, shipped) = (document.id, document.shipped);
    let mut effects = Vec::new();
    for (place, edit) in edits.into_iter().enumerate() {
        effects.extend(run_document(state, DocumentCommand::Edit(id, Box::new(edit))));
        if shipped && place == 0 {
            // The first edit of a shipped document goes to a copy of it, which is shown then.
            id = state.documents.shown.unwrap_or(id);
        }
    }
    state.repair.document = Some(id);
    state.repair.taken.extend(mends);
    state.notify(format!("Mended in {uses} places; Undo takes it back"));
    effects
}

/// Tries the function that is shown with the shown mend.
fn try_mend(state: &mut StudioState) -> Vec<Effect> {
    let Some(document) = state.repair.document.and_then(|id| state.documents.get(id)) else {
        return Vec::new();
    };
    let Some((mend, shown)) = state.repair.mend().zip(state.repair.shown()) else { return Vec::new() };
    let mut spec = Spec::clone(&document.spec);
    let of_function = state.repair.functions.get(state.repair.chosen.0);
    let all = of_function.map_or(&[][..], |function| &function.proposed);
    let others =
        all.iter().enumerate().filter(|(place, it)| *place != state.repair.chosen.1 && it.chosen.is_some());
    // Mends of one function build on one another.
    let (earlier, later): (Vec<_>, Vec<_>) = others.partition(|(place, _)| *place < state.repair.chosen.1);
    let apply = |list: Vec<(usize, &Proposed)>, spec: &mut Spec| {
        list.into_iter().filter_map(|(_, it)| it.best()).for_each(|best| {
            best.mend.apply(spec);
        });
    };
    apply(earlier, &mut spec);
    mend.apply(&mut spec);
    apply(later, &mut spec);
    let Some(dmf) = spec.dmfs.iter().position(|dmf| dmf.name == shown.function) else { return Vec::new() };
    let target = state.settings.target.clone();
    let spec = Arc::new(spec);
    run_trial(state, TrialCommand::Start { spec, dmf, target, lead_up: Vec::new(), held: Vec::new() })
}

/// Takes what the repair reported.
pub(crate) fn take_repair(repair: &mut RepairState, news: RepairNews) {
    match news {
        RepairNews::At(name, index, of) => repair.at = Some((name, index, of)),
        RepairNews::Function(function) => repair.take_function(*function),
        RepairNews::Ended(report) => repair.take_report(*report),
        RepairNews::Failed(problem) => repair.fail(problem),
    }
}
