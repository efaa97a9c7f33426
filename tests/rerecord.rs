//! The shipped specifications are what the recorder makes: each DMF is performed once on its sound app, and
//! the recorder, which sees only where the finger went, drafts the same DMF again.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof::determinism::{DeviceDuration, Rng};
use taproof::device::embedded::apps::{APPS, phone_with};
use taproof::device::embedded::{BugSet, Fonts};
use taproof::engine::{
    AfterViolation, InputSource, Ledger, Limits, NoWatcher, RoundCtx, RoundDoor, RunOutcome, RunPolicy,
    Setting, run_dmf,
};
use taproof::format::DmfFile;
use taproof::model::{Event, Gesture, Layout, Selector, StepRole, Trace, Verdict, Widget, WidgetIdx};
use taproof::spec::{
    Action, Bindings, CompiledDmf, CompiledSelector, Condition, DataModel, Dmf, DmfKind, DmfStep, Draft,
    DraftRequest, Extent, ImpactChoice, ImpactOp, Input, ObjectChoice, PickedWidget, RecordedStep, Relation,
    Role, Scene, Scope, Severity, Spec, TextClass, TextPattern, draft, lint, recorded_layouts, refused,
    selector_candidates,
};
use taproof::store::shipped_specs;

/// What a person has to say so that the recorder makes these, and why. All others it makes unasked.
const CHOICES: &[(&str, &str, Choose, &str)] = &[
    ("files", "unhide folder", scroll_to_the_menu, "the menu shows the item here, but not on every screen"),
    ("files", "edit2 folder", type_what_is_there, "it types a folder that the app brings along"),
    ("notes", "search1 note", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "search1 idea", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "search1 body", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "move note", tap_the_item, "the middle of the menu's item is its label"),
    ("diary", "undo activity", add_what_was_there, "it deletes and takes back, so it may be there already"),
    ("diary", "start activity", look_at_the_heading, "the activity runs already, so nothing changes here"),
    ("diary", "view day", learn_the_day, "it makes the day known, which nothing on the screen says"),
];

