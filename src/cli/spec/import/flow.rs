//! Maestro flows, as far as they can be recorded: what a flow does with an app, step by step.

use regex::{Regex, RegexBuilder};
use taproof_screen::{Direction, Key, Layout, PxPoint, PxSize, WidgetFlags, WidgetIdx};
use yaml_rust2::{Yaml, YamlLoader};

/// Largest flow that is read, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Longest pattern of a widget.
const MAX_PATTERN: usize = 1 << 16;
const ERASED: u32 = 50;

/// A flow.
#[derive(Debug)]
pub struct Flow {
    /// The package that the flow names; `None` if it names none.
    pub app: Option<String>,
    /// What it does, each with its number in the file, from 1.
    pub commands: Vec<(usize, Command)>,
}

/// One thing that a flow does.
#[derive(Debug)]
pub enum Command {
    /// Starts the app, with its data cleared or kept.
    Launch { clear: bool },
    /// Taps a widget, or presses it long.
    Touch { target: Target, long: bool },
    /// Types at the cursor.
    Input(String),
    /// Deletes so many characters.
    Erase(u32),
    /// Presses a key.
    Press(Key),
    /// Swipes between two points, in percent of the screen.
    Swipe((i32, i32), (i32, i32)),
    /// Swipes over the list.
    Scroll(Direction),
    /// Turns the screen upright or on its side.
    Turn { sideways: bool },
    /// Judges, waits or ends the app, of which a recording keeps nothing.
    Judge,
}

/// The widget that a command is about.
#[derive(Debug, Default)]
pub struct Target {
    id: Option<Regex>,
    text: Option<Regex>,
    index: usize,
    point: Option<(i32, i32)>,
}

impl Target {
    /// Where the command touches; `None` if its widget is not on the screen.
    pub fn place(&self, layout: &Layout) -> Option<PxPoint> {
        if let Some(point) = self.point {
            return Some(on_screen(point, layout.screen()));
        }
        let fits = |idx: &WidgetIdx| {
            let widget = layout.widget(*idx);
            let id = |id: &Regex| {
                let names = [widget.resource_id.as_deref(), widget.short_id()];
                names.into_iter().flatten().any(|name| id.is_match(name))
            };
            let text = |text: &Regex| {
                [&*widget.text, &*widget.content_desc, &*widget.hint].iter().any(|shown| text.is_match(shown))
            };
            self.id.as_ref().is_none_or(id)
                && self.text.as_ref().is_none_or(text)
                && !widget.bounds.is_empty()
        };
        let mut found: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).filter(fits).collect();
        // Maestro counts from the top, and prefers what can be tapped.
        found.sort_by_key(|idx| {
            let bounds = layout.widget(*idx).bounds;
            (bounds.top, bounds.left)
        });
        let clickable = |idx: &&WidgetIdx| layout.widget(**idx).flags.has(WidgetFlags::CLICKABLE);
        let chosen = match self.index {
            0 => found.iter().find(clickable).or(found.first()),
            index => found.get(index),
        };
        layout.touch_point(*chosen?).ok()
    }
}

/// A point in percent of the screen, in pixels.
pub fn on_screen((x, y): (i32, i32), screen: PxSize) -> PxPoint {
    let within = |of: i32, percent: i32| {
        let pixels = i64::from(of) * i64::from(percent) / 100;
        i32::try_from(pixels).unwrap_or(of).clamp(0, (of - 1).max(0))
    };
    PxPoint { x: within(screen.width, x), y: within(screen.height, y) }
}

/// Reads a flow.
///
/// # Errors
///
/// Which command cannot be recorded, and why.
pub fn parse(text: &str) -> Result<Flow, String> {
    if text.len() > MAX_BYTES {
        return Err("it is larger than 1 MB".to_owned());
    }
    let documents = YamlLoader::load_from_str(text).map_err(|error| format!("it is no YAML: {error}"))?;
    let commands = documents.last().and_then(Yaml::as_vec).ok_or("it has no list of commands below `---`")?;
    let head = documents.first().filter(|_| documents.len() > 1);
    let app = head.and_then(|head| head["appId"].as_str()).map(str::to_owned);
    let numbered = commands.iter().enumerate().map(|(index, yaml)| {
        let command = command(yaml).map_err(|problem| format!("command {}: {problem}", index + 1))?;
        Ok((index + 1, command))
    });
    Ok(Flow { app, commands: numbered.collect::<Result<_, String>>()? })
}

