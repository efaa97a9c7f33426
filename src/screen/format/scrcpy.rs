//! The supported versions of the scrcpy server, the differences between their protocols, and the places that name a
//! version.

use std::fmt;

use super::excerpt;

/// No supported version is named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScrcpyVersionError {
    /// The program's output contains no version.
    #[error("`scrcpy --version` names no version; expected \"scrcpy 3.3.4 …\", it printed {printed}")]
    Missing {
        /// The output of the program, shortened.
        printed: String,
    },
    /// The version is not supported.
    #[error(
        "scrcpy {version} is not supported: its server speaks differently in each version, and only the releases from \
         {first} to {last} are known here; install one of them"
    )]
    Unsupported {
        /// The version that was found, in quotes.
        version: String,
        /// The oldest supported version.
        first: &'static str,
        /// The newest supported version.
        last: &'static str,
    },
}

/// Size in pixels of the video's pictures from here on. Touch messages contain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VideoSize {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// How the server frames the video stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VideoFormat {
    /// Codec and size once, then packets with a 62-bit timestamp. A new size is only visible in the parameters of the
    /// stream.
    SizeOnce,
    /// The codec, then session packets (with the size, again at every change) and packets with a 61-bit timestamp.
    Sessions,
}

/// A supported version of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerVersion {
    name: &'static str,
    video: VideoFormat,
    any_path: bool,
}

const fn version(name: &'static str, video: VideoFormat, any_path: bool) -> ServerVersion {
    ServerVersion { name, video, any_path }
}

/// Before adding a version, compare its server with that of the previous one: scrcpy does not promise a stable
/// protocol.
const VERSIONS: &[ServerVersion] = &[
    version("2.1", VideoFormat::SizeOnce, false),
    version("2.1.1", VideoFormat::SizeOnce, false),
    version("2.2", VideoFormat::SizeOnce, false),
    version("2.3", VideoFormat::SizeOnce, true),
    version("2.3.1", VideoFormat::SizeOnce, true),
    version("2.4", VideoFormat::SizeOnce, true),
    version("2.5", VideoFormat::SizeOnce, true),
    version("2.6", VideoFormat::SizeOnce, true),
    version("2.6.1", VideoFormat::SizeOnce, true),
    version("2.7", VideoFormat::SizeOnce, true),
    version("3.0", VideoFormat::SizeOnce, true),
    version("3.0.1", VideoFormat::SizeOnce, true),
    version("3.0.2", VideoFormat::SizeOnce, true),
    version("3.1", VideoFormat::SizeOnce, true),
    version("3.2", VideoFormat::SizeOnce, true),
    version("3.3", VideoFormat::SizeOnce, true),
    version("3.3.1", VideoFormat::SizeOnce, true),
    version("3.3.2", VideoFormat::SizeOnce, true),
    version("3.3.3", VideoFormat::SizeOnce, true),
    version("3.3.4", VideoFormat::SizeOnce, true),
    version("4.0", VideoFormat::Sessions, true),
    version("4.1", VideoFormat::Sessions, true),
];

/// The supported versions, oldest first.
pub fn supported_versions() -> impl Iterator<Item = ServerVersion> {
    VERSIONS.iter().copied()
}

impl ServerVersion {
    /// Name of the version, as passed to the server.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// How this version frames the video stream.
    pub fn video(self) -> VideoFormat {
        self.video
    }

    /// Whether the server can be started from any path on the phone.
    pub fn runs_from_any_path(self) -> bool {
        self.any_path
    }

    /// Returns the version with this name, such as `3.3.4` or `v3.3.4`.
    ///
    /// # Errors
    ///
    /// [`ScrcpyVersionError::Unsupported`] for any other name.
    pub fn from_name(name: &str) -> Result<ServerVersion, ScrcpyVersionError> {
        let name = name.trim();
        let bare = name.strip_prefix('v').unwrap_or(name);
        let known = VERSIONS.iter().find(|version| version.name == bare);
        known.copied().ok_or_else(|| {
            let (first, last) =
                (VERSIONS.first().map_or("", |v| v.name), VERSIONS.last().map_or("", |v| v.name));
            ScrcpyVersionError::Unsupported { version: excerpt(name), first, last }
        })
    }

