//! The sources of layouts of one device, and which of them is in use.

use std::time::Duration;

use super::dump_command::{DumpCommand, Dumped};
use super::source::{LayoutServer, Query, Reading, ServerIdx};
use super::uiautomator2_server::Uiautomator2Server;
use crate::connection::Connection;
use crate::host::AdbLink;
use crate::pictures::PictureSource;
use crate::typing::TypingMethod;
use taproof_core::device::DeviceError;

/// The servers that a device may run, the best first. To support another one, add a file with its [`LayoutServer`] and
/// a line here.
fn servers() -> Vec<Box<dyn LayoutServer>> {
    vec![Box::new(Uiautomator2Server)]
}

/// The sources of a device: a server if one is running, else `uiautomator dump`.
pub(super) struct LayoutSources {
    servers: Vec<Box<dyn LayoutServer>>,
    command: DumpCommand,
    /// The server in use; `None` for the command.
    used: Option<ServerIdx>,
}

/// The best server that answers on the device, if any.
pub(crate) fn answering_server(link: &AdbLink, unwanted: &dyn Fn() -> bool) -> Option<ServerIdx> {
    first_answering(&servers(), link, unwanted)
}

fn first_answering(
    servers: &[Box<dyn LayoutServer>],
    link: &AdbLink,
    unwanted: &dyn Fn() -> bool,
) -> Option<ServerIdx> {
    servers.iter().position(|server| server.answers(link, unwanted)).map(ServerIdx)
}

impl LayoutSources {
    /// Starts with this server, or with the command if `None`.
    pub fn new(used: Option<ServerIdx>) -> Self {
        LayoutSources { servers: servers(), command: DumpCommand::default(), used }
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

    /// Runs `lines` and reads the screen. If a server prevents the command from working, that server is used from then
    /// on.
    pub fn read(
        &mut self,
        query: &mut Query<'_>,
        lines: &str,
        takes: Duration,
    ) -> Result<Reading, DeviceError> {
        let LayoutSources { servers, command, used } = self;
        if let Some(server) = used.and_then(|ServerIdx(at)| servers.get_mut(at)) {
            return server.read(query, lines, takes);
        }
        let answering =
            |connection: &Connection| first_answering(servers, &connection.link, &*connection.unwanted);
        match command.read(query, lines, takes, &answering)? {
            Dumped::Reading(reading) => Ok(reading),
            Dumped::Superseded { by, log } => {
                self.used = Some(by);
                // The lines already ran before the dump.
                let mut reading = self.read(query, "", Duration::ZERO)?;
                reading.signals.continue_log(log);
                Ok(reading)
            }
        }
    }

    /// Switches to the command if the error means that the server in use has ended, and returns that server's name in
    /// that case.
    pub fn leave_ended_server(&mut self, error: &DeviceError) -> Option<&'static str> {
        let ended = self.server().filter(|server| server.has_ended(error)).map(LayoutServer::name)?;
        self.used = None;
        Some(ended)
    }

    /// Switches to the command if the server in use no longer answers.
    pub fn recheck(&mut self, connection: &Connection) {
        if !self.server().is_some_and(|server| server.answers(&connection.link, &*connection.unwanted)) {
            self.used = None;
        }
    }
}
