//! Specifications, Fastbot's rules, and what Fastbot2 has learned.

use super::layouts::dumps;
use super::{FuzzTarget, joined, parts, plain, seen};
use taproof_engine::{Engine, Fastbot2, Fastbot2Config};
use taproof_screen::determinism::Rng;
use taproof_spec::format::{DmfFile, RULE_FILES, block_list, parse_user_rules, spec_version};

use taproof_engine::fastbot2::{HyperEvent, ReuseModel};
use taproof_phone::apps::{APPS, BundledApp};
use taproof_results::store::{model_from_bytes, model_to_bytes};
use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Gesture, Key, Layout, PxRect, Text, WidgetIdx};
use taproof_spec::{
    ActionKind, Bindings, Block, BlockedTouches, CompiledSpec, DataModel, ImpactOp, Input, Scene,
    ScriptAction, Spec, derived_blocks, generate, is_key_forbidden, lint, still_means, stuck_functions,
};

pub(super) const SPEC: FuzzTarget = FuzzTarget {
    name: "spec",
    about: "PBFDroid's JSON: read, linted, compiled, judged on screens, texts drawn, edited, saved again",
    inputs: 60,
    prepare: || {
        let layouts = layouts();
        Box::new(move |bytes| use_spec_text(&String::from_utf8_lossy(bytes), &layouts))
    },
    seeds: || {
        APPS.iter()
            .flat_map(BundledApp::spec_files)
            .map(|spec| spec.text.as_bytes().to_vec())
            .chain([SMALL.to_vec()])
            .collect()
    },
    files: &[".json"],
    words: &[
        "\"dmfs\"",
        "\"keyviews\"",
        "\"taproof_invariants\"",
        "\"name\"",
        "\"type\"",
        "\"datatype\"",
        "\"proportion\"",
        "\"events\"",
        "\"widgets\"",
        "\"impacts\"",
        "\"preconditions\"",
        "\"post-conditions\"",
        "\"action\"",
        "\"widget\"",
        "\"text\"",
        "\"force\"",
        "\"UI_layout_num\"",
        "\"instance\"",
        "\"relation\"",
        "\"operator\"",
        "\"object\"",
        "\"view\"",
        "\"taproof_order\"",
        "\"taproof_row\"",
        "\"taproof_role\"",
        "\"taproof_beside\"",
        "\"right-of\"",
        "\"taproof_text\"",
        "\"taproof_refusal\"",
        "\"taproof_lead_in\"",
        "\"taproof_scroll\"",
        "\"taproof_event\"",
        "\"taproof_reason\"",
        "\"when\"",
        "\"holds\"",
        "\"resource-id\"",
        "\"class\"",
        "\"content-desc\"",
        "\"xpath\"",
        "\"in\"",
        "\"not in\"",
        "\"add\"",
        "\"delete\"",
        "\"edit\"",
        "\"search\"",
        "\"click\"",
        "\"random\"",
        "\"note::random\"",
        "#any#",
        "\"smaller::2\"",
        "\"plain:3, existing:1 of note\"",
        "\"hostile:1\"",
        "\"long\"",
        "null",
        "true",
        "-1",
        "[]",
        "{}",
        "\\ud800",
        "1e999",
        "\"<node a='1'/>\"",
    ],
};

const SMALL: &[u8] = br#"{ "dmfs": [
  {"name": "add note", "type": "add", "datatype": "note", "proportion": 7,
   "events": [{"action": "click", "widget": "e1_widget", "force": "false"},
              {"action": "edit", "widget": "e2_widget", "text": "random", "taproof_text": "symbols:2, long:1 of note"}],
   "widgets": [{"name": "e1_widget", "resource-id": "org.ex:id/fab", "UI_layout_num": 0},
               {"name": "e2_widget", "class": "android.widget.EditText", "UI_layout_num": "1", "taproof_row": "e1_widget"}],
   "preconditions": [{"relation": "in", "widget": "e1_widget"}], "post-conditions": [{"relation": "not in", "widget": "e2_widget"}],
   "impacts": [{"operator": "add", "object": "e2_widget.text"}]}],
  "taproof_invariants": [{"name": "a", "widgets": [], "when": [], "holds": []}]}"#;

