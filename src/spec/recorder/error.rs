//! Why no draft can be made.

/// No draft can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecorderError {
    /// There is nothing to draft from.
    #[error("the recording has no step; perform the function once and try again")]
    Empty,
    /// The request does not name the object, and it cannot be guessed.
    #[error("which object was {role}? None can be read off the recording; name it")]
    ObjectUnknown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
    },
    /// The object is on no layout.
    #[error("no layout of the recording shows {object:?} ({role}); is it spelled as on the screen?")]
    ObjectNotShown {
        /// `added`, `removed` or `sought`.
        role: &'static str,
        /// The object that was looked for.
        object: String,
    },
    /// An event's point is on no widget.
    #[error("step {step} is done to no widget of its layout; record it again")]
    NoTarget {
        /// The recorded step, from 1.
        step: usize,
    },
}
