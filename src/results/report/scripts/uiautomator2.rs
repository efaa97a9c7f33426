//! A finding as a Python script for uiautomator2: the steps by selector, or by position if the widget is not found, and
//! the expectations at the end. The script fails as long as the bug is there.

use super::adb_shell::system;
use super::script::{
    Check, ENDS, Expectation, ScriptStep, exact_selector, expectations, first_steps, flag_name,
    has_system_events, heading, ready, script_steps,
};
use crate::report::ReportFacts;
use crate::report::text::python_literal;
use taproof_campaign::Finding;
use taproof_screen::{Event, Gesture, Key, PxPoint, PxSize, Selector, swipe_line};
use taproof_spec::WidgetState;

/// The beginning of every script.
const PRELUDE: &str = include_str!("uiautomator2_prelude.py");

/// Writes the script of a finding.
pub(crate) fn script(finding: &Finding, facts: &ReportFacts) -> Vec<u8> {
    let mut lines = vec![
        "#!/usr/bin/env python3".to_owned(),
        heading(finding, facts),
        "# Needs: pip install uiautomator2, a device that adb sees, and the app installed on it.".to_owned(),
        ENDS.to_owned(),
        String::new(),
        format!("APP = {}", python_literal(&facts.app)),
        format!("TITLE = {}", python_literal(&facts.title_of(finding))),
        String::new(),
    ];
    lines.extend(PRELUDE.lines().map(str::to_owned));
    lines.extend([String::new(), String::new(), "def run(d):".to_owned()]);
    if has_system_events(finding, facts) {
        // Changes around the app must not be left over from an earlier run, nor after this one, however it ends.
        lines.extend(["    phone_as_usual(d)", "    atexit.register(phone_as_usual, d)"].map(str::to_owned));
    }
    lines.push("    start(d)".to_owned());
    lines.extend(first_steps(facts).map(|step| format!("    {}", step_call(&step))));
    if let Some(ready) = ready(facts) {
        lines.push(format!("    wait_until_ready(d, {})", python_literal(ready.source())));
    }
    lines.extend(script_steps(finding, facts).map(|step| format!("    {}", step_call(&step))));
    lines.extend([String::new(), String::new(), "def check(d):".to_owned()]);
    lines.extend(expectations(finding, facts).iter().map(|expected| format!("    {}", check_call(expected))));
    lines.extend(["", "", "if __name__ == \"__main__\":", "    main()", ""].map(str::to_owned));
    lines.join("\n").into_bytes()
}

/// A call for each step: the function, the step's number and sentence, then its target.
fn step_call(step: &ScriptStep<'_>) -> String {
    let head = format!("d, {}, {}", step.number, python_literal(&step.sentence));
    match step.event {
        Event::Widget { target, gesture } => {
            let selector = selector(&exact_selector(step.event, &target.selector, step.before));
            let on = format!("{head}, {selector}, {}, {}", point(target.at), size(target.screen));
            match gesture {
                Gesture::Tap => format!("tap({on})"),
                Gesture::LongPress => format!("long_press({on})"),
                Gesture::SetText(text) => format!("set_text({on}, {})", python_literal(text)),
                Gesture::Swipe(direction) => {
                    let (from, to) = swipe_line(step.event, target.at, *direction, step.before);
                    format!("swipe({head}, {}, {}, {})", point(from), point(to), size(target.screen))
                }
                Gesture::Drag(to) => {
                    format!("swipe({head}, {}, {}, {})", point(target.at), point(*to), size(target.screen))
                }
            }
        }
        Event::Type(text) => format!("type_text({head}, {})", python_literal(text)),
        Event::Key(key) => format!("press({head}, {})", key_name(*key)),
        Event::Rotate => {
            let turned = step.after.rotation().sideways();
            format!("rotate({head}, \"{}\")", if turned { "left" } else { "natural" })
        }
        Event::Wait(span) => format!("wait({head}, {})", span.millis() as f64 / 1000.0),
        Event::Relaunch => format!("relaunch({head})"),
        Event::OpenLink(link) => format!("open_link({head}, {})", python_literal(link)),
        Event::System(what) => match system(*what).split_once(' ') {
            Some((function, argument)) => format!("{function}({head}, \"{argument}\")"),
            None => format!("{}({head})", system(*what)),
        },
    }
}

