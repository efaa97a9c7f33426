//! Parsing values of Android's settings.

use std::collections::BTreeMap;

use super::OutputError;
use super::lines::lines;

/// Parses `settings get NAMESPACE NAME`; `None` if the setting is unset, so that it is restored by `settings delete`.
///
/// # Errors
///
/// If the answer is empty or an error message.
pub fn setting_value(text: &str) -> Result<Option<String>, OutputError> {
    const MESSAGES: &[&str] = &[
        "usage:",
        "Error while accessing settings",
        "Invalid namespace",
        "Invalid command",
        "Exception occurred",
        "Security exception:",
        "Failure calling service",
        "cmd: ",
    ];
    let value: Vec<&str> = lines(text).collect();
    let value = value.join("\n");
    let value = value.strip_suffix('\n').unwrap_or(&value);
    // A value may begin with the name of a class, such as those of accessibility services.
    let thrown = value.split_whitespace().next().is_some_and(|first| first.ends_with("Exception:"));
    let complains = thrown || MESSAGES.iter().any(|message| value.trim_start().starts_with(message));
    if text.is_empty() || complains || super::lines::says_no_command(text) {
        return Err(OutputError::missing("settings get", "value", text));
    }
    Ok((value != "null").then(|| value.to_owned()))
}

/// Parses all settings of a namespace, by name: lines of `settings list NAMESPACE`, or rows of `content query` with the
/// columns `name:value`, the only one of the two on Android 4.4. Unset settings are not among them.
///
/// # Errors
///
/// If the answer contains no setting: no device has an empty namespace.
pub fn setting_list(text: &str) -> Result<BTreeMap<String, String>, OutputError> {
    let mut settings = BTreeMap::new();
    for line in lines(text) {
        let row =
            line.strip_prefix("Row: ").and_then(|row| row.split_once(" name=")?.1.split_once(", value="));
        let named = row.or_else(|| line.split_once('='));
        let named = named.filter(|(name, _)| !name.is_empty() && !name.contains([' ', ':']));
        if let Some((name, value)) = named.filter(|(_, value)| !matches!(*value, "NULL" | "null")) {
            settings.insert(name.to_owned(), value.to_owned());
        }
    }
    if settings.is_empty() {
        return Err(OutputError::missing("settings list", "setting", text));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn a_setting_has_a_value_or_none() {
        assert_eq!(setting_value("1.0\r\n"), Ok(Some("1.0".to_owned())));
        assert_eq!(setting_value("null\r\n"), Ok(None));
        assert_eq!(setting_value("\n"), Ok(Some(String::new())));
        assert_eq!(
            setting_value("com.a/.Service:com.b/.Service\n"),
            Ok(Some("com.a/.Service:com.b/.Service".to_owned()))
        );
        let services = "android.a/.B:android.c/.D";
        assert_eq!(setting_value(services), Ok(Some(services.to_owned())));
        assert_eq!(setting_value("a\r\nb\r\n"), Ok(Some("a\nb".to_owned())));
        for message in
            ["", "Invalid namespace 'x'\n", "java.lang.SecurityException: y\n", "sh: settings: not found\n"]
        {
            assert!(setting_value(message).is_err(), "{message}");
        }
        let Some(usage) = test_data::text("settings_usage.txt") else { return };
        assert!(setting_value(&usage).is_err());
        assert!(setting_list(&usage).is_err());
    }

    #[test]
    fn a_namespace_is_listed_in_two_forms() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let listed = setting_list(text).unwrap();
            let listed: Vec<_> = listed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!(listed, expected, "{text}");
        };
        check("a=1\r\nb=x=y\r\nc=\r\n", &[("a", "1"), ("b", "x=y"), ("c", "")]);
        let rows = "Row: 0 name=a, value=1.0\nRow: 1 name=b, value=NULL\nRow: 2 name=c, value=x, value=y\n";
        check(rows, &[("a", "1.0"), ("c", "x, value=y")]);
        for message in ["", "No result found.\n", "java.lang.SecurityException: uid=2000\n"] {
            assert!(setting_list(message).is_err(), "{message}");
        }
    }
}
