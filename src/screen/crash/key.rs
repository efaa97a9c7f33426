//! What a crash is called: the same in every installation and version of the app, so that a baseline knows it.

use super::code::{Code, Whose, is_minified};
use super::script::ScriptError;
use super::shape::{first_line, shape};
use super::{CrashReport, Thrown};

/// Number of frames that count.
const FRAMES: usize = 3;

/// Exceptions that only carry another one: how their class ends, and how their message begins.
const WRAPPERS: [(&str, &str); 15] = [
    ("java.lang.RuntimeException", "Unable to "),
    ("java.lang.RuntimeException", "Failure delivering result"),
    ("java.lang.RuntimeException", "Error receiving broadcast"),
    ("java.lang.RuntimeException", "An error occurred while executing"),
    ("android.app.RemoteServiceException", ""),
    ("java.lang.ExceptionInInitializerError", ""),
    ("java.lang.reflect.InvocationTargetException", ""),
    ("java.lang.reflect.UndeclaredThrowableException", ""),
    ("java.util.concurrent.CompletionException", ""),
    ("java.util.concurrent.ExecutionException", ""),
    ("kotlinx.coroutines.CoroutinesInternalError", ""),
    (".CompositeException", ""),
    (".CompositeException$ExceptionOverview", ""),
    (".OnErrorNotImplementedException", ""),
    (".UndeliverableException", ""),
];

/// The names that count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Those of this version of the app.
    All,
    /// Those that the next version has as well.
    Lasting,
}

/// An exception of a chain, or the error of a script within it.
struct Link<'r> {
    class: &'r str,
    message: &'r str,
    codes: Vec<Code>,
    /// Whether it only carries the next one.
    wraps: bool,
}

impl<'r> Link<'r> {
    fn of(exception: &'r str, message: &'r str, stack: &[String], package: &str) -> Link<'r> {
        let script = ScriptError::within(message);
        let functions = script.iter().flat_map(|script| &script.functions).map(|name| Code::script(name));
        let wraps =
            |(end, beginning): &(&str, &str)| exception.ends_with(end) && message.starts_with(beginning);
        Link {
            codes: functions.chain(stack.iter().filter_map(|frame| Code::of(frame, package))).collect(),
            class: script.as_ref().and_then(|script| script.class).unwrap_or(exception),
            message: script.as_ref().map_or(message, |script| script.message),
            wraps: WRAPPERS.iter().any(wraps),
        }
    }
}

impl CrashReport {
    /// What the crash is known by in every version of the app: the classes of the exception and its causes, except those
    /// that only carry another one, and the first frames of the app. Where no frame is the app's, the first ones of
    /// libraries and the shape of the message. Lines, places of installation and names by a shrinker do not count.
    pub fn key(&self) -> String {
        self.named(Names::Lasting)
    }

    /// What the crash is known by in one version of the app: as [`CrashReport::key`], and by names that a shrinker chose.
    pub fn exact_key(&self) -> String {
        self.named(Names::All)
    }

    /// The exception and its message in one line, without exceptions that only carry another one.
    pub fn headline(&self) -> String {
        let (chain, told) = self.told();
        let Some(link) = told.first().and_then(|at| chain.get(*at)) else { return self.exception.clone() };
        let class = link.class.rsplit('.').next().unwrap_or(link.class);
        let message = first_line(link.message);
        if message.is_empty() { class.to_owned() } else { format!("{class}: {message}") }
    }

    /// The exception and its causes, and the indices of those that do not only carry another one.
    fn told(&self) -> (Vec<Link<'_>>, Vec<usize>) {
        let causes =
            self.causes.iter().map(|Thrown { exception, message, stack }| (exception, message, stack));
        let chain = std::iter::once((&self.exception, &self.message, &self.stack)).chain(causes);
        let chain: Vec<Link<'_>> =
            chain.map(|(class, message, stack)| Link::of(class, message, stack, &self.package)).collect();
        let told = chain.iter().enumerate().filter(|(at, link)| !link.wraps || at + 1 == chain.len());
        let told = told.map(|(at, _)| at).collect();
        (chain, told)
    }

