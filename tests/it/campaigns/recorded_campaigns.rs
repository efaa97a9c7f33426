//! Functions that are recorded under a title with a count, and accepted as they are drafted, find the bugs that
//! show only with another count.

use std::sync::Arc;

use taproof_campaign::{CampaignPlan, CampaignReport, ConfirmPlan, NullSink, run};
use taproof_engine::device::{AppData, AppId, Build, Device};
use taproof_engine::worker::CancelToken;
use taproof_engine::{EngineConfig, ExploreWeights, PbfdroidConfig};
use taproof_phone::{
    App, Bug, BugSet, Color, Env, Fonts, Icon, Manifest, Package, Phone, Surface, System, View, fab,
    list_row, toolbar,
};
use taproof_screen::{Event, Gesture, Layout, RecordedStep, Selector};
use taproof_spec::{Dmf, DmfKind, Draft, DraftRequest, NoteOn, Relation, Spec, TextPattern, draft};
use taproof_testing::planted::{Phones, bug};

const APP: &str = "com.example.shelf";
const ACCENT: Color = Color(0x3F51B5);
/// The fourth item is not kept.
const FULL: &str = "shelf-full";
/// Of several items the first is removed, whichever was meant.
const FIRST: &str = "shelf-first";

const BUGS: &[Bug] = &[bug(FULL), bug(FIRST)];

/// A list that counts its items in the title.
#[derive(Clone)]
struct Shelf {
    bugs: BugSet,
    items: Vec<String>,
}

#[derive(Clone)]
enum Page {
    List,
    New { name: String },
    Item { name: String },
}

#[derive(Clone)]
enum Msg {
    Add,
    Open(String),
    Name(String),
    Save,
    Delete,
}

impl Package for Shelf {
    fn manifest() -> &'static Manifest {
        &Manifest {
            package: APP,
            label: "Shelf",
            modelled_on: "nothing",
            icon: Icon::Check,
            accent: ACCENT,
            activities: &["ListActivity", "NewActivity", "ItemActivity"],
            permissions: &[],
            bugs: BUGS,
            points: &[],
            resources: None,
        }
    }

    fn install(bugs: &BugSet) -> Self {
        Shelf { bugs: bugs.clone(), items: Vec::new() }
    }
}

impl App for Shelf {
    type Page = Page;
    type Msg = Msg;

    fn start(&mut self) -> Page {
        Page::List
    }

    fn surface(&self, page: &Page) -> Surface {
        Surface::Activity(match page {
            Page::List => "ListActivity",
            Page::New { .. } => "NewActivity",
            Page::Item { .. } => "ItemActivity",
        })
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::List => {
                let row = |index: usize| {
                    let item = self.items[index].clone();
                    list_row(None, ("row", item.clone()), ("", String::new()), Vec::new())
                        .click(Msg::Open(item))
                };
                let list = View::list("list", env, self.items.len(), 64, row);
                View::column(vec![
                    toolbar(ACCENT, None, format!("Items ({})", self.items.len()), Vec::new()),
                    View::frame(vec![list, fab("fab", Icon::Add, "Add", ACCENT, Msg::Add)]).grow_y(),
                ])
            }
            Page::New { name } => View::column(vec![
                View::field("name", name.clone(), Msg::Name),
                View::button("Save", ACCENT, Msg::Save).id("save"),
            ]),
            Page::Item { name } => View::column(vec![
                View::text(name.clone()).id("heading"),
                View::button("Delete", ACCENT, Msg::Delete).id("delete"),
            ]),
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        match (page, msg) {
            (Page::List, Msg::Add) => sys.open(Page::New { name: String::new() }),
            (Page::List, Msg::Open(name)) => sys.open(Page::Item { name }),
            (Page::New { name }, Msg::Name(text)) => *name = text,
            (Page::New { name }, Msg::Save) if !name.trim().is_empty() => {
                if !self.bugs.has(FULL) || self.items.len() < 3 {
                    self.items.push(name.clone());
                }
                sys.finish();
            }
            (Page::Item { name }, Msg::Delete) => {
                let meant = self.items.iter().position(|item| item == name);
                let removed = if self.bugs.has(FIRST) && self.items.len() > 1 { Some(0) } else { meant };
                if let Some(removed) = removed {
                    self.items.remove(removed);
                }
                sys.finish();
            }
            _ => {}
        }
    }
}

struct Hand(Phone);

impl Hand {
    fn layout(&mut self) -> Arc<Layout> {
        self.0.observe().unwrap().layout
    }

    fn on(&mut self, id: &str, gesture: Gesture) -> RecordedStep {
        let before = self.layout();
        let selector = Selector { resource_id: Some(format!("{APP}:id/{id}")), ..Selector::default() };
        let event = Event::on(&before, selector, gesture).unwrap();
        self.0.perform(&event).unwrap();
        RecordedStep { event, before, after: self.layout() }
    }

    fn add(&mut self, name: &str) -> Vec<RecordedStep> {
        vec![
            self.on("fab", Gesture::Tap),
            self.on("name", Gesture::SetText(name.to_owned())),
            self.on("save", Gesture::Tap),
        ]
    }
}

