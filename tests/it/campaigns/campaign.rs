//! A whole campaign on a small app written here: findings are confirmed, minimised and attributed, a loud bug
//! does not hide a quiet one, a sound app has no findings, and the same plan gives the same fingerprint.

use std::collections::BTreeSet;
use std::sync::Arc;

use taproof_campaign::{
    CampaignPlan, CampaignReport, CampaignSink, ConfirmPlan, Confirmation, EndReason, EngineRun, Finding,
    LoggedEvent, SavedCheckpoint, run, summarise,
};
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_engine::{CampaignStats, EngineConfig, Mode, PbfdroidConfig, Task};
use taproof_phone::{
    App, Bug, BugSet, Color, Crash, Env, Icon, Manifest, Package, Surface, System, View, fab, list_row,
    loading, toolbar,
};
use taproof_screen::{Event, OracleKind, StepRole};
use taproof_spec::{
    Action, Condition, Dmf, DmfKind, DmfStep, FreshText, Impact, ImpactOp, Input, NamedSelector, Relation,
    Spec, SpecSelector, TextClass, TextPattern,
};
use taproof_testing::planted::{Phones, bug};

const APP: &str = "com.example.jar";
const ACCENT: Color = Color(0x3F51B5);
const LOUD: &str = "jar-search-oldest";
const QUIET: &str = "jar-rename-case";
const ROTATE: &str = "jar-rotate-editing";
const ENDLESS: &str = "jar-endless";

const BUGS: &[Bug] = &[bug(LOUD), bug(QUIET), bug(ROTATE), bug(ENDLESS)];

/// A list of things with a search field; each thing has a page on which it is renamed or deleted.
#[derive(Clone)]
struct Jar {
    bugs: BugSet,
    things: Vec<String>,
}

#[derive(Clone)]
enum Page {
    List { query: String },
    Edit { old: Option<String>, name: String, refused: bool, busy: bool },
}

#[derive(Clone)]
enum Msg {
    Query(String),
    Add,
    Open(String),
    Name(String),
    Save,
    Delete,
}

impl Jar {
    fn shown(&self, query: &str) -> Vec<String> {
        let skipped = usize::from(self.bugs.has(LOUD) && !query.is_empty());
        self.things.iter().skip(skipped).filter(|thing| thing.contains(query)).cloned().collect()
    }

    fn save(&mut self, old: &Option<String>, name: &str) -> bool {
        if name.trim().is_empty() || self.things.iter().any(|thing| thing == name) {
            return false;
        }
        let Some(old) = old else {
            self.things.push(name.to_owned());
            return true;
        };
        if self.bugs.has(QUIET) {
            self.things.retain(|thing| thing == old || !thing.eq_ignore_ascii_case(name));
        }
        if let Some(thing) = self.things.iter_mut().find(|thing| *thing == old) {
            *thing = name.to_owned();
        }
        true
    }
}

impl Package for Jar {
    fn manifest() -> &'static Manifest {
        &Manifest {
            package: APP,
            label: "Jar",
            modelled_on: "nothing",
            icon: Icon::Check,
            accent: ACCENT,
            activities: &["ListActivity", "EditActivity"],
            permissions: &[],
            bugs: BUGS,
            points: &[],
            resources: None,
        }
    }

    fn install(bugs: &BugSet) -> Self {
        Jar { bugs: bugs.clone(), things: Vec::new() }
    }
}

impl App for Jar {
    type Page = Page;
    type Msg = Msg;

    fn start(&mut self) -> Page {
        Page::List { query: String::new() }
    }

    fn surface(&self, page: &Page) -> Surface {
        Surface::Activity(match page {
            Page::List { .. } => "ListActivity",
            Page::Edit { .. } => "EditActivity",
        })
    }

