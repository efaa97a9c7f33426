//! The manifest of an APK: binary XML.

use super::chunks::{Bytes, Chunks, STRINGS, strings};
use super::{ApkError, CUT_OFF};

/// Most strings, activities and services that are read.
const MOST: usize = 1 << 17;

/// What the manifest of an APK declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApkManifest {
    /// The app's package.
    pub package: String,
    /// The activities, as `package/class`, sorted. Those that the app switches off are left out.
    pub activities: Vec<String>,
    /// The services, in the order of the manifest.
    pub services: Vec<ApkService>,
}

/// A service in a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApkService {
    /// Its class as written, such as `.Keyboard`.
    pub class: String,
    /// The permission that who binds it must hold; empty for none.
    pub permission: String,
}

impl ApkManifest {
    /// The class of the first service that only holders of this permission may bind, as the system requires of some
    /// kinds.
    pub fn service_with(&self, permission: &str) -> Option<&str> {
        let requires = |service: &&ApkService| service.permission == permission;
        self.services.iter().find(requires).map(|service| &*service.class)
    }
}

/// The names of attributes by their ids: tools may drop the names.
const NAME: u32 = 0x0101_0003;
const PERMISSION: u32 = 0x0101_0006;
const ENABLED: u32 = 0x0101_000e;

/// A manifest while it is read.
#[derive(Default)]
struct Manifest {
    strings: Vec<String>,
    /// The ids of the first strings, as far as they are names of attributes.
    ids: Vec<u32>,
    package: String,
    classes: Vec<String>,
    services: Vec<ApkService>,
}

/// Reads a manifest.
pub(super) fn read(bytes: &[u8]) -> Result<ApkManifest, ApkError> {
    const DOCUMENT: usize = 0x0003;
    const START_ELEMENT: usize = 0x0102;
    const RESOURCE_IDS: usize = 0x0180;
    let chunks = Chunks::in_chunk(bytes, DOCUMENT).ok_or(ApkError("its manifest is no binary XML"))?;
    let mut manifest = Manifest::default();
    for chunk in chunks {
        let (kind, chunk) = chunk?;
        match kind {
            STRINGS => manifest.strings = strings(chunk, MOST)?,
            RESOURCE_IDS => {
                let words = (8..chunk.0.len()).step_by(4).map_while(|at| chunk.u32_at(at).ok());
                manifest.ids = words.take(MOST).collect();
            }
            START_ELEMENT => manifest.element(chunk)?,
            _ => {}
        }
    }
    Ok(manifest.declared())
}

impl Manifest {
    /// Reads the start of an element.
    fn element(&mut self, chunk: Bytes<'_>) -> Result<(), ApkError> {
        let body = chunk.from(chunk.u16_at(2)?)?;
        let element = self.strings.get(body.size_at(4)?).ok_or(CUT_OFF)?.clone();
        let count = self.classes.len() + self.services.len();
        if !matches!(element.as_str(), "manifest" | "activity" | "service") || count >= MOST {
            return Ok(());
        }
        // Begin and length of the attributes, and their number.
        let (begin, length, count) = (body.u16_at(8)?, body.u16_at(10)?, body.u16_at(12)?);
        let (mut class, mut permission, mut enabled) = (None, None, true);
        for number in 0..count {
            let attribute = body.from(begin.saturating_add(number.saturating_mul(length)))?;
            let (name, raw) = (attribute.size_at(4)?, attribute.u32_at(8)?);
            let (kind, data) = (attribute.u8_at(15)?, attribute.u32_at(16)?);
            const TEXT: u8 = 0x03;
            let place = if raw == u32::MAX && kind == TEXT { data } else { raw };
            let text = || self.strings.get(place as usize).cloned();
            let is = |id: u32, word: &str| {
                self.ids.get(name) == Some(&id) || self.strings.get(name).is_some_and(|name| name == word)
            };
            if is(NAME, "name") {
                class = text();
            } else if is(PERMISSION, "permission") {
                permission = text();
            } else if is(ENABLED, "enabled") {
                enabled = data != 0 || kind == TEXT;
            } else if element == "manifest" && is(0, "package") {
                self.package = text().ok_or(CUT_OFF)?;
            }
        }
        match (element.as_str(), class) {
            ("activity", class) => self.classes.extend(class.filter(|_| enabled)),
            ("service", Some(class)) => {
                self.services.push(ApkService { class, permission: permission.unwrap_or_default() });
            }
            _ => {}
        }
        Ok(())
    }

    fn declared(self) -> ApkManifest {
        let Manifest { package, classes, services, .. } = self;
        let full = |class: &String| match class {
            class if class.starts_with('.') => format!("{package}/{package}{class}"),
            class if class.contains('.') => format!("{package}/{class}"),
            class => format!("{package}/{package}.{class}"),
        };
        let mut activities: Vec<String> = classes.iter().map(full).collect();
        activities.sort();
        activities.dedup();
        ApkManifest { package, activities, services }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_manifest_is_refused() {
        assert!(read(b"<manifest/>").unwrap_err().to_string().contains("no binary XML"));
    }

    #[test]
    fn a_damaged_element_is_an_error() {
        let chunk = |kind: u16, body: &[u8]| {
            let head = [kind, 8].iter().flat_map(|half| half.to_le_bytes()).collect::<Vec<u8>>();
            [head, (8 + body.len() as u32).to_le_bytes().to_vec(), body.to_vec()].concat()
        };
        let element = chunk(0x0102, &[0; 4]);
        assert!(read(&chunk(3, &element)).unwrap_err().to_string().contains("damaged"));
        assert_eq!(read(&chunk(3, &[])).unwrap(), ApkManifest::default());
    }

    #[test]
    fn classes_are_named_in_full() {
        let classes = [".A", "B", "org.other.C", ".A"].map(str::to_owned).to_vec();
        let manifest = Manifest { package: "org.ex".to_owned(), classes, ..Manifest::default() };
        assert_eq!(
            manifest.declared().activities,
            ["org.ex/org.ex.A", "org.ex/org.ex.B", "org.ex/org.other.C"]
        );
    }
}
