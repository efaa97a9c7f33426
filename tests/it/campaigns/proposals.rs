//! Free walks are cut into the functions that they hold: of the right kind, about the right objects, and never
//! with a condition that cannot fail.

use std::sync::Arc;

use taproof_engine::device::RecordedDevice;
use taproof_engine::{
    CampaignStats, InputSource, Limits, NoWatcher, RoundCtx, RoundDoor, RunOutcome, RunPolicy, TestTarget,
    run_dmf,
};
use taproof_phone::apps::{APPS, phone_with, shipped_specs};
use taproof_phone::{BugSet, Fonts};
use taproof_screen::determinism::{DeviceDuration, Rng};
use taproof_screen::{Event, Key, RecordedStep, Selector, StepRole, Verdict};
use taproof_spec::format::DmfFile;
use taproof_spec::{
    CanFail, ConditionWhich, Dmf, Input, PLAIN_CLASSES, Proposal, Severity, Spec, lint, propose,
};

/// What is done on the way.
enum Do {
    /// A shipped function, by a person who knows it.
    Dmf(&'static str),
    /// Anything else.
    Noise(Box<Event>),
}
use Do::{Dmf as Function, Noise};

fn back() -> Do {
    Noise(Box::new(Event::Key(Key::Back)))
}

/// A function as it was done: the DMF, what it typed and chose.
struct Performed {
    dmf: Dmf,
    texts: Vec<String>,
}

impl Performed {
    fn is_of_kind(&self, proposal: &Proposal) -> bool {
        proposal.kind == self.dmf.kind && proposal.data_type == self.dmf.data_type
    }

