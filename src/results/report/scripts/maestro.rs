//! A finding as a Maestro flow. Maestro selects widgets by ids and texts (which include descriptions), both as regular
//! expressions, by labels beside them, and by positions on the screen. A widget with any other selector is tapped at its
//! position.

use super::script::{
    Check, ScriptStep, expectations, first_steps, flag_name, heading, middle_is_covered, percent, ready,
    script_steps,
};
use crate::report::ReportFacts;
use crate::report::text::{regex_of, without_scripts, yaml_quoted};
use crate::shell::comment;
use taproof_campaign::Finding;
use taproof_screen::{
    Beside, Event, Gesture, Key, Layout, MaestroPattern, MaestroRelation, MaestroSelector, PxPoint, PxSize,
    Selector, Side, SystemEvent, TouchTarget, WidgetIdx, XPath, swipe_line, touched_widget,
};
use taproof_spec::WidgetState;

/// Writes the flow of a finding.
pub(crate) fn flow(finding: &Finding, facts: &ReportFacts) -> Vec<u8> {
    let mut lines = vec![
        heading(finding, facts),
        "# Run it with: maestro test FILE. While the bug is there, the flow fails at its end.".to_owned(),
        format!("appId: {}", quoted(&facts.app)),
        "---".to_owned(),
        "- launchApp:".to_owned(),
        "    clearState: true".to_owned(),
        "- setOrientation: PORTRAIT".to_owned(),
    ];
    first_steps(facts).for_each(|step| one_step(&step, &mut lines));
    if let Some(ready) = ready(facts) {
        lines.push(format!("# Wait until {} is on the screen", comment(ready.source())));
        lines.extend(wait(ready));
    }
    script_steps(finding, facts).for_each(|step| one_step(&step, &mut lines));
    let mut by_eye = Vec::new();
    for expected in expectations(finding, facts) {
        match assertion(&expected.check, finding) {
            Some(assertion) => {
                lines.push(format!("# {}", comment(&expected.sentence)));
                lines.extend(assertion);
            }
            None => by_eye.push(expected.sentence),
        }
    }
    // A flow ends where it fails, so assertions come before what a person must check.
    for sentence in by_eye {
        by_hand(&format!("Look at the screen: {sentence}"), &mut lines);
    }
    lines.push(String::new());
    lines.join("\n").into_bytes()
}

fn one_step(step: &ScriptStep<'_>, lines: &mut Vec<String>) {
    lines.push(format!("# {}. {}", step.number, comment(&step.sentence)));
    commands(step, lines);
}

/// Waits until the app is ready. If Maestro cannot express the condition, the flow waits until the screen stops
/// changing.
fn wait(ready: &XPath) -> Vec<String> {
    let parts = match ready.plain() {
        Some(Selector { resource_id, text, content_desc, class: None, .. })
            if text.is_none() || content_desc.is_none() =>
        {
            selector_parts(resource_id.as_deref(), text.or(content_desc).as_deref())
        }
        Some(_) | None => Vec::new(),
    };
    if parts.is_empty() {
        return vec!["- waitForAnimationToEnd:".to_owned(), "    timeout: 20000".to_owned()];
    }
    let head = ["- extendedWaitUntil:", "    visible:"].map(str::to_owned);
    let parts = parts.into_iter().map(|part| format!("      {part}"));
    head.into_iter().chain(parts).chain(["    timeout: 20000".to_owned()]).collect()
}

/// A text that Maestro takes literally, as a YAML scalar.
fn quoted(text: &str) -> String {
    yaml_quoted(&without_scripts(text))
}

/// A text as the regular expression that matches it. Dollar and brace are escaped, so that nothing is run as a script.
fn pattern(text: &str) -> String {
    yaml_quoted(&regex_of(text))
}

