//! Exports: whatever the app under test says stays a text in every format, and each format is what its readers
//! take.

mod ci;
mod crash_cases;
mod evidence;
mod first;
mod grammar;
mod maestro;
mod page;
mod python;
#[cfg(unix)]
mod shell;

use std::sync::Arc;

use evidence::{HOSTILE, campaign, events, facts, finding, finding_of, in_state, narrowed};
use taproof_campaign::{Budget, CampaignPlan, ConfirmPlan, DeviceChoice, Oracles, SpecFacts, SpecOrigin};
use taproof_engine::device::Build;
use taproof_engine::{EngineConfig, PbfdroidConfig};
use taproof_results::report::{ExportKind, export_campaign, export_finding, no_progress, step_sentences};
use taproof_results::shell::{campaign_command, replay_command};
use taproof_screen::determinism::DeviceDuration;
use taproof_screen::{Event, Initialiser, Step, StepRole, Trace};
use taproof_spec::{Spec, SpecSelector, WidgetState};

#[test]
fn the_same_finding_is_the_same_bytes() {
    for kind in ExportKind::ALL {
        let one = export_finding(&finding(HOSTILE), &facts(HOSTILE), kind, &mut no_progress).unwrap();
        assert_eq!(
            one,
            export_finding(&finding(HOSTILE), &facts(HOSTILE), kind, &mut no_progress).unwrap(),
            "{kind:?}"
        );
        assert!(!one.is_empty());
        let whole = export_campaign(&campaign(HOSTILE), kind, &mut no_progress);
        assert_eq!(whole.is_ok(), kind.of_campaigns(), "{kind:?}");
        if let Ok(whole) = whole {
            assert_eq!(whole, export_campaign(&campaign(HOSTILE), kind, &mut no_progress).unwrap());
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_left_to_a_person() {
    let both = |narrow: &dyn Fn(&mut SpecSelector)| {
        let (finding, facts) = narrowed("a", narrow);
        let judges = |kind, eyes: &str, own: &str| {
            let script = export_finding(&finding, &facts, kind, &mut no_progress).unwrap();
            let script = String::from_utf8(script).unwrap();
            match (script.matches(eyes).count(), script.matches(own).count()) {
                (0, 2) => true,
                (2, 0) => false,
                other => panic!("{kind:?} {other:?}\n{script}"),
            }
        };
        (
            judges(ExportKind::AdbShell, "\nby_eye '", "\n[ \"$(count "),
            judges(ExportKind::Maestro, "Look at the screen: ", "Visible:"),
        )
    };
    assert_eq!(both(&|_| ()), (true, true));
    assert_eq!(both(&|selector| selector.xpath = Some("//*[@text='a']".to_owned())), (false, false));
    assert_eq!(both(&|selector| selector.instance = Some(0)), (false, false));
    assert_eq!(both(&|selector| selector.content_desc = Some("b".to_owned())), (true, false));
    // All that bear the id on the way are of this class, so the id says the same.
    assert_eq!(both(&|selector| selector.class = Some("android.widget.TextView".to_owned())), (true, true));
    assert_eq!(both(&|selector| selector.class = Some("android.widget.Button".to_owned())), (true, false));
    let by_class = |selector: &mut SpecSelector| {
        (selector.class, selector.resource_id) = (Some("android.widget.TextView".to_owned()), None);
    };
    assert_eq!(both(&by_class), (true, false));
}

#[test]
fn a_state_is_asked_for_in_the_words_of_each_format() {
    let check = |state: WidgetState, kind: ExportKind, asked: &str| {
        let (finding, facts) = in_state("a", state);
        let script = export_finding(&finding, &facts, kind, &mut no_progress).unwrap();
        let script = String::from_utf8(script).unwrap();
        assert_eq!(script.matches(asked).count(), 2, "{kind:?} {state:?}\n{script}");
    };
    check(WidgetState::Checked, ExportKind::Uiautomator2, "\"checked\": True}");
    check(WidgetState::NotSelected, ExportKind::Uiautomator2, "\"selected\": False}");
    check(WidgetState::Checked, ExportKind::Maestro, "    checked: true\n");
    check(WidgetState::NotSelected, ExportKind::Maestro, "    selected: false\n");
    check(WidgetState::Checked, ExportKind::AdbShell, "' checked=\"true\"'");
    check(WidgetState::NotSelected, ExportKind::AdbShell, "' selected=\"false\"'");
}

/// What a report says of a campaign with these specification files; `FUZZ` is its command without them.
fn check_again(specs: &[(&str, SpecOrigin)], expected: &str) {
    let only = vec!["add note".to_owned(), "x".to_owned()];
    let plan = CampaignPlan {
        app: "org.ex".into(),
        build: Build::Bugs(Vec::new()),
        device: DeviceChoice::Bundled,
        engines: vec![EngineConfig::Pbfdroid(PbfdroidConfig { only, ..PbfdroidConfig::default() })],
        spec: Arc::new(Spec::default()),
        seed_traces: Vec::new(),
        initialiser: None,
        seed: 7,
        budget: Budget { max_events: 10, max_device_millis: Some(120_000) },
        rules: Vec::new(),
        oracles: Oracles::default(),
        confirm: ConfirmPlan::default(),
    };
    let facts = |(name, origin): &(&str, SpecOrigin)| SpecFacts { name: (*name).into(), origin: *origin };
    let again = campaign_command(&plan, &specs.iter().map(facts).collect::<Vec<_>>());
    let command = "taproof fuzz --app org.ex --bugs '' --engine pbfdroid \
                   --set 'pbfdroid.only=[\"add note\",\"x\"]' --events 10 --minutes 2 --seed 7";
    assert_eq!(again.replace(command, "FUZZ"), expected);
}

#[test]
fn the_command_of_a_campaign_runs_the_same_one() {
    let (shipped, saved) = (("specs/a.json", SpecOrigin::Shipped), ("/my specs/$x.json", SpecOrigin::Saved));
    check_again(&[shipped], "FUZZ");
    check_again(&[saved], "FUZZ --spec '/my specs/$x.json'");
    check_again(
        &[saved, shipped],
        "# specs/a.json lies in the folder of Taproof's sources.\n\
         FUZZ --spec '/my specs/$x.json' --spec specs/a.json",
    );
    check_again(
        &[("new\nrm.json", SpecOrigin::Unsaved)],
        "# new rm.json was run as it stood in the window. Save it there first, and name its file here.\n\
         FUZZ --spec 'new\nrm.json'",
    );
}

#[test]
fn a_finding_of_a_device_is_replayed_with_what_becomes_of_its_data() {
    let engine = EngineConfig::Pbfdroid(PbfdroidConfig::default());
    let mut plan = CampaignPlan::new("org.ex", engine, 10);
    assert_eq!(replay_command(&plan, None), "taproof replay");
    plan.device = DeviceChoice::Adb(vec!["emulator-1".to_owned()]);
    assert_eq!(replay_command(&plan, Some("a b")), "taproof replay --workspace 'a b' --clear-data");
    plan.initialiser = Some(Arc::new(Initialiser { keep_data: true, ..Initialiser::default() }));
    assert_eq!(replay_command(&plan, None), "taproof replay --keep-data");
}

#[test]
fn a_person_is_asked_for_each_pause_once_and_for_no_control() {
    let wait = |millis| Event::Wait(DeviceDuration(millis));
    let events = vec![wait(1500), wait(2000), wait(2500), Event::Rotate, wait(2000), Event::Rotate];
    let mut finding = finding_of("x", events);
    let trace = finding.minimal.trace;
    finding.minimal.trace = Trace::start(trace.first().clone());
    for (index, step) in trace.steps().iter().enumerate() {
        let role = if index == 1 { StepRole::Detour } else { StepRole::Explored };
        finding.minimal.trace.push(Step { role, ..step.clone() });
    }
    let steps: Vec<String> = step_sentences(&finding).into_iter().map(|(sentence, _)| sentence).collect();
    let expected = ["Wait 4 s", "Rotate the phone to the left", "Wait 2 s", "Rotate the phone back"];
    assert_eq!(steps, expected);
}

#[test]
fn a_film_has_a_picture_for_each_step_and_one_for_the_end() {
    use image::AnimationDecoder;
    let film = export_finding(&finding("a"), &facts("a"), ExportKind::Gif, &mut no_progress).unwrap();
    let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(&film)).unwrap();
    let frames = decoder.into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), events("a").len() + 1);
    let millis = |frame: &image::Frame| frame.delay().numer_denom_ms().0;
    assert_eq!((millis(&frames[0]), millis(frames.last().unwrap())), (900, 3000));
    assert_eq!(frames[0].buffer().width(), 360);
}
