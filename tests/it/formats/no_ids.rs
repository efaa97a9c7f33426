//! Selectors for real screens, many of which have no ids: how many of the widgets that can be used get one that does not
//! count or follow a path.

use std::sync::Arc;

use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Layout, WidgetIdx};
use taproof_spec::{Candidate, Strength, choose_selector, selector_candidates};

/// The dumps with the least share of usable widgets, in percent, that get a selector by attributes or labels.
const DUMPS: [(&str, usize); 15] = [
    ("01-pharmacy-arabic-rtl", 84),
    ("02-lawoffice-arabic-rtl", 100),
    ("03-automotive-korean", 83),
    ("04-playstore-chinese", 20),
    ("05-multiwindow-webview-u2", 100),
    ("06-phone-settings-portuguese", 33),
    ("07-player-landscape", 100),
    ("08-malformed-bom-status-prefix", 100),
    ("09-weather-compose", 100),
    ("10-developer-options-polish", 18),
    ("11-launcher3-old", 100),
    ("12-watch-chinese", 0),
    ("13-filebrowser-naf", 38),
    ("14-emoji-numeric-references", 100),
    ("15-webview-landscape", 100),
];

/// Whether the selector has only what there was before roles and labels, and is not a place.
fn is_plain(candidate: &Candidate) -> bool {
    let selector = &candidate.selector;
    candidate.strength != Strength::Refused
        && selector.instance.is_none()
        && selector.xpath.is_none()
        && selector.role.is_none()
        && selector.beside.is_none()
}

#[test]
fn most_usable_widgets_of_real_screens_are_told_by_attributes_or_labels() {
    let Some(data) = taproof_testing::data() else { return };
    let (mut short, mut sums) = (Vec::new(), (0, 0, 0));
    for (name, least) in DUMPS {
        let bytes = std::fs::read(data.join("uiautomator").join(format!("{name}.xml"))).unwrap();
        let layout: Arc<Layout> = Arc::new(parse_hierarchy(&bytes).unwrap().layout);
        let usable: Vec<WidgetIdx> = layout
            .iter()
            .filter(|(_, widget)| (widget.clickable() || widget.is_editable()) && !widget.bounds.is_empty())
            .map(|(idx, _)| idx)
            .collect();
        let before = |idx: &&WidgetIdx| {
            selector_candidates(std::slice::from_ref(&layout), 0, **idx, &[]).iter().any(is_plain)
        };
        let after = |idx: &&WidgetIdx| !choose_selector(&layout, **idx, &[]).by_position;
        let (all, before, after) =
            (usable.len(), usable.iter().filter(before).count(), usable.iter().filter(after).count());
        let share = (100 * after).checked_div(all).unwrap_or(100);
        println!("{name}: {all} usable widgets, {before} told before, {after} now ({share} %)");
        sums = (sums.0 + all, sums.1 + before, sums.2 + after);
        if share < least || after < before {
            short.push(format!("{name}: {share} % of at least {least} %"));
        }
    }
    println!("all: {} usable widgets, {} told before, {} now", sums.0, sums.1, sums.2);
    assert_eq!(short, Vec::<String>::new());
}
