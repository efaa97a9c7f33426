//! Errors of JavaScript, which React Native puts with their stack into a message.

/// Functions of React and of its bridge, through which every error of an app comes, and names that name nothing.
const RUNTIME: &str = "<anonymous> <global> ?anon_0_ __callFunction __guard __invokeCallback _callTimer _next _throw \
    anonymous apply asyncGeneratorStep batchedUpdates beginWork call callTimers \
    callFunctionReturnFlushedQueue dispatchEvent flushedQueue global invoke invokeGuardedCallback \
    performSyncWorkOnRoot performUnitOfWork performWorkOnRoot renderRootSync renderWithHooks tryCallOne \
    tryCatch updateFunctionComponent value workLoop workLoopSync";

/// What separates the message of an error from what React Native adds.
const ADDED: [&str; 3] = [", js engine:", ", stack:", "\n"];

/// The error of a script.
pub(super) struct ScriptError<'m> {
    /// Its class, such as `TypeError`, if the message says one.
    pub class: Option<&'m str>,
    /// Its own message.
    pub message: &'m str,
    /// The functions on its stack, innermost first, and then the components around it.
    pub functions: Vec<&'m str>,
}

impl<'m> ScriptError<'m> {
    /// The error in the message of an exception; `None` if it holds none.
    pub(super) fn within(message: &'m str) -> Option<ScriptError<'m>> {
        let (around, stack) = message.split_once("stack:\n").unwrap_or(("", message));
        let functions: Vec<&str> = stack.lines().chain(around.lines()).filter_map(function).collect();
        if functions.is_empty() && !message.contains(ADDED[0]) {
            return None;
        }
        let said = message.trim_start();
        let said = said.strip_prefix("Unhandled JS Exception: ").unwrap_or(said);
        let end = ADDED.iter().filter_map(|added| said.find(added)).min().unwrap_or(said.len());
        let said = said.get(..end).unwrap_or(said).trim_end();
        let named = said.split_once(": ").filter(|(class, _)| class.chars().all(char::is_alphanumeric));
        let functions = functions
            .into_iter()
            .filter(|function| !RUNTIME.split(' ').any(|known| known == *function))
            .collect();
        Some(ScriptError {
            class: named.map(|(class, _)| class),
            message: named.map_or(said, |(_, message)| message),
            functions,
        })
    }
}

/// The function of a line of a stack: `load@1:2000`, `at load (address at index.android.bundle:1:2000)`,
/// `load (index.bundle:1:2000)` or `in Cart (at App.js:20)`.
fn function(line: &str) -> Option<&str> {
    let line = line.trim();
    let line =
        ["at ", "in ", "async "].iter().fold(line, |line, word| line.strip_prefix(word).unwrap_or(line));
    let is_place = |place: &str| {
        let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
        let of_script =
            file.parse::<u32>().is_ok() || ["bundle", ".js", ".ts"].iter().any(|kind| file.contains(kind));
        place == "[native code]" || (of_script && line.parse::<u32>().is_ok())
    };
    let in_brackets = || line.strip_suffix(')')?.split_once(" (");
    let (name, place) =
        in_brackets().or_else(|| line.split_once('@')).filter(|(_, place)| is_place(place))?;
    let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
    is_name.then_some(name).filter(|_| place != "[native code]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_in_all_forms() {
        for (line, expected) in [
            ("load@1:2000", Some("load")),
            ("map@[native code]", None),
            ("    at CartRow (address at index.android.bundle:1:551234)", Some("CartRow")),
            ("load (index.bundle:12:34)", Some("load")),
            ("load@http://10.0.2.2:8081/index.bundle?platform=android:12:34", Some("load")),
            ("    in Cart (at App.js:20)", Some("Cart")),
            ("    at RCTView", None),
            ("write to ann@example.com", None),
            ("price (in EUR)", None),
            ("failed (errno:2)", None),
            ("root@10.0.2.2:22", None),
        ] {
            assert_eq!(function(line), expected, "{line}");
        }
    }

    #[test]
    fn an_error_is_told_from_what_is_added_to_it() {
        let message = "TypeError: x is not a function, js engine: hermes, stack:\nanonymous@1:9\nshow@1:8\n";
        let error = ScriptError::within(message).unwrap();
        assert_eq!((error.class, error.message), (Some("TypeError"), "x is not a function"));
        assert_eq!(error.functions, ["show"]);
        let error = ScriptError::within("no network here, js engine: jsc").unwrap();
        assert_eq!((error.class, error.message), (None, "no network here"));
        assert!(ScriptError::within("Unable to start activity").is_none());
    }
}
