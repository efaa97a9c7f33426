//! Selectors: what names widgets, and what finds them.

mod beside;
mod maestro;
mod role;
mod selector;
mod typed;
mod xpath;

pub use beside::{Beside, Side};
pub use maestro::{MaestroPattern, MaestroRelation, MaestroSelector, MaestroTrait};
pub use role::Role;
pub use selector::{Resolved, Selector, place_in_words};
pub use typed::SelectorError;
pub use xpath::{XPath, XPathError, XPathTooSlow};
