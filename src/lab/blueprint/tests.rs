//! Generated apps: each is valid, the same each time, and behaves as its specification says.

use std::collections::BTreeSet;

use taproof_engine::device::{AppData, AppId, Device};
use taproof_screen::determinism::Rng;
use taproof_screen::{AppHealth, Direction, Event, Gesture, Key, PxPoint, Selector, TouchTarget};
use taproof_spec::format::DmfFile;
use taproof_spec::{Severity, lint};

use super::store::{Faults, ObjectId, Order, Store};
use super::*;
use taproof_phone::{Apps, BugSet, Oracle};

const SEEDS: std::ops::RangeInclusive<u64> = 1..=40;

fn each_app(mut check: impl FnMut(&str, BundledApp)) {
    for seed in SEEDS {
        for size in Size::ALL {
            let generated = Generated { seed, size, traps: false, derived: false, version: 1 };
            check(&format!("{generated:?}"), generated.app());
        }
    }
}

#[test]
fn a_blueprint_is_read_as_it_is_written() {
    for seed in SEEDS {
        let made = Blueprint::generate(seed, Size::Medium).with_traps(seed);
        assert_eq!(Blueprint::parse(&made.to_json()).unwrap(), made, "{seed}");
    }
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let refused = |change: fn(&mut Blueprint)| {
        let mut blueprint = Blueprint::generate(1, Size::Small);
        change(&mut blueprint);
        Blueprint::parse(&blueprint.to_json()).unwrap_err().to_string()
    };
    assert!(refused(|it| it.types.clear()).contains("\"types\" is empty"));
    assert!(refused(|it| it.name = Word("My App")).contains("\"name\" must consist of small letters"));
    assert!(refused(|it| it.types[0].fields[0].shape = Shape::Date).contains("shape \"line\""));
    assert!(refused(|it| it.types[0].shipped.push(Vec::new())).contains("has 0 values"));
    assert!(Blueprint::parse("{\"nme\": 1}").unwrap_err().to_string().contains("unknown field `nme`"));
}

/// A generated app in which objects belong to others, and are deleted with them. The places of both types.
fn with_cascade() -> (Blueprint, usize, usize) {
    let made = (1..100).map(|seed| Blueprint::generate(seed, Size::Medium));
    let related = |blueprint: Blueprint| {
        let cascades = |it: &DataType| it.owner.is_some_and(|owner| owner.deletion == Cascade::Delete);
        let member = blueprint.types.iter().position(cascades)?;
        let owner = blueprint.owner_of(member)?;
        let field = blueprint.types[member].field_of(Shape::Owner)?;
        blueprint.types[member].shipped.iter().find(|values| !values[field].0.is_empty())?;
        Some((blueprint, member, owner))
    };
    made.filter_map(related).next().unwrap()
}

#[test]
fn what_belongs_to_a_deleted_object_shares_its_fate() {
    let (mut blueprint, member, owner) = with_cascade();
    blueprint.types[owner].delete = DeletePlan { trash: true, undo: true, ..DeletePlan::default() };
    let mut store = Store::shipped(&blueprint, Faults::default());
    let all = store.ordered(member, Order::Added).len();
    let owners: Vec<ObjectId> = store.ordered(owner, Order::Added).iter().map(|it| it.id).collect();
    let deleted = *owners.iter().find(|id| !store.members(**id, member).is_empty()).unwrap();
    let own = store.members(deleted, member).len();
    let gone = store.delete(deleted).unwrap();
    assert_eq!(store.ordered(member, Order::Added).len(), all - own);
    // They are in no trash of their own, and come back with what they belong to.
    assert!(store.trashed(member).is_empty());
    store.undelete(&[gone]);
    assert_eq!(store.members(deleted, member).len(), own);
    store.delete(deleted);
    store.erase(deleted);
    store.restore(deleted);
    assert_eq!(store.ordered(member, Order::Added).len(), all - own);
}

#[test]
fn what_is_kept_when_its_owner_is_deleted_belongs_to_nothing() {
    let (mut blueprint, member, owner) = with_cascade();
    blueprint.types[member].owner.as_mut().unwrap().deletion = Cascade::Keep;
    let mut store = Store::shipped(&blueprint, Faults::default());
    let all = store.ordered(member, Order::Added).len();
    let owners: Vec<ObjectId> = store.ordered(owner, Order::Added).iter().map(|it| it.id).collect();
    for id in owners {
        store.delete(id);
    }
    let members = store.ordered(member, Order::Added);
    assert_eq!(members.len(), all);
    assert!(members.iter().all(|it| store.owner(it).is_none()));
}

