//! Fastbot2 on pages that the tests write: what it chooses, what it learns, and what it must not touch.

use std::collections::BTreeSet;

use super::act::point_on;
use super::*;
use taproof_screen::{
    Gesture, Key, PxPoint, PxRect, PxSize, Text, WidgetFlags, WidgetIdx, XPath, event_on, layout_from,
};
use taproof_spec::{ActionKind, BlockRule, ScriptAction, SequenceRule, UserRules};

const APP: &str = "org.ex";

fn explorer(config: Fastbot2Config, seed: u64) -> Fastbot2 {
    let mut explorer = Fastbot2::new(config, APP);
    explorer.begin(&Rng::from_seed(seed), &Text::from("org.ex/.Main"));
    explorer
}

fn decide(explorer: &mut Fastbot2, layout: &Layout) -> Decision {
    explorer.decide(DecisionInput { layout, app: APP, blocks: &[] })
}

/// The id of the widget that a decision is done to, or what else it is.
fn said(decision: &Decision) -> String {
    match decision {
        Decision::EndTest => "end".to_owned(),
        Decision::Perform(Event::Widget { target, .. }) => {
            target.selector.resource_id.as_deref().unwrap_or("?").rsplit('/').next().unwrap().to_owned()
        }
        Decision::Perform(Event::Key(Key::Back)) => "back".to_owned(),
        Decision::Perform(Event::Relaunch) => "relaunch".to_owned(),
        Decision::Perform(other) => format!("{other:?}"),
    }
}

/// An app of three activities: the first leads to the others by a button each, Back leads back.
struct Toy {
    activity: &'static str,
}

impl Toy {
    fn layout(&self) -> Layout {
        let screen = match self.activity {
            "org.ex/.Main" => {
                "FrameLayout\n  Button#to_list\n  Button#idle\n  Button#to_settings\n  Button#dull\n"
            }
            "org.ex/.List" => "ListView\n  Button#row \"a\"\n  Button#row \"b\"\n",
            _ => "FrameLayout\n  Button#switch\n",
        };
        layout_from(screen).with_activity(Text::from(self.activity))
    }

    fn perform(&mut self, decision: &Decision) {
        self.activity = match (said(decision).as_str(), self.activity) {
            ("to_list", _) => "org.ex/.List",
            ("to_settings", _) => "org.ex/.Settings",
            ("back" | "relaunch", _) => "org.ex/.Main",
            (_, here) => here,
        };
    }
}

fn walk(explorer: &mut Fastbot2, decisions: usize) -> Vec<Decision> {
    let mut app = Toy { activity: "org.ex/.Main" };
    let mut made = Vec::new();
    for _ in 0..decisions {
        let decision = decide(explorer, &app.layout());
        app.perform(&decision);
        made.push(decision);
    }
    made
}

#[test]
fn five_equal_rows_all_get_clicked() {
    let rows = "ListView\n".to_owned() + &"  Button#row\n".repeat(5);
    let layout = layout_from(&rows);
    let mut explorer = explorer(Fastbot2Config::default(), 1);
    let mut clicked = BTreeSet::new();
    for _ in 0..30 {
        if let Decision::Perform(Event::Widget { target, .. }) = decide(&mut explorer, &layout) {
            clicked.insert(target.selector.instance);
        }
    }
    assert_eq!(clicked.len(), 5, "{clicked:?}");
}

#[test]
fn the_same_seed_chooses_the_same() {
    let choices = |seed| walk(&mut explorer(Fastbot2Config::default(), seed), 200);
    assert_eq!(choices(1), choices(1));
    assert_ne!(choices(1), choices(2));
}

#[test]
fn a_run_goes_on_from_what_was_kept_as_if_nothing_had_been() {
    let mut one = explorer(Fastbot2Config::default(), 1);
    walk(&mut one, 100);
    let kept = to_checkpoint(one.state()).unwrap();
    let mut two = Fastbot2::new(Fastbot2Config::default(), APP);
    two.resume(from_checkpoint(&kept).unwrap());
    for explorer in [&mut one, &mut two] {
        explorer.begin(&Rng::from_seed(9), &Text::from("org.ex/.Main"));
    }
    assert_eq!(walk(&mut one, 100), walk(&mut two, 100));
    assert_eq!(one.stats(), two.stats());
}

