//! Helper apps: packages that tools expect on a device and that it cannot run.

use super::component::Component;

/// DroidBot's accessibility app: its package, its accessibility service and its keyboard.
pub(crate) const DROIDBOT_PACKAGE: &str = "io.github.ylimit.droidbotapp";
pub(crate) const DROIDBOT_SERVICE: &str =
    "io.github.ylimit.droidbotapp/io.github.privacystreams.accessibility.PSAccessibilityService";
pub(crate) const DROIDBOT_IME: &str = "io.github.ylimit.droidbotapp/.DroidBotIME";

/// An app that tools expect on a device, which cannot run it: the package is listed but does nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Helper {
    /// The fully qualified class name of its accessibility service, if it has one.
    pub service: Option<String>,
    /// The id of its keyboard, such as `org.ex/.Keyboard`, if it has one. While that is the chosen keyboard, the
    /// broadcasts of the usual helper keyboards type text.
    pub keyboard: Option<String>,
}

impl Helper {
    /// DroidBot's accessibility app, which every served device has.
    pub(crate) fn droidbot() -> Helper {
        Helper {
            service: Component::parse(DROIDBOT_SERVICE).map(|service| service.class),
            keyboard: Some(DROIDBOT_IME.to_owned()),
        }
    }
}
