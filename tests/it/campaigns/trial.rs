//! Trying a DMF: right ones hold every time, wrong ones are told apart from bugs of the app.

use std::sync::Arc;

use taproof_campaign::{
    DeviceChoice, NullSink, Target, TrialEnd, TrialOutcome, TrialPlan, TrialReport, TrialRun, TrialSink,
    try_dmf,
};
use taproof_engine::NotExecuted;
use taproof_engine::device::Build;
use taproof_engine::worker::CancelToken;
use taproof_phone::BundledPhones;
use taproof_phone::apps::{APPS, BundledApp, shipped_specs, specified_apps};
use taproof_spec::format::DmfFile;
use taproof_spec::{DataModel, Dmf, Spec, TextPattern};

struct Counter(usize, usize, CancelToken);

impl TrialSink for Counter {
    fn begins(&mut self, run: usize) {
        self.0 = run;
        if run > self.1 {
            self.2.cancel();
        }
    }
}

fn shipped(app: &BundledApp) -> Spec {
    let file = shipped_specs(app.short_name()).find(|spec| spec.path.contains("/dmf_")).unwrap();
    DmfFile::parse(file.text).unwrap().spec
}

fn app(name: &str) -> &'static BundledApp {
    APPS.iter().find(|app| app.short_name() == name).unwrap()
}

fn plan(app: &BundledApp, spec: Spec, dmf: usize, build: Build) -> TrialPlan {
    TrialPlan {
        app: app.manifest().package.to_owned(),
        build,
        spec: Arc::new(spec),
        dmf,
        lead_up: Vec::new(),
        held: Vec::new(),
        initialiser: None,
        device: DeviceChoice::default(),
        runs: 5,
        seed: 1,
    }
}

fn tried(plan: &TrialPlan) -> TrialReport {
    try_dmf(plan, &mut BundledPhones::new(&plan.app, &plan.build), &CancelToken::new(), &mut NullSink)
}

fn index(spec: &Spec, name: &str) -> usize {
    spec.dmfs.iter().position(|dmf| dmf.name == name).unwrap()
}

fn words(report: &TrialReport) -> String {
    let run = |run: &TrialRun| {
        let what = run.outcome.sentence(report.dmf().unwrap());
        format!("    {} {} ({}), {:?}: {what}", run.number, run.outcome.word(), run.way, run.texts)
    };
    let runs: Vec<String> = report.runs.iter().map(run).collect();
    format!("{}\n{}\n    {}", report.verdict, runs.join("\n"), report.advice.join("\n    "))
}

