//! Dumps as devices, servers and people write them.

use super::*;
use crate::WidgetIdx;

const ROOT: &str = "<node class=\"a.Root\" package=\"org.ex\" bounds=\"[0,0][1080,1920]\"";

fn parsed(xml: &str) -> ParsedHierarchy {
    parse_hierarchy(xml.as_bytes()).unwrap()
}

fn in_root(attributes: &str) -> ParsedHierarchy {
    parsed(&format!("<hierarchy rotation=\"0\">{ROOT} {attributes} /></hierarchy>"))
}

fn check_error(xml: &str, message: &str) {
    assert_eq!(parse_hierarchy(xml.as_bytes()).unwrap_err().to_string(), format!("{WHAT}, {message}"));
}

#[test]
fn references_and_line_ends_are_read_as_in_xml() {
    let layout =
        in_root("text=\"a&#10;b&#x1F600;&#128525;&lt;&amp;&quot;&apos;\" content-desc=\"one\r\ntwo\"").layout;
    assert_eq!(&*layout.widget(WidgetIdx(0)).text, "a\nb😀😍<&\"'");
    assert_eq!(&*layout.widget(WidgetIdx(0)).content_desc, "one two");
}

#[test]
fn pretty_printed_and_unknown_parts_are_no_matter() {
    let xml = "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<hierarchy rotation='3' made-by='me'>\n  \
        <node xpos='1' class='a.B' bounds='[1,2][3,4]' clickable='true'>\n  </node>\n</hierarchy>\n\n";
    let ParsedHierarchy { layout, warnings } = parsed(xml);
    assert_eq!(warnings, []);
    assert_eq!(layout.rotation(), Rotation(3));
    assert!(layout.widget(WidgetIdx(0)).clickable());
}

#[test]
fn an_index_counts_children_that_a_dump_leaves_out() {
    let node = |index: &str, inside: &str| {
        format!("<node index=\"{index}\" class=\"a.B\" bounds=\"[0,0][9,9]\">{inside}</node>")
    };
    let inside = node("1", "") + &node("4", "") + &node("?", "");
    let layout = parsed(&format!("<hierarchy rotation=\"0\">{}</hierarchy>", node("0", &inside))).layout;
    assert_eq!(layout.indices(), [0, 1, 4, 2]);
    let named = |path: &str| crate::XPath::parse(path).unwrap().select(&layout);
    assert_eq!(
        (named("//node[@index='4']"), named("//node/node[2]")),
        (vec![WidgetIdx(2)], vec![WidgetIdx(2)])
    );
    // What is written is read as the same layout.
    let written = crate::format::write_hierarchy(&layout);
    assert_eq!(parsed(&written).layout.indices(), layout.indices());
    assert_eq!(layout.sibling_places(), [0, 0, 1, 2]);
}

#[test]
fn odd_values_are_warned_of() {
    let ParsedHierarchy { layout, warnings } =
        parsed("<hierarchy rotation=\"7\"><node bounds=\"[0,0][9]\" clickable=\"yes\" /></hierarchy>tail");
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 1, column 1 (byte 0): rotation is 7, not 0 to 3; taken as 0",
            "line 1, column 39 (byte 38): bounds are \"[0,0][9]\", not [l,t][r,b]; taken as empty",
            "line 1, column 60 (byte 59): clickable is \"yes\", not true or false; taken as false",
            "line 1, column 79 (byte 78): text after the XML, passed over: \"tail\"",
        ]
    );
    assert_eq!(layout.widget(WidgetIdx(0)).bounds, PxRect::default());
    let web = in_root("bounds=\"[-5,70][3,60]\"").layout;
    assert_eq!(web.widget(WidgetIdx(0)).bounds, PxRect::new(-5, 70, 3, 60));
}

