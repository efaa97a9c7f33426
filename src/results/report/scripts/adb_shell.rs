//! A finding as a shell script of adb commands. Every text passes two shells, the one on this computer and the one on
//! the device, so it is quoted for the inner one first, then for the outer one.

use super::script::{
    Check, ENDS, Expectation, ScriptStep, expectations, first_steps, flag_name, has_system_events, heading,
    ready, script_steps,
};
use crate::report::ReportFacts;
use crate::shell::{comment, shell_quoted};
use taproof_campaign::Finding;
use taproof_screen::{
    Event, Gesture, PxPoint, PxSize, Selector, SystemEvent, XPath, swipe_line, touched_widget,
};
use taproof_spec::WidgetState;

/// The beginning of every script.
const PRELUDE: &str = include_str!("adb_prelude.sh");

/// Writes the script of a finding.
pub(crate) fn script(finding: &Finding, facts: &ReportFacts) -> Vec<u8> {
    let mut lines = vec![
        "#!/bin/sh".to_owned(),
        heading(finding, facts),
        "# Needs adb on the PATH; with several devices, ANDROID_SERIAL says which.".to_owned(),
        ENDS.to_owned(),
        "set -eu".to_owned(),
        format!("APP={}", shell_quoted(&facts.app)),
        format!("APP_THERE={}", shell_quoted(&shell_quoted(&facts.app))),
    ];
    lines.extend(PRELUDE.lines().map(str::to_owned));
    if has_system_events(finding, facts) {
        // What was changed around the app is restored, however the script ends.
        lines
            .extend(["trap 'phone_as_usual; exit \"$RESULT\"' EXIT".to_owned(), "phone_as_usual".to_owned()]);
    }
    first_steps(facts).for_each(|step| one_step(&step, &mut lines));
    if let Some(ready) = ready(facts) {
        lines.extend([String::new(), wait(ready)]);
    }
    script_steps(finding, facts).for_each(|step| one_step(&step, &mut lines));
    lines.extend([String::new(), "look".to_owned()]);
    lines.extend(expectations(finding, facts).iter().map(check));
    lines.extend(["finish".to_owned(), String::new()]);
    lines.join("\n").into_bytes()
}

fn one_step(step: &ScriptStep<'_>, lines: &mut Vec<String>) {
    lines.push(String::new());
    lines.push(format!("say {} {}", step.number, shell_quoted(&comment(&step.sentence))));
    commands(step, lines);
    lines.push("settle".to_owned());
}

/// Waits until the app is ready, which a shell can only detect by attributes of the dump.
fn wait(ready: &XPath) -> String {
    match ready.plain().and_then(|selector| attributes(&selector, None)) {
        Some(attributes) => {
            let words: Vec<String> = attributes.iter().map(|attribute| shell_quoted(attribute)).collect();
            format!("wait_until_ready {}", words.join(" "))
        }
        None => format!("wait_for_person {}", shell_quoted(&comment(ready.source()))),
    }
}

fn commands(step: &ScriptStep<'_>, lines: &mut Vec<String>) {
    match step.event {
        Event::Widget { target, gesture } => {
            let (at, screen) = (target.at, target.screen);
            match gesture {
                Gesture::Tap => lines.push(touch(at, at, screen, 0)),
                Gesture::LongPress => lines.push(touch(at, at, screen, 1000)),
                Gesture::SetText(text) => {
                    lines.push(touch(at, at, screen, 0));
                    let held = touched_widget(step.event, step.before)
                        .map_or(0, |idx| step.before.widget(idx).text.chars().count());
                    lines.push(format!("erase {held}"));
                    type_text(text, lines);
                }
                Gesture::Swipe(direction) => {
                    let (from, to) = swipe_line(step.event, at, *direction, step.before);
                    lines.push(touch(from, to, screen, 400));
                }
                Gesture::Drag(to) => lines.push(touch(at, *to, screen, 800)),
            }
        }
        Event::Type(text) => type_text(text, lines),
        Event::Key(key) => lines.push(device(&format!("input keyevent {}", key.android_name()))),
        Event::Rotate => {
            lines.push(format!("rotate {}", u8::from(step.after.rotation().sideways())));
        }
        Event::Wait(span) => lines.push(format!("sleep {}", span.millis().div_ceil(1000))),
        Event::Relaunch => lines.extend(["stop_app".to_owned(), "start_app".to_owned()]),
        Event::System(what) => lines.push(system(*what).to_owned()),
        Event::OpenLink(link) => {
            let start = format!("am start -a android.intent.action.VIEW -d {}", shell_quoted(link));
            lines.push(device(&start));
        }
    }
}

