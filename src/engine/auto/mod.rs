//! `auto`: several engines take turns on one device, so that one budget finds what each of them is good at.
//!
//! The engines keep their own state and their own oracles, and share the states of the app that were seen and the
//! findings. Each has a number of shares. The next round belongs to the engine that has had the least device time for its
//! shares, as in stride scheduling (Waldspurger and Weihl, MIT, 1995), so that none starves however long a round takes
//! (paper.md).

mod config;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use config::{AutoConfig, Shares};

use super::{
    CheckpointError, Count, Engine, EngineConfig, EngineInfo, EngineStats, Part, Round, RoundCtx,
    StateSnapshot, StatsRow, StatsShares, StatsTable, Stop, TestTarget, from_checkpoint, to_checkpoint,
};
use crate::fastbot2::ReuseModel;
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{FindingOrigin, Violation, thousands};

/// What a round costs at least, so that an engine whose rounds do nothing leaves the others their turns.
const LEAST_CHARGE: DeviceDuration = DeviceDuration(1000);

/// How many events an engine will get is guessed by its shares at first. The guess weighs as much as this part of the
/// campaign's events: a twentieth.
const GUESS: u64 = 20;

/// Name, label and default settings of this engine.
pub const INFO: EngineInfo = EngineInfo {
    name: "auto",
    label: "Auto",
    idea: "the engines take turns on one device",
    config: || EngineConfig::Auto(AutoConfig::default()),
    setting: |key| match key.strip_prefix("shares.") {
        None => AutoConfig::setting(key),
        Some(engine) => Shares::setting(engine),
    },
    paper: &[],
};

/// What an engine did in its turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Turns {
    /// Number of rounds.
    rounds: u64,
    /// Events that it performed.
    events: u64,
    /// Tests that it performed.
    tests: u64,
    /// Device time that it took.
    device_time: DeviceDuration,
    /// States of the app that it was the first to see.
    states: u64,
    /// Kinds of violations that it was the first to see.
    violations: u64,
}

/// An engine that takes turns with others.
struct Member {
    config: EngineConfig,
    engine: Box<dyn Engine>,
    shares: u32,
    standing: Standing,
}

/// Where an engine stands among the others.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Standing {
    turns: Turns,
    /// The device time that it took, in microseconds, divided by its shares.
    stride: u64,
    /// Whether it has nothing left to do.
    exhausted: bool,
}

/// The engine.
struct Auto {
    members: Vec<Member>,
    /// What was violated so far.
    violated: BTreeSet<FindingOrigin>,
}

impl Auto {
    fn new(config: &AutoConfig, target: &TestTarget) -> Self {
        let members = config.members(target.dmfs().iter().any(|dmf| dmf.dmf.runs())).into_iter();
        let member = |(config, shares): (EngineConfig, u32)| Member {
            engine: config.settings().build(target),
            shares,
            standing: Standing::default(),
            config,
        };
        Auto { members: members.map(member).collect(), violated: BTreeSet::new() }
    }

    /// The place of the engine whose turn it is: the one that had the least for its shares, of equals the first.
    fn next(&self) -> Option<usize> {
        let able = self.members.iter().enumerate().filter(|(_, member)| !member.standing.exhausted);
        able.min_by_key(|(_, member)| member.standing.stride).map(|(place, _)| place)
    }

    /// What an engine has of a campaign with this limit. How many events its time is good for is told by those that it
    /// has performed, and in the beginning by its shares (paper.md, section 2).
    fn part(&self, place: usize, done: &Seen, limit: u64) -> Part {
        let member = &self.members[place];
        let own = &member.standing.turns;
        let shares: u32 = self.members.iter().map(|member| member.shares).sum();
        let guess = u128::from((limit / GUESS).max(1));
        let of_guess = guess * u128::from(member.shares) / u128::from(shares.max(1));
        let (own_events, all) = (u128::from(own.events), u128::from(done.events));
        let left = u128::from(limit.saturating_sub(done.events));
        let events = own_events + left * (own_events + of_guess) / (all + guess);
        Part {
            others_events: done.events - own.events,
            others_tests: done.tests - own.tests,
            events: Some(u64::try_from(events).unwrap_or(u64::MAX)),
        }
    }
}

impl Member {
    /// Adds a round to what the engine did.
    fn count(&mut self, took: DeviceDuration) {
        let charged = took.0.max(LEAST_CHARGE.0) * 1000;
        let standing = &mut self.standing;
        standing.stride += charged / u64::from(self.shares);
        standing.turns.rounds += 1;
        standing.turns.device_time.0 += took.0;
    }
}

