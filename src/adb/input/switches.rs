//! What tests change around an app and change back: how to ask for its value, and which other one to set.

use crate::output::setting_value;
use crate::restore::{FONT_SCALE, HOURS, LOCATION, Thing, UNSET};
use taproof_screen::SystemEvent;

/// The size of large texts, as a scale.
const LARGE_TEXT: &str = "1.3";
const LARGE: f32 = 1.3;
/// The value of what is as the device has it by itself.
const RESET: &str = "reset";

/// Something that an event changes, and changes back the next time.
pub(crate) struct Switch {
    pub thing: Thing,
    /// The shell line that tells the value.
    pub question: &'static str,
    /// What a device does that changes it, as a part of a sentence.
    pub action: &'static str,
}

/// What the event switches. `None` for events that switch nothing back.
pub(crate) fn switched_by(event: SystemEvent) -> Option<Switch> {
    let (thing, question, action) = match event {
        SystemEvent::DarkMode => (Thing::DarkMode, "cmd uimode night", "change between light and dark"),
        SystemEvent::FontScale => {
            (Thing::Setting(FONT_SCALE), "settings get system font_scale", "change the size of texts")
        }
        SystemEvent::DisplaySize => (Thing::DisplaySize, "wm density", "change its display size"),
        SystemEvent::HourFormat => {
            (Thing::Setting(HOURS), "settings get system time_12_24", "change the hours of its clock")
        }
        SystemEvent::TimeZone => {
            (Thing::TimeZone, "getprop persist.sys.timezone", "change its time zone through adb")
        }
        SystemEvent::Location => {
            (Thing::Setting(LOCATION), "settings get secure location_mode", "switch location through adb")
        }
        SystemEvent::AirplaneMode => {
            let question = "settings get global airplane_mode_on";
            (Thing::AirplaneMode, question, "switch airplane mode through adb")
        }
        SystemEvent::DoNotDisturb => {
            (Thing::DoNotDisturb, "settings get global zen_mode", "switch do not disturb through adb")
        }
        SystemEvent::LowStorage => {
            (Thing::LowStorage, "dumpsys devicestoragemonitor", "be made to report a low storage")
        }
        _ => return None,
    };
    Some(Switch { thing, question, action })
}

/// The value that the answer to the question tells, and another one to change it to. `None` if it tells none.
pub(crate) fn values(thing: &Thing, answer: &str) -> Option<(String, String)> {
    let setting = || setting_value(answer.trim()).ok().map(|value| value.unwrap_or_else(|| UNSET.to_owned()));
    let pair = |now: &str, other: &str| Some((now.to_owned(), other.to_owned()));
    match thing {
        Thing::Setting(FONT_SCALE) => {
            let now = setting()?;
            let scale: f32 = if now == UNSET { 1.0 } else { now.parse().ok()? };
            let other = if scale < LARGE { LARGE_TEXT } else { "1.0" };
            (0.1..10.0).contains(&scale).then(|| pair(&now, other))?
        }
        Thing::Setting(HOURS) => match setting()?.as_str() {
            now @ (UNSET | "12") => pair(now, "24"),
            "24" => pair("24", "12"),
            _ => None,
        },
        Thing::Setting(LOCATION) => match setting()?.as_str() {
            "0" => pair("0", "3"),
            mode @ ("1" | "2" | "3") => pair(mode, "0"),
            _ => None,
        },
        Thing::DisplaySize => densities(answer),
        Thing::TimeZone => {
            const ZONES: [&str; 2] = ["Asia/Tokyo", "Europe/London"];
            let now = Some(answer.trim()).filter(|zone| !zone.is_empty() && zone.len() < 64)?;
            pair(now, ZONES.into_iter().find(|zone| *zone != now)?)
        }
        Thing::AirplaneMode => match setting()?.as_str() {
            "1" => pair("enable", "disable"),
            "0" | UNSET => pair("disable", "enable"),
            _ => None,
        },
        Thing::DoNotDisturb => match setting()?.as_str() {
            "0" | UNSET => pair("off", "priority"),
            "1" => pair("priority", "off"),
            "2" => pair("none", "off"),
            "3" => pair("alarms", "off"),
            _ => None,
        },
        Thing::LowStorage => {
            let forced = answer.split_whitespace().find_map(|word| word.strip_prefix("mForce"))?;
            match forced.split_once('=')?.1 {
                "UNKNOWN" => pair(RESET, "force-low"),
                "LOW" => pair("force-low", RESET),
                _ => None,
            }
        }
        Thing::DarkMode => {
            const MODES: [&str; 5] = ["no", "yes", "auto", "custom_schedule", "custom_bedtime"];
            let now = MODES.into_iter().find(|mode| answer.trim().rsplit(' ').next() == Some(mode))?;
            pair(now, if now == "yes" { "no" } else { "yes" })
        }
        Thing::Setting(_) | Thing::Wifi | Thing::MobileData | Thing::Battery | Thing::Permission(..) => None,
    }
}

