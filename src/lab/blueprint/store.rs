//! The objects that an app keeps, and where faults of its logic are.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::operators::Operator;
use super::schema::{Blueprint, Cascade, Shape, Word, Words};
use taproof_phone::Date;

/// The name of an object within the app.
pub(super) type ObjectId = u32;

/// How many letters of a long name a faulty build keeps.
const KEPT_LETTERS: usize = 40;

/// Where an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Listed,
    Trashed,
    /// It was deleted for good. A sound build knows nothing of it any more.
    Gone,
}

/// Something that the user made.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub id: ObjectId,
    pub data_type: usize,
    /// A text for each field.
    pub values: Vec<String>,
    pub starred: bool,
    pub blocked: bool,
    pub place: Place,
    /// The name that the list shows.
    pub listed: String,
    /// The name by which the search finds it.
    pub indexed: Option<String>,
    /// The owner with which it was deleted, whose fate it shares.
    gone_with: Option<ObjectId>,
}

impl Object {
    pub fn is_listed(&self) -> bool {
        self.place == Place::Listed
    }

    pub fn name(&self) -> &str {
        &self.values[0]
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    #[default]
    Added,
    Name,
}

/// The faults that are switched on.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(pub Vec<(Operator, usize)>);

impl Faults {
    /// Whether this build makes this mistake with this data type.
    pub fn has(&self, operator: Operator, data_type: usize) -> bool {
        self.0.contains(&(operator, data_type))
    }
}

/// All objects of the app, as its files contain them.
#[derive(Clone, Debug)]
pub(super) struct Store {
    objects: Vec<Object>,
    next: ObjectId,
    faults: Faults,
    /// The fields of each data type.
    shapes: Vec<Vec<Shape>>,
    second_texts: Vec<Option<usize>>,
    trashes: Vec<bool>,
    relations: Vec<Option<Relation>>,
    arrivals: Arrivals,
    choices: Vec<Option<(usize, Words)>>,
}

/// What arrives by itself.
#[derive(Clone, Debug, Default)]
struct Arrivals {
    /// What is still to come, the next one last.
    coming: Vec<(usize, Vec<String>)>,
    /// When the next one is due, in milliseconds of the phone's clock.
    due: Option<u64>,
    /// The ids from which on objects were made by the user.
    made_from: ObjectId,
}

/// How long it takes until something arrives.
const ARRIVAL_MILLIS: u64 = 60_000;

/// To what the objects of a type belong.
#[derive(Clone, Copy, Debug)]
struct Relation {
    owner_type: usize,
    /// The place of the field with the id of the owner; it is empty if there is none.
    field: usize,
    cascades: bool,
}

impl Relation {
    fn of(blueprint: &Blueprint, data_type: usize) -> Option<Relation> {
        let kind = &blueprint.types[data_type];
        Some(Relation {
            owner_type: blueprint.owner_of(data_type)?,
            field: kind.field_of(Shape::Owner)?,
            cascades: kind.owner?.deletion == Cascade::Delete,
        })
    }
}

impl Store {
    /// The objects of a new installation.
    pub fn shipped(blueprint: &Blueprint, faults: Faults) -> Store {
        let types = &blueprint.types;
        let mut store = Store {
            objects: Vec::new(),
            next: 1,
            faults,
            shapes: types.iter().map(|it| it.fields.iter().map(|field| field.shape).collect()).collect(),
            second_texts: types.iter().map(|it| it.second_text()).collect(),
            trashes: types.iter().map(|it| it.delete.trash).collect(),
            relations: (0..types.len()).map(|it| Relation::of(blueprint, it)).collect(),
            arrivals: Arrivals::default(),
            choices: types.iter().map(|it| it.choice()).collect(),
        };
        for (data_type, kind) in types.iter().enumerate() {
            for values in &kind.shipped {
                store.insert(data_type, values.iter().map(|value| value.0.to_owned()).collect());
            }
        }
        store.resolve_owners();
        store.arrivals.made_from = store.next;
        for (data_type, kind) in types.iter().enumerate().rev() {
            let texts = |values: &Vec<Word>| values.iter().map(|value| value.0.to_owned()).collect();
            let coming = kind.arrivals.iter().rev().map(|values| (data_type, texts(values)));
            store.arrivals.coming.extend(coming);
        }
        store
    }

