//! The uiautomator2 server (openatx, as python uiautomator2 3.7.1 pushes and starts it) of a served device: HTTP on a
//! stream (`http`), JSON-RPC in it (`rpc`), and one file for each kind of call.
//!
//! Nothing here knows adb: the code that serves the device starts the server for its shell line, hands over the streams
//! to its port and stops it when that shell ends. The server observes the device through `Device::observe` and acts on
//! it only through `Device::perform`, so the device's clock advances by input and by waits that a client requests,
//! never by itself. Between two steps of a wait others can use the device.

mod criteria;
mod error;
mod hierarchy;
mod http;
mod input;
mod object;
mod params;
mod rpc;
mod selector;
mod system;
#[cfg(test)]
pub(super) mod tests;
mod touch;
mod waiting;

use super::{Program, Running, Served, State};
use taproof_engine::device::DeviceError;
use taproof_screen::Gesture;

pub use http::serve;

/// The class that `app_process` starts.
pub(super) const CLASS: &str = "com.wetest.uia2.Main";
/// The default port of the server.
pub const PORT: u16 = 9008;

/// Why the server cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Another program has the device's only connection for UI automation. Clients look for Android's message.
    #[error(
        "java.lang.IllegalStateException: UiAutomationService \
         android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already registered!"
    )]
    AlreadyRegistered,
    /// The command line contains an invalid port.
    #[error("Invalid port: {port}. Must be an integer between 1 and 65535.")]
    InvalidPort {
        /// The text in place of the port; empty if it is missing.
        port: String,
    },
}

/// The port in the arguments after `com.wetest.uia2.Main` (`-p 9008`); the default port if none is given.
pub(crate) fn port_of(arguments: &[&str]) -> Result<u16, StartError> {
    let named = arguments.iter().position(|word| ["-p", "--port"].contains(word));
    let Some(named) = named else { return Ok(PORT) };
    let port = arguments.get(named + 1).copied().unwrap_or("");
    match port.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(StartError::InvalidPort { port: port.to_owned() }),
    }
}

/// Starts the server and returns what it prints. The caller stops it when the shell that runs it ends.
pub fn start(served: &Served, port: u16) -> Result<String, StartError> {
    let arguments = [CLASS, "-p", &port.to_string()];
    let started = served.lock().programs.start(Program::Uiautomator2 { port }, &arguments).map(drop);
    started.map_err(|_| StartError::AlreadyRegistered)?;
    Ok(format!(
        "[server] INFO: [UiAutomator2Server] Starting Server\n\
         [server] INFO: http server listening on *:{port}\n"
    ))
}

/// Stops the server if it is running. Its objects are discarded; whether the screen is on remains as it is.
pub fn stop(served: &Served) {
    served.lock().end_programs(|running| matches!(running.program, Program::Uiautomator2 { .. }));
}

/// Whether a connection to this port of the device is accepted: the server is running and listens there.
pub fn accepts(served: &Served, port: u16) -> bool {
    served.lock().program(&Program::Uiautomator2 { port }).is_some()
}

fn runs(state: &State) -> bool {
    let server = |running: &Running| matches!(running.program, Program::Uiautomator2 { .. });
    state.programs.all().iter().any(server)
}

/// Replaces the content of the focused field; has no effect without one.
pub(super) fn set_focused(state: &mut State, text: String) -> Result<(), DeviceError> {
    let layout = state.layout()?;
    let field = layout.widgets().iter().find(|widget| widget.is_focused_field());
    field.map_or(Ok(()), |field| state.gesture(field.bounds.center(), Gesture::SetText(text)))
}
