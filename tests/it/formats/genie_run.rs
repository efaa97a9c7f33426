//! A recorded Genie run: every expectation that its folder holds is computed anew. The folder is
//! `genie-activitydiary` of the test data, or the one that `TAPROOF_GENIE_RUN` names; files are known by their content.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};
use taproof_engine::GenieConfig;
use taproof_engine::genie::groups::{self, ActiveMap};
use taproof_engine::genie::gui_model::{Act, GuiModel};
use taproof_engine::oracle::layout_effects::{LabelBasis, TieOrder, property_key, relocate};
use taproof_engine::oracle::{
    Batch, ContextLevel, EffectJudge, EffectRule, Prepared, TestPair, WidgetKind, merge_batches,
};
use taproof_screen::{
    CandidateAction, Direction, Layout, LayoutBuilder, PxRect, PxSize, Rotation, Same, Widget, WidgetFlags,
    WidgetIdx, candidates,
};

fn folder() -> Option<PathBuf> {
    match std::env::var_os("TAPROOF_GENIE_RUN") {
        Some(folder) => Some(PathBuf::from(folder)),
        None => taproof_testing::data().map(|data| data.join("genie-activitydiary")),
    }
}

/// A layout and where its views are in it.
struct Page {
    layout: Arc<Layout>,
    places: BTreeMap<i64, WidgetIdx>,
}

impl Page {
    fn at(&self, id: &Value) -> WidgetIdx {
        self.places[&id.as_i64().unwrap()]
    }

    fn id(&self, idx: WidgetIdx) -> i64 {
        *self.places.iter().find(|(_, place)| **place == idx).unwrap().0
    }
}

/// A recorded run.
struct Run {
    pages: BTreeMap<String, Page>,
    /// The files beside the layouts, by name.
    files: BTreeMap<String, Value>,
}

fn read(path: &std::path::Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn run() -> Option<Run> {
    let folder = folder()?;
    let json = |folder: &std::path::Path| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
        paths.sort();
        paths
    };
    let raw: Vec<Value> = json(&folder.join("layouts")).iter().map(|path| read(path)).collect();
    let corner = |side: usize| {
        let edge = |view: &Value| view["bounds"][1][side].as_i64().unwrap() as i32;
        raw.iter().flat_map(|layout| layout["views"].as_array().unwrap()).map(edge).max().unwrap()
    };
    let screen = PxSize { width: corner(0), height: corner(1) };
    let pages = raw.iter().map(|raw| (raw["id"].as_str().unwrap().to_owned(), page(raw, screen))).collect();
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    let files = json(&folder).iter().map(|path| (name(path), read(path))).collect();
    Some(Run { pages, files })
}

fn page(raw: &Value, screen: PxSize) -> Page {
    let views = raw["views"].as_array().unwrap();
    let by_id: BTreeMap<i64, &Value> =
        views.iter().map(|view| (view["id"].as_i64().unwrap(), view)).collect();
    let activity = raw["activity"].as_str().unwrap();
    let mut builder = LayoutBuilder::new(activity.into(), screen, Rotation::PORTRAIT);
    let mut places = BTreeMap::new();
    for view in views.iter().filter(|view| view["parent"].as_i64().is_none_or(|parent| parent < 0)) {
        open(&mut builder, view, &by_id, &mut places);
    }
    Page { layout: Arc::new(builder.finish()), places }
}

