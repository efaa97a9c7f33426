//! The outcome of starting an activity with `am start`.

use super::component::Component;
use super::lines::{lines, values};

/// The outcome of `am start`, with or without `-W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartOutcome {
    /// The activity is starting; with `-W` it has started.
    Started {
        /// The requested activity, if the intent names one.
        asked: Option<Component>,
        /// With `-W`, the activity in front afterwards, which may differ from the requested one.
        activity: Option<Component>,
    },
    /// The activity was already running: its task came to the front, or the intent was delivered to it.
    BroughtToFront {
        /// The requested activity, if the intent names one.
        asked: Option<Component>,
        /// With `-W`, the activity in front afterwards.
        activity: Option<Component>,
    },
    /// There is no such activity, or no such app.
    DoesNotExist {
        /// The activity's name as the answer contains it.
        name: String,
    },
    /// No app handles the intent.
    NotResolved {
        /// The line of the answer with the error.
        text: String,
    },
    /// The shell is not allowed to start the activity: it is not exported, or requires a permission.
    Denied {
        /// The line of the answer with the error.
        text: String,
    },
    /// The activity was started, but `-W` stopped waiting for it.
    Timeout {
        /// The activity that was waited for.
        activity: Option<Component>,
    },
    /// None of the known answers.
    Other {
        /// The last lines of the answer, joined by blanks.
        text: String,
    },
}

/// Parses the answer of `am start`. On old releases the exit code is always 0.
pub fn start_outcome(text: &str) -> StartOutcome {
    let line_with = |words: &str| lines(text).map(str::trim).find(|line| line.contains(words));
    let error_with = |words: &str| {
        lines(text).map(str::trim).find(|line| line.starts_with("Error") && line.contains(words))
    };
    if let Some(line) = error_with("does not exist") {
        return StartOutcome::DoesNotExist { name: in_braces(line) };
    }
    if let Some(line) =
        error_with("unable to resolve Intent").or_else(|| error_with("Intent does not match any activities"))
    {
        return StartOutcome::NotResolved { text: line.to_owned() };
    }
    if let Some(line) = line_with("Permission Denial")
        .or_else(|| line_with("you do not have permission"))
        .or_else(|| line_with("java.lang.SecurityException"))
    {
        return StartOutcome::Denied { text: line.to_owned() };
    }
    let wrong = |line: &&str| {
        line.starts_with("Error") || line.starts_with("Exception") || line.starts_with("java.lang.")
    };
    let starting = line_with("Starting: Intent");
    let other = || StartOutcome::Other { text: other_text(text) };
    if lines(text).map(str::trim).any(|line| wrong(&line))
        || starting.is_none() && line_with("Status: ").is_none()
    {
        return other();
    }
    let asked =
        starting.and_then(|line| values(line, "cmp=").next()).and_then(|rest| Component::parse(first(rest)));
    let activity = labelled(text, "Activity:").and_then(Component::parse);
    if labelled(text, "Status:") == Some("timeout") {
        return StartOutcome::Timeout { activity: activity.or(asked) };
    }
    match line_with("Warning: Activity not started") {
        Some(line) if line.contains("brought to the front") || line.contains("delivered to") => {
            StartOutcome::BroughtToFront { asked, activity }
        }
        // The start was prevented, for instance because another activity locks the user in.
        Some(_) => other(),
        None => StartOutcome::Started { asked, activity },
    }
}

fn labelled<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    lines(text).find_map(|line| line.trim().strip_prefix(key)).map(str::trim)
}

/// The text up to a blank or the end of a record.
fn first(rest: &str) -> &str {
    rest.split(|c: char| c.is_whitespace() || c == '}').next().unwrap_or_default()
}

fn in_braces(line: &str) -> String {
    let inside = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    inside.map_or(line, |(inside, _)| inside).to_owned()
}

/// The end of an unknown answer, since errors come last.
fn other_text(text: &str) -> String {
    const SHOWN: usize = 8;
    let said: Vec<&str> = lines(text).map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = said.len().saturating_sub(SHOWN);
    said.get(last..).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn component(text: &str) -> Option<Component> {
        Component::parse(text)
    }

    fn plain(asked: &str) -> StartOutcome {
        StartOutcome::Started { asked: component(asked), activity: None }
    }

    #[test]
    fn the_old_device_starts_what_is_there() {
        let Some(text) = test_data::text("am_start_deskclock.txt") else { return };
        assert_eq!(start_outcome(&text), plain("com.android.deskclock/.DeskClock"));
        let missing = start_outcome(&test_data::text("am_start_missing.txt").unwrap());
        assert_eq!(missing, StartOutcome::DoesNotExist { name: "com.nope/com.nope.Nope".to_owned() });
        let said = "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW \
            dat=http://example.com/ flg=0x10000000 }";
        let unresolved = start_outcome(&test_data::text("am_start_noresolve.txt").unwrap());
        assert_eq!(unresolved, StartOutcome::NotResolved { text: said.to_owned() });
        assert!(matches!(
            start_outcome(&test_data::text("am_usage.txt").unwrap()),
            StartOutcome::Other { .. }
        ));
    }

    #[test]
    fn a_start_that_was_waited_for_says_more() {
        let text = "Starting: Intent { act=android.intent.action.MAIN \
            cat=[android.intent.category.LAUNCHER] cmp=com.a/.Main }\r\n\
            Status: ok\r\nLaunchState: COLD\r\nActivity: com.a/.Welcome\r\nTotalTime: 512\r\nWaitTime: \
            520\r\nComplete\r\n";
        let started =
            StartOutcome::Started { asked: component("com.a/.Main"), activity: component("com.a/.Welcome") };
        assert_eq!(start_outcome(text), started);
        let late = start_outcome(&text.replace("Status: ok", "Status: timeout"));
        assert_eq!(late, StartOutcome::Timeout { activity: component("com.a/.Welcome") });
    }

    #[test]
    fn what_is_there_comes_to_the_front() {
        for words in [
            "its current task has been brought to the front",
            "intent has been delivered to currently running top-most instance.",
        ] {
            let text = format!(
                "Starting: Intent {{ cmp=com.a/.Main }}\nWarning: Activity not started, {words}\nStatus: \
                    ok\nActivity: com.a/.Main\n"
            );
            let main = || component("com.a/.Main");
            assert_eq!(
                start_outcome(&text),
                StartOutcome::BroughtToFront { asked: main(), activity: main() }
            );
        }
        let kept = "Starting: Intent { cmp=com.a/.Main }\nWarning: Activity not started because the \
            current activity is being kept for the user.\n";
        assert!(matches!(start_outcome(kept), StartOutcome::Other { .. }));
    }

    #[test]
    fn refusals_are_told_apart() {
        let denied = "Starting: Intent { cmp=com.a/.Secret }\njava.lang.SecurityException: Permission \
            Denial: starting Intent \
            { flg=0x10000000 cmp=com.a/.Secret } from null (pid=1, uid=2000) not exported from uid \
            10123\n\tat x\n";
        assert!(
            matches!(start_outcome(denied), StartOutcome::Denied { text } if text.contains("not exported"))
        );
        let no_permission = "Error: Activity not started, you do not have permission to access it.\n";
        assert!(matches!(start_outcome(no_permission), StartOutcome::Denied { .. }));
        let unknown =
            "Starting: Intent { cmp=com.a/.Main }\nError: Activity not started, unknown error code 102\n";
        assert!(matches!(start_outcome(unknown), StartOutcome::Other { text } if text.contains("102")));
        assert_eq!(start_outcome(""), StartOutcome::Other { text: String::new() });
    }
}
