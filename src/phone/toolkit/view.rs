//! The view toolkit, of which an app's screens consist.
//!
//! An app describes a screen as a tree of views, which is created again whenever the screen is needed. The phone
//! places, dumps and draws it. Lengths are in dp (1 dp = 3 px on this phone), text sizes in sp.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use taproof_screen::words;

use crate::{Env, ImeAction};

/// A colour as `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u32);

impl Color {
    /// White, for cards and for text on the accent colour.
    pub const WHITE: Color = Color(0xFFFFFF);
    /// Primary text on a light background.
    pub const TEXT: Color = Color(0x212121);
    /// Secondary text and hints.
    pub const SECONDARY: Color = Color(0x757575);
    /// The grey of dividers and borders.
    pub const DIVIDER: Color = Color(0xE0E0E0);
    /// The background of a screen.
    pub const SURFACE: Color = Color(0xFAFAFA);
    /// The red of errors.
    pub const ERROR: Color = Color(0xB00020);
}

/// The size of a view along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// The size of the content.
    Wrap,
    /// The size of the parent.
    Match,
    /// A fixed size in dp.
    Dp(i32),
    /// In a linear parent: a share of the space that the others leave, in proportion to this weight.
    Weight(i32),
}

/// Distances at the four edges, in dp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// At the left edge, in dp.
    pub left: i32,
    /// At the upper edge, in dp.
    pub top: i32,
    /// At the right edge, in dp.
    pub right: i32,
    /// At the lower edge, in dp.
    pub bottom: i32,
}

impl Edges {
    /// The same distance at all edges.
    pub const fn all(dp: i32) -> Self {
        Edges { left: dp, top: dp, right: dp, bottom: dp }
    }

    /// One distance at the left and right, another at the top and bottom.
    pub const fn symmetric(horizontal: i32, vertical: i32) -> Self {
        Edges { left: horizontal, top: vertical, right: horizontal, bottom: vertical }
    }
}

/// The position of a view in the space that its parent provides, along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// At the left or top.
    #[default]
    Start,
    /// In the centre of the space.
    Center,
    /// At the right or bottom.
    End,
}

/// The direction of a linear container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// From left to right.
    Horizontal,
    /// From top to bottom.
    Vertical,
}

words! {
    /// An icon. The names are those of Google's Material Icons, whose catalogue shows them.
    #[allow(missing_docs, reason = "the names are defined by Material Icons")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Icon {
        Menu = "\u{E5D2}",
        ArrowBack = "\u{E5C4}",
        ArrowUpward = "\u{E5D8}",
        MoreVert = "\u{E5D4}",
        Search = "\u{E8B6}",
        Add = "\u{E145}",
        Close = "\u{E5CD}",
        Check = "\u{E5CA}",
        Edit = "\u{E3C9}",
        Delete = "\u{E872}",
        Save = "\u{E161}",
        Folder = "\u{E2C7}",
        CreateNewFolder = "\u{E2CC}",
        File = "\u{E24D}",
        Note = "\u{E873}",
        Visibility = "\u{E8F4}",
        VisibilityOff = "\u{E8F5}",
        Sort = "\u{E164}",
        Settings = "\u{E8B8}",
        Storage = "\u{E1DB}",
        SdCard = "\u{E623}",
        Download = "\u{E2C4}",
        Image = "\u{E3F4}",
        PhotoCamera = "\u{E412}",
        MusicNote = "\u{E405}",
        Archive = "\u{E149}",
        Unarchive = "\u{E169}",
        Info = "\u{E88E}",
        Help = "\u{E887}",
        Star = "\u{E838}",
        StarBorder = "\u{E83A}",
        Label = "\u{E892}",
        Schedule = "\u{E8B5}",
        Event = "\u{E878}",
        PlayArrow = "\u{E037}",
        Stop = "\u{E047}",
        Pause = "\u{E034}",
        Undo = "\u{E166}",
        SelectAll = "\u{E162}",
        Refresh = "\u{E5D5}",
        History = "\u{E889}",
        DirectionsRun = "\u{E566}",
        Bed = "\u{E53A}",
        Book = "\u{E865}",
        Restaurant = "\u{E56C}",
        Work = "\u{E8F9}",
        Home = "\u{E88A}",
        Lock = "\u{E897}",
        Error = "\u{E001}",
        ChevronRight = "\u{E5CC}",
        Android = "\u{E859}",
        Share = "\u{E80D}",
        ContentCopy = "\u{E14D}",
        PushPin = "\u{F10D}",
        BarChart = "\u{E26B}",
        ZoomIn = "\u{E8FF}",
        ZoomOut = "\u{E900}",
        LocalFlorist = "\u{E545}",
        Flight = "\u{E539}",
        DirectionsCar = "\u{E531}",
        Movie = "\u{E02C}",
        ShoppingCart = "\u{E8CC}",
        Person = "\u{E7FD}",
        School = "\u{E80C}",
        FormatQuote = "\u{E244}",
        Build = "\u{E869}",
        LocalPharmacy = "\u{E550}",
        AccountBalance = "\u{E84F}",
        Redeem = "\u{E8B1}",
        Radio = "\u{E03E}",
        Tv = "\u{E333}",
        Style = "\u{E41D}",
        SwapHoriz = "\u{E8D4}",
        Block = "\u{E14B}",
        Pets = "\u{E91D}",
    }
    /// The icon in the font, by the font's style sheet.
    pub(crate) fn glyph;
}

