//! The shipped specifications are what the recorder makes: each DMF is performed once on its sound app, and
//! the recorder, which sees only where the finger went, drafts the same DMF again.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_engine::RunOutcome;
use taproof_phone::Fonts;
use taproof_phone::apps::specified_apps;
use taproof_screen::{Layout, Verdict, Widget};
use taproof_spec::{
    Dmf, DmfKind, DmfStep, DraftRequest, Extent, ImpactChoice, ImpactOp, Input, ObjectChoice, PickedWidget,
    Role, draft, recorded_layouts, selector_candidates,
};
use taproof_testing::shipped::{Reading, differences, layouts_of, record, runs, shipped_dmfs};

/// What a person has to say so that the recorder makes these, and why. All others it makes unasked.
const CHOICES: &[(&str, &str, Choose, &str)] = &[
    ("files", "unhide folder", scroll_to_the_menu, "the menu shows the item here, but not on every screen"),
    ("files", "edit2 folder", type_what_is_there, "it types a folder that the app brings along"),
    ("notes", "search1 note", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "search1 idea", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "search1 body", seek_in_vain, "it asks that a removed object is not found"),
    ("notes", "move note", tap_the_item, "the middle of the menu's item is its label"),
    ("diary", "start activity", look_at_the_heading, "the activity runs already, so nothing changes here"),
    ("diary", "view day", learn_the_day, "it makes the day known, which nothing on the screen says"),
];

/// Says what a person says: of the shipped DMF over its recording, to the request.
type Choose = fn(&Reading<'_>, &mut DraftRequest);

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

fn look_at_the_heading(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.sought.expected = Some(pick(reading, 1, "view_object"));
}

fn learn_the_day(reading: &Reading<'_>, request: &mut DraftRequest) {
    request.impacts = Some(vec![ImpactChoice { op: ImpactOp::AddNoDuplicate, role: Role::Sought }]);
    request.sought = ObjectChoice { read: Some(pick(reading, 3, "view_name")), ..ObjectChoice::default() };
}

/// What a person says of every recording: the kind, the noun and the objects.
fn request(reading: &Reading<'_>) -> DraftRequest {
    let mut request = DraftRequest::new(reading.dmf.kind, &*reading.dmf.data_type);
    // Who shows more than the function says where it begins.
    if reading.first > 0 {
        request.extent = Extent::Steps(reading.first..reading.recording.steps.len());
    }
    for (role, text) in reading.objects() {
        request.object_mut(role).text = Some(text);
    }
    request
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
    let mut request = request(&shipped);
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
    for app in specified_apps() {
        let name = app.short_name();
        let dmfs = shipped_dmfs(name);
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
