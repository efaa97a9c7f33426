//! The requests on one stream, and their answers.

use std::io::{self, Read, Write};

use super::answers::{failed, succeeded};
use super::requests::read_request;
use super::{acting, is_screenless, listening, managing, runs, stop_at};
use crate::{Cost, Served};
use taproof_engine::agent::{FRAME_HEAD, FailureKind, FrameHead, Hello, PROTOCOL_VERSION, Request};
use taproof_engine::device::DeviceError;

/// The user that the agent runs as: the shell.
const SHELL_UID: u32 = 2000;

/// Largest length of a request's body in bytes.
const MOST_REQUESTED: usize = 1 << 20;

/// Why a request failed: the kind, and what Android says.
pub(super) type Refusal = (FailureKind, String);

/// Serves one stream until the peer closes it, breaks the protocol or ends the agent.
fn answer_all(
    (served, socket): (&Served, &str),
    input: &mut dyn Read,
    output: &mut dyn Write,
    recorded: &dyn Fn(&Request) -> Option<Vec<u8>>,
) -> io::Result<()> {
    let mut greeted = false;
    let mut last = 0;
    loop {
        let mut head = [0; FRAME_HEAD];
        input.read_exact(&mut head)?;
        let head = FrameHead::parse(head, MOST_REQUESTED).map_err(io::Error::other)?;
        let mut body = vec![0; head.length];
        input.read_exact(&mut body)?;
        head.check(&body).map_err(io::Error::other)?;
        if head.number <= last {
            return Err(io::Error::other("a number that was used before"));
        }
        last = head.number;
        if !runs(served, socket) {
            return Ok(());
        }
        let (answer, goes_on) = match read_request(&body) {
            Ok(Request::Hello { version: PROTOCOL_VERSION }) => {
                greeted = true;
                (greeting(served, socket), true)
            }
            Ok(Request::Hello { version }) => {
                let problem = format!("this agent speaks version {PROTOCOL_VERSION}, not {version}");
                (failed(FailureKind::Version, &problem), false)
            }
            Ok(_) if !greeted => (failed(FailureKind::BadRequest, "the greeting is missing"), false),
            Ok(Request::End) => (succeeded(&()), false),
            Ok(request) => (recorded(&request).unwrap_or_else(|| answered(served, socket, &request)), true),
            Err(error) => (failed(FailureKind::BadRequest, &error.to_string()), true),
        };
        output.write_all(&FrameHead::frame(head.number, &answer))?;
        output.flush()?;
        if !goes_on {
            if greeted {
                stop_at(served, socket);
            }
            return Ok(());
        }
    }
}

/// Serves one stream. A peer that breaks the protocol loses its stream.
pub fn serve(served: &Served, socket: &str, input: &mut dyn Read, output: &mut dyn Write) {
    serve_recorded((served, socket), input, output, &|_| None);
}

/// As [`serve`], with what is `recorded` for a request as its answer.
pub fn serve_recorded(
    agent: (&Served, &str),
    input: &mut dyn Read,
    output: &mut dyn Write,
    recorded: &dyn Fn(&Request) -> Option<Vec<u8>>,
) {
    if let Err(error) = answer_all(agent, input, output, recorded) {
        tracing::debug!(%error, "a client of the agent has gone");
    }
}

fn greeting(served: &Served, socket: &str) -> Vec<u8> {
    let state = served.lock();
    // An agent that was killed meanwhile has no process any more.
    let pid = state.program(&listening(socket)).map_or(0, |running| running.pid);
    let hello = Hello { version: PROTOCOL_VERSION, sdk: state.sdk(), uid: SHELL_UID, pid };
    succeeded(&hello)
}

fn answered(served: &Served, socket: &str, request: &Request) -> Vec<u8> {
    served.take_time(cost_of(request), || true);
    served.await_services(|| runs(served, socket));
    let on_screen = matches!(
        request,
        Request::Act { .. } | Request::Picture { .. } | Request::Watch { .. } | Request::Wake
    );
    if on_screen && is_screenless(served, socket) {
        return failed(FailureKind::Unsupported, "this agent was started without the screen");
    }
    let answer = match request {
        Request::Act { action, settle: _, log_from, picture_hash } => {
            acting::act(served, action, log_from.as_deref(), *picture_hash)
        }
        Request::Picture { form, width } => acting::picture(served, *form, *width),
        Request::Watch { picture_hash, limit_millis } => {
            acting::watch(served, socket, *picture_hash, *limit_millis)
        }
        Request::Wake => managing::wake(served),
        Request::Settings(requests) => managing::settings(served, requests),
        Request::Stop { package } => managing::stop(served, package),
        Request::Clear { package } => managing::clear(served, package),
        Request::Start { component } => managing::start(served, component),
        Request::Grant { package, permissions } => managing::grant(served, package, permissions),
        Request::Packages { third_party, icon } => managing::packages(served, *third_party, *icon),
        Request::Clipboard { content } => managing::clipboard(served, content.as_deref()),
        Request::Hello { .. } | Request::End => Ok(succeeded(&())),
    };
    answer.unwrap_or_else(|(kind, message)| failed(kind, &message))
}

/// The kind of a request, by its cost.
fn cost_of(request: &Request) -> Cost {
    match request {
        Request::Act { .. } => Cost::AgentEvent,
        Request::Picture { .. } => Cost::AgentPicture,
        _ => Cost::AgentCall,
    }
}

/// The failure to report for an error of the device.
pub(super) fn refused(error: DeviceError) -> Refusal {
    let kind = match error {
        DeviceError::NotInstalled { .. } | DeviceError::NotStarted { .. } => FailureKind::Missing,
        _ => FailureKind::Other,
    };
    (kind, error.to_string())
}
