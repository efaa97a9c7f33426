//! The manifest of a bundled app in Android's binary XML, from which tools read its package, activities and
//! permissions, and its table of resources, from which they read its strings. Both consist of nested chunks, each with a
//! header that contains its kind, the header's length and the total length. All numbers are little-endian
//! (`ResourceTypes.h` of Android).

use std::collections::BTreeSet;

use taproof_engine::device::InstalledApp;

/// The minimum API level of the apps.
const LEAST_SDK: u32 = 21;
const NAMESPACE: &str = "http://schemas.android.com/apk/res/android";
const PREFIX: &str = "android";
/// Marks an absent string.
const NONE: u32 = u32::MAX;

/// The kinds of chunks.
const STRINGS: u16 = 0x0001;
const TABLE: u16 = 0x0002;
const DOCUMENT: u16 = 0x0003;
const START_NAMESPACE: u16 = 0x0100;
const END_NAMESPACE: u16 = 0x0101;
const START_ELEMENT: u16 = 0x0102;
const END_ELEMENT: u16 = 0x0103;
const RESOURCE_IDS: u16 = 0x0180;

/// Attributes of the Android namespace with their resource ids, ascending. An element's attributes must be in this
/// order, and their names must be the first strings of the document.
const ATTRIBUTES: [(&str, u32); 7] = [
    ("label", 0x0101_0001),
    ("name", 0x0101_0003),
    ("exported", 0x0101_0010),
    ("minSdkVersion", 0x0101_020c),
    ("versionCode", 0x0101_021b),
    ("versionName", 0x0101_021c),
    ("targetSdkVersion", 0x0101_0270),
];

enum Value<'a> {
    Text(&'a str),
    Number(u32),
    Flag(bool),
}

struct Element<'a> {
    name: &'static str,
    /// Attributes of the Android namespace in the order of [`ATTRIBUTES`], then those without a namespace.
    attributes: Vec<(&'static str, Value<'a>)>,
    children: Vec<Element<'a>>,
}

/// Returns the manifest of an app with these activities (`package/class`, of which the launcher starts the first), for
/// this API level.
pub(crate) fn binary_manifest(app: &InstalledApp, activities: &[String], sdk: u32) -> Vec<u8> {
    let class = |activity: &'_ String| activity.split_once('/').map_or("", |(_, class)| class).to_owned();
    let classes: Vec<String> = activities.iter().map(class).collect();
    document(&manifest(app, &classes, sdk))
}

/// Returns a table of resources that holds these strings, and no resources that refer to them.
pub(crate) fn resource_table(strings: &BTreeSet<String>) -> Vec<u8> {
    const PACKAGES: u32 = 0;
    let strings = Strings { all: strings.iter().cloned().collect() };
    chunk(TABLE, &words(&[PACKAGES]), &strings.chunk())
}

fn manifest<'a>(app: &'a InstalledApp, classes: &'a [String], sdk: u32) -> Element<'a> {
    let named =
        |name, text| Element { name, attributes: vec![("name", Value::Text(text))], children: vec![] };
    let activity = |(place, class): (usize, &'a String)| {
        let launched = place == 0;
        let filter = Element {
            name: "intent-filter",
            attributes: vec![],
            children: vec![
                named("action", "android.intent.action.MAIN"),
                named("category", "android.intent.category.LAUNCHER"),
            ],
        };
        Element {
            name: "activity",
            attributes: vec![("name", Value::Text(class)), ("exported", Value::Flag(launched))],
            children: launched.then_some(filter).into_iter().collect(),
        }
    };
    let uses_sdk = Element {
        name: "uses-sdk",
        attributes: vec![
            ("minSdkVersion", Value::Number(LEAST_SDK)),
            ("targetSdkVersion", Value::Number(sdk)),
        ],
        children: vec![],
    };
    let application = Element {
        name: "application",
        attributes: vec![("label", Value::Text(&app.label))],
        children: classes.iter().enumerate().map(activity).collect(),
    };
    let permissions = app.permissions.iter().map(|(permission, _)| named("uses-permission", permission));
    Element {
        name: "manifest",
        attributes: vec![
            ("versionCode", Value::Number(app.version_code as u32)),
            ("versionName", Value::Text(&app.version)),
            ("package", Value::Text(&app.id.0)),
        ],
        children: std::iter::once(uses_sdk).chain(permissions).chain([application]).collect(),
    }
}

