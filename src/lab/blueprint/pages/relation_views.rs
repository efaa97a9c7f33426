//! Relations between data types: the objects that belong to one, on its page, and the choice of an owner.

use crate::app::BlueprintApp;
use crate::generate::names::{Part, Tag};
use crate::pages::Msg;
use crate::pages::form_page::{self, FormPage};
use crate::schema::Cascade;
use crate::store::{ObjectId, Order};
use taproof_phone::{
    Align, CheckStyle, Color, Edges, Env, Icon, Language, Size, View, dialog, list_row, section,
};

const MEMBER_DP: i32 = 56;
const CHOICE_DP: i32 = 48;
/// How many choices are shown before the list is scrolled.
const SHOWN_CHOICES: usize = 6;
/// What stands for no owner.
pub(crate) const NO_OWNER: &str = "None";

/// The choice of an owner, above a form.
#[derive(Clone, Debug)]
pub struct Picker {
    pub(crate) data_type: usize,
    field: usize,
    chosen: String,
}

impl Picker {
    pub(crate) fn of(form: &FormPage, field: usize) -> Picker {
        Picker { data_type: form.data_type, field, chosen: form.value(field).to_owned() }
    }
}

impl BlueprintApp {
    /// What a field with the id of an owner shows.
    pub(crate) fn owner_name(&self, value: &str, language: Language) -> String {
        let owner = self.store.owner_by_value(value);
        owner.map_or_else(|| self.say(language, NO_OWNER), |owner| owner.name()).to_owned()
    }

    /// What the question whether to delete an object says of what belongs to it.
    pub(crate) fn deleted_as_well(&self, owner: ObjectId, owner_type: usize, language: Language) -> String {
        let blueprint = self.blueprint();
        let told = blueprint.members_of(owner_type).filter_map(|data_type| {
            let kind = &blueprint.types[data_type];
            let cascades = kind.owner.is_some_and(|it| it.deletion == Cascade::Delete);
            let count = self.store.members(owner, data_type).len();
            let noun = if count == 1 { kind.noun } else { kind.plural };
            let (and, noun) = (self.say(language, "and"), self.say(language, noun.0));
            (cascades && count > 0).then(|| format!(" {and} {count} {noun}"))
        });
        told.collect()
    }

    /// What belongs to an object: for each type a heading, its objects, a button that adds one.
    pub(crate) fn members_view(&self, owner: ObjectId, owner_type: usize, env: &Env<'_>) -> Vec<View<Msg>> {
        let of_type = |data_type| self.members_of_type(owner, data_type, env);
        self.blueprint().members_of(owner_type).flat_map(of_type).collect()
    }

    fn members_of_type(&self, owner: ObjectId, data_type: usize, env: &Env<'_>) -> Vec<View<Msg>> {
        let names = self.names(data_type);
        let icon = self.blueprint().types[data_type].icon;
        let members = self.store.members(owner, data_type);
        let title = self.say(env.language, names.title);
        let count = self.member_count(owner, data_type, members.len());
        let mut views = vec![section(format!("{title} ({count})"), env.accent)];
        views.extend(members.into_iter().map(|member| {
            let title = (names.tag(Part::Member).id, member.listed.clone());
            list_row(Some((icon, Color::SECONDARY)), title, ("", String::new()), Vec::new())
                .height(Size::Dp(MEMBER_DP))
                .click(Msg::Open(member.id))
        }));
        let Tag { id, desc } = names.tag(Part::AddMember);
        let plus = View::icon(Icon::Add, env.accent).margin(Edges::symmetric(16, 0));
        let words = View::text(desc).size(14).medium().color(env.accent).grow_x();
        let add = View::row(vec![
            plus.align(Align::Start, Align::Center),
            words.pad(Edges { left: 4, ..Edges::default() }).align(Align::Start, Align::Center),
        ]);
        let add = add.height(Size::Dp(MEMBER_DP)).id(id).desc(desc).click(Msg::NewIn(owner, data_type));
        views.push(add);
        views
    }

    /// The owners from which one is chosen.
    pub(crate) fn picker_view(&self, picker: &Picker, env: &Env<'_>) -> View<Msg> {
        let names = self.names(picker.data_type);
        let owners = self.blueprint().owner_of(picker.data_type);
        let owners = owners.map(|it| self.store.ordered(it, Order::Added)).unwrap_or_default();
        let mut choices = vec![(String::new(), self.say(env.language, NO_OWNER).to_owned())];
        choices.extend(owners.into_iter().map(|owner| (owner.id.to_string(), owner.listed.clone())));
        let id = names.tag(Part::Choice).id;
        let is_chosen = |value: &str| value == picker.chosen;
        let any = choices.iter().any(|(value, _)| !value.is_empty() && is_chosen(value));
        let rows = choices.into_iter().map(|(value, name)| {
            let chosen = if value.is_empty() { !any } else { is_chosen(&value) };
            let msg = Msg::Form(form_page::Msg::Owner(picker.field, value));
            View::check(CheckStyle::Radio, chosen, name, msg)
                .id(id)
                .width(Size::Match)
                .height(Size::Dp(CHOICE_DP))
        });
        let rows: Vec<View<Msg>> = rows.collect();
        let shown = i32::try_from(rows.len().min(SHOWN_CHOICES)).unwrap_or(1);
        let list = View::scroll("choices", View::column(rows)).height(Size::Dp(shown * CHOICE_DP));
        dialog(names.tag(Part::Choose).desc, vec![list], env.accent, vec![("Cancel", Msg::Close)])
    }
}