#[test]
fn names_and_texts_are_cut_where_they_are_longer_than_any() {
    let name = format!("{}\u{fc}{}", "a".repeat(MAX_NAME - 1), "b".repeat(1_000_000));
    let book = "x".repeat(MAX_TEXT);
    let ParsedHierarchy { layout, warnings } = parsed(&format!(
        "<hierarchy rotation=\"0\"><node class=\"{name}\" package=\"{name}\" resource-id=\"{name}\" \
         text=\"{book}\" content-desc=\"{book}y\" hint=\"{book}y\" bounds=\"[0,0][9,9]\" />\
         <node class=\"{name}\" bounds=\"[0,0][9,9]\" /></hierarchy>"
    ));
    let widget = layout.widget(WidgetIdx(0));
    for cut in [&widget.class, &widget.package, widget.resource_id.as_ref().unwrap()] {
        assert_eq!(**cut, "a".repeat(MAX_NAME - 1), "not within a character");
    }
    assert!(*widget.text == *book && *widget.content_desc == *book && *widget.hint == *book);
    assert_eq!(layout.widget(WidgetIdx(1)).class, widget.class);
    let told: Vec<String> = warnings.iter().map(|warning| warning.problem.clone()).collect();
    let (long, text) =
        ("has 1001001 bytes; the first 1000 are kept", "has 1048577 bytes; the first 1048576 are kept");
    let expected = ["class", "package", "resource-id"].map(|name| format!("{name} {long}"));
    let texts = ["content-desc", "hint"].map(|name| format!("{name} {text}"));
    assert_eq!(told, [&expected[..], &texts, &expected[..1]].concat());
}

#[test]
fn windows_of_displays_are_kept_apart() {
    let xml = format!(
        "<displays><display id=\"0\"><window index=\"0\" title=\"Bar\" bounds=\"[0,0][1080,63]\" \
         active=\"false\"><hierarchy rotation=\"0\"><node package=\"com.android.systemui\" \
         bounds=\"[0,0][1080,63]\" /></hierarchy></window><window title=\"App\" active=\"true\">\
         <window title=\"Child\" active=\"false\"></window><hierarchy rotation=\"0\">{ROOT} />\
         </hierarchy></window></display><display id=\"2\"><window title=\"Far\" active=\"false\">\
         <hierarchy rotation=\"1\">{ROOT} /></hierarchy></window></display></displays>"
    );
    let layout = parsed(&xml).layout;
    let told: Vec<String> = layout
        .windows()
        .iter()
        .map(|found| {
            format!("{} {} {:?} {}", found.display, found.title, found.root.map(|root| root.0), found.active)
        })
        .collect();
    assert_eq!(
        told,
        ["0 Bar Some(0) false", "0 Child None false", "0 App Some(1) true", "2 Far Some(2) false"]
    );
    assert_eq!(layout.screen(), PxSize { width: 1080, height: 1920 });
}

#[test]
fn one_display_is_chosen_and_its_focus_counts() {
    let window = |title: &str, active: bool, package: &str| {
        format!(
            "<window title=\"{title}\" active=\"{active}\"><hierarchy rotation=\"0\"><node \
             package=\"{package}\" bounds=\"[0,0][9,9]\" /></hierarchy></window>"
        )
    };
    let layout = parsed(&format!(
        "<displays><display id=\"0\">{}</display><display id=\"2\">{}{}</display></displays>",
        window("Home", true, "com.android.launcher3"),
        window("App", true, "org.ex"),
        window("Other", false, "org.ex")
    ))
    .layout;
    let active: Vec<_> = layout.windows().iter().filter(|window| window.active).collect();
    assert_eq!(
        active.iter().map(|window| (&*window.title, window.display)).collect::<Vec<_>>(),
        [("App", 2)]
    );
}