    /// Returns the version in the output of `scrcpy --version`, which is `scrcpy 3.3.4 <https://…>` followed by the
    /// libraries.
    ///
    /// # Errors
    ///
    /// [`ScrcpyVersionError::Missing`] if the output contains no version, [`ScrcpyVersionError::Unsupported`] if it is
    /// not supported.
    pub fn from_program_output(output: &str) -> Result<ServerVersion, ScrcpyVersionError> {
        let named = output.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next()? == "scrcpy")
                .then(|| words.next())
                .flatten()
                .filter(|word| looks_like_version(word))
        });
        match named {
            Some(name) => ServerVersion::from_name(name),
            None => Err(ScrcpyVersionError::Missing { printed: excerpt(output.trim()) }),
        }
    }

    /// Returns the version in the name of a downloaded server, such as `scrcpy-server-v3.3.4`; `None` for names of
    /// another form.
    pub fn from_file_name(name: &str) -> Option<Result<ServerVersion, ScrcpyVersionError>> {
        let version = name.strip_prefix("scrcpy-server-v")?;
        let version = version.strip_suffix(".jar").unwrap_or(version);
        looks_like_version(version).then(|| ServerVersion::from_name(version))
    }

    /// Returns the server's own version from what it prints when started as another version; `None` if it does not
    /// print it. This way a server of unknown version is started once as any version, and again as the one that it
    /// prints.
    pub fn from_refusal(printed: &str) -> Option<Result<ServerVersion, ScrcpyVersionError>> {
        let (_, rest) = printed.split_once("The server version (")?;
        let (version, _) = rest.split_once(") does not match the client")?;
        Some(ServerVersion::from_name(version))
    }
}

fn looks_like_version(word: &str) -> bool {
    let bare = word.strip_prefix('v').unwrap_or(word);
    bare.len() <= 16 && bare.starts_with(|char: char| char.is_ascii_digit()) && bare.contains('.')
}

impl fmt::Display for ServerVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "scrcpy 3.3.4 <https://github.com/Genymobile/scrcpy>\n\nDependencies (compiled / linked):\n \
                           - SDL: 2.32.8 / 2.32.8\n - libavcodec: 61.19.101 / 61.19.101\n";

    #[test]
    fn reads_what_the_program_prints() {
        assert_eq!(ServerVersion::from_program_output(PRINTED).unwrap().name(), "3.3.4");
        assert_eq!(ServerVersion::from_program_output("scrcpy v4.1 <x>\r\n").unwrap().name(), "4.1");
        // Some wrappers print lines of their own first.
        let wrapped = format!("info: starting scrcpy 9\nscrcpy wrapper\n{PRINTED}");
        assert_eq!(ServerVersion::from_program_output(&wrapped).unwrap().name(), "3.3.4");
    }

    #[test]
    fn says_why_a_version_is_refused() {
        let old = ServerVersion::from_program_output("scrcpy 1.25 <x>").unwrap_err().to_string();
        assert!(old.contains("\"1.25\"") && old.contains("2.1") && old.contains("4.1"), "{old}");
        for name in ["2.0", "3.3.5", "4.2", "5.0", "3.3.4-beta", "", "3", "٣.٣"] {
            assert!(matches!(ServerVersion::from_name(name), Err(ScrcpyVersionError::Unsupported { .. })));
        }
        for printed in ["", "command not found", "scrcpy", "scrcpy <x>", "Scrcpy 3.3.4", "scrcpy v", "\u{0}"]
        {
            let error = ServerVersion::from_program_output(printed).unwrap_err();
            assert!(matches!(error, ScrcpyVersionError::Missing { .. }), "{printed:?}: {error}");
        }
        let long = ServerVersion::from_program_output(&"x".repeat(1 << 20)).unwrap_err();
        assert!(long.to_string().len() < 1000);
    }

    #[test]
    fn reads_the_name_of_a_downloaded_server() {
        assert_eq!(ServerVersion::from_file_name("scrcpy-server-v2.7").unwrap().unwrap().name(), "2.7");
        assert_eq!(ServerVersion::from_file_name("scrcpy-server-v4.0.jar").unwrap().unwrap().name(), "4.0");
        assert!(ServerVersion::from_file_name("scrcpy-server-v1.24").unwrap().is_err());
        assert!(ServerVersion::from_file_name("scrcpy-server").is_none());
    }

    #[test]
    fn reads_what_a_server_says_of_itself() {
        let printed = "[server] ERROR: Exception on thread Thread[main,5,main]\njava.lang.IllegalArgumentException: \
                       The server version (3.1) does not match the client (2.1)\n\tat …";
        assert_eq!(ServerVersion::from_refusal(printed).unwrap().unwrap().name(), "3.1");
        let foreign = "The server version (1.19) does not match the client (2.1)";
        assert!(ServerVersion::from_refusal(foreign).unwrap().is_err());
        assert!(ServerVersion::from_refusal("The server version (3.1").is_none());
        assert!(ServerVersion::from_refusal("Killed").is_none());
    }

    #[test]
    fn each_version_knows_its_formats() {
        let named = |name: &str| ServerVersion::from_name(name).unwrap();
        assert_eq!(named("3.3.4").video, VideoFormat::SizeOnce);
        assert_eq!(named("4.0").video, VideoFormat::Sessions);
        assert!(!named("2.2").any_path && named("2.3").any_path);
        assert_eq!(supported_versions().count(), 22);
        for version in supported_versions() {
            assert_eq!(ServerVersion::from_name(version.name()), Ok(version));
        }
    }
}
