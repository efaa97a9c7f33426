//! Operations on paths as text.

/// The absolute path, without `.`, `..` and doubled slashes. A relative path is resolved in `folder`. Symbolic links
/// are not considered.
pub(in super::super) fn absolute(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let start = if path.starts_with('/') { "" } else { folder };
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The parent folder of a path without a trailing slash.
pub(in super::super) fn parent_of(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

/// The last component of a path.
pub(in super::super) fn name_of(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// Appends a name to the path of a folder.
pub(super) fn join(folder: &str, name: &str) -> String {
    if folder == "/" { format!("/{name}") } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_absolute() {
        let cases = [
            ("/", "a", "/a"),
            ("/sdcard", "../x//y/./z", "/x/y/z"),
            ("/sdcard", "/a/../..", "/"),
            ("/a/b", "", "/a/b"),
        ];
        for (folder, path, expected) in cases {
            assert_eq!(absolute(folder, path), expected);
        }
        assert_eq!((parent_of("/a/b"), parent_of("/a"), parent_of("/")), ("/a", "/", "/"));
        assert_eq!((name_of("/a/b"), name_of("b/"), join("/", "a").as_str()), ("b", "b", "/a"));
    }
}
