//! The agent as a source of layouts. One request executes an input, waits until the screen is still, and reads it.

use std::time::Duration;

use super::source::{LayoutServer, Query, Reading, Signals};
use crate::agent_client::AgentClient;
use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::input::typing::TypingMethod;
use crate::observe::pictures::PictureSource;
use crate::open::control::ControlMethod;
use crate::output::{Component, DumpProblem};
use taproof_engine::agent::{Action, Announced, Request, Seen, Settle};
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::DeviceInstant;
use taproof_screen::format::ParsedHierarchy;
use taproof_screen::{Layout, Widget};

/// The screen is still once two layouts are equal that were read this long apart, in ms.
const QUIET_MILLIS: u32 = 100;

/// The source, with the agent if it runs on the device.
pub(super) struct AgentServer(pub Option<AgentClient>);

impl LayoutServer for AgentServer {
    fn answers(&self, connection: &Connection) -> bool {
        self.0.as_ref().is_some_and(|agent| agent.answers(&*connection.unwanted))
    }

    fn has_ended(&self, _error: &DeviceError) -> bool {
        // A stream that failed is opened again; only an agent that refuses a new stream has ended.
        self.0.as_ref().is_none_or(|agent| !agent.answers(&|| false))
    }

    fn known_to_have_ended(&self) -> bool {
        self.0.as_ref().is_none_or(AgentClient::ended)
    }

    fn read(&mut self, query: &mut Query<'_>, input: &Input) -> Result<Reading, DeviceError> {
        let action = match input.action() {
            Some(action) => action,
            None => {
                let limit = query.connection.pace.limit();
                query.connection.ask_after(&query.lines(input), &[], limit)?;
                Action::Look
            }
        };
        self.act(query, action, input.takes())
    }

    fn type_text(&mut self, query: &mut Query<'_>, action: Action) -> Option<Result<Reading, DeviceError>> {
        Some(self.act(query, action, Duration::ZERO))
    }

    fn typing(&self) -> Option<TypingMethod> {
        Some(TypingMethod::Agent)
    }

    fn pictures(&self) -> PictureSource {
        PictureSource::Agent
    }

    fn method(&self) -> ControlMethod {
        ControlMethod::Agent
    }
}

impl AgentServer {
    fn act(
        &mut self,
        query: &mut Query<'_>,
        action: Action,
        takes: Duration,
    ) -> Result<Reading, DeviceError> {
        let connection = query.connection;
        let Some(agent) = &self.0 else {
            return Err(connection.info.cannot("use the agent, which does not run there"));
        };
        let what = described(&action);
        let longest = connection.pace.settling().millis();
        let limit_millis = u32::try_from(longest).unwrap_or(u32::MAX);
        let settle = Settle { quiet_millis: QUIET_MILLIS, limit_millis };
        let log_from = Some(query.log.from().to_owned());
        let request = Request::Act { action, settle, log_from, picture_hash: false };
        let limit = takes + Duration::from_millis(longest);
        let seen = agent
            .ask(&request, limit, &*connection.unwanted, Seen::decode)
            .map_err(|error| error.into_device(&connection.info.serial, what))?;
        if let Some(why) = &seen.refused {
            tracing::warn!(serial = connection.info.serial, why, "the device did not {what}");
        }
        Ok(self.reading(query, seen))
    }

    fn reading(&self, query: &mut Query<'_>, seen: Seen) -> Reading {
        let Seen { activity, uptime_millis, keyboard, announced, log, layout, .. } = seen;
        let signals = Signals {
            activity: activity.as_deref().and_then(Component::parse),
            at: DeviceInstant(uptime_millis),
            log: query.log.read(&log.unwrap_or_default()),
            keyboard: Some(keyboard),
        };
        let layout = match layout {
            Ok(seen) => {
                Ok(ParsedHierarchy { layout: with_announced(seen, &announced), warnings: Vec::new() })
            }
            Err(_) => Err(DumpProblem::NoRoot),
        };
        Reading { layout, signals, problem: None }
    }
}

/// Adds what was announced as a window of its own.
fn with_announced(layout: Layout, announced: &[Announced]) -> Layout {
    if announced.is_empty() {
        return layout;
    }
    let widgets = announced.iter().map(|one| Widget::announcement(&one.package, one.toast, &one.text));
    layout.with_window_of("announcements".into(), widgets)
}

/// What an action is for, in messages.
fn described(action: &Action) -> &'static str {
    match action {
        Action::Look => "read the screen",
        Action::Touch(_) => "touch the screen",
        Action::Key { .. } => "press a key",
        Action::Type(_) | Action::SetText { .. } => "type a text",
        Action::Rotate(_) => "turn the screen",
        Action::Wait(_) => "wait",
    }
}
