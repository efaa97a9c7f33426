//! Plays a flow on a phone and keeps what it did.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::{Body, What, Written, variables};
use super::expression::{Scopes, Words};
use super::flow::{Flow, Part, beside};
use super::selector::{Condition, Judgement, condition};
use super::turn::{Halt, Turn};
use super::yaml::Node;
use taproof_engine::device::{AppData, AppId, Device, DeviceError};
use taproof_screen::determinism::Rng;
use taproof_screen::{Event, Frame, Key, Layout, SystemEvent, WidgetFlags, WidgetIdx};

/// Most commands that one flow performs, with each turn of its loops.
const MAX_COMMANDS: usize = 5_000;
/// Deepest that parts run each other.
const MAX_DEPTH: usize = 30;
/// Number of times that the screen is looked at for a widget, half a second apart, as long as Maestro waits.
const LOOKS: usize = 34;
/// As [`LOOKS`], for what may be missing: optional commands and conditions.
const OPTIONAL_LOOKS: usize = 14;

/// How a flow is played.
pub struct PlayOptions<'p> {
    /// Package of the app that is recorded.
    pub app: String,
    /// What becomes of its data where the flow begins.
    pub data: AppData,
    /// Variables that are given from outside.
    pub variables: BTreeMap<String, String>,
    /// Whether nobody waits for the end any more.
    pub unwanted: &'p dyn Fn() -> bool,
}

/// What came of a flow.
#[derive(Debug)]
pub struct PlayedFlow {
    /// The screen before the first event.
    pub start: Frame,
    /// The events, each with the screen after it.
    pub steps: Vec<(Event, Frame)>,
    /// What it asserted, in order.
    pub asserted: Vec<Asserted>,
    /// What does the first steps, if that is not the flow itself, such as `onFlowStart`, and how many they are.
    pub lead: Option<(String, usize)>,
    /// How many of its assertions did not hold.
    pub failed: usize,
    /// What is to be said of how it was played, a line each.
    pub notes: Vec<String>,
    /// Where and why it stopped; `None` if it was played to its end.
    pub stopped: Option<String>,
}

/// Something that a flow asserts of a screen.
#[derive(Clone, Debug)]
pub struct Asserted {
    /// How many events precede it.
    pub after: usize,
    /// Whether the widget is shown; otherwise it is not.
    pub shown: bool,
    /// A screen that shows the widget, and which one it is there. `None` if no screen showed it.
    pub widget: Option<(Arc<Layout>, WidgetIdx)>,
    /// The flag in which the widget is asserted to be, and whether it is set.
    pub state: Option<(WidgetFlags, bool)>,
    /// The text that is looked for, if it is no pattern.
    pub text: Option<String>,
}

/// Plays a flow to its end or to where it stops.
///
/// # Errors
///
/// [`DeviceError`] if the device fails. What a flow asks for in vain stops it, which is no error.
pub fn play(
    flow: &Flow,
    device: &mut dyn Device,
    options: &PlayOptions<'_>,
) -> Result<PlayedFlow, DeviceError> {
    let app = AppId(options.app.clone());
    device.launch(&app, options.data)?;
    let start = device.observe()?;
    let mut variables = options.variables.clone();
    let stem = flow.main.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    variables.insert("MAESTRO_FILENAME".to_owned(), stem);
    variables.insert("maestro.platform".to_owned(), "android".to_owned());
    let mut player = Player {
        flow,
        device,
        options,
        app,
        scopes: Scopes::of(variables),
        now: start.clone(),
        played: PlayedFlow {
            start,
            steps: Vec::new(),
            asserted: Vec::new(),
            lead: None,
            failed: 0,
            notes: flow.notes.clone(),
            stopped: None,
        },
        clip: None,
        stopped: None,
        killed: false,
        dark: false,
        typing: None,
        rng: Rng::from_seed(0).fork("flow"),
        commands: 0,
        depth: 0,
        retries: 0,
    };
    let first_run = flow.first_run();
    let halted = match flow.own() {
        Some(part) => player.part(part, &flow.main, first_run.as_deref()).err(),
        None => None,
    };
    match halted {
        None => {}
        Some(Halt::Device(error)) => return Err(error),
        Some(Halt::Unwanted) => player.played.stopped = Some("it was not wanted any more".to_owned()),
        Some(Halt::Failed { why, .. }) => player.played.stopped = Some(why),
    }
    let steps = player.played.steps.len();
    player.played.asserted.iter_mut().for_each(|asserted| asserted.after = asserted.after.min(steps));
    Ok(player.played)
}

