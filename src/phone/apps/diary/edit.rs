//! The page of a new or an existing activity, the choice of its colour, and the list of all activities.

use super::store::{ActivityId, NameRefusal, PALETTE};
use super::{Diary, Page, with_offer};
use crate::{
    Align, Color, Edges, Env, Icon, Size, System, View, dialog, empty_state, page_toolbar, text_field,
    toolbar, toolbar_action,
};
use taproof_screen::words;

/// The contents of an editor.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    title: &'static str,
    name: String,
    color: Color,
}

/// The page of an activity.
#[derive(Clone, Debug)]
pub struct EditPage {
    /// The activity being edited. `None` for a new one.
    target: Option<ActivityId>,
    draft: Draft,
    /// Whether saving was attempted, so that a missing name is reported as well.
    tried: bool,
}

words! {
    /// A message to the pages of activities.
    #[derive(Clone, Debug)]
    pub enum Msg {
        /// The name was changed to this.
        Name(String) = "diary.edit.name",
        /// The coloured bar was tapped.
        PickColor = "diary.edit.pick-color",
        /// A colour was tapped.
        Color(Color) = "diary.edit.color",
        /// The save button was tapped.
        Save = "diary.edit.save",
        /// The delete button was tapped.
        Delete = "diary.edit.delete",
        /// A row of the list was tapped.
        Open(ActivityId) = "diary.manage.open",
        /// The button of the list for a new activity was tapped.
        New = "diary.manage.new",
    }
    fn point(&self);
}

impl EditPage {
    /// The page for a new activity.
    pub(super) fn new(app: &Diary) -> Self {
        let draft = Draft { title: "New Activity", name: String::new(), color: app.store.next_color() };
        EditPage { target: None, draft, tried: false }
    }

    /// The page for an existing activity.
    pub(super) fn of(app: &Diary, id: ActivityId) -> Self {
        // Editors are registered by name. For an activity that has been renamed since, the look-up falls through to the
        // one that was registered last and never saved.
        let lost = app.bugs.abandoned_new && app.memory.renamed.contains(&id);
        let found = app.memory.abandoned.as_ref().filter(|_| lost).cloned();
        let draft = found.unwrap_or_else(|| {
            let (name, color) = app.label(id);
            Draft { title: "Edit Activity", name, color }
        });
        EditPage { target: Some(id), draft, tried: false }
    }

    fn error(&self, app: &Diary) -> String {
        match app.store.refusal(self.target, &self.draft.name) {
            Some(NameRefusal::Taken) => format!("Activity with name {} already exists.", self.draft.name),
            Some(NameRefusal::Blank) if self.tried => "An activity needs a name.".to_owned(),
            Some(NameRefusal::Blank) | None => String::new(),
        }
    }
}

fn send(msg: Msg) -> super::Msg {
    super::Msg::Edit(msg)
}

pub(super) fn view(app: &Diary, page: &EditPage, env: &Env<'_>) -> View<super::Msg> {
    let mut actions = Vec::with_capacity(2);
    if page.target.is_some() {
        actions.push(toolbar_action(
            "action_edit_delete",
            Icon::Delete,
            "Delete Activity",
            send(Msg::Delete),
        ));
    }
    actions.push(toolbar_action("action_edit_done", Icon::Check, "Save", send(Msg::Save)));
    let bar =
        toolbar(env.accent, Some((Icon::Close, "Navigate up", super::Msg::Close)), page.draft.title, actions);
    let name = View::field("edit_activity_name", page.draft.name.as_str(), |text| send(Msg::Name(text)))
        .hint("Activity Title");
    let label = View::text("Activity Color")
        .id("edit_activity_color_label")
        .size(14)
        .color(Color::SECONDARY)
        .margin(Edges { left: 0, top: 12, right: 0, bottom: 4 });
    let color = View::space()
        .class("android.widget.ImageView")
        .id("edit_activity_color")
        .desc("Activity Color")
        .width(Size::Match)
        .height(Size::Dp(50))
        .background(page.draft.color)
        .radius(2)
        .click(send(Msg::PickColor));
    let form = View::column(vec![text_field(name, &page.error(app)), label, color]).pad(Edges::all(12));
    View::column(vec![bar, form]).fill().background(Color::SURFACE)
}

