//! No input makes a parser panic.

use proptest::prelude::*;
use taproof_screen::format::{parse_hierarchy, parse_walk_events, parse_walk_info, write_hierarchy};
use taproof_screen::{Layout, XPath};
use taproof_testing::xpath_pieces::XPATH_PIECES;

const DUMP: &str = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">\
    <node index=\"0\" text=\"a &amp; b&#10;&#128525;\" resource-id=\"org.ex:id/a\" class=\"android.widget.Button\" \
    package=\"org.ex\" content-desc=\"\u{fc}\" clickable=\"true\" enabled=\"true\" bounds=\"[0,0][1080,1920]\">\
    <node index=\"0\" text=\"\" class=\"android.view.View\" package=\"org.ex\" bounds=\"[10,-5][0,7]\" hint=\"h\" />\
    <node NAF=\"true\" class=\"a.B$C\" bounds=\"[0,0][9,9]\"></node></node></hierarchy>";

const WINDOWS: &str = "<displays><display id=\"0\"><window index=\"0\" title=\"Bar\" bounds=\"[0,0][9,9]\" \
    active=\"true\" layer=\"2\"><hierarchy rotation=\"1\" width=\"9\" height=\"9\"><node bounds=\"[0,0][9,9]\" />\
    </hierarchy></window></display></displays>UI hierchary dumped to: /dev/tty";

const WALK: &str = r#"[{"index": 1, "action": "swipe", "selector": {"resource-id": "", "text": "a",
    "content-desc": "", "class": "b.C", "instance": 2, "bounds": "[0,1][2,3]"}, "point": [1, 2], "to": [1, -40],
    "text": null, "seconds": 1.5}]"#;

/// Pieces of which dumps are made, in no order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<?xml?>",
        "<hierarchy>",
        "<hierarchy rotation='9'>",
        "</hierarchy>",
        "<displays>",
        "</displays>",
        "<display id='-1'>",
        "</display>",
        "<window title='&'>",
        "<window active='true'>",
        "</window>",
        "<node>",
        "<node bounds='[0,0][1,1]'>",
        "<node text='&#0;'/>",
        "<node text='&#xD800;&x;'/>",
        "<node bounds='[-2147483648,0][2147483647,1]'/>",
        "</node>",
        "<a.B/>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<!DOCTYPE x>",
        "\"",
        "'",
        "<",
        ">",
        "&",
        "=",
        "\0",
        "text",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The bytes with some of them cut out, replaced or doubled.
fn mutated(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), 0..3, any::<u8>());
    prop::collection::vec(change, 1..8).prop_map(move |changes| {
        let mut bytes = text.as_bytes().to_vec();
        for (place, kind, byte) in changes {
            let place = place.index(bytes.len().max(1));
            match (kind, bytes.get_mut(place)) {
                (0, Some(old)) => *old = byte,
                (1, Some(_)) => bytes.truncate(place.max(1)),
                (_, _) => bytes.insert(place.min(bytes.len()), byte),
            }
        }
        bytes
    })
}

/// XPaths of real pieces in no order.
fn xpaths() -> impl Strategy<Value = String> {
    let piece = prop::sample::select([XPATH_PIECES, &["android.widget.Button"]].concat());
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn small_layout() -> Layout {
    parse_hierarchy(DUMP.as_bytes()).unwrap().layout
}

/// What was read can be used: written, hit, measured and searched.
fn read(bytes: &[u8]) {
    let Ok(parsed) = parse_hierarchy(bytes) else { return };
    let layout = parsed.layout;
    for widget in layout.widgets() {
        let center = widget.bounds.center();
        assert!(layout.stack_at(center).len() <= layout.widgets().len());
        assert!(widget.bounds.area() >= 0);
    }
    XPath::parse("//*[@index='0']/..").unwrap().select(&layout);
    let again = parse_hierarchy(write_hierarchy(&layout).as_bytes()).unwrap().layout;
    assert_eq!(again.widgets().len(), layout.widgets().len());
}

fn check_xpath(text: &str) {
    let layout = small_layout();
    match XPath::parse(text) {
        Ok(xpath) => {
            let named = xpath.try_select(&layout).unwrap();
            assert!(named.is_sorted_by(|left, right| left < right));
        }
        Err(error) => assert!(error.position <= text.chars().count(), "{error}"),
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes);
    }

    #[test]
    fn mutated_dumps_are_read_or_refused(dump in mutated(DUMP), windows in mutated(WINDOWS)) {
        read(&dump);
        read(&windows);
    }

    #[test]
    fn dumps_of_real_pieces_are_read_or_refused(text in pieces()) {
        read(text.as_bytes());
    }

    #[test]
    fn any_text_is_an_xpath_or_refused(text in ".*", near in xpaths()) {
        check_xpath(&text);
        check_xpath(&near);
    }

    #[test]
    fn mutated_walks_are_read_or_refused(bytes in mutated(WALK)) {
        let text = String::from_utf8_lossy(&bytes);
        parse_walk_events(&text).ok();
        parse_walk_info(&text).ok();
    }
}

#[test]
fn hostile_xpaths_on_a_large_layout_end_soon() {
    let row = "<node class=\"a.Row\" bounds=\"[0,0][9,9]\"/>";
    let deep = format!("{}{}", "<node bounds=\"[0,0][9,9]\">".repeat(500), "</node>".repeat(500));
    let xml =
        format!("<hierarchy><node bounds=\"[0,0][9,9]\">{}{deep}</node></hierarchy>", row.repeat(20_000));
    let layout = parse_hierarchy(xml.as_bytes()).unwrap().layout;
    for text in
        ["//*".repeat(50), "//*/..".repeat(50), "//*[@index='7']".repeat(20), "//*[last()]//..".repeat(20)]
    {
        XPath::parse(&text).unwrap().try_select(&layout).unwrap();
    }
    let sets = ["following", "preceding", "following-sibling", "preceding-sibling", "ancestor", "descendant"];
    for axis in sets {
        let text = format!("//*{}", format!("/{axis}::node()").repeat(20));
        XPath::parse(&text).unwrap().try_select(&layout).unwrap();
    }
    let nested = "//*[following::*[preceding::*[count(descendant::*) = 1]]]";
    assert!(XPath::parse(nested).unwrap().try_select(&layout).is_err());
}
