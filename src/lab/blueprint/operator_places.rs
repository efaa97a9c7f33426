//! Where each fault operator applies.

use super::operators::Operator;
use super::schema::{Blueprint, Cascade, DeleteFrom, FormWindow, Home, Naming, Shape};

impl Operator {
    /// Whether it can make its mistake in a data type, by its place among [`Blueprint::types`].
    pub(super) fn applies(self, blueprint: &Blueprint, place: usize) -> bool {
        let kind = &blueprint.types[place];
        let (list, form, derived) = (kind.list, kind.form, kind.list.derived);
        let has_page = kind.has_detail();
        let has_second = kind.second_text().is_some();
        let searched = kind.search.is_some();
        let chosen = kind.choice().is_some();
        let brings_back = blueprint.derives() && (kind.delete.undo || kind.delete.trash);
        match self {
            Operator::UpdateLost
            | Operator::DuplicateOnSave
            | Operator::CutOnSave
            | Operator::StaleList
            | Operator::DeletesSimilarName => true,
            Operator::UpdateNotIndexed
            | Operator::DeletedStillFound
            | Operator::SearchIgnoresSymbols
            | Operator::SearchFindsOne
            | Operator::QueryLostOnCall => searched,
            Operator::FieldLostOnSave => has_second && has_page,
            Operator::DeletesByPosition => list.sort && kind.delete.from == DeleteFrom::RowMenu,
            Operator::UndoLost => kind.delete.undo,
            Operator::UndoLosesField => kind.delete.undo && has_second && has_page,
            Operator::RestoreLost => kind.delete.trash,
            Operator::OpensByPosition | Operator::OrderByCase | Operator::OrderIgnored => list.sort,
            Operator::FilterIgnored | Operator::StarsLostOnAdd => list.star,
            Operator::OverwritesOtherCase => !kind.unique,
            Operator::DateSlips => kind.field_of(Shape::Date).is_some() && has_page,
            Operator::ResetWipes => !blueprint.settings.is_empty(),
            Operator::CrashOnEmpty => !form.autosave && form.window != FormWindow::Wizard,
            Operator::CrashOnRotation | Operator::DraftLostOnRotation | Operator::DraftLostOnDeath => {
                form.window != FormWindow::Dialog
            }
            Operator::CrashOnBack => form.asks,
            Operator::CrashOnDark => has_page,
            Operator::SearchHangs => searched && kind.delete.trash,
            Operator::CountStale => list.count,
            Operator::ButtonsVanish => searched && list.sort,
            Operator::NeighbourAfterEdit => kind.shipped.len() > 3,
            Operator::NeighbourStarAfterSearch => searched && list.star,
            Operator::FilterLostOnSettings => place == 0 && list.star && !blueprint.settings.is_empty(),
            Operator::CascadeMissing | Operator::CascadeTooWide => {
                kind.owner.is_some_and(|owner| owner.deletion == Cascade::Delete)
            }
            Operator::OwnerLostOnEdit => kind.owner.is_some(),
            Operator::LimitsIgnored => kind.number().is_some(),
            Operator::ArrivalReplaces => !kind.arrivals.is_empty(),
            Operator::OpensFirstOfRow => list.grid || list.landscape_grid,
            Operator::CrashOnDenial => form.permission.is_some(),
            Operator::TabLostOnRotation => kind.page.tabs,
            Operator::BlankAfterChoice | Operator::LockedByChoice => chosen && has_page,
            Operator::CrashOnTick => has_second && kind.field_of(Shape::Check).is_some(),
            Operator::CrashOnNext => {
                let typed = kind.fields.iter().filter(|field| field.shape.is_typed()).count();
                form.window != FormWindow::Wizard && typed > 1
            }
            Operator::CrashOnZoom => kind.page.zoom,
            Operator::NavigationVanishes => {
                blueprint.home == Home::Drawer && blueprint.types.len() > 1 && searched
            }
            Operator::StarListStale => list.star && has_page,
            Operator::NeighbourOfChoice => chosen,
            Operator::MarkStays => kind.play.is_some(),
            Operator::HistoryMisses => kind.play.is_some_and(|play| play.history) && has_second,
            Operator::CrashOnHistoryPress => kind.play.is_some_and(|play| play.history),
            Operator::PlayerDead => kind.play.is_some_and(|play| play.browser),
            Operator::BlockedStillShown => kind.block && blueprint.members_of(place).next().is_some(),
            Operator::UnblockStale | Operator::ClearLeavesOne => kind.block,
            Operator::RefreshHangs => list.refresh && blueprint.types.iter().any(|kind| kind.block),
            Operator::ConverterForgets => place == 0 && blueprint.converter.is_some(),
            // Without ids, what is shown beside a list cannot be told from its rows.
            Operator::PaneStale => list.panes && blueprint.naming != Naming::Descriptions,
            Operator::OpenedLostOnRotation => list.panes,
            Operator::OrderLostOnLanguage => blueprint.translated && list.sort,
            Operator::FilterLostOnLanguage => blueprint.translated && list.star,
            Operator::CountStaleOnRestore => brings_back && list.count,
            Operator::TotalStaleOnEdit | Operator::TotalStaleOnDelete => derived.total,
            Operator::TotalStaleOnRestore => brings_back && derived.total,
            Operator::StarCountStale => derived.stars,
            Operator::StarCountStaleOnPage => derived.stars && has_page,
            Operator::MembersStale => blueprint.derives() && blueprint.owner_of(place).is_some(),
            Operator::PageStale => blueprint.derives() && has_page,
            Operator::OrderStaleOnEdit => derived.ordered,
        }
    }
}
