//! What `getprop` and `settings` say of a device that was just switched on.

use std::collections::BTreeMap;

use super::Like;
use super::like::release_of;
use super::packages::KEYBOARD;
use super::served::{LANGUAGES, State};
use taproof_phone::PX_PER_DP;

/// How many dots an inch of the bundled phone's screen has.
pub(super) const DENSITY: i32 = 160 * PX_PER_DP;

/// What the properties that were set may take together, in bytes: the size of Android's area for them.
pub(super) const PROPERTY_BYTES: u64 = 128 << 10;

/// The settings of a device that was just switched on, by namespace and key.
pub(super) fn initial_settings(like: Like) -> Vec<((String, String), String)> {
    let common = [
        ("global", "adb_enabled", "1"),
        ("global", "airplane_mode_on", "0"),
        ("global", "animator_duration_scale", "1.0"),
        ("global", "auto_time", "1"),
        ("global", "bluetooth_on", "0"),
        ("global", "device_provisioned", "1"),
        ("global", "stay_on_while_plugged_in", "0"),
        ("global", "transition_animation_scale", "1.0"),
        ("global", "wifi_on", "1"),
        ("global", "window_animation_scale", "1.0"),
        ("secure", "accessibility_enabled", "0"),
        ("secure", "android_id", "7a11c0de5eed0001"),
        ("secure", "default_input_method", KEYBOARD),
        ("secure", "enabled_input_methods", KEYBOARD),
        ("secure", "show_ime_with_hard_keyboard", "1"),
        ("secure", "user_setup_complete", "1"),
        ("system", "accelerometer_rotation", if like.old() { "0" } else { "1" }),
        ("system", "font_scale", "1.0"),
        ("system", "screen_brightness", "102"),
        ("system", "screen_brightness_mode", "0"),
        ("system", "screen_off_timeout", "600000"),
        ("system", "user_rotation", "0"),
        ("system", "volume_music", "5"),
    ];
    let entry = |(namespace, key, value): (&str, &str, &str)| {
        ((namespace.to_owned(), key.to_owned()), value.to_owned())
    };
    common.into_iter().map(entry).collect()
}

/// A device's names, without the characters that an adb banner is split at.
fn plain(name: &str) -> String {
    name.chars().map(|c| if matches!(c, ':' | ';' | '=' | '\n') { '_' } else { c }).collect()
}

impl State {
    /// All properties, by key.
    pub fn all_properties(&self) -> BTreeMap<String, String> {
        let (info, like) = (self.device.info(), self.like);
        let (sdk, release) = (self.sdk(), release_of(self.sdk()));
        let build = if like.old() { "KOT49H" } else { "TP1A.260105.001" };
        let kind = if like.old() { "userdebug" } else { "user" };
        let locale = LANGUAGES.get(self.around.language).copied().unwrap_or_default();
        let fingerprint = format!("taproof/taproof_phone/taproof:{release}/{build}/1:{kind}/release-keys");
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        let mut add = |key: &str, value: &str| drop(all.insert(key.to_owned(), value.to_owned()));
        for (key, value) in [
            ("dalvik.vm.heapsize", "512m"),
            ("debug.layout", "false"),
            ("dev.bootcomplete", "1"),
            ("gsm.sim.state", if like.old() { "NOT_READY" } else { "ABSENT" }),
            ("init.svc.adbd", "running"),
            ("init.svc.bootanim", "stopped"),
            ("init.svc.surfaceflinger", "running"),
            ("init.svc.zygote", "running"),
            ("persist.sys.timezone", "GMT"),
            ("persist.sys.usb.config", "adb"),
            ("ro.boot.qemu", "1"),
            ("ro.build.characteristics", "emulator"),
            ("ro.build.tags", "release-keys"),
            ("ro.build.version.codename", "REL"),
            ("ro.debuggable", if like.old() { "1" } else { "0" }),
            ("ro.hardware", "taproof"),
            ("ro.kernel.qemu", "1"),
            ("ro.product.board", "taproof"),
            ("ro.product.brand", "taproof"),
            ("ro.product.cpu.abi", if like.old() { "x86" } else { "x86_64" }),
            ("ro.product.cpu.abilist", if like.old() { "x86" } else { "x86_64,arm64-v8a" }),
            ("ro.product.device", "taproof"),
            ("ro.product.manufacturer", "Taproof"),
            ("ro.product.name", "taproof_phone"),
            ("ro.secure", "1"),
            ("sys.boot_completed", "1"),
            ("sys.usb.config", "adb"),
            ("sys.usb.state", "adb"),
        ] {
            add(key, value);
        }
        add("persist.sys.locale", locale);
        add("ro.product.locale", "en-US");
        add("ro.build.display.id", build);
        add("ro.build.id", build);
        add("ro.build.type", kind);
        add("ro.build.fingerprint", &fingerprint);
        add("ro.build.version.incremental", "1");
        add("ro.build.version.release", &release);
        add("ro.build.version.sdk", &sdk.to_string());
        add("ro.product.model", &plain(&info.model));
        add("ro.serialno", &plain(&info.serial));
        add("ro.sf.lcd_density", &DENSITY.to_string());
        all.extend(self.properties.entries().clone());
        all
    }

    /// One property; empty where there is none.
    pub fn property(&self, key: &str) -> String {
        self.all_properties().remove(key).unwrap_or_default()
    }
}
