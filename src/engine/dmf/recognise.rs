//! Recognises runs of DMFs in events that are chosen by others: by an engine that knows no DMFs, or by a person.
//!
//! A run is recognised if every event is the one that running the DMF would have performed: on the widget that the step
//! names, with a text that it could have drawn, from a screen on which the precondition holds. It is then judged and
//! re-executed like any other run. If something that the specification blocks is done outside of such a run, data model
//! and app may disagree, or a DMF may have another effect than specified. The rest of the test is then not judged.

use serde::{Deserialize, Serialize};

use crate::oracle;
use taproof_screen::{
    AppHealth, DrawnText, Event, Frame, Gesture, Key, Layout, OracleKind, Reason, Same, StepRole, Trace,
    Verdict, Violation, WidgetIdx, touched_widget,
};
use taproof_spec::{
    Action, Bindings, CheckOutcome, CompiledDmf, DataModel, DmfStep, Input, class_of, is_forbidden, receiver,
};

use super::off_screen::{is_looked_for, keyboard_covers};
use super::progress::{DmfProgress, DmfScreen, InputSource};
use super::refusal::seems_refused;
use super::step::{StepAct, step_act};
use crate::TestTarget;

/// Number of runs that are followed at the same time; of more, those that began first.
const MAX_RUNS: usize = 64;

/// Follows the events of a test and recognises runs of DMFs in them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Recogniser {
    runs: Vec<Followed>,
    /// Whether data model and app may disagree, so that nothing more is recognised.
    drifted: bool,
}

/// A run of a DMF that may have begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Followed {
    dmf: usize,
    first_step: usize,
    /// Index of the next step.
    next: usize,
    progress: DmfProgress,
    /// Whether one of its events is guarded by the specification, such as a tap on a button that commits a change.
    guarded: bool,
}

/// An event of a test, and the screens before and after it.
#[derive(Clone, Copy)]
pub struct SeenEvent<'s> {
    trace: &'s Trace,
    at: usize,
    before: &'s Layout,
    event: &'s Event,
    after: &'s Frame,
}

impl<'s> SeenEvent<'s> {
    /// The event with this index of a test, to which the app had responded at frame `answered`. `None` for an appended
    /// event, and for those of a detour, which leads back to where it began.
    pub fn new(trace: &'s Trace, at: usize, answered: usize) -> Option<Self> {
        let counts = |role: StepRole| !role.is_appended() && role != StepRole::Detour;
        let step = trace.steps().get(at).filter(|step| counts(step.role))?;
        let (before, after) = (&trace.frame(at)?.layout, trace.frame(answered)?);
        Some(SeenEvent { trace, at, before, event: &step.event, after })
    }

    /// Whether a text was visible before the event, so that it comes from the app.
    fn shown_before(&self, text: &str) -> bool {
        let shows = |frame: &Frame| {
            frame.layout.widgets().iter().any(|widget| widget.text.eq_ignore_ascii_case(text))
        };
        (0..=self.at).filter_map(|index| self.trace.frame(index)).any(shows)
    }

    /// Whether the event left the visible screen unchanged.
    fn changed_nothing(&self) -> bool {
        let words = |layout: &Layout| layout.key(Same::Exact);
        words(self.before) == words(&self.after.layout)
    }
}

/// A completed run of a DMF that was recognised.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence {
    /// Index of the DMF in the target.
    pub dmf: usize,
    /// Index of the trace's step at which it began. It ended with the last step.
    pub first_step: usize,
    /// The texts that it used, in the order of drawing.
    pub inputs: Vec<DrawnText>,
    /// The texts that the run read, by name.
    pub bindings: Bindings,
    /// The verdict of its postconditions.
    pub verdict: Verdict,
}

impl Recogniser {
    /// Processes one more event. Returns the runs that it completed, judged; their impacts are applied to the data.
    pub fn saw(&mut self, target: &TestTarget, data: &mut DataModel, seen: SeenEvent<'_>) -> Vec<Occurrence> {
        if self.drifted || matches!(seen.event, Event::Wait(_)) {
            return Vec::new();
        }
        let guarded = is_forbidden(&target.guards, seen.before, seen.event);
        let doubtful = guarded || self.runs.iter().any(|run| run.guarded);
        if seen.after.health != AppHealth::Running {
            self.runs.clear();
            self.drifted = doubtful;
            return Vec::new();
        }
        let mut advanced = self.advance(target, data, seen);
        for run in &mut advanced {
            run.guarded |= guarded;
        }
        let layout = &seen.after.layout;
        let after = DmfScreen { layout, data, app: &target.app };
        let (mut ended, mut refused) = (Vec::new(), false);
        advanced.retain(|run| match run.end(&target.dmfs()[run.dmf], seen.before, after) {
            End::Not => true,
            End::Lost => false,
            End::Refused => {
                refused = true;
                false
            }
            End::Over(progress) => {
                ended.push(Followed { progress, ..run.clone() });
                false
            }
        });
        self.runs = advanced;
        let changes = |run: &Followed| !target.dmfs()[run.dmf].dmf.impacts.is_empty();
        let explained = refused || ended.iter().any(changes) || self.runs.iter().any(|run| run.guarded);
        let ended = if doubtful && !explained { None } else { unambiguous(ended, changes) };
        let Some(ended) = ended else {
            self.drifted = true;
            return Vec::new();
        };
        if ended.iter().any(changes) {
            self.runs.clear();
        }
        ended.into_iter().map(|run| self.judge(run, target, data, layout)).collect()
    }

