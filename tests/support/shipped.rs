//! The shipped specifications performed on their sound apps, and whether a draft means the same as they do.

use std::sync::Arc;

use taproof_engine::{
    CampaignStats, InputSource, Limits, NoWatcher, RoundCtx, RoundDoor, RunOutcome, RunPolicy, TestTarget,
    run_dmf,
};
use taproof_phone::apps::{phone_with, shipped_specs};
use taproof_phone::{BugSet, Fonts};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, Selector, StepRole, Trace, Verdict, WidgetIdx};
use taproof_spec::format::DmfFile;
use taproof_spec::{
    Action, Bindings, CompiledDmf, CompiledSelector, Condition, DataModel, Dmf, DmfKind, Draft, ImpactOp,
    Input, PLAIN_CLASSES, Relation, Role, Scene, Scope, Severity, Spec, TextClass, TextPattern, lint,
    refused,
};

/// The shipped DMFs of an app.
pub fn shipped_dmfs(app: &str) -> Vec<Dmf> {
    let file = shipped_specs(app).find(|spec| spec.path.contains("/dmf_")).unwrap();
    DmfFile::parse(file.text).unwrap().spec.dmfs
}

/// Functions to be done before, on the same recording: what must be seen once to be picked.
pub const BEFORE: &[(&str, &[&str])] = &[
    ("search1 note", &["search note", "delete note"]),
    ("search1 idea", &["search idea", "delete idea"]),
    ("search1 body", &["search body", "delete body"]),
];

/// One run of a DMF.
pub struct Recording {
    pub steps: Vec<RecordedStep>,
    /// The first step of the DMF itself; those before it are of others.
    pub first: usize,
    /// The texts that it drew.
    pub inputs: Vec<String>,
    /// What the app held before it, and after it.
    pub data: [DataModel; 2],
    pub outcome: RunOutcome,
    /// All events since the launch, ...
    pub events: Vec<Event>,
    /// ... and the first of them that is the DMF's own.
    pub begins: usize,
}

/// Runs a DMF once on a sound phone, from a fresh start. The texts are plain: which classes a field may
/// take is a person's decision.
pub fn record(fonts: &Arc<Fonts>, app: &str, dmfs: &[Dmf], index: usize) -> Result<Recording, String> {
    let mut dmfs = dmfs.to_vec();
    for step in dmfs.iter_mut().flat_map(|dmf| dmf.steps.iter_mut().chain(&mut dmf.lead_in)) {
        if let Input::Fresh(fresh) = &mut step.input
            && (fresh.classes.is_empty()
                || fresh.classes.iter().any(|(class, _)| *class != TextClass::Removed))
        {
            fresh.classes = PLAIN_CLASSES.to_vec();
        }
    }
    // The way to the DMF alone, so that the trace tells where the DMF itself begins.
    let none = Dmf { steps: vec![], impacts: vec![], postconditions: vec![], ..dmfs[index].clone() };
    dmfs.push(Dmf { refusal: None, ..none });
    let target = TestTarget::new(app, &Spec { dmfs, ..Spec::default() }, true);
    let mut phone = phone_with(fonts, app, &BugSet::none());
    let unlimited = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let door = RoundDoor {
        device: &mut phone,
        target: &target,
        stats: &mut CampaignStats::new(&target, unlimited),
        watcher: &mut NoWatcher,
        cancelled: &|| false,
    };
    let mut ctx = RoundCtx::new(door, Rng::from_seed(7)).unwrap();
    let mut rng = Rng::from_seed(11);
    let mut run = |ctx: &mut RoundCtx<'_>, dmf, lead_in| {
        let policy = RunPolicy { scroll_limit: 20, lead_in, ..RunPolicy::default() };
        run_dmf(ctx, dmf, InputSource::Draw(&mut rng), policy).unwrap()
    };
    ctx.start().unwrap();
    run(&mut ctx, target.dmfs().len() - 1, true);
    for (other, maker) in target.dmfs().iter().enumerate() {
        let makes = maker.dmf.data_type == target.dmfs()[index].dmf.data_type
            && maker.dmf.impacts.iter().any(|impact| impact.op != ImpactOp::Delete);
        if makes && other != index && !ctx.ready(index) {
            run(&mut ctx, other, true);
            ctx.perform(Event::Relaunch, StepRole::Explored).unwrap();
        }
    }
    let recorded = ctx.trace().len();
    let before = BEFORE.iter().find(|(name, _)| *name == target.dmfs()[index].dmf.name);
    for name in before.iter().flat_map(|(_, before)| before.iter()) {
        let other = target.dmfs().iter().position(|other| other.dmf.name == *name).unwrap();
        let ready = ctx.ready(other);
        run(&mut ctx, other, !ready);
        ctx.perform(Event::Relaunch, StepRole::Explored).unwrap();
    }
    if !ctx.ready(index) {
        return Err("its precondition was not reached".to_owned());
    }
    let before = ctx.data().clone();
    let first = own_steps(ctx.trace(), recorded).len();
    let begins = ctx.trace().len();
    let outcome = run(&mut ctx, index, false);
    let data = [before, ctx.data().clone()];
    let inputs = ctx.trace().spans.last().map(|span| span.texts()).unwrap_or_default();
    let steps = own_steps(ctx.trace(), recorded);
    let events = ctx.trace().steps().iter().map(|step| step.event.clone()).collect();
    Ok(Recording { steps, first, inputs, data, outcome, events, begins })
}

