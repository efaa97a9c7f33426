//! Tests of all parsers together, and the files that the tests read.

mod mangling;
mod recorded;
pub(super) mod test_data;
