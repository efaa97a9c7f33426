//! Names of activities as Android prints them: `com.a/.Main`, alone or inside records.

use std::fmt;

/// An activity: package and full class name. Displayed in the short form, `com.a/.Main`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component {
    /// The package of the app.
    pub package: String,
    /// The fully qualified class name, such as `com.a.Main`. It need not begin with the app's package.
    pub class: String,
}

impl Component {
    /// Parses `com.a/.Main` or `com.a/com.a.Main`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (package, class) = text.split_once('/')?;
        let in_class = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-');
        let begins = package.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !begins || !package.chars().all(in_package) || class.is_empty() || !class.chars().all(in_class) {
            return None;
        }
        let class = if class.starts_with('.') { format!("{package}{class}") } else { class.to_owned() };
        Some(Component { package: package.to_owned(), class })
    }

    /// Parses the activity of the first `ActivityRecord{…}`: `{h u0 com.a/.Main t12}`, also without a user (before
    /// 4.2), with a stray brace (`com.a/.Main} t12}`) or with vendor-specific words after it.
    pub(super) fn of_record(text: &str) -> Option<Self> {
        let (_, record) = text.split_once("ActivityRecord{")?;
        record.split_whitespace().take(4).find_map(|part| Component::parse(part.trim_end_matches(['}', ','])))
    }

    /// The long form, `com.a/com.a.Main`, which the shell of every release understands.
    pub fn full(&self) -> String {
        format!("{}/{}", self.package, self.class)
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class.strip_prefix(self.package.as_str()) {
            Some(rest) if rest.starts_with('.') => write!(f, "{}/{rest}", self.package),
            _ => write!(f, "{}/{}", self.package, self.class),
        }
    }
}

/// The package of a process: the part before the colon of `com.a:remote`.
pub(crate) fn package_of_process(process: &str) -> &str {
    process.split(':').next().unwrap_or(process)
}

fn in_package(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = Component::parse(text).map(|component| (component.class.clone(), component.to_string()));
        assert_eq!(found, expected.map(|(class, short)| (class.to_owned(), short.to_owned())), "{text}");
    }

    #[test]
    fn short_and_full_names_are_the_same() {
        check("com.a/.Main", Some(("com.a.Main", "com.a/.Main")));
        check("com.a/com.a.ui.Main$Inner1", Some(("com.a.ui.Main$Inner1", "com.a/.ui.Main$Inner1")));
        check("com.a/com.ab.Main", Some(("com.ab.Main", "com.a/com.ab.Main")));
        check("com.a/Main", Some(("Main", "com.a/Main")));
        check(
            "android/com.android.internal.app.ResolverActivity",
            Some((
                "com.android.internal.app.ResolverActivity",
                "android/com.android.internal.app.ResolverActivity",
            )),
        );
        for bad in
            ["", "/", "com.a/", "/.Main", "com.a", "a b/.C", "3a/.B", "com.a/.Main}", "/dev/x", "com.a/b/c"]
        {
            check(bad, None);
        }
    }

    #[test]
    fn records_of_all_releases_are_read() {
        for record in [
            "ActivityRecord{21080d68 u0 com.a/.Main t3}}}",
            "ActivityRecord{21080d68 com.a/.Main}",
            "ActivityRecord{d72 u0 com.a/com.a.Main} t409}",
            "ActivityRecord{55e825c u0 com.a/.Main, isShadow:false t243}",
            "ActivityRecord{16425300 u10 com.a/.Main t10 f}",
            "ActivityRecord{u0 com.a/.Main}",
        ] {
            let found = Component::of_record(&format!("  x={record}"));
            assert_eq!(
                found.map(|component| component.to_string()).as_deref(),
                Some("com.a/.Main"),
                "{record}"
            );
        }
        assert_eq!(Component::of_record("null"), None);
        assert_eq!(Component::of_record("ActivityRecord{"), None);
    }

    #[test]
    fn the_package_of_a_process_stands_before_the_colon() {
        assert_eq!(package_of_process("com.a:remote"), "com.a");
        assert_eq!(package_of_process("com.a"), "com.a");
    }
}
