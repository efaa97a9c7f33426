//! What people know the apps of a device by: their labels and icons. The agent reads them, without the screen, so that a
//! program that controls it is not disturbed.

use std::time::Duration;

use image::ImageFormat;

use crate::agent_client::{AgentClient, AgentUse};
use crate::host::{AdbLink, Patience};
use taproof_engine::agent::{PackageEntry, Request};
use taproof_engine::device::{DeviceError, Screenshot};
use taproof_screen::format::{picture_size, read_rgba};
use taproof_screen::{is_display_control, is_visible};

/// Side of the icons in pixels: sharp also where the window is scaled up.
const SIDE: u16 = 48;
/// Largest length of a label in characters, and how many characters of what the app has are looked at.
const MOST_LABEL: usize = 60;
const MOST_READ: usize = 1000;
/// How long the device may take for the labels and icons of many apps.
const LIST: Duration = Duration::from_secs(30);
/// Limit for a property of the device.
const PROPERTY: Duration = Duration::from_secs(10);

/// What people know an app by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppCard {
    /// The package name.
    pub package: String,
    /// Its name on the launcher: one line of at most 60 characters, without marks that redirect the text around it. The
    /// package name if the app has none that can be seen.
    pub label: String,
    /// Its icon, of 48 pixels on each side. `None` if it has none that can be read.
    pub icon: Option<Screenshot>,
}

impl AppCard {
    fn of(entry: PackageEntry) -> AppCard {
        let label = shown_label(&entry.label).unwrap_or_else(|| entry.package.clone());
        AppCard { label, icon: entry.icon.as_deref().and_then(read_icon), package: entry.package }
    }
}

/// Lists the apps that somebody installed on a device, and with `system` those that came with it, with their labels and
/// icons.
///
/// # Errors
///
/// If the device cannot be reached, or the agent does not run there.
pub fn app_cards(
    link: &AdbLink,
    system: bool,
    unwanted: &dyn Fn() -> bool,
) -> Result<Vec<AppCard>, DeviceError> {
    let sdk = link.shell("getprop ro.build.version.sdk", &Patience::new(PROPERTY, unwanted))?.text();
    let no_answer = |problem: String| DeviceError::NoAnswer {
        serial: link.serial.clone(),
        what: "the agent, asked for the labels of apps".to_owned(),
        problem,
    };
    let sdk = sdk.trim().parse().map_err(|_| no_answer(format!("the device has no API level: {sdk:?}")))?;
    let agent = match AgentClient::start(link, sdk, AgentUse::Screenless, unwanted) {
        Ok(agent) => agent,
        Err(problem) => return Err(no_answer(problem.not_fatal()?.0)),
    };
    let request = Request::Packages { third_party: !system, icon: SIDE };
    let entries = agent.ask(&request, LIST, unwanted, PackageEntry::decode_all);
    let entries = entries.map_err(|error| error.into_device(&link.serial, "list the apps"))?;
    Ok(entries.into_iter().map(AppCard::of).collect())
}

/// A label as it can be shown among other texts; `None` if nothing of it can be seen.
fn shown_label(label: &str) -> Option<String> {
    let plain = label.chars().take(MOST_READ).map(|letter| if letter.is_control() { ' ' } else { letter });
    let plain: String = plain.filter(|letter| !is_display_control(*letter)).collect();
    let words = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown: String = words.chars().take(MOST_LABEL).collect();
    if shown.len() < words.len() {
        shown.push('\u{2026}');
    }
    is_visible(&shown).then_some(shown)
}

/// Reads an icon, unless it is broken or of another size than was asked for.
fn read_icon(png: &[u8]) -> Option<Screenshot> {
    let size = picture_size(png, ImageFormat::Png).ok()?;
    let side = i32::from(SIDE);
    if (size.width, size.height) != (side, side) {
        return None;
    }
    read_rgba(png, ImageFormat::Png).ok().map(Screenshot::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_screen::format::grey_png;

    fn card(label: &str, icon: Option<Vec<u8>>) -> AppCard {
        AppCard::of(PackageEntry {
            package: "org.ex".to_owned(),
            label: label.to_owned(),
            version: String::new(),
            version_code: 1,
            activity: None,
            pid: None,
            permissions: Vec::new(),
            icon,
        })
    }

    #[test]
    fn a_label_is_one_short_line_that_leaves_the_text_around_it_alone() {
        for (label, shown) in [
            ("ActivityDiary", "ActivityDiary"),
            ("Ein  Tag\r\n\u{1b}[2Jdanach", "Ein Tag [2Jdanach"),
            ("\u{202e}evil\u{2066}\u{200f}", "evil"),
            ("\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}"),
            ("", "org.ex"),
            (" \u{200b}\u{202e}\t", "org.ex"),
        ] {
            assert_eq!(card(label, None).label, shown, "{label:?}");
        }
        let long = card(&"x".repeat(100_000), None).label;
        assert_eq!((long.chars().count(), long.ends_with('\u{2026}')), (MOST_LABEL + 1, true));
    }

    #[test]
    fn an_icon_is_of_the_size_that_was_asked_for_or_none() {
        let side = u32::from(SIDE);
        let icon = card("a", Some(grey_png(side, side))).icon.unwrap();
        assert_eq!(icon.rgba.len(), 4 * 48 * 48);
        let whole = grey_png(side, side);
        for broken in
            [Vec::new(), b"GIF89a".to_vec(), whole[..whole.len() / 2].to_vec(), grey_png(16_384, 16_384)]
        {
            assert_eq!(card("a", Some(broken)).icon, None);
        }
    }
}
