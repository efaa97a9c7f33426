//! Tests of what the system reports on a current phone, and of what third-party tools parse from it.

use super::apk::{apk, manifest};
use super::{START, create_folder, layout, new_phone, out, run, run_with, served as served_as, shows, tap};
use crate::uiautomator2;
use crate::{Like, Served};

#[test]
fn the_focus_is_told_in_many_places() {
    let served = new_phone();
    out(&served, START);
    let contains = |line: &str, parts: &[&str]| {
        let text = out(&served, line);
        for part in parts {
            assert!(text.contains(part), "{line}: {part}\n{text}");
        }
    };
    let focus = "u0 org.taproof.files/org.taproof.files.MainActivity}";
    for line in ["dumpsys window", "dumpsys window windows", "dumpsys window displays"] {
        contains(
            line,
            &[
                "mCurrentFocus=Window{",
                focus,
                "mFocusedApp=ActivityRecord{",
                " u0 org.taproof.files/.MainActivity t",
            ],
        );
    }
    contains(
        "dumpsys activity activities",
        &[
            "* Hist #0: ActivityRecord{",
            "ResumedActivity: ActivityRecord{",
            "topResumedActivity=ActivityRecord{",
            "u0 org.taproof.files/.MainActivity t",
        ],
    );
    contains("dumpsys activity top", &["ACTIVITY org.taproof.files/.MainActivity ", "View Hierarchy:"]);
    contains(
        "dumpsys display",
        &[
            "DisplayViewport{type=INTERNAL, valid=true",
            "orientation=0",
            "deviceWidth=1080, deviceHeight=1920",
        ],
    );
    contains("dumpsys input", &["SurfaceOrientation: 0", "orientation=0"]);
    contains("dumpsys window policy", &["showing=false"]);
    assert_eq!(
        out(&served, "dumpsys activity activities").find("Hist #0"),
        out(&served, "dumpsys activity activities").find("Hist #0: ActivityRecord"),
        "DroidBot takes the first one"
    );
    let first = out(&served, "dumpsys activity activities");
    assert!(
        first
            .lines()
            .find(|line| line.contains("* Hist #0"))
            .unwrap()
            .contains("org.taproof.files/.MainActivity")
    );
}

#[test]
fn system_dialogs_have_windows_of_their_own() {
    let served = new_phone();
    out(&served, "am start -n org.taproof.diary/.MainActivity");
    tap(&served, "Cooking");
    tap(&served, "Attach Picture");
    let focus = |served: &Served| {
        let text = out(served, "dumpsys window windows");
        text.lines().find(|line| line.contains("mCurrentFocus")).unwrap().to_owned()
    };
    assert!(focus(&served).contains("u0 com.android.permissioncontroller/"), "{}", focus(&served));
    assert!(out(&served, "dumpsys activity activities").contains("ResumedActivity: ActivityRecord{"));
    tap(&served, "DENY");
    out(&served, "dumpsys battery set level 5");
    assert!(focus(&served).contains("SystemUIDialog"));
}

#[test]
fn settings_are_kept_and_turn_the_phone() {
    let served = new_phone();
    assert_eq!(
        out(&served, "settings get global window_animation_scale; settings get system nope"),
        "1.0\nnull\n"
    );
    out(&served, "settings put global window_animation_scale 0; settings put secure nope 'a b'");
    assert_eq!(
        out(&served, "settings get global window_animation_scale; settings get secure nope"),
        "0\na b\n"
    );
    assert!(out(&served, "dumpsys window").contains("mWindowAnimationScale=0"));
    assert_eq!(
        out(&served, "settings delete secure nope; settings delete secure nope"),
        "Deleted 1 rows\nDeleted 0 rows\n"
    );
    assert!(out(&served, "settings list system").contains("font_scale=1.0\n"));
    out(&served, "settings put system user_rotation 1");
    assert_eq!(layout(&served).rotation().0, 0, "auto-rotation is on");
    out(&served, "settings put system accelerometer_rotation 0");
    assert_eq!(layout(&served).rotation().0, 1);
    assert!(out(&served, "dumpsys display").contains("orientation=1, logicalFrame=Rect(0, 0 - 1920, 1080)"));
    assert_eq!(out(&served, "wm size; wm density"), "Physical size: 1080x1920\nPhysical density: 480\n");
    out(&served, "settings put system user_rotation 0; wm density reset");
    assert_eq!(layout(&served).rotation().0, 0);
}