fn command(yaml: &Yaml) -> Result<Command, String> {
    let none = Yaml::Null;
    let (name, with) = match yaml {
        Yaml::String(name) => (name.as_str(), &none),
        Yaml::Hash(hash) => match hash.iter().next() {
            Some((Yaml::String(name), with)) => (name.as_str(), with),
            _ => return Err("it has no name".to_owned()),
        },
        _ => return Err("it is no command".to_owned()),
    };
    let text = || match with {
        Yaml::String(text) => Ok(text.clone()),
        Yaml::Integer(number) => Ok(number.to_string()),
        Yaml::Real(number) => Ok(number.clone()),
        other => other["text"].as_str().map(str::to_owned).ok_or(format!("`{name}` has no text")),
    };
    Ok(match name {
        "launchApp" => Command::Launch { clear: with["clearState"].as_bool() == Some(true) },
        "clearState" => Command::Launch { clear: true },
        "tapOn" => Command::Touch { target: target(with)?, long: false },
        "longPressOn" => Command::Touch { target: target(with)?, long: true },
        "inputText" => Command::Input(text()?),
        "eraseText" => {
            let count = with.as_i64().or(with["charactersToErase"].as_i64());
            Command::Erase(count.map_or(ERASED, |count| count.clamp(0, 1000) as u32))
        }
        "back" => Command::Press(Key::Back),
        "hideKeyboard" => Command::Judge,
        "pressKey" => Command::Press(key(&text()?)?),
        "scroll" => Command::Scroll(Direction::Up),
        "swipe" => swipe(with)?,
        "setOrientation" => Command::Turn { sideways: text()?.to_uppercase().starts_with("LANDSCAPE") },
        "assertVisible"
        | "assertNotVisible"
        | "assertTrue"
        | "extendedWaitUntil"
        | "waitForAnimationToEnd"
        | "takeScreenshot"
        | "stopApp"
        | "killApp" => Command::Judge,
        other => {
            return Err(format!(
                "`{other}` cannot be recorded; take it out of the flow, or record what it does by hand"
            ));
        }
    })
}

fn target(yaml: &Yaml) -> Result<Target, String> {
    let pattern = |yaml: &Yaml| -> Result<Option<Regex>, String> {
        let Some(text) = yaml.as_str() else { return Ok(None) };
        // Maestro takes a text as it is, too, if it is no pattern.
        let literal = regex::escape(text);
        let whole = |pattern: &str| {
            let pattern = format!("^(?:{pattern}|{literal})$");
            let mut builder = RegexBuilder::new(&pattern);
            builder.case_insensitive(true).dot_matches_new_line(true).size_limit(MAX_PATTERN).build()
        };
        let built = whole(text).or_else(|_| whole(&literal));
        built.map(Some).map_err(|error| format!("{text:?} is no pattern: {error}"))
    };
    if let Some(text) = yaml.as_str() {
        let text = pattern(&Yaml::String(text.to_owned()))?;
        return Ok(Target { text, ..Target::default() });
    }
    let target = Target {
        id: pattern(&yaml["id"])?,
        text: pattern(&yaml["text"])?,
        index: yaml["index"].as_i64().map_or(0, |index| index.clamp(0, 10_000) as usize),
        point: yaml["point"].as_str().map(point).transpose()?,
    };
    match &target {
        Target { id: None, text: None, point: None, .. } => {
            Err("its widget has neither id nor text nor point, which is all that can be recorded".to_owned())
        }
        _ => Ok(target),
    }
}

