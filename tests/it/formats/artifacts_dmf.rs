//! The published specifications load with the counts that their index gives, and are written back.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use taproof_spec::format::DmfFile;
use taproof_spec::{Condition, Dmf, Input, NamedSelector, Severity, Spec, TextPattern, lint};

/// Every file of the index with its numbers.
fn each(mut look: impl FnMut(&str, &str, &Value)) {
    let Some(data) = taproof_testing::data() else { return };
    let index: Value =
        serde_json::from_str(&fs::read_to_string(data.join("dmf/index.json")).unwrap()).unwrap();
    let files = index["files"].as_object().unwrap();
    assert!(files.len() >= 12);
    for (name, numbers) in files {
        look(name, &fs::read_to_string(data.join("dmf").join(name)).unwrap(), numbers);
    }
}

fn count(texts: impl IntoIterator<Item = String>) -> Value {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    serde_json::to_value(counts).unwrap()
}

fn parts(widget: &NamedSelector) -> String {
    let selector = &widget.selector;
    let parts = [
        ("resource-id", selector.resource_id.is_some()),
        ("text", selector.text != TextPattern::Any),
        ("class", selector.class.is_some()),
        ("content-desc", selector.content_desc.is_some()),
        ("xpath", selector.xpath.is_some()),
        ("instance", selector.instance.is_some()),
    ];
    let given: Vec<&str> = parts.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    if given.is_empty() { "none".to_owned() } else { given.join("+") }
}

fn text_kind(input: &Input) -> String {
    match input {
        Input::None => "empty",
        Input::Fresh(_) => "random",
        Input::Existing(_) => "datatype::random",
        Input::Literal(_) => "literal",
    }
    .to_owned()
}

#[test]
fn specifications_have_the_counts_of_the_index() {
    each(|name, text, numbers| {
        if numbers["kind"] != "dmf" {
            return;
        }
        let file = DmfFile::parse(text).unwrap();
        let dmfs = &file.spec.dmfs;
        let all = |get: fn(&Dmf) -> usize| dmfs.iter().map(get).sum::<usize>();
        let steps = || dmfs.iter().flat_map(|dmf| &dmf.steps);
        let widgets = || dmfs.iter().flat_map(|dmf| &dmf.widgets);
        let pre: Vec<&Condition> = dmfs.iter().flat_map(|dmf| &dmf.preconditions).collect();
        let post: Vec<&Condition> = dmfs.iter().flat_map(|dmf| &dmf.postconditions).collect();
        let relations = |conditions: &[&Condition]| count(conditions.iter().map(|c| c.relation.to_string()));
        let on_data = |conditions: &[&Condition]| conditions.iter().filter(|c| c.data_type.is_some()).count();
        let expect = |key: &str, value: Value| assert_eq!(value, numbers[key], "{name}: {key}");
        expect("bytes", text.len().into());
        expect("dmfs", dmfs.len().into());
        expect("by_type", count(dmfs.iter().map(|dmf| dmf.kind.word().to_owned())));
        expect("by_datatype", count(dmfs.iter().map(|dmf| dmf.data_type.clone())));
        expect("proportions", count(dmfs.iter().map(|dmf| dmf.weight.to_string())));
        expect("events", all(|dmf| dmf.steps.len()).into());
        expect("events_by_action", count(steps().map(|step| step.action.word().to_owned())));
        expect("events_by_text_kind", count(steps().map(|step| text_kind(&step.input))));
        expect("events_force_false", steps().filter(|step| !step.required).count().into());
        expect("events_without_widget", steps().filter(|step| step.widget.is_none()).count().into());
        expect("widgets", all(|dmf| dmf.widgets.len()).into());
        expect("widgets_by_selector", count(widgets().map(parts)));
        expect("widgets_with_xpath", widgets().filter(|w| w.selector.xpath.is_some()).count().into());
        expect("widgets_with_instance", widgets().filter(|w| w.selector.instance.is_some()).count().into());
        let references = widgets().filter(|w| matches!(w.selector.text, TextPattern::FromRead(_)));
        expect("widgets_text_reference", references.count().into());
        let drawn = widgets().filter(|w| matches!(w.selector.text, TextPattern::Existing(_)));
        expect("widgets_text_generator", drawn.count().into());
        let unknown = file.findings.iter().filter(|finding| finding.code.code() == "I006");
        let keys = unknown.map(|finding| finding.path.rsplit('.').next().unwrap_or("").to_owned());
        expect("widgets_extra_keys", count(keys));
        expect("preconditions", pre.len().into());
        expect("postconditions", post.len().into());
        expect("preconditions_by_relation", relations(&pre));
        expect("postconditions_by_relation", relations(&post));
        expect("preconditions_on_data", on_data(&pre).into());
        expect("postconditions_on_data", on_data(&post).into());
        let without = dmfs.iter().filter(|dmf| dmf.postconditions.is_empty()).count();
        expect("dmfs_without_postcondition", without.into());
        expect("impacts", all(|dmf| dmf.impacts.len()).into());
        let operators = dmfs.iter().flat_map(|dmf| &dmf.impacts).map(|impact| impact.op.to_string());
        expect("impacts_by_operator", count(operators));
        check_each(name, &file, numbers["each"].as_array().unwrap());
        let codes =
            |code: &str| lint(&file.spec).iter().filter(|finding| finding.code.code() == code).count();
        expect("unresolved_references", (codes("E201") + codes("E202") + codes("E203")).into());
    });
}