/// Says what a person says: of the shipped DMF over its recording, to the request.
type Choose = fn(&Reading<'_>, &mut DraftRequest);

/// Functions to be done before, on the same recording: what must be seen once to be picked.
const BEFORE: &[(&str, &[&str])] = &[
    ("search1 note", &["search note", "delete note"]),
    ("search1 idea", &["search idea", "delete idea"]),
    ("search1 body", &["search body", "delete body"]),
];

fn pick(reading: &Reading<'_>, layout: usize, name: &str) -> PickedWidget {
    let widget = reading.compiled.widget(name).unwrap();
    PickedWidget::new(reading.first + layout, reading.find(widget, layout).unwrap())
}

fn scroll_to_the_menu(_: &Reading<'_>, request: &mut DraftRequest) {
    request.scroll_to.insert(1, true);
}

fn type_what_is_there(_: &Reading<'_>, request: &mut DraftRequest) {
    request.inputs.insert(1, Input::Literal("Music".to_owned()));
}

fn seek_in_vain(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.sought.shown = Some(false);
    let recorded = recorded_layouts(&reading.recording.steps);
    let object = reading.dmf.widget("search_object").unwrap();
    // The row that the same search showed while the object was there.
    let row = |layout: &Layout| {
        let like = |widget: &Widget| widget.resource_id.as_deref() == object.selector.resource_id.as_deref();
        layout.iter().find(|(_, widget)| like(widget)).map(|(idx, _)| idx)
    };
    let seen = recorded.iter().enumerate().find_map(|(number, layout)| Some((number, row(layout)?)));
    let (number, idx) = seen.unwrap();
    request.sought.expected = Some(PickedWidget::new(number, idx));
}

fn tap_the_item(reading: &Reading<'_>, request: &mut DraftRequest) {
    let item = pick(reading, 1, "e2_widget").widget;
    let candidates = selector_candidates(&reading.layouts, 1, item, &[]);
    request.selectors.insert(1, candidates[0].selector.clone());
}

fn add_what_was_there(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.impacts = Some(vec![ImpactChoice { op: ImpactOp::AddNoDuplicate, role: Role::Added }]);
    request.added = ObjectChoice { read: Some(pick(reading, 2, "undo_name")), ..ObjectChoice::default() };
    request.without.insert("pre smaller activity".to_owned());
}

fn look_at_the_heading(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.sought.expected = Some(pick(reading, 1, "view_object"));
}

fn learn_the_day(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.impacts = Some(vec![ImpactChoice { op: ImpactOp::AddNoDuplicate, role: Role::Sought }]);
    request.sought = ObjectChoice { read: Some(pick(reading, 3, "view_name")), ..ObjectChoice::default() };
}

/// One run of a DMF.
struct Recording {
    steps: Vec<RecordedStep>,
    /// The first step of the DMF itself; those before it are of others.
    first: usize,
    /// The texts that it drew.
    inputs: Vec<String>,
    /// What the app held before it, and after it.
    data: [DataModel; 2],
    outcome: RunOutcome,
}

/// Runs a DMF once on a sound phone, from a fresh start. The texts are plain: which classes a field may
/// take is a person's decision.
fn record(fonts: &Arc<Fonts>, app: &str, dmfs: &[Dmf], index: usize) -> Result<Recording, String> {
    let mut dmfs = dmfs.to_vec();
    for step in dmfs.iter_mut().flat_map(|dmf| dmf.steps.iter_mut().chain(&mut dmf.lead_in)) {
        if let Input::Fresh(fresh) = &mut step.input
            && fresh.classes.iter().any(|(class, _)| *class != TextClass::Removed)
        {
            fresh.classes.clear();
        }
    }
    // The way to the DMF alone, so that the trace tells where the DMF itself begins.
    let none = Dmf { steps: vec![], impacts: vec![], postconditions: vec![], ..dmfs[index].clone() };
    dmfs.push(Dmf { refusal: None, ..none });
    let setting = Setting::new(app, &Spec { dmfs, ..Spec::default() });
    let mut phone = phone_with(fonts, app, &BugSet::none());
    let unlimited = Limits { events: u64::MAX, device_time: DeviceDuration(u64::MAX) };
    let door = RoundDoor {
        device: &mut phone,
        setting: &setting,
        ledger: &mut Ledger::new(&setting, unlimited),
        watcher: &mut NoWatcher,
        cancelled: &|| false,
    };
    let mut ctx = RoundCtx::new(door, Rng::from_seed(7)).unwrap();
    let mut rng = Rng::from_seed(11);
    let mut run = |ctx: &mut RoundCtx<'_>, dmf, lead_in| {
        let policy = RunPolicy { scroll_limit: 20, lead_in, after_violation: AfterViolation::EndTest };
        run_dmf(ctx, dmf, InputSource::Draw(&mut rng), policy).unwrap()
    };
    ctx.start().unwrap();
    run(&mut ctx, setting.dmfs().len() - 1, true);
    for (other, maker) in setting.dmfs().iter().enumerate() {
        let makes = maker.dmf.data_type == setting.dmfs()[index].dmf.data_type
            && maker.dmf.impacts.iter().any(|impact| impact.op != ImpactOp::Delete);
        if makes && other != index && !ctx.ready(index) {
            run(&mut ctx, other, true);
            ctx.perform(Event::Relaunch, StepRole::Explored).unwrap();
        }
    }
    let recorded = ctx.trace().len();
    let before = BEFORE.iter().find(|(name, _)| *name == setting.dmfs()[index].dmf.name);
    for name in before.iter().flat_map(|(_, before)| before.iter()) {
        let other = setting.dmfs().iter().position(|other| other.dmf.name == *name).unwrap();
        let ready = ctx.ready(other);
        run(&mut ctx, other, !ready);
        ctx.perform(Event::Relaunch, StepRole::Explored).unwrap();
    }
    if !ctx.ready(index) {
        return Err("its precondition was not reached".to_owned());
    }
    let before = ctx.data().clone();
    let first = own_steps(ctx.trace(), recorded).len();
    let outcome = run(&mut ctx, index, false);
    let data = [before, ctx.data().clone()];
    let inputs = ctx.trace().spans.last().map(|span| span.inputs.clone()).unwrap_or_default();
    Ok(Recording { steps: own_steps(ctx.trace(), recorded), first, inputs, data, outcome })
}

