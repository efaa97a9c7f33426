//! When two screens are the same, and how similar two are.

mod abstraction;
mod page;
mod screen_print;
mod similar;

pub use abstraction::{Abstraction, LayoutKey};
pub use page::{is_opaque, opaque_words, same_page, without_digits};
pub use screen_print::{Likeness, ScreenPrint};
pub use similar::{
    SimilarWidget, dice_permille, headline, holds_actionable, input_state, is_dialog, page_key, ratio,
    relocate, similar_layouts, top_level,
};
