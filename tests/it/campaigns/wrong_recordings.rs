//! What went wrong when people recorded (PBFDroid's paper.md, section 6.3, a to e), done wrong on purpose: each mistake
//! is prevented, or reported before anything is saved.

use std::sync::Arc;

use taproof_engine::device::{AppData, AppId, Device};
use taproof_phone::apps::phone_with;
use taproof_phone::{BugSet, Fonts};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, Selector, WidgetIdx};
use taproof_spec::{
    Block, BlockedEvent, CanFail, ConditionChoice, ConditionTruth, ConditionWhich, DmfKind, Draft,
    DraftRequest, Extent, PickedWidget, Severity, Spec, SpecSelector, Strength, TextPattern, ViewPattern,
    derived_blocks, draft, lint, refused, selector_candidates,
};

const FILES: &str = "org.taproof.files";

/// A finger on Files.
struct Hand {
    phone: Box<dyn Device>,
    steps: Vec<RecordedStep>,
}

impl Hand {
    fn new() -> Hand {
        let mut phone = phone_with(&Arc::new(Fonts::new()), FILES, &BugSet::none());
        phone.launch(&AppId(FILES.to_owned()), AppData::Clear).unwrap();
        Hand { phone: Box::new(phone), steps: Vec::new() }
    }

    fn layout(&mut self) -> Arc<Layout> {
        self.phone.observe().unwrap().layout
    }

    fn perform(&mut self, event: Event) {
        let before = self.layout();
        self.phone.perform(&event).unwrap();
        let after = self.layout();
        self.steps.push(RecordedStep { event, before, after });
    }

    fn on(&mut self, id: &str, text: Option<&str>, gesture: Gesture) -> &mut Hand {
        let id = if id.contains(':') { id.to_owned() } else { format!("{FILES}:id/{id}") };
        let selector =
            Selector { resource_id: Some(id), text: text.map(str::to_owned), ..Selector::default() };
        let mut event = Event::on(&self.layout(), selector, gesture).unwrap();
        // A finger knows no names.
        if let Event::Widget { target, .. } = &mut event {
            target.selector = Selector::default();
        }
        self.perform(event);
        self
    }

    fn tap(&mut self, id: &str, text: Option<&str>) -> &mut Hand {
        self.on(id, text, Gesture::Tap)
    }

    /// Names a folder and ends the dialog with the button of that id.
    fn name_folder(&mut self, name: &str, button: &str) -> &mut Hand {
        self.tap("sd_main_fab", None).tap("sd_label", Some("Folder")).tap("singleedittext_input", None);
        for letter in name.chars() {
            self.perform(Event::Type(letter.to_string()));
        }
        self.tap(&format!("android:id/{button}"), None)
    }

    fn draft(&self, request: &DraftRequest) -> Draft {
        draft(&self.steps, request).unwrap()
    }
}

fn find(layout: &Layout, id: &str) -> WidgetIdx {
    let id = format!("{FILES}:id/{id}");
    layout.iter().find(|(_, widget)| widget.resource_id.as_deref() == Some(&*id)).unwrap().0
}

fn doubts(draft: &Draft) -> Vec<&str> {
    draft.notes.iter().filter(|note| note.doubtful).map(|note| note.text.as_str()).collect()
}

fn codes(spec: &Spec, least: Severity) -> Vec<&'static str> {
    lint(spec)
        .iter()
        .map(|finding| finding.code)
        .filter(|c| c.severity() >= least)
        .map(|c| c.code())
        .collect()
}

fn spec_of(draft: &Draft) -> Spec {
    Spec { dmfs: vec![draft.dmf.clone()], ..Spec::default() }
}

fn last(truths: &[ConditionTruth]) -> &ConditionTruth {
    truths.last().unwrap()
}

