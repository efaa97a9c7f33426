//! The page that shows one object.

use super::Msg;
use super::web_page;
use crate::app::BlueprintApp;
use crate::generate::names::{Part, Tag, TypeNames};
use crate::operators::Operator;
use crate::schema::{Blueprint, DeleteFrom};
use crate::store::{Object, ObjectId};
use taproof_phone::{
    Color, Edges, Env, Icon, Size, System, View, empty_state, tab_bar, toolbar, toolbar_action,
};

/// The page of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectPage {
    pub(crate) id: ObjectId,
    /// Whether the second tab is shown.
    pub(crate) second_tab: bool,
    /// How much larger the texts are.
    pub(crate) zoom: i32,
    /// Whether the phone was turned while it was shown.
    pub(crate) turned: bool,
    /// Whether it was looked at in a browser.
    pub(crate) browsed: bool,
}

/// The id of what is scrolled.
pub(crate) const SCROLL: &str = "object_scroll";

/// How many fields are on the first tab of an object to which nothing belongs.
const FIRST_FIELDS: usize = 3;

impl ObjectPage {
    pub(crate) fn of(id: ObjectId) -> ObjectPage {
        ObjectPage { id, second_tab: false, zoom: 0, turned: false, browsed: false }
    }
}

impl Blueprint {
    /// Whether there is something for a second tab of the page of an object.
    pub(crate) fn has_second_tab(&self, data_type: usize) -> bool {
        let kind = &self.types[data_type];
        kind.has_detail() && (kind.fields.len() > FIRST_FIELDS || self.members_of(data_type).next().is_some())
    }

    /// The tabs of the page of an object; `None` if it has none.
    pub(crate) fn object_tabs(&self, names: &[TypeNames], data_type: usize) -> Option<[&'static str; 2]> {
        let kind = &self.types[data_type];
        let mut members = self.members_of(data_type);
        let second = match (members.next(), members.next()) {
            (Some(member), None) => names[member].title,
            (Some(_), Some(_)) => "Contents",
            (None, _) if kind.fields.len() > FIRST_FIELDS => "More",
            (None, _) => return None,
        };
        kind.page.tabs.then_some(["Details", second])
    }

    /// Whether a field is on the second tab of the page of its object.
    pub(crate) fn is_on_second_tab(&self, data_type: usize, field: usize) -> bool {
        let kind = &self.types[data_type];
        kind.page.tabs && field >= FIRST_FIELDS && self.members_of(data_type).next().is_none()
    }
}

pub(crate) fn view(app: &BlueprintApp, page: ObjectPage, env: &Env<'_>) -> View<Msg> {
    let up = Some((Icon::ArrowBack, "Navigate up", Msg::Up));
    let Some(object) = app.store.get(page.id) else {
        let gone = View::frame(vec![empty_state(Icon::Info, "It is not there any more")]).grow_y();
        return View::column(vec![toolbar(env.accent, up, "", Vec::new()), gone]).fill();
    };
    shown(app, object, page, up, env)
}

