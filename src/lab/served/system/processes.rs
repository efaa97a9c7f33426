//! The processes of the device, as `ps` lists them.

use super::programs::Running;
use crate::apk::packages::user_name;
use crate::outputs::table;
use crate::served::State;

/// The pid of a shell; the command that it runs has the next one.
pub(crate) const SHELL_PID: u32 = 6000;
const ZYGOTE: u32 = 310;
const ADBD: u32 = 500;
/// The pid before those of the helper apps.
const FIRST_HELPER: u32 = 2000;

/// A process, as a row of `ps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Process {
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
    pub(crate) fn processes(&mut self) -> Vec<Process> {
        let mut all = Vec::new();
        for words in table(self.like, "processes") {
            let numbers: Vec<u32> = words.iter().map_while(|word| word.parse().ok()).collect();
            if let (&[uid, pid, parent, memory], Some(name)) = (&*numbers, words.last()) {
                all.push(Process::new(uid, pid, parent, memory, name));
            }
        }
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
