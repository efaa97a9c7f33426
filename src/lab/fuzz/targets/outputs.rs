//! What Android's shell commands print.

use super::{FuzzTarget, joined, parts, plain, seen};
use taproof_adb::host::parse_devices;
use taproof_adb::output::crash::crashes;
use taproof_adb::output::touches::{
    ScreenView, TouchEvent, TouchReader, TouchThresholds, gesture, input_devices, touch_screen,
};
use taproof_adb::output::{
    Component, DumpAnswer, Extent, Properties, clear_outcome, debuggable_web_views, dump_answer, forbidden,
    grant_outcome, install_outcome, is_awake, keyboard_region, keyboard_shown, keyguard, log_lines,
    package_details, package_list, package_paths, process_list, property_list, resolved_activity,
    setting_value, start_outcome, undo_crlf, uptime, window_focus, wm_density, wm_size,
};
use taproof_screen::format::parse_hierarchy;

pub(super) const OUTPUT: FuzzTarget = FuzzTarget {
    name: "output",
    about: "the answer of any shell command, read as that of each command that is asked",
    inputs: 100,
    prepare: || plain(read_output),
    seeds: || OUTPUTS.iter().map(|text| text.as_bytes().to_vec()).collect(),
    files: &[".txt", ".xml"],
    words: &[
        "\r\n",
        "\n",
        "mCurrentFocus=Window{1 u0 ",
        "mFocusedApp=",
        "ActivityRecord{",
        " t1}",
        "a.b/.C",
        "mWakefulness=",
        "mShowingLockscreen=true",
        "Physical size: ",
        "Override size: ",
        "1080x1920",
        "Physical density: ",
        "package:",
        "versionCode=",
        "Success",
        "Failure [",
        "INSTALL_FAILED_",
        "Error type 3",
        "Starting: Intent {",
        "Status: ok",
        "TotalTime: ",
        "touchable region=SkRegion(",
        "(0,1000,1080,1920)",
        "[ro.build.version.sdk]: [",
        "PID",
        "NAME",
        "4294967296",
        "-1",
        "UI hierchary dumped to: ",
        "<?xml",
        "</hierarchy>",
        "Exception",
        "null",
    ],
};

const OUTPUTS: [&str; 15] = [
    "  mCurrentFocus=Window{1 u0 a.b/a.b.C}\n  mFocusedApp=ActivityRecord{1 u0 a.b/.C t1}\n  mInputShown=true\n",
    "mHoldingWakeLockSuspendBlocker=true\n  mWakefulness=Awake\n    mShowingLockscreen=false isStatusBarKeyguard=false\n",
    "Physical size: 1080x1920\nOverride size: 720x1280\n",
    "Physical density: 420\nOverride density: 320\n",
    "package:/data/app/a.b-1/base.apk=a.b uid:10101 versionCode:3\npackage:c.d\n",
    "Packages:\n  Package [a.b] (1):\n    userId=10101\n    versionCode=3 minSdk=21 targetSdk=30\n    versionName=1.0\n    \
     requested permissions:\n      android.permission.CAMERA\n    runtime permissions:\n      \
     android.permission.CAMERA: granted=true\n",
    "\tpkg: /data/local/tmp/a.apk\nFailure [INSTALL_FAILED_VERSION_DOWNGRADE: Package a.b]\n",
    "Starting: Intent { act=android.intent.action.MAIN cmp=a.b/.C }\nStatus: ok\nActivity: a.b/.C\nTotalTime: 321\n",
    "Error type 3\nError: Activity class {a.b/a.b.C} does not exist.\n",
    "[ro.build.version.sdk]: [34]\n[ro.product.model]: [Phone]\n[sys.boot_completed]: [1]\n[a]: [b\nc]\n",
    "USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\nu0_a1         1234   567 1000 200 0 0 S a.b:remote\n",
    "<?xml version='1.0' ?><hierarchy rotation=\"0\"><node text=\"a\" bounds=\"[0,0][9,9]\" /></hierarchy>\
     UI hierchary dumped to: /sdcard/window_dump.xml\n",
    "  mGivenInsets=[0,0][0,0]\n    touchable region=SkRegion((0,1000,1080,1920))\n  Window #3 Window{1 u0 InputMethod}:\n",
    "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\na.b/.C\n",
    "List of devices attached\nemulator-5554 device product:sdk model:Phone device:x transport_id:1\nabc\tunauthorized\n",
];

