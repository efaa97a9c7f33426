//! A device is checked before its first campaign: what works there is said, and it is left as it was.

use std::process::{Command, Output};
use std::sync::Arc;

use taproof_adb::{CheckAnswer, Checked, ControlMethod, Fitness, check_device};
use taproof_engine::device::Build;
use taproof_served::{DumpFault, Faults, Latency, Like};

use taproof_testing::device::adb::ServedPhone;
use taproof_testing::first::FILES;

fn served(like: Like) -> Option<ServedPhone> {
    ServedPhone::with(FILES, &Build::Sound, like, Latency::Off)
}

fn settings_of(phone: &ServedPhone) -> String {
    ["global", "system", "secure"].map(|space| phone.text(&["shell", "settings", "list", space])).concat()
}

fn answer(answers: &[CheckAnswer], what: Checked) -> &CheckAnswer {
    answers.iter().find(|answer| answer.what == what).unwrap_or_else(|| panic!("{what:?}: {answers:?}"))
}

#[test]
fn a_device_on_which_all_works_is_said_to_be_good_and_left_as_it_was() {
    let Some(phone) = served(Like::Android14) else { return };
    let before = settings_of(&phone);
    let never: taproof_engine::worker::Unwanted = Arc::new(|| false);
    let answers =
        check_device(&phone.own.server, &phone.serial, ControlMethod::Agent, &never, &mut |_| ()).unwrap();
    let unfit: Vec<_> = answers.iter().filter(|answer| answer.fitness != Fitness::Good).collect();
    assert!(unfit.is_empty(), "{unfit:?}");
    let checked: Vec<Checked> = answers.iter().map(|answer| answer.what).collect();
    assert_eq!(
        checked,
        [
            Checked::Android,
            Checked::Screen,
            Checked::Control,
            Checked::Layouts,
            Checked::Typing,
            Checked::Touching,
            Checked::Rotation,
            Checked::Pictures,
            Checked::Settings,
            Checked::Space
        ]
    );
    assert!(answer(&answers, Checked::Rotation).said.contains("can be turned"));
    assert!(answer(&answers, Checked::Space).said.starts_with("4.0 GB"));
    assert_eq!(settings_of(&phone), before);
}

#[test]
fn an_old_device_without_the_agent_is_limited_and_told_what_helps() {
    let Some(phone) = served(Like::Android44) else { return };
    let never: taproof_engine::worker::Unwanted = Arc::new(|| false);
    let answers =
        check_device(&phone.own.server, &phone.serial, ControlMethod::Shell, &never, &mut |_| ()).unwrap();
    let typing = answer(&answers, Checked::Typing);
    assert!(typing.fitness == Fitness::Limited && typing.advice.contains("ADBKeyboard"), "{typing:?}");
    let bad: Vec<_> = answers.iter().filter(|answer| answer.fitness == Fitness::Bad).collect();
    assert!(bad.is_empty(), "{bad:?}");
    assert!(answer(&answers, Checked::Space).said.starts_with("1.5 GB"));
}

#[test]
fn another_user_in_front_is_told() {
    let Some(phone) = served(Like::Android14) else { return };
    phone.served.lock().front_user = 10;
    let never: taproof_engine::worker::Unwanted = Arc::new(|| false);
    let answers =
        check_device(&phone.own.server, &phone.serial, ControlMethod::Agent, &never, &mut |_| ()).unwrap();
    let user = answer(&answers, Checked::User);
    assert!(user.fitness == Fitness::Bad && user.advice.contains("switch-user 0"), "{user:?}");
}

#[test]
fn the_command_prints_plain_answers() {
    let Some(phone) = served(Like::Android14) else { return };
    let check = |words: &[&str]| -> (String, String, Option<i32>) {
        let mut command = Command::new(taproof_testing::program::path());
        command.args(["devices", "check"]).args(words).env("XDG_STATE_HOME", env!("CARGO_TARGET_TMPDIR"));
        command.env("ANDROID_ADB_SERVER_PORT", phone.own.port()).env_remove("ANDROID_SERIAL");
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(stdout), text(stderr), status.code())
    };
    let (said, err, code) = check(&[&phone.serial]);
    assert_eq!(code, Some(0), "{said}{err}");
    assert!(said.contains("good     typing    any text can be typed, such as Gr"), "{said}");
    assert!(said.ends_with("A campaign can run on it.\n"), "{said}");
    let (said, err, code) = check(&["no-such-phone"]);
    assert_eq!((said.as_str(), code), ("", Some(2)), "{err}");
    assert!(err.contains("no-such-phone"), "{err}");
}

#[test]
fn a_check_goes_on_after_one_answer_failed() {
    let Some(phone) = served(Like::Android14) else { return };
    let before = settings_of(&phone);
    let never: taproof_engine::worker::Unwanted = Arc::new(|| false);
    let check = || {
        let mut told = 0;
        let mut tell = |_: &CheckAnswer| told += 1;
        let best = ControlMethod::Shell;
        let answers = check_device(&phone.own.server, &phone.serial, best, &never, &mut tell).unwrap();
        assert_eq!(told, answers.len(), "each is told");
        answers
    };
    let all = check().len();
    // No layout, and so no rotation either.
    phone.served.lock().faults.dumps = Some((DumpFault::Killed, u32::MAX));
    phone.served.lock().faults.forbids.input = true;
    let answers = check();
    assert_eq!(answers.len(), all, "{answers:?}");
    for what in [Checked::Layouts, Checked::Touching, Checked::Rotation] {
        assert_eq!(answer(&answers, what).fitness, Fitness::Bad, "{what:?}: {answers:?}");
    }
    for what in [Checked::Typing, Checked::Pictures, Checked::Settings, Checked::Space] {
        assert_ne!(answer(&answers, what).fitness, Fitness::Bad, "{answers:?}");
    }
    let faults = Faults { dumps: Some((DumpFault::NullRoot, u32::MAX)), ..Faults::default() };
    phone.served.lock().faults = faults;
    let layouts = answer(&check(), Checked::Layouts).clone();
    assert!(layouts.fitness == Fitness::Unknown && layouts.said.contains("no layout"), "{layouts:?}");
    phone.served.lock().faults = Faults::default();
    // A device that cannot be opened has room all the same.
    phone.served.lock().faults.forbids.settings = true;
    let answers = check();
    assert_eq!(answer(&answers, Checked::Settings).fitness, Fitness::Bad, "{answers:?}");
    assert_eq!(answer(&answers, Checked::Space).fitness, Fitness::Good, "{answers:?}");
    phone.served.lock().faults.forbids.settings = false;
    assert_eq!(settings_of(&phone), before);
}