impl Engine for Auto {
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        let Some(place) = self.next() else { return Ok(Round::Exhausted) };
        let before = Seen::of(ctx);
        ctx.take_part(self.part(place, &before, ctx.stats().event_limit()));
        let member = &mut self.members[place];
        ctx.guard_data(member.config.settings().guards_data());
        let ended = member.engine.round(ctx);
        let after = Seen::of(ctx);
        let violated: Vec<FindingOrigin> = ctx.violations().map(Violation::origin).collect();
        let violations = violated.into_iter().filter(|origin| self.violated.insert(origin.clone())).count();
        let turns = &mut member.standing.turns;
        turns.events += after.events - before.events;
        turns.tests += after.tests - before.tests;
        turns.states += (after.states - before.states) as u64;
        turns.violations += violations as u64;
        member.count(DeviceDuration(after.time.0 - before.time.0));
        if ended == Ok(Round::Exhausted) {
            member.standing.exhausted = true;
            return Ok(Round::Continue);
        }
        ended
    }

    fn stats(&self) -> EngineStats {
        let turns = || self.members.iter().map(|member| (member.config.info().label, &member.standing.turns));
        let sum = |of: fn(&Turns) -> u64| turns().map(|(_, turns)| of(turns)).sum::<u64>();
        let seconds = |turns: &Turns| turns.device_time.0 / 1000;
        let row = |member: &Member| {
            let Turns { rounds, events, states, violations, .. } = member.standing.turns;
            let numbers = [rounds, events, states, violations].map(thousands);
            let label = [member.config.info().label.to_owned()];
            StatsRow::of([&label[..], &numbers, &[member.engine.stats().phase]].concat())
        };
        let numbers = vec![
            Count::new(
                "turns",
                sum(|turns| turns.rounds),
                "Tests, or parts of them, that an engine ran in one go",
            ),
            Count::new("events", sum(|turns| turns.events), "Events that the engines performed"),
            Count::new("states", sum(|turns| turns.states), "States of the app that were seen"),
            Count::new("violations", sum(|turns| turns.violations), "Distinct violations that were seen"),
        ];
        let times = StatsShares {
            title: "Device time".into(),
            note: "in seconds, of each engine".to_owned(),
            shares: turns().map(|(label, turns)| Count::new(label, seconds(turns), "")).collect(),
            of: sum(seconds),
        };
        let table = StatsTable::new(
            ("What they did", "a state or violation counts for who saw it first"),
            ["", "turns", "events", "new states", "new violations", "now"].map(|it| (it, "")),
            ("No engine", "None of them can test this app."),
            self.members.iter().map(row).collect(),
        );
        EngineStats {
            phase: format!("{} turns of {} engines", sum(|turns| turns.rounds), self.members.len()),
            numbers,
            shares: vec![times],
            tables: vec![table],
        }
    }

    fn save(&self) -> Result<Vec<u8>, CheckpointError> {
        let saved = |member: &Member| Ok((member.standing.clone(), member.engine.save()?));
        let members: Result<Vec<(Standing, Vec<u8>)>, CheckpointError> =
            self.members.iter().map(saved).collect();
        to_checkpoint(&(members?, &self.violated))
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), CheckpointError> {
        let members: Vec<(Standing, Vec<u8>)>;
        (members, self.violated) = from_checkpoint(saved)?;
        if members.len() != self.members.len() {
            let problem = format!("it has {} engines instead of {}", members.len(), self.members.len());
            return Err(CheckpointError::Unusable { problem });
        }
        for (member, (standing, engine)) in self.members.iter_mut().zip(members) {
            member.standing = standing;
            member.engine.load(&engine)?;
        }
        Ok(())
    }

    fn saved_states(&mut self) -> Vec<&mut StateSnapshot> {
        self.members.iter_mut().flat_map(|member| member.engine.saved_states()).collect()
    }

    fn learned(&self, app: &str) -> Option<ReuseModel> {
        self.members.iter().find_map(|member| member.engine.learned(app))
    }
}

/// How far a campaign is.
struct Seen {
    events: u64,
    tests: u64,
    states: usize,
    time: DeviceDuration,
}

impl Seen {
    fn of(ctx: &RoundCtx<'_>) -> Seen {
        let stats = ctx.stats();
        Seen { events: stats.events, tests: stats.tests, states: stats.graph.len(), time: stats.device_time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_spec::Spec;

    fn done(events: u64) -> Seen {
        Seen { events, tests: events / 10, states: 0, time: DeviceDuration(0) }
    }

    #[test]
    fn an_engine_has_the_part_of_the_events_that_its_shares_and_then_its_pace_are_good_for() {
        let target = TestTarget::new("org.ex", &Spec::default(), false);
        let shares = Shares { pbfdroid: 0, keep: 3, genie: 1, odin: 0, fastbot2: 0, timemachine: 0 };
        let mut auto = Auto::new(&AutoConfig { shares, ..AutoConfig::default() }, &target);
        let events = |auto: &Auto, place: usize, now: &Seen| auto.part(place, now, 40_000).events.unwrap();
        assert_eq!([0, 1].map(|place| events(&auto, place, &done(0))), [30_000, 10_000]);

        // Its events take little time: it gets half of them in a quarter of the time.
        for member in &mut auto.members {
            (member.standing.turns.events, member.standing.turns.tests) = (10_000, 1000);
        }
        let halfway = done(20_000);
        let part = auto.part(1, &halfway, 40_000);
        assert_eq!((part.others_events, part.others_tests), (10_000, 1000));
        assert!((19_000..=20_000).contains(&events(&auto, 1, &halfway)), "{part:?}");
        assert_eq!(events(&auto, 1, &done(40_000)), 10_000, "nothing is left");
    }
}
