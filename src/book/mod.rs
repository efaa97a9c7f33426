//! The book: the same pages that the repository shows in `src/book`.

#[doc = include_str!("install.md")]
pub mod install {}
#[doc = include_str!("tour.md")]
pub mod tour {}
#[doc = include_str!("your_app.md")]
pub mod your_app {}
#[doc = include_str!("discover.md")]
pub mod discover {}
#[doc = include_str!("phones.md")]
pub mod phones {}
#[doc = include_str!("specifications.md")]
pub mod specifications {}
#[doc = include_str!("test_rules.md")]
pub mod test_rules {}
#[doc = include_str!("engines.md")]
pub mod engines {}
#[doc = include_str!("commands.md")]
pub mod commands {}
#[doc = include_str!("json.md")]
pub mod json {}
#[doc = include_str!("ci.md")]
pub mod ci {}
#[doc = include_str!("fleets.md")]
pub mod fleets {}
#[doc = include_str!("exports.md")]
pub mod exports {}
#[doc = include_str!("library.md")]
pub mod library {}
#[doc = include_str!("generated_apps.md")]
pub mod generated_apps {}
#[doc = include_str!("versions.md")]
pub mod versions {}
#[doc = include_str!("bench.md")]
pub mod bench {}
#[doc = include_str!("judged.md")]
pub mod judged {}
#[doc = include_str!("studies.md")]
pub mod studies {}
#[doc = include_str!("architecture.md")]
pub mod architecture {}
