//! The commands of flows: what each does, read from its keys. A command is read twice: with the flow, when the values of
//! variables are not known, and when it is its turn.

use super::fields::{Fields, Say, UNKNOWN, pairs};
use super::keys::key;
use super::random::Random;
use super::selector::{Condition, Judgement, Point, Swipe, Target, condition, selector, target};
use super::yaml::{Node, Problem, Value};
use taproof_screen::{Direction, Key, MaestroSelector};

/// What a command does. `'f` is the flow.
#[derive(Debug)]
pub(super) enum What<'f> {
    Launch {
        app: Option<String>,
        clear: bool,
        stop: bool,
        permissions: Vec<(String, String)>,
        arguments: bool,
    },
    Clear(Option<String>),
    Stop(Option<String>),
    Kill(Option<String>),
    Permissions(Vec<(String, String)>),
    Touch {
        on: Target,
        long: bool,
    },
    /// Waits until something is shown, and something else is not.
    Judge(Judgement),
    /// Judges a condition that is written here.
    Demand(String),
    Type(String),
    TypeRandom(Random, usize),
    Erase(usize),
    Copy(MaestroSelector),
    Clip(String),
    Paste,
    Press(Key),
    HideKeyboard,
    Swipe(Swipe),
    ScrollTo {
        to: MaestroSelector,
        direction: Direction,
        millis: u64,
        centre: bool,
    },
    Turn {
        sideways: bool,
    },
    /// Switches airplane mode on or off; `None` to the other.
    Airplane(Option<bool>),
    Dark(Option<bool>),
    Link(String),
    Wait(Option<u64>),
    Run {
        when: Option<Condition>,
        env: Vec<(String, String)>,
        body: Body<'f>,
    },
    Repeat {
        times: Option<i64>,
        whilst: Option<&'f Node>,
        commands: &'f [Node],
    },
    Retry {
        times: i64,
        env: Vec<(String, String)>,
        body: Body<'f>,
    },
    /// JavaScript, which is not run; what it says there is about its file or itself.
    Script(String),
    /// Nothing that a recording could keep, and why.
    Unneeded(&'static str),
    /// Something that cannot be done here, and why.
    Impossible(String),
}

/// The commands of a part.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body<'f> {
    File(&'f str),
    Commands(&'f [Node]),
}

/// A command as it is written.
pub(super) struct Written<'f> {
    pub name: &'f str,
    pub line: usize,
    with: &'f Node,
    /// Whether the flow goes on where it fails.
    pub optional: bool,
}

impl<'f> Written<'f> {
    /// Splits a command into its name and the rest.
    pub fn of(node: &'f Node) -> Result<Self, Problem> {
        let line = node.line;
        match &node.value {
            Value::Text(name) => Ok(Written { name, line, with: &EMPTY, optional: false }),
            Value::Map(entries) => match &entries[..] {
                [(name, line, with)] => Ok(Written { name, line: *line, with, optional: is_optional(with) }),
                [(name, ..), (other, line, _), ..] => {
                    let what =
                        format!("`{other}` stands beside `{name}`; move it to the right to have it below");
                    Err(Problem { line: *line, what })
                }
                [] => Err(node.problem("a command is empty")),
            },
            Value::Empty | Value::List(_) => Err(node.problem("this is no command")),
        }
    }

    /// Reads what the command does.
    pub fn read(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        // What is not written has no line.
        let placed = |problem: Problem| Problem {
            line: if problem.line == 0 { self.line } else { problem.line },
            ..problem
        };
        self.what(say).map_err(placed)
    }

    /// The keys that Maestro passes over without a word, with their lines.
    pub fn passed_over(&self) -> Vec<(&'f str, usize)> {
        let Value::Map(entries) = &self.with.value else { return Vec::new() };
        let keys = entries.iter().filter(|_| self.name == "inputText").map(|(key, line, _)| (&**key, *line));
        keys.filter(|(key, _)| !["text", "label", "optional"].contains(key)).collect()
    }

