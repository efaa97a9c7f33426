//! A device that plays back a recorded walk: a folder of dumps and pictures of a real app on a real phone
//! (`step-NN.xml`, `step-NN.png`), and the events between them (`events.json`, `walk.json`).
//!
//! It advances when the recorded event is performed and ignores any other.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use image::{ImageFormat, imageops};

use super::{AppData, AppId, Device, DeviceError, DeviceInfo, Screenshot};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::format::{
    FormatWarning, WalkAction, WalkEvent, WalkInfo, parse_hierarchy, parse_walk_events, parse_walk_info,
    picture_size, read_rgba,
};
use taproof_screen::{
    AppHealth, Event, Frame, Gesture, Layout, PxSize, RecordedStep, Resolved, Rotation, Text, TouchTarget,
    WidgetIdx,
};

/// A recorded walk as a [`Device`].
#[derive(Debug)]
pub struct RecordedDevice {
    info: DeviceInfo,
    app: AppId,
    title: String,
    screens: Vec<Screen>,
    events: Vec<RecordedEvent>,
    warnings: Vec<(usize, FormatWarning)>,
    position: usize,
}

/// A recorded event, with what was in front before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedEvent {
    /// The recorded event. A widget's selector contains all four attributes and the instance.
    pub event: Event,
    /// The widget that was touched, on the layout before. `None` for a key or a rotation, and if the selector names
    /// nothing there or a widget with other bounds.
    pub touched: Option<WidgetIdx>,
    /// `package/class` of the activity in front before the event.
    pub activity_before: Text,
    /// `package/class` of the activity in front after the event.
    pub activity_after: Text,
}

#[derive(Debug)]
struct Screen {
    frame: Frame,
    png: Arc<Vec<u8>>,
    /// How the picture must be rotated to match the layout.
    turn: Turn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    None,
    Left,
    Right,
}

fn bad(path: &Path, problem: impl ToString) -> DeviceError {
    DeviceError::BadRecording { path: path.display().to_string(), problem: problem.to_string() }
}

fn read(path: &Path) -> Result<Vec<u8>, DeviceError> {
    std::fs::read(path).map_err(|error| bad(path, format!("cannot be read: {error}")))
}

fn read_text(path: &Path) -> Result<String, DeviceError> {
    String::from_utf8(read(path)?).map_err(|error| bad(path, format!("is not UTF-8: {error}")))
}