#[test]
fn of_windows_side_by_side_the_app_is_active() {
    let window = |package: &str, attributes: &str| {
        format!("<node package=\"{package}\" bounds=\"[0,0][9,9]\" {attributes} />")
    };
    let active = |windows: &[String]| {
        let layout = parsed(&format!("<hierarchy rotation=\"0\">{}</hierarchy>", windows.concat())).layout;
        layout.windows().iter().position(|window| window.active)
    };
    let (bar, home) = (window("com.android.systemui", ""), window("com.android.launcher3", ""));
    let keyboard = window("com.google.android.inputmethod.latin", "");
    let (app, dialog) = (window("org.ex", ""), window("org.ex", "focused=\"true\""));
    assert_eq!(active(&[bar.clone(), home.clone(), keyboard, app.clone()]), Some(3));
    assert_eq!(active(&[bar.clone(), app, dialog]), Some(2));
    assert_eq!(active(&[bar, home]), Some(1));
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    check_error("", "line 1, column 1 (byte 0): expected <?xml …?><hierarchy …>, found the end of the file");
    let open = "line 1, column 1 (byte 0): expected <?xml …?><hierarchy …>, found ";
    check_error("ERROR: could not get idle state.", &format!("{open}\"ERROR: could not get idle state.\""));
    check_error(
        "<hierarchy rotation=\"0\">\n<node text=\"a",
        "line 2, column 14 (byte 38): expected \" after the value, found the end of the file",
    );
    check_error(
        "<hierarchy>\n<node bounds=\"[0,0][1,1]\">",
        "line 2, column 27 (byte 38): expected </node>, found the end of the file",
    );
    check_error(
        "<hierarchy>\n<node bounds=\"[0,0][1,1]\"></hierarchy>",
        "line 2, column 27 (byte 38): expected </node>, found </hierarchy>",
    );
    check_error("<hierarchy><view/>", "line 1, column 12 (byte 11): expected <node …>, found <view");
    check_error(
        "<?xml version='1.0'?><table>",
        "line 1, column 22 (byte 21): expected <hierarchy …> or <displays …>, found <table",
    );
    check_error(
        "<hierarchy>\0",
        "line 1, column 13 (byte 12): expected </hierarchy>, found the end of the file",
    );
}

/// What is told of a dump with this text in its root, and the text that is read.
fn told(attributes: &str) -> (String, Vec<String>) {
    let ParsedHierarchy { layout, warnings } = in_root(attributes);
    let told = warnings.iter().map(|warning| warning.problem.clone()).collect();
    (layout.widget(WidgetIdx(0)).text.to_string(), told)
}

#[test]
fn a_wrong_character_costs_no_more_than_itself() {
    let fine = |attributes: &str, text: &str| assert_eq!(told(attributes), (text.to_owned(), Vec::new()));
    let odd = |attributes: &str, text: &str, problem: &str| {
        let (read, told) = told(attributes);
        assert_eq!(read, text, "{attributes}");
        assert!(told.len() == 1 && told[0].contains(problem), "{attributes}: {told:?}");
    };
    odd("text=\"a &#55357;&#56835; b\"", "a \u{1f603} b", "halves of a character, joined");
    odd("text=\"b&#xD83D;&#xDE03;\"", "b\u{1f603}", "halves of a character, joined");
    fine("text=\"1 < 2 > 0\"", "1 < 2 > 0");
    odd("text=\"a&#55357;b\"", "a\u{FFFD}b", "&#55357; is no character");
    odd("text=\"a&#0;b\"", "a\u{FFFD}b", "&#0; is no character");
    odd("text=\"x&bomb;\"", "x&bomb;", "begins no reference");
    odd("text=\"Tom & Jerry\"", "Tom & Jerry", "begins no reference");
    odd("text=\"&\"", "&", "begins no reference");
    odd("text=\"a&#x;\"", "a&#x;", "begins no reference");
    odd("text=\"say \"hi\" now\"", "say \"hi\" now", "a quote within the value");
    odd("text=\"5\" tall\" hint=\"b\"", "5\" tall", "a quote within the value");
    odd("text=\"a\" ; hint=\"b\"", "a", "\";\" is no name=\"value\"");
    odd("blue text=\"a\"", "a", "\"blue\" is no name=\"value\"");
    odd("index=0 text=\"a\"", "a", "\"index=0\" is no name=\"value\"");
    let bytes = format!("<hierarchy>{ROOT} text=\"a\u{1}?b\" /></hierarchy>").replace('?', "\0");
    let ParsedHierarchy { layout, warnings } = parse_hierarchy(bytes.as_bytes()).unwrap();
    assert_eq!(&*layout.widget(WidgetIdx(0)).text, "a\u{1}\u{FFFD}b");
    assert!(warnings[0].to_string().contains("the byte 0x00 is no character"), "{}", warnings[0]);
}