fn open(
    builder: &mut LayoutBuilder,
    view: &Value,
    by_id: &BTreeMap<i64, &Value>,
    places: &mut BTreeMap<i64, WidgetIdx>,
) {
    const FLAGS: [(&str, WidgetFlags); 10] = [
        ("enabled", WidgetFlags::ENABLED),
        ("clickable", WidgetFlags::CLICKABLE),
        ("long_clickable", WidgetFlags::LONG_CLICKABLE),
        ("checkable", WidgetFlags::CHECKABLE),
        ("checked", WidgetFlags::CHECKED),
        ("scrollable", WidgetFlags::SCROLLABLE),
        ("editable", WidgetFlags::EDITABLE),
        ("selected", WidgetFlags::SELECTED),
        ("focused", WidgetFlags::FOCUSED),
        ("focusable", WidgetFlags::FOCUSABLE),
    ];
    let has = |name: &str| view["flags"].as_array().unwrap().iter().any(|flag| flag == name);
    let flags = FLAGS.iter().fold(WidgetFlags::NONE, |flags, (name, flag)| flags.with(*flag, has(name)));
    let text = |key: &str| view[key].as_str().unwrap_or("").into();
    let edge = |corner: usize, side: usize| view["bounds"][corner][side].as_i64().unwrap() as i32;
    let idx = builder.open(Widget {
        parent: None,
        package: text("package"),
        class: text("class"),
        resource_id: view["resource_id"].as_str().map(Into::into),
        text: text("text"),
        content_desc: text("content_description"),
        hint: "".into(),
        bounds: PxRect::new(edge(0, 0), edge(0, 1), edge(1, 0), edge(1, 1)),
        flags: flags.with(WidgetFlags::INVISIBLE, !has("visible")),
    });
    places.insert(view["id"].as_i64().unwrap(), idx);
    for child in view["children"].as_array().unwrap() {
        open(builder, by_id[&child.as_i64().unwrap()], by_id, places);
    }
    builder.close();
}

impl Run {
    fn page(&self, id: &Value) -> &Page {
        &self.pages[id.as_str().unwrap()]
    }

    /// The entries of lists of objects that have such a key.
    fn entries(&self, key: &str) -> Vec<&Value> {
        let lists = self.files.values().filter_map(Value::as_array).flatten();
        lists.filter(|entry| entry.get(key).is_some()).collect()
    }

    /// The files that are one object with such keys.
    fn objects(&self, keys: &[&str]) -> Vec<&Value> {
        let has = |file: &&Value| file.is_object() && keys.iter().all(|key| file.get(key).is_some());
        self.files.values().filter(has).collect()
    }

    /// What is expected of each layout.
    fn expected_layouts(&self) -> BTreeMap<&str, &Value> {
        let of_layouts = |file: &&Value| {
            file.as_object().is_some_and(|object| {
                object.values().next().is_some_and(|entry| entry.get("abstract_md5").is_some())
            })
        };
        let files = self.files.values().filter(of_layouts).filter_map(Value::as_object);
        files.flatten().map(|(id, expected)| (id.as_str(), expected)).collect()
    }

    /// Whether the abstract ids of this run know of content descriptions; older ones do not.
    fn basis(&self) -> LabelBasis {
        let described = |(id, expected): (&&str, &&Value)| {
            expected["abstract_md5"] == abstract_md5(&self.pages[*id].layout, true)
        };
        LabelBasis { descriptions: self.expected_layouts().iter().all(described), ..LabelBasis::default() }
    }

    fn layouts(&self, states: &Value) -> Vec<Option<Arc<Layout>>> {
        let states = states.as_array().unwrap().iter();
        states.map(|id| id.as_str().map(|id| Arc::clone(&self.pages[id].layout))).collect()
    }
}

fn given(text: &str) -> &str {
    if text.is_empty() { "None" } else { text }
}

fn type_label(widget: &Widget, description: bool) -> String {
    let id = widget.resource_id.as_deref().unwrap_or("");
    let desc =
        if description { format!("[content_desc]{}", given(&widget.content_desc)) } else { String::new() };
    format!("[class]{}[resource_id]{}{desc}", widget.class, given(id))
}

fn md5(activity: &str, labels: impl Iterator<Item = String>, distinct: bool) -> String {
    let mut labels: Vec<String> = labels.collect();
    labels.sort();
    if distinct {
        labels.dedup();
    }
    format!("{:x}", md5::compute(format!("{activity}{{{}}}", labels.join(","))))
}