/// Performs a flow and keeps what it did.
pub(super) struct Player<'p> {
    flow: &'p Flow,
    pub device: &'p mut dyn Device,
    options: &'p PlayOptions<'p>,
    app: AppId,
    scopes: Scopes,
    /// The screen as it was last looked at.
    pub now: Frame,
    pub played: PlayedFlow,
    pub clip: Option<String>,
    /// Where the app was stopped, unless it was started again.
    stopped: Option<String>,
    /// Whether its process was ended in the background.
    killed: bool,
    pub dark: bool,
    pub typing: Option<super::hands::Typing>,
    pub rng: Rng,
    commands: usize,
    depth: usize,
    /// How many commands are being tried again if they fail.
    pub retries: usize,
}

impl<'p> Player<'p> {
    /// Plays a file in variables of its own. `lead` is a file whose steps are first ones.
    fn part(&mut self, part: &'p Part, path: &'p Path, lead: Option<&Path>) -> Result<(), Halt> {
        let turn = Turn { part, path, line: part.env.as_ref().map_or(1, |env| env.line), looks: LOOKS };
        if let Some(env) = &part.env {
            // One after the other: a variable may be made of those before it.
            let pairs = variables(env, &|_, text| Ok(text.to_owned())).map_err(|problem| turn.of(problem))?;
            for (name, text) in pairs {
                // A variable that nobody asks for needs no value.
                if let Ok(value) = Words::parse(&text).text(&self.scopes) {
                    self.scopes.set(&name, value);
                }
            }
        }
        self.all(part, path, &part.begin)?;
        if path == self.flow.main && !part.begin.is_empty() {
            self.played.lead = Some(("onFlowStart".to_owned(), self.played.steps.len()));
        }
        for node in &part.commands {
            self.one(part, path, node)?;
            if lead.is_some() && self.played.lead.is_none() && self.runs(path, node, lead) {
                let name = lead.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
                self.played.lead = Some((name, self.played.steps.len()));
            }
        }
        self.all(part, path, &part.end)
    }

    fn runs(&self, path: &Path, node: &Node, file: Option<&Path>) -> bool {
        let what = Written::of(node).and_then(|written| written.read(&|_, text| Ok(text.to_owned())));
        matches!(what, Ok(What::Run { body: Body::File(named), .. }) if Some(&*beside(path, named)) == file)
    }

    fn all(&mut self, part: &'p Part, path: &'p Path, commands: &'p [Node]) -> Result<(), Halt> {
        commands.iter().try_for_each(|node| self.one(part, path, node))
    }

    fn one(&mut self, part: &'p Part, path: &'p Path, node: &'p Node) -> Result<(), Halt> {
        if (self.options.unwanted)() {
            return Err(Halt::Unwanted);
        }
        let line = node.line;
        let mut turn = Turn { part, path, line, looks: LOOKS };
        self.commands += 1;
        if self.commands > MAX_COMMANDS {
            return Err(turn.impossible(&format!("it goes on for more than {MAX_COMMANDS} commands")));
        }
        let written = Written::of(node).map_err(|problem| turn.of(problem))?;
        turn.line = written.line;
        if written.optional {
            turn.looks = OPTIONAL_LOOKS;
        }
        let scopes = &self.scopes;
        let say =
            |node: &Node, text: &str| Words::parse(text).text(scopes).map_err(|what| node.problem(what));
        let done = match written.read(&say) {
            Ok(what) => self.command(&turn, what),
            // A value that is missing is so at the next try, too.
            Err(problem) => Err(turn.of(problem)),
        };
        match done {
            Err(Halt::Failed { why, .. }) if written.optional => {
                self.played.notes.push(format!("{why}; left out, as it is optional"));
                Ok(())
            }
            other => other,
        }
    }

