//! Leads the live phone along a trace, and keeps it at the position of the replay's cursor.

use std::sync::Arc;
use std::time::Duration;

use super::{LiveTrace, Reexecution, TakeOver, TakenOver, TraceSource};
use crate::mirror::{DeviceMaker, MirrorCommand, MirrorFact, Opening, PathPosition};
use taproof_core::device::AppId;
use taproof_phone::BugSet;
use taproof_session::before_test;

use super::bundled;
use super::device_watch::fresh_device_maker;
use crate::app::Studio;

impl Studio {
    /// Sends the mirror an order that begins no new path.
    pub(crate) fn order(&mut self, command: MirrorCommand) {
        // The phone panel shows whether the order was accepted.
        self.send(command);
    }

    /// Takes a fact that the mirror reported.
    pub(crate) fn take_fact(&mut self, fact: MirrorFact) {
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

    /// Executes a command about taking over a trace.
    pub(crate) fn run_take_over(&mut self, command: TakeOver) {
        match command {
            TakeOver::At(source, events) => self.take_over(source, events),
            TakeOver::Follow(follows) => {
                if let Some(taken) = &mut self.state.takeover {
                    taken.follows = follows;
                }
                // Makes the phone follow to the cursor's current position.
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
        if let TraceSource::Path(path) = source
            && path == self.state.mirror.walked.path
        {
            // The trace is on the phone's own path, so nothing needs to be opened.
            return self.order(MirrorCommand::Stand(PathPosition { path, step: events }));
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

    /// Leads a fresh phone along the first `events` events of a trace.
    fn open_trace(&mut self, source: TraceSource, events: usize) {
        let Some(trace) = self.live_trace(&source) else {
            return self.state.notify_failure("That trace is gone. Open it again and take it over then.");
        };
        if let Some(order) = self.lead(&trace, events) {
            self.state.takeover = Some(TakenOver::new(source, trace, order));
        }
    }

    /// Leads a fresh phone along the first `events` events of a trace. Returns the number of the order, or `None` if
    /// the phone is not available or the order was refused.
    pub(crate) fn lead(&mut self, trace: &LiveTrace, events: usize) -> Option<u64> {
        let opening = Opening {
            make: self.fresh_maker(trace)?,
            app: AppId(trace.target.app.clone()),
            start: trace.start.clone(),
            events: trace.events.clone(),
            step: events.min(trace.events.len()),
        };
        let order = self.send(MirrorCommand::Open(Box::new(opening)))?;
        self.state.settings.target = trace.target.clone();
        self.origins.insert(order, self.way_origin(trace.initialiser.clone()));
        Some(order)
    }

    /// Restarts the shown app as tests do: with cleared data and the initial steps.
    pub(crate) fn begin_anew(&mut self) {
        let target = self.state.settings.target.clone();
        let initialiser = match self.state.campaigns.form.initialiser(&target.app) {
            Ok(first) => first,
            Err(problem) => return self.state.notify_failure(problem),
        };
        let title = "a fresh start".to_owned();
        let trace = LiveTrace { title, target, initialiser, start: None, events: Vec::new() };
        self.lead(&trace, 0);
    }

    /// Returns a maker of the phone that a trace needs: a bundled one with the trace's build, or the device that it was
    /// recorded on. Notifies the person and returns `None` if that is not available.
    fn fresh_maker(&mut self, trace: &LiveTrace) -> Option<DeviceMaker> {
        let LiveTrace { target, initialiser, .. } = trace;
        let before = before_test(self.state.campaigns.form.command_before(&target.app), Arc::new(|| false));
        if let Some(serial) = target.device.as_deref() {
            if !self.is_free(serial) {
                return None;
            }
            let device = self.state.devices.list.iter().find(|device| device.serial == serial);
            if !device.is_some_and(|device| device.ready) {
                let text = format!("{serial} is not here. Connect it, then take the trace over again.");
                self.state.notify_failure(text);
                return None;
            }
            let app = target.app.clone();
            return Some(fresh_device_maker(serial.to_owned(), app, initialiser.clone(), before));
        }
        let Some(app) = self.state.app(&target.app) else {
            self.state.notify_failure(format!("There is no app {} here to take over.", target.app));
            return None;
        };
        let bugs = BugSet::of(app.switched_on(&target.build));
        let parts = self.phone_parts();
        Some(bundled::fresh_phone_maker(parts, target.app.clone(), bugs, initialiser.clone(), before))
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
            TraceSource::Path(path) => LiveTrace::of_way(self.state.mirror.way(*path)?).map(Arc::new),
            TraceSource::Given(trace) => Some(Arc::clone(trace)),
        }
    }

    /// Moves the phone to the position of the replay's cursor, or to the next step of a re-execution.
    pub(crate) fn lead_phone(&mut self) {
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
            // The shown step ends with the screen after its event.
            let wanted = taken.place((replay.step + 1).min(taken.trace.events.len()));
            // Not until the path has begun; the next pass tries again.
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
        self.order(MirrorCommand::Stand(PathPosition { path, step }));
    }
}
