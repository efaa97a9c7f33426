//! Texts on a screen: what can be seen of them, what draws them, and how they are escaped.

mod code_point;
mod drawn_text;
mod escape;
mod ratio;
mod visible_text;

pub use code_point::CodePoint;
pub(crate) use drawn_text::drawn_texts;
pub use drawn_text::{DrawnText, TextClass};
pub use escape::{escape_controls, is_display_control};
pub use ratio::ratio;
pub use visible_text::is_visible;