pub(super) const RULES: FuzzTarget = FuzzTarget {
    name: "rules",
    about: "Fastbot's rule files, each a name and its text: read, and applied to screens",
    inputs: 500,
    prepare: || {
        let layouts = layouts();
        Box::new(move |bytes| use_rules(bytes, &layouts))
    },
    seeds: || vec![joined(&RULE_SEEDS.map(str::as_bytes))],
    files: &[],
    words: &[
        "max.widget.black\n",
        "max.tree.pruning\n",
        "max.xpath.actions\n",
        "max.config\n",
        "awl.strings\n",
        "max.fuzzing.strings\n",
        "\"activity\"",
        "\"xpath\"",
        "\"bounds\"",
        "\"resourceid\"",
        "\"contentdesc\"",
        "\"text\"",
        "\"classname\"",
        "\"clickable\"",
        "\"prob\"",
        "\"times\"",
        "\"actions\"",
        "\"throttle\"",
        "\"action\"",
        "\"CLICK\"",
        "\"BACK\"",
        "\"SCROLL_TOP_DOWN\"",
        "\"[0,0][9,9]\"",
        "\"0.1,0.2,1.0,1e300\"",
        "max.doRotateFuzzing = 0.5",
        "//*[@text='a']",
        "null",
        "-1",
        "1e999",
    ],
};

const RULE_SEEDS: [&str; 5] = [
    "max.widget.black\n[{\"activity\": \"org.taproof.files.MainActivity\", \"xpath\": \"//*[@text='a']\", \
     \"bounds\": \"[0,100][200,300]\"}, {\"activity\": \"org.taproof.files.MainActivity\", \"bounds\": \"0.1,0.2,0.9,0.8\"}]",
    "max.tree.pruning\n[{\"activity\": \"org.taproof.files.MainActivity\", \"xpath\": \"//*\", \"resourceid\": \"a\", \
     \"contentdesc\": \"b\", \"text\": \"c\", \"classname\": \"d\", \"clickable\": true}]",
    "max.xpath.actions\n[{\"activity\": \"org.taproof.files.MainActivity\", \"prob\": 1, \"times\": 3, \"actions\": \
     [{\"xpath\": \"//*[@text='a']\", \"action\": \"CLICK\", \"text\": \"x\", \"throttle\": 200}]}]",
    "max.config\nmax.randomPickFromStringList = true\nmax.doRotateFuzzing = 0.5\n",
    "awl.strings\norg.taproof.files.MainActivity\n",
];

pub(super) const MODEL: FuzzTarget = FuzzTarget {
    name: "model",
    about: "the file of what Fastbot2 has learned: read, merged, aged, written again",
    inputs: 3000,
    prepare: || plain(use_model),
    seeds: || {
        [some_model(), ReuseModel::of("org.ex")].iter().map(|model| model_to_bytes(model).unwrap()).collect()
    },
    files: &[".model"],
    words: &["\u{4}\0\u{4}\0", "\u{8}\0", "\u{c}\0\0\0", "\u{1}", "\u{ff}"],
};

/// A window that no screen has, as a dump may say it.
const FAR: PxRect = PxRect { left: i32::MIN, top: 1_000_000_000, right: 0, bottom: i32::MAX };

fn layouts() -> Vec<Layout> {
    dumps().iter().filter_map(|dump| parse_hierarchy(dump).ok()).map(|parsed| parsed.layout).collect()
}

