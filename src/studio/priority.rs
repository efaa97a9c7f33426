//! Lets the person's work run before that of the engines.

/// How much lower the priority of engines is, in the system's steps of niceness. With six engines on two cores, the
/// window's thread then gets a core as soon as it needs one.
#[cfg(target_os = "linux")]
const NICER: i32 = 5;

/// Puts the calling thread, which is the window's, before those of engines on Windows, where threads inherit no priority. On macOS
/// the system itself prefers the first thread of a program.
pub fn window_first() {
    #[cfg(windows)]
    {
        use thread_priority::{ThreadPriority, WinAPIThreadPriority, set_current_thread_priority};
        let above = ThreadPriority::Os(WinAPIThreadPriority::AboveNormal.into());
        if let Err(error) = set_current_thread_priority(above) {
            tracing::debug!(?error, "the window runs at the usual priority");
        }
    }
}

/// Calls `start`, which starts threads, so that these threads run at a lower priority than the others of the program.
/// Where threads do not inherit their priority, or it cannot be lowered, they run at the usual one.
pub fn in_background<T: Send>(start: impl FnOnce() -> T + Send) -> T {
    #[cfg(target_os = "linux")]
    {
        // A thread cannot raise its priority again without privileges, so another one is lowered.
        std::thread::scope(|scope| {
            let lowered = move || {
                if let Err(error) = rustix::process::nice(NICER) {
                    tracing::debug!(%error, "the engines run at the usual priority");
                }
                start()
            };
            match scope.spawn(lowered).join() {
                Ok(started) => started,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
    #[cfg(not(target_os = "linux"))]
    start()
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use taproof_engine::worker::{self, CancelToken};

    use super::*;

    fn niceness() -> i32 {
        rustix::process::getpriority_process(None).unwrap()
    }

    #[test]
    fn threads_that_are_started_in_the_background_are_nicer_and_the_others_are_not() {
        let before = niceness();
        let (tell, told) = crossbeam_channel::bounded(1);
        let work = move || tell.send(niceness()).unwrap();
        let start =
            || worker::spawn("engine", &CancelToken::new(), work, |report| panic!("{}", report.message));
        let engine = in_background(start).unwrap();
        let nicer = told.recv().unwrap();
        drop(engine);
        assert_eq!(nicer, (before + NICER).min(19));
        assert_eq!(niceness(), before);
    }
}