    fn command(&mut self, turn: &Turn<'p>, what: What<'p>) -> Result<(), Halt> {
        match what {
            What::Launch { app, clear, stop, permissions, arguments } => {
                self.own(turn, app)?;
                if arguments {
                    self.note(turn, "the app is started without the `arguments`");
                }
                if clear {
                    self.begin_anew(turn)?;
                }
                let taken = self.takes_permissions(turn, &permissions);
                self.launch(stop, taken)
            }
            What::Clear(app) => {
                self.own(turn, app)?;
                self.begin_anew(turn)
            }
            What::Stop(app) => {
                self.own(turn, app)?;
                self.stopped = Some(turn.part.place(turn.line));
                Ok(())
            }
            What::Kill(app) => {
                self.own(turn, app)?;
                // Android ends no app that is in front.
                self.killed = !self.now.layout.is_of(&self.app.0);
                Ok(())
            }
            What::Run { when, env, body } => match when {
                Some(when) if !self.holds(turn, &when)? => Ok(()),
                _ => self.run(turn, &env, body),
            },
            What::Repeat { times, whilst, commands } => self.repeat(turn, times, whilst, commands),
            What::Retry { times, env, body } => self.retry(turn, times, &env, body),
            What::Demand(text) => match Words::parse(&text).holds(&self.scopes) {
                Ok(true) => Ok(()),
                Ok(false) if self.retries == 0 => {
                    self.played.failed += 1;
                    self.note(turn, &format!("`{text}` is asserted, and is not true"));
                    Ok(())
                }
                Ok(false) => Err(turn.failed(&format!("`{text}` is not true"))),
                Err(why) => Err(turn.impossible(&why)),
            },
            // It was said when the flow was read.
            What::Script(_) => Ok(()),
            What::Unneeded(why) => {
                self.note(turn, why);
                Ok(())
            }
            What::Impossible(why) => Err(turn.impossible(&why)),
            What::Permissions(permissions) => {
                if self.takes_permissions(turn, &permissions) {
                    self.perform(turn, Event::System(SystemEvent::RevokePermission))?;
                }
                Ok(())
            }
            // Nothing of an app that was stopped is shown.
            What::Judge(Judgement { shown: None, .. }) if self.stopped.is_some() => Ok(()),
            other => match &self.stopped {
                Some(place) => {
                    Err(turn.impossible(&format!("the app was stopped in {place} and not started again")))
                }
                None => self.by_hand(turn, other),
            },
        }
    }

    /// Makes sure that a command is about the app that is recorded.
    fn own(&self, turn: &Turn<'_>, app: Option<String>) -> Result<(), Halt> {
        let value = |app: &String| Words::parse(app).text(&self.scopes).ok();
        let said = app.or_else(|| turn.part.app.as_ref().and_then(value));
        let declared = self.flow.own().and_then(|part| part.app.as_ref()).and_then(value);
        match said {
            Some(other) if other != self.app.0 && Some(&other) != declared.as_ref() => {
                let own = &self.app.0;
                Err(turn
                    .impossible(&format!("it is about {other}, and a recording is of one app, here {own}")))
            }
            _ => Ok(()),
        }
    }

    /// Starts again with cleared data, as a recording begins.
    fn begin_anew(&mut self, turn: &Turn<'_>) -> Result<(), Halt> {
        if !self.played.steps.is_empty() {
            self.note(
                turn,
                "the app\u{2019}s data are cleared: the recording begins here, without what was done before",
            );
        }
        self.device.launch(&self.app, self.options.data)?;
        self.now = self.device.observe()?;
        self.played.start = self.now.clone();
        self.played.steps.clear();
        self.played.asserted.clear();
        self.played.lead = None;
        (self.stopped, self.killed, self.typing) = (None, false, None);
        Ok(())
    }

    /// Starts the app, or brings it to the front without stopping it.
    fn launch(&mut self, stop: bool, taken: bool) -> Result<(), Halt> {
        let (was_stopped, killed) = (self.stopped.take().is_some(), std::mem::take(&mut self.killed));
        let here = self.now.layout.is_of(&self.app.0);
        if taken {
            self.keep(Event::System(SystemEvent::RevokePermission))?;
        }
        if stop || was_stopped || taken {
            // Every recording begins with a start.
            let begins = self.played.steps.is_empty() && here;
            return if begins { Ok(()) } else { self.keep(Event::Relaunch) };
        }
        if here {
            return Ok(());
        }
        let back = if killed { SystemEvent::ProcessDeath } else { SystemEvent::Background };
        if self.played.steps.last().is_some_and(|(event, _)| *event == Event::Key(Key::Home)) {
            self.played.steps.pop();
        }
        self.keep(Event::System(back))
    }