/// The function of both preludes for a system event, and its argument if it has one.
pub(crate) fn system(what: SystemEvent) -> &'static str {
    match what {
        SystemEvent::NetworkOff => "network disable",
        SystemEvent::NetworkOn => "network enable",
        SystemEvent::LowBattery => "low_battery",
        SystemEvent::IncomingCall => "incoming_call",
        SystemEvent::Locale => "next_language",
        SystemEvent::DarkMode => "switch_dark_mode",
        SystemEvent::Background => "leave_and_return",
        SystemEvent::ProcessDeath => "end_process_and_return",
        SystemEvent::RevokePermission => "revoke_permissions_and_return",
        SystemEvent::FontScale => "switch_setting font_scale",
        SystemEvent::ScreenOff => "screen_off_and_on",
        SystemEvent::SplitScreen => "split_screen",
        SystemEvent::ActivityDeath => "destroy_activities_and_return",
        SystemEvent::DisplaySize => "switch_setting display_size",
        SystemEvent::HourFormat => "switch_setting hour_format",
        SystemEvent::TimeZone => "switch_setting time_zone",
        SystemEvent::Location => "switch_setting location",
        SystemEvent::AirplaneMode => "switch_setting airplane_mode",
        SystemEvent::DoNotDisturb => "switch_setting do_not_disturb",
        SystemEvent::LowStorage => "switch_setting low_storage",
        SystemEvent::Notifications => "pull_notifications_down",
        SystemEvent::GrantPermission => "grant_permissions_and_return",
    }
}

/// A command for the device's shell.
fn device(command: &str) -> String {
    format!("device {}", shell_quoted(command))
}

/// A movement of a finger from one point to another, scaled to the device's screen; 0 milliseconds for a tap.
fn touch(from: PxPoint, to: PxPoint, screen: PxSize, millis: u32) -> String {
    format!("touch_at {} {} {} {} {} {} {millis}", from.x, from.y, to.x, to.y, screen.width, screen.height)
}

/// Typing. `input text` accepts printable ASCII and writes `%s` for a space. It has no other way to write a literal
/// `%s`, so that is sent in two pieces. Other characters need a keyboard helper.
fn type_text(text: &str, lines: &mut Vec<String>) {
    let typable = |c: char| c == '\n' || c == ' ' || c.is_ascii_graphic();
    if !text.chars().all(typable) {
        lines.push("# `input text` cannot type this; the keyboard helper ADBKeyBoard can.".to_owned());
        lines.push(format!("type_with_helper {}", shell_quoted(&base64(text))));
        return;
    }
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            lines.push(device("input keyevent KEYCODE_ENTER"));
        }
        for piece in line.replace("%s", "%\0s").split('\0').filter(|piece| !piece.is_empty()) {
            lines.push(device(&format!("input text {}", shell_quoted(&piece.replace(' ', "%s")))));
        }
    }
}

fn base64(text: &str) -> String {
    use ::base64::Engine;
    ::base64::engine::general_purpose::STANDARD.encode(text)
}

fn check(expected: &Expectation) -> String {
    let sentence = shell_quoted(&comment(&expected.sentence));
    match condition(&expected.check) {
        Some(condition) => format!("{condition} || bug {sentence}"),
        None => format!("by_eye {sentence}"),
    }
}

/// The condition in terms of the dump; `None` if a shell cannot express it.
fn condition(check: &Check) -> Option<String> {
    let counted = |selector: &Selector, state: Option<WidgetState>, text: Option<&str>, relation: &str| {
        let mut attributes = attributes(selector, text)?;
        attributes.extend(state.map(|state| {
            let (flag, set) = state.flag();
            format!(" {}=\"{set}\"", flag_name(flag))
        }));
        let words: Vec<String> = attributes.iter().map(|attribute| shell_quoted(attribute)).collect();
        Some(format!("[ \"$(count {})\" {relation} ]", words.join(" ")))
    };
    match check {
        Check::Shown { selector, state, texts } if texts.is_empty() => {
            counted(selector, *state, None, "-gt 0")
        }
        Check::Shown { selector, state, texts } => {
            let any = texts.iter().map(|text| counted(selector, *state, Some(text), "-gt 0"));
            Some(any.collect::<Option<Vec<String>>>()?.join(" || "))
        }
        Check::AtMost { selector, state, count } => counted(selector, *state, None, &format!("-le {count}")),
        Check::Alive => Some("alive".to_owned()),
        Check::Above { .. } | Check::ByEye => None,
    }
}

/// The attributes of a node of the dump, as the dump writes them. `None` if they cannot express the whole selector,
/// since an XPath and an index are no attributes.
fn attributes(selector: &Selector, text: Option<&str>) -> Option<Vec<String>> {
    if !selector.is_of_attributes() {
        return None;
    }
    let Selector { resource_id, class, text: own_text, content_desc, .. } = selector;
    let attribute =
        |name: &str, value: Option<&str>| value.map(|value| format!(" {name}=\"{}\"", dumped(value)));
    let given: Vec<String> = [
        attribute("resource-id", resource_id.as_deref()),
        attribute("text", text.or(own_text.as_deref())),
        attribute("content-desc", content_desc.as_deref()),
        attribute("class", class.as_deref()),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!given.is_empty()).then_some(given)
}

/// A value as uiautomator writes it.
fn dumped(value: &str) -> String {
    let mut written = String::new();
    for c in value.chars() {
        match c {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\n' | '\r' | '\t' => written.push_str(&format!("&#{};", u32::from(c))),
            // The dump has a dot in place of a character that XML does not allow.
            c if c.is_control() => written.push('.'),
            c => written.push(c),
        }
    }
    written
}