pub(super) const LOG: FuzzTarget = FuzzTarget {
    name: "log",
    about: "lines of logcat, with crashes among them",
    inputs: 2000,
    prepare: || plain(read_log),
    seeds: || LOGS.iter().map(|text| text.as_bytes().to_vec()).collect(),
    files: &["log.txt", ".log"],
    words: &[
        "\n",
        "01-02 03:04:05.678 ",
        " 1234 ",
        " E AndroidRuntime: ",
        "FATAL EXCEPTION: main",
        "Process: a.b, PID: 1",
        "java.lang.Error: a",
        "\tat a.b.C.d(E.java:1)",
        "Caused by: ",
        "\t... 9 more",
        "ANR in a.b (a.b/.C)",
        "Reason: ",
        "F DEBUG   : ",
        "*** *** ***",
        "signal 11 (SIGSEGV), code 1",
        ">>> a.b <<<",
        "#00 pc 0",
        "am_crash: [",
        "am_anr  : [",
        "--------- beginning of crash",
    ],
};

const LOGS: [&str; 3] = [
    "--------- beginning of crash\n01-02 03:04:05.678  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main\n\
     01-02 03:04:05.678  1234  1234 E AndroidRuntime: Process: a.b, PID: 1234\n\
     01-02 03:04:05.678  1234  1234 E AndroidRuntime: java.lang.IllegalStateException: oh\n\
     01-02 03:04:05.678  1234  1234 E AndroidRuntime: \tat a.b.C.d(C.java:1)\n\
     01-02 03:04:05.678  1234  1234 E AndroidRuntime: Caused by: java.lang.Error\n\
     01-02 03:04:05.678  1234  1234 E AndroidRuntime: \t... 2 more\n\
     01-02 03:04:05.700   567   600 I am_crash: [1234,0,a.b,0,java.lang.IllegalStateException,oh,C.java,1]\n",
    "01-02 03:04:05.678   567   600 E ActivityManager: ANR in a.b (a.b/.C)\n\
     01-02 03:04:05.678   567   600 E ActivityManager: PID: 1234\n\
     01-02 03:04:05.678   567   600 E ActivityManager: Reason: Input dispatching timed out\n\
     01-02 03:04:05.678   567   600 I am_anr  : [0,1234,a.b,0,Input dispatching timed out]\n",
    "01-02 03:04:05.678  1300  1300 F DEBUG   : *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n\
     01-02 03:04:05.678  1300  1300 F DEBUG   : pid: 1234, tid: 1234, name: a.b  >>> a.b <<<\n\
     01-02 03:04:05.678  1300  1300 F DEBUG   : signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0\n\
     01-02 03:04:05.678  1300  1300 F DEBUG   :     #00 pc 00001234  /system/lib/libc.so (strlen+1)\n",
];

