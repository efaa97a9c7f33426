//! Parsing the answer of `uiautomator dump`: the layout as XML, mixed with the command's messages.

use super::lines::{excerpt, lines, says_no_command, undo_crlf};

/// The outcome of `uiautomator dump …`, with or without a `cat` of the file after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DumpAnswer {
    /// The answer contains a layout.
    Xml {
        /// The XML from its declaration to the last closing tag, with LF for CRLF.
        xml: String,
    },
    /// The device reports that it wrote a file, but the answer does not contain it. The report is the same if writing
    /// failed.
    Saved {
        /// The path of the file, which may differ from the requested one.
        path: String,
    },
    /// The command yielded no layout, for this reason.
    Failed(DumpProblem),
}

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DumpProblem {
    /// The screen kept changing for 10 s.
    #[error("the screen never comes to rest, so Android gives no layout; a compressed dump may work")]
    NotIdle,
    /// No window has a layout: the app is frozen, or the screen is changing.
    #[error("no window gives a layout: the app in front may be frozen, or the screen is changing; try again")]
    NoRoot,
    /// Only one UI automation can be registered, and another one is.
    #[error(
        "another automation (uiautomator2, Appium, Maestro) holds the screen of this device; end it first"
    )]
    AlreadyRegistered,
    /// The command was killed: by another automation, for lack of memory, or on Android 4.4 by an emoji on the screen.
    #[error(
        "this screen kills the device's own dump of layouts, as one emoji does on Android 4.4; control the device by the \
         agent or start the uiautomator2 server on it"
    )]
    Killed,
    /// The device has no such command.
    #[error("this device has no `uiautomator`")]
    NoCommand,
    /// The answer is empty.
    #[error("the device answers nothing when asked for its layout; try again")]
    Nothing,
    /// The layout is truncated.
    #[error("the layout breaks off after {received} bytes; try again")]
    BrokenOff {
        /// The length of the received part in bytes.
        received: usize,
    },
    /// None of the known answers.
    #[error("the device gives no layout; it answers {excerpt}")]
    Other {
        /// The beginning of the answer, quoted.
        excerpt: String,
    },
}

/// Parses the answer, which may be in UTF-16, have a byte order mark, or contain CRLF from a terminal. If it contains
/// both an error and a layout, the error counts: a failed dump leaves an older file in place.
pub fn dump_answer(bytes: &[u8]) -> DumpAnswer {
    let text = decoded(bytes);
    let Some(start) = ["<?xml", "<displays", "<hierarchy"].iter().find_map(|tag| text.find(tag)) else {
        return without_xml(&text);
    };
    let (before, rest) = text.split_at(start);
    let end = xml_end(rest);
    let (xml, after) = rest.split_at(end.unwrap_or(rest.len()));
    let saved = saved_path(after).or_else(|| saved_path(before)).is_some();
    let problem = said_problem(before).or_else(|| said_problem(after));
    // Some vendors' commands print exceptions but write the layout nevertheless.
    let thrown = || (!saved).then(|| exception(before).or_else(|| exception(after))).flatten();
    if let Some(problem) = problem.or_else(thrown) {
        return DumpAnswer::Failed(problem);
    }
    match end {
        Some(_) => DumpAnswer::Xml { xml: xml.to_owned() },
        None => DumpAnswer::Failed(DumpProblem::BrokenOff { received: xml.len() }),
    }
}

fn without_xml(text: &str) -> DumpAnswer {
    if let Some(problem) = said_problem(text) {
        DumpAnswer::Failed(problem)
    } else if let Some(path) = saved_path(text) {
        DumpAnswer::Saved { path }
    } else if text.trim().is_empty() {
        DumpAnswer::Failed(DumpProblem::Nothing)
    } else if says_no_command(text) {
        DumpAnswer::Failed(DumpProblem::NoCommand)
    } else {
        DumpAnswer::Failed(DumpProblem::Other { excerpt: excerpt(text) })
    }
}

/// The offset at which the layout ends: the end of `<displays>` for a dump of all windows, else the end of the last
/// hierarchy, which may be empty. `None` if it is truncated.
fn xml_end(xml: &str) -> Option<usize> {
    let closing = |tag: &str| xml.rfind(tag).map(|at| at + tag.len());
    let displays =
        xml.find("<displays").filter(|at| xml.find("<hierarchy").is_none_or(|hierarchy| *at < hierarchy));
    if displays.is_some() {
        return closing("</displays>");
    }
    closing("</hierarchy>").or_else(|| {
        let at = xml.find("<hierarchy")?;
        let end = at + xml.get(at..)?.find('>')? + 1;
        xml.get(..end)?.ends_with("/>").then_some(end)
    })
}

fn said_problem(text: &str) -> Option<DumpProblem> {
    if text.contains("could not get idle state") {
        Some(DumpProblem::NotIdle)
    } else if text.contains("null root node") {
        Some(DumpProblem::NoRoot)
    } else if text.contains("already registered") {
        Some(DumpProblem::AlreadyRegistered)
    } else if lines(text).any(|line| line.trim() == "Killed") {
        Some(DumpProblem::Killed)
    } else if lines(text).any(|line| line.trim_start().starts_with("ERROR: ")) {
        Some(DumpProblem::Other { excerpt: excerpt(text) })
    } else {
        None
    }
}

/// The problem if the command ended with an exception, so that the layout after it is an older one.
fn exception(text: &str) -> Option<DumpProblem> {
    text.contains("java.lang.").then(|| DumpProblem::Other { excerpt: excerpt(text) })
}