fn commands(step: &ScriptStep<'_>, lines: &mut Vec<String>) {
    let mut say = |line: String| lines.push(line);
    match step.event {
        Event::Widget { target, gesture } => match gesture {
            Gesture::Tap => place("tapOn", step, target, lines),
            Gesture::LongPress => place("longPressOn", step, target, lines),
            Gesture::SetText(text) => {
                place("tapOn", step, target, lines);
                let held = touched_widget(step.event, step.before)
                    .map_or(0, |idx| step.before.widget(idx).text.chars().count());
                if held > 0 {
                    lines.push(format!("- eraseText: {held}"));
                }
                input(text, lines);
            }
            Gesture::Swipe(direction) => {
                let (from, to) = swipe_line(step.event, target.at, *direction, step.before);
                swipe(from, to, target.screen, lines);
            }
            Gesture::Drag(to) => swipe(target.at, *to, target.screen, lines),
        },
        Event::Type(text) => input(text, lines),
        Event::Key(Key::Back) => say("- back".to_owned()),
        Event::Key(Key::Home) => say("- pressKey: Home".to_owned()),
        Event::Key(Key::ImeAction | Key::Enter) => say("- pressKey: Enter".to_owned()),
        Event::Key(Key::Delete) => say("- pressKey: Backspace".to_owned()),
        Event::Key(Key::Tab) => say("- pressKey: Tab".to_owned()),
        Event::Key(Key::DpadUp) => say("- pressKey: Remote Dpad Up".to_owned()),
        Event::Key(Key::DpadDown) => say("- pressKey: Remote Dpad Down".to_owned()),
        Event::Key(Key::DpadLeft) => say("- pressKey: Remote Dpad Left".to_owned()),
        Event::Key(Key::DpadRight) => say("- pressKey: Remote Dpad Right".to_owned()),
        Event::Key(Key::DpadCenter) => say("- pressKey: Remote Dpad Center".to_owned()),
        Event::Key(Key::Menu) => say("- pressKey: Remote Menu".to_owned()),
        Event::Key(Key::VolumeUp) => say("- pressKey: Volume Up".to_owned()),
        Event::Key(Key::VolumeDown) => say("- pressKey: Volume Down".to_owned()),
        Event::Key(Key::Recents) => by_hand("Maestro has no key for the list of recent apps", lines),
        Event::Key(Key::Search) => by_hand("Maestro has no Search key", lines),
        Event::Rotate => {
            let turned = step.after.rotation().sideways();
            say(format!("- setOrientation: {}", if turned { "LANDSCAPE_LEFT" } else { "PORTRAIT" }));
        }
        Event::Wait(span) => {
            say("- waitForAnimationToEnd:".to_owned());
            say(format!("    timeout: {}", span.millis()));
        }
        Event::Relaunch => {
            say("- stopApp".to_owned());
            say("- launchApp".to_owned());
        }
        Event::System(what) => system(*what, lines),
        Event::OpenLink(link) => say(format!("- openLink: {}", quoted(link))),
    }
}