impl RecordedDevice {
    /// Opens the folder of a walk at step 0. Reads all files, but decodes no picture.
    ///
    /// # Errors
    ///
    /// [`DeviceError::BadRecording`] if the folder or a file is missing (`walk.json` may be) or malformed.
    pub fn open(dir: &Path) -> Result<RecordedDevice, DeviceError> {
        if !dir.is_dir() {
            return Err(bad(dir, "there is no such folder; a walk is a folder with an events.json"));
        }
        let info = walk_info(&dir.join("walk.json"))?;
        let path = dir.join("events.json");
        let walk = parse_walk_events(&read_text(&path)?).map_err(|error| bad(&path, error))?;
        let (mut layouts, mut pngs, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..=walk.len() {
            let path = dir.join(format!("step-{step:02}.xml"));
            let parsed = parse_hierarchy(&read(&path)?).map_err(|error| bad(&path, error))?;
            warnings.extend(parsed.warnings.into_iter().map(|warning| (step, warning)));
            layouts.push(parsed.layout);
            let path = dir.join(format!("step-{step:02}.png"));
            let png = read(&path)?;
            let size = picture_size(&png, ImageFormat::Png).map_err(|error| bad(&path, error))?;
            pngs.push((png, size));
        }
        let activities = activities(&walk);
        let app = app_of(&info, &activities, layouts.first());
        let screens = screens(&walk, layouts, pngs, &activities, &app);
        let serial = format!("recording {}", dir.file_name().unwrap_or(dir.as_os_str()).display());
        Ok(RecordedDevice {
            info: device_info(serial, screens.first()),
            events: recorded_events(walk, &screens, &activities),
            app,
            title: info.title,
            screens,
            warnings,
            position: 0,
        })
    }

    /// The app that was recorded.
    pub fn app(&self) -> &AppId {
        &self.app
    }

    /// What is done in the walk; empty if `walk.json` does not contain it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Number of recorded events. There is one layout more.
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event was recorded.
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// The current step: 0 is before the first event, `len()` after the last.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes to a step, or to the last one if there are fewer.
    pub fn seek(&mut self, step: usize) {
        self.position = step.min(self.events.len());
    }

    /// The recorded events in order, each with the layouts before and after it.
    pub fn recorded_steps(&self) -> impl Iterator<Item = RecordedStep> {
        self.events.iter().enumerate().filter_map(|(step, recorded)| {
            Some(RecordedStep {
                event: recorded.event.clone(),
                before: Arc::clone(self.layout(step)?),
                after: Arc::clone(self.layout(step + 1)?),
            })
        })
    }

    /// The recorded events in order; event `n` leads from step `n` to step `n + 1`.
    pub fn events(&self) -> &[RecordedEvent] {
        &self.events
    }

    /// The frame of a step; `None` if there are fewer steps.
    pub fn frame(&self, step: usize) -> Option<&Frame> {
        self.screens.get(step).map(|screen| &screen.frame)
    }

    /// The layout of a step; `None` if there are fewer steps.
    pub fn layout(&self, step: usize) -> Option<&Arc<Layout>> {
        self.frame(step).map(|frame| &frame.layout)
    }

    /// The picture of a step as stored in the folder; `None` if there are fewer steps. If the device does not rotate
    /// its pictures, this one is not rotated either; [`RecordedDevice::picture`] is.
    pub fn png(&self, step: usize) -> Option<&Arc<Vec<u8>>> {
        self.screens.get(step).map(|screen| &screen.png)
    }

    /// The problems in the dumps, each with its step.
    pub fn warnings(&self) -> &[(usize, FormatWarning)] {
        &self.warnings
    }

    /// Decodes the picture of a step and rotates it to match the layout.
    ///
    /// # Errors
    ///
    /// [`DeviceError::BadRecording`] if there is no such step, or its picture cannot be read.
    pub fn picture(&self, step: usize) -> Result<Screenshot, DeviceError> {
        let file = format!("step-{step:02}.png of {}", self.info.serial);
        let screen = self.screens.get(step).ok_or_else(|| bad(Path::new(&file), "there is no such step"))?;
        let upright =
            read_rgba(&screen.png, ImageFormat::Png).map_err(|error| bad(Path::new(&file), error))?;
        Ok(Screenshot::from(match screen.turn {
            Turn::None => upright,
            Turn::Left => imageops::rotate270(&upright),
            Turn::Right => imageops::rotate90(&upright),
        }))
    }

    /// Whether the event is the one recorded next. Typing another text into the recorded field does not count, because
    /// the next screen shows the recorded text.
    fn is_next(&self, event: &Event) -> bool {
        let (Some(recorded), Some(layout)) = (self.events.get(self.position), self.layout(self.position))
        else {
            return false;
        };
        match (&recorded.event, event) {
            (Event::Widget { gesture: meant, .. }, Event::Widget { target, gesture }) => {
                let inside = |idx| layout.widget(idx).bounds.contains(target.at);
                let named = |idx| target.selector.resolve(layout) == Resolved::One(idx);
                meant == gesture && recorded.touched.is_some_and(|idx| inside(idx) || named(idx))
            }
            (Event::Widget { gesture: Gesture::SetText(meant), .. }, Event::Type(text)) => meant == text,
            (Event::Key(meant), Event::Key(key)) => meant == key,
            (Event::System(meant), Event::System(what)) => meant == what,
            (Event::OpenLink(meant), Event::OpenLink(link)) => meant == link,
            (Event::Rotate, Event::Rotate) => true,
            (Event::Widget { .. } | Event::Type(_) | Event::Key(_) | Event::Rotate, _)
            | (Event::Wait(_) | Event::Relaunch | Event::System(_) | Event::OpenLink(_), _) => false,
        }
    }
}

impl Device for RecordedDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Time on the recorded device since the beginning of the walk.
    fn now(&self) -> DeviceInstant {
        self.frame(self.position).map(|frame| frame.at).unwrap_or_default()
    }

