//! Whether engines find faults that are hard to find, and nothing else: whole campaigns in apps whose faults are known, and on phones
//! that behave as old and slow ones do. They take minutes in release, and an hour without optimisation.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod auto;
mod bugs;
mod cards;
mod fastbot2;
mod generated_apps;
mod hostile;
mod keep;
mod late;
mod odin;
mod old_device;
mod recognised_runs;
mod toolkits;
mod wrapped;
