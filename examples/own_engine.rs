//! An engine of your own: it does on each screen what it has done least often. Everything passes [`RoundCtx`], which performs,
//! records, counts, watches the budget and judges every screen; so crashes are found, confirmed and minimised without a line
//! about them here.
//!
//! Commands and the window list the engines that ship: `CONTRIBUTING.md` says how one becomes one of them.

use std::collections::BTreeMap;
use std::error::Error;

use taproof::device::{Event, Key, Selector};
use taproof::engine::{
    Engine, EngineSettings, Round, RoundCtx, StepRole, Stop, TestTarget, candidates, naming_selector,
};
use taproof::{Build, Campaign};

/// The settings make the engine, so that a campaign can be run again.
struct LeastDone {
    test_length: usize,
}

impl EngineSettings for LeastDone {
    fn name(&self) -> &'static str {
        "leastdone"
    }

    fn build(&self, _setting: &TestTarget) -> Box<dyn Engine> {
        Box::new(Counting { test_length: self.test_length, done: BTreeMap::new() })
    }
}

/// What it learns: how often each thing was done. It goes on from round to round.
struct Counting {
    test_length: usize,
    done: BTreeMap<String, u64>,
}

impl Engine for Counting {
    /// One test, from cleared data. `?` hands every reason to stop to the campaign: a crash, the end of the budget, a device
    /// that failed.
    fn round(&mut self, ctx: &mut RoundCtx<'_>) -> Result<Round, Stop> {
        ctx.start()?;
        while ctx.trace().len() < self.test_length {
            let event = self.choose(ctx);
            ctx.perform(event, StepRole::Explored)?;
        }
        Ok(Round::Continue)
    }
}

impl Counting {
    fn choose(&mut self, ctx: &mut RoundCtx<'_>) -> Event {
        let layout = &ctx.frame().layout;
        let mut least: Option<(u64, String, Event)> = None;
        for candidate in candidates(layout, &ctx.target().app) {
            let selector = naming_selector(layout, candidate.widget);
            let key = key(&selector, candidate.action.code());
            let done = self.done.get(&key).copied().unwrap_or_default();
            if least.as_ref().is_some_and(|(fewest, ..)| *fewest <= done) {
                continue;
            }
            // Nothing is offered where a touch would not reach it.
            if let Some(event) = Event::on(layout, selector, candidate.action.gesture("abc")) {
                least = Some((done, key, event));
            }
        }
        // All chance comes from the campaign: with the same seed it does the same.
        match least {
            Some((done, key, event)) if ctx.rng.chance(4, 5) => {
                self.done.insert(key, done + 1);
                event
            }
            Some(_) | None if ctx.rng.chance(1, 2) => Event::Rotate,
            Some(_) | None => Event::Key(Key::Back),
        }
    }
}

fn key(selector: &Selector, action: u64) -> String {
    format!("{action} {selector}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let bugs = ["notes-rotate-after-search", "notes-rotate-while-editing"].map(str::to_owned);
    let campaign = Campaign::new("org.taproof.notes").build(Build::Bugs(bugs.to_vec())).events(3_000);
    let outcome = campaign.engine(LeastDone { test_length: 100 }).run()?;
    for found in &outcome.findings {
        println!("{} times: {}", found.count, found.finding.title);
    }
    println!("{} finding(s), fingerprint {:016x}", outcome.findings.len(), outcome.fingerprint);
    assert!(!outcome.findings.is_empty(), "an app that crashes when it is turned");
    Ok(())
}
