//! Tests on whole logs: of the old device, of the bundled phone, and interleaved ones.

use taproof_screen::CrashReport;

use super::super::log_lines;
use super::super::tests::test_data;
use super::*;

fn crashes_in(text: &str) -> Vec<Crash> {
    crashes(&log_lines(text))
}

fn one(text: &str) -> Crash {
    let mut found = crashes_in(text);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.remove(0)
}

const PHOTO: &str = "de.k3b.android.androFotoFinder";

fn check_photo_manager(found: &Crash) {
    assert_eq!((found.kind, found.process.as_str(), found.pid), (CrashKind::Java, PHOTO, 8395));
    assert_eq!(found.when, "11-21 08:43:43.890");
    assert_eq!(found.exception, "java.lang.RuntimeException");
    assert_eq!(
        found.message,
        "Unable to start activity ComponentInfo{de.k3b.android.androFotoFinder/\
         de.k3b.android.androFotoFinder.PhotoAutoprocessingEditActivity}: java.lang.NullPointerException"
    );
    assert_eq!(found.stack.len(), 12);
    assert_eq!(found.stack[0], "android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2195)");
    assert_eq!(found.stack[11], "dalvik.system.NativeStart.main(Native Method)");
    assert_eq!(found.causes.len(), 1);
    assert_eq!(
        (found.causes[0].exception.as_str(), found.causes[0].message.as_str()),
        ("java.lang.NullPointerException", "")
    );
    let frames = [
        "java.io.File.fixSlashes(File.java:185)",
        "java.io.File.<init>(File.java:134)",
        "de.k3b.android.androFotoFinder.PhotoAutoprocessingEditActivity.getSelectedFiles(PhotoAutoprocessingEditActivity.java:554)",
        "de.k3b.android.androFotoFinder.PhotoAutoprocessingEditActivity.onCreate(PhotoAutoprocessingEditActivity.java:138)",
        "android.app.Activity.performCreate(Activity.java:5231)",
        "android.app.Instrumentation.callActivityOnCreate(Instrumentation.java:1087)",
        "android.app.ActivityThread.performLaunchActivity(ActivityThread.java:2159)",
    ];
    assert_eq!(found.causes[0].stack, frames);
    assert!(
        found.log.starts_with("FATAL EXCEPTION: main\nProcess: de.k3b.android.androFotoFinder, PID: 8395\n")
    );
    assert!(found.log.ends_with("\n\t... 11 more"));
    assert_eq!(found.log.lines().count(), 24);
    let report = found.report();
    assert_eq!(report.package, PHOTO);
    // Four frames above the main loop.
    assert_eq!(
        report.stack.last().unwrap(),
        "android.app.ActivityThread$H.handleMessage(ActivityThread.java:1196)"
    );
    assert_eq!((report.stack.len(), report.causes[0].stack.len()), (4, frames.len()));
    let own = format!("{PHOTO}.PhotoAutoprocessingEditActivity");
    assert_eq!(
        report.key(),
        format!("java.lang.NullPointerException at {own}.getSelectedFiles < {own}.onCreate")
    );
}

#[test]
fn the_old_devices_crash_is_read_in_both_formats() {
    let Some(text) = test_data::text("crash_logcat_AndroidRuntime.txt") else { return };
    let plain = one(&text);
    check_photo_manager(&plain);
    assert_eq!((plain.activity, plain.thrown_at), (None, None));
    let among_others = one(&test_data::text("crash_logcat_threadtime.txt").unwrap());
    check_photo_manager(&among_others);
    let name = "de.k3b.android.androFotoFinder/.PhotoAutoprocessingEditActivity";
    assert_eq!(among_others.activity.unwrap().to_string(), name);
}

#[test]
fn the_old_devices_entry_joins_its_block() {
    let Some(entry) = test_data::text("events_am_crash.txt") else { return };
    let alone = one(&entry);
    assert_eq!((alone.process.as_str(), alone.pid, alone.kind), (PHOTO, 8395, CrashKind::Java));
    assert_eq!(alone.exception, "java.lang.NullPointerException");
    assert!(alone.message.ends_with("PhotoAutoprocessingEditActivity}: java.lang.NullPointerException"));
    assert_eq!(alone.thrown_at.as_deref(), Some("File.java:185"));
    assert!(alone.log.starts_with("[8395,0,de.k3b") && alone.log.ends_with("File.java,185]"));
    let block = test_data::text("crash_logcat_threadtime.txt").unwrap();
    for text in [format!("{block}{entry}"), format!("{entry}{block}")] {
        let both = one(&text);
        assert_eq!(both.exception, "java.lang.RuntimeException");
        assert_eq!(both.thrown_at.as_deref(), Some("File.java:185"));
        assert_eq!(both.log.lines().count(), 24);
    }
}