    /// Judges runs once more that were just recognised, on the screen after them as it was read again.
    pub fn judge_again(
        &mut self,
        target: &TestTarget,
        data: &DataModel,
        occurrences: &mut [Occurrence],
        layout: &Layout,
    ) {
        self.drifted = false;
        for run in occurrences {
            let progress = DmfProgress::of(&run.inputs, &run.bindings);
            run.verdict = verdict_on(target, run.dmf, &progress, data, layout);
            let changes = !target.dmfs()[run.dmf].dmf.impacts.is_empty();
            self.drifted |= changes && !matches!(run.verdict, Verdict::Holds);
        }
    }

    /// The runs that continue or begin with an event.
    fn advance(&self, target: &TestTarget, data: &DataModel, seen: SeenEvent<'_>) -> Vec<Followed> {
        let on = DmfScreen { layout: seen.before, data, app: &target.app };
        let dmfs = target.dmfs();
        let mut advanced = Vec::new();
        for run in &self.runs {
            run.follow(&dmfs[run.dmf], seen, on, &mut advanced);
        }
        // An event without effect, or a text that may be typed once more, does not advance the runs.
        let nothing = seen.changed_nothing();
        if nothing || typed(seen.event).is_some() {
            let stays = |run: &&Followed| nothing || run.is_typing(&dmfs[run.dmf]);
            advanced.extend(self.runs.iter().filter(stays).cloned());
        }
        for (index, dmf) in dmfs.iter().enumerate() {
            let begun = advanced.len();
            let run = Followed {
                dmf: index,
                first_step: seen.at,
                next: 0,
                progress: DmfProgress::default(),
                guarded: false,
            };
            run.follow(dmf, seen, on, &mut advanced);
            if advanced.len() > begun && !dmf.preconditions_hold(seen.before, data, &target.app) {
                advanced.truncate(begun);
            }
        }
        advanced.truncate(MAX_RUNS);
        advanced
    }

    fn judge(
        &mut self,
        run: Followed,
        target: &TestTarget,
        data: &mut DataModel,
        layout: &Layout,
    ) -> Occurrence {
        let Followed { dmf: index, first_step, progress, .. } = run;
        let dmf = &target.dmfs()[index];
        let changes = !dmf.dmf.impacts.is_empty();
        if changes {
            data.apply_impacts(&dmf.dmf, &progress.bindings);
        }
        let verdict = verdict_on(target, index, &progress, data, layout);
        self.drifted |= changes && !matches!(verdict, Verdict::Holds);
        Occurrence { dmf: index, first_step, inputs: progress.used, bindings: progress.bindings, verdict }
    }
}

/// The verdict of a run that ended with this screen.
fn verdict_on(
    target: &TestTarget,
    index: usize,
    progress: &DmfProgress,
    data: &DataModel,
    layout: &Layout,
) -> Verdict {
    let dmf = &target.dmfs()[index];
    let scene = progress.scene(DmfScreen { layout, data, app: &target.app });
    let mut outcomes = dmf.check_postconditions(&scene);
    // Running the DMF would scroll here, which would make this another test.
    if keyboard_covers(layout) || layout.widgets().iter().any(|widget| widget.scrollable()) {
        for (outcome, condition) in outcomes.iter_mut().zip(&dmf.dmf.postconditions) {
            if matches!(outcome, CheckOutcome::Fails(_)) && is_looked_for(condition) {
                let why = "the lists were not scrolled".to_owned();
                *outcome = CheckOutcome::NotJudged(Reason::OffScreen(why));
            }
        }
    }
    oracle::verdict(dmf, index, layout, outcomes)
}

