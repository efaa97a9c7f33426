//! The block that Android logs when an uncaught exception ends a Java app.

use super::super::lines::{first_word, leading_number};
use super::record::{Crash, CrashKind};
use taproof_screen::Thrown;

/// The name for the system's own process.
const SYSTEM_PROCESS: &str = "system_server";

/// Whether this line of `AndroidRuntime` begins a block.
pub(super) fn begins(text: &str) -> bool {
    text.starts_with("FATAL EXCEPTION: ") || in_system(text)
}

fn in_system(text: &str) -> bool {
    text.starts_with("*** FATAL EXCEPTION IN SYSTEM PROCESS")
}

/// Parses a whole block. Releases before 4.4 have no line with the process; then its name stays empty.
pub(super) fn crash(when: &str, pid: u32, block: &[String]) -> Crash {
    let system = block.first().is_some_and(|text| in_system(text));
    let mut crash = Crash {
        kind: if system { CrashKind::System } else { CrashKind::Java },
        when: when.to_owned(),
        process: if system { SYSTEM_PROCESS.to_owned() } else { String::new() },
        pid,
        exception: String::new(),
        message: String::new(),
        stack: Vec::new(),
        causes: Vec::new(),
        activity: None,
        thrown_at: None,
        log: block.join("\n"),
    };
    let mut body = block.get(1..).unwrap_or_default();
    if let Some((first, rest)) = body.split_first()
        && let Some(process) = first.strip_prefix("Process: ")
    {
        crash.process = process.split(',').next().unwrap_or(process).trim().to_owned();
        if let Some(said) = first_word(process, "PID: ").and_then(leading_number) {
            crash.pid = u32::try_from(said).unwrap_or(pid);
        }
        body = rest;
    }
    read_chain(body, &mut crash);
    crash
}

/// The part of a block that a line belongs to.
enum Part {
    /// Lines before the first frame of an exception belong to its message.
    Message,
    Frames,
    /// The next line is the first of the exceptions that RxJava has joined.
    Joined,
    /// Suppressed exceptions, and all that RxJava has joined but the first, are only part of [`Crash::log`].
    Suppressed,
}

fn read_chain(body: &[String], crash: &mut Crash) {
    let mut chain: Vec<Thrown> = Vec::new();
    let mut part = Part::Message;
    let mut joined = false;
    for text in body {
        let trimmed = text.trim_start();
        let suppressed = matches!(part, Part::Suppressed);
        let cause = if suppressed { text } else { trimmed }.strip_prefix("Caused by: ");
        let first_joined = match &part {
            Part::Joined => Some(trimmed),
            _ => trimmed.strip_prefix("|-- ").filter(|_| !joined),
        };
        if let Some(thrown) = cause.or(first_joined) {
            joined |= first_joined.is_some();
            chain.push(headline(thrown));
            part = Part::Message;
        } else if trimmed.starts_with("ComposedException ") || trimmed.starts_with("|-- ") {
            part = if joined { Part::Suppressed } else { Part::Joined };
        } else if trimmed.starts_with("Suppressed: ") && trimmed.len() < text.len() {
            part = Part::Suppressed;
        } else if suppressed {
            // The lines of a suppressed exception are indented, so only a cause ends it.
        } else if let Some(frame) = trimmed.strip_prefix("at ").filter(|it| !chain.is_empty() && is_frame(it))
        {
            if let Some(exception) = chain.last_mut() {
                exception.stack.push(frame.trim_end().to_owned());
            }
            part = Part::Frames;
        } else if chain.is_empty() {
            chain.push(headline(text));
        } else if let (Part::Message, Some(exception)) = (&part, chain.last_mut())
            && !(trimmed.starts_with("... ") && trimmed.ends_with(" more"))
        {
            exception.message.push('\n');
            exception.message.push_str(text);
        }
    }
    let mut chain = chain.into_iter();
    if let Some(first) = chain.next() {
        crash.exception = first.exception;
        crash.message = first.message;
        crash.stack = first.stack;
    }
    crash.causes = chain.collect();
}