    fn view(&self, page: &Page, env: &Env<'_>) -> View<Msg> {
        match page {
            Page::List { query } => {
                let shown = self.shown(query);
                let row = |index: usize| {
                    let thing = shown[index].clone();
                    list_row(None, ("row", thing.clone()), ("", String::new()), Vec::new())
                        .click(Msg::Open(thing))
                };
                let list = View::list("list", env, shown.len(), 64, row);
                View::column(vec![
                    toolbar(ACCENT, None, "Jar", Vec::new()),
                    View::field("query", query.clone(), Msg::Query),
                    View::frame(vec![list, fab("fab", Icon::Add, "Add", ACCENT, Msg::Add)]).grow_y(),
                ])
            }
            Page::Edit { old, name, refused, busy } => {
                let mut body = vec![
                    View::field("name", name.clone(), Msg::Name),
                    View::button("Save", ACCENT, Msg::Save).id("save"),
                ];
                if old.is_some() {
                    body.push(View::button("Delete", ACCENT, Msg::Delete).id("delete"));
                }
                if *refused {
                    body.push(View::text("There is one already").id("error"));
                }
                if *busy {
                    body.push(loading("ring"));
                }
                View::column(body)
            }
        }
    }

    fn update(&mut self, page: &mut Page, msg: Msg, sys: &mut System<Self>) {
        let new = |old: Option<String>| {
            let name = old.clone().unwrap_or_default();
            Page::Edit { old, name, refused: false, busy: false }
        };
        match (page, msg) {
            (Page::List { query }, Msg::Query(text)) => *query = text,
            (Page::List { .. }, Msg::Add) => sys.open(new(None)),
            (Page::List { .. }, Msg::Open(thing)) => sys.open(new(Some(thing))),
            (Page::Edit { name, .. }, Msg::Name(text)) => *name = text,
            (Page::Edit { old, name, refused, busy }, Msg::Save) => {
                *refused = !self.save(old, name);
                if !*refused && self.bugs.has(ENDLESS) && old.is_some() {
                    *busy = true;
                } else if !*refused {
                    sys.finish();
                }
            }
            (Page::Edit { old, .. }, Msg::Delete) => {
                self.things.retain(|thing| Some(thing) != old.as_ref());
                sys.finish();
            }
            _ => {}
        }
    }

    fn recreated(&mut self, page: &mut Page, sys: &mut System<Self>) {
        if let Page::Edit { old: Some(_), .. } = page
            && self.bugs.has(ROTATE)
        {
            sys.crash(Crash {
                exception: "java.lang.IllegalStateException",
                message: "no name",
                stack: &["com.example.jar.EditActivity.onCreate(EditActivity.java:31)"],
            });
        }
    }
}

fn id(name: &str) -> SpecSelector {
    SpecSelector { resource_id: Some(format!("{APP}:id/{name}")), ..SpecSelector::default() }
}

fn row(text: TextPattern) -> SpecSelector {
    SpecSelector { text, ..id("row") }
}

fn read(name: &str) -> TextPattern {
    TextPattern::FromRead(name.into())
}

fn any_thing() -> TextPattern {
    TextPattern::Existing("thing".into())
}

fn step(action: Action, widget: &str, input: Input) -> DmfStep {
    DmfStep { action, widget: Some(widget.into()), input, required: true }
}

fn tap(widget: &str) -> DmfStep {
    step(Action::Click, widget, Input::None)
}

fn shown(relation: Relation, widget: &str) -> Condition {
    Condition::on_widget(widget, relation)
}

fn held(relation: Relation) -> Condition {
    Condition::on_data("thing", relation)
}

fn impact(op: ImpactOp, widget: &str) -> Impact {
    Impact { op, object: read(widget) }
}

fn dmf(kind: DmfKind, widgets: &[(&str, usize, SpecSelector)], steps: Vec<DmfStep>) -> Dmf {
    let named = |(name, layout, selector): &(&str, usize, SpecSelector)| NamedSelector {
        name: (*name).into(),
        layout: *layout,
        selector: selector.clone(),
    };
    Dmf {
        steps,
        widgets: widgets.iter().map(named).collect(),
        ..Dmf::empty(format!("{} thing", kind.word()), kind, "thing")
    }
}

