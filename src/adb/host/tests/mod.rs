//! What the tests of the client share.

pub(crate) mod peer;