/// An item is added to the empty shelf and removed again.
fn recorded() -> [Draft; 2] {
    let mut phone = Phone::new(Arc::new(Fonts::new()));
    phone.install::<Shelf>(&BugSet::none());
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    let mut hand = Hand(phone);
    let added = hand.add("jam");
    let removed = vec![hand.on("row", Gesture::Tap), hand.on("delete", Gesture::Tap)];
    let of = |steps: &[RecordedStep], kind, lead: &[RecordedStep]| {
        let lead = Some(lead.to_vec());
        draft(steps, &DraftRequest { lead, ..DraftRequest::new(kind, "item") }).unwrap()
    };
    [of(&added, DmfKind::Create, &[]), of(&removed, DmfKind::Delete, &added)]
}

fn campaign(dmfs: &[Dmf], seed: u64) -> CampaignReport {
    campaign_by(dmfs, seed, PbfdroidConfig::default())
}

fn campaign_by(dmfs: &[Dmf], seed: u64, config: PbfdroidConfig) -> CampaignReport {
    let plan = CampaignPlan {
        build: Build::Bugs(vec![FULL.to_owned(), FIRST.to_owned()]),
        spec: Arc::new(Spec { dmfs: dmfs.to_vec(), ..Spec::default() }),
        seed,
        confirm: ConfirmPlan { tries: 3, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(APP, EngineConfig::Pbfdroid(config), 5_000)
    };
    let mut source = Phones::<Shelf>::with(BugSet::of([FULL, FIRST]));
    run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut NullSink)
}

/// In how many of five campaigns each bug is found.
fn found(dmfs: &[Dmf]) -> [usize; 2] {
    let mut found = [0, 0];
    for seed in 1..=5 {
        let report = campaign(dmfs, seed);
        for (count, bug) in found.iter_mut().zip([FULL, FIRST]) {
            let of_bug = |it: &taproof_campaign::FindingCount| {
                it.finding.attribution.bugs().iter().any(|attributed| attributed == bug)
            };
            *count += usize::from(report.findings.iter().any(of_bug));
        }
    }
    found
}

#[test]
fn a_title_with_a_count_narrows_no_function() {
    let drafts = recorded();
    for draft in &drafts {
        let said: Vec<&str> = draft.notes_on(NoteOn::Before).map(|note| note.text.as_str()).collect();
        assert!(matches!(said[..], [note] if note.contains("Items (")), "{said:?}");
        assert!(draft.notes.iter().all(|note| !note.doubtful), "{:#?}", draft.notes);
    }
    let dmfs = drafts.each_ref().map(|draft| draft.dmf.clone());
    assert_eq!(found(&dmfs), [5, 5]);
    // The same functions where the whole title must be there.
    let narrowed = drafts.map(|draft| {
        let title = draft.layouts[0].widgets().iter().find(|it| it.text.starts_with("Items (")).unwrap();
        let mut dmf = draft.dmf;
        let asked = dmf.preconditions.iter().filter(|it| it.relation == Relation::In);
        let names: Vec<String> = asked.filter_map(|it| it.widget.clone()).collect();
        let id = title.resource_id.as_deref().map(str::to_owned);
        let widget =
            dmf.widgets.iter_mut().find(|it| names.contains(&it.name) && it.selector.resource_id == id);
        let widget = widget.unwrap();
        widget.selector.xpath = None;
        widget.selector.text = TextPattern::Is(title.text.to_string());
        dmf
    });
    assert_eq!(found(&narrowed), [0, 0]);
}

#[test]
fn what_made_the_object_leads_to_the_function_that_removes_it() {
    let [add, delete] = recorded();
    assert!(add.lead.is_empty() && add.dmf.lead_in.is_empty(), "{:?}", add.lead);
    let words: Vec<&str> = delete.dmf.lead_in.iter().map(|step| step.action.word()).collect();
    assert_eq!(words, ["click", "edit", "click"]);
}

#[test]
fn a_function_that_chance_does_not_reach_is_led_to() {
    let mut phone = Phone::new(Arc::new(Fonts::new()));
    phone.install::<Shelf>(&BugSet::none());
    phone.launch(&AppId(APP.to_owned()), AppData::Clear).unwrap();
    let mut hand = Hand(phone);
    let lead = Some(vec![hand.on("fab", Gesture::Tap)]);
    let typed = hand.on("name", Gesture::SetText("jam".to_owned()));
    let request = DraftRequest { lead, ..DraftRequest::new(DmfKind::Property, "name") };
    let mut dmf = draft(&[typed], &request).unwrap().dmf;
    // Chance presses nothing.
    let weights = ExploreWeights { click: 0, long_click: 0, action_key: 0, ..ExploreWeights::default() };
    let config = PbfdroidConfig { lmax: 10, weights, ..PbfdroidConfig::default() };
    let executed = |dmf: &Dmf| {
        let report = campaign_by(std::slice::from_ref(dmf), 1, config.clone());
        assert!(report.stats.tests > 100, "{}", report.stats.tests);
        report.stats.properties[0].executed
    };
    let led = executed(&dmf);
    assert!((5..100).contains(&led), "{led} runs");
    dmf.lead_in.clear();
    assert_eq!(executed(&dmf), 0);
}
