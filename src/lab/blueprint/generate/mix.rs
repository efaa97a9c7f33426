//! How often each operator is drawn for a judging run, by the kinds of bugs that the papers published.
//!
//! The counts were fixed before any engine was run on judged apps, and are not changed by what engines find.

use crate::Operator;

/// A kind of bug, how often the papers report it, and the operators that make it.
#[derive(Clone, Copy, Debug)]
pub struct BugKind {
    /// What goes wrong.
    pub name: &'static str,
    /// Number of bugs of this kind that the papers of PBFDroid, Genie and ODIN report of apps like the bundled ones.
    pub published: u32,
    /// The operators that make such bugs.
    pub operators: &'static [Operator],
}

/// The kinds of 40 bugs that papers report of apps like the bundled ones: of the 37 that these have, and of three in the
/// apps that Tasks is modelled on (tasks-*), which it had when the counts were fixed.
pub const OPERATOR_MIX: [BugKind; 9] = [
    // notes-rename-question-mark, tasks-duplicate-tag, cards-cloze-locked, diary-abandoned-new, files-rename-on-results
    kind(
        "a change is lost or goes to another place",
        5,
        &[
            Operator::UpdateLost,
            Operator::DuplicateOnSave,
            Operator::FieldLostOnSave,
            Operator::CutOnSave,
            Operator::OwnerLostOnEdit,
            Operator::LockedByChoice,
            Operator::LimitsIgnored,
            Operator::DateSlips,
        ],
    ),
    // notes-rename-case-overwrite, notes-create-same-title, cards-reset-wipes, diary-undo-delete
    kind(
        "data are lost by something else",
        4,
        &[
            Operator::OverwritesOtherCase,
            Operator::ResetWipes,
            Operator::ArrivalReplaces,
            Operator::CascadeTooWide,
            Operator::UndoLost,
            Operator::UndoLosesField,
            Operator::RestoreLost,
        ],
    ),
    // diary-wrong-picture, budget-delete-wrong-row
    kind(
        "the wrong object is deleted or opened",
        2,
        &[
            Operator::DeletesByPosition,
            Operator::DeletesSimilarName,
            Operator::OpensByPosition,
            Operator::OpensFirstOfRow,
        ],
    ),
    // notes-search-root, notes-deleted-still-found, files-results-order, tasks-search-again, tasks-filter-by-date,
    // reader-symbols-ignored, radio-history-misses, cards-wrong-template-blank, tube-clear-blocked,
    // tube-blocked-still-shown
    kind(
        "a list, search or filter shows too much, too little or in the wrong order",
        10,
        &[
            Operator::DeletedStillFound,
            Operator::CascadeMissing,
            Operator::OrderByCase,
            Operator::OrderIgnored,
            Operator::FilterIgnored,
            Operator::SearchIgnoresSymbols,
            Operator::SearchFindsOne,
            Operator::HistoryMisses,
            Operator::BlankAfterChoice,
            Operator::ClearLeavesOne,
            Operator::BlockedStillShown,
        ],
    ),
    // cards-list-stale, tube-unblock-delay, reader-rename-search-delay, schedule-bookmark-stale
    kind(
        "what is shown is not renewed",
        4,
        &[
            Operator::StaleList,
            Operator::UpdateNotIndexed,
            Operator::UnblockStale,
            Operator::StarListStale,
            Operator::PaneStale,
        ],
    ),
    // notes-rotate-after-search, notes-rotate-while-editing, diary-rotate-bad-date, cards-empty-media,
    // radio-history-longpress, radio-next-key, reader-rotate-zoom
    kind(
        "the app ends",
        7,
        &[
            Operator::CrashOnEmpty,
            Operator::CrashOnRotation,
            Operator::CrashOnBack,
            Operator::CrashOnDark,
            Operator::CrashOnDenial,
            Operator::CrashOnTick,
            Operator::CrashOnNext,
            Operator::CrashOnZoom,
            Operator::CrashOnHistoryPress,
        ],
    ),
    // files-search-hidden, tube-refresh-forever
    kind("the app loads forever", 2, &[Operator::SearchHangs, Operator::RefreshHangs]),
    // radio-playing-mark, tube-player-dead, budget-converter-forgets, schedule-menu-vanishes
    kind(
        "a view elsewhere is taken away, added or dead (Genie's)",
        4,
        &[
            Operator::StarsLostOnAdd,
            Operator::CountStale,
            Operator::ButtonsVanish,
            Operator::NavigationVanishes,
            Operator::MarkStays,
            Operator::PlayerDead,
            Operator::ConverterForgets,
        ],
    ),
    // diary-long-press-minority, schedule-track-minority
    kind(
        "a minority outcome under a hidden state (ODIN's)",
        2,
        &[Operator::NeighbourAfterEdit, Operator::NeighbourStarAfterSearch, Operator::NeighbourOfChoice],
    ),
];

const fn kind(name: &'static str, published: u32, operators: &'static [Operator]) -> BugKind {
    BugKind { name, published, operators }
}

impl Operator {
    /// The kind of published bugs that it makes. `None` for operators of Keep's and of agreement, of which the papers report none: they are
    /// judged by themselves.
    pub fn published_kind(self) -> Option<&'static BugKind> {
        OPERATOR_MIX.iter().find(|kind| kind.operators.contains(&self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blueprint, Size};
    use taproof_phone::Oracle;

    #[test]
    fn each_operator_is_of_one_kind() {
        assert_eq!(OPERATOR_MIX.iter().map(|kind| kind.published).sum::<u32>(), 40);
        for operator in Operator::ALL {
            let kinds = OPERATOR_MIX.iter().filter(|kind| kind.operators.contains(&operator)).count();
            let plain = (1..200).map(|seed| Blueprint::generate(seed, Size::Medium));
            let derived = (1..200).map(|seed| Blueprint::generate(seed, Size::Medium).with_derived(seed));
            let faults = plain.chain(derived).flat_map(|it| it.faults());
            let fault = faults.into_iter().find(|fault| fault.operator == operator).unwrap();
            let of_keep = matches!(fault.oracle, Oracle::Preservation | Oracle::Agreement);
            assert_eq!(kinds, usize::from(!of_keep), "{}", operator.name());
            assert_eq!(operator.published_kind().is_none(), of_keep, "{}", operator.name());
        }
    }
}
