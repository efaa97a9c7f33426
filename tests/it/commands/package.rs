//! What `assets/package/package.sh` makes for people to download.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

/// What a command prints; it must succeed. `None` where there is no such program.
fn printed(folder: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new(words[0]).args(&words[1..]).current_dir(folder).output().ok()?;
    assert!(output.status.success(), "{words:?}: {output:?}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

const INSTALLED: [&str; 11] = [
    "bin/taproof",
    "share/applications/taproof.desktop",
    "share/icons/hicolor/scalable/apps/taproof.svg",
    "share/icons/hicolor/256x256/apps/taproof.png",
    "share/man/man1/taproof.1.gz",
    "share/man/man1/taproof-spec-check.1.gz",
    "share/bash-completion/completions/taproof",
    "share/fish/vendor_completions.d/taproof.fish",
    "share/doc/taproof/LICENSE-MIT",
    "share/doc/taproof/LICENSE-fonts",
    "share/doc/taproof/book/install.md",
];

#[test]
#[ignore = "takes long"]
fn the_archives_hold_the_program_and_what_belongs_to_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if ["bash", "strip", "tar", "gzip", "git"]
        .iter()
        .any(|tool| printed(root, &[tool, "--version"]).is_none())
    {
        return taproof_testing::skipped("a tool of the script is missing");
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut script = Command::new("bash");
    script.arg(root.join("assets/package/package.sh")).arg(folder.join("out"));
    script.env("TAPROOF_BINARY", taproof_testing::program::path()).env("HOME", folder);
    let output = script.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let sums = std::fs::read_to_string(folder.join("out/SHA256SUMS")).unwrap();
    printed(&folder.join("out"), &["sha256sum", "--check", "SHA256SUMS"]);
    let made = |end: &str| {
        sums.lines().filter_map(|line| line.split_whitespace().nth(1)).find(|name| name.ends_with(end))
    };
    let archive = made(".tar.gz").unwrap();
    let top = archive.strip_suffix(".tar.gz").unwrap();
    let listed = printed(&folder.join("out"), &["tar", "tzf", archive]).unwrap();
    for file in INSTALLED.iter().chain(&["share/zsh/site-functions/_taproof"]) {
        assert!(listed.lines().any(|line| line == format!("{top}/{file}")), "{file} in {listed}");
    }
    // Unpacked anywhere, it runs.
    printed(folder, &["tar", "xzf", &format!("out/{archive}"), "--strip-components=1"]);
    assert!(printed(folder, &["bin/taproof", "--version"]).unwrap().contains(env!("CARGO_PKG_VERSION")));
    let entry = std::fs::read_to_string(folder.join("share/applications/taproof.desktop")).unwrap();
    assert!(
        entry.lines().any(|line| line == "Exec=taproof") && entry.lines().any(|line| line == "Icon=taproof")
    );
    let Some(package) = made(".deb") else { return println!("skipped: no dpkg-deb") };
    let listed = printed(&folder.join("out"), &["dpkg-deb", "--contents", package]).unwrap();
    for file in
        INSTALLED.iter().chain(&["share/zsh/vendor-completions/_taproof", "share/doc/taproof/copyright"])
    {
        assert!(listed.lines().any(|line| line.ends_with(&format!(" ./usr/{file}"))), "{file} in {listed}");
    }
    assert!(listed.lines().all(|line| line.contains(" root/root ")), "{listed}");
    let version = printed(&folder.join("out"), &["dpkg-deb", "--field", package, "Version"]).unwrap();
    assert_eq!(version.trim(), env!("CARGO_PKG_VERSION"));
}