#[test]
fn every_shipped_dmf_holds_each_time_on_its_sound_app() {
    let mut wrong = Vec::new();
    for app in specified_apps() {
        let spec = shipped(app);
        for (dmf, named) in spec.dmfs.iter().enumerate() {
            let report = tried(&plan(app, spec.clone(), dmf, Build::Sound));
            println!("{} {}: {}", app.short_name(), named.name, words(&report));
            if !report.all_held() {
                wrong.push(format!("{} {}: {}", app.short_name(), named.name, words(&report)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bug_of_the_app_is_told_from_a_wrong_dmf() {
    let files = app("files");
    let spec = shipped(files);
    let mut found = 0;
    for dmf in 0..spec.dmfs.len() {
        let report = tried(&plan(files, spec.clone(), dmf, Build::Faulty));
        if !report.all_held() {
            found += 1;
            println!("{}", words(&report));
            assert_eq!(report.sound, Some(TrialOutcome::Held), "{}", words(&report));
            assert!(report.advice[0].contains("it found one of them"), "{}", words(&report));
            let kept = report.kept().unwrap();
            assert_ne!(kept.outcome, TrialOutcome::Held);
            assert!(kept.trace.as_ref().unwrap().len() > kept.first_step);
        }
    }
    assert!(found > 0, "no bug of Files shows in five runs of a DMF");
}

fn changed(name: &str, change: impl FnOnce(&mut Dmf)) -> TrialReport {
    let files = app("files");
    let mut spec = shipped(files);
    let dmf = index(&spec, name);
    change(&mut spec.dmfs[dmf]);
    tried(&plan(files, spec, dmf, Build::Sound))
}

#[test]
fn a_step_that_finds_nothing_is_named() {
    let report = changed("add folder", |dmf| {
        let last = dmf.steps.last().unwrap().widget.clone().unwrap();
        let widget = dmf.widgets.iter_mut().find(|widget| widget.name == last).unwrap();
        widget.selector.text = TextPattern::Is("Make it".to_owned());
    });
    assert_eq!(report.verdict, "Held 0 of 5: step 4, tap “Make it”, found nothing in 5 of 5 runs.");
    assert!(
        report.runs.iter().all(|run| run.before.types().eq(run.after.types()) && run.held_before.is_empty())
    );
    let doubtful = |data: &DataModel| data.uncertain("folder").count();
    assert!(report.runs.iter().all(|run| doubtful(&run.after) == doubtful(&run.before) + 1), "it was typed");
    let reason = NotExecuted::TargetMissing;
    assert_eq!(report.runs[0].outcome, TrialOutcome::NotExecuted { step: 3, reason });
    assert_eq!(report.sound, None, "no bug was on");
}

#[test]
fn what_a_function_needs_to_begin_is_told() {
    let advice = |report: &TrialReport| report.advice.join("\n");
    let report = changed("add folder", |dmf| {
        let first = dmf.preconditions[0].widget.clone().unwrap();
        let widget = dmf.widgets.iter_mut().find(|widget| widget.name == first).unwrap();
        widget.selector.resource_id = Some("add".to_owned());
    });
    let said = advice(&report);
    assert!(
        said.contains("check how the precondition looks for its widget, by ") && said.contains("add"),
        "{said}"
    );
    assert!(!said.contains("add a function that creates"), "it creates a folder itself: {said}");
    // A search for an object that nothing requires, though another function creates them.
    let notes = app("notes");
    let mut spec = shipped(notes);
    let dmf = index(&spec, "delete note");
    spec.dmfs[dmf].preconditions.clear();
    spec.dmfs[dmf].lead_in.clear();
    let report = tried(&plan(notes, spec, dmf, Build::Sound));
    let said = words(&report);
    assert!(!report.all_held(), "{said}");
    assert!(!said.contains("a function that creates"), "there is one: {said}");
}

#[test]
fn runs_differ_in_what_the_app_holds_and_a_row_named_by_its_place_is_told() {
    let files = app("files");
    let all = shipped(files);
    let maker = all.dmfs[index(&all, "add folder")].clone();
    let mut delete = all.dmfs[index(&all, "delete folder")].clone();
    delete.lead_in.clear();
    let spec = Spec { dmfs: vec![delete, maker], ..Spec::default() };
    let report = tried(&plan(files, spec.clone(), 0, Build::Sound));
    assert!(report.all_held(), "{}", words(&report));
    let objects: Vec<usize> = report.runs.iter().map(|run| run.before.objects("folder").len()).collect();
    println!("{}", words(&report));
    assert_eq!(objects, [1, 1, 2, 1, 1], "runs differ in what the app holds");
    // The second row, whatever it is: no object of the model.
    let mut pinned = spec;
    for widget in &mut pinned.dmfs[0].widgets {
        if widget.name == "delete_name" {
            widget.selector.text = TextPattern::Any;
            widget.selector.instance = Some(1);
        }
    }
    let report = tried(&plan(files, pinned, 0, Build::Sound));
    assert!(
        report.advice.iter().any(|line| line.contains("no run changed a known folder")),
        "{}",
        words(&report)
    );
}

#[test]
fn conditions_that_cannot_fail_are_told() {
    let report = changed("add folder", |dmf| {
        let condition = &mut dmf.postconditions[0];
        condition.widget = dmf.steps[0].widget.clone();
    });
    println!("{}", words(&report));
    assert!(report.advice.iter().any(|line| line.contains("held before the first step already")));
    let report = changed("add folder", |dmf| dmf.postconditions.clear());
    assert!(report.advice.iter().any(|line| line.contains("can never fail")));
}

#[test]
fn what_cannot_begin_says_which_precondition_is_missing() {
    let files = app("files");
    let all = shipped(files);
    let mut alone = all.dmfs[index(&all, "delete folder")].clone();
    alone.lead_in.clear();
    let spec = Spec { dmfs: vec![alone], ..Spec::default() };
    let report = tried(&plan(files, spec, 0, Build::Sound));
    println!("{}", words(&report));
    let TrialOutcome::NotReached(missing) = &report.runs[0].outcome else { panic!("{}", words(&report)) };
    assert!(missing.iter().any(|line| line.contains("the app holds at least one folder")), "{missing:?}");
}

#[test]
fn a_recording_that_begins_in_the_middle_is_led_there_again() {
    let files = app("files");
    let all = shipped(files);
    // A folder is made by hand, then the recording begins.
    let maker = Spec { dmfs: vec![all.dmfs[index(&all, "add folder")].clone()], ..Spec::default() };
    let made = tried(&TrialPlan { runs: 1, ..plan(files, maker, 0, Build::Sound) });
    let trace = made.kept().unwrap().trace.clone().unwrap();
    let mut alone = all.dmfs[index(&all, "delete folder")].clone();
    alone.lead_in.clear();
    let spec = Spec { dmfs: vec![alone], ..Spec::default() };
    let lead_up = trace.steps().iter().map(|step| step.event.clone()).collect();
    let held = vec![("folder".to_owned(), made.runs[0].texts[0].clone())];
    let report = tried(&TrialPlan { lead_up, held, ..plan(files, spec, 0, Build::Sound) });
    assert!(report.all_held(), "{}", words(&report));
    assert!(report.runs.iter().all(|run| run.way == "as before the recording"), "{}", words(&report));
}

#[test]
fn the_same_plan_gives_the_same_report_and_cancel_keeps_what_was_run() {
    let files = app("files");
    let spec = shipped(files);
    let dmf = index(&spec, "edit folder");
    let plan = plan(files, spec, dmf, Build::Faulty);
    assert_eq!(words(&tried(&plan)), words(&tried(&plan)));
    let cancel = CancelToken::new();
    let mut sink = Counter(0, 2, cancel.clone());
    let report = try_dmf(&plan, &mut BundledPhones::new(&plan.app, &plan.build), &cancel, &mut sink);
    assert_eq!((report.end.clone(), report.runs.len(), sink.0), (TrialEnd::Cancelled, 2, 3));
    assert!(report.verdict.contains("It was stopped after 2 of 5."), "{}", report.verdict);
    assert!(!report.all_held());
}

#[test]
fn the_panel_tells_every_run_and_its_controls_have_names() {
    use egui_kittest::kittest::Queryable;
    use taproof_studio::command::Command;
    use taproof_studio::specs::TrialCommand;
    use taproof_studio::state::StudioState;
    let files = app("files");
    let spec = Arc::new(shipped(files));
    let mut state = StudioState::default();
    let start = TrialCommand::Start {
        dmf: index(&spec, "edit1 folder"),
        spec,
        target: Target::bundled(files.manifest().package, Build::Faulty),
        lead_up: Vec::new(),
        held: Vec::new(),
    };
    let plan = state.trial.plan_for(&start).unwrap();
    let show = |state: &StudioState, check: &dyn Fn(&mut egui_kittest::Harness<'_, Vec<Command>>)| {
        let draw = |ui: &mut egui::Ui, commands: &mut Vec<Command>| {
            // Fonts are there from the second pass on.
            if ui.ctx().cumulative_pass_nr() == 0 {
                return taproof_studio::parts::theme::install(ui.ctx());
            }
            taproof_studio::specs::trial_panel_ui(state, commands, ui);
        };
        let size = egui::vec2(900.0, 500.0);
        let mut harness = egui_kittest::Harness::builder().with_size(size).build_ui_state(draw, Vec::new());
        check(&mut harness);
    };
    show(&state, &|harness| {
        harness.get_by_label("Not tried yet");
    });
    state.trial.begin(Arc::new(plan.clone()));
    show(&state, &|harness| {
        harness.get_by_label("Run 1 of 5");
        harness.get_by_label("Cancel the trial").click_accesskit();
        harness.run_steps(2);
        assert_eq!(harness.state().last(), Some(&Command::Trial(TrialCommand::Cancel)));
    });
    state.trial.take_report(tried(&plan));
    show(&state, &|harness| {
        for run in 1..=5 {
            let word = state.trial.runs[run - 1].outcome.word();
            harness.get_by_label(&format!("Run {run}: {word}"));
        }
        harness.get_by_label("Try without bugs").click_accesskit();
        harness.run_steps(2);
        assert_eq!(harness.state().last(), Some(&Command::Trial(TrialCommand::OnSound)));
    });
}
