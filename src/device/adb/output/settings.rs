//! Values of Android's settings.

use super::OutputError;
use super::lines::lines;

/// One row of a settings table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRow {
    /// Its name.
    pub name: String,
    /// Its value; `None` where it is unset.
    pub value: Option<String>,
}

/// Reads `settings get NAMESPACE NAME`; `None` where it is unset: it is put back by `settings delete`. Errors: nothing
/// is printed, or a message instead of a value.
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
    // A value may well begin with the name of a class, as those of accessibility services do.
    let thrown = value.split_whitespace().next().is_some_and(|first| first.ends_with("Exception:"));
    let complains = thrown || MESSAGES.iter().any(|message| value.trim_start().starts_with(message));
    if text.is_empty() || complains || super::lines::says_no_command(text) {
        return Err(OutputError::missing("settings get", "value", text));
    }
    Ok((value != "null").then(|| value.to_owned()))
}

/// Reads `content query --uri content://settings/…`: rows `Row: 0 _id=1, name=…, value=…`, in newer releases with
/// more columns behind the value. Errors: neither a row nor `No result found.`
pub fn setting_rows(text: &str) -> Result<Vec<SettingRow>, OutputError> {
    let rows = raw_rows(text);
    if rows.is_empty() {
        let none = lines(text).any(|line| line.trim() == "No result found.");
        let missing = || OutputError::missing("content query", "line `Row: 0 …`", text);
        return if none { Ok(Vec::new()) } else { Err(missing()) };
    }
    // A value may hold what looks like a further column, so only what every row has is one.
    let further: Vec<String> = FURTHER
        .iter()
        .map(|column| format!(", {column}="))
        .filter(|mark| rows.iter().all(|row| row.contains(mark.as_str())))
        .collect();
    Ok(rows.iter().filter_map(|row| setting_row(row, &further)).collect())
}

/// Columns that releases put behind the value.
const FURTHER: &[&str] = &[
    "package",
    "defaultValue",
    "defaultSystemSet",
    "default_value",
    "tag",
    "default_system_set",
    "is_preserved_in_restore",
];

/// The rows' texts behind their numbers. A value may have line ends.
fn raw_rows(text: &str) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for line in lines(text) {
        let numbered = line.strip_prefix("Row: ").and_then(|rest| rest.split_once(' '));
        match (numbered.filter(|(number, _)| number.parse::<u64>().is_ok()), rows.last_mut()) {
            (Some((_, row)), _) => rows.push(row.to_owned()),
            (None, Some(row)) => {
                row.push('\n');
                row.push_str(line);
            }
            (None, None) => {}
        }
    }
    if let Some(last) = rows.last_mut() {
        // The end of the answer.
        last.truncate(last.trim_end_matches('\n').len());
    }
    rows
}

fn setting_row(row: &str, further: &[String]) -> Option<SettingRow> {
    let at = row
        .find("name=")
        .filter(|at| *at == 0 || row.get(..*at).is_some_and(|before| before.ends_with(", ")))?;
    let (name, mut value) = row.get(at + "name=".len()..)?.split_once(", value=")?;
    // Of each further column the last that looks like it counts; the leftmost of them ends the value.
    let ends = further.iter().filter_map(|mark| value.rfind(mark.as_str())).min();
    value = ends.and_then(|end| value.get(..end)).unwrap_or(value);
    Some(SettingRow { name: name.to_owned(), value: (value != "NULL").then(|| value.to_owned()) })
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

    fn check(text: &str, expected: &[(&str, Option<&str>)]) {
        let rows = setting_rows(text).unwrap();
        let found: Vec<(&str, Option<&str>)> =
            rows.iter().map(|row| (row.name.as_str(), row.value.as_deref())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn values_may_hold_commas_and_line_ends() {
        check(
            "Row: 0 _id=1, name=volume_music, value=11\r\nRow: 1 _id=2, name=a, value=x, y=z, value=q\r\n",
            &[("volume_music", Some("11")), ("a", Some("x, y=z, value=q"))],
        );
        check(
            "Row: 0 _id=1, name=a, value=one\ntwo\nRow: 1 _id=2, name=b, value=NULL\nRow: 2 _id=3, \
                name=c, value=\n",
            &[("a", Some("one\ntwo")), ("b", None), ("c", Some(""))],
        );
    }

    #[test]
    fn newer_releases_have_more_columns() {
        check(
            "Row: 0 _id=1, name=a, value=1, 2, package=android, defaultValue=1, defaultSystemSet=1\n\
             Row: 1 _id=2, name=b, value=x, package=q, package=com.a, defaultValue=NULL, defaultSystemSet=0\n",
            &[("a", Some("1, 2")), ("b", Some("x, package=q"))],
        );
        // What only one row has is part of its value.
        check(
            "Row: 0 _id=1, name=a, value=1, package=2\nRow: 1 _id=2, name=b, value=3\n",
            &[("a", Some("1, package=2")), ("b", Some("3"))],
        );
    }

    #[test]
    fn there_may_be_no_row() {
        assert_eq!(setting_rows("No result found.\r\n"), Ok(Vec::new()));
        assert!(
            setting_rows("Error while accessing provider:settings\njava.lang.SecurityException\n").is_err()
        );
        assert!(setting_rows("").is_err());
        assert_eq!(setting_rows("Row: 0 _id=1\n"), Ok(Vec::new()));
    }
}
