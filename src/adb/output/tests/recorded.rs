//! Tests of the parsers on what the bundled phone prints, imitating a current device and one with Android 4.4.

use taproof_screen::format::parse_hierarchy;

use super::super::crash::{CrashKind, crashes};
use super::super::*;
use super::test_data::bundled_phones;

const NOTES: &str = "org.taproof.notes";

fn each(check: impl Fn(&dyn Fn(&str) -> String, u32)) {
    for (folder, sdk) in bundled_phones().into_iter().zip([34, 19]) {
        let read = |name: &str| {
            let path = folder.join(name).with_extension("txt");
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        check(&read, sdk);
    }
}

fn main_activity() -> Component {
    Component { package: NOTES.to_owned(), class: "org.taproof.notes.MainActivity".to_owned() }
}

#[test]
fn the_device_is_read() {
    each(|read, sdk| {
        let properties = Properties::from_getprop(&read("getprop")).unwrap();
        assert_eq!(properties.sdk, sdk);
        assert!(properties.boot_completed);
        let size = Extent { width: 1080, height: 1920 };
        assert_eq!(wm_size(&read("wm_size")).unwrap().current(), size);
        assert_eq!(wm_density(&read("wm_density")), Ok(480));
        assert_eq!(is_awake(&read("dumpsys_power")), Ok(true));
        let keyguard = keyguard(&read("dumpsys_window_policy")).unwrap();
        assert!(!keyguard.showing);
        assert_eq!(setting_value(&read("settings_get")), Ok(Some("1.0".to_owned())));
        assert_eq!(setting_value(&read("settings_get_missing")), Ok(None));
        assert_eq!(uptime(&read("uptime")).map(|at| at.0), Some(3_600));
    });
}

#[test]
fn what_runs_on_it_is_read() {
    each(|read, _| {
        let focus = window_focus(&read("dumpsys_window")).unwrap();
        assert_eq!(focus.window.as_deref(), Some("org.taproof.notes/org.taproof.notes.MainActivity"));
        assert_eq!(focus.activity, Some(main_activity()));
        assert_eq!(keyboard_shown(&read("dumpsys_input_method")), Ok(false));
        let processes = process_list(&read("ps")).unwrap();
        assert!(processes.iter().any(|process| process.name == NOTES));
        assert_eq!(processes[0].pid, 1);
    });
}

#[test]
fn its_apps_are_read() {
    each(|read, _| {
        let packages = package_list(&read("pm_list_packages")).unwrap();
        assert!(packages.iter().any(|package| package.name == NOTES));
        let [path] = &package_paths(&read("pm_path")).unwrap()[..] else { panic!("one path") };
        assert!(path.starts_with("/data/app/org.taproof.notes-1") && path.ends_with(".apk"));
        let details = package_details(&read("dumpsys_package"), NOTES).unwrap();
        assert_eq!(details.launcher, Some(main_activity()));
        assert_eq!(start_outcome(&read("am_start")), StartOutcome::Started);
        let missing = start_outcome(&read("am_start_missing"));
        assert_eq!(missing, StartOutcome::DoesNotExist);
    });
}

#[test]
fn its_screen_is_read() {
    each(|read, _| {
        let DumpAnswer::Xml { xml } = dump_answer(read("uiautomator_dump").as_bytes()) else {
            panic!("a layout")
        };
        let parsed = parse_hierarchy(xml.as_bytes()).unwrap();
        assert_eq!((parsed.layout.package(), parsed.warnings.len()), (NOTES, 0));
    });
}

#[test]
fn its_crash_is_read() {
    each(|read, _| {
        // The crash and the events buffer report the same crash.
        let [crash] = &crashes(&log_lines(&read("logcat_crash")))[..] else { panic!("one crash") };
        assert_eq!((crash.kind, crash.package(), crash.pid), (CrashKind::Java, NOTES, 4521));
        assert_eq!(crash.exception, "java.lang.IllegalStateException");
        assert_eq!(crash.thrown_at.as_deref(), Some("SearchResultsFragment.java:131"));
        assert_eq!((crash.stack.len(), crash.causes.len()), (7, 0));
    });
}