    fn what(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        match self.name {
            "tapOn" | "longPressOn" | "doubleTapOn" => self.touch(say),
            "assertVisible" | "assertNotVisible" | "extendedWaitUntil" => self.judge(say),
            "copyTextFrom" => Ok(What::Copy(selector(self.name, self.with, say)?)),
            "swipe" => self.swipe(say),
            "scrollUntilVisible" => self.scroll_to(say),
            "action" => self.action(),
            _ => {
                // Whether there is such a command is said before what it takes.
                let text = self.short().is_none() && !matches!(self.with.value, Value::Map(_));
                let with = if text { &EMPTY } else { self.with };
                let mut fields = Fields::of(self.name, with, self.short(), say)?;
                let app = self.about_app(&mut fields)?;
                let what = match app {
                    Some(what) => what,
                    None => match self.part(&mut fields, say)? {
                        Some(what) => what,
                        None => self.plain(&mut fields, say)?,
                    },
                };
                fields.leave(&["label", "optional"]);
                fields.end()?;
                Fields::of(self.name, self.with, self.short(), say)?;
                Ok(what)
            }
        }
    }

    /// The key that a text stands for that is written instead of keys.
    fn short(&self) -> Option<&'static str> {
        Some(match self.name {
            "launchApp" | "stopApp" | "killApp" | "clearState" => "appId",
            "inputText" | "setClipboard" => "text",
            "eraseText" => "charactersToErase",
            "runFlow" | "runScript" => "file",
            "evalScript" => "script",
            "assertTrue" => "condition",
            "takeScreenshot" | "assertScreenshot" | "startRecording" => "path",
            "openLink" | "openBrowser" => "link",
            "pressKey" => "key",
            "setOrientation" => "orientation",
            "setAirplaneMode" | "setDarkMode" => "value",
            "addMedia" => "files",
            _ => return None,
        })
    }

    fn touch(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        let mut on = target(self.name, self.with, say)?;
        if self.name == "doubleTapOn" {
            on.times = 2;
        }
        Ok(What::Touch { on, long: self.name == "longPressOn" })
    }

    fn judge(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        let whole = || selector(self.name, self.with, say).map(Some);
        match self.name {
            "assertVisible" => Ok(What::Judge(Judgement { shown: whole()?, ..Judgement::default() })),
            "assertNotVisible" => Ok(What::Judge(Judgement { gone: whole()?, ..Judgement::default() })),
            _ => {
                let mut fields = Fields::of(self.name, self.with, None, say)?;
                let mut part = |key| fields.node(key).map(|node| selector(key, node, say)).transpose();
                let (shown, gone) = (part("visible")?, part("notVisible")?);
                if shown.is_none() && gone.is_none() {
                    return Err(fields.problem("needs `visible` or `notVisible`"));
                }
                let millis = millis(&mut fields, "timeout")?;
                fields.leave(&["label", "optional"]);
                fields.end()?;
                Ok(What::Judge(Judgement { shown, gone, millis, waits: true }))
            }
        }
    }

    fn swipe(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        let mut fields = Fields::of(self.name, self.with, None, say)?;
        let (start, end) = (fields.text("start")?, fields.text("end")?);
        let (direction, from) = (way(&mut fields)?, fields.node("from"));
        // Fingers move at a speed of their own here.
        fields.number("duration")?;
        fields.leave(&["label", "optional", "waitToSettleTimeoutMs"]);
        let point = |text: &str| Point::parse(text).map_err(|what| self.with.problem(what));
        let swipe = match (start, end, direction, from) {
            (Some(start), Some(end), None, None) => Swipe::Between(point(&start)?, point(&end)?),
            (None, None, Some(direction), None) => Swipe::Over(direction),
            (None, None, Some(direction), Some(from)) => {
                Swipe::From(Box::new(target("from", from, say)?), direction)
            }
            _ => {
                return Err(
                    fields.problem("has either `start` and `end`, or a `direction`, which may have `from`")
                );
            }
        };
        fields.end()?;
        Ok(What::Swipe(swipe))
    }

    fn scroll_to(&self, say: Say<'_>) -> Result<What<'f>, Problem> {
        let mut fields = Fields::of(self.name, self.with, None, say)?;
        let element = fields.node("element").ok_or_else(|| fields.problem("needs `element`"))?;
        let to = selector("element", element, say)?;
        // Maestro names where the list goes, not the finger.
        let direction = match way(&mut fields)?.unwrap_or(Direction::Down) {
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        };
        let millis = millis(&mut fields, "timeout")?.unwrap_or(20_000);
        let centre = fields.flag("centerElement")?.unwrap_or(false);
        // A layout has what is visible of a widget, and no more.
        fields.number("visibilityPercentage")?;
        fields.leave(&["label", "optional", "speed", "waitToSettleTimeoutMs"]);
        fields.end()?;
        Ok(What::ScrollTo { to, direction, millis, centre })
    }

    /// The commands of the first versions of Maestro, such as `action: back`.
    fn action(&self) -> Result<What<'f>, Problem> {
        match &self.with.value {
            Value::Text(name)
                if ["back", "hideKeyboard", "scroll", "clearKeychain", "pasteText"].contains(&&**name) =>
            {
                Written { name, with: &EMPTY, ..*self }.read(&|_, text| Ok(text.to_owned()))
            }
            _ => Err(self.with.problem("`action` is back, hideKeyboard, scroll, clearKeychain or pasteText")),
        }
    }

    /// Commands about an app, `None` for others.
    fn about_app(&self, fields: &mut Fields<'f, '_>) -> Result<Option<What<'f>>, Problem> {
        if !["launchApp", "stopApp", "killApp", "clearState", "setPermissions"].contains(&self.name) {
            return Ok(None);
        }
        let app = fields.text("appId")?.or(fields.text("url")?);
        Ok(Some(match self.name {
            "stopApp" => What::Stop(app),
            "killApp" => What::Kill(app),
            "clearState" => What::Clear(app),
            "setPermissions" => What::Permissions(fields.pairs("permissions")?),
            _ => {
                let clear = fields.flag("clearState")?.unwrap_or(false);
                let stop = fields.flag("stopApp")?.unwrap_or(true);
                let permissions = fields.pairs("permissions")?;
                let arguments = fields.node("arguments").is_some();
                // The keychain is Apple's.
                fields.flag("clearKeychain")?;
                What::Launch { app, clear, stop, permissions, arguments }
            }
        }))
    }

    /// Commands that have commands in them, or scripts.
    fn part(&self, fields: &mut Fields<'f, '_>, say: Say<'_>) -> Result<Option<What<'f>>, Problem> {
        let when = |fields: &mut Fields<'f, '_>| {
            fields.node("when").map(|node| condition("when", node, say)).transpose()
        };
        Ok(Some(match self.name {
            "runFlow" => {
                let (when, env) = (when(fields)?, fields.pairs("env")?);
                What::Run { when, env, body: body(fields)? }
            }
            "retry" => {
                let times = fields.number("maxRetries")?.unwrap_or(1).clamp(0, 3);
                What::Retry { times, env: fields.pairs("env")?, body: body(fields)? }
            }
            "repeat" => {
                let (times, whilst) = (fields.number("times")?, fields.node("while"));
                whilst.map(|node| condition("while", node, say)).transpose()?;
                let commands = fields.list("commands")?.ok_or_else(|| fields.problem("needs `commands`"))?;
                What::Repeat { times, whilst, commands }
            }
            "runScript" => {
                when(fields)?;
                fields.pairs("env")?;
                What::Script(fields.required("file")?)
            }
            "evalScript" => match fields.node("script") {
                Some(Node { value: Value::Text(script), .. }) => What::Script(script.clone()),
                _ => return Err(fields.problem("needs a script")),
            },
            _ => return Ok(None),
        }))
    }

    fn plain(&self, fields: &mut Fields<'f, '_>, say: Say<'_>) -> Result<What<'f>, Problem> {
        if let Some(made_up) = self.name.strip_prefix("inputRandom") {
            return self.made_up(made_up, fields);
        }
        let on_off = |fields: &mut Fields<'f, '_>| match fields.required("value")?.to_lowercase().as_str() {
            "enabled" | "true" => Ok(Some(true)),
            "disabled" | "false" | UNKNOWN => Ok(Some(false)),
            _ => Err(fields.problem("is enabled or disabled")),
        };
        Ok(match self.name {
            "inputText" => {
                let passed_over: Vec<&str> = self.passed_over().into_iter().map(|(key, _)| key).collect();
                fields.leave(&passed_over);
                What::Type(fields.required("text")?)
            }
            "eraseText" => {
                What::Erase(fields.number("charactersToErase")?.unwrap_or(50).clamp(0, 1000) as usize)
            }
            "setClipboard" => What::Clip(fields.required("text")?),
            "pasteText" => What::Paste,
            "back" => What::Press(Key::Back),
            "hideKeyboard" | "hide keyboard" => What::HideKeyboard,
            "pressKey" => key(fields.required("key")?.trim()),
            "scroll" => What::Swipe(Swipe::Over(Direction::Up)),
            "setOrientation" => self.turn(&fields.required("orientation")?, fields)?,
            "setAirplaneMode" => What::Airplane(on_off(fields)?),
            "toggleAirplaneMode" => What::Airplane(None),
            "setDarkMode" => What::Dark(on_off(fields)?),
            "toggleDarkMode" => What::Dark(None),
            "openLink" | "openBrowser" => {
                let link = fields.required("link")?;
                // Which app opens a link, and whether Android asks, is the phone's matter.
                fields.flag("browser")?;
                fields.flag("autoVerify")?;
                What::Link(link)
            }
            "waitForAnimationToEnd" => What::Wait(millis(fields, "timeout")?),
            "assertTrue" => match fields.node("condition") {
                Some(node @ Node { value: Value::Text(text), .. }) => {
                    // Its value is asked for when it is judged: one that is missing does not hold.
                    say(node, text).ok();
                    What::Demand(text.clone())
                }
                _ => return Err(fields.problem("needs `condition`")),
            },
            other => self.without_effect(other, fields, say)?,
        })
    }

    fn made_up(&self, kind: &str, fields: &mut Fields<'f, '_>) -> Result<What<'f>, Problem> {
        let random = match kind {
            "Text" => Random::Text,
            "Number" => Random::Number,
            "Email" => Random::Email,
            "PersonName" => Random::Person,
            "CityName" => Random::City,
            "CountryName" => Random::Country,
            "ColorName" => Random::Colour,
            _ => return Err(self.unknown()),
        };
        let length = match random {
            Random::Text | Random::Number => fields.number("length")?.unwrap_or(8).clamp(1, 1000),
            _ => 0,
        };
        Ok(What::TypeRandom(random, length as usize))
    }

    fn turn(&self, to: &str, fields: &Fields<'_, '_>) -> Result<What<'f>, Problem> {
        Ok(match to.to_lowercase().replace('_', "").as_str() {
            "portrait" | UNKNOWN => What::Turn { sideways: false },
            "landscapeleft" | "landscaperight" => What::Turn { sideways: true },
            "upsidedown" => What::Impossible("a phone is not turned upside down here".to_owned()),
            _ => return Err(fields.problem("is PORTRAIT, LANDSCAPE_LEFT, LANDSCAPE_RIGHT or UPSIDE_DOWN")),
        })
    }

    /// Commands that do nothing to the app, and those that cannot be done.
    fn without_effect(
        &self,
        name: &str,
        fields: &mut Fields<'f, '_>,
        say: Say<'_>,
    ) -> Result<What<'f>, Problem> {
        let mut crop = |path| {
            fields.required(path)?;
            fields.node("cropOn").map(|node| selector("cropOn", node, say)).transpose()
        };
        Ok(match name {
            "takeScreenshot" => {
                crop("path")?;
                What::Unneeded("no picture is taken: a recording has one of every screen")
            }
            "assertScreenshot" => {
                crop("path")?;
                fields.number("thresholdPercentage")?;
                What::Unneeded("pictures are not compared")
            }
            "startRecording" => {
                fields.required("path")?;
                What::Unneeded("no video is taken")
            }
            "stopRecording" => What::Unneeded("no video is taken"),
            "clearKeychain" => What::Unneeded("Android has no keychain"),
            "assertNoDefectsWithAI" => What::Unneeded("no AI judges the screen"),
            "assertWithAI" => {
                fields.required("assertion")?;
                What::Unneeded("no AI judges the screen")
            }
            "assertDarkMode" | "assertLightMode" => What::Unneeded("whether dark mode is on is not judged"),
            "extractTextWithAI" => {
                fields.required("query")?;
                fields.text("outputVariable")?;
                What::Unneeded("no AI reads the screen: give what it would read with --env")
            }
            "setLocation" => {
                fields.required("latitude")?;
                fields.required("longitude")?;
                What::Impossible("the place of the phone cannot be set".to_owned())
            }
            "travel" => {
                fields.list("points")?.ok_or_else(|| fields.problem("needs `points`"))?;
                fields.number("speed")?;
                What::Impossible("the place of the phone cannot be set".to_owned())
            }
            "addMedia" => {
                fields.node("files").ok_or_else(|| fields.problem("needs `files`"))?;
                What::Impossible("no pictures are put on the phone; put them there before".to_owned())
            }
            _ => return Err(self.unknown()),
        })
    }

    fn unknown(&self) -> Problem {
        Problem { line: self.line, what: format!("`{}` is no command of Maestro", self.name) }
    }
}

