//! The worker that owns the phone, driven as the window drives it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use taproof_screen::Event;
use taproof_studio::mirror::{
    DeviceMaker, Divergence, Mirror, MirrorCommand, MirrorFact, MirrorNews, PathNo, PathPosition, Performed,
    Seen, Shown,
};

/// The worker, driven as the window drives it.
pub struct Rig {
    pub mirror: Mirror,
    pub news: MirrorNews,
    pub sent: u64,
    pub path: PathNo,
    pub start: Option<Arc<Seen>>,
    pub performed: Vec<Arc<Performed>>,
    pub diverged: Vec<Arc<Divergence>>,
}

impl Rig {
    pub fn new(make: DeviceMaker) -> Rig {
        let mirror = Mirror::start(make, || ()).unwrap();
        let (news, path) = (MirrorNews::default(), PathNo(0));
        let (performed, diverged) = (Vec::new(), Vec::new());
        let mut rig = Rig { mirror, news, sent: 0, path, start: None, performed, diverged };
        rig.wait(|rig| rig.news.shown.is_some());
        rig
    }

    pub fn look(&mut self) {
        if let Some(news) = self.mirror.news() {
            self.news = news;
        }
        for fact in self.mirror.facts(1000) {
            match fact {
                MirrorFact::Began { path, start, .. } => {
                    (self.path, self.start) = (path, Some(start));
                    self.performed.clear();
                    self.diverged.clear();
                }
                MirrorFact::Performed(performed) => self.performed.push(performed),
                MirrorFact::Diverged(_, divergence) => self.diverged.push(divergence),
            }
        }
    }

    pub fn wait(&mut self, seen: impl Fn(&Rig) -> bool) {
        let end = Instant::now() + Duration::from_secs(120);
        loop {
            self.look();
            if seen(self) {
                // What was told before the news is there now.
                return self.look();
            }
            assert!(Instant::now() < end, "the worker does not answer: {:?}", self.news.problem);
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    pub fn send(&mut self, command: MirrorCommand) {
        assert!(self.mirror.send(command).is_some());
        self.sent += 1;
    }

    /// Does it and returns what is shown then.
    pub fn run(&mut self, command: MirrorCommand) -> Arc<Shown> {
        self.send(command);
        let sent = self.sent;
        self.wait(|rig| rig.news.done == sent);
        self.shown()
    }

    pub fn shown(&self) -> Arc<Shown> {
        self.news.shown.clone().unwrap()
    }

    pub fn stand(&mut self, step: usize) -> Arc<Shown> {
        let place = PathPosition { path: self.path, step };
        self.run(MirrorCommand::Stand(place))
    }

    pub fn perform(&mut self, event: Event) -> Arc<Shown> {
        self.run(MirrorCommand::Perform(event))
    }
}