/// What is done with the text of a specification.
fn use_spec_text(text: &str, layouts: &[Layout]) {
    let Ok(file) = DmfFile::parse(text) else { return };
    seen(file.findings.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(file.save(&file.spec), text, "saved without a change it is another text");
    let again = DmfFile::parse(&file.canonical());
    assert!(
        again.is_ok_and(|again| again.spec.dmfs.len() == file.spec.dmfs.len()),
        "its canonical form lost a DMF"
    );
    seen((spec_version([&file]), block_list(&file.spec), lint(&file.spec)));
    let all: Vec<_> = file.spec.dmfs.iter().collect();
    seen((stuck_functions(&all, true), stuck_functions(&all, false)));
    // A person edits one at a time.
    for index in 0..file.spec.dmfs.len().min(3) {
        if let Some(dmf) = file.dmf_text(index) {
            seen(file.with_dmf_text(index, &dmf));
        }
    }
    let fewer = Spec { blocks: file.spec.blocks.clone(), ..Spec::default() };
    let saved = DmfFile::parse(&file.save(&fewer));
    assert!(
        saved.is_ok_and(|saved| saved.spec == fewer),
        "saved without its DMFs it is another specification"
    );
    use_spec(&file.spec, layouts);
}

/// What is done with a specification that was read.
pub(super) fn use_spec(spec: &Spec, layouts: &[Layout]) {
    let blocks = derived_blocks(spec);
    let compiled = CompiledSpec::new(spec);
    let (mut data, bindings, mut rng) = (DataModel::new(), Bindings::default(), Rng::from_seed(7));
    for dmf in &spec.dmfs {
        seen(data.apply(&dmf.data_type, &ImpactOp::Add, "some name"));
        for step in &dmf.steps {
            if let Input::Fresh(fresh) = &step.input {
                let drawn = generate(fresh, &dmf.data_type, &data, &mut rng);
                seen(drawn.map(|drawn| still_means(fresh, &dmf.data_type, &data, &drawn)));
            }
        }
        seen(data.apply_impacts(dmf, &bindings));
    }
    for layout in layouts {
        let app = layout.package();
        let scene = Scene { layout, data: &data, app, bindings: &bindings };
        for dmf in &compiled.dmfs {
            seen((dmf.preconditions_hold(layout, &data, app), dmf.check_preconditions(&scene)));
            seen(dmf.check_postconditions(&scene));
            seen(dmf.dmf.steps.iter().map(|step| dmf.target(step).is_some()).collect::<Vec<_>>());
        }
        for invariant in &compiled.invariants {
            seen(invariant.check(layout, &data, app));
        }
        for block in blocks.iter().chain(&spec.blocks) {
            seen((
                block.pattern.is_shown(layout),
                is_key_forbidden(std::slice::from_ref(block), layout, Key::Back),
                is_key_forbidden(std::slice::from_ref(block), layout, Key::ImeAction),
            ));
        }
        let all: Vec<Block> = blocks.iter().chain(&spec.blocks).cloned().collect();
        let blocked = BlockedTouches::new(&all, layout);
        let forbidden =
            |idx: WidgetIdx| blocked.forbid(idx, layout.widget(idx).bounds.center(), &Gesture::Tap);
        seen(layout.iter().filter(|(idx, _)| forbidden(*idx)).count());
    }
}

fn use_rules(bytes: &[u8], layouts: &[Layout]) {
    let named = |part: &[u8]| {
        let text = String::from_utf8_lossy(part).into_owned();
        let (name, text) = text.split_once('\n').unwrap_or((RULE_FILES[2], &text));
        (name.to_owned(), text.to_owned())
    };
    let files: Vec<(String, String)> = parts(bytes).into_iter().map(named).collect();
    let (rules, problems) = match parse_user_rules(&files) {
        Ok(read) => read,
        Err(error) => return seen(error.to_string()),
    };
    seen(problems.iter().map(ToString::to_string).collect::<Vec<_>>());
    for layout in layouts {
        seen((rules.may_enter(layout.activity(), "org.ex.Home"), rules.refused_by(layout.activity())));
        // Rules of another activity say nothing of a screen: each is tried as one of this activity.
        for mut rule in rules.pruning.clone() {
            rule.activity = layout.activity().to_string();
            seen(rule.apply(layout, &rule.matches(layout)));
        }
        for mut rule in rules.blocked.clone() {
            rule.activity = layout.activity().to_string();
            let screen = PxRect::new(0, 0, layout.screen().width, layout.screen().height);
            for window in
                layout.widgets().first().map(|widget| widget.bounds).into_iter().chain([screen, FAR])
            {
                seen(rule.blocked(layout, window));
            }
        }
        for action in rules.sequences.iter().flat_map(|sequence| &sequence.actions) {
            if let ScriptAction::On { xpath, .. } = action {
                seen(xpath.select(layout));
            }
        }
    }
    seen(Fastbot2::new(Fastbot2Config { rules, ..Fastbot2Config::default() }, "org.ex").stats());
}

fn some_model() -> ReuseModel {
    let mut model = ReuseModel::of("org.ex");
    let event = |number: u64| HyperEvent {
        activity: Text::from(format!("org.ex/.Activity{number}")),
        resource_id: Text::from("org.ex:id/a"),
        class: Text::from("android.widget.Button"),
        static_text: Text::from("Save"),
        kind: ActionKind::Back,
    };
    for number in 0..4 {
        model.add(event(number), Text::from(format!("org.ex.Activity{}", number + 1)), number as u32);
    }
    model.saw_version("1.0");
    model
}

fn use_model(bytes: &[u8]) {
    let mut model = match model_from_bytes(bytes) {
        Ok(model) => model,
        Err(error) => return seen(error.to_string()),
    };
    let again = model_from_bytes(&model_to_bytes(&model).unwrap());
    assert!(again.is_ok_and(|again| again == model), "written again it is another model");
    seen((model.activities().len(), model.transitions(), model.is_empty()));
    seen(model.events().map(|(event, _)| (event.key(), event.caption())).collect::<Vec<_>>());
    let other = model.clone();
    seen(model.merge(&other).is_ok());
    seen(model.since(&other));
    Fastbot2Config::default().age(&mut model);
    model.scale(0.5);
}