fn abstract_md5(layout: &Layout, description: bool) -> String {
    let labels = layout.widgets().iter().map(|widget| type_label(widget, description));
    md5(layout.activity(), labels, true)
}

fn concrete_md5(layout: &Layout, description: bool) -> String {
    let label = |widget: &Widget| {
        let short = widget.text.chars().count() <= 50;
        let text = given(if short { &widget.text } else { "" });
        let word = |flag: WidgetFlags, word: &'static str| if widget.flags.has(flag) { word } else { "" };
        format!(
            "{}[text]{text}[{},{},{}]",
            type_label(widget, description),
            word(WidgetFlags::ENABLED, "enabled"),
            word(WidgetFlags::CHECKED, "checked"),
            word(WidgetFlags::SELECTED, "selected"),
        )
    };
    md5(layout.activity(), layout.widgets().iter().map(label), false)
}

#[test]
fn ids_of_the_reference() {
    let layout = |titles: &[&str], photo: bool| {
        let screen = PxSize { width: 800, height: 1280 };
        let mut builder = LayoutBuilder::new("app/.Main".into(), screen, Rotation::PORTRAIT);
        let mut open = |class: &str, id: Option<&str>, text: &str, leaf: bool| {
            builder.open(Widget {
                parent: None,
                package: "app".into(),
                class: class.into(),
                resource_id: id.map(Into::into),
                text: text.into(),
                content_desc: "".into(),
                hint: "".into(),
                bounds: PxRect::default(),
                flags: WidgetFlags::ENABLED,
            });
            if leaf {
                builder.close();
            }
        };
        open("FrameLayout", None, "", false);
        open("ListView", Some("app:id/list"), "", false);
        for title in titles {
            open("TextView", Some("app:id/title"), title, true);
        }
        if photo {
            open("ImageView", Some("app:id/photo"), "", true);
        }
        builder.finish()
    };
    for rows in [1, 2, 9] {
        assert_eq!(abstract_md5(&layout(&vec!["x"; rows], true), true), "52c03a5cdcec577025c32e78438ad19c");
    }
    let (one, two) = (layout(&["Cinema"], false), layout(&["Cinema", "Cleaning"], false));
    assert_eq!(abstract_md5(&one, true), "86c5764890bc8afae68c7785407b01fb");
    assert_eq!(concrete_md5(&one, true), "2dd54273dd7d420480d8c8b41040650f");
    assert_eq!(concrete_md5(&two, true), "8bd119aa7d7569c4510be97b1e473b07");
    let basis = LabelBasis::default();
    assert_eq!(basis.abstract_id(&one), basis.abstract_id(&two));
    assert_ne!(basis.abstract_id(&one), basis.abstract_id(&layout(&["Cinema"], true)));
}

#[test]
fn layouts_have_the_expected_ids_groups_and_events() {
    let Some(run) = run() else { return };
    let expected = run.expected_layouts();
    assert!(!expected.is_empty(), "no expectations of layouts");
    let mut ours: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (id, expected) in &expected {
        let page = &run.pages[*id];
        let layout = &page.layout;
        let described = expected["concrete_signature"] == "with_description";
        assert_eq!(expected["views"], layout.widgets().len(), "{id}");
        assert_eq!(expected["concrete_md5"], concrete_md5(layout, described), "{id}");
        let abstracts = [true, false].map(|description| abstract_md5(layout, description));
        let recorded = expected["abstract_md5"].as_str().unwrap();
        assert!(abstracts.iter().any(|md5| md5 == recorded), "{id}: {recorded}");
        let own = format!("{:?}", run.basis().abstract_id(layout));
        ours.entry(recorded.to_owned()).or_default().insert(own);
        let groups: BTreeMap<String, Vec<i64>> = groups::groups(layout)
            .iter()
            .map(|(group, members)| {
                (page.id(*group).to_string(), members.iter().map(|idx| page.id(*idx)).collect())
            })
            .collect();
        assert_eq!(expected["groups"], serde_json::to_value(groups).unwrap(), "{id}");
        let offered = candidates(layout, layout.package());
        assert_eq!(expected["candidate_events"], offered.len(), "{id}");
    }
    assert!(ours.values().all(|ids| ids.len() == 1), "our abstract ids are the same partition");
    let distinct: BTreeSet<&String> = ours.values().flatten().collect();
    assert_eq!(distinct.len(), ours.len(), "our abstract ids are the same partition");
    println!("{} layouts", expected.len());
}

