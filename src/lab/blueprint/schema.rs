//! What a blueprint says: data types, their screens, how the app behaves, how its widgets are named.
//!
//! A blueprint is read once and kept for the rest of the program, since apps name their widgets by static texts.

use serde::{Deserialize, Serialize};

use super::derived::DerivedPlan;
use super::versions::Changes;
pub(crate) use super::word::{Word, Words};
use taproof_phone::{Color, Icon};

/// An app as data. [`Blueprint::parse`](super::Blueprint::parse) reads one, [`Blueprint::generate`](super::Blueprint::generate)
/// makes one from a seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blueprint {
    /// The last part of the package, such as `cards`.
    pub name: Word,
    /// The name on the launcher.
    pub label: Word,
    /// The real apps that it is modelled on.
    #[serde(default = "no_app")]
    pub modelled_on: Word,
    /// The picture on the launcher.
    pub icon: Icon,
    /// The main colour, as `0xRRGGBB`.
    pub accent: u32,
    /// How widgets are named.
    #[serde(default)]
    pub naming: Naming,
    /// How the screens of several data types are reached.
    #[serde(default)]
    pub home: Home,
    /// Whether the words of the app are there in German and French as well.
    #[serde(default)]
    pub translated: bool,
    /// The data types. The list of the first one is the first screen.
    pub types: Vec<DataType>,
    /// The switches of the settings page; without any there is no such page.
    #[serde(default)]
    pub settings: Vec<Switch>,
    /// Screens that only show texts, such as help.
    #[serde(default)]
    pub texts: Vec<TextPage>,
    /// A page that converts between units; `None` if there is none.
    #[serde(default)]
    pub converter: Option<Converter>,
    /// What makes the app hard to test although nothing is wrong with it.
    #[serde(default)]
    pub traps: Vec<Trap>,
    /// The bugs of the app. Without any, every operator applies wherever it can.
    #[serde(default)]
    pub bugs: Vec<KnownBug>,
    /// What this version of the app changes in comparison with the first one.
    #[serde(default)]
    pub changes: Changes,
}

fn no_app() -> Word {
    Word("no other app")
}

/// How the widgets of an app are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Naming {
    /// Each has a resource id of its own, such as `recipe_title`.
    #[default]
    Ids,
    /// Data types share resource ids, such as `title`.
    SharedIds,
    /// No resource ids; buttons have descriptions.
    Descriptions,
}

/// How the screens of several data types are reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Home {
    /// Tabs below the toolbar of each list.
    #[default]
    Tabs,
    /// A drawer at the left.
    Drawer,
    /// A page with an entry for each data type, before the lists.
    Dashboard,
}

/// A kind of things that the app keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataType {
    /// One of them, such as `recipe`.
    pub noun: Word,
    /// Several of them, such as `recipes`.
    pub plural: Word,
    /// The picture beside each.
    pub icon: Icon,
    /// What is known of each. The first field is the text that the object is called by.
    pub fields: Vec<Field>,
    /// The objects of a new installation: a text for each field.
    #[serde(default)]
    pub shipped: Vec<Vec<Word>>,
    /// Whether two objects may not be called the same.
    #[serde(default)]
    pub unique: bool,
    /// How they are listed.
    #[serde(default)]
    pub list: ListPlan,
    /// How one is shown.
    #[serde(default)]
    pub page: PagePlan,
    /// Objects that arrive by themselves, one after another: a text for each field.
    #[serde(default)]
    pub arrivals: Vec<Vec<Word>>,
    /// How they are made and changed.
    #[serde(default)]
    pub form: FormPlan,
    /// How they are deleted.
    #[serde(default)]
    pub delete: DeletePlan,
    /// How they are searched for; `None` if they cannot be.
    #[serde(default)]
    pub search: Option<SearchPlan>,
    /// How they are played; `None` if they cannot be.
    #[serde(default)]
    pub play: Option<PlayPlan>,
    /// Whether one can be blocked on its page. The lists of what belongs to it hide that then.
    #[serde(default)]
    pub block: bool,
    /// The type to one object of which each may belong. A field of the shape `owner` says to which.
    #[serde(default)]
    pub owner: Option<Ownership>,
}