/// The commands for a system event, as far as Maestro supports it.
fn system(what: SystemEvent, lines: &mut Vec<String>) {
    let commands: &[&str] = match what {
        SystemEvent::NetworkOff => &["- setAirplaneMode: enabled"],
        SystemEvent::NetworkOn => &["- setAirplaneMode: disabled"],
        SystemEvent::Background => &["- pressKey: Home", "- launchApp:", "    stopApp: false"],
        SystemEvent::ProcessDeath => &["- pressKey: Home", "- killApp", "- launchApp:", "    stopApp: false"],
        SystemEvent::LowBattery => return by_hand("Maestro cannot let the battery run low", lines),
        SystemEvent::IncomingCall => return by_hand("Maestro cannot call the phone", lines),
        SystemEvent::Locale => return by_hand("Maestro cannot change the language on the way", lines),
        SystemEvent::DarkMode => return by_hand("Maestro cannot switch dark mode", lines),
        SystemEvent::FontScale => return by_hand("Maestro cannot change the size of texts", lines),
        SystemEvent::ScreenOff => return by_hand("Maestro cannot switch the screen off and on", lines),
        SystemEvent::SplitScreen => return by_hand("Maestro cannot split the screen", lines),
        SystemEvent::ActivityDeath => {
            return by_hand("Maestro cannot destroy activities in the background", lines);
        }
        SystemEvent::DisplaySize => return by_hand("Maestro cannot change the display size", lines),
        SystemEvent::HourFormat => return by_hand("Maestro cannot change the hours of the clock", lines),
        SystemEvent::TimeZone => return by_hand("Maestro cannot change the time zone", lines),
        SystemEvent::Location => return by_hand("Maestro cannot switch location", lines),
        SystemEvent::AirplaneMode => &["- toggleAirplaneMode"],
        SystemEvent::DoNotDisturb => return by_hand("Maestro cannot switch do not disturb", lines),
        SystemEvent::LowStorage => return by_hand("Maestro cannot let the storage run low", lines),
        SystemEvent::Notifications => return by_hand("Maestro cannot pull the notifications down", lines),
        SystemEvent::RevokePermission => {
            return by_hand("Maestro takes permissions back only from an app that it starts anew", lines);
        }
        SystemEvent::GrantPermission => {
            return by_hand("Maestro gives permissions only to an app that it starts anew", lines);
        }
    };
    lines.extend(commands.iter().map(|line| (*line).to_owned()));
}

fn input(text: &str, lines: &mut Vec<String>) {
    if !text.is_ascii() {
        lines.push(
            "# Not every device can be sent this text; where Maestro says so, type it by hand.".to_owned(),
        );
    }
    if !text.is_empty() {
        lines.push(format!("- inputText: {}", quoted(text)));
    }
}

/// Makes the flow fail here, since it cannot continue by itself and must not seem to have passed.
fn by_hand(why: &str, lines: &mut Vec<String>) {
    lines.push("- assertTrue:".to_owned());
    lines.push("    condition: \"${false}\"".to_owned());
    lines.push(format!("    label: {}", quoted(why)));
}

fn place(command: &str, step: &ScriptStep<'_>, target: &TouchTarget, lines: &mut Vec<String>) {
    lines.push(format!("- {command}:"));
    let touched = touched_widget(step.event, step.before);
    let touched = touched.filter(|idx| !middle_is_covered(step.before, *idx));
    let named = touched.and_then(|idx| match &target.selector.beside {
        Some(beside) => parts_beside(idx, beside, step.before),
        None => parts(idx, &target.selector, step.before),
    });
    match named {
        Some(parts) => lines.extend(parts.into_iter().map(|part| format!("    {part}"))),
        None => {
            let (x, y) = percent(target.at, target.screen);
            lines.push(format!("    point: \"{x}%,{y}%\""));
        }
    }
}

/// The parts of a selector that match this widget and, if they match several, its index from the top.
fn parts(idx: WidgetIdx, selector: &Selector, layout: &Layout) -> Option<Vec<String>> {
    let id = selector.resource_id.as_deref();
    let text = selector.text.as_deref().or(selector.content_desc.as_deref());
    // A widget selected by class or XPath is selected by its own id if it has one.
    let own = if text.is_none() { layout.widget(idx).resource_id.as_deref() } else { None };
    let id = id.or(own);
    counted(&[idx], id, text, layout)
}

/// The parts that match one of these widgets, with its index from the top if they match others, too.
fn counted(
    wanted: &[WidgetIdx],
    id: Option<&str>,
    text: Option<&str>,
    layout: &Layout,
) -> Option<Vec<String>> {
    let mut parts = selector_parts(id, text);
    if parts.is_empty() {
        return None;
    }
    let read = |part: Option<&str>| part.and_then(|part| MaestroPattern::parse(&regex_of(part)).ok());
    let named = MaestroSelector { id: read(id), text: read(text), ..MaestroSelector::default() };
    let named = named.from_the_top(layout);
    let place = named.iter().position(|named| wanted.contains(named))?;
    if named.len() > 1 {
        parts.push(format!("index: {place}"));
    }
    Some(parts)
}