static EMPTY: Node = Node { line: 0, value: Value::Empty };

fn is_optional(with: &Node) -> bool {
    let Value::Map(entries) = &with.value else { return false };
    let set = |(key, _, node): &(String, usize, Node)| {
        key == "optional"
            && matches!(&node.value, Value::Text(text) if text.trim().eq_ignore_ascii_case("true"))
    };
    entries.iter().any(set)
}

fn body<'f>(fields: &mut Fields<'f, '_>) -> Result<Body<'f>, Problem> {
    match (fields.node("file"), fields.list("commands")?) {
        (Some(Node { value: Value::Text(file), .. }), None) => Ok(Body::File(file)),
        (None, Some(commands)) => Ok(Body::Commands(commands)),
        _ => Err(fields.problem("needs either `file` or `commands`")),
    }
}

fn millis(fields: &mut Fields<'_, '_>, key: &str) -> Result<Option<u64>, Problem> {
    Ok(fields.number(key)?.map(|millis| millis.clamp(0, 3_600_000) as u64))
}

fn way(fields: &mut Fields<'_, '_>) -> Result<Option<Direction>, Problem> {
    let Some(text) = fields.text("direction")? else { return Ok(None) };
    Ok(Some(match text.trim().to_uppercase().as_str() {
        "UP" | UNKNOWN => Direction::Up,
        "DOWN" => Direction::Down,
        "LEFT" => Direction::Left,
        "RIGHT" => Direction::Right,
        _ => return Err(fields.problem("goes UP, DOWN, LEFT or RIGHT")),
    }))
}

/// The variables of a part's head.
pub(super) fn variables(node: &Node, say: Say<'_>) -> Result<Vec<(String, String)>, Problem> {
    pairs("env", node, say)
}
