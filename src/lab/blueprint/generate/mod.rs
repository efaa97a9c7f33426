//! Makes a blueprint from a seed.

pub(crate) mod dictionary;
mod mix;
pub(crate) mod names;
pub(crate) mod translation;
pub(crate) mod vocabulary;

pub use mix::{BugKind, OPERATOR_MIX};
pub(crate) use names::{TypeNames, keep, names};

use taproof_screen::determinism::Rng;
use taproof_screen::{upper_first, words};

use super::derived::DerivedPlan;
use super::schema::{
    Blueprint, Cascade, Converter, DataType, DeleteFrom, DeletePlan, Field, FormPlan, FormWindow, Home,
    ListPlan, Naming, Ownership, PagePlan, PlayPlan, SearchPlan, Shape, Switch, TextPage, Trap, Word,
};
use super::versions::Changes;
use vocabulary::{
    ACCENTS, FOREIGN_NAMES, OWNERS, PERMISSIONS, PLAYED, SWITCHES, TEXTS, THINGS, TITLES, Thing, UNITS,
};

words! {
    /// How large a generated app is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Size {
        /// One or two data types.
        #[default]
        Small = "small" / "",
        /// Three to five data types.
        Medium = "medium" / "m",
        /// At least 40 activities.
        Large = "large" / "l",
    }
    /// The name of the size in commands.
    pub fn name;
    /// What follows the seed in the name of a generated app.
    pub(super) fn letter;
    /// All sizes.
    pub const ALL;
}

impl Size {
    fn types(self, rng: &mut Rng) -> usize {
        match self {
            Size::Small => rng.between(1, 2),
            Size::Medium => rng.between(3, 5),
            Size::Large => rng.between(10, 14),
        }
    }
}

impl Blueprint {
    /// Makes an app from a seed. The same seed and size give the same app.
    pub fn generate(seed: u64, size: Size) -> Blueprint {
        let root = Rng::from_seed(seed).fork(size.name());
        let mut rng = root.fork("app");
        let mut things: Vec<&Thing> = THINGS.iter().collect();
        let count = size.types(&mut rng);
        let large = size == Size::Large;
        let mut types: Vec<DataType> = Vec::new();
        while types.len() < count {
            let thing = things.swap_remove(rng.below(things.len()));
            let mut made = data_type(thing, large, &mut root.fork_indexed("type", types.len() as u64));
            let owner = OWNERS.iter().find(|(owner, of)| {
                let has_room =
                    types.len() + 1 < count.max(2) || types.iter().any(|it| it.noun.0 == owner.noun);
                of.contains(&thing.noun) && has_room
            });
            let Some((owner, _)) = owner.filter(|_| rng.chance(2, 3)) else {
                types.push(made);
                continue;
            };
            let owners = &mut root.fork_indexed("owner", types.len() as u64);
            belong_to(&mut made, owner, owners);
            types.push(made);
            if types.iter().all(|it| it.noun.0 != owner.noun) {
                types.push(owning(owner, large, owners));
            }
        }
        name_owners(&mut types, &mut root.fork("owners"));
        let home = [Home::Tabs, Home::Drawer, Home::Dashboard][rng.below(3)];
        // Tabs of more than four types do not fit.
        let home = if count > 4 && home == Home::Tabs { Home::Drawer } else { home };
        let mut switches = SWITCHES.to_vec();
        let switches = (0..rng.below(4)).map(|_| {
            let label = Word(switches.swap_remove(rng.below(switches.len())));
            Switch { label, on: rng.chance(1, 2) }
        });
        let settings = switches.collect();
        let mut texts = TEXTS.to_vec();
        let pages = if large { texts.len() } else { rng.below(3) };
        let texts = (0..pages).map(|_| {
            let (title, text) = texts.swap_remove(rng.below(texts.len()));
            TextPage { title: Word(title), text: Word(text) }
        });
        let texts = texts.collect();
        let (front, behind) = TITLES[rng.below(TITLES.len())];
        let first = upper_first(types.first().map_or("", |it: &DataType| it.plural.0));
        let label = format!("{front} {first} {behind}");
        let mut made = Blueprint {
            name: Word::keep(format!("blueprint{seed}")),
            label: Word::keep(label.trim().to_owned()),
            modelled_on: Word("no other app"),
            icon: types.first().map_or(taproof_phone::Icon::Android, |it| it.icon),
            accent: ACCENTS[rng.below(ACCENTS.len())],
            naming: [Naming::Ids, Naming::Ids, Naming::SharedIds, Naming::Descriptions][rng.below(4)],
            home,
            translated: root.fork("languages").chance(1, 2),
            types,
            settings,
            texts,
            converter: rng
                .chance(1, 4)
                .then(|| Converter { title: Word("Converter"), units: UNITS.map(Word).to_vec() }),
            traps: Vec::new(),
            bugs: Vec::new(),
            changes: Changes::default(),
        };
        for data_type in 0..made.types.len() {
            made.types[data_type].page.tabs &= made.has_second_tab(data_type);
        }
        draw_panes(&mut made.types, &mut root.fork("panes"));
        made
    }

