//! Ends the programs of clients.

use crate::served::State;
use crate::system::programs::{Program, Running};

impl State {
    /// Ends the program in that process. Returns false if it is none.
    pub(crate) fn end_program(&mut self, pid: u32) -> bool {
        self.end_programs(|running| running.pid == pid)
    }

    /// Ends the programs for which `ends` returns true. Returns whether there was one.
    pub(crate) fn end_programs(&mut self, ends: impl Fn(&Running) -> bool) -> bool {
        let running = &mut self.programs.running;
        let before = running.len();
        running.retain(|running| !ends(running));
        let ended = running.len() < before;
        if !running.iter().any(|running| matches!(running.program, Program::Uiautomator2 { .. })) {
            self.touch_screen.injected = None;
        }
        ended
    }

    /// The process of that program, if it is running.
    pub(crate) fn program(&self, program: &Program) -> Option<&Running> {
        self.programs.running.iter().find(|running| running.program == *program)
    }
}
