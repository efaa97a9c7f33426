//! Monkey: random events, the baseline of most papers.
//!
//! Every event that a screen offers is as good as any other. A test starts with empty data and continues for a fixed
//! number of events. There are variants: kinds of events drawn by weight, or all events with equal probability; ending
//! a test when the shared detector reports that it is stuck ("with restarts"); adding system events (TimeMachine's
//! paper compares with both).
//!
//! Unlike Android's monkey it touches widgets, not points. So it is the same generator that the other engines here use,
//! and what those find in addition is due to their strategies.

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats, Explorer, RandomEvents,
    RandomExplorer, Round, RoundCtx, Stop, StuckDetector, TestTarget, described, from_checkpoint,
    to_checkpoint,
};

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "monkey",
    label: "Monkey",
    idea: "random events, the baseline of every paper",
    config: || EngineConfig::Monkey(MonkeyConfig::default()),
    setting: MonkeyConfig::setting,
    paper: &[],
};

described! {
    /// Monkey's settings. By [`Default`], events are drawn by weight, without system events and restarts.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MonkeyConfig {
        /// Number of events of a test. The app then restarts with empty data.
        pub test_length: usize = 1000;
        /// Whether every event that the screen offers is equally likely; otherwise kinds of events are drawn by weight.
        pub uniform: bool = false;
        /// Whether a test ends when it is stuck.
        pub restart: bool = false;
        /// On average one in this many events happens outside of the app: a call, the screen switched off, a killed
        /// process. 0 means never.
        pub system_every: usize = 0;
    }
}

impl EngineSettings for MonkeyConfig {
    fn name(&self) -> &'static str {
        INFO.name
    }

    fn build(&self, _target: &TestTarget) -> Box<dyn Engine> {
        let (uniform, system_every) = (self.uniform, self.system_every);
        let explorer = RandomExplorer::new(RandomEvents { uniform, system_every, ..RandomEvents::default() });
        Box::new(Monkey { config: self.clone(), explorer, stuck: 0 })
    }

    fn mode(&self) -> String {
        let variants =
            [(self.uniform, "uniform"), (self.restart, "restart"), (self.system_every > 0, "system")];
        variants.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    }
}

/// The engine. It transfers nothing from one test to the next.
struct Monkey {
    config: MonkeyConfig,
    explorer: RandomExplorer,
    /// Number of tests that ended because they were stuck.
    stuck: u64,
}

impl Engine for Monkey {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        let mut detector = StuckDetector::default();
        ctx.start()?;
        self.explorer.begins(ctx);
        while ctx.trace().len() < self.config.test_length {
            self.explorer.step(ctx)?;
            let graph = &ctx.stats().graph;
            let state = graph.current().filter(|_| self.config.restart);
            if state.is_some_and(|state| detector.observe(state, graph).is_some()) {
                self.stuck += 1;
                break;
            }
        }
        Ok(Round::Continue)
    }

    fn stats(&self) -> EngineStats {
        let stuck = if self.config.restart { format!(", {} times stuck", self.stuck) } else { String::new() };
        EngineStats { phase: format!("random events{stuck}"), ..EngineStats::default() }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        to_checkpoint(&self.stuck)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        self.stuck = from_checkpoint(saved)?;
        Ok(())
    }
}