    /// Adds what makes an app hard to test although nothing is wrong with it.
    #[must_use]
    pub fn with_traps(mut self, seed: u64) -> Blueprint {
        let mut rng = Rng::from_seed(seed).fork("traps");
        let all = [Trap::Clock, Trap::Tips, Trap::Advert, Trap::Animation, Trap::Shuffle];
        self.traps = all.into_iter().filter(|_| rng.chance(1, 2)).collect();
        if self.traps.is_empty() {
            self.traps.push(Trap::Clock);
        }
        // From a stream of their own, so that the draws above stay as they are.
        let mut further = Rng::from_seed(seed).fork("further traps");
        self.traps.extend([Trap::Notice, Trap::Web].into_iter().filter(|_| further.chance(1, 2)));
        for kind in &mut self.types {
            if !kind.unique && rng.chance(1, 2) {
                kind.shipped.extend(kind.shipped.first().cloned());
            }
            for (values, name) in kind.shipped.iter_mut().skip(1).zip(FOREIGN_NAMES) {
                if rng.chance(1, 2) {
                    values[0] = Word(name);
                }
            }
        }
        self
    }
}

/// Shows the objects of some types beside their lists. Two cards beside one another leave no room for that.
fn draw_panes(types: &mut [DataType], rng: &mut Rng) {
    for kind in types {
        let grid = kind.list.grid || kind.list.landscape_grid;
        kind.list.panes = rng.chance(1, 2) && kind.has_detail() && !grid;
    }
}

/// Lets the objects of a type belong to those of another one.
fn belong_to(kind: &mut DataType, owner: &Thing, rng: &mut Rng) {
    let deletion = if rng.chance(2, 3) { Cascade::Delete } else { Cascade::Keep };
    kind.owner = Some(Ownership { noun: Word(owner.noun), deletion });
    let label = Word::keep(upper_first(owner.noun));
    kind.fields.push(Field { label, shape: Shape::Owner, required: false });
    let all = kind.shipped.iter_mut().chain(&mut kind.arrivals);
    all.for_each(|values| values.push(Word("")));
    fit_dialog(&mut kind.form, &kind.fields);
}

/// A dialog has room for a few fields, above the keyboard.
pub(crate) fn fit_dialog(form: &mut FormPlan, fields: &[Field]) {
    const MOST_FIELDS: usize = 3;
    if form.window == FormWindow::Dialog && fields.len() > MOST_FIELDS {
        form.window = FormWindow::Page;
    }
}

/// A type whose objects own those of others: each has a page of its own, which shows them.
fn owning(thing: &Thing, large: bool, rng: &mut Rng) -> DataType {
    let mut kind = data_type(thing, large, rng);
    kind.form.opens = false;
    kind.block = rng.chance(1, 3);
    kind
}

/// Gives most of the shipped objects an owner.
fn name_owners(types: &mut [DataType], rng: &mut Rng) {
    let names = |kind: &DataType| kind.shipped.iter().map(|values| values[0]).collect::<Vec<_>>();
    let owners: Vec<(Word, Vec<Word>)> = types.iter().map(|kind| (kind.noun, names(kind))).collect();
    for kind in types {
        let Some(owner) = kind.owner else { continue };
        let Some((_, names)) = owners.iter().find(|(noun, _)| *noun == owner.noun) else { continue };
        let Some(field) = kind.field_of(Shape::Owner) else { continue };
        for values in &mut kind.shipped {
            values[field] = if rng.chance(5, 6) { names[rng.below(names.len())] } else { Word("") };
        }
    }
}