/// The path in the status line. All releases so far spell it `hierchary`.
fn saved_path(text: &str) -> Option<String> {
    let line = lines(text).find(|line| line.contains("UI hier") && line.contains(" dumped to: "))?;
    let (_, path) = line.split_once(" dumped to: ")?;
    (!path.trim().is_empty()).then(|| path.trim().to_owned())
}

fn decoded(bytes: &[u8]) -> String {
    let units = |bytes: &[u8], join: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.as_chunks().0.iter().map(|pair| join(*pair)).collect();
        String::from_utf16_lossy(&units).replace("\r\n", "\n")
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => units(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => units(rest, u16::from_be_bytes),
        [b'<', 0, ..] => units(bytes, u16::from_le_bytes),
        _ => {
            let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
            String::from_utf8_lossy(&undo_crlf(bytes)).into_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    const XML: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">\
        <node text=\"a &lt;/hierarchy&gt; b\" /></hierarchy>";

    fn xml(text: &str) -> DumpAnswer {
        DumpAnswer::Xml { xml: text.to_owned() }
    }

    fn check(answer: &str, expected: DumpAnswer) {
        assert_eq!(dump_answer(answer.as_bytes()), expected, "{answer}");
    }

    #[test]
    fn a_layout_stands_among_other_words() {
        check(XML, xml(XML));
        check(&format!("{XML}UI hierchary dumped to: /dev/tty\n"), xml(XML));
        check(&format!("UI hierchary dumped to: /data/local/tmp/a b.xml\r\n{XML}"), xml(XML));
        check(&format!("WARNING: linker: x\r\n\u{feff}{XML}\r\n"), xml(XML));
        check(
            "<hierarchy rotation=\"1\">\r\n <node/>\r\n</hierarchy>",
            xml("<hierarchy rotation=\"1\">\n <node/>\n</hierarchy>"),
        );
        check(
            "<?xml version='1.0'?><hierarchy rotation=\"0\" />",
            xml("<?xml version='1.0'?><hierarchy rotation=\"0\" />"),
        );
        let windows = "<?xml version='1.0'?><displays><display id=\"0\"><window index=\"0\"><hierarchy \
            rotation=\"0\"></hierarchy>\
            </window></display></displays>";
        check(&format!("{windows}\nUI hierchary dumped to: F\n"), xml(windows));
    }

    #[test]
    fn other_encodings_are_read() {
        let little: Vec<u8> = XML.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(dump_answer(&little), xml(XML));
        assert_eq!(dump_answer(&[&[0xff, 0xfe], little.as_slice()].concat()), xml(XML));
        let big: Vec<u8> = XML.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(dump_answer(&[&[0xfe, 0xff], big.as_slice()].concat()), xml(XML));
        assert_eq!(dump_answer(&[&[0xef, 0xbb, 0xbf], XML.as_bytes()].concat()), xml(XML));
    }

    #[test]
    fn problems_are_told_apart() {
        let failed = DumpAnswer::Failed;
        check("ERROR: could not get idle state.\n", failed(DumpProblem::NotIdle));
        check(
            &format!("ERROR: null root node returned by UiTestAutomationBridge.\r\n{XML}"),
            failed(DumpProblem::NoRoot),
        );
        check("Killed \r\n", failed(DumpProblem::Killed));
        check(
            "java.lang.IllegalStateException: UiAutomationService \
                android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1already \
                registered!\n\tat x",
            failed(DumpProblem::AlreadyRegistered),
        );
        check("", failed(DumpProblem::Nothing));
        check("/system/bin/sh: uiautomator: inaccessible or not found\n", failed(DumpProblem::NoCommand));
        check(
            "Segmentation fault\n",
            failed(DumpProblem::Other { excerpt: "\"Segmentation fault\"".to_owned() }),
        );
        check(&XML[..80], failed(DumpProblem::BrokenOff { received: 80 }));
        check(&format!("java.lang.NullPointerException\n{XML}"), {
            failed(DumpProblem::Other { excerpt: "\"java.lang.NullPointerException\"".to_owned() })
        });
        let noisy =
            "java.io.FileNotFoundException: theme.xml\n\tat java.lang.reflect.Method.invoke(Native Method)\n";
        check(&format!("{noisy}UI hierchary dumped to: F\n{XML}"), xml(XML));
        check("ERROR: x", failed(DumpProblem::Other { excerpt: "\"ERROR: x\"".to_owned() }));
    }

    #[test]
    fn the_old_devices_answers_are_read() {
        let Some(tty) = test_data::text("uiautomator_devtty.txt") else { return };
        let answer = dump_answer(tty.as_bytes());
        let DumpAnswer::Xml { xml } = answer else { panic!("{answer:?}") };
        assert_eq!(xml.len(), 9023);
        assert!(xml.starts_with("<?xml") && xml.ends_with("</hierarchy>"));
        let read = |name| dump_answer(&test_data::bytes(name).unwrap());
        let saved = |path: &str| DumpAnswer::Saved { path: path.to_owned() };
        assert_eq!(read("uiautomator_dump_stdout.txt"), saved("/data/local/tmp/w.xml"));
        assert_eq!(read("uiautomator_default_path.txt"), saved("/storage/emulated/legacy/window_dump.xml"));
        assert_eq!(read("uiautomator_frozen_app.txt"), DumpAnswer::Failed(DumpProblem::NoRoot));
        assert!(matches!(read("uiautomator_usage.txt"), DumpAnswer::Failed(DumpProblem::Other { .. })));
    }

    #[test]
    fn the_old_devices_files_come_through_a_terminal() {
        let Some(folder) = test_data::android44() else { return };
        let mut read = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "xml") {
                let text = std::fs::read_to_string(&path).unwrap();
                check(&text.replace('\n', "\r\n"), xml(text.trim_end()));
                read += 1;
            }
        }
        assert_eq!(read, 14);
    }
}