    /// Takes in what has arrived by this time. Returns whether something has.
    pub fn arrive(&mut self, now: u64) -> bool {
        let due = *self.arrivals.due.get_or_insert(now + ARRIVAL_MILLIS);
        if now < due {
            return false;
        }
        self.arrivals.due = Some(now + ARRIVAL_MILLIS);
        let Some((data_type, values)) = self.arrivals.coming.pop() else { return false };
        if self.faults.has(Operator::ArrivalReplaces, data_type) {
            let made_from = self.arrivals.made_from;
            let newest = self.listed(data_type).into_iter().rfind(|object| object.id >= made_from);
            if let Some(newest) = newest.map(|object| object.id) {
                self.erase(newest);
            }
        }
        self.insert(data_type, values);
        true
    }

    /// How long it takes until something arrives; `None` if nothing does.
    pub fn until_next_arrival(&self, now: u64) -> Option<u64> {
        self.arrivals
            .due
            .filter(|_| !self.arrivals.coming.is_empty())
            .map(|due| due.saturating_sub(now).max(1))
    }

    /// Shipped objects name their owners, the others have the id.
    fn resolve_owners(&mut self) {
        let named = |object: &Object| {
            let relation = self.relations[object.data_type]?;
            let owners = self.listed(relation.owner_type).into_iter();
            owners.filter(|owner| owner.name() == object.values[relation.field]).map(|owner| owner.id).next()
        };
        let owners: Vec<Option<ObjectId>> = self.objects.iter().map(named).collect();
        for (object, owner) in self.objects.iter_mut().zip(owners) {
            if let Some(relation) = self.relations[object.data_type] {
                object.values[relation.field] = owner.map_or_else(String::new, |owner| owner.to_string());
            }
        }
    }

    /// To what the object belongs; `None` if to nothing that is there.
    pub fn owner(&self, object: &Object) -> Option<&Object> {
        let relation = self.relations[object.data_type]?;
        self.owner_by_value(&object.values[relation.field])
    }

    /// The owner that a field contains.
    pub fn owner_by_value(&self, value: &str) -> Option<&Object> {
        self.get(value.parse().ok()?).filter(|owner| owner.place == Place::Listed)
    }

