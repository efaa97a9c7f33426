//! The server's list of devices, and what a person can do about each state.

/// An entry of the server's list of devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceEntry {
    /// The serial, by which commands name the device.
    pub serial: String,
    /// The device's state as the server reports it.
    pub state: DeviceState,
    /// The model, with `_` for characters other than letters and digits. `None` on old servers and for devices that are
    /// not ready.
    pub model: Option<String>,
    /// The product name (`ro.product.name`); missing in the same cases as the model.
    pub product: Option<String>,
    /// The device name (`ro.product.device`); missing in the same cases as the model.
    pub device: Option<String>,
    /// Id of the server's connection to the device, a new one after every reconnection. `None` if not reported.
    pub transport_id: Option<u64>,
}

/// The state of a device as the server reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceState {
    /// Android runs and accepts commands.
    Device,
    /// The device does not answer.
    Offline,
    /// The user has not allowed this computer to debug the device.
    Unauthorized,
    /// The device is asking the user whether to allow this computer.
    Authorizing,
    /// The connection is being established.
    Connecting,
    /// Its recovery system runs instead of Android.
    Recovery,
    /// Its rescue system runs instead of Android.
    Rescue,
    /// The device waits for an update.
    Sideload,
    /// Its boot loader runs.
    Bootloader,
    /// The entry is a computer, not a phone.
    Host,
    /// The operating system denies the server access to the device; with the server's reason.
    NoPermissions(String),
    /// An unknown state, as the server writes it.
    Other(String),
}

/// The server's words for the states that are a single word.
const WORDS: [(&str, DeviceState); 10] = [
    ("device", DeviceState::Device),
    ("offline", DeviceState::Offline),
    ("unauthorized", DeviceState::Unauthorized),
    ("authorizing", DeviceState::Authorizing),
    ("connecting", DeviceState::Connecting),
    ("recovery", DeviceState::Recovery),
    ("rescue", DeviceState::Rescue),
    ("sideload", DeviceState::Sideload),
    ("bootloader", DeviceState::Bootloader),
    ("host", DeviceState::Host),
];

const NO_PERMISSIONS: &str = "no permissions";

impl DeviceState {
    fn of(text: &str) -> Self {
        let known = WORDS.into_iter().find(|(word, _)| *word == text);
        match (known, text.strip_prefix(NO_PERMISSIONS)) {
            (Some((_, state)), _) => state,
            (None, Some(reason)) => DeviceState::NoPermissions(reason.trim().to_owned()),
            (None, None) => DeviceState::Other(text.to_owned()),
        }
    }

    /// Whether the device accepts all requests.
    pub fn is_ready(&self) -> bool {
        *self == DeviceState::Device
    }

    /// adb's word for the state.
    pub fn word(&self) -> &str {
        match self {
            DeviceState::NoPermissions(_) => NO_PERMISSIONS,
            DeviceState::Other(text) if text.is_empty() => "unknown",
            DeviceState::Other(text) => text,
            known => WORDS.iter().find(|(_, state)| state == known).map_or("unknown", |(word, _)| word),
        }
    }

    /// What a person should do about the state.
    pub fn advice(&self) -> &'static str {
        match self {
            DeviceState::Device => "it is ready",
            DeviceState::Offline => {
                "it does not answer: plug it in again or restart it; an emulator may still be starting"
            }
            DeviceState::Unauthorized => {
                "unlock the phone and allow USB debugging in the question that it shows; if it shows none, plug it in again"
            }
            DeviceState::Authorizing => {
                "unlock the phone and allow USB debugging in the question that it shows"
            }
            DeviceState::Connecting => "wait a moment: the connection is being made",
            DeviceState::Recovery => "its recovery system runs: restart it into Android",
            DeviceState::Rescue => "its rescue system runs: restart it into Android",
            DeviceState::Sideload => "it waits for an update: finish that, or restart it into Android",
            DeviceState::Bootloader => "its boot loader runs: restart it into Android",
            DeviceState::Host => "this is a computer, not a phone: choose another device",
            DeviceState::NoPermissions(_) => {
                "this user may not use the phone's USB port: install the udev rules for Android phones, join the group \
                 plugdev, and plug the phone in again"
            }
            DeviceState::Other(_) => {
                "adb names a state that this program does not know: plug it in again or restart it"
            }
        }
    }
}

/// Parses a list from `host:devices`, `host:devices-l` or the program `adb devices`. Lines are parsed by words, never
/// by columns; what the program prints around the list is skipped.
pub fn parse_devices(text: &str) -> Vec<DeviceEntry> {
    let about_the_list = |line: &str| line.starts_with("List of devices") || line.starts_with("* ");
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !about_the_list(line)).map(entry).collect()
}

fn entry(line: &str) -> DeviceEntry {
    let (serial, rest) = split_serial(line);
    let mut words = rest.split_whitespace().peekable();
    let mut state: Vec<&str> = Vec::new();
    while let Some(word) = words.next_if(|word| key_and_value(word).is_none()) {
        state.push(word);
    }
    let details: Vec<(&str, &str)> = words.filter_map(key_and_value).collect();
    let detail =
        |key: &str| details.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned());
    DeviceEntry {
        serial: serial.to_owned(),
        state: DeviceState::of(&state.join(" ")),
        model: detail("model"),
        product: detail("product"),
        device: detail("device"),
        transport_id: detail("transport_id").and_then(|number| number.parse().ok()),
    }
}

