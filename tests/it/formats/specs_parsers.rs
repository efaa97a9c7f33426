//! Readers of specification files end in a value or an error, whatever they are fed, and a file saved
//! without a change is the same text.

use proptest::prelude::*;
use taproof_spec::format::{DmfFile, for_pbfdroid};

use taproof_screen::format::FormatError;
use taproof_screen::{Beside, Role, Side};
use taproof_spec::{
    Action, CompiledSpec, Condition, DmfKind, LintCode, Relation, Severity, Spec, SpecSelector, WidgetState,
    derived_blocks, lint,
};

/// Parses, and where that succeeds saves, lints and compiles.
fn feed(text: &str) -> Result<(), TestCaseError> {
    if let Ok(file) = DmfFile::parse(text) {
        prop_assert_eq!(file.save(&file.spec), text);
        lint(&file.spec);
        derived_blocks(&file.spec);
        CompiledSpec::new(&file.spec);
        let again = DmfFile::parse(&file.canonical()).unwrap();
        prop_assert_eq!(again.spec.dmfs.len(), file.spec.dmfs.len());
        let fewer = taproof_spec::Spec { blocks: file.spec.blocks.clone(), ..Default::default() };
        let saved = file.save(&fewer);
        prop_assert_eq!(DmfFile::parse(&saved).unwrap().spec, fewer);
    }
    Ok(())
}

/// JSON built from the words of the format, mostly in the wrong places.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let words = prop::sample::select(vec![
        "",
        "add note",
        "add",
        "note",
        "in",
        "not in",
        "smaller::2",
        "click",
        "edit",
        "random",
        "note::random",
        "add_name.text",
        "add_name",
        "e1_widget",
        "3",
        "-1",
        "true",
        "#any#",
        "é\u{1F600}\"\\\n",
        "<node a=\"1\"/>",
        "<node",
        "plain:3",
    ]);
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        words.prop_map(serde_json::Value::from),
    ];
    let keys = prop::sample::select(vec![
        "dmfs",
        "keyviews",
        "taproof_invariants",
        "name",
        "type",
        "datatype",
        "proportion",
        "events",
        "widgets",
        "impacts",
        "preconditions",
        "post-conditions",
        "action",
        "widget",
        "text",
        "force",
        "UI_layout_num",
        "instance",
        "relation",
        "operator",
        "object",
        "view",
        "taproof_order",
        "taproof_row",
        "taproof_role",
        "taproof_beside",
        "right-of",
        "taproof_state",
        "taproof_text",
        "when",
        "holds",
        "odd",
    ]);
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::vec((keys.clone(), inner), 0..9).prop_map(|members| {
                let members = members.into_iter().map(|(key, value)| (key.to_owned(), value));
                serde_json::Value::Object(members.collect())
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_is_read_or_refused(text in ".*") {
        feed(&text)?;
    }

    #[test]
    fn arbitrary_json_is_read_or_refused(value in json()) {
        feed(&value.to_string())?;
        for section in ["dmfs", "keyviews", "taproof_invariants"] {
            feed(&format!("{{\"{section}\": [{value}], \"odd\": 1}}"))?;
        }
    }

    #[test]
    fn truncated_files_are_refused_with_a_place(cut in 0usize..SMALL.len()) {
        if SMALL.is_char_boundary(cut) {
            prop_assert!(DmfFile::parse(&SMALL[..cut]).is_err());
        }
    }
}

/// Everything that the format leaves open, in one file.
const SMALL: &str = r#"{ "odd": {"x": 1}, "dmfs": [
  {"name": "add note", "type":"add", "extra": [1, 2], "proportion": 7,
   "events": [{"action":"click","widget":"e1_widget","force":"false"},
              {"action":"edit","widget":"e2_widget","text":"random","taproof_text":"symbols of note","wait": 3}],
   "widgets": [{"name":"e1_widget","resource-id":"org.ex:id/fab","UI_layout_num":0},
               {"name":"e2_widget","class":"android.widget.EditText","UI_layout_num":"1","why":"é"}],
   "preconditions":[], "post-conditions":[{"relation":"near","widget":"e2_widget"}], "impacts":[]},
  {"name": "hop note", "type": "add", "events": [{"action": "hop"}]},
  "stub"
]}"#;

