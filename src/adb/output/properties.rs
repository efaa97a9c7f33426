//! Parsing the system properties that `getprop` prints.

use std::collections::BTreeMap;

use super::OutputError;
use super::lines::lines;

/// The system properties that this crate uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The API level, such as 34.
    pub sdk: u32,
    /// The model for users (`ro.product.model`); empty if the property is not set.
    pub model: String,
    /// The release of Android, such as `4.4.2`; empty if the property is not set.
    pub release: String,
    /// Whether Android has finished booting, so that apps can be started.
    pub boot_completed: bool,
}

impl Properties {
    /// Parses the whole answer of `getprop`.
    ///
    /// # Errors
    ///
    /// If the API level is missing or is not a number.
    pub fn from_getprop(text: &str) -> Result<Self, OutputError> {
        const COMMAND: &str = "getprop";
        let list = property_list(text);
        let get = |key: &str| list.get(key).map(String::as_str).filter(|value| !value.is_empty());
        let expected = "`[ro.build.version.sdk]: [N]`";
        let sdk = get("ro.build.version.sdk").ok_or_else(|| OutputError::missing(COMMAND, expected, text))?;
        let bad = || OutputError::BadValue { command: COMMAND, what: "the API level", value: sdk.to_owned() };
        Ok(Properties {
            sdk: sdk.trim().parse().map_err(|_| bad())?,
            model: get("ro.product.model").or(get("ro.product.vendor.model")).unwrap_or_default().to_owned(),
            release: get("ro.build.version.release").unwrap_or_default().to_owned(),
            boot_completed: get("sys.boot_completed") == Some("1"),
        })
    }
}

/// Parses all properties from `getprop` without arguments: lines `[key]: [value]`. A value may contain line ends.
pub fn property_list(text: &str) -> BTreeMap<String, String> {
    let mut list = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in lines(text) {
        let pair = line.strip_prefix('[').and_then(|line| line.split_once("]: ["));
        match (pair, &mut open) {
            (Some((key, value)), _) => open = Some((key.to_owned(), value.to_owned())),
            (None, Some((_, value))) => {
                value.push('\n');
                value.push_str(line);
            }
            (None, None) => {}
        }
        if let Some((key, value)) = open.take_if(|(_, value)| value.ends_with(']')) {
            list.insert(key, value.strip_suffix(']').unwrap_or(&value).to_owned());
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::super::tests::test_data;
    use super::*;

    #[test]
    fn the_old_device_is_read() {
        let Some(text) = test_data::text("getprop.txt") else { return };
        let list = property_list(&text);
        assert_eq!(list.len(), 145);
        assert_eq!(list["ro.build.date"], "五  2月 14 03:45:56 CST 2014");
        assert_eq!(list["gsm.operator.alpha"], "");
        assert_eq!(
            Properties::from_getprop(&text),
            Ok(Properties {
                sdk: 19,
                model: "Standard PC (i440FX + PIIX, 1996)".to_owned(),
                release: "4.4.2".to_owned(),
                boot_completed: true,
            })
        );
    }

    #[test]
    fn a_newer_device_is_read() {
        let text = "[init.svc.bootanim]: [running]\n[persist.sys.locale]: [de-DE]\n\
            [ro.build.version.release]: [15]\n\
            [ro.build.version.sdk]: [35]\n[ro.product.model]: [Pixel 9]\n[ro.boot.serialno]: [ABC]\n\
            [ro.serialno]: []\n";
        let properties = Properties::from_getprop(text).unwrap();
        assert_eq!((properties.sdk, properties.model.as_str()), (35, "Pixel 9"));
        assert!(!properties.boot_completed);
    }

    #[test]
    fn values_may_have_line_ends_and_be_cut() {
        let list = property_list(
            "[a]: [1\r\n2\r\n]\r\nnoise\r\n[b]: [x]: [y]\r\n[c]: [cut\r\n[d]: [4]\r\n[e]: [open",
        );
        let found: Vec<(&str, &str)> =
            list.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(found, [("a", "1\n2\n"), ("b", "x]: [y"), ("d", "4")]);
        assert!(Properties::from_getprop("[ro.build.version.sdk]: []").is_err());
        let error = Properties::from_getprop("[ro.build.version.sdk]: [Q]").unwrap_err();
        assert!(matches!(error, OutputError::BadValue { .. }));
    }
}