/// Whether the text after `at ` is a frame of Java. Messages have lines that begin alike, such as those of React about the
/// components around an error.
fn is_frame(text: &str) -> bool {
    let method = text.split_once('(').filter(|_| text.trim_end().ends_with(')'));
    method.is_some_and(|(method, _)| method.contains('.') && !method.contains(char::is_whitespace))
}

/// Parses `java.lang.IllegalStateException: text`, or the class alone. A text that does not begin with a class is taken
/// as the class.
pub(super) fn headline(text: &str) -> Thrown {
    let is_class = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-'))
    };
    let split = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, "")));
    let (exception, message) = split.filter(|(name, _)| is_class(name)).unwrap_or((text.trim_end(), ""));
    Thrown { exception: exception.to_owned(), message: message.to_owned(), stack: Vec::new() }
}

/// The frames at the bottom of every app's main thread, from the bottom up. No release has all of them.
const MAIN_LOOP: &[&str] = &[
    "dalvik.system.NativeStart.main",
    "com.android.internal.os.ZygoteInit.main",
    "com.android.internal.os.ZygoteInit$MethodAndArgsCaller.run",
    "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run",
    "java.lang.reflect.Method.invoke",
    "java.lang.reflect.Method.invokeNative",
    "android.app.ActivityThread.main",
    "android.os.Looper.loop",
    "android.os.Looper.loopOnce",
    "android.os.Handler.dispatchMessage",
];