fn action(event: &Value) -> CandidateAction {
    match event["type"].as_str().unwrap() {
        "touch" => CandidateAction::Tap,
        "long_touch" => CandidateAction::LongPress,
        "set_text" => CandidateAction::SetText,
        "scroll" => CandidateAction::Scroll(match event["direction"].as_str().unwrap() {
            "UP" => Direction::Up,
            "DOWN" => Direction::Down,
            "LEFT" => Direction::Left,
            "RIGHT" => Direction::Right,
            other => panic!("direction {other:?}"),
        }),
        other => panic!("event {other:?}"),
    }
}

fn kind(act: Act) -> &'static str {
    match act {
        Act::On(CandidateAction::Tap, _) => "touch",
        Act::On(CandidateAction::LongPress, _) => "long_touch",
        Act::On(CandidateAction::SetText, _) => "set_text",
        Act::On(CandidateAction::Scroll(_), _) => "scroll",
        Act::Back => "key",
    }
}

#[test]
fn the_model_clusters_as_recorded() {
    let Some(run) = run() else { return };
    for recorded in run.objects(&["transitions", "expected"]) {
        let (mut model, basis) = (GuiModel::default(), run.basis());
        for node in recorded["nodes"].as_array().unwrap() {
            model.see(&run.page(node).layout, basis);
        }
        let mut types: BTreeMap<&str, u64> = BTreeMap::new();
        for event in recorded["transitions"].as_array().unwrap() {
            let (from, to) = (run.page(&event["from"]), run.page(&event["to"]));
            let text = event["text"].as_str().unwrap_or("");
            let act = match event["type"] == "key" {
                true => Act::Back,
                false => Act::On(action(event), from.at(&event["receiver"])),
            };
            *types.entry(kind(act)).or_default() += 1;
            model.add(&from.layout, (act, text), &to.layout, basis);
        }
        let mut abstract_types: BTreeMap<&str, u64> = BTreeMap::new();
        for event in model.nodes().values().flat_map(|node| node.edges.values()).flat_map(BTreeMap::values) {
            *abstract_types.entry(kind(event.act)).or_default() += 1;
        }
        let edges =
            || model.nodes().iter().flat_map(|(id, node)| node.edges.iter().map(move |edge| (id, edge)));
        let expected = &recorded["expected"];
        assert_eq!(expected["abstract_nodes"], model.nodes().len());
        assert_eq!(expected["abstract_edges"], edges().count());
        assert_eq!(
            expected["abstract_event_classes"],
            edges().map(|(_, (_, events))| events.len()).sum::<usize>()
        );
        assert_eq!(
            expected["abstract_self_loop_edges"],
            edges().filter(|(from, (to, _))| from == to).count()
        );
        assert_eq!(expected["event_types"], serde_json::to_value(types).unwrap());
        assert_eq!(expected["abstract_event_types"], serde_json::to_value(abstract_types).unwrap());
    }
}