/// A landscape that is generated from this seed. Different seeds give distinguishable pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture(pub u32);

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// The size of the letters, in sp.
    pub size: i32,
    /// Medium instead of regular weight.
    pub medium: bool,
    /// The colour of the text.
    pub color: Color,
    /// Maximum number of lines; the rest is replaced by an ellipsis.
    pub max_lines: i32,
    /// The horizontal alignment of the lines.
    pub align: Align,
    /// Whether the text is the view's description, as many texts of web pages are.
    pub as_description: bool,
}

impl Default for TextStyle {
    fn default() -> Self {
        TextStyle {
            size: 16,
            medium: false,
            color: Color::TEXT,
            max_lines: 1,
            align: Align::Start,
            as_description: false,
        }
    }
}

/// Creates the message that a text field sends with its new text.
pub struct OnChange<Msg>(Arc<dyn Fn(String) -> Msg + Send + Sync>);

impl<Msg> OnChange<Msg> {
    /// The message for a new text.
    pub fn message(&self, text: String) -> Msg {
        (self.0)(text)
    }
}

impl<Msg> Clone for OnChange<Msg> {
    fn clone(&self) -> Self {
        OnChange(Arc::clone(&self.0))
    }
}

impl<Msg> fmt::Debug for OnChange<Msg> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnChange")
    }
}

/// The contents and the behaviour of a text field.
#[derive(Clone, Debug)]
pub struct Field<Msg> {
    /// The text that the field contains.
    pub value: String,
    /// The hint that is shown while the field is empty.
    pub hint: Cow<'static, str>,
    /// Creates the message that is sent with the new text after each change.
    pub on_change: OnChange<Msg>,
    /// The function of the keyboard's action key.
    pub ime: ImeAction,
    /// The message sent by the action key. By default, [`ImeAction::Next`] moves the focus and all others close the
    /// keyboard.
    pub on_action: Option<Msg>,
    /// Whether the text is hidden.
    pub password: bool,
    /// Whether the field has several lines.
    pub multi_line: bool,
    /// Maximum number of characters.
    pub max_len: usize,
    /// Whether the field gets the focus when its page opens.
    pub auto_focus: bool,
}

/// The style of a checkable view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStyle {
    /// A box with a tick, `android.widget.CheckBox`.
    CheckBox,
    /// A sliding switch, `android.widget.Switch`.
    Switch,
    /// A radio button, `android.widget.RadioButton`.
    Radio,
}

/// The rows of a scrolling list that may be visible.
#[derive(Clone, Debug)]
pub struct ListRows<Msg> {
    /// Index of the first row in `rows`.
    pub first: usize,
    /// Number of all rows of the list.
    pub total: usize,
    /// Height of every row, in dp.
    pub row_height: i32,
    /// The rows that may be visible.
    pub rows: Vec<View<Msg>>,
}

