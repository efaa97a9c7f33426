//! Dumps of screens, and the texts that name widgets in them.

use std::sync::Arc;

use taproof_testing::xpath_pieces::XPATH_PIECES;

use super::{FuzzTarget, joined, parts, plain, seen};
use taproof_engine::device::{AppData, AppId, Build, DeviceSource};
use taproof_engine::oracle::layout_effects::{
    EditTree, LabelBasis, TieOrder, content_hash, edit_script, relocate, subtree_hashes,
};
use taproof_engine::oracle::may_belief::KnownLayout;
use taproof_engine::oracle::{EffectJudge, EffectRule};
use taproof_phone::BundledPhones;
use taproof_phone::apps::APPS;
use taproof_screen::determinism::hash_text;
use taproof_screen::format::{parse_hierarchy, write_hierarchy};
use taproof_screen::{
    Gesture, Layout, Same, ScreenPrint, Selector, Text, WidgetFlags, WidgetIdx, XPath, candidates,
    diff_layouts, drawer_open, event_key, headline, holds_actionable, is_dialog, top_level, widget_caption,
};
use taproof_spec::{choose_selector, selector_candidates};

/// How many widgets of a layout are looked at one by one where the program looks at the one that is touched.
const TOUCHED: usize = 12;

pub(super) const DUMP: FuzzTarget = FuzzTarget {
    name: "dump",
    about: "a uiautomator dump: read, hashed, touched, searched, named, made ready for oracles, written again",
    inputs: 150,
    prepare: || plain(|bytes| seen(read(bytes).map(|layout| use_layout(&layout)))),
    seeds: dumps,
    files: &[".xml", ".uix"],
    words: WORDS,
};

pub(super) const DUMPS: FuzzTarget = FuzzTarget {
    name: "dumps",
    about: "two dumps: what changed between them, by every way of comparing",
    inputs: 80,
    prepare: || plain(compare),
    seeds: || {
        let dumps = dumps();
        dumps.iter().zip(dumps.iter().skip(1)).map(|(one, other)| joined(&[one, other])).collect()
    },
    files: &[],
    words: WORDS,
};

pub(super) const XPATH: FuzzTarget = FuzzTarget {
    name: "xpath",
    about: "an XPath and a search for widgets, on a screen",
    inputs: 1000,
    prepare: || {
        let layouts: Vec<Layout> = dumps().iter().filter_map(|dump| read(dump)).collect();
        Box::new(move |bytes| find(bytes, &layouts))
    },
    seeds: || XPATHS.iter().map(|text| text.as_bytes().to_vec()).collect(),
    files: &[],
    words: XPATH_PIECES,
};

const XPATHS: [&str; 11] = [
    "//*[@resource-id='org.taproof.files:id/list']/node[2]",
    "//android.widget.TextView[contains(@text,'a') and not(@index='0')]/..",
    "(//*[starts-with(@class,\"android\")])[last()]",
    "//*[@clickable='true' or @text!='x'][position()=3]",
    "/hierarchy/*/*[1]",
    "//*[@text='a']/following-sibling::*[1] | //android.widget.Switch/ancestor::node()[2]",
    "//*[count(.//android.widget.TextView[string-length(text()) > 2]) mod 2 = 1 or ../@index = 0]",
    "//*[matches(normalize-space(@text), '^[A-Z]+$', 'i') and translate(@text, 'abc', '') != substring(@text, 2)]",
    "id:list class:TextView text:\"a b\"",
    "desc:More xpath://*[@text='a']",
    "word other",
];