fn document(root: &Element<'_>) -> Vec<u8> {
    let mut strings = Strings { all: ATTRIBUTES.iter().map(|(name, _)| (*name).to_owned()).collect() };
    let namespace = [strings.place(PREFIX), strings.place(NAMESPACE)];
    let mut nodes = node(START_NAMESPACE, &words(&namespace));
    write_element(root, &mut strings, &mut nodes);
    nodes.extend(node(END_NAMESPACE, &words(&namespace)));
    let ids = ATTRIBUTES.map(|(_, id)| id);
    chunk(DOCUMENT, &[], &[strings.chunk(), chunk(RESOURCE_IDS, &[], &words(&ids)), nodes].concat())
}

fn write_element(element: &Element<'_>, strings: &mut Strings, out: &mut Vec<u8>) {
    const HEAD: u16 = 20;
    const ATTRIBUTE: u16 = 20;
    let name = strings.place(element.name);
    let mut start = words(&[NONE, name]);
    // No attribute is an id, a class or a style.
    start.extend(halves(&[HEAD, ATTRIBUTE, element.attributes.len() as u16, 0, 0, 0]));
    for (name, value) in &element.attributes {
        start.extend(attribute(name, value, strings));
    }
    out.extend(node(START_ELEMENT, &start));
    for child in &element.children {
        write_element(child, strings, out);
    }
    out.extend(node(END_ELEMENT, &words(&[NONE, name])));
}

fn attribute(name: &str, value: &Value<'_>, strings: &mut Strings) -> Vec<u8> {
    const TEXT: u8 = 0x03;
    const DECIMAL: u8 = 0x10;
    const BOOLEAN: u8 = 0x12;
    let of_android = ATTRIBUTES.iter().any(|(known, _)| *known == name);
    let namespace = if of_android { strings.place(NAMESPACE) } else { NONE };
    let name = strings.place(name);
    let (text, kind, data) = match value {
        Value::Text(text) => {
            let place = strings.place(text);
            (place, TEXT, place)
        }
        Value::Number(number) => (NONE, DECIMAL, *number),
        Value::Flag(flag) => (NONE, BOOLEAN, if *flag { u32::MAX } else { 0 }),
    };
    // The value has eight bytes, of which one is always zero.
    [words(&[namespace, name, text]), vec![8, 0, 0, kind], words(&[data])].concat()
}

/// The string pool of a document, without duplicates.
struct Strings {
    all: Vec<String>,
}

impl Strings {
    /// Returns the index of a string, which is added if it is new.
    fn place(&mut self, text: &str) -> u32 {
        let known = self.all.iter().position(|known| known == text);
        let place = known.unwrap_or_else(|| {
            self.all.push(text.to_owned());
            self.all.len() - 1
        });
        place as u32
    }

    /// Encodes the pool in UTF-16: the offsets, then length, text and terminating zero of each string.
    fn chunk(&self) -> Vec<u8> {
        const HEAD: u32 = 28;
        const LONG: usize = 0x8000;
        let (mut places, mut texts) = (Vec::new(), Vec::new());
        for text in &self.all {
            places.push(texts.len() as u32);
            let units: Vec<u16> = text.encode_utf16().collect();
            let length = units.len();
            if length >= LONG {
                texts.extend(halves(&[(length >> 16) as u16 | LONG as u16]));
            }
            texts.extend(halves(&[length as u16]));
            texts.extend(halves(&units));
            texts.extend([0, 0]);
        }
        texts.resize(texts.len().next_multiple_of(4), 0);
        let count = self.all.len() as u32;
        // No styles and no flags, which means UTF-16 and unsorted.
        let head = words(&[count, 0, 0, HEAD + 4 * count, 0]);
        chunk(STRINGS, &head, &[words(&places), texts].concat())
    }
}

/// A node of the tree, without line number and comment.
fn node(kind: u16, body: &[u8]) -> Vec<u8> {
    chunk(kind, &words(&[1, NONE]), body)
}

fn chunk(kind: u16, head: &[u8], body: &[u8]) -> Vec<u8> {
    let head_length = 8 + head.len();
    let mut bytes = halves(&[kind, head_length as u16]);
    bytes.extend(words(&[(head_length + body.len()) as u32]));
    bytes.extend([head, body].concat());
    bytes
}

