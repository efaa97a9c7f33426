//! Selectors: what names widgets, and what finds them.

mod beside;
mod maestro;
mod query;
mod role;
mod selector;
mod xpath;

pub use beside::{Beside, Side};
pub use maestro::{MaestroPattern, MaestroRelation, MaestroSelector, MaestroTrait};
pub use query::{Query, QueryError};
pub use role::Role;
pub use selector::{Resolved, Selector, place_in_words};
pub use xpath::{XPath, XPathError, XPathTooSlow};
