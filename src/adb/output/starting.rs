//! The outcome of starting an activity with `am start`.

use super::lines::lines;

/// The outcome of `am start`, with or without `-W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartOutcome {
    /// The activity is starting or was already running; with `-W` it has started, or that took too long to be waited for.
    Started,
    /// There is no such activity, or no such app.
    DoesNotExist,
    /// It was not started, for this reason: a line of the answer, or the last ones if none is known.
    Failed(String),
}

/// Parses the answer of `am start`. On old releases the exit code is always 0.
pub fn start_outcome(text: &str) -> StartOutcome {
    // No app handles the intent, or the shell is not allowed to start what is not exported or requires a permission.
    const REASONS: [&str; 5] = [
        "unable to resolve Intent",
        "Intent does not match any activities",
        "Permission Denial",
        "you do not have permission",
        "java.lang.SecurityException",
    ];
    let said = || lines(text).map(str::trim);
    if said().any(|line| line.starts_with("Error") && line.contains("does not exist")) {
        return StartOutcome::DoesNotExist;
    }
    if let Some(line) = REASONS.iter().find_map(|reason| said().find(|line| line.contains(reason))) {
        return StartOutcome::Failed(line.to_owned());
    }
    let wrong = ["Error", "Exception", "java.lang."];
    // Otherwise the start was prevented, for instance because another activity locks the user in.
    let elsewhere = |line: &str| {
        line.contains("Warning: Activity not started")
            && !(line.contains("brought to the front") || line.contains("delivered to"))
    };
    let began = said().any(|line| line.contains("Starting: Intent") || line.contains("Status: "));
    if !began || said().any(|line| wrong.iter().any(|word| line.starts_with(word)) || elsewhere(line)) {
        return StartOutcome::Failed(last_lines(text));
    }
    StartOutcome::Started
}

/// The end of an unknown answer, since errors come last.
fn last_lines(text: &str) -> String {
    const SHOWN: usize = 8;
    let said: Vec<&str> = lines(text).map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = said.len().saturating_sub(SHOWN);
    said.get(last..).unwrap_or_default().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    fn failed(text: &str) -> String {
        match start_outcome(text) {
            StartOutcome::Failed(why) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_old_device_starts_what_is_there() {
        let Some(text) = test_data::text("am_start_deskclock.txt") else { return };
        assert_eq!(start_outcome(&text), StartOutcome::Started);
        let missing = start_outcome(&test_data::text("am_start_missing.txt").unwrap());
        assert_eq!(missing, StartOutcome::DoesNotExist);
        let said = "Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW \
            dat=http://example.com/ flg=0x10000000 }";
        assert_eq!(failed(&test_data::text("am_start_noresolve.txt").unwrap()), said);
        failed(&test_data::text("am_usage.txt").unwrap());
    }

    #[test]
    fn a_start_may_be_waited_for() {
        let text = "Starting: Intent { act=android.intent.action.MAIN \
            cat=[android.intent.category.LAUNCHER] cmp=com.a/.Main }\r\n\
            Status: ok\r\nLaunchState: COLD\r\nActivity: com.a/.Welcome\r\nTotalTime: 512\r\nWaitTime: \
            520\r\nComplete\r\n";
        assert_eq!(start_outcome(text), StartOutcome::Started);
        assert_eq!(start_outcome(&text.replace("Status: ok", "Status: timeout")), StartOutcome::Started);
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
            assert_eq!(start_outcome(&text), StartOutcome::Started);
        }
        let kept = "Starting: Intent { cmp=com.a/.Main }\nWarning: Activity not started because the \
            current activity is being kept for the user.\n";
        assert!(failed(kept).contains("kept for the user"));
    }

    #[test]
    fn refusals_are_told_apart() {
        let denied = "Starting: Intent { cmp=com.a/.Secret }\njava.lang.SecurityException: Permission \
            Denial: starting Intent \
            { flg=0x10000000 cmp=com.a/.Secret } from null (pid=1, uid=2000) not exported from uid \
            10123\n\tat x\n";
        assert!(failed(denied).contains("not exported"));
        let no_permission = "Error: Activity not started, you do not have permission to access it.\n";
        assert_eq!(failed(no_permission), no_permission.trim());
        let unknown =
            "Starting: Intent { cmp=com.a/.Main }\nError: Activity not started, unknown error code 102\n";
        assert!(failed(unknown).contains("102"));
        assert_eq!(failed(""), "");
    }
}
