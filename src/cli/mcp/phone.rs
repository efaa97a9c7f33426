//! The phone that an assistant works with, and the steps that it has performed there.

use std::sync::Arc;

use super::tools::{Answer, Given, Part};
use crate::cli::app_options::{AppOptions, ChosenApp};
use crate::cli::layout::widget_line;
use taproof_campaign::InitialisedDevices;
use taproof_engine::device::{AppData, AppId, Device, DeviceError, DeviceSource};
use taproof_engine::worker::CancelToken;
use taproof_phone::Apps;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{
    Direction, Event, Frame, Gesture, Key, Layout, RecordedStep, Selector, WidgetIdx, event_on,
};
use taproof_session::Phones;
use taproof_spec::{DmfKind, Draft, DraftRequest, Extent, draft};

/// What a step can be. Those on a widget come first.
pub(super) const ACTIONS: &[&str] = &[
    "tap",
    "long_press",
    "set_text",
    "swipe_up",
    "swipe_down",
    "swipe_left",
    "swipe_right",
    "type",
    "back",
    "home",
    "enter",
    "rotate",
    "relaunch",
    "wait",
];

/// What a function can do to the data.
pub(super) const TYPES: [DmfKind; 5] =
    [DmfKind::Create, DmfKind::Read, DmfKind::Update, DmfKind::Delete, DmfKind::Search];

/// How long `wait` waits.
const WAIT: DeviceDuration = DeviceDuration(2_000);

/// The phone, which is opened when it is first needed, and given back while a command uses it.
pub(super) struct Phone {
    options: AppOptions,
    chosen: ChosenApp,
    apps: Apps,
    live: Option<Live>,
    /// What was performed since the app was started last.
    steps: Vec<RecordedStep>,
    /// The step with which the recording begins; `None` while nothing is recorded.
    recorded_from: Option<usize>,
}

struct Live {
    device: Box<dyn Device>,
    frame: Frame,
    /// What made the device, which restores it when it goes.
    _phones: Phones,
}

impl Phone {
    pub fn new(options: AppOptions, chosen: ChosenApp, apps: Apps) -> Phone {
        Phone { options, chosen, apps, live: None, steps: Vec::new(), recorded_from: None }
    }

    /// The package of the app.
    pub fn package(&self) -> String {
        self.chosen.package.clone()
    }

    /// Gives the phone back. What is recorded can still be drafted; the next step starts the app anew.
    pub fn release(&mut self) {
        self.live = None;
    }

    /// Starts the app as a test does.
    pub fn begin_again(&mut self) -> Answer {
        self.live = None;
        self.live()?;
        self.look(None, false)
    }

    /// The phone; the app is started where it is not open.
    fn live(&mut self) -> Result<&mut Live, String> {
        if self.live.is_none() {
            self.live = Some(self.open().map_err(|error| error.to_string())?);
            (self.steps, self.recorded_from) = (Vec::new(), None);
        }
        self.live.as_mut().ok_or_else(|| "the phone is gone".to_owned())
    }

    fn open(&self) -> Result<Live, DeviceError> {
        let chosen = &self.chosen;
        let app = (chosen.package.as_str(), &chosen.build);
        let mut phones = self.options.phones(&self.apps, chosen, app, &CancelToken::new());
        let mut source = InitialisedDevices::new(&mut phones, &chosen.package, chosen.initialiser.as_ref());
        let mut device = source.fresh()?;
        device.launch(&AppId(chosen.package.clone()), AppData::Clear)?;
        let frame = device.observe()?;
        Ok(Live { device, frame, _phones: phones })
    }

    /// Says what the screen shows.
    pub fn look(&mut self, query: Option<&str>, picture: bool) -> Answer {
        let live = self.live()?;
        let broken = |error: DeviceError| error.to_string();
        live.frame = live.device.observe().map_err(broken)?;
        let layout = &live.frame.layout;
        let shown = match query {
            None => layout.iter().map(|(idx, _)| idx).collect(),
            Some(text) => named(layout, text)?,
        };
        let mut parts = vec![Part::Text(screen_text(&live.frame, &shown))];
        if picture {
            let png = live.device.screenshot().map_err(broken)?.to_png().map_err(broken)?;
            parts.push(Part::Picture(png.to_vec()));
        }
        Ok(parts)
    }

