//! A check of a device before its first campaign: what works there, how fast, and what to do about the rest. The device is
//! left as it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::connection::garbled::GarbledAnswers;
use crate::connection::pace::Pace;
use crate::connection::sections::{answers, script};
use crate::host::{AdbLink, AdbServer, Patience};
use crate::input::effects::cure;
use crate::input::waking::{Screen, sleep_line};
use crate::open::control::ControlMethod;
use crate::open::opening::{OpenedPhone, Opening};
use crate::output::{Forbidden, Properties, forbidden, free_bytes, setting_list};
use crate::phone::AdbPhone;
use crate::restore::{GUARDED, Role, settings_line};
use taproof_engine::device::{Device, DeviceError, Typeable};
use taproof_engine::worker::Unwanted;
use taproof_screen::{Event, words};

words! {
    /// What is checked, in the order of the answers.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Checked {
        /// The release of Android.
        Android = "android",
        /// Which of the device's users is in front.
        User = "user",
        /// Whether the screen is on and unlocked.
        Screen = "screen",
        /// How the device is controlled.
        Control = "control",
        /// Whether layouts can be read, and how long an event takes.
        Layouts = "layouts",
        /// Which texts can be typed.
        Typing = "typing",
        /// Whether adb may touch the screen.
        Touching = "touching",
        /// Whether the screen can be turned.
        Rotation = "rotation",
        /// Whether pictures can be taken.
        Pictures = "pictures",
        /// Whether settings can be changed, and changed back.
        Settings = "settings",
        /// How much room is left.
        Space = "space",
    }
    /// What is checked, in a word.
    pub fn word;
}

words! {
    /// What came of a check.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Fitness {
        /// As it should be.
        Good = "good",
        /// A campaign works, but slower or with less than it could have.
        Limited = "limited",
        /// It could not be told.
        Unknown = "unknown",
        /// A campaign does not work.
        Bad = "bad",
    }
    /// The outcome in a word.
    pub fn word;
}

/// One answer of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckAnswer {
    /// What was checked.
    pub what: Checked,
    /// What came of it.
    pub fitness: Fitness,
    /// What was seen, for people.
    pub said: String,
    /// What to do about it; empty if nothing is to be done.
    pub advice: String,
}

/// What the lowest release that the agent runs on is.
const LEAST_SDK: u32 = 19;
/// The first API level on which a device says which user is in front.
const TELLS_USER: u32 = 24;
/// Times that the screen is read, to tell how long that takes.
const LOOKS: usize = 3;
/// How long an event may take on a device that is driven well, and on one that is driven at all, in milliseconds.
const QUICK: u64 = 2_000;
const SLOW: u64 = 8_000;
/// Free room that a campaign should have, and without which Android refuses to install apps.
const ROOM: u64 = 500 << 20;
const LEAST_ROOM: u64 = 100 << 20;

/// Checks a device that is ready, controlled by methods up to `best`. Its settings are changed and put back, and its
/// screen is switched on and turned there and back. `tell` hears each answer as soon as it is known.
///
/// # Errors
///
/// If the device cannot be reached.
pub fn check_device(
    server: &AdbServer,
    serial: &str,
    best: ControlMethod,
    unwanted: &Unwanted,
    tell: &mut dyn FnMut(&CheckAnswer),
) -> Result<Vec<CheckAnswer>, DeviceError> {
    let link = AdbLink::connect(server, serial, &Patience::new(Pace::default().limit_of(0), &**unwanted))?;
    // Each question has a time of its own: one that a slow device takes long for leaves no less to the others.
    let ask = |line: &str| -> Result<String, DeviceError> {
        let patience = Patience::new(Pace::default().limit_of(1), &**unwanted);
        Ok(link.shell(line, &patience)?.everything())
    };
    let properties = Properties::ask(&link, &**unwanted)?;
    let mut found = Told { answers: Vec::new(), tell };
    found.push(android(&properties));
    if let Some(user) = user(&properties, ask) {
        found.push(user);
    }
    let shown = Screen::ask(ask);
    let was_off = shown.as_ref().is_ok_and(Screen::is_off);
    found.push(shown.map_or_else(|error| bad(Checked::Screen, &error), |shown| screen(&shown)));
    let before = guarded_settings(&link, properties.sdk, &**unwanted);
    let garbled = GarbledAnswers::default();
    let opening = Opening { role: Role::Window, best, garbled: &garbled, before: None };
    match OpenedPhone::reach(server, serial, &opening, &**unwanted) {
        Ok(opened) => {
            found.push(control(&opened, best));
            let mut phone = opened.phone(Arc::clone(unwanted)).alone();
            if let Err(error) = phone.connection().wake_up() {
                found.push(bad(Checked::Screen, &error));
            }
            found.push(layouts(&mut phone));
            found.push(typing(phone.typeable()));
            found.push(touching(ask));
            found.push(rotation(&mut phone));
            found.push(pictures(&mut phone));
            drop(phone);
            if was_off && let Err(error) = ask(sleep_line(properties.sdk)) {
                found.push(bad(Checked::Screen, &error));
            }
            let after = guarded_settings(&link, properties.sdk, &**unwanted);
            found.push(settings(before, after));
        }
        Err(error) => {
            let what = match &error {
                DeviceError::Forbidden { what, .. } if *what == Forbidden::Settings.what() => {
                    Checked::Settings
                }
                DeviceError::NotKept { .. } => Checked::Settings,
                _ => Checked::Control,
            };
            found.push(bad(what, &error));
        }
    }
    found.push(space(ask));
    Ok(found.answers)
}

