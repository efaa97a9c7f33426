//! The book: the same pages that the repository shows in `src/book`.

#[doc = include_str!("book/install.md")]
pub mod install {}
#[doc = include_str!("book/tour.md")]
pub mod tour {}
#[doc = include_str!("book/your_app.md")]
pub mod your_app {}
#[doc = include_str!("book/discover.md")]
pub mod discover {}
#[doc = include_str!("book/phones.md")]
pub mod phones {}
#[doc = include_str!("book/specifications.md")]
pub mod specifications {}
#[doc = include_str!("book/test_rules.md")]
pub mod test_rules {}
#[doc = include_str!("book/engines.md")]
pub mod engines {}
#[doc = include_str!("book/commands.md")]
pub mod commands {}
#[doc = include_str!("book/json.md")]
pub mod json {}
#[doc = include_str!("book/ci.md")]
pub mod ci {}
#[doc = include_str!("book/fleets.md")]
pub mod fleets {}
#[doc = include_str!("book/exports.md")]
pub mod exports {}
#[doc = include_str!("book/library.md")]
pub mod library {}
#[doc = include_str!("book/generated_apps.md")]
pub mod generated_apps {}
#[doc = include_str!("book/versions.md")]
pub mod versions {}
#[doc = include_str!("book/mcp.md")]
pub mod mcp {}
#[doc = include_str!("book/bringing.md")]
pub mod bringing {}
#[doc = include_str!("book/bench.md")]
pub mod bench {}
#[doc = include_str!("book/results.md")]
pub mod results {}
#[doc = include_str!("book/architecture.md")]
pub mod architecture {}
