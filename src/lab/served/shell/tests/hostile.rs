//! Tests with text that a person may type, passed through a shell: quoted correctly it arrives unchanged, quoted
//! wrongly it is run.

use super::{new_phone, out, run, run_with};
use crate::{FileError, Helper, Served};

#[test]
fn a_command_that_wants_too_much_memory_is_killed() {
    let served = new_phone();
    let lines = vec![b'\n'; 80 << 20];
    for line in ["md5sum", "cat | md5sum"] {
        let ran = run_with(&served, line, &lines, false);
        assert!(ran.err.contains("Killed"), "{line}: {ran:?}");
    }
    assert_eq!(run_with(&served, "md5sum", &lines, false).code, 137);
    served.write("/sdcard/big", 0o644, 0, vec![b'x'; 80 << 20]).unwrap();
    let ran = run(&served, "x=$(cat /sdcard/big); echo $?");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("137\n", "Killed\n"));
    out(&served, "rm /sdcard/big");
    // Doubled twenty times: 10 MB.
    let ran = run(&served, "x=0123456789; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x; x=$x$x; done");
    assert!(ran.code != 0 && ran.err.contains("argument list too long"), "{ran:?}");
}

#[test]
fn what_the_device_keeps_is_bounded() {
    let served = new_phone();
    let long = "x".repeat(100_000);
    for _ in 0..100 {
        run(&served, &format!("am start -n org.taproof.files/.Main -d {long}"));
    }
    let state = served.lock();
    let kept: usize = state.log.since(0).map(|entry| entry.text.len()).sum();
    assert!(kept <= 4 * (256 << 10), "{kept} bytes of log");
    assert!(state.log.since(0).all(|entry| entry.text.len() <= 4068));
    drop(state);
    let put =
        |number: usize| served.lock().set_setting("global", &number.to_string(), Some(&"x".repeat(1 << 20)));
    let refused = (0..1000).find_map(|number| put(number).err()).unwrap();
    assert!(refused.to_string().contains("SQLITE_FULL"), "{refused}");
    served.lock().files.limit = 1 << 20;
    assert_eq!(served.write("/sdcard/p", 0o644, 0, vec![0; 2 << 20]), Err(FileError::Full));
}

const TEXTS: [&str; 17] = [
    "'; reboot; '",
    "\"; reboot; \"",
    "$(reboot)",
    "`reboot`",
    "a && reboot",
    "a\nreboot\n",
    "a; reboot #",
    "a | reboot",
    "a & reboot",
    "$HOME ~ * ? [a] {a,b} !! \\ \\n",
    "> /sdcard/x",
    "😀 grüße שלום",
    "  blanks   and\ttabs ",
    "-n -e",
    "it's 100% %s",
    "(reboot)",
    "\\'; reboot; \\'",
];

/// A text as one word of a command line.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn quoted_right_a_text_arrives_and_nothing_runs() {
    for text in TEXTS {
        let served = new_phone();
        let sent = |line: &str| out(&served, line).contains(&format!("{{ act={text} "));
        assert!(sent(&format!("am broadcast -a {}", quoted(text))), "{text:?}");
        assert!(sent(&format!("x={}; am broadcast -a \"$x\"", quoted(text))), "{text:?}");
        let inner = format!("am broadcast -a {}", quoted(text));
        assert!(sent(&format!("sh -c {}", quoted(&inner))), "{text:?}");
        assert!(!served.lock().rebooted, "{text:?}");
    }
}

#[test]
fn quoted_wrong_it_runs() {
    for line in [
        format!("echo '{}'", TEXTS[0]),
        format!("echo \"{}\"", TEXTS[1]),
        format!("echo \"{}\"", TEXTS[2]),
        format!("echo {}", TEXTS[4]),
        format!("echo {}", TEXTS[5]),
        format!("echo {}", TEXTS[6]),
        format!("echo {}", TEXTS[7]),
        format!("echo {}", TEXTS[8]),
        format!("input text {}", "a;reboot"),
        "sh -c reboot".to_owned(),
        "x=$(reboot) true".to_owned(),
    ] {
        let served = new_phone();
        run(&served, &line);
        assert!(served.lock().rebooted, "{line:?}");
    }
}

/// Starts Files, opens its search and returns the content of the field.
fn search_field(served: &Served) -> String {
    let layout = served.lock().layout().unwrap();
    let field = layout.widgets().iter().find(|widget| widget.is_text_field()).expect("the field is open");
    field.text.to_string()
}

fn open_search(served: &Served) {
    out(served, super::START);
    let layout = served.lock().layout().unwrap();
    let search =
        layout.widgets().iter().find(|widget| &*widget.content_desc == "Search").expect("search is there");
    let at = search.bounds.center();
    out(served, &format!("input tap {} {}", at.x, at.y));
}

#[test]
fn what_input_can_type_arrives_in_a_field() {
    for text in TEXTS {
        let served = new_phone();
        open_search(&served);
        let plain = text.chars().all(|c| c == ' ' || c.is_ascii_graphic()) && !text.contains("%s");
        let ran = run(&served, &format!("input text {}", quoted(text)));
        if plain {
            assert_eq!((ran.code, search_field(&served)), (0, text.to_owned()), "{ran:?}");
        } else if !text.is_ascii() {
            assert_eq!(ran.code, 1);
            assert!(ran.err.starts_with("java.lang.NullPointerException"), "{}", ran.err);
            assert_eq!(search_field(&served), "", "nothing is typed");
        }
        assert!(!served.lock().rebooted, "{text:?}");
    }
    let served = new_phone();
    open_search(&served);
    out(&served, "input text a%sb; input text %; input text s");
    assert_eq!(search_field(&served), "a b%s");
}

#[test]
fn a_helper_keyboard_types_any_language() {
    use base64::Engine as _;
    for text in TEXTS.into_iter().filter(|text| !text.contains('\n')) {
        let served = new_phone();
        let keyboard = Some("com.android.adbkeyboard/.AdbIME".to_owned());
        served
            .lock()
            .helpers
            .insert("com.android.adbkeyboard".to_owned(), Helper { keyboard, service: None });
        open_search(&served);
        let coded = base64::engine::general_purpose::STANDARD.encode(text);
        let broadcast = format!("am broadcast -a ADB_INPUT_B64 --es msg {coded}");
        assert!(out(&served, &broadcast).ends_with("result=0\n"), "it is not chosen yet");
        out(&served, "ime enable com.android.adbkeyboard/.AdbIME; ime set com.android.adbkeyboard/.AdbIME");
        assert!(out(&served, &broadcast).ends_with("result=-1\n"));
        assert_eq!(search_field(&served), text);
        assert!(out(&served, "am broadcast -a ADB_KEYBOARD_CLEAR_TEXT").ends_with("result=-1\n"));
        assert_eq!(search_field(&served), "");
    }
}

#[test]
fn what_was_copied_can_be_pasted() {
    let served = new_phone();
    open_search(&served);
    served.lock().clipboard = "'; reboot; ' 😀".to_owned();
    out(&served, "input keyevent 279");
    assert_eq!(search_field(&served), "'; reboot; ' 😀");
    assert!(!served.lock().rebooted);
}

#[test]
fn a_text_from_outside_is_no_command() {
    let served = new_phone();
    let ran = run_with(&served, "cat; read x", b"reboot\n$(reboot)\n", false);
    assert_eq!(ran.out, "reboot\n$(reboot)\n");
    assert!(!served.lock().rebooted);
}