const WORDS: &[&str] = &[
    "<hierarchy rotation=\"0\">",
    "</hierarchy>",
    "<displays>",
    "</displays>",
    "<display id=\"0\">",
    "</display>",
    "<window title=\"a\" active=\"true\" layer=\"1\">",
    "</window>",
    "<node>",
    "</node>",
    "/>",
    " index=\"0\"",
    " text=\"a\"",
    " resource-id=\"a:id/b\"",
    " class=\"android.widget.Button\"",
    " package=\"a\"",
    " content-desc=\"b\"",
    " checkable=\"true\"",
    " checked=\"true\"",
    " clickable=\"true\"",
    " enabled=\"false\"",
    " focusable=\"true\"",
    " focused=\"true\"",
    " scrollable=\"true\"",
    " long-clickable=\"true\"",
    " password=\"true\"",
    " selected=\"true\"",
    " bounds=\"[0,0][9,9]\"",
    "[-2147483648,2147483647]",
    "&amp;",
    "&#10;",
    "&#x1F60D;",
    "&#0;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<!DOCTYPE a>",
    "<?xml version='1.0'?>",
    "android.widget.EditText",
    "android.widget.ListView",
    "androidx.recyclerview.widget.RecyclerView",
    "android.widget.ScrollView",
    "android.widget.Spinner",
    "android.webkit.WebView",
    "androidx.drawerlayout.widget.DrawerLayout",
    " NAF=\"true\"",
    " hint=\"a\"",
    " rotation=\"9\"",
];

/// The first screens of the bundled apps.
pub(super) fn dumps() -> Vec<Vec<u8>> {
    screens().iter().map(|layout| write_hierarchy(layout).into_bytes()).collect()
}

pub(super) fn screens() -> Vec<Arc<Layout>> {
    let mut found = Vec::new();
    for app in APPS {
        let package = app.manifest().package;
        let Ok(mut phone) = BundledPhones::new(package, &Build::Faulty).fresh() else { continue };
        if phone.launch(&AppId(package.to_owned()), AppData::Clear).is_err() {
            continue;
        }
        found.extend(phone.observe().map(|frame| frame.layout));
        // What comes behind the first things that can be touched.
        let first = found.last().map(|layout| candidates(layout, package)).unwrap_or_default();
        for candidate in first.into_iter().take(2) {
            let Some(layout) = found.last() else { break };
            let at = layout.get(candidate.widget).map(|widget| widget.bounds.center());
            let event = at.map(|at| taproof_screen::Event::Widget {
                target: taproof_screen::TouchTarget {
                    selector: Selector::default(),
                    at,
                    screen: layout.screen(),
                },
                gesture: Gesture::Tap,
            });
            if event.is_some_and(|event| phone.perform(&event).is_ok()) {
                found.extend(phone.observe().map(|frame| frame.layout));
            }
        }
    }
    found
}

fn read(bytes: &[u8]) -> Option<Layout> {
    let parsed = parse_hierarchy(bytes).ok()?;
    for warning in &parsed.warnings {
        seen(warning.to_string());
    }
    Some(parsed.layout)
}

/// What is done with the layout of any screen.
pub(super) fn use_layout(layout: &Layout) {
    let app = layout.package();
    for same in [Same::Exact, Same::Structure, Same::Page, Same::Types] {
        seen(layout.key(same));
    }
    seen((layout.key(Same::Page), is_dialog(layout), top_level(layout), headline(layout)));
    seen((holds_actionable(layout), drawer_open(layout), ScreenPrint::of(layout)));
    let found = candidates(layout, app);
    seen(found.iter().map(|candidate| event_key(layout, *candidate)).collect::<Vec<_>>());
    for basis in bases() {
        let labels = basis.text_labels(layout);
        seen(subtree_hashes(layout, &labels, |_| true));
        seen(basis.abstract_id(layout));
        seen(layout.roots().map(|root| content_hash(layout, &labels, root)).collect::<Vec<_>>());
    }
    for (idx, widget) in layout.iter() {
        seen((widget.bounds.area(), layout.is_leaf(idx)));
    }
    let every = (layout.widgets().len() / TOUCHED).max(1);
    for (idx, widget) in layout.iter().step_by(every) {
        let center = widget.bounds.center();
        seen((layout.hit_test(center), layout.touch_target(center), layout.covered_by(idx)));
        seen((layout.depth(idx), widget_caption(layout.widget(idx))));
        seen(choose_selector(layout, idx, &[]));
    }
    let shared = Arc::new(layout.clone());
    if let Some((idx, _)) = layout.iter().next_back() {
        seen(selector_candidates(&[Arc::clone(&shared)], 0, idx, &[]));
    }
    seen(EffectJudge::new(EffectRule::default()).prepare(&shared));
    seen(KnownLayout::of(shared, app));
    written_again(layout);
}