/// The DMF's own steps from `first` on. The engine's waits join the step before them. Selectors are left
/// out: the recorder has to earn them.
pub fn own_steps(trace: &Trace, first: usize) -> Vec<RecordedStep> {
    let mut steps: Vec<RecordedStep> = Vec::new();
    for (number, step) in trace.steps().iter().enumerate().skip(first) {
        let after = step.after.layout.clone();
        match &step.event {
            Event::Wait(_) => {
                if let Some(last) = steps.last_mut() {
                    last.after = after;
                }
            }
            event if step.role == StepRole::SpecStep || *event == Event::Relaunch => {
                let mut event = event.clone();
                if let Event::Widget { target, .. } = &mut event {
                    target.selector = Selector::default();
                }
                let before = trace.frame(number).unwrap().layout.clone();
                steps.push(RecordedStep { event, before, after });
            }
            _ => {}
        }
    }
    steps
}

/// A DMF over the layouts of a recording, with the texts that it reads there.
pub struct Reading<'a> {
    pub dmf: &'a Dmf,
    pub compiled: CompiledDmf,
    /// The layout before each step, and the last.
    pub layouts: Vec<Arc<Layout>>,
    /// The recorded step that it begins with.
    pub first: usize,
    pub bindings: Bindings,
    pub app: &'a str,
    pub recording: &'a Recording,
}

/// The layout before each step of the shipped DMF. Scrolling to what is in sight is no event.
pub fn layouts_of(dmf: &Dmf, recording: &Recording) -> Vec<Arc<Layout>> {
    let mut steps = recording.steps.iter().skip(recording.first).peekable();
    let swipes =
        |step: &&RecordedStep| matches!(step.event, Event::Widget { gesture: Gesture::Swipe(_), .. });
    let last = recording.steps.last().map(|step| step.after.clone());
    let mut layouts = Vec::new();
    for step in &dmf.steps {
        layouts.extend(steps.peek().map(|next| next.before.clone()).or(last.clone()));
        match step.action {
            Action::ScrollTo => while steps.next_if(swipes).is_some() {},
            _ => drop(steps.next()),
        }
    }
    layouts.into_iter().chain(last).collect()
}

impl<'a> Reading<'a> {
    pub fn new(dmf: &'a Dmf, recording: &'a Recording, layouts: Vec<Arc<Layout>>, app: &'a str) -> Self {
        let (compiled, bindings) = (CompiledDmf::new(dmf), Bindings::default());
        let first = recording.first;
        let mut reading = Reading { dmf, compiled, layouts, first, bindings, app, recording };
        for widget in &dmf.widgets {
            let TextPattern::Existing(data_type) = &widget.selector.text else { continue };
            let held = |text: &&String| recording.data[0].holds(data_type, text);
            if let Some(object) = recording.inputs.iter().find(held) {
                reading.bindings.set_drawn(&widget.name, object.clone());
            }
        }
        for number in 0..reading.layouts.len() {
            for widget in reading.compiled.reads_on(number) {
                let Some(idx) = reading.find(widget, number) else { continue };
                let text = reading.layouts[number].widget(idx).text.to_string();
                reading.bindings.set_read(&widget.named.name, text);
            }
        }
        reading
    }