/// The stack without the frames of the main loop at its end; the whole stack if it does not end with them.
pub(super) fn without_main_loop(stack: &[String]) -> &[String] {
    let mut end = stack.len();
    let mut through_main = false;
    for method in MAIN_LOOP {
        let Some(last) = end.checked_sub(1).and_then(|at| stack.get(at)) else { break };
        if last.split('(').next() == Some(*method) {
            through_main |= *method == "android.app.ActivityThread.main";
            end -= 1;
        }
    }
    if through_main { stack.get(..end).unwrap_or(stack) } else { stack }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(block: &str) -> Crash {
        let block: Vec<String> = block.lines().map(str::to_owned).collect();
        crash("when", 7, &block)
    }

    #[test]
    fn a_message_may_have_lines() {
        let found = read(
            "FATAL EXCEPTION: mqt_native_modules\nProcess: com.a:js, PID: 8\ncom.b.JavascriptException: \
                Error: x, stack:\n\
             foo@1:2\n\n\tat com.b.C.d(C.java:1)\nCaused by: a.B\n\t... 12 more",
        );
        assert_eq!((found.process.as_str(), found.package(), found.pid), ("com.a:js", "com.a", 8));
        assert_eq!(found.exception, "com.b.JavascriptException");
        assert_eq!(found.message, "Error: x, stack:\nfoo@1:2\n");
        assert_eq!(found.stack, ["com.b.C.d(C.java:1)"]);
        let cause = Thrown { exception: "a.B".to_owned(), message: String::new(), stack: Vec::new() };
        assert_eq!(found.causes, [cause]);
    }

    #[test]
    fn lines_of_a_message_are_no_frames() {
        let found = read(
            "FATAL EXCEPTION: mqt\nProcess: com.a, PID: 8\ncom.b.JavascriptException: TypeError: x\n\n\
             \x20   at Row (address at index.android.bundle:1:55)\n    at View\n , stack:\nRow@1:55\n\n\tat com.b.C.d(C.java:1)",
        );
        assert_eq!(found.stack, ["com.b.C.d(C.java:1)"]);
        assert!(found.message.contains("at Row (address") && found.message.ends_with("Row@1:55\n"));
    }

    #[test]
    fn the_first_exception_that_rxjava_joined_is_the_cause() {
        let two = "FATAL EXCEPTION: Rx\nProcess: com.a, PID: 8\nio.reactivex.exceptions.CompositeException: 2 exceptions occurred. \n\
            \tat io.reactivex.A.b(A.java:1)\n  ComposedException 1 :\n\tx.Y: one\n\t\tat a.B.c(B.java:1)\n\
            \tCaused by: x.Z: why\n\t\tat a.D.e(D.java:1)\n  ComposedException 2 :\n\tx.W: two\n\t\tat q.R.s(R.java:1)";
        let three = "FATAL EXCEPTION: Rx\nProcess: com.a, PID: 8\nio.reactivex.rxjava3.exceptions.CompositeException: 2 exceptions occurred. \n\
            Caused by: io.reactivex.rxjava3.exceptions.CompositeException$ExceptionOverview: Multiple exceptions (2)\n\
            |-- x.Y: one\n    at a.B.c(B.java:1)\n|-- x.W: two\n    at q.R.s(R.java:1)";
        for (text, classes) in [
            (two, ["x.Y", "x.Z"]),
            (three, ["io.reactivex.rxjava3.exceptions.CompositeException$ExceptionOverview", "x.Y"]),
        ] {
            let found = read(text);
            assert_eq!(found.causes.iter().map(|cause| &*cause.exception).collect::<Vec<_>>(), classes);
            assert!(found.causes.iter().all(|cause| cause.stack.iter().all(|frame| !frame.starts_with('q'))));
        }
    }

    #[test]
    fn suppressed_exceptions_stay_in_the_log() {
        let found = read(
            "FATAL EXCEPTION: DefaultDispatcher-worker-1\nProcess: com.a, PID: 8\nx.Y: z\n\tat a.B.c(B.kt:1)\n\
             \tSuppressed: kotlinx.coroutines.internal.DiagnosticCoroutineContextException: [x]\n\t\tat q.R.s(R.kt:1)\n\
             Caused by: x.Z: why\n\tat a.D.e(D.kt:2)",
        );
        assert_eq!(found.stack, ["a.B.c(B.kt:1)"]);
        assert_eq!(found.causes[0].stack, ["a.D.e(D.kt:2)"]);
        assert!(found.log.contains("q.R.s"));
    }

    #[test]
    fn the_system_has_no_line_with_the_process() {
        let found = read(
            "*** FATAL EXCEPTION IN SYSTEM PROCESS: android.bg\njava.lang.OutOfMemoryError\n\tat \
                a.B.c(B.java:1)",
        );
        assert_eq!((found.kind, found.process.as_str(), found.pid), (CrashKind::System, "system_server", 7));
        assert_eq!((found.exception.as_str(), found.message.as_str()), ("java.lang.OutOfMemoryError", ""));
    }

    #[test]
    fn what_is_no_class_is_kept_whole() {
        assert_eq!(read("FATAL EXCEPTION: main\nsomething odd: x").exception, "something odd: x");
        assert_eq!(read("FATAL EXCEPTION: main").exception, "");
        let empty = read("FATAL EXCEPTION: main\na.B: ");
        assert_eq!((empty.exception.as_str(), empty.message.as_str()), ("a.B", ""));
        assert_eq!(read("FATAL EXCEPTION: main\n\tat a.B.c(B.java:1)").stack, Vec::<String>::new());
    }

    #[test]
    fn the_main_loop_is_left_out_at_the_end_only() {
        let cut = |frames: &[&str]| {
            let stack: Vec<String> = frames.iter().map(|frame| format!("{frame}(X.java:1)")).collect();
            without_main_loop(&stack).len()
        };
        let [main, looped, dispatch] = [
            "android.app.ActivityThread.main",
            "android.os.Looper.loop",
            "android.os.Handler.dispatchMessage",
        ];
        assert_eq!(cut(&["a.B.c", dispatch, looped, main]), 1);
        assert_eq!(cut(&["a.B.c", dispatch, dispatch, looped, main]), 2);
        assert_eq!(cut(&["a.B.c", "android.os.Handler.handleCallback", dispatch, looped]), 4);
        assert_eq!(
            cut(&[
                "a.B.c",
                dispatch,
                "android.os.Looper.loopOnce",
                looped,
                main,
                "java.lang.reflect.Method.invoke",
                "com.android.internal.os.RuntimeInit$MethodAndArgsCaller.run",
                "com.android.internal.os.ZygoteInit.main",
            ]),
            1
        );
        assert_eq!(cut(&["com.android.internal.os.ZygoteInit.main"]), 1);
        assert_eq!(cut(&[]), 0);
    }
}