/// The entries of `each`: one a DMF, with what a lint should notice.
fn check_each(file_name: &str, file: &DmfFile, entries: &[Value]) {
    let lints = lint(&file.spec);
    assert_eq!(entries.len(), file.spec.dmfs.len());
    for (index, (dmf, entry)) in file.spec.dmfs.iter().zip(entries).enumerate() {
        let expect = |key: &str, value: Value| {
            assert_eq!(value, entry[key], "{file_name}, {:?}: {key}", dmf.name);
        };
        let words = |code: &str| {
            file.findings
                .iter()
                .chain(&lints)
                .filter(|f| f.dmf == Some(index) && f.code.code() == code)
                .count()
        };
        let named = |code: &str| -> Value {
            let found =
                lints.iter().filter(|finding| finding.dmf == Some(index) && finding.code.code() == code);
            let name = |path: &str| {
                let place = path.rsplit_once("widgets[")?.1.split(']').next()?.parse::<usize>().ok()?;
                Some(dmf.widgets.get(place)?.name.clone())
            };
            found.filter_map(|finding| name(&finding.path)).collect()
        };
        expect("name", dmf.name.as_str().into());
        expect("type", dmf.kind.word().into());
        expect("datatype", dmf.data_type.as_str().into());
        expect("proportion", dmf.weight.to_string().into());
        expect("events", dmf.steps.iter().map(|step| step.action.word()).collect());
        expect("widgets", dmf.widgets.len().into());
        expect("preconditions", dmf.preconditions.len().into());
        expect("postconditions", dmf.postconditions.len().into());
        expect("impacts", dmf.impacts.iter().map(|impact| impact.op.to_string()).collect());
        expect("unresolved", serde_json::json!({}));
        expect("unused_widgets", named("W208"));
        expect("name_verb_differs_from_type", (words("W101") > 0).into());
        expect("name_noun_differs_from_datatype", (words("W102") > 0).into());
        let other = dmf.preconditions.iter().chain(&dmf.postconditions);
        let other =
            other.filter_map(|c| c.data_type.as_deref()).filter(|data_type| *data_type != dmf.data_type);
        expect("condition_datatype_differs", other.collect());
        expect("events_off_their_layout", words("W205").into());
        expect("names_bound_on_last_layout", named("I212"));
        expect("post_layout_differs_from_event_count", words("W206").into());
        let xpath_only = dmf.preconditions.iter().chain(&dmf.postconditions).filter(|condition| {
            let widget = condition.widget.as_deref().and_then(|name| dmf.widget(name));
            widget.is_some_and(|widget| parts(widget) == "xpath")
        });
        expect("presence_conditions_matching_anything", xpath_only.count().into());
    }
}

