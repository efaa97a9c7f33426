//! The agent of a served device: our own program, which a client pushes and starts by `app_process` as it does the
//! uiautomator2 server. It speaks the protocol of `taproof_engine::agent`.
//!
//! The code that serves the device starts the agent for its shell line, hands over the streams to its socket and stops
//! it when that shell ends. `session` answers requests; `acting` does what an event asks for and reads the screen;
//! `managing` starts and clears apps, changes settings and lists packages. `requests`, `answers` and `layout` are this end's
//! half of the protocol.

mod acting;
mod answers;
mod layout;
mod managing;
mod requests;
mod session;

use super::{Program, Served};

pub use answers::{Answer, failed, succeeded};
pub use requests::read_request;
pub use session::{serve, serve_recorded};

/// The class that `app_process` starts.
pub const CLASS: &str = "org.taproof.agent.Main";
/// The word behind the socket that starts it without the screen.
pub(super) const SCREENLESS: &str = "--screenless";

/// Starts the agent on the socket of that name and returns what it prints. The error is what it prints if another
/// program has the connection for UI automation.
pub fn start(served: &Served, socket: &str) -> Result<String, String> {
    let mut state = served.lock();
    match state.programs.start(listening(socket), &[CLASS, socket]) {
        Ok(_) => Ok(format!("READY {socket}\n")),
        Err(holder) => Err(format!(
            "BUSY java.lang.IllegalStateException: UiAutomationService already registered!; it may be process {} ({})",
            holder.pid,
            holder.class()
        )),
    }
}

/// Starts an agent without the screen. Returns what it prints.
pub(super) fn start_screenless(served: &Served, socket: &str) -> String {
    let started = served.lock().programs.start(screenless(socket), &[CLASS, socket, SCREENLESS]);
    match started {
        Ok(_) => format!("READY {socket}\n"),
        Err(holder) => format!("FAILED {} has the connection\n", holder.class()),
    }
}

/// Whether the agent on this socket was started without the screen.
fn is_screenless(served: &Served, socket: &str) -> bool {
    served.lock().program(&screenless(socket)).is_some()
}

fn screenless(socket: &str) -> Program {
    Program::ScreenlessAgent { socket: socket.to_owned() }
}

/// Stops the agent if it is running.
pub fn stop(served: &Served) {
    served.lock().end_programs(|running| matches!(running.program, Program::Agent { .. }));
}

/// Stops the agent that listens on this socket, if it is running: another one may have been started since.
pub(super) fn stop_at(served: &Served, socket: &str) {
    let agents = [listening(socket), screenless(socket)];
    served.lock().end_programs(|running| agents.contains(&running.program));
}

/// Whether the agent that listens on this socket is running.
pub fn runs(served: &Served, socket: &str) -> bool {
    let state = served.lock();
    state.program(&listening(socket)).is_some() || state.program(&screenless(socket)).is_some()
}

/// The agent that listens on this socket.
pub(super) fn listening(socket: &str) -> Program {
    Program::Agent { socket: socket.to_owned() }
}
