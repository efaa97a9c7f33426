//! Taproof.
fn main() {}
