//! What the roles of a page's nodes are as widgets: the classes that web views report to accessibility.

/// How nodes of a role become widgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It draws nothing of its own that is not in another node.
    Skipped,
    /// A text.
    Text,
    /// It has no meaning of its own, and is a widget only if something else makes it one.
    Plain,
    /// It holds other widgets, or a text alone.
    Container(&'static str),
    /// Its name says all that is in it.
    Whole(&'static str),
    /// As [`Kind::Whole`], and it is there to be clicked.
    Control(&'static str),
    /// As [`Kind::Control`], and it is checked or not.
    Checkable(&'static str),
    /// Its value is what it shows: a field, a list of choices, a slider.
    Valued(&'static str),
}

/// The class of what has no class of its own.
pub(super) const VIEW: &str = "android.view.View";
/// The class of a node that shows a text.
pub(super) const TEXT: &str = "android.widget.TextView";
/// The class of a field.
pub(super) const FIELD: &str = "android.widget.EditText";
/// The class of a button that stays pressed.
pub(super) const TOGGLE: &str = "android.widget.ToggleButton";
/// The class of a page, and of the web view around it.
pub(super) const WEB_VIEW: &str = "android.webkit.WebView";

/// What a node of this role is. Roles that are not named here are containers.
pub(super) fn kind(role: &str) -> Kind {
    match role {
        "InlineTextBox" | "ListMarker" | "LineBreak" => Kind::Skipped,
        "StaticText" => Kind::Text,
        "" | "none" | "generic" | "GenericContainer" | "LayoutTable" | "LayoutTableRow"
        | "LayoutTableCell" => Kind::Plain,
        "RootWebArea" => Kind::Container(WEB_VIEW),
        "list" | "listbox" | "menu" | "tree" => Kind::Container("android.widget.ListView"),
        "table" | "grid" | "treegrid" => Kind::Container("android.widget.GridView"),
        "tablist" => Kind::Container("android.widget.TabWidget"),
        "dialog" | "alertdialog" => Kind::Container("android.app.Dialog"),
        "image" | "img" | "Canvas" => Kind::Whole("android.widget.Image"),
        "button" | "DisclosureTriangle" => Kind::Control("android.widget.Button"),
        "tab" => Kind::Control("android.app.ActionBar.Tab"),
        "menuitem" | "option" | "MenuListOption" => Kind::Control(VIEW),
        "checkbox" | "menuitemcheckbox" => Kind::Checkable("android.widget.CheckBox"),
        "radio" | "menuitemradio" => Kind::Checkable("android.widget.RadioButton"),
        "switch" => Kind::Checkable("android.widget.Switch"),
        "textbox" | "searchbox" | "spinbutton" => Kind::Valued(FIELD),
        "combobox" => Kind::Valued("android.widget.Spinner"),
        "slider" => Kind::Valued("android.widget.SeekBar"),
        "progressbar" | "ProgressIndicator" | "meter" => Kind::Valued("android.widget.ProgressBar"),
        _ => Kind::Container(VIEW),
    }
}
