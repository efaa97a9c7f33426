//! Any text keeps every format readable, and the reader reads the same text back.

use std::path::PathBuf;
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quick_xml::events::Event as XmlEvent;
use taproof_results::report::{ExportKind, export_campaign, looks_escaped, no_progress};
use yaml_rust2::{Yaml, YamlLoader};

use super::evidence::{APP, campaign, export, file, have, succeed};

/// Characters that one grammar or another forbids, or gives a meaning.
const SPECIAL: [char; 40] = [
    '\u{fffe}',
    '\u{ffff}',
    '\u{feff}',
    '\u{fdd0}',
    '\u{1fffe}',
    '\u{10ffff}',
    '\u{e000}',
    '\u{2028}',
    '\u{2029}',
    '\u{85}',
    '\u{7f}',
    '\u{9f}',
    '\u{a0}',
    '\u{ad}',
    '\0',
    '\u{1}',
    '\u{8}',
    '\u{b}',
    '\u{c}',
    '\u{1b}',
    '\n',
    '\r',
    '\t',
    ' ',
    '"',
    '\'',
    '\\',
    '`',
    '$',
    '{',
    '}',
    '#',
    ':',
    '-',
    '%',
    '&',
    '<',
    '>',
    ']',
    '!',
];

fn any_text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![2 => prop::sample::select(&SPECIAL[..]), 1 => any::<char>(), 1 => prop::char::range(' ', '~')];
    prop::collection::vec(letter, 1..24).prop_map(String::from_iter)
}

/// Texts for programs that take long to start: each special character, and some of any kind.
fn some_texts() -> Vec<String> {
    let mut runner = TestRunner::deterministic();
    let any = (0..40).map(|_| any_text().new_tree(&mut runner).unwrap().current());
    SPECIAL.iter().map(|letter| format!("a{letter}b")).chain(any).collect()
}

fn of_campaign(text: &str, kind: ExportKind) -> String {
    String::from_utf8(export_campaign(&campaign(text), kind, &mut no_progress).unwrap()).unwrap()
}

/// What YAML 1.2 calls `nb-char`, which PyYAML, js-yaml and SnakeYAML ask for everywhere.
fn may_stand_in_yaml(letter: char) -> bool {
    matches!(letter, '\t' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
        && letter != '\u{feff}'
}

/// What XML 1.0 calls `Char`.
fn may_stand_in_xml(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

fn check_flow(text: &str) {
    let flow = export(text, ExportKind::Maestro);
    let forbidden = flow.lines().flat_map(str::chars).find(|letter| !may_stand_in_yaml(*letter));
    assert_eq!(forbidden, None, "{flow:?}");
    let documents = YamlLoader::load_from_str(&flow).unwrap();
    assert_eq!((documents.len(), documents[0]["appId"].as_str()), (2, Some(APP)));
    let commands = documents[1].as_vec().unwrap();
    let named = |name: &str| commands.iter().map(|it| &it[name]).find(|it| !it.is_badvalue()).unwrap();
    assert_eq!(unescaped(named("tapOn")["text"].as_str().unwrap()), text);
    // A backslash keeps Maestro from running `${...}`.
    let typed = |text: &str| text.replace("\\${", "${");
    assert_eq!(named("inputText").as_str().map(typed), Some(typed(text)));
    assert!(commands.iter().all(|it| matches!(it, Yaml::String(_) | Yaml::Hash(_))), "{commands:?}");
}

fn unescaped(regex: &str) -> String {
    let mut chars = regex.chars();
    std::iter::from_fn(|| match chars.next() {
        Some('\\') => chars.next(),
        letter => letter,
    })
    .collect()
}

/// The names of the elements, in their order; the text must be well-formed.
fn elements(xml: &str) -> Vec<String> {
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut names = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            XmlEvent::Start(tag) | XmlEvent::Empty(tag) => {
                names.push(tag.name().into_inner().to_owned());
                for attribute in tag.attributes() {
                    attribute.unwrap().normalized_value(quick_xml::XmlVersion::Implicit1_0).unwrap();
                }
            }
            XmlEvent::Eof => return names,
            _ => {}
        }
    }
}

/// What numbers stand for, as in `&#10;`.
fn referred(xml: &str) -> impl Iterator<Item = Option<char>> {
    xml.split("&#").skip(1).map(|rest| {
        let number = rest.split(';').next()?;
        let code = match number.strip_prefix('x') {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        char::from_u32(code.ok()?)
    })
}

fn check_results(text: &str) {
    for (results, plain) in [
        (export(text, ExportKind::Junit), export("a", ExportKind::Junit)),
        (of_campaign(text, ExportKind::Junit), of_campaign("a", ExportKind::Junit)),
    ] {
        let forbidden = results.chars().find(|letter| !may_stand_in_xml(*letter));
        assert_eq!(forbidden, None, "{results:?}");
        assert!(referred(&results).all(|letter| letter.is_some_and(may_stand_in_xml)), "{results:?}");
        assert_eq!(elements(&results), elements(&plain));
    }
}

/// The tags of a page, in their order, with the names of their attributes.
fn tags(page: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').unwrap();
        let mut quoted = false;
        let bare = rest[at..at + end].chars().filter(|letter| {
            quoted ^= *letter == '"';
            !quoted && *letter != '"'
        });
        tags.push(bare.collect());
        rest = &rest[at + end..];
    }
    tags
}