    fn named(&self, names: Names) -> String {
        let (chain, told) = self.told();
        let class = |link: &Link<'_>| match names {
            Names::Lasting if is_minified(link.class) => "?".to_owned(),
            Names::All | Names::Lasting => link.class.to_owned(),
        };
        let mut classes: Vec<String> = told.iter().filter_map(|at| chain.get(*at)).map(class).collect();
        classes.dedup();
        let classes = classes.join(" by ");
        let first_of = |whose: Whose| {
            // What failed comes first, and then what called it.
            let codes = chain.iter().rev().flat_map(|link| &link.codes).filter(|code| code.whose == whose);
            let mut first: Vec<&str> = codes
                .filter_map(|code| match names {
                    Names::All => Some(code.name.as_str()),
                    Names::Lasting => code.lasting.as_deref(),
                })
                .collect();
            first.dedup();
            first.truncate(FRAMES);
            first.join(" < ")
        };
        let own = first_of(Whose::App);
        if !own.is_empty() {
            return format!("{classes} at {own}");
        }
        let component = self.component().map_or(String::new(), |component| format!(" in {component}"));
        let said = chain.iter().rev().map(|link| shape(link.message)).find(|shape| !shape.is_empty());
        let others = Some(first_of(Whose::Library)).filter(|others| !others.is_empty());
        let part =
            |before: &str, part: Option<String>| part.map_or(String::new(), |part| before.to_owned() + &part);
        format!("{classes}{component}{}{}", part(" at ", others), part(": ", said))
    }

    /// The component of the app that Android could not start, as the message says.
    fn component(&self) -> Option<&str> {
        let mut names = self.message.split(|c: char| !(c.is_alphanumeric() || "._$".contains(c)));
        names.find(|name| name.strip_prefix(&*self.package).is_some_and(|class| class.starts_with('.')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report of `org.ex`: exceptions as `class: message`, each with its frames.
    fn report(chain: &[(&str, &[&str])]) -> CrashReport {
        let mut thrown = chain.iter().map(|(headline, stack)| {
            let (exception, message) = headline.split_once(": ").unwrap_or((headline, ""));
            let stack = stack.iter().map(|frame| (*frame).to_owned()).collect();
            Thrown { exception: exception.to_owned(), message: message.to_owned(), stack }
        });
        let Thrown { exception, message, stack } = thrown.next().unwrap();
        let causes = thrown.collect();
        CrashReport { package: "org.ex".to_owned(), exception, message, stack, log: String::new(), causes }
    }

    fn check(chain: &[(&str, &[&str])], key: &str) {
        assert_eq!(report(chain).key(), key);
    }

    const ROOM: &str = "androidx.room.Room.open(Room.kt:7)";

    #[test]
    fn a_crash_is_known_by_the_chain_and_the_frames_of_the_app() {
        let read = "org.ex.Store.read(Store.kt:9)";
        check(
            &[("x.Failed: no 1", &[ROOM, read, "org.ex.A.b(A.java:1)"])],
            "x.Failed at org.ex.Store.read < org.ex.A.b",
        );
        // The root cause comes first, and the message says nothing then, in whatever language.
        let chain = |said: &str| {
            report(&[("x.Failed", &["org.ex.A.b(A.java:1)"]), (&format!("x.Root: {said}"), &[read])])
        };
        assert_eq!(chain("kaputt").key(), "x.Failed by x.Root at org.ex.Store.read < org.ex.A.b");
        assert_eq!(chain("kaputt").key(), chain("broken").key());
        // The copy that coroutines make of an exception is no other exception.
        check(&[("x.Failed: a", &[ROOM]), ("x.Failed: a", &[read])], "x.Failed at org.ex.Store.read");
        check(&[("ANR: slow", &["org.ex.Main"])], "ANR at org.ex.Main");
    }

    #[test]
    fn without_the_apps_frames_the_message_and_the_component_tell() {
        check(&[("x.Failed: row 7 of 'Milk'", &[ROOM])], "x.Failed: row ? of ?");
        check(&[("x.Failed: row 7", &[ROOM, "com.lib.A.b(A.java:1)"])], "x.Failed at com.lib.A.b: row ?");
        let start = "java.lang.RuntimeException: Unable to start activity ComponentInfo{org.ex/org.ex.ui.Main}: x.Gone: #1";
        check(
            &[(start, &["android.app.A.b(A.java:1)"]), ("x.Gone: #1", &[])],
            "x.Gone in org.ex.ui.Main: #?",
        );
        check(&[("java.lang.Error", &[])], "java.lang.Error");
    }

    #[test]
    fn wrappers_give_way_to_what_they_carry() {
        for wrapper in [
            "java.lang.RuntimeException: Unable to resume activity {org.other/.A}",
            "android.app.RemoteServiceException: x",
            "java.lang.reflect.InvocationTargetException",
            "java.lang.reflect.UndeclaredThrowableException",
            "java.util.concurrent.ExecutionException: x.Root: a",
            "io.reactivex.rxjava3.exceptions.CompositeException: 2 exceptions occurred. ",
            "io.reactivex.exceptions.OnErrorNotImplementedException: a",
            "rx.exceptions.UndeliverableException: a",
        ] {
            check(&[(wrapper, &[ROOM]), ("x.Root: a", &[])], "x.Root: a");
            assert_eq!(report(&[(wrapper, &[]), ("x.Root: a", &[])]).headline(), "Root: a");
        }
        check(
            &[("android.app.RemoteServiceException: no service", &[])],
            "android.app.RemoteServiceException: no service",
        );
        check(
            &[("java.lang.RuntimeException: mine", &[]), ("x.Root: a", &[])],
            "java.lang.RuntimeException by x.Root: a",
        );
    }

    #[test]
    fn scripts_are_known_by_their_functions() {
        let script = |said: &str| {
            report(&[(&format!("com.facebook.react.common.JavascriptException: {said}"), &[ROOM])])
        };
        let show =
            script("TypeError: x is not a function, js engine: hermes, stack:\nanonymous@1:9\nshow@1:8\n");
        assert_eq!(show.key(), "TypeError at show");
        assert_eq!(show.headline(), "TypeError: x is not a function");
        assert_eq!(script("TypeError: y, js engine: hermes, stack:\nt@1:9\n").key(), "TypeError: y");
        assert_eq!(script("TypeError: y, js engine: hermes, stack:\nt@1:9\n").exact_key(), "TypeError at t");
    }

    #[test]
    fn names_by_a_shrinker_count_within_one_version() {
        let [old, other] = ["a.b.c(Unknown Source:1)", "d.e.f(Unknown Source:1)"]
            .map(|frame| report(&[("q0.a: no 1", &[frame, "org.ex.Main.onCreate(SourceFile:3)"])]));
        assert_eq!(old.key(), "? at org.ex.Main.onCreate");
        let [old, other] = [old, other].map(|mut report| {
            report.stack.pop();
            report
        });
        assert_eq!((old.key(), other.key()), ("?: no ?".to_owned(), "?: no ?".to_owned()));
        assert_ne!(old.exact_key(), other.exact_key());
    }
}