fn fresh(classes: &[(TextClass, u32)]) -> Input {
    Input::Fresh(FreshText { data_type: None, classes: classes.to_vec() })
}

fn spec() -> Spec {
    // An empty field is no selector: whatever is typed there filters the list, so it is emptied first.
    let clear = || step(Action::Edit, "query", Input::Literal(String::new()));
    let add = Dmf {
        preconditions: vec![shown(Relation::In, "fab"), held(Relation::Smaller(5))],
        impacts: vec![impact(ImpactOp::Add, "add_name")],
        postconditions: vec![shown(Relation::In, "add_object")],
        refusal: Some("error".into()),
        lead_in: Vec::new(),
        ..dmf(
            DmfKind::Create,
            &[
                ("query", 0, id("query")),
                ("fab", 1, id("fab")),
                ("field", 2, id("name")),
                ("save", 3, id("save")),
                ("add_name", 3, id("name")),
                ("add_object", 4, row(read("add_name"))),
                ("error", 4, id("error")),
            ],
            vec![clear(), tap("fab"), step(Action::Edit, "field", fresh(&[])), tap("save")],
        )
    };
    let rename = Dmf {
        preconditions: vec![shown(Relation::In, "thing")],
        impacts: vec![impact(ImpactOp::Delete, "delete_name"), impact(ImpactOp::Add, "add_name")],
        postconditions: vec![shown(Relation::In, "add_object"), shown(Relation::NotIn, "delete_object")],
        refusal: Some("error".into()),
        ..dmf(
            DmfKind::Update,
            &[
                ("query", 0, id("query")),
                ("thing", 1, row(any_thing())),
                ("delete_name", 1, row(any_thing())),
                ("field", 2, id("name")),
                ("save", 3, id("save")),
                ("add_name", 3, id("name")),
                ("add_object", 4, row(read("add_name"))),
                ("delete_object", 4, row(read("delete_name"))),
                ("error", 4, id("error")),
            ],
            vec![
                clear(),
                tap("thing"),
                step(Action::Edit, "field", fresh(&[(TextClass::Plain, 3), (TextClass::OtherCase, 1)])),
                tap("save"),
            ],
        )
    };
    let delete = Dmf {
        preconditions: vec![shown(Relation::In, "thing")],
        impacts: vec![impact(ImpactOp::Delete, "delete_name")],
        postconditions: vec![shown(Relation::NotIn, "delete_object")],
        ..dmf(
            DmfKind::Delete,
            &[
                ("thing", 0, row(any_thing())),
                ("delete_name", 0, row(any_thing())),
                ("delete", 1, id("delete")),
                ("delete_object", 2, row(read("delete_name"))),
            ],
            vec![tap("thing"), tap("delete")],
        )
    };
    let search = Dmf {
        preconditions: vec![shown(Relation::In, "query"), held(Relation::IsNotEmpty)],
        postconditions: vec![shown(Relation::In, "search_object")],
        ..dmf(
            DmfKind::Search,
            &[
                ("query", 0, id("query")),
                ("search_name", 1, id("query")),
                ("search_object", 1, row(read("search_name"))),
            ],
            vec![step(Action::Edit, "query", Input::Existing("thing".into()))],
        )
    };
    Spec { dmfs: vec![add, rename, delete, search], ..Spec::default() }
}

#[derive(Default)]
struct Heard {
    findings: Vec<Arc<Finding>>,
    /// The findings as they were first reported, before anything was executed again.
    first: Vec<Arc<Finding>>,
    progress: usize,
    cancel_at: Option<(u64, CancelToken)>,
}

