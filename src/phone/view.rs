//! The view toolkit: what an app's screens are made of.
//!
//! An app describes a screen as a tree of views, anew for each look; the phone places, dumps and draws it.
//! Lengths are dp (a third of a pixel row on this phone: 1 dp = 3 px), text sizes sp.

use std::borrow::Cow;

use super::{Env, ImeAction};

/// A colour, `0xRRGGBB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u32);

impl Color {
    /// White.
    pub const WHITE: Color = Color(0xFFFFFF);
    /// Main text on light ground.
    pub const TEXT: Color = Color(0x212121);
    /// Second line of a row, hints.
    pub const SECONDARY: Color = Color(0x757575);
    /// Dividers and borders.
    pub const DIVIDER: Color = Color(0xE0E0E0);
    /// The ground of a screen.
    pub const SURFACE: Color = Color(0xFAFAFA);
    /// Errors.
    pub const ERROR: Color = Color(0xB00020);
}

/// How long a view is along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As long as its content.
    Wrap,
    /// As long as its parent.
    Match,
    /// So many dp.
    Dp(i32),
    /// In a linear parent: this share of what the others leave.
    Weight(i32),
}

/// Space at the four edges, in dp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    /// Left.
    pub left: i32,
    /// Top.
    pub top: i32,
    /// Right.
    pub right: i32,
    /// Bottom.
    pub bottom: i32,
}

impl Edges {
    /// The same on all four.
    pub const fn all(dp: i32) -> Self {
        Edges { left: dp, top: dp, right: dp, bottom: dp }
    }

    /// Left and right, top and bottom.
    pub const fn symmetric(horizontal: i32, vertical: i32) -> Self {
        Edges { left: horizontal, top: vertical, right: horizontal, bottom: vertical }
    }
}

/// Where a view stands in the room its parent has for it, along one axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Left or top.
    #[default]
    Start,
    /// In the middle.
    Center,
    /// Right or bottom.
    End,
}

/// The direction of a linear container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Left to right.
    Horizontal,
    /// Top to bottom.
    Vertical,
}

/// A picture from the icon font; the names are Material's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Three bars.
    Menu,
    /// Arrow to the left.
    ArrowBack,
    /// Arrow up.
    ArrowUpward,
    /// Three dots.
    MoreVert,
    /// Magnifying glass.
    Search,
    /// Plus.
    Add,
    /// Cross.
    Close,
    /// Tick.
    Check,
    /// Pencil.
    Edit,
    /// Dustbin.
    Delete,
    /// Floppy disk.
    Save,
    /// Folder.
    Folder,
    /// Folder with a plus.
    CreateNewFolder,
    /// Sheet.
    File,
    /// Sheet with lines.
    Note,
    /// Eye.
    Visibility,
    /// Eye, struck out.
    VisibilityOff,
    /// Bars of falling length.
    Sort,
    /// Cog.
    Settings,
    /// Phone storage.
    Storage,
    /// Memory card.
    SdCard,
    /// Download tray.
    Download,
    /// Picture.
    Image,
    /// Camera.
    PhotoCamera,
    /// Musical note.
    MusicNote,
    /// Box with a lid.
    Archive,
    /// Box, taken out.
    Unarchive,
    /// Circle with an i.
    Info,
    /// Circle with a question mark.
    Help,
    /// Star.
    Star,
    /// Star, empty.
    StarBorder,
    /// Tag.
    Label,
    /// Clock.
    Schedule,
    /// Calendar.
    Event,
    /// Triangle to the right.
    PlayArrow,
    /// Square.
    Stop,
    /// Two bars.
    Pause,
    /// Arrow turned back.
    Undo,
    /// Circle arrows.
    Refresh,
    /// Clock turned back.
    History,
    /// Running figure.
    DirectionsRun,
    /// Bed.
    Bed,
    /// Book.
    Book,
    /// Knife and fork.
    Restaurant,
    /// Briefcase.
    Work,
    /// House.
    Home,
    /// Padlock.
    Lock,
    /// Wrong or missing.
    Error,
    /// Arrow to the right.
    ChevronRight,
    /// Android.
    Android,
    /// Share.
    Share,
    /// Copy.
    ContentCopy,
    /// Pin.
    PushPin,
    /// Chart.
    BarChart,
}

/// What a picture view shows: a landscape drawn from its seed, so that two pictures can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picture(pub u32);

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// Size in sp.
    pub size: i32,
    /// Medium instead of regular weight.
    pub medium: bool,
    /// Its colour.
    pub color: Color,
    /// At most so many lines; the rest becomes an ellipsis.
    pub max_lines: i32,
    /// Where the lines stand.
    pub align: Align,
}

impl Default for TextStyle {
    fn default() -> Self {
        TextStyle { size: 16, medium: false, color: Color::TEXT, max_lines: 1, align: Align::Start }
    }
}

