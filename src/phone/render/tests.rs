//! Tests of what is drawn, pixel by pixel where that is meaningful. If `TAPROOF_PICTURES` names a folder, every scene
//! is also written there as a PNG.

use taproof_screen::determinism::DeviceInstant;
use taproof_screen::{PxRect, PxSize, Rotation};

use super::super::*;
use super::draw;
use crate::system::keyboard::keyboard;
use crate::system::process::KeyboardState;
use crate::toolkit::measure::{Focus, place_window, wanted_size};
use taproof_engine::device::Screenshot;

const ACCENT: Color = Color(0x00897B);

struct Stage {
    scene: Scene,
    fonts: Fonts,
    room: PxRect,
}

impl Stage {
    fn new(rotation: Rotation) -> Self {
        let (width, height) = if rotation.sideways() { (1920, 1080) } else { (1080, 1920) };
        Stage {
            scene: Scene {
                screen: PxSize { width, height },
                rotation,
                network: true,
                clock: Date::at(DeviceInstant::default()).clock(),
                status_color: ACCENT,
                windows: Vec::new(),
                keyboard: None,
                toast: None,
            },
            fonts: Fonts::new(),
            room: PxRect::new(0, 72, width, height - 144),
        }
    }

    fn keyboard(mut self, state: KeyboardState, action: Option<ImeAction>) -> Self {
        let keys = keyboard(self.room, self.scene.rotation.sideways(), state, action);
        self.room.bottom = keys.bounds.top;
        self.scene.keyboard = Some(keys);
        self
    }

    fn screen(mut self, view: View<()>, focus: Focus) -> Self {
        let bounds = PxRect::new(0, 0, self.scene.screen.width, self.room.bottom);
        let placed = place_window(view, &self.fonts, bounds, self.room, false, focus, &mut Vec::new());
        self.scene.windows.push(placed.window);
        self
    }

    fn floating(mut self, view: View<()>, focus: Focus, dims: bool) -> Self {
        let (width, height) =
            wanted_size(&view, &self.fonts, self.room.width() - 48, self.room.height() - 48);
        let left = if dims { (self.room.width() - width) / 2 } else { self.room.right - width - 12 };
        let top = if dims { self.room.top + (self.room.height() - height) / 2 } else { self.room.top + 12 };
        let rect = PxRect::new(left, top, left + width, top + height);
        let placed = place_window(view, &self.fonts, rect, rect, dims, focus, &mut Vec::new());
        self.scene.windows.push(placed.window);
        self
    }

    fn env(&self) -> Env<'static> {
        Env {
            rotation: self.scene.rotation,
            language: Language::English,
            dark: false,
            network: true,
            settings: crate::Settings::default(),
            width: self.room.width() / PX_PER_DP,
            height: self.room.height() / PX_PER_DP,
            now: DeviceInstant::default(),
            accent: ACCENT,
            scrolls: &[],
            points: &[],
            executed: Box::leak(Box::default()),
        }
    }

    fn draw(&self, name: &str) -> Screenshot {
        let picture = draw(&self.scene, &self.fonts);
        assert_eq!(picture.size, self.scene.screen);
        assert_eq!(picture.rgba.len(), (picture.size.width * picture.size.height * 4) as usize);
        assert!(picture.rgba.iter().skip(3).step_by(4).all(|&alpha| alpha == 255));
        if let Some(folder) = std::env::var_os("TAPROOF_PICTURES") {
            let path = std::path::Path::new(&folder).join(format!("{name}.png"));
            let (width, height) = (picture.size.width as u32, picture.size.height as u32);
            image::save_buffer(path, &picture.rgba, width, height, image::ColorType::Rgba8).unwrap();
        }
        picture
    }
}

fn pixel(picture: &Screenshot, x: i32, y: i32) -> [u8; 3] {
    let start = ((y * picture.size.width + x) * 4) as usize;
    picture.rgba[start..start + 3].try_into().unwrap()
}

fn focus(id: &'static str, cursor: usize) -> Focus {
    Focus { id: Some(id), cursor }
}

fn action(icon: Icon) -> View<()> {
    toolbar_action("action", icon, "", ())
}

fn bar() -> View<()> {
    let navigation = Some((Icon::Menu, "Open navigation drawer", ()));
    toolbar(ACCENT, navigation, "Files", vec![action(Icon::Search), action(Icon::MoreVert)])
}

fn file_list(env: &Env<'_>) -> View<()> {
    const ROWS: [(Icon, &str, &str); 8] = [
        (Icon::Folder, "Documents", "3 items · 5 Jan 2026"),
        (Icon::Folder, "Pictures of the holidays in the mountains, second week", "12 items"),
        (Icon::File, "notes.txt", "1.2 kB"),
        (Icon::Image, "sunset.png", "2.4 MB"),
        (Icon::MusicNote, "Größe naïve café", "3:51"),
        (Icon::Archive, "漢字 and 🙂 are boxes", "7.1 MB"),
        (Icon::Lock, "secret.txt", ""),
        (Icon::Error, "gjpqy ÅÉÎ", "broken"),
    ];
    View::list("list", env, 20, 72, |index| {
        let (icon, title, subtitle) = ROWS[index % ROWS.len()];
        let color = if icon == Icon::Folder { Color(0xFFB300) } else { Color::SECONDARY };
        let star = View::icon_button(Icon::StarBorder, Color::SECONDARY, "", ());
        list_row(Some((icon, color)), ("title", title.into()), ("subtitle", subtitle.into()), vec![star])
            .selected(index == 2)
            .enabled(index != 4)
            .click(())
    })
}