/// The page of an object that is there, with what closes it.
pub(crate) fn shown(
    app: &BlueprintApp,
    object: &Object,
    page: ObjectPage,
    close: Option<(Icon, &'static str, Msg)>,
    env: &Env<'_>,
) -> View<Msg> {
    let id = page.id;
    let data_type = object.data_type;
    let kind = &app.blueprint().types[data_type];
    let names = app.names(data_type);
    let action = |part: Part, icon, click| {
        let Tag { id, desc } = names.tag(part);
        toolbar_action(id, icon, desc, click)
    };
    let mut actions = app.extra_actions(object);
    if kind.page.zoom {
        actions.push(action(Part::Larger, Icon::ZoomIn, Msg::Zoom(1)));
        actions.push(action(Part::Smaller, Icon::ZoomOut, Msg::Zoom(-1)));
    }
    if kind.list.star {
        let icon = if object.starred { Icon::Star } else { Icon::StarBorder };
        actions.push(action(Part::PageStar, icon, Msg::Star(id)));
    }
    actions.push(action(Part::Edit, Icon::Edit, Msg::Edit(id)));
    if kind.delete.from == DeleteFrom::Detail {
        actions.push(action(Part::Delete, Icon::Delete, Msg::Delete(vec![id])));
    }
    let actions = app.blueprint().changes.actions(actions);
    let mut rows = vec![toolbar(env.accent, close, names.one, actions)];
    let tabs = app.blueprint().object_tabs(&app.plan.names, data_type);
    if let Some(tabs) = tabs {
        let tab = |label, second| (label, second == page.second_tab, Msg::Tab(second));
        rows.push(tab_bar(env.accent, vec![tab(tabs[0], false), tab(tabs[1], true)]));
    }
    let web = app.blueprint().is_web_page(data_type);
    let line = if web { web_line } else { line };
    let mut lines = vec![title(app, object, page.zoom, web)];
    let all = tabs.is_none();
    for (place, field) in kind.fields.iter().enumerate().skip(1) {
        if all || app.blueprint().is_on_second_tab(data_type, place) == page.second_tab {
            let value = app.shown_value(field.shape, &object.values[place], env.language);
            let value = if app.is_blank(object) { String::new() } else { value };
            lines.push(line(field.label.0, value, names.value(place).id, page.zoom));
        }
    }
    if kind.play.is_some() && (all || !page.second_tab) {
        let player = app.say(env.language, app.player(id)).to_owned();
        lines.push(line("Player", player, names.tag(Part::Player).id, page.zoom));
    }
    if kind.block && (all || !page.second_tab) {
        let status = app.say(env.language, app.status(object)).to_owned();
        lines.push(line("Status", status, names.tag(Part::Status).id, page.zoom));
    }
    if all || page.second_tab {
        lines.extend(app.members_view(id, data_type, env));
    }
    let body = if web { web_page::document(lines) } else { View::scroll(SCROLL, View::column(lines)) };
    rows.push(body.grow_y());
    View::column(rows).fill().background(Color::SURFACE)
}

impl BlueprintApp {
    /// Whether a faulty page shows nothing of the object.
    fn is_blank(&self, object: &Object) -> bool {
        self.faulty(Operator::BlankAfterChoice, object.data_type) && !self.store.has_first_choice(object)
    }

    /// The activity that shows an object was recreated.
    pub(crate) fn object_recreated(&self, page: &mut ObjectPage, sys: &mut System<BlueprintApp>) {
        let Some(data_type) = self.type_of(page.id) else { return };
        if sys.changed.dark && self.faulty(Operator::CrashOnDark, data_type) {
            sys.crash(Operator::CrashOnDark.crash());
        }
        page.turned |= sys.changed.rotation;
        page.second_tab &= !(sys.changed.rotation && self.faulty(Operator::TabLostOnRotation, data_type));
    }

    pub(crate) fn zoom(&self, page: &mut ObjectPage, by: i32, sys: &mut System<BlueprintApp>) {
        let data_type = self.type_of(page.id);
        if page.turned && data_type.is_some_and(|it| self.faulty(Operator::CrashOnZoom, it)) {
            return sys.crash(Operator::CrashOnZoom.crash());
        }
        page.zoom = (page.zoom + by).clamp(-MOST_ZOOM, MOST_ZOOM);
    }
}

/// How often texts can be made larger, or smaller.
const MOST_ZOOM: i32 = 3;
/// How much larger one step makes them.
const ZOOM_SP: i32 = 2;

fn title(app: &BlueprintApp, object: &Object, zoom: i32, web: bool) -> View<Msg> {
    let name = if app.is_blank(object) { String::new() } else { app.name_on_page(object).to_owned() };
    if web {
        return web_page::heading(name, zoom * ZOOM_SP);
    }
    View::text(name)
        .id(app.tag(object.data_type, Part::Title).id)
        .size(22 + zoom * ZOOM_SP)
        .medium()
        .lines(4)
        .width(Size::Match)
        .pad(Edges::symmetric(16, 16))
}

/// The same on a web page, where nothing has an id.
fn web_line(label: &'static str, value: String, _id: &'static str, zoom: i32) -> View<Msg> {
    web_page::entry(label, value, zoom * ZOOM_SP)
}

/// The label of a field with its value.
fn line(label: &'static str, value: String, id: &'static str, zoom: i32) -> View<Msg> {
    View::column(vec![
        View::text(label).size(12).color(Color::SECONDARY),
        View::text(value).id(id).size(16 + zoom * ZOOM_SP).lines(6).width(Size::Match),
    ])
    .pad(Edges::symmetric(16, 8))
}
