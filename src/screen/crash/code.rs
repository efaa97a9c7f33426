//! The code that a stack frame is in, as a name that is the same in every installation.

/// Whose code it is. The closer to the app, the more it says of a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    App,
    Library,
    Platform,
}

/// The code of one stack frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Code {
    pub whose: Whose,
    /// Its name in this version of the app.
    pub name: String,
    /// What of its name is the same in the next version of the app; `None` if nothing is.
    pub lasting: Option<String>,
}

/// Beginnings of the code of the platform, of the runtimes of its languages, and of what connects these with an app.
const PLATFORM: &str = "_COROUTINE. android. androidx. com.android. com.facebook.hermes. com.facebook.jni. \
    com.facebook.react. com.facebook.soloader. dalvik. dart: expo.modules.kotlin. io.flutter. \
    io.reactivex. java. javax. jdk. kotlin. kotlinx. libcore. package:flutter/ rx. sun.";

/// Libraries through which every native crash comes, whatever its cause.
const NATIVE_RUNTIME: &str = "libandroid_runtime.so libart.so libart-compiler.so libbase.so libbinder.so libc++.so \
    libc++_shared.so libc.so libdl.so libfbjni.so liblog.so libm.so libunwindstack.so libutils.so";

/// Parts of names of code that a compiler adds and numbers anew each time.
const GENERATED: [&str; 3] = ["$$ExternalSynthetic", "$$Lambda$", "D8$$SyntheticClass"];

/// Whether a name is one of the platform's code.
pub(super) fn is_of_platform(name: &str) -> bool {
    PLATFORM.split(' ').any(|beginning| name.starts_with(beginning))
}

impl Code {
    /// The code of a frame in a process of the app with this package name; `None` if it says nothing.
    pub(super) fn of(frame: &str, package: &str) -> Option<Code> {
        match frame.strip_prefix("pc ") {
            Some(place) => native(place, package),
            None => dart(frame).or_else(|| java(frame, package)),
        }
    }

    /// A function of JavaScript.
    pub(super) fn script(name: &str) -> Code {
        Code { whose: Whose::App, name: name.to_owned(), lasting: (name.len() > 2).then(|| name.to_owned()) }
    }
}

/// Parses `total (package:shop/cart.dart:88:31)`, and a frame of a build without names.
fn dart(frame: &str) -> Option<Code> {
    if let Some((_, offset)) = frame.split_once(" virt ") {
        let offset = offset.split(' ').next()?.trim_start_matches('0');
        return Some(Code { whose: Whose::App, name: format!("+{offset}"), lasting: None });
    }
    let (name, place) = frame.rsplit_once(" (")?;
    let of_dart = ["dart:", "file:", "package:"].iter().any(|scheme| place.starts_with(scheme));
    let whose = if is_of_platform(place) { Whose::Platform } else { Whose::App };
    of_dart.then(|| Code { whose, name: name.to_owned(), lasting: Some(name.to_owned()) })
}

/// Parses `org.ex.Main.on(Main.java:12)`.
fn java(frame: &str, package: &str) -> Option<Code> {
    if GENERATED.iter().any(|part| frame.contains(part)) {
        return None;
    }
    let (name, place) = frame.split_once('(').unwrap_or((frame, ""));
    let in_package = || name.strip_prefix(package).is_some_and(|class| class.starts_with('.'));
    let whose = match is_of_platform(name) {
        _ if in_package() => Whose::App,
        true => Whose::Platform,
        false => Whose::Library,
    };
    let lasting = if place.is_empty() { Some(name.to_owned()) } else { lasting_method(name, place) };
    Some(Code { whose, name: name.to_owned(), lasting })
}

/// What of a method's name was not chosen by a shrinker such as R8. Its names are short, and its frames seldom name a
/// file of the source.
fn lasting_method(name: &str, place: &str) -> Option<String> {
    let (class, method) = name.rsplit_once('.')?;
    let file = place.split([':', ')']).next().unwrap_or_default();
    let (stem, kind) = file.rsplit_once('.').unwrap_or((file, ""));
    let simple = class.rsplit('.').next().unwrap_or(class);
    if is_minified(class) && simple.split('$').next() != Some(stem) {
        return None;
    }
    let from_source = matches!(kind, "java" | "kt") || file == "Native Method";
    Some(if from_source || method.len() > 2 { name.to_owned() } else { format!("{class}.?") })
}

/// Whether a shrinker seems to have chosen the name of a class.
pub(super) fn is_minified(class: &str) -> bool {
    let short = |part: &str| {
        let lower = part.starts_with(|first: char| first.is_ascii_lowercase());
        !part.bytes().all(|byte| byte.is_ascii_digit()) && (part.len() <= 2 || (part.len() == 3 && lower))
    };
    class.rsplit('.').next().unwrap_or(class).split('$').any(short)
}

