//! Fault operators: each makes one kind of mistake that real apps made, wherever a blueprint has a place for it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schema::{Blueprint, Cascade, DataType, FormWindow, Home, KnownBug, Shape, Word};
use crate::{Bug, BugSet, Crash, Oracle};

/// A kind of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Saving a change keeps the old name.
    UpdateLost,
    /// Saving a change does not reach the index of the search.
    UpdateNotIndexed,
    /// Saving a change adds a second object.
    DuplicateOnSave,
    /// Saving drops a field beyond the name.
    FieldLostOnSave,
    /// Saving cuts long names.
    CutOnSave,
    /// The list shows the old name until the next start.
    StaleList,
    /// The row that a menu acts on is counted in the order in which objects were added.
    DeletesByPosition,
    /// Deleting takes the first object whose name contains the name.
    DeletesSimilarName,
    /// A deleted object is still found.
    DeletedStillFound,
    /// Undoing a deletion does nothing.
    UndoLost,
    /// Undoing a deletion restores the name only.
    UndoLosesField,
    /// Restoring from the trash only empties the trash.
    RestoreLost,
    /// A tap on a row opens the object that stands there in the order of adding.
    OpensByPosition,
    /// The order by name puts capital letters first.
    OrderByCase,
    /// The menu of orders does nothing.
    OrderIgnored,
    /// The filter for stars shows everything.
    FilterIgnored,
    /// The search leaves symbols out of its text.
    SearchIgnoresSymbols,
    /// The search finds nothing below the first object that it finds.
    SearchFindsOne,
    /// A new object replaces one whose name differs in case only.
    OverwritesOtherCase,
    /// A date on one of the last days of a month is saved as one of the next month.
    DateSlips,
    /// Resetting the settings deletes the objects.
    ResetWipes,
    /// Saving without a name ends the app.
    CrashOnEmpty,
    /// Turning the phone in the form ends the app.
    CrashOnRotation,
    /// Back while something is saved ends the app.
    CrashOnBack,
    /// The dark theme ends the app on the page of an object.
    CrashOnDark,
    /// The search never ends while something is in the trash.
    SearchHangs,
    /// Adding an object takes the stars of others away.
    StarsLostOnAdd,
    /// The number of objects is not renewed when one is deleted.
    CountStale,
    /// The second search takes the button of the menu away.
    ButtonsVanish,
    /// After a change, a tap on a row below the changed one opens the row above.
    NeighbourAfterEdit,
    /// After the search was used, a star goes to the next row.
    NeighbourStarAfterSearch,
    /// Turning the phone empties a field of the form.
    DraftLostOnRotation,
    /// The end of the process in the background empties a field of the form.
    DraftLostOnDeath,
    /// A call that comes in empties the search.
    QueryLostOnCall,
    /// The filter is off after the settings were looked at.
    FilterLostOnSettings,
    /// Deleting an owner leaves what belongs to it.
    CascadeMissing,
    /// Deleting an owner deletes what belongs to others, too.
    CascadeTooWide,
    /// A change takes the object away from its owner.
    OwnerLostOnEdit,
    /// Numbers outside of the limits are saved.
    LimitsIgnored,
    /// What arrives by itself takes the place of what was made last.
    ArrivalReplaces,
    /// On its side, the phone opens the left one of two cards.
    OpensFirstOfRow,
    /// Denying a permission ends the app.
    CrashOnDenial,
    /// Turning the phone goes back to the first tab.
    TabLostOnRotation,
    /// An object for which something else than the first choice was chosen is shown empty.
    BlankAfterChoice,
    /// An object with the last choice cannot be changed any more.
    LockedByChoice,
    /// Saving with a box ticked and the field for a text empty ends the app.
    CrashOnTick,
    /// The key of the keyboard that goes to the next field ends the app.
    CrashOnNext,
    /// Making the texts larger after the phone was turned ends the app.
    CrashOnZoom,
    /// The second search takes the button of the drawer away.
    NavigationVanishes,
    /// The filtered list still shows an object whose star was taken away on its page.
    StarListStale,
    /// A tap on an object with the last choice opens the one above.
    NeighbourOfChoice,
    /// The mark of what is played stays if that was renamed meanwhile.
    MarkStays,
    /// The history misses objects of which no more than the name was entered.
    HistoryMisses,
    /// A long press in the history ends the app.
    CrashOnHistoryPress,
    /// After a look into the browser, the button to play does nothing.
    PlayerDead,
    /// What belongs to a blocked object is still listed.
    BlockedStillShown,
    /// An unblocked object counts as blocked until the next start.
    UnblockStale,
    /// Clearing the list of blocked objects leaves the last one.
    ClearLeavesOne,
    /// Loading the list again never ends while something is blocked.
    RefreshHangs,
    /// The converter forgets the pair after it was swapped.
    ConverterForgets,
}