    /// Performs a step and says what the screen shows then.
    pub fn perform(&mut self, given: &Given<'_>) -> Answer {
        let live = self.live()?;
        let before = Arc::clone(&live.frame.layout);
        let event = event(&before, given)?;
        live.device.perform(&event).map_err(|error| error.to_string())?;
        live.frame = live.device.observe().map_err(|error| error.to_string())?;
        let step = RecordedStep { event, before, after: Arc::clone(&live.frame.layout) };
        let (done, layout) = (step.sentence(), &live.frame.layout);
        let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
        let text = format!("{done}.\n{}", screen_text(&live.frame, &all));
        self.steps.push(step);
        Ok(vec![Part::Text(text)])
    }

    /// Begins a recording.
    pub fn record(&mut self) -> Answer {
        self.live()?;
        self.recorded_from = Some(self.steps.len());
        Ok(vec![Part::Text("Recording. Perform the function, then draft it.".to_owned())])
    }

    /// Drafts the recorded function.
    pub fn draft(&mut self, given: &Given<'_>) -> Result<Draft, String> {
        let nothing = "nothing is recorded; call record, perform the function, then draft it";
        let from = self.recorded_from.ok_or(nothing)?;
        let (lead, steps) = self.steps.split_at_checked(from).ok_or(nothing)?;
        if steps.is_empty() {
            return Err("no step was performed since the recording began".to_owned());
        }
        let word = given.needed("type")?;
        let kind = TYPES.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| format!("there is no type {word:?}"))?;
        let object = |name: &str| given.text(name).map(str::to_owned).into();
        let request = DraftRequest {
            name: given.text("name").map(str::to_owned),
            added: object("added"),
            removed: object("removed"),
            sought: object("sought"),
            lead: Some(lead.to_vec()),
            extent: Extent::Whole,
            ..DraftRequest::new(kind, given.needed("data_type")?)
        };
        draft(steps, &request).map_err(|error| error.to_string())
    }
}

/// The widgets that a query names; an error if it is none.
fn named(layout: &Layout, query: &str) -> Result<Vec<WidgetIdx>, String> {
    let selector = Selector::search(query).map_err(|error| error.to_string())?;
    selector.try_matches(layout).map_err(|error| error.to_string())
}

fn screen_text(frame: &Frame, shown: &[WidgetIdx]) -> String {
    let layout = &frame.layout;
    let (screen, all) = (layout.screen(), layout.widgets().len());
    let mut text = format!(
        "{}, {} x {} pixels, {} of {all} widgets. Texts are the app's.\n",
        layout.activity(),
        screen.width,
        screen.height,
        shown.len()
    );
    for idx in shown {
        text += &widget_line(layout, *idx);
        text.push('\n');
    }
    text
}

/// The event that is asked for.
fn event(layout: &Layout, given: &Given<'_>) -> Result<Event, String> {
    let text = || given.needed("text").map(str::to_owned);
    let on = |gesture: Gesture| {
        let idx = widget(layout, given)?;
        event_on(layout, idx, gesture).ok_or_else(|| {
            format!("no touch reaches widget {}: something covers it, or it has no area", idx.0)
        })
    };
    match given.needed("action")? {
        "tap" => on(Gesture::Tap),
        "long_press" => on(Gesture::LongPress),
        "set_text" => on(Gesture::SetText(text()?)),
        "swipe_up" => on(Gesture::Swipe(Direction::Up)),
        "swipe_down" => on(Gesture::Swipe(Direction::Down)),
        "swipe_left" => on(Gesture::Swipe(Direction::Left)),
        "swipe_right" => on(Gesture::Swipe(Direction::Right)),
        "type" => text().map(Event::Type),
        "back" => Ok(Event::Key(Key::Back)),
        "home" => Ok(Event::Key(Key::Home)),
        "enter" => Ok(Event::Key(Key::Enter)),
        "rotate" => Ok(Event::Rotate),
        "relaunch" => Ok(Event::Relaunch),
        _ => Ok(Event::Wait(WAIT)),
    }
}

/// The widget that is meant, by its number or a query.
fn widget(layout: &Layout, given: &Given<'_>) -> Result<WidgetIdx, String> {
    match (given.number("widget"), given.text("query")) {
        (Some(number), None) => {
            let idx = u32::try_from(number).ok().map(WidgetIdx).filter(|idx| layout.get(*idx).is_some());
            idx.ok_or_else(|| format!("there is no widget {number} on this screen; look again"))
        }
        (None, Some(query)) => match named(layout, query)?[..] {
            [idx] => Ok(idx),
            [] => Err(format!("{query} names no widget on this screen")),
            ref several => {
                let lines: Vec<String> = several.iter().map(|idx| widget_line(layout, *idx)).collect();
                Err(format!("{query} names {} widgets; give a number:\n{}", several.len(), lines.join("\n")))
            }
        },
        _ => Err("give the \"widget\" by its number, or a \"query\" that names it".to_owned()),
    }
}