/// The answers so far, each of which is told.
struct Told<'t> {
    answers: Vec<CheckAnswer>,
    tell: &'t mut dyn FnMut(&CheckAnswer),
}

impl Told<'_> {
    fn push(&mut self, answer: CheckAnswer) {
        (self.tell)(&answer);
        self.answers.push(answer);
    }
}

fn answer(
    what: Checked,
    fitness: Fitness,
    said: impl Into<String>,
    advice: impl Into<String>,
) -> CheckAnswer {
    CheckAnswer { what, fitness, said: said.into(), advice: advice.into() }
}

/// The answer for an error, whose text says what to do.
fn bad(what: Checked, error: &DeviceError) -> CheckAnswer {
    answer(what, Fitness::Bad, error.to_string(), "")
}

fn android(properties: &Properties) -> CheckAnswer {
    let said = format!("{}, API level {}", properties.model, properties.sdk);
    match properties.sdk {
        sdk if sdk < LEAST_SDK => {
            let advice = format!("use a device with API level {LEAST_SDK} (Android 4.4) or newer");
            answer(Checked::Android, Fitness::Bad, said, advice)
        }
        _ => answer(Checked::Android, Fitness::Good, said, ""),
    }
}

/// The answer if another user than the owner is in front: an app would be started for that user and cleared for the owner.
fn user(properties: &Properties, ask: impl Fn(&str) -> Result<String, DeviceError>) -> Option<CheckAnswer> {
    let said = match (properties.sdk >= TELLS_USER).then(|| ask("am get-current-user"))? {
        Ok(said) => said,
        Err(error) => return Some(bad(Checked::User, &error)),
    };
    let id = said.trim().parse::<u32>().ok().filter(|id| *id != 0)?;
    let said = format!("user {id} is in front, and only apps of the owner (user 0) can be tested");
    Some(answer(Checked::User, Fitness::Bad, said, "switch to the owner: `adb shell am switch-user 0`"))
}

fn screen(shown: &Screen) -> CheckAnswer {
    match (shown.lock, shown.awake) {
        (Some(lock), _) if lock.secure == Some(true) => answer(
            Checked::Screen,
            Fitness::Bad,
            "it is locked with a PIN, a pattern or a password",
            "unlock it, and switch the lock off for as long as it is tested",
        ),
        (Some(_), _) => {
            answer(Checked::Screen, Fitness::Good, "it is locked without a code, which is no obstacle", "")
        }
        (None, Some(true)) => answer(Checked::Screen, Fitness::Good, "it is on and unlocked", ""),
        (None, Some(false)) => {
            answer(Checked::Screen, Fitness::Good, "it is off, and is switched on by itself", "")
        }
        (None, None) => answer(Checked::Screen, Fitness::Unknown, "it does not say whether it is on", ""),
    }
}

