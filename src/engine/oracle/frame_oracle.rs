//! Oracles for conditions that must hold on every screen, wherever they are implemented.

use std::fmt;

use taproof_screen::{FailedCheck, Frame, OracleKind, Violation};

/// Judges every screen of a campaign, with any engine. Its findings are confirmed and minimised like all others, and
/// reported as violations of an invariant. The same frame must always get the same answer.
///
/// # Examples
///
/// ```
/// use taproof_screen::{FailedCheck, Frame, frame_of, layout_from};
/// use taproof_engine::oracle::FrameOracle;
///
/// struct NoNull;
///
/// impl FrameOracle for NoNull {
///     fn name(&self) -> &str {
///         "no null"
///     }
///     fn judge(&self, frame: &Frame, app: &str) -> Option<FailedCheck> {
///         let null = frame.layout.iter().find(|(_, widget)| &*widget.package == app && &*widget.text == "null");
///         null.map(|(idx, _)| FailedCheck::new("no text is null", "null").at([idx]))
///     }
/// }
///
/// assert!(NoNull.judge(&frame_of(layout_from("TextView \"null\"\n")), "org.ex").is_some());
/// assert!(NoNull.judge(&frame_of(layout_from("TextView \"Milk\"\n")), "org.ex").is_none());
/// ```
pub trait FrameOracle: Send + Sync {
    /// Name for its findings, such as `no null`. The title of a finding is `NAME: expected EXPECTED, seen SEEN`.
    fn name(&self) -> &str;
    /// What is wrong on this screen of the app, which is in the foreground and running; `None` if nothing is. Reports mark the
    /// widgets of [`FailedCheck::at`].
    fn judge(&self, frame: &Frame, app: &str) -> Option<FailedCheck>;
}

impl fmt::Debug for dyn FrameOracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FrameOracle({:?})", self.name())
    }
}

/// The result of a [`FrameOracle`] on a frame as a violation.
pub fn judge_frame(oracle: &dyn FrameOracle, frame: &Frame, app: &str) -> Option<Violation> {
    let failed = oracle.judge(frame, app)?;
    let subject = oracle.name().to_owned();
    Some(Violation {
        oracle: OracleKind::Invariant,
        title: format!("{subject}: expected {}, seen {}", failed.expected, failed.seen),
        subject,
        dmf: None,
        failures: vec![failed],
        after_drift: false,
    })
}
