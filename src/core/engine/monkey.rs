//! Monkey: random events, the baseline that every paper compares with.
//!
//! The idea: any event that a screen offers is as good as any other. A test starts with empty data and goes on for a
//! fixed number of events. Variants: kinds of events drawn by weight or every event alike; the test ended where the
//! shared detector says that it is stuck ("with restarts"); system events mixed in (TimeMachine's paper compares with
//! both). Unlike Android's monkey it touches widgets, not points: that way it is the generator that the other
//! engines here use, and what they find beyond it is their idea's doing.

use serde::{Deserialize, Serialize};

use super::{
    CheckpointError, Engine, EngineConfig, EngineInfo, EngineSettings, EngineStats, Explorer, RandomEvents,
    RandomExplorer, Round, RoundCtx, Setting, Stop, StuckConfig, StuckDetector, from_checkpoint,
    to_checkpoint,
};

/// How lists show this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "monkey",
    label: "Monkey",
    idea: "random events, the baseline of every paper",
    config: || EngineConfig::Monkey(MonkeyConfig::default()),
};

/// Monkey's parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MonkeyConfig {
    /// Events of a test; the app then starts again with empty data.
    pub test_length: usize,
    /// What is drawn.
    pub events: RandomEvents,
    /// Whether a test ends where it is stuck.
    pub restart: bool,
    /// When it is stuck.
    pub stuck: StuckConfig,
}

impl Default for MonkeyConfig {
    fn default() -> Self {
        MonkeyConfig {
            test_length: 1000,
            events: RandomEvents::default(),
            restart: false,
            stuck: StuckConfig::default(),
        }
    }
}

impl EngineSettings for MonkeyConfig {
    fn info(&self) -> &'static EngineInfo {
        &INFO
    }

    fn build(&self, _setting: &Setting) -> Box<dyn Engine> {
        let explorer = RandomExplorer::new(self.events.clone());
        Box::new(Monkey { config: self.clone(), explorer, stuck: 0 })
    }

    fn mode(&self) -> String {
        let variants = [
            (self.events.uniform, "uniform"),
            (self.restart, "restart"),
            (self.events.system_every > 0, "system"),
        ];
        variants.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
    }
}

/// The engine. Nothing of one test is known in the next.
struct Monkey {
    config: MonkeyConfig,
    explorer: RandomExplorer,
    /// Tests that were ended because they were stuck.
    stuck: u64,
}

impl Engine for Monkey {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        let mut detector = StuckDetector::default();
        ctx.start()?;
        self.explorer.begins(ctx);
        while ctx.trace().len() < self.config.test_length {
            self.explorer.step(ctx)?;
            let graph = &ctx.ledger().graph;
            let state = graph.current().filter(|_| self.config.restart);
            if state.is_some_and(|state| detector.observe(state, graph, &self.config.stuck).is_some()) {
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
