//! Whether engines find faults that are hard to find, and nothing else: whole campaigns in apps whose faults are known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod generated_apps;
