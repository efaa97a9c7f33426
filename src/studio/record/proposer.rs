//! Divides the phone's path into proposed functions, on a separate thread.

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{WayCut, WayToCut};
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};

/// The functions found on a path, or why it cannot be searched.
pub(crate) type ProposerNews = Result<WayCut, String>;

/// Handle of the thread. Dropping it waits for the path that is being divided.
pub(crate) struct Proposer {
    // Unbounded because the window must not wait; the thread takes only the newest path.
    ways: Sender<WayToCut>,
    done: Receiver<ProposerNews>,
    /// Ends when the channel of paths is closed, that is, after the fields above are dropped.
    _thread: Worker,
}

impl Proposer {
    pub fn start(wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<Proposer> {
        let (ways, waiting) = unbounded::<WayToCut>();
        let (sender, done) = unbounded();
        let (panicked, woken) = (sender.clone(), wake.clone());
        let work = move || {
            while let Ok(way) = waiting.recv() {
                let newest = waiting.try_iter().last().unwrap_or(way);
                if sender.send(Ok(newest.cut())).is_err() {
                    return;
                }
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            if panicked.send(Err(report.message)).is_ok() {
                woken();
            }
        };
        let _thread = worker::spawn("proposals", &CancelToken::new(), work, on_panic)?;
        Ok(Proposer { ways, done, _thread })
    }

    /// Divides a path. If the thread has ended, it has reported why.
    pub fn cut(&self, way: WayToCut) {
        let _gone = self.ways.send(way);
    }

    /// Takes what the thread has found.
    pub fn news(&self) -> impl Iterator<Item = ProposerNews> {
        self.done.try_iter()
    }
}