/// The content of a view.
#[derive(Clone, Debug)]
pub enum Content<Msg> {
    /// Nothing, for spaces, coloured areas and dividers.
    Empty,
    /// Children one after another.
    Linear(Axis, Vec<View<Msg>>),
    /// Children on top of each other, the topmost last.
    Frame(Vec<View<Msg>>),
    /// A child that can be scrolled vertically if it is higher than the view.
    Scroll(Box<View<Msg>>),
    /// A scrolling list with rows of equal height.
    List(ListRows<Msg>),
    /// A text with its style.
    Text(Cow<'static, str>, TextStyle),
    /// A text field with its behaviour.
    Field(Field<Msg>),
    /// An icon with its colour and its size in dp.
    Icon(Icon, Color, i32),
    /// A picture, drawn from its seed.
    Picture(Picture),
    /// A checkable view: its style, whether it is checked, its label.
    Check(CheckStyle, bool, Cow<'static, str>),
    /// A progress ring, which shows that something is being loaded.
    Progress,
}

/// The appearance of a view, which does not affect its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The background colour. `None` is transparent.
    pub background: Option<Color>,
    /// The corner radius in dp.
    pub radius: i32,
    /// The elevation in dp, which determines the shadow.
    pub elevation: i32,
    /// The colour of the outline. `None` for no outline.
    pub border: Option<Color>,
    /// Whether a line is drawn at the bottom edge.
    pub divider: bool,
    /// Whether everything behind the view is dimmed, as by a drawer's scrim.
    pub scrim: bool,
}

/// A node of a screen.
#[derive(Clone, Debug)]
pub struct View<Msg> {
    /// The full Android class name, as in a dump.
    pub class: &'static str,
    /// The resource id, either without the app's package (`fab`) or complete (`android:id/button1`).
    pub id: Option<&'static str>,
    /// The content description, for screen readers.
    pub content_desc: Cow<'static, str>,
    /// The width, which may depend on the parent.
    pub width: Size,
    /// The height, which may depend on the parent.
    pub height: Size,
    /// The distance between the edges and the content.
    pub padding: Edges,
    /// The distance around the edges.
    pub margin: Edges,
    /// The horizontal alignment in the parent. Ignored in a row.
    pub align_x: Align,
    /// The vertical alignment in the parent. Ignored in a column.
    pub align_y: Align,
    /// What the view shows, or its children.
    pub content: Content<Msg>,
    /// The message sent by a tap. `None` if the view is not clickable.
    pub on_click: Option<Msg>,
    /// The message sent by a long press. `None` if the view does not react to it.
    pub on_long_click: Option<Msg>,
    /// The message sent by a swipe to the left or the right, as on the row of a list. `None` if there is none.
    pub on_swipe: Option<Msg>,
    /// Whether the view is not greyed out.
    pub enabled: bool,
    /// Whether the view is selected.
    pub selected: bool,
    /// The appearance, which does not affect the bounds.
    pub look: Look,
}

/// Makes texts as large as a system whose texts are larger than normal.
pub(crate) fn enlarged<Msg>(view: &mut View<Msg>) {
    if let Content::Text(_, style) = &mut view.content {
        style.size = style.size * 13 / 10;
    }
}

/// Makes everything as large as a system whose display size is larger than normal.
pub(crate) fn magnified<Msg>(view: &mut View<Msg>) {
    let larger = |dp: i32| dp * 9 / 8;
    let size = |size: Size| if let Size::Dp(dp) = size { Size::Dp(larger(dp)) } else { size };
    let edges = |edges: Edges| Edges {
        left: larger(edges.left),
        top: larger(edges.top),
        right: larger(edges.right),
        bottom: larger(edges.bottom),
    };
    (view.width, view.height) = (size(view.width), size(view.height));
    (view.padding, view.margin) = (edges(view.padding), edges(view.margin));
    match &mut view.content {
        Content::Text(_, style) => style.size = style.size * 9 / 8,
        Content::Icon(_, _, dp) => *dp = larger(*dp),
        _ => {}
    }
}

impl<Msg> View<Msg> {
    /// Changes the view and all views in it.
    #[must_use]
    pub fn with_each(mut self, change: &impl Fn(&mut View<Msg>)) -> View<Msg> {
        change(&mut self);
        let all =
            |children: Vec<View<Msg>>| children.into_iter().map(|child| child.with_each(change)).collect();
        self.content = match self.content {
            Content::Linear(axis, children) => Content::Linear(axis, all(children)),
            Content::Frame(children) => Content::Frame(all(children)),
            Content::Scroll(child) => Content::Scroll(Box::new(child.with_each(change))),
            Content::List(list) => Content::List(ListRows { rows: all(list.rows), ..list }),
            content => content,
        };
        self
    }