    /// The objects of a type that belong to this one.
    pub fn members(&self, owner: ObjectId, data_type: usize) -> Vec<&Object> {
        let belongs = |object: &&Object| self.owner(object).is_some_and(|it| it.id == owner);
        self.ordered(data_type, Order::Added).into_iter().filter(belongs).collect()
    }

    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        self.objects.iter().find(|object| object.id == id)
    }

    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.iter_mut().find(|object| object.id == id)
    }

    fn insert(&mut self, data_type: usize, values: Vec<String>) -> ObjectId {
        let id = self.next;
        self.next += 1;
        let name = values.first().cloned().unwrap_or_default();
        self.objects.push(Object {
            id,
            data_type,
            values,
            starred: false,
            blocked: false,
            place: Place::Listed,
            listed: name.clone(),
            indexed: Some(name),
            gone_with: None,
        });
        id
    }

    /// What is shown of a data type is read anew.
    pub fn reload(&mut self) {
        for object in &mut self.objects {
            object.listed.clone_from(&object.values[0]);
        }
    }

    /// Whether another listed object has this name.
    pub fn is_taken(&self, data_type: usize, name: &str, but: Option<ObjectId>) -> bool {
        let of_type = self.listed(data_type);
        of_type.into_iter().any(|object| object.name() == name && Some(object.id) != but)
    }

    /// The listed objects in the order of adding.
    fn listed(&self, data_type: usize) -> Vec<&Object> {
        let is = |object: &&Object| object.data_type == data_type && object.place == Place::Listed;
        self.objects.iter().filter(is).collect()
    }

    pub fn trashed(&self, data_type: usize) -> Vec<&Object> {
        let is = |object: &&Object| {
            object.data_type == data_type && object.place == Place::Trashed && object.gone_with.is_none()
        };
        self.objects.iter().filter(is).collect()
    }

    /// The listed objects in an order.
    pub fn ordered(&self, data_type: usize, order: Order) -> Vec<&Object> {
        let mut shown = self.listed(data_type);
        if order == Order::Name && !self.faults.has(Operator::OrderIgnored, data_type) {
            let by_case = self.faults.has(Operator::OrderByCase, data_type);
            shown.sort_by(|one, other| by_name(one, other, by_case));
        }
        shown
    }

    /// The object that stands in the order of adding where this one is in the other order.
    pub fn counted_in_order_of_adding(&self, id: ObjectId, order: Order) -> ObjectId {
        let Some(data_type) = self.get(id).map(|object| object.data_type) else { return id };
        let position = self.ordered(data_type, order).iter().position(|object| object.id == id);
        let there =
            position.and_then(|position| self.listed(data_type).get(position).map(|object| object.id));
        there.unwrap_or(id)
    }

    /// The object that is shown beside this one, `after` or before it.
    pub fn neighbour(&self, id: ObjectId, order: Order, after: bool) -> Option<ObjectId> {
        let data_type = self.get(id)?.data_type;
        let shown = self.ordered(data_type, order);
        let position = shown.iter().position(|object| object.id == id)?;
        let beside = if after { position + 1 } else { position.checked_sub(1)? };
        shown.get(beside).map(|object| object.id)
    }

    /// The left one of the two objects that are beside one another in a grid.
    pub fn first_of_pair(&self, id: ObjectId, order: Order) -> ObjectId {
        let Some(data_type) = self.get(id).map(|object| object.data_type) else { return id };
        let shown = self.ordered(data_type, order);
        let position = shown.iter().position(|object| object.id == id).unwrap_or(0);
        shown.get(position / 2 * 2).map_or(id, |object| object.id)
    }

    /// Adds an object. Returns its id.
    pub fn add(&mut self, data_type: usize, values: Vec<String>) -> ObjectId {
        let values = self.saved(data_type, values, None);
        if self.faults.has(Operator::OverwritesOtherCase, data_type) {
            let lower = values[0].to_lowercase();
            let same = |object: &Object| object.name() != values[0] && object.name().to_lowercase() == lower;
            let replaced = self.listed(data_type).into_iter().find(|object| same(object)).map(|it| it.id);
            if let Some(replaced) = replaced {
                self.erase(replaced);
            }
        }
        if self.faults.has(Operator::StarsLostOnAdd, data_type) {
            self.of_type(data_type).for_each(|object| object.starred = false);
        }
        self.insert(data_type, values)
    }

    /// Changes an object.
    pub fn change(&mut self, id: ObjectId, values: Vec<String>) {
        let Some(old) = self.get(id).cloned() else { return };
        if self.faults.has(Operator::LockedByChoice, old.data_type) && self.has_last_choice(&old) {
            return;
        }
        let mut values = self.saved(old.data_type, values, Some(&old));
        let faulty = |operator| self.faults.has(operator, old.data_type);
        if faulty(Operator::UpdateLost) {
            values[0].clone_from(&old.values[0]);
        }
        let name = values[0].clone();
        let listed = if faulty(Operator::StaleList) { old.listed } else { name.clone() };
        let indexed = if faulty(Operator::UpdateNotIndexed) { old.indexed } else { Some(name.clone()) };
        if faulty(Operator::DuplicateOnSave) && name != old.values[0] {
            self.insert(old.data_type, values);
        } else if let Some(object) = self.get_mut(id) {
            (object.values, object.listed, object.indexed) = (values, listed, indexed);
        }
    }

    /// Whether the last choice of its type was chosen for an object.
    pub fn has_last_choice(&self, object: &Object) -> bool {
        self.choices[object.data_type]
            .is_some_and(|(field, words)| words.0.last().is_some_and(|word| word.0 == object.values[field]))
    }

    /// Whether the first choice of its type was chosen for an object, or there is none.
    pub fn has_first_choice(&self, object: &Object) -> bool {
        self.choices[object.data_type]
            .is_none_or(|(field, words)| words.0.first().is_some_and(|word| word.0 == object.values[field]))
    }

    /// What is written to the files of what was entered.
    fn saved(&self, data_type: usize, mut values: Vec<String>, old: Option<&Object>) -> Vec<String> {
        let faulty = |operator| self.faults.has(operator, data_type);
        if faulty(Operator::CutOnSave) {
            values[0] = values[0].chars().take(KEPT_LETTERS).collect();
        }
        if let Some(second) = self.second_texts[data_type].filter(|_| faulty(Operator::FieldLostOnSave)) {
            values[second] = old.map_or_else(String::new, |old| old.values[second].clone());
        }
        if faulty(Operator::DateSlips) {
            let dates = self.shapes[data_type].iter().zip(&mut values);
            for (_, date) in dates.filter(|(shape, _)| **shape == Shape::Date) {
                *date = slipped(date);
            }
        }
        if let Some(relation) = self.relations[data_type].filter(|_| old.is_some())
            && faulty(Operator::OwnerLostOnEdit)
        {
            values[relation.field].clear();
        }
        values
    }

    /// Deletes an object: to the trash, or for good. Returns what is gone from the list.
    pub fn delete(&mut self, mut id: ObjectId) -> Option<ObjectId> {
        let object = self.get(id)?;
        let data_type = object.data_type;
        if self.faults.has(Operator::DeletesSimilarName, data_type) {
            let similar = |it: &&Object| it.name().contains(object.name());
            id = self.listed(data_type).into_iter().find(similar).map_or(id, |it| it.id);
        }
        let place = if self.trashes[data_type] { Place::Trashed } else { Place::Gone };
        for member in self.deleted_with(id, data_type) {
            self.put_away(member, place, Some(id));
        }
        self.put_away(id, place, None);
        Some(id)
    }

    /// What is deleted together with an object of this type.
    fn deleted_with(&self, owner: ObjectId, owner_type: usize) -> Vec<ObjectId> {
        let shares = |object: &&Object| {
            let Some(relation) = self.relations[object.data_type] else { return false };
            let of_any = self.faults.has(Operator::CascadeTooWide, object.data_type);
            let stays = self.faults.has(Operator::CascadeMissing, object.data_type);
            let belongs = self.owner(object).is_some_and(|it| of_any || it.id == owner);
            relation.owner_type == owner_type && relation.cascades && !stays && belongs
        };
        let listed = self.objects.iter().filter(|object| object.place == Place::Listed);
        listed.filter(shares).map(|object| object.id).collect()
    }

    fn put_away(&mut self, id: ObjectId, place: Place, with: Option<ObjectId>) {
        let Some(data_type) = self.get(id).map(|object| object.data_type) else { return };
        let stays_indexed = self.faults.has(Operator::DeletedStillFound, data_type);
        if let Some(object) = self.get_mut(id) {
            (object.place, object.gone_with) = (place, with);
            object.indexed.take_if(|_| !stays_indexed);
        }
    }

    /// Takes a deletion back.
    pub fn undelete(&mut self, all: &[ObjectId]) {
        for id in all {
            let Some(data_type) = self.get(*id).map(|object| object.data_type) else { continue };
            if !self.faults.has(Operator::UndoLost, data_type) {
                self.bring_back(*id);
            }
            let second = self.second_texts[data_type];
            let loses = self.faults.has(Operator::UndoLosesField, data_type);
            if let Some((object, second)) = self.get_mut(*id).zip(second.filter(|_| loses)) {
                object.values[second].clear();
            }
        }
    }

    /// Restores an object from the trash.
    pub fn restore(&mut self, id: ObjectId) {
        match self.get(id).map(|object| object.data_type) {
            Some(data_type) if self.faults.has(Operator::RestoreLost, data_type) => self.erase(id),
            _ => self.bring_back(id),
        }
    }

    /// Lists an object again, with what was deleted with it.
    fn bring_back(&mut self, id: ObjectId) {
        for object in self.objects.iter_mut().filter(|it| it.id == id || it.gone_with == Some(id)) {
            (object.place, object.gone_with) = (Place::Listed, None);
            object.indexed = Some(object.values[0].clone());
        }
    }

    /// Deletes an object for good, with what was deleted with it.
    pub fn erase(&mut self, id: ObjectId) {
        self.objects.retain(|object| object.id != id && object.gone_with != Some(id));
    }

    /// Deletes what cannot be brought back any more.
    pub fn forget_gone(&mut self) {
        self.objects.retain(|object| object.place != Place::Gone || object.indexed.is_some());
    }

    /// The settings were reset.
    pub fn settings_reset(&mut self) {
        let wiped: BTreeSet<usize> =
            (0..self.shapes.len()).filter(|it| self.faults.has(Operator::ResetWipes, *it)).collect();
        self.objects.retain(|object| !wiped.contains(&object.data_type));
    }

    /// The objects whose names contain a text, whatever its case.
    pub fn found(&self, data_type: usize, query: &str) -> Vec<&Object> {
        let mut query = query.to_lowercase();
        if self.faults.has(Operator::SearchIgnoresSymbols, data_type) {
            query.retain(|c| c.is_alphanumeric() || c == ' ');
        }
        let contains = |name: &String| name.to_lowercase().contains(&query);
        let matches =
            |object: &&Object| object.data_type == data_type && object.indexed.as_ref().is_some_and(contains);
        let most = if self.faults.has(Operator::SearchFindsOne, data_type) { 1 } else { usize::MAX };
        self.objects.iter().filter(matches).take(most).collect()
    }

    fn of_type(&mut self, data_type: usize) -> impl Iterator<Item = &mut Object> {
        self.objects.iter_mut().filter(move |object| object.data_type == data_type)
    }
}

