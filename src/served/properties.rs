//! The system properties, as `getprop` lists them.

use std::collections::BTreeMap;

use super::like::release_of;
use super::served::State;
use taproof_phone::PX_PER_DP;

pub(super) const TIME_ZONE: &str = "persist.sys.timezone";
/// The time zone of a new device.
pub(super) const USUAL_ZONE: &str = "GMT";
/// The density of the bundled phone's screen in dots per inch.
pub(super) const DENSITY: i32 = 160 * PX_PER_DP;

/// A device's name, without the characters at which an adb banner is split.
fn plain(name: &str) -> String {
    name.chars().map(|c| if matches!(c, ':' | ';' | '=' | '\n') { '_' } else { c }).collect()
}

impl State {
    /// All properties, by key.
    pub(crate) fn all_properties(&self) -> BTreeMap<String, String> {
        let (info, like) = (self.device.info(), self.like);
        let (sdk, release) = (self.sdk(), release_of(self.sdk()));
        let build = if like.old() { "KOT49H" } else { "TP1A.260105.001" };
        let kind = if like.old() { "userdebug" } else { "user" };
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
            (TIME_ZONE, USUAL_ZONE),
            ("persist.sys.locale", "en-US"),
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
            ("ro.product.locale", "en-US"),
            ("ro.product.manufacturer", "Taproof"),
            ("ro.product.name", "taproof_phone"),
            ("ro.secure", "1"),
            ("sys.boot_completed", "1"),
            ("sys.usb.config", "adb"),
            ("sys.usb.state", "adb"),
        ] {
            add(key, value);
        }
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
        all.extend(self.properties.iter().map(|(key, value)| (key.to_owned(), value.to_owned())));
        all
    }

    /// The value of a property; empty if it is not set.
    pub fn property(&self, key: &str) -> String {
        self.all_properties().remove(key).unwrap_or_default()
    }
}