fn control(opened: &OpenedPhone, best: ControlMethod) -> CheckAnswer {
    let control = opened.control();
    let said = format!("it is controlled by {}", control.method.word());
    match control.method {
        method if method == best => answer(Checked::Control, Fitness::Good, said, ""),
        _ => {
            let advice = match control.holders.is_empty() {
                true => String::new(),
                false => {
                    let serial = &opened.link().serial;
                    format!("end what holds the screen: `taproof devices take-over --device {serial}`")
                }
            };
            let said = format!("{said}, which is slower: {}", control.reason);
            answer(Checked::Control, Fitness::Limited, said, advice)
        }
    }
}

fn layouts(phone: &mut AdbPhone) -> CheckAnswer {
    let mut times = Vec::new();
    // What is known from the start is told of what controls it.
    drop(phone.take_warnings());
    for _ in 0..LOOKS {
        let began = phone.now();
        if let Err(error) = phone.look_again() {
            return bad(Checked::Layouts, &error);
        }
        times.push(phone.now().since(began).millis());
    }
    times.sort_unstable();
    let millis = times.get(LOOKS / 2).copied().unwrap_or_default();
    let widgets = match phone.observe() {
        Ok(frame) => frame.layout.widgets().len(),
        Err(error) => return bad(Checked::Layouts, &error),
    };
    if widgets == 0 {
        return answer(
            Checked::Layouts,
            Fitness::Unknown,
            "it gives no layout of the screen in front, which may never come to rest",
            "open an app, and check again",
        );
    }
    let said = format!("the screen has {widgets} widgets and is read in {:.1} s", millis as f64 / 1000.0);
    let problems: Vec<String> = phone.take_warnings().into_iter().map(|warning| warning.problem).collect();
    match millis {
        0..=QUICK if problems.is_empty() => answer(Checked::Layouts, Fitness::Good, said, ""),
        0..=QUICK => answer(Checked::Layouts, Fitness::Limited, said, problems.join("; ")),
        millis if millis <= SLOW => answer(
            Checked::Layouts,
            Fitness::Limited,
            said,
            "let the agent control it, or start the uiautomator2 server on it: campaigns need fewer hours then",
        ),
        _ => answer(
            Checked::Layouts,
            Fitness::Bad,
            said,
            "at this speed a campaign does some hundred events an hour: let the agent control it, or use a faster device",
        ),
    }
}

fn typing(typeable: Typeable) -> CheckAnswer {
    const SCRIPTS: &str = "Grüße Привет 你好 שלום";
    match typeable {
        Typeable::Anything => {
            answer(Checked::Typing, Fitness::Good, format!("any text can be typed, such as {SCRIPTS}"), "")
        }
        Typeable::OneLine => answer(
            Checked::Typing,
            Fitness::Good,
            format!("any text on one line can be typed, such as {SCRIPTS}"),
            "",
        ),
        Typeable::Keys => answer(
            Checked::Typing,
            Fitness::Limited,
            format!("only the letters of an English keyboard can be typed, not {SCRIPTS}"),
            "let the agent control it, start the uiautomator2 server on it, or install the app ADBKeyboard",
        ),
    }
}

/// Sends a key that means nothing.
fn touching(ask: impl Fn(&str) -> Result<String, DeviceError>) -> CheckAnswer {
    match ask("{ input keyevent 0; } 2>&1").map(|said| forbidden(&said)) {
        Ok(Some(what)) => {
            answer(Checked::Touching, Fitness::Bad, format!("it forbids adb {}", what.what()), what.advice())
        }
        Ok(None) => match cure(ask) {
            Some(cure) => {
                answer(Checked::Touching, Fitness::Limited, "it may ignore the keys HOME and BACK", cure)
            }
            None => answer(Checked::Touching, Fitness::Good, "adb may touch the screen and press keys", ""),
        },
        Err(error) => bad(Checked::Touching, &error),
    }
}

fn rotation(phone: &mut AdbPhone) -> CheckAnswer {
    let mut turn = || -> Result<bool, DeviceError> {
        let before = phone.observe()?.layout.rotation();
        phone.perform(&Event::Rotate)?;
        let turned = phone.observe()?.layout.rotation() != before;
        phone.perform(&Event::Rotate)?;
        Ok(turned)
    };
    match turn() {
        Ok(true) => answer(Checked::Rotation, Fitness::Good, "the screen can be turned", ""),
        Ok(false) => answer(
            Checked::Rotation,
            Fitness::Unknown,
            "the screen did not turn, as many launchers and some apps do not",
            "open an app that turns with the device, and check again",
        ),
        Err(error) => bad(Checked::Rotation, &error),
    }
}

