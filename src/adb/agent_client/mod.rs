//! The client of the agent, our own program on a device, which does in one round trip what takes several shell
//! commands. The messages are those of `taproof_engine::agent`.
//!
//! `process` brings the agent to a device and starts it; `stream` carries requests and answers. [`AgentClient`] sends
//! requests and turns failures into errors of the device.

mod process;
mod stream;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::host::{AdbLink, AskedBy, Patience, ShellOutput};
use crate::output::forbidden;
use process::AgentProcess;
pub(super) use process::{AGENT_START, AgentProblem, AgentUse, named_holders, remove_line};
use stream::AgentStream;
use taproof_engine::agent::{Action, Decoder, Failure, FailureKind, ProtocolError, Request, Seen, Settle};
use taproof_engine::device::{DeviceError, LinkFault};
use taproof_screen::PxSize;

/// Limit for an answer, on top of the time that the request itself asks for.
const ANSWER: Duration = Duration::from_secs(30);

/// A running agent. Clones share one stream and take turns on it.
#[derive(Clone)]
pub(super) struct AgentClient {
    process: Arc<AgentProcess>,
    /// The stream; `None` until the first request, and after a failure until the next one.
    stream: Arc<Mutex<Option<AgentStream>>>,
    /// Whether the agent refused a stream: it has ended, and asking again would not help.
    ended: Arc<AtomicBool>,
}

impl AgentClient {
    /// Starts the agent on a device.
    pub fn start(
        link: &AdbLink,
        sdk: u32,
        purpose: AgentUse,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<AgentClient, AgentProblem> {
        let (process, stream) = AgentProcess::start(link, sdk, purpose, unwanted)?;
        let stream = Arc::new(Mutex::new(Some(stream)));
        Ok(AgentClient { process: Arc::new(process), stream, ended: Arc::default() })
    }

    /// A client of the same agent with a stream of its own, for a part of the program that must not wait for others.
    pub fn another(&self) -> AgentClient {
        let (process, ended) = (Arc::clone(&self.process), Arc::clone(&self.ended));
        AgentClient { process, stream: Arc::default(), ended }
    }

    /// The API level of the device.
    pub fn sdk(&self) -> u32 {
        self.process.sdk
    }

    /// How long the agent took to start.
    pub fn start_took(&self) -> Duration {
        self.process.took
    }

    /// The size of the screen in its natural orientation; `None` if the agent cannot read the screen.
    pub fn screen_size(&self, unwanted: &dyn Fn() -> bool) -> Result<Option<PxSize>, DeviceError> {
        let settle = Settle { quiet_millis: 0, limit_millis: 0 };
        let look = Request::Act { action: Action::Look, settle, log_from: None, picture_hash: false };
        match self.ask(&look, Duration::ZERO, unwanted, Seen::decode) {
            Ok(Seen { layout: Ok(layout), .. }) => Ok(Some(layout.screen().rotated(layout.rotation()))),
            Ok(_) | Err(AgentError::Failed(_)) => Ok(None),
            Err(AgentError::Device(error)) => Err(error),
        }
    }

    /// Ends the agent for all its clients.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
        self.process.end();
    }

    /// Whether the agent is known to have ended.
    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Whether the agent answers.
    pub fn answers(&self, unwanted: &dyn Fn() -> bool) -> bool {
        // Reading the screen would take time, and what was announced since the last event.
        let nothing = Request::Settings(Vec::new());
        self.ask(&nothing, Duration::ZERO, unwanted, |from| from.values()).is_ok()
    }

    /// Sends a request, for which the agent itself takes up to `takes`, and reads the value of the answer.
    ///
    /// A failed stream is closed, so that a late answer is never taken for that to another request. The next request
    /// opens a new one.
    pub fn ask<T>(
        &self,
        request: &Request,
        takes: Duration,
        unwanted: &dyn Fn() -> bool,
        read: impl FnOnce(&mut Decoder<'_>) -> Result<T, ProtocolError>,
    ) -> Result<T, AgentError> {
        let patience = Patience::new(ANSWER + takes, unwanted);
        let mut shared = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stream = match shared.take() {
            Some(stream) => stream,
            None => self.process.stream(&patience).inspect_err(|error| {
                let refused = error.link_fault() == Some(LinkFault::Closed);
                self.ended.fetch_or(refused, Ordering::Relaxed);
            })?,
        };
        let before = patience.elapsed();
        let answer = stream.ask(request, &patience);
        let output = |body: &Vec<u8>| ShellOutput::of(body);
        let asked = (AskedBy::Program, format_args!("{request:?}"));
        self.process.link.server.record(asked, (&patience, before), &answer, output);
        let answer = answer.map_err(DeviceError::from)?;
        match read_answer(&answer, read) {
            Ok(outcome) => {
                *shared = Some(stream);
                outcome.map_err(AgentError::Failed)
            }
            Err(problem) => Err(DeviceError::from(stream.violation(&problem)).into()),
        }
    }
}

/// Reads the value in the body of an answer, or why there is none.
fn read_answer<T>(
    body: &[u8],
    read: impl FnOnce(&mut Decoder<'_>) -> Result<T, ProtocolError>,
) -> Result<Result<T, Failure>, ProtocolError> {
    let mut from = Decoder::new(body);
    let outcome = match Failure::check(&mut from)? {
        Ok(()) => Ok(read(&mut from)?),
        Err(failure) => Err(failure),
    };
    from.finish().map(|()| outcome)
}

/// Why the agent did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum AgentError {
    /// It answered that it cannot.
    #[error("{0}")]
    Failed(Failure),
    /// It could not be asked, or did not answer.
    #[error("{0}")]
    Device(#[from] DeviceError),
}

impl AgentError {
    /// The error of the device; `what` is what the agent was asked for.
    pub fn into_device(self, serial: &str, what: &str) -> DeviceError {
        let failure = match self {
            AgentError::Failed(failure) => failure,
            AgentError::Device(error) => return error,
        };
        let serial = serial.to_owned();
        match (failure.kind, forbidden(&failure.message)) {
            (_, Some(refused)) => {
                DeviceError::Forbidden { serial, what: refused.what(), advice: refused.advice() }
            }
            (FailureKind::Unsupported, None) => {
                DeviceError::Unsupported { serial, what: format!("{what}: {}", failure.message) }
            }
            (FailureKind::NoLayout, None) => DeviceError::NoLayout { serial, problem: failure.message },
            (_, None) => DeviceError::NoAnswer {
                serial,
                what: format!("the agent, asked to {what}"),
                problem: failure.message,
            },
        }
    }
}