pub(super) const TOUCHES: FuzzTarget = FuzzTarget {
    name: "touches",
    about: "the devices of input and their events as getevent prints them, in pieces",
    inputs: 2000,
    prepare: || plain(read_touches),
    seeds: || vec![joined(&[DEVICES.as_bytes(), EVENTS.as_bytes()])],
    files: &["getevent.txt"],
    words: &[
        "\n",
        "add device 1: /dev/input/event2\n",
        "    ABS (0003): ",
        "ABS_MT_POSITION_X",
        "ABS_MT_POSITION_Y",
        " : value 0, min 0, max 32767, fuzz 0, flat 0, resolution 0",
        "INPUT_PROP_DIRECT",
        "[      12.345678] ",
        "/dev/input/event2: ",
        "EV_ABS       ABS_MT_TRACKING_ID   0000000a",
        "EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
        "EV_ABS       ABS_MT_SLOT          00000001",
        "EV_SYN       SYN_REPORT           00000000",
        "7fffffff",
        "80000000",
        "EV_SYN       SYN_DROPPED          00000000",
        "EV_SYN       SYN_MT_REPORT        00000000",
        "EV_KEY       BTN_TOUCH            DOWN",
        "EV_KEY       KEY_BACK             UP",
    ],
};

const DEVICES: &str = "add device 1: /dev/input/event2\n  name:     \"touch\"\n  events:\n    KEY (0001): BTN_TOUCH             \n    \
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n                \
    ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0\n                \
    ABS_MT_POSITION_Y     : value 0, min 0, max 1919, fuzz 0, flat 0, resolution 0\n  input props:\n    INPUT_PROP_DIRECT\n";

const EVENTS: &str = "[      12.000000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000000a\n\
    [      12.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    00000064\n\
    [      12.000000] /dev/input/event2: EV_ABS       ABS_MT_POSITION_Y    000000c8\n\
    [      12.000000] /dev/input/event2: EV_KEY       BTN_TOUCH            DOWN\n\
    [      12.000000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000\n\
    [      12.100000] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   ffffffff\n\
    [      12.100000] /dev/input/event2: EV_SYN       SYN_REPORT           00000000\n\
    [      13.100000] /dev/input/event1: EV_KEY       KEY_BACK             DOWN\n\
    [      13.200000] /dev/input/event1: EV_KEY       KEY_BACK             UP\n";

fn read_output(bytes: &[u8]) {
    seen(undo_crlf(bytes));
    if let DumpAnswer::Xml { xml, .. } = dump_answer(bytes) {
        seen(parse_hierarchy(xml.as_bytes()));
    }
    let text = &*String::from_utf8_lossy(bytes);
    seen((window_focus(text), keyboard_shown(text), keyboard_region(text), forbidden(text)));
    seen((install_outcome(text).words(), clear_outcome(text), grant_outcome(text), start_outcome(text)));
    seen((package_details(text, "a.b"), package_list(text), package_paths(text), resolved_activity(text)));
    seen((
        is_awake(text),
        keyguard(text),
        process_list(text),
        debuggable_web_views(text),
        setting_value(text),
        uptime(text),
    ));
    seen((Properties::from_getprop(text), property_list(text), parse_devices(text)));
    seen((wm_size(text).map(|size| size.current()), wm_density(text)));
    seen(Component::parse(text).map(|component| component.full()));
}

fn read_log(bytes: &[u8]) {
    let lines = log_lines(&String::from_utf8_lossy(bytes));
    for crash in crashes(&lines) {
        seen((crash.package().len(), crash.report()));
    }
}

fn read_touches(bytes: &[u8]) {
    let parts = parts(bytes);
    let devices = input_devices(&String::from_utf8_lossy(parts.first().copied().unwrap_or_default()));
    seen(touch_screen(&devices));
    let extent = |width, height| Extent { width, height };
    let rotation = bytes.first().copied().unwrap_or_default();
    let view = ScreenView { physical: extent(1080, 1920), logical: extent(720, 1280), rotation };
    let mut reader = TouchReader::new(&devices, view);
    for (place, part) in parts.iter().skip(1).enumerate() {
        for piece in part.chunks(100 + 37 * place) {
            for event in reader.feed(piece) {
                if let TouchEvent::Stroke(stroke) = event {
                    seen(gesture(&stroke, &TouchThresholds::at_density(420)));
                }
            }
        }
        reader.set_view(ScreenView { rotation: view.rotation.wrapping_add(1), ..view });
    }
}