#[test]
fn block_lists_have_the_counts_of_the_index() {
    each(|name, text, numbers| {
        if numbers["kind"] != "keyviews" {
            return;
        }
        let file = DmfFile::parse(text).unwrap();
        let blocks = &file.spec.blocks;
        assert_eq!(numbers["keyviews"], blocks.len(), "{name}");
        let constraints: Vec<BTreeMap<&String, &String>> = blocks
            .iter()
            .map(|block| block.pattern.attributes.iter().map(|(name, value)| (name, value)).collect())
            .collect();
        assert_eq!(numbers["constraints"], serde_json::to_value(&constraints).unwrap(), "{name}");
        let names = constraints.iter().flat_map(BTreeMap::keys).map(|name| (*name).clone());
        assert_eq!(numbers["constraints_by_attribute"], count(names), "{name}");
        let templates = lint(&file.spec).iter().filter(|finding| finding.code.code() == "W502").count();
        assert_eq!(numbers["placeholders"], templates, "{name}");
    });
}

#[test]
fn unchanged_files_are_the_same_bytes() {
    each(|name, text, _| {
        let file = DmfFile::parse(text).unwrap();
        assert_eq!(file.save(&file.spec), text, "{name}");
        let canonical = ![
            "anymemo/dmf_anymemo.json",
            "omninotes/dmf_omninotes.json",
            "simpletask/keyviews_simpletask.json",
        ]
        .contains(&name);
        assert_eq!(file.canonical() == text, canonical, "{name}");
        let again = DmfFile::parse(&file.canonical()).unwrap();
        assert_eq!(again.spec, file.spec, "{name}: the canonical form says the same");
        assert_eq!(DmfFile::parse(DmfFile::new(&file.spec).source()).unwrap().spec, file.spec, "{name}");
    });
}

#[test]
fn a_change_changes_only_its_own_bytes() {
    each(|name, text, numbers| {
        let file = DmfFile::parse(text).unwrap();
        let Some(dmf) = file.spec.dmfs.get(1).filter(|_| numbers["kind"] == "dmf") else { return };
        let mut spec: Spec = file.spec.clone();
        spec.dmfs[1].weight = dmf.weight + 1;
        let saved = file.save(&spec);
        assert_eq!(DmfFile::parse(&saved).unwrap().spec, spec, "{name}");
        let first = text.find(&format!("\"{}\"", spec.dmfs[1].name)).unwrap();
        let start = text[..first].rfind("post-conditions").unwrap_or(0);
        assert_eq!(saved[..start.min(300)], text[..start.min(300)], "{name}: what stands before stays");
        let back = DmfFile::parse(&saved).unwrap();
        if name.starts_with("activitydiary") {
            assert_eq!(back.save(&file.spec), text, "{name}: back again in a canonical file");
            let differing = saved.lines().zip(text.lines()).filter(|(a, b)| a != b).count();
            assert_eq!(differing, 1, "one line changed");
        }
        let mut moved = file.spec.clone();
        moved.dmfs.swap(0, 1);
        let mut fewer = file.spec.clone();
        fewer.dmfs.remove(0);
        for changed in [moved, fewer, Spec::default()] {
            assert_eq!(DmfFile::parse(&file.save(&changed)).unwrap().spec, changed, "{name}");
        }
    });
}

#[test]
fn published_files_have_no_error() {
    each(|name, text, _| {
        let file = DmfFile::parse(text).unwrap();
        for finding in file.findings.iter().chain(&lint(&file.spec)) {
            assert!(finding.code.severity() < Severity::Error, "{name}: {finding}");
        }
    });
}

/// What looks misspelt in the published files: nothing is told of that is right.
#[test]
fn published_files_are_hardly_misspelt() {
    let mut told = Vec::new();
    each(|name, text, _| {
        let file = DmfFile::parse(text).unwrap();
        let findings = lint(&file.spec).into_iter().filter(|it| matches!(it.code.code(), "W111" | "W214"));
        told.extend(findings.map(|finding| format!("{name}: {finding}")));
    });
    assert_eq!(told, Vec::<String>::new());
}
