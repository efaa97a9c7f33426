//! `pm list packages`.

use crate::served::State;

/// `pm list packages`; the error is a message about its options.
pub(super) fn list(state: &mut State, args: &[String]) -> Result<String, String> {
    let old = state.like.old();
    let mut filter = "";
    let mut letters = String::new();
    let mut version = false;
    for arg in args {
        match arg.strip_prefix('-') {
            Some("-show-versioncode") if !old => version = true,
            Some("f" | "d" | "e" | "s" | "3" | "i" | "u" | "l" | "U" | "a" | "-apex-only") => {
                letters.push_str(arg)
            }
            Some(_) if !arg.is_empty() => return Err(format!("Error: Unknown option: {arg}")),
            _ => filter = arg,
        }
    }
    let has = |letter: char| letters.contains(letter);
    let mut text = String::new();
    for package in state.packages() {
        let left_out = (has('3') && package.system) || (has('s') && !package.system) || has('d');
        if left_out || !package.name.contains(filter) {
            continue;
        }
        let file = if has('f') { format!("{}=", package.apk) } else { String::new() };
        let code = if version { format!(" versionCode:{}", package.version_code) } else { String::new() };
        let uid = if has('U') && !old { format!(" uid:{}", package.uid) } else { String::new() };
        let installer = if has('i') { "  installer=null" } else { "" };
        text += &format!("package:{file}{}{code}{installer}{uid}\n", package.name);
    }
    Ok(text)
}