    /// Whether all its texts are objects of the proposal.
    fn speaks_of(&self, proposal: &Proposal) -> bool {
        self.texts.iter().all(|text| objects(proposal).contains(text))
    }
}

fn actions(dmf: &Dmf) -> Vec<&str> {
    dmf.steps.iter().map(|step| step.action.word()).collect()
}

/// Does it all on a sound phone; the trace says only where the finger went.
fn walk(app: &str, todo: &[Do]) -> (Vec<RecordedStep>, Vec<Performed>) {
    let app = APPS.iter().find(|it| it.short_name() == app).unwrap();
    let file = shipped_specs(app.short_name()).find(|spec| spec.path.contains("/dmf_")).unwrap();
    let mut dmfs = DmfFile::parse(file.text).unwrap().spec.dmfs;
    for step in dmfs.iter_mut().flat_map(|dmf| dmf.steps.iter_mut().chain(&mut dmf.lead_in)) {
        if let Input::Fresh(fresh) = &mut step.input {
            fresh.classes = PLAIN_CLASSES.to_vec();
        }
    }
    let package = app.manifest().package;
    let target = TestTarget::new(package, &Spec { dmfs: dmfs.clone(), ..Spec::default() }, true);
    let mut phone = phone_with(&Arc::new(Fonts::new()), package, &BugSet::none());
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
    ctx.start().unwrap();
    let mut performed = Vec::new();
    for one in todo {
        match one {
            Noise(event) => ctx.perform(Event::clone(event), StepRole::Explored).unwrap(),
            Function(name) => {
                let index = dmfs.iter().position(|dmf| dmf.name == *name).unwrap();
                assert!(ctx.ready(index), "{name} cannot begin");
                let policy = RunPolicy { scroll_limit: 20, ..RunPolicy::default() };
                let outcome = run_dmf(&mut ctx, index, InputSource::Draw(&mut rng), policy).unwrap();
                assert_eq!(outcome, RunOutcome::Finished(Verdict::Holds), "{name}");
                let texts = ctx.trace().spans.last().unwrap().texts();
                performed.push(Performed { dmf: dmfs[index].clone(), texts });
            }
        }
    }
    let trace = ctx.trace();
    let mut steps: Vec<RecordedStep> = Vec::new();
    for (number, step) in trace.steps().iter().enumerate() {
        let after = step.after.layout.clone();
        if let Event::Wait(_) = step.event {
            if let Some(last) = steps.last_mut() {
                last.after = after;
            }
            continue;
        }
        let mut event = step.event.clone();
        if let Event::Widget { target, .. } = &mut event {
            target.selector = Selector::default();
        }
        steps.push(RecordedStep { event, before: trace.frame(number).unwrap().layout.clone(), after });
    }
    (steps, performed)
}

fn words(proposal: &Proposal) -> String {
    format!(
        "{:?} {} (steps {} to {}, {} times, {:?}): {}",
        proposal.kind,
        proposal.name,
        proposal.steps.start + 1,
        proposal.steps.end,
        proposal.count,
        proposal.confidence,
        proposal.reason
    )
}

/// No proposal has a condition that cannot fail, that does not hold on its recording, or an error.
fn sound(proposals: &[Proposal]) {
    for proposal in proposals {
        println!("  {}\n    {}", words(proposal), proposal.key);
        for note in proposal.draft.notes.iter().filter(|note| note.doubtful) {
            println!("    ! {:?} {}", note.widget, note.text);
        }
        for truth in proposal.draft.truths() {
            assert_eq!(truth.problem, None, "{}", words(proposal));
            let vacuous = matches!(truth.can_fail, CanFail::No { .. })
                && matches!(truth.which, ConditionWhich::Post(_));
            assert!(!vacuous, "{}: {truth:?}", words(proposal));
        }
        let spec = Spec { dmfs: vec![proposal.draft.dmf.clone()], ..Spec::default() };
        let error = lint(&spec).into_iter().find(|finding| finding.code.severity() == Severity::Error);
        assert_eq!(error.map(|error| error.to_string()), None, "{}", words(proposal));
    }
}

fn objects(proposal: &Proposal) -> Vec<String> {
    proposal.draft.objects.iter().map(|object| object.text.clone()).collect()
}

/// The proposals hold exactly these functions, each with its objects.
fn check(app: &str, todo: &[Do]) {
    let (steps, performed) = walk(app, todo);
    let nouns: Vec<String> = performed.iter().map(|it| it.dmf.data_type.clone()).collect();
    for known in [&[][..], &nouns[..]] {
        let proposals = propose(&steps, known);
        println!("{app}, {} steps, nouns {known:?}", steps.len());
        sound(&proposals);
        for function in &performed {
            let found: Vec<&Proposal> = proposals.iter().filter(|it| function.is_of_kind(it)).collect();
            let told: Vec<_> = found.iter().map(|it| (actions(&it.draft.dmf), objects(it))).collect();
            let (name, texts) = (&function.dmf.name, &function.texts);
            let theirs = actions(&function.dmf);
            let equal = found.iter().any(|proposal| {
                let ours = actions(&proposal.draft.dmf);
                // Of a function that is reached over pages the cut may take the last page's part, with all that
                // is typed. Of several runs of one function a proposal shows one.
                let part = theirs.windows(ours.len()).any(|part| part == ours);
                let typed = |all: &[&str]| all.iter().filter(|word| **word == "edit").count();
                let mut runs = performed.iter().filter(|run| run.dmf.name == *name);
                part && typed(&ours) == typed(&theirs)
                    && (ours.len() > 1 || theirs.len() == 1)
                    && runs.any(|run| run.speaks_of(proposal))
            });
            assert!(equal, "{name}: {theirs:?} {texts:?}, proposed {told:?}");
        }
        for proposal in &proposals {
            let expected = performed.iter().any(|it| it.is_of_kind(proposal) && it.speaks_of(proposal));
            assert!(expected, "nobody did {} {:?}", words(proposal), objects(proposal));
        }
    }
}

#[test]
fn files_is_used_for_a_while() {
    let rotate = || Noise(Box::new(Event::Rotate));
    check(
        "files",
        &[
            Function("add folder"),
            rotate(),
            rotate(),
            Function("add folder"),
            Function("edit folder"),
            Function("delete folder"),
        ],
    );
}

#[test]
fn folders_and_files_are_told_apart() {
    let all =
        [Function("add folder"), Function("add file"), Function("add folder"), Function("delete folder")];
    check("files", &all);
}

#[test]
fn an_object_is_searched_for() {
    check("files", &[Function("add folder"), Function("search folder")]);
    check("notes", &[Function("add note"), Function("add note"), Function("search note")]);
    check("diary", &[Function("add activity"), Function("search activity")]);
}

#[test]
fn notes_is_used_for_a_while() {
    let all = [Function("add note"), Function("view note"), back(), Function("delete note")];
    check("notes", &all);
}

#[test]
fn diary_is_used_for_a_while() {
    check("diary", &[Function("add activity"), Function("edit activity"), Function("delete activity")]);
}

#[test]
fn walks_of_a_real_android_show_what_was_done() {
    let Some(data) = taproof_testing::data() else { return };
    let proposed = |name: &str| -> Vec<String> {
        let device = RecordedDevice::open(&data.join("android44/walks").join(name)).unwrap();
        let steps: Vec<RecordedStep> = device.recorded_steps().collect();
        let proposals = propose(&steps, &[]);
        println!("{name}");
        sound(&proposals);
        let told =
            |it: &Proposal| format!("{} {}-{} {:?}", it.name, it.steps.start + 1, it.steps.end, objects(it));
        proposals.iter().map(told).collect()
    };
    assert_eq!(
        proposed("activitydiary-create"),
        ["add activity 1-4 [\"Reading\"]", "add note 6-8 [\"matinee\"]"]
    );
    let twice = ["add note 1-3 [\"buy milk\"]", "add1 note 4-6 [\"call Ann\"]"];
    assert_eq!(proposed("notepad-create"), twice);
    let looked_at = ["view note 1-1 [\"call Ann\"]", "delete note 6-7 [\"call Ann\"]"];
    assert_eq!(proposed("notepad-edit"), looked_at);
    assert_eq!(proposed("benchapp-list"), Vec::<String>::new());
}

#[test]
fn the_command_line_drafts_all_that_a_walk_holds() {
    let Some(data) = taproof_testing::data() else { return };
    let folder = tempfile::tempdir().unwrap();
    let run = |walk: &str, words: &[&str]| {
        let walk = data.join("android44/walks").join(walk);
        let mut command = std::process::Command::new(taproof_testing::program::path());
        let command = command.args(["spec", "draft"]).arg(walk).args(words).current_dir(folder.path());
        let output = command.output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, printed, told) = run("notepad-create", &["--all", "--out", "all.json"]);
    assert_eq!((code, printed.as_str()), (Some(0), ""), "{told}");
    assert!(told.contains("add note: steps 1 to 3. After "), "{told}");
    let written = std::fs::read_to_string(folder.path().join("all.json")).unwrap();
    let names: Vec<String> =
        DmfFile::parse(&written).unwrap().spec.dmfs.iter().map(|dmf| dmf.name.clone()).collect();
    assert_eq!(names, ["add note", "add1 note"]);
    let (code, printed, _) = run("notepad-create", &["--all", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(code, Some(0));
    assert_eq!(json["proposals"][0]["objects"][0]["text"], "buy milk");
    assert_eq!(json["file"]["dmfs"].as_array().unwrap().len(), 2);
    let (code, printed, told) = run("benchapp-list", &["--all"]);
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{told}");
    assert!(told.contains("nothing in the walk looks like a function"), "{told}");
    assert_eq!(run("notepad-create", &["--all", "--type", "add"]).0, Some(2));
}