    /// Creates a view as large as its content.
    pub fn new(class: &'static str, content: Content<Msg>) -> Self {
        View {
            class,
            id: None,
            content_desc: Cow::Borrowed(""),
            width: Size::Wrap,
            height: Size::Wrap,
            padding: Edges::default(),
            margin: Edges::default(),
            align_x: Align::Start,
            align_y: Align::Start,
            content,
            on_click: None,
            on_long_click: None,
            on_swipe: None,
            enabled: true,
            selected: false,
            look: Look::default(),
        }
    }

    /// Children from top to bottom. As wide as the parent.
    pub fn column(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.LinearLayout", Content::Linear(Axis::Vertical, children)).width(Size::Match)
    }

    /// Children from left to right. As wide as the parent.
    pub fn row(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.LinearLayout", Content::Linear(Axis::Horizontal, children))
            .width(Size::Match)
    }

    /// Children on top of each other. As large as the parent.
    pub fn frame(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.FrameLayout", Content::Frame(children)).fill()
    }

    /// A child that can be scrolled vertically if it does not fit. The scroll position is stored under the id.
    pub fn scroll(id: &'static str, child: View<Msg>) -> Self {
        View::new("android.widget.ScrollView", Content::Scroll(Box::new(child))).id(id).fill()
    }

    /// A scrolling list of `total` rows with the same height in dp. `row` creates the row with an index; it is only
    /// called for rows that may be visible. Rows are as wide as the list.
    pub fn list(
        id: &'static str,
        env: &Env<'_>,
        total: usize,
        row_height: i32,
        row: impl FnMut(usize) -> View<Msg>,
    ) -> Self {
        let (first, end) = env.rows_near_screen(id, total, row_height);
        let rows = (first..end).map(row).collect();
        let content = Content::List(ListRows { first, total, row_height, rows });
        View::new("androidx.recyclerview.widget.RecyclerView", content).id(id).fill()
    }

    /// A view with a text.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        View::new("android.widget.TextView", Content::Text(text.into(), TextStyle::default()))
    }

    /// A flat button with a text in this colour.
    pub fn button(text: impl Into<Cow<'static, str>>, color: Color, click: Msg) -> Self {
        let style = TextStyle { size: 14, medium: true, color, align: Align::Center, ..TextStyle::default() };
        View::new("android.widget.Button", Content::Text(text.into(), style))
            .pad(Edges::symmetric(16, 0))
            .height(Size::Dp(48))
            .click(click)
    }

    /// A text field with an underline.
    pub fn field(
        id: &'static str,
        value: impl Into<String>,
        on_change: impl Fn(String) -> Msg + Send + Sync + 'static,
    ) -> Self {
        let field = Field {
            value: value.into(),
            hint: Cow::Borrowed(""),
            on_change: OnChange(Arc::new(on_change)),
            ime: ImeAction::Done,
            on_action: None,
            password: false,
            multi_line: false,
            max_len: 1000,
            auto_focus: false,
        };
        View::new("android.widget.EditText", Content::Field(field))
            .id(id)
            .width(Size::Match)
            .height(Size::Dp(48))
            .pad(Edges::symmetric(4, 8))
    }

    /// An icon in this colour, with a size of 24 dp.
    pub fn icon(icon: Icon, color: Color) -> Self {
        View::new("android.widget.ImageView", Content::Icon(icon, color, 24))
    }

    /// A clickable icon of 48 by 48 dp. Its description is for screen readers (and testers).
    pub fn icon_button(icon: Icon, color: Color, desc: impl Into<Cow<'static, str>>, click: Msg) -> Self {
        View::new("android.widget.ImageButton", Content::Icon(icon, color, 24))
            .desc(desc)
            .width(Size::Dp(48))
            .height(Size::Dp(48))
            .click(click)
    }

    /// A view with a picture.
    pub fn picture(picture: Picture) -> Self {
        View::new("android.widget.ImageView", Content::Picture(picture))
    }

    /// A checkable view with a label. The app must change `checked` when it receives `click`.
    pub fn check(style: CheckStyle, checked: bool, label: impl Into<Cow<'static, str>>, click: Msg) -> Self {
        let class = match style {
            CheckStyle::CheckBox => "android.widget.CheckBox",
            CheckStyle::Switch => "android.widget.Switch",
            CheckStyle::Radio => "android.widget.RadioButton",
        };
        View::new(class, Content::Check(style, checked, label.into())).height(Size::Dp(48)).click(click)
    }

    /// A progress ring of 48 by 48 dp.
    pub fn progress() -> Self {
        View::new("android.widget.ProgressBar", Content::Progress).width(Size::Dp(48)).height(Size::Dp(48))
    }

