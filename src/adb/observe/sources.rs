//! The sources of layouts of one device, and which of them is in use.

use super::agent_server::AgentServer;
use super::dump_command::{DumpCommand, Dumped};
use super::source::{LayoutServer, Query, Reading, ServerIdx};
use super::uiautomator2_server::Uiautomator2Server;
use crate::agent_client::AgentClient;
use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::input::typing::TypingMethod;
use crate::observe::pictures::PictureSource;
use crate::open::control::{Control, ControlMethod};
use crate::output::DumpProblem;
use taproof_engine::agent::Action;
use taproof_engine::device::DeviceError;

/// What is reported when a server reads a screen that the command cannot.
const KILLED: &str =
    "a screen kills the device's own dump of layouts; a server on the device reads it instead";

/// The servers that a device may run, the best first. To support another one, add a file with its [`LayoutServer`] and
/// a line here.
fn servers(agent: Option<AgentClient>) -> Vec<Box<dyn LayoutServer>> {
    vec![Box::new(AgentServer(agent)), Box::new(Uiautomator2Server)]
}

/// The sources of a device: a server if one is running, else `uiautomator dump`.
pub(super) struct LayoutSources {
    servers: Vec<Box<dyn LayoutServer>>,
    command: DumpCommand,
    /// The server in use; `None` for the command.
    used: Option<ServerIdx>,
}

fn first_answering(servers: &[Box<dyn LayoutServer>], connection: &Connection) -> Option<ServerIdx> {
    servers.iter().position(|server| server.answers(connection)).map(ServerIdx)
}

impl LayoutSources {
    /// Starts with the source that belongs to the method of control.
    pub fn new(control: &Control) -> Self {
        let servers = servers(control.agent.clone());
        let used = servers.iter().position(|server| server.method() == control.method).map(ServerIdx);
        LayoutSources { servers, command: DumpCommand::default(), used }
    }

    fn server(&self) -> Option<&dyn LayoutServer> {
        self.used.and_then(|ServerIdx(at)| self.servers.get(at)).map(|server| &**server)
    }

    /// How to type text through the source in use; `None` if it cannot type.
    pub fn typing(&self) -> Option<TypingMethod> {
        self.server().and_then(LayoutServer::typing)
    }

    /// The fastest source of pictures that is available together with the source in use.
    pub fn pictures(&self) -> PictureSource {
        self.server().map_or(PictureSource::Raw, LayoutServer::pictures)
    }

    /// The server in use; `None` for the command.
    pub fn used(&self) -> Option<ServerIdx> {
        self.used
    }

    /// Executes an input and reads the screen. If the command cannot work and a server answers, that server is used from
    /// then on.
    pub fn read(&mut self, query: &mut Query<'_>, input: &Input) -> Result<Reading, DeviceError> {
        let LayoutSources { servers, command, used } = self;
        if let Some(server) = used.and_then(|ServerIdx(at)| servers.get_mut(at)) {
            return server.read(query, input);
        }
        let answering = |connection: &Connection| first_answering(servers, connection);
        match command.read(query, input, &answering)? {
            Dumped::Reading(reading) => Ok(*reading),
            Dumped::Superseded { by, problem, log } => {
                self.used = Some(by);
                // The input was executed before the dump.
                let mut reading = self.read(query, &Input::Nothing)?;
                reading.signals.continue_log(log);
                if problem == DumpProblem::Killed {
                    reading.problem = reading.problem.or(Some(KILLED));
                }
                Ok(reading)
            }
        }
    }

    /// Types a text by an action of the agent and reads the screen; `None` if the source in use is not the agent.
    pub fn type_text(
        &mut self,
        query: &mut Query<'_>,
        action: Action,
    ) -> Option<Result<Reading, DeviceError>> {
        let server = self.used.and_then(|ServerIdx(at)| self.servers.get_mut(at))?;
        server.type_text(query, action)
    }

    /// Switches to the command if the server in use is known to have ended, and returns what it was in that case.
    pub fn leave_known_ended(&mut self) -> Option<ControlMethod> {
        let ended = self.server().filter(|server| server.known_to_have_ended()).map(LayoutServer::method)?;
        self.used = None;
        Some(ended)
    }

    /// Switches to the command if the error means that the server in use has ended, and returns what that server was
    /// in that case.
    pub fn leave_ended_server(&mut self, error: &DeviceError) -> Option<ControlMethod> {
        let ended = self.server().filter(|server| server.has_ended(error)).map(LayoutServer::method)?;
        self.used = None;
        Some(ended)
    }

    /// Switches to the command if the server in use no longer answers.
    pub fn recheck(&mut self, connection: &Connection) {
        if !self.server().is_some_and(|server| server.answers(connection)) {
            self.used = None;
        }
    }
}
