//! A phone that misbehaves as real ones do: [`HostilePhone`] is a device around another one, and changes what that shows
//! and where touches go. [`Hostility`] names the kinds, of which any can be combined.
//!
//! What happens by chance follows from a seed, so that the same events on the same phone give the same screens. A snapshot
//! contains what is on the screen, such as a window of the store, but not the chance: who goes back to it meets
//! something else. Nothing that an app stores is ever changed.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod adverts;
mod animations;
mod changing_texts;
mod cropped_web;
mod edge_to_edge;
mod fold;
mod foreign_windows;
mod hostility;
mod jitter;
mod keyboards;
mod moved;
mod nodes;
mod perturbation;
mod phone;
mod phones;
mod secure;
mod server_lists;
#[cfg(test)]
mod tests;
mod tree;
mod window;

pub use hostility::{Hostilities, Hostility};
pub use phone::HostilePhone;
pub use phones::HostilePhones;
