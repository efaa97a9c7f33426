//! How the widgets of an app are named. Its views and its specification ask the same table, so they agree.

use taproof_screen::upper_first;

use super::translation::{HINT, LIMITS};
use crate::schema::{Blueprint, DataType, Field, Naming, Shape};
use taproof_phone::HIDDEN_ID;

/// A widget that a blueprint's app has for each of its data types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The list, or the grid.
    List,
    /// A row of the list.
    Row,
    /// The name of an object in its row.
    RowTitle,
    /// The line below it.
    RowNote,
    /// The button that opens the menu of a row.
    RowMenu,
    /// The star of a row.
    RowStar,
    /// The number of objects.
    Count,
    /// The round button that makes an object.
    New,
    /// Opens the menu of orders.
    Sort,
    /// Shows those with a star only, or all.
    Starred,
    /// Opens the search.
    Search,
    /// Selects all rows.
    SelectAll,
    /// Deletes what is selected.
    DeleteSelected,
    /// Opens the form of the object that is shown.
    Edit,
    /// Deletes the object that is shown.
    Delete,
    /// The name of the object that is shown.
    Title,
    /// Saves what was entered.
    Save,
    /// Goes on to the next page of a wizard.
    Next,
    /// The field of the search.
    Query,
    /// The list of what was found.
    Results,
    /// The name of an object that was found.
    Result,
    /// The list of deleted objects.
    Trashed,
    /// The name of a deleted object.
    TrashTitle,
    /// Restores a deleted object.
    Restore,
    /// Deletes an object for good.
    Erase,
    /// The name of an object on the page of its owner.
    Member,
    /// Makes an object that belongs to the one that is shown.
    AddMember,
    /// Opens the choice of an owner.
    Choose,
    /// The name of an object that can be chosen as the owner.
    Choice,
    /// Gives the object that is shown a star, or takes it away.
    PageStar,
    /// Makes the texts larger.
    Larger,
    /// Makes the texts smaller.
    Smaller,
    /// Plays the object of a row, or stops that.
    RowPlay,
    /// Plays the object that is shown, or stops that.
    Play,
    /// Marks the row of the object that is played.
    Mark,
    /// The name of an object that was played.
    Played,
    /// Opens the page of an object in a browser.
    Browser,
    /// Blocks the object that is shown, or unblocks it.
    Block,
    /// Whether the object that is shown is blocked.
    Status,
    /// The name of a blocked object.
    Blocked,
    /// Unblocks one of those that are blocked.
    Unblock,
    /// Unblocks all.
    ClearBlocked,
    /// Loads the list again.
    Refresh,
    /// Whether the object that is shown is played.
    Player,
    /// The sum of the numbers of a list.
    Total,
    /// Their mean.
    Average,
    /// How many objects have a star.
    Stars,
    /// The number of an object in its row.
    RowNumber,
    /// A number that has nothing to do with the list.
    Unrelated,
}

const PARTS: [(Part, &str, &str); 49] = [
    (Part::List, "list", ""),
    (Part::Row, "row", ""),
    (Part::RowTitle, "title", ""),
    (Part::RowNote, "note", ""),
    (Part::RowMenu, "menu", "More options"),
    (Part::RowStar, "star", "Star"),
    (Part::Count, "count", ""),
    (Part::New, "new", "New {noun}"),
    (Part::Sort, "sort", "Sort {plural}"),
    (Part::Starred, "starred", "Only with a star"),
    (Part::Search, "search", "Search {plural}"),
    (Part::SelectAll, "select_all", "Select all"),
    (Part::DeleteSelected, "delete_selected", "Delete selected"),
    (Part::Edit, "edit", "Edit {noun}"),
    (Part::Delete, "delete", "Delete {noun}"),
    (Part::Title, "name", ""),
    (Part::Save, "save", "Save"),
    (Part::Next, "next", "Next"),
    (Part::Query, "query", ""),
    (Part::Results, "results", ""),
    (Part::Result, "result", ""),
    (Part::Trashed, "trashed", ""),
    (Part::TrashTitle, "trash_title", ""),
    (Part::Restore, "restore", "Restore"),
    (Part::Erase, "erase", "Delete for good"),
    (Part::Member, "member", ""),
    (Part::AddMember, "add_member", "Add {noun}"),
    (Part::Choose, "choose", "Choose {owner}"),
    (Part::Choice, "choice", ""),
    (Part::PageStar, "page_star", "Add or remove the star"),
    (Part::Larger, "larger", "Larger"),
    (Part::Smaller, "smaller", "Smaller"),
    (Part::RowPlay, "row_play", "Play or stop"),
    (Part::Play, "play", "Play or stop"),
    (Part::Mark, "mark", "Playing"),
    (Part::Played, "played", ""),
    (Part::Browser, "browser", "Open in browser"),
    (Part::Block, "block", "Block or unblock"),
    (Part::Status, "status", ""),
    (Part::Blocked, "blocked", ""),
    (Part::Unblock, "unblock", "Unblock"),
    (Part::ClearBlocked, "clear_blocked", "Clear the list"),
    (Part::Refresh, "refresh", "Refresh"),
    (Part::Player, "player", ""),
    (Part::Total, "total", ""),
    (Part::Average, "average", ""),
    (Part::Stars, "stars", ""),
    (Part::RowNumber, "number", ""),
    (Part::Unrelated, "visit", ""),
];

/// The resource id and the description of a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    /// The resource id without the package. One that begins with [`HIDDEN_ID`] is not dumped.
    pub id: &'static str,
    /// The content description; empty if there is none.
    pub desc: &'static str,
}