    /// A view without content, as a spacer.
    pub fn space() -> Self {
        View::new("android.view.View", Content::Empty)
    }

    /// Sets the resource id: `fab`, or a complete one such as `android:id/button1`.
    pub fn id(mut self, id: &'static str) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the full class name.
    pub fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Sets the content description.
    pub fn desc(mut self, desc: impl Into<Cow<'static, str>>) -> Self {
        self.content_desc = desc.into();
        self
    }

    /// Sets the width.
    pub fn width(mut self, width: Size) -> Self {
        self.width = width;
        self
    }

    /// Sets the height.
    pub fn height(mut self, height: Size) -> Self {
        self.height = height;
        self
    }

    /// Makes the view as large as its parent.
    pub fn fill(self) -> Self {
        self.width(Size::Match).height(Size::Match)
    }

    /// In a row: takes the width that the others leave.
    pub fn grow_x(self) -> Self {
        self.width(Size::Weight(1))
    }

    /// In a column: takes the height that the others leave, and the full width.
    pub fn grow_y(self) -> Self {
        self.width(Size::Match).height(Size::Weight(1))
    }

    /// Sets the padding.
    pub fn pad(mut self, padding: Edges) -> Self {
        self.padding = padding;
        self
    }

    /// Sets the margin.
    pub fn margin(mut self, margin: Edges) -> Self {
        self.margin = margin;
        self
    }

    /// Sets the alignment in the parent.
    pub fn align(mut self, x: Align, y: Align) -> Self {
        self.align_x = x;
        self.align_y = y;
        self
    }

    /// Sets the message sent by a tap.
    pub fn click(mut self, msg: Msg) -> Self {
        self.on_click = Some(msg);
        self
    }

    /// Sets the message sent by a long press.
    pub fn long_click(mut self, msg: Msg) -> Self {
        self.on_long_click = Some(msg);
        self
    }

    /// Sets the message sent by a swipe to the left or the right.
    pub fn swipe(mut self, msg: Msg) -> Self {
        self.on_swipe = Some(msg);
        self
    }

    /// Greys the view out unless `enabled`.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Marks the view as selected or not.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// Sets the background colour.
    pub fn background(mut self, color: Color) -> Self {
        self.look.background = Some(color);
        self
    }

    /// Sets the corner radius in dp.
    pub fn radius(mut self, dp: i32) -> Self {
        self.look.radius = dp;
        self
    }

    /// Sets the elevation in dp, which determines the shadow.
    pub fn elevation(mut self, dp: i32) -> Self {
        self.look.elevation = dp;
        self
    }

    /// Sets the colour of an outline.
    pub fn border(mut self, color: Color) -> Self {
        self.look.border = Some(color);
        self
    }

    /// Draws a line at the bottom edge.
    pub fn divider(mut self) -> Self {
        self.look.divider = true;
        self
    }

    /// Changes the style of a text. Has no effect on other views.
    pub fn style(mut self, change: impl FnOnce(&mut TextStyle)) -> Self {
        if let Content::Text(_, style) = &mut self.content {
            change(style);
        }
        self
    }

    /// Sets the size of a text in sp.
    pub fn size(self, sp: i32) -> Self {
        self.style(|style| style.size = sp)
    }

    /// Sets the colour of a text.
    pub fn color(self, color: Color) -> Self {
        self.style(|style| style.color = color)
    }

    /// Sets a text in medium weight.
    pub fn medium(self) -> Self {
        self.style(|style| style.medium = true)
    }

    /// Sets the maximum number of lines of a text.
    pub fn lines(self, max_lines: i32) -> Self {
        self.style(|style| style.max_lines = max_lines)
    }

    /// Changes a text field. Has no effect on other views.
    pub fn with_field(mut self, change: impl FnOnce(&mut Field<Msg>)) -> Self {
        if let Content::Field(field) = &mut self.content {
            change(field);
        }
        self
    }

    /// Sets the hint of a text field.
    pub fn hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        let hint = hint.into();
        self.with_field(|field| field.hint = hint)
    }

    /// Gives a text field the focus when its page opens.
    pub fn auto_focus(self) -> Self {
        self.with_field(|field| field.auto_focus = true)
    }

    /// Sets the function of the keyboard's action key, and the message that it sends.
    pub fn action(self, ime: ImeAction, msg: Msg) -> Self {
        self.with_field(|field| {
            field.ime = ime;
            field.on_action = Some(msg);
        })
    }
}