#[test]
fn relations_that_cannot_be_are_refused() {
    let refused = |change: fn(&mut Blueprint, usize, usize)| {
        let (mut blueprint, member, owner) = with_cascade();
        change(&mut blueprint, member, owner);
        Blueprint::parse(&blueprint.to_json()).unwrap_err().to_string()
    };
    assert!(refused(|it, member, _| it.types[member].owner = None).contains("\"owner\" is missing"));
    assert!(refused(|it, _, owner| it.types[owner].noun = Word("other")).contains("no such type"));
    assert!(refused(|it, _, owner| it.types[owner].form.opens = true).contains("no page of its own"));
}

#[test]
fn names_of_generated_apps_are_read_in_both_forms() {
    for seed in [0, 7, 1000] {
        for (size, traps) in Size::ALL.into_iter().flat_map(|size| [(size, false), (size, true)]) {
            let generated = Generated { seed, size, traps, derived: false, version: 1 };
            let app = generated.app();
            assert_eq!(Generated::named(app.short_name()), Some(generated));
            assert_eq!(Generated::named(app.manifest().package), Some(generated));
        }
    }
    let trapped = Some(Generated { seed: 7, size: Size::Small, traps: true, derived: false, version: 1 });
    assert_eq!(Generated::named("blueprint:7:traps"), trapped);
    for other in [
        "blueprint:7:traps:small",
        "blueprint:7:small:small",
        "blueprint:",
        "blueprint:1:huge",
        "blueprint:-1",
        "blueprint07",
        "blueprintm",
        "org.other.blueprint7",
    ] {
        assert_eq!(Generated::named(other), None, "{other}");
    }
}

#[test]
fn the_specification_of_each_app_is_without_errors() {
    each_app(|name, app| {
        let mut spec = taproof_spec::Spec::default();
        for file in app.spec_files() {
            spec.join(DmfFile::parse(file.text).unwrap().spec);
        }
        let errors: Vec<_> =
            lint(&spec).into_iter().filter(|it| it.code.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
        assert!(spec.dmfs.len() >= 4, "{name}");
    });
}

#[test]
fn ids_of_faults_points_and_activities_are_given_once() {
    let mut operators = BTreeSet::new();
    each_app(|name, app| {
        let manifest = app.manifest();
        let unique = |all: Vec<&str>| all.iter().collect::<BTreeSet<_>>().len() == all.len();
        assert!(unique(manifest.bugs.iter().map(|bug| bug.id).collect()), "{name}");
        assert!(unique(manifest.activities.to_vec()), "{name}: {:?}", manifest.activities);
        assert!(manifest.points.is_sorted() && unique(manifest.points.to_vec()), "{name}");
        let blueprint = Generated::named(app.short_name()).map(|it| Blueprint::generate(it.seed, it.size));
        let blueprint = blueprint.unwrap();
        let faults = [blueprint.faults(), blueprint.with_derived(1).faults()].concat();
        operators.extend(faults.into_iter().map(|fault| fault.operator));
        if app.short_name().ends_with('l') {
            assert!(manifest.activities.len() >= 40, "{name}: {}", manifest.activities.len());
        }
    });
    assert!(operators.len() >= 24 && operators.len() == Operator::ALL.len(), "{}", operators.len());
}

/// Random gestures, keys and turns on a build with every second fault: whatever happens, it is the app that ends, not the
/// phone; and twice the same happens.
#[test]
fn generated_apps_survive_anything_and_repeat_it() {
    for seed in 1..=12 {
        let ran = [(); 2].map(|()| {
            let apps = apps();
            let name = format!("blueprint:{seed}:{}", Size::ALL[seed as usize % 3].name());
            let app = *apps.find(&name).unwrap();
            let bugs = BugSet::of(app.manifest().bugs.iter().step_by(2).map(|bug| bug.id));
            random_walk(&apps, &app, &bugs, seed)
        });
        assert_eq!(ran[0], ran[1], "{seed}");
    }
}

fn random_walk(apps: &Apps, app: &BundledApp, bugs: &BugSet, seed: u64) -> Vec<String> {
    let mut phone = apps.open(app.short_name(), bugs).unwrap();
    let mut rng = Rng::from_seed(seed);
    let mut seen = Vec::new();
    for _ in 0..300 {
        let frame = phone.observe().unwrap();
        seen.push(format!("{} {}", frame.layout.activity(), frame.layout.widgets().len()));
        if !matches!(frame.health, AppHealth::Running) {
            phone.launch(&AppId(app.manifest().package.to_owned()), AppData::Keep).unwrap();
            continue;
        }
        let widgets = frame.layout.widgets();
        let at = widgets[rng.below(widgets.len())].bounds.center();
        let gesture = match rng.below(4) {
            0 => Gesture::LongPress,
            1 => Gesture::SetText(["", "a", "Zoë?", "b#1"][rng.below(4)].to_owned()),
            _ => Gesture::Tap,
        };
        let target = TouchTarget { selector: Selector::default(), at, screen: frame.layout.screen() };
        phone
            .perform(&match rng.below(12) {
                0 => Event::Key(Key::Back),
                1 => Event::Rotate,
                _ => Event::Widget { target, gesture },
            })
            .unwrap();
    }
    seen
}

/// Every operator has a witness somewhere, and nearly every fault has one.
#[test]
fn faults_have_witnesses() {
    let (mut seen, mut all) = (BTreeSet::new(), 0);
    let mut missing = Vec::new();
    for seed in 1..=8 {
        let plain = Blueprint::generate(seed, Size::Small);
        let derived = plain.clone().with_derived(seed);
        let (mut faults, mut further) = (plain.faults(), derived.faults());
        further.retain(|fault| fault.oracle == Oracle::Agreement);
        let witnesses = [plain.witnesses(&faults), derived.witnesses(&further)].concat();
        faults.append(&mut further);
        for (fault, witness) in faults.iter().zip(witnesses) {
            all += 1;
            match witness {
                Some(witness) => {
                    println!("{} {} {:?}", fault.id, witness.events.len(), witness.acts);
                    seen.insert(fault.operator);
                }
                None => missing.push(fault.id),
            }
        }
    }
    println!("{} of {all} without a witness: {missing:#?}", missing.len());
    assert_eq!(
        seen.len(),
        Operator::ALL.len(),
        "{:?}",
        Operator::ALL.iter().filter(|it| !seen.contains(it)).collect::<Vec<_>>()
    );
    assert!(20 * missing.len() <= all, "{} of {all} without a witness: {missing:#?}", missing.len());
}

#[test]
fn the_book_lists_every_operator() {
    let page = include_str!("../../book/generated_apps.md");
    let listed: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()).skip(2).collect();
    let operators: Vec<&str> = Operator::ALL.iter().map(|operator| operator.name()).collect();
    assert_eq!(listed[..operators.len()], operators);
    for kind in OPERATOR_MIX {
        assert!(page.contains(&format!("| {} | {} |", kind.name, kind.published)), "{}", kind.name);
    }
}

