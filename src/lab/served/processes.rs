//! The processes of the device, as `ps` lists them.

use super::log::SYSTEM_PID;
use super::packages::{SYSTEM_UI, user_name};
use super::programs::Running;
use super::served::State;

/// The pid of a shell; the command that it runs has the next one.
pub(super) const SHELL_PID: u32 = 6000;
const ZYGOTE: u32 = 310;
const ADBD: u32 = 500;
/// The pid before those of the helper apps.
const FIRST_HELPER: u32 = 2000;

/// A process, as a row of `ps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub user: String,
    pub uid: u32,
    pub pid: u32,
    pub parent: u32,
    /// Resident memory in KiB.
    pub memory: u32,
    pub name: String,
    /// The arguments that it was started with, from the name of its program.
    pub arguments: Vec<String>,
}

impl Process {
    fn new(uid: u32, pid: u32, parent: u32, memory: u32, name: &str) -> Process {
        let arguments = vec![name.to_owned()];
        Process { user: user_name(uid), uid, pid, parent, memory, name: name.to_owned(), arguments }
    }
}

impl State {
    /// All processes, sorted by pid.
    pub(super) fn processes(&mut self) -> Vec<Process> {
        let mut all = vec![
            Process::new(0, 1, 0, 3300, if self.like.old() { "/init" } else { "init" }),
            Process::new(0, 2, 0, 0, "kthreadd"),
            Process::new(1000, 240, 1, 2100, "servicemanager"),
            Process::new(0, ZYGOTE, 1, 61_000, if self.like.old() { "zygote" } else { "zygote64" }),
            Process::new(1000, 420, 1, 33_000, "surfaceflinger"),
            Process::new(2000, ADBD, 1, 4200, "adbd"),
            Process::new(1000, SYSTEM_PID, ZYGOTE, 148_000, "system_server"),
            Process::new(10_013, 1700, ZYGOTE, 96_000, SYSTEM_UI),
            Process::new(10_011, 1800, ZYGOTE, 41_000, "com.android.inputmethod.latin"),
            Process::new(10_010, 1950, ZYGOTE, 38_000, "com.android.dialer"),
            Process::new(2000, SHELL_PID, ADBD, 2100, "sh"),
            Process::new(2000, SHELL_PID + 1, SHELL_PID, 2400, "ps"),
        ];
        let mut helper = FIRST_HELPER;
        for package in self.packages() {
            let pid = if self.helpers.contains_key(&package.name) {
                helper += 1;
                Some(helper)
            } else {
                package.pid
            };
            if let Some(pid) = pid {
                all.push(Process::new(package.uid, pid, ZYGOTE, 74_000, &package.name));
            }
        }
        for Running { pid, arguments, .. } in self.programs.all() {
            let arguments = arguments.clone();
            all.push(Process { arguments, ..Process::new(2000, *pid, ADBD, 83_000, "app_process") });
        }
        all.sort_by_key(|process| process.pid);
        all
    }
}