const DISPATCHING: &str = "Input dispatching timed out (Waiting because the focused window has not \
    finished processing \
    the input events that were previously delivered to it.)";

#[test]
fn the_old_devices_anr_is_read() {
    let Some(text) = test_data::text("anr_logcat_threadtime.txt") else { return };
    let found = one(&text);
    assert_eq!(found.kind, CrashKind::NotResponding);
    assert_eq!((found.process.as_str(), found.pid), ("com.android.deskclock", 7544));
    assert_eq!((found.exception.as_str(), found.message.as_str()), ("ANR", DISPATCHING));
    assert_eq!(found.log.lines().count(), 32);
    assert!(found.log.ends_with("36% TOTAL: 20% user + 16% kernel"));
    assert_eq!(found.report().stack, ["com.android.deskclock.DeskClock"]);

    let short = one(&test_data::text("anr_logcat_excerpt.txt").unwrap());
    assert_eq!((short.pid, short.message.as_str()), (0, DISPATCHING));
    assert_eq!(short.log.lines().count(), 2);

    let entry = test_data::text("events_am_anr.txt").unwrap();
    let alone = one(&entry);
    assert_eq!(
        (alone.process.as_str(), alone.pid, alone.message.as_str()),
        ("com.android.deskclock", 7544, DISPATCHING)
    );
    assert_eq!(one(&format!("{entry}{text}")), found);
    // The block without a pid is merged by the process's name.
    assert_eq!(one(&format!("{entry}{}", test_data::text("anr_logcat_excerpt.txt").unwrap())).pid, 7544);
}

#[test]
fn the_old_devices_quiet_logs_have_no_crash() {
    for name in ["logcat_threadtime.txt", "logcat_events.txt"] {
        let Some(text) = test_data::text(name) else { return };
        assert_eq!(crashes_in(&text), []);
    }
}

/// A line as the bundled phone prints it.
fn phone(pid: u32, level: char, tag: &str, text: &str) -> String {
    format!("01-05 09:00:01.500 {pid:5} {pid:5} {level} {tag:<8}: {text}")
}

#[test]
fn the_bundled_phones_crash_reads_as_its_report() {
    let (package, exception, message) = ("org.ex", "java.lang.IllegalStateException", "no view: a, {b}");
    let stack = [
        "org.ex.Main.onCreate(Main.java:12)",
        "androidx.fragment.app.Fragment.restoreViewState(Fragment.java:642)",
        "android.app.ActivityThread.handleRelaunchActivity(ActivityThread.java:5413)",
    ];
    let mut block = vec![
        "FATAL EXCEPTION: main".to_owned(),
        format!("Process: {package}, PID: 4321"),
        format!("{exception}: {message}"),
    ];
    block.extend(stack.iter().map(|frame| format!("\tat {frame}")));
    block.push("\tat android.os.Handler.dispatchMessage(Handler.java:106)".to_owned());
    block.push("\tat android.os.Looper.loop(Looper.java:193)".to_owned());
    block.push("\tat android.app.ActivityThread.main(ActivityThread.java:6669)".to_owned());
    let mut lines: Vec<String> = block.iter().map(|text| phone(4321, 'E', "AndroidRuntime", text)).collect();
    lines.push(phone(1500, 'I', "ActivityManager", "Process org.ex (pid 4321) has died: fore TOP"));
    let report = CrashReport {
        package: package.to_owned(),
        exception: exception.to_owned(),
        message: message.to_owned(),
        stack: stack.iter().map(|frame| (*frame).to_owned()).collect(),
        log: block.join("\n"),
        causes: Vec::new(),
    };

    // The same crash twice, with the same text and the same pid.
    let found = crashes_in(&[lines.join("\n"), lines.join("\n")].join("\n"));
    assert!(found.iter().map(Crash::report).eq([report.clone(), report]), "{found:#?}");
}