    /// Whether all permissions are to be taken from the app. All are given at its start.
    fn takes_permissions(&mut self, turn: &Turn<'_>, permissions: &[(String, String)]) -> bool {
        let denied = |value: &str| !value.eq_ignore_ascii_case("allow");
        let (all, single): (Vec<_>, Vec<_>) = permissions.iter().partition(|(name, _)| name == "all");
        let taken = all.iter().any(|(_, value)| denied(value));
        for (name, value) in single.iter().filter(|(_, value)| denied(value) != taken) {
            let what = format!(
                "the permission {name} is not set to {value}: permissions are given and taken together"
            );
            self.note(turn, &what);
        }
        taken
    }

    pub fn note(&mut self, turn: &Turn<'_>, what: &str) {
        let note = turn.said(what);
        // A loop says it once.
        if !self.played.notes.contains(&note) {
            self.played.notes.push(note);
        }
    }

    fn run(&mut self, turn: &Turn<'p>, env: &[(String, String)], body: Body<'p>) -> Result<(), Halt> {
        if self.depth >= MAX_DEPTH {
            return Err(turn.impossible("it runs itself"));
        }
        self.depth += 1;
        self.scopes.enter();
        env.iter().for_each(|(name, value)| self.scopes.set(name, value.clone()));
        let done = match body {
            Body::Commands(commands) => self.all(turn.part, turn.path, commands),
            Body::File(file) => {
                let path: PathBuf = beside(turn.path, file);
                match self.flow.parts.get_key_value(&path) {
                    Some((path, part)) => self.part(part, path, None),
                    None => Err(turn.impossible(&format!("{file} is missing"))),
                }
            }
        };
        self.scopes.leave();
        self.depth -= 1;
        done
    }

    fn repeat(
        &mut self,
        turn: &Turn<'p>,
        times: Option<i64>,
        whilst: Option<&'p Node>,
        commands: &'p [Node],
    ) -> Result<(), Halt> {
        let mut left = times.unwrap_or(i64::MAX);
        while left > 0 {
            if let Some(node) = whilst {
                let scopes = &self.scopes;
                let say = |node: &Node, text: &str| {
                    Words::parse(text).text(scopes).map_err(|what| node.problem(what))
                };
                let read = condition("while", node, &say).map_err(|problem| turn.of(problem))?;
                if !self.holds(turn, &read)? {
                    break;
                }
            }
            let before = self.commands;
            self.run(turn, &[], Body::Commands(commands))?;
            // An empty loop has no end either.
            self.commands = self.commands.max(before + 1);
            if self.commands > MAX_COMMANDS {
                return Err(turn.impossible(&format!("it goes on for more than {MAX_COMMANDS} commands")));
            }
            left -= 1;
        }
        Ok(())
    }

    fn retry(
        &mut self,
        turn: &Turn<'p>,
        times: i64,
        env: &[(String, String)],
        body: Body<'p>,
    ) -> Result<(), Halt> {
        for left in (0..=times).rev() {
            self.retries += usize::from(left > 0);
            let done = self.run(turn, env, body);
            self.retries -= usize::from(left > 0);
            match done {
                Err(Halt::Failed { why, again: true }) if left > 0 => {
                    self.note(turn, &format!("tried again, as {why}"));
                }
                other => return other,
            }
        }
        Ok(())
    }

    fn holds(&mut self, turn: &Turn<'_>, condition: &Condition) -> Result<bool, Halt> {
        if !condition.android {
            return Ok(false);
        }
        if let Some(text) = &condition.holds
            && !Words::parse(text).holds(&self.scopes).map_err(|why| turn.impossible(&why))?
        {
            return Ok(false);
        }
        if let Some(shown) = &condition.shown
            && self.shown(shown, OPTIONAL_LOOKS)?.is_none()
        {
            return Ok(false);
        }
        match &condition.gone {
            Some(gone) => self.gone(gone, OPTIONAL_LOOKS),
            None => Ok(true),
        }
    }

    pub fn copied(&mut self, text: String) {
        self.scopes.set_everywhere("maestro.copiedText", text.clone());
        self.clip = Some(text);
    }
}
