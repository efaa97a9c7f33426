//! The jar of the agent, which is committed beside the Java sources that it was built from.

use std::path::{Path, PathBuf};

use md5::{Digest, Md5};

const JAR: &[u8] = include_bytes!("../../assets/agent/taproof-agent.jar");

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
    Md5::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The sum that the build script computes: of the list of the files' sums, as `md5sum` prints it.
fn sum_of_sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("agent");
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
        taproof_core::agent::PROTOCOL_VERSION.to_string(),
        "`Session.VERSION` of the Java sources"
    );
}
