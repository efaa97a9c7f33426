//! A place in the code of the app under test.

use serde::{Deserialize, Serialize};

/// A place in the code of the app under test that reports when it is executed, as its number among the app's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodePoint(pub u32);
