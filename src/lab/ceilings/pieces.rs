//! Pieces of work without a campaign.

use std::hint::black_box;

use anyhow::Result;
use taproof_campaign::LoggedEvent;
use taproof_engine::device::{AppData, AppId, Build, DeviceSource};
use taproof_engine::oracle::layout_effects::{EditTree, TieOrder, TreeEditor};
use taproof_phone::BundledPhones;
use taproof_results::store::{NewCampaign, Workspace};
use taproof_screen::determinism::hash_text;
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{Layout, StepRole, Text};

const APP: &str = "org.taproof.files";
/// Number of events that are stored together.
const BLOCK: u64 = 1000;

/// Stores blocks of events.
pub(crate) fn log(blocks: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut workspace = Workspace::open(folder.path())?;
    let campaign = workspace.begin_campaign(&NewCampaign {
        app: APP,
        build: "sound",
        engine: "pbfdroid",
        seed: 1,
        plan: "{}",
        repeatable: true,
        began: 1,
    })?;
    for block in 0..blocks {
        let event = |number: u64| LoggedEvent {
            number,
            test: 1,
            millis: number * 120,
            event: format!("Tap TextView \u{201c}Folder {}\u{201d}  #name", number % 97),
            role: StepRole::Explored,
            activity: Text::from("org.taproof.files/.MainActivity"),
            page: "MainActivity".to_owned(),
            led_to: None,
        };
        let events: Vec<LoggedEvent> = (1..=BLOCK).map(|number| event(block * BLOCK + number)).collect();
        workspace.add_events(&campaign, 0, &events)?;
    }
    Ok(())
}

/// The first page of Files.
fn page() -> Result<Layout> {
    let mut phone = BundledPhones::new(APP, &Build::Sound).fresh()?;
    phone.launch(&AppId(APP.to_owned()), AppData::Clear)?;
    Ok((*phone.observe()?.layout).clone())
}

/// Reads a dump.
pub(crate) fn parse(times: u64) -> Result<()> {
    let dump = write_hierarchy(&page()?);
    for _ in 0..times {
        black_box(parse_hierarchy(black_box(dump.as_bytes()))?);
    }
    Ok(())
}

/// Compares a page with one whose texts are others.
pub(crate) fn tree_edit(times: u64) -> Result<()> {
    let before = page()?;
    let all: Vec<_> = before.iter().map(|(idx, _)| idx).collect();
    let after = before.with_changed(&all, |widget| widget.text = format!("{} x", widget.text).into());
    let tree = |layout: &Layout| {
        EditTree::of(layout, |_, widget| Some(hash_text(&widget.class) ^ hash_text(&widget.text)))
    };
    let (before, after) = (tree(&before), tree(&after));
    let mut editor = TreeEditor::default();
    for _ in 0..times {
        let edit = editor.compare(black_box(&before), black_box(&after));
        black_box(edit.map(|mut edit| edit.script(TieOrder::CANONICAL)));
    }
    Ok(())
}