#[test]
fn the_settings_provider_lists_them_too() {
    let served = new_phone();
    let line = "content query --uri content://settings/global --projection name:value";
    assert!(out(&served, line).starts_with("Row: 0 name=adb_enabled, value=1\nRow: 1 name="));
    let nowhere = "content query --uri content://settings/nowhere --projection name:value";
    assert_eq!(out(&served, nowhere), "No result found.\n");
    assert_eq!(run(&served, "content query --uri content://media/x").code, 1);
}

#[test]
fn what_happens_around_the_apps_can_be_asked_for() {
    let served = new_phone();
    out(&served, START);
    let events = |served: &Served| {
        let state = served.lock();
        (state.around.network, state.around.dark, state.around.battery)
    };
    out(&served, "svc data disable");
    assert_eq!(out(&served, "settings get global mobile_data; settings get global wifi_on"), "0\n1\n");
    assert_eq!(events(&served), (true, false, 100), "the phone is on Wi-Fi");
    out(&served, "svc wifi disable; svc data disable");
    assert_eq!(events(&served), (false, false, 100));
    out(&served, "svc wifi enable; cmd connectivity airplane-mode enable");
    assert_eq!(
        (events(&served), out(&served, "cmd connectivity airplane-mode").as_str()),
        ((false, false, 100), "enabled\n")
    );
    out(&served, "cmd connectivity airplane-mode disable");
    assert_eq!(out(&served, "cmd uimode night yes; cmd uimode night"), "Night mode: yes\nNight mode: yes\n");
    out(&served, "dumpsys battery set level 5");
    assert_eq!(events(&served), (true, true, 5));
    assert!(
        out(&served, "dumpsys battery").contains("  level: 5\n")
            && out(&served, "dumpsys window").contains("SystemUIDialog")
    );
    out(&served, "dumpsys battery reset; pm clear org.taproof.files");
    assert_eq!(events(&served), (true, false, 100), "clear data puts all back");
    assert!(out(&served, "getprop").contains("[ro.build.version.sdk]: [34]\n"));
    assert_eq!(run(&served, "service list").code, 127);
}

#[test]
fn keyboards_are_chosen() {
    let served = new_phone();
    assert_eq!(out(&served, "ime list -s"), "com.android.inputmethod.latin/.LatinIME\n");
    assert_eq!(
        out(&served, "ime list -s -a"),
        "com.android.inputmethod.latin/.LatinIME\nio.github.ylimit.droidbotapp/.DroidBotIME\n"
    );
    let ran = run(&served, "ime enable com.android.adbkeyboard/.AdbIME");
    let unknown = "Unknown input method com.android.adbkeyboard/.AdbIME cannot be enabled for user #0\n";
    assert_eq!((ran.err.as_str(), ran.code), (unknown, 255));
    assert_eq!(
        out(
            &served,
            "ime enable io.github.ylimit.droidbotapp/.DroidBotIME; ime set io.github.ylimit.droidbotapp/.DroidBotIME; settings get secure default_input_method"
        ),
        "Input method io.github.ylimit.droidbotapp/.DroidBotIME: now enabled for user #0\n\
         Input method io.github.ylimit.droidbotapp/.DroidBotIME selected for user #0\n\
         io.github.ylimit.droidbotapp/.DroidBotIME\n"
    );
    out(&served, START);
    tap(&served, "Search");
    out(
        &served,
        "am broadcast -a DROIDBOT_INPUT_TEXT --es text a--b --ei mode 0; am broadcast -a DROIDBOT_INPUT_TEXT --es text c --ei mode 1",
    );
    assert!(shows(&served, "a bc"));
    out(&served, "ime disable io.github.ylimit.droidbotapp/.DroidBotIME");
    assert_eq!(
        out(&served, "settings get secure default_input_method"),
        "com.android.inputmethod.latin/.LatinIME\n"
    );
}