/// Parses `0001234  /data/app/~~x==/org.ex-y==/lib/arm64/libgame.so (draw()+12) (BuildId: aa)`. Where the code was loaded and
/// installed says nothing; an offset only counts together with the build of the library.
fn native(place: &str, package: &str) -> Option<Code> {
    let (offset, rest) = place.trim_start().split_once(' ')?;
    let (rest, build) =
        rest.split_once(" (BuildId: ").map_or((rest, None), |(rest, id)| (rest, id.strip_suffix(')')));
    let (path, mut function) = rest.trim().split_once(" (").unwrap_or((rest.trim(), ""));
    while function.starts_with("deleted)") || function.starts_with("offset ") {
        function = function.split_once(" (").map_or("", |(_, function)| function);
    }
    let function =
        function.strip_suffix(')').and_then(|function| function.rsplit_once('+')).map(|(name, _)| name);
    let library = path.rsplit(['/', '!']).next().filter(|name| name.ends_with(".so"));
    let Some(library) = library else {
        // Compiled Java code: its file depends on how far Android has compiled it.
        let method = function.filter(|function| function.contains('.') && !function.contains("::"))?;
        return java(method.split('(').next()?.rsplit(' ').next()?, package);
    };
    let whose = match path {
        _ if NATIVE_RUNTIME.split(' ').any(|known| known == library) => Whose::Platform,
        path if path.starts_with("/data/") || path.starts_with("/mnt/") => Whose::App,
        _ => Whose::Library,
    };
    let name = match (function, build) {
        (Some(function), _) => format!("{library} {function}"),
        (None, Some(build)) => format!("{library}+{} ({build})", offset.trim_start_matches('0')),
        (None, None) => library.to_owned(),
    };
    Some(Code { whose, lasting: Some(name.clone()), name })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frame: &str, whose: Whose, name: &str, lasting: Option<&str>) {
        let code = Code::of(frame, "org.ex").unwrap();
        assert_eq!((code.whose, &*code.name, code.lasting.as_deref()), (whose, name, lasting), "{frame}");
    }

    #[test]
    fn methods_lose_their_lines_and_minified_names_do_not_last() {
        use Whose::{App, Library, Platform};
        check("org.ex.Main.on(Main.java:12)", App, "org.ex.Main.on", Some("org.ex.Main.on"));
        check("org.ex.Main", App, "org.ex.Main", Some("org.ex.Main"));
        check("org.exotic.B.c(B.java:1)", Library, "org.exotic.B.c", Some("org.exotic.B.c"));
        check("java.io.File.x(File.java:1)", Platform, "java.io.File.x", Some("java.io.File.x"));
        check("a.b.c(Unknown Source:12)", Library, "a.b.c", None);
        check("org.ex.b0.run(SourceFile:3)", App, "org.ex.b0.run", None);
        check("org.ex.Main.a(SourceFile:3)", App, "org.ex.Main.a", Some("org.ex.Main.?"));
        check("org.ex.Main$a.run(SourceFile:3)", App, "org.ex.Main$a.run", None);
        check("org.ex.Main$1.run(Main.java:3)", App, "org.ex.Main$1.run", Some("org.ex.Main$1.run"));
        assert_eq!(
            Code::of("org.ex.Main$$ExternalSyntheticLambda3.onClick(D8$$SyntheticClass:0)", "org.ex"),
            None
        );
    }

    #[test]
    fn native_frames_are_library_and_function_wherever_they_are_installed() {
        use Whose::{App, Library, Platform};
        let draw = |frame: &str, whose, name: &str| check(frame, whose, name, Some(name));
        for place in ["/data/app/~~x==/org.ex-y==/lib/arm64/", "/data/app/org.ex-1/base.apk!"] {
            let frame = format!(
                "pc 0000012a4  {place}libgame.so (offset 0x1000) (Game::(anonymous namespace)::draw(int)+12)"
            );
            draw(&frame, App, "libgame.so Game::(anonymous namespace)::draw(int)");
        }
        let flutter = "pc 0000000001b33f20  /data/app/~~x==/org.ex-y==/lib/arm64/libflutter.so (BuildId: bb)";
        draw(flutter, App, "libflutter.so+1b33f20 (bb)");
        draw("pc 0001  /data/app/x/libgame.so", App, "libgame.so");
        draw("pc 0001  /system/lib64/libhwui.so (draw+4) (BuildId: cc)", Library, "libhwui.so draw");
        draw(
            "pc 0001  /apex/com.android.runtime/lib64/bionic/libc.so (abort+164)",
            Platform,
            "libc.so abort",
        );
        for file in ["/memfd:jit-cache (deleted) (offset 0x2000)", "/data/app/x/oat/arm64/base.odex"] {
            draw(&format!("pc 0001  {file} (org.ex.Main.on+100)"), App, "org.ex.Main.on");
        }
        for none in ["pc 0001  <anonymous:7f00>", "pc 0001  [anon:scudo]", "pc 0001  ???", "pc 0001"] {
            assert_eq!(Code::of(none, "org.ex"), None, "{none}");
        }
    }

    #[test]
    fn functions_of_dart_are_named_without_their_place() {
        check("_Cart.total (package:shop/cart.dart:88:31)", Whose::App, "_Cart.total", Some("_Cart.total"));
        check(
            "Timer._run (dart:async-patch/timer.dart:1)",
            Whose::Platform,
            "Timer._run",
            Some("Timer._run"),
        );
        check("abs 7b1c virt 00000000001a2b3c _kDart+0x1", Whose::App, "+1a2b3c", None);
    }
}
