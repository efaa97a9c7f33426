//! Starting the server through the `adb` program. A server that is running is left alone.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::address::VARIABLES;
use super::error::clipped;
use super::{AdbError, AdbProgram, AdbServer, Patience};

/// Limit on the retained output of the program, in bytes.
const PRINTED: usize = 16 * 1024;

/// The server after a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerStart {
    /// The version of the server's protocol.
    pub version: u32,
    /// Whether this call started the server.
    pub started: bool,
    /// The version of the `adb` program; `None` if it was not queried or could not be determined.
    pub program_version: Option<u32>,
}

impl ServerStart {
    /// A warning if the program and the server have different versions: any command of that program would restart the
    /// server and break all connections. This crate only talks to the server and so never does that.
    pub fn warning(&self) -> Option<String> {
        let program = self.program_version.filter(|program| *program != self.version)?;
        Some(format!(
            "the adb server that runs has version {}, the adb program of this machine has version {program}: every \
             command of that program restarts the server and breaks all connections; use the same platform-tools \
             everywhere",
            self.version
        ))
    }
}

impl AdbServer {
    /// Makes sure that a server is running. One that answers is left alone, whatever its version; if nothing listens on
    /// the port of this machine, the program starts a server.
    ///
    /// # Errors
    ///
    /// [`AdbError::Program`] if the program fails, [`AdbError::RemoteRefused`] and [`AdbError::Unreachable`] for
    /// servers on other machines, and the errors of any request to the server.
    pub fn start(&self, program: &AdbProgram, patience: &Patience<'_>) -> Result<ServerStart, AdbError> {
        match self.version(patience) {
            Ok(version) => {
                let program_version = match program.version(&patience.within(Duration::from_secs(3))) {
                    Ok(version) => Some(version),
                    Err(AdbError::Cancelled { what }) => return Err(AdbError::Cancelled { what }),
                    // The server is running; a program that does not work is no reason to fail here.
                    Err(_) => None,
                };
                return Ok(ServerStart { version, started: false, program_version });
            }
            Err(AdbError::NotRunning { .. }) => {}
            Err(error) => return Err(error),
        }
        let output = program.run(&["-P", &self.address.port.to_string(), "start-server"], patience)?;
        let version = self.version_once_it_listens(program, &output, patience)?;
        Ok(ServerStart { version, started: true, program_version: None })
    }