fn list_page(env: &Env<'_>) -> View<()> {
    let tabs = tab_bar(ACCENT, vec![("Device", true, ()), ("SD card", false, ()), ("Recent", false, ())]);
    let snack = snackbar("Deleted notes.txt", Some(("UNDO", ())));
    let body =
        View::frame(vec![file_list(env), fab("fab", Icon::Add, "Add", Color(0xFF4081), ()), snack]).grow_y();
    View::column(vec![bar(), tabs, body]).height(Size::Match)
}

#[test]
fn draws_a_list_with_everything_around_it() {
    let mut stage = Stage::new(Rotation::PORTRAIT);
    let env = stage.env();
    stage = stage.screen(list_page(&env), Focus::default());
    stage.scene.toast = Some("Renamed “notes.txt” to “list.txt”".into());
    let picture = stage.draw("list");
    assert_eq!(pixel(&picture, 540, 90), [0x00, 0x89, 0x7B]);
    assert_eq!(pixel(&picture, 5, 1915), [0, 0, 0]);
    assert_eq!(picture, stage.draw("list"));
}

#[test]
fn draws_a_list_sideways() {
    let stage = Stage::new(Rotation::LANDSCAPE);
    let env = stage.env();
    stage.screen(list_page(&env), Focus::default()).draw("list_sideways");
}

#[test]
fn darkens_what_is_behind_a_dialog() {
    let stage = Stage::new(Rotation::PORTRAIT);
    let env = stage.env();
    let stage = stage.keyboard(KeyboardState::default(), Some(ImeAction::Done));
    let field = View::field("name", "Holiday", |_| ()).hint("Name");
    let body = vec![
        text_field(field, "A file of that name exists already."),
        View::check(CheckStyle::CheckBox, true, "Open it at once", ()),
    ];
    let buttons = vec![("CANCEL", ()), ("CREATE", ())];
    let stage = stage.screen(list_page(&env), Focus::default()).floating(
        dialog("New folder", body, ACCENT, buttons),
        focus("name", 7),
        true,
    );
    let picture = stage.draw("dialog");
    assert_eq!(pixel(&picture, 540, 90)[0], 0);
    assert!(pixel(&picture, 540, 90)[1] < 0x60);
}

#[test]
fn draws_a_menu_with_its_shadow() {
    let stage = Stage::new(Rotation::PORTRAIT);
    let env = stage.env();
    let labels = ["New folder", "Sort by name", "Show hidden files", "Settings"];
    let menu = popup_menu(labels.map(|label| popup_item(label, ())).to_vec());
    stage.screen(list_page(&env), Focus::default()).floating(menu, Focus::default(), false).draw("menu");
}

#[test]
fn draws_a_drawer_over_its_page() {
    let stage = Stage::new(Rotation::PORTRAIT);
    let env = stage.env();
    let items = vec![
        drawer_item(Icon::Storage, "Internal storage", true, ()),
        drawer_item(Icon::SdCard, "SD card", false, ()),
        drawer_item(Icon::Download, "Downloads", false, ()),
        drawer_item(Icon::Settings, "Settings", false, ()),
    ];
    stage.screen(with_drawer(list_page(&env), ACCENT, "Files", items, ()), Focus::default()).draw("drawer");
}

#[test]
fn draws_controls_and_fields() {
    let stage = Stage::new(Rotation::PORTRAIT).keyboard(KeyboardState { shift: true, symbols: false }, None);
    let password = View::field("password", "secret", |_| ()).with_field(|field| field.password = true);
    let long = "A text that is far too long for the field that it stands in, so that its end is shown";
    let view = View::column(vec![
        page_toolbar(ACCENT, (), "Settings", vec![action(Icon::Check)]),
        section("GENERAL", ACCENT),
        setting_row("hidden", "Show hidden files", "Names that begin with a dot", true, ()).divider(),
        setting_row("thumbs", "Thumbnails", "Draw small pictures", false, ()).enabled(false),
        View::check(CheckStyle::CheckBox, false, "Unchecked", ()).margin(Edges::symmetric(8, 0)),
        View::check(CheckStyle::Radio, true, "By name", ()).margin(Edges::symmetric(8, 0)),
        View::check(CheckStyle::Radio, false, "By size", ()).margin(Edges::symmetric(8, 0)),
        View::field("long", long, |_| ()).margin(Edges::symmetric(16, 0)),
        View::row(vec![password.grow_x(), View::field("empty", "", |_| ()).hint("Search…").grow_x()])
            .pad(Edges::symmetric(16, 0)),
        View::row(vec![
            View::progress(),
            View::button("FLAT", ACCENT, ()),
            View::button("RAISED", Color::WHITE, ()).background(ACCENT).radius(4).elevation(2),
            View::button("OUTLINED", ACCENT, ()).border(ACCENT).radius(20).margin(Edges::symmetric(8, 0)),
        ])
        .pad(Edges::all(8)),
    ])
    .height(Size::Match);
    stage.screen(view, focus("long", long.len())).draw("controls");
}