fn by_name(one: &Object, other: &Object, by_case: bool) -> Ordering {
    if by_case {
        return one.listed.cmp(&other.listed);
    }
    let lower = |object: &Object| object.listed.to_lowercase();
    lower(one).cmp(&lower(other)).then_with(|| one.listed.cmp(&other.listed))
}

/// A date of the first days of the next month for one of the last days of a month.
fn slipped(date: &str) -> String {
    let parts: Vec<u32> = date.split('-').filter_map(|part| part.parse().ok()).collect();
    match parts.as_slice() {
        [year, month, day] if *day >= 29 => {
            let (year, month) = if *month == 12 { (year + 1, 1) } else { (*year, month + 1) };
            format!("{year:04}-{month:02}-{:02}", day - 28)
        }
        _ => date.to_owned(),
    }
}

/// The day before or after a date; today if there is none.
pub(super) fn moved_day(date: &str, days: i64, today: Date) -> String {
    const DAY_MILLIS: i64 = 86_400_000;
    let parts: Vec<i32> = date.split('-').filter_map(|part| part.parse().ok()).collect();
    let from = match parts.as_slice() {
        [year, month, day] => {
            Date { year: *year, month: month.unsigned_abs(), day: day.unsigned_abs(), ..Date::of_epoch(0) }
        }
        _ => return today.iso(),
    };
    let moved = i64::try_from(from.epoch()).unwrap_or(0).saturating_add(days * DAY_MILLIS);
    Date::of_epoch(u64::try_from(moved).unwrap_or(0)).iso()
}
