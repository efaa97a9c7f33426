//! The phone's way is cut into proposed functions on a thread of its own.

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::state::{ProposalCommand, TrialCommand, WayCut, WayToCut};
use taproof_core::worker::{self, CancelToken, PanicReport, Worker};

use super::Studio;

enum Done {
    Cut(WayCut),
    Broken(PanicReport),
}

/// The handle of the thread. Dropping it waits for what is being looked at.
pub(super) struct Proposer {
    // Unbounded: the window must not wait, and the thread takes the newest alone.
    ways: Sender<WayToCut>,
    done: Receiver<Done>,
    /// Ends once no way can come any more, that is, after those fields are dropped.
    _thread: Worker,
}

impl Proposer {
    fn start(wake: impl Fn() + Send + Clone + 'static) -> std::io::Result<Proposer> {
        let (ways, waiting) = unbounded::<WayToCut>();
        let (told, done) = unbounded();
        let (panicked, woken) = (told.clone(), wake.clone());
        let work = move || {
            while let Ok(way) = waiting.recv() {
                let newest = waiting.try_iter().last().unwrap_or(way);
                if told.send(Done::Cut(newest.cut())).is_err() {
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
    /// Takes what was found, and asks again once more was done by hand.
    pub(super) fn tend_proposals(&mut self) {
        let told: Vec<Done> = self.proposer.iter().flat_map(|proposer| proposer.done.try_iter()).collect();
        for done in told {
            match done {
                Done::Cut(cut) => self.state.proposals.take(cut, &self.state.mirror),
                Done::Broken(report) => {
                    self.proposer = None;
                    self.state.tell_failure(format!("What you did cannot be proposed: {}", report.message));
                }
            }
        }
        let state = &mut self.state;
        let Some(mut way) = state.proposals.ask(&state.mirror, &state.record) else { return };
        way.nouns = state.nouns_of(&state.settings.app);
        if self.proposer.is_none() {
            match Proposer::start(self.wake()) {
                Ok(proposer) => self.proposer = Some(proposer),
                Err(error) => {
                    return self.state.tell_failure(format!("What you did cannot be proposed: {error}"));
                }
            }
        }
        // A thread that is gone has told why.
        let _gone = self.proposer.as_ref().map(|proposer| proposer.ways.send(way));
    }

    /// Does what a panel asked for.
    pub(super) fn run_proposal(&mut self, command: ProposalCommand) {
        if let ProposalCommand::Accept(key) = &command {
            self.run_trial(TrialCommand::Close);
            let known = self.state.known_of(&self.state.settings.app);
            match self.state.proposals.cut_of(key, &self.state.mirror) {
                Some(cut) => {
                    let unsaved = self.state.record.unsaved();
                    self.state.record.accept(cut, known);
                    self.tell_put_aside(unsaved);
                }
                None => self.state.tell_failure("The phone has forgotten these steps. Do them once more."),
            }
        }
        self.state.proposals.run(command);
    }
}