#[test]
fn a_tolerant_file_is_kept_whole() {
    let file = DmfFile::parse(SMALL).unwrap();
    assert_eq!(file.spec.dmfs.len(), 1, "{:?}", file.findings);
    assert_eq!(file.save(&file.spec), SMALL);
    let dmf = &file.spec.dmfs[0];
    assert_eq!((dmf.weight, dmf.steps[0].required, dmf.data_type.as_str()), (7, false, "note"));
    let codes: Vec<&str> = file.findings.iter().map(|finding| finding.code.code()).collect();
    for code in ["I003", "I004", "I005", "I006", "E008"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
    let mut spec = file.spec.clone();
    spec.dmfs[0].steps[0].required = true;
    spec.dmfs[0].widgets.swap(0, 1);
    let saved = file.save(&spec);
    assert_eq!(DmfFile::parse(&saved).unwrap().spec, spec);
    for kept in
        ["\"odd\": {\"x\": 1}", "\"extra\"", "\"wait\": 3", "\"\\u00e9\"", "hop", "\"stub\"", "\"near\""]
    {
        assert!(saved.contains(kept), "{kept} in {saved}");
    }
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    let text = r#"{"dmfs": [
      {"name": "edit note", "type": "update"},
      {"name": "add note", "type": "add", "events": [{"action": "tap"}]},
      {"name": "delete note", "type": "delete", "preconditions": [{"relation": "notin", "widget": "w"}],
       "impacts": [{"operator": "ad", "object": "x"}], "widgets": [{"name": "w", "text": "x"}]}]}"#;
    let file = DmfFile::parse(text).unwrap();
    let found: Vec<String> =
        file.findings.iter().chain(&lint(&file.spec)).map(|finding| finding.message.clone()).collect();
    for said in [
        r#"the type "update" is none of add, view, read, edit, delete, search, property; that of the name counts, edit"#,
        r#"the action "tap" is not known, so the DMF is left out; known are click, "#,
        r#"the relation "notin" is not known; known are in, not in, "#,
        r#"the operator "ad" is not known; known are add, add noduplicate, "#,
    ] {
        assert!(found.iter().any(|message| message.starts_with(said)), "{said}: {found:#?}");
    }
}

