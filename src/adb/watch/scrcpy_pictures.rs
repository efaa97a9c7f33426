//! Frames of scrcpy as the fastest source of pictures for observing a phone that another part of the program (the
//! owner) controls. Only with the feature `scrcpy`.
//!
//! H.264 is lossy: a frame never equals a picture from another source, and two frames of a still screen differ. So a
//! frame is only reported if it visibly differs from the previous one. That alone cannot distinguish a screen that
//! changes by itself from late frames of the owner's events. Therefore, for a while after the owner did something, a
//! change is only a suspicion, which an exact picture from a slower source settles; a caller that compares it with the
//! owner's own picture sees no false change. One such picture is taken in any case, since something may have changed
//! after the owner's own picture.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};

use crate::host::AdbLink;
use crate::scrcpy::{Blocks, Picture, Scid, SearchPlaces};
use crate::watch::scrcpy_frames::{FramesError, ScrcpyFrames};
use taproof_engine::device::Screenshot;
use taproof_engine::worker::Unwanted;
use taproof_screen::PxSize;

/// How long one look waits for a frame.
const TICK: Duration = Duration::from_millis(50);
/// The number of looks after a failure until scrcpy is tried again. Each of them takes a picture from a slower source
/// meanwhile.
const TRIED_AGAIN: u32 = 100;
/// For how many looks after an event of the owner its late frames may arrive: two seconds on a still phone.
const LATE: u32 = 40;

/// The result of one look.
pub(crate) enum Glance {
    /// No frames are available: another source must be used.
    Absent,
    /// The screen shows the same as before.
    Same {
        /// The number of frames that arrived.
        frames: u32,
    },
    /// The screen shows something else than before.
    Changed {
        /// What the screen shows now.
        picture: Screenshot,
        /// The number of frames that arrived.
        frames: u32,
    },
    /// Something may have changed without the owner's doing; an exact picture is needed to decide.
    InDoubt {
        /// The number of frames that arrived.
        frames: u32,
    },
}

/// Frames of scrcpy, if available.
pub(crate) struct ScrcpyPictures {
    link: AdbLink,
    places: SearchPlaces,
    unwanted: Unwanted,
    state: State,
    /// The number of servers that were started.
    started: u32,
    /// The last reported failure, which is not reported again.
    told: String,
}

type Started = Result<(ScrcpyFrames, Blocks), FramesError>;

enum State {
    /// Scrcpy is unavailable and is tried again after this many looks.
    Resting(u32),
    /// A thread is starting a server, which takes a while.
    Starting(Receiver<Started>),
    Serving(Box<Serving>),
}

struct Serving {
    frames: ScrcpyFrames,
    watch: Watch,
}

/// The state of the observed screen.
struct Watch {
    /// The blocks of the last frame that was reported or skipped.
    known: Blocks,
    /// The number of looks for which a change may still come from the owner.
    late: u32,
    /// Whether an exact picture is due.
    due: bool,
    /// The last exact picture since the owner did something.
    exact: Option<Screenshot>,
}

impl ScrcpyPictures {
    pub fn new(link: AdbLink, places: SearchPlaces, unwanted: Unwanted) -> Self {
        let (state, told) = (State::Resting(0), String::new());
        ScrcpyPictures { link, places, unwanted, state, started: 0, told }
    }

    /// Looks for a short time. Without `pictures`, frames that arrive are skipped.
    pub fn glance(&mut self, pictures: bool) -> Glance {
        let failure = match &mut self.state {
            State::Serving(serving) => match serving.glance(pictures) {
                Ok(glance) => return glance,
                Err(failure) => failure,
            },
            State::Starting(started) => match started.try_recv() {
                Ok(Ok((frames, known))) => {
                    self.told.clear();
                    let watch = Watch { known, late: LATE, due: true, exact: None };
                    self.state = State::Serving(Box::new(Serving { frames, watch }));
                    return Glance::Absent;
                }
                Ok(Err(failure)) => failure,
                Err(TryRecvError::Empty) => return Glance::Absent,
                Err(TryRecvError::Disconnected) => {
                    self.state = State::Resting(TRIED_AGAIN);
                    return Glance::Absent;
                }
            },
            State::Resting(0) => {
                self.state = self.start();
                return Glance::Absent;
            }
            State::Resting(looks) => {
                *looks -= 1;
                return Glance::Absent;
            }
        };
        self.state = State::Resting(TRIED_AGAIN);
        let problem = failure.to_string();
        // A lasting problem is logged once.
        if problem != self.told {
            tracing::info!(serial = self.link.serial, problem, "scrcpy gives no pictures");
            self.told = problem;
        }
        Glance::Absent
    }

    /// Takes the exact picture that [`Glance::InDoubt`] asked for.
    pub fn settle(&mut self, exact: &Screenshot) {
        if let State::Serving(serving) = &mut self.state {
            serving.watch.settle(exact);
        }
    }

    /// Starts a server on a separate thread, which ends by itself.
    fn start(&mut self) -> State {
        self.started = self.started.wrapping_add(1);
        // Different for two programs, and for two overlapping servers of one program.
        let scid = Scid::new((std::process::id() << 9) | (self.started & 0x1ff));
        let (link, places, unwanted) = (self.link.clone(), self.places.clone(), Arc::clone(&self.unwanted));
        let (tell, started) = bounded(1);
        let work = move || {
            // If the receiver is gone, the server is dropped with the message and ends.
            drop(tell.send(ScrcpyFrames::start(&link, &places, scid, &*unwanted)));
        };
        match std::thread::Builder::new().name("scrcpy-start".to_owned()).spawn(work) {
            Ok(_) => State::Starting(started),
            Err(error) => {
                tracing::warn!(%error, "scrcpy cannot be started beside the pictures");
                State::Resting(TRIED_AGAIN)
            }
        }
    }
}