/// The parts of a selector by the label beside a widget, if Maestro takes this widget then: of what begins further on that
/// side of the label the nearest, or in some of its releases the first, and what can be tapped before anything else. A
/// label inside of a widget is tapped itself.
fn parts_beside(idx: WidgetIdx, beside: &Beside, layout: &Layout) -> Option<Vec<String>> {
    let (key, relation) = match beside.side {
        Side::Labelled => {
            let inside: Vec<WidgetIdx> = layout.subtree(idx).collect();
            return counted(&inside, None, Some(&beside.label), layout);
        }
        Side::RightOf => ("rightOf", MaestroRelation::RightOf),
        Side::LeftOf => ("leftOf", MaestroRelation::LeftOf),
        Side::Below => ("below", MaestroRelation::Below),
        Side::Above => ("above", MaestroRelation::Above),
    };
    let text = MaestroPattern::parse(&regex_of(&beside.label)).ok();
    let label = MaestroSelector { text, ..MaestroSelector::default() };
    if label.find(layout).len() != 1 {
        return None;
    }
    let found =
        MaestroSelector { relations: vec![(relation, label)], ..MaestroSelector::default() }.find(layout);
    let first = found.iter().min_by_key(|idx| (!layout.widget(**idx).clickable(), **idx));
    let taken = found.first() == Some(&idx) && first == Some(&idx);
    taken.then(|| vec![format!("{key}: {}", pattern(&beside.label))])
}

/// The selector of a widget that is named by these attributes, a line for each part. A widget without id and words, which is
/// all that Maestro looks for, is named by its place on the screen.
pub(crate) fn selector(layout: &Layout, idx: WidgetIdx, selector: &Selector) -> Vec<String> {
    parts(idx, selector, layout).unwrap_or_else(|| {
        let (x, y) = percent(layout.widget(idx).bounds.center(), layout.screen());
        vec![format!("point: \"{x}%,{y}%\"")]
    })
}

fn selector_parts(id: Option<&str>, text: Option<&str>) -> Vec<String> {
    let id = id.map(|id| format!("id: {}", pattern(id)));
    let text = text.filter(|text| !text.is_empty()).map(|text| format!("text: {}", pattern(text)));
    id.into_iter().chain(text).collect()
}

fn swipe(from: PxPoint, to: PxPoint, screen: PxSize, lines: &mut Vec<String>) {
    let point = |at| {
        let (x, y) = percent(at, screen);
        format!("\"{x}%, {y}%\"")
    };
    lines.push("- swipe:".to_owned());
    lines.push(format!("    start: {}", point(from)));
    lines.push(format!("    end: {}", point(to)));
    lines.push("    duration: 400".to_owned());
}