#[test]
fn bad_files_say_what_and_where() {
    let say = |text: &str| DmfFile::parse(text).unwrap_err().to_string();
    assert_eq!(
        say(""),
        "specification, line 1, column 1 (byte 0): expected JSON, found something else (EOF while parsing a value)"
    );
    let said = say("{\"dmfs\": [\n  {\"name\" 1}]}");
    assert!(said.starts_with("specification, line 2, column 11"), "{said}");
    assert!(say("[]").contains("expected an object"), "{}", say("[]"));
    assert!(say("{\"dmf\": []}").contains("found one with \"dmf\""));
    let deep = format!("{{\"dmfs\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(matches!(DmfFile::parse(&deep), Err(FormatError::Unexpected { .. })));
    assert!(DmfFile::parse("{\"dmfs\": [], \"dmfs\": []}").unwrap().findings[0].to_string().contains("W001"));
}

#[test]
fn a_row_is_kept_and_told_of() {
    let mut spec = DmfFile::parse(SMALL).unwrap().spec;
    spec.dmfs[0].widgets[0].selector.row = Some("e2_widget".to_owned());
    let text = DmfFile::new(&spec).source().to_owned();
    assert!(text.contains("\"taproof_row\": \"e2_widget\""), "{text}");
    let file = DmfFile::parse(&text).unwrap();
    assert_eq!(file.spec, spec);
    assert!(file.findings.iter().all(|finding| !finding.path.contains("taproof_row")), "{:?}", file.findings);
    let words = |spec: &Spec| {
        let findings = lint(spec).into_iter().filter(|finding| finding.path.contains("taproof_row"));
        findings.map(|finding| finding.code.code()).collect::<Vec<_>>()
    };
    assert_eq!(words(&spec), ["I602"]);
    spec.dmfs[0].widgets[0].selector.row = Some("nobody".to_owned());
    assert_eq!(words(&spec), ["E213"]);
    spec.dmfs[0].widgets[0].selector.row = None;
    assert!(!file.save(&spec).contains("taproof_row"));
}

#[test]
fn a_role_and_a_neighbour_are_kept_and_told_of() {
    let mut spec = DmfFile::parse(SMALL).unwrap().spec;
    let selector = &mut spec.dmfs[0].widgets[0].selector;
    selector.role = Some(Role::CheckBox);
    selector.beside = Some(Beside { side: Side::RightOf, label: "Title".to_owned() });
    let text = DmfFile::new(&spec).source().to_owned();
    assert!(text.contains("\"taproof_role\": \"check box\""), "{text}");
    assert!(text.contains("\"right-of\": \"Title\""), "{text}");
    let file = DmfFile::parse(&text).unwrap();
    assert_eq!(file.spec, spec);
    let words = |spec: &Spec| {
        let ours = ["taproof_role", "taproof_beside"];
        let findings = lint(spec).into_iter().filter(|it| ours.iter().any(|key| it.path.contains(key)));
        findings.map(|finding| finding.code.code()).collect::<Vec<_>>()
    };
    assert_eq!(words(&spec), ["I602", "I602"]);
    let alone = SpecSelector { role: None, ..spec.dmfs[0].widgets[0].selector.clone() };
    spec.dmfs[0].widgets[0].selector = SpecSelector { beside: alone.beside, ..SpecSelector::default() };
    assert_eq!(words(&spec), ["W308", "I602"]);
    spec.dmfs[0].widgets[0].selector.beside = None;
    let saved = file.save(&spec);
    assert!(!saved.contains("taproof_role") && !saved.contains("taproof_beside"), "{saved}");
}

#[test]
fn an_unknown_role_or_side_says_what_is_known() {
    let text = DmfFile::new(&DmfFile::parse(SMALL).unwrap().spec).source().to_owned();
    let with =
        |key: &str| DmfFile::parse(&text.replacen("\"xpath\"", &format!("{key}, \"xpath\""), 1)).unwrap();
    for (key, said) in [
        (
            "\"taproof_role\": \"knob\"",
            "\"knob\" is no role, so any widget will do; use one of: button, field, check box",
        ),
        (
            "\"taproof_beside\": {\"right\": \"Title\"}",
            "with one of: labelled, right-of, below, left-of, above",
        ),
        ("\"taproof_beside\": \"Title\"", "is no side with a label"),
        ("\"taproof_beside\": {\"below\": \"\"}", "is no side with a label"),
    ] {
        let file = with(key);
        let found: Vec<String> = file.findings.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|it| it.starts_with("error E012") && it.contains(said)), "{key}: {found:?}");
        assert_eq!(file.spec.dmfs[0].widgets[0].selector.beside, None);
    }
}

#[test]
fn a_state_is_kept_and_told_of() {
    let mut spec = DmfFile::parse(SMALL).unwrap().spec;
    let condition = Condition {
        state: Some(WidgetState::NotChecked),
        ..Condition::on_widget("e2_widget", Relation::In).at(0)
    };
    spec.dmfs[0].preconditions = vec![condition];
    let text = DmfFile::new(&spec).source().to_owned();
    assert!(text.contains("\"taproof_state\": \"not checked\""), "{text}");
    let file = DmfFile::parse(&text).unwrap();
    assert_eq!(file.spec, spec);
    let words = |spec: &Spec| {
        let findings = lint(spec).into_iter().filter(|finding| finding.path.contains("taproof_state"));
        findings.map(|finding| finding.code.code()).collect::<Vec<_>>()
    };
    assert_eq!(words(&spec), ["I602"]);
    let odd = DmfFile::parse(&text.replace("not checked", "ticked")).unwrap();
    assert!(odd.findings.iter().any(|finding| finding.to_string().contains("\"ticked\" is no state")));
    assert_eq!(odd.spec.dmfs[0].preconditions[0].state, None);
    spec.dmfs[0].preconditions[0].state = None;
    assert!(!file.save(&spec).contains("taproof_state"));
}