/// Of the runs that one event completed, those that are certain: the one that changes data, or else all, as none
/// changes data. `None` if the effect on the data cannot be decided.
fn unambiguous(mut ended: Vec<Followed>, changes: impl Fn(&Followed) -> bool) -> Option<Vec<Followed>> {
    if ended.iter().any(&changes) {
        ended.retain(&changes);
        // The longest run explains the most: one that ends with it is a part of it.
        let first = ended.iter().map(|run| run.first_step).min();
        ended.retain(|run| Some(run.first_step) == first);
        // A text that one run prescribes also fits another that draws it. The run that prescribes more is meant.
        let drawn = ended.iter().map(|run| run.progress.used.len()).min();
        ended.retain(|run| Some(run.progress.used.len()) == drawn);
        return (ended.len() == 1).then_some(ended);
    }
    let same = |run: &Followed, other: &Followed| run.dmf == other.dmf && run.first_step == other.first_step;
    let alone = |run: &Followed| ended.iter().filter(|other| same(run, other)).count() == 1;
    Some(ended.iter().filter(|run| alone(run)).cloned().collect())
}

/// The effect of an event on a run.
enum End {
    /// The run continues after the event.
    Not,
    /// The run cannot be judged, because a name on the last screen could not be read.
    Lost,
    /// The app refused the input: the data are unchanged.
    Refused,
    /// The run was completed, with this progress.
    Over(DmfProgress),
}

impl Followed {
    /// Adds the possible states of the run after the event to `advanced`: one for each object that may be meant.
    fn follow(
        &self,
        dmf: &CompiledDmf,
        seen: SeenEvent<'_>,
        on: DmfScreen<'_>,
        advanced: &mut Vec<Followed>,
    ) {
        let mut known = vec![self.progress.used.clone()];
        while let Some(used) = known.pop() {
            let mut shown = Vec::new();
            let source = InputSource::Watch { known: &used, shown: &mut shown };
            match self.try_event(dmf, seen, on, source) {
                Some(run) => advanced.push(run),
                None => known.extend(
                    shown
                        .into_iter()
                        .rev()
                        .map(DrawnText::object)
                        .map(|object| [&used[..], &[object]].concat()),
                ),
            }
        }
    }

    /// The run after the event; `None` if the run would not have performed this event next.
    fn try_event(
        &self,
        dmf: &CompiledDmf,
        seen: SeenEvent<'_>,
        on: DmfScreen<'_>,
        mut source: InputSource<'_>,
    ) -> Option<Followed> {
        let event = seen.event;
        let mut run = self.clone();
        while let Some(step) = dmf.dmf.steps.get(run.next) {
            if !may_be(step, event) {
                return None;
            }
            let target = match run.progress.look(dmf, Some(run.next), Some(step), on, &mut source) {
                Ok(target) => target,
                Err(reason) if !step.required && reason.leaves_out_step() => {
                    run.next += 1;
                    continue;
                }
                Err(_) => return None,
            };
            let text = run.text(dmf, step, seen, on.data, &mut source)?;
            match step_act(step.action, target, text, on.layout).ok()? {
                StepAct::Nothing | StepAct::Send(Event::Wait(_)) => run.next += 1,
                StepAct::ScrollTo(text) if on.layout.widgets().iter().any(|w| *w.text == *text) => {
                    run.next += 1
                }
                StepAct::ScrollTo(_) => {
                    let swipes = matches!(event, Event::Widget { gesture: Gesture::Swipe(_), .. });
                    return swipes.then(|| self.clone());
                }
                StepAct::Send(ours) if is_same(&ours, target, event, on.layout) => {
                    run.next += 1;
                    return Some(run);
                }
                StepAct::Send(_) => return None,
            }
        }
        None
    }

    /// The text of a step. A typed text counts as a fresh one if it could have been drawn.
    fn text(
        &mut self,
        dmf: &CompiledDmf,
        step: &DmfStep,
        seen: SeenEvent<'_>,
        data: &DataModel,
        source: &mut InputSource<'_>,
    ) -> Option<Option<String>> {
        let Input::Fresh(fresh) = &step.input else {
            return self.progress.input(dmf, step, data, source).ok();
        };
        let data_type = fresh.data_type.as_ref().unwrap_or(&dmf.dmf.data_type);
        let made_here =
            |text: &str| data.holds(data_type, text) || data.removed(data_type).any(|gone| gone == text);
        let text = typed(seen.event).filter(|text| made_here(text) || !seen.shown_before(text))?;
        let class = class_of(fresh, data_type, data, text)?;
        let drawn = DrawnText { text: text.to_owned(), class: Some(class) };
        let known = [&self.progress.used[..], &[drawn]].concat();
        let mut source = InputSource::Watch { known: &known, shown: &mut Vec::new() };
        self.progress.input(dmf, step, data, &mut source).ok()
    }

    /// Whether the next step types a text.
    fn is_typing(&self, dmf: &CompiledDmf) -> bool {
        dmf.dmf.steps.get(self.next).is_some_and(|step| step.action == Action::Edit)
    }