fn pictures(phone: &mut AdbPhone) -> CheckAnswer {
    match phone.screenshot() {
        Ok(picture) => {
            let (size, source) = (picture.size, phone.picture_source());
            let said = format!("{} x {} pixels, from {}", size.width, size.height, source.word());
            answer(Checked::Pictures, Fitness::Good, said, "")
        }
        Err(error) => answer(
            Checked::Pictures,
            Fitness::Limited,
            error.to_string(),
            "reports then show drawings of the layouts only",
        ),
    }
}

type Settings = BTreeMap<(&'static str, &'static str), Option<String>>;

/// The settings that testing changes, with their values.
fn guarded_settings(link: &AdbLink, sdk: u32, unwanted: &dyn Fn() -> bool) -> Result<Settings, DeviceError> {
    let namespaces = ["global", "system", "secure"];
    let questions = namespaces.map(|namespace| settings_line(namespace, sdk));
    let patience = Patience::new(Pace::default().limit_of(namespaces.len()), unwanted);
    let said = link.shell(&script(&questions.each_ref().map(String::as_str)), &patience)?.everything();
    let mut found = Settings::new();
    for (namespace, answer) in namespaces.iter().zip(answers(&said)) {
        let Ok(listed) = setting_list(answer) else { continue };
        let guarded = GUARDED.iter().filter(|guarded| guarded.namespace == *namespace);
        found.extend(guarded.map(|one| ((one.namespace, one.name), listed.get(one.name).cloned())));
    }
    Ok(found)
}

fn settings(before: Result<Settings, DeviceError>, after: Result<Settings, DeviceError>) -> CheckAnswer {
    let (before, after) = match (before, after) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(error), _) | (_, Err(error)) => return bad(Checked::Settings, &error),
    };
    let differs = |(name, value): (&(&str, &str), &Option<String>)| {
        (after.get(name) != Some(value)).then(|| format!("{} {}", name.0, name.1))
    };
    let changed: Vec<String> = before.iter().filter_map(differs).collect();
    match (before.is_empty(), changed.is_empty()) {
        (true, _) => answer(Checked::Settings, Fitness::Unknown, "it does not list its settings", ""),
        (false, true) => {
            answer(Checked::Settings, Fitness::Good, "settings can be changed, and were changed back", "")
        }
        (false, false) => answer(
            Checked::Settings,
            Fitness::Limited,
            format!("settings can be changed, but are not as they were: {}", changed.join(", ")),
            "set them by hand, and check again: another program may change them",
        ),
    }
}

fn space(ask: impl Fn(&str) -> Result<String, DeviceError>) -> CheckAnswer {
    let free = match ask("df /data").map(|said| free_bytes(&said)) {
        Ok(Some(free)) => free,
        Ok(None) => {
            return answer(Checked::Space, Fitness::Unknown, "it does not say how much room is left", "");
        }
        Err(error) => return bad(Checked::Space, &error),
    };
    let said = format!("{:.1} GB are free for apps and data", free as f64 / f64::from(1 << 30));
    let advice = "remove apps or data: tests fill the device, and Android installs nothing when it is full";
    match free {
        free if free < LEAST_ROOM => answer(Checked::Space, Fitness::Bad, said, advice),
        free if free < ROOM => answer(Checked::Space, Fitness::Limited, said, advice),
        _ => answer(Checked::Space, Fitness::Good, said, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_stay_changed_are_named() {
        let of = |scale: Option<&str>| {
            let scale = scale.map(str::to_owned);
            Settings::from([(("global", "animator_duration_scale"), scale)])
        };
        assert_eq!(settings(Ok(of(Some("1"))), Ok(of(Some("1")))).fitness, Fitness::Good);
        let stayed = settings(Ok(of(None)), Ok(of(Some("0"))));
        assert!(
            stayed.fitness == Fitness::Limited && stayed.said.ends_with("global animator_duration_scale")
        );
        assert_eq!(settings(Ok(Settings::new()), Ok(of(None))).fitness, Fitness::Unknown);
    }

    #[test]
    fn what_cannot_be_typed_is_said_with_what_helps() {
        assert_eq!(typing(Typeable::Anything).fitness, Fitness::Good);
        let keys = typing(Typeable::Keys);
        assert!(keys.fitness == Fitness::Limited && keys.advice.contains("ADBKeyboard"));
    }
}
