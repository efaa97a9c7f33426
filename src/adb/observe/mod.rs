//! Observing the screen: settle, read, parse.
//!
//! [`ScreenObserver`] runs the commands of an event and returns once it has a frame. It waits until the screen is still
//! (`settling`) and reads it from the source in use (`sources`), which retries by itself and parses the layout. There are
//! two kinds of sources: `dump_command` and the servers that `source` describes, `agent_server` and
//! `uiautomator2_server`, whose protocol is in `uiautomator2`. `health` reads from the log how the app is, and `pictures`
//! takes pictures from the fastest source. What a layout lacks of web pages is read by [`crate::web`]; `flutter` tells of
//! screens that cannot be read.
//!
//! Nothing here knows the phone that is built on it, nor the meaning of events.

mod agent_server;
mod dump_command;
mod flutter;
pub(crate) mod health;
pub(crate) mod pictures;
mod settling;
mod source;
mod sources;
pub(crate) mod uiautomator2;
mod uiautomator2_server;

use std::sync::Arc;

use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::input::typing::TypingMethod;
use crate::observe::health::TestedApp;
use crate::observe::pictures::Pictures;
use crate::open::control::{Control, ControlMethod};
use crate::output::{Component, DumpProblem, LogLine};
use crate::web::WebPages;
use flutter::FlutterScreens;
use settling::{Loading, Settling};
use source::{KeyboardArea, Query, Reading, Signals};
use sources::LayoutSources;
use taproof_engine::agent::Action;
use taproof_engine::device::{AppId, DeviceError, DeviceWarning, DeviceWarnings};
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::format::ParsedHierarchy;
use taproof_screen::{CrashReport, Frame, Layout, Text};

/// The screen at one moment.
struct Screen {
    layout: Layout,
    signals: Signals,
}

/// Observes the screen of one device.
pub(super) struct ScreenObserver {
    pub connection: Connection,
    pub pictures: Pictures,
    pub app: TestedApp,
    sources: LayoutSources,
    settling: Settling,
    /// The foreground activity, the device's clock and the frame, all from the last reading. The frame is `None` if
    /// something was done since then that may have changed the screen.
    in_front: Option<Component>,
    now: DeviceInstant,
    frame: Option<Frame>,
    /// The area of the keyboard at the last reading; `None` if the source does not report it.
    keyboard: Option<KeyboardArea>,
    pages: WebPages,
    flutter: FlutterScreens,
    /// Problems of the device that did not prevent its use.
    warnings: DeviceWarnings,
    /// Whether a person is watching the picture and decides what to do. Then a screen without a layout counts as an
    /// empty one, and a server that has ended is replaced by `uiautomator dump`. A campaign gets the error instead.
    pub for_person: bool,
}

/// The observer's state that belongs to a snapshot of the device.
pub(super) struct ObserverState {
    app: TestedApp,
    in_front: Option<Component>,
    pub frame: Frame,
}

impl ScreenObserver {
    /// Creates an observer for a device that is controlled in this way.
    pub fn new(connection: Connection, control: &Control) -> Self {
        let sources = LayoutSources::new(control);
        ScreenObserver {
            pictures: Pictures::new(connection.clone(), sources.pictures(), Arc::default()),
            connection,
            app: TestedApp::default(),
            sources,
            settling: Settling::default(),
            in_front: None,
            keyboard: None,
            now: DeviceInstant::default(),
            frame: None,
            pages: WebPages::default(),
            flutter: FlutterScreens::default(),
            warnings: DeviceWarnings::default(),
            for_person: false,
        }
    }

    /// The device's clock at the last reading.
    pub fn now(&self) -> DeviceInstant {
        self.now
    }

    /// How to type text through the source of layouts in use; `None` if it cannot type.
    pub fn typing(&self) -> Option<TypingMethod> {
        self.sources.typing()
    }

    /// The last observed frame; `None` if something was done since then.
    pub fn last_frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// The area of the keyboard on the observed screen.
    pub fn keyboard(&mut self) -> Result<KeyboardArea, DeviceError> {
        match self.keyboard {
            Some(area) if self.frame.is_some() => Ok(area),
            _ => self.connection.keyboard_area(self.pictures.rotation()),
        }
    }