#[test]
fn droidbots_helper_can_be_switched_on() {
    let served = new_phone();
    let service =
        "io.github.ylimit.droidbotapp/io.github.privacystreams.accessibility.PSAccessibilityService";
    assert!(!out(&served, "dumpsys activity services").contains(service));
    out(
        &served,
        &format!(
            "settings put secure enabled_accessibility_services null:{service}; settings put secure accessibility_enabled 1"
        ),
    );
    let text = out(&served, "dumpsys activity services");
    let line = text.lines().find(|line| line.contains(service)).unwrap();
    assert!(
        line.trim_start().starts_with("* ServiceRecord{") && line.ends_with(&format!("u0 {service}}}")),
        "{line}"
    );
    assert!(out(&served, "pm list packages -f").contains("=io.github.ylimit.droidbotapp\n"));
}

#[test]
fn the_uiautomator2_server_needs_its_jar_and_ends_with_its_stream() {
    let served = new_phone();
    let line = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9009";
    assert!(run(&served, line).err.contains("ClassNotFoundException"));
    served.write("/data/local/tmp/u2.jar", 0o100_771, 0, b"PK jar".to_vec()).unwrap();
    struct Watches<'a>(&'a Served, Vec<bool>);
    impl std::io::Write for Watches<'_> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.1.push(uiautomator2::accepts(self.0, 9009));
            if self.1.len() > 2 { Err(std::io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
        }
    }
    let mut watches = Watches(&served, Vec::new());
    served.shell(line, &mut std::io::empty(), &mut watches, &mut std::io::sink(), true);
    assert_eq!(watches.1, [true, true, true]);
    assert_eq!(served.lock().programs.all(), []);
    uiautomator2::start(&served, uiautomator2::PORT).unwrap();
    assert!(run(&served, line).err.contains("already registered!"));
}

#[test]
fn an_adb_install_of_36_is_answered() {
    let served = new_phone();
    assert_eq!(out(&served, "export ANDROID_LOG_TAGS=''; exec logcat '-d' '-s' 'Nope'"), "");
    let ran = run(&served, "echo X; false; echo X4EXIT:$?");
    assert_eq!(ran.out, "X\nX4EXIT:1\n");
}

#[test]
fn a_helper_app_is_installed_and_its_keyboard_types() {
    let served = new_phone();
    let ime = "com.github.uiautomator/.AdbKeyboard";
    let refused = run(&served, &format!("ime set {ime}"));
    assert_eq!(
        (refused.err.as_str(), refused.code),
        ("Unknown input method com.github.uiautomator/.AdbKeyboard cannot be selected for user #0\n", 255)
    );
    for word in ["enable", "disable"] {
        assert_eq!(run(&served, &format!("ime {word} {ime}")).code, 255);
    }
    let manifest = manifest("com.github.uiautomator", ".AdbKeyboard", "android.permission.BIND_INPUT_METHOD");
    let file = apk(&manifest);
    let install = format!("pm install -r -t -S {}", file.len());
    assert_eq!(run_with(&served, &install, &file, false).out, "Success\n");
    assert!(out(&served, "ime list -s -a").contains(ime));
    assert_eq!(run(&served, &format!("ime set {ime}")).code, 255, "it is not enabled");
    out(&served, &format!("ime enable {ime}; ime set {ime}"));
    assert!(out(&served, "dumpsys input_method").contains(&format!("mCurMethodId={ime}")));
    out(&served, START);
    tap(&served, "sd_main_fab");
    tap(&served, "Folder");
    let sent = out(&served, "am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text w5xicmlnZXM=");
    assert!(sent.contains("result=-1"), "{sent}");
    assert!(shows(&served, "\u{dc}briges"));
    assert_eq!(out(&served, "pm uninstall com.github.uiautomator"), "Success\n");
    assert_eq!(
        out(&served, "settings get secure default_input_method"),
        "com.android.inputmethod.latin/.LatinIME\n"
    );
    assert!(!out(&served, "ime list -s -a").contains(ime));
}

#[test]
fn an_app_that_could_not_run_here_is_refused() {
    let served = new_phone();
    let file = apk(&manifest("org.ex", ".Sync", "android.permission.BIND_JOB_SERVICE"));
    let ran = run_with(&served, &format!("pm install -S {}", file.len()), &file, false);
    assert!(
        ran.out.starts_with("Failure [INSTALL_FAILED_INVALID_APK: it is an app for a real phone"),
        "{ran:?}"
    );
    // Nor may a helper take the name of a package that the device has.
    let file = apk(&manifest("android", ".Keys", "android.permission.BIND_INPUT_METHOD"));
    assert_eq!(run_with(&served, &format!("pm install -S {}", file.len()), &file, false).code, 1);
}

