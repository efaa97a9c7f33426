//! The programs of clients that run on the device. One record serves `ps`, `kill`, `/proc`, and the question of who
//! has the connection for UI automation.

/// The pids of programs start here, and are used again after this many starts.
const FIRST_PID: u32 = 2090;
const PIDS: u32 = 1000;

/// A program that a client started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// Our agent, which listens on the abstract socket of that name.
    Agent {
        /// The name of the socket.
        socket: String,
    },
    /// Our agent without the screen, which leaves the connection for UI automation to others.
    ScreenlessAgent {
        /// The name of the socket.
        socket: String,
    },
    /// The uiautomator2 server.
    Uiautomator2 {
        /// The port that it listens on.
        port: u16,
    },
    /// `uiautomator dump`.
    Dump,
}

impl Program {
    /// Whether it needs the device's only connection for UI automation.
    fn automates(&self) -> bool {
        !matches!(self, Program::ScreenlessAgent { .. })
    }
}

/// A program while it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    /// The process that it runs in.
    pub pid: u32,
    /// Which program it is.
    pub program: Program,
    /// The arguments of the process, from `app_process`.
    pub arguments: Vec<String>,
}

impl Running {
    /// The class that the process runs.
    pub fn class(&self) -> &str {
        self.arguments.get(2).map_or("", String::as_str)
    }
}

/// The running programs.
#[derive(Debug, Default)]
pub struct Programs {
    pub(crate) running: Vec<Running>,
    started: u32,
}

impl Programs {
    /// All of them, in the order of their starts.
    pub fn all(&self) -> &[Running] {
        &self.running
    }

    /// Whether that process is one of them.
    pub fn has(&self, pid: u32) -> bool {
        self.running.iter().any(|running| running.pid == pid)
    }

    /// The program that has the connection for UI automation.
    pub fn holder(&self) -> Option<&Running> {
        self.running.iter().find(|running| running.program.automates())
    }

    /// Starts a program and returns its pid. The error is the program that has the connection for UI automation, if
    /// this one needs it.
    pub fn start(&mut self, program: Program, arguments: &[&str]) -> Result<u32, Running> {
        if let Some(holder) = self.holder().filter(|_| program.automates()) {
            return Err(holder.clone());
        }
        // Far fewer than this many can run at the same time.
        let mut next = (self.started..self.started.saturating_add(PIDS)).map(|place| place % PIDS);
        let place = next.find(|place| !self.has(FIRST_PID + place)).unwrap_or(0);
        self.started = place + 1;
        let pid = FIRST_PID + place;
        let arguments = ["app_process", "/"].iter().chain(arguments).map(|word| (*word).to_owned()).collect();
        self.running.push(Running { pid, program, arguments });
        Ok(pid)
    }
}