impl Serving {
    fn glance(&mut self, pictures: bool) -> Result<Glance, FramesError> {
        // A caller that wants no pictures must not be delayed.
        let wait = if pictures { TICK } else { Duration::ZERO };
        let watch = &mut self.watch;
        let seen = self.frames.newest(wait, |blocks| pictures && watch.late == 0 && watch.is_news(blocks))?;
        let frames = seen.count;
        let Some(newest) = seen.newest else { return Ok(self.watch.quiet(pictures, frames)) };
        Ok(self.watch.take(pictures, frames, newest.blocks, newest.picture))
    }
}

impl Watch {
    fn is_news(&self, blocks: &Blocks) -> bool {
        self.known.visibly_differ(blocks)
    }

    /// The result if no frame is reported.
    fn quiet(&mut self, pictures: bool, frames: u32) -> Glance {
        if !pictures {
            self.owner_works();
        } else if self.late > 0 {
            self.late -= 1;
        }
        if pictures && std::mem::take(&mut self.due) {
            return Glance::InDoubt { frames };
        }
        Glance::Same { frames }
    }

    /// Takes a frame. `picture` is given if the frame should be reported.
    fn take(&mut self, pictures: bool, frames: u32, blocks: Blocks, picture: Option<Picture>) -> Glance {
        if self.is_news(&blocks) {
            self.known = blocks;
            self.due |= self.late > 0;
        }
        match picture.and_then(screenshot) {
            Some(picture) if pictures => Glance::Changed { picture, frames },
            _ => self.quiet(pictures, frames),
        }
    }

    /// Frames from now on and a little later come from the owner's events.
    fn owner_works(&mut self) {
        (self.late, self.due, self.exact) = (LATE, true, None);
    }

    fn settle(&mut self, exact: &Screenshot) {
        // The screen does change by itself: the owner did nothing between the two.
        if self.exact.replace(exact.clone()).is_some_and(|before| before != *exact) {
            self.late = 0;
        }
    }
}

fn screenshot(picture: Picture) -> Option<Screenshot> {
    let side = |px: u32| i32::try_from(px).ok();
    let size = PxSize { width: side(picture.width)?, height: side(picture.height)? };
    Some(Screenshot { size, rgba: Arc::new(picture.rgba) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(known: u8) -> Watch {
        let mut watch = Watch { known: Blocks::plain(known), late: 0, due: false, exact: None };
        watch.owner_works();
        watch
    }

    /// One look: a frame of this brightness arrived, or none. It comes with a picture if `glance` would have requested
    /// one.
    fn look(watch: &mut Watch, pictures: bool, frame: Option<u8>) -> &'static str {
        let glance = match frame.map(Blocks::plain) {
            None => watch.quiet(pictures, 0),
            Some(blocks) => {
                let wanted = pictures && watch.late == 0 && watch.is_news(&blocks);
                let picture = Picture { width: 2, height: 2, pts_micros: 0, rgba: vec![0; 16] };
                watch.take(pictures, 1, blocks, wanted.then_some(picture))
            }
        };
        match glance {
            Glance::Absent => "absent",
            Glance::Same { .. } => "same",
            Glance::Changed { .. } => "changed",
            Glance::InDoubt { .. } => "in doubt",
        }
    }

    fn exact(mean: u8) -> Screenshot {
        Screenshot { size: PxSize { width: 1, height: 1 }, rgba: Arc::new(vec![mean; 4]) }
    }

    #[test]
    fn what_happened_while_the_owner_worked_is_looked_at_once() {
        let mut watch = watch(0);
        assert_eq!(look(&mut watch, false, Some(90)), "same", "nobody wants it");
        assert_eq!(look(&mut watch, true, None), "in doubt");
        assert!((0..200).all(|_| look(&mut watch, true, None) == "same"));
        assert_eq!(look(&mut watch, true, Some(91)), "same", "a loss of the encoder");
        assert_eq!(look(&mut watch, true, Some(20)), "changed");
        assert_eq!(look(&mut watch, true, Some(20)), "same");
    }

    #[test]
    fn late_frames_of_the_owners_work_are_doubts() {
        let mut watch = watch(0);
        assert_eq!(look(&mut watch, true, None), "in doubt");
        watch.settle(&exact(1));
        for frame in [40, 80, 120] {
            assert_eq!(look(&mut watch, true, Some(frame)), "in doubt");
            watch.settle(&exact(1));
            assert_eq!(look(&mut watch, true, Some(frame)), "same");
        }
        // Two exact pictures differ: the screen changes by itself, and every frame is reported.
        assert_eq!(look(&mut watch, true, Some(160)), "in doubt");
        watch.settle(&exact(2));
        assert_eq!(look(&mut watch, true, Some(200)), "changed");
        // The owner is active again.
        assert_eq!(look(&mut watch, false, None), "same");
        assert_eq!(look(&mut watch, true, Some(20)), "in doubt");
        watch.settle(&exact(1));
        assert_eq!(look(&mut watch, true, Some(60)), "in doubt", "what was exact before counts no more");
    }
}