/// A text field.
#[derive(Clone, Debug)]
pub struct Field<Msg> {
    /// What it holds.
    pub value: String,
    /// What it asks for while empty.
    pub hint: Cow<'static, str>,
    /// Sent with the new content at each change.
    pub on_change: fn(String) -> Msg,
    /// The keyboard's action key.
    pub ime: ImeAction,
    /// Sent when the action key is pressed; by default Next moves the focus and all others close the keyboard.
    pub on_action: Option<Msg>,
    /// Hides what is typed.
    pub password: bool,
    /// Takes several lines.
    pub multi_line: bool,
    /// Takes at most so many characters.
    pub max_len: usize,
    /// Has the focus when its page opens.
    pub auto_focus: bool,
}

/// How a checkable view looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStyle {
    /// `android.widget.CheckBox`
    CheckBox,
    /// `android.widget.Switch`
    Switch,
    /// `android.widget.RadioButton`
    Radio,
}

/// The rows of a scrolling list that are near the screen.
#[derive(Clone, Debug)]
pub struct ListRows<Msg> {
    /// Index of the first row built.
    pub first: usize,
    /// How many rows there are in all.
    pub total: usize,
    /// Height of every row, in dp.
    pub row_height: i32,
    /// The rows built.
    pub rows: Vec<View<Msg>>,
}

