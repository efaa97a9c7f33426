//! The settings of a device that was just switched on.

use super::Like;

/// The id of the device's own keyboard.
pub(super) const KEYBOARD: &str = "com.android.inputmethod.latin/.LatinIME";

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
        ("global", "zen_mode", "0"),
        ("secure", "accessibility_enabled", "0"),
        ("secure", "android_id", "7a11c0de5eed0001"),
        ("secure", "default_input_method", KEYBOARD),
        ("secure", "enabled_input_methods", KEYBOARD),
        ("secure", "location_mode", "3"),
        ("secure", "show_ime_with_hard_keyboard", "1"),
        ("secure", "user_setup_complete", "1"),
        ("system", "accelerometer_rotation", if like.old() { "0" } else { "1" }),
        ("system", "font_scale", "1.0"),
        ("system", "screen_brightness", "102"),
        ("system", "screen_brightness_mode", "0"),
        ("system", "screen_off_timeout", "600000"),
        ("system", "time_12_24", "24"),
        ("system", "user_rotation", "0"),
        ("system", "volume_music", "5"),
    ];
    let entry = |(namespace, key, value): (&str, &str, &str)| {
        ((namespace.to_owned(), key.to_owned()), value.to_owned())
    };
    common.into_iter().map(entry).collect()
}
