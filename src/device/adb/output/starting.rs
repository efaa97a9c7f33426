//! What comes of starting an activity with `am start`, and an app with `monkey`.

use super::component::{Component, package_of_process};
use super::lines::{first_word, leading_number, lines, values};

/// What came of `am start`, with or without `-W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartOutcome {
    /// It starts, or with `-W` has started.
    Started {
        /// The activity that was asked for, where the intent names one.
        asked: Option<Component>,
        /// The activity that is in front then, with `-W`; it need not be the one asked for.
        activity: Option<Component>,
        /// How it was started, with `-W` and Android 10 or newer.
        launch: Option<LaunchState>,
        /// How long it took, with `-W`, in milliseconds.
        total_millis: Option<u64>,
    },
    /// It was there: its task came to the front, or the intent went to it.
    BroughtToFront {
        /// The activity that was asked for, where the intent names one.
        asked: Option<Component>,
        /// The activity that is in front then, with `-W`.
        activity: Option<Component>,
    },
    /// There is no such activity, or no such app.
    DoesNotExist {
        /// Its name as the answer gives it.
        name: String,
    },
    /// No app can do what the intent asks.
    NotResolved {
        /// What it says.
        text: String,
    },
    /// The shell may not start it: it is not exported, or wants a permission.
    Denied {
        /// What it says.
        text: String,
    },
    /// It was started, but `-W` gave up waiting for it.
    Timeout {
        /// The activity that it waited for.
        activity: Option<Component>,
    },
    /// Another answer.
    Other {
        /// What it says.
        text: String,
    },
}

/// How an activity was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchState {
    /// With a new process.
    Cold,
    /// In a process that was there.
    Warm,
    /// It was there itself.
    Hot,
    /// Android does not know.
    Unknown,
}

/// What came of `monkey -p PACKAGE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MonkeyOutcome {
    /// It sent its events.
    Done {
        /// How many.
        events: u64,
    },
    /// The app has no activity for the launcher, or is not there.
    NoActivity,
    /// The app crashed on the way.
    Crashed {
        /// The app.
        package: String,
    },
    /// The app stopped answering on the way.
    NotResponding {
        /// The app.
        package: String,
    },
    /// Another answer.
    Other {
        /// What it says.
        text: String,
    },
}

/// Reads the answer of `am start`. Its exit code is 0 on old releases whatever it says.
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
        // It was kept from starting, for instance as another activity holds the user.
        Some(_) => other(),
        None => StartOutcome::Started {
            asked,
            activity,
            launch: labelled(text, "LaunchState:").map(launch_state),
            total_millis: labelled(text, "TotalTime:").and_then(leading_number),
        },
    }
}

/// Reads the answer of `monkey -p PACKAGE …`.
pub fn monkey_outcome(text: &str) -> MonkeyOutcome {
    let named = |key: &str| first_word(text, key).map(|process| package_of_process(process).to_owned());
    if text.contains("No activities found to run") {
        return MonkeyOutcome::NoActivity;
    }
    if let Some(package) = named("// CRASH: ") {
        return MonkeyOutcome::Crashed { package };
    }
    if let Some(package) = named("// NOT RESPONDING: ") {
        return MonkeyOutcome::NotResponding { package };
    }
    let aborted =
        text.contains("monkey aborted") || text.contains("Monkey aborted") || text.contains("** Error");
    match labelled(text, "Events injected:").and_then(leading_number) {
        Some(events) if !aborted => MonkeyOutcome::Done { events },
        _ => MonkeyOutcome::Other { text: other_text(text) },
    }
}

fn launch_state(value: &str) -> LaunchState {
    match first(value) {
        "COLD" => LaunchState::Cold,
        "WARM" => LaunchState::Warm,
        "HOT" => LaunchState::Hot,
        _ => LaunchState::Unknown,
    }
}

fn labelled<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    lines(text).find_map(|line| line.trim().strip_prefix(key)).map(str::trim)
}

/// Up to a blank or the end of a record.
fn first(rest: &str) -> &str {
    rest.split(|c: char| c.is_whitespace() || c == '}').next().unwrap_or_default()
}

fn in_braces(line: &str) -> String {
    let inside = line.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
    inside.map_or(line, |(inside, _)| inside).to_owned()
}

/// The end of an answer that is nothing known: errors stand last.
fn other_text(text: &str) -> String {
    const SHOWN: usize = 8;
    let said: Vec<&str> = lines(text).map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = said.len().saturating_sub(SHOWN);
    said.get(last..).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::test_data;
    use super::*;

    fn component(text: &str) -> Option<Component> {
        Component::parse(text)
    }

    fn plain(asked: &str) -> StartOutcome {
        StartOutcome::Started { asked: component(asked), activity: None, launch: None, total_millis: None }
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
        let started = StartOutcome::Started {
            asked: component("com.a/.Main"),
            activity: component("com.a/.Welcome"),
            launch: Some(LaunchState::Cold),
            total_millis: Some(512),
        };
        assert_eq!(start_outcome(text), started);
        let unknown = start_outcome(&text.replace("COLD", "UNKNOWN (0)"));
        assert!(matches!(unknown, StartOutcome::Started { launch: Some(LaunchState::Unknown), .. }));
        let old = "Starting: Intent { cmp=com.a/.Main }\nStatus: ok\nActivity: com.a/.Main\nThisTime: \
            300\nTotalTime: 300\nComplete\n";
        assert!(matches!(
            start_outcome(old),
            StartOutcome::Started { total_millis: Some(300), launch: None, .. }
        ));
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

    #[test]
    fn the_old_monkey_ran() {
        let Some(text) = test_data::text("monkey_run.txt") else { return };
        assert_eq!(monkey_outcome(&text), MonkeyOutcome::Done { events: 40 });
        assert!(matches!(
            monkey_outcome(&test_data::text("monkey_usage.txt").unwrap()),
            MonkeyOutcome::Other { .. }
        ));
    }

    #[test]
    fn a_monkey_may_fail() {
        let none = "** No activities found to run, monkey aborted.\r\n";
        assert_eq!(monkey_outcome(none), MonkeyOutcome::NoActivity);
        let short = "Events injected: 1\n## Network stats: elapsed time=20ms (0ms mobile, 0ms wifi, 20ms \
            not connected)\n";
        assert_eq!(monkey_outcome(short), MonkeyOutcome::Done { events: 1 });
        let crash = "// CRASH: com.a (pid 123)\n// Short Msg: x\n** Monkey aborted due to error.\nEvents \
            injected: 7\n";
        assert_eq!(monkey_outcome(crash), MonkeyOutcome::Crashed { package: "com.a".to_owned() });
        let stuck = "// NOT RESPONDING: com.a:b (pid 123)\n";
        assert_eq!(monkey_outcome(stuck), MonkeyOutcome::NotResponding { package: "com.a".to_owned() });
        assert!(matches!(monkey_outcome("** Error: x\nEvents injected: 0"), MonkeyOutcome::Other { .. }));
    }
}