    /// Discards the frame after something that may have changed the screen.
    pub fn forget_frame(&mut self) {
        self.frame = None;
    }

    /// Adds a problem of the device to be reported.
    pub fn warn(&mut self, problem: &str) {
        self.warnings.add(problem, 1);
    }

    /// Takes the problems since the last call.
    pub fn take_warnings(&mut self) -> Vec<DeviceWarning> {
        self.warnings.take()
    }

    /// Returns the frame of the screen, reading it if it is not known.
    pub fn observe(&mut self) -> Result<Frame, DeviceError> {
        if self.frame.is_none() {
            self.run(&Input::Nothing)?;
        }
        self.frame.clone().ok_or_else(|| self.connection.info.cannot("show its screen"))
    }

    /// Executes an input and observes the screen once it has settled.
    pub fn run(&mut self, input: &Input) -> Result<(), DeviceError> {
        let screen = if self.settling.slow_dumps() {
            self.settling.settle(&self.connection, input)?;
            self.read(&Input::Nothing)?
        } else {
            self.read(input)?
        };
        self.keep_loaded(screen)
    }

    /// Types a text by an action of the agent and observes the screen once it has settled.
    pub fn type_by_agent(&mut self, action: Action) -> Result<(), DeviceError> {
        let (sources, mut query) = self.sources_and_query();
        match sources.type_text(&mut query, action) {
            Some(reading) => {
                let screen = self.screen_of(reading?)?;
                self.keep_loaded(screen)
            }
            None => Err(self.connection.info.cannot("type by the agent, which is not in use")),
        }
    }

    /// Reads the screen again while something loads on it, and keeps the last one.
    fn keep_loaded(&mut self, mut screen: Screen) -> Result<(), DeviceError> {
        let mut loading = Loading::default();
        while screen.layout.loading_widgets().next().is_some()
            && let Some(pause) =
                self.settling.wait_for_loading(&self.connection, &screen.signals, &mut loading)?
        {
            let again = self.read(&pause)?;
            let earlier = std::mem::replace(&mut screen, again);
            screen.signals.continue_log(earlier.signals.log);
        }
        self.keep(screen);
        Ok(())
    }

    /// Executes the input and reads the screen without waiting for it to settle.
    fn read(&mut self, input: &Input) -> Result<Screen, DeviceError> {
        let reading = match self.ask_source(input) {
            // The uiautomator2 server was queried after the input. Whether an agent that ended has executed it is unknown,
            // and nobody wants it twice.
            Err(error) if self.does_without_server(&error) => self.ask_source(&Input::Nothing)?,
            read => read?,
        };
        self.screen_of(reading)
    }

    fn screen_of(&mut self, reading: Reading) -> Result<Screen, DeviceError> {
        let Reading { layout, signals, problem } = reading;
        if let Some(problem) = problem {
            self.warnings.add(problem, 1);
        }
        let layout = match layout {
            Ok(ParsedHierarchy { layout, warnings }) => {
                for warning in warnings {
                    let problem =
                        format!("a layout of the device is not as it should be: {}", warning.problem);
                    self.warnings.add(&problem, 1);
                }
                layout
            }
            Err(problem) => self.without_layout(&problem, &signals.log)?,
        };
        let screen = self.connection.screen(layout.rotation());
        let activity = signals.activity.as_ref().map_or(Text::from(""), |name| Text::from(name.to_string()));
        let layout = layout.with_screen(screen).with_activity(activity);
        Ok(Screen { layout: self.completed(layout), signals })
    }

    /// The layout with what is known of it from elsewhere. What cannot be known is reported.
    fn completed(&mut self, layout: Layout) -> Layout {
        let (connection, package) = (&self.connection, layout.package());
        if self.app.id().is_some_and(|app| app.0 != package) {
            return layout;
        }
        let layout = self.pages.read(connection, layout, &mut self.warnings);
        if let Some(problem) = self.flutter.problem(connection, &layout) {
            self.warnings.add(&problem, 1);
        }
        layout
    }