    /// Whether the run is complete on this screen, which followed another one: its remaining steps may need no event.
    fn end(&self, dmf: &CompiledDmf, before: &Layout, on: DmfScreen<'_>) -> End {
        let steps = &dmf.dmf.steps;
        let mut progress = self.progress.clone();
        let mut source = InputSource::Watch { known: &self.progress.used, shown: &mut Vec::new() };
        for (number, step) in steps.iter().enumerate().skip(self.next) {
            let found = progress.look(dmf, Some(number), Some(step), on, &mut source);
            let needs_no_event = match found {
                Err(reason) => !step.required && reason.leaves_out_step(),
                Ok(_) => step.action == Action::Sleep,
            };
            if !needs_no_event {
                return End::Not;
            }
        }
        if progress.refused(dmf, on) || seems_refused(&dmf.dmf, (before, on.layout), &progress.used) {
            return End::Refused;
        }
        match progress.look(dmf, Some(steps.len()), None, on, &mut source) {
            Ok(_) => End::Over(progress),
            Err(_) => End::Lost,
        }
    }
}

/// The text that an event types into a field; `None` if it types none.
fn typed(event: &Event) -> Option<&str> {
    match event {
        Event::Widget { gesture: Gesture::SetText(text), .. } => Some(text),
        _ => None,
    }
}

/// A quick check whether a step could be this event, which excludes most steps before widgets are searched for.
fn may_be(step: &DmfStep, event: &Event) -> bool {
    let gesture = match event {
        Event::Widget { gesture, .. } => Some(gesture),
        _ => None,
    };
    match step.action {
        Action::Click => matches!(gesture, Some(Gesture::Tap)) || !step.required,
        Action::LongClick => matches!(gesture, Some(Gesture::LongPress)) || !step.required,
        Action::Edit => matches!(gesture, Some(Gesture::SetText(_))) || !step.required,
        Action::Back => *event == Event::Key(Key::Back),
        Action::ImeAction => *event == Event::Key(Key::ImeAction),
        _ => true,
    }
}

/// Whether the observed event has the same effect as ours on `target`: a touch is handled by whatever widget around it
/// reacts.
fn is_same(ours: &Event, target: Option<WidgetIdx>, event: &Event, layout: &Layout) -> bool {
    match (ours, event) {
        (Event::Widget { gesture: our_gesture, .. }, Event::Widget { gesture, .. }) => {
            let reached = |idx| receiver(layout, idx, gesture).unwrap_or(idx);
            our_gesture == gesture && touched_widget(event, layout).map(reached) == target.map(reached)
        }
        _ => ours == event,
    }
}

/// The result of judging a whole recorded test by a specification.
pub struct JudgedRuns {
    /// The runs of DMFs that were recognised.
    pub occurrences: Vec<Occurrence>,
    /// Violations of DMFs and invariants, each with the number of steps that show it.
    pub violations: Vec<(usize, Violation)>,
    /// Number of steps after which data model and app may disagree, so that nothing more was judged; `None` if they
    /// never do.
    pub drifted_after: Option<usize>,
}

/// Judges a recorded test by a specification. The test must begin with cleared data.
pub fn judge_recorded(trace: &Trace, target: &TestTarget) -> JudgedRuns {
    let (mut recogniser, mut data) = (Recogniser::default(), DataModel::new());
    let mut judged = JudgedRuns { occurrences: Vec::new(), violations: Vec::new(), drifted_after: None };
    let appended = |at: usize| trace.steps().get(at).is_some_and(|step| step.role.is_appended());
    for at in 0..trace.len() {
        // Appended events are waits for the app.
        let answered = (at + 1..).find(|next| !appended(*next)).unwrap_or(at + 1);
        let Some(seen) = SeenEvent::new(trace, at, answered) else { continue };
        let after = seen.after;
        let ended = recogniser.saw(target, &mut data, seen);
        for occurrence in &ended {
            if let Verdict::Violated(violation) = &occurrence.verdict {
                judged.violations.push((answered, violation.clone()));
            }
        }
        judged.occurrences.extend(ended);
        if recogniser.drifted {
            judged.drifted_after.get_or_insert(answered);
        }
        let (layout, app) = (&after.layout, &target.app);
        if after.health == AppHealth::Running && !recogniser.drifted {
            let broken = target.spec.invariants.iter();
            let broken = broken.filter_map(|rule| oracle::judge_invariant(rule, layout, &data, app));
            let news = |violation: &Violation| {
                let is_known = |(_, known): &(usize, Violation)| {
                    known.oracle == OracleKind::Invariant && known.subject == violation.subject
                };
                !judged.violations.iter().any(is_known)
            };
            let broken: Vec<Violation> = broken.filter(news).collect();
            judged.violations.extend(broken.into_iter().map(|violation| (answered, violation)));
        }
    }
    judged
}