impl CampaignSink for Heard {
    fn progress(&mut self, stats: &CampaignStats) {
        self.progress += 1;
        if let Some((at, token)) = &self.cancel_at
            && stats.events >= *at
        {
            token.cancel();
        }
    }
    fn wants_checkpoint(&mut self) -> bool {
        self.cancel_at.as_ref().is_some_and(|(_, token)| token.cancelled())
    }
    fn checkpoint(&mut self, _: SavedCheckpoint) {
        panic!("nobody goes on from where it was cancelled");
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        if self.findings.iter().all(|known| known.id != finding.id) {
            self.first.push(Arc::clone(&finding));
        }
        taproof_campaign::keep_latest(&mut self.findings, finding);
    }
}

fn plan(bugs: &[&str], seed: u64, events: u64, mode: Mode) -> CampaignPlan {
    CampaignPlan {
        build: Build::Bugs(bugs.iter().map(|bug| (*bug).to_owned()).collect()),
        spec: Arc::new(spec()),
        seed,
        confirm: ConfirmPlan { tries: 3, pictures: false, ..ConfirmPlan::default() },
        ..CampaignPlan::new(
            APP,
            EngineConfig::Pbfdroid(PbfdroidConfig { mode, ..PbfdroidConfig::default() }),
            events,
        )
    }
}

fn campaign(plan: &CampaignPlan, heard: &mut Heard) -> CampaignReport {
    let Build::Bugs(on) = &plan.build else { panic!("the tests name their bugs") };
    let on = BugSet::of(on.iter().map(String::as_str));
    let mut source = Phones::<Jar>::with(on);
    let cancel = heard.cancel_at.as_ref().map(|(_, token)| token.clone()).unwrap_or_default();
    run(plan, &plan.engines[0], &mut source, &cancel, heard)
}

fn attributions(report: &CampaignReport) -> Vec<(OracleKind, String, Vec<String>)> {
    let words = |found: &taproof_campaign::FindingCount| {
        let finding = &found.finding;
        (finding.origin.oracle, finding.origin.subject.clone(), finding.attribution.bugs())
    };
    report.findings.iter().map(words).collect()
}

/// What was heard of tasks, events and findings, in order.
#[derive(Default)]
struct InOrder {
    /// The tasks before the first event.
    tasks: Vec<Task>,
    /// The number of the last event.
    event: u64,
    /// The findings that were told, each with the event before it.
    told: Vec<(u64, Arc<Finding>)>,
}

impl CampaignSink for InOrder {
    fn progress(&mut self, stats: &CampaignStats) {
        if stats.events == 0 {
            self.tasks.push(stats.task);
        }
    }
    fn finding(&mut self, finding: Arc<Finding>) {
        self.told.push((self.event, finding));
    }
    fn events_at_once(&self) -> Option<usize> {
        Some(1)
    }
    fn events(&mut self, events: Vec<LoggedEvent>) {
        let [event] = &events[..] else { panic!("they come one by one: {events:?}") };
        self.event = event.number;
    }
}

#[test]
fn it_is_told_how_a_campaign_begins_and_each_finding_before_the_next_event() {
    let plan = plan(&[LOUD, ROTATE], 1, 3_000, Mode::Full);
    let mut source = Phones::<Jar>::with(BugSet::of([LOUD, ROTATE]));
    let mut heard = InOrder::default();
    run(&plan, &plan.engines[0], &mut source, &CancelToken::new(), &mut heard);
    assert_eq!(heard.tasks, [Task::Opening, Task::Starting, Task::Fuzzing]);
    let first = |id: &str| heard.told.iter().find(|(_, finding)| finding.id == id);
    let ids: BTreeSet<&str> = heard.told.iter().map(|(_, finding)| finding.id.as_str()).collect();
    assert!(ids.len() > 1, "{ids:?}");
    for (event, finding) in ids.into_iter().filter_map(first) {
        assert_eq!(
            (*event, finding.confirmation),
            (finding.first.event, Confirmation::Untried),
            "{}",
            finding.title
        );
    }
}

