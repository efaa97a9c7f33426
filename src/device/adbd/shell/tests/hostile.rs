//! Text that a person may type, on its way through a shell: quoted right it arrives letter for letter, quoted wrong it
//! runs.

use super::{new_phone, out, run, run_with};
use crate::device::adbd::{Helper, Served};

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

/// A text as one word of a shell line.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[test]
fn quoted_right_a_text_arrives_and_nothing_runs() {
    for text in TEXTS {
        let served = new_phone();
        assert_eq!(out(&served, &format!("printf '%s' {}", quoted(text))), text);
        assert_eq!(out(&served, &format!("x={}; printf %s \"$x\"", quoted(text))), text);
        assert_eq!(out(&served, &format!("sh -c {}", quoted(&format!("printf %s {}", quoted(text))))), text);
        assert!(!served.lock().rebooted, "{text:?}");
    }
}

#[test]
fn quoted_wrong_it_runs() {
    for line in [
        format!("echo '{}'", TEXTS[0]),
        format!("echo \"{}\"", TEXTS[1]),
        format!("echo \"{}\"", TEXTS[2]),
        format!("echo \"{}\"", TEXTS[3]),
        format!("echo {}", TEXTS[4]),
        format!("echo {}", TEXTS[5]),
        format!("echo {}", TEXTS[6]),
        format!("echo {}", TEXTS[7]),
        format!("echo {}", TEXTS[8]),
        format!("echo x {}", "`reboot`"),
        format!("eval {}", quoted(TEXTS[2])),
        format!("input text {}", "a;reboot"),
        "sh -c reboot".to_owned(),
        "x=$(reboot) true".to_owned(),
    ] {
        let served = new_phone();
        run(&served, &line);
        assert!(served.lock().rebooted, "{line:?}");
    }
}

/// Starts Files, opens its search and reads back what stands in the field.
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
        assert!(out(&served, "am broadcast -a ADB_CLEAR_TEXT").ends_with("result=-1\n"));
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