/// What can see a fault of an operator, its words, and where it applies.
struct Kind {
    operator: Operator,
    name: &'static str,
    oracle: Oracle,
    /// `{noun}`, `{plural}` and `{owner}` are replaced.
    title: &'static str,
    applies: fn(&Blueprint, usize) -> bool,
}

fn of(blueprint: &Blueprint, place: usize) -> &DataType {
    &blueprint.types[place]
}

fn always(_: &Blueprint, _: usize) -> bool {
    true
}

fn first(_: &Blueprint, place: usize) -> bool {
    place == 0
}

fn has_second(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).second_text().is_some()
}

fn searched(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).search.is_some()
}

fn undone(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).delete.undo
}

fn sorted(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).list.sort
}

fn starred(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).list.star
}

fn played(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).play.is_some()
}

fn has_history(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).play.is_some_and(|play| play.history)
}

fn blocked(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).block
}

fn chosen(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).choice().is_some()
}

fn cascades(blueprint: &Blueprint, place: usize) -> bool {
    of(blueprint, place).owner.is_some_and(|owner| owner.deletion == Cascade::Delete)
}

const KINDS: [Kind; 60] = [
    kind(
        Operator::UpdateLost,
        "update-lost",
        Oracle::Property,
        "Renaming a {noun} leaves it as it was",
        always,
    ),
    kind(
        Operator::UpdateNotIndexed,
        "update-not-indexed",
        Oracle::Property,
        "A renamed {noun} is found by its old name only",
        searched,
    ),
    kind(
        Operator::DuplicateOnSave,
        "duplicate-on-save",
        Oracle::Property,
        "Changing a {noun} adds a second one",
        always,
    ),
    kind(
        Operator::FieldLostOnSave,
        "field-lost-on-save",
        Oracle::Property,
        "What is entered about a {noun} beside its name is not saved",
        |blueprint, place| has_second(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(Operator::CutOnSave, "cut-on-save", Oracle::Property, "Long names of {plural} are cut", always),
    kind(
        Operator::StaleList,
        "stale-list",
        Oracle::Property,
        "The list shows the old name of a {noun} until the next start",
        always,
    ),
    kind(
        Operator::DeletesByPosition,
        "deletes-by-position",
        Oracle::Property,
        "After sorting, deleting takes the {noun} that stood there before",
        |blueprint, place| {
            let kind = of(blueprint, place);
            kind.list.sort && kind.delete.from == super::schema::DeleteFrom::RowMenu
        },
    ),
    kind(
        Operator::DeletesSimilarName,
        "deletes-similar-name",
        Oracle::Property,
        "Deleting a {noun} takes the first one whose name contains its name",
        always,
    ),
    kind(
        Operator::DeletedStillFound,
        "deleted-still-found",
        Oracle::Property,
        "A deleted {noun} is still found",
        searched,
    ),
    kind(
        Operator::UndoLost,
        "undo-lost",
        Oracle::Property,
        "Undoing a deletion does not bring the {noun} back",
        undone,
    ),
    kind(
        Operator::UndoLosesField,
        "undo-loses-field",
        Oracle::Property,
        "Undoing a deletion brings back the name of the {noun} only",
        |blueprint, place| {
            undone(blueprint, place) && has_second(blueprint, place) && of(blueprint, place).has_detail()
        },
    ),
    kind(
        Operator::RestoreLost,
        "restore-lost",
        Oracle::Property,
        "Restoring a {noun} from the trash loses it",
        |blueprint, place| of(blueprint, place).delete.trash,
    ),
    kind(
        Operator::OpensByPosition,
        "opens-by-position",
        Oracle::Property,
        "After sorting, a tap opens the {noun} that stood there before",
        sorted,
    ),
    kind(
        Operator::OrderByCase,
        "order-by-case",
        Oracle::Property,
        "The order by name puts {plural} with capital letters first",
        sorted,
    ),
    kind(
        Operator::OrderIgnored,
        "order-ignored",
        Oracle::Property,
        "The order of {plural} cannot be changed",
        sorted,
    ),
    kind(
        Operator::FilterIgnored,
        "filter-ignored",
        Oracle::Property,
        "The filter shows {plural} without a star, too",
        starred,
    ),
    kind(
        Operator::SearchIgnoresSymbols,
        "search-ignores-symbols",
        Oracle::Property,
        "The search for {plural} leaves symbols out of its text",
        searched,
    ),
    kind(
        Operator::SearchFindsOne,
        "search-finds-one",
        Oracle::Property,
        "The search finds one {noun} at most",
        searched,
    ),
    kind(
        Operator::OverwritesOtherCase,
        "overwrites-other-case",
        Oracle::Property,
        "A new {noun} replaces one whose name differs in case only",
        |blueprint, place| !of(blueprint, place).unique,
    ),
    kind(
        Operator::DateSlips,
        "date-slips",
        Oracle::Property,
        "A day at the end of a month is saved as one of the next month",
        |blueprint, place| {
            let kind = of(blueprint, place);
            kind.field_of(Shape::Date).is_some() && kind.has_detail()
        },
    ),
    kind(
        Operator::ResetWipes,
        "reset-wipes",
        Oracle::Property,
        "Resetting the settings deletes all {plural}",
        |blueprint, _| !blueprint.settings.is_empty(),
    ),
    kind(
        Operator::CrashOnEmpty,
        "crash-on-empty",
        Oracle::Crash,
        "Saving a {noun} without a name ends the app",
        |blueprint, place| {
            let form = of(blueprint, place).form;
            !form.autosave && form.window != FormWindow::Wizard
        },
    ),
    kind(
        Operator::CrashOnRotation,
        "crash-on-rotation",
        Oracle::Crash,
        "Turning the phone while a {noun} is edited ends the app",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::CrashOnBack,
        "crash-on-back",
        Oracle::Crash,
        "Leaving the form of a {noun} with a field left empty ends the app",
        |blueprint, place| of(blueprint, place).form.asks,
    ),
    kind(
        Operator::CrashOnDark,
        "crash-on-dark",
        Oracle::Crash,
        "The dark theme ends the app while a {noun} is shown",
        |blueprint, place| of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::SearchHangs,
        "search-hangs",
        Oracle::Crash,
        "The search never ends while a {noun} is in the trash",
        |blueprint, place| searched(blueprint, place) && of(blueprint, place).delete.trash,
    ),
    kind(
        Operator::StarsLostOnAdd,
        "stars-lost-on-add",
        Oracle::Genie,
        "Adding a {noun} takes the star of another away",
        starred,
    ),
    kind(
        Operator::CountStale,
        "count-stale",
        Oracle::Genie,
        "The number of {plural} is not renewed when one is deleted",
        |blueprint, place| of(blueprint, place).list.count,
    ),
    kind(
        Operator::ButtonsVanish,
        "buttons-vanish",
        Oracle::Genie,
        "After a second search, the list of {plural} has no button to sort any more",
        |blueprint, place| searched(blueprint, place) && sorted(blueprint, place),
    ),
    kind(
        Operator::NeighbourAfterEdit,
        "neighbour-after-edit",
        Oracle::Odin,
        "After a change, a tap on a {noun} opens the one above",
        |blueprint, place| of(blueprint, place).shipped.len() > 3,
    ),
    kind(
        Operator::NeighbourStarAfterSearch,
        "neighbour-star-after-search",
        Oracle::Odin,
        "After a search, the star of a {noun} goes to the next one",
        |blueprint, place| searched(blueprint, place) && starred(blueprint, place),
    ),
    kind(
        Operator::DraftLostOnRotation,
        "draft-lost-on-rotation",
        Oracle::Preservation,
        "Turning the phone empties what was typed about a {noun}",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::DraftLostOnDeath,
        "draft-lost-on-death",
        Oracle::Preservation,
        "The end of the process in the background empties what was typed about a {noun}",
        |blueprint, place| of(blueprint, place).form.window != FormWindow::Dialog,
    ),
    kind(
        Operator::QueryLostOnCall,
        "query-lost-on-call",
        Oracle::Preservation,
        "A call empties the search for {plural}",
        searched,
    ),
    kind(
        Operator::FilterLostOnSettings,
        "filter-lost-on-settings",
        Oracle::Preservation,
        "A look at the settings ends the filter of {plural}",
        |blueprint, place| {
            first(blueprint, place) && starred(blueprint, place) && !blueprint.settings.is_empty()
        },
    ),
    kind(
        Operator::CascadeMissing,
        "cascade-missing",
        Oracle::Property,
        "Deleting a {owner} leaves its {plural}",
        cascades,
    ),
    kind(
        Operator::CascadeTooWide,
        "cascade-too-wide",
        Oracle::Property,
        "Deleting a {owner} deletes the {plural} of all others, too",
        cascades,
    ),
    kind(
        Operator::OwnerLostOnEdit,
        "owner-lost-on-edit",
        Oracle::Property,
        "Changing a {noun} takes it away from its {owner}",
        |blueprint, place| of(blueprint, place).owner.is_some(),
    ),
    kind(
        Operator::LimitsIgnored,
        "limits-ignored",
        Oracle::Property,
        "Numbers of a {noun} outside of the limits are saved",
        |blueprint, place| of(blueprint, place).number().is_some(),
    ),
    kind(
        Operator::ArrivalReplaces,
        "arrival-replaces",
        Oracle::Property,
        "A {noun} that arrives by itself takes the place of the last one that was made",
        |blueprint, place| !of(blueprint, place).arrivals.is_empty(),
    ),
    kind(
        Operator::OpensFirstOfRow,
        "opens-first-of-row",
        Oracle::Property,
        "While the phone lies on its side, a tap opens the {noun} at the left",
        |blueprint, place| {
            let list = of(blueprint, place).list;
            list.grid || list.landscape_grid
        },
    ),
    kind(
        Operator::CrashOnDenial,
        "crash-on-denial",
        Oracle::Crash,
        "Denying the permission to make a {noun} ends the app",
        |blueprint, place| of(blueprint, place).form.permission.is_some(),
    ),
    kind(
        Operator::TabLostOnRotation,
        "tab-lost-on-rotation",
        Oracle::Preservation,
        "Turning the phone goes back to the first tab of a {noun}",
        |blueprint, place| of(blueprint, place).page.tabs,
    ),
    kind(
        Operator::BlankAfterChoice,
        "blank-after-choice",
        Oracle::Property,
        "A {noun} with another choice than the first one is shown empty",
        |blueprint, place| chosen(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::LockedByChoice,
        "locked-by-choice",
        Oracle::Property,
        "A {noun} with the last choice cannot be changed any more",
        |blueprint, place| chosen(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::CrashOnTick,
        "crash-on-tick",
        Oracle::Crash,
        "Saving a {noun} with a box ticked and no text ends the app",
        |blueprint, place| {
            has_second(blueprint, place) && of(blueprint, place).field_of(Shape::Check).is_some()
        },
    ),
    kind(
        Operator::CrashOnNext,
        "crash-on-next",
        Oracle::Crash,
        "The key for the next field ends the app while a {noun} is edited",
        |blueprint, place| {
            let kind = of(blueprint, place);
            let typed = kind.fields.iter().filter(|field| field.shape.is_typed()).count();
            kind.form.window != FormWindow::Wizard && typed > 1
        },
    ),
    kind(
        Operator::CrashOnZoom,
        "crash-on-zoom",
        Oracle::Crash,
        "Making the texts of a {noun} larger after turning the phone ends the app",
        |blueprint, place| of(blueprint, place).page.zoom,
    ),
    kind(
        Operator::NavigationVanishes,
        "navigation-vanishes",
        Oracle::Genie,
        "After a second search, the list of {plural} has no button for the drawer any more",
        |blueprint, place| {
            let drawer = blueprint.home == Home::Drawer && blueprint.types.len() > 1;
            drawer && searched(blueprint, place)
        },
    ),
    kind(
        Operator::StarListStale,
        "star-list-stale",
        Oracle::Property,
        "The filter still shows a {noun} whose star was taken away on its page",
        |blueprint, place| starred(blueprint, place) && of(blueprint, place).has_detail(),
    ),
    kind(
        Operator::NeighbourOfChoice,
        "neighbour-of-choice",
        Oracle::Odin,
        "A tap on a {noun} with the last choice opens the one above",
        chosen,
    ),
    kind(
        Operator::MarkStays,
        "mark-stays",
        Oracle::Genie,
        "The mark of a {noun} that was renamed while it was played stays",
        played,
    ),
    kind(
        Operator::HistoryMisses,
        "history-misses",
        Oracle::Property,
        "A {noun} without more than a name is missing from the history",
        |blueprint, place| has_history(blueprint, place) && has_second(blueprint, place),
    ),
    kind(
        Operator::CrashOnHistoryPress,
        "crash-on-history-press",
        Oracle::Crash,
        "A long press in the history of {plural} ends the app",
        has_history,
    ),
    kind(
        Operator::PlayerDead,
        "player-dead",
        Oracle::Genie,
        "After a look into the browser, a {noun} can be neither played nor stopped",
        |blueprint, place| of(blueprint, place).play.is_some_and(|play| play.browser),
    ),
    kind(
        Operator::BlockedStillShown,
        "blocked-still-shown",
        Oracle::Property,
        "What belongs to a blocked {noun} is still listed",
        |blueprint, place| blocked(blueprint, place) && blueprint.members_of(place).next().is_some(),
    ),
    kind(
        Operator::UnblockStale,
        "unblock-stale",
        Oracle::Property,
        "An unblocked {noun} is shown as blocked until the next start",
        blocked,
    ),
    kind(
        Operator::ClearLeavesOne,
        "clear-leaves-one",
        Oracle::Property,
        "Clearing the list of blocked {plural} leaves the last one blocked",
        blocked,
    ),
    kind(
        Operator::RefreshHangs,
        "refresh-hangs",
        Oracle::Crash,
        "The list of {plural} loads forever while something is blocked",
        |blueprint, place| of(blueprint, place).list.refresh && blueprint.types.iter().any(|kind| kind.block),
    ),
    kind(
        Operator::ConverterForgets,
        "converter-forgets",
        Oracle::Genie,
        "The converter forgets a pair that was swapped",
        |blueprint, place| first(blueprint, place) && blueprint.converter.is_some(),
    ),
];

const fn kind(
    operator: Operator,
    name: &'static str,
    oracle: Oracle,
    title: &'static str,
    applies: fn(&Blueprint, usize) -> bool,
) -> Kind {
    Kind { operator, name, oracle, title, applies }
}

/// A mistake at one place of a blueprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of mistake.
    pub operator: Operator,
    /// The data type that it is about, by its place among [`Blueprint::types`].
    pub data_type: usize,
    /// Its id, such as `cards-stale-list-deck`.
    pub id: &'static str,
    /// What can see it.
    pub oracle: Oracle,
}

impl Blueprint {
    /// The bugs of the app: those that it is known for, or every place at which an operator applies, in the order of
    /// the operators.
    pub fn faults(&self) -> Vec<Fault> {
        if !self.bugs.is_empty() {
            return self.bugs.iter().filter_map(|bug| self.known_fault(bug)).collect();
        }
        self.possible_faults()
    }

    fn known_fault(&self, bug: &KnownBug) -> Option<Fault> {
        let data_type = self.types.iter().position(|kind| kind.noun == bug.noun)?;
        let oracle = bug.operator.kind().oracle;
        Some(Fault { operator: bug.operator, data_type, id: bug.id.0, oracle })
    }

    /// Whether a bug is at a place where such a mistake can be.
    pub(super) fn is_possible(&self, bug: &KnownBug) -> bool {
        self.known_fault(bug).is_some_and(|fault| (bug.operator.kind().applies)(self, fault.data_type))
    }

    fn possible_faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        for kind in &KINDS {
            for data_type in (0..self.types.len()).filter(|place| (kind.applies)(self, *place)) {
                let noun = super::names::identifier(self.types[data_type].noun.0);
                let id = Word::keep(format!("{}-{}-{noun}", self.name, kind.name)).0;
                faults.push(Fault { operator: kind.operator, data_type, id, oracle: kind.oracle });
            }
        }
        faults
    }

    /// The faults as the bugs of a manifest.
    pub(super) fn bugs(&self) -> Vec<Bug> {
        let bug = |fault: Fault| {
            let kind = fault.operator.kind();
            let data_type = &self.types[fault.data_type];
            let owner = data_type.owner.map_or("", |owner| owner.noun.0);
            let title = kind.title.replace("{noun}", data_type.noun.0).replace("{owner}", owner);
            let title = title.replace("{plural}", data_type.plural.0);
            let title = taproof_core::model::upper_first(&title);
            let known = self.bugs.iter().find(|bug| bug.id.0 == fault.id);
            let title = known.map_or_else(|| Word::keep(title), |bug| bug.title).0;
            let paper = known.map_or("", |bug| bug.paper.0);
            Bug { oracles: std::slice::from_ref(&kind.oracle), paper, ..Bug::new(fault.id, title) }
        };
        self.faults().into_iter().map(bug).collect()
    }

    /// The faults that are switched on.
    pub(super) fn faults_of(&self, bugs: &BugSet) -> Vec<(Operator, usize)> {
        let on = self.faults().into_iter().filter(|fault| bugs.has(fault.id));
        on.map(|fault| (fault.operator, fault.data_type)).collect()
    }
}

impl Serialize for Operator {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Operator {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Operator, D::Error> {
        let name = String::deserialize(from)?;
        let known = Operator::ALL.into_iter().find(|operator| operator.name() == name);
        known.ok_or_else(|| serde::de::Error::custom(format!("there is no operator \"{name}\"")))
    }
}

impl Operator {
    /// The name as it stands in ids, such as `stale-list`.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// All operators, in the order of their declaration.
    pub const ALL: [Operator; KINDS.len()] = {
        let mut all = [Operator::UpdateLost; KINDS.len()];
        let mut place = 0;
        while place < KINDS.len() {
            all[place] = KINDS[place].operator;
            place += 1;
        }
        all
    };

    /// The exception with which it ends the app. Each operator has a stack of its own, by which crashes are told apart.
    pub(super) fn crash(self) -> Crash {
        let stack: &[&str] = match self {
            Operator::CrashOnEmpty => &["org.taproof.blueprint.Form.onSave(Form.java:88)"],
            Operator::CrashOnRotation => &["org.taproof.blueprint.Form.onRestoreState(Form.java:41)"],
            Operator::CrashOnBack => &["org.taproof.blueprint.Form.onBackPressed(Form.java:112)"],
            Operator::CrashOnDenial => &["org.taproof.blueprint.Permission.onAnswer(Permission.java:33)"],
            Operator::CrashOnTick => &["org.taproof.blueprint.Form.onSave(Form.java:96)"],
            Operator::CrashOnNext => &["org.taproof.blueprint.Form.onEditorAction(Form.java:154)"],
            Operator::CrashOnHistoryPress => &["org.taproof.blueprint.History.onLongPress(History.java:52)"],
            Operator::CrashOnZoom => &["org.taproof.blueprint.Detail.onZoom(Detail.java:63)"],
            Operator::CrashOnDark => &["org.taproof.blueprint.Detail.onCreate(Detail.java:27)"],
            _ => &[],
        };
        Crash { exception: "java.lang.IllegalStateException", message: "the object is not there", stack }
    }

    fn kind(self) -> &'static Kind {
        debug_assert_eq!(KINDS[self as usize].operator, self);
        &KINDS[self as usize]
    }
}
