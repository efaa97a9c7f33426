//! An oracle of your own: no screen of an app shows the word "null". It judges every screen of a campaign, whichever engine
//! drives; what it finds is confirmed, minimised and explained like everything else.

use std::error::Error;

use taproof::oracle::{FailedCheck, Frame, FrameOracle};
use taproof::{Build, Campaign, MonkeyConfig};

/// Judges the texts of the app, not those of the system around it.
struct NoNull;

impl FrameOracle for NoNull {
    fn name(&self) -> &str {
        "no null"
    }

    fn judge(&self, frame: &Frame, app: &str) -> Option<FailedCheck> {
        let is_null = |text: &str| text.split_whitespace().any(|word| word == "null");
        let shown = frame.layout.iter();
        let mut shown = shown.filter(|(_, widget)| &*widget.package == app && !widget.is_text_field());
        let (idx, widget) = shown.find(|(_, widget)| is_null(&widget.text))?;
        // What is expected stays the same from run to run; what is seen need not.
        Some(FailedCheck::new("no text says null", &*widget.text).at([idx]))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let campaign = Campaign::new("org.taproof.notes").build(Build::Sound);
    let outcome = campaign.engine(MonkeyConfig::default()).oracle(NoNull).events(2_000).run()?;
    // Fails with each screen that shows it, and with the shortest way there.
    outcome.assert_sound();
    println!("No screen of Notes showed the word null.");
    Ok(())
}