#[test]
fn receivers_are_found_again() {
    let Some(run) = run() else { return };
    let basis = LabelBasis::default();
    let entries = run.entries("planned_layout");
    for entry in &entries {
        let (planned, seen) = (run.page(&entry["planned_layout"]), run.page(&entry["runtime_layout"]));
        let receiver = planned.at(&entry["planned_receiver"]);
        let found = relocate(&planned.layout, receiver, &seen.layout, basis);
        let at = &entry["index"];
        assert_eq!(entry["expected_receiver"], seen.id(found[0].widget), "{at}");
        assert_eq!(entry["exact"], found[0].exact, "{at}");
        let by_content: Vec<WidgetIdx> =
            found.iter().filter(|found| found.content).map(|found| found.widget).collect();
        assert_eq!(entry["content_equal_candidates"], by_content.len(), "{at}");
        let of_kind = property_key(planned.layout.widget(receiver));
        let others = seen.layout.iter().filter(|(idx, widget)| {
            widget.is_actionable() && property_key(widget) == of_kind && !by_content.contains(idx)
        });
        assert_eq!(entry["property_equal_candidates"], others.count(), "{at}");
    }
    println!("{} relocations", entries.len());
}

#[test]
fn seeds_have_the_expected_active_views() {
    let Some(run) = run() else { return };
    let seeds = run.objects(&["states", "events", "active_views"]);
    let (mut rows, mut wrong) = (0, Vec::new());
    for seed in &seeds {
        let ours = active_views(&run, seed);
        let recorded = seed["active_views"]["rows"].as_array().unwrap();
        rows += recorded.len();
        let differ = recorded.iter().zip(&ours).filter(|(recorded, ours)| recorded != ours);
        wrong.extend(differ.map(|(recorded, ours)| format!("{}: {recorded} is {ours}", seed["id"])));
    }
    assert!(!seeds.is_empty(), "no seed tests with active views");
    assert!(wrong.is_empty(), "{} of {rows} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    println!("{rows} rows of {} seed tests", seeds.len());
}

/// The rows of a seed test as the engine computes them.
fn active_views(run: &Run, seed: &Value) -> Vec<Value> {
    let states = seed["states"].as_array().unwrap();
    let concrete = |index: usize| {
        let id = states[index].as_str().unwrap();
        run.expected_layouts()[id]["concrete_md5"].as_str().unwrap().to_owned()
    };
    // As in the published tool, positions with one concrete id share one set (Genie's paper.md, section 14, trap 5).
    let mut shared: BTreeMap<String, ActiveMap> = BTreeMap::new();
    let row = |(index, event): (usize, &Value)| {
        let page = run.page(&states[index]);
        let words = |active: &ActiveMap| -> BTreeMap<String, i64> {
            active.iter().map(|(group, member)| (page.id(*group).to_string(), page.id(*member))).collect()
        };
        let mut active = shared.get(&concrete(index)).cloned().unwrap_or_default();
        let similar = |earlier: &usize| {
            run.page(&states[*earlier]).layout.key(Same::Page) == page.layout.key(Same::Page)
        };
        let inherited = (0..index).rev().find(similar).map(|earlier| {
            let identical = concrete(earlier) == concrete(index);
            if !identical {
                let from = &run.page(&states[earlier]).layout;
                let known = &shared[&concrete(earlier)];
                active.extend(groups::carry(from, known, &page.layout, LabelBasis::default()));
            }
            json!({ "index": earlier, "kind": if identical { "identical" } else { "similar" } })
        });
        let before = words(&active);
        let selectable = groups::selectable(&page.layout, &active);
        let selectable: Vec<i64> = selectable.iter().map(|idx| page.id(*idx)).collect();
        if !event["receiver"].is_null() {
            groups::enter(
                &page.layout,
                &groups::groups(&page.layout),
                &mut active,
                page.at(&event["receiver"]),
            );
        }
        let after = words(&active);
        shared.insert(concrete(index), active);
        json!({
            "index": index, "inherited_from": inherited, "active_before": before, "active_after": after,
            "selectable": selectable,
        })
    };
    seed["events"].as_array().unwrap().iter().enumerate().map(row).collect()
}

/// A seed test, a mutant of it, and what is expected of the two.
struct Pair<'r> {
    run: &'r Run,
    recorded: &'r Value,
    seed: &'r Value,
    judge: EffectJudge,
}

