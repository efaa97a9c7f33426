//! Selectors, layouts and rule files as people have them, from public reports.

use std::path::PathBuf;

use taproof_screen::format::parse_hierarchy;
use taproof_screen::{Layout, Selector};
use taproof_spec::format::parse_user_rules;

fn case(name: &str) -> Option<Vec<u8>> {
    let path: PathBuf = taproof_testing::data()?.join("cases").join(name);
    let read = std::fs::read(&path).ok();
    if read.is_none() {
        taproof_testing::skipped("no data");
    }
    read
}

fn layout(name: &str) -> Option<Layout> {
    Some(parse_hierarchy(&case(name)?).unwrap().layout)
}

#[test]
fn selectors_name_the_widgets_that_their_tools_find() {
    let Some(layout) = layout("screen.xml") else { return };
    for (text, expected) in [
        ("//android.widget.TextView[@text='Name']/following-sibling::android.widget.EditText", &[5][..]),
        ("//android.widget.Button[@text='SAVE'] | //android.widget.Switch", &[8, 9]),
        ("d(resourceIdMatches=\".*btn_.*\")", &[9]),
        ("d(textStartsWith=\"News\")", &[7]),
        ("d(scrollable=True)", &[2]),
        ("d(text=\"SAVE\").click()", &[9]),
        ("d(resourceId=\"org.example.shop:id/list\").child(text=\"Name\")", &[4]),
        ("d(resourceId=\"org.example.shop:id/label\")[1]", &[7]),
        ("By.id(\"org.example.shop:id/btn_save\")", &[9]),
        ("AppiumBy.accessibilityId(\"Save changes\")", &[9]),
        ("self.d(text=\"SAVE\")", &[9]),
        ("d(text=\"News by mail\").right(className=\"android.widget.Switch\")", &[8]),
        ("d(text=\"Pia\").left(resourceId=\"org.example.shop:id/label\")", &[4]),
    ] {
        let named = Selector::search(text).unwrap().matches(&layout);
        assert_eq!(named.iter().map(|idx| idx.0).collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn layouts_of_other_tools_are_read() {
    for (name, text, warned) in [
        ("emoji.xml", "Hello \u{1f603}", true),
        ("fragment.xml", "Pay", false),
        ("rootless.xml", "Pay", false),
        ("rpc.json", "Pay", true),
    ] {
        let Some(bytes) = case(&format!("layouts/{name}")) else { return };
        let parsed = parse_hierarchy(&bytes).unwrap();
        let texts: Vec<&str> = parsed.layout.widgets().iter().map(|widget| &*widget.text).collect();
        assert_eq!(texts, [text], "{name}");
        assert_eq!(!parsed.warnings.is_empty(), warned, "{name}: {:?}", parsed.warnings);
    }
}

#[test]
fn folders_of_rules_are_taken_with_remarks() {
    for (folder, files, remark) in [
        ("index", &["max.xpath.actions"][..], "\"index\" is passed over"),
        ("maxim", &["max.config"], "max.takeScreenShot"),
        ("both", &["abl.strings", "awl.strings"], "awl.strings counts"),
    ] {
        let read = |file: &&str| {
            let bytes = case(&format!("rules/{folder}/{file}"))?;
            Some(((*file).to_owned(), String::from_utf8(bytes).unwrap()))
        };
        let Some(files) = files.iter().map(read).collect::<Option<Vec<_>>>() else { return };
        let (_, remarks) = parse_user_rules(&files).unwrap();
        assert!(remarks.iter().any(|one| one.to_string().contains(remark)), "{folder}: {remarks:?}");
    }
}