pub(super) fn update(app: &mut Diary, page: &mut EditPage, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Name(name) => page.draft.name = name,
        Msg::PickColor => sys.open(Page::Colors),
        Msg::Color(color) => page.draft.color = color,
        Msg::Save => save(app, page, sys),
        Msg::Delete => {
            if let Some(id) = page.target {
                if app.store.running().is_some_and(|entry| entry.activity == id) {
                    sys.cover("diary.edit.delete-running");
                }
                app.store.delete(id, sys.now);
                app.rebind_tiles();
                sys.finish_with(super::Msg::Deleted(id));
            }
        }
        Msg::Open(_) | Msg::New => {}
    }
}

fn save(app: &mut Diary, page: &mut EditPage, sys: &mut System<Diary>) {
    page.tried = true;
    if let Some(refusal) = app.store.refusal(page.target, &page.draft.name) {
        sys.cover(match refusal {
            NameRefusal::Blank => "diary.edit.blank",
            NameRefusal::Taken => "diary.edit.taken",
        });
        // In landscape, the keyboard would cover the error message.
        sys.hide_keyboard();
        return;
    }
    let (name, color) = (page.draft.name.clone(), page.draft.color);
    match page.target {
        Some(id) => {
            if app.store.change(id, name, color) {
                sys.cover("diary.edit.renamed");
                app.memory.renamed.push(id);
            }
        }
        None => {
            sys.cover("diary.edit.created");
            let id = app.store.create(name, color);
            app.store.start(id, sys.now);
        }
    }
    app.memory.abandoned = None;
    app.memory.undo = None;
    app.rebind_tiles();
    sys.finish();
}

/// Leaves the page without saving.
pub(super) fn leave(app: &mut Diary, page: &EditPage, sys: &mut System<Diary>) {
    sys.cover("diary.edit.left");
    if page.target.is_none() {
        sys.cover("diary.edit.new-one-left");
        app.memory.abandoned = Some(page.draft.clone());
    }
    sys.finish();
}

pub(super) fn colors_view(env: &Env<'_>) -> View<super::Msg> {
    let swatch = |color: &Color| {
        View::space()
            .id("color_swatch")
            .width(Size::Dp(48))
            .height(Size::Dp(48))
            .margin(Edges::symmetric(8, 4))
            .background(*color)
            .radius(24)
            .click(send(Msg::Color(*color)))
    };
    let rows =
        PALETTE.chunks(4).map(|colors| View::row(colors.iter().map(swatch).collect()).height(Size::Wrap));
    dialog("Activity Color", rows.collect(), env.accent, vec![("Cancel", super::Msg::Close)])
}

pub(super) fn manage_view(app: &Diary, env: &Env<'_>) -> View<super::Msg> {
    let living = app.store.living();
    let new = toolbar_action("action_add_activity", Icon::Add, "Add Activity", send(Msg::New));
    let mut rows = vec![page_toolbar(env.accent, super::Msg::Close, "Edit Activities", vec![new])];
    rows.push(if living.is_empty() {
        env.cover("diary.view.nothing-to-manage");
        View::frame(vec![empty_state(Icon::Edit, "No activities yet. Tap + to add one.")]).grow_y()
    } else {
        View::list("manage_activity_list", env, living.len(), 52, |row| match living.get(row) {
            Some((id, activity)) => manage_row(*id, &activity.name, activity.color),
            None => View::space(),
        })
        .grow_y()
    });
    with_offer(rows, app.undo_bar(env.now))
}

fn manage_row(id: ActivityId, name: &str, color: Color) -> View<super::Msg> {
    let mark = View::space().width(Size::Dp(24)).height(Size::Dp(24)).background(color).radius(12);
    let text = View::text(name.to_owned())
        .id("activity_name")
        .grow_x()
        .margin(Edges::symmetric(16, 0))
        .align(Align::Start, Align::Center);
    View::row(vec![mark.align(Align::Start, Align::Center), text])
        .height(Size::Match)
        .pad(Edges::symmetric(16, 0))
        .divider()
        .click(send(Msg::Open(id)))
}

pub(super) fn manage_update(app: &Diary, msg: Msg, sys: &mut System<Diary>) {
    sys.cover(msg.point());
    match msg {
        Msg::Open(id) => sys.open(Page::Edit(EditPage::of(app, id))),
        Msg::New => sys.open(Page::Edit(EditPage::new(app))),
        Msg::Name(_) | Msg::PickColor | Msg::Color(_) | Msg::Save | Msg::Delete => {}
    }
}
