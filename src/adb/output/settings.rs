//! Parsing values of Android's settings.

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

#[cfg(test)]
mod tests {
    use super::super::test_data;
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
    }
}
