//! Settings of the system that tests change and change back: how to ask for one, which other value to set, and how.

use super::output::setting_value;

/// A setting of the system that is changed and changed back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    FontScale,
    DisplaySize,
    HourFormat,
    TimeZone,
    Location,
    AirplaneMode,
    DoNotDisturb,
    LowStorage,
}

/// The value for a setting that had none.
const UNSET: &str = "unset";
/// The value for what is as the device has it by itself.
const RESET: &str = "reset";
const LOW: &str = "low";
/// In percent.
const LARGE_TEXT: u16 = 130;

/// A value of a setting, and another one to change it to. Values are single words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub now: String,
    pub other: String,
}

impl Values {
    fn of(now: impl Into<String>, other: impl Into<String>) -> Option<Values> {
        Some(Values { now: now.into(), other: other.into() })
    }
}

impl Switch {
    pub const ALL: [Switch; 8] = [
        Switch::FontScale,
        Switch::DisplaySize,
        Switch::HourFormat,
        Switch::TimeZone,
        Switch::Location,
        Switch::AirplaneMode,
        Switch::DoNotDisturb,
        Switch::LowStorage,
    ];

    /// The name in the file on the device.
    pub fn name(self) -> &'static str {
        match self {
            Switch::FontScale => "font-scale",
            Switch::DisplaySize => "display-size",
            Switch::HourFormat => "hour-format",
            Switch::TimeZone => "time-zone",
            Switch::Location => "location",
            Switch::AirplaneMode => "airplane-mode",
            Switch::DoNotDisturb => "do-not-disturb",
            Switch::LowStorage => "low-storage",
        }
    }

    /// What a device does that changes it, as a part of a sentence.
    pub fn action(self) -> &'static str {
        match self {
            Switch::FontScale => "change the size of texts",
            Switch::DisplaySize => "change its display size",
            Switch::HourFormat => "change the hours of its clock",
            Switch::TimeZone => "change its time zone through adb",
            Switch::Location => "switch location through adb",
            Switch::AirplaneMode => "switch airplane mode through adb",
            Switch::DoNotDisturb => "switch do not disturb through adb",
            Switch::LowStorage => "be made to report a low storage",
        }
    }

    /// Whether changing it cuts the device off from the network.
    pub fn cuts_off(self) -> bool {
        self == Switch::AirplaneMode
    }

    /// The shell line that tells the value.
    pub fn question(self) -> &'static str {
        match self {
            Switch::FontScale => "settings get system font_scale",
            Switch::DisplaySize => "wm density",
            Switch::HourFormat => "settings get system time_12_24",
            Switch::TimeZone => "getprop persist.sys.timezone",
            Switch::Location => "settings get secure location_mode",
            Switch::AirplaneMode => "settings get global airplane_mode_on",
            Switch::DoNotDisturb => "settings get global zen_mode",
            Switch::LowStorage => "dumpsys devicestoragemonitor",
        }
    }

    /// The value that the answer to the question tells, and another one. `None` if it tells none.
    pub fn values(self, answer: &str) -> Option<Values> {
        let setting = || setting_value(answer.trim()).ok();
        match self {
            Switch::FontScale => {
                let scale: f32 = setting()?.map_or(Some(1.0), |scale| scale.parse().ok())?;
                let percent = (scale * 100.0).round();
                let percent = (10.0..1000.0).contains(&percent).then_some(percent as u16)?;
                let other = if percent < LARGE_TEXT { LARGE_TEXT } else { 100 };
                Values::of(percent.to_string(), other.to_string())
            }
            Switch::DisplaySize => densities(answer),
            Switch::HourFormat => match setting()?.as_deref() {
                None => Values::of(UNSET, "24"),
                Some("24") => Values::of("24", "12"),
                Some("12") => Values::of("12", "24"),
                Some(_) => None,
            },
            Switch::TimeZone => {
                const ZONES: [&str; 2] = ["Asia/Tokyo", "Europe/London"];
                let now = Some(answer.trim()).filter(|zone| is_zone(zone))?;
                Values::of(now, ZONES.into_iter().find(|zone| *zone != now)?)
            }
            Switch::Location => match setting()?.as_deref() {
                Some("0") => Values::of("0", "3"),
                Some(mode @ ("1" | "2" | "3")) => Values::of(mode, "0"),
                Some(_) | None => None,
            },
            Switch::AirplaneMode => match setting()?.as_deref() {
                Some("1") => Values::of("enable", "disable"),
                Some("0") | None => Values::of("disable", "enable"),
                Some(_) => None,
            },
            Switch::DoNotDisturb => match setting()?.as_deref() {
                Some("0") | None => Values::of("off", "priority"),
                Some("1") => Values::of("priority", "off"),
                Some("2") => Values::of("none", "off"),
                Some("3") => Values::of("alarms", "off"),
                Some(_) => None,
            },
            Switch::LowStorage => {
                let forced = answer.split_whitespace().find_map(|word| word.strip_prefix("mForce"))?;
                match forced.split_once('=')?.1 {
                    "UNKNOWN" => Values::of(RESET, LOW),
                    "LOW" => Values::of(LOW, RESET),
                    _ => None,
                }
            }
        }
    }

    /// Whether the word is a value, in a file that anything on the device can write.
    pub fn has(self, value: &str) -> bool {
        let is_number = || value.len() < 5 && value.parse::<u16>().is_ok();
        match self {
            Switch::FontScale => is_number(),
            Switch::DisplaySize => value == RESET || is_number(),
            Switch::HourFormat => [UNSET, "12", "24"].contains(&value),
            Switch::TimeZone => is_zone(value),
            Switch::Location => ["0", "1", "2", "3"].contains(&value),
            Switch::AirplaneMode => ["enable", "disable"].contains(&value),
            Switch::DoNotDisturb => ["off", "priority", "none", "alarms"].contains(&value),
            Switch::LowStorage => [RESET, LOW].contains(&value),
        }
    }

    /// The shell line that sets a value.
    pub fn line(self, value: &str) -> String {
        match self {
            Switch::FontScale => {
                let percent: u16 = value.parse().unwrap_or(100);
                // As the settings of Android write it.
                let (whole, hundredths) = (percent / 100, percent % 100);
                let part = if percent.is_multiple_of(10) {
                    format!("{}", hundredths / 10)
                } else {
                    format!("{hundredths:02}")
                };
                format!("settings put system font_scale {whole}.{part}")
            }
            Switch::DisplaySize => format!("wm density {value}"),
            // Android 4.4 and 5 know no deletion; their clocks have 12 hours unless the language says otherwise.
            Switch::HourFormat if value == UNSET => {
                "if [ \"$(getprop ro.build.version.sdk)\" -lt 23 ]; then settings put system time_12_24 12; \
                 else settings delete system time_12_24 >/dev/null; fi"
                    .to_owned()
            }
            Switch::HourFormat => format!("settings put system time_12_24 {value}"),
            Switch::TimeZone => format!("cmd alarm set-timezone {value}"),
            Switch::Location => format!("settings put secure location_mode {value}"),
            Switch::AirplaneMode => format!("cmd connectivity airplane-mode {value}"),
            Switch::DoNotDisturb => format!("cmd notification set_dnd {value}"),
            Switch::LowStorage if value == LOW => {
                "cmd devicestoragemonitor force-low -f >/dev/null".to_owned()
            }
            Switch::LowStorage => "cmd devicestoragemonitor reset -f >/dev/null".to_owned(),
        }
    }
}

