//! Divides the phone's path into proposed functions, on a separate thread.

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{ProposalCommand, WayCut, WayToCut};
use crate::specs::TrialCommand;
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};

use crate::app::Studio;

enum Done {
    Cut(WayCut),
    Broken(PanicReport),
}

/// Handle of the thread. Dropping it waits for the path that is being divided.
pub(crate) struct Proposer {
    // Unbounded because the window must not wait; the thread takes only the newest path.
    ways: Sender<WayToCut>,
    done: Receiver<Done>,
    /// Ends when the channel of paths is closed, that is, after the fields above are dropped.
    _thread: Worker,
}

impl Proposer {
    fn start(wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<Proposer> {
        let (ways, waiting) = unbounded::<WayToCut>();
        let (sender, done) = unbounded();
        let (panicked, woken) = (sender.clone(), wake.clone());
        let work = move || {
            while let Ok(way) = waiting.recv() {
                let newest = waiting.try_iter().last().unwrap_or(way);
                if sender.send(Done::Cut(newest.cut())).is_err() {
                    return;
                }
                wake();
            }
        };
        let on_panic = move |report: PanicReport| {
            if panicked.send(Done::Broken(report)).is_ok() {
                woken();
            }
        };
        let _thread = worker::spawn("proposals", &CancelToken::new(), work, on_panic)?;
        Ok(Proposer { ways, done, _thread })
    }
}

impl Studio {
    /// Takes new proposals, and requests them again if more was performed by hand.
    pub(crate) fn tend_proposals(&mut self) {
        let received: Vec<Done> =
            self.proposer.iter().flat_map(|proposer| proposer.done.try_iter()).collect();
        for done in received {
            match done {
                Done::Cut(cut) => self.state.proposals.take(cut, &self.state.mirror),
                Done::Broken(report) => {
                    self.proposer = None;
                    self.state.notify_failure(format!("What you did cannot be proposed: {}", report.message));
                }
            }
        }
        let state = &mut self.state;
        let Some(mut way) = state.proposals.ask(&state.mirror, &state.record) else { return };
        way.nouns = state.nouns_of(&state.settings.target.app);
        if self.proposer.is_none() {
            match Proposer::start(self.wake()) {
                Ok(proposer) => self.proposer = Some(proposer),
                Err(error) => {
                    return self.state.notify_failure(format!("What you did cannot be proposed: {error}"));
                }
            }
        }
        // If the thread has ended, it has reported why.
        let _gone = self.proposer.as_ref().map(|proposer| proposer.ways.send(way));
    }

    /// Executes a command of a panel about proposals.
    pub(crate) fn run_proposal(&mut self, command: ProposalCommand) {
        if let ProposalCommand::Accept(key) = &command {
            self.run_trial(TrialCommand::Close);
            let known = self.state.known_of(&self.state.settings.target.app);
            match self.state.proposals.cut_of(key, &self.state.mirror) {
                Some(cut) => {
                    let unsaved = self.state.record.unsaved();
                    self.state.record.accept(cut, known);
                    self.notify_put_aside(unsaved);
                }
                None => self.state.notify_failure("The phone has forgotten these steps. Do them once more."),
            }
        }
        self.state.proposals.run(command);
    }
}
