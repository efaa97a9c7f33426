//! The agent's process on the device: its file, its start and its end.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::stream::{AgentStream, StreamProblem};
use crate::connection::holders::{SCREENLESS, ScreenHolder, screen_holders};
use crate::host::{AdbError, AdbLink, AdbStream, AskedBy, Patience, ShellOutput};
use taproof_engine::agent::{Hello, Request};
use taproof_engine::device::DeviceError;
use taproof_screen::determinism::hash_bytes;

/// The agent's program, as `agent/build` makes it from the sources in `agent/java`.
const JAR: &[u8] = include_bytes!("../../../assets/agent/taproof-agent.jar");
const CLASS: &str = "org.taproof.agent.Main";
/// Folder and prefix of the agent's file on the device.
const PLACE: &str = "/data/local/tmp/taproof-agent-";
/// Limit for pushing the file over a slow cable.
const PUSH: Duration = Duration::from_secs(30);
/// Limit for the start. A virtual machine takes seconds to start on a slow device that is busy.
const START: Duration = Duration::from_secs(60);
/// How many times and how long to wait for another agent to end.
const TRIES: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);
/// Limit for its answer at the end.
const END: Duration = Duration::from_secs(2);
/// Limit on the retained output of the agent, in bytes.
const MOST_PRINTED: usize = 8 << 10;
/// The first version of Android with a connection for UI automation.
const FIRST_SDK: u32 = 18;

/// How a recording names the start of the agent, whose answer is what it has printed so far.
pub(crate) const AGENT_START: &str = "the agent's start";

/// Why the agent is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AgentProblem {
    /// Another program has the connection for UI automation, of which a device has only one.
    #[error("another program controls the screen{}; end it to use the agent", named_holders(.holders))]
    Busy {
        /// The processes that may have it; empty if none is known.
        holders: Vec<ScreenHolder>,
    },
    /// It did not start, or ended at once.
    #[error("the agent does not start: {0}")]
    NotStarted(String),
    /// The device could not be reached.
    #[error("{0}")]
    Device(#[from] DeviceError),
}

/// The processes as a part of a sentence; empty if there is none.
pub(crate) fn named_holders(holders: &[ScreenHolder]) -> String {
    match holders {
        [] => String::new(),
        holders => {
            let names: Vec<String> = holders.iter().map(ToString::to_string).collect();
            format!(", probably {}", names.join(" or "))
        }
    }
}

impl AgentProblem {
    /// The reason to do without the agent, and the programs to end for it. Fails if the device itself cannot be used.
    pub fn not_fatal(self) -> Result<(String, Vec<ScreenHolder>), DeviceError> {
        let reason = self.to_string();
        match self {
            AgentProblem::Busy { holders } => Ok((reason, holders)),
            AgentProblem::NotStarted(_) => Ok((reason, Vec::new())),
            AgentProblem::Device(error) => Err(error),
        }
    }
}

impl From<AdbError> for AgentProblem {
    fn from(error: AdbError) -> Self {
        AgentProblem::Device(error.into())
    }
}

/// What an agent is started for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgentUse {
    /// To control the screen, which one program at a time can.
    Screen,
    /// For apps and settings only; the screen is left to whoever controls it.
    Screenless,
}

impl AgentUse {
    /// The agent's file on the device. The settings guard of whoever controls the screen deletes the shared one; one
    /// that runs beside it has its own, which no other process deletes while it starts.
    fn path(self) -> String {
        match self {
            AgentUse::Screen => format!("{PLACE}{:016x}.jar", hash_bytes(JAR)),
            AgentUse::Screenless => format!("{PLACE}{:016x}-{:016x}.jar", hash_bytes(JAR), unique()),
        }
    }

    /// The folder for what the virtual machine compiles. Its path is short: it stands there once for each library of the
    /// system, and all of these may have 2 KB.
    fn data(self) -> String {
        match self {
            AgentUse::Screen => format!("{PLACE}d"),
            AgentUse::Screenless => format!("{PLACE}e"),
        }
    }

