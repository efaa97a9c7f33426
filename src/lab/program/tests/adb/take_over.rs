//! Another program controls the screen: it is named, ended when that is asked for, and nothing else is.

use std::sync::Arc;

use taproof_adb::{AdbPhone, ControlMethod, end_screen_holder, who_controls_screen};
use taproof_engine::device::Build;
use taproof_served::{Latency, Like, agent, uiautomator2};
use taproof_testing::device::adb::ServedPhone;

const FILES: &str = "org.taproof.files";

fn open(phone: &ServedPhone) -> AdbPhone {
    AdbPhone::open(&phone.own.server, &phone.serial, ControlMethod::Agent, Arc::new(|| false)).unwrap()
}

#[test]
fn the_program_that_controls_the_screen_is_named_and_ended_on_request() {
    for like in [Like::Android14, Like::Android44] {
        let Some(phone) = ServedPhone::with(FILES, &Build::Sound, like, Latency::Off) else { return };
        uiautomator2::start(&phone.served, uiautomator2::PORT).unwrap();
        let [holder] = &open(&phone).holders().to_vec()[..] else { panic!("nobody is named") };
        assert_eq!(holder.program, "com.wetest.uia2.Main");
        assert!(uiautomator2::accepts(&phone.served, uiautomator2::PORT), "naming it ends nothing");
        end_screen_holder(&phone.link(), holder, &|| false).unwrap();
        assert!(!uiautomator2::accepts(&phone.served, uiautomator2::PORT));
        assert_eq!(open(&phone).holders(), [], "the agent controls the screen");
    }
}

#[test]
fn a_busy_agent_is_named_and_a_process_that_is_another_program_now_is_left_alone() {
    let Some(phone) = ServedPhone::new(FILES) else { return };
    let never = || false;
    agent::start(&phone.served, "one").unwrap();
    let before = who_controls_screen(&phone.link(), &never).unwrap();
    let [one] = &before[..] else { panic!("{before:?}") };
    assert!(one.to_string().ends_with("(org.taproof.agent.Main)"), "{one}");
    agent::stop(&phone.served);
    assert_eq!(end_screen_holder(&phone.link(), one, &never), Ok(()), "it has ended already");
    let mut other = one.clone();
    agent::start(&phone.served, "two").unwrap();
    other.pid = who_controls_screen(&phone.link(), &never).unwrap()[0].pid;
    let refused = end_screen_holder(&phone.link(), &other, &never).unwrap_err();
    assert!(refused.to_string().contains("is org.taproof.agent.Main now"), "{refused}");
    assert_eq!(who_controls_screen(&phone.link(), &never).unwrap().len(), 1);
}
