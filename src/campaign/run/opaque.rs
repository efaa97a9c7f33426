//! Pages of which the widget tree holds next to nothing, such as games and other canvases: what they show cannot be judged.

use std::collections::BTreeMap;

use crate::{CampaignSink, CampaignWarning};
use taproof_screen::{AppHealth, Frame, is_of_app, is_opaque, last_part};

/// Number of screens of a page after which it is said. A page that is still being drawn shows nothing, either.
const ENOUGH: u32 = 20;

/// How many screens of each activity were seen, and how many of these were opaque.
#[derive(Debug, Default)]
pub(crate) struct OpaquePages(BTreeMap<String, Screens>);

#[derive(Debug, Default)]
struct Screens {
    seen: u32,
    opaque: u32,
    said: bool,
}

impl OpaquePages {
    /// Counts a screen of the app, and warns of its page once if most of its screens are opaque.
    pub fn count(&mut self, frame: &Frame, app: &str, sink: &mut dyn CampaignSink) {
        let layout = &frame.layout;
        if frame.health != AppHealth::Running || !is_of_app(layout.package(), app) {
            return;
        }
        let page = last_part(layout.activity());
        if !self.0.contains_key(page) {
            self.0.insert(page.to_owned(), Screens::default());
        }
        let Some(screens) = self.0.get_mut(page) else { return };
        screens.seen += 1;
        screens.opaque += u32::from(is_opaque(layout, app));
        if !screens.said && screens.opaque >= ENOUGH && 4 * screens.opaque >= 3 * screens.seen {
            screens.said = true;
            sink.warning(CampaignWarning::Opaque { page: page.to_owned() });
        }
    }
}