#[test]
fn alternatives_and_what_is_not_judged_are_kept_and_told_of() {
    let mut spec = DmfFile::parse(SMALL).unwrap().spec;
    let shown = |name: &str| Condition::on_widget(name, Relation::In).at(0);
    spec.dmfs[0].preconditions =
        vec![Condition { or: vec![shown("e1_widget"), shown("none")], ..shown("e2_widget") }];
    (spec.dmfs[0].max_runs, spec.dmfs[0].not_judged) = (Some(2), Some("line 3: a loop".to_owned()));
    let file = DmfFile::parse(DmfFile::new(&spec).source()).unwrap();
    assert_eq!(file.spec, spec);
    let told: Vec<(&str, String)> = lint(&spec).into_iter().map(|it| (it.code.code(), it.path)).collect();
    for (code, path) in [
        ("W112", "dmfs[0].taproof_not_judged"),
        ("E202", "dmfs[0].preconditions[0].taproof_or[1].widget"),
        ("I602", "dmfs[0].preconditions[0].taproof_or"),
    ] {
        assert!(told.contains(&(code, path.to_owned())), "{code} at {path}: {told:?}");
    }
    let lost = |spec: &Spec, what: &str| {
        let differences = for_pbfdroid(spec, None).differences;
        assert!(differences.iter().any(|difference| difference.what.contains(what)), "{differences:?}");
    };
    lost(&spec, "it is not judged: line 3: a loop");
    spec.dmfs[0].not_judged = None;
    lost(&spec, "also holds if another one does");
    spec.dmfs[0].preconditions[0].or.clear();
    lost(&spec, "runs any number of times in a test, and not only 2");
    let saved = file.save(&spec);
    assert!(!saved.contains("taproof_or") && saved.contains("\"taproof_max_runs\": 2"), "{saved}");
}

#[test]
fn only_a_property_may_begin_with_any_verb() {
    let differs = |kind: &str| {
        let dmf = format!(r#"{{ "name": "keep card", "type": "{kind}", "datatype": "card" }}"#);
        let text = format!(r#"{{ "dmfs": [{dmf}] }}"#);
        let file = DmfFile::parse(&text).unwrap();
        file.findings.iter().any(|finding| finding.code == LintCode::VerbDiffers)
    };
    assert_eq!([differs("delete"), differs("property")], [true, false]);
}

/// The page that says how a specification is written.
const BOOK: &str = include_str!("../../../src/book/specifications.md");

#[test]
fn the_book_names_every_action() {
    for (action, _) in Action::WORDS {
        assert!(BOOK.contains(&format!("`{}`", action.word())), "{}", action.word());
    }
}

#[test]
fn the_files_in_the_book_are_read_as_meant() {
    let files: Vec<DmfFile> = BOOK
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split_once("```"))
        .map(|(text, _)| DmfFile::parse(text).unwrap())
        .collect();
    for file in &files {
        for finding in file.findings.iter().chain(&lint(&file.spec)) {
            let about_keys = finding.code == LintCode::MissingKey;
            assert!(about_keys || finding.code.severity() == Severity::Info, "{finding}");
        }
    }
    let counts =
        files.iter().map(|file| (file.spec.dmfs.len(), file.spec.blocks.len(), file.spec.invariants.len()));
    assert_eq!(counts.collect::<Vec<_>>(), [(1, 0, 0), (0, 1, 0), (0, 0, 1)]);
    assert_eq!(files[1].spec.blocks[0].pattern.attributes.len(), 1, "`#any#` constrains nothing");
}

#[test]
fn the_example_specification_is_clean_and_edits() {
    let file = DmfFile::parse(include_str!("../../../examples/own_app.json")).unwrap();
    let findings: Vec<String> = file
        .findings
        .iter()
        .chain(&lint(&file.spec))
        .filter(|finding| finding.code.severity() > Severity::Info)
        .map(ToString::to_string)
        .collect();
    assert_eq!(findings, Vec::<String>::new());
    assert!(file.spec.dmfs.iter().any(|dmf| dmf.kind == DmfKind::Update && dmf.impacts.len() == 2));
}
