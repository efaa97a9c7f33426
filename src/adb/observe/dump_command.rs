//! `uiautomator dump`, the source of layouts that every device has.

use std::slice::Iter;

use super::source::{Query, Reading, ServerIdx, parsed};
use crate::connection::Connection;
use crate::input::gestures::Input;
use crate::output::{Component, DumpAnswer, DumpProblem, LogLine, dump_answer};
use taproof_engine::device::DeviceError;

/// How many times and how long to wait for another automation to end, since a cancelled one keeps running for a while.
const WAITS: u32 = 6;
const WAIT_MILLIS: u64 = 2000;

/// Reads layouts by the command on a device.
#[derive(Debug, Default)]
pub(super) struct DumpCommand {
    /// The activity that never came to rest. Its dumps are compressed from the start.
    restless: Option<Component>,
}

/// The outcome of reading the screen by the command.
pub(super) enum Dumped {
    Reading(Box<Reading>),
    /// The command cannot work, for this problem, but a server can. `log` is what was read until then.
    Superseded {
        by: ServerIdx,
        problem: DumpProblem,
        log: Vec<LogLine>,
    },
}

impl DumpCommand {
    /// Executes an input and then dumps the layout. `server` finds a server that answers.
    pub fn read(
        &mut self,
        query: &mut Query<'_>,
        input: &Input,
        server: &dyn Fn(&Connection) -> Option<ServerIdx>,
    ) -> Result<Dumped, DeviceError> {
        let connection = query.connection;
        let restless = self.restless.is_some() && self.restless.as_ref() == query.in_front;
        let mut retry = Retry::new(restless);
        let (text, mut signals) = query.ask(input, &dump_lines(connection, restless))?;
        let mut answer = dump_answer(text.as_bytes());
        loop {
            let problem = match answer {
                DumpAnswer::Xml { xml } => {
                    let layout = Ok(parsed(connection, &xml)?);
                    return Ok(Dumped::Reading(Box::new(Reading { layout, signals, problem: None })));
                }
                DumpAnswer::Saved { path } => {
                    let problem = format!("it wrote none to {path:?}; is the device's storage full?");
                    return Err(connection.no_layout(&problem));
                }
                DumpAnswer::Failed(problem) => problem,
            };
            if problem == DumpProblem::NotIdle {
                self.restless.clone_from(&signals.activity);
            }
            if matches!(problem, DumpProblem::AlreadyRegistered | DumpProblem::Killed)
                && let Some(by) = server(connection)
            {
                return Ok(Dumped::Superseded { by, problem, log: signals.log });
            }
            let (pause, compressed) = match retry.after(&problem) {
                Some(Next::Dump { compressed }) => (Input::Nothing, compressed),
                Some(Next::Wait) => (Input::Wait(WAIT_MILLIS), restless),
                None => {
                    return Ok(Dumped::Reading(Box::new(Reading {
                        layout: Err(problem),
                        signals,
                        problem: None,
                    })));
                }
            };
            let log = std::mem::take(&mut signals.log);
            let (text, again) = query.ask(&pause, &dump_lines(connection, compressed))?;
            (answer, signals) = (dump_answer(text.as_bytes()), again);
            signals.continue_log(log);
        }
    }
}

/// What to try after a dump that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// Wait: another automation is using the screen and may end.
    Wait,
    /// Dump again, possibly compressed.
    Dump { compressed: bool },
}

/// The attempts left for one reading.
struct Retry {
    waits: u32,
    dumps: Iter<'static, bool>,
}

impl Retry {
    /// A changing screen yields no layout now and then. One that never comes to rest yields a compressed layout at
    /// best, and takes 11 s to fail otherwise.
    fn new(restless: bool) -> Self {
        let dumps: &[bool] = if restless { &[] } else { &[false, true] };
        Retry { waits: WAITS, dumps: dumps.iter() }
    }

    /// The next attempt; `None` if there is nothing left to try.
    fn after(&mut self, problem: &DumpProblem) -> Option<Next> {
        if *problem == DumpProblem::AlreadyRegistered {
            self.waits = self.waits.checked_sub(1)?;
            return Some(Next::Wait);
        }
        self.dumps.next().map(|compressed| Next::Dump { compressed: *compressed })
    }
}

/// The lines that print a layout and note when the dump began and ended.
fn dump_lines(connection: &Connection, compressed: bool) -> String {
    let (file, option) = (connection.scratch_file(), if compressed { " --compressed" } else { "" });
    // Removed first, so that an older file is not taken for this dump.
    format!(
        "rm -f {file}\nread BEGAN </proc/uptime\nuiautomator dump{option} {file} 2>&1\n\
         read ENDED </proc/uptime\necho\ncat {file} 2>/dev/null\nrm -f {file}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut retry: Retry, problem: &DumpProblem) -> Vec<Next> {
        std::iter::from_fn(|| retry.after(problem)).take(100).collect()
    }

    #[test]
    fn a_screen_in_change_is_dumped_three_times_the_last_time_compressed() {
        let again = [false, true].map(|compressed| Next::Dump { compressed });
        assert_eq!(all(Retry::new(false), &DumpProblem::NoRoot), again);
        assert_eq!(all(Retry::new(false), &DumpProblem::NotIdle), again);
        assert_eq!(all(Retry::new(true), &DumpProblem::NotIdle), [], "it is known not to rest");
    }

    #[test]
    fn waiting_for_another_automation_costs_no_dump() {
        let mut retry = Retry::new(false);
        assert_eq!(retry.after(&DumpProblem::AlreadyRegistered), Some(Next::Wait));
        assert_eq!(retry.after(&DumpProblem::Killed), Some(Next::Dump { compressed: false }));
        assert_eq!(all(retry, &DumpProblem::AlreadyRegistered).len(), WAITS as usize - 1);
    }
}
