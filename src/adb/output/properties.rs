//! Parsing the system properties that `getprop` prints.

use std::collections::BTreeMap;

use super::OutputError;
use super::lines::lines;

/// The system properties that this crate uses. Texts are empty if the property is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The API level, such as 34.
    pub sdk: u32,
    /// The Android version, such as `14`.
    pub release: String,
    /// The maker of the device (`ro.product.manufacturer`).
    pub manufacturer: String,
    /// The brand that it is sold under (`ro.product.brand`).
    pub brand: String,
    /// The model for users (`ro.product.model`).
    pub model: String,
    /// The device's code name (`ro.product.device`).
    pub device: String,
    /// The product's name in the maker's software (`ro.product.name`).
    pub product: String,
    /// The preferred instruction set of the processor, such as `arm64-v8a`.
    pub abi: String,
    /// The hardware serial, if reported; it may differ from the serial that adb uses.
    pub serial: Option<String>,
    /// The language and region, such as `de-DE`, if reported.
    pub locale: Option<String>,
    /// Whether the device is an emulator.
    pub emulator: bool,
    /// Whether Android has finished booting, so that apps can be started.
    pub boot_completed: bool,
    /// Whether the boot animation has ended.
    pub boot_animation_stopped: bool,
}

impl Properties {
    /// Parses the whole answer of `getprop`.
    ///
    /// # Errors
    ///
    /// If the API level is missing or is not a number.
    pub fn from_getprop(text: &str) -> Result<Self, OutputError> {
        Properties::from_list(&property_list(text), text)
    }

    fn from_list(list: &BTreeMap<String, String>, text: &str) -> Result<Self, OutputError> {
        const COMMAND: &str = "getprop";
        let get = |key: &str| list.get(key).map(String::as_str).filter(|value| !value.is_empty());
        let first = |keys: &[&str]| keys.iter().find_map(|key| get(key)).unwrap_or_default().to_owned();
        let expected = "`[ro.build.version.sdk]: [N]`";
        let sdk = get("ro.build.version.sdk").ok_or_else(|| OutputError::missing(COMMAND, expected, text))?;
        let bad = || OutputError::BadValue { command: COMMAND, what: "the API level", value: sdk.to_owned() };
        Ok(Properties {
            sdk: sdk.trim().parse().map_err(|_| bad())?,
            release: first(&["ro.build.version.release"]),
            manufacturer: first(&["ro.product.manufacturer", "ro.product.vendor.manufacturer"]),
            brand: first(&["ro.product.brand", "ro.product.vendor.brand"]),
            model: first(&["ro.product.model", "ro.product.vendor.model"]),
            device: first(&["ro.product.device", "ro.product.vendor.device"]),
            product: first(&["ro.product.name", "ro.product.vendor.name"]),
            abi: first(&["ro.product.cpu.abi"]),
            serial: get("ro.serialno").or_else(|| get("ro.boot.serialno")).map(str::to_owned),
            locale: locale(&get),
            emulator: emulator(&get),
            boot_completed: get("sys.boot_completed") == Some("1"),
            // Devices without a boot animation lack the property.
            boot_animation_stopped: get("init.svc.bootanim").is_none_or(|state| state == "stopped"),
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

/// The locale, which newer releases have in one property and old ones in two.
fn locale<'a>(get: &impl Fn(&str) -> Option<&'a str>) -> Option<String> {
    let pair = |language: &str, region: &str| {
        let language = get(language)?;
        Some(get(region).map_or_else(|| language.to_owned(), |region| format!("{language}-{region}")))
    };
    let whole = |key: &str| get(key).map(str::to_owned);
    whole("persist.sys.locale")
        .or_else(|| pair("persist.sys.language", "persist.sys.country"))
        .or_else(|| whole("ro.product.locale"))
        .or_else(|| pair("ro.product.locale.language", "ro.product.locale.region"))
}

fn emulator<'a>(get: &impl Fn(&str) -> Option<&'a str>) -> bool {
    let flagged = ["ro.kernel.qemu", "ro.boot.qemu"].iter().any(|key| get(key) == Some("1"));
    let hardware = get("ro.hardware").is_some_and(|name| ["goldfish", "ranchu", "vbox86"].contains(&name));
    flagged
        || hardware
        || get("ro.build.characteristics")
            .is_some_and(|kinds| kinds.split(',').any(|kind| kind == "emulator"))
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
                release: "4.4.2".to_owned(),
                manufacturer: "QEMU".to_owned(),
                brand: "Android-x86".to_owned(),
                model: "Standard PC (i440FX + PIIX, 1996)".to_owned(),
                device: "x86".to_owned(),
                product: "android_x86".to_owned(),
                abi: "x86".to_owned(),
                serial: None,
                locale: Some("en-US".to_owned()),
                emulator: true,
                boot_completed: true,
                boot_animation_stopped: true,
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
        assert_eq!((properties.sdk, properties.release.as_str()), (35, "15"));
        assert_eq!(properties.serial.as_deref(), Some("ABC"));
        assert_eq!(properties.locale.as_deref(), Some("de-DE"));
        assert!(!properties.emulator && !properties.boot_completed && !properties.boot_animation_stopped);
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