/// Splits a line into the serial and the rest. Serials of devices found in the network may contain blanks, so the
/// serial ends at the tab of the short list or before the first known state.
fn split_serial(line: &str) -> (&str, &str) {
    if let Some((serial, rest)) = line.split_once('\t') {
        return (serial.trim(), rest.trim());
    }
    let ends =
        line.char_indices().filter(|(_, letter)| letter.is_whitespace()).map(|(at, _)| line.split_at(at));
    let known = ends.clone().find(|(_, rest)| {
        let rest = rest.trim_start();
        let word = rest.split_whitespace().next().unwrap_or_default();
        rest.starts_with(NO_PERMISSIONS) || WORDS.iter().any(|(known, _)| *known == word)
    });
    let first = ends.clone().next();
    let (serial, rest) = known.or(first).unwrap_or((line, ""));
    (serial.trim(), rest.trim())
}

/// Splits a word such as `transport_id:1`. `None` for other words, such as the link in the reason for missing
/// permissions.
fn key_and_value(word: &str) -> Option<(&str, &str)> {
    let (key, value) = word.split_once(':')?;
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (is_key && !value.starts_with("//")).then_some((key, value))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn data() -> Option<PathBuf> {
        let named = std::env::var_os("TAPROOF_DATA").map(PathBuf::from);
        let place =
            named.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
        if !place.is_dir() {
            println!("skipped: no data");
            return None;
        }
        Some(place)
    }

    /// Formats an entry as one line: serial, state, model, product, device, transport.
    fn check(line: &str, expected: &str) {
        let entries = parse_devices(line);
        assert_eq!(entries.len(), 1, "{line}");
        let DeviceEntry { serial, state, model, product, device, transport_id } = &entries[0];
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".to_owned());
        let transport = transport_id.map_or_else(|| "-".to_owned(), |id| id.to_string());
        let found =
            [serial.clone(), state.word().to_owned(), text(model), text(product), text(device), transport];
        assert_eq!(found.join(" | "), expected, "{line}");
    }

    #[test]
    fn lists_of_all_servers_are_read() {
        check("emulator-5554\tdevice", "emulator-5554 | device | - | - | - | -");
        check(
            "emulator-5554          device product:sim model:Sim_Phone device:sim transport_id:1",
            "emulator-5554 | device | Sim_Phone | sim | sim | 1",
        );
        check(
            "0123456789ABCDEF       device usb:1-4 product:blueline model:Pixel_3 device:blueline transport_id:12",
            "0123456789ABCDEF | device | Pixel_3 | blueline | blueline | 12",
        );
        check(
            "a-serial-that-is-longer-than-its-column:5555 offline transport_id:3",
            "a-serial-that-is-longer-than-its-column:5555 | offline | - | - | - | 3",
        );
        check("R58M41   unauthorized usb:3-2 transport_id:7", "R58M41 | unauthorized | - | - | - | 7");
        check(
            "adb-R3C (2)._adb-tls-connect._tcp device product:p model:m device:d transport_id:9",
            "adb-R3C (2)._adb-tls-connect._tcp | device | m | p | d | 9",
        );
        check("(no serial number)     recovery usb:1-1", "(no serial number) | recovery | - | - | - | -");
        check("x dozing transport_id:2", "x | dozing | - | - | - | 2");
        check("x", "x | unknown | - | - | - | -");
        check("x device transport_id:nonsense new_key:1", "x | device | - | - | - | -");
    }

    #[test]
    fn missing_permissions_keep_their_reason() {
        let short = "????????????\tno permissions (user in plugdev group; are your udev rules wrong?); see \
                     [http://developer.android.com/tools/device.html]";
        let long = "0123456789ABCDEF       no permissions (missing udev rules? user is in the plugdev group); see \
                    [http://developer.android.com/tools/device.html] usb:1-1 transport_id:3";
        check(short, "???????????? | no permissions | - | - | - | -");
        check(long, "0123456789ABCDEF | no permissions | - | - | - | 3");
        let DeviceState::NoPermissions(reason) = &parse_devices(long)[0].state else { panic!("{long}") };
        assert!(reason.starts_with("(missing udev rules?") && reason.ends_with("device.html]"), "{reason}");
        assert_eq!(DeviceState::of("no permissions"), DeviceState::NoPermissions(String::new()));
    }

    #[test]
    fn what_the_program_prints_around_is_left_out() {
        let printed = "* daemon not running; starting now at tcp:5037\n* daemon started successfully\n\
                       List of devices attached\na\tdevice\r\n\nb\toffline\n";
        let states: Vec<DeviceState> = parse_devices(printed).into_iter().map(|entry| entry.state).collect();
        assert_eq!(states, [DeviceState::Device, DeviceState::Offline]);
        assert_eq!(parse_devices(""), []);
    }

    #[test]
    fn the_list_of_an_old_device_is_read() {
        let Some(data) = data() else { return };
        let text = std::fs::read_to_string(data.join("android44/adb_devices_l.txt")).unwrap();
        let entries = parse_devices(&text);
        assert_eq!(entries.len(), 2);
        let model = Some("Standard_PC__i440FX___PIIX__1996_".to_owned());
        assert_eq!((entries[0].serial.as_str(), &entries[0].model), ("127.0.0.1:5565", &model));
        assert_eq!(
            (&entries[0].product, &entries[0].device),
            (&Some("android_x86".into()), &Some("x86".into()))
        );
        assert!(entries[0].state.is_ready() && entries[0].transport_id == Some(2));
        assert_eq!((entries[1].serial.as_str(), &entries[1].state), ("emulator-5564", &DeviceState::Offline));
    }

    #[test]
    fn every_state_has_its_word_and_its_advice() {
        let others = [DeviceState::NoPermissions("x".to_owned()), DeviceState::Other("new".to_owned())];
        for state in WORDS.into_iter().map(|(_, state)| state).chain(others) {
            assert!(state.advice().len() > 8);
            assert_eq!(DeviceState::of(state.word()).word(), state.word());
        }
    }
}
