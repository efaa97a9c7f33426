//! Leads the live phone along a trace, and keeps it where the cursor of the replay is.

use std::sync::Arc;
use std::time::Duration;

use crate::mirror::{DeviceMaker, MirrorCommand, MirrorFact, Opening, PathPlace};
use crate::state::{LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
use taproof_core::device::AppId;
use taproof_phone::BugSet;

use super::devices::fresh_device_maker;
use super::{Studio, bundled};

impl Studio {
    /// Sends the phone an order that begins no way of its own.
    pub(super) fn order(&mut self, command: MirrorCommand) {
        // Whether it was taken is told beside the phone.
        self.send(command);
    }

    /// Takes what happened on the phone.
    pub(super) fn take_fact(&mut self, fact: MirrorFact) {
        if self.state.takeover.as_mut().is_some_and(|taken| !taken.take(&fact)) {
            self.state.takeover = None;
        }
        let origin = match &fact {
            MirrorFact::Began { order, .. } => {
                let origin = self.origins.remove(order);
                self.origins.retain(|later, _| later > order);
                origin
            }
            MirrorFact::Performed(_) | MirrorFact::Diverged(..) => None,
        };
        self.state.mirror.take_fact(fact, origin);
    }

    /// Does what a panel asked for.
    pub(super) fn run_take_over(&mut self, command: TakeOver) {
        match command {
            TakeOver::At(source, events) => self.take_over(source, events),
            TakeOver::Follow(follows) => {
                if let Some(taken) = &mut self.state.takeover {
                    taken.follows = follows;
                }
                // The phone goes where the cursor is now.
                self.cursor = None;
            }
            TakeOver::Reexecute(source, pace_millis) => {
                self.open_trace(source, 0);
                if let Some(taken) = &mut self.state.takeover {
                    let total = taken.trace.events.len();
                    taken.reexecution = Some(Reexecution { done: 0, total, running: true, pace_millis });
                    taken.follows = false;
                }
            }
            TakeOver::Pace(pace_millis) => {
                if let Some(reexecution) = self.reexecution() {
                    reexecution.pace_millis = pace_millis;
                }
            }
            TakeOver::Run(running) => {
                if let Some(reexecution) = self.reexecution() {
                    reexecution.running = running && reexecution.done < reexecution.total;
                }
            }
            TakeOver::Stop => {
                if let Some(mirror) = &self.mirror {
                    mirror.stop_redoing();
                }
            }
            TakeOver::Newest => {
                let shown = self.state.mirror.shown.as_ref();
                if let Some(place) = shown.map(|shown| shown.newest()) {
                    self.order(MirrorCommand::Stand(place));
                }
            }
            TakeOver::Leave => self.state.takeover = None,
        }
    }

    fn reexecution(&mut self) -> Option<&mut Reexecution> {
        self.state.takeover.as_mut()?.reexecution.as_mut()
    }

    fn take_over(&mut self, source: TraceSource, events: usize) {
        if let TraceSource::Way(path) = source
            && path == self.state.mirror.walked.path
        {
            // It is the phone's own way: nothing needs to be opened.
            return self.order(MirrorCommand::Stand(PathPlace { path, step: events }));
        }
        let place = self.state.takeover.as_ref().filter(|taken| taken.source == source);
        match place.and_then(|taken| taken.place(events)) {
            Some(place) => {
                self.order(MirrorCommand::Stand(place));
                if let Some(taken) = &mut self.state.takeover {
                    taken.reexecution = None;
                    taken.follows = !taken.branched();
                }
            }
            None => self.open_trace(source, events),
        }
    }

    /// Puts a fresh phone where a trace comes after so many events.
    fn open_trace(&mut self, source: TraceSource, events: usize) {
        let Some(trace) = self.live_trace(&source) else {
            return self.state.tell_failure("That trace is gone. Open it again and take it over then.");
        };
        if let Some(order) = self.lead(&trace, events) {
            self.state.takeover = Some(TakenOver::new(source, trace, order));
        }
    }

    /// Leads a fresh phone along the first events of a trace; returns the number of the order.
    pub(super) fn lead(&mut self, trace: &LiveTrace, events: usize) -> Option<u64> {
        let opening = Opening {
            make: self.fresh_maker(trace)?,
            app: AppId(trace.app.clone()),
            start: trace.start.clone(),
            events: trace.events.clone(),
            step: events.min(trace.events.len()),
        };
        let order = self.send(MirrorCommand::Open(Box::new(opening)))?;
        let settings = &mut self.state.settings;
        settings.app.clone_from(&trace.app);
        settings.build = trace.build.clone();
        self.origins.insert(order, self.way_origin(trace.initialiser.clone()));
        Some(order)
    }

    /// Starts the app that is shown as tests start it.
    pub(super) fn begin_anew(&mut self) {
        let (app, build) = (self.state.settings.app.clone(), self.state.settings.build.clone());
        let initialiser = match self.state.campaigns.form.initialiser(&app) {
            Ok(first) => first,
            Err(problem) => return self.state.tell_failure(problem),
        };
        let title = "a fresh start".to_owned();
        let trace = LiveTrace { title, app, build, initialiser, start: None, events: Vec::new() };
        self.lead(&trace, 0);
    }

    /// Makes a phone for a trace: of its build, or the device that it was recorded on.
    fn fresh_maker(&mut self, trace: &LiveTrace) -> Option<DeviceMaker> {
        if let Some(serial) = trace.build.device() {
            if !self.is_free(serial) {
                return None;
            }
            let device = self.state.devices.list.iter().find(|device| device.serial == serial);
            if !device.is_some_and(|device| device.ready) {
                let text = format!("{serial} is not here. Connect it, then take the trace over again.");
                self.state.tell_failure(text);
                return None;
            }
            return Some(fresh_device_maker(serial.to_owned(), trace.app.clone(), trace.initialiser.clone()));
        }
        let Some(app) = self.state.app(&trace.app) else {
            self.state.tell_failure(format!("There is no app {} here to take over.", trace.app));
            return None;
        };
        let bugs = BugSet::of(trace.build.bugs(app));
        let fonts = Arc::clone(&self.fonts);
        Some(bundled::fresh_phone_maker(fonts, trace.app.clone(), bugs, trace.initialiser.clone()))
    }

    fn live_trace(&self, source: &TraceSource) -> Option<Arc<LiveTrace>> {
        let known = self.state.takeover.as_ref().filter(|taken| taken.source == *source);
        if let Some(taken) = known {
            return Some(Arc::clone(&taken.trace));
        }
        match source {
            TraceSource::Finding(key, way) => {
                let replay = self.state.replay.as_ref().filter(|replay| replay.source.key == *key)?;
                let plan = &replay.source.plan;
                Some(Arc::new(LiveTrace::of_finding(plan, &replay.finding, *way)))
            }
            TraceSource::Way(path) => LiveTrace::of_way(self.state.mirror.way(*path)?).map(Arc::new),
            TraceSource::Given(trace) => Some(Arc::clone(trace)),
        }
    }

    /// Brings the phone where the cursor of the replay is, or on to the next step of a re-execution.
    pub(super) fn lead_phone(&mut self) {
        self.follow_cursor();
        self.reexecute_on();
    }

    fn follow_cursor(&mut self) {
        let Some(replay) = &self.state.replay else { return };
        let source = replay.trace_source();
        let cursor = Some((source.clone(), replay.step));
        if self.cursor == cursor {
            return;
        }
        let followed = self.state.takeover.as_ref().filter(|taken| taken.follows && taken.source == source);
        if let Some(taken) = followed {
            // The step that is shown ends with the screen after its event.
            let wanted = taken.place((replay.step + 1).min(taken.trace.events.len()));
            // Until the way has begun the cursor is looked at again.
            let Some(place) = wanted else { return };
            self.order(MirrorCommand::Stand(place));
        }
        self.cursor = cursor;
    }

    fn reexecute_on(&mut self) {
        let Some(taken) = &mut self.state.takeover else { return };
        let (Some(reexecution), Some(path)) = (&mut taken.reexecution, taken.path) else { return };
        let shown = self.state.mirror.shown.as_ref().map(|shown| shown.place);
        if let Some(place) = shown.filter(|place| place.path == path) {
            reexecution.done = place.step;
        }
        reexecution.running &= reexecution.done < reexecution.total;
        if !reexecution.running || self.state.mirror.busy() {
            return;
        }
        let pace = Duration::from_millis(reexecution.pace_millis);
        let now = self.ctx.input(|input| input.time);
        let since = *self.stepped.get_or_insert(now);
        if now - since < pace.as_secs_f64() {
            let left = pace.as_secs_f64() - (now - since);
            return self.ctx.request_repaint_after(Duration::from_secs_f64(left));
        }
        self.stepped = Some(now);
        let step = reexecution.done + 1;
        self.order(MirrorCommand::Stand(PathPlace { path, step }));
    }
}