#[test]
fn draws_a_page_to_write_on() {
    let stage = Stage::new(Rotation::PORTRAIT).keyboard(KeyboardState { shift: false, symbols: true }, None);
    let text = "Milk, eggs and flour\n\nA longer line that has to be broken because it does not fit the screen\n- end";
    let note = View::field("body", text, |_| ()).with_field(|field| field.multi_line = true);
    let search = View::field("search", "", |_| ()).hint("Search notes").grow_x();
    let top = View::row(vec![View::icon_button(Icon::ArrowBack, Color::WHITE, "", ()), search])
        .height(Size::Dp(56))
        .background(ACCENT)
        .elevation(4);
    let view = View::column(vec![top, note.grow_y().pad(Edges::all(16))]).height(Size::Match);
    stage.screen(view, focus("body", text.len())).draw("note");
}

#[test]
fn draws_pictures_that_differ() {
    let stage = Stage::new(Rotation::PORTRAIT);
    let row = |first: u32| {
        let tiles = (first..first + 3).map(|seed| {
            let tile = View::picture(Picture(seed)).grow_x().height(Size::Dp(100));
            tile.margin(Edges::all(4)).radius(if seed % 2 == 0 { 12 } else { 0 })
        });
        View::row(tiles.collect())
    };
    let mut rows: Vec<View<()>> = (0..3).map(|row_number| row(row_number * 3)).collect();
    rows.push(View::picture(Picture(77)).grow_y());
    let stage = stage.screen(View::column(rows).height(Size::Match), Focus::default());
    let picture = stage.draw("pictures");
    assert_ne!(pixel(&picture, 150, 100), pixel(&picture, 850, 100));
}

#[test]
fn has_a_glyph_for_every_icon() {
    use Icon::*;
    const ICONS: [Icon; 74] = [
        Menu,
        ArrowBack,
        ArrowUpward,
        MoreVert,
        Search,
        Add,
        Close,
        Check,
        Edit,
        Delete,
        Save,
        Folder,
        CreateNewFolder,
        File,
        Note,
        Visibility,
        VisibilityOff,
        Sort,
        Settings,
        Storage,
        SdCard,
        Download,
        Image,
        PhotoCamera,
        MusicNote,
        Archive,
        Unarchive,
        Info,
        Help,
        Star,
        StarBorder,
        Label,
        Schedule,
        Event,
        PlayArrow,
        Stop,
        Pause,
        Undo,
        Refresh,
        History,
        DirectionsRun,
        Bed,
        Book,
        Restaurant,
        Work,
        Home,
        Lock,
        Error,
        ChevronRight,
        Android,
        Share,
        ContentCopy,
        PushPin,
        BarChart,
        ZoomIn,
        ZoomOut,
        LocalFlorist,
        Flight,
        DirectionsCar,
        Movie,
        ShoppingCart,
        Person,
        School,
        FormatQuote,
        Build,
        LocalPharmacy,
        AccountBalance,
        Redeem,
        Radio,
        Tv,
        Style,
        SwapHoriz,
        Block,
        Pets,
    ];
    let stage = Stage::new(Rotation::PORTRAIT);
    for icon in ICONS {
        assert!(
            stage.fonts.has_glyph(super::icons::codepoint(icon), crate::toolkit::fonts::Typeface::Icons),
            "{icon:?}"
        );
    }
    let cell = |icon: &Icon| {
        let name = View::text(format!("{icon:?}")).size(10).align(Align::Center, Align::Start);
        let picture = View::icon(*icon, Color::TEXT).align(Align::Center, Align::Start);
        View::column(vec![picture, name]).grow_x().height(Size::Dp(54))
    };
    let rows = ICONS.chunks(6).map(|icons| View::row(icons.iter().map(cell).collect())).collect();
    stage.screen(View::column(rows), Focus::default()).draw("icons");
}

#[test]
fn draws_views_that_leave_the_screen() {
    let stage = Stage::new(Rotation::PORTRAIT);
    let huge = View::text("x".repeat(5000)).size(200).background(ACCENT).radius(500).elevation(90);
    let odd = View::picture(Picture(1)).width(Size::Dp(0)).height(Size::Dp(4000));
    let view = View::frame(vec![huge.margin(Edges::all(-50)), odd, View::progress().width(Size::Dp(1))]);
    stage.screen(view, Focus::default()).draw("odd");
}