#[test]
#[ignore = "takes long"]
fn a_loud_bug_does_not_hide_a_quiet_one() {
    for seed in 1..=5 {
        let plan = plan(&[LOUD, QUIET, ROTATE], seed, 40_000, Mode::Full);
        let mut heard = Heard::default();
        let report = campaign(&plan, &mut heard);
        let told = attributions(&report);
        let found = |subject: &str, bug: &str| {
            told.iter().any(|(_, known, bugs)| known == subject && *bugs == [bug.to_owned()])
        };
        assert!(found("search thing", LOUD) && found("search thing", QUIET), "seed {seed}: {told:?}");
        assert!(told.iter().any(|(oracle, _, bugs)| *oracle == OracleKind::Crash && bugs == &[ROTATE]));
        assert!(report.findings.iter().any(|found| found.count > 20), "the loud one is counted");
        for found in &report.findings {
            let finding = &found.finding;
            assert_eq!(finding.confirmation, Confirmation::Reproduced { hits: 3, tries: 3 });
            // A thing that a text is another spelling of stays, with what made it.
            assert!(finding.minimal.trace.len() <= 30, "{}: {}", finding.title, finding.minimal.trace.len());
            let bad_end = &finding.violation.failures;
            assert!(!bad_end.is_empty() && !finding.violation.after_drift);
            let frames = finding.minimal.trace.len() + 1;
            assert_eq!(finding.minimal.screenshots.len(), frames);
            // Of a crash, only the steps of functions that it needs are left.
            let knows_data = finding.data.at(frames).is_some_and(|data| data.types().count() > 0);
            let crashes = finding.origin.oracle == OracleKind::Crash;
            assert_eq!(knows_data, !crashes, "{}", finding.title);
            assert_eq!(finding.minimal.trace.spans.is_empty(), crashes);
            for failed in &finding.violation.failures {
                let last = &finding.minimal.trace.last().layout;
                assert!(failed.offending.iter().all(|idx| last.get(*idx).is_some()));
            }
        }
        assert_eq!(heard.findings.len(), report.findings.len());
        assert!(heard.progress > 10);
        let mut ids: Vec<&String> = heard.findings.iter().map(|finding| &finding.id).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), heard.findings.len());
    }
}

#[test]
fn a_finding_that_was_only_seen_has_a_picture_of_its_screen() {
    for pictures in [true, false] {
        let mut plan = plan(&[LOUD, ROTATE], 1, 5000, Mode::Full);
        plan.confirm.pictures = pictures;
        let mut heard = Heard::default();
        campaign(&plan, &mut heard);
        assert!(heard.first.len() >= 2, "{}", heard.first.len());
        let alone = heard.first.iter().filter(|finding| finding.id.starts_with("crash-"));
        assert!(alone.count() >= 1, "one of a crash, too");
        for finding in &heard.first {
            assert_eq!(finding.confirmation, Confirmation::Untried, "{}", finding.id);
            let (last, before) = finding.witness.screenshots.split_last().unwrap();
            assert_eq!(last.is_some(), pictures, "{}", finding.id);
            assert!(before.iter().all(Option::is_none), "{}", finding.id);
        }
    }
}

#[test]
fn endless_loading_is_a_finding() {
    let report = campaign(&plan(&[ENDLESS], 1, 2000, Mode::Full), &mut Heard::default());
    let told = attributions(&report);
    assert!(told.iter().any(|(oracle, _, _)| *oracle == OracleKind::Loading), "{told:?}");
    // On its side the keyboard hides the ring; then it is the renamed thing that is missing.
    assert!(told.iter().all(|(_, _, bugs)| bugs == &[ENDLESS]), "{told:?}");
}