impl Tag {
    /// The complete resource id, as a dump has it; `None` if the dump has none.
    pub fn dumped_id(self, package: &str) -> Option<String> {
        (!self.id.starts_with(HIDDEN_ID)).then(|| format!("{package}:id/{}", self.id))
    }
}

/// The names of the widgets of one data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeNames {
    tags: Vec<Tag>,
    fields: Vec<Tag>,
    values: Vec<Tag>,
    /// The activities of the list, the object, the form, the search, the trash.
    pub activities: [&'static str; 5],
    /// Headings of the form, for a new object and an existing one.
    pub headings: [&'static str; 2],
    /// What the empty field of each says.
    hints: Vec<&'static str>,
    /// What the app says if the limits of a field are left; empty for those without.
    limits: Vec<&'static str>,
    /// Headings of the question whether to delete one, or several.
    pub questions: [&'static str; 2],
    /// What an empty list says.
    pub nothing: &'static str,
    /// Closes the page of an object that was opened in the activity of the list.
    pub close: &'static str,
    /// What stands beside a list while nothing is opened.
    pub choose: &'static str,
    /// The plural with a capital letter.
    pub title: &'static str,
    /// The singular with a capital letter.
    pub one: &'static str,
}

impl TypeNames {
    pub fn tag(&self, part: Part) -> Tag {
        self.tags[part as usize]
    }

    /// The names of all parts, inputs and values.
    pub fn all_tags(&self) -> impl Iterator<Item = Tag> {
        [&self.tags, &self.fields, &self.values].into_iter().flatten().copied()
    }

    /// The input of a field in the form.
    pub fn field(&self, place: usize) -> Tag {
        self.fields[place]
    }

    /// The value of a field on the page of the object.
    pub fn value(&self, place: usize) -> Tag {
        self.values[place]
    }

    /// What an empty field of the form says.
    pub fn hint(&self, place: usize) -> &'static str {
        self.hints[place]
    }

    /// What the app says if the limits of a field are left.
    pub fn limits(&self, place: usize) -> &'static str {
        self.limits[place]
    }

    /// The descriptions of all parts, and what else is said with the nouns of the type.
    #[cfg(test)]
    pub fn descriptions(&self) -> Vec<&'static str> {
        let tags = self.tags.iter().map(|tag| tag.desc).filter(|desc| !desc.is_empty());
        let more = [self.nothing, self.title, self.one, self.close, self.choose];
        tags.chain(self.headings).chain(self.questions).chain(more).collect()
    }

    fn new(blueprint: &Blueprint, kind: &DataType) -> TypeNames {
        let noun = kind.noun.0;
        let ident = identifier(noun);
        let id = |part: &str| -> &'static str {
            keep(match blueprint.naming {
                Naming::Ids => blueprint.changes.id(&ident, part),
                Naming::SharedIds => blueprint.changes.id("item", part),
                Naming::Descriptions => format!("{}{ident}_{part}", HIDDEN_ID),
            })
        };
        let tags = PARTS.map(|(part, name, desc)| {
            debug_assert_eq!(PARTS[part as usize].0, part);
            let owner = kind.owner.map_or("", |owner| owner.noun.0);
            let desc =
                desc.replace("{noun}", noun).replace("{plural}", kind.plural.0).replace("{owner}", owner);
            Tag { id: id(name), desc: keep(desc) }
        });
        let of_fields = |prefix: &str| -> Vec<Tag> {
            let name = |place| Tag { id: id(&format!("{prefix}_{place}")), desc: "" };
            (0..kind.fields.len()).map(name).collect()
        };
        let class = camel(noun);
        let activities = ["List", "", "Editor", "Search", "Trash"];
        TypeNames {
            tags: tags.to_vec(),
            fields: of_fields("field"),
            values: of_fields("value"),
            hints: kind.fields.iter().map(hint).collect(),
            limits: kind.fields.iter().map(limits).collect(),
            activities: activities.map(|name| keep(format!("{class}{name}Activity"))),
            headings: [keep(format!("New {noun}")), keep(format!("Edit {noun}"))],
            questions: [keep(format!("Delete {noun}?")), keep(format!("Delete {}?", kind.plural))],
            nothing: keep(format!("No {} yet", kind.plural)),
            close: keep(format!("Close {noun}")),
            choose: keep(format!("Choose one of the {}", kind.plural)),
            title: keep(upper_first(kind.plural.0)),
            one: keep(upper_first(noun)),
        }
    }
}

/// The names of all widgets of a blueprint's app.
pub(crate) fn names(blueprint: &Blueprint) -> Vec<TypeNames> {
    blueprint.types.iter().map(|kind| TypeNames::new(blueprint, kind)).collect()
}

fn hint(field: &Field) -> &'static str {
    match field.shape {
        Shape::Number { .. } => keep(limited(HINT, field.label.0, field.shape)),
        _ => field.label.0,
    }
}

fn limits(field: &Field) -> &'static str {
    match field.shape {
        Shape::Number { .. } => keep(limited(LIMITS, field.label.0, field.shape)),
        _ => "",
    }
}

/// A pattern with this label and the limits of a number in it.
pub(crate) fn limited(pattern: &str, label: &str, shape: Shape) -> String {
    let Shape::Number { least, most } = shape else { return pattern.replace("{label}", label) };
    let pattern = pattern.replace("{label}", label);
    pattern.replace("{least}", &least.to_string()).replace("{most}", &most.to_string())
}

/// Keeps a text for the rest of the program.
pub(crate) fn keep(text: String) -> &'static str {
    crate::word::Word::keep(text).0
}

/// A text as part of a resource id.
pub(crate) fn identifier(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

fn camel(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).map(upper_first).collect()
}
