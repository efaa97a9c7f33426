//! Oracles for an app that died, does not respond, or never finishes loading (`engine/pbfdroid/paper.md`, section 4.7).

use taproof_screen::{
    AppHealth, CrashReport, FailedCheck, Frame, Layout, OracleKind, Violation, WidgetIdx, screen_for_people,
};

/// The violation if the app crashed or does not respond; `None` otherwise. Having left the app is no violation.
pub fn judge_health(frame: &Frame) -> Option<Violation> {
    match &frame.health {
        AppHealth::Running | AppHealth::LeftApp(_) => None,
        AppHealth::Crashed(report) => Some(died(OracleKind::Crash, report)),
        AppHealth::NotResponding(report) => Some(died(OracleKind::NotResponding, report)),
    }
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

fn died(oracle: OracleKind, report: &CrashReport) -> Violation {
    let signature = report.signature();
    let (what, expected) = if oracle == OracleKind::NotResponding {
        ("the app does not answer", "an app that answers input")
    } else {
        ("the app crashes", "a running app")
    };
    let class = report.exception.rsplit('.').next().unwrap_or(&report.exception);
    Violation {
        oracle,
        title: format!("{what}: {class}: {}", report.message),
        failures: vec![FailedCheck {
            key: signature.clone(),
            condition: "the app keeps running and answers".to_owned(),
            expected: expected.to_owned(),
            seen: format!("{}: {}", report.exception, report.message),
            offending: Vec::new(),
            missing: None,
        }],
        subject: signature,
        dmf: None,
        after_drift: false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use taproof_screen::{DeviceInstant, layout_from};

    fn frame(health: AppHealth) -> Frame {
        Frame { layout: Arc::new(layout_from("TextView\n")), health, at: DeviceInstant(0) }
    }

    #[test]
    fn crashes_of_one_signature_are_one_origin_and_a_hang_is_no_crash() {
        let report = |line: u32, message: &str| CrashReport {
            package: "org.ex".into(),
            exception: "java.lang.IllegalStateException".into(),
            message: message.into(),
            stack: vec![
                "android.view.View.go(View.java:1)".into(),
                format!("org.ex.Main.on(Main.java:{line})"),
            ],
            log: String::new(),
        };
        let judge = |report| judge_health(&frame(AppHealth::Crashed(Arc::new(report)))).unwrap();
        assert_eq!(judge(report(7, "a")).origin(), judge(report(7, "b")).origin());
        assert_ne!(judge(report(7, "a")).origin(), judge(report(8, "a")).origin());
        let hang = judge_health(&frame(AppHealth::NotResponding(Arc::new(report(7, "a"))))).unwrap();
        assert_eq!(hang.oracle, OracleKind::NotResponding);
        assert!(hang.title.starts_with("the app does not answer: "), "{}", hang.title);
        assert!(judge_health(&frame(AppHealth::Running)).is_none());
        assert!(judge_health(&frame(AppHealth::LeftApp("x/.Y".into()))).is_none());
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