/// How objects are played: one at a time, by a button of its row and of its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayPlan {
    /// Whether a page lists what was played.
    pub history: bool,
    /// Whether the page of an object can be opened in a browser.
    pub browser: bool,
}

/// A page that converts between units. It keeps the pair that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Converter {
    /// The title.
    pub title: Word,
    /// What can be chosen, at least two.
    pub units: Vec<Word>,
}

/// A relation between two data types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ownership {
    /// The noun of the type of the owners, such as `deck` for cards.
    pub noun: Word,
    /// What becomes of the objects of an owner that is deleted.
    pub deletion: Cascade,
}

/// What becomes of the objects of an owner that is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cascade {
    /// They share its fate.
    Delete,
    /// They stay, and belong to nothing.
    Keep,
}

/// Something that is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The label.
    pub label: Word,
    /// What may be entered.
    #[serde(default)]
    pub shape: Shape,
    /// Whether it may not be left empty.
    #[serde(default)]
    pub required: bool,
}

/// What may be entered into a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A line of text.
    #[default]
    Line,
    /// Several lines of text.
    Lines,
    /// A date, chosen by buttons for the day before and after.
    Date,
    /// Yes or no.
    Check,
    /// One of low, medium and high.
    Level,
    /// An object of the type that owns this one, or nothing.
    Owner,
    /// A whole number within these limits, or nothing.
    Number {
        /// The least number.
        least: i64,
        /// The greatest number.
        most: i64,
    },
    /// One of these, at first the first one.
    Choice(Words),
}

/// A bug that is known by a name of its own: a mistake at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownBug {
    /// The id, such as `cards-list-stale`.
    pub id: Word,
    /// The kind of mistake.
    pub operator: super::Operator,
    /// The noun of the data type that it is about.
    pub noun: Word,
    /// A sentence about what goes wrong.
    pub title: Word,
    /// The real app and the paper in which it was reported.
    pub paper: Word,
}

impl Shape {
    /// Whether it is typed.
    pub fn is_typed(self) -> bool {
        matches!(self, Shape::Line | Shape::Lines | Shape::Number { .. })
    }
}

/// How objects are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ListPlan {
    /// Two cards beside one another, not rows.
    pub grid: bool,
    /// The same, while the phone lies on its side.
    pub landscape_grid: bool,
    /// Whether the order can be chosen: as added, or by name.
    pub sort: bool,
    /// Whether each has a star in its row, and only those with one can be shown.
    pub star: bool,
    /// Whether the number of objects stands above the list.
    pub count: bool,
    /// Whether a long press begins a selection.
    pub select: bool,
    /// Whether the list shows a progress ring before its rows.
    pub slow: bool,
    /// Whether a button loads the list again.
    pub refresh: bool,
    /// Whether an object that is opened is shown beside the list while the phone lies on its side.
    pub panes: bool,
    /// What follows from the objects.
    pub derived: DerivedPlan,
}

/// How an object is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PagePlan {
    /// Whether what belongs to it, or the fields that follow the first ones, are on a second tab.
    pub tabs: bool,
    /// Whether its texts can be made larger and smaller.
    pub zoom: bool,
}

/// How objects are made and changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FormPlan {
    /// The kind of window.
    pub window: FormWindow,
    /// Whether what is entered is saved when the page is left, without a button.
    pub autosave: bool,
    /// Whether leaving asks before changes are lost.
    pub asks: bool,
    /// Whether saving takes a while.
    pub slow: bool,
    /// Whether a tap on a row opens the form rather than a page that shows the object.
    pub opens: bool,
    /// The permission without which none can be made, such as `android.permission.CAMERA`. A page asks for it first.
    pub permission: Option<Word>,
}