/// A point such as `50%, 80%`.
fn point(text: &str) -> Result<(i32, i32), String> {
    let percent = |part: &str| part.trim().strip_suffix('%')?.trim().parse::<f64>().ok();
    let parts = text.split_once(',').and_then(|(x, y)| Some((percent(x)?, percent(y)?)));
    let parts = parts.filter(|(x, y)| (0.0..=100.0).contains(x) && (0.0..=100.0).contains(y));
    parts.map(|(x, y)| (x as i32, y as i32)).ok_or(format!("{text:?} is no point such as 50%, 80%"))
}

fn swipe(yaml: &Yaml) -> Result<Command, String> {
    if let (Some(start), Some(end)) = (yaml["start"].as_str(), yaml["end"].as_str()) {
        return Ok(Command::Swipe(point(start)?, point(end)?));
    }
    let direction = yaml["direction"].as_str().unwrap_or_default().to_uppercase();
    Ok(Command::Scroll(match direction.as_str() {
        "UP" => Direction::Up,
        "DOWN" => Direction::Down,
        "LEFT" => Direction::Left,
        "RIGHT" => Direction::Right,
        _ => return Err("a swipe has a direction, or start and end in percent".to_owned()),
    }))
}

fn key(name: &str) -> Result<Key, String> {
    Ok(match name.to_lowercase().as_str() {
        "back" => Key::Back,
        "home" => Key::Home,
        "enter" => Key::ImeAction,
        "backspace" => Key::Delete,
        "tab" => Key::Tab,
        "volume up" => Key::VolumeUp,
        "volume down" => Key::VolumeDown,
        _ => return Err(format!("the key {name:?} cannot be recorded")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::layout_from;

    const FLOW: &str = "appId: org.ex\n---\n- launchApp:\n    clearState: true\n- tapOn: \"Add.*\"\n\
                        - inputText: 12\n- eraseText: 3\n- back\n- pressKey: Enter\n- swipe:\n    direction: up\n\
                        - longPressOn:\n    point: \"50%,25%\"\n- assertVisible: \"x\"\n";

    #[test]
    fn what_a_flow_does_is_read() {
        let flow = parse(FLOW).unwrap();
        assert_eq!(flow.app.as_deref(), Some("org.ex"));
        let said: Vec<String> = flow.commands.iter().map(|(_, command)| format!("{command:?}")).collect();
        assert_eq!(said.len(), 9);
        assert_eq!(said[0], "Launch { clear: true }");
        assert_eq!(said[2..6], ["Input(\"12\")", "Erase(3)", "Press(Back)", "Press(ImeAction)"]);
        assert!(said[6] == "Scroll(Up)" && said[7].contains("(50, 25)") && said[8] == "Judge", "{said:?}");
    }

    #[test]
    fn what_cannot_be_recorded_is_named() {
        for (text, problem) in [
            ("", "no list of commands"),
            ("- tapOn: [", "no YAML"),
            ("appId: a\n---\n- runFlow: b.yaml\n", "command 1: `runFlow` cannot be recorded"),
            ("- back\n- tapOn:\n    below: a\n", "command 2: its widget has neither id nor text"),
            ("- tapOn:\n    point: \"a,b\"\n", "is no point"),
            ("- pressKey: Power\n", "the key \"Power\""),
            ("- swipe: {}\n", "a swipe has a direction"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn widgets_are_found_by_patterns_of_ids_and_texts_from_the_top() {
        let layout = layout_from("FrameLayout\n  Button#one \"Add (1)\"\n  Button#two \"Add a note\"\n");
        let place = |yaml: &str| {
            let flow = parse(yaml).unwrap();
            let Command::Touch { target, .. } = &flow.commands[0].1 else { panic!() };
            target.place(&layout)
        };
        let [one, two] = [1, 2].map(|idx| Some(layout.touch_point(WidgetIdx(idx)).unwrap()));
        assert_eq!(place("- tapOn: \"Add (1)\"\n"), one, "a text with signs of patterns");
        assert_eq!(place("- tapOn: \"add a.*\"\n"), two);
        assert_eq!(place("- tapOn:\n    id: two\n"), two);
        assert_eq!(place("- tapOn:\n    text: \"Add.*\"\n    index: 1\n"), two);
        assert_eq!(place("- tapOn: \"Ad\"\n"), None, "the whole text counts");
    }
}