/// The argument of `d.press` for a key.
fn key_name(key: Key) -> &'static str {
    match key {
        Key::Back => "\"back\"",
        Key::Home => "\"home\"",
        Key::Recents => "\"recent\"",
        Key::ImeAction | Key::Enter => "\"enter\"",
        Key::Delete => "\"delete\"",
        Key::Menu => "\"menu\"",
        // uiautomator2 has no name for this key; this is Android's KEYCODE_TAB.
        Key::Tab => "61",
        Key::DpadUp => "\"up\"",
        Key::DpadDown => "\"down\"",
        Key::DpadLeft => "\"left\"",
        Key::DpadRight => "\"right\"",
        Key::DpadCenter => "\"center\"",
        Key::Search => "\"search\"",
        Key::VolumeUp => "\"volume_up\"",
        Key::VolumeDown => "\"volume_down\"",
    }
}

fn check_call(expected: &Expectation) -> String {
    let sentence = python_literal(&expected.sentence);
    match &expected.check {
        Check::Shown { selector: named, state, texts } => {
            let texts: Vec<String> = texts.iter().map(|text| python_literal(text)).collect();
            format!("expect_shown(d, {sentence}, {}, [{}])", in_state(named, *state), texts.join(", "))
        }
        Check::AtMost { selector: named, state, count } => {
            format!("expect_at_most(d, {sentence}, {}, {count})", in_state(named, *state))
        }
        Check::Above { first, second } => {
            format!("expect_above(d, {sentence}, {}, {})", selector(first), selector(second))
        }
        Check::Alive => format!("expect_alive(d, {sentence})"),
        Check::ByEye => format!("look_yourself(d, {sentence})"),
    }
}

/// The keywords of `d(...)`, with the required state.
fn in_state(named: &Selector, state: Option<WidgetState>) -> String {
    let keywords = selector(named);
    let Some(state) = state else { return keywords };
    let (flag, set) = state.flag();
    let keyword = format!("\"{}\": {}", flag_name(flag), if set { "True" } else { "False" });
    match keywords.strip_suffix('}').filter(|parts| parts.len() > 1) {
        Some(parts) => format!("{parts}, {keyword}}}"),
        None => format!("{{{keyword}}}"),
    }
}

/// The selector as keywords of `d(...)`. An XPath is used alone, since uiautomator2 does not combine the two. A label is
/// looked up by the prelude.
fn selector(selector: &Selector) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut part = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            parts.push(format!("\"{name}\": {}", python_literal(value)));
        }
    };
    part("xpath", selector.xpath.as_ref().map(|xpath| xpath.source()));
    part("resourceId", selector.resource_id.as_deref());
    part("text", selector.text.as_deref());
    part("description", selector.content_desc.as_deref());
    part("className", selector.class.as_deref());
    if let Some(beside) = &selector.beside {
        let (side, label) = (python_literal(beside.side.key()), python_literal(&beside.label));
        parts.push(format!("\"beside\": ({side}, {label})"));
    }
    if let Some(instance) = selector.instance {
        parts.push(format!("\"instance\": {instance}"));
    }
    format!("{{{}}}", parts.join(", "))
}

fn point(at: PxPoint) -> String {
    format!("({}, {})", at.x, at.y)
}

fn size(size: PxSize) -> String {
    format!("({}, {})", size.width, size.height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::{Beside, Side};

    #[test]
    fn a_label_beside_a_widget_is_left_to_the_prelude() {
        let beside = Beside { side: Side::RightOf, label: "Ann's \"title\"".to_owned() };
        let class = Some("android.widget.EditText".to_owned());
        let named = Selector { class, beside: Some(beside), ..Selector::default() };
        let expected = "{\"className\": \"android.widget.EditText\", \"beside\": (\"right-of\", \"Ann's \\\"title\\\"\")}";
        assert_eq!(selector(&named), expected);
    }
}