fn pairs(run: &Run) -> Vec<Pair<'_>> {
    let seeds = run.objects(&["id", "states", "events"]);
    let recorded = run.objects(&["comparisons", "mutant"]).into_iter().chain(run.entries("comparisons"));
    recorded
        .map(|recorded| {
            let seed = match recorded["seed"].as_str() {
                Some(id) => seeds.iter().find(|seed| seed["id"] == id).unwrap(),
                None => &recorded["seed"],
            };
            let rule = EffectRule { context: ContextLevel::Widget, ..EffectRule::default() };
            Pair { run, recorded, seed, judge: EffectJudge::new(rule) }
        })
        .collect()
}

/// What is compared: the numbers in the files.
fn numbers(value: &Value) -> (usize, usize) {
    (value[0].as_u64().unwrap() as usize, value[1].as_u64().unwrap() as usize)
}

/// The layouts of a test, where they belong to the app.
type Shown = Vec<Option<Arc<Prepared>>>;

impl Pair<'_> {
    fn layouts(&mut self) -> (Shown, Shown) {
        let (seed, mutant) =
            (self.run.layouts(&self.seed["states"]), self.run.layouts(&self.recorded["mutant"]["states"]));
        (self.judge.prepare_all(&seed), self.judge.prepare_all(&mutant))
    }

    /// Judges every comparison; gives the batches by their number.
    fn check(&mut self) -> BTreeMap<u64, Batch> {
        let name = self.recorded["id"].as_str().unwrap();
        let (seed, mutant) = self.layouts();
        let number = |key: &str| self.recorded[key].as_u64().unwrap() as usize;
        let test = TestPair {
            seed: &seed,
            mutant: &mutant,
            position: number("insertion_position"),
            inserted: number("inserted_length"),
            detour: None,
        };
        let expected = self.recorded["comparisons"].as_array().unwrap();
        let listed: BTreeSet<_> = expected
            .iter()
            .map(|comparison| (numbers(&comparison["seed_pair"]), numbers(&comparison["mutant_pair"])))
            .collect();
        let ours: BTreeSet<_> = test.places().iter().map(|at| (at.seed, at.mutant)).collect();
        assert_eq!(ours, listed, "{name}");
        let judged = self.judge.judge(test);
        let (mut batches, mut violating) = (BTreeMap::new(), 0);
        for comparison in expected {
            let at = numbers(&comparison["seed_pair"]);
            let places = *test.places().iter().find(|places| places.seed == at).unwrap();
            let compared: Vec<_> = (0..TieOrder::ALL.len())
                .map(|order| self.judge.compare(test, places, order).unwrap())
                .collect();
            assert_eq!(comparison["seed_distance"], compared[0].seed_distance, "{name} {at:?}");
            assert_eq!(comparison["mutant_distance"], compared[0].mutant_distance, "{name} {at:?}");
            if comparison["tie_stable"] != true {
                continue;
            }
            let violates = comparison["violates"].as_bool().unwrap();
            for compared in &compared {
                assert_eq!(!compared.unmatched_seed.is_empty(), violates, "{name} {at:?}");
            }
            let batch = judged.iter().find(|batch| batch.places.seed == at);
            assert_eq!(batch.is_some_and(|batch| batch.firm), violates, "{name} {at:?}");
            let Some(batch) = batch else { continue };
            violating += 1;
            self.check_unmatched(comparison, batch);
            if let Some(number) = comparison["recorded_batch"].as_u64() {
                batches.insert(number, batch.clone());
            }
        }
        self.check_verdict(expected.len(), violating, judged.is_empty());
        println!("{name}: {violating} of {} violate", expected.len());
        batches
    }

    fn check_unmatched(&self, comparison: &Value, batch: &Batch) {
        let page = |states: &Value, index: usize| self.run.page(&states[index]);
        for (side, effects, states, at) in [
            ("unmatched_seed", &batch.unmatched_seed, &self.seed["states"], batch.places.seed),
            (
                "unmatched_mutant",
                &batch.unmatched_mutant,
                &self.recorded["mutant"]["states"],
                batch.places.mutant,
            ),
        ] {
            let Some(expected) = comparison[side].as_array() else { continue };
            let view = |index: usize, idx: Option<WidgetIdx>| idx.map(|idx| page(states, index).id(idx));
            let mut ours: Vec<(&str, Option<i64>, Option<i64>)> = effects
                .iter()
                .map(|effect| {
                    let op = match (effect.from, effect.to) {
                        (Some(_), Some(_)) => "CHANGE",
                        (Some(_), None) => "DELETE",
                        (None, _) => "INSERT",
                    };
                    (op, view(at.0, effect.from), view(at.1, effect.to))
                })
                .collect();
            let words = |effect: &'_ Value| {
                let op = ["CHANGE", "DELETE", "INSERT"].into_iter().find(|op| effect["op"] == *op).unwrap();
                (op, effect["from_view"].as_i64(), effect["to_view"].as_i64())
            };
            let mut expected: Vec<_> = expected.iter().map(words).collect();
            ours.sort();
            expected.sort();
            assert_eq!(ours, expected, "{} {side} {:?}", self.recorded["id"], batch.places.seed);
        }
    }

    fn check_verdict(&self, comparisons: usize, violating: usize, clean: bool) {
        let verdict = &self.recorded["verdict"];
        let first = |keys: [&str; 2]| keys.iter().find_map(|key| verdict.get(key)).unwrap().clone();
        assert_eq!(first(["total_comparisons", "comparisons_in_this_file"]), comparisons);
        if verdict.get("tie_stable").is_none_or(|stable| stable == true) {
            assert_eq!(first(["violating_comparisons", "violating_comparisons_in_this_file"]), violating);
            assert_eq!(verdict["semantic_error"], !clean);
        }
    }

    /// Merges the batches, with and without views ignored.
    fn check_errors(&mut self, batches: &BTreeMap<u64, Batch>) {
        let (seed, mutant) = self.layouts();
        let test = TestPair { seed: &seed, mutant: &mutant, position: 0, inserted: 0, detour: None };
        let Some(variants) = self.recorded["unique_errors"].as_object() else { return };
        for (name, expected) in variants.iter().filter(|(_, expected)| expected.get("unique").is_some()) {
            let ignored: Vec<WidgetKind> = expected["ignored_views"]
                .as_array()
                .unwrap()
                .iter()
                .map(|view| WidgetKind {
                    activity: view["activity"].as_str().unwrap().into(),
                    class: view["class"].as_str().unwrap().into(),
                    resource_id: view["resource_id"].as_str().map(Into::into),
                })
                .collect();
            let left: Vec<(u64, Option<Batch>)> =
                batches.iter().map(|(number, batch)| (*number, batch.without(test, &ignored))).collect();
            let dropped: Vec<u64> =
                left.iter().filter(|(_, batch)| batch.is_none()).map(|(number, _)| *number).collect();
            let (kept, kept_batches): (Vec<u64>, Vec<Batch>) =
                left.into_iter().filter_map(|(number, batch)| Some((number, batch?))).unzip();
            let errors = merge_batches(&kept_batches);
            let unique: Vec<u64> = errors.iter().map(|error| kept[error.batches[0]]).collect();
            let duplicates: BTreeMap<String, u64> = errors
                .iter()
                .flat_map(|error| {
                    let first = kept[error.batches[0]];
                    error.batches[1..].iter().map(move |batch| (batch, first))
                })
                .map(|(batch, first)| (kept[*batch].to_string(), first))
                .collect();
            assert_eq!(expected["unique"], serde_json::to_value(unique).unwrap(), "{name}");
            assert_eq!(expected["duplicate_of"], serde_json::to_value(duplicates).unwrap(), "{name}");
            assert_eq!(expected["dropped"], serde_json::to_value(dropped).unwrap(), "{name}");
            println!("{name}: {} errors", errors.len());
        }
    }

    /// Plays the plan on the layouts that were seen.
    fn check_plan(&self) {
        let Some(plan) = self.recorded["mutant_plan"].as_array() else { return };
        let (mut faithful, events) = (true, self.recorded["mutant"]["events"].as_array().unwrap());
        for (event, planned) in events.iter().zip(plan).filter(|(_, planned)| planned["from"].is_string()) {
            let index = event["index"].as_u64().unwrap() as usize;
            let (from, seen) =
                (self.run.page(&planned["from"]), self.run.page(&self.recorded["mutant"]["states"][index]));
            let receiver = from.at(&planned["receiver"]);
            let found = relocate(&from.layout, receiver, &seen.layout, LabelBasis::default());
            assert_eq!(event["receiver"], seen.id(found[0].widget), "event {index}");
            assert_eq!(event["inserted"], planned["inserted"]);
            faithful &= found[0].exact;
        }
        let verdict = &self.recorded["verdict"];
        assert_eq!(verdict["fully_replayed"], plan.len() == events.len());
        assert_eq!(verdict["faithfully_replayed"], faithful);
    }
}