/// The lines of an assertion; `None` if Maestro cannot express the check.
fn assertion(check: &Check, finding: &Finding) -> Option<Vec<String>> {
    let command = |name: &str, parts: Vec<String>| {
        let parts = parts.into_iter().map(|part| format!("    {part}"));
        std::iter::once(format!("- {name}:")).chain(parts).collect()
    };
    let same = |selector: &Selector| same_parts(selector, finding);
    match check {
        Check::Shown { selector, state, texts } if texts.is_empty() => {
            let parts = same(selector)?.into_iter().chain(state.map(state_part));
            Some(command("assertVisible", parts.collect()))
        }
        Check::Shown { selector, state, texts } => {
            if texts.iter().any(String::is_empty) || selector.content_desc.is_some() {
                return None;
            }
            let mut parts = same(&Selector { text: texts.first().cloned(), ..selector.clone() })?;
            let any: Vec<String> = texts.iter().map(|text| regex_of(text)).collect();
            parts.retain(|part| !part.starts_with("text: "));
            parts.push(format!("text: {}", yaml_quoted(&any.join("|"))));
            parts.extend(state.map(state_part));
            Some(command("assertVisible", parts))
        }
        Check::AtMost { selector, state, count } => {
            let mut parts = same(selector)?;
            parts.extend(state.map(state_part));
            if *count > 0 {
                // Indices are counted from 0, so this is the first widget beyond those that are allowed.
                parts.push(format!("index: {count}"));
            }
            Some(command("assertNotVisible", parts))
        }
        Check::Above { first, second } => {
            let mut parts = same(second)?;
            parts.push("below:".to_owned());
            parts.extend(same(first)?.into_iter().map(|part| format!("  {part}")));
            Some(command("assertVisible", parts))
        }
        Check::Alive => {
            let stopped = vec![format!("id: {}", yaml_quoted("android:id/aerr_.*"))];
            Some(command("assertNotVisible", stopped))
        }
        Check::ByEye => None,
    }
}

/// The state that a widget must be in.
fn state_part(state: WidgetState) -> String {
    let (flag, set) = state.flag();
    format!("{}: {set}", flag_name(flag))
}

/// The parts that match the same widgets as a selector; `None` if they would match others. Maestro has no XPath, counts
/// from the top rather than in tree order, and does not distinguish text and description. It has no class either, but
/// an id is equivalent if all widgets with it in the trace have that class.
fn same_parts(selector: &Selector, finding: &Finding) -> Option<Vec<String>> {
    if !selector.is_of_attributes() {
        return None;
    }
    let Selector { resource_id, class, text, content_desc, .. } = selector;
    let text = match (text.as_deref(), content_desc.as_deref()) {
        (Some(text), Some(desc)) if text != desc => return None,
        (text, desc) => text.or(desc),
    };
    let trace = &finding.minimal.trace;
    let of_class = |class: &str| {
        let layouts = (0..=trace.len()).filter_map(|frame| Some(&trace.frame(frame)?.layout));
        let mut bearers = layouts
            .flat_map(|layout| layout.widgets())
            .filter(|it| it.resource_id.as_deref() == resource_id.as_deref());
        resource_id.is_some() && bearers.all(|widget| &*widget.class == class)
    };
    if text == Some("") || !class.as_deref().is_none_or(of_class) {
        return None;
    }
    let parts = selector_parts(resource_id.as_deref(), text);
    (!parts.is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    fn check(notation: &str, idx: u32, side: Side, label: &str, expected: Option<&[&str]>) {
        let beside = Beside { side, label: label.to_owned() };
        let parts = parts_beside(WidgetIdx(idx), &beside, &layout_from(notation));
        let parts: Option<Vec<&str>> = parts.as_ref().map(|parts| parts.iter().map(|part| &**part).collect());
        assert_eq!(parts.as_deref(), expected, "{notation} {idx}");
    }

    #[test]
    fn a_label_is_used_where_maestro_takes_the_same_widget() {
        let form =
            "View\n  TextView \"Title\"\n  Button\n  TextView \"Notes\"\n  Button\n    TextView \"Save\"\n";
        check(form, 2, Side::Below, "Title", Some(&["below: \"Title\""]));
        check(form, 4, Side::Below, "Title", None);
        check(form, 2, Side::Above, "Notes", Some(&["above: \"Notes\""]));
        check(form, 4, Side::Labelled, "Save", Some(&["text: \"Save\""]));
        let twice = form.replace("Notes", "Save");
        check(&twice, 4, Side::Labelled, "Save", Some(&["text: \"Save\"", "index: 1"]));
        check(&twice, 4, Side::Below, "Save", None);
        check("View\n  TextView \"Title\"\n  CheckBox\n  Button\n", 2, Side::Below, "Title", None);
    }
}