#[test]
fn a_keyboard_that_does_not_exist_is_not_in_use() {
    let served = new_phone();
    out(&served, "settings put secure default_input_method org.ex/.Nothing");
    assert!(
        out(&served, "dumpsys input_method").contains("mCurMethodId=com.android.inputmethod.latin/.LatinIME")
    );
    let sent = out(&served, "am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text eA==");
    assert!(sent.contains("result=0"), "{sent}");
    let old = served_as(Like::Android44);
    assert_eq!(run(&old, "ime set org.ex/.Nothing").err, "Error: Unknown id: org.ex/.Nothing\n");
}

#[test]
fn apps_are_uninstalled_and_installed_again() {
    let served = new_phone();
    out(&served, START);
    create_folder(&served, "Errands");
    assert!(shows(&served, "Errands"));
    let apk = served.read("/data/app/org.taproof.files-1/base.apk").unwrap();
    served.write("/data/local/tmp/files.apk", 0o644, 0, apk.to_vec()).unwrap();
    assert_eq!(out(&served, "pm uninstall org.taproof.files"), "Success\n");
    assert_eq!(out(&served, "pm list packages org.taproof.files"), "");
    assert_eq!(run(&served, "pm path org.taproof.files").code, 1);
    assert!(layout(&served).activity().contains("launcher") && !shows(&served, "Files"));
    assert!(run(&served, START).err.contains("does not exist"));
    let again = run(&served, "pm uninstall org.taproof.files");
    assert_eq!((again.out.as_str(), again.code), ("Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1));
    assert_eq!(out(&served, "pm install -r /data/local/tmp/files.apk"), "Success\n");
    assert!(shows(&served, "Files"));
    out(&served, START);
    assert!(!shows(&served, "Errands"), "its data went with it");
    create_folder(&served, "Errands");
    out(&served, "pm uninstall -k org.taproof.files; pm install /data/local/tmp/files.apk");
    out(&served, START);
    assert!(shows(&served, "Errands"), "-k keeps it");
}

#[test]
fn a_reboot_ends_what_was_running() {
    let served = new_phone();
    out(&served, START);
    out(&served, "cmd alarm set-timezone Asia/Tokyo; echo kept > /data/local/tmp/kept; sleep 5");
    uiautomator2::start(&served, uiautomator2::PORT).unwrap();
    let before = served.restarts();
    out(&served, "reboot");
    assert_eq!(served.restarts(), before + 1);
    assert_eq!(served.lock().programs.all(), []);
    assert!(layout(&served).activity().contains("launcher"));
    assert_eq!(run(&served, "pidof org.taproof.files").code, 1);
    assert_eq!(out(&served, "getprop persist.sys.timezone"), "Asia/Tokyo\n");
    assert_eq!(out(&served, "cat /data/local/tmp/kept; cat /proc/uptime"), "kept\n0.00 0.00\n");
}

#[test]
fn a_line_is_written_to_the_log() {
    let served = new_phone();
    out(&served, "log -p w -t TAG hello  there; log plain");
    assert_eq!(
        out(&served, "logcat -d -v brief"),
        "--------- beginning of main\nW/TAG     ( 6000): hello there\nI/log     ( 6000): plain\n"
    );
    assert_eq!((run(&served, "log").code, run(&served, "log -p x y").code), (255, 255));
}

#[test]
fn the_list_of_notifications_opens_and_closes() {
    let served = new_phone();
    out(&served, START);
    let before = layout(&served);
    out(&served, "cmd statusbar expand-notifications");
    assert!(shows(&served, "No notifications"));
    assert!(out(&served, "dumpsys window").contains("u0 NotificationShade}"));
    out(&served, "cmd statusbar collapse");
    assert_eq!(layout(&served).widgets().len(), before.widgets().len());
    out(&served, "cmd statusbar collapse");
    assert!(shows(&served, "Documents"), "there was nothing to close");
    let opened = uiautomator2::tests::call(&served, "openNotification", &serde_json::json!({})).unwrap();
    assert_eq!(opened, true);
    assert!(shows(&served, "No notifications"));
}
