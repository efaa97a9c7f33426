//! Names of activities as testers write them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Names activities: `package/class`, a class with or without its package, `.Class` below the app's package, or the last
/// part of a class. `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActivityPattern(pub String);

impl ActivityPattern {
    /// Whether it names the activity, given as `package/class`.
    pub fn matches(&self, activity: &str) -> bool {
        let Some((package, class)) = activity.split_once('/') else { return false };
        let full = match class.starts_with('.') {
            true => format!("{package}{class}"),
            false => class.to_owned(),
        };
        let below = full.strip_prefix(package).filter(|below| below.starts_with('.'));
        let last = full.rsplit('.').next();
        let whole = format!("{package}/{full}");
        let short = below.map(|below| format!("{package}/{below}"));
        let names = [short.as_deref(), Some(whole.as_str()), Some(full.as_str()), below, last];
        names.into_iter().flatten().any(|name| is_like(&self.0, name))
    }
}

impl fmt::Display for ActivityPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a text is like a pattern, in which `*` stands for any characters.
fn is_like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(part) = last.replace(part) {
            match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            }
        }
    }
    match last {
        Some(last) => rest.ends_with(last),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_activity_has_several_names() {
        let matches = |pattern: &str, activity: &str| ActivityPattern(pattern.to_owned()).matches(activity);
        for activity in ["org.ex/.ui.Settings", "org.ex/org.ex.ui.Settings"] {
            for pattern in [
                "org.ex/org.ex.ui.Settings",
                "org.ex/.ui.Settings",
                "org.ex.ui.Settings",
                ".ui.Settings",
                "Settings",
                "*.Settings",
                "Set*",
                "*Sett*ngs",
                "org.ex/*",
                "*",
            ] {
                assert!(matches(pattern, activity), "{pattern} {activity}");
            }
            for pattern in ["Setting", "settings", "ui.Settings", "*Sett*x*", ".Settings", "org.ex", ""] {
                assert!(!matches(pattern, activity), "{pattern} {activity}");
            }
        }
        assert!(!matches("*", ""), "an unknown activity");
        assert!(matches("com.a.B", "org.ex/com.a.B") && !matches(".B", "org.ex/com.a.B"));
    }
}