/// The density that was chosen, and another one: that of the next larger display size.
fn densities(answer: &str) -> Option<(String, String)> {
    let told = |what: &str| -> Option<u32> {
        let line = answer.lines().find_map(|line| line.trim().strip_prefix(what))?;
        line.trim_start_matches(':').trim().parse().ok()
    };
    let physical = told("Physical density").filter(|density| (1..=4000).contains(density))?;
    let larger = physical * 9 / 8;
    match told("Override density") {
        None => Some((RESET.to_owned(), larger.to_string())),
        Some(chosen) if chosen == larger => Some((chosen.to_string(), physical.to_string())),
        Some(chosen) => Some((chosen.to_string(), larger.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_switch_reads_what_a_device_answers() {
        let check = |thing: Thing, answer: &str, expected: Option<(&str, &str)>| {
            let told = values(&thing, answer);
            let told = told.as_ref().map(|(now, other)| (&**now, &**other));
            assert_eq!(told, expected, "{thing:?} {answer:?}");
        };
        check(Thing::Setting(FONT_SCALE), "1.15\n", Some(("1.15", "1.3")));
        check(Thing::Setting(FONT_SCALE), "null\r\n", Some(("null", "1.3")));
        check(Thing::Setting(FONT_SCALE), "1.30", Some(("1.30", "1.0")));
        check(Thing::DisplaySize, "Physical density: 480\n", Some(("reset", "540")));
        check(Thing::DisplaySize, "Physical density: 480\nOverride density: 420\n", Some(("420", "540")));
        check(Thing::DisplaySize, "Physical density: 480\r\nOverride density: 540\r\n", Some(("540", "480")));
        check(Thing::DisplaySize, "Error: unknown command", None);
        check(Thing::Setting(HOURS), "null", Some(("null", "24")));
        check(Thing::Setting(HOURS), "24", Some(("24", "12")));
        check(Thing::TimeZone, "Europe/Berlin\r\n", Some(("Europe/Berlin", "Asia/Tokyo")));
        check(Thing::TimeZone, "Asia/Tokyo", Some(("Asia/Tokyo", "Europe/London")));
        check(Thing::TimeZone, "\n", None);
        check(Thing::Setting(FONT_SCALE), "large", None);
        check(Thing::DarkMode, "Night mode: auto\r\n", Some(("auto", "yes")));
        check(Thing::DarkMode, "Night mode: yes", Some(("yes", "no")));
        check(Thing::DarkMode, "Night mode: unknown", None);
        check(Thing::Setting(LOCATION), "3", Some(("3", "0")));
        check(Thing::Setting(LOCATION), "null", None);
        check(Thing::AirplaneMode, "0", Some(("disable", "enable")));
        check(Thing::DoNotDisturb, "3", Some(("alarms", "off")));
        check(
            Thing::LowStorage,
            "Known volumes:\n  Default:\nmSeq=1 mForceState=UNKNOWN\n",
            Some(("reset", "force-low")),
        );
        check(Thing::LowStorage, "Can't find service: devicestoragemonitor", None);
    }
}
