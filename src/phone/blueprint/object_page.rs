//! The page that shows one object.

use super::app::{BlueprintApp, Msg};
use super::names::{Part, Tag};
use super::schema::DeleteFrom;
use super::store::ObjectId;
use crate::{Color, Edges, Env, Icon, Size, ToolbarAction, View, empty_state, toolbar};

pub(super) fn view(app: &BlueprintApp, id: ObjectId, env: &Env<'_>) -> View<Msg> {
    let up = Some((Icon::ArrowBack, "Navigate up", Msg::Up));
    let Some(object) = app.store.get(id) else {
        let gone = View::frame(vec![empty_state(Icon::Info, "It is not there any more")]).grow_y();
        return View::column(vec![toolbar(env.accent, up, "", Vec::new()), gone]).fill();
    };
    let kind = &app.blueprint().types[object.data_type];
    let names = app.names(object.data_type);
    let action = |part: Part, icon, click| {
        let Tag { id, desc } = names.tag(part);
        ToolbarAction { id, icon, desc, click }
    };
    let mut actions = vec![action(Part::Edit, Icon::Edit, Msg::Edit(id))];
    if kind.delete.from == DeleteFrom::Detail {
        actions.push(action(Part::Delete, Icon::Delete, Msg::Delete(vec![id])));
    }
    let title = View::text(object.name().to_owned())
        .id(names.tag(Part::Title).id)
        .size(22)
        .medium()
        .lines(4)
        .width(Size::Match)
        .pad(Edges::symmetric(16, 16));
    let mut lines = vec![title];
    for (place, field) in kind.fields.iter().enumerate().skip(1) {
        let value = app.shown_value(field.shape, &object.values[place]);
        lines.push(
            View::column(vec![
                View::text(field.label.0).size(12).color(Color::SECONDARY),
                View::text(value).id(names.value(place).id).lines(6).width(Size::Match),
            ])
            .pad(Edges::symmetric(16, 8)),
        );
    }
    lines.extend(app.members_view(id, object.data_type, env));
    let body = View::scroll("object_scroll", View::column(lines)).grow_y();
    View::column(vec![toolbar(env.accent, up, names.one, actions), body]).fill().background(Color::SURFACE)
}