#[test]
fn the_bundled_phones_anr_reads_as_its_report() {
    let block = [
        "ANR in org.ex (org.ex/.Main)".to_owned(),
        "PID: 4321".to_owned(),
        "Reason: Input dispatching timed out (org.ex/.Main, Waiting)".to_owned(),
        "Load: 1.02 / 0.87 / 0.64".to_owned(),
        "CPU usage from 0ms to 5000ms later:".to_owned(),
        "  99% 4321/org.ex: 99% user + 0% kernel".to_owned(),
    ];
    let lines: Vec<String> = block.iter().map(|text| phone(1500, 'E', "ActivityManager", text)).collect();
    let report = CrashReport {
        package: "org.ex".to_owned(),
        exception: "ANR".to_owned(),
        message: "Input dispatching timed out (org.ex/.Main, Waiting)".to_owned(),
        stack: vec!["org.ex.Main".to_owned()],
        log: block.join("\n"),
        causes: Vec::new(),
    };
    assert_eq!(one(&lines.join("\r\n")).report(), report);
    // A later crash is a new one, even with the same text.
    let again = format!("{}\n{}", lines.join("\n"), lines.join("\n").replace("09:00:01", "09:00:21"));
    assert_eq!(crashes_in(&again).len(), 2);
}

#[test]
fn mixed_blocks_are_told_apart_and_copies_joined() {
    let block = |pid: u32, package: &str, class: &str| {
        [
            "FATAL EXCEPTION: main".to_owned(),
            format!("Process: {package}, PID: {pid}"),
            format!("{class}: text"),
            format!("\tat {package}.A.b(A.java:1)"),
            "Caused by: a.Root".to_owned(),
            "\t... 1 more".to_owned(),
        ]
        .map(|text| format!("11-21 08:43:43.890 {pid:5} {pid:5} E AndroidRuntime: {text}"))
    };
    let (first, second) = (block(11, "com.a", "x.Y"), block(22, "com.b", "x.Z"));
    let mut text = String::new();
    for (one, other) in first.iter().zip(&second) {
        text.push_str(&format!(
            "{one}\n--------- switch to crash\n{other}\n11-21 08:43:43.890    11    99 I Choreographer: x\n"
        ));
    }
    // The `crash` buffer repeats the first one.
    text.push_str(&first.join("\n"));
    text.push_str("\n11-21 08:43:43.900   500   501 I am_crash: [11,0,com.a,2,a.Root,text,A.java,1,0]\n");
    text.push_str("11-21 08:43:43.900   500   502 I am_proc_died: [0,11,com.a,0,2]\n");
    text.push_str(
        "11-21 08:43:43.900   500   503 I ActivityManager: Process com.a (pid 11) has died: fg TOP\n",
    );
    let found = crashes_in(&text);
    let names: Vec<(&str, &str)> =
        found.iter().map(|crash| (crash.process.as_str(), crash.exception.as_str())).collect();
    assert_eq!(names, [("com.a", "x.Y"), ("com.b", "x.Z")]);
    for crash in &found {
        assert_eq!(crash.stack, [format!("{}.A.b(A.java:1)", crash.process)]);
        assert_eq!(crash.causes[0].exception, "a.Root");
    }
    assert_eq!(found[0].thrown_at.as_deref(), Some("A.java:1"));
}

#[test]
fn an_old_block_gets_its_process_from_elsewhere() {
    let block = "E/AndroidRuntime(  11): FATAL EXCEPTION: main\nE/AndroidRuntime(  11): java.lang.Error: x\n\
        E/AndroidRuntime(  11): \tat com.a.B.c(B.java:1)\n";
    assert_eq!(one(block).process, "");
    assert_eq!(
        one(&format!("{block}I/ActivityManager(  5): Process com.a (pid 11) has died.\n")).process,
        "com.a"
    );
    assert_eq!(
        one(&format!("{block}W/ActivityManager(  5):   Force finishing activity com.a/.M\n")).process,
        "com.a"
    );
    assert_eq!(
        one(&format!("{block}I/am_crash(  5): [11,0,com.a,1,java.lang.Error,x,B.java,1]\n")).process,
        "com.a"
    );
}