    pub fn scene(&self, layout: usize) -> Scene<'_> {
        let (layout, data) = (&self.layouts[layout], &self.recording.data[1]);
        Scene { layout, data, app: self.app, bindings: &self.bindings }
    }

    pub fn find(&self, widget: &CompiledSelector, layout: usize) -> Option<WidgetIdx> {
        let scene = Scene { data: &self.recording.data[0], ..self.scene(layout) };
        widget.locate(Scope::Device, &scene).ok()?.first().copied()
    }

    pub fn text<'t>(&'t self, pattern: &'t TextPattern) -> Option<&'t str> {
        match pattern {
            TextPattern::FromRead(name) => self.bindings.read(name),
            TextPattern::Is(text) => Some(text),
            TextPattern::Any | TextPattern::Existing(_) => None,
        }
    }

    /// The texts of its objects in the recording, with their roles.
    pub fn objects(&self) -> Vec<(Role, String)> {
        let of = |op: fn(&ImpactOp) -> bool| {
            let impacts = self.impacts();
            impacts.iter().find(|(found, _)| op(found)).and_then(|(_, text)| text.map(str::to_owned))
        };
        let added = of(|op| *op != ImpactOp::Delete).map(|text| (Role::Added, text));
        let removed = of(|op| *op == ImpactOp::Delete).map(|text| (Role::Removed, text));
        let sought = self.dmf.postconditions.iter().find_map(|condition| {
            let widget = self.dmf.widget(condition.widget.as_deref()?)?;
            self.text(&widget.selector.text)
        });
        let sought = sought.filter(|_| self.dmf.kind != DmfKind::Property);
        let sought = sought.map(|text| (Role::Sought, text.to_owned()));
        [added, removed, sought].into_iter().flatten().collect()
    }

    pub fn impacts(&self) -> Vec<(&ImpactOp, Option<&str>)> {
        self.dmf.impacts.iter().map(|impact| (&impact.op, self.text(&impact.object))).collect()
    }

    /// What the postconditions on widgets say of the last layout: the very widget that is there, or by id
    /// and class and text what is not there.
    pub fn meanings(&self) -> Vec<String> {
        let meaning = |condition: &Condition| {
            let widget = self.compiled.widget(condition.widget.as_deref()?)?;
            let selector = &widget.named.selector;
            match condition.relation {
                Relation::In => Some(format!("in {:?}", self.find(widget, self.layouts.len() - 1))),
                Relation::NotIn => {
                    let text = self.text(&selector.text);
                    Some(format!("not in {:?} {:?} {text:?}", selector.resource_id, selector.class))
                }
                _ => None,
            }
        };
        self.dmf.postconditions.iter().filter_map(meaning).collect()
    }
}

/// What the draft means otherwise than the shipped DMF.
pub fn differences(shipped: &Reading<'_>, drafted: &Reading<'_>, draft: &Draft) -> Vec<String> {
    let actions = |dmf: &Dmf| dmf.steps.iter().map(|step| step.action.word()).collect::<Vec<_>>();
    let taken = (draft.first_step, draft.end_step);
    if taken != (shipped.first, shipped.recording.steps.len()) || actions(shipped.dmf) != actions(drafted.dmf)
    {
        return vec![format!(
            "takes steps {taken:?}: {:?} of {:?}",
            actions(drafted.dmf),
            actions(shipped.dmf)
        )];
    }
    let mut found = Vec::new();
    for (number, (ours, theirs)) in drafted.dmf.steps.iter().zip(&shipped.dmf.steps).enumerate() {
        let [here, there] = [(drafted, ours), (shipped, theirs)]
            .map(|(reading, step)| reading.compiled.target(step).map(|w| reading.find(w, number)));
        if here != there || here == Some(None) {
            found.push(format!("step {}: its widget is {here:?}, shipped {there:?}", number + 1));
        }
        let same_source = std::mem::discriminant(&ours.input) == std::mem::discriminant(&theirs.input);
        if !same_source && !matches!(theirs.input, Input::Literal(_)) {
            found.push(format!("step {}: types {:?}, shipped {:?}", number + 1, ours.input, theirs.input));
        }
    }
    if drafted.impacts() != shipped.impacts() {
        found.push(format!("impacts {:?}, shipped {:?}", drafted.impacts(), shipped.impacts()));
    }
    // What a property asks for is written by hand.
    if drafted.dmf.kind != DmfKind::Property && drafted.meanings() != shipped.meanings() {
        found.push(format!("asks {:?}, shipped {:?}", drafted.meanings(), shipped.meanings()));
    }
    for truth in draft.truths() {
        let wrong = truth.problem.as_deref().or(refused(&truth));
        found.extend(wrong.map(|wrong| format!("{}: {wrong}", truth.sentence)));
    }
    let spec = Spec { dmfs: vec![drafted.dmf.clone()], ..Spec::default() };
    let errors = lint(&spec).into_iter().filter(|finding| finding.code.severity() >= Severity::Error);
    found.extend(errors.map(|error| error.to_string()));
    found
}

/// Runs the draft where the shipped DMF may start: it comes to its end and holds.
pub fn runs(fonts: &Arc<Fonts>, app: &str, dmfs: &[Dmf], index: usize, drafted: &Dmf) -> Option<String> {
    let shipped = &dmfs[index];
    let mut dmf = drafted.clone();
    dmf.preconditions.clone_from(&shipped.preconditions);
    dmf.lead_in.clone_from(&shipped.lead_in);
    let missing: Vec<_> = shipped.widgets.iter().filter(|w| dmf.widget(&w.name).is_none()).cloned().collect();
    // Only for the borrowed conditions: such a widget is not read.
    dmf.widgets.extend(missing.into_iter().filter(|widget| !widget.is_read()));
    let mut all = dmfs.to_vec();
    all[index] = dmf;
    match record(fonts, app, &all, index) {
        Ok(Recording { outcome: RunOutcome::Finished(Verdict::Holds), .. }) => None,
        Ok(Recording { outcome, .. }) => Some(format!("run again: {outcome:?}")),
        Err(problem) => Some(format!("run again: {problem}")),
    }
}
