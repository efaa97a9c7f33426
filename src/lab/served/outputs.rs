//! What a device of each version of Android has and prints: `outputs/android14.txt` and `outputs/android44.txt`. A
//! section begins with `== ` and its name; `{name}` in it stands for a value.

use std::fmt::{Display, Write as _};

use super::Like;

/// The values of a section, by the names that stand for them.
pub(crate) type Values<'v> = &'v [(&'v str, &'v dyn Display)];

/// The section with that name, without its last line end; empty if this version has none.
pub(crate) fn section(like: Like, name: &str) -> &'static str {
    let all = match like {
        Like::Android14 => include_str!("outputs/android14.txt"),
        Like::Android44 => include_str!("outputs/android44.txt"),
    };
    let named = |section: &'static str| section.strip_prefix(name)?.strip_prefix('\n');
    let sections = all.trim_end_matches('\n').trim_start_matches("== ").split("\n== ");
    sections.filter_map(named).next().unwrap_or_default()
}

/// The lines of a section, each as its words.
pub(crate) fn table(like: Like, name: &str) -> impl Iterator<Item = Vec<&'static str>> {
    section(like, name).lines().map(|line| line.split(' ').collect())
}

/// The text of a section with these values and a line end. What stands for none of them remains.
pub(crate) fn filled(like: Like, name: &str, values: Values<'_>) -> String {
    let mut parts = section(like, name).split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once('}').and_then(|(name, rest)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, rest))
        });
        // Writing to a text cannot fail.
        match known {
            Some((value, rest)) => write!(text, "{value}{rest}").unwrap_or_default(),
            None => write!(text, "{{{part}").unwrap_or_default(),
        }
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_where_their_names_are() {
        let app: &dyn Display = &"a/.B";
        let text = filled(Like::Android14, "resolver", &[("activity", app), ("handle", &7)]);
        assert!(
            text.starts_with("        7 a/.B filter {filter}\n") && text.ends_with("LAUNCHER\"\n"),
            "{text}"
        );
        assert_eq!(section(Like::Android44, "dumpsys window displays"), "");
        assert_eq!(table(Like::Android44, "files").next(), Some(vec!["/", "755"]));
        assert_eq!(table(Like::Android14, "files").last().unwrap().len(), 3);
    }
}
