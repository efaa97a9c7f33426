//! Frames of scrcpy as the quickest source of pictures for who looks at a phone beside its owner. Only with the feature
//! `scrcpy`.
//!
//! H.264 loses something: a frame is never equal to a picture that was taken otherwise, and two frames of a still screen
//! differ. So a frame is handed on only where it visibly differs from the one before. That does not tell a screen that
//! changes by itself from the late frames of what the owner did. So for a while after the owner did something, a change
//! is only a doubt, which an exact picture of a slower source settles; whoever compares it with the owner's own sees no
//! false change. One such picture is taken in any case: something may have happened after the owner's own.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, TryRecvError, bounded};

use super::host::AdbLink;
use super::scrcpy::{Blocks, Picture, Scid, SearchPlaces};
use super::scrcpy_frames::{FramesError, ScrcpyFrames};
use taproof_core::device::Screenshot;
use taproof_core::model::PxSize;
use taproof_core::worker::Unwanted;

/// How long one look waits for a frame.
const TICK: Duration = Duration::from_millis(50);
/// So many looks after a failure it is tried again. Each of them takes a picture of a slower source meanwhile.
const TRIED_AGAIN: u32 = 100;
/// For so many looks after the owner did something its late frames may come: on a still phone two seconds.
const LATE: u32 = 40;

/// What the frames say at one look.
pub(super) enum Glance {
    /// There are none: another source is to be asked.
    Absent,
    /// Nothing else than before.
    Same {
        /// How many frames came.
        frames: u32,
    },
    /// Something else than before.
    Changed {
        /// The screen.
        picture: Screenshot,
        /// How many frames came.
        frames: u32,
    },
    /// Something may have changed that the owner does not know of: an exact picture tells.
    InDoubt {
        /// How many frames came.
        frames: u32,
    },
}

/// Frames of scrcpy where they can be had.
pub(super) struct ScrcpyRung {
    link: AdbLink,
    places: SearchPlaces,
    unwanted: Unwanted,
    standing: Standing,
    /// How often a server was started.
    started: u32,
    /// The last failure that was told.
    told: String,
}

type Started = Result<(ScrcpyFrames, Blocks), FramesError>;

enum Standing {
    /// Not now; it is tried again after so many looks.
    Resting(u32),
    /// A thread starts a server, as that takes a while.
    Starting(Receiver<Started>),
    Serving(Box<Serving>),
}

struct Serving {
    frames: ScrcpyFrames,
    watch: Watch,
}

/// What is known of the screen.
struct Watch {
    /// What was handed on or passed over last.
    known: Blocks,
    /// For so many looks a change may be the owner's.
    late: u32,
    /// An exact picture is due.
    due: bool,
    /// The last exact one since the owner did something.
    exact: Option<Screenshot>,
}

impl ScrcpyRung {
    pub fn new(link: AdbLink, places: SearchPlaces, unwanted: Unwanted) -> Self {
        let (standing, told) = (Standing::Resting(0), String::new());
        ScrcpyRung { link, places, unwanted, standing, started: 0, told }
    }

    /// Looks for a short while; frames that come while no `pictures` are wanted are passed over.
    pub fn glance(&mut self, pictures: bool) -> Glance {
        let failure = match &mut self.standing {
            Standing::Serving(serving) => match serving.glance(pictures) {
                Ok(glance) => return glance,
                Err(failure) => failure,
            },
            Standing::Starting(started) => match started.try_recv() {
                Ok(Ok((frames, known))) => {
                    self.told.clear();
                    let watch = Watch { known, late: LATE, due: true, exact: None };
                    self.standing = Standing::Serving(Box::new(Serving { frames, watch }));
                    return Glance::Absent;
                }
                Ok(Err(failure)) => failure,
                Err(TryRecvError::Empty) => return Glance::Absent,
                Err(TryRecvError::Disconnected) => {
                    self.standing = Standing::Resting(TRIED_AGAIN);
                    return Glance::Absent;
                }
            },
            Standing::Resting(0) => {
                self.standing = self.start();
                return Glance::Absent;
            }
            Standing::Resting(looks) => {
                *looks -= 1;
                return Glance::Absent;
            }
        };
        self.standing = Standing::Resting(TRIED_AGAIN);
        let problem = failure.to_string();
        // One that stays is told once.
        if problem != self.told {
            tracing::info!(serial = self.link.serial, problem, "scrcpy gives no pictures");
            self.told = problem;
        }
        Glance::Absent
    }

    /// The exact picture that was taken in doubt.
    pub fn settle(&mut self, exact: &Screenshot) {
        if let Standing::Serving(serving) = &mut self.standing {
            serving.watch.settle(exact);
        }
    }

    /// Starts a server on a thread of its own, which ends by itself.
    fn start(&mut self) -> Standing {
        self.started = self.started.wrapping_add(1);
        // Two programs, and two servers of one program that may overlap, have different ones.
        let scid = Scid::new((std::process::id() << 9) | (self.started & 0x1ff));
        let (link, places, unwanted) = (self.link.clone(), self.places.clone(), Arc::clone(&self.unwanted));
        let (tell, started) = bounded(1);
        let work = move || {
            // Where nobody waits any more, the server ends with what holds it.
            drop(tell.send(ScrcpyFrames::start(&link, &places, scid, &*unwanted)));
        };
        match std::thread::Builder::new().name("scrcpy-start".to_owned()).spawn(work) {
            Ok(_) => Standing::Starting(started),
            Err(error) => {
                tracing::warn!(%error, "scrcpy cannot be started beside the pictures");
                Standing::Resting(TRIED_AGAIN)
            }
        }
    }
}

impl Serving {
    fn glance(&mut self, pictures: bool) -> Result<Glance, FramesError> {
        // Whoever wants none waits elsewhere.
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

    /// No frame came.
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

    /// A frame came; it is a `picture` where it is one to be handed on.
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

    /// What comes now and a little later is the owner's.
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

    /// One look: a frame of this brightness came, or none. It is a picture where `glance` would have asked for one.
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
        // Two exact pictures differ: the screen does it by itself, and every frame shows that.
        assert_eq!(look(&mut watch, true, Some(160)), "in doubt");
        watch.settle(&exact(2));
        assert_eq!(look(&mut watch, true, Some(200)), "changed");
        // The owner works again.
        assert_eq!(look(&mut watch, false, None), "same");
        assert_eq!(look(&mut watch, true, Some(20)), "in doubt");
        watch.settle(&exact(1));
        assert_eq!(look(&mut watch, true, Some(60)), "in doubt", "what was exact before counts no more");
    }
}
