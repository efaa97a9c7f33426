//! The building blocks of Material apps: bars, rows, menus, dialogs. They have Android's resource ids where those
//! exist, so that dumps look real.

use std::borrow::Cow;

use crate::{Align, CheckStyle, Color, Content, Edges, Icon, Size, View};

/// The toolbar: an optional navigation icon (icon, description, message), a title, actions.
pub fn toolbar<Msg>(
    accent: Color,
    navigation: Option<(Icon, &'static str, Msg)>,
    title: impl Into<Cow<'static, str>>,
    actions: Vec<View<Msg>>,
) -> View<Msg> {
    let mut children = Vec::with_capacity(actions.len() + 2);
    if let Some((icon, desc, click)) = navigation {
        children.push(View::icon_button(icon, Color::WHITE, desc, click).align(Align::Start, Align::Center));
    }
    children.push(
        View::text(title)
            .id("toolbar_title")
            .size(20)
            .medium()
            .color(Color::WHITE)
            .grow_x()
            .pad(Edges::symmetric(16, 0))
            .align(Align::Start, Align::Center),
    );
    children.extend(actions);
    app_bar(accent, children)
}

/// An icon at the right of a toolbar, with its resource id, such as `action_search`, and its content description.
pub fn toolbar_action<Msg>(id: &'static str, icon: Icon, desc: &'static str, click: Msg) -> View<Msg> {
    View::icon_button(icon, Color::WHITE, desc, click).id(id).align(Align::Start, Align::Center)
}

/// The toolbar of a page that the arrow at the left closes.
pub fn page_toolbar<Msg>(
    accent: Color,
    up: Msg,
    title: impl Into<Cow<'static, str>>,
    actions: Vec<View<Msg>>,
) -> View<Msg> {
    toolbar(accent, Some((Icon::ArrowBack, "Navigate up", up)), title, actions)
}

/// A page that the arrow at the left closes, with rows in a scrolled column of this id.
pub fn scrolled_page<Msg>(
    accent: Color,
    up: Msg,
    title: &'static str,
    (id, rows): (&'static str, Vec<View<Msg>>),
) -> View<Msg> {
    let bar = page_toolbar(accent, up, title, Vec::new());
    View::column(vec![bar, View::scroll(id, View::column(rows)).grow_y()]).fill().background(Color::SURFACE)
}

/// The bar of a search: its field between the arrow that closes the page and a cross that empties the field.
pub fn search_bar<Msg>(accent: Color, field: View<Msg>, up: Msg, clear: Msg) -> View<Msg> {
    let field = field.auto_focus().grow_x().background(Color::WHITE).radius(4);
    let up = View::icon_button(Icon::ArrowBack, Color::WHITE, "Navigate up", up);
    let clear = View::icon_button(Icon::Close, Color::WHITE, "Clear query", clear).id("search_clear");
    let middle = |view: View<Msg>| view.align(Align::Start, Align::Center);
    app_bar(accent, [up, field, clear].map(middle).into())
}

/// The bar at the top of a page, with these views beside one another.
pub fn app_bar<Msg>(accent: Color, children: Vec<View<Msg>>) -> View<Msg> {
    View::row(children)
        .class("android.view.ViewGroup")
        .id("toolbar")
        .height(Size::Dp(56))
        .pad(Edges::symmetric(4, 0))
        .background(accent)
        .elevation(4)
}

/// The floating action button at the bottom right of a frame.
pub fn fab<Msg>(id: &'static str, icon: Icon, desc: &'static str, accent: Color, click: Msg) -> View<Msg> {
    View::icon_button(icon, Color::WHITE, desc, click)
        .id(id)
        .width(Size::Dp(56))
        .height(Size::Dp(56))
        .margin(Edges::all(16))
        .align(Align::End, Align::End)
        .background(accent)
        .radius(28)
        .elevation(6)
}

/// A row of a list: icon, title, second line (omitted if empty), trailing views. The row has no click message yet.
pub fn list_row<Msg>(
    icon: Option<(Icon, Color)>,
    title: (&'static str, String),
    subtitle: (&'static str, String),
    trailing: Vec<View<Msg>>,
) -> View<Msg> {
    let mut lines = vec![View::text(title.1).id(title.0).width(Size::Match)];
    if !subtitle.1.is_empty() {
        lines.push(View::text(subtitle.1).id(subtitle.0).size(13).color(Color::SECONDARY).width(Size::Match));
    }
    let mut children = Vec::with_capacity(trailing.len() + 2);
    if let Some((icon, color)) = icon {
        children
            .push(View::icon(icon, color).margin(Edges::symmetric(16, 0)).align(Align::Start, Align::Center));
    }
    let left = if children.is_empty() { 16 } else { 4 };
    let text_edges = Edges { left, top: 0, right: 8, bottom: 0 };
    children.push(View::column(lines).grow_x().pad(text_edges).align(Align::Start, Align::Center));
    children.extend(trailing.into_iter().map(|view| view.align(Align::Start, Align::Center)));
    View::row(children).height(Size::Match).divider()
}

/// A row of a settings page with a switch: title, explanation, switch.
pub fn setting_row<Msg: Clone>(
    id: &'static str,
    title: &'static str,
    explanation: &'static str,
    on: bool,
    click: Msg,
) -> View<Msg> {
    let switch = View::check(CheckStyle::Switch, on, "", click.clone()).id(id);
    list_row(
        None,
        ("android:id/title", title.to_owned()),
        ("android:id/summary", explanation.to_owned()),
        vec![switch.margin(Edges { left: 0, top: 0, right: 16, bottom: 0 })],
    )
    .height(Size::Dp(72))
    .click(click)
}

/// A heading within a page.
pub fn section<Msg>(text: impl Into<Cow<'static, str>>, accent: Color) -> View<Msg> {
    View::text(text).size(14).medium().color(accent).width(Size::Match).pad(Edges {
        left: 16,
        top: 16,
        right: 16,
        bottom: 8,
    })
}

/// The placeholder of an empty list: an icon and a sentence on how to fill it.
pub fn empty_state<Msg>(icon: Icon, text: impl Into<Cow<'static, str>>) -> View<Msg> {
    let mut picture = View::icon(icon, Color::DIVIDER).align(Align::Center, Align::Start);
    if let Content::Icon(_, _, size) = &mut picture.content {
        *size = 72;
    }
    let words = View::text(text)
        .id("empty_text")
        .color(Color::SECONDARY)
        .lines(3)
        .style(|style| style.align = Align::Center)
        .margin(Edges::symmetric(32, 12))
        .align(Align::Center, Align::Start);
    View::column(vec![picture, words]).id("empty_view").height(Size::Wrap).align(Align::Center, Align::Center)
}

/// A progress ring in the centre of a frame.
pub fn loading<Msg>(id: &'static str) -> View<Msg> {
    View::progress().id(id).align(Align::Center, Align::Center)
}

/// The contents of a dialog: title, body, buttons. The last button is at the right and has the id `android:id/button1`
/// (the positive one), the one before it `android:id/button2`, the one before that `android:id/button3`.
pub fn dialog<Msg>(
    title: impl Into<Cow<'static, str>>,
    body: Vec<View<Msg>>,
    accent: Color,
    buttons: Vec<(&'static str, Msg)>,
) -> View<Msg> {
    const IDS: [&str; 3] = ["android:id/button1", "android:id/button2", "android:id/button3"];
    let mut children =
        vec![View::text(title).id("alertTitle").size(20).medium().lines(2).width(Size::Match).pad(Edges {
            left: 24,
            top: 20,
            right: 24,
            bottom: 12,
        })];
    // Fields have an inner padding of 4 dp; with the same margin, texts are aligned with the title as well.
    let body = body.into_iter().map(|mut view| {
        if matches!(view.content, Content::Text(..)) && view.padding == Edges::default() {
            view.margin.left += 4;
        }
        view
    });
    children.push(View::column(body.collect()).id("custom").pad(Edges::symmetric(20, 0)));
    let count = buttons.len();
    let mut bar: Vec<View<Msg>> = vec![View::space().grow_x()];
    for (place, (label, click)) in buttons.into_iter().enumerate() {
        let id = IDS[(count - 1 - place).min(2)];
        bar.push(View::button(label, accent, click).id(id));
    }
    children.push(View::row(bar).id("buttonPanel").pad(Edges::symmetric(8, 4)));
    View::column(children).width(Size::Dp(300)).background(Color::WHITE).radius(4).elevation(16)
}

/// A text in the body of a dialog.
pub fn dialog_message<Msg>(text: impl Into<Cow<'static, str>>) -> View<Msg> {
    View::text(text)
        .id("android:id/message")
        .lines(4)
        .color(Color::SECONDARY)
        .width(Size::Match)
        .align(Align::Start, Align::Start)
        .pad(Edges::symmetric(4, 4))
}

/// A text field with its label for a dialog or a form, with an error message below it (omitted if empty).
pub fn text_field<Msg>(field: View<Msg>, error: &str) -> View<Msg> {
    let mut children = vec![field];
    if !error.is_empty() {
        children.push(
            View::text(error.to_owned())
                .id("textinput_error")
                .size(12)
                .color(Color::ERROR)
                .lines(2)
                .pad(Edges::symmetric(4, 2)),
        );
    }
    View::column(children).class("com.google.android.material.textfield.TextInputLayout").height(Size::Wrap)
}

/// A menu: a column of entries on a card.
pub fn popup_menu<Msg>(items: Vec<View<Msg>>) -> View<Msg> {
    View::scroll("menu_list", View::column(items))
        .class("android.widget.ListView")
        .width(Size::Dp(196))
        .height(Size::Wrap)
        .pad(Edges::symmetric(0, 8))
        .background(Color::WHITE)
        .radius(2)
        .elevation(8)
}

/// An entry of a menu.
pub fn popup_item<Msg>(label: impl Into<Cow<'static, str>>, click: Msg) -> View<Msg> {
    let text = View::text(label).id("android:id/title").align(Align::Start, Align::Center);
    View::row(vec![text]).height(Size::Dp(48)).pad(Edges::symmetric(16, 0)).click(click)
}

/// The tab bar below a toolbar: the label of each tab, whether it is selected, its message.
pub fn tab_bar<Msg>(accent: Color, tabs: Vec<(&'static str, bool, Msg)>) -> View<Msg> {
    let tabs = tabs
        .into_iter()
        .map(|(label, selected, click)| {
            let color = if selected { Color::WHITE } else { Color(0xD0D0D0) };
            View::text(label)
                .size(14)
                .medium()
                .color(color)
                .style(|style| style.align = Align::Center)
                .grow_x()
                .height(Size::Dp(48))
                .selected(selected)
                .click(click)
        })
        .collect();
    View::row(tabs).class("android.widget.HorizontalScrollView").id("tabs").background(accent).elevation(4)
}

/// A line at the bottom of a frame that offers to undo something. Show it for a few seconds only.
pub fn snackbar<Msg>(text: impl Into<Cow<'static, str>>, action: Option<(&'static str, Msg)>) -> View<Msg> {
    let mut children = vec![
        View::text(text)
            .id("snackbar_text")
            .size(14)
            .color(Color::WHITE)
            .grow_x()
            .align(Align::Start, Align::Center),
    ];
    if let Some((label, click)) = action {
        children.push(View::button(label, Color(0x80CBC4), click).id("snackbar_action"));
    }
    View::row(children)
        .height(Size::Dp(48))
        .pad(Edges { left: 16, top: 0, right: 0, bottom: 0 })
        .margin(Edges::all(8))
        .align(Align::Start, Align::End)
        .background(Color(0x323232))
        .radius(4)
        .elevation(6)
}

/// A page with an open drawer above it. The page is dimmed; a tap on it sends `close`.
pub fn with_drawer<Msg>(
    page: View<Msg>,
    accent: Color,
    heading: &'static str,
    items: Vec<View<Msg>>,
    close: Msg,
) -> View<Msg> {
    let header = View::text(heading)
        .size(20)
        .medium()
        .color(Color::WHITE)
        .width(Size::Match)
        .height(Size::Dp(120))
        .background(accent)
        .pad(Edges { left: 16, top: 76, right: 16, bottom: 0 });
    let mut children = vec![header];
    children.extend(items);
    let entries = View::scroll("design_navigation_view", View::column(children));
    let drawer = View::column(vec![entries.grow_y()])
        .class("com.google.android.material.navigation.NavigationView")
        .id("navigation_view")
        .width(Size::Dp(280))
        .height(Size::Match)
        .background(Color::WHITE)
        .elevation(16);
    let mut scrim = View::space().id("scrim").fill().click(close);
    scrim.look.scrim = true;
    View::frame(vec![page, scrim, drawer])
        .class("androidx.drawerlayout.widget.DrawerLayout")
        .id("drawer_layout")
}

/// An entry of a drawer.
pub fn drawer_item<Msg>(
    icon: Icon,
    label: impl Into<Cow<'static, str>>,
    selected: bool,
    click: Msg,
) -> View<Msg> {
    let icon = View::icon(icon, Color::SECONDARY).align(Align::Start, Align::Center);
    let text = View::text(label)
        .class("android.widget.CheckedTextView")
        .id("design_menu_item_text")
        .size(14)
        .medium()
        .margin(Edges { left: 32, top: 0, right: 0, bottom: 0 })
        .align(Align::Start, Align::Center);
    View::row(vec![icon, text])
        .height(Size::Dp(48))
        .pad(Edges::symmetric(16, 0))
        .selected(selected)
        .click(click)
}