fn data_type(thing: &Thing, large: bool, rng: &mut Rng) -> DataType {
    let mut fields = vec![Field { label: Word("Name"), shape: Shape::Line, required: false }];
    for (label, shape) in thing.fields {
        if fields.len() < 2 || rng.chance(2, 3) {
            fields.push(Field { label: Word(label), shape: *shape, required: false });
        }
    }
    let mut form = form(rng, large);
    if form.autosave {
        // What such a form refuses, it loses without a word.
        fields.retain(|field| !matches!(field.shape, Shape::Number { .. }));
    }
    fit_dialog(&mut form, &fields);
    let (shipped, arrivals) = objects(thing, &fields, rng);
    let mut delete = delete(rng, large);
    if form.opens && delete.from == DeleteFrom::Detail {
        delete.from = DeleteFrom::RowMenu;
    }
    DataType {
        noun: Word(thing.noun),
        plural: Word(thing.plural),
        icon: thing.icon,
        // What a form that saves by itself refuses, it would lose without a word.
        unique: rng.chance(1, 3) && !form.autosave,
        fields,
        shipped,
        list: ListPlan {
            grid: rng.chance(1, 6),
            landscape_grid: rng.chance(1, 4),
            sort: rng.chance(1, 2),
            star: rng.chance(1, 2),
            count: rng.chance(1, 2),
            select: rng.chance(1, 2),
            slow: rng.chance(1, 6),
            refresh: rng.chance(1, 8),
            panes: false,
            derived: DerivedPlan::default(),
        },
        page: PagePlan { tabs: rng.chance(1, 3), zoom: rng.chance(1, 5) },
        arrivals,
        form,
        delete,
        search: (large || rng.chance(3, 4))
            .then(|| SearchPlan { live: rng.chance(1, 2), slow: rng.chance(1, 3) }),
        play: PLAYED
            .contains(&thing.noun)
            .then(|| PlayPlan { history: rng.chance(2, 3), browser: rng.chance(1, 2) }),
        block: false,
        owner: None,
    }
}

fn form(rng: &mut Rng, large: bool) -> FormPlan {
    use FormWindow::{Dialog, Page, Wizard};
    let window = if large { Page } else { [Page, Page, Dialog, Wizard][rng.below(4)] };
    let autosave = window == Page && rng.chance(1, 5);
    FormPlan {
        window,
        autosave,
        asks: window != Dialog && !autosave && rng.chance(1, 2),
        slow: window != Dialog && rng.chance(1, 5),
        opens: !large && window == Page && rng.chance(1, 5),
        permission: rng.chance(1, 8).then(|| Word(PERMISSIONS[rng.below(PERMISSIONS.len())])),
    }
}

/// Where deletions begin, the usual places more than once.
const DELETIONS: [DeleteFrom; 5] =
    [DeleteFrom::RowMenu, DeleteFrom::RowMenu, DeleteFrom::Detail, DeleteFrom::Detail, DeleteFrom::Swipe];

fn delete(rng: &mut Rng, large: bool) -> DeletePlan {
    DeletePlan {
        from: DELETIONS[rng.below(DELETIONS.len())],
        confirm: rng.chance(1, 2),
        undo: rng.chance(1, 3),
        trash: large || rng.chance(1, 3),
    }
}

/// The objects of a new installation, and those that arrive by themselves.
fn objects(thing: &Thing, fields: &[Field], rng: &mut Rng) -> (Vec<Vec<Word>>, Vec<Vec<Word>>) {
    let mut names = thing.names.to_vec();
    let count = rng.between(3, names.len());
    let mut objects = |count: usize, rng: &mut Rng| -> Vec<Vec<Word>> {
        let mut made = Vec::new();
        for _ in 0..count.min(names.len()) {
            let name = names.swap_remove(rng.below(names.len()));
            made.push(values(thing, name, fields, rng));
        }
        made
    };
    let shipped = objects(count, rng);
    let arriving = if rng.chance(1, 8) { 2 } else { 0 };
    (shipped, objects(arriving, rng))
}

fn values(thing: &Thing, name: &'static str, fields: &[Field], rng: &mut Rng) -> Vec<Word> {
    let mut values = vec![Word(name)];
    for field in &fields[1..] {
        values.push(match field.shape {
            Shape::Line | Shape::Lines => Word(thing.notes[rng.below(thing.notes.len())]),
            Shape::Date => Word::keep(format!("2026-01-{:02}", rng.between(2, 28))),
            Shape::Check => Word(if rng.chance(1, 2) { "yes" } else { "" }),
            Shape::Level => Word(crate::pages::form_page::LEVELS[rng.below(3)]),
            Shape::Owner => Word(""),
            Shape::Choice(words) => words.0[rng.below(words.0.len())],
            Shape::Number { least, most } => {
                let above = rng.below(usize::try_from(most - least).unwrap_or(0) + 1);
                Word::keep((least + i64::try_from(above).unwrap_or(0)).to_string())
            }
        });
    }
    values
}