/// The DMF's own steps from `first` on. The engine's waits join the step before them. Selectors are left
/// out: the recorder has to earn them.
fn own_steps(trace: &Trace, first: usize) -> Vec<RecordedStep> {
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
struct Reading<'a> {
    dmf: &'a Dmf,
    compiled: CompiledDmf,
    /// The layout before each step, and the last.
    layouts: Vec<Arc<Layout>>,
    /// The recorded step that it begins with.
    first: usize,
    bindings: Bindings,
    app: &'a str,
    recording: &'a Recording,
}

/// The layout before each step of the shipped DMF. Scrolling to what is in sight is no event.
fn layouts_of(dmf: &Dmf, recording: &Recording) -> Vec<Arc<Layout>> {
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
    fn new(dmf: &'a Dmf, recording: &'a Recording, layouts: Vec<Arc<Layout>>, app: &'a str) -> Self {
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

    fn scene(&self, layout: usize) -> Scene<'_> {
        let (layout, data) = (&self.layouts[layout], &self.recording.data[1]);
        Scene { layout, data, app: self.app, bindings: &self.bindings }
    }

    fn find(&self, widget: &CompiledSelector, layout: usize) -> Option<WidgetIdx> {
        let scene = Scene { data: &self.recording.data[0], ..self.scene(layout) };
        widget.locate(Scope::Device, &scene).ok()?.first().copied()
    }

    fn text<'t>(&'t self, pattern: &'t TextPattern) -> Option<&'t str> {
        match pattern {
            TextPattern::FromRead(name) => self.bindings.read(name),
            TextPattern::Is(text) => Some(text),
            TextPattern::Any | TextPattern::Existing(_) => None,
        }
    }

    fn impacts(&self) -> Vec<(&ImpactOp, Option<&str>)> {
        self.dmf.impacts.iter().map(|impact| (&impact.op, self.text(&impact.object))).collect()
    }

    /// What the postconditions on widgets say of the last layout: the very widget that is there, or by id
    /// and class and text what is not there.
    fn meanings(&self) -> Vec<String> {
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

    fn request(&self) -> DraftRequest {
        let object = |op: fn(&ImpactOp) -> bool| {
            let texts = self.impacts();
            texts.iter().find(|(of, _)| op(of)).and_then(|(_, text)| text.map(str::to_owned))
        };
        let sought = self.dmf.postconditions.iter().find_map(|condition| {
            let widget = self.dmf.widget(condition.widget.as_deref()?)?;
            self.text(&widget.selector.text).map(str::to_owned)
        });
        let steps = self.recording.steps.len();
        DraftRequest {
            // Who shows more than the function says where it begins.
            extent: if self.first > 0 { Extent::Steps(self.first..steps) } else { Extent::Proposed },
            added: object(|op| *op != ImpactOp::Delete).into(),
            removed: object(|op| *op == ImpactOp::Delete).into(),
            sought: sought.filter(|_| self.dmf.kind != DmfKind::Property).into(),
            ..DraftRequest::new(self.dmf.kind, &*self.dmf.data_type)
        }
    }
}

/// What the draft means otherwise than the shipped DMF.
fn differences(shipped: &Reading<'_>, drafted: &Reading<'_>, draft: &Draft) -> Vec<String> {
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

/// What a person added to the draft.
fn hand_edits(shipped: &Dmf, drafted: &Dmf) -> String {
    let surplus =
        |what: &str, ours: usize, theirs: usize| (ours > theirs).then(|| format!("{} {what}", ours - theirs));
    let fresh = |step: &&DmfStep| matches!(&step.input, Input::Fresh(f) if !f.classes.is_empty());
    let literal = |step: &&DmfStep| matches!(step.input, Input::Literal(_));
    let parts = [
        surplus("preconditions", shipped.preconditions.len(), drafted.preconditions.len()),
        surplus("postconditions", shipped.postconditions.len(), drafted.postconditions.len()),
        surplus("text classes", shipped.steps.iter().filter(fresh).count(), 0),
        surplus("literal text", shipped.steps.iter().filter(literal).count(), 0),
        surplus("not scrolled for", shipped.postconditions.iter().filter(|c| !c.scroll).count(), 0),
        surplus("lead-in steps", shipped.lead_in.len(), 0),
        shipped.refusal.as_ref().map(|_| "refusal".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Runs the draft where the shipped DMF may start: it comes to its end and holds.
fn runs(fonts: &Arc<Fonts>, app: &str, dmfs: &[Dmf], index: usize, drafted: &Dmf) -> Option<String> {
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

/// What differs, and what was added by hand.
type Compared = (Vec<String>, String);

fn compare(
    fonts: &Arc<Fonts>,
    app: &str,
    dmfs: &[Dmf],
    index: usize,
    choose: Option<Choose>,
) -> Result<Compared, String> {
    let recording = record(fonts, app, dmfs, index)?;
    if recording.outcome != RunOutcome::Finished(Verdict::Holds) {
        return Err(format!("the shipped one does not run: {:?}", recording.outcome));
    }
    let layouts = layouts_of(&dmfs[index], &recording);
    let shipped = Reading::new(&dmfs[index], &recording, layouts, app);
    let mut request = shipped.request();
    if let Some(choose) = choose {
        choose(&shipped, &mut request);
    }
    let draft = draft(&recording.steps, &request).map_err(|error| error.to_string())?;
    let drafted = Reading::new(&draft.dmf, &recording, draft.layouts.clone(), app);
    let mut found = differences(&shipped, &drafted, &draft);
    // The draft of a property judges nothing.
    if found.is_empty() && draft.dmf.kind != DmfKind::Property {
        found.extend(runs(fonts, app, dmfs, index, &draft.dmf));
    }
    Ok((found, hand_edits(&dmfs[index], &draft.dmf)))
}

#[test]
fn the_recorder_makes_the_shipped_specifications() {
    let (fonts, mut agreeing, mut wrong) = (Arc::new(Fonts::new()), 0, Vec::new());
    for app in APPS {
        let name = app.short_name();
        let file = shipped_specs(name).find(|spec| spec.path.contains("/dmf_")).unwrap();
        let dmfs = DmfFile::parse(file.text).unwrap().spec.dmfs;
        let mut kinds = BTreeSet::new();
        for (index, dmf) in dmfs.iter().enumerate() {
            let known = CHOICES.iter().find(|known| (known.0, known.1) == (name, &*dmf.name));
            let tried = |choose| {
                let compared = compare(&fonts, app.manifest().package, &dmfs, index, choose);
                compared.unwrap_or_else(|problem| (vec![problem], String::new()))
            };
            let unasked = tried(None);
            let (found, by_hand) = match known {
                Some(known) => tried(Some(known.2)),
                None => unasked.clone(),
            };
            if known.is_some() && unasked.0.is_empty() {
                wrong.push(format!("{name}: {} agrees unasked", dmf.name));
            }
            let said = known.map_or(String::new(), |known| format!(" (asked: {})", known.3));
            let word = if found.is_empty() { "agrees" } else { "differs" };
            println!("{name:6} {:20} {word:8} by hand: {by_hand}{said}", dmf.name);
            found.iter().for_each(|line| println!("       {line}"));
            // Of a property only the steps are compared, so it does not count.
            if found.is_empty() && dmf.kind != DmfKind::Property {
                agreeing += 1;
                kinds.insert(dmf.kind);
            }
            if !found.is_empty() {
                wrong.push(format!("{name}: {} {word}", dmf.name));
            }
        }
        if kinds.len() < 5 {
            wrong.push(format!("{name} agrees only in {kinds:?}"));
        }
    }
    println!("{agreeing} agree, properties not counted");
    assert!(wrong.is_empty() && agreeing >= 66, "{agreeing} agree; {wrong:#?}");
}
