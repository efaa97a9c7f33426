//! A layout of classic views as Jetpack Compose would give it to accessibility: one activity, no ids, nearly everything
//! is an `android.view.View`, what has no meaning is left out, and labels are inside of what they label.

use taproof_screen::{Layout, LayoutBuilder, Text, Widget, WidgetFlags, WidgetIdx};

const VIEW: &str = "android.view.View";
const TEXT: &str = "android.widget.TextView";

/// Rewrites a layout of the app in front; those of other apps and of the system stay.
pub fn as_compose(layout: &Layout) -> Layout {
    let package = layout.package().to_owned();
    if !package.starts_with("org.taproof.") {
        return layout.clone();
    }
    let activity = Text::from(format!("{package}/.MainActivity"));
    let mut builder = LayoutBuilder::new(activity, layout.screen(), layout.rotation());
    for root in layout.roots() {
        // A window keeps its frame, and what is announced beside the windows has no view.
        let widget = layout.widget(root);
        if widget.is_announcement() || *widget.package != *package {
            copy(layout, root, &mut builder);
            continue;
        }
        builder.open(Widget {
            resource_id: None,
            class: "android.widget.FrameLayout".into(),
            ..widget.clone()
        });
        builder.open(plain(widget, "androidx.compose.ui.platform.ComposeView"));
        for child in layout.children(root) {
            emit(layout, child, &mut builder);
        }
        builder.close();
        builder.close();
    }
    builder.finish().with_unnamed_marked()
}

fn copy(layout: &Layout, idx: WidgetIdx, builder: &mut LayoutBuilder) {
    builder.open(layout.widget(idx).clone());
    layout.children(idx).for_each(|child| copy(layout, child, builder));
    builder.close();
}

/// A node at the place of the widget that says and does nothing.
fn plain(widget: &Widget, class: &str) -> Widget {
    Widget {
        class: class.into(),
        resource_id: None,
        text: "".into(),
        content_desc: "".into(),
        hint: "".into(),
        flags: WidgetFlags::ENABLED,
        ..widget.clone()
    }
}

fn emit(layout: &Layout, idx: WidgetIdx, builder: &mut LayoutBuilder) {
    let widget = layout.widget(idx);
    let children =
        |builder: &mut LayoutBuilder| layout.children(idx).for_each(|child| emit(layout, child, builder));
    let leaf = |builder: &mut LayoutBuilder, node: Widget| {
        builder.open(node);
        builder.close();
    };
    let snackbar = layout.children(idx).any(|child| layout.widget(child).short_id() == Some("snackbar_text"));
    let means = snackbar
        || widget.says().is_some()
        || widget.is_actionable()
        || widget.is_list()
        || widget.is_progress()
        || widget.flags.has(WidgetFlags::SELECTED);
    if !means {
        return children(builder);
    }
    let label = |text: &Text| Widget { text: text.clone(), ..plain(widget, TEXT) };
    let picture = |text: &Text| Widget { content_desc: text.clone(), ..plain(widget, VIEW) };
    let acts = widget.is_actionable() && !widget.is_text_field();
    let class = class_of(widget);
    // What can be tapped holds its text and its icon.
    let inside = acts && !widget.is_list() && !widget.class.ends_with("ScrollView");
    let (text, content_desc) = match inside || widget.is_list() {
        true => ("".into(), "".into()),
        false => (widget.text.clone(), widget.content_desc.clone()),
    };
    builder.open(Widget {
        class: class.into(),
        resource_id: None,
        hint: "".into(),
        text,
        content_desc,
        ..widget.clone()
    });
    if widget.is_text_field() && !widget.hint.is_empty() {
        leaf(builder, label(&widget.hint));
    }
    if inside && !widget.text.is_empty() {
        leaf(builder, label(&widget.text));
    }
    if inside && !widget.content_desc.is_empty() {
        leaf(builder, picture(&widget.content_desc));
    }
    children(builder);
    builder.close();
}

fn class_of(widget: &Widget) -> &str {
    const KEPT: [&str; 4] = ["EditText", "CheckBox", "RadioButton", "ProgressBar"];
    let own = &*widget.class;
    match KEPT.iter().find(|class| own.ends_with(**class)) {
        Some(_) => own,
        None if own.ends_with("ScrollView") => "android.widget.ScrollView",
        None if !widget.text.is_empty() && !widget.is_actionable() => TEXT,
        None => VIEW,
    }
}