    fn sources_and_query(&mut self) -> (&mut LayoutSources, Query<'_>) {
        let query = Query {
            connection: &self.connection,
            in_front: self.in_front.as_ref(),
            now: self.now,
            log: &mut self.app.log,
            dump_took: &mut self.settling.dump_took,
        };
        (&mut self.sources, query)
    }

    fn ask_source(&mut self, input: &Input) -> Result<Reading, DeviceError> {
        let before = self.sources.used();
        if self.for_person
            && let Some(ended) = self.sources.leave_known_ended()
        {
            self.warn_of_end(ended);
        }
        let (sources, mut query) = self.sources_and_query();
        let reading = sources.read(&mut query, input);
        if self.sources.used() != before {
            self.pictures.begin_with(self.sources.pictures());
        }
        reading
    }

    /// Continues without a server that has ended, if a person is watching. A campaign opens its device again instead
    /// and reports that. Returns whether it switched.
    pub fn does_without_server(&mut self, error: &DeviceError) -> bool {
        if !self.for_person {
            return false;
        }
        let Some(server) = self.sources.leave_ended_server(error) else { return false };
        self.warn_of_end(server);
        self.pictures.begin_with(self.sources.pictures());
        true
    }

    fn warn_of_end(&self, server: ControlMethod) {
        tracing::warn!(serial = self.connection.info.serial, "{} has ended", server.word());
    }

    /// A replacement for a missing layout. A person sees the picture anyway, and for an app that failed no layout is
    /// needed; in any other case the screen cannot be judged.
    fn without_layout(&self, problem: &DumpProblem, log: &[LogLine]) -> Result<Layout, DeviceError> {
        let changes = matches!(problem, DumpProblem::NotIdle | DumpProblem::NoRoot);
        if !(changes && (self.for_person || self.app.has_failed(log))) {
            return Err(self.connection.no_layout(&problem.to_string()));
        }
        tracing::warn!(serial = self.connection.info.serial, %problem, "the screen is taken as empty");
        let rotation = self.pictures.rotation();
        Ok(Layout::empty(self.connection.screen(rotation), rotation))
    }

    fn keep(&mut self, screen: Screen) {
        let Screen { layout, signals } = screen;
        let health = self.app.health(&signals.log, signals.activity.as_ref());
        self.in_front = signals.activity;
        self.now = signals.at;
        self.keyboard = signals.keyboard;
        self.pictures.turn(layout.rotation());
        self.frame = Some(Frame { layout: Arc::new(layout), health, at: self.now });
    }

    /// Marks the beginning of a test of the app: the log up to here belongs to an earlier one.
    pub fn begin_test(&mut self, app: &AppId) -> Result<(), DeviceError> {
        self.app.launched(app);
        self.pages.forget();
        let said = self.connection.shell(&self.app.log.command(self.connection.info.sdk))?;
        self.app.log.read(&said);
        self.app.begins_here();
        Ok(())
    }

    /// Reads the errors that the app has logged since the last call, or since the beginning of the test, and that did not end
    /// it. The agent does not read them.
    pub fn take_logged_errors(&mut self) -> Result<Vec<CrashReport>, DeviceError> {
        let ScreenObserver { connection, app, .. } = self;
        if app.errors.from().is_empty() {
            return Ok(Vec::new());
        }
        let said = connection.shell(&app.errors.errors_command(connection.info.sdk))?;
        let new = app.errors.read(&said);
        app.logged(&new, |pid| connection.shell(&format!("cat /proc/{pid}/cmdline 2>/dev/null")))
    }

    /// The state to be restored together with a snapshot that is saved now.
    pub fn state(&mut self) -> Result<ObserverState, DeviceError> {
        let frame = self.observe()?;
        Ok(ObserverState { app: self.app.clone(), in_front: self.in_front.clone(), frame })
    }

    /// Restores the state after the device went back to a snapshot. A server on the device ends with the connection
    /// that started it.
    pub fn restore(&mut self, state: &ObserverState) {
        self.app.clone_from(&state.app);
        self.in_front.clone_from(&state.in_front);
        self.sources.recheck(&self.connection);
        self.pictures.begin_with(self.sources.pictures());
    }
}
