//! Instrumented points in the code of the app under test.

use serde::{Deserialize, Serialize};

/// An instrumented point in the code of the app under test, which reports when it is executed. Identified by its number
/// among the app's points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CodePoint(pub u32);