#[test]
fn a_sound_app_has_no_finding() {
    for seed in 1..=3 {
        let report = campaign(&plan(&[], seed, 10_000, Mode::Full), &mut Heard::default());
        assert!(report.findings.is_empty(), "seed {seed}: {:?}", attributions(&report));
        assert_eq!((report.end, report.stats.events), (EndReason::BudgetSpent, 10_000));
        for property in &report.stats.properties {
            assert!(property.held >= 20 && property.violated == 0, "{property:?}");
        }
    }
}

#[test]
fn the_same_plan_gives_the_same_fingerprint() {
    let bugs = &[LOUD, QUIET, ROTATE];
    let print = |seed, events| {
        campaign(&plan(bugs, seed, events, Mode::Full), &mut Heard::default()).stats.fingerprint()
    };
    assert_eq!(print(1, 3000), print(1, 3000));
    assert_ne!(print(1, 3000), print(2, 3000));
    assert_ne!(print(1, 3000), print(1, 3001));
}

#[test]
fn a_cancelled_campaign_is_run_again_by_its_events() {
    let plan_of = |events| plan(&[LOUD], 1, events, Mode::Full);
    // In the middle of a round, and at the end of one.
    for events in [1000, 1001] {
        let mut heard = Heard { cancel_at: Some((events, CancelToken::new())), ..Heard::default() };
        let cancelled = campaign(&plan_of(100_000), &mut heard);
        assert_eq!(cancelled.end, EndReason::Cancelled);
        let again = campaign(&plan_of(cancelled.stats.events), &mut Heard::default());
        assert_eq!(cancelled.stats.fingerprint(), again.stats.fingerprint());
    }
}

#[test]
fn baselines_find_less() {
    let bugs = &[LOUD, QUIET, ROTATE];
    let b = campaign(&plan(bugs, 1, 3000, Mode::B), &mut Heard::default());
    assert_eq!(b.stats.events, 12_000, "each of four DMFs has the plan's events");
    let b = attributions(&b);
    assert!(b.iter().all(|(_, _, bugs)| bugs == &[ROTATE]), "{b:?}");
    let mut alone = plan(bugs, 1, 3000, Mode::A);
    let mut spec = spec();
    spec.dmfs[3].lead_in = vec![tap("fab"), step(Action::Edit, "field", fresh(&[])), tap("save")];
    for (name, layout) in [("fab", 0), ("field", 1), ("save", 2)] {
        let selector = id(if name == "field" { "name" } else { name });
        spec.dmfs[3].widgets.push(NamedSelector { name: name.into(), layout, selector });
    }
    alone.spec = Arc::new(spec);
    let report = campaign(&alone, &mut Heard::default());
    assert_eq!(report.end, EndReason::Exhausted, "rename and delete can never start by themselves");
    let told = attributions(&report);
    assert_eq!(told, [(OracleKind::Property, "search thing".to_owned(), vec![LOUD.to_owned()])]);
    let found = &report.findings[0].finding;
    assert_eq!(found.confirmation, Confirmation::Reproduced { hits: 3, tries: 3 });
    assert!(found.minimal.trace.steps().iter().all(|step| step.role != StepRole::Explored));
    assert!(matches!(found.minimal.trace.steps()[0].event, Event::Widget { .. }));
}

#[test]
fn a_summary_is_one_json_object() {
    let plan = plan(&[LOUD], 2, 2000, Mode::Full);
    let report = campaign(&plan, &mut Heard::default());
    let json = serde_json::to_value(summarise(
        &plan,
        &[EngineRun { engine: &plan.engines[0], report: &report, seconds: 0.5 }],
    ))
    .unwrap();
    assert_eq!(
        (&json["events"], &json["end"], &json["mode"]),
        (&2000.into(), &"budget".into(), &"full".into())
    );
    assert_eq!(json["events_per_second"], 4000.0);
    assert_eq!(json["findings"][0]["attributed_bugs"][0], LOUD);
    assert_eq!(json["properties"].as_array().unwrap().len(), 4);
}