    fn version_once_it_listens(
        &self,
        program: &AdbProgram,
        output: &str,
        patience: &Patience<'_>,
    ) -> Result<u32, AdbError> {
        // The program ends only once the server listens, so this hardly waits.
        let soon = patience.within(Duration::from_secs(3));
        loop {
            let again = match self.version(&soon) {
                Err(AdbError::NotRunning { .. }) => {
                    soon.pause(Duration::from_millis(50), "starting the adb server")
                }
                Err(error) => Err(error),
                Ok(version) => return Ok(version),
            };
            match again {
                Ok(()) => {}
                Err(AdbError::Deadline { .. }) => {
                    let problem = format!("it ended well, but no server answers at {}", self.address);
                    let program = format!("{} start-server", program.path.display());
                    return Err(AdbError::Program { program, problem, output: clipped(output) });
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl AdbProgram {
    /// The version of the program's protocol: the 41 of `Android Debug Bridge version 1.0.41`. No server is contacted
    /// or started.
    ///
    /// # Errors
    ///
    /// [`AdbError::Program`] if the program fails or prints no version.
    pub fn version(&self, patience: &Patience<'_>) -> Result<u32, AdbError> {
        let output = self.run(&["version"], patience)?;
        let number =
            output.lines().find_map(|line| line.trim().strip_prefix("Android Debug Bridge version "));
        let version =
            number.and_then(|number| number.trim().rsplit('.').next()).and_then(|last| last.parse().ok());
        version.ok_or_else(|| {
            let program = format!("{} version", self.path.display());
            AdbError::Program { program, problem: "it tells no version".to_owned(), output: clipped(&output) }
        })
    }

    /// Runs the program and returns what it printed. It is killed if the patience ends first. Fails with
    /// [`AdbError::Program`] or with the errors of the patience.
    pub(crate) fn run(&self, words: &[&str], patience: &Patience<'_>) -> Result<String, AdbError> {
        let line = format!("{} {}", self.path.display(), words.join(" "));
        let mut command = Command::new(&self.path);
        command.args(words);
        // The arguments name the server; old programs fail if the environment names it as well.
        for name in VARIABLES {
            command.env_remove(name);
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        run_program(command, &line, patience)
    }
}

/// Runs a program of this computer, `line` in messages, and returns the beginning of what it printed. It has no input,
/// and is killed if the patience ends first.
///
/// # Errors
///
/// [`AdbError::Program`] if it cannot be started or fails, or with the errors of the patience.
pub fn run_program(mut command: Command, line: &str, patience: &Patience<'_>) -> Result<String, AdbError> {
    let failed = |problem: String, output: &str| AdbError::Program {
        program: line.to_owned(),
        problem,
        output: clipped(output),
    };
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().map_err(|error| failed(format!("it cannot be started: {error}"), ""))?;
    let mut running = Running(child);
    let printed =
        running.printed().map_err(|error| failed(format!("it cannot be listened to: {error}"), ""))?;
    let mut output = Vec::new();
    let status = loop {
        let slice = patience.slice(line)?;
        match printed.recv_timeout(slice) {
            Ok(bytes) => keep(bytes, &mut output),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => patience.pause(Duration::from_millis(5), line)?,
        }
        if let Some(status) = running.over().map_err(|error| failed(error.to_string(), ""))? {
            break status;
        }
    };
    listen_on(&printed, &mut output, patience);
    let output = String::from_utf8_lossy(&output).into_owned();
    if status.success() { Ok(output) } else { Err(failed(format!("it ended with {status}"), &output)) }
}

/// A child process that is killed when this is dropped.
struct Running(Child);

impl Running {
    /// What the process prints to both of its outputs, as it comes.
    fn printed(&mut self) -> std::io::Result<Receiver<Vec<u8>>> {
        let (sender, receiver) = bounded(16);
        if let Some(output) = self.0.stdout.take() {
            forward("program-output", output, sender.clone())?;
        }
        if let Some(errors) = self.0.stderr.take() {
            forward("program-errors", errors, sender)?;
        }
        Ok(receiver)
    }

    fn over(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.0.try_wait()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Killing fails if the process has already ended, and waiting then takes no time.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Forwards a pipe from a thread of its own. A started server may keep the pipe open, so nobody waits for its end. The
/// thread ends with the pipe, or when it has data and the receiver is gone.
fn forward(name: &str, mut pipe: impl Read + Send + 'static, sender: Sender<Vec<u8>>) -> std::io::Result<()> {
    let work = move || {
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            if sender.send(buffer.get(..count).unwrap_or_default().to_vec()).is_err() {
                return;
            }
        }
    };
    drop(std::thread::Builder::new().name(name.to_owned()).spawn(work)?);
    Ok(())
}

/// Collects the remaining output of a process that has ended, for a short time.
fn listen_on(printed: &Receiver<Vec<u8>>, output: &mut Vec<u8>, patience: &Patience<'_>) {
    let moment = patience.within(Duration::from_millis(100));
    while let Ok(slice) = moment.slice("listening") {
        match printed.recv_timeout(slice) {
            Ok(bytes) => keep(bytes, output),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn keep(bytes: Vec<u8>, output: &mut Vec<u8>) {
    let room = PRINTED.saturating_sub(output.len());
    output.extend(bytes.into_iter().take(room));
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use super::super::ServerAddress;
    use super::super::tests::peer::{Act, Peer, block, request};
    use super::*;

    const SECONDS: Duration = Duration::from_secs(10);

    /// A shell script used as the `adb` program; deleted when this is dropped.
    struct Script(PathBuf);

    impl Script {
        fn new(name: &str, text: &str) -> Self {
            let path = std::env::temp_dir().join(format!("start-{}-{name}", std::process::id()));
            std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            Script(path)
        }

        fn program(&self) -> AdbProgram {
            AdbProgram { path: self.0.clone(), variables: Vec::new() }
        }
    }

    impl Drop for Script {
        fn drop(&mut self) {
            drop(std::fs::remove_file(&self.0));
        }
    }

    fn nobody() -> AdbServer {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        AdbServer::at(ServerAddress { host: "127.0.0.1".to_owned(), port })
    }

    #[test]
    fn a_server_that_runs_is_left_alone_whatever_its_version() {
        let script = Script::new("version", "echo 'Android Debug Bridge version 1.0.41'");
        let peer = Peer::serve(vec![vec![request("host:version"), block("0027")]]);
        let start = peer.server.start(&script.program(), &Patience::new(SECONDS, &|| false)).unwrap();
        assert_eq!(start, ServerStart { version: 39, started: false, program_version: Some(41) });
        assert!(start.warning().unwrap().contains("version 39"));
        peer.finish();
        let fit = ServerStart { program_version: Some(39), ..start };
        assert_eq!(fit.warning(), None);
    }

    #[test]
    fn what_is_no_adb_server_is_not_started_over() {
        let script = Script::new("untouched", "exit 9");
        let peer = Peer::serve(vec![vec![request("host:version"), Act::Send(b"HTTP/1.1 400 Bad".to_vec())]]);
        let garbage = peer.server.start(&script.program(), &Patience::new(SECONDS, &|| false)).unwrap_err();
        assert!(matches!(garbage, AdbError::Garbage { .. }), "{garbage:?}");
        peer.finish();
    }

    #[test]
    fn a_program_that_fails_is_quoted() {
        let script = Script::new("fails", "echo \"cannot bind: $1 $2 $3\" >&2; exit 3");
        let failed = nobody().start(&script.program(), &Patience::new(SECONDS, &|| false)).unwrap_err();
        let AdbError::Program { problem, output, .. } = failed else { panic!("{failed:?}") };
        assert!(
            problem.contains('3')
                && output.starts_with("cannot bind: -P ")
                && output.ends_with("start-server")
        );
        let missing = AdbProgram { path: "/no/such/adb".into(), variables: Vec::new() };
        let failed = nobody().start(&missing, &Patience::new(SECONDS, &|| false)).unwrap_err();
        assert!(failed.to_string().contains("cannot be started"), "{failed}");
    }

    #[test]
    fn a_program_that_only_says_so_has_started_nothing() {
        let script = Script::new("lies", "echo '* daemon started successfully'");
        let patience = Patience::new(Duration::from_millis(600), &|| false);
        let failed = nobody().start(&script.program(), &patience).unwrap_err();
        assert!(failed.to_string().contains("no server answers"), "{failed}");
    }

    #[test]
    fn a_program_that_hangs_is_killed_at_the_deadline() {
        let script = Script::new("hangs", "echo $$; exec sleep 30");
        let patience = Patience::new(Duration::from_millis(300), &|| false);
        let late = script.program().run(&["start-server"], &patience).unwrap_err();
        assert!(matches!(late, AdbError::Deadline { .. }), "{late:?}");
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
    }

    #[test]
    fn a_server_that_keeps_the_output_open_keeps_nobody() {
        let script = Script::new("daemon", "sleep 3 & echo started");
        let patience = Patience::new(SECONDS, &|| false);
        assert_eq!(script.program().run(&[], &patience).unwrap(), "started\n");
        assert!(patience.elapsed() < Duration::from_secs(2), "{:?}", patience.elapsed());
        let talker = Script::new("talks", "yes x | head -c 3000000");
        assert_eq!(talker.program().run(&[], &patience).unwrap().len(), PRINTED);
    }

    #[test]
    fn the_version_of_a_program_is_read() {
        let version = |name: &str, text: &str| {
            let script = Script::new(name, &format!("echo '{text}'"));
            script.program().version(&Patience::new(SECONDS, &|| false))
        };
        assert_eq!(version("one", "Android Debug Bridge version 1.0.41\nVersion 29.0.6-debian"), Ok(41));
        assert!(version("two", "hello").is_err());
        assert!(version("three", "Android Debug Bridge version x").is_err());
    }
}
