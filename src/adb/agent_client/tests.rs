//! Checks of the agent's Java sources: that the committed jar was built from them, and that what they reflect on is what
//! Android has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The API levels at which what Android has must have been read.
const LEVELS: [u32; 8] = [19, 21, 24, 26, 29, 31, 33, 34];
const JAR: &[u8] = include_bytes!("../../../assets/agent/taproof-agent.jar");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agent")
}

/// Appends the Java files of a folder and those in it, by their paths below `root`.
fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "java") {
            files.push(path);
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

/// The sum that the build script computes: of the list of the files' sums, as `md5sum` prints it.
fn sum_of_sources() -> String {
    let root = folder();
    let mut files = Vec::new();
    for folder in ["java", "stubs"] {
        collect(&root, Path::new(folder), &mut files);
    }
    let mut names: Vec<String> = files.iter().map(|path| path.to_str().unwrap().replace('\\', "/")).collect();
    names.sort();
    let lines: String = names
        .iter()
        .map(|name| format!("{}  {name}\n", hex(&std::fs::read(root.join(name)).unwrap())))
        .collect();
    hex(lines.as_bytes())
}

/// A line of the manifest. Nothing in the jar is compressed.
fn manifest_line(name: &str) -> String {
    let text = String::from_utf8_lossy(JAR);
    let (_, manifest) = text.split_once("Manifest-Version: 1.0").unwrap();
    let line = manifest.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("{name} is missing")).to_owned()
}

#[test]
fn the_jar_was_built_from_these_sources() {
    assert_eq!(
        manifest_line("Sources-MD5"),
        sum_of_sources(),
        "the Java sources were changed without the jar: run src/adb/agent/build"
    );
}

#[test]
fn the_jar_speaks_the_protocol_of_the_client() {
    assert_eq!(
        manifest_line("Protocol-Version"),
        taproof_engine::agent::PROTOCOL_VERSION.to_string(),
        "`Session.VERSION` of the Java sources"
    );
}

/// What was read of a class in AOSP: at which levels, and for each of its members those that have it.
#[derive(Default)]
struct ReadClass {
    levels: BTreeSet<u32>,
    members: BTreeMap<String, BTreeSet<u32>>,
}

fn read_classes() -> BTreeMap<String, ReadClass> {
    let text = std::fs::read_to_string(folder().join("reflection.txt")).unwrap();
    let mut classes: BTreeMap<String, ReadClass> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (subject, levels) = line.rsplit_once(": ").unwrap();
        let levels = levels.split(' ').map(|level| level.parse().unwrap()).collect();
        if let Some(class) = subject.strip_prefix("read ") {
            current = class.to_owned();
            classes.entry(current.clone()).or_default().levels = levels;
        } else {
            let class = classes.get_mut(&current).unwrap();
            class.members.insert(subject.trim().to_owned(), levels);
        }
    }
    classes
}

/// A form of a member that the agent reflects on, as `Hidden.java` writes it.
#[derive(Debug)]
struct Variant {
    /// The levels that it claims; `None` if it is known from releases between two levels.
    levels: Option<std::ops::RangeInclusive<u32>>,
    class: String,
    /// The member as `reflection.txt` writes it.
    member: String,
}

impl Variant {
    fn parse(text: &str) -> Variant {
        let (levels, form) = text.split_once(' ').unwrap();
        let levels = (levels != "some").then(|| match levels.split_once('-') {
            Some((from, "")) => from.parse().unwrap()..=u32::MAX,
            Some((from, to)) => from.parse().unwrap()..=to.parse().unwrap(),
            None => levels.parse().unwrap()..=levels.parse().unwrap(),
        });
        if let Some(path) = form.strip_prefix("field ") {
            let (class, name) = path.rsplit_once('.').unwrap();
            return Variant { levels, class: class.to_owned(), member: format!("field {name}") };
        }
        let (path, parameters) = form.strip_suffix(')').unwrap().split_once('(').unwrap();
        let types: Vec<&str> = parameters
            .split(", ")
            .filter(|parameter| !parameter.is_empty())
            .map(|parameter| parameter.split(' ').next().unwrap().rsplit('.').next().unwrap())
            .collect();
        let (class, name) = match path.strip_prefix("new ") {
            Some(class) => (class, "new"),
            None => path.rsplit_once('.').unwrap(),
        };
        Variant { levels, class: class.to_owned(), member: format!("{name}({})", types.join(", ")) }
    }

    fn claims(&self, level: u32) -> bool {
        self.levels.as_ref().is_some_and(|levels| levels.contains(&level))
    }
}

/// The variants of each entry of the table in `Hidden.java`, in the order in which they are looked for.
fn reflected() -> Vec<Vec<Variant>> {
    let source = std::fs::read_to_string(folder().join("java/org/taproof/agent/Hidden.java")).unwrap();
    let entries = source.split("new Member(").skip(1).map(|entry| {
        // Literals stand at the odd places; a plus sign joins two.
        let mut texts: Vec<String> = Vec::new();
        let mut joined = false;
        for (place, part) in entry.split(");").next().unwrap_or(entry).split('"').enumerate() {
            match texts.last_mut() {
                _ if place % 2 == 0 => joined = part.trim() == "+",
                Some(last) if joined => last.push_str(part),
                _ => texts.push(part.to_owned()),
            }
        }
        texts.iter().skip(1).map(|text| Variant::parse(text)).collect()
    });
    entries.collect()
}

#[test]
fn what_the_agent_reflects_on_was_read_in_android() {
    let classes = read_classes();
    let entries = reflected();
    assert!(entries.len() > 40, "{} entries", entries.len());
    for variant in entries.iter().flatten().filter(|variant| variant.levels.is_some()) {
        let class = &classes.get(&variant.class).unwrap_or_else(|| panic!("{variant:?} was not read"));
        let has = &class.members.get(&variant.member).unwrap_or_else(|| panic!("{variant:?} was not read"));
        for level in LEVELS.iter().chain(&class.levels).filter(|level| variant.claims(**level)) {
            assert!(class.levels.contains(level), "{} was not read at {level}", variant.class);
            assert!(has.contains(level), "Android has no such member at {level}: {variant:?}");
        }
    }
}

/// At each level, the first form that Android has is one meant for that level.
#[test]
fn the_agent_takes_the_form_meant_for_the_level() {
    let classes = read_classes();
    for entry in reflected() {
        for level in LEVELS {
            let present = entry.iter().find(|variant| {
                let members = classes.get(&variant.class).map(|class| &class.members);
                members
                    .and_then(|members| members.get(&variant.member))
                    .is_some_and(|levels| levels.contains(&level))
            });
            if entry.iter().any(|variant| variant.claims(level)) {
                assert!(present.is_some_and(|first| first.claims(level)), "at {level}: {entry:?}");
            }
        }
    }
}