/// What a view holds.
#[derive(Clone, Debug)]
pub enum Content<Msg> {
    /// Nothing: space, a coloured block, a divider.
    Empty,
    /// Children one after another.
    Linear(Axis, Vec<View<Msg>>),
    /// Children one above another; the last is on top.
    Frame(Vec<View<Msg>>),
    /// One child that may be higher than the room for it.
    Scroll(Box<View<Msg>>),
    /// A scrolling list.
    List(ListRows<Msg>),
    /// A text.
    Text(Cow<'static, str>, TextStyle),
    /// A text field.
    Field(Field<Msg>),
    /// An icon: colour and size in dp.
    Icon(Icon, Color, i32),
    /// A picture.
    Picture(Picture),
    /// A checkable: style, whether it is checked, label.
    Check(CheckStyle, bool, Cow<'static, str>),
    /// A turning ring: something is being loaded.
    Progress,
}

/// The parts of a look that do not change the bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Fill.
    pub background: Option<Color>,
    /// Corner radius in dp.
    pub radius: i32,
    /// Shadow, in dp.
    pub elevation: i32,
    /// Outline.
    pub border: Option<Color>,
    /// A line at the bottom edge.
    pub divider: bool,
    /// Darkens everything behind it (a drawer's scrim).
    pub scrim: bool,
}

/// A node of a screen.
#[derive(Clone, Debug)]
pub struct View<Msg> {
    /// Full Android class name, as the dump shows it.
    pub class: &'static str,
    /// Resource id without the app's package (`fab`), or a whole one (`android:id/button1`).
    pub id: Option<&'static str>,
    /// What a screen reader says.
    pub content_desc: Cow<'static, str>,
    /// Width.
    pub width: Size,
    /// Height.
    pub height: Size,
    /// Space inside.
    pub padding: Edges,
    /// Space outside.
    pub margin: Edges,
    /// Where it stands in its parent's room, horizontally (in a row: ignored).
    pub align_x: Align,
    /// Where it stands in its parent's room, vertically (in a column: ignored).
    pub align_y: Align,
    /// What it holds.
    pub content: Content<Msg>,
    /// Sent at a tap.
    pub on_click: Option<Msg>,
    /// Sent at a long press.
    pub on_long_click: Option<Msg>,
    /// Not greyed out.
    pub enabled: bool,
    /// The chosen one among others.
    pub selected: bool,
    /// How it looks.
    pub look: Look,
}

impl<Msg> View<Msg> {
    /// A view of a class with a content; wraps it.
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
            enabled: true,
            selected: false,
            look: Look::default(),
        }
    }

    /// Children from top to bottom, as wide as the parent.
    pub fn column(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.LinearLayout", Content::Linear(Axis::Vertical, children)).width(Size::Match)
    }

    /// Children from left to right, as wide as the parent.
    pub fn row(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.LinearLayout", Content::Linear(Axis::Horizontal, children))
            .width(Size::Match)
    }

    /// Children above one another, as large as the parent.
    pub fn frame(children: Vec<View<Msg>>) -> Self {
        View::new("android.widget.FrameLayout", Content::Frame(children)).fill()
    }

    /// A child that scrolls vertically where it does not fit. Needs an id to remember its position.
    pub fn scroll(id: &'static str, child: View<Msg>) -> Self {
        View::new("android.widget.ScrollView", Content::Scroll(Box::new(child))).id(id).fill()
    }

    /// A scrolling list of `total` rows of one height; `row` builds the ones near the screen. Each row's
    /// width is the list's.
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

    /// A text.
    pub fn text(text: impl Into<Cow<'static, str>>) -> Self {
        View::new("android.widget.TextView", Content::Text(text.into(), TextStyle::default()))
    }

    /// A flat button; its text is drawn in the given colour.
    pub fn button(text: impl Into<Cow<'static, str>>, color: Color, click: Msg) -> Self {
        let style = TextStyle { size: 14, medium: true, color, align: Align::Center, ..TextStyle::default() };
        View::new("android.widget.Button", Content::Text(text.into(), style))
            .pad(Edges::symmetric(16, 0))
            .height(Size::Dp(48))
            .click(click)
    }

    /// A text field with an underline.
    pub fn field(id: &'static str, value: impl Into<String>, on_change: fn(String) -> Msg) -> Self {
        let field = Field {
            value: value.into(),
            hint: Cow::Borrowed(""),
            on_change,
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

    /// An icon in the given colour, 24 dp.
    pub fn icon(icon: Icon, color: Color) -> Self {
        View::new("android.widget.ImageView", Content::Icon(icon, color, 24))
    }

    /// A tappable icon, 48 by 48 dp; the description is what a screen reader (and a tester) reads.
    pub fn icon_button(icon: Icon, color: Color, desc: impl Into<Cow<'static, str>>, click: Msg) -> Self {
        View::new("android.widget.ImageButton", Content::Icon(icon, color, 24))
            .desc(desc)
            .width(Size::Dp(48))
            .height(Size::Dp(48))
            .click(click)
    }

    /// A picture.
    pub fn picture(picture: Picture) -> Self {
        View::new("android.widget.ImageView", Content::Picture(picture))
    }

    /// A checkable with a label; the app flips it when `click` arrives.
    pub fn check(style: CheckStyle, checked: bool, label: impl Into<Cow<'static, str>>, click: Msg) -> Self {
        let class = match style {
            CheckStyle::CheckBox => "android.widget.CheckBox",
            CheckStyle::Switch => "android.widget.Switch",
            CheckStyle::Radio => "android.widget.RadioButton",
        };
        View::new(class, Content::Check(style, checked, label.into())).height(Size::Dp(48)).click(click)
    }

    /// A turning ring.
    pub fn progress() -> Self {
        View::new("android.widget.ProgressBar", Content::Progress).width(Size::Dp(48)).height(Size::Dp(48))
    }

    /// Empty room.
    pub fn space() -> Self {
        View::new("android.view.View", Content::Empty)
    }

    /// Sets the resource id: `fab`, or a whole one such as `android:id/button1`.
    pub fn id(mut self, id: &'static str) -> Self {
        self.id = Some(id);
        self
    }

    /// Sets the class.
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

    /// As large as the parent.
    pub fn fill(self) -> Self {
        self.width(Size::Match).height(Size::Match)
    }

    /// In a row: takes the width that the others leave.
    pub fn grow_x(self) -> Self {
        self.width(Size::Weight(1))
    }

    /// In a column: takes the height that the others leave.
    pub fn grow_y(self) -> Self {
        self.width(Size::Match).height(Size::Weight(1))
    }

    /// Sets the space inside.
    pub fn pad(mut self, padding: Edges) -> Self {
        self.padding = padding;
        self
    }

    /// Sets the space outside.
    pub fn margin(mut self, margin: Edges) -> Self {
        self.margin = margin;
        self
    }

    /// Sets where it stands in its parent's room.
    pub fn align(mut self, x: Align, y: Align) -> Self {
        self.align_x = x;
        self.align_y = y;
        self
    }

    /// Sent at a tap.
    pub fn click(mut self, msg: Msg) -> Self {
        self.on_click = Some(msg);
        self
    }

    /// Sent at a long press.
    pub fn long_click(mut self, msg: Msg) -> Self {
        self.on_long_click = Some(msg);
        self
    }

    /// Greys it out unless `enabled`.
    pub fn enabled(mut self, enabled: bool) -> Self {
        self.enabled = enabled;
        self
    }

    /// Marks it as the chosen one.
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// Fills its ground.
    pub fn background(mut self, color: Color) -> Self {
        self.look.background = Some(color);
        self
    }

    /// Rounds its corners.
    pub fn radius(mut self, dp: i32) -> Self {
        self.look.radius = dp;
        self
    }

    /// Throws a shadow.
    pub fn elevation(mut self, dp: i32) -> Self {
        self.look.elevation = dp;
        self
    }

    /// Draws an outline.
    pub fn border(mut self, color: Color) -> Self {
        self.look.border = Some(color);
        self
    }

    /// Draws a line at its bottom edge.
    pub fn divider(mut self) -> Self {
        self.look.divider = true;
        self
    }

    /// Changes the style of a text view.
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

    /// Lets a text have several lines.
    pub fn lines(self, max_lines: i32) -> Self {
        self.style(|style| style.max_lines = max_lines)
    }

    /// Changes a text field.
    pub fn with_field(mut self, change: impl FnOnce(&mut Field<Msg>)) -> Self {
        if let Content::Field(field) = &mut self.content {
            change(field);
        }
        self
    }

    /// Sets what an empty field asks for.
    pub fn hint(self, hint: impl Into<Cow<'static, str>>) -> Self {
        let hint = hint.into();
        self.with_field(|field| field.hint = hint)
    }

    /// Gives a field the focus when its page opens.
    pub fn auto_focus(self) -> Self {
        self.with_field(|field| field.auto_focus = true)
    }

    /// Sets the keyboard's action key and what it sends.
    pub fn action(self, ime: ImeAction, msg: Msg) -> Self {
        self.with_field(|field| {
            field.ime = ime;
            field.on_action = Some(msg);
        })
    }
}
