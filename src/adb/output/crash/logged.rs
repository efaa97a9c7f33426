//! Errors that a framework logs without ending the app: unhandled ones of Dart, and errors of JavaScript.

use super::java::headline;
use super::record::{Crash, CrashKind};

/// The filters of `logcat` for these errors.
pub(crate) const FILTERS: &str = "flutter:E ReactNativeJS:E '*:S'";

/// Before the message of an unhandled error of Dart.
const UNHANDLED: &str = " Unhandled Exception: ";

/// Whether this line of `flutter` begins the block of an unhandled error.
pub(super) fn dart_begins(text: &str) -> bool {
    is_of_engine(text) && text.contains(UNHANDLED)
}

/// Whether the line is a message of Flutter's engine, each of which begins with its place in the source.
pub(super) fn is_of_engine(text: &str) -> bool {
    text.starts_with("[ERROR:flutter/")
}

/// Parses the block of an unhandled error of Dart: its message, and frames such as `#0 total (package:shop/cart.dart:88:31)`.
pub(super) fn dart(when: &str, pid: u32, block: &[String]) -> Crash {
    let first = block.first().and_then(|text| text.split_once(UNHANDLED)).map_or("", |(_, message)| message);
    let frame = |text: &String| {
        let (number, frame) = text.strip_prefix('#')?.split_once(' ')?;
        number.parse::<u32>().ok().map(|_| frame.trim().to_owned())
    };
    let rest = block.iter().skip(1).map(String::as_str).take_while(|text| !text.starts_with('#'));
    let message: Vec<&str> = std::iter::once(first).chain(rest).collect();
    error((when, pid), &message.join("\n"), block.iter().filter_map(frame).collect(), block)
}

/// Parses an error of JavaScript, which holds its stack; `None` for what React calls a warning.
pub(super) fn script(when: &str, pid: u32, block: &[String]) -> Option<Crash> {
    let message = block.join("\n");
    let warns = message.trim_start_matches(['\'', '"']).starts_with("Warning: ");
    (!warns).then(|| error((when, pid), &message, Vec::new(), block))
}

fn error((when, pid): (&str, u32), message: &str, stack: Vec<String>, block: &[String]) -> Crash {
    let named = headline(message);
    let (exception, message) = match named.exception == message.trim_end() {
        true => ("Error".to_owned(), message.trim_end().to_owned()),
        false => (named.exception, named.message),
    };
    Crash {
        kind: CrashKind::Logged,
        when: when.to_owned(),
        process: String::new(),
        pid,
        exception,
        message,
        stack,
        causes: Vec::new(),
        activity: None,
        thrown_at: None,
        log: block.join("\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn an_unhandled_error_of_dart_is_read() {
        let text = "[ERROR:flutter/lib/ui/ui_dart_state.cc(209)] Unhandled Exception: Null check operator used on a null value\n\
            #0      _Cart.total (package:shop/cart.dart:88:31)\n<asynchronous suspension>\n#1      main (package:shop/main.dart:5)";
        assert!(dart_begins(text));
        let found = dart("when", 7, &block(text));
        assert_eq!(
            (&*found.exception, &*found.message),
            ("Error", "Null check operator used on a null value")
        );
        assert_eq!(
            found.stack,
            ["_Cart.total (package:shop/cart.dart:88:31)", "main (package:shop/main.dart:5)"]
        );
        let named = dart(
            "when",
            7,
            &block("[ERROR:flutter/x.cc(1)] Unhandled Exception: FormatException: bad\nmore"),
        );
        assert_eq!((&*named.exception, &*named.message), ("FormatException", "bad\nmore"));
        assert!(!dart_begins("[ERROR:flutter/shell/x.cc(1)] Could not create a context"));
    }

    #[test]
    fn a_warning_of_react_is_no_error() {
        let found =
            script("when", 7, &block("TypeError: x of undefined\n\n    in Cart (at App.js:20)")).unwrap();
        assert_eq!((&*found.exception, found.pid), ("TypeError", 7));
        assert!(
            script("when", 7, &block("Warning: Each child in a list should have a unique \"key\" prop."))
                .is_none()
        );
    }
}