#[test]
fn what_one_run_learned_guides_the_next() {
    let mut first = explorer(Fastbot2Config::default(), 1);
    walk(&mut first, 200);
    assert_eq!(first.state.log.tiers()[&Tier::Guided], 0, "without earlier runs nothing is known to lead on");
    let learned = first.learned(APP);
    assert_eq!(learned.activities().len(), 3);
    let config = Fastbot2Config { prior: Some(Arc::new(learned)), ..Fastbot2Config::default() };
    for seed in 1..=20 {
        let mut second = explorer(config.clone(), seed);
        let made = walk(&mut second, 3);
        let firsts: Vec<String> = made.iter().map(said).collect();
        assert!(["to_list", "to_settings"].contains(&firsts[0].as_str()), "{firsts:?}");
        let (tiers, reuse) = (second.state.log.tiers(), second.state.knowledge.hits());
        assert!(tiers[&Tier::Guided] >= 1 && tiers[&Tier::Expansion] == 0, "{tiers:?}");
        let stats = second.told();
        let first = &stats.tables[0].rows.last().unwrap().cells;
        assert_eq!([&first[0], &first[1], &first[3]], ["guided", "2", "1.00"]);
        assert!(reuse.events_loaded > 5 && reuse.events_matched > 2, "{reuse:?}");
    }
    let mut other = config.clone();
    other.prior = Some(Arc::new(ReuseModel::of("org.other")));
    assert_eq!(explorer(other, 1).state.knowledge.hits(), ReuseHits::default());
}

#[test]
fn models_of_older_versions_weigh_half() {
    let mut prior = ReuseModel::of(APP);
    prior.saw_version("1.0");
    let mut first = explorer(Fastbot2Config::default(), 1);
    walk(&mut first, 200);
    prior.merge(&first.learned(APP)).unwrap();
    let learned = |version: &str| {
        let prior = Some(Arc::new(prior.clone()));
        explorer(Fastbot2Config { prior, app_version: version.into(), ..Fastbot2Config::default() }, 1)
            .learned(APP)
    };
    assert_eq!(learned("1.0"), prior);
    let newer = learned("1.1");
    assert!(newer.transitions() < prior.transitions() && newer.events().len() == prior.events().len());
    assert_eq!(newer.versions, ["1.0", "1.1"]);
}

#[test]
fn nothing_is_credited_across_what_somebody_else_did() {
    let main = layout_from("FrameLayout\n  Button#a\n");
    let elsewhere = main.clone().with_activity(Text::from("org.ex/.Else"));
    let transitions = |interrupted: bool| {
        let mut explorer = explorer(Fastbot2Config::default(), 1);
        decide(&mut explorer, &main);
        if interrupted {
            Explorer::interrupted(&mut explorer);
        }
        decide(&mut explorer, &elsewhere);
        explorer.learned(APP).transitions()
    };
    assert_eq!((transitions(false), transitions(true)), (1, 0));
    let away = main.clone().with_activity(Text::from("org.launcher/.Home"));
    let mut explorer = explorer(Fastbot2Config::default(), 1);
    decide(&mut explorer, &main);
    assert_eq!(said(&decide(&mut explorer, &away)), "relaunch");
    decide(&mut explorer, &main);
    assert!(explorer.learned(APP).activities().is_empty(), "nothing of other apps is recorded");
    assert_eq!(explorer.state.other.starts, 1);
}

#[test]
fn a_stuck_page_is_left_by_stronger_and_stronger_means() {
    let layout = layout_from("ListView\n  Button#row \"a\"\n");
    let mut explorer = explorer(Fastbot2Config::default(), 1);
    let made: Vec<String> = (0..14).map(|_| said(&decide(&mut explorer, &layout))).collect();
    assert_eq!(made[10..13], ["back", "relaunch", "end"]);
    assert_eq!(explorer.state.other.stuck, [1, 1, 2]);
    let other = layout_from("FrameLayout\n  Button#other\n");
    decide(&mut explorer, &other);
    let again: Vec<String> = (0..11).map(|_| said(&decide(&mut explorer, &layout))).collect();
    assert_eq!(again[10], "back", "elsewhere it begins anew");
}

#[test]
fn a_tap_keeps_clear_of_the_buttons_in_its_widget() {
    let layout = layout_from("FrameLayout\n  Button#row\n    ImageButton#menu\n");
    let mut number = 0;
    let layout = layout.with_changed(&[WidgetIdx(1), WidgetIdx(2)], |widget| {
        number += 1;
        widget.bounds =
            if number == 1 { PxRect::new(0, 0, 1000, 100) } else { PxRect::new(500, 0, 1000, 100) };
    });
    let rules = UserRules::default();
    let rules = RulesOnPage::new(&rules);
    let mut rng = Rng::from_seed(1);
    let points: Vec<PxPoint> =
        (0..100).map(|_| point_on(&layout, WidgetIdx(1), (&rules, &[]), true, &mut rng)).collect();
    assert!(points.iter().filter(|point| point.x >= 500).count() < 3);
    assert!(points.iter().any(|point| point.x < 100) && points.iter().any(|point| point.x > 400));
    let middle = point_on(&layout, WidgetIdx(1), (&rules, &[]), false, &mut rng);
    assert_eq!(middle, PxPoint { x: 500, y: 50 });
}