    /// What follows the name of the socket on its command line.
    fn option(self) -> String {
        match self {
            AgentUse::Screen => String::new(),
            AgentUse::Screenless => format!(" {SCREENLESS}"),
        }
    }
}

/// The agent's process. It ends when this is dropped.
pub(super) struct AgentProcess {
    pub link: AdbLink,
    /// The shell in which it runs; `None` once it was ended. Closing it ends the agent.
    shell: Mutex<Option<AdbStream>>,
    /// The name of its socket.
    socket: String,
    /// The API level of the device.
    pub sdk: u32,
    /// How long it took to start, a virtual machine for the most part.
    pub took: Duration,
}

impl Drop for AgentProcess {
    fn drop(&mut self) {
        self.end();
    }
}

/// The shell line that deletes the agent's files from a device, of all versions and with what a killed program left.
pub(crate) fn remove_line() -> String {
    format!("rm -rf {PLACE}*")
}

/// The request that starts the agent. Before Android 5 the virtual machine compiles a program when it is loaded, into a
/// folder that adb's user may not write to unless it is told another one.
fn start_line(sdk: u32, purpose: AgentUse, path: &str, socket: &str) -> String {
    let data = match sdk {
        ..21 => format!("mkdir -p {0}/dalvik-cache; ANDROID_DATA={0} ", purpose.data()),
        _ => String::new(),
    };
    format!("shell:{data}CLASSPATH={path} exec app_process / {CLASS} {socket}{}", purpose.option())
}

impl AgentProcess {
    /// Pushes the agent's file unless it is there, starts it and opens a stream.
    pub fn start(
        link: &AdbLink,
        sdk: u32,
        purpose: AgentUse,
        unwanted: &dyn Fn() -> bool,
    ) -> Result<(AgentProcess, AgentStream), AgentProblem> {
        if sdk < FIRST_SDK {
            return Err(AgentProblem::NotStarted("Android has no UI automation before 4.3".to_owned()));
        }
        let path = purpose.path();
        let patience = Patience::new(START, unwanted);
        let pushed = push_if_missing(link, &path, unwanted);
        let nothing = |(): &()| ShellOutput::of(b"");
        let question = (AskedBy::Program, "the agent's file");
        link.server.record(question, (&patience, Duration::ZERO), &pushed, nothing);
        pushed?;
        let patience = Patience::new(START, unwanted);
        let socket = socket_name();
        let line = start_line(sdk, purpose, &path, &socket);
        let mut before = patience.elapsed();
        let mut shell = link.open(&line, &patience)?;
        let mut ready = await_ready(&mut shell, link, &socket, unwanted);
        for _ in 0..TRIES {
            // An agent of the window, which has lent the device, may be about to end; who is not found has just ended.
            let may_end = |holders: &[ScreenHolder]| {
                holders.is_empty() || holders.iter().any(|one| one.program == CLASS)
            };
            match &ready {
                Err(AgentProblem::Busy { holders }) if may_end(holders) => {}
                _ => break,
            }
            patience.pause(PAUSE, "another agent")?;
            before = patience.elapsed();
            shell = link.open(&line, &patience)?;
            ready = await_ready(&mut shell, link, &socket, unwanted);
        }
        let took = patience.elapsed().saturating_sub(before);
        if purpose == AgentUse::Screenless {
            // A running program does not need its file any more, and one that failed leaves none either.
            link.shell(&format!("rm -rf {path}* {}", purpose.data()), &Patience::new(END, unwanted))?;
        }
        ready?;
        let process = AgentProcess { link: link.clone(), shell: Mutex::new(Some(shell)), socket, sdk, took };
        let (stream, hello) = process.connect(&patience).map_err(|problem| match problem {
            StreamProblem::Link(error) => error.into(),
            StreamProblem::Refused(failure) => AgentProblem::NotStarted(failure.message),
        })?;
        tracing::debug!(serial = link.serial, sdk = hello.sdk, uid = hello.uid, "the agent runs");
        Ok((process, stream))
    }

