//! What the tests of the client share.

pub(super) mod peer;