/// Whether it can be the name of a time zone, such as `America/Port-au-Prince` or `Etc/GMT+5`.
fn is_zone(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "/_+-".contains(letter);
    !name.is_empty() && name.len() < 64 && name.chars().all(fits)
}

/// The density that was chosen, and another one: that of the next larger display size.
fn densities(answer: &str) -> Option<Values> {
    let told = |what: &str| -> Option<u32> {
        let line = answer.lines().find_map(|line| line.trim().strip_prefix(what))?;
        line.trim_start_matches(':').trim().parse().ok()
    };
    let physical = told("Physical density").filter(|density| (1..=4000).contains(density))?;
    let larger = physical * 9 / 8;
    match told("Override density") {
        None => Values::of(RESET, larger.to_string()),
        Some(chosen) if chosen == larger => Values::of(chosen.to_string(), physical.to_string()),
        Some(chosen) => Values::of(chosen.to_string(), larger.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_switch_reads_what_a_device_answers() {
        let check = |switch: Switch, answer: &str, expected: Option<(&str, &str)>| {
            let values = switch.values(answer);
            let values = values.as_ref().map(|values| (&*values.now, &*values.other));
            assert_eq!(values, expected, "{switch:?} {answer:?}");
            for value in values.into_iter().flat_map(|(now, other)| [now, other]) {
                assert!(switch.has(value), "{switch:?} {value:?}");
            }
        };
        check(Switch::FontScale, "1.15\n", Some(("115", "130")));
        check(Switch::FontScale, "null\r\n", Some(("100", "130")));
        check(Switch::FontScale, "1.3", Some(("130", "100")));
        check(Switch::DisplaySize, "Physical density: 480\n", Some(("reset", "540")));
        check(Switch::DisplaySize, "Physical density: 480\nOverride density: 420\n", Some(("420", "540")));
        check(
            Switch::DisplaySize,
            "Physical density: 480\r\nOverride density: 540\r\n",
            Some(("540", "480")),
        );
        check(Switch::DisplaySize, "Error: unknown command", None);
        check(Switch::HourFormat, "null", Some(("unset", "24")));
        check(Switch::HourFormat, "24", Some(("24", "12")));
        check(Switch::TimeZone, "Europe/Berlin\r\n", Some(("Europe/Berlin", "Asia/Tokyo")));
        check(Switch::TimeZone, "Asia/Tokyo", Some(("Asia/Tokyo", "Europe/London")));
        check(Switch::TimeZone, "\n", None);
        check(Switch::TimeZone, "$(reboot)", None);
        check(Switch::Location, "3", Some(("3", "0")));
        check(Switch::Location, "null", None);
        check(Switch::AirplaneMode, "0", Some(("disable", "enable")));
        check(Switch::DoNotDisturb, "3", Some(("alarms", "off")));
        check(
            Switch::LowStorage,
            "Known volumes:\n  Default:\nmSeq=1 mForceState=UNKNOWN\n",
            Some(("reset", "low")),
        );
        check(Switch::LowStorage, "Can't find service: devicestoragemonitor", None);
    }

    #[test]
    fn each_switch_is_set_by_a_line_of_its_own() {
        let check = |switch: Switch, value: &str, line: &str| assert_eq!(switch.line(value), line);
        check(Switch::FontScale, "115", "settings put system font_scale 1.15");
        check(Switch::FontScale, "100", "settings put system font_scale 1.0");
        check(Switch::FontScale, "105", "settings put system font_scale 1.05");
        check(Switch::DisplaySize, "reset", "wm density reset");
        check(Switch::TimeZone, "Asia/Tokyo", "cmd alarm set-timezone Asia/Tokyo");
        check(Switch::AirplaneMode, "disable", "cmd connectivity airplane-mode disable");
        check(Switch::DoNotDisturb, "alarms", "cmd notification set_dnd alarms");
        assert!(!Switch::TimeZone.has("x;reboot") && !Switch::FontScale.has("large"));
    }
}