#[test]
fn mutants_are_judged_as_recorded() {
    let Some(run) = run() else { return };
    let pairs = pairs(&run);
    assert!(!pairs.is_empty(), "no pairs of seed test and mutant");
    for mut pair in pairs {
        let batches = pair.check();
        pair.check_errors(&batches);
        pair.check_plan();
    }
}

/// How many of the pairs of some kinds the rule flags by a firm violation, and of how many.
fn flagged(run: &Run, rule: &EffectRule, kinds: &[&str]) -> (usize, usize) {
    let mut judge = EffectJudge::new(rule.clone());
    let mut flags = |pair: &Pair<'_>| {
        let seed = judge.prepare_all(&run.layouts(&pair.seed["states"]));
        let mutant = judge.prepare_all(&run.layouts(&pair.recorded["mutant"]["states"]));
        let number = |key: &str| pair.recorded[key].as_u64().unwrap() as usize;
        let (position, inserted) = (number("insertion_position"), number("inserted_length"));
        let test = TestPair { seed: &seed, mutant: &mutant, position, inserted, detour: None };
        judge.judge(test).iter().any(|batch| batch.firm)
    };
    // The one mutant that was executed has no kind; the tool's authors confirm its bug.
    let kind = |pair: &Pair<'_>| pair.recorded["kind"].as_str().unwrap_or("confirmed").to_owned();
    let pairs: Vec<Pair<'_>> = pairs(run).into_iter().filter(|pair| kinds.contains(&&*kind(pair))).collect();
    (pairs.iter().filter(|pair| flags(pair)).count(), pairs.len())
}

#[test]
fn the_rules_flag_losses_and_nothing_else() {
    let Some(run) = run() else { return };
    let lost = ["confirmed", "lost-effect", "wrong-text"];
    let others = ["loop-only", "extra-item", "unrelated-item-lost"];
    let count = |rule: &EffectRule, kinds: &[&str]| flagged(&run, rule, kinds);
    let published = EffectRule { context: ContextLevel::Widget, ..EffectRule::default() };
    let (found, all) = count(&published, &lost);
    assert!(all > 0 && found * 20 >= all * 19, "the published tool's rule flags {found} of {all} losses");
    let rule = GenieConfig::default().rule(&[]);
    println!("{:?} losses", count(&rule, &lost));
    assert_eq!(count(&rule, &others).0, 0, "others");
}
