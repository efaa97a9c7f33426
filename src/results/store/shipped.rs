//! The specifications that ship with the bundled apps. They are in the program, so it finds them wherever
//! it is started.

/// One specification file.
#[derive(Clone, Copy, Debug)]
pub struct ShippedSpec {
    /// The app's short name, such as `files`.
    pub app: &'static str,
    /// Its path below `specs/`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($app:literal $path:literal)*) => {
        &[$(ShippedSpec { app: $app, path: $path, text: include_str!(concat!("../../../specs/", $path)) },)*]
    };
}

/// All of them.
pub const SHIPPED: &[ShippedSpec] = shipped! {
    "files" "files/dmf_files.json"
    "files" "files/keyviews_files.json"
    "notes" "notes/dmf_notes.json"
    "notes" "notes/keyviews_notes.json"
    "diary" "diary/dmf_diary.json"
    "diary" "diary/keyviews_diary.json"
};

/// The files of an app.
pub fn shipped_specs(app: &str) -> impl Iterator<Item = &'static ShippedSpec> + '_ {
    SHIPPED.iter().filter(move |spec| spec.app == app)
}
