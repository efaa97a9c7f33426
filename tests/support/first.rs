//! First steps for tests: a folder that every test of Files finds.

use std::sync::Arc;

use taproof_campaign::{SavedTrace, initial_steps};
use taproof_engine::device::{AppData, AppId, Build, DeviceSource};
use taproof_phone::BundledPhones;
use taproof_screen::{Event, Frame, Gesture, Initialiser, Layout, RecordedStep, Selector, StepRole, XPath};

pub const FILES: &str = "org.taproof.files";
/// The folder that the steps make.
pub const FOLDER: &str = "made first";
/// What shows it.
pub const READY: &str = "//*[@text='made first']";

/// The events that make the folder, and the screens around them.
pub fn making_a_folder() -> (Vec<Event>, Vec<Frame>) {
    let id = |id: &str| Selector { resource_id: Some(id.to_owned()), ..Selector::default() };
    let text = |text: &str| Selector { text: Some(text.to_owned()), ..Selector::default() };
    let field = Selector { class: Some("android.widget.EditText".to_owned()), ..Selector::default() };
    let done = [
        (id("org.taproof.files:id/sd_main_fab"), Gesture::Tap),
        (text("Folder"), Gesture::Tap),
        (field, Gesture::SetText(FOLDER.to_owned())),
        (id("android:id/button1"), Gesture::Tap),
    ];
    let mut phone = BundledPhones::new(FILES, &Build::Sound).fresh().unwrap();
    phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
    let (mut events, mut frames) = (Vec::new(), vec![phone.observe().unwrap()]);
    for (selector, gesture) in done {
        let event = Event::on(&frames.last().unwrap().layout, selector, gesture).unwrap();
        phone.perform(&event).unwrap();
        frames.push(phone.observe().unwrap());
        events.push(event);
    }
    (events, frames)
}

/// The steps that make the folder; ready where it is shown.
pub fn folder_first() -> Arc<Initialiser> {
    let (events, frames) = making_a_folder();
    let recorded = events.iter().zip(frames.windows(2)).map(|(event, around)| RecordedStep {
        event: event.clone(),
        before: Arc::clone(&around[0].layout),
        after: Arc::clone(&around[1].layout),
    });
    let steps = initial_steps(&recorded.collect::<Vec<_>>());
    Arc::new(Initialiser { steps, ready: XPath::parse(READY).ok(), ..Initialiser::default() })
}

/// The same as a trace that was kept.
pub fn kept_trace() -> SavedTrace {
    let (events, frames) = making_a_folder();
    let steps = events
        .iter()
        .zip(frames.windows(2))
        .map(|(event, around)| (event, StepRole::Explored, &around[0], &around[1]));
    SavedTrace::of_steps("way".to_owned(), (FILES, &Build::Sound), &frames[0], steps)
}

/// Whether the folder is on a screen.
pub fn shows_folder(layout: &Layout) -> bool {
    layout.widgets().iter().any(|widget| &*widget.text == FOLDER)
}