#[test]
fn right_recordings_raise_no_doubt() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let made = hand.draft(&DraftRequest::new(DmfKind::Create, "folder"));
    assert_eq!(doubts(&made), Vec::<&str>::new());
    assert_eq!(made.dmf.steps.len(), 4, "letters are one step: {:?}", made.steps);
    assert_eq!(made.steps[2], 2..8);
    assert!(made.truths().iter().all(|truth| refused(truth).is_none() && truth.problem.is_none()));
    assert_eq!(last(&made.truths()).can_fail, CanFail::Yes { layout: Some(0) });
    assert_eq!(codes(&spec_of(&made), Severity::Warning), Vec::<&str>::new());
}

/// (a) The dialog was left by the wrong button: nothing was made.
#[test]
fn a_wrong_widget_is_named() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button2");
    let made = hand.draft(&DraftRequest::new(DmfKind::Create, "folder"));
    let doubts = doubts(&made);
    assert!(doubts.iter().any(|doubt| doubt.contains("was the right widget tapped")), "{doubts:?}");
    assert!(last(&made.truths()).problem.is_some());
}

/// (b) A text or description stands in the place of an id, and the other way round.
#[test]
fn an_id_mixed_up_is_named() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let mut request = DraftRequest::new(DmfKind::Create, "folder");
    let made = |request: &DraftRequest| {
        let draft = hand.draft(request);
        (codes(&spec_of(&draft), Severity::Warning), draft.truths())
    };
    let start = find(&hand.steps[0].before, "sd_main_fab");
    for (selector, code) in [
        (SpecSelector { resource_id: Some("Create new".to_owned()), ..SpecSelector::default() }, "W304"),
        (
            SpecSelector { content_desc: Some(format!("{FILES}:id/sd_main_fab")), ..SpecSelector::default() },
            "W305",
        ),
    ] {
        let picked = PickedWidget { selector: Some(selector), ..PickedWidget::new(0, start) };
        for shown in [true, false] {
            request.preconditions = vec![ConditionChoice { picked: picked.clone(), shown, state: None }];
            let (codes, truths) = made(&request);
            assert!(codes.contains(&code), "{codes:?}");
            // The person's come behind what is proposed.
            let before = |truth: &&ConditionTruth| matches!(truth.which, ConditionWhich::Pre(_));
            let truth = truths.iter().rfind(before).unwrap();
            let named = if shown { truth.problem.as_deref() } else { refused(truth) };
            assert!(named.is_some(), "it names nothing on any recorded screen: {truth:?}");
        }
    }
}

/// (c) A selector was left empty.
#[test]
fn an_empty_selector_is_named() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let mut request = DraftRequest::new(DmfKind::Create, "folder");
    request.selectors.insert(0, SpecSelector::default());
    let made = hand.draft(&request);
    let codes = codes(&spec_of(&made), Severity::Warning);
    assert!(codes.contains(&"E301") && codes.contains(&"W302") && codes.contains(&"W405"), "{codes:?}");
    assert!(refused(&made.truths()[0]).is_some_and(|why| why.contains("no selector")));
}

/// (d) The button that commits is not on the block list: it is put there, and said.
#[test]
fn a_commit_button_is_blocked() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let spec = spec_of(&hand.draft(&DraftRequest::new(DmfKind::Create, "folder")));
    assert!(codes(&spec, Severity::Info).contains(&"I505"));
    let blocks = derived_blocks(&spec);
    let create = ("resource-id".to_owned(), "android:id/button1".to_owned());
    assert!(blocks.len() == 1 && blocks[0].pattern.attributes.contains(&create), "{blocks:?}");
    let blocked = Spec { blocks, ..spec.clone() };
    assert!(!codes(&blocked, Severity::Info).contains(&"I505"));
    let mut unnamed = spec;
    let class = SpecSelector { class: Some("android.widget.Button".to_owned()), ..SpecSelector::default() };
    let name = unnamed.dmfs[0].steps.last().unwrap().widget.clone().unwrap();
    unnamed.dmfs[0].widgets.iter_mut().find(|it| it.name == name).unwrap().selector = class;
    assert!(derived_blocks(&unnamed).is_empty() && codes(&unnamed, Severity::Warning).contains(&"W506"));
    let pattern = ViewPattern { attributes: vec![("class".to_owned(), "android.widget.Button".to_owned())] };
    let (event, reason) = (BlockedEvent::Widget, String::new());
    unnamed.blocks.push(Block { pattern, event, reason, activity: None, every_engine: false });
    assert!(!codes(&unnamed, Severity::Warning).contains(&"W506"));
}