#[test]
fn an_entry_may_have_line_ends() {
    let text = "01-05 09:00:01.500   500   501 I am_crash: [11,0,com.a,2,x.Y,one, two\n\
        01-05 09:00:01.500   500   777 I am_kill : [0,1,com.b,0,x]\n\
        01-05 09:00:01.500   500   501 I am_crash: three,A.java,12]\n";
    let found = one(text);
    assert_eq!((found.message.as_str(), found.thrown_at.as_deref()), ("one, two\nthree", Some("A.java:12")));
    let mixed = text.replace("am_kill : [0,1,com.b,0,x]", "am_crash: [22,0,com.b,2,x.Z,four,B.java,1]");
    assert_eq!(crashes_in(&mixed).iter().map(|crash| crash.pid).collect::<Vec<_>>(), [22, 11]);
    let cut = "01-05 09:00:01.500   500   501 I am_crash: [11,0,com.a,2,x.Y,one\n\
        01-05 09:00:01.500   500   501 I am_crash: [22,0,com.b,2,x.Z,two,A.java,12]\n";
    let both = crashes_in(cut);
    assert_eq!(both.iter().map(|crash| crash.pid).collect::<Vec<_>>(), [11, 22]);
    assert_eq!(both[0].message, "one");
}

#[test]
fn an_entry_comes_before_its_block_or_alone() {
    let found = one("01-05 09:00:01.500   500   501 I am_anr  : [0,11,com.a,1,slow]\n\
        01-05 09:00:03.500   500   501 E ActivityManager: ANR in com.a (com.a/.M)\n\
        01-05 09:00:03.500   500   501 E ActivityManager: PID: 11\n\
        01-05 09:00:03.600   500   501 E ActivityManager: something else\n");
    assert_eq!((found.message.as_str(), found.log.as_str()), ("slow", "ANR in com.a (com.a/.M)\nPID: 11"));
    let entry = "01-05 09:00:09.500   500   501 I am_crash: [12,0,com.a,2,x.Y,one,A.java,1]\n";
    assert_eq!(one(entry).message, "one");
    let block = "01-05 09:00:09.500    12    12 E AndroidRuntime: FATAL EXCEPTION: main\n";
    assert_eq!(one(&format!("{entry}{block}")).message, "one");
}

#[test]
fn a_native_crash_shows_in_three_places() {
    let text = "01-05 09:00:01.500  4321  4321 F libc    : Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR)\n\
        01-05 09:00:01.600  4400  4400 F DEBUG   : *** *** *** *** ***\n\
        01-05 09:00:01.600  4400  4400 F DEBUG   : pid: 4321, tid: 4321, name: com.a  >>> com.a <<<\n\
        01-05 09:00:01.600  4400  4400 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n\
        01-05 09:00:01.600  4400  4400 F DEBUG   : backtrace:\n\
        01-05 09:00:01.600  4400  4400 F DEBUG   :     #00 pc 0001f3ac  /system/lib/libgl.so (draw+12)\n\
        01-05 09:00:01.700   500   600 I am_crash: [4321,0,com.a,2,Native crash,Segmentation fault,unknown,0]\n\
        01-05 09:00:01.800   500   601 I ActivityManager: Process com.a (pid 4321) has died: fg TOP\n";
    let found = one(text);
    assert_eq!((found.kind, found.pid, found.exception.as_str()), (CrashKind::Native, 4321, "SIGSEGV"));
    assert_eq!(found.message, "code 1 (SEGV_MAPERR), fault addr 0x0");
    assert_eq!(found.stack, ["pc 0001f3ac  /system/lib/libgl.so (draw+12)"]);
}

#[test]
fn a_flood_is_bounded() {
    let mut lines: Vec<String> =
        (1..1000).map(|pid| phone(pid, 'E', "AndroidRuntime", "FATAL EXCEPTION: main")).collect();
    let frame = phone(999, 'E', "AndroidRuntime", "\tat a.B.c(B.java:1)");
    lines.extend(std::iter::repeat_n(frame, 10_000));
    let found = crashes_in(&lines.join("\n"));
    assert!(found.len() <= 128, "{}", found.len());
    assert!(found.iter().all(|crash| crash.log.lines().count() <= 2000));
}