    /// Goes to step 0. Other apps than the recorded one are not installed.
    fn launch(&mut self, app: &AppId, _data: AppData) -> Result<(), DeviceError> {
        if *app != self.app {
            return Err(self.info.not_installed(app, &[&self.app.0]));
        }
        self.seek(0);
        Ok(())
    }

    /// Goes to the next step if this is the recorded event, and to step 0 for a relaunch. Ignores any other event.
    fn perform(&mut self, event: &Event) -> Result<(), DeviceError> {
        if *event == Event::Relaunch {
            self.seek(0);
        } else if self.is_next(event) {
            self.seek(self.position + 1);
        }
        Ok(())
    }

    fn observe(&mut self) -> Result<Frame, DeviceError> {
        self.frame(self.position)
            .cloned()
            .ok_or_else(|| self.info.cannot("show a step that it does not have"))
    }

    fn screenshot(&mut self) -> Result<Screenshot, DeviceError> {
        self.picture(self.position)
    }
}

/// Reads `walk.json`, which may be missing.
fn walk_info(path: &Path) -> Result<WalkInfo, DeviceError> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(WalkInfo::default()),
        _ => parse_walk_info(&read_text(path)?).map_err(|error| bad(path, error)),
    }
}

/// Returns the activity in front at each step. Popups and system dialogs have names of their own
/// (`AtchDlg:package/class`, `PopupWindow:41b2`); the activity below them counts as in front.
fn activities(walk: &[WalkEvent]) -> Vec<Text> {
    let first = walk.first().map_or("", |event| &event.activity_before);
    let mut current = Text::from(activity_in(first).unwrap_or(""));
    let mut activities = vec![current.clone()];
    for event in walk {
        if let Some(name) = activity_in(&event.activity_after) {
            current = Text::from(name);
        }
        activities.push(current.clone());
    }
    activities
}

/// Returns `package/class` from the name of a window; `None` if the name does not contain it.
fn activity_in(window: &str) -> Option<&str> {
    let name = window.rsplit(':').next().unwrap_or(window);
    name.contains('/').then_some(name)
}

fn app_of(info: &WalkInfo, activities: &[Text], layout: Option<&Layout>) -> AppId {
    let told = info.app.split_whitespace().next();
    let launched = activities.first().and_then(|name| name.split_once('/')).map(|(package, _)| package);
    let shown = layout.map_or("", |layout| layout.package());
    AppId(told.or(launched).unwrap_or(shown).to_owned())
}

fn screens(
    walk: &[WalkEvent],
    layouts: Vec<Layout>,
    pngs: Vec<(Vec<u8>, PxSize)>,
    activities: &[Text],
    app: &AppId,
) -> Vec<Screen> {
    let upright = layouts.iter().zip(&pngs).find(|(layout, _)| !layout.rotation().sideways());
    let panel = upright.map(|(_, (_, size))| *size);
    let mut at = DeviceInstant::default();
    let mut screens = Vec::with_capacity(layouts.len());
    for (step, ((layout, (png, size)), activity)) in layouts.into_iter().zip(pngs).zip(activities).enumerate()
    {
        if let Some(event) = step.checked_sub(1).and_then(|before| walk.get(before)) {
            at += event.took;
        }
        let turn = turn_of(&layout, size, panel);
        let shown = if turn == Turn::None { size } else { swapped(size) };
        let layout = if fits(layout.screen(), shown) { layout.with_screen(shown) } else { layout };
        let elsewhere = activity.split_once('/').is_some_and(|(package, _)| package != app.0);
        let health = if elsewhere { AppHealth::LeftApp(activity.clone()) } else { AppHealth::Running };
        let frame = Frame { layout: Arc::new(layout.with_activity(activity.clone())), health, at };
        screens.push(Screen { frame, png: Arc::new(png), turn });
    }
    screens
}

/// Returns how to rotate a picture. Old devices return the panel's picture, which is never rotated. `panel` is the size
/// of the picture of an upright step.
fn turn_of(layout: &Layout, picture: PxSize, panel: Option<PxSize>) -> Turn {
    let fits_turned = fits(layout.screen(), swapped(picture));
    let is_panel = match panel {
        Some(panel) => picture == panel && panel != swapped(panel) && fits_turned,
        None => !fits(layout.screen(), picture) && fits_turned,
    };
    match layout.rotation() {
        Rotation(1) if is_panel => Turn::Left,
        Rotation(3) if is_panel => Turn::Right,
        Rotation(_) => Turn::None,
    }
}