/// (e) A condition that the field typed into fulfils, and one that held before.
#[test]
fn what_cannot_fail_is_refused() {
    let mut hand = Hand::new();
    hand.tap("search", None).on("search_edit_text", None, Gesture::SetText("Music".to_owned()));
    let end = hand.layout();
    let mut request = DraftRequest::new(DmfKind::Search, "folder");
    request.sought.expected = Some(PickedWidget::new(hand.steps.len(), find(&end, "search_edit_text")));
    request.extent = Extent::Whole;
    let sought = hand.draft(&request);
    assert!(
        refused(last(&sought.truths())).is_some_and(|why| why.contains("typed into")),
        "{:?}",
        sought.truths()
    );
    assert!(doubts(&sought).iter().any(|doubt| doubt.contains("typed into")));

    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let mut request = DraftRequest::new(DmfKind::Create, "folder");
    request.added = Some("Music".to_owned()).into();
    let made = hand.draft(&request);
    assert!(refused(last(&made.truths())).is_some_and(|why| why.contains("already")), "{:?}", made.truths());
}

/// The object's own text is data: it is offered as no identity.
#[test]
fn the_text_of_an_object_is_refused_as_identity() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    let made = hand.draft(&DraftRequest::new(DmfKind::Create, "folder"));
    let end = made.recorded.len() - 1;
    let row = made.recorded[end].iter().find(|(_, widget)| *widget.text == *"kuhr7").unwrap().0;
    let candidates = selector_candidates(&made.recorded, end, row, &made.object_texts());
    let by_text = |selector: &SpecSelector| selector.text == TextPattern::Is("kuhr7".to_owned());
    let data: Vec<_> = candidates.iter().filter(|candidate| by_text(&candidate.selector)).collect();
    assert!(data.len() == 1 && data[0].strength == Strength::Refused, "{data:?}");
    assert_eq!(data[0].counts.iter().sum::<usize>(), 1 + data[0].counts[end - 1], "{:?}", data[0].counts);
}

/// What is done to a row that was chosen before must not begin while another is chosen.
#[test]
fn a_function_on_a_chosen_row_begins_where_none_is_chosen() {
    let mut hand = Hand::new();
    hand.name_folder("kuhr7", "button1");
    hand.steps.clear();
    hand.on("firstline", Some("kuhr7"), Gesture::LongPress);
    hand.tap("action_overflow", None)
        .tap("android:id/title", Some("Rename"))
        .tap("singleedittext_input", None);
    for letter in "9x".chars() {
        hand.perform(Event::Type(letter.to_string()));
    }
    hand.tap("android:id/button1", None);
    let request = DraftRequest {
        removed: Some("kuhr7".to_owned()).into(),
        ..DraftRequest::new(DmfKind::Update, "folder")
    };
    let made = hand.draft(&request);
    let truths = made.truths();
    // The start alone: the screen with a chosen row shows known folders too.
    let only_at_start = truths.iter().filter(|truth| matches!(truth.which, ConditionWhich::Pre(_)));
    let holds = |truth: &ConditionTruth, layout: usize| truth.per_layout.get(layout).copied().flatten();
    assert!(
        only_at_start.clone().any(|truth| holds(truth, 0) == Some(true) && holds(truth, 1) == Some(false)),
        "{:#?}",
        only_at_start.collect::<Vec<_>>()
    );
}