fn check_page(text: &str) {
    // Letters are drawn in lines, whose number hangs on their width. Odd texts within a sentence are set apart from it,
    // and a line says that they are meant.
    let apart = ["<bdi", "</bdi", "<code class= title=", "</code"];
    let unwrapped = |page: &str| -> Vec<String> {
        tags(page)
            .into_iter()
            .filter(|tag| !tag.contains("tspan") && !apart.contains(&tag.as_str()))
            .collect()
    };
    let same = if looks_escaped(text) { "&" } else { "a" };
    let (page, plain) = (export(text, ExportKind::Html), export(same, ExportKind::Html));
    assert_eq!(unwrapped(&page), unwrapped(&plain), "{page}");
    let (page, plain) = (of_campaign(text, ExportKind::Html), of_campaign("a", ExportKind::Html));
    assert_eq!(unwrapped(&page), unwrapped(&plain), "{page}");
    assert!(page.chars().all(may_stand_in_xml), "{page:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_comes_back_from_a_flow(text in any_text()) {
        check_flow(&text);
    }

    #[test]
    fn results_with_any_text_are_well_formed(text in any_text()) {
        check_results(&text);
    }

    #[test]
    fn a_page_has_the_same_tags_with_any_text(text in any_text()) {
        check_page(&text);
    }
}

#[test]
fn every_special_character_comes_back_from_a_flow() {
    SPECIAL.iter().for_each(|letter| check_flow(&format!("a{letter}b")));
}

/// The texts' exports in a folder: `0.EXT` and so on.
fn files(texts: &[String], kind: ExportKind) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |(index, text): (usize, &String)| file(folder.path(), &index.to_string(), export(text, kind));
    let paths = texts.iter().enumerate().map(write).collect();
    (folder, paths)
}

/// Reads flows as PyYAML does, and says what is typed in each.
const TYPED: &str = "
import json, sys, yaml
def typed(path):
    with open(path, encoding='utf-8', newline='') as flow:
        _, commands = yaml.safe_load_all(flow)
    return next(it['inputText'] for it in commands if isinstance(it, dict) and 'inputText' in it)
print(json.dumps([typed(path) for path in sys.argv[1:]]))
";

#[test]
fn pyyaml_reads_a_flow_with_any_text() {
    if !have("python3") || !Command::new("python3").args(["-c", "import yaml"]).status().unwrap().success() {
        return;
    }
    let texts = some_texts();
    let (_folder, paths) = files(&texts, ExportKind::Maestro);
    let told = succeed(Command::new("python3").args(["-c", TYPED]).args(paths));
    let typed: Vec<String> = serde_json::from_str(&told).unwrap();
    let kept = |text: &String| text.replace("\\${", "${");
    assert_eq!(typed.iter().map(kept).collect::<Vec<_>>(), texts.iter().map(kept).collect::<Vec<_>>());
}

/// Reads scripts with python's own parser, and says what is typed in each.
const SET_TEXT: &str = "
import ast, json, sys
def typed(path):
    tree = ast.parse(open(path, 'rb').read())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    [typed] = [call.args[-1] for call in calls if getattr(call.func, 'id', '') == 'set_text']
    return ast.literal_eval(typed)
print(json.dumps([typed(path) for path in sys.argv[1:]]))
";

#[test]
fn python_reads_a_script_with_any_text() {
    if !have("python3") {
        return;
    }
    let texts = some_texts();
    let (_folder, paths) = files(&texts, ExportKind::Uiautomator2);
    let told = succeed(Command::new("python3").args(["-c", SET_TEXT]).args(paths));
    assert_eq!(serde_json::from_str::<Vec<String>>(&told).unwrap(), texts);
}

#[cfg(unix)]
#[test]
fn a_shell_reads_a_script_with_any_text() {
    let (_folder, paths) = files(&some_texts(), ExportKind::AdbShell);
    for path in paths {
        succeed(Command::new("sh").arg("-n").arg(path));
    }
}

#[test]
fn xmllint_reads_results_with_any_text() {
    if !have("xmllint") {
        return;
    }
    let (_folder, paths) = files(&some_texts(), ExportKind::Junit);
    succeed(Command::new("xmllint").args(["--noout", "--nonet"]).args(paths));
}