    /// Ends the agent and waits for it: another program may want to control the screen next. Android then turns the
    /// screen back to how it was when the agent started.
    pub fn end(&self) {
        let Some(mut shell) = self.shell.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        let patience = Patience::new(END, &|| false);
        // An agent that cannot be asked ends when its shell is closed.
        let Ok(mut stream) = self.stream(&patience) else { return };
        let ended = stream.ask(&Request::End, &patience);
        if let Err(error) = ended.and_then(|_| shell.read_to_end(MOST_PRINTED, &patience)) {
            tracing::debug!(serial = self.link.serial, %error, "the agent ends with its shell");
        }
    }

    /// Opens another stream to the agent, which is known to speak this version of the protocol.
    pub fn stream(&self, patience: &Patience<'_>) -> Result<AgentStream, DeviceError> {
        match self.connect(patience) {
            Ok((stream, _)) => Ok(stream),
            Err(StreamProblem::Link(error)) => Err(error.into()),
            Err(StreamProblem::Refused(failure)) => Err(DeviceError::NoAnswer {
                serial: self.link.serial.clone(),
                what: "the greeting of the agent".to_owned(),
                problem: failure.message,
            }),
        }
    }

    fn connect(&self, patience: &Patience<'_>) -> Result<(AgentStream, Hello), StreamProblem> {
        let what = format!("the agent on {}", self.link.serial);
        let stream = self.link.open_as(&format!("localabstract:{}", self.socket), what, patience)?;
        AgentStream::greet(stream, patience)
    }
}

/// A name that no other process guesses or has: apps can connect to abstract sockets, too.
fn socket_name() -> String {
    format!("taproof-{:016x}", unique())
}

fn unique() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Pushes the agent's file unless the device has it.
fn push_if_missing(link: &AdbLink, path: &str, unwanted: &dyn Fn() -> bool) -> Result<(), AdbError> {
    let patience = Patience::new(PUSH, unwanted);
    let there = link.stat(path, &patience)?;
    if there.is_some_and(|file| usize::try_from(file.size) == Ok(JAR.len())) {
        return Ok(());
    }
    // Another part of the program may start the agent at the same time: what is at the path is always whole.
    let part = format!("{path}.{:016x}", unique());
    // Android 14 and later load no code from a file that can be written to.
    link.push(JAR, &part, 0o444, 0, &patience)?;
    // Android 4.4 has no "mv -f", and others ask before they write over a file that cannot be written to.
    link.shell(&format!("rm -f {path}\nmv {part} {path}"), &patience).map(drop)
}

/// Reads what the agent prints until it is ready.
fn await_ready(
    shell: &mut AdbStream,
    link: &AdbLink,
    socket: &str,
    unwanted: &dyn Fn() -> bool,
) -> Result<(), AgentProblem> {
    let patience = Patience::new(START, unwanted);
    let mut printed = Vec::new();
    let mut buffer = [0; 1024];
    loop {
        let read = shell.read_some(&mut buffer, &patience);
        printed
            .extend_from_slice(read.as_ref().ok().and_then(|count| buffer.get(..*count)).unwrap_or_default());
        let output = |_: &usize| ShellOutput::of(&printed);
        link.server.record((AskedBy::Program, AGENT_START), (&patience, Duration::ZERO), &read, output);
        let count = read?;
        let said = String::from_utf8_lossy(&printed);
        for line in said.lines().map(str::trim) {
            if line == format!("READY {socket}") {
                return Ok(());
            }
            if line.starts_with("BUSY ") {
                let holders = screen_holders(link, Some(socket), unwanted)?;
                return Err(AgentProblem::Busy { holders });
            }
        }
        if count == 0 || printed.len() > MOST_PRINTED {
            let said = said.trim();
            return Err(AgentProblem::NotStarted(match said.strip_prefix("FAILED ") {
                Some(reason) => reason.to_owned(),
                None if said.is_empty() => "it ended without a word".to_owned(),
                None => format!("it said {said:?}"),
            }));
        }
    }
}