/// The ways of telling what widgets say.
fn bases() -> [LabelBasis; 2] {
    [LabelBasis::default(), LabelBasis { mask_digits: true, ..LabelBasis::default() }]
}

/// What is written is read as the same, but for what a dump does not say; characters that XML cannot hold become others
/// when they are written first.
fn written_again(layout: &Layout) {
    let again = read_again(layout);
    let held = if has_characters_xml_cannot_hold(layout) { read_again(&again) } else { as_dumped(layout) };
    assert_eq!(again.key(Same::Exact), held.key(Same::Exact), "it is read otherwise");
}

/// The layout without the flags that a dump does not have.
fn as_dumped(layout: &Layout) -> Layout {
    let all: Vec<WidgetIdx> = layout.iter().map(|(idx, _)| idx).collect();
    layout.with_changed(&all, |widget| {
        widget.flags = widget.flags.with(WidgetFlags::INVISIBLE, false).with(WidgetFlags::EDITABLE, false);
    })
}

fn read_again(layout: &Layout) -> Layout {
    match parse_hierarchy(write_hierarchy(layout).as_bytes()) {
        Ok(again) => again.layout.with_activity(Text::clone(layout.activity())).with_screen(layout.screen()),
        Err(error) => panic!("what was written cannot be read: {error}"),
    }
}

fn has_characters_xml_cannot_hold(layout: &Layout) -> bool {
    let cannot = |char: char| {
        (char < ' ' && !matches!(char, '\t' | '\n' | '\r')) || matches!(char, '\u{FFFE}' | '\u{FFFF}')
    };
    layout.widgets().iter().any(|widget| {
        let id = widget.resource_id.as_deref().unwrap_or_default();
        let texts = [&*widget.text, id, &widget.class, &widget.package, &widget.content_desc, &widget.hint];
        texts.iter().any(|text| text.contains(cannot))
    })
}

fn compare(bytes: &[u8]) {
    let layouts: Vec<Layout> = parts(bytes).into_iter().take(2).filter_map(read).collect();
    let [one, other] = layouts.as_slice() else { return };
    seen((diff_layouts(one, other), one.key(Same::Page) == other.key(Same::Page)));
    seen(ScreenPrint::of(one).likeness(&ScreenPrint::of(other)));
    seen(ScreenPrint::of(one).difference(&ScreenPrint::of(other)));
    let tree = |layout: &Layout| EditTree::of(layout, |_, widget| Some(hash_text(&widget.class)));
    let (before, after) = (tree(one), tree(other));
    for order in TieOrder::ALL {
        seen(edit_script(&before, &after, order));
    }
    for basis in bases() {
        let every = (one.widgets().len() / TOUCHED).max(1);
        for (idx, _) in one.iter().step_by(every) {
            seen(relocate(one, idx, other, basis));
        }
    }
}

fn find(bytes: &[u8], layouts: &[Layout]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(xpath) = XPath::parse(&text) {
        for layout in layouts {
            let named = xpath.select(layout);
            assert!(named.is_sorted(), "not in the order of the document");
        }
    }
    seen(Selector::parse(&text).map_err(|error| error.to_string()));
    match Selector::search(&text) {
        Ok(selector) => layouts.iter().for_each(|layout| seen(selector.matches(layout))),
        Err(error) => seen(error.to_string()),
    }
}