/// The kind of window in which objects are made and changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FormWindow {
    /// A page with all fields.
    #[default]
    Page,
    /// A dialog with all fields.
    Dialog,
    /// A page for each field, one after another.
    Wizard,
}

/// How objects are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DeletePlan {
    /// Where the deletion begins.
    pub from: DeleteFrom,
    /// Whether the app asks first.
    pub confirm: bool,
    /// Whether a bar offers to undo it.
    pub undo: bool,
    /// Whether deleted objects can be restored from a trash.
    pub trash: bool,
}

/// Where a deletion begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeleteFrom {
    /// The menu of a row.
    #[default]
    RowMenu,
    /// The page of the object.
    Detail,
    /// A swipe over a row, which uncovers a button.
    Swipe,
}

/// How objects are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchPlan {
    /// Whether results follow each letter, rather than the search key of the keyboard.
    pub live: bool,
    /// Whether a progress ring comes first.
    pub slow: bool,
}

/// A switch on the settings page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// The label.
    pub label: Word,
    /// Whether it is on in a new installation.
    #[serde(default)]
    pub on: bool,
}

/// A screen that only shows texts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextPage {
    /// The title.
    pub title: Word,
    /// The text.
    pub text: Word,
}

/// Something that makes an app hard to test although nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trap {
    /// The first list shows the time of day.
    Clock,
    /// The first list shows a tip, another one after each visit.
    Tips,
    /// A banner with an advertisement covers the lower edge of the first list, upright.
    Advert,
    /// The first list shows a picture that changes all the time, upright.
    Animation,
    /// The first list begins with another object after each visit, unless it is ordered by name.
    Shuffle,
    /// A notice covers the first list at the first visit and at every fourth one until it is closed.
    Notice,
    /// Pages of text, and those of objects to which nothing belongs, are shown by a web view.
    Web,
}

impl Blueprint {
    /// The package, such as `org.taproof.cards`.
    pub fn package(&self) -> String {
        format!("org.taproof.{}", self.name)
    }

    /// The main colour.
    pub fn color(&self) -> Color {
        Color(self.accent)
    }

    /// The place of the type whose objects own those of this one.
    pub fn owner_of(&self, data_type: usize) -> Option<usize> {
        let owner = self.types[data_type].owner?;
        self.types.iter().position(|kind| kind.noun == owner.noun)
    }

    /// The types whose objects belong to those of this one.
    pub fn members_of(&self, owner: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.types.len()).filter(move |member| self.owner_of(*member) == Some(owner))
    }
}

impl DataType {
    /// The place of a field beyond the first that holds a text.
    pub fn second_text(&self) -> Option<usize> {
        let text = |field: &Field| matches!(field.shape, Shape::Line | Shape::Lines);
        (1..self.fields.len()).find(|place| text(&self.fields[*place]))
    }

    /// The place of the first field of this shape.
    pub fn field_of(&self, shape: Shape) -> Option<usize> {
        self.fields.iter().position(|field| field.shape == shape)
    }

    /// The place of the first field with limits.
    pub fn number(&self) -> Option<usize> {
        self.fields.iter().position(|field| matches!(field.shape, Shape::Number { .. }))
    }

    /// The place of the first field with a choice, and what can be chosen.
    pub fn choice(&self) -> Option<(usize, Words)> {
        let choice = |(place, field): (usize, &Field)| match field.shape {
            Shape::Choice(words) if words.0.len() > 1 => Some((place, words)),
            _ => None,
        };
        self.fields.iter().enumerate().find_map(choice)
    }

    /// Whether the page of an object is an activity: not if it is only ever shown in that of its list.
    pub(super) fn has_detail_activity(&self) -> bool {
        let elsewhere =
            self.search.is_some() || self.owner.is_some() || self.play.is_some_and(|it| it.history);
        self.has_detail() && (!self.list.panes || elsewhere)
    }

    /// Whether an object has a page that shows it.
    pub fn has_detail(&self) -> bool {
        !self.form.opens
    }
}
