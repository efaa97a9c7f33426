//! Oracles for an app that died, does not respond, or never finishes loading (`engine/pbfdroid/paper.md`, section 4.7).

use taproof_screen::{
    AppHealth, CrashReport, FailedCheck, Frame, Layout, OracleKind, Trace, Violation, WidgetIdx,
    screen_for_people,
};

/// The violation if the app crashed or does not respond on this frame of a trace; `None` otherwise. Having left the app is
/// no violation.
pub fn judge_health(frame: &Frame, trace: &Trace) -> Option<Violation> {
    match &frame.health {
        AppHealth::Running | AppHealth::LeftApp(_) => None,
        AppHealth::Crashed(report) => Some(failed(OracleKind::Crash, report, trace)),
        AppHealth::NotResponding(report) => Some(failed(OracleKind::NotResponding, report, trace)),
    }
}

/// The violation of an app that logged this error at the end of a trace and went on.
pub fn logged_error(report: &CrashReport, trace: &Trace) -> Violation {
    failed(OracleKind::LogError, report, trace)
}

/// Whether the layout shows that the app is loading something.
pub fn is_loading(layout: &Layout, app: &str) -> bool {
    loading_widgets(layout, app).next().is_some()
}

/// The app's own widgets that show that it is loading.
fn loading_widgets<'l>(layout: &'l Layout, app: &'l str) -> impl Iterator<Item = WidgetIdx> + 'l {
    layout.loading_widgets().filter(move |idx| &*layout.widget(*idx).package == app)
}

/// The violation of an app that is still loading on this layout although it had enough time.
pub fn still_loading(layout: &Layout, app: &str) -> Violation {
    let activity = layout.activity().rsplit('/').next().unwrap_or("").to_owned();
    let offending = loading_widgets(layout, app).collect();
    Violation {
        oracle: OracleKind::Loading,
        title: format!("The progress bar on {} never goes away", screen_for_people(layout)),
        subject: activity,
        dmf: None,
        failures: vec![FailedCheck {
            key: "loading ends".to_owned(),
            condition: "loading ends".to_owned(),
            expected: "no progress bar once the screen has settled".to_owned(),
            seen: "a progress bar".to_owned(),
            offending,
            missing: None,
        }],
        after_drift: false,
    }
}

fn failed(oracle: OracleKind, report: &CrashReport, trace: &Trace) -> Violation {
    let (what, condition, expected) = match oracle {
        OracleKind::NotResponding => ("the app does not answer", KEEPS_RUNNING, "an app that answers input"),
        OracleKind::LogError => ("the app logs an error", "the app logs no error", "a log without errors"),
        _ => ("the app crashes", KEEPS_RUNNING, "a running app"),
    };
    let known = report.without_texts(&trace.typed_texts());
    Violation {
        oracle,
        title: format!("{what}: {}", report.headline()),
        subject: known.key(),
        failures: vec![FailedCheck {
            key: known.exact_key(),
            condition: condition.to_owned(),
            expected: expected.to_owned(),
            seen: format!("{}: {}", report.exception, report.message),
            offending: Vec::new(),
            missing: None,
        }],
        dmf: None,
        after_drift: false,
    }
}

const KEEPS_RUNNING: &str = "the app keeps running and answers";

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{DeviceInstant, Event, Step, StepRole, layout_from};

    fn frame(health: AppHealth) -> Frame {
        Frame { layout: Arc::new(layout_from("TextView\n")), health, at: DeviceInstant(0) }
    }

    fn report(frame: &str, message: &str) -> Arc<CrashReport> {
        Arc::new(CrashReport {
            package: "org.ex".into(),
            exception: "java.lang.IllegalStateException".into(),
            message: message.into(),
            stack: vec!["android.view.View.go(View.java:1)".into(), frame.into()],
            log: String::new(),
            causes: Vec::new(),
        })
    }

    fn typing(text: &str) -> Trace {
        let mut trace = Trace::start(frame(AppHealth::Running));
        let after = frame(AppHealth::Running);
        trace.push(Step { event: Event::Type(text.to_owned()), role: StepRole::Explored, after });
        trace
    }

    #[test]
    fn crashes_in_one_method_are_one_origin_and_a_hang_is_no_crash() {
        let trace = typing("");
        let judge = |report| judge_health(&frame(AppHealth::Crashed(report)), &trace).unwrap();
        let first = judge(report("org.ex.Main.on(Main.java:7)", "a"));
        assert_eq!(first.origin(), judge(report("org.ex.Main.on(Main.java:8)", "b")).origin());
        assert_ne!(first.origin(), judge(report("org.ex.Main.off(Main.java:7)", "a")).origin());
        let hang = report("org.ex.Main.on(Main.java:7)", "a");
        let hang = judge_health(&frame(AppHealth::NotResponding(hang)), &trace).unwrap();
        assert_eq!(hang.oracle, OracleKind::NotResponding);
        assert!(hang.title.starts_with("the app does not answer: "), "{}", hang.title);
        assert!(judge_health(&frame(AppHealth::Running), &trace).is_none());
        assert!(judge_health(&frame(AppHealth::LeftApp("x/.Y".into())), &trace).is_none());
    }

    #[test]
    fn what_the_test_typed_does_not_tell_a_crash() {
        let of = |typed: &str| {
            logged_error(&report("java.util.A.b(A.java:1)", &format!("no date: {typed}")), &typing(typed))
        };
        assert_eq!(of("Milk").origin(), of("Bread").origin());
        assert_ne!(of("Milk").title, of("Bread").title);
    }

    #[test]
    fn only_the_apps_own_progress_bar_is_loading() {
        let layout = layout_from("FrameLayout\n  ProgressBar\n");
        assert!(is_loading(&layout, "org.ex") && !is_loading(&layout, "org.other"));
        assert_eq!(still_loading(&layout, "org.ex").failures[0].offending.len(), 1);
    }

    #[test]
    fn a_complete_page_with_a_bar_beside_an_amount_is_not_loading() {
        let page = "FrameLayout\n  ProgressBar#used\n  TextView \"40 of 90\"\n  Button \"Add\"\n";
        assert!(!is_loading(&layout_from(page), "org.ex"));
    }
}