fn halves(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use taproof_engine::device::AppId;

    fn half(bytes: &[u8], at: usize) -> usize {
        usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
    }

    fn word(bytes: &[u8], at: usize) -> usize {
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    }

    /// The consecutive chunks: kind, length of the header, all bytes.
    fn chunks(mut bytes: &[u8]) -> Vec<(u16, usize, &[u8])> {
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let (chunk, rest) = bytes.split_at(word(bytes, 4));
            assert!(chunk.len() % 4 == 0 && half(chunk, 2) <= chunk.len());
            found.push((half(chunk, 0) as u16, half(chunk, 2), chunk));
            bytes = rest;
        }
        found
    }

    fn strings_of(chunk: &[u8]) -> Vec<String> {
        let (count, start) = (word(chunk, 8), word(chunk, 20));
        let text = |place: usize| {
            let at = start + word(chunk, 28 + 4 * place);
            let (at, length) = match half(chunk, at) {
                long if long >= 0x8000 => (at + 4, ((long & 0x7fff) << 16) + half(chunk, at + 2)),
                length => (at + 2, length),
            };
            assert_eq!(half(chunk, at + 2 * length), 0);
            let units: Vec<u16> = (0..length).map(|place| half(chunk, at + 2 * place) as u16).collect();
            String::from_utf16(&units).unwrap()
        };
        (0..count).map(text).collect()
    }

    /// The elements as indented lines, with the resource ids of Android's attributes.
    fn read(bytes: &[u8]) -> String {
        let [(DOCUMENT, 8, document)] = chunks(bytes)[..] else { panic!("no document") };
        let parts = chunks(&document[8..]);
        let [(STRINGS, 28, strings), (RESOURCE_IDS, 8, ids), nodes @ ..] = &parts[..] else {
            panic!("no strings")
        };
        let strings = strings_of(strings);
        let id = |place: usize| (place < (ids.len() - 8) / 4).then(|| word(ids, 8 + 4 * place));
        let (mut text, mut depth) = (String::new(), 0);
        for (kind, head, node) in nodes {
            assert_eq!(*head, 16);
            match *kind {
                START_ELEMENT => {
                    text += &format!("{}{}", "  ".repeat(depth), strings[word(node, 20)]);
                    depth += 1;
                    let mut before = 0;
                    for place in 0..half(node, 28) {
                        let at = 36 + 20 * place;
                        let name = word(node, at + 4);
                        let id = id(name).filter(|_| strings[word(node, at).min(8)] == NAMESPACE);
                        let id = id.unwrap_or(NONE as usize);
                        assert!(id > before, "Android looks for them in this order");
                        before = id;
                        let data = word(node, at + 16);
                        let value = match node[at + 15] {
                            3 => strings[data].clone(),
                            0x12 => (data != 0).to_string(),
                            _ => data.to_string(),
                        };
                        text += &format!(" {}({id:x})={value}", strings[name]);
                    }
                    text.push('\n');
                }
                END_ELEMENT => depth -= 1,
                _ => assert_eq!((word(node, 16), word(node, 20)), (7, 8), "the namespace"),
            }
        }
        assert_eq!(depth, 0);
        text
    }

    fn app(label: &str) -> InstalledApp {
        InstalledApp {
            id: AppId("org.ex".to_owned()),
            label: label.to_owned(),
            activity: "org.ex.Main".to_owned(),
            version: "1.0".to_owned(),
            version_code: 7,
            permissions: vec![("android.permission.CAMERA".to_owned(), false)],
            pid: None,
        }
    }

    fn activities() -> [String; 2] {
        ["org.ex/org.ex.Main", "org.ex/org.ex.Other"].map(str::to_owned)
    }

    #[test]
    fn it_says_what_the_app_says_of_itself() {
        assert_eq!(
            read(&binary_manifest(&app("Fünf \u{1f600}"), &activities(), 34)),
            "manifest versionCode(101021b)=7 versionName(101021c)=1.0 package(ffffffff)=org.ex\n\
             \x20 uses-sdk minSdkVersion(101020c)=21 targetSdkVersion(1010270)=34\n\
             \x20 uses-permission name(1010003)=android.permission.CAMERA\n\
             \x20 application label(1010001)=Fünf \u{1f600}\n\
             \x20   activity name(1010003)=org.ex.Main exported(1010010)=true\n\
             \x20     intent-filter\n\
             \x20       action name(1010003)=android.intent.action.MAIN\n\
             \x20       category name(1010003)=android.intent.category.LAUNCHER\n\
             \x20   activity name(1010003)=org.ex.Other exported(1010010)=false\n"
        );
    }

    #[test]
    fn a_string_may_be_long() {
        let label = "x".repeat(70_000);
        assert!(read(&binary_manifest(&app(&label), &activities(), 34)).contains(&format!("={label}\n")));
    }
}