#[test]
fn the_rules_are_kept_and_their_matches_counted() {
    let xpath = |id: &str| XPath::parse(&format!("//*[@resource-id='org.ex:id/{id}']")).unwrap();
    let activity = "org.ex.Main".to_owned();
    let blocked = |id| BlockRule { activity: activity.clone(), xpath: Some(xpath(id)), area: None };
    let typed = ScriptAction::On { xpath: xpath("name"), kind: ActionKind::Click, text: Some("Ann".into()) };
    let rules = UserRules {
        blocked: vec![blocked("none"), blocked("a")],
        refused_activities: vec!["org.ex.Secret".into()],
        sequences: vec![SequenceRule {
            activity: activity.clone(),
            percent: 100,
            times: 1,
            actions: vec![typed],
        }],
        ..UserRules::default()
    };
    let mut explorer = explorer(Fastbot2Config { rules, ..Fastbot2Config::default() }, 1);
    let layout = layout_from("FrameLayout\n  EditText#name\n  Button#a\n  Button#b\n");
    let first = decide(&mut explorer, &layout);
    let Decision::Perform(Event::Widget { gesture, .. }) = &first else { panic!("{first:?}") };
    assert_eq!((said(&first).as_str(), gesture), ("name", &Gesture::SetText("Ann".into())));
    // Two pages in turn, since one that stays the same is left by other means.
    let other = layout_from("FrameLayout\n  EditText#name\n  Button#a\n  Button#b\n  Button#c\n");
    let in_turn =
        |explorer: &mut Fastbot2, number: usize| said(&decide(explorer, [&layout, &other][number % 2]));
    let made: BTreeSet<String> = (0..50).map(|number| in_turn(&mut explorer, number)).collect();
    assert!(made.contains("b") && !made.contains("a"), "{made:?}");
    let secret = layout.clone().with_activity(Text::from("org.ex/.Secret"));
    let led_there = said(&decide(&mut explorer, &layout));
    assert_eq!(said(&decide(&mut explorer, &secret)), "back");
    assert_eq!(said(&decide(&mut explorer, &secret)), "relaunch");
    let later: Vec<String> = (0..50).map(|number| in_turn(&mut explorer, number)).collect();
    if led_there != "name" {
        assert!(!later.contains(&led_there), "{led_there} leads where it must not");
    }
    let rules = explorer.state.matches.table().unwrap().rows;
    let count = |file: &str, rule: u64| {
        let row = rules.iter().find(|row| row.cells[..2] == [file.to_owned(), rule.to_string()]);
        row.unwrap().cells[2].parse::<u64>().unwrap()
    };
    assert_eq!(
        (count("max.widget.black", 1), count("max.xpath.actions", 1), count("abl.strings", 1)),
        (0, 1, 2)
    );
    assert!(count("max.widget.black", 2) > 100);
    assert_eq!((explorer.state.log.tiers()[&Tier::Scripted], explorer.state.other.refused), (1, 2));
}

#[test]
fn a_recorded_walk_is_as_good_as_an_earlier_run() {
    use taproof_screen::determinism::DeviceInstant;
    use taproof_screen::{AppHealth, Frame, Step};
    let frame = |activity: &'static str| Frame {
        layout: Arc::new(Toy { activity }.layout()),
        health: AppHealth::Running,
        at: DeviceInstant(0),
    };
    let main = frame("org.ex/.Main");
    let idx = main.layout.iter().find(|(_, widget)| widget.short_id() == Some("to_list")).unwrap().0;
    let mut trace = Trace::start(main.clone());
    let tap = event_on(&main.layout, idx, Gesture::Tap).unwrap();
    for (event, after) in [(tap, frame("org.ex/.List")), (Event::Key(Key::Back), main)] {
        trace.push(Step { event, role: StepRole::Seed, after });
    }
    let mut learner = Fastbot2::new(Fastbot2Config::default(), APP);
    learner.learn_trace(&trace, APP);
    let learned = learner.learned(APP);
    let captions: Vec<String> = learned.events().map(|(event, _)| event.caption()).collect();
    assert_eq!(captions, ["List: back", "Main: click Button #to_list"]);
    assert_eq!(learned.transitions(), 2);
}

#[test]
fn odd_screens_do_no_harm() {
    let mut explorer = explorer(Fastbot2Config::default(), 1);
    let empty = Layout::empty(PxSize { width: 0, height: 0 }, taproof_screen::Rotation::PORTRAIT)
        .with_activity(Text::from("org.ex/.Main"));
    for _ in 0..30 {
        assert!(["back", "relaunch", "end"].contains(&said(&decide(&mut explorer, &empty)).as_str()));
    }
    let layout = layout_from("FrameLayout\n  Button#a\n");
    let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
    let inverted = layout.with_changed(&all, |widget| {
        widget.bounds = PxRect::new(50, 50, 10, 10);
        widget.flags = WidgetFlags::NONE;
    });
    for _ in 0..5 {
        decide(&mut explorer, &inverted);
    }
}