#[test]
fn copied_parts_and_answers_of_servers_are_read() {
    let texts = |file: &str| -> Vec<String> {
        let widgets = parsed(file).layout;
        widgets.widgets().iter().map(|widget| widget.text.to_string()).collect()
    };
    let node = |text: &str| format!("<node text=\"{text}\" bounds=\"[0,0][9,9]\" />");
    assert_eq!(texts(&node("a")), ["a"]);
    assert_eq!(texts(&format!("<?xml version='1.0'?>\n{}\n{}", node("a"), node("b"))), ["a", "b"]);
    assert_eq!(texts(&format!("see <b>this</b>:\n{}</node>thanks", node("a"))), ["a"]);
    let open = node("a").replace(" />", ">");
    assert_eq!(texts(&format!("{open}{}", node("b"))), ["a", "b"]);
    assert_eq!(texts("<a.TextView text='a' bounds='[0,0][9,9]'></a.TextView>"), ["a"]);
    let whole =
        format!("<?xml version='1.0'?>\n<hierarchy rotation=\"0\">{}</hierarchy>", node("a \"b\" \u{e4}"));
    for json in [
        serde_json::json!({ "jsonrpc": "2.0", "id": 1, "result": whole }).to_string(),
        serde_json::json!({ "value": whole, "sessionId": null }).to_string(),
        serde_json::json!({ "value": whole }).to_string().replace('<', "\\u003c").replace("=\\", "\\u003d\\"),
        format!("12:00 answer {}", serde_json::json!({ "result": whole })),
    ] {
        assert_eq!(texts(&json), ["a \"b\" \u{e4}"], "{json}");
    }
}

#[test]
fn files_of_other_tools_are_named() {
    let is = |file: &str, what: &str| {
        let error = parse_hierarchy(file.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    };
    is("<?xml version=\"1.0\"?><AppiumAUT><XCUIElementTypeApplication/></AppiumAUT>", "a screen of iOS");
    is("{\"value\": \"<XCUIElementTypeApplication type=\\\"a\\\">\"}", "a screen of iOS");
    is("<!DOCTYPE html><html><body>404</body></html>", "an HTML page");
    is("<html><script>for(i=0;i<o.length;i++)f()</script><a.B/></html>", "an HTML page");
    is("[1, \"a<o.length;i++)f(){}\"]", "JSON without a layout");
    is("<LinearLayout xmlns:android=\"http://schemas.android.com/apk/res/android\"/>", "an app's sources");
    is(
        "{\"value\": {\"error\": \"x\", \"message\": \"gone\", \"stacktrace\": \"\"}}",
        "an error of Appium: \"gone\"",
    );
    is("{\"jsonrpc\": \"2.0\", \"error\": {\"message\": \"null root\"}}", "server: \"null root\"");
    is("{\"attributes\": {\"text\": \"\"}, \"children\": []}", "`maestro hierarchy`");
    is("{\"attributes\": {\"bundleName\": \"a\"}, \"children\": []}", "HarmonyOS");
    is("{\"views\": [{\"temp_id\": 0}]}", "a state of DroidBot");
    is("[]", "JSON without a layout");
}

#[test]
fn entities_and_bottomless_trees_are_refused() {
    check_error(
        "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b \"bbb\">]><hierarchy/>",
        "line 1, column 22 (byte 21): expected <hierarchy …>, found <!DOCTYPE",
    );
    let deep = format!("<hierarchy>{}", "<node bounds=\"[0,0][1,1]\">".repeat(100_000));
    let error = parse_hierarchy(deep.as_bytes()).unwrap_err().to_string();
    assert!(error.ends_with("more than 512 nested nodes"), "{error}");
    let wide = format!("<hierarchy>{}", "<node bounds=\"[0,0][1,1]\"/>".repeat(100_001));
    let error = parse_hierarchy(wide.as_bytes()).unwrap_err().to_string();
    assert!(error.ends_with("more than 100000 nodes"), "{error}");
}