fn swapped(size: PxSize) -> PxSize {
    PxSize { width: size.height, height: size.width }
}

fn fits(inner: PxSize, outer: PxSize) -> bool {
    inner.width <= outer.width && inner.height <= outer.height
}

fn device_info(serial: String, first: Option<&Screen>) -> DeviceInfo {
    let layout = first.map(|screen| &screen.frame.layout);
    let screen = layout.map_or(PxSize::default(), |layout| layout.screen());
    let sideways = layout.is_some_and(|layout| layout.rotation().sideways());
    DeviceInfo {
        serial,
        model: "recording".to_owned(),
        // Walks do not contain the API level.
        sdk: 0,
        screen: if sideways { swapped(screen) } else { screen },
        snapshots: false,
        live: false,
    }
}

fn recorded_events(walk: Vec<WalkEvent>, screens: &[Screen], activities: &[Text]) -> Vec<RecordedEvent> {
    let frames = screens.iter().map(|screen| &screen.frame);
    let steps = walk.into_iter().zip(frames).zip(activities.windows(2));
    let mut events = Vec::new();
    for ((step, before), activities) in steps {
        let (event, touched) = match step.action {
            WalkAction::Key(key) => (Event::Key(key), None),
            WalkAction::Rotate => (Event::Rotate, None),
            WalkAction::Widget { selector, bounds, at, gesture } => {
                let named = selector.resolve(&before.layout).first();
                let touched = named.filter(|idx| before.layout.widget(*idx).bounds == bounds);
                let target = TouchTarget { selector: *selector, at, screen: before.layout.screen() };
                (Event::Widget { target, gesture }, touched)
            }
        };
        if let [activity_before, activity_after] = activities {
            let (activity_before, activity_after) = (activity_before.clone(), activity_after.clone());
            events.push(RecordedEvent { event, touched, activity_before, activity_after });
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use taproof_screen::format::grey_png;
    use taproof_screen::{Key, PxPoint, Selector};

    /// A button on the upper half of a screen of 4 by 6, or of 6 by 4 when turned.
    fn dump(text: &str, rotation: u8) -> String {
        let (width, height) = if rotation == 0 { (4, 5) } else { (6, 3) };
        format!(
            "<hierarchy rotation=\"{rotation}\"><node class=\"a.Frame\" package=\"org.ex\" \
             bounds=\"[0,0][{width},{height}]\"><node class=\"a.Button\" text=\"{text}\" package=\"org.ex\" \
             bounds=\"[0,0][{width},2]\" /></node></hierarchy>"
        )
    }

    const EVENTS: &str = r#"[
        {"index": 1, "action": "click", "selector": {"text": "go", "class": "a.Button", "bounds": "[0,0][4,2]"},
         "point": [2, 1], "activity_before": "org.ex/org.ex.Main", "activity_after": "PopupWindow:41b2",
         "seconds": 2},
        {"index": 2, "action": "rotate", "activity_after": "AtchDlg:org.ex/org.ex.Main", "seconds": 0.5},
        {"index": 3, "action": "key", "key": "home", "activity_after": "org.home/org.home.Home"}]"#;

    /// The panel is 4 by 6 and never turned; its upper left pixel is red.
    fn png() -> Vec<u8> {
        let mut picture = image::RgbaImage::new(4, 6);
        picture.put_pixel(0, 0, image::Rgba([255, 0, 0, 255]));
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
        png.into_inner()
    }

    fn walk() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
        for (step, (text, rotation)) in [("go", 0), ("gone", 0), ("gone", 1), ("home", 0)].iter().enumerate()
        {
            write(&format!("step-{step:02}.xml"), dump(text, *rotation).as_bytes());
            write(&format!("step-{step:02}.png"), &png());
        }
        write("events.json", EVENTS.as_bytes());
        dir
    }

    fn tap(selector: Selector, x: i32, y: i32) -> Event {
        let target = TouchTarget { selector, at: PxPoint { x, y }, screen: PxSize { width: 4, height: 6 } };
        Event::Widget { target, gesture: Gesture::Tap }
    }

    #[test]
    fn recorded_events_go_on_and_others_stay() {
        let dir = walk();
        let mut device = RecordedDevice::open(dir.path()).unwrap();
        assert_eq!((device.len(), device.app().0.as_str(), device.title()), (3, "org.ex", ""));
        let mut at = |event: &Event| {
            device.perform(event).unwrap();
            device.position()
        };
        assert_eq!(at(&Event::Key(Key::Back)), 0);
        assert_eq!(at(&tap(Selector::default(), 1, 4)), 0);
        let named = Selector { text: Some("go".to_owned()), ..Selector::default() };
        assert_eq!(at(&tap(named, 9, 9)), 1);
        assert_eq!(at(&Event::Relaunch), 0);
        assert_eq!(at(&tap(Selector::default(), 3, 1)), 1);
        assert_eq!(at(&Event::Rotate), 2);
        assert_eq!(at(&Event::Key(Key::Home)), 3);
        assert_eq!(at(&Event::Rotate), 3);
        assert_eq!(device.now(), DeviceInstant(2500));
        assert_eq!(device.observe().unwrap().health, AppHealth::LeftApp("org.home/org.home.Home".into()));
        let other = device.launch(&AppId("org.other".to_owned()), AppData::Keep);
        assert!(matches!(other, Err(DeviceError::NotInstalled { .. })));
        device.launch(&AppId("org.ex".to_owned()), AppData::Clear).unwrap();
        assert_eq!(device.position(), 0);
    }

    #[test]
    fn popups_leave_the_activity_in_front() {
        let device = RecordedDevice::open(walk().path()).unwrap();
        let named = |step| device.layout(step).unwrap().activity().to_string();
        assert_eq!([named(0), named(1), named(2)], ["org.ex/org.ex.Main"; 3]);
        assert_eq!(&*device.events()[2].activity_after, "org.home/org.home.Home");
    }

    #[test]
    fn pictures_agree_with_turned_layouts() {
        let device = RecordedDevice::open(walk().path()).unwrap();
        let red = |step: usize| {
            let picture = device.picture(step).unwrap();
            assert_eq!(picture.size, device.layout(step).unwrap().screen());
            let pixel = picture.rgba.chunks(4).position(|pixel| pixel == [255, 0, 0, 255]).unwrap() as i32;
            (pixel % picture.size.width, pixel / picture.size.width)
        };
        assert_eq!(red(0), (0, 0));
        assert_eq!(red(2), (0, 3));
    }

    #[test]
    fn what_is_missing_or_broken_is_told() {
        let check = |file: &str, content: Option<&[u8]>, problem: &str| {
            let dir = walk();
            let path = dir.path().join(file);
            match content {
                Some(bytes) => std::fs::write(&path, bytes).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
            let error = RecordedDevice::open(dir.path()).unwrap_err();
            assert!(
                matches!(&error, DeviceError::BadRecording { path, .. } if path.ends_with(file)),
                "{error}"
            );
            assert!(error.to_string().contains(problem), "{error}");
        };
        check("step-02.xml", None, "cannot be read");
        check("step-02.xml", Some(b"<hierarchy>"), "expected </hierarchy>, found the end of the file");
        check("step-01.png", None, "cannot be read");
        check("step-01.png", Some(b"GIF89a"), "is no picture");
        check("step-01.png", Some(&grey_png(16_384, 16_384)), "16384x16384 pixels");
        check("events.json", None, "cannot be read");
        check("events.json", Some(b"{}"), "line 1, column 1");
        check("events.json", Some(b"[\xFF]"), "is not UTF-8");
        check("walk.json", Some(b"[1"), "line 1, column 2");
        let nowhere = RecordedDevice::open(Path::new("/nowhere/at/all")).unwrap_err().to_string();
        assert!(nowhere.starts_with("/nowhere/at/all: there is no such folder"), "{nowhere}");
    }

    #[test]
    fn a_picture_that_ends_early_is_told_when_looked_at() {
        let dir = walk();
        std::fs::write(dir.path().join("step-00.png"), &png()[..45]).unwrap();
        let mut device = RecordedDevice::open(dir.path()).unwrap();
        let error = device.screenshot().unwrap_err();
        assert!(
            error.to_string().contains("step-00.png") && error.to_string().contains("no picture"),
            "{error}"
        );
    }
}