#[test]
fn each_crash_has_a_stack_of_its_own() {
    let crashes = Operator::ALL.into_iter().filter(|operator| operator.name().starts_with("crash-"));
    let stacks: Vec<_> = crashes.map(|operator| operator.crash().stack).collect();
    assert!(stacks.len() == 9 && stacks.iter().all(|stack| !stack.is_empty()), "{stacks:?}");
    assert_eq!(stacks.iter().collect::<BTreeSet<_>>().len(), stacks.len(), "{stacks:?}");
}

/// A swipe to the side uncovers the button of its row, and another one covers it.
#[test]
fn a_swipe_over_a_row_uncovers_its_button() {
    let mut blueprint = Blueprint::generate(1, Size::Small);
    blueprint.types[0].delete = DeletePlan { from: DeleteFrom::Swipe, ..DeletePlan::default() };
    blueprint.types[0].list = ListPlan::default();
    let name = blueprint.types[0].shipped[0][0];
    let app = blueprint.into_app();
    let mut phone = Apps::with([app]).unwrap().open(app.short_name(), &BugSet::none()).unwrap();
    let shown = |phone: &mut Phone, text: &str| {
        let layout = phone.observe().unwrap().layout;
        let found = layout.widgets().iter().find(|widget| &*widget.text == text);
        found.map(|widget| TouchTarget {
            selector: Selector::default(),
            at: widget.bounds.center(),
            screen: layout.screen(),
        })
    };
    let row = shown(&mut phone, name.0).unwrap();
    let swipe = |direction| Event::Widget { target: row.clone(), gesture: Gesture::Swipe(direction) };
    phone.perform(&swipe(Direction::Left)).unwrap();
    assert!(shown(&mut phone, "Delete").is_some());
    phone.perform(&swipe(Direction::Right)).unwrap();
    assert!(shown(&mut phone, "Delete").is_none());
    // A drag to the side is a swipe, too.
    let to = PxPoint { x: row.at.x - 300, ..row.at };
    phone.perform(&Event::Widget { target: row.clone(), gesture: Gesture::Drag(to) }).unwrap();
    let target = shown(&mut phone, "Delete").unwrap();
    phone.perform(&Event::Widget { target, gesture: Gesture::Tap }).unwrap();
    assert!(shown(&mut phone, name.0).is_none());
}

#[test]
fn traps_change_no_name_that_a_type_must_have_once() {
    for seed in SEEDS {
        let trapped = Blueprint::generate(seed, Size::Medium).with_traps(seed);
        for kind in trapped.types.iter().filter(|kind| kind.unique) {
            let names: BTreeSet<_> = kind.shipped.iter().map(|values| values[0]).collect();
            assert_eq!(names.len(), kind.shipped.len(), "{seed}: {}", kind.noun);
        }
        assert!(Blueprint::parse(&trapped.to_json()).is_ok(), "{seed}");
    }
}
